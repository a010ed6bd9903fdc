/* Syntax errors in the user's terms. */
#include <strings.h>

#include "build.h"

typedef struct {
    const char *const *names;
    size_t count;
} expectation;

static bool expects(const expectation *e, const char *name) {
    for (size_t i = 0; i < e->count; i++)
        if (strcmp(e->names[i], name) == 0) return true;
    return false;
}

static const char *shown(const parser *p, size_t index) {
    const token *t = &p->source->tokens[index];
    if (t->kind == T_END) return "end of file";
    if (t->kind == T_PRAGMA_DPC) return "directive";
    if (t->kind == T_PRAGMA_END) return "end of the directive";
    return arena_format(p->memory, "'%.60s'", t->text);
}

/* A name where only a type could make what follows right: the unknown type's token, or -1. */
static token_index unknown_type(const parser *p, token_index at, bool is_variable) {
    const token *tokens = p->source->tokens;
    if (tokens[at].in_directive) return NO_TOKEN;
    if (is_variable) return at;
    if (tokens[at].kind != T_NAME || at < 1 || tokens[at - 1].kind != T_NAME) return NO_TOKEN;
    bool starts = at < 2 || strchr(";{}", tokens[at - 2].kind < 128 ? tokens[at - 2].kind : 'x') ||
                  tokens[at - 2].kind == T_PRAGMA_END;
    return starts ? at - 1 : NO_TOKEN;
}

/* Is a semicolon missing after the token before `at`? */
static bool lacks_semicolon(const parser *p, size_t at, const expectation *e) {
    if (at == 0 || !expects(e, "';'") || p->source->tokens[at - 1].in_directive) return false;
    int before = p->source->tokens[at - 1].kind;
    if (before == ';' || before == '{' || before == '}' || before == ':') return false;
    const token *last = &p->source->tokens[at - 1], *here = &p->source->tokens[at];
    return last->line != here->line || p->source->tokens[at].kind == '}' || p->source->tokens[at].kind == T_END;
}

/* At the end of the file with a brace still open: says which. */
static bool lacks_brace(parser *p, token_index at) {
    size_t depth = 0;
    if (p->source->tokens[at].kind != T_END) return false;
    for (token_index i = at; i-- > 0;) {
        if (p->source->tokens[i].kind == '}') depth++;
        if (p->source->tokens[i].kind != '{' || depth-- > 0) continue;
        diagnose_tokens(p->source, at, at, D_syntax, "unexpected end of file, expected '}'");
        diagnose_note(p->source, make(p, N_COMPOUND, (token_range){i, i}, 0), "for this '{'");
        return true;
    }
    return false;
}

/* The names worth mentioning: a group for what begins expressions, statements or types, else all when they are few,
 * else punctuation that closes something. */
static size_t choose(const expectation *e, const char **chosen) {
    static const char *const closers[] = {
        "';'", "','", "')'", "']'", "'}'", "':'", "'while'", "the end of the directive", "'with'"};
    size_t count = 0;
    if (expects(e, "'while'") && expects(e, "'if'")) return chosen[0] = "a statement", (size_t)1;
    if (expects(e, "'sizeof'"))
        chosen[count++] = "an expression";
    else if (expects(e, "a storage class") && expects(e, "a type"))
        chosen[count++] = "a declaration";
    else if (expects(e, "a type"))
        chosen[count++] = "a type";
    if (!count && e->count <= 4) {
        for (size_t i = 0; i < e->count; i++) chosen[count++] = e->names[i];
        return count;
    }
    if (count) return count;
    for (size_t i = 0; i < sizeof closers / sizeof *closers && count < 4; i++)
        if (expects(e, closers[i])) chosen[count++] = closers[i];
    if (!count && expects(e, "'='")) chosen[count++] = "'='";
    if (!count && expects(e, "'('")) chosen[count++] = "'('";
    if (!count && expects(e, "a name")) chosen[count++] = "a name";
    return count;
}

#define FORALL_HELP "forall (i = lower:upper) statement, in small letters"

/* What another language writes in place of the name before the parentheses that end before `at`; NULL: nothing. */
static const char *other_words(const parser *p, token_index at) {
    static const struct {
        const char *word, *help;
    } words[] = {
        {"where", "a mask stands in a forall: forall (i = 0:n-1, A[i] > 0) A[i] = 1;"},
        {"forall", FORALL_HELP},
        {"doall", FORALL_HELP},

    };
    const token *tokens = p->source->tokens;
    size_t open = at > 0 && tokens[at - 1].kind == ')' ? 0 : 1; /* parentheses to come that belong together */
    for (token_index k = at; k-- > 1;) {
        const int kind = tokens[k].kind;
        if (kind == '{' || kind == '}' || (kind == ';' && open > 1)) return NULL;
        open += kind == ')';
        open -= kind == '(';
        if (open > 0) continue;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (!strcasecmp(tokens[k - 1].text, words[w].word)) return words[w].help;
        return !strcmp(tokens[k - 1].text, "for") && tokens[at].kind == ':' ? FORALL_HELP : NULL;
    }
    return NULL;
}

static bool is_word(const parser *p, token_index at, token_index before, const char *word) {
    return at >= before && !strcmp(p->source->tokens[at - before].text, word);
}

/* Parentheses where brackets are meant in a directive, and the other way round; NULL: neither. */
static const char *other_brackets(const parser *p, token_index at) {
    if (is_word(p, at, 1, "(") && is_word(p, at, 3, "template"))
        return "the extents of a template stand in brackets: #pragma dpc template T[n]";
    if (is_word(p, at, 0, "[") && is_word(p, at, 2, "processors"))
        return "the extents of a grid stand in parentheses: #pragma dpc processors P(4)";
    return NULL;
}

void report_syntax_error(parser *p, token_index at, bool is_variable, const char *const *expected, size_t count) {
    expectation e = {expected, count};
    token_index type = unknown_type(p, at, is_variable);
    if (type != NO_TOKEN) {
        const char *word = p->source->tokens[type].text;
        diagnose_tokens(p->source, type, type, D_unknown_type, word);
        if (!strcasecmp(word, "forall")) diagnose_help("%s", FORALL_HELP);
        return;
    }
    if (lacks_semicolon(p, at, &e)) {
        const char *message = arena_format(p->memory, "expected ';' after %s", shown(p, at - 1));
        diagnose_tokens(p->source, at - 1, at - 1, D_syntax, message);
        return;
    }
    if (lacks_brace(p, at)) return;
    const char *chosen[8];
    size_t chosen_count = choose(&e, chosen);
    text message;
    text_start(&message, p->memory);
    text_format(&message, "unexpected %s", shown(p, at));
    for (size_t i = 0; i < chosen_count; i++)
        text_format(&message, "%s%s", i == 0 ? ", expected " : i + 1 == chosen_count ? " or " : ", ", chosen[i]);
    diagnose_tokens(p->source, at, at, D_syntax, text_of(&message));
    const char *brackets = other_brackets(p, at), *help = brackets ? brackets : other_words(p, at);
    if (help) diagnose_help("%s", help);
}
