/* Whether the launcher that started this process belongs to the MPI that the program is linked with.  If not, every
 * process is alone in an MPI_COMM_WORLD of its own, and each would do all the work and print. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "settings.h"

#include <string.h>
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

void dpc_check_launcher(void) {
    char library[80];
    const launcher_mark *m = dpc_nprocs() == 1 ? launcher_of_several() : NULL;
    if (m == NULL) return;
    const char *seen = number_in(m->size) > 1 ? m->size : m->rank;
    name_library(library, sizeof library);
    if (number_in(m->rank) > 0) sleep(1); /* the launcher ends all when the first has ended: it is said once */
    dpc_fail(
        NULL,
        "the program is linked with %s, but was started by the launcher of %s (%s is %s): each of its processes is "
        "alone; start it with the mpirun of the MPI that it is linked with",
        library, m->launcher, seen, getenv(seen));
}

#endif
