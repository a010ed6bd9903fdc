/* Programs with files of HDF5: the library's part for them, and HDF5's own options. Others have neither. */
#include <string.h>
#include <unistd.h>

#include "driver.h"

static const char *const packages[MPI_KINDS] = {
    [MPI_OPENMPI] = "libhdf5-openmpi-dev", [MPI_MPICH] = "libhdf5-mpich-dev", [MPI_SMPI] = "libhdf5-dev"};

static _Noreturn void fail_without(const toolchain *t, const char *why) {
    const bool serial = t->options->serial;
    const char *package = serial ? "libhdf5-dev" : packages[t->kind];
    const char *help = package ? arena_format(t->memory, "install %s (its name in Debian), and run make again", package)
                               : "say HDF5_other='-I... -L... -lhdf5' to make: parallel HDF5 for this MPI";
    fail(STATUS_FAILED, help, "hdf5_save and hdf5_load need HDF5 for %s, %s",
         serial ? "programs without MPI" : mpi_kind_title(t->kind), why);
}

static const char *kind_of(toolchain *t) {
    return t->options->serial ? "serial" : mpi_kind_name(toolchain_kind(t));
}

/* Those that make has found: -I, -L, -l; ends where there are none. */
static words hdf5_options(toolchain *t) {
    const char *path = library_file(t->memory, kind_of(t), "hdf5.options");
    words w;
    words_start(&w, t->memory);
    if (!path) fail_without(t, "with which dpcc was not built");
    words_split(&w, arena_file(t->memory, path, NULL));
    for (size_t i = 0; i < w.count; i++)
        if (!strncmp(w.item[i], "-L", 2) && access(w.item[i] + 2, R_OK) != 0)
            fail_without(t, arena_format(t->memory, "which is no longer in '%s'", w.item[i] + 2));
    return w;
}

static void add_those(words *command, const words *w, bool for_linking) {
    for (size_t i = 0; i < w->count; i++)
        if ((strncmp(w->item[i], "-I", 2) != 0) == for_linking) words_add(command, w->item[i]);
}

void add_hdf5_headers(words *command, toolchain *t, const char *path, bool required) {
    if (!file_has_bytes(t->memory, path, "#include <hdf5.h>")) return;
    if (!required && !library_file(t->memory, kind_of(t), "hdf5.options")) return;
    const words w = hdf5_options(t);
    add_those(command, &w, false);
}

/* Names of functions that only these programs have. */
static bool calls_hdf5(toolchain *t, const char *const *objects) {
    const options *o = t->options;
    for (size_t i = 0; i < o->input_count; i++)
        if (o->inputs[i].kind != INPUT_LINK_OPTION &&
            file_has_bytes(t->memory, objects[i] ? objects[i] : o->inputs[i].path, "dpc_hdf5_"))
            return true;
    return false;
}

hdf5_parts find_hdf5(toolchain *t, const char *const *objects) {
    hdf5_parts parts = {.library = NULL};
    words_start(&parts.options, t->memory);
    if (!calls_hdf5(t, objects)) return parts;
    const words w = hdf5_options(t);
    add_those(&parts.options, &w, true);
    if (!t->options->serial) parts.library = library_file(t->memory, kind_of(t), "libdpc_hdf5.a");
    return parts;
}
