/* Pipelines whose iterations add to scalars that they leave to the next: `run += A[i]; P[i] = run;`.  What a process
 * adds can be found before its loops, without what those before it add: then all begin at once, each with the sum of
 * those parts (parallel prefix; Blelloch, Prefix sums and their applications, 1990).  A slice of the body finds the
 * parts: the assignments that add, and those that give values to what they are made of. */
#include <string.h>

#include "../model/types.h"
#include "lower.h"

typedef struct {
    program *p;
    independent_loop *x;
} slice;

bool is_carried_scalar(const independent_loop *x, const symbol *s) {
    for (size_t k = 0; k < x->carrieds; k++)
        if (x->carried[k].symbol == s) return true;
    return false;
}

/* ---- What adds */

bool added_part(node *n, const symbol *v, added_value *part) {
    *part = (added_value){NULL, false};
    if (is_step(n)) {
        part->subtracts = n->op[0] == '-';
        return true;
    }
    if (n->kind != N_ASSIGN) return false;
    part->value = n->child[1];
    if (!strcmp(n->op, "+=") || !strcmp(n->op, "-=")) {
        part->subtracts = n->op[0] == '-';
        return true;
    }
    const node *sum = inside_parentheses(n->child[1]);
    if (strcmp(n->op, "=") != 0 || sum->kind != N_BINARY || (strcmp(sum->op, "+") != 0 && strcmp(sum->op, "-") != 0))
        return false;
    const int other = symbol_named(sum->child[0]) == v ? 1 : 0;
    part->subtracts = sum->op[0] == '-';
    part->value = sum->child[other];
    return symbol_named(sum->child[!other]) == v && (other == 1 || !part->subtracts);
}

/* ---- What does not depend on the iterations before */

static bool is_steady(slice *c, node *n);

/* Whether n may be left by a jump to somewhere else. */
static bool holds_jump(const node *n) {
    if (n->kind == N_CONTINUE || n->kind == N_BREAK || n->kind == N_GOTO || n->kind == N_RETURN) return true;
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && holds_jump(n->child[k])) return true;
    return false;
}

static void keep(slice *c, node *n) {
    independent_loop *x = c->x;
    for (size_t k = 0; k < x->slices; k++)
        if (x->slice[k] == n) return;
    vector_add(c->p->memory, x->slice, x->slices, x->slice_capacity, n);
}

/* `if (condition) continue;` of a steady condition. */
static bool is_steady_skip(slice *c, const node *n) {
    return n->kind == N_IF && (n->count == 2 || !n->child[2]) && sole_statement(n->child[1])->kind == N_CONTINUE &&
           is_steady(c, n->child[0]);
}

/* Whether nothing before n in its row may lead past it, but what leads to the next iteration of the loop, which is
 * kept.
 */
static bool is_reached(slice *c, const node *n, bool in_inner_loop) {
    node *above = n->parent;
    for (size_t k = 0; above->kind == N_COMPOUND && above->child[k] != n; k++) {
        node *before = above->child[k];
        if (!before || !jumps_past(c->p, n, above)) return true;
        if (!holds_jump(before)) continue;
        if (in_inner_loop || !is_steady_skip(c, before)) return false;
        keep(c, before);
    }
    return above->kind == N_COMPOUND || !jumps_past(c->p, n, above);
}

/* What begins a loop, or what comes before each further iteration: it gives the loop's variables steady values. */
static bool is_steady_part(slice *c, node *n) {
    if (is_store(n)) return n->kind != N_ASSIGN || is_steady(c, n->child[1]);
    if (n->kind != N_DECLARATION && n->kind != N_INIT_DECLARATOR && n->kind != N_COMMA) return is_steady(c, n);
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && !is_steady_part(c, n->child[k])) return false;
    return true;
}

/* Whether `break` leaves the loop whose body n stands in; no nest holds other jumps out of it. */
static bool may_leave(const node *n) {
    if (n->kind == N_BREAK) return true;
    if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO || n->kind == N_SWITCH) return false;
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && may_leave(n->child[k])) return true;
    return false;
}

/* Whether n is executed whenever the conditions and loops around it in the body say so, which are steady. */
static bool has_steady_path(slice *c, const node *n) {
    bool in_inner_loop = false;
    for (const node *m = n; m != c->x->body; m = m->parent) in_inner_loop = in_inner_loop || m->parent->kind == N_FOR;
    for (; n != c->x->body; n = n->parent) {
        node *above = n->parent;
        if (!is_reached(c, n, in_inner_loop)) return false;
        switch ((int)above->kind) {
        case N_IF:
            if (n != above->child[0] && !is_steady(c, above->child[0])) return false;
            break;
        case N_FOR:
            for (int part = 0; part < 3; part++)
                if (!above->child[part] || above->child[part] == n) return false;
            if (!is_steady_part(c, above->child[0]) || !is_steady(c, above->child[1]) ||
                !is_steady_part(c, above->child[2]) || may_leave(above->child[3]))
                return false;
            break;
        case N_BINARY:
            if (!strcmp(above->op, "&&") || !strcmp(above->op, "||")) return false;
            break;
        case N_COMPOUND:
        case N_EXPRESSION:
        case N_PAREN:
        case N_COMMA:
        case N_ASSIGN:
        case N_INDEX:
        case N_CAST:
        case N_UNARY:
        case N_DECLARATION:
        case N_INIT_DECLARATOR:
            break;
        default:
            return false;
        }
    }
    return true;
}

/* The only statement in n that gives the variable its value: `v = e;`, or the declaration of v alone. *count: how many
 * there are of any kind. */
static node *giver_in(node *n, const symbol *v, int *count) {
    node *found = NULL;
    if (n->kind == N_DECL_NAME && n->symbol == v) {
        node *item = n->parent, *whole = item->parent;
        const bool alone = item->kind == N_INIT_DECLARATOR && item->count > 1 && item->child[1] &&
                           whole->kind == N_DECLARATION && whole->count == 2;
        *count += item->kind == N_INIT_DECLARATOR && item->count > 1;
        return alone ? whole : NULL;
    }
    if (is_store(n) && symbol_named(n->child[0]) == v) {
        ++*count;
        if (n->kind == N_ASSIGN && !strcmp(n->op, "=") && n->parent->kind == N_EXPRESSION) found = n->parent;
    }
    for (size_t k = 0; k < n->count; k++) {
        node *below = n->child[k] ? giver_in(n->child[k], v, count) : NULL;
        if (below) found = below;
    }
    return found;
}

/* Whether a variable counts a loop around n in the body, whose head alone gives it values. */
static bool counts_around(const slice *c, const node *n, const symbol *v) {
    for (; n != c->x->body; n = n->parent) {
        const node *above = n->parent;
        int count = 0;
        if (above->kind != N_FOR || !above->child[0] || !node_holds(above->child[0], v->declarator)) continue;
        giver_in(above->child[3], v, &count);
        return count == 0;
    }
    return false;
}

static bool is_private(const independent_loop *x, const symbol *s) {
    for (size_t k = 0; k < x->privates; k++)
        if (x->private[k] == s) return true;
    return s->kind == SYMBOL_VARIABLE && s->declarator && node_holds(x->body, s->declarator);
}

/* A variable of the iteration, at n: it has one value there, which a statement that is kept gives it. */
static bool keep_private(slice *c, const node *n, const symbol *v) {
    int count = 0;
    if (is_address_taken(v)) return false;
    if (counts_around(c, n, v)) return true;
    node *giver = giver_in(c->x->body, v, &count);
    if (count != 1 || !giver || !v->type || v->type->kind != TYPE_ARITHMETIC) return false;
    for (size_t k = 0; k < c->x->slices; k++)
        if (c->x->slice[k] == giver) return true;
    keep(c, giver);
    node *value = giver->kind == N_DECLARATION ? giver->child[1]->child[1] : giver->child[0]->child[1];
    return has_steady_path(c, giver) && is_steady(c, value);
}

static bool is_stored(const independent_loop *x, const symbol *s) {
    for (size_t k = 0; k < x->stores; k++)
        if (x->store[k] == s) return true;
    return false;
}

static bool is_steady(slice *c, node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (is_store(n) || n->kind == N_STATEMENT_EXPRESSION || (n->kind == N_UNARY && n->op[0] == '&')) return false;
    if (s && (is_carried_scalar(c->x, s) || is_stored(c->x, s))) return false;
    if (s && is_private(c->x, s) && !keep_private(c, n, s)) return false;
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && !is_steady(c, n->child[k])) return false;
    return true;
}

/* ---- The slice */

/* Whether a value that is added to v is one that v's type has, so that the order makes no difference but by rounding.
 */
static bool keeps_type(const symbol *v, const added_value *part) {
    const type *t = part->value ? part->value->type : v->type;
    return t && t->kind == TYPE_ARITHMETIC && (!element_is_integer(v->type->element) || element_is_integer(t->element));
}

/* Sums of parts are rounded otherwise. */
static bool may_add_parts(const program *p, const symbol *s) {
    const element e = s->type->element;
    return e != ELEMENT_BOOL && (element_is_integer(e) || !p->reproducible);
}

/* Whether all that n does with carried scalars but reading them is adding; these assignments are kept. */
static bool keep_sums(slice *c, node *n) {
    const symbol *v = is_store(n) ? symbol_named(n->child[0]) : NULL;
    if (v && is_carried_scalar(c->x, v)) {
        added_value part;
        if (!added_part(n, v, &part) || !keeps_type(v, &part) || (part.value && !is_steady(c, part.value)) ||
            !has_steady_path(c, n))
            return false;
        keep(c, n);
    }
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && !keep_sums(c, n->child[k])) return false;
    return true;
}

void find_scan(program *p, const parallel *s) {
    independent_loop *l = s->loop;
    slice c = {p, l};
    if (!l->may_scan || l->carrieds == 0 || l->left || l->loops != 1 || s->calls_unknown) return;
    for (size_t k = 0; k < l->carrieds; k++)
        if (!may_add_parts(p, l->carried[k].symbol)) return;
    if (!keep_sums(&c, l->body)) return;
    for (size_t k = 0; k < l->carrieds; k++)
        l->carried[k].part = fresh_name(p, arena_format(p->memory, "%s_part", l->carried[k].symbol->name));
    l->scans = true;
}
