/* What an expression does to mappings: it calls functions.  C leaves the order of most operands open, and so do we: a
 * name in an expression may be read in any state that the expression passes through. */
#include <string.h>

#include "reach.h"

/* An expression that is being looked through. */
typedef struct {
    reach *x;
    flow *function;
    state seen;         /* all states so far */
    state now;          /* behind what has been looked through, as C would execute it from left to right */
    size_t changing;    /* calls that change mappings */
    bool returns_twice; /* setjmp and its kin: control comes back with any state */
} evaluation;

/* ---- Calls */

static bool changes_mappings(const reach *x, const flow *f) {
    for (size_t k = 0; f && k < x->count; k++)
        if (lives_on(x->tracked[k]) && f->exit[k] != AT_ENTRY) return true;
    return false;
}

static mappings after_call(const array *a, mappings exit, mappings before) {
    if (!lives_on(a)) return before;
    return (exit & ~AT_ENTRY) | (exit & AT_ENTRY ? before : 0);
}

static bool returns_twice(const node *call) {
    static const char names[] = " setjmp _setjmp __sigsetjmp sigsetjmp __builtin_setjmp getcontext swapcontext vfork ";
    const node *f = inside_parentheses(call->child[0]);
    return f->kind == N_NAME && is_listed(names, f->name);
}

/* Whether n is evaluated exactly once where the expression around it is. */
static bool passes_on(const node *n) {
    static const node_kind kinds[] = {N_PAREN, N_ASSIGN, N_EXPRESSION, N_DECLARATION, N_INIT_DECLARATOR, N_CAST,
                                      N_UNARY, N_INDEX,  N_MEMBER,     N_COMMA,       N_POSTFIX};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (n->kind == kinds[k]) return true;
    return n->kind == N_BINARY && strcmp(n->op, "&&") != 0 && strcmp(n->op, "||") != 0;
}

static void count_calls(evaluation *v, const node *n) {
    if (n->kind == N_CALL) {
        v->returns_twice = v->returns_twice || returns_twice(n);
        v->changing += changes_mappings(v->x, called_flow(v->x, n));
    }
    v->changing += n->kind == N_REDISTRIBUTE;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) count_calls(v, n->child[c]);
}

static void look_at_call(evaluation *v, const node *call, bool certain) {
    reach *x = v->x;
    const flow *f = called_flow(x, call);
    for (size_t k = 0; f && k < x->count; k++) {
        const mappings after = after_call(x->tracked[k], f->exit[k], v->now[k]);
        v->now[k] = certain && v->changing == 1 ? after : v->now[k] | after;
        v->seen[k] |= v->now[k];
    }
}

/* In a statement expression. */
static void look_at_directive(evaluation *v, node *n) {
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const numbers *moved = moved_numbers(v->x, n->child[c]);
        for (size_t k = 0; k < moved->count; k++) {
            const size_t number = moved->number[k];
            v->now[number] |= v->x->problem->given(v->x, n, n->child[c], v->x->tracked[number], v->now[number]);
            v->seen[number] |= v->now[number];
        }
    }
    for (size_t k = 0; n->kind == N_DISTRIBUTE && k < v->x->count; k++)
        if (v->x->tracked[k]->directive == n && !lives_on(v->x->tracked[k])) {
            v->now[k] |= FIRST_VIEW;
            v->seen[k] |= FIRST_VIEW;
        }
}

static void look(evaluation *v, const node *n, bool certain) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c])
            look(v, n->child[c], certain && (passes_on(n) || n->kind == N_CALL) && n->child[c]->kind != N_RANGE);
    if (n->kind == N_CALL) look_at_call(v, n, certain && (n->count < 2 || n->child[1]->kind != N_RANGE));
    look_at_directive(v, (node *)n);
}

/* ---- What is noted */

void note_found(reach *x, const flow *f, const node *name, size_t number, mappings found) {
    const size_t *known = table_at(&x->name_at, name);
    if (!known) {
        size_t *place = arena_alloc(x->memory, sizeof *place);
        *place = x->names;
        table_put(x->memory, &x->name_at, name, known = place);
        vector_add(x->memory, x->name, x->names, x->name_capacity, ((flow_name){name, f, number, 0}));
    }
    x->name[*known].found |= found;
}

static void note_name(evaluation *v, const node *name, const array *a) {
    const int64_t number = number_of(v->x, v->x->problem->named ? v->x->problem->named(a) : a);
    if (number >= 0) note_found(v->x, v->function, name, (size_t)number, v->seen[number]);
}

static void note_call(evaluation *v, const node *call) {
    reach *x = v->x;
    flow *caller = v->function, *callee = called_flow(x, call);
    if (!callee) return;
    const size_t *known = table_at(&x->call_at, call);
    if (!known) {
        size_t *place = arena_alloc(x->memory, sizeof *place);
        *place = caller->calls;
        table_put(x->memory, &x->call_at, call, known = place);
        vector_add(x->memory, caller->call, caller->calls, caller->call_capacity, ((flow_call){callee, new_state(x)}));
    }
    join_states(x, caller->call[*known].before, v->seen);
}

static void note(evaluation *v, const node *n) {
    array *moved[MOST_MOVED];
    if (n->kind == N_NAME && n->symbol && n->symbol->array) note_name(v, n, n->symbol->array);
    if (n->kind == N_CALL) note_call(v, n);
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++)
        if (moved_arrays(n->child[c], moved) > 0) note_name(v, n->child[c], moved[0]);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note(v, n->child[c]);
}

void evaluate(reach *x, flow *f, const node *n, state now) {
    if (!x->seen) x->seen = new_state(x);
    evaluation v = {.x = x, .function = f, .seen = x->seen, .now = now};
    if (x->problem->before) x->problem->before(x, n, now);
    copy_state(x, v.seen, now);
    count_calls(&v, n);
    look(&v, n, true);
    for (size_t k = 0; v.returns_twice && k < x->count; k++) {
        now[k] |= x->problem->all(x, k);
        v.seen[k] |= now[k];
    }
    note(&v, n);
    if (v.changing > 1) add_state(x, now, v.seen);
    leave_from(x, f, n, v.seen);
    if (x->problem->behind) x->problem->behind(x, n, now);
}
