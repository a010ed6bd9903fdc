/* Scalars that iterations of a pipeline leave to the next, and `break` that leaves it:
 *
 *     x = dpc_carried_in(space, false, x);         double run_part = 0;
 *     loops                                        if (dpc_is_followed(space, false)) loops over run_part += ..;
 *     dpc_carry_on(space, false, x);               run += dpc_added_before(space, false, run_part);
 *     x = dpc_carried_last(space, false, x);       loops
 *                                                  run = dpc_carried_last(space, false, run); */
#include <string.h>

#include "spmd.h"

/* ---- The variables of the loops behind them */

static const char *trips_text(emitter *e, const parallel *s, const loop_index *i) {
    return arena_format(e->memory, "dpc_extent(%s, %s, %s, %s)", place_literal(e, s->node), linear_words(e, &i->lower),
                        linear_words(e, &i->upper), linear_words(e, &i->stride));
}

/* Whether n declares it: a copy of a loop declares the variable of the original. */
static bool declares_symbol(const node *n, const symbol *s) {
    if (n->kind == N_DECL_NAME && n->symbol == s) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && declares_symbol(n->child[c], s)) return true;
    return false;
}

/* The value that the variable of loop k has behind it, if no jump leaves it. */
static const char *last_value_text(emitter *e, const parallel *s, int k) {
    const loop_index *i = &s->index[k];
    const linear length = linear_subtract(e->memory, i->upper, i->lower);
    if (linear_is(&i->stride, 1) && linear_is_constant(&length) && length.constant >= 0) {
        const linear behind = i->descending ? linear_add(e->memory, i->lower, linear_constant(-1))
                                            : linear_add(e->memory, i->upper, linear_constant(1));
        return linear_words(e, &behind);
    }
    if (i->descending) return arena_format(e->memory, "%s - %s", linear_words(e, &i->upper), trips_text(e, s, i));
    if (linear_is(&i->stride, 1))
        return arena_format(e->memory, "%s + %s", linear_words(e, &i->lower), trips_text(e, s, i));
    return arena_format(e->memory, "%s + %s * %s", linear_words(e, &i->lower), linear_operand_words(e, &i->stride),
                        trips_text(e, s, i));
}

/* A variable declared before the loop has the value with which the loop would end, if there are iterations of those
 * around it. */
static void emit_last_value(emitter *e, const parallel *s, int k) {
    const independent_loop *x = s->loop;
    if (x->pipeline || declares_symbol(x->loop, x->counter[k])) return;
    code *around = e->at;
    for (int j = 0; j < k; j++) open_guard(e, arena_format(e->memory, "%s > 0", trips_text(e, s, &s->index[j])));
    emit_line(e, "%s = %s;", x->counter[k]->name, last_value_text(e, s, k));
    close_block(e, around);
}

void emit_last_values(emitter *e, const parallel *s) {
    for (int k = 0; k < s->loop->loops; k++) emit_last_value(e, s, k);
}

/* ---- Sums: what each process adds */

static bool is_in_slice(const independent_loop *x, const node *n) {
    for (size_t k = 0; k < x->slices; k++)
        if (x->slice[k] == n) return true;
    return false;
}

static bool holds_slice(const independent_loop *x, const node *n) {
    for (size_t k = 0; k < x->slices; k++)
        if (node_holds(n, x->slice[k])) return true;
    return false;
}

static const carried_scalar *carried_by(const independent_loop *x, const node *n) {
    const symbol *s = is_store(n) ? symbol_named(n->child[0]) : NULL;
    for (size_t k = 0; s && k < x->carrieds; k++)
        if (x->carried[k].symbol == s) return &x->carried[k];
    return NULL;
}

static void emit_added(emitter *e, const carried_scalar *s, node *n) {
    added_value part;
    added_part(n, s->symbol, &part);
    if (part.value)
        emit_line(e, "%s %s= %s;", s->part, part.subtracts ? "-" : "+", made_operand(e, part.value));
    else
        emit_line(e, "%s%s;", s->part, part.subtracts ? "--" : "++");
}

static void emit_slice_of(emitter *e, const independent_loop *x, node *n);

static void emit_slice_of_if(emitter *e, const independent_loop *x, node *n) {
    code *around = e->at;
    if (is_in_slice(x, n)) {
        emit_line(e, "if (%s) continue;", made_operand(e, n->child[0]));
        return;
    }
    emit_slice_of(e, x, n->child[0]);
    const char *condition = made_operand(e, n->child[0]);
    for (size_t c = 1; c < n->count; c++) {
        if (!n->child[c] || !holds_slice(x, n->child[c])) continue;
        open_guard(e, c == 1 ? condition : arena_format(e->memory, "!(%s)", condition));
        emit_slice_of(e, x, n->child[c]);
        close_block(e, around);
    }
}

static void emit_slice_of_loop(emitter *e, const independent_loop *x, node *n) {
    code *around = e->at;
    const size_t last = n->child[3]->first - 1; /* of the head */
    forget_replacements(e, n->first, last);
    for (size_t c = 0; c < 3; c++) rewrite(e, n->child[c]);
    open_head(e, "%s", emit_range(e, n->first, last));
    emit_slice_of(e, x, n->child[3]);
    close_block(e, around);
}

/* What adds, and what gives values to names that this is made of; with the conditions, loops and blocks around. */
static void emit_slice_of(emitter *e, const independent_loop *x, node *n) {
    code *around = e->at;
    if (!holds_slice(x, n)) return;
    if (n->kind == N_IF) {
        emit_slice_of_if(e, x, n);
    } else if (n->kind == N_FOR) {
        emit_slice_of_loop(e, x, n);
    } else if (is_in_slice(x, n) && (n->kind == N_DECLARATION || n->kind == N_EXPRESSION)) {
        forget_replacements(e, n->first, n->last);
        rewrite(e, n);
        emit_line(e, "%s", emit_node(e, n));
    } else {
        if (is_in_slice(x, n) && carried_by(x, n)) emit_added(e, carried_by(x, n), n);
        if (n->kind == N_COMPOUND && n != x->body && n->parent->kind == N_COMPOUND) open_block(e);
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) emit_slice_of(e, x, n->child[c]);
        if (e->at != around) close_block(e, around);
    }
}

static void emit_slice(body *b) {
    const independent_loop *x = b->s->loop;
    emit_loop_variables(b->e, b->s, x->body);
    emit_slice_of(b->e, x, x->body);
}

static void emit_parts(body *b) {
    emitter *e = b->e;
    const independent_loop *x = b->s->loop;
    const char *down = b->s->index[0].descending ? "true" : "false";
    for (size_t k = 0; k < x->carrieds; k++)
        emit_line(e, "%s %s = 0;", element_spelling(x->carried[k].symbol->type->element), x->carried[k].part);
    code *around =
        open_guard(e, x->keep_count > 0 ? "" : arena_format(e->memory, "dpc_is_followed(%s, %s)", space_of(e), down));
    emit_nest(b, emit_slice);
    close_block(e, around);
    for (size_t k = 0; k < x->carrieds; k++)
        emit_line(e, "%s += dpc_added_before(%s, %s, %s);", x->carried[k].symbol->name, space_of(e), down,
                  x->carried[k].part);
}

/* ---- Around the loops */

/* "space, false" */
static const char *course_text(emitter *e, const parallel *s) {
    return arena_format(e->memory, "%s, %s", space_of(e), s->index[0].descending ? "true" : "false");
}

static void emit_carried_in(emitter *e, const parallel *s, const char *name) {
    emit_line(e, "%s = dpc_carried_in(%s, %s);", name, course_text(e, s), name);
}

static void emit_carry_on(emitter *e, const parallel *s, const char *name) {
    emit_line(e, "dpc_carry_on(%s, %s);", course_text(e, s), name);
}

static void emit_carried_last(emitter *e, const parallel *s, const char *name) {
    emit_line(e, "%s = dpc_carried_last(%s, %s);", name, course_text(e, s), name);
}

static const carried_scalar *counting_scalar(const independent_loop *x, const kept_elements *k) {
    const carried_scalar *s = x->carried;
    while (strcmp(s->symbol->name, k->counter) != 0) s++;
    return s;
}

static void open_kept(emitter *e, const parallel *s) {
    const independent_loop *x = s->loop;
    for (size_t k = 0; k < x->keep_count; k++) {
        const array *a = x->keeps[k].symbol->array;
        emit_line(e, "%s *%s = dpc_kept_elements(%s, %s, %s, %s);", element_spelling(a->element), x->keeps[k].name,
                  a->address, place_literal(e, s->node), x->keeps[k].counter, counting_scalar(x, &x->keeps[k])->part);
    }
}

static void close_kept(emitter *e, const independent_loop *x) {
    for (size_t k = 0; k < x->keep_count; k++) {
        const char *m = x->keeps[k].counter, *part = counting_scalar(x, &x->keeps[k])->part;
        emit_line(e, "dpc_store_kept(%s, %s - %s, %s, %s);", x->keeps[k].symbol->array->address, m, part, part,
                  x->keeps[k].name);
    }
}

void open_carried(body *b) {
    emitter *e = b->e;
    const parallel *s = b->s;
    const independent_loop *x = s->loop;
    if (x->scans) emit_parts(b);
    open_kept(e, s);
    if (x->last_value) emit_line(e, "long %s = %s;", x->last_value, last_value_text(e, s, 0));
    if (x->left) emit_line(e, "bool %s = dpc_carried_in(%s, false);", x->left, course_text(e, s));
    if (x->left && x->last_value) emit_carried_in(e, s, x->last_value);
    for (size_t k = 0; !x->scans && k < x->carrieds; k++) emit_carried_in(e, s, x->carried[k].symbol->name);
}

void close_carried(emitter *e, const parallel *s) {
    const independent_loop *x = s->loop;
    close_kept(e, x);
    if (x->left) emit_carry_on(e, s, x->left);
    if (x->left && x->last_value) emit_carry_on(e, s, x->last_value);
    for (size_t k = 0; !x->scans && k < x->carrieds; k++) emit_carry_on(e, s, x->carried[k].symbol->name);
    for (size_t k = 0; k < x->carrieds; k++)
        if (x->carried[k].behind) emit_carried_last(e, s, x->carried[k].symbol->name);
    if (!x->last_value) return;
    const char *variable = x->counter[0]->name;
    if (x->left)
        emit_line(e, "%s = dpc_carried_last(%s, %s);", variable, course_text(e, s), x->last_value);
    else
        emit_line(e, "%s = %s;", variable, x->last_value);
}

/* What stands in place of each `break` that leaves the loop. */
void mark_leaves(emitter *e, const parallel *s) {
    const independent_loop *x = s->loop;
    for (size_t k = 0; k < x->leaves; k++) {
        node *n = x->leave[k];
        const bool alone = n->parent->kind != N_COMPOUND;
        const char *between = alone ? " " : arena_format(e->memory, "\n%s", indentation(e, n));
        text out;
        text_start(&out, e->memory);
        if (alone) text_add(&out, "{ ");
        if (x->last_value) text_format(&out, "%s = %s;%s", x->last_value, s->index[0].name, between);
        text_format(&out, "%s = true;%sbreak;%s", x->left, between, alone ? " }" : "");
        replace(e, n, text_of(&out));
    }
}
