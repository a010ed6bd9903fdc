/* What the grammar's actions build: nodes, lists, declarations. */
#include "build.h"

#include "../ir/stack.h"

node *make(parser *p, node_kind kind, token_range at, int count, ...) {
    enum { MOST_CHILDREN = 8 };
    node *child[MOST_CHILDREN];
    va_list children;
    if (count > MOST_CHILDREN) BUG("too many children");
    va_start(children, count);
    for (int i = 0; i < count; i++) child[i] = va_arg(children, node *);
    va_end(children);
    return ast_new(p->memory, kind, at.first, at.last, (uint32_t)count, child);
}

static const char *token_spelling(const parser *p, token_index index) {
    return p->source->tokens[index].text;
}

node *make_named(parser *p, node_kind kind, token_range at, token_index name) {
    return with_name(p, make(p, kind, at, 0), name);
}

node *make_keyword(parser *p, token_range at) {
    node *n = make_named(p, N_KEYWORD, at, at.first);
    n->name = lexer_canonical(n->name);
    return n;
}

node *make_binary(parser *p, token_range at, node *left, node *right, token_index op) {
    return with_op(p, make(p, N_BINARY, at, 2, left, right), op);
}

node *make_clause(parser *p, token_range at, token_index name, node *expressions) {
    return adopt(p, make_named(p, N_CLAUSE, at, name), expressions);
}

node *inherit(parser *p, token_range at, node *names) {
    for (size_t i = 0; i < names->count; i++) names->child[i]->kind = N_NAME;
    return adopt(p, make(p, N_INHERIT, at, 0), names);
}

node *make_range(parser *p, token_range at, node *assignment, node *upper, node *stride) {
    bool fits =
        assignment->kind == N_ASSIGN && strcmp(assignment->op, "=") == 0 && assignment->child[0]->kind == N_NAME;
    if (!fits) diagnose(p->source, assignment, D_syntax, "expected an index before ':', as in 'i = 0:n-1'");
    return make(p, N_RANGE, at, 3, assignment, upper, stride);
}

node *with_op(parser *p, node *n, token_index index) {
    n->op = lexer_canonical(token_spelling(p, index));
    return n;
}

node *with_name(parser *p, node *n, token_index index) {
    n->name = token_spelling(p, index);
    n->name_token = index;
    return n;
}

node *with_body(node *n) {
    n->has_body = true;
    return n;
}

node *widen(node *n, token_range at) {
    n->first = at.first;
    n->last = at.last;
    return n;
}

node *append(parser *p, node *parent, node *child) {
    if (!child) return parent;
    ast_add(p->memory, parent, child);
    if (child->last > parent->last || parent->last == NO_TOKEN) parent->last = child->last;
    return parent;
}

node *adopt(parser *p, node *parent, const node *list) {
    for (size_t i = 0; i < list->count; i++) ast_add(p->memory, parent, list->child[i]);
    return parent;
}

node *suffixed(node *declarator, node *suffix, token_range at) {
    suffix->child[0] = declarator;
    return widen(suffix, at);
}

node *initialized(parser *p, node *declarator, node *initializer, token_index last) {
    if (initializer) last = initializer->last;
    return make(p, N_INIT_DECLARATOR, (token_range){declarator->first, last}, 2, declarator, initializer);
}

/* --- declarations */

static const node *declared_node(const node *declarator) {
    while (declarator && declarator->kind != N_DECL_NAME) declarator = declarator->count ? declarator->child[0] : NULL;
    return declarator;
}

static bool is_typedef(const node *specifiers) {
    for (size_t i = 0; i < specifiers->count; i++) {
        const node *child = specifiers->child[i];
        if (child->kind == N_KEYWORD && strcmp(child->name, "typedef") == 0) return true;
    }
    return false;
}

void declare(parser *p, const node *specifiers, const node *declarator) {
    const node *name = declared_node(declarator);
    if (name) lexer_declare(p->lexer, name->name, is_typedef(specifiers));
}

node *declare_parameter(parser *p, node *function, const node *parameter) {
    const node *name = declared_node(parameter->child[1]);
    if (name) lexer_declare(p->lexer, name->name, false);
    return function;
}

node *declare_enumerator(parser *p, node *enumerator, token_index name) {
    lexer_declare(p->lexer, token_spelling(p, name), false);
    return with_name(p, enumerator, name);
}

node *declare_index(parser *p, node *index, token_index name) {
    lexer_declare(p->lexer, token_spelling(p, name), false);
    return with_name(p, index, name);
}

/* The function that a definition's declarator declares: the one next to the name. */
static const node *own_function(const node *declarator) {
    const node *function = NULL;
    for (; declarator && declarator->kind != N_DECL_NAME; declarator = declarator->child[0])
        if (declarator->kind == N_FUNCTION) function = declarator;
    return function;
}

node *open_function(parser *p, token_range at, node *specifiers, node *declarator) {
    declare(p, specifiers, declarator);
    lexer_push_scope(p->lexer);
    const node *function = own_function(declarator);
    for (size_t i = 1; function && i < function->count; i++) {
        const node *parameter = function->child[i];
        const node *name = parameter->kind == N_PARAMETER ? declared_node(parameter->child[1]) : parameter;
        if (name) lexer_declare(p->lexer, name->name, false);
    }
    return make(p, N_FUNCTION_DEFINITION, at, 2, specifiers, declarator);
}

node *define_function(parser *p, token_range at, node *head, node *body, const node *kr_declarations) {
    lexer_pop_scope(p->lexer);
    append(p, widen(head, at), body);
    return kr_declarations ? adopt(p, head, kr_declarations) : head;
}

/* --- nesting */

/* A node below `levels` of them under n, NULL: there is none. */
static const node *deepest(const node *n, int levels) {
    if (levels == 0) return n;
    for (size_t i = 0; i < n->count; i++) {
        const node *found = n->child[i] ? deepest(n->child[i], levels - 1) : NULL;
        if (found) return found;
    }
    return NULL;
}

bool is_too_deep(parser *p, const node *root) {
    const node *found = deepest(root, stack_levels());
    if (found) diagnose_tokens(p->source, found->first, found->first, D_syntax, "too deeply nested");
    return found != NULL;
}
