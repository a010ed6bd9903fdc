/* Loops under `independent`: the body as it was written, its elements in the local parts or in buffers of values that
 * were brought before. */
#include <string.h>

#include "spmd.h"

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
    return !edit_at(e, t)->before && !edit_at(e, t)->lead && blank[strspn(blank, " \t\n")] == '\0';
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
    emit_partials(b->e, b->s);
    emit_nest(b, emit_body);
    combine_partials(b->e, b->s);
    emit_last_value(b->e, b->s);
}
