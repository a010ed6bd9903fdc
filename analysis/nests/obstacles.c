/* Pass "nests": why a nest that is read in order is not shared out, where what it stores has no place that goes with
 * its loops: the real reason behind what is said of its foralls. */
#include <string.h>

#include "../model/types.h"
#include "pipelines.h"

/* The value of a private, if the nest gives it one only; NULL: it has others, too, or is none. */
static node *only_value(const nest *x, const symbol *s) {
    node *found = NULL;
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *d = &x->statement[k];
        if (d->kind != STATEMENT_PRIVATE || d->private != s) continue;
        if (found || strcmp(d->op, "=") != 0) return NULL;
        found = d->value;
    }
    return found;
}

/* The part of n that is read from an array, or a name with such a value: what finds an element. */
static node *finder_in(const nest *x, node *n) {
    if (n->kind == N_INDEX) return n;
    if (n->kind == N_NAME && n->symbol && private_of(x, n->symbol)) {
        node *value = only_value(x, n->symbol);
        return !value || finder_in(x, value) ? n : NULL;
    }
    for (size_t c = 0; c < n->count; c++) {
        node *found = n->child[c] ? finder_in(x, n->child[c]) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* What finds an element that is stored, in a subscript of a divided dimension; NULL: its place goes with the loops, or
 * is computed. */
static node *finder_of(const pipeline *w, const nest_access *x) {
    const array *a = array_accessed(w, x);
    node *name, *subscripts[MAX_RANK], *found = NULL;
    int count;
    if (!a || !x->writes || !index_chain(x->chain, &name, subscripts, &count)) return NULL;
    for (int d = next_distributed(a, 0); d < count && !found; d = next_distributed(a, d + 1))
        found = finder_in(w->x, subscripts[d]);
    return found;
}

/* Whether the statement is executed once in each iteration of the outermost loop, without conditions. */
static bool is_executed_once(const nest_statement *s) {
    return s->loops == 1 && s->conditions == 0 && strcmp(s->op, "=") == 0 && s->value;
}

static bool names_private(const nest *x, const node *n) {
    for (int k = 0; k < x->privates; k++)
        if (mentions_symbol(n, x->private[k].symbol)) return true;
    return false;
}

static void advise_finder(nest *x, const nest_access *a, const nest_statement *s, const node *finder) {
    const node *value = finder->kind == N_NAME ? only_value(x, finder->symbol) : NULL;
    const char *variable = x->loop[0]->variable->name, *stored = nest_quote(x, read_or_stored(a));
    const node *of = value ? inside_parentheses((node *)value) : NULL;
    if (is_executed_once(s) && !names_private(x, s->value)) return; /* a forall does */
    if (is_executed_once(s))
        advise_nest(x, a->chain,
                    "the values in an array of their own, r[%s] = %s; then, where no two go to one place, forall (%s = "
                    "lower:upper) %s = r[%s];",
                    variable, nest_quote(x, s->value), variable,
                    value ? arena_format(x->p->memory, "%s[%s]", a->array->name, nest_quote(x, value)) : stored,
                    variable);
    else if (of && (of->kind == N_MEMBER || of->kind == N_INDEX) && inside_parentheses(a->chain->child[1]) != finder)
        advise_nest(x, a->chain,
                    "if each '%s' has elements of its own there, '%s' computed from it, as in %s * (their number)",
                    variable, finder->name, variable);
    else if (!strcmp(s->op, "=") && s->value)
        advise_nest(
            x, a->chain,
            "where any of the values may stay, the greatest one: '#pragma dpc independent reduction(max: most)', "
            "with an array 'most' that the loop does not read, if (value > most[%s]) most[%s] = value;",
            nest_quote(x, finder), nest_quote(x, finder));
}

void find_obstacle(nest *x) {
    const pipeline w = {.x = x, .loops = x->loops};
    for (size_t k = 0; k < x->accesses && !x->reason; k++) {
        const nest_access *a = &x->access[k];
        const node *finder = a->statement < 0 ? NULL : finder_of(&w, a);
        if (!finder) continue;
        const node *value = finder->kind == N_NAME ? only_value(x, finder->symbol) : NULL;
        stop_nest(x, a->chain, "'%s' may be one element in several iterations%s", nest_quote(x, read_or_stored(a)),
                  value ? arena_format(x->p->memory, ": '%s' is '%s'", finder->name, nest_quote(x, value)) : "");
        advise_finder(x, a, &x->statement[a->statement], finder);
    }
}
