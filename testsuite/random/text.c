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

void add(buffer *b, const char *format, ...) {
    va_list arguments;
    char piece[2000];
    va_start(arguments, format);
    size_t length = (size_t)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length >= sizeof piece) abort();
    if (b->length + length + 1 > b->room) {
        b->room = 2 * (b->room + length + 1);
        b->text = realloc(b->text, b->room);
        if (!b->text) abort();
    }
    memcpy(b->text + b->length, piece, length + 1);
    b->length += length;
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
