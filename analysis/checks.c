/* What each pass guarantees, tested where DPCC_CHECK is in the environment: the tests set it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower/lower.h"
#include "model/model.h"

/* Ends with the status of an internal error. */
static void require(bool holds, const char *pass, const char *what) {
    if (holds) return;
    fprintf(stderr, "dpcc: internal error: after pass \"%s\": %s\n", pass, what);
    exit(70);
}

/* ---- resolve */

static void require_symbols(const node *n) {
    if (n->kind == N_NAME && n->symbol)
        require(n->symbol->name && !strcmp(n->symbol->name, n->name), "resolve", "a name has another one's symbol");
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) require_symbols(n->child[c]);
}

void check_resolve(const program *p) {
    require_symbols(p->unit);
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        require(a->symbol && a->symbol->array == a, "resolve", "an array is not its symbol's");
        require(a->rank >= 1 && a->rank <= MAX_RANK && a->element != ELEMENTS, "resolve",
                "an array has no rank or no element type");
    }
}

/* ---- nests */

static void require_links(const node *n) {
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c]) continue;
        require(n->child[c]->parent == n, "nests", "a node has another parent");
        require_links(n->child[c]);
    }
}

void check_find_nests(const program *p) {
    require_links(p->unit);
}

void check_find_remapped(const program *p) {
    require_links(p->unit);
}

/* ---- reaching */

void check_find_reaching(const program *p) {
    for (size_t k = 0; k < p->reached_count; k++) {
        const reached *r = p->reached[k];
        require(r->name->symbol && same_array(r->array, r->name->symbol->array), "reaching",
                "a name stands for another array");
        require(!knows_cells(r->array) ? !r->known || r->views != 1 || r->others
                                       : r->known && r->views == 1 && r->array == r->view[0],
                "reaching", "a name stands for a mapping that is not the only one");
    }
}

/* ---- versions */

static void require_versions(const program *p, const node *n) {
    const versions *v = n->kind == N_VERSIONS ? table_at(&p->versions_at, n) : NULL;
    require(n->kind != N_VERSIONS || (v && v->count == n->count), "versions", "statements have no version");
    for (size_t k = 0; v && k < v->arrays; k++)
        for (size_t m = 0; m < v->count; m++)
            require(v->view[m][k]->origin == v->array[k] &&
                        (!knows_cells(v->view[m][k]) == (v->general && m + 1 == v->count)),
                    "versions", "a version is for an array without a mapping");
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) require_versions(p, n->child[c]);
}

void check_make_versions(const program *p) {
    require_versions(p, p->unit);
}

/* ---- values */

static void check_remapping(const program *p, const node *n) {
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const remapping *r = remapping_at(p, n->child[c]);
        require((!r->leaves_copy && !r->finds_copy) || r->kind == REMAPPING_MOVES, "values",
                "what moves nothing leaves or finds a copy");
        require(!r->leaves_copy || n->child[c]->symbol->array->watched, "values",
                "an array with copies is not watched");
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_remapping(p, n->child[c]);
}

void check_find_values(const program *p) {
    check_remapping(p, p->unit);
}

/* ---- lower, home */

static void require_reference(const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        require(u->kind != SUBSCRIPT_AFFINE || (u->index >= 0 && u->index < s->indices), "lower",
                "a subscript has an index that is none");
    }
    require(!r->array || r->rank == r->array->rank, "lower", "a reference has another rank than its array");
    require(r->reduction < (int)s->reductions && r->mask < s->masks, "lower",
            "a reference stands in a reduction or mask that is none");
}

/* Runs f on every statement. */
static void each_statement(const program *p, void (*f)(const program *p, const parallel *s)) {
    const statement_list all = all_statements((program *)p);
    for (size_t k = 0; k < all.count; k++) f(p, all.statement[k]);
}

/* The references to one array have one mapping, so that pointers tell arrays apart within a statement. */
static void require_one_view(const parallel *s, const array *a) {
    for (size_t k = 0; a && k < s->references; k++)
        require(!same_array(s->reference[k].array, a) || s->reference[k].array == a, "lower",
                "an array has two mappings in one statement");
}

static void require_lowered(const program *p, const parallel *s) {
    (void)p;
    require_one_view(s, s->left.array);
    for (size_t k = 0; k < s->references; k++) require_one_view(s, s->reference[k].array);
    if (s->left.base) require_reference(s, &s->left);
    for (size_t k = 0; k < s->references; k++) require_reference(s, &s->reference[k]);
}

void check_lower(const program *p) {
    each_statement(p, require_lowered);
}

static void require_home(const program *p, const parallel *s) {
    (void)p;
    require(s->placed.home >= HOME_REPLICATED && s->placed.home < (int)s->references, "home", "home is no reference");
    const reference *home = home_of(s);
    require(!home || home->array || s->kind == PARALLEL_INDEPENDENT, "home",
            "home is an array that is not distributed");
    require(!home || !home->guarded || s->kind == PARALLEL_INDEPENDENT, "home", "home stands under a condition");
}

void check_choose_homes(const program *p) {
    each_statement(p, require_home);
}

/* ---- blocks, relations, halos, gaps */

void check_choose_blocks(const program *p) {
    for (size_t k = 0; k < p->view_count; k++)
        for (int d = 0; d < p->views[k]->rank; d++) {
            const array *a = p->views[k];
            int64_t block;
            require(!is_automatic(&a->mapping, d) || a->chosen[d] || a->alignment, "blocks",
                    "an automatic format has no block");
            require(!known_block(&a->mapping, d, &block) || block > 0, "blocks", "a block is empty");
        }
}

static void require_results(const program *p, const parallel *s) {
    (void)p;
    require(!s->results || s->kind == PARALLEL_REDUCTION, "results", "results that no reduction has");
    for (size_t k = 0; s->reduced && k < s->references; k++)
        require(s->reference[k].reduction < 0, "results", "a statement reads what its reduction before it has read");
}

void check_split_results(const program *p) {
    each_statement(p, require_results);
}

static void require_relations(const program *p, const parallel *s) {
    (void)p;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array) continue;
        const bool in_place = stays_in_place(r);
        require(!in_place || home_of(s), "relations", "an element is read in place by every process");
        require(in_place || r->placed.buffer, "relations", "what moves has no buffer");
        for (int d = 0; d < r->rank && r->placed.relation == RELATION_SHIFT; d++)
            require(-least_distance(r, d) <= r->array->placed.halo_low[d] &&
                        greatest_distance(r, d) <= r->array->placed.halo_high[d],
                    "relations", "a shift reads beyond the ghost cells");
    }
}

void check_relate(const program *p) {
    each_statement(p, require_relations);
}

void check_widen_arguments(const program *p) {
    each_statement(p, require_relations);
    for (size_t k = 0; k < p->view_count; k++)
        for (int d = 0; d < p->views[k]->rank; d++)
            require(p->views[k]->placed.halo_low[d] >= 0 && p->views[k]->placed.halo_high[d] >= 0, "halos",
                    "a width is negative");
}

void check_match_gaps(const program *p) {
    for (size_t k = 0; k < p->view_count; k++)
        for (int d = 0; d < p->views[k]->rank; d++) {
            const array *a = p->views[k];
            const bool dealt = !a->dynamic && is_block_cyclic(&a->mapping, d);
            require(a->placed.gap[d] == 0 || dealt, "gaps", "blocks that are not dealt have gaps");
            require(!dealt || a->placed.gap[d] >= a->placed.halo_low[d] + a->placed.halo_high[d], "gaps",
                    "a gap has no room for the ghost cells");
        }
}

/* ---- products, order, moves, interchange, share, redistributions */

static void require_product(const program *p, const parallel *s) {
    (void)p;
    if (!s->placed.product) return;
    for (size_t k = 0; k < s->references; k++)
        require(s->reference[k].reduction < 0 || s->reference[k].placed.operand != OPERAND_NONE, "products",
                "an operand does not know how it comes");
}

void check_find_products(const program *p) {
    each_statement(p, require_product);
}

static void require_order(const program *p, const parallel *s) {
    (void)p;
    require(s->placed.values_first == (s->placed.overlap != NULL), "order", "a buffer without a reason");
}

void check_order_loops(const program *p) {
    each_statement(p, require_order);
}

static void require_moves(const program *p, const parallel *s) {
    (void)p;
    for (size_t k = 0; k < s->references; k++)
        for (size_t j = 0; j < k; j++)
            require(!s->reference[k].placed.buffer || !s->reference[j].placed.buffer ||
                        strcmp(s->reference[k].placed.buffer, s->reference[j].placed.buffer) != 0,
                    "moves", "two buffers have one name");
    require(s->placed.waits_for < (int)s->references, "moves", "a statement waits for what is no reference");
}

void check_choose_moves(const program *p) {
    each_statement(p, require_moves);
}

static void require_interchange(const program *p, const parallel *s) {
    (void)p;
    require(!s->placed.tiled || (!s->placed.product && !s->placed.values_first && s->placed.waits_for < 0),
            "interchange", "tiles with a product or a buffer");
}

void check_interchange_reductions(const program *p) {
    each_statement(p, require_interchange);
}

static void require_shared(const program *p, const parallel *s) {
    (void)p;
    for (size_t k = 0; k < s->references && s->loop; k++)
        require(s->reference[k].placed.relation != RELATION_GATHER, "share", "an independent loop gathers");
}

void check_share_out(const program *p) {
    each_statement(p, require_shared);
}

void check_check_redistributions(const program *p) {
    each_statement(p, require_relations);
}

/* ---- hoist, reuse, ahead, fuse, aggregate, aliases, owners */

static void require_before(const program *p, const parallel *s) {
    (void)p;
    require(!s->combined.before || (s->kind == PARALLEL_REDUCTION && node_holds(s->combined.before, s->node)), "hoist",
            "a reduction stands before another statement than its own");
}

void check_hoist_reductions(const program *p) {
    each_statement(p, require_before);
}

static void require_reuse(const program *p, const parallel *s) {
    (void)p;
    for (size_t k = 0; k < s->references; k++)
        require(!s->reference[k].combined.reused ||
                    (s->placed.waits_for != (int)k && s->reference[k].placed.move != MOVE_INLINED),
                "reuse", "values that stay are waited for in pieces");
}

void check_reuse_values(const program *p) {
    each_statement(p, require_reuse);
}

static void require_ahead(const program *p, const parallel *s) {
    (void)p;
    for (size_t k = 0; k < s->combined.aheads; k++)
        require(knows_cells(s->combined.ahead[k]) && s->combined.ahead[k] != s->left.array, "ahead",
                "ghost cells come before the statement stores what they hold");
}

void check_look_ahead(const program *p) {
    each_statement(p, require_ahead);
}

static void require_chain(const program *p, const parallel *s) {
    (void)p;
    for (int k = 0; s->combined.chain && k < s->combined.chain->count; k++)
        require(s->combined.chain->statement[k]->combined.chain == s->combined.chain, "fuse",
                "a statement is in two nests of loops");
}

void check_fuse(const program *p) {
    each_statement(p, require_chain);
}

void check_aggregate_messages(const program *p) {
    for (size_t g = 0; g < p->group_count; g++)
        require(!p->groups[g]->next || p->groups[g]->next->continues, "aggregate",
                "a group is not continued by its next");
}

void check_find_alias_checks(const program *p) {
    for (size_t k = 0; k < p->alias_check_count; k++)
        require(may_be_same(p->alias_check[k].a, p->alias_check[k].b), "aliases",
                "two arrays that are never the same are compared");
}

void check_find_owners(const program *p) {
    for (size_t k = 0; k < p->owner_statement_count; k++)
        require(p->owner_statement[k].left.array && p->owner_statement[k].left.array->symbol, "owners",
                "an owner's statement stores no element");
}

/* ---- tiling */

static void require_tiling(const time_tiling *t) {
    require(t->statements > 0 && t->groups > 0, "tiling", "a tiled loop has no statements");
    for (int k = 0; k < t->statements; k++) {
        const parallel *s = t->statement[k];
        require(s->masks == 0 && s->left.rank == s->indices, "tiling", "a tiled statement has masks or other indices");
        for (size_t r = 0; r < s->references; r++)
            require(stays_in_place(&s->reference[r]), "tiling", "a tiled statement moves what it reads");
    }
}

void check_tile_loops(const program *p) {
    for (size_t k = 0; k < p->tiling_count; k++)
        if (!p->tiling[k]->why) require_tiling(p->tiling[k]);
}

/* ---- plan */

static void require_plan(const program *p, const parallel *s) {
    (void)p;
    require(s->plan != NULL, "plan", "a statement has no plan");
    for (size_t k = 0; k < s->references; k++) {
        const value_source *x = &s->plan->source[k];
        require(x->kind != SOURCE_SHARED || (x->from < k && s->reference[x->from].array == s->reference[k].array),
                "plan", "values are shared with what does not bring them");
        require(x->kind != SOURCE_GATHER || x->with == k ||
                    (x->with < k && s->plan->source[x->with].with == x->with &&
                     s->plan->source[x->with].kind == SOURCE_GATHER),
                "plan", "a gather comes with what has no inspector of its own");
        require(s->reference[k].array || x->kind == SOURCE_NONE, "plan", "an ordinary array has a source");
    }
    require((s->plan->way != BY_BUFFER && s->plan->way != BY_ROWS && s->plan->way != BY_KEPT) || s->placed.values_first,
            "plan", "a buffer without a reason");
    require(!s->plan->interior_first || s->plan->refreshes > 0 || s->plan->moves > 0, "plan",
            "an interior that waits for nothing");
}

void check_plan_executions(const program *p) {
    each_statement(p, require_plan);
}
