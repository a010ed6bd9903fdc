/* Pass "classify": who executes every parallel statement, and the relation of every reference to it. */
#include <stdlib.h>
#include <string.h>

#include "lower.h"

/* ---- Comparing mappings */

bool may_change_between(const program *p, const symbol *s, size_t from, size_t to) {
    for (size_t k = 0; k < p->assignment_count; k++) {
        const node *n = p->assignments[k];
        if (n->symbol == s && n->first >= from && n->first <= to) return true;
    }
    return false;
}

bool same_symbols(const linear *x, const linear *y) {
    for (int t = 0; t < x->terms; t++)
        for (int u = 0; u < y->terms; u++) {
            const node *n = x->term[t].node, *m = y->term[u].node;
            if (n && m && n->symbol != m->symbol && !strcmp(x->term[t].text, y->term[u].text)) return false;
        }
    return true;
}

/* Whether expressions written alike, of a and of b, are alike: the arrays are created by one directive, or nothing
 * changes in between. */
static bool stable_between(const program *p, const linear *x, const linear *y, const array *a, const array *b) {
    if (linear_is_constant(x)) return true;
    if (!same_symbols(x, y)) return false;
    if (a->directive == b->directive) return true;
    if (a->symbol->scope != b->symbol->scope) return false;
    size_t from = a->symbol->declarator->first, to = b->directive->last;
    if (from > b->symbol->declarator->first) {
        from = b->symbol->declarator->first;
        to = a->directive->last;
    }
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        if (!n || n->kind != N_NAME || !n->symbol) return false;
        if (n->symbol->file_scope && n->symbol->assignments > 0) return false;
        if (may_change_between(p, n->symbol, from, to)) return false;
    }
    return true;
}

static bool equal_extents(const program *p, const array *a, int d, const array *b, int e) {
    linear x = linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]);
    linear y = linear_subtract(p->memory, b->written_upper[e], b->written_lower[e]);
    return linear_equal(&x, &y) && stable_between(p, &x, &y, a, b);
}

bool equal_formats(const program *p, const array *a, int d, const array *b, int e) {
    const format *f = &a->mapping.format[d], *g = &b->mapping.format[e];
    if (f->kind != g->kind || f->sized != g->sized) return false;
    if (f->sized) return linear_equal(&f->block, &g->block) && stable_between(p, &f->block, &g->block, a, b);
    return equal_extents(p, a, d, b, e);
}

static int next_distributed(const array *a, int d) {
    while (d < a->rank && a->mapping.format[d].kind == FORMAT_STAR) d++;
    return d;
}

static bool equal_subscripts(const subscript *x, const subscript *y, const linear *offset_x, const linear *offset_y) {
    if (x->kind != y->kind || x->kind == SUBSCRIPT_GENERAL) return false;
    return linear_equal(offset_x, offset_y) &&
           (x->kind == SUBSCRIPT_INVARIANT || (x->index == y->index && linear_equal(&x->stride, &y->stride)));
}

/* Whether x's dimension d and y's dimension e touch elements at the same place of equal mappings. */
static bool aligned(const program *p, const reference *x, int d, const reference *y, int e) {
    linear u = linear_subtract(p->memory, x->subscript[d].offset, x->array->lower[d]);
    linear v = linear_subtract(p->memory, y->subscript[e].offset, y->array->lower[e]);
    if (!equal_subscripts(&x->subscript[d], &y->subscript[e], &u, &v)) {
        bool alike = linear_equal(&x->array->written_lower[d], &y->array->written_lower[e]) &&
                     stable_between(p, &x->array->written_lower[d], &y->array->written_lower[e], x->array, y->array);
        if (!alike ||
            !equal_subscripts(&x->subscript[d], &y->subscript[e], &x->subscript[d].offset, &y->subscript[e].offset))
            return false;
    }
    return equal_formats(p, x->array, d, y->array, e);
}

static bool same_text(const program *p, const subscript *x, const subscript *y) {
    if (!x->node || !y->node) return false;
    return !strcmp(ast_quote(p->memory, p->source, x->node), ast_quote(p->memory, p->source, y->node));
}

bool same_subscripts(const program *p, const reference *x, const reference *y) {
    for (int d = 0; d < x->rank; d++) {
        const subscript *u = &x->subscript[d], *v = &y->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL && v->kind == SUBSCRIPT_GENERAL && same_text(p, u, v)) continue;
        if (!equal_subscripts(u, v, &u->offset, &v->offset)) return false;
    }
    return true;
}

/* An index in two dimensions, or a general subscript, in a dimension that needs an owner. */
static bool has_owner_form(const reference *r) {
    bool used[MAX_RANK] = {false};
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (!r->array->dynamic && r->array->mapping.format[d].kind == FORMAT_STAR) continue;
        if (u->kind == SUBSCRIPT_GENERAL) return false;
        if (u->kind != SUBSCRIPT_AFFINE) continue;
        if (used[u->index]) return false;
        used[u->index] = true;
    }
    return true;
}

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

static bool is_local_to_same_array(const program *p, const reference *home, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        if (!r->array->dynamic && r->array->mapping.format[d].kind == FORMAT_STAR) continue;
        const subscript *u = &r->subscript[d], *v = &home->subscript[d];
        bool same = u->kind == SUBSCRIPT_GENERAL ? v->kind == u->kind && same_text(p, u, v)
                                                 : equal_subscripts(u, v, &u->offset, &v->offset);
        if (!same) return false;
    }
    return true;
}

bool reference_is_local(const program *p, const reference *home, const reference *r) {
    const array *a = home->array, *b = r->array;
    if (a == b) return is_local_to_same_array(p, home, r);
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return false;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    while (d < a->rank && e < b->rank) {
        if (!aligned(p, home, d, r, e)) return false;
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    return d == a->rank && e == b->rank;
}

/* Distances that ghost cells serve; beyond, they would cost more memory than messages. */
enum { MOST_DISTANCE = 64 };

/* How far x's element along d is from y's along e, where the mappings are equal and that is a small constant. */
static bool distance_between(const program *p, const reference *x, int d, const reference *y, int e,
                             int64_t *distance) {
    const subscript *u = &x->subscript[d], *v = &y->subscript[e];
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index) return false;
    if (!linear_equal(&u->stride, &v->stride) || !equal_formats(p, x->array, d, y->array, e)) return false;
    linear at_x = linear_subtract(p->memory, u->offset, x->array->lower[d]);
    linear at_y = linear_subtract(p->memory, v->offset, y->array->lower[e]);
    linear between = linear_subtract(p->memory, at_x, at_y);
    bool alike = linear_equal(&x->array->written_lower[d], &y->array->written_lower[e]) &&
                 stable_between(p, &x->array->written_lower[d], &y->array->written_lower[e], x->array, y->array);
    if (alike) between = linear_subtract(p->memory, u->offset, v->offset);
    *distance = between.constant;
    return linear_is_constant(&between) && llabs(between.constant) <= MOST_DISTANCE &&
           ghosts_pay(&x->array->mapping.format[d], between.constant);
}

/* Whether r stands at a constant distance from home, and fills in r->distance. */
static bool is_shift(const program *p, const reference *home, reference *r) {
    const array *a = home->array, *b = r->array;
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO) return false; /* communication sets are asked for */
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return false;
    int d = next_distributed(a, 0), e = next_distributed(b, 0);
    while (d < a->rank && e < b->rank) {
        r->distance[e] = 0;
        if (!aligned(p, home, d, r, e) && !distance_between(p, r, e, home, d, &r->distance[e])) return false;
        d = next_distributed(a, d + 1);
        e = next_distributed(b, e + 1);
    }
    return d == a->rank && e == b->rank;
}

/* Whether ghost cells can hold what goes round: whole dimensions, moved by small constants.  Also fills in r->distance
 * where the dimension is not divided. */
static bool is_cyclic_shift(const program *p, const reference *home, reference *r) {
    if (r->array->dynamic) return false;
    for (int k = 0; k < r->cycles; k++) {
        const wrapping *c = &r->cycle[k];
        const format_kind kind = r->array->mapping.format[c->dim].kind;
        if (!c->whole || !linear_is_constant(&c->moved) || llabs(c->moved.constant) > MOST_DISTANCE) return false;
        if (kind == FORMAT_CYCLIC || r->subscript[c->dim].kind != SUBSCRIPT_AFFINE) return false;
        r->distance[c->dim] = c->moved.constant;
    }
    if (!is_shift(p, home, r)) return false;
    for (int k = 0; k < r->cycles; k++) {
        const wrapping *c = &r->cycle[k];
        if (r->distance[c->dim] != c->moved.constant) return false;
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
            keep = found && is_cyclic_shift(p, &home, &r);
            whole = keep ? r.node : NULL;
        } else if (r.cycles > 0) {
            keep = whole != r.node;
        }
        if (keep)
            s->reference[kept++] = r;
        else
            vector_add(p->memory, s->dropped, s->drops, s->drop_capacity, r);
    }
    if (kept < s->references) {
        s->references = kept;
        choose_home(p, s);
    }
}

/* The array gets the ghost cells that r reads. */
static void widen_halo(const reference *r) {
    int beside = 0;
    for (int k = 0; k < r->cycles && r->turn == ALL_TURNS; k++) r->array->cyclic[r->cycle[k].dim] = true;
    for (int d = 0; d < r->rank; d++) {
        const int64_t distance = r->distance[d];
        if (-distance > r->array->halo_low[d]) r->array->halo_low[d] = -distance;
        if (distance > r->array->halo_high[d]) r->array->halo_high[d] = distance;
        beside += distance != 0;
    }
    if (beside > 1) r->array->corners = true;
}

/* ---- Who executes */

static int distributed_indices(const reference *r) {
    int count = 0;
    for (int d = 0; d < r->rank; d++) {
        bool spread = r->array->dynamic || r->array->mapping.format[d].kind != FORMAT_STAR;
        if (spread && r->subscript[d].kind == SUBSCRIPT_AFFINE) count += 2;
        count += r->subscript[d].kind == SUBSCRIPT_AFFINE;
    }
    return count;
}

/* Whether a reference in an inner reduction stands in the array in every iteration of the statement around it, which is a
 * reduction too, and depends on that one's indices only. */
static bool is_read_around(const program *p, const parallel *s, const reference *r) {
    if (s->kind != PARALLEL_REDUCTION) return false;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || s->index[r->subscript[d].index].reduction >= 0) return false;
    return reference_in_bounds(p, s, r);
}

/* The reference that spreads the most indices over processes; HOME_REPLICATED if none. One that stands under a
 * condition has no owner in some iterations. */
static int best_reference(const program *p, const parallel *s) {
    int best = HOME_REPLICATED, best_count = -1;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || !has_owner_form(r) || r->guarded || (r->reduction >= 0 && !is_read_around(p, s, r))) continue;
        if (r->mask >= 0 && s->kind != PARALLEL_REDUCTION) continue;
        bool dependent = false;
        for (int d = 0; d < r->rank; d++) dependent |= r->subscript[d].kind == SUBSCRIPT_GENERAL;
        int count = distributed_indices(r);
        if (dependent || count <= best_count) continue;
        best = (int)k;
        best_count = count;
    }
    return best;
}

void choose_home(const program *p, parallel *s) {
    if (s->kind == PARALLEL_INDEPENDENT)
        s->home = HOME_LEFT;
    else if (s->kind == PARALLEL_ASSIGNMENT && !s->left.array)
        s->home = HOME_REPLICATED;
    else if (s->kind == PARALLEL_ASSIGNMENT && has_owner_form(&s->left))
        s->home = HOME_LEFT;
    else {
        s->scatter = s->kind == PARALLEL_ASSIGNMENT;
        s->home = best_reference(p, s);
    }
}

const reference *home_of(const parallel *s) {
    if (s->home == HOME_REPLICATED) return NULL;
    return s->home == HOME_LEFT ? &s->left : &s->reference[s->home];
}

/* ---- Order of reading and storing */

static bool reads_other_memory(const program *p, const parallel *s, const node *n) {
    if (n->replacement) return false;
    if (n->kind == N_UNARY && !strcmp(n->op, "*")) return true;
    if (n->kind == N_MEMBER && !strcmp(n->op, "->")) return true;
    if (n->kind == N_CALL && n->child[0]->symbol) return true;
    node *name, *subscripts[MAX_RANK];
    int count;
    if (n->kind == N_INDEX && index_chain((node *)n, &name, subscripts, &count)) {
        const symbol *v = name->symbol;
        bool pointer = !v || !v->type || v->type->kind != TYPE_ARRAY || v->is_parameter || s->left.symbol == NULL ||
                       !s->left.symbol->type || s->left.symbol->type->kind != TYPE_ARRAY ||
                       s->left.symbol->is_parameter;
        bool same = !strcmp(ast_quote(p->memory, p->source, n), ast_quote(p->memory, p->source, s->left.node)) &&
                    section_count((node *)n) == 0;
        if ((v == s->left.symbol || (pointer && !(v && v->array))) && !same) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_other_memory(p, s, n->child[c])) return true;
    return false;
}

/* Why a store may change what a later iteration reads in place, whichever way the loops run; NULL: it does not. */
static const char *find_overlap(const program *p, parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->scatter) return NULL;
    if (s->left.array) return order_iterations(p, s);
    bool reads = reads_other_memory(p, s, s->value);
    for (int m = 0; m < s->masks; m++) reads = reads || reads_other_memory(p, s, s->mask[m]);
    return reads ? "memory that the right side reads may be what is stored" : NULL;
}

/* ---- Moves */

bool stands_as_home(const program *p, const parallel *s, const reference *r, int d) {
    const reference *home = home_of(s);
    const int e = home_dimension(home, r->subscript[d].index);
    const bool divided = r->array->mapping.format[d].kind != FORMAT_STAR;
    if (e >= 0 && aligned(p, home, e, r, d) && equal_extents(p, home->array, e, r->array, d))
        return !divided || grid_dimension(&home->array->mapping, e) == grid_dimension(&r->array->mapping, d);
    return !divided && !s->clip && (e < 0 || home->array->mapping.format[e].kind == FORMAT_STAR);
}

/* Whether one collective along the grid brings r's values. */
static bool is_broadcast(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    if (!home || p->sets != METHOD_NONE || p->model != COMM_AUTO || r->rank == 0) return false;
    if (home->array->dynamic || r->array->dynamic || home->array->mapping.grid != r->array->mapping.grid) return false;
    if (grid_dimension(&home->array->mapping, home->rank) != grid_dimension(&r->array->mapping, r->rank)) return false;
    if (r->guarded && !reference_in_bounds(p, s, r)) return false;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && !stands_as_home(p, s, r, d)) return false;
    return true;
}

/* Who makes the loops of a move: all its dimensions must have closed forms, or may have. */
static move_kind move_of(const program *p, const parallel *s, const reference *r) {
    move_kind kind = MOVE_INLINED;
    const reference *home = home_of(s);
    if (s->clip || r->guarded || p->model == COMM_DEPOSIT || r->array->dynamic || r->rank == 0) return MOVE_FETCHED;
    if (r->operand != OPERAND_NONE) return MOVE_FETCHED;
    if (home && home->array->dynamic) return MOVE_FETCHED;
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        if (x.index < 0 || x.method == METHOD_NONE || x.method == METHOD_CLOSED) continue;
        if (x.method != METHOD_RUN_TIME) return MOVE_FETCHED;
        kind = MOVE_DECIDED;
    }
    return kind;
}

/* The only reference that moves, if every iteration can be computed when its value arrives; else -1. */
static int awaited_reference(const program *p, const parallel *s) {
    int found = -1;
    if (s->loop) return -1;
    if (s->values_first || s->ordered || s->scatter || s->clip || s->reductions > (s->kind == PARALLEL_REDUCTION)) return -1;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || r->relation == RELATION_LOCAL || r->relation == RELATION_SHIFT) continue;
        if (r->relation != RELATION_SETS || r->move != MOVE_INLINED || r->array == s->left.array) return -1;
        if (found >= 0 && (s->reference[found].array != r->array || !same_subscripts(p, &s->reference[found], r)))
            return -1;
        if (found < 0) found = (int)k;
    }
    return found;
}

/* Distinct references that move. */
static int moving_references(const program *p, const parallel *s) {
    int count = 0;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool same = false;
        if (!r->array || r->relation != RELATION_SETS) continue;
        for (size_t j = 0; j < k; j++)
            same |= s->reference[j].array == r->array && same_subscripts(p, &s->reference[j], r);
        count += !same && r->move != MOVE_BROADCAST;
    }
    return count;
}

/* Whether dimension d of both sides runs over the same index, all of whose values follow one another. */
static bool runs_along(const parallel *s, const reference *r, int d) {
    const subscript *u = &s->left.subscript[d], *v = &r->subscript[d];
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index) return false;
    return linear_is(&u->stride, 1) && linear_is(&v->stride, 1) && linear_is(&s->index[u->index].stride, 1);
}

/* Whether the statement is a copy of its only reference: a section of unit stride, the dimensions in their order. */
static bool is_section_copy(const program *p, const parallel *s) {
    const reference *r = &s->reference[0];
    if (s->kind != PARALLEL_ASSIGNMENT || s->references != 1 || strcmp(s->op, "=") != 0) return false;
    if (s->home != HOME_LEFT || s->scatter || s->values_first || s->clip || s->reductions > 0) return false;
    if (!r->array || r->relation != RELATION_SETS || r->guarded || inside_parentheses(s->value) != r->node) return false;
    if (r->array == s->left.array || r->array->element != s->left.array->element) return false;
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO) return false; /* communication sets are asked for */
    if (r->rank != s->left.rank || r->rank != s->indices) return false;
    if (has_gaps(r->array) || has_gaps(s->left.array)) return false; /* the engine would copy them whole */
    for (int d = 0; d < r->rank; d++)
        if (!runs_along(s, r, d)) return false;
    return true;
}

/* The loops of more moves than these would bury the statement: the runtime runs them. */
enum { MOST_INLINED = 2 };

/* Whether every pair of processes shares one interval of the reference's elements, which the runtime moves as fast as loops in
 * the program. */
static bool moves_intervals(const program *p, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(p, s, r, d);
        if (x.index >= 0 && !pairing_is_one_run(&x)) return false;
    }
    return true;
}

static void choose_moves(const program *p, parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (r->array && r->relation == RELATION_SETS && is_broadcast(p, s, r)) r->move = MOVE_BROADCAST;
    }
    const int moving = moving_references(p, s);
    const bool few = moving <= MOST_INLINED;
    if (is_section_copy(p, s)) {
        s->reference[0].move = MOVE_COPIED;
        s->waits_for = -1;
        return;
    }
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (r->array && r->relation == RELATION_SETS && r->move != MOVE_BROADCAST)
            r->move = few && (moving == 1 || !moves_intervals(p, s, r)) ? move_of(p, s, r) : MOVE_FETCHED;
    }
    s->waits_for = awaited_reference(p, s);
}

/* ---- The pass */

/* Relations, and the ghost cells that they ask for. */
static void relate(program *p, parallel *s) {
    s->clip = s->masks > 0;
    for (int k = 0; k < s->indices; k++) s->clip = s->clip || s->index[k].triangular;
    if (s->kind != PARALLEL_REDUCTION) check_constant_bounds(p, s, &s->left);
    for (size_t k = 0; k < s->references; k++) check_constant_bounds(p, s, &s->reference[k]);
    choose_home(p, s);
    choose_turns(p, s);
    const reference *home = home_of(s);
    for (size_t k = 0; k < s->references; k++) {
        reference *r = &s->reference[k];
        if (!r->array) continue;
        const bool all_turns = r->cycles > 0 && r->turn == ALL_TURNS;
        const bool local = home && !all_turns && reference_is_local(p, home, r);
        const bool shift = home && !local && (all_turns || is_shift(p, home, r));
        if (s->loop && !local && !shift) take_whole_dimensions(p, s, r);
        r->relation = local             ? RELATION_LOCAL
                      : shift           ? RELATION_SHIFT
                      : has_set_form(r) ? RELATION_SETS
                                        : RELATION_GATHER;
        if (shift) widen_halo(r);
        if (!local && !shift) r->buffer = moved_name(p, r->symbol, 0);
    }
}

/* Buffers of one statement have different names. */
static void number_buffers(program *p, parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        int before = 0;
        for (size_t j = 0; j < k; j++)
            before +=
                s->reference[j].buffer && s->reference[k].buffer && s->reference[j].symbol == s->reference[k].symbol;
        if (before) s->reference[k].buffer = moved_name(p, s->reference[k].symbol, before);
    }
}

static void choose_ways(program *p, parallel *s) {
    find_product(p, s);
    s->overlap = find_overlap(p, s);
    s->values_first = s->overlap != NULL;
    choose_moves(p, s);
    s->tiled = !s->product && reductions_interchange(p, s);
    number_buffers(p, s);
}

/* Independent loops that cannot be shared out are plain loops after all. */
static void drop_hindered(program *p) {
    size_t kept = 0;
    for (size_t g = 0; g < p->group_count; g++) {
        const parallel *s = p->groups[g]->actions ? p->groups[g]->action[0].statement : NULL;
        const char *why = s && s->loop ? independent_obstacle(p, s) : NULL;
        if (why)
            run_everywhere(p, s->loop, why);
        else
            p->groups[kept++] = p->groups[g];
    }
    p->group_count = kept;
}

void classify(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) relate(p, all.statement[k]);
    widen_arguments(p);
    match_gaps(p);
    for (size_t k = 0; k < all.count; k++) choose_ways(p, all.statement[k]);
    drop_hindered(p);
    check_redistributions(p);
}
