/* Pass "relations": what a process reads of a matrix that is an array of one dimension, where the iterations that it
 * executes do not own it: A[i*n + k] for all rows i and places k that these have, instead of each element by its
 * number. */
#include <string.h>

#include "../model/flat.h"
#include "../model/knowledge.h"
#include "../model/types.h"
#include "place.h"

typedef struct {
    const program *p;
    const parallel *s;
    const reference *r;
    unsigned used[MAX_RANK]; /* per index: the parts of it that stand in a part of the subscript */
    bool along;              /* an index of the reduction does */
    bool scattered;          /* one does along which a process's iterations are no interval */
} matrix_reader;

/* A bit for each part of an index that is a place in a matrix, (i*m + j)*n + k: k, j, i. */
enum { PLACE = 1, ALL = (1 << (MOST_WIDTHS + 1)) - 1 };

static bool mentions_indices(const void *context, const node *n) {
    const parallel *s = ((const matrix_reader *)context)->s;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].symbol && mentions_symbol(n, s->index[k].symbol)) return true;
    return false;
}

/* Numbers, and variables that are declared outside of the statement. */
static bool is_settled_before(const void *context, const node *n) {
    const matrix_reader *x = context;
    const symbol *v = n->kind == N_NAME ? n->symbol : NULL;
    int64_t value;
    if (constant_value(n, &value)) return true;
    if (v) {
        const node *outermost = outermost_forall(x->s->node);
        return v->kind == SYMBOL_VARIABLE && !v->array && type_counts_as_long(v->type) &&
               !node_holds(outermost ? outermost : x->s->node, v->declarator);
    }
    if (n->replacement) return false;
    if (n->kind == N_PAREN) return is_settled_before(x, n->child[0]);
    if (n->kind == N_CAST) return type_counts_as_long(n->type) && is_settled_before(x, n->child[1]);
    if (n->kind != N_BINARY || n->op[1] || !strchr("+-*/%", n->op[0])) return false;
    if (strchr("/%", n->op[0]) && !(constant_value(n->child[1], &value) && value > 0)) return false;
    return is_settled_before(x, n->child[0]) && is_settled_before(x, n->child[1]);
}

static bool is_fixed(const void *context, const node *n) {
    return !mentions_indices(context, n) && is_settled_before(context, n);
}

/* Whether a process executes an interval of index k; all of it, where the index is a reduction's. */
static bool takes_index(matrix_reader *x, int k) {
    const loop_index *i = &x->s->index[k];
    const reference *home = home_of(x->s);
    const int d = home && i->reduction < 0 ? home_dimension(home, k) : -1;
    if (i->ragged || i->symbol->has_value || (i->reduction >= 0 && i->reduction != x->r->reduction)) return false;
    if (i->reduction >= 0) x->along = true;
    if (d >= 0 && may_be_distributed(home->array, d) && !has_one_interval(home->array, d)) x->scattered = true;
    return true;
}

/* How often an index is divided by widths in n, the first time into rows; 0: it is none such. */
static int divisions_in(const matrix_reader *x, const node *n) {
    int count = 1;
    n = inside_conversions(n);
    for (; n->kind == N_BINARY && n->op[0] == '/' && n->name != ROW_NUMBER; n = inside_conversions(n->child[0])) {
        if (!is_fixed(x, n->child[1])) return 0;
        count++;
    }
    return n->name == ROW_NUMBER ? count : 0;
}

/* The index that n is a part of, in the order of its values; -1: none.  *part: which. */
static int index_of_part(matrix_reader *x, const node *n, unsigned *part) {
    n = inside_conversions(n);
    *part = ALL;
    if (n->replacement) return -1;
    if (n->kind == N_NAME) {
        const int k = index_in_part(x->s, n);
        return k >= 0 && takes_index(x, k) ? k : -1;
    }
    if (n->kind != N_BINARY || n->op[1] || !strchr("/%", n->op[0]) || !is_fixed(x, n->child[1])) return -1;
    const bool rest = n->op[0] == '%', place = n->name == ROW_PLACE;
    const int rows = divisions_in(x, rest ? n->child[0] : n);
    int64_t width;
    if (rest && !place && rows == 0) return -1; /* it may be negative */
    if (!place && rows == 0 && !(constant_value(n->child[1], &width) && width > 0)) return -1;
    const int k = index_of_part(x, n->child[0], part);
    if (place)
        *part = PLACE;
    else if (rows > 0)
        *part = rest ? 1u << rows : (unsigned)ALL & ~((1u << rows) - 1);
    return k;
}

/* Whether what varies in a part of the subscript are parts of indices, each of which stands there alone. */
static bool reads_part(matrix_reader *x, const linear *sum) {
    for (int t = 0; t < sum->terms; t++) {
        const linear_term *term = &sum->term[t];
        unsigned part;
        if (!term->node) return false;
        if (is_fixed(x, term->node)) continue;
        const int k = index_of_part(x, term->node, &part);
        if (k < 0 || x->used[k] & part) return false;
        x->used[k] |= part;
    }
    return true;
}

/* Of what divides an index into rows and places: which part of it that is, the innermost from 0; -1: several. */
static int number_of_part(const node *n) {
    const bool place = n->name == ROW_PLACE, rest = n->kind == N_BINARY && n->op[0] == '%';
    int rows = 0;
    if (place) return 0;
    if (rest) n = inside_conversions(n->child[0]);
    for (; n->kind == N_BINARY && n->op[0] == '/' && n->name != ROW_NUMBER; n = inside_conversions(n->child[0])) rows++;
    if (n->name != ROW_NUMBER) return -1;
    return rest || n->symbol->rows->parts == rows + 2 ? rows + 1 : -1;
}

/* The least and the greatest value of a term that varies, in all iterations; false: not known. */
static bool values_of_term(const matrix_reader *x, const linear_term *term, linear *low, linear *high) {
    const node *n = inside_conversions(term->node);
    const int k = index_in_part(x->s, n), part = number_of_part(n);
    const loop_index *i = k < 0 ? NULL : &x->s->index[k];
    if (!i) return false;
    if (part >= 0) {
        *low = i->symbol->rows->least[part], *high = i->symbol->rows->greatest[part];
        return true;
    }
    if (n->kind != N_NAME || i->triangular || !has_known_stride(i)) return false;
    *low = *least_value(i), *high = *greatest_value(i);
    return true;
}

static int64_t step_of(const linear_term *term) {
    return term->coefficient < 0 ? -term->coefficient : term->coefficient;
}

/* How far apart the least and the greatest values of a term that varies are, where that is known. */
static bool known_reach(const matrix_reader *x, const linear_term *term, int64_t *reach) {
    linear least, greatest;
    int64_t low, high;
    if (!values_of_term(x, term, &least, &greatest) || !linear_value(&least, &low) || !linear_value(&greatest, &high))
        return false;
    return !__builtin_sub_overflow(high, low, reach) && !__builtin_mul_overflow(*reach, step_of(term), reach);
}

/* How many values a part takes, where that is known. */
static bool known_extent(const matrix_reader *x, const linear *sum, int64_t *extent) {
    *extent = 1;
    for (int t = 0; t < sum->terms; t++) {
        int64_t reach;
        if (is_fixed(x, sum->term[t].node)) continue;
        if (!known_reach(x, &sum->term[t], &reach) || __builtin_add_overflow(*extent, reach, extent)) return false;
    }
    return true;
}

/* Whether a part takes a good deal of what lies between its ends: no term's step is far beyond what the terms with
 * smaller ones take together, as in i + 1000000*j + 2000000*k. */
static bool is_dense(const matrix_reader *x, const linear *sum) {
    enum { FAR = 16 };
    int64_t taken = 1, last = 0;
    for (;;) {
        int64_t step = INT64_MAX, reaches = 0;
        for (int t = 0; t < sum->terms; t++)
            if (!is_fixed(x, sum->term[t].node) && step_of(&sum->term[t]) > last && step_of(&sum->term[t]) < step)
                step = step_of(&sum->term[t]);
        if (step == INT64_MAX) return true;
        if (step / FAR > taken) return false;
        for (int t = 0; t < sum->terms; t++) {
            int64_t reach;
            if (is_fixed(x, sum->term[t].node) || step_of(&sum->term[t]) != step) continue;
            if (known_reach(x, &sum->term[t], &reach) && __builtin_add_overflow(reaches, reach, &reaches)) return true;
        }
        if (__builtin_add_overflow(taken, reaches, &taken)) return true;
        last = step;
    }
}

/* Rows that may overlap: A[2*i + k], where they are one interval. */
static bool may_overlap(const matrix_reader *x, const linear *width, const linear *place) {
    enum { NARROW = 16 };
    int64_t w, extent;
    if (!linear_value(width, &w)) return false;
    return known_extent(x, place, &extent) ? extent > w : w < NARROW;
}

/* ---- Remainders */

/* The ends of what a term adds, made of what keeps its value. */
static bool find_ends(const matrix_reader *x, const knowledge *w, const linear_term *term, linear *low, linear *high) {
    *low = *high = linear_atom(x->p->memory, term->text, term->node);
    if (!is_fixed(x, term->node) && !values_of_term(x, term, low, high)) return false;
    for (int k = 0; k < w->loops; k++)
        if (term->node->kind == N_NAME && term->node->symbol == w->loop[k].variable && w->loop[k].has_low &&
            w->loop[k].has_high)
            *low = w->loop[k].low, *high = w->loop[k].high;
    return is_settled(w, low, w->loops) && is_settled(w, high, w->loops);
}

/* The least and the greatest value of a part. */
static bool ends_of_part(const matrix_reader *x, const knowledge *w, const linear *part, linear *low, linear *high) {
    arena *a = x->p->memory;
    *low = *high = linear_without_terms(part);
    for (int t = 0; t < part->terms; t++) {
        const linear_term *term = &part->term[t];
        const bool up = term->coefficient > 0;
        linear first, last;
        if (!find_ends(x, w, term, &first, &last)) return false;
        if (!add_multiple(a, low, term->coefficient, up ? &first : &last)) return false;
        if (!add_multiple(a, high, term->coefficient, up ? &last : &first)) return false;
    }
    return true;
}

/* Whether what varies in a sum are parts of indices. */
static bool varies_by_parts(matrix_reader *x, const linear *sum) {
    unsigned part;
    for (int t = 0; t < sum->terms; t++)
        if (!sum->term[t].node || (!is_fixed(x, sum->term[t].node) && index_of_part(x, sum->term[t].node, &part) < 0))
            return false;
    return true;
}

/* A part that is the remainder of a number that is not negative: its value becomes that number, moved by the modulus
 * where it is the same, so that (x + n - 1) % n is beside x. */
static bool take_remainder(matrix_reader *x, submatrix_part *part) {
    arena *a = x->p->memory;
    const linear *sum = &part->value;
    if (sum->terms != 1 || sum->constant != 0 || sum->term[0].coefficient != 1 || !sum->term[0].node) return false;
    const node *n = inside_conversions(sum->term[0].node);
    unsigned which;
    if (n->kind != N_BINARY || strcmp(n->op, "%") != 0 || n->replacement || !type_counts_as_long(n->type)) return false;
    if (index_of_part(x, n, &which) >= 0 || is_fixed(x, n) || !is_fixed(x, n->child[1])) return false;
    const linear number = linear_of(a, x->p->source, n->child[0]), modulus = linear_of(a, x->p->source, n->child[1]);
    const knowledge w = knowledge_where_read(x->p, x->s, x->r);
    linear low, high;
    if (!linear_is_constant(&modulus) && (modulus.terms != 1 || modulus.constant != 0)) return false;
    if (!varies_by_parts(x, &number) || !ends_of_part(x, &w, &number, &low, &high) || !is_not_negative(&w, low))
        return false;
    part->value = number;
    part->modulus = modulus;
    for (int t = 0; t < number.terms && modulus.terms == 1; t++)
        if (!strcmp(number.term[t].text, modulus.term[0].text) && modulus.term[0].coefficient == 1)
            part->value =
                linear_subtract(a, number, linear_multiply(a, linear_constant(number.term[t].coefficient), modulus));
    if (linear_is_constant(&modulus) && modulus.constant > 0 && number.constant > modulus.constant / 2)
        part->value.constant -= (number.constant + modulus.constant / 2) / modulus.constant * modulus.constant;
    return true;
}

/* The parts of the subscript, the outermost first; without widths: the subscript itself. */
static bool read_parts(matrix_reader *x, const flat_widths *w, submatrix *m) {
    const flat_reader reader = {x->p->memory, x->p->source, mentions_indices, is_fixed, x, true};
    linear part[MOST_WIDTHS + 1];
    memset(x->used, 0, sizeof x->used);
    x->along = x->scattered = false;
    if (!split_by_widths(&reader, x->r->subscript[0].node, w, part)) return false;
    linear weight = linear_constant(1);
    m->parts = w->count + 1;
    m->around = false;
    for (int k = 0; k < m->parts; k++) {
        submatrix_part *to = &m->part[m->parts - 1 - k];
        *to = (submatrix_part){weight, part[k], linear_constant(0)};
        const bool around = take_remainder(x, to);
        m->around = m->around || around;
        if (!reads_part(x, &to->value) || !is_dense(x, &to->value) ||
            (k < w->count && !around && may_overlap(x, &w->width[k], &part[k])))
            return false;
        if (k < w->count) weight = linear_multiply(x->p->memory, weight, w->width[k]);
    }
    if (w->count > 0 && linear_is(&part[w->count], 0)) return false; /* no rows are counted */
    return x->along || !x->scattered;
}

/* Row k of a matrix, where the statement's index goes through one with rows as wide: A[k*n + j]. */
static void take_width_of_rows(const parallel *s, flat_widths *w) {
    for (int k = 0; k < s->indices && w->count == 0; k++)
        if (s->index[k].symbol && s->index[k].symbol->rows) w->width[w->count++] = s->index[k].symbol->rows->width;
}

/* ---- Whether all of it is inside the array */

static bool is_all_inside(const matrix_reader *x, const flat_widths *widths, const submatrix *m) {
    const array *a = x->r->array;
    const knowledge w = knowledge_where_read(x->p, x->s, x->r);
    const linear zero = linear_constant(0);
    linear low = zero, high = zero;
    bool positive = true;
    for (int k = 0; k < m->parts; k++) {
        const linear *width = &widths->width[m->parts - 1 - k];
        linear rows = low, more = high, first, last;
        if (k > 0 && (!is_settled(&w, width, w.loops) || !is_not_negative(&w, *width))) return false;
        if (k > 0 && (!multiply_out(&w, &rows, width, &low) || !multiply_out(&w, &more, width, &high))) return false;
        if (!linear_is(&m->part[k].modulus, 0)) {
            first = zero;
            last = linear_subtract(w.memory, m->part[k].modulus, linear_constant(1));
            if (!is_settled(&w, &last, w.loops)) return false;
        } else if (!ends_of_part(x, &w, &m->part[k].value, &first, &last)) {
            return false;
        }
        low = linear_add(w.memory, low, first);
        high = linear_add(w.memory, high, last);
        positive = positive && is_at_most(&w, &zero, &first);
    }
    if (positive) low = zero;
    return is_settled(&w, &a->written_lower[0], 0) && is_settled(&w, &a->written_upper[0], 0) &&
           is_at_most(&w, &a->written_lower[0], &low) && is_at_most(&w, &high, &a->written_upper[0]);
}

/* ---- What others ask */

const submatrix *submatrix_of(const program *p, const parallel *s, const reference *r) {
    matrix_reader x = {.p = p, .s = s, .r = r};
    const flat_reader reader = {p->memory, p->source, mentions_indices, is_fixed, &x, true};
    const subscript *u = &r->subscript[0];
    flat_widths w = {.count = 0};
    if (!r->array || r->rank != 1 || r->array->rank != 1 || r->cycles > 0 || r->confined) return NULL;
    if (s->loop || s->in_place || u->kind != SUBSCRIPT_GENERAL || !u->node || u->text) return NULL;
    submatrix *m = arena_alloc(p->memory, sizeof *m);
    if (!read_widths(&reader, u->node, &w)) take_width_of_rows(s, &w);
    bool found = w.count > 0 && read_parts(&x, &w, m);
    if (!found) {
        w.count = 0;
        found = read_parts(&x, &w, m);
    }
    if (!found) return NULL;
    m->inside = is_all_inside(&x, &w, m);
    return m;
}
