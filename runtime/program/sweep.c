/* Sweeps: a pipeline of processes along the divided dimensions of a loop nest.  Every process has its part of the
 * iterations in blocks of one index; between two processes goes, for each block, one message with the boundary elements
 * of all arrays. */
#include "sweep.h"

#include "../placement.h"

#include <string.h>

bool dpc_is_carried(const dpc_sweep *w, int array, int k) {
    const dpc_width x = dpc_swept_behind(w, array, k);
    return w->array[array]->dim[k].procs > 1 && x.low + x.high > 0;
}

/* ---- Processes before and after this one */

/* Whether the processes behind coordinate p in the array's course along k come after it. */
static bool runs_up(const dpc_sweep *w, int array, int k) {
    return dpc_swept_behind(w, array, k).low > 0;
}

/* Elements of coordinate p that q, `steps` away, keeps: into the strip of this process, which is one of them. */
static bool find_strip(const dpc_sweep *w, int array, int k, dpc_index p, dpc_index q, dpc_sweep_strip *s) {
    const dpc_array *a = w->array[array];
    dpc_index first, last;
    if (dpc_local_extent(&a->dim[k], p) == 0 || dpc_local_extent(&a->dim[k], q) == 0) return false;
    if (!dpc_halo_held(&a->dim[k], dpc_swept_behind(w, array, k), p, q, &first, &last)) return false;
    const dpc_index from = dpc_block_begin(&a->dim[k], a->coord[k]);
    *s = (dpc_sweep_strip){array, k, {first - from, last - from}};
    return true;
}

/* The strips of all arrays between this process and coordinate q of grid dimension g. */
static void add_link(const dpc_sweep *w, dpc_sweep_side *x, int g, dpc_index q, bool incoming) {
    dpc_sweep_link *l = &x->link[x->links];
    *l = (dpc_sweep_link){.from = x->strips};
    for (int a = 0; a < w->arrays; a++) {
        const dpc_array *array = w->array[a];
        for (int k = 0; k < array->rank; k++) {
            if (array->dim[k].grid_dim != g || !dpc_is_carried(w, a, k) || array->elements == 0) continue;
            const dpc_index mine = array->coord[k];
            if ((runs_up(w, a, k) == incoming) != (q < mine)) continue;
            if (!find_strip(w, a, k, incoming ? q : mine, incoming ? mine : q, &x->strip[x->strips])) continue;
            l->process = dpc_grid_neighbour(array->grid, g, q);
            l->once = w->blocked < 0 || k == dpc_blocked_dimension(w, a);
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
            most +=
                dpc_minimum(w->array[a]->dim[k].procs, dpc_swept_behind(w, a, k).low + dpc_swept_behind(w, a, k).high);
    return most;
}

static void find_links(const dpc_sweep *w, dpc_sweep_side *x, bool incoming) {
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

static void open_mail(const dpc_sweep *w, dpc_sweep_side *x, int tag) {
    dpc_index messages = 0;
    for (int k = 0; k < x->links; k++) {
        x->link[k].first = messages;
        messages += x->link[k].once ? 1 : w->blocks;
    }
    x->mail = dpc_open_mail(tag, messages);
    for (int k = 0; k < x->links; k++) {
        const dpc_sweep_link *l = &x->link[k];
        for (dpc_index block = 0; block < (l->once ? 1 : w->blocks); block++) {
            dpc_message *m = &x->mail.message[l->first + block];
            m->process = l->process;
            m->bytes = dpc_strips_bytes(w, x, l, block);
        }
    }
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
    dpc_sweep_side *x = &w->in;
    for (int k = 0; k < x->links; k++) {
        const dpc_sweep_link *l = &x->link[k];
        if (l->once && w->block > 0) continue;
        const dpc_index m = l->first + (l->once ? 0 : w->block);
        if (x->mail.message[m].bytes == 0) continue;
        while (x->mail.message[m].awaited) dpc_next_arrival(&x->mail);
        dpc_copy_strips(w, x, l, w->block, x->mail.message[m].data, false);
    }
}

/* Sends what the block has completed. */
DPC_STEADY static void send_on(dpc_sweep *w) {
    dpc_sweep_side *x = &w->out;
    for (int k = 0; k < x->links; k++) {
        const dpc_sweep_link *l = &x->link[k];
        if (l->once && w->block < w->blocks - 1) continue;
        const dpc_index m = l->first + (l->once ? 0 : w->block);
        if (x->mail.message[m].bytes == 0) continue;
        dpc_message_buffer(&x->mail, m);
        dpc_copy_strips(w, x, l, w->block, x->mail.message[m].data, true);
        dpc_post_send(&x->mail, m);
    }
}

/* ---- Stages */

/* The first value of a range from x on. */
static dpc_index first_of_range(const dpc_range *range, dpc_index x) {
    return range->lower + dpc_ceiling(x - range->lower, range->stride) * range->stride;
}

/* The part of a chain that is under way, in the index's course. */
static void set_part(dpc_stage *stage) {
    const dpc_sweep *w = stage->sweep;
    const int x = w->space->own - 1;
    const dpc_index number = w->course[x].down ? w->parts - 1 - w->part : w->part;
    stage->first[x] = w->whole.first + number * w->length;
    stage->last[x] = dpc_minimum(w->whole.last, stage->first[x] + w->length - 1);
}

/* Of the block under way. */
static void divide_chain(dpc_stage *stage) {
    dpc_sweep *w = stage->sweep;
    const int x = w->space->own - 1;
    w->part = 0;
    w->parts = 1;
    if (w->length == 0) return;
    w->whole = (dpc_span){stage->first[x], stage->last[x]};
    w->parts = dpc_maximum(1, dpc_ceiling(dpc_span_length(w->whole), w->length));
    set_part(stage);
}

static void set_values(dpc_stage *stage) {
    const dpc_sweep *w = stage->sweep;
    for (int k = 0; k < w->space->rank; k++) {
        const dpc_index mine = w->space->mine[k];
        stage->first[k] = mine > 0 ? w->space->run[k].first : 1;
        stage->last[k] = mine > 0 ? w->space->run[k].last : 0;
        stage->shift[k] = mine > 0 ? w->space->run[k].shift : 0;
    }
    if (w->lines > 0) dpc_set_tile(w, stage);
    if (w->blocked >= 0 && w->space->mine[w->blocked] > 0) {
        const dpc_span values = dpc_sweep_block(w, w->lines > 0 ? w->tile.block : w->block);
        stage->first[w->blocked] = values.first;
        stage->last[w->blocked] = values.last;
    }
    for (int k = 0; k < w->space->own; k++) stage->first[k] = first_of_range(&w->space->range[k], stage->first[k]);
    divide_chain(stage);
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

static void close_side(dpc_sweep_side *x) {
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

static void end_sweep(dpc_stage *stage) {
    close_sweep(stage->sweep);
    stage->more = false;
}

/* The messages of a sweep whose processes have one block each. */
static void open_stages(dpc_sweep *w) {
    find_links(w, &w->in, true);
    find_links(w, &w->out, false);
    const int tag = dpc_next_tag();
    open_mail(w, &w->in, tag);
    open_mail(w, &w->out, tag);
    post_receives(w);
    receive(w);
}

/* Sends what the stage has computed, and waits for what the next one needs; false: there is none. */
static bool go_on(dpc_sweep *w) {
    if (w->lines > 0) {
        dpc_next_tile(w);
        return w->tile.more;
    }
    send_on(w);
    if (++w->block == w->blocks) return false;
    receive(w);
    return true;
}

DPC_STEADY dpc_stage dpc_first_stage(const dpc_space *s, int operations, const dpc_course *courses, int arrays,
                                     const dpc_swept *swept) {
    dpc_sweep *w = dpc_take_staging(1, sizeof *w);
    *w = (dpc_sweep){.space = s, .arrays = arrays, .blocks = 1};
    dpc_begin_counting(s->where, DPC_COUNT_messages);
    keep_arguments(w, courses, swept);
    dpc_find_lines(w);
    dpc_choose_sweep_blocks(w, operations);
    dpc_stage stage = {.more = true, .sweep = w};
    if (w->lines > 0)
        dpc_open_tiles(w);
    else
        open_stages(w);
    if (w->lines > 0 && !w->tile.more)
        end_sweep(&stage);
    else
        set_values(&stage);
    dpc_end_counting();
    return stage;
}

DPC_STEADY void dpc_next_stage(dpc_stage *stage) {
    dpc_sweep *w = stage->sweep;
    if (++w->part < w->parts) {
        set_part(stage);
        return;
    }
    dpc_begin_counting(w->space->where, DPC_COUNT_messages);
    if (go_on(w))
        set_values(stage);
    else
        end_sweep(stage);
    dpc_end_counting();
}
