/* Ghost cells that a piece of work reads, and whether its interior, the iterations that need nothing of other
 * processes, is computed before they have come. */
#include "plan.h"

/* ---- Ghost cells */

static bool reads_halo(const parallel *s, const reference *r, int mask) {
    return needed(s, r, mask) && r->placed.relation == RELATION_SHIFT && !comes_by_pipeline(s, r);
}

static bool refreshes(const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_halo(s, &s->reference[k], mask)) return true;
    return false;
}

/* Whether the statement stores into the very array whose ghost cells it reads: what is sent must be copied first. */
static bool stores_refreshed(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_halo(s, &s->reference[k], -1) && s->reference[k].array == s->left.array) return true;
    return false;
}

/* Whether a later phase of the refresh sends what is there when the earlier ones have ended. */
static bool refreshes_corners(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_halo(s, &s->reference[k], -1) &&
            (s->reference[k].array->placed.corners || s->reference[k].array->placed.deepens))
            return true;
    return false;
}

/* How far beyond home's element the statement reads along index k. */
static void find_reach(const parallel *s, int k, int64_t *low, int64_t *high, bool *cyclic) {
    const reference *home = home_of(s);
    *low = *high = 0;
    *cyclic = false;
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        for (int d = 0; r->array && r->placed.relation == RELATION_SHIFT && d < r->rank; d++) {
            if (followed_index(&r->subscript[d]) != k) continue;
            const bool apart = home && (home->array->apart || r->array->apart);
            const int64_t least = apart ? r->placed.dim[d].reach : least_distance(r, d);
            const int64_t most = apart ? r->placed.dim[d].reach : greatest_distance(r, d);
            if (-least > *low) *low = -least;
            if (most > *high) *high = most;
            *cyclic = *cyclic || apart; /* home's first and last elements may have others of r beyond them */
            for (int c = 0; c < r->cycles; c++) *cyclic = *cyclic || r->cycle[c].dim == d;
        }
    }
}

/* How far away a row is that r reads, whichever side it is on; false: that is no sum with one variable. */
static bool distance_of_row(const program *p, const reference *r, linear *distance) {
    if (r->placed.far->terms != 1) return false;
    const bool back = r->placed.far->term[0].coefficient < 0;
    *distance = back ? linear_subtract(p->memory, linear_constant(0), *r->placed.far) : *r->placed.far;
    return true;
}

/* The farthest row that the statement reads, all of whose indices follow one; false: which one that is is not known. */
static bool find_farthest(const program *p, const parallel *s, const linear **far) {
    *far = NULL;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        linear distance;
        if (!r->array || !r->placed.far || r->placed.relation != RELATION_SHIFT) continue;
        if (!distance_of_row(p, r, &distance)) return false;
        const linear further = *far ? linear_subtract(p->memory, distance, **far) : linear_constant(1);
        if (!linear_is_constant(&further)) return false;
        if (further.constant <= 0) continue;
        linear *kept = arena_alloc(p->memory, sizeof *kept);
        *kept = distance;
        *far = kept;
    }
    return true;
}

/* Whether all that is read beyond home's elements lies on one side of them: then the boundary, which comes last, reads
 * only ghost cells and the boundary. */
static bool reads_one_side(const parallel *s) {
    int sides = 0;
    for (int k = 0; k < s->indices; k++) {
        int64_t low, high;
        bool cyclic;
        find_reach(s, k, &low, &high, &cyclic);
        sides += (low > 0) + (high > 0);
    }
    return sides == 1;
}

static bool may_be(const program *p, const array *a, const array *b) {
    return b && (same_array(a, b) || (may_be_same(a, b) && !have_alias_check(p, a, b)));
}

/* Whether the statement stores into the array, or may. */
static bool may_store(const program *p, const parallel *s, const array *a) {
    bool stores = may_be(p, a, s->left.array);
    for (size_t k = 0; k < s->references; k++)
        stores = stores || (s->reference[k].stored && may_be(p, a, s->reference[k].array));
    return stores;
}

/* Whether what a process holds itself of the values that r fetches is an interval of its iterations: then these need
 * not wait for the others. */
static bool has_own_interval(const program *p, const parallel *s, const reference *r) {
    if (r->placed.relation != RELATION_SETS || r->placed.move != MOVE_FETCHED || r->placed.operand != OPERAND_NONE ||
        !has_regular_blocks(r->array))
        return false;
    if (s->indices == 0 || s->loop || s->placed.ordered || s->placed.product || s->placed.tiled ||
        p->model == COMM_DEPOSIT)
        return false;
    if (may_store(p, s, r->array)) return false;
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        if (x.index < 0) continue;
        if (s->index[x.index].reduction >= 0 || !pairing_is_one_run(&x)) return false;
    }
    return true;
}

/* Whether how far r reads beyond home is another on each process, or known at run time only. */
static bool is_beside_or_wide(const reference *r) {
    return r->array && r->placed.relation == RELATION_SHIFT && (r->placed.beside || (r->placed.wide && !r->placed.far));
}

static bool may_begin_with_interior(const program *p, const parallel *s, int mask) {
    bool fetches = false, dealt = false;
    const linear *far;
    if (!find_farthest(p, s, &far) || (far && (s->placed.ordered || s->combined.chain))) return false;
    if (mask >= 0 || s->kind == PARALLEL_REDUCTION || s->kind == PARALLEL_CHECK || s->placed.values_first ||
        s->placed.scatter || s->placed.waits_for >= 0 || (s->loop && s->loop->pipeline))
        return false;
    if (s->placed.ordered && !reads_one_side(s)) return false;
    if (stores_refreshed(s) && refreshes_corners(s)) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (is_beside_or_wide(r)) return false;
        if (!r->array || stays_in_place(r)) continue;
        if (!has_own_interval(p, s, r)) return false;
        fetches = true;
    }
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved || s->mask[m].kept || s->mask[m].bound) return false;
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction < 0 && (s->index[k].triangular || is_strided(s, k))) return false;
        dealt = dealt || !is_single_run(s, k);
    }
    return fetches ? !dealt : refreshes(s, mask);
}

/* Whether the refresh brings array k of those that later statements read: statements in the same loops read it, too. */
static bool comes_ahead(const parallel *s, size_t k, int mask) {
    for (size_t j = 0; j < s->references; j++)
        if (reads_halo(s, &s->reference[j], mask) && s->reference[j].array == s->combined.ahead[k]) return false;
    return mask < 0 && refreshes(s, mask);
}

static bool is_refreshed(const execution *x, const array *a) {
    for (size_t k = 0; k < x->refreshes; k++)
        if (x->refreshed[k] == a) return true;
    return false;
}

/* Whether dimension d is undivided and its subscript says which plane is read. */
static bool picks_plane(const reference *r, int d) {
    const array *a = r->array;
    return r->subscript[d].kind == SUBSCRIPT_INVARIANT && !may_be_distributed(a, d) && a->placed.halo_low[d] == 0 &&
           a->placed.halo_high[d] == 0;
}

/* How many first subscripts all references to the ghost cells of the only array have in common. */
static int count_planes(const parallel *s, int mask, const execution *x) {
    const reference *first = NULL;
    int planes = 0;
    if (x->refreshes != 1 || x->refreshed[0]->dynamic) return 0;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!reads_halo(s, r, mask)) continue;
        while (!first && planes < r->rank && picks_plane(r, planes)) planes++;
        first = first ? first : r;
        for (int d = 0; d < planes; d++)
            if (!picks_plane(r, d) || !linear_equal(&r->subscript[d].offset, &first->subscript[d].offset)) planes = d;
    }
    return planes;
}

int planes_read(const parallel *s, const reference *r) {
    const fusion *c = s->combined.chain;
    return needed(s, r, -1) ? (c && c->merged ? c->merged : s)->plan->planes : 0;
}

void plan_interior(program *p, const parallel *s, int mask, execution *x) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_halo(s, &s->reference[k], mask) && !is_refreshed(x, s->reference[k].array))
            vector_add(p->memory, x->refreshed, x->refreshes, x->refresh_capacity, s->reference[k].array);
    const size_t read = x->refreshes;
    for (size_t k = 0; k < s->combined.aheads; k++)
        if (comes_ahead(s, k, mask))
            vector_add(p->memory, x->refreshed, x->refreshes, x->refresh_capacity, s->combined.ahead[k]);
    x->early = x->refreshes - read;
    x->planes = mask < 0 && x->early == 0 ? count_planes(s, mask, x) : 0;
    x->interior_first = may_begin_with_interior(p, s, mask);
    x->copied = x->interior_first && stores_refreshed(s);
    for (int k = 0; k < s->indices; k++) {
        index_reach *reach = &x->reach[k];
        find_reach(s, k, &reach->low, &reach->high, &reach->cyclic);
        if (s->index[k].symbol && s->index[k].symbol->rows) find_farthest(p, s, &reach->far);
    }
}
