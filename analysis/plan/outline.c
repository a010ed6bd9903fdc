/* Loops of stencils that are worth a function of their own: gcc and clang heed `restrict` of parameters only. */
#include <string.h>

#include "plan.h"

/* ---- Which statements */

/* Elements from where reference t reads to where r does along dimension d; false: not a constant. */
static bool beyond_in(const program *p, const reference *r, const reference *t, int d, int64_t *elements) {
    const subscript *u = &r->subscript[d], *v = &t->subscript[d];
    if (u->kind != v->kind || u->kind == SUBSCRIPT_GENERAL) return false;
    if (u->kind == SUBSCRIPT_AFFINE && (u->index != v->index || !linear_equal(&u->stride, &v->stride))) return false;
    if (may_be_distributed(r->array, d)) {
        if (r->placed.relation == RELATION_STEP || t->placed.relation == RELATION_STEP) {
            if (r->placed.relation != t->placed.relation) return false;
            *elements = r->placed.along[d].first - t->placed.along[d].first;
            return true;
        }
        *elements = (r->placed.relation == RELATION_SHIFT ? r->placed.dim[d].distance : 0) -
                    (t->placed.relation == RELATION_SHIFT ? t->placed.dim[d].distance : 0);
        return true;
    }
    const linear beyond = linear_subtract(p->memory, u->offset, v->offset);
    *elements = beyond.constant;
    return linear_is_constant(&beyond);
}

/* Whether iterations of index k read with r what others read with t. */
static bool meets_along(const program *p, const reference *r, const reference *t, int k) {
    bool along = false;
    if (r->array != t->array) return false;
    for (int d = 0; d < r->rank; d++) {
        int64_t elements;
        if (!beyond_in(p, r, t, d, &elements)) return false;
        if (elements == 0) continue;
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[d].index != k) return false;
        along = true;
    }
    return along;
}

static bool reads_again(const program *p, const parallel *s) {
    for (size_t j = 0; j < s->references; j++)
        for (size_t m = 0; m < j; m++)
            if (s->reference[j].array && s->reference[j].array != s->left.array &&
                meets_along(p, &s->reference[j], &s->reference[m], s->indices - 1))
                return true;
    return false;
}

/* Whether its places are found from the index, not from home's local index. */
static bool has_places_between(const reference *r) {
    for (int d = 0; r->placed.relation == RELATION_STEP && d < r->rank; d++)
        if (r->placed.along[d].home_step > 1) return true;
    return false;
}

/* Loops over runs that store one array and read others in place. */
static bool has_plain_loops(const parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->placed.home != HOME_LEFT || s->placed.scatter || s->placed.values_first ||
        s->placed.ordered)
        return false;
    if (s->combined.chain || s->placed.product || s->placed.tiled || s->calls_unknown || s->masks > 0 ||
        s->reductions > 0 || s->ends > 0)
        return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular || is_strided(s, k) || !linear_is_constant(&s->index[k].stride)) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!is_in_place(r) || r->array->dynamic || has_own_places(r) || has_places_between(r) ||
            (r->cycles > 0 && r->turn != ALL_TURNS))
            return false;
    }
    return true;
}

/* ---- What another function can see */

/* Whether a name that the program does not declare means the same in another function: not __func__, nor what is called
 * and not known, which may be a macro with __func__ in it. */
static bool is_free_of_function(const node *n) {
    const bool called = n->parent && n->parent->kind == N_CALL && n->parent->child[0] == n;
    return strncmp(n->name, "__", 2) != 0 && (!called || (n->parent->type && !n->parent->type->answered));
}

static bool is_index(const parallel *s, const symbol *x) {
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].symbol == x) return true;
    return false;
}

/* A name of file scope, or a variable whose value can be passed. */
static bool name_travels(const parallel *s, const node *n) {
    const symbol *x = n->symbol;
    if (!x) return is_free_of_function(n);
    if (x->file_scope || x->array || is_index(s, x)) return true;
    return x->kind == SYMBOL_VARIABLE && x->type && x->type->kind == TYPE_ARITHMETIC;
}

/* Whether an expression can stand in another function. */
static bool travels(const parallel *s, const node *n) {
    switch ((int)n->kind) {
    case N_NAME:
    case N_TYPEDEF_REFERENCE:
        if (!name_travels(s, n)) return false;
        break;
    case N_LET:
    case N_STATEMENT_EXPRESSION:
    case N_COMPOUND_LITERAL:
    case N_GENERIC:
    case N_STRUCT:
    case N_ENUM:
    case N_TYPEOF:
    case N_ASSIGN:
    case N_POSTFIX:
        return false;
    case N_SIZEOF:
        if (n->child[0]->kind != N_TYPE_NAME) return false;
        break;
    case N_UNARY:
        if (!strcmp(n->op, "&") || !strcmp(n->op, "++") || !strcmp(n->op, "--") || !strcmp(n->op, "&&")) return false;
        break;
    default:
        break;
    }
    if (n->replacement) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !travels(s, n->child[c])) return false;
    return true;
}

static bool linear_travels(const parallel *s, const linear *x) {
    for (int t = 0; t < x->terms; t++)
        if (!x->term[t].node || !travels(s, x->term[t].node)) return false;
    return true;
}

static bool subscripts_travel(const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL || !linear_travels(s, &u->stride) || !linear_travels(s, &u->offset))
            return false;
        if (!may_be_distributed(r->array, d) && !linear_is_constant(&r->array->lower[d])) return false;
    }
    return true;
}

bool can_outline(const program *p, const parallel *s) {
    if (p->openmp || !has_plain_loops(s) || !is_alone(p, s, s->left.array) || !reads_again(p, s)) return false;
    for (size_t k = 0; k < s->references; k++)
        if (!subscripts_travel(s, &s->reference[k])) return false;
    return travels(s, s->value) && subscripts_travel(s, &s->left);
}
