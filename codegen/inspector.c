/* The body of a statement's loops; and gathers, for which the same loops first collect the subscripts. */
#include <string.h>

#include "spmd.h"

/* Whether values are gathered for it, and not for an earlier one that reads the same. */
static bool is_gather(const parallel *s, const reference *r, int mask) {
    return source_of(s, r, mask) == SOURCE_GATHER;
}

/* Whether a gather's values are already there: it comes before the one that is being collected. */
static bool has_arrived(const body *b, const reference *r) {
    return is_gather(b->s, r, b->mask) && (!b->gathered || b->gathered == &b->s->left || r < b->gathered);
}

/* Whether r is read before the condition of the loops: in the statement's masks, or in the reduction's own. */
static bool before_condition(const reference *r, int which) {
    return which < 0 ? r->mask >= 0 : r->own_mask;
}

static bool has_counter(const body *b, size_t k, int which, bool in_mask) {
    const reference *r = &b->s->reference[k];
    return has_arrived(b, r) && r->reduction == which && before_condition(r, which) == in_mask;
}

void emit_counters(body *b, int which, bool in_mask) {
    emitter *e = b->e;
    text rest;
    text_start(&rest, e->memory);
    for (size_t k = 0; k < b->s->references; k++) {
        if (!has_counter(b, k, which, in_mask)) continue;
        const char *counter = counter_of(e, &b->s->reference[k]);
        if (!step_in_line(e, counter)) text_format(&rest, "%s\n", counter);
    }
    for (const char *s = text_of(&rest); *s; s += strcspn(s, "\n") + 1)
        emit_step(e, arena_text(e->memory, s, strcspn(s, "\n")));
}

/* Where what is saved for the iteration stands. */
static const char *saved_position(emitter *e, const parallel *s) {
    bool uses[MAX_RANK];
    for (int k = 0; k < s->indices; k++) uses[k] = s->index[k].reduction < 0;
    return position_text(e, s, uses);
}

/* The condition of the first `count` masks; those that are saved stand at the iteration's position. (A position that is
 * made counts as a use of what it is made of, so none is made for nothing.) */
static const char *masks_before(emitter *e, const parallel *s, int count) {
    bool saved = false;
    for (int m = 0; m < count; m++) saved = saved || (s->mask[m].saved && s->mask[m].node->kind != N_LOCAL);
    return first_masks(e, s, count, saved ? saved_position(e, s) : "");
}

const char *condition_text(emitter *e, const parallel *s) {
    return masks_before(e, s, s->masks);
}

/* The condition under which iterations of the loops are executed; "": always. */
static const char *masks_text(const body *b, int which) {
    const parallel *s = b->s;
    if (which < 0) return s->placed.waits_for < 0 && b->mask < 0 ? condition_text(b->e, s) : "";
    const bool reads_mask = b->gathered && b->gathered->own_mask && b->gathered->reduction == which && b->tuples;
    node *mask = s->reduction[which].mask;
    return mask && !reads_mask ? mask_words(b->e, mask) : "";
}

static const char *both_conditions(emitter *e, const char *x, const char *y) {
    return *x && *y ? arena_format(e->memory, "%s && %s", x, y) : *x ? x : y;
}

/* Where subscripts are checked: that they are outside, which takes less time to find than the conditions; "": the
 * conditions decide. */
static const char *outside_of(const body *b, int which) {
    const bool checks = b->checking && !b->recording && b->gathered->reduction == which;
    return checks ? outside_text(b->e, b->s, b->gathered) : "";
}

/* Loops, condition, inside, counters. */
static void nest(body *b, int which, emit_inside inside) {
    code *around = b->e->at;
    const symbol *outer = b->e->in_rows;
    if (which < 0) b->e->in_rows = NULL;
    if (is_ragged(b->s, which) && !has_bounds_in_place(b->s))
        declare_bounds(b->e, b->s, which, saved_position(b->e, b->s));
    b->e->opens_rows = which < 0;
    open_loops(b, which);
    b->e->opens_rows = false;
    const char *masks = masks_text(b, which), *outside = outside_of(b, which);
    if (*outside && *masks) masks = parenthesise(b->e, masks);
    code *guarded = open_guard(b->e, both_conditions(b->e, outside, masks));
    inside(b);
    emit_counters(b, which, false);
    close_block(b->e, guarded);
    emit_counters(b, which, true);
    close_block(b->e, around);
    b->e->in_rows = outer;
}

/* The statement's loops over every piece of the reference that it waits for. */
static void pieces_nest(body *b, emit_inside inside) {
    const reference *r = &b->s->reference[b->s->placed.waits_for];
    code *around = open_pieces(b->e, r);
    emit_piece_strips(b->e, b->s);
    nest(b, -1, inside);
    close_block(b->e, around);
}

/* The statement's loops over boxes: interior, then boundary as ghost cells arrive. */
static void boxes_nest(body *b, emit_inside inside) {
    code *around = open_boxes(b->e, b->s);
    b->boxes = true;
    nest(b, -1, inside);
    b->boxes = false;
    close_block(b->e, around);
}

/* The statement's loops, if `break` has not left them on a process before this one. */
static void nest_unless_left(body *b, emit_inside inside) {
    const char *left = b->s->loop ? b->s->loop->left : NULL;
    code *around = open_guard(b->e, left ? arena_format(b->e->memory, "!%s", left) : "");
    nest(b, -1, inside);
    close_block(b->e, around);
}

/* The loops of a pipeline, stage by stage. */
static void stages_nest(body *b, emit_inside inside) {
    code *around = open_stages(b->e, b->s);
    b->boxes = b->stages = true;
    nest_unless_left(b, inside);
    b->boxes = b->stages = false;
    close_block(b->e, around);
}

/* The statement's loops, as boxes where ghost cells are on their way. */
static void plain_nest(body *b, emit_inside inside) {
    const execution *x = execution_of(b->s, b->mask);
    if (!b->gathered && x->interior_first)
        boxes_nest(b, inside);
    else if (x->swepts > 0)
        stages_nest(b, inside);
    else
        nest_unless_left(b, inside);
}

void emit_nest(body *b, emit_inside inside) {
    const body *outer = b->e->inside;
    b->e->inside = b;
    if (b->s->calls_unknown) emit_line(b->e, "dpc_each_element(true);");
    if (b->s->placed.waits_for >= 0)
        pieces_nest(b, inside);
    else if (b->s->placed.tiled && !b->gathered)
        emit_tiles(b, inside);
    else
        plain_nest(b, inside);
    if (b->s->calls_unknown) emit_line(b->e, "dpc_each_element(false);");
    b->e->inside = outer;
}

/* ---- Inner reductions */

static void emit_inner_update(body *b) {
    emit_update(b->e, &b->s->reduction[b->which]);
}

void spmd_inner_reduction(emitter *e, const parallel *s, int k) {
    const reduction *r = &s->reduction[k];
    body inner = {.e = e, .s = s, .mask = -1, .which = k};
    if (e->inside) {
        inner.mask = e->inside->mask;
        inner.gathered = e->inside->gathered;
    }
    emit_start(e, r);
    nest(&inner, k, emit_inner_update);
    emit_finish(e, r);
}

void emit_inner_reductions(body *b) {
    if (b->s->placed.product) return; /* computed before */
    for (size_t k = b->s->kind == PARALLEL_REDUCTION ? 1 : 0; k < b->s->reductions; k++)
        if (!b->s->reduction[k].in_place) spmd_inner_reduction(b->e, b->s, (int)k);
}

/* ---- Gathers */

/* The condition under which a child of `n` is evaluated where n is; "": always. */
static const char *condition_on(emitter *e, const node *n, const node *child) {
    const char *end = end_off_condition(e, n);
    if (end) return child == n->child[1] ? parenthesise(e, end) : "";
    bool chosen = n->kind == N_CONDITIONAL, both = n->kind == N_BINARY && !strcmp(n->op, "&&"),
         either = n->kind == N_BINARY && !strcmp(n->op, "||");
    if (child == n->child[0] || !(chosen || both || either)) return "";
    const char *condition = parenthesise(e, made_operand(e, n->child[0]));
    return both || (chosen && child == n->child[1]) ? condition : arena_format(e->memory, "!%s", condition);
}

/* The condition under which the program evaluates n, a part of the statement or of the reduction `within`; behind the
 * reductions that it names, which are formed here. */
static const char *path_condition(body *b, const node *n, const node *within) {
    emitter *e = b->e;
    const char *condition = "";
    bool *outer = e->formed;
    e->formed = arena_alloc(e->memory, (b->s->reductions + 1) * sizeof *e->formed);
    memset(e->formed, 0, (b->s->reductions + 1) * sizeof *e->formed);
    for (; n != within && n->parent && n->parent != b->s->node && n->parent->kind != N_FORALL; n = n->parent)
        condition = both_conditions(e, condition_on(e, n->parent, n), condition);
    const bool *formed = e->formed;
    e->formed = NULL;
    for (size_t k = 0; k < b->s->reductions; k++)
        if (formed[k]) spmd_inner_reduction(e, b->s, (int)k);
    e->formed = outer;
    return condition;
}

static const char *earlier_masks(body *b, int mask) {
    return mask > 0 ? masks_before(b->e, b->s, mask) : "";
}

/* What is not evaluated gets subscripts outside the array. */
static void emit_tuple(body *b) {
    const reference *r = b->gathered;
    const node *within = r->reduction >= 0 ? b->s->reduction[r->reduction].call : NULL;
    const char *condition = path_condition(b, r->node, within);
    if (!within) condition = both_conditions(b->e, earlier_masks(b, r->mask), condition);
    code *around = open_guard(b->e, condition);
    if (b->recording)
        emit_recorded(b->e, b->s);
    else if (b->checking)
        emit_subscript_checks(b->e, b->s, r);
    text stores;
    text_start(&stores, b->e->memory);
    for (int d = 0; d < r->rank && !b->checking; d++)
        text_format(&stores, "%s\1%s_where[\1%s_n++] = %s", d ? ", " : "", r->placed.buffer, r->placed.buffer,
                    subscript_text(b->e, b->s, &r->subscript[d]));
    if (!b->checking) emit_line(b->e, "%s;", text_of(&stores));
    if (*condition && !b->checking) {
        open_else(b->e, true);
        emit_line(b->e, "for (int d = 0; d < %d; d++) \1%s_where[\1%s_n++] = INT64_MIN;", r->rank, r->placed.buffer,
                  r->placed.buffer);
    }
    close_block(b->e, around);
}

/* A reduction that is computed in place is computed only where the program comes to it. */
static void emit_inner_tuples(body *b) {
    const reduction *r = &b->s->reduction[b->gathered->reduction];
    const char *condition = r->in_place ? path_condition(b, r->call, NULL) : "";
    if (r->in_place) condition = both_conditions(b->e, earlier_masks(b, r->statement_mask), condition);
    code *around = open_guard(b->e, condition);
    b->tuples = true;
    nest(b, b->gathered->reduction, emit_tuple);
    b->tuples = false;
    close_block(b->e, around);
}

static void declare_counter(emitter *e, const reference *r) {
    const char *counter = counter_of(e, r);
    emit_declaration(e, counter, "dpc_index %s = 0;", counter);
}

/* Values gathered earlier that the subscripts or masks of this gather read. */
static void emit_earlier_counters(body *b) {
    for (size_t k = 0; k < b->s->references; k++)
        if (has_arrived(b, &b->s->reference[k])) declare_counter(b->e, &b->s->reference[k]);
}

static bool has_earlier(const body *b) {
    for (size_t k = 0; k < b->s->references; k++)
        if (has_arrived(b, &b->s->reference[k])) return true;
    return false;
}

static void emit_inspector(body *b) {
    emit_earlier_counters(b);
    emit_nest(b, b->gathered->reduction >= 0 ? emit_inner_tuples : emit_tuple);
}

/* What a gather whose values stay goes by. */
const char *inputs_text(emitter *e, const reference *r) {
    text out;
    if (r->combined.inputs == 0) return "0, NULL";
    text_start(&out, e->memory);
    text_format(&out, "%d, DPC_INPUTS(", (int)r->combined.inputs);
    for (size_t k = 0; k < r->combined.inputs; k++) {
        const symbol *s = r->combined.input[k];
        const char *what = s->array ? arena_format(e->memory, "%scontents", s->array->access) : s->name;
        text_format(&out, "%sDPC_INPUT(%s)", k ? ", " : "", what);
    }
    text_add(&out, ")");
    return text_of(&out);
}

const char *each_text(emitter *e, const reference *r, const char *op) {
    return r->rank == 1 ? "" : arena_format(e->memory, " %s %d", op, r->rank);
}

const char *row_width(emitter *e, const parallel *s, const reference *r, int mask) {
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < s->indices; k++)
        if (runs_in_row(s, r, mask, k)) text_format(&out, "%s%s->count[%d]", out.length ? " * " : "", space_of(e), k);
    return text_of(&out);
}

const char *rows_word(const parallel *s, const reference *r, int mask) {
    return has_rows(s, r, mask) ? "_rows" : "";
}

/* How many rows this process looks for: the iterations, without those along a row. */
static const char *row_count(emitter *e, const parallel *s, const reference *r, int mask) {
    const bool ragged = is_ragged(s, r->reduction);
    text out;
    text_start(&out, e->memory);
    if (ragged) text_add(&out, ragged_count(e, s, r->reduction));
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction >= 0 && s->index[k].reduction != r->reduction) continue;
        if (runs_in_row(s, r, mask, k) || (ragged && (s->index[k].reduction < 0 || s->index[k].ragged))) continue;
        text_format(&out, "%s%s->mine[%d]", out.length ? " * " : "", space_of(e), k);
    }
    return out.length ? text_of(&out) : "1";
}

/* The gather whose values are r's subscripts, one after the other; NULL: they must be collected. */
static const reference *lists_subscripts(const parallel *s, const reference *r, int mask) {
    const node *n = r->rank == 1 ? r->subscript[0].node : NULL;
    const reference *q = n ? reference_at(s, inside_parentheses((node *)n)) : NULL, *first;
    if (!q || q == &s->left || r == &s->left || !q->array || !is_always_read(s, r) || has_rows(s, r, mask)) return NULL;
    first = shared_with(s, q, mask);
    if (first) q = first;
    if (!is_gather(s, q, mask) || has_rows(s, q, mask) || q->combined.localised || r->mask >= 0) return NULL;
    return q->reduction == r->reduction && q->mask == r->mask && q->own_mask == r->own_mask ? q : NULL;
}

/* An earlier gather in the same iterations that stays, which knows how many accesses these are; NULL: none. */
static const reference *counted_before(const parallel *s, const reference *r, int mask) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *q = &s->reference[k];
        if (q == r) break;
        if (is_gather(s, q, mask) && q->combined.reused && !has_rows(s, q, mask) && q->reduction == r->reduction &&
            q->mask == r->mask && q->own_mask == r->own_mask)
            return q;
    }
    return NULL;
}

/* Whether the values of r's reduction were counted before an earlier gather, where this one finds their number. */
static bool is_counted(const parallel *s, const reference *r, int mask) {
    for (size_t k = 0; k < s->references && &s->reference[k] != r; k++) {
        const reference *q = &s->reference[k];
        if (!is_gather(s, q, mask) || q->combined.reused || q->reduction != r->reduction) continue;
        const bool knows = !has_rows(s, q, mask) && counted_before(s, q, mask);
        if (!knows && !inspected_with(s, q, mask) && !lists_subscripts(s, q, mask)) return true;
    }
    return false;
}

/* How many rows, or elements, this process looks for, at most; counts them if need be. */
static const char *looked_for(emitter *e, const parallel *s, const reference *r, int mask) {
    if (is_ragged(s, r->reduction) && counts_with_inspector(e, s, r->reduction)) {
        const reference *before = has_rows(s, r, mask) ? NULL : counted_before(s, r, mask);
        if (before) return arena_format(e->memory, "%s.count", before->combined.reused);
        if (!is_counted(s, r, mask)) emit_ragged_count(e, s, r->reduction);
    }
    return has_rows(s, r, mask) ? row_count(e, s, r, mask) : mine_count(e, s, r->reduction);
}

/* How many values were gathered for q. */
static const char *gathered_count(emitter *e, const parallel *s, const reference *q, int mask) {
    const reference *with = inspected_with(s, q, mask), *first = with ? with : q;
    const reference *list = lists_subscripts(s, first, mask);
    if (q->combined.reused) return arena_format(e->memory, "%s.count", q->combined.reused);
    if (list) return gathered_count(e, s, list, mask);
    return arena_format(e->memory, "\1%s_n%s", first->placed.buffer, each_text(e, q, "/"));
}

/* Whether such values are subscripts as they are. */
static bool are_indices(const reference *list) {
    return list->array->element == ELEMENT_LONG && sizeof(long) == sizeof(dpc_index);
}

/* The subscripts of r, from a list of others' type. */
static void emit_converted(emitter *e, const parallel *s, const reference *r, const reference *list, int mask) {
    const char *name = r->placed.buffer, *count = gathered_count(e, s, list, mask);
    emit_line(e, "dpc_index *\1%s_where = dpc_buffer(%s, sizeof(dpc_index));", name, count);
    for_loop l = {.ctype = "dpc_index", .counters = 1, .relation = "<", .last = count};
    l.counter[0] = (loop_counter){"\1n", "0", "1"};
    code *around = open_loop(e, &l);
    emit_line(e, "\1%s_where[\1n] = %s[\1n];", name, list->placed.buffer);
    close_block(e, around);
}

/* What says which elements: "clip or width, count, subscripts". */
static const char *accesses_text(emitter *e, const parallel *s, const reference *r, int mask) {
    const char *how = has_rows(s, r, mask) ? row_width(e, s, r, mask) : r->confined ? "true" : "false";
    const reference *list = lists_subscripts(s, r, mask);
    if (list)
        return arena_format(e->memory, "%s, %s, %s", how, gathered_count(e, s, list, mask),
                            are_indices(list) ? list->placed.buffer
                                              : arena_format(e->memory, "\1%s_where", r->placed.buffer));
    return arena_format(e->memory, "%s, \1%s_n%s, \1%s_where", how, r->placed.buffer, each_text(e, r, "/"),
                        r->placed.buffer);
}

void emit_subscripts(emitter *e, const parallel *s, const reference *r, int mask) {
    const char *name = r->placed.buffer;
    body b = {.e = e, .s = s, .mask = r->mask >= 0 ? r->mask : mask, .gathered = r};
    b.rows = has_rows(s, r, b.mask);
    const char *count = looked_for(e, s, r, mask);
    emit_line(e, "dpc_index *\1%s_where = dpc_buffer(%s%s, sizeof(dpc_index)), \1%s_n = 0;", name, count,
              each_text(e, r, "*"), name);
    code *around = has_earlier(&b) ? open_block(e) : NULL;
    emit_inspector(&b);
    if (around) close_block(e, around);
}

/* Whether q is r, or a gather of another array that r's inspector looks for, too. */
static bool is_looked_for(const parallel *s, const reference *q, const reference *r, int mask) {
    return q == r || inspected_with(s, q, mask) == r;
}

static int arrays_looked_for(const parallel *s, const reference *r, int mask) {
    int count = 0;
    for (size_t k = 0; k < s->references; k++) count += is_looked_for(s, &s->reference[k], r, mask);
    return count;
}

/* The name of the list of the arrays that one inspector looks for. */
static const char *list_name(emitter *e, const reference *r) {
    return arena_format(e->memory, "\1%s_all", r->placed.buffer);
}

static void declare_list(emitter *e, const parallel *s, const reference *r, int mask) {
    const bool stay = r->combined.reused != NULL;
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < s->references; k++) {
        const reference *q = &s->reference[k];
        if (!is_looked_for(s, q, r, mask)) continue;
        const char *more = out.length ? ", " : "";
        if (stay)
            text_format(&out, "%s{&%s, %s}", more, q->combined.reused, q->array->address);
        else
            text_format(&out, "%s{%s, NULL}", more, q->array->address);
    }
    emit_line(e, "%s %s[] = {%s};", stay ? "const dpc_gathered_array" : "dpc_gathered_values", list_name(e, r),
              text_of(&out));
}

/* The inspector, and the values that it finds, of several arrays. */
static void emit_common_inspection(emitter *e, const parallel *s, const reference *r, int mask, int arrays) {
    const char *list = list_name(e, r), *place = place_literal(e, r->node), *accesses = accesses_text(e, s, r, mask);
    int number = 0;
    if (r->combined.reused) {
        emit_line(e, "dpc_%s%s_together(%d, %s, %s, %s);", r->combined.localised ? "localise" : "gather",
                  rows_word(s, r, mask), arrays, list, place, accesses);
        return;
    }
    declare_list(e, s, r, mask);
    emit_line(e, "dpc_gather_all%s(%d, %s, %s, %s);", rows_word(s, r, mask), arrays, list, place, accesses);
    for (size_t k = 0; k < s->references; k++) {
        const reference *q = &s->reference[k];
        if (is_looked_for(s, q, r, mask))
            emit_line(e, "%s *%s = %s[%d].values;", element_spelling(q->array->element), q->placed.buffer, list,
                      number++);
    }
}

/* The same of one. */
static void emit_own_inspection(emitter *e, const parallel *s, const reference *r, int mask) {
    const char *address = r->array->address, *accesses = accesses_text(e, s, r, mask);
    const char *place = place_literal(e, r->node);
    if (r->combined.localised)
        emit_line(e, "dpc_localise_reused(&%s, %s, %s, %s);", r->combined.reused, place, address, accesses);
    else if (r->combined.reused)
        emit_line(e, "dpc_gather%s_reused(&%s, %s, %s, %s);", rows_word(s, r, mask), r->combined.reused, place, address,
                  accesses);
    else
        emit_line(e, "%s *%s = dpc_gather%s(%s, %s, %s);", element_spelling(r->array->element), r->placed.buffer,
                  rows_word(s, r, mask), place, address, accesses);
}

static void emit_inspection(emitter *e, const parallel *s, const reference *r, int mask) {
    const int arrays = arrays_looked_for(s, r, mask);
    const reference *list = lists_subscripts(s, r, mask);
    if (!list)
        emit_subscripts(e, s, r, mask);
    else if (!are_indices(list))
        emit_converted(e, s, r, list, mask);
    if (arrays > 1)
        emit_common_inspection(e, s, r, mask, arrays);
    else
        emit_own_inspection(e, s, r, mask);
    if (!list || !are_indices(list)) emit_line(e, "dpc_free_buffer(\1%s_where);", r->placed.buffer);
}

/* The condition that what r's inspector found serves no more. */
static code *open_if_unknown(emitter *e, const parallel *s, const reference *r, int mask) {
    const int arrays = arrays_looked_for(s, r, mask);
    const char *asked = r->combined.localised ? "localised" : "gathered", *inputs = inputs_text(e, r);
    if (arrays > 1) {
        declare_list(e, s, r, mask);
        return open_head(e, "if (!dpc_%s_together(%d, %s, %s, %s))", asked, arrays, list_name(e, r), space_of(e),
                         inputs);
    }
    return open_head(e, "if (!dpc_%s(&%s, %s, %s, %s))", asked, r->combined.reused, space_of(e), r->array->address,
                     inputs);
}

static void emit_reused_gather(emitter *e, const parallel *s, const reference *r, int mask) {
    code *around = open_if_unknown(e, s, r, mask);
    emit_inspection(e, s, r, mask);
    close_block(e, around);
    for (size_t k = 0; k < s->references; k++) {
        const reference *q = &s->reference[k];
        if (!is_looked_for(s, q, r, mask)) continue;
        emit_line(e, "const %s *%s = %s.%s;", element_spelling(q->array->element), q->placed.buffer, q->combined.reused,
                  q->combined.localised ? "found" : "values");
        if (q->combined.localised)
            emit_line(e, "const uint32_t *%s = %s.place;", place_of_access(e, q), q->combined.reused);
    }
}

static void emit_gather(emitter *e, const parallel *s, const reference *r, int mask) {
    if (inspected_with(s, r, mask)) return; /* it has come with that one */
    if (r->combined.reused)
        emit_reused_gather(e, s, r, mask);
    else
        emit_inspection(e, s, r, mask);
}

/* ---- Checks, by the same loops */

/* The block of what looks at iterations. */
static code *open_check(emitter *e, const parallel *s, const reference *r) {
    if (r->placed.matrix) return open_head(e, "if (%s)", submatrix_leaves(e, s, r));
    if (is_told_by_iterations(e->p, s, r))
        return open_block_with(e, "only the iterations tell whether %s is inside", quote(e, r->node));
    return open_head(e, "if (dpc_leaves(%s, %s, DPC_SUBSCRIPTS(%s), %s))", space_of(e), r->array->address,
                     compared_text(e, s, r, false), limits_text(e, s, r));
}

static void emit_check(emitter *e, const parallel *s, const reference *r, int mask) {
    body b = {.e = e, .s = s, .mask = r->mask >= 0 ? r->mask : mask, .gathered = r, .checking = true};
    code *around = open_check(e, s, r);
    emit_await(e, s, mask);
    emit_inspector(&b);
    close_block(e, around);
}

static void emit_reference_check(emitter *e, const parallel *s, const reference *r, int mask) {
    if (needed(s, r, mask) && (r->placed.relation != RELATION_GATHER || r->placed.matrix) && r != home_of(s) &&
        needs_checks(e->p, s, r))
        emit_check(e, s, r, mask);
}

/* Home's subscripts that find owners are those of executed iterations; the others may leave it. */
static void emit_home_check(emitter *e, const parallel *s, int mask) {
    const reference *home = home_of(s);
    const bool stored = home == &s->left;
    if (!home || (stored ? mask >= 0 : !needed(s, home, mask)) || !needs_checks(e->p, s, home)) return;
    emit_check(e, s, home, mask);
}

/* --check=all */
static void emit_assignments(emitter *e, const parallel *s) {
    body b = {.e = e, .s = s, .mask = -1, .gathered = &s->left, .checking = true, .recording = true};
    code *around = open_recording(e, s);
    emit_await(e, s, -1);
    emit_inspector(&b);
    close_recording(e, s, around);
}

void emit_gathers(emitter *e, const parallel *s, int mask) {
    begin_submatrices(e, s, mask);
    for (size_t k = 0; k < s->references; k++) {
        emit_reference_check(e, s, &s->reference[k], mask);
        if (is_gather(s, &s->reference[k], mask)) emit_gather(e, s, &s->reference[k], mask);
        if (source_of(s, &s->reference[k], mask) == SOURCE_MATRIX) emit_submatrix(e, s, &s->reference[k], mask);
    }
    emit_home_check(e, s, mask);
    if (mask < 0 && records_assignments(e->p, s)) emit_assignments(e, s);
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask)) declare_counter(e, &s->reference[k]);
}

void free_gathers(emitter *e, const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++)
        if (is_gather(s, &s->reference[k], mask) && !s->reference[k].combined.reused)
            emit_line(e, "dpc_free_buffer(%s);", s->reference[k].placed.buffer);
    for (size_t k = 0; k < s->references; k++)
        if (source_of(s, &s->reference[k], mask) == SOURCE_MATRIX) free_submatrix(e, &s->reference[k]);
}
