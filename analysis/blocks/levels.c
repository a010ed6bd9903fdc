/* Levels, on the acyclic graph of strongly connected components, and the order of nodes in them.  See levels.h. */
#include "levels.h"

/* ---- Edges by their ends */

int other_end(const block_edge *e, int k) {
    return e->left == k ? e->right : e->left;
}

static int *numbers(arena *a, int count) {
    return arena_alloc(a, ((size_t)count + 2) * sizeof(int));
}

incidence incident_edges(arena *a, const block_graph *g) {
    const incidence near = {numbers(a, g->nodes), numbers(a, 2 * g->edges)};
    int *next = numbers(a, g->nodes);
    for (int e = 0; e < g->edges; e++) {
        near.first[g->edge[e].left + 1]++;
        near.first[g->edge[e].right + 1] += g->edge[e].left != g->edge[e].right;
    }
    for (int k = 0; k < g->nodes; k++) next[k + 1] = near.first[k + 1] += near.first[k];
    for (int e = 0; e < g->edges; e++) {
        near.edge[next[g->edge[e].left]++] = e;
        if (g->edge[e].left != g->edge[e].right) near.edge[next[g->edge[e].right]++] = e;
    }
    return near;
}

/* ---- Strongly connected components (Tarjan 1972), without recursion */

typedef struct {
    const block_graph *g;
    const incidence *near;
    int *number, *low; /* from 1, in the order in which nodes are found; 0: not yet */
    int *next;         /* place in near of the next edge to follow */
    int *path, *open;  /* stacks: from the root to here, and those without a component */
    int found, depth, open_count;
    int *component, components; /* from 1, sinks first */
} search;

static void enter(search *s, int k) {
    s->number[k] = s->low[k] = ++s->found;
    s->next[k] = s->near->first[k];
    s->path[s->depth++] = s->open[s->open_count++] = k;
}

static void lower_to(int *low, int x) {
    if (x < *low) *low = x;
}

static void follow(search *s, int k, int next) {
    if (!s->number[next])
        enter(s, next);
    else if (!s->component[next])
        lower_to(&s->low[k], s->number[next]);
}

static void leave(search *s, int k) {
    s->depth--;
    if (s->depth > 0) lower_to(&s->low[s->path[s->depth - 1]], s->low[k]);
    if (s->low[k] != s->number[k]) return;
    s->components++;
    do s->component[s->open[--s->open_count]] = s->components;
    while (s->open[s->open_count] != k);
}

static void search_from(search *s, int root) {
    enter(s, root);
    while (s->depth > 0) {
        const int k = s->path[s->depth - 1];
        if (s->next[k] == s->near->first[k + 1]) {
            leave(s, k);
            continue;
        }
        const block_edge *e = &s->g->edge[s->near->edge[s->next[k]++]];
        if (e->left == k) follow(s, k, e->right);
    }
}

static search find_components(arena *a, const block_graph *g, const incidence *near) {
    const int n = g->nodes;
    search s = {.g = g,
                .near = near,
                .number = numbers(a, n),
                .low = numbers(a, n),
                .next = numbers(a, n),
                .path = numbers(a, n),
                .open = numbers(a, n),
                .component = numbers(a, n)};
    for (int k = 0; k < n; k++)
        if (!s.number[k]) search_from(&s, k);
    return s;
}

/* ---- Levels */

/* Nodes in order of their components: those of component c are node[first[c]] .. node[first[c + 1] - 1]. */
static int *by_component(arena *a, const search *s) {
    int *first = numbers(a, s->components), *node = numbers(a, s->g->nodes);
    for (int k = 0; k < s->g->nodes; k++) first[s->component[k]]++;
    for (int c = 1; c <= s->components; c++) first[c] += first[c - 1];
    for (int k = s->g->nodes - 1; k >= 0; k--) node[--first[s->component[k]]] = k;
    return node;
}

/* Longest distances of components, over the edges of node k that lead on (or, backward, that come from before). */
static void extend_distances(const search *s, int k, bool backward, int *distance) {
    for (int n = s->near->first[k]; n < s->near->first[k + 1]; n++) {
        const block_edge *e = &s->g->edge[s->near->edge[n]];
        const int from = s->component[k], to = s->component[other_end(e, k)];
        if ((backward ? e->right : e->left) == k && from != to && distance[to] <= distance[from])
            distance[to] = distance[from] + 1;
    }
}

/* Longest distances of components, from sources or (backward) to sinks. */
static int *longest_distances(arena *a, const search *s, const int *node, bool backward) {
    int *distance = numbers(a, s->components);
    for (int k = 0; k < s->g->nodes; k++)
        extend_distances(s, node[backward ? k : s->g->nodes - 1 - k], backward, distance);
    return distance;
}

static void find_levels(arena *a, const search *s, int *level) {
    const int *node = by_component(a, s);
    const int *from_source = longest_distances(a, s, node, false), *to_sink = longest_distances(a, s, node, true);
    for (int k = 0; k < s->g->nodes; k++) {
        const int x = from_source[s->component[k]], y = to_sink[s->component[k]];
        level[k] = (x < y ? x : y) + 1;
    }
}

/* ---- The order in a level: children first, smaller numbers first */

/* Nodes whose children are done: a heap, the first of the lowest level on top. */
typedef struct {
    const int *level;
    int *node, count;
} ready_nodes;

static bool stands_before(const ready_nodes *r, int x, int y) {
    return r->level[x] != r->level[y] ? r->level[x] < r->level[y] : x < y;
}

static void swap_nodes(ready_nodes *r, int x, int y) {
    const int kept = r->node[x];
    r->node[x] = r->node[y];
    r->node[y] = kept;
}

static void add_ready(ready_nodes *r, int k) {
    int at = r->count++;
    r->node[at] = k;
    for (; at > 0 && stands_before(r, r->node[at], r->node[(at - 1) / 2]); at = (at - 1) / 2)
        swap_nodes(r, at, (at - 1) / 2);
}

static int take_ready(ready_nodes *r) {
    const int taken = r->node[0];
    r->node[0] = r->node[--r->count];
    for (int at = 0, child; (child = 2 * at + 1) < r->count; at = child) {
        if (child + 1 < r->count && stands_before(r, r->node[child + 1], r->node[child])) child++;
        if (stands_before(r, r->node[at], r->node[child])) break;
        swap_nodes(r, at, child);
    }
    return taken;
}

/* Whether e makes k a child of its other end within a level: along an edge between components; in one the larger. */
static bool makes_child(const search *s, const int *level, const block_edge *e, int k) {
    const int parent = other_end(e, k);
    if (level[parent] != level[k]) return false;
    return s->component[parent] == s->component[k] ? k > parent : e->left == parent;
}

/* Adds `change` to the children of every parent of k, once however many edges there are; those without any are ready.
 */
static void count_child(const search *s, const int *level, int k, int change, int *children, int *seen,
                        ready_nodes *ready) {
    for (int n = s->near->first[k]; n < s->near->first[k + 1]; n++) {
        const block_edge *e = &s->g->edge[s->near->edge[n]];
        const int parent = other_end(e, k);
        if (seen[parent] == k + 1 || !makes_child(s, level, e, k)) continue;
        seen[parent] = k + 1;
        children[parent] += change;
        if (change < 0 && children[parent] == 0) add_ready(ready, parent);
    }
}

void order_nodes(arena *a, const block_graph *g, const incidence *near, printed_blocks *p) {
    const search s = find_components(a, g, near);
    int *children = numbers(a, g->nodes);
    p->level = numbers(a, g->nodes);
    p->order = numbers(a, g->nodes);
    find_levels(a, &s, p->level);
    ready_nodes ready = {p->level, numbers(a, g->nodes), 0};
    int *seen = numbers(a, g->nodes);
    for (int k = 0; k < g->nodes; k++) count_child(&s, p->level, k, 1, children, seen, &ready);
    for (int k = 0; k < g->nodes; k++)
        if (children[k] == 0) add_ready(&ready, k);
    seen = numbers(a, g->nodes);
    for (int count = 0; ready.count > 0; count++) {
        p->order[count] = take_ready(&ready);
        count_child(&s, p->level, p->order[count], -1, children, seen, &ready);
    }
}
