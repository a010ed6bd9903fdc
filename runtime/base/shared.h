/* Memory that the processes of a node can read and write: shared-memory windows of MPI, which are costly to make and so
 * are kept and given out again. */
#ifndef DPC_SHARED_H
#define DPC_SHARED_H

#include "base.h"

#if DPC_USES(dpc_plan_redistribution)
/* Bytes: less is not worth sharing. */
enum { DPC_LEAST_SHARED = 32 << 10 };

/* The processes of a communicator that can share memory with this one, itself included. */
typedef struct {
    int size, me;
    int largest; /* processes of the largest node of the communicator */
    int *rank;   /* per process: in the communicator, ascending */
    int *world;  /* per process: in MPI_COMM_WORLD */
} dpc_node;

/* (collective over comm when it is called for the first time) */
const dpc_node *dpc_node_of(MPI_Comm comm);

/* Memory of `bytes` bytes, shared where that can be; `most`: of any process of the communicator, at least.  NULL when
 * there is none left.  (collective over comm: the same calls in the same order) */
void *dpc_take_shared(MPI_Comm comm, dpc_index bytes, dpc_index most, bool zero);
/* NULL, or memory of the function above; also when the communicator is gone. (local) */
void dpc_give_shared(void *memory);
/* Frees the windows of a communicator. (collective over comm) */
void dpc_free_shared(MPI_Comm comm);

/* How a process tells another one where its memory lies; travels in messages. */
typedef struct {
    int64_t segment; /* 0: it is not shared */
    int64_t rank, offset;
} dpc_shared_name;

/* The name of memory for a process given by its rank in MPI_COMM_WORLD. (local) */
dpc_shared_name dpc_name_shared(const void *memory, int reader);
/* Where it lies for this process. (local) */
char *dpc_find_shared(const dpc_shared_name *name);
#else
/* Nothing reads another process's memory: it is this one's alone. */
static inline void *dpc_take_own(dpc_index bytes, bool zero) {
    const size_t room = bytes > 0 ? (size_t)bytes : 1;
    return zero ? calloc(room, 1) : malloc(room);
}
#define dpc_take_shared(comm, bytes, most, zero) dpc_take_own(bytes, zero)
#define dpc_give_shared(memory) free(memory)
#define dpc_free_shared(comm) DPC_LEFT_OUT
#endif

#endif
