/* What may be asked of the tree: what stands around a node, what a node is, what is in it. */
#include <string.h>

#include "model.h"

const char ROW_NUMBER[] = "row", ROW_PLACE[] = "place", ROW_LIMITS[] = "limits";

/* ---- Around a node */

const node *outermost_forall(const node *n) {
    const node *found = NULL;
    for (; n && n->kind != N_FUNCTION_DEFINITION; n = n->parent)
        if (n->kind == N_FORALL) found = n;
    return found;
}

node *function_around(const node *n) {
    while (n && n->kind != N_FUNCTION_DEFINITION) n = n->parent;
    return (node *)n;
}

symbol *function_symbol(const node *definition) {
    node *name = definition ? declared_name(definition->child[1]) : NULL;
    return name ? name->symbol : NULL;
}

bool is_step(const node *n) {
    return (n->kind == N_POSTFIX || n->kind == N_UNARY) && (!strcmp(n->op, "++") || !strcmp(n->op, "--"));
}

static bool is_same_word(const char *x, const char *y) {
    return x == y || (x && y && !strcmp(x, y));
}

/* What gives an index of a reduction its first value is no assignment. */
static bool is_repeatable(const node *n) {
    operation op;
    if (n->kind == N_CALL) return reduction_call(n, &op);
    if (n->kind == N_ASSIGN) return n->parent && n->parent->kind == N_RANGE;
    return !n->replacement && !is_step(n) && n->kind != N_LET && n->kind != N_LOCAL;
}

bool is_same_value(const node *n, const node *m) {
    if (n->kind != m->kind || n->symbol != m->symbol || n->count != m->count || !is_repeatable(n)) return false;
    if (!is_same_word(n->op, m->op) || !is_same_word(n->name, m->name)) return false;
    if (n->kind == N_CONSTANT && !n->name && !(n->first == m->first && n->last == m->last)) return false;
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c] != !m->child[c]) return false;
        if (n->child[c] && !is_same_value(n->child[c], m->child[c])) return false;
    }
    return true;
}

/* Whether n has the words of a left side, which does nothing when it is evaluated again. */
static bool is_left_again(const program *p, const node *left, const node *n) {
    if (holds_kind(left, N_CALL) || holds_kind(left, N_ASSIGN) || holds_kind(left, N_POSTFIX)) return false;
    return !strcmp(ast_quote(p->memory, p->source, left), ast_quote(p->memory, p->source, n));
}

bool is_increment(const program *p, const node *n, increment *x) {
    if (is_step(n)) {
        *x = (increment){NULL, n->op[0] == '-'};
        return true;
    }
    if (n->kind != N_ASSIGN) return false;
    if (!strcmp(n->op, "+=") || !strcmp(n->op, "-=")) {
        *x = (increment){n->child[1], n->op[0] == '-'};
        return true;
    }
    const node *left = inside_parentheses(n->child[0]), *sum = inside_parentheses(n->child[1]);
    if (strcmp(n->op, "=") != 0 || sum->kind != N_BINARY || (strcmp(sum->op, "+") != 0 && strcmp(sum->op, "-") != 0))
        return false;
    const bool minus = sum->op[0] == '-';
    const bool first = is_left_again(p, left, inside_parentheses(sum->child[0]));
    if (!first && (minus || !is_left_again(p, left, inside_parentheses(sum->child[1])))) return false;
    *x = (increment){sum->child[first ? 1 : 0], minus};
    return true;
}

bool is_scaling(const program *p, const node *n, increment *x) {
    if (n->kind != N_ASSIGN) return false;
    *x = (increment){n->child[1], false};
    if (!strcmp(n->op, "*=")) return true;
    const node *left = inside_parentheses(n->child[0]), *product = inside_parentheses(n->child[1]);
    if (strcmp(n->op, "=") != 0 || product->kind != N_BINARY || strcmp(product->op, "*") != 0) return false;
    const bool first = is_left_again(p, left, inside_parentheses(product->child[0]));
    x->added = product->child[first ? 1 : 0];
    return first || is_left_again(p, left, inside_parentheses(product->child[1]));
}

const node *statement_around(const node *n) {
    const node *found = NULL;
    for (; n->parent && n->kind != N_FUNCTION_DEFINITION; n = n->parent) {
        if (n->kind == N_FORALL) found = NULL;
        if (!found && n->parent->kind == N_COMPOUND) found = n;
    }
    return found;
}

bool node_holds(const node *outer, const node *n) {
    return outer && outer->first <= n->first && n->last <= outer->last;
}

bool holds_kind(const node *n, node_kind kind) {
    if (n->kind == kind) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_kind(n->child[c], kind)) return true;
    return false;
}

bool is_comparison(const node *n) {
    return n->kind == N_BINARY && (n->op[1] == '=' || (strchr("<>", n->op[0]) && !n->op[1]));
}

bool has_generic_functions(const node *n) {
    operation op;
    for (; n; n = n->parent)
        if (n->kind == N_FORALL || reduction_call(n, &op) || (n->kind == N_ASSIGN && first_section(n->child[0])))
            return true;
    return false;
}

/* ---- What a node is */

node *inside_parentheses(node *n) {
    while (n->kind == N_PAREN) n = n->child[0];
    return n;
}

node *inside_conversions(const node *n) {
    n = inside_parentheses((node *)n);
    while (n->kind == N_CAST && n->made) n = inside_parentheses(n->child[1]);
    return (node *)n;
}

node *negation_of(arena *a, node *n) {
    node *made = ast_new(a, N_UNARY, n->first, n->last, 1, &n);
    made->op = "!";
    made->parent = n->parent;
    return made;
}

bool is_made_negation(const node *n) {
    return n->kind == N_UNARY && n->first == n->child[0]->first;
}

bool index_chain(node *n, node **name, node **subscripts, int *count) {
    *count = 0;
    node *at = n;
    int depth = 0;
    for (; at->kind == N_INDEX; at = inside_parentheses(at->child[0])) depth++;
    if (depth == 0 || depth > MAX_RANK) return false;
    *name = at;
    *count = depth;
    for (at = n; at->kind == N_INDEX; at = inside_parentheses(at->child[0])) subscripts[--depth] = at->child[1];
    return true;
}

array *distributed_reference(node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (n->kind != N_INDEX || !index_chain(n, &name, subscripts, &count)) return NULL;
    array *a = name->symbol ? name->symbol->array : NULL;
    return a && count == a->rank ? a : NULL;
}

node *element_around(node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    for (n = inside_parentheses(n); n->kind == N_INDEX || n->kind == N_MEMBER; n = inside_parentheses(n)) {
        if (n->kind == N_INDEX && distributed_reference(n)) return n;
        if (n->kind == N_INDEX && !index_chain(n, &name, subscripts, &count)) return NULL;
        if (n->kind == N_MEMBER && strcmp(n->op, ".") != 0) return NULL;
        n = n->kind == N_INDEX ? name : n->child[0];
    }
    return NULL;
}

bool is_in_independent(const node *n) {
    for (; n; n = n->parent)
        if (independent_directive(n)) return true;
    return false;
}

bool picks_parts(const parallel *s) {
    for (const node *n = s->member; n && n != s->left.node; n = n->child[0])
        for (int k = 0; n->kind == N_INDEX && k < s->indices; k++)
            if (s->index[k].symbol && mentions_symbol(n->child[1], s->index[k].symbol)) return true;
    return false;
}

node *independent_directive(const node *loop) {
    const node *above = loop->parent;
    if (loop->kind != N_FOR || !above || above->kind != N_COMPOUND) return NULL;
    for (size_t c = 1; c < above->count; c++)
        if (above->child[c] == loop)
            return above->child[c - 1] && above->child[c - 1]->kind == N_INDEPENDENT ? above->child[c - 1] : NULL;
    return NULL;
}

node *loop_in(const node *loop) {
    node *n = loop->child[3];
    while (n->kind == N_COMPOUND && n->count > 0) {
        const bool declared = n->count == 2 && n->child[0] && n->child[0]->kind == N_INDEPENDENT;
        if (!declared && n->count != 1) return NULL;
        n = n->child[n->count - 1];
    }
    return n->kind == N_FOR ? n : NULL;
}

/* ---- What is in a node */

node *compose(arena *a, node_kind kind, token_index at, const type *t, node *x, node *y, node *z) {
    node *children[] = {x, y, z};
    node *made = ast_new(a, kind, at, at, z ? 3 : y ? 2 : x ? 1 : 0, children);
    made->made = true;
    made->type = (type *)t;
    for (size_t c = 0; c < made->count; c++) made->child[c]->parent = made;
    return made;
}

node *compose_cast(arena *a, token_index at, const type *t, node *x) {
    node *name = ast_new(a, N_TYPE_NAME, at, at, 0, NULL);
    name->type = (type *)t;
    node *cast = compose(a, N_CAST, at, t, name, x, NULL);
    cast->name = element_spelling(t->element);
    return cast;
}

bool is_multiplication(const node *n) {
    return n->kind == N_BINARY && !n->replacement && n->op[0] == '*';
}

bool has_multiplication(const node *n) {
    if (n->kind == N_BINARY && n->op[0] == '*') return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_multiplication(n->child[c])) return true;
    return false;
}

bool mentions_rows(const node *n) {
    if (n->name == ROW_NUMBER || n->name == ROW_PLACE) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_rows(n->child[c])) return true;
    return false;
}

node *declared_value(const symbol *s) {
    const node *n = s->declarator;
    while (n && n->kind != N_INIT_DECLARATOR && n->kind != N_DECLARATION) n = n->parent;
    return n && n->kind == N_INIT_DECLARATOR && n->count > 1 ? n->child[1] : NULL;
}

bool mentions_symbol(const node *n, const symbol *s) {
    if (n->kind == N_NAME && n->symbol == s) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_symbol(n->child[c], s)) return true;
    return false;
}

const symbol *symbol_named(const node *n) {
    n = inside_parentheses((node *)n);
    return n->kind == N_NAME ? n->symbol : NULL;
}

size_t names_in(const node *n, const symbol *s) {
    size_t count = n->kind == N_NAME && n->symbol == s;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) count += names_in(n->child[c], s);
    return count;
}

bool is_address_taken(const symbol *s) {
    for (size_t k = 0; k < s->assignments; k++) {
        const node *above = s->assignment[k]->parent;
        while (above && above->kind == N_PAREN) above = above->parent;
        if (above && above->kind == N_UNARY && above->op[0] == '&' && !above->op[1]) return true;
    }
    return false;
}

bool counts_loop_in(const node *n, const symbol *s) {
    const node *start = n->kind == N_FOR ? n->child[0] : NULL;
    if (start && start->kind == N_ASSIGN && start->child[0]->kind == N_NAME && start->child[0]->symbol == s)
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && counts_loop_in(n->child[c], s)) return true;
    return false;
}

node *sole_statement(node *n) {
    while (n->kind == N_COMPOUND && n->count == 1 && n->child[0]) n = n->child[0];
    return n;
}

bool reads_distributed(const node *n) {
    if (n->replacement) return false;
    if (n->kind == N_NAME && n->symbol && (n->symbol->array || n->symbol->uses_distributed)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_distributed(n->child[c])) return true;
    return false;
}

/* Whether n has a section that is none of a reduction or an argument. */
static bool has_section(const node *n) {
    operation op;
    if (n->kind == N_TRIPLET) return true;
    if (reduction_call((node *)n, &op)) return false;
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c] || (n->kind == N_CALL && takes_array(n, c))) continue;
        if (has_section(n->child[c])) return true;
    }
    return false;
}

bool is_vector(const node *at) {
    return at->kind != N_TRIPLET && has_section(at);
}

/* Vector subscripts that are sections of the chain: one alone, in `A[idx[:]]`, makes it an element of each iteration.
 */
static int vectors_beside(node **subscripts, int count, int sections) {
    int vectors = 0;
    for (int d = 0; d < count; d++) vectors += is_vector(subscripts[d]);
    return vectors + sections > 1 ? vectors : 0;
}

int section_count(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count, sections = 0;
    if (chain->kind != N_INDEX || !index_chain(chain, &name, subscripts, &count)) return 0;
    for (int d = 0; d < count; d++) sections += subscripts[d]->kind == N_TRIPLET;
    return sections + vectors_beside(subscripts, count, sections);
}

node *first_section(node *n) {
    operation op;
    if (reduction_call(n, &op)) return NULL;
    if (section_count(n) > 0) return n;
    for (size_t c = 0; c < n->count; c++) {
        if (n->kind == N_CALL && takes_array(n, c)) continue;
        node *found = n->child[c] ? first_section(n->child[c]) : NULL;
        if (found) return found;
    }
    return NULL;
}

bool is_value_used(const node *n) {
    const node *above = n->parent;
    if (!above || above->kind == N_EXPRESSION) return false;
    if (above->kind == N_PAREN) return is_value_used(above);
    if (above->kind == N_COMMA) return above->child[1] == n && is_value_used(above);
    return !(above->kind == N_FOR && (above->child[0] == n || above->child[2] == n));
}

/* ---- Changes */

void replace_node(node *old, node *new) {
    node *above = old->parent;
    for (size_t c = 0; c < above->count; c++)
        if (above->child[c] == old) above->child[c] = new;
    new->parent = above;
}

void replace_by_several(arena *a, node *old, node *const *statement, int statements) {
    node *block = old->parent;
    uint32_t at = 0;
    while (block->child[at] != old) at++;
    for (int k = 1; k < statements; k++) ast_add(a, block, NULL);
    node **place = block->child + at;
    memmove(place + statements, place + 1, (block->count - at - (uint32_t)statements) * sizeof *place);
    memcpy(place, statement, (size_t)statements * sizeof *place);
    for (int k = 0; k < statements; k++) statement[k]->parent = block;
}
