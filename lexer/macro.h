/* Macro expansion (C11 6.10.3) of the user's macros only: names that system headers define stay as they are. */
#ifndef DPC_LEXER_MACRO_H
#define DPC_LEXER_MACRO_H

#include "pptoken.h"

/* A macro.  `definition` is the text after #define; its parts are cut when it is first used (`parsed`).  `system`: of a
 * system header or the compiler; `written`: re-emitted, because a system header tests it; `stays`: its definition
 * stays in the output, and what came out of it is marked; `statement_like`: a system macro that stands for more than an
 * expression (LIST_FOREACH), so that it has to be expanded after all. */
typedef struct macro {
    const char *name;
    size_t name_length;
    const char *definition;
    size_t definition_length;
    bool defined, system, written, stays;
    bool parsed, function_like, variadic, statement_like;
    const pp_token *parameters;
    size_t parameter_count;
    pp_list body;
} macro;

typedef struct macro_table macro_table;

macro_table *macros_new(arena *a);

/* `definition` is what stands after #define. */
macro *macros_define(macro_table *t, const char *definition, size_t length, bool system);

/* The macro of that name, NULL where it isn't defined. */
macro *macros_find(const macro_table *t, const char *name, size_t length);

/* The same, also where it has been undefined since. */
const macro *macros_find_ever(const macro_table *t, const char *name, size_t length);

/* All macros that were ever defined, in order; skip those not `defined`. */
macro *macros_at(const macro_table *t, size_t index);
size_t macros_count(const macro_table *t);

/* Cuts m's definition into parameters and body, once. */
void macro_parse(const macro_table *t, macro *m);

/* An expansion under way: `base` tokens are read one after the other and replaced. */
typedef struct {
    arena *memory;
    macro_table *macros;
    const pp_token *base;
    size_t base_count, cursor;
    pp_list pending;  /* expanded tokens to be rescanned, the next one last */
    pp_list deferred; /* directives that stood among a macro's arguments */
    bool system_too;  /* expand system macros as well */
    int depth;
    size_t *spent; /* tokens made for this use of a macro; the caller resets it */
    int *counter;  /* __COUNTER__ */
    size_t *uses;  /* of macros that stay, so far */
} expander;

/* The next token after expansion; PP_END at the end.  Tokens that come from an expansion have where.width > 0; others
 * are the base's own, blank space included. */
pp_token macro_next(expander *e);

#endif
