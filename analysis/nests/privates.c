/* Pass "nests": scalars of which each iteration can have its own: assigned before they are used, and not used behind.
 */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

/* ---- What is used behind */

/* What becomes of a variable's value: it is used, certainly replaced before, or neither. */
typedef enum { STAYS, REPLACED, USED } fate;

/* Whether n may be left by a jump; in_loop, in_switch: what stands in n stands in a loop, a switch of it. */
static bool jumps_from(const node *n, bool in_loop, bool in_switch) {
    if (n->kind == N_GOTO || (n->kind == N_CONTINUE && !in_loop) || (n->kind == N_BREAK && !in_loop && !in_switch))
        return true;
    in_loop = in_loop || n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO;
    in_switch = in_switch || n->kind == N_SWITCH;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && jumps_from(n->child[c], in_loop, in_switch)) return true;
    return false;
}

bool jumps(const node *n) {
    return jumps_from(n, false, false);
}

static fate fate_in(const node *n, const symbol *s);

/* Whether the variable counts a loop in n. */
static bool is_counter(const node *root, const symbol *s) {
    const node *start = root->kind == N_FOR ? root->child[0] : NULL;
    if (start && start->kind == N_ASSIGN && start->child[0]->kind == N_NAME && start->child[0]->symbol == s)
        return true;
    if (start && start->kind == N_DECLARATION && node_holds(start, s->declarator)) return true;
    for (size_t c = 0; c < root->count; c++)
        if (root->child[c] && is_counter(root->child[c], s)) return true;
    return false;
}

static bool has_goto(const node *n) {
    if (n->kind == N_GOTO) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_goto(n->child[c])) return true;
    return false;
}

/* Of children from .. to in their order.  What a jump may pass over is not certainly replaced; nor is it used behind in
 * the row, which break and continue leave. */
static fate fate_in_row(const node *n, size_t from, size_t to, const symbol *s) {
    bool passed = false, lands = false;
    for (size_t c = from; c < to; c++) {
        const fate f = n->child[c] ? fate_in(n->child[c], s) : STAYS;
        if (f == USED || (f == REPLACED && !passed)) return f;
        if (f == REPLACED && !lands) return STAYS;
        passed = passed || (n->child[c] && jumps(n->child[c]));
        lands = lands || (n->child[c] && has_goto(n->child[c]));
    }
    return STAYS;
}

static fate fate_in_if(const node *n, const symbol *s) {
    const fate f = fate_in(n->child[0], s), first = fate_in(n->child[1], s);
    const fate second = n->count > 2 && n->child[2] ? fate_in(n->child[2], s) : STAYS;
    if (f != STAYS) return f;
    if (first == USED || second == USED) return USED;
    return first == second && !jumps(n) ? first : STAYS;
}

/* The body may not be executed at all. */
static fate fate_in_loop(const node *n, const symbol *s) {
    const size_t always = n->kind == N_FOR ? 2 : 1;
    const fate f = fate_in_row(n, 0, always, s);
    if (f != STAYS) return f;
    const fate body = fate_in(n->child[n->count - 1], s);
    const fate step = n->kind == N_FOR && n->child[2] ? fate_in(n->child[2], s) : STAYS;
    return body == USED || (step == USED && body != REPLACED) ? USED : STAYS;
}

/* Of both operands, or of the first one and then perhaps of the second. */
static fate fate_in_operands(const node *n, const symbol *s) {
    const fate first = fate_in(n->child[0], s), second = fate_in(n->child[1], s);
    if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) return first != STAYS ? first : second == USED ? USED : STAYS;
    if (first == USED || second == USED) return USED;
    return first == REPLACED || second == REPLACED ? REPLACED : STAYS;
}

static size_t place_in(const node *parent, const node *n) {
    size_t c = 0;
    while (parent->child[c] != n) c++;
    return c;
}

/* `private(t)` uses no value that t has before, nor does `on(A[i])` that of the variable of the loop behind it. */
static fate fate_in_clauses(const node *directive, const symbol *s) {
    const node *above = directive->parent;
    const size_t behind = place_in(above, directive) + 1;
    const bool counts = behind < above->count && is_counter(above->child[behind], s);
    for (size_t c = 0; c < directive->count && !directive->made; c++) {
        const node *clause = directive->child[c];
        const bool uses =
            !clause->name || (strcmp(clause->name, "private") != 0 && !(counts && !strcmp(clause->name, "on")));
        if (uses && mentions_symbol(clause, s)) return USED;
    }
    return STAYS;
}

static fate fate_in(const node *n, const symbol *s) {
    switch ((int)n->kind) {
    case N_PAREN:
        return fate_in(n->child[0], s);
    case N_BINARY:
        return fate_in_operands(n, s);
    case N_NAME:
        return n->symbol == s ? USED : STAYS;
    case N_ASSIGN:
        if (!strcmp(n->op, "=") && n->child[0]->kind == N_NAME && n->child[0]->symbol == s)
            return fate_in(n->child[1], s) == USED ? USED : REPLACED;
        break;
    case N_IF:
        return fate_in_if(n, s);
    case N_FOR:
    case N_WHILE:
        return fate_in_loop(n, s);
    case N_INIT_DECLARATOR:
        if (n->count > 1 && n->child[1] && declared_name(n->child[0]) && declared_name(n->child[0])->symbol == s)
            return mentions_symbol(n->child[1], s) ? USED : REPLACED;
        break;
    case N_INDEPENDENT:
        return fate_in_clauses(n, s);
    case N_VERSIONS:
        return fate_in(n->child[0], s);
    case N_COMPOUND:
    case N_DO: /* its body, then its condition, once at least */
    case N_EXPRESSION:
    case N_COMMA:
    case N_DECLARATION:
        return fate_in_row(n, 0, n->count, s);
    default:
        break;
    }
    return mentions_symbol(n, s) ? USED : STAYS;
}

/* Whether what is executed behind a token may be something that stands before it, or in the middle of a block: a label
 * that a goto may name, assembly code.  Labels of a switch are reached from its head only, which is looked at with all
 * that stands in it. */
static bool may_be_returned_from(const node *n, const node *body, token_index at) {
    if ((n->kind == N_LABEL && (n->first < at || n->parent != body)) || n->kind == N_ASM) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_be_returned_from(n->child[c], body, at)) return true;
    return false;
}

static bool is_passed_through(const node *n) {
    return n->kind == N_IF || n->kind == N_VERSIONS || n->kind == N_SWITCH || n->kind == N_CASE ||
           n->kind == N_DEFAULT || n->kind == N_LABEL;
}

/* Behind one more execution of a loop's body: its step, its condition, and all of the body again. */
static fate fate_in_next(const node *loop, const symbol *s) {
    const fate step = loop->kind == N_FOR && loop->child[2] ? fate_in(loop->child[2], s) : STAYS;
    if (step != STAYS) return step;
    const node *condition = loop->kind == N_FOR ? loop->child[1] : loop->child[loop->kind == N_DO ? 1 : 0];
    const fate f = condition ? fate_in(condition, s) : STAYS;
    if (f != STAYS) return f;
    const node *body = loop->child[loop->kind == N_DO ? 0 : loop->count - 1];
    return fate_in(body, s) == USED ? USED : STAYS;
}

bool is_needed_behind(const node *root, const symbol *s) {
    const node *f = function_around(root);
    bool passed = false;
    if (!f || may_be_returned_from(f->child[2], f->child[2], root->first)) return true;
    for (const node *n = root; n->parent && n != f->child[2]; n = n->parent) {
        const node *above = n->parent;
        fate found = STAYS;
        if (above->kind == N_COMPOUND)
            for (size_t c = place_in(above, n) + 1; c < above->count && found == STAYS; c++) {
                found = fate_in(above->child[c], s);
                if (found == REPLACED && passed) found = STAYS;
                passed = passed || jumps(above->child[c]);
            }
        else if (above->kind == N_FOR || above->kind == N_WHILE || above->kind == N_DO)
            found = fate_in_next(above, s);
        else if (!is_passed_through(above))
            return true;
        if (found != STAYS) return found == USED;
    }
    return false;
}

/* Loops that are parallel statements have variables of their own. */
static bool is_named_outside(const node *n, const node *root, const symbol *s) {
    if (node_holds(root, n) || (n->kind == N_INDEPENDENT && n->made)) return false;
    const node *directive = n->kind == N_FOR ? independent_directive(n) : NULL;
    if (directive && directive->made && counts_loop_in(n, s)) return false;
    if (n->kind == N_NAME && n->symbol == s) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_named_outside(n->child[c], root, s)) return true;
    return false;
}

bool is_named_only_in(const node *root, const symbol *s) {
    return !is_named_outside(function_around(root)->child[2], root, s);
}

void note_unused_outside(program *p, const node *root, const symbol *s) {
    if (!node_holds(root, s->declarator) && is_named_only_in(root, s))
        table_put(p->memory, &p->unused, s->declarator, (void *)s);
}

/* ---- Privates */

nest_private *private_of(const nest *x, const symbol *s) {
    for (int k = 0; k < x->privates; k++)
        if (s && x->private[k].symbol == s) return (nest_private *)&x->private[k];
    return NULL;
}

/* The smallest node that holds all names of the variable in n. */
static const node *common_node(const node *n, const symbol *s) {
    const node *only = NULL;
    if (n->kind == N_NAME || (n->kind == N_DECL_NAME && n->symbol == s)) return n;
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c] || !(mentions_symbol(n->child[c], s) || node_holds(n->child[c], s->declarator))) continue;
        if (only) return n;
        only = n->child[c];
    }
    return only ? common_node(only, s) : n;
}

/* The statement of a row of statements in which n stands. */
static const node *statement_of(const node *n) {
    while (n->kind != N_EXPRESSION && n->kind != N_DECLARATION && n->kind != N_COMPOUND && n->kind != N_IF &&
           n->kind != N_FOR && n->parent)
        n = n->parent;
    return n;
}

/* anywhere: other functions may see it, too. */
static bool is_plain_number(const symbol *s, bool anywhere) {
    const node *d = s->declaration;
    if (s->kind != SYMBOL_VARIABLE || !s->type || s->type->kind != TYPE_ARITHMETIC || s->array) return false;
    if (!anywhere && (s->file_scope || s->is_static || is_address_taken(s))) return false;
    if (!d || d->count == 0 || !d->child[0] || d->child[0]->kind != N_SPECIFIERS) return false;
    return !specifiers_are_volatile(d->child[0]) && !specifiers_have(d->child[0], "extern") &&
           !specifiers_have(d->child[0], "_Thread_local");
}

/* The innermost FOR of the nest whose body holds n. */
static const node *loop_of_body(const nest *x, const node *n) {
    for (; n && n != x->root->parent; n = n->parent)
        if (n->parent && n->parent->kind == N_FOR && n == n->parent->child[3] && node_holds(x->root, n))
            return n->parent;
    return NULL;
}

/* Where the variable is declared in n, which may be a copy of the source. */
static const node *declarator_in(const node *n, const symbol *s) {
    if (n->kind == N_DECL_NAME && n->symbol == s) return n;
    const node *found = NULL;
    for (size_t c = 0; c < n->count && !found; c++)
        if (n->child[c] && node_holds(n->child[c], s->declarator)) found = declarator_in(n->child[c], s);
    return found;
}

/* Private numbers, and only these, are followed through the iteration. */
bool is_own_variable(const nest *x, const symbol *s) {
    const type *t = s->type;
    if (s->kind != SYMBOL_VARIABLE || s->array || s->is_static || !node_holds(x->root->child[3], s->declarator))
        return false;
    if (t && t->kind == TYPE_ARITHMETIC) return is_address_taken(s) || is_counter(x->root, s);
    while (t && t->kind == TYPE_ARRAY) t = t->of;
    return t && (t->kind == TYPE_ARITHMETIC || t->kind == TYPE_RECORD);
}

bool is_of_own(const nest *x, const node *n) {
    bool pointer = false;
    const symbol *s = x->in_order ? base_symbol(n, &pointer) : NULL;
    return s && !pointer && is_own_variable(x, s);
}

/* Whether each iteration of the loop around its uses can have its own. */
static bool is_private(const nest *x, const symbol *s, const node **home) {
    const node *declared = node_holds(x->root, s->declarator) ? declarator_in(x->root, s) : NULL;
    if (!is_plain_number(s, x->assumed) || is_counter(x->root, s)) return false;
    const node *block = declared ? statement_of(declared)->parent : statement_of(common_node(x->root, s));
    *home = loop_of_body(x, block);
    if (!*home || fate_in(block, s) == USED) return false;
    return declared || x->assumed || !is_needed_behind(x->root, s);
}

static void note_private(nest *x, const symbol *s) {
    const node *home;
    if (!s || private_of(x, s) || !is_private(x, s, &home)) return;
    if (x->privates == MOST_PRIVATES) return;
    int depth = 0;
    for (const node *n = home; n != x->root->parent; n = n->parent) depth += n->kind == N_FOR;
    x->private[x->privates++] =
        (nest_private){.symbol = s, .home = home, .depth = depth, .declared = node_holds(x->root, s->declarator)};
}

static void find_in(nest *x, const node *n) {
    const bool stores = n->kind == N_ASSIGN || is_step(n);
    if (stores && inside_parentheses(n->child[0])->kind == N_NAME)
        note_private(x, inside_parentheses(n->child[0])->symbol);
    if (n->kind == N_DECLARATION && declares_nothing(x->p, n)) return;
    if (n->kind == N_DECL_NAME) note_private(x, n->symbol);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_in(x, n->child[c]);
}

const char *why_not_private(nest *x, const symbol *s) {
    if (!is_plain_number(s, true) || is_counter(x->root, s)) return NULL;
    const node *block = statement_of(common_node(x->root, s)), *home = loop_of_body(x, block);
    if (!home || node_holds(x->root, s->declarator)) return NULL;
    if (fate_in(block, s) == USED)
        return arena_format(x->p->memory, "'%s' is what an earlier iteration has left in it", s->name);
    x->behind = true;
    return arena_format(x->p->memory, "the value of '%s' may be used behind the loop", s->name);
}

void find_privates(nest *x) {
    find_in(x, x->root->child[3]);
}
