/* Distributed arrays: mapping, storage and element addresses. */
#include "../base/shared.h"
#include "../placement.h"
#include "program.h"

#include <string.h>

int64_t dpc_changes;

static int divided_dimensions(int rank, const dpc_format *formats) {
    int divided = 0;
    for (int k = 0; k < rank; k++) divided += formats[k].kind != DPC_FORMAT_STAR;
    return divided;
}

static dpc_grid *suitable_grid(const char *where, const char *name, int rank, const dpc_format *formats,
                               dpc_grid *grid) {
    const int divided = divided_dimensions(rank, formats);
    if (grid == NULL) return dpc_default_grid(divided);
    if (grid->rank != divided)
        dpc_fail(where, "array '%s' has %d distributed dimensions, but grid '%s' has rank %d", name, divided,
                 grid->name, grid->rank);
    return grid;
}

const dpc_width dpc_no_halo[DPC_MAX_RANK];

/* The block size that a format asks for, elements. */
static dpc_index block_size(const char *where, const char *name, const dpc_format *format, dpc_index extent,
                            dpc_index procs) {
    dpc_index held;
    if (format->kind == DPC_FORMAT_STAR) return extent;
    if (format->kind == DPC_FORMAT_BLOCK && format->block == DPC_CHOSEN) return dpc_ceiling(extent, procs);
    if (format->block <= 0)
        dpc_fail(where, "array '%s': block size %lld is not positive", name, (long long)format->block);
    if (format->kind == DPC_FORMAT_BLOCK && !__builtin_mul_overflow(format->block, procs, &held) && held < extent)
        dpc_fail(where, "array '%s': block(%lld) over %lld processes holds %lld elements, but the extent is %lld", name,
                 (long long)format->block, (long long)procs, (long long)held, (long long)extent);
    return format->block;
}

/* Every block that is dealt round-robin has ghost cells of its own, which only the blocks beside it fill. */
static void separate_blocks(dpc_array *a, const char *where, int k) {
    const dpc_width *halo = &a->halo[k];
    const dpc_format *f = &a->format[k];
    if (halo->low > f->block || halo->high > f->block || halo->low + halo->high > f->gap || halo->cyclic)
        dpc_fail(where, "array '%s': ghost cells %lld and %lld wide%s do not fit cyclic(%lld) with gaps of %lld",
                 a->name, (long long)halo->low, (long long)halo->high, halo->cyclic ? " that go round" : "",
                 (long long)f->block, (long long)f->gap);
    if (a->dim[k].procs > 1) dpc_part_blocks(&a->dim[k], f->gap);
}

static void no_memory(const char *where, const dpc_array *a) {
    dpc_fail(where, "out of memory for the mapping of array '%s'", a->name);
}

#if DPC_USES(DPC_GEN_BLOCK)
/* ---- gen_block */

#define DPC_ENTRY(enumerator, ctype, mpi)                                                                              \
    case enumerator:                                                                                                   \
        return (dpc_index)((const ctype *)format->vector)[k];

static dpc_index entry(const dpc_format *format, dpc_index k) {
    switch ((dpc_type)format->type) {
        DPC_ELEMENT_TYPES(DPC_ENTRY)
    case DPC_TYPES:
        break;
    }
    return 0;
}

/* Every process must have the same entries: sizes of messages depend on them. */
static void check_vector_alike(const char *where, const dpc_array *a, int k, const dpc_index *counts) {
    const dpc_index procs = a->dim[k].procs;
    dpc_message_text why;
    dpc_index q = 0;
    if (dpc_nprocs() == 1 || dpc_same_everywhere(counts, (size_t)procs * sizeof *counts)) return;
    dpc_index *zero = dpc_buffer(procs, sizeof *zero);
    memcpy(zero, counts, (size_t)procs * sizeof *zero);
    MPI_Bcast(zero, (int)procs, MPI_INT64_T, 0, dpc_communicator);
    while (q < procs && zero[q] == counts[q]) q++;
    if (q < procs)
        snprintf(
            why.text, sizeof why.text,
            "entry %lld of the vector of gen_block for dimension %d of array '%s' differs between processes: %lld on "
            "process 0, %lld on process %d",
            (long long)q, k + 1, a->name, (long long)zero[q], (long long)counts[q], dpc_rank());
    dpc_fail_first(where, q < procs, &why);
}

static void check_vector(const char *where, const dpc_array *a, int k, const dpc_index *counts) {
    const dpc_dim *d = &a->dim[k];
    dpc_index sum = 0;
    for (dpc_index q = 0; q < d->procs; q++) {
        if (counts[q] < 0)
            dpc_fail(where,
                     "array '%s': entry %lld of the vector of gen_block for dimension %d is %lld, must not be negative",
                     a->name, (long long)q, k + 1, (long long)counts[q]);
        if (__builtin_add_overflow(sum, counts[q], &sum)) sum = INT64_MAX;
    }
    if (sum != d->extent)
        dpc_fail(
            where,
            "array '%s': the first %lld entries of the vector of gen_block for dimension %d have the sum %lld, but the "
            "extent is %lld",
            a->name, (long long)d->procs, k + 1, (long long)sum, (long long)d->extent);
}

static void divide_by_vector(dpc_array *a, const char *where, int k) {
    dpc_dim *d = &a->dim[k];
    dpc_format *f = &a->format[k];
    if (f->block < d->procs)
        dpc_fail(where, "array '%s': the vector of gen_block for dimension %d has %lld entries for %lld processes",
                 a->name, k + 1, (long long)f->block, (long long)d->procs);
    dpc_index *counts = dpc_buffer(d->procs, sizeof *counts);
    for (dpc_index q = 0; q < d->procs; q++) counts[q] = entry(f, q);
    check_vector_alike(where, a, k, counts);
    check_vector(where, a, k, counts);
    if (!dpc_divide_dim(d, counts)) no_memory(where, a);
    dpc_free_buffer(counts);
    f->block = 0;
    f->vector = NULL;
}
#endif

/* ---- Dimensions */

static void set_bounds(dpc_array *a, const char *where, int k, dpc_bounds bounds) {
    dpc_index extent;
    if (__builtin_sub_overflow(bounds.upper, bounds.lower, &extent) || extent == INT64_MAX || extent < -1)
        dpc_fail(where, "array '%s': dimension %d has a negative extent, or one beyond 64 bits: bounds %lld:%lld",
                 a->name, k + 1, (long long)bounds.lower, (long long)bounds.upper);
    a->dim[k] = (dpc_dim){.lower = bounds.lower, .extent = extent + 1, .procs = 1, .grid_dim = -1};
    if (!dpc_place_dim(&a->dim[k], 1, 0, extent + 2)) no_memory(where, a);
}

#define DPC_HAS_LEADS DPC_USES(DPC_CYCLIC_AFTER) || DPC_HAS_COPIES
#if DPC_HAS_LEADS
/* So many elements come before the first one, which only the mapping has. */
static void begin_before(dpc_dim *d, dpc_index lead) {
    d->lower -= lead;
    d->extent += lead;
    d->hidden = lead;
}
#endif

/* Into its blocks. */
static void divide_dimension(dpc_array *a, const char *where, int k) {
    dpc_dim *d = &a->dim[k];
#if DPC_USES(DPC_GEN_BLOCK)
    if (a->format[k].kind == DPC_FORMAT_GEN_BLOCK) {
        divide_by_vector(a, where, k);
        return;
    }
#endif
    const dpc_index block = block_size(where, a->name, &a->format[k], d->extent, d->procs);
    if (!dpc_place_dim(d, 1, 0, dpc_maximum(block, 1))) no_memory(where, a);
}

/* Divides dimension k over dimension g of the grid. */
static void map_dimension(dpc_array *a, const char *where, int k, int g) {
    dpc_dim *d = &a->dim[k];
    d->grid_dim = g;
    d->procs = a->grid->extent[g];
#if DPC_HAS_LEADS
    const dpc_index lead = a->format[k].kind == DPC_FORMAT_CYCLIC ? a->format[k].lead : 0;
    if (lead > 0 && lead <= DPC_MOST_BLOCK) begin_before(d, lead);
#endif
    if (d->extent > DPC_MOST_CYCLE / d->procs)
        dpc_fail(where, "array '%s': dimension %d has %lld elements, more than 2^62 for each of %lld processes",
                 a->name, k + 1, (long long)d->extent, (long long)d->procs);
    divide_dimension(a, where, k);
#if DPC_HAS_GHOST_CELLS
    a->beside[k] = d->procs > 1 && dpc_is_beside(a->halo[k]);
    a->halo[k] = dpc_width_beside(d, a->halo[k]);
    if (a->format[k].kind == DPC_FORMAT_CYCLIC) separate_blocks(a, where, k);
#endif
}

/* Elements of the local part along dimension k, ghost cells included; `owned` of them are owned. */
static dpc_index stored_extent(const dpc_array *a, int k, dpc_index owned) {
#if DPC_HAS_GHOST_CELLS
    const dpc_index gaps = dpc_stored_gaps(&a->dim[k], owned);
    const bool keeps = owned > 0 || (a->member && a->beside[k]);
    return !keeps ? 0 : a->halo[k].low + owned + gaps + a->halo[k].high;
#else
    (void)a, (void)k;
    return owned;
#endif
}

dpc_index dpc_most_bytes(const dpc_array *a) {
    dpc_index bytes = a->size;
    for (int k = 0; k < a->rank; k++) {
        if (__builtin_mul_overflow(bytes, stored_extent(a, k, dpc_most_owned(&a->dim[k])), &bytes)) return INT64_MAX;
    }
    return bytes;
}

/* Strides, number of elements and memory of the local part. */
static void allocate(dpc_array *a, const char *where, bool zero) {
    bool fits = true;
    dpc_index bytes = 0, before = 0; /* bytes in all; elements before the first owned one */
    a->elements = 1;
    for (int k = a->rank - 1; k >= 0; k--) {
        a->stride[k] = a->elements;
        before += a->halo[k].low * a->stride[k];
        a->across[k] = dpc_maximum(1, stored_extent(a, k, a->extent[k]));
        if (__builtin_mul_overflow(a->elements, stored_extent(a, k, a->extent[k]), &a->elements)) fits = false;
    }
    fits = fits && !__builtin_mul_overflow(a->elements, a->size, &bytes);
    if (fits) a->storage = dpc_take_shared(dpc_communicator, bytes, dpc_most_bytes(a), zero);
#if DPC_USES(dpc_plan_redistribution)
    if (dpc_spare_copies(fits && a->storage == NULL)) {
        dpc_give_shared(a->storage);
        a->storage = fits ? dpc_take_shared(dpc_communicator, bytes, dpc_most_bytes(a), zero) : NULL;
    }
#endif
    if (a->storage != NULL) a->local = (char *)a->storage + (a->elements > 0 ? before * a->size : 0);
    if (a->local == NULL)
        dpc_fail(where, "out of memory: array '%s' needs %lld elements of %lld bytes on process %d", a->name,
                 (long long)a->elements, (long long)a->size, dpc_rank());
}

/* Who of the grid has elements, and how many; grid, dimensions and what is held are set. */
static void settle(dpc_array *a, const char *where) {
    a->member = dpc_grid_holds(a->grid);
    (void)where;
#if DPC_HAS_COPIES
    for (int g = 0; g < a->grid->rank; g++) {
        if (a->held[g] != DPC_DIVIDED) a->spare = true;
        if (a->held[g] == DPC_EVERY && a->grid->extent[g] > 1) a->copies = true;
        if (a->held[g] >= 0 && a->grid->coord[g] != a->held[g]) a->member = false;
    }
#endif
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *d = &a->dim[k];
#if DPC_HAS_GHOST_CELLS
        if (d->procs == 1 && !a->halo[k].cyclic) a->halo[k] = (dpc_width){0, 0, false};
        if (!dpc_is_dealt(d) && (a->halo[k].cyclic || (a->halo[k].low + a->halo[k].high > 0 && !dpc_in_intervals(d))))
            dpc_fail(where, "array '%s': dimension %d has ghost cells, but its blocks are not beside one another",
                     a->name, k + 1);
#endif
        a->coord[k] = d->grid_dim >= 0 && a->member ? a->grid->coord[d->grid_dim] : 0;
        a->extent[k] = a->member ? dpc_local_extent(d, a->coord[k]) : 0;
    }
}

/* Maps; name, type, size and rank are set. */
static void map(dpc_array *a, const char *where, const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid) {
    a->grid = suitable_grid(where, a->name, a->rank, formats, grid);
    memcpy(a->format, formats, (size_t)a->rank * sizeof *formats);
    for (int g = 0; g < a->grid->rank; g++) a->held[g] = DPC_DIVIDED;
    for (int k = 0, g = 0; k < a->rank; k++) {
        set_bounds(a, where, k, bounds[k]);
        if (a->format[k].kind != DPC_FORMAT_STAR) map_dimension(a, where, k, g++);
    }
    settle(a, where);
}

#if DPC_USES(dpc_mapped_with)
/* ---- Alignment */

/* Element `at` of a dimension stands on the base's element stride * at + offset. */
static dpc_index stands_on(const char *where, const dpc_array *a, const dpc_array *base, int g, const dpc_alignment *x,
                           dpc_index at) {
    dpc_index on;
    const bool fits = !__builtin_mul_overflow(x->stride, at, &on) && !__builtin_add_overflow(on, x->offset, &on);
    if (fits && dpc_holds(&base->dim[g], on)) return on;
    const dpc_dim *d = &base->dim[g];
    dpc_fail(where,
             "array '%s': index %lld stands on %lld * %lld %+lld of dimension %d of '%s', outside its bounds %lld:%lld",
             a->name, (long long)at, (long long)x->stride, (long long)at, (long long)x->offset, g + 1, base->name,
             (long long)d->lower, (long long)(d->lower + (d->extent - 1)));
}

/* Beside a dimension that is dealt round-robin, element by element or on every so-many-th cell: dealt as well, in
 * blocks as long as they are written there, or so many times shorter, even where one of them holds all. 0: not so. */
static dpc_index block_dealt(const dpc_array *base, int g, const dpc_alignment *x, dpc_index first) {
    const dpc_format *f = &base->format[g];
    const dpc_index cell = first - base->dim[g].lower;
    const bool dealt =
        f->kind == DPC_FORMAT_CYCLIC && x->stride > 0 && f->block % x->stride == 0 && cell >= 0 && cell < x->stride;
    return dealt ? f->block / x->stride : 0;
}

/* The elements that are to come before the first one, where the blocks are dealt with them; on how many of the base
 * that is. */
static dpc_index extend(dpc_dim *d, const dpc_array *base, int g, const dpc_alignment *x, dpc_index first) {
    const dpc_index before = x->lead * x->stride;
    if (x->lead <= 0 || x->lead > DPC_MOST_BLOCK || block_dealt(base, g, x, first - before) == 0) return 0;
    begin_before(d, x->lead);
    return before;
}

static void align_dimension(dpc_array *a, const char *where, const dpc_array *base, int g, const dpc_alignment *x) {
    const dpc_dim *other = &base->dim[g];
    const int k = x->dimension;
    if (k >= a->rank) dpc_fail(where, "array '%s' has %d dimensions, number %d is aligned", a->name, a->rank, k + 1);
    if (x->stride == 0) dpc_fail(where, "array '%s': the stride of an alignment is zero", a->name);
    dpc_dim *d = &a->dim[k];
    const dpc_index gap = dpc_take_gap(&a->halo[k]);
    dpc_index first = other->lower;
    if (d->extent > 0) first = stands_on(where, a, base, g, x, d->lower);
    if (d->extent > 1) stands_on(where, a, base, g, x, d->lower + d->extent - 1);
    if (other->grid_dim < 0) return;
    d->grid_dim = other->grid_dim;
    d->procs = other->procs;
    first -= extend(d, base, g, x, first);
    a->format[k] = (dpc_format){.kind = DPC_FORMAT_ALIGNED};
    const dpc_index block = block_dealt(base, g, x, first);
    if (block > 0) a->format[k] = (dpc_format){.kind = DPC_FORMAT_CYCLIC, .block = block, .gap = gap};
    /* The base's own blocks end with it, and may be no multiple of the stride then. */
    const bool done =
        block > 0 ? dpc_place_dim(d, 1, 0, block) : dpc_align_dim(d, x->stride, first - other->lower, other);
    if (!done) no_memory(where, a);
    if (block > 0) separate_blocks(a, where, k);
    a->beside[k] = d->procs > 1 && a->halo[k].low + a->halo[k].high > 0 && !a->halo[k].cyclic;
}

/* A dimension of the base that none of the array's stands along: the array is at all of its coordinates, or at one. */
static void hold(dpc_array *a, const char *where, const dpc_array *base, int g, const dpc_alignment *x) {
    const dpc_dim *other = &base->dim[g];
    const bool every = x->dimension == DPC_ALIGN_COPIES;
    if (!every && !dpc_holds(other, x->offset))
        dpc_fail(where,
                 "array '%s' is held where element %lld of dimension %d of '%s' is, outside its bounds %lld:%lld",
                 a->name, (long long)x->offset, g + 1, base->name, (long long)other->lower,
                 (long long)(other->lower + (other->extent - 1)));
    if (other->grid_dim >= 0) a->held[other->grid_dim] = every ? DPC_EVERY : dpc_owner(other, x->offset);
}

static void align(dpc_array *a, const char *where, const dpc_bounds *bounds, const dpc_array *base,
                  const dpc_alignment *alignment) {
    if (base->grid == NULL) dpc_fail(where, "array '%s' is aligned with an array that is not there any more", a->name);
    a->grid = base->grid;
    memcpy(a->held, base->held, sizeof a->held);
    for (int k = 0; k < a->rank; k++) set_bounds(a, where, k, bounds[k]);
    for (int g = 0; g < base->rank; g++) {
        if (alignment[g].dimension >= 0)
            align_dimension(a, where, base, g, &alignment[g]);
        else
            hold(a, where, base, g, &alignment[g]);
    }
    settle(a, where);
}
#endif

void dpc_find_origin(dpc_array *a) {
    uintptr_t before = 0; /* modulo its range, as addresses are */
    for (int k = 0; k < a->rank; k++) {
        const bool owns = a->member && a->extent[k] > 0;
        const dpc_index begin =
            dpc_first_owned(a, k); /* of the block, though it be empty: ghost cells stand beside it */
        before += (uintptr_t)begin * (uintptr_t)a->stride[k];
        a->first[k] = owns ? begin : a->dim[k].lower;
        a->last[k] = owns ? dpc_global(&a->dim[k], a->extent[k] - 1, a->coord[k]) : a->first[k] - 1;
    }
    a->origin = (void *)((uintptr_t)a->local - before * (uintptr_t)a->size);
}

void dpc_build(dpc_array *a, const char *where, bool zero) {
    allocate(a, where, zero);
    dpc_number_mapping(a);
    dpc_changed(a);
}

void dpc_release_mapping(dpc_array *a) {
    for (int k = 0; k < a->rank; k++) dpc_release_dim(&a->dim[k]);
}

dpc_array dpc_mapped(const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                     const dpc_format *formats, dpc_grid *grid, const dpc_width *halo, int corners) {
    dpc_array a = {.name = name, .type = type, .size = dpc_type_size(type), .rank = rank, .corners = corners};
    for (int k = 0; k < rank; k++)
        if (formats[k].kind != DPC_FORMAT_STAR || halo[k].cyclic) a.halo[k] = halo[k];
    map(&a, where, bounds, formats, grid);
    return a;
}

dpc_array dpc_mapped_with(const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                          const dpc_array *base, const dpc_alignment *alignment, const dpc_width *halo, int corners) {
    dpc_array a = {.name = name, .type = type, .size = dpc_type_size(type), .rank = rank, .corners = corners};
    memcpy(a.halo, halo, (size_t)rank * sizeof *halo);
    align(&a, where, bounds, base, alignment);
    return a;
}

/* A dimension with another extent stays undivided. */
dpc_array dpc_mapped_as(const char *where, const char *name, dpc_type type, const dpc_bounds *bounds,
                        const dpc_array *model, const dpc_width *halo, int corners) {
    dpc_array a = {.name = name,
                   .type = type,
                   .size = dpc_type_size(type),
                   .rank = model->rank,
                   .corners = corners,
                   .grid = model->grid};
    memcpy(a.halo, halo, (size_t)a.rank * sizeof *halo);
    memcpy(a.held, model->held, sizeof a.held);
    memcpy(a.format, model->format, sizeof a.format);
    for (int k = 0; k < a.rank; k++) {
        set_bounds(&a, where, k, bounds[k]);
        if (a.dim[k].extent != model->dim[k].extent) continue;
        a.dim[k] = model->dim[k];
        a.dim[k].lower = bounds[k].lower;
        dpc_hold_dim(&a.dim[k]);
    }
    settle(&a, where);
    return a;
}

dpc_array dpc_mapped_like(const char *where, const char *name, dpc_type type, const dpc_array *like) {
    dpc_array a = {.name = name, .type = type, .size = dpc_type_size(type), .rank = like->rank, .grid = like->grid};
    memcpy(a.held, like->held, sizeof a.held);
    memcpy(a.format, like->format, sizeof a.format);
    memcpy(a.dim, like->dim, sizeof a.dim);
    for (int k = 0; k < a.rank; k++) dpc_hold_dim(&a.dim[k]);
    settle(&a, where);
    return a;
}

/* ---- Creating */

static void create(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                   const dpc_format *formats, dpc_grid *grid, const dpc_width *halo, int corners) {
    dpc_begin_statement(where);
    *a = dpc_mapped(where, name, type, rank, bounds, formats, grid, halo, corners);
    dpc_check_alike(a, where);
    dpc_build(a, where, true);
}

void dpc_create(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                const dpc_format *formats, dpc_grid *grid) {
    create(a, where, name, type, rank, bounds, formats, grid, dpc_no_halo, false);
}

void dpc_create_like(dpc_array *a, const char *where, const char *name, dpc_type type, const dpc_array *like) {
    dpc_begin_statement(where);
    *a = dpc_mapped_like(where, name, type, like);
    dpc_check_alike(a, where);
    dpc_build(a, where, true);
}

void dpc_create_with_halo(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                          const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid, const dpc_width *halo,
                          int corners) {
    create(a, where, name, type, rank, bounds, formats, grid, halo, corners);
}

void dpc_bounds_of(const dpc_array *a, dpc_bounds *bounds) {
    for (int k = 0; k < a->rank; k++)
        bounds[k] = (dpc_bounds){dpc_first_element(&a->dim[k]), a->dim[k].lower + (a->dim[k].extent - 1)};
}

dpc_array dpc_without_gaps(const dpc_array *a, const char *where) {
    dpc_array dense = *a;
#if DPC_HAS_TIES
    dense.tie = NULL;
#endif
    for (int k = 0; k < a->rank; k++) {
        dpc_part_blocks(&dense.dim[k], 0);
        dpc_hold_dim(&dense.dim[k]);
        dense.format[k].gap = 0;
        dense.halo[k] = (dpc_width){0, 0, false};
    }
    dpc_build(&dense, where, false);
    return dense;
}

/* Dimensions k and further. */
static void copy_owned(const dpc_array *to, const dpc_array *from, int k, char *target, const char *source) {
    const dpc_access all = {from->dim[k].lower, 1, from->dim[k].extent};
    const dpc_index target_step = to->stride[k] * to->size, source_step = from->stride[k] * from->size;
    dpc_block_run x = dpc_first_block(&to->dim[k], &all, to->coord[k]);
    dpc_block_run y = dpc_first_block(&from->dim[k], &all, from->coord[k]);
    for (; x.count > 0; dpc_next_block(&x), dpc_next_block(&y)) {
        char *into = target + x.local * target_step;
        const char *out = source + y.local * source_step;
        if (k == from->rank - 1)
            memcpy(into, out, (size_t)(x.count * from->size));
        else
            for (dpc_index e = 0; e < x.count; e++)
                copy_owned(to, from, k + 1, into + e * target_step, out + e * source_step);
    }
}

void dpc_copy_owned(const dpc_array *to, const dpc_array *from) {
    if (from->elements > 0) copy_owned(to, from, 0, to->local, from->local);
}

bool dpc_has_gaps(const dpc_array *a) {
    for (int k = 0; k < a->rank; k++)
        if (dpc_gap(&a->dim[k]) > 0) return true;
    return false;
}

bool dpc_is_along_grid(const dpc_array *a) {
    bool along = a == NULL || !a->spare;
    for (int k = 0; a != NULL && k < a->rank; k++) along = along && dpc_is_dealt(&a->dim[k]);
    return along;
}

/* ---- More ghost cells for an array that has elements already */

void dpc_widen_halo(dpc_array *a, const char *where, const dpc_width *halo, const bool *beside, int corners) {
    dpc_array wider = *a;
    bool fits = a->corners >= corners;
    for (int k = 0; k < a->rank; k++) {
        const dpc_width old = a->halo[k];
        wider.halo[k] = (dpc_width){dpc_maximum(old.low, halo[k].low), dpc_maximum(old.high, halo[k].high),
                                    old.cyclic || halo[k].cyclic};
        wider.beside[k] = a->beside[k] || beside[k];
        fits = fits && wider.beside[k] == a->beside[k];
        fits = fits && wider.halo[k].low == old.low && wider.halo[k].high == old.high &&
               wider.halo[k].cyclic == old.cyclic;
    }
    if (fits) return;
    wider.corners = corners > a->corners ? corners : a->corners;
    wider.local = wider.storage = NULL;
    dpc_build(&wider, where, true);
    dpc_copy_owned(&wider, a);
    dpc_give_shared(a->storage);
    *a = wider;
}

/* What follows from the numbers alone may have any kind. */
static bool kinds_serve(dpc_format_kind x, dpc_format_kind y) {
    return x == y || !DPC_SAYS_ALL(x) || !DPC_SAYS_ALL(y);
}

bool dpc_same_mapping(const dpc_array *a, const dpc_array *b) {
    if (a->grid != b->grid) return false;
    for (int g = 0; g < a->grid->rank; g++)
        if (a->held[g] != b->held[g]) return false;
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *x = &a->dim[k], *y = &b->dim[k];
        if (x->grid_dim != y->grid_dim || !dpc_same_owners(x, y) || !kinds_serve(a->format[k].kind, b->format[k].kind))
            return false;
    }
    return true;
}

void dpc_fill(dpc_array *a, const void *value) {
    dpc_changed(a);
    if (a->elements > 0) dpc_copy_run(a->storage, 1, value, 0, a->elements, a->size);
}

void dpc_free(dpc_array *a) {
    dpc_untie(a);
    dpc_drop_copies(a);
    dpc_release_mapping(a);
    dpc_give_shared(a->storage);
    *a = (dpc_array){0};
}

/* The owner, and of copies the one at `at` along the dimensions of the grid that have them. */
static int owner_at(const dpc_array *a, const dpc_index *index, const dpc_index *at) {
    dpc_index coordinates[DPC_MAX_RANK] = {0};
    for (int g = 0; g < a->grid->rank; g++) coordinates[g] = a->held[g] == DPC_EVERY ? at[g] : a->held[g];
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].grid_dim >= 0) coordinates[a->dim[k].grid_dim] = dpc_owner(&a->dim[k], index[k]);
    return dpc_grid_process(a->grid, coordinates);
}

DPC_STEADY int dpc_element_process(const dpc_array *a, const dpc_index *index) {
    dpc_index coordinates[DPC_MAX_RANK] = {0};
    if (dpc_is_spare(a)) return owner_at(a, index, coordinates);
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].grid_dim >= 0) coordinates[a->dim[k].grid_dim] = dpc_owner(&a->dim[k], index[k]);
    return dpc_grid_process(a->grid, coordinates);
}

int dpc_copy_process(const dpc_array *a, const dpc_index *index, dpc_index copy) {
    dpc_index at[DPC_MAX_RANK];
    for (int g = a->grid->rank - 1; g >= 0; g--) {
        const bool every = a->held[g] == DPC_EVERY;
        at[g] = every ? copy % a->grid->extent[g] : 0;
        if (every) copy /= a->grid->extent[g];
    }
    return owner_at(a, index, at);
}

dpc_index dpc_copies(const dpc_array *a) {
    dpc_index copies = 1;
    for (int g = 0; g < a->grid->rank; g++)
        if (a->held[g] == DPC_EVERY) copies *= a->grid->extent[g];
    return copies;
}

dpc_index dpc_own_copy(const dpc_array *a) {
    dpc_index copy = 0;
    for (int g = 0; g < a->grid->rank; g++)
        if (a->held[g] == DPC_EVERY) copy = copy * a->grid->extent[g] + dpc_maximum(a->grid->coord[g], 0);
    return copy;
}

/* The owner's strides, not this process's. */
dpc_index dpc_element_offset(const dpc_array *a, const dpc_index *index) {
    dpc_index offset = 0;
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *d = &a->dim[k];
        const dpc_index owned = d->procs == 1 ? d->extent : dpc_local_extent(d, dpc_owner(d, index[k]));
        offset = offset * stored_extent(a, k, owned) + dpc_local(d, index[k]);
    }
    return offset;
}

void dpc_fail_bounds(const char *where, const dpc_array *a, int dimension, dpc_index index) {
    const dpc_dim *d = &a->dim[dimension];
    dpc_fail(where,
             "subscript %d of array '%s' is out of bounds: index %lld, declared bounds %lld:%lld (upper bounds are "
             "inclusive)",
             dimension + 1, a->name, (long long)index, (long long)dpc_first_element(d),
             (long long)(d->lower + (d->extent - 1)));
}

static dpc_index first_owned(const dpc_array *a, int k) {
    return dpc_block_begin(&a->dim[k], a->coord[k]);
}

DPC_STEADY dpc_index dpc_first_owned(const dpc_array *a, int k) {
    return a->dim[k].lower + first_owned(a, k);
}

void *dpc_local_beside(const dpc_array *a, const dpc_array *home) {
    dpc_index ahead = 0;
    for (int k = 0; k < a->rank; k++)
        for (int j = 0; j < home->rank && a->dim[k].grid_dim >= 0; j++)
            if (home->dim[j].grid_dim == a->dim[k].grid_dim)
                ahead += (first_owned(home, j) - first_owned(a, k)) * a->stride[k];
    return (char *)a->local + ahead * a->size;
}
