/* The shape of the text that -S writes, as a person would give it: no line that codegen made is longer than LINE_WIDTH
 * where it can be broken, statements that went elsewhere leave no blank lines, and several blank lines become one.
 * White space outside of literals is all that changes. Text that codegen made stands between two marks (MADE). */
#include <ctype.h>
#include <string.h>

#include "emitter.h"

enum { DEEPEST = 80, CONTINUED = 4, MOST_OPEN = 64, FORGOTTEN_LINES = 1000, AFTER_HEAD = -1, NO_BREAK = 1 << 20 };

typedef struct {
    arena *memory; /* of lines that are being broken */
    size_t lines;
    text out;
    bool in_comment;   /* the next line begins inside a comment */
    bool made;         /* or inside text that was made */
    bool blank;        /* the last line was blank */
    int open;          /* parentheses and brackets that are open where the next line begins */
    const char *begun; /* the first lines of an expression that goes on in the next one, as one line; or NULL */
    size_t outwards;   /* so many blanks less stand before the lines of a block that goes behind its head */
    bool remarks;      /* and two more while its first comment lasts */
} layout;

static size_t indentation_of(const char *line) {
    return strspn(line, " \t");
}

static void add_line(layout *x, size_t indent, const char *s, size_t length) {
    while (length > 0 && s[length - 1] == ' ') length--;
    text_format(&x->out, "%*s%.*s\n", (int)indent, "", (int)length, s);
}

/* ---- Comments: broken between words */

/* Whether a comment stands behind a brace at s. */
static bool is_behind_brace(const char *s) {
    return !strncmp(s, "{ /*", 4);
}

/* The line begins with a comment, perhaps behind a brace, or inside one; what follows stands deeper than its beginning.
 */
static void break_comment(layout *x, const char *line) {
    const size_t blank = indentation_of(line), indent = blank + (is_behind_brace(line + blank) ? 2 : 0);
    const bool begins = line[indent] == '/';
    const int spaces = (int)strspn(line + indent + 1, " "), deep = begins || spaces == 1 ? 5 : spaces + 2;
    const char *prefix = arena_format(x->memory, "%*s*%*s", (int)indent + begins, "", deep, "");
    const size_t least = strlen(prefix) + 1;
    while (strlen(line) > LINE_WIDTH) {
        size_t end = LINE_WIDTH;
        while (end > least && (line[end] != ' ' || !strcmp(line + end, " */"))) end--;
        if (line[end] != ' ') end = least + strcspn(line + least, " ");
        if (!line[end] || !strcmp(line + end, " */")) break;
        add_line(x, 0, line, end);
        line = arena_format(x->memory, "%s%s", prefix, line + end + 1);
    }
    add_line(x, 0, line, strlen(line));
}

/* ---- Code: broken where the fewest brackets are open */

/* Where a line may be broken: the next one begins with character `at`, in column `column`. */
typedef struct {
    size_t at, column;
    int rank; /* the least is the best place */
} line_break;

typedef struct {
    size_t column[MOST_OPEN]; /* behind each open bracket */
    int count;
    int weight;   /* subscripts stay on one line where that is possible */
    bool hanging; /* the next line does not stand behind the last of them */
} brackets;

static int weight_of(char bracket) {
    return strchr("[]", bracket) ? 8 : 1;
}

/* How well a line breaks before character k, which a space precedes, inside brackets of some weight; the least is best.
 * fits: what follows fits into one line. */
static int break_rank(const char *s, size_t k, int open, bool fits) {
    const char before = s[k - 2], next = s[k];
    if (before == ';') return 4 * open;
    if (before == ',') return 4 * open + 1;
    if (!strncmp(s + k, "? ", 2) || !strncmp(s + k, ": ", 2)) return 4 * open + 3;
    if (strchr("+-|&", before) && (s[k - 3] == ' ' || s[k - 3] == before)) return 4 * open + 3;
    if (strchr("*/", before) && s[k - 3] == ' ' && next != '/') return 4 * open + 7;
    if (before == '=' && !strchr("<>!=", s[k - 3])) return 4 * open + (fits ? 2 : 9);
    return NO_BREAK;
}

/* The length of a literal or a comment at s, else 0. */
static size_t opaque_length(const char *s) {
    const size_t length = piece_length(s);
    return length > 1 || *s == '"' || *s == '\'' ? length : 0;
}

/* Whether s begins with the head of a loop or a condition. */
static bool is_head(const char *s) {
    return !strncmp(s, "for (", 5) || !strncmp(s, "DPC_", 4) || !strncmp(s, "if (", 4) || !strncmp(s, "while (", 7);
}

static void pass_bracket(brackets *open, char c, size_t column) {
    if (strchr("([{", c) && open->count < MOST_OPEN) {
        open->column[open->count++] = column;
        open->weight += weight_of(c);
    } else if (strchr(")]}", c) && open->count > 0) {
        open->count--;
        open->weight -= weight_of(c);
    }
}

/* The break before character k of what begins at s in column `column`, where these brackets are open. */
static line_break break_at(const char *s, size_t k, size_t column, size_t margin, const brackets *open) {
    const size_t inside = open->count && !open->hanging ? open->column[open->count - 1] : margin,
                 next = inside > LINE_WIDTH ? margin : inside;
    if (k > 2 && s[k - 2] == ')' && s[k - 1] == ' ' && open->count == 0 && is_head(s) && !strchr("{/", s[k]))
        return (line_break){k, column + CONTINUED, AFTER_HEAD};
    if (k <= 2 || s[k - 1] != ' ' || s[k] == ' ') return (line_break){k, next, NO_BREAK};
    const int rank = break_rank(s, k, open->weight, next + strnlen(s + k, LINE_WIDTH + 1) <= LINE_WIDTH);
    return (line_break){k, next, rank + (next > DEEPEST ? 4 * MOST_OPEN : 0)};
}

/* The best place to break what begins at s; what is open there goes to *open. */
static line_break find_break(const char *s, size_t column, size_t margin, brackets *open) {
    line_break best = {.rank = NO_BREAK};
    brackets now = *open;
    for (size_t k = 0; s[k] && best.rank != AFTER_HEAD; k++) {
        const size_t skip = opaque_length(s + k);
        if (column + k > LINE_WIDTH + 1 && best.rank < NO_BREAK) break;
        if (!skip) {
            const line_break x = break_at(s, k, column, margin, &now);
            if (x.rank < NO_BREAK && x.rank <= best.rank) {
                best = x;
                *open = now;
            }
            pass_bracket(&now, s[k], column + k + 1);
        } else
            k += skip - 1;
    }
    return best;
}

/* Breaks a line of code, and says how many lines that makes; they are added to x, NULL: only counted.  hanging: lines
 * that go on stand below the beginning of the first one, not behind the bracket that is open. */
static int break_lines(layout *x, const char *line, bool continues, bool hanging) {
    const size_t indent = indentation_of(line);
    size_t margin = indent + (continues ? 0 : CONTINUED);
    const char *s = line + indent;
    size_t column = indent;
    int lines = 1;
    brackets open = {.count = 0, .hanging = hanging};
    while (column + strnlen(s, LINE_WIDTH + 1) > LINE_WIDTH) {
        const line_break best = find_break(s, column, margin, &open);
        if (best.rank >= NO_BREAK) break;
        if (x) add_line(x, column, s, best.at);
        lines++;
        s += best.at;
        column = best.column;
        if (best.rank == AFTER_HEAD) margin = column + CONTINUED;
    }
    if (x) add_line(x, column, s, strlen(s));
    return lines;
}

/* Lines hang where that makes fewer of them, but not the heads of loops and conditions, which have a body below. */
static void break_code(layout *x, const char *line, bool continues) {
    const bool hanging = !continues && !is_head(line + indentation_of(line)) &&
                         break_lines(NULL, line, continues, true) < break_lines(NULL, line, continues, false);
    break_lines(x, line, continues, hanging);
}

/* ---- A macro's body is one line: a line for each of its statements */

static bool opens_block(const char *line, size_t k) {
    if (line[k] != '{' || line[k + 1] != ' ' || line[k + 2] == '/') return false;
    while (k > 0 && line[k - 1] == ' ') k--;
    return k == 0 || line[k - 1] == ')' || line[k - 1] == '{' || line[k - 1] == '}' || line[k - 1] == ';';
}

/* Whether a statement ends with character k, so that the next one begins a line. */
static bool ends_statement(const char *line, size_t k, int open) {
    if (open > 0 || line[k + 1] != ' ' || !line[k + 2]) return false;
    const char *next = line + k + 1 + strspn(line + k + 1, " ");
    return line[k] == ';' ? strncmp(next, "/*", 2) != 0
                          : line[k] == '}' && (isalpha((unsigned char)*next) || *next == '}') &&
                                strncmp(next, "else", 4) != 0 && strncmp(next, "while", 5) != 0;
}

static void break_statements(layout *x, const char *line, bool continues) {
    size_t indent = indentation_of(line), start = indent;
    int open = 0;
    for (size_t k = indent; line[k]; k++) {
        const size_t skip = opaque_length(line + k);
        if (skip) k += skip - 1;
        if (skip || !line[k]) continue;
        open += (line[k] == '(' || line[k] == '[') - (line[k] == ')' || line[k] == ']');
        const bool block = open == 0 && opens_block(line, k);
        const bool closes = open == 0 && line[k] == '}' && k == start && indent >= CONTINUED;
        if (closes) indent -= CONTINUED;
        if (!block && !ends_statement(line, k, open)) continue;
        break_code(x, arena_format(x->memory, "%*s%.*s", (int)indent, "", (int)(k + 1 - start), line + start),
                   continues);
        if (block) indent += CONTINUED;
        start = k + 1 + indentation_of(line + k + 1);
        k = start - 1;
    }
    break_code(x, arena_format(x->memory, "%*s%s", (int)indent, "", line + start), continues);
}

/* ---- Lines */

/* Follows comments and brackets through a line. */
static void pass_line(layout *x, const char *line) {
    for (const char *s = line; *s; s++) {
        if (x->in_comment) {
            const char *end = strstr(s, "*/");
            if (!end) return;
            x->in_comment = false;
            s = end + 1;
            continue;
        }
        if (s[0] == '/' && s[1] == '*' && !strstr(s + 2, "*/")) {
            x->in_comment = true;
            return;
        }
        const size_t skip = opaque_length(s);
        if (skip) s += skip - 1;
        if (skip || !*s) continue;
        x->open += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
    }
}

/* Whether an expression goes on in the next line: both become one line, which is broken where it is best now. */
static bool goes_on(const char *line) {
    const size_t length = strlen(line);
    if (length == 0 || strstr(line, "//") || strstr(line, "/*") || line[indentation_of(line)] == '#') return false;
    return strchr("+-*/%&|=<>?:,(", line[length - 1]) != NULL;
}

/* A line of made text behind those that it continues. */
static const char *joined_line(layout *x, const char *line) {
    if (!x->begun) return line;
    const char *gap = x->begun[strlen(x->begun) - 1] == '(' ? "" : " ";
    line = arena_format(x->memory, "%s%s%s", x->begun, gap, line + indentation_of(line));
    x->begun = NULL;
    return line;
}

static bool is_fixed(const char *line, size_t length) {
    return line[indentation_of(line)] == '#' || (length > 0 && line[length - 1] == '\\');
}

/* The comment that ends a line of code, or NULL. */
static const char *last_comment(const char *line) {
    const size_t length = strlen(line);
    for (const char *s = line; *s; s += piece_length(s))
        if (s[0] == '/' && s[1] == '*' && s + piece_length(s) == line + length && length > 3 &&
            !strcmp(line + length - 2, "*/"))
            return s;
    return NULL;
}

static void add_made_line(layout *x, const char *line) {
    const size_t length = strlen(line);
    const char *begin = line + indentation_of(line), *end = strstr(line, "*/");
    const bool comments = x->in_comment || !strncmp(begin, "/*", 2) || (is_behind_brace(begin) && !end),
               continues = x->open > 0;
    const char *last = comments || continues || length <= LINE_WIDTH ? NULL : last_comment(line);
    if (last) { /* it goes before */
        add_made_line(x, arena_format(x->memory, "%*s%s", (int)indentation_of(line), "", last));
        while (last[-1] == ' ') last--;
        add_made_line(x, arena_text(x->memory, line, (size_t)(last - line)));
        return;
    }
    if (length <= LINE_WIDTH || is_fixed(line, length) || (comments && end && end[2]))
        text_format(&x->out, "%s\n", line);
    else if (comments)
        break_comment(x, line);
    else
        break_statements(x, line, continues);
}

/* ---- A block in place of what stands alone in a loop or a branch, in the line behind: its brace goes behind the head
 */

/* Where the last line begins, if it is the head of a loop or a branch whose body follows; NULL: it is none. */
static const char *head_before(layout *x) {
    const size_t length = x->out.length;
    if (length < 2 || x->begun || x->in_comment || x->open > 0 || strncmp(x->out.bytes + length - 2, ")\n", 2) != 0)
        return NULL;
    size_t begin = length - 1;
    while (begin > 0 && x->out.bytes[begin - 1] != '\n') begin--;
    const char *line = text_of(&x->out) + begin, *words = line + indentation_of(line);
    int open = 0;
    for (const char *s = words; *s; s += piece_length(s)) open += (*s == '(') - (*s == ')');
    const bool head = !strncmp(words, "for (", 5) || !strncmp(words, "while (", 7) || !strncmp(words, "if (", 4);
    return head && open == 0 ? line : NULL;
}

/* Whether a marked line is the first of such a block: then its text goes on behind the head, or in the next line. */
static bool begins_behind_head(layout *x, const char *marked) {
    const size_t indent = indentation_of(marked);
    const char *head = marked[indent] == MADE && !x->made && marked[indent + 1] == '{' ? head_before(x) : NULL;
    if (!head || indent <= indentation_of(head)) return false;
    x->outwards = indent - indentation_of(head);
    return true;
}

/* The first line of such a block: a comment that goes on in the next line, or does not fit into this one, stands alone.
 */
static const char *behind_head(layout *x, const char *line) {
    const char *words = line + indentation_of(line), *head = head_before(x);
    const size_t indent = indentation_of(line) - x->outwards;
    const bool comment = !strncmp(words, "{ /*", 4), fits = strlen(head) + strlen(words) <= LINE_WIDTH;
    x->remarks = comment && !strstr(words, "*/");
    x->out.bytes[x->out.length - 1] = ' ';
    if (!x->remarks && (fits || !comment)) return arena_text(x->memory, words, strlen(words));
    text_add(&x->out, "{\n");
    return arena_format(x->memory, "%*s%s", (int)indent + 4, "", words + 2);
}

/* Another line of it. */
static const char *moved_outwards(layout *x, const char *line) {
    const size_t blanks = indentation_of(line), most = x->outwards - (x->remarks ? 2 : 0);
    x->remarks = x->remarks && !strstr(line, "*/");
    return line + (blanks < most ? blanks : most);
}

/* One line with its marks. */
static void add_marked_line(layout *x, const char *marked, size_t length) {
    text line;
    const bool behind = begins_behind_head(x, marked), outwards = x->outwards > 0 && x->made;
    bool made = x->made, ended = false;
    text_start(&line, x->memory);
    for (size_t k = 0; k < length; k++) {
        if (marked[k] != MADE) {
            text_add_bytes(&line, marked + k, 1);
            continue;
        }
        ended |= x->made;
        x->made = !x->made;
        made = true;
    }
    const char *s = outwards ? moved_outwards(x, text_of(&line))
                    : behind ? behind_head(x, text_of(&line))
                             : text_of(&line);
    if (!x->made) x->outwards = 0;
    if (made && !x->in_comment) s = joined_line(x, s);
    if (x->made && !x->in_comment && goes_on(s)) {
        x->begun = s;
        return;
    }
    const bool blank = s[strspn(s, " \t")] == '\0' && !x->in_comment;
    if (blank && (x->blank || ended)) return;
    x->blank = blank;
    if (made)
        add_made_line(x, s);
    else
        text_format(&x->out, "%s\n", s);
    pass_line(x, s);
}

/* Lines that have been added are forgotten from time to time. */
static void forget_lines(layout *x) {
    if (++x->lines % FORGOTTEN_LINES != 0 || x->begun) return;
    arena_free(x->memory);
    x->memory = arena_new();
}

const char *lay_out(arena *memory, const char *s) {
    layout x = {.memory = arena_new()};
    text_start(&x.out, memory);
    while (*s) {
        const size_t length = strcspn(s, "\n");
        add_marked_line(&x, s, length);
        forget_lines(&x);
        s += length + (s[length] == '\n');
    }
    arena_free(x.memory);
    return text_of(&x.out);
}
