/* Pass "nests": pipelines, and loops whose iterations are independent, whose directions are variables, 1 or -1:
 *
 *     for (long i = s > 0 ? 0 : n - 1; s > 0 ? i < n : i >= 0; i += s)
 *         for (long j = ...; j != last; j += t) A[i][j] = A[i-s][j] + A[i][j-t];
 *
 * The nest is compiled once for each combination of signs, as if they were constants, and the program chooses. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

enum { MOST_SIGNS = 3 };

typedef struct {
    program *p;
    node *root;
    const symbol *sign[MOST_SIGNS];
    bool proved[MOST_SIGNS]; /* nothing but 1 and -1 */
    int signs;
    bool too_many;
} search;

/* ---- Variables that are signs */

static bool is_sign(const node *n) {
    int64_t value;
    return constant_value(n, &value) && (value == 1 || value == -1);
}

/* `const int s = condition ? 1 : -1;` */
static bool begins_as_sign(const symbol *s) {
    node *n = declared_value(s);
    if (s->assignments > 0 || !n) return false;
    n = inside_parentheses(n);
    return n->kind == N_CONDITIONAL && is_sign(n->child[1]) && is_sign(n->child[2]);
}

/* `for (int s = -1; s <= 1; s += 2)` around the nest. */
static bool counts_signs(const node *n, const symbol *s) {
    for (; n; n = n->parent) {
        counting_loop c;
        int64_t first, limit;
        if (n->kind != N_FOR || !counting_loop_of(n, &c) || c.variable != s) continue;
        if (!counts_undisturbed(n, &c) || !constant_value(c.first, &first) || !constant_value(c.limit, &limit))
            return false;
        if (c.step == -2) first = -first, limit = -limit;
        return (c.step == 2 || c.step == -2) && first == -1 && limit >= 0 && limit < (c.inclusive ? 3 : 4);
    }
    return false;
}

/* Whether it keeps its value in the nest. */
static bool stays(const search *w, const symbol *s) {
    if (s->kind != SYMBOL_VARIABLE || !is_signed_integer(s) || s->array || node_holds(w->root, s->declarator))
        return false;
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(w->root, s->assignment[k])) return false;
    return !(s->file_scope || s->is_static) || !holds_kind(w->root, N_CALL);
}

static void add_sign(search *w, const node *n, bool steps) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (!s || !stays(w, s)) return;
    for (int k = 0; k < w->signs; k++)
        if (w->sign[k] == s) return;
    const bool proved = begins_as_sign(s) || counts_signs(w->root->parent, s);
    if (!steps && !proved) return;
    w->too_many = w->too_many || w->signs == MOST_SIGNS;
    if (w->too_many) return;
    w->proved[w->signs] = proved;
    w->sign[w->signs++] = s;
}

/* What the variable of a loop is stepped by: i += s, i = i + s; NULL: something else. */
static const node *step_of(const node *step) {
    if (!step || step->kind != N_ASSIGN) return NULL;
    const node *by = inside_parentheses(step->child[1]);
    if (!strcmp(step->op, "+=")) return by;
    const bool sum = !strcmp(step->op, "=") && by->kind == N_BINARY && !strcmp(by->op, "+");
    return sum ? inside_parentheses(by->child[1]) : NULL;
}

/* Whether the variables of n have other values in other iterations. */
static bool has_variable(const search *w, const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_VARIABLE && !stays(w, n->symbol)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_variable(w, n->child[c])) return true;
    return false;
}

static void add_factor(search *w, const node *n) {
    if (n->kind == N_NAME && n->symbol && !is_a_length(w->root, n->symbol)) add_sign(w, n, true);
}

static void find_signs(search *w, const node *n, bool in_subscript) {
    const bool chain = n->kind == N_INDEX && distributed_reference((node *)n);
    const node *step = n->kind == N_FOR ? step_of(n->child[2]) : NULL;
    if (step) add_sign(w, step, true);
    if (in_subscript) add_sign(w, n, false);
    if (in_subscript && n->kind == N_BINARY && !strcmp(n->op, "*"))
        for (int k = 0; k < 2; k++)
            if (has_variable(w, n->child[1 - k])) add_factor(w, inside_parentheses(n->child[k]));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_signs(w, n->child[c], in_subscript || (chain && c > 0));
}

/* ---- A nest with constants for its signs */

static void substitute(node *n, const symbol *s, symbol *value) {
    if (n->kind == N_NAME && n->symbol == s) n->symbol = value;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) substitute(n->child[c], s, value);
}

/* What conditions that are constant choose. */
static node *chosen(node *n) {
    int64_t value;
    node *inside = n ? inside_parentheses(n) : NULL;
    while (inside && inside->kind == N_CONDITIONAL && constant_value(inside->child[0], &value))
        n = inside = inside_parentheses(inside->child[value ? 1 : 2]);
    for (size_t c = 0; n && c < n->count; c++)
        if (n->child[c]) {
            n->child[c] = chosen(n->child[c]);
            n->child[c]->parent = n;
        }
    return n;
}

static bool names(const node *n, const symbol *s) {
    n = inside_parentheses((node *)n);
    return n->kind == N_NAME && n->symbol == s;
}

/* The comparison of a loop's variable with something; -1: that is a limit below, 1: above, 0: none. */
static int side_of(const node *n, const symbol *variable) {
    if (n->kind != N_BINARY || (n->op[0] != '<' && n->op[0] != '>') || (n->op[1] && n->op[1] != '=')) return 0;
    const bool swapped = names(n->child[1], variable);
    if (!swapped && !names(n->child[0], variable)) return 0;
    return (n->op[0] == '<') != swapped ? 1 : -1;
}

/* Whether a limit on the side where the loop begins always holds: it begins there or beyond. */
static bool holds_from_start(const search *w, const node *n, const symbol *variable, const node *start, bool up) {
    arena *a = w->p->memory;
    const bool swapped = names(n->child[1], variable);
    const linear first = linear_of(a, w->p->source, start);
    const linear limit = linear_of(a, w->p->source, n->child[swapped ? 0 : 1]);
    const linear inside = up ? linear_subtract(a, first, limit) : linear_subtract(a, limit, first);
    return linear_is_constant(&inside) && inside.constant >= (n->op[1] == '=' ? 0 : 1);
}

/* The one limit of a loop that steps by 1 or -1: of `i >= 0 && i < n` the one that it runs to; `i != last` is one. */
static node *limit_of(const search *w, node *n, const symbol *variable, const node *start, bool up) {
    n = inside_parentheses(n);
    if (n->kind == N_BINARY && !strcmp(n->op, "!=")) {
        const bool swapped = names(n->child[1], variable);
        if (swapped || names(n->child[0], variable)) n->op = swapped == up ? ">" : "<";
        return n;
    }
    if (n->kind != N_BINARY || strcmp(n->op, "&&") != 0) return n;
    for (int k = 0; k < 2; k++) {
        node *limit = inside_parentheses(n->child[k]), *other = inside_parentheses(n->child[1 - k]);
        if (side_of(limit, variable) == (up ? 1 : -1) && side_of(other, variable) == (up ? -1 : 1) &&
            holds_from_start(w, other, variable, start, up))
            return limit;
    }
    return n;
}

/* The start of a loop and its variable; NULL: it has another form. */
static const symbol *variable_of(const node *loop, const node **start) {
    const node *n = loop->child[0];
    if (n && n->kind == N_ASSIGN && n->child[0]->kind == N_NAME) {
        *start = n->child[1];
        return n->child[0]->symbol;
    }
    if (!n || n->kind != N_DECLARATION || n->count != 2 || n->child[1]->kind != N_INIT_DECLARATOR) return NULL;
    if (n->child[1]->count < 2 || !n->child[1]->child[1]) return NULL;
    *start = n->child[1]->child[1];
    const node *name = declared_name(n->child[1]->child[0]);
    return name ? name->symbol : NULL;
}

static void settle_heads(const search *w, node *n) {
    const node *start = NULL;
    int64_t step;
    if (n->kind == N_FOR) {
        for (int c = 0; c < 3; c++)
            if (n->child[c]) n->child[c] = chosen(n->child[c]), n->child[c]->parent = n;
        const symbol *variable = variable_of(n, &start);
        const node *by = step_of(n->child[2]);
        if (variable && by && n->child[1] && constant_value(by, &step)) {
            n->child[1] = limit_of(w, n->child[1], variable, start, step > 0);
            n->child[1]->parent = n;
        }
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) settle_heads(w, n->child[c]);
}

/* ---- Versions */

static symbol *value_of_sign(const search *w, const symbol *s, bool down) {
    symbol *value = arena_alloc(w->p->memory, sizeof *value);
    *value = *s;
    value->kind = SYMBOL_ENUMERATOR;
    value->has_value = true;
    value->value = down ? -1 : 1;
    return value;
}

static node *version_of(const search *w, unsigned downs) {
    node *block = ast_new(w->p->memory, N_COMPOUND, w->root->first, w->root->last, 0, NULL);
    node *copy = clone_reached(w->p, w->root);
    for (int k = 0; k < w->signs; k++) substitute(copy, w->sign[k], value_of_sign(w, w->sign[k], downs >> k & 1));
    settle_heads(w, copy);
    return ast_add(w->p->memory, block, copy);
}

static const char *condition_of(const search *w, unsigned downs) {
    text out;
    text_start(&out, w->p->memory);
    for (int k = 0; k < w->signs; k++) {
        const char *form = w->proved[k]     ? downs >> k & 1 ? "%s%s < 0" : "%s%s > 0"
                           : downs >> k & 1 ? "%s%s == -1"
                                            : "%s%s == 1";
        text_format(&out, form, k ? " && " : "", w->sign[k]->name);
    }
    return text_of(&out);
}

static bool all_proved(const search *w) {
    for (int k = 0; k < w->signs; k++)
        if (!w->proved[k]) return false;
    return true;
}

static bool take_version(program *p, nest *x, node *root, bool (*take)(nest *)) {
    *x = (nest){.p = p, .passing = arena_new(), .root = root, .operations = MOST_OPERATIONS};
    const bool taken = take(x);
    arena_free(x->passing);
    return taken;
}

static bool take_versions(program *p, const node *n, size_t count) {
    bool taken = true;
    nest *x = arena_alloc(p->memory, sizeof *x);
    for (size_t k = 0; k < count && taken; k++) {
        node *root = n->child[k]->child[0];
        taken = take_version(p, x, root, take_foralls) || take_version(p, x, root, take_pipeline);
    }
    return taken;
}

static node *versions_node(const search *w) {
    arena *a = w->p->memory;
    node *n = ast_new(a, N_VERSIONS, w->root->first, w->root->last, 0, NULL);
    for (unsigned downs = 0; downs < 1u << w->signs; downs++) ast_add(a, n, version_of(w, downs));
    return n;
}

static void note_versions(program *p, const search *w, node *n) {
    versions *v = arena_alloc(p->memory, sizeof *v);
    if (!all_proved(w)) {
        node *block = ast_new(p->memory, N_COMPOUND, w->root->first, w->root->last, 0, NULL);
        ast_add(p->memory, n, ast_add(p->memory, block, clone_reached(p, w->root)));
        ast_link(n);
    }
    v->count = n->count;
    v->condition = arena_alloc(p->memory, n->count * sizeof *v->condition);
    for (unsigned k = 0; k < 1u << w->signs; k++) v->condition[k] = condition_of(w, k);
    if (!all_proved(w)) v->condition[n->count - 1] = "in any other direction: one element after the other";
    for (int k = 0; k < w->signs; k++)
        if (is_named_only_in(n, w->sign[k])) v->only_here[v->only_heres++] = w->sign[k];
    table_put(p->memory, &p->versions_at, n, v);
}

bool take_signs(program *p, node *root) {
    search w = {.p = p, .root = root};
    find_signs(&w, root, false);
    if (w.signs == 0 || w.too_many) return false;
    node *n = versions_node(&w);
    ast_link(n);
    replace_node(root, n);
    if (!take_versions(p, n, n->count)) {
        replace_node(n, root);
        return false;
    }
    note_versions(p, &w, n);
    return true;
}
