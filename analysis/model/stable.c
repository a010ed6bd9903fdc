/* Whether an expression has one value at two places of a function: what its names mean, and what may be stored or
 * called in between. */
#include <string.h>

#include "model.h"

/* ---- Expressions written alike */

static bool same_names(const node *n, const node *m) {
    if (n->kind != m->kind || n->count != m->count || n->symbol != m->symbol) return false;
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c] != !m->child[c]) return false;
        if (n->child[c] && !same_names(n->child[c], m->child[c])) return false;
    }
    return true;
}

bool same_symbols(const linear *x, const linear *y) {
    for (int t = 0; t < x->terms; t++)
        for (int u = 0; u < y->terms; u++) {
            const node *n = x->term[t].node, *m = y->term[u].node;
            if (n && m && !strcmp(x->term[t].text, y->term[u].text) && !same_names(n, m)) return false;
        }
    return true;
}

/* ---- Constants that stand for expressions */

/* Operators that only compute: what they say depends on their operands. */
static bool only_combines(const node *n) {
    return n->kind == N_CONSTANT || n->kind == N_PAREN || n->kind == N_CAST || n->kind == N_BINARY ||
           n->kind == N_CONDITIONAL || n->kind == N_MEMBER || n->kind == N_INDEX || n->kind == N_TYPE_NAME ||
           n->kind == N_SPECIFIERS || n->kind == N_KEYWORD || (n->kind == N_UNARY && !is_store(n) && n->op[0] != '&');
}

/* Whether an expression has the same value wherever what it is made of has. */
static bool only_computes(const node *n) {
    if (n->kind == N_SIZEOF) return true;
    if (n->kind == N_NAME) return n->symbol && !n->symbol->array;
    if (!only_combines(n)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !only_computes(n->child[c])) return false;
    return true;
}

/* The initialiser of an automatic variable that nothing changes afterwards, of a type that holds every value of it;
 * NULL: it is none. */
static node *lasting_initialiser(const symbol *s) {
    const node *declaration = s->declaration;
    if (s->kind != SYMBOL_VARIABLE || s->file_scope || s->is_static || s->is_parameter || s->assignments > 0)
        return NULL;
    if (!declaration || declaration->kind != N_DECLARATION || !s->type || s->type->kind != TYPE_ARITHMETIC) return NULL;
    for (size_t c = 1; c < declaration->count; c++) {
        const node *item = declaration->child[c];
        if (item->kind != N_INIT_DECLARATOR || item->count < 2 || !item->child[1] ||
            declared_name(item->child[0]) != s->declarator)
            continue;
        const type *t = item->child[1]->type;
        const bool holds = t && t->kind == TYPE_ARITHMETIC && element_is_integer(t->element) &&
                           element_is_integer(s->type->element) && element_is_signed(t->element) &&
                           element_is_signed(s->type->element) &&
                           element_bytes(t->element) <= element_bytes(s->type->element);
        return holds && only_computes(item->child[1]) ? item->child[1] : NULL;
    }
    return NULL;
}

enum { DEEPEST_CONSTANT = 4 };

linear traced(const program *p, linear x, stretch *reach, int depth) {
    linear result = linear_without_terms(&x);
    for (int t = 0; t < x.terms; t++) {
        const node *n = x.term[t].node;
        node *value =
            depth < DEEPEST_CONSTANT && n && n->kind == N_NAME && n->symbol ? lasting_initialiser(n->symbol) : NULL;
        linear term = linear_atom(p->memory, x.term[t].text, n);
        if (value) {
            widen_stretch(reach, n->symbol->scope, n->symbol->declarator->first, n->symbol->declarator->first);
            term = traced(p, linear_of(p->memory, p->source, value), reach, depth + 1);
        }
        result =
            linear_add(p->memory, result, linear_multiply(p->memory, linear_constant(x.term[t].coefficient), term));
    }
    return result;
}

/* ---- Spans of the source */

static bool is_repeated(const node *n) {
    return n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO;
}

/* The end of what is executed between something of `outer` and the beginning of `inner`, in it: that of the outermost
 * loop around it. */
static size_t end_of_repetition(const node *outer, const node *inner, size_t last) {
    if (holds_kind(outer, N_LABEL)) return outer->last;
    for (const node *n = inner; n && n != outer; n = n->parent)
        if (is_repeated(n)) last = n->last;
    return last;
}

void widen_stretch(stretch *x, const node *scope, size_t first, size_t last) {
    const node *outer = scope, *inner = scope;
    if (!x->scope) {
        *x = (stretch){.scope = scope, .from = first, .to = last, .good = true};
        return;
    }
    if (node_holds(x->scope, scope))
        outer = x->scope;
    else if (node_holds(scope, x->scope))
        inner = x->scope;
    else
        x->good = false;
    x->from = first < x->from ? first : x->from;
    x->to = last > x->to ? last : x->to;
    if (x->good && outer != inner) x->to = end_of_repetition(outer, inner, x->to);
    x->scope = outer;
}

/* ---- What happens in a stretch */

/* What stores and calls may change, but variables that they name. */
typedef struct {
    const program *p;
    const stretch *stretch;
    const symbol *variable; /* NULL: what pointers point to, elements of arrays, variables whose address is taken */
} question;

static bool has_address(const symbol *s) {
    for (size_t k = 0; k < s->assignments; k++) {
        const node *n = s->assignment[k]->parent;
        while (n && (n->kind == N_PAREN || n->kind == N_MEMBER || n->kind == N_INDEX)) n = n->parent;
        if (n && n->kind == N_UNARY && n->op[0] == '&') return true;
    }
    return false;
}

/* A store into memory that a name does not say: by a pointer, into an element of an ordinary array, a member. */
static bool stores_into_memory(const node *n) {
    bool pointer = false;
    if (!is_store(n)) return false;
    const node *left = inside_parentheses(n->child[0]);
    const symbol *s = base_symbol(left, &pointer);
    if (s && s->array && !pointer) return false;
    return pointer || !s || left->kind != N_NAME || s->file_scope || has_address(s);
}

/* Whether a function of a system header gets an address. */
static bool takes_address(const node *call) {
    for (size_t c = 1; c < call->count; c++) {
        const node *n = inside_parentheses(call->child[c]);
        if (n->kind != N_STRING && (!n->type || n->type->kind != TYPE_ARITHMETIC)) return true;
    }
    return false;
}

/* Whether a function of this file, or what it calls, may assign a variable of file scope. */
static bool may_assign(const program *p, const symbol *f, const symbol *s, int depth) {
    enum { DEEPEST_CALL = 16 };
    const symbol *defined = f && f->kind == SYMBOL_FUNCTION ? defined_function(p, f->name) : NULL;
    if (!defined || depth == DEEPEST_CALL) return s->assignments > 0 || !s->is_static;
    if (s->assignments > 0 && may_change_between(s, defined->declaration->first, defined->declaration->last))
        return true;
    if (defined->calls_unknown && (s->assignments > 0 || !s->is_static)) return true;
    for (size_t k = 0; k < defined->call_count; k++)
        if (defined->calls[k] != defined && may_assign(p, defined->calls[k], s, depth + 1)) return true;
    return false;
}

/* A format of a directive has the shape of a call. */
static bool is_call(const node *n) {
    const node_kind above = n->parent ? n->parent->kind : N_UNIT;
    return n->kind == N_CALL && above != N_FORMAT_LIST && above != N_ENTITY;
}

static bool call_may_change(const question *q, const node *call) {
    const node *f = inside_parentheses(call->child[0]);
    const bool header = f->kind == N_NAME && !f->symbol;
    const symbol *s = q->variable;
    if (header) return s == NULL && takes_address(call);
    return !s || may_assign(q->p, f->symbol, s, 0);
}

static bool may_change_in(const question *q, const node *n) {
    if (n->last < q->stretch->from || n->first > q->stretch->to) return false;
    if (n->first >= q->stretch->from) {
        if (n->kind == N_ASM) return true;
        if (is_call(n) && call_may_change(q, n)) return true;
        if (!q->variable && stores_into_memory(n)) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_change_in(q, n->child[c])) return true;
    return false;
}

static bool memory_changes(const program *p, const stretch *reach) {
    const question q = {.p = p, .stretch = reach};
    return may_change_in(&q, reach->scope->parent ? reach->scope->parent : reach->scope);
}

static bool variable_stays(const program *p, const symbol *s, const stretch *reach) {
    if (s->kind == SYMBOL_ENUMERATOR) return true;
    if (s->kind != SYMBOL_VARIABLE || may_change_between(s, reach->from, reach->to)) return false;
    if (has_address(s) && memory_changes(p, reach)) return false;
    if (!s->file_scope && !s->is_static) return true;
    if (!s->is_static && !s->is_extern && s->assignments == 0 && declares_const(s->declaration->child[0])) return true;
    const question q = {.p = p, .stretch = reach, .variable = s};
    return !may_change_in(&q, reach->scope->parent ? reach->scope->parent : reach->scope);
}

static bool reads_memory(const node *n) {
    return n->kind == N_INDEX || (n->kind == N_MEMBER && !strcmp(n->op, "->")) ||
           (n->kind == N_UNARY && n->op[0] == '*');
}

static bool stays(const program *p, const node *n, const stretch *reach) {
    if (n->kind == N_SIZEOF) return true;
    if (n->kind == N_NAME) return n->symbol && !n->symbol->array && variable_stays(p, n->symbol, reach);
    if (!only_combines(n) || (reads_memory(n) && memory_changes(p, reach))) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !stays(p, n->child[c], reach)) return false;
    return true;
}

bool stays_alike(const program *p, const node *n, const node *m, const stretch *reach) {
    return reach->good && same_names(n, m) &&
           !strcmp(ast_quote(p->memory, p->source, n), ast_quote(p->memory, p->source, m)) &&
           !memory_changes(p, reach) && stays(p, n, reach);
}

bool stays_within(const program *p, const linear *x, const stretch *reach) {
    if (linear_is_constant(x)) return true;
    for (int t = 0; reach->good && t < x->terms; t++)
        if (!x->term[t].node || !stays(p, x->term[t].node, reach)) return false;
    return reach->good;
}
