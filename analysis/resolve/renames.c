/* Pass "resolve": names that generated code needs beside the program's own. */
#include <string.h>

#include "resolve.h"

/* ---- Lower bounds */

static void name_bounds(program *p, symbol *s, bool (*needs_name)(const node *lower)) {
    const type *t = s->type;
    for (int d = 0; t->kind == TYPE_ARRAY && d < MAX_RANK; d++, t = t->of) {
        const node *lower = t->array->child[1];
        int64_t known;
        if (!lower || constant_value(lower, &known) || !needs_name(lower)) continue;
        if (!s->lower_name) s->lower_name = arena_alloc(p->memory, MAX_RANK * sizeof *s->lower_name);
        s->lower_name[d] = unique_name(p, arena_format(p->memory, "%s_lower%d", s->name, d));
    }
}

static bool always(const node *lower) {
    (void)lower;
    return true;
}

void name_lower_bounds(program *p, symbol *s) {
    const node *around = s->declaration->parent;
    if (around && around->kind == N_COMPOUND && !s->is_static && !s->is_extern) name_bounds(p, s, always);
}

static void note_names(program *p, const node *n) {
    if (n->kind == N_NAME) names_put(p->memory, &p->in_bounds, n->name, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_names(p, n->child[c]);
}

static void note_bounds(program *p, const type *t) {
    for (; t && t->kind == TYPE_ARRAY; t = t->of)
        for (int c = 1; c <= 2; c++)
            if (t->array->child[c]) note_names(p, t->array->child[c]);
}

void name_parameter_bounds(program *p) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        symbol *s = p->symbols[k];
        if (s->is_parameter) note_bounds(p, s->type);
        if (s->is_parameter && s->kind == SYMBOL_VARIABLE && !s->array && s->scope->kind == N_COMPOUND)
            name_bounds(p, s, may_vary);
    }
}

/* ---- Indices */

static bool bounds_mention(const type *t, const symbol *index);

/* Whether n mentions something else of the index's name, which is not declared in the index's scope, or does so in the
 * bounds of an ordinary array, which sections take. */
static bool mentions_namesake(const node *n, const symbol *index) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    const node *scope = index->declaration;
    if (n->kind == N_NAME && s != index && !strcmp(n->name, index->name)) {
        const size_t at = s ? s->declarator->first : 0;
        return at < scope->first || at > scope->last;
    }
    if (s && s->kind == SYMBOL_VARIABLE && !s->array && bounds_mention(s->type, index)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_namesake(n->child[c], index)) return true;
    return false;
}

static bool bounds_mention(const type *t, const symbol *index) {
    for (; t && t->kind == TYPE_ARRAY; t = t->of)
        for (int c = 1; c <= 2; c++)
            if (t->array->child[c] && mentions_namesake(t->array->child[c], index)) return true;
    return false;
}

void rename_hiding_indices(program *p) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        symbol *s = p->symbols[k];
        if (s->kind == SYMBOL_INDEX && mentions_namesake(s->declaration, s)) s->spelling = unique_name(p, s->name);
    }
}
