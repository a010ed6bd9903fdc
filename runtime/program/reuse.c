/* Fetched values that stay where they have come to: they serve again while the array has the same contents and the same
 * iterations read them.  Every process decides alike: what is compared is the same everywhere, and all of them number
 * an array's contents anew when any of them stores (dpc_changed). */
#include "../base/settings.h"
#include "program.h"

#include <string.h>

/* DPC_KEEP=0: nothing stays. */
static bool keeps(void) {
    static int wanted = -1;
    if (wanted < 0) wanted = dpc_setting_number(DPC_SETTING_KEEP, 1) != 0;
    return wanted;
}

/* The places that hold values. */
static dpc_reused *places;

void (*dpc_free_kept)(dpc_reused *reused);

static void free_reused(void) {
    for (; places != NULL; places = places->next) {
        if (places->matrix != NULL) dpc_free_kept(places);
        dpc_give_staging(places->values);
        dpc_give_staging(places->word);
        dpc_free_schedule(places->schedule);
        places->schedule = NULL;
        places->values = places->word = NULL;
        places->listed = false;
    }
}

/* ---- What the values are those of: words, compared with those noted before and noted in their place */

typedef struct {
    dpc_reused *reused;
    int words;
    bool same;
} comparison;

DPC_STEADY static void compare_word(comparison *c, dpc_index word) {
    dpc_reused *k = c->reused;
    if (c->words == k->room) {
        dpc_index *longer = dpc_take_staging(2 * k->room + 32, sizeof *longer);
        if (k->room > 0) memcpy(longer, k->word, (size_t)k->room * sizeof *longer);
        dpc_give_staging(k->word);
        k->word = longer;
        k->room = 2 * k->room + 32;
    }
    c->same = c->same && c->words < k->words && k->word[c->words] == word;
    k->word[c->words++] = word;
}

static void compare_subscripts(comparison *c, int rank, const dpc_subscript *subscripts) {
    for (int d = 0; d < rank; d++) {
        compare_word(c, subscripts[d].index);
        compare_word(c, subscripts[d].stride);
        compare_word(c, subscripts[d].offset);
    }
}

/* The mapping of the executing side may change without its contents mattering; that of the array is part of its
 * contents. */
static void compare_home(comparison *c, const dpc_space *s) {
    compare_word(c, s->home == NULL ? -1 : s->home->rank);
    if (s->home == NULL) return;
    compare_word(c, (dpc_index)(intptr_t)s->home->grid);
    compare_subscripts(c, s->home->rank, s->home_subscript);
    for (int d = 0; d < s->home->rank; d++) {
        dpc_index words[DPC_DIM_WORDS];
        dpc_dim_words(&s->home->dim[d], words);
        for (int w = 0; w < DPC_DIM_WORDS; w++) compare_word(c, words[w]);
    }
    for (int g = 0; s->home->spare && g < s->home->grid->rank; g++) compare_word(c, s->home->held[g]);
    compare_word(c, s->once);
}

static void compare_bytes(comparison *c, const dpc_input *input) {
    const char *at = input->data;
    dpc_index left = input->bytes;
    compare_word(c, left);
    for (dpc_index word; left > 0; left -= (dpc_index)sizeof word, at += sizeof word) {
        word = 0;
        memcpy(&word, at, (size_t)dpc_minimum(left, (dpc_index)sizeof word));
        compare_word(c, word);
    }
}

/* Whether the iterations and who executes them are those that were noted last. */
static bool is_noted(const dpc_reused *k, const dpc_space *s) {
    return k->space == s && k->version == s->version && s->version != 0 && s->changed == 0;
}

/* What the array must have kept, the iterations, and who executes them. Whether subscripts are checked is not compared:
 * statements that share a place have the same ones, and may be under way together. */
DPC_STEADY static comparison compare_iterations(dpc_reused *reused, const dpc_space *s, int64_t kept) {
    comparison c = {reused, 0, true};
    compare_word(&c, kept);
    if (is_noted(reused, s)) {
        c.words = reused->iterations;
        return c;
    }
    compare_word(&c, s->rank);
    compare_word(&c, s->own);
    for (int d = 0; d < s->rank; d++) {
        compare_word(&c, s->range[d].lower);
        compare_word(&c, s->range[d].stride);
        compare_word(&c, s->count[d]);
    }
    compare_home(&c, s);
    reused->space = s;
    reused->version = s->version;
    reused->iterations = c.words;
    return c;
}

/* Whether the place has the values of what was compared; afterwards it is noted for them. */
static bool are_there(const comparison *c) {
    const bool same = c->same && c->words == c->reused->words && c->reused->values != NULL;
    c->reused->words = c->words;
    return same;
}

static bool compare(dpc_reused *reused, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    comparison c = compare_iterations(reused, s, a->contents);
    compare_subscripts(&c, a->rank, subscripts);
    return are_there(&c);
}

void dpc_list_reused(dpc_reused *reused) {
    if (reused->listed) return;
    dpc_at_finish(free_reused);
    reused->next = places;
    places = reused;
    reused->listed = true;
}

/* ---- Fetches */

typedef dpc_transfer *fetch(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts);

DPC_STEADY static dpc_transfer *fetch_once(fetch *bring, dpc_reused *reused, const dpc_space *s, const dpc_array *a,
                                           const dpc_subscript *subscripts) {
    if (!keeps()) return bring(s, a, subscripts);
    if (compare(reused, s, a, subscripts)) return dpc_reused_transfer(dpc_arrived(reused->values), NULL);
    dpc_give_staging(reused->values);
    dpc_transfer *t = dpc_reused_transfer(bring(s, a, subscripts), &reused->values);
    dpc_list_reused(reused);
    return t;
}

DPC_STEADY dpc_transfer *dpc_fetch_reused(dpc_reused *reused, const dpc_space *s, const dpc_array *a,
                                          const dpc_subscript *subscripts) {
    return fetch_once(dpc_fetch, reused, s, a, subscripts);
}

dpc_transfer *dpc_broadcast_reused(dpc_reused *reused, const dpc_space *s, const dpc_array *a,
                                   const dpc_subscript *subscripts) {
    return fetch_once(dpc_broadcast_once, reused, s, a, subscripts);
}

/* ---- Schedules of gathers (gathers.c) and scatters */

bool dpc_is_known(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input) {
    comparison c = compare_iterations(reused, s, a->mapping);
    for (int k = 0; k < inputs; k++) compare_bytes(&c, &input[k]);
    const bool same = c.same && c.words == reused->words && (reused->schedule != NULL || reused->matrix != NULL);
    reused->words = c.words;
    return same && keeps() && a->mapping != 0;
}

static void inspect(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index width, dpc_index count,
                    const dpc_index *index) {
    dpc_free_schedule(reused->schedule);
    dpc_subject = a->name;
    reused->schedule = dpc_inspect(where, a, false, width, count, index);
    dpc_list_reused(reused);
}

bool dpc_inspected(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input) {
    return dpc_is_known(reused, s, a, inputs, input);
}

void dpc_inspect_reused(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index count,
                        const dpc_index *index) {
    inspect(reused, where, a, 1, count, index);
}

void dpc_inspect_rows_reused(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index width,
                             dpc_index count, const dpc_index *index) {
    inspect(reused, where, a, width, count, index);
}

void dpc_scatter_reused(const dpc_reused *reused, dpc_array *a, const void *values) {
    dpc_scatter_by(reused->schedule, a, values);
}

dpc_scattering *dpc_begin_scatter_reused(const dpc_reused *reused, dpc_array *a) {
    return dpc_begin_scatter_by(reused->schedule, a);
}
