/* Arrays and templates that several source files name.  Each file declares them as the program starts: the first one
 * makes them, the others must say the same. */
#include <string.h>

#include "program.h"

/* Where each was made. */
typedef struct making {
    const dpc_array *array;
    const char *where;
    struct making *next;
} making;
static making *makings;

static void free_makings(void) {
    for (making *m = makings, *next; m != NULL; m = next) {
        next = m->next;
        dpc_free_buffer(m);
    }
    makings = NULL;
}

static const char *made_at(const dpc_array *a) {
    for (const making *m = makings; m != NULL; m = m->next)
        if (m->array == a) return m->where;
    return NULL;
}

static void note_making(const dpc_array *a, const char *where) {
    if (makings == NULL) dpc_at_finish(free_makings);
    making *m = dpc_buffer(1, sizeof *m);
    *m = (making){a, where, makings};
    makings = m;
}

static bool same_shape(const dpc_array *a, const dpc_array *b) {
    if (a->type != b->type || a->rank != b->rank) return false;
    for (int d = 0; d < a->rank; d++)
        if (a->dim[d].lower != b->dim[d].lower || a->dim[d].extent != b->dim[d].extent) return false;
    return true;
}

/* Ends the program where a declaration is another one than that which made the array; lets the declared mapping go. */
static void compare(const dpc_array *a, const char *where, dpc_array declared) {
    if (!same_shape(a, &declared))
        dpc_fail(where, "array '%s' has other bounds or elements than at %s", a->name, made_at(a));
    if (!dpc_same_mapping(a, &declared))
        dpc_fail(where, "array '%s' is mapped in another way than at %s", a->name, made_at(a));
    dpc_release_mapping(&declared);
}

void dpc_declare(dpc_array *a, const char *where, const char *name, dpc_type type, int rank, const dpc_bounds *bounds,
                 const dpc_format *formats, dpc_grid *grid) {
    if (made_at(a) != NULL) {
        compare(a, where, dpc_mapped(where, name, type, rank, bounds, formats, grid, dpc_no_halo, false));
        return;
    }
    dpc_create(a, where, name, type, rank, bounds, formats, grid);
    note_making(a, where);
}

void dpc_declare_template(dpc_array *t, const char *where, const char *name, int rank, const dpc_bounds *bounds,
                          const dpc_format *formats, dpc_grid *grid) {
    if (made_at(t) != NULL) {
        compare(t, where, dpc_mapped(where, name, DPC_CHAR, rank, bounds, formats, grid, dpc_no_halo, false));
        return;
    }
    dpc_create_template(t, where, name, rank, bounds, formats, grid);
    note_making(t, where);
}

void dpc_declare_aligned(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                         const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment) {
    if (made_at(a) != NULL) {
        compare(a, where, dpc_mapped_with(where, name, type, rank, bounds, base, alignment, dpc_no_halo, false));
        return;
    }
    dpc_create_aligned(a, where, name, type, rank, bounds, base, alignment);
    note_making(a, where);
}
