/* The C text of expressions in linear forms, which codegen does not rewrite: what the source says, with the names of
 * what is evaluated beforehand, and with subscripts and sizes as the generated program has them. */
#include <ctype.h>
#include <string.h>

#include "analysis.h"

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool mentions_word(const char *s, const char *name) {
    const size_t length = strlen(name);
    char before = ' ';
    for (; *s; before = *s++)
        if (!in_word(before) && !strncmp(s, name, length) && !in_word(s[length])) return true;
    return false;
}

bool may_vary(const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_INDEX || n->kind == N_MEMBER || n->kind == N_CALL || n->kind == N_UNARY) return true;
    if (s && s->kind == SYMBOL_VARIABLE && (s->assignments > 0 || (s->file_scope && !s->is_static))) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_vary(n->child[c])) return true;
    return false;
}

const char *lower_bound_text(arena *a, const source *s, const node *base, int d) {
    const symbol *x = base->symbol;
    const type *t = x ? x->type : base->type;
    for (int k = 0; t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && k < d; k++) t = t->of;
    if (!t || t->kind != TYPE_ARRAY || !t->array->child[1]) return NULL;
    int64_t value;
    if (constant_value(t->array->child[1], &value) && value == 0) return NULL;
    if (x && !x->array && x->lower_name && x->lower_name[d]) return x->lower_name[d];
    linear lower = x && x->array ? x->array->lower[d] : linear_of(a, s, t->array->child[1]);
    return linear_operand(a, &lower);
}

/* An element of an array with lower bounds; NULL: n is none. */
static const char *shifted_text(arena *a, const source *s, const node *n) {
    node *base, *subscripts[MAX_RANK];
    int count;
    bool shifted = false;
    if (!index_chain((node *)n, &base, subscripts, &count)) return NULL;
    for (int d = 0; d < count; d++) shifted = shifted || lower_bound_text(a, s, base, d);
    if (!shifted) return NULL;
    text out;
    text_start(&out, a);
    text_add(&out, base->kind == N_NAME ? base->name : operand(a, spelling(a, s, base)));
    for (int d = 0; d < count; d++) {
        const char *lower = lower_bound_text(a, s, base, d), *at = spelling(a, s, subscripts[d]);
        if (lower)
            text_format(&out, "[%s - %s]", operand(a, at), lower);
        else
            text_format(&out, "[%s]", at);
    }
    return text_of(&out);
}

static const char *size_of_array(arena *a, const array *x, int subscripts) {
    const char *size = arena_format(a, "sizeof(%s)", element_spelling(x->element));
    if (subscripts == x->rank) return size;
    for (int d = subscripts; d < x->rank; d++) {
        const linear extent = linear_add(a, linear_subtract(a, x->upper[d], x->lower[d]), linear_constant(1));
        size = arena_format(a, "(size_t)%s * %s", linear_operand(a, &extent), size);
    }
    return arena_format(a, "(%s)", size);
}

const char *distributed_size(arena *a, const node *n) {
    node *operand = n->child[0]->kind == N_TYPE_NAME ? n->child[0] : inside_parentheses(n->child[0]);
    node *name = operand, *subscripts[MAX_RANK];
    int count = 0;
    if (operand->kind == N_INDEX && !index_chain(operand, &name, subscripts, &count)) return NULL;
    if (name->kind == N_UNARY && !strcmp(name->op, "*")) {
        name = inside_parentheses(name->child[0]);
        count = 1;
    }
    const array *x = name->kind == N_NAME && name->symbol ? name->symbol->array : NULL;
    if (!x) return NULL;
    return strcmp(n->op, "sizeof") != 0 ? arena_format(a, "_Alignof(%s)", element_spelling(x->element))
                                        : size_of_array(a, x, count);
}

/* Of an expression that was put together by the analysis; NULL: n is none. */
static const char *made_spelling(arena *a, const source *s, const node *n) {
    if (n->kind == N_CONSTANT) return n->name;
    if (n->kind == N_PAREN) return operand(a, spelling(a, s, n->child[0]));
    if (n->kind == N_CAST)
        return arena_format(a, "(%s)%s", element_spelling(n->type->element), operand(a, spelling(a, s, n->child[1])));
    if (n->kind != N_BINARY) return NULL;
    return arena_format(a, "(%s %s %s)", operand(a, spelling(a, s, n->child[0])), n->op,
                        operand(a, spelling(a, s, n->child[1])));
}

/* What stands in the generated program in place of all of n; NULL: what the source has. */
static const char *other_text(arena *a, const source *s, const node *n) {
    if (n->made && !n->replacement) return made_spelling(a, s, n);
    if (n->replacement) return n->replacement;
    if (n->kind == N_NAME) return moved_index(a, n) ? moved_index(a, n) : n->symbol ? n->symbol->spelling : NULL;
    if (n->kind == N_INDEX) return shifted_text(a, s, n);
    return n->kind == N_SIZEOF ? distributed_size(a, n) : NULL;
}

/* The largest part of n that starts with token t and has another text, or NULL. */
static const node *changed_at(arena *a, const source *s, const node *n, size_t t, bool is_part, const char **other) {
    if (n->first == t && (*other = is_part ? converted_index(a, n) : NULL)) return n;
    if (n->first == t && (*other = other_text(a, s, n))) return n;
    for (size_t c = 0; c < n->count; c++) {
        const node *child = n->child[c];
        const bool inside = child && child->first <= t && t <= child->last;
        const node *found = inside ? changed_at(a, s, child, t, true, other) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* The use of a macro that begins with token t of n, none of whose tokens has another text; NULL: none. */
static const macro_use *whole_use(arena *a, const source *s, const node *n, size_t t) {
    const macro_use *use = s->tokens[t].from_macro ? use_at(s, t, n->last) : NULL;
    const char *other;
    for (size_t k = t + 1; use && k <= use->last; k++)
        if (changed_at(a, s, n, k, false, &other)) return NULL;
    return use;
}

const char *spelling(arena *a, const source *s, const node *n) {
    text out;
    text_start(&out, a);
    for (size_t t = n->first; t <= n->last; t++) {
        const char *other = NULL;
        const node *changed = changed_at(a, s, n, t, false, &other);
        const macro_use *use = changed ? NULL : whole_use(a, s, n, t);
        if (t > n->first && s->tokens[t].before[0]) text_add(&out, " ");
        text_add(&out, changed ? other : use ? use->name : s->tokens[t].text);
        if (changed) t = changed->last;
        if (use) t = use->last;
    }
    return text_of(&out);
}

static const char *behind_comment(const char *p) {
    const char *end = p[1] == '*' ? strstr(p + 2, "*/") : p[1] == '/' ? strchr(p, '\n') : p;
    return end ? end + (p[1] == '*' ? 2 : 1) : p + strlen(p);
}

bool follows_pragma(const source *s, const node *n) {
    const char *p = s->tokens[n->first].before;
    while ((p = strpbrk(p, "/#_"))) {
        if (*p == '#' && !strncmp(p + 1 + strspn(p + 1, " \t"), "pragma", 6)) return true;
        if (!strncmp(p, "_Pragma", 7)) return true;
        p = *p == '/' ? behind_comment(p) : p + 1;
    }
    return false;
}
