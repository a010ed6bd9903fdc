/* What a program translated with --check=all compares as it runs: the processes take one path with equal variables, and
 * a statement assigns no element twice, subscripts of ordinary arrays stay inside. */
#ifndef DPC_CHECKS_H
#define DPC_CHECKS_H

#include "../agree.h"
#include "arrays.h"

DPC_BEGIN_INTERFACE

/* What the iterations of a statement assign and read, as they come to it: zeroed before the first. */
typedef struct {
    dpc_index count, room, kept;
    dpc_index *entry; /* of each the element's row-major number, the values of the statement's indices, whether it is
                         assigned */
    dpc_index value[DPC_MAX_RANK]; /* of the indices in the iteration that has begun */
} dpc_assignments;
/* An iteration begins; it assigns or reads an element, with subscripts within the array's bounds; it assigns ordinary
 * memory. (local) */
void dpc_begin_iteration(dpc_assignments *x, int indices, const dpc_index *value);
void dpc_accesses(dpc_assignments *x, const dpc_array *a, int indices, bool stored, const dpc_index *subscript);
void dpc_assigns_memory(dpc_assignments *x, int indices, const void *at);
/* Ends the program where an iteration, of one process or of two, assigns an element that another one assigns or reads;
 * frees what was noted.  names: of the indices.  The second: of memory, which each process has; what: its text. */
void dpc_check_assignments(dpc_assignments *x, const char *where, const dpc_array *a, int indices,
                           const char *const *names);
void dpc_check_memory(dpc_assignments *x, const char *where, const char *what, int indices, const char *const *names);

/* A subscript of an ordinary array whose first one is `lower`: the value; ends the program where it is outside. (local)
 */
void dpc_fail_within(const char *where, const char *name, int dimension, dpc_index index, dpc_index lower,
                     dpc_index extent) __attribute__((noreturn));
static inline dpc_index dpc_within(const char *where, const char *name, int dimension, dpc_index index, dpc_index lower,
                                   size_t extent) {
    if (__builtin_expect(index < lower || (uint64_t)index - (uint64_t)lower >= extent, false))
        dpc_fail_within(where, name, dimension, index, lower, (dpc_index)extent);
    return index;
}
/* The same of a subscript of a pointer to elements of `size` bytes, where the pointer points into a block of
 * dpc_new_block. (local) */
void dpc_leaves_block(const char *where, const char *name, int dimension, dpc_index index, const dpc_seen_pointer *seen,
                      size_t size);
static inline dpc_index dpc_within_seen(dpc_seen_pointer *seen, const char *where, const char *name, int dimension,
                                        const void *p, dpc_index index, size_t size) {
    int64_t at;
    if (__builtin_expect(seen->pointer != p || seen->changes != dpc_blocks_changed, false)) dpc_see_pointer(seen, p);
    if (__builtin_expect(__builtin_mul_overflow(index, (int64_t)size, &at) || at < seen->low ||
                             at > seen->high - (int64_t)size,
                         false))
        dpc_leaves_block(where, name, dimension, index, seen, size);
    return index;
}
/* Each place in the text keeps what was found out about its pointer. */
#define dpc_within_block(where, name, dimension, p, index, size)                                                       \
    ({                                                                                                                 \
        static __thread dpc_seen_pointer dpc_pointer_there;                                                            \
        dpc_within_seen(&dpc_pointer_there, where, name, dimension, p, index, size);                                   \
    })

/* A variable of a function that stays where it is, whenever the function is called: pointers into it have bounds. */
#define DPC_NOTE(variable)                                                                                             \
    ({                                                                                                                 \
        static bool dpc_noted;                                                                                         \
        if (!dpc_noted) dpc_note_memory((const void *)&(variable), sizeof(variable));                                  \
        dpc_noted = true;                                                                                              \
    })

/* The number of rows of an array; of rows without elements: so many bytes as it has, none. */
#define DPC_COUNT(array) (sizeof(array) / (sizeof *(array) ? sizeof *(array) : 1))

/* Whether a C loop's subscript stays inside, by both ends of what it goes through, where there is anything; else it is
 * compared as it is evaluated, `unless` that is so. (local) */
__extension__ typedef __int128 dpc_wide_index;
static inline bool dpc_ends_inside(bool any, dpc_wide_index first, dpc_wide_index last, dpc_wide_index lower,
                                   dpc_wide_index extent) {
    return !any || (first >= lower && first - lower < extent && last >= lower && last - lower < extent);
}
static inline bool dpc_ends_inside_seen(dpc_seen_pointer *seen, bool any, dpc_wide_index first, dpc_wide_index last,
                                        const void *p, size_t size) {
    if (!any) return true;
    if (__builtin_expect(seen->pointer != p || seen->changes != dpc_blocks_changed, false)) dpc_see_pointer(seen, p);
    const dpc_wide_index width = (dpc_wide_index)size, low = seen->low, high = seen->high - width;
    return first >= INT64_MIN && first <= INT64_MAX && last >= INT64_MIN && last <= INT64_MAX && first * width >= low &&
           first * width <= high && last * width >= low && last * width <= high;
}
#define dpc_ends_inside_block(any, first, last, p, size)                                                               \
    ({                                                                                                                 \
        static __thread dpc_seen_pointer dpc_pointer_there;                                                            \
        dpc_ends_inside_seen(&dpc_pointer_there, any, first, last, p, size);                                           \
    })
static inline dpc_index dpc_within_unless(bool inside, const char *where, const char *name, int dimension,
                                          dpc_index index, dpc_index lower, size_t extent) {
    return inside ? index : dpc_within(where, name, dimension, index, lower, extent);
}
#define dpc_within_block_unless(inside, where, name, dimension, p, index, size)                                        \
    ({                                                                                                                 \
        const dpc_index dpc_index_there = index;                                                                       \
        if (!(inside)) dpc_within_block(where, name, dimension, p, dpc_index_there, size);                             \
        dpc_index_there;                                                                                               \
    })

/* Both ends of what a subscript goes through, where there is anything. (local) */
static inline void dpc_ends_within(const char *where, const char *name, int dimension, bool any, dpc_index first,
                                   dpc_index last, dpc_index lower, size_t extent) {
    if (!any) return;
    dpc_within(where, name, dimension, first, lower, extent);
    dpc_within(where, name, dimension, last, lower, extent);
}
static inline void dpc_ends_within_block(const char *where, const char *name, int dimension, const void *p, bool any,
                                         dpc_index first, dpc_index last, size_t size) {
    dpc_seen_pointer seen = DPC_ZERO;
    if (!any) return;
    dpc_within_seen(&seen, where, name, dimension, p, first, size);
    dpc_within_seen(&seen, where, name, dimension, p, last, size);
}

/* A pointer to what the program reads or stores; `name` is the text of that. */
#define DPC_IN_BLOCK(where, name, ...)                                                                                 \
    ({                                                                                                                 \
        __auto_type dpc_pointer = __VA_ARGS__;                                                                         \
        dpc_within_block(where, name, -1, (const void *)dpc_pointer, 0, sizeof *dpc_pointer);                          \
        dpc_pointer;                                                                                                   \
    })

/* What a statement on distributed arrays reads of ordinary memory, which every process is to have alike. */
#define DPC_ALIKE(where, name, ...)                                                                                    \
    (*({                                                                                                               \
        __auto_type dpc_place = &(__VA_ARGS__);                                                                        \
        if (__builtin_expect(dpc_differs, 0))                                                                          \
            dpc_look_at(where, name, dpc_type_of(*dpc_place), (const void *)dpc_place);                                \
        dpc_place;                                                                                                     \
    }))

DPC_END_INTERFACE

#endif
