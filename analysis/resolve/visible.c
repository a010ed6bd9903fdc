/* Pass "resolve": which declarations are visible. */
#include "visible.h"

void show_symbol(visible_symbols *v, symbol *s) {
    vector_add(v->memory, v->shown, v->count, v->capacity, ((shown_symbol){s, names_at(&v->by_name, s->name)}));
    names_put(v->memory, &v->by_name, s->name, s);
    v->innermost = s;
}

symbol *visible_symbol(const visible_symbols *v, const char *name) {
    return names_at(&v->by_name, name);
}

static bool declares(const node *n) {
    return n->name && (n->kind == N_DECL_NAME || n->kind == N_ENUMERATOR || n->kind == N_FORALL_INDEX);
}

/* Each name and the node that declares it, or the unit where several do. */
static void note_declarations(visible_symbols *v, const node *unit, const node *n) {
    if (declares(n)) names_put(v->memory, &v->declared, n->name, names_at(&v->declared, n->name) ? unit : n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_declarations(v, unit, n->child[c]);
}

bool is_declared_once(visible_symbols *v, const node *unit, const char *name) {
    if (v->declared.count == 0) note_declarations(v, unit, unit);
    return names_at(&v->declared, name) != unit;
}

visibility visible_here(const visible_symbols *v) {
    return (visibility){v->innermost, v->count};
}

void return_to(visible_symbols *v, visibility before) {
    while (v->count > before.count) {
        const shown_symbol *last = &v->shown[--v->count];
        names_put(v->memory, &v->by_name, last->symbol->name, last->hidden);
    }
    v->innermost = before.innermost;
}
