/* The thread that calls the public functions. */
#ifndef DPC_CALLER_H
#define DPC_CALLER_H

#include "../distribution.h"

DPC_BEGIN_INTERFACE /* libdpc_scalapack calls them too */

    /* Ends the program where another thread is inside a public function, or where MPI does
     * not allow this one to call it; public functions may call one another. */
    const char *
    dpc_enter(const char *where);
void dpc_leave_function(const char *const *where);
/* From here to the end of the function's block this thread is inside. */
#define DPC_ENTER(where)                                                                                               \
    const char *const dpc_inside __attribute__((cleanup(dpc_leave_function), unused)) = dpc_enter(where)

DPC_END_INTERFACE

#endif
