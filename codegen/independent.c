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

/* Whether a name in n is declared outside a part. */
static bool uses_outer(const node *whole, const node *n, const char *name) {
    const symbol *s = n->kind == N_NAME && !strcmp(n->name, name) ? n->symbol : NULL;
    if (n->kind == N_NAME && !strcmp(n->name, name) && !(s && s->declarator && node_holds(whole, s->declarator)))
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && uses_outer(whole, n->child[c], name)) return true;
    return false;
}

void emit_loop_variables(emitter *e, const parallel *s, const node *n) {
    const independent_loop *x = s->loop;
    for (int k = 0; x && k < x->loops; k++) {
        const char *variable = x->counter[k]->name, *ctype = element_spelling(x->counter[k]->type->element);
        if (strcmp(s->index[k].name, variable) != 0 && uses_outer(n, n, variable))
            emit_declaration(e, variable, "const %s %s = (%s)%s;", ctype, variable, ctype, s->index[k].name);
    }
}

static void emit_variables(emitter *e, const parallel *s) {
    const independent_loop *x = s->loop;
    emit_loop_variables(e, s, x->body);
    for (size_t k = 0; k < x->privates; k++)
        emit_line(e, "__typeof__(%s) %s;", x->private[k] -> name, x -> private[k] -> name);
}

/* Whether nothing but white space stands between token t and the one before it. */
static bool follows_blank(const emitter *e, size_t t) {
    const char *blank = e->p->source->tokens[t].before;
    return !edit_at(e, t)->before && !edit_at(e, t)->lead && blank[strspn(blank, " \t\n")] == '\0';
}

/* Whether a block declares something by the name. */
static bool declares(const node *block, const char *name) {
    for (size_t c = 0; c < block->count; c++)
        for (size_t k = 1; block->child[c] && block->child[c]->kind == N_DECLARATION && k < block->child[c]->count;
             k++) {
            const node *item = declared_name(block->child[c]->child[k]);
            if (item && !strcmp(item->name, name)) return true;
        }
    return false;
}

/* Whether the loops' variables and the body's can stand in one block. */
static bool has_own_counters(const parallel *s) {
    const independent_loop *x = s->loop;
    for (int k = 0; k < x->loops; k++)
        if (strcmp(s->index[k].name, x->counter[k]->name) != 0 && declares(x->body, x->counter[k]->name)) return false;
    return true;
}

/* The braces of a body that is all that stands in the loop are the loop's. */
static const char *body_text(emitter *e, const parallel *s) {
    const node *n = s->loop->body;
    const bool alone = s->loop->privates == 0 && has_own_counters(s);
    if (n->kind != N_COMPOUND || n->count == 0 || !alone || !follows_blank(e, n->first + 1) ||
        !follows_blank(e, n->last))
        return indented(e, emit_node(e, n), indentation(e, n));
    return indented(e, emit_range(e, n->first + 1, n->last - 1), indentation(e, n->child[0]));
}

static void emit_body(body *b) {
    emitter *e = b->e;
    node *n = b->s->loop->body;
    emit_variables(e, b->s);
    name_partials(e, b->s->loop, n);
    rewrite(e, n);
    mark_leaves(e, b->s);
    emit_iteration_accesses(e, b->s);
    emit_end_checks(e, b->s);
    emit_source(e, body_text(e, b->s));
}

void emit_independent(body *b) {
    b->threads = b->threads && !b->s->loop->pipeline;
    emit_partials(b->e, b->s);
    if (begin_accesses(b->e, b->s)) b->threads = false;
    open_carried(b);
    emit_nest(b, emit_body);
    close_carried(b->e, b->s);
    end_accesses(b->e, b->s);
    combine_partials(b->e, b->s);
    emit_last_values(b->e, b->s);
}
