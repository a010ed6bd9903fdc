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

/* ---- Which statements */

/* Elements from where reference t reads to where r does along dimension d; false: not a constant. */
static bool beyond_in(emitter *e, const reference *r, const reference *t, int d, int64_t *elements) {
    const subscript *u = &r->subscript[d], *v = &t->subscript[d];
    if (u->kind != v->kind || u->kind == SUBSCRIPT_GENERAL) return false;
    if (u->kind == SUBSCRIPT_AFFINE && (u->index != v->index || !linear_equal(&u->stride, &v->stride))) return false;
    if (may_be_distributed(r->array, d)) {
        *elements =
            (r->relation == RELATION_SHIFT ? r->distance[d] : 0) - (t->relation == RELATION_SHIFT ? t->distance[d] : 0);
        return true;
    }
    const linear beyond = linear_subtract(e->memory, u->offset, v->offset);
    *elements = beyond.constant;
    return linear_is_constant(&beyond);
}

/* Whether iterations of index k read with r what others read with t. */
static bool meets_along(emitter *e, const reference *r, const reference *t, int k) {
    bool along = false;
    if (r->array != t->array) return false;
    for (int d = 0; d < r->rank; d++) {
        int64_t elements;
        if (!beyond_in(e, r, t, d, &elements)) return false;
        if (elements == 0) continue;
        if (r->subscript[d].kind != SUBSCRIPT_AFFINE || r->subscript[d].index != k) return false;
        along = true;
    }
    return along;
}

static bool reads_again(emitter *e, const parallel *s) {
    for (size_t j = 0; j < s->references; j++)
        for (size_t m = 0; m < j; m++)
            if (s->reference[j].array && s->reference[j].array != s->left.array &&
                meets_along(e, &s->reference[j], &s->reference[m], s->indices - 1))
                return true;
    return false;
}

/* Loops over runs that store one array and read others in place. */
static bool has_plain_loops(const parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->home != HOME_LEFT || s->scatter || s->values_first || s->ordered)
        return false;
    if (s->chain || s->product || s->tiled || s->calls_unknown || s->masks > 0 || s->reductions > 0 || s->ends > 0)
        return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular || is_strided(s, k) || !linear_is_constant(&s->index[k].stride)) return false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!is_in_place(r) || r->array->dynamic || (r->cycles > 0 && r->turn != ALL_TURNS)) return false;
    }
    return true;
}

/* ---- Parameters */

typedef struct {
    const char *ctype, *name, *argument;
} parameter;

typedef struct {
    emitter *e;
    const parallel *s;
    bool local[MAX_RANK]; /* the index is home's local one: the statement uses it in subscripts only */
    parameter *parameter; /* in the order of the declaration */
    size_t count, capacity;
} signature;

static void add_parameter(signature *f, const char *ctype, const char *name, const char *argument) {
    for (size_t k = 0; k < f->count; k++)
        if (!strcmp(f->parameter[k].name, name)) return;
    const parameter x = {ctype, name, argument};
    vector_add(f->e->memory, f->parameter, f->count, f->capacity, x);
}

static bool is_index(const parallel *s, const symbol *x) {
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].symbol == x) return true;
    return false;
}

/* Whether a name that the program does not declare means the same in another function: not __func__, nor what is called
 * and not known, which may be a macro with __func__ in it. */
static bool is_free_of_function(const node *n) {
    const bool called = n->parent && n->parent->kind == N_CALL && n->parent->child[0] == n;
    return strncmp(n->name, "__", 2) != 0 && (!called || n->parent->type);
}

/* What the function sees of a name: file scope, or a copy of a variable's value. */
static bool add_name(signature *f, const node *n) {
    const symbol *x = n->symbol;
    if (!x) return is_free_of_function(n);
    if (x->file_scope || x->array || is_index(f->s, x)) return true;
    const char *ctype = x->kind == SYMBOL_VARIABLE ? value_ctype(x->type, NULL) : NULL;
    if (ctype) add_parameter(f, arena_format(f->e->memory, "%s ", ctype), x->name, x->name);
    return ctype != NULL;
}

/* Adds what an expression needs; false: it cannot stand in another function. */
static bool add_names(signature *f, const node *n) {
    switch ((int)n->kind) {
    case N_NAME:
    case N_TYPEDEF_REFERENCE:
        if (!add_name(f, n)) return false;
        break;
    case N_STATEMENT_EXPRESSION:
    case N_COMPOUND_LITERAL:
    case N_GENERIC:
    case N_STRUCT:
    case N_ENUM:
    case N_TYPEOF:
    case N_ASSIGN:
    case N_POSTFIX:
        return false;
    case N_SIZEOF:
        if (n->child[0]->kind != N_TYPE_NAME) return false;
        break;
    case N_UNARY:
        if (!strcmp(n->op, "&") || !strcmp(n->op, "++") || !strcmp(n->op, "--") || !strcmp(n->op, "&&")) return false;
        break;
    default:
        break;
    }
    if (n->replacement) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !add_names(f, n->child[c])) return false;
    return true;
}

/* The variables in a subscript or a declared bound. */
static bool add_linear(signature *f, const linear *x) {
    for (int t = 0; t < x->terms; t++)
        if (!x->term[t].node || !add_names(f, x->term[t].node)) return false;
    return true;
}

static bool add_subscripts(signature *f, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL || !add_linear(f, &u->stride) || !add_linear(f, &u->offset)) return false;
        if (!may_be_distributed(r->array, d) && !linear_is_constant(&r->array->lower[d])) return false;
    }
    return true;
}

static void add_array(signature *f, const reference *r, bool stored) {
    emitter *e = f->e;
    const array *a = r->array;
    const char *ctype = arena_format(e->memory, "%s%s *%s", stored ? "" : "const ", element_spelling(a->element),
                                     restrict_word(e, f->s, a));
    add_parameter(f, ctype, a->symbol->name, a->symbol->name);
    for (int d = 0; d < a->rank - 1; d++) add_parameter(f, "dpc_index ", stride_name(e, a, d), stride_name(e, a, d));
}

/* Whether an expression uses an index elsewhere than in subscripts of distributed arrays. */
static bool uses_value(const parallel *s, const node *n, const symbol *index) {
    if (n->kind == N_NAME && n->symbol == index) return true;
    if (reference_at(s, n)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && uses_value(s, n->child[c], index)) return true;
    return false;
}

static bool is_local(const parallel *s, int k) {
    const int d = home_dimension(&s->left, k);
    if (d < 0 || !may_be_distributed(s->left.array, d) || !linear_is(&s->left.subscript[d].stride, 1)) return false;
    for (size_t j = 0; j < s->references; j++)
        for (int c = 0; c < s->reference[j].rank; c++) {
            const subscript *u = &s->reference[j].subscript[c];
            if (u->kind == SUBSCRIPT_AFFINE && u->index == k && !may_be_distributed(s->reference[j].array, c))
                return false;
        }
    return !s->index[k].symbol || !uses_value(s, s->value, s->index[k].symbol);
}

static void add_range(signature *f, int k, const char *end) {
    emitter *e = f->e;
    const bool box = in_boxes(e, f->s, -1) && is_single_run(f->s, k);
    const char *from = box ? arena_format(e->memory, "\1box.%s[%d]", end, k)
                           : arena_format(e->memory, "%s.%s", name_of(e, f->s, k, "run"), end);
    if (f->local[k]) from = local_bound(e, f->s, k, from);
    add_parameter(f, "long ", name_of(e, f->s, k, end), from);
}

/* Everything that the loops may use; false: they must stand in place. */
static bool find_signature(signature *f) {
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
        f->local[k] = is_local(s, k);
        add_range(f, k, "first");
        add_range(f, k, "last");
    }
    if (!add_names(f, s->value) || !add_subscripts(f, &s->left)) return false;
    for (size_t k = 0; k < s->references; k++)
        if (!add_subscripts(f, &s->reference[k])) return false;
    return true;
}

bool is_sweep(emitter *e, const parallel *s) {
    signature f = {.e = e, .s = s};
    if (e->options->openmp || !has_plain_loops(s) || !*restrict_word(e, s, s->left.array)) return false;
    return reads_again(e, s) && find_signature(&f);
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

static const char *sweep_loops(body *b, const signature *f, emit_inside inside) {
    text loops;
    body other = *b;
    text_start(&loops, b->e->memory);
    other.out = &loops;
    b->e->in_sweep = true;
    b->e->local_index = f->local;
    const char *deep = open_loops(b->e, &loops, b->s, -1, "    ");
    inside(&other, deep);
    close_loops(b->e, &loops, b->s, -1, "    ");
    b->e->in_sweep = false;
    b->e->local_index = NULL;
    return text_of(&loops);
}

void emit_sweep(body *b, emit_inside inside, const char *indent) {
    emitter *e = b->e;
    signature f = {.e = e, .s = b->s};
    find_signature(&f);
    const int line = e->p->source->tokens[b->s->node->first].where.line;
    const char *name = unique_name(e->p, arena_format(e->memory, "sweep_%d", line)),
               *loops = sweep_loops(b, &f, inside);
    place_function(e, b->s->node,
                   arena_format(e->memory, "/* The loops of %s. */\nstatic void %s(%s) {\n%s}",
                                place_of(e->p, b->s->node), name, list_text(&f, loops, false), loops));
    const bool boxes = in_boxes(e, b->s, -1);
    if (boxes) emit_boxes(e, b->out, b->s, "", indent);
    const char *outer = boxes ? deeper(e, indent) : indent;
    e->boxes = boxes;
    const char *inner = open_run_loops(e, b->out, b->s, -1, outer);
    e->boxes = false;
    text_format(b->out, "%s%s(%s);\n", inner, name, list_text(&f, loops, true));
    close_braces(e, b->out, run_loops(b->s), outer);
}
