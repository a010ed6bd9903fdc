/* States along the statements of a function: all of C's ways from one to another. */
#include "reach.h"

/* Where control goes from a loop or a switch. */
typedef struct {
    state head;  /* a loop: where its condition is evaluated, or its body begins; a switch: where it jumps from */
    state end;   /* behind it */
    state again; /* a loop: where `continue` goes */
    bool has_default;
} places;

static void walk(reach *x, flow *f, node *n, state now);

static places *places_of(reach *x, const node *n) {
    places *found = table_at(&x->places, n);
    if (found) return found;
    found = arena_alloc(x->memory, sizeof *found);
    *found = (places){.head = new_state(x), .end = new_state(x), .again = new_state(x)};
    table_put(x->memory, &x->places, n, found);
    return found;
}

static state label_state(reach *x, flow *f, const char *name) {
    state found = names_at(&f->labels, name);
    if (!found) names_put(x->memory, &f->labels, name, found = new_state(x));
    return found;
}

/* ---- Jumps */

static bool is_target(const node *n, bool loop) {
    return n->kind == N_WHILE || n->kind == N_DO || n->kind == N_FOR || (!loop && n->kind == N_SWITCH);
}

/* The loop, or the switch, that a BREAK or CONTINUE leaves. */
static const node *target_of(const node *jump) {
    const node *n = jump->parent;
    while (n && !is_target(n, jump->kind == N_CONTINUE)) n = n->parent;
    return n;
}

static void join_labels(reach *x, flow *f, const node *n, const mappings *from) {
    if (n->kind == N_LABEL) join_states(x, label_state(x, f, n->name), from);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) join_labels(x, f, n->child[c], from);
}

static void jump(reach *x, flow *f, const node *n, const mappings *from) {
    const node *target = n->kind == N_BREAK || n->kind == N_CONTINUE ? target_of(n) : NULL;
    if (target) join_states(x, n->kind == N_BREAK ? places_of(x, target)->end : places_of(x, target)->again, from);
    if (n->kind == N_RETURN) join_states(x, f->exit, from);
    if (n->kind == N_GOTO && n->name) join_states(x, label_state(x, f, n->name), from);
    if (n->kind == N_GOTO && !n->name) join_labels(x, f, f->body, from);
}

void leave_from(reach *x, flow *f, const node *n, const mappings *seen) {
    jump(x, f, n, seen);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) leave_from(x, f, n->child[c], seen);
}

/* ---- Loops */

static bool is_always(const node *condition, bool wanted) {
    int64_t value;
    return condition && constant_value(condition, &value) && (value != 0) == wanted;
}

/* From the loop's head to the end of its body, which goes back to the head. */
static void walk_round(reach *x, flow *f, places *at, node *condition, node *body, node *step, state now) {
    copy_state(x, now, at->head);
    if (condition) evaluate(x, f, condition, now);
    walk(x, f, body, now);
    add_state(x, now, at->again);
    if (step) evaluate(x, f, step, now);
    join_states(x, at->head, now);
}

/* Whether the body is executed once at least. */
static bool certainly_runs(const node *loop) {
    counting_loop c;
    int64_t first, limit;
    if (!counting_loop_of(loop, &c) || !constant_value(c.first, &first) || !constant_value(c.limit, &limit))
        return false;
    if (first == limit) return c.inclusive;
    return c.step > 0 ? first < limit : first > limit;
}

/* `for` and `while`: control leaves where the condition is evaluated. */
static void walk_loop(reach *x, flow *f, node *n, node *condition, node *body, node *step, state now) {
    places *at = places_of(x, n);
    const bool runs = n->kind == N_FOR && certainly_runs(n);
    join_states(x, at->head, now);
    walk_round(x, f, at, condition, body, step, now);
    if (!runs) copy_state(x, now, at->head);
    if (condition) evaluate(x, f, condition, now);
    if (!condition || is_always(condition, true)) clear_state(x, now);
    add_state(x, now, at->end);
}

static void walk_for(reach *x, flow *f, node *n, state now) {
    if (n->child[0]) evaluate(x, f, n->child[0], now);
    walk_loop(x, f, n, n->child[1], n->child[3], n->child[2], now);
}

static void walk_do(reach *x, flow *f, node *n, state now) {
    places *at = places_of(x, n);
    join_states(x, at->head, now);
    copy_state(x, now, at->head);
    walk(x, f, n->child[0], now);
    add_state(x, now, at->again);
    evaluate(x, f, n->child[1], now);
    if (!is_always(n->child[1], false)) join_states(x, at->head, now);
    if (is_always(n->child[1], true)) clear_state(x, now);
    add_state(x, now, at->end);
}

/* ---- Choices */

static void walk_if(reach *x, flow *f, node *n, state now) {
    evaluate(x, f, n->child[0], now);
    state other = borrow_state(x, now);
    walk(x, f, n->child[1], now);
    if (n->child[2]) walk(x, f, n->child[2], other);
    add_state(x, now, other);
    return_state(x, other);
}

static void walk_switch(reach *x, flow *f, node *n, state now) {
    places *at = places_of(x, n);
    evaluate(x, f, n->child[0], now);
    join_states(x, at->head, now);
    clear_state(x, now);
    walk(x, f, n->child[1], now);
    add_state(x, now, at->end);
    if (!at->has_default) add_state(x, now, at->head);
}

static void walk_case(reach *x, flow *f, node *n, state now) {
    const node *around = n->parent;
    while (around && around->kind != N_SWITCH) around = around->parent;
    places *at = around ? places_of(x, around) : NULL;
    if (at && n->kind == N_DEFAULT) at->has_default = true;
    if (at) add_state(x, now, at->head);
    node *statement = n->child[n->kind == N_CASE];
    if (statement) walk(x, f, statement, now);
}

/* One of several texts of the same statements. */
static void walk_versions(reach *x, flow *f, node *n, state now) {
    state before = borrow_state(x, now);
    clear_state(x, now);
    for (size_t c = 0; c < n->count; c++) {
        state one = borrow_state(x, before);
        walk(x, f, n->child[c], one);
        add_state(x, now, one);
        return_state(x, one);
    }
    return_state(x, before);
}

static void walk_label(reach *x, flow *f, node *n, state now) {
    add_state(x, now, label_state(x, f, n->name));
    if (n->count > 0 && n->child[0]) walk(x, f, n->child[0], now);
}

/* ---- Directives */

static void create(reach *x, const node *directive, state now) {
    for (size_t k = 0; k < x->count; k++)
        if (x->tracked[k]->directive == directive && !lives_on(x->tracked[k])) now[k] = FIRST_VIEW;
}

static void redistribute(reach *x, flow *f, node *n, state now) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) evaluate(x, f, n->child[c], now);
    for (size_t c = 2; c < n->count; c++) {
        const numbers *moved = moved_numbers(x, n->child[c]);
        for (size_t k = 0; k < moved->count; k++) {
            const size_t number = moved->number[k];
            array *a = x->tracked[number];
            if (same_array(a, n->child[c]->symbol->array)) note_found(x, f, n->child[c], number, now[number]);
            if (!is_left_out(x, n->child[c])) now[number] = x->problem->given(x, n, n->child[c], a, now[number]);
        }
    }
}

/* ---- Statements */

static void walk(reach *x, flow *f, node *n, state now) {
    switch ((int)n->kind) {
    case N_COMPOUND:
        for (size_t c = 0; c < n->count; c++) walk(x, f, n->child[c], now);
        return;
    case N_IF:
        walk_if(x, f, n, now);
        return;
    case N_SWITCH:
        walk_switch(x, f, n, now);
        return;
    case N_CASE:
    case N_DEFAULT:
        walk_case(x, f, n, now);
        return;
    case N_LABEL:
        walk_label(x, f, n, now);
        return;
    case N_VERSIONS:
        walk_versions(x, f, n, now);
        return;
    case N_WHILE:
        walk_loop(x, f, n, n->child[0], n->child[1], NULL, now);
        return;
    case N_DO:
        walk_do(x, f, n, now);
        return;
    case N_FOR:
        walk_for(x, f, n, now);
        return;
    case N_RETURN:
    case N_BREAK:
    case N_CONTINUE:
    case N_GOTO:
        if (n->count > 0 && n->child[0]) evaluate(x, f, n->child[0], now);
        jump(x, f, n, now);
        clear_state(x, now);
        return;
    case N_DISTRIBUTE:
        create(x, n, now);
        return;
    case N_REDISTRIBUTE:
        redistribute(x, f, n, now);
        return;
    case N_FUNCTION_DEFINITION: /* a nested one */
        return;
    case N_ASM: /* asm goto */
        join_labels(x, f, f->body, now);
        return;
    default:
        evaluate(x, f, n, now);
        return;
    }
}

/* The function's entry: what lives on is as the caller left it; parameters and automatic arrays come with their
 * directives. */
void walk_function(reach *x, flow *f) {
    state now = borrow_state(x, f->exit);
    for (size_t k = 0; k < x->count; k++) now[k] = lives_on(x->tracked[k]) ? AT_ENTRY : 0;
    walk(x, f, f->body, now);
    join_states(x, f->exit, now);
    return_state(x, now);
}
