/* Array sections: their bounds, indices and conformity. */
#include <string.h>

#include "lower.h"

/* Whether elements of an array of this type may have no size: arrays with an extent that is computed. */
static bool may_be_empty(const type *t) {
    int64_t low = 0, high;
    if (t->kind != TYPE_ARRAY) return false;
    const node *lower = t->array->child[1], *upper = t->array->child[2];
    if (!upper || !constant_value(upper, &high) || (lower && !constant_value(lower, &low))) return true;
    return (lower ? high < low : high <= 0) || may_be_empty(t->of);
}

/* The extent as the declaration has it. */
static linear written_extent(lowering *l, const type *t, const linear *low) {
    const node *upper = t->array->child[2];
    if (!upper) return linear_constant(0);
    const linear high = linear_of(l->p->memory, l->p->source, upper);
    if (!t->array->child[1]) return high;
    return linear_add(l->p->memory, linear_subtract(l->p->memory, high, *low), linear_constant(1));
}

/* (long)(sizeof(A[0]) / sizeof(A[0][0])): the extent of dimension d of a C array, of type t, whatever the variables in
 * it are now.  Where rows have no size that is lost: then it is what the declaration says. */
static linear extent_by_size(lowering *l, const node *base, int d, const type *t, const linear *low) {
    arena *a = l->p->memory;
    const char *row = ast_quote(a, l->p->source, base);
    for (int k = 0; k < d; k++) row = arena_format(a, "%s[0]", row);
    if (!may_be_empty(t->of))
        return linear_atom(a, arena_format(a, "(long)(sizeof(%s) / sizeof(%s[0]))", row, row), NULL);
    const linear extent = written_extent(l, t, low);
    return linear_atom(a,
                       arena_format(a, "(sizeof(%s[0]) > 0 ? (long)(sizeof(%s) / sizeof(%s[0])) : %s)", row, row, row,
                                    linear_text(a, &extent)),
                       NULL);
}

static linear lower_of_c_array(lowering *l, const symbol *s, int d, node *lower) {
    if (!lower) return linear_constant(0);
    return s && s->lower_name && s->lower_name[d] ? linear_atom(l->p->memory, s->lower_name[d], NULL)
                                                  : linear_of(l->p->memory, l->p->source, lower);
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
    if (fixed || (upper && ((parameter && !may_vary(upper)) || (s && s->file_scope)))) {
        *high = linear_of(a, l->p->source, upper);
        if (!lower) *high = linear_subtract(a, *high, linear_constant(1));
        return true;
    }
    *high = linear_add(a, *low, linear_subtract(a, extent_by_size(l, base, d, t, low), linear_constant(1)));
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
        return linear_atom(l->p->memory, first ? "first" : "last", NULL); /* unknown: the section conforms to any */
    }
    int64_t known;
    if (linear_value(stride, &known)) return (known > 0) == first ? low : high;
    return linear_atom(l->p->memory,
                       arena_format(a, "(%s > 0 ? %s : %s)", linear_operand(a, stride),
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

/* The triplets of a chain in order; returns how many. A vector subscript has its own section's. */
static int triplets_of(lowering *l, node *chain, linear triplets[][3]) {
    node *name, *subscripts[MAX_RANK];
    int count, sections = 0;
    index_chain(chain, &name, subscripts, &count);
    const bool beside = section_count(chain) > 0;
    for (int d = 0; d < count; d++) {
        if (subscripts[d]->kind == N_TRIPLET)
            triplet_of(l, chain, name, d, subscripts[d], triplets[sections++]);
        else if (beside && is_vector(subscripts[d])) {
            linear own[MAX_RANK][3];
            node *vector = first_section(subscripts[d]);
            if (triplets_of(l, vector, own) != 1)
                diagnose(l->p->source, vector, D_vector_rank, ast_quote(l->p->memory, l->p->source, vector),
                         section_count(vector));
            memcpy(triplets[sections++], own[0], sizeof own[0]);
        }
    }
    return sections;
}

static void settle_moved_chain(lowering *l, node *chain) {
    linear triplets[MAX_RANK][3];
    const int sections = section_count(chain);
    if (sections > 0) triplets_of(l, chain, triplets);
    for (int k = 0; k < sections || k < l->sections; k++)
        if ((k < sections && !linear_is(&triplets[k][2], 1)) || (k < l->sections && !linear_is(&l->section[k][2], 1)))
            for (int j = 0; j < l->sections; j++) l->by_value[j] = false;
}

/* What is moved along a section is counted from its beginning, unless all strides are 1. */
static void settle_moved(lowering *l, node *n) {
    settle_moved_chain(l, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_moved(l, n->child[c]);
}

static void settle_chain(lowering *l, node *chain) {
    linear triplets[MAX_RANK][3];
    triplets_of(l, chain, triplets);
    for (int k = 0; k < l->sections; k++)
        if (!linear_equal(&triplets[k][2], &l->section[k][2])) l->by_value[k] = false;
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
    if (section_count(n) == l->sections) settle_chain(l, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_form(l, n->child[c]);
}

static bool occurs(const lowering *l, const char *name) {
    for (int k = 0; k < l->s->indices; k++)
        if (!strcmp(l->s->index[k].name, name)) return true;
    return stands_in_text(l->p, l->s->node, name);
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
    int64_t lower, upper, stride;
    if (linear_value(&t[0], &lower) && linear_value(&t[1], &upper) && linear_value(&t[2], &stride)) {
        const int64_t count = stride == 0 ? 0 : dpc_count(lower, upper, stride);
        const linear reach = linear_add(a, linear_subtract(a, t[1], t[0]), linear_constant(1));
        return linear_is(&t[2], 1) && linear_is(&reach, count) ? reach : linear_computed(a, count, t, 3);
    }
    if (linear_is(&t[2], 1)) return linear_add(a, linear_subtract(a, t[1], t[0]), linear_constant(1));
    return linear_atom(l->p->memory,
                       arena_format(a, "dpc_extent(\"%s\", %s, %s, %s)", place_of(l->p, l->s->node),
                                    linear_text(a, &t[0]), linear_text(a, &t[1]), linear_text(a, &t[2])),
                       NULL);
}

/* The k-th section of a chain: a triplet, its own or of a vector subscript. */
static const node *section_at(node *chain, int k) {
    node *name, *subscripts[MAX_RANK];
    int count, d = 0;
    index_chain(chain, &name, subscripts, &count);
    while ((subscripts[d]->kind != N_TRIPLET && !is_vector(subscripts[d])) || k-- > 0) d++;
    return subscripts[d]->kind == N_TRIPLET ? subscripts[d] : section_at(first_section(subscripts[d]), 0);
}

/* Whether earlier indices occur only linearly in the bounds of the k-th section. */
static bool section_is_linear(const lowering *l, node *chain, int k) {
    const node *t = section_at(chain, k);
    return (!t->child[0] || linear_in_indices(l, t->child[0])) && (!t->child[1] || linear_in_indices(l, t->child[1])) &&
           !(t->child[2] && mentions_index(l, t->child[2]));
}

/* Whether loops over the values would step beyond 64 bits. */
static bool is_far(const linear bounds[3]) {
    int64_t value;
    return (linear_value(&bounds[0], &value) && !linear_is_constant(&bounds[0])) ||
           (linear_value(&bounds[1], &value) && !linear_is_constant(&bounds[1]));
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
    for (int k = 0; k < l->sections; k++) l->by_value[k] = l->by_value[k] && !is_far(l->section[k]);
    for (int k = 0; k < l->sections; k++) {
        linear *t = l->section[k];
        loop_index x = {
            .name = section_index_name(l), .lower = t[0], .upper = t[1], .stride = t[2], .reduction = l->reduction};
        if (!l->by_value[k]) {
            linear extent = section_extent(l, t);
            x.lower = linear_constant(0);
            x.upper = linear_subtract(l->p->memory, extent, linear_constant(1));
            x.stride = linear_constant(1);
        }
        x.triangular =
            linear_mentions_index(l, &t[0]) || linear_mentions_index(l, &t[1]) || linear_mentions_index(l, &t[2]);
        x.box_linear = l->by_value[k] && section_is_linear(l, chain, k);
        if (x.triangular) x.guards = guards_of_bounds(l, section_at(chain, k)->child, 3);
        append_index(l->p->memory, l->s, x);
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
    loop_index x = {.name = section_index_name(l), .reduction = l->reduction};
    x.lower = linear_constant(0);
    x.upper = linear_subtract(l->p->memory, extent, linear_constant(1));
    x.stride = linear_constant(1);
    x.triangular = linear_mentions_index(l, &extent);
    append_index(l->p->memory, l->s, x);
    return true;
}

/* Whether the same sections are compared already. */
static bool is_checked(const parallel *s, const conformity *c) {
    for (size_t k = 0; k < s->conformities; k++) {
        const conformity *d = &s->conformity[k];
        bool same = !d->inside && !strcmp(c->left_text, d->left_text) && !strcmp(c->right_text, d->right_text);
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
    int64_t x, y;
    if (linear_value(&mine, &x) && linear_value(&theirs, &y)) {
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

/* A section whose elements a shift moves: its own ends are compared, as subscripts that leave it are no errors. */
static void check_section(lowering *l, const reference *r, int d, const linear bounds[3]) {
    int64_t first, last, lower, upper;
    const array *x = r->array;
    for (int k = 0; x && k < 3; k++)
        if (linear_mentions_index(l, &bounds[k])) return;
    if (!x || !l->shifted || l->decided || l->s->indices != l->sections || l->p->serial) return;
    if (linear_equal(&bounds[0], &x->lower[d]) && linear_equal(&bounds[1], &x->upper[d])) return;
    if (linear_value(&bounds[0], &first) && linear_value(&bounds[1], &last) && linear_value(&x->lower[d], &lower) &&
        linear_value(&x->upper[d], &upper) && first >= lower && first <= upper && last >= lower && last <= upper)
        return;
    conformity c = {.inside = x, .node = r->node, .dim = d, .left_text = "", .right_text = ""};
    memcpy(c.left, bounds, sizeof c.left);
    vector_add(l->p->memory, l->s->conformity, l->s->conformities, l->s->conformity_capacity, c);
}

static bool is_whole(const node *base, int d, const linear bounds[3]) {
    const array *x = base->symbol ? base->symbol->array : NULL;
    return x && linear_equal(&bounds[0], &x->lower[d]) && linear_equal(&bounds[1], &x->upper[d]) &&
           linear_is(&bounds[2], 1);
}

subscript section_subscript(lowering *l, reference *r, int k, int d, node *t) {
    linear bounds[3];
    const int section = l->order[k];
    triplet_of(l, r->node, r->base, d, t, bounds);
    check_conformity(l, r->node, section, bounds);
    check_section(l, r, d, bounds);
    const subscript result = moved_subscript(l, section, bounds);
    if (result.kind == SUBSCRIPT_AFFINE && l->motion[section].cycled)
        add_cycle(l, r, d, section, bounds, is_whole(r->base, d, bounds));
    return result;
}
