/* Sweeps: which index has blocks, and how many, by the cost model. */
#include "sweep.h"

#include "../base/cost.h"
#include "../base/settings.h"

#include <math.h>

/* The dimension of the array that the blocked index subscripts, -1: none. */
int dpc_blocked_dimension(const dpc_sweep *w, int array) {
    for (int k = 0; w->blocked >= 0 && k < w->array[array]->rank; k++)
        if (dpc_swept_subscripts(w, array)[k].index == w->blocked) return k;
    return -1;
}

/* The values of index x on processes at this one's coordinate, whether or not they execute any iteration. */
static dpc_span values_of(const dpc_sweep *w, int x) {
    const dpc_range *range = &w->space->range[x];
    dpc_span values = {range->lower, range->lower + (w->space->count[x] - 1) * range->stride};
    const int k = w->space->home_dim[x];
    if (k < 0 || w->space->home->dim[k].procs == 1) return values;
    const dpc_array *home = w->space->home;
    const dpc_index first = dpc_first_owned(home, k) - w->space->home_subscript[k].offset;
    values.first = dpc_maximum(values.first, first);
    values.last = dpc_minimum(values.last, first + home->extent[k] - 1);
    return values;
}

/* Values of an index on a process, at most: the same everywhere. */
static double most_values(const dpc_sweep *w, int x) {
    const int k = w->space->home_dim[x];
    const dpc_index count = w->space->count[x], procs = k < 0 ? 1 : w->space->home->dim[k].procs;
    return (double)dpc_minimum(count, procs == 1 ? count : dpc_ceiling(w->space->home->dim[k].extent, procs));
}

/* Processes that wait for one another along home's dimension k, but for the first. */
static double depth_along(const dpc_sweep *w, int k) {
    const int g = w->space->home->dim[k].grid_dim;
    for (int a = 0; a < w->arrays; a++)
        for (int d = 0; d < w->array[a]->rank; d++)
            if (w->array[a]->dim[d].grid_dim == g && g >= 0 && dpc_is_carried(w, a, d))
                return (double)(w->space->home->dim[k].procs - 1);
    return 0;
}

/* For tests: values of a block, as DPC_PIPELINE in the environment says; 0: as is best. */
static dpc_index asked_values(void) {
    static dpc_index asked = -1;
    if (asked < 0) asked = dpc_setting_number(DPC_SETTING_PIPELINE, 0);
    return asked;
}

/* Blocks of an index that has so many values. */
static dpc_index blocks_of(double values, double best) {
    const dpc_index asked = asked_values();
    return (dpc_index)fmax(1, fmin(values, asked > 0 ? ceil(values / (double)asked) : best));
}

/* The seconds that the sweep takes in so many blocks of index x, and how many are best.  The processes along a
 * dimension that has blocks begin one after the other's end, those along others one block after another. */
static double seconds_in_blocks(const dpc_sweep *w, int x, double operations, dpc_index *blocks) {
    const dpc_cost *cost = &dpc_default_cost;
    double work = operations * cost->operation, whole = 0, deep = 0, loops = 1, messages = 0;
    const int own = x < 0 ? -1 : w->space->home_dim[x];
    for (int i = 0; i < w->space->own; i++) work *= most_values(w, i);
    for (int i = 0; i < x; i++) loops *= most_values(w, i);
    for (int k = 0; k < w->space->home->rank; k++) {
        const double depth = depth_along(w, k);
        if (k == own)
            whole += depth;
        else
            deep += depth;
        messages += depth > 0 && k != own;
    }
    const double each = messages * cost->message + loops * cost->run, most = x < 0 ? 1 : most_values(w, x);
    *blocks = x < 0 || deep == 0 ? 1 : blocks_of(most, floor(sqrt(deep * work / each) + 0.5));
    return (1 + whole) * work + deep * work / (double)*blocks + (deep + (double)*blocks) * each;
}

/* The same where blocks are dealt: a process has several tiles, and no tile begins before those on the longest way to
 * it are done.  The number of blocks is tried in powers of two. */
static double seconds_in_tiles(const dpc_sweep *w, int x, double operations, dpc_index *blocks) {
    const dpc_cost *cost = &dpc_default_cost;
    double work = operations * cost->operation, tiles = 1, way = 0, messages = 0, least = INFINITY;
    for (int i = 0; i < w->space->own; i++) work *= most_values(w, i);
    for (int j = 0; j < w->lines; j++) {
        tiles *= (double)dpc_line_share(w, &w->line[j]);
        way += w->line[j].carried ? (double)dpc_line_steps(&w->line[j]) : 0;
        messages += w->line[j].carried;
    }
    const double most = x < 0 ? 1 : most_values(w, x);
    for (double n = 1; n <= 2 * most; n *= 2) {
        const dpc_index tried = blocks_of(most, n);
        const double steps = fmax(tiles * (double)tried, way + (double)tried), run = work / tiles / (double)tried;
        const double seconds = steps * (run + messages * cost->message + cost->run);
        if (seconds >= least) continue;
        least = seconds;
        *blocks = tried;
    }
    return least;
}

static double seconds_of(const dpc_sweep *w, int x, double operations, dpc_index *blocks) {
    return (w->lines > 0 ? seconds_in_tiles : seconds_in_blocks)(w, x, operations, blocks);
}

/* Whether index x may have blocks: not one whose blocks are dealt, or stand beside such. */
static bool may_have_blocks(const dpc_sweep *w, int x) {
    for (int j = 0; j < w->lines; j++)
        if (w->line[j].x == x) return false;
    return w->course[x].blocks;
}

/* Values of a part of a chain, a multiple of the stride; 0: it is not divided.  The results of one row come one after
 * the other, several cycles each; a processor begins the next row meanwhile if what is left of this one fits into the
 * instructions that it has under way: 224 (Skylake) to 512 (Golden Cove) at most. */
static dpc_index length_of_parts(const dpc_sweep *w, int operations) {
    enum { UNDER_WAY = 192, LEAST = 16 };
    const int x = w->space->own - 1;
    double rows = 1;
    if (!w->course[x].chain) return 0;
    for (int i = 0; i < x; i++) rows *= most_values(w, i);
    if (rows < LEAST && asked_values() == 0) return 0;
    const dpc_index values = dpc_maximum(LEAST, UNDER_WAY / dpc_maximum(1, operations));
    return w->space->range[x].stride * (asked_values() > 0 ? dpc_ceiling(asked_values(), 2) : values);
}

void dpc_choose_sweep_blocks(dpc_sweep *w, int operations) {
    w->blocked = -1;
    w->length = length_of_parts(w, operations);
    double least = seconds_of(w, -1, operations, &w->blocks);
    for (int x = 0; x < w->space->own; x++) {
        dpc_index blocks;
        if (!may_have_blocks(w, x)) continue;
        const double seconds = seconds_of(w, x, operations, &blocks);
        if (blocks == 1 || (seconds >= least && (w->blocked >= 0 || !dpc_setting_text(DPC_SETTING_PIPELINE)))) continue;
        least = seconds;
        w->blocked = x;
        w->blocks = blocks;
    }
    if (w->blocked < 0) return;
    const dpc_span values = values_of(w, w->blocked);
    w->low = values.first;
    w->high = values.last;
    w->blocks = dpc_maximum(1, dpc_minimum(w->blocks, dpc_span_length(values)));
}

/* The values of the blocked index in a block, which are counted in the index's course. */
dpc_span dpc_sweep_block(const dpc_sweep *w, dpc_index block) {
    const dpc_index count = w->high - w->low + 1, number = w->course[w->blocked].down ? w->blocks - 1 - block : block;
    return (dpc_span){w->low + count * number / w->blocks, w->low + count * (number + 1) / w->blocks - 1};
}
