/* Pass "reaching": which mappings an array may have where a statement names it.  Where there is one only, the statement
 * is compiled as if the array had been distributed so: the name stands for the array with that mapping (a view); else
 * for the array with an unknown one. */
#include "reach.h"

/* ---- Arrays whose mapping changes */

static void track(reach *x) {
    program *p = x->p;
    for (size_t k = 0; k < p->array_count; k++) {
        if (!p->arrays[k]->redistributed || p->arrays[k]->dynamic || p->arrays[k]->alignment) continue;
        vector_add(p->memory, x->tracked, x->count, x->capacity, p->arrays[k]);
        forget_mapping(p, p->arrays[k]);
    }
    for (size_t k = 0; k < x->count; k++) table_put(p->memory, &x->numbers, x->tracked[k], &x->tracked[k]);
}

/* All views that redistributions make. */
static void make_views(reach *x, node *n) {
    array *moved[MOST_MOVED];
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++)
        for (size_t k = moved_arrays(n->child[c], moved); k-- > 0;)
            if (number_of(x, moved[k]) >= 0) given_mapping(x, n, n->child[c], moved[k]);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) make_views(x, n->child[c]);
}

/* ---- What is found */

/* The names in an independent loop, and in its directive, are those of one statement. */
static void gather(const reach *x, const node *n, mappings *found, bool set) {
    const size_t *place = table_at(&x->name_at, n);
    if (place && set) x->name[*place].found = found[x->name[*place].number];
    if (place && !set) found[x->name[*place].number] |= x->name[*place].found;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) gather(x, n->child[c], found, set);
}

static void join_independent(reach *x, node *n) {
    const node *directive = n->kind == N_FOR ? independent_directive(n) : NULL;
    if (directive) {
        state found = new_state(x);
        for (int set = 0; set < 2; set++) {
            gather(x, directive, found, set);
            gather(x, n, found, set);
        }
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) join_independent(x, n->child[c]);
}

static array *view_of(array *a, mappings found) {
    for (size_t k = 0; k < a->views; k++)
        if (found == FIRST_VIEW << k) return a->view[k];
    return a->unknown;
}

static void note_views(reach *x) {
    for (size_t k = 0; k < x->names; k++) {
        const flow_name *n = &x->name[k];
        array *a = x->tracked[n->number];
        reached *r = arena_alloc(x->p->memory, sizeof *r);
        *r = (reached){.name = n->name, .array = view_of(a, n->found), .known = n->found != 0 && !(n->found & ANY)};
        for (size_t v = 0; v < a->views; v++)
            if (n->found & (FIRST_VIEW << v)) vector_add(x->p->memory, r->view, r->views, r->capacity, a->view[v]);
        vector_add(x->p->memory, x->p->reached, x->p->reached_count, x->p->reached_capacity, r);
        table_put(x->p->memory, &x->p->reached_at, n->name, r);
    }
}

void find_reaching(program *p) {
    reach x = {.p = p};
    track(&x);
    if (x.count == 0) return;
    make_views(&x, p->unit);
    find_functions(&x);
    follow_functions(&x);
    join_independent(&x, p->unit);
    note_views(&x);
}
