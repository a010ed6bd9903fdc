/* Where the blocks of arrays begin whose block sizes are chosen: some elements before the first one, where that makes
 * all statements between arrays with b1/s1 = b2/s2 local (Lee and Chen, section 7.1: the extended left boundary). */
#include "origins.h"

typedef struct {
    const program *p;
    const affinity *x;
    const block_choice *c;
    int64_t *lead; /* per node */
    bool *reached;
    int *part; /* nodes that edges join, in the order in which they are reached */
    int parts;
} shifting;

/* Chosen now, and nobody else knows where its blocks begin. */
static bool may_shift(const shifting *w, int k) {
    const array *a = w->x->nodes[k].array;
    return a->extensible && !a->alignment && !a->followed && !a->is_template && w->x->graph.node[k].fixed == 0 &&
           !w->c->as_block[k];
}

/* Whether an edge is local where its ends begin together. */
static bool joins(const shifting *w, const block_edge *e) {
    const int64_t *block = w->c->block;
    if (e->left == e->right || !e->offsets_known || e->left_reversed || e->right_reversed) return false;
    if (w->c->as_block[e->left] || w->c->as_block[e->right]) return false;
    if (w->x->graph.node[e->left].procs != w->x->graph.node[e->right].procs) return false;
    return block[e->left] > 0 && block[e->right] > 0 && block[e->left] % e->left_stride == 0 &&
           block[e->right] % e->right_stride == 0 && edge_case(e, block) == 4;
}

/* Elements by which the right end would have to begin earlier; of equal strides any offset will do. */
static int64_t missing(const shifting *w, const block_edge *e) {
    const int64_t left = e->left_offset + w->lead[e->left], right = e->right_offset + w->lead[e->right];
    if (e->left_stride == e->right_stride) return left - right;
    return (dpc_floor(left, e->left_stride) - dpc_floor(right, e->right_stride)) * e->right_stride;
}

static void reach(shifting *w, int k) {
    w->reached[k] = true;
    w->part[w->parts++] = k;
}

/* What edges join with node k: each begins where the first edge that reaches it is local. */
static void reach_from(shifting *w, int first) {
    const incidence *near = &w->x->near;
    w->parts = 0;
    reach(w, first);
    for (int n = 0; n < w->parts; n++) {
        const int k = w->part[n];
        for (int m = near->first[k]; m < near->first[k + 1]; m++) {
            const block_edge *e = &w->x->graph.edge[near->edge[m]];
            const int other = other_end(e, k);
            if (!joins(w, e) || w->reached[other]) continue;
            w->lead[other] = other == e->right ? missing(w, e) : -missing(w, e) / e->right_stride * e->left_stride;
            reach(w, other);
        }
    }
}

/* Nobody begins behind its first element: all begin so many iterations earlier. */
static bool raise(shifting *w, const int64_t *multiple) {
    int64_t units = 0, common = 0;
    for (int n = 0; n < w->parts; n++) {
        const int k = w->part[n];
        if (w->c->block[k] % multiple[k] != 0) return false;
        common = dpc_common_divisor(w->c->block[k] / multiple[k], common);
    }
    for (int n = 0; n < w->parts; n++) {
        const int k = w->part[n];
        const int64_t unit = w->c->block[k] / common;
        if (dpc_ceiling(-w->lead[k], unit) > units) units = dpc_ceiling(-w->lead[k], unit);
    }
    for (int n = 0; n < w->parts; n++) w->lead[w->part[n]] += units * (w->c->block[w->part[n]] / common);
    return true;
}

static bool all_local(const shifting *w) {
    const incidence *near = &w->x->near;
    for (int n = 0; n < w->parts; n++)
        for (int m = near->first[w->part[n]]; m < near->first[w->part[n] + 1]; m++) {
            const block_edge *e = &w->x->graph.edge[near->edge[m]];
            if (joins(w, e) && missing(w, e) != 0) return false;
        }
    return true;
}

/* Whether each array of the part may begin where it should. */
static bool may_begin(const shifting *w) {
    for (int n = 0; n < w->parts; n++) {
        const int k = w->part[n];
        const affinity_node *its = &w->x->nodes[k];
        if (w->lead[k] < 0) return false;
        if (w->lead[k] > 0 && !(may_shift(w, k) && may_lead(w->p, its->array, its->dimension,
                                                            its->array->lead[its->dimension] + w->lead[k])))
            return false;
    }
    return true;
}

static void shift_part(shifting *w, int first, const int64_t *multiple) {
    reach_from(w, first);
    const bool possible = raise(w, multiple) && all_local(w) && may_begin(w);
    for (int n = 0; n < w->parts && !possible; n++) w->lead[w->part[n]] = 0;
}

/* Begins so many elements earlier than before; edges are counted from there. */
static bool take_leads(affinity *x, const int64_t *lead) {
    bool any = false;
    for (int k = 0; k < x->graph.nodes; k++) {
        x->nodes[k].array->lead[x->nodes[k].dimension] += lead[k];
        any = any || lead[k] != 0;
    }
    for (int n = 0; n < x->graph.edges; n++) {
        block_edge *e = &x->graph.edge[n];
        e->left_offset += lead[e->left];
        e->right_offset += lead[e->right];
    }
    return any;
}

/* What was dealt in an earlier choice, and is one block now, begins with its first element. */
static void withdraw(shifting *w) {
    for (int k = 0; k < w->x->graph.nodes; k++)
        w->lead[k] = w->c->as_block[k] ? -w->x->nodes[k].array->lead[w->x->nodes[k].dimension] : 0;
}

bool shift_origins(const program *p, affinity *x, const block_choice *c) {
    const size_t nodes = (size_t)x->graph.nodes;
    shifting w = {.p = p, .x = x, .c = c};
    int64_t *multiple = arena_alloc(p->memory, (nodes + 1) * sizeof *multiple);
    w.lead = arena_alloc(p->memory, (nodes + 1) * sizeof *w.lead);
    w.reached = arena_alloc(p->memory, (nodes + 1) * sizeof *w.reached);
    w.part = arena_alloc(p->memory, (nodes + 1) * sizeof *w.part);
    withdraw(&w);
    take_leads(x, w.lead);
    for (size_t k = 0; k < nodes; k++) w.lead[k] = 0, w.reached[k] = false;
    if (!stride_multiples(&x->graph, multiple)) return false;
    for (int fixed = 1; fixed >= 0; fixed--) /* what stays where it is comes first */
        for (int k = 0; k < x->graph.nodes; k++)
            if (!w.reached[k] && may_shift(&w, k) != fixed) shift_part(&w, k, multiple);
    return take_leads(x, w.lead);
}
