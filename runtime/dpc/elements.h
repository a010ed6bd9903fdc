/* Single elements. */
#ifndef DPC_ELEMENTS_H
#define DPC_ELEMENTS_H

#include "../start.h"
#include "arrays.h"

DPC_BEGIN_INTERFACE

/* The functions below are inline: a statement on one element is mostly the arithmetic of its subscripts, which the C
 * compiler does once for all elements of the statement that have the same.  `rank` is the array's. (local) */
#define DPC_INDICES(...)                                                                                               \
    (int)(sizeof((const dpc_index[]){__VA_ARGS__}) / sizeof(dpc_index)), (const dpc_index[]) {                         \
        __VA_ARGS__                                                                                                    \
    }
/* Ends the program when the element is outside the array. */
void dpc_fail_bounds(const char *where, const dpc_array *a, int dimension, dpc_index index) __attribute__((noreturn));
/* Ends the program where a section along a dimension, counted from 0, is not inside the array. (local) */
void dpc_check_section(const char *where, const dpc_array *a, int dimension, dpc_index lower, dpc_index upper,
                       dpc_index stride);
static inline void dpc_check_element(const dpc_array *a, const char *where, int rank, const dpc_index *index) {
    for (int k = 0; k < rank; k++)
        if (!dpc_holds(&a->dim[k], index[k])) dpc_fail_bounds(where, a, k, index[k]);
}
/* The same of one subscript, which is the value. */
static inline dpc_index dpc_checked(const dpc_array *a, const char *where, int dimension, dpc_index index) {
    const dpc_dim *d = &a->dim[dimension];
    if (__builtin_expect(index < d->lower || index - d->lower >= d->extent, false))
        dpc_fail_bounds(where, a, dimension, index);
    return index;
}
/* The same of the first and the last subscript of a loop that steps from one to the other, if it has iterations. */
static inline void dpc_check_ends(const dpc_array *a, const char *where, int dimension, bool any, dpc_index first,
                                  dpc_index last) {
    if (!any) return;
    dpc_checked(a, where, dimension, first);
    dpc_checked(a, where, dimension, last);
}
/* Whether the array has all of these subscripts, if there are any. */
static inline bool dpc_has(const dpc_array *a, int dimension, dpc_index first, dpc_index last) {
    return first > last || (dpc_holds(&a->dim[dimension], first) && dpc_holds(&a->dim[dimension], last));
}
static inline bool dpc_owns_element(const dpc_array *a, int rank, const dpc_index *index) {
    bool owns = a->member;
    for (int k = 0; k < rank; k++) owns = owns && dpc_owner(&a->dim[k], index[k]) == a->coord[k];
    return owns;
}
/* Where an element that this process owns stands. */
static inline void *dpc_own_element(const dpc_array *a, const char *where, int rank, const dpc_index *index) {
    dpc_index offset = 0;
    dpc_check_element(a, where, rank, index);
    for (int k = 0; k < rank; k++) offset += dpc_local(&a->dim[k], index[k]) * a->stride[k];
    return (char *)a->local + offset * a->size;
}

/* Statements are counted (DPC_STATS), or must not be executed (dpc_each_element). */
#if DPC_USES(dpc_each_element) || DPC_USES(dpc_check_all)
extern bool dpc_watched;
void dpc_watch(const dpc_array *a, const char *where);
static inline void dpc_watch_statement(const dpc_array *a, const char *where) {
    if (dpc_watched) dpc_watch(a, where);
}
#else
#define dpc_watch_statement(a, where) DPC_LEFT_OUT
#endif
static inline bool dpc_stores_here(dpc_array *a, const char *where, int rank, const dpc_index *index) {
    if (!dpc_main_thread) dpc_fail_thread(where);
    dpc_watch_statement(a, where);
    dpc_check_element(a, where, rank, index);
    dpc_changed(a);
    return dpc_owns_element(a, rank, index);
}

/* ---- Single elements.  dpc_get: every process gets the owner's value.  dpc_set: the owner stores; the value of the
 * expression is the stored value.  Out of bounds: an error with file, line, array, index and bounds. */
void *dpc_read(const dpc_array *a, const char *where, void *value, const dpc_index *index);
void *dpc_write(dpc_array *a, const char *where, void *value, const dpc_index *index);
/* The element if this process owns it, else NULL. (local) */
void *dpc_mine(dpc_array *a, const char *where, const dpc_index *index);
#define dpc_get(ctype, array, where, ...)                                                                              \
    (*(ctype *)dpc_read((array), (where), &(ctype){0}, (const dpc_index[]){__VA_ARGS__}))
#define dpc_set(ctype, array, where, value, ...)                                                                       \
    ({                                                                                                                 \
        ctype *dpc_stored = dpc_write((array), (where), (ctype[1]){value}, (const dpc_index[]){__VA_ARGS__});          \
        *dpc_stored = *dpc_stored; /* an assignment: compilers do not miss its value in (dpc_set(..), ..) */           \
    })

/* A row for a function that only reads it, where every process calls it: a pointer to a copy of the elements along the
 * last dimension, which is not divided, that stays until the same call is evaluated again.  With a last subscript, the
 * pointer is to its element. */
void *dpc_read_row(const dpc_array *a, const char *where, void **kept, int subscripts, const dpc_index *index);
#define dpc_row(ctype, array, where, ...)                                                                              \
    ({                                                                                                                 \
        static void *dpc_kept;                                                                                         \
        (ctype *)dpc_read_row((array), (where), &dpc_kept, DPC_INDICES(__VA_ARGS__));                                  \
    })

/* Statements on single elements that the owner of the one that is stored executes alone:
 *     if (dpc_stores(&A_dist, where, k)) dpc_element(double, &A_dist, where, k) += dpc_element(double, &B_dist, where,
 * k); or, where others may own what is read,
 *     DPC_BY_OWNER(process, &A_dist, where, k) {
 *         const double B_in = dpc_bring(double, &B_dist, where, process, j);
 *         if (process == dpc_rank()) dpc_element(double, &A_dist, where, k) += B_in;
 *     }
 * that process gets the owner's value, others 0 before it.  Where the element that is stored has copies, process is -1,
 * every process gets the value, and those that it belongs to (dpc_keeps) store it. */
int dpc_store_begins(dpc_array *a, const char *where, const dpc_index *index);
void *dpc_send_element(const dpc_array *a, const char *where, void *value, int process, const dpc_index *index);
#define dpc_storing_process(array, where, ...) dpc_store_begins((array), (where), (const dpc_index[]){__VA_ARGS__})
#define DPC_BY_OWNER(process, array, where, ...)                                                                       \
    for (int process = dpc_storing_process(array, where, __VA_ARGS__), dpc_once = 1; dpc_once; dpc_once = 0)
#define dpc_stores(array, where, ...) dpc_stores_here((array), (where), DPC_INDICES(__VA_ARGS__))
#define dpc_keeps(array, ...) dpc_owns_element((array), DPC_INDICES(__VA_ARGS__))
#define dpc_element(ctype, array, where, ...) (*(ctype *)dpc_own_element((array), (where), DPC_INDICES(__VA_ARGS__)))
#define dpc_bring(ctype, array, where, process, ...)                                                                   \
    (*(ctype *)dpc_send_element((array), (where), &(ctype){0}, (process), (const dpc_index[]){__VA_ARGS__}))

DPC_END_INTERFACE

#endif
