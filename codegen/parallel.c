/* Parallel statements of the SPMD program: owner computes.
 *
 *     {
 *         static dpc_space space;                 who executes which iterations
 *         dpc_transfer *B_move = dpc_fetch(...);  what is elsewhere is on its way
 *         double *A = A_dist.local;               what is here is read in place
 *         const double *B_in = dpc_arrive(B_move);
 *         loops over my runs
 *             A[i - i_shift] = B_in[i_at];
 *         dpc_release(B_move);
 *     } */
#include <string.h>

#include "spmd.h"

/* ---- What the loops hold */

static void emit_assignment(body *b, const char *indent) {
    if (!b->s->placed.tiled) emit_inner_reductions(b, indent);
    const char *left = reference_text(b->e, &b->s->left);
    text_format(b->out, "%s%s %s %s;\n", indent, left, b->s->op, expression(b->e, b->s->value));
}

static void emit_reduction_update(body *b, const char *indent) {
    emit_inner_reductions(b, indent);
    emit_update(b->e, b->out, &b->s->reduction[0], indent);
}

/* How the processes' results are combined. */
static const char *combination(const reduction *r) {
    return facts_of_operation(r->operation)->combination;
}

/* ---- Ways to execute */

void emit_prologue(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    if (!s->combined.bundle) emit_space(e, out, s, indent);
    if (s->loop) emit_range_checks(e, out, s, indent);
    if (mask < 0 && looks_outside(e->p, s)) emit_outside(e, out, s, mask, NULL, indent);
    emit_refresh(e, out, s, mask, indent);
    if (!s->combined.bundle) emit_fetches(e, out, &s, 1, mask, indent);
    emit_local_parts(e, out, s, mask, indent);
    emit_invariants(e, out, s, indent);
    emit_runs(e, out, s, indent);
    emit_end_refresh(out, s, mask, indent);
    emit_arrivals(e, out, s, mask, false, indent);
    emit_gathers(e, out, s, mask, indent);
}

void emit_epilogue(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    free_gathers(out, s, mask, indent);
    emit_arrivals(e, out, s, mask, true, indent);
}

/* All values first, then the stores: what is stored is read in place by other iterations. */
static void emit_values_first(emitter *e, text *out, const parallel *s, const char *indent) {
    const char *count = mine_product(e, s, -1), *ctype = buffer_ctype(e, s);
    body b = {.e = e, .out = out, .s = s, .mask = -1};
    text_format(out, "%s%s *\1values = dpc_buffer(%s, sizeof(%s));\n", indent, ctype, count, ctype);
    bool pointers = stores_by_pointer(s);
    if (pointers)
        text_format(out, "%s%s **\1targets = dpc_buffer(%s, sizeof *\1targets);\n", indent, left_ctype(e, s), count);
    const char *condition = condition_text(e, s);
    if (*condition) text_format(out, "%schar *\1kept = dpc_buffer(%s, 1);\n", indent, count);
    text_format(out, "%sdpc_index \1value_at = 0;\n", indent);
    if (s->calls_unknown) text_format(out, "%sdpc_each_element(true);\n", indent);
    const char *deep = open_loops(&b, -1, indent);
    if (*condition) text_format(out, "%sif (%s) {\n", deep, condition);
    const char *within = *condition ? deeper(e, deep) : deep;
    emit_inner_reductions(&b, within);
    text_format(out, "%s\1values[\1value_at] = %s;\n", within, expression(e, s->value));
    if (*condition) text_format(out, "%s\1kept[\1value_at] = 1;\n", within);
    if (pointers) text_format(out, "%s\1targets[\1value_at] = &%s;\n", within, reference_text(e, &s->left));
    emit_counters(&b, -1, false, within);
    if (*condition) text_format(out, "%s}\n", deep);
    emit_counters(&b, -1, true, deep);
    text_format(out, "%s\1value_at++;\n", deep);
    close_loops(&b, -1, indent);
    if (s->calls_unknown) text_format(out, "%sdpc_each_element(false);\n", indent);
    text_format(out, "%s\1value_at = 0;\n", indent);
    deep = open_loops(&b, -1, indent);
    text_format(out, "%s%s%s %s \1values[\1value_at];\n", deep, *condition ? "if (\1kept[\1value_at]) " : "",
                pointers ? "*\1targets[\1value_at]" : reference_text(e, &s->left), s->op);
    text_format(out, "%s\1value_at++;\n", deep);
    close_loops(&b, -1, indent);
    if (pointers) text_format(out, "%sdpc_free_buffer(\1targets);\n", indent);
    if (*condition) text_format(out, "%sdpc_free_buffer(\1kept);\n", indent);
    text_format(out, "%sdpc_free_buffer(\1values);\n", indent);
}

static void emit_scatter_item(body *b, const char *indent) {
    const reference *left = &b->s->left;
    const char *name = left->symbol->name;
    emit_inner_reductions(b, indent);
    for (int d = 0; d < left->rank; d++)
        text_format(b->out, "%s\1%s_where[\1%s_n * %d + %d] = %s;\n", indent, name, name, left->rank, d,
                    subscript_text(b->e, b->s, &left->subscript[d]));
    text_format(b->out, "%s\1%s_out[\1%s_n++] = %s;\n", indent, name, name, expression(b->e, b->s->value));
}

/* Values go to owners found at run time. */
static void emit_scatter(emitter *e, text *out, const parallel *s, const char *indent) {
    const array *a = s->left.array;
    const char *name = a->symbol->name, *ctype = buffer_ctype(e, s), *count = mine_product(e, s, -1);
    const char *place = place_literal(e, s->node);
    body b = {.e = e, .out = out, .s = s, .mask = -1};
    text_format(out, "%sdpc_index *\1%s_where = dpc_buffer(%s * %d, sizeof(dpc_index)), \1%s_n = 0;\n", indent, name,
                count, a->rank, name);
    text_format(out, "%s%s *\1%s_out = dpc_buffer(%s, sizeof(%s));\n", indent, ctype, name, count, ctype);
    emit_nest(&b, emit_scatter_item, indent);
    if (s->placed.home == HOME_REPLICATED)
        text_format(out, "%sif (dpc_rank() != 0) \1%s_n = 0; /* every process has them */\n", indent, name);
    if (strcmp(s->op, "=") != 0) {
        const char *element_type = element_spelling(a->element);
        const char *op = arena_text(e->memory, s->op, strlen(s->op) - 1);
        text_format(out, "%s%s *\1%s_old = dpc_gather(%s, %s, false, \1%s_n, \1%s_where);\n", indent, element_type,
                    name, place, a->address, name, name);
        text_format(out, "%sfor (dpc_index k = 0; k < \1%s_n; k++) \1%s_old[k] = \1%s_old[k] %s \1%s_out[k];\n", indent,
                    name, name, name, op, name);
        text_format(out, "%sdpc_scatter(%s, %s, \1%s_n, \1%s_where, \1%s_old);\n%sdpc_free_buffer(\1%s_old);\n", indent,
                    place, a->address, name, name, name, indent, name);
    } else
        text_format(out, "%sdpc_scatter(%s, %s, \1%s_n, \1%s_where, \1%s_out);\n", indent, place, a->address, name,
                    name, name);
    text_format(out, "%sdpc_free_buffer(\1%s_out);\n%sdpc_free_buffer(\1%s_where);\n", indent, name, indent, name);
}

/* ---- Comments: what moves, and why */

/* The case and the sets of one dimension. */
static void comment_dimension(emitter *e, text *out, const parallel *s, const reference *r, int d, const char *indent) {
    pairing x = pairing_of(e->p, s, r, d);
    if (x.index < 0 || x.method == METHOD_NONE) return;
    x.method = pairing_method(e->p, s, r, &x);
    text_format(out, "\n%s *     ", indent);
    if (r->rank > 1) text_format(out, "%s: ", s->index[x.index].name);
    const bool named = x.number > 1 || (x.number == 1 && x.method != METHOD_CLOSED); /* single blocks need no case */
    if (named) text_format(out, "case %d, ", x.number);
    if (x.method == METHOD_CLOSED && x.sections.text)
        text_format(out, "closed form, at most %s section%s a pair: iterations %s", x.sections.text,
                    strcmp(x.sections.text, "1") ? "s" : "", set_words(e, s, r, d));
    else if (x.method == METHOD_CLOSED)
        text_format(out, "closed form, iterations %s a pair", set_words(e, s, r, d));
    else
        text_format(out, "sets %s",
                    x.method == METHOD_ROWWISE     ? "row by row"
                    : x.method == METHOD_LATTICE   ? "by the lattice method"
                    : x.method == METHOD_ENUMERATE ? "by enumeration"
                                                   : "decided at run time");
}

/* The number of home's subscript that divides dimension g (from 1) of the grid. */
static int subscript_along(const reference *home, int g) {
    return dimension_along(home->array, g - 1);
}

/* The dimensions of the grid that a broadcast runs along; "": none, as home has the same invariant subscripts. */
static const char *lines_words(emitter *e, const reference *home, const reference *r) {
    text out;
    int g = 0, count = 0;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        if (!divides(&r->array->mapping, d)) continue;
        const int other = subscript_along(home, ++g);
        const subscript *u = &r->subscript[d], *v = other < 0 ? NULL : &home->subscript[other];
        if (u->kind != SUBSCRIPT_INVARIANT) continue;
        if (v && v->kind == SUBSCRIPT_INVARIANT && linear_equal(&u->offset, &v->offset)) continue;
        text_format(&out, "%s%d", count++ ? " and " : "", g);
    }
    return text_of(&out);
}

/* "" or that the values stay. */
static const char *staying_words(emitter *e, const reference *r) {
    const char *more = r->placed.relation == RELATION_GATHER ? ", what its subscripts are made of," : "";
    return r->combined.kept ? arena_format(e->memory, ", only where %s%s or the iterations have changed",
                                           r->array->symbol->name, more)
                            : "";
}

/* "moves to the owners of A[i] (block)". */
static const char *travel_words(emitter *e, const parallel *s, travel way) {
    const reference *home = home_of(s);
    const char *comment = facts_of_travel(way)->comment, *at = strstr(comment, "%s");
    if (!at) return comment;
    const char *where = home ? arena_format(e->memory, "to the owners of %s %s", quote(e, home->node),
                                            mapping_words(e->memory, home->array))
                             : "to every process";
    return arena_format(e->memory, "%.*s%s%s", (int)(at - comment), comment, where, at + 2);
}

static void comment_reference(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    const travel way = travel_of(e->p, s, r);
    if (way == TRAVEL_PANELS) {
        comment_operand(e, out, s, r, indent);
        return;
    }
    const char *words = travel_words(e, s, way);
    text_format(out, "\n%s *   %s %s", indent, quote(e, r->node), mapping_words(e->memory, r->array));
    if (way == TRAVEL_BROADCAST) {
        const char *lines = lines_words(e, home_of(s), r);
        text_format(out, ": %s%s%s%s%s", words, *lines ? " along dimension " : "", lines, *lines ? " of the grid" : "",
                    staying_words(e, r));
        return;
    }
    text_format(out, " %s%s", words, staying_words(e, r));
    if (r->placed.relation == RELATION_SETS && r->placed.move == MOVE_COPIED)
        text_add(out, ": a copy by the redistribution engine");
    if (r->placed.relation != RELATION_SETS || r->placed.move == MOVE_COPIED || way == TRAVEL_SAME) return;
    for (int d = 0; d < r->rank; d++) comment_dimension(e, out, s, r, d, indent);
}

static void emit_comment(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    const position *at = &e->p->source->tokens[s->node->first].where;
    if (!s->loop)
        text_format(out, "%s/* %s:%d: %s%s", indent, at->file, at->line, mask >= 0 ? "mask of " : "",
                    quote(e, s->node));
    if (s->loop) text_format(out, "%s/* %s:%d: independent on %s", indent, at->file, at->line, quote(e, s->left.node));
    for (size_t k = 0; k < s->references; k++)
        if (needed(s, &s->reference[k], mask) && !is_in_place(&s->reference[k]) &&
            !shared_with(s, &s->reference[k], mask))
            comment_reference(e, out, s, &s->reference[k], indent);
    comment_refresh(out, s, mask, indent);
    if (s->placed.scatter && mask < 0)
        text_format(out, "\n%s *   %s %s: %s", indent, quote(e, s->left.node), mapping_words(e->memory, s->left.array),
                    facts_of_travel(TRAVEL_SCATTERED)->comment);
    text_add(out, " */\n");
}

/* ---- Groups and reductions */

static void emit_mask_value(body *b, const char *indent) {
    bool uses[MAX_RANK];
    for (int k = 0; k < b->s->indices; k++) uses[k] = b->s->index[k].reduction < 0;
    const char *at = position_text(b->e, b->s, uses);
    text_format(b->out, "%s%s[%s] = %s;\n", indent, b->mask_buffer, at, mask_value(b->e, b->s, b->mask, at));
}

static void emit_save_mask(emitter *e, text *out, const parallel *s, int m, const char *indent) {
    const char *inside = deeper(e, indent);
    body b = {.e = e, .out = out, .s = s, .mask = m, .mask_buffer = s->mask_buffer[m]};
    emit_comment(e, out, s, m, indent);
    text_format(out, "%schar *%s;\n", indent, s->mask_buffer[m]);
    if (looks_outside(e->p, s)) text_format(out, "%schar *%s = NULL;\n", indent, s->placed.outside->mask_buffer[m]);
    text_format(out, "%s{\n", indent);
    emit_prologue(e, out, s, m, inside);
    text_format(out, "%s%s = dpc_buffer(%s, 1);\n", inside, s->mask_buffer[m], mine_product(e, s, -1));
    emit_nest(&b, emit_mask_value, inside);
    emit_epilogue(e, out, s, m, inside);
    if (looks_outside(e->p, s)) emit_outside(e, out, s, m, emit_mask_value, inside);
    text_format(out, "%s}\n", indent);
}

static void emit_copy(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    emit_space(e, out, s, indent);
    text_format(out, "%sdpc_copy(&\1space, %s, (const dpc_subscript[]){%s});\n", indent, r->array->address,
                subscripts_text(e, s, r, false));
    emit_changed(out, s, indent);
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
    text_add(&out, "(const dpc_bounds[]){");
    for (int d = 0; d < r->rank; d++) {
        const linear low = section_bound(e, s, &r->subscript[d], false);
        const linear high = section_bound(e, s, &r->subscript[d], true);
        text_format(&out, "%s{%s, %s}", d ? ", " : "", linear_text(e->memory, &low), linear_text(e->memory, &high));
    }
    text_add(&out, "}");
    return text_of(&out);
}

static void emit_section_copy(emitter *e, text *out, const parallel *s, const char *indent) {
    const reference *left = &s->left, *right = &s->reference[0];
    const char *method = e->p->redistribute, *schedule = e->p->schedule;
    const bool whole = is_whole_array(e, s, left) && is_whole_array(e, s, right), by = method || schedule;
    text_format(out, "%sdpc_copy_%s%s(%s, %s, ", indent, whole && !by ? "array" : "section", by ? "_by" : "",
                left->array->address, place_literal(e, s->node));
    if (whole && by)
        text_format(out, "NULL, %s, NULL", right->array->address);
    else if (whole)
        text_format(out, "%s", right->array->address);
    else
        text_format(out, "%s, %s, %s", bounds_text(e, s, left), right->array->address, bounds_text(e, s, right));
    if (by) text_format(out, ", \"%s\", \"%s\"", method ? method : "auto", schedule ? schedule : "auto");
    text_add(out, ");\n");
}

/* The whole statement is one call. */
static void emit_section_statement(emitter *e, text *out, const parallel *s, const char *indent) {
    const bool braces = s->conformities > 0;
    const char *inside = braces ? deeper(e, indent) : indent;
    if (braces) text_format(out, "%s{\n", indent);
    emit_comment(e, out, s, -1, inside);
    emit_conformity(e, out, s, inside);
    emit_section_copy(e, out, s, inside);
    if (braces) text_format(out, "%s}\n", indent);
}

/* What is done with the values of all iterations. */
static void emit_way(body *b, const char *indent) {
    const parallel *s = b->s;
    switch (execution_of(s, -1)->way) {
    case BY_ENGINE:
    case BY_COPY:
        break; /* done before */
    case BY_SCATTER:
        emit_scatter(b->e, b->out, s, indent);
        break;
    case BY_BUFFER:
        emit_values_first(b->e, b->out, s, indent);
        break;
    case BY_BODY:
        emit_independent(b, indent);
        break;
    case BY_FUNCTION:
        emit_sweep(b, emit_assignment, indent);
        break;
    case BY_LOOPS:
        emit_nest(b, emit_assignment, indent);
        break;
    }
}

static void emit_execute(emitter *e, text *out, const parallel *s, const char *indent) {
    const char *inside = deeper(e, indent);
    body b = {.e = e, .out = out, .s = s, .mask = -1, .threads = true};
    const execution_way way = execution_of(s, -1)->way;
    if (way == BY_ENGINE) {
        emit_section_statement(e, out, s, indent);
        return;
    }
    text_format(out, "%s{\n", indent);
    emit_comment(e, out, s, -1, inside);
    if (way == BY_COPY) {
        emit_copy(e, out, s, copied_reference(e->p, s), inside);
        text_format(out, "%s}\n", indent);
        return;
    }
    emit_prologue(e, out, s, -1, inside);
    if (s->placed.product) emit_product(e, out, s, inside);
    if (!s->placed.product || !s->placed.product->in_left) emit_way(&b, inside);
    if (s->placed.product) emit_end_product(e, out, s, inside);
    emit_epilogue(e, out, s, -1, inside);
    emit_changed(out, s, inside);
    for (int m = 0; m < s->masks; m++) {
        if (!s->mask_saved[m]) continue;
        text_format(out, "%sdpc_free_buffer(%s);\n", inside, s->mask_buffer[m]);
        if (looks_outside(e->p, s))
            text_format(out, "%sdpc_free_buffer(%s);\n", inside, s->placed.outside->mask_buffer[m]);
    }
    text_format(out, "%s}\n", indent);
}

/* ---- Statements in one nest of loops */

static void emit_chain_item(body *b, const char *indent) {
    for (int k = 0; k < b->chained; k++) {
        const parallel *s = b->chain[k];
        b->e->current = s;
        const char *condition = condition_text(b->e, s), *inside = *condition ? deeper(b->e, indent) : indent;
        if (*condition) text_format(b->out, "%sif (%s) {\n", indent, condition);
        if (s->kind == PARALLEL_REDUCTION)
            (*condition ? emit_update : emit_update_beside)(b->e, b->out, &s->reduction[0], inside);
        else
            text_format(b->out, "%s%s %s %s;\n", inside, reference_text(b->e, &s->left), s->op,
                        expression(b->e, s->value));
        if (*condition) text_format(b->out, "%s}\n", indent);
    }
    b->e->current = b->s;
}

/* Declares the results of the chain's reductions, which the statements behind use. */
static void start_chain(emitter *e, text *out, const parallel *s, const char *indent) {
    for (int k = 0; s->combined.chain && !is_joined(s) && k < s->combined.chain->count; k++)
        if (s->combined.chain->statement[k]->kind == PARALLEL_REDUCTION)
            emit_start(e, out, &s->combined.chain->statement[k]->reduction[0], indent);
}

static void emit_combination(text *out, const reduction *r, const char *indent) {
    text_format(out, "%s%s = dpc_combined(%s, %s);\n", indent, r->name, combination(r), r->name);
}

static bool stores_elements(const fusion *c) {
    for (int k = 0; k < c->count; k++)
        if (c->statement[k]->kind == PARALLEL_ASSIGNMENT) return true;
    return false;
}

/* One collective for all results of one kind and type. Stores in the loops could change variables whose addresses are
 * known elsewhere: there copies are combined. */
static void combine_together(emitter *e, text *out, const fusion *c, int count, const char *indent) {
    const bool copied = stores_elements(c);
    text list, copies, results;
    text_start(&list, e->memory);
    text_start(&copies, e->memory);
    text_start(&results, e->memory);
    for (int k = 0; k < c->count; k++) {
        if (c->statement[k]->kind != PARALLEL_REDUCTION) continue;
        const reduction *r = &c->statement[k]->reduction[0];
        const char *x = copied ? fresh_name(e->p, arena_format(e->memory, "%s_all", r->name)) : r->name;
        text_format(&list, "%s{%s, dpc_type_of(%s), &%s}", list.length ? ", " : "", combination(r), x, x);
        if (!copied) continue;
        text_format(&copies, "%s%s %s = %s;\n", indent, reduction_ctype(r), x, r->name);
        text_format(&results, "%s%s = %s;\n", indent, r->name, x);
    }
    text_format(out, "%s%sdpc_reduce_together(%d, (const dpc_result[]){%s});\n%s", text_of(&copies), indent, count,
                text_of(&list), text_of(&results));
}

static void combine_chain(emitter *e, text *out, const fusion *c, const char *indent) {
    const reduction *last = NULL;
    int count = 0;
    for (int k = 0; k < c->count; k++)
        if (c->statement[k]->kind == PARALLEL_REDUCTION) last = &c->statement[k]->reduction[0], count++;
    if (count == 1) emit_combination(out, last, indent);
    if (count > 1) combine_together(e, out, c, count, indent);
}

static void comment_chain(emitter *e, text *out, const fusion *c, const parallel *merged, const char *indent) {
    text_format(out, "%s/* ", indent);
    for (int k = 0; k < c->count; k++)
        text_format(out, "%s%s: %s", k ? arena_format(e->memory, "\n%s * ", indent) : "",
                    place_of(e->p, c->statement[k]->node), quote(e, c->statement[k]->node));
    for (size_t k = 0; k < merged->references; k++)
        if (needed(merged, &merged->reference[k], -1) && !is_in_place(&merged->reference[k]) &&
            !shared_with(merged, &merged->reference[k], -1))
            comment_reference(e, out, merged, &merged->reference[k], indent);
    comment_refresh(out, merged, -1, indent);
    text_add(out, " */\n");
}

static void emit_chain(emitter *e, text *out, const fusion *c, const char *indent) {
    const char *inside = deeper(e, indent);
    const parallel *merged = c->merged;
    body b = {.e = e, .out = out, .s = merged, .mask = -1, .chain = c->statement, .chained = c->count, .threads = true};
    e->current = merged;
    text_format(out, "%s{\n", indent);
    comment_chain(e, out, c, merged, inside);
    emit_prologue(e, out, merged, -1, inside);
    emit_nest(&b, emit_chain_item, inside);
    emit_epilogue(e, out, merged, -1, inside);
    for (int k = 0; k < c->count; k++) emit_changed(out, c->statement[k], inside);
    combine_chain(e, out, c, inside);
    text_format(out, "%s}\n", indent);
    e->current = NULL;
}

/* Action k and those that join it. */
static void emit_action(emitter *e, text *out, const group *g, size_t k, const char *indent) {
    const parallel *s = g->action[k].statement;
    e->current = s;
    if (g->action[k].mask >= 0)
        emit_save_mask(e, out, s, g->action[k].mask, indent);
    else if (s->combined.chain)
        emit_chain(e, out, s->combined.chain, indent);
    else
        emit_execute(e, out, s, indent);
    e->current = NULL;
}

/* ---- Statements that fetch what they read together */

/* The number of s in its bundle. */
static int number_in_bundle(const parallel *s) {
    int n = 0;
    while (s->combined.bundle->statement[n] != s) n++;
    return n;
}

/* The spaces of all statements, and their moves. */
static void open_bundle(emitter *e, text *out, const bundle *b, const char *indent) {
    text spaces;
    text_format(out, "%s/* ", indent);
    const char *place = "";
    for (int n = 0; n < b->count; n++) {
        const char *before = place;
        place = place_of(e->p, b->statement[n]->node);
        if (strcmp(place, before) != 0) text_format(out, "%s%s", n ? ", " : "", place);
    }
    text_add(out, ": what they fetch goes in one message to each process */\n");
    const parallel *all[MAX_BUNDLED];
    for (int n = 0; n < b->count; n++) {
        text_start(&spaces, e->memory);
        all[n] = e->current = b->statement[n];
        emit_space(e, &spaces, b->statement[n], indent);
        text_add(out, with_space(e, &spaces, n));
    }
    emit_fetches(e, out, all, b->count, -1, indent);
    e->current = NULL;
}

/* An action of a bundle's statement, with the name of its own space. */
static void emit_bundled(emitter *e, text *out, const group *g, size_t k, const char *indent) {
    const parallel *s = g->action[k].statement;
    const bundle *b = s->combined.bundle;
    const char *inside = deeper(e, indent);
    text one;
    if (s == b->statement[0]) {
        text_format(out, "%s{\n", indent);
        open_bundle(e, out, b, inside);
    }
    text_start(&one, e->memory);
    emit_action(e, &one, g, k, inside);
    text_add(out, with_space(e, &one, number_in_bundle(s)));
    if (s == b->statement[b->count - 1]) text_format(out, "%s}\n", indent);
}

/* *open: the block of a bundle is. */
static void emit_actions(emitter *e, text *out, const group *g, bool *open, const char *indent) {
    emit_hoists(e, out, &g->hoisted, 0, indent);
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        const bool last = k + 1 == g->actions || !g->action[k + 1].joins;
        const bundle *b = g->action[k].statement->combined.bundle;
        if (b)
            emit_bundled(e, out, g, k, indent), *open = g->action[k].statement != b->statement[b->count - 1];
        else if (!g->action[k].joins)
            emit_action(e, out, g, k, *open ? deeper(e, indent) : indent);
        if (g->action[k].mask < 0) executed++;
        if (g->action[k].mask < 0 && last) emit_hoists(e, out, &g->hoisted, executed, indent);
    }
    if (g->actions == 0) text_format(out, "%s;\n", indent);
}

/* Whether a group is one block, or one call, by itself. */
static bool is_one_block(const group *g) {
    size_t blocks = 0;
    for (size_t k = 0; k < g->actions; k++) blocks += !g->action[k].joins;
    return blocks <= 1 && g->hoisted.count == 0;
}

/* A group and those that continue it. */
void spmd_group(emitter *e, text *out, const group *g, const char *indent) {
    const bool braces = !is_one_block(g);
    const char *inside = braces ? deeper(e, indent) : indent;
    bool open = false;
    for (const group *x = g; x; x = x->next)
        for (size_t k = 0; k < x->actions; k++)
            if (x->action[k].mask < 0) start_chain(e, out, x->action[k].statement, indent);
    if (braces) text_format(out, "%s{\n", indent);
    for (const group *x = g; x; x = x->next) emit_actions(e, out, x, &open, inside);
    if (braces) text_format(out, "%s}\n", indent);
}

void spmd_reduction(emitter *e, text *out, const parallel *s, const char *indent) {
    const reduction *r = &s->reduction[0];
    const char *inside = deeper(e, indent);
    if (s->combined.chain) {
        start_chain(e, out, s, indent);
        emit_chain(e, out, s->combined.chain, indent);
        return;
    }
    body b = {.e = e, .out = out, .s = s, .mask = -1, .threads = true};
    emit_hoists(e, out, s->hoisted, 0, indent);
    e->current = s;
    emit_comment(e, out, s, -1, indent);
    emit_start(e, out, r, indent);
    text_format(out, "%s{\n", indent);
    emit_prologue(e, out, s, -1, inside);
    emit_nest(&b, emit_reduction_update, inside);
    emit_epilogue(e, out, s, -1, inside);
    if (home_of(s) && r->best)
        text_format(out, "%sdpc_reduce_place(%s, dpc_type_of(%s), &%s, &%s, %s);\n", inside, combination(r), r->best,
                    r->best, r->name, r->backwards);
    else if (home_of(s))
        emit_combination(out, r, inside);
    emit_finish(out, r, inside);
    text_format(out, "%s}\n", indent);
    e->current = NULL;
}
