/* Which of Lee and Chen's cases a reference falls into, dimension by dimension: Table 4, with the corrections of the
 * docs/communication-sets.md, sections 5 and 9 (E12). */
#include <stdlib.h>
#include <string.h>

#include "../../runtime/distribution.h"
#include "../model/analysis.h"
#include "../model/layout.h"

/* ---- Quantities */

static quantity number(const program *p, int64_t value) {
    return (quantity){true, value, arena_format(p->memory, "%lld", (long long)value)};
}

static quantity quantity_of(const program *p, const linear *x) {
    if (linear_is_constant(x)) return number(p, x->constant);
    return (quantity){false, 0, linear_text(p->memory, x)};
}

static bool is_number(const quantity *x, int64_t value) {
    return x->known && x->value == value;
}

static quantity product(const program *p, const linear *x, const linear *y) {
    linear z = linear_multiply(p->memory, *x, *y);
    return quantity_of(p, &z);
}

/* The grid that an array is divided over, as the run time makes it; NULL extents are `*`. */
static quantity grid_extent(const program *p, const grid *g, int rank, int k) {
    int64_t fixed = 1;
    int stars = 0, stars_before = 0;
    for (int j = 0; j < rank; j++) {
        bool star = !g || !g->extent[j];
        stars += star;
        stars_before += star && j < k;
        if (!star && __builtin_mul_overflow(fixed, g->known[j], &fixed)) fixed = 0;
    }
    if (g && g->extent[k]) {
        if (g->known[k] > 0) return number(p, g->known[k]);
        if (g->part) return (quantity){false, 0, arena_format(p->memory, "N%d", k + 1)};
        return (quantity){false, 0, ast_quote(p->memory, p->source, g->extent[k])};
    }
    if (p->np > 0 && fixed > 0 && fixed <= p->np) {
        int extents[MAX_RANK] = {0};
        dpc_spread(p->np / (int)fixed, stars, extents);
        return number(p, extents[stars_before]);
    }
    if (rank == 1) return (quantity){false, 0, "N"};
    return (quantity){false, 0, arena_format(p->memory, "N%d", k + 1)};
}

/* The rank of the grid that an array is divided over; `at` becomes the dimension of the grid along d. */
static int rank_of_grid(const array *a, int d, int *at) {
    int rank = 0;
    *at = 0;
    for (int k = 0; k < a->rank; k++) {
        if (!divides(&a->mapping, k)) continue;
        if (k < d) ++*at;
        rank++;
    }
    return rank;
}

/* The array's dimension as it is divided: of what is aligned, the dimension along which it stands at the end of its
 * chain. */
const array *divided_dimension(const program *p, const array *a, int *d) {
    cells c;
    if (!a->alignment || a->plain || !cells_of(p, a, *d, &c)) return a;
    *d = c.dim;
    return c.end;
}

quantity procs_along(const program *p, const array *a, int d) {
    int at;
    a = divided_dimension(p, a, &d);
    const int rank = rank_of_grid(a, d, &at);
    if (!divides(&a->mapping, d)) return number(p, 1);
    return grid_extent(p, a->mapping.grid, rank, at);
}

/* The run time fills in every extent. */
static bool is_filled_in(const grid *g, int rank) {
    for (int k = 0; g && k < rank; k++)
        if (g->extent[k]) return false;
    return true;
}

/* Whether as many processes stand along dimension d of a as along dimension e of b, whatever the number is. */
static bool equal_procs(const program *p, const array *a, int d, const array *b, int e) {
    const quantity x = procs_along(p, a, d), y = procs_along(p, b, e);
    if (x.known || y.known) return x.known && y.known && x.value == y.value;
    int j, k;
    const int rank = rank_of_grid(a, d, &j);
    if (rank != rank_of_grid(b, e, &k) || j != k) return false;
    if (a->mapping.grid == b->mapping.grid) return true;
    return is_filled_in(a->mapping.grid, rank) && is_filled_in(b->mapping.grid, rank);
}

static quantity extent_of(const program *p, const array *a, int d) {
    linear extent = linear_subtract(p->memory, a->upper[d], a->lower[d]);
    extent = linear_add(p->memory, extent, linear_constant(1));
    return quantity_of(p, &extent);
}

quantity block_of(const program *p, const array *a, int d) {
    a = divided_dimension(p, a, &d);
    const linear *block = written_block(&a->mapping, d);
    const node *sizes = block_sizes(&a->mapping, d);
    if (sizes)
        return (quantity){false, 0, arena_format(p->memory, "maxval(%s)", ast_quote(p->memory, p->source, sizes))};
    quantity extent = extent_of(p, a, d), procs = procs_along(p, a, d);
    if (block) return quantity_of(p, block);
    if (!divides(&a->mapping, d)) return extent;
    if (extent.known && procs.known) return number(p, dpc_ceiling(extent.value, procs.value));
    return (quantity){false, 0, arena_format(p->memory, "ceil(%s / %s)", operand(p->memory, extent.text), procs.text)};
}

quantity iterations_of(const program *p, const parallel *s, int index) {
    const loop_index *x = &s->index[index];
    if (!x->triangular && linear_is_constant(&x->lower) && linear_is_constant(&x->upper) &&
        linear_is_constant(&x->stride) && x->stride.constant != 0)
        return number(p, dpc_count(x->lower.constant, x->upper.constant, x->stride.constant));
    if (x->triangular) return (quantity){false, 0, NULL};
    linear span = linear_subtract(p->memory, x->upper, x->lower);
    if (linear_is(&x->stride, 1)) {
        span = linear_add(p->memory, span, linear_constant(1));
        return quantity_of(p, &span);
    }
    return (quantity){false, 0,
                      arena_format(p->memory, "%s / %s + 1", linear_operand(p->memory, &span),
                                   linear_operand(p->memory, &x->stride))};
}

/* ---- Cases */

/* Table 4 is about one number of processes.  With two, closed forms need the cycle of the side with the greater b/s to
 * hold whole cycles of the other (runtime/combs.h). */
static int case_of_cycles(const pairing *x, int quotient_case, int64_t ratio) {
    const int64_t n1 = x->procs1.value, n2 = x->procs2.value;
    if (!x->procs1.known || !x->procs2.known) return 0;
    if (quotient_case != 3 && ratio * n2 % n1 == 0) return 2;
    if (quotient_case != 2 && ratio * n1 % n2 == 0) return 3;
    return 1;
}

/* quotient_case: 2 where b1/s1 divides b2/s2, 3 where it is a multiple, 4 where they are equal; ratio: greater to
 * smaller. */
static void set_case(pairing *x, int quotient_case, int64_t ratio) {
    x->number = quotient_case;
    x->ratio = ratio;
    if (!x->equal_procs) {
        x->number = case_of_cycles(x, quotient_case, ratio);
    } else if (x->procs1.known && x->procs1.value > 1) {
        const int64_t n = x->procs1.value;
        if (n % ratio == 0 || ratio % n == 0) x->number = 4;
    }
}

/* Both blocks and strides are known. */
static void find_known_case(pairing *x) {
    const int64_t s1 = llabs(x->s1.value), s2 = llabs(x->s2.value);
    if (s1 == 0 || s2 == 0 || x->b1.value <= 0 || x->b2.value <= 0) return;
    if (x->b1.value > DPC_MOST_BLOCK || x->b2.value > DPC_MOST_BLOCK) {
        x->number = 1;
        return;
    }
    if (x->b1.value % s1 || x->b2.value % s2) {
        x->number = 1;
        return;
    }
    const int64_t h1 = x->b1.value / s1, h2 = x->b2.value / s2;
    if (h1 == h2)
        set_case(x, 4, 1);
    else if (h2 % h1 == 0)
        set_case(x, 2, h2 / h1);
    else if (h1 % h2 == 0)
        set_case(x, 3, h1 / h2);
    else
        x->number = 1;
}

/* Blocks of one expression and unit strides: b/s is the same on both sides. */
static bool equal_ratios(const program *p, const pairing *x, const array *home, const array *a) {
    bool unit1 = is_number(&x->s1, 1) || is_number(&x->s1, -1), unit2 = is_number(&x->s2, 1) || is_number(&x->s2, -1);
    return unit1 && unit2 && equal_formats(p, home, x->home_dim, a, x->dim);
}

static void find_case(const program *p, pairing *x, const array *home, const array *a) {
    if (!x->divided || !x->home_divided) return;
    if (x->b1.known && x->b2.known && x->s1.known && x->s2.known)
        find_known_case(x);
    else if (equal_ratios(p, x, home, a))
        set_case(x, 4, 1);
}

/* Whether every block of a side holds the same number of iterations, as far as the compiler knows. */
static bool is_regular(const quantity *block, const quantity *stride) {
    if (is_number(stride, 1) || is_number(stride, -1)) return true;
    return block->known && stride->known && stride->value != 0 && block->value % stride->value == 0;
}

static bool is_irregular(const quantity *block, const quantity *stride) {
    return block->known && stride->known && (stride->value == 0 || block->value % stride->value != 0);
}

/* One block per process on a side: its iterations are an interval, which meets runs of the other side. */
static set_method method_of_intervals(const pairing *x) {
    bool one = (!x->home_divided || x->home_single), other = (!x->divided || x->single);
    if (one && other) return METHOD_CLOSED;
    const quantity *block = one ? &x->b2 : &x->b1, *stride = one ? &x->s2 : &x->s1;
    if (is_regular(block, stride)) return METHOD_CLOSED;
    return is_irregular(block, stride) ? METHOD_ROWWISE : METHOD_RUN_TIME;
}

static set_method natural_method(const pairing *x) {
    if (!x->divided && !x->home_divided) return METHOD_NONE;
    if (is_number(&x->s1, 0) || is_number(&x->s2, 0)) return METHOD_CLOSED;
    if (!x->divided || !x->home_divided || x->single || x->home_single) return method_of_intervals(x);
    if (x->ratio > 0) return x->equal_procs ? METHOD_CLOSED : METHOD_RUN_TIME;
    if (x->number == 0) return METHOD_RUN_TIME;
    return llabs(x->s1.value) > x->b1.value || llabs(x->s2.value) > x->b2.value ? METHOD_LATTICE : METHOD_ROWWISE;
}

/* Sheet, section 5, FORM 2: one section where a run of the smaller side meets one block, two more for the ends. */
static quantity section_count_of(const program *p, const pairing *x) {
    if (x->method == METHOD_NONE) return number(p, 1);
    if (x->method == METHOD_CLOSED) {
        bool interval = !x->divided || !x->home_divided || x->single || x->home_single;
        bool narrow = x->ratio == 1 || (x->ratio > 0 && x->procs1.known && x->ratio < x->procs1.value);
        return number(p, interval || narrow ? 2 : 4);
    }
    return (quantity){false, 0, NULL};
}

static bool is_divided(const program *p, const array *a, int d) {
    quantity procs = procs_along(p, a, d);
    return divides(&a->mapping, d) && !is_number(&procs, 1);
}

/* Elements from one iteration to the next; of what is aligned, cells. */
static quantity stride_of(const program *p, const reference *r, int d, const linear *step) {
    cells c;
    linear stride = r->subscript[d].stride;
    if (r->array->alignment && !r->array->plain && cells_of(p, r->array, d, &c))
        stride = linear_multiply(p->memory, c.stride, stride);
    return product(p, &stride, step);
}

static void describe_home(const program *p, pairing *x, const reference *home, const linear *step) {
    const array *a = home->array;
    x->home_divided = is_divided(p, a, x->home_dim);
    x->home_single = in_one_block(&a->mapping, x->home_dim);
    x->b1 = block_of(p, a, x->home_dim);
    x->s1 = stride_of(p, home, x->home_dim, step);
    x->procs1 = procs_along(p, a, x->home_dim);
}

/* Ranges are turned so that they ascend. */
static linear ascending_step(const program *p, const loop_index *x) {
    if (x->triangular) return linear_constant(1);
    if (!linear_is_constant(&x->stride) || x->stride.constant >= 0) return x->stride;
    return linear_subtract(p->memory, linear_constant(0), x->stride);
}

/* What --sets asks for, where it can serve. */
static set_method asked_method(const program *p, const pairing *x, set_method natural) {
    const bool interval = !x->divided || !x->home_divided || x->single || x->home_single;
    if (p->sets == METHOD_NONE || natural == METHOD_NONE || p->sets == METHOD_CLOSED) return natural;
    if (p->sets == METHOD_LATTICE && interval) return METHOD_ROWWISE;
    return p->sets;
}

pairing pairing_of(const program *p, const parallel *s, const reference *r, int d) {
    const reference *home = home_of(s);
    const subscript *u = &r->subscript[d];
    pairing x = {.dim = d, .home_dim = -1, .index = -1};
    x.divided = is_divided(p, r->array, d);
    x.single = in_one_block(&r->array->mapping, d);
    x.b2 = block_of(p, r->array, d);
    x.procs2 = procs_along(p, r->array, d);
    x.procs1 = number(p, 1);
    x.b1 = x.s1 = x.s2 = x.count = number(p, 1);
    x.sections = number(p, 1);
    if (u->kind != SUBSCRIPT_AFFINE) return x;
    const loop_index *index = &s->index[u->index];
    const linear step = ascending_step(p, index);
    x.index = u->index;
    x.count = iterations_of(p, s, u->index);
    x.s2 = stride_of(p, r, d, &step);
    x.home_dim = home_dimension(home, u->index);
    if (x.home_dim >= 0) describe_home(p, &x, home, &step);
    if (!has_regular_blocks(r->array) || (home && !has_regular_blocks(home->array))) {
        x.method = METHOD_RUN_TIME;
        x.sections = (quantity){false, 0, NULL};
        return x;
    }
    if (home && x.home_dim >= 0) {
        x.equal_procs = equal_procs(p, home->array, x.home_dim, r->array, d);
        find_case(p, &x, home->array, r->array);
    }
    x.method = natural_method(&x);
    x.method = asked_method(p, &x, x.method);
    x.sections = section_count_of(p, &x);
    return x;
}

dpc_method method_asked(const program *p, const parallel *s) {
    static const dpc_method same[] = {DPC_SETS_AUTO,    DPC_SETS_AUTO,    DPC_SETS_CLOSED,
                                      DPC_SETS_ROWWISE, DPC_SETS_LATTICE, DPC_SETS_ENUMERATE};
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->array && r->placed.relation == RELATION_SETS && r->placed.move != MOVE_INLINED) return same[p->sets];
    }
    return DPC_SETS_AUTO;
}

/* The side of the processes that execute. */
static bool find_home_side(const program *p, const parallel *s, const pairing *x, int64_t count, dpc_side *side) {
    *side = (dpc_side){dpc_whole_dim(count), {0, 1, count}, DPC_POSITION};
    return x->home_dim < 0 || find_side(p, s, home_of(s), x->home_dim, DPC_POSITION, side);
}

set_method pairing_method(const program *p, const parallel *s, const reference *r, const pairing *x) {
    static const set_method same[] = {METHOD_RUN_TIME, METHOD_CLOSED, METHOD_ROWWISE, METHOD_LATTICE, METHOD_ENUMERATE};
    dpc_side theirs, mine;
    if (p->np <= 0 || x->method == METHOD_NONE || !has_regular_blocks(r->array) ||
        (home_of(s) && !has_regular_blocks(home_of(s)->array)))
        return x->method;
    if (!find_side(p, s, r, x->dim, DPC_LOCAL_INDEX, &theirs) || !find_home_side(p, s, x, theirs.access.count, &mine))
        return x->method;
    return same[dpc_sets_method(method_asked(p, s), &theirs, &mine)];
}

static bool is_interval(bool divided, bool single) {
    return !divided || single;
}

bool pairing_is_one_run(const pairing *x) {
    return is_interval(x->divided, x->single) && is_interval(x->home_divided, x->home_single);
}

bool pairing_is_flat(const pairing *x) {
    if (is_interval(x->divided, x->single) || is_interval(x->home_divided, x->home_single)) return false;
    if (x->number < 2 || !x->equal_procs) return false;
    return x->ratio == 1 || (x->ratio > 1 && x->procs1.known && x->ratio < x->procs1.value);
}

/* b/|s| where it is a whole number. */
static int64_t iterations_per_block(const quantity *block, const quantity *stride) {
    if (!block->known || !stride->known || stride->value == 0 || block->value % llabs(stride->value)) return 0;
    return block->value > DPC_MOST_BLOCK ? 0 : block->value / llabs(stride->value);
}

int64_t pairing_length(const pairing *x) {
    const int64_t mine = iterations_per_block(&x->b2, &x->s2), home = iterations_per_block(&x->b1, &x->s1);
    if (is_interval(x->divided, x->single)) return home;
    if (is_interval(x->home_divided, x->home_single)) return mine;
    return mine < home ? mine : home;
}

int64_t pairing_run_length(const pairing *x, const loop_index *i) {
    const int64_t length = pairing_length(x);
    if (pairing_is_one_run(x) || !linear_is_constant(&i->stride) || i->stride.constant == 0) return 0;
    return pairing_is_flat(x) && length != 1 ? 0 : length; /* cut by the blocks of the other side */
}

bool pairing_has_one_strip(const pairing *x, const reference *r) {
    if (r->placed.move == MOVE_DECIDED && x->method == METHOD_RUN_TIME) return false;
    return is_interval(x->divided, x->single) || is_interval(x->home_divided, x->home_single) || pairing_is_flat(x);
}

bool goes_by_points(const program *p, const parallel *s, int k) {
    const reference *r = s->placed.waits_for >= 0 ? &s->reference[s->placed.waits_for] : NULL;
    for (int d = 0; r && d < r->rank; d++) {
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[d].index != k) continue;
        const pairing x = pairing_of(p, s, r, d);
        return pairing_run_length(&x, &s->index[k]) == 1;
    }
    return false;
}

/* ---- What stands where it is needed */

/* The least value of an ascending or descending index, if it is known from its lower bound. */
static bool first_value(const program *p, const parallel *s, int index, linear *first) {
    const loop_index *x = &s->index[index];
    const quantity count = iterations_of(p, s, index);
    *first = x->lower;
    if (x->triangular || !linear_is_constant(&x->stride)) return false;
    if (x->stride.constant > 0) return true;
    if (!count.known || count.value < 1 || !linear_is_constant(&x->lower)) return false;
    first->constant += (count.value - 1) * x->stride.constant;
    return true;
}

/* Distance of the first element that is accessed from the first block's beginning. */
static linear first_offset(const program *p, const reference *r, int d, linear first) {
    const subscript *u = &r->subscript[d];
    const linear start = linear_add(p->memory, linear_multiply(p->memory, u->stride, first), u->offset);
    return linear_subtract(p->memory, start, origin_of(p, r->array, d));
}

/* Iterations from the start of a side's block 0 to iteration 0 (docs/communication-sets.md, section 1 (b)). */
static int64_t iterations_before(const quantity *block, int64_t stride, int64_t offset) {
    return stride > 0 ? dpc_floor(offset, stride) : dpc_floor(block->value - 1 - offset, -stride);
}

bool pairing_distance(const program *p, const parallel *s, const reference *r, const pairing *x, int64_t *distance) {
    linear first;
    if (x->ratio != 1 || !x->s1.known || !x->s2.known || (x->s1.value < 0) != (x->s2.value < 0)) return false;
    if (!first_value(p, s, x->index, &first)) return false;
    const linear mine = first_offset(p, home_of(s), x->home_dim, first), theirs = first_offset(p, r, x->dim, first);
    const linear between = linear_subtract(p->memory, theirs, mine);
    if (linear_is_constant(&mine) && linear_is_constant(&theirs) && x->b1.known && x->b2.known)
        *distance = iterations_before(&x->b2, x->s2.value, theirs.constant) -
                    iterations_before(&x->b1, x->s1.value, mine.constant);
    else if (linear_is_constant(&between) && llabs(x->s1.value) == 1 && x->s1.value == x->s2.value)
        *distance = x->s1.value * between.constant;
    else
        return false;
    return true;
}

bool pairing_leads(const program *p, const parallel *s, const reference *r, const pairing *x, int64_t *home,
                   int64_t *read) {
    linear first;
    if (pairing_length(x) == 0 || is_interval(x->divided, x->single) || is_interval(x->home_divided, x->home_single))
        return false;
    if (!first_value(p, s, x->index, &first)) return false;
    const linear mine = first_offset(p, home_of(s), x->home_dim, first), theirs = first_offset(p, r, x->dim, first);
    if (!linear_is_constant(&mine) || !linear_is_constant(&theirs)) return false;
    *home = iterations_before(&x->b1, x->s1.value, mine.constant);
    *read = iterations_before(&x->b2, x->s2.value, theirs.constant);
    return true;
}

/* Whether every distance of whole cycles is 0. */
static bool is_whole_cycles(const pairing *x, int64_t distance) {
    const int64_t length = iterations_per_block(&x->b1, &x->s1);
    if (distance == 0) return true;
    return !x->single && length > 0 && x->procs1.known && distance % (length * x->procs1.value) == 0;
}

bool reference_in_place(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    if (!home || !has_regular_blocks(home->array) || !has_regular_blocks(r->array) ||
        home->array->mapping.grid != r->array->mapping.grid)
        return false;
    for (int g = 0; g < MAX_RANK; g++) {
        const int d = dimension_along(r->array, g), e = dimension_along(home->array, g);
        int64_t distance;
        if (d < 0 || e < 0) return d == e;
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE) return false;
        const pairing x = pairing_of(p, s, r, d);
        if (x.home_dim != e || !x.equal_procs) return false;
        if (!pairing_distance(p, s, r, &x, &distance) || !is_whole_cycles(&x, distance)) return false;
    }
    return true;
}

const char *method_word(set_method m) {
    static const char *const words[] = {"none", "run-time", "closed-form", "row-wise", "lattice", "enumerate"};
    return words[m];
}
