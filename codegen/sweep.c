/* Loops of stencils, as functions of their own before the function that their statement stands in:
 *
 *     static void sweep_8(double *restrict V, dpc_index V_row, const double *restrict U, dpc_index U_row, long i_first,
 *                         long i_last, long j_first, long j_last) {
 *         for (long i = i_first; i <= i_last; i++) {
 *             for (long j = j_first; j <= j_last; j++) {
 *                 V[i * V_row + j] = 0.25 * (U[(i - 1) * U_row + j] + ...
 *
 * gcc and clang heed `restrict` of parameters only, not of variables in blocks. Where one iteration reads elements that
 * the next one reads too, gcc keeps them in registers if it knows that the store between them changes none (predictive
 * commoning): a 9-point stencil loads 5 vectors for each one that it stores instead of 8. */
#include <string.h>

#include "spmd.h"

/* ---- Parameters */

typedef struct {
    const char *ctype, *name, *argument;
} parameter;

typedef struct {
    emitter *e;
    const parallel *s;
    parameter *parameter; /* in the order of the declaration */
    size_t count, capacity;
} signature;

static void add_parameter(signature *f, const char *ctype, const char *name, const char *argument) {
    for (size_t k = 0; k < f->count; k++)
        if (!strcmp(f->parameter[k].name, name)) return;
    const parameter x = {ctype, name, argument};
    vector_add(f->e->memory, f->parameter, f->count, f->capacity, x);
}

/* What the function sees of a name: file scope, or a copy of a variable's value. */
static void add_name(signature *f, const symbol *x) {
    if (!x || x->file_scope || x->array) return;
    for (int k = 0; k < f->s->indices; k++)
        if (f->s->index[k].symbol == x) return;
    add_parameter(f, arena_format(f->e->memory, "%s ", value_ctype(x->type)), x->name, x->name);
}

/* Adds what an expression needs. */
static void add_names(signature *f, const node *n) {
    if (n->kind == N_NAME || n->kind == N_TYPEDEF_REFERENCE) add_name(f, n->symbol);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) add_names(f, n->child[c]);
}

/* The variables in a subscript or a declared bound. */
static void add_linear(signature *f, const linear *x) {
    for (int t = 0; t < x->terms; t++) add_names(f, x->term[t].node);
}

static void add_subscripts(signature *f, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        add_linear(f, &r->subscript[d].stride);
        add_linear(f, &r->subscript[d].offset);
    }
}

static void add_array(signature *f, const reference *r, bool stored) {
    emitter *e = f->e;
    const array *a = r->array;
    const char *ctype = arena_format(e->memory, "%s%s *%s", stored ? "" : "const ", element_spelling(a->element),
                                     restrict_word(e, f->s, a));
    add_parameter(f, ctype, a->symbol->name, a->symbol->name);
    for (int d = 0; d < a->rank - 1; d++) add_parameter(f, "dpc_index ", stride_name(e, a, d), stride_name(e, a, d));
}

static void add_range(signature *f, int k, const char *end) {
    emitter *e = f->e;
    const bool box = execution_of(f->s, -1)->boxes && is_single_run(f->s, k);
    const char *from = box ? arena_format(e->memory, "\1box.%s[%d]", end, k)
                           : arena_format(e->memory, "%s.%s", name_of(e, f->s, k, "run"), end);
    if (execution_of(f->s, -1)->local[k]) from = local_bound(e, f->s, k, from);
    add_parameter(f, "long ", name_of(e, f->s, k, end), from);
}

/* Everything that the loops may use. */
static void find_signature(signature *f) {
    const parallel *s = f->s;
    emitter *e = f->e;
    add_array(f, &s->left, true);
    for (size_t k = 0; k < s->references; k++) add_array(f, &s->reference[k], false);
    for (int d = 0; d < s->left.rank; d++)
        if (s->left.subscript[d].kind == SUBSCRIPT_INVARIANT)
            add_parameter(f, "dpc_index ", owned_at(e, &s->left, d), owned_at(e, &s->left, d));
    for (int k = 0; k < s->indices; k++)
        add_parameter(f, "dpc_index ", name_of(e, s, k, "shift"), name_of(e, s, k, "shift"));
    for (int k = 0; k < s->indices; k++) {
        add_range(f, k, "first");
        add_range(f, k, "last");
    }
    add_names(f, s->value);
    add_subscripts(f, &s->left);
    for (size_t k = 0; k < s->references; k++) add_subscripts(f, &s->reference[k]);
}

/* ---- The function and its call */

/* The loops over runs around the call. */
static size_t run_loops(const parallel *s) {
    size_t count = 0;
    for (int k = 0; k < s->indices; k++) count += !is_single_run(s, k);
    return count;
}

static const char *list_text(const signature *f, const char *loops, bool arguments) {
    text out;
    int count = 0;
    text_start(&out, f->e->memory);
    for (size_t k = 0; k < f->count; k++) {
        const parameter *x = &f->parameter[k];
        if (!occurs_in(loops, x->name)) continue;
        text_format(&out, "%s%s%s", count++ ? ", " : "", arguments ? "" : x->ctype, arguments ? x->argument : x->name);
    }
    return text_of(&out);
}

static const char *sweep_loops(body *b, emit_inside inside) {
    text loops;
    body other = *b;
    text_start(&loops, b->e->memory);
    other.out = &loops;
    other.function = true;
    other.local = execution_of(b->s, -1)->local;
    b->e->inside = &other;
    const char *deep = open_loops(&other, -1, "    ");
    inside(&other, deep);
    close_loops(&other, -1, "    ");
    b->e->inside = NULL;
    return text_of(&loops);
}

void emit_sweep(body *b, emit_inside inside, const char *indent) {
    emitter *e = b->e;
    signature f = {.e = e, .s = b->s};
    find_signature(&f);
    const int line = e->p->source->tokens[b->s->node->first].where.line;
    const char *name = unique_name(e->p, arena_format(e->memory, "sweep_%d", line)), *loops = sweep_loops(b, inside);
    place_function(e, b->s->node,
                   arena_format(e->memory, "/* The loops of %s. */\nstatic void %s(%s) {\n%s}",
                                place_of(e->p, b->s->node), name, list_text(&f, loops, false), loops));
    const bool boxes = execution_of(b->s, -1)->boxes;
    if (boxes) emit_boxes(e, b->out, b->s, "", indent);
    const char *outer = boxes ? deeper(e, indent) : indent;
    b->boxes = boxes;
    const char *inner = open_run_loops(b, -1, outer);
    b->boxes = false;
    text_format(b->out, "%s%s(%s);\n", inner, name, list_text(&f, loops, true));
    close_braces(e, b->out, run_loops(b->s), outer);
}
