/* Pass "nests": pointers to rows of distributed arrays, which functions get where iterations are shared out; elsewhere
 * they get a copy, which they may only read. */
#include "nests.h"

static void note_row(nest_rows *rows, node *row, const nest *x, const symbol *variable) {
    if (!mentions_symbol(row, variable)) return;
    table_put(x->p->memory, &rows->reason, row, (void *)(x->stays ? x->stays : x->reason));
}

static void note_in(nest_rows *rows, node *n, const nest *x, const symbol *variable) {
    node *row = row_pointer(n);
    if (row) note_row(rows, row, x, variable);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_in(rows, n->child[c], x, variable);
}

void note_rows(nest_rows *rows, const nest *x) {
    counting_loop counts;
    if (counting_loop_of(x->root, &counts)) note_in(rows, x->root->child[3], x, counts.variable);
}

/* What a call calls. */
static const char *callee_of(const program *p, const node *n) {
    while (n->kind != N_CALL) n = n->parent;
    return ast_quote(p->memory, p->source, inside_parentheses(n->child[0]));
}

typedef struct {
    const program *p;
    const symbol *target;
    hash_table seen;
} call_search;

/* Whether what is executed of n may call the target. */
static bool comes_to(call_search *x, const node *n) {
    const symbol *f = n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_FUNCTION
                          ? defined_function(x->p, n->symbol->name)
                          : NULL;
    if (f == x->target && f) return true;
    if (f && !table_at(&x->seen, f)) {
        table_put(x->p->memory, &x->seen, f, (void *)f);
        if (comes_to(x, f->declaration->child[2])) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && comes_to(x, n->child[c])) return true;
    return false;
}

/* A function that gets to the same call again while it has a row would find another one in its place. */
static void check_row_alone(const program *p, const node *n, const symbol *s) {
    const symbol *around = function_symbol(function_around(n));
    call_search x = {.p = p, .target = around ? defined_function(p, around->name) : NULL};
    const node *call = n;
    while (call->kind != N_CALL) call = call->parent;
    if (!x.target || !comes_to(&x, call->child[0])) return;
    diagnose(p->source, n, D_row_again, callee_of(p, n), s->name, around->name);
    diagnose_note(p->source, s->array->directive, "'%s' is distributed here", s->name);
}

static bool keeps_row(const program *p, const node *n) {
    size_t k = 1;
    for (; n->parent->kind == N_PAREN || n->parent->kind == N_CAST; n = n->parent) continue;
    const node *call = n->parent;
    while (call->kind == N_CALL && k < call->count && call->child[k] != n) k++;
    return call->kind == N_CALL && k < call->count && row_is_kept(p, call, k);
}

static void check_row(const program *p, const nest_rows *rows, node *n, node *row) {
    bool pointer = false;
    const symbol *s = base_symbol(row, &pointer);
    const char *why = table_at(&rows->reason, row);
    if (is_row_only_read(p, n)) {
        check_row_alone(p, n, s);
        return;
    }
    diagnose(p->source, n, keeps_row(p, n) ? D_row_kept : D_row_changed, callee_of(p, n), s->name);
    diagnose_note(p->source, s->array->directive, "'%s' is distributed here", s->name);
    if (why) diagnose_note(p->source, n, "the loop is not shared out: %s", why);
}

void check_rows(program *p, const nest_rows *rows, node *n) {
    if (n->kind == N_FOR && independent_directive(n)) return;
    node *row = row_pointer(n);
    if (row) check_row(p, rows, n, row);
    for (size_t c = 0; c < n->count && !row; c++)
        if (n->child[c]) check_rows(p, rows, n->child[c]);
}
