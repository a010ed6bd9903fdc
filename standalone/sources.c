/* Texts of the library's files: conditionals that are decided here, rows of .def files that are needed. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "library.h"

static const char *raw_text(library *l, const char *path) {
    const char *raw = names_at(l->raw, path);
    if (raw) return raw;
    raw = arena_file(l->memory, arena_format(l->memory, "%s/%s", l->folder, path), NULL);
    if (raw) names_put(l->memory, l->raw, path, raw);
    return raw;
}

const char *library_path(arena *a, const char *from, const char *name) {
    const char *slash = strrchr(from, '/');
    size_t length = slash ? (size_t)(slash - from) : 0;
    while (!strncmp(name, "../", 3)) {
        while (length > 0 && from[length - 1] != '/') length--;
        length -= length > 0;
        name += 3;
    }
    return length ? arena_format(a, "%.*s/%s", (int)length, from, name) : arena_text(a, name, strlen(name));
}

/* ---- Conditions: FALSE and TRUE are decided here. */
typedef enum { FALSE, TRUE, UNKNOWN } truth;

static bool begins(const char *line, const char *word) {
    return !strncmp(line, word, strlen(word));
}

static size_t word_length(const char *p) {
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    return n;
}

static truth truth_of_macro(const char *name, size_t length) {
    static const char *const undefined[] = {
        "DPC_SMPI", "DPC_DEBUG", "DPC_NO_STDIO", "__cplusplus", "__SANITIZE_ADDRESS__", "DPC_MEMCHECK"};
    for (size_t k = 0; k < sizeof undefined / sizeof *undefined; k++)
        if (strlen(undefined[k]) == length && !strncmp(undefined[k], name, length)) return FALSE;
    return length == strlen("DPC_STANDALONE") && !strncmp(name, "DPC_STANDALONE", length) ? TRUE : UNKNOWN;
}

/* DPC_USES(name), with the question noted. */
static truth truth_of_question(library *l, const char *name, size_t length) {
    const char *copy = arena_text(l->memory, name, length);
    if (!names_at(&l->asked, copy)) {
        names_put(l->memory, &l->asked, copy, copy);
        vector_add(l->memory, l->questions, l->question_count, l->question_room, copy);
    }
    return names_at(l->reached, copy) ? TRUE : FALSE;
}

static truth negated(truth t) {
    return t == UNKNOWN ? UNKNOWN : t == TRUE ? FALSE : TRUE;
}

static truth truth_of_condition(library *l, const char *p);

/* One of the terms that && and || stand between; *p moves behind it. */
static truth truth_of_term(library *l, const char **p) {
    const char *at = *p + strspn(*p, " \\\n");
    const bool negative = *at == '!';
    truth t = UNKNOWN;
    at += negative;
    if (begins(at, "DPC_USES(")) {
        at += strlen("DPC_USES(");
        t = truth_of_question(l, at, word_length(at));
    } else if (begins(at, "defined")) {
        at += strlen("defined") + strspn(at + strlen("defined"), " (");
        t = truth_of_macro(at, word_length(at));
    } else {
        const char *fact = names_at(&l->facts, arena_text(l->memory, at, word_length(at)));
        if (fact) t = truth_of_condition(l, fact);
    }
    *p = at + strcspn(at, "&|\n");
    return negative ? negated(t) : t;
}

static truth truth_of_condition(library *l, const char *p) {
    truth whole = truth_of_term(l, &p);
    while (*p == '&' || *p == '|') {
        const bool both = *p == '&';
        p += 2;
        const truth next = truth_of_term(l, &p), decides = both ? FALSE : TRUE;
        if (whole == decides || next == decides)
            whole = decides;
        else if (whole != next)
            whole = UNKNOWN;
    }
    return whole;
}

/* ---- Lines */
enum { DEEPEST = 32 };
typedef struct {
    library *library;
    module *module;
    text out;
    truth condition[DEEPEST]; /* of the conditionals around */
    bool guard[DEEPEST];      /* lines around a header, or around _GNU_SOURCE: they go */
    int depth;
    const char *previous; /* the line before */
} reading;

static bool is_read(const reading *r) {
    for (int k = 0; k < r->depth; k++)
        if (r->condition[k] == FALSE) return false;
    return true;
}

/* #ifndef NAME with #define NAME behind it. */
static bool is_guard(const char *line) {
    const char *name = line + strlen("#ifndef "), *next = strchr(line, '\n');
    const size_t length = word_length(name);
    return next && begins(next + 1, "#define ") && !strncmp(next + 1 + strlen("#define "), name, length) &&
           next[1 + strlen("#define ") + length] == '\n';
}

static bool names_gnu_source(const char *line) {
    return begins(line, "#define _GNU_SOURCE");
}

static void open_conditional(reading *r, const char *line, bool *keep) {
    truth t;
    bool guard = false;
    if (begins(line, "#ifndef ")) {
        guard = is_guard(line);
        t = guard ? TRUE : negated(truth_of_macro(line + 8, word_length(line + 8)));
    } else if (begins(line, "#ifdef ")) {
        t = truth_of_macro(line + 7, word_length(line + 7));
    } else {
        t = truth_of_condition(r->library, line + strlen("#if "));
    }
    *keep = t == UNKNOWN;
    if (r->depth == DEEPEST) {
        r->library->failed = true;
        return;
    }
    r->condition[r->depth] = t;
    r->guard[r->depth++] = guard;
}

/* The rows of a .def file whose first string the program can reach. */
static void add_rows(reading *r, const char *line) {
    const char *open = strchr(line, '"') + 1, *close = strchr(open, '"');
    library *l = r->library;
    const char *name = arena_text(l->memory, open, (size_t)(close - open));
    const char *rows = raw_text(l, library_path(l->memory, r->module->path, name));
    if (!rows) {
        l->failed = true;
        return;
    }
    for (const char *p = rows; *p;) {
        const size_t word = word_length(p);
        if (!word || p[word] != '(') {
            p += strcspn(p, "\n"), p += *p == '\n';
            continue;
        }
        const char *end = p + word;
        int depth = 0;
        do {
            depth += *end == '(';
            depth -= *end == ')';
        } while (*end++ && depth > 0);
        const char *quote = strchr(p, '"') + 1;
        if (names_at(l->quoted, arena_text(l->memory, quote, strcspn(quote, "\""))))
            text_format(&r->out, "%.*s\n", (int)(end - p), p);
        p = end;
    }
}

/* ---- Calls that are left out: #define dpc_count_message(bytes) DPC_LEFT_OUT; what is done if something holds that
 * never does: #define dpc_is_placed(d) DPC_IMPOSSIBLE */

/* Whether the line says what a name in conditions stands for: #define DPC_HAS_THREADS DPC_USES(omp) || ... */
static bool defines_fact(reading *r, const char *line) {
    if (!begins(line, "#define DPC_")) return false;
    const char *name = line + strlen("#define "), *behind = name + word_length(name);
    const char *value = behind + strspn(behind, " \\\n");
    if (*behind != ' ' || !begins(value, "DPC_USES(")) return false;
    arena *a = r->library->memory;
    names_put(a, &r->library->facts, arena_text(a, name, word_length(name)), (void *)(uintptr_t)value);
    return true;
}

/* Whether the line defines a macro so; its name is put into the table. */
static bool defines_as(reading *r, const char *line, const char *value, hash_table *table) {
    const char *end = strchr(line, '\n'), *found = strstr(line, value);
    if (!begins(line, "#define ") || !found || found > end) return false;
    const char *name = line + strlen("#define "), *copy = arena_text(r->library->memory, name, word_length(name));
    names_put(r->library->memory, table, copy, copy);
    return true;
}

static const char *behind_parentheses(const char *open) {
    int depth = 0;
    do {
        depth += *open == '(';
        depth -= *open == ')';
    } while (*open++ && depth > 0);
    return open;
}

/* From a simple statement to the next line. */
static const char *behind_statement(const char *at) {
    return strchr(strchr(at, ';'), '\n') + 1;
}

/* The end of a statement that is a call to be left out, with the `if` before it; NULL: the line is another one's. */
static const char *end_of_left_out(const reading *r, const char *line) {
    const char *at = line + strspn(line, " ");
    if (at == line) return NULL;
    if (begins(at, "if (")) {
        const char *condition = at + strlen("if (");
        at = behind_parentheses(at + 3);
        const size_t word = word_length(condition);
        if (names_at(&r->library->never, arena_text(r->library->memory, condition, word)) &&
            behind_parentheses(condition + word) == at - 1)
            return behind_statement(at);
        at += strspn(at, " ");
    }
    const size_t length = word_length(at);
    if (!length || at[length] != '(' || !names_at(&r->library->left_out, arena_text(r->library->memory, at, length)))
        return NULL;
    const char *end = behind_parentheses(at + length);
    return *end == ';' ? strchr(end, '\n') + 1 : NULL;
}

/* With the lines that a backslash joins to it. */
static const char *behind_joined(const char *line) {
    const char *end = strchr(line, '\n');
    while (end > line && end[-1] == '\\') end = strchr(end + 1, '\n');
    return end + 1;
}

/* Whether a line stays. */
static bool keeps_line(reading *r, const char *line) {
    bool keep = is_read(r);
    if (begins(line, "#if")) {
        bool unknown;
        open_conditional(r, line, &unknown);
        return keep && unknown;
    }
    if (begins(line, "#else")) {
        truth *t = &r->condition[r->depth - 1];
        if (*t == UNKNOWN) return keep;
        *t = negated(*t);
        return false;
    }
    if (begins(line, "#endif")) {
        r->depth--;
        return is_read(r) && r->condition[r->depth] == UNKNOWN;
    }
    if (!keep || begins(line, "DPC_BEGIN_INTERFACE") || begins(line, "DPC_END_INTERFACE")) return false;
    if (defines_as(r, line, " DPC_LEFT_OUT", &r->library->left_out)) return false;
    if (defines_as(r, line, " DPC_IMPOSSIBLE", &r->library->never)) return false;
    if (names_gnu_source(line)) {
        r->module->gnu = true;
        return false;
    }
    if (begins(line, "#define ") && r->previous && begins(r->previous, "#ifndef ") && is_guard(r->previous))
        return false;
    if (begins(line, "#include \"") && strstr(line, ".def\"") && strstr(line, ".def\"") < strchr(line, '\n')) {
        add_rows(r, line);
        return false;
    }
    return true;
}

const char *library_source(library *l, module *m) {
    const char *raw = raw_text(l, m->path);
    if (!raw) {
        l->failed = true;
        return NULL;
    }
    reading r = {.library = l, .module = m};
    text_start(&r.out, l->memory);
    for (const char *line = raw; *line;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end + 1 - line) : strlen(line);
        const char *behind = end_of_left_out(&r, line);
        if (is_read(&r) && defines_fact(&r, line)) behind = behind_joined(line);
        if (behind)
            length = (size_t)(behind - line);
        else if (keeps_line(&r, line))
            text_add_bytes(&r.out, line, length);
        r.previous = line;
        line += length;
    }
    return text_of(&r.out);
}
