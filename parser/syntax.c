/* Syntax errors in the user's terms. */
#include <ctype.h>
#include <string.h>
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

static bool is_one_of(const token *t, const char *characters) {
    return t->kind < 128 && strchr(characters, t->kind);
}

/* The nearest type of C's library without its header, in what is read of the declaration or cast at `at`. */
static token_index type_without_header(const parser *p, token_index at) {
    const token *tokens = p->source->tokens;
    for (token_index k = at + 1; k-- > 0 && at - k < 8;) {
        const token *t = &tokens[k];
        if (t->in_directive || (k < at && is_one_of(t, ";{}"))) return NO_TOKEN;
        if (t->kind != T_NAME || (k < at && is_one_of(t + 1, "=+-/.,;[")) || (k > 0 && is_one_of(t - 1, ".=+-/")))
            continue;
        if (header_of_type(t->text) && !lexer_is_typedef(p->lexer, t->text)) return k;
    }
    return NO_TOKEN;
}

/* The last token before `at` that is no directive's. */
static size_t before_directives(const parser *p, size_t at) {
    while (at > 1 && (p->source->tokens[at - 1].in_directive || p->source->tokens[at - 1].kind == T_PRAGMA_END)) at--;
    return at - 1;
}

/* Is a semicolon missing after the last token before `at`? */
static bool lacks_semicolon(const parser *p, size_t at, const expectation *e) {
    if (at == 0 || !expects(e, "';'") ||
        (p->source->tokens[at].in_directive && p->source->tokens[at].kind != T_PRAGMA_DPC))
        return false;
    const token *last = &p->source->tokens[before_directives(p, at)], *here = &p->source->tokens[at];
    if (last->in_directive || strchr(";{}:", last->kind < 128 ? last->kind : 'x')) return false;
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
#define MASK_HELP "a mask stands in a forall: forall (i = 0:n-1, A[i] > 0) A[i] = 1;"

/* Words that begin statements elsewhere, and what stands in their place. */
static const char *help_for_word(const char *word) {
    static const struct {
        const char *word, *help;
    } words[] = {
        {"where", MASK_HELP},
        {"elsewhere", "an if in a forall has an else: forall (i = 0:n-1) if (A[i] > 0) A[i] = 1; else A[i] = 0;"},
        {"forall", FORALL_HELP},
        {"doall", FORALL_HELP},
        {"foreach", FORALL_HELP},
        {"parfor", FORALL_HELP},
        {"upc_forall", FORALL_HELP},
        {"DO", "loops and statements are C's: for (int i = 0; i < n; i++) statement"},
        {"call", "functions are called as in C: f(x);"},
        {"end", "what belongs together stands in braces, as in C"},
        {"enddo", "what belongs together stands in braces, as in C"},
        {"endif", "what belongs together stands in braces, as in C"},
        {"class", "dpcc translates C, not C++"},
        {"namespace", "dpcc translates C, not C++"},
        {"using", "dpcc translates C, not C++"},
        {"template", "dpcc translates C, not C++"},
    };
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (!strcasecmp(word, words[w].word)) return words[w].help;
    return NULL;
}

/* The token in front of the parentheses that end before `at`, or that `at` stands in; 0: there is none. */
static token_index before_parentheses(const parser *p, token_index at) {
    const token *tokens = p->source->tokens;
    size_t open = at > 0 && tokens[at - 1].kind == ')' ? 0 : 1; /* parentheses to come that belong together */
    for (token_index k = at; k-- > 1;) {
        const int kind = tokens[k].kind;
        if (kind == '{' || kind == '}' || (kind == ';' && open > 1)) return 0;
        open += kind == ')';
        open -= kind == '(';
        if (open == 0) return k - 1;
    }
    return 0;
}

/* What another language writes in place of the name before the parentheses that end before `at`; NULL: nothing. */
static const char *other_words(const parser *p, token_index at) {
    const token *tokens = p->source->tokens;
    const token_index before = before_parentheses(p, at);
    if (!before) return NULL;
    const char *help = help_for_word(tokens[before].text);
    if (help) return help;
    return !strcmp(tokens[before].text, "for") && tokens[at].kind == ':' ? FORALL_HELP : NULL;
}

static bool is_word(const parser *p, token_index at, token_index before, const char *word) {
    return at >= before && !strcasecmp(p->source->tokens[at - before].text, word);
}

static const char *behind_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* The letters of a name. */
static size_t name_length(const char *at) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    return length;
}

/* The subscripts that begin at `at`, in parentheses or brackets, each in brackets of its own; what stands behind them.
 * NULL: they do not end in the line. */
static const char *add_subscripts(const char *at, text *out) {
    int depth = 0;
    for (at = behind_blanks(at); *at && *at != '\n'; at++) {
        const bool opens = *at == '(' || *at == '[', closes = *at == ')' || *at == ']';
        if (depth == 0 && !opens) break;
        depth += opens - closes;
        if ((opens && depth == 1) || (depth == 1 && *at == ',')) {
            text_add(out, opens ? "[" : "][");
            if (*at == ',') at += behind_blanks(at + 1) - (at + 1);
        } else {
            text_add_bytes(out, closes && depth == 0 ? "]" : at, 1);
        }
        if (depth == 0) at = behind_blanks(at + 1) - 1;
    }
    return depth == 0 ? at : NULL;
}

/* HPF's `align A(i) with T(i)`, or `align (i) with T(i) :: A, B`, whose word is number `word`, as it is written here.
 * What is behind the mistake has no tokens yet: it is read from the line. */
static const char *alignment_help(const parser *p, token_index word, const char *why) {
    const token *t = &p->source->tokens[word];
    const char *line = t->from_macro ? NULL : source_line(t->file, t->line), *at = line;
    text left, right;
    text_start(&left, p->memory);
    text_start(&right, p->memory);
    if (line && strlen(line) > (size_t)(t->column - 1 + t->width)) {
        const char *name = behind_blanks(line + t->column - 1 + t->width);
        size_t length = name_length(name);
        at = add_subscripts(name + length, &left);
        const char *with = at && !strncasecmp(at, "with", 4) ? behind_blanks(at + 4) : NULL;
        at = with ? add_subscripts(with + name_length(with), &right) : NULL;
        if (at && length == 0 && !strncmp(at, "::", 2)) name = behind_blanks(at + 2), length = name_length(name);
        if (at && length > 0 && name_length(with) > 0)
            return arena_format(p->memory, "%s: #pragma dpc %s %.*s%s with %.*s%s", why, t->text, (int)length, name,
                                text_of(&left), (int)name_length(with), with, text_of(&right));
    }
    return arena_format(p->memory, "%s: #pragma dpc align B[i] with A[i]", why);
}

/* The word of the alignment in whose directive a token stands; NO_TOKEN: it is none. */
static token_index alignment_word(const parser *p, token_index at) {
    for (; at > 0 && p->source->tokens[at].in_directive; at--)
        if (is_word(p, at, 0, "align") || is_word(p, at, 0, "realign")) return at;
    return NO_TOKEN;
}

/* Parentheses where brackets are meant in a directive, and other words there; NULL: nothing is known. */
static const char *directive_help(const parser *p, token_index at) {
    if (!p->source->tokens[at].in_directive) return NULL;
    if (is_word(p, at, 1, "(") && is_word(p, at, 3, "template"))
        return "the extents of a template stand in brackets: #pragma dpc template T[n]";
    if (is_word(p, at, 2, "processors"))
        return "the extents of a grid stand in parentheses: #pragma dpc processors P(4)";
    if (is_word(p, at, 0, ".") || is_word(p, at, 0, "->"))
        return "arrays with a declaration of their own are distributed, not members of a structure";
    if (is_word(p, at, 2, "distribute") || is_word(p, at, 2, "redistribute"))
        return "formats stand in parentheses: #pragma dpc distribute A(block), B(cyclic, *)";
    if ((is_word(p, at, 0, "(") || is_word(p, at, 0, "[")) &&
        (is_word(p, at, 1, "align") || is_word(p, at, 1, "realign")))
        return alignment_help(p, at - 1, "each array has a directive of its own");
    if (is_word(p, at, 0, "(") &&
        (is_word(p, at, 2, "align") || is_word(p, at, 2, "realign") || is_word(p, at, 2, "with")))
        return alignment_word(p, at) == NO_TOKEN
                   ? "subscripts stand in brackets: #pragma dpc align B[i] with A[i]"
                   : alignment_help(p, alignment_word(p, at), "subscripts stand in brackets");
    if (is_word(p, at, 1, "cyclic") || is_word(p, at, 1, "block"))
        return "the size of the blocks stands in parentheses: cyclic(2)";
    if (is_word(p, at, 0, ";")) return "a directive ends with its line, without ';'";
    if (is_word(p, at, 0, "on") || is_word(p, at, 0, "to"))
        return "the grid stands behind 'onto': #pragma dpc distribute A(block) onto P";
    if (p->source->tokens[at].kind == T_NAME && is_word(p, at, 1, ")"))
        return "one list of formats for all is distribute (block) :: A, B; else a comma stands between arrays: "
               "A(block), B(*)";
    if (p->source->tokens[at].kind == T_PRAGMA_END && at > 0 && p->source->tokens[at - 1].kind == T_PRAGMA_DPC)
        return "a directive is, for instance, #pragma dpc distribute A(block)";
    return NULL;
}

/* What is meant by the token at `at`, or by what stands before it; NULL: not known. */
static const char *help_at(const parser *p, token_index at) {
    const char *help = directive_help(p, at);
    const token_index before = before_parentheses(p, at);
    if (help) return help;
    if (before && is_word(p, before, 0, "forall") && is_word(p, at, 0, ";"))
        return "ranges stand in place of a loop's conditions, the upper bound inclusive: forall (i = lower:upper) "
               "statement";
    if ((help = other_words(p, at))) return help;
    if (before && is_word(p, at, 0, ";") && at > before + 2) return "index ranges: sum(i = lower:upper, value)";
    if (is_word(p, at, 0, "{") && is_word(p, at, 1, "="))
        return "elements are assigned from an ordinary array, A[:] = first[:], or one by one";
    if (is_word(p, at, 1, "*") && is_word(p, at, 0, "]")) return "all of a dimension is [:]";
    if (is_word(p, at, 0, ":") && at > 0 && is_word(p, at, 1, ":")) return "dpcc translates C, not C++";
    if (is_word(p, at, 0, "::")) return "dpcc translates C, not C++";
    if (is_word(p, at, 1, "for"))
        return "loops are C's: for (int i = 0; i < n; i++) statement; or forall (i = lower:upper) statement";
    return NULL;
}

/* Special cases, reported at what is wrong rather than at what cannot follow it; false: none of them. */
static bool report_special(parser *p, token_index at) {
    const token *tokens = p->source->tokens;
    const token_index before = before_parentheses(p, at);
    if (at >= 2 && is_word(p, at, 1, "(") && is_word(p, at, 2, "forall") && tokens[at].kind != T_NAME) {
        diagnose_tokens(p->source, at, at, D_syntax,
                        "a forall declares its indices itself, as long: a name is expected, without a type");
        diagnose_help("%s", FORALL_HELP);
        return true;
    }
    if (at > 0 && tokens[at - 1].kind == T_NAME) {
        const char *word = tokens[at - 1].text;
        const size_t length = strlen(word);
        if (length > 1 && word[length - 1] == '$') {
            diagnose_tokens(p->source, at - 1, at - 1, D_syntax, "'!HPF$' and its like begin directives of Fortran");
            diagnose_help("a directive of dpcc is a pragma: #pragma dpc distribute A(block)");
            return true;
        }
    }
    if (before && tokens[at].kind != ')' && at > 0 && tokens[at - 1].kind == ')' &&
        strcmp(tokens[before].text, "forall") != 0 && help_for_word(tokens[before].text)) {
        diagnose_tokens(p->source, before, before, D_syntax,
                        arena_format(p->memory, "unknown statement '%s'", tokens[before].text));
        diagnose_help("%s", help_for_word(tokens[before].text));
        return true;
    }
    return false;
}

/* What the lexer has reported meanwhile explains the next error. */
static bool is_explained(parser *p) {
    const bool explained = error_count() > p->errors;
    p->errors = error_count();
    return explained;
}

static void report_at(parser *p, token_index at, bool is_variable, const char *const *expected, size_t count) {
    expectation e = {expected, count};
    token_index type = type_without_header(p, at);
    if (type == NO_TOKEN) type = unknown_type(p, at, is_variable);
    if (type != NO_TOKEN) {
        const char *word = p->source->tokens[type].text, *header = header_of_type(word);
        diagnose_tokens(p->source, type, type, D_unknown_type, word);
        if (header) diagnose_help("#include <%s> declares it", header);
        if (help_for_word(word)) diagnose_help("%s", help_for_word(word));
        return;
    }
    if (report_special(p, at)) return;
    if (lacks_semicolon(p, at, &e)) {
        const size_t last = before_directives(p, at);
        const char *message = arena_format(p->memory, "expected ';' after %s", shown(p, last));
        diagnose_tokens(p->source, last, last, D_syntax, message);
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
    const char *help = help_at(p, at);
    if (help) diagnose_help("%s", help);
}

/* After an error the parser may take a brace for the end of a function: then it expects declarations inside of it. */
static bool has_lost_braces(const parser *p, token_index at, bool is_variable, const expectation *e) {
    int depth = 0;
    if (!p->wrong || (!is_variable && (!expects(e, "a storage class") || expects(e, "'if'")))) return false;
    for (token_index k = 0; k < at; k++)
        depth += (p->source->tokens[k].kind == '{') - (p->source->tokens[k].kind == '}');
    return depth > 0;
}

void report_syntax_error(parser *p, token_index at, bool is_variable, const char *const *expected, size_t count) {
    const expectation e = {expected, count};
    if (is_explained(p) || has_lost_braces(p, at, is_variable, &e)) return;
    report_at(p, at, is_variable, expected, count);
    p->wrong = true;
    p->errors = error_count();
}
