/* Reductions in statements: computed before the statement where the pass "hoist" found that they may be. */
#include <string.h>

#include "emitter.h"

void compute_reductions_before(emitter *e, node *n) {
    parallel *const *first = table_at(&e->computed_before, n);
    if (!first || e->current) return;
    const char *indent = indentation(e, n);
    bool any = false;
    code *around = begin_code(e, indent);
    for (parallel *const *at = first; at; at = e->computed_next[at - e->p->reductions]) {
        if (is_joined(*at) && !e->serial) continue;
        emit_reduction(e, *at);
        any = true;
    }
    const char *lines = end_code(e, around);
    if (any) edit_of(e, n->first)->lead = arena_format(e->memory, "%s\n%s", trimmed(e, lines, indent), indent);
}

/* Instead of a declaration whose variable is the result, or a statement that adds it to the variable. */
bool declare_by_reduction(emitter *e, node *n) {
    parallel *const *first = table_at(&e->computed_before, n);
    if (!first || e->current || (*first)->combined.declares != n) return false;
    const char *indent = indentation(e, n);
    code *around = begin_code(e, indent);
    if (!is_joined(*first)) emit_reduction(e, *first);
    replace_tokens(e, n->first, n->last, trimmed(e, end_code(e, around), indent));
    return true;
}
