/* Random numbers and text.  See generate.h. */
#include "generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random numbers */

static unsigned long long state;

void seed_numbers(long seed) {
    state = (unsigned long long)seed * 2654435761u + 12345;
    below(1);
}

long below(long n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (long)((state >> 33) % (unsigned long long)n);
}

long between(long low, long high) {
    return low + below(high - low + 1);
}
bool chance(int percent) {
    return below(100) < percent;
}
long minimum(long a, long b) {
    return a < b ? a : b;
}

/* ---- Text */

static void append_text(buffer *b, const char *piece, size_t length) {
    if (b->length + length + 1 > b->room) {
        b->room = 2 * (b->room + length + 1);
        b->text = realloc(b->text, b->room);
        if (!b->text) abort();
    }
    memcpy(b->text + b->length, piece, length);
    b->length += length;
    b->text[b->length] = '\0';
}

void add(buffer *b, const char *format, ...) {
    va_list arguments;
    char piece[2000];
    va_start(arguments, format);
    size_t length = (size_t)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length >= sizeof piece) abort();
    append_text(b, piece, length);
}

void append(buffer *b, const buffer *more) {
    if (more->text) append_text(b, more->text, more->length);
}

/* Arrays and templates are letters, in C with `_` behind those of their elements; grids are letters with a digit;
 * functions f0, f1 ..; the indices and the imaginary unit are what all programs share. */
static bool is_own_name(const char *name, size_t length) {
    if (length == 1) return !strchr("ijkI", *name);
    if (length == 4 && memcmp(name, "main", 4) == 0) return true;
    if (length == 2 && name[1] == '_') return true;
    return strchr("fPQRSTU", *name) && strspn(name + 1, "0123456789") == length - 1;
}

void print_renamed(const char *program, long seed) {
    static const char letters[] = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    bool member = false;
    for (const char *at = program; *at;) {
        size_t length = strspn(at, letters);
        if (*at == '"' || *at == '\'') {
            const char quote = *at;
            for (length = 1; at[length] != quote; length++)
                if (at[length] == '\\') length++;
            length++;
        } else if (length > 0 && (*at < '0' || *at > '9') && !member && is_own_name(at, length)) {
            printf("%.*s_%ld", (int)length, at, seed);
            at += length;
            continue;
        }
        if (length == 0) length = 1;
        member = *at == '.';
        printf("%.*s", (int)length, at);
        at += length;
    }
}

buffer dpc_body, c_body;
int depth = 1;

/* The indentation of the next line. */
const char *indent(void) {
    static const char blanks[] = "                                        ";
    return blanks + sizeof blanks - 1 - 4 * (size_t)depth;
}

/* ---- Numbers that the compiler does not know */

/* Variables of the program that hold 1, 2, 3 and 4 are v1 .. v4. */
const char variables[] = "long v1 = 1, v2 = 2, v3 = 3, v4 = 4;\n";

/* The number, or an expression that is as great.  `out` has room for 40 characters. */
const char *number(char *out, long n) {
    const long k = between(1, 4);
    if (!chance(12))
        sprintf(out, "%ld", n);
    else if (n >= 1 && n <= 4)
        sprintf(out, "v%ld", n);
    else if (n <= -1 && n >= -4)
        sprintf(out, "-v%ld", -n);
    else
        sprintf(out, "v%ld%+ld", k, n - k);
    return out;
}

int repeats; /* loops around the statement */

/* The variable of the loop around, which is 0 or 1, or NULL: a subscript that may grow by `slack` can add it. */
const char *round_name(long slack) {
    static char out[40];
    if (repeats == 0 || slack < 1 || !chance(40)) return NULL;
    sprintf(out, "round%d", repeats - 1);
    return out;
}
