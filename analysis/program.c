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
    for (size_t a = 0; a < p->array_count; a++)
        if (!strcmp(p->arrays[a]->descriptor, name)) return true;
    return false;
}

const char *fresh_name(program *p, const char *wish) {
    const char *name = wish;
    for (int k = 2; is_taken(p, name); k++) name = arena_format(p->memory, "%s%d", wish, k);
    return name;
}
