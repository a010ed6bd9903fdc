/* Whether control comes to what stands somewhere: errors about subscripts are for what is certain to be executed. */
#include <string.h>

#include "model.h"

/* ---- Jumps and calls */

/* The functions that were looked through. */
typedef struct {
    const program *p;
    const symbol **seen;
    size_t count, capacity;
} passage;

/* Of the standard library, and assert: those that may not come back. */
static bool ends_program(const char *name) {
    static const char *const ending[] = {"exit",  "_exit", "_Exit", "quick_exit", "abort", "assert",
                                         "raise", "kill",  "err",   "errx",       "execv", "execvp"};
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
        if (!strcmp(name, ending[k])) return true;
    return strstr(name, "longjmp") || strstr(name, "unreachable") || strstr(name, "trap");
}

static bool may_not_return(passage *x, const node *call);

/* Whether n holds a call that may not come back. */
static bool may_end_within(passage *x, const node *n) {
    if (n->kind == N_CALL && may_not_return(x, n)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_end_within(x, n->child[c])) return true;
    return false;
}

static bool may_not_return(passage *x, const node *call) {
    const node *f = call->child[0];
    if (f->kind != N_NAME) return true;
    if (!f->symbol) return ends_program(f->name);
    const symbol *defined = f->symbol->kind == SYMBOL_FUNCTION ? defined_function(x->p, f->symbol->name) : NULL;
    if (!defined) return true;
    for (size_t k = 0; k < x->count; k++)
        if (x->seen[k] == defined) return false;
    vector_add(x->p->memory, x->seen, x->count, x->capacity, defined);
    return may_end_within(x, defined->declaration->child[2]);
}

/* Whether a jump in n may lead past what stands behind n; one in its own loop or switch does not. */
static bool may_jump(const node *n, bool in_loop, bool in_switch) {
    if (n->kind == N_RETURN || n->kind == N_GOTO) return true;
    if (n->kind == N_CONTINUE) return !in_loop;
    if (n->kind == N_BREAK) return !in_loop && !in_switch;
    in_loop = in_loop || n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO;
    in_switch = in_switch || n->kind == N_SWITCH;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_jump(n->child[c], in_loop, in_switch)) return true;
    return false;
}

/* Whether C evaluates the children of n one after the other. */
static bool is_sequence(const node *n) {
    return n->kind == N_COMPOUND || n->kind == N_DECLARATION || n->kind == N_COMMA;
}

/* What stands before n in a sequence. */
static bool is_passed_over(const program *p, const node *n, bool calls) {
    const node *above = n->parent;
    if (above->kind == N_DO && n == above->child[1]) return may_jump(above->child[0], false, false);
    for (size_t c = 0; is_sequence(above) && c < above->count && above->child[c] != n; c++) {
        if (!above->child[c]) continue;
        passage x = {.p = p};
        if (may_jump(above->child[c], false, false) || (calls && may_end_within(&x, above->child[c]))) return true;
    }
    return false;
}

bool jumps_past(const program *p, const node *n, const node *from) {
    for (; n != from && n->parent && n->kind != N_FUNCTION_DEFINITION; n = n->parent)
        if (is_passed_over(p, n, false)) return true;
    return false;
}

/* ---- Conditions and ranges */

static certainty certainty_if(bool holds) {
    return holds ? EXECUTED_ALWAYS : EXECUTED_NEVER;
}

/* What a condition says that must hold, or not; NULL: there is none. */
static certainty certainty_under(const node *condition, bool negated) {
    int64_t value;
    if (!condition) return EXECUTED_ALWAYS;
    return constant_value(condition, &value) ? certainty_if((value != 0) != negated) : EXECUTED_PERHAPS;
}

static certainty certainty_between(const node *lower, const node *upper, const node *stride) {
    int64_t first, last, step = 1;
    if (!lower || !upper) return EXECUTED_ALWAYS; /* the declared bounds */
    if (!constant_value(lower, &first) || !constant_value(upper, &last) || (stride && !constant_value(stride, &step)))
        return EXECUTED_PERHAPS;
    return certainty_if(step < 0 ? first >= last : first <= last);
}

static certainty least(certainty x, certainty y) {
    return x < y ? x : y;
}

/* The body of a loop in its first iteration. */
static certainty certainty_in_loop(const node *loop) {
    counting_loop c;
    int64_t first, limit;
    const node *condition = loop->child[loop->kind == N_WHILE ? 0 : 1];
    if (loop->kind != N_FOR || !counting_loop_of(loop, &c) || !constant_value(c.first, &first) ||
        !constant_value(c.limit, &limit))
        return certainty_under(condition, false);
    const int64_t more = c.step > 0 ? limit - first : first - limit;
    return certainty_if(c.inclusive ? more >= 0 : more > 0);
}

/* What a reduction combines. */
static certainty certainty_in_reduction(const node *call, const node *n) {
    certainty found = EXECUTED_ALWAYS;
    for (size_t c = 1; c < call->count; c++) {
        const node *range = call->child[c];
        if (range == n) return found;
        if (range->kind != N_RANGE || range->child[0]->kind != N_ASSIGN) continue;
        const node *stride = range->count > 2 ? range->child[2] : NULL;
        found = least(found, certainty_between(range->child[0]->child[1], range->child[1], stride));
    }
    return found;
}

/* The indices of a forall; those of C loops have bounds of another form, which are known where they are asked for. */
static certainty certainty_in_forall(const node *forall) {
    certainty found = EXECUTED_ALWAYS;
    for (size_t c = 2; c < forall->count; c++) {
        const node *index = forall->child[c];
        if (index->symbol && (index->symbol->lower_more || index->symbol->upper_more)) continue;
        const node *stride = index->count > 2 ? index->child[2] : NULL;
        found = least(found, certainty_between(index->child[0], index->child[1], stride));
    }
    return found;
}

/* The elements of the left side's sections, of an assignment. */
static certainty certainty_in_sections(const node *left) {
    certainty found = EXECUTED_ALWAYS;
    if (left->kind == N_TRIPLET) {
        const node *stride = left->count > 2 ? left->child[2] : NULL;
        return certainty_between(left->child[0], left->child[1], stride);
    }
    for (size_t c = 0; c < left->count; c++)
        if (left->child[c]) found = least(found, certainty_in_sections(left->child[c]));
    return found;
}

/* Whether n is evaluated where `above`, which it is a child of, is. */
static certainty certainty_in(const node *above, const node *n) {
    operation op;
    bool negated;
    const node *condition = above->count ? condition_at(above, n, &negated) : NULL;
    if (condition && above->kind != N_CALL && above->kind != N_FORALL) return certainty_under(condition, negated);
    switch ((int)above->kind) {
    case N_IF:
        return n == above->child[0] ? EXECUTED_ALWAYS : certainty_under(above->child[0], n != above->child[1]);
    case N_SWITCH:
        return n == above->child[0] ? EXECUTED_ALWAYS : EXECUTED_PERHAPS;
    case N_WHILE:
        return n == above->child[0] ? EXECUTED_ALWAYS : certainty_in_loop(above);
    case N_FOR:
        return n == above->child[0] || n == above->child[1] ? EXECUTED_ALWAYS : certainty_in_loop(above);
    case N_FORALL:
        if (n != above->child[0] && n != above->child[1]) return EXECUTED_ALWAYS;
        return least(certainty_in_forall(above), certainty_under(condition, false));
    case N_CALL:
        if (!reduction_call(above, &op)) return EXECUTED_ALWAYS;
        return least(certainty_in_reduction(above, n), certainty_under(condition, false));
    case N_ASSIGN:
        return n == above->child[1] ? certainty_in_sections(above->child[0]) : EXECUTED_ALWAYS;
    case N_INDEX:
        return n == above->child[1] ? certainty_in_sections(above->child[0]) : certainty_in_sections(above->child[1]);
    case N_SIZEOF:
    case N_TYPEOF:
        return EXECUTED_NEVER;
    default:
        return EXECUTED_ALWAYS;
    }
}

certainty certainty_of(const program *p, const node *n, const node *from) {
    certainty found = EXECUTED_ALWAYS;
    for (; n != from && n->parent && n->kind != N_FUNCTION_DEFINITION; n = n->parent) {
        found = least(found, certainty_in(n->parent, n));
        if (found == EXECUTED_ALWAYS && is_passed_over(p, n, true)) found = EXECUTED_PERHAPS;
    }
    return found;
}

void diagnose_outside(program *p, const node *at, const node *bracketed, certainty found, int64_t x, int d,
                      const symbol *s, int64_t lower, int64_t upper) {
    if (found == EXECUTED_NEVER || table_at(&p->outside, bracketed)) return;
    diagnose(p->source, at, found == EXECUTED_ALWAYS ? D_out_of_range : D_perhaps_out_of_range, (long long)x, d + 1,
             s->name, (long long)lower, (long long)upper);
    table_put(p->memory, &p->outside, bracketed, (void *)bracketed);
}
