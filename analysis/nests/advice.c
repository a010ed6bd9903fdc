/* Pass "nests": what helps where a nest stays sequential for a reason that has a form of its own. */
#include <string.h>

#include "nests.h"

static bool counts(const node *n) {
    const bool step = n->kind == N_POSTFIX || (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
    for (size_t c = 0; !step && c < n->count; c++)
        if (n->child[c] && counts(n->child[c])) return true;
    return step;
}

void advise_store(nest *x, const node *left, const symbol *v) {
    if (counts(left))
        advise_nest(x, left,
                    "where chosen elements go is count_prefix(condition): place[:] = count_prefix(...); then "
                    "forall (i = lower:upper, condition) %s[place[i]-1] = ...;",
                    v->name);
    else if (!v->array)
        advise_nest(x, left, "where each iteration has its own '%s', declare it in the body of the loop", v->name);
}

/* The assignment of a variable in n that comes last; NULL: none. */
static const node *last_assignment(const node *n, const symbol *v) {
    const node *found = NULL;
    if (n->kind == N_ASSIGN && n->child[0]->kind == N_NAME && n->child[0]->symbol == v) return n;
    for (size_t c = 0; c < n->count; c++) {
        const node *inside = n->child[c] ? last_assignment(n->child[c], v) : NULL;
        if (inside) found = inside;
    }
    return found;
}

void advise_carried(nest *x, const node *name) {
    const node *given = last_assignment(x->root->child[3], name->symbol);
    if (!given) return;
    const node *value = inside_parentheses(given->child[1]);
    if (!strcmp(given->op, "+=") || !strcmp(given->op, "-="))
        advise_nest(x, name, "a running sum is sum_prefix, of sections, as in B[:] = sum_prefix(A[:])");
    else if (!strcmp(given->op, "=") && value->kind == N_INDEX && distributed_reference((node *)value))
        advise_nest(x, name,
                    "what an earlier iteration has left in '%s' is an element beside '%s', which can be read there",
                    name->name, nest_quote(x, value));
}

void advise_break(nest *x, const node *n) {
    advise_nest(x, n,
                "results of all iterations are parallel without 'break': a sum, a flag; the first place is "
                "minval(i = lower:upper, condition, i)");
}
