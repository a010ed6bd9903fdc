/* Lee and Chen's ideal case, b1/s1 = b2/s2 with blocks that begin together: the elements stand where they are read, at
 * places that advance by other steps than home's.  docs/communication-sets.md, section 6. */
#include "../../runtime/distribution.h"
#include "../model/model.h"
#include "place.h"

/* Iterations per block, where both sides hold as many: 0: as many, but not known how many; -1: they do not. */
static int64_t common_length(const program *p, const array *a, int d, int64_t s1, const array *b, int e, int64_t s2) {
    const quantity b1 = block_of(p, a, d), b2 = block_of(p, b, e);
    const linear *x = written_block(&a->mapping, d), *y = written_block(&b->mapping, e);
    if (b1.known && b2.known)
        return b1.value % s1 == 0 && b2.value % s2 == 0 && b1.value / s1 == b2.value / s2 ? b1.value / s1 : -1;
    if (!x || !y || (s1 != 1 && s2 != 1)) return -1;
    const linear mine = linear_multiply(p->memory, *x, linear_constant(s2));
    const linear theirs = linear_multiply(p->memory, *y, linear_constant(s1));
    return equal_values(p, &mine, a, &theirs, b) ? 0 : -1;
}

/* Elements from the first block's beginning to the subscript of iteration 0. */
static linear beginning(const program *p, const reference *r, int d) {
    return linear_subtract(p->memory, r->subscript[d].offset, origin_of(p, r->array, d));
}

/* Where r's blocks begin beside home's: the first places of a block's first iteration; false: not together. */
static bool find_phase(const program *p, const reference *home, int d, const reference *r, int e, int64_t length,
                       own_place *place) {
    const linear mine = beginning(p, home, d), theirs = beginning(p, r, e);
    int64_t ahead;
    if (linear_is_constant(&mine) && linear_is_constant(&theirs)) {
        ahead = dpc_floor(theirs.constant, place->step) - dpc_floor(mine.constant, place->home_step);
        place->origin = mine.constant - dpc_floor(mine.constant, place->home_step) * place->home_step;
        place->first = theirs.constant - dpc_floor(theirs.constant, place->step) * place->step;
    } else {
        if (place->home_step != 1) return false;
        const linear first =
            linear_subtract(p->memory, theirs, linear_multiply(p->memory, mine, linear_constant(place->step)));
        if (!linear_is_constant(&first)) return false;
        ahead = dpc_floor(first.constant, place->step);
        place->first = first.constant - ahead * place->step;
    }
    if (ahead == 0) return true;
    const quantity procs = procs_along(p, home->array, d);
    if (!procs.known || length == 0 || !is_block_cyclic(&r->array->mapping, e) || ahead % (length * procs.value) != 0)
        return false;
    place->first += ahead / procs.value * place->step;
    if (procs.value > 1) place->rounds = ahead / (length * procs.value); /* one process has its blocks side by side */
    return true;
}

/* Strides below that keep products of places small. */
enum { MOST_STEP = 1 << 16 };

static bool steps_along(const program *p, const reference *home, int d, const reference *r, int e, own_place *place) {
    const subscript *u = &home->subscript[d], *v = &r->subscript[e];
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index) return false;
    if (!linear_is_constant(&u->stride) || !linear_is_constant(&v->stride)) return false;
    if (!same_kind(&home->array->mapping, d, &r->array->mapping, e)) return false;
    *place = (own_place){.home_step = u->stride.constant, .step = v->stride.constant};
    if (place->home_step < 1 || place->step < 1 || place->home_step > MOST_STEP || place->step > MOST_STEP)
        return false;
    const int64_t length = common_length(p, home->array, d, place->home_step, r->array, e, place->step);
    return length >= 0 && find_phase(p, home, d, r, e, length, place);
}

bool is_ideal(const program *p, const reference *home, reference *r) {
    const array *a = home->array, *b = r->array;
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO || r->cycles > 0)
        return false; /* communication sets are asked for */
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return false;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    r->placed.along = arena_alloc(p->memory, (size_t)b->rank * sizeof *r->placed.along);
    while (d < a->rank && e < b->rank) {
        if (!aligned(p, home, d, r, e) && !steps_along(p, home, d, r, e, &r->placed.along[e])) return false;
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    return d == a->rank && e == b->rank;
}
