/* Redistribution of the compiler's arrays by the redistribution engine; the plans are kept. */
#include "../base/settings.h"
#include "../redistribution.h"
#include "program.h"

#include <string.h>

/* ---- Sections of arrays */

/* A section of an array of unit stride, as the engine sees it.  The array's own extents and ghost cells decide about
 * strides, which differ between processes: these are not part of what plans are found by. */
typedef struct {
    dpc_mapping mapping;                                                   /* strides left out */
    dpc_index extent[DPC_MAX_RANK], low[DPC_MAX_RANK], high[DPC_MAX_RANK]; /* of the array; ghost cells */
} section;

/* bounds: of the section, NULL: the whole array.  A grid's places are numbered by the coordinates along the divided
 * dimensions, in the order of these: as a mapping's. */
static void set_section(section *s, const dpc_array *a, const dpc_bounds *bounds) {
    dpc_mapping *m = &s->mapping;
    m->rank = a->rank;
    for (int k = 0; k < a->rank; k++) {
        m->extent[k] =
            bounds == NULL ? dpc_elements_of(&a->dim[k]) : dpc_maximum(bounds[k].upper - bounds[k].lower + 1, 0);
        m->first[k] = bounds == NULL ? a->dim[k].hidden : bounds[k].lower - a->dim[k].lower;
        m->block[k] = dpc_block(&a->dim[k]);
        m->procs[k] = (int)a->dim[k].procs;
        s->extent[k] = a->dim[k].extent;
        s->low[k] = a->halo[k].low;
        s->high[k] = a->halo[k].high;
    }
}

static dpc_mapping mapping_of(const section *s, const dpc_array *a) {
    dpc_mapping m = s->mapping;
    memcpy(m.stride, a->stride, (size_t)a->rank * sizeof *a->stride);
    return m;
}

static bool is_empty(const section *s) {
    for (int k = 0; k < s->mapping.rank; k++)
        if (s->mapping.extent[k] == 0) return true;
    return false;
}

static void check_bounds(const section *s, const dpc_array *a, const char *where) {
    for (int k = 0; k < a->rank; k++) {
        const dpc_index first = s->mapping.first[k], last = first + s->mapping.extent[k] - 1;
        if (first < a->dim[k].hidden) dpc_fail_bounds(where, a, k, a->dim[k].lower + first);
        if (last >= a->dim[k].extent) dpc_fail_bounds(where, a, k, a->dim[k].lower + last);
    }
}
/* ---- Plans, latest used first.  Their number is bounded, not their bytes: these differ between processes, and all
 * must keep the same ones, because making a plan may be collective. */

enum { MOST_PLANS = 32, NAME = 32 }; /* DPC_PLANS may allow fewer */

/* What a plan is found by; compared byte by byte, so it is zeroed first. */
typedef struct {
    section from, to;
    dpc_index size; /* bytes per element */
    char method[NAME], schedule[NAME];
} plan_key;

typedef struct cached_plan {
    struct cached_plan *next;
    plan_key key;
    dpc_redistribution *plan;
} cached_plan;

static cached_plan *plans;

static void free_after(cached_plan **link) {
    while (*link != NULL) {
        cached_plan *k = *link;
        *link = k->next;
        dpc_free_redistribution(k->plan);
        dpc_free_buffer(k);
    }
}

static void free_plans(void) {
    free_after(&plans);
}

static cached_plan *make_plan(const plan_key *key, const dpc_array *from, const dpc_array *to) {
    const dpc_redistribution_options options = {.method = key->method, .schedule = key->schedule};
    const dpc_mapping source = mapping_of(&key->from, from), target = mapping_of(&key->to, to);
    cached_plan *k = dpc_buffer(1, sizeof *k);
    dpc_at_finish(free_plans);
    k->key = *key;
    k->plan = dpc_plan_redistribution(dpc_communicator, &source, &target, key->size, &options);
    return k;
}

static dpc_redistribution *find_plan(const plan_key *key, const dpc_array *from, const dpc_array *to) {
    const dpc_index most = dpc_minimum(MOST_PLANS, dpc_most_plans());
    cached_plan **link = &plans;
    dpc_index number = 0;
    if (most == 0) free_after(&plans);
    for (; *link != NULL && memcmp(&(*link)->key, key, sizeof *key) != 0; link = &(*link)->next)
        if (++number >= most - 1) free_after(&(*link)->next);
    cached_plan *k = *link;
    dpc_add_count(k == NULL ? DPC_COUNT_plans_made : DPC_COUNT_plans_reused, 1);
    if (k == NULL)
        k = make_plan(key, from, to);
    else
        *link = k->next;
    k->next = plans;
    plans = k;
    return k->plan;
}

/* ---- Choices */

/* DPC_REDISTRIBUTE=METHOD[,SCHEDULE] in the environment takes the place of both that the program says, for experiments.
 */
static void override_choice(char *method, char *schedule) {
    const char *wish = dpc_setting_text(DPC_SETTING_REDISTRIBUTE);
    if (wish == NULL) return;
    const size_t length = strcspn(wish, ",");
    snprintf(method, NAME, "%.*s", (int)(length < NAME ? length : NAME), wish);
    snprintf(schedule, NAME, "%s", wish[length] == ',' ? wish + length + 1 : "auto");
}

static void check_choice(const dpc_array *a, const char *where, const plan_key *key) {
    const char *why = dpc_method_refuses(key->method, &key->from.mapping, &key->to.mapping);
    if (why != NULL)
        dpc_fail(where, "redistribution method '%s' cannot serve array '%s': %s", key->method, a->name, why);
    why = dpc_schedule_refuses(key->schedule, &key->from.mapping, &key->to.mapping);
    if (why != NULL)
        dpc_fail(where, "redistribution schedule '%s' cannot serve array '%s': %s", key->schedule, a->name, why);
    if (strcmp(key->schedule, "auto") != 0 && !dpc_method_takes_schedules(key->method))
        dpc_fail(where, "redistribution method '%s' has an order of its own: schedule '%s' cannot be chosen",
                 key->method, key->schedule);
}

/* The elements of a section become those of another array's section, neither of which has gaps.  bounds: NULL: of the
 * whole array. */
static void move_dense(const dpc_array *to, const dpc_bounds *to_bounds, const dpc_array *from,
                       const dpc_bounds *from_bounds, const char *where, const char *method, const char *schedule) {
    plan_key key;
    memset(&key, 0, sizeof key);
    set_section(&key.from, from, from_bounds);
    set_section(&key.to, to, to_bounds);
    key.size = from->size;
    snprintf(key.method, NAME, "%s", method);
    snprintf(key.schedule, NAME, "%s", schedule);
    if (is_empty(&key.from)) return;
    check_bounds(&key.from, from, where);
    check_bounds(&key.to, to, where);
    override_choice(key.method, key.schedule);
    check_choice(from, where, &key);
    dpc_begin_counting(where, DPC_COUNT_messages);
    dpc_execute(find_plan(&key, from, to), from->local, to->local);
    dpc_end_counting();
}

/* Arrays that the engine knows: blocks dealt from the first element on over a whole grid, whose dimensions come in the
 * order of the array's. */
static bool is_known(const dpc_array *a) {
    int g = -1;
    for (int k = 0; k < a->rank; k++) {
        const dpc_dim *d = &a->dim[k];
        if (!dpc_is_dealt(d) || (d->grid_dim >= 0 && d->grid_dim < g)) return false;
        g = (int)dpc_maximum(g, d->grid_dim);
    }
    return !a->spare && a->grid->whole;
}

/* One side of an assignment of sections. */
static void set_subscripts(dpc_subscript *subscripts, const dpc_array *a, const dpc_bounds *bounds) {
    for (int k = 0; k < a->rank; k++)
        subscripts[k] = (dpc_subscript){k, 1, bounds == NULL ? dpc_first_element(&a->dim[k]) : bounds[k].lower};
}

/* Any others: as an array assignment, by communication sets. */
static void move_any(const dpc_array *to, const dpc_bounds *to_bounds, const dpc_array *from,
                     const dpc_bounds *from_bounds, const char *where) {
    dpc_space s = {.where = where};
    dpc_subscript here[DPC_MAX_RANK], there[DPC_MAX_RANK];
    dpc_range range[DPC_MAX_RANK];
    for (int k = 0; k < to->rank; k++) {
        const dpc_index extent =
            from_bounds == NULL ? dpc_elements_of(&from->dim[k]) : from_bounds[k].upper - from_bounds[k].lower + 1;
        range[k] = (dpc_range){0, extent - 1, 1};
    }
    set_subscripts(here, to, to_bounds);
    set_subscripts(there, from, from_bounds);
    dpc_begin_space(&s, where, false, to->rank, range);
    dpc_on(&s, to, here);
    dpc_copy(&s, from, there);
}

/* The same for any arrays: the engine's local parts have no gaps between blocks, so others are copied to such and back.
 */
void dpc_move_section(const dpc_array *to, const dpc_bounds *to_bounds, const dpc_array *from,
                      const dpc_bounds *from_bounds, const char *where, const char *method, const char *schedule) {
    const bool from_gaps = dpc_has_gaps(from), to_gaps = dpc_has_gaps(to);
    dpc_subject = from->name;
    if (!is_known(from) || !is_known(to)) {
        move_any(to, to_bounds, from, from_bounds, where);
        return;
    }
    dpc_array source = *from, target = *to;
    if (from_gaps) source = dpc_without_gaps(from, where);
    if (from_gaps) dpc_copy_owned(&source, from);
    if (to_gaps) target = dpc_without_gaps(to, where);
    if (to_gaps && to_bounds != NULL) dpc_copy_owned(&target, to);
    move_dense(&target, to_bounds, &source, from_bounds, where, method, schedule);
    if (from_gaps) dpc_free(&source);
    if (!to_gaps) return;
    dpc_copy_owned(to, &target);
    dpc_free(&target);
}

void dpc_redistribute_as(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid,
                         dpc_remapping how) {
    dpc_bounds bounds[DPC_MAX_RANK];
    const dpc_array *base = dpc_base_of(a);
    if (base == NULL && dpc_inherited_base != NULL) base = dpc_inherited_base(a);
    dpc_begin_statement(where);
    a->late = false;
    if (base != NULL)
        dpc_fail(where, "array '%s' is aligned with '%s', which is to be redistributed", a->name, base->name);
    dpc_bounds_of(a, bounds);
    const dpc_width *halo = how.halo == NULL ? dpc_no_halo : how.halo;
    dpc_array changed = dpc_mapped(where, a->name, a->type, a->rank, bounds, formats, grid, halo, how.corners);
    if (dpc_meet != NULL) dpc_check_alike(&changed, where);
    dpc_count_execution(where);
    if (how.unused) {
        dpc_release_mapping(&changed);
        return;
    }
    dpc_change_mapping(a, &changed, where, &how);
    a->version = how.version;
}

void dpc_redistribute_by(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid, const char *method,
                         const char *schedule) {
    dpc_redistribute_as(a, where, formats, grid, (dpc_remapping){.method = method, .schedule = schedule});
}

void dpc_redistribute(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid) {
    dpc_redistribute_as(a, where, formats, grid, (dpc_remapping){0});
}

/* ---- Copies */

void dpc_copy_section_by(dpc_array *to, const char *where, const dpc_bounds *to_bounds, const dpc_array *from,
                         const dpc_bounds *from_bounds, const char *method, const char *schedule) {
    dpc_begin_statement(where);
    dpc_check_together(where, to);
    dpc_count_execution(where);
    dpc_move_section(to, to_bounds, from, from_bounds, where, method, schedule);
    dpc_changed(to);
}

void dpc_copy_section(dpc_array *to, const char *where, const dpc_bounds *to_bounds, const dpc_array *from,
                      const dpc_bounds *from_bounds) {
    dpc_copy_section_by(to, where, to_bounds, from, from_bounds, "auto", "auto");
}

void dpc_copy_array(dpc_array *to, const char *where, const dpc_array *from) {
    dpc_copy_section(to, where, NULL, from, NULL);
}
