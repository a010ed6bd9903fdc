/* Pass "nests": what subscripts are made of.  Programs with matrices in arrays of one dimension have names for them,
 *
 *     static inline int at(int i, int j) { return i * N + j; }
 *     ... A[at(i, j)] = B[at(i - 1, j)];
 *     ... int k = i * n + j, up = k - n;  A[k] = B[up];
 *     ... k = i * n + j;  A[k] = B[k + 1];                  k is declared further out
 *
 * which stand in the tree as what they are: A[i * N + j], B[i * n + j - n].  The program's text keeps them. */
#include <stdlib.h>
#include <string.h>

#include "../model/types.h"
#include "nests.h"

enum { DEEPEST = 8 }; /* names made of names */

/* A call whose function's value is being written, in what stands around it; `call` NULL: the program's subscript. */
typedef struct writing {
    program *p;
    const node *place; /* the subscript */
    const node *call;
    const struct writing *outer;
    int depth;
} writing;

static node *written(const writing *w, node *n);

/* ---- Names */

static node *returned(const program *p, const node *call);
static node *kept_value(const program *p, const node *name);

/* Whether a function's value depends on its arguments alone. */
static bool has_own_value(const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_CALL || (n->kind == N_NAME && !s)) return false;
    if (s && s->kind == SYMBOL_VARIABLE && !s->is_parameter) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !has_own_value(n->child[c])) return false;
    return true;
}

/* Whether all that n, outside the block, names has the same values everywhere in it. */
static bool keeps_value_in(const program *p, const node *n, const node *block) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_NAME && (!s || is_hidden_in(block, s))) return false;
    if (n->kind == N_CALL && (!returned(p, n) || !has_own_value(returned(p, n)))) return false;
    if (s && s->kind == SYMBOL_VARIABLE) {
        if (!is_signed_integer(s) || s->array || is_address_taken(s)) return false;
        if (s->file_scope ? !s->is_static || s->assignments > 0 : s->is_static) return false;
        for (size_t k = 0; k < s->assignments; k++)
            if (node_holds(block, s->assignment[k])) return false;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !(n->kind == N_CALL && c == 0) && !keeps_value_in(p, n->child[c], block)) return false;
    return true;
}

static bool fits_in(const type *t, const type *in) {
    return type_is_signed_integer(t) && type_is_signed_integer(in) &&
           element_bytes(t->element) <= element_bytes(in->element);
}

/* Whether n has other values each time that a block is executed: else its name says more. */
static bool differs(const program *p, const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (s && (s->kind == SYMBOL_INDEX || s->assignments > 0 || kept_value(p, n))) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && differs(p, n->child[c])) return true;
    return false;
}

/* Whether the variable is an automatic number of the function. */
static bool is_own_number(const symbol *s) {
    return s->kind == SYMBOL_VARIABLE && !s->array && !s->file_scope && !s->is_static && !s->is_parameter &&
           is_signed_integer(s);
}

/* The value that an automatic variable is declared with and keeps, another one each time; NULL: it may have others. */
static node *declared_and_kept(const program *p, const symbol *s) {
    if (!is_own_number(s) || s->assignments > 0) return NULL;
    const node *block = s->scope;
    node *value = declared_value(s);
    if (!value || !block || block->kind != N_COMPOUND) return NULL;
    if (specifiers_are_volatile(value->parent->parent->child[0])) return NULL;
    return fits_in(value->type, s->type) && differs(p, value) && keeps_value_in(p, value, block) ? value : NULL;
}

/* The value that `s = value;` gives, which is all of the statement n; NULL: it is something else. */
static node *value_given(const node *n, const symbol *s) {
    const node *assign = n->kind == N_EXPRESSION && n->count > 0 ? n->child[0] : NULL;
    if (!assign || assign->kind != N_ASSIGN || strcmp(assign->op, "=") != 0) return NULL;
    return assign->child[0]->kind == N_NAME && assign->child[0]->symbol == s ? assign->child[1] : NULL;
}

/* The statement of a block that is the only one there to assign s, and stands before `inside`; NULL: there is none. */
static const node *only_assignment(const node *block, const symbol *s, const node *inside) {
    const node *found = NULL;
    for (size_t c = 0; c < block->count && block->child[c] != inside && !found; c++)
        if (value_given(block->child[c], s)) found = block->child[c];
    for (size_t k = 0; k < s->assignments && found; k++)
        if (node_holds(block, s->assignment[k]) && !node_holds(found, s->assignment[k])) found = NULL;
    return found;
}

/* The value that a variable, declared further out, has been assigned in a block around its name, and keeps there. */
static node *assigned_and_kept(const program *p, const node *name) {
    const symbol *s = name->symbol;
    if (!is_own_number(s) || s->assignments == 0 || is_address_taken(s) || !s->declarator) return NULL;
    for (const node *n = name, *block = n->parent; block && block->kind != N_FUNCTION_DEFINITION;
         n = block, block = n->parent) {
        const node *statement = block->kind == N_COMPOUND ? only_assignment(block, s, n) : NULL;
        if (!statement) continue;
        node *value = value_given(statement, s);
        if (holds_kind(block, N_LABEL) || holds_kind(block, N_CASE) || holds_kind(block, N_DEFAULT) ||
            mentions_symbol(value, s))
            return NULL;
        return fits_in(value->type, s->type) && keeps_value_in(p, value, block) ? value : NULL;
    }
    return NULL;
}

/* The value of a variable wherever its block names it. */
static node *kept_value(const program *p, const node *name) {
    node *value = declared_and_kept(p, name->symbol);
    return value ? value : assigned_and_kept(p, name);
}

/* What a function returns that does nothing else; NULL: it does more. */
static node *returned(const program *p, const node *call) {
    const symbol *called = called_function(call), *f = called ? defined_function(p, called->name) : NULL;
    const node *definition = f ? f->declaration : NULL;
    if (!definition || definition->kind != N_FUNCTION_DEFINITION || definition->count != 3) return NULL;
    const node *body = definition->child[2];
    if (body->count != 1 || body->child[0]->kind != N_RETURN || body->child[0]->count != 1) return NULL;
    return parameter_count(f) + 1 == call->count && fits_in(body->child[0]->child[0]->type, call->type)
               ? body->child[0]->child[0]
               : NULL;
}

/* ---- Nodes */

static node *as_operand(const writing *w, node *n) {
    return !n || n->kind == N_NAME || n->kind == N_CONSTANT || n->kind == N_PAREN
               ? n
               : compose(w->p->memory, N_PAREN, w->place->first, n->type, n, NULL, NULL);
}

/* n with the type t, in which the program computes with it. */
static node *as_type(const writing *w, node *n, const type *t) {
    if (!n || !fits_in(n->type, t)) return NULL;
    if (n->kind == N_CONSTANT || element_bytes(n->type->element) == element_bytes(t->element)) return n;
    return compose_cast(w->p->memory, w->place->first, t, as_operand(w, n));
}

static node *written_name(const writing *w, node *n) {
    const symbol *s = n->symbol;
    if (!s) return NULL;
    for (size_t k = 0; w->call && k + 1 < w->call->count; k++) {
        const symbol *f = called_function(w->call);
        if (parameter_of(defined_function(w->p, f->name), k) != s) continue;
        return s->assignments ? NULL : as_type(w, written(w->outer, w->call->child[k + 1]), s->type);
    }
    if (s->kind == SYMBOL_VARIABLE && (!is_signed_integer(s) || s->array)) return NULL;
    if (s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_ENUMERATOR && s->kind != SYMBOL_INDEX) return NULL;
    if (w->call && is_hidden_in(function_around(w->place), s)) return NULL;
    node *value = kept_value(w->p, n);
    const writing deeper = {w->p, w->place, w->call, w->outer, w->depth + 1};
    node *made = value && w->depth < DEEPEST ? as_type(w, written(&deeper, value), s->type) : NULL;
    return made ? made : clone_reached(w->p, n);
}

static node *written_call(const writing *w, node *n) {
    node *value = returned(w->p, n);
    const writing inside = {w->p, w->place, n, w, w->depth + 1};
    return value && w->depth < DEEPEST ? as_type(w, written(&inside, value), n->type) : NULL;
}

/* A copy of n with what its names stand for; NULL: it is no such form. */
static node *written(const writing *w, node *n) {
    if (n->kind == N_PAREN) return written(w, n->child[0]);
    if (n->kind == N_NAME) return written_name(w, n);
    if (n->kind == N_CALL) return written_call(w, n);
    if (n->kind == N_CONSTANT) return type_is_signed_integer(n->type) ? clone_reached(w->p, n) : NULL;
    if (n->kind == N_CAST) return as_type(w, written(w, n->child[1]), n->type);
    if (n->kind != N_BINARY || n->op[1] || !strchr("+-*", n->op[0])) return NULL;
    node *x = as_operand(w, written(w, n->child[0])), *y = x ? as_operand(w, written(w, n->child[1])) : NULL;
    if (!y || !type_is_signed_integer(n->type)) return NULL;
    node *made = compose(w->p->memory, N_BINARY, w->place->first, n->type, x, y, NULL);
    made->op = n->op;
    return made;
}

/* ---- Counters: k = -1; for (i ..) for (j ..) { k++; A[k] = ...; } has A[(i - first) * n + j - first + 0] */

typedef struct {
    const symbol *symbol;
    const node *begin;            /* the value with which the loops begin */
    const node *loop[MAX_RANK];   /* around the name, the innermost first */
    counting_loop head[MAX_RANK]; /* of each */
    int loops;
    int64_t step, before; /* what an iteration of the innermost loop adds, and what of it stands before the name */
} counter;

/* What a statement adds to the variable and does no more; 0: it is something else. */
static int64_t added_by(const node *n, const symbol *s) {
    const node *x = n->kind == N_EXPRESSION && n->count > 0 ? inside_parentheses(n->child[0]) : NULL;
    int64_t value = 1;
    if (!x || !is_store(x) || x->child[0]->kind != N_NAME || x->child[0]->symbol != s) return 0;
    if (x->kind == N_ASSIGN && strcmp(x->op, "+=") != 0 && strcmp(x->op, "-=") != 0) return 0;
    if (x->kind == N_ASSIGN && (!constant_value(x->child[1], &value) || llabs(value) > INT32_MAX)) return 0;
    return x->op[0] == '-' ? -value : value;
}

/* Adds up what the statements of the innermost body add; false: other stores stand in the outermost loop. */
static bool read_additions(counter *c, const node *name) {
    const node *body = c->loop[0]->child[3], *root = c->loop[c->loops - 1];
    size_t found = 0, all = 0;
    bool before = true;
    for (size_t k = 0; body->kind == N_COMPOUND && k < body->count; k++) {
        const int64_t added = added_by(body->child[k], c->symbol);
        before = before && !node_holds(body->child[k], name);
        found += added != 0;
        c->step += added;
        if (before) c->before += added;
    }
    for (size_t k = 0; k < c->symbol->assignments; k++) all += node_holds(root, c->symbol->assignment[k]);
    return found > 0 && found == all;
}

/* The value that the statement directly before the loop, but for others that leave the variable alone, gives it. */
static const node *begin_before(const node *loop, const symbol *s) {
    const node *block = loop->parent;
    size_t c = 0;
    if (block->kind != N_COMPOUND) return NULL;
    while (block->child[c] != loop) c++;
    while (c-- > 0) {
        const node *n = block->child[c];
        const node *value = value_given(n, s);
        if (n->kind == N_DECLARATION && node_holds(n, s->declarator)) value = declared_value(s);
        for (size_t k = 0; k < s->assignments && !value; k++)
            if (node_holds(n, s->assignment[k])) return NULL;
        if (value) return value;
        if (n->kind == N_DECLARATION && node_holds(n, s->declarator)) return NULL;
    }
    return NULL;
}

/* Whether the loops step by 1 between bounds that stay, and nothing leaves them. */
static bool are_plain_loops(const program *p, counter *c) {
    const node *root = c->loop[c->loops - 1];
    static const node_kind leaving[] = {N_BREAK, N_CONTINUE, N_GOTO, N_RETURN, N_LABEL, N_SWITCH, N_ASM};
    for (size_t k = 0; k < sizeof leaving / sizeof *leaving; k++)
        if (holds_kind(root, leaving[k])) return false;
    for (int k = 0; k < c->loops; k++) {
        const counting_loop *h = &c->head[k];
        if (h->step != 1 || !is_signed_integer(h->variable) || h->variable->file_scope) return false;
        if (!type_is_signed_integer(h->first->type) || !type_is_signed_integer(h->limit->type)) return false;
        if (!keeps_value_in(p, h->first, root) || !keeps_value_in(p, h->limit, root)) return false;
    }
    return true;
}

static bool read_counter(const program *p, const node *name, counter *c) {
    const symbol *s = name->symbol;
    *c = (counter){.symbol = s};
    if (!s || !is_own_number(s) || s->assignments == 0 || is_address_taken(s) || !s->declarator) return false;
    for (const node *n = name->parent; n && n->kind != N_FUNCTION_DEFINITION && !c->begin; n = n->parent) {
        if (n->kind == N_WHILE || n->kind == N_DO || n->kind == N_FORALL) return false;
        if (n->kind != N_FOR) continue;
        if (c->loops == MAX_RANK || node_holds(n, s->declarator) || independent_directive(n)) return false;
        c->loop[c->loops] = n;
        if (!node_holds(n->child[3], name) || !counting_loop_of(n, &c->head[c->loops++])) return false;
        c->begin = begin_before(n, s);
    }
    int64_t value;
    return c->begin && constant_value(c->begin, &value) && llabs(value) <= INT32_MAX && read_additions(c, name) &&
           are_plain_loops(p, c);
}

static node *count_node(const writing *w, int64_t value) {
    node *n = compose(w->p->memory, N_CONSTANT, w->place->first, type_of_element(ELEMENT_INT), NULL, NULL, NULL);
    n->name = arena_format(w->p->memory, "%lld", (long long)value);
    return n;
}

static node *operation_of(const writing *w, const char *op, node *x, node *y) {
    int64_t value;
    const bool wide = element_bytes(x->type->element) >= element_bytes(y->type->element);
    if (constant_value(y, &value) && value == (op[0] == '*')) return x;
    if (constant_value(x, &value) && value == (op[0] == '*') && op[0] != '-') return y;
    node *made = compose(w->p->memory, N_BINARY, w->place->first, (wide ? x : y)->type, as_operand(w, x),
                         as_operand(w, y), NULL);
    made->op = op;
    return made;
}

/* The iterations of a loop before the one that stands there: by the variable's name in the loop's condition. */
static node *iterations_before(const writing *w, const node *loop, const counting_loop *h) {
    node *name = inside_parentheses(loop->child[1]->child[0]);
    if (name->kind != N_NAME || name->symbol != h->variable) name = inside_parentheses(loop->child[1]->child[1]);
    return operation_of(w, "-", clone_reached(w->p, name), clone_reached(w->p, h->first));
}

static node *trips_of(const writing *w, const counting_loop *h) {
    node *n = operation_of(w, "-", clone_reached(w->p, h->limit), clone_reached(w->p, h->first));
    return h->inclusive ? operation_of(w, "+", n, count_node(w, 1)) : n;
}

/* The value of a counter where its name stands; NULL: it is none. */
static node *counted_value(const writing *w, const node *name) {
    counter c;
    int64_t begin;
    if (!read_counter(w->p, name, &c) || !constant_value(c.begin, &begin)) return NULL;
    node *n = iterations_before(w, c.loop[c.loops - 1], &c.head[c.loops - 1]);
    for (int k = c.loops - 2; k >= 0; k--)
        n = operation_of(w, "+", operation_of(w, "*", n, trips_of(w, &c.head[k])),
                         iterations_before(w, c.loop[k], &c.head[k]));
    n = operation_of(w, "*", n, count_node(w, c.step));
    begin += c.before;
    return operation_of(w, begin < 0 ? "-" : "+", n, count_node(w, llabs(begin)));
}

/* ---- In the program */

/* Variables that only stand in subscripts have no use where these are written otherwise. */
static void note_replaced(program *p, const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_VARIABLE && n->symbol->declarator)
        table_put(p->memory, &p->unused, n->symbol->declarator, n->symbol);
}

/* Lets what was made stand at the token that it is written in place of. */
static void place_at(node *n, token_index at) {
    if (n->made) n->first = n->last = at;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) place_at(n->child[c], at);
}

/* n, or what stands for it in the subscript `place`. */
static node *in_subscript(program *p, node *n, const node *place) {
    const writing w = {.p = p, .place = place};
    const bool named = n->kind == N_NAME && n->symbol && kept_value(p, n);
    if (n->kind == N_SIZEOF || (n->kind == N_INDEX && distributed_reference(n))) return n;
    node *made = named || n->kind == N_CALL ? as_operand(&w, written(&w, n)) : NULL;
    if (!made && n->kind == N_NAME && n->symbol) made = as_operand(&w, counted_value(&w, n));
    if (made && made->kind != N_NAME) {
        if (named) note_replaced(p, n);
        place_at(made, n->first);
        made->first = n->first;
        made->last = n->last;
        return made;
    }
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c]) continue;
        n->child[c] = in_subscript(p, n->child[c], place);
        n->child[c]->parent = n;
    }
    return n;
}

/* ---- Products in subscripts, as widths of rows are read: y * 2 * w has the width 2 * w; of rows with several values
 * for each place, y * stride + x * 4, where stride is w * 4, they are the 4 of (y * w + x) * 4 */

static bool is_product(const node *n) {
    return n->kind == N_BINARY && !strcmp(n->op, "*");
}

/* The greatest constant that something is multiplied by in a sum; 1: none. */
static int64_t unit_in(node *n) {
    int64_t value = 1, greatest = 1;
    n = inside_parentheses(n);
    for (int c = 0; c < 2 && is_product(n); c++)
        if (constant_value(n->child[c], &value) && value > greatest) greatest = value;
    const bool sums = n->kind == N_BINARY && !n->op[1] && (n->op[0] == '+' || n->op[0] == '-');
    for (int c = 0; c < 2 && sums; c++) {
        const int64_t unit = unit_in(n->child[c]);
        if (unit > greatest) greatest = unit;
    }
    return greatest;
}

/* The product that a variable keeps, whose name n is or was; NULL: it is none. */
static node *product_in(const program *p, node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    node *product = n->made ? inside_conversions(n) : n;
    if (s && is_own_number(s)) {
        node *value = s->assignments == 0 ? declared_value(s) : assigned_and_kept(p, n);
        product = value ? inside_parentheses(value) : n;
        if (s->assignments == 0 && (!s->scope || !keeps_value_in(p, product, s->scope))) return NULL;
    }
    return (s || n->made) && is_product(product) && fits_in(product->type, n->type) ? product : NULL;
}

/* What n multiplies with the unit; NULL: it is no such product. */
static node *factor_of_unit(const program *p, node *n, int64_t unit) {
    node *product = unit < 2 ? NULL : product_in(p, n);
    int64_t value;
    for (int c = 0; c < 2 && product; c++)
        if (constant_value(product->child[c], &value) && value == unit) return product->child[1 - c];
    return NULL;
}

static node *product_of(const writing *w, const type *t, node *x, node *y) {
    node *made = compose(w->p->memory, N_BINARY, w->place->first, t, as_operand(w, x), as_operand(w, y), NULL);
    made->op = "*";
    return made;
}

/* A product in another form; NULL: it stays. */
static node *regrouped(const writing *w, node *n, int64_t unit) {
    node *left = n->child[0];
    int64_t value;
    if (is_product(left) && constant_value(left->child[1], &value) && !constant_value(n->child[1], &value))
        return product_of(w, n->type, left->child[0], product_of(w, n->type, left->child[1], n->child[1]));
    for (int c = 0; c < 2; c++) {
        node *of = factor_of_unit(w->p, n->child[c], unit);
        if (!of) continue;
        note_replaced(w->p, n->child[c]);
        node *number = compose(w->p->memory, N_CONSTANT, w->place->first, n->type, NULL, NULL, NULL);
        number->name = arena_format(w->p->memory, "%lld", (long long)unit);
        node *rows = product_of(w, n->type, n->child[1 - c], clone_reached(w->p, of));
        return product_of(w, n->type, rows, number);
    }
    return NULL;
}

/* The sum n with its products so. */
static node *in_rows(const writing *w, node *n, int64_t unit) {
    const bool sums = n->kind == N_PAREN || (n->kind == N_BINARY && !n->op[1] && (n->op[0] == '+' || n->op[0] == '-'));
    if (!type_is_signed_integer(n->type)) return n;
    node *made = is_product(n) ? regrouped(w, n, unit) : NULL;
    if (made) {
        place_at(made, n->first);
        made->first = n->first;
        made->last = n->last;
        return made;
    }
    for (size_t c = 0; c < n->count && sums; c++) {
        n->child[c] = in_rows(w, n->child[c], unit);
        n->child[c]->parent = n;
    }
    return n;
}

static bool is_needed(const program *p, const symbol *s);

static bool is_needed_in(const program *p, const node *n, const symbol *s) {
    const node *name = n->kind == N_INIT_DECLARATOR ? declared_name(n->child[0]) : NULL;
    if (n->kind == N_NAME && n->symbol == s) return true;
    const bool later = name && name->symbol && name->first > s->declarator->first;
    if (later && table_at(&p->unused, name) && !is_needed(p, name->symbol)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_needed_in(p, n->child[c], s)) return true;
    return false;
}

/* Whether something names the variable but the values of others that nothing needs. */
static bool is_needed(const program *p, const symbol *s) {
    return is_needed_in(p, s->scope, s);
}

bool is_written_out(const program *p, const symbol *s) {
    return s && s->declarator && table_at(&p->unused, s->declarator) && declared_and_kept(p, s) && !is_needed(p, s);
}

bool declares_nothing(const program *p, const node *declaration) {
    for (size_t c = 1; c < declaration->count; c++) {
        const node *name = declared_name(declaration->child[c]->child[0]);
        if (declaration->child[c]->kind != N_INIT_DECLARATOR || !is_written_out(p, name ? name->symbol : NULL))
            return false;
    }
    return declaration->count > 1;
}

void write_out_subscripts(program *p, node *n) {
    const array *a = n->kind == N_INDEX ? distributed_reference(n) : NULL;
    if (independent_directive(n)) return;
    if (a && a->rank == 1 && n->child[1]->kind != N_TRIPLET) {
        const writing w = {.p = p, .place = n->child[1]};
        n->child[1] = in_subscript(p, n->child[1], n->child[1]);
        n->child[1]->parent = n;
        n->child[1] = in_rows(&w, n->child[1], unit_in(n->child[1]));
        n->child[1]->parent = n;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) write_out_subscripts(p, n->child[c]);
}
