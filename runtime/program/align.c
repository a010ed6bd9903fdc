/* Templates, aligned arrays, and what happens to them when a mapping changes: followers come along.  The mappings
 * themselves are composed in array.c, who follows whom stands in ties.c. */
#include "../base/shared.h"
#include "program.h"

#include <string.h>

/* ---- Creation */

void dpc_create_template(dpc_array *t, const char *where, const char *name, int rank, const dpc_bounds *bounds,
                         const dpc_format *formats, dpc_grid *grid) {
    dpc_begin_statement(where);
    *t = dpc_mapped(where, name, DPC_CHAR, rank, bounds, formats, grid, dpc_no_halo, false);
    t->size = 0;
    dpc_check_alike(t, where);
    dpc_number_mapping(t);
}

void dpc_create_aligned_with_halo(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                                  const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment,
                                  const dpc_width *halo, int corners) {
    dpc_begin_statement(where);
    *a = dpc_mapped_with(where, name, type, rank, bounds, base, alignment, halo, corners);
    dpc_check_alike(a, where);
    dpc_build(a, where, true);
    dpc_follow(a, base, alignment);
}

void dpc_create_aligned(dpc_array *a, const char *where, const char *name, dpc_type type, int rank,
                        const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment) {
    dpc_create_aligned_with_halo(a, where, name, type, rank, bounds, base, alignment, dpc_no_halo, false);
}

/* ---- Changes */

static void take_mapping(dpc_array *a, dpc_array *changed) {
    struct dpc_tie *tie = a->tie;
    dpc_release_mapping(a);
    dpc_give_shared(a->storage);
    *a = *changed;
    a->tie = tie;
}

/* What the array has more, so that no redistribution to an equal mapping takes it away again. */
static void keep_room(dpc_array *changed, const dpc_array *a) {
    if (a->corners > changed->corners) changed->corners = a->corners;
    for (int k = 0; k < a->rank; k++) {
        dpc_width *x = &changed->halo[k];
        if (a->format[k].gap > 0 || changed->format[k].gap > 0) continue;
        *x = (dpc_width){dpc_maximum(x->low, a->halo[k].low), dpc_maximum(x->high, a->halo[k].high),
                         x->cyclic || a->halo[k].cyclic};
    }
}

/* Who owns what stays; the formats may be others, but for the gaps.  Statements may have been compiled for other ghost
 * cells than there are: these count as stale. */
static void keep_elements(dpc_array *a, dpc_array *changed, const char *where) {
    a->fresh = false;
    if (!dpc_has_room(a, changed)) {
        changed->size = a->size;
        keep_room(changed, a);
        dpc_build(changed, where, false);
        dpc_copy_owned(changed, a);
        take_mapping(a, changed);
        return;
    }
    dpc_take_formats(a, changed);
    dpc_release_mapping(changed);
    dpc_number_mapping(a);
}

static bool has_storage(const dpc_array *a) {
    return a->size > 0;
}

/* The same processes have the same coordinates. */
static bool same_grids(const dpc_grid *x, const dpc_grid *y) {
    bool same = x->rank == y->rank && x->first == y->first;
    for (int g = 0; same && g < x->rank; g++) same = x->extent[g] == y->extent[g] && x->pitch[g] == y->pitch[g];
    return same;
}

static bool same_places(const dpc_array *a, const dpc_array *b) {
    bool same = !a->spare && !b->spare && same_grids(a->grid, b->grid);
    for (int k = 0; same && k < a->rank; k++)
        same = a->dim[k].grid_dim == b->dim[k].grid_dim && dpc_same_owners(&a->dim[k], &b->dim[k]);
    return same;
}

/* The local parts lie in memory alike: the same on every process. */
static bool same_shape(const dpc_array *a, const dpc_array *b) {
    bool same = true;
    for (int k = 0; k < a->rank; k++)
        same = same && dpc_gap(&a->dim[k]) == dpc_gap(&b->dim[k]) && a->halo[k].low == b->halo[k].low &&
               a->halo[k].high == b->halo[k].high && a->beside[k] == b->beside[k];
    return same;
}

/* Every process holds the same elements at the same places: the new mapping takes the local part over. */
static bool take_over(dpc_array *a, dpc_array *changed) {
    if (!same_shape(a, changed) || (dpc_nprocs() > 1 && !same_places(a, changed))) return false;
    memcpy(changed->stride, a->stride, sizeof a->stride);
    memcpy(changed->across, a->across, sizeof a->across);
    changed->elements = a->elements;
    changed->storage = a->storage;
    changed->local = a->local;
    a->storage = NULL;
    dpc_number_mapping(changed);
    dpc_changed(changed);
    return true;
}

static void build(dpc_array *a, dpc_array *changed, const char *where, const dpc_remapping *how) {
    dpc_build(changed, where, false);
    if (!how->dead)
        dpc_move_section(changed, NULL, a, NULL, where, how->method == NULL ? "auto" : how->method,
                         how->schedule == NULL ? "auto" : how->schedule);
}

static void remap(dpc_array *a, dpc_array *changed, const char *where, const dpc_remapping *how) {
    changed->size = a->size;
    if (!has_storage(a))
        dpc_number_mapping(changed);
    else if (!take_over(a, changed) && !dpc_take_copy(a, changed))
        build(a, changed, where, how);
    if (how->keep && a->storage != NULL) dpc_leave_copy(a);
    take_mapping(a, changed);
}

static void move(dpc_array *a, dpc_array *changed, const char *where, const dpc_remapping *how) {
    const int64_t before = a->contents;
    if (has_storage(a) && dpc_same_mapping(a, changed))
        keep_elements(a, changed, where);
    else
        remap(a, changed, where, how);
    dpc_carry_copies(a, how->dead ? 0 : before);
}

static void follow(struct dpc_tie *t, const char *where, const dpc_remapping *how) {
    dpc_array *a = t->array;
    dpc_bounds bounds[DPC_MAX_RANK];
    static const dpc_follower nothing;
    const dpc_follower *needs = how->followers == NULL ? &nothing : how->followers;
    while (needs->array != NULL && needs->array != a) needs++;
    const dpc_remapping moved = {
        .dead = needs->dead, .method = how->method, .schedule = how->schedule, .followers = how->followers};
    dpc_bounds_of(a, bounds);
    dpc_array changed = dpc_mapped_with(where, a->name, a->type, a->rank, bounds, t->base->array, t->alignment,
                                        needs->halo == NULL ? dpc_no_halo : needs->halo, needs->corners);
    dpc_change_mapping(a, &changed, where, &moved);
}

void dpc_change_mapping(dpc_array *a, dpc_array *changed, const char *where, const dpc_remapping *how) {
    move(a, changed, where, how);
    if (a->tie == NULL) return;
    for (struct dpc_tie *t = a->tie->followers; t != NULL; t = t->next) follow(t, where, how);
}

void dpc_realign(dpc_array *a, const char *where, dpc_array *base, const dpc_alignment *alignment) {
    dpc_bounds bounds[DPC_MAX_RANK];
    dpc_begin_statement(where);
    dpc_count_execution(where);
    if (a->tie != NULL && a->tie->followers != NULL)
        dpc_fail(where, "array '%s' is realigned, but '%s' is aligned with it", a->name,
                 a->tie->followers->array->name);
    if (a == base) dpc_fail(where, "array '%s' is aligned with itself", a->name);
    dpc_bounds_of(a, bounds);
    dpc_array changed = dpc_mapped_with(where, a->name, a->type, a->rank, bounds, base, alignment, dpc_no_halo, false);
    if (dpc_meet != NULL) dpc_check_alike(&changed, where);
    dpc_change_mapping(a, &changed, where, &(dpc_remapping){0});
    dpc_follow(a, base, alignment);
}
