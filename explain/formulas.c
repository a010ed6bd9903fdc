/* Bounds of what each process sends, as formulas of its number. */
#include "formulas.h"

#include <stdlib.h>
#include <string.h>

#include "../runtime/distribution.h"

/* ---- Expressions */

static const quantity no_bound = {false, 0, NULL};

static quantity number(const program *p, int64_t value) {
    return (quantity){true, value, arena_format(p->memory, "%lld", (long long)value)};
}

static bool is(const quantity *x, int64_t value) {
    return x->known && x->value == value;
}

static quantity combined(const program *p, quantity x, const char *op, quantity y) {
    const char *left = op[0] == '+' ? x.text : operand(p->memory, x.text);
    const char *right = op[0] == '+' ? y.text : operand(p->memory, y.text);
    return (quantity){false, 0, arena_format(p->memory, "%s %s %s", left, op, right)};
}

static quantity plus(const program *p, quantity x, quantity y) {
    int64_t sum;
    if (!x.text || !y.text) return no_bound;
    if (x.known && y.known && !__builtin_add_overflow(x.value, y.value, &sum)) return number(p, sum);
    return is(&x, 0) ? y : is(&y, 0) ? x : combined(p, x, "+", y);
}

static quantity times(const program *p, quantity x, quantity y) {
    int64_t product;
    if (!x.text || !y.text) return no_bound;
    if (x.known && y.known && !__builtin_mul_overflow(x.value, y.value, &product)) return number(p, product);
    if (is(&x, 0) || is(&y, 0)) return number(p, 0);
    return is(&x, 1) ? y : is(&y, 1) ? x : combined(p, x, "*", y);
}

static quantity divided(const program *p, quantity x, quantity y) {
    if (!x.text || !y.text) return no_bound;
    if (x.known && y.known && y.value > 0) return number(p, dpc_floor(x.value, y.value));
    return is(&y, 1) ? x : combined(p, x, "/", y);
}

static quantity ceiling(const program *p, quantity x, quantity y) {
    if (!x.text || !y.text) return no_bound;
    if (x.known && y.known && y.value > 0) return number(p, dpc_ceiling(x.value, y.value));
    if (is(&y, 1)) return x;
    return (quantity){false, 0,
                      arena_format(p->memory, "ceil(%s / %s)", operand(p->memory, x.text), operand(p->memory, y.text))};
}

static quantity least(const program *p, quantity x, quantity y) {
    if (!x.text) return y;
    if (!y.text) return x;
    if (x.known && y.known) return number(p, x.value < y.value ? x.value : y.value);
    if (is(&x, 0) || is(&y, 1)) return is(&x, 0) ? x : y;
    if (!strcmp(x.text, y.text)) return x;
    return (quantity){false, 0, arena_format(p->memory, "min(%s, %s)", x.text, y.text)};
}

static quantity less_one(const program *p, quantity x) {
    if (x.known) return number(p, x.value - 1);
    return (quantity){false, 0, arena_format(p->memory, "%s - 1", operand(p->memory, x.text))};
}

quantity formula_times(const program *p, quantity x, int64_t factor) {
    return times(p, number(p, factor), x);
}

quantity all_processes(const program *p) {
    return p->np > 0 ? number(p, p->np) : (quantity){false, 0, "N"};
}

/* ---- One dimension */

/* Iterations per block of one side, 0: not the same in every block, or not known. */
static int64_t run_length(const quantity *block, const quantity *stride) {
    if (!block->known || !stride->known || stride->value == 0 || block->value % llabs(stride->value)) return 0;
    return block->value > DPC_MOST_BLOCK ? 0 : block->value / llabs(stride->value);
}

/* Blocks that hold different numbers of iterations, but each at least one: those that the iterations touch, dealt out.
 */
static quantity in_blocks(const program *p, const pairing *x) {
    if (!x->b2.known || !x->s2.known || x->s2.value == 0 || llabs(x->s2.value) > x->b2.value) return no_bound;
    const quantity stride = number(p, llabs(x->s2.value));
    const quantity touched = plus(p, divided(p, times(p, x->count, stride), x->b2), number(p, 2));
    return times(p, ceiling(p, touched, x->procs2), ceiling(p, x->b2, stride));
}

/* Iterations that one process owns: of all, those of its blocks. */
static quantity owned(const program *p, const pairing *x) {
    const int64_t length = run_length(&x->b2, &x->s2);
    quantity h = length > 0 ? number(p, length) : no_bound;
    if (!x->divided || x->index < 0) return x->count;
    if (length == 0 && x->s2.known && llabs(x->s2.value) == 1) h = x->b2;
    if (x->single && h.text) return least(p, x->count, h);
    if (x->single && x->s2.known && x->s2.value != 0)
        return least(p, x->count, ceiling(p, x->b2, number(p, llabs(x->s2.value))));
    if (!h.text) return least(p, x->count, in_blocks(p, x));
    return least(p, x->count, plus(p, divided(p, x->count, x->procs2), h));
}

/* Of equal b/s at a distance below a block: the end of every block of the sender goes to one neighbour. */
static quantity shifted(const program *p, const pairing *x, int64_t distance) {
    const int64_t length = run_length(&x->b2, &x->s2);
    if (x->single) return number(p, llabs(distance));
    if (length == 0) return owned(p, x);
    const quantity cycle = times(p, number(p, length), x->procs2);
    const quantity blocks = plus(p, divided(p, x->count, cycle), number(p, 2));
    return least(p, owned(p, x), times(p, number(p, llabs(distance)), blocks));
}

/* Whether the distance is known to be at most a block, so that only one neighbour is met. */
static bool is_short(const pairing *x, int64_t distance) {
    return llabs(distance) <= 1 || llabs(distance) <= run_length(&x->b2, &x->s2);
}

static bool has_known_ratio(const pairing *x) {
    return x->number >= 2 && x->ratio > 1 && x->ratio < DPC_MOST_BLOCK && x->divided && !x->single && !x->home_single &&
           x->b1.known && x->b2.known && x->s1.known && x->s2.known;
}

/* Receivers of one sender: a big block meets ratio small ones and one more that it cuts; a small block's coordinate
 * meets those whose big blocks begin in a window of so many, each gcd(ratio, N) times at most
 * (docs/communication-sets.md, section 5, PE sets). */
static int64_t block_meets(const pairing *x) {
    const bool big = x->b2.value / llabs(x->s2.value) >= x->b1.value / llabs(x->s1.value);
    return big ? x->ratio + 1 : 2 * x->ratio;
}

/* Coordinates of the receivers along a dimension that both sides share. */
static quantity partners(const program *p, const pairing *x, bool near) {
    if (!x->home_divided || x->index < 0) return number(p, 1);
    if (near) return number(p, 1);
    if (x->divided && x->ratio == 1 && x->number == 4) return number(p, 2);
    if (has_known_ratio(x)) return least(p, x->procs1, number(p, block_meets(x)));
    return x->procs1;
}

/* ---- Statements */

/* Processes that read the same elements: those along grid dimensions of home that the reference's indices do not run
 * along. */
static quantity copies(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    quantity product = number(p, 1);
    if (!home) return all_processes(p);
    for (int d = 0; d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        bool shared = false;
        if (!divides(&home->array->mapping, d) || u->kind != SUBSCRIPT_AFFINE) continue;
        for (int k = 0; k < r->rank; k++)
            shared |= r->subscript[k].kind == SUBSCRIPT_AFFINE && r->subscript[k].index == u->index;
        if (!shared) product = times(p, product, procs_along(p, home->array, d));
    }
    return product;
}

/* Whether an element at distance 0 is on the process that reads it, and on no other that does: both sides have the same
 * grid dimensions, each with an index. */
static bool same_grid_dimensions(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    if (!home || divided_dimensions(home->array) != divided_dimensions(r->array)) return false;
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        if (!divides(&r->array->mapping, d)) continue;
        if (x.index < 0 || !x.home_divided) return false;
        if (grid_dimension(&r->array->mapping, d) != grid_dimension(&home->array->mapping, x.home_dim)) return false;
    }
    return true;
}

formulas fetch_formulas(const program *p, const parallel *s, const reference *r) {
    const quantity readers = copies(p, s, r);
    const bool stays = same_grid_dimensions(p, s, r); /* what stays on its coordinates stays on its process */
    formulas f = {number(p, 1), number(p, 1), no_bound};
    int moving = 0;
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        int64_t distance = 0;
        const bool known = stays && x.index >= 0 && x.divided && x.home_divided && x.number == 4 &&
                           pairing_distance(p, s, r, &x, &distance);
        const bool near = known && (distance == 0 || is_short(&x, distance));
        moving += x.divided && x.index >= 0 && !(known && distance == 0);
        f.messages = times(p, f.messages, partners(p, &x, near));
        f.elements =
            times(p, f.elements, near && distance != 0 && moving == 1 ? shifted(p, &x, distance) : owned(p, &x));
    }
    /* Shifts along several dimensions: the corner's neighbours too. */
    if (moving > 1) f = (formulas){all_processes(p), number(p, 1), no_bound};
    for (int d = 0; moving > 1 && d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        f.elements = times(p, f.elements, owned(p, &x));
    }
    const quantity all = all_processes(p);
    f.messages = times(p, f.messages, readers);
    f.messages = f.messages.text && !strcmp(f.messages.text, all.text) ? less_one(p, all)
                                                                       : least(p, f.messages, less_one(p, all));
    f.elements = times(p, f.elements, is(&readers, 1) ? readers : least(p, readers, all));
    const int64_t pair = element_bytes(r->array->element) + (p->model == COMM_DEPOSIT ? (int64_t)sizeof(int64_t) : 0);
    f.bytes = formula_times(p, f.elements, pair);
    return f;
}

static quantity extent_of(const program *p, const array *a, int d) {
    const linear extent =
        linear_add(p->memory, linear_subtract(p->memory, a->upper[d], a->lower[d]), linear_constant(1));
    return linear_is_constant(&extent) ? number(p, extent.constant)
                                       : (quantity){false, 0, linear_text(p->memory, &extent)};
}

/* Blocks of a process along dimension d. */
static quantity blocks_of(const program *p, const array *a, int d) {
    if (!is_block_cyclic(&a->mapping, d)) return number(p, 1);
    return ceiling(p, ceiling(p, extent_of(p, a, d), block_of(p, a, d)), procs_along(p, a, d));
}

/* The elements by which the blocks of extents that differ by so many begin apart, at most: (N - 1) times the difference
 * of their blocks. */
static quantity between(const program *p, const array *a, int d, int64_t extents) {
    return extents > 0 ? plus(p, number(p, extents), procs_along(p, a, d)) : number(p, 0);
}

/* Elements that go to one side where ghost cells are so wide: one less for each neighbour behind others, which may have
 * one element each where a table says how many, and on a ring. */
static int64_t to_one_side(const array *a, int d, int64_t width) {
    return block_sizes(&a->mapping, d) || a->placed.cyclic[d] ? width * (width + 1) / 2 : width;
}

formulas refresh_formulas(const program *p, const array *a, int planes) {
    formulas f = {number(p, 0), number(p, 0), no_bound};
    quantity apart_along[MAX_RANK + 1]; /* neighbours that are apart along so many dimensions at once */
    const int most = a->placed.corners > 1 ? a->placed.corners : 1;
    for (int k = 0; k <= most; k++) apart_along[k] = number(p, k == 0);
    for (int d = 0; d < a->rank; d++) {
        const int64_t width = a->placed.halo_low[d] + a->placed.halo_high[d];
        const bool dealt = is_block_cyclic(&a->mapping, d);
        const quantity apart = plus(p, between(p, a, d, a->placed.less[d]), between(p, a, d, a->placed.more[d]));
        const quantity wide = plus(p, number(p, width), apart);
        const quantity neighbours =
            dealt ? number(p, (a->placed.halo_low[d] > 0) + (a->placed.halo_high[d] > 0)) : wide;
        const int64_t sent = to_one_side(a, d, a->placed.halo_low[d]) + to_one_side(a, d, a->placed.halo_high[d]);
        quantity strip = times(p, blocks_of(p, a, d), plus(p, number(p, sent), apart));
        for (int k = planes; k < a->rank; k++) {
            const int64_t beside = a->placed.corners && k < d ? a->placed.halo_low[k] + a->placed.halo_high[k] : 0;
            const quantity across = times(p, blocks_of(p, a, k), plus(p, block_of(p, a, k), number(p, beside)));
            if (k != d) strip = times(p, strip, across);
        }
        for (int k = most; k > 0; k--)
            apart_along[k] = plus(p, apart_along[k], times(p, apart_along[k - 1], neighbours));
        f.elements = plus(p, f.elements, strip);
    }
    for (int k = 1; k <= most; k++) f.messages = plus(p, f.messages, apart_along[k]);
    f.bytes = formula_times(p, f.elements, element_bytes(a->element));
    return f;
}

formulas redistribution_formulas(const program *p, const array *a) {
    formulas f = {less_one(p, all_processes(p)), number(p, 1), no_bound};
    for (int d = 0; d < a->rank; d++) {
        const quantity n = extent_of(p, a, d);
        const quantity block = block_of(p, a, d), procs = procs_along(p, a, d);
        const bool star = !divides(&a->mapping, d), single = in_one_block(&a->mapping, d);
        f.elements = times(p, f.elements,
                           star     ? n
                           : single ? least(p, n, block)
                                    : least(p, n, plus(p, divided(p, n, procs), block)));
    }
    f.bytes = formula_times(p, f.elements, element_bytes(a->element));
    return f;
}

formulas both_formulas(const program *p, formulas a, formulas b) {
    return (formulas){plus(p, a.messages, b.messages), plus(p, a.elements, b.elements), plus(p, a.bytes, b.bytes)};
}
