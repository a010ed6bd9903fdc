/* Ghost cells in the SPMD program: refreshed before the statements that read them, where the array has changed.
 *
 *     dpc_refreshing *halo = dpc_refresh(where, 1, (dpc_array *[]){&U_dist});
 *     DPC_RECEIVES(from, halo) MPI_Irecv(..);
 *     DPC_SENDS(to, halo) MPI_Isend(..);
 *     DPC_BOXES(box, space, halo, reach) {
 *         loops over the box
 *     } */
#include <string.h>

#include "spmd.h"

bool has_halo(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->placed.halo_low[d] > 0 || a->placed.halo_high[d] > 0 || a->placed.less[d] > 0 || a->placed.more[d] > 0 ||
            (a->alignment && a->placed.gap[d] > 0))
            return true;
    return false;
}

/* The reference whose first subscripts say which plane's ghost cells are read. */
static const reference *plane_of(const parallel *s) {
    const execution *x = execution_of(s, -1);
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array == x->refreshed[0] && s->reference[k].placed.relation == RELATION_SHIFT &&
            needed(s, &s->reference[k], -1))
            return &s->reference[k];
    return NULL;
}

static const char *refreshed_plane(emitter *e, const parallel *s) {
    const execution *x = execution_of(s, -1);
    const reference *r = plane_of(s);
    text at;
    text_start(&at, e->memory);
    for (int d = 0; d < x->planes; d++)
        text_format(&at, "%s%s", d ? ", " : "", linear_words(e, &r->subscript[d].offset));
    return arena_format(e->memory, "dpc_refresh_plane(%s, %s, %s, %d, (const dpc_index[]){%s})",
                        place_literal(e, s->node), x->refreshed[0]->address, x->copied ? "true" : "false", x->planes,
                        text_of(&at));
}

/* The function that sends and receives them, before the one around the first statement that calls it. */
static void make_exchange_of_halo(emitter *e, const parallel *s) {
    if (e->has_halo_exchange) return;
    e->has_halo_exchange = true;
    code *around = begin_function(e);
    emit_receives(e, "\1halo");
    emit_sends(e, "\1halo");
    emit_line(e, "return \1halo;");
    place_function(e, s->node,
                   arena_format(e->memory,
                                "/* Posts receives of ghost cells, and sends what others keep as theirs. */\n"
                                "static dpc_refreshing *%s(dpc_refreshing *\1halo) {\n%s}",
                                e->p->halo_exchange, end_code(e, around)));
}

/* How far away a row is, whichever side it is on. */
static linear magnitude_of(emitter *e, const linear *far) {
    const linear back = linear_subtract(e->memory, linear_constant(0), *far);
    if (far->terms == 1) return far->term[0].coefficient < 0 ? back : *far;
    return linear_atom(e->memory, arena_format(e->memory, "dpc_magnitude(%s)", linear_words(e, far)), NULL);
}

/* The least and the greatest distance from home at which r reads along dimension d, where only the run time knows. */
static linear least_distance_of(emitter *e, const reference *r, int d) {
    if (r->placed.far) return linear_subtract(e->memory, linear_constant(0), magnitude_of(e, r->placed.far));
    return linear_add(e->memory, linear_constant(r->placed.dim[d].distance), r->subscript[d].near->low);
}
static linear greatest_distance_of(emitter *e, const reference *r, int d) {
    if (r->placed.far) return magnitude_of(e, r->placed.far);
    return linear_add(e->memory, linear_constant(r->placed.dim[d].distance), r->subscript[d].near->high);
}

/* "DPC_WIDTH(r, r)", of such a dimension. */
static const char *width_text(emitter *e, const reference *r, int d) {
    if (!is_wide(r, d)) return "DPC_WIDTH(0, 0)";
    const linear least = least_distance_of(e, r, d), high = greatest_distance_of(e, r, d);
    const linear low = linear_subtract(e->memory, linear_constant(0), least);
    return arena_format(e->memory, "DPC_WIDTH(%s, %s)", linear_words(e, &low), linear_words(e, &high));
}

/* "dpc_deepen(&M_dist, where, DPC_WIDTHS(DPC_WIDTH(r, r), DPC_WIDTH(0, 0)));" */
static const char *widening_text(emitter *e, const parallel *s, const reference *r) {
    text widths;
    text_start(&widths, e->memory);
    for (int d = 0; d < r->rank; d++) text_format(&widths, "%s%s", d ? ", " : "", width_text(e, r, d));
    return arena_format(e->memory, "dpc_deepen(%s, %s, DPC_WIDTHS(%s));", r->array->address, place_literal(e, s->node),
                        text_of(&widths));
}

/* Makes ghost cells as wide as only the run time knows. */
static void emit_widening(emitter *e, const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool before = !r->array || !r->placed.wide || r->placed.relation != RELATION_SHIFT || !needed(s, r, mask);
        for (size_t j = 0; j < k && !before; j++)
            before = s->reference[j].array == r->array && s->reference[j].placed.wide &&
                     !strcmp(widening_text(e, s, &s->reference[j]), widening_text(e, s, r));
        if (!before) emit_line(e, "%s", widening_text(e, s, r));
    }
}

void emit_refresh(emitter *e, const parallel *s, int mask) {
    const execution *x = execution_of(s, mask);
    emit_widening(e, s, mask);
    text arrays;
    text_start(&arrays, e->memory);
    if (x->refreshes == 0) return;
    for (size_t k = 0; k < x->refreshes; k++) text_format(&arrays, "%s%s", k ? ", " : "", x->refreshed[k]->address);
    const char *refresh = x->planes > 0 ? refreshed_plane(e, s)
                                        : arena_format(e->memory, "dpc_refresh%s(%s, %d, (dpc_array *[]){%s})",
                                                       x->copied ? "_copied" : "", place_literal(e, s->node),
                                                       (int)x->refreshes, text_of(&arrays));
    if (e->p->halo_exchange) {
        make_exchange_of_halo(e, s);
        emit_line(e, "dpc_refreshing *\1halo = %s(%s);", e->p->halo_exchange, refresh);
        return;
    }
    emit_line(e, "dpc_refreshing *\1halo = %s;", refresh);
    emit_receives(e, "\1halo");
    emit_sends(e, "\1halo");
}

/* "[-r:r]": how wide the ghost cells are along dimension d. */
static const char *widths_words(emitter *e, const parallel *s, const array *a, int d) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (r->array != a || !is_wide(r, d)) continue;
        const linear least = least_distance_of(e, r, d), greatest = greatest_distance_of(e, r, d);
        return arena_format(e->memory, "[%s:%s]", linear_words(e, &least), linear_words(e, &greatest));
    }
    if (a->placed.halo_low[d] == 0 && a->placed.halo_high[d] == 0) return "[0]";
    return arena_format(e->memory, "[%lld:%lld]", (long long)-a->placed.halo_low[d], (long long)a->placed.halo_high[d]);
}

/* plane: the reference whose first subscripts, `planes` of them, say which plane's ghost cells these are. */
static void comment_halo(emitter *e, text *out, const parallel *s, const array *a, const reference *plane, int planes,
                         const char *more, const char *indent) {
    bool cyclic = false, dealt = false, wider = false;
    text_format(out, "\n%s *   %s", indent, a->symbol->name);
    for (int d = 0; d < a->rank; d++) {
        if (d < planes)
            text_format(out, "[%s]", linear_text(e->memory, &plane->subscript[d].offset));
        else
            text_add(out, widths_words(e, s, a, d));
        cyclic = cyclic || a->placed.cyclic[d];
        wider = wider || a->placed.less[d] > 0 || a->placed.more[d] > 0;
        dealt = dealt || a->placed.gap[d] > 0;
    }
    text_format(out, ": ghost cells%s%s, where it has changed%s",
                dealt   ? " around every block"
                : wider ? ", more where blocks of other extents end elsewhere"
                        : "",
                cyclic ? ", also from the other end" : "", more);
}

void comment_refresh(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    const execution *x = execution_of(s, mask);
    for (size_t k = 0; k < x->refreshes; k++)
        comment_halo(e, out, s, x->refreshed[k], x->planes > 0 ? plane_of(s) : NULL, x->planes,
                     k < x->refreshes - x->early ? "" : ", for statements below", indent);
}

void emit_end_refresh(emitter *e, const parallel *s, int mask) {
    const execution *x = execution_of(s, mask);
    if (x->refreshes > 0 && !x->interior_first) emit_line(e, "dpc_end_refresh(\1halo);");
}

void emit_await(emitter *e, const parallel *s, int mask) {
    const execution *x = execution_of(s, mask);
    if (!x->interior_first) return;
    if (x->refreshes > 0) {
        emit_line(e, "dpc_end_refresh(\1halo);");
        emit_line(e, "\1halo = NULL;");
    }
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (starts_move(s, r, mask))
            emit_declaration(e, r->placed.buffer, "const %s %s = dpc_arrive(%s);", element_spelling(r->array->element),
                             block_of_values(e, s, r), move_name(e, r));
    }
}

/* So many elements, or a row: that has one place at least. */
static const char *reach_words(emitter *e, const index_reach *r, int64_t elements) {
    if (!r->far) return arena_format(e->memory, "%lld", (long long)elements);
    const char *row = linear_words(e, r->far);
    return elements <= 1 ? row : arena_format(e->memory, "dpc_maximum(%lld, %s)", (long long)elements, row);
}

/* "NULL, NULL": the ghost cells that are on their way, and how far the statement reads. */
static const char *halo_arguments(emitter *e, const parallel *s) {
    text out;
    const execution *x = execution_of(s, -1);
    if (x->refreshes == 0) return "NULL, NULL";
    text_start(&out, e->memory);
    text_add(&out, "\1halo, DPC_WIDTHS(");
    for (int k = 0; k < s->indices; k++) {
        const index_reach *r = &x->reach[k];
        text_format(&out, "%sDPC_%sWIDTH(%s, %s)", k ? ", " : "", r->cyclic ? "CYCLIC_" : "", reach_words(e, r, r->low),
                    reach_words(e, r, r->high));
    }
    text_add(&out, ")");
    return text_of(&out);
}

code *open_box_loop(emitter *e, const parallel *s, bool bare) {
    const char *moves = awaited_moves(e, s);
    const char *head = arena_format(e->memory, "DPC_BOXES%s(\1box, %s, %s%s)", *moves ? "_OF" : "", space_of(e),
                                    halo_arguments(e, s), moves);
    const char *comment = *moves ? "what is here, then the rest" : "interior, then boundary";
    const bool fits =
        strlen(indentation_here(e)) + strlen(head) + strlen(" /*  */") - 1 + strlen(comment) <= LINE_WIDTH;
    return open_loop(e, &(for_loop){.macro = head, .comment = fits ? comment : NULL, .bare = bare});
}

void emit_ends_of_box(emitter *e, const parallel *s) {
    for (int k = 0; k < s->indices; k++) {
        const char *last = index_name(e->p, s, k, "last");
        if (s->index[k].reduction < 0 && is_single_run(s, k))
            emit_declaration(e, last, "const dpc_index %s = \1box.last[%d];", last, k);
    }
}

code *open_boxes(emitter *e, const parallel *s) {
    code *around = open_box_loop(e, s, false);
    emit_ends_of_box(e, s);
    emit_arriving(e, s);
    return around;
}

/* Whether something goes by whether the array has changed: ghost cells, or values that stay, perhaps of another
 * function that works on the same elements. */
static bool is_watched(const array *a) {
    bool halo = has_halo(a);
    for (size_t k = 0; a->dynamic && k < a->origin->views; k++) halo = halo || has_halo(a->origin->view[k]);
    return halo || a->placed.deepens || a->origin->watched || a->passed || a->symbol->is_parameter;
}

static void change_stores(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->references; k++) {
        bool before = !s->reference[k].stored || !is_watched(s->reference[k].array);
        for (size_t j = 0; j < k; j++)
            before = before || (s->reference[j].stored && s->reference[j].array == s->reference[k].array);
        if (!before) emit_line(e, "dpc_changed(%s);", s->reference[k].array->address);
    }
}

void emit_changed(emitter *e, const parallel *s) {
    if (s->loop) {
        change_stores(e, s);
        return;
    }
    if (s->kind != PARALLEL_ASSIGNMENT || !s->left.array || s->placed.scatter || !is_watched(s->left.array)) return;
    emit_line(e, "dpc_changed(%s);", s->left.array->address);
}
