/* --explain: communication sets in closed form, for every pair of processes and any number of them (Lee and Chen,
 * section 5; docs/communication-sets.md, section 5, form 1). */
#include "closed.h"

#include <stdlib.h>

#include "../runtime/distribution.h"

/* ---- Sums */

typedef struct {
    int64_t factor;
    const char *name; /* "": the constant */
} term;

/* "3*p - 1 + t"; terms with factor 0 are left out. */
static const char *sum_text(arena *a, const term *t, int count) {
    text out;
    bool empty = true;
    text_start(&out, a);
    for (int k = 0; k < count; k++) {
        const long long magnitude = llabs((long long)t[k].factor);
        if (magnitude == 0) continue;
        text_add(&out, t[k].factor < 0 ? (empty ? "-" : " - ") : empty ? "" : " + ");
        empty = false;
        if (!t[k].name[0])
            text_format(&out, "%lld", magnitude);
        else if (magnitude == 1)
            text_add(&out, t[k].name);
        else
            text_format(&out, "%lld*%s", magnitude, t[k].name);
    }
    return empty ? "0" : text_of(&out);
}

/* "32*N", or its value. */
static const char *multiple_text(arena *a, int64_t factor, const quantity *procs) {
    if (procs->known) return arena_format(a, "%lld", (long long)(factor * procs->value));
    return sum_text(a, &(term){factor, procs->text}, 1);
}

/* ---- One dimension */

/* The side whose blocks have more iterations is the big one. */
typedef struct {
    arena *memory;
    int64_t h, ratio;             /* iterations in a small block; small ones in a big one */
    int64_t big_lead, distance;   /* eB, D: iterations from block 0 to iteration 0; small's beyond big's */
    const char *big, *small;      /* names of the coordinates: p sends, q receives */
    int64_t big_sign, small_sign; /* -1: the stride is negative, its coordinates count backwards */
    const quantity *procs;
} closed_terms;

static closed_terms terms_of(const program *p, const pairing *x, int64_t home_lead, int64_t read_lead) {
    const int64_t home = x->b1.value / llabs(x->s1.value), read = x->b2.value / llabs(x->s2.value);
    const bool read_is_big = read >= home;
    return (closed_terms){.memory = p->memory,
                          .h = read_is_big ? home : read,
                          .ratio = read_is_big ? read / home : home / read,
                          .big_lead = read_is_big ? read_lead : home_lead,
                          .distance = read_is_big ? home_lead - read_lead : read_lead - home_lead,
                          .big = read_is_big ? "p" : "q",
                          .small = read_is_big ? "q" : "p",
                          .big_sign = (read_is_big ? x->s2.value : x->s1.value) < 0 ? -1 : 1,
                          .small_sign = (read_is_big ? x->s1.value : x->s2.value) < 0 ? -1 : 1,
                          .procs = &x->procs1};
}

/* Blocks by which the small side runs ahead; small blocks that a big one meets. */
static int64_t ahead(const closed_terms *t) {
    return dpc_floor(t->distance, t->h);
}

static int64_t met(const closed_terms *t) {
    return t->ratio + (t->distance != t->h * ahead(t));
}

/* The small side's coordinates that coordinate `big` of the other meets. */
static const char *from_big(const closed_terms *t) {
    const int64_t sign = t->small_sign;
    const term sum[] = {{sign * t->big_sign * t->ratio, t->big}, {sign * ahead(t), ""}, {met(t) > 1 ? sign : 0, "t"}};
    const char *of = arena_format(t->memory, "(%s) mod %s", sum_text(t->memory, sum, 3), t->procs->text);
    return met(t) == 1 ? of : arena_format(t->memory, "%s, t = 0..%lld", of, (long long)met(t) - 1);
}

/* The other way round: explicit where each has one. */
static const char *from_small(const closed_terms *t) {
    if (t->ratio == 1) {
        const int64_t sign = t->big_sign;
        const term sum[] = {{sign * t->small_sign, t->small}, {-sign * ahead(t), ""}, {met(t) > 1 ? -sign : 0, "t"}};
        const char *of = arena_format(t->memory, "(%s) mod %s", sum_text(t->memory, sum, 3), t->procs->text);
        return met(t) == 1 ? of : arena_format(t->memory, "%s, t = 0..%lld", of, (long long)met(t) - 1);
    }
    const term sum[] = {{t->small_sign, t->small}, {-t->big_sign * t->ratio, t->big}, {-ahead(t), ""}};
    return arena_format(t->memory, "(%s) mod %s < %lld", sum_text(t->memory, sum, 3), t->procs->text,
                        (long long)met(t));
}

static const char *first_text(const closed_terms *t) {
    const int64_t block = t->h * t->ratio;
    const char *cycle = t->procs->known ? "k" : arena_format(t->memory, "%s*k", t->procs->text);
    const term sum[] = {
        {t->big_sign * block, t->big}, {t->procs->known ? block * t->procs->value : block, cycle}, {-t->big_lead, ""}};
    return sum_text(t->memory, sum, 3);
}

static const char *offset_text(const closed_terms *t) {
    const term sum[] = {{t->small_sign * t->h, t->small}, {-t->big_sign * t->h * t->ratio, t->big}, {-t->distance, ""}};
    const char *period = multiple_text(t->memory, t->h, t->procs);
    return arena_format(t->memory, t->procs->known ? "(%s) mod %s" : "(%s) mod (%s)", sum_text(t->memory, sum, 3),
                        period);
}

bool closed_sets_of(const program *p, const parallel *s, const reference *r, int d, closed_sets *to) {
    int64_t home_lead, read_lead;
    const pairing x = pairing_of(p, s, r, d);
    const reference *home = home_of(s);
    if (x.number < 2 || x.ratio == 0 || x.home_dim < 0 || x.index < 0 || !x.equal_procs || !x.procs1.text) return false;
    if (r->array->alignment || home->array->alignment || !has_regular_blocks(r->array) ||
        !has_regular_blocks(home->array))
        return false;
    if (pairing_method(p, s, r, &x) != METHOD_CLOSED || !pairing_leads(p, s, r, &x, &home_lead, &read_lead))
        return false;
    const closed_terms t = terms_of(p, &x, home_lead, read_lead);
    const bool read_is_big = t.big[0] == 'p';
    to->send = read_is_big ? from_big(&t) : from_small(&t);
    to->receive = read_is_big ? from_small(&t) : from_big(&t);
    to->explicit_send = read_is_big || t.ratio == 1;
    to->explicit_receive = !read_is_big || t.ratio == 1;
    to->start = first_text(&t);
    to->offset = offset_text(&t);
    to->length = t.h;
    to->block = t.h * t.ratio;
    to->period = multiple_text(p->memory, t.h, t.procs);
    to->end = t.procs->known ? arena_format(p->memory, "t0 - %lld", (long long)(t.h * (t.procs->value - 1) + 1))
                             : arena_format(p->memory, "t0 - %s + %lld", to->period, (long long)t.h - 1);
    return true;
}

/* ---- Text */

static const char *runs_text(const program *p, const closed_sets *x) {
    if (x->block == x->length) return arena_format(p->memory, "[t0:%lld]", (long long)x->block - 1);
    return arena_format(p->memory, "[[t0:%s]:%lld:%s]",
                        x->length == 1 ? "t0" : arena_format(p->memory, "t0+%lld", (long long)x->length - 1),
                        (long long)x->block - 1, x->period);
}

void print_closed_sets(FILE *out, const program *p, const closed_sets *x) {
    fprintf(out, "               send_pe(p) = { %s%s }, recv_pe(q) = { %s%s }\n",
            x->explicit_send ? "" : "q : ", x->send, x->explicit_receive ? "" : "p : ", x->receive);
    fprintf(out, "               iterations of (p,q): %s + %s, t0 = %s", x->start, runs_text(p, x), x->offset);
    if (x->length > 1) fprintf(out, "; and [0:%s]", x->end);
    fprintf(out, "\n");
}
