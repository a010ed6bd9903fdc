/* The cost model.  See cost.h. */
#include "cost.h"

#include <math.h>

const dpc_cost dpc_default_cost = {
    .message = 2e-6,
    .byte = 2e-10,
    .typed_byte = 5e-10,
    .typed_run = 1e-8,
    .element = 1e-9,
    .run = 2e-9,
    .section = 2e-8,
    .owner = 1.2e-8,
    .operation = 1e-9,
};

enum { SAMPLED_PROCESSES = 4, SAMPLED_RUNS = 16, COUNTED_PROCESSES = 128 };

static double least(double x, double y) {
    return x < y ? x : y;
}

static double most(double x, double y) {
    return x > y ? x : y;
}

/* ---- One side: what a process owns */

typedef struct {
    dpc_dim dim;
    dpc_access access;
} side;

static dpc_index between(dpc_index least, dpc_index x, dpc_index most) {
    return x < least ? least : x > most ? most : x;
}

/* The motion with numbers that stay within 64 bits when they are multiplied: a guess beyond. */
static dpc_motion bounded(const dpc_motion *m) {
    const dpc_index most = DPC_MOST_BLOCK, far = DPC_MOST_INDEX / 2;
    dpc_motion x = *m;
    x.left_block = between(1, m->left_block, most);
    x.right_block = between(1, m->right_block, most);
    x.left_stride = between(-most, m->left_stride, most);
    x.right_stride = between(-most, m->right_stride, most);
    x.left_offset = between(-far, m->left_offset, far);
    x.right_offset = between(-far, m->right_offset, far);
    const dpc_index step = dpc_maximum(1, dpc_maximum(dpc_magnitude(x.left_stride), dpc_magnitude(x.right_stride)));
    x.count = between(0, m->count, far / step);
    return x;
}

/* Unknown offsets: the two sides are one iteration apart. */
static side side_of(const dpc_motion *m, bool left) {
    const dpc_index block = left ? m->left_block : m->right_block, stride = left ? m->left_stride : m->right_stride;
    dpc_index first = left ? m->left_offset : m->right_offset;
    if (!m->offsets_known) first = left ? 0 : stride;
    /* a dimension that holds every access: the lower bound moves down by whole cycles for negative strides */
    side s = {dpc_dealt_dim(0, INT64_MAX / 4, block, m->procs, 0, 0), {first, stride, m->count}};
    dpc_index cycle, down;
    if (stride < 0 && !__builtin_mul_overflow(block, m->procs, &cycle) &&
        !__builtin_mul_overflow(stride, m->count, &down) && first + down < 0)
        s.dim.lower = (first + down) / cycle * cycle - cycle;
    else if (first < 0 && !__builtin_mul_overflow(block, m->procs, &cycle))
        s.dim.lower = first / cycle * cycle - cycle;
    return s;
}

/* Iterations of the process with the most. */
static double most_owned(const side *s) {
    double owned = 0;
    for (dpc_index k = 0; k < s->dim.procs && k < SAMPLED_PROCESSES; k++) {
        const dpc_index p = k * s->dim.procs / (s->dim.procs < SAMPLED_PROCESSES ? s->dim.procs : SAMPLED_PROCESSES);
        owned = most(owned, (double)dpc_owned_count(&s->dim, &s->access, p));
    }
    return owned;
}

/* ---- Closed forms (docs/communication-sets.md, section 5), in x = iteration + shift */

typedef struct {
    dpc_index h, H, ratio;  /* iterations in a small and in a big block; their quotient */
    dpc_index big_shift, D; /* big owner floor((i + big_shift) / H) mod N, small floor((i + big_shift + D) / h) mod N */
    dpc_index M, W;         /* N*h, N*H */
    bool left_is_big;       /* Case 3 */
    int big_sign, small_sign; /* of the strides: virtual process numbers are sign * number mod N */
} closed_form;

/* e of section 1(b). */
static dpc_index shift_of(dpc_index offset, dpc_index stride, dpc_index block) {
    return stride > 0 ? dpc_floor(offset, stride) : dpc_floor(block - 1 - offset, -stride);
}

static bool find_closed_form(const dpc_motion *m, closed_form *c) {
    const dpc_index s1 = dpc_magnitude(m->left_stride), s2 = dpc_magnitude(m->right_stride);
    if (s1 == 0 || s2 == 0 || m->left_block % s1 || m->right_block % s2) return false;
    const dpc_index h1 = m->left_block / s1, h2 = m->right_block / s2;
    if (h1 % h2 && h2 % h1) return false;
    c->left_is_big = h1 > h2;
    c->h = c->left_is_big ? h2 : h1;
    c->H = c->left_is_big ? h1 : h2;
    c->ratio = c->H / c->h;
    const dpc_index o1 = m->offsets_known ? m->left_offset : 0,
                    o2 = m->offsets_known ? m->right_offset : m->right_stride;
    const dpc_index e1 = shift_of(o1, m->left_stride, m->left_block);
    const dpc_index e2 = shift_of(o2, m->right_stride, m->right_block);
    c->big_shift = c->left_is_big ? e1 : e2;
    c->D = c->left_is_big ? e2 - e1 : e1 - e2;
    const int sign1 = m->left_stride > 0 ? 1 : -1, sign2 = m->right_stride > 0 ? 1 : -1;
    c->big_sign = c->left_is_big ? sign1 : sign2;
    c->small_sign = c->left_is_big ? sign2 : sign1;
    return !__builtin_mul_overflow(m->procs, c->h, &c->M) && !__builtin_mul_overflow(m->procs, c->H, &c->W) &&
           c->W < INT64_MAX / 4 && m->count < INT64_MAX / 4;
}

int dpc_closed_case(const dpc_motion *m, dpc_index *ratio) {
    const dpc_motion within = bounded(m);
    closed_form c;
    *ratio = 0;
    if (!find_closed_form(&within, &c)) return 1;
    *ratio = c.ratio;
    if (c.ratio == 1 || m->procs % c.ratio == 0 || c.ratio % m->procs == 0) return 4;
    return c.left_is_big ? 3 : 2;
}

/* Elements of the full pattern of one big block before offset y: g of docs/communication-sets.md. */
static dpc_index pattern_before(const closed_form *c, dpc_index t0, dpc_index w0, dpc_index y) {
    const dpc_index inside = y < c->H ? y : c->H, z = inside > t0 ? inside - t0 : 0, rest = z % c->M;
    return (w0 < inside ? w0 : inside) + z / c->M * c->h + (rest < c->h ? rest : c->h);
}

/* Iterations before v (in x) that virtual P of the big and virtual Q of the small side share: f of
 * docs/communication-sets.md. */
static dpc_index shared_before(const closed_form *c, dpc_index P, dpc_index t0, dpc_index w0, dpc_index v) {
    const dpc_index from = v - P * c->H;
    return dpc_floor(from, c->W) * pattern_before(c, t0, w0, c->W) + pattern_before(c, t0, w0, dpc_modulo(from, c->W));
}

/* |I| of virtual process numbers P (big side) and Q (small side).  O(1). */
static dpc_index shared_count(const closed_form *c, const dpc_motion *m, dpc_index P, dpc_index Q) {
    const dpc_index t0 = dpc_modulo(Q * c->h - c->D - P * c->H, c->M), w = t0 - (m->procs - 1) * c->h;
    const dpc_index w0 = w > 0 ? w : 0;
    return shared_before(c, P, t0, w0, c->big_shift + m->count) - shared_before(c, P, t0, w0, c->big_shift);
}

static dpc_index virtual_number(int sign, dpc_index p, dpc_index procs) {
    return dpc_modulo(sign * p, procs);
}

/* Values that cross processes, at the process with the most (of COUNTED_PROCESSES if there are more). */
static double closed_elements(const closed_form *c, const dpc_motion *m, const side *left, const side *right) {
    double moved = 0;
    for (dpc_index p = 0; p < m->procs; p += m->procs / COUNTED_PROCESSES + 1) {
        const double kept = (double)shared_count(c, m, virtual_number(c->big_sign, p, m->procs),
                                                 virtual_number(c->small_sign, p, m->procs));
        moved = most(moved, (double)dpc_owned_count(&left->dim, &left->access, p) - kept);
        moved = most(moved, (double)dpc_owned_count(&right->dim, &right->access, p) - kept);
    }
    return moved;
}

/* Partners of process p in either direction, whichever are more (docs/communication-sets.md, section 5, PE SETS, n >=
 * W). */
static dpc_index partners_of(const closed_form *c, const dpc_motion *m, dpc_index p) {
    const dpc_index N = m->procs, r = c->ratio % N, wanted = c->ratio + (dpc_modulo(c->D, c->h) > 0);
    const dpc_index reach = wanted < N ? wanted : N, common = dpc_common_divisor(r, N);
    const dpc_index P = virtual_number(c->big_sign, p, N), Q = virtual_number(c->small_sign, p, N);
    const dpc_index distance = dpc_modulo(Q - dpc_floor(c->D, c->h), N), start = distance % common;
    const dpc_index of_small = start < reach ? common * ((reach - 1 - start) / common + 1) : 0;
    const dpc_index own = dpc_modulo(distance - P * r, N) < reach;
    return (of_small > reach ? of_small : reach) - own;
}

static double closed_partners(const closed_form *c, const dpc_motion *m, double elements) {
    dpc_index partners = 0;
    for (dpc_index p = 0; p < m->procs; p += m->procs / COUNTED_PROCESSES + 1) {
        const dpc_index here = partners_of(c, m, p);
        if (here > partners) partners = here;
    }
    return least((double)partners, elements);
}

static dpc_estimate closed_amounts(const closed_form *c, const dpc_motion *m, const side *left, const side *right) {
    dpc_estimate e = {0};
    e.elements = closed_elements(c, m, left, right);
    e.messages = closed_partners(c, m, e.elements);
    const double owned = most(most_owned(left), most_owned(right));
    const double small_blocks = ceil(owned / (double)c->h);
    const bool straddles = dpc_modulo(c->D, c->h) > 0;
    const double pieces =
        c->ratio == 1 ? small_blocks * e.messages
                      : small_blocks * (1 + (straddles ? 1 / (double)c->ratio : 0)) * e.elements / most(owned, 1);
    e.runs = least(e.elements, ceil(pieces));
    e.sections = least(e.messages * (c->ratio < m->procs ? 2 : 4), e.runs);
    return e;
}

/* ---- Any blocks */

/* Among the iterations that p owns on the left, the fraction that it owns on the right too: its first runs. */
static double kept_fraction(const side *left, const side *right, dpc_index p) {
    double seen = 0, kept = 0;
    dpc_block_run r = dpc_first_block(&left->dim, &left->access, p);
    for (int k = 0; k < SAMPLED_RUNS && r.count > 0; k++) {
        seen += (double)r.count;
        kept += (double)(dpc_owned_before(&right->dim, &right->access, p, r.first + r.count) -
                         dpc_owned_before(&right->dim, &right->access, p, r.first));
        dpc_next_block(&r);
    }
    return seen > 0 ? kept / seen : 1;
}

static double moved_fraction(const side *left, const side *right) {
    const dpc_index procs = left->dim.procs;
    double moved = 0;
    for (dpc_index k = 0; k < procs && k < SAMPLED_PROCESSES; k++) {
        const dpc_index p = k * procs / (procs < SAMPLED_PROCESSES ? procs : SAMPLED_PROCESSES);
        moved = most(moved, 1 - kept_fraction(left, right, p));
    }
    return moved;
}

static dpc_estimate general_amounts(const dpc_motion *m, const side *left, const side *right) {
    dpc_estimate e = {0};
    const double h1 = most((double)m->left_block / (double)dpc_magnitude(m->left_stride), 1);
    const double h2 = most((double)m->right_block / (double)dpc_magnitude(m->right_stride), 1);
    const double owned = most(most_owned(left), most_owned(right));
    e.elements = ceil(owned * moved_fraction(left, right));
    const double big_blocks = ceil(owned / most(h1, h2)), met = floor(most(h1, h2) / least(h1, h2)) + 2;
    e.messages = least(least((double)m->procs - 1, e.elements), big_blocks * met);
    e.runs = least(e.elements, ceil(e.elements / least(h1, h2)) + big_blocks);
    e.sections = e.runs;
    return e;
}

/* ---- Generating sets */

/* Blocks that one process accesses of a side, and how many there are until the common pattern repeats. */
typedef struct {
    double accessed, in_own_period, in_period;
    double own_period; /* iterations: period_e */
} blocks_of_side;

static double period_of(const side *s) {
    return (double)dpc_period(&s->dim, &s->access);
}

static double common_period(const side *left, const side *right) {
    const dpc_index x = dpc_period(&left->dim, &left->access), y = dpc_period(&right->dim, &right->access);
    return (double)x / (double)dpc_common_divisor(x, y) * (double)y;
}

static blocks_of_side count_blocks(const side *s, double period) {
    const double cycle = (double)dpc_block(&s->dim) * (double)s->dim.procs;
    const double stride = (double)dpc_magnitude(s->access.stride), own = period_of(s);
    blocks_of_side b = {.own_period = own};
    b.accessed = most(1, ceil((double)s->access.count * stride / cycle));
    b.in_own_period = most(1, own * stride / cycle);
    b.in_period = most(1, period * stride / cycle);
    return b;
}

/* Whether a run of x meets at most one block of a process of y: x may drive (docs/communication-sets.md, section 3). */
static bool may_drive(const side *x, const side *y) {
    const dpc_index sx = dpc_magnitude(x->access.stride), sy = dpc_magnitude(y->access.stride);
    return (double)dpc_ceiling(dpc_block(&x->dim), sx) <=
           ceil((((double)y->dim.procs - 1) * (double)dpc_block(&y->dim) + 1) / (double)sy);
}

/* Factor (I): runs of the driving side, for one pair of processes. */
static double rowwise_steps(const side *driver, const side *other) {
    const blocks_of_side b = count_blocks(driver, common_period(driver, other));
    return least(b.accessed, b.in_period + 1);
}

/* Factor (II): groups of blocks, in each the lattice points that reach the partner; they stop where the loop does. */
static double lattice_steps(const side *driver, const side *other) {
    const blocks_of_side b = count_blocks(driver, common_period(driver, other));
    const double cycle = (double)dpc_block(&other->dim) * (double)other->dim.procs;
    const double stride_y = (double)dpc_magnitude(other->access.stride);
    const double run = ceil((double)dpc_block(&driver->dim) / (double)dpc_magnitude(driver->access.stride));
    const double length = (run - 1) * stride_y;
    const double window = least((double)dpc_block(&other->dim) + length, cycle);
    const double step = fmod(b.own_period * stride_y, cycle);
    const double divisor = cycle > 9e15 ? cycle : (double)dpc_common_divisor((dpc_index)cycle, (dpc_index)step);
    const double repeats = most(1, (double)driver->access.count / b.own_period);
    const double points = most(least(window / divisor, repeats * window / cycle), 0);
    return least(b.accessed, b.in_own_period) * (1 + points);
}

/* Steps to generate the sets of one process, as sender and as receiver. */
static double generation_steps(const dpc_motion *m, const side *left, const side *right, dpc_method method,
                               const dpc_estimate *e) {
    const side *driver = may_drive(left, right) ? left : right, *other = driver == left ? right : left;
    const double pairs = 2 * (double)(m->procs - 1);
    switch (method) {
    case DPC_SETS_AUTO:
    case DPC_SETS_CLOSED:
        return 2 * (e->messages + 1) + e->sections;
    case DPC_SETS_ROWWISE:
        return pairs * rowwise_steps(driver, other);
    case DPC_SETS_LATTICE:
        return pairs * lattice_steps(driver, other);
    case DPC_SETS_ENUMERATE:
        return most_owned(left) + most_owned(right);
    }
    return 0;
}

dpc_estimate dpc_estimate_motion(const dpc_cost *cost, const dpc_motion *motion, dpc_method method, dpc_model model) {
    if (motion->procs <= 1 || motion->count <= 0) return (dpc_estimate){0};
    const dpc_motion within = bounded(motion), *m = &within;
    const side left = side_of(m, true), right = side_of(m, false);
    closed_form c;
    const bool closed = find_closed_form(m, &c);
    if (!closed && (method == DPC_SETS_CLOSED || method == DPC_SETS_AUTO)) method = DPC_SETS_ROWWISE;
    dpc_estimate e = closed ? closed_amounts(&c, m, &left, &right) : general_amounts(m, &left, &right);
    const double address = model == DPC_MODEL_DEPOSIT ? (double)sizeof(dpc_index) : 0;
    e.bytes = e.elements * ((double)m->element_size + address);
    e.steps = generation_steps(m, &left, &right, method, &e);
    if (model == DPC_MODEL_DEPOSIT) e.steps /= 2; /* receivers store where the addresses say */
    e.generation = e.steps * (method == DPC_SETS_ENUMERATE ? 2 * cost->owner : cost->section);
    e.seconds = e.generation + e.messages * cost->message + e.bytes * cost->byte +
                2 * (e.elements * cost->element + e.runs * cost->run);
    return e;
}

/* ---- Granularity */

double dpc_imbalance(dpc_space_shape shape, double m, double procs, double block) {
    if (shape == DPC_TRIANGULAR) return 2 * m * block * (procs - 1) / procs;
    const double cycle = block * procs, rest = fmod(m, cycle), last = most(rest - (procs - 1) * block, 0);
    return procs > 1 ? 2 * m * (least(rest, block) - last) : 0;
}

double dpc_load_ratio(dpc_space_shape shape, double m, double procs, double block) {
    if (shape == DPC_TRIANGULAR) return (m + block * procs - block + 1) / (m - block * procs + block + 1);
    const double half = dpc_imbalance(shape, m, procs, block) / 2, fair = 2 * m * m / procs;
    return (fair + half) / most(fair - half, 1);
}

double dpc_boundary(dpc_space_shape shape, double m, double procs, double block) {
    if (procs <= 1) return 0;
    if (shape == DPC_RECTANGULAR) return 4 * m * ceil(m / (block * procs));
    return 2 * m * (m / (block * procs) + 1 - 1 / procs + 1 / (block * procs));
}

double dpc_best_block(dpc_space_shape shape, double m, double procs, double computation, double communication) {
    if (shape == DPC_RECTANGULAR || procs <= 1) return m / most(procs, 1);
    return sqrt(communication / computation * (m + 1) / (procs - 1));
}
