/* Pass "nests": foralls and reductions over matrices in one-dimensional arrays,
 *
 *     forall (i = 1:n-2, j = 1:n-2) B[i*n+j] = A[(i-1)*n+j] + A[i*n+j-1];
 *
 * whose subscripts no two indices tell the owner of.  They get one index, the left side's subscript, of which the
 * indices are quotient and remainder: forall (ij = n+1:n*(n-2)+n-2, ij % n >= 1 && ij % n <= n-2) B[ij] = A[ij-n] +
 * A[ij-1]. */
#include <stdlib.h>
#include <string.h>

#include "../model/knowledge.h"
#include "../model/types.h"
#include "flatten.h"

/* ---- Nodes */

/* Of type long. */
static node *new_node(const flattening *f, node_kind kind, token_index at, node *x, node *y) {
    return compose(f->p->memory, kind, at, type_of_element(ELEMENT_LONG), x, y, NULL);
}

static node *constant_node(const flattening *f, int64_t value, token_index at) {
    node *n = new_node(f, N_CONSTANT, at, NULL, NULL);
    n->name = arena_format(f->p->memory, "%lld", (long long)value);
    n->type = type_of_element(ELEMENT_INT);
    return n;
}

static bool is_number(const node *n, int64_t number) {
    int64_t value;
    return constant_value(n, &value) && value == number;
}

static node *new_operation(const flattening *f, const char *op, node *x, node *y, token_index at) {
    node *n = new_node(f, N_BINARY, at, x, y);
    n->op = op;
    return n;
}

/* Without what changes nothing. */
static node *operation_node(const flattening *f, const char *op, node *x, node *y, token_index at) {
    if (op[0] == '*' && (is_number(x, 0) || is_number(y, 1))) return x;
    if (op[0] == '*' && (is_number(y, 0) || is_number(x, 1))) return y;
    if (op[0] == '+' && is_number(x, 0)) return y;
    if ((op[0] == '+' || op[0] == '-') && is_number(y, 0)) return x;
    return new_operation(f, op, x, y, at);
}

static node *flat_name(const flattening *f, token_index at) {
    node *n = new_node(f, N_NAME, at, NULL, NULL);
    n->made = false;
    n->name = f->flat->name;
    n->name_token = at;
    n->symbol = f->flat;
    return n;
}

/* A name or number as it stands, anything else in parentheses; what goes round below 0 as a long. */
static node *copy_of(const flattening *f, const node *n, token_index at) {
    node *copy = clone_reached(f->p, n);
    int64_t value;
    if (n->kind == N_CONSTANT && !n->made && n->first == f->first->first) { /* its token gets the subscript's text */
        copy->made = true;
        copy->name = f->p->source->tokens[n->first].text;
    }
    if (type_is_long_unsigned(n->type) && !constant_value(n, &value)) {
        if (n->kind != N_NAME) copy = compose(f->p->memory, N_PAREN, at, n->type, copy, NULL, NULL);
        return compose_cast(f->p->memory, at, type_of_element(ELEMENT_LONG), copy);
    }
    return n->kind == N_NAME || n->kind == N_CONSTANT ? copy : new_node(f, N_PAREN, at, copy, NULL);
}

static node *moved_node(const flattening *f, node *n, int64_t more, token_index at) {
    return operation_node(f, more < 0 ? "-" : "+", n, constant_node(f, llabs(more), at), at);
}

/* An end of an index. */
static node *end_node(const flattening *f, int k, bool high, token_index at) {
    const symbol *s = f->index[k].symbol;
    const int64_t more = high ? s->upper_more : s->lower_more;
    node *n = copy_of(f, high ? f->index[k].upper : f->index[k].lower, at);
    return moved_node(f, n, more, at);
}

/* Whether the program computes with more bits than the operand has. */
static bool widens(const node *n) {
    const type *t = n->child[1]->type;
    return !n->made || !type_is_signed_integer(t) || element_bytes(n->type->element) > element_bytes(t->element);
}

/* Bounds are computed with as many bits as the subscript that they are made of. */
static void widen_widths(flattening *f) {
    const type *t = f->first->type;
    for (int k = 0; k < f->widths.count && type_is_signed_integer(t); k++) {
        const node *width = f->widths.node[k];
        int64_t value;
        if (!constant_value(width, &value) && type_is_signed_integer(width->type) &&
            element_bytes(width->type->element) < element_bytes(t->element))
            f->widths.node[k] = compose_cast(f->p->memory, f->first->first, t, copy_of(f, width, f->first->first));
    }
}

/* n, in which the indices are 0. */
static node *without_indices(const flattening *f, const node *n, token_index at) {
    if (n->kind == N_NAME && flat_index_number(f, n->symbol) >= 0) return constant_node(f, 0, at);
    if (n->kind == N_PAREN) return without_indices(f, n->child[0], at);
    if (n->kind == N_CAST) {
        node *x = without_indices(f, n->child[1], at);
        return x->kind == N_CONSTANT || !widens(n) ? x : compose_cast(f->p->memory, at, n->type, x);
    }
    if (n->kind == N_UNARY && !strcmp(n->op, "-"))
        return operation_node(f, "-", constant_node(f, 0, at), without_indices(f, n->child[0], at), at);
    if (n->kind != N_BINARY || n->op[1] || !strchr("+-*", n->op[0])) return copy_of(f, n, at);
    return operation_node(f, n->op, without_indices(f, n->child[0], at), without_indices(f, n->child[1], at), at);
}

static node *named_part(const flattening *f, node *n, const char *name) {
    n->name = name;
    n->symbol = f->flat;
    return n;
}

/* Part k of the flat index: what is left of the division by the widths before it, of its width. */
static node *part_node(const flattening *f, int k, token_index at) {
    const node *width = f->widths.node[0];
    node *n = flat_name(f, at);
    if (k == 0) return named_part(f, new_operation(f, "%", n, copy_of(f, width, at), at), ROW_PLACE);
    n = named_part(f, new_operation(f, "/", n, copy_of(f, width, at), at), ROW_NUMBER);
    for (int w = 1; w < k; w++) n = new_operation(f, "/", n, copy_of(f, f->widths.node[w], at), at);
    return k == f->widths.count ? n : new_operation(f, "%", n, copy_of(f, f->widths.node[k], at), at);
}

/* Whether the terms beside the index in part k have nodes that are plain. */
static bool is_beside_plain(const flattening *f, int k) {
    const linear x = beside_flat_index(f, k);
    for (int t = 0; t < x.terms; t++)
        if (!x.term[t].node || !is_plain_beside(f, x.term[t].node)) return false;
    return true;
}

static node *sum_node(const flattening *f, const linear *x, token_index at) {
    node *sum = NULL;
    for (int t = 0; t < x->terms; t++) {
        const int64_t factor = x->term[t].coefficient;
        node *one = operation_node(f, "*", constant_node(f, llabs(factor), at), copy_of(f, x->term[t].node, at), at);
        if (!sum && factor < 0) sum = constant_node(f, 0, at);
        sum = sum ? operation_node(f, factor < 0 ? "-" : "+", sum, one, at) : one;
    }
    return sum ? moved_node(f, sum, x->constant, at) : constant_node(f, x->constant, at);
}

/* What the subscript is more than the index. */
static node *base_node(const flattening *f, token_index at) {
    node *n = constant_node(f, 0, at);
    for (int k = f->indices; k-- > 0;) {
        if (k < f->widths.count) n = operation_node(f, "*", n, copy_of(f, f->widths.node[k], at), at);
        if (f->base[k].terms > 0) n = operation_node(f, "+", n, sum_node(f, &f->base[k], at), at);
    }
    return n;
}

/* n and what is beside the index in part k, or (back) that without n. */
static node *beside_node(const flattening *f, int k, node *n, bool back, token_index at) {
    const linear x = beside_flat_index(f, k);
    if (!back && x.terms == 0) return moved_node(f, n, x.constant, at);
    return operation_node(f, back ? "-" : "+", sum_node(f, &x, at), n, at);
}

/* What part k is where its index is at an end. */
static node *part_end(const flattening *f, int k, bool high, token_index at) {
    return beside_node(f, k, end_node(f, f->at[k], high != f->back[k], at), f->back[k], at);
}

/* The least or greatest value of the flat index. Whole rows end before the next one begins: n * m - 1. */
static node *bound_node(const flattening *f, bool high, token_index at) {
    node *n = part_end(f, f->widths.count, high, at);
    for (int k = f->widths.count; k-- > 0;) {
        const linear end = end_of_flat_part(f, k, high), last = last_flat_place(f, k);
        const bool whole = high && linear_equal(&end, &last);
        node *rows = whole ? moved_node(f, n, 1, at) : n;
        n = operation_node(f, "*", rows, copy_of(f, f->widths.node[k], at), at);
        n = whole ? moved_node(f, n, -1, at) : operation_node(f, "+", n, part_end(f, k, high, at), at);
    }
    return n;
}

/* n less what is beside the index in part k. */
static node *less_beside(const flattening *f, int k, node *n, token_index at) {
    const linear x = beside_flat_index(f, k);
    if (x.terms == 0) return moved_node(f, n, -x.constant, at);
    node *beside = beside_node(f, k, constant_node(f, 0, at), false, at);
    return operation_node(f, "-", n, new_node(f, N_PAREN, at, beside, NULL), at);
}

/* The index of part k, with the type that it had. */
static node *index_node(const flattening *f, int k, token_index at) {
    const type *t = f->index[f->at[k]].symbol->type;
    node *n = part_node(f, k, at);
    n = f->back[k] ? beside_node(f, k, n, true, at) : less_beside(f, k, n, at);
    if (!t || t->kind != TYPE_ARITHMETIC || t->element == ELEMENT_LONG) return n;
    return compose_cast(f->p->memory, at, t, n);
}

/* ---- In place of what the program has */

/* The flat index, of parts `from` on, and how far a subscript is from it in each of them; where that is no constant,
 * the difference of both (NULL: there is none). */
static node *moved_by(const flattening *f, const node *n, const linear *part, int from, token_index at) {
    node *made = flat_name(f, at);
    if (from > 0) made = named_part(f, new_operation(f, "/", made, copy_of(f, f->widths.node[0], at), at), ROW_NUMBER);
    for (int k = f->widths.count; k >= from; k--) {
        const linear distance = linear_subtract(f->p->memory, part[k], f->form[k]);
        if (!linear_is_constant(&distance) && (!n || f->group > 0)) return NULL;
        if (!linear_is_constant(&distance)) {
            node *more = operation_node(f, "-", without_indices(f, n, at), without_indices(f, f->first, at), at);
            if (f->based) more = operation_node(f, "+", more, base_node(f, at), at);
            return operation_node(f, "+", flat_name(f, at), more, at);
        }
        const bool back = distance.constant < 0;
        node *rows = constant_node(f, llabs(distance.constant), at);
        for (int w = k; w-- > from;) rows = operation_node(f, "*", rows, copy_of(f, f->widths.node[w], at), at);
        made = operation_node(f, back ? "-" : "+", made, rows, at);
    }
    return made;
}

/* Whether parts `from` on differ from those of the flat index by what is fixed. */
static bool follows_index(const flattening *f, const linear *part, int from) {
    for (int k = from; k < f->indices; k++) {
        const linear distance = linear_subtract(f->p->memory, part[k], f->form[k]);
        for (int t = 0; t < distance.terms; t++)
            if (distance.term[t].node && mentions_flat_indices(f, distance.term[t].node)) return false;
    }
    return true;
}

/* Of an array that has an element for each of the rows that the index goes through, A[i*n + j] beside B[(i*n + j)*3 +
 * k]; NULL: it is none such. */
static node *row_subscript_of(const flattening *f, const flat_reader *r, const node *n) {
    flat_widths outer = {.count = f->widths.count - 1};
    linear part[MOST_WIDTHS + 1];
    if (outer.count < 1) return NULL;
    for (int k = 0; k < outer.count; k++) outer.width[k] = f->widths.width[k + 1];
    if (!split_by_widths(r, n, &outer, part + 1) || !follows_index(f, part, 1)) return NULL;
    return moved_by(f, NULL, part, 1, n->first);
}

/* Of an array that has a group of elements for each value of the index, B[(i*n + j)*3 + 1] beside A[i*n + j]; NULL: it
 * is none such. */
static node *group_subscript_of(const flattening *f, const flat_reader *r, const node *n) {
    flat_widths inner;
    linear part[MOST_WIDTHS + 1];
    const token_index at = n->first;
    if (!read_widths(r, n, &inner) || inner.count != f->widths.count + 1 || !linear_is_constant(&inner.width[0]))
        return NULL;
    for (int k = 0; k < f->widths.count; k++)
        if (!linear_equal(&inner.width[k + 1], &f->widths.width[k])) return NULL;
    if (!split_by_widths(r, n, &inner, part) || !follows_index(f, part + 1, 0)) return NULL;
    for (int t = 0; t < part[0].terms; t++)
        if (!part[0].term[t].node || mentions_flat_indices(f, part[0].term[t].node)) return NULL;
    node *moved = moved_by(f, NULL, part + 1, 0, at);
    if (!moved) return NULL;
    if (moved->kind != N_NAME) moved = new_node(f, N_PAREN, at, moved, NULL);
    node *first = operation_node(f, "*", constant_node(f, inner.width[0].constant, at), moved, at);
    return part[0].terms == 0 ? moved_node(f, first, part[0].constant, at)
                              : operation_node(f, "+", first, sum_node(f, &part[0], at), at);
}

/* The flat index and what is fixed, or what goes with it; NULL: the subscript is none of that kind. */
static node *flat_subscript_of(const flattening *f, const node *n) {
    const flat_reader r = flat_reader_of(f);
    linear part[MOST_WIDTHS + 1];
    node *made = NULL;
    if (split_by_widths(&r, n, &f->widths, part) && follows_index(f, part, 0)) made = moved_by(f, n, part, 0, n->first);
    if (!made) made = group_subscript_of(f, &r, n);
    return made ? made : row_subscript_of(f, &r, n);
}

static node *flattened(const flattening *f, node *n) {
    const int k = n->kind == N_NAME ? flat_index_number(f, n->symbol) : -1;
    node **at = flat_subscript_in(n), *made = at ? flat_subscript_of(f, *at) : NULL;
    if (k >= 0) {
        for (int part = 0; part < f->indices; part++)
            if (f->at[part] == k) made = index_node(f, part, n->first);
        made->last = n->last;
        return made;
    }
    if (made) {
        made->last = (*at)->last;
        made->parent = n;
        *at = made;
    }
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c] || (made && c == 1)) continue;
        n->child[c] = flattened(f, n->child[c]);
        n->child[c]->parent = n;
    }
    return n;
}

/* The iterations that there are: n, and that places in rows are those of the indices. */
static node *with_condition(const flattening *f, node *n, int k, bool high, token_index at) {
    const linear end = end_of_flat_part(f, k, high), zero = linear_constant(0), last = last_flat_place(f, k);
    if (linear_equal(&end, high ? &last : &zero)) return n;
    node *one = operation_node(f, high ? "<=" : ">=", part_node(f, k, at), part_end(f, k, high, at), at);
    one->type = type_of_element(ELEMENT_INT);
    if (!n) return one;
    node *both = operation_node(f, "&&", n, one, at);
    both->type = type_of_element(ELEMENT_INT);
    return both;
}

static node *places_in_rows(const flattening *f, token_index at) {
    node *n = NULL;
    for (int k = 0; k < f->widths.count; k++) {
        for (int high = 0; high < 2; high++) n = with_condition(f, n, k, high, at);
        if (k == 0 && n) n = named_part(f, new_node(f, N_PAREN, at, n, NULL), ROW_LIMITS);
    }
    return n;
}

/* "ij" of i and j: the indices from part `from` on, the outermost first. */
static const char *joint_name(const flattening *f, int from) {
    text name;
    bool letters = true;
    text_start(&name, f->p->memory);
    for (int k = from; k < f->indices; k++) letters = letters && !f->index[f->at[k]].symbol->name[1];
    for (int k = f->indices; k-- > from;)
        text_format(&name, "%s%s", name.length && !letters ? "_" : "", f->index[f->at[k]].symbol->name);
    return text_of(&name);
}

static const flat_rows *innermost_rows(const flattening *f) {
    flat_rows *rows = arena_alloc(f->p->memory, sizeof *rows);
    *rows = (flat_rows){.width = f->widths.width[0],
                        .parts = f->indices,
                        .row = joint_name(f, 1),
                        .place = f->index[f->at[0]].symbol->name};
    for (int k = 0; k < f->indices; k++) {
        rows->least[k] = end_of_flat_part(f, k, false);
        rows->greatest[k] = end_of_flat_part(f, k, true);
    }
    if (f->widths.count > 1) rows->row = fresh_name(f->p, rows->row);
    return rows;
}

static void name_flat(flattening *f) {
    const char *own = fresh_name(f->p, joint_name(f, 0));
    f->flat = arena_alloc(f->p->memory, sizeof *f->flat);
    *f->flat = (symbol){.kind = SYMBOL_INDEX,
                        .name = own,
                        .spelling = own,
                        .type = type_of_element(ELEMENT_LONG),
                        .declarator = f->index[0].symbol->declarator,
                        .declaration = f->root,
                        .scope = f->root,
                        .rows = innermost_rows(f)};
}

static bool has_plain_parts(const flattening *f) {
    for (int k = 0; k < f->indices; k++)
        if (!is_beside_plain(f, k)) return false;
    for (int k = 0; f->based && k < f->indices; k++)
        for (int t = 0; t < f->base[k].terms; t++)
            if (!is_plain_beside(f, f->base[k].term[t].node)) return false;
    return true;
}

/* Joins what must hold with what the program asks for. */
static node *joined(const flattening *f, node *places, node *mask, token_index at) {
    if (!places || !mask) return places ? places : mask;
    node *both = operation_node(f, "&&", places, mask, at);
    both->type = type_of_element(ELEMENT_INT);
    return both;
}

static bool begin(flattening *f, decision *d) {
    node **at = d->chain && !d->apart ? flat_subscript_in(d->chain) : NULL;
    if (!at || bounds_by_flat_indices(f, f->root) || !take_flat_subscript(f, *at) || !has_plain_parts(f)) return false;
    f->first = clone_reached(f->p, *at);
    widen_widths(f);
    name_flat(f);
    return true;
}

/* The token of what is made for a forall: its first index, but where this is a loop that other statements are made of,
 * too, one that is its own. */
static token_index own_token(const node *forall) {
    token_index at = forall->child[2]->first;
    for (const node *n = forall; n; n = n->parent)
        if (n->first > at) at = n->first;
    return at;
}

static void flatten_forall(program *p, node *root) {
    flattening f = {.p = p, .root = root};
    decision d = {0};
    if (!read_flat_indices(&f)) return;
    decide_flat(&f, root->child[1], true, &d);
    if (!begin(&f, &d)) return;
    const token_index at = own_token(root);
    node *index = new_node(&f, N_FORALL_INDEX, at, bound_node(&f, false, at), bound_node(&f, true, at));
    index->made = false;
    index->name = f.flat->name;
    index->name_token = root->child[2]->name_token;
    index->symbol = f.flat;
    node *places = places_in_rows(&f, at), *mask = root->child[0] ? flattened(&f, root->child[0]) : NULL;
    root->child[0] = joined(&f, places, mask, at);
    root->child[1] = flattened(&f, root->child[1]);
    root->child[2] = index;
    root->count = 3;
    for (size_t c = 0; c < root->count; c++)
        if (root->child[c]) root->child[c]->parent = root;
}

/* A reduction whose result does not depend on the order of two indices. */
static bool may_flatten(node *n) {
    operation op;
    return n->kind == N_CALL && reduction_call(n, &op) && op != OPERATION_MINLOC && op != OPERATION_MAXLOC;
}

static void flatten_reduction(program *p, node *root) {
    flattening f = {.p = p, .root = root};
    decision d = {0};
    size_t behind = 0;
    for (const node *n = root->parent; n; n = n->parent)
        if (n->kind == N_FORALL || may_flatten((node *)n)) return; /* its iterations are in others */
    if (!read_flat_ranges(&f, &behind) || behind >= root->count) return;
    for (size_t c = behind; c < root->count; c++) decide_flat(&f, root->child[c], false, &d);
    if (!begin(&f, &d)) return;
    const token_index at = root->child[1]->first;
    node *start = new_node(&f, N_ASSIGN, at, flat_name(&f, at), bound_node(&f, false, at));
    start->op = "=";
    start->made = false;
    node *range = new_node(&f, N_RANGE, at, start, bound_node(&f, true, at));
    range->made = false;
    const bool masked = root->count - behind > 1;
    node *mask = masked ? flattened(&f, root->child[behind]) : NULL;
    node *value = flattened(&f, root->child[root->count - 1]);
    mask = joined(&f, places_in_rows(&f, at), mask, at);
    root->child[1] = range;
    root->count = 2;
    if (mask) root->child[root->count++] = mask;
    root->child[root->count++] = value;
    for (size_t c = 0; c < root->count; c++) root->child[c]->parent = root;
}

void flatten_matrices(program *p, node *n) {
    if (n->kind == N_FORALL && n->count > 3) flatten_forall(p, n);
    if (may_flatten(n)) flatten_reduction(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) flatten_matrices(p, n->child[c]);
}
