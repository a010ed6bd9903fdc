/* Types of values, and what names stand for. */
#ifndef DPC_ANALYSIS_SYMBOLS_H
#define DPC_ANALYSIS_SYMBOLS_H

#include "linear.h"
#include <stdint.h>

#include "../../ir/table.h"
#include "../../lexer/lexer.h"

enum { MAX_RANK = 15 };

/* ---- Types */
typedef enum {
#define ELEMENT(name, ctype, rank, integer, is_signed) ELEMENT_##name,
#include "elements.def"
#undef ELEMENT
    ELEMENTS
} element;

typedef enum {
    TYPE_UNKNOWN,
    TYPE_VOID,
    TYPE_ARITHMETIC,
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_FUNCTION,
    TYPE_RECORD,
    TYPE_FOREIGN
} type_kind;

typedef struct type {
    type_kind kind;
    element element;    /* ARITHMETIC */
    struct type *of;    /* POINTER, ARRAY: of what; FUNCTION: its result */
    node *array;        /* ARRAY: the N_ARRAY declarator with the bounds */
    const node *record; /* RECORD: its N_STRUCT */
    node *asked;   /* FOREIGN: what the C compiler is asked for (resolve/probe.c); UNKNOWN after resolve where it has no
                      answer */
    bool answered; /* by the C compiler: FOREIGN then is no arithmetic type */
} type;

/* Elements that are structures are numbers behind ELEMENTS (records.c): of these, the first four are known. */
bool element_is_record(element e);
const char *record_name(const type *t); /* of a RECORD that is an element or a member of one; else NULL */
const char *element_spelling(element e);
const char *element_enumerator(element e); /* DPC_DOUBLE, DPC_STRUCTURE(struct p) */
int64_t element_bytes(element e);
int64_t element_alignment(element e);
bool element_is_integer(element e);
bool element_is_signed(element e);
bool element_is_complex(element e);
bool type_is_signed_integer(const type *t); /* NULL: not known */
/* Whether arithmetic with it goes round: integers that no int holds. */
bool type_is_unsigned(const type *t);
/* Of 64 bits: sums, differences and products of such numbers are, as long, those of the numbers as long.  Of either
 * kind: a number that a long has, or such a one. */
bool type_is_long_unsigned(const type *t);
bool type_counts_as_long(const type *t);
/* The type of x + y, and of +x. */
element element_common(element x, element y);
element element_promoted(element x);

/* ---- Symbols */
typedef enum {
    SYMBOL_VARIABLE,
    SYMBOL_FUNCTION,
    SYMBOL_TYPEDEF,
    SYMBOL_ENUMERATOR,
    SYMBOL_GRID,
    SYMBOL_INDEX,
    SYMBOL_LOCAL, /* a value of a local of a forall: a variable of the loops (spelling), else saved */
    SYMBOL_TEMPLATE
} symbol_kind;

typedef struct symbol {
    symbol_kind kind;
    const char *name;
    type *type;
    node *declarator;  /* the DECL_NAME, ENUMERATOR, ENTITY, FORALL_INDEX that declares it */
    node *declaration; /* the DECLARATION, PARAMETER or FUNCTION_DEFINITION around it, or NULL */
    node *scope;       /* the UNIT, COMPOUND, FOR, ... that it belongs to */
    node *definition;  /* the initialiser of a later declaration, or NULL */
    bool file_scope, is_static, is_parameter;
    bool is_extern;        /* declared so, and not defined in this file */
    bool is_shared;        /* VARIABLE of file scope: some declaration of it is extern */
    bool has_value;        /* ENUMERATOR: value is known. INDEX: the loop counts from 0, and value is to be added */
    bool only_one;         /* ENUMERATOR: nothing hides its name anywhere in the file */
    bool is_short;         /* VARIABLE, in a version of a statement: between -1 and 1 there */
    bool uses_distributed; /* FUNCTION: it or what it calls touches a distributed array (collective) */
    bool extrinsic;        /* FUNCTION: each process runs it on its part of the arrays of which it gets views */
    bool calls_unknown;    /* FUNCTION: it or what it calls calls what is not known here */
    int64_t value;
    int64_t lower_more, upper_more; /* INDEX made of a C loop: what is added to its bounds */
    struct array *array;            /* VARIABLE: named in a directive that distributes it; TEMPLATE */
    struct grid *grid;              /* GRID */
    struct symbol *shadowed;        /* the declaration before it that is visible where it is declared */
    const char **lower_name; /* VARIABLE, automatic or a parameter: per dimension, the constant that holds a run-time
                                lower bound, or NULL; NULL: all are constant */
    const char *spelling;    /* INDEX: in generated code, where its scope has another variable of its name; else NULL */
    node **assignment;       /* NAMEs where it is assigned or its address is taken, in order of the source */
    size_t assignments, assignment_capacity;
    struct symbol **calls; /* FUNCTION: what it calls */
    size_t call_count, call_capacity;
    bool is_asked, is_table;      /* VARIABLE: whether it is an array of constants that nothing changes, once asked, */
    int64_t least, most;          /*   which are between these (table_extremes) */
    const struct flat_rows *rows; /* INDEX: of a matrix in an array of one dimension (flatten.c), or NULL */
} symbol;

enum { MOST_WIDTHS = 3 };

/* The innermost rows of such a matrix.  A made BINARY whose symbol is the index has the name of a part: the number of
 * the row, the place in it, or the condition that the place is among those that there are. */
typedef struct flat_rows {
    linear width;
    int parts; /* of the index, and the least and greatest value of each: of the place in a row, the row, ... */
    linear least[MOST_WIDTHS + 1], greatest[MOST_WIDTHS + 1];
    const char *row, *place; /* names for the row's number, and for the place in it */
} flat_rows;
extern const char ROW_NUMBER[], ROW_PLACE[], ROW_LIMITS[];

#endif
