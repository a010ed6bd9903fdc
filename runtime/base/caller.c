/* Which thread is inside the public functions.  They keep memory, windows and communicators in common, and the
 * collective ones of two threads would wait for one another: one thread at a time may be inside, and one that MPI lets
 * call it. */
#include "caller.h"

#include "base.h"

#include <stdatomic.h>

/* The address of a variable of its own stands for a thread. */
static __thread char self;
static __thread bool may_call; /* MPI, as far as its level of thread support goes */

static _Atomic(const char *) inside; /* the thread that is inside; NULL: none */
static int depth;                    /* of its calls: public functions call one another */

#ifdef DPC_SMPI

/* Simulated processes have one thread each. */
static void check_thread(const char *where) {
    (void)where;
    may_call = true;
}

#else

static bool mpi_runs(void) {
    int started, ended;
    MPI_Finalized(&ended);
    if (ended) return false;
    MPI_Initialized(&started);
    return started;
}

static void check_thread(const char *where) {
    int level, is_main;
    if (!mpi_runs()) return;
    dpc_check_main_thread(where);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    if (level < MPI_THREAD_SERIALIZED && !is_main)
        dpc_fail(where, "called by a thread that is not MPI's main thread, which alone may call it with %s",
                 level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED");
    may_call = true;
}

#endif

const char *dpc_enter(const char *where) {
    const char *none = NULL;
    if (!may_call) check_thread(where);
    if (atomic_load_explicit(&inside, memory_order_relaxed) != &self) {
        if (!atomic_compare_exchange_strong_explicit(&inside, &none, &self, memory_order_acquire, memory_order_relaxed))
            dpc_fail(where, "called while another thread is inside a function of this library: one thread at a time");
    }
    depth++;
    return where;
}

void dpc_leave_function(const char *const *where) {
    (void)where;
    if (--depth == 0) atomic_store_explicit(&inside, NULL, memory_order_release);
}
