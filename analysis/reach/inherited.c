/* Inherited parameters: the mappings that the calls of this file pass.  Statements are compiled for each, and the
 * program finds out which one it is where the function begins; a function that others may call, or that gets what is
 * not known here, has a version for any mapping, too. */
#include "reach.h"

/* Of one parameter beside the version for any mapping. */
enum { MOST_INHERITED = MOST_VERSIONS - 1 };

static bool is_followed(const array *x) {
    return x && x->inherits && !x->redistributed && !x->prototype && x->origin == x;
}

/* Whether the formats of a say all that a directive of x would say. */
static bool says_all(const array *x, const array *a) {
    const grid *g = a->mapping.grid;
    if (a->dynamic || a->shared || has_automatic(a, &a->mapping) || !blocks_are_constant(a, &a->mapping)) return false;
    return !g || (g->symbol->file_scope && !g->part && g->directive->last < x->directive->first);
}

/* The view of x that an argument is; NULL: none. */
static array *view_of_argument(const array *x, const array *a) {
    return says_all(x, a) && (!a->alignment || a->plain) ? find_view(x, &a->mapping) : NULL;
}

/* What an argument may be, as views of the array that is passed; `others`: or anything else. */
typedef struct {
    array *const *view;
    size_t views;
    bool others;
} passed;

static passed passed_by(const program *p, const array *x, const node *call, size_t c, array **only) {
    bool section;
    array *a = argument_array(call, c, &section);
    if (!a || section || a->rank != x->rank) return (passed){.others = true};
    if (is_followed(a)) return (passed){a->view + 1, a->views - 1, a->elsewhere};
    const node *name = inside_parentheses(call->child[c]);
    const reached *r = reached_at(p, name);
    if (r) return (passed){r->view, r->views, !r->known};
    *only = array_at(p, name);
    return (passed){only, 1, false};
}

/* Adds what the argument is; false: it cannot be told apart. */
static bool take_mapping(program *p, array *x, const array *a) {
    if (view_of_argument(x, a)) return true;
    if (!says_all(x, a) || (a->alignment && !a->plain) || x->views > MOST_INHERITED) return false;
    array *view = array_with(p, x, &a->mapping);
    view->dynamic = view->inherits = false;
    return true;
}

/* Whether there is anything new. */
static bool take_argument(program *p, array *x, const node *call, size_t c) {
    array *only;
    const passed from = passed_by(p, x, call, c, &only);
    const size_t views = x->views;
    const bool elsewhere = x->elsewhere;
    x->elsewhere = elsewhere || from.others;
    for (size_t k = 0; k < from.views; k++) x->elsewhere = !take_mapping(p, x, from.view[k]) || x->elsewhere;
    return x->views > views || x->elsewhere != elsewhere;
}

static bool follow_arguments(program *p) {
    bool news = false;
    for (size_t k = 0; k < p->inheriting_count; k++) {
        const node *call = p->inheriting[k];
        for (size_t c = 1; c < call->count; c++) {
            array *x = defined_parameter(p, call, c);
            if (is_followed(x)) news = take_argument(p, x, call, c) || news;
        }
    }
    return news;
}

static void find_calls(program *p, const node *n) {
    bool inherits = false;
    for (size_t c = 1; n->kind == N_CALL && c < n->count; c++)
        inherits = inherits || is_followed(defined_parameter(p, n, c));
    if (inherits) vector_add(p->memory, p->inheriting, p->inheriting_count, p->inheriting_capacity, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_calls(p, n->child[c]);
}

static void note_names(program *p, const node *n, array *x) {
    if (n->kind == N_NAME && n->symbol == x->symbol) {
        reached *r = arena_alloc(p->memory, sizeof *r);
        *r = (reached){.name = n, .view = x->view + 1, .views = x->views - 1, .known = true, .others = x->elsewhere};
        r->capacity = r->views;
        r->array = inherited_view(x) ? inherited_view(x) : x;
        vector_add(p->memory, p->reached, p->reached_count, p->reached_capacity, r);
        table_put(p->memory, &p->reached_at, n, r);
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_names(p, n->child[c], x);
}

void follow_inherited(program *p) {
    bool any = false;
    for (size_t k = 0; k < p->array_count; k++) {
        array *x = p->arrays[k];
        if (!is_followed(x)) continue;
        any = true;
        x->elsewhere = !specifiers_have(x->symbol->scope->parent->child[0], "static");
    }
    if (!any) return;
    find_calls(p, p->unit);
    while (follow_arguments(p)) continue;
    for (size_t k = 0; k < p->array_count; k++)
        if (is_followed(p->arrays[k]) && p->arrays[k]->views > 1)
            note_names(p, p->arrays[k]->symbol->scope, p->arrays[k]);
}

/* Whether a call may pass view a of one parameter, or any other. */
static bool may_pass(const program *p, const node *call, const array *a) {
    for (size_t c = 1; c < call->count; c++) {
        const array *x = defined_parameter(p, call, c);
        if (!same_array(x, a)) continue;
        array *only;
        const passed from = passed_by(p, x, call, c, &only);
        bool may = from.others;
        for (size_t k = 0; k < from.views && !may; k++) may = view_of_argument(x, from.view[k]) == a;
        return may;
    }
    return false;
}

bool may_be_passed_together(const program *p, const array *a, const array *b) {
    if (!a->origin->inherits || !b->origin->inherits || a->symbol->scope != b->symbol->scope) return true;
    for (size_t k = 0; k < p->inheriting_count; k++)
        if (may_pass(p, p->inheriting[k], a) && may_pass(p, p->inheriting[k], b)) return true;
    return false;
}
