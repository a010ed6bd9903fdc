/* What ranges and the C loops around a statement say about variables, and what follows. */
#include <string.h>

#include "knowledge.h"

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

bool is_settled(const knowledge *w, const linear *x, int loops) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        if (is_settled_remainder(w, &x->term[t], loops)) continue;
        while (n && n->kind == N_MEMBER && n->op[0] == '.') n = n->child[0];
        if (!n || n->kind != N_NAME || !n->symbol) return false;
        bool found = is_fixed(n->symbol);
        for (int k = 0; k < loops; k++) found = found || w->loop[k].variable == n->symbol;
        if (!found) return false;
    }
    return true;
}

bool add_multiple(arena *memory, linear *x, int64_t factor, const linear *y) {
    if (!same_symbols(x, y)) return false;
    *x = linear_add(memory, *x, linear_multiply(memory, linear_constant(factor), *y));
    return true;
}

/* Replaces the variable of a loop by its bound that makes x least; false: there is none. */
static bool replace_variable(const knowledge *w, linear *x, int loop) {
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        const int64_t factor = term->coefficient;
        if (!term->node || term->node->symbol != w->loop[loop].variable) continue;
        if (!(factor > 0 ? w->loop[loop].has_low : w->loop[loop].has_high) || factor == INT64_MIN) return false;
        const linear variable = linear_atom(w->memory, term->text, term->node);
        return add_multiple(w->memory, x, -factor, &variable) &&
               add_multiple(w->memory, x, factor, factor > 0 ? &w->loop[loop].low : &w->loop[loop].high);
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

/* Whether x >= 0 follows from the loops and up to DEEPEST_PROOF facts, from number `from` on. */
static bool follows(const knowledge *w, linear x, int from, int depth) {
    linear least = x;
    bool found = true;
    for (int k = w->loops - 1; k >= 0 && found; k--) found = replace_variable(w, &least, k);
    found = found && replace_remainders(w, &least);
    if (found && linear_is_constant(&least) && least.constant >= 0) return true;
    for (int k = from; depth < DEEPEST_PROOF && k < w->facts; k++) {
        linear rest = x;
        if (add_multiple(w->memory, &rest, -1, &w->fact[k]) && follows(w, rest, k + 1, depth + 1)) return true;
    }
    return false;
}

bool is_not_negative(const knowledge *w, linear x) {
    return follows(w, x, 0, 0);
}

bool is_at_most(const knowledge *w, const linear *low, const linear *high) {
    linear room = *high;
    return add_multiple(w->memory, &room, -1, low) && is_not_negative(w, room);
}

/* The two values of a variable that keeps the one it is declared with: `const int s = up ? 1 : -1;`. */
static bool is_choice(const symbol *s, int64_t *first, int64_t *second) {
    if (s && s->is_short) {
        *first = -1;
        *second = 1;
        return true;
    }
    const node *n = s && is_fixed(s) ? s->declarator : NULL;
    while (n && n->kind != N_INIT_DECLARATOR && n->kind != N_DECLARATION) n = n->parent;
    if (!n || n->kind != N_INIT_DECLARATOR || n->count < 2 || !n->child[1]) return false;
    n = inside_parentheses(n->child[1]);
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
    if (add_multiple(w->memory, &w->fact[w->facts], -1, low)) w->facts++;
}

/* The value of a bound of a loop as its variable, of type t, gets it or is compared with it; false: not known. */
static bool take_bound(const program *p, const knowledge *w, const type *t, const node *n, linear *bound) {
    *bound = linear_of(p->memory, p->source, n);
    if (!is_settled(w, bound, w->loops)) return false;
    for (int k = 0; k < bound->terms; k++) {
        const symbol *s = bound->term[k].node->symbol;
        if (is_settled_remainder(w, &bound->term[k], w->loops)) continue;
        if (!s || !is_signed_integer(s) || element_bytes(s->type->element) > element_bytes(t->element)) return false;
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

knowledge knowledge_at(const program *p, const parallel *s, const node *n) {
    knowledge w = {.memory = p->memory, .source = p->source};
    add_loops(p, &w, n);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && has_known_stride(&s->index[k]))
            add_fact(&w, least_value(&s->index[k]), greatest_value(&s->index[k]));
    return w;
}
