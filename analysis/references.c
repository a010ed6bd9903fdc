/* Pass "lower": references, their subscripts and sections. */
#include <string.h>

#include "lower.h"

/* ---- Indices in expressions */

static int index_number(const lowering *l, const node *n) {
    if (n->kind != N_NAME || !n->symbol || n->symbol->kind != SYMBOL_INDEX) return -1;
    for (int k = 0; k < l->s->indices; k++)
        if (l->s->index[k].symbol == n->symbol) return k;
    return -1;
}

bool mentions_index(const lowering *l, const node *n) {
    if (n->replacement) return false;
    if (index_number(l, n) >= 0) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_index(l, n->child[c])) return true;
    return false;
}

static bool linear_mentions_index(const lowering *l, const linear *x) {
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

const char *hoist(lowering *l, node *n) {
    hoists *h = l->s->hoisted;
    program *p = l->p;
    if (n->replacement) return n->replacement;
    bool integer = n->type && n->type->kind == TYPE_ARITHMETIC && element_is_integer(n->type->element);
    const char *ctype = integer ? "long" : n->type && n->type->kind == TYPE_ARITHMETIC ? element_spelling(n->type->element) : NULL;
    const char *name = fresh_name(p, arena_format(p->memory, "value_%zu", h->count + 1));
    vector_add(p->memory, h->node, h->count, h->capacity, n);
    h->count--;
    vector_add(p->memory, h->name, h->count, h->name_capacity, name);
    h->count--;
    vector_add(p->memory, h->ctype, h->count, h->ctype_capacity, ctype);
    n->replacement = name;
    return name;
}

/* Hoists the largest parts of n that depend on no index and read memory or call something. */
static void hoist_invariants(lowering *l, node *n) {
    if (!needs_hoisting(n)) return;
    if (!mentions_index(l, n)) {
        hoist(l, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) hoist_invariants(l, n->child[c]);
}

/* ---- Affine forms */

typedef struct {
    bool affine;
    int index; /* -1: invariant */
    linear stride, offset;
} form;

static form invariant_form(lowering *l, node *n) {
    if (needs_hoisting(n)) hoist(l, n);
    return (form){true, -1, linear_constant(0), linear_of(l->p->memory, l->p->source, n)};
}

static form affine_form(lowering *l, node *n);

static form sum_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    bool both = x.index >= 0 && y.index >= 0;
    if (!x.affine || !y.affine || (both && x.index != y.index)) return (form){0};
    linear (*combine)(arena *, linear, linear) = n->op[0] == '+' ? linear_add : linear_subtract;
    return (form){true, x.index >= 0 ? x.index : y.index, combine(a, x.stride, y.stride), combine(a, x.offset, y.offset)};
}

static form product_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    if (!x.affine || !y.affine || (x.index >= 0 && y.index >= 0)) return (form){0};
    form *moving = x.index >= 0 ? &x : &y;
    linear factor = x.index >= 0 ? y.offset : x.offset;
    return (form){true, moving->index, linear_multiply(a, factor, moving->stride), linear_multiply(a, factor, moving->offset)};
}

static form affine_form(lowering *l, node *n) {
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

/* Declared bound of dimension d of a chain's array: lower (0) or upper (1). */
static bool declared_bound(lowering *l, const symbol *s, int d, int which, linear *bound) {
    if (s && s->array) {
        *bound = which ? s->array->upper[d] : s->array->lower[d];
        return true;
    }
    const type *t = s ? s->type : NULL;
    for (int k = 0; t && t->kind == TYPE_ARRAY && k < d; k++) t = t->of;
    if (!t || t->kind != TYPE_ARRAY || s->is_parameter) return false;
    if (which && !t->array->child[2]) { /* extent by initialiser */
        *bound = linear_atom(arena_format(l->p->memory, "(long)(sizeof(%s) / sizeof(%s[0])) - 1", s->name, s->name), NULL);
        return d == 0 && !s->is_extern;
    }
    node *lower = t->array->child[1], *upper = t->array->child[2];
    if (which == 0) *bound = lower ? linear_of(l->p->memory, l->p->source, lower) : linear_constant(0);
    else {
        *bound = linear_of(l->p->memory, l->p->source, upper);
        if (!lower) *bound = linear_subtract(l->p->memory, *bound, linear_constant(1));
    }
    return true;
}

static linear prepared(lowering *l, node *n) {
    hoist_invariants(l, n);
    return linear_of(l->p->memory, l->p->source, n);
}

/* An omitted bound is the declared one in the order of the stride. */
static linear default_bound(lowering *l, node *chain, const symbol *s, int d, bool first, const linear *stride) {
    arena *a = l->p->memory;
    linear low, high;
    if (!declared_bound(l, s, d, 0, &low) || !declared_bound(l, s, d, 1, &high)) {
        diagnose(l->p->source, chain, D_section_bounds, s ? s->name : "this expression");
        return linear_constant(0);
    }
    if (linear_is_constant(stride)) return (stride->constant > 0) == first ? low : high;
    return linear_atom(arena_format(a, "(%s > 0 ? %s : %s)", linear_operand(a, stride), linear_text(a, first ? &low : &high),
                                    linear_text(a, first ? &high : &low)),
                       NULL);
}

static void triplet_of(lowering *l, node *chain, const symbol *s, int d, node *t, linear bounds[3]) {
    bounds[2] = t->child[2] ? prepared(l, t->child[2]) : linear_constant(1);
    if (linear_is(&bounds[2], 0)) {
        if (!s || !s->array) diagnose(l->p->source, t->child[2], D_zero_stride);
        bounds[2] = linear_constant(1);
    }
    bounds[0] = t->child[0] ? prepared(l, t->child[0]) : default_bound(l, chain, s, d, true, &bounds[2]);
    bounds[1] = t->child[1] ? prepared(l, t->child[1]) : default_bound(l, chain, s, d, false, &bounds[2]);
}

/* The triplets of a chain in order; returns how many. */
static int triplets_of(lowering *l, node *chain, linear triplets[][3]) {
    node *name, *subscripts[MAX_RANK];
    int count, sections = 0;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind == N_TRIPLET) triplet_of(l, chain, name->symbol, d, subscripts[d], triplets[sections++]);
    return sections;
}

/* An index runs over the leading reference's subscripts when every reference has its stride; else over iteration numbers. */
static void settle_form(lowering *l, node *n) {
    operation op;
    if (reduction_call(n, &op)) return;
    if (section_count(n) == l->sections) {
        linear triplets[MAX_RANK][3];
        triplets_of(l, n, triplets);
        for (int k = 0; k < l->sections; k++)
            if (!linear_equal(&triplets[k][2], &l->section[k][2])) l->by_value[k] = false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_form(l, n->child[c]);
}

static bool occurs(const lowering *l, const char *name) {
    for (int k = 0; k < l->s->indices; k++)
        if (!strcmp(l->s->index[k].name, name)) return true;
    for (size_t t = l->s->node->first; t <= l->s->node->last; t++)
        if (!strcmp(l->p->source->tokens[t].text, name)) return true;
    return false;
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

static linear section_extent(lowering *l, const linear t[3]) {
    arena *a = l->p->memory;
    int64_t s = t[2].constant;
    if (linear_is_constant(&t[0]) && linear_is_constant(&t[1]) && linear_is_constant(&t[2])) {
        int64_t span = s > 0 ? t[1].constant - t[0].constant : t[0].constant - t[1].constant;
        return linear_constant(span < 0 ? 0 : span / (s > 0 ? s : -s) + 1);
    }
    if (linear_is(&t[2], 1)) return linear_add(a, linear_subtract(a, t[1], t[0]), linear_constant(1));
    return linear_atom(arena_format(a, "dpc_extent(\"%s\", %s, %s, %s)", place_of(l->p, l->s->node), linear_text(a, &t[0]),
                                    linear_text(a, &t[1]), linear_text(a, &t[2])),
                       NULL);
}

void open_sections(lowering *l, node *chain, node *n) {
    l->leader = ast_quote(l->p->memory, l->p->source, chain);
    l->sections = section_count(chain);
    l->first_section = l->s->indices;
    if (l->s->indices + l->sections > MAX_RANK) {
        diagnose(l->p->source, chain, D_too_many_indices);
        l->sections = 0;
        return;
    }
    triplets_of(l, chain, l->section);
    for (int k = 0; k < l->sections; k++) l->by_value[k] = true;
    settle_form(l, n);
    for (int k = 0; k < l->sections; k++) {
        linear *t = l->section[k];
        loop_index *x = &l->s->index[l->s->indices];
        *x = (loop_index){.name = section_index_name(l), .lower = t[0], .upper = t[1], .stride = t[2], .reduction = l->reduction};
        if (!l->by_value[k]) {
            linear extent = section_extent(l, t);
            x->lower = linear_constant(0);
            x->upper = linear_subtract(l->p->memory, extent, linear_constant(1));
            x->stride = linear_constant(1);
        }
        x->triangular = linear_mentions_index(l, &t[0]) || linear_mentions_index(l, &t[1]);
        x->box_linear = l->by_value[k];
        l->s->indices++;
    }
}

static void check_conformity(lowering *l, node *chain, int k, linear t[3]) {
    linear mine = section_extent(l, l->section[k]), theirs = section_extent(l, t);
    const char *quote = ast_quote(l->p->memory, l->p->source, chain);
    linear width = linear_subtract(l->p->memory, l->section[k][1], l->section[k][0]);
    linear other = linear_subtract(l->p->memory, t[1], t[0]);
    if (linear_is_constant(&mine) && linear_is_constant(&theirs)) {
        int64_t x = mine.constant < 0 ? 0 : mine.constant, y = theirs.constant < 0 ? 0 : theirs.constant;
        if (x != y) diagnose(l->p->source, chain, D_non_conforming, (long long)x, l->leader, (long long)y, quote);
        return;
    }
    if (linear_equal(&width, &other) && linear_equal(&t[2], &l->section[k][2])) return;
    if (l->s->index[l->first_section + k].triangular || linear_mentions_index(l, &t[0])) return;
    conformity c = {.left_text = l->leader, .right_text = quote};
    memcpy(c.left, l->section[k], sizeof c.left);
    memcpy(c.right, t, sizeof c.right);
    vector_add(l->p->memory, l->s->conformity, l->s->conformities, l->s->conformity_capacity, c);
}

/* The subscript that the k-th section of a reference becomes. */
static subscript section_subscript(lowering *l, node *chain, int k, const symbol *s, int d, node *t) {
    arena *a = l->p->memory;
    linear bounds[3];
    triplet_of(l, chain, s, d, t, bounds);
    check_conformity(l, chain, k, bounds);
    int index = l->first_section + k;
    subscript result = {.kind = SUBSCRIPT_AFFINE, .index = index, .stride = linear_constant(1)};
    if (l->by_value[k]) result.offset = linear_subtract(a, bounds[0], l->section[k][0]);
    else {
        result.offset = bounds[0];
        result.stride = bounds[2];
    }
    if (!linear_mentions_index(l, &result.offset)) return result;
    linear value = linear_multiply(a, result.stride, linear_atom(l->s->index[index].name, NULL));
    value = linear_add(a, result.offset, value);
    return (subscript){.kind = SUBSCRIPT_GENERAL, .text = linear_text(a, &value)};
}

/* ---- References */

reference make_reference(lowering *l, node *chain) {
    node *name, *subscripts[MAX_RANK];
    reference r = {.node = chain, .guarded = l->guarded, .reduction = l->reduction, .mask = l->mask};
    index_chain(chain, &name, subscripts, &r.rank);
    r.symbol = name->symbol;
    r.array = name->symbol ? name->symbol->array : NULL;
    int k = 0;
    for (int d = 0; d < r.rank; d++)
        r.subscript[d] = subscripts[d]->kind == N_TRIPLET ? section_subscript(l, chain, k++, r.symbol, d, subscripts[d])
                                                          : subscript_of(l, subscripts[d]);
    return r;
}

static void add_reference(lowering *l, node *chain) {
    parallel *s = l->s;
    int sections = section_count(chain);
    if (sections > 0 && sections != l->sections) {
        diagnose(l->p->source, chain, D_section_rank, sections, ast_quote(l->p->memory, l->p->source, chain), l->sections);
        return;
    }
    reference r = make_reference(l, chain);
    if (r.array && r.rank != r.array->rank) return; /* reported by check_uses */
    vector_add(l->p->memory, s->reference, s->references, s->reference_capacity, r);
}

static void collect_index(lowering *l, node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(n, &name, subscripts, &count)) {
        for (size_t c = 0; c < n->count; c++) collect_references(l, n->child[c]);
        return;
    }
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && mentions_index(l, subscripts[d])) collect_references(l, subscripts[d]);
    bool distributed = name->symbol && name->symbol->array;
    if (distributed || section_count(n) > 0) add_reference(l, n);
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
    const symbol *callee = n->child[0]->kind == N_NAME ? n->child[0]->symbol : NULL;
    if (!callee || !callee->uses_distributed) return;
    diagnose(l->p->source, n, D_impure_call, callee->name);
    diagnose_help("pass the elements that it needs as arguments");
}

static bool changes_something(const node *n) {
    return n->kind == N_ASSIGN || n->kind == N_POSTFIX || (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
}

void collect_references(lowering *l, node *n) {
    operation op;
    if (n->replacement || n->kind == N_SIZEOF) return;
    if (reduction_call(n, &op)) {
        lower_inner_reduction(l, n);
        return;
    }
    if (changes_something(n)) diagnose(l->p->source, n, D_side_effect, ast_quote(l->p->memory, l->p->source, n->child[0]));
    if (n->kind == N_CALL) check_call(l, n);
    bool short_circuit = n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||"));
    if (n->kind == N_CONDITIONAL || short_circuit) collect_guarded(l, n, 1);
    else if (n->kind == N_INDEX) collect_index(l, n);
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) collect_references(l, n->child[c]);
}
