/* What ranges and the C loops around a statement say about variables, and what follows. */
#include <string.h>

#include "knowledge.h"
#include "types.h"

enum { DEEPEST_PROOF = 2 };

/* Whether a variable has the same value wherever it stands: it is never assigned. */
static bool is_fixed(const symbol *s) {
    return s->kind == SYMBOL_VARIABLE && s->assignments == 0 && (!s->file_scope || s->is_static);
}

const node *read_remainder(const linear_term *term, int64_t *m) {
    const node *n = term->node ? inside_parentheses((node *)term->node) : NULL;
    if (!n || n->kind != N_BINARY || n->op[1] || !strchr("%&", n->op[0]) || n->replacement) return NULL;
    return constant_value(n->child[1], m) && *m > 0 && *m <= INT32_MAX ? n : NULL;
}

bool is_settled_remainder(const knowledge *w, const linear_term *term, int loops) {
    int64_t m;
    const node *n = read_remainder(term, &m);
    if (!n) return false;
    const linear number = linear_of(w->memory, w->source, n->child[0]);
    for (int t = 0; t < number.terms; t++) {
        const node *of = number.term[t].node;
        if (!of || !of->symbol || (of->symbol->kind != SYMBOL_INDEX && !is_signed_integer(of->symbol))) return false;
    }
    return is_settled(w, &number, loops);
}

static bool is_settled_factor(const knowledge *w, const node *n, int loops) {
    int64_t value;
    n = inside_conversions(n);
    const bool combines = n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]) && !n->replacement;
    if (combines) return is_settled_factor(w, n->child[0], loops) && is_settled_factor(w, n->child[1], loops);
    while (n->kind == N_MEMBER && n->op[0] == '.') n = n->child[0];
    if (n->kind != N_NAME || !n->symbol) return constant_value(n, &value);
    bool found = is_fixed(n->symbol);
    for (int k = 0; k < loops; k++) found = found || w->loop[k].variable == n->symbol;
    return found;
}

bool is_settled(const knowledge *w, const linear *x, int loops) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        int64_t least, most;
        if (is_settled_remainder(w, &x->term[t], loops) || (n && loops > 0 && table_extremes(n, &least, &most)))
            continue;
        if (!n || (n->kind != N_NAME && n->kind != N_MEMBER && !is_multiplication(n))) return false;
        if (!is_settled_factor(w, n, loops)) return false;
    }
    return true;
}

/* ---- Products, multiplied out */

enum { MOST_FACTORS = 6, DEEPEST_PRODUCT = 4 };

typedef struct {
    const node *node[MOST_FACTORS];
    const char *text[MOST_FACTORS];
    int count;
} factors;

/* The factors of a term, in order of their texts; false: there are too many. */
static bool add_factors(const knowledge *w, factors *f, const linear_term *x) {
    if (x->node && is_multiplication(x->node)) {
        for (int c = 0; c < 2; c++) {
            const linear one = linear_of(w->memory, w->source, x->node->child[c]);
            if (one.terms != 1 || !add_factors(w, f, &one.term[0])) return false;
        }
        return true;
    }
    if (f->count == MOST_FACTORS || !x->node) return false;
    int at = f->count++;
    for (; at > 0 && strcmp(f->text[at - 1], x->text) > 0; at--) {
        f->text[at] = f->text[at - 1];
        f->node[at] = f->node[at - 1];
    }
    f->text[at] = x->text;
    f->node[at] = x->node;
    return true;
}

/* The product of two terms without their coefficients, an atom; false: it is none. */
static bool atom_of_product(const knowledge *w, const linear_term *x, const linear_term *y, linear *product) {
    factors f = {.count = 0};
    if (!add_factors(w, &f, x) || !add_factors(w, &f, y)) return false;
    const char *words = f.text[0];
    node *n = (node *)f.node[0];
    for (int k = 1; k < f.count; k++) {
        node *children[] = {n, (node *)f.node[k]};
        n = ast_new(w->memory, N_BINARY, n->first, n->first, 2, children);
        n->made = true;
        n->op = "*";
        n->type = type_of_element(ELEMENT_LONG);
        words = arena_format(w->memory, "%s * %s", words, f.text[k]);
    }
    *product = linear_atom(w->memory, words, n);
    return true;
}

static linear multiple(const knowledge *w, const linear *x, int64_t factor) {
    return linear_multiply(w->memory, linear_constant(factor), *x);
}

bool multiply_out(const knowledge *w, const linear *x, const linear *y, linear *product) {
    const linear constant = linear_constant(x->constant);
    linear left = *x;
    left.constant = left.names = 0;
    *product = linear_add(w->memory, linear_multiply(w->memory, constant, *y), multiple(w, &left, y->constant));
    for (int t = 0; t < x->terms; t++)
        for (int u = 0; u < y->terms; u++) {
            linear atom;
            if (!atom_of_product(w, &x->term[t], &y->term[u], &atom)) return false;
            atom = multiple(w, &atom, x->term[t].coefficient);
            *product = linear_add(w->memory, *product, multiple(w, &atom, y->term[u].coefficient));
        }
    return true;
}

static bool replace_fixed(const knowledge *w, linear *x);

/* A factor of a product, multiplied out, with values of variables that keep them. */
static linear multiplied_out(const knowledge *w, const linear *x, int depth);
static linear factor_of(const knowledge *w, const node *n, int depth) {
    const linear one = linear_of(w->memory, w->source, n);
    linear found = multiplied_out(w, &one, depth), value = found;
    return replace_fixed(w, &value) ? value : found;
}

/* x, in which products of sums are sums of products, so that what is equal cancels. */
static linear multiplied_out(const knowledge *w, const linear *x, int depth) {
    linear sum = linear_constant(x->constant);
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        linear part = linear_atom(w->memory, term->text, term->node), product;
        if (depth < DEEPEST_PRODUCT && term->node && is_multiplication(term->node)) {
            const linear left = factor_of(w, term->node->child[0], depth + 1);
            const linear right = factor_of(w, term->node->child[1], depth + 1);
            if (multiply_out(w, &left, &right, &product)) part = product;
        }
        sum = linear_add(w->memory, sum, multiple(w, &part, term->coefficient));
    }
    return sum;
}

bool add_multiple(arena *memory, linear *x, int64_t factor, const linear *y) {
    if (!same_symbols(x, y)) return false;
    *x = linear_add(memory, *x, linear_multiply(memory, linear_constant(factor), *y));
    return true;
}

/* Whether a name is known to be 0 or more by a loop or a fact alone. */
static bool is_plainly_positive(const knowledge *w, const char *words, const node *n) {
    for (int k = 0; k < w->loops; k++)
        if (n->symbol == w->loop[k].variable && w->loop[k].has_low && linear_is_constant(&w->loop[k].low) &&
            w->loop[k].low.constant >= 0)
            return true;
    for (int k = 0; k < w->facts; k++) {
        const linear *x = &w->fact[k];
        const linear_term *term = &x->term[0];
        if (x->terms == 1 && x->constant <= 0 && term->coefficient > 0 && !strcmp(term->text, words) && term->node &&
            term->node->symbol == n->symbol)
            return true;
    }
    return false;
}

/* What a variable is multiplied with in a product in which it stands once, beside names that are not negative; false:
 * it is none such. */
static bool read_factor(const knowledge *w, const linear_term *term, const symbol *variable, linear *rest) {
    factors f = {.count = 0};
    int found = 0;
    if (!term->node || !is_multiplication(term->node) || !add_factors(w, &f, term)) return false;
    for (int k = 0; k < f.count; k++) {
        const linear one = linear_atom(w->memory, f.text[k], (node *)f.node[k]), before = *rest;
        if (f.node[k]->kind != N_NAME) return false;
        if (f.node[k]->symbol == variable) {
            found++;
            continue;
        }
        if (!is_plainly_positive(w, f.text[k], f.node[k]) || !multiply_out(w, &before, &one, rest)) return false;
    }
    return found == 1;
}

/* A variable is replaced by its bound that makes factor * rest * variable, a term of x, least. */
static bool replace_by_bound(const knowledge *w, linear *x, int loop, const linear_term *term, const linear *rest) {
    const int64_t factor = term->coefficient;
    const linear whole = linear_atom(w->memory, term->text, term->node);
    const linear *bound = factor > 0 ? &w->loop[loop].low : &w->loop[loop].high;
    linear product;
    if (!(factor > 0 ? w->loop[loop].has_low : w->loop[loop].has_high) || factor == INT64_MIN) return false;
    return multiply_out(w, bound, rest, &product) && add_multiple(w->memory, x, -factor, &whole) &&
           add_multiple(w->memory, x, factor, &product);
}

/* Replaces the variable of a loop by its bound that makes x least, in products too; false: there is none. */
static bool replace_variable(const knowledge *w, linear *x, int loop) {
    enum { MOST_ROUNDS = 32 };
    int rounds = 0;
    for (int t = 0; t < x->terms; t++) {
        const linear_term term = x->term[t];
        linear rest = linear_constant(1);
        if (!term.node) continue;
        if (term.node->symbol != w->loop[loop].variable && !read_factor(w, &term, w->loop[loop].variable, &rest))
            continue;
        if (rounds++ == MOST_ROUNDS || !replace_by_bound(w, x, loop, &term, &rest)) return false;
        t = -1;
    }
    return true;
}

bool fixed_value(arena *memory, source *s, const symbol *v, linear *value) {
    const node *n = v && is_fixed(v) && !v->is_parameter && is_signed_integer(v) ? declared_value(v) : NULL;
    if (!n || !type_is_signed_integer(n->type) || element_bytes(n->type->element) > element_bytes(v->type->element))
        return false;
    const knowledge nothing = {.memory = memory, .source = s};
    *value = linear_of(memory, s, n);
    return is_settled(&nothing, value, 0) && value->constant >= -INT32_MAX && value->constant <= INT32_MAX;
}

/* Replaces variables that keep the values of other ones that they are declared with. */
static bool replace_fixed(const knowledge *w, linear *x) {
    enum { MOST_ROUNDS = 16 };
    int round = 0;
    for (int t = 0; t < x->terms && round < MOST_ROUNDS; t++) {
        const linear_term *term = &x->term[t];
        const int64_t factor = term->coefficient;
        linear value;
        if (!term->node || term->node->kind != N_NAME || !fixed_value(w->memory, w->source, term->node->symbol, &value))
            continue;
        const linear variable = linear_atom(w->memory, term->text, term->node);
        if (!add_multiple(w->memory, x, -factor, &variable) || !add_multiple(w->memory, x, factor, &value))
            return false;
        round++;
        t = -1;
    }
    return true;
}

static bool follows(const knowledge *w, linear x, int from, int depth);

/* Replaces remainders of settled numbers by what makes x least; facts, which may hold them, say nothing about these. */
static bool replace_remainders(const knowledge *w, linear *x) {
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        int64_t m;
        if (!is_settled_remainder(w, term, w->loops)) continue;
        const node *n = read_remainder(term, &m);
        const bool cut = n->op[0] == '&';
        const linear number = linear_of(w->memory, w->source, n->child[0]);
        int64_t value = cut ? m : m - 1;
        if (term->coefficient > 0) value = cut || follows(w, number, w->facts, 0) ? 0 : -value;
        const int64_t factor = term->coefficient;
        const linear part = linear_atom(w->memory, term->text, term->node), bound = linear_number(w->memory, value);
        if (!add_multiple(w->memory, x, -factor, &part) || !add_multiple(w->memory, x, factor, &bound)) return false;
        t = -1;
    }
    return true;
}

/* Replaces elements of arrays of constants by that which makes x least. */
static bool replace_tables(const knowledge *w, linear *x) {
    for (int t = 0; t < x->terms; t++) {
        const linear_term term = x->term[t];
        int64_t least, most;
        if (!term.node || !table_extremes(term.node, &least, &most) || term.coefficient == INT64_MIN) continue;
        const linear read = linear_atom(w->memory, term.text, term.node);
        const linear value = linear_number(w->memory, term.coefficient > 0 ? least : most);
        if (!add_multiple(w->memory, x, -term.coefficient, &read) ||
            !add_multiple(w->memory, x, term.coefficient, &value))
            return false;
        t = -1;
    }
    return true;
}

/* How many times x has a fact's first term: as often it may be taken from x. */
static int64_t times_in(const linear *x, const linear *fact) {
    for (int t = 0; fact->terms > 0 && t < x->terms; t++) {
        const int64_t all = x->term[t].coefficient, one = fact->term[0].coefficient;
        if (!strcmp(x->term[t].text, fact->term[0].text) && all / one > 1) return all / one;
    }
    return 1;
}

/* Whether x >= 0 follows from the loops and up to DEEPEST_PROOF facts, from number `from` on. */
static bool follows(const knowledge *w, linear x, int from, int depth) {
    linear least = multiplied_out(w, &x, 0);
    bool found = true;
    for (int k = w->loops - 1; k >= 0 && found; k--) found = replace_variable(w, &least, k);
    found = found && replace_remainders(w, &least) && replace_tables(w, &least) && replace_fixed(w, &least);
    least = multiplied_out(w, &least, 0);
    if (found && linear_is_constant(&least) && least.constant >= 0) return true;
    for (int k = from; depth < DEEPEST_PROOF && k < w->facts; k++) {
        linear rest = multiplied_out(w, &x, 0);
        const int64_t times = times_in(&rest, &w->fact[k]);
        if (add_multiple(w->memory, &rest, -times, &w->fact[k]) && follows(w, rest, k + 1, depth + 1)) return true;
    }
    return false;
}

bool is_not_negative(const knowledge *w, linear x) {
    return follows(w, x, 0, 0);
}

bool is_at_most(const knowledge *w, const linear *low, const linear *high) {
    linear room = multiplied_out(w, high, 0);
    const linear least = multiplied_out(w, low, 0);
    return add_multiple(w->memory, &room, -1, &least) && is_not_negative(w, room);
}

/* The two values of a variable that keeps the one it is declared with: `const int s = up ? 1 : -1;`. */
static bool is_choice(const symbol *s, int64_t *first, int64_t *second) {
    if (s && s->is_short) {
        *first = -1;
        *second = 1;
        return true;
    }
    node *n = s && is_fixed(s) ? declared_value(s) : NULL;
    if (!n) return false;
    n = inside_parentheses(n);
    return n->kind == N_CONDITIONAL && n->child[1] && constant_value(n->child[1], first) &&
           constant_value(n->child[2], second);
}

/* Replaces variables that have one of two values by that which makes x least. */
static void replace_choices(const knowledge *w, linear *x) {
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        int64_t first, second;
        if (!term->node || term->node->kind != N_NAME || !is_choice(term->node->symbol, &first, &second)) continue;
        const int64_t least = (term->coefficient > 0) == (first < second) ? first : second;
        const linear variable = linear_atom(w->memory, term->text, term->node), value = linear_number(w->memory, least);
        const int64_t factor = term->coefficient;
        if (add_multiple(w->memory, x, -factor, &variable) && add_multiple(w->memory, x, factor, &value)) t = -1;
    }
}

/* The least value of x, whose variables are those of the loops; false: not a constant. */
static bool find_least(const knowledge *w, linear x, int64_t *least) {
    for (int k = w->loops - 1; k >= 0; k--)
        if (!replace_variable(w, &x, k)) return false;
    replace_choices(w, &x);
    if (!replace_tables(w, &x)) return false;
    *least = x.constant;
    return linear_is_constant(&x);
}

bool find_extremes(const knowledge *w, const linear *x, int64_t *least, int64_t *most) {
    const linear negative = linear_subtract(w->memory, linear_constant(0), *x);
    if (!find_least(w, *x, least) || !find_least(w, negative, most)) return false;
    *most = -*most;
    return true;
}

/* Notes that low <= high. */
static void add_fact(knowledge *w, const linear *low, const linear *high) {
    if (w->facts == MOST_FACTS || !is_settled(w, low, w->loops) || !is_settled(w, high, w->loops)) return;
    w->fact[w->facts] = *high;
    if (!add_multiple(w->memory, &w->fact[w->facts], -1, low)) return;
    w->fact[w->facts] = multiplied_out(w, &w->fact[w->facts], 0);
    w->facts++;
}

/* Unsigned differences: n - 1 is no number below n where n is 0. */
static bool may_go_below_zero(const node *n) {
    int64_t value;
    if (type_is_long_unsigned(n->type) && !constant_value(n, &value) &&
        ((n->kind == N_BINARY && n->op[0] == '-') || n->kind == N_UNARY))
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_go_below_zero(n->child[c])) return true;
    return false;
}

/* The value of a bound of a loop as its variable, of type t, gets it or is compared with it; false: not known. */
static bool take_bound(const program *p, const knowledge *w, const type *t, const node *n, linear *bound) {
    *bound = linear_of(p->memory, p->source, n);
    if (!is_settled(w, bound, w->loops) || may_go_below_zero(n)) return false;
    for (int k = 0; k < bound->terms; k++) {
        const symbol *s = bound->term[k].node->symbol;
        if (is_settled_remainder(w, &bound->term[k], w->loops)) continue;
        if (!s || s->kind != SYMBOL_VARIABLE || !type_counts_as_long(s->type) ||
            element_bytes(s->type->element) > element_bytes(t->element))
            return false;
    }
    return bound->constant >= -INT32_MAX && bound->constant <= INT32_MAX;
}

/* What a loop says about its variable, if nothing else changes that. */
static void add_loop(const program *p, knowledge *w, const node *loop) {
    counting_loop c;
    linear first, limit;
    if (!counting_loop_of(loop, &c) || !counts_undisturbed(loop, &c)) return;
    const bool up = c.step > 0, has_first = take_bound(p, w, c.variable->type, c.first, &first);
    const bool has_limit = take_bound(p, w, c.variable->type, c.limit, &limit);
    if (has_limit && !c.inclusive) limit.constant += up ? -1 : 1;
    const int k = w->loops++;
    w->loop[k].variable = c.variable;
    w->loop[k].low = up ? first : limit;
    w->loop[k].high = up ? limit : first;
    w->loop[k].has_low = up ? has_first : has_limit;
    w->loop[k].has_high = up ? has_limit : has_first;
    if (has_first && has_limit) add_fact(w, &w->loop[k].low, &w->loop[k].high);
}

/* What the loops around n say, whose body it is in. */
static void add_loops(const program *p, knowledge *w, const node *n) {
    const node *around[MOST_AROUND];
    int count = 0;
    for (; n && n->parent && n->kind != N_FUNCTION_DEFINITION && count < MOST_AROUND; n = n->parent)
        if (n->parent->kind == N_FOR && n->parent->child[3] == n) around[count++] = n->parent;
    while (count > 0) add_loop(p, w, around[--count]);
}

bool has_known_stride(const loop_index *x) {
    return !x->triangular && linear_is_constant(&x->stride) && x->stride.constant != 0;
}

const linear *least_value(const loop_index *x) {
    return x->stride.constant > 0 ? &x->lower : &x->upper;
}
const linear *greatest_value(const loop_index *x) {
    return x->stride.constant > 0 ? &x->upper : &x->lower;
}

/* What the ranges say of the indices of the statement, and of those of a reduction (-1: of none). */
static knowledge knowledge_in(const program *p, const parallel *s, const node *n, int which) {
    knowledge w = {.memory = p->memory, .source = p->source};
    add_loops(p, &w, n);
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        if (x->reduction >= 0 && x->reduction != which) continue;
        if (has_known_stride(x)) add_fact(&w, least_value(x), greatest_value(x));
        const flat_rows *rows = x->symbol ? x->symbol->rows : NULL;
        for (int part = 0; rows && part < rows->parts; part++) add_fact(&w, &rows->least[part], &rows->greatest[part]);
    }
    return w;
}

knowledge knowledge_at(const program *p, const parallel *s, const node *n) {
    return knowledge_in(p, s, n, -1);
}

knowledge knowledge_where_read(const program *p, const parallel *s, const reference *r) {
    return knowledge_in(p, s, s->node, r->reduction);
}

/* ---- Where unsigned variables begin */

/* Whether unsigned arithmetic of 64 bits may go round below 0, for all that its operators say: a half is, as long, a
 * number in any case. */
static bool has_differences(const node *n) {
    int64_t value;
    n = inside_parentheses((node *)n);
    if (constant_value(n, &value)) return value < 0;
    const bool divides = n->kind == N_BINARY && !n->op[1] && strchr("/%", n->op[0]);
    if (divides && type_is_unsigned(n->type) && constant_value(n->child[1], &value) && value > 1) return false;
    if (n->kind == N_BINARY && n->op[0] != '-') return has_differences(n->child[0]) || has_differences(n->child[1]);
    const bool stored = n->kind == N_NAME || n->kind == N_MEMBER || n->kind == N_INDEX;
    return n->kind != N_SIZEOF && !(stored && type_is_unsigned(n->type));
}

bool may_begin_below_zero(const program *p, const node *loop, const node *first) {
    const node *n = inside_parentheses((node *)first);
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (s && s->assignments == 0 && !s->is_parameter && declared_value(s))
        return may_begin_below_zero(p, loop, declared_value(s));
    if (!has_differences(n)) return false;
    const knowledge around = knowledge_at(p, &(parallel){0}, loop);
    return !is_not_negative(&around, linear_of(p->memory, p->source, n));
}
