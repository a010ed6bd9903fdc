/* A file cut into words, roughly as C does: comments and strings are left out, lines of #pragma dpc are marked. */
#include <ctype.h>
#include <string.h>

#include "server.h"

typedef struct {
    arena *memory;
    word_list *out;
    const char *at;
    bool directive;          /* in a line of #pragma dpc */
    size_t open[256], depth; /* brackets */
} cutter;

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static void add_word(cutter *c, size_t length, word_kind kind) {
    word_list *out = c->out;
    const file_word w = {(size_t)(c->at - out->text), length, kind, c->directive, out->words};
    vector_add(c->memory, out->word, out->words, out->capacity, w);
    c->at += length;
}

static void match_brackets(cutter *c) {
    word_list *out = c->out;
    const char sign = *c->at;
    if (strchr("([{", sign) && c->depth < sizeof c->open / sizeof *c->open) c->open[c->depth++] = out->words;
    if (strchr(")]}", sign) && c->depth > 0) {
        const size_t other = c->open[--c->depth], self = out->words;
        add_word(c, 1, WORD_SIGN);
        out->word[self].match = other, out->word[other].match = self;
        return;
    }
    add_word(c, 1, WORD_SIGN);
}

static void skip_literal(cutter *c) {
    const char quote = *c->at++;
    while (*c->at && *c->at != quote && *c->at != '\n') c->at += c->at[0] == '\\' && c->at[1] ? 2 : 1;
    if (*c->at == quote) c->at++;
}

static void skip_comment(cutter *c) {
    const char *end = c->at[1] == '*' ? strstr(c->at + 2, "*/") : strchr(c->at, '\n');
    c->at = !end ? c->at + strlen(c->at) : c->at[1] == '*' ? end + 2 : end;
}

/* Behind `text` and the blanks before and after it; NULL: it does not stand there. */
static const char *behind(const char *at, const char *content) {
    at += strspn(at, " \t");
    return strncmp(at, content, strlen(content)) == 0 ? at + strlen(content) : NULL;
}

static void note_include(cutter *c, const char *rest) {
    rest += strspn(rest, " \t");
    const size_t length = *rest == '"' ? strcspn(rest + 1, "\"\n") : 0;
    if (!length || rest[1 + length] != '"') return;
    vector_add(c->memory, c->out->included, c->out->includes, c->out->include_capacity,
               arena_text(c->memory, rest + 1, length));
}

static void skip_line(cutter *c) {
    while (*c->at && *c->at != '\n') c->at += c->at[0] == '\\' && c->at[1] ? 2 : 1;
}

/* # at a line's beginning: #pragma dpc is read on, others go. */
static void begin_directive(cutter *c) {
    const char *rest = behind(c->at + 1, "pragma"), *word = rest ? behind(rest, "dpc") : NULL;
    const char *included = behind(c->at + 1, "include");
    if (included) note_include(c, included);
    if (word && !is_letter(*word))
        c->directive = true, c->at = word;
    else
        skip_line(c);
}

static void cut_one(cutter *c, bool *fresh) {
    const char *at = c->at;
    if (*at == '\n') {
        *fresh = true, c->directive = false, c->at++;
    } else if (at[0] == '\\' && at[1] == '\n') {
        c->at += 2;
    } else if (isspace((unsigned char)*at)) {
        c->at++;
    } else if (at[0] == '/' && (at[1] == '*' || at[1] == '/')) {
        skip_comment(c);
    } else if (*at == '#' && *fresh) {
        begin_directive(c);
    } else {
        size_t length = 0;
        while (is_letter(at[length])) length++;
        *fresh = false;
        if (*at == '"' || *at == '\'')
            skip_literal(c);
        else if (length)
            add_word(c, length, isdigit((unsigned char)*at) ? WORD_NUMBER : WORD_NAME);
        else
            match_brackets(c);
    }
}

word_list file_words(arena *a, const char *path, const char *content) {
    word_list out = {.path = path, .text = content};
    cutter c = {.memory = a, .out = &out, .at = content};
    bool fresh = true;
    while (*c.at) cut_one(&c, &fresh);
    add_word(&c, 0, WORD_END);
    out.words--;
    return out;
}

bool word_is(const word_list *f, size_t k, const char *content) {
    return k < f->words && f->word[k].length == strlen(content) &&
           memcmp(f->text + f->word[k].offset, content, f->word[k].length) == 0;
}

size_t word_at_offset(const word_list *f, size_t offset) {
    for (size_t k = 0; k < f->words && f->word[k].offset <= offset; k++)
        if (f->word[k].kind != WORD_SIGN && offset <= f->word[k].offset + f->word[k].length) return k;
    return f->words;
}
