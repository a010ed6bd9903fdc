/* What stands for known values: arrays of constants that nothing changes, as those of the neighbours' distances, const
 * int dx[] =
 * {-1, 0, 1}; variables of an iteration that keep the value they are declared with, int x = i + dx[k]. */
#include <string.h>

#include "model.h"
#include "types.h"

/* The node above the indexing that a name is the base of; NULL: it is none. */
static const node *above_element(const node *name) {
    const node *n = name;
    while (n->parent && n->parent->kind == N_INDEX && n->parent->child[0] == n) n = n->parent;
    const node *above = n == name ? NULL : n->parent;
    while (above && above->kind == N_PAREN) above = above->parent;
    return above;
}

/* Whether nothing but elements that are read, all of them whole chains of `rank` subscripts, names the array in n. */
static bool is_only_read(const node *n, const symbol *s, int rank) {
    if (n->kind == N_NAME && n->symbol == s) {
        const node *above = above_element(n);
        int subscripts = 0;
        for (const node *m = n; m->parent && m->parent->kind == N_INDEX && m->parent->child[0] == m; m = m->parent)
            subscripts++;
        const bool address = above && above->kind == N_UNARY && above->op[0] == '&' && !above->op[1];
        return above && subscripts == rank && !address && !is_step(above) &&
               !(is_store(above) && node_holds(above->child[0], n));
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_only_read(n->child[c], s, rank)) return false;
    return true;
}

/* Whether all in a list are constants that the elements, of so many bytes, hold; they widen the extremes. */
static bool read_constants(const node *n, int64_t bytes, symbol *s) {
    int64_t value;
    if (n->kind == N_INITIALIZER_LIST) {
        for (size_t c = 0; c < n->count; c++)
            if (!n->child[c] || !read_constants(n->child[c], bytes, s)) return false;
        return true;
    }
    if (n->kind == N_DESIGNATED || !constant_value(n, &value)) return false;
    if (bytes < 8 && (value < -(INT64_C(1) << (8 * bytes - 1)) || value >= INT64_C(1) << (8 * bytes - 1))) return false;
    if (value < s->least) s->least = value;
    if (value > s->most) s->most = value;
    return true;
}

static int rank_of(const type *t, const type **of) {
    int rank = 0;
    for (; t && t->kind == TYPE_ARRAY; t = t->of) rank++;
    *of = t;
    return rank;
}

static bool is_constant(const symbol *s) {
    const node *specifiers = s->declaration && s->declaration->count > 0 ? s->declaration->child[0] : NULL;
    return specifiers && specifiers->kind == N_SPECIFIERS && specifiers_have(specifiers, "const");
}

/* Elements that the list leaves out are 0. */
static bool is_table(symbol *s) {
    if (s->kind != SYMBOL_VARIABLE || s->array || s->is_parameter || !s->declarator || s->is_shared || s->is_extern)
        return false;
    if (s->file_scope && !s->is_static && !is_constant(s)) return false; /* other files may change it */
    const node *list = declared_value(s), *unit = s->declarator;
    const type *of;
    const int rank = rank_of(s->type, &of);
    if (!list || list->kind != N_INITIALIZER_LIST || rank == 0 || !of || !type_is_signed_integer(of)) return false;
    while (unit->parent) unit = unit->parent;
    return read_constants(list, element_bytes(of->element), s) && is_only_read(unit, s, rank);
}

bool table_extremes(const node *n, int64_t *least, int64_t *most) {
    const node *base = n;
    while (base->kind == N_INDEX) base = base->child[0];
    symbol *s = base->kind == N_NAME ? base->symbol : NULL;
    if (base == n || !s) return false;
    if (!s->is_asked) {
        s->is_asked = true;
        s->least = s->most = 0;
        s->is_table = is_table(s);
    }
    *least = s->least;
    *most = s->most;
    return s->is_table && s->least >= -INT32_MAX && s->most <= INT32_MAX;
}

/* ---- Variables */

bool is_plain_arithmetic(const node *n) {
    int64_t value, least;
    if (n->replacement) return false;
    if (n->kind == N_NAME || table_extremes(n, &least, &value)) return true;
    if (n->kind == N_PAREN || (n->kind == N_UNARY && !strcmp(n->op, "-"))) return is_plain_arithmetic(n->child[0]);
    if (n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]))
        return is_plain_arithmetic(n->child[0]) && is_plain_arithmetic(n->child[1]);
    return constant_value(n, &value);
}

/* Whether a variable that n reads has its value as long as what is declared there does: it is never assigned, or that
 * of a loop around. */
static bool keeps_beside(const independent_loop *loop, const node *n, const symbol *s) {
    counting_loop c;
    for (int k = 0; k < loop->loops; k++)
        if (loop->counter[k] == s) return true;
    if (s->kind != SYMBOL_VARIABLE) return false;
    if (s->assignments == 0) return !s->file_scope || s->is_static || is_constant(s);
    for (; n && n != loop->body; n = n->parent)
        if (n->parent && n->parent->kind == N_FOR && n->parent->child[3] == n && counting_loop_of(n->parent, &c) &&
            c.variable == s)
            return counts_undisturbed(n->parent, &c);
    return false;
}

/* Whether all that a value names is that wherever the value may be written in the loop's body. */
static bool keeps_names(const independent_loop *loop, const node *n) {
    if (n->kind == N_NAME && (!n->symbol || !keeps_beside(loop, n, n->symbol) || is_hidden_in(loop->body, n->symbol)))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !keeps_names(loop, n->child[c])) return false;
    return true;
}

node *kept_in_iteration(const independent_loop *loop, const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (!loop || !s || s->kind != SYMBOL_VARIABLE || s->assignments > 0 || s->is_static || !s->declarator) return NULL;
    node *value = type_is_signed_integer(s->type) && node_holds(loop->body, s->declarator) ? declared_value(s) : NULL;
    if (!value || !type_is_signed_integer(value->type) || !is_plain_arithmetic(value) || !keeps_names(loop, value))
        return NULL;
    return element_bytes(s->type->element) >= element_bytes(value->type->element) ? value : NULL;
}
