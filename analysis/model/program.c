/* Names and places that several passes need. */
#include <string.h>

#include "model.h"

const char *place_of(const program *p, const node *n) {
    const position *at = &p->source->tokens[n->first].where;
    return arena_format(p->memory, "%s:%d", at->file, at->line);
}

static size_t slot_of(const program *p, const char *name) {
    size_t hash = 5381;
    for (const char *c = name; *c; c++) hash = hash * 33 + (unsigned char)*c;
    size_t slot = hash % p->spelling_slots;
    while (p->spelling[slot] && strcmp(p->spelling[slot], name) != 0) slot = (slot + 1) % p->spelling_slots;
    return slot;
}

/* The spellings of all tokens outside directives, as a hash table. */
static void collect_spellings(program *p) {
    p->spelling_slots = 2 * p->source->count + 1;
    p->spelling = arena_alloc(p->memory, p->spelling_slots * sizeof *p->spelling);
    for (size_t t = 0; t < p->source->count; t++)
        if (!p->source->tokens[t].in_directive)
            p->spelling[slot_of(p, p->source->tokens[t].text)] = p->source->tokens[t].text;
}

static bool is_taken(program *p, const char *name) {
    if (!p->spelling) collect_spellings(p);
    if (!strncmp(name, "dpc_", 4) && !strpbrk(name, "0123456789")) return true; /* the library's */
    if (p->spelling[slot_of(p, name)]) return true;
    for (size_t k = 0; k < p->name_count; k++)
        if (!strcmp(p->names[k], name)) return true;
    return false;
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

const char *moved_number(const reference *r) {
    return r->buffer + strlen(r->symbol->name) + strlen("_in");
}

const char *unique_name(program *p, const char *wish) {
    const char *name = wish;
    for (int k = 2; is_taken(p, name); k++) name = arena_format(p->memory, "%s_%d", wish, k);
    vector_add(p->memory, p->names, p->name_count, p->name_capacity, name);
    return name;
}

program *program_new(arena *a, source *s, node *unit, const analysis_options *options) {
    program *p = arena_alloc(a, sizeof *p);
    *p = (program){.memory = a, .source = s, .unit = unit, .np = options->np, .cost = options->cost,
                   .headers = options->headers, .sets = options->sets, .model = options->model,
                   .redistribute = options->redistribute, .schedule = options->schedule};
    return p;
}
