/* Completion: directives, formats, clauses and names behind #pragma dpc; the dialect's functions elsewhere. */
#include <string.h>

#include "server.h"

enum { FUNCTION = 3, VARIABLE = 6, KEYWORD_ITEM = 14, CONSTANT = 21 }; /* CompletionItemKind */

static const char *const directives[] = {
#define KEYWORD(spelling, token, name)
#define ALIAS(spelling, token, name)
#define DIRECTIVE(spelling, token) spelling,
#include "../lexer/keywords.def"
#undef KEYWORD
#undef ALIAS
#undef DIRECTIVE
};
static const char *const intrinsics[] = {
#define INTRINSIC(enumerator, name, reader, least, most, form) #name,
#include "../analysis/model/intrinsics.def"
#undef INTRINSIC
#define OPERATION(enumerator, name, ...) name,
#include "../analysis/model/operations.def"
#undef OPERATION
    "npy_save", "npy_load", "hdf5_save", "hdf5_load", "pgm_save", "dpc_wtime", "dpc_nprocs", "dpc_rank"};
static const char *const formats[] = {"block", "cyclic", "gen_block", "auto"};
static const char *const clauses[] = {"onto", "with", "on", "private", "reduction"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void add(cJSON *items, const char *label, int kind) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddStringToObject(x, "label", label);
    cJSON_AddNumberToObject(x, "kind", kind);
    cJSON_AddItemToArray(items, x);
}

static void add_all(cJSON *items, const char *const *labels, size_t count, int kind) {
    for (size_t k = 0; k < count; k++)
        if (labels[k]) add(items, labels[k], kind);
}

static void add_names(arena *a, const server *s, const document *d, cJSON *items, size_t offset, bool directive) {
    const program_index x = index_program(a, s, d);
    for (size_t k = 0; k < x.count; k++) {
        const declaration *n = &x.declared[k];
        const bool seen = n->scope_end == (size_t)-1 || (n->file == 0 && n->scope <= offset && offset < n->scope_end);
        const bool fits =
            n->kind == DECLARED_ARRAY ? directive || n->mapped : directive && n->kind != DECLARED_FUNCTION;
        bool again = false;
        for (size_t m = 0; m < k; m++) again = again || !strcmp(x.declared[m].name, n->name);
        if (seen && fits && !again) add(items, n->name, n->kind == DECLARED_ARRAY ? VARIABLE : CONSTANT);
    }
}

/* The line up to `offset`, with lines that a backslash continues. */
static const char *line_before(arena *a, const char *content, size_t offset) {
    size_t start = offset;
    while (start > 0 && (content[start - 1] != '\n' || (start > 1 && content[start - 2] == '\\'))) start--;
    return arena_text(a, content + start, offset - start);
}

/* Behind a word and the blanks around it; NULL: it does not stand there. */
static const char *behind(const char *at, const char *word) {
    if (!at) return NULL;
    at += strspn(at, " \t\\\n");
    if (strncmp(at, word, strlen(word)) != 0) return NULL;
    return at + strlen(word);
}

cJSON *completion(arena *a, const server *s, const document *d, size_t offset) {
    cJSON *items = cJSON_CreateArray();
    const char *line = line_before(a, d->text, offset), *pragma = behind(behind(line, "#"), "pragma");
    const char *rest = behind(pragma, "dpc");
    const bool directive = rest && strspn(rest, " \t\\\n") > 0;
    if (rest && directive) {
        rest += strspn(rest, " \t\\\n");
        if (!strpbrk(rest, " \t(")) return add_all(items, directives, COUNT(directives), KEYWORD_ITEM), items;
        add_all(items, formats, COUNT(formats), KEYWORD_ITEM);
        add_all(items, clauses, COUNT(clauses), KEYWORD_ITEM);
    } else if (pragma) {
        add(items, "dpc", KEYWORD_ITEM);
        return items;
    } else {
        add_all(items, intrinsics, COUNT(intrinsics), FUNCTION);
        add(items, "forall", KEYWORD_ITEM);
    }
    add_names(a, s, d, items, offset, directive);
    return items;
}
