/* The generator of random programs.  Every statement is made once and printed in both languages: as DPC, and as plain
 * C. */
#ifndef GENERATE_H
#define GENERATE_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_RANK 3
#define MAX_ARRAYS 7
#define MAX_LOCALS 3 /* a function's parameters and own arrays */
#define MODULUS 9973

/* ---- text.c: random numbers and text */

void seed_numbers(long seed);
long below(long n); /* 0 .. n-1 */
long between(long low, long high);
bool chance(int percent);
long minimum(long a, long b);

typedef struct {
    char *text;
    size_t length, room;
} buffer;

void add(buffer *b, const char *format, ...);
void append(buffer *b, const buffer *more);
/* A program's text with _SEED behind the names that any program may have in file scope. */
void print_renamed(const char *program, long seed);

/* An expression, reference or subscript in both languages. */
typedef struct {
    char dpc[2000], c[2000];
    bool is_complex;
} text;

/* The bodies of the two main functions, and how deep in blocks they are. */
extern buffer dpc_body, c_body;
extern int depth;

/* The indentation of the next line. */
const char *indent(void);

#define DPC(...) (add(&dpc_body, "%s", indent()), add(&dpc_body, __VA_ARGS__))
#define C(...) (add(&c_body, "%s", indent()), add(&c_body, __VA_ARGS__))
/* Prints the same line in both; its arguments are evaluated twice. */
#define BOTH(...) (DPC(__VA_ARGS__), C(__VA_ARGS__))

/* Declares v1 .. v4, which hold 1, 2, 3 and 4. */
extern const char variables[];

/* The number, or an expression that is as great.  `out` has room for 40 characters. */
const char *number(char *out, long n);

extern int repeats; /* loops around the statement */

/* The variable of the loop around, which is 0 or 1, or NULL: a subscript that may grow by `slack` can add it. */
const char *round_name(long slack);

/* ---- arrays.c: arrays, mappings, checksums */

/* SMALL: right sides are always taken modulo; BITS: an integer type; UNSIGNED: its values are kept positive; WIDE: what
 * wraps round in it is more than a double holds. */
enum { SMALL = 1, BITS = 2, UNSIGNED = 4, WIDE = 8, COMPLEX = 16 };

/* ANCHOR: distributed, redistributed, others are aligned with it. LINK: aligned for good, others are aligned with it.
 * FOLLOWER: aligned or distributed, and realigned. */
typedef enum { ANCHOR, LINK, FOLLOWER } array_role;

/* first: what is added to an element's first value, or compared with it. */
typedef struct {
    const char *name, *first;
    int kind;
} element_type;

typedef struct {
    char name;
    int rank;
    long lower[MAX_RANK], extent[MAX_RANK];
    const element_type *type;
    bool distributed, constant;
    array_role role;
    bool followed, inherits, parameter; /* of a function */
    char mapping[120];                  /* one that it had: redistributions come back to it */
} array;

/* Those that the statements use: the program's, or while a function is made, its own. */
extern array arrays[MAX_ARRAYS + MAX_LOCALS];
extern int array_count;
extern bool automatic; /* the arrays are automatic ones with run-time extents */
extern bool wide;      /* some array's type is WIDE */
extern int checks;     /* per cent of the statements whose left side is printed */
extern int remappings; /* per cent of the statements that redistribute */
extern int kernels;    /* per cent of the statements that are kernels */

/* Declares the grids; those of so many processes as the program computes, with the variables that mappings mention. */
extern const char processors[], computed[];

void make_arrays(void);
bool is_empty(const array *a);
bool is_far(long lower); /* squares of indices there would overflow */
const array *any_array(void);
const array *any_variable(void); /* one that is not constant */
void declare(buffer *dpc, buffer *c, array *a);
/* The first part of it: the declarator, with C's function that finds an element. */
void declare_elements(buffer *dpc, buffer *c, const array *a);
/* `distribute` or `align`, as its role says, if there is something that it can be aligned with. */
void map_elements(buffer *dpc, array *a);
/* A(formats) for `distribute` and `redistribute`; `automatic_too`: the compiler may choose block sizes. */
void add_mapping(buffer *b, array *a, bool automatic_too);
void fill(const array *a); /* gives each element a value */
/* The loops over all elements of an array: indices x0, x1, x2; the element there. */
void add_loops(buffer *b, const array *a);
const char *element(const array *a, bool dpc);
const char *value(const array *a, bool dpc); /* the same as a real number */
void print_checksum(const array *a);
/* Every element by itself: different from print_checksum in everything that can go wrong. */
void print_elements(const array *a);

/* ---- alignments.c: templates, alignment, redistribution */

extern bool alignments; /* the program has any */

/* For the declarations that follow; a function sees none of an automatic program, and has its own to its end. */
void declare_template(buffer *dpc, bool for_function);
void hide_templates(void);
void end_function_templates(void);
array_role random_role(void);
/* What the array can be aligned with in its scope, or NULL; the text behind `align` and `realign`. */
array *base_for(const array *a);
void add_alignment(buffer *b, const array *a, const array *base);
void redistribute(void); /* the directive, for any array or template; or `realign` */

/* ---- expressions.c: references and right sides in a context: the indices of a forall, or the sections of an
 * assignment */

/* A forall's index has a name and values low .. high (a bounding box where bounds are triangular); a section has
 * `count` elements. */
typedef struct {
    bool forall;
    int rank;
    char name[MAX_RANK];
    long low[MAX_RANK], high[MAX_RANK];
    long count[MAX_RANK];
} context;

/* Appends one subscript, an invariant one, and one of dimension d that is affine in an index and in range for all its
 * values (false if there is none). */
void subscript(text *t, const char *dpc, const char *c, bool first);
void invariant(text *t, const array *a, int d, bool first);
bool indexed(text *t, const array *a, int d, const context *x, int index, bool first);
/* A reference for the context, to an array that is not empty; else a number. */
void reference(text *t, const context *x, const array *a, const long *strides);
/* Appends pattern to out with the two texts in place of its first and second $; the same in both languages. */
void substitute(char *out, size_t room, const char *pattern, const char *first, const char *second);
void combine(text *t, const char *pattern, const text *a, const text *b);
/* A right side for elements of a type from two references, a whole number below MODULUS where `reduced`.  Grows values
 * by a factor of 2 or not at all. */
void expression(text *t, const context *x, const text *a, const text *b, const element_type *type, bool reduced);
/* `left op whole` for all that the C loops go through where the test holds: first all values, then all assignments. */
void assign(const text *left, const char *op, const text *whole, const char *loops, const char *test);
const char *operator_for(const element_type *type);
bool is_bitwise(const char *op);

/* ---- functions.c: functions with distributed parameters */

/* Their definitions, in both languages. */
extern buffer dpc_functions, c_functions;

void call(void);
bool in_function(void);
bool is_global(const array *a); /* one of the program's, not of a function's or a block's */
/* A name that no array has, or '\0'; a number of names is kept for functions. */
char new_name(bool for_function);

/* ---- intrinsics.c, control.c: statements */

void intrinsic_assignment(void);
void other_reduction(void);
void typed_reduction(void);
void dot_product(void);
void element_loop(void);
void array_reduction(void);
void block_with_array(void);

/* ---- statements.c */

/* Chooses the indices of a forall over `a`, one per chosen dimension (order shuffled), and their left subscripts. */
bool forall_indices(context *x, const array *a, int rank, int *dimension);
/* The index ranges in both languages; bounds may become triangular when both spans allow it. */
void forall_ranges(const context *x, char *dpc, char *c, bool *empty);
void make_mask(text *t, const context *x);
bool single(text *t, const array *a); /* one element, if there is one */
/* Index n in dimension[n], invariant elsewhere; or scattered by a permutation. */
void left_side(text *t, const context *x, const array *a, const int *dimension);

/* Which dimensions of `a` are sections, `wanted` of them, and with what stride; 0 marks invariant ones. */
bool choose_sections(const array *a, int wanted, long *strides);
/* No section of x counts more elements than the array has with that stride. */
void limit_counts(context *x, const array *a, const long *strides);

/* So many statements, blocks of them counted as one. */
void statements(int count);

#endif
