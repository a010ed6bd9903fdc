/* What is known of redistributions: those that move nothing, and why. */
#include "model.h"

const remapping *remapping_at(const program *p, const node *entity) {
    static const remapping moves;
    const remapping *found = table_at(&p->remappings, entity);
    return found ? found : &moves;
}

remapping *change_remapping(program *p, const node *entity) {
    remapping *found = table_at(&p->remappings, entity);
    if (!found) table_put(p->memory, &p->remappings, entity, found = arena_alloc(p->memory, sizeof *found));
    return found;
}

void add_late(program *p, const node *loop, node *directive) {
    node_list *l = table_at(&p->late_at, loop);
    if (!l) table_put(p->memory, &p->late_at, loop, l = arena_alloc(p->memory, sizeof *l));
    vector_add(p->memory, l->node, l->count, l->capacity, directive);
}

const node_list *late_behind(const program *p, const node *loop) {
    static const node_list none;
    const node_list *found = table_at(&p->late_at, loop);
    return found ? found : &none;
}

const char words_of_again[] = "moves nothing where an earlier iteration has left the array with this mapping";
const char words_of_copy[] = "moves nothing where it has not changed since it had this mapping: a copy has stayed";

bool moves_no_values(const remapping *r, const array *follower) {
    for (size_t k = 0; k < r->dead_count; k++)
        if (r->dead[k] == follower) return true;
    return false;
}

const char *words_of_remapping(const remapping *r) {
    static const char *const words[] = {
#define REMAPPING(name, words) words,
#include "remappings.def"
#undef REMAPPING
    };
    return words[r->kind];
}

const char *words_of_follower(const remapping *r, const array *follower) {
    return words_of_remapping(moves_no_values(r, follower) ? &(remapping){.kind = REMAPPING_DEAD} : &(remapping){0});
}
