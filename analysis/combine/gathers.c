/* What the subscripts of a gather are made of: while it is the same the gather brings the same elements. */
#include <string.h>

#include "combine.h"

/* Inputs of one gather, at most. */
enum { MOST_INPUTS = 12 };

/* Memory of one size whose bytes are the value: numbers, and arrays of them. */
static bool is_comparable(const symbol *s) {
    const type *t = s->type;
    if (s->kind != SYMBOL_VARIABLE || !t) return false;
    if (t->kind == TYPE_ARRAY && s->is_parameter) return false;
    while (t && t->kind == TYPE_ARRAY) t = t->of;
    if (!t || t->kind != TYPE_ARITHMETIC) return false;
    return t->element != ELEMENT_LONG_DOUBLE && t->element != ELEMENT_LONG_DOUBLE_COMPLEX; /* these have unused bytes */
}

static bool add_input(program *p, reference *r, symbol *s) {
    for (size_t k = 0; k < r->combined.inputs; k++)
        if (r->combined.input[k] == s) return true;
    if (r->combined.inputs == MOST_INPUTS) return false;
    vector_add(p->memory, r->combined.input, r->combined.inputs, r->combined.input_capacity, s);
    return true;
}

static bool add_name(program *p, reference *r, const node *n) {
    symbol *s = n->symbol;
    if (s && s->kind == SYMBOL_LOCAL) return true; /* looked at as it is saved */
    if (s && (s->kind == SYMBOL_INDEX || s->kind == SYMBOL_ENUMERATOR)) return true;
    return s && (s->array || is_comparable(s)) && add_input(p, r, s);
}

static bool add_inputs(program *p, reference *r, const node *n);

static bool add_children(program *p, reference *r, const node *n, size_t first) {
    for (size_t c = first; c < n->count; c++)
        if (n->child[c] && !add_inputs(p, r, n->child[c])) return false;
    return true;
}

static bool is_operation(const node *n) {
    if (n->kind == N_UNARY) return strchr("+-~!", n->op[0]) && !n->op[1];
    return n->kind == N_BINARY || n->kind == N_CONDITIONAL || n->kind == N_PAREN || n->kind == N_INDEX ||
           n->kind == N_TRIPLET || n->kind == N_RANGE || n->kind == N_FORALL_INDEX;
}

/* The variables that n is made of; false: it goes by pointers, members or calls that may read something. */
static bool add_inputs(program *p, reference *r, const node *n) {
    operation reduced;
    if (n == r->node) return true; /* its subscripts are looked at by themselves */
    if (n->kind == N_NAME) return add_name(p, r, n);
    if (n->kind == N_CONSTANT) return true;
    if (n->kind == N_CAST || n->kind == N_ASSIGN)
        return add_inputs(p, r, n->child[1]); /* a range begins with i = lower */
    if (n->kind == N_CALL && (reduction_call(n, &reduced) || is_pure(n, 0))) return add_children(p, r, n, 1);
    return is_operation(n) && add_children(p, r, n, 0);
}

/* Bounds and masks of the foralls around n, and the conditions in them. */
static bool add_headers(program *p, reference *r, const node *n) {
    for (; n && n->kind != N_FUNCTION_DEFINITION; n = n->parent) {
        if (n->kind == N_IF && outermost_forall(n) && !add_inputs(p, r, n->child[0])) return false;
        if (n->kind != N_FORALL) continue;
        if (n->child[0] && !add_inputs(p, r, n->child[0])) return false;
        if (!add_children(p, r, n, 2)) return false;
    }
    return true;
}

/* What is saved just before the statement; what is saved earlier may have been made of something else. */
static bool add_saved(program *p, reference *r, const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved && (!s->mask[m].bound || !add_inputs(p, r, s->mask[m].node->child[0]))) return false;
    return true;
}

/* Ranges and mask of the reduction that r stands in; all of it where conditions in its value decide, too. */
static bool add_ranges(program *p, reference *r, const reduction *x) {
    if (r->guarded) return add_inputs(p, r, x->call);
    for (size_t c = 1; c < x->call->count; c++)
        if (x->call->child[c]->kind == N_RANGE && !add_inputs(p, r, x->call->child[c])) return false;
    return !x->mask || add_inputs(p, r, x->mask);
}

bool find_inputs(program *p, const parallel *s, reference *r) {
    const node *n = r->node;
    if (s->loop || s->calls_unknown || r->mask >= 0 || !add_saved(p, r, s)) return false;
    for (int d = r->rank; d > 0; d--, n = n->child[0])
        if (n->kind != N_INDEX || !add_inputs(p, r, n->child[1])) return false;
    if (s->kind == PARALLEL_REDUCTION && !add_inputs(p, r, s->node)) return false;
    if (r->reduction >= 0 && !add_ranges(p, r, &s->reduction[r->reduction])) return false;
    if (r->guarded && s->value && !add_inputs(p, r, s->value)) return false;
    r->combined.inspected = add_headers(p, r, s->node);
    return r->combined.inspected;
}
