/* Diagnostics are data (diagnostics.def): an id, an error or the name of a warning, and one line in the user's terms;
 * what to write in its place where the one who finds it does not know better (help.def). */
#ifndef DPC_IR_DIAGNOSTIC_H
#define DPC_IR_DIAGNOSTIC_H

#include "ast.h"

typedef enum {
#define DIAGNOSTIC(id, warning, format) D_##id,
#include "diagnostics.def"
#undef DIAGNOSTIC
    D_COUNT
} diagnostic_id;

/* Prints `file:line:col: error: message`, the user's source line and a caret under the tokens first..last (mapped
 * back through macro expansion to the user's own line: the caret goes under the macro's name when the token came out
 * of a macro).  The same id at the same place is reported once, with its notes.  The variadic arguments fill the id's
 * format.  Errors are counted; after 50 the run stops with exit status 1. Colours only when standard error is a
 * terminal (and NO_COLOR is unset). */
void diagnose_tokens(const source *s, size_t first, size_t last, diagnostic_id id, ...);
void diagnose(const source *s, const node *n, diagnostic_id id, ...);

/* The same at a place that is not (yet) a token. */
void diagnose_place(position where, diagnostic_id id, ...);

/* `note:` and `help:` lines that belong to the last diagnostic; `n` may be NULL (no place).  The first help takes the
 * place of that in help.def. */
void diagnose_note(const source *s, const node *n, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diagnose_help(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the help that the last diagnostic is to have: before anything else goes to standard error.  At exit it comes
 * by itself. */
void finish_diagnostic(void);

int error_count(void);

/* The end of a noun behind a number. */
const char *plural(int count);

/* For a process that translates one text after another: none has been reported. */
void forget_diagnostics(void);

/* How many letters are wrong, missing, too many or swapped with their neighbours; upper and lower case are the same.
 * For suggestions. */
size_t spelling_distance(const char *x, const char *y);

/* A bug in dpcc: prints where and what, exits with 70. */
_Noreturn void internal_error(const char *file, int line, const char *what);
#define BUG(what) internal_error(__FILE__, __LINE__, what)

#endif
