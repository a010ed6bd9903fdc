/* Pass "nests": elements that are structures: which of their parts accesses read or store. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

/* The expression that takes a part of n, or NULL. */
static const node *part_of(const node *n) {
    const node *above = n->parent;
    while (above && above->kind == N_PAREN) n = above, above = above->parent;
    const bool takes = above && (above->kind == N_INDEX || (above->kind == N_MEMBER && above->op[0] == '.'));
    return takes && above->child[0] == n ? above : NULL;
}

node *read_or_stored(const nest_access *x) {
    const node *n = x->chain;
    for (const node *part = part_of(n); part; part = part_of(n)) n = part;
    return (node *)n;
}

/* Whether members of other names share nothing: no union, and none without a name, whose members look like its own. */
static bool keeps_members_apart(const type *t) {
    const node *definition = t && t->kind == TYPE_RECORD ? tag_definition(t->record) : NULL;
    if (!definition || !definition->has_body || !strcmp(definition->op, "union")) return false;
    for (size_t c = 0; c < definition->count; c++)
        if (definition->child[c]->kind == N_DECLARATION && definition->child[c]->count == 1) return false;
    return true;
}

/* Whether two elements that are structures are read or stored in members that share nothing. */
static bool are_other_members(const node *a, const node *b) {
    while ((a = part_of(a)) && (b = part_of(b)) && a->kind == b->kind) {
        if (a->kind == N_INDEX || !strcmp(a->name, b->name)) continue;
        return keeps_members_apart(a->child[0]->type);
    }
    return false;
}

bool may_conflict(const nest_access *x, const nest_access *y) {
    return x->array == y->array && (x->writes || y->writes) &&
           (x->row || y->row || !are_other_members(x->chain, y->chain));
}

int common_subscripts(const nest_access *x, const nest_access *y, const node *of_x[], const node *of_y[]) {
    const node *a = x->chain, *b = y->chain;
    int count = 0;
    if (x->depth >= 0 || y->depth >= 0 || x->row || y->row) return 0;
    while (count < MAX_RANK && (a = part_of(a)) && (b = part_of(b)) && a->kind == b->kind) {
        if (a->kind == N_MEMBER && strcmp(a->name, b->name) != 0) break;
        if (a->kind == N_MEMBER) continue;
        of_x[count] = a->child[1];
        of_y[count++] = b->child[1];
    }
    return count;
}
