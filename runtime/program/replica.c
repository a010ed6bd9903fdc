/* Ordinary memory, of which every process has a copy, and a distributed array of the same extents. */
#include "program.h"

#include <string.h>

/* A process's part of an array, and row-major memory that holds the whole array. */
typedef struct {
    const dpc_array *x;
    dpc_index coord[DPC_MAX_RANK];  /* of the process, per dimension */
    dpc_index stride[DPC_MAX_RANK]; /* of the part, elements */
    char *memory, *part;
    bool stored; /* the part is the array's own, with its gaps between blocks */
    bool to_memory;
} replica;

/* k: the dimension; here, there: of the elements in the part and in memory, elements. */
static void copy_part(const replica *r, int k, dpc_index here, dpc_index there) {
    const dpc_array *x = r->x;
    if (k == x->rank) {
        char *element = r->memory + there * x->size, *own = r->part + here * x->size;
        memcpy(r->to_memory ? element : own, r->to_memory ? own : element, (size_t)x->size);
        return;
    }
    dpc_dim d = x->dim[k];
    const dpc_index count = dpc_local_extent(&d, r->coord[k]);
    dpc_part_blocks(&d, 0);
    for (dpc_index n = 0; n < count; n++) {
        const dpc_index at = dpc_global(&d, n, r->coord[k]), place = r->stored ? dpc_local(&x->dim[k], at) : n;
        copy_part(r, k + 1, here + place * r->stride[k], there * d.extent + at - d.lower);
    }
}

/* The coordinates of a grid's process number `place`; false: it has no elements, or copies of another one's. */
static bool find_coordinates(const dpc_array *x, int place, dpc_index *coord) {
    bool first = true;
    for (int g = x->grid->rank - 1; g >= 0; g--) {
        coord[g] = place % x->grid->extent[g];
        place /= x->grid->extent[g];
        first = first && (x->held[g] == DPC_DIVIDED || coord[g] == dpc_maximum(x->held[g], 0));
    }
    return first;
}

/* The part of the process with these coordinates side by side; returns its elements. */
static dpc_index set_process(replica *r, const dpc_index *coord) {
    const dpc_array *x = r->x;
    dpc_index elements = 1;
    for (int k = x->rank - 1; k >= 0; k--) {
        r->coord[k] = x->dim[k].grid_dim < 0 ? 0 : coord[x->dim[k].grid_dim];
        r->stride[k] = elements;
        elements *= dpc_local_extent(&x->dim[k], r->coord[k]);
    }
    return elements;
}

/* This process's part, where it is stored. */
static replica own_part(const dpc_array *x, void *memory, bool to_memory) {
    replica r = {.x = x, .memory = memory, .to_memory = to_memory};
    memcpy(r.coord, x->coord, sizeof r.coord);
    memcpy(r.stride, x->stride, sizeof r.stride);
    r.part = x->local;
    r.stored = true;
    return r;
}

void dpc_from_replicas(dpc_array *x, const void *memory) {
    const replica own = own_part(x, (void *)memory, false);
    if (x->member) copy_part(&own, 0, 0, 0);
}

/* One broadcast of each process's part. */
static void share_part(const replica *own, const dpc_index *coord) {
    replica r = *own;
    const int process = dpc_grid_process(own->x->grid, coord);
    const dpc_index bytes = set_process(&r, coord) * own->x->size;
    r.part = dpc_take_staging(bytes, 1);
    r.to_memory = r.stored = false;
    if (process == dpc_rank()) copy_part(&r, 0, 0, 0);
    for (dpc_index done = 0; done < bytes; done += dpc_chunk()) {
        const dpc_index part = dpc_minimum(dpc_chunk(), bytes - done);
        dpc_count_message(part);
        MPI_Bcast(r.part + done, (int)part, MPI_BYTE, process, dpc_communicator);
    }
    r.to_memory = true;
    if (process != dpc_rank()) copy_part(&r, 0, 0, 0);
    dpc_give_staging(r.part);
}

void dpc_to_replicas(const dpc_array *x, void *memory, const char *where) {
    (void)where; /* but of statistics */
    const replica own = own_part(x, memory, true);
    if (x->member) copy_part(&own, 0, 0, 0);
    if (dpc_nprocs() == 1) return;
    dpc_begin_counting(where, DPC_COUNT_collectives);
    for (int place = 0; place < x->grid->size; place++) {
        dpc_index coord[DPC_MAX_RANK] = {0};
        if (find_coordinates(x, place, coord)) share_part(&own, coord);
    }
    dpc_end_counting();
}
