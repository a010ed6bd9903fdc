/* Where arrays and their mappings change.  The functions are walked once, when somebody first asks; the places of one
 * array, with the calls that lead to them, are put together when it is first asked for. */
#include "changes.h"

#include <stdlib.h>

/* A node, and the function definition that it is in. */
typedef struct {
    const node *node, *function;
} place;

typedef struct {
    place *place;
    size_t count, capacity;
} places;

struct change_index {
    bool built;
    hash_table stores, passes, redistributions; /* places by symbol, by array, by name */
    hash_table calls_of, calls_in;              /* places of calls by the definition that is called, that calls */
    places in_loops;                            /* calls */
    hash_table changes, mapping_changes;        /* by symbol: everything that changes it, in order of the source */
    hash_table quiet;                           /* by symbol: definitions that is_called_in_quiet_loop has found */
};

struct change_index *change_index_new(arena *a) {
    return arena_alloc(a, sizeof(struct change_index));
}

/* ---- Loops and calls */

/* Not do { ... } while (0). */
static bool is_loop(const node *n) {
    int64_t condition;
    if (n->kind == N_DO) return !constant_value(n->child[1], &condition) || condition != 0;
    return n->kind == N_FOR || n->kind == N_WHILE;
}

node *loop_around(const node *n) {
    node *at = n->parent;
    while (at && !is_loop(at)) at = at->parent;
    return at;
}

static const node *definition_of(const program *p, const node *call) {
    const symbol *f = call->child[0]->kind == N_NAME ? defined_function(p, call->child[0]->name) : NULL;
    return f ? f->declaration : NULL;
}

/* ---- The walk */

static void add_place(arena *a, places *list, place x) {
    vector_add(a, list->place, list->count, list->capacity, x);
}

static void add_at(arena *a, hash_table *t, const void *key, place x) {
    places *list = table_at(t, key);
    if (!list) table_put(a, t, key, list = arena_alloc(a, sizeof *list));
    add_place(a, list, x);
}

static void note_store(const program *p, place x) {
    node *chain = element_around(x.node->child[0]);
    const node *n = chain ? chain : x.node->child[0];
    while (n->kind == N_INDEX || n->kind == N_PAREN) n = n->child[0];
    if (n->kind == N_NAME && n->symbol && n->symbol->array) add_at(p->memory, &p->changed->stores, n->symbol, x);
}

static const symbol *array_under(node *n) {
    bool pointer = false;
    return base_symbol(row_pointer(n), &pointer);
}

static void note_call(const program *p, place x) {
    bool section;
    for (size_t c = 1; c < x.node->count; c++) {
        const array *a = argument_may_change(p, x.node, c) ? argument_array(x.node, c, &section) : NULL;
        if (a) add_at(p->memory, &p->changed->passes, a, x);
    }
    const node *f = definition_of(p, x.node);
    if (!f) return;
    add_at(p->memory, &p->changed->calls_of, f, x);
    if (loop_around(x.node))
        add_place(p->memory, &p->changed->in_loops, x);
    else
        add_at(p->memory, &p->changed->calls_in, x.function, x);
}

static void note_remapping(const program *p, place x) {
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        if (!directive_remaps(x.node, a)) continue;
        places *list = names_at(&p->changed->redistributions, a->symbol->name);
        if (!list)
            names_put(p->memory, &p->changed->redistributions, a->symbol->name,
                      list = arena_alloc(p->memory, sizeof *list));
        add_place(p->memory, list, x);
    }
}

static void note_changes(const program *p, place x) {
    const node *n = x.node;
    if (n->kind == N_ASSIGN || is_step(n)) note_store(p, x);
    if (row_pointer((node *)x.node)) add_at(p->memory, &p->changed->stores, array_under((node *)x.node), x);
    if (n->kind == N_CALL) note_call(p, x);
    if (n->kind == N_REDISTRIBUTE || n->kind == N_REALIGN) note_remapping(p, x);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_changes(p, (place){n->child[c], x.function});
}

static struct change_index *index_of(const program *p) {
    if (p->changed->built) return p->changed;
    p->changed->built = true;
    for (size_t c = 0; c < p->unit->count; c++) {
        const node *f = p->unit->child[c];
        if (f && f->kind == N_FUNCTION_DEFINITION) note_changes(p, (place){f, f});
    }
    return p->changed;
}

/* ---- One array's changes */

static void add_places(const program *p, places *all, const places *some) {
    for (size_t k = 0; some && k < some->count; k++) add_place(p->memory, all, some->place[k]);
}

/* The calls that lead to what is there, and the calls that lead to these. */
static void add_calls(const program *p, places *all) {
    hash_table seen = {0};
    for (size_t k = 0; k < all->count; k++) {
        const node *f = all->place[k].function;
        if (!f || table_at(&seen, f)) continue;
        table_put(p->memory, &seen, f, f);
        add_places(p, all, table_at(&p->changed->calls_of, f));
    }
}

static int in_source_order(const void *left, const void *right) {
    const size_t x = ((const place *)left)->node->first, y = ((const place *)right)->node->first;
    return (x > y) - (x < y);
}

static places *find_changes(const program *p, const symbol *what, bool mapping_only) {
    const struct change_index *x = index_of(p);
    places *all = arena_alloc(p->memory, sizeof *all);
    add_place(p->memory, all, (place){what->declarator, function_around(what->declarator)});
    add_places(p, all, names_at(&x->redistributions, what->name));
    if (!mapping_only) {
        add_places(p, all, table_at(&x->stores, what));
        if (what->array) add_places(p, all, table_at(&x->passes, what->array));
    }
    add_calls(p, all);
    qsort(all->place, all->count, sizeof *all->place, in_source_order);
    return all;
}

static bool any_between(const places *all, size_t from, size_t to) {
    size_t low = 0, high = all->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all->place[middle].node->first < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && all->place[low].node->first <= to;
}

static bool happens_within(const program *p, const node *n, const symbol *what, bool mapping_only, size_t from,
                           size_t to) {
    hash_table *found = mapping_only ? &p->changed->mapping_changes : &p->changed->changes;
    const places *all = table_at(found, what);
    if (!all) table_put(p->memory, found, what, all = find_changes(p, what, mapping_only));
    return any_between(all, from > n->first ? from : n->first, to < n->last ? to : n->last);
}

bool changes(const program *p, const node *n, const symbol *what, size_t from, size_t to) {
    return happens_within(p, n, what, false, from, to);
}

bool mapping_changes(const program *p, const node *n, const symbol *what, size_t from, size_t to) {
    return happens_within(p, n, what, true, from, to);
}

/* ---- Functions called in loops */

typedef struct {
    hash_table seen;
    const node **function;
    size_t count, capacity;
} definitions;

static void add_definition(const program *p, definitions *d, const node *f) {
    if (table_at(&d->seen, f)) return;
    table_put(p->memory, &d->seen, f, f);
    vector_add(p->memory, d->function, d->count, d->capacity, f);
}

/* From quiet loops on to what the called functions call. */
static definitions *find_quiet(const program *p, const symbol *what) {
    const struct change_index *x = index_of(p);
    definitions *d = arena_alloc(p->memory, sizeof *d);
    for (size_t k = 0; k < x->in_loops.count; k++) {
        const node *call = x->in_loops.place[k].node, *loop = loop_around(call);
        if (!changes(p, loop, what, loop->first, loop->last)) add_definition(p, d, definition_of(p, call));
    }
    for (size_t k = 0; k < d->count; k++) {
        const places *calls = table_at(&x->calls_in, d->function[k]);
        for (size_t c = 0; calls && c < calls->count; c++) add_definition(p, d, definition_of(p, calls->place[c].node));
    }
    return d;
}

bool is_called_in_quiet_loop(const program *p, const symbol *what, const node *f) {
    const definitions *d = table_at(&p->changed->quiet, what);
    if (!d) table_put(p->memory, &p->changed->quiet, what, d = find_quiet(p, what));
    return table_at(&d->seen, f) != NULL;
}
