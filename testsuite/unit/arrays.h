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

static dpc_grid *random_grid(int rank) {
    dpc_index extents[DPC_MAX_RANK], left = dpc_nprocs();
    if (random_below(3) == 0) return dpc_default_grid(rank);
    for (int g = 0; g < rank; g++) {
        extents[g] = between(1, left);
        left /= extents[g];
    }
    return dpc_new_grid("test", grid_names[random_below(3)], rank, extents);
}

/* Random formats; the grid that fits them. */
static dpc_grid *random_mapping(int rank, const dpc_bounds *bounds, dpc_format *formats) {
    int divided = 0;
    for (int k = 0; k < rank; k++) {
        const dpc_index extent = bounds[k].upper - bounds[k].lower + 1;
        switch (random_below(5)) {
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
        default:
            formats[k] = DPC_BLOCK_OF(extent + random_below(3) + 1);
            break;
        }
        divided += formats[k].kind != DPC_FORMAT_STAR;
    }
    return random_grid(divided);
}

static void random_bounds(int rank, dpc_bounds *bounds) {
    static const dpc_index sizes[] = {0, 300, 25, 11};
    for (int k = 0; k < rank; k++) {
        bounds[k].lower = between(-5, 5);
        bounds[k].upper = bounds[k].lower + random_below(sizes[rank]) - (random_below(10) == 0);
    }
}

static const dpc_type types[] = {DPC_CHAR, DPC_SHORT, DPC_INT, DPC_DOUBLE, DPC_DOUBLE_COMPLEX, DPC_LONG_DOUBLE_COMPLEX};

static void random_array(dpc_array *a, const char *name, int rank, const dpc_bounds *bounds) {
    dpc_format formats[DPC_MAX_RANK];
    dpc_grid *grid = random_mapping(rank, bounds, formats);
    dpc_create(a, "test:1", name, types[random_below(6)], rank, bounds, formats, grid);
    for_local(a, store_content);
}

/* Prints how many expectations held on all processes; the exit status. */
static int conclude(void) {
    dpc_reduce(DPC_SUM, DPC_LONG, &passed);
    dpc_reduce(DPC_SUM, DPC_LONG, &failed);
    printf("%ld passed, %ld failed\n", passed, failed);
    return dpc_finish(failed > 0);
}

#endif
