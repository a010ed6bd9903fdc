/* Parallel statements of the serial program: the serial meaning as plain loops. */
#include <string.h>

#include "emitter.h"

static const char *extent_call(emitter *e, const parallel *s, const loop_index *x) {
    linear extent = linear_subtract(e->memory, x->upper, x->lower);
    extent = linear_add(e->memory, extent, linear_constant(1));
    if (linear_is(&x->stride, 1) && linear_is_constant(&extent) && extent.constant >= 0)
        return linear_words(e, &extent);
    e->uses_extent = true;
    return arena_format(e->memory, "dpc_extent(%s, %s, %s, %s)", place_literal(e, s->node), linear_words(e, &x->lower),
                        linear_words(e, &x->upper), linear_words(e, &x->stride));
}

/* Sections whose numbers of elements only the program knows are counted by a function. */
static const char *upper_text(emitter *e, const loop_index *x) {
    const char *words = linear_words(e, &x->upper);
    if (strstr(words, "dpc_extent(")) e->uses_extent = true;
    return words;
}

/* --reproducible: what is rounded each time is combined in ascending order, as parallel programs take every range. */
static bool is_taken_upwards(const emitter *e, const parallel *s, const loop_index *x) {
    const int which = x->reduction >= 0 ? x->reduction : s->kind == PARALLEL_REDUCTION ? 0 : -1;
    return which >= 0 && combines_in_order(e->p, s->reduction[which].operation, s->reduction[which].type);
}

/* The last value of a descending range, from which it is taken upwards. */
static const char *last_text(emitter *e, const loop_index *x, long long step) {
    if (step == 1) return linear_words(e, &x->upper);
    const linear reach = linear_subtract(e->memory, x->lower, x->upper);
    return arena_format(e->memory, "(%s) - (%s) / %lld * %lld", linear_words(e, &x->lower), linear_words(e, &reach),
                        step, step);
}

static code *open_turned_loop(emitter *e, const loop_index *x) {
    const long long step = -x->stride.constant;
    for_loop l = {.ctype = "long", .counters = 1, .relation = "<=", .last = linear_words(e, &x->lower)};
    l.counter[0] = (loop_counter){x->name, last_text(e, x, step), arena_format(e->memory, "%lld", step)};
    return open_loop(e, &l);
}

/* A loop whose stride is known at run time only counts its iterations down. */
static code *open_counted_loop(emitter *e, const parallel *s, const loop_index *x) {
    const char *left = arena_format(e->memory, "\1%s_left", x->name);
    for_loop l = {.ctype = "long", .counters = 2, .condition = arena_format(e->memory, "%s > 0", left)};
    l.counter[0] = (loop_counter){x->name, linear_words(e, &x->lower), NULL};
    l.counter[1] = (loop_counter){left, extent_call(e, s, x), NULL};
    l.advance = counted_step(e, x, left);
    return open_loop(e, &l);
}

/* The same, which begins at the last iteration if the stride is negative. */
static code *open_turned_counted_loop(emitter *e, const parallel *s, const loop_index *x) {
    const char *left = arena_format(e->memory, "\1%s_left", x->name);
    const char *lower = parenthesise(e, linear_words(e, &x->lower));
    const char *stride = parenthesise(e, linear_words(e, &x->stride));
    const char *first =
        arena_format(e->memory, "%s < 0 && %s > 0 ? %s + (%s - 1) * %s : %s", stride, left, lower, left, stride, lower);
    for_loop l = {.ctype = "long", .counters = 2, .condition = arena_format(e->memory, "%s > 0", left)};
    l.counter[0] = (loop_counter){left, extent_call(e, s, x), NULL};
    l.counter[1] = (loop_counter){x->name, first, NULL};
    l.advance = arena_format(e->memory, "%s--, %s += %s > 0 ? labs(%s) : 0", left, x->name, left, stride);
    return open_loop(e, &l);
}

static code *open_index_loop(emitter *e, const parallel *s, const loop_index *x) {
    const bool upwards = is_taken_upwards(e, s, x);
    if (!linear_is_constant(&x->stride)) return (upwards ? open_turned_counted_loop : open_counted_loop)(e, s, x);
    if (upwards && x->stride.constant < 0) return open_turned_loop(e, x);
    const long long step = x->stride.constant;
    for_loop l = {.ctype = "long", .counters = 1, .relation = step > 0 ? "<=" : ">=", .last = upper_text(e, x)};
    l.counter[0] = (loop_counter){x->name, linear_words(e, &x->lower), arena_format(e->memory, "%lld", step)};
    return open_loop(e, &l);
}

static code *open_serial_loops(emitter *e, const parallel *s, int which) {
    code *around = e->at;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction == which) open_index_loop(e, s, &s->index[k]);
    return around;
}

void serial_inner_reduction(emitter *e, const parallel *s, int k) {
    const reduction *r = &s->reduction[k];
    emit_start(e, r);
    code *around = e->at;
    if (is_ragged(s, k)) open_block(e);
    declare_bounds(e, s, k, "\1element");
    open_serial_loops(e, s, k);
    open_guard(e, r->mask ? expression(e, r->mask) : "");
    emit_update(e, r);
    close_block(e, around);
    emit_finish(e, r);
}

static void emit_serial_inner_reductions(emitter *e, const parallel *s) {
    for (size_t k = s->kind == PARALLEL_REDUCTION ? 1 : 0; k < s->reductions; k++)
        if (!s->reduction[k].in_place) serial_inner_reduction(e, s, (int)k);
}

static bool is_triangular(const parallel *s) {
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular && s->index[k].reduction < 0) return true;
    return false;
}

/* Declares `name`: how many iterations the statement has. */
static void emit_iterations(emitter *e, const parallel *s, const char *name) {
    text product;
    if (is_triangular(s)) {
        emit_line(e, "long %s = 0;", name);
        code *around = open_serial_loops(e, s, -1);
        emit_line(e, "%s++;", name);
        close_block(e, around);
        return;
    }
    text_start(&product, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0) text_format(&product, " * %s", parenthesise(e, extent_call(e, s, &s->index[k])));
    emit_line(e, "long %s = 1%s;", name, text_of(&product));
}

/* Whether a store may change what a later iteration reads: in the serial program everything is read in place. */
static bool needs_values_first(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (!(s->reference[k].mask >= 0 && s->mask[s->reference[k].mask].saved) &&
            s->reference[k].symbol == s->left.symbol && !same_subscripts(e->p, &s->reference[k], &s->left))
            return true;
    return s->placed.values_first;
}

static bool saves_masks(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved) return true;
    return false;
}

/* The condition of all masks of an iteration. */
static code *open_masks(emitter *e, const parallel *s) {
    return open_guard(e, first_masks(e, s, s->masks, "\1element"));
}

static void emit_values(emitter *e, const parallel *s) {
    const char *ctype = buffer_ctype(e, s);
    const bool pointers = stores_by_pointer(s);
    e->uses_heap = true;
    emit_iterations(e, s, "\1elements");
    emit_line(e, "%s *\1values DPC_AUTOMATIC = dpc_heap(\1elements, sizeof *\1values);", ctype);
    if (pointers)
        emit_line(e, "%s **\1targets DPC_AUTOMATIC = dpc_heap(\1elements, sizeof *\1targets);", left_ctype(e, s));
    emit_line(e, "char *\1selected DPC_AUTOMATIC = dpc_heap(\1elements, 1);");
    emit_line(e, "long \1element = 0;");
    code *around = open_serial_loops(e, s, -1), *masked = open_masks(e, s);
    emit_serial_inner_reductions(e, s);
    emit_locals(e, s);
    emit_line(e, "\1values[\1element] = %s;", expression(e, s->value));
    emit_line(e, "\1selected[\1element] = 1;");
    if (pointers) emit_line(e, "\1targets[\1element] = &%s;", stored_text(e, s));
    close_block(e, masked);
    emit_line(e, "\1element++;");
    close_block(e, around);
    emit_line(e, "\1element = 0;");
    open_serial_loops(e, s, -1);
    emit_line(e, "if (\1selected[\1element]) %s %s \1values[\1element];",
              pointers ? "*\1targets[\1element]" : stored_text(e, s), s->op);
    emit_line(e, "\1element++;");
    close_block(e, around);
}

static void emit_direct(emitter *e, const parallel *s) {
    const bool saved = saves_masks(s);
    if (saved) emit_line(e, "long \1element = 0;");
    code *around = open_serial_loops(e, s, -1), *masked = open_masks(e, s);
    emit_serial_inner_reductions(e, s);
    emit_locals(e, s);
    emit_line(e, "%s %s %s;", stored_text(e, s), s->op, expression(e, s->value));
    close_block(e, masked);
    if (saved) emit_line(e, "\1element++;");
    close_block(e, around);
}

/* How many iterations indices first .. last have, as C text. */
static const char *iterations_along(emitter *e, const parallel *s, int first, int last) {
    const char *product = "1";
    for (int k = first; k <= last; k++) {
        if (s->index[k].reduction >= 0) continue;
        const char *count = parenthesise(e, extent_call(e, s, &s->index[k]));
        product = strcmp(product, "1") ? arena_format(e->memory, "%s * %s", product, count) : count;
    }
    return product;
}

/* The values that are saved become their prefixes, row by row. */
static void emit_scan(emitter *e, const parallel *s, int m) {
    const prefix_operation *x = s->mask[m].prefix;
    const char *ctype = saved_ctype(s, m), *value = arena_format(e->memory, "%s[\1element]", s->mask[m].buffer);
    emit_line(e, "const long \1width = %s, \1row = \1width * %s;", iterations_along(e, s, x->last + 1, s->indices - 1),
              iterations_along(e, s, x->first, x->last));
    for_loop rows = {.ctype = "long", .counters = 1, .relation = "<", .last = "\1elements"};
    for_loop columns = {.ctype = "long", .counters = 1, .relation = "<", .last = "\1width"};
    for_loop values = {.ctype = "long", .counters = 1, .relation = "<", .last = "\1from + \1column + \1row"};
    rows.counter[0] = (loop_counter){"\1from", "0", "\1row"};
    columns.counter[0] = (loop_counter){"\1column", "0", "1"};
    values.counter[0] = (loop_counter){"\1element", "\1from + \1column", "\1width"};
    if (x->suffix) {
        values.counter[0] = (loop_counter){"\1element", "\1from + \1column + \1row - \1width", "-\1width"};
        values.relation = ">=";
        values.last = "\1from + \1column";
    }
    open_guard(e, "\1row > 0");
    open_loop(e, &rows);
    open_loop(e, &columns);
    emit_line(e, "%s \1sum = %s;", ctype, start_value_of(e, x->operation, s->mask[m].node->type));
    open_loop(e, &values);
    emit_line(e, "const %s \1value = %s;", ctype, value);
    if (x->exclusive) emit_line(e, "%s = \1sum;", value);
    emit_update_of(e, x->operation, ctype, "\1sum", "\1value");
    if (!x->exclusive) emit_line(e, "%s = \1sum;", value);
}

static void emit_save_mask(emitter *e, const parallel *s, int m) {
    const char *name = s->mask[m].buffer;
    e->uses_heap = true;
    emit_line(e, "%s *%s DPC_AUTOMATIC = NULL;", saved_ctype(s, m), name);
    code *block = open_block(e);
    emit_iterations(e, s, "\1elements");
    emit_line(e, "%s = dpc_heap(\1elements, sizeof *%s);", name, name);
    emit_line(e, "long \1element = 0;");
    code *around = open_serial_loops(e, s, -1);
    emit_line(e, "%s[\1element] = %s;", name, mask_value(e, s, m, "\1element"));
    emit_line(e, "\1element++;");
    close_block(e, around);
    if (s->mask[m].prefix) emit_scan(e, s, m);
    close_block(e, block);
}

/* alone: the group's block is the statement's. */
static void emit_statement(emitter *e, const parallel *s, bool alone) {
    code *around = alone ? e->at : open_block(e);
    emit_conformity(e, s);
    (needs_values_first(e, s) ? emit_values : emit_direct)(e, s);
    close_block(e, around);
}

void serial_group(emitter *e, const group *g) {
    code *around = open_block_with(e, "%s: %s", place_of(e->p, g->node), quote(e, g->node));
    emit_hoists(e, &g->hoisted, 0);
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        e->current = g->action[k].statement;
        if (g->action[k].mask >= 0)
            emit_save_mask(e, e->current, g->action[k].mask);
        else
            emit_statement(e, e->current, g->actions == 1);
        e->current = NULL;
        if (g->action[k].mask < 0) emit_hoists(e, &g->hoisted, ++executed);
    }
    close_block(e, around);
}

void serial_reduction(emitter *e, const parallel *s) {
    const reduction *r = &s->reduction[0];
    emit_hoists(e, s->hoisted, 0);
    e->current = s;
    emit_conformity(e, s);
    emit_start(e, r);
    code *around = open_serial_loops(e, s, -1);
    open_masks(e, s);
    emit_serial_inner_reductions(e, s);
    emit_update(e, r);
    close_block(e, around);
    emit_finish(e, r);
    e->current = NULL;
}
