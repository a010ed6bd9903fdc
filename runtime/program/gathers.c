/* Gathers: an inspection of this process's accesses, then their values; once, or kept for several executions.  Arrays
 * that are read with the same subscripts are looked for together: those that stand alike have one schedule. */
#include "program.h"

#include <string.h>

/* ---- Values of several arrays */

/* Those that one schedule serves come in the same messages. */
static void bring(int arrays, const dpc_gathered_values *g, dpc_gathering *const *schedule) {
    dpc_gathered_values *together = dpc_take_staging(arrays, sizeof *together);
    for (int first = 0; first < arrays; first++) {
        int before = 0, count = 0;
        while (schedule[before] != schedule[first]) before++;
        if (before < first) continue;
        for (int k = first; k < arrays; k++)
            if (schedule[k] == schedule[first]) together[count++] = g[k];
        dpc_gather_by(schedule[first], count, together);
    }
    dpc_give_staging(together);
}

/* ---- Once */

static dpc_gathering *found_for(const dpc_gathered_values *g, dpc_gathering *const *schedule, int k) {
    for (int j = 0; j < k; j++)
        if (dpc_stand_alike(g[j].array, g[k].array)) return dpc_share_schedule(schedule[j]);
    return NULL;
}

static void gather_all(int arrays, dpc_gathered_values *g, const char *where, bool clip, dpc_index width,
                       dpc_index count, const dpc_index *index) {
    dpc_gathering **schedule = dpc_take_staging(arrays, sizeof *schedule);
    for (int k = 0; k < arrays; k++) {
        dpc_subject = g[k].array->name;
        schedule[k] = found_for(g, schedule, k);
        if (schedule[k] == NULL) schedule[k] = dpc_inspect(where, g[k].array, clip, width, count, index);
        g[k].values = dpc_raw_buffer(count, width * g[k].array->size);
    }
    bring(arrays, g, schedule);
    for (int k = 0; k < arrays; k++) dpc_free_schedule(schedule[k]);
    dpc_give_staging(schedule);
}

void dpc_gather_all(int arrays, dpc_gathered_values *g, const char *where, bool clip, dpc_index count,
                    const dpc_index *index) {
    gather_all(arrays, g, where, clip, 1, count, index);
}

void dpc_gather_all_rows(int arrays, dpc_gathered_values *g, const char *where, dpc_index width, dpc_index count,
                         const dpc_index *index) {
    gather_all(arrays, g, where, false, width, count, index);
}

void *dpc_gather(const char *where, const dpc_array *a, bool clip, dpc_index count, const dpc_index *index) {
    dpc_gathered_values g = {a, NULL};
    gather_all(1, &g, where, clip, 1, count, index);
    return g.values;
}

void *dpc_gather_rows(const char *where, const dpc_array *a, dpc_index width, dpc_index count, const dpc_index *index) {
    dpc_gathered_values g = {a, NULL};
    gather_all(1, &g, where, false, width, count, index);
    return g.values;
}

/* ---- Kept: what is compared is kept with the first array, the others were looked for with it */

static bool are_known(int arrays, const dpc_gathered_array *g, const dpc_space *s, int inputs, const dpc_input *input) {
    if (!dpc_is_known(g->reused, s, g->array, inputs, input)) return false;
    for (int k = 1; k < arrays; k++)
        if (g[k].array->mapping == 0 || g[k].reused->mapping != g[k].array->mapping) return false;
    return true;
}

static dpc_gathering *found_before(const dpc_gathered_array *g, int k) {
    for (int j = 0; j < k; j++)
        if (dpc_stand_alike(g[j].array, g[k].array)) return dpc_share_schedule(g[j].reused->schedule);
    return NULL;
}

/* width 0: localised. */
static void look_for(int arrays, const dpc_gathered_array *g, const char *where, bool clip, dpc_index width,
                     dpc_index count, const dpc_index *index) {
    for (int k = 0; k < arrays; k++) {
        const dpc_array *a = g[k].array;
        dpc_reused *r = g[k].reused;
        dpc_give_staging(r->values);
        dpc_free_schedule(r->schedule);
        dpc_subject = a->name;
        r->values = NULL;
        r->schedule = found_before(g, k);
        if (r->schedule == NULL)
            r->schedule = width == 0 ? dpc_localise(where, a, clip, count, index)
                                     : dpc_inspect(where, a, clip, width, count, index);
        r->mapping = a->mapping;
        r->contents = -1;
        r->count = count;
        dpc_list_reused(r);
    }
}

/* The values of arrays whose contents have changed. */
static void bring_stale(int arrays, const dpc_gathered_array *g) {
    int stale = 0;
    for (int k = 0; k < arrays; k++) stale += g[k].reused->contents != g[k].array->contents;
    if (stale == 0) return;
    dpc_gathered_values *values = dpc_take_staging(stale, sizeof *values);
    dpc_gathering **schedule = dpc_take_staging(stale, sizeof *schedule);
    for (int k = 0, n = 0; k < arrays; k++) {
        if (g[k].reused->contents == g[k].array->contents) continue;
        g[k].reused->contents = g[k].array->contents;
        schedule[n] = g[k].reused->schedule;
        values[n++] = (dpc_gathered_values){g[k].array, g[k].reused->values};
    }
    bring(stale, values, schedule);
    dpc_give_staging(values);
    dpc_give_staging(schedule);
}

/* The schedules serve while the subscripts and the arrays' mappings are the same, values while contents are. */
bool dpc_gathered_together(int arrays, const dpc_gathered_array *g, const dpc_space *s, int inputs,
                           const dpc_input *input) {
    if (!are_known(arrays, g, s, inputs, input)) return false;
    bring_stale(arrays, g);
    return true;
}

static void gather_together(int arrays, const dpc_gathered_array *g, const char *where, bool clip, dpc_index width,
                            dpc_index count, const dpc_index *index) {
    look_for(arrays, g, where, clip, width, count, index);
    for (int k = 0; k < arrays; k++) g[k].reused->values = dpc_take_staging(count, width * g[k].array->size);
    bring_stale(arrays, g);
}

void dpc_gather_together(int arrays, const dpc_gathered_array *g, const char *where, bool clip, dpc_index count,
                         const dpc_index *index) {
    gather_together(arrays, g, where, clip, 1, count, index);
}

void dpc_gather_rows_together(int arrays, const dpc_gathered_array *g, const char *where, dpc_index width,
                              dpc_index count, const dpc_index *index) {
    gather_together(arrays, g, where, false, width, count, index);
}

/* ---- Localised */

/* The own elements are used where they lie if nothing stands behind them; they may not be `stored` meanwhile. */
static void find_localised(const dpc_gathered_array *g) {
    const dpc_array *a = g->array;
    dpc_reused *reused = g->reused;
    const dpc_found *f = dpc_found_by(reused->schedule);
    char *own = (char *)a->local + f->first * a->size;
    const bool in_place = f->others == 0 && !f->left_out && !reused->stored;
    const dpc_index all = f->own + f->others;
    if (reused->values == NULL && !in_place) reused->values = dpc_take_staging(all + 1, a->size);
    reused->found = in_place ? own : reused->values;
    reused->place = f->place;
    if (in_place || reused->contents == a->contents) return;
    if (f->own > 0) memcpy(reused->values, own, (size_t)(f->own * a->size));
    memset((char *)reused->values + all * a->size, 0, (size_t)a->size);
}

static void bring_localised(int arrays, const dpc_gathered_array *g) {
    for (int k = 0; k < arrays; k++) find_localised(&g[k]);
    bring_stale(arrays, g);
}

bool dpc_localised_together(int arrays, const dpc_gathered_array *g, const dpc_space *s, int inputs,
                            const dpc_input *input) {
    if (!are_known(arrays, g, s, inputs, input)) return false;
    bring_localised(arrays, g);
    return true;
}

void dpc_localise_together(int arrays, const dpc_gathered_array *g, const char *where, bool clip, dpc_index count,
                           const dpc_index *index) {
    look_for(arrays, g, where, clip, 0, count, index);
    bring_localised(arrays, g);
}

/* ---- A single array */

bool dpc_gathered(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input) {
    return dpc_gathered_together(1, &(dpc_gathered_array){reused, a}, s, inputs, input);
}

void dpc_gather_reused(dpc_reused *reused, const char *where, const dpc_array *a, bool clip, dpc_index count,
                       const dpc_index *index) {
    gather_together(1, &(dpc_gathered_array){reused, a}, where, clip, 1, count, index);
}

void dpc_gather_rows_reused(dpc_reused *reused, const char *where, const dpc_array *a, dpc_index width, dpc_index count,
                            const dpc_index *index) {
    gather_together(1, &(dpc_gathered_array){reused, a}, where, false, width, count, index);
}

bool dpc_localised(dpc_reused *reused, const dpc_space *s, const dpc_array *a, int inputs, const dpc_input *input) {
    return dpc_localised_together(1, &(dpc_gathered_array){reused, a}, s, inputs, input);
}

void dpc_localise_reused(dpc_reused *reused, const char *where, const dpc_array *a, bool clip, dpc_index count,
                         const dpc_index *index) {
    dpc_localise_together(1, &(dpc_gathered_array){reused, a}, where, clip, count, index);
}
