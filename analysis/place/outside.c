/* Iterations whose element of home does not exist: nobody owns them, so nobody would execute them. Where masks or
 * triangular bounds decide whether the program does, a statement of its own evaluates these in just such iterations. */
#include <string.h>

#include "place.h"

/* Whether the owner is found by the subscript of home's dimension d. */
bool finds_owner(const parallel *s, int d) {
    const reference *home = home_of(s);
    const subscript *u = &home->subscript[d];
    return u->kind == SUBSCRIPT_INVARIANT || (u->kind == SUBSCRIPT_AFFINE && home_dimension(home, u->index) == d);
}

/* on(...) stands in no iteration: what holds in all of them is looked for where the body is. */
bool is_inside_home(const program *p, const parallel *s, int d) {
    const reference *home = home_of(s);
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!s->loop) return executed_in_bounds(p, s, home, d);
    return index_chain((node *)home->node, &name, subscripts, &count) && d < count &&
           element_in_bounds(p, s->loop, s->loop->body, home->array, subscripts[d], d);
}

static bool may_leave_home(const program *p, const parallel *s) {
    const reference *home = home_of(s);
    for (int d = 0; home && d < home->rank; d++)
        if (finds_owner(s, d) && !is_inside_home(p, s, d)) return true;
    return false;
}

static bool is_in_mask(const parallel *s, const reference *r) {
    return r->mask >= 0 || (r->reduction >= 0 && s->reduction[r->reduction].statement_mask >= 0);
}

parallel *conditions_of(program *p, const parallel *s) {
    parallel *t = arena_alloc(p->memory, sizeof *t);
    *t = copy_of_statement(p->memory, s);
    t->kind = PARALLEL_CHECK;
    t->loop = NULL;
    t->reference = arena_alloc(p->memory, (s->references + 1) * sizeof *t->reference);
    t->references = 0;
    for (size_t k = 0; k < s->references; k++)
        if (is_in_mask(s, &s->reference[k]))
            t->reference[t->references++] = copy_of_reference(p->memory, &s->reference[k]);
    t->reference_capacity = t->references;
    t->placed.drops = t->placed.drop_capacity = t->conformities = 0;
    t->placed.waits_for = -1;
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved)
            t->mask[m].buffer = unique_name(p, arena_format(p->memory, "%s_outside", s->mask[m].buffer));
    return t;
}

bool checks_home(const program *p, const parallel *s) {
    if (s->loop && (s->loop->directive->made || !has_triangular(s))) return false;
    return s->placed.clip && may_leave_home(p, s);
}
