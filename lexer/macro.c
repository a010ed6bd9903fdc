/* Expands the user's macros (Prosser's algorithm, C11 6.10.3). */
#include "macro.h"

#include <string.h>

/* Limits against runaway expansion: tokens made for one use of a macro (the count goes to REPORTED when that has been
 * said), and nesting of arguments. */
enum { TOKEN_LIMIT = 500000, REPORTED = 1 << 30, DEPTH_LIMIT = 200 };

/* --- the table: open addressing over `all`; a slot holds an index + 1 */

struct macro_table {
    arena *memory;
    macro **all;
    size_t count, all_capacity;
    size_t *slots, capacity;
};

macro_table *macros_new(arena *a) {
    macro_table *t = arena_alloc(a, sizeof *t);
    t->memory = a;
    t->capacity = 1024;
    t->slots = arena_alloc(a, t->capacity * sizeof *t->slots);
    return t;
}

static size_t *macro_slot(const macro_table *t, const char *name, size_t length) {
    size_t hash = 14695981039346656037U;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 1099511628211U;
    for (size_t i = hash & (t->capacity - 1);; i = (i + 1) & (t->capacity - 1)) {
        size_t index = t->slots[i];
        if (!index) return &t->slots[i];
        const macro *m = t->all[index - 1];
        if (m->name_length == length && memcmp(m->name, name, length) == 0) return &t->slots[i];
    }
}

static void table_grow(macro_table *t) {
    t->capacity *= 2;
    t->slots = arena_alloc(t->memory, t->capacity * sizeof *t->slots);
    for (size_t i = 0; i < t->count; i++) *macro_slot(t, t->all[i]->name, t->all[i]->name_length) = i + 1;
}

macro *macros_define(macro_table *t, const char *definition, size_t length, bool system) {
    pp_reader r = {definition, definition + length, NULL, 1, 1};
    pp_token name = pp_next(&r);
    while (pp_is_blank(&name)) name = pp_next(&r);
    if (name.kind != PP_NAME) return NULL;
    size_t *slot = macro_slot(t, name.text, name.length);
    if (!*slot) {
        vector_add(t->memory, t->all, t->count, t->all_capacity, arena_alloc(t->memory, sizeof(macro)));
        *slot = t->count;
    }
    macro *m = t->all[*slot - 1];
    *m = (macro){
        .name = name.text, .name_length = name.length, .definition = name.text, .defined = true, .system = system};
    m->definition_length = (size_t)(definition + length - name.text);
    if (2 * t->count > t->capacity) table_grow(t);
    return m;
}

macro *macros_find(const macro_table *t, const char *name, size_t length) {
    size_t index = *macro_slot(t, name, length);
    return index && t->all[index - 1]->defined ? t->all[index - 1] : NULL;
}

const macro *macros_find_ever(const macro_table *t, const char *name, size_t length) {
    const size_t index = *macro_slot(t, name, length);
    return index ? t->all[index - 1] : NULL;
}

macro *macros_at(const macro_table *t, size_t index) {
    return t->all[index];
}

size_t macros_count(const macro_table *t) {
    return t->count;
}

/* --- parsing a definition */

/* Appends tokens[from..] without blank space, which becomes space_before. */
static void add_dense(arena *a, pp_list *to, const pp_list *tokens, size_t from) {
    bool space = false;
    for (size_t i = from; i < tokens->count; i++) {
        pp_token t = tokens->items[i];
        if (pp_is_blank(&t)) {
            space = true;
            continue;
        }
        t.space_before = space && to->count > 0;
        space = false;
        vector_add(a, to->items, to->count, to->capacity, t);
    }
}

/* Reads `(a, b, ...)` from tokens[1]; returns the index after it. */
static size_t parse_parameters(arena *a, macro *m, const pp_list *tokens) {
    pp_list parameters = {0};
    size_t i = 2;
    for (; i < tokens->count && !pp_is(&tokens->items[i], ")"); i++) {
        pp_token t = tokens->items[i];
        if (pp_is(&t, "...")) {
            m->variadic = true;
            bool named = parameters.count > 0 && i > 0 && !pp_is(&tokens->items[i - 1], ",") &&
                         !pp_is_blank(&tokens->items[i - 1]);
            if (named) continue;
            t.text = "__VA_ARGS__";
            t.length = strlen(t.text);
            t.kind = PP_NAME;
        }
        if (t.kind == PP_NAME) vector_add(a, parameters.items, parameters.count, parameters.capacity, t);
    }
    m->parameters = parameters.items;
    m->parameter_count = parameters.count;
    return i + 1;
}

/* A macro that is spelled as operators only (iso646.h). */
static bool is_operator(const macro *m) {
    for (size_t i = 0; i < m->body.count; i++)
        if (m->body.items[i].kind != PP_PUNCTUATOR) return false;
    return m->body.count > 0 && !m->function_like;
}

/* Words that begin what isn't an expression. */
static bool starts_otherwise(const pp_token *t) {
    static const char *const starts[] = {
        "for",         "while",      "if",     "switch",  "return",   "goto",     "case",       "default",
        "struct",      "union",      "enum",   "typedef", "extern",   "static",   "register",   "inline",
        "__inline",    "__inline__", "const",  "__const", "volatile", "restrict", "__restrict", "__attribute__",
        "__attribute", "__asm__",    "_Pragma"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (pp_is(t, starts[i])) return true;
    return false;
}

/* A system macro whose text is empty or begins like a declaration, an attribute or a statement, or that is its
 * argument. */
static bool starts_statement(const macro_table *t, const macro *m, int depth) {
    if (!m->body.count) return true;
    const pp_token *first = &m->body.items[0];
    bool is_argument = m->body.count == 1 && m->parameter_count == 1 && pp_is(first, "__VA_ARGS__");
    if (m->body.count == 1 && m->parameter_count == 1 && first->length == m->parameters[0].length)
        is_argument = memcmp(first->text, m->parameters[0].text, first->length) == 0;
    if (first->kind != PP_NAME || is_argument || starts_otherwise(first)) return first->kind == PP_NAME;
    macro *inner = macros_find(t, first->text, first->length);
    if (!inner || inner == m || !inner->system || depth > 4) return false;
    macro_parse(t, inner);
    return inner->function_like == (m->body.count > 1 && pp_is(&m->body.items[1], "(")) && inner->statement_like;
}

void macro_parse(const macro_table *t, macro *m) {
    if (m->parsed) return;
    m->parsed = true;
    pp_list tokens = pp_cut(t->memory, m->definition, m->definition_length, (position){NULL, 1, 1, 0});
    size_t start = 1;
    m->function_like = tokens.count > 1 && pp_is(&tokens.items[1], "(");
    if (m->function_like) start = parse_parameters(t->memory, m, &tokens);
    add_dense(t->memory, &m->body, &tokens, start);
    m->statement_like = m->system && (is_operator(m) || starts_statement(t, m, 0));
}

/* --- hide sets */

static bool is_hidden(const hidden *set, const macro *m) {
    for (; set; set = set->next)
        if (set->macro == m) return true;
    return false;
}

static hidden *hide(arena *a, hidden *set, const macro *m) {
    if (is_hidden(set, m)) return set;
    hidden *larger = arena_alloc(a, sizeof *larger);
    *larger = (hidden){m, set};
    return larger;
}

static hidden *hidden_union(arena *a, hidden *x, hidden *y) {
    if (!x) return y;
    for (; y; y = y->next) x = hide(a, x, y->macro);
    return x;
}

static hidden *hidden_intersection(arena *a, const hidden *x, const hidden *y) {
    hidden *both = NULL;
    for (; x; x = x->next)
        if (is_hidden(y, x->macro)) both = hide(a, both, x->macro);
    return both;
}

/* --- arguments */

/* An argument as it was written, and, when it has been needed, fully expanded. */
typedef struct {
    pp_list raw, expanded;
    bool is_expanded;
} argument;

static void push(expander *e, pp_token t) {
    vector_add(e->memory, e->pending.items, e->pending.count, e->pending.capacity, t);
}

/* Executes or puts aside a directive that stands among a macro's arguments. */
static void defer(expander *e, const pp_token *t) {
    macro *m;
    if (t->kind == PP_DEFINE) {
        macros_define(e->macros, t->text, t->length, t->system);
    } else if (t->kind == PP_UNDEF) {
        if ((m = macros_find(e->macros, t->text, t->length))) m->defined = false;
    } else {
        vector_add(e->memory, e->deferred.items, e->deferred.count, e->deferred.capacity, *t);
    }
}

/* The next unexpanded token of the expansion or else of the base, blank space folded into space_before. */
static pp_token raw_next(expander *e) {
    if (e->pending.count) return e->pending.items[--e->pending.count];
    bool space = false;
    while (e->cursor < e->base_count) {
        pp_token t = e->base[e->cursor++];
        if (t.kind >= PP_DEFINE) {
            defer(e, &t);
        } else if (pp_is_blank(&t)) {
            space = true;
        } else {
            if (!t.where.width) t.where.width = (int)t.length;
            t.space_before = t.space_before || space;
            return t;
        }
    }
    return (pp_token){.kind = PP_END};
}

/* Is the next token a parenthesis?  Takes nothing. */
static bool parenthesis_follows(const expander *e) {
    size_t count = e->pending.count;
    while (count && pp_is_mark(&e->pending.items[count - 1])) count--;
    if (count) return pp_is(&e->pending.items[count - 1], "(");
    for (size_t i = e->cursor; i < e->base_count; i++)
        if (!pp_is_blank(&e->base[i])) return e->base[i].kind < PP_DEFINE && pp_is(&e->base[i], "(");
    return false;
}

typedef struct {
    argument *items;
    size_t count, capacity;
} argument_list;

/* Collects the arguments of m after its name; *close receives the closing parenthesis.  False at the end of the text.
 */
static bool collect_arguments(expander *e, const macro *m, argument_list *list, pp_token *close) {
    pp_token t = raw_next(e);
    while (pp_is_mark(&t)) t = raw_next(e);
    int depth = 1;
    argument current = {0};
    for (t = raw_next(e); t.kind != PP_END; t = raw_next(e)) {
        if (pp_is(&t, "(")) depth++;
        if (pp_is(&t, ")") && --depth == 0) break;
        bool rest = m->variadic && list->count + 1 >= m->parameter_count;
        if (depth == 1 && pp_is(&t, ",") && !rest) {
            vector_add(e->memory, list->items, list->count, list->capacity, current);
            current = (argument){0};
        } else {
            vector_add(e->memory, current.raw.items, current.raw.count, current.raw.capacity, t);
        }
    }
    *close = t;
    bool nothing = m->parameter_count == 0 && list->count == 0 && current.raw.count == 0;
    if (!nothing) vector_add(e->memory, list->items, list->count, list->capacity, current);
    return t.kind != PP_END;
}

static pp_list expand_list(const expander *e, const pp_list *tokens, bool system_too) {
    expander inner = {.memory = e->memory,
                      .macros = e->macros,
                      .system_too = system_too,
                      .depth = e->depth + 1,
                      .spent = e->spent,
                      .counter = e->counter,
                      .uses = e->uses};
    pp_list result = {0};
    for (size_t i = tokens->count; i-- > 0;) push(&inner, tokens->items[i]);
    for (pp_token t = macro_next(&inner); t.kind != PP_END && *e->spent <= TOKEN_LIMIT; t = macro_next(&inner))
        vector_add(e->memory, result.items, result.count, result.capacity, t);
    return result;
}

static const pp_list *expanded_argument(const expander *e, argument *a) {
    if (!a->is_expanded) {
        a->is_expanded = true;
        a->expanded = e->depth > DEPTH_LIMIT ? a->raw : expand_list(e, &a->raw, e->system_too);
    }
    return &a->expanded;
}

static pp_list without_marks(const expander *e, const pp_list *tokens) {
    pp_list kept = {0};
    for (size_t i = 0; i < tokens->count; i++)
        if (!pp_is_mark(&tokens->items[i]))
            vector_add(e->memory, kept.items, kept.count, kept.capacity, tokens->items[i]);
    return kept;
}

/* An operand of # or ##.  Where it came out of another macro's expanded argument, system macros in it are expanded now:
 * the C compiler would have done so before (XSTR(INT_MAX)), and can't any more. */
static pp_list pasted_operand(const expander *e, const argument *a) {
    const pp_list raw = without_marks(e, &a->raw);
    bool prescanned = raw.count > 0;
    for (size_t i = 0; i < raw.count; i++) prescanned = prescanned && raw.items[i].prescanned;
    if (!prescanned || e->system_too || e->depth > DEPTH_LIMIT) return raw;
    const pp_list expanded = expand_list(e, &raw, true);
    return without_marks(e, &expanded);
}

/* --- substitution */

static int parameter_index(const macro *m, const pp_token *t) {
    if (t->kind != PP_NAME || !m->function_like) return -1;
    for (size_t i = 0; i < m->parameter_count; i++)
        if (m->parameters[i].length == t->length && memcmp(m->parameters[i].text, t->text, t->length) == 0)
            return (int)i;
    return -1;
}

static void quote_token(text *out, const pp_token *t) {
    for (size_t i = 0; i < t->length; i++) {
        if (t->text[i] == '\\' && i + 1 < t->length && t->text[i + 1] == '\n') {
            i++;
            continue;
        }
        if (t->kind == PP_QUOTED && (t->text[i] == '"' || t->text[i] == '\\')) text_add(out, "\\");
        text_add_bytes(out, t->text + i, 1);
    }
}

/* #parameter */
static pp_token stringize(const expander *e, const argument *a, const pp_token *hash) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, "\"");
    pp_list tokens = pasted_operand(e, a);
    for (size_t i = 0; i < tokens.count; i++) {
        if (i && tokens.items[i].space_before) text_add(&out, " ");
        quote_token(&out, &tokens.items[i]);
    }
    text_add(&out, "\"");
    return (pp_token){.kind = PP_QUOTED,
                      .text = text_of(&out),
                      .length = out.length,
                      .where = hash->where,
                      .space_before = hash->space_before};
}

static void add(const expander *e, pp_list *to, pp_token t) {
    if (++*e->spent > TOKEN_LIMIT) return;
    vector_add(e->memory, to->items, to->count, to->capacity, t);
}

/* Joins `right` to the last token of `out`; where the two don't form one token they stay two. */
static void paste(const expander *e, pp_list *out, pp_token right) {
    pp_token *left = out->count ? &out->items[out->count - 1] : NULL;
    if (!left || right.kind == PP_PLACE) {
        if (!left) add(e, out, right);
    } else if (left->kind == PP_PLACE) {
        right.space_before = left->space_before;
        *left = right;
    } else {
        char *joined = arena_alloc(e->memory, left->length + right.length + 1);
        memcpy(joined, left->text, left->length);
        memcpy(joined + left->length, right.text, right.length);
        pp_reader r = {joined, joined + left->length + right.length, NULL, 1, 1};
        pp_token whole = pp_next(&r);
        if (r.at != r.end) {
            right.space_before = false;
            add(e, out, right);
            return;
        }
        left->kind = whole.kind;
        left->text = joined;
        left->length = whole.length;
        left->hide = hidden_intersection(e->memory, left->hide, right.hide);
    }
}

static void add_list(const expander *e, pp_list *to, const pp_list *tokens, const pp_token *in_place_of) {
    bool first = true;
    for (size_t i = 0; i < tokens->count; i++) {
        pp_token t = tokens->items[i];
        if (first) t.space_before = in_place_of->space_before;
        first = first && pp_is_mark(&t);
        add(e, to, t);
    }
}

/* The operand on the right of ##, pasted to what is there. */
static void paste_operand(const expander *e, pp_list *out, const pp_list *tokens) {
    paste(e, out, tokens->count ? tokens->items[0] : (pp_token){.kind = PP_PLACE});
    for (size_t i = 1; i < tokens->count; i++) add(e, out, tokens->items[i]);
}

/* `, ## __VA_ARGS__` (GNU): the comma goes when there are no variable arguments. */
static bool is_comma_paste(const macro *m, const pp_list *out, int parameter) {
    return m->variadic && parameter == (int)m->parameter_count - 1 && out->count &&
           pp_is(&out->items[out->count - 1], ",");
}

static void paste_next(const expander *e, const macro *m, argument *arguments, const pp_token *next, pp_list *out) {
    int parameter = parameter_index(m, next);
    if (parameter < 0) {
        paste(e, out, *next);
    } else if (is_comma_paste(m, out, parameter)) {
        if (arguments[parameter].raw.count)
            add_list(e, out, &arguments[parameter].raw, next);
        else
            out->count--;
    } else {
        pp_list tokens = pasted_operand(e, &arguments[parameter]);
        paste_operand(e, out, &tokens);
    }
}

static void add_expanded(const expander *e, argument *a, const pp_token *in_place_of, pp_list *out) {
    pp_list tokens = *expanded_argument(e, a);
    size_t start = out->count;
    add_list(e, out, &tokens, in_place_of);
    for (size_t i = start; i < out->count; i++) out->items[i].prescanned = true;
}

static void add_raw(const expander *e, const argument *a, const pp_token *in_place_of, pp_list *out) {
    pp_list tokens = pasted_operand(e, a);
    if (tokens.count)
        add_list(e, out, &tokens, in_place_of);
    else
        add(e, out, (pp_token){.kind = PP_PLACE, .space_before = in_place_of->space_before});
}

/* The end of the parenthesis that opens at body[i] (its index, or the end of the body). */
static size_t closing(const macro *m, size_t i) {
    int depth = 0;
    for (; i < m->body.count; i++) {
        if (pp_is(&m->body.items[i], "(")) depth++;
        if (pp_is(&m->body.items[i], ")") && --depth == 0) break;
    }
    return i;
}

/* Replaces the parameters in body[from .. to-1]. */
static void substitute(const expander *e, const macro *m, argument *arguments, size_t from, size_t to, position where,
                       pp_list *out) {
    for (size_t i = from; i < to; i++) {
        pp_token t = m->body.items[i], next = i + 1 < to ? m->body.items[i + 1] : (pp_token){.kind = PP_END};
        t.where = next.where = where;
        int parameter = parameter_index(m, &t), next_parameter = parameter_index(m, &next);
        if (pp_is(&t, "#") && m->function_like && next_parameter >= 0) {
            add(e, out, stringize(e, &arguments[next_parameter], &t));
            i++;
        } else if (pp_is(&t, "##") && i > from && i + 1 < to) {
            paste_next(e, m, arguments, &next, out);
            i++;
        } else if (m->variadic && pp_is(&t, "__VA_OPT__") && pp_is(&next, "(")) {
            size_t close = closing(m, i + 1);
            if (arguments[m->parameter_count - 1].raw.count)
                substitute(e, m, arguments, i + 2, close < to ? close : to, where, out);
            i = close;
        } else if (parameter >= 0 && pp_is(&next, "##")) {
            add_raw(e, &arguments[parameter], &t, out);
        } else if (parameter >= 0) {
            add_expanded(e, &arguments[parameter], &t, out);
        } else {
            add(e, out, t);
        }
    }
}

/* --- expansion */

static bool arguments_fit(expander *e, const macro *m, argument_list *list, const pp_token *name) {
    if (m->variadic && list->count + 1 == m->parameter_count)
        vector_add(e->memory, list->items, list->count, list->capacity, (argument){0});
    if (list->count == m->parameter_count) return true;
    position where = name->where;
    where.width = (int)name->length;
    diagnose_place(where, D_macro_arguments, arena_text(e->memory, m->name, m->name_length), m->parameter_count,
                   list->count);
    return false;
}

/* Puts the replacement before what is still to be read. */
static void push_replacement(expander *e, const pp_list *out, const pp_token *name, hidden *hide_set) {
    bool first = true;
    size_t start = e->pending.count;
    for (size_t i = 0; i < out->count; i++) {
        pp_token t = out->items[i];
        if (t.kind == PP_PLACE) continue;
        if (first) t.space_before = name->space_before;
        first = first && pp_is_mark(&t);
        t.hide = hidden_union(e->memory, t.hide, hide_set);
        push(e, t);
    }
    if (start == e->pending.count) return;
    pp_token *left = e->pending.items + start, *right = e->pending.items + e->pending.count;
    while (left < --right) {
        pp_token swap = *left;
        *left++ = *right;
        *right = swap;
    }
}

static position position_of(const pp_token *name) {
    position where = name->where;
    if (!where.width) where.width = (int)name->length;
    return where;
}

static bool expand_macro(expander *e, macro *m, const pp_token *name) {
    argument_list arguments = {0};
    hidden *hide_set = name->hide;
    size_t cursor = e->cursor, pending = e->pending.count;
    if (m->function_like) {
        pp_token close;
        if (!parenthesis_follows(e)) return false;
        if (!collect_arguments(e, m, &arguments, &close) || !arguments_fit(e, m, &arguments, name)) {
            e->cursor = cursor;
            e->pending.count = pending;
            return false;
        }
        hide_set = hidden_intersection(e->memory, name->hide, close.hide);
    }
    pp_list out = {0};
    const size_t use = m->stays ? ++*e->uses : 0;
    if (use) add(e, &out, (pp_token){.kind = PP_USE, .text = m->name, .length = m->name_length, .number = use});
    substitute(e, m, arguments.items, 0, m->body.count, position_of(name), &out);
    if (use) add(e, &out, (pp_token){.kind = PP_USED, .number = use});
    push_replacement(e, &out, name, hide(e->memory, hide_set, m));
    return true;
}

/* A file's name as a string. */
static const char *quoted_name(arena *a, const char *name) {
    text out;
    text_start(&out, a);
    text_add(&out, "\"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') text_add(&out, "\\");
        text_add_bytes(&out, name, 1);
    }
    text_add(&out, "\"");
    return text_of(&out);
}

/* __LINE__, __FILE__ and __COUNTER__, which must be the user's. */
static bool expand_builtin(expander *e, const pp_token *name) {
    pp_token t = {.where = position_of(name), .space_before = name->space_before};
    if (pp_is(name, "__LINE__")) {
        t.kind = PP_NUMBER;
        t.text = arena_format(e->memory, "%d", name->where.line);
    } else if (pp_is(name, "__COUNTER__")) {
        t.kind = PP_NUMBER;
        t.text = arena_format(e->memory, "%d", (*e->counter)++);
    } else if (pp_is(name, "__FILE__")) {
        t.kind = PP_QUOTED;
        t.text = quoted_name(e->memory, name->where.file ? name->where.file : "");
    } else {
        return false;
    }
    t.length = strlen(t.text);
    push(e, t);
    return true;
}

static bool expand(expander *e, const pp_token *name) {
    if (*e->spent > TOKEN_LIMIT) return false;
    macro *m = macros_find(e->macros, name->text, name->length);
    if (!m) return name->text[0] == '_' && expand_builtin(e, name);
    if (is_hidden(name->hide, m)) return false;
    macro_parse(e->macros, m);
    if (m->system && !e->system_too && !m->statement_like) return false;
    bool done = expand_macro(e, m, name);
    if (*e->spent > TOKEN_LIMIT && *e->spent < REPORTED) {
        diagnose_place(position_of(name), D_macro_size, arena_text(e->memory, m->name, m->name_length));
        *e->spent = REPORTED;
    }
    return done;
}

pp_token macro_next(expander *e) {
    for (;;) {
        pp_token t = {.kind = PP_END};
        if (e->deferred.count) {
            t = e->deferred.items[0];
            memmove(e->deferred.items, e->deferred.items + 1, --e->deferred.count * sizeof t);
            return t;
        }
        if (e->pending.count) {
            t = e->pending.items[--e->pending.count];
        } else if (e->cursor < e->base_count) {
            t = e->base[e->cursor++];
        }
        if (t.kind != PP_NAME) return t;
        if (!expand(e, &t)) return t;
    }
}
