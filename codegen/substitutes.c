/* Variables that stand in the text in place of constants that would hold their values (bounds.c). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emitter.h"

static int compare_names(const void *x, const void *y) {
    return strcmp(((const bound_name *)x)->name, ((const bound_name *)y)->name);
}

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

const char *with_variables_of_bounds(emitter *e, arena *memory, const char *s) {
    text out, word;
    text_start(&out, memory);
    text_start(&word, e->memory);
    qsort(e->bound, e->bounds, sizeof *e->bound, compare_names);
    while (*s) {
        size_t length = 0;
        while (in_name(s[length])) length++;
        word.length = 0;
        text_add_bytes(&word, s, length);
        const bound_name wanted = {text_of(&word), NULL};
        const bound_name *found =
            length ? bsearch(&wanted, e->bound, e->bounds, sizeof *e->bound, compare_names) : NULL;
        if (found)
            text_add(&out, found->variable);
        else
            text_add_bytes(&out, s, length ? length : 1);
        s += length ? length : 1;
    }
    return text_of(&out);
}
