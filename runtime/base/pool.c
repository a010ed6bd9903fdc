/* Memory that is given back and taken again: the buffers of one time step serve the next, so that neither the allocator
 * nor the system need be asked for them again.  What is kept, latest first, is bounded in number and size: a few
 * buffers and megabytes, or what was held at the same time (messages of a transfer to many processes), because asking
 * for the pages of a large buffer costs more than a transfer. */
#include "base.h"

#include <stdalign.h>

#ifndef DPC_STANDALONE

/* What stands before the bytes of a buffer; a multiple of the strictest alignment. */
typedef struct block {
    alignas(16) struct block *next;
    dpc_index room; /* bytes */
} block;

/* A sanitizer, or valgrind, shall see the use of a buffer that was given back, or that has no values yet. */
#if defined(__SANITIZE_ADDRESS__) || defined(DPC_MEMCHECK)
enum { MOST_BLOCKS = 0, MOST_BYTES = 0 };
#else
enum { MOST_BLOCKS = 64, MOST_BYTES = 32 << 20 };
#endif

static block *blocks;
static dpc_index kept, kept_bytes; /* in the list */

/* Number and bytes of the buffers that transfers hold, and held at most. */
static dpc_index held, held_bytes, most_held, most_held_bytes;

static void hold(dpc_index bytes) {
    held++;
    held_bytes += bytes;
    if (MOST_BLOCKS == 0) return;
    most_held = dpc_maximum(most_held, held);
    most_held_bytes = dpc_maximum(most_held_bytes, held_bytes);
}

/* The room of a buffer for so many bytes: one of four sizes between a power of two and the next, so that what serves a
 * request is as good as what served the last one like it, whatever was taken and given back between them. */
static dpc_index room_for(dpc_index bytes) {
    if (MOST_BLOCKS == 0 || bytes > INT64_MAX / 2) return bytes; /* a sanitizer shall see where the bytes end */
    if (bytes <= 64) return 64;
    const dpc_index step = (dpc_index)1 << (61 - __builtin_clzll((unsigned long long)(bytes - 1)));
    return dpc_ceiling(bytes, step) * step;
}

static void unlink_block(block **link) {
    kept--;
    kept_bytes -= (*link)->room;
    *link = (*link)->next;
}

DPC_STEADY void *dpc_take_staging(dpc_index count, dpc_index size) {
    dpc_index bytes, all;
    if (count < 0 || __builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(room_for(bytes), (dpc_index)sizeof(block), &all))
        return dpc_new_memory(count, size);
    const dpc_index room = room_for(bytes);
    for (block **link = &blocks; *link != NULL; link = &(*link)->next) {
        block *b = *link;
        if (b->room != room) continue;
        unlink_block(link);
        hold(b->room);
        return b + 1;
    }
    block *b = dpc_new_memory(all, 1);
    b->room = room;
    hold(room);
    return b + 1;
}

/* Frees the oldest buffers so that at most `most` of them with `bytes` bytes stay. */
static void keep(dpc_index most, dpc_index bytes) {
    for (block **link = &blocks; *link != NULL;) {
        block *b = *link;
        if (most > 0 && b->room <= bytes) {
            most--;
            bytes -= b->room;
            link = &b->next;
            continue;
        }
        unlink_block(link);
        dpc_free_memory(b);
    }
}

DPC_STEADY void dpc_give_staging(void *buffer) {
    if (buffer == NULL) return;
    block *b = (block *)buffer - 1;
    b->next = blocks;
    blocks = b;
    kept++;
    kept_bytes += b->room;
    held--;
    held_bytes -= b->room;
    const dpc_index most = dpc_maximum(MOST_BLOCKS, most_held), most_bytes = dpc_maximum(MOST_BYTES, most_held_bytes);
    if (kept > most || kept_bytes > most_bytes) keep(most, most_bytes);
}

void dpc_free_staging(void) {
    keep(0, 0);
}
#endif
