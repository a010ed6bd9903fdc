/* Scalars that a forall's blocks declare: each combination of indices has its own. What reads one gets an expression
 * for its value there. Where a statement in between may change what that is made of, the value is saved before, as
 * masks are. */
#include <string.h>

#include "../model/types.h"
#include "lower.h"

/* A value of a local, from its declaration or an assignment on. */
struct local_value {
    symbol *symbol;        /* what it is called where it is saved, and in what is made of it */
    const node *statement; /* where it is given */
    node *value;
    type *type;
    size_t executed;      /* statements of the group that are executed before it is computed */
    const branch *branch; /* of an `if` in which it is, or NULL */
    node *mask[MAX_RANK]; /* conditions under which it is */
    int masks;
    const prefix_operation *prefix; /* that its elements become, or NULL */
    bool bound;                     /* of an index of an inner reduction */
};

typedef struct {
    symbol *symbol;
    local_value *now; /* NULL: it has none yet */
    int indices;      /* around its declaration */
} local;

struct locals {
    local *local;
    size_t count, capacity;
    local_value **value; /* all, in the order of their making */
    size_t values, value_capacity;
    size_t size; /* nodes that were copied */
};

enum { MOST_COPIED = 20000 };

locals *new_locals(arena *a) {
    return arena_alloc(a, sizeof(locals));
}

static local *local_of(const lowering *l, const node *n) {
    for (size_t k = l->locals->count; n->kind == N_NAME && n->symbol && k > 0; k--)
        if (l->locals->local[k - 1].symbol == n->symbol) return &l->locals->local[k - 1];
    return NULL;
}

size_t executed_in(const group *g) {
    size_t count = 0;
    for (size_t k = 0; k < g->actions; k++) count += g->action[k].mask < 0;
    return count;
}

static void refuse(const lowering *l, const node *n, const char *what) {
    diagnose(l->p->source, n, D_not_implemented, what);
}

/* ---- Expressions */

node *made_number(const lowering *l, token_index at, type *t, const char *spelled) {
    node *n = ast_new(l->p->memory, N_CONSTANT, at, at, 0, NULL);
    n->made = true;
    n->name = spelled;
    n->type = t;
    return n;
}

/* Whether its value is 0 or 1. */
static bool is_truth(const node *n) {
    n = inside_parentheses((node *)n);
    if (n->kind == N_UNARY) return !strcmp(n->op, "!");
    return is_comparison(n) || (n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||")));
}

/* x as a value of type t. In subscripts and bounds, which are signed integers without overflow, these are all alike. */
static node *converted(const lowering *l, token_index at, type *t, node *x, bool as_integer) {
    const bool same = x->type && x->type->kind == TYPE_ARITHMETIC && x->type->element == t->element;
    const bool truth = t->element == ELEMENT_BOOL && is_truth(x);
    if (same || truth || (as_integer && type_is_signed_integer(t) && type_is_signed_integer(x->type)))
        return compose(l->p->memory, N_PAREN, at, t, x, NULL, NULL);
    return compose_cast(l->p->memory, at, t, x);
}

static bool is_changed(const group *g, const local_value *v) {
    size_t executed = 0;
    for (size_t k = 0; k < g->actions; k++) {
        if (g->action[k].mask >= 0) continue;
        if (executed++ >= v->executed && may_change(g->action[k].statement, v->value)) return true;
    }
    return false;
}

static size_t size_of(const node *n) {
    size_t size = 1;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) size += size_of(n->child[c]);
    return size;
}

/* What stands for a local that is read at a token. */
static node *use_of(const lowering *l, const group *g, const node *at, const local_value *v, bool as_integer) {
    if (is_changed(g, v)) {
        node *saved = ast_new(l->p->memory, N_NAME, at->first, at->last, 0, NULL);
        saved->name = v->symbol->name;
        saved->name_token = at->first;
        saved->symbol = v->symbol;
        saved->type = v->type;
        return saved;
    }
    l->locals->size += size_of(v->value);
    if (l->locals->size > MOST_COPIED) return NULL;
    node *made = converted(l, at->first, v->type, clone_reached(l->p, v->value), as_integer);
    made->symbol = v->symbol;
    return made;
}

/* Whether bounds may hold n: what the linear forms of bounds are made of is quoted from the source. */
static bool is_quoted(const node *n, bool whole) {
    if (n->symbol && n->symbol->kind == SYMBOL_LOCAL && (n->kind == N_NAME || n->kind == N_CAST || !whole))
        return false;
    if (n->made && n->kind != N_PAREN) return false;
    const bool adds = n->kind == N_PAREN || (n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_quoted(n->child[c], whole && adds)) return false;
    return true;
}

static bool check_quoted(const lowering *l, const node *n) {
    const bool range = n->kind == N_ASSIGN; /* i = lower */
    if (is_quoted(range ? n->child[1] : n, true)) return true;
    refuse(l, n, "such a value of a forall's local in a bound");
    return false;
}

/* Locals in *place become what stands for them; false after an error. */
static bool settle_in(lowering *l, const group *g, node **place, bool as_integer) {
    node *n = *place, *parent = n->parent;
    const local *x = local_of(l, n);
    if (x) {
        if (!x->now)
            diagnose(l->p->source, n, D_local_unset, n->name);
        else if (!(n = use_of(l, g, n, x->now, as_integer)))
            refuse(l, *place, "a value of as many operations, locals of the forall written out,");
        if (!x->now || !n) return false;
        n->parent = parent;
        *place = n;
        return true;
    }
    if (n->kind == N_SIZEOF && local_of(l, inside_parentheses(n->child[0]))) {
        const element size = inside_parentheses(n->child[0])->symbol->type->element;
        *place = made_number(l, n->first, n->type, arena_format(l->p->memory, "%s(%s)", n->op, element_spelling(size)));
        (*place)->last = n->last;
        (*place)->parent = parent;
        return true;
    }
    const bool stores = n->kind == N_ASSIGN || is_step(n) || (n->kind == N_UNARY && !strcmp(n->op, "&"));
    if (stores && n->count && local_of(l, inside_parentheses(n->child[0]))) {
        diagnose(l->p->source, n, D_local_use, ast_quote(l->p->memory, l->p->source, n->child[0]));
        return false;
    }
    const bool bounds = n->kind == N_TRIPLET || n->kind == N_RANGE;
    for (size_t c = 0; c < n->count; c++) {
        const bool integer = n->kind == N_INDEX ? c == 1 : bounds || (as_integer && n->kind != N_CALL);
        if (n->child[c] && !settle_in(l, g, &n->child[c], integer)) return false;
        if (bounds && n->child[c] && !check_quoted(l, n->child[c])) return false;
    }
    return true;
}

bool settle_locals(lowering *l, const group *g, node **place) {
    return l->locals->count == 0 || settle_in(l, g, place, false);
}

bool settle_bound(lowering *l, const group *g, node **place) {
    if (l->locals->count == 0 || !*place) return true;
    return settle_in(l, g, place, true) && check_quoted(l, *place);
}

/* ---- Values */

static local_value *new_value(const lowering *l, const group *g, const local *x, const node *statement, node *value) {
    arena *a = l->p->memory;
    local_value *v = arena_alloc(a, sizeof *v);
    symbol *s = arena_alloc(a, sizeof *s);
    *s = (symbol){.kind = SYMBOL_LOCAL, .name = x->symbol->name, .type = x->symbol->type};
    *v = (local_value){.symbol = s,
                       .statement = statement,
                       .value = value,
                       .type = x->symbol->type,
                       .executed = executed_in(g),
                       .branch = l->branch};
    for (int m = 0; m < l->s->masks; m++)
        if (l->s->mask[m].node->kind != N_LOCAL) v->mask[v->masks++] = l->s->mask[m].node;
    vector_add(a, l->locals->value, l->locals->values, l->locals->value_capacity, v);
    return v;
}

/* The value's name, in place of n. */
static node *name_in_place(const lowering *l, const node *n, const local_value *v) {
    node *name = ast_new(l->p->memory, N_NAME, n->first, n->last, 0, NULL);
    name->name = v->symbol->name;
    name->name_token = n->first;
    name->symbol = v->symbol;
    name->type = v->type;
    name->parent = n->parent;
    return name;
}

node *saved_prefix(lowering *l, const group *g, node *call, node *value, const prefix_operation *x) {
    const int line = l->p->source->tokens[call->first].line;
    symbol named = {.kind = SYMBOL_LOCAL, .type = call->type};
    named.name = arena_format(l->p->memory, "%s_%d", call->child[0]->name, line);
    local_value *v = new_value(l, g, &(local){.symbol = &named}, call, value);
    v->prefix = x;
    return name_in_place(l, call, v);
}

node *saved_bound(lowering *l, const group *g, node *n, const char *name) {
    symbol named = {.kind = SYMBOL_LOCAL, .type = type_of_element(ELEMENT_LONG), .name = name};
    local_value *v = new_value(l, g, &(local){.symbol = &named}, n, n);
    v->bound = true;
    return name_in_place(l, n, v);
}

static bool is_number(const symbol *s) {
    return s && s->kind == SYMBOL_VARIABLE && s->type && s->type->kind == TYPE_ARITHMETIC && !s->array;
}

static bool is_stored(const node *specifiers) {
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *x = specifiers->child[c];
        if (x->kind == N_KEYWORD && (!strcmp(x->name, "static") || !strcmp(x->name, "extern") ||
                                     !strcmp(x->name, "typedef") || !strcmp(x->name, "_Thread_local")))
            return true;
    }
    return false;
}

static void declare_local(lowering *l, const group *g, const node *declarator) {
    const node *name = declared_name(declarator->child[0]);
    symbol *s = name ? name->symbol : NULL;
    if (!is_number(s)) {
        diagnose(l->p->source, declarator, D_local_type);
        return;
    }
    local x = {.symbol = s, .indices = l->s->indices};
    node *value = declarator->count > 1 ? declarator->child[1] : NULL;
    if (value && value->kind == N_INITIALIZER_LIST) {
        refuse(l, value, "an initializer in braces of a forall's local");
        return;
    }
    if (value && !settle_locals(l, g, &value)) return;
    if (value) x.now = new_value(l, g, &x, declarator, value);
    vector_add(l->p->memory, l->locals->local, l->locals->count, l->locals->capacity, x);
}

void declare_locals(lowering *l, const group *g, const node *declaration) {
    if (declaration->count == 0 || is_stored(declaration->child[0]))
        diagnose(l->p->source, declaration, D_local_type);
    else
        for (size_t c = 1; c < declaration->count; c++) {
            if (declaration->child[c]->kind == N_INIT_DECLARATOR)
                declare_local(l, g, declaration->child[c]);
            else
                diagnose(l->p->source, declaration->child[c], D_local_type);
        }
}

static type *common_type(const node *x, const node *y) {
    if (!x->type || !y->type || x->type->kind != TYPE_ARITHMETIC || y->type->kind != TYPE_ARITHMETIC) return NULL;
    return type_of_element(element_common(element_promoted(x->type->element), element_promoted(y->type->element)));
}

/* What `old op value` is. */
static node *updated(lowering *l, const group *g, node *old, const char *op, node *value) {
    if (!settle_locals(l, g, &old)) return NULL;
    node *made = compose(l->p->memory, N_BINARY, old->first, common_type(old, value), old, value, NULL);
    made->op = op;
    return made;
}

bool assign_local(lowering *l, const group *g, node *assign) {
    local *x = local_of(l, inside_parentheses(assign->child[0]));
    if (!x) return false;
    node *value = assign->kind == N_ASSIGN ? assign->child[1] : made_number(l, assign->first, x->symbol->type, "1");
    if (x->indices != l->s->indices) {
        diagnose(l->p->source, assign, D_local_outer, x->symbol->name);
        return true;
    }
    if (!settle_locals(l, g, &value)) return true;
    if (strcmp(assign->op, "=") != 0) {
        const size_t length = strlen(assign->op) - 1; /* of "<<=", "++" */
        const char *op = arena_text(l->p->memory, assign->op, length);
        value = updated(l, g, assign->child[0], op, value);
    }
    if (value) x->now = new_value(l, g, x, assign, value);
    return true;
}

size_t declared_locals(const lowering *l) {
    return l->locals->count;
}

void forget_locals(const lowering *l, size_t count) {
    l->locals->count = count;
}

/* ---- Branches */

local_state local_state_of(const lowering *l) {
    local_state state = {.count = l->locals->count};
    state.value = arena_alloc(l->p->memory, (state.count + 1) * sizeof *state.value);
    for (size_t k = 0; k < state.count; k++) state.value[k] = l->locals->local[k].now;
    return state;
}

void return_to_locals(const lowering *l, const local_state *state) {
    l->locals->count = state->count;
    for (size_t k = 0; k < state->count; k++) l->locals->local[k].now = state->value[k];
}

/* What a local is behind an `if` whose branches gave it different values. */
static local_value *chosen_value(const lowering *l, const group *g, const local *x, const node *statement,
                                 const local_value *condition, const local_value *first, const local_value *second) {
    node *c = use_of(l, g, statement, condition, false), *y = use_of(l, g, statement, first, false),
         *z = use_of(l, g, statement, second, false);
    if (!c || !y || !z) {
        refuse(l, statement, "a value of as many operations, locals of the forall written out,");
        return x->now;
    }
    node *made = compose(l->p->memory, N_CONDITIONAL, statement->first, x->symbol->type, c, y, z);
    made->parent = statement->parent;
    return new_value(l, g, x, statement, made);
}

local_value *condition_value(const lowering *l, const group *g, const node *statement, node *condition) {
    if (l->locals->count == 0) return NULL;
    symbol *s = arena_alloc(l->p->memory, sizeof *s);
    *s = (symbol){.kind = SYMBOL_VARIABLE, .name = "condition", .type = type_of_element(ELEMENT_BOOL)};
    const local x = {.symbol = s};
    return new_value(l, g, &x, statement, clone_reached(l->p, condition));
}

void join_locals(const lowering *l, const group *g, const node *statement, const local_value *condition,
                 const local_state *first, const local_state *second) {
    l->locals->count = first->count;
    for (size_t k = 0; k < first->count; k++) {
        local *x = &l->locals->local[k];
        local_value *y = first->value[k], *z = second->value[k];
        x->now = !y || y == z ? z : !z ? y : chosen_value(l, g, x, statement, condition, y, z);
    }
}

/* ---- Values that are saved */

static local_value *value_of(const lowering *l, const symbol *s) {
    for (size_t k = 0; k < l->locals->values; k++)
        if (l->locals->value[k]->symbol == s) return l->locals->value[k];
    return NULL;
}

static bool is_kept(const parallel *s, const symbol *x) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].node->kind == N_LOCAL && s->mask[m].node->symbol == x) return true;
    return false;
}

static bool has_mask(const parallel *s, const node *mask) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].node == mask) return true;
    return false;
}

/* The branch of an `if`, the outermost one, in which the value is computed, but not the statement; NULL: none. */
static const branch *branch_apart(const parallel *s, const local_value *v) {
    const branch *found = NULL;
    for (const branch *x = v->branch; x && !has_mask(s, x->mask); x = x->outer) found = x;
    return found;
}

/* The value where the conditions of all branches hold in which it is computed, but not the statement; else 0. */
static node *guarded_value(lowering *l, const group *g, const parallel *s, const local_value *v, node *value) {
    for (const branch *x = v->branch; x && !has_mask(s, x->mask); x = x->outer) {
        node *condition = use_of(l, g, v->statement, x->condition, false);
        node *zero = made_number(l, v->statement->first, v->type, "0");
        if (!condition) return value;
        value = x->negated ? compose(l->p->memory, N_CONDITIONAL, v->statement->first, v->type, condition, zero, value)
                           : compose(l->p->memory, N_CONDITIONAL, v->statement->first, v->type, condition, value, zero);
    }
    return value;
}

/* The number of masks that the value and the statement begin with in common. */
static int common_masks(const parallel *s, const local_value *v) {
    int at = 0, conditions = 0;
    for (; at < s->masks; at++) {
        if (s->mask[at].node->kind == N_LOCAL) continue;
        if (conditions == v->masks || s->mask[at].node != v->mask[conditions]) break;
        conditions++;
    }
    return at;
}

static void keep_used(lowering *l, const group *g, parallel *s, const node *n);

/* Gives the value a place among the masks, behind those under which it is computed. */
static void keep_value(lowering *l, const group *g, parallel *s, const local_value *v) {
    node *value = guarded_value(l, g, s, v, clone_reached(l->p, v->value));
    keep_used(l, g, s, value);
    if (s->masks == MAX_RANK) {
        refuse(l, v->statement, "more than 15 conditions and saved values of a statement of a forall");
        return;
    }
    const int at = common_masks(s, v);
    append_mask(l->p->memory, s, NULL);
    memmove(&s->mask[at + 1], &s->mask[at], (size_t)(s->masks - 1 - at) * sizeof s->mask[0]);
    value = converted(l, v->statement->first, v->type, value, false);
    s->mask[at].node = compose(l->p->memory, N_LOCAL, v->statement->first, v->type, value, NULL, NULL);
    s->mask[at].node->symbol = v->symbol;
    s->mask[at].prefix = v->prefix;
    s->mask[at].bound = v->bound;
    s->mask[at].node->parent = v->statement->parent;
}

static void keep_used(lowering *l, const group *g, parallel *s, const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_LOCAL && !n->symbol->spelling &&
        !is_kept(s, n->symbol))
        keep_value(l, g, s, value_of(l, n->symbol));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) keep_used(l, g, s, n->child[c]);
}

void keep_locals(lowering *l, const group *g, parallel *s, const node *left) {
    if (l->locals->values == 0) return;
    const int masks = s->masks;
    node *mask[MAX_RANK];
    for (int m = 0; m < masks; m++) mask[m] = s->mask[m].node;
    for (int m = 0; m < masks; m++) keep_used(l, g, s, mask[m]);
    keep_used(l, g, s, left);
    keep_used(l, g, s, s->value);
}

size_t computed_before(const lowering *l, const node *mask) {
    return mask->kind == N_LOCAL ? value_of(l, mask->symbol)->executed : SIZE_MAX;
}

/* ---- Values that are used more than once */

enum { MOST_USES = 64 };

typedef struct {
    node **use[MOST_USES];
    size_t count;
} uses;

static bool is_condition(const node *n, size_t c) {
    const bool circuit = n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||"));
    return c == 0 && (circuit || n->kind == N_CONDITIONAL);
}

/* Whether all that n reads, but for x, are variables. */
static bool is_plain(const node *n, const symbol *x) {
    if (n->made && n->symbol == x) return true;
    if (n->kind == N_INDEX || n->kind == N_CALL || n->kind == N_MEMBER || n->kind == N_STATEMENT_EXPRESSION)
        return false;
    if (n->kind == N_UNARY && n->op[0] == '*') return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_plain(n->child[c], x)) return false;
    return true;
}

/* Whether child c of n is a condition of what may be gathered, and is evaluated there, too. */
static bool guards_elements(const node *n, size_t c, const symbol *x) {
    if (!is_condition(n, c)) return false;
    for (size_t k = 1; k < n->count; k++)
        if (n->child[k] && !is_plain(n->child[k], x)) return true;
    return false;
}

/* Where a value stands in n, but for what is evaluated elsewhere too, which has it written out: subscripts, reductions,
 * conditions of what is gathered. */
static void find_uses(node **place, const symbol *x, uses *found) {
    node *n = *place;
    operation op;
    if (n->made && n->symbol == x) {
        if (found->count < MOST_USES) found->use[found->count++] = place;
        return;
    }
    if (reduction_call(n, &op) || n->kind == N_INDEX) return;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !guards_elements(n, c, x)) find_uses(&n->child[c], x, found);
}

/* Whether it is worth a name: more than one operand. */
static bool is_compound(const node *n) {
    while (n->kind == N_PAREN || (n->kind == N_CAST && n->made)) n = n->child[n->count - 1];
    return n->count > 0 && n->kind != N_INDEX && n->kind != N_MEMBER;
}

static void name_value(lowering *l, parallel *s, node *let, const local_value *v) {
    uses found = {.count = 0};
    for (size_t c = 0; c < let->count; c++) find_uses(&let->child[c], v->symbol, &found);
    find_uses(&s->value, v->symbol, &found);
    if (found.count < 2 || found.count == MOST_USES || !is_compound(v->value) || branch_apart(s, v)) return;
    symbol *x = arena_alloc(l->p->memory, sizeof *x);
    *x = *v->symbol;
    x->spelling = unique_name(l->p, v->symbol->name);
    node *first = *found.use[0];
    node *value = compose(l->p->memory, N_LOCAL, first->first, v->type, first->child[first->count - 1], NULL, NULL);
    value->name = x->spelling;
    value->symbol = x;
    for (size_t k = 0; k < found.count; k++) {
        node *at = *found.use[k], *name = ast_new(l->p->memory, N_NAME, at->first, at->last, 0, NULL);
        name->name = x->spelling;
        name->symbol = x;
        name->type = v->type;
        name->parent = at->parent;
        *found.use[k] = name;
    }
    value->parent = s->value->parent;
    ast_add(l->p->memory, let, value);
}

/* Whether a value that has a name is used: what used it may have got a name itself, of which one copy stays. */
static bool is_used(const node *let, size_t c, const node *value) {
    for (size_t k = c + 1; k < let->count; k++)
        if (mentions_symbol(let->child[k], let->child[c]->symbol)) return true;
    return mentions_symbol(value, let->child[c]->symbol);
}

static void drop_unused(node *let, const node *value) {
    for (size_t c = let->count; c-- > 0;) {
        if (is_used(let, c, value)) continue;
        memmove(&let->child[c], &let->child[c + 1], (--let->count - c) * sizeof *let->child);
    }
}

void name_locals(lowering *l, parallel *s) {
    if (l->locals->values == 0) return;
    node *let = ast_new(l->p->memory, N_LET, s->value->first, s->value->last, 0, NULL);
    for (size_t k = 0; k < l->locals->values; k++) name_value(l, s, let, l->locals->value[k]);
    drop_unused(let, s->value);
    if (let->count == 0) return;
    let->type = s->value->type;
    let->parent = s->value->parent;
    ast_add(l->p->memory, let, s->value);
    s->value->parent = let;
    for (size_t c = 0; c < let->count; c++) let->child[c]->parent = let;
    s->value = let;
}
