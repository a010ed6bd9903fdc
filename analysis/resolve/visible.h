/* Private to pass "resolve": which declarations are visible, by name and in order. */
#ifndef DPC_ANALYSIS_VISIBLE_H
#define DPC_ANALYSIS_VISIBLE_H

#include "../model/symbols.h"

/* A symbol, and the one of its name that it hides, or NULL. */
typedef struct {
    symbol *symbol, *hidden;
} shown_symbol;

/* All that is 0 but `memory`: nothing is visible. */
typedef struct {
    arena *memory;
    symbol *innermost;   /* the last declaration; the ones before it are linked by shadowed */
    hash_table by_name;  /* the innermost symbol of each name */
    hash_table declared; /* by name: the only node of the unit that declares it; or the unit */
    shown_symbol *shown; /* in this order */
    size_t count, capacity;
} visible_symbols;

/* What is visible at a place: a scope returns to it at its end. */
typedef struct {
    symbol *innermost;
    size_t count;
} visibility;

visibility visible_here(const visible_symbols *v);
void return_to(visible_symbols *v, visibility before);

/* Makes a symbol the innermost of its name. */
void show_symbol(visible_symbols *v, symbol *s);
/* NULL: nothing of this name is visible. */
symbol *visible_symbol(const visible_symbols *v, const char *name);
/* Whether one declarator in the unit has that name. */
bool is_declared_once(visible_symbols *v, const node *unit, const char *name);

#endif
