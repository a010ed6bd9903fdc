/* Pass "resolve", alignment: templates, and what is aligned with them or with other arrays. */
#include <string.h>

#include "../model/model.h"
#include "resolve.h"

void read_template(program *p, node *directive, symbol *s) {
    s->array = new_template(p, directive, s);
}

/* ---- Subscripts of what arrays are aligned with */

typedef struct {
    bool affine;
    const symbol *index; /* NULL: it has none */
    linear stride, offset;
} form;

static bool is_index(const node *n) {
    return n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_INDEX;
}

static bool mentions_any_index(const node *n) {
    if (is_index(n)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_any_index(n->child[c])) return true;
    return false;
}

static form form_of(const program *p, const node *n);

static form sum_of(const program *p, const node *n) {
    const form x = form_of(p, n->child[0]), y = form_of(p, n->child[1]);
    if (!x.affine || !y.affine || (x.index && y.index && x.index != y.index)) return (form){0};
    linear (*combine)(arena *, linear, linear) = n->op[0] == '+' ? linear_add : linear_subtract;
    return (form){true, x.index ? x.index : y.index, combine(p->memory, x.stride, y.stride),
                  combine(p->memory, x.offset, y.offset)};
}

static form product_of(const program *p, const node *n) {
    const form x = form_of(p, n->child[0]), y = form_of(p, n->child[1]);
    if (!x.affine || !y.affine || (x.index && y.index)) return (form){0};
    const form *moving = x.index ? &x : &y;
    const linear factor = x.index ? y.offset : x.offset;
    return (form){true, moving->index, linear_multiply(p->memory, factor, moving->stride),
                  linear_multiply(p->memory, factor, moving->offset)};
}

/* offset + stride * index. */
static form form_of(const program *p, const node *n) {
    if (is_index(n)) return (form){true, n->symbol, linear_constant(1), linear_constant(0)};
    if (!mentions_any_index(n)) return (form){true, NULL, linear_constant(0), linear_of(p->memory, p->source, n)};
    if (n->kind == N_PAREN) return form_of(p, n->child[0]);
    if (n->kind == N_BINARY && !n->op[1]) {
        if (n->op[0] == '+' || n->op[0] == '-') return sum_of(p, n);
        if (n->op[0] == '*') return product_of(p, n);
    }
    if (n->kind == N_UNARY && n->op[0] == '-' && !n->op[1]) {
        const form x = form_of(p, n->child[0]);
        const linear zero = linear_constant(0);
        return (form){x.affine, x.index, linear_subtract(p->memory, zero, x.stride),
                      linear_subtract(p->memory, zero, x.offset)};
    }
    return (form){0};
}

/* ---- Directives */

typedef struct {
    program *p;
    const node *directive;
    const array *a; /* that is aligned */
    const symbol *what;
    node *subscript[MAX_RANK]; /* of it: an index, or STAR */
    int rank;
} aligning;

static int dimension_of(const aligning *x, const symbol *index) {
    for (int d = 0; d < x->rank; d++)
        if (x->subscript[d]->symbol == index) return d;
    return -1;
}

/* Its subscripts, indices and `*`; false, with an error, where they are not one for each dimension. */
static bool read_left(aligning *x, int rank) {
    node *name = x->directive->child[0];
    if (name->kind == N_INDEX && !index_chain(name, &name, x->subscript, &x->rank)) return false;
    if (x->rank != rank) {
        diagnose(x->p->source, x->directive->child[0], D_align_rank, x->rank, plural(x->rank), x->what->name, rank,
                 plural(rank));
        diagnose_note(x->p->source, x->what->declarator, "'%s' is declared here", x->what->name);
        return false;
    }
    return true;
}

/* `[:]`. */
static bool is_whole(const node *n) {
    return n->kind == N_TRIPLET && !n->child[0] && !n->child[1] && !n->child[2];
}

/* HPF's `align A[:][*] with T[:]`: the k-th [:] of the one stands for the k-th of the other, their lower bounds on one
 * another. False: there is none. */
static bool read_all_of_it(const aligning *x, const array *with, node *const *subscripts, int t, standing *place) {
    int before = 0;
    if (!is_whole(subscripts[t])) return false;
    for (int u = 0; u < t; u++) before += is_whole(subscripts[u]);
    for (int d = 0; d < x->rank; d++) {
        if (!is_whole(x->subscript[d]) || before-- > 0) continue;
        const linear offset = linear_subtract(x->p->memory, with->lower[t], x->a->lower[d]);
        *place = (standing){.dim = d, .node = subscripts[t], .stride = linear_constant(1), .offset = offset};
        return linear_fits(&place->offset);
    }
    return false;
}

static bool read_standing(const aligning *x, node *n, standing *place) {
    *place = (standing){.dim = -1,
                        .node = n,
                        .everywhere = n->kind == N_STAR,
                        .stride = linear_constant(0),
                        .offset = linear_constant(0)};
    if (place->everywhere) return true;
    const form f = n->kind == N_TRIPLET ? (form){0} : form_of(x->p, n);
    if (!f.affine || !linear_fits(&f.offset)) {
        diagnose(x->p->source, n, D_align_subscript, ast_quote(x->p->memory, x->p->source, n));
        return false;
    }
    place->stride = f.stride;
    place->offset = f.offset;
    if (f.index && !linear_is(&f.stride, 0)) place->dim = dimension_of(x, f.index);
    return true;
}

static bool read_right(const aligning *x, const array *with, standing *place) {
    node *name = x->directive->child[1], *subscripts[MAX_RANK];
    int count = 0;
    if (name->kind == N_INDEX && !index_chain(name, &name, subscripts, &count)) return false;
    if (count != with->rank) {
        diagnose(x->p->source, x->directive->child[1], D_align_rank, count, plural(count), with->symbol->name,
                 with->rank, plural(with->rank));
        diagnose_note(x->p->source, with->symbol->declarator, "'%s' is declared here", with->symbol->name);
        return false;
    }
    for (int t = 0; t < count; t++) {
        if (!read_all_of_it(x, with, subscripts, t, &place[t]) && !read_standing(x, subscripts[t], &place[t]))
            return false;
        for (int u = 0; u < t && place[t].dim >= 0; u++) {
            if (place[u].dim != place[t].dim) continue;
            diagnose(x->p->source, subscripts[t], D_align_reused, x->subscript[place[t].dim]->name, with->symbol->name);
            return false;
        }
    }
    return true;
}

/* An element outside the target, as far as constants show it: false. */
static bool check_end(const aligning *x, const array *a, const array *with, int t, const standing *place,
                      const linear *at_index) {
    int64_t low, high, at;
    const linear moved = linear_multiply(x->p->memory, place->stride, *at_index),
                 cell = linear_add(x->p->memory, moved, place->offset);
    if (!linear_value(&with->lower[t], &low) || !linear_value(&with->upper[t], &high) || !linear_value(&cell, &at))
        return true;
    if (at >= low && at <= high) return true;
    if (place->dim < 0)
        diagnose(x->p->source, place->node, D_out_of_range, (long long)at, t + 1, with->symbol->name, (long long)low,
                 (long long)high);
    else
        diagnose(x->p->source, place->node, D_align_outside, (long long)at_index->constant, place->dim + 1,
                 a->symbol->name, (long long)at, t + 1, with->symbol->name, (long long)low, (long long)high);
    return false;
}

static void check_places(const aligning *x, const array *a, const array *with, const standing *place) {
    const linear zero = linear_constant(0);
    for (int t = 0; t < with->rank; t++) {
        const int d = place[t].dim;
        int64_t low, high;
        if (place[t].everywhere) continue;
        if (d < 0) check_end(x, a, with, t, &place[t], &zero);
        if (d < 0 || !linear_value(&a->lower[d], &low) || !linear_value(&a->upper[d], &high) || low > high) continue;
        if (check_end(x, a, with, t, &place[t], &a->lower[d])) check_end(x, a, with, t, &place[t], &a->upper[d]);
    }
}

/* The array or template that something can be aligned with; NULL after an error. */
static array *target_of(const program *p, const node *directive) {
    const node *n = directive->child[1];
    while (n->kind == N_INDEX) n = n->child[0];
    const symbol *s = n->symbol;
    if (s->array && s->array->directive) return s->array;
    const bool distributable = s->kind == SYMBOL_TEMPLATE || (s->type && s->type->kind == TYPE_ARRAY);
    diagnose(p->source, n, distributable ? D_align_target : D_not_an_array, s->name);
    if (distributable) diagnose_help("distribute it first: #pragma dpc distribute %s(...)", s->name);
    return NULL;
}

/* The alignment of `a` that a directive says; false after an error. */
static bool alignment_of(program *p, node *directive, const array *a, alignment *result) {
    aligning x = {.p = p, .directive = directive, .a = a, .what = a->symbol};
    *result = (alignment){.with = target_of(p, directive), .directive = directive};
    return result->with && read_left(&x, a->rank) && read_right(&x, result->with, result->place);
}

alignment realignment(program *p, node *directive) {
    alignment result;
    const symbol *what = realigned_symbol(directive);
    aligning x = {.p = p, .directive = directive, .a = what->array, .what = what};
    result = (alignment){.with = target_of(p, directive), .directive = directive};
    read_left(&x, x.what->array->rank);
    read_right(&x, result.with, result.place);
    return result;
}

/* A template of a header, which arrays that files share are aligned with, is one in all of them. */
static void share_template(program *p, array *t) {
    t->shared = t->dynamic = true;
    t->descriptor = arena_format(p->memory, "dpc_shared_%s", t->symbol->name);
    t->address = arena_format(p->memory, "&%s", t->descriptor);
    t->access = arena_format(p->memory, "%s.", t->descriptor);
}

static bool outlives(const array *a, const array *with) {
    return (a->symbol->file_scope || a->symbol->is_static) && !with->symbol->file_scope && !with->symbol->is_static;
}

static bool same_places(const alignment *x, const alignment *y) {
    for (int t = 0; x->with == y->with && t < x->with->rank; t++) {
        const standing *u = &x->place[t], *v = &y->place[t];
        if (u->dim != v->dim || u->everywhere != v->everywhere || !linear_equal(&u->stride, &v->stride) ||
            !linear_equal(&u->offset, &v->offset))
            return false;
    }
    return x->with == y->with;
}

/* The header and the file that defines an array may both have its directive. */
static void align_again(program *p, node *directive, const node *name) {
    alignment again;
    const array *a = name->symbol->array;
    if (!alignment_of(p, directive, a, &again) || (a->alignment && same_places(&again, a->alignment))) return;
    diagnose(p->source, name, D_declarations_differ, name->name);
    diagnose_note(p->source, a->directive, "the first directive is here");
}

static void align(program *p, node *directive, node *name, const node *scope) {
    if (name->symbol->is_shared && name->symbol->array) {
        align_again(p, directive, name);
        return;
    }
    array *a = new_array(p, directive, name, scope);
    if (!a || !check_initializer(p, a)) return;
    a->alignment = arena_alloc(p->memory, sizeof *a->alignment);
    if (!alignment_of(p, directive, a, a->alignment)) return;
    array *with = a->alignment->with;
    if (outlives(a, with)) {
        diagnose(p->source, name, D_align_outlives, name->name, with->symbol->name);
        return;
    }
    if (a->symbol->is_shared && !with->is_template && !with->shared) {
        diagnose(p->source, name, D_shared_alignment, name->name, with->symbol->name);
        diagnose_help("declare it extern in the header, too");
        return;
    }
    if (a->symbol->is_shared && with->is_template) share_template(p, with);
    aligning x = {.p = p, .directive = directive, .what = a->symbol};
    check_places(&x, a, with, a->alignment->place);
    with->followed = true;
    add_array(p, a);
}

static void realign(program *p, node *directive, node *name, const node *scope) {
    symbol *s = name->symbol;
    alignment result;
    if (scope->kind == N_UNIT) {
        diagnose(p->source, directive, D_executable_directive, "realign");
        diagnose_help("use align for the first mapping of an array");
    } else if (s->kind != SYMBOL_VARIABLE || !s->type || s->type->kind != TYPE_ARRAY) {
        diagnose(p->source, name, D_not_an_array, s->name);
    } else if (!s->array) {
        diagnose(p->source, name, D_not_realignable, s->name);
        diagnose_help("align or distribute it first: #pragma dpc align %s[i] with T[i]", s->name);
    } else if (alignment_of(p, directive, s->array, &result)) {
        if (moves_along(result.with, s->array)) diagnose(p->source, name, D_align_itself, s->name);
        aligning x = {.p = p, .directive = directive, .what = s};
        check_places(&x, s->array, result.with, result.place);
        s->array->dynamic = s->array->realigned = result.with->followed = true;
    }
}

void read_alignment(program *p, node *directive, node *scope) {
    node *name = directive->child[0];
    while (name->kind == N_INDEX) name = name->child[0];
    if (directive->kind == N_ALIGN)
        align(p, directive, name, scope);
    else
        realign(p, directive, name, scope);
}

/* ---- When all directives are read */

/* Those that a realign has aligned with it are found at run time. */
static void check_realigned(const program *p, const node *directive) {
    const symbol *s = realigned_symbol(directive);
    for (size_t k = 0; s && s->array && k < p->array_count; k++) {
        const array *a = p->arrays[k];
        if (!a->alignment || a->realigned || a->alignment->with != s->array) continue;
        diagnose(p->source, directive->child[0], D_followed_realigned, s->name);
        diagnose_note(p->source, a->directive, "'%s' is aligned with it here", a->symbol->name);
        return;
    }
}

static void check_realignments(const program *p, const node *n) {
    if (n->kind == N_REALIGN) check_realigned(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_realignments(p, n->child[c]);
}

/* What is aligned with something that is redistributed is redistributed, too. */
void finish_alignments(program *p, node *n) {
    check_realignments(p, n);
    for (size_t k = 0; k < p->array_count; k++) {
        array *a = p->arrays[k];
        a->redistributed = a->redistributed || end_of_chain(a)->redistributed;
        for (int d = 0; a->shared && d < a->rank; d++) {
            if (!is_automatic(&a->mapping, d)) continue;
            diagnose(p->source, a->directive, D_shared_automatic, a->symbol->name);
            diagnose_help("give the block size: every file must know the same one");
            return;
        }
    }
}
