/* A block of a two-dimensional array on a grid of processes, with a border of neighbours' elements ("halo").
 *
 * Before it is included, HALO_TYPE and HALO_MPI_TYPE name the element's type. The exchange is split: halo_start posts
 * receives and sends the inner border, halo_finish waits and unpacks. Rows of a border of one travel without copying.
 */
#ifndef HALO_H
#define HALO_H

#include "mpi_program.h"

/* Where rows begin; a program may divide them in its own way. */
#ifndef HALO_FIRST_ROW
#define HALO_FIRST_ROW part_start
#endif

typedef struct {
    MPI_Comm comm;
    long rows, columns, width;    /* of the inner part; of the border */
    long depth, stride;           /* elements of a point, side by side; elements from row to row */
    long first_row, first_column; /* of the inner part, in the whole array */
    int partners;
    struct {
        int partner, down, right; /* direction: -1, 0, 1 */
        long count;
        HALO_TYPE *out, *in;
    } to[8];
    MPI_Request requests[16];
} halo;

static inline long halo_from(int direction, long extent, long width) {
    return direction > 0 ? extent - width : 0;
}
static inline long halo_count(int direction, long extent, long width) {
    return direction ? width : extent;
}

/* For n x m points of depth elements. rows_only: the grid has one column. corners: diagonal neighbours too. */
static halo halo_create(long n, long m, long depth, long width, int rows_only, int periodic, int corners) {
    halo h = {.width = width, .depth = depth};
    int dims[2] = {0, rows_only}, periods[2] = {periodic, periodic}, at[2];
    MPI_Dims_create(processes, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &h.comm);
    MPI_Cart_coords(h.comm, rank, 2, at);
    h.first_row = HALO_FIRST_ROW(n, at[0], dims[0]), h.rows = HALO_FIRST_ROW(n, at[0] + 1, dims[0]) - h.first_row;
    h.first_column = part_start(m, at[1], dims[1]), h.columns = part_start(m, at[1] + 1, dims[1]) - h.first_column;
    h.stride = (h.columns + 2 * width) * depth;
    for (int down = -1; down <= 1; down++) {
        for (int right = -1; right <= 1; right++) {
            int there[2] = {at[0] + down, at[1] + right};
            if ((!down && !right) || (down && right && !corners)) continue;
            if (!periodic && (there[0] < 0 || there[0] >= dims[0] || there[1] < 0 || there[1] >= dims[1])) continue;
            int k = h.partners++;
            MPI_Cart_rank(h.comm, there, &h.to[k].partner);
            h.to[k].down = down, h.to[k].right = right;
            h.to[k].count = halo_count(down, h.rows, width) * halo_count(right, h.columns, width) * depth;
            h.to[k].out = allocate(h.to[k].count, sizeof(HALO_TYPE));
            h.to[k].in = allocate(h.to[k].count, sizeof(HALO_TYPE));
        }
    }
    return h;
}

/* Memory for the block with its border, and its first inner element. */
static HALO_TYPE *halo_allocate(const halo *h) {
    return (HALO_TYPE *)allocate((h->rows + 2 * h->width) * h->stride, sizeof(HALO_TYPE)) +
           h->width * (h->stride + h->depth);
}

static inline HALO_TYPE *halo_inner(const halo *h, int k, HALO_TYPE *a) {
    return a + halo_from(h->to[k].down, h->rows, h->width) * h->stride +
           halo_from(h->to[k].right, h->columns, h->width) * h->depth;
}
static inline HALO_TYPE *halo_outer(const halo *h, int k, HALO_TYPE *a) {
    return halo_inner(h, k, a) + (h->to[k].down * h->stride + h->to[k].right * h->depth) * h->width;
}
static inline int halo_in_place(const halo *h, int k) {
    return h->width == 1 && h->to[k].right == 0;
}
static inline int halo_tag(int down, int right) {
    return 3 * down + right + 4;
}

static void halo_start(halo *h, HALO_TYPE *a) {
    for (int k = 0; k < h->partners; k++) {
        HALO_TYPE *in = halo_in_place(h, k) ? halo_outer(h, k, a) : h->to[k].in;
        h->requests[k] = MPI_REQUEST_NULL;
        if (h->to[k].partner == rank) continue;
        MPI_Irecv(in, (int)h->to[k].count, HALO_MPI_TYPE, h->to[k].partner, halo_tag(-h->to[k].down, -h->to[k].right),
                  h->comm, &h->requests[k]);
    }
    for (int k = 0; k < h->partners; k++) {
        HALO_TYPE *restrict out = h->to[k].out;
        const HALO_TYPE *from = halo_inner(h, k, a);
        long rows = halo_count(h->to[k].down, h->rows, h->width), columns = h->to[k].count / rows;
        h->requests[8 + k] = MPI_REQUEST_NULL;
        if (h->to[k].partner == rank) { /* a periodic dimension with one process: to its own opposite border */
            HALO_TYPE *to =
                (HALO_TYPE *)from - (h->to[k].down * h->rows * h->stride + h->to[k].right * h->columns * h->depth);
            for (long i = 0; i < rows; i++)
                memcpy(to + i * h->stride, from + i * h->stride, (size_t)columns * sizeof *to);
            continue;
        }
        if (halo_in_place(h, k))
            out = (HALO_TYPE *)from;
        else if (columns == 1)
            for (long i = 0; i < rows; i++) out[i] = from[i * h->stride];
        else
            for (long i = 0; i < rows; i++)
                for (long j = 0; j < columns; j++) out[i * columns + j] = from[i * h->stride + j];
        MPI_Isend(out, (int)h->to[k].count, HALO_MPI_TYPE, h->to[k].partner, halo_tag(h->to[k].down, h->to[k].right),
                  h->comm, &h->requests[8 + k]);
    }
}

static void halo_finish(halo *h, HALO_TYPE *a) {
    MPI_Waitall(h->partners, h->requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < h->partners; k++) {
        HALO_TYPE *to = halo_outer(h, k, a);
        long rows = halo_count(h->to[k].down, h->rows, h->width), columns = h->to[k].count / rows;
        if (halo_in_place(h, k) || h->to[k].partner == rank) continue;
        for (long i = 0; i < rows; i++)
            for (long j = 0; j < columns; j++) to[i * h->stride + j] = h->to[k].in[i * columns + j];
    }
    MPI_Waitall(h->partners, h->requests + 8, MPI_STATUSES_IGNORE);
}

/* Calls SWEEP(first row, last row + 1, first column, last column + 1) for the part that needs no border while the
 * messages travel, then for the rest. */
#define HALO_OVERLAP(h, a, SWEEP)                                                                                      \
    do {                                                                                                               \
        long r_ = (h)->rows, c_ = (h)->columns, w_ = (h)->width;                                                       \
        if ((h)->partners == 0 || r_ < 2 * w_ || c_ < 2 * w_) {                                                        \
            halo_start(h, a), halo_finish(h, a);                                                                       \
            SWEEP(0, r_, 0, c_);                                                                                       \
            break;                                                                                                     \
        }                                                                                                              \
        halo_start(h, a);                                                                                              \
        SWEEP(w_, r_ - w_, w_, c_ - w_);                                                                               \
        halo_finish(h, a);                                                                                             \
        SWEEP(0, w_, 0, c_);                                                                                           \
        SWEEP(r_ - w_, r_, 0, c_);                                                                                     \
        SWEEP(w_, r_ - w_, 0, w_);                                                                                     \
        SWEEP(w_, r_ - w_, c_ - w_, c_);                                                                               \
    } while (0)

#endif
