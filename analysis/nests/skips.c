/* Pass "nests": `if (...) continue;`, which leaves some iterations of the loop around it: what stands behind it is
 * executed where the condition does not hold. */
#include "nests.h"

bool ends_in_continue(const node *n) {
    while (n && n->kind == N_COMPOUND && n->count > 0) n = n->child[n->count - 1];
    return n && n->kind == N_CONTINUE;
}

bool skips_rest(const node *n) {
    if (!n || n->kind != N_IF || n->parent->kind != N_COMPOUND || n->parent->parent->kind != N_FOR) return false;
    return ends_in_continue(n->child[1]) || (n->count > 2 && ends_in_continue(n->child[2]));
}

bool is_skip(const node *n) {
    const node *branch = n;
    while (branch->parent->kind == N_COMPOUND && branch->parent->child[branch->parent->count - 1] == branch)
        branch = branch->parent;
    return skips_rest(branch->parent);
}

/* Whether a statement of a loop that `continue` stands in has conditions of its own wherever it is executed: it is
 * added up over the loop, or written out where its value is used. */
static bool has_own_conditions(const nest *x, const nest_statement *s, const node *loop) {
    for (int k = 0; k < s->loops; k++)
        if (s->loop[k]->loop == loop)
            return s->reduces[k] || (s->kind == STATEMENT_PRIVATE && private_of(x, s->private)->depth > k);
    return false;
}

/* Results have conditions of their own wherever they stand; so do elements that are assigned apart from one another. */
static void check_skip(nest *x, node *skip) {
    const node *loop = skip;
    while (loop->kind != N_FOR) loop = loop->parent;
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        if (s->kind == STATEMENT_SCALAR || s->kind == STATEMENT_CONDITION || !node_holds(loop, s->whole)) continue;
        if (has_own_conditions(x, s, loop)) continue;
        if (s->kind == STATEMENT_ELEMENT)
            x->skips_elements = true;
        else
            stop_nest(x, skip, "continue stands in it");
    }
}

void check_skips(nest *x) {
    for (int k = 0; k < x->skips && !x->reason; k++) check_skip(x, x->skip[k]);
}

/* ---- In bodies that stay as they stand */

static bool is_loop(const node *n) {
    return n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO;
}

/* Whether a loop is all that stands in the nest's loops around it: iterations of these may go to several processes. */
static bool may_be_shared(const nest *x, const node *loop) {
    for (const node *n = loop; n != x->root; n = n->parent) {
        const node *above = n->parent;
        if (above->kind != N_FOR && (above->kind != N_COMPOUND || above->count != 1)) return false;
    }
    return true;
}

bool stays_in_iteration(const nest *x, const node *jump) {
    const node *left = jump->parent;
    while (left != x->root && !is_loop(left) && (left->kind != N_SWITCH || jump->kind == N_CONTINUE))
        left = left->parent;
    return jump->kind == N_CONTINUE || left->kind == N_SWITCH || !may_be_shared(x, left);
}
