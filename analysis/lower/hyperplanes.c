/* Pass "lower": statements on hyperplanes, A[i][d-i] where both dimensions are divided.  No process knows its
 * iterations from i alone: the second subscript gets an index of its own, j = d-i:d-i, inside the other one, and what
 * stands at a constant distance from it elsewhere in the statement follows that.  The same for reductions that read
 * nothing else that has an owner: a trace, sum(i = 0:n-1, A[i][i]). */
#include <string.h>

#include "lower.h"

static bool mentions_any(const lowering *l, const node *n) {
    for (int k = 0; k < l->s->indices; k++)
        if (l->s->index[k].symbol && mentions_symbol(n, l->s->index[k].symbol)) return true;
    return false;
}

/* An index that a linear form is made of, else -1; all: a bit for each; several: whether there are others; strange:
 * whether some stands in what is no sum, or counts from another value. */
static int index_in(const lowering *l, const linear *x, bool *several, bool *strange, unsigned *all) {
    int found = -1;
    *all = 0;
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        for (int k = 0; n && k < l->s->indices; k++) {
            if (!l->s->index[k].symbol || !mentions_symbol(n, l->s->index[k].symbol)) continue;
            *several = *several || (found >= 0 && found != k);
            *strange = *strange || n->kind != N_NAME || l->s->index[k].symbol->has_value;
            *all |= 1u << k;
            found = k;
        }
    }
    return found;
}

static linear form_of(const lowering *l, const node *n) {
    return linear_of(l->p->memory, l->p->source, n);
}

static loop_index plane_index(lowering *l, const linear *form) {
    return (loop_index){.name = fresh_name(l->p, "across"),
                        .lower = *form,
                        .upper = *form,
                        .stride = linear_constant(1),
                        .triangular = true,
                        .box_linear = true,
                        .reduction = -1};
}

/* How the indices subscript a reference's divided dimensions. */
typedef enum {
    LIES_ELSEWHERE, /* not, or in a way that leaves its owner open */
    LIES_SPREAD,    /* each in one of them at most */
    LIES_IN_PLANE   /* the last one of a dimension are some of dimensions before */
} plane_form;

/* form: where it lies in a plane, the subscript that is to have an index of its own. */
static plane_form lies_in(const lowering *l, node *chain, linear *form) {
    node *name, *subscripts[MAX_RANK];
    int count;
    unsigned used = 0;
    index_chain(chain, &name, subscripts, &count);
    const array *a = array_at(l->p, name);
    for (int d = 0; a && d < count; d++) {
        unsigned all;
        bool several = false, strange = false;
        if (!may_be_distributed(a, d) || subscripts[d]->kind == N_TRIPLET || !mentions_any(l, subscripts[d])) continue;
        *form = form_of(l, subscripts[d]);
        const int k = index_in(l, form, &several, &strange, &all);
        if (k >= 0 && (all & ~used) == 0 && !strange) return LIES_IN_PLANE;
        if (k < 0 || several || strange) return LIES_ELSEWHERE;
        used |= all;
    }
    return used ? LIES_SPREAD : LIES_ELSEWHERE;
}

void open_plane(lowering *l, node *left) {
    linear form;
    if (l->s->indices == MAX_RANK || lies_in(l, left, &form) != LIES_IN_PLANE) return;
    l->s->plane = l->s->indices;
    l->s->plane_form = form;
    append_index(l->p->memory, l->s, plane_index(l, &form));
}

/* The first reference in n that lies in a plane; *spread: another one could be home, or n is not always evaluated. */
static node *reference_in_plane(const lowering *l, node *n, bool *spread) {
    node *found = NULL;
    linear form;
    if (n->kind == N_CONDITIONAL || (n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||"))))
        *spread = true;
    if (distributed_reference(n)) {
        const plane_form lies = lies_in(l, n, &form);
        *spread = *spread || lies == LIES_SPREAD;
        if (lies == LIES_IN_PLANE) found = n;
    }
    for (size_t c = 0; c < n->count; c++) {
        node *inside = n->child[c] ? reference_in_plane(l, n->child[c], spread) : NULL;
        if (!found) found = inside;
    }
    return found;
}

void open_plane_of_value(lowering *l, node *value) {
    bool spread = false;
    node *chain = reference_in_plane(l, value, &spread);
    if (chain && !spread) open_plane(l, chain);
}

/* Whether an index occurs in another subscript of a divided dimension. */
static bool occurs_beside(const lowering *l, const reference *r, node *const *subscripts, int d) {
    for (int e = 0; e < r->rank; e++) {
        if (e == d || r->subscript[e].index == l->s->plane || !r->array || !may_be_distributed(r->array, e)) continue;
        for (int k = 0; k < l->s->indices; k++)
            if (l->s->index[k].symbol && mentions_symbol(subscripts[e], l->s->index[k].symbol) &&
                mentions_symbol(subscripts[d], l->s->index[k].symbol))
                return true;
    }
    return false;
}

void follow_plane(lowering *l, reference *r, node *const *subscripts) {
    for (int d = r->rank - 1; l->s->plane > 0 && d >= 0; d--) {
        if (subscripts[d]->kind == N_TRIPLET || !mentions_any(l, subscripts[d])) continue;
        const linear distance = linear_subtract(l->p->memory, form_of(l, subscripts[d]), l->s->plane_form);
        if (!linear_is_constant(&distance) || !occurs_beside(l, r, subscripts, d)) continue;
        r->subscript[d] = (subscript){.kind = SUBSCRIPT_AFFINE,
                                      .index = l->s->plane,
                                      .stride = linear_constant(1),
                                      .offset = distance,
                                      .node = subscripts[d]};
        return;
    }
}
