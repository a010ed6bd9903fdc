/* Statements with arrays of which the source does not show whether they are divided alike: they get a version in which
 * these are, and one for any others. */
#include <string.h>

#include "reach.h"

/* The arrays that a statement names, with the mappings that they have there; each is divided as one of those before it,
 * or as none. */
typedef struct {
    array *array[MOST_VERSIONED];
    size_t as[MOST_VERSIONED];      /* the first one that it is divided as: itself, perhaps */
    likeness *like[MOST_VERSIONED]; /* what says so; NULL: the source does */
    size_t count;
} named;

static void collect_names(const program *p, const node *n, named *x) {
    array *a = n->kind == N_NAME && n->symbol && n->symbol->array ? array_at(p, n) : NULL;
    size_t k = 0;
    if (n->kind == N_SIZEOF) return;
    while (a && k < x->count && x->array[k] != a) k++;
    if (a && k == x->count && k < MOST_VERSIONED) x->array[x->count++] = a;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) collect_names(p, n->child[c], x);
}

static bool is_declared_before(const array *a, const array *b) {
    if (a->symbol->file_scope != b->symbol->file_scope) return a->symbol->file_scope;
    return a->directive != b->directive ? a->directive->first < b->directive->first : a->number < b->number;
}

/* The one comparison of two arrays, whichever statements ask for it. */
static likeness *note_likeness(program *p, array *a, array *b) {
    likeness *x = arena_alloc(p->memory, sizeof *x);
    const bool in_order = is_declared_before(a->origin, b->origin);
    array *first = in_order ? a : b, *second = in_order ? b : a;
    are_divided_alike(p, first, second, x);
    for (size_t k = 0; k < p->likeness_count; k++) {
        likeness *y = p->likenesses[k];
        if (y->first == first->origin && y->second == second->origin && y->comparisons == x->comparisons &&
            !memcmp(y->compared, x->compared, (size_t)x->comparisons * sizeof *x->compared))
            return y;
    }
    x->first = first->origin;
    x->second = second->origin;
    x->name = unique_name(p, arena_format(p->memory, "%s_like_%s", second->symbol->name, first->symbol->name));
    x->near = unique_name(p, arena_format(p->memory, "%s_near_%s", second->symbol->name, first->symbol->name));
    vector_add(p->memory, p->likenesses, p->likeness_count, p->likeness_capacity, x);
    return x;
}

/* Whether no function creates the second one. */
static bool have_no_place(const array *a, const array *b) {
    return a->symbol->file_scope && b->symbol->file_scope;
}

/* Finds what array k is divided as: best one that the source says it of. */
static void compare_with_others(program *p, named *x, size_t k) {
    likeness what;
    x->as[k] = k;
    for (size_t m = 0; m < k; m++) {
        const alike found = are_divided_alike(p, x->array[m], x->array[k], &what);
        if (found == ALIKE_ALWAYS) {
            x->as[k] = x->as[m];
            x->like[k] = NULL;
            return;
        }
        if (found == ALIKE_NEVER || x->as[m] != m || x->as[k] != k || have_no_place(x->array[m], x->array[k])) continue;
        x->as[k] = m;
        x->like[k] = note_likeness(p, x->array[m], x->array[k]);
    }
}

static bool has_companions(const named *x, size_t k) {
    for (size_t m = 0; m < x->count; m++)
        if (m != k && x->as[m] == x->as[k]) return true;
    return false;
}

/* Whether some of the arrays may have extents that differ a little, and ghost cells that are made wider for that. */
static bool may_be_near(const named *x) {
    bool any = false;
    for (size_t k = 0; k < x->count; k++) {
        if (has_companions(x, k) && x->array[k]->origin->redistributed) return false;
        for (int c = 0; x->like[k] && c < x->like[k]->comparisons; c++)
            any = any || x->like[k]->compared[c].value == COMPARE_EXTENTS;
    }
    return any;
}

static bool is_noted(const versions *v, const likeness *y) {
    for (size_t k = 0; k < v->likes; k++)
        if (v->like[k] == y) return true;
    return false;
}

/* An array has ghost cells for what its extent differs by from each other one's, so every two are compared; false:
 * there is no room for so many. */
static bool note_pairs(program *p, const named *x, versions *v) {
    likeness what;
    for (size_t k = 0; k < x->count; k++)
        for (size_t m = 0; m < k; m++) {
            if (x->as[m] != x->as[k] || are_divided_alike(p, x->array[m], x->array[k], &what) != ALIKE_SOMETIMES)
                continue;
            likeness *y = note_likeness(p, x->array[m], x->array[k]);
            if (is_noted(v, y)) continue;
            if (v->likes == MOST_VERSIONED) return false;
            v->like[v->likes++] = y;
        }
    return true;
}

bool find_likeness(program *p, node *const *statement, size_t count, versions *v) {
    named x = {.count = 0};
    for (size_t c = 0; c < count; c++) collect_names(p, statement[c], &x);
    for (size_t k = 0; k < x.count; k++) {
        compare_with_others(p, &x, k);
        if (x.like[k]) v->like[v->likes++] = x.like[k];
    }
    if (v->likes == 0) return false;
    v->count = may_be_near(&x) && note_pairs(p, &x, v) ? 3 : 2;
    for (size_t k = 0; k < x.count; k++) {
        if (!has_companions(&x, k)) continue;
        for (size_t n = 0; n + 1 < v->count; n++)
            v->view[n][v->arrays] = array_like(p, x.array[k], x.array[x.as[k]], n > 0);
        v->view[v->count - 1][v->arrays] = x.array[k];
        v->array[v->arrays++] = x.array[k]->origin;
    }
    return true;
}
