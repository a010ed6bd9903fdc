/* Files and tools that the system refuses: what is said, and what helps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "../ir/child.h"
#include "driver.h"

/* What helps with a file; NULL: nothing that is known. */
static const char *help_with_file(arena *a, const char *path, int error, bool writing) {
    const char *slash = path ? strrchr(path, '/') : NULL, *near = path && !writing ? nearest_file(a, path) : NULL;
    switch (error) {
    case ENOENT:
        if (near) return arena_format(a, "did you mean '%s'?", near);
        if (writing && slash) return arena_format(a, "make the directory: mkdir -p %.*s", (int)(slash - path), path);
        return path && *path != '/' ? "a name without '/' before it begins in the current directory" : NULL;
    case EACCES:
    case EPERM:
        return writing ? "name a file where you may write" : arena_format(a, "chmod u+r %s, if it is yours", path);
    case EROFS:
        return "name a file where something can be written";
    case ENOSPC:
    case EDQUOT:
        return "make room on that disk, or name a file on another";
    case EFBIG:
        return "ulimit -f says how long files may be";
    case EISDIR:
        return writing
                   ? "name a file in it"
                   : arena_format(a, "name its files, as in %s/*.dpc; --test runs all programs of a directory", path);
    case EMFILE:
    case ENFILE:
        return "ulimit -n says how many files may be open";
    default:
        return NULL;
    }
}

void fail_to_read(const char *path, int error) {
    fail(STATUS_FAILED, help_with_file(arena_new(), path, error, false), "cannot read '%s': %s", path, strerror(error));
}

/* The output that a path stands for: it is written in a directory beside it first. */
static const char *published_path(arena *a, const char *path) {
    static const char made[] = ".dpcc.XXXXXX/"; /* as temporary_directory names it */
    const char *at = strstr(path, ".dpcc."), *slash = at ? strchr(at, '/') : NULL;
    if (!slash || (at > path && at[-1] != '/') || (size_t)(slash + 1 - at) != sizeof made - 1) return path;
    return arena_format(a, "%.*s%s", (int)(at - path), path, slash + 1);
}

void fail_to_write(const char *path, int error) {
    arena *a = arena_new();
    if (path) path = published_path(a, path);
    const char *name = path ? arena_format(a, "'%s'", path) : "standard output";
    fail(STATUS_FAILED, help_with_file(a, path, error, true), "cannot write %s: %s", name, strerror(error));
}

void fail_by_signal(const char *tool, int number) {
    fail(STATUS_FAILED, help_after_signal(number), "'%s' was ended by signal %d", tool, number);
}

/* Whether nothing more can be written beside `path`. */
static bool is_full(arena *a, const char *path) {
    struct statvfs disk;
    const char *slash = strrchr(path, '/');
    const char *directory = slash ? arena_format(a, "%.*s", (int)(slash + 1 - path), path) : ".";
    return statvfs(directory, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0;
}

void fail_where_full(const words *command) {
    arena *a = arena_new();
    const char *temporary = getenv("TMPDIR"), *full = NULL;
    for (size_t k = 0; k + 1 < command->count; k++)
        if (!strcmp(command->item[k], "-o") || !strcmp(command->item[k], "-MF"))
            if (is_full(a, command->item[k + 1])) full = command->item[k + 1];
    const char *files = arena_format(a, "%s/", temporary && *temporary ? temporary : "/tmp");
    if (!full && is_full(a, files)) full = files;
    if (full)
        fail(STATUS_FAILED,
             "make room there, or name a file on another disk; TMPDIR names a directory for temporary files",
             "'%s' failed: no space is left where '%s' is written", command->item[0], full);
}
