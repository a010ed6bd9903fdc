/* Prints diagnostics with the user's line, each once. */
#include "diagnostic.h"
#include "diagnostic_json.h"
#include "warnings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    warning_id warning; /* W_ERROR: none */
    const char *format;
} diagnostics[] = {
#define DIAGNOSTIC(id, warning, format) {W_##warning, format},
#include "diagnostics.def"
#undef DIAGNOSTIC
};

enum { ERROR_LIMIT = 50 };

static const char *const names[] = {
#define DIAGNOSTIC(id, severity, format) #id,
#include "diagnostics.def"
#undef DIAGNOSTIC
};

/* The help of those that have one, whoever reports them. */
static const char *const helps[D_COUNT] = {
#define HELP(id, text) [D_##id] = text,
#include "help.def"
#undef HELP
};

static int errors;

int error_count(void) {
    return errors;
}

const char *plural(int count) {
    return count == 1 ? "" : "s";
}

/* --- colours */

static bool coloured(void) {
    static int answer = -1;
    if (answer < 0) {
        const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
        answer = isatty(STDERR_FILENO) && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
    }
    return answer != 0;
}

static const char *colour(const char *code) {
    return coloured() ? code : "";
}

#define BOLD colour("\033[1m")
#define RED colour("\033[1;31m")
#define MAGENTA colour("\033[1;35m")
#define CYAN colour("\033[1;36m")
#define GREEN colour("\033[1;32m")
#define PLAIN colour("\033[0m")

/* --- the source line and its caret */

/* Blank space as wide as the bytes of `line` before `column`: tabs stay tabs, the later bytes of a UTF-8 character take
 * no place. */
static void print_indent(const char *line, int column) {
    for (int i = 0; i < column - 1 && line[i]; i++) {
        unsigned char c = (unsigned char)line[i];
        if (c == '\t')
            fputc('\t', stderr);
        else if ((c & 0xC0) != 0x80)
            fputc(' ', stderr);
    }
}

static void print_underline(const char *line, int column, int width) {
    int length = (int)strlen(line);
    fprintf(stderr, "%s^", GREEN);
    for (int i = column; i < column + width - 1 && i < length; i++)
        if (((unsigned char)line[i] & 0xC0) != 0x80) fputc('~', stderr);
    fprintf(stderr, "%s\n", PLAIN);
}

/* Of a line too long to show, the part around `column`, which becomes the column in the part. */
static const char *visible_part(const char *line, int *column, char *part, size_t size) {
    if (strlen(line) < size) return line;
    size_t start = *column > (int)size / 2 ? (size_t)*column - size / 2 : 0;
    while (start && ((unsigned char)line[start] & 0xC0) == 0x80) start--;
    size_t length = strlen(line + start) < size - 1 ? strlen(line + start) : size - 1;
    while (length && ((unsigned char)line[start + length] & 0xC0) == 0x80) length--;
    memcpy(part, line + start, length);
    part[length] = '\0';
    *column -= (int)start;
    return part;
}

static void print_source(position where) {
    const char *line = where.file ? source_line(where.file, where.line) : NULL;
    if (!line || where.column < 1) return;
    int column = where.column > (int)strlen(line) ? (int)strlen(line) + 1 : where.column;
    char part[240];
    line = visible_part(line, &column, part, sizeof part);
    fprintf(stderr, "  %s\n  ", line);
    print_indent(line, column);
    print_underline(line, column, where.width);
}

static void print_head(position where, const char *tint, const char *level) {
    if (where.file && where.line > 0)
        fprintf(stderr, "%s%s:%d:%d:%s ", BOLD, where.file, where.line, where.column, PLAIN);
    fprintf(stderr, "%s%s:%s ", tint, level, PLAIN);
}

/* --- reporting */

/* The places of tokens first..last as one range; where they are on several lines, to the end of the first. */
static position range_of(const source *s, size_t first, size_t last) {
    if (!s || s->count == 0) return (position){NULL, 0, 0, 0};
    if (first >= s->count) first = s->count - 1;
    if (last >= s->count) last = s->count - 1;
    position start = token_place(&s->tokens[first]);
    for (size_t i = first + 1; i <= last; i++) {
        position end = token_place(&s->tokens[i]);
        if (end.file != start.file || end.line != start.line) {
            if (!end.width) continue;
            start.width = 10000;
            break;
        }
        if (end.column + end.width > start.column + start.width) start.width = end.column + end.width - start.column;
    }
    return start;
}

static void count_error(void) {
    if (++errors < ERROR_LIMIT) return;
    finish_diagnostic();
    if (!diagnostics_are_json()) fprintf(stderr, "%serror:%s too many errors\n", RED, PLAIN);
    exit(1);
}

/* What has been reported.  `silent`: the last diagnostic was not printed, so its notes are not either. */
typedef struct {
    diagnostic_id id;
    position where;
} reported;

static reported *all_reported;
static size_t reported_count, reported_capacity;
static bool silent;

/* The last diagnostic's help from help.def, which follows its notes unless it gets another one. */
static const char *owed_help;

void finish_diagnostic(void) {
    const char *help = owed_help;
    owed_help = NULL;
    if (help) diagnose_help("%s", help);
}

static void owe_help(diagnostic_id id) {
    static bool at_exit;
    if (!at_exit) atexit(finish_diagnostic);
    at_exit = true;
    owed_help = helps[id];
}

/* The same at the same place says nothing new: a second pass over the same tokens has found it again. */
static bool is_reported(position where, diagnostic_id id) {
    for (size_t i = 0; i < reported_count; i++) {
        const reported *r = &all_reported[i];
        if (r->id == id && r->where.line == where.line && r->where.column == where.column &&
            r->where.width == where.width && strcmp(r->where.file, where.file) == 0)
            return true;
    }
    return false;
}

static void note_reported(position where, diagnostic_id id) {
    if (reported_count == reported_capacity) {
        size_t capacity = 2 * reported_capacity + 16;
        reported *larger = realloc(all_reported, capacity * sizeof *larger);
        if (!larger) return;
        all_reported = larger;
        reported_capacity = capacity;
    }
    all_reported[reported_count++] = (reported){id, where};
}

void forget_diagnostics(void) {
    finish_diagnostic();
    errors = 0, reported_count = 0, silent = false;
}

static void print_diagnostic(position where, bool error, diagnostic_id id, va_list arguments) {
    const warning_id warning = diagnostics[id].warning;
    print_head(where, error ? RED : MAGENTA, error ? "error" : "warning");
    fputs(BOLD, stderr);
    vfprintf(stderr, diagnostics[id].format, arguments);
    if (warning != W_ERROR) fprintf(stderr, " [-W%s%s]", error ? "error=" : "", warning_name(warning));
    fprintf(stderr, "%s\n", PLAIN);
    print_source(where);
}

static void report(position where, diagnostic_id id, va_list arguments) {
    const warning_id warning = diagnostics[id].warning;
    bool error = warning == W_ERROR || warning_is_error(warning), placed = where.file && where.line > 0;
    finish_diagnostic();
    silent = (warning != W_ERROR && !warning_is_on(warning)) || (placed && is_reported(where, id));
    if (silent) return;
    if (placed) note_reported(where, id);
    if (diagnostics_are_json())
        json_diagnostic(where, error ? "error" : "warning", names[id], diagnostics[id].format, arguments);
    else
        print_diagnostic(where, error, id, arguments);
    owe_help(id);
    if (error) count_error();
}

void diagnose_tokens(const source *s, size_t first, size_t last, diagnostic_id id, ...) {
    va_list arguments;
    va_start(arguments, id);
    report(range_of(s, first, last), id, arguments);
    va_end(arguments);
}

void diagnose(const source *s, const node *n, diagnostic_id id, ...) {
    va_list arguments;
    va_start(arguments, id);
    report(n ? range_of(s, n->first, n->last) : (position){s ? s->path : NULL, 0, 0, 0}, id, arguments);
    va_end(arguments);
}

void diagnose_place(position where, diagnostic_id id, ...) {
    va_list arguments;
    va_start(arguments, id);
    report(where, id, arguments);
    va_end(arguments);
}

static void print_note(position where, const char *format, va_list arguments) {
    print_head(where, CYAN, "note");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    print_source(where);
}

void diagnose_note(const source *s, const node *n, const char *format, ...) {
    position where = n ? range_of(s, n->first, n->last) : (position){NULL, 0, 0, 0};
    va_list arguments;
    if (silent) return;
    va_start(arguments, format);
    if (diagnostics_are_json())
        json_note(where, format, arguments);
    else
        print_note(where, format, arguments);
    va_end(arguments);
}

void diagnose_help(const char *format, ...) {
    va_list arguments;
    if (silent) return;
    owed_help = NULL;
    va_start(arguments, format);
    if (diagnostics_are_json()) {
        json_help(format, arguments);
    } else {
        fprintf(stderr, "%shelp:%s ", CYAN, PLAIN);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
    va_end(arguments);
}

/* --- spelling */

static size_t least(size_t x, size_t y) {
    return x < y ? x : y;
}

static bool same_letter(char x, char y) {
    return tolower((unsigned char)x) == tolower((unsigned char)y);
}

size_t spelling_distance(const char *x, const char *y) {
    enum { LIMIT = 40 };
    size_t rows[3][LIMIT + 1], m = strlen(x), n = strlen(y);
    if (m > LIMIT || n > LIMIT) return LIMIT;
    for (size_t j = 0; j <= n; j++) rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *last = rows[(i + 2) % 3], *older = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(last[j - 1] + !same_letter(x[i - 1], y[j - 1]), least(last[j], row[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && same_letter(x[i - 1], y[j - 2]) && same_letter(x[i - 2], y[j - 1]);
            if (swapped) row[j] = least(row[j], older[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

_Noreturn void internal_error(const char *file, int line, const char *what) {
    fprintf(stderr, "dpcc: bug in dpcc at %s:%d: %s\n", file, line, what);
    exit(70);
}
