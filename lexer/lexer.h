/* From a .dpc file to tokens.
 *
 * Preprocessing keeps system headers out (docs/internals.md, "Preprocessing"): `cc -E -fdirectives-only` decides every
 * conditional and include with the real headers; what came from system headers is dropped, each outermost system
 * include becoming a line `#include <x.h>` again, and the names that the headers typedef are remembered; then a second
 * `cc -E -undef -nostdinc` expands the user's own macros only. */
#ifndef DPC_LEXER_LEXER_H
#define DPC_LEXER_LEXER_H

#include "../ir/diagnostic.h"

typedef struct {
    const char *const *arguments; /* -D -U -I -include ..., as the user gave them, in order */
    size_t count;
    const char *compiler;         /* the C compiler to preprocess with, "cc" if NULL; may contain words ("gcc -m64") */
} preprocess_options;

/* The preprocessed text with line markers, or NULL when the preprocessor failed (it has printed its own errors, with the
 * user's files and lines).  *typedefs receives the NULL-terminated names that system headers typedef. */
const char *preprocess(arena *a, const char *path, const preprocess_options *options, const char ***typedefs);

/* `cc -E` for the user: the preprocessed text as -E prints it, to be written by the caller. */

/* The scanner, called by the parser. */
typedef struct lexer lexer;
lexer *lexer_new(arena *a, source *s, const char *preprocessed, const char **typedefs);
void lexer_free(lexer *l);

/* Scopes of typedef names against ordinary identifiers (C11 6.2.1), kept by the parser's actions. */
void lexer_push_scope(lexer *l);
void lexer_pop_scope(lexer *l);
void lexer_declare(lexer *l, const char *name, bool is_typedef);

/* The user's own line `line` of `file` (no newline), or NULL: for diagnostics. */
const char *source_line(const char *file, int line);

/* --dump=tokens: one token per line: file:line:column kind text */
void tokens_print(FILE *out, const source *s);

#endif
