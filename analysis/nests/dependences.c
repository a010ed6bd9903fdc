/* Pass "nests": dependences of a loop nest, by isl.  Each statement is to be executed for all iterations at once, where
 * it reads all values before it stores any.  That is right where no dependence goes from a store of a statement to
 * itself, and where those between statements form no circle: then they are executed in the order of the dependences. */
#include <isl/map.h>
#include <isl/set.h>
#include <string.h>

#include "sets.h"

/* Distances may take isl so many times the operations of an order. */
enum { PAIRS = 4 };

/* ---- Conflicts */

/* The iterations of one sum may come in any order: those where only loops differ that are added up over. */
static isl_map *without_own_sum(space *w, isl_map *found, const nest_access *x) {
    const nest_statement *s = &w->x->statement[x->statement];
    text out;
    text_start(&out, w->x->passing);
    text_format(&out, "{ S%d[", x->statement);
    for (int k = 0; k < s->loops; k++) text_format(&out, "%si%d", k ? ", " : "", k);
    text_format(&out, "] -> S%d[", x->statement);
    for (int k = 0; k < s->loops; k++) text_format(&out, "%s%s%d", k ? ", " : "", s->reduces[k] ? "o" : "i", k);
    text_add(&out, "] }");
    return isl_map_subtract(found, isl_map_read_from_str(w->isl, text_of(&out)));
}

/* The executions of access x, with those of y that touch the same element. */
static isl_map *same_elements(space *w, const nest_access *x, const nest_access *y) {
    const node *of_x[MAX_RANK], *of_y[MAX_RANK];
    const int parts = common_subscripts(x, y, of_x, of_y);
    const char *left = text_of_subscripts(w, x, of_x, parts); /* first: they add parameters */
    const char *right = text_of_subscripts(w, y, of_y, parts);
    domain_text(w, &w->x->statement[x->statement]);
    domain_text(w, &w->x->statement[y->statement]);
    return isl_map_apply_range(map_of(w, x, left), isl_map_reverse(map_of(w, y, right)));
}

/* The executions of access x that touch an element before ones of y do, with these. */
static isl_map *conflicts(space *w, const nest_access *x, const nest_access *y) {
    isl_map *same = same_elements(w, x, y);
    isl_map *before = isl_map_lex_lt_map(map_of(w, x, time_text(w, x)), map_of(w, y, time_text(w, y)));
    isl_map *found = isl_map_intersect(same, before);
    if (!w->in_order && x->accumulates && y->accumulates && x->statement == y->statement && x->chain == y->chain)
        found = without_own_sum(w, found, x);
    return found;
}

/* Whether something is in the map, or isl does not know. */
static bool is_filled(space *w, isl_map *found) {
    const isl_bool empty = found ? isl_map_is_empty(found) : isl_bool_error;
    if (empty == isl_bool_error) w->failed = true;
    return empty != isl_bool_true;
}

static bool touch_the_same(space *w, const nest_access *x, const nest_access *y) {
    isl_map *found = same_elements(w, x, y);
    const bool filled = is_filled(w, found);
    isl_map_free(found);
    return filled;
}

static const char *words_of_access(space *w, const nest_access *x, const node *const *part, int parts) {
    const nest_statement *s = &w->x->statement[x->statement];
    return arena_format(w->x->passing, "%d %s %s %s", s->loops, text_of_subscripts(w, x, part, parts), time_text(w, x),
                        domain_text(w, s));
}

static const char *words_of_pair(space *w, const nest_access *x, const nest_access *y) {
    const node *of_x[MAX_RANK], *of_y[MAX_RANK];
    const int parts = common_subscripts(x, y, of_x, of_y);
    return arena_format(w->x->passing, "%s; %s", words_of_access(w, x, of_x, parts),
                        words_of_access(w, y, of_y, parts));
}

static known_conflict *conflict_like(space *w, const char *words) {
    for (size_t k = 0; k < w->knowns; k++)
        if (!strcmp(w->known[k].words, words)) return &w->known[k];
    return NULL;
}

/* Whether some execution of x that touches an element comes before one of y that does. */
static bool is_conflict(space *w, const nest_access *x, const nest_access *y) {
    if (!w->in_order && are_of_one_iteration(w->x, x, y)) return comes_earlier(w->x, x, y);
    const bool sums = x->accumulates && y->accumulates; /* in any order, if they are one statement's */
    const char *words = sums ? NULL : words_of_pair(w, x, y);
    const known_conflict *known = sums ? NULL : conflict_like(w, words);
    if (known) return known->filled;
    isl_map *found = conflicts(w, x, y);
    const bool filled = is_filled(w, found);
    isl_map_free(found);
    if (!sums) vector_add(w->x->passing, w->known, w->knowns, w->known_capacity, ((known_conflict){words, filled}));
    return filled;
}

bool is_stored_in(nest *x, const nest_access *read) {
    space w = open_space(x);
    bool found = false;
    for (size_t k = 0; k < x->accesses && !found; k++)
        if (x->access[k].writes && may_conflict(&x->access[k], read)) found = touch_the_same(&w, &x->access[k], read);
    close_space(&w);
    return found;
}

/* ---- Words */

/* "1 iteration of 'i' earlier": how far apart the iterations are; "": not a constant. */
static const char *distance_words(space *w, const nest_access *x, const nest_access *y, isl_map *found) {
    const nest_statement *s = &w->x->statement[x->statement];
    arena *a = w->x->passing;
    text out;
    text_start(&out, a);
    if (x->statement != y->statement && w->x->statement[y->statement].loops != s->loops) return "";
    isl_map *plain = isl_map_set_tuple_name(isl_map_copy(found), isl_dim_in, "S");
    isl_set *deltas = isl_map_deltas(isl_map_set_tuple_name(plain, isl_dim_out, "S"));
    int parts = 0;
    for (int k = 0; k < s->loops && deltas; k++) {
        isl_val *v = isl_set_plain_get_val_if_fixed(deltas, isl_dim_set, (unsigned)k);
        const bool known = v && isl_val_is_int(v) == isl_bool_true;
        const long value = known ? isl_val_get_num_si(v) : 0;
        if (!known || value != 0)
            text_format(&out, "%s%s of '%s'", parts++ ? ", " : "",
                        known ? arena_format(a, "%ld", value < 0 ? -value : value) : "any number",
                        s->loop[k]->variable->name);
        isl_val_free(v);
    }
    isl_set_free(deltas);
    return parts ? arena_format(a, ", iterations apart: %s", text_of(&out)) : "";
}

/* Says what helps where the subscript is that of a matrix's element; false: it is another one. */
static bool advise_matrix(space *w, const nest_access *y) {
    flat_widths widths;
    if (!widths_of_access(w, y, &widths)) return false;
    if (known_widths(w, y->array)->count > 0)
        advise_nest(w->x, y->chain,
                    "'%s' with two dimensions, one of them '*': elements that wait for one another along that cost no "
                    "messages",
                    y->array->name);
    else
        advise_nest(w->x, y->chain,
                    "'%s' with two dimensions, or bounds from which it follows that places in rows are at least 0 and "
                    "less than '%s'",
                    y->array->name, nest_quote(w->x, widths.node[0]));
    return true;
}

/* Whether elements say which element it is: A[p[i]]. */
static bool is_found_by_elements(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(chain, &name, subscripts, &count)) return false;
    for (int d = 0; d < count; d++)
        if (holds_kind(subscripts[d], N_INDEX)) return true;
    return false;
}

static void report(space *w, const nest_access *x, const nest_access *y) {
    const program *p = w->x->p;
    isl_map *found = conflicts(w, x, y);
    const char *first = ast_quote(p->memory, p->source, read_or_stored(x));
    const char *second = ast_quote(p->memory, p->source, read_or_stored(y));
    const int line = p->source->tokens[x->chain->first].line;
    const char *verb = x->writes ? y->writes ? "is assigned again as" : "is read again as" : "is assigned later as";
    if (w->failed || !found)
        stop_nest(w->x, y->chain, "nothing could be proved of '%s' and '%s' of line %d", second, first, line);
    else
        stop_nest(w->x, y->chain, "'%s' of line %d %s '%s'%s", first, line, verb, second,
                  distance_words(w, x, y, found));
    if (x->writes && y->writes && is_found_by_elements(x->chain))
        advise_nest(w->x, y->chain,
                    "if no two iterations store into the same '%s', a forall does what all of them do at once", second);
    else if (x->writes && is_found_by_elements(y->chain))
        advise_nest(w->x, y->chain,
                    "if '%s' means the value before the loop, write a forall, which reads all of them before it stores",
                    second);
    else if (!w->failed && found && !advise_matrix(w, y))
        advise_nest(w->x, y->chain,
                    "elements that wait for one another cost no messages along a dimension that is not divided, '*'; "
                    "a forall for the other loops");
    w->x->general = true;
    isl_map_free(found);
}

/* ---- The order of the statements */

/* Dependences of a statement on itself that parallel execution would not keep. */
static void check_statement(space *w, int k) {
    nest *x = w->x;
    for (size_t m = 0; m < x->accesses && !x->reason; m++)
        for (size_t n = 0; n < x->accesses && !x->reason; n++) {
            const nest_access *first = &x->access[m], *second = &x->access[n];
            if (first->statement != k || second->statement != k || !first->writes || !may_conflict(first, second))
                continue;
            if (is_conflict(w, first, second)) report(w, first, second);
        }
}

/* Whether statement k must be executed before m. */
static bool comes_before(space *w, int k, int m, const nest_access **from, const nest_access **to) {
    nest *x = w->x;
    for (size_t i = 0; i < x->accesses; i++)
        for (size_t j = 0; j < x->accesses; j++) {
            const nest_access *first = &x->access[i], *second = &x->access[j];
            if (first->statement != k || second->statement != m || !may_conflict(first, second)) continue;
            *from = first;
            *to = second;
            if (is_conflict(w, first, second)) return true;
        }
    return false;
}

/* Of two statements: that one must come before the other, and why. */
typedef struct {
    bool before;
    const nest_access *from, *to;
} precedence;

typedef precedence precedences[MOST_STATEMENTS][MOST_STATEMENTS];

static void find_precedences(space *w, precedences must) {
    const nest *x = w->x;
    for (int k = 0; k < x->statements; k++)
        for (int m = 0; m < x->statements; m++)
            if (k != m && x->statement[k].live && x->statement[m].live)
                must[k][m].before = comes_before(w, k, m, &must[k][m].from, &must[k][m].to);
}

/* Whether statement k, which is to come before the others, may: none of them must come before it. */
static bool may_be_early(const nest *x, precedences must, int k) {
    bool late = false; /* where it stands */
    for (int m = 0; m < x->statements; m++) {
        if (must[m][k].before && !x->statement[m].early) return false;
        late = late || (must[k][m].before && x->statement[k].place >= x->statement[m].place);
    }
    return late;
}

/* `double r = f(U); U[i][j] += r; sum += r;`: the sum, which is made of r's value written out, comes first. */
static void advance_sums(nest *x, precedences must) {
    bool found = false;
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        s->early = s->kind == STATEMENT_SCALAR && s->apart && s->live && may_be_early(x, must, k);
        found = found || s->early;
    }
    if (found) place_statements(x);
}

/* The new order keeps all dependences, or the first that it does not keep is the reason. */
static void check_order(space *w, precedences must) {
    nest *x = w->x;
    for (int k = 0; k < x->statements; k++)
        for (int m = 0; m < x->statements && !x->reason; m++) {
            if (!must[k][m].before || x->statement[k].place < x->statement[m].place) continue;
            report(w, must[k][m].from, must[k][m].to);
        }
}

static void order_in(space *w) {
    nest *x = w->x;
    precedence(*must)[MOST_STATEMENTS] = arena_alloc(x->passing, sizeof(precedences));
    for (int k = 0; k < x->statements && !x->reason; k++)
        if (x->statement[k].live) check_statement(w, k);
    if (x->reason) return;
    find_precedences(w, must);
    if (w->failed) stop_nest(x, x->root, "its dependences take too long to find");
    place_statements(x);
    advance_sums(x, must);
    check_order(w, must);
}

void order_nest(nest *x) {
    space w = open_space(x);
    order_in(&w);
    close_space(&w);
}

/* ---- Distances */

/* How many iterations of the outermost loops lie between the executions that a map relates. */
static isl_set *distances_of(isl_map *found, const nest_statement *from, const nest_statement *to, int loops) {
    const unsigned keep = (unsigned)loops;
    found = isl_map_project_out(found, isl_dim_in, keep, (unsigned)from->loops - keep);
    found = isl_map_project_out(found, isl_dim_out, keep, (unsigned)to->loops - keep);
    found = isl_map_set_tuple_name(found, isl_dim_in, "S");
    return isl_map_deltas(isl_map_set_tuple_name(found, isl_dim_out, "S"));
}

/* Whether some distance along loop k is negative (backward), or positive, as the loop counts. */
static bool has_distance(space *w, isl_set *distances, int k, bool backward) {
    const unsigned at = (unsigned)k;
    const bool below = backward != w->x->loop[k]->down;
    isl_set *part = isl_set_copy(distances);
    part = below ? isl_set_upper_bound_si(part, isl_dim_set, at, -1) : isl_set_lower_bound_si(part, isl_dim_set, at, 1);
    const isl_bool empty = part ? isl_set_is_empty(part) : isl_bool_error;
    if (empty == isl_bool_error) w->failed = true;
    isl_set_free(part);
    return empty != isl_bool_true;
}

static void add_distances(space *w, const nest_access *from, const nest_access *to, int loops, nest_distances *d) {
    const nest *x = w->x;
    isl_map *found = conflicts(w, from, to);
    isl_set *distances = distances_of(found, &x->statement[from->statement], &x->statement[to->statement], loops);
    for (int k = 0; k < loops && !w->failed; k++) {
        d->backward[k] = d->backward[k] || has_distance(w, distances, k, true);
        d->forward[k] = d->forward[k] || has_distance(w, distances, k, false);
    }
    isl_set_free(distances);
}

bool find_distances(nest *x, int loops, nest_distances *d) {
    space w = open_space(x);
    w.in_order = true;
    isl_ctx_set_max_operations(w.isl, PAIRS * x->operations);
    *d = (nest_distances){{false}, {false}};
    for (size_t k = 0; k < x->accesses; k++)
        for (size_t m = 0; m < x->accesses && !w.failed; m++)
            if (may_conflict(&x->access[k], &x->access[m]) && x->access[k].depth < loops)
                add_distances(&w, &x->access[k], &x->access[m], loops, d);
    close_space(&w);
    return !w.failed;
}
