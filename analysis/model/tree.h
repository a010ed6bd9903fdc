/* What may be asked of the tree, its expressions and names. */
#ifndef DPC_ANALYSIS_TREE_H
#define DPC_ANALYSIS_TREE_H

#include "statements.h"

/* The outermost forall that n is or stands in, or NULL. */
const node *outermost_forall(const node *n);
/* The function definition that n is in, or NULL; the symbol that a definition defines (of NULL: NULL). */
node *function_around(const node *n);
symbol *function_symbol(const node *definition);
/* The symbol of the function of this name that is defined here, whose declaration is the definition; NULL: there is
 * none. */
const symbol *defined_function(const program *p, const char *name);
/* ++ or --, before or behind. */
bool is_step(const node *n);
/* Whether n only adds to what it stores: v += x, v++, v = v + x and the like.  added: x, NULL of a step; minus: it is
 * subtracted. */
typedef struct {
    const node *added;
    bool minus;
} increment;
bool is_increment(const program *p, const node *n, increment *x);
/* The same of v *= x, v = v * x, v = x * v. */
bool is_scaling(const program *p, const node *n, increment *x);
/* The array that a REALIGN or ALIGN names first; NULL after an error. */
symbol *realigned_symbol(const node *directive);
/* Whether a REDISTRIBUTE or REALIGN changes the array's mapping; whether n holds one that does. */
bool directive_remaps(const node *directive, const array *a);
bool redistributes(const node *n, const array *a);
/* The statement of a block that n belongs to: a whole forall, an expression, ...; NULL: it is in no block. */
const node *statement_around(const node *n);
/* Whether n is outer or somewhere in it; of NULL: false. */
bool node_holds(const node *outer, const node *n);
/* Whether n is, or holds, a node of that kind. */
bool holds_kind(const node *n, node_kind kind);
/* Whether n is an element of an array of constants that nothing changes, `dx[k]`; the least
 * and the greatest of them and 0.  (tables.c) */
bool table_extremes(const node *n, int64_t *least, int64_t *most);
/* Names, elements of such arrays and constants, added and multiplied: nothing that would be evaluated before the
 * statement, with another type.  (tables.c) */
bool is_plain_arithmetic(const node *n);
/* The value of a variable of an independent loop's body that keeps the one it is declared with, `int x = i + dx[k];`,
 * as wide as that; NULL: it is none such, or loop is NULL.  (tables.c) */
node *kept_in_iteration(const independent_loop *loop, const node *n);
/* Whether both are the same expression, of the same variables, whose value is the same one after the other: nothing is
 * assigned or called in it but reductions. */
bool is_same_value(const node *n, const node *m);
/* Whether n compares: ==, !=, <, >, <=, >=. */
bool is_comparison(const node *n);
/* Whether n stands in an array assignment, a forall or a reduction, where `abs` is that of its argument's type;
 * elsewhere it is C's. */
bool has_generic_functions(const node *n);

/* The INDEPENDENT directive before a FOR, or NULL. */
node *independent_directive(const node *loop);
/* The loop that is all of a loop's body, perhaps declared independent itself; NULL: there is none. */
node *loop_in(const node *loop);
/* n without the parentheses around it. */
node *inside_parentheses(node *n);
/* The same without conversions that the analysis has made, too. */
node *inside_conversions(const node *n);
/* Whether anything uses the value of an expression. */
bool is_value_used(const node *n);
/* !n, of the same tokens; whether n was made so. */
node *negation_of(arena *a, node *n);
bool is_made_negation(const node *n);
/* The DECL_NAME in a declarator, NULL if it is abstract. */
node *declared_name(node *declarator);
/* The chain A[..][..] that n is the top of: its symbol, subscripts in order.  False when n isn't an INDEX chain on a
 * NAME. */
bool index_chain(node *n, node **name, node **subscripts, int *count);
/* Whether an INDEX chain with all the subscripts on a distributed array. */
array *distributed_reference(node *n);
/* The INDEX chain of the distributed element that n is, or is a member or an element of a member of; NULL: of none. */
node *element_around(node *n);
/* Whether it stands in an independent loop. */
bool is_in_independent(const node *n);
/* The INDEX chain of which n makes a pointer to the elements of a last dimension: R[i], &R[i][0], in an independent
 * loop, or for a function that every process calls with a copy of them, if no such loop is made around it; NULL: it
 * makes none. */
node *row_pointer(node *n);
/* Whether an index picks a part of the element that a statement stores: A[i].v[k]. */
bool picks_parts(const parallel *s);
/* Whether parameter number k of a function points to what it does not change; whether a call gives this argument to
 * such a one. */
bool parameter_is_constant(const symbol *f, size_t k);
bool takes_constant(const node *call, const node *argument);
/* The distributed parameter that child c of a CALL is the argument for, or NULL. */
array *parameter_array(const node *call, size_t c);
/* The array of which argument number c of a call gives an extrinsic function a view; NULL: none.  Whether n is one. */
array *viewed_array(const node *call, size_t c);
bool is_viewed(const node *n);
/* A call that writes or reads a file (files.def), where the program declares no function of that name. */
typedef enum {
#define FILE_CALL(name, call, least, most, position, stores, forms) FILE_CALL_##name,
#include "files.def"
#undef FILE_CALL
    FILE_CALLS
} file_call_kind;
typedef struct {
    const char *name;
    file_call_kind kind;
    size_t least, most, position; /* arguments; which of them, from 1, is the array */
    bool stores;
    const char *forms;
} file_facts;
/* Of a call; NULL: it is none. */
const file_facts *file_call(const node *n);
/* The array whose elements such a call writes or reads, if argument number c is that one; else NULL. */
array *filed_array(const node *call, size_t c);
/* Whether that argument is all of the array: A, or A[:]. */
bool files_all(node *argument);
/* Whether argument number c of a call is an array, or a section, that is passed as a whole: to a distributed parameter
 * or to a file. */
bool takes_array(const node *call, size_t c);
/* The same in the function's definition; NULL: it is in another file. */
array *defined_parameter(const program *p, const node *call, size_t c);
/* The distributed array that this argument is, or is a section of; NULL: it is none. */
array *argument_array(const node *call, size_t c, bool *section);
/* Whether a call may change this argument, which goes to a distributed parameter, a view or a file. */
bool argument_may_change(const program *p, const node *call, size_t c);
/* Whether n is an assignment, ++ or --. (effects.c) */
bool is_store(const node *n);
bool mentions_symbol(const node *n, const symbol *s);
/* A node that the analysis puts together: printed from what it is, in place of the token `at`; its children's tokens
 * stand elsewhere.  y, z may be NULL, all of them in a constant and a name.  A conversion. */
node *compose(arena *a, node_kind kind, token_index at, const type *t, node *x, node *y, node *z);
node *compose_cast(arena *a, token_index at, const type *t, node *x);
/* Whether n is a product; whether something in it is one. */
bool is_multiplication(const node *n);
bool has_multiplication(const node *n);
/* Whether n was made of a part of the index of a matrix in an array of one dimension (flat_rows). */
bool mentions_rows(const node *n);
/* What a variable is declared with; NULL: nothing. */
node *declared_value(const symbol *s);
/* What a NAME, perhaps in parentheses, names; NULL: n is none. */
const symbol *symbol_named(const node *n);
/* How often n names the symbol. */
size_t names_in(const node *n, const symbol *s);
/* Whether the variable counts some loop in n: `for (i = a; ...)`. */
bool counts_loop_in(const node *n, const symbol *s);
/* What blocks of one statement around it leave of n. */
node *sole_statement(node *n);
/* Puts a node in the place of another one; several, one at least, where it stands in a block. */
void replace_node(node *old, node *new);
void replace_by_several(arena *a, node *old, node *const *statement, int statements);
/* Whether n reads distributed elements, or calls what does. */
bool reads_distributed(const node *n);
/* Whether something that begins at the tokens from .. to, in n or a function that it calls, changes the array. */
bool changes(const program *p, const node *n, const symbol *what, size_t from, size_t to);
/* "is redistributed", "inherits its mapping": why its mapping is known at run time only. */
const char *why_dynamic(const array *a);
/* Whether two arrays may be one at run time: parameters of a function, or a parameter and a file-scope array; and
 * whether calls in which they are must be refused. */
bool may_be_same(const array *a, const array *b);
bool have_alias_check(const program *p, const array *a, const array *b);
/* Whether a function has distributed parameters. */
bool takes_distributed(const symbol *f);
/* Whether a keyword is among declaration specifiers. */
bool specifiers_have(const node *specifiers, const char *keyword);
/* Whether volatile or _Atomic is: other programs, or threads, may change the variable. */
bool specifiers_are_volatile(const node *specifiers);
bool is_volatile(const symbol *s);
/* Whether the program makes a pointer to the variable somewhere. */
bool is_address_taken(const symbol *s);
/* Whether something else has the name of s in n. */
bool is_hidden_in(const node *n, const symbol *s);
/* "file:line" of a node's first token. */
const char *place_of(const program *p, const node *n);
/* A name that occurs nowhere in the program: the wish, or the wish with an ending that no wish has ("space_dpc"). */
const char *fresh_name(program *p, const char *wish);
/* The buffer of moved values of x, of which a statement has so many before: "A_in", "A_in_2". */
const char *moved_name(program *p, const symbol *x, int before);
/* "i_shift": what belongs to index k of a statement. */
const char *index_name(program *p, const parallel *s, int k, const char *what);
/* What tells a reference's buffer from the first one of its array: "" or "_2", .... */
const char *moved_number(const reference *r);
/* A name that occurs nowhere and is never given again: the wish, or the wish and a number ("sum_36_2": the second of
 * line 36). */
const char *unique_name(program *p, const char *wish);
/* One that occurs nowhere else in the function around a scope: other functions may have it too. */
const char *unique_name_in(program *p, const node *scope, const char *wish);
/* Whether a name stands in the source of n, is a constant of generated text, or may come there out of a parameter's
 * bounds. */
bool stands_in_text(const program *p, const node *n, const char *name);
/* Integer constant expression, as far as the compiler evaluates it. */
bool constant_value(const node *n, int64_t *value);
/* Whether n is an index whose loop counts from another value than the index does: then `value + index`, else NULL. */
const char *moved_index(arena *a, const node *n);
/* The value of an index that was a C loop's variable in an expression, with that one's type; NULL: as it is. */
const char *converted_index(arena *a, const node *n);
/* In `replacement` and in the text of bounds, \3name\3 stands for the computation in place of the reduction `name`. */
enum { PLACED = '\3' };
/* Whether a constant subscript of dimension d of an ordinary array is inside constant bounds. */
bool subscript_is_safe(const symbol *s, int d, const node *n);
/* The linear form of an expression without forall indices. */
linear linear_of(arena *a, const source *s, const node *n);

/* Whether a name occurs in C text. */
bool mentions_word(const char *s, const char *name);
/* Text of an expression in the generated program, as codegen would rewrite it. (spelling.c) */
const char *spelling(arena *a, const source *s, const node *n);
/* Whether a foreign pragma stands before n, which may be about n alone: an OpenMP critical or master. */
bool follows_pragma(const source *s, const node *n);
/* Whether an expression may have another value later in its function. */
bool may_vary(const node *n);
/* Declared lower bound of dimension d of `base`, an array that is a C array in the output; NULL where it is 0. */
const char *lower_bound_text(arena *a, const source *s, const node *base, int d);
/* What sizeof or _Alignof of a distributed array, of a row or element of one, is; NULL: n is of something else. */
const char *distributed_size(arena *a, const node *n);

const operation_facts *facts_of_operation(operation op);
/* Whether values of a type are real or complex floating-point numbers. */
bool is_floating(const type *t);
/* Whether n is an array intrinsic with a section among its arguments that the program doesn't declare itself. */
bool intrinsic_call(const node *n, intrinsic *kind);
/* Whether it is a prefix or suffix operation: what it combines, and whether from the end.  Results may be NULL. */
bool prefix_call(const node *n, operation *op, bool *suffix);

#endif
