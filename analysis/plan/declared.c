/* Reductions whose result is the variable that a declaration gives it to, `long n = sum(..);`, or one that holds it for
 * a statement: the loops compute it in that variable. */
#include <string.h>

#include "../model/types.h"
#include "plan.h"

/* Whether nothing but the type stands before what n declares, as no `static`. */
static bool is_plain_declaration(const program *p, const node *n, const type *t) {
    return !strcmp(ast_quote(p->memory, p->source, n->child[0]), element_spelling(t->element));
}

/* The variable that `double x = value;` declares, which has this value from the beginning; NULL: it is another
 * declaration. */
static const symbol *variable_of(const program *p, const node *n, const node **value) {
    const node *item = n->kind == N_DECLARATION && n->count == 2 && n->parent->kind == N_COMPOUND ? n->child[1] : NULL;
    if (!item || item->kind != N_INIT_DECLARATOR || item->count < 2 || !item->child[1]) return NULL;
    const node *name = item->child[0];
    const symbol *s = name->kind == N_DECL_NAME ? name->symbol : NULL;
    if (!s || !s->type || s->type->kind != TYPE_ARITHMETIC || table_at(&p->unused, name)) return NULL;
    for (*value = item->child[1]; (*value)->kind == N_PAREN;) *value = (*value)->child[0];
    return is_plain_declaration(p, n, s->type) ? s : NULL;
}

/* Whether a comment stands behind the declaration, which would stand behind the loops. */
static bool has_remark(const program *p, const node *n) {
    const char *blank = p->source->tokens[n->last + 1].before;
    return memchr(blank, '/', strcspn(blank, "\n")) != NULL;
}

/* Whether a variable of type t takes the result as the loops compute it. */
static bool takes_result(const reduction *r, const type *t) {
    if (r->best || r->exact || r->in_place || !r->type || r->type->kind != TYPE_ARITHMETIC) return false;
    return r->type->element == t->element || (r->type->element == ELEMENT_INT && t->element == ELEMENT_LONG);
}

static void plan_declaration(program *p, parallel *s) {
    const node *n = s->combined.before, *value = NULL;
    const symbol *variable = variable_of(p, n, &value);
    if (!variable || s->combined.chain || s->in_place || s->reductions != 1 || s->reduction[0].call != value) return;
    if (!takes_result(&s->reduction[0], variable->type) || has_remark(p, n)) return;
    if (mentions_word(ast_quote(p->memory, p->source, value), variable->name)) return;
    s->reduction[0].name = variable->name;
    s->reduction[0].type = variable->type;
    s->combined.declares = n;
}

/* What `v += value;` adds to; NULL: it is another statement. */
static const node *sum_variable(const node *n, const node **value) {
    const node *assign = n->kind == N_EXPRESSION ? inside_parentheses(n->child[0]) : NULL;
    if (!assign || assign->kind != N_ASSIGN || strcmp(assign->op, "+=") != 0) return NULL;
    *value = inside_parentheses(assign->child[1]);
    const node *left = inside_parentheses(assign->child[0]);
    return left->kind == N_NAME && left->symbol && left->symbol->kind == SYMBOL_VARIABLE ? left : NULL;
}

static bool is_zero(const program *p, const node *n) {
    int64_t number;
    n = inside_parentheses((node *)n);
    if (constant_value(n, &number)) return number == 0;
    const char *spelled = n->kind == N_CONSTANT ? ast_quote(p->memory, p->source, n) : "1";
    return spelled[strspn(spelled, "0.")] == '\0';
}

/* The statement before n, but for those that add to other variables; NULL: there is none. */
static const node *statement_before(const node *n, const symbol *variable) {
    const node *block = n->parent, *before = NULL, *value;
    for (size_t c = 0; block->kind == N_COMPOUND && c < block->count && block->child[c] != n; c++)
        if (!sum_variable(block->child[c], &value) || mentions_symbol(block->child[c], variable))
            before = block->child[c];
    return before;
}

/* Whether the statement before n declares the variable and gives it zero. */
static bool is_zero_before(const program *p, const node *n, const symbol *variable) {
    const node *before = statement_before(n, variable);
    if (!before || before->kind != N_DECLARATION || variable->declaration != before) return false;
    if (!is_plain_declaration(p, before, variable->type) || mentions_symbol(before, variable)) return false;
    for (size_t c = 1; c < before->count; c++) {
        const node *item = before->child[c];
        if (item->kind == N_INIT_DECLARATOR && item->child[0]->symbol == variable && item->count > 1 && item->child[1])
            return is_zero(p, item->child[1]);
    }
    return false;
}

/* Whether nothing but reductions are executed in the same loops. */
static bool holds_sums(const fusion *c) {
    for (int k = 0; c && k < c->count; k++)
        if (c->statement[k]->kind != PARALLEL_REDUCTION) return false;
    return true;
}

/* `double s = 0;` and a loop that adds to s: to it the loops add, too. */
static void plan_sum(program *p, parallel *s) {
    const node *n = s->combined.before, *value = NULL, *left = sum_variable(n, &value);
    reduction *r = &s->reduction[0];
    if (!left || p->serial || !holds_sums(s->combined.chain) || s->in_place || s->reductions != 1 || r->call != value)
        return;
    if (r->operation != OPERATION_SUM || !left->symbol->type || left->symbol->type->kind != TYPE_ARITHMETIC ||
        !takes_result(r, left->symbol->type) || !is_zero_before(p, n, left->symbol))
        return;
    if (mentions_symbol(value, left->symbol)) return;
    r->name = left->symbol->name;
    r->type = left->symbol->type;
    s->combined.declares = n;
    s->combined.continues = true;
}

static void plan_hoisted(const program *p, const hoists *h) {
    for (size_t k = 0; k < h->count; k++) {
        const hoisted *x = &h->hoisted[k];
        parallel *s = x->text ? NULL : reduction_at(p, x->node);
        if (!s || x->indices > 0 || x->guards.count > 0 || s->combined.chain || s->in_place || s->reductions != 1)
            continue;
        if (takes_result(&s->reduction[0], s->reduction[0].type)) s->reduction[0].name = x->name;
    }
}

/* Results that statements need, where nothing decides whether they are computed. */
static void plan_hoisted_results(const program *p) {
    for (size_t k = 0; k < p->group_count; k++) plan_hoisted(p, &p->groups[k]->hoisted);
    for (size_t k = 0; k < p->reduction_count; k++)
        if (p->reductions[k]->hoisted) plan_hoisted(p, p->reductions[k]->hoisted);
}

void plan_declared_results(program *p) {
    hash_table first = {0}, again = {0};
    if (!p->check_all && !p->serial) plan_hoisted_results(p);
    for (size_t k = 0; k < p->reduction_count; k++) {
        parallel *s = p->reductions[k];
        const node *n = s->combined.before;
        if (!n) continue;
        if (table_at(&first, n))
            table_put(p->memory, &again, n, s);
        else
            table_put(p->memory, &first, n, s);
    }
    for (size_t k = 0; k < p->reduction_count && !p->check_all; k++) {
        const node *n = p->reductions[k]->combined.before;
        if (!n || table_at(&again, n)) continue;
        plan_declaration(p, p->reductions[k]);
        plan_sum(p, p->reductions[k]);
    }
}
