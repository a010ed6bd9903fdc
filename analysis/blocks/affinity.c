/* The affinity graph.  See affinity.h. */
#include "affinity.h"

#include <string.h>

#include "../lower/lower.h"

enum { UNKNOWN_TRIPS = 10 };
static const double MOST_EXECUTIONS = 1e12;

/* ---- Nodes */

static bool constant_extent(const program *p, const array *a, int d, int64_t *extent) {
    const linear x = linear_subtract(p->memory, a->upper[d], a->lower[d]);
    *extent = linear_is_constant(&x) ? x.constant + 1 : 0;
    return *extent > 0;
}

/* Processes along the grid dimension of an array's dimension, 0: not known. */
static int64_t processes_along(const program *p, const array *a, int dimension) {
    int before = 0, distributed = 0;
    for (int d = 0; d < a->rank; d++) {
        if (!divides(&a->mapping, d)) continue;
        before += d < dimension;
        distributed++;
    }
    const grid *g = a->mapping.grid;
    if (g && g->known[before] > 0) return g->known[before];
    return distributed == 1 && !(g && g->extent[0]) ? p->np : 0;
}

/* The block that a dimension has, 0: not known at compile time.  Format block where extents or processes are not known:
 * what `auto` would be as block, so that the two meet in quotient 1. */
static int64_t fixed_block(const program *p, const array *a, int d) {
    int64_t procs = processes_along(p, a, d), extent, block;
    if (!has_regular_blocks(a)) return 0;
    if (written_block(&a->mapping, d)) return known_block(&a->mapping, d, &block) ? block : 0;
    if (procs <= 0) procs = ASSUMED_PROCESSES;
    if (!constant_extent(p, a, d, &extent)) extent = ASSUMED_EXTENT;
    return (extent + procs - 1) / procs;
}

static void add_node(program *p, affinity *x, array *a, int d) {
    if (a->alignment) return;
    const bool automatic = is_automatic(&a->mapping, d);
    block_node n = {.automatic = is_any_format(&a->mapping, d), .procs = processes_along(p, a, d)};
    if (!divides(&a->mapping, d)) return;
    if (!automatic) n.fixed = fixed_block(p, a, d);
    if (!automatic && n.fixed == 0) return;
    constant_extent(p, a, d, &n.extent);
    size_t count = (size_t)x->graph.nodes, same = count;
    vector_add(p->memory, x->graph.node, count, x->node_capacity, n);
    vector_add(p->memory, x->nodes, same, x->nodes_capacity, ((affinity_node){a, d}));
    int *number = table_at(&x->number, a);
    if (!number) table_put(p->memory, &x->number, a, number = arena_alloc(p->memory, MAX_RANK * sizeof *number));
    number[d] = ++x->graph.nodes;
}

static int node_of(const affinity *x, const array *a, int d) {
    const int *number = table_at(&x->number, a);
    return number ? number[d] - 1 : -1;
}

/* ---- How often a statement runs */

static double trips(const node *loop) {
    counting_loop c;
    int64_t first, limit;
    if (!counting_loop_of(loop, &c) || !constant_value(c.first, &first) || !constant_value(c.limit, &limit))
        return UNKNOWN_TRIPS;
    return (double)dpc_count(first, limit, c.step);
}

static bool is_loop(const node *n) {
    return n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO;
}

static double executions_of(const parallel *s) {
    double product = 1;
    for (const node *n = s->node; n && n->kind != N_FUNCTION_DEFINITION; n = n->parent)
        if (is_loop(n)) product *= trips(n);
    return product < MOST_EXECUTIONS ? product : MOST_EXECUTIONS;
}

/* ---- Iterations */

/* Iterations of an index, 0: not known. */
static int64_t count_of(const loop_index *x) {
    if (x->triangular || !linear_is_constant(&x->lower) || !linear_is_constant(&x->upper) ||
        !linear_is_constant(&x->stride) || x->stride.constant == 0)
        return 0;
    return dpc_count(x->lower.constant, x->upper.constant, x->stride.constant);
}

/* Elements of one dimension that a statement touches on one process: for weights, so guesses will do. */
static double touched(const program *p, const parallel *s, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    int64_t extent, count = u->kind == SUBSCRIPT_AFFINE ? count_of(&s->index[u->index]) : 1;
    if (u->kind == SUBSCRIPT_INVARIANT) return 1;
    if (count <= 0) count = constant_extent(p, r->array, d, &extent) ? extent : ASSUMED_EXTENT;
    const int64_t procs = !divides(&r->array->mapping, d) ? 1 : processes_along(p, r->array, d);
    return (double)count / (double)(procs > 0 ? procs : ASSUMED_PROCESSES);
}

/* Elements of r for one iteration of the index in dimension d. */
static double inner_elements(const program *p, const parallel *s, const reference *r, int d) {
    double product = 1;
    for (int k = 0; k < r->rank; k++)
        if (k != d) product *= touched(p, s, r, k);
    return product < 1 ? 1 : product;
}

static bool mentions(const linear *x, const symbol *s) {
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].node && mentions_symbol(x->term[t].node, s)) return true;
    return false;
}

static bool bounds_mention(const loop_index *x, const symbol *s) {
    return s && (mentions(&x->lower, s) || mentions(&x->upper, s));
}

/* Whether a variable that a C loop around the statement steps is in the bounds: fewer iterations each time. */
static bool shrinks(const parallel *s, const loop_index *x) {
    for (const node *n = s->node; n && n->kind != N_FUNCTION_DEFINITION; n = n->parent) {
        const node *step = n->kind == N_FOR ? n->child[2] : NULL;
        const bool simple = step && step->count > 0 && step->child[0]->kind == N_NAME;
        if (simple && bounds_mention(x, step->child[0]->symbol)) return true;
    }
    return false;
}

static dpc_space_shape shape_of(const parallel *s, int index) {
    const loop_index *x = &s->index[index];
    bool triangular = x->triangular || shrinks(s, x);
    for (int k = 0; k < s->indices; k++)
        triangular = triangular || (s->index[k].triangular && bounds_mention(&s->index[k], x->symbol));
    return triangular ? DPC_TRIANGULAR : DPC_RECTANGULAR;
}

/* ---- Accesses */

/* Of an aligned array, the cells where elements stand. */
typedef struct {
    int node;       /* in the graph */
    int64_t stride; /* elements from one iteration to the next, not 0 */
    linear first;   /* the first element's distance from the lower bound */
} strided;

/* The access of dimension d, if it is affine with a constant stride in a dimension of the graph. */
static bool read_access(const program *p, const affinity *x, const parallel *s, const reference *r, int d, strided *a) {
    const subscript *u = &r->subscript[d];
    cells c;
    if (u->kind != SUBSCRIPT_AFFINE || !cells_of(p, r->array, d, &c) || (a->node = node_of(x, c.end, c.dim)) < 0)
        return false;
    const loop_index *i = &s->index[u->index];
    const linear stride = linear_multiply(p->memory, c.stride, u->stride);
    if (!linear_is_constant(&stride) || !linear_is_constant(&i->stride)) return false;
    if (__builtin_mul_overflow(stride.constant, i->stride.constant, &a->stride) || a->stride == 0 ||
        a->stride == INT64_MIN)
        return false;
    const linear start = linear_add(p->memory, u->offset, linear_multiply(p->memory, u->stride, i->lower));
    const linear cell = linear_add(p->memory, linear_multiply(p->memory, c.stride, start), c.offset);
    a->first = linear_subtract(p->memory, cell, c.end->lower[c.dim]);
    return true;
}

static int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

/* The first elements of both sides, if known; of equal strides the difference is enough. */
static void read_offsets(const program *p, const strided *left, const strided *right, block_edge *e) {
    const linear distance = linear_subtract(p->memory, right->first, left->first);
    e->offsets_known = true;
    if (linear_is_constant(&left->first) && linear_is_constant(&right->first)) {
        e->left_offset = left->first.constant;
        e->right_offset = right->first.constant;
    } else if (left->stride == right->stride && linear_is_constant(&distance)) {
        e->right_offset = distance.constant;
    } else {
        e->offsets_known = false;
    }
}

static void add_edge(program *p, affinity *x, const parallel *s, const reference *r, int d, const strided *left,
                     const strided *right) {
    block_edge e = {.left = left->node, .right = right->node};
    e.left_stride = magnitude(left->stride);
    e.right_stride = magnitude(right->stride);
    e.left_reversed = left->stride < 0;
    e.right_reversed = right->stride < 0;
    e.count = count_of(&s->index[r->subscript[d].index]);
    e.executions = executions_of(s);
    e.inner = inner_elements(p, s, r, d);
    e.element_size = element_bytes(r->array->element);
    read_offsets(p, left, right, &e);
    size_t count = (size_t)x->graph.edges, same = count;
    vector_add(p->memory, x->graph.edge, count, x->edge_capacity, e);
    vector_add(p->memory, x->edges, same, x->edges_capacity, ((affinity_edge){s, r}));
    x->graph.edges++;
}

/* Every affine access counts for its stride; home's for its work too. */
static void add_uses(program *p, affinity *x, const parallel *s, const reference *r, bool is_home) {
    for (int d = 0; d < r->rank; d++) {
        strided a;
        if (!read_access(p, x, s, r, d, &a)) continue;
        block_use u = {.node = a.node, .stride = magnitude(a.stride)};
        const int index = r->subscript[d].index;
        if (is_home) {
            u.executions = executions_of(s);
            u.count = count_of(&s->index[index]);
            u.inner = inner_elements(p, s, r, d) * (double)(s->references + 1);
            u.shape = shape_of(s, index);
        }
        size_t count = (size_t)x->graph.uses;
        vector_add(p->memory, x->graph.use, count, x->use_capacity, u);
        x->graph.uses++;
    }
}

static void add_edges(program *p, affinity *x, const parallel *s, const reference *home, const reference *r) {
    for (int d = 0; d < home->rank; d++)
        for (int e = 0; e < r->rank; e++) {
            strided left, right;
            if (home->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[e].kind != SUBSCRIPT_AFFINE) continue;
            if (home->subscript[d].index != r->subscript[e].index || home == r) continue;
            if (read_access(p, x, s, home, d, &left) && read_access(p, x, s, r, e, &right))
                add_edge(p, x, s, r, e, &left, &right);
        }
}

static void add_statement(program *p, affinity *x, parallel *s) {
    const reference *home = home_of(s);
    if (s->kind == PARALLEL_ASSIGNMENT && s->left.array) add_uses(p, x, s, &s->left, home == &s->left);
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || (r->cycles > 0 && r->turn != ALL_TURNS)) continue;
        add_uses(p, x, s, r, home == r);
        if (home) add_edges(p, x, s, home, r);
    }
}

affinity collect_affinity(program *p) {
    affinity x = {0};
    for (size_t k = 0; k < p->view_count; k++)
        for (int d = 0; d < p->views[k]->rank; d++) add_node(p, &x, p->views[k], d);
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) add_statement(p, &x, all.statement[k]);
    x.near = incident_edges(p->memory, &x.graph);
    return x;
}
