/* The warning of a program that distributes no array: every process does all of its work. */
#include <string.h>

#include "../model/model.h"
#include "resolve.h"

/* The name of main where the file defines it. */
static const node *main_function(const program *p) {
    for (size_t c = 0; c < p->unit->count; c++) {
        const node *n = p->unit->child[c];
        const symbol *f = n->kind == N_FUNCTION_DEFINITION ? function_symbol(n) : NULL;
        if (f && !strcmp(f->name, "main")) return f->declarator;
    }
    return NULL;
}

/* An array of numbers that the file declares and subscripts in n; NULL: none. */
static const symbol *subscripted(const node *n) {
    if (n->kind == N_INDEX && n->child[0]->kind == N_NAME) {
        const symbol *s = n->child[0]->symbol;
        const bool is_array = s && s->kind == SYMBOL_VARIABLE && !s->is_parameter && s->type;
        if (is_array && s->type->kind == TYPE_ARRAY && s->type->array->child[2]) return s;
    }
    for (size_t c = 0; c < n->count; c++) {
        const symbol *s = n->child[c] ? subscripted(n->child[c]) : NULL;
        if (s) return s;
    }
    return NULL;
}

/* The first such array in a loop, a forall or an array assignment of n. */
static const symbol *worked_on(const node *n) {
    const bool works = n->kind == N_FOR || n->kind == N_FORALL || n->kind == N_WHILE || n->kind == N_DO;
    if (works || (n->kind == N_INDEX && n->child[1]->kind == N_TRIPLET)) return subscripted(n);
    for (size_t c = 0; c < n->count; c++) {
        const symbol *s = n->child[c] ? worked_on(n->child[c]) : NULL;
        if (s) return s;
    }
    return NULL;
}

/* Whether n calls a function that another file of the program may define: arrays may be distributed there. */
static bool calls_elsewhere(const node *n) {
    if (n->kind == N_CALL && n->child[0]->kind == N_NAME && n->child[0]->symbol) {
        const symbol *f = n->child[0]->symbol;
        if (f->kind == SYMBOL_FUNCTION && (!f->declaration || f->declaration->kind != N_FUNCTION_DEFINITION))
            return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && calls_elsewhere(n->child[c])) return true;
    return false;
}

static const char *formats_for(const program *p, const type *t) {
    text out;
    text_start(&out, p->memory);
    text_add(&out, "block");
    for (t = t->of; t && t->kind == TYPE_ARRAY; t = t->of) text_add(&out, ", *");
    return text_of(&out);
}

void warn_undistributed(const program *p) {
    const node *f = main_function(p);
    if (p->serial || p->array_count || !f) return;
    const symbol *s = worked_on(p->unit);
    if (!s || calls_elsewhere(p->unit)) return;
    diagnose(p->source, f, D_undistributed);
    diagnose_note(p->source, s->declarator, "'%s' is declared here", s->name);
    diagnose_help("behind its declaration: #pragma dpc distribute %s(%s)", s->name, formats_for(p, s->type));
}
