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
