/* Pass "halos": ghost cells that go with arguments: an array has those of the parameters that it is passed for, so that
 * the functions work on it in place from the first call on (else the run time widens it there). */
#include <string.h>

#include "place.h"

static bool same_kinds(const array *a, const array *x) {
    for (int d = 0; d < a->rank; d++) {
        const bool blocks = in_one_block(&a->mapping, d) && in_one_block(&x->mapping, d);
        if (!blocks && !same_format(&a->mapping, d, &x->mapping, d)) return false;
    }
    return true;
}

static bool grow(int64_t *width, int64_t wanted) {
    if (*width >= wanted) return false;
    *width = wanted;
    return true;
}

static bool take_widths(array *a, const array *x) {
    bool grown = x->placed.corners > a->placed.corners;
    if (grown) a->placed.corners = x->placed.corners;
    for (int d = 0; d < a->rank; d++) {
        grown = grow(&a->placed.halo_low[d], x->placed.halo_low[d]) || grown;
        grown = grow(&a->placed.halo_high[d], x->placed.halo_high[d]) || grown;
        if (!a->alignment) grown = grow(&a->placed.less[d], x->placed.less[d]) || grown;
        if (!a->alignment) grown = grow(&a->placed.more[d], x->placed.more[d]) || grown;
        grown = grown || (x->placed.cyclic[d] && !a->placed.cyclic[d]);
        a->placed.cyclic[d] = a->placed.cyclic[d] || x->placed.cyclic[d];
    }
    return grown;
}

/* The array that is the whole argument for x, with its mapping there; NULL: it is none. */
static array *whole_argument(const program *p, const node *call, size_t c, const array *x) {
    bool section;
    const array *a = argument_array(call, c, &section);
    return a && !section && a->rank == x->rank ? array_at(p, inside_parentheses(call->child[c])) : NULL;
}

static bool is_remapped(const array *x) {
    return x->dynamic || x->redistributed;
}

static bool take_widths_of_argument(array *a, const array *x) {
    return a && !a->dynamic && !is_remapped(x) && same_kinds(a, x) && take_widths(a, x);
}

/* An argument has the ghost cells of the parameter, or of that view of it that is mapped as the argument. */
static bool pass_halo(const program *p, const node *n) {
    bool grown = false;
    for (size_t c = 1; n->kind == N_CALL && c < n->count; c++) {
        const array *x = defined_parameter(p, n, c);
        array *a = x ? whole_argument(p, n, c, x) : NULL;
        for (size_t k = 0; x && k < x->views; k++) grown = take_widths_of_argument(a, x->view[k]) || grown;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) grown = pass_halo(p, n->child[c]) || grown;
    return grown;
}

static bool same_widths(const array *a, const array *x) {
    bool same = a->placed.corners == x->placed.corners;
    for (int d = 0; d < x->rank; d++)
        same = same && a->placed.halo_low[d] == x->placed.halo_low[d] &&
               a->placed.halo_high[d] == x->placed.halo_high[d] && a->placed.cyclic[d] == x->placed.cyclic[d] &&
               a->placed.less[d] == x->placed.less[d] && a->placed.more[d] == x->placed.more[d];
    return same;
}

/* Notes the parameters whose arguments in place may have other widths. */
static void compare_widths(const program *p, const node *n) {
    for (size_t c = 1; n->kind == N_CALL && c < n->count; c++) {
        array *x = defined_parameter(p, n, c);
        const array *a = x ? whole_argument(p, n, c, x) : NULL;
        if (!a) continue;
        if (a->dynamic || (same_kinds(a, x) && !same_widths(a, x))) x->placed.halo_varies = true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) compare_widths(p, n->child[c]);
}

/* An array has the ghost cells of all its versions that are divided as others.  What it needs besides where it is read
 * beside nearly equal ones comes at run time, where there are such. */
static void join_likes(program *p) {
    for (size_t k = 0; k < p->view_count; k++) {
        array *a = p->views[k], *x = a->stored_as;
        placed_array placed = a->placed;
        if (!x) continue;
        if (a->near) {
            memcpy(a->placed.less, x->placed.less, sizeof a->placed.less);
            memcpy(a->placed.more, x->placed.more, sizeof a->placed.more);
            a->placed.corners = x->placed.corners;
            x->placed.halo_varies = true;
        }
        take_widths(x, a);
        a->placed = placed;
    }
}

static void share_widths(program *p) {
    for (size_t k = 0; k < p->view_count; k++) {
        array *a = p->views[k];
        if (a->near)
            take_widths(a, a->stored_as);
        else if (a->stored_as)
            a->placed = a->stored_as->placed;
    }
}

void widen_arguments(program *p) {
    join_likes(p);
    while (pass_halo(p, p->unit)) continue;
    compare_widths(p, p->unit);
    for (size_t k = 0; k < p->array_count; k++) {
        array *x = p->arrays[k];
        const node *f = x->parameter ? x->symbol->scope->parent : NULL;
        if (f && !specifiers_have(f->child[0], "static")) x->placed.halo_varies = true; /* other files call it, too */
    }
    share_widths(p);
}
