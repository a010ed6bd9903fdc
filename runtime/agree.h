/* --check=all: what every process must have alike where a program runs.  Every function is collective unless it says
 * "local". */
#ifndef DPC_AGREE_H
#define DPC_AGREE_H

#include "element_types.h"

DPC_BEGIN_INTERFACE

/* From now on every statement on distributed arrays, and every function of the C library that all processes execute
 * together, first compares its place among the processes.  Called before dpc_init. (local) */
void dpc_check_all(void);

/* A variable of which every process has its own copy, with the same value. */
typedef struct {
    const char *name;
    dpc_type type;
    const void *value;
} dpc_replicated;
/* Ends the program where processes have different values; of long double _Complex nothing is compared. */
void dpc_agree(const char *where, int count, const dpc_replicated *variables);
/* The same of parts: `of` stands behind their names. */
void dpc_agree_of(const char *of, const char *where, int count, const dpc_replicated *variables);

/* Ordinary memory of which every process has its own copy: an object of so many bytes, or (bytes 0) the block of
 * dpc_new_block that a pointer points into. */
typedef struct {
    const void *at;
    size_t bytes;
    int levels;         /* it holds pointers to what is compared, or to pointers, ... */
    const char *name;   /* functions read it: it is the same as a whole; NULL: it may differ where nothing is read */
    size_t size;        /* the size of its elements, where only some are read; else 0 */
    dpc_index from, to; /* these, counted from `at`; if `always`, they are all there, whatever is known of the object */
    bool always;
    const char *read; /* the text of an element, where iterations read all of them, unless it is `unread`; else NULL */
    dpc_type type;    /* of such an element; where it is read */
    const char *place;
    bool unread;
} dpc_object;
/* The same with memory, as the statement behind it begins, which calls dpc_agree: what is passed stays till then.
 * Where memory differs, the program ends as soon as it reads what does. */
void dpc_agree_on(const char *where, int count, const dpc_replicated *variables, int objects, const dpc_object *object);

/* The statement that begins next makes no process wait for another: what is compared as it begins goes with a
 * comparison further down, unless it has memory. (local) */
void dpc_compare_later(void);

/* Whether some memory differs that the statement reads; ends the program if this number does. (local) */
extern bool dpc_differs;
void dpc_look_at(const char *where, const char *name, dpc_type type, const void *at);

/* ---- Blocks of memory that the program allocates: as the functions of the C library (local) */
void *dpc_new_block(size_t bytes) __attribute__((__malloc__, alloc_size(1)));
void *dpc_block_of_zeroes(size_t count, size_t size) __attribute__((__malloc__, alloc_size(1, 2)));
void *dpc_block_again(void *p, size_t bytes) __attribute__((alloc_size(2)));
void dpc_free_block(void *p);
/* An array of the program. */
void dpc_note_memory(const void *p, size_t bytes);
/* A number that says which function of the program or of a library a pointer to it means. (local) */
size_t dpc_function_number(void (*function)(void));
/* The block that a pointer points into; false: it is none of these. (local) */
bool dpc_block_around(const void *p, const char **first, size_t *bytes);

/* A pointer that was looked up: the block's bytes, from `low` to `high` without it, counted from the pointer. */
typedef struct {
    const void *pointer;
    int64_t low, high;
    unsigned changes; /* dpc_blocks_changed as it was; 0: not looked up */
} dpc_seen_pointer;
extern unsigned dpc_blocks_changed;
void dpc_see_pointer(dpc_seen_pointer *seen, const void *p);

DPC_END_INTERFACE

#endif
