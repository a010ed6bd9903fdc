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

static const char *quoted(const nest *x, const node *n) {
    return ast_quote(x->p->memory, x->p->source, n);
}

/* ---- Heads of loops */

static bool is_variable(const node *n, const symbol *s) {
    n = inside_parentheses((node *)n);
    return n->kind == N_NAME && n->symbol == s;
}

/* Takes `i = a` or `int i = a`; false: it is neither. */
static bool take_start(node *start, nest_loop *l) {
    if (!start) return false;
    if (start->kind == N_ASSIGN && start->child[0]->kind == N_NAME && !strcmp(start->op, "=")) {
        l->variable = start->child[0]->symbol;
        l->lower = start->child[1];
    } else if (start->kind == N_DECLARATION && start->count == 2 && start->child[1]->kind == N_INIT_DECLARATOR &&
               start->child[1]->count > 1 && start->child[1]->child[0]->kind == N_DECL_NAME) {
        l->variable = start->child[1]->child[0]->symbol;
        l->lower = start->child[1]->child[1];
    }
    return l->variable && l->lower && l->variable->kind == SYMBOL_VARIABLE;
}

/* The step of `i++`, `i += c`, `i = i + c` and the like; 0: something else. */
static int64_t step_of(const node *n, const symbol *s) {
    int64_t value = 1;
    if (!n || n->count == 0 || !is_variable(n->child[0], s)) return 0;
    if (n->kind == N_POSTFIX || n->kind == N_UNARY) return !strcmp(n->op, "++") ? 1 : !strcmp(n->op, "--") ? -1 : 0;
    if (n->kind != N_ASSIGN) return 0;
    const node *by = n->child[1];
    bool minus = !strcmp(n->op, "-=");
    if (!strcmp(n->op, "=")) {
        by = inside_parentheses((node *)by);
        if (by->kind != N_BINARY || (strcmp(by->op, "+") != 0 && strcmp(by->op, "-") != 0)) return 0;
        minus = by->op[0] == '-';
        if (is_variable(by->child[0], s))
            by = by->child[1];
        else if (!minus && is_variable(by->child[1], s))
            by = by->child[0];
        else
            return 0;
    } else if (!minus && strcmp(n->op, "+=") != 0)
        return 0;
    if (!constant_value(by, &value) || value > INT32_MAX || value < -INT32_MAX) return 0;
    return minus ? -value : value;
}

/* Takes the bounds of a loop that steps up or, by 1, down; false: they have another form. */
static bool take_bounds(node *condition, int64_t step, nest_loop *l) {
    if (!condition || condition->kind != N_BINARY || step == 0 || step < -1) return false;
    const bool swapped = is_variable(condition->child[1], l->variable);
    const char *op = condition->op;
    if ((!swapped && !is_variable(condition->child[0], l->variable)) || (op[0] != '<' && op[0] != '>')) return false;
    if (op[1] && strcmp(op + 1, "=") != 0) return false;
    node *limit = condition->child[swapped ? 0 : 1];
    if (((op[0] == '<') != swapped) != (step > 0)) return false;
    l->down = step < 0;
    l->step = step < 0 ? 1 : step;
    if (l->down) {
        l->upper = l->lower;
        l->lower = limit;
        l->lower_more = op[1] ? 0 : 1;
    } else {
        l->upper = limit;
        l->upper_more = op[1] ? 0 : -1;
    }
    return !mentions_symbol(l->lower, l->variable) && !mentions_symbol(l->upper, l->variable);
}

/* Whether the value is the same number whatever type it is compared in: no unsigned arithmetic, which goes round. */
static bool is_plain_bound(const node *n) {
    const type *t = n->type;
    int64_t value;
    if (constant_value(n, &value)) return true;
    if (!t || t->kind != TYPE_ARITHMETIC || !element_is_integer(t->element)) return false;
    if (n->kind == N_PAREN) return is_plain_bound(n->child[0]);
    const bool goes_round = !element_is_signed(element_promoted(t->element));
    if (goes_round && n->kind != N_NAME && n->kind != N_MEMBER && n->kind != N_INDEX) return false;
    if (n->kind != N_BINARY && n->kind != N_UNARY) return n->kind != N_CAST || is_plain_bound(n->child[1]);
    for (size_t c = 0; c < n->count; c++)
        if (!is_plain_bound(n->child[c])) return false;
    return true;
}

static bool is_unsigned(const node *n) {
    const type *t = n->type;
    return t && t->kind == TYPE_ARITHMETIC && element_is_integer(t->element) &&
           !element_is_signed(element_promoted(t->element));
}

static bool fits(element e, int64_t value) {
    const int64_t bits = 8 * element_bytes(e) - (element_is_signed(e) ? 1 : 0);
    return value >= (element_is_signed(e) ? -((int64_t)1 << bits) : 0) && value < (int64_t)1 << bits;
}

/* Whether the variable counts as numbers do: comparisons are of numbers, it does not go round before its limit. */
static const char *counting_obstacle(const nest_loop *l) {
    const type *t = l->variable->type;
    int64_t lower = 0, upper = 0;
    const bool constant = constant_value(l->lower, &lower) && constant_value(l->upper, &upper);
    if (!t || t->kind != TYPE_ARITHMETIC || !element_is_integer(t->element)) return "is no integer";
    const bool narrow = element_bytes(t->element) < 4;
    if (t->element == ELEMENT_BOOL || element_bytes(t->element) > 8) return "is no integer";
    if (narrow && (!constant || !fits(t->element, lower - 1 + l->lower_more) || !fits(t->element, upper + l->step + 1)))
        return "is too narrow to be sure that it reaches its limit";
    const bool goes_round = !element_is_signed(element_promoted(t->element));
    if (goes_round && l->down) return "is unsigned and counts down";
    if (goes_round && !(constant_value(l->lower, &lower) && lower >= 0)) return "is unsigned, and may begin below 0";
    if (goes_round && !is_unsigned(l->upper) && !(constant_value(l->upper, &upper) && upper >= 0))
        return "is unsigned, and its limit is signed";
    if (!goes_round && (is_unsigned(l->upper) || is_unsigned(l->lower)) &&
        !(constant_value(l->lower, &lower) && lower >= 0))
        return "is compared with an unsigned number, and may be below 0";
    return is_plain_bound(l->lower) && is_plain_bound(l->upper) ? NULL : "has bounds whose arithmetic may go round";
}

/* Whether each use of the variable is in a loop that assigns it first: its value behind this one is not used. */
static bool is_dead_behind(const node *n, const symbol *s) {
    const node *start = n->kind == N_FOR ? n->child[0] : NULL;
    if (n->kind == N_NAME && n->symbol == s) return false;
    if (start && start->kind == N_ASSIGN && !strcmp(start->op, "=") && start->child[0]->kind == N_NAME &&
        start->child[0]->symbol == s)
        return is_dead_behind(start->child[1], s);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !is_dead_behind(n->child[c], s)) return false;
    return true;
}

static bool has_labels(const node *n) {
    if (n->kind == N_LABEL || n->kind == N_CASE || n->kind == N_DEFAULT || n->kind == N_ASM) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_labels(n->child[c])) return true;
    return false;
}

/* Only heads of loops change the variable, and nothing needs its last value. */
static void check_variable(nest *x, const nest_loop *l) {
    const symbol *s = l->variable;
    const node *f = function_around(x->root);
    for (size_t k = 0; k < s->assignments; k++) {
        const node *n = s->assignment[k], *above = n->parent;
        while (above && above->kind == N_PAREN) above = above->parent;
        if (above && above->kind == N_UNARY && above->op[0] == '&') {
            stop_nest(x, l->loop, "the address of '%s' is taken", s->name);
            return;
        }
        if (node_holds(l->loop->child[3], n)) {
            stop_nest(x, (node *)n, "'%s' is changed in the body of its loop", s->name);
            return;
        }
    }
    if (node_holds(l->loop, s->declarator)) return;
    if (s->file_scope || s->is_static)
        stop_nest(x, l->loop, "'%s' is not declared in the function", s->name);
    else if (!f || has_labels(f->child[2]) || !is_dead_behind(f->child[2], s))
        stop_nest(x, l->loop, "the value of '%s' may be used behind its loop: it is not declared in the loop's head",
                  s->name);
}

static bool reads_memory(const node *n) {
    if (n->kind == N_INDEX || n->kind == N_MEMBER || (n->kind == N_UNARY && n->op[0] == '*')) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && reads_memory(n->child[c])) return true;
    return false;
}

static bool calls_function(const node *n) {
    if (n->kind == N_CALL) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && calls_function(n->child[c])) return true;
    return false;
}

/* What a bound is made of stays as it is, and is the same on every process. */
static void read_bound(surroundings *a, node *n) {
    nest *x = a->x;
    const size_t accesses = x->accesses;
    const bool distributed = x->distributed;
    x->distributed = false;
    read_value(x, n, &a->path, a->loops);
    if (x->distributed) stop_nest(x, n, "the bound '%s' reads a distributed array", quoted(x, n));
    if (calls_function(n)) stop_nest(x, n, "the bound '%s' calls a function", quoted(x, n));
    x->bounds_read_memory = x->bounds_read_memory || reads_memory(n);
    x->accesses = accesses;
    x->distributed = distributed;
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
    if (independent_directive(n)) {
        stop_nest(x, n, "a loop in it is declared independent");
        return;
    }
    const bool good = take_start(n->child[0], l) && take_bounds(n->child[1], step_of(n->child[2], l->variable), l);
    if (!good || a.loops == MAX_RANK) {
        stop_nest(x, n, "the head of the loop has another form than i = a; i < b; i++");
        return;
    }
    const char *obstacle = counting_obstacle(l);
    if (obstacle) {
        stop_nest(x, n, "'%s' %s", l->variable->name, obstacle);
        return;
    }
    check_variable(x, l);
    read_bound(&a, l->lower);
    read_bound(&a, l->upper);
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
    x->open[x->opened++] = l;
    read_statement(&a, n->child[3]);
    x->opened--;
}

/* ---- Assignments */

static bool same_text(const nest *x, const node *n, const node *m) {
    return !strcmp(quoted(x, n), quoted(x, m));
}

/* x = x + v is x += v. */
static void take_sum(const nest *x, nest_statement *s) {
    node *value = s->value ? inside_parentheses(s->value) : NULL;
    if (strcmp(s->op, "=") != 0 || !value || value->kind != N_BINARY || value->op[1]) return;
    const bool plus = value->op[0] == '+', minus = value->op[0] == '-', times = value->op[0] == '*';
    if ((plus || minus || times) && same_text(x, s->left, inside_parentheses(value->child[0]))) {
        s->op = plus ? "+=" : minus ? "-=" : "*=";
        s->value = value->child[1];
    } else if ((plus || times) && same_text(x, s->left, inside_parentheses(value->child[1]))) {
        s->op = plus ? "+=" : "*=";
        s->value = value->child[0];
    }
}

static bool is_number(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC;
}

/* Whether adding all values up and then to the left side is the same as one after the other, but for rounding. */
static bool adds_up(const nest *x, const nest_statement *s) {
    const type *left = s->left->type, *value = s->value ? s->value->type : NULL;
    (void)x;
    if (strcmp(s->op, "+=") != 0 && strcmp(s->op, "-=") != 0 && strcmp(s->op, "*=") != 0) return false;
    if (!is_number(left) || left->element == ELEMENT_BOOL || (s->value && !is_number(value))) return false;
    return !s->value || !element_is_integer(left->element) || element_is_integer(value->element);
}

static void read_scalar(surroundings *a, nest_statement *s) {
    nest *x = a->x;
    const symbol *v = s->left->symbol;
    if (!v || v->kind != SYMBOL_VARIABLE || !is_number(v->type)) {
        stop_nest(x, s->left, "'%s' is assigned in the loop", quoted(x, s->left));
        return;
    }
    const node *declared = v->declaration;
    const bool special =
        declared && declared->count > 0 && declared->child[0]->kind == N_SPECIFIERS &&
        (specifiers_have(declared->child[0], "volatile") || specifiers_have(declared->child[0], "_Atomic"));
    take_sum(x, s);
    if (special || !adds_up(x, s)) {
        stop_nest(x, s->left, "'%s' is assigned in the loop, and no sum or product", v->name);
        return;
    }
    size_t names = 0;
    for (size_t k = 0; k < v->assignments; k++) names += node_holds(x->root, v->assignment[k]);
    if (names != 1 || (s->value && mentions_symbol(s->value, v)) || node_holds(x->root, v->declarator))
        stop_nest(x, s->left, "'%s' is used in the loop in another way than being added to", v->name);
    for (int k = 0; k < s->loops; k++) s->reduces[k] = true;
    s->scalar = true;
}

static bool mentions_loops(const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (mentions_symbol(n, s->loop[k]->variable)) return true;
    return false;
}

/* An assigned element: loops that it does not depend on are added up over. */
static void read_left(surroundings *a, nest_statement *s) {
    nest *x = a->x;
    node *name, *subscripts[MAX_RANK];
    int count, reductions = 0;
    if (s->left->kind != N_INDEX || !index_chain(s->left, &name, subscripts, &count) || name->kind != N_NAME ||
        !name->symbol) {
        stop_nest(x, s->left, "'%s' is assigned in it", quoted(x, s->left));
        return;
    }
    const symbol *v = name->symbol;
    const type *t = v->type;
    int rank = 0;
    for (; t && t->kind == TYPE_ARRAY; t = t->of) rank++;
    if (!v->array && (v->kind != SYMBOL_VARIABLE || v->is_parameter || rank != count || !is_number(t))) {
        stop_nest(x, s->left, "what '%s' points to may be anything", quoted(x, s->left));
        return;
    }
    for (int k = 0; k < s->loops; k++) {
        s->reduces[k] = !mentions_symbol(s->left, s->loop[k]->variable);
        reductions += s->reduces[k];
    }
    if (reductions > 0 || strcmp(s->op, "=") == 0) {
        nest_statement sum = *s;
        take_sum(x, &sum);
        if (reductions > 0 && adds_up(x, &sum)) *s = sum;
    }
    if (reductions > 0 && !adds_up(x, s)) stop_nest(x, s->left, "iterations assign the same '%s'", quoted(x, s->left));
    for (int k = 0; k < s->loops; k++)
        for (int m = k + 1; m < s->loops; m++)
            if (s->reduces[k] && !s->reduces[m] &&
                (mentions_symbol(s->loop[m]->lower, s->loop[k]->variable) ||
                 mentions_symbol(s->loop[m]->upper, s->loop[k]->variable)))
                stop_nest(x, s->left, "which '%s' are added to depends on '%s'", quoted(x, s->left),
                          s->loop[k]->variable->name);
    for (int k = 0; k < s->conditions && reductions == s->loops; k++)
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
    vector_add(x->p->memory, x->access, x->accesses, x->access_capacity, stored);
}

static void read_assignment(surroundings *a, node *n) {
    nest *x = a->x;
    if (x->statements == MOST_STATEMENTS) {
        stop_nest(x, n, "it has more than %d statements", MOST_STATEMENTS);
        return;
    }
    nest_statement s = {.assign = n,
                        .left = inside_parentheses(n->child[0]),
                        .op = n->kind == N_ASSIGN    ? n->op
                              : !strcmp(n->op, "++") ? "+="
                                                     : "-=",
                        .value = n->kind == N_ASSIGN ? n->child[1] : NULL,
                        .loops = a->loops,
                        .conditions = a->conditions};
    memcpy(s.loop, a->loop, sizeof s.loop);
    memcpy(s.condition, a->condition, sizeof s.condition);
    for (int k = 0; k < s.conditions; k++) read_value(x, s.condition[k].node, &s.condition[k].path, a->loops);
    if (s.left->kind == N_NAME)
        read_scalar(a, &s);
    else
        read_left(a, &s);
    check_namesakes(x, &s);
    if (x->reason) return;
    if (s.value && strcmp(s.op, "=") != 0 && !is_number(s.value->type))
        stop_nest(x, s.value, "the type of '%s' is not known", quoted(x, s.value));
    nest_path path = a->path;
    add_constant(&path, 0);
    if (s.value) read_value(x, s.value, &path, a->loops);
    x->statement[x->statements++] = s;
}

/* ---- Statements */

static void read_block(surroundings *a, node *block) {
    for (size_t c = 0; c < block->count; c++) {
        surroundings inner = *a;
        add_constant(&inner.path, (int)c);
        read_statement(&inner, block->child[c]);
    }
}

static void read_if(surroundings *a, node *n) {
    nest *x = a->x;
    for (size_t c = 1; c < n->count; c++) {
        surroundings inner = *a;
        if (!n->child[c]) continue;
        if (inner.conditions == MOST_CONDITIONS) {
            stop_nest(x, n, "it has too many conditions");
            return;
        }
        if (c > 1) stop_nest(x, n->child[c], "it has an else");
        nest_condition *condition = &inner.condition[inner.conditions++];
        *condition = (nest_condition){.node = n->child[0], .negated = c > 1, .path = a->path};
        add_constant(&condition->path, 0);
        add_constant(&inner.path, (int)c);
        read_statement(&inner, n->child[c]);
    }
}

static const char *words_of(const node *n) {
    static const struct {
        node_kind kind;
        const char *words;
    } row[] = {{N_BREAK, "break"},
               {N_CONTINUE, "continue"},
               {N_RETURN, "return"},
               {N_GOTO, "goto"},
               {N_LABEL, "a label"},
               {N_WHILE, "a while loop"},
               {N_DO, "a do loop"},
               {N_SWITCH, "a switch"},
               {N_DECLARATION, "a declaration"},
               {N_FORALL, "a forall"},
               {N_REDISTRIBUTE, "redistribute"},
               {N_ASM, "assembly code"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (row[k].kind == n->kind) return row[k].words;
    return NULL;
}

static void read_statement(surroundings *a, node *n) {
    nest *x = a->x;
    if (a->path.length > MOST_PATH - 3) stop_nest(x, n, "it is nested too deep");
    if (x->reason) return;
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
    case N_EXPRESSION: {
        node *inside = inside_parentheses(n->child[0]);
        if (inside->kind == N_ASSIGN || is_step(inside))
            read_assignment(a, inside);
        else
            stop_nest(x, n, "'%s' is no assignment", quoted(x, inside));
        return;
    }
    default:
        break;
    }
    if (words_of(n))
        stop_nest(x, n, "%s stands in it", words_of(n));
    else
        stop_nest(x, n, "'%s' stands in it", quoted(x, n));
}

/* Scalars that are added to are used nowhere else. */
static void check_scalars(nest *x) {
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        if (!s->scalar) continue;
        node *left = s->left;
        const symbol *v = left->symbol;
        if (x->calls && (v->file_scope || v->is_static))
            stop_nest(x, left, "a function that is called in it may use '%s'", v->name);
        for (size_t m = 0; m < v->assignments; m++) {
            const node *above = v->assignment[m]->parent;
            if (above && above->kind == N_UNARY && above->op[0] == '&' && (x->calls || x->reads_memory))
                stop_nest(x, left, "'%s' may be read through a pointer", v->name);
        }
    }
}

/* Whether some call of the function passes one array for both parameters. */
static bool passes_twice(const node *n, const symbol *f, const array *a, const array *b) {
    bool section;
    const array *first = NULL, *second = NULL;
    if (n->kind == N_CALL && called_function(n) && !strcmp(called_function(n)->name, f->name))
        for (size_t c = 1; c < n->count; c++) {
            const symbol *parameter = parameter_of(f, c - 1);
            if (parameter == a->symbol) first = argument_array(n, c, &section);
            if (parameter == b->symbol) second = argument_array(n, c, &section);
        }
    if (first && first == second) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && passes_twice(n->child[c], f, a, b)) return true;
    return false;
}

/* Whether two arrays of the nest's function are one in some call of this file. */
static bool may_be_one(const nest *x, const array *a, const array *b) {
    const symbol *f = function_symbol(function_around(x->root));
    if (a == b || a->element != b->element || a->rank != b->rank || !f || (!a->parameter && !b->parameter))
        return false;
    if (a->parameter && b->parameter) return passes_twice(x->p->unit, f, a, b);
    const array *other = a->parameter ? b : a;
    return other->symbol->file_scope && other->passed;
}

/* Arrays that a call passes twice, or passes and the function names, are not known to be two. */
static void check_names(nest *x) {
    for (size_t k = 0; k < x->accesses; k++)
        for (size_t m = 0; m < x->accesses && x->access[k].writes; m++) {
            const array *a = x->access[k].array->array, *b = x->access[m].array->array;
            if (a && b && may_be_one(x, a, b))
                stop_nest(x, x->access[k].chain, "'%s' and '%s' may be one array", a->symbol->name, b->symbol->name);
        }
}

void read_nest(nest *x) {
    surroundings a = {.x = x};
    if (follows_pragma(x->p->source, x->root)) stop_nest(x, x->root, "a pragma stands before it");
    if (!x->reason) read_loop(&a, x->root);
    if (!x->reason) check_scalars(x);
    if (!x->reason) check_names(x);
    if (x->reason || !x->distributed) return;
    if (x->stores_memory && (x->reads_memory || x->calls || x->bounds_read_memory))
        stop_nest(x, x->root, "it stores into ordinary memory, and reads some of which it is not known what it is");
}
