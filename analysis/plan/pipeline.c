/* Pipelines: what goes from process to process while the loops run, and what comes before. */
#include "plan.h"

static bool is_stored(const parallel *s, const array *a) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].stored && s->reference[k].array == a) return true;
    return false;
}

/* How far before the iteration's own element r reads along dimension d, in the course of the loop. */
static int64_t distance_behind(const parallel *s, const reference *r, int d) {
    const int k = followed_index(&r->subscript[d]);
    if (k < 0) return 0;
    const int64_t distance = r->placed.dim[d].distance;
    return s->index[k].descending ? distance : -distance;
}

bool comes_by_pipeline(const parallel *s, const reference *r) {
    if (!s->loop || !s->loop->pipeline || r->placed.relation != RELATION_SHIFT || !is_stored(s, r->array)) return false;
    for (int d = 0; d < r->rank; d++)
        if (may_be_distributed(r->array, d) && distance_behind(s, r, d) > 0) return true;
    return false;
}

static swept_array *swept_of(program *p, const parallel *s, array *a, execution *x) {
    for (size_t k = 0; k < x->swepts; k++)
        if (x->swept[k].array == a) return &x->swept[k];
    const reference *store = s->reference;
    while (!store->stored || store->array != a) store++;
    vector_add(p->memory, x->swept, x->swepts, x->swept_capacity, ((swept_array){.array = a, .store = store}));
    return &x->swept[x->swepts - 1];
}

static void widen_swept(const parallel *s, const reference *r, swept_array *w) {
    for (int d = 0; d < r->rank; d++) {
        const int64_t distance = may_be_distributed(r->array, d) ? distance_behind(s, r, d) : 0;
        if (distance <= 0) continue;
        int64_t *width = s->index[followed_index(&r->subscript[d])].descending ? &w->high[d] : &w->low[d];
        if (distance > *width) *width = distance;
    }
}

/* Whether processes wait for one another along another dimension than that of loop k. */
static bool crosses(const swept_array *w, int k) {
    for (int d = 0; d < w->array->rank; d++)
        if (w->low[d] + w->high[d] > 0 && followed_index(&w->store->subscript[d]) != k) return true;
    return false;
}

static void plan_blocks(const parallel *s, execution *x) {
    for (int k = 0; k < s->loop->loops; k++)
        for (size_t j = 0; j < x->swepts; j++)
            x->blocks[k] = x->blocks[k] || (s->loop->pipeline[k] != 'w' && crosses(&x->swept[j], k));
    x->chain = s->loop->loops > 1 && s->loop->pipeline[s->loop->loops - 1] == 'c';
}

/* ---- Blocks that are dealt round-robin */

/* Whether some dimension that iterations wait along is dealt, and nothing else: then tiles follow one another, but for
 * blocks of other loops. */
static bool is_dealt(const swept_array *x, int d) {
    return x->low[d] + x->high[d] > 0 && is_block_cyclic(&x->array->mapping, d);
}

static int dealt_dimension(const execution *x, const array **a) {
    for (size_t k = 0; k < x->swepts; k++)
        for (int d = 0; d < x->swept[k].array->rank; d++)
            if (is_dealt(&x->swept[k], d)) {
                *a = x->swept[k].array;
                return d;
            }
    return -1;
}

bool goes_in_tiles(const execution *x) {
    const array *a;
    return dealt_dimension(x, &a) >= 0;
}

/* Whether processes can be busy at the same time: there are blocks of an index that is not divided, or several divided
 * dimensions. */
static bool keeps_busy(const parallel *s, const execution *x) {
    int divided = 0;
    for (int k = 0; k < s->loop->loops; k++) {
        const int d = home_dimension(home_of(s), k);
        const bool is_divided = d >= 0 && may_be_distributed(home_of(s)->array, d);
        if (x->blocks[k] && !is_divided) return true;
        divided += is_divided;
    }
    return divided > 1;
}

static void warn_of_chain(const program *p, const parallel *s, const execution *x) {
    const array *a;
    int64_t block;
    const int d = dealt_dimension(x, &a);
    if (d < 0 || keeps_busy(s, x) || !known_block(&a->mapping, d, &block)) return;
    const char *count = "a message behind each";
    const linear last = linear_subtract(p->memory, a->upper[d], a->lower[d]);
    if (linear_is_constant(&last) && last.constant >= block)
        count = arena_format(p->memory, "%lld messages", (long long)(last.constant / block));
    diagnose(p->source, s->node, D_dealt_pipeline, a->symbol->name, count);
    diagnose_help("with 'block' for dimension %d of '%s' one message goes from each process to the next", d + 1,
                  a->symbol->name);
}

/* About the arithmetic, loads and stores of an iteration. */
static int count_operations(const node *n) {
    int count = n->kind == N_BINARY || n->kind == N_ASSIGN || n->kind == N_CALL || n->kind == N_CONDITIONAL ||
                n->kind == N_UNARY || (n->kind == N_NAME && n->symbol && n->symbol->array);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && n->kind != N_INDEX) count += count_operations(n->child[c]);
    if (n->kind == N_INDEX) count++;
    return count;
}

void plan_pipeline(program *p, const parallel *s, execution *x) {
    if (!s->loop || !s->loop->pipeline) return;
    for (size_t k = 0; k < s->references; k++)
        if (comes_by_pipeline(s, &s->reference[k]))
            widen_swept(s, &s->reference[k], swept_of(p, s, s->reference[k].array, x));
    plan_blocks(s, x);
    x->operations = count_operations(s->loop->body);
    if (!p->serial) warn_of_chain(p, s, x);
}
