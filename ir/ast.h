/* The syntax tree: what the parser builds and analysis annotates.  Every node knows its tokens, so that what is not
 * rewritten is emitted exactly as it was written. */
#ifndef DPC_IR_AST_H
#define DPC_IR_AST_H

#include <stdio.h>

#include "source.h"

typedef enum {
#define NODE(kind, name, children) N_##kind,
#include "nodes.def"
#undef NODE
    N_KINDS
} node_kind;

typedef struct node node;
struct symbol;
struct type;

struct node {
    node_kind kind;
    token_index first, last; /* its tokens, both inclusive */
    token_index name_token;  /* the token of `name` */
    uint32_t count;          /* number of children */
    bool has_body;           /* STRUCT, ENUM: followed by { } */
    bool made;               /* by the analysis: its tokens are not its text */
    node **child;            /* as nodes.def says; optional ones may be NULL */
    const char *op;          /* operator spelling, or NULL */
    const char *name;        /* or NULL */
    struct symbol *symbol;   /* set by analysis: what a NAME means */
    struct type *type;       /* set by analysis: the type of an expression, NULL where unknown */
    const char *replacement; /* set by analysis: the variable that holds its value, evaluated beforehand */
    node *parent;            /* set by ast_link */
};

/* Builders.  `first`/`last` may be widened later by ast_span. */
node *ast_new(arena *a, node_kind kind, token_index first, token_index last, uint32_t count, node *const *children);
node *ast_add(arena *a, node *parent, node *child); /* appends; returns parent */

/* A copy of a node and all under it, whose parents are set but for its own. */
node *ast_clone(arena *a, const node *n);

/* Sets every node's parent. */
void ast_link(node *root);

const char *node_kind_name(node_kind kind);

/* Prints the tree, one node per line, indented: kind, op, name, file:line. (--dump=ast) */
void ast_print(FILE *out, const source *s, const node *root);

/* Aborts with exit status 70 when a node's children don't match nodes.def or its token range doesn't hold its
 * children's. (A declarator's tokens hold its inner declarator's.) Runs always in tests. */
void ast_check(const source *s, const node *root);

/* The text of a node's tokens, blank space between them collapsed to single spaces, comments dropped, and constants
 * that have names by them: for quoting. */
const char *ast_quote(arena *a, const source *s, const node *n);

#endif
