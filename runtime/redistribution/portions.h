/* What this process shares with another one as the bytes of a message, in row-major order of the shares: taken portion
 * by portion from the first byte to the last, packed, unpacked, or used where they lie. */
#ifndef DPC_REDISTRIBUTION_PORTIONS_H
#define DPC_REDISTRIBUTION_PORTIONS_H

#include "index.h"

/* A place in a share. */
typedef struct {
    dpc_index base, stretch; /* local index that the period's offsets are relative to; number of the stretch */
    dpc_index done;          /* of the stretch: indices, in the row bytes */
    dpc_index behind;        /* indices in all; not of the row */
} dpc_share_position;

/* Dimensions whose elements lie side by side are part of the units of the last one that is left, the row. */
typedef struct {
    int rank; /* the row is dimension rank - 1 */
    const dpc_share *shares[DPC_MAX_RANK];
    dpc_index step[DPC_MAX_RANK]; /* bytes of storage per local index */
    dpc_share_position at[DPC_MAX_RANK];
    dpc_index unit;            /* bytes at an index of the row */
    dpc_index period, longest; /* of the row: bytes of its stretches, of the longest of them */
    dpc_index place;           /* bytes of storage before local index 0 of the row */
    dpc_index first;           /* the same for all indices 0 */
    dpc_index row_left, left;  /* bytes that have not been taken: of the row, in all */
    dpc_index limit;           /* bytes of storage that may be read */
} dpc_portions;

/* strides: elements; size: bytes; limit: bytes of storage.  The shares must stay. */
dpc_portions dpc_open_portions(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size,
                               dpc_index limit);
/* Bytes from here on that lie side by side; where in storage. */
dpc_index dpc_portion_run(const dpc_portions *p);
dpc_index dpc_portion_place(const dpc_portions *p);
/* Take the next `bytes`. */
void dpc_skip_portion(dpc_portions *p, dpc_index bytes);
void dpc_pack_portion(dpc_portions *p, char *data, const char *storage, dpc_index bytes);
void dpc_unpack_portion(dpc_portions *p, const char *data, char *storage, dpc_index bytes);
/* From one place in storage to another; buffer: of DPC_COPY_BUFFER bytes; streaming: past the caches where that can be.
 */
enum { DPC_COPY_BUFFER = 64 << 10 };
void dpc_copy_portion(dpc_portions *from, const char *source, dpc_portions *to, char *target, dpc_index bytes,
                      char *buffer, bool streaming);

/* ---- Pieces: what lies side by side in both processes' storage, as long as dimensions that nobody divides do.  Both
 * processes find the same pieces, each from its own shares. */

typedef struct {
    const dpc_share *share; /* of the last dimension that is divided */
    dpc_line mine, theirs;
    dpc_index p;              /* coordinate along it */
    dpc_share_position at;    /* done: indices */
    dpc_index unit;           /* bytes at an index: the dimensions inside */
    dpc_index run_left, left; /* bytes: of the piece, in all */
} dpc_common_runs;

/* Bytes of a piece of two processes that share much, on average. */
double dpc_common_run_bytes(int rank, const dpc_line *from, const dpc_line *to, dpc_index size);
dpc_common_runs dpc_open_common_runs(int rank, const dpc_share *const *shares, const dpc_line *mine, const dpc_index *p,
                                     const dpc_line *theirs, dpc_index size);
/* Takes the next piece, `most` bytes at most; returns its length, 0 at the end. */
dpc_index dpc_next_common_run(dpc_common_runs *pieces, dpc_index most);

#endif
