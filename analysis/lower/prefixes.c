/* Pass "lower": prefix and suffix operations.  Their values are saved before the statement that has them as operands,
 * as locals of foralls are, and combined there. */
#include "../model/types.h"
#include "lower.h"

static bool holds_prefix(const node *n) {
    operation op;
    if (prefix_call(n, NULL, NULL)) return true;
    if (reduction_call(n, &op) || n->kind == N_SIZEOF) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_prefix(n->child[c])) return true;
    return false;
}

/* The dimensions that it goes along; false after an error. */
static bool read_dimension(lowering *l, node *call, int sections, prefix_operation *x) {
    const int d = call->count > 2 ? dimension_argument(l, call, 2, sections) : 0;
    if (d < 0) return false;
    x->first = l->s->indices + d;
    x->last = call->count > 2 ? x->first : x->first + sections - 1;
    return true;
}

static bool read_exclusive(lowering *l, node *call, prefix_operation *x) {
    int64_t exclusive = 0;
    if (call->count > 3 && !constant_value(call->child[3], &exclusive)) {
        diagnose(l->p->source, call->child[3], D_prefix_exclusive, call->child[0]->name);
        return false;
    }
    x->exclusive = exclusive != 0;
    return true;
}

static bool check_type(const lowering *l, operation op, const node *call) {
    node *value = call->child[1];
    const bool known = call->type && call->type->kind == TYPE_ARITHMETIC;
    if (!known) report_unknown_type(l->p, value);
    const bool fits = !known || !is_extreme(op) || !element_is_complex(call->type->element);
    if (!fits) diagnose(l->p->source, value, D_reduction_complex, call->child[0]->name);
    return known && fits;
}

/* What is combined: of a count, 1 for each value that is not 0. */
static node *combined_value(const lowering *l, operation *op, const node *call) {
    node *value = call->child[1];
    if (*op != OPERATION_COUNT) return value;
    *op = OPERATION_SUM;
    type *t = type_of_element(ELEMENT_INT);
    return compose(l->p->memory, N_BINARY, call->first, t, value, made_number(l, call->first, t, "0"), NULL);
}

static bool take_prefix(lowering *l, const group *g, node **place, int sections) {
    node *call = *place;
    intrinsic kind;
    prefix_operation *x = arena_alloc(l->p->memory, sizeof *x);
    intrinsic_call(call, &kind);
    prefix_call(call, &x->operation, &x->suffix);
    if (!check_intrinsic_arguments(l, call, kind) || !check_type(l, x->operation, call)) return false;
    if (!read_dimension(l, call, sections, x) || !read_exclusive(l, call, x)) return false;
    const bool counts = x->operation == OPERATION_COUNT;
    node *value = combined_value(l, &x->operation, call);
    if (counts) value->op = "!=";
    *place = saved_prefix(l, g, call, value, x);
    return true;
}

static bool take_in(lowering *l, const group *g, node **place, int sections) {
    node *n = *place;
    operation op;
    intrinsic kind;
    if (reduction_call(n, &op) || n->kind == N_SIZEOF) return true;
    const bool is_prefix = prefix_call(n, NULL, NULL);
    if (!is_prefix && intrinsic_call(n, &kind)) return true; /* refused where it is read */
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !take_in(l, g, &n->child[c], sections)) return false;
    return !is_prefix || take_prefix(l, g, place, sections);
}

bool take_prefixes(lowering *l, const group *g, node **value, node *left) {
    node *leading = first_section(left);
    if (!leading || !holds_prefix(*value)) return true;
    node *copy = clone_reached(l->p, *value); /* the source's own says which sections there are */
    copy->parent = (*value)->parent;
    *value = copy;
    return take_in(l, g, value, section_count(leading));
}

void check_prefixes(const program *p, const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        for (int k = 0; s->mask[m].prefix && k <= s->mask[m].prefix->last; k++)
            if (k >= s->mask[m].prefix->first && s->index[k].triangular) {
                diagnose(p->source, s->mask[m].node, D_not_implemented,
                         "a prefix operation along a section whose bounds depend on indices");
                return;
            }
}
