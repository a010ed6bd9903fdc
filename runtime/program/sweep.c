/* Sweeps: a pipeline of processes along the divided dimensions of a loop nest.  Every process has its part of the
 * iterations in blocks of one index; between two processes goes, for each block, one message with the boundary elements
 * of all arrays.  Along a dimension that is divided and has the blocks, the boundary is complete, and needed, only at
 * the ends: one message.  Elements beside two divided dimensions come with the later of these, from the ghost cells of
 * the process between. */
#include "../base/cost.h"
#include "../base/pack.h"
#include "../placement.h"
#include "../base/settings.h"
#include "program.h"

#include <math.h>
#include <string.h>

/* Local indices first .. last along a dimension. */
typedef struct {
    dpc_index first, last;
} span;

/* What of an array goes to a process, or comes from it, along dimension k. */
typedef struct {
    int array, k;
    span along;
} strip;

/* A process, and the strips that its messages have: strip[from .. end - 1] of the side. */
typedef struct {
    int process, from, end;
    bool once;       /* one message with all blocks; else one for each */
    dpc_index first; /* its first message */
} neighbour;

/* What comes, or what goes. */
typedef struct {
    neighbour *link;
    strip *strip;
    int links, strips;
    dpc_mail mail;
} side;

struct dpc_sweep {
    const dpc_space *space;
    int arrays;
    dpc_array **array;
    dpc_subscript *subscript;        /* per array and dimension */
    dpc_width *behind;               /* the same */
    dpc_course course[DPC_MAX_RANK]; /* per index */
    int blocked;                     /* the index that has blocks, -1: none */
    dpc_index blocks, block;         /* how many, and the one under way */
    dpc_index low, high;             /* values of the blocked index on this process */
    side in, out;
};

static const dpc_subscript *subscripts_of(const dpc_sweep *w, int array) {
    return w->subscript + array * DPC_MAX_RANK;
}

static dpc_width behind(const dpc_sweep *w, int array, int k) {
    return w->behind[array * DPC_MAX_RANK + k];
}

static bool is_carried(const dpc_sweep *w, int array, int k) {
    const dpc_width x = behind(w, array, k);
    return w->array[array]->dim[k].procs > 1 && x.low + x.high > 0;
}

/* ---- Blocks */

/* The dimension of the array that the blocked index subscripts, -1: none. */
static int blocked_dimension(const dpc_sweep *w, int array) {
    for (int k = 0; w->blocked >= 0 && k < w->array[array]->rank; k++)
        if (subscripts_of(w, array)[k].index == w->blocked) return k;
    return -1;
}

/* The values of index x on processes at this one's coordinate, whether or not they execute any iteration. */
static span values_of(const dpc_sweep *w, int x) {
    const dpc_range *range = &w->space->range[x];
    span values = {range->lower, range->lower + w->space->count[x] - 1};
    const int k = w->space->home_dim[x];
    if (k < 0 || w->space->home->dim[k].procs == 1) return values;
    const dpc_array *home = w->space->home;
    const dpc_index first = dpc_first_owned(home, k) - w->space->home_subscript[k].offset;
    values.first = dpc_maximum(values.first, first);
    values.last = dpc_minimum(values.last, first + home->extent[k] - 1);
    return values;
}

static dpc_index length(span x) {
    return dpc_maximum(0, x.last - x.first + 1);
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
            if (w->array[a]->dim[d].grid_dim == g && g >= 0 && is_carried(w, a, d))
                return (double)(w->space->home->dim[k].procs - 1);
    return 0;
}

/* Blocks of an index that has so many values: those that are best, or, for tests, of as many values as DPC_PIPELINE in
 * the environment says. */
static dpc_index blocks_of(double values, double best) {
    static dpc_index asked = -1;
    if (asked < 0) asked = dpc_setting_number(DPC_SETTING_PIPELINE, 0);
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

static void choose_blocks(dpc_sweep *w, int operations) {
    w->blocked = -1;
    double least = seconds_in_blocks(w, -1, operations, &w->blocks);
    for (int x = 0; x < w->space->own; x++) {
        dpc_index blocks;
        if (!w->course[x].blocks) continue;
        const double seconds = seconds_in_blocks(w, x, operations, &blocks);
        if (blocks == 1 || (seconds >= least && (w->blocked >= 0 || !dpc_setting_text(DPC_SETTING_PIPELINE)))) continue;
        least = seconds;
        w->blocked = x;
        w->blocks = blocks;
    }
    if (w->blocked < 0) return;
    const span values = values_of(w, w->blocked);
    w->low = values.first;
    w->high = values.last;
    w->blocks = dpc_maximum(1, dpc_minimum(w->blocks, length(values)));
}

/* The values of the blocked index in a block, which are counted in the index's course. */
static span block_values(const dpc_sweep *w, dpc_index block) {
    const dpc_index count = w->high - w->low + 1, number = w->course[w->blocked].down ? w->blocks - 1 - block : block;
    return (span){w->low + count * number / w->blocks, w->low + count * (number + 1) / w->blocks - 1};
}

/* ---- Strips */

/* All of a dimension; corners: with the ghost cells behind. */
static span whole_dimension(const dpc_sweep *w, int array, int k, bool corners) {
    const dpc_array *a = w->array[array];
    span all = {0, a->extent[k] - 1};
    dpc_index before, end;
    if (!corners || !is_carried(w, array, k)) return all;
    dpc_interval_of(&a->dim[k], a->coord[k], &before, &end);
    all.first -= dpc_minimum(behind(w, array, k).low, before);
    all.last += dpc_minimum(behind(w, array, k).high, a->dim[k].extent - before - a->extent[k]);
    return all;
}

/* The part of a dimension that belongs to a block: what lies outside the loops goes with the first and the last one. */
static span part_of_dimension(const dpc_sweep *w, int array, int k, dpc_index block, bool corners) {
    const dpc_array *a = w->array[array];
    span part = whole_dimension(w, array, k, corners);
    const span values = block_values(w, block);
    const dpc_index more = subscripts_of(w, array)[k].offset - dpc_first_owned(a, k);
    const bool down = w->course[w->blocked].down;
    if (block != (down ? w->blocks - 1 : 0)) part.first = values.first + more;
    if (block != (down ? 0 : w->blocks - 1)) part.last = values.last + more;
    return part;
}

static void find_box(const dpc_sweep *w, const strip *s, bool once, dpc_index block, span box[DPC_MAX_RANK]) {
    const int blocked = once ? -1 : blocked_dimension(w, s->array);
    for (int k = 0; k < w->array[s->array]->rank; k++)
        box[k] = k == s->k      ? s->along
                 : k == blocked ? part_of_dimension(w, s->array, k, block, k < s->k)
                                : whole_dimension(w, s->array, k, k < s->k);
}

static dpc_index box_elements(int rank, const span *box) {
    dpc_index elements = 1;
    for (int k = 0; k < rank; k++) elements *= length(box[k]);
    return elements;
}

/* Copies dimensions k and further; returns the end of the buffer's part. */
DPC_STEADY static char *copy_box(const dpc_array *a, const span *box, int k, char *place, char *buffer, bool pack) {
    int rest = k + 1;
    while (rest < a->rank && length(box[rest]) == 1) rest++;
    const dpc_index n = length(box[k]);
    if (rest < a->rank) {
        for (dpc_index e = 0; e < n; e++)
            buffer = copy_box(a, box, k + 1, place + e * a->stride[k] * a->size, buffer, pack);
        return buffer;
    }
    if (pack)
        dpc_copy_run(buffer, 1, place, a->stride[k], n, a->size);
    else
        dpc_copy_run(place, a->stride[k], buffer, 1, n, a->size);
    return buffer + n * a->size;
}

static char *copy_strip(const dpc_sweep *w, const strip *s, bool once, dpc_index block, char *buffer, bool pack) {
    const dpc_array *a = w->array[s->array];
    span box[DPC_MAX_RANK];
    dpc_index offset = 0;
    find_box(w, s, once, block, box);
    const dpc_index elements = box_elements(a->rank, box);
    if (elements == 0) return buffer;
    for (int k = 0; k < a->rank; k++) offset += box[k].first * a->stride[k];
    if (pack) dpc_add_count(DPC_COUNT_elements, elements);
    return copy_box(a, box, 0, (char *)a->local + offset * a->size, buffer, pack);
}

/* ---- Processes before and after this one */

/* Whether the processes behind coordinate p in the array's course along k come after it. */
static bool runs_up(const dpc_sweep *w, int array, int k) {
    return behind(w, array, k).low > 0;
}

/* Elements of coordinate p that q, `steps` away, keeps: into the strip of this process, which is one of them. */
static bool find_strip(const dpc_sweep *w, int array, int k, dpc_index p, dpc_index q, strip *s) {
    const dpc_array *a = w->array[array];
    dpc_index first, last;
    if (dpc_local_extent(&a->dim[k], p) == 0 || dpc_local_extent(&a->dim[k], q) == 0) return false;
    if (!dpc_halo_held(&a->dim[k], behind(w, array, k), p, q, &first, &last)) return false;
    const dpc_index from = dpc_block_begin(&a->dim[k], a->coord[k]);
    *s = (strip){array, k, {first - from, last - from}};
    return true;
}

/* The strips of all arrays between this process and coordinate q of grid dimension g. */
static void add_link(const dpc_sweep *w, side *x, int g, dpc_index q, bool incoming) {
    neighbour *l = &x->link[x->links];
    *l = (neighbour){.from = x->strips};
    for (int a = 0; a < w->arrays; a++) {
        const dpc_array *array = w->array[a];
        for (int k = 0; k < array->rank; k++) {
            if (array->dim[k].grid_dim != g || !is_carried(w, a, k) || array->elements == 0) continue;
            const dpc_index mine = array->coord[k];
            if ((runs_up(w, a, k) == incoming) != (q < mine)) continue;
            if (!find_strip(w, a, k, incoming ? q : mine, incoming ? mine : q, &x->strip[x->strips])) continue;
            l->process = dpc_grid_neighbour(array->grid, g, q);
            l->once = w->blocked < 0 || k == blocked_dimension(w, a);
            x->strips++;
        }
    }
    l->end = x->strips;
    if (l->end > l->from) x->links++;
}

/* Home's dimension that is divided along g. */
static const dpc_dim *divided_along(const dpc_array *home, int g) {
    int k = 0;
    while (home->dim[k].grid_dim != g) k++;
    return &home->dim[k];
}

/* A coordinate without elements between others that have some. */
static bool is_passed(const dpc_dim *d, dpc_index q) {
    return !dpc_is_dealt(d) && q >= 0 && q < d->procs && dpc_local_extent(d, q) == 0;
}

/* Neighbours that the narrowest blocks allow, on one side. */
static dpc_index most_links(const dpc_sweep *w) {
    dpc_index most = 0;
    for (int a = 0; a < w->arrays; a++)
        for (int k = 0; k < w->array[a]->rank; k++)
            most += dpc_minimum(w->array[a]->dim[k].procs, behind(w, a, k).low + behind(w, a, k).high);
    return most;
}

static void find_links(const dpc_sweep *w, side *x, bool incoming) {
    const dpc_index most = most_links(w);
    x->link = dpc_take_staging(most + 1, sizeof *x->link);
    x->strip = dpc_take_staging(most + w->arrays + 1, sizeof *x->strip);
    const dpc_array *home = w->space->home;
    for (int g = 0; w->arrays > 0 && g < home->grid->rank; g++) {
        const dpc_dim *d = divided_along(home, g);
        const dpc_index mine = home->grid->coord[g];
        for (dpc_index away = 1; away < d->procs; away++) {
            const int before = x->links;
            if (mine - away >= 0) add_link(w, x, g, mine - away, incoming);
            if (mine + away < d->procs) add_link(w, x, g, mine + away, incoming);
            if (x->links == before && !is_passed(d, mine - away) && !is_passed(d, mine + away)) break;
        }
    }
}

/* ---- Messages */

static dpc_index message_bytes(const dpc_sweep *w, const side *x, const neighbour *l, dpc_index block) {
    dpc_index bytes = 0;
    for (int k = l->from; k < l->end; k++) {
        const dpc_array *a = w->array[x->strip[k].array];
        span box[DPC_MAX_RANK];
        find_box(w, &x->strip[k], l->once, block, box);
        bytes += box_elements(a->rank, box) * a->size;
    }
    return bytes;
}

static void open_mail(const dpc_sweep *w, side *x, int tag) {
    dpc_index messages = 0;
    for (int k = 0; k < x->links; k++) {
        x->link[k].first = messages;
        messages += x->link[k].once ? 1 : w->blocks;
    }
    x->mail = dpc_open_mail(tag, messages);
    for (int k = 0; k < x->links; k++) {
        const neighbour *l = &x->link[k];
        for (dpc_index block = 0; block < (l->once ? 1 : w->blocks); block++) {
            dpc_message *m = &x->mail.message[l->first + block];
            m->process = l->process;
            m->bytes = message_bytes(w, x, l, block);
        }
    }
}

DPC_STEADY static void copy_message(const dpc_sweep *w, const side *x, const neighbour *l, dpc_index block, bool pack) {
    char *data = x->mail.message[l->first + (l->once ? 0 : block)].data;
    for (int k = l->from; k < l->end; k++) data = copy_strip(w, &x->strip[k], l->once, block, data, pack);
}

static void post_receives(dpc_sweep *w) {
    for (dpc_index m = 0; m < w->in.mail.count; m++) {
        if (w->in.mail.message[m].bytes == 0) continue;
        dpc_message_buffer(&w->in.mail, m);
        dpc_post_receive(&w->in.mail, m);
    }
}

/* Waits for what the block needs. */
DPC_STEADY static void receive(dpc_sweep *w) {
    side *x = &w->in;
    for (int k = 0; k < x->links; k++) {
        const neighbour *l = &x->link[k];
        if (l->once && w->block > 0) continue;
        const dpc_index m = l->first + (l->once ? 0 : w->block);
        if (x->mail.message[m].bytes == 0) continue;
        while (x->mail.message[m].left > 0) dpc_next_arrival(&x->mail);
        copy_message(w, x, l, w->block, false);
    }
}

/* Sends what the block has completed. */
DPC_STEADY static void send_on(dpc_sweep *w) {
    side *x = &w->out;
    for (int k = 0; k < x->links; k++) {
        const neighbour *l = &x->link[k];
        if (l->once && w->block < w->blocks - 1) continue;
        const dpc_index m = l->first + (l->once ? 0 : w->block);
        if (x->mail.message[m].bytes == 0) continue;
        dpc_message_buffer(&x->mail, m);
        copy_message(w, x, l, w->block, true);
        dpc_post_send(&x->mail, m);
    }
}

/* ---- Stages */

static void set_values(dpc_stage *stage) {
    const dpc_sweep *w = stage->sweep;
    for (int k = 0; k < w->space->rank; k++) {
        const dpc_index mine = w->space->mine[k];
        stage->first[k] = mine > 0 ? w->space->run[k].first : 1;
        stage->last[k] = mine > 0 ? w->space->run[k].last : 0;
    }
    if (w->blocked < 0 || w->space->mine[w->blocked] == 0) return;
    const span values = block_values(w, w->block);
    stage->first[w->blocked] = values.first;
    stage->last[w->blocked] = values.last;
}

static void keep_arguments(dpc_sweep *w, const dpc_course *courses, const dpc_swept *swept) {
    memcpy(w->course, courses, (size_t)w->space->own * sizeof *courses);
    w->array = dpc_take_staging(w->arrays + 1, sizeof *w->array);
    w->subscript = dpc_take_staging((w->arrays + 1) * DPC_MAX_RANK, sizeof *w->subscript);
    w->behind = dpc_take_staging((w->arrays + 1) * DPC_MAX_RANK, sizeof *w->behind);
    for (int a = 0; a < w->arrays; a++) {
        const size_t rank = (size_t)swept[a].array->rank;
        w->array[a] = swept[a].array;
        memcpy(w->subscript + a * DPC_MAX_RANK, swept[a].subscripts, rank * sizeof *w->subscript);
        memcpy(w->behind + a * DPC_MAX_RANK, swept[a].behind, rank * sizeof *w->behind);
    }
}

DPC_STEADY dpc_stage dpc_first_stage(const dpc_space *s, int operations, const dpc_course *courses, int arrays,
                                     const dpc_swept *swept) {
    dpc_sweep *w = dpc_take_staging(1, sizeof *w);
    *w = (dpc_sweep){.space = s, .arrays = arrays, .blocks = 1};
    dpc_begin_counting(s->where, DPC_COUNT_messages);
    keep_arguments(w, courses, swept);
    choose_blocks(w, operations);
    find_links(w, &w->in, true);
    find_links(w, &w->out, false);
    const int tag = dpc_next_tag();
    open_mail(w, &w->in, tag);
    open_mail(w, &w->out, tag);
    post_receives(w);
    receive(w);
    dpc_end_counting();
    dpc_stage stage = {.more = true, .sweep = w};
    set_values(&stage);
    return stage;
}

static void close_side(side *x) {
    dpc_wait_mail(&x->mail);
    dpc_close_mail(&x->mail);
    dpc_give_staging(x->link);
    dpc_give_staging(x->strip);
}

static void close_sweep(dpc_sweep *w) {
    close_side(&w->in);
    close_side(&w->out);
    dpc_give_staging(w->array);
    dpc_give_staging(w->subscript);
    dpc_give_staging(w->behind);
    dpc_give_staging(w);
}

DPC_STEADY void dpc_next_stage(dpc_stage *stage) {
    dpc_sweep *w = stage->sweep;
    dpc_begin_counting(w->space->where, DPC_COUNT_messages);
    send_on(w);
    stage->more = ++w->block < w->blocks;
    if (stage->more) {
        receive(w);
        set_values(stage);
    } else
        close_sweep(w);
    dpc_end_counting();
}
