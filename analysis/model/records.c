/* Structures and unions as elements of distributed arrays: without pointers, which mean nothing on other processes. */
#include <string.h>

#include "model.h"
#include "types.h"

/* ---- Their names */

/* The name that a typedef gives to the structure alone. */
static const char *typedef_name(const node *definition) {
    const node *specifiers = definition->parent, *declaration = specifiers ? specifiers->parent : NULL;
    if (!declaration || declaration->kind != N_DECLARATION || !specifiers_have(specifiers, "typedef")) return NULL;
    for (size_t d = 1; d < declaration->count; d++) {
        const node *item = declaration->child[d];
        const node *name = item->kind == N_INIT_DECLARATOR ? item->child[0] : item;
        if (name->kind == N_DECL_NAME) return name->name;
    }
    return NULL;
}

static const char *record_spelling(arena *a, const node *definition) {
    if (!definition->has_body) return NULL;
    return definition->name ? arena_format(a, "%s %s", definition->op, definition->name) : typedef_name(definition);
}

bool record_is_nameless(const node *definition) {
    return definition->has_body && !definition->name && !typedef_name(definition);
}

/* ---- Their members */

typedef struct {
    arena *memory;
    int64_t bytes, bits, alignment; /* so far: bits of the last byte's unit that a bit-field has left */
    const char *why;                /* it can be no element; NULL: it can */
    bool is_union, padded;          /* some bits, or bytes, may belong to no member's value */
} layout;

static layout lay_out_record(arena *a, const node *definition);

static int64_t rounded_up(int64_t x, int64_t multiple) {
    return (x + multiple - 1) / multiple * multiple;
}

static void lay_member(layout *l, int64_t bytes, int64_t multiple) {
    if (multiple > l->alignment) l->alignment = multiple;
    if (l->is_union) {
        if (bytes > l->bytes) l->bytes = bytes;
        return;
    }
    const int64_t at = rounded_up(l->bytes, multiple);
    l->padded = l->padded || at != l->bytes;
    l->bytes = at + bytes;
    l->bits = 0;
}

/* System V: a bit-field does not cross a unit of its declared type. */
static void lay_bits(layout *l, int64_t unit, int64_t width) {
    int64_t at = l->is_union ? 0 : 8 * l->bytes - l->bits;
    l->padded = true;
    if (width == 0 || at / (8 * unit) != (at + width - 1) / (8 * unit)) at = rounded_up(at, 8 * unit);
    const int64_t end = rounded_up(at + width, 8) / 8;
    if (unit > l->alignment) l->alignment = unit;
    if (l->is_union && end < l->bytes) return;
    l->bytes = end;
    l->bits = 8 * end - at - width;
}

/* Size and alignment of a member's type; false, and why, where it has pointers or is not known. */
static bool size_of(layout *l, const type *t, const char *name, int64_t *bytes, int64_t *multiple) {
    int64_t extent;
    if (t && t->kind == TYPE_ARITHMETIC) {
        *bytes = element_bytes(t->element);
        *multiple = element_alignment(t->element);
        l->padded = l->padded || element_real(t->element) == ELEMENT_LONG_DOUBLE;
        return true;
    }
    if (t && t->kind == TYPE_ARRAY) {
        if (!t->array->child[2] || !constant_value(t->array->child[2], &extent)) {
            l->why = arena_format(l->memory, "the extent of its member '%s' is not constant", name);
            return false;
        }
        const bool known = size_of(l, t->of, name, bytes, multiple);
        *bytes *= extent;
        return known;
    }
    if (t && t->kind == TYPE_RECORD) {
        layout inner = lay_out_record(l->memory, t->record);
        if (record_spelling(l->memory, t->record)) element_of_record(l->memory, t, &inner.why);
        *bytes = inner.bytes;
        *multiple = inner.alignment;
        l->padded = l->padded || inner.padded;
        l->why = inner.why;
        return !l->why;
    }
    const bool pointer = t && (t->kind == TYPE_POINTER || t->kind == TYPE_FUNCTION);
    l->why = arena_format(l->memory,
                          pointer ? "its member '%s' is a pointer" : "the type of its member '%s' is not known", name);
    return false;
}

static void lay_item(layout *l, node *item, type *base) {
    node *declared = NULL;
    int64_t bytes = 1, multiple = 1, width = 0;
    const bool named = item->count > 0 && item->child[0];
    type *t = named ? type_of_declarator(l->memory, item->child[0], item->type ? item->type : base, &declared) : base;
    if (!size_of(l, t, declared ? declared->name : "", &bytes, &multiple)) return;
    if (item->kind != N_BIT_FIELD)
        lay_member(l, bytes, multiple);
    else if (constant_value(item->child[1], &width))
        lay_bits(l, bytes, width);
}

static void lay_record(layout *l, const node *definition) {
    if (!definition->has_body) l->why = "its members are not in the program";
    for (size_t c = 0; c < definition->count && !l->why; c++) {
        node *declaration = definition->child[c];
        if (declaration->kind != N_DECLARATION) continue;
        type *base = type_of_specifiers(l->memory, declaration->child[0]);
        int64_t bytes, multiple;
        if (declaration->count == 1 && size_of(l, base, "", &bytes, &multiple)) lay_member(l, bytes, multiple);
        for (size_t d = 1; d < declaration->count && !l->why; d++) lay_item(l, declaration->child[d], base);
    }
}

static layout lay_out_record(arena *a, const node *definition) {
    layout l = {.memory = a, .alignment = 1, .is_union = !strcmp(definition->op, "union")};
    lay_record(&l, definition);
    const int64_t end = rounded_up(l.bytes, l.alignment);
    l.padded = l.padded || l.is_union || end != l.bytes;
    l.bytes = end;
    return l;
}

bool equal_values_are_equal_bytes(arena *a, const type *t) {
    layout l = {.memory = a, .alignment = 1};
    int64_t bytes, multiple;
    while (t && t->kind == TYPE_ARRAY) t = t->of;
    return size_of(&l, t, "", &bytes, &multiple) && !l.padded;
}

element element_of_record(arena *a, const type *t, const char **why) {
    const node *definition = tag_definition(t->record);
    const element known = known_record(definition);
    if (known != ELEMENTS) return known;
    layout l = lay_out_record(a, definition);
    const char *spelling = record_spelling(a, definition);
    *why = l.why;
    if (l.why) return ELEMENTS;
    return add_record(
        a, (record_facts){definition, spelling, arena_format(a, "DPC_STRUCTURE(%s)", spelling), l.bytes, l.alignment});
}
