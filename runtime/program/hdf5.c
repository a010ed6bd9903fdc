/* hdf5_save and hdf5_load: datasets of HDF5, each process its part in one hyperslab of the file or several.  Process 0
 * makes the file with the dataset, or looks whether it fits; then all open it through MPI-IO and transfer collectively.
 * With SimGrid, which has no MPI-IO on real files, each of them opens it by itself.  A library of its own
 * (libdpc_hdf5), which programs that call none of them do without. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "filed.h"
#include "../hdf5_files.h"

/* Bytes of a transfer: through a copy, straight from memory. */
enum { COPIED_BYTES = 16 << 20, STRAIGHT_BYTES = 1 << 30 };

/* ---- A process's elements in boxes: slices along one dimension, one index each before it, all behind it */

typedef struct {
    int along;        /* a dimension of the file */
    dpc_index slices; /* at most, of a box */
    dpc_index inner;  /* elements of a slice */
    dpc_index in_row; /* boxes along the dimension */
    dpc_index boxes;
} cut;

static cut cut_in_boxes(const dpc_filed *x) {
    const dpc_index most = dpc_maximum((x->dense ? STRAIGHT_BYTES : COPIED_BYTES) / x->shape.size, 1);
    cut c = {.along = x->shape.rank - 1, .inner = 1};
    if (x->elements == 0) return c;
    while (c.along > 0 && c.inner * x->local[c.along] <= most) c.inner *= x->local[c.along--];
    const dpc_index extent = x->local[c.along];
    c.slices = dpc_minimum(dpc_maximum(most / c.inner, 1), extent);
    c.in_row = (extent + c.slices - 1) / c.slices;
    c.boxes = x->elements / (c.inner * extent) * c.in_row;
    return c;
}

/* Box number k in the file, and its first element as dpc_copy_filed numbers them; returns how many it has. */
static dpc_index find_box(const dpc_filed *x, const cut *c, dpc_index k, hsize_t *start, hsize_t *count,
                          dpc_index *first) {
    const dpc_index row = k / c->in_row, at = k % c->in_row * c->slices, extent = x->local[c->along];
    const dpc_index slices = dpc_minimum(c->slices, extent - at);
    const int divided = x->order[x->divided];
    dpc_index rest = row;
    for (int d = x->shape.rank - 1; d >= 0; d--) {
        start[d] = d == c->along ? (hsize_t)at : 0;
        count[d] = d < c->along ? 1 : d == c->along ? (hsize_t)slices : (hsize_t)x->local[d];
        if (d >= c->along) continue;
        start[d] = (hsize_t)(rest % x->local[d]);
        rest /= x->local[d];
    }
    start[x->divided] += (hsize_t)(x->array->first[divided] - x->array->dim[divided].lower);
    *first = (row * extent + at) * c->inner;
    return slices * c->inner;
}

/* ---- HDF5's objects */

static dpc_hdf5 dataset_of(const dpc_shape_in_file *x, const char *file, const char *dataset) {
    return (dpc_hdf5){file, dataset, x->name, x->kind, x->size, x->rank, x->extent};
}

typedef struct {
    const dpc_filed *filed;
    dpc_together *together;
    bool writing;
    hid_t file, set, type, space, way;
} transfer;

static void note_failure(transfer *t, const char *what) {
    char why[DPC_HDF5_WHY], text[DPC_HDF5_WHY];
    dpc_hdf5_failed(why, "HDF5");
    snprintf(text, sizeof text, "%.390s", why);
    dpc_fail_file(t->together, what, text);
}

static hid_t open_for_all(const transfer *t) {
    const unsigned mode = t->writing ? H5F_ACC_RDWR : H5F_ACC_RDONLY;
#ifdef DPC_SMPI
    return dpc_hdf5_open(dpc_path_together(t->together), mode);
#else
    char *path = dpc_path_for_mpi(t->together);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, dpc_communicator, MPI_INFO_NULL);
    const hid_t file = H5Fopen(path, mode, access);
    dpc_hdf5_end_properties(access, file < 0);
    dpc_free_buffer(path);
    return file;
#endif
}

static void open_dataset(transfer *t, const dpc_hdf5 *x) {
    t->file = open_for_all(t);
    t->set = t->file < 0 ? -1 : H5Dopen2(t->file, x->dataset, H5P_DEFAULT);
    if (t->set < 0) note_failure(t, t->writing ? "write" : "read");
    t->space = t->set < 0 ? -1 : H5Dget_space(t->set);
    t->type = dpc_hdf5_type(x);
    t->way = H5Pcreate(H5P_DATASET_XFER);
#ifndef DPC_SMPI
    H5Pset_dxpl_mpio(t->way, H5FD_MPIO_COLLECTIVE);
#endif
}

static void close_dataset(transfer *t) {
    H5Pclose(t->way);
    H5Tclose(t->type);
    if (t->space >= 0) H5Sclose(t->space);
    if (t->set >= 0 && H5Dclose(t->set) < 0) note_failure(t, t->writing ? "write" : "read");
    if (t->file >= 0 && H5Fclose(t->file) < 0) note_failure(t, t->writing ? "write" : "read");
}

/* ---- The elements */

/* One call; all processes do as many.  memory NULL: nothing. */
static void move(transfer *t, void *memory, dpc_index elements) {
    const hsize_t count = (hsize_t)dpc_maximum(elements, 1);
    const hid_t in_memory = H5Screate_simple(1, &count, NULL);
    char nothing = 0;
    if (memory == NULL) {
        H5Sselect_none(in_memory);
        H5Sselect_none(t->space);
        memory = &nothing;
    }
    const herr_t error = t->writing ? H5Dwrite(t->set, t->type, in_memory, t->space, t->way, memory)
                                    : H5Dread(t->set, t->type, in_memory, t->space, t->way, memory);
    if (error < 0) note_failure(t, t->writing ? "write" : "read");
    H5Sclose(in_memory);
}

static void move_box(transfer *t, const cut *c, dpc_index k, char *room) {
    const dpc_filed *x = t->filed;
    hsize_t start[DPC_MAX_RANK], count[DPC_MAX_RANK];
    dpc_index first;
    const dpc_index elements = find_box(x, c, k, start, count, &first);
    char *memory = room != NULL ? room : (char *)x->array->local + first * x->shape.size;
    H5Sselect_hyperslab(t->space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (room != NULL && t->writing) dpc_copy_filed(x, first, elements, room, false);
    move(t, memory, elements);
    if (t->writing) return;
    if (x->shape.kind == 'b') dpc_npy_normalise(memory, elements);
    if (room != NULL) dpc_copy_filed(x, first, elements, room, true);
}

/* Between the opening and the closing simulated processes do not let others run, and all have one HDF5. */
static void move_elements(const dpc_filed *x, dpc_together *together, const dpc_hdf5 *h, bool writing) {
    const cut c = cut_in_boxes(x);
    const bool copied = !x->dense && c.boxes > 0;
    char *room = copied ? dpc_raw_buffer(c.slices * c.inner, x->shape.size) : NULL;
    transfer t = {.filed = x, .together = together, .writing = writing};
    dpc_index rounds = c.boxes;
#ifndef DPC_SMPI
    MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_INT64_T, MPI_MAX, dpc_communicator);
#endif
    open_dataset(&t, h);
#ifndef DPC_SMPI
    dpc_agree_together(together);
#endif
    for (dpc_index k = 0; k < rounds && t.set >= 0; k++)
        if (k < c.boxes)
            move_box(&t, &c, k, room);
        else
            move(&t, NULL, 0);
    close_dataset(&t);
    if (room != NULL) dpc_free_buffer(room);
}

/* ---- Calls */

/* Process 0 makes the file, or looks at it, for all. */
static void prepare(dpc_together *t, const dpc_hdf5 *x, bool writing) {
    char why[DPC_HDF5_WHY];
    dpc_agree_together(t);
    if (dpc_rank() == 0 && writing && !dpc_hdf5_make(x, dpc_path_together(t), why)) dpc_fail_file(t, "write", why);
    if (dpc_rank() == 0 && !writing && !dpc_hdf5_fits(x, why)) dpc_fail_file(t, NULL, why);
    dpc_agree_together(t);
}

static void transfer_file(const char *file, const char *dataset, const dpc_argument *g, bool writing) {
    const dpc_shape_in_file shape = dpc_shape_of(g);
    dpc_together *t = dpc_name_together(g->where, file, dataset, writing);
    const dpc_hdf5 h = dataset_of(&shape, file, dataset);
    const dpc_hdf5_silence silence = dpc_hdf5_quiet();
    dpc_filed x;
    prepare(t, &h, writing);
    dpc_begin_filed(&x, g, false, !writing);
    move_elements(&x, t, &h, writing);
    dpc_publish_together(t, -1);
    dpc_hdf5_loud(silence);
    dpc_end_filed(&x);
}

void dpc_hdf5_save(const char *file, const char *dataset, const dpc_argument *from) {
    transfer_file(file, dataset, from, true);
}

void dpc_hdf5_load(const char *file, const char *dataset, const dpc_argument *to) {
    transfer_file(file, dataset, to, false);
}
