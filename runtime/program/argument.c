/* Distributed parameters of functions: an argument that is mapped as its parameter is worked on in place, another one
 * in a copy.  Where two of them are the same elements, storing into a copy would not be seen elsewhere: that is an
 * error, never a silent difference. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* Of functions that are being executed, latest first. */
static dpc_parameter *active;

/* ---- Names and shapes of arguments */

/* DPC_AT(lower) */
static bool is_single(const dpc_triplet *t) {
    return t->stride == INT64_MIN;
}

static bool is_in_place(const dpc_parameter *p) {
    return p->array != &p->copy;
}

/* The argument's descriptor without the names and bounds that parameters before have given it. */
static const dpc_array *as_caller_sees(const dpc_parameter *p) {
    const dpc_array *a = p->argument->array;
    for (const dpc_parameter *q = p->before; q != NULL; q = q->before)
        if (is_in_place(q) && q->array == p->argument->array) a = &q->seen;
    return a;
}

static const char *argument_name(const dpc_parameter *p) {
    return p->argument->array == NULL ? "(memory)" : as_caller_sees(p)->name;
}

/* The dimensions of the argument that the parameter has, and their extents; returns how many. */
static int shape_of(const dpc_argument *g, int *dim, dpc_index *extent) {
    int rank = 0;
    for (int k = 0; k < g->array->rank; k++) {
        const dpc_triplet *t = g->section == NULL ? NULL : &g->section[k];
        if (t != NULL && is_single(t)) continue;
        dim[rank] = k;
        extent[rank++] = t == NULL ? g->array->dim[k].extent : dpc_extent(g->where, t->lower, t->upper, t->stride);
    }
    return rank;
}

static void check_shape(const dpc_parameter *p, const char *where, const dpc_array *x) {
    const dpc_argument *g = p->argument;
    int dim[DPC_MAX_RANK];
    dpc_index extent[DPC_MAX_RANK];
    if (g->array == NULL) {
        if (g->type != x->type)
            dpc_fail(g->where, "the argument for parameter '%s' (%s) has elements of another type", x->name, where);
        return;
    }
    const int rank = shape_of(g, dim, extent);
    if (g->array->type != x->type)
        dpc_fail(g->where, "argument '%s' and parameter '%s' (%s) have elements of different types", argument_name(p),
                 x->name, where);
    for (int k = 0; k < rank; k++)
        if (extent[k] != x->dim[k].extent)
            dpc_fail(g->where, "dimension %d of argument '%s' has %lld elements, that of parameter '%s' (%s) has %lld",
                     k + 1, argument_name(p), (long long)extent[k], x->name, where, (long long)x->dim[k].extent);
}

static void check_section(const dpc_parameter *p) {
    const dpc_array *a = as_caller_sees(p);
    int dim[DPC_MAX_RANK];
    dpc_index extent[DPC_MAX_RANK];
    const int rank = shape_of(p->argument, dim, extent);
    for (int k = 0; k < rank; k++)
        if (extent[k] == 0) return;
    for (int k = 0; k < a->rank; k++) {
        const dpc_triplet *t = &p->argument->section[k];
        const dpc_index ends[] = {
            t->lower, is_single(t) ? t->lower : t->lower + (dpc_count(t->lower, t->upper, t->stride) - 1) * t->stride};
        for (int e = 0; e < 2; e++)
            if (ends[e] < a->dim[k].lower || ends[e] - a->dim[k].lower >= a->dim[k].extent)
                dpc_fail_bounds(p->argument->where, a, k, ends[e]);
    }
}

/* ---- The same elements under two names */

static dpc_triplet members(const dpc_triplet *t) {
    return is_single(t) ? (dpc_triplet){t->lower, t->lower, 1} : *t;
}

/* Whether two sections of a dimension have an element in common: of |y's stride| members of x one after the other, each
 * has another remainder, or all remainders have occurred. */
static bool triplets_meet(dpc_triplet x, dpc_triplet y) {
    const dpc_index least = dpc_align_first(INT64_MIN, y.lower, y.upper, y.stride);
    const dpc_index last = dpc_align_last(INT64_MAX, y.lower, y.upper, y.stride);
    const dpc_index end = dpc_align_last(last, x.lower, x.upper, x.stride);
    dpc_index at = dpc_align_first(least, x.lower, x.upper, x.stride);
    for (dpc_index n = 0; n < dpc_magnitude(y.stride) && at <= end; n++, at += dpc_magnitude(x.stride))
        if (dpc_align_first(at, y.lower, y.upper, y.stride) == at) return true;
    return false;
}

/* Of all elements of a parameter. */
static dpc_index total_bytes(const dpc_array *x) {
    dpc_index bytes = x->size;
    for (int k = 0; k < x->rank; k++) bytes *= x->dim[k].extent;
    return bytes;
}

static bool share_elements(const dpc_parameter *p, const dpc_parameter *q) {
    const dpc_argument *x = p->argument, *y = q->argument;
    const dpc_index bytes_x = total_bytes(p->array), bytes_y = total_bytes(q->array);
    if (bytes_x == 0 || bytes_y == 0) return false;
    if (x->array == NULL && y->array == NULL) {
        const char *from_x = x->memory, *from_y = y->memory;
        return from_x < from_y + bytes_y && from_y < from_x + bytes_x;
    }
    if (x->array != y->array) return false;
    for (int k = 0; x->section != NULL && y->section != NULL && k < x->array->rank; k++)
        if (!triplets_meet(members(&x->section[k]), members(&y->section[k]))) return false;
    return true;
}

static bool is_listed(const dpc_parameter *const *list, const dpc_parameter *p) {
    for (; list != NULL && *list != NULL; list++)
        if (*list == p) return true;
    return false;
}

/* Against the parameters of the same call that came first. */
static void check_aliases(const dpc_parameter *p) {
    for (const dpc_parameter *q = p->before; q != NULL; q = q->before) {
        if (!share_elements(p, q)) continue;
        const bool refused = is_in_place(p) && is_in_place(q) ? is_listed(p->alias_check, q) : p->changed || q->changed;
        if (refused)
            dpc_fail(p->argument->where, "parameters '%s' and '%s' are the same elements of '%s', and '%s' is assigned",
                     q->name, p->name, argument_name(p), q->changed ? q->name : p->name);
    }
}

void dpc_use(const char *where, const dpc_array *a, dpc_usage usage, const dpc_parameter *const *alias_check) {
    for (const dpc_parameter *p = active; p != NULL; p = p->outer) {
        if (p->argument->array != a) continue;
        const bool away = !is_in_place(p) && (p->changed || usage != DPC_READS);
        const bool here = is_in_place(p) && (p->shifted || usage == DPC_REMAPS || is_listed(alias_check, p));
        if (away || here)
            dpc_fail(where, "array '%s' is used in a call (%s) that passes it for parameter '%s'%s",
                     is_in_place(p) ? p->seen.name : a->name, p->argument->where, p->name,
                     away         ? ", which is a copy with another mapping"
                     : p->shifted ? ", which has other bounds"
                                  : "");
    }
}

/* ---- In place */

/* Between dealt blocks: whether the gaps are the parameter's and hold both arrays' ghost cells. */
static bool gaps_serve(const dpc_array *a, const dpc_array *x, int k) {
    const dpc_index low = dpc_maximum(a->halo[k].low, x->halo[k].low),
                    high = dpc_maximum(a->halo[k].high, x->halo[k].high);
    const dpc_index gap = dpc_gap(&a->dim[k]);
    return gap == dpc_gap(&x->dim[k]) && (gap == 0 || low + high <= gap);
}

/* Whether the elements lie as the parameter's should, so that one may stand for the other. */
static bool lies_alike(const dpc_array *a, const dpc_array *x) {
    if (a->grid->rank != x->grid->rank || a->grid->first != x->grid->first) return false;
    for (int g = 0; g < x->grid->rank; g++)
        if (a->grid->extent[g] != x->grid->extent[g] || a->grid->pitch[g] != x->grid->pitch[g] ||
            a->held[g] != x->held[g])
            return false;
    for (int k = 0; k < x->rank; k++) {
        const dpc_dim *d = &a->dim[k], *e = &x->dim[k];
        if (d->grid_dim != e->grid_dim || d->procs != e->procs || !dpc_same_owners(d, e)) return false;
        if (a->format[k].kind != x->format[k].kind && !dpc_in_intervals(e)) return false;
        if (!gaps_serve(a, x, k)) return false;
    }
    return true;
}

static bool same_bounds(const dpc_array *a, const dpc_array *x) {
    for (int k = 0; k < x->rank; k++)
        if (a->dim[k].lower != x->dim[k].lower) return false;
    return true;
}

/* An earlier parameter of the call works on the same array, with the bounds that it sees. */
static bool is_taken(const dpc_parameter *p) {
    for (const dpc_parameter *q = p->before; q != NULL; q = q->before)
        if (is_in_place(q) && q->array == p->argument->array) return true;
    return false;
}

static bool may_stay(const dpc_parameter *p, const dpc_array *x) {
    dpc_array *a = p->argument->array;
    if (p->own || a == NULL || p->argument->section != NULL || !lies_alike(a, x)) return false;
    return same_bounds(a, x) || !is_taken(p);
}

static void set_view(dpc_array *a, const dpc_array *x, bool shifted) {
    a->name = x->name;
    a->grid = x->grid;
    memcpy(a->format, x->format, sizeof a->format);
    for (int k = 0; k < x->rank; k++) a->dim[k].lower = x->dim[k].lower;
    dpc_number_mapping(a);
    if (shifted) a->contents = ++dpc_changes; /* subscripts mean other elements now */
}

/* The argument gets the parameter's name, bounds, formats and grid until the call ends. */
static void take_view(dpc_parameter *p, const dpc_array *x) {
    dpc_array *a = p->array = p->argument->array;
    dpc_widen_halo(a, p->argument->where, x->halo, x->beside, x->corners);
    p->shifted = !same_bounds(a, x);
    p->seen = *a;
    set_view(a, x, p->shifted);
}

/* ---- Copies */

static bool has_unit_strides(const dpc_argument *g) {
    for (int k = 0; g->section != NULL && k < g->array->rank; k++)
        if (is_single(&g->section[k]) || g->section[k].stride != 1) return false;
    return true;
}

static const char *choice(const char *name) {
    return name == NULL ? "auto" : name;
}

/* Unit strides: through the redistribution engine. */
static void move_plain(dpc_parameter *p, bool back) {
    const dpc_argument *g = p->argument;
    dpc_bounds bounds[DPC_MAX_RANK];
    for (int k = 0; g->section != NULL && k < g->array->rank; k++) {
        const dpc_index shift = g->array->dim[k].lower - as_caller_sees(p)->dim[k].lower;
        bounds[k] = (dpc_bounds){g->section[k].lower + shift, g->section[k].upper + shift};
    }
    const dpc_bounds *part = g->section == NULL ? NULL : bounds;
    if (back)
        dpc_move_section(g->array, part, &p->copy, NULL, g->where, choice(p->method), choice(p->schedule));
    else
        dpc_move_section(&p->copy, NULL, g->array, part, g->where, choice(p->method), choice(p->schedule));
}

/* Any section, by an iteration per element. */
static void move_strided(dpc_parameter *p, bool back) {
    const dpc_argument *g = p->argument;
    dpc_space s = {.where = g->where};
    dpc_subscript here[DPC_MAX_RANK], there[DPC_MAX_RANK];
    dpc_range range[DPC_MAX_RANK];
    for (int k = 0, index = 0; k < g->array->rank; k++) {
        const dpc_triplet *t = &g->section[k];
        const dpc_index lower = t->lower + g->array->dim[k].lower - as_caller_sees(p)->dim[k].lower;
        there[k] = (dpc_subscript){is_single(t) ? -1 : index, is_single(t) ? 0 : t->stride, lower};
        if (is_single(t)) continue;
        range[index] = (dpc_range){0, p->copy.dim[index].extent - 1, 1};
        here[index] = (dpc_subscript){index, 1, p->copy.dim[index].lower};
        index++;
    }
    dpc_begin_space(&s, g->where, false, p->copy.rank, range);
    if (back) {
        dpc_on(&s, g->array, there);
        dpc_copy(&s, &p->copy, here);
    } else {
        dpc_on(&s, &p->copy, here);
        dpc_copy(&s, g->array, there);
    }
}

static void move_elements(dpc_parameter *p, bool back) {
    for (int k = 0; k < p->copy.rank; k++)
        if (p->copy.dim[k].extent == 0) return;
    if (p->argument->array == NULL && back)
        dpc_to_replicas(&p->copy, p->argument->memory, p->argument->where);
    else if (p->argument->array == NULL)
        dpc_from_replicas(&p->copy, p->argument->memory);
    else if (has_unit_strides(p->argument))
        move_plain(p, back);
    else
        move_strided(p, back);
    if (back && p->argument->array != NULL) dpc_changed(p->argument->array);
}

/* ---- Begin and end of a call */

/* What a parameter without a mapping of its own inherits: the argument's, without the dimensions that a section leaves
 * out. Ordinary memory is shared out in rows. */
static dpc_grid *inherit(const dpc_argument *g, int rank, dpc_format *formats) {
    if (g->array == NULL) {
        for (int k = 0; k < rank; k++) formats[k] = k == 0 ? DPC_BLOCK : DPC_STAR;
        return NULL;
    }
    int kept = 0, divided = 0;
    for (int k = 0; k < g->array->rank; k++) {
        if (g->section != NULL && is_single(&g->section[k])) continue;
        formats[kept] = g->array->format[k];
        if (!DPC_SAYS_ALL(formats[kept].kind)) formats[kept] = DPC_BLOCK; /* of a section */
        if (g->section != NULL && formats[kept].kind == DPC_FORMAT_BLOCK)
            formats[kept].block = DPC_CHOSEN; /* another extent */
        divided += formats[kept++].kind != DPC_FORMAT_STAR;
    }
    return divided == g->array->grid->rank ? g->array->grid : NULL;
}

static int kept_dimensions(const dpc_argument *g, int rank) {
    int kept = 0;
    if (g->array == NULL) return rank;
    for (int k = 0; k < g->array->rank; k++) kept += g->section == NULL || !is_single(&g->section[k]);
    return kept;
}

/* Whether formats do not say all about its mapping. */
static bool is_irregular(const dpc_array *a) {
    bool irregular = a->spare;
    for (int k = 0; k < a->rank; k++) irregular = irregular || !DPC_SAYS_ALL(a->format[k].kind);
    return irregular;
}

static const dpc_array *base_of_argument(const dpc_array *a) {
    const dpc_parameter *p = active;
    while (p != NULL && p->array != a) p = p->outer;
    const dpc_argument *g = p == NULL ? NULL : p->argument;
    if (g == NULL || !p->inherits || g->array == NULL || g->section != NULL) return NULL;
    return dpc_base_of(g->array) != NULL ? dpc_base_of(g->array) : is_in_place(p) ? NULL : base_of_argument(g->array);
}

static void begin_receiving(const dpc_parameter *p, const char *where, const char *name, int rank) {
    const dpc_argument *g = p->argument;
    dpc_inherited_base = base_of_argument;
    dpc_begin_statement(g->where);
    dpc_check_together(g->where, g->array);
    dpc_count_execution(g->where);
    if (kept_dimensions(g, rank) != rank)
        dpc_fail(g->where, "argument '%s' has %d dimensions, parameter '%s' (%s) has %d", argument_name(p),
                 kept_dimensions(g, rank), name, where, rank);
}

/* x: as the parameter is to be mapped. */
static dpc_array *received(dpc_parameter *p, const char *where, dpc_array x) {
    check_shape(p, where, &x);
    if (p->argument->section != NULL) check_section(p);
    p->name = x.name;
    p->outer = active;
    active = p;
    if (may_stay(p, &x)) {
        take_view(p, &x);
        dpc_release_mapping(&x);
        check_aliases(p);
        return p->array;
    }
    p->copy = x;
    p->array = &p->copy;
    check_aliases(p);
    dpc_build(&p->copy, where, false);
    move_elements(p, false);
    return p->array;
}

/* formats NULL: it inherits them. */
static dpc_array *receive(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                          const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid, const dpc_width *halo,
                          int corners) {
    const dpc_argument *g = p->argument;
    dpc_format inherited[DPC_MAX_RANK];
    p->inherits = formats == NULL;
    if (formats == NULL && g->array != NULL && g->section == NULL && is_irregular(g->array))
        return received(p, where, dpc_mapped_as(where, name, type, bounds, g->array, halo, corners));
    if (formats == NULL) {
        grid = inherit(g, rank, inherited);
        formats = inherited;
    }
    return received(p, where, dpc_mapped(where, name, type, rank, bounds, formats, grid, halo, corners));
}

dpc_array *dpc_receive_with_halo(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                                 const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid,
                                 const dpc_width *halo, int corners) {
    begin_receiving(p, where, name, rank);
    return receive(p, where, name, type, rank, bounds, formats, grid, halo, corners);
}

static const dpc_width *widths_of(const dpc_candidate *c) {
    return c->halo == NULL ? dpc_no_halo : c->halo;
}

/* The number of the mapping that the argument has, from 1 on; 0: none of them. */
static int find_candidate(const dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                          const dpc_bounds *bounds, int count, const dpc_candidate *candidate) {
    for (int k = 0; k < count; k++) {
        const dpc_candidate *c = &candidate[k];
        dpc_array x = dpc_mapped(where, name, type, rank, bounds, c->formats, c->grid, widths_of(c), c->corners);
        const bool fits = may_stay(p, &x);
        dpc_release_mapping(&x);
        if (fits) return k + 1;
    }
    return 0;
}

dpc_array *dpc_receive_one_of(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                              const dpc_bounds *bounds, int count, const dpc_candidate *candidate, bool others) {
    begin_receiving(p, where, name, rank);
    p->version = find_candidate(p, where, name, type, rank, bounds, count, candidate);
    if (p->version == 0 && others) return receive(p, where, name, type, rank, bounds, NULL, NULL, dpc_no_halo, false);
    if (p->version == 0) p->version = 1;
    const dpc_candidate *c = &candidate[p->version - 1];
    return receive(p, where, name, type, rank, bounds, c->formats, c->grid, widths_of(c), c->corners);
}

dpc_array *dpc_receive_aligned(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                               const dpc_bounds *bounds, dpc_array *base, const dpc_alignment *alignment,
                               const dpc_width *halo, int corners) {
    begin_receiving(p, where, name, rank);
    dpc_array *a = received(p, where, dpc_mapped_with(where, name, type, rank, bounds, base, alignment, halo, corners));
    if (!is_in_place(p)) dpc_follow(a, base, alignment);
    return a;
}

dpc_array *dpc_receive(dpc_parameter *p, const char *where, const char *name, dpc_type type, int rank,
                       const dpc_bounds *bounds, const dpc_format *formats, dpc_grid *grid) {
    return dpc_receive_with_halo(p, where, name, type, rank, bounds, formats, grid, dpc_no_halo, false);
}

dpc_array *dpc_receive_like(dpc_parameter *p, const char *where, const char *name, dpc_type type,
                            const dpc_array *like) {
    begin_receiving(p, where, name, like->rank);
    return received(p, where, dpc_mapped_like(where, name, type, like));
}

void dpc_give_back(dpc_parameter *p) {
    active = p->outer;
    if (is_in_place(p)) {
        set_view(p->array, &p->seen, p->shifted);
        return;
    }
    if (p->changed) move_elements(p, true);
    dpc_free(&p->copy);
}

/* ---- Calls that longjmp leaves */

/* Where setjmp has been called, by the address of its buffer, which is called again rather than another one. */
typedef struct {
    const void *buffer;
    dpc_parameter *active;
} mark;
static mark *marks;
static size_t mark_count, mark_capacity;

static mark *mark_of(const void *buffer) {
    for (size_t k = mark_count; k > 0; k--)
        if (marks[k - 1].buffer == buffer) return &marks[k - 1];
    return NULL;
}

void *dpc_mark_jump(void *buffer) {
    mark *m = mark_of(buffer);
    if (m == NULL) {
        if (mark_count == mark_capacity) {
            mark_capacity = 2 * mark_capacity + 4;
            marks = realloc(marks, mark_capacity * sizeof *marks);
            if (marks == NULL) dpc_fail("setjmp", "out of memory");
        }
        m = &marks[mark_count++];
    }
    *m = (mark){buffer, active};
    return buffer;
}

static bool is_active(const dpc_parameter *wanted) {
    for (const dpc_parameter *p = active; p != NULL; p = p->outer)
        if (p == wanted) return true;
    return wanted == NULL;
}

int dpc_leave_calls(const void *buffer, int value) {
    const mark *m = mark_of(buffer);
    if (m == NULL || !is_active(m->active)) return value; /* no buffer of setjmp's: the C library knows */
    while (active != m->active) {
        if (active->argument->section != NULL) active->changed = false;
        dpc_give_back(active);
    }
    return value;
}
