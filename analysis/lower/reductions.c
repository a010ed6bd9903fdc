/* Pass "lower": reductions. */
#include <string.h>

#include "lower.h"
#include "../model/types.h"

/* Arguments as Fortran has them: a dimension or a mask beside sections. */
static void report_arguments(const program *p, const node *call) {
    const char *name = call->child[0]->name;
    diagnose(p->source, call, D_reduction_arguments, name);
    if (call->count != 3 || call->child[1]->kind == N_RANGE || !first_section(call->child[1])) return;
    int64_t dimension;
    if (constant_value(call->child[2], &dimension))
        diagnose_help("a result for each row: forall (i = lower:upper) x[i] = %s(A[i][:]);", name);
    else
        diagnose_help("a mask stands behind indices, before the value: %s(i = lower:upper, A[i] > 0, A[i])", name);
}

/* Ranges first, then perhaps a mask, then the values.  False after an error. */
static bool split_arguments(program *p, node *call, operation op, size_t *ranges, node **mask, node **value) {
    size_t at = 1;
    const size_t values = facts_of_operation(op)->values;
    while (at < call->count && call->child[at]->kind == N_RANGE) at++;
    *ranges = at - 1;
    size_t rest = call->count - at;
    bool good = rest == values || (rest == values + 1 && *ranges > 0);
    for (size_t c = at; c < call->count; c++)
        good = good && call->child[c]->kind != N_RANGE && call->child[c]->kind != N_TYPE_NAME;
    if (!good) {
        report_arguments(p, call);
        return false;
    }
    *mask = rest > values ? call->child[at] : NULL;
    *value = call->child[call->count - values];
    if (*ranges == 0 && !first_section(*value) && !first_section(call->child[call->count - 1])) {
        diagnose(p->source, *value, D_reduction_sections, call->child[0]->name);
        diagnose_help("write %s(A[:]) or %s(i = 0:n-1, A[i])", call->child[0]->name, call->child[0]->name);
        return false;
    }
    return true;
}

static void add_ranges(lowering *l, node *call, size_t ranges) {
    for (size_t c = 1; c <= ranges; c++) {
        node *range = call->child[c], *assignment = range->child[0];
        if (assignment->kind != N_ASSIGN || assignment->child[0]->kind != N_NAME || strcmp(assignment->op, "=") != 0) {
            diagnose(l->p->source, range, D_reduction_arguments, call->child[0]->name);
            continue;
        }
        node *name = assignment->child[0];
        add_index(l, name->symbol, name->name, assignment->child[1], range->child[1],
                  range->count > 2 ? range->child[2] : NULL);
    }
}

static void check_extreme(const program *p, operation op, const node *call, const node *value) {
    if (is_extreme(op) && value->type && value->type->kind == TYPE_ARITHMETIC &&
        element_is_complex(value->type->element))
        diagnose(p->source, value, D_reduction_complex, call->child[0]->name);
}

/* The mask of a reduction on its own is the statement's. */
static void collect_own_mask(lowering *l, node *mask) {
    if (l->reduction < 0) {
        l->mask = 0;
        collect_references(l, mask);
        l->mask = -1;
        return;
    }
    l->own_mask = true;
    collect_references(l, mask);
    l->own_mask = false;
}

/* The range of index k: of a section, or its own. *counted: the index counts the section's elements. */
static void find_range(const lowering *l, int k, linear range[3], bool *counted) {
    const loop_index *x = &l->s->index[k];
    *counted = false;
    range[0] = x->lower;
    range[1] = x->upper;
    range[2] = x->stride;
    for (int t = 0; t < l->sections; t++) {
        if (l->section_index[t] != k) continue;
        *counted = !l->by_value[t];
        memcpy(range, l->section[t], sizeof l->section[t]);
    }
}

/* How many elements before that of the iteration the range has. */
static linear position_in(arena *a, const char *name, const linear range[3], bool counted) {
    const linear value = linear_atom(a, name, NULL), distance = linear_subtract(a, value, range[0]);
    if (counted || linear_is(&range[2], 1)) return counted ? value : distance;
    if (linear_is(&range[2], -1)) return linear_subtract(a, range[0], value);
    return linear_atom(a, arena_format(a, "(%s / %s)", linear_operand(a, &distance), linear_operand(a, &range[2])),
                       NULL);
}

/* The constant number of elements of a range, as its bounds say it where they do. */
static linear counted_range(arena *a, int64_t count, const linear range[3]) {
    const linear reach = linear_add(a, linear_subtract(a, range[1], range[0]), linear_constant(1));
    return linear_is(&range[2], 1) && linear_is(&reach, count) ? reach : linear_computed(a, count, range, 3);
}

/* How many elements the range has; where that is no constant, a variable that holds it. */
static linear count_in(lowering *l, const reduction *r, const linear range[3]) {
    arena *a = l->p->memory;
    int64_t lower, upper, stride;
    if (linear_value(&range[0], &lower) && linear_value(&range[1], &upper) && linear_value(&range[2], &stride) &&
        stride != 0 && !__builtin_sub_overflow(upper, lower, &upper) && upper < INT64_MAX)
        return counted_range(a, upper / stride + 1, range);
    const linear distance = linear_subtract(a, range[1], range[0]);
    if (linear_is(&range[2], 1) && linear_mentions_index(l, &distance))
        return linear_add(a, distance, linear_constant(1));
    const char *count = arena_format(a, "%s / %s + 1", linear_operand(a, &distance), linear_operand(a, &range[2]));
    return linear_atom(a, hoist_text(l, r->value, arena_format(a, "%s_count", r->name), count), NULL);
}

/* Whether the range depends on the reduction's own indices, or on others in a way that leaves its count open. */
static bool depends_on(const lowering *l, const linear range[3], int from) {
    for (int part = 0; part < 3; part++)
        for (int t = 0; t < range[part].terms; t++)
            for (int k = from; k < l->s->indices; k++)
                if (range[part].term[t].node && l->s->index[k].symbol &&
                    mentions_symbol(range[part].term[t].node, l->s->index[k].symbol))
                    return true;
    return !linear_is(&range[2], 1) && (linear_mentions_index(l, &range[0]) || linear_mentions_index(l, &range[1]) ||
                                        linear_mentions_index(l, &range[2]));
}

static void refuse_place(const lowering *l, const reduction *r) {
    diagnose(l->p->source, r->call, D_not_implemented, "the place in ranges that depend on one another");
    diagnose_help("with the whole box and a mask: maxloc(i = 0:n-1, j = 0:n-1, j <= i, A[i][j])");
}

/* The number of the element in row-major order of the box of all ranges, from 0. */
static void find_number(lowering *l, reduction *r, int from) {
    arena *a = l->p->memory;
    linear place = linear_constant(0);
    for (int k = from; k < l->s->indices; k++) {
        linear range[3];
        bool counted;
        find_range(l, k, range, &counted);
        if (depends_on(l, range, from)) refuse_place(l, r);
        if (k > from) place = linear_multiply(a, place, count_in(l, r, range));
        place = linear_add(a, place, position_in(a, l->s->index[k].name, range, counted));
    }
    r->place = place;
    r->backwards = "0";
    r->best = unique_name(l->p, arena_format(a, "%s_value", r->name));
}

/* The place of the element along the only index of a location. */
static void find_place(lowering *l, reduction *r, int from) {
    const loop_index *x = &l->s->index[from];
    arena *a = l->p->memory;
    if (l->s->indices != from + 1) {
        find_number(l, r, from);
        return;
    }
    linear value = linear_atom(l->p->memory, x->name, NULL);
    if (l->sections == 0 && x->symbol && x->symbol->has_value)
        value = linear_add(a, linear_number(a, x->symbol->value), value);
    const bool counted = l->sections > 0 && !l->by_value[0];
    const linear *stride = l->sections > 0 ? &l->section[0][2] : &x->stride;
    r->place = counted ? linear_add(a, l->section[0][0], linear_multiply(a, *stride, value)) : value;
    int64_t step;
    r->backwards =
        linear_value(stride, &step) ? (step < 0 ? "1" : "0") : arena_format(a, "%s < 0", linear_operand(a, stride));
    r->best = unique_name(l->p, arena_format(a, "%s_value", r->name));
}

/* --reproducible: a reduction on its own, whose values come in the order that the processes have them in. */
static void reproduce(program *p, reduction *r) {
    const bool sum = combines_in_order(p, r->operation, r->type) && r->operation != OPERATION_PRODUCT;
    if (sum) r->exact = unique_name(p, arena_format(p->memory, "%s_exact", r->name));
    r->canonical = p->reproducible && is_extreme(r->operation) && !is_location(r->operation) && is_floating(r->type);
}

/* Fills in what the call says; its indices and references go to the lowering's statement. */
static void read_reduction(lowering *l, node *call, operation op) {
    size_t ranges;
    node *mask, *value;
    if (!split_arguments(l->p, call, op, &ranges, &mask, &value)) return;
    parallel *s = l->s;
    check_extreme(l->p, op, call, value);
    reduction r = {.operation = op, .call = call, .value = value, .mask = mask};
    if (facts_of_operation(op)->values > 1) r.factor = call->child[call->count - 1];
    r.type = type_of_combined(op, call, value);
    if (!r.type) report_unknown_type(l->p, r.factor && value->type ? r.factor : value);
    const int from = s->indices;
    r.in_place = l->guarded || l->mask >= 0 || l->in_place;
    r.statement_mask = l->mask;
    r.name = unique_name(
        l->p, arena_format(l->p->memory, "%s_%d", call->child[0]->name, l->p->source->tokens[call->first].line));
    if (l->reduction < 0) reproduce(l->p, &r);
    vector_add(l->p->memory, s->reduction, s->reductions, s->reduction_capacity, r);
    add_ranges(l, call, ranges);
    if (mask && l->reduction < 0) append_mask(l->p->memory, s, mask);
    node *leading = first_section(value);
    if (!leading && r.factor) leading = first_section(r.factor);
    if (leading) open_sections(l, leading, call);
    if (!leading && !mask && l->reduction < 0 && !is_location(op) && !r.factor && !l->p->serial &&
        !(r.operation == OPERATION_PRODUCT && combines_in_order(l->p, r.operation, r.type)))
        open_plane_of_value(l, value);
    if (is_location(op)) find_place(l, &s->reduction[s->reductions - 1], from);
    bool guarded = l->guarded;
    if (mask) collect_own_mask(l, mask);
    l->guarded = guarded || (mask && l->reduction >= 0);
    collect_references(l, value);
    if (r.factor) collect_references(l, r.factor);
    l->guarded = guarded;
}

/* Whether evaluating n where the program would not can do no harm: whole sections, no integer division, no calls. */
static bool is_harmless(const node *n) {
    operation op;
    if (n->kind == N_CALL && !reduction_call(n, &op)) return false;
    if (n->kind == N_BINARY && (n->op[0] == '/' || n->op[0] == '%') && !n->op[1]) {
        bool floating = n->type && n->type->kind == TYPE_ARITHMETIC && !element_is_integer(n->type->element);
        if (!floating) return false;
    }
    if (n->kind == N_RANGE || (n->kind == N_TRIPLET && (n->child[0] || n->child[1]))) return false;
    if (n->kind == N_INDEX && n->child[1]->kind != N_TRIPLET) return false;
    if (n->kind == N_UNARY && n->op[0] == '*') return false;
    for (size_t c = n->kind == N_CALL ? 1 : 0; c < n->count; c++)
        if (n->child[c] && !is_harmless(n->child[c])) return false;
    return true;
}

/* A[:] = sum(j = 0:7, M[:][j]) would give every element the sum of all. */
static bool mixes_sections(const lowering *l, node *call) {
    node *within = call->count > 1 && call->child[1]->kind == N_RANGE && l->sections > 0 && l->reduction < 0
                       ? first_section(call->child[call->count - 1])
                       : NULL;
    if (!within) return false;
    const char *name = call->child[0]->name, *range = ast_quote(l->p->memory, l->p->source, call->child[1]);
    diagnose(l->p->source, within, D_indexed_section, name, ast_quote(l->p->memory, l->p->source, within));
    diagnose_help("a result for each element: forall (i = ...) A[i] = %s(%s, M[i][...]);", name, range);
    return true;
}

/* The reduction of the same value that every iteration has formed before; NULL: there is none. */
static reduction *formed_before(const lowering *l, const node *call) {
    parallel *s = l->s;
    for (size_t k = s->kind == PARALLEL_REDUCTION ? 1 : 0; k < s->reductions; k++) {
        reduction *r = &s->reduction[k];
        if (!r->in_place && r->statement_mask < 0 && is_same_value(r->call, call)) return r;
    }
    return NULL;
}

void lower_inner_reduction(lowering *l, node *call) {
    operation op;
    reduction_call(call, &op);
    if (mixes_sections(l, call)) return;
    reduction *same = l->reduction < 0 && l->mask < 0 && !l->in_place ? formed_before(l, call) : NULL;
    if (same) {
        vector_add(l->p->memory, same->again, same->agains, same->again_capacity, call);
        return;
    }
    if (!mentions_index(l, call) && (!is_conditional(l) || is_harmless(call))) {
        hoist(l, call);
        return;
    }
    if (l->reduction >= 0 && !reads_distributed(call)) {
        lower_reduction_in_place(l->p, call);
        return;
    }
    if (l->reduction >= 0) {
        diagnose(l->p->source, call, D_not_implemented, "a reduction that depends on the indices of two others");
        return;
    }
    lowering inner = *l;
    inner.reduction = (int)l->s->reductions;
    inner.sections = 0;
    read_reduction(&inner, call, op);
}

void lower_reduction(program *p, node *call) {
    operation op;
    reduction_call(call, &op);
    parallel *s = arena_alloc(p->memory, sizeof *s);
    s->kind = PARALLEL_REDUCTION;
    s->node = call;
    s->op = "";
    s->hoisted = arena_alloc(p->memory, sizeof *s->hoisted);
    lowering l = {.p = p, .s = s, .reduction = -1, .mask = -1};
    read_reduction(&l, call, op);
    if (s->reductions == 0) return;
    s->value = s->reduction[0].value;
    note_reduction(p, s);
}

void lower_reduction_in_place(program *p, node *call) {
    size_t before = p->reduction_count;
    lower_reduction(p, call);
    if (p->reduction_count == before) return; /* an error */
    parallel *s = p->reductions[p->reduction_count - 1];
    s->in_place = true;
    call->replacement = arena_format(p->memory, "%c%s%c", PLACED, s->reduction[0].name, PLACED);
}
