/* Random arrays for tests of libdpc on several processes.  Their bytes are a function of the global index, so that
 * every process knows what it must get. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "../../runtime/dpc.h"
#include "random.h"
#include "rounds.h"

#include <string.h>

/* ---- Contents */

/* Changes the contents of every array that is filled from now on. */
static uint64_t generation;

/* Bytes of the element at a global index; none is 0. */
static void content(const dpc_array *a, const dpc_index *index, unsigned char *bytes) {
    uint64_t number = 1469598103934665603u ^ generation;
    for (int k = 0; k < a->rank; k++) number = (number ^ (uint64_t)index[k]) * 1099511628211u;
    for (dpc_index b = 0; b < a->size; b++) bytes[b] = (unsigned char)(number >> (8 * (b % 5) + 11) & 255) | 1;
}

/* Visits every local element with its global index. */
static void for_local(dpc_array *a, void (*visit)(dpc_array *, const dpc_index *, unsigned char *)) {
    for (dpc_index n = 0; n < a->elements; n++) {
        dpc_index index[DPC_MAX_RANK], rest = n;
        for (int k = a->rank - 1; k >= 0; k--) {
            index[k] = dpc_global(&a->dim[k], rest % a->extent[k], a->coord[k]);
            rest /= a->extent[k];
        }
        visit(a, index, (unsigned char *)a->local + n * a->size);
    }
}

static void store_content(dpc_array *a, const dpc_index *index, unsigned char *element) {
    content(a, index, element);
}

static bool all_right;

static void compare_content(dpc_array *a, const dpc_index *index, unsigned char *element) {
    unsigned char bytes[32];
    content(a, index, bytes);
    if (memcmp(bytes, element, (size_t)a->size) != 0) all_right = false;
}

static bool all_agree(dpc_array *a, void (*compare)(dpc_array *, const dpc_index *, unsigned char *)) {
    all_right = true;
    for_local(a, compare);
    return all_right;
}

/* ---- Random arrays */

static const char *const grid_names[] = {"P", "Q", "R"};

/* Some of its rows and columns. */
static dpc_grid *random_part(const dpc_grid *grid) {
    dpc_bounds bounds[DPC_MAX_RANK];
    for (int g = 0; g < grid->rank; g++) {
        bounds[g].lower = random_below(grid->extent[g]);
        bounds[g].upper = random_below(3) == 0 ? INT64_MAX : between(bounds[g].lower, grid->extent[g] - 1);
    }
    return dpc_grid_part("test", grid, bounds);
}

static dpc_grid *random_grid(int rank) {
    dpc_index extents[DPC_MAX_RANK], left = dpc_nprocs();
    if (random_below(3) == 0) return dpc_default_grid(rank);
    for (int g = 0; g < rank; g++) {
        extents[g] = between(1, left);
        left /= extents[g];
    }
    dpc_grid *grid = dpc_new_grid("test", grid_names[random_below(3)], rank, extents);
    return random_below(4) == 0 ? random_part(grid) : grid;
}

/* The parts of an extent that coordinates get, some of them nothing. */
static dpc_format random_parts(dpc_index extent, int procs) {
    static dpc_index parts[DPC_MAX_RANK][64];
    static int number;
    dpc_index *part = parts[number++ % DPC_MAX_RANK];
    for (int p = 0; p < procs; p++) {
        part[p] = p == procs - 1 ? extent : random_below(3) == 0 ? 0 : random_below(extent + 1);
        extent -= part[p];
    }
    return DPC_GEN_BLOCK(part, procs);
}

/* Random formats; the grid that fits them. */
static dpc_grid *random_mapping(int rank, const dpc_bounds *bounds, dpc_format *formats) {
    int divided = 0;
    for (int k = 0; k < rank; k++) {
        const dpc_index extent = bounds[k].upper - bounds[k].lower + 1;
        switch (random_below(6)) {
        case 0:
            formats[k] = DPC_STAR;
            break;
        case 1:
            formats[k] = DPC_BLOCK;
            break;
        case 2:
            formats[k] = DPC_CYCLIC(1);
            break;
        case 3:
            formats[k] = DPC_CYCLIC(between(1, 5));
            break;
        case 4:
            formats[k] = DPC_BLOCK_OF(extent + random_below(3) + 1);
            break;
        default:
            formats[k].kind = DPC_FORMAT_GEN_BLOCK; /* the parts follow */
            break;
        }
        divided += formats[k].kind != DPC_FORMAT_STAR;
    }
    dpc_grid *grid = random_grid(divided);
    for (int k = 0, g = 0; k < rank; k++) {
        const dpc_index extent = bounds[k].upper - bounds[k].lower + 1;
        if (formats[k].kind == DPC_FORMAT_GEN_BLOCK) formats[k] = random_parts(extent, grid->extent[g]);
        g += formats[k].kind != DPC_FORMAT_STAR;
    }
    return grid;
}

static void random_bounds(int rank, dpc_bounds *bounds) {
    static const dpc_index sizes[] = {0, 300, 25, 11};
    for (int k = 0; k < rank; k++) {
        bounds[k].lower = between(-5, 5);
        bounds[k].upper = bounds[k].lower + random_below(sizes[rank]) - (random_below(10) == 0);
    }
}

static const dpc_type types[] = {DPC_CHAR, DPC_SHORT, DPC_INT, DPC_DOUBLE, DPC_DOUBLE_COMPLEX, DPC_LONG_DOUBLE_COMPLEX};

/* What stands along a dimension of a template, which is at least as long as it takes. */
static dpc_alignment random_alignment(const dpc_bounds *bounds, int dimension, dpc_bounds *cells) {
    const dpc_index stride = between(1, 3) * (random_below(2) == 0 ? 1 : -1), offset = between(-4, 4);
    if (dimension < 0) {
        *cells = (dpc_bounds){2, 2 + random_below(9)};
        return random_below(2) == 0 ? (dpc_alignment)DPC_COPIES : (dpc_alignment)DPC_HELD_AT(between(2, cells->upper));
    }
    const dpc_index x = stride * bounds[dimension].lower + offset, y = stride * bounds[dimension].upper + offset;
    *cells = (dpc_bounds){dpc_minimum(x, y) - random_below(6), dpc_maximum(x, y) + random_below(6)};
    return (dpc_alignment)DPC_ALIGN(dimension, stride, offset);
}

/* Random alignments of an array's dimensions, each in at most one, with a template that has room for them.  Returns its
 * rank. */
static int random_template(int rank, const dpc_bounds *bounds, dpc_bounds *cells, dpc_alignment *alignment) {
    const int template_rank = (int)between(1, 3);
    bool used[DPC_MAX_RANK] = {false};
    for (int g = 0; g < template_rank; g++) {
        const int k = (int)random_below(rank + 1) - 1;
        alignment[g] = random_alignment(bounds, k >= 0 && !used[k] ? k : -1, &cells[g]);
        if (k >= 0) used[k] = true;
    }
    return template_rank;
}

/* Aligned with a template of its own, which is gone afterwards. */
static void random_aligned(dpc_array *a, const char *name, int rank, const dpc_bounds *bounds) {
    dpc_format formats[DPC_MAX_RANK];
    dpc_alignment alignment[DPC_MAX_RANK];
    dpc_bounds cells[DPC_MAX_RANK];
    dpc_array t = {0};
    const int template_rank = random_template(rank, bounds, cells, alignment);
    dpc_grid *grid = random_mapping(template_rank, cells, formats);
    dpc_create_template(&t, "test:1", "T", template_rank, cells, formats, grid);
    dpc_create_aligned(a, "test:1", name, types[random_below(6)], rank, bounds, &t, alignment);
    dpc_free(&t);
}

static void random_array(dpc_array *a, const char *name, int rank, const dpc_bounds *bounds) {
    dpc_format formats[DPC_MAX_RANK];
    if (random_below(2) == 0) {
        random_aligned(a, name, rank, bounds);
    } else {
        dpc_grid *grid = random_mapping(rank, bounds, formats);
        dpc_create(a, "test:1", name, types[random_below(6)], rank, bounds, formats, grid);
    }
    for_local(a, store_content);
}

/* Formats do not say how the array is mapped. */
static inline bool is_irregular(const dpc_array *a) {
    bool irregular = a->spare;
    for (int k = 0; k < a->rank; k++) irregular = irregular || a->format[k].kind >= DPC_FORMAT_GEN_BLOCK;
    return irregular;
}

/* Prints how many expectations held on all processes; the exit status. */
static int conclude(void) {
    dpc_reduce(DPC_SUM, DPC_LONG, &passed);
    dpc_reduce(DPC_SUM, DPC_LONG, &failed);
    printf("%ld passed, %ld failed\n", passed, failed);
    return dpc_finish(failed > 0);
}

#endif
