/* Moves: Lee and Chen, figure 1.  Who shares iterations with whom is asked of every pair, O(1) each (sheet, section 5);
 * messages have the values of a pair's iterations in ascending order. */
#include "line.h"

/* How many iterations this process's side shares with the partner's. */
static dpc_index shared(const dpc_side *mine, const dpc_side *theirs, dpc_index partner) {
    dpc_comb_walk w;
    if (!dpc_meet_forms(&w, dpc_form_of(mine, dpc_rank()), dpc_form_of(theirs, partner), 0)) return 0;
    dpc_index elements = dpc_comb_size(&w.comb);
#if DPC_USES(DPC_STRIPS)
    while (dpc_next_comb(&w)) elements += dpc_comb_size(&w.comb);
#endif
    return elements;
}

/* What lies side by side is sent from where it is. */
static bool is_in_place(const dpc_move *m, dpc_message *to) {
    const dpc_strip p = dpc_outgoing_strip(m, to, 0, 0);
    const dpc_strip_run r = dpc_run_of_strip(&p, p.first, p.from, p.shift);
    if (p.from_step != 1 || (r.last - r.first) / p.step + 1 != to->count) return false;
    to->data = (char *)dpc_source(m) + r.from * m->source.array->size;
    return true;
}

/* One for each other process that shares iterations with this one; returns the end. */
static dpc_message *find_messages(dpc_move *m, dpc_message *x, MPI_Request *request, bool outgoing) {
    const dpc_side *source = &m->source, *home = &m->space->home;
    const dpc_side *mine = outgoing ? source : home, *theirs = outgoing ? home : source;
    const dpc_index procs = theirs->array->procs;
    for (dpc_index n = 1; n <= procs && dpc_rank() < mine->array->procs; n++) {
        const dpc_index partner = (dpc_rank() + n) % procs, elements = shared(mine, theirs, partner);
        if (elements > 0 && partner == dpc_rank())
            m->own = (dpc_message){.process = (int)partner, .data = dpc_source(m)};
        if (elements == 0 || partner == dpc_rank()) continue;
        if (elements > INT_MAX)
            dpc_fail(m->space->where, "array '%s': %lld elements in one message are more than MPI counts",
                     source->array->name, (long long)elements);
        *request = MPI_REQUEST_NULL;
        *x = (dpc_message){.process = (int)partner, .count = (int)elements, .request = request++};
        x->type = dpc_mpi_type(source->array->type);
        x->packed = outgoing && is_in_place(m, x);
        if (!x->packed) x->data = x->buffer = dpc_buffer(elements, source->array->size);
        x++;
    }
    return x;
}

dpc_move *dpc_open(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts, bool positions) {
    static int tag;
    const dpc_index most = dpc_maximum(a->procs, s->home.array->procs);
    dpc_move *m = dpc_buffer(1, sizeof *m);
    m->tag = tag = (tag + 1) % 32000;
    m->space = s;
    m->source = dpc_side_of(s, a, subscripts);
#if DPC_USES(dpc_collect)
    m->positions = positions;
#else
    (void)positions;
#endif
    m->received = dpc_buffer(2 * most, sizeof *m->received);
    m->sent = m->received + most;
    m->from = dpc_buffer(2 * most, sizeof *m->from);
    m->from_end = find_messages(m, m->from, m->received, false);
    m->to = m->from + most;
    m->to_end = find_messages(m, m->to, m->sent, true);
    return m;
}

const void *dpc_first_piece(dpc_move *m) {
    m->piece = &m->own;
    return m->own.data != NULL ? m->own.data : dpc_next_piece(m);
}

const void *dpc_next_piece(dpc_move *m) {
    int piece = MPI_UNDEFINED;
    MPI_Waitany((int)(m->from_end - m->from), m->received, &piece, MPI_STATUS_IGNORE);
    m->piece = piece != MPI_UNDEFINED ? &m->from[piece] : NULL;
    if (m->piece != NULL) return m->piece->data;
    DPC_SENDS(to, m) MPI_Wait(to->request, MPI_STATUS_IGNORE);
    return NULL;
}

void dpc_close(dpc_move *m) {
    while (dpc_next_piece(m) != NULL) continue;
    DPC_RECEIVES(x, m) free(x->buffer);
    DPC_SENDS(x, m) free(x->buffer);
    free(m->from);
    free(m->received);
#if DPC_USES(dpc_collect)
    free(m->values);
#endif
    free(m);
}

/* ---- Strips */

/* The comb, where so many values of the message come before it. */
static dpc_strip strip_of(const dpc_move *m, const dpc_comb *c, bool stored, dpc_index before) {
    dpc_strip p = dpc_strip_of(m->space, c);
    p.from += before;
    if (stored) {
        dpc_find_places(&m->source, c, &p.from, &p.from_jump);
        p.from_step = m->source.stride;
    }
#if DPC_USES(dpc_collect)
    if (m->positions) {
        const dpc_strip *own = &m->space->own;
        p.at = (p.at - own->at) / m->space->home.stride + own->from;
        p.jump /= m->space->home.stride;
    }
#endif
    return p;
}

dpc_strip dpc_find_strip(const dpc_move *m, const dpc_message *x, bool outgoing, dpc_index length) {
    const dpc_side *source = &m->source, *home = &m->space->home;
    const bool stored = outgoing || x == &m->own;
    dpc_strip p = {.first = 1, .low = 1, .period = 1};
    const dpc_form mine = dpc_form_of(outgoing ? source : home, dpc_rank());
    dpc_comb_walk w;
    if (x->packed || !dpc_meet_forms(&w, mine, dpc_form_of(outgoing ? home : source, x->process), length)) return p;
    p = strip_of(m, &w.comb, stored, 0);
#if DPC_USES(DPC_STRIPS)
    p.more = true;
    p.move = m;
    p.stored = stored;
    p.done = dpc_comb_size(&w.comb);
    p.walk = w;
#endif
    return p;
}

#if DPC_USES(DPC_STRIPS)
void dpc_next_strip(dpc_strip *p) {
    const dpc_strip old = *p;
    dpc_comb_walk w = p->walk;
    p->more = dpc_next_comb(&w);
    if (!p->more) return;
    *p = strip_of(old.move, &w.comb, old.stored, old.done);
    p->more = true;
    p->move = old.move;
    p->stored = old.stored;
    p->done = old.done + dpc_comb_size(&w.comb);
    p->walk = w;
}
#endif

/* ---- Pieces together, at positions */

static void collect_piece(const dpc_move *m, const char *values) {
    const size_t size = (size_t)m->source.array->size;
    DPC_STRIPS(set, dpc_piece_strip(m, 0, 0)) DPC_STRIP_RUNS(run, set) {
        dpc_index at = set.at + (run.begin - set.first) / set.period * set.jump + (run.first - run.begin) / set.step;
        for (dpc_index i = run.first, from = run.from; i <= run.last; i += set.step, from += set.from_step)
            memcpy((char *)m->values + (size_t)at++ * size, values + from * (dpc_index)size, size);
    }
}

const void *dpc_collect(dpc_move *m) {
    m->values = dpc_buffer(m->space->mine, m->source.array->size);
    DPC_PIECES(values, char, m) collect_piece(m, values);
    return m->values;
}
