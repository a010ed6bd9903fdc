/* The file whose place another one takes when it is complete: which it is, and whom it is for.  A serial program has
 * this text in it. */
#ifndef DPC_REPLACED_H
#define DPC_REPLACED_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
char *realpath(const char *, char *);
ssize_t readlink(const char *, char *, size_t);

/* What a symbolic link leads to, also where nothing is there yet; NULL: there is no file of the name, and no link. */
static inline char *dpc_file_behind(const char *file) {
    char link[4096], *name = realpath(file, NULL);
    if (name || errno != ENOENT) return name;
    const ssize_t length = readlink(file, link, sizeof link - 1);
    if (length < 0) return NULL;
    const char *slash = strrchr(file, '/');
    const size_t folder = slash && *link != '/' ? (size_t)(slash + 1 - file) : 0;
    char *next = (char *)malloc(folder + (size_t)length + 1);
    if (!next) abort();
    memcpy(next, file, folder);
    memcpy(next + folder, link, (size_t)length);
    next[folder + (size_t)length] = '\0';
    name = dpc_file_behind(next);
    if (!name) return next;
    free(next);
    return name;
}

/* Why a file cannot take the place of the one of that name; NULL: it can.  A device, a pipe and a directory stay. */
static inline const char *dpc_irreplaceable(const char *file) {
    struct stat s;
    if (stat(file, &s) != 0) return errno == ENOENT ? NULL : strerror(errno);
    if (S_ISDIR(s.st_mode)) return strerror(EISDIR);
    if (!S_ISREG(s.st_mode)) return "it is no regular file";
    return access(file, W_OK) == 0 ? NULL : strerror(errno);
}

/* The permissions of a file; `otherwise` where there is none. */
static inline mode_t dpc_permissions(const char *file, mode_t otherwise) {
    struct stat s;
    return stat(file, &s) == 0 ? s.st_mode & 0777 : otherwise;
}

#endif
