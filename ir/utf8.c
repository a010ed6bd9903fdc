/* Texts with bytes that are no UTF-8: a source may be written in any encoding. */
#include "utf8.h"

#include "../runtime/base/utf8.h"

const char *as_utf8(arena *a, const char *other) {
    text out;
    text_start(&out, a);
    while (*other) {
        const size_t length = dpc_utf8_length(other);
        const unsigned char byte = (unsigned char)*other;
        if (length > 0)
            text_add_bytes(&out, other, length);
        else
            text_add_bytes(&out, (const char[]){(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f))}, 2);
        other += length > 0 ? length : 1;
    }
    return text_of(&out);
}
