/* Fetches that go together: the messages of several to one process are one (runtime/program/aggregate.c). */
#include <stdlib.h>

#include "../runtime/base/pack.h"
#include "report.h"

static int by_pair(const void *left, const void *right) {
    const sent_message *x = left, *y = right;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

prediction predict_aggregate(const program *p, const prediction *fetch, size_t fetches) {
    prediction out = no_messages(p);
    sent_message *message = NULL;
    size_t count = 0, capacity = 0;
    for (size_t k = 0; k < fetches; k++) {
        if (fetch[k].unknown) return fetch[k];
        for (size_t m = 0; m < fetch[k].sent; m++)
            if (fetch[k].message[m].bytes <= DPC_MOST_AGGREGATED)
                vector_add(p->memory, message, count, capacity, fetch[k].message[m]);
    }
    if (count > 1) qsort(message, count, sizeof *message, by_pair);
    for (size_t m = 1; m < count; m++)
        if (by_pair(&message[m - 1], &message[m]) == 0) out.each[AMOUNT_messages][message[m].from]--;
    return out;
}

void note_fetch(report *r, statement_report *counts, const parallel *s, int mask, const reference_report *x) {
    if (x->same_as || !x->reference || !sends_messages(x->reference) || r->program->model == COMM_DEPOSIT) return;
    const fetch_report f = {fetched_with(s, mask), x->reused, x->text, x->predicted};
    vector_add(r->program->memory, counts->fetch, counts->fetches, counts->fetch_capacity, f);
}

/* The fetches from number `first` on that go together with it stand side by side; returns where they end. */
static size_t gather_aggregate(statement_report *s, size_t first) {
    size_t end = first + 1;
    for (size_t k = end; k < s->fetches; k++) {
        const fetch_report f = s->fetch[k];
        if (f.aggregate != s->fetch[first].aggregate) continue;
        s->fetch[k] = s->fetch[end];
        s->fetch[end++] = f;
    }
    return end;
}

static void join_fetches(report *r, statement_report *s, size_t first, size_t end) {
    arena *memory = r->program->memory;
    prediction *each = arena_alloc(memory, (end - first) * sizeof *each);
    bool reused = false;
    text names;
    text_start(&names, memory);
    for (size_t k = first; k < end; k++) {
        each[k - first] = s->fetch[k].predicted;
        reused = reused || s->fetch[k].reused;
        text_format(&names, "%s%s", k > first ? ", " : "", s->fetch[k].text);
    }
    const prediction fewer = reused ? unpredictable("which of several values stay depends on what has changed")
                                    : predict_aggregate(r->program, each, end - first);
    add_note(r, s, "one message to each process brings %s", text_of(&names));
    add_prediction(&s->predicted, &fewer);
}

void join_messages(report *r) {
    for (size_t n = 0; n < r->statements; n++)
        for (size_t first = 0, end; first < r->statement[n].fetches; first = end) {
            end = gather_aggregate(&r->statement[n], first);
            if (end - first > 1) join_fetches(r, &r->statement[n], first, end);
        }
}
