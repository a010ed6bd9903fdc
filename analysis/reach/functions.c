/* The functions of the file together: what calls do to the mappings of arrays that live as long as the program, and
 * which of these a function finds where it begins. */
#include <string.h>

#include "reach.h"

/* ---- Finding them */

static flow *flow_of(reach *x, const symbol *f) {
    const symbol *defined = f && f->kind == SYMBOL_FUNCTION ? defined_function(x->p, f->name) : NULL;
    return defined ? table_at(&x->function_at, defined) : NULL;
}

/* The NAME of a function whose address is taken: anything but the callee of a call. */
static void find_addresses(reach *x, const node *n, bool called) {
    flow *f = n->kind == N_NAME && !called ? flow_of(x, n->symbol) : NULL;
    if (f) f->visible = f->address_taken = x->callbacks = true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c])
            find_addresses(x, n->child[c], (n->kind == N_CALL && c == 0) || (n->kind == N_PAREN && called));
}

static bool is_main(const flow *f) {
    return f->symbol && !strcmp(f->symbol->name, "main");
}

/* Nested functions count as what is called from anywhere. */
static void find_functions_in(reach *x, node *n, bool nested) {
    const symbol *s = n->kind == N_FUNCTION_DEFINITION ? function_symbol(n) : NULL;
    if (s) {
        const flow f = {.symbol = s,
                        .body = n->child[2],
                        .exit = new_state(x),
                        .entry = new_state(x),
                        .visible = nested || !specifiers_have(n->child[0], "static"),
                        .address_taken = nested};
        vector_add(x->memory, x->function, x->functions, x->function_capacity, f);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_functions_in(x, n->child[c], nested || s);
}

/* Behind the functions that are called in n. */
static void order_function(reach *x, flow *f);

static void order_calls(reach *x, const node *n) {
    flow *f = n->kind == N_CALL ? flow_of(x, called_function(n)) : NULL;
    if (f) order_function(x, f);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) order_calls(x, n->child[c]);
}

static void order_function(reach *x, flow *f) {
    if (f->ordered) return;
    f->ordered = true;
    order_calls(x, f->body);
    x->order[x->orders++] = f;
}

static void order_functions(reach *x) {
    x->order = arena_alloc(x->memory, (x->functions + 1) * sizeof(flow *));
    for (size_t k = 0; k < x->functions; k++) order_function(x, &x->function[k]);
}

void find_functions(reach *x) {
    find_functions_in(x, x->p->unit, false);
    for (size_t k = 0; k < x->functions; k++)
        table_put(x->memory, &x->function_at, x->function[k].symbol, &x->function[k]);
    order_functions(x);
    x->unknown.exit = new_state(x);
    x->unknown.entry = new_state(x);
    find_addresses(x, x->p->unit, false);
}

flow *called_flow(reach *x, const node *call) {
    const node *callee = inside_parentheses(call->child[0]);
    if (callee->kind == N_NAME && !callee->symbol) return x->callbacks ? &x->unknown : NULL;
    flow *f = flow_of(x, called_function(call));
    return f ? f : &x->unknown;
}

/* ---- What they do */

/* Any of the functions that may be called from outside, in any order. */
static void follow_unknown(reach *x) {
    for (size_t k = 0; k < x->count; k++) x->unknown.exit[k] |= AT_ENTRY;
    for (size_t k = 0; k < x->functions; k++)
        if (x->function[k].visible && !is_main(&x->function[k])) join_states(x, x->unknown.exit, x->function[k].exit);
}

/* ---- Where they begin */

static mappings first_mapping(const reach *x, size_t k) {
    (void)x, (void)k;
    return FIRST_VIEW;
}

static void begin_with(reach *x, flow *f, mappings (*which)(const reach *x, size_t k)) {
    for (size_t k = 0; k < x->count; k++)
        if (lives_on(x->tracked[k])) f->entry[k] |= which(x, k);
}

static void begin_functions(reach *x) {
    bool has_main = false;
    for (size_t k = 0; k < x->functions; k++) has_main = has_main || is_main(&x->function[k]);
    for (size_t k = 0; k < x->functions; k++) {
        flow *f = &x->function[k];
        if (is_main(f)) begin_with(x, f, first_mapping);
        if (f->address_taken || (f->visible && !has_main)) begin_with(x, f, x->problem->all);
    }
}

static mappings resolved(mappings found, mappings entry) {
    return (found & ~AT_ENTRY) | (found & AT_ENTRY ? entry : 0);
}

static void follow_calls(reach *x, const flow *caller) {
    for (const flow_call *c = caller->call; c < caller->call + caller->calls; c++) {
        state before = borrow_state(x, c->before);
        for (size_t k = 0; k < x->count; k++)
            before[k] = lives_on(x->tracked[k]) ? resolved(before[k], caller->entry[k]) : 0;
        join_states(x, c->callee->entry, before);
        return_state(x, before);
    }
}

/* What is unknown calls functions, one after the other. */
static void enter_from_unknown(reach *x) {
    state before = borrow_state(x, x->unknown.entry);
    for (size_t k = 0; k < x->count; k++)
        if (before[k]) before[k] |= x->unknown.exit[k] & ~AT_ENTRY;
    for (size_t k = 0; k < x->functions; k++)
        if (x->function[k].visible && !is_main(&x->function[k])) join_states(x, x->function[k].entry, before);
    return_state(x, before);
}

/* What calls do is known where the functions that are called come first; where these begin, where they come last: then
 * each is walked through twice unless some call themselves.  Names are noted in the order of the source. */
void follow_functions(reach *x) {
    for (size_t k = 0; k < x->functions; k++) walk_function(x, &x->function[k]);
    do {
        follow_unknown(x);
        x->changed = false;
        for (size_t k = 0; k < x->orders; k++) walk_function(x, x->order[k]);
    } while (x->changed);
    begin_functions(x);
    do {
        x->changed = false;
        for (size_t k = x->orders; k-- > 0;) follow_calls(x, x->order[k]);
        enter_from_unknown(x);
    } while (x->changed);
    for (size_t k = 0; k < x->names; k++)
        x->name[k].found = resolved(x->name[k].found, x->name[k].function->entry[x->name[k].number]);
}

void solve_for_sites(program *p, const problem *which, bool (*tracks)(const array *a), void (*use)(reach *x)) {
    reach x = {.p = p, .problem = which, .memory = arena_new()};
    track_arrays(&x, tracks);
    find_sites(&x);
    if (x.sites > 0) {
        find_functions(&x);
        follow_functions(&x);
        use(&x);
    }
    arena_free(x.memory);
}
