/* How C may be spelled otherwise: trigraphs, directives that begin with a digraph, and tokens that a backslash at the
 * end of a line cuts in two (C11 5.1.1.2, 5.2.1.1, 6.4.6).  The number of lines stays. */
#include <ctype.h>
#include <string.h>

#include "preprocess.h"

/* --- trigraphs */

/* What the third character of ??x stands for; 0: nothing. */
static char trigraph(char c) {
    static const char written[] = "=(/)'<!>-", meant[] = "#[\\]^{|}~";
    const char *found = c ? strchr(written, c) : NULL;
    return found ? meant[found - written] : '\0';
}

/* Replaces them in place; returns the new length. */
static size_t replace_trigraphs(char *bytes, size_t length) {
    size_t to = 0;
    for (size_t i = 0; i < length; i++) {
        char meant = bytes[i] == '?' && i + 2 < length && bytes[i + 1] == '?' ? trigraph(bytes[i + 2]) : '\0';
        bytes[to++] = meant ? meant : bytes[i];
        if (meant) i += 2;
    }
    return to;
}

/* --- directives that begin with %: */

/* Writes `# ` for each; returns how many. */
static size_t replace_directives(char *bytes, size_t length) {
    pp_reader r = {.at = bytes, .end = bytes + length};
    size_t replaced = 0;
    bool line_start = true;
    if (!strstr(bytes, "%:")) return 0;
    for (pp_token t = pp_next(&r); t.kind != PP_END; t = pp_next(&r)) {
        if (line_start && t.length == 2 && pp_is(&t, "#")) {
            memcpy(bytes + (t.text - bytes), "# ", 2);
            replaced++;
        }
        line_start = t.kind == PP_NEWLINE || (line_start && pp_is_blank(&t));
    }
    return replaced;
}

bool spell_directives(char *bytes, size_t *length, bool trigraphs) {
    size_t before = *length;
    if (trigraphs) *length = replace_trigraphs(bytes, *length);
    bytes[*length] = '\0';
    return replace_directives(bytes, *length) > 0 || *length != before;
}

/* --- tokens that go on in the next line */

/* The text from p on without its first splices, as far as a token that begins at p can be told from it. */
typedef struct {
    char bytes[4096];
    size_t length;
    size_t splices; /* bytes of splices between them */
} joined_text;

/* Joins the text at p; false where it has no splice. */
static bool join(joined_text *j, const char *p, const char *end) {
    j->length = j->splices = 0;
    while (p < end && j->length < sizeof j->bytes && *p != '\n') {
        size_t splice = pp_splice(p, end);
        if (!splice) j->bytes[j->length++] = *p;
        j->splices += splice;
        p += splice ? splice : 1;
    }
    return j->splices > 0;
}

/* How many bytes of `whole`, read from the joined text, must stand together for it to be read as the same. */
static size_t head_length(const pp_token *whole) {
    if (whole->kind == PP_COMMENT) return 2;
    if (whole->kind == PP_QUOTED) return strcspn(whole->text, "\"'") + 1;
    return whole->length;
}

/* Moves the splices among the first `head` bytes at `p`, which are not counted, behind these. */
static void move_splices(char *p, const char *end, size_t head) {
    char *to = p;
    joined_text moved = {.length = 0};
    for (const char *from = p; head && from < end;) {
        size_t splice = pp_splice(from, end);
        if (splice && moved.length + splice <= sizeof moved.bytes) {
            memcpy(moved.bytes + moved.length, from, splice);
            moved.length += splice;
            from += splice;
        } else {
            *to++ = *from++;
            head--;
        }
    }
    memcpy(to, moved.bytes, moved.length);
}

/* Where the token t is cut by a splice: makes it one.  True where it has. */
static bool mend_token(char *bytes, const pp_token *t, const char *end) {
    joined_text j;
    char *start = bytes + (t->text - bytes);
    if (!pp_splice(t->text + t->length, end) || !join(&j, t->text, end)) return false;
    pp_reader r = {.at = j.bytes, .end = j.bytes + j.length};
    pp_token whole = pp_next(&r);
    if (whole.kind == t->kind && whole.length <= t->length) return false;
    move_splices(start, end, head_length(&whole));
    return true;
}

/* Where the end of the comment t is cut: makes it one.  True where it was. */
static bool mend_comment(char *bytes, const pp_token *t, const char *end) {
    char *star = bytes + (t->text - bytes) + t->length - 1;
    if (t->kind != PP_COMMENT || t->text[1] != '*' || *star != '/') return false;
    while (star > t->text + 2 && *star != '*') star--;
    if (star < t->text + 2 || !pp_splice(star + 1, end)) return false;
    move_splices(star, end, 2);
    return true;
}

/* Whether some splice may stand within a token: between two bytes that are not blank. */
static bool may_cut(const char *bytes, size_t length) {
    const char *end = bytes + length;
    for (const char *p = bytes; (p = memchr(p, '\\', (size_t)(end - p))); p++) {
        const size_t splice = pp_splice(p, end);
        if (splice && p > bytes && p + splice < end && !isspace((unsigned char)p[-1]) &&
            !isspace((unsigned char)p[splice]))
            return true;
    }
    return false;
}

const char *spell_tokens(arena *a, const char *text_there, size_t *length, bool trigraphs) {
    if (!trigraphs && !may_cut(text_there, *length)) return text_there;
    char *bytes = arena_text(a, text_there, *length);
    if (trigraphs) *length = replace_trigraphs(bytes, *length);
    pp_reader r = {.at = bytes, .end = bytes + *length};
    for (;;) {
        const pp_reader before = r;
        pp_token t = pp_next(&r);
        if (t.kind == PP_END) return bytes;
        if (!pp_is_blank(&t) && mend_token(bytes, &t, r.end)) r = before, t = pp_next(&r);
        if (mend_comment(bytes, &t, r.end)) r = before, pp_next(&r);
    }
}
