/* What each process sends in one execution of a statement, counted as the library would. */
#include "predict.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "../runtime/halo.h"
#include "../runtime/base/pack.h"
#include "../runtime/redistribution/limits.h"

/* ---- Predictions */

prediction unpredictable(const char *why) {
    prediction x = {.unknown = why};
    for (int d = 0; d < MAX_RANK; d++) x.sections[d] = -1;
    return x;
}

prediction no_messages(const program *p) {
    prediction x = unpredictable(NULL);
    if (p->np <= 0) return unpredictable("the number of processes is not known: --np=N tells it");
    if (p->np > MOST_PREDICTED)
        return unpredictable(arena_format(p->memory, "not counted for more than %d processes", MOST_PREDICTED));
    x.procs = p->np;
    for (int k = 0; k < AMOUNTS; k++) x.each[k] = arena_alloc(p->memory, (size_t)p->np * sizeof *x.each[k]);
    return x;
}

void add_prediction(prediction *a, const prediction *b) {
    if (!a->unknown) a->unknown = b->unknown;
    for (int k = 0; !a->unknown && k < AMOUNTS; k++) {
        if (!b->each[k]) a->each[k] = NULL;
        for (int me = 0; a->each[k] && me < a->procs; me++) a->each[k][me] += b->each[k][me];
    }
}

prediction predict_collectives(const program *p, int64_t count, int64_t bytes) {
    prediction x = no_messages(p);
    for (int me = 0; me < x.procs; me++) {
        x.each[AMOUNT_collectives][me] = count;
        x.each[AMOUNT_collective_bytes][me] = count * bytes;
    }
    return x;
}

/* ---- Arrays */

static int64_t owned_extent(const layout *x, int process, int d) {
    return dpc_local_extent(&x->dim[d], coordinate(x, process, d));
}

/* ---- One process as a sender (runtime/program/plan.c) */

typedef struct {
    const transfer *t;
    int me;
    dpc_sets sets[MAX_RANK]; /* per axis */
    dpc_sets
        choice[MAX_RANK]; /* per grid dimension of the receivers: those that take part, where no axis runs along it */
    int64_t stride[MAX_RANK]; /* of the array's local part, per dimension */
} sender;

static void find_strides(sender *x) {
    const layout *l = x->t->from.layout;
    int64_t elements = 1;
    for (int d = l->rank - 1; d >= 0; d--) {
        x->stride[d] = elements;
        const int64_t owned = owned_extent(l, x->me, d);
        elements *= l->halo[d].low + owned + dpc_stored_gaps(&l->dim[d], owned) + l->halo[d].high;
    }
}

static bool make_sets(sender *x) {
    const transfer *t = x->t;
    for (int k = 0; k < t->from.axes; k++) {
        const int64_t at = coordinate(t->from.layout, x->me, t->from.dim[k]);
        if (!dpc_sets_make(&x->sets[k], t->method, &t->from.side[k], at, &t->to.side[k], -1)) abort();
        if (x->sets[k].partners == 0) return false;
    }
    for (int g = 0; t->to.layout && g < t->to.layout->grid_rank; g++) {
        if (t->to.axis_of[g] >= 0) continue;
        for (int k = 0; k < t->to.others; k++) {
            const dpc_dim *dim = &t->to.layout->dim[t->to.other[k]];
            if (dim->grid_dim != g) continue;
            const int64_t count = t->to.access[k].count;
            const dpc_side all = {dpc_whole_dim(count), {0, 1, count}, DPC_POSITION};
            const dpc_side theirs = {*dim, t->to.access[k], DPC_LOCAL_INDEX};
            if (!dpc_sets_make(&x->choice[g], DPC_SETS_AUTO, &all, 0, &theirs, -1)) abort();
        }
    }
    return true;
}

static void free_sets(sender *x) {
    for (int k = 0; k < MAX_RANK; k++) {
        dpc_sets_free(&x->sets[k]);
        dpc_sets_free(&x->choice[k]);
    }
}

/* Receivers along grid dimension g; with no grid there is one dimension, of all processes. */
static const dpc_sets *receivers(const sender *x, int g) {
    const int axis = x->t->to.axis_of[g];
    return axis >= 0 ? &x->sets[axis] : &x->choice[g];
}

/* Which of the partners along an axis a combination `at` of receivers means. */
static const dpc_shared *shared_along(const sender *x, int axis, const int64_t *at) {
    const layout *to = x->t->to.layout;
    const int dim = x->t->to.dim[axis], g = to && dim >= 0 ? to->dim[dim].grid_dim : -1;
    return &x->sets[axis].partner[g < 0 ? 0 : at[g]];
}

static int64_t count_elements(const sender *x, const int64_t *at) {
    int64_t elements = 1;
    for (int k = 0; k < x->t->from.axes; k++) elements *= shared_along(x, k, at)->elements;
    return elements;
}

static int64_t count_sections(const sender *x, const int64_t *at) {
    int64_t sections = 1;
    for (int k = 0; k < x->t->from.axes; k++) {
        const dpc_shared *w = shared_along(x, k, at);
        sections *= w->tail - w->head;
    }
    return sections;
}

/* Whether the elements lie side by side where they are stored: they are sent from there. */
static bool side_by_side(const sender *x, const int64_t *at) {
    dpc_axis dense[DPC_MAX_RANK], stored[DPC_MAX_RANK];
    int64_t elements = 1;
    for (int k = x->t->from.axes - 1; k >= 0; k--) {
        const dpc_shared *w = shared_along(x, k, at);
        dense[k] = (dpc_axis){NULL, NULL, w->elements, elements};
        stored[k] = (dpc_axis){&x->sets[k], w, 0, x->stride[x->t->from.dim[k]]};
        elements *= w->elements;
    }
    return dpc_contiguous_product(x->t->from.axes, dense, stored) >= 0;
}

static void note_sections(const sender *x, const int64_t *at, prediction *out) {
    for (int k = 0; k < x->t->from.axes; k++) {
        const dpc_shared *w = shared_along(x, k, at);
        if (w->tail - w->head > out->sections[k]) out->sections[k] = w->tail - w->head;
    }
}

/* Notes the messages to the receivers that differ only along grid dimensions without an axis. */
static void note_messages(const sender *x, const int64_t *at, int64_t bytes, prediction *out) {
    const program *p = x->t->program;
    const layout *to = x->t->to.layout;
    int64_t total = to ? 1 : p->np;
    for (int g = 0; to && g < to->grid_rank; g++) total *= x->t->to.axis_of[g] < 0 ? receivers(x, g)->partners : 1;
    for (int64_t number = 0; number < total; number++) {
        int64_t rest = number, process = to ? 0 : number;
        for (int g = to ? to->grid_rank - 1 : -1, weight = 1; g >= 0; weight *= to->extent[g--]) {
            const dpc_sets *sets = receivers(x, g);
            const bool along = x->t->to.axis_of[g] >= 0;
            process += weight * sets->partner[along ? at[g] : rest % sets->partners].coordinate;
            if (!along) rest /= sets->partners;
        }
        if (process != x->me)
            vector_add(p->memory, out->message, out->sent, out->capacity, ((sent_message){x->me, (int)process, bytes}));
    }
}

/* Messages to the receivers that share these elements; one of them may be the sender. */
static void add_messages(const sender *x, const int64_t *at, int64_t messages, prediction *out) {
    const int64_t elements = count_elements(x, at), me = x->me;
    if (messages == 0) return;
    note_sections(x, at, out);
    note_messages(x, at, elements * x->t->pair, out);
    out->each[AMOUNT_messages][me] += messages;
    out->each[AMOUNT_elements][me] += messages * elements;
    out->each[AMOUNT_bytes][me] += messages * elements * x->t->pair;
    if (!side_by_side(x, at)) out->each[AMOUNT_sections][me] += count_sections(x, at);
}

/* How many receivers differ only along grid dimensions without an axis, this process left out. */
static int64_t count_receivers(const sender *x, const int64_t *at) {
    const layout *to = x->t->to.layout;
    int64_t count = 1;
    bool own = true;
    if (!to) return x->t->program->np - 1;
    for (int g = 0, rest = x->me, weight = to->size; g < to->grid_rank; g++) {
        weight /= to->extent[g];
        const int64_t mine = rest / weight;
        rest %= weight;
        const dpc_sets *sets = receivers(x, g);
        if (x->t->to.axis_of[g] >= 0)
            own = own && sets->partner[at[g]].coordinate == mine;
        else {
            count *= sets->partners;
            own = own && dpc_sets_partner(sets, mine) != NULL;
        }
    }
    return count - own;
}

/* All combinations of receivers' coordinates along axes. */
static void add_all_messages(const sender *x, prediction *out) {
    const layout *to = x->t->to.layout;
    int64_t at[MAX_RANK] = {0}, total = 1;
    for (int g = 0; to && g < to->grid_rank; g++) total *= x->t->to.axis_of[g] >= 0 ? receivers(x, g)->partners : 1;
    for (int64_t number = 0; number < total; number++) {
        int64_t rest = number;
        for (int g = to ? to->grid_rank - 1 : -1; g >= 0; g--) {
            const int64_t width = x->t->to.axis_of[g] >= 0 ? receivers(x, g)->partners : 1;
            at[g] = rest % width;
            rest /= width;
        }
        add_messages(x, at, count_receivers(x, at), out);
    }
}

static set_method method_of(dpc_method m) {
    static const set_method same[] = {METHOD_RUN_TIME, METHOD_CLOSED, METHOD_ROWWISE, METHOD_LATTICE, METHOD_ENUMERATE};
    return same[m];
}

/* Iterations that are found one by one, at most. */
#define MOST_ENUMERATED ((int64_t)1 << 22)

static prediction count_transfer(const transfer *t) {
    prediction out = no_messages(t->program);
    if (out.unknown) return out;
    for (int k = 0; k < t->from.axes; k++) {
        out.sections[k] = 0;
        if (t->method == DPC_SETS_ENUMERATE && t->from.side[k].access.count > MOST_ENUMERATED / out.procs)
            return unpredictable("enumerating so many iterations would take too long");
    }
    for (int me = 0; me < out.procs; me++) {
        sender x = {.t = t, .me = me};
        if (!t->from.possible || !t->to.possible || !takes_part(&t->from, me)) continue;
        find_strides(&x);
        if (make_sets(&x)) add_all_messages(&x, &out);
        for (int k = 0; k < t->from.axes; k++)
            if (x.sets[k].partners > 0) out.method[k] = method_of(x.sets[k].method);
        free_sets(&x);
    }
    return out;
}

/* ---- The redistribution engine */

/* From so many processes on the run time chooses the method by cost (runtime/redistribution/choose.c). */
enum { MANY_PROCESSES = 16 };

/* Why the messages of a method are not predicted: those of some have phases or headers.  NULL: they go from owner to
 * owner, one message a pair, or are copies that count as such. */
static const char *not_direct(const program *p) {
    if (!p->redistribute && p->np >= MANY_PROCESSES) return "the run time chooses the method of redistribution";
    if (!p->redistribute || dpc_limits_of(p->redistribute)->in_pairs) return NULL;
    return arena_format(p->memory, "--redistribute=%s sends in its own way", p->redistribute);
}

/* What the engine's plans send, from the sets of the same transfer; its methods describe what they move each in its
 * way. */
static prediction as_redistribution(const program *p, prediction x) {
    if (x.unknown) return x;
    if (not_direct(p)) return unpredictable(not_direct(p));
    x.each[AMOUNT_sections] = NULL;
    return x;
}

prediction predict_fetch(const program *p, const parallel *s, const reference *r) {
    prediction unknown = no_messages(p);
    transfer t;
    if (unknown.unknown) return unknown;
    const char *why = open_fetch(p, s, r, &t);
    if (why) return unpredictable(why);
    const prediction by_axis = count_transfer(&t);
    prediction out = by_axis;
    for (int d = 0; d < MAX_RANK; d++) {
        out.sections[d] = -1;
        out.method[d] = METHOD_NONE;
    }
    for (int k = 0; k < t.from.axes; k++) {
        out.sections[t.from.dim[k]] = by_axis.sections[k];
        out.method[t.from.dim[k]] = by_axis.method[k];
    }
    return r->placed.move == MOVE_COPIED ? as_redistribution(p, out) : out;
}

/* ---- Ghost cells (runtime/program/ghosts.c) */

/* Ghost cells along dimension d that elements of the array stand for. */
static int64_t halo_of(const layout *x, int me, int d) {
    if (x->halo[d].cyclic) return x->halo[d].low + x->halo[d].high;
    if (dpc_gap(&x->dim[d]) > 0)
        return x->halo[d].low + dpc_stored_gaps(&x->dim[d], owned_extent(x, me, d)) + x->halo[d].high;
    const int64_t begin = dpc_block_begin(&x->dim[d], coordinate(x, me, d));
    const int64_t before = dpc_maximum(0, dpc_minimum(begin, x->dim[d].extent));
    const int64_t after = x->dim[d].extent - before - owned_extent(x, me, d);
    return (x->halo[d].low < before ? x->halo[d].low : before) + (x->halo[d].high < after ? x->halo[d].high : after);
}

/* What process `me` sends of an array, in one refresh or one of its phases. */
typedef struct {
    const layout *x;
    int me;
    int64_t size;  /* of an element, bytes */
    int corners;   /* dimensions beside which ghost cells are sent at once; 0: one */
    bool followed; /* dimensions follow each other */
    bool *met;     /* per process: something goes to it */
    prediction *out;
} refreshing;

static bool fills_alone(const layout *x, int d) {
    return x->halo[d].cyclic && x->dim[d].procs == 1;
}

/* Whether the ghost cells along dimension k are there before those along d, or along several (-1), are sent. */
static bool precedes(const refreshing *r, int k, int d) {
    const bool alone = fills_alone(r->x, k);
    if (r->corners == 0 || d < 0 || alone != fills_alone(r->x, d)) return r->corners > 0 && alone;
    return (alone || r->followed) && k < d;
}

/* A coordinate that keeps elements of this process along a dimension: along its dimension of the grid. */
typedef struct {
    int64_t keeper, elements;
} kept_side;

/* At most `room` of them; returns how many there are. */
static int ring_sides(const layout *x, int me, int d, kept_side *side, int room) {
    int sides = 0;
    dpc_halo_strip s;
    for (int step = -1; step <= 1; step += 2)
        for (int64_t steps = step; dpc_halo_around(&x->dim[d], x->halo[d], coordinate(x, me, d), steps, &s);
             steps += step, sides++)
            if (sides < room) side[sides] = (kept_side){s.keeper, s.count};
    return sides;
}

static int dealt_sides(const layout *x, int me, int d, kept_side *side, int room) {
    int sides = 0;
    dpc_halo_comb owned, kept;
    for (int step = -1; step <= 1; step += 2) {
        if (!dpc_halo_dealt(&x->dim[d], x->halo[d], coordinate(x, me, d), step, &owned, &kept)) continue;
        const int64_t keeper = dpc_modulo(coordinate(x, me, d) + step, x->dim[d].procs);
        if (sides < room) side[sides] = (kept_side){keeper, dpc_halo_elements(&owned)};
        sides++;
    }
    return sides;
}

static int line_sides(const layout *x, int me, int d, kept_side *side, int room) {
    const int64_t mine = coordinate(x, me, d);
    int sides = 0;
    int64_t first, last;
    for (int step = -1; step <= 1; step += 2)
        for (int64_t q = mine + step; q >= 0 && q < x->dim[d].procs; q += step) {
            if (!x->beside[d] && !dpc_is_dealt(&x->dim[d]) && dpc_local_extent(&x->dim[d], q) == 0) continue;
            if (!(x->beside[d] ? dpc_halo_beside : dpc_halo_held)(&x->dim[d], x->halo[d], mine, q, &first, &last))
                break;
            if (sides < room) side[sides] = (kept_side){q, last - first + 1};
            sides++;
        }
    return sides;
}

static int sides_along(const layout *x, int me, int d, kept_side *side, int room) {
    if (x->dim[d].grid_dim < 0 || x->dim[d].procs == 1) return 0;
    return (x->halo[d].cyclic ? ring_sides : dpc_gap(&x->dim[d]) > 0 ? dealt_sides : line_sides)(x, me, d, side, room);
}

/* Sends strips with sides of at most `left` more of the dimensions from d on: `elements` of the others, to the process
 * `to`. */
static void send_sides(const refreshing *r, kept_side *const *side, const int *sides, const int64_t *all, int d,
                       int left, int64_t elements, int to) {
    const layout *x = r->x;
    if (d == x->rank) {
        if (to == r->me || elements == 0) return;
        if (!r->met[to]) r->out->each[AMOUNT_messages][r->me]++;
        r->met[to] = true;
        r->out->each[AMOUNT_elements][r->me] += elements;
        r->out->each[AMOUNT_bytes][r->me] += elements * r->size;
        return;
    }
    send_sides(r, side, sides, all, d + 1, left, elements * all[d], to);
    int pitch = 1;
    for (int g = x->grid_rank - 1; g > x->dim[d].grid_dim; g--) pitch *= x->extent[g];
    for (int k = 0; left > 0 && k < sides[d]; k++)
        send_sides(r, side, sides, all, d + 1, left - 1, elements * side[d][k].elements,
                   to + (int)(side[d][k].keeper - coordinate(x, r->me, d)) * pitch);
}

/* The sides along dimensions from .. behind - 1, at most `most` at once; planes: first dimensions that have one value.
 */
static void send_strips(const refreshing *r, int from, int behind, int most, int planes) {
    kept_side *side[MAX_RANK] = {NULL};
    int sides[MAX_RANK] = {0};
    int64_t all[MAX_RANK];
    for (int d = 0; d < r->x->rank; d++) {
        const bool before = precedes(r, d, behind - from == 1 ? from : -1);
        all[d] = d < planes ? 1 : owned_extent(r->x, r->me, d) + (before ? halo_of(r->x, r->me, d) : 0);
        if (d < from || d >= behind) continue;
        sides[d] = sides_along(r->x, r->me, d, NULL, 0);
        side[d] = calloc((size_t)sides[d] + 1, sizeof **side);
        if (side[d]) sides_along(r->x, r->me, d, side[d], sides[d]);
    }
    send_sides(r, side, sides, all, 0, most, 1, r->me);
    for (int d = 0; d < r->x->rank; d++) free(side[d]);
}

static void send_refresh(refreshing *r, int planes) {
    const int size = r->x->size;
    if (r->corners > 0 && !r->followed) {
        send_strips(r, 0, r->x->rank, r->corners, planes);
        return;
    }
    for (int d = 0; d < r->x->rank; d++) {
        if (r->followed) memset(r->met, 0, (size_t)size * sizeof *r->met);
        send_strips(r, d, d + 1, 1, planes);
    }
}

prediction predict_refresh(const program *p, const array *a, int planes) {
    prediction out = no_messages(p);
    layout x;
    const char *why = out.unknown ? NULL : find_layout(p, a, &x);
    if (a->placed.widens)
        why = arena_format(p->memory, "how wide the ghost cells of %s are is known at run time", a->symbol->name);
    else if (a->placed.deepens && p->time_tiling > 0)
        why = arena_format(p->memory, "time tiling makes the ghost cells of %s wider", a->symbol->name);
    if (!why && a->placed.halo_varies)
        why = arena_format(p->memory, "the ghost cells of %s are those of its arguments", a->symbol->name);
    if (why) return unpredictable(why);
    if (out.unknown) return out;
    refreshing r = {.x = &x, .size = element_bytes(a->element), .corners = a->placed.corners, .out = &out};
    r.followed = r.corners > 0 && !dpc_corners_at_once(x.rank, x.dim, x.halo);
    for (r.me = 0; r.me < out.procs && r.me < x.size; r.me++) {
        bool any = true;
        for (int d = 0; d < x.rank; d++) any = any && (owned_extent(&x, r.me, d) > 0 || x.beside[d]);
        r.met = calloc((size_t)x.size, sizeof *r.met);
        if (any && r.met) send_refresh(&r, planes);
        free(r.met);
    }
    return out;
}

/* ---- Redistributions */

static bool same_layout(const array *a, const mapping *x, const mapping *y) {
    return x->grid == y->grid && same_formats(a, x, y);
}

prediction predict_redistribution(const program *p, const array *a, const mapping *from, const mapping *to) {
    prediction unknown = no_messages(p);
    transfer t;
    if (unknown.unknown || same_layout(a, from, to)) return unknown;
    const char *why = open_redistribution(p, a, from, to, &t);
    return why ? unpredictable(why) : as_redistribution(p, count_transfer(&t));
}
