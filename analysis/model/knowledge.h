/* Private to analysis: what is known of the variables where a statement is executed. */
#ifndef DPC_ANALYSIS_KNOWLEDGE_H
#define DPC_ANALYSIS_KNOWLEDGE_H

#include "model.h"

enum { MOST_AROUND = 8, MOST_FACTS = 16 };

/* What is known of the variables at a statement that has iterations. */
typedef struct {
    arena *memory;
    source *source;
    struct {
        const symbol *variable; /* of a loop around the statement, the outermost first; then its own indices */
        linear low, high;       /* it is between these, where they are known */
        bool has_low, has_high;
    } loop[MOST_AROUND + MAX_RANK];
    int loops;
    linear fact[MOST_FACTS]; /* not negative */
    int facts;
} knowledge;

/* What the C loops around n, which is the statement or stands in it, and the ranges of its indices say. */
knowledge knowledge_at(const program *p, const parallel *s, const node *n);
/* The same where a reference is evaluated: of its reduction's indices, too. */
knowledge knowledge_where_read(const program *p, const parallel *s, const reference *r);
/* Whether the variables in x keep their values during the statement, and since arrays were created from them: all are
 * fixed or (where `loops` is more than 0) of the outermost loops. */
bool is_settled(const knowledge *w, const linear *x, int loops);
/* The value that a variable keeps, made of others that keep theirs: `const int ld = n + 2;`; false: it is none such. */
bool fixed_value(arena *memory, source *s, const symbol *v, linear *value);
/* Whether a term is what is left of settled numbers by a constant, or some of their bits. */
bool is_settled_remainder(const knowledge *w, const linear_term *term, int loops);
/* Adds factor * y to x; false: what is written alike means different variables. */
bool add_multiple(arena *memory, linear *x, int64_t factor, const linear *y);
/* The product of sums as a sum of products; false: something in them is made up. */
bool multiply_out(const knowledge *w, const linear *x, const linear *y, linear *product);
/* Whether x >= 0, low <= high follow. */
bool is_not_negative(const knowledge *w, linear x);
bool is_at_most(const knowledge *w, const linear *low, const linear *high);
/* Constants that x, settled, is not below and not above while the loops run; false: there are none. */
bool find_extremes(const knowledge *w, const linear *x, int64_t *least, int64_t *most);

/* Whether a stride is a constant other than 0, and bounds do not depend on other indices. */
bool has_known_stride(const loop_index *x);
/* Of a constant stride: the bound that the values of the index are not below, not above. */
const linear *least_value(const loop_index *x);
const linear *greatest_value(const loop_index *x);

/* Whether the unsigned variable of a loop may begin at a difference that goes round, `i = n - 3` where n is 2: it is
 * above every limit, and no number below 0. */
bool may_begin_below_zero(const program *p, const node *loop, const node *first);

#endif
