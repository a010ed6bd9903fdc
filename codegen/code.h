/* Private to codegen: statements that codegen makes, as data, in the order in which they will stand: lines,
 * declarations that are left out where nothing uses them, loops, guards, blocks.  One printer gives them their text and
 * indentation.
 *
 * What is added stands at the end of the open block, emitter.at.  A function that opens a block returns the one around
 * it, for close_block. */
#ifndef DPC_CODEGEN_CODE_H
#define DPC_CODEGEN_CODE_H

#include <stdbool.h>

#include "../ir/arena.h"

struct emitter;
typedef struct code code;

/* What a for loop counts: `ctype` of the loop, `name = first`; `step` is what is added each time: "1", "-1", "-2 * n",
 * "i_run.step".  NULL: not here. */
typedef struct {
    const char *name, *first, *step;
} loop_counter;

enum { MAX_COUNTERS = 4 };

/* for (ctype a = .., b = ..; condition; steps) */
typedef struct {
    const char *ctype;
    loop_counter counter[MAX_COUNTERS];
    int counters;
    const char *relation, *last; /* the condition: how the first counter compares with its last value; or */
    const char *condition;       /* all of it */
    const char *advance;         /* a step that is no sum; NULL: none */
    const char *comment;         /* behind the head; NULL: none */
    bool independent;            /* no iteration needs another one's values: it begins with DPC_IVDEP */
    bool bare;                   /* its body is one statement, without braces */
    const char *macro;           /* a macro that is the whole head, which stands in one line with others; NULL: none */
    bool alone;                  /* no other head stands in the macro's line */
    bool as_read;                /* counters that nothing in the loop reads are left out: the first one too where */
    int other;                   /*   this one is read, not 0, which goes up to */
    const char *other_last;
} for_loop;

/* ---- Making */
/* Begins code whose outermost lines are indented by `indent`, apart from what is open; end_code closes all of it, gives
 * its text and goes back to what was open. */
code *begin_code(struct emitter *e, const char *indent);
const char *end_code(struct emitter *e, code *around);
/* The same for code that gets braces around it: where all is one block without a head, *braces, its own are left out.
 */
const char *end_code_in_braces(struct emitter *e, code *around, bool *braces);
/* Whether the first line of what has begun will stand behind other text, where a brace gets no comment of several
 * lines.
 */
void stand_behind(struct emitter *e, bool behind);
/* Begins the body of a function, which sees no name of what is open but its parameters. */
code *begin_function(struct emitter *e);
code *emit_parameter(struct emitter *e, const char *name);
/* One line, or several with an indentation of their own. */
void emit_line(struct emitter *e, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
/* The program's own text. */
void emit_source(struct emitter *e, const char *s);
/* The length of a text without the marks of names (emit_all). (printed.c) */
size_t printed_length(const char *s, size_t length);
/* A line that declares `name`, and is left out where nothing in the rest of its block uses it (use_name). */
void emit_declaration(struct emitter *e, const char *name, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));
/* The last one's type stays as it is where it shares a line: pointers that are arguments. */
void keep_type(const struct emitter *e);
/* The line that begins a local statement, left out where something used what is declared just before it.  A block
 * without a head whose comment begins with the same place gets DPC_LOCAL(place) as its head instead; DPC_CHANGE(array,
 * place) if it ends with dpc_changed(array). */
void emit_otherwise(struct emitter *e, const char *place, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));
code *open_block(struct emitter *e);
/* A block with a comment behind its brace. */
code *open_block_with(struct emitter *e, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
code *open_loop(struct emitter *e, const for_loop *x);
/* if (condition); "": no block is opened. */
code *open_guard(struct emitter *e, const char *condition);
/* Any other head. */
code *open_head(struct emitter *e, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
/* Puts a comment behind the brace of the block that is open; bare: it holds one statement, without braces. */
void set_comment(struct emitter *e, const char *comment);
void set_bare(struct emitter *e, bool bare);
/* The head of a list of initialisers. */
code *open_list(struct emitter *e, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
/* Goes on with the other branch of the guard that is open; bare: one statement. */
void open_else(struct emitter *e, bool bare);
void close_block(struct emitter *e, code *around);
/* The white space before lines of the open block. */
const char *indentation_here(const struct emitter *e);
/* Whether the open block may get a statement's head: it stands in a line of its own. */
bool may_get_head(const struct emitter *e);

/* ---- Counters (steps.c) */
/* counter++; left out with the counter's declaration. */
void emit_step(struct emitter *e, const char *counter);
/* Steps a counter where it is read, `[counter++]`, if the open block is one line so far that evaluates it once. */
bool step_in_line(struct emitter *e, const char *counter);

/* ---- Names: what is printed next in the open block uses a name */
void use_name(const struct emitter *e, const char *name);
/* The same for all names in an atom of a linear form, or in other text that the analysis made. */
void use_names_in(const struct emitter *e, const char *atom);
bool is_declaration_used(const code *declaration);

#endif
