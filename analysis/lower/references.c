/* Pass "lower": references and their subscripts. */
#include <string.h>

#include "lower.h"

/* ---- Affine forms */

typedef struct {
    bool affine;
    int index; /* -1: invariant */
    linear stride, offset;
} form;

static form invariant_form(lowering *l, node *n) {
    if (needs_hoisting(n) || (is_conditional(l) && may_fail(n))) hoist(l, n);
    return (form){true, -1, linear_constant(0), linear_of(l->p->memory, l->p->source, n)};
}

static form affine_form(lowering *l, node *n);

/* An index whose factor is 0 is none: i - i, 0 * i. */
static form without_zero(form x) {
    if (x.index >= 0 && linear_is(&x.stride, 0)) x.index = -1;
    return x;
}

static form sum_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    bool both = x.index >= 0 && y.index >= 0;
    if (!x.affine || !y.affine || (both && x.index != y.index)) return (form){0};
    linear (*combine)(arena *, linear, linear) = n->op[0] == '+' ? linear_add : linear_subtract;
    return without_zero(
        (form){true, x.index >= 0 ? x.index : y.index, combine(a, x.stride, y.stride), combine(a, x.offset, y.offset)});
}

static form product_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    if (!x.affine || !y.affine || (x.index >= 0 && y.index >= 0)) return (form){0};
    form *moving = x.index >= 0 ? &x : &y;
    linear factor = x.index >= 0 ? y.offset : x.offset;
    return without_zero((form){true, moving->index, linear_multiply(a, factor, moving->stride),
                               linear_multiply(a, factor, moving->offset)});
}

static form affine_form(lowering *l, node *n) {
    if (l->sections > 0 && section_count(n) > 0) return (form){0};
    int k = index_number(l, n);
    if (k >= 0) {
        const symbol *s = l->s->index[k].symbol;
        return (form){true, k, linear_constant(1),
                      linear_number(l->p->memory, s->kind == SYMBOL_INDEX && s->has_value ? s->value : 0)};
    }
    if (!mentions_index(l, n)) return invariant_form(l, n);
    if (n->kind == N_PAREN) return affine_form(l, n->child[0]);
    if (n->kind == N_BINARY && !n->op[1]) {
        if (n->op[0] == '+' || n->op[0] == '-') return sum_form(l, n);
        if (n->op[0] == '*') return product_form(l, n);
    }
    if (n->kind == N_UNARY && n->op[0] == '-' && !n->op[1]) {
        form x = affine_form(l, n->child[0]);
        linear zero = linear_constant(0);
        x.stride = linear_subtract(l->p->memory, zero, x.stride);
        x.offset = linear_subtract(l->p->memory, zero, x.offset);
        return x;
    }
    return (form){0};
}

subscript subscript_of(lowering *l, node *n) {
    if (l->loop && varies(l->loop, n)) return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n};
    form f = affine_form(l, n);
    if (!f.affine) return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n};
    if (f.index < 0) return (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = f.offset, .node = n};
    return (subscript){.kind = SUBSCRIPT_AFFINE, .index = f.index, .stride = f.stride, .offset = f.offset, .node = n};
}

/* ---- References */

/* Number of subscripts that hold a section of another array: B[idx[:]]. */
static int vector_subscripts(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count, vectors = 0;
    if (!index_chain(chain, &name, subscripts, &count)) return 0;
    for (int d = 0; d < count; d++) vectors += subscripts[d]->kind != N_TRIPLET && first_section(subscripts[d]) != NULL;
    return vectors;
}

/* Constants that add up to more than an index holds. */
static void check_fit(const lowering *l, const node *chain, const subscript *u) {
    const node *at = u->node ? u->node : chain;
    if (u->kind != SUBSCRIPT_GENERAL && !linear_fits(&u->offset))
        diagnose(l->p->source, at, D_overflow, ast_quote(l->p->memory, l->p->source, at), "long");
}

reference make_reference(lowering *l, node *chain) {
    int vectors = vector_subscripts(chain);
    if (vectors > 0 && vectors + section_count(chain) > 1)
        diagnose(l->p->source, chain, D_not_implemented, "a vector subscript beside another section");
    node *name, *subscripts[MAX_RANK];
    reference r = {
        .node = chain, .guarded = l->guarded, .confined = l->confined, .reduction = l->reduction, .mask = l->mask};
    r.own_mask = l->own_mask;
    index_chain(chain, &name, subscripts, &r.rank);
    r.base = name;
    r.symbol = name->symbol;
    r.array = array_at(l->p, name);
    int k = 0;
    for (int d = 0; d < r.rank; d++)
        r.subscript[d] = subscripts[d]->kind == N_TRIPLET ? section_subscript(l, &r, k++, d, subscripts[d])
                                                          : subscript_of(l, subscripts[d]);
    for (int d = 0; d < r.rank; d++) check_fit(l, chain, &r.subscript[d]);
    return r;
}

/* Makes the reference of a chain; false after an error. */
static bool read_reference(lowering *l, node *chain, reference *r) {
    int sections = section_count(chain);
    if (sections > 0 && sections != l->rank) {
        diagnose(l->p->source, chain, D_section_rank, sections, ast_quote(l->p->memory, l->p->source, chain), l->rank);
        return false;
    }
    *r = make_reference(l, chain);
    return !r->array || r->rank == r->array->rank; /* else reported by check_uses */
}

/* Whether `count` subscripts may stand behind an expression. */
static bool has_elements(const node *base, int count) {
    const type *t = base->type;
    for (; count > 0 && t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER); count--) t = t->of;
    return count == 0 || !t || t->kind == TYPE_UNKNOWN;
}

/* What goes round is all turns at once, if ghost cells hold it, and each turn by itself. */
static void add_reference(lowering *l, reference r) {
    if (r.cycles == 0 || r.array)
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, r);
    for (int turn = 0; r.cycles > 0 && turn < 1 << r.cycles; turn++)
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, turned(l, &r, turn));
}

static void collect_index(lowering *l, node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(n, &name, subscripts, &count)) {
        for (size_t c = 0; c < n->count; c++) collect_references(l, n->child[c]);
        return;
    }
    bool distributed = name->symbol && name->symbol->array;
    if (section_count(n) > 0 && !has_elements(name, count)) {
        diagnose(l->p->source, n, D_section_on_scalar, ast_quote(l->p->memory, l->p->source, name));
        return;
    }
    reference r; /* made first: what its subscripts evaluate beforehand is no reference */
    bool adds = (distributed || section_count(n) > 0) && read_reference(l, n, &r), in_place = l->in_place;
    l->in_place = true;
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET && mentions_index(l, subscripts[d])) collect_references(l, subscripts[d]);
    if (name->kind != N_NAME) collect_references(l, name);
    l->in_place = in_place;
    if (adds) add_reference(l, r);
}

static void collect_guarded(lowering *l, node *n, size_t from) {
    bool guarded = l->guarded;
    collect_references(l, n->child[0]);
    l->guarded = true;
    for (size_t c = from; c < n->count; c++)
        if (n->child[c]) collect_references(l, n->child[c]);
    l->guarded = guarded;
}

/* Of the library's functions these change what later calls give, or what is read and written. */
static bool acts_alone(const char *name) {
    return !is_listed(
        " rand random drand48 lrand48 mrand48 strtok getchar getc fgetc fgets fread scanf fscanf printf fprintf puts "
        "putchar putc fputc fputs fwrite ",
        name);
}

/* A call for each element that each process makes for its own elements only, although it changes what all hold. */
static void warn_of_effect(lowering *l, const node *call, const node *f) {
    const char *effect = NULL;
    if (l->s->kind != PARALLEL_ASSIGNMENT || !l->s->left.array) return;
    if (f->kind == N_NAME && !f->symbol && !acts_alone(f->name)) effect = "acts for the whole program";
    if (f->kind == N_NAME && f->symbol && f->symbol->kind == SYMBOL_FUNCTION)
        effect = effect_of(l->p, f->symbol, acts_alone);
    if (effect) diagnose(l->p->source, call, D_call_effect, f->name, effect);
}

static void check_call(lowering *l, node *n) {
    const node *f = inside_parentheses(n->child[0]);
    const symbol *callee = f->kind == N_NAME ? f->symbol : NULL;
    bool foreign = f->kind == N_NAME && !callee;
    if (!foreign && (!callee || callee->kind != SYMBOL_FUNCTION || callee->calls_unknown)) l->s->calls_unknown = true;
    if (!callee || !callee->uses_distributed) {
        warn_of_effect(l, n, f);
        return;
    }
    diagnose(l->p->source, n, D_impure_call, callee->name);
    diagnose_help("pass the elements that it needs as arguments");
}

/* A call that all processes make together: for each element it would be made in different numbers. */
static bool is_clock(const node *n) {
    const node *callee = n->kind == N_CALL ? n->child[0] : NULL;
    if (!callee || callee->kind != N_NAME || callee->symbol) return false;
    return is_listed(" dpc_wtime time clock timespec_get getpid getppid clock_gettime gettimeofday gethostname ",
                     callee->name);
}

void collect_references(lowering *l, node *n) {
    operation op;
    intrinsic kind;
    if (is_clock(n) && !mentions_index(l, n)) hoist(l, n);
    if (n->replacement || n->kind == N_SIZEOF) return;
    if (reduction_call(n, &op)) {
        lower_inner_reduction(l, n);
        return;
    }
    if (intrinsic_call(n, &kind)) {
        collect_intrinsic(l, n, kind);
        return;
    }
    if (is_store(n)) diagnose(l->p->source, n, D_side_effect, ast_quote(l->p->memory, l->p->source, n->child[0]));
    if (n->kind == N_CALL) check_call(l, n);
    bool short_circuit = n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||"));
    if (n->kind == N_CONDITIONAL || short_circuit)
        collect_guarded(l, n, 1);
    else if (n->kind == N_INDEX)
        collect_index(l, n);
    else
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) collect_references(l, n->child[c]);
}
