/* Pass "nests": which of two uses of a private comes first, where each iteration of the whole nest has its own.  The
 * places in the program's text tell; isl would take conditions of many branches apart, whose number of cases is their
 * product. */
#include "nests.h"

static bool is_of_one_iteration(const nest *x, const nest_access *a) {
    return a->statement >= 0 && a->depth >= 0 && a->depth == x->statement[a->statement].loops;
}

/* Whether two statements stand in different branches of an `if`. */
static bool exclude_each_other(const nest_statement *s, const nest_statement *t) {
    for (int k = 0; k < s->conditions; k++)
        for (int m = 0; m < t->conditions; m++)
            if (s->condition[k].node == t->condition[m].node && s->condition[k].negated != t->condition[m].negated)
                return true;
    return false;
}

static int constant_at(const nest_path *a, int k) {
    return k < a->length && a->loop[k] < 0 ? a->constant[k] : 0;
}

bool are_of_one_iteration(const nest *x, const nest_access *a, const nest_access *b) {
    const int length = a->path.length > b->path.length ? a->path.length : b->path.length;
    if (!is_of_one_iteration(x, a) || !is_of_one_iteration(x, b) || a->depth != b->depth) return false;
    for (int k = 0; k < length; k++) {
        const int one = k < a->path.length ? a->path.loop[k] : -1, other = k < b->path.length ? b->path.loop[k] : -1;
        if (one != other) return false;
    }
    return true;
}

bool comes_earlier(const nest *x, const nest_access *a, const nest_access *b) {
    const int length = a->path.length > b->path.length ? a->path.length : b->path.length;
    if (exclude_each_other(&x->statement[a->statement], &x->statement[b->statement])) return false;
    for (int k = 0; k < length; k++)
        if (constant_at(&a->path, k) != constant_at(&b->path, k))
            return constant_at(&a->path, k) < constant_at(&b->path, k);
    return false;
}
