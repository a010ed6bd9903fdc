/* Pass "versions": statements that a few combinations of mappings reach are compiled once for each, as if the arrays
 * had been distributed so.  The tree gets a VERSIONS node in place of a row of such statements, which has a copy of the
 * row for each version: the passes behind see statements like any others. */
#include <string.h>

#include "reach.h"

/* Text of all versions of a row together; beyond it one version for any mapping is shorter than what it saves. */
enum { MOST_TOKENS = 2000 };

/* Arrays of which every redistribution stands beside one of the other's: they have only those mappings together that
 * these give them. */
typedef struct {
    program *p;
    const node **directive; /* all REDISTRIBUTEs, in order of the source */
    size_t count, capacity;
    bool alike; /* versions are made of arrays that may be divided alike, not of mappings */
} ties;

/* Statements that stand side by side in a block, and are reached by the same mappings. */
typedef struct {
    program *p;
    const ties *ties;
    node *block;
    size_t first, count; /* children of the block */
    versions found;
} row;

/* ---- Arrays that are remapped together */

static void find_directives(ties *t, const node *n) {
    if (n->kind == N_REDISTRIBUTE) vector_add(t->p->memory, t->directive, t->count, t->capacity, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_directives(t, n->child[c]);
}

/* The view that a directive gives an array; NULL: none, or it does not move it. */
static const array *given_view(const ties *t, const node *directive, array *a, bool *moves) {
    array *moved[MOST_MOVED];
    *moves = false;
    for (size_t c = 2; c < directive->count; c++)
        for (size_t k = moved_arrays(directive->child[c], moved); k-- > 0;) {
            if (!same_array(moved[k], a)) continue;
            const mapping m = redistribution_mapping(t->p, (node *)directive, directive->child[c]);
            *moves = true;
            return find_view(a, &m);
        }
    return NULL;
}

/* Whether nothing is executed between two nodes that knows an array: they stand side by side, or directives do between
 * them. */
static bool stand_together(const node *n, const node *m) {
    const node *block = n->parent;
    bool between = false;
    if (n == m) return true;
    if (block != m->parent || block->kind != N_COMPOUND) return false;
    for (size_t c = 0; c < block->count; c++) {
        const node *x = block->child[c];
        if (x == n || x == m) {
            if (between) return true;
            between = true;
        } else if (between && x->kind != N_REDISTRIBUTE && x->kind != N_DISTRIBUTE) {
            return false;
        }
    }
    return false;
}

static bool begin_together(const array *a, const array *b) {
    if (a->symbol->file_scope || b->symbol->file_scope) return a->symbol->file_scope && b->symbol->file_scope;
    return a->symbol->is_static == b->symbol->is_static && stand_together(a->directive, b->directive);
}

/* The view that b gets beside directive number `at`, which moves a; NULL: it is not moved there. */
static const array *view_beside(const ties *t, size_t at, array *b) {
    for (int near = 0; near < 3; near++) {
        const size_t k = at + (const size_t[]){0, (size_t)-1, 1}[near];
        bool moves;
        if (k >= t->count) continue;
        const array *view = given_view(t, t->directive[k], b, &moves);
        if (moves && stand_together(t->directive[k], t->directive[at])) return view;
    }
    return NULL;
}

/* Whether every redistribution of a stands beside one of b; `found`: one of them gives these views. */
static bool follows(const ties *t, const array *a, const array *b, bool *found) {
    for (size_t k = 0; k < t->count; k++) {
        bool moves;
        const array *view = given_view(t, t->directive[k], a->origin, &moves);
        const array *other = moves ? view_beside(t, k, b->origin) : NULL;
        if (moves && (!view || !other)) return false;
        *found = *found || (moves && view == a && other == b);
    }
    return true;
}

/* Whether two arrays may have these views at the same time; what is aligned has those of what it moves with. */
static bool may_be_together(const ties *t, const array *aligned, const array *with) {
    const array *a = end_of_chain(aligned), *b = end_of_chain(with);
    if (same_array(a, b)) return a == b;
    if (a->origin->inherits || b->origin->inherits) return may_be_passed_together(t->p, a, b);
    bool found = a == a->origin && b == b->origin;
    if (!begin_together(a->origin, b->origin) || !follows(t, a, b, &found) || !follows(t, b, a, &found)) return true;
    return found;
}

/* ---- Which mappings reach it */

static size_t number_in(const versions *v, const array *a) {
    size_t k = 0;
    while (k < v->arrays && !same_array(v->array[k], a)) k++;
    return k;
}

static bool same_views(const reached *r, const reached *s) {
    return r->views == s->views && r->others == s->others && !memcmp(r->view, s->view, r->views * sizeof *r->view);
}

static bool note_reached(versions *v, const reached *r) {
    const size_t k = number_in(v, r->array);
    if (k < v->arrays) return same_views(v->reached[k], r);
    if (k == MOST_VERSIONED || r->views > MOST_VERSIONS) return false;
    v->reached[k] = r;
    v->array[k] = r->array->origin;
    v->arrays++;
    return true;
}

/* Notes the arrays in n that have several mappings.  False: one has any, or there are too many. */
static bool note_arrays(const program *p, const node *n, versions *v) {
    const reached *r = n->kind == N_NAME ? reached_at(p, n) : NULL;
    if (r && !r->known) return false;
    if (r && (r->views > 1 || r->others) && !note_reached(v, r)) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !note_arrays(p, n->child[c], v)) return false;
    return true;
}

/* Whether the mappings at its beginning hold in all of n: nothing in it changes one. */
static bool keeps_mappings(const node *n) {
    const node *callee = n->kind == N_CALL ? inside_parentheses(n->child[0]) : NULL;
    const symbol *f = callee && callee->kind == N_NAME ? callee->symbol : NULL;
    if (callee && callee->kind != N_NAME) return false;
    if (f && (f->kind != SYMBOL_FUNCTION || f->uses_distributed || f->calls_unknown)) return false;
    if (n->kind == N_STATEMENT_EXPRESSION || n->kind == N_REDISTRIBUTE || n->kind == N_REALIGN) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !keeps_mappings(n->child[c])) return false;
    return true;
}

/* ---- What can have versions */

static bool stores_elements(const node *n) {
    if ((n->kind == N_ASSIGN || is_step(n)) && element_around(n->child[0])) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && stores_elements(n->child[c])) return true;
    return false;
}

static bool holds_reduction(const node *n) {
    operation op;
    if (reduction_call((node *)n, &op)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_reduction(n->child[c])) return true;
    return false;
}

static bool is_array_assignment(const node *n) {
    const node *assign = inside_parentheses(n->child[0]);
    return assign->kind == N_ASSIGN && first_section(inside_parentheses(assign->child[0]));
}

/* Whether an independent loop may be shared out at all. */
static bool has_owner(const node *directive, const node *loop) {
    for (size_t c = 0; c < directive->count; c++)
        if (!strcmp(directive->child[c]->name, "on")) return true;
    return stores_elements(loop);
}

/* How many of the block's children from c on are one parallel statement: an independent loop has its directive. */
static size_t statement_at(const node *block, size_t c) {
    const node *n = block->child[c];
    if (n->kind == N_FORALL) return 1;
    if (n->kind == N_EXPRESSION) return is_array_assignment(n) || holds_reduction(n);
    if (n->kind == N_RETURN) return n->count > 0 && n->child[0] && holds_reduction(n->child[0]);
    if (n->kind != N_INDEPENDENT || c + 1 == block->count) return 0;
    return independent_directive(block->child[c + 1]) && has_owner(n, block->child[c + 1]) ? 2 : 0;
}

static size_t tokens_of(const row *r) {
    return r->block->child[r->first + r->count - 1]->last - r->block->child[r->first]->first + 1;
}

static bool is_too_long(const row *r, size_t more) {
    row longer = *r;
    longer.count += more;
    return tokens_of(&longer) * r->found.count > MOST_TOKENS;
}

/* ---- The combinations */

static bool are_alike(const array *aligned, const array *with) {
    const array *a = end_of_chain(aligned), *b = end_of_chain(with);
    return a->rank == b->rank && a->mapping.grid == b->mapping.grid && are_meant_alike(a, &a->mapping, &b->mapping);
}

/* Whether the arrays have the same mappings, in the same order. */
static bool all_alike(const versions *v) {
    for (size_t k = 1; k < v->arrays; k++) {
        if (v->reached[k]->views != v->reached[0]->views) return false;
        for (size_t m = 0; m < v->reached[0]->views; m++)
            if (!are_alike(v->reached[0]->view[m], v->reached[k]->view[m])) return false;
    }
    return true;
}

/* Per pair of arrays and mappings of these: whether they may be together. */
typedef struct {
    bool may[MOST_VERSIONED][MOST_VERSIONED][MOST_VERSIONS][MOST_VERSIONS];
} pairs;

static pairs find_pairs(const ties *t, const versions *v) {
    pairs x;
    for (size_t k = 0; k < v->arrays; k++)
        for (size_t m = 0; m < k; m++)
            for (size_t i = 0; i < v->reached[k]->views; i++)
                for (size_t j = 0; j < v->reached[m]->views; j++)
                    x.may[k][m][i][j] = may_be_together(t, v->reached[k]->view[i], v->reached[m]->view[j]);
    return x;
}

/* The next combination, from array k on, as numbers of mappings.  Too many: the count passes MOST_VERSIONS. */
static void add_combinations(versions *v, const pairs *x, size_t k, size_t *number) {
    if (k == v->arrays) {
        for (size_t m = 0; m < v->arrays && v->count < MOST_VERSIONS; m++)
            v->view[v->count][m] = v->reached[m]->view[number[m]];
        v->count++;
        return;
    }
    for (number[k] = 0; number[k] < v->reached[k]->views && v->count <= MOST_VERSIONS; number[k]++) {
        bool may = true;
        for (size_t m = 0; m < k; m++) may = may && x->may[k][m][number[k]][number[m]];
        if (may) add_combinations(v, x, k + 1, number);
    }
}

static bool take_all(const ties *t, versions *v) {
    const pairs x = find_pairs(t, v);
    size_t number[MOST_VERSIONED];
    v->count = 0;
    add_combinations(v, &x, 0, number);
    return v->count <= MOST_VERSIONS;
}

/* One more version, for any other mappings. */
static void add_general(versions *v) {
    for (size_t k = 0; k < v->arrays; k++) v->view[v->count][k] = v->reached[k]->array;
    v->count++;
    v->general = true;
}

static bool may_be_others(const versions *v) {
    for (size_t k = 0; k < v->arrays; k++)
        if (v->reached[k]->others) return true;
    return false;
}

static bool take_all_and_others(const ties *t, versions *v) {
    if (!take_all(t, v) || v->count == MOST_VERSIONS) return false;
    add_general(v);
    return true;
}

/* Equal mappings of all, and the arrays with any others. */
static bool take_equal(versions *v) {
    if (!all_alike(v) || v->reached[0]->views >= MOST_VERSIONS) return false;
    v->count = v->reached[0]->views;
    for (size_t k = 0; k < v->arrays; k++)
        for (size_t n = 0; n < v->count; n++) v->view[n][k] = v->reached[k]->view[n];
    add_general(v);
    return true;
}

/* Every combination where these are few; else those of equal mappings, and one version for any others. */
static bool combine(const ties *t, versions *v) {
    return v->arrays > 0 && ((may_be_others(v) ? take_all_and_others(t, v) : take_all(t, v)) || take_equal(v));
}

/* ---- Copies */

/* The names of a version stand for its views. */
static void note_views(program *p, const node *from, const node *copy, const versions *v, size_t n) {
    const reached *old = from->kind == N_NAME ? reached_at(p, from) : NULL;
    const array *a = from->kind == N_NAME && from->symbol ? from->symbol->array : NULL;
    const size_t k = old || (a && v->likes > 0) ? number_in(v, a) : v->arrays;
    if (old || k < v->arrays) {
        reached *r = arena_alloc(p->memory, sizeof *r);
        *r = old ? *old : (reached){.known = true};
        r->name = copy;
        if (k < v->arrays && knows_cells(v->view[n][k])) {
            r->array = v->view[n][k];
            r->view = arena_alloc(p->memory, sizeof *r->view);
            r->view[0] = r->array->stored_as ? r->array->stored_as : r->array;
            r->views = r->capacity = 1;
        }
        vector_add(p->memory, p->reached, p->reached_count, p->reached_capacity, r);
        table_put(p->memory, &p->reached_at, copy, r);
    }
    for (size_t c = 0; c < from->count; c++)
        if (from->child[c]) note_views(p, from->child[c], copy->child[c], v, n);
}

static node *copy_of_row(const row *r, const versions *v, size_t n) {
    node *const *statement = r->block->child + r->first;
    node *copy = ast_new(r->p->memory, N_COMPOUND, statement[0]->first, statement[r->count - 1]->last, 0, NULL);
    copy->made = r->block->made; /* its statements may have the same tokens */
    for (size_t c = 0; c < r->count; c++) {
        ast_add(r->p->memory, copy, ast_clone(r->p->memory, statement[c]));
        note_views(r->p, statement[c], copy->child[c], v, n);
    }
    return copy;
}

/* Puts the node in place of the row; the block becomes shorter. */
static void put_versions(const row *r, node *n) {
    node *block = r->block;
    n->parent = block;
    block->child[r->first] = n;
    for (size_t c = r->first + r->count; c < block->count; c++) block->child[c - r->count + 1] = block->child[c];
    block->count -= (uint32_t)r->count - 1;
}

static node *new_versions(program *p, const versions *found, token_index first, token_index last) {
    node *n = ast_new(p->memory, N_VERSIONS, first, last, 0, NULL);
    versions *v = arena_alloc(p->memory, sizeof *v);
    *v = *found;
    for (size_t k = 0; k < v->arrays && v->likes == 0; k++) end_of_chain(v->array[k])->origin->versioned = true;
    if (v->likes > 0) vector_add(p->memory, p->likened, p->likened_count, p->likened_capacity, n);
    table_put(p->memory, &p->versions_at, n, v);
    return n;
}

/* Makes the versions of a row; returns how many children the block has less. */
static size_t end_row(row *r) {
    program *p = r->p;
    const size_t count = r->count;
    if (count == 0 || is_too_long(r, 0)) {
        r->count = 0;
        return 0;
    }
    node *n = new_versions(p, &r->found, r->block->child[r->first]->first, r->block->child[r->first + count - 1]->last);
    for (size_t k = 0; k < r->found.count; k++) ast_add(p->memory, n, copy_of_row(r, &r->found, k));
    ast_link(n);
    put_versions(r, n);
    r->count = 0;
    return count - 1;
}

/* ---- The walk */

static bool same_arrays(const versions *v, const versions *w) {
    if (v->likes > 0) return v->likes == w->likes && !memcmp(v->like, w->like, v->likes * sizeof *v->like);
    if (v->arrays != w->arrays) return false;
    for (size_t k = 0; k < v->arrays; k++) {
        const size_t other = number_in(w, v->array[k]);
        if (other == w->arrays || !same_views(v->reached[k], w->reached[other])) return false;
    }
    return true;
}

/* Whether nodes that are evaluated together get versions. */
static bool find_versions(const ties *t, node *const *n, size_t count, versions *v) {
    if (t->alike) return find_likeness(t->p, n, count, v);
    for (size_t k = 0; k < count; k++)
        if (!note_arrays(t->p, n[k], v)) return false;
    return combine(t, v);
}

/* The children from c on that are a statement which gets versions; 0: it is none. */
static size_t find_statement(const row *r, size_t c, versions *v) {
    const size_t count = statement_at(r->block, c);
    for (size_t k = c; k < c + count; k++)
        if (!keeps_mappings(r->block->child[k])) return 0;
    return count > 0 && find_versions(r->ties, r->block->child + c, count, v) ? count : 0;
}

/* Rows in a block; the children of anything else are rows of one. */
static void divide_block(const ties *t, node *block) {
    row r = {.p = t->p, .ties = t, .block = block};
    for (size_t c = 0, count; c < block->count; c += count ? count : 1) {
        versions found = {0};
        count = block->child[c] ? find_statement(&r, c, &found) : 0;
        const bool joins = block->kind == N_COMPOUND && r.count > 0 && count > 0 && same_arrays(&r.found, &found) &&
                           !is_too_long(&r, count);
        if (!joins) c -= end_row(&r);
        if (count == 0) continue;
        if (!joins) r.first = c, r.found = found;
        r.count += count;
    }
    end_row(&r);
}

/* The full expression around n: C may call its functions in any order. */
static const node *full_expression(const node *n) {
    static const node_kind kinds[] = {N_EXPRESSION, N_RETURN, N_IF, N_WHILE, N_DO, N_FOR, N_SWITCH, N_INIT_DECLARATOR};
    for (; n->parent; n = n->parent)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (n->parent->kind == kinds[k]) return n;
    return n;
}

/* A reduction in a declaration or a condition: the versions are an expression. */
static void divide_reduction(const ties *t, node *parent, size_t c) {
    node *call = parent->child[c];
    versions v = {0};
    if (!keeps_mappings(full_expression(call)) || !find_versions(t, &call, 1, &v)) return;
    if ((call->last - call->first + 1) * v.count > MOST_TOKENS) return;
    node *n = new_versions(t->p, &v, call->first, call->last);
    for (size_t k = 0; k < v.count; k++) {
        ast_add(t->p->memory, n, ast_clone(t->p->memory, call));
        note_views(t->p, call, n->child[k], &v, k);
    }
    ast_link(n);
    n->parent = parent;
    n->type = call->type;
    parent->child[c] = n;
}

/* What is lowered as a whole, and directives and declarators. */
static bool is_closed(const node *n) {
    static const node_kind kinds[] = {N_FORALL,      N_VERSIONS, N_PROCESSORS, N_DISTRIBUTE,   N_REDISTRIBUTE,
                                      N_ALIGN,       N_ARRAY,    N_TEMPLATE,   N_REALIGN,      N_INHERIT,
                                      N_INDEPENDENT, N_SIZEOF,   N_TYPEOF,     N_STATIC_ASSERT};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (n->kind == kinds[k]) return true;
    return (n->kind == N_EXPRESSION && is_array_assignment(n)) || (n->kind == N_FOR && independent_directive(n));
}

/* Versions for mappings, whose statements get versions for arrays that may be divided alike. */
static bool is_divided_again(const ties *t, const node *n) {
    const versions *v = n->kind == N_VERSIONS ? table_at(&t->p->versions_at, n) : NULL;
    return t->alike && v && v->likes == 0;
}

static void walk(const ties *t, node *n) {
    const bool is_value = n->kind == N_COMPOUND && n->parent && n->parent->kind == N_STATEMENT_EXPRESSION;
    operation op;
    if (!is_value) divide_block(t, n);
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c] || (is_closed(n->child[c]) && !is_divided_again(t, n->child[c]))) continue;
        if (reduction_call(n->child[c], &op))
            divide_reduction(t, n, c);
        else
            walk(t, n->child[c]);
    }
}

void make_versions(program *p) {
    ties t = {.p = p};
    find_directives(&t, p->unit);
    if (p->reached_count > 0) walk(&t, p->unit);
    t.alike = true;
    walk(&t, p->unit);
}
