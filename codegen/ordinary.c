/* --check=all: subscripts of ordinary arrays, compared where they are evaluated with what the C compiler knows of the
 * array.
 *
 *     R[dpc_within("file.dpc:7:12", "R", 0, i + n, 0, DPC_COUNT(R))] */
#include <string.h>

#include "emitter.h"

/* Whether n only says where something is, or how large: elements behind the last may stand there. */
static bool is_unevaluated(const node *n) {
    for (const node *up = n->parent; up; up = up->parent)
        if (up->kind == N_SIZEOF || up->kind == N_TYPEOF) return true;
    for (const node *up = n->parent; up; n = up, up = up->parent) {
        if (up->kind == N_UNARY && !strcmp(up->op, "&")) return true;
        const bool part = up->kind == N_PAREN || (up->kind == N_MEMBER && !strcmp(up->op, ".")) ||
                          (up->kind == N_INDEX && up->child[0] == n);
        if (!part) return false;
    }
    return false;
}

/* Whether a variable declared without its first extent gets it from an initialiser. */
static bool has_initialiser(const symbol *s) {
    const node *n = s->declarator;
    while (n && n->kind != N_INIT_DECLARATOR && n->kind != N_DECLARATION) n = n->parent;
    return n && n->kind == N_INIT_DECLARATOR && n->count > 1 && n->child[1];
}

bool knows_extent(const symbol *s) {
    return s->type->array->child[2] || has_initialiser(s);
}

/* Whether the first extent of an array is known: of a variable, or of a member.  Members of no or one element that
 * stand last are mostly the beginning of more. */
static bool has_first_extent(const node *base, const type *t) {
    int64_t extent;
    if (base->kind == N_NAME) return !base->symbol->is_parameter && knows_extent(base->symbol);
    const node *upper = t->array->child[2];
    return upper && (!constant_value(upper, &extent) || extent > 1);
}

/* Whether n has the value that it had as the function began. */
static bool is_unchanged(const node *n) {
    if (n->kind == N_CONSTANT) return true;
    if (n->kind == N_NAME)
        return n->symbol && (n->symbol->kind == SYMBOL_ENUMERATOR ||
                             (n->symbol->kind == SYMBOL_VARIABLE && n->symbol->is_parameter && !n->symbol->array &&
                              n->symbol->assignments == 0));
    if (n->kind != N_BINARY && n->kind != N_PAREN) return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_unchanged(n->child[c])) return false;
    return true;
}

/* Whether a parameter's declaration says how many elements there are: it still points to the first. */
static bool has_declared_extent(const node *base, const type *t) {
    int64_t extent;
    const symbol *s = base->kind == N_NAME ? base->symbol : NULL;
    const node *lower = t->kind == TYPE_ARRAY ? t->array->child[1] : NULL;
    const node *upper = t->kind == TYPE_ARRAY ? t->array->child[2] : NULL;
    return s && s->is_parameter && s->assignments == 0 && upper && is_unchanged(upper) &&
           (!lower || is_unchanged(lower)) && (lower || !constant_value(upper, &extent) || extent > 1);
}

/* Whether n has one value however often it is evaluated. */
static bool is_steady(const node *n) {
    if (n->kind == N_NAME || n->kind == N_CONSTANT) return true;
    const bool sign = n->kind == N_UNARY && strchr("+-~!*", n->op[0]) && !n->op[1];
    if (n->kind != N_BINARY && n->kind != N_PAREN && n->kind != N_MEMBER && n->kind != N_INDEX && !sign) return false;
    for (size_t c = 0; c < n->count; c++)
        if (!is_steady(n->child[c])) return false;
    return true;
}

/* Constants are compared as the program is translated. */
static bool is_digits(const char *at) {
    return at[strspn(at, "0123456789")] == '\0';
}

/* The type of the base, or of its elements with d subscripts. */
static const type *type_of_dimension(const node *base, int d) {
    const type *t = base->kind == N_NAME ? base->symbol->type : base->type;
    for (int k = 0; t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && k < d; k++) t = t->of;
    return t;
}

/* Whether the text of a name is another one: of what reduction(...) names each process has a part, of as many elements.
 */
static bool is_part(emitter *e, const node *base) {
    return base->kind == N_NAME && strcmp(base_text(e, (node *)base), base->name) != 0;
}

/* The number of elements along dimension d. */
static const char *count_text(emitter *e, const node *base, const type *t, int d) {
    int64_t extent, first = 1;
    node *lower = t->array->child[1], *upper = t->array->child[2];
    text row;
    if (upper && constant_value(upper, &extent) && (!lower || constant_value(lower, &first)))
        return arena_format(e->memory, "%lld", (long long)(extent - first + 1));
    if (d == 0 && base->kind == N_NAME && base->symbol->is_parameter)
        return arena_format(e->memory, lower ? "%s - %s + 1" : "%s", parenthesise(e, emit_node(e, upper)),
                            lower ? parenthesise(e, emit_node(e, lower)) : "");
    text_start(&row, e->memory);
    text_add(&row, base->kind == N_NAME ? base->name : base_text(e, (node *)base));
    for (int k = 0; k < d; k++) text_add(&row, "[0]");
    return arena_format(e->memory, "DPC_COUNT(%s)", text_of(&row));
}

static bool is_comparable(emitter *e, const node *n, const node *base) {
    if (!e->p->check_all || e->serial || is_unevaluated(n)) return false;
    if (base->kind == N_NAME) return base->symbol && base->symbol->kind == SYMBOL_VARIABLE && !base->symbol->array;
    return base->kind == N_MEMBER && base->type;
}

/* What a subscript is compared with. */
typedef enum { WITH_NOTHING, WITH_EXTENT, WITH_BLOCK, WITH_BOTH } comparand;

static comparand comparand_of(emitter *e, const node *n, const node *base, int d, int count) {
    if (!is_comparable(e, n, base)) return WITH_NOTHING;
    const type *t = type_of_dimension(base, d), *whole = type_of_dimension(base, count);
    if (!t || !whole) return WITH_NOTHING;
    if (t->kind == TYPE_ARRAY && (d > 0 ? t->array->child[2] != NULL : has_first_extent(base, t))) return WITH_EXTENT;
    if (is_part(e, base)) return t->kind == TYPE_ARRAY && t->array->child[2] ? WITH_EXTENT : WITH_NOTHING;
    const bool points = t->kind == TYPE_POINTER || (t->kind == TYPE_ARRAY && d == 0 && base->kind == N_NAME);
    const bool declared = d == 0 && has_declared_extent(base, t);
    if (!points || (d > 0 && t->kind != TYPE_POINTER) || lower_bound(e, base, d) || !is_steady(n))
        return declared ? WITH_EXTENT : WITH_NOTHING;
    return declared ? WITH_BOTH : WITH_BLOCK;
}

static const char *name_text(const emitter *e, const node *base) {
    return escaped(e, ast_quote(e->memory, e->p->source, base));
}

static const char *lower_text(emitter *e, const node *base, int d) {
    const char *lower = lower_bound(e, base, d);
    return lower ? lower : "0";
}

/* A call that compares a subscript: `inside`, the variable that says that it need not; NULL: there is none. */
static const char *comparison_of(emitter *e, const char *function, const char *inside, const char *arguments) {
    if (!inside) return arena_format(e->memory, "%s(%s)", function, arguments);
    return arena_format(e->memory, "%s_unless(%s, %s)", function, inside, arguments);
}

static const char *within_extent(emitter *e, node *n, const node *base, int d, const type *t, const char *at) {
    const char *bounds = arena_format(e->memory, "%s, %s", lower_text(e, base, d), count_text(e, base, t, d));
    const char *inside = inside_loops(e, n, base, d, false, "dpc_ends_inside", bounds);
    if (inside && !strcmp(inside, "true")) return at;
    return comparison_of(
        e, "dpc_within", inside,
        arena_format(e->memory, "%s, \"%s\", %d, %s, %s", place_literal(e, n), name_text(e, base), d, at, bounds));
}

const char *compared_subscript(emitter *e, node *n, const node *base, int d, int count, const char *row,
                               const char *at) {
    const comparand with = is_inside_before(e, n) ? WITH_NOTHING : comparand_of(e, n, base, d, count);
    const type *t = with == WITH_NOTHING ? NULL : type_of_dimension(base, d);
    if (!t || (t->kind == TYPE_ARRAY && is_digits(at) && base->kind == N_NAME)) return at;
    if (with != WITH_BLOCK) at = within_extent(e, n, base, d, t, at);
    if (with == WITH_EXTENT) return at;
    const bool known = d == 0 && base->kind == N_NAME;
    const char *block = arena_format(e->memory, "(const void *)%s, sizeof *%s", row, row);
    return comparison_of(e, "dpc_within_block",
                         known ? inside_loops(e, n, base, d, true, "dpc_ends_inside_block", block) : NULL,
                         arena_format(e->memory, "%s, \"%s\", %d, (const void *)%s, %s, sizeof *%s",
                                      place_literal(e, n), name_text(e, base), d, row, at, row));
}

/* Whether constants are within constant bounds from 0 on. */
static bool are_inside(emitter *e, const node *base, const type *t, int d, const linear *low, const linear *high) {
    int64_t least, most, extent;
    const node *upper = t->array->child[2];
    return !lower_bound(e, base, d) && upper && constant_value(upper, &extent) && linear_value(low, &least) &&
           linear_value(high, &most) && least >= 0 && most < extent;
}

static const char *ends_within(emitter *e, const node *n, const node *base, int d, const type *t, const char *ends) {
    return arena_format(e->memory, "dpc_ends_within(%s, \"%s\", %d, %s, %s, %s)", place_literal(e, n),
                        name_text(e, base), d, ends, lower_text(e, base, d), count_text(e, base, t, d));
}

const char *compared_ends(emitter *e, const node *n, const node *base, int d, int count, const char *any,
                          const linear *low, const linear *high) {
    const comparand with = comparand_of(e, n, base, d, count);
    const type *t = with == WITH_NOTHING ? NULL : type_of_dimension(base, d);
    if (!t || (with == WITH_EXTENT && are_inside(e, base, t, d, low, high))) return "";
    const char *ends = arena_format(e->memory, "%s, %s, %s", any, linear_words(e, low), linear_words(e, high));
    if (with == WITH_EXTENT) return ends_within(e, n, base, d, t, ends);
    if (d > 0) return NULL;
    const char *row = base_text(e, (node *)base);
    const char *extent = with == WITH_BOTH ? arena_format(e->memory, "%s, ", ends_within(e, n, base, d, t, ends)) : "";
    return arena_format(e->memory, "%sdpc_ends_within_block(%s, \"%s\", %d, (const void *)%s, %s, sizeof *%s)", extent,
                        place_literal(e, n), name_text(e, base), d, row, ends, row);
}

static bool is_kind_of_type(const node *n, type_kind kind) {
    const type *t = n->kind == N_NAME && n->symbol ? n->symbol->type : n->type;
    return t && t->kind == kind;
}

/* Whether n is what a subscript may follow, and has one value. */
static bool is_steady_base(emitter *e, node *n) {
    if (n->kind == N_NAME && (!n->symbol || n->symbol->kind != SYMBOL_VARIABLE || n->symbol->array)) return false;
    if ((n->kind != N_NAME && n->kind != N_MEMBER) || !is_steady(n) || lower_bound(e, n, 0)) return false;
    return is_kind_of_type(n, TYPE_POINTER) || is_kind_of_type(n, TYPE_ARRAY);
}

/* *(p + k), *(k + p) and *(p - k) are p[k] and p[-k]: where p + k is memory of something else, p tells. */
static bool rewrite_offset(emitter *e, node *n) {
    node *sum = inside_parentheses(n->child[0]);
    if (sum->kind != N_BINARY || (strcmp(sum->op, "+") != 0 && strcmp(sum->op, "-") != 0)) return false;
    const bool second = sum->op[0] == '+' && is_steady_base(e, inside_parentheses(sum->child[1]));
    node *base = inside_parentheses(sum->child[second]), *offset = sum->child[!second];
    if (!is_steady_base(e, base) || !is_kind_of_type(offset, TYPE_ARITHMETIC)) return false;
    const char *row = base_text(e, base);
    const char *at =
        arena_format(e->memory, "%s%s", sum->op[0] == '-' ? "-(long)" : "", parenthesise(e, emit_node(e, offset)));
    replace(e, n,
            arena_format(e->memory, "%s[dpc_within_block(%s, \"%s\", 0, (const void *)%s, %s, sizeof *%s)]", row,
                         place_literal(e, n), name_text(e, base), row, at, row));
    return true;
}

void rewrite_pointed(emitter *e, node *n) {
    const type *t = n->child[0]->type;
    if (!e->p->check_all || e->serial || is_unevaluated(n) || !t || t->kind != TYPE_POINTER ||
        t->of->kind == TYPE_FUNCTION || t->of->kind == TYPE_VOID || rewrite_offset(e, n))
        return;
    replace(e, n,
            arena_format(e->memory, "*DPC_IN_BLOCK(%s, \"%s\", %s)", place_literal(e, n),
                         escaped(e, ast_quote(e->memory, e->p->source, n)), emit_node(e, n->child[0])));
}

/* Whether a variable of a function stays where it is: it is static, or main's own. */
static bool stays_in_function(const emitter *e, const symbol *s) {
    const node *n = s->declaration;
    if (!n || n->kind != N_DECLARATION || !n->parent || n->parent->kind != N_COMPOUND) return false;
    if (s->is_static) return true;
    const node *function = n->parent->parent;
    const node *name = function->kind == N_FUNCTION_DEFINITION ? declared_name(function->child[1]) : NULL;
    return name && !strcmp(name->name, "main") && !is_register(e, s);
}

/* Objects of functions that stay are noted where they are declared. */
void note_objects(emitter *e, const node *declaration) {
    const char *indent = indentation(e, declaration);
    if (!e->p->check_all || e->serial || e->current) return;
    for (size_t c = 1; c < declaration->count; c++) {
        const node *name = declared_name(declaration->child[c]);
        const symbol *s = name ? name->symbol : NULL;
        if (!s || s->kind != SYMBOL_VARIABLE || s->file_scope || s->is_extern || s->array || !s->type ||
            !stays_in_function(e, s) || (s->type->kind != TYPE_RECORD && s->type->kind != TYPE_ARRAY))
            continue;
        edit *behind = edit_of(e, declaration->last);
        behind->after =
            arena_format(e->memory, "%s\n%sDPC_NOTE(%s);", behind->after ? behind->after : "", indent, s->name);
    }
}

/* What has a name in the file, and an extent, is a block that pointers point into. */
const char *register_memory_text(emitter *e) {
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < e->p->symbol_count; k++) {
        const symbol *s = e->p->symbols[k];
        if (s->kind != SYMBOL_VARIABLE || !s->file_scope || s->is_extern || s->array || !s->type || !s->declarator ||
            s->declarator->made)
            continue;
        if (s->type->kind == TYPE_RECORD || (s->type->kind == TYPE_ARRAY && knows_extent(s)))
            text_format(&out, "    dpc_note_memory((const void *)&%s, sizeof %s);\n", s->name, s->name);
    }
    if (out.length == 0) return "";
    return arena_format(e->memory, "\n__attribute__((constructor)) static void \1register_memory(void) {\n%s}\n",
                        text_of(&out));
}
