/* What the parts of preprocessing share. */
#ifndef DPC_LEXER_PREPROCESS_H
#define DPC_LEXER_PREPROCESS_H

#include "macro.h"

/* Runs `words` (NULL-terminated) and returns what it writes to standard output; NULL when it can't be run or fails. Its
 * standard input is the file descriptor `input` where that is not negative.  *messages receives what it writes to
 * standard error, or why it couldn't be run. */
const char *command_output(arena *a, const char *const *words, int input, size_t *length, const char **messages);

/* The output of `cc -E -fdirectives-only -dI` for `path`, or NULL; messages have been passed on. */
const char *run_compiler(arena *a, const char *path, const preprocess_options *options, size_t *length);

/* The output of `cc -E`, with all macros expanded; NULL where it can't be had. */
const char *run_compiler_fully(arena *a, const char *path, const preprocess_options *options, size_t *length);

/* In spelling.c: a file's text for the compiler, which knows neither trigraphs nor directives that begin with %: when
 * it executes directives only.  `bytes`, NUL-terminated, is changed in place, and not made longer; true where it has
 * been. */
bool spell_directives(char *bytes, size_t *length, bool trigraphs);

/* The text with its trigraphs replaced and each token in one line. */
const char *spell_tokens(arena *a, const char *text_there, size_t *length, bool trigraphs);

/* Finds the names that a system header's text typedefs: give it the header's tokens one by one. */
typedef struct {
    word_set *names;
    arena *memory;
    pp_list declaration; /* the tokens of the typedef being read, without its braces */
    bool reading;
    int braces;
} harvester;

void harvest_token(harvester *h, const pp_token *t);

/* Adds the system macros that stand for a type or a keyword (bool, complex). */
void harvest_macros(word_set *names, const macro_table *macros);

/* The user's text, its list of tokens in an arena of its own, cut from the output of `cc -E -fdirectives-only`: blank
 * space, tokens and directives.  `names`: all that occur in the system headers' text outside directives. */
typedef struct {
    pp_list tokens;
    word_set *typedefs, *names;
} user_text;

user_text split_user_text(arena *a, arena *tokens, const char *bytes, size_t length, bool trigraphs);

/* In foreign.c: warns if the line `line` at `where`, which is no '#pragma dpc', is a directive of another language or a
 * misspelt one. */
void warn_of_pragma(arena *a, const char *line, position where);

/* In constants.c: the user's macros that stay in the output. */
word_set *constant_macros(arena *a, const pp_list *tokens);

/* In names.c. */
header_names *header_names_new(arena *a, const char *path, const preprocess_options *options, word_set *names,
                               const macro_table *macros);

#endif
