/* The compiler's passes on whatever text comes, in one process: for AFL++ (make fuzz), or files by themselves.
 *   front <FILE         one, from standard input
 *   front N FILE...     each N times, one after the other, and how many a second; 0: the translation of each
 * The first line may be options, "// fuzz: " and letters: s serial, c --check=all, o --openmp, r --reproducible, d
 * deposit, l lattice.  A bug that dpcc finds in itself (exit status 70) is a crash here, as a signal is.  The C
 * compiler is not asked (assembly_of below).  Nothing is left from one text to the next: what one does, it does alone,
 * too. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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

/* The linker puts it in the place of exit, too: a bug is a crash, and after too many errors the next text comes. */
_Noreturn void __wrap_exit(int status);
static jmp_buf next_text;

_Noreturn void __wrap_exit(int status) {
    if (status == 70) abort();
    longjmp(next_text, 1);
}

enum { MOST = 1 << 16 };

static bool analyse(program *p) {
    size_t count;
    const pass_row *row = analysis_passes(&count);
    for (size_t k = 0; k < count; k++) {
        row[k].run(p);
        if (error_count() > 0) return false;
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

static bool prints;

static void translate(arena *a, const char *code) {
    static const char *typedefs[] = {"size_t", "int32_t", "bool", "FILE", NULL};
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
    source *s = arena_alloc(a, sizeof *s);
    *s = (source){.path = "fuzz.dpc", .memory = a};
    node *unit = parse(a, s, code, typedefs);
    if (error_count() == 0) {
        ast_check(s, unit);
        program *p = program_new(a, s, unit, &analysis);
        const char *c_text = !analyse(p)             ? NULL
                             : has_letter(code, 's') ? emit_serial(a, p, &emission)
                                                     : emit_spmd(a, p, &emission);
        if (prints && c_text) fputs(c_text, stdout);
    }
}

/* Whether a line ends inside a comment, which it began in or not.  *slashes: inside one that ends with the line, unless
 * a backslash joins the next one to it. */
static bool ends_in_comment(const char *line, size_t length, bool inside, bool *slashes) {
    if (*slashes) return false;
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
            *slashes = true;
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
static const char *preprocessed(const char *code) {
    static char out[2 * MOST];
    static const char pragma[] = "#pragma dpc";
    bool inside = false, slashes = false;
    char *to = out;
    for (const char *line = code; *line;) {
        const size_t length = strcspn(line, "\n");
        const bool joined = line > code + 1 && line[-2] == '\\';
        slashes = slashes && joined;
        const bool begins = !inside && !joined, is_directive = begins && !strncmp(line, pragma, sizeof pragma - 1);
        const size_t skipped = is_directive ? sizeof pragma - 1 : *line == '#' && begins ? length : 0;
        inside = ends_in_comment(line + skipped, length - skipped, inside, &slashes);
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

/* The marks that stand for directives are not in a text. */
static void translate_text(const unsigned char *bytes, size_t length) {
    static char code[MOST];
    size_t kept = 0;
    for (; kept < length && kept < MOST - 1 && bytes[kept]; kept++)
        code[kept] = bytes[kept] <= LAST_MARK ? ' ' : (char)bytes[kept];
    code[kept] = '\0';
    arena *a = arena_new();
    if (!setjmp(next_text)) translate(a, preprocessed(code));
    arena_free(a);
    forget_diagnostics();
}

static size_t read_text(FILE *in, unsigned char *bytes) {
    const size_t length = in ? fread(bytes, 1, MOST - 1, in) : 0;
    if (in) fclose(in);
    return length;
}

typedef struct {
    int count;
    char **words;
} command;

static int translate_files(const command *c) {
    static unsigned char bytes[MOST];
    const int times = atoi(c->words[1]);
    for (int k = 2; k < c->count; k++) {
        const size_t length = read_text(fopen(c->words[k], "rb"), bytes);
        if ((prints = times == 0)) printf("--- %s\n", c->words[k]), fflush(stdout), translate_text(bytes, length);
        fflush(stdout);
        if (prints) continue;
        const clock_t begin = clock();
        for (int n = 0; n < times; n++) translate_text(bytes, length);
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        printf("%8.0f a second: %s\n", times / (seconds > 0 ? seconds : 1e-9), c->words[k]);
    }
    return 0;
}

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();

static int translate_all(void *unused) {
    (void)unused;
    __AFL_INIT();
    const unsigned char *bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(100000)) translate_text(bytes, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0;
}
#else
static int translate_all(void *unused) {
    static unsigned char bytes[MOST];
    (void)unused;
    translate_text(bytes, read_text(stdin, bytes));
    return 0;
}
#endif

static int run(void *x) {
    const command *c = x;
    return c->count > 2 ? translate_files(c) : translate_all(NULL);
}

int main(int argc, char **argv) {
    command c = {argc, argv};
    return on_large_stack(run, &c);
}
