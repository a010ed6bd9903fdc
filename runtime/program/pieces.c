/* Moves whose messages, packing and use stand in the generated program as loops over closed forms: this file finds the
 * messages and keeps their buffers.  Lee and Chen, figure 1: receives are posted, messages packed and sent, then pieces
 * are used as they come, what this process holds itself first. */
#include "program.h"

#include <string.h>

/* A move along its route's axes: axis k runs along index axes.index[k] of the space. */
typedef struct {
    dpc_move public; /* the first member: one is the other */
    dpc_route *route;
    const char *where; /* the statement that it counts for */
    const dpc_space *space;
    char *source;   /* of the elements that this process owns */
    dpc_index size; /* bytes per element */
    dpc_type type;
    dpc_mail incoming, outgoing;
    dpc_index own; /* this process's number among the sender's and the receiver's partners, or -1 */
    dpc_message own_piece;
    const dpc_message *here; /* the piece that dpc_first_piece or dpc_next_piece has returned last */
    void *values;            /* positions: where the pieces are put together */
#if DPC_USES(dpc_open_or_fetch)
    dpc_transfer *fetched; /* what brings the values instead, in no pieces; or NULL */
#endif
} move;

/* ---- Opening */

/* Coordinate p of an end along an axis. */
static dpc_place place(const dpc_end *end, int axis, dpc_index p) {
    return (dpc_place){&end->dim[axis], &end->access[axis], end->single[axis], p};
}

static bool has_combs(const dpc_end *from, const dpc_end *to, int rank) {
    for (int k = 0; k < rank; k++) {
        const dpc_place a = place(from, k, 0), b = place(to, k, 0);
        if (!dpc_has_combs(&a, &b)) return false;
    }
    return true;
}

bool dpc_closed(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    dpc_end from, to;
    dpc_fetch_axes axes;
    dpc_fetch_ends(s, a, subscripts, true, &axes, &from, &to);
    return has_combs(&from, &to, axes.rank);
}

static const dpc_party *sender_of(const move *m) {
    return dpc_plan_sender(m->route->plan);
}

static const dpc_party *receiver_of(const move *m) {
    return dpc_plan_receiver(m->route->plan);
}

/* What lies side by side is sent from where it is, what was packed for an earlier partner from there. */
static bool is_packed(const move *m, dpc_index k) {
    const dpc_partner *partner = &sender_of(m)->partner[k];
    dpc_message *message = &m->outgoing.message[k];
    if (partner->place >= 0)
        message->data = m->source + partner->place * m->size;
    else if (partner->same < k)
        message->data = m->outgoing.message[partner->same].data;
    else
        return false;
    return true;
}

/* The messages that go alone, for the program to post; parts of an aggregate are only packed. */
DPC_STEADY static void describe(void *opened) {
    move *m = opened;
    const MPI_Datatype type = dpc_mpi_type(m->type);
    for (dpc_index k = 0; k < m->incoming.count; k++) {
        if (m->incoming.message[k].within > 0) continue;
        dpc_message_buffer(&m->incoming, k);
        dpc_describe_message(&m->incoming, k, type, m->size);
    }
    for (dpc_index k = 0; k < m->outgoing.count; k++) {
        dpc_message *message = &m->outgoing.message[k];
        if (message->within > 0) continue;
        message->packed = is_packed(m, k);
        if (!message->packed) dpc_message_buffer(&m->outgoing, k);
        dpc_describe_message(&m->outgoing, k, type, m->size);
        dpc_count_message_to(message->process, message->bytes);
    }
}

/* The time until dpc_first_piece counts, but for what it takes to open and to end others. */
DPC_STEADY dpc_move *dpc_open(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool positions) {
    move *m = dpc_raw_buffer(1, sizeof *m);
    m->public.tag = dpc_next_tag();
    m->where = dpc_counted_at(s->where);
    dpc_begin_counting(m->where, DPC_COUNT_messages);
    m->route = dpc_take_route(s, a, subscripts, positions ? DPC_MOVED_TO_POSITIONS : DPC_MOVED_HOME);
    dpc_keep_strips(m->route->plan);
    m->space = s;
    m->source = dpc_route_source(m->route, a);
    m->size = a->size;
    m->type = a->type;
#if DPC_USES(dpc_open_or_fetch)
    m->fetched = NULL;
#endif
    m->values = positions ? dpc_take_staging(m->route->elements, m->size) : NULL;
    const dpc_party *sender = sender_of(m), *receiver = receiver_of(m);
    m->own = receiver->partners > receiver->messages ? receiver->messages : -1;
    m->own_piece = (dpc_message){.process = dpc_rank(), .data = m->source};
    m->incoming = dpc_open_messages(receiver, m->size, m->public.tag, true);
    m->outgoing = dpc_open_messages(sender, m->size, m->public.tag, false);
    m->public.from = m->incoming.message;
    m->public.from_end = m->public.from + m->incoming.count;
    m->public.to = m->outgoing.message;
    m->public.to_end = m->public.to + m->outgoing.count;
    dpc_count_transfer(sender);
    if (!dpc_join(&m->incoming, &m->outgoing, m->size, true, describe, m)) describe(m);
    return &m->public;
}

#if DPC_USES(dpc_open_or_fetch)
DPC_STEADY dpc_move *dpc_open_or_fetch(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    if (dpc_closed(s, a, subscripts)) return dpc_open(s, a, subscripts, true);
    move *m = dpc_raw_buffer(1, sizeof *m);
    *m = (move){.fetched = dpc_fetch(s, a, subscripts)};
    return &m->public;
}
#endif

DPC_STEADY void *dpc_source(const dpc_move *opened) {
    return ((const move *)opened)->source;
}

/* ---- Pieces */

DPC_STEADY const void *dpc_next_piece(dpc_move *opened) {
    move *m = (move *)opened;
    dpc_begin_counting(m->where, DPC_COUNT_messages);
    const dpc_index piece = dpc_next_arrival(&m->incoming);
    if (piece < 0) dpc_wait_mail(&m->outgoing);
    dpc_end_counting();
    m->here = piece < 0 ? NULL : &m->incoming.message[piece];
    return piece < 0 ? NULL : m->here->data;
}

DPC_STEADY const void *dpc_first_piece(dpc_move *opened) {
    move *m = (move *)opened;
#if DPC_USES(dpc_open_or_fetch)
    if (m->fetched != NULL) return NULL;
#endif
    dpc_end_counting();
    if (m->own < 0) return dpc_next_piece(opened);
    m->here = &m->own_piece;
    return m->own_piece.data;
}

DPC_STEADY void dpc_close(dpc_move *opened) {
    move *m = (move *)opened;
#if DPC_USES(dpc_open_or_fetch)
    if (m->fetched != NULL) {
        dpc_release(m->fetched);
        dpc_free_buffer(m);
        return;
    }
#endif
    while (dpc_next_piece(opened) != NULL) continue;
    dpc_close_mail(&m->incoming);
    dpc_close_mail(&m->outgoing);
    dpc_give_route(m->route);
    dpc_give_staging(m->values);
    dpc_free_buffer(m);
}

/* ---- Strips */

static int axis_of(const move *m, int index) {
    int axis = 0;
    while (m->route->axes.index[axis] != index) axis++;
    return axis;
}

/* Address at the start of the strip, where it may not belong to the side, and the jump from run to run; `step`: per
 * iteration. */
static void find_addresses(const dpc_comb *r, const dpc_end *end, int axis, dpc_index step, dpc_index *at,
                           dpc_index *jump) {
    const dpc_place here = place(end, axis, end->coord[axis]);
    const dpc_index start = dpc_maximum(r->first, r->low), next = r->first + r->period;
    *at = dpc_address_at(&here, end->addressing, start) - (start - r->first) * step;
    *jump = next <= r->high ? dpc_address_at(&here, end->addressing, next) - *at : 0;
}

/* Elements of a message from one iteration along the axis to the next. */
static dpc_index scale_in_message(const dpc_party *p, dpc_index partner, int axis) {
    if (p->rank == 1) return 1;
    dpc_axis dense[DPC_MAX_RANK];
    dpc_dense_axes(p, partner, dense);
    return dense[axis].scale;
}

/* A partner's coordinate along an axis. */
static dpc_index coordinate_of(const dpc_party *p, dpc_index partner, int axis) {
    return p->sets[axis].partner[p->number[partner * p->rank + axis]].coordinate;
}

/* From iterations to index values. */
DPC_STEADY static void set_values(dpc_strip *p, const move *m, int axis) {
    const dpc_range *range = &m->space->range[m->route->axes.index[axis]];
    const dpc_comb *r = &p->walk.comb;
    p->first = range->lower + r->first * range->stride;
    p->reach = r->reach * range->stride;
    p->period = r->period * range->stride;
    p->low = range->lower + r->low * range->stride;
    p->high = range->lower + r->high * range->stride;
    p->step = range->stride;
}

/* Behind the values and home's local indices; home has the index. */
static void set_shift(dpc_strip *p, const move *m, int axis) {
    const int dim = m->space->home_dim[m->route->axes.index[axis]];
    const dpc_subscript u = dim < 0 ? (dpc_subscript){-1, 0, 0} : m->space->home_subscript[dim];
    p->shift = u.offset + u.stride * p->first - p->at;
    p->shift_jump = u.stride * p->period - p->jump;
}

/* The values lie in the array's own local part. */
static void set_source(dpc_strip *p, const move *m, int axis) {
    const dpc_index step = m->route->from.access[axis].stride, scale = m->route->from.scale[axis];
    find_addresses(&p->walk.comb, &m->route->from, axis, step, &p->from, &p->from_jump);
    p->from *= scale;
    p->from_jump *= scale;
    p->from_step = step * scale;
}

/* The values lie side by side in a message. */
static void set_message(dpc_strip *p, const move *m, int axis) {
    const dpc_comb *r = &p->walk.comb;
    const dpc_index scale = scale_in_message(receiver_of(m), p->partner, axis);
    p->from = (p->done - (dpc_maximum(r->first, r->low) - r->first)) * scale;
    p->from_jump = (r->reach + 1) * scale;
    p->from_step = scale;
}

static void set_target(dpc_strip *p, const move *m, int axis) {
    const dpc_index step = m->route->to.addressing == DPC_POSITION ? 1 : m->route->to.access[axis].stride;
    find_addresses(&p->walk.comb, &m->route->to, axis, step, &p->at, &p->jump);
}

static void complete(dpc_strip *p) {
    const move *m = (const move *)p->move;
    set_values(p, m, p->axis);
    if (p->stored)
        set_source(p, m, p->axis);
    else
        set_message(p, m, p->axis);
    if (!p->outgoing) set_target(p, m, p->axis);
    set_shift(p, m, p->axis);
    p->done += dpc_comb_size(&p->walk.comb);
}

/* The number of a message, or of the own piece, among the partners. */
static dpc_index number_of(const move *m, const dpc_message *message, bool outgoing) {
    if (outgoing) return message - m->outgoing.message;
    return message == &m->own_piece ? m->own : message - m->incoming.message;
}

DPC_STEADY dpc_index dpc_receiver(const dpc_move *opened, const dpc_message *to, int index) {
    const move *m = (const move *)opened;
    return coordinate_of(sender_of(m), number_of(m, to, true), axis_of(m, index));
}

DPC_STEADY dpc_index dpc_sender(const dpc_move *opened, int index) {
    const move *m = (const move *)opened;
    return coordinate_of(receiver_of(m), number_of(m, m->here, false), axis_of(m, index));
}

/* What a cached strip depends on besides its plan: the loops' run length, and which sides are taken as intervals. */
static dpc_index shape_of(const move *m, int axis, dpc_index length) {
    return 4 * (length + 1) + 2 * m->route->from.single[axis] + m->route->to.single[axis];
}

static void keep(dpc_cached_strip *cached, const dpc_strip *p, dpc_index shape) {
    *cached = (dpc_cached_strip){shape, p->walk.comb, p->at, p->jump, p->from, p->from_jump, p->from_step};
}

/* Such a strip has no next one: the rest of its walk is not asked for. */
static void restore(dpc_strip *p, const dpc_cached_strip *cached) {
    p->walk.comb = cached->comb;
    p->walk.cycle = 0;
    p->at = cached->at;
    p->jump = cached->jump;
    p->from = cached->from;
    p->from_jump = cached->from_jump;
    p->from_step = cached->from_step;
    set_values(p, (const move *)p->move, p->axis);
    set_shift(p, (const move *)p->move, p->axis);
}

/* Behind every range that the loops know. */
static const dpc_strip no_strip = {.first = INT64_MAX, .low = 1, .high = 0, .period = 1, .more = false};

/* The first strip shared with a partner on the other end: where it is the only one it is found once for a plan. */
DPC_STEADY static void first_strip(dpc_strip *p, const move *m, dpc_index partner, int axis, dpc_index length,
                                   bool outgoing) {
    const dpc_party *party = outgoing ? sender_of(m) : receiver_of(m);
    const dpc_index shape = shape_of(m, axis, length);
    dpc_cached_strip *cached = &party->strip[partner * party->rank + axis];
    p->more = true;
    p->move = &m->public;
    p->partner = partner;
    p->axis = axis;
    p->outgoing = outgoing;
    p->stored = outgoing || partner == m->own;
    if (cached->shape == shape) {
        restore(p, cached);
        return;
    }
    const dpc_end *mine = outgoing ? &m->route->from : &m->route->to,
                  *theirs = outgoing ? &m->route->to : &m->route->from;
    const dpc_place here = place(mine, axis, mine->coord[axis]);
    const dpc_place there = place(theirs, axis, coordinate_of(party, partner, axis));
    p->at = p->jump = p->done = 0;
    p->repeats = false;
    if (!dpc_first_comb(&p->walk, &here, &there, length)) {
        *p = (dpc_strip){.first = 1, .high = 0, .period = 1, .more = false};
        return;
    }
    complete(p);
    if (p->walk.cycle == 0) keep(cached, p, shape);
}

/* Of an axis that a move has not. */
static const dpc_strip one_value = {.period = 1, .step = 1, .from_step = 1, .more = true};

static dpc_strip outgoing_strip(const move *m, const dpc_message *to, int axis, dpc_index length) {
    dpc_strip p;
    if (to->packed)
        p = no_strip;
    else
        first_strip(&p, m, number_of(m, to, true), axis, length, true);
    return p;
}

DPC_STEADY dpc_strip dpc_outgoing_axis(const dpc_move *opened, const dpc_message *to, int axis, dpc_index length) {
    const move *m = (const move *)opened;
    const int outwards = m->route->axes.rank - 1 - axis;
    return outwards >= 0 ? outgoing_strip(m, to, outwards, length) : one_value;
}

DPC_STEADY dpc_strip dpc_outgoing_strip(const dpc_move *opened, const dpc_message *to, int index, dpc_index length) {
    const move *m = (const move *)opened;
    return outgoing_strip(m, to, axis_of(m, index), length);
}

DPC_STEADY dpc_strip dpc_piece_strip(const dpc_move *opened, int index, dpc_index length) {
    const move *m = (const move *)opened;
    dpc_strip p;
    first_strip(&p, m, number_of(m, m->here, false), axis_of(m, index), length, false);
    return p;
}

/* The second comb is the first one, one cycle of the greater side later. */
static bool is_next(const dpc_comb *a, const dpc_comb *b, dpc_index cycle) {
    return b->first - a->first == cycle && b->low - a->low == cycle && b->high - a->high == cycle &&
           a->reach == b->reach && a->period == b->period;
}

/* From a strip to the same one a cycle later: addresses grow by what they grew by the last time. */
static void repeat(dpc_strip *p) {
    const move *m = (const move *)p->move;
    const dpc_index moved = p->walk.cycle * m->space->range[m->route->axes.index[p->axis]].stride;
    p->first += moved;
    p->low += moved;
    p->high += moved;
    p->from += p->from_growth;
    p->at += p->at_growth;
    p->done += p->size;
    set_shift(p, m, p->axis);
}

DPC_STEADY void dpc_next_strip(dpc_strip *p) {
    const dpc_comb old = p->walk.comb;
    p->more = dpc_next_comb(&p->walk);
    if (!p->more) return;
    const bool same = p->walk.repeats && is_next(&old, &p->walk.comb, p->walk.cycle);
    if (same && p->repeats) {
        repeat(p);
        return;
    }
    const dpc_index from = p->from, at = p->at, done = p->done;
    complete(p);
    p->repeats = same;
    p->from_growth = p->from - from;
    p->at_growth = p->at - at;
    p->size = p->done - done;
}

/* ---- Pieces together, at positions */

/* What is put together from a piece, and the first strip of each axis, the outermost first. */
typedef struct {
    const dpc_strip *strip;
    const dpc_index *scale; /* elements from one position to the next */
    int last;               /* the innermost axis */
    dpc_index size;         /* bytes per element */
} collection;

static void collect_axis(const collection *c, int axis, char *to, const char *from);

/* A run along the innermost axis. */
static inline void collect_run(char *to, dpc_index to_step, const char *from, dpc_index from_step, dpc_index count,
                               dpc_index size) {
    for (; count > 0; count--, to += to_step, from += from_step) memcpy(to, from, (size_t)size);
}

/* Runs of one value: as far apart as the runs. */
static void collect_values(const collection *c, const dpc_strip *set, dpc_index scale, char *to, const char *from) {
    const dpc_index before = dpc_maximum(dpc_ceiling(set->low - set->first, set->period), 0);
    dpc_copy_run(to + (set->at + before * set->jump) * scale * c->size, set->jump * scale,
                 from + (set->from + before * set->from_jump) * c->size, set->from_jump,
                 (set->high - set->first) / set->period + 1 - before, c->size);
}

static void collect_strip(const collection *c, int axis, const dpc_strip *set, char *to, const char *from) {
    const dpc_index size = c->size, to_step = c->scale[axis] * size, from_step = set->from_step * size;
    if (set->high < set->first) return;
    if (axis == c->last && set->reach == 0 && set->period > 0) {
        collect_values(c, set, c->scale[axis], to, from);
        return;
    }
    for (dpc_index begin = set->first, base = set->from, at = set->at; begin <= set->high;
         begin += set->period, base += set->from_jump, at += set->jump) {
        const dpc_index first = dpc_maximum(begin, set->low), last = dpc_minimum(begin + set->reach, set->high);
        const dpc_index skipped = first > begin ? (first - begin) / set->step : 0;
        dpc_index count = set->step == 1 ? last - first + 1 : (last - first) / set->step + 1;
        char *target = to + (at + skipped) * to_step;
        const char *source = from + (base * size + skipped * from_step);
        if (axis < c->last)
            for (; count > 0; count--, target += to_step, source += from_step)
                collect_axis(c, axis + 1, target, source);
        else if (size == 8)
            collect_run(target, to_step, source, from_step, count, 8);
        else if (size == 4)
            collect_run(target, to_step, source, from_step, count, 4);
        else
            dpc_copy_run(target, c->scale[axis], source, set->from_step, count, size);
    }
}

/* All strips of an axis. */
static void collect_axis(const collection *c, int axis, char *to, const char *from) {
    const dpc_strip *first = &c->strip[axis];
    if (!first->more) return;
    collect_strip(c, axis, first, to, from);
    if (first->walk.cycle == 0) return;
    dpc_strip next = *first;
    for (dpc_next_strip(&next); next.more; dpc_next_strip(&next)) collect_strip(c, axis, &next, to, from);
}

/* Axes in the order of their indices: as the values stand by position. */
static void collect_piece(dpc_move *opened, const void *values) {
    const move *m = (const move *)opened;
    const int rank = m->route->axes.rank;
    dpc_strip strip[DPC_MAX_RANK];
    dpc_index scale[DPC_MAX_RANK];
    int axes = 0;
    for (int index = 0; index < m->space->rank; index++)
        for (int axis = 0; axis < rank; axis++) {
            if (m->route->axes.index[axis] != index) continue;
            scale[axes] = m->route->to.scale[axis];
            strip[axes++] = dpc_piece_strip(opened, index, 0);
        }
    const collection c = {strip, scale, rank - 1, m->size};
    if (rank == 0)
        memcpy(m->values, values, (size_t)m->size);
    else
        collect_axis(&c, 0, m->values, values);
}

const void *dpc_collect(dpc_move *opened) {
    const move *m = (const move *)opened;
#if DPC_USES(dpc_open_or_fetch)
    if (m->fetched != NULL) return dpc_arrive(m->fetched);
#endif
    DPC_PIECES(values, char, opened) collect_piece(opened, values);
    return m->values;
}
