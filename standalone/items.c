/* Cuts a source of the library into what stands at file scope, and says which names each item defines and uses. */
#include <string.h>

#include "library.h"

typedef struct {
    library *library;
    module *module;
    const pp_token *token;
    size_t count, at;
    const char *comment;      /* above what comes next, or above the declarations around */
    bool apart;               /* a blank line stands before what comes next */
    const char *last_comment; /* above the declaration before */
    bool after_prototype;     /* which is one */
} cutter;

static arena *memory_of(const cutter *c) {
    return c->library->memory;
}

static const char *spelled(const cutter *c, const pp_token *t) {
    return arena_text(memory_of(c), t->text, t->length);
}

static bool is_at(const cutter *c, size_t at, const char *spelling) {
    return at < c->count && pp_is(&c->token[at], spelling);
}

/* The next token from `at` on that is not blank; behind `step` -1 the one before. */
static size_t significant(const cutter *c, size_t at, int step) {
    while (at < c->count && pp_is_blank(&c->token[at])) at += (size_t)step;
    return at;
}

static bool begins_line(const cutter *c, size_t at) {
    while (at > 0 && c->token[at - 1].kind == PP_BLANK) at--;
    return at == 0 || c->token[at - 1].kind == PP_NEWLINE;
}

static bool is_directive(const cutter *c, size_t at) {
    return is_at(c, at, "#") && begins_line(c, at);
}

static size_t end_of_line(const cutter *c, size_t at) {
    while (at < c->count && c->token[at].kind != PP_NEWLINE) at++;
    return at;
}

static size_t behind_bracket(const cutter *c, size_t at) {
    int depth = 0;
    for (; at < c->count; at++) {
        if (is_at(c, at, "(") || is_at(c, at, "{") || is_at(c, at, "[")) depth++;
        if (is_at(c, at, ")") || is_at(c, at, "}") || is_at(c, at, "]")) depth--;
        if (depth == 0) return at + 1;
    }
    return at;
}

/* ---- What an item defines and uses */

static void add_definition(cutter *c, item *i, const char *name) {
    vector_add(memory_of(c), i->defines, i->define_count, i->define_room, name);
}

static bool is_keyword(const char *name) {
    static const char words[] =
        " static const extern inline struct union enum typedef void int long char double float unsigned signed short "
        "if else for while do return break continue switch case default sizeof bool volatile restrict __thread "
        "_Noreturn _Bool _Complex __int128 __attribute__ __inline__ goto register _Generic _Pragma _Alignas ";
    return is_listed(words, name);
}

/* Names, strings and pasted names between two tokens. */
static void note_uses(cutter *c, item *i, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        const pp_token *t = &c->token[k];
        if (t->kind == PP_QUOTED && t->length >= 2)
            vector_add(memory_of(c), i->quotes, i->quote_count, i->quote_room,
                       arena_text(memory_of(c), t->text + 1, t->length - 2));
        if (t->kind != PP_NAME && t->kind != PP_NUMBER) continue;
        if (k > from && (is_at(c, k - 1, ".") || is_at(c, k - 1, "->"))) continue;
        const char *name = spelled(c, t);
        if (!is_keyword(name)) vector_add(memory_of(c), i->uses, i->use_count, i->use_room, name);
    }
}

/* The parameters of the macro whose name stands at `name`, with blanks around each. */
static const char *parameters_at(cutter *c, size_t name) {
    text t;
    text_start(&t, memory_of(c));
    text_add(&t, " ");
    for (size_t k = name + 1; is_at(c, name + 1, "(") && k < c->count && !is_at(c, k, ")"); k++)
        if (c->token[k].kind == PP_NAME) text_format(&t, "%s ", spelled(c, &c->token[k]));
    return text_of(&t);
}

/* a ## b ## c, where one of them is the macro's parameter. */
static void note_pastes(cutter *c, item *i, size_t from, size_t to) {
    arena *a = memory_of(c);
    const char *parameters = parameters_at(c, from);
    for (size_t k = from; k + 1 < to; k++) {
        if (is_at(c, k, "define") && is_directive(c, k - 1)) parameters = parameters_at(c, significant(c, k + 1, 1));
        if (c->token[k].kind != PP_NAME || !is_at(c, k + 1, "##") || (k > from && is_at(c, k - 1, "##"))) continue;
        const char *first = spelled(c, &c->token[k]), *second = spelled(c, &c->token[k + 2]), *third = "";
        if (is_at(c, k + 3, "##")) third = spelled(c, &c->token[k + 4]);
        pasted p = {first, third};
        if (is_listed(parameters, first)) p = (pasted){"", arena_format(a, "%s%s", second, third)};
        vector_add(a, i->pastes, i->paste_count, i->paste_room, p);
    }
}

/* enum { A, B = 1 }: the opening brace stands at `at`. */
static void define_constants(cutter *c, item *i, size_t at) {
    const size_t end = behind_bracket(c, at);
    bool expected = true;
    for (size_t k = at + 1; k + 1 < end; k++) {
        if (is_directive(c, k)) k = end_of_line(c, k);
        if (is_at(c, k, "(")) k = behind_bracket(c, k) - 1;
        if (expected && c->token[k].kind == PP_NAME) add_definition(c, i, spelled(c, &c->token[k])), expected = false;
        if (is_at(c, k, ",") || c->token[k].kind == PP_NEWLINE) expected = true;
    }
}

/* Tags and constants of the types between two tokens. */
static void define_types(cutter *c, item *i, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        const bool enumeration = is_at(c, k, "enum");
        if (!enumeration && !is_at(c, k, "struct") && !is_at(c, k, "union")) continue;
        size_t tag = significant(c, k + 1, 1), open = tag;
        if (c->token[tag].kind == PP_NAME) open = significant(c, tag + 1, 1);
        const bool defined = is_at(c, open, "{");
        if (tag != open && (defined || is_at(c, open, ";"))) add_definition(c, i, spelled(c, &c->token[tag]));
        if (!defined) continue;
        if (enumeration)
            define_constants(c, i, open);
        else
            i->is_type = true;
    }
}

/* The declared name in front of, or within, the first brackets: f(...), (*f)(...); then the item is a function's. */
static bool define_function(cutter *c, item *i, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        if (is_at(c, k, "__attribute__") || is_at(c, k, "_Alignas") || is_at(c, k, "_Atomic")) {
            k = behind_bracket(c, significant(c, k + 1, 1)) - 1;
            continue;
        }
        if (is_at(c, k, "{") || is_at(c, k, "[") || is_at(c, k, "=")) return false;
        if (!is_at(c, k, "(")) continue;
        size_t name = significant(c, k + 1, 1);
        if (is_at(c, name, "*")) {
            add_definition(c, i, spelled(c, &c->token[significant(c, name + 1, 1)]));
            return false;
        }
        name = significant(c, k - 1, -1);
        add_definition(c, i, spelled(c, &c->token[name]));
        return true;
    }
    return false;
}

/* Names in front of = [ , ; outside of brackets. */
static void define_variables(cutter *c, item *i, size_t from, size_t to) {
    bool initialiser = false;
    for (size_t k = from; k < to; k++) {
        if (is_directive(c, k)) k = end_of_line(c, k);
        if (is_at(c, k, "(") || is_at(c, k, "{") || is_at(c, k, "[")) {
            k = behind_bracket(c, k) - 1;
            continue;
        }
        if (is_at(c, k, ",")) initialiser = false;
        size_t next = significant(c, k + 1, 1);
        if (is_at(c, next, "__attribute__")) next = behind_bracket(c, significant(c, next + 1, 1));
        next = significant(c, next, 1);
        if (c->token[k].kind == PP_NAME && !initialiser &&
            (is_at(c, next, "=") || is_at(c, next, "[") || is_at(c, next, ",") || is_at(c, next, ";")))
            add_definition(c, i, spelled(c, &c->token[k]));
        if (is_at(c, k, "=")) initialiser = true;
    }
}

/* ---- Items */

static item *add_item(cutter *c, item_kind kind, size_t from, size_t to) {
    arena *a = memory_of(c);
    module *m = c->module;
    item *i = arena_alloc(a, sizeof *i);
    const char *start = c->token[from].text, *end = c->token[to - 1].text + c->token[to - 1].length;
    *i = (item){.kind = kind, .module = m, .text = arena_text(a, start, (size_t)(end - start)), .apart = c->apart};
    i->comment = c->comment;
    vector_add(a, m->item, m->count, m->room, i);
    c->at = to;
    return i;
}

static bool is_static(const cutter *c, size_t from, size_t to) {
    for (size_t k = from; k < to && !is_at(c, k, "("); k++)
        if (is_at(c, k, "static") || is_at(c, k, "typedef") || is_at(c, k, "enum") ||
            ((is_at(c, k, "struct") || is_at(c, k, "union")) && k == from))
            return true;
    return false;
}

/* #define NAME ... and, where it is undefined later, all up to there. */
static size_t end_of_define(const cutter *c, size_t name) {
    size_t end = 0;
    for (size_t k = name + 1; k < c->count; k++) {
        if (!is_directive(c, k) || !is_at(c, k + 1, "undef")) continue;
        const pp_token *t = &c->token[significant(c, k + 2, 1)];
        if (t->length == c->token[name].length && !memcmp(t->text, c->token[name].text, t->length)) {
            end = end_of_line(c, k);
            break;
        }
    }
    return end;
}

static void cut_range(cutter *c, size_t end);

/* What stands inside of lines that belong together: their definitions are those of one item. */
static void merge_items(cutter *c, item *whole, size_t from, size_t to) {
    module *m = c->module;
    const size_t before = m->count;
    const cutter saved = *c;
    c->at = from;
    c->comment = NULL;
    cut_range(c, to);
    for (size_t k = before; k < m->count; k++) {
        const item *i = m->item[k];
        for (size_t n = 0; n < i->define_count; n++) add_definition(c, whole, i->defines[n]);
    }
    m->count = before;
    *c = saved;
}

static void cut_define(cutter *c) {
    const size_t from = c->at, name = significant(c, from + 2, 1), group = end_of_define(c, name);
    const size_t end = group ? group : end_of_line(c, from);
    if (c->comment == c->last_comment) c->comment = NULL;
    c->last_comment = c->comment;
    c->after_prototype = false;
    item *i = add_item(c, group ? ITEM_GENERATED : ITEM_DECLARATION, from, end);
    i->is_local = !c->module->header;
    note_uses(c, i, name + 1, end);
    note_pastes(c, i, name, end);
    if (group) {
        merge_items(c, i, end_of_line(c, from), end);
    } else {
        add_definition(c, i, spelled(c, &c->token[name]));
    }
}

static size_t end_of_conditional(const cutter *c, size_t at) {
    int depth = 0;
    for (; at < c->count; at++) {
        if (!is_directive(c, at)) continue;
        if (is_at(c, at + 1, "if") || is_at(c, at + 1, "ifdef") || is_at(c, at + 1, "ifndef")) depth++;
        if (is_at(c, at + 1, "endif") && --depth == 0) return end_of_line(c, at);
    }
    return at;
}

static void cut_conditional(cutter *c) {
    const size_t from = c->at, end = end_of_conditional(c, from);
    item *i = add_item(c, ITEM_DECLARATION, from, end);
    i->is_local = !c->module->header;
    note_uses(c, i, from, end);
    note_pastes(c, i, from, end);
    merge_items(c, i, end_of_line(c, from), end);
    if (!i->define_count && strstr(i->text, "#pragma")) i->kind = ITEM_PRAGMA;
    c->at = end;
}

static void cut_include(cutter *c) {
    arena *a = memory_of(c);
    const size_t from = c->at, end = end_of_line(c, from), name = significant(c, from + 2, 1);
    const pp_token *t = &c->token[name];
    c->at = end;
    if (t->kind == PP_QUOTED) {
        const char *path = library_path(a, c->module->path, arena_text(a, t->text + 1, t->length - 2));
        if (!strcmp(path, "interface.h")) return;
        item *i = add_item(c, ITEM_INCLUDE, from, end);
        i->included = library_module(c->library, path);
    } else {
        module *m = c->module;
        const char *start = t->text, *close = memchr(start, '>', 200);
        const char *header = arena_text(a, start, (size_t)(close + 1 - start));
        vector_add(a, m->systems, m->system_count, m->system_room, header);
    }
}

static void cut_directive(cutter *c) {
    const size_t word = c->at + 1, end = end_of_line(c, c->at);
    if (is_at(c, word, "include")) {
        cut_include(c);
    } else if (is_at(c, word, "define")) {
        cut_define(c);
    } else if (is_at(c, word, "if") || is_at(c, word, "ifdef") || is_at(c, word, "ifndef")) {
        cut_conditional(c);
    } else if (is_at(c, word, "undef")) {
        const size_t name = significant(c, word + 1, 1);
        item *i = add_item(c, ITEM_DECLARATION, c->at, end);
        i->is_local = !c->module->header;
        add_definition(c, i, spelled(c, &c->token[name]));
    } else if (is_at(c, word, "pragma")) {
        add_item(c, ITEM_PRAGMA, c->at, end);
    } else {
        c->at = end;
    }
}

/* COMBINE(add, x + y) on a line of its own. */
static size_t end_of_generated(const cutter *c) {
    if (c->token[c->at].kind != PP_NAME || !is_at(c, c->at + 1, "(") || is_at(c, c->at, "__attribute__")) return 0;
    const size_t end = behind_bracket(c, c->at + 1);
    return end == c->count || c->token[end].kind == PP_NEWLINE ? end : 0;
}

/* The end of the declaration or definition at c->at; whether it is a function's body. */
static size_t end_of_declaration(const cutter *c, bool *body) {
    bool initialiser = false;
    *body = false;
    for (size_t k = c->at; k < c->count; k++) {
        if (is_directive(c, k)) k = end_of_line(c, k);
        if (is_at(c, k, ";")) return k + 1;
        if (is_at(c, k, "=")) initialiser = true;
        *body = is_at(c, k, "{") && !initialiser && is_at(c, significant(c, k - 1, -1), ")");
        if (is_at(c, k, "(") || is_at(c, k, "{") || is_at(c, k, "[")) k = behind_bracket(c, k) - 1;
        if (*body) return k + 1;
    }
    return c->count;
}

/* With the comment behind it. */
static size_t with_comment(const cutter *c, size_t end) {
    size_t k = end;
    while (k < c->count && c->token[k].kind == PP_BLANK) k++;
    return k < c->count && c->token[k].kind == PP_COMMENT ? k + 1 : end;
}

static void cut_declaration(cutter *c) {
    const size_t from = c->at, generated = end_of_generated(c);
    bool body = false;
    const size_t end = generated ? generated : end_of_declaration(c, &body);
    item *i = add_item(c, ITEM_DECLARATION, from, with_comment(c, end));
    i->is_local = !c->module->header && (generated || is_static(c, from, end));
    note_uses(c, i, from, end);
    note_pastes(c, i, from, end);
    if (generated) {
        i->kind = ITEM_GENERATED;
        return;
    }
    const bool type = is_at(c, from, "typedef"), inherits = c->comment && c->comment == c->last_comment;
    if (!body) define_types(c, i, from, end);
    if (define_function(c, i, from, end) && !type)
        i->kind = body ? ITEM_FUNCTION : ITEM_PROTOTYPE;
    else if (!i->define_count || type || !i->is_type)
        define_variables(c, i, from, end);
    /* What stands above a prototype is said of those behind it, too. */
    if (inherits && !(c->after_prototype && i->kind == ITEM_PROTOTYPE)) i->comment = NULL;
    i->inherited = inherits;
    c->last_comment = c->comment;
    c->after_prototype = i->kind == ITEM_PROTOTYPE;
}

/* ---- Comments and blank lines between items */

static bool begins_section(const cutter *c, size_t comment) {
    return !strncmp(c->token[comment].text, "/* ----", strlen("/* ----"));
}

/* Blank lines and comments up to the next item.  A comment with a blank line behind it is an item if it begins a
 * section; else what it was said of has gone, as it has where another comment follows. */
static void cut_blank(cutter *c, size_t end) {
    int newlines = 0;
    size_t comment = 0, last = 0;
    bool found = false;
    for (; c->at < end && pp_is_blank(&c->token[c->at]); c->at++) {
        const pp_token *t = &c->token[c->at];
        if (t->kind == PP_NEWLINE && ++newlines == 2 && found) {
            const size_t next = c->at;
            c->comment = NULL;
            if (c->module->title) {
                if (begins_section(c, comment)) add_item(c, ITEM_SECTION, comment, last + 1);
            } else {
                c->module->title =
                    arena_text(memory_of(c), c->token[comment].text,
                               (size_t)(c->token[last].text + c->token[last].length - c->token[comment].text));
            }
            c->at = next;
            found = false;
        }
        if (t->kind == PP_NEWLINE && newlines >= 2) c->apart = true, c->comment = NULL;
        if (t->kind != PP_COMMENT) continue;
        if (!found || begins_line(c, c->at)) comment = c->at;
        found = true, last = c->at, newlines = 0;
    }
    if (!found) return;
    const char *start = c->token[comment].text;
    c->comment = arena_text(memory_of(c), start, (size_t)(c->token[last].text + c->token[last].length - start));
    if (!c->module->title) c->module->title = c->comment, c->comment = NULL;
}

static void cut_range(cutter *c, size_t end) {
    while (c->at < end) {
        c->apart = false;
        cut_blank(c, end);
        if (c->at >= end) break;
        if (is_directive(c, c->at))
            cut_directive(c);
        else
            cut_declaration(c);
    }
}

void cut_items(library *l, module *m, const char *content) {
    const pp_list list = pp_cut(l->memory, content, strlen(content), (position){m->path, 1, 1, 0});
    cutter c = {.library = l, .module = m, .token = list.items, .count = list.count};
    cut_range(&c, c.count);
}

module *library_module(library *l, const char *path) {
    module *m = names_at(&l->modules, path);
    if (m) return m;
    m = arena_alloc(l->memory, sizeof *m);
    *m = (module){.path = path, .header = path[strlen(path) - 1] == 'h'};
    names_put(l->memory, &l->modules, path, m);
    const char *content = library_source(l, m);
    if (content) cut_items(l, m, content);
    vector_add(l->memory, l->module, l->count, l->room, m);
    return m;
}
