/* What a loop combines into the elements of an array, reduction(+: h): each process has parts of their results, which
 * are put together behind the loop. */
#ifndef DPC_PARTS_H
#define DPC_PARTS_H

#include "../element_types.h"
#include "arrays.h"
#include "reductions.h"
#include "spaces.h"

DPC_BEGIN_INTERFACE

/* Parts of the elements of a distributed array.  Of a small array a process has one for each element; of others, those
 * of a process that has one interval of elements along each dimension are its elements themselves, and all else begin
 * with the operation's neutral value, on pages of the array in row-major order, which are made where the loop first
 * comes to them. */
typedef struct {
    dpc_array *array;
    const char *where;
    dpc_operation operation;
    char *own;                                           /* the first part that lies in one piece with others */
    dpc_index first[DPC_MAX_RANK], extent[DPC_MAX_RANK]; /* their intervals; extents 0 where there are none */
    dpc_index stride[DPC_MAX_RANK];                      /* elements from one to the next */
    dpc_index lower[DPC_MAX_RANK], total[DPC_MAX_RANK];  /* the array's lower bounds and extents */
    dpc_index size;                                      /* bytes of a part */
    int sums;                                            /* of a part (exact.h); 0: it is a value */
    dpc_index pages;
    int shift;                     /* a page has 2 to the power of this elements */
    char **page;                   /* NULL: no part is there; there is no directory where all parts lie in one piece */
    char *all;                     /* those of a small array; NULL: it is not small */
    char *cells;                   /* sums of the elements of the local part; NULL: there are none yet */
    struct dpc_exact_queue *queue; /* of values for such sums */
} dpc_parts;

/* (local) */
dpc_parts dpc_begin_parts(const char *where, dpc_array *a, dpc_operation op);
/* The same of sums that are rounded once, behind the loop (--reproducible); parts are sums.  (local) */
dpc_parts dpc_begin_exact_parts(const char *where, dpc_array *a);
/* The part of an element that is not among the intervals: makes its page; outside the array ends the program with an
 * error.  (local) */
void *dpc_part_elsewhere(dpc_parts *x, const dpc_index *index);
/* Every owner gets the others' parts of its elements, each once, in order of the processes; every copy, where there are
 * several. */
void dpc_end_parts(dpc_parts *x);

/* The same of one whose page there is already. */
static inline void *dpc_part_on_page(dpc_parts *x, int rank, const dpc_index *index, size_t size) {
    dpc_index number = 0;
    bool inside = x->page != NULL;
    for (int d = 0; d < rank; d++) {
        const uint64_t distance = (uint64_t)index[d] - (uint64_t)x->lower[d];
        inside = inside && distance < (uint64_t)x->total[d];
        number = number * x->total[d] + (dpc_index)distance;
    }
    char *page = inside ? x->page[number >> x->shift] : NULL;
    if (page == NULL) return dpc_part_elsewhere(x, index);
    return page + (size_t)(number & (((dpc_index)1 << x->shift) - 1)) * size;
}

/* The part of an element, of `size` bytes.  (local) */
static inline void *dpc_part_of(dpc_parts *x, int rank, const dpc_index *index, size_t size) {
    dpc_index place = 0;
    for (int d = 0; d < rank; d++) {
        const uint64_t distance = (uint64_t)index[d] - (uint64_t)x->first[d];
        if (distance >= (uint64_t)x->extent[d]) return dpc_part_on_page(x, rank, index, size);
        place += (dpc_index)distance * x->stride[d];
    }
    return x->own + (size_t)place * size;
}
/* dpc_part(double, &parts, i, j): an object that can be assigned. */
#define dpc_part(ctype, parts, ...)                                                                                    \
    (*(ctype *)dpc_part_of((parts), (int)(sizeof((dpc_index[]){__VA_ARGS__}) / sizeof(dpc_index)),                     \
                           (const dpc_index[]){__VA_ARGS__}, sizeof(ctype)))

/* The same of `count` elements that every process has: neutral values, for DPC_MIN and DPC_MAX the elements' own.
 * (local) */
void *dpc_new_parts(dpc_operation op, dpc_type type, dpc_index count, const void *elements);
/* Combines every process's parts with the elements, the same bits everywhere, and frees the parts. */
void dpc_combine_parts(dpc_operation op, dpc_type type, dpc_index count, void *elements, void *parts);

/* Results of a reduction for each of a process's values of some indices: `count` of them, which begin with *start.
 * (local) */
void *dpc_new_results(dpc_index count, size_t size, const void *start);
/* Combines them at the owners of an array's elements, and frees them: results stand by position, row-major over the
 * indices of the space that occur in `subscripts`, of which the array has one each.  Returns the combined ones, laid
 * out as the array's local part; *start where there are none. */
void *dpc_combine_results(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, dpc_operation op,
                          dpc_type type, const void *start, void *results);
/* (local) */
void dpc_free_results(const dpc_array *a, void *combined, size_t size);

DPC_END_INTERFACE

#endif
