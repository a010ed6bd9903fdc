/* Warnings of block sizes without closed forms, and of references whose owners are searched for at run time, though
 * another form of the statement has sets that are computed. */
#include <stdlib.h>
#include <string.h>

#include "../../ir/warnings.h"
#include "../blocks/alternatives.h"
#include "plan.h"

/* The first index of s that n names, but for `other`; -1: none. */
static int index_in(const parallel *s, const node *n, int other) {
    if (n->kind == N_NAME)
        for (int k = 0; k < s->indices; k++)
            if (k != other && !strcmp(n->name, s->index[k].name)) return k;
    for (size_t c = 0; c < n->count; c++) {
        const int k = n->child[c] ? index_in(s, n->child[c], other) : -1;
        if (k >= 0) return k;
    }
    return -1;
}

/* Whether n is made of indices, constants, + and - and products alone. */
static bool is_polynomial(const node *n) {
    int64_t value;
    n = inside_parentheses((node *)n);
    if (n->kind == N_NAME || constant_value(n, &value)) return true;
    return n->kind == N_BINARY && strchr("+-*", n->op[0]) && !n->op[1] && is_polynomial(n->child[0]) &&
           is_polynomial(n->child[1]);
}

static bool is_operator(const node *n, const char *op) {
    return n->kind == N_BINARY && !strcmp(n->op, op);
}

/* i / c, i >> k: c. */
static bool divisor_of(const node *n, int64_t *by) {
    if (!(is_operator(n, "/") || is_operator(n, ">>")) || !constant_value(n->child[1], by) || *by < 1) return false;
    if (n->op[0] == '/') return *by > 1;
    if (*by > 30) return false;
    return *by = (int64_t)1 << *by, true;
}

enum { MOST_STATEMENTS = 4 }; /* that are advised in place of one */

static const node *cast_operand(const node *n) {
    return n->kind == N_CAST && is_polynomial(n->child[1]) ? n->child[1] : NULL;
}

/* The element that r names, with another text in the place of subscript u. */
static const char *with_subscript(const program *p, const reference *r, const subscript *u, const char *other) {
    text out;
    text_start(&out, p->memory);
    text_format(&out, "%s", r->symbol->name);
    for (int d = 0; d < r->rank; d++) {
        const node *n = r->subscript[d].node;
        text_format(&out, "[%s]", &r->subscript[d] == u ? other : n ? ast_quote(p->memory, p->source, n) : "...");
    }
    return text_of(&out);
}

static bool counts_by(const loop_index *x, int64_t by) {
    return linear_is_constant(&x->stride) && x->stride.constant % by == 0;
}

/* i / 2 where i counts by 2, 4, ... from a constant: another index does that; NULL: from something else. */
static const char *other_count(const program *p, const loop_index *x, int64_t by, const char *read) {
    if (!linear_is_constant(&x->lower) || x->lower.constant < 0) return NULL;
    const int64_t more = x->lower.constant % by;
    return arena_format(p->memory, "'%s' that counts by %lld, with %lld*%s%s where it stands now, reads %s", x->name,
                        (long long)(x->stride.constant / by), (long long)by, x->name,
                        more ? arena_format(p->memory, " + %lld", (long long)more) : "", read);
}

/* How else the statement can be written, so that the subscript u is affine; NULL: not known. */
static const char *other_form(const program *p, const parallel *s, const reference *r, const subscript *u) {
    const node *n = inside_parentheses(u->node);
    const int k = index_in(s, n, -1);
    int64_t by;
    if (k < 0) return NULL;
    const char *name = s->index[k].name, *read = with_subscript(p, r, u, name);
    if (n->kind == N_CONDITIONAL && n->child[1] && is_polynomial(n->child[1]) &&
        index_in(s, n->child[1], index_in(s, n->child[1], -1)) < 0) {
        const char *branch = ast_quote(p->memory, p->source, inside_parentheses(n->child[1]));
        return arena_format(p->memory, "a forall for each branch, with bounds of its own: forall (%s = ...) ... %s ...",
                            name, with_subscript(p, r, u, branch));
    }
    if (divisor_of(n, &by) && by <= MOST_STATEMENTS && index_in(s, n->child[0], k) < 0) {
        if (counts_by(&s->index[k], by)) return other_count(p, &s->index[k], by, read);
        return arena_format(
            p->memory,
            "%lld assignments in place of one, with %lld*%s to %lld*%s + %lld for '%s' on the left side, that read %s",
            (long long)by, (long long)by, name, (long long)by, name, (long long)(by - 1), name, read);
    }
    if (cast_operand(n))
        return arena_format(p->memory, "without the conversion, as %s: indices are of type long",
                            with_subscript(p, r, u, ast_quote(p->memory, p->source, inside_parentheses(n->child[1]))));
    return NULL;
}

/* Whether the only subscript of r adds up several indices, as that of a matrix's elements, i * n + j. */
static bool is_flat(const parallel *s, const reference *r) {
    const subscript *u = &r->subscript[0];
    const node *n = u->kind == SUBSCRIPT_GENERAL && u->node && r->rank == 1 ? inside_parentheses(u->node) : NULL;
    if (!n || !divides(&r->array->mapping, 0) || !has_multiplication(n)) return false;
    if (mentions_rows(n)) return true;
    const int k = is_polynomial(n) ? index_in(s, n, -1) : -1;
    return k >= 0 && index_in(s, n, k) >= 0;
}

static void warn_of_matrix(const program *p, const parallel *s, const reference *r) {
    const node *n = r->subscript[0].node;
    const int k = index_in(s, n, -1), m = mentions_rows(n) ? -1 : index_in(s, n, k);
    const char *name = r->symbol->name;
    diagnose(p->source, r->node, D_flat_matrix, ast_quote(p->memory, p->source, r->node));
    if (m >= 0)
        diagnose_help("'%s' with two dimensions, so that each index has one of its own: %s[%s][%s]", name, name,
                      s->index[k].name, s->index[m].name);
    else
        diagnose_help("'%s' with two dimensions, so that each index has one of its own", name);
}

/* A[i][i] of an array of which more than one dimension is divided. */
static const char *other_mapping(const program *p, const reference *r) {
    int divided = 0, index = -1;
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (!divides(&r->array->mapping, d)) continue;
        if (u->kind != SUBSCRIPT_AFFINE || (divided && u->index != index)) return NULL;
        index = u->index;
        divided++;
    }
    if (divided < 2) return NULL;
    return arena_format(p->memory,
                        "the diagonal of '%s' is found by formula where one dimension is divided, as with (block, *)",
                        r->symbol->name);
}

static const char *remedy_of(const program *p, const parallel *s, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        if (u->kind != SUBSCRIPT_GENERAL || !u->node) continue;
        return divides(&r->array->mapping, d) ? other_form(p, s, r, u) : NULL;
    }
    return r->array->dynamic ? NULL : other_mapping(p, r);
}

void warn_of_searches(const program *p, const parallel *s) {
    if (p->serial || s->loop) return;
    if (s->placed.scatter && s->left.array && !s->left.combined.reused && is_flat(s, &s->left))
        warn_of_matrix(p, s, &s->left);
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        if (!r->array || r->placed.relation != RELATION_GATHER || r->placed.matrix || r->combined.reused) continue;
        if (is_flat(s, r)) warn_of_matrix(p, s, r);
        const char *remedy = is_flat(s, r) || !warning_is_on(W_gathers) ? NULL : remedy_of(p, s, r);
        if (!remedy) continue;
        const char *text_there = ast_quote(p->memory, p->source, r->node);
        diagnose(p->source, r->node, D_searched, text_there, "an all-to-all, and each element by its number");
        diagnose_help("%s", remedy);
    }
}

/* ---- Block sizes */

enum { FEW_PROCESSES = 4 }; /* that get a block each, where the number is not known */

/* Pairs of which has been said what blocks would be better. */
typedef struct {
    const array *array, *home;
    int dim, home_dim;
    int64_t block, home_block;
} better_pair;

typedef struct {
    program *p;
    other_blocks *blocks; /* NULL: not needed yet */
    better_pair *said;
    size_t count, capacity;
} pair_search;

/* 'A', or which dimension of several that are divided. */
static const char *dimension_name(const program *p, const array *a, int d) {
    bool alone = true;
    for (int e = 0; e < a->rank; e++) alone = alone && (e == d || !divides(&a->mapping, e));
    return alone ? arena_format(p->memory, "'%s'", a->symbol->name)
                 : arena_format(p->memory, "dimension %d of '%s'", d + 1, a->symbol->name);
}

static bool was_said(const pair_search *w, const better_pair *x) {
    for (size_t k = 0; k < w->count; k++) {
        const better_pair *y = &w->said[k];
        if (x->array == y->array && x->home == y->home && x->dim == y->dim && x->home_dim == y->home_dim &&
            x->block == y->block && x->home_block == y->home_block)
            return true;
    }
    return false;
}

static void say_better_blocks(const program *p, const reference *r, const pairing *pair, const better_pair *x) {
    const bool same = x->array == x->home && x->dim == x->home_dim;
    const char *name = dimension_name(p, x->array, x->dim), *home = dimension_name(p, x->home, x->home_dim);
    if (same && x->block != x->home_block) return;
    const char *beside = same ? arena_format(p->memory, ", in steps of %lld,", (long long)llabs(pair->s2.value))
                              : arena_format(p->memory, " beside %lld of %s", (long long)pair->b1.value, home);
    diagnose(p->source, r->node, D_unlike_blocks, (long long)pair->b2.value, name, beside);
    if (same)
        diagnose_help("cyclic(%lld) for %s has one", (long long)x->block, name);
    else
        diagnose_help("cyclic(%lld) for %s and cyclic(%lld) for %s have one", (long long)x->block, name,
                      (long long)x->home_block, home);
}

static void warn_of_pair(pair_search *w, const parallel *s, const reference *r, int d) {
    program *p = w->p;
    const pairing pair = pairing_of(p, s, r, d);
    better_pair x = {.array = r->array, .home = home_of(s)->array, .dim = d, .home_dim = pair.home_dim};
    if (pair.number != 1) return;
    if (!w->blocks) {
        w->blocks = arena_alloc(p->memory, sizeof *w->blocks);
        *w->blocks = find_other_blocks(p);
    }
    if (!better_blocks(w->blocks, x.array, x.home, &pair, p->np > 0 ? p->np : FEW_PROCESSES, &x.block, &x.home_block) ||
        was_said(w, &x))
        return;
    say_better_blocks(p, r, &pair, &x);
    vector_add(p->memory, w->said, w->count, w->capacity, x);
}

void warn_of_block_sizes(program *p) {
    const statement_list all = all_statements(p);
    pair_search w = {.p = p};
    if (p->serial || !warning_is_on(W_block_sizes)) return;
    for (size_t k = 0; k < all.count; k++) {
        const parallel *s = all.statement[k];
        const reference *home = home_of(s);
        for (size_t j = 0; home && home->array && !s->loop && j < s->references; j++) {
            const reference *r = &s->reference[j];
            if (!r->array || r == home || r->placed.relation != RELATION_SETS) continue;
            for (int d = 0; d < r->rank; d++) warn_of_pair(&w, s, r, d);
        }
    }
}
