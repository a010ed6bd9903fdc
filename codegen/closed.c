/* Moves whose loops stand in the generated program: the sets have closed forms (Lee and Chen, section 5).
 *
 *     DPC_RECEIVES(from, C_move) MPI_Irecv(..);
 *     DPC_SENDS(to, C_move) {
 *         const dpc_strip i_set = dpc_outgoing_strip(C_move, to, 0, 0);     what is shared along each index
 *         DPC_STRIP_RUNS(i_run, i_set)
 *             for (long i = i_run.first, i_from = i_run.from; i <= i_run.last; i++, i_from += 2)
 *                 *C_out++ = C_part[i_from];
 *         MPI_Isend(..);
 *     }
 *     DPC_PIECES(piece, C_move)                     what is mine, then messages as they come
 *         loops over the strip of each index
 *             the statement itself */
#include <inttypes.h>
#include <string.h>

#include "spmd.h"

/* Which side's loops are meant: packing, or using a piece. */
typedef enum { PACKING, COMPUTING } purpose;

/* One index of a move. */
typedef struct {
    emitter *e;
    const parallel *s;
    const reference *r;
    purpose why;
    int index;
    pairing pair;
    bool tiled; /* the loops of two indices run over tiles: values stand side by side along the outer one */
    const boundary_table *known; /* the boundary indices are literals; or NULL */
} axis_loop;

/* ---- Names */

const char *move_name(emitter *e, const reference *r) {
    const char *name = fresh_name(e->p, arena_format(e->memory, "%s_move", r->symbol->name));
    return r->placed.buffer ? arena_format(e->memory, "%s%s", name, moved_number(r)) : name;
}

static const char *set_name(const axis_loop *x) {
    return name_of(x->e, x->s, x->index, "set");
}

/* A run of the library's strip. */
static const char *run_name(const axis_loop *x) {
    return index_name(x->e->p, x->s, x->index, "run");
}

static const char *run_field(const axis_loop *x, const char *name) {
    return arena_format(x->e->memory, "%s.%s", run_name(x), name);
}

/* Elements of a local part from one index of the reference's dimension to the next; "": 1. */
static const char *scale_text(const axis_loop *x) {
    const int d = x->pair.dim;
    if (d == x->r->rank - 1) return "";
    return arena_format(x->e->memory, " * %s", name_of(x->e, x->s, x->index, "pitch"));
}

/* "42 * i_pitch" */
static const char *scaled(const axis_loop *x, int64_t places) {
    const char *scale = scale_text(x);
    if (places == 1 && *scale) return scale + strlen(" * ");
    return arena_format(x->e->memory, "%" PRId64 "%s", places, scale);
}

/* Of a strip whose boundary indices are literals. */
static const char *known_field(const axis_loop *x, const char *name) {
    arena *memory = x->e->memory;
    const bool packs = x->why == PACKING;
    if (!strcmp(name, "jump")) return arena_format(memory, "%" PRId64, x->known->jump);
    if (!strcmp(name, "period")) return arena_format(memory, "%" PRId64, x->known->period);
    if (packs && !strcmp(name, "from_jump")) return scaled(x, x->known->jump);
    if (packs && !strcmp(name, "from_step")) return scaled(x, x->pair.s2.value);
    if (packs && !strcmp(name, "from")) return arena_format(memory, "%s.at%s", set_name(x), scale_text(x));
    if (!strncmp(name, "from", strlen("from")))
        return arena_format(memory, "%s.%s", name_of(x->e, x->s, x->index, "piece"), name);
    if (pairing_is_one_run(&x->pair) && !strcmp(name, "first")) name = "low";
    return arena_format(memory, "%s.%s", set_name(x), name);
}

static const char *field(const axis_loop *x, const char *name) {
    if (x->known) return known_field(x, name);
    return arena_format(x->e->memory, "%s.%s", set_name(x), name);
}

/* ---- What is known at compile time */

/* The step of the index, 0 where it is not known. */
static int64_t step_of(const axis_loop *x) {
    const linear *stride = &x->s->index[x->index].stride;
    if (!linear_is_constant(stride)) return 0;
    return stride->constant < 0 ? -stride->constant : stride->constant;
}

static const char *step_text(const axis_loop *x) {
    const int64_t step = step_of(x);
    return step ? arena_format(x->e->memory, "%lld", (long long)step)
                : arena_format(x->e->memory, "%s->range[%d].stride", space_of(x->e), x->index);
}

/* Least and greatest index value, where they are constants and the strip is cut nowhere else. */
static bool constant_range(const axis_loop *x, int64_t *low, int64_t *high) {
    const loop_index *i = &x->s->index[x->index];
    if (!linear_is_constant(&i->lower) || !x->pair.count.known || x->pair.count.value < 1 || step_of(x) == 0)
        return false;
    const int64_t first = i->lower.constant, last = first + (x->pair.count.value - 1) * i->stride.constant;
    *low = first < last ? first : last;
    *high = first < last ? last : first;
    return true;
}

/* A value of the index: its first or last one as it was written. */
static const char *range_words(const axis_loop *x, int64_t value) {
    const loop_index *i = &x->s->index[x->index];
    const linear computed = linear_computed(x->e->memory, value, (linear[]){i->lower, i->upper, i->stride}, 3);
    return linear_words(x->e, linear_is(&i->upper, value)   ? &i->upper
                              : linear_is(&i->lower, value) ? &i->lower
                                                            : &computed);
}

static const char *limit(const axis_loop *x, bool high) {
    int64_t first, last;
    if (pairing_is_flat(&x->pair) && constant_range(x, &first, &last)) return range_words(x, high ? last : first);
    return field(x, high ? "high" : "low");
}

/* Index values from one run to the next: N blocks of the side whose runs they are. */
static const char *period_text(const axis_loop *x) {
    const pairing *pair = &x->pair;
    const int64_t length = pairing_length(pair), step = step_of(x);
    const bool home = !pair->divided || pair->single; /* the interval is the reference's */
    const quantity *procs = home || pairing_is_flat(pair) ? &pair->procs1 : &pair->procs2;
    const int64_t ratio = pairing_is_flat(pair) ? pair->ratio : 1;
    const int64_t big = length * ratio;
    if (length == 0 || step == 0 || big == 0 || !procs->known) return field(x, "period");
    if (!pairing_is_flat(pair) && !home && pair->home_divided && !pair->home_single) return field(x, "period");
    return arena_format(x->e->memory, "%lld", (long long)(big * procs->value * step));
}

/* Places from one run to the next in a local part without gaps, which are the elements of whole blocks there: N times
 * fewer than in the array, whatever N is.  0: not known. */
static int64_t local_jump(const axis_loop *x, const array *a, int d, const quantity *stride) {
    int64_t jump;
    if (!pairing_is_flat(&x->pair) || x->pair.ratio == 0 || step_of(x) == 0 || (a->alignment && !a->plain)) return 0;
    if (!stride->known || stride->value <= 0 || a->dynamic || a->placed.gap[d] > 0) return 0;
    if (__builtin_mul_overflow(pairing_length(&x->pair), x->pair.ratio, &jump)) return 0;
    return __builtin_mul_overflow(jump, stride->value, &jump) ? 0 : jump;
}

static const char *jump_text(const axis_loop *x, int64_t jump, const char *name) {
    return jump > 0 ? arena_format(x->e->memory, "%lld", (long long)jump) : field(x, name);
}

/* In the place that values come from. */
static const char *from_jump_text(const axis_loop *x) {
    const pairing *pair = &x->pair;
    const bool packs = x->why == PACKING && pair->dim == x->r->rank - 1;
    return jump_text(x, packs ? local_jump(x, x->r->array, pair->dim, &pair->s2) : 0, "from_jump");
}

static const char *home_jump_text(const axis_loop *x) {
    const pairing *pair = &x->pair;
    const reference *home = home_of(x->s);
    const bool computes = x->why == COMPUTING && home && pair->home_dim >= 0;
    return jump_text(x, computes ? local_jump(x, home->array, pair->home_dim, &pair->s1) : 0, "jump");
}

static long long run_length(const axis_loop *x) {
    return (long long)pairing_run_length(&x->pair, &x->s->index[x->index]);
}

/* A run has one iteration: the loop over runs is the only one. */
static bool has_points(const axis_loop *x) {
    return run_length(x) == 1;
}

/* Runs are never cut by the other side's blocks. */
static const char *reach_text(const axis_loop *x) {
    const long long length = run_length(x);
    return length > 0 ? arena_format(x->e->memory, "%lld", (length - 1) * (long long)step_of(x)) : field(x, "reach");
}

/* Elements from one iteration to the next in the place that values come from, where it is 1 for every piece. */
static const char *from_step(const axis_loop *x) {
    const bool fastest = x->pair.dim == x->r->rank - 1;
    if (fastest && x->pair.s2.known && (x->why == PACKING || x->pair.s2.value == 1))
        return arena_format(x->e->memory, "%lld", (long long)x->pair.s2.value);
    return field(x, "from_step");
}

/* Whether home's local index is asked for. */
static bool home_used(const axis_loop *x) {
    return x->why == COMPUTING && shift_used(x->s, x->index);
}

/* ---- Loops */

/* The constant that makes a global subscript a local one: stride * first + offset - local index at `first`. */
static void emit_shift(const axis_loop *x, const char *first, const char *at) {
    emitter *e = x->e;
    const subscript *u = &home_of(x->s)->subscript[home_dimension(home_of(x->s), x->index)];
    linear moving = linear_multiply(e->memory, u->stride, linear_atom(e->memory, first, NULL));
    linear shift =
        linear_subtract(e->memory, linear_add(e->memory, moving, u->offset), linear_atom(e->memory, at, NULL));
    const char *name = index_name(e->p, x->s, x->index, "shift");
    emit_declaration(e, name, "const dpc_index %s = %s;", name, linear_words(e, &shift));
}

/* The indices of r: packing goes through its dimensions, as messages do; else in order. */
static int indices_of(const parallel *s, const reference *r, purpose why, int *index) {
    int count = 0;
    for (int d = 0; why == PACKING && d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE) index[count++] = r->subscript[d].index;
    for (int k = 0; why != PACKING && k < s->indices; k++)
        if (uses_index(r, k)) index[count++] = k;
    return count;
}

/* Whether the loop of this index is the innermost one, and every reference in it goes on from one iteration to the
 * next: what stays the same would be loaded each time.  Before a short run, gcc would test whether its arrays overlap.
 */
static bool is_independent(const axis_loop *x) {
    const parallel *s = x->s;
    int index[MAX_RANK];
    const int count = indices_of(s, x->r, x->why, index);
    if (x->why != COMPUTING) return x->index == index[count - 1];
    if (s->kind != PARALLEL_ASSIGNMENT || s->placed.home != HOME_LEFT || s->placed.scatter || s->placed.ordered)
        return false;
    if (s->reductions > 0 || x->index != s->indices - 1) return false;
    for (size_t k = 0; k < s->references; k++)
        if (!uses_index(&s->reference[k], x->index)) return false;
    const int d = home_dimension(&s->left, x->index);
    return linear_is_constant(&s->left.subscript[d].stride) && *restrict_word(x->e, s, s->left.array);
}

static void add_counter(for_loop *l, const char *name, const char *first, const char *step) {
    l->counter[l->counters++] = (loop_counter){name, first, step};
}

/* "x + y * step" */
static const char *steps_beyond(const axis_loop *x, const char *first, const char *skipped, const char *step) {
    if (!*skipped) return first;
    return arena_format(x->e->memory, "%s + %s%s%s", first, skipped, strcmp(step, "1") ? " * " : "",
                        strcmp(step, "1") ? step : "");
}

static bool has_one_strip(const axis_loop *x) {
    return pairing_has_one_strip(&x->pair, x->r);
}

/* One loop over one run. */
static bool is_one_loop(const axis_loop *x) {
    return pairing_is_one_run(&x->pair) && has_one_strip(x);
}

/* Whether macros are its loops: the library tells its strips, whose iterations step by one. */
static bool has_macros(const axis_loop *x) {
    return !x->known && step_of(x) == 1;
}

/* The loop over one of the library's runs, or over a strip that is one. */
static void open_values(const axis_loop *x, const char *kind, const char *run) {
    emitter *e = x->e;
    const bool single = is_one_loop(x);
    open_loop(
        e, &(for_loop){.macro = arena_format(e->memory, "DPC_IN_%s(%s, %s, %s, %s)", kind, x->s->index[x->index].name,
                                             name_of(e, x->s, x->index, "from"), run, from_step(x)),
                       .independent = (x->tiled || !single) && is_independent(x)});
}

/* One run: low .. high.  In tiles: from start to last. */
static void open_single(const axis_loop *x) {
    emitter *e = x->e;
    if (has_macros(x)) {
        open_values(x, x->tiled ? "STRIP_RUN" : "STRIP", x->tiled ? name_of(e, x->s, x->index, "tile") : set_name(x));
        return;
    }
    const char *i = x->s->index[x->index].name, *step = from_step(x), *stride = step_text(x), *skipped = "";
    const char *start = x->tiled ? name_of(e, x->s, x->index, "start") : field(x, "low");
    if (x->tiled)
        skipped = arena_format(e->memory, strcmp(stride, "1") ? "(%s - %s) / %s" : "(%s - %s)", start, field(x, "low"),
                               stride);
    for_loop l = {
        .ctype = "long", .relation = "<=", .last = x->tiled ? name_of(e, x->s, x->index, "last") : field(x, "high")};
    l.independent = x->tiled && is_independent(x);
    add_counter(&l, i, start, stride);
    add_counter(&l, name_of(e, x->s, x->index, "from"), steps_beyond(x, field(x, "from"), skipped, step), step);
    open_loop(e, &l);
}

/* The end of a tile in index values: `from` plus its iterations, less one value. */
static const char *tile_reach(const axis_loop *x, const char *from) {
    const char *tile = name_of(x->e, x->s, x->index, "tile"), *stride = step_text(x);
    return arena_format(x->e->memory, "%s + %s%s%s - 1", from, tile, strcmp(stride, "1") ? " * " : "",
                        strcmp(stride, "1") ? stride : "");
}

/* A run in tiles: the loop over tiles of low .. high. */
static void open_tiles_of(const axis_loop *x, const char *low, const char *high) {
    emitter *e = x->e;
    const char *start = name_of(e, x->s, x->index, "start"), *stride = step_text(x),
               *tile = name_of(e, x->s, x->index, "tile");
    const char *side = strcmp(stride, "1") ? arena_format(e->memory, "%s * %s", tile, stride) : tile;
    for_loop l = {.ctype = "long", .relation = "<=", .last = high, .comment = "in tiles"};
    add_counter(&l, start, low, side);
    open_loop(e, &l);
    emit_line(e, "const long %s = dpc_minimum(%s, %s);", name_of(e, x->s, x->index, "last"), tile_reach(x, start),
              high);
}

/* The tiles of one of the library's runs. */
static void open_library_tiles(const axis_loop *x, const char *kind, const char *run) {
    emitter *e = x->e;
    open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_%s_TILES(%s, %s, %s, %s)", kind,
                                                   name_of(e, x->s, x->index, "tile"), run,
                                                   element_spelling(x->r->array->element), from_step(x))});
}

static void open_tiles(const axis_loop *x) {
    if (has_macros(x))
        open_library_tiles(x, "STRIP", set_name(x));
    else
        open_tiles_of(x, field(x, "low"), field(x, "high"));
}

/* How many iterations a tile has. */
static void emit_tile_side(const axis_loop *x) {
    if (!x->tiled || has_macros(x)) return;
    emit_line(x->e, "const long %s = dpc_tile_length(sizeof(%s), %s);", name_of(x->e, x->s, x->index, "tile"),
              element_spelling(x->r->array->element), from_step(x));
}

/* A loop from one run to the next: the first index values, places of values, and home's local indices of runs. */
static void open_over_runs(const axis_loop *x, const char *run, const char *base, const char *home) {
    emitter *e = x->e;
    for_loop l = {.ctype = "long", .relation = "<=", .last = limit(x, true)};
    add_counter(&l, run, field(x, "first"), period_text(x));
    add_counter(&l, base, field(x, "from"), from_jump_text(x));
    if (home_used(x)) add_counter(&l, home, field(x, "at"), home_jump_text(x));
    open_loop(e, &l);
    if (home_used(x) && !has_points(x)) emit_shift(x, run, home);
}

/* Runs of one iteration. */
static void open_points(const axis_loop *x) {
    const char *i = x->s->index[x->index].name, *from = name_of(x->e, x->s, x->index, "from");
    if (!x->known && !home_used(x)) {
        const char *head = arena_format(x->e->memory, "DPC_STRIP_VALUES(%s, %s, %s)", i, from, set_name(x));
        open_loop(x->e, &(for_loop){.macro = head});
        return;
    }
    open_over_runs(x, i, from, name_of(x->e, x->s, x->index, "home"));
}

/* The first and the last value of the run that begins at `run`, cut to the strip. */
static const char *first_of_run(const axis_loop *x, const char *run) {
    return arena_format(x->e->memory, "dpc_maximum(%s, %s)", run, limit(x, false));
}
static const char *last_of_run(const axis_loop *x, const char *run) {
    return arena_format(x->e->memory, "dpc_minimum(%s + %s, %s)", run, reach_text(x), limit(x, true));
}

/* Runs of several: the loop over runs, and over the tiles of one. */
static void open_runs(const axis_loop *x) {
    emitter *e = x->e;
    const char *run = name_of(e, x->s, x->index, "begin");
    if (!x->known) {
        open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_STRIP_RUNS(%s, %s)", run_name(x), set_name(x))});
        if (x->tiled && has_macros(x))
            open_library_tiles(x, "RUN", run_name(x));
        else if (x->tiled)
            open_tiles_of(x, run_field(x, "first"), run_field(x, "last"));
        return;
    }
    open_over_runs(x, run, name_of(e, x->s, x->index, "base"), name_of(e, x->s, x->index, "home"));
    if (!x->tiled) return;
    const char *low = name_of(e, x->s, x->index, "low"), *high = name_of(e, x->s, x->index, "high");
    emit_line(e, "const long %s = %s, %s = %s;", low, first_of_run(x, run), high, last_of_run(x, run));
    open_tiles_of(x, low, high);
}

/* The loop over a run of the library's, or over its part in a tile. */
static void open_run_of_strip(const axis_loop *x) {
    emitter *e = x->e;
    if (has_macros(x)) {
        open_values(x, "STRIP_RUN", x->tiled ? name_of(e, x->s, x->index, "tile") : run_name(x));
        return;
    }
    const char *stride = step_text(x), *step = from_step(x), *first = run_field(x, "first"), *skipped = "";
    const char *start = x->tiled ? name_of(e, x->s, x->index, "start") : first;
    if (x->tiled)
        skipped = arena_format(e->memory, strcmp(stride, "1") ? "(%s - %s) / %s" : "(%s - %s)", start, first, stride);
    for_loop l = {.ctype = "long",
                  .relation = "<=",
                  .last = x->tiled ? name_of(e, x->s, x->index, "last") : run_field(x, "last"),
                  .independent = is_independent(x)};
    add_counter(&l, x->s->index[x->index].name, start, stride);
    add_counter(&l, name_of(e, x->s, x->index, "from"), steps_beyond(x, run_field(x, "from"), skipped, step), step);
    open_loop(e, &l);
}

/* The loop over one of these runs; in tiles: over the part of one in a tile. */
static void open_run(const axis_loop *x) {
    emitter *e = x->e;
    if (!x->known) {
        open_run_of_strip(x);
        return;
    }
    const char *run = name_of(e, x->s, x->index, "begin"), *name = x->s->index[x->index].name;
    const char *start = x->tiled ? name_of(e, x->s, x->index, "start") : name;
    const char *step = from_step(x), *stride = step_text(x);
    const char *skipped =
        arena_format(e->memory, strcmp(stride, "1") ? "(%s - %s) / %s" : "(%s - %s)", start, run, stride);
    for_loop l = {.ctype = "long", .relation = "<=", .last = name_of(e, x->s, x->index, "last")};
    l.independent = is_independent(x);
    add_counter(&l, name, x->tiled ? start : first_of_run(x, run), stride);
    if (!x->tiled) add_counter(&l, l.last, last_of_run(x, run), NULL);
    add_counter(&l, name_of(e, x->s, x->index, "from"),
                steps_beyond(x, name_of(e, x->s, x->index, "base"), skipped, step), step);
    open_loop(e, &l);
}

static const char *found_strip(const axis_loop *x) {
    const bool packs = x->why == PACKING;
    return arena_format(x->e->memory, "%s(%s, %s%d, %lld)", packs ? "dpc_outgoing_strip" : "dpc_piece_strip",
                        move_name(x->e, x->r), packs ? "\1to, " : "", x->index, run_length(x));
}

/* A strip of the library. */
static void emit_found(const axis_loop *x, const char *name) {
    emit_line(x->e, "const dpc_strip %s = %s;", name, found_strip(x));
}

/* This process's coordinate along a dimension. */
static const char *own_coordinate(const axis_loop *x, const reference *r, int d) {
    return r && d >= 0 ? arena_format(x->e->memory, "%scoord[%d]", r->array->access, d) : "0";
}

/* What its entries are: one run, or whether the range alone cuts the runs. */
static boundary_shape shape_of(const axis_loop *x) {
    int64_t low, high;
    if (pairing_is_one_run(&x->pair)) return BOUNDARIES_OF_ONE;
    return pairing_is_flat(&x->pair) && constant_range(x, &low, &high) ? BOUNDARIES_OF_RUNS : BOUNDARIES_OF_CUT_RUNS;
}

/* The table, and the entry of this process and its partner. */
static void emit_table(const axis_loop *x) {
    emitter *e = x->e;
    const bool packs = x->why == PACKING;
    const boundary_shape shape = shape_of(x);
    const reference *home = x->pair.home_dim >= 0 ? home_of(x->s) : NULL;
    const char *table = name_of(e, x->s, x->index, "sets"),
               *owner = arena_format(e->memory, "owner of %s", x->r->symbol->name),
               *reader = home ? arena_format(e->memory, "owner of %s", home->symbol->name) : "reader";
    emit_boundaries(e, table, x->known, shape, packs ? owner : reader, packs ? reader : owner);
    emit_line(e, "const %s %s = %s[%s][%s(%s, %s%d)];", boundary_type(shape), set_name(x), table,
              packs ? own_coordinate(x, x->r, x->pair.dim) : own_coordinate(x, home, x->pair.home_dim),
              packs ? "dpc_receiver" : "dpc_sender", move_name(e, x->r), packs ? "\1to, " : "", x->index);
}

/* A strip whose boundary indices are literals. */
static void emit_known(const axis_loop *x) {
    emitter *e = x->e;
    const boundary_shape shape = shape_of(x);
    if (x->known->processes * x->known->others > 1)
        emit_table(x);
    else
        emit_line(e, "const %s %s = %s;", boundary_type(shape), set_name(x), boundary_text(e, &x->known->of[0], shape));
    if (x->why != PACKING)
        emit_found(x, name_of(e, x->s, x->index, "piece"));
    else if (*scale_text(x))
        emit_line(e, "const dpc_index %s = %sstride[%d];", name_of(e, x->s, x->index, "pitch"), x->r->array->access,
                  x->pair.dim);
}

/* A strip that is the same in every loop around it. */
static void emit_strip(const axis_loop *x) {
    if (!has_one_strip(x)) return;
    if (x->known)
        emit_known(x);
    else if (x->why == PACKING)
        emit_found(x, set_name(x));
    else
        open_loop(x->e,
                  &(for_loop){.macro = arena_format(x->e->memory, "DPC_STRIP(%s, %s)", set_name(x), found_strip(x))});
    if (x->known && home_used(x) && pairing_is_one_run(&x->pair)) emit_shift(x, field(x, "first"), field(x, "at"));
    emit_tile_side(x);
}

/* The loop over the strips of an axis that has several. */
static void open_strips(const axis_loop *x) {
    emitter *e = x->e;
    const char *set = set_name(x);
    open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_STRIPS(%s, %s)", set, found_strip(x))});
    emit_tile_side(x);
}

/* The loops around those over an axis's values: strips, runs, tiles. */
static void open_outer(const axis_loop *x) {
    if (!has_one_strip(x)) open_strips(x);
    if (is_one_loop(x) && x->tiled) open_tiles(x);
    if (!is_one_loop(x) && !has_points(x)) open_runs(x);
}

static void open_inner(const axis_loop *x) {
    (is_one_loop(x) ? open_single : has_points(x) ? open_points : open_run)(x);
}

/* Whether the values of r in a message or local part stand side by side along another index than the innermost one. */
static bool is_transposed(const parallel *s, const reference *r, int *outer, int *inner) {
    const subscript *u = &r->subscript[r->rank - 1];
    *inner = -1;
    for (int k = 0; k < s->indices; k++)
        if (uses_index(r, k)) *inner = k;
    *outer = u->kind == SUBSCRIPT_AFFINE ? u->index : *inner;
    return *outer != *inner;
}

/* Runs of this length at most are not longer than tiles. */
enum { SHORT_RUN = 8 };

static bool worth_tiles(const axis_loop *x) {
    return is_one_loop(x) || run_length(x) == 0 || run_length(x) > SHORT_RUN;
}

static axis_loop axis_of(emitter *e, const parallel *s, const reference *r, int index, purpose why) {
    axis_loop x = {.e = e, .s = s, .r = r, .why = why, .index = index};
    int outer, inner;
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && r->subscript[d].index == index)
            x.pair = pairing_of(e->p, s, r, d);
    x.tiled =
        why != PACKING && is_transposed(s, r, &outer, &inner) && (index == outer || index == inner) && worth_tiles(&x);
    static const boundary_side side[] = {BOUNDARIES_OF_SOURCE, BOUNDARIES_OF_HOME};
    if (has_one_strip(&x)) x.known = find_boundaries(e->p, s, r, &x.pair, side[why], run_length(&x));
    return x;
}

/* The strips of all axes that have one. */
static void emit_strips(emitter *e, const parallel *s, const reference *r, purpose why) {
    for (int k = 0; k < s->indices; k++) {
        if (!uses_index(r, k)) continue;
        const axis_loop x = axis_of(e, s, r, k, why);
        emit_strip(&x);
    }
}

void emit_piece_strips(emitter *e, const parallel *s) {
    emit_strips(e, s, &s->reference[s->placed.waits_for], COMPUTING);
}

void open_piece_loop(emitter *e, const parallel *s, int k, bool outer) {
    const axis_loop x = axis_of(e, s, &s->reference[s->placed.waits_for], k, COMPUTING);
    (outer ? open_outer : open_inner)(&x);
}

/* Opens the loops of every axis: block by block, but a message is packed in its order. */
static void open_axes(emitter *e, const parallel *s, const reference *r, purpose why) {
    int index[MAX_RANK];
    const int count = indices_of(s, r, why, index);
    emit_strips(e, s, r, why);
    for (int n = 0; n < count; n++) {
        const axis_loop x = axis_of(e, s, r, index[n], why);
        open_outer(&x);
        if (why == PACKING) open_inner(&x);
    }
    for (int n = 0; n < count && why != PACKING; n++) {
        const axis_loop x = axis_of(e, s, r, index[n], why);
        open_inner(&x);
    }
}

/* ---- The parts of a move */

/* by: the function that packs and sends it; NULL: that stands behind. */
void emit_open(emitter *e, const parallel *s, const reference *r, const char *by) {
    const bool decided = r->placed.move == MOVE_DECIDED;
    const char *subscripts = subscripts_text(e, s, r, false), *end = decided                    ? ""
                                                                     : s->placed.waits_for >= 0 ? ", DPC_IN_PIECES"
                                                                                                : ", DPC_TOGETHER";
    const char *opened =
        arena_format(e->memory, "%s(%s, %s, DPC_SUBSCRIPTS(%s)%s)", decided ? "dpc_open_or_fetch" : "dpc_open",
                     space_of(e), r->array->address, subscripts, end);
    if (by) opened = arena_format(e->memory, "%s(%s)", by, opened);
    emit_line(e, "DPC_MOVE %s = %s;", move_name(e, r), opened);
}

/* Whether the loops go over strips that are literals, which say nothing of what is packed already. */
static bool packs_known(emitter *e, const parallel *s, const reference *r) {
    for (int k = 0; k < s->indices; k++)
        if (uses_index(r, k) && axis_of(e, s, r, k, PACKING).known) return true;
    return false;
}

void emit_pack(emitter *e, const parallel *s, const reference *r, bool sends) {
    const char *ctype = element_spelling(r->array->element), *name = r->symbol->name;
    code *around = open_sends(e, move_name(e, r));
    code *sent = open_guard(e, packs_known(e, s, r) ? "!\1to->packed" : "");
    emit_line(e, "%s *\1%s_out = \1to->data, *\1%s_part = dpc_source(%s);", ctype, name, name, move_name(e, r));
    code *packed = e->at;
    open_axes(e, s, r, PACKING);
    emit_line(e, "*\1%s_out++ = \1%s_part[%s];", name, name, piece_place(e, s, r));
    close_block(e, packed);
    close_block(e, sent);
    if (sends) emit_send(e, move_name(e, r));
    close_block(e, around);
}

/* The loop over the pieces of a move; how they come is said once in a function.  The sets of several indices stand in a
 * line of their own. */
code *open_pieces(emitter *e, const reference *r) {
    const node *function = function_around(r->node);
    const bool said = function && e->says_pieces == function;
    e->says_pieces = function;
    int indices = 0;
    for (int d = 0; d < r->rank; d++) indices += r->subscript[d].kind == SUBSCRIPT_AFFINE;
    return open_loop(e, &(for_loop){.macro = arena_format(e->memory, "DPC_PIECES(%s, %s, %s)", r->placed.buffer,
                                                          element_spelling(r->array->element), move_name(e, r)),
                                    .alone = indices > 1,
                                    .comment = said ? NULL : "what is mine, then messages as they come (MPI_Waitany)"});
}

/* ---- Words */

/* iterations * procs */
static const char *cycle_words(emitter *e, int64_t iterations, const quantity *procs) {
    if (procs->known) return arena_format(e->memory, "%lld", (long long)(iterations * procs->value));
    return iterations == 1 ? procs->text : arena_format(e->memory, "%lld*%s", (long long)iterations, procs->text);
}

/* The iterations that a pair of processes shares along dimension d, in the paper's notation. */
const char *set_words(emitter *e, const parallel *s, const reference *r, int d) {
    const pairing x = pairing_of(e->p, s, r, d);
    const loop_index *i = x.index < 0 ? NULL : &s->index[x.index];
    const bool number = x.count.known && (!i || i->lower.names + i->upper.names + i->stride.names == 0);
    const char *end = number ? arena_format(e->memory, "%lld", (long long)x.count.value - 1) : "n-1";
    const int64_t length = pairing_length(&x);
    const quantity *procs = !x.divided || x.single ? &x.procs1 : &x.procs2;
    if (pairing_is_one_run(&x)) return "[a:e]";
    const char *run = length == 1  ? "a"
                      : length > 0 ? arena_format(e->memory, "[a:a+%lld]", (long long)length - 1)
                                   : "[a:a+h-1]";
    const int64_t big = length * x.ratio;
    const char *cycle = length == 0 ? "h*N" : cycle_words(e, length, procs);
    const char *big_cycle = big == 0 ? "H*N" : cycle_words(e, big, procs);
    if (pairing_is_flat(&x)) return arena_format(e->memory, "[%s:%s:%s]", run, end, big_cycle);
    if (!x.divided || x.single || !x.home_divided || x.home_single)
        return arena_format(e->memory, "[%s:e:%s]", run, cycle);
    return arena_format(e->memory, "[[%s:e:%s]:%s:%s]", run, cycle, end, big_cycle);
}
