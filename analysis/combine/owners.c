/* Pass "owners": a statement that stores a single element is computed by the element's owner alone, where nothing but
 * the store depends on who executes it.  What it reads of other owners is sent there. */
#include <string.h>

#include "combine.h"

/* The reference that an element is: every subscript invariant.  False where a subscript reads what is distributed. */
static bool element_reference(const program *p, node *chain, reference *r) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    *r = (reference){.node = chain, .base = name, .symbol = name->symbol, .array = array_at(p, name), .rank = count};
    r->reduction = r->mask = -1;
    make_dimensions(p->memory, r, count);
    for (int d = 0; d < count; d++) {
        if (reads_distributed(subscripts[d])) return false;
        r->subscript[d] = (subscript){.kind = SUBSCRIPT_INVARIANT, .node = subscripts[d]};
        r->subscript[d].offset = linear_of(p->memory, p->source, subscripts[d]);
    }
    return true;
}

/* Adds the distributed elements in n; false where one may not be read always, or what is distributed is read otherwise.
 */
static bool add_operands(const program *p, owner_statement *s, node *n, bool conditional) {
    if (n->kind == N_SIZEOF) return true;
    if (row_pointer(n)) return false;
    if (distributed_reference(n)) {
        reference r;
        if (conditional || !element_reference(p, n, &r)) return false;
        r.placed.relation = reference_is_local(p, &s->left, &r) ? RELATION_LOCAL : RELATION_SETS;
        vector_add(p->memory, s->operand, s->operands, s->operand_capacity, r);
        return true;
    }
    const bool decides =
        n->kind == N_CONDITIONAL || (n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||")));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !add_operands(p, s, n->child[c], conditional || (decides && c > 0))) return false;
    return true;
}

/* What stores an element in an expression statement, or NULL. */
static node *store_of(const node *statement) {
    node *n = statement->kind == N_EXPRESSION ? inside_parentheses(statement->child[0]) : NULL;
    if (!n) return NULL;
    const bool steps = n->kind == N_POSTFIX || (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
    if (!steps && n->kind != N_ASSIGN) return NULL;
    return element_around(n->child[0]) ? n : NULL;
}

/* Whether the owner can find the member by itself. */
static bool adds_member(node *member, const node *chain) {
    for (node *n = member; n != chain; n = inside_parentheses(n->child[0]))
        if (n->kind == N_INDEX && reads_distributed(n->child[1])) return false;
    return true;
}

/* A plain store of a value that every process has needs no help: the statement is worth it where elements are read. */
static bool is_owned(const program *p, owner_statement *s) {
    node *left = inside_parentheses(s->store->child[0]), *chain = element_around(left);
    const bool assigns = s->store->kind == N_ASSIGN, member = left != chain;
    const bool reads_left = !assigns || strcmp(s->store->op, "=") != 0;
    if (!is_pure(left, 0) || !element_reference(p, chain, &s->left) || !adds_member(left, chain)) return false;
    if (assigns && (!is_pure(s->store->child[1], 0) || !add_operands(p, s, s->store->child[1], false))) return false;
    return reads_left || member || s->operands > 0;
}

/* An earlier operand that is the same element, or NULL. */
static const reference *same_operand(const program *p, const owner_statement *s, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (s->operand[j].array == s->operand[k].array && same_subscripts(p, &s->operand[j], &s->operand[k]))
            return &s->operand[j];
    return NULL;
}

static const char *operand_variable(program *p, const owner_statement *s, size_t k) {
    int before = 0;
    for (size_t j = 0; j < k; j++)
        before += s->operand[j].placed.buffer && s->operand[j].symbol == s->operand[k].symbol && !same_operand(p, s, j);
    return moved_name(p, s->operand[k].symbol, before);
}

/* Those that other processes may own come in variables. */
static void name_operands(program *p, owner_statement *s) {
    for (size_t k = 0; k < s->operands; k++) {
        const reference *same = same_operand(p, s, k);
        if (s->operand[k].placed.relation == RELATION_LOCAL) continue;
        s->operand[k].placed.buffer = same ? same->placed.buffer : operand_variable(p, s, k);
    }
}

static void walk(program *p, node *n) {
    if (group_at(p, n)) return;
    node *store = store_of(n);
    if (store) {
        owner_statement s = {.node = n, .store = store};
        if (!is_owned(p, &s)) return;
        name_operands(p, &s);
        vector_add(p->memory, p->owner_statement, p->owner_statement_count, p->owner_statement_capacity, s);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) walk(p, n->child[c]);
}

void find_owners(program *p) {
    walk(p, p->unit);
}

const owner_statement *owner_statement_at(const program *p, const node *n) {
    for (size_t k = 0; k < p->owner_statement_count; k++)
        if (p->owner_statement[k].node == n || p->owner_statement[k].store == n) return &p->owner_statement[k];
    return NULL;
}

const reference *owner_operand_at(const owner_statement *s, const node *n) {
    if (s->left.node == n) return &s->left;
    for (size_t k = 0; k < s->operands; k++)
        if (s->operand[k].node == n) return &s->operand[k];
    return NULL;
}
