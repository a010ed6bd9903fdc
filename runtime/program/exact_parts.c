/* Sums into elements of arrays that are rounded once, --reproducible: their sums at the owners, or everywhere. */
#include "program.h"
#include "reduce.h"

#include <string.h>

static bool is_long(dpc_type type) {
    return type == DPC_LONG_DOUBLE || type == DPC_LONG_DOUBLE_COMPLEX;
}

int dpc_sums_of(dpc_type type) {
    return type == DPC_FLOAT_COMPLEX || type == DPC_DOUBLE_COMPLEX || type == DPC_LONG_DOUBLE_COMPLEX ? 2 : 1;
}

/* ---- One sum, of double or of long double */

static dpc_index cell_bytes(bool of_long) {
    return of_long ? (dpc_index)sizeof(dpc_exact_long_cell) : (dpc_index)sizeof(dpc_exact_cell);
}

dpc_index dpc_bytes_of_sums(dpc_type type) {
    return dpc_sums_of(type) * cell_bytes(is_long(type));
}

static dpc_index accumulator_bytes(bool of_long) {
    return of_long ? (dpc_index)sizeof(dpc_exact_long) : (dpc_index)sizeof(dpc_exact);
}

/* The accumulator of a sum of this process; NULL: there is none. */
static const void *accumulator_of(const char *sum, bool of_long) {
    return of_long ? (const void *)dpc_exact_long_cell_accumulator((const dpc_exact_long_cell *)(const void *)sum)
                   : (const void *)dpc_exact_cell_accumulator((const dpc_exact_cell *)(const void *)sum);
}

static void *whole(char *sum, bool of_long) {
    return of_long ? (void *)dpc_exact_long_cell_whole((dpc_exact_long_cell *)(void *)sum)
                   : (void *)dpc_exact_cell_whole((dpc_exact_cell *)(void *)sum);
}

static void clear(char *sum, bool of_long) {
    if (of_long)
        dpc_exact_long_cell_clear((dpc_exact_long_cell *)(void *)sum);
    else
        dpc_exact_cell_clear((dpc_exact_cell *)(void *)sum);
}

/* more: of another process, too; what its accumulator has comes later. */
static void join(char *sum, bool of_long, const char *more) {
    dpc_exact_cell x;
    dpc_exact_long_cell y;
    if (of_long) {
        memcpy(&y, more, sizeof y);
        dpc_exact_long_cell_join((dpc_exact_long_cell *)(void *)sum, &y);
    } else {
        memcpy(&x, more, sizeof x);
        dpc_exact_cell_join((dpc_exact_cell *)(void *)sum, &x);
    }
}

static void join_accumulator(char *sum, bool of_long, const char *more) {
    void *all = whole(sum, of_long);
    if (of_long) {
        dpc_exact_long x;
        memcpy(&x, more, sizeof x);
        dpc_exact_long_join(all, &x);
    } else {
        dpc_exact x;
        memcpy(&x, more, sizeof x);
        dpc_exact_join(all, &x);
    }
}

/* ---- Distributed arrays: the owners get sums, then the accumulators of those that have one. */

/* offset: in elements. */
static void join_cells(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count) {
    const bool of_long = is_long(x->array->type);
    const dpc_index size = cell_bytes(of_long);
    for (dpc_index k = 0; k < count * x->sums; k++)
        join(x->cells + (offset * x->sums + k) * size, of_long, values + k * size);
}

/* offset: in sums. */
static void join_accumulators(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count) {
    const bool of_long = is_long(x->array->type);
    for (dpc_index k = 0; k < count; k++)
        join_accumulator(x->cells + (offset + k) * cell_bytes(of_long), of_long,
                         values + k * accumulator_bytes(of_long));
}

static void list_accumulators(const dpc_parts *x, const dpc_owner_run *run, dpc_owner_runs *list) {
    const bool of_long = is_long(x->array->type);
    for (dpc_index k = 0; k < run->count * x->sums; k++) {
        const void *all = accumulator_of(run->values + k * cell_bytes(of_long), of_long);
        if (all != NULL)
            dpc_add_owner_run(
                list,
                (dpc_owner_run){.owner = run->owner, .offset = run->offset * x->sums + k, .count = 1, .values = all});
    }
}

static void clear_cells(const dpc_parts *x, const dpc_owner_run *run) {
    const bool of_long = is_long(x->array->type);
    char *sum = (char *)(uintptr_t)run->values;
    for (dpc_index k = 0; k < run->count * x->sums; k++) clear(sum + k * cell_bytes(of_long), of_long);
}

#define ADD_CELLS(enumerator, ctype, cell)                                                                             \
    case enumerator:                                                                                                   \
        DPC_ADD_CELLS(ctype, cell, a->elements, a->local, x->cells);                                                   \
        break;

static void add_cells(const dpc_parts *x) {
    dpc_array *a = x->array;
    switch (a->type) {
        ADD_CELLS(DPC_FLOAT, float, dpc_exact_cell)
        ADD_CELLS(DPC_LONG_DOUBLE, long double, dpc_exact_long_cell)
        ADD_CELLS(DPC_FLOAT_COMPLEX, float _Complex, dpc_exact_complex_cell)
        ADD_CELLS(DPC_DOUBLE_COMPLEX, double _Complex, dpc_exact_complex_cell)
        ADD_CELLS(DPC_LONG_DOUBLE_COMPLEX, long double _Complex, dpc_exact_long_complex_cell)
    default:
        DPC_ADD_CELLS(double, dpc_exact_cell, a->elements, a->local, x->cells);
    }
}

void dpc_combine_exact_parts(dpc_parts *x, const dpc_owner_runs *list) {
    dpc_array *a = x->array;
    dpc_owner_runs accumulators = {0};
    if (x->cells == NULL) x->cells = dpc_buffer(a->elements, x->size);
    dpc_combine_runs(a, &(dpc_run_combination){x->size, join_cells, x}, list);
    for (dpc_index k = 0; k < list->count; k++) list_accumulators(x, &list->run[k], &accumulators);
    int some = accumulators.count > 0;
    dpc_reduce(DPC_MAX, DPC_INT, &some);
    if (some)
        dpc_combine_runs(a, &(dpc_run_combination){accumulator_bytes(is_long(a->type)), join_accumulators, x},
                         &accumulators);
    for (dpc_index k = 0; some && k < list->count; k++) clear_cells(x, &list->run[k]);
    dpc_give_staging(accumulators.run);
    add_cells(x);
    dpc_free_buffer(x->cells);
}

/* ---- Ordinary arrays: each process gets all processes' sums of some elements, and gives their sum to all. */

enum { TOGETHER = 1 << 16 };

/* Sums on the way: what was added up is rounded, and `low` is 0; 1: some process has an accumulator for it, and its
 * cell stays what it was. */
typedef struct {
    char *sums, *all, *theirs;
    bool of_long;
    dpc_index count, each; /* of a process */
} combination;

static bool has_accumulator(const char *sum, bool of_long) {
    if (of_long) return isnan(((const dpc_exact_long_cell *)(const void *)sum)->high);
    return isnan(((const dpc_exact_cell *)(const void *)sum)->high);
}

static void put(char *sum, bool of_long, long double high, int low) {
    if (of_long)
        *(dpc_exact_long_cell *)(void *)sum = (dpc_exact_long_cell){high, low};
    else
        *(dpc_exact_cell *)(void *)sum = (dpc_exact_cell){(double)high, low};
}

static long double rounded(const char *sum, bool of_long) {
    return of_long ? dpc_exact_long_cell_rounded((const dpc_exact_long_cell *)(const void *)sum)
                   : dpc_exact_cell_rounded((const dpc_exact_cell *)(const void *)sum);
}

static bool is_marked(const char *sum, bool of_long) {
    if (of_long) return ((const dpc_exact_long_cell *)(const void *)sum)->low != 0;
    return ((const dpc_exact_cell *)(const void *)sum)->low != 0;
}

/* The processes' sums of one element, which stand `each` apart; the result at the first place. */
static void add_up(const combination *c, dpc_index number) {
    const dpc_index size = cell_bytes(c->of_long);
    union {
        dpc_exact_cell sum;
        dpc_exact_long_cell longer;
        char bytes[sizeof(dpc_exact_long_cell)];
    } of = {.bytes = {0}};
    char *const first = c->theirs + number * size, *const to = of.bytes;
    bool marked = false;
    for (dpc_index p = 0; p < dpc_nprocs(); p++) {
        const char *more = first + p * c->each * size;
        marked = marked || has_accumulator(more, c->of_long);
        join(to, c->of_long, more);
    }
    put(first, c->of_long, marked ? 0 : rounded(to, c->of_long), marked);
    clear(to, c->of_long);
}

static void exchange(const combination *c) {
    const int bytes = (int)(c->each * cell_bytes(c->of_long));
    dpc_begin_counting(NULL, DPC_COUNT_collectives);
    dpc_count_message(2 * (dpc_index)bytes * dpc_nprocs());
    memcpy(c->all, c->sums, (size_t)(c->count * cell_bytes(c->of_long)));
    MPI_Alltoall(c->all, bytes, MPI_BYTE, c->theirs, bytes, MPI_BYTE, dpc_communicator);
    for (dpc_index k = 0; k < c->each; k++) add_up(c, k);
    MPI_Allgather(c->theirs, bytes, MPI_BYTE, c->all, bytes, MPI_BYTE, dpc_communicator);
    dpc_end_counting();
}

/* The accumulators of marked elements, of all processes; of the others what was added up. */
static void finish_sums(const combination *c) {
    const bool of_long = c->of_long;
    const dpc_index cell = cell_bytes(of_long), size = accumulator_bytes(of_long);
    dpc_index some = 0;
    for (dpc_index k = 0; k < c->count; k++) some += is_marked(c->all + k * cell, of_long);
    char *accumulators = dpc_raw_buffer(some, size), *at = accumulators;
    for (dpc_index k = 0; k < c->count; k++) {
        char *sum = c->sums + k * cell;
        if (is_marked(c->all + k * cell, of_long))
            memcpy(at, whole(sum, of_long), (size_t)size), at += size;
        else
            memcpy(sum, c->all + k * cell, (size_t)cell);
    }
    if (of_long)
        dpc_combine_exact_long((dpc_exact_long *)(void *)accumulators, some);
    else
        dpc_combine_exact((dpc_exact *)(void *)accumulators, some);
    at = accumulators;
    for (dpc_index k = 0; k < c->count; k++)
        if (is_marked(c->all + k * cell, of_long))
            memcpy(whole(c->sums + k * cell, of_long), at, (size_t)size), at += size;
    dpc_free_buffer(accumulators);
}

static void combine_cells(char *sums, bool of_long, dpc_index count) {
    dpc_exact_finish(dpc_exact_queue_of(sums));
    if (dpc_nprocs() == 1) return;
    const dpc_index cell = cell_bytes(of_long), most = dpc_ceiling(dpc_minimum(count, TOGETHER), dpc_nprocs());
    combination c = {.all = dpc_buffer(most * dpc_nprocs(), cell),
                     .theirs = dpc_raw_buffer(most * dpc_nprocs(), cell),
                     .of_long = of_long};
    for (dpc_index from = 0; from < count; from += TOGETHER) {
        c.sums = sums + from * cell;
        c.count = dpc_minimum(count - from, TOGETHER);
        c.each = dpc_ceiling(c.count, dpc_nprocs());
        exchange(&c);
        finish_sums(&c);
    }
    dpc_free_buffer(c.all);
    dpc_free_buffer(c.theirs);
}

DPC_STEADY void dpc_combine_exact_cells(void *sums, dpc_index count) {
    combine_cells(sums, false, count);
}

DPC_STEADY void dpc_combine_exact_long_cells(void *sums, dpc_index count) {
    combine_cells(sums, true, count);
}
