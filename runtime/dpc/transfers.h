/* What brings the elements that iterations read: fetches, broadcasts, values that are reused, gathers and scatters. */
#ifndef DPC_TRANSFERS_H
#define DPC_TRANSFERS_H

#include "../messages.h"
#include "spaces.h"

DPC_BEGIN_INTERFACE

/* Moves the elements of `a` that my iterations read to this process: posts receives, packs and sends, copies what is
 * mine. dpc_arrive waits and returns them: a dense row-major block, whose dimensions are the indices that occur in
 * `subscripts` in ascending index number and whose extents are s->mine[] of these; an element stands at its iterations'
 * positions. With no such index: one element.  Elements that no iteration of mine reads (clip) are 0.  dpc_release
 * frees. Any number of fetches may be under way; every process starts and ends them in the same order.  Values are
 * those at the time of dpc_fetch: the array may be assigned after dpc_arrive. */
typedef struct dpc_transfer dpc_transfer;
dpc_transfer *dpc_fetch(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
void *dpc_arrive(dpc_transfer *t);
/* Where they will be: in a loop over boxes, those that the box needs are there. (local) */
void *dpc_arriving(const dpc_transfer *t);
void dpc_release(dpc_transfer *t);
/* A dpc_transfer * that is released at the end of the block that declares it. */
#define DPC_TRANSFER __attribute__((cleanup(dpc_release_behind))) dpc_transfer *
static inline void dpc_release_behind(dpc_transfer **t) {
    dpc_release(*t);
}

/* Home's elements of all my iterations become those of another array: `home = a`.  Every index subscripts both, each a
 * dimension of its own; all of them are inside both arrays. */
void dpc_copy(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* A fetch of a reference whose indices stand in it as in home, on the same grid, and whose other subscripts are
 * invariant: one collective along the dimensions of the grid that these divide.  Ends as a fetch. */
dpc_transfer *dpc_broadcast(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);
/* The same of a single element: all subscripts are invariant. */
void *dpc_share_element(const dpc_space *s, const dpc_array *a, void *value, const dpc_subscript *subscripts);
#define dpc_share(ctype, space, array, ...)                                                                            \
    (*(ctype *)dpc_share_element((space), (array), &(ctype){0}, (const dpc_subscript[]){__VA_ARGS__}))

/* The same where the values of the last execution stay, for it or another statement that reads the same: nothing moves
 * while the array, the ranges and home's mapping are the same.  A place is static, or zeroed, and serves one transfer
 * at a time. */
typedef struct dpc_reused {
    bool stored;  /* dpc_localised: the statement assigns the array, whose own elements are copied */
    void *values; /* private, as is the rest */
    dpc_index *word;
    int words, room, iterations;
    bool listed;
    const dpc_space *space; /* of which the words up to `iterations` are, */
    int64_t version;        /* as it was then */
    struct dpc_gathering *schedule;
    int64_t contents, mapping;
    dpc_index count;       /* of a gather: accesses */
    const void *found;     /* dpc_localised: the elements that accesses find, */
    const uint32_t *place; /* where each access finds its own */
    struct dpc_kept_submatrix *matrix;
    struct dpc_reused *next;
} dpc_reused;
dpc_transfer *dpc_fetch_reused(dpc_reused *reused, const dpc_space *s, const dpc_array *a,
                               const dpc_subscript *subscripts);
dpc_transfer *dpc_broadcast_reused(dpc_reused *reused, const dpc_space *s, const dpc_array *a,
                                   const dpc_subscript *subscripts);

/* The same of a gather: false where its elements must be looked for, by dpc_gather_reused, because the array's mapping
 * or what its subscripts are made of has changed; where only the array has, the values come anew.  An input is memory
 * with the same bytes on every process: a variable, an array's `contents`. */
typedef struct {
    const void *data;
    dpc_index bytes;
} dpc_input;
#define DPC_INPUT(variable)                                                                                            \
    { &(variable), sizeof(variable) }
#define DPC_INPUTS(...) ((const dpc_input[]){__VA_ARGS__})
bool dpc_gathered(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input);
void dpc_gather_reused(dpc_reused *reused, const char *where, const dpc_array *a, bool clip, dpc_index count,
                       const dpc_index *index);
/* The same of a gather whose elements serve several accesses each: access number k finds found[place[k]]. */
bool dpc_localised(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input);
void dpc_localise_reused(dpc_reused *reused, const char *where, const dpc_array *a, bool clip, dpc_index count,
                         const dpc_index *index);
/* The same of several arrays whose gathers have the same subscripts: what these are made of is compared once, they are
 * collected once, and arrays that stand alike have one schedule, by which their values come in the same messages. */
typedef struct {
    dpc_reused *reused;
    const dpc_array *array;
} dpc_gathered_array;
bool dpc_gathered_together(int arrays, const dpc_gathered_array *g, const dpc_space *s, int inputs,
                           const dpc_input *input);
void dpc_gather_together(int arrays, const dpc_gathered_array *g, const char *where, bool clip, dpc_index count,
                         const dpc_index *index);
void dpc_gather_rows_together(int arrays, const dpc_gathered_array *g, const char *where, dpc_index width,
                              dpc_index count, const dpc_index *index);
bool dpc_localised_together(int arrays, const dpc_gathered_array *g, const dpc_space *s, int inputs,
                            const dpc_input *input);
void dpc_localise_together(int arrays, const dpc_gathered_array *g, const char *where, bool clip, dpc_index count,
                           const dpc_index *index);
/* Of a scatter: false where owners must be looked for, by dpc_inspect_reused; then its values are stored.  The array
 * has no copies. */
bool dpc_inspected(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input);
void dpc_inspect_reused(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index count,
                        const dpc_index *index);
/* The same of rows, as in dpc_gather_rows. */
void dpc_gather_rows_reused(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index width, dpc_index count,
                            const dpc_index *index);
void dpc_inspect_rows_reused(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index width,
                             dpc_index count, const dpc_index *index);
void dpc_scatter_reused(const dpc_reused *reused, dpc_array *a, const void *values);
/* The same where the caller stores the values themselves: as dpc_begin_scatter_rows. */
typedef struct dpc_scattering dpc_scattering;
dpc_scattering *dpc_begin_scatter_reused(const dpc_reused *reused, dpc_array *a);

/* Inspector and executor for other subscripts.  index: `count` tuples of a->rank global indices.  dpc_gather returns
 * the elements in that order (free with dpc_free_buffer).  dpc_scatter stores values[k] at tuple k, at its owner; which
 * of equal tuples wins is unspecified.  An index outside the array ends the program with an error, but for tuples of
 * INT64_MIN, whose elements are 0; clip: those of all tuples outside are. */
void *dpc_gather(const char *where, const dpc_array *a, bool clip, dpc_index count, const dpc_index *index);
void dpc_scatter(const char *where, dpc_array *a, dpc_index count, const dpc_index *index, const void *values);

/* The same of rows: each tuple is the first of `width` elements that lie side by side on one process; width is the same
 * on every process, and so are the last subscripts of all tuples.  Without copies, for the scatter. */
void *dpc_gather_rows(const char *where, const dpc_array *a, dpc_index width, dpc_index count, const dpc_index *index);
void dpc_scatter_rows(const char *where, dpc_array *a, dpc_index width, dpc_index count, const dpc_index *index,
                      const void *values);
/* Both of several arrays, whose values are put where each expects them. */
typedef struct {
    const dpc_array *array;
    void *values;
} dpc_gathered_values;
void dpc_gather_all(int arrays, dpc_gathered_values *g, const char *where, bool clip, dpc_index count,
                    const dpc_index *index);
void dpc_gather_all_rows(int arrays, dpc_gathered_values *g, const char *where, dpc_index width, dpc_index count,
                         const dpc_index *index);
/* A scatter whose caller stores the values: in row number k, dpc_rows_of(x)[k], those of tuple k.  A row is that of the
 * local part, or one of a message, which dpc_end_scatter sends; it also stores what comes from others. */
dpc_scattering *dpc_begin_scatter_rows(const char *where, dpc_array *a, dpc_index width, dpc_index count,
                                       const dpc_index *index);
void *const *dpc_rows_of(const dpc_scattering *x);
void dpc_end_scatter(dpc_scattering *x);

/* Fetches and moves between these go together: what they send to one process is one message, unless it is long.  They
 * are known at the end; what dpc_open has opened is packed behind it.  The program receives and sends them; nothing is
 * waited for before all is sent. */
void dpc_begin_aggregate(const char *where);
const dpc_messages *dpc_end_aggregate(void);

DPC_END_INTERFACE

#endif
