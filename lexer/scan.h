/* The scanner's inside: what scan.l (characters to pieces) and lexer.c (pieces to tokens) share. */
#ifndef DPC_LEXER_SCAN_H
#define DPC_LEXER_SCAN_H

#include "lexer.h"

/* A piece of text that is a token or a part of one. */
typedef struct {
    int kind; /* the bison token number; for a word NAME, whatever it means; 0 at the end */
    const char *text;
    size_t length;
    position where;
    bool from_macro;
    const struct use_mark *marks; /* before it */
} piece;

/* Where a use of a macro that stays begins or ends; the one before it. */
typedef struct use_mark use_mark;
struct use_mark {
    size_t number;
    const char *name; /* NULL: the end */
    const use_mark *earlier;
};

/* A use that has begun. */
typedef struct {
    size_t number;
    const char *name;
    token_index first;
} open_use;

typedef struct scope scope;
typedef struct binding binding;

/* `before`: blank space and comments since the last token; `where`: the place of the next byte, of fixed width inside a
 * macro's expansion; `line_start`: only blank space on this line so far; `directive`: in a directive, with
 * `directive_word` until its first word; `named`: a NAME was returned whose kind (TYPE or VARIABLE) is asked for next;
 * `ahead`: a piece that was read too early; `open`: uses of macros. */
struct lexer {
    arena *memory;
    source *unit;
    void *scanner;
    text before;
    position where;
    bool line_start, directive, directive_word, named;
    bool has_ahead;
    piece ahead;
    const use_mark *marks; /* since the last piece, the last one first */
    open_use *open;
    size_t opens, open_capacity;
    struct names *names;
    scope *scopes;
    size_t depth;
};

/* In scan.l. */
void *scan_open(lexer *l, const char *bytes, size_t length);
void scan_close(void *scanner);
int scan_piece(void *scanner); /* fills l->ahead; returns its kind */

/* In lexer.c, for scan.l: moves the place over text that was read, adds blank space, executes a mark or a line marker.
 */
void scan_blank(lexer *l, const char *bytes, size_t length);
void scan_place(lexer *l, const char *mark);
void scan_use(lexer *l, const char *mark, bool begins);
void scan_hash_line(lexer *l, const char *line, size_t length);
int scan_found(lexer *l, int kind, const char *bytes, size_t length);
int scan_directive_edge(lexer *l, bool begin);
void scan_bad(lexer *l, const char *bytes, size_t length);
void scan_unterminated(lexer *l, const char *what, size_t length);

/* In scopes.c. */
void scopes_open(lexer *l, const char **typedefs);

#endif
