/* Time tiling: several iterations of a sequential loop around stencils in one pass over memory. */
#include <string.h>

#include "../base/caches.h"
#include "../base/cost.h"
#include "../base/settings.h"
#include "program.h"

/* ---- Caches */

/* Bytes, the least of any process. */
typedef struct {
    dpc_index near; /* what tiles may take: a process's own cache, or its share of the last one */
    dpc_index last; /* its share of the last one: arrays that fit are not read from memory again */
} caches;

/* Processes that share this one's last cache, about.  (collective) */
static int processes_beside(void) {
    MPI_Comm node;
    int size;
    MPI_Comm_split_type(dpc_communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Comm_free(&node);
    return size;
}

/* (collective when it is called for the first time) */
static const caches *find_caches(void) {
    enum { SHARES = 4 };
    static caches found;
    if (found.near > 0) return &found;
    const dpc_index own = dpc_machine_caches()->second, last = dpc_machine_caches()->third / processes_beside();
    dpc_index bytes[2] = {dpc_maximum(own, last / SHARES), dpc_maximum(own, last)};
    MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_MIN, dpc_communicator);
    const dpc_index set = dpc_setting_number(DPC_SETTING_CACHE_BYTES, 0);
    found = set > 0 ? (caches){set, set} : (caches){bytes[0], bytes[1]};
    return &found;
}

/* ---- What the steps ask for */

static bool is_cyclic(const dpc_tiling *t, int d) {
    return t->step[0].reach[d].cyclic;
}

static void add_width(dpc_width *to, dpc_width x) {
    to->low += x.low;
    to->high += x.high;
}

/* Step k is executed so much further back than the one before it that this has stored what it reads, and has read what
 * it stores. */
static dpc_index shift_of_step(const dpc_tiling *t, int k, int d) {
    const dpc_stencil *before = &t->step[(k + t->steps - 1) % t->steps];
    return dpc_maximum(t->step[k].reach[d].high, before->reach[d].low);
}

static void find_shifts(dpc_tiling *t) {
    for (int d = 0; d < t->rank; d++) {
        t->reach[d] = (dpc_width){0, 0, false};
        t->advance[d] = shift_of_step(t, 0, d);
        for (int k = 0; k < t->steps; k++) {
            t->shift[k][d] = k == 0 ? 0 : t->shift[k - 1][d] + shift_of_step(t, k, d);
            t->advance[d] += k == 0 ? 0 : shift_of_step(t, k, d);
        }
        for (int k = t->steps - 1; k >= 0; k--) {
            t->beyond[k][d] = t->reach[d];
            add_width(&t->reach[d], t->step[k].reach[d]);
        }
    }
}

/* ---- What pays */

static bool is_divided(const dpc_tiling *t, int d) {
    return t->array[0]->dim[d].procs > 1;
}

/* Whether a process computes for ghost cells along a dimension: others' elements, or those of its own other end. */
static bool has_ghosts(const dpc_tiling *t, int d) {
    return is_divided(t, d) || is_cyclic(t, d);
}

/* Elements of a block along a dimension, and with half of the ghost cells for so many iterations: what a statement is
 * executed for on average. */
static double block(const dpc_tiling *t, int d) {
    const dpc_dim *x = &t->array[0]->dim[d];
    return (double)(is_divided(t, d) ? dpc_block(x) : x->extent);
}

static double block_beside(const dpc_tiling *t, int d, dpc_index iterations) {
    const double beside = has_ghosts(t, d) ? (double)(iterations * (t->reach[d].low + t->reach[d].high)) / 2 : 0;
    return block(t, d) + beside;
}

/* Bytes of one element of each array. */
static double element_bytes(const dpc_tiling *t) {
    double bytes = 0;
    for (int k = 0; k < t->arrays; k++) bytes += (double)t->array[k]->size;
    return bytes;
}

/* Elements from where the first step is to where the last one of so many iterations is. */
static double lag(const dpc_tiling *t, int d, dpc_index iterations) {
    return (double)(iterations * t->advance[d] + 1);
}

/* Chooses the tiles: a few rows where what so many iterations have between them fits the cache, else tiles of the first
 * two dimensions.  Returns how often an element comes into the cache; 0: tiles fit no cache. */
static double choose_tiles(dpc_tiling *t, dpc_index iterations, double cache) {
    enum { ROW_BYTES = 16 << 10 };
    double across = element_bytes(t), beyond = across; /* bytes of all that has one value of the first index, two */
    for (int d = 0; d < t->rank; d++) t->extent[d] = INT64_MAX / 4;
    for (int d = 1; d < t->rank; d++) across *= block_beside(t, d, iterations);
    for (int d = 2; d < t->rank; d++) beyond *= block_beside(t, d, iterations);
    const double rows = cache / across - lag(t, 0, iterations) - 1;
    if (rows >= 1) {
        const dpc_index enough = dpc_maximum(1, (dpc_index)(ROW_BYTES / across));
        t->extent[0] = rows < (double)enough ? (dpc_index)rows : enough;
        return 1;
    }
    t->extent[0] = (dpc_index)(2 * lag(t, 0, iterations));
    if (t->rank == 1) return 0;
    const double columns = cache / (beyond * 1.5 * (double)t->extent[0]) - lag(t, 1, iterations);
    t->extent[1] = dpc_maximum((dpc_index)lag(t, 1, iterations), (dpc_index)columns);
    return columns < lag(t, 1, iterations) ? 0 : 1.5 * (1 + lag(t, 1, iterations) / columns);
}

/* Iterations that ghost cells can serve, of one neighbour each. */
static dpc_index most_iterations(const dpc_tiling *t) {
    dpc_index most = INT32_MAX;
    for (int d = 0; d < t->rank; d++) {
        const dpc_index reach = dpc_maximum(t->reach[d].low, t->reach[d].high);
        if (has_ghosts(t, d) && reach > 0) most = dpc_minimum(most, dpc_block(&t->array[0]->dim[d]) / reach);
    }
    return most;
}

/* Seconds of the messages with ghost cells for so many iterations. */
static double exchange_seconds(const dpc_tiling *t, dpc_index iterations) {
    double seconds = 0;
    for (int d = 0; d < t->rank; d++) {
        if (!has_ghosts(t, d)) continue;
        double bytes = element_bytes(t) * (double)(iterations * (t->reach[d].low + t->reach[d].high));
        for (int j = 0; j < t->rank; j++)
            if (j != d) bytes *= block_beside(t, j, iterations);
        seconds += (is_divided(t, d) ? 2 * dpc_default_cost.message : 0) + bytes * dpc_default_cost.byte;
    }
    return seconds;
}

/* Seconds of an iteration where so many share a pass, in which each element comes into the cache `times` times; one
 * alone: in each of its steps. */
static double iteration_seconds(const dpc_tiling *t, dpc_index iterations, double times) {
    const double byte = dpc_default_cost.byte / 2; /* that of a message is copied twice */
    double elements = 1, bytes = 0;
    for (int d = 0; d < t->rank; d++) elements *= block_beside(t, d, times > 0 ? iterations : 0);
    for (int k = 0; k < t->steps; k++) bytes += (double)t->step[k].bytes;
    if (times > 0) bytes = 2 * element_bytes(t) * times / (double)iterations;
    return elements * (bytes * byte + t->steps * dpc_default_cost.operation / 2) +
           exchange_seconds(t, iterations) / (double)iterations;
}

static bool fits_cache(const dpc_tiling *t, const caches *c) {
    double bytes = element_bytes(t);
    for (int d = 0; d < t->rank; d++) bytes *= block(t, d);
    return bytes <= (double)c->last;
}

/* Doubles are compared: these are numbers that all processes compute alike. */
static dpc_index iterations_that_pay(dpc_tiling *t, const caches *c) {
    enum { MOST = 32 };
    const dpc_index most = dpc_minimum(MOST, most_iterations(t));
    double least = 0.9 * iteration_seconds(t, 1, 0);
    dpc_index best = 0;
    if (fits_cache(t, c)) return 0;
    for (dpc_index k = t->steps > 1 ? 1 : 2; k <= most; k++) {
        const double times = choose_tiles(t, k, (double)c->near);
        const double seconds = iteration_seconds(t, k, times);
        if (times == 0 || seconds >= least) continue;
        least = seconds;
        best = k;
    }
    return best;
}

/* ---- Planning */

static bool is_whole(const dpc_dim *d, const dpc_bounds *stored) {
    return stored->lower == d->lower && stored->upper == d->lower + (d->extent - 1);
}

/* Whether the steps stay in the arrays, and store all of what goes round; where they do not, the ordinary way does what
 * is right, or says what is wrong. */
static bool stays_inside(const dpc_tiling *t) {
    for (int k = 0; k < t->steps; k++)
        for (int d = 0; d < t->rank; d++) {
            const dpc_bounds *stored = &t->step[k].stored[d];
            const dpc_width *reach = &t->step[k].reach[d];
            if (is_cyclic(t, d) && !is_whole(&t->array[0]->dim[d], stored)) return false;
            if (stored->lower > stored->upper || is_cyclic(t, d)) continue;
            if (stored->lower < INT64_MIN / 4 || stored->upper > INT64_MAX / 4) return false;
            if (!dpc_holds(&t->array[0]->dim[d], stored->lower - reach->low) ||
                !dpc_holds(&t->array[0]->dim[d], stored->upper + reach->high))
                return false;
        }
    return true;
}

/* Whether two steps are one, whatever stands in the padding. */
static bool same_step(const dpc_stencil *x, const dpc_stencil *y, int rank) {
    for (int d = 0; d < rank; d++) {
        const dpc_width *a = &x->reach[d], *b = &y->reach[d];
        if (x->stored[d].lower != y->stored[d].lower || x->stored[d].upper != y->stored[d].upper) return false;
        if (a->low != b->low || a->high != b->high || a->cyclic != b->cyclic) return false;
    }
    return x->bytes == y->bytes;
}

static bool is_planned(const dpc_tiling *t, int arrays, dpc_array *const *array, const dpc_stencil *step,
                       dpc_index wanted) {
    for (int k = 0; k < arrays; k++)
        if (t->arrays != arrays || t->mapping[k] != array[k]->mapping || t->mapping[k] == 0) return false;
    for (int k = 0; k < t->steps; k++)
        if (!same_step(&t->step[k], &step[k], t->rank)) return false;
    return t->wanted == wanted;
}

dpc_index dpc_plan_tiling(dpc_tiling *t, const char *where, int arrays, dpc_array *const *array, int steps,
                          const dpc_stencil *step, dpc_index wanted) {
    memcpy(t->array, array, (size_t)arrays * sizeof *array);
    if (is_planned(t, arrays, array, step, wanted)) return t->depth;
    const caches *c = find_caches();
    t->where = where;
    t->rank = array[0]->rank;
    t->arrays = arrays;
    t->steps = steps;
    t->wanted = wanted;
    memcpy(t->step, step, (size_t)steps * sizeof *step);
    for (int k = 0; k < arrays; k++) t->mapping[k] = array[k]->mapping;
    find_shifts(t);
    if (!stays_inside(t))
        t->depth = 0;
    else
        t->depth = wanted > 0 ? dpc_minimum(wanted, most_iterations(t)) : iterations_that_pay(t, c);
    choose_tiles(t, dpc_maximum(t->depth, 1), (double)c->near);
    return t->depth;
}

/* ---- Ghost cells */

static void widen(const dpc_tiling *t, dpc_array *a) {
    static const bool beside[DPC_MAX_RANK];
    dpc_width halo[DPC_MAX_RANK] = {{0, 0, false}};
    int divided = 0;
    for (int d = 0; d < t->rank; d++) {
        if (!has_ghosts(t, d)) continue;
        halo[d].cyclic = is_cyclic(t, d);
        halo[d].low = t->depth * t->reach[d].low;
        halo[d].high = t->depth * t->reach[d].high;
        divided += halo[d].low + halo[d].high > 0;
    }
    dpc_widen_halo(a, t->where, halo, beside, divided > 1 ? divided : DPC_NO_CORNERS);
}

/* ---- Tiles */

/* First and last element of a step: of its own block, and those that the steps behind it read of others. */
static void find_part(const dpc_tiling *t, dpc_index iteration, int step, int d, dpc_index *first, dpc_index *last) {
    const dpc_array *a = t->array[0];
    const dpc_index behind = t->iterations - 1 - iteration;
    const dpc_width *beyond = &t->beyond[step][d], *reach = &t->reach[d];
    const dpc_bounds *stored = &t->step[step].stored[d];
    *first = a->first[d] - beyond->low - behind * reach->low;
    *last = a->last[d] + beyond->high + behind * reach->high;
    if (is_cyclic(t, d)) return; /* all of it is stored: cells beyond the ends are elements of the other end */
    *first = dpc_maximum(stored->lower, *first);
    *last = dpc_minimum(stored->upper, *last);
}

static dpc_index shift(const dpc_tiling *t, dpc_index iteration, int step, int d) {
    return iteration * t->advance[d] + t->shift[step][d];
}

/* Where the first tile begins, and how many there are until the last part ends. */
static void find_tiles(dpc_tiling *t, int d) {
    dpc_index begin = INT64_MAX, end = INT64_MIN, first, last;
    for (dpc_index i = 0; i < t->iterations; i++)
        for (int k = 0; k < t->steps; k++) {
            find_part(t, i, k, d, &first, &last);
            if (first > last) continue;
            begin = dpc_minimum(begin, first + shift(t, i, k, d));
            end = dpc_maximum(end, last + shift(t, i, k, d));
        }
    t->begin[d] = begin;
    t->tiles[d] = end < begin ? 0 : (end - begin) / t->extent[d] + 1;
}

static void refresh(const dpc_tiling *t) {
    dpc_refreshing *halo = dpc_refresh(t->where, t->arrays, t->array);
    for (dpc_message *from = halo->from; from < halo->from_end; from++)
        MPI_Irecv(from->data, from->count, from->type, from->process, halo->tag, dpc_communicator, from->request);
    for (dpc_message *to = halo->to; to < halo->to_end; to++)
        MPI_Isend(to->data, to->count, to->type, to->process, halo->tag, dpc_communicator, to->request);
    dpc_end_refresh(halo);
}

void dpc_begin_tiling(dpc_tiling *t, dpc_index iterations) {
    dpc_begin_local(t->where);
    for (int k = 0; k < t->arrays; k++) widen(t, t->array[k]);
    refresh(t);
    t->iterations = iterations;
    for (int d = 0; d < t->rank; d++) find_tiles(t, d);
}

static bool is_empty(const dpc_tiling *t) {
    for (int d = 0; d < t->rank; d++)
        if (t->tiles[d] == 0 || t->array[0]->extent[d] == 0) return true;
    return false;
}

dpc_time_tile dpc_first_time_tile(const dpc_tiling *t) {
    return (dpc_time_tile){.tiling = t, .more = !is_empty(t)};
}

void dpc_next_time_tile(dpc_time_tile *tile) {
    int d = tile->tiling->rank - 1;
    while (d >= 0 && ++tile->at[d] == tile->tiling->tiles[d]) tile->at[d--] = 0;
    tile->more = d >= 0;
}

dpc_stencil_box dpc_stencil_part(const dpc_time_tile *tile, dpc_index iteration, int step) {
    const dpc_tiling *t = tile->tiling;
    dpc_stencil_box box;
    for (int d = 0; d < t->rank; d++) {
        dpc_index first, last;
        const dpc_index begin = t->begin[d] + tile->at[d] * t->extent[d] - shift(t, iteration, step, d);
        find_part(t, iteration, step, d, &first, &last);
        box.first[d] = dpc_maximum(first, begin);
        box.last[d] = dpc_minimum(last, begin + t->extent[d] - 1);
    }
    return box;
}
