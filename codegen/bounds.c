/* Run-time bounds of arrays: constants that are declared before the array; a bound that is a variable which never
 * changes is called by that variable's name in the text. */
#include <string.h>

#include "../analysis/model/model.h"
#include "../analysis/model/types.h"
#include "spmd.h"

/* Whether a declaration inside the scope of the variable hides it. */
static bool is_hidden(const program *p, const symbol *s) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        if (strcmp(p->symbols[k]->name, s->name) != 0) continue;
        for (const symbol *v = p->symbols[k]->shadowed; v; v = v->shadowed)
            if (v == s) return true;
    }
    return false;
}

/* Whether the bound is a variable of the bounds' own type that keeps its value and is seen wherever the array is. */
static bool is_kept_variable(emitter *e, node *bound) {
    const symbol *s = bound->kind == N_NAME ? bound->symbol : NULL;
    if (!s || s->kind != SYMBOL_VARIABLE || s->assignments > 0 || s->file_scope || s->is_static || !s->declaration)
        return false;
    if (s->type->kind != TYPE_ARITHMETIC || s->type->element != ELEMENT_LONG) return false;
    if (specifiers_have(s->declaration->child[0], "volatile") || strcmp(expression(e, bound), s->name) != 0)
        return false;
    return !is_hidden(e->p, s);
}

/* The constant `name`, or the variable in its place. */
static void save_bound(emitter *e, text *out, const char *name, node *bound, const char *less, const char *indent) {
    const char *separator = out->length ? arena_format(e->memory, "\n%s", indent) : "";
    if (!name) return;
    if (!*less && !e->serial && is_kept_variable(e, bound)) {
        const bound_name x = {name, bound->symbol->name};
        vector_add(e->kept, e->bound, e->bounds, e->bound_capacity, x);
        return;
    }
    const char *value = expression(e, bound);
    text_format(out, "%sconst long %s = %s%s;", separator, name, *less ? parenthesise(e, value) : value, less);
}

void save_bounds(emitter *e, text *out, const array *a, const char *indent) {
    for (int d = 0; d < a->rank; d++) {
        save_bound(e, out, a->lower_name[d], a->lower_node[d], "", indent);
        save_bound(e, out, a->upper_name[d], a->upper_node[d], a->lower_node[d] ? "" : " - 1", indent);
    }
}
