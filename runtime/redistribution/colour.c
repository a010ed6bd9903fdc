/* Schedules for any set of messages: edges of a bipartite graph are coloured, a colour is a step.  Sheet, section 7.3.
 */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

static int largest_degree(int sources, int targets, int edges, const dpc_edge *edge) {
    int *degree = calloc((size_t)sources + (size_t)targets + 1, sizeof *degree), most = 0;
    if (degree == NULL) return -1;
    for (int e = 0; e < edges; e++) {
        const int x = ++degree[edge[e].source], y = ++degree[sources + edge[e].target];
        most = x > most ? x : most;
        most = y > most ? y : most;
    }
    free(degree);
    return most;
}

/* ---- Koenig */

typedef struct {
    int steps;
    dpc_edge *edge;
    int *at_source, *at_target; /* per place and colour: the edge, or -1 */
} colouring;

static int free_colour(const colouring *c, const int *at, int place) {
    int colour = 0;
    while (at[place * c->steps + colour] >= 0) colour++;
    return colour;
}

static void set_colour(colouring *c, int number, int colour) {
    dpc_edge *e = &c->edge[number];
    e->step = colour;
    c->at_source[e->source * c->steps + colour] = number;
    c->at_target[e->target * c->steps + colour] = number;
}

/* Exchanges colours a and b along the path that starts at `target` with an edge of colour a: then a is free there. */
static void flip(colouring *c, int target, int a, int b) {
    bool at_target = true;
    int place = target, number = c->at_target[target * c->steps + a], colour = a;
    c->at_target[target * c->steps + a] = -1;
    while (number >= 0) {
        const dpc_edge *e = &c->edge[number];
        const int next_colour = colour == a ? b : a, next_place = at_target ? e->source : e->target;
        int *next = at_target ? c->at_source : c->at_target, *here = at_target ? c->at_target : c->at_source;
        const int following = next[next_place * c->steps + next_colour];
        next[next_place * c->steps + colour] = -1;
        here[place * c->steps + next_colour] = number;
        next[next_place * c->steps + next_colour] = number;
        c->edge[number].step = next_colour;
        place = next_place;
        at_target = !at_target;
        number = following;
        colour = next_colour;
    }
}

static void colour_edge(colouring *c, int number) {
    const dpc_edge *e = &c->edge[number];
    const int a = free_colour(c, c->at_source, e->source), b = free_colour(c, c->at_target, e->target);
    if (c->at_target[e->target * c->steps + a] >= 0) flip(c, e->target, a, b);
    set_colour(c, number, a);
}

static int heavier_first(const void *left, const void *right) {
    const dpc_edge *x = left, *y = right;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

int dpc_colour_edges(int sources, int targets, int edges, dpc_edge *edge) {
    colouring c = {.steps = largest_degree(sources, targets, edges, edge), .edge = edge};
    if (c.steps <= 0) return c.steps;
    const size_t rows = (size_t)sources + (size_t)targets, cells = rows * (size_t)c.steps;
    c.at_source = malloc(cells * sizeof *c.at_source);
    if (c.at_source == NULL) return -1;
    c.at_target = c.at_source + (size_t)sources * (size_t)c.steps;
    memset(c.at_source, -1, cells * sizeof *c.at_source);
    qsort(edge, (size_t)edges, sizeof *edge, heavier_first);
    for (int e = 0; e < edges; e++) colour_edge(&c, e);
    free(c.at_source);
    return c.steps;
}

/* ---- Peeling */

enum { THRESHOLDS = 32 };

/* score[source * places + target] of the messages left; a matching with the greatest sum is the next step. */
typedef struct {
    int places, thresholds;
    const dpc_edge *edge;
    int *left; /* numbers of the edges left */
    int count;
    dpc_index threshold[THRESHOLDS]; /* ascending weights */
    int *degree;                     /* 2 * places */
    int64_t *score, *price;          /* places^2; potentials: 2 * (places + 1) + places + 1 */
    int *match, *way;                /* places + 1 each: source of a target */
    bool *used;
} peeling;

static int by_weight(const void *left, const void *right) {
    const dpc_index x = *(const dpc_index *)left, y = *(const dpc_index *)right;
    return x < y ? -1 : x > y;
}

/* Some of the weights that there are, the least among them. */
static bool find_thresholds(peeling *p) {
    dpc_index *weight = malloc((size_t)p->count * sizeof *weight);
    int distinct = 0;
    if (weight == NULL) return false;
    for (int k = 0; k < p->count; k++) weight[k] = p->edge[p->left[k]].weight;
    qsort(weight, (size_t)p->count, sizeof *weight, by_weight);
    for (int k = 0; k < p->count; k++)
        if (k == 0 || weight[k] != weight[distinct - 1]) weight[distinct++] = weight[k];
    p->thresholds = distinct < THRESHOLDS ? distinct : THRESHOLDS;
    for (int k = 0; k < p->thresholds; k++) p->threshold[k] = weight[(int)((int64_t)k * distinct / p->thresholds)];
    free(weight);
    return true;
}

/* A message scores for every process that has as many messages of at least a threshold's length as any; that of the
 * lowest threshold outweighs all others, so that the number of steps falls. */
static void score_threshold(peeling *p, int number, int64_t points) {
    const dpc_index least = p->threshold[number];
    int most = 0;
    memset(p->degree, 0, 2 * (size_t)p->places * sizeof *p->degree);
    for (int k = 0; k < p->count; k++) {
        const dpc_edge *e = &p->edge[p->left[k]];
        if (e->weight < least) continue;
        const int x = ++p->degree[e->source], y = ++p->degree[p->places + e->target];
        most = x > most ? x : most;
        most = y > most ? y : most;
    }
    for (int k = 0; k < p->count; k++) {
        const dpc_edge *e = &p->edge[p->left[k]];
        const int critical = (p->degree[e->source] == most) + (p->degree[p->places + e->target] == most);
        if (e->weight >= least) p->score[e->source * p->places + e->target] += points * critical;
    }
}

static void score_edges(peeling *p) {
    const int n = p->places;
    memset(p->score, 0, (size_t)n * (size_t)n * sizeof *p->score);
    for (int k = 0; k < p->count; k++) p->score[p->edge[p->left[k]].source * n + p->edge[p->left[k]].target] = 1;
    const int64_t others = (int64_t)n * (1 + 4 * (p->thresholds + 1));
    for (int k = 0; k < p->thresholds; k++) score_threshold(p, k, k == 0 ? others : 2);
}

/* The Hungarian method: sources 1 .. n are added one by one, each by a shortest augmenting path. */
static void match_source(peeling *p, int source) {
    const int n = p->places;
    int64_t *u = p->price, *v = u + n + 1, *least = v + n + 1;
    for (int t = 0; t <= n; t++) {
        least[t] = INT64_MAX;
        p->used[t] = false;
    }
    p->match[0] = source;
    int target = 0;
    do {
        const int s = p->match[target];
        int next = 0;
        int64_t delta = INT64_MAX;
        p->used[target] = true;
        for (int t = 1; t <= n; t++) {
            if (p->used[t]) continue;
            const int64_t cost = -p->score[(s - 1) * n + t - 1] - u[s] - v[t];
            if (cost < least[t]) {
                least[t] = cost;
                p->way[t] = target;
            }
            if (least[t] < delta) {
                delta = least[t];
                next = t;
            }
        }
        for (int t = 0; t <= n; t++) {
            if (p->used[t]) {
                u[p->match[t]] += delta;
                v[t] -= delta;
            } else {
                least[t] -= delta;
            }
        }
        target = next;
    } while (p->match[target] != 0);
    for (; target != 0; target = p->way[target]) p->match[target] = p->match[p->way[target]];
}

/* Takes a step's messages out of those left. */
static void peel_step(peeling *p, dpc_edge *edge, int step) {
    const int n = p->places;
    score_edges(p);
    memset(p->price, 0, 3 * ((size_t)n + 1) * sizeof *p->price);
    memset(p->match, 0, ((size_t)n + 1) * sizeof *p->match);
    for (int source = 1; source <= n; source++) match_source(p, source);
    int kept = 0;
    for (int k = 0; k < p->count; k++) {
        dpc_edge *e = &edge[p->left[k]];
        if (p->match[e->target + 1] == e->source + 1)
            e->step = step;
        else
            p->left[kept++] = p->left[k];
    }
    p->count = kept;
}

int dpc_peel_edges(int sources, int targets, int edges, dpc_edge *edge) {
    const int n = sources > targets ? sources : targets;
    const size_t room = (size_t)n + 1;
    peeling p = {.places = n, .edge = edge, .count = edges};
    int step = 0;
    p.left = malloc(((size_t)edges + 1) * sizeof *p.left);
    p.degree = malloc(2 * room * sizeof *p.degree);
    p.score = malloc(room * room * sizeof *p.score);
    p.price = malloc(3 * room * sizeof *p.price);
    p.match = malloc(room * sizeof *p.match);
    p.way = malloc(room * sizeof *p.way);
    p.used = malloc(room * sizeof *p.used);
    bool good = p.left && p.degree && p.score && p.price && p.match && p.way && p.used;
    for (int k = 0; good && k < edges; k++) p.left[k] = k;
    for (; good && p.count > 0; step++) {
        good = find_thresholds(&p);
        if (good) peel_step(&p, edge, step);
    }
    free(p.left), free(p.degree), free(p.score), free(p.price), free(p.match), free(p.way), free(p.used);
    return good ? step : -1;
}
