/* Pass "order": whether a statement's loops may store as they go, although they read its left array in place: an
 * element must be read before the iteration that stores it.  Subscripts are compared dimension by dimension: strong
 * SIV, ZIV, GCD and range tests (Allen and Kennedy, Optimizing Compilers for Modern Architectures, chapter 3).  What is
 * stored in an iteration before the one that reads it is made to come after it by turning loops round. */
#include <stdlib.h>
#include <string.h>

#include "place.h"

/* From the iteration that reads an element to the one that stores it, in values of the indices. */
typedef struct {
    const reference *reader;
    bool known[MAX_RANK]; /* per index of the statement; else it may be anything */
    int64_t step[MAX_RANK];
} dependence;

/* ---- One dimension: may both subscripts mean the same element? */

/* The least and greatest value of a subscript; false: not known as expressions. */
static bool subscript_range(const program *p, const parallel *s, const subscript *u, linear *low, linear *high) {
    *low = *high = u->offset;
    if (u->kind == SUBSCRIPT_INVARIANT) return true;
    if (u->kind != SUBSCRIPT_AFFINE || !linear_is_constant(&u->stride)) return false;
    const loop_index *x = &s->index[u->index];
    if (x->triangular || !linear_is_constant(&x->stride)) return false;
    const bool up = (x->stride.constant > 0) == (u->stride.constant > 0);
    *low = linear_add(p->memory, *low, linear_multiply(p->memory, u->stride, up ? x->lower : x->upper));
    *high = linear_add(p->memory, *high, linear_multiply(p->memory, u->stride, up ? x->upper : x->lower));
    return true;
}

static bool ranges_apart(const program *p, const parallel *s, const subscript *u, const subscript *v) {
    linear low[2], high[2];
    if (!subscript_range(p, s, u, &low[0], &high[0]) || !subscript_range(p, s, v, &low[1], &high[1])) return false;
    for (int k = 0; k < 2; k++) {
        const linear gap = linear_subtract(p->memory, low[k], high[1 - k]);
        if (linear_is_constant(&gap) && gap.constant > 0) return true;
    }
    return false;
}

/* What a subscript's values differ by, and one of them; false: not constants. */
static bool value_lattice(const parallel *s, const subscript *u, int64_t *step, linear *first) {
    *first = u->offset;
    *step = 0;
    if (u->kind == SUBSCRIPT_INVARIANT) return true;
    if (u->kind != SUBSCRIPT_AFFINE || !linear_is_constant(&u->stride)) return false;
    const loop_index *x = &s->index[u->index];
    *step = u->stride.constant;
    if (x->triangular || !linear_is_constant(&x->lower) || !linear_is_constant(&x->stride)) return true;
    int64_t moved;
    if (__builtin_mul_overflow(u->stride.constant, x->lower.constant, &moved) ||
        __builtin_add_overflow(first->constant, moved, &first->constant) ||
        __builtin_mul_overflow(u->stride.constant, x->stride.constant, step))
        return false;
    return true;
}

static bool lattices_apart(const program *p, const parallel *s, const subscript *u, const subscript *v) {
    int64_t step[2];
    linear first[2];
    if (!value_lattice(s, u, &step[0], &first[0]) || !value_lattice(s, v, &step[1], &first[1])) return false;
    const linear between = linear_subtract(p->memory, first[1], first[0]);
    int64_t divisor = dpc_common_divisor(step[0], step[1]);
    for (int t = 0; t < between.terms; t++) divisor = dpc_common_divisor(divisor, between.term[t].coefficient);
    return divisor == 0 ? between.constant != 0 : between.constant % divisor != 0;
}

static const node *node_of_atom(const parallel *s, const linear_term *term) {
    const node *n = term->node;
    for (size_t k = 0; !n && s->hoisted && k < s->hoisted->count; k++)
        if (!strcmp(s->hoisted->hoisted[k].name, term->text)) n = s->hoisted->hoisted[k].node;
    return n;
}

/* x is `inner % modulus`, and a constant. */
static bool is_remainder(const program *p, const parallel *s, const linear *x, linear *inner, int64_t *modulus) {
    const node *n = x->terms == 1 && x->term[0].coefficient == 1 ? node_of_atom(s, &x->term[0]) : NULL;
    while (n && n->kind == N_PAREN) n = n->child[0];
    if (!n || n->kind != N_BINARY || strcmp(n->op, "%") || !constant_value(n->child[1], modulus)) return false;
    *inner = linear_of(p->memory, p->source, n->child[0]);
    return *modulus > 1;
}

/* Remainders of numbers that are not congruent: t % 2 and (t + 1) % 2. */
static bool remainders_apart(const program *p, const parallel *s, const subscript *u, const subscript *v) {
    linear inner[2];
    int64_t modulus[2];
    if (u->kind != SUBSCRIPT_INVARIANT || v->kind != SUBSCRIPT_INVARIANT) return false;
    if (!is_remainder(p, s, &u->offset, &inner[0], &modulus[0])) return false;
    if (!is_remainder(p, s, &v->offset, &inner[1], &modulus[1])) return false;
    const linear between = linear_subtract(p->memory, inner[0], inner[1]);
    return u->offset.constant == v->offset.constant && modulus[0] == modulus[1] && linear_is_constant(&between) &&
           between.constant % modulus[0] != 0;
}

/* ---- Colours: conditions and strides that iterations share only where a linear form is congruent */

/* The index that an expression is; -1: none. */
static int index_named(const parallel *s, const node *n) {
    while (n && n->kind == N_PAREN) n = n->child[0];
    for (int k = 0; n && n->kind == N_NAME && n->symbol && k < s->indices; k++)
        if (s->index[k].symbol == n->symbol) return k;
    return -1;
}

/* Whether it has the same value in all iterations: variables and constants, and arithmetic with them. */
static bool is_fixed(const parallel *s, const node *n) {
    const bool composed = n->kind == N_PAREN || n->kind == N_BINARY;
    if (n->kind == N_NAME) return n->symbol && n->symbol->kind == SYMBOL_VARIABLE && index_named(s, n) < 0;
    if (!composed && n->kind != N_CONSTANT) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_fixed(s, n->child[c])) return false;
    return true;
}

/* How far a linear form is from one iteration to the other, less multiples of the modulus; false: not known. */
static bool form_step(const parallel *s, const dependence *x, const linear *form, int64_t modulus, int64_t *step) {
    for (int t = 0; t < form->terms; t++) {
        const linear_term *term = &form->term[t];
        const int k = index_named(s, term->node);
        if (k < 0 && term->node && is_fixed(s, term->node)) continue;
        if (k < 0 || !x->known[k]) return false;
        *step += term->coefficient % modulus * (x->step[k] % modulus);
    }
    return true;
}

/* `form % modulus`, or `form & modulus - 1`; powers of 2 only, by which unsigned numbers are congruent, too. */
static bool read_colour(const program *p, const node *n, linear *form, int64_t *modulus) {
    while (n->kind == N_PAREN) n = n->child[0];
    if (n->kind != N_BINARY || (strcmp(n->op, "%") != 0 && strcmp(n->op, "&") != 0)) return false;
    if (!constant_value(n->child[1], modulus)) return false;
    if (n->op[0] == '&') ++*modulus;
    if (*modulus < 2 || *modulus > 1 << 20 || (*modulus & (*modulus - 1)) != 0) return false;
    *form = linear_of(p->memory, p->source, n->child[0]);
    return true;
}

/* Whether a condition does not hold in both iterations. */
static bool condition_parts(const program *p, const parallel *s, const dependence *x, const node *n) {
    linear form;
    int64_t modulus, step = 0;
    while (n->kind == N_PAREN) n = n->child[0];
    if (n->kind == N_BINARY && !strcmp(n->op, "&&"))
        return condition_parts(p, s, x, n->child[0]) || condition_parts(p, s, x, n->child[1]);
    const bool compares = n->kind == N_BINARY && !strcmp(n->op, "==");
    if (compares && read_colour(p, n->child[1], &form, &modulus) && is_fixed(s, n->child[0]))
        return form_step(s, x, &form, modulus, &step) && step % modulus != 0;
    if (compares && (!read_colour(p, n->child[0], &form, &modulus) || !is_fixed(s, n->child[1]))) return false;
    if (!compares && (!read_colour(p, n, &form, &modulus) || modulus != 2)) return false; /* it is odd */
    return form_step(s, x, &form, modulus, &step) && step % modulus != 0;
}

/* Whether the values that a stride takes an index to are others in both iterations: `j = 1 + (i + c) % 2 : n : 2`. */
static bool stride_parts(const program *p, const parallel *s, const dependence *x, int k) {
    const loop_index *index = &s->index[k];
    const int64_t modulus = linear_is_constant(&index->stride) ? llabs(index->stride.constant) : 0;
    int64_t step = -x->step[k];
    if (index->reduction >= 0 || modulus < 2 || !x->known[k]) return false;
    const linear *from = &index->lower;
    for (int t = 0; t < from->terms; t++) {
        const linear_term *term = &from->term[t];
        linear form = linear_atom(p->memory, term->text, term->node);
        int64_t of = 0, between = 0;
        if (term->node && read_colour(p, term->node, &form, &of) && of != modulus) return false;
        if (!form_step(s, x, &form, modulus, &between)) return false;
        step += term->coefficient % modulus * (between % modulus);
    }
    return step % modulus != 0;
}

static bool colours_apart(const program *p, const parallel *s, const dependence *x) {
    for (int m = 0; m < s->masks && x->reader->mask < 0; m++)
        if (!s->mask[m].prefix && condition_parts(p, s, x, s->mask[m].node)) return true;
    for (int k = 0; k < s->indices; k++)
        if (stride_parts(p, s, x, k)) return true;
    return false;
}

/* Whether an index runs over fewer values than `step` lies across. */
static bool exceeds(const program *p, const loop_index *x, int64_t step) {
    const linear span = linear_subtract(p->memory, x->upper, x->lower);
    return !x->triangular && linear_is_constant(&span) && llabs(step) > llabs(span.constant);
}

/* Dimension d of the left side and of a reference to the same array: false where no element has both subscripts. */
static bool meet(const program *p, const parallel *s, dependence *x, int d) {
    const subscript *u = &s->left.subscript[d], *v = &x->reader->subscript[d];
    if (ranges_apart(p, s, u, v) || lattices_apart(p, s, u, v) || remainders_apart(p, s, u, v)) return false;
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE || u->index != v->index) return true;
    if (!linear_equal(&u->stride, &v->stride)) return true;
    const linear between = linear_subtract(p->memory, v->offset, u->offset);
    int64_t step = 0;
    if (!linear_is(&between, 0)) {
        if (!linear_is_constant(&between) || !linear_is_constant(&u->stride) || u->stride.constant == 0) return true;
        if (between.constant % u->stride.constant != 0) return false;
        step = between.constant / u->stride.constant;
    }
    if (exceeds(p, &s->index[u->index], step)) return false;
    if (x->known[u->index] && x->step[u->index] != step) return false;
    x->known[u->index] = true;
    x->step[u->index] = step;
    return true;
}

/* Whether some iteration may store what another one reads by r. */
static bool find_dependence(const program *p, const parallel *s, const reference *r, dependence *x) {
    *x = (dependence){.reader = r};
    for (int d = 0; d < r->rank; d++)
        if (!meet(p, s, x, d)) return false;
    if (colours_apart(p, s, x)) return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && !(x->known[k] && x->step[k] == 0)) return true;
    return false; /* only the iteration itself, which reads first */
}

/* ---- All of a statement's */

/* Whether the generated loop of index k can run downward. */
static bool can_descend(const parallel *s, int k) {
    const int d = home_dimension(&s->left, k);
    if (!knows_cells(s->left.array)) return false;
    return d < 0 || !is_block_cyclic(&s->left.array->mapping, d);
}

static const char *quoted(const program *p, const dependence *x) {
    return ast_quote(p->memory, p->source, x->reader->node);
}

/* Chooses the direction of index k's loop for the dependences that no loop around it has put in order, and drops those
 * that it puts in order.  Returns why it cannot, or NULL. */
static const char *direct_loop(const program *p, parallel *s, int k, dependence *x, size_t *count) {
    const dependence *up = NULL, *down = NULL;
    size_t kept = 0;
    for (size_t n = 0; n < *count; n++) {
        if (!x[n].known[k])
            return arena_format(p->memory, "which iteration stores what %s reads is not a constant distance in %s",
                                quoted(p, &x[n]), s->index[k].name);
        if (x[n].step[k] > 0) up = &x[n];
        if (x[n].step[k] < 0) down = &x[n];
    }
    if (up && down && up->reader->node == down->reader->node)
        return arena_format(p->memory, "%s goes round: loops over %s in either direction store what they read later",
                            quoted(p, up), s->index[k].name);
    if (up && down)
        return arena_format(p->memory, "%s must be read before ascending, %s before descending %s", quoted(p, down),
                            quoted(p, up), s->index[k].name);
    if (down && !can_descend(s, k))
        return arena_format(p->memory, "%s wants %s to descend, which loops over dealt blocks cannot", quoted(p, down),
                            s->index[k].name);
    s->index[k].descending = down != NULL;
    for (size_t n = 0; n < *count; n++)
        if (x[n].step[k] == 0) x[kept++] = x[n];
    *count = kept;
    return NULL;
}

/* Whether iterations read other elements of the left array where they stand. */
static bool reads_left(const program *p, const parallel *s, const reference *r) {
    const bool before = r->placed.operand != OPERAND_NONE || (r->mask >= 0 && s->mask[r->mask].saved);
    return r->array == s->left.array && stays_in_place(r) && !before && !same_subscripts(p, r, &s->left);
}

/* The farthest that iterations read behind themselves along the first index; -1: not a constant distance. */
static int64_t distance_behind(const parallel *s, const dependence *x, size_t count) {
    int64_t behind = 0;
    for (size_t n = 0; n < count; n++) {
        if (s->index[0].reduction >= 0 || !x[n].known[0]) return -1;
        if (-x[n].step[0] > behind) behind = -x[n].step[0];
    }
    return behind;
}

static const char *order_iterations(const program *p, parallel *s) {
    const char *why = NULL;
    size_t count = 0, readers = 0;
    for (size_t k = 0; k < s->references; k++) readers += reads_left(p, s, &s->reference[k]);
    if (readers == 0) return NULL;
    dependence *x = arena_alloc(p->memory, readers * sizeof *x);
    for (size_t k = 0; k < s->references; k++)
        if (reads_left(p, s, &s->reference[k])) count += find_dependence(p, s, &s->reference[k], &x[count]);
    s->placed.behind = distance_behind(s, x, count);
    s->placed.ordered = count > 0;
    for (int k = 0; k < s->indices && count > 0 && !why; k++)
        if (s->index[k].reduction < 0) why = direct_loop(p, s, k, x, &count);
    if (!why) return NULL;
    s->placed.ordered = false;
    for (int k = 0; k < s->indices; k++) s->index[k].descending = false;
    return why;
}

/* ---- The pass */

static bool reads_other_memory(const program *p, const parallel *s, const node *n) {
    if (n->replacement) return false;
    if (n->kind == N_UNARY && !strcmp(n->op, "*")) return true;
    if (n->kind == N_MEMBER && !strcmp(n->op, "->")) return true;
    if (n->kind == N_CALL && n->child[0]->symbol) return true;
    node *name, *subscripts[MAX_RANK];
    int count;
    if (n->kind == N_INDEX && index_chain((node *)n, &name, subscripts, &count)) {
        const symbol *v = name->symbol;
        bool pointer = !v || !v->type || v->type->kind != TYPE_ARRAY || v->is_parameter || s->left.symbol == NULL ||
                       !s->left.symbol->type || s->left.symbol->type->kind != TYPE_ARRAY ||
                       s->left.symbol->is_parameter;
        bool same = !strcmp(ast_quote(p->memory, p->source, n), ast_quote(p->memory, p->source, s->left.node)) &&
                    section_count((node *)n) == 0;
        if ((v == s->left.symbol || (pointer && !(v && v->array))) && !same) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_other_memory(p, s, n->child[c])) return true;
    return false;
}

/* Whether it reads the array that it stores in, or one that may be the same: a parameter. */
static bool reads_stored_array(const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        const array *a = s->reference[k].array;
        if (a && a->element == s->left.array->element &&
            (same_array(a, s->left.array) || a->parameter || s->left.array->parameter))
            return true;
    }
    return false;
}

/* Why a store may change what a later iteration reads in place, whichever way the loops run; NULL: it does not. */
static const char *find_overlap(const program *p, parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->placed.scatter) return NULL;
    s->placed.behind = -1;
    if (picks_parts(s) && s->left.array && reads_stored_array(s)) return "several iterations store in one element";
    if (s->left.array) return order_iterations(p, s);
    bool reads = reads_other_memory(p, s, s->value);
    for (int m = 0; m < s->masks; m++) reads = reads || reads_other_memory(p, s, s->mask[m].node);
    return reads ? "memory that the right side reads may be what is stored" : NULL;
}

void order_loops(program *p) {
    const statement_list all = all_statements(p);
    for (size_t k = 0; k < all.count; k++) {
        parallel *s = all.statement[k];
        s->placed.overlap = find_overlap(p, s);
        s->placed.values_first = s->placed.overlap != NULL;
    }
}
