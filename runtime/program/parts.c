/* Reductions into the elements of arrays: parts of distributed ones go to their owners, those of ordinary arrays are
 * combined everywhere. */
#include "program.h"
#include "reduce.h"

#include <limits.h>
#include <string.h>

/* ---- Values */

/* A NaN that an element was before a minimum or a maximum stays. */
#pragma GCC diagnostic ignored "-Wint-in-bool-context" /* products of truth values are meant */
#define IS_LESS(x, y) (__real__(x) < __real__(y))
#define COMBINE_EACH(ctype, AT, COMBINED)                                                                              \
    for (dpc_index k = 0; k < count; k++) {                                                                            \
        ctype x, y;                                                                                                    \
        char *to = into + (AT) * (dpc_index)sizeof x;                                                                  \
        memcpy(&x, to, sizeof x);                                                                                      \
        memcpy(&y, from + k * (dpc_index)sizeof y, sizeof y);                                                          \
        x = (ctype)(COMBINED);                                                                                         \
        memcpy(to, &x, sizeof x);                                                                                      \
    }
/* DPC_AND, DPC_OR or DPC_XOR of elements of `size` bytes. */
static void combine_bits(dpc_operation op, char *into, const char *from, const dpc_index *place, dpc_index count,
                         dpc_index size) {
    for (dpc_index k = 0; k < count; k++)
        for (dpc_index b = 0; b < size; b++) {
            char *to = into + (place == NULL ? k : place[k]) * size + b;
            const char x = *to, y = from[k * size + b];
            *to = (char)(op == DPC_AND ? x & y : op == DPC_OR ? x | y : x ^ y);
        }
}

#define COMBINE(enumerator, ctype, mpi)                                                                                \
    static void combine_##enumerator(dpc_operation op, char *into, const char *from, const dpc_index *place,           \
                                     dpc_index count) {                                                                \
        if (op == DPC_SUM && place == NULL)                                                                            \
            COMBINE_EACH(ctype, k, x + y)                                                                              \
        else if (op == DPC_SUM)                                                                                        \
            COMBINE_EACH(ctype, place[k], x + y)                                                                       \
        else if (op == DPC_PRODUCT)                                                                                    \
            COMBINE_EACH(ctype, place == NULL ? k : place[k], x * y)                                                   \
        else if (op == DPC_MIN)                                                                                        \
            COMBINE_EACH(ctype, place == NULL ? k : place[k], IS_LESS(y, x) ? y : x)                                   \
        else if (op >= DPC_AND)                                                                                        \
            combine_bits(op, into, from, place, count, sizeof(ctype));                                                 \
        else                                                                                                           \
            COMBINE_EACH(ctype, place == NULL ? k : place[k], IS_LESS(x, y) ? y : x)                                   \
    }
DPC_ELEMENT_TYPES(COMBINE)

static dpc_combination *const combination[] = {
#define COMBINATION(enumerator, ctype, mpi) [enumerator] = combine_##enumerator,
    DPC_ELEMENT_TYPES(COMBINATION)};

dpc_combination *dpc_combination_of(dpc_type type) {
    return combination[type];
}

/* Greatest and least integers: the sign's bit is the top one. */
static void extreme_integer(char *value, dpc_index size, bool greatest, bool has_sign) {
    const dpc_index top = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? size - 1 : 0;
    memset(value, greatest ? 0xff : 0, (size_t)size);
    if (has_sign) value[top] ^= (char)0x80;
}

static const double beyond = HUGE_VAL;

/* The operation's neutral value; of a sum -0, as 0 - added to -0 - makes 0. */
#define NEUTRAL(enumerator, ctype, mpi)                                                                                \
    case enumerator: {                                                                                                 \
        ctype x = (ctype)(op == DPC_PRODUCT ? 1 : -0.0);                                                               \
        const bool extreme = op == DPC_MIN || op == DPC_MAX;                                                           \
        if (extreme && enumerator == DPC_BOOL)                                                                         \
            x = op == DPC_MIN;                                                                                         \
        else if (extreme && (ctype)0.5 != 0)                                                                           \
            x = (ctype)(op == DPC_MIN ? beyond : -beyond);                                                             \
        else if (extreme)                                                                                              \
            extreme_integer((char *)&x, sizeof x, op == DPC_MIN, IS_LESS((ctype)-1, (ctype)1));                        \
        if (op >= DPC_AND) memset(&x, op == DPC_AND ? 0xff : 0, sizeof x);                                             \
        memcpy(value, &x, sizeof x);                                                                                   \
        break;                                                                                                         \
    }

/* value: of at least the size of the largest element. */
static void put_neutral(dpc_operation op, dpc_type type, char *value) {
    switch (type) {
        DPC_ELEMENT_TYPES(NEUTRAL)
    case DPC_TYPES:
        dpc_fail(NULL, "libdpc: reduction of an unknown type");
    }
    if (op == DPC_AND && type == DPC_BOOL) *value = 1;
}

enum { LARGEST_ELEMENT = sizeof(long double _Complex) };

static void fill_neutral(dpc_operation op, dpc_type type, dpc_index count, dpc_index size, char *values) {
    char value[LARGEST_ELEMENT] = {0};
    put_neutral(op, type, value);
    for (dpc_index k = 0; k < count; k++) memcpy(values + k * size, value, (size_t)size);
}

/* ---- Parts of a distributed array's elements */

static char *new_parts(const dpc_parts *x, dpc_index count) {
    if (x->sums > 0) return dpc_buffer(count, x->size);
    char *parts = dpc_raw_buffer(count, x->size);
    fill_neutral(x->operation, x->array->type, count, x->size, parts);
    return parts;
}

enum { LARGEST_PART = sizeof(dpc_exact_long_complex_cell) };
enum { LEAST_SHIFT = 8, MOST_SHIFT_OF_PAGES = 20, SMALL = 1 << 15 };

/* One part of each element, in row-major order. */
static void make_all(dpc_parts *x, dpc_index total) {
    const dpc_array *a = x->array;
    dpc_index stride = 1;
    x->own = x->all = new_parts(x, total);
    for (int d = a->rank - 1; d >= 0; d--) {
        x->first[d] = x->lower[d];
        x->extent[d] = x->total[d];
        x->stride[d] = stride;
        stride *= x->total[d];
    }
}

/* Of an array whose elements, or sums of those, it has been given. */
static dpc_parts begin(dpc_parts x) {
    const dpc_array *a = x.array;
    dpc_index total = 1, own = 1;
    dpc_find_intervals(a, x.first, x.extent, x.stride);
    for (int d = 0; d < a->rank; d++) {
        x.lower[d] = a->dim[d].lower;
        x.total[d] = a->dim[d].extent;
        total *= x.total[d];
        own *= x.extent[d];
    }
    if (own == total) return x;
    if (total <= SMALL) {
        make_all(&x, total);
        return x;
    }
    while (total >> x.shift >> MOST_SHIFT_OF_PAGES > 0) x.shift++;
    x.pages = dpc_ceiling(total, (dpc_index)1 << x.shift);
    x.page = dpc_buffer(x.pages, sizeof *x.page);
    return x;
}

dpc_parts dpc_begin_parts(const char *where, dpc_array *a, dpc_operation op) {
    return begin((dpc_parts){
        .array = a, .where = where, .operation = op, .size = a->size, .own = a->local, .shift = LEAST_SHIFT});
}

dpc_parts dpc_begin_exact_parts(const char *where, dpc_array *a) {
    dpc_parts x = begin((dpc_parts){.array = a,
                                    .where = where,
                                    .sums = dpc_sums_of(a->type),
                                    .size = dpc_bytes_of_sums(a->type),
                                    .shift = LEAST_SHIFT});
    if (x.all == NULL) x.own = x.cells = dpc_buffer(a->elements, x.size);
    x.queue = dpc_buffer(1, sizeof *x.queue);
    return x;
}

/* The number of an element in row-major order. */
static dpc_index number_of(const dpc_array *a, const dpc_index *index) {
    dpc_index number = 0;
    for (int d = 0; d < a->rank; d++) number = number * a->dim[d].extent + (index[d] - a->dim[d].lower);
    return number;
}

void *dpc_part_elsewhere(dpc_parts *x, const dpc_index *index) {
    const dpc_array *a = x->array;
    dpc_check_element(a, x->where, a->rank, index);
    const dpc_index number = number_of(a, index), count = (dpc_index)1 << x->shift;
    char **page = &x->page[number >> x->shift];
    if (*page == NULL) *page = new_parts(x, count);
    return *page + (number & (count - 1)) * x->size;
}

/* Lists what there is in `count` parts, which begin with element `number`. */
static void list_runs(const dpc_parts *x, dpc_owner_runs *list, dpc_index number, dpc_index count, const char *parts) {
    char neutral[LARGEST_PART] = {0};
    if (x->sums == 0) put_neutral(x->operation, x->array->type, neutral);
    dpc_list_runs(list, x->array, number, count, parts, x->size, neutral);
}

static void combine_values(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count) {
    const dpc_array *a = x->array;
    combination[a->type](x->operation, (char *)a->local + offset * a->size, values, NULL, count);
}

void dpc_end_parts(dpc_parts *x) {
    dpc_array *a = x->array;
    const dpc_index each = (dpc_index)1 << x->shift;
    dpc_index total = 1;
    dpc_owner_runs list = {0};
    if (x->queue != NULL) dpc_exact_finish(x->queue);
    for (int d = 0; d < a->rank; d++) total *= x->total[d];
    if (x->all != NULL) list_runs(x, &list, 0, total, x->all);
    for (dpc_index k = 0; x->page != NULL && k < x->pages; k++)
        if (x->page[k] != NULL) list_runs(x, &list, k * each, dpc_minimum(each, total - k * each), x->page[k]);
    if (x->sums > 0)
        dpc_combine_exact_parts(x, &list);
    else
        dpc_combine_runs(a, &(dpc_run_combination){.size = a->size, .combine = combine_values, .parts = x}, &list);
    dpc_give_staging(list.run);
    for (dpc_index k = 0; x->page != NULL && k < x->pages; k++) dpc_free_buffer(x->page[k]);
    dpc_free_buffer(x->page);
    dpc_free_buffer(x->all);
    dpc_free_buffer(x->queue);
}

/* ---- Parts of elements that every process has */

dpc_index dpc_size_of(dpc_type type) {
    static const dpc_index size[] = {
#define SIZE(enumerator, ctype, mpi) [enumerator] = sizeof(ctype),
        DPC_ELEMENT_TYPES(SIZE)};
    return size[type];
}

void *dpc_new_parts(dpc_operation op, dpc_type type, dpc_index count, const void *elements) {
    const dpc_index size = dpc_size_of(type);
    char *parts = dpc_buffer(count, size);
    if (op == DPC_MIN || op == DPC_MAX)
        memcpy(parts, elements, (size_t)(count * size));
    else
        fill_neutral(op, type, count, size, parts);
    return parts;
}

void dpc_combine_parts(dpc_operation op, dpc_type type, dpc_index count, void *elements, void *parts) {
    const dpc_index size = dpc_size_of(type);
    dpc_reduce_values(op, type, count, parts);
    if (op == DPC_MIN || op == DPC_MAX)
        memcpy(elements, parts, (size_t)(count * size));
    else
        combination[type](op, elements, parts, NULL, count);
    dpc_free_buffer(parts);
}
