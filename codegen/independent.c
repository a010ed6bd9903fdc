/* Loops under `independent`: the body as it was written, its elements in the local parts or in buffers of values that
 * were brought before, and results of reduction(...) combined behind it. */
#include <string.h>

#include "spmd.h"

/* ---- reduction(op: s) */

static const char *start_of(const partial_result *r) {
    if (!strcmp(r->op, "+") || !strcmp(r->op, "-")) return "0";
    return !strcmp(r->op, "*") ? "1" : NULL;
}

static bool is_logical(const partial_result *r) {
    return !strcmp(r->op, "&&") || !strcmp(r->op, "||");
}

static void emit_partials(emitter *e, const independent_loop *x) {
    for (size_t k = 0; k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        const char *start = start_of(r);
        if (!start) start = is_logical(r) ? arena_format(e->memory, "%s != 0", r->symbol->name) : r->symbol->name;
        emit_line(e, "%s %s = %s;", element_spelling(r->symbol->type->element), r->name, start);
    }
}

/* Minima, maxima and logical results begin with the variable's value, so the processes' parts are all there is. */
static void combine_partials(emitter *e, const independent_loop *x) {
    for (size_t k = 0; k < x->partials; k++) {
        const partial_result *r = &x->partial[k];
        const char *s = r->symbol->name, *combine = !strcmp(r->op, "*")                             ? "DPC_PRODUCT"
                                                    : !strcmp(r->op, "min") || !strcmp(r->op, "&&") ? "DPC_MIN"
                                                    : !strcmp(r->op, "max") || !strcmp(r->op, "||") ? "DPC_MAX"
                                                                                                    : "DPC_SUM";
        if (is_logical(r)) emit_line(e, "%s = %s != 0;", r->name, r->name);
        emit_line(e, "%s = dpc_combined(%s, %s);", r->name, combine, r->name);
        if (start_of(r))
            emit_line(e, "%s %s= %s;", s, r->op[0] == '*' ? "*" : "+", r->name);
        else
            emit_line(e, "%s = %s;", s, r->name);
    }
}

static void name_partials(emitter *e, const independent_loop *x, node *n) {
    for (size_t k = 0; n->kind == N_NAME && k < x->partials; k++)
        if (n->symbol == x->partial[k].symbol) replace(e, n, x->partial[k].name);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_partials(e, x, n->child[c]);
}

/* ---- The body */

/* Every line but the first, moved to the right as far as the first one stands now. */
static const char *indented(emitter *e, const char *s, const char *before) {
    const char *indent = indentation_here(e);
    const size_t old = strlen(before);
    text out;
    text_start(&out, e->memory);
    for (; *s; s++) {
        text_add_bytes(&out, s, 1);
        if (*s != '\n' || s[1] == '\n') continue;
        text_add(&out, indent);
        s += strspn(s + 1, " \t") < old ? strspn(s + 1, " \t") : old;
    }
    return text_of(&out);
}

static void emit_variables(emitter *e, const parallel *s) {
    const independent_loop *x = s->loop;
    const char *variable = x->variable->name, *ctype = element_spelling(x->variable->type->element);
    if (strcmp(s->index[0].name, variable) != 0)
        emit_declaration(e, variable, "const %s %s = (%s)%s;", ctype, variable, ctype, s->index[0].name);
    for (size_t k = 0; k < x->privates; k++)
        emit_line(e, "__typeof__(%s) %s;", x->private[k] -> name, x -> private[k] -> name);
}

/* Whether nothing but white space stands between token t and the one before it. */
static bool follows_blank(const emitter *e, size_t t) {
    const char *blank = e->p->source->tokens[t].before;
    return !e->before[t] && !e->lead[t] && blank[strspn(blank, " \t\n")] == '\0';
}

/* The braces of a body that is all that stands in the loop are the loop's. */
static const char *body_text(emitter *e, const parallel *s) {
    const node *n = s->loop->body;
    const bool alone = s->loop->privates == 0 && !strcmp(s->index[0].name, s->loop->variable->name);
    if (n->kind != N_COMPOUND || n->count == 0 || !alone || !follows_blank(e, n->first + 1) ||
        !follows_blank(e, n->last))
        return indented(e, emit_node(e, n), indentation(e, s->node));
    return indented(e, emit_range(e, n->first + 1, n->last - 1), indentation(e, n->child[0]));
}

static void emit_body(body *b) {
    emitter *e = b->e;
    node *n = b->s->loop->body;
    emit_variables(e, b->s);
    name_partials(e, b->s->loop, n);
    rewrite(e, n);
    emit_end_checks(e, b->s);
    emit_line(e, "%s", body_text(e, b->s));
}

/* A variable declared before the loop has the value with which the loop would end. */
static void emit_last_value(emitter *e, const parallel *s) {
    const independent_loop *x = s->loop;
    const loop_index *i = &s->index[0];
    if (x->loop->child[0]->kind == N_DECLARATION) return;
    const char *lower = linear_words(e, &i->lower), *stride = linear_operand_words(e, &i->stride);
    emit_line(e, "%s = %s + %s * dpc_extent(%s, %s, %s, %s);", x->variable->name, lower, stride,
              place_literal(e, s->node), lower, linear_words(e, &i->upper), linear_words(e, &i->stride));
}

void emit_independent(body *b) {
    emit_partials(b->e, b->s->loop);
    emit_nest(b, emit_body);
    combine_partials(b->e, b->s->loop);
    emit_last_value(b->e, b->s);
}
