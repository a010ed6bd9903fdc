/* Pass "nests": loops whose iterations need what earlier ones have stored, at distances that are never negative:
 *
 *     for (long i = 1; i < n; i++)
 *         for (long j = 1; j < m; j++) A[i][j] = A[i-1][j] + A[i][j-1];
 *
 * Processes that own blocks of A can execute their iterations one after the other along i and j, each waiting for the
 * boundary of the one before.  The nest becomes an independent loop with a clause that the language does not have,
 * `pipeline`, whose word has a letter for each loop: b: its iterations may be executed in blocks, before those of the
 * loops around it; c: too, and each needs what the one before has just computed, a chain; w: as a whole only. */
#include <stdlib.h>
#include <string.h>

#include "pipelines.h"

/* ---- Home */

static bool find_home(pipeline *w) {
    for (int writes = 1; writes >= 0 && !w->home; writes--) /* what only combines values runs where one is read */
        for (size_t k = 0; k < w->x->accesses && !w->home; k++)
            if (w->x->access[k].writes == writes && array_accessed(w, &w->x->access[k])) w->home = &w->x->access[k];
    if (!w->home) return false;
    const array *a = array_accessed(w, w->home);
    if (!lies_in_blocks(a)) {
        advise_blocks(w, a);
        return false;
    }
    unsigned used = 0;
    for (int d = next_distributed(a, 0); d < a->rank; d = next_distributed(a, d + 1)) {
        const int k = w->divided[d] = loop_of_subscript(w, w->home, d);
        if (k < 0 || used >> k & 1) return false;
        used |= 1u << k;
    }
    return used != 0;
}

/* ---- Iterations without an element */

static bool holds_jump(const node *n) {
    if (n->kind == N_BREAK || n->kind == N_CONTINUE || n->kind == N_SWITCH) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_jump(n->child[c])) return true;
    return false;
}

/* Whether the bounds of the loops, and the conditions around `at`, show that the subscripts that step with the loops
 * are inside the array. */
static bool is_shown_inside(const pipeline *w, const nest_access *x, const node *at) {
    independent_loop loops = {.loop = w->x->root, .loops = w->loops};
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(x->chain, &name, subscripts, &count);
    for (int k = 0; k < w->loops; k++) loops.counter[k] = w->x->loop[k]->variable;
    for (int d = 0; d < count; d++)
        if (loop_of_subscript(w, x, d) >= 0 &&
            !element_in_bounds(w->x->p, &loops, at, array_accessed(w, x), subscripts[d], d))
            return false;
    return true;
}

/* Whether x - y is a constant above 0. */
static bool is_beyond(const pipeline *w, linear x, const linear *y) {
    const linear more = linear_subtract(w->x->p->memory, x, *y);
    return linear_is_constant(&more) && more.constant > 0;
}

/* Whether the bounds of the loops show that some element is not in the array. */
static bool is_shown_outside(const pipeline *w, const nest_access *x) {
    const program *p = w->x->p;
    const array *a = array_accessed(w, x);
    for (int d = 0; d < a->rank; d++) {
        const int k = loop_of_subscript(w, x, d);
        if (k < 0) continue;
        const nest_loop *l = w->x->loop[k];
        const int64_t more = subscript_at(w, x, d).constant;
        linear low = linear_of(p->memory, p->source, l->lower), high = linear_of(p->memory, p->source, l->upper);
        low.constant += l->lower_more + more;
        high.constant += l->upper_more + more;
        if (is_beyond(w, a->written_lower[d], &low) || is_beyond(w, high, &a->written_upper[d])) return true;
    }
    return false;
}

/* The owner of home's element executes an iteration, so that nobody does where there is none, or the program ends.
 * Whether that is right: each element exists, it must, or iterations without one are known to do nothing. */
static bool has_owners(pipeline *w) {
    const nest *x = w->x;
    const node *body = x->loop[w->loops - 1]->loop->child[3];
    bool inside = true, results = x->updates > 0 || x->carrieds > 0 || x->breaks || x->last;
    const bool always = certainty_of(x->p, w->home->chain, body) == EXECUTED_ALWAYS;
    if (x->statement[w->home->statement].conditions == 0 && !holds_jump(x->root) &&
        (always || (w->home->writes && !is_shown_outside(w, w->home))))
        return true;
    if (is_shown_inside(w, w->home, body)) return true;
    for (size_t k = 0; k < x->accesses && inside; k++)
        if (x->access[k].writes && array_accessed(w, &x->access[k]))
            inside = is_shown_inside(w, &x->access[k], x->access[k].chain);
    for (int k = 0; k < x->statements; k++) results = results || x->statement[k].kind == STATEMENT_SCALAR;
    w->supposes_owners = !inside || results;
    return !w->supposes_owners || !is_shown_outside(w, w->home);
}

/* C text: whether each iteration has an element of home. */
static const char *owners_exist(const pipeline *w) {
    const program *p = w->x->p;
    const array *a = array_accessed(w, w->home);
    text out;
    text_start(&out, p->memory);
    for (int d = 0; d < a->rank; d++) {
        const int k = loop_of_subscript(w, w->home, d);
        if (k < 0) continue;
        const nest_loop *l = w->x->loop[k];
        const int64_t more = subscript_at(w, w->home, d).constant;
        linear low = linear_of(p->memory, p->source, l->lower), high = linear_of(p->memory, p->source, l->upper);
        low.constant += l->lower_more + more;
        high.constant += l->upper_more + more;
        text_format(&out, "%sdpc_has(%s, %d, %s, %s)", out.length ? " && " : "", a->address, d,
                    linear_text(p->memory, &low), linear_text(p->memory, &high));
    }
    return text_of(&out);
}

void divide_by_owners(program *p, node *taken, node *stays, const char *condition) {
    node *n = ast_new(p->memory, N_VERSIONS, taken->first, taken->last, 0, NULL), *version[] = {taken, stays};
    versions *v = arena_alloc(p->memory, sizeof *v);
    *v = (versions){.count = 2, .condition = arena_alloc(p->memory, 2 * sizeof *v->condition)};
    v->condition[0] = condition;
    v->condition[1] = "some iterations have no element: one element after the other";
    replace_node(taken, n);
    for (int k = 0; k < 2; k++) {
        node *block = ast_new(p->memory, N_COMPOUND, taken->first, taken->last, 0, NULL);
        ast_add(p->memory, n, ast_add(p->memory, block, version[k]));
    }
    ast_link(n);
    table_put(p->memory, &p->versions_at, n, v);
}

/* Whether loops inside the one that is shared out stay as they are, though home names their variables: a jump leaves
 * them, some of their iterations may have no element, or they count down and need what those before have stored. */
static bool stands_alone(const pipeline *w) {
    pipeline all = *w;
    all.loops = nested_loops(w->x, false);
    if (w->waits || all.loops == w->loops) return false;
    for (int k = w->loops; k < all.loops; k++)
        if (w->x->loop[k]->down && (w->distances.forward[k] || w->distances.backward[k])) return true;
    return holds_jump(w->x->root) || !is_shown_inside(&all, w->home, w->x->loop[all.loops - 1]->loop->child[3]);
}

/* ---- Which loops may be executed in blocks */

/* Whether elements of an array that go from process to process belong to values of a loop's variable: all stores use it
 * in one dimension, with the same constant, and reads there, and only there, with none beyond. */
static bool belongs_to_loop(const pipeline *w, const nest_access *store, const nest_access *x, int loop) {
    int64_t distance;
    const bool down = w->x->loop[loop]->down;
    int used = 0;
    for (int d = 0; d < array_accessed(w, store)->rank; d++) {
        if (loop_of_subscript(w, store, d) != loop) {
            if (uses_variable_of(w, store, d, loop) || uses_variable_of(w, x, d, loop)) return false;
            continue;
        }
        if (loop_of_subscript(w, x, d) != loop || !find_distance_between(w, x, d, store, d, &distance)) return false;
        if (x->writes ? distance != 0 : distance != 0 && (distance > 0) != down) return false;
        used++;
    }
    return used == 1;
}

/* By an access to an array that goes from process to process: a store, or a read of what earlier iterations store. */
static void limit_blocks(pipeline *w, const nest_access *x) {
    const nest_access *store = w->x->access;
    while (!store->writes || array_accessed(w, store) != array_accessed(w, x)) store++;
    for (int k = 0; k < w->loops; k++) w->blocks[k] = w->blocks[k] && belongs_to_loop(w, store, x, k);
}

/* By all accesses to the array of one that reads what earlier iterations store. */
static void limit_blocks_by(pipeline *w, const nest_access *reading) {
    for (size_t k = 0; k < w->x->accesses; k++) {
        const nest_access *x = &w->x->access[k];
        bool before;
        if (array_accessed(w, x) != array_accessed(w, reading) || !stands_near_home(w, x, &before)) continue;
        if (x->writes || before) limit_blocks(w, x);
    }
}

/* ---- The decision */

/* Everything is to move by communication sets: then there are no ghost cells. */
static bool sets_are_chosen(const program *p) {
    return p->sets != METHOD_NONE || p->model != COMM_AUTO;
}

static bool is_divided(const pipeline *w, int loop) {
    const array *a = array_accessed(w, w->home);
    for (int d = next_distributed(a, 0); d < a->rank; d = next_distributed(a, d + 1))
        if (w->divided[d] == loop) return true;
    return false;
}

/* Whether processes wait for one another, or a loop that is carried stands in a divided one, which would be executed
 * iteration by iteration. */
static bool pays(const pipeline *w) {
    bool divided = false;
    for (int k = 0; k < w->loops; k++) {
        divided = divided || is_divided(w, k);
        if (divided && (w->distances.forward[k] || w->distances.backward[k])) return true;
    }
    return false;
}

/* What a loop around that over `divided` chooses of home's array: D[k][j] beside D[i][j]; NULL: nothing. */
static const nest_access *pivot_of(const pipeline *w, int divided) {
    for (size_t k = 0; k < w->x->accesses; k++) {
        const nest_access *x = &w->x->access[k];
        if (x->writes || !array_accessed(w, x) || array_accessed(w, x) != array_accessed(w, w->home)) continue;
        for (int d = 0; d < array_accessed(w, x)->rank; d++) {
            const int chosen = w->divided[d] == divided ? loop_of_subscript(w, x, d) : -1;
            if (chosen >= 0 && chosen < divided && !is_divided(w, chosen)) return x;
        }
    }
    return NULL;
}

static bool goes_forward(const pipeline *w) {
    for (int k = 0; k < w->loops; k++) {
        if (!is_divided(w, k) || !w->distances.backward[k]) continue;
        const nest_access *pivot = pivot_of(w, k);
        if (pivot) {
            advise(w,
                   "if no iteration of the loop over '%s' changes the '%s' that the others read, '#pragma dpc "
                   "independent' "
                   "before that loop shares it out",
                   w->x->loop[k]->variable->name, ast_quote(w->x->p->memory, w->x->p->source, pivot->chain));
            return false;
        }
        advise(w,
               "iterations need what one with a later '%s' stores: if the dimension that it steps through were not "
               "divided, '*', the processes could execute the loop one after the other, each its block",
               w->x->loop[k]->variable->name);
        return false;
    }
    return true;
}

static bool has_own_privates(const pipeline *w) {
    for (int k = 0; k < w->x->privates; k++)
        if (w->x->private[k].depth < w->loops) return false;
    return true;
}

/* Scalars that are used behind are added to, or get greatest and least values. */
static bool combines_scalars(const pipeline *w) {
    for (int k = 0; k < w->x->statements; k++)
        if (w->x->statement[k].kind == STATEMENT_SCALAR && w->x->statement[k].extreme.at) return false;
    return true;
}

/* Whether each divided dimension is stepped through by one of the loops that are shared out. */
static bool steps_with_loops(const pipeline *w, const nest_access *x) {
    const array *a = array_accessed(w, x);
    for (int d = next_distributed(a, 0); d < a->rank; d = next_distributed(a, d + 1))
        if (loop_of_subscript(w, x, d) < 0) return false;
    return true;
}

/* Whether the loops that step through an array's divided dimensions step through home's, too. */
static bool is_divided_by_home(const pipeline *w, const nest_access *x) {
    const array *a = array_accessed(w, x);
    for (int d = next_distributed(a, 0); d < a->rank; d = next_distributed(a, d + 1))
        if (!is_divided(w, loop_of_subscript(w, x, d))) return false;
    return true;
}

/* Of an array that lies otherwise than home. */
static void advise_mapping(const pipeline *w, const nest_access *x) {
    const array *a = array_accessed(w, x), *home = array_accessed(w, w->home);
    if (!steps_with_loops(w, x)) return;
    if (is_divided_by_home(w, x))
        advise(w,
               "if '%s' and '%s' were distributed alike, in blocks, the processes could execute the loop one after "
               "the other, each its block",
               a->symbol->name, home->symbol->name);
    else if (!stores_into(w, a))
        advise(w,
               "if every process had all of '%s', which the loop only reads, they could execute it one after the "
               "other, each its block of '%s'",
               a->symbol->name, home->symbol->name);
}

static bool stands_by_home(pipeline *w, const nest_access *x) {
    bool before;
    if (!lie_alike(w->x->p, array_accessed(w, w->home), array_accessed(w, x))) {
        advise_mapping(w, x);
        return false;
    }
    if (!stands_near_home(w, x, &before)) return false;
    if (before) limit_blocks_by(w, x);
    return true;
}

static bool check_accesses(pipeline *w) {
    for (int k = 0; k < w->loops; k++) w->blocks[k] = !w->distances.backward[k];
    for (size_t k = 0; k < w->x->accesses; k++)
        if (array_accessed(w, &w->x->access[k]) && !stands_by_home(w, &w->x->access[k])) return false;
    return true;
}

/* Whether all iterations read the same part of an array, which none of them stores: it comes before the loop. */
static bool comes_before(const pipeline *w, const nest_access *x) {
    const array *a = array_accessed(w, x);
    node *name, *subscripts[MAX_RANK];
    int count;
    if (x->writes || x->row) return false;
    index_chain(x->chain, &name, subscripts, &count);
    for (int d = next_distributed(a, 0); d < a->rank; d = next_distributed(a, d + 1)) {
        if (!has_one_value(w->x, subscripts[d])) return false;
        for (int k = 0; k < w->x->loops; k++)
            if (mentions_symbol(subscripts[d], w->x->loop[k]->variable)) return false;
    }
    return !stores_into(w, a) || !is_stored_in(w->x, x);
}

/* How many loops, from the outermost on, have those among them that step through home's divided dimensions. */
static int loops_over_home(const pipeline *w) {
    const array *a = array_accessed(w, w->home);
    int loops = 0;
    for (int d = next_distributed(a, 0); d < a->rank; d = next_distributed(a, d + 1))
        if (w->divided[d] >= loops) loops = w->divided[d] + 1;
    return loops;
}

/* Whether the loops that are shared out have ranges that do not depend on one another: down to the innermost one that
 * steps through home's dimensions, if it stands in them alone. */
static bool has_rectangle(const pipeline *w) {
    const nest *x = w->x;
    bool depend = false;
    for (int k = 1; k < x->loops && sole_statement(x->loop[k - 1]->loop->child[3]) == x->loop[k]->loop; k++) {
        const nest_loop *l = x->loop[k];
        for (int j = 0; j < k; j++)
            depend = depend || mentions_symbol(l->lower, x->loop[j]->variable) ||
                     mentions_symbol(l->upper, x->loop[j]->variable);
        if (depend && (k < w->loops || mentions_symbol(w->home->chain, l->variable))) return false;
    }
    return true;
}

static bool is_gathered(const pipeline *w, const nest_access *x) {
    return w->x->gathers && !x->writes && !x->row && !stores_into(w, array_accessed(w, x));
}

/* Whether loops around others that are no foralls can be shared out as they stand: no iteration needs another one's
 * results, and each reads elements beside its own, or the same as all. */
static bool is_independent(pipeline *w) {
    const nest *x = w->x;
    for (int k = 0; k < w->loops; k++)
        if (w->distances.forward[k] || w->distances.backward[k]) return false;
    for (size_t k = 0; k < x->accesses; k++)
        if (array_accessed(w, &x->access[k]) && !comes_before(w, &x->access[k]) &&
            !stands_around_home(w, &x->access[k]) && !is_gathered(w, &x->access[k]) &&
            !stands_by_home(w, &x->access[k]))
            return false;
    return true;
}

static bool may_be_shared_out(const pipeline *w) {
    const nest *x = w->x;
    return !x->reason && x->distributed && !x->stores_memory && (x->gathers || !sets_are_chosen(x->p)) &&
           combines_scalars(w);
}

/* may_wait: the processes may execute it one after the other. */
static bool is_pipeline(pipeline *w, bool may_wait) {
    nest *x = w->x;
    w->loops = nested_loops(x, false);
    if (w->loops == 0 || !has_own_privates(w) || !find_home(w) || !find_distances(x, w->loops, &w->distances))
        return false;
    w->waits = pays(w);
    if (w->waits && !may_wait) return false;
    if (w->waits && has_owners(w) && goes_forward(w) && check_accesses(w)) return true;
    w->waits = w->supposes_owners = false;
    w->loops = loops_over_home(w);
    return has_owners(w) && (has_rectangle(w) || w->loops == 1) && is_independent(w);
}

/* Whether some iteration depends on the elements of another one. */
static bool goes_on(const pipeline *w) {
    for (int k = 0; k < w->loops; k++)
        if (w->distances.forward[k] || w->distances.backward[k]) return true;
    return false;
}

/* Whether elements that are stored come from the processes before, as far as is known. */
static bool reads_behind(const pipeline *w) {
    bool before = false;
    for (size_t k = 0; k < w->x->accesses && !before; k++)
        if (array_accessed(w, &w->x->access[k]) && !stands_near_home(w, &w->x->access[k], &before)) return true;
    return before;
}

/* Whether the outermost loop steps through the only divided dimension, each process through one block, and everything
 * else stands beside home: what is carried goes from process to process once. */
static bool is_carrying(pipeline *w) {
    nest *x = w->x;
    w->loops = nested_loops(x, false);
    if ((x->carrieds == 0 && !x->breaks) || w->loops == 0 || !has_own_privates(w) || !find_home(w)) return false;
    const array *a = array_accessed(w, w->home);
    const int d = next_distributed(a, 0);
    if (next_distributed(a, d + 1) < a->rank || w->divided[d] != 0) return false;
    if (is_block_cyclic(&a->mapping, d)) {
        advise_blocks(w, a);
        return false;
    }
    if (!find_distances(x, w->loops, &w->distances)) return false;
    if (!goes_on(w) || x->breaks) w->loops = 1;
    w->waits = true;
    if (!has_owners(w) || !goes_forward(w) || !check_accesses(w)) return false;
    for (int k = 0; k < w->loops; k++) w->blocks[k] = false;
    return true;
}

/* Loops whose iterations are independent, where the bounds of inner ones depend on outer ones: red and black points.
 * Nobody looks whether elements of home exist. */
static bool is_triangular(pipeline *w) {
    *w = (pipeline){.x = w->x, .loops = nested_loops(w->x, true)};
    if (w->loops <= nested_loops(w->x, false) || !has_own_privates(w) || !find_home(w) ||
        !find_distances(w->x, w->loops, &w->distances))
        return false;
    w->loops = loops_over_home(w);
    return is_shown_inside(w, w->home, w->x->loop[w->loops - 1]->loop->child[3]) && is_independent(w);
}

/* ---- The directive */

static const char *words_of(const pipeline *w) {
    text out;
    const char *between = "";
    if (!w->waits) return "proved independent: no iteration needs what another one stores";
    text_start(&out, w->x->p->memory);
    if (w->x->carrieds == 0 && w->x->breaks) return "a pipeline: no iteration comes behind 'break'";
    if (w->x->carrieds > 0) {
        text_add(&out, "iterations need what the one before leaves in");
        for (int k = 0; k < w->x->carrieds; k++)
            text_format(&out, "%s '%s'", k == 0 ? "" : k + 1 < w->x->carrieds ? "," : " and", w->x->carried[k]->name);
        return text_of(&out);
    }
    text_add(&out, "a pipeline: no iteration needs what one with");
    for (int k = 0; k < w->loops; k++) {
        if (!is_divided(w, k)) continue;
        const nest_loop *l = w->x->loop[k];
        text_format(&out, "%s a %s %s", between, l->down ? "lower" : "greater", l->variable->name);
        between = " or";
    }
    text_add(&out, " stores");
    return text_of(&out);
}

static const char *operator_of(const nest_statement *s) {
    if (s->extreme.relation) return s->extreme.relation[0] == '>' ? "max" : "min";
    static const char *const operators[] = {"*", "^", "|", "&"};
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (s->op[0] == operators[k][0]) return operators[k];
    return "+";
}

/* Whether a statement before number k combines values with the same scalar. */
static bool has_result_before(const nest *x, int k) {
    for (int j = 0; j < k; j++)
        if (x->statement[j].kind == STATEMENT_SCALAR && x->statement[j].left->symbol == x->statement[k].left->symbol)
            return true;
    return false;
}

static void add_results(const pipeline *w, node *directive) {
    for (int k = 0; k < w->x->statements; k++) {
        const nest_statement *s = &w->x->statement[k];
        if (s->kind == STATEMENT_SCALAR && !has_result_before(w->x, k))
            add_clause(w->x, directive, "reduction", operator_of(s), s->left->symbol);
    }
    for (int k = 0; k < w->x->updates; k++)
        add_clause(w->x, directive, "reduction", w->x->update[k].op, (symbol *)w->x->update[k].array);
}

static void note_unused(const pipeline *w, const symbol *s) {
    if (!w->supposes_owners) note_unused_outside(w->x->p, w->x->root, s);
}

/* Whether a loop before number k has the same variable. */
static bool has_variable_before(const nest *x, int k) {
    for (int j = 0; j < k; j++)
        if (x->loop[j]->variable == x->loop[k]->variable) return true;
    return false;
}

/* Variables of loops in the body that are declared elsewhere. */
static void add_counters(const pipeline *w, node *directive) {
    for (int k = w->loops; k < w->x->loops; k++) {
        const symbol *s = w->x->loop[k]->variable;
        if (node_holds(w->x->root, s->declarator) || has_variable_before(w->x, k)) continue;
        add_clause(w->x, directive, "private", NULL, (symbol *)s);
        note_unused(w, s);
    }
}

/* Scalars of iterations that are declared elsewhere. */
static void add_privates(const pipeline *w, node *directive) {
    for (int k = 0; k < w->x->privates; k++) {
        const nest_private *p = &w->x->private[k];
        if (!p->declared) add_clause(w->x, directive, "private", NULL, (symbol *)p->symbol);
        note_unused(w, p->symbol);
    }
    for (int k = 0; k < w->loops; k++) note_unused(w, w->x->loop[k]->variable);
}

/* Whether iterations of loop k, the innermost, need each what the one before has just computed. */
static bool is_chain(const pipeline *w, int k) {
    return k == w->loops - 1 && w->loops == w->x->loops && w->distances.forward[k];
}

static void declare_pipeline(const pipeline *w) {
    char *word = arena_alloc(w->x->p->memory, (size_t)w->loops + 1);
    node *directive = independent_on(w->x, w->home->chain);
    for (int k = 0; k < w->loops; k++) word[k] = !w->blocks[k] ? 'w' : is_chain(w, k) ? 'c' : 'b';
    word[w->loops] = '\0';
    if (w->waits) add_clause(w->x, directive, "pipeline", word, NULL);
    if (stands_alone(w) || (!w->waits && w->loops == 1 && !has_rectangle(w)))
        add_clause(w->x, directive, "alone", NULL, NULL);
    if (w->x->breaks) add_clause(w->x, directive, "leaves", NULL, NULL);
    if (w->x->carrieds > 0 && !goes_on(w) && !reads_behind(w)) add_clause(w->x, directive, "sums", NULL, NULL);
    if (w->x->last) add_clause(w->x, directive, "last", NULL, (symbol *)w->x->last);
    for (int k = 0; k < w->x->carrieds; k++) {
        const symbol *s = w->x->carried[k];
        const bool behind = s->file_scope || s->is_static || is_address_taken(s) || is_needed_behind(w->x->root, s);
        add_clause(w->x, directive, "carried", behind ? "last" : NULL, (symbol *)s);
    }
    for (int k = 0; k < w->x->kepts; k++)
        add_clause(w->x, directive, "kept", w->x->kept[k].counter->name, (symbol *)w->x->kept[k].array);
    add_results(w, directive);
    add_privates(w, directive);
    add_counters(w, directive);
    put_directive(w->x, directive, words_of(w));
}

/* Beside the nest as it was, if it is known only as it begins whether all iterations have owners. */
static void put_pipeline(const pipeline *w) {
    nest *x = w->x;
    if (w->supposes_owners && x->is_part)
        x->owners = owners_exist(w);
    else if (w->supposes_owners)
        divide_by_owners(x->p, x->root, ast_clone(x->p->memory, x->root), owners_exist(w));
    declare_pipeline(w);
}

static bool take_in_order(nest *x, bool may_wait) {
    pipeline w = {.x = x};
    x->in_order = true;
    read_nest(x);
    if (!may_be_shared_out(&w) || !(is_pipeline(&w, may_wait) || is_triangular(&w))) {
        find_obstacle(x);
        return false;
    }
    put_pipeline(&w);
    return true;
}

bool take_pipeline(nest *x) {
    return take_in_order(x, true);
}

bool take_as_it_stands(nest *x) {
    return take_in_order(x, false);
}

/* Reads the nest in order, as often as one more scalar is found to be carried. */
static void read_carrying(nest *x) {
    const nest fresh = *x;
    const symbol *carried[MOST_CARRIED] = {NULL};
    int carrieds = 0;
    for (;;) {
        *x = fresh;
        x->in_order = x->carries = true;
        memcpy(x->carried, carried, sizeof carried);
        x->carrieds = carrieds;
        read_nest(x);
        if (!x->wants || carrieds == MOST_CARRIED) break;
        carried[carrieds++] = x->wants;
    }
    check_carried(x);
    check_kept(x);
}

bool take_carrying(nest *x) {
    pipeline w = {.x = x};
    read_carrying(x);
    if (!may_be_shared_out(&w) || !is_carrying(&w)) return false;
    put_pipeline(&w);
    return true;
}

bool take_gathering(nest *x) {
    x->gathers = true;
    return take_in_order(x, false);
}
