/* What the grammar's actions call. */
#ifndef DPC_PARSER_BUILD_H
#define DPC_PARSER_BUILD_H

#include <string.h>

#include "gram.h"

/* A parse under way. */
struct parser {
    arena *memory;
    struct lexer *lexer;
    source *source;
    node *unit;
    int errors; /* when the last one of syntax was found, reported or not */
    bool wrong; /* one of syntax has been reported */
};

/* A node over the tokens `at` with `count` children, each a node * (NULL for a missing one). */
node *make(parser *p, node_kind kind, token_range at, int count, ...);

/* The same with the spelling of a token as its name; a keyword's standard spelling. */
node *make_named(parser *p, node_kind kind, token_range at, token_index name);
node *make_keyword(parser *p, token_range at);
node *make_binary(parser *p, token_range at, node *left, node *right, token_index op);
node *make_clause(parser *p, token_range at, token_index name, node *expressions);
node *inherit(parser *p, token_range at, node *names);

/* `i = l : u : s` as an argument; an error where the first part isn't an assignment to a name. */
node *make_range(parser *p, token_range at, node *assignment, node *upper, node *stride);

/* They change a node and return it; `index` is a token's. */
node *with_op(parser *p, node *n, token_index index);
node *with_name(parser *p, node *n, token_index index);
node *with_body(node *n);
node *widen(node *n, token_range at);
node *append(parser *p, node *parent, node *child);     /* nothing when child is NULL */
node *adopt(parser *p, node *parent, const node *list); /* appends the list's children */
node *suffixed(node *declarator, node *suffix, token_range at);
node *initialized(parser *p, node *declarator, node *initializer, token_index last);

/* Declarations: they tell the lexer what names mean from here on. */
void declare(parser *p, const node *specifiers, const node *declarator);
node *declare_parameter(parser *p, node *function, const node *parameter);
node *declare_enumerator(parser *p, node *enumerator, token_index name);
node *declare_index(parser *p, node *index, token_index name);
node *open_function(parser *p, token_range at, node *specifiers, node *declarator);
node *define_function(parser *p, token_range at, node *head, node *body, const node *kr_declarations);

/* Is the tree nested more deeply than the passes, which are recursive, can bear?  Reports it. */
bool is_too_deep(parser *p, const node *root);

/* A syntax error at a token, where one of `expected` (the tokens' names in gram.y) could have stood. */
void report_syntax_error(parser *p, token_index at, bool is_variable, const char *const *expected, size_t count);

#endif
