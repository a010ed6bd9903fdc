/* The table of schedules: the order in which a process's messages travel (docs/redistribution-algorithms.md,
 * sections 3.1, 6.1 and 7).  Every process finds the same steps by itself. */
#include "arguments.h"
#include "engine.h"
#include "steps.h"

#include <string.h>

/* ---- Orders of ranks */

/* ScaLAPACK's: in step k ranks r and (P - 1 - r - k) mod P exchange, and every pair meets once. */
static void caterpillar_steps(const dpc_problem *p, dpc_peers *peers, bool sender) {
    (void)sender;
    for (dpc_index k = 0; k < peers->count; k++) {
        const dpc_index sum = (dpc_index)peers->peer[k].process + p->me;
        peers->peer[k].step = dpc_modulo(p->processes - 1 - sum, p->processes);
    }
}

/* ---- Products of closed forms: a step of the array is a tuple of its dimensions' steps (section 7.4). */

/* Coordinates of source and target of a peer along dimension k. */
static void pair_along(const dpc_problem *p, const dpc_share *share, int k, bool sender, dpc_index *from,
                       dpc_index *to) {
    *from = sender ? p->from_at[k] : share->coordinate;
    *to = sender ? share->coordinate : p->to_at[k];
}

static void add_circulant_steps(const dpc_problem *p, int k, dpc_peers *peers, bool sender) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
    dpc_circulant c;
    dpc_index x, y;
    if (!dpc_open_circulant(&c, &from, &to)) dpc_fail(NULL, "out of memory for a schedule");
    for (dpc_index n = 0; n < peers->count; n++) {
        dpc_peer_shares(peers, &peers->peer[n], shares);
        pair_along(p, shares[k], k, sender, &x, &y);
        peers->peer[n].step = peers->peer[n].step * dpc_circulant_steps(&c) + dpc_circulant_step(&c, x, y);
    }
    dpc_close_circulant(&c);
}

static void circulant_steps(const dpc_problem *p, dpc_peers *peers, bool sender) {
    for (int k = 0; k < p->rank; k++) add_circulant_steps(p, k, peers, sender);
}

static void walker_otto_steps(const dpc_problem *p, dpc_peers *peers, bool sender) {
    const dpc_share *shares[DPC_MAX_RANK] = {0};
    dpc_index x, y;
    for (dpc_index n = 0; n < peers->count; n++) {
        dpc_peer_shares(peers, &peers->peer[n], shares);
        for (int k = 0; k < p->rank; k++) {
            const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
            pair_along(p, shares[k], k, sender, &x, &y);
            peers->peer[n].step =
                peers->peer[n].step * dpc_walker_ratio(&from, &to) + dpc_walker_step(&from, &to, x, y);
        }
    }
}

/* ---- The whole graph of messages, coloured: only for so many places, as every process has all of it. */

typedef struct {
    int edges, room;
    dpc_edge *edge;
} graph;

static void add_edge(graph *g, int source, int target, dpc_index weight) {
    if (g->edges == g->room) {
        g->room = 2 * g->room + 64;
        dpc_edge *edge = dpc_raw_buffer(g->room, sizeof *edge);
        if (g->edges > 0) memcpy(edge, g->edge, (size_t)g->edges * sizeof *edge);
        dpc_free_buffer(g->edge);
        g->edge = edge;
    }
    g->edge[g->edges++] = (dpc_edge){source, target, weight, 0};
}

/* The shares of every coordinate along every dimension: shares[k][coordinate]. */
static void open_all_shares(const dpc_problem *p, dpc_shares **shares) {
    for (int k = 0; k < p->rank; k++) {
        const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
        shares[k] = dpc_buffer(from.procs, sizeof *shares[k]);
        for (dpc_index x = 0; x < from.procs; x++) {
            shares[k][x] = dpc_walk_shares(&from, x, &to);
            if (shares[k][x].failed) dpc_fail(NULL, "out of memory for a schedule");
        }
    }
}

static void close_all_shares(const dpc_problem *p, dpc_shares **shares) {
    for (int k = 0; k < p->rank; k++) {
        for (dpc_index x = 0; x < p->from.procs[k]; x++) dpc_free_shares(&shares[k][x]);
        dpc_free_buffer(shares[k]);
    }
}

/* The messages of one place of the source. */
static void add_place(graph *g, const dpc_problem *p, dpc_shares *const *shares, int place) {
    dpc_index at[DPC_MAX_RANK], total = 1;
    dpc_place_coordinates(&p->from, place, at);
    for (int k = 0; k < p->rank; k++) total *= shares[k][at[k]].count;
    for (dpc_index n = 0; n < total; n++) {
        dpc_index rest = n, weight = 1, target[DPC_MAX_RANK];
        for (int k = p->rank - 1; k >= 0; k--) {
            const dpc_share *share = &shares[k][at[k]].share[rest % shares[k][at[k]].count];
            rest /= shares[k][at[k]].count;
            weight *= share->elements;
            target[k] = share->coordinate;
        }
        dpc_index to_place = 0;
        for (int k = 0; k < p->rank; k++) to_place = to_place * p->to.procs[k] + target[k];
        const int source = p->from.process == NULL ? place : p->from.process[place];
        if (source != dpc_mapped_process(&p->to, target)) add_edge(g, place, (int)to_place, weight);
    }
}

static graph open_graph(const dpc_problem *p) {
    graph g = {0};
    dpc_shares *shares[DPC_MAX_RANK];
    open_all_shares(p, shares);
    for (int place = 0; place < dpc_mapped_places(&p->from); place++) add_place(&g, p, shares, place);
    close_all_shares(p, shares);
    return g;
}

/* Steps of this process's edges, by rank of the peer. */
static void take_steps(const dpc_problem *p, const graph *g, dpc_peers *peers, bool sender) {
    dpc_index *step_of = dpc_buffer(p->processes, sizeof *step_of), at[DPC_MAX_RANK];
    for (int e = 0; e < g->edges; e++) {
        const int mine = sender ? g->edge[e].source : g->edge[e].target;
        const int other = sender ? g->edge[e].target : g->edge[e].source;
        if (mine != (sender ? p->from_place : p->to_place)) continue;
        dpc_place_coordinates(sender ? &p->to : &p->from, other, at);
        step_of[dpc_mapped_process(sender ? &p->to : &p->from, at)] = g->edge[e].step;
    }
    for (dpc_index n = 0; n < peers->count; n++) peers->peer[n].step = step_of[peers->peer[n].process];
    dpc_free_buffer(step_of);
}

typedef int colour_function(int sources, int targets, int edges, dpc_edge *edge);

static void colour_graph(const dpc_problem *p, dpc_peers *peers, bool sender, colour_function *colour) {
    graph g = open_graph(p);
    if (peers->count > 0) {
        const int sources = (int)dpc_mapped_places(&p->from), targets = (int)dpc_mapped_places(&p->to);
        if (colour(sources, targets, g.edges, g.edge) < 0) dpc_fail(NULL, "out of memory for a schedule");
        take_steps(p, &g, peers, sender);
    }
    dpc_free_buffer(g.edge);
}

static void colouring_steps(const dpc_problem *p, dpc_peers *peers, bool sender) {
    colour_graph(p, peers, sender, dpc_colour_edges);
}

static void peeling_steps(const dpc_problem *p, dpc_peers *peers, bool sender) {
    colour_graph(p, peers, sender, dpc_peel_edges);
}

/* ---- The table */

static const dpc_schedule schedules[] = {
#define SCHEDULE(name, source, serves, dimension, all, steps) {name, source, steps},
#include "../base/schedules.def"
#undef SCHEDULE
};

enum { SCHEDULES = sizeof schedules / sizeof *schedules };

const char *dpc_schedule_name(int k) {
    return k == 0 ? "auto" : k > 0 && k <= SCHEDULES ? schedules[k - 1].name : NULL;
}

const dpc_schedule *dpc_find_schedule(const char *name) {
    for (int k = 0; k < SCHEDULES; k++)
        if (strcmp(name, schedules[k].name) == 0) return &schedules[k];
    return NULL;
}

const char *dpc_schedule_refuses(const char *schedule, const dpc_mapping *from, const dpc_mapping *to) {
    if (schedule == NULL || strcmp(schedule, "auto") == 0) return NULL;
    return dpc_find_schedule(schedule) == NULL ? "there is no such schedule"
                                               : dpc_lines_refuse("dpc_schedule_refuses", schedule, from, to);
}
