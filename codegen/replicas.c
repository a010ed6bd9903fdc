/* --check=all: which variables every process has a copy of, with one value, where a statement begins. */
#include <string.h>

#include "../analysis/model/model.h"
#include "../analysis/model/types.h"
#include "spmd.h"

bool is_register(const emitter *e, const symbol *s) {
    const token *t = e->p->source->tokens;
    for (size_t k = s->declaration->first; k < s->declarator->first; k++)
        if (!strcmp(t[k].text, "register")) return true;
    return false;
}

/* What the statement itself assigns may be each process's own: private(...), reduction(...). */
bool is_assigned_in_statement(const symbol *s, const node *n) {
    for (size_t k = 0; k < s->assignments; k++)
        if (s->assignment[k]->first >= n->first && s->assignment[k]->first <= n->last) return true;
    return counts_loop_in(n, s);
}

/* Whether the variable is visible where the statement begins: not one of a loop's body that has become the statement.
 */
bool is_declared_around(const symbol *s, const node *statement) {
    const node *n = statement->parent;
    while (n && n != s->scope) n = n->parent;
    return n != NULL;
}

/* Whether a variable is one that every process has, whatever its type. */
bool is_own_copy(const emitter *e, const node *statement, const symbol *s) {
    return s && s->kind == SYMBOL_VARIABLE && !s->array && s->declaration && s->type &&
           is_declared_around(s, statement) && !is_assigned_in_statement(s, statement) && !is_register(e, s);
}

bool is_replica(const emitter *e, const node *statement, const symbol *s) {
    return s && s->type && s->type->kind == TYPE_ARITHMETIC && is_own_copy(e, statement, s);
}

/* Arithmetic on constants and on numbers that every process has. */
bool is_steady_replica(const emitter *e, const node *statement, const node *n) {
    if (n->kind == N_CONSTANT) return true;
    if (n->kind == N_NAME)
        return n->symbol && (n->symbol->kind == SYMBOL_ENUMERATOR || is_replica(e, statement, n->symbol));
    const bool sign = n->kind == N_UNARY && strchr("+-~!", n->op[0]) && !n->op[1];
    if (n->made || (n->kind != N_BINARY && n->kind != N_PAREN && !sign)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady_replica(e, statement, n->child[c])) return false;
    return true;
}

/* Whether the statement stores into what belongs to the variable. */
bool is_stored_into(const node *n, const symbol *s) {
    bool pointer = false;
    if (is_store(n) && base_symbol(inside_parentheses(n->child[0]), &pointer) == s) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_stored_into(n->child[c], s)) return true;
    return false;
}

bool has_object(const emitter *e, const node *statement, const symbol *s) {
    return is_own_copy(e, statement, s) && s->type->kind != TYPE_ARITHMETIC && s->type->kind != TYPE_FUNCTION &&
           !is_stored_into(statement, s);
}

/* ---- Elements that were compared before the loops */

static const foreseen *foreseen_at(const emitter *e, const node *n) {
    for (size_t k = 0; k < e->foreseen_count; k++)
        if (e->foreseen[k].node == n) return &e->foreseen[k];
    return NULL;
}

bool is_inside_before(const emitter *e, const node *n) {
    return foreseen_at(e, n) != NULL;
}

const foreseen *read_whole(const emitter *e, const node *n) {
    const foreseen *x = foreseen_at(e, n);
    return x && x->dense ? x : NULL;
}

void forget_foreseen(emitter *e) {
    e->foreseen = NULL;
    e->foreseen_count = e->foreseen_capacity = 0; /* the memory is freed with that of the statement */
}
