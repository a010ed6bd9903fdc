/* --check=all: the blocks of memory that the program's own text gets from malloc and its like, so that subscripts of
 * pointers into them have bounds.  A search tree by address whose priorities are hashes of the addresses (a treap). */
#include "../agree.h"
#include "base.h"

#include <pthread.h>

size_t malloc_usable_size(void *p); /* <malloc.h> declares what SimGrid has macros for */

typedef struct block block;
struct block {
    const char *first;
    size_t bytes;  /* as they were asked for */
    size_t usable; /* as the library gave them: another number later on says that it has given the memory again */
    uint64_t priority;
    block *child[2]; /* that begin before, behind */
};

#define NO_HEAP SIZE_MAX /* instead of the usable bytes of an array of the program */

static block *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned dpc_blocks_changed = 1; /* no place has seen a pointer yet */

/* ---- The tree */

static uint64_t priority_of(const void *first) {
    return dpc_hash(0xcbf29ce484222325, &first, sizeof first) * 0x9e3779b97f4a7c15;
}

/* The child on that side comes up. */
static void turn(block **at, int side) {
    block *up = (*at)->child[side], *down = *at;
    down->child[side] = up->child[!side];
    up->child[!side] = down;
    *at = up;
}

static void insert(block **at, block *b) {
    if (*at == NULL) {
        *at = b;
        return;
    }
    const int side = b->first > (*at)->first;
    insert(&(*at)->child[side], b);
    if ((*at)->child[side]->priority > (*at)->priority) turn(at, side);
}

/* Takes the block that begins there out of the tree; NULL: none does. */
static block *take(block **at, const char *first) {
    while (*at != NULL && (*at)->first != first) at = &(*at)->child[first > (*at)->first];
    block *b = *at;
    if (b == NULL) return NULL;
    while (b->child[0] != NULL || b->child[1] != NULL) {
        const int side = b->child[0] == NULL || (b->child[1] != NULL && b->child[1]->priority > b->child[0]->priority);
        turn(at, side);
        at = &(*at)->child[!side];
    }
    *at = NULL;
    return b;
}

/* The block that holds an address, or that it stands just behind. */
static const block *block_at(const char *p) {
    const block *b = root, *last = NULL;
    while (b != NULL) {
        if (b->first <= p) last = b;
        b = b->child[b->first <= p];
    }
    if (last == NULL || (size_t)(p - last->first) > last->bytes) return NULL;
    if (last->usable == NO_HEAP) return last;
    return malloc_usable_size((void *)last->first) == last->usable ? last : NULL;
}

/* ---- What the program calls */

static void forget(const void *p) {
    pthread_mutex_lock(&lock);
    free(take(&root, p));
    dpc_blocks_changed++;
    pthread_mutex_unlock(&lock);
}

static void *note_block(void *p, size_t bytes, size_t usable) {
    block *b = p != NULL ? malloc(sizeof *b) : NULL;
    if (b == NULL) return p;
    *b = (block){.first = p, .bytes = bytes, .usable = usable, .priority = priority_of(p)};
    pthread_mutex_lock(&lock);
    free(take(&root, p)); /* the library gave it back unseen */
    insert(&root, b);
    dpc_blocks_changed++;
    pthread_mutex_unlock(&lock);
    return p;
}

static void *note(void *p, size_t bytes) {
    return note_block(p, bytes, p != NULL ? malloc_usable_size(p) : 0);
}

void dpc_note_memory(const void *p, size_t bytes) {
    note_block((void *)p, bytes, NO_HEAP);
}

void *dpc_new_block(size_t bytes) {
    return note(malloc(bytes), bytes);
}

void *dpc_block_of_zeroes(size_t count, size_t size) {
    return note(calloc(count, size), count * size);
}

void *dpc_block_again(void *p, size_t bytes) {
    if (p != NULL) forget(p);
    return note(realloc(p, bytes), bytes); /* where there is no room for more, nothing is known of the old block */
}

void dpc_free_block(void *p) {
    if (p != NULL) forget(p);
    free(p);
}

/* ---- What checks ask */

bool dpc_block_around(const void *p, const char **first, size_t *bytes) {
    pthread_mutex_lock(&lock);
    const block *b = block_at(p);
    if (b != NULL) {
        *first = b->first;
        *bytes = b->bytes;
    }
    pthread_mutex_unlock(&lock);
    return b != NULL;
}

void dpc_see_pointer(dpc_seen_pointer *seen, const void *p) {
    const char *first;
    size_t bytes;
    *seen = (dpc_seen_pointer){.pointer = p, .changes = dpc_blocks_changed, .low = INT64_MIN, .high = INT64_MAX};
    if (p == NULL || !dpc_block_around(p, &first, &bytes)) return;
    seen->low = first - (const char *)p;
    seen->high = (int64_t)bytes + seen->low;
}
