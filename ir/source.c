/* The user's lines, read once for diagnostics. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that source_line has read: its lines, each NUL-terminated.  A file that can't be read has none. */
typedef struct user_file user_file;
struct user_file {
    user_file *next;
    char *name;
    char **lines;
    int count;
};

static user_file *files;

static char *read_all(const char *name, size_t *length) {
    FILE *in = fopen(name, "rb");
    if (!in) return NULL;
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity + 1);
    *length = 0;
    while (bytes) {
        *length += fread(bytes + *length, 1, capacity - *length, in);
        if (*length < capacity) break;
        char *larger = realloc(bytes, 2 * capacity + 1);
        if (!larger) free(bytes);
        bytes = larger;
        capacity *= 2;
    }
    fclose(in);
    if (bytes) bytes[*length] = '\0';
    return bytes;
}

/* Cuts `bytes` into lines in place; carriage returns before the newline are not part of them. */
static void cut_lines(user_file *f, char *bytes, size_t length) {
    int count = 1;
    for (size_t i = 0; i < length; i++) count += bytes[i] == '\n';
    f->lines = malloc((size_t)count * sizeof *f->lines);
    if (!f->lines) return;
    char *start = bytes;
    for (char *p = bytes; p <= bytes + length; p++) {
        if (p < bytes + length && *p != '\n') continue;
        *p = '\0';
        if (p > start && p[-1] == '\r') p[-1] = '\0';
        f->lines[f->count++] = start;
        start = p + 1;
    }
}

static user_file *open_file(const char *name) {
    for (user_file *f = files; f; f = f->next)
        if (strcmp(f->name, name) == 0) return f;
    user_file *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    size_t length = 0;
    char *bytes = *name == '<' ? NULL : read_all(name, &length);
    f->name = malloc(strlen(name) + 1);
    if (!f->name) {
        free(f);
        return NULL;
    }
    strcpy(f->name, name);
    if (bytes) cut_lines(f, bytes, length);
    f->next = files;
    return files = f;
}

const char *source_line(const char *file, int line) {
    user_file *f = open_file(file);
    return f && line >= 1 && line <= f->count ? f->lines[line - 1] : NULL;
}

const macro_use *use_at(const source *s, size_t first, size_t last) {
    size_t low = 0, high = s->uses;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        *(s->use[middle].first < first ? &low : &high) = s->use[middle].first < first ? middle + 1 : middle;
    }
    for (; low < s->uses && s->use[low].first == first; low++)
        if (s->use[low].last <= last) return &s->use[low];
    return NULL;
}
