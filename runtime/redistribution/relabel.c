/* Relabelling the target's processes: who takes which place is free where the program says so, and the elements that a
 * process keeps need no message.  The places are assigned so that the most elements stay: a maximum-weight assignment
 * over the volumes per pair.  Sources: Kalns and Ni, Processor mapping techniques toward efficient data redistribution
 * (TPDS 6(12), 1995); Kabic, Pintarelli, Kozhevnikov and VandeVondele, COSTA (2021); the assignment: Kuhn's Hungarian
 * method by shortest augmenting paths with potentials (Jonker and Volgenant 1987). */
#include "relabel.h"

#include <string.h>

enum { MOST_EXACT = 512, MOST_GREEDY = 4096 };

/* ---- Volume of a pair in one dimension (docs/redistribution-algorithms.md, 3.3, with sections) */

/* Block lengths and periods of both sides in wide integers: their products may pass 64 bits. */
typedef __int128 wide;

/* A family: elements low .. low+length-1 and again every period, cut to 0 .. extent-1. */
static dpc_index count_family(wide low, dpc_index length, wide period, dpc_index extent) {
    const wide start = (low % period + period) % period; /* the first that begins inside */
    dpc_index count = 0;
    if (start - period + length > 0)
        count += (dpc_index)(start - period + length < extent ? start - period + length : extent);
    if (start >= extent) return count;
    const wide whole = start + length > extent ? 0 : (extent - start - length) / period + 1;
    const wide rest = extent - (start + whole * period);
    count += (dpc_index)(whole * length);
    if (rest > 0) count += (dpc_index)(rest < length ? rest : length);
    return count;
}

/* The inverse of a modulo m, gcd(a, m) = 1; 0 where m = 1. */
static dpc_index inverse(dpc_index a, dpc_index m) {
    dpc_index x = 1, next = 0, r = m == 1 ? 0 : a % m, rest = m;
    if (m == 1) return 0;
    while (rest != 0) {
        const dpc_index quotient = r / rest, r_next = r - quotient * rest, x_next = x - quotient * next;
        r = rest, rest = r_next;
        x = next, next = x_next;
    }
    return dpc_modulo(x, m);
}

/* A dimension that is not divided is one block. */
static dpc_line whole_blocks(const dpc_line *l) {
    dpc_line x = *l;
    const dpc_index whole = dpc_maximum(l->first + l->extent, 1);
    if (x.procs == 1 || x.block > whole) x.block = whole;
    return x;
}

/* Elements 0 .. end-1 of the section that coordinate p has. */
static dpc_index count_before(const dpc_line *l, dpc_index p, dpc_index end) {
    const dpc_dim d = dpc_dealt_dim(0, l->first + end, l->block, l->procs, 0, 0);
    const dpc_dim before = dpc_dealt_dim(0, l->first, l->block, l->procs, 0, 0);
    return dpc_local_extent(&d, p) - dpc_local_extent(&before, p);
}

/* Counts block by block of coordinate p. */
static dpc_index count_by_blocks(const dpc_line *mine, dpc_index p, const dpc_line *theirs, dpc_index q) {
    dpc_index count = 0;
    for (dpc_index start = p * mine->block - mine->first; start < mine->extent; start += mine->block * mine->procs) {
        const dpc_index low = dpc_maximum(start, 0), high = dpc_minimum(start + mine->block, mine->extent);
        if (low < high) count += count_before(theirs, q, high) - count_before(theirs, q, low);
    }
    return count;
}

/* Counts by families: one for every offset e, block of p less block of q, at which two blocks meet. */
static dpc_index count_by_families(const dpc_line *a, dpc_index p, const dpc_line *b, dpc_index q) {
    const dpc_index a_cycle = a->block * a->procs, b_cycle = b->block * b->procs,
                    g = dpc_common_divisor(a_cycle, b_cycle);
    const dpc_index a_start = p * a->block - a->first, b_start = q * b->block - b->first, turns = b_cycle / g;
    const dpc_index back = inverse(a_cycle / g, turns), least = 1 - a->block;
    const wide period = (wide)a_cycle * turns;
    dpc_index count = 0;
    for (dpc_index e = least + dpc_modulo(a_start - b_start - least, g); e < b->block; e += g) {
        const dpc_index turn = (dpc_index)((wide)dpc_modulo((e - (a_start - b_start)) / g, turns) * back % turns);
        const wide start = a_start + (wide)turn * a_cycle;
        const dpc_index length = dpc_minimum(b->block, a->block + e) - dpc_maximum(0, e);
        count += count_family(e >= 0 ? start : start - e, length, period, a->extent);
    }
    return count;
}

static dpc_index blocks_of(const dpc_line *l) {
    return (l->first + l->extent) / (l->block * l->procs) + 1;
}

dpc_index dpc_shared_elements(const dpc_line *from, dpc_index p, const dpc_line *to, dpc_index q) {
    const dpc_line a = whole_blocks(from), b = whole_blocks(to);
    const dpc_index families = (a.block + b.block) / dpc_common_divisor(a.block * a.procs, b.block * b.procs) + 1;
    const dpc_index a_blocks = blocks_of(&a), b_blocks = blocks_of(&b);
    if (a_blocks <= families && a_blocks <= b_blocks) return count_by_blocks(&a, p, &b, q);
    if (b_blocks <= families) return count_by_blocks(&b, q, &a, p);
    return count_by_families(&a, p, &b, q);
}

/* ---- Volumes of all pairs */

/* Per dimension, source and target coordinate: elements that they share. */
typedef struct {
    int rank;
    dpc_index from_procs[DPC_MAX_RANK], to_procs[DPC_MAX_RANK];
    dpc_index *shared[DPC_MAX_RANK];
} volumes;

static volumes open_volumes(const dpc_mapping *from, const dpc_mapping *to) {
    volumes v = {.rank = from->rank};
    for (int k = 0; k < v.rank; k++) {
        const dpc_line a = dpc_line_of(from, k), b = dpc_line_of(to, k);
        v.from_procs[k] = a.procs, v.to_procs[k] = b.procs;
        v.shared[k] = dpc_buffer(a.procs * b.procs, sizeof *v.shared[k]);
        for (dpc_index p = 0; p < a.procs; p++)
            for (dpc_index q = 0; q < b.procs; q++) v.shared[k][p * b.procs + q] = dpc_shared_elements(&a, p, &b, q);
    }
    return v;
}

static void close_volumes(volumes *v) {
    for (int k = 0; k < v->rank; k++) dpc_free_buffer(v->shared[k]);
}

/* A walk over the target places that share with a source place (fact F1: volumes are products). */
typedef struct {
    const volumes *v;
    dpc_index at[DPC_MAX_RANK]; /* the source's coordinates */
    void (*visit)(void *to, dpc_index place, dpc_index elements);
    void *to;
} sharing;

static void visit_from(const sharing *s, int k, dpc_index place, dpc_index elements) {
    if (k == s->v->rank) {
        s->visit(s->to, place, elements);
        return;
    }
    const dpc_index procs = s->v->to_procs[k], *shared = s->v->shared[k] + s->at[k] * procs;
    for (dpc_index q = 0; q < procs; q++)
        if (shared[q] > 0) visit_from(s, k + 1, place * procs + q, elements * shared[q]);
}

static void visit_shares(const volumes *v, dpc_index place, void (*visit)(void *, dpc_index, dpc_index), void *to) {
    sharing s = {.v = v, .visit = visit, .to = to};
    for (int k = v->rank - 1; k >= 0; k--) {
        s.at[k] = place % v->from_procs[k];
        place /= v->from_procs[k];
    }
    visit_from(&s, 0, 0, 1);
}

/* ---- The problem: rows are the target's processes as the program has them, columns the target's places. */

typedef struct {
    dpc_index places;  /* of the target */
    dpc_index *row_of; /* per place of the source: the row of its process, -1: it is not in the target */
    dpc_index *column; /* the result, per row */
} assignment;

static int process_at(const dpc_mapping *m, dpc_index place) {
    return m->process ? m->process[place] : (int)place;
}

static assignment open_assignment(const dpc_mapping *from, const dpc_mapping *to) {
    const dpc_index from_places = dpc_mapped_places(from), places = dpc_mapped_places(to);
    assignment x = {.places = places,
                    .row_of = dpc_buffer(from_places, sizeof *x.row_of),
                    .column = dpc_buffer(places, sizeof *x.column)};
    int last = 0;
    for (dpc_index q = 0; q < places; q++) last = process_at(to, q) > last ? process_at(to, q) : last;
    dpc_index *row = dpc_buffer((dpc_index)last + 1, sizeof *row);
    for (dpc_index q = 0; q < places; q++) row[process_at(to, q)] = q + 1;
    for (dpc_index p = 0; p < from_places; p++)
        x.row_of[p] = process_at(from, p) > last ? -1 : row[process_at(from, p)] - 1;
    for (dpc_index q = 0; q < places; q++) x.column[q] = q;
    dpc_free_buffer(row);
    return x;
}

static void close_assignment(assignment *x) {
    dpc_free_buffer(x->row_of), dpc_free_buffer(x->column);
}

/* ---- Exact */

/* Weights, places x places; a row is filled in at a time. */
static void enter_weight(void *to, dpc_index place, dpc_index elements) {
    ((dpc_index *)to)[place] = elements;
}

/* The matching grows by one row at a time.  All arrays are 1-based, 0 stands for none; costs are -weight. */
typedef struct {
    dpc_index n;
    const dpc_index *weight;
    dpc_index *row_price, *column_price, *row_at, *previous, *slack;
    bool *done;
} matching;

static dpc_index reduced_cost(const matching *m, dpc_index row, dpc_index column) {
    return -m->weight[(row - 1) * m->n + column - 1] - m->row_price[row] - m->column_price[column];
}

/* The column outside the tree that is nearest to it, after `column` has joined. */
static dpc_index nearest_column(matching *m, dpc_index column) {
    const dpc_index row = m->row_at[column];
    dpc_index nearest = 0;
    m->done[column] = true;
    for (dpc_index k = 1; k <= m->n; k++) {
        if (m->done[k]) continue;
        const dpc_index cost = reduced_cost(m, row, k);
        if (cost < m->slack[k]) m->slack[k] = cost, m->previous[k] = column;
        if (nearest == 0 || m->slack[k] < m->slack[nearest]) nearest = k;
    }
    return nearest;
}

static void change_prices(matching *m, dpc_index amount) {
    for (dpc_index k = 0; k <= m->n; k++) {
        if (m->done[k])
            m->row_price[m->row_at[k]] += amount, m->column_price[k] -= amount;
        else
            m->slack[k] -= amount;
    }
}

static void match_row(matching *m, dpc_index start) {
    dpc_index column = 0;
    for (dpc_index k = 0; k <= m->n; k++) m->slack[k] = INT64_MAX / 2, m->done[k] = false;
    m->row_at[0] = start;
    do {
        column = nearest_column(m, column);
        change_prices(m, m->slack[column]);
    } while (m->row_at[column] != 0);
    for (; column != 0; column = m->previous[column]) m->row_at[column] = m->row_at[m->previous[column]];
}

static void match_all(assignment *x, const dpc_index *weight) {
    const dpc_index room = x->places + 1;
    dpc_index *memory = dpc_buffer(5 * room, sizeof *memory);
    matching m = {.n = x->places,
                  .weight = weight,
                  .row_price = memory,
                  .column_price = memory + room,
                  .row_at = memory + 2 * room,
                  .previous = memory + 3 * room,
                  .slack = memory + 4 * room,
                  .done = dpc_buffer(room, sizeof *m.done)};
    for (dpc_index row = 1; row <= m.n; row++) match_row(&m, row);
    for (dpc_index k = 1; k <= m.n; k++) x->column[m.row_at[k] - 1] = k - 1;
    dpc_free_buffer(m.done), dpc_free_buffer(memory);
}

/* A process that would keep as much elsewhere stays where it is: its own place weighs a little more. */
static void prefer_own_places(dpc_index *weight, dpc_index n) {
    for (dpc_index k = 0; k < n * n; k++) weight[k] *= n + 1;
    for (dpc_index k = 0; k < n; k++) weight[k * n + k]++;
}

static void assign_exactly(assignment *x, const volumes *v, dpc_index from_places) {
    dpc_index *weight = dpc_buffer(x->places * x->places, sizeof *weight);
    for (dpc_index p = 0; p < from_places; p++)
        if (x->row_of[p] >= 0) visit_shares(v, p, enter_weight, weight + x->row_of[p] * x->places);
    prefer_own_places(weight, x->places);
    match_all(x, weight);
    dpc_free_buffer(weight);
}

/* ---- Greedy: the pairs in descending order of what they share, of equal ones the process's own place first. */

typedef struct {
    dpc_index elements, row, place;
} pair;

typedef struct {
    pair *pair; /* NULL: they are counted only */
    dpc_index count, row;
} pair_list;

static void enter_pair(void *to, dpc_index place, dpc_index elements) {
    pair_list *l = to;
    if (l->pair) l->pair[l->count] = (pair){elements, l->row, place};
    l->count++;
}

static int compare_pairs(const void *a, const void *b) {
    const pair *x = a, *y = b;
    if (x->elements != y->elements) return x->elements < y->elements ? 1 : -1;
    const bool x_own = x->row == x->place, y_own = y->row == y->place;
    if (x_own != y_own) return x_own ? -1 : 1;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void list_pairs(const assignment *x, const volumes *v, dpc_index from_places, pair_list *l) {
    l->count = 0;
    for (dpc_index p = 0; p < from_places; p++) {
        l->row = x->row_of[p];
        if (l->row >= 0) visit_shares(v, p, enter_pair, l);
    }
}

/* Processes and places that are left over, in order. */
static void assign_rest(assignment *x, const bool *taken) {
    dpc_index place = 0;
    for (dpc_index row = 0; row < x->places; row++) {
        if (x->column[row] >= 0) continue;
        while (taken[place]) place++;
        x->column[row] = place++;
    }
}

static void assign_greedily(assignment *x, const volumes *v, dpc_index from_places) {
    pair_list l = {0};
    bool *taken = dpc_buffer(x->places, sizeof *taken);
    list_pairs(x, v, from_places, &l);
    l.pair = dpc_buffer(l.count, sizeof *l.pair);
    list_pairs(x, v, from_places, &l);
    qsort(l.pair, (size_t)l.count, sizeof *l.pair, compare_pairs);
    for (dpc_index row = 0; row < x->places; row++) x->column[row] = -1;
    for (dpc_index k = 0; k < l.count; k++) {
        const pair *next = &l.pair[k];
        if (x->column[next->row] >= 0 || taken[next->place]) continue;
        x->column[next->row] = next->place;
        taken[next->place] = true;
    }
    assign_rest(x, taken);
    dpc_free_buffer(l.pair), dpc_free_buffer(taken);
}

/* ---- The result */

/* Elements that stay when each process of the target takes its column's place, or its own. */
static dpc_index count_staying(const assignment *x, const volumes *v, dpc_index from_places, bool own) {
    dpc_index sum = 0;
    for (dpc_index p = 0; p < from_places; p++) {
        if (x->row_of[p] < 0) continue;
        dpc_index elements = 1, source = p, place = own ? x->row_of[p] : x->column[x->row_of[p]];
        for (int k = v->rank - 1; k >= 0; k--) {
            elements *= v->shared[k][source % v->from_procs[k] * v->to_procs[k] + place % v->to_procs[k]];
            source /= v->from_procs[k], place /= v->to_procs[k];
        }
        sum += elements;
    }
    return sum;
}

static void assign(assignment *x, dpc_relabelling *r, const dpc_mapping *from, const dpc_mapping *to) {
    const dpc_index from_places = dpc_mapped_places(from);
    if (x->places > MOST_GREEDY || from_places > MOST_GREEDY) return;
    volumes v = open_volumes(from, to);
    if (x->places <= MOST_EXACT)
        assign_exactly(x, &v, from_places);
    else
        assign_greedily(x, &v, from_places);
    r->stay = count_staying(x, &v, from_places, false);
    r->stayed = count_staying(x, &v, from_places, true);
    close_volumes(&v);
}

dpc_relabelling dpc_relabel(const dpc_mapping *from, const dpc_mapping *to) {
    assignment x = open_assignment(from, to);
    dpc_relabelling r = {.process = dpc_buffer(x.places, sizeof *r.process)};
    assign(&x, &r, from, to);
    const bool better = r.stay > r.stayed;
    for (dpc_index row = 0; row < x.places; row++) r.process[better ? x.column[row] : row] = process_at(to, row);
    if (!better) r.stay = r.stayed;
    close_assignment(&x);
    return r;
}
