/* Tokens and their replacements. */
#include "emitter.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- Lines of the source
 *
 * A #line stands only where a statement or declaration begins, never in an expression: it could be a macro's argument.
 * None before case and default: the C compiler looks for a comment there (fall through). */

static void mark_statements(emitter *e, const node *n);

static void mark_statement(emitter *e, const node *n) {
    e->starts[n->first] = n->kind != N_CASE && n->kind != N_DEFAULT && n->kind != N_COMPOUND;
    mark_statements(e, n);
}

/* What stands in a statement as a statement of its own. */
static bool is_substatement(const node *n, size_t c) {
    switch ((int)n->kind) {
    case N_UNIT:
    case N_COMPOUND:
    case N_VERSIONS:
        return true;
    case N_IF:
        return c > 0;
    case N_SWITCH:
    case N_WHILE:
    case N_CASE:
        return c == 1;
    case N_DO:
    case N_DEFAULT:
    case N_LABEL:
        return c == 0;
    case N_FOR:
        return c == 3;
    case N_FUNCTION_DEFINITION:
        return c == 2;
    default:
        return false;
    }
}

static void mark_statements(emitter *e, const node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_substatement(n, c)) mark_statement(e, n->child[c]);
    if (n->kind == N_FUNCTION_DEFINITION) e->starts[n->last] = true;
}

size_t start_of_block(const emitter *e, const node *block) {
    size_t at = block->first;
    for (size_t c = 0; c < block->count && !strcmp(e->p->source->tokens[block->child[c]->first].text, "__label__"); c++)
        at = block->child[c]->last;
    return at;
}

const char *escaped(const emitter *e, const char *s) {
    text out;
    text_start(&out, e->memory);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') text_add(&out, "\\");
        text_add_bytes(&out, s, 1);
    }
    return text_of(&out);
}

static void add_line(const emitter *e, text *out, const token *at) {
    text_format(out, "#line %d \"%s\"\n", at->line, escaped(e, at->file));
}

/* On a line of its own; what follows stands in the source's column. */
static void add_place(const emitter *e, text *out, const token *at) {
    text_add(out, "\n");
    add_line(e, out, at);
    text_format(out, "%*s", at->column - 1, "");
}

size_t piece_length(const char *s) {
    if (s[0] == '/' && s[1] == '/') return strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? (size_t)(end - s) + 2 : strlen(s);
    }
    if (*s != '"' && *s != '\'') return 1;
    size_t length = 1;
    while (s[length] && s[length] != *s) length += s[length] == '\\' && s[length + 1] ? 2 : 1;
    return length + (s[length] != '\0');
}

/* Text that codegen made for the statement that begins with token `at` (NULL: none): all its lines are that one's. */
static void add_made(const emitter *e, text *out, const char *s, const token *at) {
    if (!s) return;
    if (!e->starts || !at || !strchr(s, '\n')) {
        text_add(out, s);
        return;
    }
    int depth = 0;
    for (size_t length; *s; s += length) {
        length = piece_length(s);
        text_add_bytes(out, s, length);
        if (*s == '(' || *s == '[') depth++;
        if (*s == ')' || *s == ']') depth--;
        if (*s == '\n' && depth == 0 && !(out->length > 1 && out->bytes[out->length - 2] == '\\')) add_line(e, out, at);
    }
}

/* ---- Constants of the program: \2name\2 stands before the line that declares one. */

void declare_constant(emitter *e, text *out, const char *name, const char *pattern, ...) {
    va_list arguments;
    const constant x = {.name = name};
    va_start(arguments, pattern);
    text_format(out, "\2%s\2%s", name, arena_vformat(out->memory, pattern, arguments));
    va_end(arguments);
    vector_add(e->kept, e->constant, e->constants, e->constant_capacity, x);
}

void use_constants(const emitter *e, const char *atom) {
    for (size_t k = 0; k < e->constants; k++)
        if (!e->constant[k].used && mentions_word(atom, e->constant[k].name)) e->constant[k].used = true;
}

static bool is_constant_used(const emitter *e, const char *name, size_t length) {
    for (size_t k = 0; k < e->constants; k++)
        if (e->constant[k].used && !strncmp(e->constant[k].name, name, length) && !e->constant[k].name[length])
            return true;
    return false;
}

/* The text without the lines of constants that nothing uses. */
static const char *drop_unused(emitter *e, arena *memory, const char *s) {
    text out;
    text_start(&out, memory);
    for (const char *mark; (mark = strchr(s, '\2'));) {
        const char *name = mark + 1, *line = strchr(name, '\2') + 1, *next = strchr(line, '\n') + 1;
        text_add_bytes(&out, s, (size_t)(mark - s));
        if (is_constant_used(e, name, (size_t)(line - 1 - name))) text_add_bytes(&out, line, (size_t)(next - line));
        s = next;
    }
    text_add(&out, s);
    return text_of(&out);
}

/* ---- Linear forms */

static void use_linear(const emitter *e, const linear *x) {
    for (int t = 0; t < x->terms; t++) use_names_in(e, x->term[t].text);
}

const char *linear_words(const emitter *e, const linear *x) {
    use_linear(e, x);
    return linear_text(e->memory, x);
}

const char *linear_operand_words(const emitter *e, const linear *x) {
    use_linear(e, x);
    return linear_operand(e->memory, x);
}

const char *space_name(const emitter *e, const char *first, int number) {
    return number == 0 ? first : arena_format(e->memory, "%s_%d", first, number + 1);
}

/* ---- Emitting */

/* Reductions by the statements that they are computed before. */
static void list_reductions(emitter *e) {
    const program *p = e->p;
    e->computed_next = arena_alloc(e->kept, (p->reduction_count + 1) * sizeof *e->computed_next);
    for (size_t k = p->reduction_count; k-- > 0;) {
        const node *before = p->reductions[k]->combined.before;
        if (!before) continue;
        e->computed_next[k] = table_at(&e->computed_before, before);
        table_put(e->kept, &e->computed_before, before, &p->reductions[k]);
    }
}

void emitter_start(emitter *e, arena *a, program *p, const emit_options *options, bool serial) {
    size_t count = p->source->count + 1;
    *e = (emitter){.memory = a,
                   .kept = a,
                   .passing = arena_new(),
                   .p = p,
                   .options = options,
                   .serial = serial,
                   .space = "\1space"};
    e->edit = arena_alloc(a, count * sizeof(edit *));
    for (token_index t = 0; t < p->source->count; t++)
        if (t == 0 || strchr(p->source->tokens[t].before, '\n')) vector_add(a, e->line, e->lines, e->line_capacity, t);
    list_reductions(e);
    if (!options->lines) return;
    e->starts = arena_alloc(a, count * sizeof *e->starts);
    mark_statements(e, p->unit);
}

const edit *edit_at(const emitter *e, size_t t) {
    static const edit none;
    return e->edit[t] ? e->edit[t] : &none;
}

edit *edit_of(emitter *e, size_t t) {
    if (!e->edit[t]) e->edit[t] = e->spares > 0 ? e->spare[--e->spares] : arena_alloc(e->kept, sizeof(edit));
    return e->edit[t];
}

static void drop_edit(emitter *e, size_t t) {
    edit *x = e->edit[t];
    if (!x) return;
    *x = (edit){.functions = x->functions};
    if (x->functions) return;
    vector_add(e->kept, e->spare, e->spares, e->spare_capacity, x);
    e->edit[t] = NULL;
}

void replace_tokens(emitter *e, size_t first, size_t last, const char *with) {
    edit *x = edit_of(e, first);
    x->replacement = with;
    x->last = last;
}

void replace(emitter *e, const node *n, const char *with) {
    replace_tokens(e, n->first, n->last, with);
}

void forget_replacements(emitter *e, size_t first, size_t last) {
    for (size_t t = first; t <= last; t++)
        if (e->edit[t]) e->edit[t]->replacement = NULL;
}

bool begin_passing(emitter *e) {
    if (e->memory == e->passing) return false;
    e->memory = e->passing;
    e->viewed = NULL;
    return true;
}

/* What was written at its tokens is part of the text. */
void end_passing(emitter *e, const node *n, const char *s) {
    enum { MOST_PASSED = 64 };
    e->memory = e->kept;
    forget_foreseen(e);
    replace(e, n, arena_text(e->kept, s, strlen(s)));
    for (size_t t = n->first + 1; t <= n->last; t++) drop_edit(e, t);
    if (++e->passed % MOST_PASSED != 0) return;
    arena_free(e->passing);
    e->passing = arena_new();
}

/* The lines of the function are the statement's. */
void place_function(emitter *e, const node *n, const char *definition) {
    const char **place = &edit_of(e, function_around(n)->first)->functions;
    text out;
    text_start(&out, e->kept);
    text_format(&out, "%s\n\n", *place ? *place : "");
    add_made(e, &out, definition, &e->p->source->tokens[n->first]);
    *place = text_of(&out);
}

/* The use of a macro whose tokens begin with t, end with `last` or before, and are as they were; NULL: none. */
static const macro_use *untouched_use(const emitter *e, size_t t, size_t last) {
    const macro_use *use = use_at(e->p->source, t, last);
    for (; use; use = use->last > t ? use_at(e->p->source, t, use->last - 1) : NULL) {
        bool touched = use->last > t && edit_at(e, t)->after;
        for (size_t k = t + 1; k <= use->last; k++) {
            const edit *x = edit_at(e, k);
            touched = touched || x->replacement || x->before || x->lead || (x->after && k < use->last);
        }
        if (!touched) return use;
    }
    return NULL;
}

/* Token t or what stands in place of t and others, up to `most`; returns the next one.  `at` is as for add_made. */
static size_t emit_token(const emitter *e, text *out, size_t t, size_t most, const token *at) {
    const edit *x = edit_at(e, t);
    const macro_use *use = x->replacement || !e->p->source->tokens[t].from_macro ? NULL : untouched_use(e, t, most);
    size_t last = x->replacement ? x->last : use ? use->last : t;
    if (x->replacement)
        add_made(e, out, x->replacement, at);
    else
        text_add(out, use ? use->name : e->p->source->tokens[t].text);
    add_made(e, out, edit_at(e, last)->after, at);
    return last + 1;
}

const char *emit_range(const emitter *e, size_t first, size_t last) {
    text out;
    text_start(&out, e->memory);
    for (size_t t = first; t <= last;) {
        if (t != first) {
            const edit *x = edit_at(e, t);
            if (x->before) text_add(&out, x->before);
            text_add(&out, e->p->source->tokens[t].before);
            if (x->lead) text_add(&out, x->lead);
        }
        t = emit_token(e, &out, t, last, NULL);
    }
    return text_of(&out);
}

const char *emit_node(const emitter *e, const node *n) {
    return emit_range(e, n->first, n->last);
}

static const char *with_fresh_names(emitter *e, arena *memory, const char *s) {
    text out;
    text_start(&out, memory);
    for (const char *mark; (mark = strchr(s, '\1'));) {
        size_t length = 1;
        while (isalnum((unsigned char)mark[length]) || mark[length] == '_') length++;
        text_add_bytes(&out, s, (size_t)(mark - s));
        text_add(&out, fresh_name(e->p, arena_text(e->memory, mark + 1, length - 1)));
        s = mark + length;
    }
    text_add(&out, s);
    return text_of(&out);
}

const char *place_reductions(emitter *e, arena *memory, const char *s) {
    text out;
    text_start(&out, memory);
    for (const char *mark; (mark = strchr(s, PLACED));) {
        const char *end = strchr(mark + 1, PLACED);
        text_add_bytes(&out, s, (size_t)(mark - s));
        text_add(&out, place_reductions(e, memory, placed_reduction(e, mark + 1, (size_t)(end - mark - 1))));
        s = end + 1;
    }
    text_add(&out, s);
    return text_of(&out);
}

/* Behind the last line in blank space that begins with a directive; NULL: there is none. */
static const char *after_lines(const char *blank, const char *directive) {
    const char *end = NULL;
    for (const char *s = blank; *s; s += piece_length(s)) {
        const bool at_start = s == blank || s[-1] == '\n';
        if (at_start && !strncmp(s, directive, strlen(directive))) end = s + strcspn(s, "\n");
    }
    return end;
}

/* Before the first definition in blank space and the comment above it, or at the end: the head's header is read before
 * the user's macros are defined. */
static const char *before_definitions(const char *blank) {
    const char *paragraph = blank, *s = blank;
    for (; *s; s += piece_length(s)) {
        const bool at_start = s == blank || s[-1] == '\n';
        if (at_start && !strncmp(s, "#define", 7)) return paragraph;
        if (!strncmp(s, "\n\n", 2)) paragraph = s;
    }
    return s;
}

/* Notes where made text begins or ends; #line needs the lines as they are. */
static void add_mark(const emitter *e, text *out) {
    if (!e->starts) text_format(out, "%c", MADE);
}

static void add_marked(const emitter *e, text *out, const char *s, const token *at) {
    if (!s) return;
    add_mark(e, out);
    add_made(e, out, s, at);
    add_mark(e, out);
}

/* Functions, and the blank space that they are placed in: behind definitions, whose names they may use. */
static void add_among_definitions(const emitter *e, text *out, const char *blank, const char *functions) {
    const char *end = functions ? after_lines(blank, "#define") : NULL;
    if (end) {
        text_add_bytes(out, blank, (size_t)(end - blank));
        blank = end;
    }
    if (end || (functions && out->length > 0 && out->bytes[out->length - 1] != '\n')) text_add(out, "\n\n");
    add_marked(e, out, functions, NULL);
    if (functions && strncmp(blank, "\n\n", 2) != 0) text_add(out, "\n");
    text_add(out, blank);
}

/* The same before token t: before the first one, behind the includes and the head of the output. */
static void add_functions(const emitter *e, text *out, size_t t, size_t skipped) {
    const char *blank = e->p->source->tokens[t].before + skipped, *functions = edit_at(e, t)->functions;
    if (t == 0) {
        const char *end = after_lines(blank, "#include");
        if (!end) end = before_definitions(blank);
        text_add_bytes(out, blank, (size_t)(end - blank));
        text_add(out, e->head);
        blank = end;
    }
    add_among_definitions(e, out, blank, functions);
}

/* The same as emit_token, where nothing else stands around it. */
static size_t emit_outer_token(const emitter *e, text *out, size_t t, const token *at) {
    const bool made = edit_at(e, t)->replacement || edit_at(e, t)->after;
    if (made) add_mark(e, out);
    t = emit_token(e, out, t, e->p->source->count - 1, at);
    if (made) add_mark(e, out);
    return t;
}

/* The length of a comment at the beginning of blank space that ends its line; 0: there is none. */
static size_t length_of_remark(const char *blank) {
    const size_t start = strspn(blank, " \t");
    if (blank[start] != '/') return 0;
    const size_t length = start + piece_length(blank + start);
    return blank[length] == '\n' && !memchr(blank, '\n', length) ? length : 0;
}

static bool begins_block(const char *s) {
    return *s == '{' || !strncmp(s, "DPC_LOCAL(", strlen("DPC_LOCAL(")) ||
           !strncmp(s, "DPC_CHANGE(", strlen("DPC_CHANGE(")) || !strncmp(s, "DPC_BY_OWNER(", strlen("DPC_BY_OWNER("));
}

/* The comment behind a statement's line goes before the block that takes its place; how much of the next token's blank
 * space that was. */
static size_t add_remark(const emitter *e, text *out, size_t t) {
    const edit *x = edit_at(e, t);
    if (e->starts || !x->replacement || x->lead || x->after || x->last + 1 >= e->p->source->count) return 0;
    if (!begins_block(x->replacement) || !strchr(x->replacement, '\n') || edit_at(e, x->last)->after) return 0;
    const char *blank = e->p->source->tokens[x->last + 1].before;
    const size_t length = length_of_remark(blank), start = strspn(blank, " \t");
    size_t line = out->length;
    while (line > 0 && strchr(" \t", out->bytes[line - 1])) line--;
    if (length == 0 || line == 0 || out->bytes[line - 1] != '\n') return 0;
    const char *indent = arena_text(e->memory, out->bytes + line, out->length - line);
    text_add_bytes(out, blank + start, length - start);
    text_format(out, "\n%s", indent);
    return length;
}

static const char *emit_tokens(const emitter *e, arena *memory) {
    text out;
    size_t remark = 0;
    const token *at = NULL; /* the first of the statement under way */
    text_start(&out, memory);
    for (size_t t = 0; t < e->p->source->count;) {
        bool starts = e->starts && e->starts[t];
        if (starts) at = &e->p->source->tokens[t];
        const edit *x = edit_at(e, t);
        add_marked(e, &out, x->before, at);
        add_functions(e, &out, t, remark);
        if (starts) add_place(e, &out, at);
        add_marked(e, &out, x->lead, at);
        if (starts && x->lead) add_place(e, &out, at);
        remark = add_remark(e, &out, t);
        t = emit_outer_token(e, &out, t, at);
    }
    return text_of(&out);
}

/* What `change` makes of the text, which is forgotten. */
static const char *changed(emitter *e, arena **memory, const char *s,
                           const char *(*change)(emitter *e, arena *memory, const char *s)) {
    arena *fresh = arena_new();
    const char *made = change(e, fresh, s);
    arena_free(*memory);
    *memory = fresh;
    return made;
}

const char *emit_all(emitter *e) {
    arena *memory = arena_new();
    const char *s = emit_tokens(e, memory);
    s = changed(e, &memory, s, place_reductions);
    if (e->constants > 0) s = changed(e, &memory, s, drop_unused);
    if (e->bounds > 0) s = changed(e, &memory, s, with_variables_of_bounds);
    s = e->starts ? with_fresh_names(e, e->memory, s) : lay_out(e->memory, changed(e, &memory, s, with_fresh_names));
    arena_free(memory);
    arena_free(e->passing);
    return s;
}

static bool is_directive(const emitter *e, const node *n) {
    return e->p->source->tokens[n->first].in_directive;
}

/* Directives stand at the margin: what they become is indented like their neighbours. */
static const char *directive_indentation(const emitter *e, const node *n) {
    const node *block = n->parent;
    for (size_t c = 0; block->kind == N_COMPOUND && c < block->count; c++)
        if (!is_directive(e, block->child[c])) return indentation(e, block->child[c]);
    return block->kind == N_UNIT ? "" : deeper(e, indentation(e, block));
}

/* The first token of the line in which t stands. */
static token_index first_of_line(const emitter *e, token_index t) {
    size_t low = 0, high = e->lines;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(e->line[middle] <= t ? &low : &high) = middle;
    }
    return e->line[low];
}

bool begins_line(const emitter *e, const node *n) {
    return first_of_line(e, n->first) == n->first;
}

const char *indentation(const emitter *e, const node *n) {
    if (is_directive(e, n) && n->parent) return directive_indentation(e, n);
    const char *before = e->p->source->tokens[first_of_line(e, n->first)].before, *line = strrchr(before, '\n');
    line = line ? line + 1 : before;
    return arena_text(e->memory, line, strspn(line, " \t"));
}

const char *place_literal(const emitter *e, const node *n) {
    const char *place = escaped(e, place_of(e->p, n));
    const token *at = &e->p->source->tokens[n->first];
    if (e->p->check_all) return arena_format(e->memory, "\"%s:%d\"", place, at->column);
    if (!e->serial && !strcmp(at->file, e->p->source->path)) return arena_format(e->memory, "DPC_LINE(%d)", at->line);
    return arena_format(e->memory, "\"%s\"", place);
}

/* The end of the arguments that begin at s, on one line; s itself where there are none, NULL where they go on. */
static const char *end_of_arguments(const char *s) {
    const char *at = s + strspn(s, " ");
    int depth = 0;
    if (*at != '(') return s;
    for (; *at; at += piece_length(at)) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return at + 1;
    }
    return NULL;
}

static bool is_balanced(const char *s) {
    int depth = 0;
    for (; *s && depth >= 0; s += piece_length(s)) depth += (*s == '(') - (*s == ')');
    return depth == 0;
}

/* The use of a macro that tokens first..last came from, as the user wrote it: an argument has its own place, the rest
 * the place of the name. NULL: others came from it too, or it does not stand on one line. */
static const char *written_use(const emitter *e, size_t first, size_t last) {
    const token *t = e->p->source->tokens;
    const token *at = &t[first], *next = &t[last + 1];
    const char *line = source_line(at->file, at->line);
    if (!line || t[last + 1].from_macro || (first > 0 && t[first - 1].from_macro)) return NULL;
    for (size_t k = first; k <= last; k++) {
        if (t[k].line != at->line || strcmp(t[k].file, at->file) != 0) return NULL;
        if (t[k].column < at->column) at = &t[k];
    }
    if (strlen(line) < (size_t)(at->column - 1 + at->width)) return NULL;
    const char *name = line + at->column - 1;
    const char *end = next->line == at->line ? line + next->column - 1 : end_of_arguments(name + at->width);
    while (end && end > name && end[-1] == ' ') end--;
    const char *use = end && end > name ? arena_text(e->memory, name, (size_t)(end - name)) : "(";
    return is_balanced(use) ? use : NULL;
}

/* The text of the tokens, macros as they were used. */
static const char *written(const emitter *e, const node *n) {
    const token *t = e->p->source->tokens;
    text out;
    text_start(&out, e->memory);
    for (size_t k = n->first, last; k <= n->last; k = last + 1) {
        last = k;
        while (t[k].from_macro && last < n->last && t[last + 1].from_macro) last++;
        const char *use = t[k].from_macro ? written_use(e, k, last) : NULL;
        const macro_use *inner = use || !t[k].from_macro ? NULL : use_at(e->p->source, k, n->last);
        if (k > n->first && *t[k].before && *t[k].text) text_add(&out, " ");
        text_add(&out, use ? use : inner ? inner->name : t[k].text);
        if (!use) last = inner ? inner->last : k;
    }
    return text_of(&out);
}

/* Strings may hold the marks of comments: they are taken apart. */
const char *quote(const emitter *e, const node *n) {
    text out;
    text_start(&out, e->memory);
    for (const char *s = written(e, n); *s; s++) {
        text_add_bytes(&out, s, 1);
        if ((s[0] == '*' && s[1] == '/') || (s[0] == '/' && s[1] == '*')) text_add(&out, " ");
    }
    return text_of(&out);
}

const char *parenthesise(const emitter *e, const char *s) {
    return operand(e->memory, s);
}

const char *deeper(const emitter *e, const char *indent) {
    return arena_format(e->memory, "%s    ", indent);
}

const char *trimmed(emitter *e, const char *s, const char *indent) {
    size_t skip = strlen(indent), length = strlen(s);
    if (strncmp(s, indent, skip) == 0) {
        s += skip;
        length -= skip;
    }
    while (length > 0 && s[length - 1] == '\n') length--;
    return arena_text(e->memory, s, length);
}
