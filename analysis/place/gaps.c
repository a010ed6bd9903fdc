/* Pass "gaps": ghost cells of blocks dealt round-robin.  Every block has its own, in a gap that local indices jump over
 * from block to block: arrays that are used by the same local indices have gaps of one length, whichever of them has
 * ghost cells. */
#include <stdlib.h>

#include "../../runtime/distribution.h"
#include "place.h"

/* Blocks are at least so many times as long as what is read beyond them: ghost cells add half to the local part at
 * most. */
enum { LEAST_RATIO = 4 };

/* What stands elsewhere has its blocks side by side, and may be used by the same local indices as what else has blocks
 * of that length. */
static bool stands_dense(const program *p, const linear *block) {
    for (size_t k = 0; k < p->view_count; k++)
        for (int d = 0; d < p->views[k]->rank; d++)
            if (p->views[k]->alignment && !p->views[k]->plain && is_block_cyclic(&p->views[k]->mapping, d) &&
                linear_equal(block, written_block(&p->views[k]->mapping, d)))
                return true;
    return false;
}

bool halo_fits(const program *p, const mapping *m, int d, int64_t distance) {
    int64_t block;
    if (in_one_block(m, d)) return true;
    return is_block_cyclic(m, d) && known_block(m, d, &block) && block >= llabs(distance) &&
           !stands_dense(p, written_block(m, d));
}

bool halo_pays(const program *p, const mapping *m, int d, int64_t distance) {
    int64_t block;
    if (!halo_fits(p, m, d, distance)) return false;
    return !is_block_cyclic(m, d) || (known_block(m, d, &block) && block / LEAST_RATIO >= llabs(distance));
}

/* Whether blocks of the array may have gaps between them. */
static bool may_have_gaps(const array *a, int d) {
    return !a->dynamic && is_block_cyclic(&a->mapping, d);
}

bool has_gaps(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->placed.gap[d] > 0) return true;
    return false;
}

typedef struct {
    const array **array;
    size_t count, capacity;
} gap_arrays;

/* Arrays with ghost cells of blocks that may have gaps. */
static gap_arrays arrays_with_cells(program *p) {
    gap_arrays all = {0};
    for (size_t k = 0; k < p->view_count; k++) {
        const array *a = p->views[k];
        bool any = false;
        for (int d = 0; d < a->rank; d++)
            any = any || (a->placed.halo_low[d] + a->placed.halo_high[d] > 0 && may_have_gaps(a, d));
        if (any) vector_add(p->memory, all.array, all.count, all.capacity, a);
    }
    return all;
}

/* Room for the ghost cells of all dimensions with blocks of that length. */
static int64_t common_gap(const gap_arrays *all, const linear *block) {
    int64_t gap = 0;
    for (size_t k = 0; k < all->count; k++) {
        const array *a = all->array[k];
        for (int d = 0; d < a->rank; d++) {
            const int64_t width = a->placed.halo_low[d] + a->placed.halo_high[d];
            if (may_have_gaps(a, d) && width > gap && linear_equal(block, written_block(&a->mapping, d))) gap = width;
        }
    }
    return gap;
}

/* ---- Places with other steps: gaps of both sides are in proportion, so that places are */

/* The dimension of home that r's own places along e are found from. */
static int home_along(const reference *home, const reference *r, int e) {
    return home_dimension(home, r->subscript[e].index);
}

/* Whether gaps are not in proportion along dimension e; `unit` becomes what they must hold per iteration. */
static bool differs_in_gaps(const reference *home, const reference *r, int e, int64_t *unit) {
    if (r->placed.relation != RELATION_STEP) return false;
    const own_place *x = &r->placed.along[e];
    if (x->step == 0) return false;
    const int64_t mine = home->array->placed.gap[home_along(home, r, e)], theirs = r->array->placed.gap[e];
    const int64_t least = dpc_ceiling(mine, x->home_step), other = dpc_ceiling(theirs, x->step);
    *unit = least > other ? least : other;
    return mine != *unit * x->home_step || theirs != *unit * x->step;
}

static void set_gap(const program *p, const linear *block, int64_t gap) {
    for (size_t k = 0; k < p->view_count; k++) {
        array *a = p->views[k];
        for (int d = 0; d < a->rank; d++)
            if (may_have_gaps(a, d) && linear_equal(block, written_block(&a->mapping, d))) a->placed.gap[d] = gap;
    }
}

/* Widens gaps for the references of a statement; whether there were any to widen. */
static bool widen_gaps(const program *p, const parallel *s) {
    const reference *home = s ? home_of(s) : NULL;
    bool widened = false;
    for (size_t k = 0; home && k < s->references; k++) {
        const reference *r = &s->reference[k];
        int64_t unit;
        for (int e = 0; r->array && e < r->rank; e++) {
            if (!differs_in_gaps(home, r, e, &unit)) continue;
            set_gap(p, written_block(&home->array->mapping, home_along(home, r, e)),
                    unit * r->placed.along[e].home_step);
            set_gap(p, written_block(&r->array->mapping, e), unit * r->placed.along[e].step);
            widened = true;
        }
    }
    return widened;
}

/* What has no proportion even so is moved. */
static void move_beside_gaps(program *p, parallel *s) {
    const reference *home = s ? home_of(s) : NULL;
    for (size_t k = 0; home && k < s->references; k++) {
        reference *r = &s->reference[k];
        int64_t unit;
        for (int e = 0; r->array && e < r->rank; e++) {
            if (!differs_in_gaps(home, r, e, &unit)) continue;
            r->placed.relation = RELATION_SETS;
            r->placed.buffer = moved_name(p, r->symbol, 0);
        }
    }
}

static void match_steps(program *p) {
    enum { MOST_ROUNDS = 8 };
    const statement_list all = all_statements(p);
    bool widened = true;
    for (int round = 0; widened && round < MOST_ROUNDS; round++) {
        widened = false;
        for (size_t k = 0; k < all.count; k++) {
            widened = widen_gaps(p, all.statement[k]) || widened;
            widened = widen_gaps(p, all.statement[k]->placed.outside) || widened;
        }
    }
    for (size_t k = 0; k < all.count; k++) {
        move_beside_gaps(p, all.statement[k]);
        move_beside_gaps(p, all.statement[k]->placed.outside);
    }
}

/* Places that lie some rounds further on lie behind the gaps of these, too. */
static void add_gaps(parallel *s) {
    for (size_t k = 0; s && k < s->references; k++) {
        reference *r = &s->reference[k];
        for (int e = 0; r->array && r->placed.relation == RELATION_STEP && e < r->rank; e++)
            r->placed.along[e].first += r->placed.along[e].rounds * r->array->placed.gap[e];
    }
}

static void pass_gaps(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) {
        add_gaps(all.statement[k]);
        add_gaps(all.statement[k]->placed.outside);
    }
}

/* ---- The pass */

void match_gaps(program *p) {
    const gap_arrays all = arrays_with_cells(p);
    for (size_t k = 0; k < p->view_count; k++) {
        array *a = p->views[k];
        for (int d = 0; d < a->rank; d++)
            if (may_have_gaps(a, d)) a->placed.gap[d] = common_gap(&all, written_block(&a->mapping, d));
    }
    match_steps(p);
    pass_gaps(p);
}
