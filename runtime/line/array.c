/* Arrays: which process has which elements, and where. */
#include "line.h"

dpc_grid *dpc_new_grid(const char *where, const char *name, int rank, const dpc_index *extents) {
    dpc_grid *procs = dpc_buffer(rank, sizeof *procs);
    *procs = *extents == DPC_CHOSEN ? dpc_nprocs() : *extents;
    if (*procs <= 0) dpc_fail(where, "grid '%s' has extent %lld in dimension 1", name, (long long)*procs);
    if (*procs > dpc_nprocs())
        dpc_fail(where, "grid '%s' needs %lld processes, the program was started with %d", name, (long long)*procs,
                 dpc_nprocs());
    return procs;
}

static void check_block(const dpc_array *a, const char *where) {
    dpc_index held;
    if (a->block <= 0) dpc_fail(where, "array '%s': block size %lld is not positive", a->name, (long long)a->block);
    if (a->single && !__builtin_mul_overflow(a->block, a->procs, &held) && held < a->extent)
        dpc_fail(where, "array '%s': block(%lld) over %lld processes holds %lld elements, but the extent is %lld",
                 a->name, (long long)a->block, (long long)a->procs, (long long)held, (long long)a->extent);
}

/* What this process has, as ScaLAPACK's numroc counts it. */
static void allocate(dpc_array *a, dpc_type type) {
    const dpc_index p = dpc_rank(), cycle = a->block * a->procs, rest = a->extent % cycle - p * a->block;
    const dpc_index owned = a->extent / cycle * a->block + dpc_maximum(0, dpc_minimum(rest, a->block));
    const dpc_index count = p < a->procs ? owned : 0;
    int size;
    MPI_Type_size(dpc_mpi_type(type), &size);
    a->type = type;
    a->size = size;
    a->local = dpc_buffer(count, size);
#if DPC_HAS_ONE_BLOCK
    a->first[0] = count > 0 ? a->lower + p * a->block : a->lower;
    a->last[0] = a->first[0] + count - 1;
    a->origin = dpc_origin(char, a->local, a->first[0] * size);
#endif
}

void dpc_create(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                const dpc_format *formats, dpc_grid *grid) {
    *a = (dpc_array){.name = name, .lower = bounds->lower, .single = formats->single};
    a->procs = grid == NULL ? dpc_nprocs() : *grid;
    if (__builtin_sub_overflow(bounds->upper, bounds->lower - 1, &a->extent) || a->extent < 0 ||
        a->extent > DPC_MOST_INDEX / a->procs)
        dpc_fail(where, "array '%s': dimension %d has a negative extent, or one beyond 64 bits: bounds %lld:%lld", name,
                 rank, (long long)bounds->lower, (long long)bounds->upper);
    a->block = formats->block == DPC_CHOSEN ? dpc_maximum(1, (a->extent + a->procs - 1) / a->procs) : formats->block;
    check_block(a, where);
    a->block = dpc_minimum(a->block, DPC_MOST_INDEX / a->procs);
    allocate(a, type);
}

void dpc_create_like(dpc_array *a, const char *where, const char *name, dpc_type type, const dpc_array *like) {
    (void)where;
    *a = *like;
    a->name = name;
    allocate(a, type);
}

/* ---- Single elements */

void dpc_fail_bounds(const char *where, const dpc_array *a, dpc_index index) {
    dpc_fail(where,
             "subscript 1 of array '%s' is out of bounds: index %lld, declared bounds %lld:%lld (upper bounds are "
             "inclusive)",
             a->name, (long long)index, (long long)a->lower, (long long)(a->lower + a->extent - 1));
}

/* The element where this process owns it, else NULL; *owner: who does. */
static void *find_element(const dpc_array *a, const char *where, dpc_index index, int *owner) {
    if (index < a->lower || index - a->lower >= a->extent) dpc_fail_bounds(where, a, index);
    *owner = (int)((index - a->lower) / a->block % a->procs);
    return *owner == dpc_rank() ? (char *)a->local + dpc_place_in(a, index) * a->size : NULL;
}

void *dpc_read(const dpc_array *a, const char *where, void *value, const dpc_index *index) {
    int owner;
    const void *element = find_element(a, where, *index, &owner);
    if (element != NULL) memcpy(value, element, (size_t)a->size);
    MPI_Bcast(value, (int)a->size, MPI_BYTE, owner, dpc_communicator);
    return value;
}

void *dpc_write(const dpc_array *a, const char *where, void *value, const dpc_index *index) {
    int owner;
    void *element = find_element(a, where, *index, &owner);
    if (element != NULL) memcpy(element, value, (size_t)a->size);
    return value;
}
