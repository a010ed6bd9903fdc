/* The compiler's passes on whatever text comes, in one process: for AFL++ (make fuzz), or a file by itself.
 *   front <FILE
 * The first line may be options, "// fuzz: " and letters: s serial, c --check=all, o --openmp, r --reproducible, d
 * deposit, l lattice.  A bug that dpcc finds in itself (exit status 70) is a crash here, as a signal is.  The C
 * compiler is not asked (assembly_of below). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../analysis/model/analysis.h"
#include "../../codegen/codegen.h"
#include "../../ir/stack.h"
#include "../../parser/parser.h"

/* The linker puts it in the place of the one that runs the C compiler: which finds errors in all questions. */
const char *__wrap_assembly_of(arena *a, const char *c_text, const char *path, const preprocess_options *options,
                               const char **messages);
const char *__wrap_assembly_of(arena *a, const char *c_text, const char *path, const preprocess_options *options,
                               const char **messages) {
    (void)a, (void)c_text, (void)path, (void)options;
    *messages = "";
    return NULL;
}

static void abort_at_bugs(int status, void *unused) {
    (void)unused;
    if (status == 70) abort();
}

enum { MOST = 1 << 16 };

static bool analyse(program *p) {
    const int errors = error_count();
    size_t count;
    const pass_row *row = analysis_passes(&count);
    for (size_t k = 0; k < count; k++) {
        row[k].run(p);
        if (error_count() > errors) return false;
        row[k].check(p);
    }
    return true;
}

static bool has_letter(const char *code, char letter) {
    static const char head[] = "// fuzz: ";
    if (strncmp(code, head, sizeof head - 1) != 0) return false;
    const char *letters = code + sizeof head - 1;
    const char *found = memchr(letters, letter, strcspn(letters, "\n"));
    return found != NULL;
}

static void translate(const char *code) {
    static const char *typedefs[] = {"size_t", "int32_t", "bool", "FILE", NULL};
    arena *a = arena_new();
    const dpc_cost cost = dpc_default_cost;
    const preprocess_options compiler = {0};
    const analysis_options analysis = {.cost = &cost,
                                       .compiler = &compiler,
                                       .sets = (has_letter(code, 'l') ? METHOD_LATTICE : METHOD_NONE),
                                       .model = has_letter(code, 'd') ? COMM_DEPOSIT : COMM_AUTO,
                                       .openmp = has_letter(code, 'o'),
                                       .check_all = has_letter(code, 'c'),
                                       .reproducible = has_letter(code, 'r'),
                                       .serial = has_letter(code, 's')};
    const emit_options emission = {.openmp = has_letter(code, 'o')};
    const int errors = error_count();
    source *s = arena_alloc(a, sizeof *s);
    *s = (source){.path = "fuzz.dpc", .memory = a};
    node *unit = parse(a, s, code, typedefs);
    if (error_count() == errors) {
        ast_check(s, unit);
        program *p = program_new(a, s, unit, &analysis);
        if (analyse(p)) has_letter(code, 's') ? emit_serial(a, p, &emission) : emit_spmd(a, p, &emission);
    }
    arena_free(a);
}

/* Whether a line ends inside a comment, which it began in or not. */
static bool ends_in_comment(const char *line, size_t length, bool inside) {
    char quote = '\0';
    for (size_t k = 0; k < length; k++) {
        const char c = line[k], next = k + 1 < length ? line[k + 1] : '\0';
        if (inside) {
            if (c == '*' && next == '/') inside = false, k++;
        } else if (quote) {
            if (c == '\\')
                k++;
            else if (c == quote)
                quote = '\0';
        } else if (c == '/' && next == '/') {
            return false;
        } else if (c == '/' && next == '*') {
            inside = true, k++;
        } else if (c == '"' || c == '\'') {
            quote = c;
        }
    }
    return inside;
}

/* The text as the preprocessor would leave it: directives between marks, no other line that begins with '#'. */
static char *preprocessed(const char *code) {
    static char out[2 * MOST];
    static const char pragma[] = "#pragma dpc";
    bool inside = false;
    char *to = out;
    for (const char *line = code; *line;) {
        const size_t length = strcspn(line, "\n");
        const bool is_directive = !inside && strncmp(line, pragma, sizeof pragma - 1) == 0;
        const size_t skipped = is_directive ? sizeof pragma - 1 : *line == '#' && !inside ? length : 0;
        inside = ends_in_comment(line + skipped, length - skipped, inside);
        if (is_directive) *to++ = DIRECTIVE_BEGIN;
        memcpy(to, line + skipped, length - skipped);
        to += length - skipped;
        if (is_directive) *to++ = DIRECTIVE_END;
        line += length;
        if (*line) *to++ = *line++;
    }
    *to = '\0';
    return out;
}

static int read_and_translate(void *unused) {
    static char code[MOST];
    (void)unused;
#ifdef __AFL_HAVE_MANUAL_CONTROL
    while (__AFL_LOOP(1000))
#endif
    {
        const ssize_t length = read(STDIN_FILENO, code, MOST - 1);
        code[length > 0 ? length : 0] = '\0';
        for (char *c = code; *c; c++)
            if (*c <= LAST_MARK && *c > 0) *c = ' ';
        translate(preprocessed(code));
    }
    return 0;
}

int main(void) {
    on_exit(abort_at_bugs, NULL);
#ifdef __AFL_HAVE_MANUAL_CONTROL
    __AFL_INIT();
#endif
    return on_large_stack(read_and_translate, NULL);
}
