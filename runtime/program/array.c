/* Distributed arrays: mapping, storage and element addresses. */
#include "../base/shared.h"
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

/* The block size that a format asks for, elements. */
static dpc_index block_size(const char *where, const char *name, const dpc_format *format, dpc_index extent,
                            dpc_index procs) {
    dpc_index held;
    if (format->kind == DPC_FORMAT_STAR) return extent;
    if (format->kind == DPC_FORMAT_BLOCK && format->block == 0) return dpc_ceiling(extent, procs);
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
    if (a->dim[k].procs > 1) a->dim[k].gap = f->gap;
}

/* Maps dimension k; next_grid_dim counts the grid dimensions used so far. */
static void map_dimension(dpc_array *a, const char *where, int k, dpc_bounds bounds, int *next_grid_dim) {
    dpc_dim *d = &a->dim[k];
    dpc_index extent;
    if (__builtin_sub_overflow(bounds.upper, bounds.lower, &extent) || extent == INT64_MAX || extent < -1)
        dpc_fail(where, "array '%s': dimension %d has bounds %lld:%lld", a->name, k + 1, (long long)bounds.lower,
                 (long long)bounds.upper);
    extent++;
    const bool divided = a->format[k].kind != DPC_FORMAT_STAR;
    d->lower = bounds.lower;
    d->extent = extent;
    d->grid_dim = divided ? (*next_grid_dim)++ : -1;
    d->procs = divided ? a->grid->extent[d->grid_dim] : 1;
    if (extent > DPC_MOST_CYCLE / d->procs)
        dpc_fail(where, "array '%s': dimension %d has %lld elements, more than 2^62 for each of %lld processes", a->name, k + 1,
                 (long long)extent, (long long)d->procs);
    d->block = block_size(where, a->name, &a->format[k], extent, d->procs);
    if (d->procs == 1 || d->block > extent) d->block = extent;
    if (d->procs == 1 && !a->halo[k].cyclic) a->halo[k] = (dpc_width){0, 0, false};
    if (d->block < 1) d->block = 1;
    if (a->format[k].kind == DPC_FORMAT_CYCLIC) separate_blocks(a, where, k);
    a->coord[k] = divided && a->member ? a->grid->coord[d->grid_dim] : 0;
    a->extent[k] = a->member ? dpc_local_extent(d, a->coord[k]) : 0;
}

/* Elements of the local part along dimension k, ghost cells included; `owned` of them are owned. */
static dpc_index stored_extent(const dpc_array *a, int k, dpc_index owned) {
    const dpc_index gaps = dpc_stored_gaps(&a->dim[k], owned);
    return owned == 0 ? 0 : a->halo[k].low + owned + gaps + a->halo[k].high;
}

/* Bytes of the largest local part of any process, or more; the same everywhere. */
static dpc_index most_bytes(const dpc_array *a) {
    dpc_index bytes = a->size;
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *d = &a->dim[k];
        dpc_index most = dpc_ceiling(dpc_ceiling(d->extent, d->block), d->procs) * d->block;
        if (most > d->extent) most = d->extent;
        if (__builtin_mul_overflow(bytes, stored_extent(a, k, most), &bytes)) return INT64_MAX;
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
        if (__builtin_mul_overflow(a->elements, stored_extent(a, k, a->extent[k]), &a->elements)) fits = false;
    }
    fits = fits && !__builtin_mul_overflow(a->elements, a->size, &bytes);
    if (fits) a->storage = dpc_take_shared(dpc_communicator, bytes, most_bytes(a), zero);
    if (a->storage != NULL) a->local = (char *)a->storage + (a->elements > 0 ? before * a->size : 0);
    if (a->local == NULL)
        dpc_fail(where, "out of memory: array '%s' needs %lld elements of %lld bytes on process %d", a->name,
                 (long long)a->elements, (long long)a->size, dpc_rank());
}

/* ---- Numbers of mappings: what was found out for one array serves others that are mapped alike */

/* Words: rank, size, corners and the grid; 5 of a dpc_dim, 3 of a dpc_format, 3 of a dpc_width. */
enum { KEY_WORDS = 4 + DPC_MAX_RANK + DPC_MAX_RANK * 11, MOST_MAPPINGS = 64 };

typedef struct {
    int64_t number; /* 0: none */
    int words;
    dpc_index word[KEY_WORDS];
} numbered;

static void add_word(numbered *key, dpc_index word) {
    key->word[key->words++] = word;
}

static numbered mapping_key(const dpc_array *a) {
    numbered key;
    memset(&key, 0, sizeof key);
    add_word(&key, a->rank);
    add_word(&key, a->size);
    add_word(&key, a->corners);
    add_word(&key, a->grid->rank);
    for (int g = 0; g < a->grid->rank; g++) add_word(&key, a->grid->extent[g]);
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *d = &a->dim[k];
        const dpc_index words[] = {d->lower,       d->extent,         d->block,           d->procs,
                                   d->grid_dim,    a->format[k].kind, a->format[k].block, a->format[k].gap,
                                   a->halo[k].low, a->halo[k].high,   a->halo[k].cyclic};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) add_word(&key, words[w]);
    }
    return key;
}

/* The number of the array's mapping.  Of more mappings than are kept, the one numbered longest ago gets another number
 * when it comes again. */
static int64_t mapping_number(const dpc_array *a) {
    static numbered known[MOST_MAPPINGS];
    static int64_t last;
    numbered key = mapping_key(a);
    for (int k = 0; k < MOST_MAPPINGS; k++)
        if (known[k].words == key.words && memcmp(known[k].word, key.word, (size_t)key.words * sizeof *key.word) == 0)
            return known[k].number;
    key.number = ++last;
    known[last % MOST_MAPPINGS] = key;
    return key.number;
}

/* Maps; name, type, size and rank are set. */
static void map(dpc_array *a, const char *where, const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid) {
    int grid_dims = 0;
    a->grid = suitable_grid(where, a->name, a->rank, formats, grid);
    a->member = dpc_rank() < a->grid->size;
    memcpy(a->format, formats, (size_t)a->rank * sizeof *formats);
    for (int k = 0; k < a->rank; k++) map_dimension(a, where, k, bounds[k], &grid_dims);
}

void dpc_number_mapping(dpc_array *a) {
    a->mapping = mapping_number(a);
}

void dpc_build(dpc_array *a, const char *where, bool zero) {
    allocate(a, where, zero);
    dpc_number_mapping(a);
    dpc_changed(a);
}

static const dpc_index type_size[] = {
#define DPC_SIZE(enumerator, ctype, mpi) sizeof(ctype),
    DPC_ELEMENT_TYPES(DPC_SIZE)};

dpc_array dpc_mapped(const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                     const dpc_format *formats, dpc_grid *grid, const dpc_width *halo, bool corners) {
    dpc_array a = {.name = name, .type = type, .size = type_size[type], .rank = rank, .corners = corners};
    for (int k = 0; k < rank; k++)
        if (formats[k].kind != DPC_FORMAT_STAR || halo[k].cyclic) a.halo[k] = halo[k];
    map(&a, where, bounds, formats, grid);
    return a;
}

const dpc_width dpc_no_halo[DPC_MAX_RANK];

/* ---- An array is made alike on every process */

/* The words of a dimension begin with its lower bound and its extent. */
static bool dimension_differs(const dpc_array *a, int k, const dpc_index *zero, const dpc_index *mine,
                              dpc_message_text *why) {
    static const char *const what[] = {"the lower bound", "the extent"};
    for (int w = 0; w < 2; w++) {
        if (zero[w] == mine[w]) continue;
        snprintf(why->text, sizeof why->text,
                 "%s of dimension %d of array '%s' differs between processes: %lld on process 0, %lld on process %d",
                 what[w], k + 1, a->name, (long long)zero[w], (long long)mine[w], dpc_rank());
        return true;
    }
    return false;
}

static bool mapping_differs(const dpc_array *a, const numbered *zero, const numbered *mine, dpc_message_text *why) {
    if (memcmp(zero, mine, sizeof *zero) == 0) return false;
    snprintf(why->text, sizeof why->text, "the mapping of array '%s' on process %d is another one than on process 0",
             a->name, dpc_rank());
    const dpc_index first = 4 + zero->word[3];
    for (int k = 0; zero->words == mine->words && k < a->rank; k++)
        if (dimension_differs(a, k, zero->word + first + 11 * k, mine->word + first + 11 * k, why)) break;
    return true;
}

/* Ends the program where processes have different extents or formats: their sets of elements would not fit together. */
static void check_alike(const dpc_array *a, const char *where) {
    if (dpc_nprocs() == 1) return;
    const numbered mine = mapping_key(a);
    if (dpc_same_everywhere(mine.word, (size_t)mine.words * sizeof *mine.word)) return;
    numbered zero = mine;
    dpc_message_text why;
    MPI_Bcast(&zero, (int)sizeof zero, MPI_BYTE, 0, dpc_communicator);
    dpc_fail_first(where, mapping_differs(a, &zero, &mine, &why), &why);
}

void dpc_create(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                const dpc_format *formats, dpc_grid *grid) {
    dpc_create_with_halo(a, where, name, type, rank, bounds, formats, grid, dpc_no_halo, false);
}

void dpc_create_with_halo(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                          const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid, const dpc_width *halo,
                          bool corners) {
    dpc_begin_statement(where);
    *a = dpc_mapped(where, name, type, rank, bounds, formats, grid, halo, corners);
    check_alike(a, where);
    dpc_build(a, where, true);
}

dpc_array dpc_remapped(const dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid) {
    dpc_bounds bounds[DPC_MAX_RANK];
    for (int k = 0; k < a->rank; k++) bounds[k] = (dpc_bounds){a->dim[k].lower, a->dim[k].lower + (a->dim[k].extent - 1)};
    dpc_array changed = dpc_mapped(where, a->name, a->type, a->rank, bounds, formats, grid, dpc_no_halo, false);
    dpc_build(&changed, where, false);
    return changed;
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
        if (a->dim[k].gap > 0) return true;
    return false;
}

/* ---- More ghost cells for an array that has elements already */

void dpc_widen_halo(dpc_array *a, const char *where, const dpc_width *halo, bool corners) {
    dpc_array wider = *a;
    bool fits = a->corners || !corners;
    for (int k = 0; k < a->rank; k++) {
        const dpc_width old = a->halo[k];
        wider.halo[k] = (dpc_width){dpc_maximum(old.low, halo[k].low), dpc_maximum(old.high, halo[k].high),
                                    old.cyclic || halo[k].cyclic};
        fits = fits && wider.halo[k].low == old.low && wider.halo[k].high == old.high &&
               wider.halo[k].cyclic == old.cyclic;
    }
    if (fits) return;
    wider.corners = a->corners || corners;
    wider.local = wider.storage = NULL;
    dpc_build(&wider, where, true);
    dpc_copy_owned(&wider, a);
    dpc_give_shared(a->storage);
    *a = wider;
}

bool dpc_same_mapping(const dpc_array *a, const dpc_array *b) {
    if (a->grid != b->grid) return false;
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *x = &a->dim[k], *y = &b->dim[k];
        if (x->grid_dim != y->grid_dim || x->block != y->block || a->format[k].kind != b->format[k].kind) return false;
    }
    return true;
}

void dpc_fill(dpc_array *a, const void *value) {
    dpc_changed(a);
    if (a->elements > 0) dpc_copy_run(a->storage, 1, value, 0, a->elements, a->size);
}

void dpc_free(dpc_array *a) {
    dpc_give_shared(a->storage);
    *a = (dpc_array){0};
}

DPC_STEADY int dpc_element_process(const dpc_array *a, const dpc_index *index) {
    dpc_index coordinates[DPC_MAX_RANK] = {0};
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].grid_dim >= 0) coordinates[a->dim[k].grid_dim] = dpc_owner(&a->dim[k], index[k]);
    return dpc_grid_process(a->grid, coordinates);
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
             dimension + 1, a->name, (long long)index, (long long)d->lower, (long long)(d->lower + (d->extent - 1)));
}
