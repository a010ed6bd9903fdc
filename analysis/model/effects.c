/* What calls do to the state that every process holds. */
#include <string.h>

#include "model.h"
#include "types.h"

bool is_store(const node *n) {
    return n->kind == N_ASSIGN || n->kind == N_POSTFIX ||
           (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
}

const symbol *base_symbol(const node *n, bool *pointer) {
    for (;;) switch ((int)n->kind) {
        case N_NAME:
            return n->symbol;
        case N_PAREN:
            n = n->child[0];
            break;
        case N_CAST:
            n = n->child[1];
            break;
        case N_INDEX:
            *pointer = *pointer || !n->child[0]->type || n->child[0]->type->kind != TYPE_ARRAY;
            n = n->child[0];
            break;
        case N_MEMBER:
            *pointer = *pointer || !strcmp(n->op, "->");
            n = n->child[0];
            break;
        case N_UNARY:
            if (strcmp(n->op, "*") != 0) return NULL;
            *pointer = true;
            n = n->child[0];
            break;
        case N_BINARY: /* p + k */
            n = n->child[1]->type && n->child[1]->type->kind == TYPE_POINTER ? n->child[1] : n->child[0];
            break;
        default:
            return NULL;
        }
}

/* ---- What functions do */

/* Parameters beyond these count as written through. */
enum { MOST_PARAMETERS = 64, MOST_POINTERS = 4 };

/* A function that was looked through. */
typedef struct {
    const symbol *defined;
    uint64_t changes; /* the parameters that point to what it may change */
    bool done;
} looked_through;

/* The functions that were looked through, and what is known of the library's. */
typedef struct {
    const program *p;
    bool (*acts_alone)(const char *name);
    looked_through *seen;
    size_t count, capacity;
    size_t current;                       /* in `seen` */
    const symbol *through[MOST_POINTERS]; /* pointers of which it is asked what they point to */
    int depth;
} search;

static const char *effect_within(search *x, const symbol *f, size_t *at);

/* Functions of the C library that change what their first argument points to, and those that change what any does. */
static const char *const writers = " memcpy memmove memset strcpy strncpy strcat strncat sprintf snprintf free qsort ";
static const char *const fillers =
    " frexp frexpf frexpl modf modff modfl remquo remquof remquol sincos sincosf sincosl rand_r erand48 nrand48 "
    "jrand48 "
    "lgamma_r lgammaf_r lgammal_r strtol strtoul strtoll strtoull strtod strtof strtold sscanf ";

bool library_changes(const char *name, size_t k) {
    return is_listed(fillers, name) || (k == 0 && is_listed(writers, name));
}

/* The argument that is the function which a function of the library calls; NULL: none. */
static const node *called_back(const node *call) {
    const node *f = inside_parentheses(call->child[0]);
    if (f->kind != N_NAME || f->symbol) return NULL;
    const size_t k = !strcmp(f->name, "qsort") ? 4 : !strcmp(f->name, "bsearch") ? 5 : 0;
    if (k == 0 || k >= call->count) return NULL;
    const node *n = call->child[k];
    while (n->kind == N_PAREN || n->kind == N_CAST || (n->kind == N_UNARY && n->op[0] == '&'))
        n = n->child[n->kind == N_CAST];
    return n;
}

static bool is_array_value(const node *n) {
    const bool parameter = n->kind == N_NAME && n->symbol && n->symbol->is_parameter;
    return n->type && n->type->kind == TYPE_ARRAY && !parameter;
}

static const char *effect_of_change(search *x, const node *n, int followed);

/* Through a pointer of the function's own: it is in order where all that it ever points to is. */
static const char *effect_through(search *x, const symbol *s) {
    enum { MOST_ASSIGNMENTS = 8 };
    const node *declared = s->declarator;
    while (declared && declared->kind != N_INIT_DECLARATOR && declared->kind != N_PARAMETER)
        declared = declared->parent;
    const node *first =
        declared && declared->kind == N_INIT_DECLARATOR && declared->count > 1 ? declared->child[1] : NULL;
    const char *unknown = arena_format(x->p->memory, "assigns what '%s' points to", s->name);
    if (!s->type || s->type->kind != TYPE_POINTER || s->assignments > MOST_ASSIGNMENTS) return unknown;
    const char *effect = first ? effect_of_change(x, first, 1) : NULL;
    for (size_t k = 0; k < s->assignments && !effect; k++) {
        const node *n = s->assignment[k]->parent;
        while (n && n->kind == N_PAREN) n = n->parent;
        if (!n || !is_store(n)) return unknown;
        if (n->kind == N_ASSIGN && !strcmp(n->op, "=")) effect = effect_of_change(x, n->child[1], 1);
    }
    return effect;
}

/* What it means that a function changes a variable, or what is found by following so many pointers from it. */
static const char *effect_on(search *x, const symbol *s, int followed) {
    if (!s || s->kind != SYMBOL_VARIABLE) return "assigns what a pointer leads to";
    const symbol *f = x->seen[x->current].defined;
    if (s->file_scope || s->is_static || s->is_extern || !node_holds(f->declaration, s->declarator))
        return arena_format(x->p->memory, "assigns '%s', which every process holds", s->name);
    if (followed <= 0) return NULL;
    for (int k = 0; k < x->depth; k++)
        if (x->through[k] == s && followed == 1) return NULL;
    if (followed > 1 || x->depth == MOST_POINTERS)
        return arena_format(x->p->memory, "assigns what '%s' leads to", s->name);
    for (size_t k = 0; k < MOST_PARAMETERS && k < parameter_count(f); k++)
        if (parameter_of(f, k) == s) x->seen[x->current].changes |= UINT64_C(1) << k;
    if (s->is_parameter && s->assignments == 0) return NULL;
    x->through[x->depth++] = s;
    const char *effect = effect_through(x, s);
    x->depth--;
    return effect;
}

/* That of changing n, an object, or what is found by following pointers from a value. */
static const char *effect_of_change(search *x, const node *n, int followed) {
    bool decays = followed > 0;
    for (;;) {
        while (n->kind == N_PAREN) n = n->child[0];
        if (decays && is_array_value(n)) followed--;
        decays = false;
        switch ((int)n->kind) {
        case N_NAME:
            return effect_on(x, n->symbol, followed);
        case N_CAST:
            n = n->child[1];
            decays = true;
            break;
        case N_INDEX:
            followed++;
            n = n->child[0];
            decays = true;
            break;
        case N_MEMBER:
            decays = n->op[0] == '-';
            followed += decays;
            n = n->child[0];
            break;
        case N_POSTFIX:
        case N_ASSIGN:
            n = n->child[0];
            break;
        case N_UNARY:
            if (n->op[0] == '&') followed--;
            decays = n->op[0] == '*';
            followed += decays;
            n = n->child[0];
            break;
        case N_BINARY: /* p + k */
            n = n->child[1]->type && (n->child[1]->type->kind == TYPE_POINTER || is_array_value(n->child[1]))
                    ? n->child[1]
                    : n->child[0];
            decays = true;
            break;
        case N_CONDITIONAL: {
            const char *effect = n->child[1] ? effect_of_change(x, n->child[1], followed) : NULL;
            return effect ? effect : effect_of_change(x, n->child[2], followed);
        }
        case N_CONSTANT: /* NULL */
        case N_STRING:
            return NULL;
        case N_COMPOUND_LITERAL:
            return followed <= 0 ? NULL : "assigns what a pointer leads to";
        case N_CALL:
            if (n->child[0]->kind == N_NAME && !n->child[0]->symbol && followed == 1 &&
                is_listed(" malloc calloc realloc aligned_alloc alloca __builtin_alloca smpi_shared_malloc_intercept "
                          "smpi_shared_calloc_intercept smpi_shared_realloc_intercept ",
                          n->child[0]->name))
                return NULL;
            return "assigns what a pointer leads to";
        default:
            return "assigns what a pointer leads to";
        }
    }
}

/* Whether a call may change what its argument number k, from 0, points to; callee NULL: one of the library's. */
static bool may_change_argument(const node *call, size_t k, const looked_through *callee) {
    const node *argument = call->child[k + 1], *f = inside_parentheses(call->child[0]);
    const type *t = argument->type;
    if (t && (t->kind == TYPE_ARITHMETIC || t->kind == TYPE_RECORD)) return false;
    if (!callee) return library_changes(f->name, k);
    return callee->done && k < MOST_PARAMETERS ? callee->changes >> k & 1 : !parameter_is_constant(f->symbol, k);
}

static const char *effect_of_arguments(search *x, const node *call, const looked_through *callee) {
    const char *effect = NULL;
    for (size_t k = 0; k + 1 < call->count && !effect; k++)
        if (may_change_argument(call, k, callee)) effect = effect_of_change(x, call->child[k + 1], 1);
    return effect;
}

static const char *effect_of_callback(search *x, const node *call) {
    const node *f = called_back(call);
    const symbol *s = f->kind == N_NAME ? f->symbol : NULL;
    size_t at;
    if (f->kind == N_NAME && !s && x->acts_alone(f->name)) return NULL;
    if (!s || s->kind != SYMBOL_FUNCTION || s->calls_unknown || s->uses_distributed || !defined_function(x->p, s->name))
        return "calls what is not known here";
    return effect_within(x, s, &at);
}

static const char *effect_of_call(search *x, const node *n) {
    const node *f = inside_parentheses(n->child[0]);
    if (f->kind != N_NAME) return NULL;
    size_t at = SIZE_MAX;
    if (!f->symbol && !x->acts_alone(f->name))
        return arena_format(x->p->memory, "calls '%s', which acts for the whole program", f->name);
    const char *effect = called_back(n) ? effect_of_callback(x, n) : NULL;
    if (effect) return effect;
    if (!f->symbol) return effect_of_arguments(x, n, NULL);
    if (f->symbol->kind != SYMBOL_FUNCTION) return NULL;
    effect = effect_within(x, f->symbol, &at);
    return effect || at == SIZE_MAX ? effect : effect_of_arguments(x, n, &x->seen[at]);
}

static const char *effect_under(search *x, const node *n) {
    if (n->kind == N_ASM) return "contains assembly code";
    const char *effect = is_store(n) ? effect_of_change(x, n->child[0], 0) : NULL;
    if (!effect && n->kind == N_CALL) effect = effect_of_call(x, n);
    for (size_t k = 0; k < n->count && !effect; k++)
        if (n->child[k]) effect = effect_under(x, n->child[k]);
    return effect;
}

/* *at: where it stands in `seen`; untouched: another file has it. */
static const char *effect_within(search *x, const symbol *f, size_t *at) {
    const symbol *defined = defined_function(x->p, f->name);
    if (!defined) return NULL;
    for (*at = 0; *at < x->count; (*at)++)
        if (x->seen[*at].defined == defined) return NULL;
    vector_add(x->p->memory, x->seen, x->count, x->capacity, ((looked_through){.defined = defined}));
    const size_t before = x->current;
    x->current = *at;
    const char *effect = effect_under(x, defined->declaration->child[2]);
    x->seen[*at].done = true;
    x->current = before;
    return effect;
}

const char *effect_of(const program *p, const symbol *f, bool (*acts_alone)(const char *name)) {
    search x = {.p = p, .acts_alone = acts_alone};
    size_t at;
    return effect_within(&x, f, &at);
}

const char *effect_of_passing(const program *p, const node *call, bool (*acts_alone)(const char *name)) {
    search x = {.p = p, .acts_alone = acts_alone};
    const symbol *f = inside_parentheses(call->child[0])->symbol;
    size_t at = SIZE_MAX;
    if (f && (f->kind != SYMBOL_FUNCTION || effect_within(&x, f, &at) || at == SIZE_MAX)) return NULL;
    for (size_t k = 0; k + 1 < call->count; k++)
        if (may_change_argument(call, k, f ? &x.seen[at] : NULL))
            return arena_format(p->memory, "changes what '%s' points to, which every process holds",
                                ast_quote(p->memory, p->source, call->child[k + 1]));
    return NULL;
}

bool argument_stays(const program *p, const node *call, size_t k, bool (*acts_alone)(const char *name)) {
    search x = {.p = p, .acts_alone = acts_alone};
    const symbol *f = inside_parentheses(call->child[0])->symbol;
    size_t at = SIZE_MAX;
    if (!f || f->kind != SYMBOL_FUNCTION || effect_within(&x, f, &at)) return false;
    return at == SIZE_MAX ? parameter_is_constant(f, k) : !may_change_argument(call, k, &x.seen[at]);
}

const char *effect_called_back(const program *p, const node *call, bool (*acts_alone)(const char *name)) {
    search x = {.p = p, .acts_alone = acts_alone};
    return called_back(call) ? effect_of_callback(&x, call) : NULL;
}

bool is_mathematics(const node *callee) {
    return callee->kind == N_NAME && !callee->symbol && strncmp(callee->name, "str", 3) != 0 &&
           strncmp(callee->name, "mem", 3) != 0 && strncmp(callee->name, "ato", 3) != 0 &&
           (library_function_result(callee->name) != ELEMENTS || !strcmp(callee->name, "abs"));
}

bool reads_anything(const node *n) {
    operation op;
    if (n->kind == N_CALL && !reduction_call(n, &op) && !is_mathematics(n->child[0])) return true;
    if (n->kind == N_MEMBER || (n->kind == N_UNARY && !strcmp(n->op, "*"))) return true;
    if (n->kind == N_NAME && n->symbol && !n->symbol->array && n->symbol->type && n->symbol->type->kind == TYPE_POINTER)
        return true;
    for (size_t c = n->kind == N_CALL ? 1 : 0; c < n->count; c++)
        if (n->child[c] && reads_anything(n->child[c])) return true;
    return false;
}

/* Whether a statement may change what an expression reads. */
bool may_change(const parallel *s, const node *n) {
    const symbol *left = s->left.symbol;
    if (!left || (!s->left.array && (!left->type || left->type->kind != TYPE_ARRAY))) return true;
    return mentions_symbol(n, left) || reads_anything(n);
}
