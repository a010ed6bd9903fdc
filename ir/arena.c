/* Memory by lifetime: pieces that are freed together, texts and vectors that grow in them. */
#include "arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One piece of memory: `used` of `size` bytes are taken.  Pieces are chained, the newest first. */
typedef struct piece piece;
struct piece {
    piece *older;
    size_t size, used;
    max_align_t bytes[];
};

/* `large`: pieces with one vector or text each, which grows where it stands. */
struct arena {
    piece *newest, *large;
};

enum { FIRST_PIECE = 64 * 1024, LARGE = 256 * 1024, ALIGNMENT = 8 };

static _Noreturn void out_of_memory(void) {
    fputs("dpcc: error: out of memory\n", stderr);
    exit(3);
}

static piece *piece_new(piece *older, size_t size) {
    piece *p = size > SIZE_MAX - sizeof *p ? NULL : calloc(1, sizeof *p + size);
    if (!p) out_of_memory();
    p->older = older;
    p->size = size;
    return p;
}

arena *arena_new(void) {
    arena *a = calloc(1, sizeof *a);
    if (!a) out_of_memory();
    a->newest = piece_new(NULL, FIRST_PIECE);
    return a;
}

static void free_pieces(piece *p) {
    while (p) {
        piece *older = p->older;
        free(p);
        p = older;
    }
}

void arena_free(arena *a) {
    if (!a) return;
    free_pieces(a->newest);
    free_pieces(a->large);
    free(a);
}

static bool is_last(const arena *a, const void *bytes, size_t size) {
    return (const char *)bytes + size == (const char *)a->newest->bytes + a->newest->used;
}

/* The last memory that was given out becomes larger; false: others follow it, or its piece is too short. */
static bool extend(arena *a, const void *last, size_t size, size_t larger) {
    piece *p = a->newest;
    if (!is_last(a, last, size) || p->size - p->used < larger - size) return false;
    p->used += larger - size;
    return true;
}

/* The large piece of that memory; where there is none, a new one at the end of them. */
static piece **large_piece(arena *a, const void *bytes) {
    piece **p = &a->large;
    while (*p && (const void *)(*p)->bytes != bytes) p = &(*p)->older;
    return p;
}

/* `size` bytes become `larger`, what is behind them undefined. */
static void *grow_large(arena *a, const void *bytes, size_t size, size_t larger) {
    piece **at = large_piece(a, bytes), *older = *at ? (*at)->older : NULL;
    const bool moves = !*at;
    piece *p = larger > SIZE_MAX - sizeof *p ? NULL : realloc(*at, sizeof *p + larger);
    if (!p) out_of_memory();
    if (moves && size) memcpy(p->bytes, bytes, size);
    p->older = older;
    *at = p;
    return p->bytes;
}

#ifdef __SANITIZE_ADDRESS__
/* A piece for each, so that the address sanitizer sees what is used beyond its end, or when it has been freed. */
static void *take(arena *a, size_t size, size_t skipped) {
    (void)skipped;
    if (size > SIZE_MAX / 4) out_of_memory();
    a->newest = piece_new(a->newest, size);
    a->newest->used = size;
    return a->newest->bytes;
}
#else
/* `size` bytes behind `skipped` ones. */
static void *take(arena *a, size_t size, size_t skipped) {
    piece *p = a->newest;
    if (size > SIZE_MAX / 4) out_of_memory();
    if (p->size - p->used < size + skipped) {
        size_t next = p->size < ((size_t)1 << 22) ? p->size * 2 : p->size;
        p = a->newest = piece_new(p, size > next ? size : next);
        skipped = 0;
    }
    void *result = (char *)p->bytes + p->used + skipped;
    p->used += size + skipped;
    return result;
}
#endif

void *arena_alloc(arena *a, size_t size) {
    return take(a, size, -a->newest->used % ALIGNMENT);
}

/* Text needs no alignment. */
static char *alloc_text(arena *a, size_t size) {
    return take(a, size, 0);
}

char *arena_text(arena *a, const char *bytes, size_t length) {
    char *copy = alloc_text(a, length + 1);
    if (length) memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *arena_format(arena *a, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *result = arena_vformat(a, format, arguments);
    va_end(arguments);
    return result;
}

char *arena_vformat(arena *a, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    char start[256]; /* most texts are short: they are made once */
    int length = vsnprintf(start, sizeof start, format, arguments);
    if (length >= 0 && (size_t)length < sizeof start) {
        va_end(again);
        return arena_text(a, start, (size_t)length);
    }
    char *result = alloc_text(a, (length < 0 ? 0 : (size_t)length) + 1);
    if (length > 0) vsnprintf(result, (size_t)length + 1, format, again);
    va_end(again);
    return result;
}

void *arena_grow(arena *a, void *items, size_t *capacity, size_t count, size_t item_size) {
    size_t larger = *capacity ? *capacity * 2 : item_size > 64 ? 2 : item_size > 16 ? 4 : 8;
    if (larger > SIZE_MAX / item_size) out_of_memory();
    if (larger * item_size >= LARGE) {
        *capacity = larger;
        return grow_large(a, items, count * item_size, larger * item_size);
    }
    if (count && extend(a, items, *capacity * item_size, larger * item_size)) {
        *capacity = larger;
        return items;
    }
    void *copy = arena_alloc(a, larger * item_size);
    if (count) memcpy(copy, items, count * item_size);
    *capacity = larger;
    return copy;
}

void text_start(text *t, arena *a) {
    *t = (text){.memory = a};
}

void text_add(text *t, const char *s) {
    text_add_bytes(t, s, strlen(s));
}

/* Makes room for `more` bytes and a NUL after them. */
static void text_reserve(text *t, size_t more) {
    size_t wanted = t->length + more + 1;
    if (wanted <= t->capacity) return;
    size_t larger = t->capacity ? t->capacity * 2 : 64;
    if (larger < wanted) larger = wanted;
    if (larger >= LARGE) {
        t->bytes = grow_large(t->memory, t->bytes, t->length, larger);
        t->capacity = larger;
        return;
    }
    if (t->capacity && extend(t->memory, t->bytes, t->capacity, larger)) {
        t->capacity = larger;
        return;
    }
    char *bytes = alloc_text(t->memory, larger);
    if (t->length) memcpy(bytes, t->bytes, t->length);
    t->bytes = bytes;
    t->capacity = larger;
}

void text_add_bytes(text *t, const char *s, size_t length) {
    text_reserve(t, length);
    if (length) memcpy(t->bytes + t->length, s, length);
    t->length += length;
    t->bytes[t->length] = '\0';
}

void text_format(text *t, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        text_reserve(t, (size_t)length);
        vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
        t->length += (size_t)length;
    }
    va_end(again);
}

/* Room that a short text did not need is free again; a long one may well grow. */
static void give_back(text *t) {
    enum { SHORT = 4096 };
    const size_t used = t->length + 1;
    if (t->capacity > SHORT || !is_last(t->memory, t->bytes, t->capacity)) return;
    memset(t->bytes + used, 0, t->capacity - used);
    t->memory->newest->used -= t->capacity - used;
    t->capacity = used;
}

const char *text_of(text *t) {
    text_reserve(t, 0);
    t->bytes[t->length] = '\0';
    give_back(t);
    return t->bytes;
}

const char *arena_file(arena *a, const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    text all;
    char buffer[1 << 14];
    if (!file) return NULL;
    text_start(&all, a);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) text_add_bytes(&all, buffer, n);
    const int error = ferror(file) ? errno : 0;
    fclose(file);
    errno = error;
    if (length) *length = all.length;
    return error ? NULL : text_of(&all);
}
