/* Loops over the runs that this process executes. */
#include <string.h>

#include "spmd.h"

/* ---- Declarations */

/* The end of the values of an index that are this process's: of the range, or of its elements. */
static const char *end_of_mine(emitter *e, const parallel *s, int k, bool high) {
    const reference *home = home_of(s);
    const int d = home_dimension(home, k);
    const linear *offset = &home->subscript[d].offset, *end = high ? &s->index[k].upper : &s->index[k].lower;
    const linear asked = linear_add(e->memory, *end, *offset);
    linear owned = linear_atom(
        e->memory, arena_format(e->memory, "%s%s[%d]", home->array->access, high ? "last" : "first", d), NULL);
    const char *here = owned.term[0].text;
    owned = linear_subtract(e->memory, owned, *offset);
    if (!linear_is(offset, 0)) here = linear_words(e, &owned);
    if (linear_equal(&asked, high ? &home->array->upper[d] : &home->array->lower[d])) return here;
    return arena_format(e->memory, "%s(%s, %s)", high ? "dpc_minimum" : "dpc_maximum", linear_words(e, end), here);
}

static void emit_ends(emitter *e, const parallel *s, int k) {
    const char *first = index_name(e->p, s, k, "first");
    emit_declaration(e, first, "const long %s = %s, %s = %s;", first, end_of_mine(e, s, k, false),
                     index_name(e->p, s, k, "last"), end_of_mine(e, s, k, true));
}

const char *ownership_text(const body *b) {
    emitter *e = b->e;
    const reference *home = home_of(b->s);
    text out;
    text_start(&out, e->memory);
    bool plain = home && !b->boxes && !b->function;
    for (int k = 0; k < b->s->indices; k++)
        plain = plain && (b->s->index[k].reduction >= 0 || is_own_interval(b->s, k));
    for (int d = 0; plain && d < home->rank; d++)
        if (home->subscript[d].kind == SUBSCRIPT_INVARIANT && may_be_distributed(home->array, d))
            text_format(&out, "%sdpc_owns(%s, %d, %s)", out.length ? " && " : "", home->array->address, d,
                        linear_words(e, &home->subscript[d].offset));
    return text_of(&out);
}

/* Runs that don't depend on other loops, and the extents of buffers. */
void emit_runs(emitter *e, const parallel *s) {
    for (int k = 0; k < s->indices; k++) {
        const char *run = index_name(e->p, s, k, "run"), *count = index_name(e->p, s, k, "count");
        if (in_pieces(s, k)) continue;
        if (is_single_run(s, k))
            emit_declaration(e, run, "const dpc_run %s = %s(%s, %d);", run,
                             is_strided(s, k) ? "dpc_strided_run" : "dpc_first_run", e->space, k);
        if (is_own_interval(s, k)) emit_ends(e, s, k);
        emit_declaration(e, count, "const dpc_index %s = %s->mine[%d];", count, e->space, k);
    }
}

/* ---- Loops */

static const char *step_text(emitter *e, const loop_index *x) {
    if (x->triangular && !linear_is_constant(&x->stride)) return linear_words(e, &x->stride);
    if (!linear_is_constant(&x->stride)) return NULL;
    int64_t s = x->stride.constant;
    return arena_format(e->memory, "%lld", (long long)(s < 0 ? -s : s));
}

static const char *negative(const emitter *e, const char *step) {
    return arena_format(e->memory, "-%s", step);
}

/* From bound to bound; where these are read where they stand, the last one has a variable. */
static void open_ragged(emitter *e, const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    const bool down = linear_is(&x->stride, -1);
    if (has_bounds_in_place(s)) {
        const linear *from = down ? &x->upper : &x->lower, *to = down ? &x->lower : &x->upper;
        const char *first = ragged_bound(e, s, from, ""), *last = ragged_bound(e, s, to, "");
        const char *end = to->terms == 1 ? to->term[0].text : name_of(e, s, k, "last");
        for_loop l = {.ctype = "long", .relation = "<=", .last = end, .counters = 2};
        l.counter[0] = (loop_counter){x->name, first, "1"};
        l.counter[1] = (loop_counter){end, last, NULL};
        open_loop(e, &l);
        return;
    }
    for_loop l = {.ctype = "long", .relation = "<=", .last = linear_words(e, down ? &x->lower : &x->upper)};
    l.counter[l.counters++] = (loop_counter){x->name, linear_words(e, down ? &x->upper : &x->lower), "1"};
    open_loop(e, &l);
}

static void open_triangular(emitter *e, const parallel *s, int k, const char *last, bool goes_to_end_of_run) {
    const loop_index *x = &s->index[k];
    const char *run = name_of(e, s, k, "run"), *end = arena_format(e->memory, "\1%s_end", x->name);
    const char *from = linear_words(e, &x->lower), *to = linear_words(e, &x->upper);
    bool unit = linear_is_constant(&x->stride) && (x->stride.constant == 1 || x->stride.constant == -1);
    if (unit && x->stride.constant < 0) {
        const char *swap = from;
        from = to;
        to = swap;
    }
    const char *stride = linear_words(e, &x->stride);
    const char *least = unit ? arena_format(e->memory, "dpc_maximum(%s.first, %s)", run, from)
                             : arena_format(e->memory, "dpc_align_first(%s.first, %s, %s, %s)", run, from, to, stride);
    const char *greatest = unit ? arena_format(e->memory, "dpc_minimum(%s, %s)", last, to)
                                : arena_format(e->memory, "dpc_align_last(%s, %s, %s, %s)", last, from, to, stride);
    const char *step =
        unit ? "1"
             : arena_format(e->memory, linear_is_constant(&x->stride) ? "dpc_magnitude(%s)" : "dpc_step(%s)", stride);
    if (linear_is_constant(&x->stride) && x->stride.constant > 0) step = stride;
    const bool down = x->descending;
    if (unit && !down && !position_used(s, k) && !e->p->openmp && goes_to_end_of_run) {
        open_loop(
            e, &(for_loop){.macro = arena_format(e->memory, "DPC_PART_RUN(%s, %s, %s, %s)", x->name, run, from, to)});
        return;
    }
    if (down) step = negative(e, step);
    for_loop l = {.ctype = "long", .relation = down ? ">=" : "<=", .last = end, .counters = 2};
    l.counter[0] = (loop_counter){x->name, down ? greatest : least, step};
    l.counter[1] = (loop_counter){end, down ? least : greatest, NULL};
    if (position_used(s, k))
        l.counter[l.counters++] = (loop_counter){
            name_of(e, s, k, "at"), arena_format(e->memory, "%s.position + %s - %s.first", run, x->name, run), step};
    open_loop(e, &l);
}

/* How home's local index advances from one value of a strided run to the next: 1, -1, or 0: the run says. */
static int known_local_step(const parallel *s, int k) {
    const linear *along = &home_of(s)->subscript[home_dimension(home_of(s), k)].stride, *step = &s->index[k].stride;
    const bool apart = home_of(s)->array->placed.gap[home_dimension(home_of(s), k)] > 0;
    const bool unit = !apart && (linear_is(step, 1) || linear_is(step, -1));
    return unit && linear_is(along, 1) ? 1 : unit && linear_is(along, -1) ? -1 : 0;
}

static const char *local_step(emitter *e, const parallel *s, int k) {
    const int known = known_local_step(s, k);
    if (known != 0) return known > 0 ? "1" : "-1";
    return arena_format(e->memory, "%s.local_step", name_of(e, s, k, "run"));
}

/* Where a triangular index begins and ends in its strided run; the element's name that the run begins with. */
static const char *skipped_part(emitter *e, const parallel *s, int k, const char **from, const char **stop) {
    const loop_index *x = &s->index[k];
    const char *run = name_of(e, s, k, "run");
    const bool descending = x->stride.constant < 0;
    const linear beyond = linear_add(e->memory, descending ? x->lower : x->upper, linear_constant(1));
    *from = name_of(e, s, k, "skip");
    *stop = name_of(e, s, k, "stop");
    emit_line(e, "const dpc_index %s = dpc_skip(&%s, %s), %s = dpc_skip(&%s, %s);", *from, run,
              linear_words(e, descending ? &x->upper : &x->lower), *stop, run, linear_words(e, &beyond));
    return arena_format(e->memory, " + %s * %s", *from, run);
}

/* Whether the loop finds its run itself: it is executed once. */
static bool finds_its_run(const parallel *s, int k) {
    for (int j = 0; j < s->indices; j++)
        if (j != k && (j < k || is_strided(s, j) || in_pieces(s, j) || !is_single_run(s, j))) return false;
    return s->index[k].reduction < 0;
}

/* Value, position and local index of all of them: those that nothing reads are left out by compilers. */
static void open_strided_values(emitter *e, const parallel *s, int k) {
    const bool own = !s->index[k].triangular && finds_its_run(s, k),
               steps = shift_used(s, k) && known_local_step(s, k) != 1;
    const loop_index *x = &s->index[k];
    const bool descending = x->stride.constant < 0;
    const char *run = own ? arena_format(e->memory, "%s, %d", space_of(e), k) : name_of(e, s, k, "run");
    const char *part = x->triangular
                           ? arena_format(e->memory, ", %s, %s", linear_words(e, descending ? &x->upper : &x->lower),
                                          linear_words(e, descending ? &x->lower : &x->upper))
                           : "";
    open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_%s_%s(%s, %s, %s, %s%s)",
                                                   x->triangular ? "PART"
                                                   : own         ? "OWN"
                                                                 : "IN",
                                                   steps ? "STRIDED" : "CYCLIC", x->name, name_of(e, s, k, "at"),
                                                   name_of(e, s, k, "local"), run, part)});
}

/* All values in one loop that counts positions, global and local index beside it. */
static void open_strided_loop(emitter *e, const parallel *s, int k) {
    const loop_index *x = &s->index[k];
    if (!e->p->openmp) {
        open_strided_values(e, s, k);
        return;
    }
    const char *run = name_of(e, s, k, "run"), *from = "0", *stop = arena_format(e->memory, "%s.count", run);
    const char *skipped = x->triangular ? skipped_part(e, s, k, &from, &stop) : "";
    for_loop l = {.ctype = "long", .relation = "<", .last = stop, .counters = 2, .as_read = true};
    l.counter[0] = (loop_counter){name_of(e, s, k, "at"), from, "1"};
    l.counter[1] =
        (loop_counter){x->name, arena_format(e->memory, "%s.first%s%s", run, skipped, *skipped ? ".step" : ""),
                       arena_format(e->memory, "%s.step", run)};
    if (shift_used(s, k)) {
        const char *step = local_step(e, s, k);
        l.other_last = arena_format(e->memory, "%s.local_last", run);
        if (!x->triangular && !strcmp(step, "1")) l.other = l.counters;
        l.counter[l.counters++] =
            (loop_counter){name_of(e, s, k, "local"),
                           arena_format(e->memory, "%s.local%s%s", run, skipped, *skipped ? ".local_step" : ""), step};
    }
    open_loop(e, &l);
}

/* Whether the box, or the stage, says first and last value of index k. */
static bool in_box(const body *b, int k) {
    return b->boxes && b->s->index[k].reduction < 0 && (b->stages || is_single_run(b->s, k));
}

/* What the loop of index k begins with: a parameter, the box's or the run's first value. */
static const char *first_text(const body *b, int k) {
    emitter *e = b->e;
    int64_t least, greatest;
    if (has_literal_range(b->s, k, &least, &greatest)) return linear_words(e, &b->s->index[k].lower);
    if (b->function) return name_of(e, b->s, k, "first");
    if (in_box(b, k)) return arena_format(e->memory, "\1%s.first[%d]", b->stages ? "stage" : "box", k);
    if (is_whole_range(b->s, k)) return linear_words(e, &b->s->index[k].lower);
    if (is_own_interval(b->s, k)) return name_of(e, b->s, k, "first");
    return arena_format(e->memory, "%s.first", name_of(e, b->s, k, "run"));
}

static const char *last_text(const body *b, int k) {
    int64_t least, greatest;
    if (has_literal_range(b->s, k, &least, &greatest)) return linear_words(b->e, &b->s->index[k].upper);
    const bool local = in_box(b, k) || b->function || (b->stages && !is_single_run(b->s, k));
    if (!local && is_whole_range(b->s, k)) return linear_words(b->e, &b->s->index[k].upper);
    if (!local && is_own_interval(b->s, k)) {
        use_name(b->e, index_name(b->e->p, b->s, k, "first"));
        return index_name(b->e->p, b->s, k, "last");
    }
    return local ? name_of(b->e, b->s, k, "last")
                 : arena_format(b->e->memory, "%s.last", name_of(b->e, b->s, k, "run"));
}

/* Whether the loop's head finds where this process's values begin and end: no directive on threads stands before it,
 * which takes one counter. */
static bool ends_in_head(const body *b, int k) {
    int64_t least, greatest;
    if (b->function || b->e->p->openmp || has_literal_range(b->s, k, &least, &greatest)) return false;
    if (in_box(b, k)) return !b->stages;
    return is_own_interval(b->s, k) && is_single_run(b->s, k) && !is_whole_range(b->s, k);
}

/* One of the two. */
static const char *end_in_head(const body *b, int k, bool high) {
    if (in_box(b, k)) return arena_format(b->e->memory, "\1box.%s[%d]", high ? "last" : "first", k);
    return end_of_mine(b->e, b->s, k, high);
}

/* The position of the loop's first value. */
static const char *first_position(const body *b, int k) {
    emitter *e = b->e;
    if (in_box(b, k)) return arena_format(e->memory, "\1box.position[%d]", k);
    if (is_single_run(b->s, k) && !b->s->index[k].descending && !b->stages) return "0";
    const char *run = name_of(e, b->s, k, "run");
    return arena_format(e->memory, b->s->index[k].descending ? "%s.position + %s.count - 1" : "%s.position", run, run);
}

/* Whether all that the loop of the last index stores and reads of the left side's array is one element an iteration,
 * beside values that have moved, and everything goes from element to element: what stays the same would be loaded each
 * time, as it may be what is stored. */
static bool is_independent(const body *b, int k) {
    const parallel *s = b->s;
    const reference *left = &s->left;
    bool moves = false;
    if (b->function || b->gathered || b->checking || b->checked || b->recording || b->chained > 1 || b->mask >= 0)
        return false;
    if (s->kind != PARALLEL_ASSIGNMENT || s->placed.home != HOME_LEFT || s->placed.scatter || s->placed.ordered)
        return false;
    if (s->reductions > 0 || s->loop || k != s->indices - 1 || b->e->p->openmp) return false;
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        moves = moves || is_moved(r);
        if (!uses_index(r, k)) return false;
        if (r->array == left->array && is_in_place(r) && !same_subscripts(b->e->p, r, left)) return false;
    }
    const int d = home_dimension(left, k);
    return moves && d >= 0 && linear_is_constant(&left->subscript[d].stride) && *restrict_word(b->e, s, left->array);
}

/* Whether the loop goes over a run. */
static bool goes_over_run(const body *b, int k) {
    int64_t least, greatest;
    if (b->function || b->stages || b->e->p->openmp || in_box(b, k) || has_literal_range(b->s, k, &least, &greatest))
        return false;
    return !is_whole_range(b->s, k) && !is_own_interval(b->s, k);
}

/* The macro that is the loop over this process's values in ascending order; NULL: there is none. */
static const char *owned_macro(const body *b, int k) {
    emitter *e = b->e;
    const parallel *s = b->s;
    const loop_index *x = &s->index[k];
    const char *step = step_text(e, x);
    const bool counts = position_used(s, k);
    if (x->descending || !step || strcmp(step, "1") != 0) return NULL;
    if (counts && (!ends_in_head(b, k) || in_box(b, k) || strcmp(first_position(b, k), "0") != 0)) return NULL;
    if (goes_over_run(b, k)) return arena_format(e->memory, "DPC_IN_RUN(%s, %s)", x->name, name_of(e, s, k, "run"));
    if (!ends_in_head(b, k)) return NULL;
    if (in_box(b, k)) return arena_format(e->memory, "DPC_IN_BOX(%s, \1box, %d)", x->name, k);
    const reference *home = home_of(s);
    const int d = home_dimension(home, k);
    const subscript *u = &home->subscript[d];
    if (!linear_is(&u->offset, 0)) return NULL;
    const bool whole =
        linear_equal(&x->lower, &home->array->lower[d]) && linear_equal(&x->upper, &home->array->upper[d]);
    const char *limits =
        whole ? "" : arena_format(e->memory, "%s, %s, ", linear_words(e, &x->lower), linear_words(e, &x->upper));
    const char *at = counts ? arena_format(e->memory, "%s, ", name_of(e, s, k, "at")) : "";
    return arena_format(e->memory, "DPC_OWNED%s%s(%s, %s%s%s, %d)", whole ? "" : "_IN", counts ? "_AT" : "", x->name,
                        at, limits, home->array->address, d);
}

/* Whether rows of the two are the same. */
static bool are_same_rows(const flat_rows *x, const flat_rows *y) {
    return linear_equal(&x->width, &y->width) && linear_equal(&x->least[0], &y->least[0]) &&
           linear_equal(&x->greatest[0], &y->greatest[0]) && !strcmp(x->row, y->row);
}

/* Whether places in rows decide what a statement does. */
static bool needs_rows(const parallel *s) {
    if (s->value && mentions_rows(s->value)) return true;
    for (int m = 0; m < s->masks; m++)
        if (mentions_rows(s->mask[m].node)) return true;
    for (size_t k = 0; k < s->reductions; k++)
        if (s->reduction[k].value && mentions_rows(s->reduction[k].value)) return true;
    return false;
}

/* The rows over which the loops of index k go, where that is a matrix's, or NULL: all statements' in the loops. */
static const symbol *rows_of(const body *b, int k) {
    const symbol *s = b->s->index[k].symbol;
    const fusion *c = b->s->combined.chain;
    const char *step = step_text(b->e, &b->s->index[k]);
    if (!b->e->opens_rows || !s || !s->rows || b->s->index[k].descending || !step || strcmp(step, "1") != 0)
        return NULL;
    const bool counts = b->e->p->openmp && position_used(b->s, k);
    if (counts || (!b->e->p->openmp && !goes_over_run(b, k) && !ends_in_head(b, k))) return NULL;
    bool needs = !c && needs_rows(b->s);
    for (int j = 0; c && j < c->count; j++) {
        const parallel *t = c->statement[j];
        if (t->indices <= k || !t->index[k].symbol || !t->index[k].symbol->rows) return NULL;
        if (!are_same_rows(s->rows, t->index[k].symbol->rows)) return NULL;
        needs = needs || needs_rows(t);
    }
    return needs ? s : NULL;
}

/* Where the elements begin and end that the loop goes over. */
static const char *end_of_elements(const body *b, int k, bool high) {
    if (goes_over_run(b, k))
        return arena_format(b->e->memory, "%s.%s", name_of(b->e, b->s, k, "run"), high ? "last" : "first");
    return end_in_head(b, k, high);
}

/* " + n - 1": behind the row's first element. */
static const char *place_words(emitter *e, const linear *x) {
    return linear_is(x, 0) ? "" : arena_format(e->memory, " + %s", linear_words(e, x));
}

/* The same for threads, which share the rows: loops as a directive before them takes them. */
static void open_shared_rows(const body *b, int k, const flat_rows *r) {
    emitter *e = b->e;
    const char *name = b->s->index[k].name, *end = arena_format(e->memory, "\1%s_end", name);
    const char *first = first_text(b, k), *last = last_text(b, k), *width = linear_operand(e->memory, &r->width);
    for_loop rows = {.ctype = "long", .relation = "<=", .counters = 1};
    rows.last = arena_format(e->memory, "DPC_LAST_ROW(%s, %s, %s)", first, last, width);
    rows.counter[0] =
        (loop_counter){r->row, arena_format(e->memory, "DPC_FIRST_ROW(%s, %s, %s)", first, last, width), "1"};
    open_loop(e, &rows);
    for_loop places = {.ctype = "long", .relation = "<=", .last = end, .counters = 2};
    places.counter[0] = (loop_counter){
        name, arena_format(e->memory, "dpc_maximum(%s, %s * %s%s)", first, r->row, width, place_words(e, &r->least[0])),
        "1"};
    places.counter[1] = (loop_counter){
        end,
        arena_format(e->memory, "dpc_minimum(%s, %s * %s%s)", last, r->row, width, place_words(e, &r->greatest[0])),
        NULL};
    open_loop(e, &places);
}

static bool mentions_part(const linear *x, const symbol *index, const char *part) {
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node ? inside_conversions(x->term[t].node) : NULL;
        if (n && n->name == part && n->symbol == index) return true;
    }
    return false;
}

/* Whether a matrix is read by columns where the statement goes through rows, A[j*n + i]: each element would come from
 * another line of the cache. */
static bool reads_columns(const body *b, const symbol *index) {
    const parallel *s = b->s;
    if (s->kind != PARALLEL_ASSIGNMENT || s->reductions > 0 || s->placed.ordered || s->combined.chain) return false;
    for (size_t k = 0; k < s->references; k++) {
        const submatrix *m = s->reference[k].placed.matrix;
        if (!m || m->parts < 2 || !mentions_part(&m->part[m->parts - 1].value, index, ROW_NUMBER)) continue;
        for (int p = 0; p + 1 < m->parts; p++)
            if (mentions_part(&m->part[p].value, index, ROW_PLACE)) return true;
    }
    return false;
}

/* The loop over rows, and that over places in them. */
static void open_row_loops(const body *b, int k, const symbol *s) {
    emitter *e = b->e;
    const flat_rows *r = s->rows;
    e->in_rows = s;
    if (e->p->openmp) {
        open_shared_rows(b, k, r);
        return;
    }
    const char *width = linear_words(e, &r->width);
    if (!b->gathered && !position_used(b->s, k) && reads_columns(b, s)) {
        open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_TURNED_ROWS(%s, %s, %s, %s, %s, %s, %s)",
                                                       b->s->index[k].name, r->row, width, end_of_elements(b, k, false),
                                                       end_of_elements(b, k, true), linear_words(e, &r->least[0]),
                                                       linear_words(e, &r->greatest[0]))});
        return;
    }
    open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_ROWS_OF(%s, %s, %s, %s)", r->row, width,
                                                   end_of_elements(b, k, false), end_of_elements(b, k, true))});
    const char *at = position_used(b->s, k)
                         ? arena_format(e->memory, "_AT(%s, %s, ", name_of(e, b->s, k, "at"), first_position(b, k))
                         : "(";
    open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_IN_ROW%s%s, %s, %s, %s, %s)", at,
                                                   b->s->index[k].name, r->row, width, linear_words(e, &r->least[0]),
                                                   linear_words(e, &r->greatest[0])),
                             .independent = is_independent(b, k)});
}

static void open_plain_loop(const body *b, int k) {
    const char *macro = owned_macro(b, k);
    const symbol *in_rows = rows_of(b, k);
    if (in_rows) {
        open_row_loops(b, k, in_rows);
        return;
    }
    if (macro) {
        open_loop(b->e, &(for_loop){.macro = macro, .independent = is_independent(b, k)});
        return;
    }
    emitter *e = b->e;
    const parallel *s = b->s;
    const loop_index *x = &s->index[k];
    const char *step = step_text(e, x);
    const bool down = x->descending, in_head = ends_in_head(b, k);
    const char *first = in_head ? end_in_head(b, k, false) : first_text(b, k),
               *last = in_head ? end_in_head(b, k, true) : last_text(b, k), *end = down ? first : last;
    if (!step) step = arena_format(e->memory, "%s.step", name_of(e, s, k, "run"));
    for_loop l = {.ctype = "long", .relation = down ? ">=" : "<=", .last = end, .counters = 1};
    l.counter[0] = (loop_counter){x->name, down ? last : first, down ? negative(e, step) : step};
    if (in_head) {
        l.last = index_name(e->p, s, k, down ? "first" : "last");
        l.counter[l.counters++] = (loop_counter){l.last, end, NULL};
    }
    if (position_used(s, k))
        l.counter[l.counters++] = (loop_counter){name_of(e, s, k, "at"), first_position(b, k), down ? "-1" : "1"};
    l.independent = is_independent(b, k);
    open_loop(e, &l);
}

/* Whether the runs of index k are whole blocks, but for the first and the last one. */
static bool runs_in_blocks(const body *b, int k) {
    const reference *home = home_of(b->s);
    const int d = home_dimension(home, k);
    const linear *along = d >= 0 ? &home->subscript[d].stride : NULL, *step = &b->s->index[k].stride;
    const array *a = d >= 0 ? home->array : NULL; /* an argument may stand in other places */
    if (!a || a->alignment || a->dynamic || a->argument || !is_block_cyclic(&a->mapping, d)) return false;
    return (linear_is(along, 1) || linear_is(along, -1)) && (linear_is(step, 1) || linear_is(step, -1));
}

/* The loop over the runs of index k: all of them, or the box's parts of them. */
static void open_run_loop(const body *b, int k) {
    emitter *e = b->e;
    const bool boxes = b->boxes && b->s->index[k].reduction < 0;
    const char *run = index_name(e->p, b->s, k, "run"), *all = boxes ? "&\1box" : space_of(e);
    const char *kind = boxes ? "BOX_" : runs_in_blocks(b, k) ? "BLOCK_" : "";
    open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_%sRUNS(%s, %s, %d)", kind, run, all, k)});
    emit_parameter(e, run); /* not what a block around declares */
}

void open_run_loops(const body *b, int which) {
    emitter *e = b->e;
    const parallel *s = b->s;
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction == which && in_pieces(s, k)) open_piece_loop(e, s, k, true);
        if (s->index[k].reduction != which || in_pieces(s, k) || is_single_run(s, k)) continue;
        if (b->stages && which < 0) continue;
        open_run_loop(b, k);
        emit_run_begins(e, s, k);
    }
    if (which < 0) emit_views(e, s, b->mask, true);
}

const char *tile_name(emitter *e, const parallel *s, int k) {
    return name_of(e, s, k, "tile");
}

static void open_tiled_loop(emitter *e, const parallel *s, int k, const char *first, const char *last) {
    const char *tile = tile_name(e, s, k);
    for_loop l = {.ctype = "long", .relation = "<=", .last = last, .counters = 1};
    l.counter[0] = (loop_counter){tile, first, arena_format(e->memory, "%d", TILE_VALUES)};
    open_loop(e, &l);
    emit_line(e, "const long %s = dpc_minimum(%s + %d, %s);", name_of(e, s, k, "end"), tile, TILE_VALUES - 1, last);
}

/* The first value of index k, if there is one. */
static void open_row(emitter *e, const parallel *s, int k) {
    const char *run = name_of(e, s, k, "run");
    open_head(e, "if (%s.first <= %s.last)", run, run);
    emit_line(e, "const long %s = %s.first;", s->index[k].name, run);
}

/* The loop over the values of index k. */
static void open_values_loop(const body *b, int which, int k) {
    emitter *e = b->e;
    const parallel *s = b->s;
    if (runs_from_bound_to_bound(s, k)) {
        open_ragged(e, s, k);
        return;
    }
    if (b->rows && runs_in_row(s, b->gathered, b->mask, k)) {
        open_row(e, s, k);
        return;
    }
    if (which < 0) emit_team(b, k);
    if (b->tiles && which < 0 && k == tiled_index(s))
        open_tiled_loop(e, s, k, first_text(b, k), last_text(b, k));
    else if (is_strided(s, k))
        open_strided_loop(e, s, k);
    else if (s->index[k].triangular)
        open_triangular(e, s, k, last_text(b, k), goes_over_run(b, k));
    else
        open_plain_loop(b, k);
}

code *open_outer_loop(const body *b) {
    const parallel *s = b->s;
    code *around = b->e->at;
    open_guard(b->e, ownership_text(b));
    if (!is_single_run(s, 0)) {
        open_run_loop(b, 0);
        emit_run_begins(b->e, s, 0);
    }
    emit_views(b->e, s, b->mask, true);
    open_values_loop(b, -1, 0);
    return around;
}

code *open_inner_loops(const body *b, int from) {
    code *around = b->e->at;
    for (int k = from; k < b->s->indices; k++)
        if (b->s->index[k].reduction < 0) open_values_loop(b, -1, k);
    return around;
}

/* Prefixes that the statement's loops combine begin anew with the values of index k. */
static void emit_prefix_start(const body *b, int k) {
    const parallel *s = b->s;
    const int m = b->mask < 0 && !b->gathered ? kept_prefix(s) : -1;
    if (m < 0 || s->mask[m].prefix->first != k) return;
    emit_line(b->e, "%s %s = %s;", saved_ctype(s, m), s->mask[m].buffer,
              start_value_of(b->e, s->mask[m].prefix->operation, s->mask[m].node->type));
}

code *open_loops(const body *b, int which) {
    const parallel *s = b->s;
    code *around = b->e->at;
    if (which < 0) open_guard(b->e, ownership_text(b));
    if (!b->function) open_run_loops(b, which);
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction != which) continue;
        if (which < 0) emit_prefix_start(b, k);
        if (in_pieces(s, k))
            open_piece_loop(b->e, s, k, false);
        else
            open_values_loop(b, which, k);
    }
    return around;
}
