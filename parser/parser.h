/* Tokens to tree.  No work but building nodes and keeping scopes of typedef names. */
#ifndef DPC_PARSER_PARSER_H
#define DPC_PARSER_PARSER_H

#include "../lexer/lexer.h"

/* Parses `preprocessed` (from preprocess()); the tree is a UNIT with parents linked.  Reports as many errors as it
 * can recover from; the tree is usable only when error_count() is unchanged. */
node *parse(arena *a, source *s, const char *preprocessed, const char **typedefs);

#endif
