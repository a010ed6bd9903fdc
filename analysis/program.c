/* Names and places that several passes need. */
#include <string.h>

#include "analysis.h"

const char *place_of(const program *p, const node *n) {
    const position *at = &p->source->tokens[n->first].where;
    return arena_format(p->memory, "%s:%d", at->file, at->line);
}

static bool is_taken(const program *p, const char *name) {
    for (size_t t = 0; t < p->source->count; t++)
        if (!p->source->tokens[t].in_directive && !strcmp(p->source->tokens[t].text, name)) return true;
    for (size_t k = 0; k < p->name_count; k++)
        if (!strcmp(p->names[k], name)) return true;
    return false;
}

const char *fresh_name(program *p, const char *wish) {
    const char *name = wish;
    for (int k = 2; is_taken(p, name); k++) name = arena_format(p->memory, "%s%d", wish, k);
    return name;
}

const char *unique_name(program *p, const char *wish) {
    const char *name = fresh_name(p, wish);
    vector_add(p->memory, p->names, p->name_count, p->name_capacity, name);
    return name;
}
