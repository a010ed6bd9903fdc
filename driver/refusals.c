/* Files and tools that the system refuses: what is said, and what helps. */
#include <errno.h>
#include <string.h>

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

void fail_to_write(const char *path, int error) {
    arena *a = arena_new();
    const char *name = path ? arena_format(a, "'%s'", path) : "standard output";
    fail(STATUS_FAILED, help_with_file(a, path, error, true), "cannot write %s: %s", name, strerror(error));
}

void fail_by_signal(const char *tool, int number) {
    fail(STATUS_FAILED, help_after_signal(number), "'%s' was ended by signal %d", tool, number);
}
