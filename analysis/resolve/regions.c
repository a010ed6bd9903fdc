/* Pass "resolve", the user's own OpenMP: every thread of a parallel region executes what stands in it, but only the
 * thread that has started the program takes part in the exchange between processes.  What is called from other files is
 * found at run time (runtime/base/start.c). */
#include <ctype.h>
#include <string.h>

#include "resolve.h"

/* ---- Directives: foreign pragmas are blank space before a token */

/* The directives whose statement is executed by several threads, or by another thread: a '|' around each word. */
static const char several[] = "|parallel|task|taskloop|teams|target|";
/* Behind these, `target` is a directive without a statement. */
static const char alone[] = "|update|enter|exit|data|";

static const char *skip_blank(const char *p) {
    while (isspace((unsigned char)*p) || *p == '\\' || *p == '"') p++;
    return p;
}

/* Whether the word at *p is among those; goes behind it. */
static bool word_among(const char **p, const char *words) {
    char word[32];
    size_t length = 0;
    const char *at = skip_blank(*p);
    while ((isalnum((unsigned char)*at) || *at == '_') && length < sizeof word - 3) word[++length] = *at++;
    *p = at;
    word[0] = word[length + 1] = '|';
    word[length + 2] = '\0';
    return length > 0 && strstr(words, word) != NULL;
}

/* What stands behind the word pragma. */
static bool begins_region(const char *p) {
    if (!word_among(&p, "|omp|")) return false;
    const char *second = p;
    const bool is_target = word_among(&second, "|target|");
    const char *third = second;
    if (is_target && word_among(&third, alone)) return false;
    while (*p && *p != '\n' && *p != '(') {
        if (word_among(&p, several)) return true;
        p = skip_blank(p);
        if (!isalnum((unsigned char)*p) && *p != '_') return false;
    }
    return false;
}

static const char *behind_comment(const char *p) {
    if (p[1] == '/') return p + strcspn(p, "\n");
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

static bool blank_begins_region(const char *p) {
    for (; *p; p++) {
        if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = behind_comment(p);
            if (!*p) return false;
        }
        if (*p == '#') {
            const char *word = p + 1;
            if (word_among(&word, "|pragma|") && begins_region(word)) return true;
        }
        if (!strncmp(p, "_Pragma", 7)) {
            const char *parenthesis = strchr(p, '(');
            if (parenthesis && begins_region(parenthesis + 1)) return true;
        }
    }
    return false;
}

/* ---- Uses */

static void report(const program *p, const node *use, diagnostic_id id, const char *name, const node *region) {
    diagnose(p->source, use, id, name);
    diagnose_note(p->source, region, "the parallel region is this statement");
    diagnose_help("end the region before statements on distributed arrays; the iterations of a forall are shared out "
                  "among threads with --openmp");
}

/* The first use of something distributed in the region is an error. */
static bool find_use(const program *p, const node *n, const node *region) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_SIZEOF) return false;
    if (s && s->array) {
        report(p, n, D_array_in_region, n->name, region);
        return true;
    }
    if (s && s->kind == SYMBOL_FUNCTION && s->uses_distributed) {
        report(p, n, D_call_in_region, n->name, region);
        return true;
    }
    if (n->kind == N_ENTITY && n->parent && n->parent->kind == N_REDISTRIBUTE) {
        report(p, n, D_array_in_region, n->name, region);
        return true;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && find_use(p, n->child[c], region)) return true;
    return false;
}

/* A declaration's directive stands behind its pragma only by accident. */
static bool can_be_region(const node *n) {
    return n->kind != N_UNIT && n->kind != N_FUNCTION_DEFINITION && n->kind != N_DECLARATION;
}

void check_regions(const program *p, const node *n) {
    if (can_be_region(n) && blank_begins_region(p->source->tokens[n->first].before)) {
        find_use(p, n, n);
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_regions(p, n->child[c]);
}
