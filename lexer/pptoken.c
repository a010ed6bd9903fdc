/* Cuts text into preprocessing tokens (C11 6.4). */
#include "pptoken.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool name_start(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool name_part(char c) {
    return name_start(c) || isdigit((unsigned char)c);
}

size_t pp_splice(const char *p, const char *end) {
    if (p >= end || *p != '\\') return 0;
    const char *q = p + 1;
    while (q < end && (*q == ' ' || *q == '\t' || *q == '\r')) q++;
    return q < end && *q == '\n' ? (size_t)(q - p) + 1 : 0;
}

static char peek(const pp_reader *r, size_t offset) {
    return (size_t)(r->end - r->at) > offset ? r->at[offset] : '\0';
}

static size_t blank_length(const pp_reader *r) {
    const char *p = r->at;
    while (p < r->end) {
        size_t splice = pp_splice(p, r->end);
        if (splice)
            p += splice;
        else if (*p == ' ' || *p == '\t' || *p == '\f' || *p == '\v' || *p == '\r')
            p++;
        else
            break;
    }
    return (size_t)(p - r->at);
}

/* The length of the end of a comment at p, which may be cut by splices; 0: the comment goes on. */
static size_t comment_end(const char *p, const char *end) {
    const char *q = p + 1;
    if (*p != '*') return 0;
    for (size_t splice; (splice = pp_splice(q, end));) q += splice;
    return q < end && *q == '/' ? (size_t)(q - p) + 1 : 0;
}

static size_t comment_length(const pp_reader *r) {
    if (peek(r, 0) != '/') return 0;
    const char *p = r->at + 2;
    if (peek(r, 1) == '/') {
        while (p < r->end && *p != '\n') {
            size_t splice = pp_splice(p, r->end);
            p += splice ? splice : 1;
        }
        return (size_t)(p - r->at);
    }
    if (peek(r, 1) != '*') return 0;
    while (p < r->end && !comment_end(p, r->end)) p++;
    return p < r->end ? (size_t)(p - r->at) + comment_end(p, r->end) : (size_t)(r->end - r->at);
}

static size_t name_length(const pp_reader *r) {
    const char *p = r->at;
    while (p < r->end && name_part(*p)) p++;
    return (size_t)(p - r->at);
}

static size_t number_length(const pp_reader *r) {
    const char *p = r->at + 1;
    while (p < r->end && (name_part(*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))) p++;
    return (size_t)(p - r->at);
}

/* A quoted token whose quotation mark stands at `offset`; 0 when it isn't closed on its line. */
static size_t quoted_length(const pp_reader *r, size_t offset) {
    char quote = r->at[offset];
    for (const char *p = r->at + offset + 1; p < r->end && *p != '\n'; p++) {
        size_t splice = pp_splice(p, r->end);
        if (*p == quote) return (size_t)(p - r->at) + 1;
        if (splice)
            p += splice - 1;
        else if (*p == '\\' && p + 1 < r->end)
            p++;
    }
    return 0;
}

/* The length of an encoding prefix before a quotation mark (L u8 u U), or of no prefix; -1 when no quotation follows.
 */
static int prefix_length(const pp_reader *r) {
    char c = peek(r, 0);
    if (c == '"' || c == '\'') return 0;
    if (c != 'L' && c != 'u' && c != 'U') return -1;
    if (peek(r, 1) == '"' || peek(r, 1) == '\'') return 1;
    return c == 'u' && peek(r, 1) == '8' && peek(r, 2) == '"' ? 2 : -1;
}

static size_t punctuator_length(const pp_reader *r) {
    static const char *const punctuators[] = {
        "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "*=",   "/=",  "%=",  "+=",  "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:"};
    const bool alone =
        !peek(r, 1) || !strchr("%:.<>=&|+-#", peek(r, 1)); /* no punctuator goes on with another character */
    for (size_t i = 0; !alone && i < sizeof punctuators / sizeof *punctuators; i++) {
        size_t length = strlen(punctuators[i]);
        if ((size_t)(r->end - r->at) >= length && strncmp(r->at, punctuators[i], length) == 0) return length;
    }
    return strchr("[](){}.&*+-~!/%<>^|?:;=,#", peek(r, 0)) && peek(r, 0) ? 1 : 0;
}

/* Decides the kind of the token at r->at and its length. */
static pp_kind classify(const pp_reader *r, size_t *length) {
    int prefix = prefix_length(r);
    if ((*length = blank_length(r))) return PP_BLANK;
    if ((*length = comment_length(r))) return PP_COMMENT;
    if (prefix >= 0 && (*length = quoted_length(r, (size_t)prefix))) return PP_QUOTED;
    if (name_start(peek(r, 0))) return *length = name_length(r), PP_NAME;
    bool digit = isdigit((unsigned char)peek(r, 0)) || (peek(r, 0) == '.' && isdigit((unsigned char)peek(r, 1)));
    if (digit) return *length = number_length(r), PP_NUMBER;
    if (peek(r, 0) == '\n') return *length = 1, PP_NEWLINE;
    if ((*length = punctuator_length(r))) return PP_PUNCTUATOR;
    return *length = 1, PP_OTHER;
}

pp_token pp_next(pp_reader *r) {
    pp_token t = {.kind = PP_END, .text = r->at, .where = {r->file, r->line, r->column, 0}};
    if (r->at >= r->end) return t;
    t.kind = classify(r, &t.length);
    for (size_t i = 0; i < t.length; i++) {
        if (r->at[i] == '\n')
            r->line++, r->column = 1;
        else
            r->column++;
    }
    r->at += t.length;
    return t;
}

pp_list pp_cut(arena *a, const char *bytes, size_t length, position where) {
    pp_list list = {0};
    pp_reader r = {bytes, bytes + length, where.file, where.line, where.column};
    for (pp_token t = pp_next(&r); t.kind != PP_END; t = pp_next(&r))
        vector_add(a, list.items, list.count, list.capacity, t);
    return list;
}

/* The digraph's usual spelling (C11 6.4.6), NULL where the token is none. */
static const char *digraph(const pp_token *t) {
    static const char *const digraphs[][2] = {{"<:", "["}, {":>", "]"}, {"<%", "{"},
                                              {"%>", "}"}, {"%:", "#"}, {"%:%:", "##"}};
    for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
        if (strlen(digraphs[i][0]) == t->length && memcmp(digraphs[i][0], t->text, t->length) == 0)
            return digraphs[i][1];
    return NULL;
}

bool pp_is(const pp_token *t, const char *spelling) {
    size_t length = strlen(spelling);
    if (t->length == length) return memcmp(t->text, spelling, length) == 0;
    if (t->kind != PP_PUNCTUATOR || t->length != 2 * length) return false;
    const char *usual = digraph(t);
    return usual && strcmp(usual, spelling) == 0;
}

bool pp_is_dpc(const pp_token *t) {
    return t->length == 3 && strncasecmp(t->text, "dpc", 3) == 0;
}

/* --- sets of words: open addressing, `capacity` a power of two, at most half full */

typedef struct {
    const char *bytes;
    size_t length;
} word;

struct word_set {
    arena *memory;
    word *slots;
    size_t count, capacity;
};

word_set *pp_words_new(arena *a) {
    word_set *w = arena_alloc(a, sizeof *w);
    w->memory = a;
    w->capacity = 256;
    w->slots = arena_alloc(a, w->capacity * sizeof *w->slots);
    return w;
}

static word *word_slot(const word_set *w, const char *bytes, size_t length) {
    size_t hash = 14695981039346656037U;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211U;
    for (size_t i = hash & (w->capacity - 1);; i = (i + 1) & (w->capacity - 1)) {
        word *slot = &w->slots[i];
        if (!slot->bytes || (slot->length == length && memcmp(slot->bytes, bytes, length) == 0)) return slot;
    }
}

static void pp_words_rehash(word_set *w) {
    word_set larger = {w->memory, arena_alloc(w->memory, 2 * w->capacity * sizeof *w->slots), w->count,
                       2 * w->capacity};
    for (size_t i = 0; i < w->capacity; i++)
        if (w->slots[i].bytes) *word_slot(&larger, w->slots[i].bytes, w->slots[i].length) = w->slots[i];
    *w = larger;
}

void pp_words_add(word_set *w, const char *bytes, size_t length) {
    word *slot = word_slot(w, bytes, length);
    if (slot->bytes) return;
    *slot = (word){bytes, length};
    if (2 * ++w->count > w->capacity) pp_words_rehash(w);
}

bool pp_words_have(const word_set *w, const char *bytes, size_t length) {
    return word_slot(w, bytes, length)->bytes != NULL;
}

size_t pp_words_count(const word_set *w) {
    return w->count;
}

const char **pp_words_list(arena *a, const word_set *w) {
    const char **list = arena_alloc(a, (w->count + 1) * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < w->capacity; i++)
        if (w->slots[i].bytes) list[n++] = arena_text(a, w->slots[i].bytes, w->slots[i].length);
    return list;
}
