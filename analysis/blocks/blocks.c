/* Pass "blocks": formats cyclic(auto) and auto get their blocks (Lee and Chen, section 5.1), before mappings are
 * compared.
 *
 * cyclic(auto) becomes cyclic(b).  auto becomes block where that is estimated to be at least as good as every cyclic(b)
 * - statements that shift by a constant over a rectangular space - else cyclic(b), or cyclic for b = 1, as over
 * triangular spaces.  Where the processes or the extents are not known, blocks are made for 64 processes and 1024
 * elements. */
#include "affinity.h"

static bool has_automatic(const program *p) {
    for (size_t k = 0; k < p->array_count; k++)
        for (int d = 0; d < p->arrays[k]->rank; d++)
            if (is_automatic(&p->arrays[k]->mapping, d)) return true;
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
    return arena_format(a, "%s; %s%s", method_text(a, part, c->as_block[k]), pairs, assumptions);
}

static void add_alternative(arena *a, block_trace *t, const char *description, double seconds) {
    const alternative x = {description, seconds};
    vector_add(a, t->alternative, t->alternatives, t->alternative_capacity, x);
}

/* The least and the largest granularity, where another is chosen. */
static void add_granularities(arena *a, block_trace *t, const block_candidate *best, int64_t base, bool as_block) {
    if (as_block || best->seconds < 0) return;
    if (best->granularity != 1)
        add_alternative(a, t, arena_format(a, "%s, granularity 1", format_name(a, base, false)), best->seconds_at_1);
    if (best->granularity != best->largest && best->seconds_at_largest >= 0)
        add_alternative(a, t,
                        arena_format(a, "%s, granularity %lld", format_name(a, base * best->largest, false),
                                     (long long)best->largest),
                        best->seconds_at_largest);
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

static block_trace *make_trace(arena *a, const affinity *x, const block_choice *c, int k) {
    const block_part *part = &c->parts[c->part[k]];
    const block_candidate *best = &part->candidate[part->chosen];
    const int place = place_in_part(part, k);
    block_trace *t = arena_alloc(a, sizeof *t);
    t->block = c->block[k];
    t->granularity = best->granularity;
    t->seconds = best->seconds;
    t->reason = reason_text(a, x, c, k);
    add_granularities(a, t, best, c->block[k] / best->granularity, x->graph.node[k].automatic && best->as_block);
    for (size_t n = 0; n < part->candidates; n++) {
        const block_candidate *other = &part->candidate[n];
        if (n == part->chosen) continue;
        const bool as_block = other->as_block && x->graph.node[k].automatic;
        const char *what = format_name(a, other->block[place], as_block);
        if (other->as_block && !as_block) what = arena_format(a, "%s beside block for auto", what);
        add_alternative(a, t,
                        other->seconds < 0
                            ? arena_format(a, "%s, from %s: larger than the arrays allow", what, other->method)
                            : arena_format(a, "%s, from %s", what, other->method),
                        other->seconds);
    }
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

void choose_blocks(program *p) {
    if (!has_automatic(p)) return;
    const affinity x = collect_affinity(p);
    const block_choice c = choose_block_sizes(p->memory, &x.graph, p->cost);
    for (int k = 0; k < x.graph.nodes; k++) {
        array *a = x.nodes[k].array;
        const int d = x.nodes[k].dimension;
        if (!is_automatic(&a->mapping, d)) continue;
        if (c.as_block[k])
            set_block(&a->mapping, d);
        else
            set_dealt(&a->mapping, d, c.block[k]);
        a->chosen[d] = make_trace(p->memory, &x, &c, k);
    }
    settle_followers(p);
    warn_of_dropped(p, &x, &c);
}
