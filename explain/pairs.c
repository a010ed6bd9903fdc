/* --pair=P,Q: the elements that process P sends to process Q, as regular sections of the array (Lee and Chen's send_pe
 * and recv_pe, for numbers). */
#include "pairs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../runtime/base/sets.h"
#include "transfer.h"

/* Sections of one dimension that are written out; what is beyond is counted. */
enum { MOST_WRITTEN = 16 };

typedef struct {
    text out;
    const dpc_access *access;
    int64_t first, last, step; /* iterations of the section that is not written yet; step 0: none */
    int64_t written;           /* sections */
} section_list;

static void write_section(section_list *x) {
    if (x->step == 0) return;
    if (x->written++ < MOST_WRITTEN) {
        const int64_t from = x->access->first + x->first * x->access->stride,
                      to = x->access->first + x->last * x->access->stride;
        text_add(&x->out, x->written > 1 ? ", " : "");
        if (x->first == x->last || x->access->stride == 0)
            text_format(&x->out, "[%" PRId64 "]", from);
        else if (x->step * x->access->stride == 1)
            text_format(&x->out, "[%" PRId64 ":%" PRId64 "]", from, to);
        else
            text_format(&x->out, "[%" PRId64 ":%" PRId64 ":%" PRId64 "]", from, to, x->step * x->access->stride);
    }
    x->step = 0;
}

/* Iterations first, first + step, .. last: with those before where they go on in the same step. */
static void add_iterations(section_list *x, int64_t first, int64_t last, int64_t step) {
    const bool single = first == last;
    const int64_t gap = first - x->last;
    if (x->step != 0 && gap > 0 && (x->first == x->last || gap == x->step) && (single || gap == step)) {
        x->step = gap;
        x->last = last;
        return;
    }
    write_section(x);
    x->first = first;
    x->last = last;
    x->step = step;
}

static void add_runs(section_list *x, const dpc_section *s, int64_t shift, int64_t beyond) {
    const int64_t last = dpc_minimum(s->last + shift, beyond - 1);
    if (s->length == 1 && s->first + shift <= last) {
        const int64_t most = dpc_minimum(s->first + s->span + shift, last), step = s->step > 0 ? s->step : 1;
        add_iterations(x, s->first + shift, s->first + shift + (most - s->first - shift) / step * step, step);
        return;
    }
    for (int64_t from = s->first + shift; from <= s->first + s->span + shift && from <= last; from += s->step)
        add_iterations(x, from, dpc_minimum(from + s->length - 1, last), 1);
}

/* The set of a pair along one axis, in the array's own subscripts. */
static const char *sections_text(arena *a, const dpc_sets *sets, const dpc_shared *shared, const dpc_access *access) {
    section_list x = {.access = access};
    text_start(&x.out, a);
    for (dpc_index k = shared->head; k < shared->body; k++) add_runs(&x, &sets->section[k], 0, shared->end);
    int64_t shift = 0;
    for (bool more = shared->body < shared->tail; more; shift += sets->period) {
        more = false;
        for (dpc_index k = shared->body; k < shared->tail; k++) {
            more = more || sets->section[k].first + shift + sets->period < shared->end;
            if (sets->section[k].first + shift < shared->end) add_runs(&x, &sets->section[k], shift, shared->end);
        }
    }
    write_section(&x);
    if (x.written > MOST_WRITTEN) text_format(&x.out, " and %" PRId64 " more sections", x.written - MOST_WRITTEN);
    return text_of(&x.out);
}

/* ---- A pair of processes */

static const char *nothing(const program *p) {
    return arena_format(p->memory, "process %d sends process %d nothing", p->pair[0], p->pair[1]);
}

/* What stands in the brackets of dimension d: its set, or where it is fixed the element. */
static const char *fixed_text(const program *p, const end *e, int d) {
    for (int k = 0; k < e->others; k++)
        if (e->other[k] == d) return arena_format(p->memory, "[%" PRId64 "]", e->access[k].first);
    return NULL;
}

/* Sections along every dimension; in *elements how many they make together. NULL: none. */
static bool find_dimensions(const transfer *t, const char **words, int64_t *elements) {
    const program *p = t->program;
    bool any = true;
    for (int k = 0; k < t->from.axes && any; k++) {
        const int from = (int)coordinate(&t->owners, p->pair[0], t->from.dim[k]);
        const int64_t to = t->to.dim[k] < 0 ? 0 : coordinate(&t->executors, p->pair[1], t->to.dim[k]);
        dpc_sets sets;
        if (!dpc_sets_make(&sets, t->method, &t->from.side[k], from, &t->to.side[k], -1)) abort();
        const dpc_shared *shared = dpc_sets_partner(&sets, to);
        any = shared != NULL;
        if (any) words[t->from.dim[k]] = sections_text(p->memory, &sets, shared, &t->from.side[k].access);
        if (any) *elements *= shared->elements;
        dpc_sets_free(&sets);
    }
    return any;
}

static const char *transfer_text(const transfer *t, int rank, const char *name) {
    const program *p = t->program;
    const char *words[MAX_RANK] = {NULL};
    int64_t elements = 1;
    const bool possible =
        t->from.possible && t->to.possible && takes_part(&t->from, p->pair[0]) && takes_part(&t->to, p->pair[1]);
    if (!possible || p->pair[0] == p->pair[1] || !find_dimensions(t, words, &elements)) return nothing(p);
    text out;
    text_start(&out, p->memory);
    text_format(&out, "process %d sends process %d %" PRId64 " element%s of %s", p->pair[0], p->pair[1], elements,
                elements == 1 ? "" : "s", name);
    for (int d = 0; d < rank; d++) {
        const char *fixed = words[d] ? words[d] : fixed_text(p, &t->from, d);
        if (rank > 1) text_format(&out, "%s dimension %d", d ? "," : ":", d + 1);
        text_format(&out, "%s %s", rank > 1 ? "" : ":", fixed ? fixed : "[:]");
    }
    return text_of(&out);
}

const char *fetch_pair(const program *p, const parallel *s, const reference *r) {
    transfer *t = arena_alloc(p->memory, sizeof *t);
    if (!p->has_pair || open_fetch(p, s, r, t)) return NULL;
    return transfer_text(t, r->rank, r->symbol->name);
}

const char *redistribution_pair(const program *p, const array *a, const mapping *from, const mapping *to) {
    transfer *t = arena_alloc(p->memory, sizeof *t);
    if (!p->has_pair || open_redistribution(p, a, from, to, t)) return NULL;
    return transfer_text(t, a->rank, a->symbol->name);
}
