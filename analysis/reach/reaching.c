/* Pass "reaching": which mappings an array may have where a statement names it.  Where there is one only, the statement
 * is compiled as if the array had been distributed so: the name stands for the array with that mapping (a view); else
 * for the array with an unknown one. */
#include "reach.h"

/* ---- Arrays whose mapping changes */

static bool has_views(const array *a) {
    return a->redistributed && !a->dynamic && !a->alignment;
}

static mappings view_given(reach *x, node *directive, node *entity, array *a, mappings before) {
    (void)before;
    return given_mapping(x, directive, entity, a);
}

static mappings all_views(const reach *x, size_t k) {
    const array *a = x->tracked[k];
    const mappings views = (FIRST_VIEW << a->views) - 1;
    return a->elsewhere ? views | ANY : views;
}

/* All views that redistributions make. */
static void make_views(reach *x, node *n) {
    array *moved[MOST_MOVED];
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++)
        for (size_t k = moved_arrays(n->child[c], moved); k-- > 0;)
            if (number_of(x, moved[k]) >= 0 && !is_left_out(x, n->child[c])) given_mapping(x, n, n->child[c], moved[k]);
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) note_mover(x, n, n->child[c]);
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
        array *a = n->name->symbol->array;
        reached *r = arena_alloc(x->p->memory, sizeof *r);
        const bool known = a->alignment ? are_followed_views(x, a, n->found) : n->found != 0 && !(n->found & ANY);
        *r = (reached){.name = n->name, .array = known ? view_of(a, n->found) : a->unknown, .known = known};
        for (size_t v = 0; v < a->views && (known || !a->alignment); v++)
            if (n->found & (FIRST_VIEW << v)) vector_add(x->p->memory, r->view, r->views, r->capacity, a->view[v]);
        vector_add(x->p->memory, x->p->reached, x->p->reached_count, x->p->reached_capacity, r);
        table_put(x->p->memory, &x->p->reached_at, n->name, r);
    }
}

/* Where the only mapping that reaches a redistribution is the one that it gives. */
static void note_same(program *p, node *n) {
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const reached *r = reached_at(p, n->child[c]);
        if (!r || !r->known || r->views != 1 || remapping_at(p, n->child[c])->kind != REMAPPING_MOVES) continue;
        const mapping m = redistribution_mapping(p, n, n->child[c]);
        if (has_tables(r->view[0])) continue; /* the entries may be others */
        if (find_view(r->view[0], &m) == r->view[0]) change_remapping(p, n->child[c])->kind = REMAPPING_SAME;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_same(p, n->child[c]);
}

/* ---- Formats that the compiler chooses: by the statements that the mapping reaches, which must be known */

static const char *why_unknown(const array *a) {
    if (a->is_template) return "is a template";
    return a->dynamic ? why_dynamic(a) : "may get another mapping each time";
}

static void check_choices(program *p, node *n) {
    for (size_t c = 2; n->kind == N_REDISTRIBUTE && c < n->count; c++) {
        const array *a = n->child[c]->symbol->array;
        const mapping m = redistribution_mapping(p, n, n->child[c]);
        if (!has_automatic(a, &m) || remapping_at(p, n->child[c])->kind == REMAPPING_UNUSED) continue;
        if (!a->is_template && find_view(a, &m)) continue;
        diagnose(p->source, n->child[c], D_automatic_redistribution, a->symbol->name, why_unknown(a));
        diagnose_help("the compiler chooses one where it knows all statements that the mapping reaches");
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_choices(p, n->child[c]);
}

static void follow_mappings(reach *x) {
    program *p = x->p;
    track_arrays(x, has_views);
    if (x->count == 0) return;
    for (size_t k = 0; k < x->count; k++) forget_mapping(p, x->tracked[k]);
    find_unused(p);
    make_views(x, p->unit);
    make_followers(x);
    find_functions(x);
    follow_functions(x);
    join_independent(x, p->unit);
    note_views(x);
    note_same(p, p->unit);
}

void find_reaching(program *p) {
    static const problem which_mappings = {.given = view_given, .all = all_views, .named = tracked_array};
    reach x = {.p = p, .problem = &which_mappings, .memory = arena_new()};
    follow_mappings(&x);
    arena_free(x.memory);
    follow_inherited(p);
    check_choices(p, p->unit);
}
