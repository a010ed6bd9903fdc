/* Loops of stencils, as functions of their own before the function that their statement stands in:
 *
 *     static void loops_8(double *restrict V, dpc_index V_row, const double *restrict U, dpc_index U_row, long i_first,
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
    const char *ctype, *name;
    const array *pointer, *size; /* the array of which it is the pointer, or a size in the pointer's type, */
    const char *argument;        /*   which the call has in this form */
    code *declaration;           /* which knows whether the loops use it */
    int index;                   /* first or last value of this index, or -1: a variable of the same name is passed */
    const char *end;
} parameter;

/* A function that is being made: its code is open. */
typedef struct {
    emitter *e;
    const parallel *s;
    const char *name;
    parameter *parameter; /* in the order of the declaration */
    size_t count, capacity;
    bool boxes; /* of the call: it stands in a loop over boxes, or `box` is there */
} signature;

static void add_range_end(signature *f, int index, const char *end, const char *name) {
    for (size_t k = 0; k < f->count; k++)
        if (!strcmp(f->parameter[k].name, name)) return;
    const parameter x = {
        .ctype = "long ", .name = name, .declaration = emit_parameter(f->e, name), .index = index, .end = end};
    vector_add(f->e->memory, f->parameter, f->count, f->capacity, x);
}

static void add_parameter(signature *f, const char *ctype, const char *name) {
    const size_t before = f->count;
    add_range_end(f, -1, NULL, name);
    if (f->count > before) f->parameter[before].ctype = ctype;
}

/* What the function sees of a name: file scope, or a copy of a variable's value. */
static void add_name(signature *f, const symbol *x) {
    if (!x || x->file_scope || x->array) return;
    for (int k = 0; k < f->s->indices; k++)
        if (f->s->index[k].symbol == x) return;
    add_parameter(f, arena_format(f->e->memory, "%s ", value_ctype(x->type)), x->name);
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

static void add_pointer(signature *f, const reference *r, bool stored) {
    emitter *e = f->e;
    const array *a = r->array;
    const size_t before = f->count;
    for (int d = 1; d < a->rank; d++) add_parameter(f, "dpc_index ", declared_size(e, a, d));
    for (size_t k = before; k < f->count; k++) {
        f->parameter[k].size = a;
        f->parameter[k].argument = size_text(e, a, 1 + (int)(k - before));
    }
    const size_t at = f->count;
    add_parameter(f, pointer_text(e, f->s, a, stored, true), a->symbol->name);
    if (f->count > at) f->parameter[at].pointer = a;
}

static void add_range(signature *f, int k, const char *end) {
    add_range_end(f, k, end, index_name(f->e->p, f->s, k, end));
}

/* What the loops take from subscripts to get local indices. */
static void add_shift(signature *f, int k) {
    program *p = f->e->p;
    const size_t before = f->count;
    add_parameter(f, "dpc_index ", index_name(p, f->s, k, "shift"));
    if (f->count > before)
        f->parameter[before].argument = arena_format(f->e->memory, "%s.shift", index_name(p, f->s, k, "run"));
}

/* Everything that the loops may use. */
static void find_signature(signature *f) {
    const parallel *s = f->s;
    emitter *e = f->e;
    add_pointer(f, &s->left, true);
    for (size_t k = 0; k < s->references; k++) add_pointer(f, &s->reference[k], false);
    for (int d = 0; d < s->left.rank; d++)
        if (s->left.subscript[d].kind == SUBSCRIPT_INVARIANT)
            add_parameter(f, "dpc_index ", declared_at(e, &s->left, d));
    for (int k = 0; k < s->indices; k++) add_shift(f, k);
    for (int k = 0; k < s->indices; k++) {
        add_range(f, k, "first");
        add_range(f, k, "last");
    }
    if (s->member) add_names(f, s->member);
    add_names(f, s->value);
    add_subscripts(f, &s->left);
    for (size_t k = 0; k < s->references; k++) add_subscripts(f, &s->reference[k]);
}

/* ---- The function and its call */

/* The first or last value of an index, as the call has it. */
static const char *end_text(const signature *f, int k, const char *end) {
    emitter *e = f->e;
    const parallel *s = f->s;
    if (f->boxes && is_single_run(s, k)) return arena_format(e->memory, "\1box.%s[%d]", end, k);
    if (!is_own_interval(s, k)) return arena_format(e->memory, "%s.%s", name_of(e, s, k, "run"), end);
    use_name(e, index_name(e->p, s, k, "first"));
    return index_name(e->p, s, k, end);
}

static const char *argument_text(const signature *f, const parameter *x) {
    if (x->index >= 0) return end_text(f, x->index, x->end);
    if (x->argument) return made_text(f->e, x->argument);
    use_name(f->e, x->name);
    return x->name;
}

/* Whether the loops use it, or the pointer whose type mentions it. */
static bool is_passed(const signature *f, const parameter *x) {
    for (size_t k = 0; x->size && k < f->count; k++)
        if (f->parameter[k].pointer == x->size) return is_declaration_used(f->parameter[k].declaration);
    return is_declaration_used(x->declaration);
}

/* The parameters that the loops use, or the call's arguments for them. */
static const char *list_text(const signature *f, bool arguments) {
    text out;
    int count = 0;
    text_start(&out, f->e->memory);
    for (size_t k = 0; k < f->count; k++) {
        const parameter *x = &f->parameter[k];
        if (!is_passed(f, x)) continue;
        text_format(&out, "%s%s%s", count++ ? ", " : "", arguments ? "" : x->ctype,
                    arguments    ? argument_text(f, x)
                    : x->pointer ? ""
                                 : x->name);
    }
    return text_of(&out);
}

/* The body of the function, whose code is open. */
static void emit_loops(const body *b, emit_inside inside) {
    emitter *e = b->e;
    body other = *b;
    other.function = true;
    e->inside = &other;
    code *around = open_loops(&other, -1);
    inside(&other);
    close_block(e, around);
    e->inside = NULL;
}

/* Places the function. */
static void make_function(const body *b, emit_inside inside, signature *f) {
    emitter *e = b->e;
    const node *n = b->s->node;
    code *around = begin_function(e);
    f->name = unique_name(e->p, arena_format(e->kept, "loops_%d", e->p->source->tokens[n->first].line));
    find_signature(f);
    emit_loops(b, inside);
    const char *loops = end_code(e, around);
    place_function(e, n,
                   arena_format(e->memory, "/* The loops of %s. */\nstatic void %s(%s) {\n%s}", place_of(e->p, n),
                                f->name, list_text(f, false), loops));
}

/* That of the statement: a tiled loop calls it in its tiles, and in the ordinary way. */
static signature *function_of(const body *b, emit_inside inside) {
    emitter *e = b->e;
    signature *f = table_at(&e->outlined, b->s);
    if (f) return f;
    f = arena_alloc(e->memory, sizeof *f);
    *f = (signature){.e = e, .s = b->s};
    make_function(b, inside, f);
    if (tiling_at(e->p, statement_around(b->s->node))) table_put(e->kept, &e->outlined, b->s, f);
    return f;
}

void emit_outline(body *b, emit_inside inside) {
    emitter *e = b->e;
    signature *f = function_of(b, inside);
    code *around = e->at;
    b->boxes = f->boxes = b->part || execution_of(b->s, -1)->interior_first;
    if (b->boxes && !b->part) open_box_loop(e, b->s, true);
    open_guard(e, ownership_text(b));
    open_run_loops(b, -1);
    b->boxes = false;
    emit_line(e, "%s(%s);", f->name, list_text(f, true));
    close_block(e, around);
}
