/* Memory for C programs that the redistribution engine reads in place where processes share a node. */
#include "../base/shared.h"
#include "arguments.h"

#include <stdlib.h>

/* What dpc_allocate has given out. */
typedef struct allocation {
    struct allocation *next;
    void *memory;
} allocation;

static allocation *given;

static void remember(void *memory) {
    allocation *a = malloc(sizeof *a);
    if (a == NULL) dpc_fail("dpc_allocate", "out of memory");
    *a = (allocation){given, memory};
    given = a;
}

/* False: it was not given out, or is back already. */
static bool forget(const void *memory) {
    allocation **link = &given;
    while (*link != NULL && (*link)->memory != memory) link = &(*link)->next;
    allocation *found = *link;
    if (found != NULL) *link = found->next;
    free(found);
    return found != NULL;
}

void *dpc_allocate(MPI_Comm comm, dpc_index bytes) {
    DPC_ENTER("dpc_allocate");
    int64_t most = bytes;
    dpc_check_communicator("dpc_allocate", "comm", comm);
    if (bytes < 0) dpc_fail("dpc_allocate", "argument 'bytes' is %lld, must not be negative", (long long)bytes);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, comm);
    void *memory = dpc_take_shared(comm, bytes, most, true);
    if (memory == NULL) dpc_fail("dpc_allocate", "out of memory: argument 'bytes' is %lld", (long long)bytes);
    remember(memory);
    return memory;
}

void dpc_release_memory(MPI_Comm comm, void *memory) {
    (void)comm;
    if (memory == NULL) return;
    DPC_ENTER("dpc_release_memory");
    if (!forget(memory))
        dpc_fail("dpc_release_memory", "argument 'memory' is no memory of dpc_allocate, or has been released before");
    dpc_give_shared(memory);
}
