/* Private to the folder: the iterations of a nest and the elements that its accesses touch, as sets and maps of isl. */
#ifndef DPC_ANALYSIS_SETS_H
#define DPC_ANALYSIS_SETS_H

#include <isl/ctx.h>
#include <isl/map.h>

#include "../model/knowledge.h"
#include "nests.h"

enum { MOST_PARAMETERS = 32 };

/* Two accesses as isl reads them, and whether one conflicts with the other. */
typedef struct {
    const char *words;
    bool filled;
} known_conflict;

/* An array with one subscript, which is read as several where its elements are those of a matrix. */
typedef struct {
    const symbol *array;
    flat_widths widths; /* count 0: it is none */
} flat_array;

/* What a nest's linear forms are made of beside its loop variables. */
typedef struct {
    nest *x;
    isl_ctx *isl;
    const char *parameter[MOST_PARAMETERS];
    const symbol *variable[MOST_PARAMETERS]; /* that a parameter is the name of, or NULL */
    int parameters;
    knowledge around;      /* the nest */
    int length;            /* of the longest path */
    bool in_order;         /* sums are formed in the order of their loops */
    bool failed;           /* isl gave up, or there are too many parameters */
    known_conflict *known; /* values written out where they are used have the same reads many times */
    size_t knowns, known_capacity;
    text *parts; /* where remainders are known: what is said of them, which have the names r0, r1, ... */
    int remainders;
    flat_array *flat; /* arrays with one subscript, as far as they have been looked at */
    size_t flats, flat_capacity;
} space;

/* What is known of a nest before anything is asked; close_space() gives isl's memory back and keeps in the nest whether
 * isl gave up. */
space open_space(nest *x);
void close_space(space *w);

/* Texts, as isl reads them, of the iterations of a statement: conditions on its loop variables ... */
const char *domain_text(space *w, const nest_statement *s);
/* ... of which element an access touches, and which of its part's elements: `parts` subscripts behind those of the
 * array ... */
const char *text_of_subscripts(space *w, const nest_access *x, const node *const *part, int parts);
/* ... and of when it does: loops that count down have their variables negated. */
const char *time_text(space *w, const nest_access *x);
/* From an access's iterations to what such a text says of them; all parameters must have been met. */
isl_map *map_of(space *w, const nest_access *x, const char *range);

/* The widths of the rows that an access's only subscript is made of, wherever in them it may be; false: of none. */
bool widths_of_access(space *w, const nest_access *x, flat_widths *widths);
/* Those of an array, if all accesses stay in such rows; count 0: not. */
const flat_widths *known_widths(space *w, const symbol *of);

#endif
