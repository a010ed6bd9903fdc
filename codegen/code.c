/* Statements as data, and their printer. */
#include "code.h"

#include <stdarg.h>
#include <string.h>

#include "emitter.h"

typedef enum {
    CODE_LINE,
    CODE_DECLARATION,
    CODE_OTHERWISE, /* instead of the declaration before it */
    CODE_PARAMETER, /* declared by the function around */
    CODE_BLOCK,     /* with a head, perhaps */
    CODE_ELSE,      /* behind a block */
    CODE_LOOP
} code_kind;

struct code {
    code_kind kind;
    bool used;        /* DECLARATION */
    bool bare;        /* ELSE: one statement, without braces */
    bool list;        /* BLOCK: what stands in it are initialisers */
    bool source;      /* LINE: it is the program's, and may declare something */
    bool function;    /* the outermost: a function's body */
    const char *text; /* LINE, DECLARATION; BLOCK: its head, or NULL */
    const char *name; /* DECLARATION: what it declares; OTHERWISE: the statement's place */
    const for_loop *loop;
    code *around;              /* the block that it stands in */
    code *first, *last, *next; /* what stands in it; what stands behind it */
    code *declared, *before;   /* BLOCK, LOOP: the last declaration in it; OTHERWISE: what it stands for; DECLARATION:
                                  the one before */
    const char *comment;       /* BLOCK: behind its brace, or NULL */
    const char *indent;        /* the outermost: before its lines */
    bool behind;               /* the outermost: its first line stands behind other text */
};

/* ---- Making */

static code *new_code(emitter *e, code_kind kind, code *around) {
    code *x = arena_alloc(e->memory, sizeof *x);
    *x = (code){.kind = kind, .around = around};
    return x;
}

static code *add(emitter *e, code_kind kind) {
    code *at = e->at, *x = new_code(e, kind, at);
    *(at->last ? &at->last->next : &at->first) = x;
    at->last = x;
    return x;
}

code *begin_code(emitter *e, const char *indent) {
    code *around = e->at;
    e->at = new_code(e, CODE_BLOCK, around);
    e->at->indent = indent;
    return around;
}

void stand_behind(emitter *e, bool behind) {
    e->at->behind = behind;
}

code *begin_function(emitter *e) {
    code *around = begin_code(e, "    ");
    e->at->function = true;
    return around;
}

void emit_line(emitter *e, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    add(e, CODE_LINE)->text = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
}

void emit_source(emitter *e, const char *s) {
    code *x = add(e, CODE_LINE);
    x->text = s;
    x->source = true;
}

static code *add_declaration(emitter *e, code_kind kind, const char *name) {
    code *x = add(e, kind);
    x->name = name;
    x->before = e->at->declared;
    e->at->declared = x;
    return x;
}

void emit_declaration(emitter *e, const char *name, const char *pattern, ...) {
    va_list arguments;
    code *x = add_declaration(e, CODE_DECLARATION, name);
    va_start(arguments, pattern);
    x->text = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
}

void emit_otherwise(emitter *e, const char *place, const char *pattern, ...) {
    va_list arguments;
    code *declaration = e->at->declared, *x = add(e, CODE_OTHERWISE);
    x->declared = declaration;
    x->name = place;
    va_start(arguments, pattern);
    x->text = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
}

code *emit_parameter(emitter *e, const char *name) {
    return add_declaration(e, CODE_PARAMETER, name);
}

/* The block becomes the open one. */
static code *enter(emitter *e, code *x) {
    e->at = x;
    return x->around;
}

code *open_block(emitter *e) {
    return enter(e, add(e, CODE_BLOCK));
}

code *open_block_with(emitter *e, const char *pattern, ...) {
    va_list arguments;
    code *x = add(e, CODE_BLOCK);
    va_start(arguments, pattern);
    x->comment = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
    return enter(e, x);
}

static code *open_text(emitter *e, bool list, const char *pattern, va_list arguments) {
    code *x = add(e, CODE_BLOCK);
    x->text = arena_vformat(e->memory, pattern, arguments);
    x->list = list;
    return enter(e, x);
}

code *open_head(emitter *e, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    code *around = open_text(e, false, pattern, arguments);
    va_end(arguments);
    return around;
}

void set_comment(emitter *e, const char *comment) {
    e->at->comment = comment;
}

void set_bare(emitter *e, bool bare) {
    e->at->bare = bare;
}

code *open_list(emitter *e, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    code *around = open_text(e, true, pattern, arguments);
    va_end(arguments);
    return around;
}

/* The closing parenthesis of the one that the text begins with, or NULL. */
static const char *closing(const char *condition) {
    int deep = 0;
    for (const char *c = condition; *c; c++) {
        if (*c == '"' || *c == '\'') return NULL;
        deep += (*c == '(') - (*c == ')');
        if (deep == 0) return c;
    }
    return NULL;
}

/* The condition without parentheses around all of it, which compilers warn of; an assignment keeps them. */
static const char *bare_condition(emitter *e, const char *condition) {
    const char *last = *condition == '(' && condition[1] != '{' ? closing(condition) : NULL;
    if (!last || last[1] != '\0') return condition;
    for (const char *c = condition + 1; c < last; c++)
        if (*c == '=' && c[1] != '=' && !strchr("=!<>", c[-1])) return condition;
    return arena_format(e->memory, "%.*s", (int)(last - condition) - 1, condition + 1);
}

code *open_guard(emitter *e, const char *condition) {
    return *condition ? open_head(e, "if (%s)", bare_condition(e, condition)) : e->at;
}

void open_else(emitter *e, bool bare) {
    e->at = e->at->around;
    enter(e, add(e, CODE_ELSE));
    e->at->bare = bare;
}

code *open_loop(emitter *e, const for_loop *loop) {
    code *x = add(e, CODE_LOOP);
    for_loop *copy = arena_alloc(e->memory, sizeof *copy);
    *copy = *loop;
    x->loop = copy;
    return enter(e, x);
}

void close_block(emitter *e, code *around) {
    e->at = around;
}

const char *indentation_here(const emitter *e) {
    int depth = 0;
    const code *x = e->at;
    for (; !x->indent; x = x->around) depth++;
    return arena_format(e->memory, "%s%*s", x->indent, 4 * depth, "");
}

/* ---- Names */

/* The block around that sees the same names, or NULL. */
static const code *scope_around(const code *at) {
    return at->function ? NULL : at->around;
}

/* What the declaration mentions is used as well. */
static void use_declaration(const emitter *e, code *x) {
    x->used = true;
    if (x->text) use_names_in(e, x->text);
}

void use_name(const emitter *e, const char *name) {
    for (const code *at = e->at; at; at = scope_around(at))
        for (code *x = at->declared; x; x = x->before)
            if (!strcmp(x->name, name)) {
                if (!x->used) use_declaration(e, x);
                return;
            }
    use_constants(e, name);
}

void use_names_in(const emitter *e, const char *atom) {
    for (const code *at = e->at; at; at = scope_around(at))
        for (code *x = at->declared; x; x = x->before)
            if (!x->used && mentions_word(atom, x->name)) use_name(e, x->name);
    use_constants(e, atom);
}

bool is_declaration_used(const code *declaration) {
    return declaration->used;
}

/* ---- Printing */

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
    text_add(out, x->independent ? "DPC_IVDEP for (" : "for (");
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
           (x->kind == CODE_OTHERWISE && !x->declared->used);
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
    if (x->kind == CODE_LOOP && (x->loop->comment || x->loop->counters == 0)) return false;
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
    if (x->counters > 0)
        print_head(out, &l);
    else
        text_format(out, "while (%s)", x->condition);
    if (!bare) text_add(out, " {");
    if (x->comment) text_format(out, " /* %s */", x->comment);
    text_add(out, "\n");
}

/* Without the marks of names (emit_all). */
static size_t printed_length(const char *s, size_t length) {
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
    if (!c || strchr(c->text, '\n') || !start || !is_printed(start)) return NULL;
    const size_t length = strlen(start->name);
    return !strncmp(c->text + 3, start->name, length) && c->text[3 + length] == ':' ? start->name : NULL;
}

static void print_brace(text *out, const code *x, bool bare) {
    const code *c = first_comment(x);
    const char *place = local_place(x);
    if (x->text) text_format(out, bare ? "%s" : "%s ", x->text);
    if (place) text_format(out, "DPC_LOCAL(\"%s\") ", place);
    if (!bare) text_add(out, "{");
    if (c && place)
        text_format(out, " /*%s", c->text + 3 + strlen(place) + 1);
    else if (c)
        print_comment(out, c->text);
    if (x->comment) text_format(out, " /* %s */", x->comment);
    text_add(out, "\n");
}

/* Types of which short declarations share a line. */
static const char *const joined_types[] = {"const dpc_run ", "const dpc_strip ", "const dpc_index "};

/* What the line declares, behind such a type; NULL: something else. */
static const char *joined_part(const char *line, const char *words) {
    const size_t length = strlen(words);
    return !strncmp(line, words, length) && !strchr(line, '\n') && strchr(line, ';') == line + strlen(line) - 1
               ? line + length
               : NULL;
}

/* The text of x, and of what declares more of the same type behind it in the same line; *x: the last one of these. */
static const char *joined_text(emitter *e, const code **x, size_t indent) {
    const char *line = (*x)->text;
    for (size_t k = 0; k < sizeof joined_types / sizeof *joined_types; k++)
        for (const code *next = (*x)->next; next && joined_part(line, joined_types[k]); next = next->next) {
            const bool left_out = (next->kind == CODE_DECLARATION || next->kind == CODE_OTHERWISE) && !is_printed(next);
            const char *part = is_printed(next) ? joined_part(next->text, joined_types[k]) : NULL;
            if (left_out) continue;
            if (!part ||
                indent + printed_length(line, strlen(line)) + printed_length(part, strlen(part)) + 1 > LINE_WIDTH)
                break;
            line = arena_format(e->memory, "%.*s, %s", (int)strlen(line) - 1, line, part);
            *x = next;
        }
    return line;
}

static void print_block(emitter *e, text *out, const code *block, const char *indent, int depth);

/* A block with its head, in braces unless it is bare; a branch behind it goes on behind its brace. */
static void print_nested(emitter *e, text *out, const code *x, const char *indent, int depth) {
    const bool bare = is_bare(x), goes_on = x->next && x->next->kind == CODE_ELSE;
    text body;
    text_start(&body, e->memory);
    print_block(e, &body, x, indent, depth + 1);
    if (x->kind == CODE_ELSE)
        text_add(out, bare ? "else\n" : "else {\n");
    else
        text_format(out, "%s%*s", indent, 4 * depth, "");
    if (x->kind == CODE_LOOP) print_loop(out, x->loop, text_of(&body), bare);
    if (x->kind == CODE_BLOCK) print_brace(out, x, bare);
    text_add(out, text_of(&body));
    if (!bare) text_format(out, "%s%*s}%s", indent, 4 * depth, "", goes_on ? " " : x->list ? ";\n" : "\n");
}

/* What stands in a block. */
static void print_block(emitter *e, text *out, const code *block, const char *indent, int depth) {
    const code *behind_brace = block->kind == CODE_BLOCK && block->around ? first_comment(block) : NULL;
    const bool begun = behind_brace && local_place(block);
    for (const code *x = behind_brace ? behind_brace->next : block->first; x; x = x->next)
        if (begun && x->kind == CODE_OTHERWISE)
            continue;
        else if (is_printed(x))
            text_format(out, "%s%*s%s\n", indent, 4 * depth, "",
                        joined_text(e, &x, strlen(indent) + 4 * (size_t)depth));
        else if (x->kind == CODE_BLOCK || x->kind == CODE_ELSE || x->kind == CODE_LOOP)
            print_nested(e, out, x, indent, depth);
}

/* The only thing in a block, if that is a block without a head that it is printed with, or NULL. */
static const code *only_block(const code *outermost) {
    const code *x = outermost->first;
    return x && !x->next && x->kind == CODE_BLOCK && !x->text && !local_place(x) ? x : NULL;
}

static const char *end(emitter *e, code *around, bool *braces) {
    const code *outermost = e->at;
    text out;
    text_start(&out, e->memory);
    while (!outermost->indent) outermost = outermost->around;
    const code *inner = braces ? only_block(outermost) : NULL, *comment = inner ? first_comment(inner) : NULL;
    if (comment) text_format(&out, "%s    %s\n", outermost->indent, comment->text);
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
