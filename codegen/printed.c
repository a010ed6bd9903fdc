/* The text of statements that are data: heads, comments behind braces, declarations that something uses. */
#include "code_tree.h"

#include <string.h>

#include "emitter.h"

static void print_step(text *out, const loop_counter *c) {
    if (!strcmp(c->step, "1"))
        text_format(out, "%s++", c->name);
    else if (!strcmp(c->step, "-1"))
        text_format(out, "%s--", c->name);
    else
        text_format(out, "%s %s %s", c->name, *c->step == '-' ? "-=" : "+=", c->step + (*c->step == '-'));
}

static void print_head(text *out, const for_loop *x) {
    const char *separator = "";
    if (x->independent) text_add(out, "DPC_IVDEP ");
    text_add(out, x->macro ? x->macro : "for (");
    if (x->macro) return;
    for (int k = 0; k < x->counters; k++) {
        const loop_counter *c = &x->counter[k];
        if (!c->first) continue;
        const bool pointer = x->ctype[strlen(x->ctype) - 1] == '*';
        text_format(out, "%s%s%s = %s", k ? ", " : x->ctype, k || pointer ? "" : " ", c->name, c->first);
    }
    if (x->condition)
        text_format(out, "; %s; ", x->condition);
    else
        text_format(out, "; %s %s %s; ", x->counter[0].name, x->relation, x->last);
    for (int k = 0; k < x->counters; k++) {
        if (!x->counter[k].step) continue;
        text_add(out, separator);
        print_step(out, &x->counter[k]);
        separator = ", ";
    }
    if (x->advance) text_format(out, "%s%s", separator, x->advance);
    text_add(out, ")");
}

static bool is_printed(const code *x) {
    return x->kind == CODE_LINE || (x->kind == CODE_DECLARATION && x->used) ||
           (x->kind == CODE_OTHERWISE && !x->declared->used) || (x->kind == CODE_STEP && x->declared->used);
}

/* The only thing printed in a block, or NULL. */
static const code *only_one(const code *block) {
    const code *only = NULL;
    for (const code *x = block->first; x; x = x->next) {
        const bool nested = x->kind == CODE_BLOCK || x->kind == CODE_ELSE || x->kind == CODE_LOOP;
        if (!nested && !is_printed(x)) continue;
        if (only) return NULL;
        only = x;
    }
    return only;
}

/* Whether a line is one statement: no comment, declaration, directive or macro beside it. */
static bool is_statement(const code *x) {
    const size_t length = x->kind == CODE_LINE ? strlen(x->text) : 0;
    return length > 0 && !x->source && x->text[length - 1] == ';' && !strpbrk(x->text, "\n{}#") &&
           !strstr(x->text, "/*") && strncmp(x->text, "if ", 3) != 0;
}

/* Whether it is a guard without another branch. */
static bool is_guard(const code *x) {
    return x->kind == CODE_BLOCK && x->text && !strncmp(x->text, "if (", 4) && !x->comment &&
           !(x->next && x->next->kind == CODE_ELSE);
}

/* Whether a loop or a guard needs no braces: it holds one statement, or another such loop or guard; a loop, another
 * loop. */
static bool is_bare(const code *x) {
    if (x->kind != CODE_LOOP && !is_guard(x)) return x->bare;
    if (x->kind == CODE_LOOP && x->loop->bare) return true;
    if (x->kind == CODE_LOOP && !x->loop->macro && (x->loop->comment || x->loop->counters == 0)) return false;
    const code *only = only_one(x);
    if (!only) return false;
    if (x->kind == CODE_LOOP && only->kind == CODE_LOOP) return true;
    return only->kind == CODE_LOOP || is_guard(only) ? is_bare(only) : is_statement(only);
}

/* The loop with the counters that its body reads, and one that ends it. */
static for_loop without_unread(const for_loop *x, const char *body) {
    for_loop l = *x;
    const bool by_other =
        x->other > 0 && !mentions_word(body, x->counter[0].name) && mentions_word(body, x->counter[x->other].name);
    const int first = by_other ? x->other : 0;
    l.counters = 0;
    l.counter[l.counters++] = x->counter[first];
    for (int k = 1; k < x->counters; k++)
        if (k != first && mentions_word(body, x->counter[k].name)) l.counter[l.counters++] = x->counter[k];
    if (by_other) l.relation = "<=", l.last = x->other_last;
    return l;
}

/* A loop that counts nothing is a while loop. */
static void print_loop(text *out, const for_loop *x, const char *body, bool bare) {
    const for_loop l = x->as_read ? without_unread(x, body) : *x;
    if (x->macro || x->counters > 0)
        print_head(out, &l);
    else
        text_format(out, "while (%s)", x->condition);
    if (!bare) text_add(out, " {");
    if (x->comment) text_format(out, " /* %s */", x->comment);
    text_add(out, "\n");
}

size_t printed_length(const char *s, size_t length) {
    size_t printed = 0;
    for (size_t k = 0; k < length; k++) printed += s[k] != '\1';
    return printed;
}

/* Whether a comment may not stand behind a brace: it has several lines, and the brace stands behind other text. */
static bool stands_alone(const code *x, const char *comment) {
    return x->around->behind && x->around->first == x && strchr(comment, '\n');
}

/* The comment that a block without a head begins with, and that stands behind its brace; NULL: none. */
static const code *first_comment(const code *x) {
    const code *c = x->first;
    const bool comment = c && c->kind == CODE_LINE && !x->text && !strncmp(c->text, "/*", 2);
    if (comment && stands_alone(x, c->text)) return NULL;
    return comment && !x->comment && !strcmp(c->text + strlen(c->text) - 2, "*/") ? c : NULL;
}

/* Its lines: behind the brace, which is indented by one level less. */
static void print_comment(text *out, const char *s) {
    const char *end = strchr(s, '\n');
    text_format(out, " %.*s", (int)strcspn(s, "\n"), s);
    for (; end; end = strchr(end + 1, '\n')) text_format(out, "\n%.*s", (int)strcspn(end + 3, "\n"), end + 3);
}

/* The place of the local statement that is the block, which its comment names too; NULL: it is none. */
static const char *local_place(const code *x) {
    const code *c = first_comment(x), *start = x->first;
    while (start && start->kind != CODE_OTHERWISE) start = start->next;
    if (!c || !start || !is_printed(start)) return NULL;
    const size_t length = strlen(start->name);
    return !strncmp(c->text + 3, start->name, length) && c->text[3 + length] == ':' ? start->name : NULL;
}

static const char changed_call[] = "dpc_changed(";

static bool says_changed(const code *x) {
    return x->kind == CODE_LINE && !x->source && !strncmp(x->text, changed_call, strlen(changed_call)) &&
           strchr(x->text, ';') == x->text + strlen(x->text) - 1;
}

/* "&U_dist)": the only array that the block says at its end to have changed; NULL: it says nothing, or has several. */
static const char *changed_array(const code *x) {
    int count = 0;
    for (const code *y = x->first; y; y = y->next) count += says_changed(y);
    return count == 1 && says_changed(x->last) ? x->last->text + strlen(changed_call) : NULL;
}

/* The head of a local statement, with the place as it stands in the call that begins it. */
static void print_local_head(text *out, const code *x) {
    const code *start = x->first;
    while (start->kind != CODE_OTHERWISE) start = start->next;
    const char *place = strchr(start->text, '('), *changed = changed_array(x);
    if (changed)
        text_format(out, "DPC_CHANGE(%.*s, %.*s ", (int)strlen(changed) - 2, changed, (int)strlen(place) - 2,
                    place + 1);
    else
        text_format(out, "DPC_LOCAL%.*s ", (int)strlen(place) - 1, place);
}

/* The declaration of the space of the statement that is the block, whose comment names its place: the block's head says
 * both; NULL: there is none.  Behind other text the head would be too long. */
static const code *declared_space(const code *x) {
    const code *c = first_comment(x), *space = c ? c->next : NULL;
    if (!c || (x->around->behind && x->around->first == x)) return NULL;
    while (space && !is_printed(space)) space = space->next;
    if (!space || space->kind != CODE_DECLARATION || strncmp(space->text, "DPC_SPACE", strlen("DPC_SPACE")) != 0)
        return NULL;
    const char *place = space->next->name;
    return !strncmp(c->text + 3, place, strlen(place)) && c->text[3 + strlen(place)] == ':' ? space : NULL;
}

/* Whether the block says at its end that the home of its space has changed. */
static bool changes_home(const code *x, const code *space) {
    static const char on[] = "DPC_SPACE_ON", at[] = "DPC_SPACE_AT";
    const char *changed = changed_array(x), *home = strstr(space->text, ", ");
    const bool names_home = !strncmp(space->text, on, strlen(on)) || !strncmp(space->text, at, strlen(at));
    if (!changed || !names_home || !home) return false;
    const size_t length = strlen(changed) - 2;
    return !strncmp(home + 2, changed, length) && home[2 + length] == ',';
}

/* Whether the block's head says what its last line would. */
static bool is_in_head(const code *x, const code *space) {
    return space ? changes_home(x, space) : local_place(x) && changed_array(x);
}

/* DPC_FORALL.. in place of DPC_SPACE..; what else stands there, as lines, follows in the block. */
static void print_space_head(text *out, const code *x, const code *space) {
    const char *s = space->text + strlen("DPC_SPACE");
    text_format(out, "DPC_%s%.*s ", changes_home(x, space) ? "CHANGE" : "FORALL", (int)strcspn(s, ";"), s);
}

/* Types of which short declarations share a line. */
static const char *const joined_types[] = {"const dpc_run ", "const dpc_strip ", "const dpc_index "};

/* How many letters of the line are the words of a type whose declarations share a line: one of these, or what stands
 * before the star of a pointer that gets a value, or before a variable that begins as a constant; 0: it declares none.
 */
static size_t length_of_type(const char *line) {
    static const char words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ";
    const size_t length = strspn(line, words);
    const bool pointer = line[length] == '*' || !strncmp(line + length, "(*", 2);
    if (line[length] == '=' && !strpbrk(line, "(*\"")) {
        size_t name = length;
        while (name > 1 && line[name - 2] != ' ') name--;
        return name > 1 && line[0] != ' ' ? name - 1 : 0;
    }
    for (size_t k = 0; k < sizeof joined_types / sizeof *joined_types; k++)
        if (!strncmp(line, joined_types[k], strlen(joined_types[k]))) return strlen(joined_types[k]);
    const bool declares = strstr(line, " = ") || !strpbrk(line, "(=");
    return pointer && length > 0 && line[length - 1] == ' ' && declares ? length : 0;
}

/* What x declares in the text `says`, behind those of a type, so many letters of `line`; NULL: something else. */
static const char *joined_part(const code *x, const char *says, const char *line, size_t length) {
    const bool declares = !x->source && length > 0 && length_of_type(says) == length && !strncmp(says, line, length) &&
                          !strchr(says, '\n') && strchr(says, ';') == says + strlen(says) - 1;
    return declares ? says + length : NULL;
}

/* A pointer to where elements stand, less the `const` of its type: a line that it shares with another one has none. */
static const char *without_const(const code *x) {
    const char *value = strstr(x->text, " = ");
    const bool place = x->kind == CODE_DECLARATION && !x->whole && value && strchr(x->text, '*') && !strchr(value, '(');
    return place && !strncmp(x->text, "const ", strlen("const ")) ? x->text + strlen("const ") : x->text;
}

/* The line with what x declares, in the text `says`, behind it; NULL: that has a line of its own. */
static const char *with_part(emitter *e, const char *line, const code *x, const char *says, size_t indent) {
    const size_t length = length_of_type(line);
    const char *part = length > 0 ? joined_part(x, says, line, length) : NULL;
    if (!part || indent + printed_length(line, strlen(line)) + printed_length(part, strlen(part)) + 1 > LINE_WIDTH)
        return NULL;
    return arena_format(e->memory, "%.*s, %s", (int)strlen(line) - 1, line, part);
}

/* The text of x, and of what declares more of the same type behind it in the same line; *x: the last one of these. */
static const char *joined_text(emitter *e, const code **x, size_t indent) {
    const char *line = (*x)->text, *plain = without_const(*x);
    if ((*x)->source || !joined_part(*x, line, line, length_of_type(line))) return line;
    for (const code *next = (*x)->next; next; next = next->next) {
        const bool may_go = next->kind == CODE_DECLARATION || next->kind == CODE_OTHERWISE || next->kind == CODE_STEP;
        const bool left_out = may_go && !is_printed(next);
        if (left_out) continue;
        const char *same = is_printed(next) ? with_part(e, line, next, next->text, indent) : NULL;
        const char *mixed = is_printed(next) ? with_part(e, plain, next, without_const(next), indent) : NULL;
        if (!same && !mixed) break;
        line = same ? same : mixed;
        plain = mixed ? mixed : line;
        *x = next;
    }
    return line;
}

static void print_block(emitter *e, text *out, const code *block, const char *indent, int depth);

/* ---- Comments: what a line says that stands beside them is left out, and what fits into one line stands in one */

/* The text of a comment without the place that it begins with, if the text behind it names the line; else the comment.
 */
static const char *without_place(const emitter *e, const char *comment, const char *behind) {
    const char *path = e->p->source->path, *begin = comment + strlen("/* ");
    const size_t length = strlen(path);
    if (strncmp(begin, path, length) != 0 || begin[length] != ':') return comment;
    const char *number = begin + length + 1;
    const size_t digits = strspn(number, "0123456789");
    if (digits == 0 || strncmp(number + digits, ": ", 2) != 0) return comment;
    const char *named = arena_format(e->memory, "DPC_LINE(%.*s)", (int)digits, number);
    return strstr(behind, named) ? arena_format(e->memory, "/* %s", number + digits + 2) : comment;
}

/* The words of a comment's line that begins at s, behind a newline; *blanks: how many stand before them. */
static const char *words_of_line(const char *s, size_t *blanks) {
    const char *star = s + 1 + strspn(s + 1, " ");
    *blanks = *star == '*' ? strspn(star + 1, " ") : 0;
    return *star == '*' ? star + 1 + *blanks : s + 1;
}

/* The statements of a comment, which stand one below the other, in its first line, where they fit into it. */
static const char *with_statements_beside(emitter *e, const char *comment, size_t indent) {
    text out;
    const char *line = strchr(comment, '\n');
    size_t blanks = 0;
    text_start(&out, e->memory);
    text_format(&out, "%.*s", (int)strcspn(comment, "\n"), comment);
    for (const char *words; line && (words = words_of_line(line, &blanks)) && blanks == 1; line = strchr(words, '\n'))
        text_format(&out, "; %.*s", (int)strcspn(words, "\n"), words);
    if (indent + printed_length(out.bytes, out.length) > LINE_WIDTH) return comment;
    if (line) text_add(&out, line);
    return text_of(&out);
}

/* The only line of a comment of several lines, behind the first one, that is indented by three blanks, which says what
 * moves, if all others are indented by more; NULL: it is not so. */
static const char *only_item(const char *comment) {
    const char *item = NULL;
    for (const char *line = strchr(comment, '\n'); line; line = strchr(line + 1, '\n')) {
        const char *words = line + 1 + strspn(line + 1, " ");
        const size_t blanks = strspn(words + 1, " ");
        if (*words != '*' || blanks < 3 || (blanks == 3 && item)) return NULL;
        if (blanks == 3) item = line;
    }
    return item && item == strchr(comment, '\n') ? item : NULL;
}

/* What moves beside the statement, where both fit into one line; lines below, which are indented by two blanks more,
 * move to the left. */
static const char *with_item_beside(emitter *e, const char *comment, size_t indent) {
    const char *item = only_item(comment);
    if (!item) return comment;
    const char *words = strchr(item, '*') + 4, *below = strchr(words, '\n');
    const size_t length = below ? (size_t)(below - words) : strlen(words);
    if (indent + (size_t)(item - comment) + strlen("; ") + length > LINE_WIDTH) return comment;
    text out;
    text_start(&out, e->memory);
    text_format(&out, "%.*s; %.*s", (int)(item - comment), comment, (int)length, words);
    for (; below; below = strchr(below + 1, '\n')) {
        const char *star = strchr(below, '*'), *end = strchr(below + 1, '\n');
        const char *rest = star + 1 + 2;
        text_format(&out, "%.*s*%.*s", (int)(star - below), below, (int)(end ? end - rest : (long)strlen(rest)), rest);
    }
    return text_of(&out);
}

/* The comment as it stands above a text, or behind the brace of a head. */
static const char *shown_comment(emitter *e, const code *comment, const char *beside, size_t indent) {
    const char *s = without_place(e, comment->text, beside);
    if (s == comment->text) return s;
    return with_item_beside(e, with_statements_beside(e, s, indent), indent);
}

/* The comment that stands above what is printed next in its block. */
static const char *comment_above(emitter *e, const code *comment, size_t indent) {
    const code *next = comment->next;
    while (next && !is_printed(next) && next->kind != CODE_BLOCK && next->kind != CODE_LOOP) next = next->next;
    return shown_comment(e, comment, next && is_printed(next) ? next->text : "", indent);
}

/* The head of a block and its brace, with the comment that the block begins with behind it.  Where that has several
 * lines and the head is a statement's, it is given back: it stands below, inside. */
static const char *print_brace(emitter *e, text *out, const code *x, bool bare, size_t begin, size_t inside) {
    const code *c = first_comment(x), *space = declared_space(x);
    const bool local = local_place(x);
    if (x->text) text_format(out, bare ? "%s" : "%s ", x->text);
    if (local) print_local_head(out, x);
    if (space) print_space_head(out, x, space);
    if (!bare) text_add(out, "{");
    const char *comment = NULL, *below = NULL;
    if (c && (space || local)) {
        comment = shown_comment(e, c, text_of(out) + begin, inside);
        const bool fits =
            printed_length(text_of(out) + begin, out->length - begin) + 1 + printed_length(comment, strlen(comment)) <=
            LINE_WIDTH;
        if (strchr(comment, '\n') || (strchr(c->text, '\n') && !fits)) below = comment;
    } else if (c) {
        comment = comment_above(e, c, inside);
    }
    if (comment && !below) print_comment(out, comment);
    if (x->comment) text_format(out, " /* %s */", x->comment);
    text_add(out, "\n");
    return below;
}

/* ---- Blocks and loops */

/* The length of the text from `begin` on. */
static size_t line_length(const text *out, size_t begin) {
    return printed_length(out->bytes + begin, out->length - begin);
}

/* Whether a comment stands behind its head. */
static bool has_comment(const code *x) {
    return x->comment || (x->kind == CODE_LOOP && x->loop->comment);
}

/* The statement that is all of a bare block's text, which stands behind its head where both fit into one line: `width`
 * columns are taken; NULL: it has lines of its own. */
static const char *short_statement(const code *x, const char *body, size_t width) {
    const code *only = only_one(x);
    const char *end = strchr(body, '\n');
    if (x->kind == CODE_ELSE || has_comment(x) || !only || only->kind != CODE_LINE || !end || end[1]) return NULL;
    const char *s = body + strspn(body, " ");
    return width + 1 + printed_length(s, strlen(s) - 1) <= LINE_WIDTH ? s : NULL;
}

/* The loop that is all of a loop, if both heads are macros that fit into one line behind `width` columns; NULL: it is
 * not so. */
static const code *loop_beside(const code *x, size_t width) {
    const bool shares = x->kind == CODE_LOOP && x->loop->macro && !x->loop->comment && !x->loop->alone;
    const code *only = shares && is_bare(x) ? only_one(x) : NULL;
    if (!only || only->kind != CODE_LOOP || !only->loop->macro || only->loop->comment) return NULL;
    const size_t marks = strlen("DPC_IVDEP ") * (size_t)(x->loop->independent + only->loop->independent);
    const size_t room = marks + printed_length(x->loop->macro, strlen(x->loop->macro)) + strlen("  {") +
                        printed_length(only->loop->macro, strlen(only->loop->macro));
    return width + room <= LINE_WIDTH ? only : NULL;
}

/* Heads of loops that are macros share a line; a block with a head stands in braces unless it is bare; a branch behind
 * it goes on behind its brace. */
static void print_nested(emitter *e, text *out, const code *x, const char *indent, int depth) {
    const size_t begin = out->length;
    if (x->kind == CODE_ELSE)
        text_add(out, is_bare(x) ? "else\n" : "else {\n");
    else
        text_format(out, "%s%*s", indent, 4 * depth, "");
    for (const code *inner; (inner = loop_beside(x, line_length(out, begin))); x = inner) {
        print_head(out, x->loop);
        text_add(out, " ");
    }
    const bool bare = is_bare(x), goes_on = x->next && x->next->kind == CODE_ELSE;
    const size_t inside = strlen(indent) + 4 * (size_t)(depth + 1);
    text body;
    text_start(&body, e->memory);
    const char *below = x->kind == CODE_BLOCK ? print_brace(e, out, x, bare, begin, inside) : NULL;
    if (below) text_format(&body, "%*s%s\n", (int)inside, "", below);
    print_block(e, &body, x, indent, depth + 1);
    if (x->kind == CODE_LOOP) print_loop(out, x->loop, text_of(&body), bare);
    const char *statement = bare ? short_statement(x, text_of(&body), line_length(out, begin) - 1) : NULL;
    if (statement) out->bytes[out->length - 1] = ' ';
    text_add(out, statement ? statement : text_of(&body));
    if (!bare) text_format(out, "%s%*s}%s", indent, 4 * depth, "", goes_on ? " " : x->list ? ";\n" : "\n");
}

/* Whether a block has neither head nor comment, and holds a loop and nothing else: the loop stands without it. */
static bool is_loop_alone(const code *x) {
    const code *only = x->kind == CODE_BLOCK && !x->text && !x->comment && !x->list ? only_one(x) : NULL;
    return only && only->kind == CODE_LOOP && !(x->next && x->next->kind == CODE_ELSE);
}

/* Lines of the source that stand less deep than was supposed, as heads of loops share a line, or a loop has no block of
 * its own: all but the first move to the left. */
static const char *outwards(emitter *e, const code *x, const char *s, int depth) {
    const size_t most = x->source && x->depth > depth ? 4 * (size_t)(x->depth - depth) : 0;
    if (most == 0 || !strchr(s, '\n')) return s;
    text out;
    text_start(&out, e->memory);
    for (const char *end; (end = strchr(s, '\n')); s = end + 1) {
        text_add_bytes(&out, s, (size_t)(end + 1 - s));
        const size_t blanks = strspn(end + 1, " ");
        end += blanks < most ? blanks : most;
    }
    text_add(&out, s);
    return text_of(&out);
}

/* What stands in a block. */
static void print_block(emitter *e, text *out, const code *block, const char *indent, int depth) {
    const code *behind_brace = block->kind == CODE_BLOCK && block->around ? first_comment(block) : NULL;
    const code *space = behind_brace ? declared_space(block) : NULL;
    const bool begun = behind_brace && local_place(block);
    const bool said = behind_brace && is_in_head(block, space);
    if (space && strchr(space->text, '\n')) text_format(out, "%s\n", strchr(space->text, '\n') + 1);
    for (const code *x = behind_brace ? behind_brace->next : block->first; x; x = x->next)
        if ((begun && x->kind == CODE_OTHERWISE) || (space && x == space) || (said && x == block->last))
            continue;
        else if (is_printed(x)) {
            const code *first = x;
            const size_t width = strlen(indent) + 4 * (size_t)depth;
            const bool comments = x->kind == CODE_LINE && !x->source && !strncmp(x->text, "/* ", 3);
            const char *line = comments ? comment_above(e, x, width) : joined_text(e, &x, width);
            text_format(out, "%s%*s%s\n", indent, 4 * depth, "", outwards(e, first, line, depth));
        } else if (is_loop_alone(x))
            print_block(e, out, x, indent, depth);
        else if (x->kind == CODE_BLOCK || x->kind == CODE_ELSE || x->kind == CODE_LOOP)
            print_nested(e, out, x, indent, depth);
}

/* The only thing in a block, if that is a block without a head that it is printed with, or NULL. */
static const code *only_block(const code *outermost) {
    const code *x = outermost->first;
    return x && !x->next && x->kind == CODE_BLOCK && !x->text && !local_place(x) && !declared_space(x) ? x : NULL;
}

static const char *end(emitter *e, code *around, bool *braces) {
    const code *outermost = e->at;
    text out;
    text_start(&out, e->memory);
    while (!outermost->indent) outermost = outermost->around;
    const code *inner = braces ? only_block(outermost) : NULL, *comment = inner ? first_comment(inner) : NULL;
    if (comment)
        text_format(&out, "%s    %s\n", outermost->indent,
                    comment_above(e, comment, strlen(outermost->indent) + strlen("    ")));
    print_block(e, &out, inner ? inner : outermost, outermost->indent, inner != NULL);
    if (braces) *braces = inner != NULL;
    e->at = around;
    return text_of(&out);
}

const char *end_code(emitter *e, code *around) {
    return end(e, around, NULL);
}

const char *end_code_in_braces(emitter *e, code *around, bool *braces) {
    return end(e, around, braces);
}
