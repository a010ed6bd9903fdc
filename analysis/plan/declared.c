/* Reductions whose result is the variable that a declaration gives it to, `long n = sum(..);`, or one that holds it for
 * a statement: the loops compute it in that variable. */
#include <string.h>

#include "../model/types.h"
#include "plan.h"

/* The variable that `double x = value;` declares, which has this value from the beginning; NULL: it is another
 * declaration. */
static const symbol *variable_of(const program *p, const node *n, const node **value) {
    const node *item = n->kind == N_DECLARATION && n->count == 2 && n->parent->kind == N_COMPOUND ? n->child[1] : NULL;
    if (!item || item->kind != N_INIT_DECLARATOR || item->count < 2 || !item->child[1]) return NULL;
    const node *name = item->child[0];
    const symbol *s = name->kind == N_DECL_NAME ? name->symbol : NULL;
    if (!s || !s->type || s->type->kind != TYPE_ARITHMETIC || table_at(&p->unused, name)) return NULL;
    for (*value = item->child[1]; (*value)->kind == N_PAREN;) *value = (*value)->child[0];
    return !strcmp(ast_quote(p->memory, p->source, n->child[0]), element_spelling(s->type->element)) ? s : NULL;
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
        if (n && !table_at(&again, n)) plan_declaration(p, p->reductions[k]);
    }
}
