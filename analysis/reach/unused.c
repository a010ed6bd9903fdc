/* Redistributions that give an array a mapping which no statement uses: it is redistributed again before, or ends. They
 * are left out, and whatever reaches them goes on. */
#include "reach.h"

/* What moves others along has a mapping that others use. */
static bool is_alone_redistributed(const array *a) {
    return a->redistributed && !a->alignment && !a->realigned && !a->is_template && !a->followed && !a->shared;
}

static mappings site_given(reach *x, node *directive, node *entity, array *a, mappings before) {
    (void)directive, (void)before;
    return site_bit(x, entity, a);
}

static void note_unused(reach *x) {
    state used = new_state(x);
    for (size_t k = 0; k < x->names; k++)
        if (x->name[k].name->kind != N_ENTITY) used[x->name[k].number] |= x->name[k].found;
    for (size_t k = 0; k < x->sites; k++)
        if (!(used[x->site[k].number] & x->site[k].bit) && x->site[k].bit != ANY)
            change_remapping(x->p, x->site[k].entity)->kind = REMAPPING_UNUSED;
}

void find_unused(program *p) {
    static const problem last_executed = {.given = site_given, .all = all_sites};
    solve_for_sites(p, &last_executed, is_alone_redistributed, note_unused);
}
