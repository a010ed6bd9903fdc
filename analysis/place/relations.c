/* Pass "relations": how every reference stands to its statement's home, and the ghost cells that this asks for. */
#include <stdlib.h>
#include <string.h>

#include "../../runtime/halo.h"
#include "../model/knowledge.h"
#include "place.h"

/* Whether sets can move it: every subscript affine or invariant, each index once. */
static bool has_set_form(const reference *r) {
    bool used[MAX_RANK] = {false};
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL) return false;
        if (u->kind != SUBSCRIPT_AFFINE) continue;
        if (used[u->index]) return false;
        used[u->index] = true;
    }
    return true;
}

/* A subscript without what inner reductions add to it. */
static subscript without_variation(const subscript *u) {
    if (u->kind != SUBSCRIPT_GENERAL || !u->near) return *u;
    return (subscript){
        .kind = SUBSCRIPT_AFFINE, .index = u->near->index, .stride = u->near->stride, .offset = u->near->offset};
}

/* A distance that C loops around the statement vary between constants: what of it is not constant, and the extremes of
 * that. */
static bool vary_in_loops(const program *p, const parallel *s, linear between, varying_distance *x) {
    const knowledge w = knowledge_at(p, s, s->node);
    between.constant = 0;
    *x = (varying_distance){.beyond = between};
    return is_settled(&w, &between, w.loops) && find_extremes(&w, &between, &x->least, &x->most);
}

/* How far ghost cells serve: as far as messages would cost more memory; in a matrix that is an array of one dimension,
 * as far as rows of a known width above and below reach, where the array has many times as many elements. */
static int64_t farthest(const parallel *s, const reference *x, int d) {
    enum { SHARE = 16 };
    int64_t lower, upper;
    const int k = followed_index(&x->subscript[d]);
    const symbol *index = k < 0 ? NULL : s->index[k].symbol;
    if (!index || !index->rows || !linear_is_constant(&index->rows->width)) return MOST_DISTANCE;
    if (!linear_value(&x->array->lower[d], &lower) || !linear_value(&x->array->upper[d], &upper)) return MOST_DISTANCE;
    const int64_t rows = 2 * index->rows->width.constant;
    return rows > MOST_DISTANCE && rows <= (upper - lower) / SHARE ? rows : MOST_DISTANCE;
}

/* Whether a reference so far from home has ghost cells: in a pipeline, wherever blocks can have them. */
static bool is_small(const program *p, const parallel *s, const reference *x, int d, int64_t least, int64_t most) {
    const mapping *m = &x->array->mapping;
    bool (*const good)(const program *, const mapping *, int, int64_t) =
        s->loop && s->loop->pipeline ? halo_fits : halo_pays;
    const int64_t limit = farthest(s, x, d);
    return least >= -limit && most <= limit && good(p, m, d, least) && good(p, m, d, most);
}

/* Whether x has each block, dealt round, that an iteration's element of y stands in: only there it has ghost cells. */
static bool has_blocks(const program *p, const parallel *s, const reference *x, int d, const reference *y, int e) {
    const array *a = x->array, *b = y->array;
    if (!is_block_cyclic(&a->mapping, d) || equal_extents(p, a, d, b, e)) return true;
    const linear last = linear_subtract(p->memory, a->upper[d], origin_of(p, a, d));
    const linear end = linear_subtract(p->memory, b->upper[e], origin_of(p, b, e));
    int64_t block, mine, other;
    if (known_block(&a->mapping, d, &block) && block > 0 && linear_value(&last, &mine) && linear_value(&end, &other) &&
        mine / block >= other / block)
        return true;
    const subscript *v = &y->subscript[e];
    const loop_index *i = &s->index[v->index];
    if (!linear_is_constant(&v->stride) || !linear_is_constant(&i->stride) || i->stride.constant <= 0) return false;
    const linear most = linear_multiply(p->memory, v->stride, v->stride.constant > 0 ? i->upper : i->lower);
    const linear at = linear_subtract(p->memory, linear_add(p->memory, most, v->offset), origin_of(p, b, e));
    const linear behind = linear_subtract(p->memory, last, at);
    return !i->triangular && linear_is_constant(&behind) && behind.constant >= 0;
}

/* Whether an array may get wider ghost cells while the program runs; more than one divided dimension of a parameter
 * would need corners that callers do not know of. */
static bool may_widen(const array *a) {
    return has_own_blocks(a) && !a->near && !a->stored_as && (!a->parameter || divided_dimensions(a) <= 1);
}

/* Whether x, so far from home as only the run time knows, reads ghost cells that are made as wide there.  What it
 * reads must be another array than what the statement stores. */
static bool may_be_wide(const parallel *s, const reference *x, const reference *home) {
    if (s->loop || (s->kind != PARALLEL_ASSIGNMENT && s->kind != PARALLEL_REDUCTION)) return false;
    if (s->left.array && same_array(s->left.array, x->array)) return false; /* others: pass "aliases" */
    return may_widen(x->array) && !home->array->alignment && !home->array->near;
}

/* Whether x, of a matrix in an array of one dimension, is rows from home whose width only the run time knows. */
static bool is_far(const program *p, const parallel *s, const reference *x, const reference *y, const linear *between) {
    const int k = followed_index(&x->subscript[0]);
    const symbol *index = k < 0 ? NULL : s->index[k].symbol;
    const knowledge w = knowledge_at(p, s, s->node);
    return index && index->rows && x->rank == 1 && x->subscript[0].kind == SUBSCRIPT_AFFINE &&
           !linear_is_constant(&index->rows->width) && is_settled(&w, between, w.loops) && may_be_wide(s, x, y);
}

static void set_far(const program *p, reference *x, linear between, varying_distance *varying) {
    linear *far = arena_alloc(p->memory, sizeof *far);
    *far = between;
    *varying = (varying_distance){.beyond = between};
    x->placed.far = far;
    x->placed.wide = true;
}

/* How far x's element along d is from y's along e, where the mappings are equal, or extents differ a little, and that
 * is a small constant, or varies between such: in x->placed. */
static bool find_distance(const program *p, const parallel *s, reference *x, int d, const reference *y, int e) {
    const nearness *near = x->subscript[d].kind == SUBSCRIPT_GENERAL ? x->subscript[d].near : NULL;
    const subscript moving = without_variation(&x->subscript[d]), *u = &moving, *v = &y->subscript[e];
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index) return false;
    int64_t more;
    if (!linear_equal(&u->stride, &v->stride)) return false;
    if (!equal_formats(p, x->array, d, y->array, e) && !near_extents(p, x->array, d, y->array, e, &more)) return false;
    if (!has_blocks(p, s, x, d, y, e)) return false;
    linear at_x = linear_subtract(p->memory, u->offset, origin_of(p, x->array, d));
    linear at_y = linear_subtract(p->memory, v->offset, origin_of(p, y->array, e));
    linear between = linear_subtract(p->memory, at_x, at_y);
    if (equal_lowers(p, x->array, d, y->array, e)) between = linear_subtract(p->memory, u->offset, v->offset);
    varying_distance varying = {linear_constant(0), 0, 0};
    if (!linear_is_constant(&between) && !vary_in_loops(p, s, between, &varying)) {
        if (!is_far(p, s, x, y, &between)) return false;
        set_far(p, x, between, &varying);
        between = linear_constant(0);
    }
    if (near && near->wide && !may_be_wide(s, x, y)) return false;
    if (near) {
        varying.beyond = linear_add(p->memory, varying.beyond, near->beyond);
        varying.least += near->least;
        varying.most += near->most;
        x->placed.wide = x->placed.wide || near->wide;
    }
    x->placed.dim[d].distance = between.constant;
    if (!linear_is(&varying.beyond, 0)) {
        if (!x->placed.varying) x->placed.varying = arena_alloc(p->memory, (size_t)x->rank * sizeof *x->placed.varying);
        x->placed.varying[d] = varying;
    }
    return is_small(p, s, x, d, between.constant + varying.least, between.constant + varying.most);
}

/* Whether r stands at a constant distance from home, or within one, and fills in r->distance. */
static bool is_shift(const program *p, const parallel *s, const reference *home, reference *r) {
    const array *a = home->array, *b = r->array;
    r->placed.beside = r->placed.wide = false;
    r->placed.far = NULL;
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO) return false; /* communication sets are asked for */
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return false;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    while (d < a->rank && e < b->rank) {
        int64_t more;
        r->placed.dim[e].distance = 0;
        if (!aligned(p, home, d, r, e) && !find_distance(p, s, r, e, home, d)) return false;
        r->placed.beside = r->placed.beside || (!equal_formats(p, b, e, a, d) && near_extents(p, b, e, a, d, &more));
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    if (r->placed.wide && r->placed.beside) return false; /* nobody knows how wide both are together */
    return d == a->rank && e == b->rank;
}

/* Along a dimension that is not divided. */
static void vary_beside(const program *p, reference *r, int d, const nearness *near) {
    if (!r->placed.varying) r->placed.varying = arena_alloc(p->memory, (size_t)r->rank * sizeof *r->placed.varying);
    r->placed.varying[d] = (varying_distance){near->beyond, near->least, near->most};
}

/* Whether ghost cells can hold what goes round: whole dimensions, moved by small constants.  Also fills in r->distance
 * where the dimension is not divided. */
static bool is_cyclic_shift(const program *p, const parallel *s, const reference *home, reference *r) {
    if (!has_regular_blocks(r->array)) return false; /* no ring of blocks that may be empty */
    for (int k = 0; k < r->cycles; k++) {
        const wrapping *c = &r->cycle[k];
        if (!c->whole || !linear_is_constant(&c->moved) || llabs(c->moved.constant) > MOST_DISTANCE) return false;
        const subscript *u = &r->subscript[c->dim];
        if (is_block_cyclic(&r->array->mapping, c->dim) || (u->kind != SUBSCRIPT_AFFINE && !u->near)) return false;
        r->placed.dim[c->dim].distance = c->moved.constant;
    }
    if (!is_shift(p, s, home, r) || r->placed.beside || (r->placed.varying && !r->varies_round)) return false;
    for (int k = 0; k < r->cycles; k++) {
        const wrapping *c = &r->cycle[k];
        const nearness *near = r->subscript[c->dim].near;
        if (r->placed.dim[c->dim].distance != c->moved.constant) return false;
        if (near && !divides(&r->array->mapping, c->dim)) vary_beside(p, r, c->dim, near);
    }
    return true;
}

/* Of what goes round, either all turns at once stay, or each by itself; the serial program needs the latter. */
static void choose_turns(program *p, parallel *s) {
    size_t kept = 0;
    const reference *found = home_of(s);
    const reference home = found ? *found : (reference){0}; /* a copy: the references move */
    const node *whole = NULL;
    for (size_t k = 0; k < s->references; k++) {
        reference r = s->reference[k];
        bool keep = true;
        if (r.cycles > 0 && r.turn == ALL_TURNS) {
            keep = found && is_cyclic_shift(p, s, &home, &r);
            whole = keep ? r.node : NULL;
        } else if (r.cycles > 0 || r.turn == NO_TURNS) {
            keep = whole != r.node;
        }
        if (keep)
            s->reference[kept++] = r;
        else
            vector_add(p->memory, s->placed.dropped, s->placed.drops, s->placed.drop_capacity, r);
    }
    if (kept < s->references) {
        s->references = kept;
        choose_home(p, s);
    }
}

/* Where extents differ, the distance grows from process to process: by how much is found when the array is created. */
static bool widen_beside(const program *p, const reference *home, const reference *r, int d) {
    const int index = followed_index(&r->subscript[d]), e = index < 0 ? -1 : home_dimension(home, index);
    int64_t more;
    if (!r->placed.beside || e < 0 || !divides(&r->array->mapping, d)) return false;
    if (equal_formats(p, r->array, d, home->array, e) || !near_extents(p, r->array, d, home->array, e, &more))
        return false;
    if (more == 0) r->array->placed.more[d] = r->array->placed.less[d] = DPC_MOST_BETWEEN;
    if (more > r->array->placed.more[d]) r->array->placed.more[d] = more;
    if (-more > r->array->placed.less[d]) r->array->placed.less[d] = -more;
    return true;
}

/* The array gets the ghost cells that r reads. */
static void widen_halo(const program *p, const reference *home, const reference *r) {
    int beside = 0;
    for (int k = 0; k < r->cycles && r->turn == ALL_TURNS; k++) r->array->placed.cyclic[r->cycle[k].dim] = true;
    for (int d = 0; d < r->rank; d++) {
        const int64_t least = least_distance(r, d), most = greatest_distance(r, d);
        if (-least > r->array->placed.halo_low[d]) r->array->placed.halo_low[d] = -least;
        if (most > r->array->placed.halo_high[d]) r->array->placed.halo_high[d] = most;
        beside += widen_beside(p, home, r, d) || least != 0 || most != 0;
        if (is_wide(r, d)) r->array->placed.widens = r->array->placed.deepens = true;
    }
    if (beside > 1 && beside > r->array->placed.corners) r->array->placed.corners = beside;
}

/* ---- Aligned arrays */

/* Home's blocks are dealt: own places are found at the first iteration of each of its runs, which must exist. */
static bool finds_own_places(const parallel *s, const reference *home, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        if (!r->placed.dim[d].own || r->subscript[d].kind != SUBSCRIPT_AFFINE) continue;
        const int e = home_dimension(home, r->subscript[d].index);
        if (e >= 0 && is_block_cyclic(&home->array->mapping, e) && (s->placed.clip || r->guarded || s->loop))
            return false;
    }
    return true;
}

static bool is_at_distance(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->placed.dim[d].distance != 0) return true;
    return false;
}

/* Whether r is read in place beside home though one of them stands apart; its relation is found, too. */
static bool stands_beside(const program *p, const parallel *s, const reference *home, reference *r) {
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO || r->cycles > 0) return false; /* sets are asked for */
    r->placed.beside = false;
    if (meets_home(p, home, r, true) && finds_own_places(s, home, r)) {
        r->placed.relation = is_at_distance(r) ? RELATION_SHIFT : RELATION_LOCAL;
        return true;
    }
    for (int d = 0; d < r->rank; d++) r->placed.dim[d].own = false;
    return false;
}

/* ---- The pass */

/* Whether what a reference reads comes to who executes an iteration, whoever that is. */
static bool comes_to_anyone(const reference *r) {
    bool invariant = true;
    for (int d = 0; d < r->rank; d++) invariant = invariant && r->subscript[d].kind == SUBSCRIPT_INVARIANT;
    return !r->array || invariant || r->placed.relation == RELATION_GATHER;
}

/* Iterations that belong to nobody, of which all processes would execute all: each takes a part, where owners are found
 * at run time anyway. */
static void deal_out(parallel *s) {
    const bool scatters = s->kind == PARALLEL_ASSIGNMENT && s->left.array && s->placed.scatter;
    const bool reduces = s->kind == PARALLEL_REDUCTION && !s->in_place && !s->results;
    bool gathers = scatters;
    if (s->placed.home != HOME_REPLICATED || s->loop || s->reduced || (!scatters && !reduces)) return;
    if (reduces && s->reduction[0].operation == OPERATION_PRODUCT) return; /* perhaps in the order of its values */
    for (size_t k = 0; k < s->references; k++) {
        if (!comes_to_anyone(&s->reference[k])) return;
        gathers = gathers || s->reference[k].placed.relation == RELATION_GATHER;
    }
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && !s->index[k].triangular) s->placed.parts |= 1u << k;
    s->placed.in_parts = gathers && s->placed.parts != 0;
}

static void relate_statement(program *p, parallel *s) {
    if (s->kind == PARALLEL_ASSIGNMENT || s->loop) check_constant_bounds(p, s, &s->left);
    for (size_t k = 0; k < s->references; k++) check_constant_bounds(p, s, &s->reference[k]);
    choose_turns(p, s);
    const reference *home = home_of(s);
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (!r->array) continue;
        const bool all_turns = r->cycles > 0 && r->turn == ALL_TURNS;
        const bool beside = home && !all_turns && stands_beside(p, s, home, r);
        const bool local =
            beside ? r->placed.relation == RELATION_LOCAL : home && !all_turns && reference_is_local(p, home, r);
        const bool ideal = home && !local && !beside && !s->loop && has_set_form(r) && is_ideal(p, home, r);
        const bool shift = home && !local && !ideal && (beside || all_turns || is_shift(p, s, home, r));
        if (s->loop && !local && !shift) take_whole_dimensions(p, s, r);
        r->placed.relation = local             ? RELATION_LOCAL
                             : shift           ? RELATION_SHIFT
                             : ideal           ? RELATION_STEP
                             : has_set_form(r) ? RELATION_SETS
                                               : RELATION_GATHER;
        r->placed.matrix = r->placed.relation == RELATION_GATHER ? submatrix_of(p, s, r) : NULL;
        if (shift) widen_halo(p, home, r);
        if (!local && !shift && !ideal) r->placed.buffer = moved_name(p, r->symbol, 0);
    }
    deal_out(s);
}

/* The same, and of the statement that looks for executed iterations outside home. */
static void relate_executed(program *p, parallel *s) {
    parallel *conditions = s->placed.clip ? conditions_of(p, s) : NULL;
    relate_statement(p, s);
    if (!conditions || !checks_home(p, s)) return;
    choose_home(p, conditions);
    relate_statement(p, conditions);
    s->placed.outside = conditions;
}

void relate(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) relate_executed(p, all.statement[k]);
    fold_versions(p);
}
