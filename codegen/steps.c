/* Counters that step where they are read: A_in[A_in_at++]. */
#include <string.h>

#include "code_tree.h"
#include "emitter.h"

/* Whether a line evaluates all that stands in it, once: no condition, no macro of the library. */
static bool is_evaluated_once(const char *s) {
    static const char *const others[] = {"?", "&&", "||", "if (", "({", "for (", "sizeof", "typeof", "dpc_", "DPC_"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strstr(s, others[k])) return false;
    return !strchr(s, PLACED) && !strchr(s, '\n');
}

/* Where the line reads [counter]; NULL: not at one place alone. */
static const char *only_use(emitter *e, const char *s, const char *counter) {
    const char *read = arena_format(e->memory, "[%s]", counter), *use = strstr(s, read);
    if (!use || mentions_word(arena_text(e->memory, s, (size_t)(use - s)), counter)) return NULL;
    return mentions_word(use + strlen(read), counter) ? NULL : use + strlen(read) - 1;
}

bool step_in_line(emitter *e, const char *counter) {
    code *x = e->at->first;
    if (!x || x != e->at->last || x->kind != CODE_LINE || x->source || !is_evaluated_once(x->text)) return false;
    const char *end = only_use(e, x->text, counter);
    if (end) x->text = arena_format(e->memory, "%.*s++%s", (int)(end - x->text), x->text, end);
    return end != NULL;
}
