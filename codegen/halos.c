/* Ghost cells in the SPMD program: refreshed before the statements that read them, where the array has changed.
 *
 *     dpc_refreshing *halo = dpc_refresh(where, 1, (dpc_array *[]){&U_dist});
 *     for (dpc_box box = dpc_first_box(&space, halo, reach); box.more; dpc_next_box(&box)) {
 *         loops over the box
 *     } */
#include <string.h>

#include "spmd.h"

bool has_halo(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->halo_low[d] > 0 || a->halo_high[d] > 0) return true;
    return false;
}

static bool reads_ghosts(const parallel *s, const reference *r, int mask) {
    return needed(s, r, mask) && r->relation == RELATION_SHIFT;
}

static bool refreshes(const parallel *s, int mask) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_ghosts(s, &s->reference[k], mask)) return true;
    return false;
}

/* Whether the statement stores into the very array whose ghost cells it reads: what is sent must be copied first. */
static bool stores_refreshed(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_ghosts(s, &s->reference[k], -1) && s->reference[k].array == s->left.array) return true;
    return false;
}

/* Whether a later phase of the refresh sends what is there when the earlier ones have ended. */
static bool refreshes_corners(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_ghosts(s, &s->reference[k], -1) && s->reference[k].array->corners) return true;
    return false;
}

/* How far beyond home's element the statement reads along index k. */
static void reach_of(const parallel *s, int k, int64_t *low, int64_t *high, bool *cyclic) {
    *low = *high = 0;
    *cyclic = false;
    for (size_t j = 0; j < s->references; j++) {
        const reference *r = &s->reference[j];
        for (int d = 0; r->array && r->relation == RELATION_SHIFT && d < r->rank; d++) {
            if (r->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[d].index != k) continue;
            if (-r->distance[d] > *low) *low = -r->distance[d];
            if (r->distance[d] > *high) *high = r->distance[d];
            for (int c = 0; c < r->cycles; c++) *cyclic = *cyclic || r->cycle[c].dim == d;
        }
    }
}

/* Whether all that is read beyond home's elements lies on one side of them: then the border, which comes last, reads only
 * ghost cells and the border. */
static bool reads_one_side(const parallel *s) {
    int sides = 0;
    for (int k = 0; k < s->indices; k++) {
        int64_t low, high;
        bool cyclic;
        reach_of(s, k, &low, &high, &cyclic);
        sides += (low > 0) + (high > 0);
    }
    return sides == 1;
}

static bool may_be(const emitter *e, const array *a, const array *b) {
    return b && (a == b || (may_be_same(a, b) && !are_kept_apart(e->p, a, b)));
}

/* Whether the statement stores into the array, or may. */
static bool may_store(const emitter *e, const parallel *s, const array *a) {
    bool stores = may_be(e, a, s->left.array);
    for (size_t k = 0; k < s->references; k++)
        stores = stores || (s->reference[k].stored && may_be(e, a, s->reference[k].array));
    return stores;
}

/* Whether what a process holds itself of the values that r fetches is an interval of its iterations: then these need not
 * wait for the others. */
static bool has_own_interval(const emitter *e, const parallel *s, const reference *r) {
    if (r->relation != RELATION_SETS || r->move != MOVE_FETCHED || r->operand != OPERAND_NONE || r->array->dynamic) return false;
    if (s->indices == 0 || s->loop || s->ordered || s->product || s->tiled || e->p->model == COMM_DEPOSIT) return false;
    if (may_store(e, s, r->array)) return false;
    for (int d = 0; d < r->rank; d++) {
        const pairing x = pairing_of(e->p, s, r, d);
        if (x.index < 0) continue;
        if (s->index[x.index].reduction >= 0 || !pairing_is_one_run(&x)) return false;
    }
    return true;
}

bool in_boxes(emitter *e, const parallel *s, int mask) {
    bool fetches = false, dealt = false;
    if (mask >= 0 || s->kind == PARALLEL_REDUCTION || s->values_first || s->scatter || s->waits_for >= 0) return false;
    if (s->ordered && !reads_one_side(s)) return false;
    if (stores_refreshed(s) && refreshes_corners(s)) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || r->relation == RELATION_LOCAL || r->relation == RELATION_SHIFT) continue;
        if (!has_own_interval(e, s, r)) return false;
        fetches = true;
    }
    for (int m = 0; m < s->masks; m++)
        if (s->mask_saved[m]) return false;
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction < 0 && (s->index[k].triangular || is_strided(s, k))) return false;
        dealt = dealt || !is_single_run(s, k);
    }
    return fetches ? !dealt : refreshes(s, mask);
}

/* Whether the refresh brings array k of those that later statements read: statements in the same loops read it, too. */
static bool comes_ahead(const parallel *s, int k, int mask) {
    for (size_t j = 0; j < s->references; j++)
        if (reads_ghosts(s, &s->reference[j], mask) && s->reference[j].array == s->ahead[k]) return false;
    return mask < 0 && refreshes(s, mask);
}

void emit_refresh(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    text arrays;
    int count = 0;
    text_start(&arrays, e->memory);
    for (size_t k = 0; k < s->references; k++) {
        bool before = false;
        if (!reads_ghosts(s, &s->reference[k], mask)) continue;
        for (size_t j = 0; j < k; j++)
            before =
                before || (reads_ghosts(s, &s->reference[j], mask) && s->reference[j].array == s->reference[k].array);
        if (before) continue;
        text_format(&arrays, "%s%s", count++ ? ", " : "", s->reference[k].array->address);
    }
    if (count == 0) return;
    for (int k = 0; k < s->aheads; k++)
        if (comes_ahead(s, k, mask)) text_format(&arrays, ", %s", s->ahead[k]->address), count++;
    const bool copied = in_boxes(e, s, mask) && stores_refreshed(s);
    text_format(out, "%sdpc_refreshing *\1halo = dpc_refresh%s(%s, %d, (dpc_array *[]){%s});\n", indent,
                copied ? "_copied" : "", place_literal(e, s->node), count, text_of(&arrays));
}

static void comment_ghosts(text *out, const array *a, const char *more, const char *indent) {
    bool cyclic = false, dealt = false;
    text_format(out, "\n%s *   %s", indent, a->symbol->name);
    for (int d = 0; d < a->rank; d++) {
        if (a->halo_low[d] == 0 && a->halo_high[d] == 0)
            text_add(out, "[0]");
        else
            text_format(out, "[%lld:%lld]", (long long)-a->halo_low[d], (long long)a->halo_high[d]);
        cyclic = cyclic || a->cyclic[d];
        dealt = dealt || a->gap[d] > 0;
    }
    text_format(out, ": ghost cells%s, from the neighbours%s where it has changed%s", dealt ? " around every block" : "",
                cyclic ? " and the other end" : "", more);
}

void comment_refresh(text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        const array *a = s->reference[k].array;
        bool before = false;
        if (!reads_ghosts(s, &s->reference[k], mask)) continue;
        for (size_t j = 0; j < k; j++)
            before = before || (reads_ghosts(s, &s->reference[j], mask) && s->reference[j].array == a);
        if (!before) comment_ghosts(out, a, "", indent);
    }
    for (int k = 0; k < s->aheads; k++)
        if (comes_ahead(s, k, mask)) comment_ghosts(out, s->ahead[k], ", for statements below", indent);
}

void emit_end_refresh(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    if (refreshes(s, mask) && !in_boxes(e, s, mask)) text_format(out, "%sdpc_end_refresh(\1halo);\n", indent);
}

/* "NULL, NULL": the ghost cells that are on their way, and how far the statement reads. */
static const char *ghosts_text(emitter *e, const parallel *s) {
    text out;
    if (!refreshes(s, -1)) return "NULL, NULL";
    text_start(&out, e->memory);
    text_add(&out, "\1halo, (const dpc_width[]){");
    for (int k = 0; k < s->indices; k++) {
        int64_t low, high;
        bool cyclic;
        reach_of(s, k, &low, &high, &cyclic);
        text_format(&out, "%s{%lld, %lld%s}", k ? ", " : "", (long long)low, (long long)high, cyclic ? ", true" : ", false");
    }
    text_add(&out, "}");
    return text_of(&out);
}

void emit_boxes(emitter *e, text *out, const parallel *s, const char *brace, const char *indent) {
    const char *moves = awaited_moves(e, s), *of = *moves ? "_of" : "";
    text_format(out, "%sfor (dpc_box \1box = dpc_first_box%s(&\1space, %s%s); \1box.more; dpc_next_box(&\1box))%s /* %s */\n",
                indent, of, ghosts_text(e, s), moves, brace, *moves ? "what is here, then the rest" : "inside, then the border");
}

const char *open_boxes(emitter *e, text *out, const parallel *s, const char *indent) {
    const char *inside = deeper(e, indent);
    int count = 0;
    emit_boxes(e, out, s, " {", indent);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].reduction < 0 && is_single_run(s, k))
            text_format(out, "%s%s = \1box.last[%d]",
                        count++ ? ", " : arena_format(e->memory, "%sconst dpc_index ", inside), name_of(e, s, k, "last"), k);
    if (count > 0) text_add(out, ";\n");
    emit_arriving(e, out, s, inside);
    return inside;
}

/* Whether something goes by whether the array has changed: ghost cells, or values that stay, perhaps of another function
 * that works on the same elements. */
static bool is_watched(const array *a) {
    return has_halo(a) || a->kept || a->passed || a->symbol->is_parameter;
}

static void change_stores(text *out, const parallel *s, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        bool before = !s->reference[k].stored || !is_watched(s->reference[k].array);
        for (size_t j = 0; j < k; j++)
            before = before || (s->reference[j].stored && s->reference[j].array == s->reference[k].array);
        if (!before) text_format(out, "%sdpc_changed(%s);\n", indent, s->reference[k].array->address);
    }
}

void emit_changed(text *out, const parallel *s, const char *indent) {
    if (s->loop) {
        change_stores(out, s, indent);
        return;
    }
    if (s->kind != PARALLEL_ASSIGNMENT || !s->left.array || s->scatter || !is_watched(s->left.array)) return;
    text_format(out, "%sdpc_changed(%s);\n", indent, s->left.array->address);
}
