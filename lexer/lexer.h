/* From a .dpc file to tokens.
 *
 * Preprocessing keeps system headers out (docs/internals.md, "Preprocessing"): `cc -E -fdirectives-only` decides every
 * conditional and include with the real headers; what came from system headers is dropped, each outermost system
 * include becoming a line `#include <x.h>` again, and the names that the headers typedef are remembered; then the
 * user's own macros, and only these, are expanded here (macro.h), so that every token keeps its place in the user's
 * file. */
#ifndef DPC_LEXER_LEXER_H
#define DPC_LEXER_LEXER_H

#include "../ir/diagnostic.h"

typedef struct {
    const char *const *arguments; /* -D -U -I -include ..., as the user gave them, in order */
    size_t count;
    const char *compiler; /* the C compiler to preprocess with, "cc" if NULL; may contain words ("gcc -m64") */
    bool trigraphs;       /* of ISO C, which the compiler's arguments ask for */
} preprocess_options;

/* What the system headers that a file includes declare and define. */
typedef struct header_names header_names;

/* The preprocessed text with line markers and place marks (below), or NULL when the preprocessor failed (it has printed
 * its own errors, with the user's files and lines).  *typedefs receives the NULL-terminated names of types and type
 * keywords that system headers define, *names what else they do. */
const char *preprocess(arena *a, const char *path, const preprocess_options *options, const char ***typedefs,
                       header_names **names);

/* Whether a name occurs in a system header, in a declaration or as a macro: it may be declared there.  Where the
 * headers themselves don't have it, their full expansion (sinf from __MATHCALL) is looked through, too.  True where it
 * can't be known. */
bool header_knows(header_names *h, const char *name);

/* The same without looking through the expansion, which takes time. */
bool header_knows_directly(const header_names *h, const char *name);

/* Whether it is a macro of a system header or of the compiler: its arguments may be anything. */
bool header_has_macro(const header_names *h, const char *name);

/* The header of C's library that declares a name, and a name that it declares whatever standard is asked for; NULL: not
 * known.  The second knows types and words of declarations alone. */
const char *header_of(arena *a, const char *name, const char **known);
const char *header_of_type(const char *name);

/* Whether a header that dpc.h includes may define a macro of that name. */
bool is_library_macro(const char *name);

/* The other name of the library, no type, that is spelt most like `name`, and closer than `distance`; NULL: none. */
const char *closest_library_name(arena *a, const char *name, size_t distance);

/* The assembly text that the C compiler makes of a text, which may include what stands beside `path`; NULL where it
 * finds errors: *messages then says them. */
const char *assembly_of(arena *a, const char *c_text, const char *path, const preprocess_options *options,
                        const char **messages);

/* The preprocessed text as -E prints it: place marks removed, directives as #pragma lines. */
const char *preprocess_plain(arena *a, const char *preprocessed);

/* Marks in preprocessed text.  PLACE_MARK line,column,width PLACE_END: what follows stands at that place of the user's
 * file; with width 0 columns count on from there, else all of it (up to the next mark) came out of a macro of that
 * width. */
/* USE_BEGIN number,name PLACE_END ... USE_END number PLACE_END: what came of the use of a macro that stays. */
enum {
    PLACE_MARK = '\001',
    PLACE_END = '\002',
    DIRECTIVE_BEGIN = '\003',
    DIRECTIVE_END = '\004',
    USE_BEGIN = '\005',
    USE_END = '\006',
    LAST_MARK = USE_END
};

/* The scanner, called by the parser. */
typedef struct lexer lexer;
lexer *lexer_new(arena *a, source *s, const char *preprocessed, const char **typedefs);
void lexer_free(lexer *l);

/* Scopes of typedef names against ordinary identifiers (C11 6.2.1), kept by the parser's actions. */
void lexer_push_scope(lexer *l);
void lexer_pop_scope(lexer *l);
void lexer_declare(lexer *l, const char *name, bool is_typedef);
bool lexer_is_typedef(const lexer *l, const char *name);
bool lexer_is_of_header(const lexer *l, const char *name); /* a type, or a word for one, of a system header */
size_t lexer_depth(const lexer *l);                        /* the number of open scopes */
void lexer_pop_to(lexer *l, size_t depth);                 /* after a syntax error */

/* The next token's kind for the parser; *index is its index in source.tokens.  A NAME is followed by a TYPE or VARIABLE
 * of the same index, decided only when the parser asks for it: by then all declarations before the name are known. */
int lexer_next(lexer *l, token_index *index);

/* The standard spelling of a keyword: "inline" for __inline__, "_Bool" for bool. */
const char *lexer_canonical(const char *word);

/* Whether a directive of dpcc begins with that word, in capitals or not. */
bool is_directive_word(const char *word);

/* --dump=tokens: one token per line: file:line:column kind text */
void tokens_print(FILE *out, const source *s);

#endif
