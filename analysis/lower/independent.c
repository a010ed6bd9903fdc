/* Loops under `independent`: what may stand in them, what they touch, and who executes which iteration.  A loop that
 * cannot be shared out keeps its serial meaning: every process runs all of it, and a warning says why. */
#include <stdlib.h>
#include <string.h>

#include "lower.h"
#include "../model/knowledge.h"
#include "../model/types.h"

/* What is being looked through. */
typedef struct {
    program *p;
    independent_loop *x;
    parallel *s;
    const char *obstacle; /* why the loop cannot be shared out; NULL: nothing found */
    node **chain;         /* elements of distributed arrays, outer before inner */
    size_t chains, chain_capacity;
    int breakable; /* loops and switches around, inside the loop */
} scan;

static void __attribute__((format(printf, 2, 3))) hinder(scan *c, const char *pattern, ...) {
    va_list arguments;
    if (c->obstacle) return;
    va_start(arguments, pattern);
    c->obstacle = arena_vformat(c->p->memory, pattern, arguments);
    va_end(arguments);
}

/* ---- Names */

static bool is_counter(const independent_loop *x, const symbol *s) {
    for (int k = 0; k < x->loops; k++)
        if (x->counter[k] == s) return true;
    return false;
}

/* Whether each process, or each iteration, has a variable of its own: private, or declared in the loop. */
static bool is_own(const independent_loop *x, const symbol *s) {
    if (is_counter(x, s)) return false;
    for (size_t k = 0; k < x->privates; k++)
        if (x->private[k] == s) return true;
    return s->declarator && s->kind == SYMBOL_VARIABLE && node_holds(x->loop, s->declarator);
}

static bool names_own(const independent_loop *x, const node *n) {
    if (n->kind == N_NAME && n->symbol && is_own(x, n->symbol)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && names_own(x, n->child[c])) return true;
    return false;
}

bool varies(const independent_loop *x, const node *n) {
    if (n->kind == N_SIZEOF) return names_own(x, n);
    if (n->kind == N_CALL || n->kind == N_STATEMENT_EXPRESSION) return true;
    if (n->kind == N_NAME && n->symbol) {
        if (is_own(x, n->symbol) || partial_of(x, n->symbol) || is_carried_scalar(x, n->symbol)) return true;
        for (size_t k = 0; k < x->stores; k++)
            if (x->store[k] == n->symbol) return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && varies(x, n->child[c])) return true;
    return false;
}

/* Whether a pointer declared in the loop points to what is the iteration's own: fresh memory, or a variable of it. */
static bool points_to_own(const scan *c, const symbol *s) {
    const node *declared = s->declarator;
    bool pointer = false;
    while (declared && declared->kind != N_INIT_DECLARATOR) declared = declared->parent;
    if (s->assignments > 0 || !declared || declared->count < 2 || !declared->child[1]) return false;
    const node *start = inside_parentheses(declared->child[1]);
    while (start->kind == N_CAST) start = inside_parentheses(start->child[1]);
    if (start->kind == N_CALL || row_pointer((node *)start)) return true;
    if (start->kind == N_UNARY && !strcmp(start->op, "&")) start = start->child[0];
    const symbol *of = base_symbol(start, &pointer);
    return of && !pointer && is_own(c->x, of) && of->type && of->type->kind != TYPE_POINTER;
}

/* ---- Stores */

static void scan_node(scan *c, node *n);

static void scan_children(scan *c, node *n) {
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k]) scan_node(c, n->child[k]);
}

static void store_memory(scan *c, node *left) {
    bool pointer = false;
    const symbol *s = base_symbol(left, &pointer);
    if (!s) {
        hinder(c, "what '%s' belongs to is not known", ast_quote(c->p->memory, c->p->source, left));
    } else if (!is_own(c->x, s) && !partial_of(c->x, s)) {
        diagnose(c->p->source, left, D_independent_stores, s->name);
        diagnose_help("distribute '%s', name it in reduction(...), or in private(...) if each iteration has its own",
                      s->name);
    } else if (pointer && s->type && s->type->kind == TYPE_POINTER && !points_to_own(c, s))
        hinder(c, "'%s' may point to memory that every process holds", s->name);
    scan_children(c, left);
}

static void store_scalar(scan *c, const node *left) {
    const symbol *s = left->symbol;
    if (s && is_counter(c->x, s))
        diagnose(c->p->source, left, D_independent_variable, s->name);
    else if (!s || (!is_own(c->x, s) && !partial_of(c->x, s) && !is_carried_scalar(c->x, s)))
        hinder(c, "'%s' is assigned in it, and stands neither in private(...) nor in reduction(...)", left->name);
}

static void scan_store(scan *c, node *n) {
    node *left = inside_parentheses(n->child[0]);
    if (element_around(left))
        scan_node(c, left);
    else if (left->kind == N_NAME)
        store_scalar(c, left);
    else
        store_memory(c, left);
    if (n->kind == N_ASSIGN) scan_node(c, n->child[1]);
}

/* The distributed arrays that are assigned anywhere under n. */
static void find_stores(scan *c, node *n) {
    node *left = is_store(n) ? element_around(n->child[0]) : row_pointer(n);
    node *name = left, *subscripts[MAX_RANK];
    int count;
    independent_loop *x = c->x;
    if (left && index_chain(left, &name, subscripts, &count))
        vector_add(c->p->memory, x->store, x->stores, x->store_capacity, name->symbol);
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k]) find_stores(c, n->child[k]);
}

/* ---- Calls */

/* Functions of the C library that act for the process alone, and change nothing. */
static const char *const quiet_functions =
    " abs labs llabs fma fmaf fmin fmax fminf fmaxf isnan isinf isfinite signbit assert malloc calloc realloc free "
    "memcmp bsearch "
    "strlen strcmp strncmp strchr strrchr strstr dpc_rank dpc_nprocs creal cimag cabs carg conj cexp clog csqrt cpow "
    "csin ccos "
    "CMPLX CMPLXF CMPLXL offsetof ";

static bool acts_alone(const char *name) {
    return library_function_result(name) != ELEMENTS || is_listed(quiet_functions, name) || library_changes(name, 0);
}

/* An argument through which a function could change memory. */
static void scan_argument(scan *c, const node *call, size_t k) {
    const node *f = inside_parentheses(call->child[0]);
    node *n = inside_parentheses(call->child[k + 1]);
    while (n->kind == N_CAST) n = inside_parentheses(n->child[1]);
    bool pointer = false, address = n->kind == N_UNARY && !strcmp(n->op, "&");
    const type *t = n->type;
    if (row_pointer(n)) return;
    if (n->kind == N_STRING || (!address && (!t || (t->kind != TYPE_ARRAY && t->kind != TYPE_POINTER)))) return;
    const symbol *s = base_symbol(address ? inside_parentheses(n->child[0]) : n, &pointer);
    const bool foreign = f->kind == N_NAME && !f->symbol;
    if (foreign ? !library_changes(f->name, k) : f->kind == N_NAME && argument_stays(c->p, call, k, acts_alone)) return;
    if (s && partial_of(c->x, s) && !pointer) return;
    if (s && is_own(c->x, s) && (!pointer || points_to_own(c, s)) &&
        (address || (s->type && s->type->kind != TYPE_POINTER) || points_to_own(c, s)))
        return;
    hinder(c, "'%s' may change what '%s' points to, which every process holds",
           ast_quote(c->p->memory, c->p->source, f), ast_quote(c->p->memory, c->p->source, n));
}

static void scan_call(scan *c, node *n) {
    const node *f = inside_parentheses(n->child[0]);
    const symbol *callee = f->kind == N_NAME ? f->symbol : NULL;
    if (f->kind == N_NAME && !callee) {
        const char *effect = effect_called_back(c->p, n, acts_alone);
        if (!acts_alone(f->name)) hinder(c, "it calls '%s', which acts for the whole program", f->name);
        if (effect) hinder(c, "what '%s' calls %s", f->name, effect);
    } else if (callee && callee->uses_distributed) {
        hinder(c, "it calls '%s', which uses distributed arrays", callee->name);
    } else if (callee && callee->kind == SYMBOL_FUNCTION) {
        const char *effect = effect_of(c->p, callee, acts_alone);
        if (effect) hinder(c, "'%s' %s", callee->name, effect);
    }
    if (!(f->kind == N_NAME && !callee) && (!callee || callee->kind != SYMBOL_FUNCTION || callee->calls_unknown))
        c->s->calls_unknown = true;
    for (size_t k = 1; k < n->count; k++) scan_argument(c, n, k - 1);
    scan_children(c, n);
}

/* ---- The body */

static bool has_label(const node *n, const char *name) {
    if (n->kind == N_LABEL && !strcmp(n->name, name)) return true;
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && has_label(n->child[k], name)) return true;
    return false;
}

static void scan_jump(scan *c, node *n) {
    bool leaves = n->kind == N_RETURN || (n->kind == N_BREAK && c->breakable == 0);
    if (n->kind == N_BREAK && leaves && c->x->left) {
        vector_add(c->p->memory, c->x->leave, c->x->leaves, c->x->leave_capacity, n);
        return;
    }
    if (n->kind == N_GOTO) leaves = !n->name || !has_label(c->x->body, n->name);
    const char *what = n->kind == N_RETURN ? "return" : n->kind == N_GOTO ? "goto" : "break";
    if (leaves) diagnose(c->p->source, n, D_independent_jump, what);
}

static void scan_breakable(scan *c, node *n) {
    c->breakable++;
    scan_children(c, n);
    c->breakable--;
}

/* Whether an element is one of those that are stored one behind the other. */
static bool is_kept(const independent_loop *x, const node *chain) {
    const node *name = chain->child[0];
    for (size_t k = 0; k < x->keep_count; k++)
        if (name->kind == N_NAME && name->symbol == x->keeps[k].symbol) return true;
    return false;
}

static void scan_node(scan *c, node *n) {
    operation op;
    switch ((int)n->kind) {
    case N_SIZEOF:
    case N_INDEPENDENT:
        return;
    case N_FORALL:
        hinder(c, "a forall stands in it");
        return;
    case N_DISTRIBUTE:
    case N_PROCESSORS:
    case N_TEMPLATE:
    case N_ALIGN:
    case N_REALIGN:
    case N_REDISTRIBUTE:
        hinder(c, "a directive stands in it");
        return;
    case N_ASM:
        hinder(c, "it contains assembly code");
        return;
    case N_TRIPLET:
        hinder(c, "an array section stands in it");
        return;
    case N_RETURN:
    case N_BREAK:
    case N_GOTO:
        scan_jump(c, n);
        break;
    case N_FOR:
    case N_WHILE:
    case N_DO:
    case N_SWITCH:
        scan_breakable(c, n);
        return;
    case N_DECLARATION:
        if (specifiers_have(n->child[0], "static") || specifiers_have(n->child[0], "extern"))
            hinder(c, "a variable declared in it lives longer than it");
        break;
    case N_CALL:
        if (reduction_call(n, &op))
            hinder(c, "a reduction stands in it");
        else
            scan_call(c, n);
        return;
    case N_INDEX:
        if ((distributed_reference(n) || row_pointer(n)) && !has_parts(c->x, n) && !is_kept(c->x, n))
            vector_add(c->p->memory, c->chain, c->chains, c->chain_capacity, n);
        break;
    default:
        if (is_store(n)) {
            scan_store(c, n);
            return;
        }
        break;
    }
    scan_children(c, n);
}

/* ---- Clauses */

static void read_private(scan *c, node *n) {
    independent_loop *x = c->x;
    if (n->kind != N_NAME || !n->symbol || n->symbol->kind != SYMBOL_VARIABLE || n->symbol->array)
        diagnose(c->p->source, n, D_independent_name, "private", "", ast_quote(c->p->memory, c->p->source, n));
    else
        vector_add(c->p->memory, x->private, x->privates, x->private_capacity, n->symbol);
}

static void read_clause(scan *c, node *clause) {
    if (!strcmp(clause->name, "on") && !clause->op && clause->count == 1 && !c->x->on) {
        c->x->on = clause->child[0];
        return;
    }
    if (!strcmp(clause->name, "pipeline") && c->x->directive->made) {
        c->x->pipeline = clause->op;
        return;
    }
    if (!strcmp(clause->name, "carried") && c->x->directive->made) {
        const carried_scalar s = {.symbol = clause->child[0]->symbol, .behind = clause->op != NULL};
        vector_add(c->p->memory, c->x->carried, c->x->carrieds, c->x->carried_capacity, s);
        return;
    }
    if (!strcmp(clause->name, "kept") && c->x->directive->made) {
        symbol *s = clause->child[0]->symbol;
        const kept_elements k = {s, clause->op, fresh_name(c->p, arena_format(c->p->memory, "%s_kept", s->name))};
        vector_add(c->p->memory, c->x->keeps, c->x->keep_count, c->x->keep_capacity, k);
        return;
    }
    if (!strcmp(clause->name, "sums") && c->x->directive->made) {
        c->x->may_scan = true;
        return;
    }
    if (!strcmp(clause->name, "leaves") && c->x->directive->made) {
        c->x->left = fresh_name(c->p, "left");
        return;
    }
    if (!strcmp(clause->name, "last") && c->x->directive->made) {
        c->x->last_value = fresh_name(c->p, arena_format(c->p->memory, "%s_behind", clause->child[0]->name));
        return;
    }
    if (!strcmp(clause->name, "alone") && c->x->directive->made) {
        c->x->alone = true;
        return;
    }
    const bool reduces = !strcmp(clause->name, "reduction") && clause->op;
    if (!reduces && (strcmp(clause->name, "private") != 0 || clause->op)) {
        diagnose(c->p->source, clause, D_independent_clause, ast_quote(c->p->memory, c->p->source, clause));
        diagnose_help("the clauses are on(A[i]), private(t, ...) and reduction(+: s, ...)");
        return;
    }
    for (size_t k = 0; k < clause->count; k++)
        if (reduces)
            read_partial(c->p, c->x, clause, clause->child[k]);
        else
            read_private(c, clause->child[k]);
}

/* ---- Lowering */

/* A bound as a signed number, evaluated once, or for each value of the indices that it depends on. */
static linear bound_of(lowering *l, node *n) {
    int64_t value;
    if (mentions_index(l, n) && !l->loop->pipeline) return bound_by_indices(l, n);
    if (!constant_value(n, &value) && (!type_is_signed_integer(n->type) || needs_hoisting(n))) hoist(l, n);
    return linear_of(l->p->memory, l->p->source, n);
}

/* Whether indices occur in a bound only as its terms; in `1L + (i - 1u)` i does not. */
static bool has_indices_alone(const parallel *s, const linear *x) {
    for (int t = 0; t < x->terms; t++)
        if (bends_with_indices(s, &x->term[t])) return false;
    return true;
}

/* An index whose name is the variable's, or stands for a variable of another type where that matters. */
static loop_index new_index(const lowering *l, const loop_form *f) {
    const bool is_long =
        f->variable->type->element == ELEMENT_LONG || is_in_subscripts(l->loop->body, f->variable, l->loop->body);
    loop_index x = {.name = f->variable->name, .symbol = f->variable, .reduction = -1, .stride = linear_constant(1)};
    const char *wish = is_long ? NULL : arena_format(l->p->memory, "%s_value", f->variable->name);
    if (wish) x.name = fresh_name(l->p, wish);
    return x;
}

/* One that runs as the loop does, by 1. */
static void make_ordered_index(lowering *l, const loop_form *f) {
    loop_index x = new_index(l, f);
    const linear first = bound_of(l, f->lower);
    const linear last = linear_add(l->p->memory, bound_of(l, f->upper), linear_constant(f->beyond));
    x.lower = f->down ? last : first;
    x.upper = f->down ? first : last;
    x.descending = f->down;
    if (f->step && !f->down) x.stride = bound_of(l, f->step);
    append_index(l->p->memory, l->s, x);
}

static void make_index(lowering *l, const loop_form *f) {
    arena *a = l->p->memory;
    loop_index x = new_index(l, f);
    x.lower = bound_of(l, f->lower);
    x.upper = linear_add(a, bound_of(l, f->upper), linear_constant(f->beyond));
    if (f->step) x.stride = bound_of(l, f->step);
    int64_t value;
    const bool signed_step = f->step && constant_value(f->step, &value) && value < 0;
    if (f->down && !signed_step) x.stride = linear_subtract(a, linear_constant(0), x.stride);
    x.triangular = mentions_index(l, f->lower) || mentions_index(l, f->upper);
    x.box_linear = has_indices_alone(l->s, &x.lower) && has_indices_alone(l->s, &x.upper);
    append_index(a, l->s, x);
}

static bool was_hoisted(const node *n, const node *outer) {
    for (; n != outer; n = n->parent)
        if (n->replacement) return true;
    return false;
}

/* Whether a chain is the left side of an assignment; `read`: its old value counts too. */
static bool is_stored(const node *chain) {
    const node *n = chain, *above = chain->parent;
    while (above->kind == N_PAREN || (above->kind == N_MEMBER && above->child[0] == n) ||
           (above->kind == N_INDEX && above->child[0] == n))
        n = above, above = above->parent;
    return is_store(above) && above->child[0] == n;
}

/* Subscripts that are left out are those of the first element. */
static void complete(reference *r) {
    const array *a = r->array;
    for (int d = r->rank; d < a->rank; d++)
        r->subscript[d] =
            (subscript){.kind = SUBSCRIPT_INVARIANT, .index = -1, .offset = a->lower[d], .stride = linear_constant(0)};
    r->rank = a->rank;
}

static node *base_of(node *chain) {
    node *name = chain, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    return name;
}

/* Whether a pointer is made of the element, through which others of its row may be assigned. */
static bool is_row(const lowering *l, node *chain) {
    const node *above = chain->parent;
    while (above->kind == N_PAREN) above = above->parent;
    node *pointing = row_pointer(chain) ? chain : row_pointer((node *)above) == chain ? (node *)above : NULL;
    const array *a = pointing ? array_at(l->p, base_of(chain)) : NULL;
    if (a && may_be_distributed(a, a->rank - 1)) {
        diagnose(l->p->source, pointing, D_row_pointer, a->rank, a->symbol->name);
        diagnose_note(l->p->source, a->directive, "'%s' is distributed here", a->symbol->name);
    }
    return pointing != NULL;
}

static void make_references(lowering *l, const scan *c) {
    parallel *s = l->s;
    for (size_t k = 0; k < c->chains; k++) {
        if (was_hoisted(c->chain[k], c->x->body)) continue;
        reference r = make_reference(l, c->chain[k], false);
        r.guarded = true;
        r.stored = is_row(l, c->chain[k]) || is_stored(c->chain[k]);
        if (r.rank < r.array->rank) complete(&r);
        vector_add(l->p->memory, s->reference, s->references, s->reference_capacity, r);
    }
}

static bool spreads(const reference *r) {
    for (int d = 0; d < r->rank; d++)
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE && (may_be_distributed(r->array, d))) return true;
    return false;
}

/* Whether no condition stands around n in the body, and no jump leads past it; what an `if` asks is always evaluated.
 */
static bool is_unconditional(const program *p, const node *n, const node *body) {
    if (jumps_past(p, n, body)) return false;
    for (bool negated; n != body; n = n->parent) {
        const node *above = n->parent;
        if ((above->kind == N_IF || above->kind == N_SWITCH) && n != above->child[0]) return false;
        if (condition_at(above, n, &negated)) return false;
    }
    return true;
}

/* Whether a reference moves with the loop and has an owner in every iteration. */
static bool may_be_home(const lowering *l, const reference *r, const node *body) {
    if (!spreads(r)) return false;
    if (reference_in_bounds(l->p, l->s, r)) return true;
    return is_unconditional(l->p, r->node, body) &&
           (!reference_leaves(l->s, r) || certainty_of(l->p, r->node, body) == EXECUTED_ALWAYS);
}

/* Whether iterations that have no element of a reference would store nothing if that were home. */
static bool leaves_nothing(const lowering *l, const reference *r) {
    parallel at = copy_of_statement(l->p->memory, l->s);
    at.left = copy_of_reference(l->p->memory, r);
    return stores_inside(l->p, &at);
}

/* The first reference that may be home and is assigned, or read where the results are those of a reduction; else one
 * that is assigned under a condition, and inside as far as is known. */
static const reference *first_moving(const lowering *l, const node *body) {
    const parallel *s = l->s;
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].stored && may_be_home(l, &s->reference[k], body)) return &s->reference[k];
    for (size_t k = 0; s->loop->partials > 0 && k < s->references; k++)
        if (may_be_home(l, &s->reference[k], body)) return &s->reference[k];
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].stored && spreads(&s->reference[k]) &&
            (!reference_leaves(s, &s->reference[k]) || leaves_nothing(l, &s->reference[k])))
            return &s->reference[k];
    return NULL;
}

/* The reference whose owner executes: on(...), else one that moves with the loop. */
static void choose_on(lowering *l, scan *c) {
    parallel *s = l->s;
    node *on = c->x->on, *name, *subscripts[MAX_RANK];
    int count;
    const reference *first = on ? NULL : first_moving(l, c->x->body);
    if (first) {
        s->left = copy_of_reference(l->p->memory, first);
        s->left.guarded = false;
        return;
    }
    if (!on) {
        hinder(
            c,
            "it %s no distributed element that depends on '%s' and has an owner in every iteration, and has no on(...)",
            c->x->partials > 0 ? "assigns and reads" : "assigns", c->x->variable->name);
        return;
    }
    if (on->kind != N_INDEX || !index_chain(on, &name, subscripts, &count) || !name->symbol || !name->symbol->array ||
        section_count(on) > 0) {
        diagnose(l->p->source, on, D_independent_on, ast_quote(l->p->memory, l->p->source, on));
        return;
    }
    const array *a = name->symbol->array;
    s->left = make_reference(l, on, false);
    for (int d = s->left.rank; d < a->rank; d++)
        if (may_be_distributed(a, d))
            hinder(c, "dimension %d of '%s' is distributed, and has no subscript in on(...)", d + 1, a->symbol->name);
    complete(&s->left);
}

/* What has a meaning only where the loop is shared out. */
static void reject_ranks(const program *p, const node *n) {
    const node *chain = row_pointer((node *)n);
    if (chain && !row_stays(p, n, acts_alone)) diagnose(p->source, n, D_address_taken, base_of((node *)chain)->name);
    const bool call = n->kind == N_CALL && n->child[0]->kind == N_NAME && !n->child[0]->symbol;
    if (call && !strcmp(n->child[0]->name, "dpc_rank")) diagnose(p->source, n, D_rank_only_inside);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) reject_ranks(p, n->child[c]);
}

void run_everywhere(const program *p, const independent_loop *x, const char *why) {
    if (x->directive->made) {
        diagnose(p->source, x->loop, D_element_loop, why);
        return;
    }
    if (!p->serial) diagnose(p->source, x->directive, D_independent_everywhere, why);
    reject_ranks(p, x->loop);
}

static bool bounds_vary(const independent_loop *x, const loop_form *f) {
    return mentions_symbol(f->upper, f->variable) || varies(x, f->upper) || varies(x, f->lower) ||
           (f->step && (varies(x, f->step) || mentions_symbol(f->step, f->variable)));
}

/* Whether on(...) names the variable of this loop or of one in it, which stand in one another alone. */
static bool names_inner(const independent_loop *x, node *loop) {
    loop_form f;
    for (; x->on && loop && read_form(loop, &f); loop = loop_in(loop))
        if (mentions_symbol(x->on, f.variable)) return true;
    return false;
}

/* Whether the loop that is all of the body is shared out as well: on(...) says so, or, without it, its own directive.
 */
static bool is_shared_out(const scan *c, node *loop) {
    loop_form f;
    if (!loop || c->x->alone || c->x->loops == MAX_RANK || !read_form(loop, &f)) return false;
    return c->x->on ? names_inner(c->x, loop) : independent_directive(loop) != NULL;
}

/* The variables of loops that are shared out have values of their own already. */
static void drop_counters(independent_loop *x) {
    size_t kept = 0;
    for (size_t k = 0; k < x->privates; k++)
        if (!is_counter(x, x->private[k])) x->private[kept++] = x->private[k];
    x->privates = kept;
}

/* Loops that stand in one another: those of a pipeline, whose forms are known to be read, or those that are shared out.
 */
static void read_loops(scan *c, loop_form *f) {
    independent_loop *x = c->x;
    const int most = x->pipeline ? (int)strlen(x->pipeline) : MAX_RANK;
    x->innermost = x->loop;
    x->counter[x->loops++] = f[0].variable;
    for (node *n; x->loops < most && (n = loop_in(x->innermost)) && (x->pipeline || is_shared_out(c, n));) {
        node *directive = independent_directive(n);
        for (size_t k = 0; directive && k < directive->count; k++) read_clause(c, directive->child[k]);
        read_form(n, &f[x->loops]);
        x->innermost = n;
        x->counter[x->loops] = f[x->loops].variable;
        x->loops++;
    }
    x->body = x->innermost->child[3];
}

/* Whether the bounds of loop k, which depend on variables of loops around it, are evaluated for each of their values: a
 * variable that is declared elsewhere would have the last value behind them. */
static bool may_be_triangular(const independent_loop *x, int k, const loop_form *f) {
    int64_t step;
    const symbol *v = x->counter[k];
    return may_vary_as_bound(f->lower) && may_vary_as_bound(f->upper) && (!f->step || constant_value(f->step, &step)) &&
           v->declarator && node_holds(x->loop, v->declarator);
}

static void check_ranges(scan *c, const loop_form *f) {
    const independent_loop *x = c->x;
    const node *loop = x->loop;
    for (int k = 0; k < x->loops; k++, loop = loop_in((node *)loop)) {
        if (!f[k].down && !x->pipeline && type_is_long_unsigned(f[k].lower->type) &&
            !type_is_signed_integer(x->counter[k]->type) && may_begin_below_zero(c->p, loop, f[k].lower))
            hinder(c, "'%s' is unsigned, and begins at a difference, which may go round", x->counter[k]->name);
        if (bounds_vary(x, &f[k])) hinder(c, "its bounds may change while it runs");
        for (int j = 0; j < k && !x->pipeline; j++) {
            const bool depends =
                           mentions_symbol(f[k].upper, x->counter[j]) || mentions_symbol(f[k].lower, x->counter[j]),
                       steps = f[k].step && mentions_symbol(f[k].step, x->counter[j]);
            if (steps || (depends && !may_be_triangular(x, k, &f[k])))
                hinder(c, "the bounds of the loop over '%s' depend on '%s'", x->counter[k]->name, x->counter[j]->name);
        }
    }
}

bool lower_independent(program *p, node *loop) {
    node *directive = independent_directive(loop);
    loop_form f[MAX_RANK];
    if (!directive) return false;
    if (!read_form(loop, &f[0])) {
        diagnose(p->source, directive, D_independent_form);
        return false;
    }
    group *g = arena_alloc(p->memory, sizeof *g);
    parallel *s = arena_alloc(p->memory, sizeof *s);
    independent_loop *x = arena_alloc(p->memory, sizeof *x);
    *x = (independent_loop){.directive = directive, .loop = loop, .variable = f[0].variable};
    g->node = loop;
    g->hoisted.group = g;
    *s = (parallel){.kind = PARALLEL_INDEPENDENT,
                    .node = loop,
                    .hoisted = &g->hoisted,
                    .loop = x,
                    .op = "",
                    .placed.waits_for = -1};
    scan c = {.p = p, .x = x, .s = s};
    for (size_t k = 0; k < directive->count; k++) read_clause(&c, directive->child[k]);
    read_loops(&c, f);
    drop_counters(x);
    find_stores(&c, x->body);
    scan_node(&c, x->body);
    check_ranges(&c, f);
    if (c.obstacle) {
        run_everywhere(p, x, c.obstacle);
        return false;
    }
    lowering l = {.p = p, .s = s, .reduction = -1, .mask = -1, .loop = x};
    for (int k = 0; k < x->loops; k++) (x->pipeline ? make_ordered_index : make_index)(&l, &f[k]);
    l.guarded = true;
    make_references(&l, &c);
    choose_on(&l, &c);
    if (c.obstacle) {
        run_everywhere(p, x, c.obstacle);
        return false;
    }
    find_scan(p, s);
    if (x->keep_count > 0 && !x->scans) {
        run_everywhere(p, x,
                       arena_format(p->memory, "where '%s' is stored depends on '%s'", x->keeps[0].symbol->name,
                                    x->keeps[0].counter));
        return false;
    }
    vector_add(p->memory, g->action, g->actions, g->action_capacity, ((action){.mask = -1, .statement = s}));
    note_group(p, g);
    return true;
}

void check_directive_place(program *p, const node *directive) {
    const node *above = directive->parent;
    if (table_at(&p->proved, directive)) return; /* the loop is foralls and sums */
    for (size_t c = 0; above && c + 1 < above->count; c++)
        if (above->child[c] == directive && above->child[c + 1]->kind == N_FOR) return;
    diagnose(p->source, directive, D_independent_form);
}
