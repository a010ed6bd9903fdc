/* Pass "nests": variables that count beside loops.
 *
 *     int k = 0;
 *     for (int i = 0; i < n; i++)
 *         for (int j = 0; j < m; j++) A[k++] = B[i][j];
 *
 * What they are in an iteration follows from the loops' variables: A[i * m + j].  That stands in the tree, and the loop
 * leaves the variable alone, if its last value is not used. */
#include <string.h>

#include "../model/knowledge.h"
#include "../model/types.h"
#include "nests.h"

/* What is added to the variable: a number, and a value of variables that the loop does not change. */
typedef struct {
    int64_t number;
    node *value;        /* NULL: 0 */
    const node *within; /* the loop in which it is that for certain, as others around it may have no iterations; NULL */
} amount;

typedef struct {
    program *p;
    node *root;
    symbol *variable;
    const type *type; /* in which values are computed */
    bool writes;      /* the tree changes; else it is only looked at */
    bool in_array;    /* a subscript of a distributed array is made of it */
    bool failed;
} induction;

static amount give_up(induction *f) {
    f->failed = true;
    return (amount){.number = 0};
}

/* ---- Values */

static node *number_node_of(const induction *f, int64_t value) {
    node *n = compose(f->p->memory, N_CONSTANT, f->root->first, type_of_element(ELEMENT_INT), NULL, NULL, NULL);
    n->name = arena_format(f->p->memory, "%lld", (long long)value);
    return n;
}

static node *in_parentheses(const induction *f, node *n) {
    const bool plain = n->kind == N_NAME || n->kind == N_PAREN || (n->kind == N_CONSTANT && n->name[0] != '-');
    return plain ? n : compose(f->p->memory, N_PAREN, f->root->first, n->type, n, NULL, NULL);
}

static const type *wider(const type *t, const type *than) {
    return element_bytes(t->element) > element_bytes(than->element) ? t : than;
}

static node *operation_of(const induction *f, const char *op, node *x, node *y) {
    const type *t = wider(x->type, wider(y->type, f->type));
    node *n = compose(f->p->memory, N_BINARY, f->root->first, t, in_parentheses(f, x), in_parentheses(f, y), NULL);
    n->op = op;
    return n;
}

/* A copy of a bound or a variable, in the type of the values. */
static node *copy_of(const induction *f, const node *n) {
    node *copy = clone_reached(f->p, (node *)n);
    if (element_bytes(copy->type->element) >= element_bytes(f->type->element)) return copy;
    return compose_cast(f->p->memory, f->root->first, f->type, in_parentheses(f, copy));
}

static amount amount_of(int64_t value) {
    return (amount){.number = value};
}

static amount plus(induction *f, amount x, amount y) {
    if (x.within && y.within && x.within != y.within) return give_up(f);
    if (__builtin_add_overflow(x.number, y.number, &x.number)) return give_up(f);
    x.value = !x.value ? y.value : !y.value ? x.value : operation_of(f, "+", x.value, y.value);
    x.within = x.within ? x.within : y.within;
    return x;
}

static node *node_of(const induction *f, amount x) {
    node *n = number_node_of(f, x.number > 0 ? x.number : -x.number);
    if (!x.value) return x.number < 0 ? operation_of(f, "-", number_node_of(f, 0), n) : n;
    return x.number == 0 ? x.value : operation_of(f, x.number > 0 ? "+" : "-", x.value, n);
}

static amount times(induction *f, amount x, amount y) {
    const bool far = y.number > INT32_MAX || y.number < -INT32_MAX || x.number > INT32_MAX || x.number < -INT32_MAX;
    const node *within = y.within ? y.within : x.within; /* the inner loop */
    if (far) return give_up(f);
    if (!x.value && !y.value) return amount_of(x.number * y.number);
    if ((!x.value && x.number == 0) || (!y.value && y.number == 0)) return amount_of(0);
    if (!x.value && x.number == 1) return y;
    if (!y.value && y.number == 1) return x;
    return (amount){.value = operation_of(f, "*", node_of(f, x), node_of(f, y)), .within = within};
}

/* ---- Loops */

/* Whether n has the same value wherever the root is executed. */
static bool stays(const induction *f, const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    int64_t value;
    if (constant_value(n, &value)) return true;
    if (s) {
        if (!is_signed_integer(s) || s->array || s->file_scope || s->is_static || is_address_taken(s)) return false;
        if (is_hidden_in(f->root, s)) return false;
        for (size_t k = 0; k < s->assignments; k++)
            if (node_holds(f->root, s->assignment[k])) return false;
        return !node_holds(f->root, s->declarator);
    }
    const bool sums = n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]) && type_is_signed_integer(n->type);
    if (n->kind != N_PAREN && !sums) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !stays(f, n->child[c])) return false;
    return true;
}

static bool counts_here(const induction *f, const node *loop, counting_loop *c) {
    if (independent_directive(loop) || !counting_loop_of(loop, c) || !counts_undisturbed(loop, c)) return false;
    if ((c->step != 1 && c->step != -1) || !is_signed_integer(c->variable)) return false;
    if (is_volatile(c->variable) || is_hidden_in(loop, c->variable)) return false;
    return stays(f, c->first) && stays(f, c->limit);
}

/* x - y. */
static amount between(induction *f, const node *x, const node *y) {
    int64_t a, b;
    const bool is_a = constant_value(x, &a), is_b = constant_value(y, &b);
    if ((is_a && (a > INT32_MAX || a < -INT32_MAX)) || (is_b && (b > INT32_MAX || b < -INT32_MAX))) return give_up(f);
    if (is_a && is_b) return amount_of(a - b);
    if (is_b) return (amount){.value = copy_of(f, x), .number = -b};
    return (amount){.value = operation_of(f, "-", is_a ? number_node_of(f, a) : copy_of(f, x), copy_of(f, y))};
}

/* How many iterations the loop has, if it has any. */
static amount trips_of(induction *f, const node *loop, const counting_loop *c) {
    amount trips = c->step > 0 ? between(f, c->limit, c->first) : between(f, c->first, c->limit);
    trips.number += c->inclusive;
    if (trips.value) trips.within = loop;
    return !trips.value && trips.number < 0 ? amount_of(0) : trips;
}

/* ---- Statements */

/* Whether n changes the variable by a constant. */
static bool is_step_of(const induction *f, const node *n, int64_t *by) {
    if ((n->kind != N_ASSIGN && !is_step(n)) || n->child[0]->kind != N_NAME || n->child[0]->symbol != f->variable)
        return false;
    *by = !strcmp(n->op, "--") ? -1 : 1;
    if (is_step(n)) return true;
    if ((strcmp(n->op, "+=") != 0 && strcmp(n->op, "-=") != 0) || !constant_value(n->child[1], by)) return false;
    if (*by > INT32_MAX || *by < -INT32_MAX) return false;
    *by = n->op[0] == '-' ? -*by : *by;
    return true;
}

static int count_names(const node *n, const symbol *s) {
    int count = n->kind == N_NAME && n->symbol == s;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) count += count_names(n->child[c], s);
    return count;
}

/* A step in the middle of an expression, which is evaluated once; NULL: there is none. */
static node *step_within(const induction *f, node *n, int64_t *by) {
    const bool sometimes = n->kind == N_CONDITIONAL || n->kind == N_SIZEOF ||
                           (n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||")));
    if (is_step(n) && is_step_of(f, n, by)) return n;
    for (size_t c = 0; c < (sometimes ? n->kind != N_SIZEOF : n->count); c++) {
        node *found = n->child[c] ? step_within(f, n->child[c], by) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* Whether n stands in a subscript of a distributed array. */
static bool is_subscript(const node *n) {
    const node *above = n->parent;
    return above->kind == N_INDEX && above->child[1] == n && distributed_reference((node *)above);
}

/* Lets what was made stand at a token. */
static void place_at(node *n, token_index at) {
    if (n->made) n->first = n->last = at;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) place_at(n->child[c], at);
}

/* Puts what the variable is there in the place of n. */
static void put(induction *f, node *n, amount value) {
    if (value.within) give_up(f);
    if (!f->writes) return;
    node *made = in_parentheses(f, clone_reached(f->p, node_of(f, value)));
    place_at(made, n->first);
    made->first = n->first;
    made->last = n->last;
    replace_node(n, made);
}

/* Wherever n names it. */
static void use(induction *f, node *n, amount value) {
    if (n->kind == N_NAME && n->symbol == f->variable) {
        f->in_array = f->in_array || is_subscript(n);
        put(f, n, value);
        return;
    }
    f->in_array = f->in_array || (mentions_symbol(n, f->variable) && is_subscript(n));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) use(f, n->child[c], value);
}

/* An expression statement, or anything else without steps of the variable; what it adds to that. */
static amount visit_statement(induction *f, node *n, amount value) {
    int64_t by = 0;
    node *step = n->kind == N_EXPRESSION && n->count > 0 ? step_within(f, n->child[0], &by) : NULL;
    if (n->kind == N_EXPRESSION && n->count > 0 && is_step_of(f, n->child[0], &by)) {
        node *nothing = compose(f->p->memory, N_COMPOUND, n->first, NULL, NULL, NULL, NULL);
        nothing->last = n->last;
        if (f->writes) replace_node(n, nothing);
        return amount_of(by);
    }
    for (size_t k = 0; k < f->variable->assignments; k++)
        if (node_holds(n, f->variable->assignment[k]) && (!step || f->variable->assignment[k] != step->child[0]))
            return give_up(f);
    if (step && count_names(n, f->variable) != 1) return give_up(f);
    if (step && step->kind == N_UNARY) value = plus(f, value, amount_of(by));
    for (const node *above = step; above && above != n; above = above->parent)
        f->in_array = f->in_array || is_subscript(above);
    if (step)
        put(f, step, value);
    else
        use(f, n, value);
    return amount_of(by);
}

static amount visit(induction *f, node *n, amount value);

static amount visit_loop(induction *f, node *n, amount value) {
    counting_loop c;
    if (!mentions_symbol(n, f->variable)) return amount_of(0);
    if (mentions_symbol(n->child[0], f->variable) || mentions_symbol(n->child[1], f->variable) ||
        mentions_symbol(n->child[2], f->variable) || !counts_here(f, n, &c))
        return give_up(f);
    induction looks = *f;
    looks.writes = false;
    const amount each = visit(&looks, n->child[3], amount_of(0)); /* `value` is of no importance */
    if (looks.failed) return give_up(f);
    const node *name = n->child[1]->child[0]; /* in the condition */
    const amount passed = c.step > 0 ? between(f, name, c.first) : between(f, c.first, name);
    amount inside = plus(f, value, times(f, passed, each));
    if (inside.within == n) inside.within = NULL;
    visit(f, n->child[3], inside);
    return times(f, trips_of(f, n, &c), each);
}

/* What n adds to the variable, which has the value as n begins. */
static amount visit(induction *f, node *n, amount value) {
    if (f->failed) return amount_of(0);
    if (n->kind == N_FOR) return visit_loop(f, n, value);
    if (n->kind != N_COMPOUND) return visit_statement(f, n, value);
    amount sum = amount_of(0);
    for (size_t c = 0; c < n->count; c++) sum = plus(f, sum, visit(f, n->child[c], plus(f, value, sum)));
    return sum;
}

/* ---- The variable */

/* Whether control goes through n from the beginning to the end only. */
static bool goes_through(const node *n) {
    static const node_kind leaving[] = {N_BREAK, N_CONTINUE, N_GOTO, N_RETURN, N_LABEL, N_SWITCH, N_WHILE, N_DO, N_ASM};
    for (size_t k = 0; k < sizeof leaving / sizeof *leaving; k++)
        if (holds_kind(n, leaving[k])) return false;
    return true;
}

/* The constant that the variable has as the root begins; false: it is not known. */
static bool find_first_value(const induction *f, int64_t *value) {
    const node *above = f->root->parent;
    size_t at = 0;
    if (above->kind != N_COMPOUND) return false;
    while (above->child[at] != f->root) at++;
    while (at-- > 0) {
        const node *n = above->child[at], *given = NULL;
        if (n->kind == N_LABEL || n->kind == N_CASE || n->kind == N_DEFAULT) return false;
        if (n->kind == N_DECLARATION && node_holds(n, f->variable->declarator)) given = declared_value(f->variable);
        const node *assign = n->kind == N_EXPRESSION && n->count > 0 ? n->child[0] : NULL;
        if (assign && assign->kind == N_ASSIGN && !strcmp(assign->op, "=") && assign->child[0]->kind == N_NAME &&
            assign->child[0]->symbol == f->variable)
            given = assign->child[1];
        if (given) return constant_value(given, value) && *value <= INT32_MAX && *value >= -INT32_MAX;
        if (mentions_symbol(n, f->variable)) return false;
    }
    return false;
}

/* Nothing in the root assigns the variable any more. */
static void forget_assignments(const induction *f) {
    symbol *s = f->variable;
    size_t kept = 0;
    for (size_t k = 0; k < s->assignments; k++)
        if (s->assignment[k]->first < f->root->first || s->assignment[k]->first > f->root->last)
            s->assignment[kept++] = s->assignment[k];
    s->assignments = kept;
}

/* Notes that nothing reads the variable any more. */
static void note_unread(const induction *f) {
    const symbol *s = f->variable;
    if (count_names(function_around(f->root), s) == (int)s->assignments)
        table_put(f->p->memory, &f->p->unused, s->declarator, (void *)s);
}

/* Whether the variable counts beside the loop; it is written otherwise then. */
static bool take_variable(program *p, node *root, node *name) {
    symbol *s = name->symbol;
    induction f = {.p = p, .root = root, .variable = s, .type = s->type};
    int64_t value;
    if (!is_signed_integer(s) || s->array || s->file_scope || s->is_static || is_address_taken(s) || !s->declarator ||
        node_holds(root, s->declarator) || is_volatile(s) || element_bytes(s->type->element) < 4)
        return false;
    const amount first = find_first_value(&f, &value) ? amount_of(value) : (amount){.value = copy_of(&f, name)};
    visit(&f, root, first);
    if (f.failed || !f.in_array || is_needed_behind(root, s)) return false;
    f.writes = true;
    visit(&f, root, first);
    forget_assignments(&f);
    note_unread(&f);
    return true;
}

/* The variables that n steps: each is looked at once. */
static void take_variables(program *p, node *root, node *n) {
    const bool steps = (n->kind == N_ASSIGN && n->op[1] && n->op[1] == '=') || is_step(n);
    symbol *s = steps && n->child[0]->kind == N_NAME ? n->child[0]->symbol : NULL;
    if (s && s->kind == SYMBOL_VARIABLE && take_variable(p, root, n->child[0])) return;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) take_variables(p, root, n->child[c]);
}

void write_out_inductions(program *p, node *n) {
    if (independent_directive(n) || n->kind == N_FORALL) return;
    if (n->kind == N_FOR && !follows_pragma(p->source, n) && goes_through(n)) take_variables(p, n, n->child[3]);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) write_out_inductions(p, n->child[c]);
}
