/* Arrays with each of their mappings: a redistributed array is several to those who compile statements, one for each
 * mapping that it may have there (a view).  They share symbol and descriptor; formats, ghost cells and gaps are each
 * one's own. */
#include "analysis.h"

bool same_array(const array *a, const array *b) {
    return a && b && a->origin == b->origin;
}

/* What the compiler chooses, or a vector says, is no other format, wherever else it may be the same. */
static bool is_meant_alike(const mapping *m, const mapping *n, int d) {
    if (is_automatic(m, d) || is_automatic(n, d)) return same_choice(m, d, n, d);
    return same_vector(m, d, n, d) || same_format(m, d, n, d);
}

bool are_meant_alike(const array *a, const mapping *m, const mapping *n) {
    for (int d = 0; d < a->rank; d++)
        if (!is_meant_alike(m, n, d)) return false;
    return true;
}

array *find_view(const array *a, const mapping *m) {
    for (size_t k = 0; k < a->origin->views; k++) {
        array *view = a->origin->view[k];
        if (!view->inherits && view->mapping.grid == m->grid && are_meant_alike(a, &view->mapping, m)) return view;
    }
    return NULL;
}

static void add_view(program *p, array *a, array *view) {
    vector_add(p->memory, a->view, a->views, a->view_capacity, view);
    if (!a->prototype) vector_add(p->memory, p->views, p->view_count, p->view_capacity, view);
}

void begin_views(program *p, array *a) {
    a->origin = a;
    add_view(p, a, a);
}

array *array_with(program *p, array *a, const mapping *m) {
    array *view = find_view(a, m);
    if (view) return view;
    view = arena_alloc(p->memory, sizeof *view);
    *view = *a->origin;
    view->mapping = *m;
    add_view(p, a->origin, view);
    return view;
}

array *array_like(program *p, array *a, const array *like, bool near) {
    array *view = arena_alloc(p->memory, sizeof *view);
    *view = *a;
    view->like = like;
    view->near = near;
    view->stored_as = a;
    vector_add(p->memory, p->views, p->view_count, p->view_capacity, view);
    return view;
}

const char *likeness_words(arena *memory, const versions *v, size_t number) {
    text out;
    text_start(&out, memory);
    if (number + 1 == v->count) return "divided in other ways";
    for (size_t k = 0; k < v->likes; k++)
        text_format(&out, "%s%s is divided %sas %s", k ? ", " : "", v->like[k]->second->symbol->name,
                    number > 0 ? "nearly " : "", v->like[k]->first->symbol->name);
    return text_of(&out);
}

array *array_following(program *p, array *a, size_t k) {
    array *view = arena_alloc(p->memory, sizeof *view);
    *view = *a->origin;
    view->alignment = arena_alloc(p->memory, sizeof *view->alignment);
    *view->alignment = *a->origin->alignment;
    view->alignment->with = view->alignment->with->origin->view[k];
    add_view(p, a->origin, view);
    return view;
}

array *inherited_view(const array *a) {
    return a->inherits && a->views == 2 && !a->elsewhere ? a->view[1] : NULL;
}

bool has_candidates(const array *a) {
    return a->inherits && a->views > 1 && !inherited_view(a);
}

const char *words_of_view(arena *memory, const array *a) {
    const array *end = end_of_chain(a);
    const char *words = mapping_words(memory, a), *formats = mapping_words(memory, end);
    if (a->plain || !a->alignment || end->dynamic) return words;
    if (same_array(a->alignment->with, end)) return arena_format(memory, "%s %s", words, formats);
    return arena_format(memory, "%s, %s %s", words, end->symbol->name, formats);
}

void forget_mapping(program *p, array *a) {
    array *unknown = arena_alloc(p->memory, sizeof *unknown);
    *unknown = *a;
    unknown->dynamic = true;
    a->unknown = unknown;
}

const reached *reached_at(const program *p, const node *name) {
    return table_at(&p->reached_at, name);
}

/* The names of a copy are reached by what reaches those of the original. */
static void carry_over(program *p, const node *from, const node *to) {
    const reached *r = from->kind == N_NAME ? reached_at(p, from) : NULL;
    if (r) table_put(p->memory, &p->reached_at, to, (void *)r);
    for (size_t c = 0; c < from->count; c++)
        if (from->child[c]) carry_over(p, from->child[c], to->child[c]);
}

node *clone_reached(program *p, const node *n) {
    node *copy = ast_clone(p->memory, n);
    carry_over(p, n, copy);
    return copy;
}

array *array_at(const program *p, const node *name) {
    array *a = name->symbol ? name->symbol->array : NULL;
    const reached *r = reached_at(p, name);
    if (r) return r->array;
    return a && a->unknown ? a->unknown : a;
}

const versions *versions_around(const program *p, const node *n, size_t *number) {
    for (; n->parent; n = n->parent)
        if (n->parent->kind == N_VERSIONS) {
            for (*number = 0; n->parent->child[*number] != n; ++*number) continue;
            return table_at(&p->versions_at, n->parent);
        }
    return NULL;
}
