/* What suites read, compare and write. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "suite.h"

const char *file_content(arena *a, const char *path, size_t *length) {
    const char *content = arena_file(a, path, length);
    if (!content && errno != ENOENT && errno != ENOTDIR) fail_to_read(path, errno);
    return content;
}

/* Reads both piece by piece: they may be long. */
bool files_equal(const char *first, const char *second) {
    FILE *one = fopen(first, "rb"), *two = fopen(second, "rb");
    char left[1 << 14], right[1 << 14];
    bool equal = one && two;
    while (equal) {
        const size_t n = fread(left, 1, sizeof left, one), m = fread(right, 1, sizeof right, two);
        equal = n == m && memcmp(left, right, n) == 0 && !ferror(one) && !ferror(two);
        if (n < sizeof left) break;
    }
    if (one) fclose(one);
    if (two) fclose(two);
    return equal;
}

bool says_lines(arena *a, const char *wanted, const char *said, const char **missing) {
    const char *lines = file_content(a, wanted, NULL), *all = file_content(a, said, NULL);
    for (size_t length; lines && *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        *missing = arena_text(a, lines, length);
        if (!all || !strstr(all, *missing)) return false;
    }
    return true;
}

size_t count_lines(arena *a, const char *path, bool all) {
    const char *at = file_content(a, path, NULL);
    size_t lines = 0;
    for (size_t length; at && *at; at += length + (at[length] == '\n')) {
        length = strcspn(at, "\n");
        lines += all ? length > 0 : *at != ' ' && strstr(arena_text(a, at, length), ": error: ") != NULL;
    }
    return lines;
}

bool has_content(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && s.st_size > 0;
}

bool write_refusal(arena *a, const char *source, const char *messages, const char *target) {
    const char *slash = strrchr(source, '/'), *all = file_content(a, messages, NULL);
    const size_t folder = slash ? (size_t)(slash + 1 - source) : 0, path = strlen(source);
    text errors;
    text_start(&errors, a);
    for (size_t length; all && *all; all += length + (all[length] == '\n')) {
        length = strcspn(all, "\n");
        const char *line = arena_text(a, all, length);
        if (strncmp(line, source, path) != 0 || line[path] != ':' || !strstr(line, ": error: ")) continue;
        text_add(&errors, line + folder);
        text_add(&errors, "\n");
    }
    if (errors.length) write_text(target, text_of(&errors));
    return errors.length > 0;
}

void write_output(arena *a, const char *printed, const char *target) {
    const char *staged = stage_output(a, target);
    copy_file(printed, staged);
    publish(staged, target);
}
