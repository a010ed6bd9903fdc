/* Runs the C compiler's preprocessor on a file of the user's. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../ir/diagnostic_json.h"
#include "preprocess.h"

/* A command being put together. */
typedef struct {
    arena *memory;
    const char **words;
    size_t count, capacity;
} command;

static void add(command *c, const char *word) {
    vector_add(c->memory, c->words, c->count, c->capacity, word);
}

/* Adds the words of a text, which blanks separate. */
static void add_words(command *c, const char *words) {
    for (const char *p = words; *p;) {
        p += strspn(p, " \t");
        size_t length = strcspn(p, " \t");
        if (length) add(c, arena_text(c->memory, p, length));
        p += length;
    }
}

static const char directives_only[] = "-E -fdirectives-only -dI -x c";

/* One run.  With `input` not negative the text comes from there instead of from `path`: by a name whose folder has no
 * headers, as the compiler looks there first. */
static const char *run_as(arena *a, const char *compiler, const char *how, const char *path,
                          const preprocess_options *options, int input, size_t *length, const char **messages) {
    command c = {.memory = a};
    if (strchr(compiler, '/') && access(compiler, X_OK) == 0)
        add(&c, compiler);
    else
        add_words(&c, compiler);
    add_words(&c, how);
    if (isatty(STDERR_FILENO)) add(&c, "-fdiagnostics-color=always");
    const char *slash = strrchr(path, '/');
    if (input >= 0) {
        add(&c, "-iquote");
        add(&c, slash ? arena_text(a, path, (size_t)(slash - path) + 1) : ".");
    }
    for (size_t i = 0; options && i < options->count; i++) add(&c, options->arguments[i]);
    add(&c, input >= 0 ? "/dev/stdin" : path);
    add(&c, NULL);
    return command_output(a, c.words, input, length, messages);
}

/* --- text that is not the file's own */

/* The whole file behind a line marker with its name. */
static void read_file(text *whole, const char *path) {
    text_add(whole, "# 1 \"");
    for (const char *p = path; *p; p++) {
        if (*p == '"' || *p == '\\') text_add(whole, "\\");
        text_add_bytes(whole, p, 1);
    }
    text_add(whole, "\"\n");
    const char *line;
    for (int i = 1; (line = source_line(path, i)); i++) {
        text_add(whole, line);
        text_add(whole, "\n");
    }
}

/* Its spelling, behind the line marker, as the compiler knows it; false where that is its own. */
static bool spell(text *whole, const preprocess_options *options) {
    size_t head = strcspn(whole->bytes, "\n") + 1, length = whole->length - head;
    bool changed = spell_directives(whole->bytes + head, &length, options && options->trigraphs);
    whole->length = head + length;
    return changed;
}

/* A file in memory with that text, -1: there is none. */
static int file_of(const char *bytes, size_t length) {
    int file = memfd_create("dpcc", MFD_CLOEXEC);
    for (size_t at = 0; file >= 0 && at < length;) {
        ssize_t written = write(file, bytes + at, length - at);
        if (written <= 0) return close(file), -1;
        at += (size_t)written;
    }
    if (file >= 0) lseek(file, 0, SEEK_SET);
    return file;
}

static const char *run_on_text(arena *a, const char *compiler, const char *how, const char *path, const text *whole,
                               const preprocess_options *options, size_t *length, const char **messages) {
    int input = file_of(whole->bytes, whole->length);
    if (input < 0) return *messages = "dpcc: error: out of memory\n", NULL;
    const char *output = run_as(a, compiler, how, path, options, input, length, messages);
    close(input);
    return output;
}

/* Something that can be read only once, or that gcc's parts, which tell one another its name, take for a file of
 * options. */
static bool needs_reading(const char *path) {
    struct stat s;
    const char *slash = strrchr(path, '/');
    return (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) || (slash ? slash + 1 : path)[0] == '@';
}

/* Its text as the compiler can read it. */
static const char *run(arena *a, const char *compiler, const char *how, const char *path,
                       const preprocess_options *options, size_t *length, const char **messages) {
    text whole;
    text_start(&whole, a);
    read_file(&whole, path);
    if (!spell(&whole, options) && !needs_reading(path))
        return run_as(a, compiler, how, path, options, -1, length, messages);
    return run_on_text(a, compiler, how, path, &whole, options, length, messages);
}

/* --- quotation marks that aren't closed on their line.  -fdirectives-only takes them for an error even in text that
 * #if leaves out (don't), so the file is read once more without them. */

/* Blanks the quotation marks in `bytes` that open nothing; they are added to `marks`. */
static void blank_marks(arena *a, const char *path, char *bytes, size_t length, pp_list *marks) {
    const char *start = arena_text(a, bytes, length);
    pp_list tokens = pp_cut(a, start, length, (position){path, 1, 1, 0});
    for (size_t i = 0; i < tokens.count; i++) {
        pp_token *t = &tokens.items[i];
        if (t->kind != PP_OTHER || (*t->text != '"' && *t->text != '\'')) continue;
        bytes[t->text - start] = ' ';
        t->where.width = (int)strcspn(t->text, "\n");
        vector_add(a, marks->items, marks->count, marks->capacity, *t);
    }
}

/* Does a line of the user's file come out of preprocessing? */
static bool is_active(const user_text *user, const pp_token *mark) {
    for (size_t i = 0; i < user->tokens.count; i++) {
        const pp_token *t = &user->tokens.items[i];
        bool same_line =
            t->where.line == mark->where.line && t->where.file && strcmp(t->where.file, mark->where.file) == 0;
        if (same_line && !pp_is_blank(t)) return true;
    }
    return false;
}

/* Reports the marks on lines that are not left out; returns how many. */
static size_t report_marks(const user_text *user, const pp_list *marks) {
    size_t reported = 0;
    for (size_t i = 0; i < marks->count; i++) {
        const pp_token *mark = &marks->items[i];
        if (!is_active(user, mark)) continue;
        diagnose_place(mark->where, D_unterminated, *mark->text == '"' ? "string" : "character constant");
        reported++;
    }
    return reported;
}

/* Runs the compiler on the file without its stray quotation marks.  *reported says whether errors have been. */
static const char *run_without_marks(arena *a, const char *compiler, const char *path,
                                     const preprocess_options *options, size_t *length, bool *reported) {
    text whole;
    pp_list marks = {0};
    const char *messages;
    text_start(&whole, a);
    read_file(&whole, path);
    spell(&whole, options);
    size_t head = strcspn(whole.bytes, "\n") + 1;
    blank_marks(a, path, whole.bytes + head, whole.length - head, &marks);
    if (!marks.count) return NULL;
    const char *output = run_on_text(a, compiler, directives_only, path, &whole, options, length, &messages);
    if (!output) return NULL;
    user_text user = split_user_text(a, a, output, *length, options && options->trigraphs);
    *reported = report_marks(&user, &marks) > 0;
    return *reported ? NULL : output;
}

/* --- OpenMP and OpenACC: with these switched on, -fdirectives-only leaves the program's own directives out */

static bool is_pragma_switch(const char *argument) {
    return !strncmp(argument, "-fopenmp", 8) || !strncmp(argument, "-fopenacc", 9);
}

/* Adds -DNAME=VALUE where the compiler defines the macro with these options. */
static void add_definition(arena *a, command *c, const char *definitions, const char *name) {
    const char *start = arena_format(a, "#define %s ", name), *found = definitions ? strstr(definitions, start) : NULL;
    if (!found) return;
    found += strlen(start);
    add(c, arena_format(a, "-D%s=%.*s", name, (int)strcspn(found, "\n"), found));
}

/* The same options, with the macros that the switches define in place of the switches. */
static const preprocess_options *without_switches(arena *a, const char *compiler, const preprocess_options *options) {
    bool any = false;
    for (size_t k = 0; options && k < options->count; k++) any = any || is_pragma_switch(options->arguments[k]);
    if (!any) return options;
    size_t length;
    const char *messages,
        *definitions = run_as(a, compiler, "-E -dM -x c", "/dev/null", options, -1, &length, &messages);
    command c = {.memory = a};
    for (size_t k = 0; k < options->count; k++)
        if (!is_pragma_switch(options->arguments[k])) add(&c, options->arguments[k]);
    add_definition(a, &c, definitions, "_OPENMP");
    add_definition(a, &c, definitions, "_OPENACC");
    preprocess_options *changed = arena_alloc(a, sizeof *changed);
    *changed = *options;
    changed->arguments = c.words;
    changed->count = c.count;
    return changed;
}

const char *run_compiler(arena *a, const char *path, const preprocess_options *options, size_t *length) {
    const char *compiler = options && options->compiler ? options->compiler : "cc", *messages;
    options = without_switches(a, compiler, options);
    const char *output = run(a, compiler, directives_only, path, options, length, &messages);
    if (!output && strstr(messages, "-fdirectives-only"))
        output = run(a, compiler = "gcc", directives_only, path, options, length, &messages);
    if (!output && strstr(messages, "unterminated literal")) {
        bool reported = false;
        output = run_without_marks(a, compiler, path, options, length, &reported);
        if (output || reported) return output;
    }
    pass_on_messages(messages);
    return output;
}

const char *assembly_of(arena *a, const char *c_text, const char *path, const preprocess_options *options,
                        const char **messages) {
    const char *compiler = options && options->compiler ? options->compiler : "cc";
    size_t length;
    FILE *file = tmpfile();
    if (!file) return *messages = "", NULL;
    fputs(c_text, file);
    rewind(file);
    const char *assembly =
        run_as(a, compiler, "-S -o - -x c -std=gnu11 -w -fno-lto", path, options, fileno(file), &length, messages);
    fclose(file);
    return assembly;
}

const char *run_compiler_fully(arena *a, const char *path, const preprocess_options *options, size_t *length) {
    const char *compiler = options && options->compiler ? options->compiler : "cc", *messages;
    return run(a, compiler, "-E -x c", path, options, length, &messages);
}
