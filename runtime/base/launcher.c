/* Whether the launcher that started this process belongs to the MPI that the program is linked with.  If not, every
 * process is alone in an MPI_COMM_WORLD of its own, and each would do all the work and print. */
#ifndef DPC_STANDALONE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "settings.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef DPC_SMPI

void dpc_check_launcher(void) {}

#else

/* The variables that a launcher sets: how many processes it has started (NULL: it does not say), and this one's number.
 */
typedef struct {
    const char *size, *rank, *launcher;
} launcher_mark;

static const launcher_mark marks[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MVAPICH"},
    {"PMI_SIZE", "PMI_RANK", "MPICH, or another one with PMI"},
    {"MPI_LOCALNRANKS", "MPI_LOCALRANKID", "MPICH"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "Slurm"},
    {NULL, "PMIX_RANK", "PMIx"},
};

/* -1: it is not set. */
static long number_in(const char *variable) {
    const char *text = variable == NULL ? NULL : getenv(variable);
    return text == NULL ? -1 : strtol(text, NULL, 10);
}

/* The launcher that started several processes, where no other says that it started this one alone: launchers may start
 * one another. */
static const launcher_mark *launcher_of_several(void) {
    const launcher_mark *found = NULL;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        const long size = number_in(marks[k].size), rank = number_in(marks[k].rank);
        if (size == 1) return NULL;
        if (found == NULL && (size > 1 || rank > 0)) found = &marks[k];
    }
    return found;
}

/* Name and version of the MPI library: the beginning of its first line, without repeated blanks. */
static void name_library(char *name, size_t room) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    size_t written = 0;
    MPI_Get_library_version(text, &length);
    for (const char *c = text; *c != '\0' && *c != '\n' && *c != ',' && written + 1 < room; c++) {
        const bool blank = *c == ' ' || *c == '\t' || *c == ':';
        if (!blank || (written > 0 && name[written - 1] != ' ')) name[written++] = blank ? ' ' : *c;
    }
    name[written] = '\0';
}

/* Of the processes that one launcher has started on this machine: a name that only one of them can have, while it runs.
 */
static bool is_first(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "libdpc-launcher-%ld", (long)getppid());
    const int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const size_t size = offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length;
    return held < 0 || bind(held, (const struct sockaddr *)&name, (socklen_t)size) == 0 || errno != EADDRINUSE;
}

/* The first says it once the others have come, which go after it: the launcher may end all when one has ended. */
static void wait_for_first(void) {
    const bool first = is_first();
    sleep(first ? 1 : 3);
    if (!first) _exit(1);
}

void dpc_check_launcher(void) {
    char library[80];
    const launcher_mark *m = dpc_nprocs() == 1 ? launcher_of_several() : NULL;
    if (m == NULL) return;
    const char *seen = number_in(m->size) > 1 ? m->size : m->rank;
    name_library(library, sizeof library);
    wait_for_first();
    dpc_fail(
        NULL,
        "the program is linked with %s, but was started by the launcher of %s (%s is %s): each of its processes is "
        "alone; start it with the mpirun of the MPI that it is linked with",
        library, m->launcher, seen, getenv(seen));
}

#endif
#endif
