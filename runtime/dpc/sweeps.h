/* Sweeps: loops whose iterations read what earlier ones store at constant distances, as a pipeline of processes. */
#ifndef DPC_SWEEPS_H
#define DPC_SWEEPS_H

#include "spaces.h"

DPC_BEGIN_INTERFACE

/* How an index of the space runs: from the greatest value to the least; whether its values may be divided into blocks,
 * one after the other, each of which is executed for all values of the other indices; chain, of the innermost index:
 * each iteration needs what the one before has just computed, and its values may be divided, too. */
typedef struct {
    bool down, blocks, chain;
} dpc_course;

/* An array that iterations store and later ones read. */
typedef struct {
    dpc_array *array;
    const dpc_subscript *subscripts; /* per dimension, of the element that an iteration stores: stride 1, or index -1 */
    const dpc_width *behind;         /* per divided dimension: how far before that element iterations read; `low` where
                                        the index runs up, `high` where it runs down */
} dpc_swept;

/* The iterations that this process executes, in blocks of one of the indices.  Before a block the ghost cells that it
 * reads come from the processes before this one in the courses of the indices; behind it what the processes after this
 * one read goes to them.  A process without iterations takes part as well.  Which index has blocks, and how many, is
 * what the cost model takes for fastest; operations: what an iteration consists of.  Where blocks are dealt
 * round-robin, a stage is one block of each divided dimension.  Of a chain a stage is a short part, so that a processor
 * executes the next row while it waits for the results of this one. for (dpc_stage stage = dpc_first_stage(&space,
 * operations, courses, arrays, swept); stage.more; dpc_next_stage(&stage)) loops first[k] .. last[k], or down
 * (docs/internals.md, section 5) */
typedef struct dpc_sweep dpc_sweep;
typedef struct {
    dpc_index first[DPC_MAX_RANK], last[DPC_MAX_RANK];
    dpc_index shift[DPC_MAX_RANK]; /* as a run's, of an index that steps through blocks which are dealt round-robin */
    bool more;
    dpc_sweep *sweep; /* private */
} dpc_stage;
dpc_stage dpc_first_stage(const dpc_space *s, int operations, const dpc_course *courses, int arrays,
                          const dpc_swept *swept);
void dpc_next_stage(dpc_stage *stage);

/* ---- Scalars that each iteration of a pipeline leaves to the next: around the loops of a space whose first index
 * steps through the only divided dimension of home, of which each process has one block, with its value here. Processes
 * without iterations take part as well.  down: how the index runs. */

/* Before the loops: the value of the process before this one, waits for it; the first has its own. */
#define dpc_carried_in(space, down, value)                                                                             \
    ({                                                                                                                 \
        __typeof__(value) dpc_value = (value);                                                                         \
        dpc_receive_carried((space), (down), sizeof dpc_value, &dpc_value);                                            \
        dpc_value;                                                                                                     \
    })
/* Behind them: to the next process. */
#define dpc_carry_on(space, down, value)                                                                               \
    ({                                                                                                                 \
        const __typeof__(value) dpc_value = (value);                                                                   \
        dpc_send_carried((space), (down), sizeof dpc_value, &dpc_value);                                               \
    })
/* The last process's value, on all. */
#define dpc_carried_last(space, down, value)                                                                           \
    ({                                                                                                                 \
        __typeof__(value) dpc_value = (value);                                                                         \
        dpc_share_carried((space), (down), sizeof dpc_value, &dpc_value);                                              \
        dpc_value;                                                                                                     \
    })
/* Where iterations only add to it, all begin at once: whether other processes come behind this one; what is added on
 * those before it, where this one adds `part`. */
bool dpc_is_followed(const dpc_space *s, bool down);
#define dpc_added_before(space, down, part)                                                                            \
    ({                                                                                                                 \
        const __typeof__(part) dpc_part = (part);                                                                      \
        __typeof__(part) dpc_before = 0, dpc_parts[dpc_nprocs()];                                                      \
        const int dpc_count = dpc_parts_before((space), (down), sizeof dpc_part, &dpc_part, dpc_parts);                \
        for (int dpc_k = 0; dpc_k < dpc_count; dpc_k++) dpc_before += dpc_parts[dpc_k];                                \
        dpc_before;                                                                                                    \
    })

/* ---- Elements of an array with one dimension that iterations store one behind the other: this process's `count`, from
 * index `first` on; elements[first] is the first.  They go to their owners. */
void *dpc_kept_elements(const dpc_array *a, const char *where, dpc_index first, dpc_index count); /* local */
void dpc_store_kept(dpc_array *a, dpc_index first, dpc_index count, void *elements);

void dpc_receive_carried(const dpc_space *s, bool down, size_t bytes, void *value);
void dpc_send_carried(const dpc_space *s, bool down, size_t bytes, const void *value);
void dpc_share_carried(const dpc_space *s, bool down, size_t bytes, void *value);
int dpc_parts_before(const dpc_space *s, bool down, size_t bytes, const void *part, void *parts);

DPC_END_INTERFACE

#endif
