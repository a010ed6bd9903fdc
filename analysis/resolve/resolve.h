/* Private to analysis: the parts of pass "resolve". */
#ifndef DPC_ANALYSIS_RESOLVE_H
#define DPC_ANALYSIS_RESOLVE_H

#include "../model/analysis.h"

/* Reads a DISTRIBUTE or REDISTRIBUTE whose names are bound; `scope` is where it stands. (mappings.c) */
void read_distribution(program *p, node *directive, node *scope);
/* Notes which functions are extrinsic.  (extrinsics.c) */
void find_extrinsics(program *p);
/* Reports what is wrong with calls and bodies of extrinsic functions. */
void check_extrinsics(const program *p);
/* Warns of calls of the system that each process makes by itself.  (repeated.c) */
void warn_of_repeated_calls(const program *p);
/* The same of an INHERIT. */
void read_inheritance(program *p, node *directive, node *scope);
/* Whether a directive's format takes a vector of block sizes. */
bool has_block_vector(const node *f);
/* A template that a TEMPLATE declares.  (alignments.c) */
void read_template(program *p, node *directive, symbol *s);
/* An ALIGN or REALIGN whose names and indices are bound. */
void read_alignment(program *p, node *directive, node *scope);
/* Everything below n is bound: what is aligned follows what is redistributed; what others are aligned with is not
 * realigned. */
void finish_alignments(program *p, node *n);
/* A GRID_PART whose names are bound becomes a grid. (parts.c) */
void read_part(program *p, node *part);
grid *grid_of(program *p, const node *onto);
/* The array that a directive makes of a variable, or NULL after an error; without a mapping. (arrays.c) */
array *new_array(program *p, node *directive, node *e, const node *scope);
/* A template's array, NULL after an error. */
array *new_template(program *p, node *directive, symbol *s);
/* False, with an error, for an initialiser that distributed arrays cannot have. */
bool check_initializer(program *p, array *a);
void add_array(program *p, array *a);
/* Another declaration of an array of file scope, perhaps its definition: an error where it differs. */
void read_definition(program *p, symbol *s, type *t, node *name, node *init);
/* The array is, from now on, one that other files may name. */
void share_array(array *a);
/* Asks the C compiler for every FOREIGN type of the declarations that are bound. (probe.c) */
void settle_declared_types(program *p);
/* Asks it for the types of expressions that parallel statements need, after type_expressions. */
void settle_expressions(program *p);
/* Arguments fit their distributed parameters; which of these are assigned.  (parameters.c) */
void check_parameters(program *p);
bool declarations_disagree(const program *p, const symbol *f, size_t k);
/* Every use of a distributed array is one that the language allows; which functions touch distributed arrays. (uses.c)
 */
void check_uses(program *p);
/* The error that a distributed array's name stands alone in `context`, or is passed to a function that takes none; and
 * A[:][:], or with other text in the brackets.  (bare.c) */
void report_bare_use(const program *p, node *name, const node *context);
const char *subscripted_all(const program *p, const array *a, const char *inside);
/* Warns where the program has work and no distributed array. (undistributed.c) */
void warn_undistributed(const program *p);
/* No region of the user's own OpenMP, of those below `n`, touches distributed arrays.  (regions.c) */
void check_regions(const program *p, const node *n);
/* Names for the run-time lower bounds of an automatic array, which are evaluated once, where it is declared; and, when
 * assignments are known, of ordinary parameters whose bounds' variables change; notes the names in parameters' bounds.
 * (renames.c) */
void name_lower_bounds(program *p, symbol *s);
void name_parameter_bounds(program *p);
/* Other names for indices that would hide variables in what the generated program evaluates in their loops. (renames.c)
 */
void rename_hiding_indices(program *p);

/* A NAME that no visible declaration declares, what is visible there (linked by shadowed), and in which function it
 * stands. */
typedef struct {
    node *name;
    symbol *visible, *function;
} unbound;

/* Reports those of the names that no header knows either, once per function. (unknown.c) */
void check_unknown(const program *p, const unbound *names, size_t count);
/* The variable that a misspelt name may mean, or NULL. */
symbol *closest_variable(symbol *visible, const char *name);
/* False, with an error, for a call of npy_save and its like whose arguments are wrong.  (files.c) */
bool check_file_call(const program *p, node *call);
/* True, with an error, for a call of an array intrinsic without a section. */
bool check_intrinsic(const program *p, const node *call);

#endif
