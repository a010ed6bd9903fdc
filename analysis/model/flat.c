/* Elements of one-dimensional arrays that the program takes for matrices, A[i*n + j] or
 * A[(i*n + j)*m + k]: what is multiplied by a width counts rows, the rest is a place in the row. */
#include <string.h>

#include "flat.h"
#include "types.h"

enum { MOST_SUMMANDS = 8 };

typedef struct {
    const node *node;
    bool negative;
} summand;

/* What is added up. */
typedef struct {
    summand part[MOST_SUMMANDS];
    int count;
    bool too_many;
} summands;

/* A conversion to a type that has all values of the operand's. */
static bool widens(const node *n) {
    const type *from = n->child[1]->type;
    return n->kind == N_CAST && type_counts_as_long(n->type) &&
           (n->made || (type_counts_as_long(from) && element_bytes(from->element) <= element_bytes(n->type->element)));
}

/* Without parentheses and such conversions. */
static const node *inside(const node *n) {
    n = inside_parentheses((node *)n);
    while (n->kind == N_CAST && widens(n)) n = inside_parentheses(n->child[1]);
    return n;
}

static void add_summands(summands *s, const node *n, bool negative) {
    n = inside(n);
    const bool plain = !n->replacement && n->op && !n->op[1];
    if (n->kind == N_BINARY && plain && (n->op[0] == '+' || n->op[0] == '-')) {
        add_summands(s, n->child[0], negative);
        add_summands(s, n->child[1], negative != (n->op[0] == '-'));
    } else if (n->kind == N_UNARY && plain && n->op[0] == '-') {
        add_summands(s, n->child[0], !negative);
    } else if (s->count < MOST_SUMMANDS) {
        s->part[s->count++] = (summand){n, negative};
    } else {
        s->too_many = true;
    }
}

/* The other factor, where one factor of a product is the width; else NULL. */
static const node *factor_beside(arena *a, const source *s, const node *n, const linear *width) {
    for (int k = 0; is_multiplication(n) && k < 2; k++) {
        const linear x = linear_of(a, s, inside(n->child[k]));
        if (linear_equal(&x, width)) return n->child[1 - k];
    }
    return NULL;
}

/* Takes what is multiplied by the width out of the summands. */
static summands take_rows(arena *a, const source *s, summands *from, const linear *width) {
    summands rows = {.count = 0}, rest = {.too_many = from->too_many};
    for (int k = 0; k < from->count; k++) {
        const summand *x = &from->part[k];
        const node *row = factor_beside(a, s, x->node, width);
        if (row)
            add_summands(&rows, row, x->negative);
        else
            rest.part[rest.count++] = *x;
    }
    rows.too_many = rows.too_many || rest.too_many;
    *from = rest;
    return rows;
}

static linear sum_of(arena *a, const source *s, const summands *x) {
    linear sum = linear_constant(0);
    for (int k = 0; k < x->count; k++) {
        const linear one = linear_of(a, s, x->part[k].node);
        sum = x->part[k].negative ? linear_subtract(a, sum, one) : linear_add(a, sum, one);
    }
    return sum;
}

/* A factor that is the same in all iterations, beside one that is not: a variable, else the greatest number; NULL:
 * there is no such product. */
static const node *width_among(const flat_reader *r, const summands *x) {
    const node *found = NULL;
    int64_t greatest = 1;
    for (int k = 0; k < x->count; k++) {
        const node *n = x->part[k].node;
        int64_t value;
        for (int side = 0; is_multiplication(n) && side < 2; side++) {
            const node *width = inside(n->child[side]);
            if (!r->varies(r->context, n->child[1 - side]) || !r->is_fixed(r->context, width)) continue;
            if (!constant_value(width, &value)) {
                if (type_counts_as_long(width->type)) return width;
            } else if (r->constants && value > greatest) {
                greatest = value;
                found = width;
            }
        }
    }
    return found;
}

bool read_widths(const flat_reader *r, const node *n, flat_widths *w) {
    summands x = {.count = 0};
    *w = (flat_widths){.count = 0};
    add_summands(&x, n, false);
    while (w->count < MOST_WIDTHS && !x.too_many) {
        const node *width = width_among(r, &x);
        if (!width) break;
        w->node[w->count] = width;
        w->width[w->count] = linear_of(r->memory, r->source, width);
        x = take_rows(r->memory, r->source, &x, &w->width[w->count++]);
    }
    return w->count > 0 && !x.too_many;
}

bool split_by_widths(const flat_reader *r, const node *n, const flat_widths *w, linear *part) {
    summands x = {.count = 0};
    add_summands(&x, n, false);
    for (int k = 0; k < w->count; k++) {
        summands rows = take_rows(r->memory, r->source, &x, &w->width[k]);
        part[k] = sum_of(r->memory, r->source, &x);
        x = rows;
    }
    part[w->count] = sum_of(r->memory, r->source, &x);
    return !x.too_many;
}

int index_in_part(const parallel *s, const node *n) {
    n = inside_conversions(n);
    for (int k = 0; n->kind == N_NAME && k < s->indices; k++)
        if (n->symbol && n->symbol == s->index[k].symbol) return k;
    return n->kind == N_BINARY && (n->op[0] == '/' || n->op[0] == '%') ? index_in_part(s, n->child[0]) : -1;
}

/* Whether both parts have the same terms, and few values lie between them. */
static bool are_parts_near(const program *p, const parallel *s, const submatrix_part *x, const submatrix_part *y) {
    enum { MOST_BESIDE = 16, MOST_APART = 3 }; /* where values vary; where there is one */
    const linear between = linear_subtract(p->memory, y->value, x->value);
    bool varies = false;
    if (!linear_equal(&x->weight, &y->weight) || !linear_equal(&x->modulus, &y->modulus)) return false;
    if (!linear_is_constant(&between)) return false;
    if (x->value.terms != y->value.terms) return false;
    for (int t = 0; t < x->value.terms; t++) {
        const int k = index_in_part(s, x->value.term[t].node);
        if (k != index_in_part(s, y->value.term[t].node)) return false;
        varies = varies || k >= 0;
    }
    const int64_t most = varies ? MOST_BESIDE : MOST_APART;
    return between.constant >= -most && between.constant <= most;
}

bool shares_box(const program *p, const parallel *s, const reference *x, const reference *y) {
    const submatrix *a = x->placed.matrix, *b = y->placed.matrix;
    if (!a || !b || x->array != y->array || x->reduction != y->reduction || a->parts != b->parts) return false;
    for (int k = 0; k < a->parts; k++)
        if (!are_parts_near(p, s, &a->part[k], &b->part[k])) return false;
    return true;
}
