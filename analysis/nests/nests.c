/* Pass "nests": C loop nests over elements of distributed arrays, whose iterations don't depend on one another, become
 * the foralls and reductions that mean the same.  Where the whole nest cannot, its outermost loop stays as it is, and
 * what stands in that is looked at. */
#include <stdlib.h>
#include <string.h>

#include "nests.h"

static bool has_elements(const node *n) {
    if ((n->kind == N_INDEX && distributed_reference((node *)n)) || row_pointer((node *)n)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_elements(n->child[c])) return true;
    return false;
}

/* ---- Loops that stay */

/* A loop that steps through elements, and why. */
typedef struct {
    nest *nest;
    const node *loop;
} slow_loop;

typedef struct nest_search {
    program *p;
    slow_loop *slow;
    size_t count, capacity;
    nest *spare;              /* of a loop that nothing is said about, or NULL */
    nest again;               /* what is read a second time */
    unsigned long operations; /* less in each loop of a nest whose dependences took too long */
    hash_table deep;          /* loops around more loops than any nest has */
    node **waiting;           /* loops that are looked at again when it is known which mappings reach them */
    size_t waits, waiting_capacity;
    bool reached; /* that is known */
    nest_rows rows;
} search;

/* Whether the variable occurs in a subscript of a dimension that is divided. */
static bool follows(node *chain, const symbol *variable) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if ((!distributed_reference(chain) && !row_pointer(chain)) || first_section(chain)) return false;
    index_chain(chain, &name, subscripts, &count);
    const array *a = name->symbol->array;
    for (int d = 0; d < count; d++)
        if (may_be_distributed(a, d) && mentions_symbol(subscripts[d], variable)) return true;
    return false;
}

static bool is_array_assignment(node *n) {
    return n->kind == N_ASSIGN && first_section(inside_parentheses(n->child[0])) != NULL;
}

/* Whether n is executed for many elements at once. */
static bool is_parallel(node *n) {
    operation op;
    return n->kind == N_FORALL || reduction_call(n, &op) || independent_directive(n) || n->kind == N_TRIPLET ||
           is_array_assignment(n);
}

/* Whether n has elements that live elsewhere in each iteration, and are accessed one by one. */
static bool steps_through(node *n, const symbol *variable) {
    if (is_parallel(n)) return false;
    if (n->kind == N_VERSIONS) return steps_through(n->child[0], variable); /* the others are for what is rare */
    if (n->kind == N_INDEX && follows(n, variable)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && steps_through(n->child[c], variable)) return true;
    return false;
}

/* Whether each time that n is executed some statement is for many elements at once. */
static bool executes_parallel(node *n) {
    if (is_parallel(n)) return true;
    if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_IF || n->kind == N_SWITCH || n->kind == N_CONDITIONAL)
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && executes_parallel(n->child[c])) return true;
    return false;
}

/* Whether inner loops step through elements. */
static bool steps_deeper(node *n, const symbol *variable) {
    if (is_parallel(n)) return false;
    if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO) return steps_through(n, variable);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && steps_deeper(n->child[c], variable)) return true;
    return false;
}

/* Whether it reads or writes files: no other form does that faster. */
static bool has_streams(const node *n) {
    const char *name =
        n->kind == N_CALL && n->child[0]->kind == N_NAME && !n->child[0]->symbol ? n->child[0]->name : "";
    if (strstr(name, "print") || strstr(name, "scan") || strstr(name, "put") || strstr(name, "read") ||
        strstr(name, "write"))
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_streams(n->child[c])) return true;
    return false;
}

/* Whether a loop may take another form. */
static bool is_free(const program *p, node *loop, counting_loop *counts) {
    return !follows_pragma(p->source, loop) && counting_loop_of(loop, counts) && !has_streams(loop);
}

/* Whether some variable that n moves on by a number, `k++` or `k += s`, leads through elements in the loop. */
static bool moves_through(node *loop, const node *n) {
    const bool adds = n->kind == N_ASSIGN && (!strcmp(n->op, "+=") || !strcmp(n->op, "-="));
    const node *left = adds || is_step(n) ? inside_parentheses(n->child[0]) : NULL;
    if (is_parallel((node *)n) || n->kind == N_VERSIONS) return false;
    if (left && left->kind == N_NAME && left->symbol && steps_through(loop, left->symbol)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && moves_through(loop, n->child[c])) return true;
    return false;
}

/* Whether a loop that stays is worth a warning. */
static bool is_slow(const program *p, node *loop) {
    counting_loop counts;
    if (is_free(p, loop, &counts)) return steps_through(loop, counts.variable);
    if (follows_pragma(p->source, loop) || counting_loop_of(loop, &counts) || has_streams(loop)) return false;
    return moves_through(loop, loop->kind == N_FOR && loop->child[2] ? loop->child[2] : loop);
}

/* Notes a loop that has stayed, in place of those in it. */
static void note_slow(search *f, nest *x, size_t before) {
    f->count = before;
    vector_add(f->p->memory, f->slow, f->count, f->capacity, ((slow_loop){x, x->root}));
}

/* ---- What the loops that stay cost */

/* Iterations of a loop, where its bounds are numbers; else false. */
static bool count_trips(const nest_loop *l, int64_t *trips) {
    int64_t lower, upper;
    if (!l || !constant_value(l->lower, &lower) || !constant_value(l->upper, &upper)) return false;
    if (llabs(lower) > LINEAR_MOST || llabs(upper) > LINEAR_MOST) return false;
    const int64_t last = upper + l->upper_more - lower - l->lower_more;
    *trips = last < 0 ? 0 : last / l->step + 1;
    return true;
}

/* Whether n assigns an element, which its owner does alone, without a message. */
static bool is_stored_element(const node *n) {
    const bool assigns = n->kind == N_ASSIGN && (!strcmp(n->op, "=") || n->parent->kind == N_EXPRESSION);
    node *left = assigns ? inside_parentheses(n->child[0]) : NULL;
    while (left && left->kind == N_MEMBER) left = inside_parentheses(left->child[0]);
    return left && left->kind == N_INDEX && distributed_reference(left);
}

/* Whether single elements are read in n, but for subscripts. */
static bool reads_elements(node *n) {
    if (is_parallel(n)) return false;
    if (row_pointer(n) || (n->kind == N_INDEX && distributed_reference(n))) return true;
    for (size_t c = is_stored_element(n); c < n->count; c++)
        if (n->child[c] && reads_elements(n->child[c])) return true;
    return false;
}

/* Adds the single elements of distributed arrays that n reads, but for those in subscripts, each `times` over; false:
 * not known how many. */
static bool count_accesses(const nest *x, node *n, int64_t times, int64_t *count) {
    int64_t trips = 1;
    if (is_parallel(n)) return true;
    if (n->kind == N_WHILE || n->kind == N_DO) return !reads_elements(n);
    if (n->kind == N_FOR && !count_trips(loop_at(x, n), &trips)) return false;
    if (__builtin_mul_overflow(times, trips, &times)) return false;
    if (row_pointer(n) || (n->kind == N_INDEX && distributed_reference(n)))
        return !__builtin_add_overflow(*count, times, count);
    for (size_t c = is_stored_element(n); c < n->count; c++)
        if (n->child[c] && !count_accesses(x, n->child[c], times, count)) return false;
    return true;
}

static const char *cost_of(const nest *x) {
    int64_t count = 0;
    if (!reads_elements(x->root)) return "single elements are only stored, without messages";
    if (!count_accesses(x, x->root, 1, &count) || count == 0) return "each element that it reads may be a message";
    if (count == 1) return "it reads at least one element, which may be a message";
    return arena_format(x->p->memory, "it reads at least %lld elements, each of which may be a message",
                        (long long)count);
}

/* Whether some statement in it is for many elements at once. */
static bool has_parallel(node *n) {
    if (is_parallel(n)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_parallel(n->child[c])) return true;
    return false;
}

static void warn(const search *f) {
    for (size_t k = 0; k < f->count; k++) {
        const nest *x = f->slow[k].nest;
        diagnose(f->p->source, x->place ? x->place : x->root, D_element_loop, x->reason);
        diagnose_note(f->p->source, x->root,
                      has_parallel(x->root)
                          ? "foralls and sections in this loop are parallel, its other statements run "
                            "one element after the other, on every process: %s"
                          : "this loop runs one element after the other, on every process: %s",
                      cost_of(x));
        diagnose_help("%s", advice_of(x));
    }
}

/* What --explain says of them. */
static void note_all(search *f) {
    program *p = f->p;
    for (size_t k = 0; k < f->count; k++) {
        const nest *x = f->slow[k].nest;
        vector_add(p->memory, p->slow, p->slow_count, p->slow_capacity,
                   ((slow_nest){x->root, x->reason, advice_of(x), has_parallel(x->root)}));
    }
}

/* ---- Nests */

static nest *new_nest(search *f, node *loop) {
    nest *x = f->spare ? f->spare : arena_alloc(f->p->memory, sizeof *x);
    f->spare = NULL;
    *x = (nest){.p = f->p, .passing = arena_new(), .root = loop, .operations = f->operations};
    return x;
}

/* Reads a nest and puts its statements in order; whether they are parallel, so that it can be rewritten. */
static bool find_order(nest *x) {
    read_nest(x);
    const bool some = !x->reason && x->distributed && x->statements > 0;
    if (some) divide_nest(x);
    if (some && !x->reason) order_nest(x);
    return some && !x->reason;
}

bool take_foralls(nest *x) {
    if (!find_order(x)) return false;
    rewrite_nest(x);
    return true;
}

/* Reads a nest again, in this memory; whether it becomes what `take` makes of it. */
static bool take_again(nest *x, nest *again, bool (*take)(nest *)) {
    *again = (nest){.p = x->p, .passing = arena_new(), .root = x->root, .operations = x->operations};
    const bool taken = take(again);
    arena_free(again->passing);
    if (again->advice && (!x->advice || x->general)) x->advice = again->advice;
    x->exhausted = x->exhausted || again->exhausted;
    if (again->in_order && again->reason) x->stays = again->reason, x->stays_at = again->place;
    return taken;
}

/* Whether a nest that is not parallel is a pipeline, or some, or parallel in parts. */
static bool take_sequential(nest *x, nest *again) {
    return take_again(x, again, take_distributed) || take_again(x, again, take_pipeline) ||
           take_again(x, again, take_split);
}

/* Whether access b stores into the array that a reads, perhaps at other subscripts. */
static bool stores_nearby(const nest *x, const nest_access *a, const nest_access *b) {
    return a->statement >= 0 && b->writes && !a->writes && a->depth < 0 && b->depth < 0 && a->array == b->array &&
           x->statement[a->statement].kind == STATEMENT_SCALAR &&
           strcmp(nest_quote(x, a->chain), nest_quote(x, b->chain)) != 0;
}

/* Whether the nest combines values of elements beside the one that it stores: what its iterations find there makes no
 * difference, but the pass that fuses statements does not know. */
static bool combines_neighbours(const nest *x) {
    for (size_t k = 0; k < x->accesses; k++)
        for (size_t j = 0; j < x->accesses; j++)
            if (stores_nearby(x, &x->access[k], &x->access[j])) return true;
    return false;
}

static bool is_sum(const nest_statement *s) {
    return s->first_sum < s->loops;
}

/* Whether n reads a private, or one whose value does. */
static bool reads_private(const nest *x, const node *n, const symbol *s, int depth) {
    if (!n || depth > x->privates) return false;
    if (mentions_symbol(n, s)) return true;
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *d = &x->statement[k];
        if (d->kind == STATEMENT_PRIVATE && !is_sum(d) && mentions_symbol(n, d->private) &&
            reads_private(x, d->value, s, depth + 1))
            return true;
    }
    return false;
}

/* Whether a private of an inner loop has a value that is more than a name or an element. */
static bool is_computed_inside(const nest *x, const nest_private *p) {
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        if (s->kind != STATEMENT_PRIVATE || s->private != p->symbol || !s->value || is_sum(s)) continue;
        const node *n = inside_parentheses(s->value);
        if (n->kind != N_NAME && n->kind != N_INDEX && n->kind != N_CONSTANT) return true;
    }
    return false;
}

/* Whether several sums over an inner loop are made of a value that is computed there: each would compute it. */
static bool shares_values(const nest *x) {
    for (int k = 0; k < x->privates; k++) {
        int sums = 0;
        if (x->private[k].adds_up || !is_computed_inside(x, &x->private[k])) continue;
        for (int s = 0; s < x->statements; s++)
            if (x->statement[s].kind != STATEMENT_SCALAR && is_sum(&x->statement[s]) &&
                reads_private(x, x->statement[s].value, x->private[k].symbol, 0))
                sums++;
        if (sums > 1) return true;
    }
    return false;
}

/* Whether statements that are executed apart share what they evaluate, so that one loop for all is better, and it
 * becomes one: stores behind `continue`, each with the conditions and scalars before it; sums of what is there before a
 * store, or beside it; sums of what is computed for all of them. */
static bool stays_one_loop(search *f, nest *x) {
    bool early = false;
    for (int k = 0; k < x->statements; k++) early = early || x->statement[k].early;
    if (x->skips_elements) return take_again(x, &f->again, take_pipeline);
    const bool shares = shares_values(x);
    if ((early || shares || combines_neighbours(x)) && take_again(x, &f->again, take_as_it_stands)) return true;
    return shares && take_again(x, &f->again, take_gathering);
}

/* Whether the loop becomes parallel statements. */
static bool take_nest(search *f, nest *x) {
    if (find_order(x)) {
        if (!stays_one_loop(f, x)) rewrite_nest(x);
        return true;
    }
    if (!x->reason) return false;
    if (f->p->reproducible && take_combining(x, true)) return true; /* with no mapping a pipeline, which would round */
    if (take_sequential(x, &f->again) || take_signs(x->p, x->root) || take_combining(x, false) ||
        take_again(x, &f->again, take_gathering))
        return true;
    const bool remedied = x->remedied, remedies_one = x->remedies_one;
    const char *advice = x->advice;
    if (!take_again(x, &f->again, take_carrying)) {
        if (x->stands && x->stays) x->reason = x->stays, x->place = x->stays_at;
        return false;
    }
    if (!remedied || (remedies_one && f->again.carrieds > 1) || f->p->serial) return true;
    diagnose(f->p->source, x->place, D_carried_pipeline, x->reason);
    diagnose_help("%s", advice);
    return true;
}

/* How deep loops stand in n; those around more than MOST_DEPTH are only looked into, or each would be read once for
 * every loop around it. */
static int find_deep(search *f, node *n) {
    int depth = 0;
    for (size_t c = 0; c < n->count; c++) {
        const int below = n->child[c] ? find_deep(f, n->child[c]) : 0;
        if (below > depth) depth = below;
    }
    if (n->kind == N_FOR && ++depth > MOST_DEPTH) table_put(f->p->memory, &f->deep, n, n);
    return depth;
}

static void walk(search *f, node *n);

/* Whether n holds a loop that has been found to be a pipeline, or shared out as it stands. */
static bool holds_shared(const node *n) {
    const node *directive = independent_directive(n);
    if (directive && directive->made) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && holds_shared(n->child[c])) return true;
    return false;
}

static bool mentions_any_index(const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_INDEX) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_any_index(n->child[c])) return true;
    return false;
}

/* Whether a left side has indices of foralls in all subscripts of divided dimensions, as far as its mapping is known.
 */
static bool is_spread(const program *p, node *left) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!distributed_reference(left) || first_section(left)) return false;
    index_chain(left, &name, subscripts, &count);
    const array *a = array_at(p, name);
    for (int d = 0; d < count; d++)
        if (may_be_distributed(a, d) && !mentions_any_index(subscripts[d])) return false;
    return true;
}

/* Whether n assigns a number that each combination of a forall's indices has for itself. */
static bool assigns_local(const node *n) {
    if (n->kind != N_ASSIGN || inside_parentheses(n->child[0])->kind != N_NAME) return false;
    while (n && n->kind != N_FORALL) n = n->parent;
    return n != NULL;
}

/* Whether all that n assigns is: lines across divided dimensions, A[i][d-i], of which every process has its part. */
static bool assigns_spread(const program *p, const node *n) {
    if (assigns_local(n)) return true;
    if (n->kind == N_ASSIGN && !is_spread(p, inside_parentheses(n->child[0]))) return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !assigns_spread(p, n->child[c])) return false;
    return true;
}

/* How many indices are in one another in a forall. */
static int depth_of(const node *n) {
    int indices = 0, deepest = 0;
    for (size_t c = 0; c < n->count; c++) {
        const int below = n->child[c] ? depth_of(n->child[c]) : 0;
        indices += n->child[c] && n->child[c]->kind == N_FORALL_INDEX;
        if (below > deepest) deepest = below;
    }
    return indices + deepest;
}

/* The most indices that foralls in n have of which every process has its part, and those that have others. */
static void find_depths(const program *p, const node *n, int *spread, int *apart) {
    if (n->kind == N_FORALL) {
        int *most = assigns_spread(p, n) ? spread : apart;
        const int depth = depth_of(n);
        if (depth > *most) *most = depth;
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_depths(p, n->child[c], spread, apart);
}

/* Whether what a loop does most of the time is shared out in each of its iterations: all that it assigns, or what has
 * more indices than the rest, as the elimination beside the scaling of a column. */
static bool has_shared_iterations(const program *p, node *loop) {
    int spread = 0, apart = 0;
    if (is_slow(p, loop)) return false;
    find_depths(p, loop->child[3], &spread, &apart);
    return assigns_spread(p, loop->child[3]) || (spread > apart && apart > 0);
}

static bool is_shared_line_by_line(const search *f, node *loop, size_t before) {
    return f->count == before && has_shared_iterations(f->p, loop);
}

/* Whether every process has its part of what each forall in n assigns. */
static bool foralls_spread(const program *p, const node *n) {
    if (n->kind == N_FORALL) return assigns_spread(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !foralls_spread(p, n->child[c])) return false;
    return true;
}

/* Whether n holds a statement on whole sections, or a forall, that mentions the symbol. */
static bool is_used_at_once(node *n, const symbol *s) {
    if ((n->kind == N_FORALL || is_array_assignment(n)) && mentions_symbol(n, s)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_used_at_once(n->child[c], s)) return true;
    return false;
}

/* Whether statements on whole sections in the loop use every array to which n assigns single elements; *any: there is
 * one. */
static bool are_used_at_once(node *loop, node *n, bool *any) {
    node *left = n->kind == N_ASSIGN ? inside_parentheses(n->child[0]) : NULL;
    if (n->kind == N_FORALL || is_array_assignment(n)) return true;
    if (left && distributed_reference(left)) {
        const array *a = distributed_reference(left);
        if (!is_used_at_once(loop->child[3], a->symbol)) return false;
        *any = true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !are_used_at_once(loop, n->child[c], any)) return false;
    return true;
}

/* Whether a loop is a recurrence whose steps are parallel, as the solution of a triangular system: what it assigns
 * element by element goes into statements on whole sections, which no other form of the loop makes faster. */
static bool has_parallel_steps(node *loop) {
    bool any = false;
    return are_used_at_once(loop, loop->child[3], &any) && any;
}

/* Whether all that steps through elements in a loop that stays are pipelines, or other loops that are shared out. */
static bool is_pipelined(const search *f, node *loop, size_t before) {
    return f->count == before && holds_shared(loop) && !is_slow(f->p, loop);
}

/* Whether the single elements of an iteration stand beside statements for many, which use those that are assigned, as
 * pivots do: they are few. */
static bool has_few_elements(const search *f, node *loop, size_t before) {
    counting_loop counts;
    bool any = false;
    return f->count == before && counting_loop_of(loop, &counts) && executes_parallel(loop->child[3]) &&
           foralls_spread(f->p, loop->child[3]) && !steps_deeper(loop->child[3], counts.variable) &&
           are_used_at_once(loop, loop->child[3], &any);
}

/* ---- Loops on arrays that are redistributed: these may be pipelines with the mappings that they have there, so that
 * nothing in them is made a forall before that is known */

static bool names_redistributed(const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->array && n->symbol->array->redistributed) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && names_redistributed(n->child[c])) return true;
    return false;
}

/* Whether the loop waits, if it is not parallel. */
static bool waits_for_mappings(const search *f, const node *loop, bool slow) {
    return !f->reached && !f->p->serial && slow && names_redistributed(loop) && !holds_kind(loop, N_REDISTRIBUTE);
}

/* Whether a nest that waits for the value of a scalar only would be parallel with that scalar declared in it. */
static bool needs_declaration(search *f, const nest *x) {
    nest *again = &f->again;
    counting_loop counts;
    if (!x->behind || !is_free(f->p, x->root, &counts)) return false;
    *again = (nest){.p = x->p, .passing = arena_new(), .root = x->root, .operations = x->operations, .assumed = true};
    const bool found = find_order(again);
    arena_free(again->passing);
    return found;
}

static void walk_loop(search *f, node *loop) {
    const bool slow = is_slow(f->p, loop);
    const size_t before = f->count;
    nest *x = new_nest(f, loop);
    const bool taken = take_nest(f, x), noted = !taken && slow && x->reason;
    const bool declares = !taken && x->reason && needs_declaration(f, x);
    const unsigned long operations = f->operations;
    arena_free(x->passing);
    x->passing = NULL;
    x->access = NULL;
    x->accesses = x->access_capacity = 0;
    if (x->exhausted && operations > LEAST_OPERATIONS) f->operations = operations / 4;
    const bool waits = !taken && waits_for_mappings(f, loop, slow);
    if ((!noted && !declares) || waits) f->spare = x;
    if (waits) vector_add(f->p->memory, f->waiting, f->waits, f->waiting_capacity, loop);
    if (!taken && !waits) note_rows(&f->rows, x);
    if (!taken && !waits) walk(f, loop);
    f->operations = operations;
    if (waits) return;
    if (declares || (noted && !is_pipelined(f, loop, before) && !is_shared_line_by_line(f, loop, before) &&
                     !has_parallel_steps(loop) && !has_few_elements(f, loop, before)))
        note_slow(f, x, before);
}

/* Whether some inner loop of an independent one runs between bounds that are elements: what it reads at its variable is
 * gathered by foralls, and would come whole in the loop. */
static bool has_ragged(const node *n) {
    for (int part = 0; n->kind == N_FOR && part < 2; part++)
        if (n->child[part] && reads_distributed(n->child[part])) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_ragged(n->child[c])) return true;
    return false;
}

static void walk_independent(search *f, node *loop, node *directive) {
    if (table_at(&f->deep, loop) || !has_ragged(loop->child[3])) return;
    nest *x = new_nest(f, loop);
    if (take_foralls(x)) table_put(f->p->memory, &f->p->proved, directive, "its iterations are foralls and sums");
    arena_free(x->passing);
}

/* A loop that has no head to count with: what stands in it is looked at. */
static void walk_while(search *f, node *loop) {
    const size_t before = f->count;
    walk(f, loop);
    if (f->count != before || !is_slow(f->p, loop) || has_parallel(loop)) return;
    nest *x = new_nest(f, loop);
    arena_free(x->passing);
    x->passing = NULL;
    stop_nest(x, loop, "it is a while loop");
    advise_nest(x, loop, "for (i = first; i < limit; i++), if it counts");
    note_slow(f, x, before);
}

static void walk(search *f, node *n) {
    if (n->kind == N_FORALL) return;
    for (size_t c = 0; c < n->count; c++) {
        node *child = n->child[c];
        node *directive = child ? independent_directive(child) : NULL;
        if (directive) walk_independent(f, child, directive);
        if (!child || directive) continue;
        if (child->kind == N_FOR && !table_at(&f->deep, child) && has_elements(child))
            walk_loop(f, child);
        else if (child->kind == N_WHILE)
            walk_while(f, child);
        else
            walk(f, child);
    }
}

/* do { ... } while (0), as macros that are statements have it, is its body. */
static void unwrap_bodies(node *n) {
    int64_t value;
    for (size_t c = 0; c < n->count; c++) {
        node *child = n->child[c];
        if (!child) continue;
        if (child->kind == N_DO && constant_value(child->child[1], &value) && value == 0 && !jumps(child->child[0]))
            replace_node(child, child->child[0]);
        unwrap_bodies(n->child[c]);
    }
}

void find_nests(program *p) {
    settle_unequal_heads(p->unit);
    if ((p->serial && !p->reproducible) || p->array_count == 0) return;
    search *f = arena_alloc(p->memory, sizeof *f);
    *f = (search){.p = p, .operations = MOST_OPERATIONS};
    p->nests = f;
    unwrap_bodies(p->unit);
    write_out_subscripts(p, p->unit);
    find_deep(f, p->unit);
    walk(f, p->unit);
    if (!p->serial) flatten_matrices(p, p->unit);
    if (!p->serial && p->sets == METHOD_NONE && p->model == COMM_AUTO) divide_by_steps(p, p->unit);
}

/* ---- Pass "remapped": the same loops on arrays that are redistributed, when it is known which mapping these have
 * there. */

static bool has_remapped(const program *p, const node *n) {
    const reached *r = n->kind == N_NAME ? reached_at(p, n) : NULL;
    if (r && r->known && r->views == 1 && !r->others) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_remapped(p, n->child[c])) return true;
    return false;
}

/* Whether the loop is a pipeline with the mappings that reach it; else what was advised follows these. */
static bool take_remapped(search *f, node *loop) {
    nest *x = new_nest(f, loop);
    const bool taken = take_sequential(x, &f->again);
    size_t kept = 0;
    for (size_t k = 0; k < f->count; k++) {
        if (f->slow[k].loop == loop && (x->advice || !f->slow[k].nest->stands)) f->slow[k].nest->advice = x->advice;
        if (!taken || !node_holds(loop, f->slow[k].loop)) f->slow[kept++] = f->slow[k];
    }
    f->count = kept;
    arena_free(x->passing);
    f->spare = x;
    return taken;
}

static void walk_remapped(search *f, node *n) {
    if (n->kind == N_FORALL) return;
    for (size_t c = 0; c < n->count; c++) {
        node *child = n->child[c];
        if (!child || independent_directive(child)) continue;
        const bool read =
            child->kind == N_FOR && !table_at(&f->deep, child) && has_elements(child) && has_remapped(f->p, child);
        if (!read || !take_remapped(f, child)) walk_remapped(f, child);
    }
}

static void walk_waiting(search *f, node *loop) {
    node *above = loop->parent;
    walk_loop(f, loop);
    flatten_matrices(f->p, above);
    if (f->p->sets == METHOD_NONE && f->p->model == COMM_AUTO) divide_by_steps(f->p, above);
}

/* Forgets loops whose statements every process has its part of with the mappings that reach them. */
static void drop_shared(search *f) {
    size_t kept = 0;
    for (size_t k = 0; k < f->count; k++) {
        node *loop = f->slow[k].nest->root;
        if (!has_shared_iterations(f->p, loop)) f->slow[kept++] = f->slow[k];
    }
    f->count = kept;
}

void find_remapped(program *p) {
    search *f = p->nests;
    if (!f) return;
    f->reached = true;
    for (size_t k = 0; k < f->waits; k++) walk_waiting(f, f->waiting[k]);
    if (p->reached_count > 0) {
        walk_remapped(f, p->unit);
        drop_shared(f);
    }
    note_all(f);
    if (p->serial) return;
    warn(f);
    check_rows(p, &f->rows, p->unit);
}
