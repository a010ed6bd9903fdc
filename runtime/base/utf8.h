/* Characters of UTF-8, in which JSON is written: sources and file names may be in any encoding. */
#ifndef DPC_UTF8_H
#define DPC_UTF8_H

#include <stddef.h>

/* The length of the character that begins there; 0: it is none (overlong forms and surrogates are none, either). */
static inline size_t dpc_utf8_length(const char *character) {
    const unsigned char *at = (const unsigned char *)character, first = *at, second = first ? at[1] : 0;
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second > 0x8f))
        return 0;
    for (size_t k = 1; k < length; k++)
        if ((at[k] & 0xc0) != 0x80) return 0;
    return length;
}

#endif
