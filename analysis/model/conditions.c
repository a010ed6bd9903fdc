/* What holds in the iterations that are executed: masks, conditions around a reference and triangular bounds keep its
 * subscripts inside the array. */
#include <string.h>

#include "knowledge.h"

/* ---- Conditions */

node *condition_at(const node *above, const node *n, bool *negated) {
    *negated = false;
    if (above->kind == N_FORALL) return n == above->child[1] ? above->child[0] : NULL;
    if (above->kind == N_CALL) return mask_of_reduction(above, n);
    bool chosen = above->kind == N_CONDITIONAL;
    bool circuit = above->kind == N_BINARY && (!strcmp(above->op, "&&") || !strcmp(above->op, "||"));
    if (n == above->child[0] || !(chosen || circuit)) return NULL;
    *negated = chosen ? n == above->child[2] : above->op[0] == '|';
    return above->child[0];
}

/* ---- Comparisons */

/* x >= 0; or, where it differs, x != 0. */
typedef struct {
    linear x;
    bool differs;
} comparison;

/* Those that hold wherever a reference is evaluated. */
typedef struct {
    const program *p;
    const parallel *s;
    const node *outermost; /* variables that are declared in it have other values in each iteration */
    comparison comparison[MOST_FACTS];
    int count;
    struct {
        const node *condition; /* x || y holds; negated: !(x && y) */
        bool negated;
    } either[MOST_FACTS];
    int eithers;
} comparisons;

static bool is_index_of(const parallel *s, const symbol *v) {
    for (int k = 0; k < s->indices; k++)
        if (v->kind == SYMBOL_INDEX && s->index[k].symbol == v) return true;
    for (int k = 0; s->loop && k < s->loop->loops; k++)
        if (s->loop->counter[k] == v) return true;
    return false;
}

/* Whether C compares both sides as the signed numbers that x is made of: indices, elements of tables, and variables
 * that the statement leaves alone. */
static bool compares_signed(const comparisons *c, const linear *x) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        int64_t least, most;
        if (n && !n->replacement && table_extremes(n, &least, &most)) continue;
        if (!n || n->kind != N_NAME || !n->symbol || n->replacement) return false;
        if (is_index_of(c->s, n->symbol)) continue;
        if (!is_signed_integer(n->symbol) || node_holds(c->outermost, n->symbol->declarator)) return false;
    }
    return x->constant >= -INT32_MAX && x->constant <= INT32_MAX;
}

/* x, in which variables of an iteration have the values that they keep. */
static linear with_kept_values(const program *p, const parallel *s, linear x) {
    for (int t = 0; t < x.terms; t++) {
        const linear_term term = x.term[t];
        node *value = term.node && term.coefficient != INT64_MIN ? kept_in_iteration(s->loop, term.node) : NULL;
        if (!value) continue;
        const linear name = linear_atom(p->memory, term.text, term.node), kept = linear_of(p->memory, p->source, value);
        if (!add_multiple(p->memory, &x, -term.coefficient, &name) ||
            !add_multiple(p->memory, &x, term.coefficient, &kept))
            return x;
        t = -1;
    }
    return x;
}

static bool is_unsigned(const node *n) {
    return n->type && n->type->kind == TYPE_ARITHMETIC && !element_is_signed(n->type->element);
}

/* Takes first - second + more >= 0, or != 0. */
static void take(comparisons *c, const node *first, const node *second, int more, bool differs) {
    arena *memory = c->p->memory;
    linear x = with_kept_values(c->p, c->s, linear_of(memory, c->p->source, first));
    const linear y = with_kept_values(c->p, c->s, linear_of(memory, c->p->source, second));
    if (c->count == MOST_FACTS || is_unsigned(first) || is_unsigned(second)) return;
    if (!compares_signed(c, &x) || !compares_signed(c, &y) || !add_multiple(memory, &x, -1, &y)) return;
    x.constant += more;
    c->comparison[c->count++] = (comparison){x, differs};
}

/* `op` compares; the first letter of its opposite where it is negated. */
static void take_comparison(comparisons *c, const node *n, bool negated) {
    const node *x = n->child[0], *y = n->child[1];
    const bool equal = n->op[1] == '=';
    if (n->op[0] == '=' || n->op[0] == '!') {
        if ((n->op[0] == '=') == negated) {
            take(c, x, y, 0, true);
            return;
        }
        take(c, x, y, 0, false);
        take(c, y, x, 0, false);
        return;
    }
    const bool above = (n->op[0] == '>') != negated;
    take(c, above ? x : y, above ? y : x, equal != negated ? 0 : -1, false);
}

static void take_condition(comparisons *c, const node *n, bool negated) {
    n = inside_parentheses((node *)n);
    if (n->replacement) return;
    if (n->kind == N_CAST && n->type && n->type->kind == TYPE_ARITHMETIC && n->type->element == ELEMENT_BOOL) {
        take_condition(c, n->child[1], negated);
        return;
    }
    if (n->kind == N_UNARY && !strcmp(n->op, "!"))
        take_condition(c, n->child[0], !negated);
    else if (n->kind == N_BINARY && !strcmp(n->op, negated ? "||" : "&&"))
        for (int k = 0; k < 2; k++) take_condition(c, n->child[k], negated);
    else if (n->kind == N_BINARY && !strcmp(n->op, negated ? "&&" : "||")) {
        if (c->eithers == MOST_FACTS) return;
        c->either[c->eithers].condition = n;
        c->either[c->eithers++].negated = negated;
    } else if (is_comparison(n))
        take_comparison(c, n, negated);
}

static bool holds(const comparisons *c, const comparison *x) {
    for (int k = 0; k < c->count; k++)
        if (c->comparison[k].differs == x->differs && linear_equal(&c->comparison[k].x, &x->x)) return true;
    return false;
}

/* Whether a condition is a comparison, all of which is among those that hold. */
static bool is_taken(const comparisons *c, const node *condition, bool negated) {
    comparisons says = {.p = c->p, .s = c->s, .outermost = c->outermost};
    const node *n = inside_parentheses((node *)condition);
    if (n->replacement || !is_comparison(n)) return false;
    const bool equality = !strcmp(n->op, negated ? "!=" : "==");
    take_comparison(&says, n, negated);
    for (int k = 0; k < says.count; k++)
        if (!holds(c, &says.comparison[k])) return false;
    return says.count == (equality ? 2 : 1);
}

/* Of two conditions of which one holds, where the other one does not. */
static void take_remaining(comparisons *c) {
    for (int k = 0; k < c->eithers; k++)
        for (int side = 0; side < 2; side++) {
            const node *const *of = (const node *const *)c->either[k].condition->child;
            const bool negated = c->either[k].negated;
            if (is_taken(c, of[side], !negated)) take_condition(c, of[1 - side], negated);
        }
}

/* The condition of an `if` in whose branch n stands. */
static const node *branch_condition(const node *above, const node *n, bool *negated) {
    *negated = n != above->child[1];
    return n == above->child[0] ? NULL : above->child[0];
}

/* Whether control does not come to what stands behind n. */
static bool is_jump(const node *n) {
    while (n->kind == N_COMPOUND && n->count > 0 && n->child[n->count - 1]) n = n->child[n->count - 1];
    return n->kind == N_BREAK || n->kind == N_CONTINUE || n->kind == N_RETURN || n->kind == N_GOTO;
}

/* Whether control may come to what stands behind n from elsewhere than from n. */
static bool is_landing(const node *n) {
    return holds_kind(n, N_LABEL) || holds_kind(n, N_CASE) || holds_kind(n, N_DEFAULT);
}

static bool is_label(const node *n) {
    return n->kind == N_LABEL || n->kind == N_CASE || n->kind == N_DEFAULT;
}

/* What holds behind `if (...) continue;` and the like before n in its block. */
static void take_jumps(comparisons *c, const node *n) {
    const node *block = n->parent;
    size_t from = 0, to = 0;
    for (; to < block->count && block->child[to] != n; to++)
        if (block->child[to] && is_landing(block->child[to])) from = to + 1;
    if (to == block->count) return; /* n is the part of a statement that was taken apart */
    for (size_t k = from; k < to && !is_label(n); k++) {
        const node *x = block->child[k];
        if (!x || x->kind != N_IF || holds_kind(n, N_LABEL)) continue;
        const bool other = x->count > 2 && x->child[2] && is_jump(x->child[2]);
        if (other || is_jump(x->child[1])) take_condition(c, x->child[0], !other);
    }
}

/* All conditions around a reference, the innermost first. */
static comparisons comparisons_at(const program *p, const parallel *s, const reference *r) {
    comparisons c = {.p = p, .s = s, .outermost = outermost_forall(s->node)};
    if (!c.outermost) c.outermost = s->node;
    for (const node *n = r->node; n->parent && n->kind != N_STATEMENT_EXPRESSION && n->kind != N_FUNCTION_DEFINITION;
         n = n->parent) {
        bool negated;
        const node *condition = n->parent->kind == N_IF ? branch_condition(n->parent, n, &negated)
                                : n->parent->count      ? condition_at(n->parent, n, &negated)
                                                        : NULL;
        if (n == s->node && s->kind == PARALLEL_REDUCTION) break;
        if (condition) take_condition(&c, condition, negated);
        if (n->parent->kind == N_COMPOUND) take_jumps(&c, n);
    }
    take_remaining(&c);
    return c;
}

/* ---- What follows */

static bool is_known(const knowledge *w, const linear *x) {
    if (!is_settled(w, x, w->loops)) return false;
    for (int t = 0; t < x->terms; t++) {
        const symbol *v = x->term[t].node->symbol;
        if (is_settled_remainder(w, &x->term[t], w->loops)) continue;
        if (!v) return false; /* a member */
        if (v->kind != SYMBOL_INDEX && !is_signed_integer(v)) return false;
    }
    return true;
}

/* The index as a loop around the reference. */
static void add_index_loop(knowledge *w, const loop_index *x, const symbol *variable) {
    const int k = w->loops;
    if (!linear_is_constant(&x->stride) || x->stride.constant == 0) return;
    w->loop[k].variable = variable;
    w->loop[k].low = *least_value(x);
    w->loop[k].high = *greatest_value(x);
    w->loop[k].has_low = is_known(w, &w->loop[k].low);
    w->loop[k].has_high = is_known(w, &w->loop[k].high);
    w->loops++;
}

/* An index that a section made up gets a symbol here. */
static const symbol *symbol_of(arena *memory, const loop_index *x) {
    if (x->symbol) return x->symbol;
    symbol *made = arena_alloc(memory, sizeof *made);
    *made = (symbol){.kind = SYMBOL_INDEX, .name = x->name};
    return made;
}

static linear index_atom(arena *memory, const loop_index *x, const symbol *variable) {
    node *n = arena_alloc(memory, sizeof *n);
    *n = (node){.kind = N_NAME, .name = x->name, .symbol = (symbol *)variable};
    return linear_atom(memory, x->name, n);
}

/* Numbers that differ, of which one is known not to be the greater one. */
static void add_difference(knowledge *w, linear x) {
    linear negative = linear_multiply(w->memory, linear_constant(-1), x);
    if (is_not_negative(w, negative)) x = negative;
    if (!is_not_negative(w, x)) return;
    x.constant--;
    w->fact[w->facts++] = x;
}

static void add_comparisons(knowledge *w, const comparisons *c) {
    for (int differs = 0; differs < 2; differs++)
        for (int k = 0; k < c->count && w->facts < MOST_FACTS; k++) {
            const linear *x = &c->comparison[k].x;
            if (c->comparison[k].differs != (differs == 1) || !is_settled(w, x, w->loops)) continue;
            if (differs)
                add_difference(w, *x);
            else
                w->fact[w->facts++] = *x;
        }
}

static bool is_between(const knowledge *w, const linear *x, const linear *low, const linear *high) {
    return is_settled(w, x, w->loops) && is_at_most(w, low, x) && is_at_most(w, x, high);
}

/* The same of a remainder or a part of the bits. */
static bool is_cut_between(const program *p, const knowledge *w, const node *n, const linear *low, const linear *high) {
    n = inside_parentheses((node *)n);
    if (n->kind != N_BINARY || n->op[1] || !strchr("%&", n->op[0]) || n->replacement) return false;
    const linear zero = linear_constant(0), x = linear_of(p->memory, p->source, n->child[0]);
    linear most = linear_of(p->memory, p->source, n->child[1]);
    const bool known = is_known(w, &x) && is_known(w, &most) && is_not_negative(w, most);
    if (n->op[0] == '%') most.constant--;
    return known && is_not_negative(w, x) && is_at_most(w, low, &zero) && is_at_most(w, &most, high);
}

bool executed_in_bounds(const program *p, const parallel *s, const reference *r, int d) {
    if (!s->loop && subscript_in_bounds(p, s, r, d)) return true;
    const subscript *u = &r->subscript[d];
    const array *a = r->array;
    if (s->loop && u->kind == SUBSCRIPT_INVARIANT && !u->node) return true; /* left out */
    const comparisons c = comparisons_at(p, s, r);
    knowledge w = knowledge_at(p, s, s->loop ? r->node : s->node);
    linear at = u->offset;
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        if (s->loop || (x->reduction >= 0 && x->reduction != r->reduction)) continue;
        const symbol *variable = symbol_of(p->memory, x);
        add_index_loop(&w, x, variable);
        if (u->kind != SUBSCRIPT_AFFINE || u->index != k) continue;
        if (!linear_is_constant(&u->stride)) return false;
        const linear atom = index_atom(p->memory, x, variable);
        if (!add_multiple(p->memory, &at, u->stride.constant, &atom)) return false;
    }
    add_comparisons(&w, &c);
    if (!is_settled(&w, &a->written_lower[d], 0) || !is_settled(&w, &a->written_upper[d], 0)) return false;
    if (u->kind == SUBSCRIPT_GENERAL && !u->node) return false;
    if (u->kind == SUBSCRIPT_GENERAL || s->loop) at = with_kept_values(p, s, linear_of(p->memory, p->source, u->node));
    if (is_between(&w, &at, &a->written_lower[d], &a->written_upper[d])) return true;
    return u->node && is_cut_between(p, &w, u->node, &a->written_lower[d], &a->written_upper[d]);
}

bool element_in_bounds(const program *p, independent_loop *loops, const node *at, const array *a, node *bracketed,
                       int d) {
    const parallel s = {.kind = PARALLEL_INDEPENDENT, .node = loops->loop, .loop = loops};
    subscript u[MAX_RANK] = {0};
    const reference r = {.node = (node *)at, .array = (array *)a, .subscript = u};
    u[d] = (subscript){.kind = SUBSCRIPT_AFFINE, .node = bracketed};
    return executed_in_bounds(p, &s, &r, d);
}

/* ---- Limits that are compared when the program runs */

/* The coefficient of an index in x, whose other terms do not depend on indices; 0: no such. */
static int64_t only_index(const comparisons *c, const linear *x, int k, linear *rest) {
    int64_t found = 0;
    *rest = *x;
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        if (!is_index_of(c->s, term->node->symbol)) continue;
        if (term->node->symbol != c->s->index[k].symbol) return 0;
        const linear variable = linear_atom(c->p->memory, term->text, term->node);
        found = term->coefficient;
        *rest = linear_add(c->p->memory, *x, linear_multiply(c->p->memory, linear_constant(-found), variable));
    }
    return found;
}

static const char *joined(arena *memory, const char *x, const char *function, const linear *y) {
    const char *bound = linear_text(memory, y);
    return x ? arena_format(memory, "%s(%s, %s)", function, x, bound) : bound;
}

index_limits executed_limits(const program *p, const parallel *s, const reference *r, int k) {
    const comparisons c = comparisons_at(p, s, r);
    index_limits found = {0};
    for (int n = 0; n < c.count; n++) {
        linear rest;
        const int64_t factor = c.comparison[n].differs ? 0 : only_index(&c, &c.comparison[n].x, k, &rest);
        if (factor == 1) {
            rest = linear_multiply(p->memory, linear_constant(-1), rest);
            found.low = joined(p->memory, found.low, "dpc_maximum", &rest);
        }
        if (factor == -1) found.high = joined(p->memory, found.high, "dpc_minimum", &rest);
    }
    return found;
}
