/* What --explain says, before it becomes text or JSON. */
#ifndef DPC_EXPLAIN_REPORT_H
#define DPC_EXPLAIN_REPORT_H

#include <stdio.h>

#include "formulas.h"
#include "predict.h"

typedef struct {
    const char *text; /* as the source has it */
    const array *array;
    const char *relation;       /* local, shift, sets, broadcast, reduce, gather, scatter */
    const char *model;          /* conventional, deposit; NULL: nothing moves */
    const char *why;            /* one phrase */
    bool written;               /* the left side; else it is read */
    const char *same_as;        /* an earlier reference of the statement whose values it shares, or NULL */
    const char *inspected_with; /* an earlier gather of the statement whose inspector looks for it, too, or NULL */
    bool reused; /* its values stay until the array changes; formulas and predicted are of bringing them once */
    bool again;  /* a redistribution that only the first iteration needs */
    bool halo;   /* read from ghost cells; formulas and predicted say what brings these up to date */
    const parallel *statement;
    const reference *reference; /* NULL: a single element, or a whole array */
    formulas formulas;          /* of what one process sends in one execution; texts NULL: nothing is said */
    prediction predicted;
    const char *pair; /* --pair: its set, or NULL */
} reference_report;

/* What a statement fetches by messages; those with the same aggregate go in the same messages. */
typedef struct {
    const void *aggregate;
    bool reused;
    const char *text; /* as the source has it */
    prediction predicted;
} fetch_report;

typedef struct {
    const char
        *kind;   /* forall, array-assignment, redistribute, reduction, element-read, element-write, call, independent */
    bool is_row; /* element-read: of a row, for a function */
    const char *text;
    const node *node;
    size_t version; /* number of the version that it is in, from 0 */
    int line;
    const char *where; /* "file:line", as DPC_STATS has it */
    int executions;    /* that DPC_STATS counts for one */
    reference_report *reference;
    size_t references, reference_capacity;
    const char **note; /* what holds for the whole statement */
    size_t notes, note_capacity;
    prediction predicted;   /* without what is below */
    const array *refreshed; /* whose ghost cells, or values that stay, are brought if it has changed; or NULL */
    prediction refresh;     /* what that adds */
    fetch_report *fetch;    /* that its execution brings */
    size_t fetches, fetch_capacity;
} statement_report;

/* What it is about: block sizes, elements whose owners are searched for, a loop that runs one element after the other.
 */
typedef enum { HINT_BLOCKS, HINT_INSPECTOR, HINT_LOOP } hint_kind;
typedef struct {
    hint_kind kind;
    int line, last_line; /* of the statement or loop */
    const char *text;
    bool predicted;       /* what one execution takes the process that sends most, by the cost model, is known: */
    double before, after; /* seconds, as it is and as the hint has it */
} hint;

typedef struct {
    program *program;
    statement_report *statement;
    size_t statements, statement_capacity;
    hint *hint;
    size_t hints, hint_capacity;
} report;

report make_report(program *p);
/* Statements with single elements, redistributions and loops that the tree has outside parallel statements.
 * (statements.c) */
void add_plain_statements(report *r);
void add_hints(report *r);
/* A call with distributed arguments. (calls.c) */
void add_call(report *r, const node *call);

/* Tools of the above. */
statement_report *new_statement(report *r, const char *kind, const node *n);
void add_reference(report *r, statement_report *s, reference_report x);
/* The mappings that an array which is redistributed may have where a statement names it. */
void note_mappings(report *r, statement_report *out, const array *a, const node *name);
void add_note(report *r, statement_report *s, const char *words, ...) __attribute__((format(printf, 3, 4)));
/* Returns it, until the next is added; NULL: it is there already. */
hint *add_hint(report *r, hint_kind kind, const node *n, const char *words, ...) __attribute__((format(printf, 4, 5)));

/* Notes x, a reference of a piece of s, if it is fetched by messages of `counts`. (aggregate.c) */
void note_fetch(report *r, statement_report *counts, const parallel *s, int mask, const reference_report *x);
/* Takes those off that go in one with others. */
void join_messages(report *r);

/* A text of the report with bounds as they are declared, "n" for "A_upper0 + 1". (declared.c) */
const char *as_declared(const program *p, const char *written);

/* The list of constants that are the lengths of a dimension's intervals (gen_block); NULL: they are not known.
 * (owners.c)
 */
const node *constant_intervals(const array *a, int d);
/* "intervals of 1, 2 elements", or when it is computed; NULL: the dimension is divided in another way. */
const char *intervals_text(const program *p, const array *a, int d);

/* What was compared where the compiler chose block sizes. (blocks.c) */
void print_block_groups(FILE *out, const program *p);
struct cJSON *block_groups_json(const program *p);

/* ---- For text and JSON alike */

/* "block", "cyclic(4)"; the block as a C expression. */
const char *format_text(const program *p, const array *a, int d);
/* "A(block, *)". */
const char *mapping_text(const program *p, const array *a);
/* Regular sections of a pair: counted, a bound, or an expression; text NULL where nothing is known. */
quantity sections_shown(const program *p, const reference_report *x, const pairing *pair);
int64_t least_of(const prediction *x, amount which);
int64_t most_of(const prediction *x, amount which);

#endif
