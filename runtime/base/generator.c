/* The lists that the generators of communication sets fill. */
#include "generator.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lists */

/* Room for one more in an array of `count` elements of `size` bytes; NULL when memory ran out, then the array is left
 * as it was. */
static void *with_room(void *array, dpc_index count, dpc_index *room, size_t size) {
    if (count < *room) return array;
    const dpc_index larger = *room == 0 ? 8 : 2 * *room;
    void *longer = realloc(array, (size_t)larger * size);
    if (longer != NULL) *room = larger;
    return longer;
}

dpc_index dpc_address(const dpc_generation *g, dpc_index iteration) {
    if (g->side->addressing == DPC_POSITION) return g->position + dpc_count_owned(&g->mine, g->me, iteration);
    return dpc_local(&g->side->dim, dpc_accessed(&g->side->access, g->base + iteration));
}

/* Places of an aligned dimension's in so many elements, at whose distance its owners repeat. */
static dpc_index places_in(const dpc_generation *g, dpc_index elements) {
    const dpc_access window = {g->side->dim.lower, 1, dpc_magnitude(elements)};
    const dpc_index places = dpc_owned_count(&g->side->dim, &window, dpc_mirror(&g->mine, g->me));
    return elements < 0 ? -places : places;
}

/* Elements of mine from one iteration to another that is a multiple of my period later. */
static dpc_index addresses_in(const dpc_generation *g, dpc_index period) {
    if (g->mine.single) return period * g->sets->stride;
    if (g->side->addressing == DPC_POSITION) return dpc_count_owned(&g->mine, g->me, period);
    const dpc_dim *d = &g->side->dim;
    if (!dpc_is_dealt(d)) return places_in(g, period * g->sets->stride);
    return (dpc_index)((wide)period * g->sets->stride / g->mine.cycle * dpc_pitch(d));
}

dpc_index dpc_block_jump(const dpc_generation *g) {
    const dpc_index gap = g->side->addressing == DPC_POSITION ? 0 : dpc_gap(&g->side->dim);
    return g->mine.length * g->sets->stride + (g->sets->stride < 0 ? -gap : gap);
}

void dpc_set_period(dpc_generation *g, dpc_index period) {
    if (period >= g->count) return;
    g->sets->period = period;
    g->sets->period_step = addresses_in(g, period);
}

void dpc_begin_partner(dpc_generation *g, dpc_index coordinate, dpc_index end) {
    dpc_sets *sets = g->sets;
    dpc_shared *partner = with_room(sets->partner, sets->partners, &g->partner_room, sizeof *partner);
    if (partner == NULL) {
        g->failed = true;
        return;
    }
    sets->partner = partner;
    partner[sets->partners] = (dpc_shared){coordinate, g->sections, g->sections, g->sections, g->base + end, 0};
}

void dpc_begin_body(dpc_generation *g) {
    if (!g->failed) g->sets->partner[g->sets->partners].body = g->sections;
}

/* Iterations of a section, not repeated, that are below `end`. */
static dpc_index elements_below(const dpc_section *s, dpc_index end) {
    const dpc_index room = (end <= s->last ? end : s->last + 1) - s->first;
    if (room <= 0) return 0;
    const dpc_index runs = s->span == 0 ? 0 : room / s->step, rest = room - runs * s->step;
    return runs * s->length + (rest < s->length ? rest : s->length);
}

static dpc_index count_elements(const dpc_sets *sets, const dpc_shared *partner) {
    dpc_index elements = 0;
    for (dpc_index k = partner->head; k < partner->body; k++)
        elements += elements_below(&sets->section[k], partner->end);
    for (dpc_index k = partner->body; k < partner->tail; k++) {
        const dpc_section *s = &sets->section[k];
        const dpc_index room = partner->end - s->first, times = room / sets->period;
        if (times > 0) elements += times * elements_below(s, partner->end); /* cut where the period is the count */
        elements += elements_below(s, partner->end - times * sets->period);
    }
    return elements;
}

void dpc_end_partner(dpc_generation *g) {
    if (g->failed) return;
    dpc_shared *partner = &g->sets->partner[g->sets->partners];
    partner->tail = g->sections;
    partner->elements = count_elements(g->sets, partner);
    if (partner->elements > 0)
        g->sets->partners++;
    else
        g->sections = partner->head;
}

void dpc_add_section(dpc_generation *g, dpc_section section) {
    dpc_section *longer = g->failed ? NULL : with_room(g->sets->section, g->sections, &g->room, sizeof *longer);
    if (longer == NULL) {
        g->failed = true;
        return;
    }
    g->sets->section = longer;
    section.first += g->base;
    section.last += g->base;
    longer[g->sections++] = section;
}

void dpc_add_run(dpc_generation *g, dpc_index first, dpc_index last) {
    dpc_add_section(g, (dpc_section){first, last - first + 1, 1, 0, last, dpc_address(g, first), 0});
}

static int compare_sections(const void *a, const void *b) {
    const dpc_section *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

void dpc_sort_body(dpc_generation *g) {
    if (g->failed) return;
    dpc_section *section = g->sets->section + g->sets->partner[g->sets->partners].body;
    const dpc_index count = g->sections - g->sets->partner[g->sets->partners].body;
    dpc_index sorted = 1;
    while (sorted < count && section[sorted - 1].first < section[sorted].first) sorted++;
    if (sorted < count) qsort(section, (size_t)count, sizeof *section, compare_sections);
}

void dpc_add_cut(dpc_generation *g, const dpc_pattern *other, dpc_index first, dpc_index last, dpc_index offset) {
    const dpc_index low = last - offset / other->stride;
    if (offset >= other->block) last -= dpc_ceiling(offset - other->block + 1, other->stride);
    if (low > first) first = low;
    if (first <= last && first < g->count) dpc_add_run(g, first, last);
}

/* ---- Pieces */

void dpc_add_piece(dpc_generation *g, dpc_pieces *pieces, dpc_section section, dpc_index coordinate) {
    dpc_found_piece *longer = with_room(pieces->piece, pieces->count, &pieces->room, sizeof *longer);
    if (longer == NULL) {
        g->failed = true;
        return;
    }
    pieces->piece = longer;
    longer[pieces->count++] = (dpc_found_piece){section, coordinate};
}

/* Sorts by eight bits of the coordinate; stable. */
static void sort_by_digit(const dpc_found_piece *from, dpc_found_piece *to, dpc_index count, int shift) {
    dpc_index start[257] = {0};
    for (dpc_index k = 0; k < count; k++) start[(from[k].coordinate >> shift & 255) + 1]++;
    for (int digit = 0; digit < 256; digit++) start[digit + 1] += start[digit];
    for (dpc_index k = 0; k < count; k++) to[start[from[k].coordinate >> shift & 255]++] = from[k];
}

/* Sorts pieces by coordinate, below `procs`; those of a coordinate keep their order. */
static bool sort_pieces(dpc_pieces *pieces, dpc_index procs) {
    for (int shift = 0; shift < 63 && (procs - 1) >> shift > 0; shift += 8) {
        dpc_found_piece *sorted = malloc((size_t)pieces->count * sizeof *sorted);
        if (sorted == NULL) return false;
        sort_by_digit(pieces->piece, sorted, pieces->count, shift);
        free(pieces->piece);
        pieces->piece = sorted;
    }
    return true;
}

void dpc_deal_pieces(dpc_generation *g, dpc_pieces *pieces) {
    if (pieces->count > 0 && !sort_pieces(pieces, g->theirs.procs)) g->failed = true;
    for (dpc_index k = 0; k < pieces->count && !g->failed;) {
        const dpc_index coordinate = pieces->piece[k].coordinate;
        dpc_begin_partner(g, coordinate, g->count);
        for (; k < pieces->count && pieces->piece[k].coordinate == coordinate; k++)
            dpc_add_section(g, pieces->piece[k].section);
        dpc_end_partner(g);
    }
    free(pieces->piece);
}

/* ---- Partners */

static int compare_coordinates(const void *a, const void *b) {
    const dpc_index x = *(const dpc_index *)a, y = *(const dpc_index *)b;
    return (x > y) - (x < y);
}

static void sort_coordinates(dpc_coordinates *list) {
    dpc_index kept = 0;
    if (list->count > 1) qsort(list->coordinate, (size_t)list->count, sizeof *list->coordinate, compare_coordinates);
    for (dpc_index k = 0; k < list->count; k++)
        if (kept == 0 || list->coordinate[kept - 1] != list->coordinate[k])
            list->coordinate[kept++] = list->coordinate[k];
    list->count = kept;
}

static void add_coordinate(dpc_generation *g, dpc_coordinates *list, dpc_index *room, dpc_index coordinate) {
    dpc_index *longer = with_room(list->coordinate, list->count, room, sizeof *longer);
    if (longer == NULL) {
        g->failed = true;
        return;
    }
    list->coordinate = longer;
    longer[list->count++] = coordinate;
}

static void list_all(dpc_generation *g, dpc_coordinates *list, dpc_index *room) {
    list->count = 0;
    for (dpc_index q = 0; q < g->theirs.procs && !g->failed; q++) add_coordinate(g, list, room, q);
}

dpc_coordinates dpc_find_partners(dpc_generation *g, dpc_index end) {
    const dpc_pattern *theirs = &g->theirs;
    const bool passes_all = theirs->single || theirs->stride <= theirs->block;
    dpc_coordinates found = {0, NULL};
    dpc_index room = 0, in_turn = 0;
    for (dpc_index k = dpc_next_owned(&g->mine, g->me, 0); k < end && !g->failed;) {
        const dpc_stay stay = dpc_stay_at(theirs, k);
        if (in_turn == theirs->procs || found.count > 2 * theirs->procs) {
            list_all(g, &found, &room);
            return found;
        }
        add_coordinate(g, &found, &room, dpc_mirror(theirs, stay.owner));
        if (stay.last >= end - 1) break;
        k = dpc_next_owned(&g->mine, g->me, stay.last + 1);
        in_turn = passes_all && k == stay.last + 1 ? in_turn + 1 : 0;
    }
    sort_coordinates(&found);
    return found;
}
