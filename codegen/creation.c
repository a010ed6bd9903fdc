/* What creates distributed arrays and grids in the SPMD program: formats, grids, alignments and ghost cells as
 * arguments. */
#include <string.h>

#include "emitter.h"

/* A block size that is no constant may read elements: it is an expression like any other.  NULL: none is given. */
static const char *block_text(emitter *e, const mapping *m, int d) {
    node *n = block_expression(m, d);
    const linear *block = written_block(m, d);
    return n ? expression(e, n) : block ? linear_words(e, block) : NULL;
}

/* Block sizes: the vector, and how many entries it has, as far as its type says: a parameter is a pointer. */
static const char *blocks_text(emitter *e, node *vector) {
    const char *name = expression(e, vector);
    const bool parameter = vector->kind == N_NAME && vector->symbol && vector->symbol->is_parameter;
    const bool sized = vector->type && vector->type->kind == TYPE_ARRAY && !parameter;
    const char *entries =
        sized ? arena_format(e->memory, "sizeof %s / sizeof *%s", parenthesise(e, name), parenthesise(e, name))
              : "LONG_MAX";
    return arena_format(e->memory, "%s, %s", name, entries);
}

/* gap, lead: per dimension, between dealt blocks and before the first element; NULL: none. */
const char *format_arguments(emitter *e, const mapping *m, int rank, const int64_t *gap, const int64_t *lead) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < rank; d++) {
        const char *block = block_sizes(m, d) ? blocks_text(e, block_sizes(m, d)) : block_text(e, m, d);
        text_format(&out, "%s%s", d ? ", " : "",
                    format_initialiser(e->memory, m, d, block, gap ? gap[d] : 0, lead ? lead[d] : 0));
    }
    return text_of(&out);
}

/* "DPC_SHAPE(N, M)": rank and bounds, of dimensions that begin with 0 where extents say it in fewer words than upper
 * bounds; NULL. */
static const char *extents_text(emitter *e, const array *a) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < a->rank; d++) {
        const linear extent = linear_add(e->memory, a->upper[d], linear_constant(1));
        const char *words = linear_words(e, &extent);
        if (!linear_is(&a->lower[d], 0) || strlen(words) > strlen(linear_words(e, &a->upper[d]))) return NULL;
        text_format(&out, "%s%s", d ? ", " : "", words);
    }
    return arena_format(e->memory, "DPC_SHAPE(%s)", text_of(&out));
}

static const char *bounds_text(emitter *e, const array *a) {
    const char *extents = extents_text(e, a);
    if (extents) return extents;
    text out;
    text_start(&out, e->memory);
    text_format(&out, "%d, DPC_BOUNDS(", a->rank);
    for (int d = 0; d < a->rank; d++)
        text_format(&out, "%s{%s, %s}", d ? ", " : "", linear_words(e, &a->lower[d]), linear_words(e, &a->upper[d]));
    text_add(&out, ")");
    return text_of(&out);
}

static const char *coordinate_text(emitter *e, node *n) {
    if (n->kind == N_STAR) return "DPC_WHOLE_DIMENSION";
    const bool range = n->kind == N_TRIPLET;
    return arena_format(e->memory, "{%s, %s}", expression(e, range ? n->child[0] : n),
                        expression(e, range ? n->child[1] : n));
}

/* Notes which function names a grid outside the lines that make file-scope arrays. */
static void note_grid(emitter *e, const grid *g, const node *directive) {
    const node *function = directive->parent == e->p->unit ? NULL : function_around(directive);
    const node *before = table_at(&e->grid_function, g);
    if (function) table_put(e->kept, &e->grid_function, g, !before || before == function ? function : e->p->unit);
}

/* Whether a grid is a variable of the lines that make file-scope arrays, which stand in `function`; NULL: in one of
 * their own. */
static bool is_made_among(const emitter *e, const grid *g, const node *function) {
    const node *named = table_at(&e->grid_function, g);
    return !named || named == function;
}

/* The grid of a mapping as an argument; a part of one is found where it is used. */
const char *grid_argument(emitter *e, const mapping *m, const node *directive) {
    const node *part = m->grid ? m->grid->part : NULL;
    if (m->grid) note_grid(e, part ? m->grid->whole : m->grid, directive);
    if (!part) return m->grid ? m->grid->variable : "NULL";
    text out;
    text_start(&out, e->memory);
    for (size_t d = 0; d < part->count; d++)
        text_format(&out, "%s%s", d ? ", " : "", coordinate_text(e, part->child[d]));
    return arena_format(e->memory, "dpc_grid_part(%s, %s, DPC_BOUNDS(%s))", place_literal(e, directive),
                        m->grid->whole->variable, text_of(&out));
}

/* What array a, NULL: one that is realigned, is aligned with, as two arguments. */
const char *alignment_argument(emitter *e, const alignment *x, const array *a) {
    text out;
    text_start(&out, e->memory);
    for (int t = 0; t < x->with->rank; t++) {
        const standing *place = &x->place[t];
        const char *separator = t ? ", " : "";
        if (place->everywhere)
            text_format(&out, "%sDPC_COPIES", separator);
        else if (place->dim < 0)
            text_format(&out, "%sDPC_HELD_AT(%s)", separator, linear_words(e, &place->offset));
        else if (a && a->lead[place->dim] > 0)
            text_format(&out, "%sDPC_ALIGN_AFTER(%lld, %d, %s, %s)", separator, (long long)a->lead[place->dim],
                        place->dim, linear_words(e, &place->stride), linear_words(e, &place->offset));
        else
            text_format(&out, "%sDPC_ALIGN(%d, %s, %s)", separator, place->dim, linear_words(e, &place->stride),
                        linear_words(e, &place->offset));
    }
    return arena_format(e->memory, "%s, (const dpc_alignment[]){%s}", x->with->address, text_of(&out));
}

static const char *width_text(emitter *e, int64_t width, const char *with, int64_t more) {
    return more > 0 ? arena_format(e->memory, "%s(%lld, %lld)", with, (long long)width, (long long)more)
                    : arena_format(e->memory, "%lld", (long long)width);
}

static const char *low_width_text(emitter *e, const array *a, int d) {
    if (a->alignment) return width_text(e, a->placed.halo_low[d], "DPC_APART", a->placed.gap[d]);
    return width_text(e, a->placed.halo_low[d], "DPC_BESIDE", a->placed.less[d]);
}

/* The widths of an array's ghost cells. */
const char *width_arguments(emitter *e, const array *a) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, "DPC_WIDTHS(");
    for (int d = 0; d < a->rank; d++)
        text_format(&out, "%sDPC_%sWIDTH(%s, %s)", d ? ", " : "", a->placed.cyclic[d] ? "CYCLIC_" : "",
                    low_width_text(e, a, d), width_text(e, a->placed.halo_high[d], "DPC_BESIDE", a->placed.more[d]));
    text_add(&out, ")");
    return text_of(&out);
}

const char *corners_text(emitter *e, const array *a) {
    const int corners = a->placed.corners;
    if (corners == 0 || corners >= a->rank) return corners == 0 ? "DPC_NO_CORNERS" : "DPC_CORNERS";
    return corners == 2 ? "DPC_EDGES" : arena_format(e->memory, "%d", corners);
}

/* The same as arguments; "": it has none. */
static const char *halo_text(emitter *e, const array *a) {
    if (!has_halo(a) && !(a->parameter && a->alignment)) return "";
    return arena_format(e->memory, ", %s, %s", width_arguments(e, a), corners_text(e, a));
}

static const char *formats_text(emitter *e, const array *a) {
    return arena_format(e->memory, "DPC_FORMATS(%s)",
                        format_arguments(e, &a->mapping, a->rank, a->placed.gap, a->lead));
}

/* The mappings that statements with an inherited parameter are compiled for. */
static const char *candidates_text(emitter *e, const array *a) {
    text out;
    text_start(&out, e->memory);
    text_format(&out, "%zu, (const dpc_candidate[]){", a->views - 1);
    for (size_t k = 1; k < a->views; k++) {
        const array *view = a->view[k];
        const char *on = grid_argument(e, &view->mapping, a->directive);
        text_format(&out, "%s{%s, %s, %s, %s}", k > 1 ? ", " : "", formats_text(e, view), on,
                    has_halo(view) ? width_arguments(e, view) : "NULL", corners_text(e, view));
    }
    text_format(&out, "}, %s", a->elsewhere ? "true" : "false");
    return text_of(&out);
}

/* Where an array stands, as two arguments: formats and grid, or what it is aligned with; of an inherited parameter,
 * what it may be. */
static const char *placed_text(emitter *e, const array *a) {
    if (a->alignment) return alignment_argument(e, a->alignment, a);
    if (has_candidates(a)) return candidates_text(e, a);
    return arena_format(e->memory, "%s, %s", a->inherits ? "NULL" : formats_text(e, a),
                        grid_argument(e, &a->mapping, a->directive));
}

const char *mapped_text(emitter *e, const array *a) {
    const char *elements = a->is_template ? "" : arena_format(e->memory, "%s, ", element_enumerator(a->element));
    return arena_format(e->memory, "%s, \"%s\", %s%s, %s%s", place_literal(e, a->directive), a->symbol->name, elements,
                        bounds_text(e, a), placed_text(e, a), halo_text(e, a));
}

const char *making_function(emitter *e, const char *makes, const array *a) {
    if (has_candidates(a)) return arena_format(e->memory, "%s_one_of", makes);
    return arena_format(e->memory, "%s%s%s%s", makes, a->is_template ? "_template" : "", a->alignment ? "_aligned" : "",
                        has_halo(a) && !(a->parameter && a->alignment) ? "_with_halo" : "");
}

/* Whether its formats and its grid say all about its mapping, and are no expressions. */
static bool has_plain_mapping(const array *a) {
    if (a->alignment || a->is_template || a->inherits || has_candidates(a) ||
        (a->mapping.grid && a->mapping.grid->part))
        return false;
    for (int d = 0; d < a->rank; d++)
        if (block_sizes(&a->mapping, d) || block_expression(&a->mapping, d) || a->lead[d] > 0) return false;
    return true;
}

bool is_made_like(emitter *e, const array *a, const array *x) {
    if (has_halo(a) || a->rank != x->rank || a->mapping.grid != x->mapping.grid || !has_plain_mapping(a) ||
        !has_plain_mapping(x))
        return false;
    return !strcmp(bounds_text(e, a), bounds_text(e, x)) && !strcmp(formats_text(e, a), formats_text(e, x));
}

const char *like_text(emitter *e, const array *a, const array *x) {
    return arena_format(e->memory, "%s, \"%s\", %s, %s", place_literal(e, a->directive), a->symbol->name,
                        element_enumerator(a->element), x->address);
}

/* Whether it is made where its directive stands, each time, and no other file knows it. */
static bool is_made_there(const array *a) {
    return !a->shared && !a->parameter && (a->symbol->file_scope || !a->symbol->is_static);
}

/* An array of those before it in the list that it is made like, or NULL. */
static const array *made_before(emitter *e, const array_list *made, size_t before) {
    const array *a = made->array[before];
    for (size_t k = 0; k < before && is_made_there(a); k++)
        if (is_made_there(made->array[k]) && is_made_like(e, a, made->array[k])) return made->array[k];
    return NULL;
}

void create_array(emitter *e, text *out, const array_list *made, size_t k, const char *indent) {
    const array *a = made->array[k], *like = made_before(e, made, k);
    if (like)
        text_format(out, "%sdpc_create_like(&%s, %s);\n", indent, a->descriptor, like_text(e, a, like));
    else
        text_format(out, "%s%s(&%s, %s);\n", indent, making_function(e, a->shared ? "dpc_declare" : "dpc_create", a),
                    a->descriptor, mapped_text(e, a));
    if (a->init)
        text_format(out, "%sdpc_fill(&%s, &(%s){%s});\n", indent, a->descriptor, element_spelling(a->element),
                    expression(e, a->init));
}

static const char *grid_extent_text(emitter *e, const grid *g, int d) {
    return g->extent[d] ? expression(e, g->extent[d]) : "DPC_CHOSEN";
}

static void create_grid(emitter *e, text *out, const grid *g, const char *type_text, const char *indent) {
    text_format(out, "%s", indent);
    if (g->used) text_format(out, "%s%s = ", type_text, g->variable);
    text_format(out, "dpc_new_grid(%s, \"%s\", %d, (const dpc_index[]){", place_literal(e, g->directive),
                g->symbol->name, g->rank);
    for (int d = 0; d < g->rank; d++) text_format(out, "%s%s", d ? ", " : "", grid_extent_text(e, g, d));
    text_add(out, "});\n");
}

static void make_arrays(emitter *e, text *out, node *n, const node *function, const char *indent) {
    if (n->kind == N_PROCESSORS) {
        for (size_t k = 0; k < e->p->grid_count; k++) {
            const grid *g = e->p->grids[k];
            const bool declares = !is_in_file_scope(n) || is_made_among(e, g, function);
            if (g->directive == n) create_grid(e, out, g, declares ? "dpc_grid *" : "", indent);
        }
        return;
    }
    const array_list *arrays = arrays_of(e->p, n);
    for (size_t k = 0; k < arrays->count; k++) create_array(e, out, arrays, k, indent);
}

void creation_lines(emitter *e, text *out, node *n, const char *indent) {
    make_arrays(e, out, n, NULL, indent);
}

void declare_grids(emitter *e, node *n, const node *function) {
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < e->p->grid_count; k++) {
        const grid *g = e->p->grids[k];
        if (g->directive == n && g->used && !is_made_among(e, g, function))
            text_format(&out, "%s%s", out.length ? ", *" : "static dpc_grid *", g->variable);
    }
    const char *says = n->last > n->first + 1 ? emit_range(e, n->first + 1, n->last - 1) : "";
    replace(e, n, out.length ? arena_format(e->memory, "%s; /* #pragma dpc %s */", text_of(&out), says) : "");
}

const char *create_arrays_text(emitter *e, const node *function) {
    text out;
    text_start(&out, e->memory);
    for (size_t c = 0; c < e->p->unit->count; c++) {
        node *n = e->p->unit->child[c];
        if (n->kind == N_PROCESSORS || n->kind == N_DISTRIBUTE || n->kind == N_ALIGN)
            make_arrays(e, &out, n, function, "    ");
    }
    return text_of(&out);
}
