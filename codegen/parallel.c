/* Parallel statements of the SPMD program: owner computes.
 *
 *     {
 *         static dpc_space space;                 who executes which iterations
 *         DPC_TRANSFER B_move = dpc_fetch(...);   what is elsewhere is on its way
 *         double *A = A_dist.local;               what is here is read in place
 *         const double *B_in = dpc_arrive(B_move);
 *         loops over my runs
 *             A[i - i_shift] = B_in[i_at];
 *     } */
#include <string.h>

#include "spmd.h"

/* ---- What the loops hold */

static void emit_store(body *b) {
    emit_locals(b->e, b->s);
    const char *left = stored_text(b->e, b->s);
    emit_line(b->e, "%s %s %s;", left, b->s->op, expression(b->e, b->s->value));
}

/* The assignment with a prefix up to the iteration's own value, or to the one before. */
static void emit_store_of_prefix(body *b, int m) {
    emitter *e = b->e;
    const statement_mask *x = &b->s->mask[m];
    const char *ctype = saved_ctype(b->s, m), *value = "\1value";
    emit_line(e, "const %s %s = %s;", ctype, value, mask_value(e, b->s, m, ""));
    if (x->prefix->exclusive) emit_store(b);
    emit_update_of(e, x->prefix->operation, ctype, x->buffer, value);
    if (!x->prefix->exclusive) emit_store(b);
}

static void emit_assignment(body *b) {
    const int m = kept_prefix(b->s);
    if (!b->s->placed.tiled) emit_inner_reductions(b);
    if (m >= 0)
        emit_store_of_prefix(b, m);
    else
        emit_store(b);
}

static void emit_reduction_update(body *b) {
    emit_inner_reductions(b);
    emit_update(b->e, &b->s->reduction[0]);
}

/* ---- Ways to execute */

void emit_prologue(emitter *e, const parallel *s, int mask) {
    if (!s->combined.aggregate) emit_space(e, s);
    if (s->loop) emit_range_checks(e, s);
    if (mask < 0 && looks_outside(e->p, s)) emit_outside(e, s, mask, NULL);
    emit_refresh(e, s, mask);
    if (!s->combined.aggregate) emit_fetches(e, &s, 1, mask);
    emit_bounds_checks(e, s, mask);
    emit_begins(e, s, mask);
    emit_invariants(e, s);
    if (mask < 0 && !has_bounds_in_place(s)) emit_boxes_of_bounds(e, s);
    emit_runs(e, s);
    emit_views(e, s, mask, false);
    emit_end_refresh(e, s, mask);
    if (mask < 0 && has_bounds_in_place(s)) emit_boxes_of_bounds(e, s);
    emit_arrivals(e, s, mask);
    emit_gathers(e, s, mask);
}

void emit_epilogue(emitter *e, const parallel *s, int mask) {
    free_gathers(e, s, mask);
}

/* All values first, then the stores: what is stored is read in place by other iterations. */
static void emit_values_first(emitter *e, const parallel *s) {
    const char *count = mine_count(e, s, -1), *ctype = buffer_ctype(e, s);
    body b = {.e = e, .s = s, .mask = -1};
    emit_line(e, "%s *\1values = dpc_buffer(%s, sizeof(%s));", ctype, count, ctype);
    bool pointers = stores_by_pointer(s);
    if (pointers) emit_line(e, "%s **\1targets = dpc_buffer(%s, sizeof *\1targets);", left_ctype(e, s), count);
    const bool masked = s->masks > 0;
    if (masked) emit_line(e, "char *\1selected = dpc_buffer(%s, 1);", count);
    emit_line(e, "dpc_index \1value_at = 0;");
    if (s->calls_unknown) emit_line(e, "dpc_each_element(true);");
    code *around = open_loops(&b, -1), *guarded = open_guard(e, condition_text(e, s));
    emit_inner_reductions(&b);
    emit_locals(e, s);
    emit_line(e, "\1values[\1value_at] = %s;", expression(e, s->value));
    if (masked) emit_line(e, "\1selected[\1value_at] = 1;");
    if (pointers) emit_line(e, "\1targets[\1value_at] = &%s;", stored_text(e, s));
    emit_counters(&b, -1, false);
    close_block(e, guarded);
    emit_counters(&b, -1, true);
    emit_line(e, "\1value_at++;");
    close_block(e, around);
    if (s->calls_unknown) emit_line(e, "dpc_each_element(false);");
    emit_line(e, "\1value_at = 0;");
    open_loops(&b, -1);
    const char *stored = pointers ? "*\1targets[\1value_at]" : stored_text(e, s);
    if (masked) stored = arena_format(e->memory, "if (\1selected[\1value_at]) %s", stored);
    emit_line(e, "%s %s \1values[\1value_at%s];", stored, s->op, masked || pointers ? "" : "++");
    if (masked || pointers) emit_line(e, "\1value_at++;");
    close_block(e, around);
    if (pointers) emit_line(e, "dpc_free_buffer(\1targets);");
    if (masked) emit_line(e, "dpc_free_buffer(\1selected);");
    emit_line(e, "dpc_free_buffer(\1values);");
}

/* ---- Groups and reductions */

/* Where the value of an iteration is saved. */
static const char *saved_place(const body *b) {
    bool uses[MAX_RANK];
    for (int k = 0; k < b->s->indices; k++) uses[k] = b->s->index[k].reduction < 0;
    return position_text(b->e, b->s, uses);
}

static void emit_mask_value(body *b) {
    const char *at = saved_place(b);
    emit_line(b->e, "%s[%s] = %s;", b->mask_buffer, at, mask_value(b->e, b->s, b->mask, at));
}

/* What is combined so far, the iteration's own value included or not. */
static void emit_running_value(body *b) {
    const prefix_operation *x = b->s->mask[b->mask].prefix;
    const char *at = saved_place(b), *ctype = saved_ctype(b->s, b->mask), *value = "\1value";
    emit_line(b->e, "const %s %s = %s;", ctype, value, mask_value(b->e, b->s, b->mask, at));
    if (x->exclusive) emit_line(b->e, "%s[%s] = \1running;", b->mask_buffer, at);
    emit_update_of(b->e, x->operation, ctype, "\1running", value);
    if (!x->exclusive) emit_line(b->e, "%s[%s] = \1running;", b->mask_buffer, at);
}

/* The loops that save values combine them as well; what the processes before have comes to them behind. */
static void emit_running(body *b) {
    emitter *e = b->e;
    const parallel *s = b->s;
    const prefix_operation *x = s->mask[b->mask].prefix;
    const char *start = start_value_of(e, x->operation, s->mask[b->mask].node->type), *ctype = saved_ctype(s, b->mask);
    emit_line(e, "%s \1running = %s;", ctype, start);
    emit_nest(b, emit_running_value);
    emit_line(e, "dpc_scan_on(%s, %s, dpc_type_of(\1running), &(%s){%s}, &(%s){\1running}, %s);", space_of(e),
              facts_of_operation(x->operation)->combination, ctype, start, ctype, b->mask_buffer);
}

/* The values that are saved become their prefixes. */
static void emit_scan(emitter *e, const parallel *s, int m) {
    static const char *const kinds[2][2] = {{"DPC_PREFIX", "DPC_SUFFIX"},
                                            {"DPC_EXCLUSIVE_PREFIX", "DPC_EXCLUSIVE_SUFFIX"}};
    const prefix_operation *x = s->mask[m].prefix;
    const char *ctype = saved_ctype(s, m);
    emit_line(e, "%s(%s, %d, %d, %s, %s, dpc_type_of(*%s), &(%s){%s}, %s);",
              combines_in_order(e->p, x->operation, s->mask[m].node->type) ? "dpc_scan_in_order" : "dpc_scan",
              space_of(e), x->first, x->last, kinds[x->exclusive][x->suffix],
              facts_of_operation(x->operation)->combination, s->mask[m].buffer, ctype,
              start_value_of(e, x->operation, s->mask[m].node->type), s->mask[m].buffer);
}

/* Whether what is saved is the left side itself. */
static bool is_in_left(const parallel *s) {
    return execution_of(s, -1)->way == BY_PREFIX;
}

static void emit_save_mask(emitter *e, const parallel *s, int m) {
    body b = {.e = e, .s = s, .mask = m, .mask_buffer = s->mask[m].buffer};
    emit_comment(e, s, m);
    emit_line(e, "%s *%s;", saved_ctype(s, m), s->mask[m].buffer);
    if (looks_outside(e->p, s)) emit_line(e, "%s *%s = NULL;", saved_ctype(s, m), s->placed.outside->mask[m].buffer);
    code *around = open_block(e);
    emit_prologue(e, s, m);
    if (is_in_left(s))
        emit_line(e, "%s = (%s *)%slocal + %s.local; /* in place */", s->mask[m].buffer, saved_ctype(s, m),
                  s->left.array->access, name_of(e, s, s->left.subscript[0].index, "run"));
    else
        emit_line(e, "%s = dpc_buffer(%s, sizeof *%s);", s->mask[m].buffer, mine_count(e, s, -1), s->mask[m].buffer);
    if (execution_of(s, m)->running) {
        emit_running(&b);
    } else {
        emit_nest(&b, emit_mask_value);
        if (s->mask[m].prefix) emit_scan(e, s, m);
    }
    emit_epilogue(e, s, m);
    if (looks_outside(e->p, s)) emit_outside(e, s, m, emit_mask_value);
    close_block(e, around);
}

static void emit_copy(emitter *e, const parallel *s, const reference *r) {
    emit_space(e, s);
    emit_line(e, "dpc_copy(%s, %s, DPC_SUBSCRIPTS(%s));", space_of(e), r->array->address,
              subscripts_text(e, s, r, false));
    emit_changed(e, s);
}

/* ---- Copies by the redistribution engine */

/* First and last element of the section along dimension d. */
static linear section_bound(const emitter *e, const parallel *s, const subscript *u, bool upper) {
    const loop_index *x = &s->index[u->index];
    return linear_add(e->memory, upper ? x->upper : x->lower, u->offset);
}

static bool is_whole_array(const emitter *e, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const linear low = section_bound(e, s, &r->subscript[d], false);
        const linear high = section_bound(e, s, &r->subscript[d], true);
        if (!linear_equal(&low, &r->array->lower[d]) || !linear_equal(&high, &r->array->upper[d])) return false;
    }
    return true;
}

static const char *bounds_text(emitter *e, const parallel *s, const reference *r) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, "DPC_BOUNDS(");
    for (int d = 0; d < r->rank; d++) {
        const linear low = section_bound(e, s, &r->subscript[d], false);
        const linear high = section_bound(e, s, &r->subscript[d], true);
        text_format(&out, "%s{%s, %s}", d ? ", " : "", linear_words(e, &low), linear_words(e, &high));
    }
    text_add(&out, ")");
    return text_of(&out);
}

static void emit_section_copy(emitter *e, const parallel *s) {
    const reference *left = &s->left, *right = &s->reference[0];
    const char *method = e->p->redistribute, *schedule = e->p->schedule;
    const bool whole = is_whole_array(e, s, left) && is_whole_array(e, s, right), by = method || schedule;
    const char *to = whole ? by ? "NULL, " : "" : arena_format(e->memory, "%s, ", bounds_text(e, s, left));
    const char *from = whole ? by ? ", NULL" : "" : arena_format(e->memory, ", %s", bounds_text(e, s, right));
    const char *how =
        by ? arena_format(e->memory, ", \"%s\", \"%s\"", method ? method : "auto", schedule ? schedule : "auto") : "";
    emit_line(e, "dpc_copy_%s%s(%s, %s, %s%s%s%s);", whole && !by ? "array" : "section", by ? "_by" : "",
              left->array->address, place_literal(e, s->node), to, right->array->address, from, how);
}

/* The whole statement is one call. */
static void emit_section_statement(emitter *e, const parallel *s) {
    code *around = s->conformities > 0 ? open_block(e) : e->at;
    emit_comment(e, s, -1);
    emit_conformity(e, s);
    emit_section_copy(e, s);
    close_block(e, around);
}

/* What is done with the values of all iterations. */
static void emit_way(body *b) {
    const parallel *s = b->s;
    switch (execution_of(s, -1)->way) {
    case BY_ENGINE:
    case BY_COPY:
    case BY_PREFIX:
        break; /* done before */
    case BY_SCATTER:
        emit_scatter(b->e, s);
        break;
    case BY_BUFFER:
        emit_values_first(b->e, s);
        break;
    case BY_ROWS:
        emit_rows(b->e, s);
        break;
    case BY_KEPT:
        emit_kept_rows(b->e, s);
        break;
    case BY_BODY:
        emit_independent(b);
        break;
    case BY_FUNCTION:
        emit_outline(b, emit_assignment);
        break;
    case BY_LOOPS:
        emit_nest(b, emit_assignment);
        break;
    }
}

static void free_masks(emitter *e, const parallel *s) {
    for (int m = 0; m < s->masks; m++) {
        if (!s->mask[m].saved) continue;
        emit_line(e, "dpc_free_buffer(%s);", s->mask[m].buffer);
        if (looks_outside(e->p, s)) emit_line(e, "dpc_free_buffer(%s);", s->placed.outside->mask[m].buffer);
    }
}

void emit_stencil_part(emitter *e, const parallel *s) {
    body b = {.e = e, .s = s, .mask = -1, .boxes = true, .part = true};
    e->current = s;
    emit_views(e, s, -1, false);
    if (execution_of(s, -1)->way == BY_FUNCTION) {
        emit_outline(&b, emit_assignment);
    } else {
        emit_ends_of_box(e, s);
        e->inside = &b;
        code *around = open_loops(&b, -1);
        emit_assignment(&b);
        close_block(e, around);
        e->inside = NULL;
    }
    e->current = NULL;
}

/* What stands in the statement's block, behind its comment. */
static void emit_iterations(emitter *e, const parallel *s) {
    body b = {.e = e, .s = s, .mask = -1, .threads = true};
    emit_prologue(e, s, -1);
    if (s->placed.product) emit_product(e, s);
    if (!s->placed.product || !s->placed.product->in_left) emit_way(&b);
    if (s->placed.product) emit_end_product(e, s);
    emit_epilogue(e, s, -1);
    emit_changed(e, s);
    free_masks(e, s);
    free_results_of_elements(e, s);
}

static void emit_execute(emitter *e, const parallel *s) {
    const execution_way way = execution_of(s, -1)->way;
    if (way == BY_PREFIX) {
        emit_changed(e, s);
        return;
    }
    if (way == BY_ENGINE) {
        emit_section_statement(e, s);
        return;
    }
    code *around = open_block(e);
    emit_comment(e, s, -1);
    if (way == BY_COPY)
        emit_copy(e, s, copied_reference(e->p, s));
    else
        emit_iterations(e, s);
    close_block(e, around);
}

/* ---- Statements in one nest of loops */

static void emit_chained(emitter *e, const parallel *s) {
    const char *condition = condition_text(e, s);
    code *around = open_guard(e, condition);
    if (s->kind == PARALLEL_REDUCTION)
        (*condition ? emit_update : emit_update_beside)(e, &s->reduction[0]);
    else {
        emit_locals(e, s);
        emit_line(e, "%s %s %s;", stored_text(e, s), s->op, expression(e, s->value));
    }
    close_block(e, around);
}

static void emit_chain_item(body *b) {
    const fusion *c = b->chain[0]->combined.chain;
    for (size_t k = 0; k < c->items; k++) {
        const parallel *s = b->e->current = c->item[k].statement;
        const int m = c->item[k].mask;
        if (m < 0)
            emit_chained(b->e, s);
        else
            emit_line(b->e, "const %s %s = %s;", saved_ctype(s, m), s->mask[m].buffer, mask_value(b->e, s, m, ""));
    }
    b->e->current = b->s;
}

/* Whether an earlier statement of the chain stores into the same array. */
static bool is_stored_before(const fusion *c, int k) {
    for (int j = 0; j < k; j++)
        if (c->statement[j]->kind == PARALLEL_ASSIGNMENT && c->statement[j]->left.array == c->statement[k]->left.array)
            return true;
    return false;
}

static void emit_chain(emitter *e, const fusion *c) {
    const parallel *merged = c->merged;
    body b = {.e = e, .s = merged, .mask = -1, .chain = c->statement, .chained = c->count, .threads = true};
    e->current = merged;
    code *around = open_block(e);
    comment_chain(e, c);
    emit_prologue(e, merged, -1);
    emit_nest(&b, emit_chain_item);
    emit_epilogue(e, merged, -1);
    for (int k = 0; k < c->count; k++) {
        if (!is_stored_before(c, k)) emit_changed(e, c->statement[k]);
        free_results_of_elements(e, c->statement[k]);
    }
    combine_chain(e, c);
    close_block(e, around);
    e->current = NULL;
}

/* Whether an action is executed in loops that another one opens: those before, or its own statement's; or is no more
 * than to read bounds there. */
static bool is_in_other_loops(const action *x) {
    return x->joins || (x->mask >= 0 && (x->mask == kept_prefix(x->statement) || x->statement->mask[x->mask].in_place));
}

/* Action k and those that join it. */
static void emit_action(emitter *e, const group *g, size_t k) {
    const parallel *s = g->action[k].statement;
    const int mask = g->action[k].mask;
    const bool saves = mask >= 0 && s->mask[mask].saved;
    e->current = s;
    emit_later(e, s, saves ? mask : -1);
    if (saves)
        emit_save_mask(e, s, mask);
    else if (s->combined.chain)
        emit_chain(e, s->combined.chain);
    else if (s->results)
        emit_results_of_elements(e, s);
    else
        emit_execute(e, s);
    e->current = NULL;
}

/* ---- Statements that fetch what they read together */

/* The number of s in its aggregate. */
static int number_in_aggregate(const parallel *s) {
    int n = 0;
    while (s->combined.aggregate->statement[n] != s) n++;
    return n;
}

/* The spaces of all statements, and their moves. */
static void open_aggregate(emitter *e, const aggregate *b) {
    text places;
    const char *place = "", *space = e->space;
    const parallel *all[MAX_AGGREGATED];
    text_start(&places, e->memory);
    for (int n = 0; n < b->count; n++) {
        const char *before = place;
        place = place_of(e->p, b->statement[n]->node);
        if (strcmp(place, before) != 0) text_format(&places, "%s%s", n ? ", " : "", place);
    }
    emit_line(e, "/* %s: what they fetch goes in one message to each process */", text_of(&places));
    for (int n = 0; n < b->count; n++) {
        all[n] = e->current = b->statement[n];
        e->space = space_name(e, space, n);
        emit_space(e, b->statement[n]);
    }
    e->space = space;
    emit_fetches(e, all, b->count, -1);
    e->current = NULL;
}

/* An action of an aggregate's statement, with the name of its own space. */
static void emit_aggregated(emitter *e, const group *g, size_t k, code **around) {
    const parallel *s = g->action[k].statement;
    const aggregate *b = s->combined.aggregate;
    const char *space = e->space;
    if (s == b->statement[0]) {
        *around = open_block(e);
        open_aggregate(e, b);
    }
    e->space = space_name(e, space, number_in_aggregate(s));
    emit_action(e, g, k);
    e->space = space;
    if (s != b->statement[b->count - 1]) return;
    close_block(e, *around);
}

/* *around: the block around that of an aggregate which is open. */
static void emit_actions(emitter *e, const group *g, code **around) {
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        const bool last = k + 1 == g->actions || !g->action[k + 1].joins;
        if (g->action[k].statement->combined.aggregate)
            emit_aggregated(e, g, k, around);
        else if (!is_in_other_loops(&g->action[k]))
            emit_action(e, g, k);
        if (g->action[k].mask < 0) executed++;
        if (g->action[k].mask >= 0 || !last) continue;
        emit_hoists(e, &g->hoisted, executed);
        emit_agreement_of_hoisted(e, g, executed);
    }
    if (g->actions == 0) emit_line(e, ";");
}

/* Whether a group is one block, or one call, by itself; results for each element may stand before it among other
 * declarations, as their names are the program's own. */
static bool is_one_block(const group *g) {
    const bool among_others = g->node->parent->kind == N_COMPOUND;
    size_t blocks = 0;
    for (size_t k = 0; k < g->actions; k++)
        blocks += !is_in_other_loops(&g->action[k]) && !(among_others && g->action[k].statement->results);
    return blocks <= 1 && g->hoisted.count == 0;
}

/* A group and those that continue it. */
void spmd_group(emitter *e, const group *g) {
    code *around_aggregate = NULL;
    forget_foreseen(e);
    for (const group *x = g; x; x = x->next)
        for (size_t k = 0; k < x->actions; k++)
            if (x->action[k].mask < 0) start_chain(e, x->action[k].statement);
    code *around = is_one_block(g) && !e->p->check_all ? e->at : open_block(e);
    for (const group *x = g; x; x = x->next) {
        emit_hoists(e, &x->hoisted, 0);
        if (x == g)
            emit_agreement(e, g);
        else
            emit_agreement_of_hoisted(e, x, 0);
        emit_actions(e, x, &around_aggregate);
    }
    close_block(e, around);
}

void spmd_reduction(emitter *e, const parallel *s) {
    const reduction *r = &s->reduction[0];
    forget_foreseen(e);
    if (s->combined.chain) {
        start_chain(e, s);
        emit_agreement_of(e, s);
        emit_chain(e, s->combined.chain);
        return;
    }
    body b = {.e = e, .s = s, .mask = -1, .threads = true};
    emit_hoists(e, s->hoisted, 0);
    emit_agreement_of(e, s);
    e->current = s;
    if (!s->combined.continues) emit_start(e, r);
    code *around = open_block(e);
    emit_comment(e, s, -1);
    emit_prologue(e, s, -1);
    emit_nest(&b, emit_reduction_update);
    emit_epilogue(e, s, -1);
    if (has_parts_of_processes(s) && r->best)
        emit_line(e, "dpc_reduce_place(%s, dpc_type_of(%s), &%s, &%s, %s);",
                  facts_of_operation(r->operation)->combination, r->best, r->best, r->name, r->backwards);
    else if (has_parts_of_processes(s))
        combine_result(e, s);
    emit_finish(e, r);
    close_block(e, around);
    e->current = NULL;
}
