/* Pass "lower": references, their subscripts and sections. */
#include <string.h>

#include "lower.h"
#include "types.h"

/* ---- Indices in expressions */

static int index_number(const lowering *l, const node *n) {
    if (n->kind != N_NAME || !n->symbol || (n->symbol->kind != SYMBOL_INDEX && !l->loop)) return -1;
    for (int k = 0; k < l->s->indices; k++)
        if (l->s->index[k].symbol == n->symbol) return k;
    return -1;
}

bool mentions_index(const lowering *l, const node *n) {
    operation op;
    if (n->replacement && n->replacement[0] != PLACED) return false;
    if (index_number(l, n) >= 0) return true;
    if (l->sections > 0 && section_count((node *)n) > 0) return true; /* a section in a subscript: idx[:] */
    if (l->sections > 0 && reduction_call(n, &op)) {
        lowering outside = *l;
        outside.sections = 0;
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c] && mentions_index(&outside, n->child[c])) return true;
        return false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_index(l, n->child[c])) return true;
    return false;
}

bool linear_mentions_index(const lowering *l, const linear *x) {
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].node && mentions_index(l, x->term[t].node)) return true;
    return false;
}

bool needs_hoisting(const node *n) {
    if (n->replacement || n->kind == N_SIZEOF) return false;
    if (n->kind == N_INDEX || n->kind == N_CALL || n->kind == N_ASSIGN || n->kind == N_POSTFIX) return true;
    if (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--"))) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && needs_hoisting(n->child[c])) return true;
    return false;
}

static void lower_reductions_in(program *p, node *n) {
    operation op;
    if (reduction_call(n, &op)) {
        lower_reduction(p, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) lower_reductions_in(p, n->child[c]);
}

bool subscript_is_safe(const symbol *s, int d, const node *n) {
    const type *t = s && s->kind == SYMBOL_VARIABLE ? s->type : NULL;
    for (int k = 0; t && t->kind == TYPE_ARRAY && k < d; k++) t = t->of;
    if (!t || t->kind != TYPE_ARRAY || (s->is_parameter && d == 0)) return false;
    const node *low = t->array->child[1], *high = t->array->child[2];
    int64_t at, lower = 0, upper;
    if (!constant_value(n, &at) || !high || !constant_value(high, &upper)) return false;
    if (low && !constant_value(low, &lower)) return false;
    return at >= lower && at <= upper - (low ? 0 : 1);
}

static bool element_may_fail(const node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain((node *)n, &name, subscripts, &count)) return true;
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && !subscript_is_safe(name->symbol, d, subscripts[d])) return true;
    return false;
}

/* Functions of mathematics, which never fail. */
static bool is_mathematics(const node *callee) {
    return callee->kind == N_NAME && !callee->symbol && strncmp(callee->name, "str", 3) != 0 &&
           strncmp(callee->name, "mem", 3) != 0 && strncmp(callee->name, "ato", 3) != 0 &&
           library_function_result(callee->name) != ELEMENTS;
}

/* Whether evaluating n where the program would not may end it: division by a variable, pointers, elements, calls. */
static bool may_fail(const node *n) {
    int64_t divisor;
    operation op;
    if (n->replacement || n->kind == N_SIZEOF) return false;
    bool divides = n->kind == N_BINARY && !n->op[1] && (n->op[0] == '/' || n->op[0] == '%') &&
                   !constant_value(n->child[1], &divisor);
    if (divides || (n->kind == N_MEMBER && !strcmp(n->op, "->")) || (n->kind == N_UNARY && n->op[0] == '*'))
        return true;
    if (n->kind == N_INDEX && element_may_fail(n)) return true;
    if (n->kind == N_CALL && !reduction_call(n, &op) && !is_mathematics(n->child[0])) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_fail(n->child[c])) return true;
    return false;
}

bool is_conditional(const lowering *l) {
    return l->guarded || (l->s->masks > 0 && l->mask < 0);
}

/* ---- Conditions around an expression */

static bool has_reduction(const node *n) {
    operation op;
    if (reduction_call(n, &op)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_reduction(n->child[c])) return true;
    return false;
}

/* The condition at `above` that decides whether its child n is evaluated, or NULL. */
static node *condition_at(const node *above, const node *n, bool *negated) {
    *negated = false;
    if (above->kind == N_FORALL) return n == above->child[1] ? above->child[0] : NULL;
    if (above->kind == N_CALL) return mask_of_reduction(above, n);
    bool chosen = above->kind == N_CONDITIONAL;
    bool circuit = above->kind == N_BINARY && (!strcmp(above->op, "&&") || !strcmp(above->op, "||"));
    if (n == above->child[0] || !(chosen || circuit)) return NULL;
    *negated = chosen ? n == above->child[2] : above->op[0] == '|';
    return above->child[0];
}

/* The conditions around n in its statement, outer first.  `invariant`: those that depend on no index; else those that
 * read no distributed array. */
static guards guards_around(const lowering *l, node *n, bool invariant) {
    guards found = {0};
    bool alone = l->s->kind == PARALLEL_REDUCTION;
    for (; n->parent && n->kind != N_STATEMENT_EXPRESSION && !(alone && n == l->s->node); n = n->parent) {
        guard g;
        g.node = n->parent->count ? condition_at(n->parent, n, &g.negated) : NULL;
        if (!g.node || has_reduction(g.node)) continue;
        if (invariant ? mentions_index(l, g.node) : reads_distributed(g.node)) continue;
        vector_add(l->p->memory, found.guard, found.count, found.capacity, g);
    }
    for (size_t k = 0; k < found.count / 2; k++) {
        guard swap = found.guard[k];
        found.guard[k] = found.guard[found.count - 1 - k];
        found.guard[found.count - 1 - k] = swap;
    }
    return found;
}

guards *guards_of_bounds(const lowering *l, node *const *bounds, int count) {
    bool fails = false;
    node *any = NULL;
    for (int k = 0; k < count; k++)
        if (bounds[k]) {
            any = bounds[k];
            fails = fails || may_fail(any);
        }
    if (!fails) return NULL;
    guards *found = arena_alloc(l->p->memory, sizeof *found);
    *found = guards_around(l, any, false);
    return found;
}

static bool is_known_filled(const loop_index *x) {
    if (!linear_is_constant(&x->lower) || !linear_is_constant(&x->upper) || !linear_is_constant(&x->stride))
        return false;
    return x->stride.constant > 0 ? x->lower.constant <= x->upper.constant : x->lower.constant >= x->upper.constant;
}

/* The indices around what is being lowered that may have no iterations. */
static void note_indices(const lowering *l, hoisted *h) {
    h->index = arena_alloc(l->p->memory, MAX_RANK * sizeof *h->index);
    for (int k = 0; k < l->s->indices; k++) {
        const loop_index *x = &l->s->index[k];
        if (x->triangular || is_known_filled(x) || (x->reduction >= 0 && x->reduction != l->reduction)) continue;
        h->index[h->indices++] = *x;
    }
}

/* Calls something, or reads what no array's name stands for. */
static bool reads_anything(const node *n) {
    operation op;
    if (n->kind == N_CALL && !reduction_call(n, &op)) return true;
    if (n->kind == N_MEMBER || (n->kind == N_UNARY && !strcmp(n->op, "*"))) return true;
    if (n->kind == N_NAME && n->symbol && !n->symbol->array && n->symbol->type && n->symbol->type->kind == TYPE_POINTER)
        return true;
    for (size_t c = n->kind == N_CALL ? 1 : 0; c < n->count; c++)
        if (n->child[c] && reads_anything(n->child[c])) return true;
    return false;
}

/* Whether a statement may change what an expression reads. */
static bool may_change(const parallel *s, const node *n) {
    const symbol *left = s->left.symbol;
    if (!left || (!s->left.array && (!left->type || left->type->kind != TYPE_ARRAY))) return true;
    return mentions_symbol(n, left) || reads_anything(n);
}

/* How many of the group's statements must be executed before n is evaluated. */
static size_t statements_before(const hoists *h, const node *n) {
    size_t statements = 0, after = 0;
    for (size_t k = 0; h->group && k < h->group->actions; k++) {
        const action *a = &h->group->action[k];
        if (a->mask >= 0) continue;
        statements++;
        if (may_change(a->statement, n)) after = statements;
    }
    return after;
}

const char *hoist(lowering *l, node *n) {
    hoists *h = l->s->hoisted;
    program *p = l->p;
    if (n->replacement) return n->replacement;
    bool integer = n->type && n->type->kind == TYPE_ARITHMETIC && element_is_integer(n->type->element);
    const char *ctype = integer                                       ? "long"
                        : n->type && n->type->kind == TYPE_ARITHMETIC ? element_spelling(n->type->element)
                                                                      : NULL;
    const char *name = unique_name(p, arena_format(p->memory, "value_%zu", h->count + 1));
    bool fails = may_fail(n);
    lower_reductions_in(p, n);
    hoisted x = {.node = n, .name = name, .ctype = ctype, .after = statements_before(h, n)};
    if (fails) {
        x.guarded = is_conditional(l);
        note_indices(l, &x);
        if (x.guarded) x.guards = guards_around(l, n, true);
    }
    vector_add(p->memory, h->hoisted, h->count, h->capacity, x);
    n->replacement = name;
    return name;
}

const char *hoist_text(lowering *l, node *n, const char *wish, const char *c_text) {
    hoists *h = l->s->hoisted;
    hoisted x = {.node = n, .text = c_text, .ctype = "long", .name = unique_name(l->p, wish)};
    x.after = statements_before(h, n);
    vector_add(l->p->memory, h->hoisted, h->count, h->capacity, x);
    return x.name;
}

/* Hoists the largest parts of n that depend on no index and read memory or call something. */
static void hoist_invariants(lowering *l, node *n) {
    if (!needs_hoisting(n) && !(is_conditional(l) && may_fail(n))) return;
    if (!mentions_index(l, n)) {
        hoist(l, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) hoist_invariants(l, n->child[c]);
}

/* ---- Bounds */

bool linear_in_indices(const lowering *l, const node *n) {
    int64_t value;
    if (!mentions_index(l, n) || n->kind == N_NAME) return true;
    if (n->kind == N_PAREN) return linear_in_indices(l, n->child[0]);
    if (n->kind == N_UNARY) return !strcmp(n->op, "-") && linear_in_indices(l, n->child[0]);
    if (n->kind != N_BINARY || n->op[1]) return false;
    if (n->op[0] == '+' || n->op[0] == '-')
        return linear_in_indices(l, n->child[0]) && linear_in_indices(l, n->child[1]);
    return n->op[0] == '*' && ((constant_value(n->child[0], &value) && linear_in_indices(l, n->child[1])) ||
                               (constant_value(n->child[1], &value) && linear_in_indices(l, n->child[0])));
}

bool reads_distributed(const node *n) {
    if (n->replacement) return false;
    if (n->kind == N_NAME && n->symbol && (n->symbol->array || n->symbol->uses_distributed)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_distributed(n->child[c])) return true;
    return false;
}

/* Reductions in a bound that depend on earlier indices are computed where the bound is. */
static void place_reductions(const lowering *l, node *n) {
    operation op;
    if (!mentions_index(l, n) || n->replacement) return;
    if (reduction_call(n, &op)) {
        lower_reduction_in_place(l->p, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) place_reductions(l, n->child[c]);
}

bool prepare_bound(lowering *l, const char *name, node *n) {
    if (!mentions_index(l, n)) {
        if (needs_hoisting(n)) hoist(l, n);
        return true;
    }
    if (reads_distributed(n)) {
        diagnose(l->p->source, n, D_nested_bounds, name);
        return false;
    }
    place_reductions(l, n);
    for (size_t c = 0; c < n->count && !n->replacement; c++)
        if (n->child[c] && !mentions_index(l, n->child[c]) && needs_hoisting(n->child[c])) hoist(l, n->child[c]);
    return true;
}

/* ---- Affine forms */

typedef struct {
    bool affine;
    int index; /* -1: invariant */
    linear stride, offset;
} form;

static form invariant_form(lowering *l, node *n) {
    if (needs_hoisting(n) || (is_conditional(l) && may_fail(n))) hoist(l, n);
    return (form){true, -1, linear_constant(0), linear_of(l->p->memory, l->p->source, n)};
}

static form affine_form(lowering *l, node *n);

static form sum_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    bool both = x.index >= 0 && y.index >= 0;
    if (!x.affine || !y.affine || (both && x.index != y.index)) return (form){0};
    linear (*combine)(arena *, linear, linear) = n->op[0] == '+' ? linear_add : linear_subtract;
    return (form){true, x.index >= 0 ? x.index : y.index, combine(a, x.stride, y.stride),
                  combine(a, x.offset, y.offset)};
}

static form product_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    if (!x.affine || !y.affine || (x.index >= 0 && y.index >= 0)) return (form){0};
    form *moving = x.index >= 0 ? &x : &y;
    linear factor = x.index >= 0 ? y.offset : x.offset;
    return (form){true, moving->index, linear_multiply(a, factor, moving->stride),
                  linear_multiply(a, factor, moving->offset)};
}

static form affine_form(lowering *l, node *n) {
    if (l->sections > 0 && section_count(n) > 0) return (form){0};
    int k = index_number(l, n);
    if (k >= 0) return (form){true, k, linear_constant(1), linear_constant(0)};
    if (!mentions_index(l, n)) return invariant_form(l, n);
    if (n->kind == N_PAREN) return affine_form(l, n->child[0]);
    if (n->kind == N_BINARY && !n->op[1]) {
        if (n->op[0] == '+' || n->op[0] == '-') return sum_form(l, n);
        if (n->op[0] == '*') return product_form(l, n);
    }
    if (n->kind == N_UNARY && n->op[0] == '-' && !n->op[1]) {
        form x = affine_form(l, n->child[0]);
        linear zero = linear_constant(0);
        x.stride = linear_subtract(l->p->memory, zero, x.stride);
        x.offset = linear_subtract(l->p->memory, zero, x.offset);
        return x;
    }
    return (form){0};
}

subscript subscript_of(lowering *l, node *n) {
    if (l->loop && varies(l->loop, n)) return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n};
    form f = affine_form(l, n);
    if (!f.affine) return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n};
    if (f.index < 0 || linear_is(&f.stride, 0))
        return (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = f.offset, .node = n};
    return (subscript){.kind = SUBSCRIPT_AFFINE, .index = f.index, .stride = f.stride, .offset = f.offset, .node = n};
}

/* ---- Sections */

int section_count(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count, sections = 0;
    if (chain->kind != N_INDEX || !index_chain(chain, &name, subscripts, &count)) return 0;
    for (int d = 0; d < count; d++) sections += subscripts[d]->kind == N_TRIPLET;
    return sections;
}

node *first_section(node *n) {
    operation op;
    if (reduction_call(n, &op)) return NULL;
    if (section_count(n) > 0) return n;
    for (size_t c = 0; c < n->count; c++) {
        node *found = n->child[c] ? first_section(n->child[c]) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* (long)(sizeof(A[0]) / sizeof(A[0][0])): the extent of dimension d of a C array, whatever the variables in it are now.
 */
static linear extent_by_size(lowering *l, const node *base, int d) {
    const char *row = ast_quote(l->p->memory, l->p->source, base);
    for (int k = 0; k < d; k++) row = arena_format(l->p->memory, "%s[0]", row);
    return linear_atom(arena_format(l->p->memory, "(long)(sizeof(%s) / sizeof(%s[0]))", row, row), NULL);
}

static linear lower_of_c_array(lowering *l, symbol *s, int d, node *lower) {
    int64_t known;
    if (!lower) return linear_constant(0);
    if (!s || s->file_scope || s->is_parameter || s->type->kind != TYPE_ARRAY || constant_value(lower, &known))
        return linear_of(l->p->memory, l->p->source, lower);
    if (!s->lower_name[d]) s->lower_name[d] = unique_name(l->p, arena_format(l->p->memory, "%s_lower%d", s->name, d));
    return linear_atom(s->lower_name[d], NULL);
}

/* Declared bounds of dimension d of the array that `base` is; false where its declaration doesn't give them. */
static bool declared_bounds(lowering *l, const node *base, int d, linear *low, linear *high) {
    arena *a = l->p->memory;
    symbol *s = base->kind == N_NAME ? base->symbol : NULL;
    if (s && s->array) {
        *low = s->array->lower[d];
        *high = s->array->upper[d];
        return true;
    }
    const type *t = base->type;
    for (int k = 0; t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && k < d; k++) t = t->of;
    bool parameter = s && s->is_parameter;
    if (!t || t->kind != TYPE_ARRAY || (parameter && d == 0)) return false;
    node *lower = t->array->child[1], *upper = t->array->child[2];
    int64_t known;
    *low = lower_of_c_array(l, s, d, lower);
    bool fixed = upper && constant_value(upper, &known) && (!lower || constant_value(lower, &known));
    if (fixed || (upper && (parameter || (s && s->file_scope)))) {
        *high = linear_of(a, l->p->source, upper);
        if (!lower) *high = linear_subtract(a, *high, linear_constant(1));
        return true;
    }
    *high = linear_add(a, *low, linear_subtract(a, extent_by_size(l, base, d), linear_constant(1)));
    return upper || (d == 0 && s && !s->is_extern);
}

linear prepared(lowering *l, node *n) {
    hoist_invariants(l, n);
    return linear_of(l->p->memory, l->p->source, n);
}

/* An omitted bound is the declared one in the order of the stride. */
static linear default_bound(lowering *l, node *chain, const node *base, int d, bool first, const linear *stride) {
    arena *a = l->p->memory;
    linear low, high;
    if (!declared_bounds(l, base, d, &low, &high)) {
        diagnose(l->p->source, chain, D_section_bounds, ast_quote(a, l->p->source, base));
        return linear_atom(first ? "first" : "last", NULL); /* unknown: the section conforms to any */
    }
    if (linear_is_constant(stride)) return (stride->constant > 0) == first ? low : high;
    return linear_atom(arena_format(a, "(%s > 0 ? %s : %s)", linear_operand(a, stride),
                                    linear_text(a, first ? &low : &high), linear_text(a, first ? &high : &low)),
                       NULL);
}

static void triplet_of(lowering *l, node *chain, const node *base, int d, node *t, linear bounds[3]) {
    const symbol *s = base->symbol;
    for (int k = 0; k < 3; k++) bounds[k] = linear_constant(1);
    for (int k = 0; k < 3; k++)
        if (t->child[k] && !prepare_bound(l, s ? s->name : "?", t->child[k])) return;
    bounds[2] = t->child[2] ? prepared(l, t->child[2]) : linear_constant(1);
    if (linear_is(&bounds[2], 0)) {
        if (!s || !s->array) diagnose(l->p->source, t->child[2], D_zero_stride);
        bounds[2] = linear_constant(1);
    }
    bounds[0] = t->child[0] ? prepared(l, t->child[0]) : default_bound(l, chain, base, d, true, &bounds[2]);
    bounds[1] = t->child[1] ? prepared(l, t->child[1]) : default_bound(l, chain, base, d, false, &bounds[2]);
}

/* The triplets of a chain in order; returns how many. */
static int triplets_of(lowering *l, node *chain, linear triplets[][3]) {
    node *name, *subscripts[MAX_RANK];
    int count, sections = 0;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind == N_TRIPLET) triplet_of(l, chain, name, d, subscripts[d], triplets[sections++]);
    return sections;
}

/* What is moved along a section is counted from its beginning, unless all strides are 1. */
static void settle_moved(lowering *l, node *n) {
    linear triplets[MAX_RANK][3];
    const int sections = section_count(n);
    if (sections > 0) triplets_of(l, n, triplets);
    for (int k = 0; k < sections || k < l->sections; k++)
        if ((k < sections && !linear_is(&triplets[k][2], 1)) || (k < l->sections && !linear_is(&l->section[k][2], 1)))
            for (int j = 0; j < l->sections; j++) l->by_value[j] = false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_moved(l, n->child[c]);
}

/* An index runs over the leading reference's subscripts when every reference has its stride; else over iteration
 * numbers. */
static void settle_form(lowering *l, node *n) {
    operation op;
    intrinsic kind;
    if (reduction_call(n, &op)) return;
    if (intrinsic_call(n, &kind)) {
        settle_moved(l, n);
        return;
    }
    if (section_count(n) == l->sections) {
        linear triplets[MAX_RANK][3];
        triplets_of(l, n, triplets);
        for (int k = 0; k < l->sections; k++)
            if (!linear_equal(&triplets[k][2], &l->section[k][2])) l->by_value[k] = false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_form(l, n->child[c]);
}

static bool mentions_name(const node *n, const char *name) {
    if (n->kind == N_NAME && !strcmp(n->name, name)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_name(n->child[c], name)) return true;
    return false;
}

/* Whether a name stands in the bounds of an array parameter: an omitted bound may bring it into a statement. */
static bool is_parameter_bound(const program *p, const char *name) {
    for (size_t k = 0; k < p->symbol_count; k++)
        for (const type *t = p->symbols[k]->is_parameter ? p->symbols[k]->type : NULL; t && t->kind == TYPE_ARRAY;
             t = t->of)
            if ((t->array->child[1] && mentions_name(t->array->child[1], name)) ||
                (t->array->child[2] && mentions_name(t->array->child[2], name)))
                return true;
    return false;
}

static bool occurs(const lowering *l, const char *name) {
    for (int k = 0; k < l->s->indices; k++)
        if (!strcmp(l->s->index[k].name, name)) return true;
    for (size_t t = l->s->node->first; t <= l->s->node->last; t++)
        if (!strcmp(l->p->source->tokens[t].text, name)) return true;
    return is_parameter_bound(l->p, name);
}

static const char *section_index_name(lowering *l) {
    static const char *const names[] = {"i", "j", "k", "l", "m"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!occurs(l, names[k])) return names[k];
    for (int k = 1;; k++) {
        const char *name = arena_format(l->p->memory, "i%d", k);
        if (!occurs(l, name)) return name;
    }
}

linear section_extent(lowering *l, const linear t[3]) {
    arena *a = l->p->memory;
    int64_t s = t[2].constant;
    if (linear_is_constant(&t[0]) && linear_is_constant(&t[1]) && linear_is_constant(&t[2])) {
        int64_t span = s > 0 ? t[1].constant - t[0].constant : t[0].constant - t[1].constant;
        return linear_constant(span < 0 ? 0 : span / (s > 0 ? s : -s) + 1);
    }
    if (linear_is(&t[2], 1)) return linear_add(a, linear_subtract(a, t[1], t[0]), linear_constant(1));
    return linear_atom(arena_format(a, "dpc_extent(\"%s\", %s, %s, %s)", place_of(l->p, l->s->node),
                                    linear_text(a, &t[0]), linear_text(a, &t[1]), linear_text(a, &t[2])),
                       NULL);
}

/* The k-th section of a chain. */
static const node *section_at(node *chain, int k) {
    node *name, *subscripts[MAX_RANK];
    int count, d = 0;
    index_chain(chain, &name, subscripts, &count);
    while (subscripts[d]->kind != N_TRIPLET || k-- > 0) d++;
    return subscripts[d];
}

/* Whether earlier indices occur only linearly in the bounds of the k-th section. */
static bool section_is_linear(const lowering *l, node *chain, int k) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++) {
        const node *t = subscripts[d];
        if (t->kind != N_TRIPLET || k-- > 0) continue;
        return (!t->child[0] || linear_in_indices(l, t->child[0])) &&
               (!t->child[1] || linear_in_indices(l, t->child[1])) && !(t->child[2] && mentions_index(l, t->child[2]));
    }
    return true;
}

void open_sections(lowering *l, node *chain, node *n) {
    operation op;
    l->sections = section_count(chain);
    l->first_section = l->s->indices;
    if (l->s->indices + l->sections > MAX_RANK) {
        diagnose(l->p->source, chain, D_too_many_indices);
        l->sections = 0;
        return;
    }
    triplets_of(l, chain, l->section);
    l->rank = l->sections;
    for (int k = 0; k < l->sections; k++) {
        l->by_value[k] = true;
        l->order[k] = k;
        l->motion[k] = (motion){0};
        l->leader[k] = ast_quote(l->p->memory, l->p->source, chain);
        l->section_index[k] = l->first_section + k;
    }
    const bool reduces = reduction_call(n, &op); /* what it reduces decides */
    for (size_t c = 0; reduces && c < n->count; c++) settle_form(l, n->child[c]);
    if (!reduces) settle_form(l, n);
    for (int k = 0; k < l->sections; k++) {
        linear *t = l->section[k];
        loop_index *x = &l->s->index[l->s->indices];
        *x = (loop_index){
            .name = section_index_name(l), .lower = t[0], .upper = t[1], .stride = t[2], .reduction = l->reduction};
        if (!l->by_value[k]) {
            linear extent = section_extent(l, t);
            x->lower = linear_constant(0);
            x->upper = linear_subtract(l->p->memory, extent, linear_constant(1));
            x->stride = linear_constant(1);
        }
        x->triangular =
            linear_mentions_index(l, &t[0]) || linear_mentions_index(l, &t[1]) || linear_mentions_index(l, &t[2]);
        x->box_linear = l->by_value[k] && section_is_linear(l, chain, k);
        if (x->triangular) x->guards = guards_of_bounds(l, section_at(chain, k)->child, 3);
        l->s->indices++;
    }
}

bool add_section(lowering *l, node *chain, int k) {
    linear triplets[MAX_RANK][3];
    const int n = l->sections;
    if (l->s->indices == MAX_RANK || n == MAX_RANK) {
        diagnose(l->p->source, chain, D_too_many_indices);
        return false;
    }
    triplets_of(l, chain, triplets);
    memcpy(l->section[n], triplets[k], sizeof triplets[k]);
    l->by_value[n] = false;
    l->motion[n] = (motion){0};
    l->leader[n] = ast_quote(l->p->memory, l->p->source, chain);
    l->section_index[n] = l->s->indices;
    l->sections++;
    const linear extent = section_extent(l, triplets[k]);
    loop_index *x = &l->s->index[l->s->indices];
    *x = (loop_index){.name = section_index_name(l), .reduction = l->reduction};
    x->lower = linear_constant(0);
    x->upper = linear_subtract(l->p->memory, extent, linear_constant(1));
    x->stride = linear_constant(1);
    x->triangular = linear_mentions_index(l, &extent);
    l->s->indices++;
    return true;
}

/* Whether the same sections are compared already. */
static bool is_checked(const parallel *s, const conformity *c) {
    for (size_t k = 0; k < s->conformities; k++) {
        const conformity *d = &s->conformity[k];
        bool same = !strcmp(c->left_text, d->left_text) && !strcmp(c->right_text, d->right_text);
        for (int j = 0; j < 3; j++)
            same = same && linear_equal(&c->left[j], &d->left[j]) && linear_equal(&c->right[j], &d->right[j]);
        if (same) return true;
    }
    return false;
}

static void check_conformity(lowering *l, node *chain, int k, linear t[3]) {
    linear mine = section_extent(l, l->section[k]), theirs = section_extent(l, t);
    const char *quote = ast_quote(l->p->memory, l->p->source, chain);
    linear width = linear_subtract(l->p->memory, l->section[k][1], l->section[k][0]);
    linear other = linear_subtract(l->p->memory, t[1], t[0]);
    if (linear_is_constant(&mine) && linear_is_constant(&theirs)) {
        int64_t x = mine.constant < 0 ? 0 : mine.constant, y = theirs.constant < 0 ? 0 : theirs.constant;
        if (x != y) diagnose(l->p->source, chain, D_non_conforming, (long long)x, l->leader[k], (long long)y, quote);
        return;
    }
    if (linear_equal(&width, &other) && linear_equal(&t[2], &l->section[k][2])) return;
    if (l->s->index[l->section_index[k]].triangular || linear_mentions_index(l, &t[0]) ||
        linear_mentions_index(l, &t[1]) || linear_mentions_index(l, &t[2]))
        return;
    conformity c = {.left_text = l->leader[k], .right_text = quote};
    memcpy(c.left, l->section[k], sizeof c.left);
    memcpy(c.right, t, sizeof c.right);
    if (is_checked(l->s, &c)) return;
    vector_add(l->p->memory, l->s->conformity, l->s->conformities, l->s->conformity_capacity, c);
}

static bool is_whole(const node *base, int d, const linear bounds[3]) {
    const array *x = base->symbol ? base->symbol->array : NULL;
    return x && linear_equal(&bounds[0], &x->lower[d]) && linear_equal(&bounds[1], &x->upper[d]) &&
           linear_is(&bounds[2], 1);
}

/* The subscript that the k-th section of a reference becomes. */
static subscript section_subscript(lowering *l, reference *r, int k, int d, node *t) {
    linear bounds[3];
    const int section = l->order[k];
    triplet_of(l, r->node, r->base, d, t, bounds);
    check_conformity(l, r->node, section, bounds);
    const subscript result = moved_subscript(l, section, bounds);
    if (result.kind == SUBSCRIPT_AFFINE && l->motion[section].cycled)
        add_cycle(l, r, d, section, bounds, is_whole(r->base, d, bounds));
    return result;
}

/* ---- References */

/* Number of subscripts that hold a section of another array: B[idx[:]]. */
static int vector_subscripts(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count, vectors = 0;
    if (!index_chain(chain, &name, subscripts, &count)) return 0;
    for (int d = 0; d < count; d++) vectors += subscripts[d]->kind != N_TRIPLET && first_section(subscripts[d]) != NULL;
    return vectors;
}

reference make_reference(lowering *l, node *chain) {
    int vectors = vector_subscripts(chain);
    if (vectors > 0 && vectors + section_count(chain) > 1)
        diagnose(l->p->source, chain, D_not_implemented, "a vector subscript beside another section");
    node *name, *subscripts[MAX_RANK];
    reference r = {.node = chain, .guarded = l->guarded, .reduction = l->reduction, .mask = l->mask};
    r.own_mask = l->own_mask;
    index_chain(chain, &name, subscripts, &r.rank);
    r.base = name;
    r.symbol = name->symbol;
    r.array = name->symbol ? name->symbol->array : NULL;
    int k = 0;
    for (int d = 0; d < r.rank; d++)
        r.subscript[d] = subscripts[d]->kind == N_TRIPLET ? section_subscript(l, &r, k++, d, subscripts[d])
                                                          : subscript_of(l, subscripts[d]);
    return r;
}

/* Makes the reference of a chain; false after an error. */
static bool read_reference(lowering *l, node *chain, reference *r) {
    int sections = section_count(chain);
    if (sections > 0 && sections != l->rank) {
        diagnose(l->p->source, chain, D_section_rank, sections, ast_quote(l->p->memory, l->p->source, chain), l->rank);
        return false;
    }
    *r = make_reference(l, chain);
    return !r->array || r->rank == r->array->rank; /* else reported by check_uses */
}

/* Whether `count` subscripts may stand behind an expression. */
static bool has_elements(const node *base, int count) {
    const type *t = base->type;
    for (; count > 0 && t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER); count--) t = t->of;
    return count == 0 || !t || t->kind == TYPE_UNKNOWN;
}

/* What goes round is all turns at once, if ghost cells hold it, and each turn by itself. */
static void add_reference(lowering *l, reference r) {
    if (r.cycles == 0 || r.array)
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, r);
    for (int turn = 0; r.cycles > 0 && turn < 1 << r.cycles; turn++)
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, turned(l, &r, turn));
}

static void collect_index(lowering *l, node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(n, &name, subscripts, &count)) {
        for (size_t c = 0; c < n->count; c++) collect_references(l, n->child[c]);
        return;
    }
    bool distributed = name->symbol && name->symbol->array;
    if (section_count(n) > 0 && !has_elements(name, count)) {
        diagnose(l->p->source, n, D_section_on_scalar, ast_quote(l->p->memory, l->p->source, name));
        return;
    }
    reference r; /* made first: what its subscripts evaluate beforehand is no reference */
    bool adds = (distributed || section_count(n) > 0) && read_reference(l, n, &r), in_place = l->in_place;
    l->in_place = true;
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && mentions_index(l, subscripts[d])) collect_references(l, subscripts[d]);
    if (name->kind != N_NAME) collect_references(l, name);
    l->in_place = in_place;
    if (adds) add_reference(l, r);
}

static void collect_guarded(lowering *l, node *n, size_t from) {
    bool guarded = l->guarded;
    collect_references(l, n->child[0]);
    l->guarded = true;
    for (size_t c = from; c < n->count; c++)
        if (n->child[c]) collect_references(l, n->child[c]);
    l->guarded = guarded;
}

static void check_call(lowering *l, node *n) {
    const node *f = inside_parentheses(n->child[0]);
    const symbol *callee = f->kind == N_NAME ? f->symbol : NULL;
    bool foreign = f->kind == N_NAME && !callee;
    if (!foreign && (!callee || callee->kind != SYMBOL_FUNCTION || callee->calls_unknown)) l->s->calls_unknown = true;
    if (!callee || !callee->uses_distributed) return;
    diagnose(l->p->source, n, D_impure_call, callee->name);
    diagnose_help("pass the elements that it needs as arguments");
}

static bool changes_something(const node *n) {
    return n->kind == N_ASSIGN || n->kind == N_POSTFIX ||
           (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
}

/* A call that all processes make together: for each element it would be made in different numbers. */
static bool is_clock(const node *n) {
    const node *callee = n->kind == N_CALL ? n->child[0] : NULL;
    if (!callee || callee->kind != N_NAME || callee->symbol) return false;
    return !strcmp(callee->name, "dpc_wtime") || !strcmp(callee->name, "time") || !strcmp(callee->name, "clock");
}

void collect_references(lowering *l, node *n) {
    operation op;
    intrinsic kind;
    if (is_clock(n) && !mentions_index(l, n)) hoist(l, n);
    if (n->replacement || n->kind == N_SIZEOF) return;
    if (reduction_call(n, &op)) {
        lower_inner_reduction(l, n);
        return;
    }
    if (intrinsic_call(n, &kind)) {
        collect_intrinsic(l, n, kind);
        return;
    }
    if (changes_something(n))
        diagnose(l->p->source, n, D_side_effect, ast_quote(l->p->memory, l->p->source, n->child[0]));
    if (n->kind == N_CALL) check_call(l, n);
    bool short_circuit = n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||"));
    if (n->kind == N_CONDITIONAL || short_circuit)
        collect_guarded(l, n, 1);
    else if (n->kind == N_INDEX)
        collect_index(l, n);
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) collect_references(l, n->child[c]);
}
