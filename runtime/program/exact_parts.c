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

/* Number of bins of a sum that needs all of them, and its bytes. */
static int bins_of(bool of_long) {
    return of_long ? DPC_EXACT_LONG_BINS : DPC_EXACT_BINS;
}

static dpc_index bytes_of(bool of_long) {
    return of_long ? (dpc_index)sizeof(dpc_exact_long) : (dpc_index)sizeof(dpc_exact);
}

static void join_rest(dpc_exact_cell *sum, bool of_long, const char *more) {
    void *rest = dpc_exact_rest(sum, bins_of(of_long));
    if (of_long) {
        dpc_exact_long x;
        memcpy(&x, more, sizeof x);
        dpc_exact_long_join(rest, &x);
    } else {
        dpc_exact x;
        memcpy(&x, more, sizeof x);
        dpc_exact_join(rest, &x);
    }
}

/* ---- Distributed arrays: the owners get cells, then what some of them have beside. */

static dpc_exact_cell *sums_at(const dpc_parts *x, dpc_index offset) {
    return (dpc_exact_cell *)(void *)x->cells + offset;
}

static void join_cells(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count) {
    const int bins = bins_of(is_long(x->array->type));
    for (dpc_index k = 0; k < count * x->sums; k++) {
        dpc_exact_cell more;
        memcpy(&more, values + k * (dpc_index)sizeof more, sizeof more);
        dpc_exact_cell_join(sums_at(x, offset * x->sums + k), bins, &more);
    }
}

/* offset: in sums, not in elements. */
static void join_rests(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count) {
    const bool of_long = is_long(x->array->type);
    for (dpc_index k = 0; k < count; k++) join_rest(sums_at(x, offset + k), of_long, values + k * bytes_of(of_long));
}

static void list_rests(const dpc_parts *x, const dpc_owner_run *run, dpc_owner_runs *list) {
    const dpc_exact_cell *sum = (const dpc_exact_cell *)(const void *)run->values;
    for (dpc_index k = 0; k < run->count * x->sums; k++)
        if (sum[k].rest != NULL)
            dpc_add_owner_run(
                list, (dpc_owner_run){
                          .owner = run->owner, .offset = run->offset * x->sums + k, .count = 1, .values = sum[k].rest});
}

static void free_rests(const dpc_parts *x, const dpc_owner_run *run) {
    dpc_exact_cell *sum = (dpc_exact_cell *)(uintptr_t)run->values;
    for (dpc_index k = 0; k < run->count * x->sums; k++) {
        free(sum[k].rest);
        sum[k].rest = NULL;
    }
}

#define ADD_CELLS(enumerator, ctype, cell, kind, rounded)                                                              \
    case enumerator:                                                                                                   \
        DPC_ADD_CELLS(ctype, cell, kind, rounded, a->elements, a->local, x->cells);                                    \
        break;

static void add_cells(const dpc_parts *x) {
    dpc_array *a = x->array;
    switch (a->type) {
        ADD_CELLS(DPC_FLOAT, float, dpc_exact_cell, dpc_exact, dpc_exact_cell_double)
        ADD_CELLS(DPC_LONG_DOUBLE, long double, dpc_exact_cell, dpc_exact, dpc_exact_cell_long_double)
        ADD_CELLS(DPC_FLOAT_COMPLEX, float _Complex, dpc_exact_complex_cell, dpc_exact_complex,
                  dpc_exact_cell_double_complex)
        ADD_CELLS(DPC_DOUBLE_COMPLEX, double _Complex, dpc_exact_complex_cell, dpc_exact_complex,
                  dpc_exact_cell_double_complex)
        ADD_CELLS(DPC_LONG_DOUBLE_COMPLEX, long double _Complex, dpc_exact_complex_cell, dpc_exact_complex,
                  dpc_exact_cell_long_double_complex)
    default:
        DPC_ADD_CELLS(double, dpc_exact_cell, dpc_exact, dpc_exact_cell_double, a->elements, a->local, x->cells);
    }
}

void dpc_combine_exact_parts(dpc_parts *x, const dpc_owner_runs *list) {
    dpc_array *a = x->array;
    dpc_owner_runs rests = {0};
    if (x->cells == NULL) x->cells = dpc_buffer(a->elements, x->size);
    dpc_combine_runs(a, &(dpc_run_combination){x->size, join_cells, x}, list);
    for (dpc_index k = 0; k < list->count; k++) list_rests(x, &list->run[k], &rests);
    int some = rests.count > 0;
    dpc_reduce(DPC_MAX, DPC_INT, &some);
    if (some) dpc_combine_runs(a, &(dpc_run_combination){bytes_of(is_long(a->type)), join_rests, x}, &rests);
    for (dpc_index k = 0; some && k < list->count; k++) free_rests(x, &list->run[k]);
    dpc_give_staging(rests.run);
    add_cells(x);
    dpc_free_buffer(x->cells);
}

/* ---- Ordinary arrays: three integers for each sum, and whether some process has more. */

enum { TOGETHER = 1 << 16, PIECES = 3, PIECE = 43, NUMBERS = PIECES + 1 };

/* Every process's sums get the greatest of their units. */
static void agree_on_units(dpc_exact_cell *sums, int bins, int count, int *unit) {
    for (int k = 0; k < count; k++) unit[k] = sums[k].unit;
    dpc_reduce_values(DPC_MAX, DPC_INT, count, unit);
    for (int k = 0; k < count; k++)
        if (unit[k] > sums[k].unit) dpc_exact_raise(&sums[k], bins, unit[k]);
}

static void take_apart(const dpc_exact_cell *sum, int64_t *numbers) {
    const int64_t low = ((int64_t)1 << PIECE) - 1;
    numbers[0] = (int64_t)sum->sum & low;
    numbers[1] = (int64_t)(sum->sum >> PIECE) & low;
    numbers[2] = (int64_t)(sum->sum >> 2 * PIECE);
    numbers[3] = sum->rest != NULL;
}

/* Numbers of many processes may be too large together. */
static void put_together(dpc_exact_cell *sum, int bins, const int64_t *numbers) {
    const int64_t high = numbers[PIECES - 1], limit = (int64_t)1 << (126 - 2 * PIECE);
    sum->sum = numbers[0] + ((dpc_wide)numbers[1] << PIECE);
    if (sum->unit == 0) return;
    if (high > -limit && high < limit)
        dpc_exact_increase(sum, bins, high * ((dpc_wide)1 << 2 * PIECE));
    else
        dpc_exact_add_to_bin(dpc_exact_rest(sum, bins), high, sum->unit + 2 * PIECE);
}

/* Of sums that have one on some process. */
static void combine_rests(dpc_exact_cell *sums, bool of_long, int count, const int64_t *numbers) {
    const dpc_index size = bytes_of(of_long);
    dpc_index some = 0, at = 0;
    for (int k = 0; k < count; k++) some += numbers[k * NUMBERS + PIECES] > 0;
    if (some == 0) return;
    char *all = dpc_raw_buffer(some, size);
    for (int k = 0; k < count; k++)
        if (numbers[k * NUMBERS + PIECES] > 0)
            memcpy(all + at++ * size, dpc_exact_rest(&sums[k], bins_of(of_long)), (size_t)size);
    if (of_long)
        dpc_combine_exact_long((dpc_exact_long *)(void *)all, some);
    else
        dpc_combine_exact((dpc_exact *)(void *)all, some);
    at = 0;
    for (int k = 0; k < count; k++)
        if (numbers[k * NUMBERS + PIECES] > 0) memcpy(sums[k].rest, all + at++ * size, (size_t)size);
    dpc_free_buffer(all);
}

static void combine_some(dpc_exact_cell *sums, bool of_long, int count, int *unit, int64_t *numbers) {
    agree_on_units(sums, bins_of(of_long), count, unit);
    for (int k = 0; k < count; k++) take_apart(&sums[k], numbers + k * NUMBERS);
    dpc_reduce_values(DPC_SUM, DPC_LONG, (dpc_index)count * NUMBERS, numbers);
    combine_rests(sums, of_long, count, numbers);
    for (int k = 0; k < count; k++) put_together(&sums[k], bins_of(of_long), numbers + k * NUMBERS);
}

static void combine_cells(dpc_exact_cell *sums, bool of_long, dpc_index count) {
    if (dpc_nprocs() == 1) return;
    int *unit = dpc_raw_buffer(dpc_minimum(count, TOGETHER), sizeof *unit);
    int64_t *numbers = dpc_raw_buffer(dpc_minimum(count, TOGETHER), NUMBERS * (dpc_index)sizeof *numbers);
    for (; count > 0; sums += TOGETHER, count -= TOGETHER)
        combine_some(sums, of_long, (int)dpc_minimum(count, TOGETHER), unit, numbers);
    dpc_free_buffer(unit);
    dpc_free_buffer(numbers);
}

DPC_STEADY void dpc_combine_exact_cells(dpc_exact_cell *sums, dpc_index count) {
    combine_cells(sums, false, count);
}

DPC_STEADY void dpc_combine_exact_long_cells(dpc_exact_cell *sums, dpc_index count) {
    combine_cells(sums, true, count);
}
