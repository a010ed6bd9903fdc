/* Which arrays follow which. */
#include "program.h"

#include <string.h>

static struct dpc_tie *ties; /* all of them, latest first */
static bool ended;

/* Arrays of file scope, and those of functions that the end of the program leaves. */
static void free_ties(void) {
    ended = true;
    while (ties != NULL) {
        struct dpc_tie *older = ties->older;
        dpc_free_buffer(ties);
        ties = older;
    }
}

static struct dpc_tie *tie_of(dpc_array *a) {
    if (a->tie == NULL) {
        dpc_at_finish(free_ties);
        a->tie = dpc_buffer(1, sizeof *a->tie);
        a->tie->older = ties;
        ties = a->tie;
    }
    a->tie->array = a;
    return a->tie;
}

static void forget(struct dpc_tie *t) {
    struct dpc_tie **link = &ties;
    while (*link != t) link = &(*link)->older;
    *link = t->older;
    dpc_free_buffer(t);
}

static void leave_base(struct dpc_tie *t) {
    if (t->base == NULL) return;
    struct dpc_tie **link = &t->base->followers;
    while (*link != t) link = &(*link)->next;
    *link = t->next;
    t->base = t->next = NULL;
}

void dpc_follow(dpc_array *a, dpc_array *base, const dpc_alignment *alignment) {
    struct dpc_tie *t = tie_of(a), *b = tie_of(base);
    leave_base(t);
    memcpy(t->alignment, alignment, (size_t)base->rank * sizeof *alignment);
    t->base = b;
    t->next = b->followers;
    b->followers = t;
}

void dpc_untie(dpc_array *a) {
    if (a->tie == NULL || ended) return;
    leave_base(a->tie);
    while (a->tie->followers != NULL) leave_base(a->tie->followers);
    forget(a->tie);
    a->tie = NULL;
}

const dpc_array *(*dpc_inherited_base)(const dpc_array *a);

const dpc_array *dpc_base_of(const dpc_array *a) {
    return a->tie == NULL || a->tie->base == NULL ? NULL : a->tie->base->array;
}
