/* How the dimensions of an array are divided: the formats of mappings. */
#ifndef DPC_FORMATS_H
#define DPC_FORMATS_H

#include "element_types.h"

DPC_BEGIN_INTERFACE

typedef enum {
    DPC_FORMAT_STAR,
    DPC_FORMAT_BLOCK,
    DPC_FORMAT_CYCLIC,
    DPC_FORMAT_GEN_BLOCK,
    DPC_FORMAT_ALIGNED /* what a divided dimension of an aligned array has; not given by programs */
} dpc_format_kind;
/* Instead of a block size or of a grid's extent: the library computes it from the number of processes. */
#define DPC_CHOSEN INT64_MIN
/* Whether a format says all about where the elements stand: the others have a placement (placement.h). */
#define DPC_SAYS_ALL(kind) ((kind) <= DPC_FORMAT_CYCLIC)
typedef struct {
    dpc_format_kind kind;
    dpc_index block;    /* DPC_CHOSEN: block without a size; gen_block: entries of the vector */
    dpc_index gap;      /* cyclic: places between two blocks of one process, elements */
    const void *vector; /* gen_block, while the array is mapped: elements of each coordinate */
    int type;           /* gen_block: dpc_type of its entries, an integer type */
    dpc_index lead;     /* cyclic: it is dealt as if so many elements came before the first one */
} dpc_format;
#ifdef __cplusplus
#define DPC_FORMAT(kind, block, gap) (dpc_format{kind, (dpc_index)(block), (dpc_index)(gap), nullptr, 0, 0})
#else
#define DPC_FORMAT(kind, block, gap) ((dpc_format){kind, (block), (gap), NULL, 0, 0})
#endif
/* gen_block(vector): coordinate q has vector[q] elements.  A vector with fewer entries than coordinates, negative
 * entries, a sum that is not the extent, processes that have different ones: errors that say the numbers. */
#define DPC_GEN_BLOCK(vector, entries)                                                                                 \
    ((dpc_format){DPC_FORMAT_GEN_BLOCK, (entries), 0, (vector), dpc_type_of(*(vector)), 0})
#define DPC_FORMATS(...) ((const dpc_format[]){__VA_ARGS__})
#define DPC_STAR DPC_FORMAT(DPC_FORMAT_STAR, 0, 0)
#define DPC_BLOCK DPC_FORMAT(DPC_FORMAT_BLOCK, DPC_CHOSEN, 0)
#define DPC_BLOCK_OF(m) DPC_FORMAT(DPC_FORMAT_BLOCK, m, 0)
#define DPC_CYCLIC(b) DPC_FORMAT(DPC_FORMAT_CYCLIC, b, 0)
/* With room for ghost cells: arrays whose elements are addressed by the same local indices have the same. */
#define DPC_CYCLIC_APART(b, gap) DPC_FORMAT(DPC_FORMAT_CYCLIC, b, gap)
/* The first element is number `lead` of the first block, or of a later one, so that it stands beside another array's.
 */
#define DPC_CYCLIC_AFTER(lead, b, gap) ((dpc_format){DPC_FORMAT_CYCLIC, (b), (gap), NULL, 0, (lead)})

DPC_END_INTERFACE

#endif
