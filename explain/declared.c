/* Bounds as the source declares them, in place of the constants that the generated program keeps them in. */
#include <ctype.h>
#include <string.h>

#include "report.h"

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The bound that the word of `length` bytes at `at` names; NULL: it is another word. */
static const linear *bound_named(const program *p, const char *at, size_t length) {
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        for (int d = 0; d < a->rank; d++) {
            const char *names[] = {a->lower_name[d], a->upper_name[d]};
            for (int b = 0; b < 2; b++)
                if (names[b] && strlen(names[b]) == length && !strncmp(names[b], at, length))
                    return b == 0 ? &a->written_lower[d] : &a->written_upper[d];
        }
    }
    return NULL;
}

static bool is_operand(const char *shown) {
    while (in_word(*shown)) shown++;
    return *shown == '\0';
}

/* Whether what is written next stands alone in parentheses that are no call's, as (A_upper0 + 1). */
static bool in_own_parentheses(const text *out, char behind) {
    const size_t n = out->length;
    return n > 0 && out->bytes[n - 1] == '(' && behind == ')' && (n == 1 || !in_word(out->bytes[n - 2]));
}

/* Writes the bound for the word that ends at `end`, one more where "+ 1" follows; returns where to go on. */
static const char *put_bound(const program *p, text *out, linear bound, const char *end) {
    const bool counted = !strncmp(end, " + 1", 4) && !in_word(end[4]);
    if (counted) bound = linear_add(p->memory, bound, linear_constant(1)), end += 4;
    const char *shown = linear_text(p->memory, &bound);
    const bool alone = in_own_parentheses(out, *end);
    if (alone && is_operand(shown)) {
        out->length--;
        end++;
    }
    text_add(out, alone || strchr("],:", *end) ? shown : operand(p->memory, shown));
    return end;
}

const char *as_declared(const program *p, const char *written) {
    text out;
    text_start(&out, p->memory);
    while (*written) {
        size_t length = 1;
        if (in_word(*written))
            while (in_word(written[length])) length++;
        const linear *bound = in_word(*written) ? bound_named(p, written, length) : NULL;
        if (bound) {
            written = put_bound(p, &out, *bound, written + length);
        } else {
            text_add_bytes(&out, written, length);
            written += length;
        }
    }
    return text_of(&out);
}
