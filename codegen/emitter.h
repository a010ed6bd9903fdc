/* Private to codegen.  Output is the source's tokens with some ranges replaced: what no pass of codegen touches is
 * emitted as it was written. */
#ifndef DPC_CODEGEN_EMITTER_H
#define DPC_CODEGEN_EMITTER_H

#include "code.h"
#include "codegen.h"

struct emitter;
typedef struct array_view array_view;
/* What printing asks of the walk over the program (walk.c): to rewrite all under n; a reduction on its own, as code;
 * the statement expression that computes a reduction of ordinary memory where it stands, on one line. */
typedef struct {
    void (*rewrite)(struct emitter *e, node *n);
    void (*reduction)(struct emitter *e, const parallel *s);
    const char *(*placed)(struct emitter *e, const char *name, size_t length);
} walk_functions;
const walk_functions *walk_of_program(void);

/* A constant of the program that is declared where it is used. */
typedef struct {
    const char *name;
    bool used;
} constant;

/* The constant that would hold an array's bound, and the variable that stands in its place. */
typedef struct {
    const char *name, *variable;
} bound_name;

/* An element of ordinary memory whose subscripts are known before the loops (foreseen.c). */
typedef struct {
    const node *node;
    bool dense;       /* it has one subscript, which takes all values between both ends, */
    linear low, high; /* these, where no other index has an empty range */
    const char *any;  /* whether none has, as C text */
} foreseen;

/* What is written at a token; all may be NULL. */
typedef struct {
    const char *replacement; /* in place of the tokens up to `last` */
    size_t last;
    const char *before;    /* before its blank space */
    const char *lead;      /* between its blank space and it */
    const char *after;     /* after it */
    const char *functions; /* before the function that begins there */
} edit;

typedef struct emitter {
    arena *memory; /* of what is made: `kept`, or in a parallel statement `passing` */
    arena *kept, *passing;
    size_t passed; /* statements whose text is in `passing` */
    program *p;
    const emit_options *options;
    bool serial;
    bool keeps_rows; /* references that are kept for a row are called by their variables */
    edit **edit;     /* per token: what is written beside or in place of it, or NULL: nothing */
    edit **spare;    /* those that are not needed any more */
    size_t spares, spare_capacity;
    token_index *line; /* the first tokens of lines, in order */
    size_t lines, line_capacity;
    hash_table computed_before;      /* by statement: the first of program.reductions that is computed before it */
    parallel *const **computed_next; /* per reduction: the next one of the same statement, or NULL */
    const char *head;                /* stands behind the includes at the top */
    bool *starts;                    /* per token: it gets a #line (options->lines) */
    const parallel *current;         /* the parallel statement that is being printed, or NULL */
    const owner_statement *owned;    /* the statement of one owner that is being printed, or NULL */
    const struct body *inside;       /* the loops that are being printed, or NULL (spmd.h) */
    const symbol *in_rows;           /* the index of a matrix whose rows have loops around what is printed, or NULL */
    bool opens_rows;                 /* the loops that are being printed may be such, as their end is known (nest) */
    hash_table outlined;             /* of a tiled loop, by statement: its loops as a function (outline.c) */
    hash_table exchanged;            /* exchanges whose functions stand in the text (exchanges.c) */
    const node *says_pieces;         /* the function in which a comment has said how pieces come (closed.c) */
    hash_table grid_function;        /* the function that names a grid; the unit: several do (creation.c) */
    bool has_halo_exchange;          /* the function that exchanges ghost cells does (halos.c) */
    const void *viewed;              /* the statements that views belong to (views.c), */
    bool viewed_in_function;         /* in a function of their own */
    const array_view **view;
    size_t views, view_capacity;
    constant *constant; /* what text declares (declare_constant) */
    size_t constants, constant_capacity;
    bound_name *bound;
    size_t bounds, bound_capacity;
    code *at;                       /* the block that is open, or NULL (code.h) */
    const char *space;              /* the name of the space of the statement that is being printed */
    bool in_expression;             /* what is printed stands inside an expression */
    int step;                       /* of a product's reduction: values beyond "k_at" */
    const node *in_braces;          /* a statement that gets braces around it; NULL: none */
    bool has_braces;                /* its text is what stands in them, one level deeper */
    bool *formed;                   /* gets a mark for each reduction of the statement whose result is named, or NULL */
    const independent_loop *summed; /* the loop of a serial program whose sums are not rounded, or NULL */
    bool uses_exact;                /* some sum or product is not rounded (exact.c) */
    bool uses_products;             /* some product is not */
    bool uses_extremes;             /* threads combine extremes of floating-point values (openmp.c) */
    bool uses_files;                /* some call writes or reads a file of an array */
    bool uses_hdf5;                 /* one of HDF5 */
    bool uses_heap, uses_extent, uses_sections, uses_conform, uses_limits; /* helpers that the serial program needs */
    foreseen *foreseen; /* by the statements that are being printed */
    size_t foreseen_count, foreseen_capacity;
    struct counted_loop *counted; /* C loops that are being printed, from the outside inwards (counted.c) */
    size_t counted_count, counted_capacity, flags;
    bool compares_later; /* --check=all: what the program calls exchanges no messages of its own (later.c) */
    const walk_functions *walk;
} emitter;

/* ---- Tokens (emitter.c) */
void emitter_start(emitter *e, arena *a, program *p, const emit_options *options, bool serial);
void replace(emitter *e, const node *n, const char *with);
void replace_tokens(emitter *e, size_t first, size_t last, const char *with);
/* What is made from here on is forgotten when the text of n is there, which replaces it; false: it is, already. */
bool begin_passing(emitter *e);
void end_passing(emitter *e, const node *n, const char *s);
/* What is written at token t: to be read; to be changed. */
const edit *edit_at(const emitter *e, size_t t);
edit *edit_of(emitter *e, size_t t);
/* Tokens first..last are replaced by nothing any more. */
void forget_replacements(emitter *e, size_t first, size_t last);
/* The text of tokens first..last with replacements, without the blank space before the first. */
const char *emit_range(const emitter *e, size_t first, size_t last);
const char *emit_node(const emitter *e, const node *n);
/* Everything, from the first token's blank space to the last's.  In text that codegen makes, \1 stands before a name
 * that the program may happen to use as well: it becomes one that occurs nowhere else. */
const char *emit_all(emitter *e);
/* Columns of a line that codegen makes. */
enum { LINE_WIDTH = 120 };
/* Before and behind text that codegen made, until lay_out has given it its shape. */
enum { MADE = '\4' };
/* The text without these marks, in lines as a person would write them. (layout.c) */
const char *lay_out(arena *memory, const char *s);
/* The length of a string, character constant or comment at s, else 1. */
size_t piece_length(const char *s);
/* The white space that the line of a node starts with. */
const char *indentation(const emitter *e, const node *n);
/* Whether a node is the first thing in its line. */
bool begins_line(const emitter *e, const node *n);
/* Places a function that was made for the statement n before the function that n stands in. */
void place_function(emitter *e, const node *n, const char *definition);
/* The text with reductions in place of their marks (PLACED). */
const char *place_reductions(emitter *e, arena *memory, const char *s);
/* A line that declares a constant of the program, and is left out where nothing uses it. */
void declare_constant(emitter *e, text *out, const char *name, const char *pattern, ...)
    __attribute__((format(printf, 4, 5)));
/* Such constants that an atom of a linear form names are used. */
void use_constants(const emitter *e, const char *atom);
/* The text of a linear form, and as an operand, whose names are used. */
const char *linear_words(const emitter *e, const linear *x);
const char *linear_operand_words(const emitter *e, const linear *x);
/* The name of the space of statement `number` of several, where that of the first is `first`. */
const char *space_name(const emitter *e, const char *first, int number);
/* Lines without the first one's indentation and the last one's end. */
const char *trimmed(emitter *e, const char *s, const char *indent);
/* "file:line" as a C string literal, or by a macro of its value. */
const char *place_literal(const emitter *e, const node *n);
/* The text of a string literal's inside. */
const char *escaped(const emitter *e, const char *s);
/* The token behind which a block's first statement can stand: its brace, or the end of its local labels. */
size_t start_of_block(const emitter *e, const node *block);
/* A node's source text, fit to stand in a comment. */
const char *quote(const emitter *e, const node *n);
/* `text`, in parentheses unless it is one operand. */
const char *parenthesise(const emitter *e, const char *s);

/* ---- Expressions (expressions.c) */
/* Rewrites everything under n that touches distributed arrays, lower bounds, reductions. */
void rewrite(emitter *e, node *n);
/* The statement expression that computes a reduction of ordinary memory where it stands, on one line. */
const char *placed_reduction(emitter *e, const char *name, size_t length);
/* The C text of an expression after rewriting. */
const char *expression(emitter *e, node *n);
/* The same of what other copies of it, with the same tokens, are printed beside. */
const char *made_operand(emitter *e, node *n);
/* A mask, or "" where the loops around it say that it holds. */
const char *mask_words(emitter *e, node *mask);
/* abs() of a floating-point value in a parallel expression is fabs(). */
void rewrite_absolute(emitter *e, node *call);
/* The text of what subscripts apply to, after rewriting. */
const char *base_text(emitter *e, node *base);
/* Declared lower bound of dimension d of `base`, an array that is a C array in the output; NULL where it is 0. */
const char *lower_bound(emitter *e, const node *base, int d);

/* ---- Single elements (elements.c) */
/* "i, j": subscripts after rewriting. */
const char *index_list(emitter *e, node **subscripts, int count);
/* The owner's value, on every process. */
/* A copy of a row, for a function. */
const char *row_get(emitter *e, node *n, const array *a, node **subscripts, int count);
const char *element_get(emitter *e, node *n, const array *a, node **subscripts);
/* A[k] op= v; A[k]++ and the like. */
void rewrite_assignment(emitter *e, node *assign);
void rewrite_step(emitter *e, node *step);
/* A statement that the owner of what it stores executes; the text of an element in it. */
void rewrite_owner_statement(emitter *e, const owner_statement *s);
const char *owned_text(emitter *e, const reference *r);

/* ---- Reductions in statements (statements.c) */
/* Computes the reductions of a statement before it, where they may be. */
void compute_reductions_before(emitter *e, node *statement);
/* Computes the reduction that a declaration initialises its only variable with, in that variable, instead of the
 * declaration; false: it is another declaration. */
bool declare_by_reduction(emitter *e, node *declaration);

/* ---- Statements that are compiled for several mappings (versions.c) */
void rewrite_versions(emitter *e, node *n);
/* What has been written of n is forgotten: it is written again for other statements with its tokens. */
void forget_rewriting(emitter *e, const node *n);
/* Adds lines, one level deeper, without those that are empty. */
void add_deeper(text *out, const char *s);

/* ---- Declarations and directives (declarations.c) */
/* What is missing of the indentation before a directive, which stands at the margin. */
const char *missing_indentation(const emitter *e, const node *n, const char *indent);
void rewrite_declaration(emitter *e, node *declaration);
/* Lower bounds of ordinary parameters whose variables change, at the function's beginning. */
void keep_parameter_bounds(emitter *e, const node *definition);
/* [l:u] of an ARRAY declarator becomes [u - l + 1]. */
void rewrite_bounds(emitter *e, node *declarator);
void rewrite_directive(emitter *e, node *directive);
/* What stands at the end of a loop's body and is executed behind the loop. */
void redistribute_behind(emitter *e, const node *loop);
const char *extent_text(emitter *e, const array *a, int d);
bool is_in_file_scope(const node *n);

/* ---- Run-time bounds, evaluated once where the array is declared (bounds.c); the text with the variables' names that
 * stand for such constants (substitutes.c) */
void save_bounds(emitter *e, text *out, const array *a, const char *indent);
const char *with_variables_of_bounds(emitter *e, arena *memory, const char *s);

/* ---- Creating arrays and grids (creation.c) */
/* The lines that make file-scope arrays and their grids, where these stand in a function of their own, NULL, or in
 * `function`; "": there are none. */
const char *create_arrays_text(emitter *e, const node *function);
/* Declares a file-scope directive's grids, but those that belong to the lines that make them. */
void declare_grids(emitter *e, node *directive, const node *function);
/* The lines that make a directive's grids or arrays, and number k of these. */
void creation_lines(emitter *e, text *out, node *directive, const char *indent);
void create_array(emitter *e, text *out, const array_list *made, size_t k, const char *indent);
/* Arguments of the runtime's functions: formats and gaps, a grid or a part of one, an alignment, ghost cells. */
const char *format_arguments(emitter *e, const mapping *m, int rank, const int64_t *gap, const int64_t *lead);
const char *grid_argument(emitter *e, const mapping *m, const node *directive);
const char *alignment_argument(emitter *e, const alignment *x, const array *a);
const char *width_arguments(emitter *e, const array *a);
/* Beside how many dimensions at once they are read. */
const char *corners_text(emitter *e, const array *a);
/* The function of the library that makes an array so: dpc_create, dpc_create_aligned, dpc_receive_with_halo. */
const char *making_function(emitter *e, const char *makes, const array *a);
/* Whether array a, without ghost cells, has the bounds and the mapping that x is made with, and the arguments of a
 * function that makes it so: place, name, type, x. */
bool is_made_like(emitter *e, const array *a, const array *x);
const char *like_text(emitter *e, const array *a, const array *x);
/* What the array is like, as the runtime's functions take it: place, name, type, rank, bounds, formats, grid, ghost
 * cells. */
const char *mapped_text(emitter *e, const array *a);
/* Whether it has ghost cells, or, aligned, room between its blocks for those of others. */
bool has_halo(const array *a);

/* ---- Distributed parameters and their arguments (calls.c) */
/* In place of a parameter's declaration. */
void rewrite_parameter(emitter *e, node *parameter);
/* Lines behind the directive of a parameter. */
void receive_parameter(emitter *e, text *out, const array *a, const char *indent);
void serial_parameter(emitter *e, text *out, const array *a, const char *indent);
/* The argument number c of a call, which goes to a distributed parameter. */
void rewrite_argument(emitter *e, node *call, size_t c);
/* A serial call whose arguments are rewritten, but for sections, and these. */
void serial_call(emitter *e, node *call);
/* Declares, in a serial program, section_C: the copy in ordinary memory of the section of a that is argument C. */
const char *serial_section(emitter *e, node *call, size_t c, const array *a);

/* ---- files.c */
/* A call of npy_save or its like whose arguments are rewritten, but for the array in a serial program. */
void rewrite_file_call(emitter *e, node *call);
/* What the serial program needs for them. */
const char *file_helpers(const emitter *e);
/* A call of an extrinsic function: views of its arguments. */
void give_views(emitter *e, node *call);
/* Check of a static array that its function uses by its name, behind its directive. */
void use_static(emitter *e, text *out, const array *a, const char *indent);
/* Checks of the file-scope arrays that a function uses by their names, at its beginning. */
void rewrite_function(emitter *e, node *definition);

/* ---- Parallel statements (parallel.c for SPMD, serial.c) */
void spmd_group(emitter *e, const group *g);
void spmd_reduction(emitter *e, const parallel *s);
/* A reduction on its own, as lines that leave its value in s->reduction[0].name, declared before. */
void emit_reduction(emitter *e, const parallel *s);
/* C text that the analysis made, whose names are used. */
const char *made_text(const emitter *e, const char *text);
/* The text of an array intrinsic inside the current parallel statement. */
const char *intrinsic_text(emitter *e, const node *call);
/* The condition under which an end-off shift has an element; NULL: the call is none. */
const char *end_off_condition(emitter *e, const node *call);
/* The text of what a reference reads: of its turns, the one that the iteration needs. */
const char *read_text(emitter *e, const reference *r);
/* The text of a reference inside the current parallel statement. */
const char *reference_text(emitter *e, const reference *r);
/* Lines that compute inner reduction number k of a statement into its name. (inspector.c, serial.c) */
void spmd_inner_reduction(emitter *e, const parallel *s, int k);
void serial_inner_reduction(emitter *e, const parallel *s, int k);
void serial_group(emitter *e, const group *g);
void serial_reduction(emitter *e, const parallel *s);
const reference *reference_at(const parallel *s, const node *n);
/* The C type of values of type t; `unknown` where it is not known to be arithmetic. */
const char *value_ctype(const type *t);

/* ---- Shared by both kinds of parallel statements (nest.c) */
/* C text of a subscript: the user's own, or made from a section. */
const char *subscript_text(emitter *e, const parallel *s, const subscript *u);
/* offset + stride * index as a linear expression. */
linear subscript_linear(emitter *e, const parallel *s, const subscript *u);
/* The condition of the first `count` masks, saved ones read from their buffers at position `at`; "" if there is none.
 */
/* Bounds of inner reductions that are saved, or read where they stand: whether one has such; whether they are read
 * where they stand; a bound at a position; the variables that hold those of an iteration. */
bool is_ragged(const parallel *s, int which);
bool has_bounds_in_place(const parallel *s);
const char *ragged_bound(emitter *e, const parallel *s, const linear *bound, const char *at);
void declare_bounds(emitter *e, const parallel *s, int which, const char *at);
const char *first_masks(emitter *e, const parallel *s, int count, const char *at);
/* A mask that is evaluated only where those before it hold. */
const char *mask_value(emitter *e, const parallel *s, int m, const char *at);
/* The C type in which mask m, or the value of a forall's local, is saved. */
const char *saved_ctype(const parallel *s, int m);
/* Declares the locals of a forall that the statement uses. */
void emit_locals(emitter *e, const parallel *s);
/* Declares the result of a reduction, with what it is over an empty set. */
void emit_start(emitter *e, const reduction *r);
/* What a reduction, or an operation on values of a type, is over an empty set. */
const char *start_text(emitter *e, const reduction *r);
const char *start_value_of(emitter *e, operation op, const type *t);
/* A value is combined with the result so far. */
void emit_update_of(emitter *e, operation op, const char *ctype, const char *result, const char *value);
/* Where the result grows. */
const char *result_text(const emitter *e, const reduction *r);
/* After the last update: the place of no element. */
void emit_finish(emitter *e, const reduction *r);
const char *reduction_ctype(const reduction *r);
void emit_update(emitter *e, const reduction *r);
/* The same where others stand beside it, whose variables have the same names. */
void emit_update_beside(emitter *e, const reduction *r);
/* The conditions joined; "": none. */
const char *guards_text(emitter *e, const guards *g);
/* The third part of the head of a loop that counts its iterations down in `left`, whatever the stride is. */
const char *counted_step(emitter *e, const loop_index *x, const char *left);
/* What is evaluated after so many statements of the group. */
void emit_hoists(emitter *e, const hoists *h, size_t after);
const char *deeper(const emitter *e, const char *indent);
void emit_conformity(emitter *e, const parallel *s);
/* Whether the left side's subscripts may read what is being stored: its addresses are found before the stores. */
/* What is stored: the element, or its member. */
const char *stored_text(emitter *e, const parallel *s);
bool stores_by_pointer(const parallel *s);
const char *left_ctype(emitter *e, const parallel *s);
/* How the value buffer of a statement is typed. */
const char *buffer_ctype(emitter *e, const parallel *s);

/* --check=all: the comparison before a statement that one process executes; "": none. (agreement.c) */
const char *agreement_text(emitter *e, const node *n);
/* --check=all: subscript d, of `count`, of the element n of ordinary memory that `base` names, whose rows up to d are
 * `row`; with its comparison, where the extent is known. (ordinary.c) */
const char *compared_subscript(emitter *e, node *n, const node *base, int d, int count, const char *row,
                               const char *at);
/* The comparison of both ends of a subscript, where `any`; "": there is nothing to compare; NULL: they do not tell. */
const char *compared_ends(emitter *e, const node *n, const node *base, int d, int count, const char *any,
                          const linear *low, const linear *high);
/* Whether an element's subscripts have been compared before the loops; what is known of one that takes all values
 * between its ends, or NULL. (replicas.c) */
bool is_inside_before(const emitter *e, const node *n);
const foreseen *read_whole(const emitter *e, const node *n);
/* Forgets elements that were foreseen. */
void forget_foreseen(emitter *e);
/* --check=all: a C loop whose parts are rewritten begins, and ends; the first is false where it does not count.
 * (counted.c) */
bool begin_counted(emitter *e, const node *n);
void end_counted(emitter *e, node *n);
/* The variable that says that subscript d of n stays inside in all iterations of a loop around it, by `function` of
 * whether there are any, both ends, and `with`; "true": it does; NULL: no loop tells.  block: `base` points to the
 * memory. */
const char *inside_loops(emitter *e, node *n, const node *base, int d, bool block, const char *function,
                         const char *with);
/* The same of *p, rewritten before. */
void rewrite_pointed(emitter *e, node *n);
/* A function that tells the library of the file's arrays, as text; "": there are none. */
const char *register_memory_text(emitter *e);
/* Whether a variable is declared so: it has no address. (replicas.c) */
bool is_register(const emitter *e, const symbol *s);
/* --check=all: the same of what a declaration in a function declares. (ordinary.c) */
void note_objects(emitter *e, const node *declaration);
/* Whether sizeof gives the first extent of an array that is no parameter. */
bool knows_extent(const symbol *s);
/* --check=all: a number in ordinary memory, rewritten before, that a statement on distributed arrays reads: it is found
 * where it differs among processes. (alike.c) */
void rewrite_alike(emitter *e, node *n);
/* Whether iterations read, by n, all elements between two, so that these are compared as a whole. */
bool is_read_whole(emitter *e, const node *n);
/* The same of the text of a section's element. */
const char *alike_text(emitter *e, const node *n, const node *base, const char *element);

/* ---- Sums that are rounded once (exact.c), of elements of type x */
void start_exact(emitter *e, element x, const char *name);
const char *exact_declaration(emitter *e, element x, const char *name);
/* The call that adds a value. */
const char *exact_addition(emitter *e, element x, const char *name, const char *value);
void combine_exact(emitter *e, element x, const char *name);
/* The sum, rounded. */
const char *exact_result(emitter *e, element x, const char *name);
/* Of a part of reduction(+: s). */
element exact_element(const partial_result *r);
/* The same of a variable in reduction(+: s) or reduction(*: p): how it begins, and the statements behind the loop. */
const char *exact_part_declaration(emitter *e, const partial_result *r);
void combine_exact_part(emitter *e, const partial_result *r);
const char *exact_part_stored(emitter *e, const partial_result *r);
/* Replaces the assignment or step n of such a variable or element; false: it is none. */
bool replace_exact_update(emitter *e, node *n);
/* Whether some variable of reduction(...) is no plain variable while the loop runs. */
bool has_own_rounding(const independent_loop *x);
/* The same loop in a serial program. */
void rewrite_summing_loop(emitter *e, node *n, const independent_loop *x);
/* OpenMP's clause for a sum, and the pragmas that declare its operator; "": none is needed. */
const char *exact_clause(emitter *e, const char *name);
const char *exact_declarations(const emitter *e);
const char *extreme_declarations(const emitter *e);
/* The arithmetic, for a serial program. */
const char *exact_header(const emitter *e);

#endif
