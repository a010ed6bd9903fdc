/* Pass "nests": which indices of a forall or a reduction are added up in one subscript, and how: what flatten.c puts
 * one index in place of. */
#include <stdlib.h>
#include <string.h>

#include "../model/knowledge.h"
#include "../model/types.h"
#include "flatten.h"

/* ---- What the indices are */

int flat_index_number(const flattening *f, const symbol *s) {
    for (int k = 0; k < f->indices; k++)
        if (f->index[k].symbol == s) return k;
    return -1;
}

bool mentions_flat_indices(const void *context, const node *n) {
    const flattening *f = context;
    for (int k = 0; k < f->indices; k++)
        if (mentions_symbol(n, f->index[k].symbol)) return true;
    return false;
}

/* Names and numbers that no iteration changes. */
bool is_plain_beside(const flattening *f, const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_CALL || n->kind == N_INDEX || n->kind == N_MEMBER || n->kind == N_UNARY || is_store(n))
        return false;
    if (n->replacement || (n->kind == N_NAME && (!s || s->array))) return false;
    if (s && s->kind == SYMBOL_VARIABLE && (node_holds(f->root, s->declarator) || !type_counts_as_long(s->type)))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_plain_beside(f, n->child[c])) return false;
    return true;
}

static bool is_fixed_width(const void *context, const node *n) {
    return !mentions_flat_indices(context, n) && is_plain_beside(context, n);
}

static bool add_flat_index(flattening *f, symbol *s, node *lower, node *upper) {
    arena *a = f->p->memory;
    const int k = f->indices;
    if (k > MOST_WIDTHS || !s || s->has_value || !is_plain_beside(f, lower) || !is_plain_beside(f, upper)) return false;
    if (mentions_flat_indices(f, lower) || mentions_flat_indices(f, upper)) return false;
    f->index[k].symbol = s;
    f->index[k].lower = lower;
    f->index[k].upper = upper;
    f->index[k].low = linear_add(a, linear_of(a, f->p->source, lower), linear_constant(s->lower_more));
    f->index[k].high = linear_add(a, linear_of(a, f->p->source, upper), linear_constant(s->upper_more));
    f->indices++;
    return true;
}

/* Of a forall, the outermost first. */
bool read_flat_indices(flattening *f) {
    for (size_t c = 2; c < f->root->count; c++) {
        node *x = f->root->child[c];
        if ((x->count > 2 && x->child[2]) || !add_flat_index(f, x->symbol, x->child[0], x->child[1])) return false;
    }
    return f->indices > 1;
}

/* Of a reduction; *behind: the first child that is no range. */
bool read_flat_ranges(flattening *f, size_t *behind) {
    size_t c = 1;
    for (; c < f->root->count && f->root->child[c]->kind == N_RANGE; c++) {
        const node *range = f->root->child[c];
        if (range->count > 2 && range->child[2]) return false;
        if (!add_flat_index(f, range->child[0]->child[0]->symbol, range->child[0]->child[1], range->child[1]))
            return false;
    }
    *behind = c;
    return f->indices > 1;
}

/* ---- The subscript that becomes the index */

flat_reader flat_reader_of(const flattening *f) {
    return (flat_reader){.memory = f->p->memory,
                         .source = f->p->source,
                         .varies = mentions_flat_indices,
                         .is_fixed = is_fixed_width,
                         .context = f,
                         .constants = true};
}

/* The only subscript of a divided array's element; NULL: n is none. */
node **flat_subscript_in(node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    const array *a = distributed_reference(n);
    if (!a || !index_chain(n, &name, subscripts, &count) || count != 1 || a->rank != 1) return NULL;
    return subscripts[0]->kind == N_TRIPLET || !may_be_distributed(a, 0) ? NULL : &n->child[1];
}

/* The index that a form adds or subtracts, beside what is fixed; -1: it is something else. */
static int index_in(const flattening *f, const linear *x, bool *back) {
    int found = -1;
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        const int k = n && n->kind == N_NAME ? flat_index_number(f, n->symbol) : -1;
        if (k < 0 && n && mentions_flat_indices(f, n)) return -1;
        if (k < 0) continue;
        if (found >= 0 || (x->term[t].coefficient != 1 && x->term[t].coefficient != -1)) return -1;
        *back = x->term[t].coefficient < 0;
        found = k;
    }
    return found;
}

/* What is beside the index in part k. */
linear beside_flat_index(const flattening *f, int k) {
    linear x = f->form[k];
    for (int t = 0; t < f->form[k].terms; t++) {
        const linear_term *term = &f->form[k].term[t];
        if (!term->node || term->node->kind != N_NAME || flat_index_number(f, term->node->symbol) != f->at[k]) continue;
        const linear atom = linear_atom(f->p->memory, term->text, term->node);
        x = linear_subtract(f->p->memory, x, linear_multiply(f->p->memory, linear_constant(term->coefficient), atom));
    }
    return x;
}

static bool is_at_least(const flattening *f, const linear *low, const linear *x) {
    const linear room = linear_subtract(f->p->memory, *x, *low);
    const knowledge w = knowledge_at(f->p, &(parallel){0}, f->root);
    return linear_is_constant(&room) ? room.constant >= 0 : is_at_most(&w, low, x);
}

/* The least or greatest value of part k. */
linear end_of_flat_part(const flattening *f, int k, bool high) {
    arena *a = f->p->memory;
    const linear end = high != f->back[k] ? f->index[f->at[k]].high : f->index[f->at[k]].low;
    const linear beside = beside_flat_index(f, k);
    return f->back[k] ? linear_subtract(a, beside, end) : linear_add(a, beside, end);
}

linear last_flat_place(const flattening *f, int k) {
    return linear_subtract(f->p->memory, f->widths.width[k], linear_constant(1));
}

/* Leaves out the innermost width, a number, where all indices are in what is multiplied with it. */
static bool leave_group(flattening *f) {
    bool back;
    if (f->widths.count != f->indices || index_in(f, &f->form[0], &back) >= 0) return false;
    for (int t = 0; t < f->form[0].terms; t++)
        if (!f->form[0].term[t].node || mentions_flat_indices(f, f->form[0].term[t].node)) return false;
    if (!linear_is_constant(&f->widths.width[0])) return false;
    f->group = f->widths.width[0].constant;
    f->widths.count--;
    for (int k = 0; k < f->widths.count; k++) {
        f->widths.width[k] = f->widths.width[k + 1];
        f->widths.node[k] = f->widths.node[k + 1];
    }
    for (int k = 0; k <= f->widths.count; k++) f->form[k] = f->form[k + 1];
    return f->widths.count > 0;
}

/* Whether each index is a part of the subscript, and places in rows are in them. */
static bool has_index_parts(flattening *f) {
    const linear zero = linear_constant(0);
    unsigned used = 0;
    for (int k = 0; k < f->indices; k++) {
        f->at[k] = index_in(f, &f->form[k], &f->back[k]);
        if (f->at[k] < 0 || used >> f->at[k] & 1) return false;
        used |= 1u << f->at[k];
        const linear low = end_of_flat_part(f, k, false), high = end_of_flat_part(f, k, true);
        if (!is_at_least(f, &zero, &low)) return false;
        if (k == f->widths.count) break;
        const linear last = last_flat_place(f, k);
        if (!is_at_least(f, &high, &last)) return false;
    }
    return true;
}

/* Takes the terms without indices out of the parts; false: there are none. */
static bool take_base(flattening *f) {
    arena *a = f->p->memory;
    f->based = false;
    for (int k = 0; k < f->indices; k++) {
        f->base[k] = linear_constant(0);
        for (int t = 0; t < f->form[k].terms; t++) {
            const linear_term *term = &f->form[k].term[t];
            if (!term->node || mentions_flat_indices(f, term->node)) continue;
            const linear atom = linear_atom(a, term->text, term->node);
            f->base[k] = linear_add(a, f->base[k], linear_multiply(a, linear_constant(term->coefficient), atom));
        }
        f->form[k] = linear_subtract(a, f->form[k], f->base[k]);
        f->based = f->based || f->base[k].terms > 0;
    }
    return f->based;
}

bool take_flat_subscript(flattening *f, node *n) {
    const flat_reader r = flat_reader_of(f);
    f->based = false;
    if (!read_widths(&r, n, &f->widths) || !split_by_widths(&r, n, &f->widths, f->form)) return false;
    if (f->widths.count + 1 != f->indices && !leave_group(f)) return false;
    f->first = n;
    return has_index_parts(f) || (f->group == 0 && take_base(f) && has_index_parts(f));
}

/* The element whose subscript decides: the first left side of a forall, the first element of a reduction's value that
 * is such; `apart`: there is one that other subscripts than such tell the owner of. */

void decide_flat(flattening *f, node *n, bool stores, decision *d) {
    if (stores && n->kind == N_ASSIGN) {
        node *left = inside_parentheses(n->child[0]), *around = element_around(left);
        node *chain = around ? around : left;
        node **at = distributed_reference(chain) ? flat_subscript_in(chain) : NULL;
        if (!distributed_reference(chain) && left->kind == N_NAME) return; /* a local */
        if (!at || first_section(n)) d->apart = true;
        if (at && !d->chain) d->chain = chain;
        return;
    }
    if (n->kind == N_FORALL && n->count > 2 && n != f->root) d->apart = true;
    if (!stores && distributed_reference(n) && mentions_flat_indices(f, n)) {
        node **at = flat_subscript_in(n);
        if (!at) d->apart = true;
        if (at && !d->chain) d->chain = n;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) decide_flat(f, n->child[c], stores, d);
}

/* Whether bounds of a reduction in n depend on the indices. */
bool bounds_by_flat_indices(const flattening *f, const node *n) {
    if (n->kind == N_RANGE && n->parent != f->root && mentions_flat_indices(f, n)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && bounds_by_flat_indices(f, n->child[c])) return true;
    return false;
}
