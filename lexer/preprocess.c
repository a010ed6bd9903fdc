/* Preprocessing in two steps (docs/internals.md): writes the text that the lexer reads. */
#include <string.h>

#include "preprocess.h"

/* The text being written.  `where` is the place that the reader of the text takes the next byte to have; `line_start`:
 * only blank space stands on the output's line so far. */
typedef struct {
    arena *memory;
    macro_table *macros;
    text out;
    position where;
    bool line_start;
    pp_token last;      /* the token written last, if nothing stands after it */
    size_t spent, made; /* tokens made by the use of a macro under way, and since `scratch` is new */
    arena *scratch;     /* for expansion, and for lists of tokens that are looked at once */
    bool in_directive;
    int counter;
    word_set *constants; /* the names of macros that stay */
    size_t uses;         /* of these */
} writer;

/* --- writing tokens */

static bool same_file(const char *x, const char *y) {
    return x == y || (x && y && strcmp(x, y) == 0);
}

static void write_marker(writer *w, position where) {
    text_format(&w->out, "# %d \"", where.line);
    for (const char *p = where.file; *p; p++) {
        if (*p == '"' || *p == '\\') text_add(&w->out, "\\");
        text_add_bytes(&w->out, p, 1);
    }
    text_add(&w->out, "\"\n");
    w->where = (position){where.file, where.line, 1, 0};
}

/* Makes the reader of the text believe that what follows stands at `where`. */
static void write_place(writer *w, position where) {
    if (!where.file) where.file = w->where.file;
    bool at_start = w->out.length == 0 || w->out.bytes[w->out.length - 1] == '\n';
    if (!same_file(w->where.file, where.file) && !at_start) {
        text_add(&w->out, "\n");
        at_start = true;
    }
    bool moved = !same_file(w->where.file, where.file) || w->where.line != where.line;
    if (at_start && moved) write_marker(w, where);
    if (w->where.line == where.line && w->where.column == where.column && w->where.width == where.width) return;
    text_format(&w->out, "%c%d,%d,%d%c", PLACE_MARK, where.line, where.column, where.width, PLACE_END);
    w->where = where;
}

/* Bytes 1 to 6, which have a meaning in preprocessed text, are written as escapes in quoted tokens, else as DEL. */
static void write_bytes(writer *w, const pp_token *t) {
    for (size_t i = 0; i < t->length; i++) {
        unsigned char c = (unsigned char)t->text[i];
        if (c > LAST_MARK) continue;
        for (size_t k = 0; k < t->length; k++) {
            c = (unsigned char)t->text[k];
            if (c > LAST_MARK)
                text_add_bytes(&w->out, t->text + k, 1);
            else if (t->kind == PP_QUOTED && c)
                text_format(&w->out, "\\%03o", c);
            else
                text_add(&w->out, pp_is_blank(t) ? " " : "\177");
        }
        return;
    }
    text_add_bytes(&w->out, t->text, t->length);
}

/* Would the two, written together, be read as something else? */
static bool run_together(arena *a, const pp_token *left, const pp_token *right) {
    if (!left->length) return false;
    char *joined = arena_alloc(a, left->length + right->length + 1);
    memcpy(joined, left->text, left->length);
    memcpy(joined + left->length, right->text, right->length);
    pp_reader r = {joined, joined + left->length + right->length, NULL, 1, 1};
    return pp_next(&r).length != left->length;
}

static void write_token(writer *w, const pp_token *t) {
    bool expanded = (t->where.width || w->last.where.width) && !pp_is_blank(t);
    if (expanded && (t->space_before || run_together(w->scratch, &w->last, t))) {
        text_add(&w->out, " ");
        if (w->where.width == 0) w->where.column++;
    }
    write_place(w, t->where);
    write_bytes(w, t);
    for (size_t i = 0; i < t->length && !t->where.width; i++) {
        if (t->text[i] == '\n')
            w->where.line++, w->where.column = 1;
        else
            w->where.column++;
    }
    if (t->kind == PP_NEWLINE)
        w->line_start = true;
    else if (t->kind != PP_BLANK)
        w->line_start = false;
    w->last = pp_is_blank(t) ? (pp_token){.kind = PP_BLANK} : *t;
}

/* --- macros that have to be re-emitted */

/* Adds the words of a header's conditional lines. */
static void add_condition_words(word_set *words, const char *file) {
    const char *line;
    for (int number = 1; (line = source_line(file, number)); number++) {
        line += strspn(line, " \t");
        if (*line != '#') continue;
        const char *word = line + 1 + strspn(line + 1, " \t");
        if (strncmp(word, "if", 2) != 0 && strncmp(word, "elif", 4) != 0 && strncmp(word, "include", 7) != 0) continue;
        pp_reader r = {word, word + strlen(word), NULL, 1, 1};
        for (pp_token t = pp_next(&r); t.kind != PP_END; t = pp_next(&r))
            if (t.kind == PP_NAME) pp_words_add(words, t.text, t.length);
    }
}

/* Writes a line of its own that no macro expansion or later pass touches. */
static void write_line(writer *w, const char *line, position where) {
    pp_token t = {.kind = PP_LINE, .text = line, .length = strlen(line), .where = where};
    bool at_start = w->out.length == 0 || w->out.bytes[w->out.length - 1] == '\n';
    if (!at_start) text_add(&w->out, "\n");
    if (!at_start) w->where.line = -1;
    write_token(w, &t);
    w->line_start = true;
    w->last = (pp_token){.kind = PP_NEWLINE};
}

/* Before a system include: writes the definitions of the user's macros that the header tests (_GNU_SOURCE, NDEBUG). */
static void write_tested_macros(writer *w, const word_set *headers, position where) {
    word_set *words = NULL;
    for (size_t i = 0; i < macros_count(w->macros); i++) {
        macro *m = macros_at(w->macros, i);
        if (!m->defined || m->system || m->written) continue;
        if (!words) {
            words = pp_words_new(w->memory);
            const char **files = pp_words_list(w->memory, headers);
            for (; *files; files++) add_condition_words(words, *files);
        }
        if (!pp_words_have(words, m->name, m->name_length)) continue;
        size_t length = m->definition_length;
        while (length && m->definition[length - 1] == ' ') length--;
        write_line(w, arena_format(w->memory, "#define %.*s\n", (int)length, m->definition), where);
        m->written = true;
    }
}

/* --- directives */

/* The line of a macro that stays, as it was written. */
static const char *definition_line(const writer *w, const macro *m, position where) {
    const char *line = source_line(where.file, where.line);
    const size_t length = line ? strlen(line) : 0;
    if (length > 0 && line[length - 1] != '\\' && strstr(line, "define") && !strstr(line, "/*") == !strstr(line, "*/"))
        return arena_format(w->memory, "%s\n", line);
    return arena_format(w->memory, "#define %.*s\n", (int)m->definition_length, m->definition);
}

static void define(writer *w, const pp_token *t) {
    pp_list parts = pp_cut(w->scratch, t->text, t->length, t->where);
    for (size_t i = 0; i < parts.count; i++) {
        if (parts.items[i].kind != PP_NAME) continue;
        macro *old = macros_find(w->macros, parts.items[i].text, parts.items[i].length);
        if (old && old->stays) return;
        if (old && old->written && !t->system)
            write_line(w, arena_format(w->memory, "#undef %.*s\n", (int)old->name_length, old->name), t->where);
        break;
    }
    macro *made = macros_define(w->macros, t->text, t->length, t->system);
    if (!made || t->system || !pp_words_have(w->constants, made->name, made->name_length)) return;
    made->stays = made->written = true;
    write_line(w, definition_line(w, made, t->where), t->where);
}

/* #undef; the user's is written where the C compiler knows the macro, too. */
static void undefine(writer *w, const pp_token *t) {
    macro *m = macros_find(w->macros, t->text, t->length);
    if (!m) return;
    if (!t->system && (m->written || m->system))
        write_line(w, arena_format(w->memory, "#undef %.*s\n", (int)t->length, t->text), t->where);
    m->defined = false;
}

static void write_pragma(writer *w, const pp_token *t, position rest);

/* `_Pragma("dpc ...")`: reads what follows the word; tokens that turn out to be something else are written as they are.
 */
static void pragma_operator(writer *w, expander *e, const pp_token *word) {
    pp_token read[16] = {*word};
    size_t count = 1, solid = 1;
    while (count < 16 && solid < 4) {
        read[count] = macro_next(e);
        if (read[count].kind == PP_END) break;
        solid += !pp_is_blank(&read[count++]);
    }
    const pp_token *string = NULL;
    for (size_t i = 1; i < count; i++)
        if (read[i].kind == PP_QUOTED) string = &read[i];
    pp_reader inside = {0};
    if (solid == 4 && pp_is(&read[count - 1], ")") && string) {
        const char *bytes = string->text + 1;
        inside = (pp_reader){bytes, bytes + string->length - 2, word->where.file, word->where.line, word->where.column};
    }
    pp_token first = pp_next(&inside);
    while (first.kind == PP_BLANK) first = pp_next(&inside);
    if (first.kind == PP_NAME && pp_is_dpc(&first)) {
        pp_token pragma = *word;
        pragma.text = inside.at;
        pragma.length = (size_t)(inside.end - inside.at);
        position rest = string->where;
        if (!rest.width) rest.width = (int)string->length;
        write_pragma(w, &pragma, rest);
        return;
    }
    for (size_t i = 0; i < count; i++) write_token(w, &read[i]);
}

/* Is this blank space that the compiler leaves where it has executed a directive? */
static bool is_left_blank(const writer *w, const pp_token *t) {
    if (!w->line_start || (t->kind != PP_NEWLINE && t->kind != PP_BLANK)) return false;
    const char *line = t->where.file ? source_line(t->where.file, t->where.line) : NULL;
    if (!line || t->kind == PP_NEWLINE) return line && line[strspn(line, " \t\f\v\r")] != '\0';
    return t->where.column == 1 && !strchr(" \t\f\v\r", *line);
}

static void write_mark(writer *w, const pp_token *t) {
    if (t->kind == PP_USE)
        text_format(&w->out, "%c%zu,%.*s%c", USE_BEGIN, t->number, (int)t->length, t->text, PLACE_END);
    else
        text_format(&w->out, "%c%zu%c", USE_END, t->number, PLACE_END);
}

static void write_any(writer *w, expander *e, const pp_token *t) {
    if (t->kind == PP_DEFINE)
        define(w, t);
    else if (t->kind == PP_UNDEF)
        undefine(w, t);
    else if (t->kind == PP_PRAGMA)
        write_pragma(w, t, ((const pp_token *)t->extra)->where);
    else if (t->kind == PP_INCLUDE)
        write_tested_macros(w, t->extra, t->where), write_line(w, t->text, t->where);
    else if (t->kind == PP_NAME && pp_is(t, "_Pragma"))
        pragma_operator(w, e, t);
    else if (pp_is_mark(t))
        write_mark(w, t);
    else if (!is_left_blank(w, t) && !pp_is(t, "\r"))
        write_token(w, t);
}

/* Between two uses of macros: frees what expansion has used now and then. */
static void end_expansion(writer *w, expander *e) {
    enum { TOKENS_KEPT = 20000 };
    w->made += w->spent;
    w->spent = 0;
    if (w->made < TOKENS_KEPT || w->in_directive) return;
    w->made = 0;
    w->last = (pp_token){.kind = w->last.kind,
                         .text = arena_text(w->memory, w->last.text ? w->last.text : "", w->last.length),
                         .length = w->last.length,
                         .where = w->last.where};
    arena_free(w->scratch);
    w->scratch = e->memory = arena_new();
    e->pending = e->deferred = (pp_list){0};
}

static void write_all(writer *w, const pp_list *tokens) {
    expander e = {.memory = w->scratch,
                  .macros = w->macros,
                  .base = tokens->items,
                  .base_count = tokens->count,
                  .spent = &w->spent,
                  .counter = &w->counter,
                  .uses = &w->uses};
    for (pp_token t = macro_next(&e); t.kind != PP_END; t = macro_next(&e)) {
        write_any(w, &e, &t);
        if (!e.pending.count && !e.deferred.count) end_expansion(w, &e);
    }
}

/* A dpc directive: its words are expanded, comments in it dropped.  `rest` is the place of what follows the word dpc.
 */
static void write_pragma(writer *w, const pp_token *t, position rest) {
    pp_list parts = pp_cut(w->scratch, t->text, t->length, rest), kept = {0};
    for (size_t i = 0; i < parts.count; i++) {
        pp_token part = parts.items[i];
        if (part.kind == PP_COMMENT || part.kind == PP_NEWLINE)
            part = (pp_token){.kind = PP_BLANK, .text = " ", .length = 1, .where = part.where};
        if (rest.width) part.where = rest;
        vector_add(w->scratch, kept.items, kept.count, kept.capacity, part);
    }
    bool operator= t->kind == PP_NAME;
    if (operator&& !w->line_start) text_add(&w->out, "\n");
    position start = t->where;
    start.width = 11;
    write_place(w, start);
    text_format(&w->out, "%c", DIRECTIVE_BEGIN);
    w->line_start = false;
    w->last = (pp_token){.kind = PP_BLANK};
    w->in_directive = true;
    write_all(w, &kept);
    w->in_directive = false;
    text_format(&w->out, "%c%s", DIRECTIVE_END, operator? "\n" : "");
    w->where.line = -1;
    w->last = (pp_token){.kind = PP_BLANK};
    w->line_start = operator;
}

/* --- headers that make their types by macros */

/* Headers that don't. */
static const char plain_headers[] =
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h "
    "stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h "
    "tgmath.h threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h dirent.h getopt.h pthread.h regex.h sched.h "
    "malloc.h sys/types.h sys/stat.h sys/time.h sys/resource.h sys/wait.h sys/mman.h sys/utsname.h mpi.h omp.h ";

static bool is_plain_header(const pp_token *include) {
    const char *name = memchr(include->text, '<', include->length), *end;
    if (!name || !(end = memchr(name, '>', include->length - (size_t)(name - include->text)))) return true;
    const size_t length = (size_t)(end - name - 1);
    for (const char *at = plain_headers; (at = strchr(at, ' ')) && at[1]; at++)
        if (!strncmp(at + 1, name + 1, length) && at[1 + length] == ' ') return true;
    return false;
}

/* FFTW's fftw_plan is a type when all macros are expanded only. */
static void add_expanded_types(arena *a, const char *path, const preprocess_options *options, const user_text *user) {
    bool plain = true;
    size_t length;
    for (size_t k = 0; k < user->tokens.count; k++)
        if (user->tokens.items[k].kind == PP_INCLUDE) plain = plain && is_plain_header(&user->tokens.items[k]);
    const char *bytes = plain ? NULL : run_compiler_fully(a, path, options, &length);
    if (!bytes) return;
    arena *tokens = arena_new();
    const user_text expanded = split_user_text(a, tokens, bytes, length, false);
    for (const char **name = pp_words_list(a, expanded.typedefs); *name; name++)
        pp_words_add(user->typedefs, *name, strlen(*name));
    arena_free(tokens);
}

/* --- the whole */

const char *preprocess(arena *a, const char *path, const preprocess_options *options, const char ***typedefs,
                       header_names **names) {
    size_t length;
    const char *bytes = run_compiler(a, path, options, &length);
    if (!bytes) return NULL;
    arena *tokens = arena_new();
    user_text user = split_user_text(a, tokens, bytes, length, options && options->trigraphs);
    writer w = {.memory = a, .macros = macros_new(a), .line_start = true, .where = {path, 1, 1, 0}};
    w.scratch = arena_new();
    w.constants = constant_macros(a, &user.tokens);
    text_start(&w.out, a);
    write_marker(&w, w.where);
    write_all(&w, &user.tokens);
    arena_free(w.scratch);
    add_expanded_types(a, path, options, &user);
    arena_free(tokens);
    harvest_macros(user.typedefs, w.macros);
    *typedefs = pp_words_list(a, user.typedefs);
    *names = header_names_new(a, path, options, user.names, w.macros);
    return text_of(&w.out);
}

const char *preprocess_plain(arena *a, const char *preprocessed) {
    text out;
    text_start(&out, a);
    for (const char *p = preprocessed; *p; p++) {
        if (*p == PLACE_MARK || *p == USE_BEGIN || *p == USE_END)
            p += strcspn(p, "\002\n");
        else if (*p == DIRECTIVE_BEGIN)
            text_add(&out, "#pragma dpc");
        else if (*p != DIRECTIVE_END)
            text_add_bytes(&out, p, 1);
        if (!*p) break;
    }
    return text_of(&out);
}
