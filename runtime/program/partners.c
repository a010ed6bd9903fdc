/* Partners: the processes of the other end of a transfer that this process shares elements with, and what it shares. */
#include "program.h"

/* ---- Partners */

/* The coordinates of one grid dimension of the other end that take part: those of a set's partners. */
typedef struct {
    const dpc_sets *sets;
    dpc_sets restricted;    /* of a grid dimension without axis: it is opened for the choice alone */
    dpc_index first, count; /* of the set's partners */
} choice;

static void need_memory(bool enough) {
    if (!enough) dpc_fail(NULL, "out of memory for communication sets");
}

#if DPC_HAS_EXCHANGES
static dpc_side side_of(const dpc_end *end, int axis) {
    return (dpc_side){end->dim[axis], end->access[axis], end->addressing};
}

static void make_sets(dpc_sets *sets, const dpc_end *mine, const dpc_end *theirs, int axis) {
    const dpc_side my_side = side_of(mine, axis), their_side = side_of(theirs, axis);
    need_memory(dpc_sets_make(sets, mine->method, &my_side, mine->coord[axis], &their_side, -1));
}

/* The coordinates of an end along a dimension of its grid that own an element of what is accessed. */
static void find_owners(dpc_sets *sets, const dpc_end *end, int g) {
    const dpc_index count = end->other_access[g].count;
    const dpc_side all = {dpc_whole_dim(count), {0, 1, count}, DPC_POSITION};
    const dpc_side side = {end->other_dim[g], end->other_access[g], DPC_LOCAL_INDEX};
    need_memory(dpc_sets_make(sets, DPC_SETS_AUTO, &all, 0, &side, -1));
}
#else
static dpc_place place_of(const dpc_end *end, int axis) {
    return (dpc_place){&end->dim[axis], &end->access[axis], end->single[axis], end->coord[axis]};
}

static void make_sets(dpc_sets *sets, const dpc_end *mine, const dpc_end *theirs, int axis) {
    const dpc_place here = place_of(mine, axis), there = place_of(theirs, axis);
    need_memory(dpc_sets_of_combs(sets, &here, mine->addressing, &there));
}

static void find_owners(dpc_sets *sets, const dpc_end *end, int g) {
    need_memory(dpc_sets_of_owners(sets, &end->other_dim[g], &end->other_access[g]));
}
#endif

#if DPC_HAS_COPIES
/* This process's own coordinate alone, where each deals with its own copy. */
static void choose_own(choice *c, dpc_index coordinate) {
    const dpc_shared *own = dpc_sets_partner(c->sets, coordinate);
    c->first = own == NULL ? 0 : own - c->sets->partner;
    c->count = own != NULL;
}
#else
#define choose_own(choice, coordinate) DPC_LEFT_OUT
#endif

/* The coordinates along grid dimension g of `other` that share elements with this process; where no axis runs along
 * it, those that own an element. */
static void choose_sets(choice *c, const dpc_party *mine, const dpc_end *other, int g) {
    const int axis = other->axis_of[g];
    if (axis >= 0) {
        c->sets = &mine->sets[axis];
        return;
    }
    find_owners(&c->restricted, other, g);
    c->sets = &c->restricted;
}

static void choose(choice *c, const dpc_party *mine, const dpc_end *other, int g) {
    choose_sets(c, mine, other, g);
    c->count = c->sets->partners;
    if (other->alike[g]) choose_own(c, other->grid->coord[g]);
}

/* The other end does not divide this axis: everything of mine is shared. */
static bool undivided(const dpc_end *other, int axis) {
    return other->grid == NULL || other->dim[axis].grid_dim < 0;
}

static void make_room(dpc_party *mine, dpc_index partners) {
    mine->partners = partners;
    mine->partner = dpc_buffer(partners, sizeof *mine->partner);
    mine->number = dpc_buffer(partners * mine->rank, sizeof *mine->number);
}

/* Partner number `number` in row-major order of the choices.  Partners that differ only along grid dimensions without
 * an axis share the same elements with this process: `same` is the first of them. */
static void set_partner(dpc_party *mine, const dpc_end *other, const choice *choices, dpc_index number) {
    dpc_index at[DPC_MAX_RANK], coordinates[DPC_MAX_RANK] = {0}, rest = number, same = 0;
    for (int g = other->grid->rank - 1; g >= 0; g--) {
        at[g] = choices[g].first + rest % choices[g].count;
        rest /= choices[g].count;
        coordinates[g] = choices[g].sets->partner[at[g]].coordinate;
    }
    for (int g = 0; g < other->grid->rank; g++)
        same = same * choices[g].count + (other->axis_of[g] < 0 ? 0 : at[g] - choices[g].first);
    mine->partner[number] = (dpc_partner){.process = dpc_grid_process(other->grid, coordinates), .same = same};
    for (int k = 0; k < mine->rank; k++)
        mine->number[number * mine->rank + k] = undivided(other, k) ? 0 : at[other->dim[k].grid_dim];
}

/* Every combination of the chosen coordinates is a partner. */
static void combine(dpc_party *mine, const dpc_end *other, const choice *choices) {
    dpc_index total = 1;
    for (int g = 0; g < other->grid->rank; g++) total *= choices[g].count;
    make_room(mine, total);
    for (dpc_index number = 0; number < total; number++) set_partner(mine, other, choices, number);
}

static void find_partners(dpc_party *mine, const dpc_end *other) {
    choice choices[DPC_MAX_RANK] = {0};
    for (int k = 0; k < mine->rank; k++)
        if (mine->sets[k].partners == 0) return;
    if (other->grid == NULL) {
        make_room(mine, dpc_nprocs());
        for (int p = 0; p < dpc_nprocs(); p++) mine->partner[p].process = p;
        return;
    }
    for (int g = 0; g < other->grid->rank; g++) choose(&choices[g], mine, other, g);
    combine(mine, other, choices);
    for (int g = 0; g < other->grid->rank; g++) dpc_sets_free(&choices[g].restricted);
}

/* The number of the partner that is this process, or -1. */
static dpc_index own_partner(const dpc_party *p) {
    for (dpc_index k = 0; k < p->partners; k++)
        if (p->partner[k].process == dpc_rank()) return k;
    return -1;
}

/* Puts the partners into the order of messages: each process begins with those after itself, and comes last. */
static void order_partners(dpc_party *p) {
    const dpc_index own = own_partner(p), total = p->partners;
    p->messages = total - (own >= 0);
    if (total == 0) return;
    const dpc_party old = *p;
    dpc_index *first = dpc_raw_buffer(total, sizeof *first);
    make_room(p, total);
    for (dpc_index k = 0; k < total; k++) first[k] = -1;
    for (dpc_index n = 0; n < total; n++) {
        const dpc_index k = (own + 1 + n) % total, same = old.partner[k].same;
        if (first[same] < 0) first[same] = n;
        p->partner[n] = (dpc_partner){.process = old.partner[k].process, .same = first[same]};
        for (int axis = 0; axis < p->rank; axis++) p->number[n * p->rank + axis] = old.number[k * p->rank + axis];
    }
    dpc_free_buffer(first);
    dpc_free_buffer(old.partner);
    dpc_free_buffer(old.number);
}

/* What axis k shares with a partner. */
static const dpc_shared *shared_with(const dpc_party *p, dpc_index partner, int k) {
    return &p->sets[k].partner[p->number[partner * p->rank + k]];
}

#if DPC_HAS_EXCHANGES
/* Where it lies side by side what is shared with a partner, or -1. */
static dpc_index place_of_shared(const dpc_party *p, dpc_index partner, const dpc_axis *dense) {
    dpc_axis axes[DPC_MAX_RANK];
    dpc_storage_axes(p, partner, axes);
    return dpc_contiguous_product(p->rank, dense, axes);
}
#else
/* Each axis has what lies side by side as a section, if it does. */
static dpc_index place_of_shared(const dpc_party *p, dpc_index partner, const dpc_axis *dense) {
    dpc_index place = 0;
    for (int k = 0; k < p->rank; k++) {
        const dpc_shared *shared = shared_with(p, partner, k);
        if (shared->tail == shared->head || (shared->elements > 1 && p->scale[k] != dense[k].scale)) return -1;
        place += p->sets[k].section[shared->head].local * p->scale[k];
    }
    return place;
}
#endif

/* Counts what is shared with each partner and finds out whether it lies side by side. */
static void measure_partners(dpc_party *p) {
    dpc_axis dense[DPC_MAX_RANK];
    for (dpc_index n = 0; n < p->partners; n++) {
        dpc_partner *partner = &p->partner[n];
        if (partner->same < n) {
            partner->elements = p->partner[partner->same].elements;
            partner->place = p->partner[partner->same].place;
            continue;
        }
        partner->elements = dpc_dense_axes(p, n, dense);
        partner->place = place_of_shared(p, n, dense);
    }
}

dpc_party dpc_open_party(int rank, const dpc_end *mine, const dpc_end *other) {
    dpc_party p = {.rank = rank};
    if (!mine->active || !mine->possible || !other->possible) return p;
    for (int k = 0; k < rank; k++) {
        p.scale[k] = mine->scale[k];
        make_sets(&p.sets[k], mine, other, k);
    }
    find_partners(&p, other);
    order_partners(&p);
    measure_partners(&p);
    return p;
}

void dpc_close_party(dpc_party *p) {
    for (int k = 0; k < p->rank; k++) dpc_sets_free(&p->sets[k]);
    dpc_free_buffer(p->number);
    dpc_free_buffer(p->partner);
    dpc_free_buffer(p->strip);
}

dpc_index dpc_party_bytes(const dpc_party *p) {
    dpc_index bytes = p->partners * (dpc_index)(sizeof *p->partner + (size_t)p->rank * sizeof *p->number);
    for (int k = 0; k < p->rank; k++) bytes += dpc_sets_bytes(&p->sets[k]);
    return bytes;
}

dpc_index dpc_shared_interval(const dpc_party *p, dpc_index partner, int axis, dpc_index *first) {
    const dpc_shared *shared = shared_with(p, partner, axis);
    const dpc_section *run = &p->sets[axis].section[shared->head];
    *first = run->local;
    return shared->elements <= run->length ? shared->elements : 0;
}

DPC_STEADY void dpc_storage_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes) {
    for (int k = 0; k < p->rank; k++) axes[k] = (dpc_axis){&p->sets[k], shared_with(p, partner, k), 0, p->scale[k]};
}

DPC_STEADY dpc_index dpc_dense_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes) {
    dpc_index elements = 1;
    for (int k = p->rank - 1; k >= 0; k--) {
        const dpc_index length = shared_with(p, partner, k)->elements;
        axes[k] = (dpc_axis){NULL, NULL, length, elements};
        elements *= length;
    }
    return elements;
}

#ifndef DPC_STANDALONE
/* ---- Counting */

static dpc_index party_sections(const dpc_party *p, dpc_index partner) {
    dpc_index sections = 1;
    for (int k = 0; k < p->rank; k++) {
        const dpc_shared *w = shared_with(p, partner, k);
        sections *= w->tail - w->head;
    }
    return sections;
}

/* The runs of one axis: each section's, as often as the section repeats. */
static dpc_index runs_of(const dpc_sets *sets, const dpc_shared *w) {
    dpc_index runs = 0;
    for (dpc_index k = w->head; k < w->tail; k++) {
        const dpc_section *s = &sets->section[k];
        const dpc_index room = w->end - 1 - s->first;
        if (room < 0) continue;
        const dpc_index turns = k < w->body ? 1 : room / sets->period + 1;
        const dpc_index left = room - (turns - 1) * sets->period; /* iterations of the last, cut turn */
        runs += (turns - 1) * (s->span / s->step + 1) + (left < s->span ? left : s->span) / s->step + 1;
    }
    return runs;
}

static dpc_index party_runs(const dpc_party *p, dpc_index partner) {
    dpc_index runs = 1;
    for (int k = 0; k < p->rank; k++) runs *= runs_of(&p->sets[k], shared_with(p, partner, k));
    return runs;
}

void dpc_note_transfer(const dpc_party *sender) {
    for (dpc_index m = 0; m < sender->messages; m++) {
        const dpc_partner *partner = &sender->partner[m];
        dpc_note(DPC_COUNT_elements, partner->elements);
        if (partner->place >= 0 || partner->same < m) continue; /* not packed */
        dpc_note(DPC_COUNT_sections, party_sections(sender, m));
        dpc_note(DPC_COUNT_runs, party_runs(sender, m));
    }
    if (sender->messages < sender->partners) dpc_note(DPC_COUNT_copied, sender->partner[sender->messages].elements);
}

#endif
