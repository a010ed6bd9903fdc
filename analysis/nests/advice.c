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

/* Whether n stands in a subscript. */
static bool is_in_subscript(const node *n) {
    for (; n->parent && n->kind != N_EXPRESSION && n->kind != N_IF; n = n->parent)
        if (n->parent->kind == N_INDEX && n->parent->child[1] == n) return true;
    return false;
}

/* Whether the name is compared with what it may get: `if (A[i][j] > m) m = A[i][j];`. */
static bool is_compared_with(const nest *x, const node *name, const node *value) {
    const node *n = name->parent;
    while (n && n->kind == N_PAREN) n = n->parent;
    if (!n || n->kind != N_BINARY || (n->op[0] != '<' && n->op[0] != '>') || n->op[1] == n->op[0]) return false;
    for (int c = 0; c < 2; c++)
        if (nest_has_same_text(x, inside_parentheses(n->child[c]), value)) return true;
    return false;
}

static bool is_counted(const nest *x, const node *n) {
    for (int k = 0; k < x->loops; k++)
        if (n->kind == N_NAME && n->symbol == x->loop[k]->variable) return true;
    return false;
}

void advise_carried(nest *x, const node *name) {
    const node *given = last_assignment(x->root->child[3], name->symbol);
    if (!given) return;
    const node *value = inside_parentheses(given->child[1]);
    if (!strcmp(given->op, "+=") || !strcmp(given->op, "-="))
        advise_nest(x, name, "a running sum is sum_prefix, of sections, as in B[:] = sum_prefix(A[:])");
    else if (!strcmp(given->op, "=") && is_compared_with(x, name, value) && !holds_unchanged(name->symbol, value))
        advise_remedy(x, name, "'%s' of the type of '%s': what it keeps is a converted value", name->name,
                      nest_quote(x, value));
    else if (!strcmp(given->op, "=") && is_compared_with(x, name, value)) {
        advise_remedy(x, name,
                      "loops that find '%s' alone, then loops that find where it is, by one number: if (%s == %s) if "
                      "(place < least) least = place;",
                      name->name, nest_quote(x, value), name->name);
        x->remedied = names_in(x->root->child[3], name->symbol) == 2; /* no iteration uses what is found so far */
    } else if (!strcmp(given->op, "=") && value->kind == N_INDEX && distributed_reference((node *)value)) {
        advise_remedy(x, name,
                      "what an earlier iteration has left in '%s' is an element beside '%s', which can be read there",
                      name->name, nest_quote(x, value));
        x->remedies_one = true;
    } else if (!strcmp(given->op, "=") && is_counted(x, value) && is_in_subscript(name))
        advise_remedy(
            x, name,
            "keep the value that stands at '%s', too, in a variable that the condition compares with: { best = "
            "value; %s = %s; }",
            name->name, name->name, value->name);
}

void advise_own(nest *x, const node *left) {
    bool pointer = false;
    const symbol *v = base_symbol(left, &pointer);
    if (v && !pointer && v->kind == SYMBOL_VARIABLE && !v->file_scope && !v->is_parameter && !v->is_static &&
        !v->array && v->declarator && !node_holds(x->root, v->declarator))
        advise_nest(x, left, "where each iteration has its own '%s', declare it in the body of the loop", v->name);
}

void advise_last(nest *x, const nest_statement *s) {
    const node *value = s->value ? inside_parentheses(s->value) : NULL;
    const char *name = s->left->symbol->name;
    if (value && s->conditions > 0 && s->loops == 1 && !s->loop[0]->down && is_counted(x, value))
        advise_remedy(x, s->left, "the last place is the greatest: if (%s > %s) %s = %s;", value->name, name, name,
                      value->name);
    else
        advise_nest(x, s->left, "where each iteration has its own '%s', declare it in the body of the loop", name);
}

void advise_choice(nest *x, const node *place, const symbol *private) {
    const nest_statement *branch[2] = {NULL, NULL};
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        if (s->private == private && s->conditions > 0 && !strcmp(s->op, "=") && s->value)
            branch[s->condition[s->conditions - 1].negated] = s;
    }
    if (!branch[0] || !branch[1]) return;
    const nest_condition *c = &branch[0]->condition[branch[0]->conditions - 1];
    if (c->statement == branch[1]->condition[branch[1]->conditions - 1].statement)
        advise_nest(x, place, "in one expression: '%s = %s ? %s : %s'", private->name, nest_quote(x, c->node),
                    nest_quote(x, branch[0]->value), nest_quote(x, branch[1]->value));
}

void advise_break(nest *x, const node *n) {
    advise_remedy(x, n,
                  "results of all iterations are parallel without 'break': a sum, a flag; the first place is "
                  "minval(i = lower:upper, condition, i)");
}

void advise_goto(nest *x, const node *n) {
    advise_nest(x, n, "if and else, or 'continue', in place of goto");
}

/* Whether n multiplies the variable. */
static bool multiplies(const node *n, const symbol *variable) {
    if (is_multiplication(n) && mentions_symbol(n, variable)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && multiplies(n->child[c], variable)) return true;
    return false;
}

/* An array of one dimension in which n stores rows of a matrix, which the variable counts; NULL: there is none. */
static const symbol *stored_in_rows(const node *n, const symbol *variable) {
    const symbol *found = NULL;
    if (n->kind == N_ASSIGN) {
        node *left = inside_parentheses(n->child[0]);
        const array *a = distributed_reference(left);
        if (a && a->rank == 1 && multiplies(left->child[1], variable)) return a->symbol;
    }
    for (size_t c = 0; c < n->count && !found; c++)
        if (n->child[c]) found = stored_in_rows(n->child[c], variable);
    return found;
}

const char *advice_of(const nest *x) {
    counting_loop c;
    if (x->advice) return x->advice;
    const symbol *rows = counting_loop_of(x->root, &c) ? stored_in_rows(x->root, c.variable) : NULL;
    if (rows)
        return arena_format(x->p->memory,
                            "with two dimensions for '%s', distributed (block, *), each row has an owner, who could "
                            "execute its iterations as they stand",
                            rows->name);
    return "forall, or '#pragma dpc independent' where no iteration needs another one's results";
}
