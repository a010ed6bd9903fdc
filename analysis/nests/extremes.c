/* Pass "nests": the greatest or least value, `if (A[i] > m) m = A[i];` and the like, perhaps with its place. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

static bool is_name(const node *n, const symbol *s) {
    n = inside_parentheses((node *)n);
    return n->kind == N_NAME && n->symbol == s;
}

static const char *mirrored_relation(const char *op) {
    static const char *const pairs[][2] = {{">", "<"}, {"<", ">"}, {">=", "<="}, {"<=", ">="}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (!strcmp(pairs[k][0], op)) return pairs[k][1];
    return NULL;
}

/* How `value` is compared with the variable in a condition: ">" where the greater replaces it; NULL: it is not. */
static const char *relation_in(const nest *x, const node *condition, const node *value, const symbol *m) {
    condition = inside_parentheses((node *)condition);
    if (condition->kind != N_BINARY || !mirrored_relation(condition->op)) return NULL;
    const node *left = inside_parentheses(condition->child[0]), *right = inside_parentheses(condition->child[1]);
    value = inside_parentheses((node *)value);
    if (is_name(right, m) && nest_has_same_text(x, left, value)) return condition->op;
    return is_name(left, m) && nest_has_same_text(x, right, value) ? mirrored_relation(condition->op) : NULL;
}

/* The assignments, or other parts, of a body: its statements, and operands of their commas; their number, of which two
 * are noted. */
static int parts_in(node *n, node *part[2], int count) {
    if (n->kind == N_COMPOUND || n->kind == N_COMMA) {
        for (size_t c = 0; c < n->count; c++) count = parts_in(inside_parentheses(n->child[c]), part, count);
        return count;
    }
    if (n->kind == N_EXPRESSION && n->child[0]) return parts_in(inside_parentheses(n->child[0]), part, count);
    if (count < 2) part[count] = n;
    return count + 1;
}

static bool is_plain_assignment(const node *n) {
    return n->kind == N_ASSIGN && !strcmp(n->op, "=") && symbol_named(n->child[0]);
}

static bool is_plain(const symbol *s) {
    const node *d = s ? s->declaration : NULL;
    return s && s->kind == SYMBOL_VARIABLE && !s->array && s->type && s->type->kind == TYPE_ARITHMETIC && d &&
           d->count > 0 && d->child[0] && d->child[0]->kind == N_SPECIFIERS && !specifiers_are_volatile(d->child[0]);
}

bool holds_unchanged(const symbol *m, const node *value) {
    if (!value->type || value->type->kind != TYPE_ARITHMETIC) return false;
    const element to = m->type->element, from = value->type->element;
    if (element_is_complex(to) || element_is_complex(from)) return false;
    if (to == from) return true;
    return element_is_integer(to) == element_is_integer(from) && element_common(to, from) == to;
}

static bool fits_in(const nest *x, const symbol *m, const node *value, const node *whole) {
    return is_plain(m) && holds_unchanged(m, value) && !mentions_symbol(value, m) &&
           names_in(x->root, m) == names_in(whole, m) && !private_of(x, m);
}

/* The relation in which a value does not stand to one that replaces it. */
static const char *opposite_relation(const char *op) {
    static const char *const pairs[][2] = {{">", "<="}, {"<=", ">"}, {"<", ">="}, {">=", "<"}};
    for (size_t k = 0; op && k < sizeof pairs / sizeof *pairs; k++)
        if (!strcmp(pairs[k][0], op)) return pairs[k][1];
    return NULL;
}

bool keeps_extreme(const nest *x, const node *assign, nest_extreme *e) {
    const symbol *m = symbol_named(assign->child[0]);
    const node *value = inside_parentheses(assign->child[1]);
    if (value->kind != N_CONDITIONAL || !value->child[1] || !is_name(value->child[1], m)) return false;
    e->value = value->child[2];
    e->relation = opposite_relation(relation_in(x, value->child[0], e->value, m));
    return e->relation && fits_in(x, m, e->value, assign);
}

/* The type in which a function of the library compares, fmax and fmin and those for float and long double; false: it is
 * none of these. */
static bool compares_as(const char *name, element *as) {
    static const struct {
        const char *greatest, *least;
        element as;
    } functions[] = {
        {"fmax", "fmin", ELEMENT_DOUBLE}, {"fmaxf", "fminf", ELEMENT_FLOAT}, {"fmaxl", "fminl", ELEMENT_LONG_DOUBLE}};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        *as = functions[k].as;
        if (!strcmp(name, functions[k].greatest) || !strcmp(name, functions[k].least)) return true;
    }
    return false;
}

/* m = fmax(m, value) and the like, in a type that holds m and the value as they are. */
static bool read_library_extreme(const nest *x, const symbol *m, const node *value, const node *whole,
                                 nest_extreme *e) {
    element as;
    if (value->kind != N_CALL || value->count != 3 || value->child[0]->kind != N_NAME || value->child[0]->symbol)
        return false;
    if (!compares_as(value->child[0]->name, &as) || !is_plain(m) || element_common(as, m->type->element) != as)
        return false;
    e->value = value->child[is_name(value->child[1], m) ? 2 : 1];
    e->library = value->child[0]->name;
    e->relation = e->library[2] == 'a' ? ">" : "<";
    if (!is_name(value->child[1], m) && !is_name(value->child[2], m)) return false;
    return !element_is_integer(m->type->element) && fits_in(x, m, e->value, whole);
}

bool read_extreme_value(const nest *x, const node *assign, nest_extreme *e) {
    const symbol *m = symbol_named(assign->child[0]);
    node *value = inside_parentheses(assign->child[1]);
    if (keeps_extreme(x, assign, e)) return element_is_integer(m->type->element);
    if (value->kind == N_CONDITIONAL && value->child[1] && is_name(value->child[2], m)) {
        e->value = value->child[1];
        e->relation = relation_in(x, value->child[0], e->value, m);
        return e->relation && fits_in(x, m, e->value, assign);
    }
    return read_library_extreme(x, m, value, assign, e);
}

/* The first extreme's place: the variable of the only loop, which counts up. */
static bool read_place(const nest *x, const node *assign, const nest_loop *l, int loops, const node *whole,
                       nest_extreme *e) {
    const symbol *at = symbol_named(assign->child[0]);
    if (loops != 1 || l->down || !is_plain(at) || !element_is_integer(at->type->element)) return false;
    if (!is_name(assign->child[1], l->variable) || names_in(x->root, at) != names_in(whole, at)) return false;
    e->at = at;
    return e->relation[1] == 0;
}

bool read_extreme_if(const nest *x, const node *n, const nest_loop *l, int loops, nest_extreme *e) {
    node *part[2];
    if (n->count > 2 && n->child[2]) return false;
    const int count = parts_in(n->child[1], part, 0);
    for (int c = 0; c < count && count <= 2; c++) {
        if (!is_plain_assignment(part[c]) || e->assign) continue;
        const symbol *m = symbol_named(part[c]->child[0]);
        e->relation = relation_in(x, n->child[0], part[c]->child[1], m);
        if (!e->relation || !fits_in(x, m, part[c]->child[1], n)) continue;
        e->assign = part[c];
        e->value = part[c]->child[1];
    }
    if (!e->assign || count > 2) return false;
    if (count == 1) return true;
    const node *other = part[part[0] == e->assign];
    return is_plain_assignment(other) && read_place(x, other, l, loops, n, e);
}
