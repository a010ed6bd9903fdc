/* Pass "lower": references and their subscripts. */
#include <stdlib.h>
#include <string.h>

#include "../model/knowledge.h"
#include "lower.h"

/* ---- Affine forms */

typedef struct {
    bool affine;
    int index; /* -1: invariant */
    linear stride, offset;
    linear beyond; /* indices of inner reductions that are added to another index; between: */
    linear low, high;
    const linear *from, *to; /* of a clamped subscript: its least and greatest value; NULL: it is none */
} form;

/* Values that inner reductions may add: beyond, ghost cells would cost more than messages. */
enum { MOST_BEYOND = 64 };

static form invariant_form(lowering *l, node *n) {
    if (needs_hoisting(n) || (is_conditional(l) && may_fail(n))) hoist(l, n);
    return (form){
        .affine = true, .index = -1, .stride = linear_constant(0), .offset = linear_of(l->p->memory, l->p->source, n)};
}

static form affine_form(lowering *l, node *n);

/* An index whose factor is 0 is none: i - i, 0 * i. */
static form without_zero(form x) {
    if (x.index >= 0 && linear_is(&x.stride, 0)) x.index = -1;
    return x;
}

/* Whether the values that an index of an inner reduction takes are few constants, or known at run time before the
 * statement. */
static bool has_limits(const loop_index *i, int64_t factor) {
    const linear *low = least_value(i), *high = greatest_value(i);
    if (!linear_is_constant(low) || !linear_is_constant(high)) return factor == 1 || factor == -1;
    return low->constant >= -MOST_BEYOND && low->constant <= MOST_BEYOND && high->constant >= -MOST_BEYOND &&
           high->constant <= MOST_BEYOND && factor >= -MOST_BEYOND && factor <= MOST_BEYOND;
}

/* What x is where its index, of an inner reduction, is only added to another one; false: it is not such an index. */
static bool move_beyond(const lowering *l, form *x) {
    const loop_index *i = &l->s->index[x->index];
    arena *a = l->p->memory;
    if (i->reduction < 0 || l->loop || i->ragged || (i->symbol && i->symbol->has_value)) return false;
    if (!has_known_stride(i) || !linear_is_constant(&x->stride) || !has_limits(i, x->stride.constant)) return false;
    const linear *least = least_value(i), *most = greatest_value(i);
    const bool up = x->stride.constant > 0;
    x->beyond = linear_add(a, x->beyond, linear_multiply(a, x->stride, linear_atom(a, i->name, NULL)));
    x->low = linear_add(a, x->low, linear_multiply(a, x->stride, up ? *least : *most));
    x->high = linear_add(a, x->high, linear_multiply(a, x->stride, up ? *most : *least));
    x->index = -1;
    x->stride = linear_constant(0);
    return true;
}

static form negative(arena *a, form x) {
    const linear zero = linear_constant(0);
    return (form){.affine = x.affine,
                  .index = x.index,
                  .stride = linear_subtract(a, zero, x.stride),
                  .offset = linear_subtract(a, zero, x.offset),
                  .beyond = linear_subtract(a, zero, x.beyond),
                  .low = linear_subtract(a, zero, x.high),
                  .high = linear_subtract(a, zero, x.low)};
}

static form sum_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    if (!x.affine || !y.affine || x.from || y.from) return (form){0};
    if (x.index >= 0 && y.index >= 0 && x.index != y.index && !move_beyond(l, &y) && !move_beyond(l, &x))
        return (form){0};
    if (n->op[0] == '-') y = negative(a, y);
    return without_zero((form){.affine = true,
                               .index = x.index >= 0 ? x.index : y.index,
                               .stride = linear_add(a, x.stride, y.stride),
                               .offset = linear_add(a, x.offset, y.offset),
                               .beyond = linear_add(a, x.beyond, y.beyond),
                               .low = linear_add(a, x.low, y.low),
                               .high = linear_add(a, x.high, y.high)});
}

/* Whether nothing varies beside the index. */
static bool is_plain(const form *x) {
    return linear_is(&x->beyond, 0);
}

static form product_form(lowering *l, node *n) {
    form x = affine_form(l, n->child[0]), y = affine_form(l, n->child[1]);
    arena *a = l->p->memory;
    if (!x.affine || !y.affine || (x.index >= 0 && y.index >= 0) || !is_plain(&x) || !is_plain(&y)) return (form){0};
    form *moving = x.index >= 0 ? &x : &y;
    linear factor = x.index >= 0 ? y.offset : x.offset;
    return without_zero((form){.affine = true,
                               .index = moving->index,
                               .stride = linear_multiply(a, factor, moving->stride),
                               .offset = linear_multiply(a, factor, moving->offset)});
}

/* What steps between constants in C loops of an independent loop's body. */
static form ranged_form(const lowering *l, const node *n) {
    form x = {.affine = true, .index = -1, .stride = linear_constant(0), .offset = linear_constant(0)};
    const knowledge w = knowledge_at(l->p, l->s, n);
    x.beyond = linear_of(l->p->memory, l->p->source, n);
    int64_t least, most;
    x.affine = is_settled(&w, &x.beyond, w.loops) && find_extremes(&w, &x.beyond, &least, &most);
    if (x.affine) x.low = linear_number(l->p->memory, least), x.high = linear_number(l->p->memory, most);
    return x;
}

/* The C text of an element of a table whose subscripts are indices, or fixed; NULL: they are something else. */
static const char *table_text(lowering *l, const node *n) {
    if (n->kind == N_NAME) return n->name;
    const char *base = table_text(l, n->child[0]);
    const node *at = inside_conversions(n->child[1]);
    const int k = index_number(l, (node *)at);
    if (!base || (k < 0 && (mentions_index(l, at) || needs_hoisting((node *)at)))) return NULL;
    if (k >= 0 && l->s->index[k].symbol && l->s->index[k].symbol->has_value) return NULL;
    const char *words = k >= 0 ? l->s->index[k].name : ast_quote(l->p->memory, l->p->source, at);
    return arena_format(l->p->memory, "%s[%s]", base, words);
}

/* dx[k], of an array of small constants: it varies between them. */
static bool read_table(lowering *l, node *n, form *x) {
    int64_t least, most;
    if (l->loop || n->kind != N_INDEX || !table_extremes(n, &least, &most)) return false;
    const char *words = least >= -MOST_BEYOND && most <= MOST_BEYOND ? table_text(l, n) : NULL;
    if (!words) return false;
    *x = (form){.affine = true, .index = -1, .stride = linear_constant(0), .offset = linear_constant(0)};
    x->beyond = linear_atom(l->p->memory, words, n);
    x->low = linear_constant(least);
    x->high = linear_constant(most);
    return true;
}

/* ---- Clamped subscripts: `i > 0 ? i - 1 : 0` is an index, or a number at the end of its values, to which it goes only
 * from nearby */

/* Whether n is an index of the statement and constants, perhaps clamped: index + [low, high]. */
static bool is_near_index(const form *x) {
    return x->affine && x->index >= 0 && linear_is(&x->stride, 1) && linear_is_constant(&x->offset) &&
           linear_is_constant(&x->low) && linear_is_constant(&x->high) && llabs(x->offset.constant) <= MOST_BEYOND;
}

static int64_t least_beside(const form *x) {
    return x->offset.constant + x->low.constant;
}

static int64_t most_beside(const form *x) {
    return x->offset.constant + x->high.constant;
}

/* What the condition says where a number `end` is chosen: below: index + more_below <= end; above: index + more_above
 * >= end.  Where the other value is: index >= end + least, or index <= end + most. */
typedef struct {
    bool below, above, same;
    int64_t more_below, more_above, least, most, at; /* same: the index is end + at where it is chosen */
} limit;

/* Of `x REL end + more`, x near the index. */
static bool find_limit(const char *compares, const form *x, int64_t more, limit *found) {
    const bool less = compares[0] == '<', greater = compares[0] == '>', same = !strcmp(compares, "==");
    const int64_t strict = (less || greater) && !compares[1], low = least_beside(x), high = most_beside(x);
    *found = (limit){.below = less || same,
                     .above = greater || same,
                     .same = same,
                     .more_below = low - more + strict,
                     .more_above = high - more - strict,
                     .least = same ? 0 : more + 1 - strict - high,
                     .most = same ? 0 : more - 1 + strict - low,
                     .at = more - low};
    return (found->below || found->above) && (!same || low == high);
}

static const char *relation_of(const node *n, bool mirrored, bool negated) {
    static const char *const row[][3] = {{"<", ">", ">="},  {"<=", ">=", ">"}, {">", "<", "<="},
                                         {">=", "<=", "<"}, {"==", "==", ""},  {"!=", "!=", "=="}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (!strcmp(n->op, row[k][0])) {
            if (!negated) return mirrored ? row[k][1] : row[k][0];
            return mirrored && row[k][2][0] ? relation_of(&(node){.op = row[k][2]}, true, false) : row[k][2];
        }
    return "";
}

/* What the condition says where the number `end` stands in place of index k. */
static bool read_limit(lowering *l, node *condition, bool negated, const linear *end, int k, limit *found) {
    node *n = inside_parentheses(condition);
    if (n->kind != N_BINARY) return false;
    for (int side = 0; side < 2; side++) {
        const char *compares = relation_of(n, side == 1, negated);
        if (!*compares || mentions_index(l, n->child[!side])) continue;
        const form x = affine_form(l, n->child[side]);
        const linear other = linear_of(l->p->memory, l->p->source, n->child[!side]);
        const linear more = linear_subtract(l->p->memory, other, *end);
        if (is_near_index(&x) && x.index == k && linear_is_constant(&more) && llabs(more.constant) <= MOST_BEYOND)
            return find_limit(compares, &x, more.constant, found);
    }
    return false;
}

static int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static int64_t greater(int64_t x, int64_t y) {
    return x > y ? x : y;
}

static const linear *moved_by(arena *a, const linear *x, int64_t by) {
    linear *moved = arena_alloc(a, sizeof *moved);
    *moved = linear_add(a, *x, linear_number(a, by));
    return moved;
}

/* Whether the index is next to the end of its values where it is not there: `i == 0 ? .. : ..`. */
static bool is_at_end(lowering *l, const linear *end, const limit *at, const linear *last) {
    const linear *there = moved_by(l->p->memory, end, at->at);
    return at->same && linear_equal(there, last);
}

/* `end` stands in place of x, which is near its index, where that is at an end of its values: within what distance of
 * the index, and between which values, the clamped one is. */
static bool clamp(lowering *l, const linear *end, const form *x, limit *at, form *found) {
    arena *a = l->p->memory;
    const loop_index *i = &l->s->index[x->index];
    const knowledge w = knowledge_at(l->p, l->s, l->s->node);
    const int64_t low = least_beside(x), high = most_beside(x);
    if (!has_known_stride(i) || !is_settled(&w, end, w.loops)) return false;
    const linear *first = least_value(i), *last = greatest_value(i);
    if (at->below && is_at_most(&w, end, first)) {
        if (is_at_end(l, end, at, first)) at->least = at->at + 1;
        found->low = linear_number(a, lesser(low, lesser(0, at->more_below)));
        found->high = linear_number(a, greater(high, 0));
        found->from = moved_by(a, end, lesser(0, greater(at->least, 0) + low));
        found->to = x->to ? x->to : moved_by(a, last, greater(high, 0));
        return true;
    }
    if (!at->above || !is_at_most(&w, last, end)) return false;
    if (is_at_end(l, end, at, last)) at->most = at->at - 1;
    found->low = linear_number(a, lesser(low, 0));
    found->high = linear_number(a, greater(high, greater(0, at->more_above)));
    found->to = moved_by(a, end, greater(0, lesser(at->most, 0) + high));
    found->from = x->from ? x->from : moved_by(a, first, lesser(low, 0));
    return true;
}

static bool may_be_clamped(const node *n) {
    n = inside_parentheses((node *)n);
    return n->kind == N_CONDITIONAL || is_plain_arithmetic(n);
}

/* `c ? x : end` or `c ? end : x`. */
static bool read_clamped(lowering *l, node *n, form *found) {
    arena *a = l->p->memory;
    limit at;
    if (l->loop || n->kind != N_CONDITIONAL || !may_be_clamped(n->child[1]) || !may_be_clamped(n->child[2]))
        return false;
    for (int side = 1; side <= 2; side++) {
        node *number = n->child[side];
        if (mentions_index(l, number) || needs_hoisting(number)) continue;
        const form x = affine_form(l, n->child[3 - side]);
        const linear end = linear_of(a, l->p->source, number);
        *found = (form){.affine = true, .index = x.index, .stride = linear_constant(1), .offset = linear_constant(0)};
        if (!is_near_index(&x) || !read_limit(l, n->child[0], side == 2, &end, x.index, &at) ||
            !clamp(l, &end, &x, &at, found))
            continue;
        const char *words = arena_format(a, "(%s)", ast_quote(a, l->p->source, n));
        const linear index = linear_atom(a, l->s->index[x.index].name, NULL);
        found->beyond = linear_subtract(a, linear_atom(a, words, n), index);
        return true;
    }
    return false;
}

static form affine_form(lowering *l, node *n) {
    form constants;
    if (read_table(l, n, &constants) || read_clamped(l, n, &constants)) return constants;
    node *kept = kept_in_iteration(l->loop, n);
    if (kept) return affine_form(l, kept);
    if (l->loop && varies(l->loop, n) && !mentions_index(l, n)) return ranged_form(l, n);
    if (l->sections > 0 && section_count(n) > 0) return (form){0};
    int k = index_number(l, n);
    if (k >= 0 && l->s->index[k].ragged) return (form){0}; /* its elements are found iteration by iteration */
    if (k >= 0) {
        const symbol *s = l->s->index[k].symbol;
        return (form){.affine = true,
                      .index = k,
                      .stride = linear_constant(1),
                      .offset = linear_number(l->p->memory, s->kind == SYMBOL_INDEX && s->has_value ? s->value : 0)};
    }
    if (!mentions_index(l, n)) return invariant_form(l, n);
    if (n->kind == N_PAREN) return affine_form(l, n->child[0]);
    if (n->kind == N_BINARY && !n->op[1]) {
        if (n->op[0] == '+' || n->op[0] == '-') return sum_form(l, n);
        if (n->op[0] == '*') return product_form(l, n);
    }
    if (n->kind == N_UNARY && n->op[0] == '-' && !n->op[1]) {
        const form x = affine_form(l, n->child[0]);
        return x.from ? (form){0} : negative(l->p->memory, x);
    }
    return (form){0};
}

/* NULL: indices of inner reductions alone, or too far. */
static const nearness *nearness_of(const lowering *l, const form *f) {
    if (f->index < 0 || l->s->index[f->index].reduction >= 0) return NULL;
    const bool wide = !linear_is_constant(&f->low) || !linear_is_constant(&f->high);
    if (!wide && (f->low.constant < -MOST_BEYOND || f->high.constant > MOST_BEYOND)) return NULL;
    nearness *near = arena_alloc(l->p->memory, sizeof *near);
    *near = (nearness){f->index, f->stride,    f->offset,       f->beyond,  f->low,
                       f->high,  .wide = wide, .from = f->from, .to = f->to};
    if (!wide) near->least = f->low.constant, near->most = f->high.constant;
    return near;
}

subscript subscript_of(lowering *l, node *n) {
    if (l->loop && varies(l->loop, n) && !is_plain_arithmetic(n))
        return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n};
    form f = affine_form(l, n);
    if (!f.affine) return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n};
    if (!is_plain(&f) || (l->loop && varies(l->loop, n)))
        return (subscript){.kind = SUBSCRIPT_GENERAL, .node = n, .near = nearness_of(l, &f)};
    if (f.index < 0) return (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = f.offset, .node = n};
    return (subscript){.kind = SUBSCRIPT_AFFINE, .index = f.index, .stride = f.stride, .offset = f.offset, .node = n};
}

/* ---- Remainders: A[(i + 1) % n] goes round, as cshift does */

static linear extent_written(arena *a, const array *x, int d) {
    return linear_add(a, linear_subtract(a, x->written_upper[d], x->written_lower[d]), linear_constant(1));
}

/* Whether the values of index x plus offset are at least 0; whether they are below twice the extent, unless something
 * varies beside them. */
static bool goes_round(const knowledge *w, const loop_index *x, const form *f, const linear *extent) {
    const linear zero = linear_constant(0);
    linear low = f->offset, high = f->offset, most = linear_constant(-1);
    if (!has_known_stride(x) || !is_settled(w, least_value(x), w->loops) || !is_settled(w, &f->offset, w->loops) ||
        !add_multiple(w->memory, &low, 1, least_value(x)) || !add_multiple(w->memory, &low, 1, &f->low) ||
        !is_at_most(w, &zero, &low))
        return false;
    return !is_plain(f) ||
           (is_settled(w, greatest_value(x), w->loops) && add_multiple(w->memory, &high, 1, greatest_value(x)) &&
            add_multiple(w->memory, &most, 2, extent) && is_at_most(w, &high, &most));
}

/* How far it goes, the other way round if that is nearer. */
static linear nearest_distance(arena *a, const linear *offset, const linear *extent) {
    const linear back = linear_subtract(a, *offset, *extent);
    if (!linear_is_constant(&back)) return *offset;
    return linear_is_constant(offset) && offset->constant < -back.constant ? *offset : back;
}

/* x, in which variables that keep constant values are these. */
static linear with_constants(const lowering *l, linear x) {
    arena *a = l->p->memory;
    for (int t = 0; t < x.terms; t++) {
        const linear_term term = x.term[t];
        linear value;
        if (!term.node || term.node->kind != N_NAME || term.coefficient == INT64_MIN) continue;
        if (!fixed_value(a, l->p->source, term.node->symbol, &value) || !linear_is_constant(&value)) continue;
        const linear name = linear_atom(a, term.text, term.node);
        if (!add_multiple(a, &x, -term.coefficient, &name) || !add_multiple(a, &x, term.coefficient, &value)) return x;
        t = -1;
    }
    return x;
}

/* A subscript (affine) % (extent of the dimension): as what a circular shift reads. */
static bool take_remainder(lowering *l, reference *r, int d, node *n) {
    arena *a = l->p->memory;
    n = (node *)inside_parentheses(n);
    if (!r->array || l->loop || l->sections > 0 || r->cycles == MOST_CYCLES || r->array->is_template) return false;
    if (n->kind != N_BINARY || strcmp(n->op, "%") != 0 || n->replacement || mentions_index(l, n->child[1]))
        return false;
    if (!linear_is(&r->array->written_lower[d], 0)) return false;
    if (!is_plain_arithmetic(n->child[0])) return false;
    form f = affine_form(l, n->child[0]);
    const knowledge w = knowledge_at(l->p, l->s, l->s->node);
    const linear extent = with_constants(l, extent_written(a, r->array, d)),
                 modulus = with_constants(l, linear_of(a, l->p->source, n->child[1]));
    f.offset = with_constants(l, f.offset);
    if (!f.affine || f.index < 0 || f.from || !linear_is(&f.stride, 1)) return false;
    if (!is_settled(&w, &extent, 0) || !is_settled(&w, &modulus, 0) || !linear_equal(&extent, &modulus)) return false;
    if (!goes_round(&w, &l->s->index[f.index], &f, &extent)) return false;
    const linear moved = nearest_distance(a, &f.offset, &extent);
    const linear index = linear_atom(a, l->s->index[f.index].name, NULL);
    if (is_plain(&f)) {
        r->subscript[d] =
            (subscript){.kind = SUBSCRIPT_AFFINE, .index = f.index, .stride = linear_constant(1), .offset = moved};
    } else {
        form near = f;
        near.offset = moved;
        const linear stands = linear_add(a, linear_add(a, index, moved), f.beyond);
        r->subscript[d] = (subscript){
            .kind = SUBSCRIPT_GENERAL, .node = n, .text = linear_text(a, &stands), .near = nearness_of(l, &near)};
        if (!r->subscript[d].near || r->subscript[d].near->wide) return false;
        r->varies_round = true;
    }
    append_cycle(a, r,
                 (wrapping){.dim = d,
                            .position = linear_add(a, index, f.offset),
                            .extent = extent,
                            .step = linear_constant(1),
                            .moved = moved,
                            .reduced = f.offset,
                            .whole = true});
    return true;
}

/* ---- References */

/* Constants that add up to more than an index holds. */
static void check_fit(const lowering *l, const node *chain, const subscript *u) {
    const node *at = u->node ? u->node : chain;
    if (u->kind != SUBSCRIPT_GENERAL && !linear_fits(&u->offset))
        diagnose(l->p->source, at, D_overflow, ast_quote(l->p->memory, l->p->source, at), "long");
}

reference make_reference(lowering *l, node *chain, bool reads) {
    node *name, *subscripts[MAX_RANK];
    reference r = {
        .node = chain, .guarded = l->guarded, .confined = l->confined, .reduction = l->reduction, .mask = l->mask};
    r.own_mask = l->own_mask;
    index_chain(chain, &name, subscripts, &r.rank);
    r.base = name;
    r.symbol = name->symbol;
    r.array = array_at(l->p, name);
    make_dimensions(l->p->memory, &r, r.array && r.array->rank > r.rank ? r.array->rank : r.rank);
    const bool beside = section_count(chain) > 0;
    int k = 0;
    for (int d = 0; d < r.rank; d++) {
        if (subscripts[d]->kind == N_TRIPLET)
            r.subscript[d] = section_subscript(l, &r, k++, d, subscripts[d]);
        else if (beside && is_vector(subscripts[d]))
            r.subscript[d] = subscript_of(l, subscripts[d]), k++;
        else if (!reads || !take_remainder(l, &r, d, subscripts[d]))
            r.subscript[d] = subscript_of(l, subscripts[d]);
    }
    for (int d = 0; d < r.rank; d++) check_fit(l, chain, &r.subscript[d]);
    follow_plane(l, &r, subscripts);
    return r;
}

/* Makes the reference of a chain; false after an error. */
static bool read_reference(lowering *l, node *chain, reference *r) {
    int sections = section_count(chain);
    if (sections > 0 && sections != l->rank) {
        diagnose(l->p->source, chain, D_section_rank, sections, plural(sections),
                 ast_quote(l->p->memory, l->p->source, chain), l->rank);
        return false;
    }
    *r = make_reference(l, chain, true);
    return !r->array || r->rank == r->array->rank; /* else reported by check_uses */
}

/* Whether `count` subscripts may stand behind an expression. */
static bool has_elements(const node *base, int count) {
    const type *t = base->type;
    for (; count > 0 && t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER); count--) t = t->of;
    return count == 0 || !t || t->kind == TYPE_UNKNOWN;
}

/* As it is written, where what goes round varies beside an index. */
static reference unturned(lowering *l, const reference *r) {
    node *name, *subscripts[MAX_RANK];
    int count;
    reference out = copy_of_reference(l->p->memory, r);
    out.cycles = 0;
    out.cycle = NULL;
    out.turn = NO_TURNS;
    out.guarded = l->guarded;
    out.confined = l->confined;
    index_chain(r->node, &name, subscripts, &count);
    for (int d = 0; d < count; d++) out.subscript[d] = subscript_of(l, subscripts[d]);
    return out;
}

/* What goes round is all turns at once, if ghost cells hold it, and each turn by itself. */
static void keep_reference(lowering *l, reference r) {
    if (r.cycles == 0 || r.array)
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, r);
    if (r.varies_round) {
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, unturned(l, &r));
        return;
    }
    for (int turn = 0; r.cycles > 0 && turn < 1 << r.cycles; turn++)
        vector_add(l->p->memory, l->s->reference, l->s->references, l->s->reference_capacity, turned(l, &r, turn));
}

void collect_subscripts(lowering *l, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count, k = 0;
    index_chain(chain, &name, subscripts, &count);
    const bool beside = section_count(chain) > 0;
    for (int d = 0; d < count; d++) {
        const bool vector = beside && is_vector(subscripts[d]);
        lowering inner = *l;
        if (vector) {
            inner.rank = 1;
            inner.order[0] = l->order[k];
        }
        if (vector || subscripts[d]->kind == N_TRIPLET) k++;
        if (vector && section_count(first_section(subscripts[d])) != 1) continue; /* reported */
        if (subscripts[d]->kind != N_TRIPLET && mentions_index(l, subscripts[d]))
            collect_references(&inner, subscripts[d]);
    }
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
    collect_subscripts(l, n);
    if (name->kind != N_NAME) collect_references(l, name);
    l->in_place = in_place;
    if (adds) keep_reference(l, r);
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
        "putchar putc fputc fputs fwrite fopen freopen remove rename unlink rmdir mkdir system ",
        name);
}

/* A call for each element that each process makes for its own elements only, although it changes what all hold. */
static void warn_of_effect(lowering *l, const node *call, const node *f) {
    const char *effect = NULL;
    if (l->s->kind == PARALLEL_REDUCTION ? !reads_distributed(l->s->node)
                                         : l->s->kind != PARALLEL_ASSIGNMENT || !l->s->left.array)
        return;
    if (f->kind == N_NAME && !f->symbol && !acts_alone(f->name)) effect = "acts for the whole program";
    if (f->kind == N_NAME && f->symbol && f->symbol->kind == SYMBOL_FUNCTION)
        effect = effect_of(l->p, f->symbol, acts_alone);
    if (!effect && f->kind == N_NAME) effect = effect_of_passing(l->p, call, acts_alone);
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
