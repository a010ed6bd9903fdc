/* --check=all: subscripts of ordinary arrays, compared where they are evaluated with what the C compiler knows of the
 * array.
 *
 *     R[dpc_within("file.dpc:7:12", "R", 0, i + n, 0, sizeof R / sizeof R[0])] */
#include <string.h>

#include "emitter.h"

/* Whether n only says where something is, or how large: elements behind the last may stand there. */
static bool is_unevaluated(const node *n) {
    for (const node *up = n->parent; up; n = up, up = up->parent) {
        if (up->kind == N_SIZEOF || up->kind == N_TYPEOF) return true;
        if (up->kind == N_UNARY && !strcmp(up->op, "&")) return true;
        const bool part = up->kind == N_PAREN || (up->kind == N_MEMBER && !strcmp(up->op, ".")) ||
                          (up->kind == N_INDEX && up->child[0] == n);
        if (!part) return false;
    }
    return false;
}

/* Whether a variable declared without its first extent gets it from an initialiser. */
static bool has_initialiser(const symbol *s) {
    const node *n = s->declarator;
    while (n && n->kind != N_INIT_DECLARATOR && n->kind != N_DECLARATION) n = n->parent;
    return n && n->kind == N_INIT_DECLARATOR && n->count > 1 && n->child[1];
}

/* Whether sizeof gives the extent of dimension d. */
static bool has_extent(const symbol *s, const type *t, int d) {
    if (d > 0) return t->array->child[2] != NULL;
    return !s->is_parameter && (t->array->child[2] || has_initialiser(s));
}

static const type *type_of_dimension(const symbol *s, int d) {
    const type *t = s->type;
    for (int k = 0; t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && k < d; k++) t = t->of;
    return t;
}

/* Constants are compared as the program is translated. */
static bool is_digits(const char *at) {
    return at[strspn(at, "0123456789")] == '\0';
}

/* The number of elements along dimension d. */
static const char *count_text(emitter *e, const char *base, int d) {
    text row;
    text_start(&row, e->memory);
    text_add(&row, base);
    for (int k = 0; k < d; k++) text_add(&row, "[0]");
    return arena_format(e->memory, "sizeof %s / sizeof %s[0]", text_of(&row), text_of(&row));
}

const char *compared_subscript(emitter *e, const node *n, const node *base, int d, int count, const char *at) {
    const symbol *s = base->kind == N_NAME ? base->symbol : NULL;
    if (!e->p->check_all || e->serial || !s || s->kind != SYMBOL_VARIABLE || s->array || is_unevaluated(n)) return at;
    const type *t = type_of_dimension(s, d), *whole = type_of_dimension(s, count);
    if (!t || t->kind != TYPE_ARRAY || !whole || whole->kind == TYPE_ARRAY || !has_extent(s, t, d)) return at;
    const char *name = base_text(e, (node *)base), *lower = lower_bound(e, base, d);
    if (strcmp(name, base->name) != 0 || is_digits(at)) return at;
    return arena_format(e->memory, "dpc_within(%s, \"%s\", %d, %s, %s, %s)", place_literal(e, n), name, d, at,
                        lower ? lower : "0", count_text(e, name, d));
}
