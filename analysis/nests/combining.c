/* Pass "nests": loops whose iterations do nothing for one another but to add to the same elements, anywhere:
 *
 *     for (long i = 0; i < n; i++) count[key[i]] += weight[i];
 *
 * They are what `independent on(key[i]) reduction(+: count)` says, and get that directive. */
#include <string.h>

#include "../model/knowledge.h"
#include "../model/types.h"
#include "nests.h"

enum { MOST_RESULTS = 8, MOST_SHARED = 2 };

/* A variable or an array that the iterations combine values with. */
typedef struct {
    symbol *symbol;
    const char *op; /* "+", "*", "^", "|" or "&" */
    int uses;       /* left sides */
} combined_result;

typedef struct {
    const nest *nest;
    const program *p;
    node *loop;
    counting_loop counts[MOST_SHARED]; /* those that are shared out, from the outside inwards */
    int loops;
    combined_result result[MOST_RESULTS];
    int results;
    node *owner; /* an element that every iteration reads, and whose owner can execute it; NULL: none is found */
    node *other; /* one that exists in every iteration, whether that reads it or not; NULL */
    bool anyhow; /* there is one of either kind whose owner is known with any mapping of its array */
    bool often;  /* what is being read may be read in some iterations only, or in several ways */
    bool leaves; /* iterations may have ended before */
    bool reads_pointers; /* what may be any memory */
    bool failed;
} combining;

/* ---- Names */

static bool is_own(const combining *c, const symbol *s) {
    return s && s->kind == SYMBOL_VARIABLE && s->declarator && node_holds(c->loop, s->declarator);
}

static bool is_changeable(const symbol *s) {
    const node *n = s->declarator;
    while (n && n->kind != N_DECLARATION && n->kind != N_PARAMETER) n = n->parent;
    return n && !specifiers_are_volatile(n->child[0]) && !specifiers_have(n->child[0], "const");
}

bool may_be_result(const symbol *s) {
    const type *t = s->type;
    if (s->kind != SYMBOL_VARIABLE || !is_changeable(s) || !t) return false;
    if (s->array) return !s->array->is_template && s->array->element != ELEMENTS;
    if (t->kind == TYPE_ARRAY && (s->is_parameter || s->is_extern || !t->array || !t->array->child[2])) return false;
    while (t->kind == TYPE_ARRAY) t = t->of;
    return t->kind == TYPE_ARITHMETIC && t->element != ELEMENT_BOOL;
}

static combined_result *result_of(combining *c, symbol *s) {
    for (int k = 0; k < c->results; k++)
        if (c->result[k].symbol == s) return &c->result[k];
    if (c->results == MOST_RESULTS) return NULL;
    c->result[c->results] = (combined_result){.symbol = s};
    return &c->result[c->results++];
}

static int count_names(const node *n, const symbol *s) {
    int count = n->kind == N_NAME && n->symbol == s;
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k]) count += count_names(n->child[k], s);
    return count;
}

/* ---- What is read */

static int loop_of_counter(const combining *c, const symbol *s) {
    for (int k = 0; k < c->loops; k++)
        if (s == c->counts[k].variable) return k;
    return -1;
}

/* The shared loop of whose variable the subscript is c + s * it; -1: none. */
static int followed_loop(const combining *c, const node *n) {
    const linear x = linear_of(c->p->memory, c->p->source, n);
    if (x.terms != 1 || x.term[0].coefficient == 0 || !x.term[0].node) return -1;
    const node *of = inside_parentheses((node *)x.term[0].node);
    return of->kind == N_NAME ? loop_of_counter(c, of->symbol) : -1;
}

/* Whether n is made of what iterations of the shared loops have for themselves. */
static bool mentions_own(const combining *c, const node *n) {
    if (n->kind == N_NAME && is_own(c, n->symbol) && loop_of_counter(c, n->symbol) < 0) return true;
    for (size_t k = 0; k < n->count; k++)
        if (n->child[k] && mentions_own(c, n->child[k])) return true;
    return false;
}

/* An element, or the row of one, whose owner is known from the shared loops' variables alone; NULL: it is not. */
static node *with_owner(const combining *c, node *chain) {
    const array *a = distributed_reference(chain);
    node *name, *subscripts[MAX_RANK];
    int count;
    unsigned followed = 0, whole = 0; /* whole: by dimensions that are not divided */
    if (!a || !index_chain(chain, &name, subscripts, &count) || count != a->rank) return NULL;
    for (int d = 0; d < count; d++) {
        int64_t value;
        const int k = followed_loop(c, subscripts[d]);
        const bool divided = may_be_distributed(a, d);
        if (divided && (k >= 0 ? followed >> k & 1 : !constant_value(subscripts[d], &value))) return NULL;
        if (k >= 0) *(divided ? &followed : &whole) |= 1u << k;
    }
    if (!followed || (followed | whole) != (1u << c->loops) - 1) return NULL;
    for (; mentions_own(c, chain); chain = inside_parentheses(chain->child[0]))
        if (chain->kind != N_INDEX || may_be_distributed(a, --count)) return NULL;
    return chain;
}

/* Whether with_owner finds one whatever dimensions of the array are divided. */
static bool has_owner_anyhow(const combining *c, node *chain) {
    const array *a = distributed_reference(chain);
    node *name, *subscripts[MAX_RANK];
    int count;
    unsigned followed = 0;
    if (!a || !index_chain(chain, &name, subscripts, &count) || count != a->rank) return false;
    for (int d = 0; d < count; d++) {
        const int k = followed_loop(c, subscripts[d]);
        if (k < 0 || followed >> k & 1) return false;
        followed |= 1u << k;
    }
    return followed == (1u << c->loops) - 1;
}

/* Whether the ranges of the shared loops show that it is in its array. */
static bool is_in_bounds(const combining *c, node *chain) {
    independent_loop loops = {.loop = c->loop, .loops = c->loops};
    const node *body = c->loop;
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    for (int k = 0; k < c->loops; k++) {
        loops.counter[k] = (symbol *)c->counts[k].variable;
        body = k ? sole_statement(body->child[3]) : body;
    }
    for (int d = 0; d < count; d++)
        if (!element_in_bounds(c->p, &loops, body->child[3], name->symbol->array, subscripts[d], d)) return false;
    return true;
}

static void read(combining *c, node *n);

static void read_children(combining *c, node *n, size_t from) {
    for (size_t k = from; k < n->count; k++)
        if (n->child[k]) read(c, n->child[k]);
}

/* Operands that C evaluates only sometimes. */
static void read_sometimes(combining *c, node *n) {
    const bool often = c->often;
    read(c, n->child[0]);
    c->often = true;
    read_children(c, n, 1);
    c->often = often;
}

static void read_element(combining *c, node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    const bool distributed = distributed_reference(n) != NULL;
    if (first_section(n) || !index_chain(n, &name, subscripts, &count)) {
        c->failed = true;
        return;
    }
    node *chain = distributed && !c->owner ? with_owner(c, n) : NULL;
    if (chain && !c->often && !c->leaves)
        c->owner = chain;
    else if (chain && !c->other && is_in_bounds(c, chain))
        c->other = chain;
    if (distributed && !c->anyhow && has_owner_anyhow(c, n))
        c->anyhow = (!c->often && !c->leaves) || is_in_bounds(c, n);
    if (!distributed && (name->kind != N_NAME || !name->symbol || !name->symbol->type ||
                         name->symbol->type->kind != TYPE_ARRAY || name->symbol->is_parameter))
        c->reads_pointers = true;
    if (name->kind != N_NAME) read(c, name);
    for (int d = 0; d < count; d++) read(c, subscripts[d]);
}

/* Calls of mathematical functions. */
static void read_call(combining *c, node *n) {
    const node *f = n->child[0];
    if (f->kind != N_NAME || f->symbol || library_function_result(f->name) == ELEMENTS) c->failed = true;
    read_children(c, n, 1);
}

static void read(combining *c, node *n) {
    const bool sometimes =
        n->kind == N_CONDITIONAL || (n->kind == N_BINARY && (!strcmp(n->op, "&&") || !strcmp(n->op, "||")));
    switch ((int)n->kind) {
    case N_NAME:
    case N_CONSTANT:
        return;
    case N_INDEX:
        read_element(c, n);
        return;
    case N_CALL:
        read_call(c, n);
        return;
    case N_CAST:
        read_children(c, n, 1);
        return;
    case N_MEMBER:
        c->reads_pointers = c->reads_pointers || !strcmp(n->op, "->");
        read_children(c, n, 0);
        return;
    case N_PAREN:
    case N_BINARY:
    case N_CONDITIONAL:
        if (sometimes)
            read_sometimes(c, n);
        else
            read_children(c, n, 0);
        return;
    case N_UNARY:
        if (!strchr("+-!~", n->op[0]) || n->op[1]) c->failed = true;
        read_children(c, n, 0);
        return;
    default:
        c->failed = true;
    }
}

/* ---- What is done */

const char *combining_operator_of(const node *assign) {
    static const char *const row[][2] = {{"+=", "+"}, {"-=", "+"}, {"*=", "*"}, {"^=", "^"}, {"|=", "|"}, {"&=", "&"}};
    if (assign->kind != N_ASSIGN) return "+";
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (!strcmp(assign->op, row[k][0])) return row[k][1];
    return NULL;
}

/* Whether each addition rounds what is stored: of floating-point values to whole numbers. */
static bool cuts_values(const node *assign) {
    const type *left = assign->child[0]->type, *value = assign->kind == N_ASSIGN ? assign->child[1]->type : NULL;
    return left && value && left->kind == TYPE_ARITHMETIC && value->kind == TYPE_ARITHMETIC &&
           element_is_integer(left->element) && !element_is_integer(value->element);
}

static void combine(combining *c, node *assign, node *name, bool is_element) {
    symbol *s = name->symbol;
    const char *op = cuts_values(assign) ? NULL : combining_operator_of(assign);
    combined_result *r = s && op && may_be_result(s) ? result_of(c, s) : NULL;
    if (!r || loop_of_counter(c, s) >= 0 || (r->uses > 0 && strcmp(r->op, op) != 0) ||
        is_element != (s->array || s->type->kind == TYPE_ARRAY)) {
        c->failed = true;
        return;
    }
    r->op = op;
    r->uses++;
}

static void take_store(combining *c, node *n) {
    node *left = inside_parentheses(n->child[0]), *name, *subscripts[MAX_RANK];
    int count;
    if (left->kind == N_NAME && !is_own(c, left->symbol)) {
        combine(c, n, left, false);
    } else if (left->kind == N_INDEX && !first_section(left) && index_chain(left, &name, subscripts, &count) &&
               name->kind == N_NAME) {
        combine(c, n, name, true);
        for (int d = 0; d < count; d++) read(c, subscripts[d]);
    } else if (left->kind != N_NAME || loop_of_counter(c, left->symbol) >= 0) {
        c->failed = true;
    }
    if (n->kind == N_ASSIGN) read(c, n->child[1]);
}

static void take_expression(combining *c, node *n) {
    n = n ? inside_parentheses(n) : NULL;
    if (n && n->kind == N_COMMA) {
        take_expression(c, n->child[0]);
        take_expression(c, n->child[1]);
    } else if (n && is_store(n)) {
        take_store(c, n);
    } else {
        c->failed = true;
    }
}

static void take_declaration(combining *c, node *n) {
    if (specifiers_have(n->child[0], "static") || specifiers_have(n->child[0], "extern")) c->failed = true;
    for (size_t k = 1; k < n->count; k++) {
        node *item = n->child[k];
        if (item->kind != N_INIT_DECLARATOR || item->child[0]->kind != N_DECL_NAME)
            c->failed = true;
        else if (item->count > 1 && item->child[1])
            read(c, item->child[1]);
    }
}

static void take(combining *c, node *n);

static void take_sometimes(combining *c, node *n, size_t from) {
    const bool often = c->often;
    c->often = true;
    for (size_t k = from; k < n->count; k++)
        if (n->child[k]) take(c, n->child[k]);
    c->often = often;
}

/* Whether constants show that the loop has iterations. */
static bool has_iterations(const counting_loop *l) {
    int64_t first, limit;
    if (!constant_value(l->first, &first) || !constant_value(l->limit, &limit)) return false;
    return (l->inclusive && first == limit) || (l->step > 0 ? first < limit : first > limit);
}

/* Whether only its head changes the variable, which does not go round. */
static bool counts_safely(const combining *c, node *loop, const counting_loop *l) {
    return counts_undisturbed(loop, l) || (changes_in_head_only(loop, l) && counts_as_numbers(c->nest, loop));
}

static void take_loop(combining *c, node *n) {
    counting_loop inner;
    if (!counting_loop_of(n, &inner) || !is_own(c, inner.variable) || !counts_safely(c, n, &inner)) {
        c->failed = true;
        return;
    }
    read(c, (node *)inner.first);
    read(c, (node *)inner.limit);
    if (has_iterations(&inner))
        take(c, n->child[3]);
    else
        take_sometimes(c, n, 3);
}

static void take(combining *c, node *n) {
    switch ((int)n->kind) {
    case N_COMPOUND:
        for (size_t k = 0; k < n->count; k++) take(c, n->child[k]);
        return;
    case N_EMPTY:
    case N_CONTINUE:
        c->leaves = c->leaves || n->kind == N_CONTINUE;
        return;
    case N_DECLARATION:
        take_declaration(c, n);
        return;
    case N_IF:
        read(c, n->child[0]);
        take_sometimes(c, n, 1);
        return;
    case N_FOR:
        take_loop(c, n);
        return;
    case N_EXPRESSION:
        take_expression(c, n->count > 0 ? n->child[0] : NULL);
        return;
    default:
        c->failed = true;
    }
}

bool is_floating_result(const symbol *s) {
    const type *t = s->type;
    while (t && t->kind == TYPE_ARRAY) t = t->of;
    return s->array ? s->array->element < ELEMENTS && !element_is_integer(s->array->element) : is_floating(t);
}

static bool has_floating_results(const combining *c) {
    for (int k = 0; k < c->results; k++)
        if (is_floating_result(c->result[k].symbol)) return true;
    return false;
}

/* --reproducible: exact sums are formed where they would be with any mapping; products never are. */
static bool forms_exact_sums(const combining *c) {
    for (int k = 0; k < c->results; k++)
        if (is_floating_result(c->result[k].symbol) && (!c->anyhow || c->result[k].op[0] == '*')) return false;
    return true;
}

/* Whether nothing else is done with the results, and no pointer may lead to them. Scalars alone are sums of foralls, if
 * they are sums. */
static bool results_stand_alone(const combining *c) {
    bool elements = false;
    if (c->p->reproducible && !forms_exact_sums(c)) return false;
    for (int k = 0; k < c->results; k++) {
        const symbol *s = c->result[k].symbol;
        if (count_names(c->loop, s) != c->result[k].uses || (c->reads_pointers && !s->array)) return false;
        if (may_be_pointed_at(c->p, c->loop, s)) return false;
        elements = elements || s->array || s->type->kind == TYPE_ARRAY || strchr("^|&", c->result[k].op[0]);
    }
    return elements;
}

/* ---- The directive */

static node *made(const nest *x, node_kind kind, const char *name) {
    node *n = ast_new(x->p->memory, kind, x->root->first, x->root->first, 0, NULL);
    n->name = name;
    n->made = true;
    return n;
}

node *independent_on(const nest *x, const node *chain) {
    node *directive = made(x, N_INDEPENDENT, NULL), *on = made(x, N_CLAUSE, "on");
    return ast_add(x->p->memory, directive, ast_add(x->p->memory, on, clone_reached(x->p, chain)));
}

void add_clause(const nest *x, node *directive, const char *name, const char *op, symbol *entry) {
    node *clause = made(x, N_CLAUSE, name), *n = entry ? made(x, N_NAME, entry->name) : NULL;
    clause->op = op;
    if (n) {
        n->symbol = entry;
        n->type = entry->type;
        n->name_token = x->root->first;
        ast_add(x->p->memory, clause, n);
    }
    ast_add(x->p->memory, directive, clause);
}

static const char *words_of(const nest *x, const combining *c) {
    text out;
    text_start(&out, x->p->memory);
    text_add(&out, "proved independent: iterations only combine values with");
    for (int k = 0; k < c->results; k++) {
        const symbol *s = c->result[k].symbol;
        const bool is_array = s->array || s->type->kind == TYPE_ARRAY;
        text_format(&out, "%s %s'%s'", k ? "," : "", is_array ? "elements of " : "", s->name);
    }
    return text_of(&out);
}

/* Gives the nest a block of its own. */
static void put_in_block(const nest *x) {
    node *block = made(x, N_COMPOUND, NULL);
    block->last = x->root->last;
    replace_node(x->root, block);
    ast_add(x->p->memory, block, x->root);
    x->root->parent = block;
}

void put_directive(const nest *x, node *directive, const char *words) {
    if (x->root->parent->kind != N_COMPOUND) put_in_block(x);
    node *above = x->root->parent;
    ast_link(directive);
    ast_add(x->p->memory, above, directive);
    directive->parent = above;
    for (size_t k = above->count - 1; k > 0; k--) {
        above->child[k] = above->child[k - 1];
        above->child[k - 1] = directive;
        if (above->child[k] == x->root) break;
    }
    table_put(x->p->memory, &x->p->proved, x->root, (void *)words);
}

static void declare_independent(const nest *x, const combining *c) {
    node *directive = independent_on(x, c->owner);
    for (int k = 0; k < c->results; k++) add_clause(x, directive, "reduction", c->result[k].op, c->result[k].symbol);
    put_directive(x, directive, words_of(x, c));
}

/* A loop that is shared out, the next one inside those that are; false: it is no such loop. */
static bool add_loop(combining *c, node *loop) {
    counting_loop *counts = &c->counts[c->loops];
    if (!counting_loop_of(loop, counts) || !counts_safely(c, loop, counts)) return false;
    if (type_is_long_unsigned(counts->variable->type) && counts->step > 0 &&
        may_begin_below_zero(c->p, loop, counts->first))
        return false;
    if (c->loops > 0 && (!is_own(c, counts->variable) || mentions_symbol(counts->first, c->counts[0].variable) ||
                         mentions_symbol(counts->limit, c->counts[0].variable)))
        return false;
    read(c, (node *)counts->first);
    read(c, (node *)counts->limit);
    c->owner = c->other = NULL;
    c->anyhow = false;
    c->loops++;
    return true;
}

/* Takes so many loops, one directly inside the other, as those that are shared out. */
static bool take_loops(const nest *x, int loops, bool sums) {
    combining c = {.nest = x, .p = x->p, .loop = x->root};
    node *loop = x->root;
    for (int k = 0; k < loops; k++) {
        if (k > 0) loop = (node *)sole_statement(loop->child[3]);
        if (!loop || loop->kind != N_FOR || !add_loop(&c, loop)) return false;
    }
    take(&c, loop->child[3]);
    if (!c.owner) c.owner = c.other;
    if (c.failed || !c.owner || (sums && !has_floating_results(&c)) || !results_stand_alone(&c)) return false;
    declare_independent(x, &c);
    return true;
}

bool take_combining(const nest *x, bool sums) {
    for (int loops = 1; loops <= MOST_SHARED; loops++)
        if (take_loops(x, loops, sums)) return true;
    return false;
}
