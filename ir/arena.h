/* Memory by lifetime: everything allocated from an arena is freed with it. */
#ifndef DPC_IR_ARENA_H
#define DPC_IR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *a);

/* Zeroed memory of `size` bytes, aligned for pointers and numbers of 64 bits.  Never returns NULL: running out of
 * memory ends the compiler with exit status 3. */
void *arena_alloc(arena *a, size_t size);

/* Copies of text that live as long as the arena. */
char *arena_text(arena *a, const char *text, size_t length);
char *arena_format(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(arena *a, const char *format, va_list arguments);

/* Growable vectors in an arena: `vector_add(arena, items, count, capacity, value)`; what is behind `count` items is
 * undefined. */
void *arena_grow(arena *a, void *items, size_t *capacity, size_t count, size_t item_size);
#define vector_add(a, items, count, capacity, value)                                                                   \
    do {                                                                                                               \
        if ((count) == (capacity)) (items) = arena_grow((a), (items), &(capacity), (count), sizeof *(items));          \
        (items)[(count)++] = (value);                                                                                  \
    } while (0)

/* A text buffer that grows; `text_of` is NUL-terminated. */
typedef struct {
    arena *memory;
    char *bytes;
    size_t length, capacity;
} text;

void text_start(text *t, arena *a);
void text_add(text *t, const char *s);
void text_add_bytes(text *t, const char *s, size_t length);
void text_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_of(text *t);

/* All of a file, *length bytes where length is not NULL; NULL: it cannot be read, and errno says why. */
const char *arena_file(arena *a, const char *path, size_t *length);

#endif
