/* Private to analysis: what may be asked of the tree, of calls, loops, bounds and mappings. */
#ifndef DPC_ANALYSIS_MODEL_H
#define DPC_ANALYSIS_MODEL_H

#include "analysis.h"

/* ---- The tree (tree.c) */

/* Whether a subscript holds a section of another array: idx[:] in A[idx[:]]. */
bool is_vector(const node *at);
/* Number of sections among the subscripts of a chain; vector subscripts count where they are not the only one. */
int section_count(node *chain);
/* The first chain with sections in n that is not inside a nested reduction; NULL if none. */
node *first_section(node *n);

/* ---- What calls do (effects.c) */

/* Functions of mathematics, which never fail. */
bool is_mathematics(const node *callee);
/* Calls something other than mathematics, or reads what no variable's name stands for. */
bool reads_anything(const node *n);
/* Whether a statement may change what an expression reads. */
bool may_change(const parallel *s, const node *n);
/* The variable that an object is part of, or that points to it (then *pointer is set); NULL: not known. */
const symbol *base_symbol(const node *n, bool *pointer);
/* What a function of this file does to the state that every process holds, in words, or NULL; `acts_alone`: whether a
 * function of the library does nothing to it. */
const char *effect_of(const program *p, const symbol *f, bool (*acts_alone)(const char *name));
/* What a call does to what its arguments point to, or NULL. */
const char *effect_of_passing(const program *p, const node *call, bool (*acts_alone)(const char *name));
/* That of the function of the program's that one of the library calls (qsort), or NULL. */
const char *effect_called_back(const program *p, const node *call, bool (*acts_alone)(const char *name));
/* Whether a function of the program's, which has no effects of its own, leaves what its argument number k points to as
 * it is: as far as its text says, or, where another file has it, its prototype. */
bool argument_stays(const program *p, const node *call, size_t k, bool (*acts_alone)(const char *name));
/* Whether a function keeps the pointer that it gets as child k of a call: in a variable that lives on, or its result.
 */
bool row_is_kept(const program *p, const node *call, size_t k);
/* Whether n, a pointer to a row, is what a call passes for what the function only reads, and does not keep. */
bool row_stays(const program *p, const node *n, bool (*acts_alone)(const char *name));
/* Whether a function of the library may change what its argument number k, from 0, points to. */
bool library_changes(const char *name, size_t k);

/* ---- Functions and their parameters (functions.c) */

size_t parameter_count(const symbol *f);
/* The symbol of parameter number k, counted from 0; NULL: it has none. */
symbol *parameter_of(const symbol *f, size_t k);
/* The function that a CALL names; NULL: an expression, or what is not declared. */
symbol *called_function(const node *call);
/* Whether n, an argument of a call, goes to a distributed parameter. */
bool is_distributed_argument(const node *n);
/* Whether declaration specifiers, or a type that they name, say const. */
bool declares_const(const node *specifiers);
/* Whether the file is the whole program but for functions of the standards' headers: no other exchanges messages. */
bool knows_all_calls(const program *p);

/* ---- Calls with a meaning (calls.c) */

/* Whether n is a reduction intrinsic that the program doesn't declare itself. */
bool reduction_call(const node *n, operation *op);
/* Of a reduction's result; NULL: not known. */
type *type_of_reduction(operation op, const node *call);
/* The mask of a reduction in one of whose values n stands, or NULL. */
node *mask_of_reduction(const node *call, const node *value);
/* Whether the result is a place; whether values are compared. */
bool is_location(operation op);
bool is_extreme(operation op);
/* Of what a reduction combines: a location's values, not its indices. */
type *type_of_combined(operation op, const node *call, const node *value);

/* ---- Changes (statements.c) */

/* Whether a variable may change between two tokens of the source. */
bool may_change_between(const symbol *s, size_t from, size_t to);

/* ---- Values that stay (stable.c) */

/* What is executed between some places of a function: the tokens from..to; not good: their scopes have nothing to do
 * with one another. */
typedef struct {
    const node *scope; /* the outermost one of the places; NULL: there is no place yet */
    size_t from, to;
    bool good;
} stretch;
/* The place first..last of a scope is among them. */
void widen_stretch(stretch *x, const node *scope, size_t first, size_t last);
/* x with the initialisers of variables that stay as they are in their place; the stretch becomes as wide as it takes.
 */
linear traced(const program *p, linear x, stretch *reach, int depth);
/* Whether an expression has one value within the stretch. */
bool stays_within(const program *p, const linear *x, const stretch *reach);
/* Whether two expressions are one in the source's words, and it has one value within the stretch; of a pointer or the
 * name of an array, what it points to has. */
bool stays_alike(const program *p, const node *n, const node *m, const stretch *reach);
/* Whether the names in two linear expressions that are written alike mean the same variables. */
bool same_symbols(const linear *x, const linear *y);

/* ---- Mappings and places (alignment.c) */

/* Whether two expressions, of a and of b, have one value where the arrays are created, as far as the program shows it.
 */
bool equal_values(const program *p, const linear *x, const array *a, const linear *y, const array *b);
/* Whether dimensions have one block of ceil(extent / processes) each and extents that differ by a small constant: by
 * how much b's is greater; 0: in either direction, which the program finds. */
bool near_extents(const program *p, const array *a, int d, const array *b, int e, int64_t *more);
/* Whether dimensions have the same lower bound. */
bool equal_lowers(const program *p, const array *a, int d, const array *b, int e);
/* Whether dimension d of a and e of b have as many elements. */
bool equal_extents(const program *p, const array *a, int d, const array *b, int e);
/* What is assumed of two arrays in a version where they are divided alike: about how they are divided along d and e,
 * and the lower bounds. (likeness.c) */
bool are_assumed_alike(const array *a, int d, const array *b, int e);
bool are_assumed_near(const array *a, int d, const array *b, int e);
bool have_assumed_lowers(const array *a, int d, const array *b, int e);
/* Whether two arrays are divided alike, as far as the source shows it; SOMETIMES: what is to be compared is in x. */
typedef enum { ALIKE_NEVER, ALIKE_SOMETIMES, ALIKE_ALWAYS } alike;
alike are_divided_alike(const program *p, const array *a, const array *b, likeness *x);
/* Whether x's dimension d and y's dimension e touch elements at the same place of equal mappings. */
bool aligned(const program *p, const reference *x, int d, const reference *y, int e);
/* Whether r's elements stand on the cells that home's stand on, or (halo) so near that ghost cells serve, where one
 * of the arrays stands apart; fills in r->placed.distance, reach and own. (places.c) */
enum { MOST_DISTANCE = 64 }; /* elements that ghost cells serve; beyond, they would cost more memory than messages */
bool meets_home(const program *p, const reference *home, reference *r, bool halo);
/* Whether index iterations and positions of r's dimension d, whose subscript is affine, are those of home. */
bool stands_as_home(const program *p, const parallel *s, const reference *r, int d);

/* ---- Bounds and loops (bounds.c, loops.c) */

/* Reports arithmetic on constants in n (NULL: nothing) that overflows its type; false: there is some. (overflow.c) */
bool check_overflow(const program *p, const node *n);
/* Reports constant subscripts outside constant bounds. (bounds.c) */
void check_constant_bounds(program *p, const parallel *s, const reference *r);

/* Whether a subscript stays inside its array in every iteration of the ranges. (bounds.c) */
bool subscript_in_bounds(const program *p, const parallel *s, const reference *r, int d);

/* The condition at `above` that decides whether its child n is evaluated, or NULL. (conditions.c) */
node *condition_at(const node *above, const node *n, bool *negated);

/* ---- What is executed (certain.c) */

/* Whether control that enters the function of n comes to n: what constants and jumps say. */
typedef enum { EXECUTED_NEVER, EXECUTED_PERHAPS, EXECUTED_ALWAYS } certainty;
/* With `from`: control that enters this part of the function. */
certainty certainty_of(const program *p, const node *n, const node *from);
/* Whether a jump in `from` may lead past n. */
bool jumps_past(const program *p, const node *n, const node *from);
/* Reports that a subscript of dimension d has, `at` somewhere in it, the value x: an error if it is certainly
 * evaluated, a warning if perhaps.  Once for each subscript. */
void diagnose_outside(program *p, const node *at, const node *bracketed, certainty found, int64_t x, int d,
                      const symbol *s, int64_t lower, int64_t upper);

#endif
