/* Cuts the output of `cc -E -fdirectives-only` into the user's text and the rest. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "preprocess.h"

/* A file that is being read: `system` holds for everything that a system header includes, too. */
typedef struct {
    const char *name;
    bool system, builtin;
} open_file;

typedef struct {
    arena *memory, *token_memory;
    pp_reader reader;
    user_text result;
    harvester typedefs;
    open_file *files;
    size_t file_count, file_capacity;
    word_set *headers;      /* the files read since the user's text was left; NULL in it */
    pp_token outermost;     /* the name of the first of them in its #include */
    pp_token include;       /* the name in the #include just seen, of length 0 once what it includes is known */
    word_set *system_names; /* names in #includes of system headers */
    bool trigraphs;
    bool line_start;
} splitter;

static open_file *current(splitter *s) {
    return &s->files[s->file_count - 1];
}

static void add(splitter *s, pp_token t) {
    pp_list *to = &s->result.tokens;
    vector_add(s->token_memory, to->items, to->count, to->capacity, t);
}

/* --- the user's own lines */

/* The user's line, continued where it ends with a backslash.  NULL: unknown. */
static const char *logical_line(arena *a, position where, bool trigraphs) {
    text whole;
    text_start(&whole, a);
    const char *part = source_line(where.file, where.line);
    if (!part) return NULL;
    for (;; part = source_line(where.file, ++where.line)) {
        if (!part) break;
        if (whole.length) text_add(&whole, "\n");
        text_add(&whole, part);
        size_t length = strlen(part);
        while (length && isspace((unsigned char)part[length - 1])) length--;
        if (!length || part[length - 1] != '\\') break;
    }
    size_t length = whole.length;
    const char *spelled = spell_tokens(a, text_of(&whole), &length, trigraphs);
    return arena_text(a, spelled, length);
}

static pp_token next_solid(pp_reader *r) {
    pp_token t = pp_next(r);
    while (t.kind == PP_BLANK || t.kind == PP_COMMENT) t = pp_next(r);
    return t;
}

/* `# word`, with the reader behind it afterwards; PP_END where the text is something else. */
static pp_token directive_word(pp_reader *r) {
    pp_token t = next_solid(r);
    if (!pp_is(&t, "#")) return (pp_token){.kind = PP_END};
    return next_solid(r);
}

/* --- includes: with -dI the compiler leaves each #include before what it includes */

/* Is the header of that spelling one of the system's?  Known only once it has been read. */
static bool is_system_header(const splitter *s, const pp_token *name) {
    return pp_words_have(s->system_names, name->text, name->length);
}

static void add_include(splitter *s, const pp_token *name, word_set *headers) {
    const char *directive = arena_format(s->memory, "#include %.*s\n", (int)name->length, name->text);
    add(s, (pp_token){.kind = PP_INCLUDE,
                      .text = directive,
                      .length = strlen(directive),
                      .extra = headers,
                      .where = name->where});
}

/* What has been included was not read, since its guard says that it has been: a system header is still re-emitted. */
static void skipped_include(splitter *s) {
    if (!current(s)->system && is_system_header(s, &s->include)) add_include(s, &s->include, pp_words_new(s->memory));
    s->include.length = 0;
}

/* `<x.h>` or `"x.h"` after #include. */
static void include_line(splitter *s, const pp_token *hash, const char *rest, size_t length) {
    size_t start = strspn(rest, " \t");
    const char *close =
        start < length ? memchr(rest + start + 1, rest[start] == '<' ? '>' : '"', length - start - 1) : NULL;
    if (!close) return;
    s->include = (pp_token){.text = rest + start, .length = (size_t)(close - rest) + 1 - start, .where = hash->where};
}

/* --- line markers */

static void enter_header(splitter *s, const char *name) {
    if (s->include.length) pp_words_add(s->system_names, s->include.text, s->include.length);
    if (!s->headers) {
        s->headers = pp_words_new(s->memory);
        s->outermost = s->include;
        if (!s->include.length) {
            s->outermost.text = arena_format(s->memory, "\"%s\"", name);
            s->outermost.length = strlen(s->outermost.text);
            s->outermost.where = (position){s->reader.file, 1, 1, 0};
        }
    }
    pp_words_add(s->headers, name, strlen(name));
}

/* Back in the user's text: the include that has been left becomes one token. */
static void leave_headers(splitter *s) {
    static const char implicit[] = "stdc-predef.h";
    const pp_token *name = &s->outermost;
    size_t length = sizeof implicit - 1;
    bool is_implicit = name->length > length && memcmp(name->text + name->length - length - 1, implicit, length) == 0;
    if (!is_implicit) add_include(s, &s->outermost, s->headers);
    s->headers = NULL;
}

/* Reads `"name" flags` after a marker's number; the name unescaped. */
static const char *marker_name(splitter *s, const char *p, const char **flags) {
    text name;
    text_start(&name, s->memory);
    p = strchr(p, '"');
    for (p = p ? p + 1 : ""; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1]) p++;
        text_add_bytes(&name, p, 1);
    }
    *flags = *p ? p + 1 : p;
    return text_of(&name);
}

/* mpi.h is the system's, wherever it is installed. */
static bool is_mpi_header(const char *name) {
    const size_t length = strlen(name);
    return length >= 6 && !strcmp(name + length - 6, "/mpi.h");
}

/* `# number "name" flags`: 1 enters a file, 2 returns to one, 3 marks a system header. */
static void marker(splitter *s, const char *line_text) {
    const char *flags, *name = marker_name(s, line_text, &flags);
    int line = atoi(line_text);
    bool enters = strstr(flags, " 1") != NULL, returns = strstr(flags, " 2") != NULL;
    if (returns && s->file_count > 1) s->file_count--;
    if (enters || s->file_count == 0) {
        bool inherited = s->file_count > 0 && current(s)->system;
        vector_add(s->memory, s->files, s->file_count, s->file_capacity, ((open_file){name, inherited, false}));
        if (strstr(flags, " 3") || is_mpi_header(name)) current(s)->system = true;
    }
    open_file *file = current(s);
    if (strcmp(file->name, name) != 0) file->name = name;
    file->builtin = strcmp(name, "<built-in>") == 0;
    if (file->system && enters) enter_header(s, name);
    if (!file->system && s->headers) leave_headers(s);
    if (enters) s->include.length = 0;
    s->reader.file = file->name;
    s->reader.line = line;
    s->reader.column = 1;
}

/* --- directives */

/* The rest of the line as text; the reader then stands at its newline. */
static const char *rest_of_line(splitter *s, size_t *length) {
    pp_reader *r = &s->reader;
    const char *start = r->at, *end = memchr(start, '\n', (size_t)(r->end - start));
    if (!end) end = r->end;
    r->column += (int)(end - start);
    r->at = end;
    *length = (size_t)(end - start);
    return start;
}

/* If `line` (from `where`) is `#pragma dpc ...`, adds it as a token. */
static bool add_pragma(splitter *s, const char *line, position where) {
    pp_reader r = {line, line + strlen(line), where.file, where.line, where.column};
    pp_token hash = next_solid(&r);
    pp_reader after = {line, line + strlen(line), where.file, where.line, where.column};
    pp_token word = directive_word(&after);
    if (!pp_is(&word, "pragma") || word.kind != PP_NAME) return false;
    pp_token dpc = next_solid(&after);
    if (dpc.kind != PP_NAME || !pp_is_dpc(&dpc)) return false;
    pp_token t = {.kind = PP_PRAGMA, .text = after.at, .length = (size_t)(after.end - after.at), .where = hash.where};
    pp_token *rest = arena_alloc(s->memory, sizeof *rest);
    rest->where = (position){after.file, after.line, after.column, 0};
    t.extra = rest;
    add(s, t);
    return true;
}

/* A #pragma of the user's, taken from the user's own file if it is found there, else from the compiler's version. */
static void pragma_line(splitter *s, position where, const char *text_there, size_t length) {
    const char *own = logical_line(s->memory, where, s->trigraphs);
    if (own && add_pragma(s, own, (position){where.file, where.line, 1, 0})) return;
    if (add_pragma(s, arena_text(s->memory, text_there, length), where)) return;
    warn_of_pragma(s->memory, own ? own : arena_text(s->memory, text_there, length), where);
    add(s, (pp_token){.kind = PP_LINE, .text = text_there, .length = length, .where = where});
}

/* Skips the newline that the reader stands at. */
static void skip_newline(splitter *s) {
    if (s->reader.at >= s->reader.end) return;
    pp_next(&s->reader);
}

/* A # at the start of a line.  One that is spelled otherwise still stands in a header only (spell_directives). */
static void directive(splitter *s, const pp_token *hash) {
    if (hash->length > 1 && !current(s)->system)
        diagnose_place(hash->where, D_syntax, "a header's directives begin with '#'");
    bool system = current(s)->system || current(s)->builtin;
    pp_token word = next_solid(&s->reader);
    if (word.kind != PP_NUMBER && s->include.length) skipped_include(s);
    if (word.kind == PP_NUMBER) {
        size_t length;
        const char *rest = rest_of_line(s, &length);
        marker(s, arena_text(s->memory, word.text, (size_t)(rest + length - word.text)));
        if (s->reader.at < s->reader.end) s->reader.at++;
        return;
    }
    if (word.kind == PP_NEWLINE || word.kind == PP_END) {
        s->reader.at = word.text;
        if (word.kind == PP_NEWLINE) s->reader.line--;
        return;
    }
    size_t length;
    const char *rest = rest_of_line(s, &length);
    if (pp_is(&word, "include") || pp_is(&word, "include_next") || pp_is(&word, "import")) {
        include_line(s, hash, rest, length);
        skip_newline(s);
        return;
    }
    size_t whole = (size_t)(rest + length - hash->text);
    if (pp_is(&word, "define")) {
        add(s, (pp_token){.kind = PP_DEFINE, .text = rest, .length = length, .where = hash->where, .system = system});
        skip_newline(s);
    } else if (pp_is(&word, "undef")) {
        pp_list name = pp_cut(s->memory, rest, length, hash->where);
        for (size_t i = 0; i < name.count; i++)
            if (name.items[i].kind == PP_NAME)
                add(s, (pp_token){.kind = PP_UNDEF,
                                  .text = name.items[i].text,
                                  .length = name.items[i].length,
                                  .where = hash->where,
                                  .system = system});
        skip_newline(s);
    } else if (!system && pp_is(&word, "pragma")) {
        pragma_line(s, hash->where, hash->text, whole);
    } else if (!system) {
        add(s, (pp_token){.kind = PP_LINE, .text = hash->text, .length = whole, .where = hash->where});
    }
}

user_text split_user_text(arena *a, arena *tokens, const char *text_there, size_t length, bool trigraphs) {
    const char *bytes = spell_tokens(a, text_there, &length, trigraphs);
    splitter s = {.memory = a,
                  .token_memory = tokens,
                  .reader = {bytes, bytes + length, "", 1, 1},
                  .line_start = true,
                  .trigraphs = trigraphs};
    s.result.typedefs = pp_words_new(a);
    s.result.names = pp_words_new(a);
    s.system_names = pp_words_new(a);
    s.typedefs = (harvester){.names = s.result.typedefs, .memory = a};
    vector_add(a, s.files, s.file_count, s.file_capacity, ((open_file){"", false, false}));
    for (;;) {
        pp_token t = pp_next(&s.reader);
        if (t.kind == PP_END) break;
        if (s.line_start && pp_is(&t, "#")) {
            directive(&s, &t);
            continue;
        }
        if (s.include.length) skipped_include(&s);
        s.line_start = t.kind == PP_NEWLINE || (s.line_start && pp_is_blank(&t));
        if (current(&s)->system) {
            harvest_token(&s.typedefs, &t);
            if (t.kind == PP_NAME) pp_words_add(s.result.names, t.text, t.length);
        } else if (!current(&s)->builtin) {
            add(&s, t);
        }
    }
    return s.result;
}
