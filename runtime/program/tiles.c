/* Sweeps over blocks that are dealt round-robin: a tile is one block of each divided dimension.  Tiles come in the
 * order of the sum of their blocks' numbers, so that each process has something to do while others compute what its
 * next tile needs; between two that stand side by side goes one message for each block of another index. */
#include "sweep.h"

#include <string.h>

/* ---- The dimensions */

dpc_index dpc_line_steps(const dpc_sweep_line *l) {
    return dpc_maximum(0, l->last - l->first + 1);
}

static dpc_index procs_along(const dpc_sweep *w, const dpc_sweep_line *l) {
    return w->space->home->dim[l->k].procs;
}

dpc_index dpc_line_share(const dpc_sweep *w, const dpc_sweep_line *l) {
    return dpc_ceiling(dpc_line_steps(l), procs_along(w, l));
}

static dpc_index all_blocks(const dpc_dim *d) {
    return dpc_ceiling(d->extent, dpc_block(d));
}

/* How far before an iteration's element others read along a dimension of the grid. */
static dpc_index reach_along(const dpc_sweep *w, int g) {
    dpc_index reach = 0;
    for (int a = 0; a < w->arrays; a++)
        for (int k = 0; k < w->array[a]->rank; k++)
            if (w->array[a]->dim[k].grid_dim == g && dpc_is_carried(w, a, k))
                reach = dpc_maximum(reach, dpc_swept_behind(w, a, k).low + dpc_swept_behind(w, a, k).high);
    return reach;
}

/* The blocks that iterations touch, and those before them. */
static dpc_sweep_line line_of(const dpc_sweep *w, int x, int k) {
    const dpc_space *s = w->space;
    const dpc_dim *d = &s->home->dim[k];
    dpc_sweep_line l = {.g = d->grid_dim, .x = x, .k = k, .down = w->course[x].down, .last = -1};
    const dpc_index reach = reach_along(w, l.g);
    l.carried = reach > 0;
    if (s->count[x] == 0) return l;
    const dpc_index first = s->range[x].lower + s->home_subscript[k].offset - d->lower;
    const dpc_index last = first + (s->count[x] - 1) * s->range[x].stride;
    l.first = dpc_floor(dpc_maximum(0, first - (l.down ? 0 : reach)), dpc_block(d));
    l.last = dpc_minimum(all_blocks(d) - 1, dpc_floor(last + (l.down ? reach : 0), dpc_block(d)));
    return l;
}

void dpc_find_lines(dpc_sweep *w) {
    const dpc_space *s = w->space;
    bool several = false;
    for (int k = 0; k < s->home->rank; k++) {
        const dpc_dim *d = &s->home->dim[k];
        several = several || (d->procs > 1 && dpc_is_dealt(d) && all_blocks(d) > d->procs);
    }
    for (int x = 0; several && x < s->own; x++) {
        const int k = s->home_dim[x];
        if (k >= 0 && s->home->dim[k].procs > 1) w->line[w->lines++] = line_of(w, x, k);
    }
}

static dpc_index number_of(const dpc_sweep_line *l, dpc_index step) {
    return l->down ? l->last - step : l->first + step;
}

static const dpc_sweep_line *line_along(const dpc_sweep *w, int g) {
    const dpc_sweep_line *l = w->line;
    while (l->g != g) l++;
    return l;
}

/* ---- The order */

/* The first step whose block is this process's. */
static dpc_index first_step(const dpc_sweep *w, const dpc_sweep_line *l) {
    const dpc_index mine = w->space->home->coord[l->k];
    return dpc_modulo(l->down ? l->last - mine : mine - l->first, procs_along(w, l));
}

/* The next blocks of all lines but the last. */
static void step_others(const dpc_sweep *w, dpc_tile *t) {
    for (int j = w->lines - 2; j >= 0; j--) {
        t->step[j] += procs_along(w, &w->line[j]);
        if (t->step[j] < dpc_line_steps(&w->line[j])) return;
        t->step[j] = first_step(w, &w->line[j]);
    }
    t->sum++;
}

/* The last line's block follows from the sum: whether it is this process's. */
static bool is_own(const dpc_sweep *w, dpc_tile *t) {
    const dpc_sweep_line *l = &w->line[w->lines - 1];
    dpc_index rest = t->sum;
    for (int j = 0; j < w->lines - 1; j++) rest -= t->step[j];
    t->step[w->lines - 1] = rest;
    return rest >= 0 && rest < dpc_line_steps(l) && rest % procs_along(w, l) == first_step(w, l);
}

static void find_own(const dpc_sweep *w, dpc_tile *t) {
    dpc_index most = 0;
    for (int j = 0; j < w->lines; j++) most += dpc_line_steps(&w->line[j]);
    while (t->sum < most && !is_own(w, t)) step_others(w, t);
    t->more = t->sum < most;
}

static dpc_tile first_tile(const dpc_sweep *w) {
    dpc_tile t = {.more = w->space->home->member};
    for (int j = 0; j < w->lines; j++) {
        t.step[j] = first_step(w, &w->line[j]);
        t.more = t.more && t.step[j] < dpc_line_steps(&w->line[j]);
    }
    if (t.more) find_own(w, &t);
    return t;
}

static dpc_tile tile_behind(const dpc_sweep *w, dpc_tile t) {
    if (++t.block < w->blocks) return t;
    t.block = 0;
    step_others(w, &t);
    find_own(w, &t);
    return t;
}

/* ---- What goes from tile to tile */

void dpc_tile_of_array(const dpc_sweep *w, int array, int k, dpc_index *begin, dpc_index *place, dpc_index *length) {
    const dpc_dim *d = &w->array[array]->dim[k];
    const dpc_sweep_line *l = line_along(w, d->grid_dim);
    const dpc_index number = number_of(l, w->at->step[l - w->line]);
    *begin = number * dpc_block(d);
    *place = number / d->procs * dpc_pitch(d);
    *length = dpc_maximum(0, dpc_minimum(dpc_block(d), d->extent - *begin));
}

/* The elements of a strip: those before the block's end in the course, or before its beginning. */
static dpc_span strip_along(const dpc_sweep *w, const dpc_sweep_strip *s, bool incoming) {
    const dpc_dim *d = &w->array[s->array]->dim[s->k];
    const dpc_width width = dpc_swept_behind(w, s->array, s->k);
    dpc_index begin, place, length;
    dpc_tile_of_array(w, s->array, s->k, &begin, &place, &length);
    const bool up = width.low > 0;
    const dpc_index edge = begin + (up == incoming ? 0 : dpc_block(d));
    const dpc_index first = dpc_maximum(0, edge - width.low), last = dpc_minimum(d->extent, edge + width.high) - 1;
    return (dpc_span){place + first - begin, place + last - begin};
}

static void aim_strips(const dpc_sweep *w, const dpc_sweep_side *x, const dpc_sweep_link *l, bool incoming) {
    for (int k = l->from; k < l->end; k++) x->strip[k].along = strip_along(w, &x->strip[k], incoming);
}

/* Whether a tile stands before the one in question along a line, or behind it. */
static bool has_neighbour(const dpc_sweep *w, int line, bool incoming) {
    const dpc_index step = w->at->step[line];
    return incoming ? step > 0 : step < dpc_line_steps(&w->line[line]) - 1;
}

static void add_line_link(const dpc_sweep *w, dpc_sweep_side *x, int line, bool incoming) {
    const dpc_sweep_line *l = &w->line[line];
    const dpc_index procs = procs_along(w, l), mine = w->space->home->coord[l->k];
    dpc_sweep_link *link = &x->link[x->links];
    *link = (dpc_sweep_link){.from = x->strips, .line = line};
    link->process =
        dpc_grid_neighbour(w->space->home->grid, l->g, (mine + (incoming == l->down ? 1 : -1) + procs) % procs);
    for (int a = 0; a < w->arrays; a++)
        for (int k = 0; k < w->array[a]->rank; k++)
            if (w->array[a]->dim[k].grid_dim == l->g && dpc_is_carried(w, a, k))
                x->strip[x->strips++] = (dpc_sweep_strip){.array = a, .k = k};
    link->end = x->strips;
    x->links++;
}

static void find_line_links(const dpc_sweep *w, dpc_sweep_side *x, bool incoming) {
    x->link = dpc_take_staging(w->lines, sizeof *x->link);
    x->strip = dpc_take_staging(w->lines * (w->arrays + 1), sizeof *x->strip);
    for (int line = 0; line < w->lines; line++)
        if (w->line[line].carried) add_line_link(w, x, line, incoming);
}

/* ---- Messages */

/* Posts the receives of a tile. */
static void expect_tile(dpc_sweep *w, const dpc_tile *t) {
    if (!t->more) return;
    w->at = t;
    w->early = dpc_open_mail(w->tag, w->in.links);
    for (int k = 0; k < w->in.links; k++) {
        const dpc_sweep_link *l = &w->in.link[k];
        dpc_message *m = &w->early.message[k];
        if (!has_neighbour(w, l->line, true)) continue;
        aim_strips(w, &w->in, l, true);
        m->process = l->process;
        m->bytes = dpc_strips_bytes(w, &w->in, l, t->block);
        if (m->bytes == 0) continue;
        dpc_message_buffer(&w->early, k);
        dpc_post_receive(&w->early, k);
    }
}

/* Waits for what the tile under way needs. */
static void receive_tile(dpc_sweep *w) {
    w->in.mail = w->early;
    w->early = (dpc_mail){0};
    w->next = tile_behind(w, w->tile);
    expect_tile(w, &w->next);
    w->at = &w->tile;
    dpc_wait_mail(&w->in.mail);
    for (int k = 0; k < w->in.links; k++) {
        if (w->in.mail.message[k].bytes == 0) continue;
        aim_strips(w, &w->in, &w->in.link[k], true);
        dpc_copy_strips(w, &w->in, &w->in.link[k], w->tile.block, w->in.mail.message[k].data, false);
    }
    dpc_close_mail(&w->in.mail);
}

static void send_tile(dpc_sweep *w) {
    w->at = &w->tile;
    for (int k = 0; k < w->out.links; k++) {
        const dpc_sweep_link *l = &w->out.link[k];
        if (!has_neighbour(w, l->line, false)) continue;
        aim_strips(w, &w->out, l, false);
        dpc_message *m = &w->out.mail.message[w->sent];
        m->process = l->process;
        m->bytes = dpc_strips_bytes(w, &w->out, l, w->tile.block);
        if (m->bytes == 0) continue;
        char *data = dpc_message_buffer(&w->out.mail, w->sent);
        dpc_copy_strips(w, &w->out, l, w->tile.block, data, true);
        dpc_post_send(&w->out.mail, w->sent++);
    }
}

/* ---- Stages */

void dpc_set_tile(const dpc_sweep *w, dpc_stage *stage) {
    for (int j = 0; j < w->lines; j++) {
        const dpc_sweep_line *l = &w->line[j];
        const dpc_dim *d = &w->space->home->dim[l->k];
        const dpc_range *range = &w->space->range[l->x];
        const dpc_index number = number_of(l, w->tile.step[j]), begin = d->lower + number * dpc_block(d);
        const dpc_index first = begin - w->space->home_subscript[l->k].offset;
        stage->first[l->x] = dpc_maximum(range->lower, first);
        stage->last[l->x] =
            dpc_minimum(range->lower + (w->space->count[l->x] - 1) * range->stride, first + dpc_block(d) - 1);
        stage->shift[l->x] = begin - number / d->procs * dpc_pitch(d);
    }
}

void dpc_open_tiles(dpc_sweep *w) {
    dpc_index tiles = w->blocks;
    find_line_links(w, &w->in, true);
    find_line_links(w, &w->out, false);
    for (int j = 0; j < w->lines; j++) tiles *= dpc_line_share(w, &w->line[j]);
    w->tag = dpc_next_tag();
    w->tile = first_tile(w);
    w->out.mail = dpc_open_mail(w->tag, w->tile.more ? tiles * w->out.links : 0);
    expect_tile(w, &w->tile);
    if (w->tile.more) receive_tile(w);
}

void dpc_next_tile(dpc_sweep *w) {
    send_tile(w);
    w->tile = w->next;
    if (w->tile.more) receive_tile(w);
}
