/* Parallel statements of the SPMD program: owner computes.
 *
 *     {
 *         dpc_space space;                        who executes which iterations
 *         dpc_transfer *B_move = dpc_fetch(...);  what is elsewhere is on its way
 *         double *A = A_dist.local;               what is here is read in place
 *         const double *B_in = dpc_arrive(B_move);
 *         loops over my runs
 *             A[i - i_shift] = B_in[i_at];
 *         dpc_release(B_move);
 *     } */
#include <string.h>

#include "emitter.h"

/* ---- Names inside a statement */

static const char *name_of(emitter *e, const parallel *s, int k, const char *what) {
    return arena_format(e->memory, "%s_%s", s->index[k].name, what);
}

static const char *stride_name(emitter *e, const array *a, int d) {
    return a->rank == 2 ? arena_format(e->memory, "%s_row", a->symbol->name)
                        : arena_format(e->memory, "%s_stride%d", a->symbol->name, d);
}

static const reference *home_of(const parallel *s) {
    if (s->home == HOME_REPLICATED) return NULL;
    return s->home == HOME_LEFT ? &s->left : &s->reference[s->home];
}

static bool may_be_distributed(const array *a, int d) { return a->dynamic || a->mapping.format[d].kind != FORMAT_STAR; }

/* The dimension of home that index k takes its runs from, or -1: the distributed one if there is a choice. */
static int home_dimension(const parallel *s, int k) {
    const reference *home = home_of(s);
    int found = -1;
    for (int d = 0; home && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind != SUBSCRIPT_AFFINE || u->index != k) continue;
        if (found < 0 || may_be_distributed(home->array, d)) found = d;
    }
    return found;
}

/* ---- Local addresses */

/* Local index along dimension d of home's own array. */
static const char *home_index(emitter *e, const parallel *s, int d) {
    const reference *home = home_of(s);
    const subscript *u = &home->subscript[d];
    if (u->kind == SUBSCRIPT_AFFINE && home_dimension(s, u->index) == d) {
        linear x = linear_subtract(e->memory, subscript_linear(e, s, u), linear_atom(name_of(e, s, u->index, "shift"), NULL));
        return linear_text(e->memory, &x);
    }
    if (u->kind == SUBSCRIPT_INVARIANT && may_be_distributed(home->array, d))
        return arena_format(e->memory, "%s_at%d", home->symbol->name, d);
    return NULL;
}

/* Subscript minus declared lower bound. */
static const char *collapsed_index(emitter *e, const parallel *s, const reference *r, int d) {
    const subscript *u = &r->subscript[d];
    const linear *lower = &r->array->lower[d];
    if (u->kind != SUBSCRIPT_GENERAL) {
        linear x = linear_subtract(e->memory, subscript_linear(e, s, u), *lower);
        return linear_text(e->memory, &x);
    }
    const char *at = subscript_text(e, s, u);
    if (linear_is(lower, 0)) return at;
    return arena_format(e->memory, "%s - %s", parenthesise(e, at), linear_operand(e->memory, lower));
}

/* The dimension of home that a distributed dimension of a local reference is aligned with. */
static int aligned_dimension(const parallel *s, const reference *r, int d) {
    const array *home = home_of(s)->array;
    if (home == r->array) return d;
    int before = 0;
    for (int k = 0; k < d; k++) before += may_be_distributed(r->array, k);
    for (int k = 0; k < home->rank; k++)
        if (may_be_distributed(home, k) && before-- == 0) return k;
    return -1;
}

static const char *local_index(emitter *e, const parallel *s, const reference *r, int d) {
    const char *index = NULL;
    if (may_be_distributed(r->array, d)) index = home_index(e, s, aligned_dimension(s, r, d));
    return index ? index : collapsed_index(e, s, r, d);
}

static const char *local_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    text_format(&out, "%s[", r->symbol->name);
    for (int d = 0; d < r->rank; d++) {
        const char *index = local_index(e, s, r, d);
        if (d < r->rank - 1) text_format(&out, "%s * %s + ", parenthesise(e, index), stride_name(e, r->array, d));
        else text_add(&out, index);
    }
    text_add(&out, "]");
    return text_of(&out);
}

/* ---- Values that moved: buffers by position */

static bool uses_index(const reference *r, int k) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == k) return true;
    return false;
}

/* Row-major position over the indices that `uses` selects. */
static const char *position_text(emitter *e, const parallel *s, const bool *uses) {
    linear at = linear_constant(0);
    bool any = false;
    for (int k = 0; k < s->indices; k++) {
        if (!uses[k]) continue;
        linear count = linear_atom(name_of(e, s, k, "count"), NULL), mine = linear_atom(name_of(e, s, k, "at"), NULL);
        at = any ? linear_add(e->memory, linear_multiply(e->memory, at, count), mine) : mine;
        any = true;
    }
    return any ? linear_text(e->memory, &at) : NULL;
}

static const char *moved_text(emitter *e, const parallel *s, const reference *r) {
    bool uses[MAX_RANK];
    for (int k = 0; k < s->indices; k++) uses[k] = uses_index(r, k);
    const char *at = position_text(e, s, uses);
    return at ? arena_format(e->memory, "%s[%s]", r->buffer, at) : arena_format(e->memory, "%s[0]", r->buffer);
}

static const char *counter_of(emitter *e, const reference *r) { return arena_format(e->memory, "%s_at", r->buffer); }

/* An ordinary array: the user's text, sections as subscripts. */
static const char *ordinary_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, r->symbol ? r->symbol->name : ast_quote(e->memory, e->p->source, r->node->child[0]));
    for (int d = 0; d < r->rank; d++) {
        const char *at = subscript_text(e, s, &r->subscript[d]), *lower = r->symbol ? lower_bound(e, r->symbol, d) : NULL;
        if (lower) text_format(&out, "[%s - %s]", parenthesise(e, at), lower);
        else text_format(&out, "[%s]", at);
    }
    return text_of(&out);
}

const char *reference_text(emitter *e, reference *r) {
    const parallel *s = e->current;
    if (!r->array || e->serial) return ordinary_text(e, s, r);
    if (r == &s->left || r->relation == RELATION_LOCAL) return local_text(e, s, r);
    if (r->relation == RELATION_SETS) return moved_text(e, s, r);
    return arena_format(e->memory, "%s[%s]", r->buffer, counter_of(e, r));
}

/* ---- The space */

static const char *subscripts_text(emitter *e, const parallel *s, const reference *r, bool home) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        bool dummy = u->kind == SUBSCRIPT_GENERAL || (home && u->kind == SUBSCRIPT_AFFINE && home_dimension(s, u->index) != d);
        if (d) text_add(&out, ", ");
        if (dummy) text_format(&out, "{-1, 0, %s}", linear_text(e->memory, &r->array->lower[d]));
        else if (u->kind == SUBSCRIPT_INVARIANT) text_format(&out, "{-1, 0, %s}", linear_text(e->memory, &u->offset));
        else
            text_format(&out, "{%d, %s, %s}", u->index, linear_text(e->memory, &u->stride), linear_text(e->memory, &u->offset));
    }
    return text_of(&out);
}

/* Least and greatest values of a triangular bound, earlier indices being within their own boxes. */
static const char *extreme(emitter *e, const parallel *s, const linear *x, bool low) {
    linear sum = linear_constant(x->constant);
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        linear value = linear_atom(term->text, NULL);
        for (int k = 0; k < s->indices; k++) {
            if (!term->node || term->node->symbol != s->index[k].symbol || !s->index[k].symbol) continue;
            const loop_index *y = &s->index[k];
            bool lowest = (term->coefficient > 0) == low;
            bool descending = linear_is_constant(&y->stride) && y->stride.constant < 0;
            if (y->triangular) value = linear_atom(name_of(e, s, k, lowest ? "low" : "high"), NULL);
            else value = lowest != descending ? y->lower : y->upper;
        }
        sum = linear_add(e->memory, sum, linear_multiply(e->memory, linear_constant(term->coefficient), value));
    }
    return linear_text(e->memory, &sum);
}

static bool may_descend(const loop_index *x) { return !linear_is_constant(&x->stride) || x->stride.constant < 0; }
static bool may_ascend(const loop_index *x) { return !linear_is_constant(&x->stride) || x->stride.constant > 0; }

static void box_by_loops(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const char *low = name_of(e, s, k, "low"), *high = name_of(e, s, k, "high");
    const loop_index *x = &s->index[k];
    text_format(out, "%sdpc_index %s = INT64_MAX, %s = INT64_MIN;\n", indent, low, high);
    const char *inner = indent;
    for (int j = 0; j < k; j++) {
        const loop_index *y = &s->index[j];
        const char *n = y->name;
        if (y->triangular) text_format(out, "%sfor (long %s = %s; %s <= %s; %s++)\n", inner, n, name_of(e, s, j, "low"), n, name_of(e, s, j, "high"), n);
        else {
            const char *place = place_literal(e, s->node);
            text_format(out, "%sfor (long %s = %s, %s_n = dpc_extent(%s, %s, %s, %s); %s_n > 0; %s_n--, %s += %s)\n", inner, n,
                        linear_text(e->memory, &y->lower), n, place, linear_text(e->memory, &y->lower),
                        linear_text(e->memory, &y->upper), linear_text(e->memory, &y->stride), n, n, n,
                        linear_operand(e->memory, &y->stride));
        }
        inner = deeper(e, inner);
    }
    text_format(out, "%sdpc_widen(&%s, &%s, %s, %s, %s);\n", inner, low, high, linear_text(e->memory, &x->lower),
                linear_text(e->memory, &x->upper), linear_text(e->memory, &x->stride));
}

/* The box of a triangular index: least and greatest value over all earlier ones. */
static void emit_box(emitter *e, text *out, const parallel *s, int k, const char *indent) {
    const loop_index *x = &s->index[k];
    if (!x->box_linear || (may_ascend(x) && may_descend(x))) {
        box_by_loops(e, out, s, k, indent);
        return;
    }
    const linear *first = may_ascend(x) ? &x->lower : &x->upper, *last = may_ascend(x) ? &x->upper : &x->lower;
    text_format(out, "%sconst dpc_index %s = %s, %s = %s;\n", indent, name_of(e, s, k, "low"), extreme(e, s, first, true),
                name_of(e, s, k, "high"), extreme(e, s, last, false));
}

static const char *range_text(emitter *e, const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    if (x->triangular) return arena_format(e->memory, "{%s, %s, 1}", name_of(e, s, k, "low"), name_of(e, s, k, "high"));
    return arena_format(e->memory, "{%s, %s, %s}", linear_text(e->memory, &x->lower), linear_text(e->memory, &x->upper),
                        linear_text(e->memory, &x->stride));
}

static void emit_space(emitter *e, text *out, const parallel *s, const char *indent) {
    const char *place = place_literal(e, s->node);
    const reference *home = home_of(s);
    emit_conformity(e, out, s, indent);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular) emit_box(e, out, s, k, indent);
    text_format(out, "%sdpc_space space;\n", indent);
    if (s->indices == 0) text_format(out, "%sdpc_forall(&space, %s, false, 0, NULL);\n", indent, place);
    else {
        bool clip = s->clip || e->options->no_checks;
        text_format(out, "%sdpc_forall(&space, %s, %s, %d, (const dpc_range[]){", indent, place, clip ? "true" : "false", s->indices);
        for (int k = 0; k < s->indices; k++) text_format(out, "%s%s", k ? ", " : "", range_text(e, s, k));
        text_add(out, "});\n");
    }
    if (!home) text_format(out, "%sdpc_on(&space, NULL, NULL);\n", indent);
    else
        text_format(out, "%sdpc_on(&space, &%s, (const dpc_subscript[]){%s});\n", indent, home->array->descriptor,
                    subscripts_text(e, s, home, true));
}

/* ---- Which references a piece of the statement needs */

/* mask < 0: the statement itself; else only what that mask reads. */
static bool needed(const parallel *s, const reference *r, int mask) {
    if (!r->array) return false;
    if (mask >= 0) return r->mask == mask && r->reduction < 0;
    return !(r->mask >= 0 && r->reduction < 0 && s->mask_saved[r->mask]);
}

static bool first_of_its_array(const parallel *s, size_t k, int mask) {
    if (mask < 0 && s->kind == PARALLEL_ASSIGNMENT && !s->scatter && s->left.array == s->reference[k].array) return false;
    for (size_t j = 0; j < k; j++)
        if (needed(s, &s->reference[j], mask) && s->reference[j].relation == RELATION_LOCAL && s->reference[j].array == s->reference[k].array)
            return false;
    return true;
}

static void emit_strides(emitter *e, text *out, const array *a, const char *indent) {
    for (int d = 0; d < a->rank - 1; d++)
        text_format(out, "%sconst dpc_index %s = %s.stride[%d];\n", indent, stride_name(e, a, d), a->descriptor, d);
}

static bool is_known_in_bounds(const emitter *e, const parallel *s, const reference *r) {
    if (s->clip || r->guarded || e->options->no_checks || reference_in_bounds(s, r)) return true;
    const reference *home = home_of(s);
    if (!home || !same_subscripts(e->p, home, r) || home->rank != r->rank) return false;
    for (int d = 0; d < r->rank; d++) {
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
        if (!linear_equal(&home->array->lower[d], &r->array->lower[d]) || !linear_equal(&home->array->upper[d], &r->array->upper[d]))
            return false;
    }
    return true;
}

static bool has_general(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return true;
    return false;
}

/* Local parts that are read or written in place. */
static void emit_local_parts(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    if (mask < 0 && s->kind == PARALLEL_ASSIGNMENT && s->left.array && !s->scatter) {
        const array *a = s->left.array;
        text_format(out, "%s%s *%s = %s.local;\n", indent, element_spelling(a->element), a->symbol->name, a->descriptor);
        emit_strides(e, out, a, indent);
    }
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!needed(s, r, mask) || r->relation != RELATION_LOCAL) continue;
        if (!is_known_in_bounds(e, s, r) && !has_general(r))
            text_format(out, "%sdpc_check(&space, &%s, (const dpc_subscript[]){%s});\n", indent, r->array->descriptor,
                        subscripts_text(e, s, r, false));
        if (!first_of_its_array(s, k, mask)) continue;
        text_format(out, "%sconst %s *restrict %s = %s.local;\n", indent, element_spelling(r->array->element), r->symbol->name,
                    r->array->descriptor);
        emit_strides(e, out, r->array, indent);
    }
}

/* Local indices of home's invariant subscripts. */
static void emit_invariants(emitter *e, text *out, const parallel *s, const char *indent) {
    const reference *home = home_of(s);
    for (int d = 0; home && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind != SUBSCRIPT_INVARIANT || !may_be_distributed(home->array, d)) continue;
        bool read = s->kind == PARALLEL_ASSIGNMENT && s->home == HOME_LEFT;
        for (size_t k = 0; k < s->references; k++) read = read || (s->reference[k].array && s->reference[k].relation == RELATION_LOCAL);
        if (read)
            text_format(out, "%sconst dpc_index %s_at%d = dpc_local(&%s.dim[%d], %s);\n", indent, home->symbol->name, d,
                        home->array->descriptor, d, linear_text(e->memory, &u->offset));
    }
}

/* ---- Moving values */

static const reference *shared_with(const emitter *e, const parallel *s, size_t k, int mask) {
    for (size_t j = 0; j < k; j++) {
        const reference *r = &s->reference[j], *t = &s->reference[k];
        if (!needed(s, r, mask) || r->array != t->array || r->relation != RELATION_SETS || r->guarded != t->guarded) continue;
        if (same_subscripts(e->p, r, t)) return r;
    }
    return NULL;
}

static const char *move_name(emitter *e, const reference *r) { return arena_format(e->memory, "%s_move", r->symbol->name); }

static const char *numbered_move(emitter *e, const reference *r) {
    const char *suffix = strstr(r->buffer, "_in");
    return suffix && suffix[3] ? arena_format(e->memory, "%s%s", move_name(e, r), suffix + 3) : move_name(e, r);
}

static void emit_fetch(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    if (r->rank == 0) return;
    text_format(out, "%sdpc_transfer *%s = dpc_fetch(&space, &%s, (const dpc_subscript[]){%s});\n", indent, numbered_move(e, r),
                r->array->descriptor, subscripts_text(e, s, r, false));
}

/* Starts every move; returns whether there is one. */
static void emit_fetches(emitter *e, text *out, parallel *s, int mask, const char *indent) {
    bool clipped = s->clip;
    for (int guarded = 0; guarded < 2; guarded++)
        for (size_t k = 0; k < s->references; k++) {
            reference *r = &s->reference[k];
            if (!needed(s, r, mask) || r->relation != RELATION_SETS || r->guarded != (guarded == 1)) continue;
            const reference *same = shared_with(e, s, k, mask);
            if (same) {
                r->buffer = same->buffer;
                continue;
            }
            if (guarded && !clipped) {
                text_format(out, "%sspace.clip = true; /* read only where a condition holds */\n", indent);
                clipped = true;
            }
            emit_fetch(e, out, s, r, indent);
        }
}

static void emit_arrivals(emitter *e, text *out, parallel *s, int mask, bool release, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!needed(s, r, mask) || r->relation != RELATION_SETS || shared_with(e, s, k, mask)) continue;
        if (release) text_format(out, "%sdpc_release(%s);\n", indent, numbered_move(e, r));
        else
            text_format(out, "%sconst %s *%s = dpc_arrive(%s);\n", indent, element_spelling(r->array->element), r->buffer,
                        numbered_move(e, r));
    }
}

/* ---- Loops */

/* Whether the runs of index k are known to be one. */
static bool is_single_run(const parallel *s, int k) {
    int d = home_dimension(s, k);
    const reference *home = home_of(s);
    if (d < 0 || home->array->dynamic == false) return d < 0 || home->array->mapping.format[d].kind != FORMAT_CYCLIC;
    return false;
}

static bool position_used(const parallel *s, int k) {
    for (size_t j = 0; j < s->references; j++)
        if (s->reference[j].array && s->reference[j].relation == RELATION_SETS && uses_index(&s->reference[j], k)) return true;
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m] && s->index[k].reduction < 0) return true;
    return false;
}

static bool shift_used(const parallel *s, int k) {
    int d = home_dimension(s, k);
    if (d < 0) return false;
    if (s->kind == PARALLEL_ASSIGNMENT && s->home == HOME_LEFT) return true;
    const reference *home = home_of(s);
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        if (!r->array || r->relation != RELATION_LOCAL) continue;
        for (int c = 0; c < r->rank; c++)
            if (r->array == home->array ? c == d : may_be_distributed(r->array, c) && aligned_dimension(s, r, c) == d) return true;
    }
    return false;
}

/* Runs that don't depend on other loops, and the extents of buffers. */
static void emit_runs(emitter *e, text *out, const parallel *s, const char *indent) {
    for (int k = 0; k < s->indices; k++) {
        if (is_single_run(s, k))
            text_format(out, "%sconst dpc_run %s = dpc_first_run(&space, %d);\n", indent, name_of(e, s, k, "run"), k);
        if (is_single_run(s, k) && shift_used(s, k))
            text_format(out, "%sconst dpc_index %s = %s.shift;\n", indent, name_of(e, s, k, "shift"), name_of(e, s, k, "run"));
        bool counted = false;
        for (int j = 0; j < k; j++) counted = counted || (position_used(s, j) && position_used(s, k));
        if (counted) text_format(out, "%sconst dpc_index %s = space.mine[%d];\n", indent, name_of(e, s, k, "count"), k);
    }
}

static const char *step_text(emitter *e, const loop_index *x) {
    if (x->triangular && !linear_is_constant(&x->stride)) return linear_text(e->memory, &x->stride);
    if (!linear_is_constant(&x->stride)) return NULL;
    int64_t s = x->stride.constant;
    return arena_format(e->memory, "%lld", (long long)(s < 0 ? -s : s));
}

static void emit_triangular(emitter *e, text *out, const parallel *s, int k, const char *last, const char *indent) {
    const loop_index *x = &s->index[k];
    const char *n = x->name, *run = name_of(e, s, k, "run");
    const char *from = linear_text(e->memory, &x->lower), *to = linear_text(e->memory, &x->upper);
    bool unit = linear_is_constant(&x->stride) && (x->stride.constant == 1 || x->stride.constant == -1);
    if (unit && x->stride.constant < 0) {
        const char *swap = from;
        from = to;
        to = swap;
    }
    const char *stride = linear_text(e->memory, &x->stride);
    const char *start = unit ? arena_format(e->memory, "dpc_maximum(%s.first, %s)", run, from)
                             : arena_format(e->memory, "dpc_align_first(%s.first, %s, %s, %s)", run, from, to, stride);
    const char *end = unit ? arena_format(e->memory, "dpc_minimum(%s, %s)", last, to)
                           : arena_format(e->memory, "dpc_align_last(%s, %s, %s, %s)", last, from, to, stride);
    const char *step = unit ? "1" : arena_format(e->memory, "dpc_magnitude(%s)", stride);
    text_format(out, "%sfor (long %s = %s, %s_end = %s", indent, n, start, n, end);
    if (position_used(s, k)) text_format(out, ", %s_at = %s.position + %s - %s.first", n, run, n, run);
    text_format(out, "; %s <= %s_end; %s += %s", n, n, n, step);
    if (position_used(s, k)) text_format(out, ", %s_at += %s", n, step);
    text_add(out, ") {\n");
}

static void emit_plain_loop(emitter *e, text *out, const parallel *s, int k, const char *last, const char *indent) {
    const loop_index *x = &s->index[k];
    const char *n = x->name, *run = name_of(e, s, k, "run"), *step = step_text(e, x);
    text_format(out, "%sfor (long %s = %s.first", indent, n, run);
    if (position_used(s, k)) text_format(out, ", %s_at = %s.position", n, run);
    text_format(out, "; %s <= %s; ", n, last);
    if (step && !strcmp(step, "1")) text_format(out, "%s++", n);
    else text_format(out, "%s += %s", n, step ? step : arena_format(e->memory, "%s.step", run));
    if (position_used(s, k)) text_format(out, ", %s_at++", n);
    text_add(out, ") {\n");
}

/* Opens the loops of the indices of `reduction` (-1: the statement's own); returns the indentation inside. */
static const char *open_loops(emitter *e, text *out, const parallel *s, int which, const char *indent) {
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction != which) continue;
        const char *run = name_of(e, s, k, "run");
        const char *last = arena_format(e->memory, "%s.last", run);
        if (!is_single_run(s, k)) {
            text_format(out, "%sfor (dpc_run %s = dpc_first_run(&space, %d); dpc_more(&%s); dpc_next_run(&space, %d, &%s)) {\n", indent,
                        run, k, run, k, run);
            indent = deeper(e, indent);
            last = name_of(e, s, k, "last");
            text_format(out, "%sconst dpc_index %s = %s.last", indent, last, run);
            if (shift_used(s, k)) text_format(out, ", %s = %s.shift", name_of(e, s, k, "shift"), run);
            text_add(out, ";\n");
        }
        if (s->index[k].triangular) emit_triangular(e, out, s, k, last, indent);
        else emit_plain_loop(e, out, s, k, last, indent);
        indent = deeper(e, indent);
    }
    return indent;
}

static void close_loops(emitter *e, text *out, const parallel *s, int which, const char *indent) {
    size_t depth = 0;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction == which) depth += is_single_run(s, k) ? 1 : 2;
    for (; depth > 0; depth--) {
        const char *at = indent;
        for (size_t d = 1; d < depth; d++) at = deeper(e, at);
        text_format(out, "%s}\n", at);
    }
}

/* ---- The body of the loops */

typedef struct {
    emitter *e;
    text *out;
    parallel *s;
    int mask; /* saving this mask, or -1 */
} body;

static bool is_gather(const parallel *s, const reference *r, int mask) {
    return needed(s, r, mask) && r->relation == RELATION_GATHER;
}

/* Steps the counters of gathered values: those read under the mask, or those that the mask itself reads. */
static void emit_counters(body *b, int which, bool in_mask, const char *indent) {
    for (size_t k = 0; k < b->s->references; k++) {
        const reference *r = &b->s->reference[k];
        if (is_gather(b->s, r, b->mask) && r->reduction == which && (r->mask >= 0) == in_mask)
            text_format(b->out, "%s%s++;\n", indent, counter_of(b->e, r));
    }
}

static const char *all_masks(emitter *e, parallel *s) {
    const char *condition = mask_text(e, s);
    bool uses[MAX_RANK];
    for (int k = 0; k < s->indices; k++) uses[k] = s->index[k].reduction < 0;
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m])
            condition = arena_format(e->memory, "%s%s%s[%s]", condition, *condition ? " && " : "", s->mask_buffer[m], position_text(e, s, uses));
    return condition;
}

/* Calls `inside` in the loops (and under the mask) of the statement. */
static void emit_nest(body *b, void (*inside)(body *, const char *indent), const char *indent) {
    const char *deep = open_loops(b->e, b->out, b->s, -1, indent);
    const char *condition = b->mask < 0 ? all_masks(b->e, b->s) : "";
    if (*condition) text_format(b->out, "%sif (%s) {\n", deep, condition);
    const char *within = *condition ? deeper(b->e, deep) : deep;
    inside(b, within);
    emit_counters(b, -1, false, within);
    if (*condition) text_format(b->out, "%s}\n", deep);
    emit_counters(b, -1, true, deep);
    close_loops(b->e, b->out, b->s, -1, indent);
}

/* The same inside the loops of an inner reduction. */
static void emit_inner_nest(body *b, int which, void (*inside)(body *, const char *indent), const char *indent) {
    const reduction *r = &b->s->reduction[which];
    const char *deep = open_loops(b->e, b->out, b->s, which, indent);
    if (r->mask) text_format(b->out, "%sif (%s) {\n", deep, expression(b->e, r->mask));
    const char *within = r->mask ? deeper(b->e, deep) : deep;
    inside(b, within);
    emit_counters(b, which, false, within);
    if (r->mask) text_format(b->out, "%s}\n", deep);
    emit_counters(b, which, true, deep);
    close_loops(b->e, b->out, b->s, which, indent);
}

static int current_reduction;

static void emit_inner_update(body *b, const char *indent) { emit_update(b->e, b->out, &b->s->reduction[current_reduction], indent); }

static void emit_inner_reductions(body *b, const char *indent) {
    for (size_t k = b->s->kind == PARALLEL_REDUCTION ? 1 : 0; k < b->s->reductions; k++) {
        const reduction *r = &b->s->reduction[k];
        text_format(b->out, "%s%s %s = %s;\n", indent, value_ctype(b->e, r->type, "double"), r->name, reduction_start(b->e, r));
        current_reduction = (int)k;
        emit_inner_nest(b, (int)k, emit_inner_update, indent);
    }
}

static void emit_assignment(body *b, const char *indent) {
    emit_inner_reductions(b, indent);
    const char *left = reference_text(b->e, &b->s->left);
    text_format(b->out, "%s%s %s %s;\n", indent, left, b->s->op, expression(b->e, b->s->value));
}

static void emit_value(body *b, const char *indent) {
    emit_inner_reductions(b, indent);
    text_format(b->out, "%svalues[value_at] = %s;\n%skept[value_at] = 1;\n", indent, expression(b->e, b->s->value), indent);
}

static void emit_reduction_update(body *b, const char *indent) {
    emit_inner_reductions(b, indent);
    emit_update(b->e, b->out, &b->s->reduction[0], indent);
}

/* ---- Gathers: inspector loops */

static const char *mine_product(emitter *e, const parallel *s, int which) {
    const char *product = "1";
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction >= 0 && s->index[k].reduction != which) continue;
        const char *mine = arena_format(e->memory, "space.mine[%d]", k);
        product = strcmp(product, "1") ? arena_format(e->memory, "%s * %s", product, mine) : mine;
    }
    return product;
}

static reference *gathered; /* the reference whose subscripts the inspector collects */

static void emit_tuple(body *b, const char *indent) {
    for (int d = 0; d < gathered->rank; d++)
        text_format(b->out, "%s%s_where[%s_n++] = %s;\n", indent, gathered->buffer, gathered->buffer,
                    subscript_text(b->e, b->s, &gathered->subscript[d]));
}

static void emit_inner_tuple_nest(body *b, const char *indent) { emit_inner_nest(b, gathered->reduction, emit_tuple, indent); }

/* Loops like the statement's that collect the subscripts, without counters of values that have not arrived. */
static void emit_inspector(emitter *e, text *out, parallel *s, size_t k, int mask, const char *indent) {
    reference *r = &s->reference[k];
    const char *name = r->buffer;
    text_format(out, "%sdpc_index *%s_where = dpc_buffer(%s * %d, sizeof(dpc_index)), %s_n = 0;\n", indent, name,
                mine_product(e, s, r->reduction), r->rank, name);
    text_format(out, "%s{\n", indent);
    const char *inside = deeper(e, indent);
    for (size_t j = 0; j < k; j++)
        if (is_gather(s, &s->reference[j], mask)) text_format(out, "%sdpc_index %s = 0;\n", inside, counter_of(e, &s->reference[j]));
    size_t references = s->references;
    s->references = k; /* counters of earlier gathers only */
    parallel all = *s;
    body b = {e, out, s, r->mask >= 0 && r->reduction < 0 ? r->mask : -1};
    gathered = r;
    s->references = k;
    (void)all;
    if (b.mask >= 0) b.mask = r->mask;
    emit_nest(&b, r->reduction >= 0 ? emit_inner_tuple_nest : emit_tuple, inside);
    s->references = references;
    for (size_t j = 0; j < k; j++)
        if (is_gather(s, &s->reference[j], mask)) text_format(out, "%s(void)%s;\n", inside, counter_of(e, &s->reference[j]));
    text_format(out, "%s}\n", indent);
    text_format(out, "%s%s *%s = dpc_gather(%s, &%s, %s, %s_n / %d, %s_where);\n", indent, element_spelling(r->array->element), name,
                place_literal(e, r->node), r->array->descriptor, r->guarded || s->clip ? "true" : "false", name, r->rank, name);
    text_format(out, "%sdpc_free_buffer(%s_where);\n", indent, name);
}

static void emit_gathers(emitter *e, text *out, parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask)) emit_inspector(e, out, s, k, mask, indent);
}

static void declare_counters(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask)) text_format(out, "%sdpc_index %s = 0;\n", indent, counter_of(e, &s->reference[k]));
}

static void free_gathers(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    (void)e;
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask)) text_format(out, "%sdpc_free_buffer(%s);\n", indent, s->reference[k].buffer);
}

/* ---- Ways to execute */

static void emit_prologue(emitter *e, text *out, parallel *s, int mask, const char *indent) {
    emit_space(e, out, s, indent);
    emit_fetches(e, out, s, mask, indent);
    emit_local_parts(e, out, s, mask, indent);
    emit_invariants(e, out, s, indent);
    emit_runs(e, out, s, indent);
    emit_arrivals(e, out, s, mask, false, indent);
    emit_gathers(e, out, s, mask, indent);
    declare_counters(e, out, s, mask, indent);
}

static void emit_epilogue(emitter *e, text *out, parallel *s, int mask, const char *indent) {
    free_gathers(e, out, s, mask, indent);
    emit_arrivals(e, out, s, mask, true, indent);
}

static void emit_second_value(body *b, const char *indent) {
    text_format(b->out, "%sif (kept[value_at]) %s %s values[value_at];\n", indent, reference_text(b->e, &b->s->left), b->s->op);
}

/* All values first, then the stores: what is stored is read in place by other iterations. */
static void emit_values_first(emitter *e, text *out, parallel *s, const char *indent) {
    const char *count = mine_product(e, s, -1), *ctype = buffer_ctype(e, s);
    body b = {e, out, s, -1};
    text_format(out, "%s%s *values = dpc_buffer(%s, sizeof(%s));\n", indent, ctype, count, ctype);
    text_format(out, "%schar *kept = dpc_buffer(%s, 1);\n%sdpc_index value_at = 0;\n", indent, count, indent);
    const char *deep = open_loops(e, out, s, -1, indent);
    const char *condition = all_masks(e, s);
    if (*condition) text_format(out, "%sif (%s) {\n", deep, condition);
    const char *within = *condition ? deeper(e, deep) : deep;
    emit_value(&b, within);
    emit_counters(&b, -1, false, within);
    if (*condition) text_format(out, "%s}\n", deep);
    emit_counters(&b, -1, true, deep);
    text_format(out, "%svalue_at++;\n", deep);
    close_loops(e, out, s, -1, indent);
    text_format(out, "%svalue_at = 0;\n", indent);
    deep = open_loops(e, out, s, -1, indent);
    emit_second_value(&b, deep);
    text_format(out, "%svalue_at++;\n", deep);
    close_loops(e, out, s, -1, indent);
    text_format(out, "%sdpc_free_buffer(kept);\n%sdpc_free_buffer(values);\n", indent, indent);
}

static void emit_scatter_item(body *b, const char *indent) {
    const reference *left = &b->s->left;
    const char *name = left->symbol->name;
    emit_inner_reductions(b, indent);
    for (int d = 0; d < left->rank; d++)
        text_format(b->out, "%s%s_where[%s_n * %d + %d] = %s;\n", indent, name, name, left->rank, d,
                    subscript_text(b->e, b->s, &left->subscript[d]));
    text_format(b->out, "%s%s_out[%s_n++] = %s;\n", indent, name, name, expression(b->e, b->s->value));
}

/* Values go to owners found at run time. */
static void emit_scatter(emitter *e, text *out, parallel *s, const char *indent) {
    const array *a = s->left.array;
    const char *name = a->symbol->name, *ctype = buffer_ctype(e, s), *count = mine_product(e, s, -1);
    const char *place = place_literal(e, s->node);
    body b = {e, out, s, -1};
    text_format(out, "%sdpc_index *%s_where = dpc_buffer(%s * %d, sizeof(dpc_index)), %s_n = 0;\n", indent, name, count, a->rank, name);
    text_format(out, "%s%s *%s_out = dpc_buffer(%s, sizeof(%s));\n", indent, ctype, name, count, ctype);
    emit_nest(&b, emit_scatter_item, indent);
    if (s->home == HOME_REPLICATED) text_format(out, "%sif (dpc_rank() != 0) %s_n = 0; /* every process has them */\n", indent, name);
    if (strcmp(s->op, "=") != 0) {
        const char *element_type = element_spelling(a->element);
        const char *op = arena_text(e->memory, s->op, strlen(s->op) - 1);
        text_format(out, "%s%s *%s_old = dpc_gather(%s, &%s, false, %s_n, %s_where);\n", indent, element_type, name, place,
                    a->descriptor, name, name);
        text_format(out, "%sfor (dpc_index k = 0; k < %s_n; k++) %s_old[k] = %s_old[k] %s %s_out[k];\n", indent, name, name, name, op, name);
        text_format(out, "%sdpc_scatter(%s, &%s, %s_n, %s_where, %s_old);\n%sdpc_free_buffer(%s_old);\n", indent, place, a->descriptor,
                    name, name, name, indent, name);
    } else if (!strcmp(ctype, element_spelling(a->element)))
        text_format(out, "%sdpc_scatter(%s, &%s, %s_n, %s_where, %s_out);\n", indent, place, a->descriptor, name, name, name);
    text_format(out, "%sdpc_free_buffer(%s_out);\n%sdpc_free_buffer(%s_where);\n", indent, name, indent, name);
}

/* ---- Comments: what moves, and why */

static const char *format_words(emitter *e, const array *a) {
    if (a->dynamic) return "redistributed at run time";
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < a->rank; d++) {
        const format *f = &a->mapping.format[d];
        text_add(&out, d ? ", " : "(");
        text_add(&out, f->kind == FORMAT_STAR ? "*" : f->kind == FORMAT_BLOCK ? "block" : "cyclic");
        if (f->sized && !(f->kind == FORMAT_CYCLIC && linear_is(&f->block, 1))) text_format(&out, "(%s)", linear_text(e->memory, &f->block));
    }
    text_add(&out, ")");
    return text_of(&out);
}

static void comment_reference(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    const char *quote = ast_quote(e->memory, e->p->source, r->node);
    const reference *home = home_of(s);
    const char *where = home ? arena_format(e->memory, "to the owners of %s %s", ast_quote(e->memory, e->p->source, home->node), format_words(e, home->array))
                             : "to every process";
    text_format(out, "\n%s *   %s %s moves %s%s", indent, quote, format_words(e, r->array), where,
                r->relation == RELATION_GATHER ? ": owners found at run time" : "");
}

static void emit_comment(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    const position *at = &e->p->source->tokens[s->node->first].where;
    const char *quote = ast_quote(e->memory, e->p->source, s->node);
    text_format(out, "%s/* %s:%d: %s%s", indent, at->file, at->line, mask >= 0 ? "mask of " : "", quote);
    for (size_t k = 0; k < s->references; k++)
        if (needed(s, &s->reference[k], mask) && s->reference[k].relation != RELATION_LOCAL && !shared_with(e, s, k, mask))
            comment_reference(e, out, s, &s->reference[k], indent);
    if (s->scatter && mask < 0)
        text_format(out, "\n%s *   %s %s: owners found at run time", indent, ast_quote(e->memory, e->p->source, s->left.node),
                    format_words(e, s->left.array));
    text_add(out, " */\n");
}

/* ---- Groups and reductions */

static const char *mask_being_saved;

static void emit_mask_value(body *b, const char *indent) {
    bool uses[MAX_RANK];
    for (int k = 0; k < b->s->indices; k++) uses[k] = b->s->index[k].reduction < 0;
    text_format(b->out, "%s%s[%s] = (%s) != 0;\n", indent, mask_being_saved, position_text(b->e, b->s, uses),
                expression(b->e, b->s->mask[b->mask]));
}

static void emit_save_mask(emitter *e, text *out, parallel *s, int m, const char *indent) {
    const char *inside = deeper(e, indent);
    body b = {e, out, s, m};
    emit_comment(e, out, s, m, indent);
    text_format(out, "%schar *%s;\n%s{\n", indent, s->mask_buffer[m], indent);
    emit_prologue(e, out, s, m, inside);
    text_format(out, "%s%s = dpc_buffer(%s, 1);\n", inside, s->mask_buffer[m], mine_product(e, s, -1));
    mask_being_saved = s->mask_buffer[m];
    emit_nest(&b, emit_mask_value, inside);
    emit_epilogue(e, out, s, m, inside);
    text_format(out, "%s}\n", indent);
}

static void emit_execute(emitter *e, text *out, parallel *s, const char *indent) {
    const char *inside = deeper(e, indent);
    body b = {e, out, s, -1};
    emit_comment(e, out, s, -1, indent);
    text_format(out, "%s{\n", indent);
    emit_prologue(e, out, s, -1, inside);
    if (s->scatter) emit_scatter(e, out, s, inside);
    else if (s->values_first) emit_values_first(e, out, s, inside);
    else emit_nest(&b, emit_assignment, inside);
    emit_epilogue(e, out, s, -1, inside);
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m]) text_format(out, "%sdpc_free_buffer(%s);\n", inside, s->mask_buffer[m]);
    text_format(out, "%s}\n", indent);
}

static void spmd_group(emitter *e, text *out, group *g, const char *indent) {
    bool braces = g->actions > 1 || g->hoisted.count > 0;
    const char *inside = braces ? deeper(e, indent) : indent;
    if (braces) text_format(out, "%s{\n", indent);
    emit_hoists(e, out, &g->hoisted, inside);
    for (size_t k = 0; k < g->actions; k++) {
        parallel *s = g->action[k].statement;
        e->current = s;
        if (g->action[k].mask >= 0) emit_save_mask(e, out, s, g->action[k].mask, inside);
        else emit_execute(e, out, s, inside);
        e->current = NULL;
    }
    if (g->actions == 0) text_format(out, "%s;\n", inside);
    if (braces) text_format(out, "%s}\n", indent);
}

static void spmd_reduction(emitter *e, text *out, parallel *s, const char *indent) {
    static const char *const operations[] = {"DPC_SUM", "DPC_MIN", "DPC_MAX"};
    const reduction *r = &s->reduction[0];
    const char *ctype = value_ctype(e, r->type, "double"), *inside = deeper(e, indent);
    body b = {e, out, s, -1};
    emit_hoists(e, out, s->hoisted, indent);
    e->current = s;
    emit_comment(e, out, s, -1, indent);
    text_format(out, "%s%s %s = %s;\n%s{\n", indent, ctype, r->name, reduction_start(e, r), indent);
    emit_prologue(e, out, s, -1, inside);
    emit_nest(&b, emit_reduction_update, inside);
    emit_epilogue(e, out, s, -1, inside);
    if (home_of(s)) text_format(out, "%sdpc_reduce(%s, dpc_type_of(%s), &%s);\n", inside, operations[r->operation], r->name, r->name);
    text_format(out, "%s}\n", indent);
    e->current = NULL;
}

void serial_group(emitter *e, text *out, group *g, const char *indent);
void serial_reduction(emitter *e, text *out, parallel *s, const char *indent);

void emit_reduction(emitter *e, text *out, parallel *s, const char *indent) {
    parallel *outer = e->current;
    e->current = NULL;
    if (e->serial) serial_reduction(e, out, s, indent);
    else spmd_reduction(e, out, s, indent);
    e->current = outer;
}

/* Lines without the first one's indentation and the last one's end. */
static const char *trimmed(emitter *e, text *out, const char *indent) {
    const char *s = text_of(out);
    size_t skip = strlen(indent), length = strlen(s);
    if (strncmp(s, indent, skip) == 0) {
        s += skip;
        length -= skip;
    }
    while (length > 0 && s[length - 1] == '\n') length--;
    return arena_text(e->memory, s, length);
}

void rewrite_group(emitter *e, group *g) {
    text out;
    text_start(&out, e->memory);
    const char *indent = indentation(e, g->node);
    if (e->serial) serial_group(e, &out, g, indent);
    else spmd_group(e, &out, g, indent);
    replace(e, g->node, trimmed(e, &out, indent));
}
