/* Pieces to tokens: keywords, directives, what is swallowed into the blank space, and the places of tokens. */
#include "lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gram.h"
#include "scan.h"

/* Kinds that never reach the parser: __extension__, and __attribute__ with its parenthesis. */
enum { T_SKIPPED_WORD = -1, T_SKIPPED_CALL = -2 };

typedef struct {
    const char *spelling;
    int kind;
    const char *canonical;
    bool alias;
} keyword;

static const keyword keywords[] = {
#define KEYWORD(spelling, token, canonical) {spelling, T_##token, canonical, false},
#define ALIAS(spelling, token, canonical) {spelling, T_##token, canonical, true},
#define DIRECTIVE(word, token)
#include "keywords.def"
#undef KEYWORD
#undef ALIAS
#undef DIRECTIVE
};

static const keyword directives[] = {
#define KEYWORD(spelling, token, canonical)
#define ALIAS(spelling, token, canonical)
#define DIRECTIVE(word, token) {word, T_##token, word, false},
#include "keywords.def"
#undef KEYWORD
#undef ALIAS
#undef DIRECTIVE
};

enum { KEYWORDS = sizeof keywords / sizeof *keywords, DIRECTIVES = sizeof directives / sizeof *directives };

static const keyword *find_keyword(const char *word) {
    for (size_t i = 0; i < KEYWORDS; i++)
        if (keywords[i].spelling[0] == word[0] && strcmp(keywords[i].spelling, word) == 0) return &keywords[i];
    return NULL;
}

const char *lexer_canonical(const char *word) {
    const keyword *k = find_keyword(word);
    return k ? k->canonical : word;
}

/* --- called by scan.l */

static void advance(lexer *l, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && !l->where.width; i++) {
        if (bytes[i] == '\n')
            l->where.line++, l->where.column = 1;
        else
            l->where.column++;
    }
}

void scan_blank(lexer *l, const char *bytes, size_t length) {
    text_add_bytes(&l->before, bytes, length);
    if (bytes[0] == '\n') l->line_start = true;
    advance(l, bytes, length);
}

void scan_place(lexer *l, const char *mark) {
    char *end;
    l->where.line = (int)strtol(mark, &end, 10);
    l->where.column = *end == ',' ? (int)strtol(end + 1, &end, 10) : 1;
    l->where.width = *end == ',' ? (int)strtol(end + 1, &end, 10) : 0;
}

void scan_use(lexer *l, const char *mark, bool begins) {
    char *end;
    use_mark *made = arena_alloc(l->memory, sizeof *made);
    *made = (use_mark){.number = strtoull(mark, &end, 10), .earlier = l->marks};
    if (begins) made->name = arena_text(l->memory, end + 1, strcspn(end + 1, "\002"));
    l->marks = made;
}

/* The name in a line `#define name ...`, NULL where it is another. */
static const char *defined_name(arena *a, const char *line) {
    const char *p = line + 1 + strspn(line + 1, " \t");
    if (strncmp(p, "define", 6) != 0) return NULL;
    p += 6 + strspn(p + 6, " \t");
    size_t length = 0;
    while (isalnum((unsigned char)p[length]) || p[length] == '_') length++;
    return arena_text(a, p, length);
}

/* A line marker sets the place; any other # line (a foreign pragma, a system include) is blank space to us. */
void scan_hash_line(lexer *l, const char *line, size_t length) {
    const char *p = line + 1;
    while (*p == ' ' || *p == '\t') p++;
    const char *quote = isdigit((unsigned char)*p) ? strchr(p, '"') : NULL;
    l->line_start = true;
    if (!quote) {
        source *s = l->unit;
        const char *name = defined_name(s->memory, line);
        if (name) vector_add(s->memory, s->defined, s->definitions, s->defined_capacity, name);
        text_add_bytes(&l->before, line, length);
        advance(l, line, length);
        return;
    }
    text name;
    text_start(&name, l->memory);
    for (const char *q = quote + 1; *q && *q != '"' && *q != '\n'; q++) {
        if (*q == '\\' && q[1]) q++;
        text_add_bytes(&name, q, 1);
    }
    const char *file = l->where.file && strcmp(l->where.file, text_of(&name)) == 0 ? l->where.file : text_of(&name);
    l->where = (position){file, atoi(p), 1, 0};
}

int scan_found(lexer *l, int kind, const char *bytes, size_t length) {
    l->ahead = (piece){kind, arena_text(l->memory, bytes, length), length, l->where, l->where.width > 0, l->marks};
    if (!l->ahead.from_macro) l->ahead.where.width = (int)length;
    l->marks = NULL;
    l->line_start = false;
    advance(l, bytes, length);
    return kind;
}

int scan_directive_edge(lexer *l, bool begin) {
    const char *spelling = begin ? "#pragma dpc" : "";
    l->ahead = (piece){begin ? T_PRAGMA_DPC : T_PRAGMA_END, spelling, strlen(spelling), l->where, false, l->marks};
    l->marks = NULL;
    if (!begin) l->ahead.where.width = 0;
    l->line_start = false;
    return l->ahead.kind;
}

static position here(const lexer *l, size_t length) {
    position where = l->where;
    if (!where.width) where.width = (int)length;
    return where;
}

void scan_bad(lexer *l, const char *bytes, size_t length) {
    const position where = here(l, length);
    const char *line = source_line(where.file, where.line);
    unsigned char c = (unsigned char)bytes[0];
    if (c == 0x7f && line && where.column >= 1 && (size_t)where.column <= strlen(line) + 1)
        c = (unsigned char)line[where.column - 1]; /* as the file has it */
    const char *shown = isprint(c) ? arena_text(l->memory, bytes, 1) : arena_format(l->memory, "\\x%02x", c);
    diagnose_place(where, D_bad_character, shown);
    scan_blank(l, bytes, length);
}

void scan_unterminated(lexer *l, const char *what, size_t length) {
    diagnose_place(here(l, length), D_unterminated, what);
}

/* --- pieces */

static piece next_piece(lexer *l) {
    if (l->has_ahead)
        l->has_ahead = false;
    else
        scan_piece(l->scanner);
    return l->ahead;
}

static void put_back(lexer *l, piece p) {
    l->ahead = p;
    l->has_ahead = true;
}

/* Adds pieces to `out` up to the parenthesis that closes the one that `p` opens.  Blank space is in l->before from
 * `start` on.  Stops at the end of a directive or of the text. */
static void take_parentheses(lexer *l, piece p, text *out) {
    int depth = 0;
    for (;; p = next_piece(l)) {
        if (p.kind == 0 || p.kind == T_PRAGMA_DPC || p.kind == T_PRAGMA_END) {
            put_back(l, p);
            return;
        }
        if (out != &l->before) {
            text_add_bytes(out, l->before.bytes ? l->before.bytes : "", l->before.length);
            l->before.length = 0;
        }
        text_add_bytes(out, p.text, p.length);
        if (p.kind == '(') depth++;
        if (p.kind == ')' && --depth == 0) return;
    }
}

/* __attribute__ ((...)): all of it becomes blank space. */
static void skip_call(lexer *l, piece word) {
    text_add_bytes(&l->before, word.text, word.length);
    piece p = next_piece(l);
    if (p.kind == '(')
        take_parentheses(l, p, &l->before);
    else
        put_back(l, p);
}

/* asm volatile (...): one token. */
static piece whole_asm(lexer *l, piece word, const char **before) {
    *before = arena_text(l->memory, text_of(&l->before), l->before.length);
    l->before.length = 0;
    text out;
    text_start(&out, l->memory);
    text_add_bytes(&out, word.text, word.length);
    piece p = next_piece(l);
    while (p.kind == T_NAME || p.kind == T_GOTO) {
        text_add_bytes(&out, text_of(&l->before), l->before.length);
        text_add_bytes(&out, p.text, p.length);
        l->before.length = 0;
        p = next_piece(l);
    }
    if (p.kind == '(')
        take_parentheses(l, p, &out);
    else
        put_back(l, p);
    word.kind = T_ASM;
    word.text = text_of(&out);
    word.length = out.length;
    return word;
}

/* --- words */

/* Lists them as keywords.def does. */
static void help_directives(arena *a) {
    text list;
    text_start(&list, a);
    for (size_t i = 0; i < DIRECTIVES; i++) text_format(&list, "%s%s", i ? ", " : "", directives[i].spelling);
    diagnose_help("directives are %s", text_of(&list));
}

/* Words of OpenMP and OpenACC for what dpcc does without a directive, or with 'independent'. */
static bool is_loop_word(const char *word) {
    return !strcasecmp(word, "parallel") || !strcasecmp(word, "for") || !strcasecmp(word, "loop") ||
           !strcasecmp(word, "forall");
}

static void unknown_directive(lexer *l, const piece *word) {
    const char *best = NULL;
    size_t least = 3;
    diagnose_place(word->where, D_unknown_directive, word->text);
    for (size_t i = 0; i < DIRECTIVES; i++) {
        size_t d = spelling_distance(word->text, directives[i].spelling);
        if (d < least) least = d, best = directives[i].spelling;
    }
    if (is_loop_word(word->text))
        diagnose_help("a loop is shared out without a directive, or with '#pragma dpc independent' before it");
    else if (best)
        diagnose_help("did you mean '%s'?", best);
    else
        help_directives(l->memory);
}

/* The first word of a directive.  All of an unknown one becomes one token. */
static piece directive_word(lexer *l, piece word) {
    for (size_t i = 0; i < DIRECTIVES; i++) {
        if (strcasecmp(word.text, directives[i].spelling) != 0) continue;
        word.kind = directives[i].kind;
        return word;
    }
    unknown_directive(l, &word);
    word.kind = T_UNKNOWN_DIRECTIVE;
    text rest;
    text_start(&rest, l->memory);
    text_add(&rest, word.text);
    for (piece p = next_piece(l);; p = next_piece(l)) {
        if (p.kind == 0 || p.kind == T_PRAGMA_DPC || p.kind == T_PRAGMA_END) {
            put_back(l, p);
            break;
        }
        text_add_bytes(&rest, text_of(&l->before), l->before.length);
        text_add(&rest, p.text);
        l->before.length = 0;
    }
    word.text = text_of(&rest);
    return word;
}

bool is_directive_word(const char *word) {
    for (size_t i = 0; i < DIRECTIVES; i++)
        if (strcasecmp(word, directives[i].spelling) == 0) return true;
    return false;
}

static int word_kind(const lexer *l, const char *word) {
    if (l->directive && strcasecmp(word, "onto") == 0) return T_ONTO;
    if (l->directive && strcasecmp(word, "with") == 0) return T_WITH;
    if (l->directive && strcmp(word, "auto") == 0) return T_NAME;
    const keyword *k = find_keyword(word);
    return k && (!k->alias || lexer_is_of_header(l, word)) ? k->kind : T_NAME;
}

/* --- tokens */

/* The innermost open use of that number; -1: its beginning went elsewhere. */
static long opened(const lexer *l, size_t number) {
    for (size_t k = l->opens; k-- > 0;)
        if (l->open[k].number == number) return (long)k;
    return -1;
}

/* A use whose last token is the last one read: it stands before those that it holds. */
static void add_use(source *s, const open_use *x) {
    const macro_use made = {x->name, x->first, (token_index)s->count - 1};
    size_t at = s->uses;
    vector_add(s->memory, s->use, s->uses, s->use_capacity, made);
    for (; at > 0 && s->use[at - 1].first >= made.first; at--) s->use[at] = s->use[at - 1];
    s->use[at] = made;
}

/* Executes the marks before the token that comes next. */
static void read_marks(lexer *l, const use_mark *m) {
    if (!m) return;
    read_marks(l, m->earlier);
    if (m->name) {
        const open_use made = {m->number, m->name, (token_index)l->unit->count};
        vector_add(l->memory, l->open, l->opens, l->open_capacity, made);
        return;
    }
    const long k = opened(l, m->number);
    if (k < 0) return;
    if (l->open[k].first < l->unit->count) add_use(l->unit, &l->open[k]);
    l->opens = (size_t)k;
}

static token_index add_token(lexer *l, const piece *p, const char *before) {
    source *s = l->unit;
    if (s->count + 1 >= NO_TOKEN) BUG("too many tokens");
    read_marks(l, p->marks);
    if (!p->from_macro) l->opens = 0;
    const position at = p->where;
    token t = {.kind = (int16_t)p->kind, .text = p->text, .before = before, .from_macro = p->from_macro};
    t.file = at.file, t.line = at.line, t.column = at.column, t.width = at.width;
    t.in_directive = l->directive || p->kind == T_PRAGMA_END;
    vector_add(s->memory, s->tokens, s->count, s->capacity, t);
    return (token_index)s->count - 1;
}

static const char *take_before(lexer *l) {
    const char *before = l->before.length ? arena_text(l->memory, l->before.bytes, l->before.length) : "";
    l->before.length = 0;
    return before;
}

/* `forall` is a keyword only before a parenthesis; elsewhere it may be a program's own name. */
static bool parenthesis_follows(lexer *l) {
    piece next = next_piece(l);
    put_back(l, next);
    return next.kind == '(';
}

/* Replaces a word's kind by what it means; false when it belongs to the blank space. */
static bool interpret(lexer *l, piece *p, const char **before) {
    if (p->kind != T_NAME) {
        *before = take_before(l);
        return true;
    }
    int kind = word_kind(l, p->text);
    if (l->directive_word) kind = T_NAME;
    if (kind == T_SKIPPED_WORD) {
        text_add_bytes(&l->before, p->text, p->length);
        return false;
    }
    if (kind == T_SKIPPED_CALL) {
        skip_call(l, *p);
        return false;
    }
    if (kind == T_ASM) {
        *p = whole_asm(l, *p, before);
        return true;
    }
    *before = take_before(l);
    p->kind = kind == T_FORALL && !parenthesis_follows(l) ? T_NAME : kind;
    if (l->directive_word) *p = directive_word(l, *p);
    return true;
}

int lexer_next(lexer *l, token_index *index) {
    if (l->named) {
        l->named = false;
        *index = (token_index)l->unit->count - 1;
        return lexer_is_typedef(l, l->unit->tokens[*index].text) ? T_TYPE : T_VARIABLE;
    }
    const char *before = "";
    piece p;
    do p = next_piece(l);
    while (!interpret(l, &p, &before));
    if (p.kind == T_PRAGMA_DPC) l->directive = true;
    *index = add_token(l, &p, before);
    l->directive_word = p.kind == T_PRAGMA_DPC;
    if (p.kind == T_PRAGMA_END) l->directive = false;
    l->named = p.kind == T_NAME;
    return p.kind;
}

lexer *lexer_new(arena *a, source *s, const char *preprocessed, const char **typedefs) {
    lexer *l = arena_alloc(a, sizeof *l);
    l->memory = a;
    l->unit = s;
    if (!s->memory) s->memory = a;
    text_start(&l->before, a);
    l->where = (position){s->path ? s->path : "", 1, 1, 0};
    l->line_start = true;
    scopes_open(l, typedefs);
    lexer_declare(l, "dpc_view", true); /* what extrinsic functions get */
    l->scanner = scan_open(l, preprocessed, strlen(preprocessed));
    return l;
}

void lexer_free(lexer *l) {
    if (l->scanner) scan_close(l->scanner);
    l->scanner = NULL;
}

static const char *class_of(const token *t) {
    if (t->kind == T_PRAGMA_DPC || t->kind == T_PRAGMA_END || t->kind == T_UNKNOWN_DIRECTIVE) return "directive";
    if (t->kind == T_NAME) return "name";
    if (t->kind == T_CONSTANT) return "constant";
    if (t->kind == T_STRING_LITERAL) return "string";
    if (t->kind == 0) return "end";
    return isalpha((unsigned char)t->text[0]) || t->text[0] == '_' ? "keyword" : "punctuator";
}

void tokens_print(FILE *out, const source *s) {
    for (size_t i = 0; i < s->count; i++) {
        const token *t = &s->tokens[i];
        fprintf(out, "%s:%d:%d %s %s\n", t->file, t->line, t->column, class_of(t), t->text);
    }
}
