/* What stands in the reduction(...) of a loop under `independent`: variables and arrays of which each process has a
 * part of its own. */
#include <string.h>

#include "lower.h"
#include "../model/types.h"

const partial_result *partial_of(const independent_loop *x, const symbol *s) {
    for (size_t k = 0; k < x->partials; k++)
        if (x->partial[k].symbol == s) return &x->partial[k];
    return NULL;
}

bool has_parts(const independent_loop *x, const node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    return index_chain((node *)chain, &name, subscripts, &count) && name->symbol && partial_of(x, name->symbol);
}

static bool is_operator(const char *op) {
    static const char *const operators[] = {"+", "-", "*", "min", "max", "&", "|", "^", "&&", "||"};
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (!strcmp(op, operators[k])) return true;
    return false;
}

/* Whether a bound has the same value wherever it is evaluated. */
static bool is_fixed(const node *n) {
    if (n->kind == N_CALL || n->kind == N_ASSIGN || n->kind == N_INDEX || n->kind == N_MEMBER) return false;
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_VARIABLE && n->symbol->assignments > 0)
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_fixed(n->child[c])) return false;
    return true;
}

/* The elements of an ordinary array whose size is known; ELEMENTS: it is none. */
static element element_of_memory(const symbol *s) {
    const type *t = s->type;
    if (!t || t->kind != TYPE_ARRAY || !t->array || !t->array->child[2] || s->is_extern) return ELEMENTS;
    if (t->array->child[2]->kind == N_STAR || (s->is_parameter && !is_fixed(t->array))) return ELEMENTS;
    while (t->kind == TYPE_ARRAY) t = t->of;
    return t->kind == TYPE_ARITHMETIC ? t->element : ELEMENTS;
}

/* Sets kind and element; false: no reduction can take it. */
static bool find_kind(const node *n, partial_result *r) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (!s || s->kind != SYMBOL_VARIABLE) return false;
    if (s->array) {
        r->kind = PARTIAL_ELEMENTS;
        r->element = s->array->element;
    } else if (s->type && s->type->kind == TYPE_ARITHMETIC) {
        r->kind = PARTIAL_VARIABLE;
        r->element = s->type->element;
    } else {
        r->kind = PARTIAL_MEMORY;
        r->element = element_of_memory(s);
    }
    return r->element < ELEMENTS;
}

/* Why a variable or the elements of an array cannot be combined by the operator, or NULL. */
static const char *obstacle_of(const partial_result *r) {
    const bool extreme = !strcmp(r->op, "min") || !strcmp(r->op, "max");
    const bool bits = strchr("&|^", r->op[0]) && !r->op[1];
    if (bits && !element_is_integer(r->element)) return "integers";
    if (bits || r->kind == PARTIAL_VARIABLE) return NULL;
    if (r->op[0] == '&' || r->op[0] == '|') return "truth values of variables only";
    if (extreme && element_is_complex(r->element)) return "numbers that can be compared";
    if (r->op[0] == '-' && r->element == ELEMENT_BOOL) return "numbers";
    return NULL;
}

static bool only_updates(const program *p, const partial_result *r, const node *n);

/* The same of an expression whose value nobody uses. */
static bool only_updates_in(const program *p, const partial_result *r, node *n) {
    node *store = inside_parentheses(n), *name, *subscripts[MAX_RANK];
    int count = 0;
    increment x;
    if (store->kind == N_COMMA) return only_updates_in(p, r, store->child[0]) && only_updates_in(p, r, store->child[1]);
    if (!(r->op[0] == '*' ? is_scaling(p, store, &x) : is_increment(p, store, &x))) return only_updates(p, r, store);
    name = inside_parentheses(store->child[0]);
    if ((name->kind != N_NAME && !index_chain(name, &name, subscripts, &count)) || name->symbol != r->symbol)
        return only_updates(p, r, store);
    for (int k = 0; k < count; k++)
        if (!only_updates(p, r, subscripts[k])) return false;
    return !x.added || only_updates(p, r, x.added);
}

static void report_use(const program *p, const partial_result *r, const node *n) {
    const char *s = r->symbol->name;
    if (r->symbol->type->kind == TYPE_ARRAY) s = arena_format(p->memory, "%s[...]", s);
    if (r->op[0] == '*')
        diagnose(p->source, n, D_reproducible_use, r->symbol->name, arena_format(p->memory, "%s *= value;", s),
                 arena_format(p->memory, "%s = %s * value;", s, s));
    else
        diagnose(p->source, n, D_reproducible_use, r->symbol->name, arena_format(p->memory, "%s += value;", s),
                 arena_format(p->memory, "%s -= value;", s));
}

/* Reports a use of the sum or product, or of an array's sums, other than s += value or s *= value; false: there is
 * one. */
static bool only_updates(const program *p, const partial_result *r, const node *n) {
    if (n->kind == N_SIZEOF) return true;
    if (n->kind == N_EXPRESSION && n->count > 0 && n->child[0]) return only_updates_in(p, r, n->child[0]);
    if (n->kind == N_NAME && n->symbol == r->symbol) {
        report_use(p, r, n);
        return false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !only_updates(p, r, n->child[c])) return false;
    return true;
}

/* --reproducible.  After an error the entry serves as it would without. */
static void reproduce_partial(const program *p, const independent_loop *x, const node *n, partial_result *r) {
    const bool is_product = r->op[0] == '*', of_array = r->kind != PARTIAL_VARIABLE;
    r->canonical = r->kind == PARTIAL_VARIABLE && (!strcmp(r->op, "min") || !strcmp(r->op, "max"));
    if (is_product && (of_array || element_is_complex(r->element))) {
        diagnose(p->source, n, D_reproducible_partial, r->symbol->name,
                 of_array ? "the elements of an array" : "complex values");
        return;
    }
    r->exact = is_product || r->op[0] == '+' || r->op[0] == '-';
    if (r->exact) only_updates(p, r, x->loop->child[3]);
}

/* After an error: so that nothing complains of its assignments, too. */
static void take_as_private(const program *p, independent_loop *x, const node *n) {
    if (n->kind == N_NAME && n->symbol) vector_add(p->memory, x->private, x->privates, x->private_capacity, n->symbol);
}

void read_partial(program *p, independent_loop *x, const node *clause, node *n) {
    partial_result r = {.op = clause->op};
    if (!is_operator(clause->op)) {
        diagnose(p->source, clause, D_independent_operator, clause->op);
        diagnose_help("the operators are + - * min max & | ^ && ||");
        return;
    }
    if (!find_kind(n, &r)) {
        diagnose(p->source, n, D_independent_name, "reduction", " and arrays", ast_quote(p->memory, p->source, n));
        diagnose_help(
            "it takes arithmetic variables, arrays whose extents stand in their declarations, and distributed arrays");
        take_as_private(p, x, n);
        return;
    }
    r.symbol = n->symbol;
    const char *only = obstacle_of(&r);
    if (only) {
        diagnose(p->source, n, D_independent_combines, clause->op, only,
                 r.kind == PARTIAL_VARIABLE ? "" : "the elements of ", r.symbol->name);
        if (r.kind == PARTIAL_VARIABLE) take_as_private(p, x, n);
        return;
    }
    r.name = unique_name(p, arena_format(p->memory, "%s_part", r.symbol->name));
    if (p->reproducible && !element_is_integer(r.element)) reproduce_partial(p, x, n, &r);
    vector_add(p->memory, x->partial, x->partials, x->partial_capacity, r);
}
