/* Pass "nests": which statements of a nest have foralls and sums of their own, which stay together in one forall, and
 * what is written out in them. */
#include <stdlib.h>
#include <string.h>

#include "nests.h"

static bool stores_behind(const nest_statement *s) {
    return s->kind == STATEMENT_ELEMENT || s->kind == STATEMENT_SCALAR;
}

static bool adds_up(const nest_statement *s) {
    return s->first_sum < s->loops;
}

bool stays_together(const nest_statement *s) {
    return s->kind == STATEMENT_ELEMENT && !s->apart;
}

/* Whether all its sums are inside all its other loops. */
static bool adds_up_inside(const nest_statement *s) {
    for (int k = s->first_sum; k < s->loops; k++)
        if (!s->reduces[k]) return false;
    return true;
}

/* ---- What stands for privates */

/* Whether statement d is executed whenever s is, before it, in the same iteration of its own loops. */
static bool precedes(const nest_statement *d, const nest_statement *s) {
    if (d->loops > s->loops || d->conditions > s->conditions) return false;
    for (int k = 0; k < d->loops; k++)
        if (d->loop[k] != s->loop[k]) return false;
    for (int k = 0; k < d->conditions; k++)
        if (d->condition[k].statement != s->condition[k].statement ||
            d->condition[k].negated != s->condition[k].negated)
            return false;
    return true;
}

int given_by(const nest *x, int k, const symbol *s) {
    for (int d = k - 1; d >= 0; d--)
        if (x->statement[d].private == s) {
            const bool good = precedes(&x->statement[d], &x->statement[k]) && !adds_up(&x->statement[d]);
            return good ? d : -1;
        }
    return -1;
}

/* The statement gets the accesses of another one, which is written out in it. */
static void take_accesses(nest *x, int k, int from) {
    for (size_t n = x->statement[from].from; n < x->statement[from].to; n++) {
        nest_access a = x->access[n];
        if (a.writes || (a.depth >= 0 && a.array == x->statement[from].private)) continue;
        a.statement = k;
        vector_add(x->passing, x->access, x->accesses, x->access_capacity, a);
    }
}

static size_t size_of(const node *n) {
    size_t size = 1;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) size += size_of(n->child[c]);
    return size;
}

static void write_out(nest *x, int k, int at, const node *n, int depth, size_t *size);

/* The private's value that statement `at` reads is written out in statement k. */
static void write_out_private(nest *x, int k, int at, const nest_private *p, int depth, size_t *size) {
    const int d = given_by(x, at, p->symbol);
    if (d < 0) {
        stop_nest(x, x->statement[k].assign, "the value that '%s' has there is more than one expression",
                  p->symbol->name);
        advise_choice(x, x->statement[k].assign, p->symbol);
        return;
    }
    const nest_statement *s = &x->statement[d];
    *size += s->value ? size_of(s->value) : 1;
    if (*size > MOST_SIZE) {
        stop_nest(x, x->statement[k].assign, "the value of '%s', written out, is too long", p->symbol->name);
        return;
    }
    take_accesses(x, k, d);
    if (s->value) write_out(x, k, d, s->value, depth, size);
    if (strcmp(s->op, "=") != 0) write_out_private(x, k, d, p, depth, size);
}

/* Privates of inner loops than `depth` in n, which statement `at` reads. */
static void write_out(nest *x, int k, int at, const node *n, int depth, size_t *size) {
    const nest_private *p = n->kind == N_NAME ? private_of(x, n->symbol) : NULL;
    if (x->reason) return;
    if (p && p->depth > depth) write_out_private(x, k, at, p, depth, size);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) write_out(x, k, at, n->child[c], depth, size);
}

/* What a statement holds beside its own value: conditions, and values of privates. */
static void complete(nest *x, int k) {
    nest_statement *s = &x->statement[k];
    const int depth = s->apart ? 0 : s->first_sum;
    size_t size = 0;
    if (!s->apart && !adds_up(s)) return;
    for (int c = 0; c < s->conditions; c++) {
        if (s->condition[c].loops <= depth && !s->apart) continue;
        take_accesses(x, k, s->condition[c].statement);
        write_out(x, k, s->condition[c].statement, s->condition[c].node, depth, &size);
    }
    if (s->value) write_out(x, k, k, s->value, depth, &size);
    for (size_t n = 0; n < x->accesses; n++)
        if (x->access[n].statement == k && x->access[n].depth > depth && !x->access[n].writes)
            x->access[n].statement = -1;
}

/* ---- Sums that begin with 0 */

static bool is_zero(const node *n) {
    int64_t value;
    char *end;
    if (constant_value(n, &value)) return value == 0;
    if (n->kind != N_CONSTANT || !n->name) return false;
    const double number = strtod(n->name, &end);
    return number == 0 && end != n->name && (!*end || !strcmp(end, "f") || !strcmp(end, "F"));
}

static bool assigns_alike(const nest *x, const nest_statement *d, const nest_statement *s) {
    if (d->kind != s->kind || d->private != s->private) return false;
    if (d->kind == STATEMENT_PRIVATE) return true;
    return nest_has_same_text(x, d->left, s->left);
}

/* Whether s has the conditions of d, and others that are in its loops. */
static bool has_conditions_of(const nest_statement *d, const nest_statement *s) {
    if (d->conditions > s->conditions) return false;
    for (int c = 0; c < s->conditions; c++) {
        const bool inside = s->condition[c].loops > s->first_sum;
        if (inside == (c < d->conditions)) return false;
    }
    return true;
}

/* y[i] = 0; and behind it a loop with y[i] += ...: the sum is assigned. */
static void begin_with_zero(nest *x) {
    for (int k = 1; k < x->statements; k++) {
        int before = k - 1;
        while (before > 0 && x->statement[before].kind == STATEMENT_CONDITION) before--;
        nest_statement *d = &x->statement[before], *s = &x->statement[k];
        if (d->kind == STATEMENT_CONDITION || !d->value || strcmp(d->op, "=") != 0 ||
            strcmp(s->op ? s->op : "", "+=") != 0)
            continue;
        if (!is_zero(d->value) || !adds_up(s) || adds_up(d) || !adds_up_inside(s) || d->loops != s->first_sum) continue;
        if (!assigns_alike(x, d, s) || !precedes(d, s) || !has_conditions_of(d, s)) continue;
        s->op = "=";
        d->absorbed = true;
        for (size_t n = d->from; n < d->to; n++) x->access[n].statement = -1;
    }
}

/* ---- Division */

static bool has_else(const nest *x) {
    for (int k = 0; k < x->statements; k++)
        for (int c = 0; c < x->statement[k].conditions; c++)
            if (x->statement[k].condition[c].negated) return true;
    return false;
}

/* Whether the loop holds something else than sums over it and what is written out in these. */
static bool has_others(const nest *x, const nest_loop *l) {
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        for (int m = 0; m < s->loops; m++) {
            if (s->loop[m] != l || s->apart) continue;
            if (s->kind == STATEMENT_ELEMENT && !s->reduces[m]) return true;
            if (s->kind == STATEMENT_PRIVATE && adds_up(s) && !s->reduces[m]) return true;
        }
    }
    return false;
}

/* Whether something apart stands in the middle of what stays together. */
static bool stands_between(const nest *x) {
    bool together = false, behind = false;
    for (int k = 0; k < x->statements; k++) {
        if (stays_together(&x->statement[k]) && behind) return true;
        together = together || stays_together(&x->statement[k]);
        behind = behind || (together && x->statement[k].apart);
    }
    return false;
}

/* One statement alone shares no scalars with others: they are written out in it. */
static void set_last_apart(nest *x) {
    int together = 0, last = 0;
    for (int k = 0; k < x->statements; k++) {
        if (x->statement[k].kind != STATEMENT_ELEMENT || x->statement[k].apart) continue;
        last = k;
        together++;
    }
    if (together == 1 && !adds_up(&x->statement[last])) x->statement[last].apart = true;
}

/* Scalars that are used behind the nest, and sums into elements over outer loops, stand apart. */
static void set_apart(nest *x) {
    const bool together = !x->skips_elements && (x->privates > 0 || has_else(x));
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        s->apart = s->kind == STATEMENT_SCALAR || (s->kind == STATEMENT_ELEMENT && !together);
        if (s->kind == STATEMENT_ELEMENT && adds_up(s) && (s->first_sum == 0 || !adds_up_inside(s))) s->apart = true;
    }
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        if (s->kind == STATEMENT_ELEMENT && !s->apart && adds_up(s) && has_others(x, s->loop[s->first_sum]))
            s->apart = true;
    }
    bool between = false;
    for (int k = 0; k < x->statements && stands_between(x); k++) {
        between = true;
        if (x->statement[k].kind == STATEMENT_ELEMENT) x->statement[k].apart = true;
    }
    if (between) set_last_apart(x);
}

/* Whether a value has a sum in it that a private was given. */
static bool holds_sum(const nest *x, const node *n) {
    const nest_private *p = n->kind == N_NAME ? private_of(x, n->symbol) : NULL;
    if (p && p->adds_up) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_sum(x, n->child[c])) return true;
    return false;
}

static void find_sums(nest *x) {
    for (int round = 0; round < x->statements; round++)
        for (int k = 0; k < x->statements; k++) {
            const nest_statement *s = &x->statement[k];
            if (s->kind != STATEMENT_PRIVATE) continue;
            nest_private *p = private_of(x, s->private);
            p->adds_up = p->adds_up || adds_up(s) || (s->value && holds_sum(x, s->value));
        }
}

/* Sums that inner loops use would be formed again and again. */
static void check_sums(nest *x) {
    find_sums(x);
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        for (int p = 0; p < x->privates; p++) {
            const symbol *v = x->private[p].symbol;
            const bool used = (s->value && mentions_symbol(s->value, v)) ||
                              (s->left && s->kind == STATEMENT_ELEMENT && mentions_symbol(s->left, v));
            if (x->private[p].adds_up && used && (s->loops > x->private[p].depth || s->kind == STATEMENT_CONDITION))
                stop_nest(x, s->whole, "the sum '%s' is used in %s", v->name,
                          s->kind == STATEMENT_CONDITION ? "a condition" : "an inner loop");
        }
    }
}

/* Statements under which something stays in the forall. */
static void note_live(nest *x) {
    bool together = false;
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        together = together || (s->kind == STATEMENT_ELEMENT && !s->apart);
        if (stores_behind(s)) s->live = !s->absorbed;
    }
    for (int k = 0; k < x->statements && together; k++) {
        nest_statement *s = &x->statement[k];
        if (s->kind == STATEMENT_PRIVATE) s->live = !s->absorbed;
        for (int c = 0; c < s->conditions && !s->apart; c++)
            if (s->condition[c].loops <= s->first_sum || !adds_up(s))
                x->statement[s->condition[c].statement].live = true;
    }
}

/* ---- The new order */

/* Whether the statement becomes a sum in place of the loop. */
static bool is_sum_over(const nest_statement *s, const node *loop) {
    return !s->apart && s->kind != STATEMENT_SCALAR && adds_up(s) && s->loop[s->first_sum]->loop == loop;
}

static bool holds_statements(const node *n) {
    return n->kind == N_COMPOUND || n->kind == N_IF || n->kind == N_EXPRESSION || n->kind == N_PAREN ||
           n->kind == N_COMMA;
}

static void place_in_tree(nest *x, const node *n, int *at);

static void place_loop(nest *x, const node *n, int *at) {
    int first_other = -1;
    for (int k = 0; k < x->statements && first_other < 0; k++)
        if (node_holds(n, x->statement[k].whole) && !x->statement[k].apart &&
            x->statement[k].kind == STATEMENT_ELEMENT && !is_sum_over(&x->statement[k], n))
            first_other = k;
    for (int k = 0; k < x->statements; k++)
        if (is_sum_over(&x->statement[k], n) && (first_other < 0 || k < first_other)) x->statement[k].place = (*at)++;
    place_in_tree(x, n->child[3], at);
    for (int k = 0; k < x->statements; k++)
        if (is_sum_over(&x->statement[k], n) && first_other >= 0 && k > first_other) x->statement[k].place = (*at)++;
}

/* Places of the statements of the forall: those of the tree. */
static void place_in_tree(nest *x, const node *n, int *at) {
    if (n->kind == N_FOR) {
        place_loop(x, n, at);
        return;
    }
    for (int k = 0; k < x->statements; k++)
        if (x->statement[k].whole == n && !x->statement[k].apart && x->statement[k].place < 0)
            x->statement[k].place = (*at)++;
    for (size_t c = 0; c < n->count && holds_statements(n); c++)
        if (n->child[c]) place_in_tree(x, n->child[c], at);
}

void place_statements(nest *x) {
    int at = 0, first = -1;
    for (int k = 0; k < x->statements; k++) {
        x->statement[k].place = -1;
        if (first < 0 && stays_together(&x->statement[k]) && x->statement[k].live) first = k;
    }
    for (int k = 0; k < x->statements; k++)
        if (x->statement[k].early) x->statement[k].place = at++;
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        if (s->apart && s->live && !s->early && (first < 0 || k < first)) s->place = at++;
    }
    if (first >= 0) place_in_tree(x, x->root, &at);
    for (int k = 0; k < x->statements; k++)
        if (x->statement[k].apart && x->statement[k].live && x->statement[k].place < 0) x->statement[k].place = at++;
}

void divide_nest(nest *x) {
    begin_with_zero(x);
    set_apart(x);
    check_sums(x);
    note_live(x);
    bool live = false;
    for (int k = 0; k < x->statements; k++) live = live || x->statement[k].live;
    if (!x->reason && !live) {
        stop_nest(x, x->root, "nothing that it computes is used");
        advise_nest(x, x->root, "leave it out, or use what it computes");
    }
    for (int k = 0; k < x->statements && !x->reason; k++)
        if ((stores_behind(&x->statement[k]) && x->statement[k].live) ||
            (x->statement[k].live && adds_up(&x->statement[k])))
            complete(x, k);
}
