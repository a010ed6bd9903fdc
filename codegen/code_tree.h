/* Private to code.c, which makes statements as data, and printed.c, which gives them their text. */
#ifndef DPC_CODEGEN_CODE_TREE_H
#define DPC_CODEGEN_CODE_TREE_H

#include "code.h"

typedef enum {
    CODE_LINE,
    CODE_DECLARATION,
    CODE_OTHERWISE, /* instead of the declaration before it */
    CODE_STEP,      /* of a counter that is declared around */
    CODE_PARAMETER, /* declared by the function around */
    CODE_BLOCK,     /* with a head, perhaps */
    CODE_ELSE,      /* behind a block */
    CODE_LOOP
} code_kind;

struct code {
    code_kind kind;
    bool used;        /* DECLARATION */
    bool whole;       /* DECLARATION: its type stays as it is beside others */
    bool bare;        /* ELSE: one statement, without braces */
    bool list;        /* BLOCK: what stands in it are initialisers */
    bool source;      /* LINE: it is the program's, and may declare something */
    int depth;        /* of such a line: how deep it was taken to be when its further lines were indented */
    bool function;    /* the outermost: a function's body */
    const char *text; /* LINE, DECLARATION; BLOCK: its head, or NULL */
    const char *name; /* DECLARATION: what it declares; OTHERWISE: the statement's place */
    const for_loop *loop;
    code *around;              /* the block that it stands in */
    code *first, *last, *next; /* what stands in it; what stands behind it */
    code *declared, *before;   /* BLOCK, LOOP: the last declaration in it; OTHERWISE: what it stands for; STEP: its
                                  counter; DECLARATION:   the one before */
    const char *comment;       /* BLOCK: behind its brace, or NULL */
    const char *indent;        /* the outermost: before its lines */
    bool behind;               /* the outermost: its first line stands behind other text */
};

#endif
