/* The space of a parallel statement: its iterations and who executes them. */
#include <stdarg.h>
#include <string.h>

#include "spmd.h"

/* ---- The space */

const char *space_of(emitter *e) {
    use_name(e, e->space);
    return e->space;
}

/* A subscript that advances with an index. */
const char *stepping_text(emitter *e, const subscript *u) {
    if (linear_is(&u->stride, 1) && linear_is(&u->offset, 0)) return arena_format(e->memory, "DPC_INDEX(%d)", u->index);
    return arena_format(e->memory, "DPC_LINEAR(%d, %s, %s)", u->index, linear_words(e, &u->stride),
                        linear_words(e, &u->offset));
}

const char *subscripts_text(emitter *e, const parallel *s, const reference *r, bool home) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        bool dummy = u->kind == SUBSCRIPT_GENERAL ||
                     (home && u->kind == SUBSCRIPT_AFFINE && home_dimension(home_of(s), u->index) != d);
        if (d) text_add(&out, ", ");
        const linear last = linear_subtract(e->memory, r->array->upper[d], r->array->lower[d]);
        if (dummy && home && !(linear_is_constant(&last) && last.constant >= 0))
            text_format(&out, "DPC_ANYWHERE(%s)", linear_words(e, &r->array->lower[d]));
        else if (dummy)
            text_format(&out, "DPC_FIXED(%s)", linear_words(e, &r->array->lower[d]));
        else if (u->kind == SUBSCRIPT_INVARIANT)
            text_format(&out, "DPC_FIXED(%s)", linear_words(e, &u->offset));
        else
            text_add(&out, stepping_text(e, u));
    }
    return text_of(&out);
}

/* Whether home has an index in a second dimension too, which dpc_on does not look at. */
static bool repeats_index(const reference *home) {
    for (int d = 0; d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (u->kind == SUBSCRIPT_AFFINE && home_dimension(home, u->index) != d) return true;
    }
    return false;
}

/* A line of the space's declaration. */
static void add_line(emitter *e, text *out, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    if (out->length) text_format(out, "\n%s", indentation_here(e));
    text_add(out, arena_vformat(e->memory, pattern, arguments));
    va_end(arguments);
}

/* Whether the library finds communication sets for the statement. */
static bool has_choices(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && s->reference[k].placed.relation == RELATION_SETS &&
            s->reference[k].placed.move != MOVE_INLINED)
            return true;
    return false;
}

/* What --sets and --model ask for. */
static void add_choices(emitter *e, text *out) {
    static const char *const methods[] = {[METHOD_CLOSED] = "DPC_SETS_CLOSED",
                                          [METHOD_ROWWISE] = "DPC_SETS_ROWWISE",
                                          [METHOD_LATTICE] = "DPC_SETS_LATTICE",
                                          [METHOD_ENUMERATE] = "DPC_SETS_ENUMERATE"};
    if (e->p->sets != METHOD_NONE) add_line(e, out, "%s->sets = %s;", e->space, methods[e->p->sets]);
    if (e->p->model != COMM_AUTO)
        add_line(e, out, "%s->model = %s;", e->space,
                 e->p->model == COMM_DEPOSIT ? "DPC_MODEL_DEPOSIT" : "DPC_MODEL_CONVENTIONAL");
}

/* A term that bends, and is what is left of a division by a constant: it is between these. */
static bool is_remainder(const parallel *s, const linear_term *x, int64_t *least, int64_t *most) {
    int64_t m;
    const node *n = bends_with_indices(s, x) ? read_remainder(x, &m) : NULL;
    if (!n) return false;
    *most = n->op[0] == '&' ? m : m - 1;
    *least = n->op[0] == '&' ? 0 : -*most;
    return true;
}

static bool has_close_extremes(const parallel *s, const linear *x) {
    int64_t least, most;
    for (int t = 0; t < x->terms; t++)
        if (bends_with_indices(s, &x->term[t]) && !is_remainder(s, &x->term[t], &least, &most)) return false;
    return true;
}

/* Whether a box may hold more than the values of an index: where nothing is moved for it. */
static bool may_be_wider(const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->array && (r->placed.relation == RELATION_SETS || r->placed.relation == RELATION_GATHER)) return false;
    }
    return !s->placed.scatter && s->masks == 0 && s->reductions == (s->kind == PARALLEL_REDUCTION);
}

/* Least and greatest values of a triangular bound of index `which`, earlier indices being within their own boxes.  Of
 * several with one symbol, those of copies of a reduction, the last one before it is meant. */
static const char *extreme(emitter *e, const parallel *s, int which, const linear *x, bool low) {
    linear sum = linear_without_terms(x);
    for (int t = 0; t < x->terms; t++) {
        const linear_term *term = &x->term[t];
        const bool lowest = (term->coefficient > 0) == low;
        linear value = linear_atom(e->memory, term->text, NULL);
        int64_t least, most;
        if (is_remainder(s, term, &least, &most)) value = linear_constant(lowest ? least : most);
        for (int k = 0; k < which; k++) {
            if (!term->node || term->node->symbol != s->index[k].symbol || !s->index[k].symbol) continue;
            const loop_index *y = &s->index[k];
            bool descending = linear_is_constant(&y->stride) && y->stride.constant < 0;
            if (y->triangular)
                value = linear_atom(e->memory, name_of(e, s, k, lowest ? "low" : "high"), NULL);
            else
                value = lowest != descending ? y->lower : y->upper;
        }
        sum = linear_add(e->memory, sum, linear_multiply(e->memory, linear_constant(term->coefficient), value));
    }
    return linear_words(e, &sum);
}

static bool may_descend(const loop_index *x) {
    return !linear_is_constant(&x->stride) || x->stride.constant < 0;
}
static bool may_ascend(const loop_index *x) {
    return !linear_is_constant(&x->stride) || x->stride.constant > 0;
}

/* A loop over all values of an index, in the box that it got before. */
static void open_whole_loop(emitter *e, const parallel *s, int j) {
    const loop_index *y = &s->index[j];
    const char *n = y->name, *left = arena_format(e->memory, "\1%s_n", n);
    for_loop l = {.ctype = "long", .bare = true, .counters = 1};
    if (y->triangular) {
        l.counter[0] = (loop_counter){n, name_of(e, s, j, "low"), "1"};
        l.relation = "<=";
        l.last = name_of(e, s, j, "high");
    } else {
        const char *lower = linear_words(e, &y->lower);
        l.counter[0] = (loop_counter){n, lower, NULL};
        l.counter[l.counters++] =
            (loop_counter){left,
                           arena_format(e->memory, "dpc_extent(%s, %s, %s, %s)", place_literal(e, s->node), lower,
                                        linear_words(e, &y->upper), linear_words(e, &y->stride)),
                           NULL};
        l.condition = arena_format(e->memory, "%s > 0", left);
        l.advance = counted_step(e, y, left);
    }
    open_loop(e, &l);
}

static void box_by_loops(emitter *e, const parallel *s, int k) {
    const char *low = name_of(e, s, k, "low"), *high = name_of(e, s, k, "high");
    const loop_index *x = &s->index[k];
    code *around = e->at;
    emit_line(e, "dpc_index %s = INT64_MAX, %s = INT64_MIN;", low, high);
    for (int j = 0; j < k; j++) open_whole_loop(e, s, j);
    const char *condition = guards_text(e, x->guards),
               *test = *condition ? arena_format(e->memory, "if (%s) ", condition) : "";
    emit_line(e, "%sdpc_widen(&%s, &%s, %s, %s, %s);", test, low, high, linear_words(e, &x->lower),
              linear_words(e, &x->upper), linear_words(e, &x->stride));
    close_block(e, around);
}

/* The name of the number of values that ragged indices of a reduction have in all iterations together. */
const char *ragged_count(emitter *e, const parallel *s, int which) {
    return arena_format(e->memory, "\1%s_values", s->reduction[which].name);
}

/* Whether least and greatest values of a triangular index are found by loops over all earlier ones. */
static bool box_needs_loops(const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    bool directed = !(may_ascend(x) && may_descend(x)); /* which way every index runs is known */
    for (int j = 0; j < k; j++) directed = directed && !(may_ascend(&s->index[j]) && may_descend(&s->index[j]));
    const bool close = has_close_extremes(s, &x->lower) && has_close_extremes(s, &x->upper) && !x->guards;
    return !(x->box_linear || (close && may_be_wider(s))) || !directed;
}

static bool has_box(const parallel *s, int k) {
    return s->index[k].triangular && !s->index[k].ragged && s->kind != PARALLEL_CHECK;
}

/* Whether the box of the only triangular index stands where it is used. */
static bool box_has_no_names(const parallel *s) {
    int boxes = 0;
    bool loops = false;
    for (int k = 0; k < s->indices; k++) {
        boxes += has_box(s, k);
        loops = loops || (has_box(s, k) && box_needs_loops(s, k));
    }
    return boxes == 1 && !loops;
}

/* The least or the greatest value of the box of a triangular index. */
static const char *end_of_box(emitter *e, const parallel *s, int k, bool low) {
    const loop_index *x = &s->index[k];
    return extreme(e, s, k, may_ascend(x) == low ? &x->lower : &x->upper, low);
}

static const char *range_text(emitter *e, const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    if (x->ragged) return "DPC_TO(0, -1)";
    if (has_box(s, k) && box_has_no_names(s))
        return arena_format(e->memory, "DPC_TO(%s, %s)", end_of_box(e, s, k, true), end_of_box(e, s, k, false));
    if (x->triangular)
        return arena_format(e->memory, "DPC_TO(%s, %s)", name_of(e, s, k, "low"), name_of(e, s, k, "high"));
    const char *lower = linear_words(e, &x->lower), *upper = linear_words(e, &x->upper);
    if (linear_is(&x->stride, 1)) return arena_format(e->memory, "DPC_TO(%s, %s)", lower, upper);
    return arena_format(e->memory, "DPC_BY(%s, %s, %s)", lower, upper, linear_words(e, &x->stride));
}

/* Whether home has the indices as its subscripts, in order, and nothing stands between ranges and home. */
static bool is_over_home(emitter *e, const parallel *s, const reference *home) {
    bool plain = home && home->rank == s->indices && !executes_once(s) && s->kind != PARALLEL_CHECK;
    for (int d = 0; plain && d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        plain = s->index[d].reduction < 0 && u->kind == SUBSCRIPT_AFFINE && u->index == d && linear_is(&u->stride, 1) &&
                linear_is(&u->offset, 0);
    }
    return plain && !(has_choices(s) && (e->p->sets != METHOD_NONE || e->p->model != COMM_AUTO));
}

/* The indices of which one is dealt out, a bit each. */
static const char *parts_text(emitter *e, const parallel *s) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (s->placed.parts >> k & 1) text_format(&out, "%s1 << %d", out.length ? " | " : "", k);
    return text_of(&out);
}

/* The ranges, as arguments. */
static const char *ranges_text(emitter *e, const parallel *s) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++) text_format(&out, "%s%s", k ? ", " : "", range_text(e, s, k));
    return text_of(&out);
}

/* Ranges and home in one, where nothing stands between them and a head with both fits into two lines; NULL. */
static const char *both_text(emitter *e, const parallel *s, const reference *home, bool clip) {
    bool plain = home && s->indices > 0 && !executes_once(s) && s->kind != PARALLEL_CHECK;
    for (int k = 0; k < s->indices; k++) plain = plain && s->index[k].reduction < 0;
    if (!plain || (has_choices(s) && (e->p->sets != METHOD_NONE || e->p->model != COMM_AUTO))) return NULL;
    const char *said = arena_format(e->memory, "%s(%s, %s, DPC_SUBSCRIPTS(%s), %s, %s)", clip ? "" : "_COMPARED",
                                    e->space, home->array->address, subscripts_text(e, s, home, true),
                                    place_literal(e, s->node), ranges_text(e, s));
    const size_t beside = may_get_head(e) ? strlen("DPC_FORALL_AT {") - strlen("    ") : strlen("DPC_SPACE_AT;");
    const size_t indent = strlen(indentation_here(e)), again = indent + strlen("        ");
    return indent + beside + printed_length(said, strlen(said)) + again <= 2 * LINE_WIDTH
               ? arena_format(e->memory, "DPC_SPACE_AT%s;", said)
               : NULL;
}

/* The ranges and the home. */
static void add_space(emitter *e, text *out, const parallel *s, bool clip) {
    const char *place = place_literal(e, s->node);
    const reference *home = home_of(s);
    const bool over_home = is_over_home(e, s, home);
    const char *both = over_home ? NULL : both_text(e, s, home, clip);
    if (both) {
        add_line(e, out, "%s", both);
        return;
    }
    if (s->kind == PARALLEL_CHECK || s->indices == 0) add_line(e, out, "static dpc_space %s[1];", e->space);
    if (s->kind == PARALLEL_CHECK)
        add_line(e, out, "dpc_begin_space(%s, %s, true, %d, \1part.range);", e->space, place, s->indices);
    else if (s->indices == 0)
        add_line(e, out, "dpc_forall(%s, %s, false, 0, NULL);", e->space, place);
    else
        add_line(e, out, "DPC_SPACE%s%s(%s, %s%s, %s);", over_home ? "_ON" : "", clip ? "" : "_COMPARED", e->space,
                 over_home ? arena_format(e->memory, "%s, ", home->array->address) : "", place, ranges_text(e, s));
    if (over_home) return;
    int own = 0;
    for (int k = 0; k < s->indices; k++) own += s->index[k].reduction < 0;
    if (own < s->indices)
        add_line(e, out, "%s->own = %d; /* the rest: reductions, which may be empty */", e->space, own);
    if (has_choices(s)) add_choices(e, out);
    if (!home && s->placed.in_parts)
        add_line(e, out, "dpc_deal_out(%s, %s);", e->space, parts_text(e, s));
    else if (!home)
        add_line(e, out, "dpc_on(%s, NULL, NULL);", e->space);
    else
        add_line(e, out, "%s(%s, %s, DPC_SUBSCRIPTS(%s));", executes_once(s) ? "dpc_on_one" : "dpc_on", e->space,
                 home->array->address, subscripts_text(e, s, home, true));
}

/* The boxes of triangular indices: least and greatest value over all earlier ones.  Where none needs a loop they go to
 * the text of the space, which is left out with it. */
static void emit_boxes(emitter *e, const parallel *s, text *space) {
    bool loops = false;
    for (int k = 0; k < s->indices; k++) loops = loops || (has_box(s, k) && box_needs_loops(s, k));
    for (int k = 0; k < s->indices; k++) {
        if (!has_box(s, k) || box_has_no_names(s)) continue;
        if (box_needs_loops(s, k)) {
            box_by_loops(e, s, k);
            continue;
        }
        const char *line =
            arena_format(e->memory, "const dpc_index %s = %s, %s = %s;", name_of(e, s, k, "low"),
                         end_of_box(e, s, k, true), name_of(e, s, k, "high"), end_of_box(e, s, k, false));
        if (loops)
            emit_line(e, "%s", line);
        else
            add_line(e, space, "%s", line);
    }
}

/* Whether subscripts of the whole statement are compared with bounds as its space is found. */
static bool checks_bounds(emitter *e, const parallel *s) {
    return !s->placed.clip && !e->options->no_checks && !statement_in_bounds(e->p, s);
}

/* --check=all: whether what the statement's text compares among processes tells that their ranges are equal. */
static bool has_equal_terms(const emitter *e, const node *statement, const linear *x) {
    for (int k = 0; k < x->terms; k++)
        if (!x->term[k].node || !is_steady_replica(e, statement, x->term[k].node)) return false;
    return true;
}

static bool has_equal_ranges(const emitter *e, const parallel *s) {
    const node *outermost = outermost_forall(s->node), *statement = outermost ? outermost : s->node;
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        if (!has_equal_terms(e, statement, &x->lower) || !has_equal_terms(e, statement, &x->upper) ||
            !has_equal_terms(e, statement, &x->stride))
            return false;
    }
    return true;
}

/* Left out where the loops find their iterations from what home's array says of this process's elements. */
void emit_space(emitter *e, const parallel *s) {
    const reference *home = home_of(s);
    const bool checks = s->indices > 0 && checks_bounds(e, s);
    bool plain = home != NULL && !checks && s->kind != PARALLEL_CHECK && (!e->p->check_all || has_equal_ranges(e, s));
    text out;
    text_start(&out, e->memory);
    emit_conformity(e, s);
    emit_boxes(e, s, &out);
    for (int k = 0; k < s->indices; k++) plain = plain && (s->index[k].reduction >= 0 || is_own_interval(s, k));
    add_space(e, &out, s, !checks);
    emit_declaration(e, e->space, "%s", text_of(&out));
    emit_otherwise(e, place_of(e->p, s->node), "dpc_begin_local(%s);", place_literal(e, s->node));
    if (!plain) use_name(e, e->space);
    if (home && repeats_index(home) && !s->placed.clip && !home->guarded && !e->options->no_checks &&
        !reference_in_bounds(e->p, s, home))
        emit_line(e, "dpc_check(%s, %s, DPC_SUBSCRIPTS(%s));", space_of(e), home->array->address,
                  subscripts_text(e, s, home, false));
}
