/* --check=all: subscripts of ordinary memory in C's own counting loops.  Both ends are compared before the loops;
 * inside, a subscript is compared where it is evaluated only if some end was outside.
 *
 *     const bool inside = dpc_ends_inside(0 < n, 0, (dpc_wide_index)n - 1, 0, sizeof a / sizeof a[0]);
 *     for (int i = 0; i < n; i++) ... a[dpc_within_unless(inside, "file.dpc:7:12", "a", 0, i, ...)] */
#include <stdio.h>
#include <string.h>

#include "../analysis/model/model.h"
#include "../analysis/model/types.h"
#include "emitter.h"

enum { ALWAYS, DECIDED }; /* of elements that each iteration evaluates, or perhaps */

/* A C loop that is being printed, and what is compared before it. */
struct counted_loop {
    const node *loop;
    const parallel *current; /* what was being printed around it */
    const owner_statement *owned;
    const char *flag[2], *compared[2]; /* the names of the results, and what they are; NULL: none */
};

/* ---- Subscripts at the corners of the loops' ranges, as C text of 128 bits */

typedef struct {
    const char *text; /* an operand, unless it is a sum */
    bool constant, sum;
    int64_t value;
} wide;

static wide wide_constant(emitter *e, int64_t value) {
    return (wide){arena_format(e->memory, value < 0 ? "(%lld)" : "%lld", (long long)value), true, false, value};
}

static wide wide_operand(const char *s) {
    return (wide){s, false, false, 0};
}

static const char *factor_text(emitter *e, const wide *x) {
    return x->sum ? arena_format(e->memory, "(%s)", x->text) : x->text;
}

static wide wide_sum(emitter *e, wide x, wide y, bool minus) {
    int64_t value;
    if (x.constant && y.constant &&
        !(minus ? __builtin_sub_overflow(x.value, y.value, &value) : __builtin_add_overflow(x.value, y.value, &value)))
        return wide_constant(e, value);
    if (y.constant && y.value == 0) return x;
    if (x.constant && x.value == 0 && !minus) return y;
    if (x.constant && y.constant) x.text = arena_format(e->memory, "(dpc_wide_index)%s", x.text);
    return (wide){arena_format(e->memory, "%s %c %s", x.text, minus ? '-' : '+', minus ? factor_text(e, &y) : y.text),
                  false, true, 0};
}

static wide wide_product(emitter *e, wide x, wide y) {
    int64_t value;
    if (x.constant && y.constant && !__builtin_mul_overflow(x.value, y.value, &value)) return wide_constant(e, value);
    if ((x.constant && x.value == 0) || (y.constant && y.value == 1)) return x;
    if ((y.constant && y.value == 0) || (x.constant && x.value == 1)) return y;
    if (x.constant && y.constant) x.text = arena_format(e->memory, "(dpc_wide_index)%s", x.text);
    return wide_operand(arena_format(e->memory, "%s * %s", factor_text(e, &x), factor_text(e, &y)));
}

/* What C computes. */
static wide wide_value(emitter *e, node *n) {
    int64_t value;
    if (constant_value(n, &value)) return wide_constant(e, value);
    return wide_operand(arena_format(e->memory, "(dpc_wide_index)%s", parenthesise(e, emit_node(e, n))));
}

/* A bound of the loop as its variable sees it. */
static const char *bound_text(emitter *e, const type *counter, node *n, bool limit) {
    int64_t value;
    const element common = limit ? element_common(counter->element, n->type->element) : counter->element;
    if (constant_value(n, &value) && value >= 0 && value <= INT32_MAX) return emit_node(e, n);
    if (n->type->element == common || (limit && element_is_signed(common))) return emit_node(e, n);
    return arena_format(e->memory, "(%s)%s", element_spelling(common), parenthesise(e, emit_node(e, n)));
}

static wide wide_bound(emitter *e, const counting_loop *c, bool last) {
    int64_t value;
    node *n = (node *)(last ? c->limit : c->first);
    const char *s = bound_text(e, c->variable->type, n, last);
    const wide x = constant_value(n, &value) && value >= 0 && value <= INT32_MAX
                       ? wide_constant(e, value)
                       : wide_operand(arena_format(e->memory, "(dpc_wide_index)%s", parenthesise(e, s)));
    return last && !c->inclusive ? wide_sum(e, x, wide_constant(e, c->step > 0 ? 1 : -1), true) : x;
}

static wide wide_at(emitter *e, const stepped_subscript *x, unsigned corner, node *n) {
    int64_t value;
    if (constant_value(n, &value)) return wide_constant(e, value);
    for (int k = 0; n->kind == N_NAME && k < x->loops; k++)
        if (x->count[k].variable == n->symbol) return wide_bound(e, &x->count[k], corner >> k & 1);
    if (n->kind == N_NAME || (n->kind == N_BINARY && strchr("/%", n->op[0]))) return wide_value(e, n);
    const wide left = wide_at(e, x, corner, n->child[0]);
    if (n->kind == N_PAREN || (n->kind == N_UNARY && n->op[0] == '+')) return left;
    if (n->kind == N_UNARY) return wide_sum(e, wide_constant(e, 0), left, true);
    const wide right = wide_at(e, x, corner, n->child[1]);
    return n->op[0] == '*' ? wide_product(e, left, right) : wide_sum(e, left, right, n->op[0] == '-');
}

/* Whether all these loops have iterations. */
static const char *any_iteration(emitter *e, const stepped_subscript *x) {
    text out;
    text_start(&out, e->memory);
    for (int k = x->loops; k-- > 0;) {
        const counting_loop *c = &x->count[k];
        const type *t = c->variable->type;
        int64_t first, limit;
        if (constant_value(c->first, &first) && constant_value(c->limit, &limit) && first >= 0 &&
            (c->step > 0 ? first < limit : first > limit && limit >= 0))
            continue;
        text_format(&out, "%s%s %c%s %s", out.length ? " && " : "",
                    parenthesise(e, bound_text(e, t, (node *)c->first, false)), c->step > 0 ? '<' : '>',
                    c->inclusive ? "=" : "", parenthesise(e, bound_text(e, t, (node *)c->limit, true)));
    }
    return out.length ? text_of(&out) : "true";
}

/* ---- Loops */

/* Whether directives of other languages stand before the statement: a loop stays right behind them, and they may say
 * which variables there are. */
static bool has_directive(const emitter *e, const node *n) {
    const char *before = e->p->source->tokens[n->first].before;
    return strstr(before, "#") || strstr(before, "_Pragma");
}

/* Whether a directive speaks of the loop with those around it, between which nothing may stand. */
static bool is_collapsed(const emitter *e, const node *loop) {
    const node *up = loop->parent;
    while (up->kind == N_COMPOUND && up->count == 1) up = up->parent;
    return up->kind == N_FOR && (has_directive(e, up) || is_collapsed(e, up));
}

static bool declares_name_of(const node *loop, const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->declarator && node_holds(loop, n->symbol->declarator)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && declares_name_of(loop, n->child[c])) return true;
    return false;
}

static struct counted_loop *printed_loop(emitter *e, const node *n) {
    for (size_t k = 0; k < e->counted_count; k++)
        if (e->counted[k].loop == n) return &e->counted[k];
    return NULL;
}

/* The outermost loop before which both ends are known. */
static struct counted_loop *find_loop(emitter *e, const node *n, const node *base, const node *of, bool block,
                                      stepped_subscript *x) {
    struct counted_loop *found = NULL;
    for (const node *at = n; at->parent && !has_directive(e, at); at = at->parent) {
        stepped_subscript wider;
        struct counted_loop *l = at->kind == N_FOR ? printed_loop(e, at) : NULL;
        if (!l || l->current != e->current || l->owned != e->owned || declares_name_of(at, base) ||
            is_collapsed(e, at) || (block && !keeps_block(e->p, at, base->symbol)) ||
            !steps_within(e->p, at, n, of, &wider))
            continue;
        found = l;
        *x = wider;
    }
    return found;
}

static void add_comparison(emitter *e, struct counted_loop *l, int kind, const char *comparison) {
    if (!l->flag[kind]) {
        l->flag[kind] = arena_format(e->kept, "\1inside_%zu", ++e->flags);
        l->compared[kind] = arena_format(e->kept, "%s", comparison);
    } else if (!strstr(l->compared[kind], comparison)) {
        l->compared[kind] = arena_format(e->kept, "%s && %s", l->compared[kind], comparison);
    }
}

/* Whether constants are between a constant lower bound and as many elements behind. */
static bool are_between(const wide *first, const wide *last, const char *with) {
    long long lower, extent;
    char rest;
    if (!first->constant || !last->constant || sscanf(with, "%lld, %lld%c", &lower, &extent, &rest) != 2) return false;
    return first->value >= lower && last->value >= lower &&
           (uint64_t)first->value - (uint64_t)lower < (uint64_t)extent &&
           (uint64_t)last->value - (uint64_t)lower < (uint64_t)extent;
}

const char *inside_loops(emitter *e, node *n, const node *base, int d, bool block, const char *function,
                         const char *with) {
    node *name, *subscripts[MAX_RANK];
    int count;
    stepped_subscript x;
    corner_pair pair[1 << CHECKED_LOOPS];
    if (e->counted_count == 0 || !index_chain(n, &name, subscripts, &count)) return NULL;
    struct counted_loop *l = find_loop(e, n, base, subscripts[d], block, &x);
    if (!l) return NULL;
    const int kind = is_decided_in(l->loop, n) ? DECIDED : ALWAYS, pairs = corners_of_subscript(e->p, &x, pair);
    bool known = true;
    for (int k = 0; k < pairs; k++) {
        const wide first = wide_at(e, &x, pair[k].first, subscripts[d]);
        const wide last = wide_at(e, &x, pair[k].last, subscripts[d]);
        if (are_between(&first, &last, with)) continue;
        known = false;
        add_comparison(
            e, l, kind,
            arena_format(e->memory, "%s(%s, %s, %s, %s)", function, any_iteration(e, &x), first.text, last.text, with));
    }
    if (known) return "true";
    return l->flag[kind];
}

bool begin_counted(emitter *e, const node *n) {
    counting_loop c;
    if (!e->p->check_all || e->serial || n->kind != N_FOR || n->made || !counting_loop_of(n, &c)) return false;
    const struct counted_loop l = {.loop = n, .current = e->current, .owned = e->owned};
    vector_add(e->kept, e->counted, e->counted_count, e->counted_capacity, l);
    return true;
}

void end_counted(emitter *e, node *n) {
    const struct counted_loop l = e->counted[--e->counted_count];
    if (!l.flag[ALWAYS] && !l.flag[DECIDED]) return;
    const bool in_block = n->parent->kind == N_COMPOUND;
    const char *indent = indentation(e, n), *inner = in_block ? indent : deeper(e, indent);
    const char *lead = edit_at(e, n->first)->lead;
    code *around = begin_code(e, inner);
    for (int kind = ALWAYS; kind <= DECIDED; kind++)
        if (l.flag[kind]) emit_line(e, "const bool %s = %s;", l.flag[kind], l.compared[kind]);
    const char *lines = trimmed(e, end_code(e, around), inner);
    if (in_block)
        edit_of(e, n->first)->lead = arena_format(e->memory, "%s%s\n%s", lead ? lead : "", lines, indent);
    else
        replace(e, n, arena_format(e->memory, "{\n%s%s\n%s%s\n%s}", inner, lines, inner, emit_node(e, n), indent));
}
