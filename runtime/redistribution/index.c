/* Lines, and the lists that all index methods build.  See index.h. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lines */

dpc_index dpc_line_before(const dpc_line *l, dpc_index p, dpc_index end) {
    const dpc_index blocks = end / l->block, whole = blocks / l->procs * l->block, extra = blocks % l->procs;
    return whole + (p < extra ? l->block : p == extra ? end % l->block : 0);
}

dpc_index dpc_line_start(const dpc_line *l, dpc_index p) {
    return dpc_line_before(l, p, l->first);
}

dpc_index dpc_line_elements(const dpc_line *l, dpc_index p) {
    return dpc_line_before(l, p, l->first + l->extent) - dpc_line_start(l, p);
}

dpc_index dpc_line_first_block(const dpc_line *l, dpc_index p) {
    const dpc_index number = l->first / l->block;
    return number + dpc_modulo(p - number, l->procs);
}

dpc_index dpc_common_multiple(dpc_index a, dpc_index b, dpc_index most) {
    dpc_index product;
    if (__builtin_mul_overflow(a / dpc_common_divisor(a, b), b, &product) || product > most) return 0;
    return product;
}

/* P * s; 0 when it exceeds `most`. */
static dpc_index cycle_of(const dpc_line *l, dpc_index most) {
    dpc_index cycle;
    return __builtin_mul_overflow(l->block, l->procs, &cycle) || cycle > most ? 0 : cycle;
}

/* The block of `l`, against `other`. */
static dpc_index fitted_block(const dpc_line *l, const dpc_line *other) {
    const dpc_index end = l->first + l->extent, most = end > 1 ? end : 1;
    if (l->procs > 1) return l->block;
    const dpc_index block = other->procs == 1 ? most : cycle_of(other, most);
    return block == 0 ? most : block;
}

dpc_line_pair dpc_pair_lines(const dpc_line *mine, const dpc_line *theirs) {
    dpc_line_pair pair = {*mine, *theirs, mine->extent, 1, 0, 0};
    pair.mine.block = fitted_block(mine, theirs);
    pair.theirs.block = fitted_block(theirs, mine);
    const dpc_index x = cycle_of(&pair.mine, mine->extent), y = cycle_of(&pair.theirs, mine->extent);
    const dpc_index period = x == 0 || y == 0 ? 0 : dpc_common_multiple(x, y, mine->extent);
    if (period == 0) return pair;
    pair.period = period;
    pair.repeats = mine->extent / period;
    pair.rest = mine->extent % period;
    pair.step = period / mine->procs;
    return pair;
}

const char *dpc_whole_refuses(const dpc_line *from, const dpc_line *to) {
    if (from->first != 0 || to->first != 0) return "a section does not begin where its array does";
    return dpc_scan_refuses(from, to);
}

const char *dpc_scan_refuses(const dpc_line *from, const dpc_line *to) {
    const dpc_line_pair pair = dpc_pair_lines(from, to);
    if (cycle_of(&pair.mine, INT64_MAX / 4) == 0 || cycle_of(&pair.theirs, INT64_MAX / 4) == 0)
        return "blocks times processes pass 64 bits";
    return NULL;
}

/* ---- Building shares */

void dpc_list_run(dpc_run_list *list, dpc_index coordinate, dpc_index offset, dpc_index length, dpc_index elements) {
    if (elements <= 0 || list->failed) return;
    if (list->count == list->room) {
        const dpc_index room = 2 * list->room + 16;
        dpc_shared_run *run = realloc(list->run, (size_t)room * sizeof *run);
        list->failed = run == NULL;
        if (list->failed) return;
        list->run = run;
        list->room = room;
    }
    list->run[list->count++] = (dpc_shared_run){coordinate, offset, length, elements};
}

dpc_index dpc_repeated(dpc_index position, dpc_index length, dpc_index period, dpc_index extent) {
    const dpc_index rest = extent % period - position;
    return extent / period * length + (rest < 0 ? 0 : rest < length ? rest : length);
}

static int by_coordinate(const void *left, const void *right) {
    const dpc_shared_run *x = left, *y = right;
    if (x->coordinate != y->coordinate) return x->coordinate < y->coordinate ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool is_sorted(const dpc_run_list *list) {
    for (dpc_index k = 1; k < list->count; k++)
        if (by_coordinate(&list->run[k - 1], &list->run[k]) > 0) return false;
    return true;
}

static bool offsets_ascend(const dpc_run_list *list) {
    for (dpc_index k = 1; k < list->count; k++)
        if (list->run[k].offset < list->run[k - 1].offset) return false;
    return true;
}

/* By counting: the coordinates are not many more than the runs. */
static void sort_by_counting(dpc_run_list *list, dpc_index procs) {
    dpc_index *place = calloc((size_t)procs + 1, sizeof *place);
    dpc_shared_run *sorted = malloc((size_t)list->count * sizeof *sorted);
    list->failed = place == NULL || sorted == NULL;
    if (!list->failed) {
        for (dpc_index k = 0; k < list->count; k++) place[list->run[k].coordinate + 1]++;
        for (dpc_index q = 0; q < procs; q++) place[q + 1] += place[q];
        for (dpc_index k = 0; k < list->count; k++) sorted[place[list->run[k].coordinate]++] = list->run[k];
        free(list->run);
        list->run = sorted;
        sorted = NULL;
    }
    free(place);
    free(sorted);
}

static void sort_runs(dpc_run_list *list, dpc_index procs) {
    if (list->failed || is_sorted(list)) return;
    if (procs <= 4 * list->count && offsets_ascend(list))
        sort_by_counting(list, procs);
    else
        qsort(list->run, (size_t)list->count, sizeof *list->run, by_coordinate);
}

/* The run goes on where the last one of the same coordinate ended. */
static bool touches(const dpc_run_list *list, dpc_index k) {
    const dpc_shared_run *run = &list->run[k];
    return k > 0 && !list->apart && run->coordinate == run[-1].coordinate &&
           run[-1].offset + run[-1].length == run->offset;
}

/* Allocates what the runs need; false when there is no memory. */
static bool make_room(dpc_shares *shares, const dpc_run_list *list) {
    dpc_index stretches = 0, count = 0;
    for (dpc_index k = 0; k < list->count; k++) {
        stretches += !touches(list, k);
        count += k == 0 || list->run[k].coordinate != list->run[k - 1].coordinate;
    }
    shares->share = malloc((size_t)(count + 1) * sizeof *shares->share);
    shares->stretch = malloc((size_t)(stretches + 1) * sizeof *shares->stretch);
    return shares->share != NULL && shares->stretch != NULL;
}

static void enter_runs(dpc_shares *shares, const dpc_run_list *list, dpc_index step) {
    dpc_stretch *next = shares->stretch;
    for (dpc_index k = 0; k < list->count; k++) {
        const dpc_shared_run *run = &list->run[k];
        if (k == 0 || run->coordinate != run[-1].coordinate)
            shares->share[shares->count++] = (dpc_share){run->coordinate, 0, step, 0, next};
        dpc_share *share = &shares->share[shares->count - 1];
        share->elements += run->elements;
        if (touches(list, k)) {
            next[-1].length += run->length;
            continue;
        }
        *next++ = (dpc_stretch){run->offset, run->length};
        share->stretches++;
    }
}

/* A share that its first period serves does not repeat, and one whose periods touch is one stretch. */
static void simplify(dpc_share *share) {
    dpc_index in_period = 0;
    for (dpc_index k = 0; k < share->stretches; k++) in_period += share->stretch[k].length;
    if (share->stretches == 1 && share->stretch[0].length == share->step) share->step = 0;
    if (share->elements <= in_period) share->step = 0;
    if (share->step == 0 && share->stretches == 1) share->stretch[0].length = share->elements;
}

dpc_shares dpc_gather_runs(dpc_run_list *list, const dpc_line *theirs, dpc_index step) {
    dpc_shares shares = {.steps = list->steps};
    sort_runs(list, theirs->procs);
    if (!list->failed && make_room(&shares, list)) {
        enter_runs(&shares, list, step);
        for (dpc_index k = 0; k < shares.count; k++) simplify(&shares.share[k]);
    } else {
        dpc_free_shares(&shares);
        shares.failed = true;
    }
    free(list->run);
    *list = (dpc_run_list){0};
    return shares;
}

void dpc_free_shares(dpc_shares *shares) {
    free(shares->share);
    free(shares->stretch);
    *shares = (dpc_shares){0};
}

dpc_index dpc_shares_bytes(const dpc_shares *shares) {
    dpc_index stretches = 0;
    for (dpc_index k = 0; k < shares->count; k++) stretches += shares->share[k].stretches;
    return shares->count * (dpc_index)sizeof(dpc_share) + stretches * (dpc_index)sizeof(dpc_stretch);
}
