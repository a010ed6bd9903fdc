/* What changes the files and directories that all processes see, or starts commands: process 0 does it, once. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Waits for all, which may still be about to open what goes now; whether this process is the one that acts.
 * (collective) */
static bool acts(const char *function) {
    if (!dpc_acts_together()) return true;
    dpc_check_caller(function);
    MPI_Barrier(dpc_communicator);
    return dpc_rank() == 0;
}

/* The result of the process that acted. (collective) */
static int for_all(int result) {
    return dpc_acts_together() ? (int)dpc_share_outcome((dpc_outcome){result, errno}).result : result;
}

int dpc_remove(const char *path) {
    return for_all(acts("remove") ? remove(path) : 0);
}

int dpc_rename(const char *from, const char *to) {
    return for_all(acts("rename") ? rename(from, to) : 0);
}

int dpc_unlink(const char *path) {
    return for_all(acts("unlink") ? unlink(path) : 0);
}

int dpc_rmdir(const char *path) {
    return for_all(acts("rmdir") ? rmdir(path) : 0);
}

int dpc_mkdir(const char *path, mode_t mode) {
    return for_all(acts("mkdir") ? mkdir(path, mode) : 0);
}

int dpc_system(const char *command) {
    return for_all(acts("system") ? system(command) : 0);
}
