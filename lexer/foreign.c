/* #pragma lines of other languages, and those that are nearly '#pragma dpc': the C compiler passes over them, and
 * nothing is distributed. */
#include <string.h>
#include <strings.h>

#include "lexer.h"
#include "preprocess.h"

/* What dpcc has for a directive of XcalableMP or HPF; "": the same word. */
static const struct {
    const char *word, *help;
} counterparts[] = {
    {"nodes", "#pragma dpc processors P(4)"},
    {"processors", "#pragma dpc processors P(4)"},
    {"template", "#pragma dpc template T[n]"},
    {"distribute", "#pragma dpc distribute A(block)"},
    {"align", "#pragma dpc align A[i] with T[i]"},
    {"loop", "forall (i = 0:n-1) ..., '#pragma dpc independent' before a for loop, or the loop alone"},
    {"independent", "#pragma dpc independent"},
    {"shadow", "ghost cells come by themselves where A[i-1] is read"},
    {"reflect", "ghost cells come by themselves where A[i-1] is read"},
    {"gmove", "an array assignment, A[0:n-1] = B[0:n-1];, moves what is not in place"},
    {"reduction", "s = sum(A[:]); and its like"},
    {"bcast", "every process has the value of an ordinary variable, and of A[k] where it is read"},
    {"task", "distribute onto a part of a grid; there are no tasks"},
};

/* The first word of `line`; the reader then stands behind it. */
static const char *word_at(arena *a, const char **line) {
    const char *start = *line + strspn(*line, " \t");
    const size_t length = strcspn(start, " \t\r\n([");
    *line = start + length;
    return arena_text(a, start, length);
}

static void help_for(const char *word) {
    for (size_t k = 0; k < sizeof counterparts / sizeof *counterparts; k++) {
        if (strcasecmp(word, counterparts[k].word) != 0) continue;
        diagnose_help("dpcc has for it: %s", counterparts[k].help);
        return;
    }
    diagnose_help("directives of dpcc begin with '#pragma dpc', as in #pragma dpc distribute A(block)");
}

void warn_of_pragma(arena *a, const char *line, position where) {
    const char *rest = line;
    while (*rest == ' ' || *rest == '\t' || *rest == '#') rest++;
    if (strcmp(word_at(a, &rest), "pragma") != 0) return;
    const char *language = word_at(a, &rest), *begin = rest - strlen(language), *word = word_at(a, &rest);
    const bool other = !strcasecmp(language, "xmp") || !strcasecmp(language, "hpf");
    const bool misspelt = *word && spelling_distance(language, "dpc") == 1 && is_directive_word(word);
    if (!other && !misspelt) return;
    where.column = (int)(begin - line) + 1;
    where.width = (int)strlen(language);
    diagnose_place(where, D_foreign_directive, language);
    if (misspelt)
        diagnose_help("did you mean '#pragma dpc %s'?", word);
    else
        help_for(word);
}
