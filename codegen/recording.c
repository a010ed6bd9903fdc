/* --check=all: no element is assigned twice by a statement; no iteration of an `independent` loop assigns what another
 * one reads. */
#include "spmd.h"

static const char *values_text(emitter *e, const parallel *s) {
    text values;
    text_start(&values, e->memory);
    for (int k = 0; k < recorded_indices(s); k++) text_format(&values, "%s%s", k ? ", " : "", s->index[k].name);
    return text_of(&values);
}

static const char *subscripts_of(emitter *e, const parallel *s, const reference *r) {
    text subscripts;
    text_start(&subscripts, e->memory);
    for (int d = 0; d < r->rank; d++)
        text_format(&subscripts, "%s%s", d ? ", " : "", subscript_text(e, s, &r->subscript[d]));
    return text_of(&subscripts);
}

static void emit_iteration_begin(emitter *e, const parallel *s, const char *name) {
    emit_line(e, "dpc_begin_iteration(&%s, %d, (const dpc_index[]){%s});", name, recorded_indices(s),
              values_text(e, s));
}

static void emit_check_of(emitter *e, const parallel *s, const symbol *left, const array *a, const char *what) {
    text names;
    text_start(&names, e->memory);
    for (int k = 0; k < recorded_indices(s); k++)
        text_format(&names, "%s\"%s\"", k ? ", " : "", s->loop ? s->loop->counter[k]->name : s->index[k].name);
    const char *of = a ? a->address : arena_format(e->memory, "\"%s\"", escaped(e, what));
    emit_line(e, "%s(&%s, %s, %s, %d, (const char *const[]){%s});", a ? "dpc_check_assignments" : "dpc_check_memory",
              recorded_name(e, left), place_literal(e, s->node), of, recorded_indices(s), text_of(&names));
}

/* ---- Statements: the left sides of their iterations, before the first is executed */

code *open_recording(emitter *e, const parallel *s) {
    code *around = open_block_with(e, "no element of %s is to be assigned twice", quote(e, s->left.base));
    emit_line(e, "dpc_assignments %s = {0};", recorded_name(e, s->left.symbol));
    return around;
}

void emit_recorded(emitter *e, const parallel *s) {
    const char *name = recorded_name(e, s->left.symbol);
    emit_iteration_begin(e, s, name);
    if (s->left.array)
        emit_line(e, "dpc_accesses(&%s, %s, %d, true, (const dpc_index[]){%s});", name, s->left.array->address,
                  recorded_indices(s), subscripts_of(e, s, &s->left));
    else
        emit_line(e, "dpc_assigns_memory(&%s, %d, &%s);", name, recorded_indices(s), reference_text(e, &s->left));
}

void close_recording(emitter *e, const parallel *s, code *around) {
    emit_check_of(e, s, s->left.symbol, s->left.array, quote(e, s->left.node));
    close_block(e, around);
}

/* ---- Independent loops: what their bodies come to */

/* Whether array number k of those that the loop stores into, which come once for each place, is noted. */
static bool is_noted(emitter *e, const parallel *s, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (s->loop->store[j] == s->loop->store[k]) return false;
    return records_accesses(e, s, s->loop->store[k]);
}

bool begin_accesses(emitter *e, const parallel *s) {
    bool any = false;
    for (size_t k = 0; k < s->loop->stores; k++) {
        if (!is_noted(e, s, k)) continue;
        emit_line(e, "dpc_assignments %s = {0};", recorded_name(e, s->loop->store[k]));
        any = true;
    }
    return any;
}

void emit_iteration_accesses(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->loop->stores; k++)
        if (is_noted(e, s, k)) emit_iteration_begin(e, s, recorded_name(e, s->loop->store[k]));
}

/* The view of the array that the loop uses. */
static const array *array_in(const parallel *s, const symbol *name) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].symbol == name && s->reference[k].array) return s->reference[k].array;
    return name->array;
}

void end_accesses(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->loop->stores; k++) {
        const symbol *name = s->loop->store[k];
        if (is_noted(e, s, k)) emit_check_of(e, s, name, array_in(s, name), NULL);
    }
}
