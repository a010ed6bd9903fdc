/* A translation unit after preprocessing: its tokens, each with the blank space and comments before it, and where
 * each came from.  Emitting every token's `before` and `text` in order reproduces the preprocessed source, which is
 * how codegen passes untouched C through. */
#ifndef DPC_IR_SOURCE_H
#define DPC_IR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

typedef struct {
    const char *file; /* as the user wrote it, or as #include found it */
    int line;         /* 1-based */
    int column;       /* 1-based, bytes, in the user's own line; a token from a macro's body has its invocation's */
    int width;        /* bytes in the user's own line: of the token, or of the macro's name that it came from */
} position;

typedef struct {
    const char *text;   /* spelling, NUL-terminated */
    const char *before; /* white space, comments, foreign pragmas and system #includes since the last token */
    const char *file;   /* its position: token_place */
    int line, column, width;
    int16_t kind;      /* the bison token number */
    bool in_directive; /* between PRAGMA_DPC and PRAGMA_END, both included */
    bool from_macro;   /* it came out of a macro's expansion (its arguments included) */
} token;

static inline position token_place(const token *t) {
    return (position){t->file, t->line, t->column, t->width};
}

/* An index into source.tokens. */
typedef uint32_t token_index;
#define NO_TOKEN UINT32_MAX

/* The use of a macro whose definition stays in the output, and what came of it: tokens first..last. */
typedef struct {
    const char *name;
    token_index first, last;
} macro_use;

typedef struct {
    const char *path; /* the .dpc file */
    token *tokens;    /* tokens[0 .. count-1]; the last is the end of file, with the trailing blank space as `before` */
    size_t count, capacity;
    macro_use *use; /* by their first tokens; what holds others is before them */
    size_t uses, use_capacity;
    const char **defined; /* the macros whose definitions stay */
    size_t definitions, defined_capacity;
    arena *memory; /* owns all of it */
} source;

/* The longest use of a macro whose tokens begin with `first` and end with `last` or before; NULL: there is none. */
const macro_use *use_at(const source *s, size_t first, size_t last);

/* The user's own line `line` of `file` (no newline), or NULL: for diagnostics.  Files are read once and kept. */
const char *source_line(const char *file, int line);

#endif
