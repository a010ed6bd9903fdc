/* Pass "nests": parallel statements in place of a loop nest: a forall for each assignment to elements, a sum for each
 * scalar.  Their tokens are those of the nest, shared out in order; what has no tokens of its own is `made`. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

static node *made_node(const nest *x, node_kind kind, size_t at) {
    node *n = ast_new(x->p->memory, kind, at, at, 0, NULL);
    n->made = kind == N_CAST || kind == N_BINARY;
    return n;
}

static node *name_node(const nest *x, const char *name, symbol *s, const type *t, size_t at) {
    node *n = made_node(x, N_NAME, at);
    n->name = name;
    n->name_token = at;
    n->symbol = s;
    n->type = (type *)t;
    return n;
}

static node *number_node(const nest *x, int64_t value, size_t at) {
    node *n = made_node(x, N_CONSTANT, at);
    n->name = arena_format(x->p->memory, "%lld", (long long)value);
    n->type = type_of_element(x->p->memory, ELEMENT_INT);
    return n;
}

/* What ++ adds. */
static node *counted_node(const nest *x, size_t at) {
    node *n = number_node(x, 1, at);
    n->made = true;
    return n;
}

static node *cast_node(const nest *x, element to, node *value, size_t at) {
    node *n = made_node(x, N_CAST, at), *name = made_node(x, N_TYPE_NAME, at);
    node *specifiers = made_node(x, N_SPECIFIERS, at), *keyword = made_node(x, N_KEYWORD, at);
    keyword->name = element_spelling(to);
    ast_add(x->p->memory, specifiers, keyword);
    ast_add(x->p->memory, name, specifiers);
    ast_add(x->p->memory, n, name);
    ast_add(x->p->memory, n, value);
    n->name = element_spelling(to);
    n->type = type_of_element(x->p->memory, to);
    return n;
}

/* Names of loop variables become those of the statement's indices. */
static void name_indices(const nest_statement *s, node *n) {
    for (int k = 0; k < s->loops; k++)
        if (n->kind == N_NAME && n->symbol == s->loop[k]->variable) n->symbol = s->loop[k]->index;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_indices(s, n->child[c]);
}

static node *copy_of(const nest *x, const node *n) {
    return ast_clone(x->p->memory, n);
}

/* ---- Conditions */

static bool depends_on_sum(const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (s->reduces[k] && mentions_symbol(n, s->loop[k]->variable)) return true;
    return false;
}

/* The conditions that the sum is under, joined; NULL: there is none. */
static node *mask_of_sum(const nest *x, const nest_statement *s) {
    node *mask = NULL;
    for (int k = 0; k < s->conditions; k++) {
        if (!s->scalar && !depends_on_sum(s, s->condition[k].node)) continue;
        node *one = copy_of(x, s->condition[k].node);
        if (mask) {
            node *both = made_node(x, N_BINARY, s->loop[0]->loop->first + 1);
            both->op = "&&";
            both->type = type_of_element(x->p->memory, ELEMENT_INT);
            ast_add(x->p->memory, both, mask);
            ast_add(x->p->memory, both, one);
            one = both;
        }
        mask = one;
    }
    return mask;
}

/* ---- Sums */

/* The type that values are added up in: as wide as the left side. */
static element type_of_sum(const nest_statement *s) {
    const element left = s->left->type->element;
    const element value = s->value ? element_promoted(s->value->type->element) : ELEMENT_INT;
    if (element_is_integer(left) && element_bytes(left) < 4) return ELEMENT_LONG;
    return element_common(left, value);
}

static node *range_node(const nest *x, const nest_loop *l, size_t at) {
    arena *a = x->p->memory;
    node *range = made_node(x, N_RANGE, at), *start = made_node(x, N_ASSIGN, at);
    start->op = "=";
    ast_add(a, start, name_node(x, l->index->name, l->index, l->index->type, at));
    ast_add(a, start, copy_of(x, l->lower));
    ast_add(a, range, start);
    ast_add(a, range, copy_of(x, l->upper));
    if (l->step > 1) ast_add(a, range, number_node(x, l->step, at));
    return range;
}

/* The at of `+=`, or the like, which nothing else is made of. */
static size_t operator_token(const nest_statement *s) {
    return s->assign->kind == N_UNARY ? s->assign->first : s->assign->child[0]->last + 1;
}

static node *sum_node(const nest *x, const nest_statement *s) {
    arena *a = x->p->memory;
    const size_t at = operator_token(s);
    const bool product = !strcmp(s->op, "*=");
    node *call = made_node(x, N_CALL, at), *mask = mask_of_sum(x, s);
    node *value = s->value ? s->value : counted_node(x, at);
    const element to = type_of_sum(s);
    ast_add(a, call, name_node(x, product ? "product" : "sum", NULL, NULL, at));
    for (int k = 0; k < s->loops; k++)
        if (s->reduces[k]) ast_add(a, call, range_node(x, s->loop[k], at));
    if (mask) ast_add(a, call, mask);
    if (element_promoted(value->type->element) != to) value = cast_node(x, to, value, at);
    ast_add(a, call, value);
    if (s->scalar) call->first = s->assign->first;
    call->last = s->value ? s->assign->last : at;
    operation op;
    call->type = reduction_call(call, &op) ? type_of_reduction(a, op, call) : NULL;
    return call;
}

/* ---- Statements */

static node *index_node(const nest *x, const nest_loop *l) {
    arena *a = x->p->memory;
    const size_t at = l->loop->first;
    node *n = made_node(x, N_FORALL_INDEX, at);
    n->name = l->index->name;
    n->name_token = l->variable->declarator ? l->variable->declarator->name_token : at;
    n->symbol = l->index;
    ast_add(a, n, copy_of(x, l->lower));
    ast_add(a, n, copy_of(x, l->upper));
    if (l->step > 1) ast_add(a, n, number_node(x, l->step, at));
    return n;
}

/* A node whose first child may be missing. */
static void add_optional(arena *a, node *parent, node *child) {
    ast_add(a, parent, child);
}

/* left op= value, as a statement. */
static node *assignment_node(const nest *x, nest_statement *s) {
    arena *a = x->p->memory;
    bool sums = false;
    for (int k = 0; k < s->loops; k++) sums = sums || s->reduces[k];
    node *assign = s->assign, *statement = assign;
    while (statement->kind != N_EXPRESSION) statement = statement->parent;
    if (sums || assign->kind != N_ASSIGN) {
        node *value = sums ? sum_node(x, s) : counted_node(x, operator_token(s));
        node *left = assign->child[0];
        assign->kind = N_ASSIGN;
        assign->op = s->op;
        assign->count = 0;
        assign->child = NULL;
        ast_add(a, assign, left);
        ast_add(a, assign, value);
        if (!assign->type) assign->type = left->type;
    }
    statement->child[0] = assign;
    return statement;
}

/* A forall over the loops that the statement does not add up over, under its conditions. */
static node *forall_node(const nest *x, nest_statement *s) {
    arena *a = x->p->memory;
    node *body = assignment_node(x, s), *n = NULL;
    bool sums = false;
    for (int k = 0; k < s->loops; k++) sums = sums || s->reduces[k];
    for (int k = s->conditions; k-- > 0;) {
        const node *condition = s->condition[k].node;
        if (sums && depends_on_sum(s, condition)) continue;
        node *under = ast_new(a, N_FORALL, s->loop[0]->loop->first, s->loop[0]->loop->last, 0, NULL);
        add_optional(a, under, copy_of(x, condition));
        ast_add(a, under, body);
        body = under;
    }
    n = body;
    if (body->kind != N_FORALL) {
        n = ast_new(a, N_FORALL, s->loop[0]->loop->first, s->loop[0]->loop->last, 0, NULL);
        add_optional(a, n, NULL);
        ast_add(a, n, body);
    }
    for (int k = 0; k < s->loops; k++)
        if (!s->reduces[k]) ast_add(a, n, index_node(x, s->loop[k]));
    return n;
}

/* Whether it adds up over all its loops. */
static bool adds_to_one(const nest_statement *s) {
    for (int k = 0; k < s->loops; k++)
        if (!s->reduces[k]) return false;
    return true;
}

static node *single_node(const nest *x, nest_statement *s) {
    node *n = assignment_node(x, s);
    n->made = true;
    return n;
}

/* The nest's tokens are those of its statements: each one's begin behind the one before. */
static void share_tokens(const nest *x, node **statement, const size_t *last) {
    size_t first = x->root->first;
    for (int k = 0; k < x->statements; k++) {
        statement[k]->first = first;
        statement[k]->last = k + 1 < x->statements ? last[k] : x->root->last;
        first = statement[k]->last + 1;
    }
}

/* In place of the nest in its block. */
static void put_in_block(const nest *x, node *block, node **statement) {
    arena *a = x->p->memory;
    const size_t count = block->count;
    node **old = block->child;
    block->count = 0;
    block->child = NULL;
    for (size_t c = 0; c < count; c++) {
        if (old[c] != x->root) ast_add(a, block, old[c]);
        for (int k = 0; k < x->statements && old[c] == x->root; k++) ast_add(a, block, statement[k]);
    }
    for (int k = 0; k < x->statements; k++) statement[k]->parent = block;
}

static void put_below(const nest *x, node *parent, node **statement) {
    node *n = statement[0];
    if (x->statements > 1) {
        n = ast_new(x->p->memory, N_COMPOUND, x->root->first, x->root->last, 0, NULL);
        n->made = true;
        for (int k = 0; k < x->statements; k++) ast_add(x->p->memory, n, statement[k]);
        ast_link(n);
    }
    for (size_t c = 0; c < parent->count; c++)
        if (parent->child[c] == x->root) parent->child[c] = n;
    n->parent = parent;
}

/* What isl has excluded: the references of a statement to an array that the nest stores into. */
static const char *words_of_proof(const nest *x, int statement) {
    arena *a = x->p->memory;
    const nest_statement *s = &x->statement[statement];
    text out;
    const char *sums = "";
    int named = 0;
    text_start(&out, a);
    for (int k = 0; k < s->loops; k++)
        if (s->reduces[k])
            sums = arena_format(a, "%s%s%s", sums, sums[0] ? ", " : "; values are added up over ",
                                s->loop[k]->variable->name);
    for (size_t k = 0; k < x->accesses; k++) {
        bool stored = false;
        if (x->access[k].statement != statement) continue;
        for (size_t m = 0; m < x->accesses; m++)
            stored = stored || (x->access[m].writes && x->access[m].array == x->access[k].array);
        const char *one = ast_quote(a, x->p->source, x->access[k].chain);
        if (!stored || mentions_word(text_of(&out), one) || strstr(text_of(&out), one)) continue;
        text_format(&out, "%s%s", named++ ? ", " : "", one);
    }
    return named
               ? arena_format(
                     a, "proved independent by isl: no iteration reads or stores %s after another one has stored it%s",
                     text_of(&out), sums)
               : arena_format(a, "proved independent by isl: nothing that it reads is stored%s", sums);
}

/* Variables of the loops that are declared elsewhere, and have no other use. */
static void note_unused(const nest *x, const nest_statement *s) {
    const node *f = function_around(x->root->parent);
    for (int k = 0; k < s->loops; k++) {
        const symbol *v = s->loop[k]->variable;
        if (!node_holds(s->loop[k]->loop, v->declarator) && !mentions_symbol(f->child[2], v))
            table_put(x->p->memory, &x->p->unused, v->declarator, v);
    }
}

void rewrite_nest(nest *x) {
    node *statement[MOST_STATEMENTS], *parent = x->root->parent;
    const char *proof[MOST_STATEMENTS];
    size_t last[MOST_STATEMENTS];
    for (int k = 0; k < x->statements; k++) proof[k] = words_of_proof(x, k);
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        const node *whole = s->assign;
        while (whole->kind != N_EXPRESSION) whole = whole->parent;
        last[k] = whole->last;
        statement[k] = adds_to_one(s) ? single_node(x, s) : forall_node(x, s);
        name_indices(s, statement[k]);
        ast_link(statement[k]);
        table_put(x->p->memory, &x->p->proved, statement[k], proof[k]);
    }
    share_tokens(x, statement, last);
    if (parent->kind == N_COMPOUND)
        put_in_block(x, parent, statement);
    else
        put_below(x, parent, statement);
    for (int k = 0; k < x->statements; k++) note_unused(x, &x->statement[k]);
}
