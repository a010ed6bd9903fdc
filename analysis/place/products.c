/* Pass "products": statements that are products, C[i][j] = sum(k, A[i][k] * B[k][j]) with any operations. */
#include <string.h>

#include "place.h"

/* ---- What they look like */

/* The dimension that index k alone subscripts, -1: none, -2: several, or subscripts of another form. */
static int only_dimension(const reference *r, int k) {
    int found = -1;
    for (int d = 0; d < r->rank; d++) {
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return -2;
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[d].index != k) continue;
        if (found >= 0) return -2;
        found = d;
    }
    return found;
}

/* An operand has the reduction's index, and at most one of the statement's. */
static bool is_operand(const matrix_product *x, const reference *r) {
    if (!r->array || r->guarded || r->cycles > 0 || r->mask >= 0) return false;
    if (has_own_places(r) || (r->placed.relation != RELATION_LOCAL && r->placed.relation != RELATION_SETS))
        return false;
    const int row = only_dimension(r, x->row), column = only_dimension(r, x->column);
    return only_dimension(r, x->reduced) >= 0 && row >= -1 && column >= -1 && (row < 0 || column < 0);
}

/* What is no operand is read where the results are used. */
static bool is_read_after(const reference *r) {
    if (has_own_places(r)) return false;
    return !r->array || r->placed.relation == RELATION_LOCAL || r->placed.relation == RELATION_SETS;
}

static bool has_operands(const parallel *s, const matrix_product *x) {
    bool row = false, column = false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->reduction < 0 && is_read_after(r)) continue;
        if (r->reduction < 0 || !is_operand(x, r)) return false;
        row = row || only_dimension(r, x->row) >= 0;
        column = column || only_dimension(r, x->column) >= 0;
    }
    return row && column;
}

/* Whether an index of the statement stands in n outside the subscripts of operands. */
static bool uses_values_of_indices(const parallel *s, node *n) {
    if (n->kind == N_INDEX && distributed_reference(n)) return false;
    for (int k = 0; n->kind == N_NAME && k < s->indices; k++)
        if (n->symbol && n->symbol == s->index[k].symbol) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && uses_values_of_indices(s, n->child[c])) return true;
    return false;
}

static bool has_indices_of_product(const parallel *s) {
    return s->indices == 3 && s->index[0].reduction < 0 && s->index[1].reduction < 0 && s->index[2].reduction == 0;
}

static bool is_simple(const parallel *s) {
    return s->kind == PARALLEL_ASSIGNMENT && s->placed.home == HOME_LEFT && s->left.array && !s->placed.scatter &&
           !s->placed.clip && !s->calls_unknown && s->ends == 0 && s->placed.drops == 0;
}

static bool is_product(const parallel *s, const matrix_product *x) {
    if (!is_simple(s) || s->reductions != 1 || !has_indices_of_product(s)) return false;
    const reduction *r = &s->reduction[0];
    if (r->mask || r->best || r->in_place || !r->type || r->type->kind != TYPE_ARITHMETIC) return false;
    if (uses_values_of_indices(s, r->value) || (r->factor && uses_values_of_indices(s, r->factor))) return false;
    return only_dimension(&s->left, x->row) >= 0 && only_dimension(&s->left, x->column) >= 0 && has_operands(s, x);
}

/* ---- How they are computed */

/* Whether the elements that a process assigns along an index stand side by side. */
static bool has_unit_stride(const parallel *s, int k) {
    return linear_is(&s->index[k].stride, 1) && linear_is(&s->left.subscript[only_dimension(&s->left, k)].stride, 1);
}

/* Whether the left side's elements can hold the results so far. */
static bool adds_up_in_left(const parallel *s) {
    const reduction *r = &s->reduction[0];
    if (strcmp(s->op, "=") != 0 || s->member || inside_parentheses(s->value) != r->call) return false;
    if (has_gaps(s->left.array)) return false; /* its elements don't stand side by side */
    if (r->type->element != s->left.array->element || !has_unit_stride(s, 0) || !has_unit_stride(s, 1)) return false;
    for (size_t k = 0; k < s->references; k++)
        if (same_array(s->reference[k].array, s->left.array)) return false;
    return s->left.subscript[s->left.rank - 1].kind == SUBSCRIPT_AFFINE;
}

/* Whether an invariant subscript decides which processes have something of r. */
static bool is_restricted(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE && divides(&r->array->mapping, d)) return true;
    return false;
}

/* Whether panels of r come by collectives along one dimension of the grid: along the others, r stands as home. */
static bool comes_in_panels(const program *p, const parallel *s, const reference *r) {
    const array *home = s->left.array;
    int others = 0;
    if (p->sets != METHOD_NONE || p->model != COMM_AUTO || !has_regular_blocks(home) || !has_regular_blocks(r->array))
        return false;
    if (home->mapping.grid != r->array->mapping.grid || is_restricted(r) || is_restricted(&s->left)) return false;
    if (grid_dimension(&home->mapping, home->rank) != grid_dimension(&r->array->mapping, r->rank)) return false;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind != SUBSCRIPT_AFFINE) continue;
        if (u->index == s->placed.product->reduced) {
            if (!divides(&r->array->mapping, d)) return false;
        } else if (others++, !stands_as_home(p, s, r, d))
            return false;
    }
    return others > 0;
}

static void choose_way(program *p, const parallel *s, reference *r) {
    const bool panels = r->placed.relation == RELATION_LOCAL || comes_in_panels(p, s, r);
    r->placed.operand = panels ? OPERAND_PANELS : OPERAND_MOVED;
    if (!r->placed.buffer) r->placed.buffer = moved_name(p, r->symbol, 0);
}

static void find_product(program *p, parallel *s) {
    matrix_product x = {.row = 0, .column = 1, .reduced = 2};
    if (!is_product(s, &x)) return;
    x.in_left = adds_up_in_left(s);
    if (x.in_left && s->left.subscript[s->left.rank - 1].index == 0) x.row = 1, x.column = 0;
    s->placed.product = arena_alloc(p->memory, sizeof *s->placed.product);
    *s->placed.product = x;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].reduction >= 0) choose_way(p, s, &s->reference[k]);
}

void find_products(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) find_product(p, all.statement[k]);
}
