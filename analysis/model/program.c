/* Names and places that several passes need. */
#include <string.h>

#include "model.h"
#include "types.h"

const char *place_of(const program *p, const node *n) {
    const token *at = &p->source->tokens[n->first];
    return arena_format(p->memory, "%s:%d", at->file, at->line);
}

/* The spellings of all tokens outside directives. */
static void collect_spellings(program *p) {
    for (size_t t = 0; t < p->source->count; t++) {
        const token *x = &p->source->tokens[t];
        if (!x->in_directive && !names_at(&p->taken, x->text)) names_put(p->memory, &p->taken, x->text, x->text);
    }
    for (size_t k = 0; k < p->source->definitions; k++) {
        const char *name = p->source->defined[k];
        if (!names_at(&p->taken, name)) names_put(p->memory, &p->taken, name, name);
    }
}

static bool is_taken(program *p, const char *name) {
    if (p->taken.count == 0) collect_spellings(p);
    if (!strncmp(name, "dpc_", 4) && !strpbrk(name, "0123456789")) return true; /* the library's */
    return names_at(&p->taken, name) != NULL;
}

const char *fresh_name(program *p, const char *wish) {
    const char *name = wish;
    for (int k = 1; is_taken(p, name); k++) name = arena_format(p->memory, k == 1 ? "%s_dpc" : "%s_dpc%d", wish, k);
    return name;
}

const char *moved_name(program *p, const symbol *x, int before) {
    const char *number = before ? arena_format(p->memory, "_%d", before + 1) : "";
    return fresh_name(p, arena_format(p->memory, "%s_in%s", x->name, number));
}

const char *index_name(program *p, const parallel *s, int k, const char *what) {
    for (int j = 0; j < k; j++) /* an inner reduction's index may have the name of another */
        if (!strcmp(s->index[j].name, s->index[k].name))
            return fresh_name(p, arena_format(p->memory, "%s%d_%s", s->index[k].name, k, what));
    return fresh_name(p, arena_format(p->memory, "%s_%s", s->index[k].name, what));
}

const char *moved_number(const reference *r) {
    return r->placed.buffer + strlen(r->symbol->name) + strlen("_in");
}

/* The last number that was given to a wish, 0: none yet. */
static int *last_number(program *p, const char *wish) {
    int *last = names_at(&p->numbers, wish);
    if (last) return last;
    last = arena_alloc(p->memory, sizeof *last);
    names_put(p->memory, &p->numbers, wish, last);
    return last;
}

const char *unique_name(program *p, const char *wish) {
    int *last = last_number(p, wish);
    const char *name;
    do {
        name = ++*last == 1 ? wish : arena_format(p->memory, "%s_%d", wish, *last);
    } while (is_taken(p, name));
    names_put(p->memory, &p->taken, name, name);
    return name;
}

/* Whether arrays of file scope are aligned: then functions may redistribute some whose names they hide. */
static bool aligns_in_file_scope(const program *p) {
    for (size_t c = 0; c < p->unit->count; c++)
        if (p->unit->child[c]->kind == N_ALIGN) return true;
    return false;
}

const char *unique_name_in(program *p, const node *scope, const char *wish) {
    while (scope && scope->kind != N_FUNCTION_DEFINITION) scope = scope->parent;
    if (!scope || aligns_in_file_scope(p)) return unique_name(p, wish);
    for (int k = 1;; k++) {
        const char *name = k == 1 ? wish : arena_format(p->memory, "%s_%d", wish, k);
        const char *here = arena_format(p->memory, "%zu %s", (size_t)scope->first, name);
        if (is_taken(p, name) || names_at(&p->taken, here)) continue;
        names_put(p->memory, &p->taken, here, here);
        return name;
    }
}

/* Whether it is a macro's or an enumerator's, which stand in generated text. */
static bool is_constant_name(const program *p, const char *name) {
    for (size_t k = 0; k < p->source->definitions; k++)
        if (!strcmp(p->source->defined[k], name)) return true;
    for (size_t k = 0; k < p->symbol_count; k++)
        if (p->symbols[k]->only_one && !strcmp(p->symbols[k]->name, name)) return true;
    return false;
}

bool stands_in_text(const program *p, const node *n, const char *name) {
    if (is_constant_name(p, name)) return true;
    for (size_t t = n->first; t <= n->last; t++)
        if (!strcmp(p->source->tokens[t].text, name)) return true;
    return names_at(&p->in_bounds, name) != NULL;
}

/* ---- What belongs to a node */

const array_list *arrays_of(const program *p, const node *n) {
    static const array_list none;
    const array_list *list = table_at(&p->arrays_of, n);
    return list ? list : &none;
}

static void add_array_of(program *p, const node *n, array *a) {
    array_list *list = table_at(&p->arrays_of, n);
    if (!list) table_put(p->memory, &p->arrays_of, n, list = arena_alloc(p->memory, sizeof *list));
    if (list->count == 0 || list->array[list->count - 1] != a)
        vector_add(p->memory, list->array, list->count, list->capacity, a);
}

void note_array(program *p, array *a) {
    a->number = p->array_count;
    vector_add(p->memory, p->arrays, p->array_count, p->array_capacity, a);
    add_array_of(p, a->directive, a);
    add_array_of(p, a->symbol->scope, a);
    if (a->symbol->declaration) add_array_of(p, a->symbol->declaration, a);
}

static const symbol_list *or_none(const symbol_list *list) {
    static const symbol_list none;
    return list ? list : &none;
}

const symbol_list *symbols_of(const program *p, const node *scope) {
    return or_none(table_at(&p->symbols_of, scope));
}

const symbol_list *declarations_of(const program *p, const char *function) {
    return or_none(names_at(&p->declared, function));
}

void note_symbol(program *p, symbol *s) {
    symbol_list *scope = table_at(&p->symbols_of, s->scope), *name = names_at(&p->declared, s->name);
    vector_add(p->memory, p->symbols, p->symbol_count, p->symbol_capacity, s);
    if (!scope) table_put(p->memory, &p->symbols_of, s->scope, scope = arena_alloc(p->memory, sizeof *scope));
    vector_add(p->memory, scope->symbol, scope->count, scope->capacity, s);
    if (s->kind != SYMBOL_FUNCTION) return;
    if (!name) names_put(p->memory, &p->declared, s->name, name = arena_alloc(p->memory, sizeof *name));
    vector_add(p->memory, name->symbol, name->count, name->capacity, s);
}

program *program_new(arena *a, source *s, node *unit, const analysis_options *options) {
    program *p = arena_alloc(a, sizeof *p);
    forget_records();
    *p = (program){.memory = a,
                   .source = s,
                   .unit = unit,
                   .np = options->np,
                   .has_pair = options->has_pair,
                   .pair = {options->pair[0], options->pair[1]},
                   .cost = options->cost,
                   .headers = options->headers,
                   .compiler = options->compiler,
                   .sets = options->sets,
                   .model = options->model,
                   .redistribute = options->redistribute,
                   .schedule = options->schedule,
                   .openmp = options->openmp,
                   .no_checks = options->no_checks,
                   .check_all = options->check_all,
                   .serial = options->serial,
                   .reproducible = options->reproducible,
                   .time_tiling = options->time_tiling};
    return p;
}
