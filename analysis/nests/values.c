/* Pass "nests": what expressions in a loop nest read, and whether they do anything else. */
#include <stdarg.h>
#include <string.h>

#include "../model/types.h"
#include "nests.h"

void stop_nest(nest *x, node *place, const char *pattern, ...) {
    va_list arguments;
    if (x->reason) return;
    va_start(arguments, pattern);
    x->reason = arena_vformat(x->p->memory, pattern, arguments);
    va_end(arguments);
    x->place = place;
}

void stop_forall(nest *x, node *place, const char *pattern, ...) {
    va_list arguments;
    if (x->reason) return;
    va_start(arguments, pattern);
    stop_nest(x, place, "%s", arena_vformat(x->p->memory, pattern, arguments));
    va_end(arguments);
    x->stands = !x->in_order;
}

static void take_advice(nest *x, const node *place, bool remedies, const char *pattern, va_list arguments) {
    if (x->advice || x->place != place) return;
    x->advice = arena_vformat(x->p->memory, pattern, arguments);
    x->remedied = x->remedied || remedies;
}

void advise_nest(nest *x, const node *place, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    take_advice(x, place, false, pattern, arguments);
    va_end(arguments);
}

void advise_remedy(nest *x, const node *place, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    take_advice(x, place, true, pattern, arguments);
    va_end(arguments);
}

const char *nest_quote(const nest *x, const node *n) {
    return ast_quote(x->p->memory, x->p->source, n);
}

bool nest_has_same_text(const nest *x, const node *n, const node *m) {
    return !strcmp(nest_quote(x, n), nest_quote(x, m));
}

/* ---- Names */

bool is_assigned_within(const nest *x, const symbol *s) {
    for (size_t k = 0; k < s->assignments; k++) {
        const node *n = s->assignment[k], *above = n->parent;
        while (above && above->kind == N_PAREN) above = above->parent;
        const bool address = above && above->kind == N_UNARY && above->op[0] == '&' && !above->op[1];
        if (!address && node_holds(x->root, n)) return true;
    }
    return false;
}

static bool is_open(const nest *x, const symbol *s) {
    for (int k = 0; k < x->opened; k++)
        if (x->open[k]->variable == s) return true;
    return false;
}

static void read_private_value(nest *x, node *n, const nest_private *p, const nest_path *path, int loops) {
    const nest_access a = {
        .statement = x->statements, .chain = n, .array = p->symbol, .path = *path, .loops = loops, .depth = p->depth};
    vector_add(x->passing, x->access, x->accesses, x->access_capacity, a);
}

static void read_name(nest *x, node *n, const nest_path *path, int loops) {
    const symbol *s = n->symbol;
    if (s && is_open(x, s)) return;
    if (private_of(x, s)) {
        read_private_value(x, n, private_of(x, s), path, loops);
        return;
    }
    if (!s) {
        if (library_constant(n->name) == ELEMENTS || !strcmp(n->name, "errno"))
            stop_nest(x, n, "it is not known what '%s' is", n->name);
        return;
    }
    if (s->kind == SYMBOL_ENUMERATOR || s->kind == SYMBOL_INDEX || is_of_own(x, n) || carries_scalar(x, s)) return;
    if (s->kind != SYMBOL_VARIABLE || !s->type || s->type->kind != TYPE_ARITHMETIC)
        stop_nest(x, n, "'%s' is no number", n->name);
    else if (is_volatile(s))
        stop_nest(x, n, "'%s' is volatile", n->name);
    else if (is_assigned_within(x, s)) {
        want_carried(x, s);
        stop_nest(x, n, "'%s' is assigned in the loop, and read in it", n->name);
        advise_carried(x, n);
    }
}

/* ---- Calls */

static bool is_pure_library(const char *name) {
    return !is_listed(" dpc_wtime dpc_nprocs dpc_rank ", name) && strncmp(name, "str", 3) != 0 &&
           strncmp(name, "mem", 3) != 0 && strncmp(name, "ato", 3) != 0 &&
           (library_function_result(name) != ELEMENTS || !strcmp(name, "abs"));
}

/* Functions of the library that change nothing but what their arguments point to. */
static bool fills_arguments(const char *name) {
    return is_listed(" frexp frexpf frexpl modf modff modfl remquo sincos sincosf rand_r memset memcpy memmove qsort ",
                     name);
}

/* Of a call behind which every process goes on alike. */
static bool keeps_to_itself(const char *name) {
    return is_pure_library(name) || fills_arguments(name);
}

/* What a function may change through a pointer: a variable of the iteration. */
static bool points_to_own(const nest *x, node *argument) {
    node *n = inside_parentheses(argument);
    while (n->kind == N_CAST) n = inside_parentheses(n->child[1]);
    const bool address = n->kind == N_UNARY && !strcmp(n->op, "&");
    return is_of_own(x, address ? inside_parentheses(n->child[0]) : n) &&
           (address || (n->type && n->type->kind != TYPE_POINTER));
}

/* A structure without pointers: a function gets a copy. */
static bool is_structure(node *argument) {
    node *n = inside_parentheses(argument);
    if (!n->type || n->type->kind != TYPE_RECORD) return false;
    return element_around(n) || distributed_reference(n) || known_record(tag_definition(n->type->record)) != ELEMENTS;
}

/* A variable that is one. */
static void read_structure(nest *x, node *n) {
    const symbol *s = n->symbol;
    x->reads_memory = true;
    if (!s || s->kind != SYMBOL_VARIABLE || is_volatile(s) || is_assigned_within(x, s))
        stop_nest(x, n, "'%s' may change in the loop", nest_quote(x, n));
}

static bool is_function(node *argument) {
    const node *n = inside_parentheses(argument);
    if (n->kind == N_UNARY && n->op[0] == '&') n = inside_parentheses(n->child[0]);
    return n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_FUNCTION;
}

/* Ordinary memory that a function reads through its parameter number k, and nothing in the loop changes: `table`,
 * `table[j]`, `&table[j]`. */
static bool read_pointed_by(nest *x, node *call, size_t k, const nest_path *path, int loops) {
    node *argument = inside_parentheses(call->child[k + 1]), *n = argument;
    if (n->kind == N_UNARY && !strcmp(n->op, "&")) argument = n = inside_parentheses(n->child[0]);
    while (n->kind == N_INDEX) n = inside_parentheses(n->child[0]);
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (!s || s->kind != SYMBOL_VARIABLE || s->array || !s->type || is_volatile(s) || is_assigned_within(x, s))
        return false;
    if ((s->type->kind != TYPE_ARRAY && s->type->kind != TYPE_POINTER) ||
        !argument_stays(x->p, call, k, keeps_to_itself))
        return false;
    for (n = argument; n->kind == N_INDEX; n = inside_parentheses(n->child[0])) read_value(x, n->child[1], path, loops);
    x->reads_memory = true;
    return true;
}

bool is_row_only_read(const program *p, const node *n) {
    return row_stays(p, n, keeps_to_itself);
}

static const char *row_name(const node *chain) {
    bool pointer = false;
    return base_symbol(chain, &pointer)->name;
}

/* A row of a distributed array that a function gets, `P[i]` or `&P[i][0]`: the iteration's owner has it. */
static bool read_row(nest *x, node *call, size_t k, const nest_path *path, int loops) {
    const node *f = inside_parentheses(call->child[0]);
    node *argument = inside_parentheses(call->child[k + 1]), *name, *subscripts[MAX_RANK];
    while (argument->kind == N_CAST) argument = inside_parentheses(argument->child[1]);
    node *chain = row_pointer(argument);
    int count;
    if (!chain) return false;
    if (distributed_reference(chain)) chain = inside_parentheses(chain->child[0]);
    if (!x->in_order)
        stop_forall(x, argument, "'%s', which '%s' gets, may be another process's than what an iteration stores",
                    nest_quote(x, chain), f->name);
    advise_nest(x, argument,
                "first the results for all rows, in an array of their own, R[i] = %s(%s[i]); then what reads them "
                "elsewhere",
                f->name, row_name(chain));
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++) read_value(x, subscripts[d], path, loops);
    x->distributed = true;
    nest_access a = {.statement = x->statements,
                     .chain = chain,
                     .array = name->symbol,
                     .path = *path,
                     .loops = loops,
                     .depth = -1,
                     .row = true};
    vector_add(x->passing, x->access, x->accesses, x->access_capacity, a);
    if (is_row_only_read(x->p, argument)) return true;
    a.writes = true;
    vector_add(x->passing, x->access, x->accesses, x->access_capacity, a);
    return true;
}

static void read_call(nest *x, node *n, const nest_path *path, int loops) {
    node *f = inside_parentheses(n->child[0]);
    operation op;
    intrinsic kind;
    const symbol *callee = f->kind == N_NAME ? f->symbol : NULL;
    if (reduction_call(n, &op) || intrinsic_call(n, &kind)) {
        stop_nest(x, n, "'%s' stands in it", nest_quote(x, n));
        return;
    }
    if (f->kind != N_NAME || (callee && callee->kind != SYMBOL_FUNCTION)) {
        stop_nest(x, n, "it is not known which function '%s' calls", nest_quote(x, n));
        return;
    }
    const char *effect = callee ? effect_of(x->p, callee, keeps_to_itself) : NULL,
               *called_back = callee ? NULL : effect_called_back(x->p, n, keeps_to_itself);
    if (callee && callee->uses_distributed)
        stop_nest(x, n, "'%s' uses distributed arrays", f->name);
    else if (callee && (callee->calls_unknown || !defined_function(x->p, callee->name)))
        stop_nest(x, n, "it is not known here what '%s' does", f->name);
    else if (effect)
        stop_nest(x, n, "'%s' %s", f->name, effect);
    else if (!callee && !is_pure_library(f->name) && !(x->in_order && fills_arguments(f->name)))
        stop_nest(x, n, "'%s' may do more than compute a value", f->name);
    else if (called_back)
        stop_nest(x, n, "what '%s' calls %s", f->name, called_back);
    const type *of = n->count == 2 ? n->child[1]->type : NULL;
    if (!callee && !strcmp(f->name, "abs") &&
        (!of || of->kind != TYPE_ARITHMETIC || element_promoted(of->element) != ELEMENT_INT))
        stop_nest(x, n, "'abs' of a number that is no int has another meaning in a forall");
    x->calls = x->calls || callee;
    for (size_t c = 1; c < n->count; c++) {
        const type *t = n->child[c]->type;
        if (read_row(x, n, c - 1, path, loops) || points_to_own(x, n->child[c]) ||
            (callee && read_pointed_by(x, n, c - 1, path, loops)))
            continue;
        if (!callee && is_function(n->child[c])) { /* that the library calls back */
            x->calls = true;
            continue;
        }
        if ((!t || t->kind != TYPE_ARITHMETIC) && !is_structure(n->child[c]))
            stop_nest(x, n->child[c], "'%s' may change what '%s' stands for", f->name, nest_quote(x, n->child[c]));
        if (t && t->kind == TYPE_RECORD && inside_parentheses(n->child[c])->kind == N_NAME)
            read_structure(x, inside_parentheses(n->child[c]));
        else
            read_value(x, n->child[c], path, loops);
    }
}

/* ---- Elements */

/* Unsigned arithmetic, but the sum of a variable and a constant, and all of 64 bits: these are outside every array
 * where they go round. */
static bool goes_round(const node *n) {
    int64_t value;
    n = inside_parentheses((node *)n);
    const type *t = n->type;
    if ((n->kind != N_BINARY && n->kind != N_UNARY) || constant_value(n, &value)) return false;
    if (type_is_long_unsigned(t) && n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]))
        return goes_round(n->child[0]) || goes_round(n->child[1]);
    if (t && t->kind == TYPE_ARITHMETIC && !element_is_signed(t->element))
        return n->kind != N_BINARY || n->op[1] || !strchr("+-", n->op[0]) || goes_round(n->child[0]) ||
               inside_parentheses(n->child[0])->kind != N_NAME || !constant_value(n->child[1], &value);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && goes_round(n->child[c])) return true;
    return false;
}

/* A whole structure that a function gets; or an element that an assignment takes or stores, or a variable begins with.
 */
static bool is_copied(const node *n, bool distributed) {
    const node *above = n->parent;
    while (above && above->kind == N_PAREN) above = above->parent;
    if (above && above->kind == N_CALL) return true;
    if (!distributed) return false;
    if (above && above->kind == N_INIT_DECLARATOR) return true;
    return above && above->kind == N_ASSIGN && !strcmp(above->op, "=");
}

static void read_element(nest *x, node *n, const nest_path *path, int loops) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(n, &name, subscripts, &count)) {
        stop_nest(x, n, "'%s' has too many subscripts", nest_quote(x, n));
        return;
    }
    for (int d = 0; d < count; d++) {
        if (subscripts[d]->kind == N_TRIPLET) {
            stop_nest(x, n, "an array section stands in it");
            return;
        }
        read_value(x, subscripts[d], path, loops);
    }
    if (is_of_own(x, n)) return;
    const symbol *s = name->kind == N_NAME ? name->symbol : NULL;
    for (int d = 0; s && s->array && d < count; d++)
        if (goes_round(subscripts[d])) {
            stop_nest(x, subscripts[d], "'%s' is unsigned arithmetic, which may go round",
                      nest_quote(x, subscripts[d]));
            advise_nest(x, subscripts[d], "declare what it is made of as int or long");
        }
    if (!s) {
        if (!element_around(n)) x->reads_memory = true;
        if (name->kind == N_NAME)
            stop_nest(x, n, "it is not known what '%s' is", name->name);
        else if (name->kind == N_MEMBER || name->kind == N_UNARY)
            read_value(x, name, path, loops);
        else if (name->kind != N_STRING)
            stop_nest(x, n, "'%s' is no array", nest_quote(x, name));
        return;
    }
    if (is_volatile(s)) stop_nest(x, n, "'%s' is volatile", s->name);
    if (s->array && count != s->array->rank) stop_nest(x, n, "'%s' is no element", nest_quote(x, n));
    if (!n->type || n->type->kind != TYPE_ARITHMETIC) {
        const node *above = n->parent;
        while (above && above->kind == N_PAREN) above = above->parent;
        const bool in_member = above && above->kind == N_MEMBER;
        if (!in_member && !is_copied(n, s->array)) stop_nest(x, n, "'%s' is no number", nest_quote(x, n));
    }
    if (s->array) x->distributed = true;
    if (!s->array && (!s->type || s->type->kind != TYPE_ARRAY || s->is_parameter)) x->reads_memory = true;
    if (!s->array && is_assigned_within(x, s) && (!s->type || s->type->kind != TYPE_ARRAY))
        stop_nest(x, n, "'%s' is assigned in the loop", s->name);
    const nest_access a = {
        .statement = x->statements, .chain = n, .array = s, .path = *path, .loops = loops, .depth = -1};
    vector_add(x->passing, x->access, x->accesses, x->access_capacity, a);
}

static void read_member(nest *x, node *n, const nest_path *path, int loops) {
    node *base = inside_parentheses(n->child[0]);
    if (is_of_own(x, n)) {
        if (base->kind != N_NAME) read_value(x, base, path, loops);
        return;
    }
    if (!element_around(n)) x->reads_memory = true;
    if (base->kind == N_NAME) {
        const symbol *s = base->symbol;
        if (!s || s->kind != SYMBOL_VARIABLE || is_volatile(s) || is_assigned_within(x, s))
            stop_nest(x, n, "'%s' may change in the loop", nest_quote(x, n));
    } else if (base->kind == N_MEMBER || base->kind == N_INDEX || (base->kind == N_UNARY && base->op[0] == '*')) {
        read_value(x, base, path, loops);
    } else {
        stop_nest(x, n, "'%s' may change in the loop", nest_quote(x, n));
    }
}

static void read_pointed(nest *x, node *n, const nest_path *path, int loops) {
    node *pointer = inside_parentheses(n->child[0]);
    const symbol *s = pointer->kind == N_NAME ? pointer->symbol : NULL;
    x->reads_memory = true;
    if (!s || s->kind != SYMBOL_VARIABLE || s->array || is_volatile(s) || is_assigned_within(x, s))
        stop_nest(x, n, "'%s' may change in the loop", nest_quote(x, n));
    (void)path, (void)loops;
}

/* `k++`, `t = v` in the middle of an expression that stays as it stands: of an iteration's own variable, or one that is
 * carried. */
static bool read_own_store(nest *x, node *n, const nest_path *path, int loops) {
    const node *left = inside_parentheses(n->child[0]);
    const symbol *s = left->kind == N_NAME ? left->symbol : NULL;
    const nest_private *p = private_of(x, s);
    if (!x->in_order || (!p && !is_of_own(x, left) && !carries_scalar(x, s))) {
        want_carried(x, s);
        return false;
    }
    read_value(x, n->child[0], path, loops);
    if (p) {
        const nest_access a = {.statement = x->statements,
                               .chain = n->child[0],
                               .array = p->symbol,
                               .path = *path,
                               .loops = loops,
                               .depth = p->depth,
                               .writes = true};
        vector_add(x->passing, x->access, x->accesses, x->access_capacity, a);
    }
    if (n->kind == N_ASSIGN) read_value(x, n->child[1], path, loops);
    return true;
}

/* What stands in the braces of a compound literal. */
static void read_list(nest *x, node *n, const nest_path *path, int loops) {
    if (n->kind != N_INITIALIZER_LIST && n->kind != N_DESIGNATED) {
        read_value(x, n, path, loops);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) read_list(x, n->child[c], path, loops);
}

void read_value(nest *x, node *n, const nest_path *path, int loops) {
    if (is_store(n) && read_own_store(x, n, path, loops)) return;
    switch ((int)n->kind) {
    case N_NAME:
        read_name(x, n, path, loops);
        return;
    case N_CONSTANT:
    case N_SIZEOF:
        return;
    case N_INDEX:
        read_element(x, n, path, loops);
        return;
    case N_MEMBER:
        read_member(x, n, path, loops);
        return;
    case N_CALL:
        read_call(x, n, path, loops);
        return;
    case N_CAST:
        read_value(x, n->child[1], path, loops);
        return;
    case N_COMPOUND_LITERAL:
        read_list(x, n->child[1], path, loops);
        return;
    case N_UNARY:
        if (!strcmp(n->op, "*")) {
            read_pointed(x, n, path, loops);
            return;
        }
        if (!strcmp(n->op, "++") || !strcmp(n->op, "--") || n->op[0] == '&') break;
        read_value(x, n->child[0], path, loops);
        return;
    case N_PAREN:
    case N_BINARY:
    case N_CONDITIONAL:
        for (size_t c = 0; c < n->count; c++)
            if (n->child[c]) read_value(x, n->child[c], path, loops);
        return;
    default:
        break;
    }
    stop_nest(x, n, "'%s' does more than read", nest_quote(x, n));
    if (n->kind == N_ASSIGN)
        advise_nest(x, n, "in two statements: '%s;', then one that reads '%s'", nest_quote(x, n),
                    nest_quote(x, n->child[0]));
}
