/* Who executes; what stays inside its array. */
#ifndef DPC_ANALYSIS_INSIDE_H
#define DPC_ANALYSIS_INSIDE_H

#include "statements.h"

/* The reference whose owner executes; NULL: every process. */
const reference *home_of(const parallel *s);
/* Whether the processes execute different iterations. */
bool has_parts_of_processes(const parallel *s);
/* What is left of a division by a constant m > 0, `number % m`, or `number & m`; NULL: the term is something else.
 * (knowledge.c) */
const node *read_remainder(const linear_term *term, int64_t *m);
/* Whether the bounds of an executed statement, and of the C loops around it, prove that a reference stays inside its
 * array. */
bool reference_in_bounds(const program *p, const parallel *s, const reference *r);
/* Whether constant ranges take a reference out of its array's constant bounds in some iteration. */
bool reference_leaves(const parallel *s, const reference *r);
/* The same of subscript d in the iterations that are executed: masks, conditions around it and triangular bounds count.
 */
bool executed_in_bounds(const program *p, const parallel *s, const reference *r, int d);
/* The same of what stands in the brackets of dimension d in C loops that are no statement yet, whose loop and counters
 * are given: the loops and conditions around `at` count. */
bool element_in_bounds(const program *p, independent_loop *loops, const node *at, const array *a, node *bracketed,
                       int d);
/* What these conditions say about index k, as C text for the program at run time; NULL: nothing. */
typedef struct {
    const char *low, *high;
} index_limits;
index_limits executed_limits(const program *p, const parallel *s, const reference *r, int k);
/* Whether that is proved of all its references to distributed arrays, home included. */
bool statement_in_bounds(const program *p, const parallel *s);
/* Whether r stands where home's owner executes, by their mappings and subscripts. */
bool reference_is_local(const program *p, const reference *home, const reference *r);
/* Whether the same processes hold both: neither has copies where the other has none. */
bool same_holders(const program *p, const reference *x, const reference *y);
/* Whether two references read the same element in every iteration. */
bool same_subscripts(const program *p, const reference *x, const reference *y);
/* Whether an iteration that comes to the statement's value, or to that of the reference's reduction, reads it.
 * (accesses.c) */
bool is_always_read(const parallel *s, const reference *r);
/* Whether y, which may read another array, has the same subscripts as x in the same iterations, and x is read wherever
 * y is: both are gathered. */
bool has_same_accesses(const program *p, const parallel *s, const reference *x, const reference *y);
/* Whether they are known to have the same bounds and to be divided alike. (likeness.c) */
bool are_mapped_alike(const program *p, const array *a, const array *b);
/* Whether elements of both with the same subscripts are known to stand at the same places of the same processes.
 * (likeness.c) */
bool are_stored_alike(const program *p, const array *a, const array *b);
/* Whether dimension d of a and e of b have one format and block size, whatever that is at run time. */
bool equal_formats(const program *p, const array *a, int d, const array *b, int e);

/* --check=all: whether the subscripts do not show that each iteration assigns an element of its own. */
bool records_assignments(const program *p, const parallel *s);
/* Whether the subscript of home's dimension d says who executes an iteration. */
bool finds_owner(const parallel *s, int d);
/* Whether a loop's bound may be evaluated anew for each value of the variables in it: a signed number, of variables and
 * constants. (loops.c) */
bool may_vary_as_bound(const node *n);
/* Whether bounds of some index depend on others. (bounds.c) */
bool has_triangular(const parallel *s);
/* Whether a term of a bound depends on indices otherwise than linearly. (bounds.c) */
bool bends_with_indices(const parallel *s, const linear_term *x);
/* Whether the element of home is there along dimension d in every iteration that is executed. */
bool is_inside_home(const program *p, const parallel *s, int d);
/* `for (i = first; i < limit; i += step)`; > where the step is negative; with <= and >= the limit is inclusive. */
typedef struct {
    const symbol *variable;
    const node *first, *limit;
    int64_t step; /* at most 2^31 - 1, in magnitude */
    bool inclusive;
} counting_loop;
/* The number that a loop steps by: a constant, or a variable that keeps the one that it is declared with. */
bool step_value(const node *n, int64_t *value);
/* False: the loop is not of this form. */
bool counting_loop_of(const node *loop, counting_loop *c);
/* Whether only the loop's head changes its variable, which never overflows, and its body begins only there. */
bool counts_undisturbed(const node *loop, const counting_loop *c);
/* The same of a variable of any type, which may overflow. */
bool changes_in_head_only(const node *loop, const counting_loop *c);

/* A subscript that C loops in the body of an independent one check as the outermost of them begins: it is linear in
 * each of their variables, and all their iterations evaluate it. */
enum { CHECKED_LOOPS = 3 };
typedef struct {
    const node *loop, *subscript; /* the outermost loop */
    int loops;
    counting_loop count[CHECKED_LOOPS]; /* from the inside outwards */
} stepped_subscript;
/* False: it is checked where it stands.  (plan/ends.c) */
bool is_checked_by_loop(const parallel *s, const reference *r, int d, stepped_subscript *x);
/* Values among which the least and the greatest one are; returns how many pairs there are. */
typedef struct {
    linear first, last;
} end_pair;
int ends_of_subscript(const program *p, const stepped_subscript *x, end_pair pair[1 << CHECKED_LOOPS]);
/* The same, as corners of the loops' ranges: bits of those of whose values the last one counts, of others the first. */
typedef struct {
    unsigned first, last;
} corner_pair;
int corners_of_subscript(const program *p, const stepped_subscript *x, corner_pair pair[1 << CHECKED_LOOPS]);
/* The power of a variable in arithmetic of sums and products; 2 where it is none. */
int power_of(const node *n, const symbol *s);
/* The last value of a loop's variable. */
linear last_of_loop(const program *p, const counting_loop *c);
/* Whether each iteration of the independent loop s evaluates r: then the ends of its range tell. */
bool is_evaluated_always(const parallel *s, const reference *r);

/* C's own loops around an element of ordinary memory (plan/ranges.c): whether a subscript of n is linear in the
 * variables of counting loops from `outermost` inwards, and else keeps its value there; whether nothing in the loop
 * changes where a variable points to, or gives memory back; whether something decides in it whether n is evaluated. */
bool steps_within(const program *p, const node *outermost, const node *n, const node *subscript, stepped_subscript *x);
bool keeps_block(const program *p, const node *loop, const symbol *s);
bool is_decided_in(const node *loop, const node *n);

/* Of a variable's type. */
bool is_signed_integer(const symbol *s);

#endif
