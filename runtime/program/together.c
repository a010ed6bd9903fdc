/* Files that all processes write or read together, through MPI-IO.  SimGrid has MPI-IO on simulated disks only: there
 * every process opens the file itself. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../replaced.h"
#include "filed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct dpc_together {
    const char *where, *file;
    char *path;   /* what is open */
    char *target; /* where it goes: what a symbolic link means; NULL: `file` */
    bool writing, failed;
    dpc_message_text why;
#ifdef DPC_SMPI
    int handle;
#else
    MPI_File handle;
#endif
};

/* ---- One process's calls */

static void fail_with(dpc_together *t, const char *what, const char *text) {
    if (t->failed) return;
    t->failed = true;
    snprintf(t->why.text, sizeof t->why.text, "cannot %s '%.300s': %.400s", what, t->file, text);
}

void dpc_fail_file(dpc_together *t, const char *what, const char *why) {
    if (what != NULL) fail_with(t, what, why);
    if (t->failed) return;
    t->failed = true;
    snprintf(t->why.text, sizeof t->why.text, "'%.300s' %.400s", t->file, why);
}

#ifdef DPC_SMPI
static void open_file(dpc_together *t) {
    t->handle = open(t->path, (t->writing ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    if (t->handle < 0) fail_with(t, "open", strerror(errno));
}

/* Bytes that went; 0: an error, or the end of the file. */
static dpc_index move_bytes(dpc_together *t, dpc_index offset, char *memory, dpc_index bytes) {
    const ssize_t went =
        t->writing ? pwrite(t->handle, memory, (size_t)bytes, offset) : pread(t->handle, memory, (size_t)bytes, offset);
    if (went < 0) fail_with(t, t->writing ? "write" : "read", strerror(errno));
    return went < 0 ? 0 : went;
}

static void close_file(dpc_together *t) {
    if (t->handle >= 0 && close(t->handle) != 0) fail_with(t, "write", strerror(errno));
}
#else
static bool check(dpc_together *t, const char *what, int error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (error == MPI_SUCCESS) return true;
    MPI_Error_string(error, text, &length);
    while (length > 0 && text[length - 1] == '\n') text[--length] = '\0';
    const char *line = strrchr(text, '\n'); /* of several, the last says most */
    fail_with(t, what, line == NULL ? text : line + 1);
    return false;
}

/* ROMIO takes what stands before a colon for a kind of file system, unless there is one. */
char *dpc_path_for_mpi(const dpc_together *t) {
#ifdef OPEN_MPI
    const char *kind = "";
#else
    const char *kind = strchr(t->path, ':') == NULL ? "" : "ufs:";
#endif
    char *path = dpc_raw_buffer((dpc_index)strlen(t->path) + 5, 1);
    sprintf(path, "%s%s", kind, t->path);
    return path;
}

static void open_file(dpc_together *t) {
    char *path = dpc_path_for_mpi(t);
    const int error = MPI_File_open(dpc_communicator, path, t->writing ? MPI_MODE_WRONLY : MPI_MODE_RDONLY,
                                    MPI_INFO_NULL, &t->handle);
    dpc_free_buffer(path);
    if (!check(t, "open", error)) t->handle = MPI_FILE_NULL;
}

static dpc_index move_bytes(dpc_together *t, dpc_index offset, char *memory, dpc_index bytes) {
    MPI_Status status;
    int went = 0;
    const int error = t->writing ? MPI_File_write_at(t->handle, offset, memory, (int)bytes, MPI_BYTE, &status)
                                 : MPI_File_read_at(t->handle, offset, memory, (int)bytes, MPI_BYTE, &status);
    if (!check(t, t->writing ? "write" : "read", error)) return 0;
    MPI_Get_count(&status, MPI_BYTE, &went);
    return went == MPI_UNDEFINED ? 0 : went;
}

static void close_file(dpc_together *t) {
    if (t->handle != MPI_FILE_NULL) check(t, t->writing ? "write" : "read", MPI_File_close(&t->handle));
}
#endif

void dpc_move_together(dpc_together *t, dpc_index offset, void *memory, dpc_index bytes) {
    char *at = memory;
    while (bytes > 0 && !t->failed) {
        const dpc_index went = move_bytes(t, offset, at, bytes);
        if (went <= 0)
            fail_with(t, t->writing ? "write" : "read", t->writing ? "no more bytes fit" : "it has become shorter");
        at += went;
        offset += went;
        bytes -= went;
    }
}

/* ---- All processes */

/* With --check=all: they name one file, and one dataset. */
#if DPC_USES(dpc_check_all)
static void compare_names(const char *where, const char *of, const char *name) {
    dpc_message_text why;
    if (dpc_meet == NULL || name == NULL) return;
    dpc_meet(where); /* the others may be elsewhere */
    if (dpc_same_everywhere(name, strlen(name))) return;
    snprintf(why.text, sizeof why.text, "the processes name different %s, '%.400s' and others", of, name);
    dpc_fail_first(where, true, &why);
}
#else
#define compare_names(where, of, name) ((void)(name))
#endif

static const char *target_of(const dpc_together *t) {
    return t->target != NULL ? t->target : t->file;
}

dpc_together *dpc_name_together(const char *where, const char *file, const char *dataset, bool writing) {
    dpc_together *t = dpc_raw_buffer(1, sizeof *t);
    if (file == NULL) dpc_fail(where, "the name of the file is NULL");
    compare_names(where, "files", file);
    compare_names(where, "datasets", dataset);
    *t = (dpc_together){.where = where, .file = file, .writing = writing};
    if (writing) t->target = dpc_file_behind(file);
    const char *target = target_of(t);
    t->path = dpc_raw_buffer((dpc_index)strlen(target) + 6, 1);
    sprintf(t->path, writing ? "%s.part" : "%s", target);
    const char *why = writing && dpc_rank() == 0 ? dpc_irreplaceable(file) : NULL;
    if (why != NULL) fail_with(t, "write", why);
    return t;
}

void dpc_agree_together(dpc_together *t) {
    int failed = t->failed;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, dpc_communicator);
    if (failed == 0) return;
    if (t->writing && dpc_rank() == 0) unlink(t->path);
    dpc_fail_first(t->where, t->failed, &t->why);
}

/* Process 0 makes the file, with what stands before the elements. */
static void make_part(dpc_together *t, const char *header, dpc_index header_bytes) {
    unlink(t->path);
    const int handle = open(t->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, dpc_permissions(target_of(t), 0666));
    if (handle < 0) {
        fail_with(t, "write", strerror(errno));
        return;
    }
    errno = 0;
    if (write(handle, header, (size_t)header_bytes) != header_bytes)
        fail_with(t, "write", errno != 0 ? strerror(errno) : "no more bytes fit");
    if (close(handle) != 0) fail_with(t, "write", strerror(errno));
}

dpc_together *dpc_create_together(const char *where, const char *file, const char *header, dpc_index header_bytes) {
    dpc_together *t = dpc_name_together(where, file, NULL, true);
    if (dpc_rank() == 0 && !t->failed) make_part(t, header, header_bytes);
    dpc_agree_together(t);
    open_file(t);
    dpc_agree_together(t);
    return t;
}

dpc_together *dpc_open_together(const char *where, const char *file) {
    dpc_together *t = dpc_name_together(where, file, NULL, false);
    open_file(t);
    dpc_agree_together(t);
    return t;
}

/* All bytes are there and on the disk, for those whom the old file was for. */
static void secure(dpc_together *t, dpc_index bytes) {
    struct stat s;
    const int handle = open(t->path, O_WRONLY | O_CLOEXEC);
    if (handle < 0 || fstat(handle, &s) != 0 || fchmod(handle, dpc_permissions(target_of(t), s.st_mode)) != 0 ||
        fsync(handle) != 0)
        fail_with(t, "write", strerror(errno));
    else if (bytes >= 0 && s.st_size != bytes)
        fail_with(t, "write", "bytes are missing");
    if (handle >= 0 && close(handle) != 0) fail_with(t, "write", strerror(errno));
}

/* The name is on the disk, too, where directories can be synchronised. */
static void secure_name(const dpc_together *t) {
    char *slash = strrchr(t->path, '/');
    if (slash != NULL) slash[slash == t->path] = '\0';
    const int handle = open(slash == NULL ? "." : t->path, O_RDONLY | O_CLOEXEC);
    if (handle < 0) return;
    if (fsync(handle) != 0) errno = 0;
    close(handle);
}

const char *dpc_path_together(const dpc_together *t) {
    return t->path;
}

void dpc_publish_together(dpc_together *t, dpc_index bytes) {
    dpc_agree_together(t);
    if (t->writing && dpc_rank() == 0) {
        secure(t, bytes);
        if (!t->failed && rename(t->path, target_of(t)) != 0) fail_with(t, "write", strerror(errno));
    }
    if (t->writing) dpc_agree_together(t);
    if (t->writing && dpc_rank() == 0) secure_name(t);
    free(t->target);
    dpc_free_buffer(t->path);
    dpc_free_buffer(t);
}

void dpc_close_together(dpc_together *t, dpc_index bytes) {
    close_file(t);
    dpc_publish_together(t, bytes);
}
