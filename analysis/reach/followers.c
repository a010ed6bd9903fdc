/* Views of aligned arrays: what moves along with another array has one mapping for each of that one's, so that a name
 * of it stands for the view that belongs to the other's. */
#include "reach.h"

/* ---- Which arrays have views */

/* The directives that redistribute an array. */
typedef struct {
    const node **directive;
    size_t count, capacity;
} movers;

void note_mover(reach *x, const node *directive, const node *entity) {
    const array *end = entity->symbol ? entity->symbol->array : NULL;
    if (!end) return;
    movers *m = table_at(&x->movers_of, end);
    if (!m) table_put(x->memory, &x->movers_of, end, m = arena_alloc(x->memory, sizeof *m));
    vector_add(x->memory, m->directive, m->count, m->capacity, directive);
}

static bool stands_inside(const node *n, const node *scope) {
    while (n && n != scope) n = n->parent;
    return n != NULL;
}

/* Whether the array can be named in every directive that moves it, to say which room it needs. */
static bool is_visible_where_moved(const reach *x, const array *a, const array *end) {
    const movers *m = table_at(&x->movers_of, end);
    for (size_t k = 0; m && k < m->count; k++) {
        const node *n = m->directive[k];
        if (n->first < a->directive->last || !stands_inside(n, a->symbol->scope)) return false;
    }
    return true;
}

static bool has_followed_views(const reach *x, const array *a) {
    const array *end = end_of_chain(a);
    for (const array *link = a; link->alignment; link = link->alignment->with)
        if (link->realigned || link->shared || link->parameter || link->prototype) return false;
    return a->alignment && end->unknown && number_of(x, end) >= 0 && is_visible_where_moved(x, a, end);
}

const array *tracked_array(const array *a) {
    return a->alignment && a->unknown ? end_of_chain(a) : a;
}

void make_followers(reach *x) {
    program *p = x->p;
    for (size_t k = 0; k < p->array_count; k++) {
        array *a = p->arrays[k];
        if (!has_followed_views(x, a) || (a->alignment->with->alignment && !a->alignment->with->unknown)) continue;
        forget_mapping(p, a);
        settle_follower(p, a);
        for (size_t v = 1; v < end_of_chain(a)->views; v++) settle_follower(p, array_following(p, a, v));
    }
}

/* ---- What names stand for */

static mappings found_at(const reach *x, const node *name) {
    const size_t *place = table_at(&x->name_at, name);
    return place ? x->name[*place].found : 0;
}

/* The mapping of what it is aligned with where it is created: as declared, or else nobody knows which room it has. */
static bool is_created_as_declared(const reach *x, const array *a) {
    const node *with = a->alignment->directive->child[1];
    if (a->symbol->file_scope) return true;
    while (with->kind == N_INDEX) with = with->child[0];
    return !a->symbol->is_static && found_at(x, with) == FIRST_VIEW;
}

bool are_followed_views(const reach *x, const array *a, mappings found) {
    for (size_t k = 0; k < a->views; k++)
        if ((found & (FIRST_VIEW << k)) && !knows_cells(a->view[k])) return false;
    return found != 0 && found < FIRST_VIEW << a->views && is_created_as_declared(x, a);
}
