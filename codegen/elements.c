/* Single elements outside parallel statements. */
#include <string.h>

#include "emitter.h"

/* ---- Elements in expressions, which every process evaluates */

const char *index_list(emitter *e, node **subscripts, int count) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < count; d++) {
        const char *at = emit_node(e, subscripts[d]);
        text_format(&out, subscripts[d]->kind == N_COMMA ? "%s(%s)" : "%s%s", d ? ", " : "", at);
    }
    return text_of(&out);
}

const char *element_get(emitter *e, node *n, const array *a, node **subscripts) {
    return arena_format(e->memory, "dpc_get(%s, %s, %s, %s)", element_spelling(a->element), a->address,
                        place_literal(e, n), index_list(e, subscripts, a->rank));
}

const char *row_get(emitter *e, node *n, const array *a, node **subscripts, int count) {
    return arena_format(e->memory, "dpc_row(%s, %s, %s, %s)", element_spelling(a->element), a->address,
                        place_literal(e, n), index_list(e, subscripts, count));
}

/* The end of the literal of characters that begins at s. */
static const char *behind_quotes(const char *s) {
    const char quote = *s++;
    while (*s && *s != quote) s += *s == '\\' && s[1] ? 2 : 1;
    return *s ? s + 1 : s;
}

/* Whether the preprocessor takes a text for several arguments: a comma that stands in no parentheses, as in
 * (struct point){1, 2}. */
static bool has_bare_comma(const char *s) {
    int depth = 0;
    while (*s) {
        if (*s == ',' && depth == 0) return true;
        depth += (*s == '(') - (*s == ')');
        s = *s == '"' || *s == '\'' ? behind_quotes(s) : s + 1;
    }
    return false;
}

static const char *macro_argument(emitter *e, const char *s) {
    return has_bare_comma(s) ? arena_format(e->memory, "(%s)", s) : s;
}

static const char *element_set(emitter *e, node *n, const array *a, const char *value, const char *index) {
    return arena_format(e->memory, "dpc_set(%s, %s, %s, %s, %s)", element_spelling(a->element), a->address,
                        place_literal(e, n), macro_argument(e, value), index);
}

static bool has_effect(const node *n) {
    if (is_store(n) || n->kind == N_CALL) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_effect(n->child[c])) return true;
    return false;
}

/* A[k] op= v: reads, computes, stores.  Subscripts with effects are evaluated once. */
static void rewrite_update(emitter *e, node *n, node *left, const char *pattern, const char *operand) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(left, &name, subscripts, &count);
    const array *a = name->symbol->array;
    const char *ctype = element_spelling(a->element), *place = place_literal(e, n);
    const char *index = index_list(e, subscripts, count);
    bool once = false;
    for (int d = 0; d < count; d++) once = once || has_effect(subscripts[d]);
    text out;
    text_start(&out, e->memory);
    if (once) {
        text_add(&out, "({ ");
        text_format(&out, "const dpc_index \1at[] = {%s}; ", index);
        index = "";
        for (int d = 0; d < count; d++) index = arena_format(e->memory, "%s%s\1at[%d]", index, d ? ", " : "", d);
    }
    const char *old = arena_format(e->memory, "dpc_get(%s, %s, %s, %s)", ctype, a->address, place, index);
    text_add(&out, element_set(e, n, a, arena_format(e->memory, pattern, old, operand), index));
    if (once) text_add(&out, "; })");
    replace(e, n, text_of(&out));
}

/* ---- Members of elements */

/* What is stored, with this text for the element. */
static const char *member_text(emitter *e, node *member, const node *chain, const char *element_text) {
    replace(e, chain, element_text);
    return emit_node(e, member);
}

/* Every process evaluates the subscripts in the member, once. */
static void save_member_subscripts(emitter *e, text *out, node *member, const node *chain) {
    int64_t value;
    int saved = 0;
    for (node *n = inside_parentheses(member); n != chain; n = inside_parentheses(n->child[0])) {
        if (n->kind != N_INDEX || constant_value(n->child[1], &value)) continue;
        const char *name = arena_format(e->memory, "\1part%d", ++saved);
        text_format(out, "const long %s = %s; ", name, expression(e, n->child[1]));
        replace(e, n->child[1], name);
    }
}

/* "const double \1stored = value; " */
static void save_value(emitter *e, text *out, const char *name, const type *t, const char *value) {
    const char *ctype = t ? value_ctype(t) : NULL;
    text_format(out, "const %s %s = %s; ", ctype ? ctype : arena_format(e->memory, "__typeof__(%s)", value), name,
                value);
}

/* A[k].x op= v, A[k].n++: the owner of A[k] computes; v is the same on every process. */
static void rewrite_member_store(emitter *e, node *n, node *chain) {
    node *name, *subscripts[MAX_RANK], *member = n->child[0];
    int count;
    index_chain(chain, &name, subscripts, &count);
    const array *a = name->symbol->array;
    if (n->kind == N_ASSIGN) rewrite(e, n->child[1]);
    for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
    const char *ctype = element_spelling(a->element), *place = place_literal(e, n);
    const char *index = index_list(e, subscripts, count), *at = "";
    for (int d = 0; d < count; d++) at = arena_format(e->memory, "%s%s\1at[%d]", at, d ? ", " : "", d);
    text out;
    text_start(&out, e->memory);
    text_format(&out, "({ const dpc_index \1at[] = {%s}; ", index);
    save_member_subscripts(e, &out, member, chain);
    if (n->kind == N_ASSIGN) save_value(e, &out, "\1stored", n->child[1]->type, emit_node(e, n->child[1]));
    const char *read = arena_format(e->memory, "dpc_get(%s, %s, %s, %s)", ctype, a->address, place, at);
    const bool used = is_value_used(n), before = used && n->kind == N_POSTFIX;
    const char *old = member_text(e, member, chain, read);
    if (before) save_value(e, &out, "\1old", member->type, old);
    const char *here = member_text(
        e, member, chain, arena_format(e->memory, "dpc_element(%s, %s, %s, %s)", ctype, a->address, place, at));
    text_format(&out, "if (dpc_stores(%s, %s, %s)) %s %s%s;", a->address, place, at, here,
                n->kind == N_ASSIGN ? n->op : "", n->kind == N_ASSIGN ? " \1stored" : n->op);
    if (used) text_format(&out, " %s;", before ? "\1old" : old);
    text_add(&out, " })");
    replace(e, n, text_of(&out));
}

void rewrite_assignment(emitter *e, node *n) {
    node *chain = element_around(n->child[0]);
    if (chain != inside_parentheses(n->child[0])) {
        rewrite_member_store(e, n, chain);
        return;
    }
    node *left = inside_parentheses(n->child[0]), *name, *subscripts[MAX_RANK];
    int count;
    rewrite(e, n->child[1]);
    index_chain(left, &name, subscripts, &count);
    for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
    const char *value = emit_node(e, n->child[1]);
    if (!strcmp(n->op, "=")) {
        replace(e, n, element_set(e, n, name->symbol->array, value, index_list(e, subscripts, count)));
        return;
    }
    const char *op = arena_text(e->memory, n->op, strlen(n->op) - 1);
    rewrite_update(e, n, left, arena_format(e->memory, "%%s %s%s %%s", op, op[0] == '%' ? "%" : ""),
                   parenthesise(e, value));
}

void rewrite_step(emitter *e, node *n) {
    node *chain = element_around(n->child[0]);
    if (chain != inside_parentheses(n->child[0])) {
        rewrite_member_store(e, n, chain);
        return;
    }
    node *left = inside_parentheses(n->child[0]), *name, *subscripts[MAX_RANK];
    int count;
    index_chain(left, &name, subscripts, &count);
    for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
    bool up = !strcmp(n->op, "++");
    if (n->kind != N_POSTFIX || !is_value_used(n)) {
        rewrite_update(e, n, left, up ? "%s + %s" : "%s - %s", "1");
        return;
    }
    const array *a = name->symbol->array;
    const char *ctype = element_spelling(a->element), *place = place_literal(e, n);
    const char *tuple = "";
    for (int d = 0; d < count; d++) tuple = arena_format(e->memory, "%s%s\1at[%d]", tuple, d ? ", " : "", d);
    replace(e, n,
            arena_format(e->memory,
                         "({ const dpc_index \1at[] = {%s}; const %s \1old = dpc_get(%s, %s, %s, %s); %s; \1old; })",
                         index_list(e, subscripts, count), ctype, ctype, a->address, place, tuple,
                         element_set(e, n, a, up ? "\1old + 1" : "\1old - 1", tuple)));
}

/* ---- Statements that an element's owner executes */

/* dpc_element(double, &A_dist, "file:line", k) */
static const char *element_here(emitter *e, const reference *r) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(r->node, &name, subscripts, &count);
    return arena_format(e->memory, "dpc_element(%s, %s, %s, %s)", element_spelling(r->array->element),
                        r->array->address, place_literal(e, r->node), index_list(e, subscripts, count));
}

const char *owned_text(emitter *e, const reference *r) {
    return r->placed.buffer ? r->placed.buffer : element_here(e, r);
}

static const char *left_index(emitter *e, const owner_statement *s) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(s->left.node, &name, subscripts, &count);
    for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
    return index_list(e, subscripts, count);
}

static bool is_brought_before(const owner_statement *s, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (s->operand[j].placed.buffer == s->operand[k].placed.buffer) return true;
    return false;
}

/* Sends the operands that other processes may own to the process `owner`. */
static void emit_bringing(emitter *e, text *out, const owner_statement *s, const char *owner, const char *indent) {
    for (size_t k = 0; k < s->operands; k++) {
        const reference *r = &s->operand[k];
        node *name, *subscripts[MAX_RANK];
        int count;
        if (r->placed.relation == RELATION_LOCAL) continue;
        if (is_brought_before(s, k)) continue;
        index_chain(r->node, &name, subscripts, &count);
        for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
        const char *ctype = element_spelling(r->array->element);
        text_format(out, "%sconst %s %s = dpc_bring(%s, %s, %s, %s, %s);\n", indent, ctype, r->placed.buffer, ctype,
                    r->array->address, place_literal(e, r->node), owner, index_list(e, subscripts, count));
    }
}

/* The store, as the owner executes it. */
static const char *store_text(emitter *e, const owner_statement *s) {
    node *stored = inside_parentheses(s->store->child[0]);
    const char *left = stored == s->left.node ? owned_text(e, &s->left) : expression(e, stored), *op = s->store->op;
    if (s->store->kind != N_ASSIGN) return arena_format(e->memory, "%s%s", left, op);
    return arena_format(e->memory, "%s %s %s", left, op, expression(e, s->store->child[1]));
}

/* Whether this process has the element that is stored, or a copy of it. */
static const char *stores_text(emitter *e, const owner_statement *s, const char *process, const char *index) {
    if (may_have_copies(s->left.array))
        return arena_format(e->memory, "dpc_keeps(%s, %s)", s->left.array->address, index);
    return arena_format(e->memory, "%s == dpc_rank()", process);
}

/* The store under its condition, in one line where both fit into it. */
static void add_store(emitter *e, text *out, const char *indent, const char *condition, const char *store) {
    const char *one = arena_format(e->memory, "%sif (%s) %s;", indent, condition, store);
    if (printed_length(one, strlen(one)) <= LINE_WIDTH && !strchr(one, '\n'))
        text_format(out, "%s\n", one);
    else
        text_format(out, "%sif (%s)\n%s%s;\n", indent, condition, deeper(e, indent), store);
}

/* What the text of such a statement is made of. */
typedef struct {
    const char *indent, *index, *comment, *agreement;
} owner_text;

/* The statement in which other processes' elements are read. */
static void add_bringing_statement(emitter *e, text *out, const owner_statement *s, const owner_text *x) {
    const char *inside = deeper(e, x->indent), *process = arena_format(e->memory, "\1%s_process", s->left.symbol->name);
    const char *stored =
        arena_format(e->memory, "%s, %s, %s)", s->left.array->address, place_literal(e, s->store), x->index);
    if (*x->agreement)
        text_format(out, "%s{\n%s%s%s%s\n%sconst int %s = dpc_storing_process(%s;\n", x->indent, inside, x->agreement,
                    inside, x->comment, inside, process, stored);
    else
        text_format(out, "%sDPC_BY_OWNER(%s, %s { %s\n", x->indent, process, stored, x->comment);
    emit_bringing(e, out, s, process, inside);
    add_store(e, out, inside, stores_text(e, s, process, x->index), store_text(e, s));
    text_format(out, "%s}\n", x->indent);
}

/* The statement for which nothing is sent. */
static void add_own_statement(emitter *e, text *out, const owner_statement *s, const owner_text *x) {
    const bool braces = s->node->parent->kind != N_COMPOUND;
    const char *inside = braces ? deeper(e, x->indent) : x->indent;
    const char *stores =
        arena_format(e->memory, "dpc_stores(%s, %s, %s)", s->left.array->address, place_literal(e, s->store), x->index);
    if (braces) text_format(out, *x->agreement ? "%s{\n" : "%s{ ", x->indent);
    if (*x->agreement) text_format(out, "%s%s", inside, x->agreement);
    text_format(out, "%s%s\n", braces && !*x->agreement ? "" : inside, x->comment);
    add_store(e, out, inside, stores, store_text(e, s));
    if (braces) text_format(out, "%s}\n", x->indent);
}

void rewrite_owner_statement(emitter *e, const owner_statement *s) {
    bool brings = false;
    text out;
    owner_text x = {.indent = indentation(e, s->node), .index = left_index(e, s)};
    text_start(&out, e->memory);
    for (size_t k = 0; k < s->operands; k++) brings = brings || s->operand[k].placed.relation != RELATION_LOCAL;
    e->owned = s;
    x.comment = arena_format(e->memory, "/* %s, by the owner of %s */", quote(e, s->store), quote(e, s->left.node));
    x.agreement = agreement_text(e, s->node);
    (brings ? add_bringing_statement : add_own_statement)(e, &out, s, &x);
    e->owned = NULL;
    replace(e, s->node, trimmed(e, text_of(&out), x.indent));
}
