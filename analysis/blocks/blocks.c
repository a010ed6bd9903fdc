/* Pass "blocks": formats cyclic(auto) and auto get their blocks (Lee and Chen, section 5.1), before mappings are
 * compared.
 *
 * cyclic(auto) becomes cyclic(b).  auto becomes block where that is estimated to be at least as good as every cyclic(b)
 * - statements that shift by a constant over a rectangular space - else cyclic(b), or cyclic for b = 1, as over
 * triangular spaces.  Where the processes or the extents are not known, blocks are made for 64 processes and 1024
 * elements. */
#include "origins.h"

static bool is_asked(const program *p) {
    for (size_t k = 0; k < p->view_count; k++)
        if (has_automatic(p->views[k], &p->views[k]->mapping)) return true;
    return false;
}

static const char *format_name(arena *a, int64_t block, bool as_block) {
    return as_block ? "block" : block == 1 ? "cyclic" : arena_format(a, "cyclic(%lld)", (long long)block);
}

/* ---- The trace */

/* How many edges of node k have each case. */
static void count_cases(const affinity *x, const int64_t *block, int k, int *cases, int *local) {
    *local = 0;
    for (int n = 0; n <= 4; n++) cases[n] = 0;
    for (int n = x->near.first[k]; n < x->near.first[k + 1]; n++) {
        const block_edge *edge = &x->graph.edge[x->near.edge[n]];
        cases[edge_case(edge, block)]++;
        *local += edge_is_local(&x->graph, edge, block);
    }
}

static const char *conditions_text(arena *a, const affinity *x, const int64_t *block, int k) {
    int cases[5], local;
    count_cases(x, block, k, cases, &local);
    text out;
    text_start(&out, a);
    if (cases[4]) text_format(&out, ", %d with b1/s1 = b2/s2", cases[4]);
    if (local) text_format(&out, " (%d entirely local)", local);
    if (cases[2] + cases[3]) text_format(&out, ", %d where one divides the other", cases[2] + cases[3]);
    if (cases[1]) text_format(&out, ", %d without closed forms", cases[1]);
    return text_of(&out);
}

/* What the estimates had to take for granted. */
static const char *assumptions_text(arena *a, const block_node *n) {
    text out;
    text_start(&out, a);
    if (n->procs <= 0) text_format(&out, "; made for %d processes, as their number is not known", ASSUMED_PROCESSES);
    if (n->extent <= 0) text_format(&out, "; made for %d elements, as the extent is not known", ASSUMED_EXTENT);
    return text_of(&out);
}

static const char *method_text(arena *a, const block_part *part, bool as_block) {
    const block_candidate *best = &part->candidate[part->chosen];
    if (as_block) return "block, as no cyclic(b) is estimated to be faster";
    return arena_format(a, "%s, granularity %lld of at most %lld (%s)", best->method, (long long)best->granularity,
                        (long long)best->largest,
                        part->triangular ? "iterations of unequal work: towards cyclic" : "rectangular: towards block");
}

static const char *reason_text(arena *a, const affinity *x, const block_choice *c, int k) {
    const block_part *part = &c->parts[c->part[k]];
    const char *conditions = conditions_text(a, x, c->block, k), *assumptions = assumptions_text(a, &x->graph.node[k]);
    const char *pairs = conditions[0] ? arena_format(a, "of the pairs in its statements%s", conditions + 1)
                                      : "no statement relates it to another array";
    const int64_t lead = x->nodes[k].array->lead[x->nodes[k].dimension];
    const char *earlier = "";
    if (lead > 0)
        earlier = arena_format(
            a, "; its blocks begin %lld elements before it does, as pairs are local so (section 7.1)", (long long)lead);
    return arena_format(a, "%s; %s%s%s", method_text(a, part, c->as_block[k]), pairs, assumptions, earlier);
}

/* What a candidate makes of node k: "cyclic(12)". */
static const char *member_word(arena *a, const affinity *x, const block_part *part, const block_candidate *c, int place,
                               int64_t block) {
    return format_name(a, block, c->as_block && x->graph.node[part->member[place]].automatic);
}

static void add_option(arena *a, const affinity *x, const block_part *part, const block_candidate *c,
                       const char *method, int64_t granularity, const block_estimate *e, block_group *to) {
    block_option o = {.method = method,
                      .seconds = e->seconds,
                      .balance = e->balance,
                      .messages = e->messages,
                      .elements = e->elements};
    o.word = arena_alloc(a, (size_t)part->members * sizeof *o.word);
    for (int k = 0; k < part->members; k++) {
        const bool fixed = x->graph.node[part->member[k]].fixed > 0;
        o.word[k] = member_word(a, x, part, c, k, fixed ? c->block[k] : c->block[k] / c->granularity * granularity);
    }
    vector_add(a, to->option, to->options, to->option_capacity, o);
}

/* The candidates, and of the chosen one the least and the largest granularity. */
static void add_options(arena *a, const affinity *x, const block_part *part, block_group *to) {
    const block_candidate *best = &part->candidate[part->chosen];
    to->chosen = part->chosen;
    for (size_t n = 0; n < part->candidates; n++) {
        const block_candidate *c = &part->candidate[n];
        const char *method = c->estimate.seconds < 0
                                 ? arena_format(a, "%s: larger than the arrays allow", c->method)
                                 : arena_format(a, "%s, granularity %lld of at most %lld", c->method,
                                                (long long)c->granularity, (long long)c->largest);
        add_option(a, x, part, c, method, c->granularity, &c->estimate, to);
    }
    if (best->estimate.seconds < 0) return;
    if (best->granularity != 1)
        add_option(a, x, part, best, arena_format(a, "%s, granularity 1", best->method), 1, &best->at_1, to);
    if (best->granularity != best->largest && best->at_largest.seconds >= 0)
        add_option(a, x, part, best, arena_format(a, "%s, granularity %lld", best->method, (long long)best->largest),
                   best->largest, &best->at_largest, to);
}

static int place_in_part(const block_part *part, int k) {
    int low = 0, high = part->members - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (part->member[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Node k's edges in which it is home: every edge has one. */
static void add_pairs(arena *a, const affinity *x, const block_choice *c, const block_part *part, int k,
                      block_group *to) {
    for (int n = x->near.first[k]; n < x->near.first[k + 1]; n++) {
        const int number = x->near.edge[n];
        const block_edge *e = &x->graph.edge[number];
        if (e->left != k) continue;
        const block_pair pair = {.home = home_of(x->edges[number].statement)->node,
                                 .read = x->edges[number].right->node,
                                 .left = place_in_part(part, e->left),
                                 .right = place_in_part(part, e->right),
                                 .left_block = c->block[e->left],
                                 .left_stride = e->left_stride,
                                 .right_block = c->block[e->right],
                                 .right_stride = e->right_stride,
                                 .number = edge_case(e, c->block),
                                 .local = edge_is_local(&x->graph, e, c->block)};
        vector_add(a, to->pair, to->pairs, to->pair_capacity, pair);
    }
}

static block_group *make_group(program *p, const affinity *x, const block_choice *c, const block_part *part) {
    block_group *made = arena_alloc(p->memory, sizeof *made);
    made->members = part->members;
    made->array = arena_alloc(p->memory, (size_t)part->members * sizeof *made->array);
    made->dimension = arena_alloc(p->memory, (size_t)part->members * sizeof *made->dimension);
    for (int k = 0; k < part->members; k++) {
        made->array[k] = x->nodes[part->member[k]].array;
        made->dimension[k] = x->nodes[part->member[k]].dimension;
        add_pairs(p->memory, x, c, part, part->member[k], made);
    }
    add_options(p->memory, x, part, made);
    vector_add(p->memory, p->chosen, p->chosen_count, p->chosen_capacity, made);
    return made;
}

static block_trace *make_trace(arena *a, const affinity *x, const block_choice *c, int k, const block_group *together) {
    const block_part *part = &c->parts[c->part[k]];
    block_trace *t = arena_alloc(a, sizeof *t);
    t->block = c->block[k];
    t->granularity = part->candidate[part->chosen].granularity;
    t->reason = reason_text(a, x, c, k);
    t->group = together;
    t->place = place_in_part(part, k);
    return t;
}

/* ---- The pass */

static bool is_too_large(const affinity *x, const block_choice *c, int e) {
    return c->dropped[e] && c->parts[c->part[x->graph.edge[e].left]].too_large;
}

static void warn_of_dropped(program *p, const affinity *x, const block_choice *c) {
    int dropped = 0, edges = 0, first = -1;
    for (int e = 0; e < x->graph.edges; e++) {
        edges += x->graph.edge[e].left != x->graph.edge[e].right;
        dropped += is_too_large(x, c, e);
        if (is_too_large(x, c, e) && first < 0) first = e;
    }
    if (dropped == 0) return;
    diagnose(p->source, x->edges[first].right->node, D_blocks_too_large, dropped, edges);
    diagnose_help("they are correct, if slower; fewer different strides, larger arrays or fixed block sizes help");
}

static void set_chosen(array *a, int d, const block_choice *c, int k) {
    if (c->as_block[k])
        set_block(&a->mapping, d);
    else
        set_block_cyclic(&a->mapping, d, c->block[k]);
}

void choose_blocks(program *p) {
    if (!is_asked(p)) return;
    affinity x = collect_affinity(p);
    block_choice c = choose_block_sizes(p->memory, &x.graph, p->cost);
    if (shift_origins(p, &x, &c)) { /* which blocks are best where they begin together */
        c = choose_block_sizes(p->memory, &x.graph, p->cost);
        shift_origins(p, &x, &c);
    }
    block_group **made = arena_alloc(p->memory, (c.part_count + 1) * sizeof *made);
    for (int k = 0; k < x.graph.nodes; k++) {
        array *a = x.nodes[k].array;
        const int d = x.nodes[k].dimension, part = c.part[k];
        if (!is_automatic(&a->mapping, d)) continue;
        set_chosen(a, d, &c, k);
        if (!made[part]) made[part] = make_group(p, &x, &c, &c.parts[part]);
        a->chosen[d] = make_trace(p->memory, &x, &c, k, made[part]);
    }
    settle_followers(p);
    warn_of_dropped(p, &x, &c);
}
