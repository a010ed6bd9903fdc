/* Pass "nests": parallel statements in place of a loop nest: a forall for each assignment to elements, a sum for each
 * scalar.  Their tokens are those of the nest, shared out in order; what has no tokens of its own is `made`. */
#include <string.h>

#include "../model/types.h"
#include "nests.h"

static node *made_node(const nest *x, node_kind kind, token_index at) {
    node *n = ast_new(x->p->memory, kind, at, at, 0, NULL);
    n->made = kind == N_CAST || kind == N_BINARY;
    return n;
}

static node *name_node(const nest *x, const char *name, symbol *s, const type *t, token_index at) {
    node *n = made_node(x, N_NAME, at);
    n->name = name;
    n->name_token = at;
    n->symbol = s;
    n->type = (type *)t;
    return n;
}

node *number_node(const nest *x, int64_t value, token_index at) {
    node *n = made_node(x, N_CONSTANT, at);
    n->name = arena_format(x->p->memory, "%lld", (long long)value);
    n->type = type_of_element(ELEMENT_INT);
    return n;
}

/* What ++ adds. */
static node *counted_node(const nest *x, token_index at) {
    node *n = number_node(x, 1, at);
    n->made = true;
    return n;
}

static node *cast_node(const nest *x, element to, node *value, token_index at) {
    node *n = made_node(x, N_CAST, at), *name = made_node(x, N_TYPE_NAME, at);
    node *specifiers = made_node(x, N_SPECIFIERS, at), *keyword = made_node(x, N_KEYWORD, at);
    keyword->name = element_spelling(to);
    ast_add(x->p->memory, specifiers, keyword);
    ast_add(x->p->memory, name, specifiers);
    ast_add(x->p->memory, n, name);
    ast_add(x->p->memory, n, value);
    n->name = element_spelling(to);
    n->type = type_of_element(to);
    return n;
}

/* Names of loop variables become those of the statement's indices. */
static void name_indices(const nest_statement *s, node *n) {
    for (int k = 0; k < s->loops; k++)
        if (n->kind == N_NAME && n->symbol == s->loop[k]->variable) n->symbol = s->loop[k]->index;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_indices(s, n->child[c]);
}

static node *copy_of(const nest *x, const node *n) {
    return clone_reached(x->p, n);
}

/* ---- Values with privates written out */

node *binary_node(const nest *x, const char *op, element of, node *left, node *right, token_index at) {
    node *n = made_node(x, N_BINARY, at);
    n->op = op;
    n->type = type_of_element(of);
    ast_add(x->p->memory, n, left);
    ast_add(x->p->memory, n, right);
    return n;
}

static node *written_out(const nest *x, int at, node *n, int depth);

/* The value of a private that statement `at` reads at a token, with its type. */
static node *value_of_private(const nest *x, int at, const nest_private *p, int depth, token_index where) {
    const int d = given_by(x, at, p->symbol);
    const nest_statement *s = &x->statement[d];
    const element to = p->symbol->type->element;
    node *value = s->value ? written_out(x, d, copy_of(x, s->value), depth) : number_node(x, 1, where);
    if (!s->value) value->made = true;
    if (strcmp(s->op, "=") != 0) {
        node *old = value_of_private(x, d, p, depth, where);
        const char *op = s->value ? arena_text(x->p->memory, s->op, strlen(s->op) - 1) : s->op[0] == '+' ? "+" : "-";
        value = binary_node(x, op, element_common(element_promoted(to), element_promoted(value->type->element)), old,
                            value, where);
    }
    if (value->type && value->type->kind == TYPE_ARITHMETIC && value->type->element == to) {
        node *inside = made_node(x, N_PAREN, where);
        inside->made = true;
        inside->type = value->type;
        ast_add(x->p->memory, inside, value);
        return inside;
    }
    return cast_node(x, to, value, where);
}

/* n, of which privates of inner loops than `depth` become their values. */
static node *written_out(const nest *x, int at, node *n, int depth) {
    const nest_private *p = n->kind == N_NAME ? private_of(x, n->symbol) : NULL;
    if (p && p->depth > depth) return value_of_private(x, at, p, depth, n->first);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) n->child[c] = written_out(x, at, n->child[c], depth);
    return n;
}

static int depth_of(const nest_statement *s) {
    return s->apart ? 0 : s->first_sum;
}

static node *value_of(const nest *x, const nest_statement *s) {
    return written_out(x, (int)(s - x->statement), s->value, depth_of(s));
}

/* ---- Conditions */

static node *condition_node(const nest *x, const nest_statement *s, const nest_condition *c) {
    node *n = written_out(x, c->statement, copy_of(x, c->node), depth_of(s));
    if (!c->negated) return n;
    node *zero = number_node(x, 0, n->first);
    zero->made = true;
    return binary_node(x, "==", ELEMENT_INT, n, zero, n->first);
}

static bool depends_on_sum(const nest_statement *s, const nest_condition *c) {
    if (!s->apart) return c->loops > s->first_sum;
    for (int k = 0; k < s->loops; k++)
        if (s->reduces[k] && (mentions_symbol(c->node, s->loop[k]->variable))) return true;
    return false;
}

/* The conditions that the sum is under, joined; NULL: there is none. */
static node *mask_of_sum(const nest *x, const nest_statement *s) {
    node *mask = NULL;
    for (int k = 0; k < s->conditions; k++) {
        if (s->kind != STATEMENT_SCALAR && !depends_on_sum(s, &s->condition[k])) continue;
        node *one = condition_node(x, s, &s->condition[k]);
        if (mask) one = binary_node(x, "&&", ELEMENT_INT, mask, one, s->loop[0]->loop->first + 1);
        mask = one;
    }
    return mask;
}

/* ---- Sums */

/* The type that values are added up in: as wide as the left side. */
static element type_of_sum(const nest_statement *s) {
    const element left = s->left->type->element;
    const element value = s->value ? element_promoted(s->value->type->element) : ELEMENT_INT;
    if (element_is_integer(left) && element_bytes(left) < 4) return ELEMENT_LONG;
    return element_common(left, value);
}

/* The type of an extreme: of no values at all it is the least or greatest of the variable, which it does not replace.
 */
static element type_of_extreme(const nest_statement *s, const node *value) {
    return element_common(element_promoted(value->type->element), element_promoted(s->left->type->element));
}

static node *range_node(const nest *x, const nest_loop *l, token_index at) {
    arena *a = x->p->memory;
    node *range = made_node(x, N_RANGE, at), *start = made_node(x, N_ASSIGN, at);
    start->op = "=";
    ast_add(a, start, name_node(x, l->index->name, l->index, l->index->type, at));
    ast_add(a, start, copy_of(x, l->lower));
    ast_add(a, range, start);
    ast_add(a, range, copy_of(x, l->upper));
    if (l->step > 1) ast_add(a, range, number_node(x, l->step, at));
    return range;
}

/* The at of `+=`, or the like, which nothing else is made of. */
static token_index operator_token(const nest_statement *s) {
    return s->assign->kind == N_UNARY ? s->assign->first : s->assign->child[0]->last + 1;
}

static node *sum_node(const nest *x, const nest_statement *s, bool place) {
    arena *a = x->p->memory;
    const token_index at = operator_token(s);
    const bool product = !strcmp(s->op, "*=");
    node *call = made_node(x, N_CALL, at), *mask = mask_of_sum(x, s);
    node *value = s->value && !s->flag ? value_of(x, s) : counted_node(x, at);
    if (place) value = copy_of(x, value);
    const element to = s->flag ? ELEMENT_LONG : s->extreme.relation ? type_of_extreme(s, value) : type_of_sum(s);
    const char *name = product ? "product" : "sum";
    if (s->extreme.relation) name = s->extreme.relation[0] == '>' ? "maxval" : "minval";
    if (place) name = s->extreme.relation[0] == '>' ? "maxloc" : "minloc";
    ast_add(a, call, name_node(x, name, NULL, NULL, at));
    for (int k = 0; k < s->loops; k++)
        if (s->reduces[k]) ast_add(a, call, range_node(x, s->loop[k], at));
    if (mask) ast_add(a, call, mask);
    if (element_promoted(value->type->element) != to) value = cast_node(x, to, value, at);
    ast_add(a, call, value);
    if (s->kind == STATEMENT_SCALAR) call->first = s->assign->first;
    call->last = s->value ? s->assign->last : at;
    operation op;
    call->type = reduction_call(call, &op) ? type_of_reduction(op, call) : NULL;
    return call;
}

/* ---- Statements */

static node *index_node(const nest *x, const nest_loop *l) {
    arena *a = x->p->memory;
    const token_index at = l->loop->first;
    node *n = made_node(x, N_FORALL_INDEX, at);
    n->name = l->index->name;
    n->name_token = l->variable->declarator ? l->variable->declarator->name_token : at;
    n->symbol = l->index;
    ast_add(a, n, copy_of(x, l->lower));
    ast_add(a, n, copy_of(x, l->upper));
    if (l->step > 1) ast_add(a, n, number_node(x, l->step, at));
    return n;
}

/* A node whose first child may be missing. */
static void add_optional(arena *a, node *parent, node *child) {
    ast_add(a, parent, child);
}

/* The statement that is an assignment, without the parentheses: of an operand of a comma a new one. */
static node *statement_of_assignment(const nest *x, node *assign) {
    node *n = assign->parent;
    while (n->kind == N_PAREN) n = n->parent;
    if (n->kind == N_EXPRESSION) {
        n->child[0] = assign;
        return n;
    }
    n = ast_new(x->p->memory, N_EXPRESSION, assign->first, assign->last, 0, NULL);
    ast_add(x->p->memory, n, assign);
    return n;
}

/* left op= value, as a statement. */
static node *assignment_node(const nest *x, nest_statement *s) {
    arena *a = x->p->memory;
    bool sums = false;
    for (int k = 0; k < s->loops; k++) sums = sums || s->reduces[k];
    node *assign = s->assign;
    if (sums || assign->kind != N_ASSIGN) {
        node *value = sums ? sum_node(x, s, false) : counted_node(x, operator_token(s));
        node *left = assign->child[0];
        assign->kind = N_ASSIGN;
        assign->op = s->op;
        assign->count = 0;
        assign->child = NULL;
        ast_add(a, assign, left);
        ast_add(a, assign, value);
        if (!assign->type) assign->type = left->type;
    } else if (s->apart) {
        assign->child[1] = value_of(x, s);
    }
    return statement_of_assignment(x, assign);
}

/* A forall over the loops that the statement does not add up over, under its conditions. */
static node *forall_node(const nest *x, nest_statement *s) {
    arena *a = x->p->memory;
    node *body = assignment_node(x, s), *n = NULL;
    bool sums = false;
    for (int k = 0; k < s->loops; k++) sums = sums || s->reduces[k];
    for (int k = s->conditions; k-- > 0;) {
        if (sums && depends_on_sum(s, &s->condition[k])) continue;
        node *under = ast_new(a, N_FORALL, s->loop[0]->loop->first, s->loop[0]->loop->last, 0, NULL);
        add_optional(a, under, condition_node(x, s, &s->condition[k]));
        ast_add(a, under, body);
        body = under;
    }
    n = body;
    if (body->kind != N_FORALL) {
        n = ast_new(a, N_FORALL, s->loop[0]->loop->first, s->loop[0]->loop->last, 0, NULL);
        add_optional(a, n, NULL);
        ast_add(a, n, body);
    }
    for (int k = 0; k < s->loops; k++)
        if (!s->reduces[k]) ast_add(a, n, index_node(x, s->loop[k]));
    return n;
}

/* Whether it adds up over all its loops. */
static bool adds_to_one(const nest_statement *s) {
    for (int k = 0; k < s->loops; k++)
        if (!s->reduces[k]) return false;
    return true;
}

/* m = extreme, at = place, as `if (extreme > m) ...`: an assignment with more children. ">|" and "<|" replace NaN, too.
 */
static node *extreme_node(const nest *x, nest_statement *s) {
    arena *a = x->p->memory;
    node *assign = s->assign, *left = s->left;
    node *extreme = sum_node(x, s, false), *place = s->extreme.at ? sum_node(x, s, true) : NULL;
    assign->op = !s->extreme.library ? s->extreme.relation : s->extreme.relation[0] == '>' ? ">|" : "<|";
    assign->count = 0;
    assign->child = NULL;
    ast_add(a, assign, left);
    ast_add(a, assign, extreme);
    if (place) ast_add(a, assign, place);
    if (place)
        ast_add(a, assign,
                name_node(x, s->extreme.at->name, (symbol *)s->extreme.at, s->extreme.at->type, assign->first));
    return statement_of_assignment(x, assign);
}

/* v = c, as `if (count > 0) v = c`: an assignment with another child. */
static node *flag_node(const nest *x, nest_statement *s) {
    arena *a = x->p->memory;
    node *assign = s->assign, *count = sum_node(x, s, false);
    assign->op = "?";
    assign->count = 0;
    assign->child = NULL;
    ast_add(a, assign, s->left);
    ast_add(a, assign, count);
    ast_add(a, assign, s->value);
    return statement_of_assignment(x, assign);
}

static node *single_node(const nest *x, nest_statement *s) {
    node *n = s->flag ? flag_node(x, s) : s->extreme.relation ? extreme_node(x, s) : assignment_node(x, s);
    n->made = true;
    return n;
}

/* ---- The forall that the nest becomes */

static nest_statement *statement_of(nest *x, const node *whole) {
    for (int k = 0; k < x->statements; k++)
        if (x->statement[k].whole == whole) return &x->statement[k];
    return NULL;
}

static node *block_node(const nest *x, const node *tokens) {
    return ast_new(x->p->memory, N_COMPOUND, tokens->first, tokens->last, 0, NULL);
}

static void add_to_block(const nest *x, node *block, node *n) {
    if (n) ast_add(x->p->memory, block, n);
}

void rename_symbol(node *n, const symbol *from, symbol *to) {
    if (n->kind == N_NAME && n->symbol == from) n->symbol = to;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) rename_symbol(n->child[c], from, to);
}

/* double t; in the body of a loop: its names there are its own. */
static node *declaration_node(const nest *x, const nest_private *p, node *inside, const node *tokens) {
    arena *a = x->p->memory;
    symbol *own = arena_alloc(a, sizeof *own);
    *own = *p->symbol;
    rename_symbol(inside, p->symbol, own);
    node *n = made_node(x, N_DECLARATION, tokens->first), *item = made_node(x, N_INIT_DECLARATOR, tokens->first);
    node *name = made_node(x, N_DECL_NAME, tokens->first);
    name->name = p->symbol->name;
    name->symbol = own;
    ast_add(a, item, name);
    ast_add(a, n, made_node(x, N_SPECIFIERS, tokens->first));
    ast_add(a, n, item);
    return n;
}

static bool is_sum_over(const nest_statement *s, const node *loop) {
    return s->live && !s->apart && s->first_sum < s->loops && s->loop[s->first_sum]->loop == loop;
}

static node *tree_node(nest *x, node *n);

/* The sums over a loop, as assignments in its place. */
static void add_sums(nest *x, const node *loop, node *block, int from, int to) {
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        if (!is_sum_over(s, loop) || s->place < from || s->place >= to) continue;
        add_to_block(x, block, assignment_node(x, s));
        name_indices(s, block->child[block->count - 1]);
    }
}

/* Places of what remains in the loop as a forall: *from is that of the first; false: nothing. */
static bool find_rest(const nest *x, const node *loop, int *from) {
    bool found = false;
    for (int k = 0; k < x->statements; k++) {
        const nest_statement *s = &x->statement[k];
        const bool rests = stays_together(s) || (s->kind == STATEMENT_PRIVATE && s->first_sum < s->loops);
        if (!s->live || s->apart || !rests || !node_holds(loop, s->whole) || is_sum_over(s, loop)) continue;
        if (!found || s->place < *from) *from = s->place;
        found = true;
    }
    return found;
}

static node *forall_of_loop(nest *x, const nest_loop *l) {
    arena *a = x->p->memory;
    node *loop = l->loop, *body = block_node(x, loop);
    node *inside = tree_node(x, loop->child[3]);
    for (int p = 0; p < x->privates && inside; p++)
        if (x->private[p].home == loop && !x->private[p].declared)
            add_to_block(x, body, declaration_node(x, &x->private[p], inside, loop));
    const size_t declared = body->count;
    add_to_block(x, body, inside);
    node *n = ast_new(a, N_FORALL, loop->first, loop->last, 0, NULL);
    add_optional(a, n, NULL);
    const bool perfect = declared == 0 && inside && inside->kind == N_FORALL && !inside->child[0];
    ast_add(a, n, perfect ? inside->child[1] : declared == 0 && inside ? inside : body);
    ast_add(a, n, index_node(x, l));
    for (size_t c = 2; perfect && c < inside->count; c++) ast_add(a, n, inside->child[c]);
    const nest_statement own = {.loop = {(nest_loop *)l}, .loops = 1};
    name_indices(&own, n);
    return n;
}

static node *loop_node(nest *x, node *n) {
    const nest_loop *l = loop_at(x, n);
    node *block = block_node(x, n);
    int from = 0;
    const bool rests = find_rest(x, n, &from);
    add_sums(x, n, block, 0, rests ? from : x->statements);
    if (rests) add_to_block(x, block, forall_of_loop(x, l));
    if (rests) add_sums(x, n, block, from, x->statements);
    return block->count == 0 ? NULL : block->count == 1 ? block->child[0] : block;
}

static node *tree_block(nest *x, node *n) {
    node *block = block_node(x, n);
    for (size_t c = 0; c < n->count; c++) add_to_block(x, block, tree_node(x, n->child[c]));
    return block->count == 0 ? NULL : block->count == 1 && block->child[0]->kind == N_FORALL ? block->child[0] : block;
}

static node *empty_node(const nest *x, const node *n) {
    return ast_new(x->p->memory, N_EMPTY, n->first, n->last, 0, NULL);
}

static node *tree_if(nest *x, node *n) {
    if (!statement_of(x, n)->live) return NULL;
    node *made = ast_new(x->p->memory, N_IF, n->first, n->last, 0, NULL), *then = tree_node(x, n->child[1]);
    node *otherwise = n->count > 2 && n->child[2] ? tree_node(x, n->child[2]) : NULL;
    ast_add(x->p->memory, made, n->child[0]);
    ast_add(x->p->memory, made, then ? then : empty_node(x, n));
    add_optional(x->p->memory, made, otherwise);
    return made;
}

/* What stays of an expression statement, or of an operand of its commas. */
static node *tree_expression(nest *x, node *n) {
    nest_statement *s = statement_of(x, n);
    node *inside = inside_parentheses(n->kind == N_EXPRESSION ? n->child[0] : n);
    if (inside->kind == N_COMMA) {
        node *block = block_node(x, n);
        for (int c = 0; c < 2; c++) add_to_block(x, block, tree_expression(x, inside->child[c]));
        return block->count == 0 ? NULL : block;
    }
    if (!s || s->apart || !s->live || s->first_sum < s->loops) return NULL;
    return s->kind == STATEMENT_ELEMENT ? assignment_node(x, s) : statement_of_assignment(x, s->assign);
}

/* What stays of a statement of the nest in the forall; NULL: nothing. */
static node *tree_node(nest *x, node *n) {
    if (n->kind == N_COMPOUND) return tree_block(x, n);
    if (n->kind == N_FOR) return loop_node(x, n);
    if (n->kind == N_IF) return tree_if(x, n);
    if (n->kind == N_DECLARATION) return declares_nothing(x->p, n) ? NULL : n;
    return n->kind == N_EXPRESSION ? tree_expression(x, n) : NULL;
}

/* ---- In place of the nest */

static bool keeps_order(const nest *x) {
    for (int k = 0; k < x->statements; k++)
        if (x->statement[k].early) return false;
    return true;
}

/* The nest's tokens are those of the parallel statements: each one's begin behind the one before. */
static void share_tokens(const nest *x, node **statement, const token_index *last, int count) {
    token_index first = x->root->first;
    for (int k = 0; k < count; k++) {
        statement[k]->first = first;
        statement[k]->last = k + 1 < count ? last[k] : x->root->last;
        first = statement[k]->last + 1;
    }
}

/* In another order than their tokens', each has those of what it was. */
static void keep_tokens(node **statement, node *const *own, int count) {
    for (int k = 0; k < count; k++) {
        statement[k]->first = own[k]->first;
        statement[k]->last = own[k]->last;
    }
}

static void put_below(const nest *x, node **statement, int statements) {
    node *n = statement[0];
    if (statements > 1) {
        n = ast_new(x->p->memory, N_COMPOUND, x->root->first, x->root->last, 0, NULL);
        n->made = true;
        for (int k = 0; k < statements; k++) ast_add(x->p->memory, n, statement[k]);
        ast_link(n);
    }
    replace_node(x->root, n);
}

/* What isl has excluded: the references of a statement, or of those that stay together (-1), to an array that the nest
 * stores into. */
static const char *words_of_proof(const nest *x, int statement) {
    arena *a = x->p->memory;
    text out;
    const char *sums = "";
    int named = 0;
    text_start(&out, a);
    for (int m = 0; m < x->statements; m++) {
        const nest_statement *s = &x->statement[m];
        for (int k = 0; k < s->loops; k++) {
            const char *name = s->loop[k]->variable->name;
            if (!s->reduces[k] || s->apart != (statement >= 0) || (statement >= 0 && m != statement)) continue;
            if (mentions_word(sums, name)) continue;
            sums = arena_format(a, "%s%s%s", sums, sums[0] ? ", " : "; values are combined over ", name);
        }
    }
    for (size_t k = 0; k < x->accesses; k++) {
        bool stored = false;
        if (x->access[k].statement < 0) continue;
        const nest_statement *of = &x->statement[x->access[k].statement];
        if (x->access[k].depth >= 0 || (statement >= 0 ? x->access[k].statement != statement : of->apart)) continue;
        for (size_t m = 0; m < x->accesses; m++) stored = stored || may_conflict(&x->access[m], &x->access[k]);
        const char *one = ast_quote(a, x->p->source, read_or_stored(&x->access[k]));
        if (!stored || mentions_word(text_of(&out), one) || strstr(text_of(&out), one)) continue;
        text_format(&out, "%s%s", named++ ? ", " : "", one);
    }
    return named
               ? arena_format(
                     a, "proved independent by isl: no iteration reads or stores %s after another one has stored it%s",
                     text_of(&out), sums)
               : arena_format(a, "proved independent by isl: nothing that it reads is stored%s", sums);
}

/* Variables of the loops, and privates, that are declared elsewhere and have no other use. */
static void note_unused(const nest *x, const symbol *v) {
    const node *f = function_around(x->root->parent);
    if (!mentions_symbol(f->child[2], v)) table_put(x->p->memory, &x->p->unused, v->declarator, (void *)v);
}

static node *apart_node(const nest *x, nest_statement *s) {
    node *n = adds_to_one(s) ? single_node(x, s) : forall_node(x, s);
    name_indices(s, n);
    return n;
}

/* The last token of what stays together. */
static token_index last_together(const nest *x) {
    token_index last = 0;
    for (int k = 0; k < x->statements; k++)
        if (stays_together(&x->statement[k])) last = x->statement[k].whole->last;
    return last;
}

/* The parallel statements in their order, with what is said of them. Those apart take copies of what they share with
 * the forall, so they are made first. */
static int make_statements(nest *x, node **statement, const char **proof, token_index *last, node **own) {
    int count = 0, together = -1;
    for (int at = 0; at < x->statements; at++)
        for (int k = 0; k < x->statements; k++) {
            nest_statement *s = &x->statement[k];
            if (!s->live || s->place != at || (!s->apart && together >= 0)) continue;
            if (!s->apart) together = count;
            last[count] = s->apart ? s->whole->last : last_together(x);
            own[count] = s->apart ? s->whole : x->root;
            proof[count] = words_of_proof(x, s->apart ? k : -1);
            statement[count++] = s->apart ? apart_node(x, s) : NULL;
        }
    if (together >= 0) statement[together] = loop_node(x, x->root);
    return count;
}

void rewrite_nest(nest *x) {
    node *statement[MOST_STATEMENTS], *own[MOST_STATEMENTS];
    const char *proof[MOST_STATEMENTS];
    token_index last[MOST_STATEMENTS];
    const int count = make_statements(x, statement, proof, last, own);
    const bool in_order = keeps_order(x);
    for (int k = 0; k < count; k++) {
        ast_link(statement[k]);
        table_put(x->p->memory, &x->p->proved, statement[k], (void *)proof[k]);
    }
    if (in_order)
        share_tokens(x, statement, last, count);
    else
        keep_tokens(statement, own, count);
    if (in_order && x->root->parent->kind == N_COMPOUND)
        replace_by_several(x->p->memory, x->root, statement, count);
    else
        put_below(x, statement, count);
    for (int k = 0; k < x->loops; k++)
        if (!node_holds(x->loop[k]->loop, x->loop[k]->variable->declarator)) note_unused(x, x->loop[k]->variable);
    for (int k = 0; k < x->privates; k++)
        if (!x->private[k].declared) note_unused(x, x->private[k].symbol);
    for (int k = 0; k < x->idles; k++) note_unused(x, x->idle[k]);
}
