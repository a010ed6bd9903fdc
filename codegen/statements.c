/* Reductions in statements: computed before the statement where the pass "hoist" found that they may be. */
#include <string.h>

#include "emitter.h"

void compute_reductions_before(emitter *e, node *n) {
    const char *indent = indentation(e, n);
    bool any = false;
    code *around = begin_code(e, indent);
    for (size_t k = 0; k < e->p->reduction_count && !e->current; k++) {
        const parallel *s = e->p->reductions[k];
        if (s->combined.before != n || (is_joined(s) && !e->serial)) continue;
        emit_reduction(e, s);
        any = true;
    }
    const char *lines = end_code(e, around);
    if (any) edit_of(e, n->first)->lead = arena_format(e->memory, "%s\n%s", trimmed(e, lines, indent), indent);
}
