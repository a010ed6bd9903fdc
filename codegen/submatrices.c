/* What a process reads of matrices that are arrays of one dimension, as a whole:
 *
 *     const dpc_bounds i_own = dpc_rows_within(dpc_own_values(space, 0), n);
 *     dpc_submatrix A_in_matrix = dpc_fetch_submatrix(DPC_LINE(9), &A_dist, false,
 *                                                     DPC_SUBMATRIX({n, i_own.lower, i_own.upper}, {1, 0, n - 1}));
 *     const double (*restrict A_in)[A_in_matrix.across[1]] = A_in_matrix.origin;
 *
 * in which A[i * n + k] is A_in[i][k]. */
#include <string.h>

#include "spmd.h"

static bool is_fetched(const parallel *s, const reference *r, int mask) {
    return source_of(s, r, mask) == SOURCE_MATRIX;
}

/* ---- Values of indices, and of the rows and places that they number */

/* From the least to the greatest, a dpc_bounds. */
static const char *values_text(emitter *e, const parallel *s, const node *n) {
    n = inside_conversions(n);
    if (n->kind == N_NAME) return arena_format(e->memory, "dpc_own_values(%s, %d)", space_of(e), index_in_part(s, n));
    const char *of = values_text(e, s, n->child[0]), *width = expression(e, n->child[1]);
    if (n->op[0] == '/') return arena_format(e->memory, "dpc_rows_within(%s, %s)", of, width);
    const flat_rows *rows = n->name == ROW_PLACE ? n->symbol->rows : NULL;
    const char *first = rows ? linear_words(e, &rows->least[0]) : "0";
    const char *last =
        rows ? linear_words(e, &rows->greatest[0]) : arena_format(e->memory, "%s - 1", parenthesise(e, width));
    return arena_format(e->memory, "dpc_places_within(%s, %s, %s, %s)", of, width, first, last);
}

/* "i_own": what these values are called, alone; others of the index may be, too. */
static const char *base_name(emitter *e, const parallel *s, const node *n) {
    const char *name = s->index[index_in_part(s, n)].name;
    n = inside_conversions(n);
    if (n->kind == N_BINARY && n->symbol && n->symbol->rows)
        name = n->name == ROW_PLACE ? n->symbol->rows->place : n->symbol->rows->row;
    else if (n->kind == N_BINARY)
        name = arena_format(e->memory, "%s_%s", name, n->op[0] == '/' ? "rows" : "places");
    return arena_format(e->memory, "%s_own", name);
}

/* The terms of all parts that the statement reads, in order. */
typedef struct {
    const parallel *s;
    size_t reference;
    int part, term;
} term_walk;

static const linear_term *next_term(term_walk *w) {
    for (; w->reference < w->s->references; w->reference++, w->part = 0) {
        const submatrix *m = w->s->reference[w->reference].placed.matrix;
        for (; m && w->part < m->parts; w->part++, w->term = 0) {
            const linear *x = &m->part[w->part].value;
            while (w->term < x->terms) {
                const linear_term *t = &x->term[w->term++];
                if (index_in_part(w->s, t->node) >= 0) return t;
            }
        }
    }
    return NULL;
}

/* Reductions may have indices of one name. */
static bool are_same_values(const parallel *s, const linear_term *a, const linear_term *b) {
    return strcmp(a->text, b->text) == 0 && index_in_part(s, a->node) == index_in_part(s, b->node);
}

/* Numbered where other values are called so, too. */
static const char *values_name(emitter *e, const parallel *s, const linear_term *x) {
    const char *base = base_name(e, s, x->node), *seen = " ";
    int before = 0;
    term_walk w = {.s = s};
    for (const linear_term *t; (t = next_term(&w)) && !are_same_values(s, t, x);) {
        const char *word = arena_format(e->memory, " %d:%s ", index_in_part(s, t->node), t->text);
        if (strcmp(base_name(e, s, t->node), base) != 0 || strstr(seen, word)) continue;
        seen = arena_format(e->memory, "%s%s", seen, word);
        before++;
    }
    return fresh_name(e->p, before ? arena_format(e->memory, "%s_%d", base, before + 1) : base);
}

/* Whether the bounds of the index say what values there are on every process. */
static bool is_told_by_bounds(const parallel *s, const node *n) {
    const loop_index *i = &s->index[index_in_part(s, n)];
    return inside_conversions(n)->kind == N_NAME && i->reduction >= 0 && !i->triangular && linear_is(&i->stride, 1);
}

/* ---- Parts */

/* The least or the greatest value of a part. */
static linear end_of_part(emitter *e, const parallel *s, const linear *part, bool high) {
    linear end = linear_without_terms(part);
    for (int t = 0; t < part->terms; t++) {
        const linear_term *x = &part->term[t];
        const bool greatest = high == (x->coefficient > 0);
        linear value = linear_atom(e->memory, x->text, x->node);
        if (index_in_part(s, x->node) >= 0 && is_told_by_bounds(s, x->node)) {
            const loop_index *i = &s->index[index_in_part(s, x->node)];
            value = greatest ? i->upper : i->lower;
        } else if (index_in_part(s, x->node) >= 0) {
            const char *name = values_name(e, s, x);
            use_name(e, name);
            value = linear_atom(e->memory, arena_format(e->memory, "%s.%s", name, greatest ? "upper" : "lower"), NULL);
        }
        end = linear_add(e->memory, end, linear_multiply(e->memory, linear_constant(x->coefficient), value));
    }
    return end;
}

/* How far below and above r's values of part k those of the references lie that read from the same box; mask: -1, or
 * which mask is saved. */
typedef struct {
    int64_t below, above;
} margins;
static margins margins_of(emitter *e, const parallel *s, const reference *r, int k, int mask) {
    margins found = {0, 0};
    for (size_t j = 0; j < s->references; j++) {
        const reference *q = &s->reference[j];
        if (shared_with(s, q, mask) != r) continue;
        const linear between =
            linear_subtract(e->memory, q->placed.matrix->part[k].value, r->placed.matrix->part[k].value);
        if (between.constant < found.below) found.below = between.constant;
        if (between.constant > found.above) found.above = between.constant;
    }
    return found;
}

static const char *moduli_text(emitter *e, const submatrix *m) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < m->parts; k++)
        text_format(&out, "%s%s", k ? ", " : "",
                    linear_is(&m->part[k].modulus, 0) ? "DPC_NO_MODULUS" : linear_words(e, &m->part[k].modulus));
    return arena_format(e->memory, "DPC_MODULI(%s)", text_of(&out));
}

/* box: NULL, or for each part what is more on both sides. */
static const char *parts_text(emitter *e, const parallel *s, const submatrix *m, const margins *box) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < m->parts; k++) {
        linear low = end_of_part(e, s, &m->part[k].value, false), high = end_of_part(e, s, &m->part[k].value, true);
        if (box) {
            low = linear_add(e->memory, low, linear_constant(box[k].below));
            high = linear_add(e->memory, high, linear_constant(box[k].above));
        }
        text_format(&out, "%s{%s, %s, %s}", k ? ", " : "", linear_words(e, &m->part[k].weight), linear_words(e, &low),
                    linear_words(e, &high));
    }
    return m->around ? arena_format(e->memory, "DPC_SUBMATRIX_AROUND(%s, %s)", moduli_text(e, m), text_of(&out))
                     : arena_format(e->memory, "DPC_SUBMATRIX(%s)", text_of(&out));
}

const char *submatrix_leaves(emitter *e, const parallel *s, const reference *r) {
    return arena_format(e->memory, "dpc_submatrix_leaves(%s, %s)", r->array->address,
                        parts_text(e, s, r->placed.matrix, NULL));
}

/* ---- Declarations, uses */

/* Of all values, each once, where some fetch of the piece of work asks for them. */
static void declare_values(emitter *e, const parallel *s) {
    const char *declared = " ";
    term_walk w = {.s = s};
    for (const linear_term *t; (t = next_term(&w));) {
        if (is_told_by_bounds(s, t->node)) continue;
        const char *name = values_name(e, s, t), *word = arena_format(e->memory, " %s ", name);
        if (strstr(declared, word)) continue;
        declared = arena_format(e->memory, "%s%s", declared, word);
        emit_declaration(e, name, "const dpc_bounds %s = %s;", name, values_text(e, s, t->node));
    }
}

static const char *matrix_name(emitter *e, const reference *r) {
    return fresh_name(e->p, arena_format(e->memory, "%s_matrix", r->placed.buffer));
}

void emit_submatrix(emitter *e, const parallel *s, const reference *r, int mask) {
    const submatrix *m = r->placed.matrix;
    margins box[MOST_MATRIX_PARTS];
    for (int k = 0; k < m->parts; k++) box[k] = margins_of(e, s, r, k, mask);
    const char *name = matrix_name(e, r), *ctype = element_spelling(r->array->element);
    const bool stored = s->left.array && (same_array(s->left.array, r->array) || may_be_same(s->left.array, r->array));
    const char *place = place_literal(e, r->node), *word = stored ? "true" : "false", *parts = parts_text(e, s, m, box);
    if (r->combined.reused)
        emit_line(e, "const dpc_submatrix %s = dpc_keep_submatrix(&%s, %s, %s, %s, %s, %s, %s);", name,
                  r->combined.reused, space_of(e), place, r->array->address, word, inputs_text(e, r), parts);
    else
        emit_line(e, "dpc_submatrix %s = dpc_fetch_submatrix(%s, %s, %s, %s);", name, place, r->array->address, word,
                  parts);
    if (m->parts == 1) {
        emit_line(e, "const %s *restrict %s = %s.origin;", ctype, r->placed.buffer, name);
        return;
    }
    text across;
    text_start(&across, e->memory);
    for (int k = 1; k < m->parts; k++) text_format(&across, "[%s.across[%d]]", name, k);
    emit_line(e, "const %s (*restrict %s)%s = %s.origin;", ctype, r->placed.buffer, text_of(&across), name);
}

void begin_submatrices(emitter *e, const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++) {
        if (!is_fetched(s, &s->reference[k], mask)) continue;
        declare_values(e, s);
        return;
    }
}

void free_submatrix(emitter *e, const reference *r) {
    if (!r->combined.reused) emit_line(e, "dpc_free_submatrix(&%s);", matrix_name(e, r));
}
