/* Preprocessing tokens (C11 6.4): what macro expansion works on. */
#ifndef DPC_LEXER_PPTOKEN_H
#define DPC_LEXER_PPTOKEN_H

#include "lexer.h"

typedef enum {
    PP_END,   /* end of text */
    PP_BLANK, /* white space in a line, line splices included */
    PP_NEWLINE,
    PP_COMMENT,
    PP_NAME,
    PP_NUMBER,
    PP_QUOTED, /* string or character constant with its prefix */
    PP_PUNCTUATOR,
    PP_OTHER, /* a stray byte */
    PP_PLACE, /* a place-marker: an empty argument beside ## */
    PP_USE, /* what follows, up to the PP_USED of the same number, came out of a macro that stays: its text is the name
             */
    PP_USED,
    PP_DEFINE,  /* #define ...: its text is what follows the word */
    PP_UNDEF,   /* #undef: its text is the name */
    PP_INCLUDE, /* a system include: its text is the line that replaces it */
    PP_PRAGMA,  /* #pragma dpc: its text is what follows the word dpc */
    PP_LINE     /* another directive that passes through: its text is the line */
} pp_kind;

/* Names that must not be expanded again in a token (Prosser's hide set). */
typedef struct hidden hidden;
struct hidden {
    const struct macro *macro;
    hidden *next;
};

typedef struct {
    pp_kind kind;
    bool space_before;
    bool prescanned;  /* it was in a macro argument that was expanded before substitution */
    bool system;      /* PP_DEFINE, PP_UNDEF: of a system header or the compiler itself */
    const char *text; /* `length` bytes, not NUL-terminated */
    size_t length;
    position where; /* in the user's file; width 0: its own text stands there */
    hidden *hide;
    size_t number; /* PP_USE, PP_USED */
    void *extra;   /* PP_INCLUDE: the header files that it read (a word_set) */
} pp_token;

typedef struct {
    pp_token *items;
    size_t count, capacity;
} pp_list;

/* A place in text that is being cut into tokens. */
typedef struct {
    const char *at, *end;
    const char *file;
    int line, column;
} pp_reader;

/* The next token; PP_END at the end. */
pp_token pp_next(pp_reader *r);

/* All tokens of `length` bytes that stand at `where`. */
pp_list pp_cut(arena *a, const char *bytes, size_t length, position where);

static inline bool pp_is_blank(const pp_token *t) {
    return t->kind == PP_BLANK || t->kind == PP_NEWLINE || t->kind == PP_COMMENT;
}

/* Begins or ends what came out of a macro. */
static inline bool pp_is_mark(const pp_token *t) {
    return t->kind == PP_USE || t->kind == PP_USED;
}

/* The length of a line splice at p: a backslash, perhaps blanks, a newline; 0 if there is none. */
size_t pp_splice(const char *p, const char *end);

/* Is the token spelled so, or with the digraphs for it? */
bool pp_is(const pp_token *t, const char *spelling);
/* The word dpc after #pragma, in lower or upper case. */
bool pp_is_dpc(const pp_token *t);

/* A set of words. */
typedef struct word_set word_set;
word_set *pp_words_new(arena *a);
void pp_words_add(word_set *w, const char *bytes, size_t length);
bool pp_words_have(const word_set *w, const char *bytes, size_t length);
size_t pp_words_count(const word_set *w);
const char **pp_words_list(arena *a, const word_set *w); /* NULL-terminated */

#endif
