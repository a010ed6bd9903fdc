/* What the author could do: block sizes with closed forms, subscripts that need no inspector; and why loops over
 * elements stay sequential. */
#include <string.h>
#include <stdlib.h>

#include "../analysis/blocks/alternatives.h"
#include "report.h"

/* ---- Block sizes: what the compiler would choose if it were free to */

/* What moves for a reference, with these blocks for its dimension d and for home. */
static prediction counted_with(report *r, const parallel *s, const reference *x, int d, int64_t block, int home_dim,
                               int64_t home_block, int procs) {
    program trial = *r->program;
    parallel changed = *s;
    const reference *home = home_of(s);
    array mine = *x->array, theirs = *home->array;
    reference *copies = arena_alloc(trial.memory, (s->references + 1) * sizeof *copies);
    memcpy(copies, s->reference, s->references * sizeof *copies);
    trial.np = procs;
    set_block_cyclic(&mine.mapping, d, block);
    set_block_cyclic(home->array == x->array ? &mine.mapping : &theirs.mapping, home_dim, home_block);
    const size_t at = (size_t)(x - s->reference);
    copies[at].array = &mine;
    changed.reference = copies;
    if (s->placed.home == HOME_LEFT)
        changed.left.array = home->array == x->array ? &mine : &theirs;
    else
        copies[s->placed.home].array = home->array == x->array ? &mine : &theirs;
    return predict_fetch(&trial, &changed, &copies[at]);
}

/* Seconds of one execution with sets that are kept, of the process that takes longest. */
static double seconds_of(const dpc_cost *cost, const prediction *x) {
    double most = 0;
    for (int me = 0; me < x->procs; me++) {
        const double elements = (double)x->each[AMOUNT_elements][me], runs = (double)x->each[AMOUNT_sections][me];
        const double seconds = (double)x->each[AMOUNT_messages][me] * cost->message +
                               (double)x->each[AMOUNT_bytes][me] * cost->byte +
                               2 * (elements * cost->element + runs * cost->run);
        if (seconds > most) most = seconds;
    }
    return most;
}

static bool is_counted(const prediction *x) {
    return !x->unknown && x->each[AMOUNT_messages] && x->each[AMOUNT_bytes] && x->each[AMOUNT_elements] &&
           x->each[AMOUNT_sections];
}

static void predict_hint(const program *p, hint *h, const prediction *now, const prediction *then) {
    if (!h || p->np <= 0 || !is_counted(now) || !is_counted(then)) return;
    h->predicted = true;
    h->before = seconds_of(p->cost, now);
    h->after = seconds_of(p->cost, then);
}

/* Processes that sections are counted for where the number is not known. */
enum { EXAMPLE_PROCESSES = 4 };

static const char *count_words(const program *p, int64_t sections) {
    return arena_format(p->memory, "%lld section%s", (long long)sections, sections == 1 ? "" : "s");
}

static void hint_blocks(report *r, const other_blocks *x, const reference_report *moved, int d) {
    program *p = r->program;
    const parallel *s = moved->statement;
    const pairing pair = pairing_of(p, s, moved->reference, d);
    const reference *home = home_of(s);
    const int procs = p->np > 0 ? p->np : EXAMPLE_PROCESSES;
    int64_t block, home_block;
    if (!home || !home->array || !better_blocks(x, moved->array, home->array, &pair, procs, &block, &home_block))
        return;
    const prediction as_it_is =
        counted_with(r, s, moved->reference, d, pair.b2.value, pair.home_dim, pair.b1.value, procs);
    const prediction changed = counted_with(r, s, moved->reference, d, block, pair.home_dim, home_block, procs);
    const int64_t now = as_it_is.unknown ? -1 : as_it_is.sections[d], then = changed.unknown ? -1 : changed.sections[d];
    hint *h = NULL;
    const char *home_name = home->array->symbol->name, *name = moved->array->symbol->name;
    const char *before = arena_format(p->memory, "%s cyclic(%lld), %s cyclic(%lld): no closed form", home_name,
                                      (long long)pair.b1.value, name, (long long)pair.b2.value);
    if (now < 0 || then < 0)
        h = add_hint(r, HINT_BLOCKS, s->node, "%s; cyclic(%lld) and cyclic(%lld) would have one", before,
                     (long long)home_block, (long long)block);
    else if (then < now)
        h = add_hint(r, HINT_BLOCKS, s->node, "%s, %s per pair%s; cyclic(%lld) and cyclic(%lld) would %s", before,
                     count_words(p, now), p->np > 0 ? "" : arena_format(p->memory, " on %d processes", procs),
                     (long long)home_block, (long long)block,
                     then == 0 ? "move nothing" : arena_format(p->memory, "need %lld", (long long)then));
    predict_hint(p, h, &as_it_is, &changed);
}

static bool has_case_1(const report *r) {
    for (size_t k = 0; k < r->statements; k++)
        for (size_t j = 0; j < r->statement[k].references; j++) {
            const reference_report *x = &r->statement[k].reference[j];
            if (!x->reference || x->reference->placed.relation != RELATION_SETS || x->written) continue;
            for (int d = 0; d < x->reference->rank; d++)
                if (pairing_of(r->program, x->statement, x->reference, d).number == 1) return true;
        }
    return false;
}

static void hint_all_blocks(report *r) {
    if (!has_case_1(r)) return;
    const other_blocks x = find_other_blocks(r->program);
    for (size_t k = 0; k < r->statements; k++)
        for (size_t j = 0; j < r->statement[k].references; j++) {
            const reference_report *moved = &r->statement[k].reference[j];
            if (!moved->reference || moved->reference->placed.relation != RELATION_SETS || moved->same_as) continue;
            for (int d = 0; d < moved->reference->rank; d++) hint_blocks(r, &x, moved, d);
        }
}

/* ---- Inspectors */

static void hint_inspector(report *r, const reference_report *x) {
    const int64_t size = element_bytes(x->array->element);
    const char *base = x->array->symbol->name;
    if (x->written)
        add_hint(
            r, HINT_INSPECTOR, x->statement->node,
            "%s scatters: an all-to-all, then %lld bytes for each element that another process owns; subscripts like "
            "%s[c + s*i] need no search",
            x->text, (long long)(size + (int64_t)sizeof(int64_t)), base);
    else if (x->reference->placed.matrix)
        add_hint(
            r, HINT_INSPECTOR, x->statement->node,
            "%s is asked for: a collective of all processes, then the values, %s; where each index has a dimension of "
            "its own, nobody asks",
            x->text, x->reused ? "where the iterations may have changed" : "in every execution");
    else
        add_hint(
            r, HINT_INSPECTOR, x->statement->node,
            "%s gathers: an all-to-all, then 8 bytes out and %lld back for each element that another process owns, "
            "%s; subscripts like %s[c + s*i] need no search",
            x->text, (long long)size, x->reused ? "where its subscripts may have changed" : "in every execution", base);
}

void add_hints(report *r) {
    hint_all_blocks(r);
    for (size_t k = 0; k < r->program->slow_count; k++) {
        const slow_nest *x = &r->program->slow[k];
        add_hint(r, HINT_LOOP, x->loop, "the loop%s one element after the other: %s; %s",
                 x->has_parallel ? "'s statements that are no forall and have no section run" : " runs", x->reason,
                 x->advice);
    }
    for (size_t k = 0; k < r->statements; k++)
        for (size_t j = 0; j < r->statement[k].references; j++) {
            const reference_report *x = &r->statement[k].reference[j];
            if (!x->reference || x->inspected_with || x->same_as) continue;
            if (!strcmp(x->relation, "gather") || !strcmp(x->relation, "scatter")) hint_inspector(r, x);
        }
}
