/* Pass "nests": the loops, conditions and assignments of a loop nest. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

/* What is around the statement that is being read. */
typedef struct {
    nest *x;
    nest_loop *loop[MAX_RANK];
    int loops;
    nest_condition condition[MOST_CONDITIONS];
    int conditions;
    nest_path path;
} surroundings;

static void add_constant(nest_path *path, int value) {
    if (path->length == MOST_PATH) return;
    path->loop[path->length] = -1;
    path->constant[path->length++] = value;
}

static void add_loop(nest_path *path, int loop) {
    if (path->length == MOST_PATH) return;
    path->loop[path->length++] = loop;
}

static bool reads_memory(const node *n) {
    if (n->kind == N_SIZEOF) return false;
    if (n->kind == N_INDEX || n->kind == N_MEMBER || (n->kind == N_UNARY && n->op[0] == '*')) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_memory(n->child[c])) return true;
    return false;
}

/* A scalar in n that iterations assign; NULL: there is none. */
static const symbol *assigned_in(const nest *x, const node *n) {
    for (int k = 0; k < x->privates; k++)
        if (mentions_symbol(n, x->private[k].symbol)) return x->private[k].symbol;
    for (int k = 0; k < x->carrieds; k++)
        if (mentions_symbol(n, x->carried[k])) return x->carried[k];
    return NULL;
}

/* What a bound is made of stays as it is. */
static void read_bound(surroundings *a, nest_loop *l, node *n) {
    nest *x = a->x;
    const size_t accesses = x->accesses;
    const bool distributed = x->distributed;
    x->distributed = false;
    read_value(x, n, &a->path, a->loops);
    const symbol *assigned = assigned_in(x, n);
    if (assigned)
        stop_forall(x, n,
                    inside_parentheses(n)->kind == N_NAME ? "the bound '%s' is assigned in the loop around it"
                                                          : "the bound '%s' is made of '%s', which the loop assigns",
                    nest_quote(x, n), assigned->name);
    l->ragged = l->ragged || x->distributed;
    if (holds_kind(n, N_CALL)) stop_nest(x, n, "the bound '%s' calls a function", nest_quote(x, n));
    x->bounds_read_memory = x->bounds_read_memory || reads_memory(n);
    x->accesses = accesses;
    x->distributed = x->distributed || distributed;
}

/* Whether n names something else than the variable by its name. */
static bool has_namesake(const node *n, const symbol *variable) {
    if (n->kind == N_NAME && n->symbol != variable && !strcmp(n->name, variable->name)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_namesake(n->child[c], variable)) return true;
    return false;
}

/* A name that means something else in an inner loop would be lost where indices stand together. */
static void check_namesakes(nest *x, const nest_statement *s) {
    for (int k = 0; k < s->loops; k++) {
        const nest_loop *l = s->loop[k];
        bool found = false;
        for (int m = 0; m < s->loops; m++) {
            const nest_loop *other = s->loop[m];
            found = found || (m != k && !strcmp(other->variable->name, l->variable->name));
            found = found || has_namesake(other->lower, l->variable) || has_namesake(other->upper, l->variable);
        }
        for (int m = 0; m < s->conditions; m++) found = found || has_namesake(s->condition[m].node, l->variable);
        if (found) stop_nest(x, l->loop, "'%s' means two things in the loop", l->variable->name);
    }
}

static void read_statement(surroundings *a, node *n);

static void read_loop(const surroundings *around, node *n) {
    nest *x = around->x;
    surroundings a = *around;
    nest_loop *l = arena_alloc(x->p->memory, sizeof *l);
    *l = (nest_loop){.loop = n};
    if (n != x->root && independent_directive(n)) {
        stop_nest(x, n, "a loop in it is declared independent");
        return;
    }
    if (!read_head(x, n, l)) return;
    if (a.loops == MAX_RANK || x->loops == MOST_LOOPS) {
        stop_nest(x, n, "it has too many loops");
        return;
    }
    read_bound(&a, l, l->lower);
    read_bound(&a, l, l->upper);
    l->index = arena_alloc(x->p->memory, sizeof *l->index);
    *l->index = (symbol){.kind = SYMBOL_INDEX,
                         .name = l->variable->name,
                         .type = l->variable->type,
                         .declarator = l->variable->declarator,
                         .declaration = x->root,
                         .scope = x->root,
                         .lower_more = l->lower_more,
                         .upper_more = l->upper_more};
    a.loop[a.loops] = l;
    add_loop(&a.path, a.loops++);
    x->loop[x->loops++] = l;
    x->open[x->opened++] = l;
    read_statement(&a, n->child[3]);
    x->opened--;
}

/* ---- Assignments */

/* A scalar of which each iteration has its own: what is assigned further inside adds up, if its order is to change. */
static void read_private(surroundings *a, nest_statement *s, nest_private *p) {
    nest *x = a->x;
    s->kind = STATEMENT_PRIVATE;
    s->private = p->symbol;
    if (s->loops > p->depth && !x->in_order) {
        take_sum(x, s);
        if (!may_add_up(x, s))
            stop_forall(x, s->left, "'%s' is assigned in an inner loop, and no sum or product", p->symbol->name);
        for (int k = p->depth; k < s->loops; k++) s->reduces[k] = true;
    }
}

static nest_access private_access(const nest *x, const nest_statement *s, const nest_private *p, nest_path path) {
    return (nest_access){.statement = x->statements,
                         .chain = s->left ? s->left : s->assign,
                         .array = p->symbol,
                         .path = path,
                         .loops = s->loops,
                         .depth = p->depth};
}

/* What it reads of the private itself, and its store. */
static void store_private(surroundings *a, const nest_statement *s) {
    nest *x = a->x;
    nest_path path = a->path;
    add_constant(&path, 0);
    nest_access own = private_access(x, s, private_of(x, s->private), path);
    own.accumulates = s->loops > own.depth && !x->in_order;
    if (strcmp(s->op, "=") != 0) vector_add(x->passing, x->access, x->accesses, x->access_capacity, own);
    own.writes = true;
    own.path.constant[own.path.length - 1] = 1;
    vector_add(x->passing, x->access, x->accesses, x->access_capacity, own);
}

static void take_extreme(nest_statement *s) {
    s->kind = STATEMENT_SCALAR;
    s->value = s->extreme.value;
    s->op = "=";
    for (int k = 0; k < s->loops; k++) s->reduces[k] = true;
}

static void read_scalar(surroundings *a, nest_statement *s) {
    nest *x = a->x;
    const symbol *v = s->left->symbol;
    if (private_of(x, v)) {
        read_private(a, s, private_of(x, v));
        return;
    }
    if (is_of_own(x, s->left)) return;
    if (carries_scalar(x, v)) {
        s->kind = STATEMENT_CARRIED;
        return;
    }
    if (!v || v->kind != SYMBOL_VARIABLE || !is_a_number(v->type)) {
        stop_nest(x, s->left, "'%s' is assigned in the loop", nest_quote(x, s->left));
        advise_own(x, s->left);
        return;
    }
    const bool special = is_volatile(v);
    if (s->assign->kind == N_ASSIGN && !strcmp(s->op, "=") && read_extreme_value(x, s->assign, &s->extreme)) {
        take_extreme(s);
        return;
    }
    const bool kept = s->assign->kind == N_ASSIGN && !strcmp(s->op, "=") && keeps_extreme(x, s->assign, &s->extreme);
    const nest_extreme extreme = s->extreme;
    s->extreme = (nest_extreme){.relation = NULL};
    if (!special && find_flag(x, s)) {
        take_extreme(s);
        return;
    }
    if (!is_reproducible(x, s)) {
        want_carried(x, v);
        stop_nest(x, s->left, "'%s' would depend on the number of processes: not '%s += value;'", v->name, v->name);
        return;
    }
    s->flag = !special && !x->in_order && is_set_only(x, s);
    if (!s->flag) take_sum(x, s);
    if (special || (!s->flag && !may_add_up(x, s))) {
        want_carried(x, v);
        const char *why = special ? NULL : why_not_private(x, v);
        stop_nest(x, s->left, "'%s' is assigned in the loop, and no sum or product%s%s", v->name, why ? ": " : "",
                  why ? why : "");
        if (kept)
            advise_remedy(x, s->left, "'%s = %s %c %s ? %s : %s' is a %s value, whatever NaN there are", v->name,
                          nest_quote(x, extreme.value), extreme.relation[0], v->name, nest_quote(x, extreme.value),
                          v->name, extreme.relation[0] == '>' ? "greatest" : "least");
        else if (why && x->in_order && is_set_only(x, s))
            advise_remedy(x, s->left, "a flag: '%s = ...;' with a constant, in the block that the loop stands in",
                          v->name);
        else if (rounds_each_time(s))
            advise_remedy(x, s->left,
                          "'%s' is rounded to a whole number in every iteration: one of type double adds up", v->name);
        else if (why && holds_kind(x->root, N_BREAK))
            advise_break(x, s->left);
        else if (why)
            advise_last(x, s);
        return;
    }
    if ((!s->flag && !is_only_combined(x, s)) || (s->value && mentions_symbol(s->value, v)) ||
        node_holds(x->root, v->declarator)) {
        want_carried(x, v);
        stop_nest(x, s->left, "'%s' is used in the loop in another way than being added to", v->name);
    }
    for (int k = 0; k < s->loops; k++) s->reduces[k] = true;
    s->kind = STATEMENT_SCALAR;
}

/* What is stored at a private's value may be stored by any iteration. */
static void stop_at_private(nest *x, const nest_statement *s, const symbol *private) {
    stop_forall(x, s->left, "where it is stored depends on '%s'", private->name);
    advise_update(x, s);
}

/* An assigned element: loops that it does not depend on are added up over. */
static void read_left(surroundings *a, nest_statement *s) {
    nest *x = a->x;
    node *name, *subscripts[MAX_RANK], *around = element_around(s->left), *whole = around ? around : s->left;
    int count, reductions = 0;
    if (is_of_own(x, s->left)) {
        nest_path path = a->path;
        add_constant(&path, 0);
        read_value(x, s->left, &path, a->loops);
        return;
    }
    if (take_kept(x, s)) {
        s->kind = STATEMENT_CARRIED;
        read_value(x, s->left->child[1], &a->path, a->loops);
        return;
    }
    if (take_update(x, s, &a->path, a->loops)) return;
    if (whole->kind != N_INDEX || !index_chain(whole, &name, subscripts, &count) || name->kind != N_NAME ||
        !name->symbol) {
        stop_nest(x, s->left, "'%s' is assigned in it", nest_quote(x, s->left));
        if (may_add_up(x, s))
            advise_nest(x, s->left, "add up to a variable of the block that the loop stands in, and behind it to '%s'",
                        nest_quote(x, s->left));
        advise_own(x, s->left);
        return;
    }
    const symbol *v = name->symbol;
    const type *t = v->type;
    int rank = 0;
    for (; t && t->kind == TYPE_ARRAY; t = t->of) rank++;
    if (!v->array && (v->kind != SYMBOL_VARIABLE || v->is_parameter || rank != count || !is_a_number(t))) {
        stop_nest(x, s->left, "what '%s' points to may be anything", nest_quote(x, s->left));
        return;
    }
    for (int p = 0; p < x->privates && !x->in_order; p++)
        if (mentions_symbol(s->left, x->private[p].symbol)) stop_at_private(x, s, x->private[p].symbol);
    for (int k = 0; k < s->loops && !x->in_order; k++) {
        s->reduces[k] = !mentions_symbol(s->left, s->loop[k]->variable);
        reductions += s->reduces[k];
    }
    if (reductions > 0 || strcmp(s->op, "=") == 0) {
        nest_statement sum = *s;
        take_sum(x, &sum);
        if (reductions > 0 && may_add_up(x, &sum)) *s = sum;
    }
    if (reductions > 0 && !may_add_up(x, s)) {
        stop_nest(x, s->left, "iterations assign the same '%s'", nest_quote(x, s->left));
        advise_store(x, s->left, v);
    }
    for (int k = 0; k < s->loops; k++)
        for (int m = k + 1; m < s->loops; m++)
            if (s->reduces[k] && !s->reduces[m] &&
                (mentions_symbol(s->loop[m]->lower, s->loop[k]->variable) ||
                 mentions_symbol(s->loop[m]->upper, s->loop[k]->variable)))
                stop_nest(x, s->left, "which '%s' are added to depends on '%s'", nest_quote(x, s->left),
                          s->loop[k]->variable->name);
    for (int k = 0; k < s->conditions && reductions == s->loops && !x->in_order; k++)
        if (!mentions_loops(s, s->condition[k].node))
            stop_nest(x, s->condition[k].node, "the condition is the same in all iterations");
    if (!v->array) x->stores_memory = true;
    const size_t from = x->accesses;
    nest_path path = a->path;
    add_constant(&path, 0);
    read_value(x, s->left, &path, a->loops);
    if (x->reason || x->accesses == from) return;
    const nest_access own = x->access[x->accesses - 1];
    const bool reads = strcmp(s->op, "=") != 0;
    x->access[x->accesses - 1].accumulates = reductions > 0;
    if (!reads) x->accesses--;
    nest_access stored = own;
    stored.writes = true;
    stored.accumulates = reductions > 0;
    stored.path.constant[stored.path.length - 1] = 1;
    vector_add(x->passing, x->access, x->accesses, x->access_capacity, stored);
}

static nest_statement statement_here(const surroundings *a, statement_kind kind, node *whole) {
    nest_statement s = {.kind = kind, .whole = whole, .loops = a->loops, .conditions = a->conditions};
    memcpy(s.loop, a->loop, sizeof s.loop);
    memcpy(s.condition, a->condition, sizeof s.condition);
    s.from = a->x->accesses;
    return s;
}

static bool is_room(nest *x, node *n) {
    if (x->statements == MOST_STATEMENTS) stop_nest(x, n, "it has more than %d statements", MOST_STATEMENTS);
    return !x->reason;
}

static void add_statement(nest *x, nest_statement *s) {
    s->to = x->accesses;
    s->first_sum = 0;
    while (s->first_sum < s->loops && !s->reduces[s->first_sum]) s->first_sum++;
    x->statement[x->statements++] = *s;
}

/* `A = B = e`: stores into B, too; what is left of the value. */
static node *read_chained(surroundings *a, const nest_statement *s) {
    node *value = s->value, *name, *subscripts[MAX_RANK];
    int count;
    while (value && s->kind == STATEMENT_ELEMENT && !a->x->reason) {
        node *next = inside_parentheses(value);
        if (next->kind != N_ASSIGN) break;
        nest_statement inner = *s;
        inner.left = inside_parentheses(next->child[0]);
        inner.op = next->op;
        inner.value = next->child[1];
        node *around = element_around(inner.left), *whole = around ? around : inner.left;
        if (!index_chain(whole, &name, subscripts, &count) || !name->symbol || !name->symbol->array) break;
        read_left(a, &inner);
        for (int k = 0; k < s->loops; k++)
            if (s->reduces[k] || inner.reduces[k])
                stop_nest(a->x, s->left, "iterations add to '%s'", nest_quote(a->x, s->left));
        value = inner.value;
    }
    return value;
}

static void read_assignment(surroundings *a, node *whole, node *n) {
    nest *x = a->x;
    if (!is_room(x, n)) return;
    nest_statement s = statement_here(a, STATEMENT_ELEMENT, whole);
    s.assign = n;
    s.left = inside_parentheses(n->child[0]);
    s.op = n->kind == N_ASSIGN ? n->op : !strcmp(n->op, "++") ? "+=" : "-=";
    s.value = n->kind == N_ASSIGN ? n->child[1] : NULL;
    if (x->idles < MOST_UPDATES && counts_for_nothing(x, &s)) {
        x->idle[x->idles++] = s.left->symbol;
        return;
    }
    if (s.left->kind == N_NAME)
        read_scalar(a, &s);
    else
        read_left(a, &s);
    check_namesakes(x, &s);
    if (x->reason) return;
    if (s.value && strcmp(s.op, "=") != 0 && !is_a_number(s.value->type))
        stop_nest(x, s.value, "the type of '%s' is not known", nest_quote(x, s.value));
    nest_path path = a->path;
    add_constant(&path, 0);
    node *value = read_chained(a, &s);
    if (value) read_value(x, value, &path, a->loops);
    if (s.kind == STATEMENT_PRIVATE) store_private(a, &s);
    add_statement(x, &s);
}

/* ---- Statements */

static void read_initializer(surroundings *a, node *n) {
    if (n->kind != N_INITIALIZER_LIST && n->kind != N_DESIGNATED) {
        read_value(a->x, n, &a->path, a->loops);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) read_initializer(a, n->child[c]);
}

/* A variable, which is no private number, of an iteration whose body stays as it stands. */
static bool read_own_variable(surroundings *a, const node *specifiers, node *n) {
    const node *name = n->kind == N_INIT_DECLARATOR ? declared_name(n->child[0]) : declared_name(n);
    const symbol *v = name ? name->symbol : NULL;
    if (!a->x->in_order || !v || !is_own_variable(a->x, v)) return false;
    if (specifiers_have(specifiers, "static") || specifiers_have(specifiers, "extern") ||
        specifiers_are_volatile(specifiers))
        return false;
    if (n->kind == N_INIT_DECLARATOR && n->count > 1 && n->child[1]) read_initializer(a, n->child[1]);
    return true;
}

/* Where the address of a variable is taken; NULL: nowhere. */
static node *address_of(node *n, const symbol *v) {
    if (n->kind == N_UNARY && n->op[0] == '&') {
        const node *operand = inside_parentheses(n->child[0]);
        if (operand->kind == N_NAME && operand->symbol == v) return n;
    }
    for (size_t c = 0; c < n->count; c++) {
        node *found = n->child[c] ? address_of(n->child[c], v) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* A variable of the iteration that is none to the nest. */
static void refuse_declaration(nest *x, node *n, const node *name) {
    node *address = name && name->symbol ? address_of(x->root, name->symbol) : NULL;
    if (address)
        stop_nest(x, address, "'%s' lets others change '%s'", nest_quote(x, address), name->name);
    else
        stop_nest(x, n, "'%s' is declared in it", nest_quote(x, n));
}

static void read_declarator(surroundings *a, node *whole, node *n) {
    nest *x = a->x;
    const node *name = n->kind == N_INIT_DECLARATOR ? declared_name(n->child[0]) : NULL;
    const nest_private *p = name ? private_of(x, name->symbol) : NULL;
    if (!p && read_own_variable(a, whole->child[0], n)) return;
    if (!p || !is_room(x, n)) {
        refuse_declaration(x, n, name);
        return;
    }
    if (n->count < 2 || !n->child[1]) return;
    nest_statement s = statement_here(a, STATEMENT_PRIVATE, whole);
    s.assign = n;
    s.op = "=";
    s.value = n->child[1];
    s.private = p->symbol;
    check_namesakes(x, &s);
    nest_path path = a->path;
    add_constant(&path, 0);
    read_value(x, s.value, &path, a->loops);
    store_private(a, &s);
    add_statement(x, &s);
}

static void read_declaration(surroundings *a, node *n) {
    if (n->count < 2) stop_nest(a->x, n, "a declaration stands in it");
    if (declares_nothing(a->x->p, n)) return;
    for (size_t c = 1; c < n->count; c++) {
        surroundings inner = *a;
        add_constant(&inner.path, (int)c);
        read_declarator(&inner, n, n->child[c]);
    }
}

/* Adds a statement that evaluates the condition of an `if`; its number. */
static int read_condition(surroundings *a, node *n) {
    nest *x = a->x;
    const int number = x->statements;
    nest_statement s = statement_here(a, STATEMENT_CONDITION, n);
    nest_path path = a->path;
    add_constant(&path, 0);
    s.value = n->child[0];
    check_namesakes(x, &s);
    read_value(x, s.value, &path, a->loops);
    add_statement(x, &s);
    return number;
}

/* What stands behind `if (...) continue;`. */
static void add_skip(surroundings *a, node *n, int number) {
    nest *x = a->x;
    const bool then = ends_in_continue(n->child[1]), otherwise = n->count > 2 && ends_in_continue(n->child[2]);
    if (x->reason || x->in_order) return;
    if (then && otherwise)
        stop_nest(x, n, "what stands behind it is never executed");
    else if (a->conditions == MOST_CONDITIONS || number >= x->statements || x->statement[number].whole != n)
        stop_nest(x, n, "it has too many conditions");
    else
        a->condition[a->conditions++] =
            (nest_condition){.node = n->child[0], .negated = then, .statement = number, .loops = a->loops};
}

static void read_block(const surroundings *around, node *block) {
    surroundings a = *around;
    for (size_t c = 0; c < block->count; c++) {
        surroundings inner = a;
        const int number = a.x->statements;
        add_constant(&inner.path, (int)c);
        read_statement(&inner, block->child[c]);
        if (skips_rest(block->child[c]) && c + 1 < block->count) add_skip(&a, block->child[c], number);
    }
}

/* `if (A[i] > m) m = A[i];` as one statement; false: it is something else. */
static bool read_extreme(surroundings *a, node *n) {
    nest *x = a->x;
    nest_statement s = statement_here(a, STATEMENT_SCALAR, n);
    if (a->loops == 0 || !read_extreme_if(x, n, a->loop[a->loops - 1], a->loops, &s.extreme)) return false;
    if (x->carries && (s.extreme.at || carries_scalar(x, inside_parentheses(s.extreme.assign->child[0])->symbol)))
        return false;
    s.assign = s.extreme.assign;
    s.left = inside_parentheses(s.assign->child[0]);
    take_extreme(&s);
    check_namesakes(x, &s);
    nest_path path = a->path;
    add_constant(&path, 0);
    read_value(x, s.value, &path, a->loops);
    add_statement(x, &s);
    return true;
}

static void read_if(surroundings *a, node *n) {
    nest *x = a->x;
    if (a->conditions == MOST_CONDITIONS) {
        stop_nest(x, n, "it has too many conditions");
        return;
    }
    if (!is_room(x, n) || read_extreme(a, n)) return;
    const int number = read_condition(a, n);
    for (size_t c = 1; c < n->count; c++) {
        surroundings inner = *a;
        if (!n->child[c]) continue;
        inner.condition[inner.conditions++] =
            (nest_condition){.node = n->child[0], .negated = c > 1, .statement = number, .loops = a->loops};
        add_constant(&inner.path, (int)c);
        read_statement(&inner, n->child[c]);
    }
}

static const char *words_of(const node *n) {
    static const struct {
        node_kind kind;
        const char *words;
    } row[] = {
        {N_BREAK, "break"},     {N_CONTINUE, "continue"},         {N_RETURN, "return"},    {N_GOTO, "goto"},
        {N_LABEL, "a label"},   {N_WHILE, "a while loop"},        {N_DO, "a do loop"},     {N_SWITCH, "a switch"},
        {N_FORALL, "a forall"}, {N_REDISTRIBUTE, "redistribute"}, {N_ASM, "assembly code"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (row[k].kind == n->kind) return row[k].words;
    return NULL;
}

/* A condition or value, and statements that are executed any number of times, in a body that stays as it stands. */
static void read_any_times(surroundings *a, node *value, node *body) {
    nest_statement s = statement_here(a, STATEMENT_CONDITION, value);
    nest_path path = a->path;
    if (!is_room(a->x, value)) return;
    add_constant(&path, 0);
    s.value = value;
    read_value(a->x, value, &path, a->loops);
    add_statement(a->x, &s);
    surroundings inner = *a;
    add_constant(&inner.path, 1);
    if (body) read_statement(&inner, body);
}

/* A loop with any other head than a counting one's, whose variable, if it has any, is its own. */
static void read_other_for(surroundings *a, node *n) {
    node *start = n->child[0], *step = n->child[2];
    surroundings head = *a, behind = *a;
    add_constant(&head.path, 0);
    add_constant(&behind.path, 2);
    if (start && start->kind == N_DECLARATION)
        read_declaration(&head, start);
    else if (start && is_store(start))
        read_assignment(&head, start, start);
    else if (start && start->kind != N_EMPTY)
        stop_nest(a->x, start, "'%s' is no assignment", nest_quote(a->x, start));
    if (n->child[1]) read_any_times(a, n->child[1], n->child[3]);
    if (!n->child[1] && !a->x->reason) read_statement(a, n->child[3]);
    if (step && is_store(step))
        read_assignment(&behind, step, step);
    else if (step)
        stop_nest(a->x, step, "'%s' is no assignment", nest_quote(a->x, step));
}

static bool is_path_short(const surroundings *a, node *n) {
    if (a->path.length > MOST_PATH - 3) stop_nest(a->x, n, "it is nested too deep");
    return !a->x->reason;
}

/* What an expression statement does, `whole`, or one operand of its commas. */
static void read_expression(surroundings *a, node *whole, node *n) {
    n = inside_parentheses(n);
    if (n->kind == N_COMMA) {
        for (int c = 0; c < 2; c++) {
            surroundings inner = *a;
            add_constant(&inner.path, c);
            if (is_path_short(&inner, n)) read_expression(&inner, n->child[c], n->child[c]);
        }
    } else if (n->kind == N_ASSIGN || is_step(n)) {
        read_assignment(a, whole, n);
    } else if (n->kind == N_CALL && a->x->in_order) {
        read_any_times(a, n, NULL); /* for what the function stores in variables of the iteration */
    } else {
        stop_forall(a->x, n, "'%s' is no assignment", nest_quote(a->x, n));
    }
}

/* Whether the head of a loop is made of scalars that iterations of the nest assign. */
static bool has_own_bounds(const nest *x, const node *loop) {
    for (int part = 0; part < 2; part++)
        if (loop->child[part] && assigned_in(x, loop->child[part])) return true;
    return false;
}

/* What only a body that stays as it stands may have; false: it is something else. */
static bool read_as_it_stands(surroundings *a, node *n) {
    if (!a->x->in_order) return false;
    switch ((int)n->kind) {
    case N_WHILE:
    case N_SWITCH:
        read_any_times(a, n->child[0], n->child[1]);
        return true;
    case N_DO:
        read_any_times(a, n->child[1], n->child[0]);
        return true;
    case N_CASE:
    case N_DEFAULT: {
        node *labelled = n->child[n->kind == N_CASE];
        if (labelled) read_statement(a, labelled);
        return true;
    }
    case N_BREAK:
    case N_CONTINUE:
        if (may_break(a->x, n)) return true;
        return stays_in_iteration(a->x, n);
    case N_FOR:
        if (n == a->x->root || independent_directive(n) || (may_count(n) && !has_own_bounds(a->x, n))) return false;
        read_other_for(a, n);
        return true;
    default:
        return false;
    }
}

static void read_statement(surroundings *a, node *n) {
    nest *x = a->x;
    if (!is_path_short(a, n) || read_as_it_stands(a, n)) return;
    switch ((int)n->kind) {
    case N_EMPTY:
        return;
    case N_COMPOUND:
        read_block(a, n);
        return;
    case N_FOR:
        read_loop(a, n);
        return;
    case N_IF:
        read_if(a, n);
        return;
    case N_DECLARATION:
        read_declaration(a, n);
        return;
    case N_EXPRESSION:
        read_expression(a, n, n->child[0]);
        return;
    case N_CONTINUE:
        if (!is_skip(n) || x->skips == MOST_SKIPS) break;
        x->skip[x->skips++] = n;
        return;
    default:
        break;
    }
    if (words_of(n)) {
        stop_forall(x, n, "%s stands in it", words_of(n));
        if (n->kind == N_BREAK) advise_break(x, n);
        if (n->kind == N_GOTO) advise_goto(x, n);
    } else
        stop_nest(x, n, "'%s' stands in it", nest_quote(x, n));
}

void read_nest(nest *x) {
    surroundings a = {.x = x};
    find_privates(x);
    if (follows_pragma(x->p->source, x->root)) stop_nest(x, x->root, "a pragma stands before it");
    if (!x->reason) read_loop(&a, x->root);
    if (!x->reason) check_skips(x);
    if (!x->reason) check_legality(x);
}
