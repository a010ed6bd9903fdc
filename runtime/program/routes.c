/* Routes: where the elements of a reference come from and go to, and the plan of their transfer.  They are found once
 * for a statement's iterations, an array's mapping and subscripts; later executions compare a few words. */
#include "program.h"

#include <string.h>

/* Places of the table, by the address of the space; routes that no transfer uses, at most; of one reference with
 * different offsets, at most. */
enum { PLACES = 64, MOST_ROUTES = 128, MOST_OFFSETS = 4 };

static dpc_route *routes[PLACES];
static dpc_index route_count;
static int64_t uses;

static dpc_route **place_of(const dpc_space *s) {
    return &routes[(uintptr_t)s / sizeof(void *) % PLACES];
}

/* ---- Comparing */

/* The same reference of the same statement, but for offsets and iterations. */
static bool is_alike(const dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                     dpc_route_kind kind) {
    if (r->space != s || r->kind != kind || r->mapping != a->mapping || r->mapping == 0) return false;
    for (int k = 0; k < a->rank; k++)
        if (r->subscript[k].index != subscripts[k].index || r->subscript[k].stride != subscripts[k].stride)
            return false;
    return true;
}

/* The same processes execute the same iterations, by the same method and model. */
static bool is_current(const dpc_route *r, const dpc_space *s) {
    return r->version == s->version && s->version != 0 && s->changed == 0 && r->clip == s->clip && r->sets == s->sets &&
           r->model == s->model;
}

static bool has_offsets(const dpc_route *r, int rank, const dpc_subscript *subscripts) {
    for (int k = 0; k < rank; k++)
        if (r->subscript[k].offset != subscripts[k].offset) return false;
    return true;
}

DPC_STEADY static dpc_route *known_route(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                                         dpc_route_kind kind) {
    for (dpc_route *r = *place_of(s); r != NULL; r = r->next)
        if (is_alike(r, s, a, subscripts, kind) && is_current(r, s) && has_offsets(r, a->rank, subscripts)) return r;
    return NULL;
}

/* ---- Room */

#define DPC_HAS_MANY_ROUTES DPC_USES(dpc_start_exchange) || DPC_HAS_OTHER_ARRAYS
#if DPC_HAS_MANY_ROUTES
static void free_route(dpc_route **link) {
    dpc_route *r = *link;
    *link = r->next;
    route_count--;
    dpc_drop_plan(r->plan);
    dpc_free_buffer(r);
}

/* Frees those longest not used until `most` are left, not counting those in use. */
static void keep(dpc_index most) {
    while (route_count > most) {
        dpc_route **oldest = NULL;
        for (int k = 0; k < PLACES; k++)
            for (dpc_route **link = &routes[k]; *link != NULL; link = &(*link)->next)
                if ((*link)->users == 0 && (oldest == NULL || (*link)->used < (*oldest)->used)) oldest = link;
        if (oldest == NULL) return;
        free_route(oldest);
    }
}

static void free_routes(void) {
    keep(0);
}

static inline void limit_routes(void) {
    const dpc_index most = dpc_minimum(MOST_ROUTES, dpc_most_plans());
    if (route_count > most) keep(most);
}
#else
/* For each reference that is moved there is one, or MOST_OFFSETS. */
#define limit_routes() DPC_LEFT_OUT
#endif

/* One of the same reference that serves no more: its iterations are others, or there are several offsets. */
static dpc_route *outdated_route(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                                 dpc_route_kind kind) {
    dpc_route *oldest = NULL;
    int offsets = 0;
    for (dpc_route *r = *place_of(s); r != NULL; r = r->next) {
        if (!is_alike(r, s, a, subscripts, kind) || r->users > 0) continue;
        if (!is_current(r, s)) return r;
        offsets++;
        if (oldest == NULL || r->used < oldest->used) oldest = r;
    }
    return offsets < MOST_OFFSETS ? NULL : oldest;
}

static dpc_route *new_route(const dpc_space *s) {
    dpc_route *r = dpc_buffer(1, sizeof *r);
    dpc_at_finish(free_routes);
    r->next = *place_of(s);
    route_count++;
    return *place_of(s) = r;
}

/* ---- Finding */

static void find_route(dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                       dpc_route_kind kind) {
    dpc_check(s, a, subscripts);
    r->space = s;
    r->kind = kind;
    r->version = s->version;
    r->mapping = a->mapping;
    r->clip = s->clip;
    r->sets = s->sets;
    r->model = s->model;
    memcpy(r->subscript, subscripts, (size_t)a->rank * sizeof *subscripts);
    dpc_drop_plan(r->plan);
    r->plan = NULL;
    dpc_find_ends(r, s, a, subscripts);
}

static void take_plan(dpc_route *r) {
    if (r->plan != NULL && r->frees == dpc_plan_frees()) {
        dpc_take_plan_again(r->plan);
        return;
    }
    r->plan = dpc_take_plan(r->axes.rank, &r->from, &r->to, dpc_route_model(r));
    r->frees = dpc_plan_frees();
}

DPC_STEADY dpc_route *dpc_take_route(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts,
                                     dpc_route_kind kind) {
    dpc_subject = a->name;
    dpc_route *r = known_route(s, a, subscripts, kind);
    if (r == NULL) {
        r = outdated_route(s, a, subscripts, kind);
        if (r == NULL) r = new_route(s);
        find_route(r, s, a, subscripts, kind);
    }
    take_plan(r);
    r->users++;
    r->used = ++uses;
    return r;
}

DPC_STEADY void dpc_give_route(dpc_route *r) {
    r->users--;
    dpc_give_plan(r->plan);
    limit_routes();
}
