/* NumPy's files of one array: R. Kern, "A simple file format for NumPy arrays", NumPy Enhancement Proposal 1, 2007,
 * with versions 2.0 and 3.0 (numpy.lib.format).  Pure; a serial program has this text in it. */
#ifndef DPC_NPY_H
#define DPC_NPY_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a header that is written; of the longest that is read; dimensions of one that is read. */
enum { DPC_NPY_ROOM = 1024, DPC_NPY_LONGEST = 1 << 16, DPC_NPY_RANK = 32, DPC_NPY_WHY = 400 };

/* What a file holds. */
typedef struct {
    char kind;    /* NumPy's letter: b, i, u, f or c */
    int size;     /* of an element, bytes */
    bool swapped; /* its bytes stand in the other order than this machine's */
    bool columns; /* the first index runs fastest */
    int rank;
    long long extent[DPC_NPY_RANK];
    long long offset; /* of the first element in the file, bytes */
} dpc_npy;

static inline bool dpc_npy_little(void) {
    const int one = 1;
    return *(const char *)&one == 1;
}

/* "<f8", into 16 bytes. */
static inline void dpc_npy_type(char *out, char kind, int size, bool swapped) {
    snprintf(out, 16, "%c%c%d", size == 1 ? '|' : dpc_npy_little() != swapped ? '<' : '>', kind, size);
}

/* "(3, 4)", with the comma of one dimension. */
static inline int dpc_npy_shape(char *out, size_t room, int rank, const long long *extent) {
    int length = snprintf(out, room, "(");
    for (int d = 0; d < rank && (size_t)length < room; d++)
        length += snprintf(out + length, room - (size_t)length, d ? ", %lld" : "%lld", extent[d]);
    if ((size_t)length < room) length += snprintf(out + length, room - (size_t)length, rank == 1 ? ",)" : ")");
    return length;
}

/* The header of an array of up to 15 dimensions in rows, into DPC_NPY_ROOM bytes; returns its length, a multiple of
 * 64. */
static inline int dpc_npy_header(char *out, char kind, int size, int rank, const long long *extent) {
    char type[16], shape[512];
    dpc_npy_type(type, kind, size, false);
    dpc_npy_shape(shape, sizeof shape, rank, extent);
    int length = 10 + snprintf(out + 10, DPC_NPY_ROOM - 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                               type, shape);
    const int whole = (length + 1 + 63) / 64 * 64;
    memset(out + length, ' ', (size_t)(whole - length));
    out[whole - 1] = '\n';
    memcpy(out, "\x93NUMPY\x01", 8);
    out[7] = 0;
    out[8] = (char)((whole - 10) & 255);
    out[9] = (char)((whole - 10) >> 8);
    return whole;
}

/* ---- Reading */

/* What is left of a header's text. */
typedef struct {
    const char *at, *end;
} dpc_npy_text;

static inline void dpc_npy_blanks(dpc_npy_text *t) {
    while (t->at < t->end && strchr(" \t\r\n", *t->at) != NULL && *t->at) t->at++;
}

static inline bool dpc_npy_word(dpc_npy_text *t, const char *word) {
    const size_t length = strlen(word);
    dpc_npy_blanks(t);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0) return false;
    t->at += length;
    return true;
}

/* A string of Python without escapes, in single or double quotes. */
static inline bool dpc_npy_string(dpc_npy_text *t, char *out, size_t room) {
    dpc_npy_blanks(t);
    if (t->at == t->end || (*t->at != '\'' && *t->at != '"')) return false;
    const char quote = *t->at++;
    size_t length = 0;
    for (; t->at < t->end && *t->at != quote; t->at++) {
        if (*t->at == '\\' || length + 1 >= room) return false;
        out[length++] = *t->at;
    }
    out[length] = 0;
    return t->at < t->end && (t->at++, true);
}

/* A number of up to 63 bits; Python 2 wrote an L behind long ones. */
static inline bool dpc_npy_number(dpc_npy_text *t, long long *out) {
    dpc_npy_blanks(t);
    const char *first = t->at;
    *out = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
        if (*out > 922337203685477579LL) return false;
        *out = *out * 10 + (*t->at - '0');
    }
    if (t->at == first || *out < 0) return false;
    if (t->at < t->end && *t->at == 'L') t->at++;
    return true;
}

static inline bool dpc_npy_extents(dpc_npy_text *t, dpc_npy *x) {
    if (!dpc_npy_word(t, "(")) return false;
    x->rank = 0;
    while (!dpc_npy_word(t, ")")) {
        if (x->rank == DPC_NPY_RANK || !dpc_npy_number(t, &x->extent[x->rank++])) return false;
        if (!dpc_npy_word(t, ",") && (t->at == t->end || *t->at != ')')) return false;
    }
    return true;
}

/* "<f8" and its like; false: another one, which `why` says. */
static inline bool dpc_npy_read_type(const char *type, dpc_npy *x, char *why) {
    const char order = type[0];
    int used = 0;
    if (order && strchr("<>=|", order) != NULL && type[1] && strchr("biufc", type[1]) != NULL &&
        sscanf(type + 2, "%9d%n", &x->size, &used) == 1 && !type[2 + used] && x->size > 0 && x->size <= 64) {
        x->kind = type[1];
        x->swapped = (order == '<' && !dpc_npy_little()) || (order == '>' && dpc_npy_little());
        return true;
    }
    snprintf(why, DPC_NPY_WHY, "has elements of type '%.40s', which no array can have", type);
    return false;
}

static inline bool dpc_npy_dictionary(dpc_npy_text *t, dpc_npy *x, char *why) {
    char key[32], type[64];
    int found = 0;
    if (!dpc_npy_word(t, "{")) return false;
    while (!dpc_npy_word(t, "}")) {
        if (!dpc_npy_string(t, key, sizeof key) || !dpc_npy_word(t, ":")) return false;
        if (!strcmp(key, "descr")) {
            if (dpc_npy_word(t, "[")) {
                snprintf(why, DPC_NPY_WHY, "has structures as elements, which no array here has");
                return false;
            }
            if (!dpc_npy_string(t, type, sizeof type) || !dpc_npy_read_type(type, x, why)) return false;
            found |= 1;
        } else if (!strcmp(key, "fortran_order")) {
            x->columns = dpc_npy_word(t, "True");
            if (!x->columns && !dpc_npy_word(t, "False")) return false;
            found |= 2;
        } else if (!strcmp(key, "shape")) {
            if (!dpc_npy_extents(t, x)) return false;
            found |= 4;
        } else
            return false;
        if (!dpc_npy_word(t, ",") && (t->at == t->end || *t->at != '}')) return false;
    }
    return found == 7;
}

/* The number of bytes before the header's text, and of this; 0: `why` says what is wrong with the file, which begins
 * with these bytes (12, or all of a shorter one). */
static inline int dpc_npy_start(const char *bytes, size_t count, long long *text_bytes, char *why) {
    const unsigned char *b = (const unsigned char *)bytes;
    if (count < 8 || memcmp(bytes, "\x93NUMPY", 6) != 0) {
        snprintf(why, DPC_NPY_WHY, count == 0 ? "is empty" : "is no .npy file");
        return 0;
    }
    const int start = b[6] == 1 ? 10 : 12;
    if (b[6] < 1 || b[6] > 3 || b[7] != 0) {
        snprintf(why, DPC_NPY_WHY, "has version %d.%d of the .npy format; known are 1.0, 2.0 and 3.0", b[6], b[7]);
        return 0;
    }
    if (count < (size_t)start) {
        snprintf(why, DPC_NPY_WHY, "ends within its header");
        return 0;
    }
    *text_bytes = b[8] | b[9] << 8;
    if (start == 12) *text_bytes |= (long long)b[10] << 16 | (long long)b[11] << 24;
    if (*text_bytes <= DPC_NPY_LONGEST) return start;
    snprintf(why, DPC_NPY_WHY, "has a header of %lld bytes; up to %d are read", *text_bytes, DPC_NPY_LONGEST);
    return 0;
}

/* Reads the header's text, in a file of so many bytes.  false: `why` says what is wrong with it. */
static inline bool dpc_npy_read(dpc_npy *x, const char *text, long long text_bytes, int start, long long file_bytes,
                                char *why) {
    dpc_npy_text t = {text, text + text_bytes};
    memset(x, 0, sizeof *x);
    why[0] = 0;
    const bool good = dpc_npy_dictionary(&t, x, why);
    dpc_npy_blanks(&t);
    if (!good || t.at != t.end) {
        if (!why[0]) snprintf(why, DPC_NPY_WHY, "has a header that is none of the .npy format");
        return false;
    }
    x->offset = start + text_bytes;
    long long bytes = x->size;
    for (int d = 0; d < x->rank; d++)
        if (__builtin_mul_overflow(bytes, x->extent[d], &bytes)) {
            snprintf(why, DPC_NPY_WHY, "has more elements than a file can hold");
            return false;
        }
    for (int d = 0; d < x->rank; d++)
        if (x->extent[d] == 0) bytes = 0;
    if (file_bytes - x->offset == bytes) return true;
    snprintf(why, DPC_NPY_WHY, "%s: %lld bytes, and its header says %lld",
             file_bytes - x->offset < bytes ? "is cut short" : "has more behind its elements", file_bytes,
             x->offset + bytes);
    return false;
}

/* Whether the file's elements are those of an array of that kind, size and shape. */
static inline bool dpc_npy_fits(const dpc_npy *x, char kind, int size, int rank, const long long *extent,
                                const char *name, char *why) {
    char theirs[512], ours[512];
    bool same = x->rank == rank;
    if (x->kind != kind || x->size != size) {
        dpc_npy_type(theirs, x->kind, x->size, x->swapped);
        dpc_npy_type(ours, kind, size, false);
        snprintf(why, DPC_NPY_WHY, "has elements of type '%.15s', those of '%.80s' are '%.15s'", theirs, name, ours);
        return false;
    }
    for (int d = 0; same && d < rank; d++) same = x->extent[d] == extent[d];
    if (same) return true;
    dpc_npy_shape(theirs, sizeof theirs, x->rank, x->extent);
    dpc_npy_shape(ours, sizeof ours, rank, extent);
    snprintf(why, DPC_NPY_WHY, "has shape %.120s, '%.80s' has %.120s", theirs, name, ours);
    return false;
}

/* Turns the bytes of `count` elements around; of complex ones those of each part. */
static inline void dpc_npy_swap(void *memory, long long count, char kind, int size) {
    char *at = (char *)memory;
    const int width = kind == 'c' ? size / 2 : size;
    for (const char *end = at + count * size; at < end; at += width)
        for (int low = 0, high = width - 1; low < high; low++, high--) {
            const char kept = at[low];
            at[low] = at[high];
            at[high] = kept;
        }
}

/* What is true has the value 1. */
static inline void dpc_npy_normalise(void *memory, long long count) {
    unsigned char *at = (unsigned char *)memory;
    for (long long k = 0; k < count; k++) at[k] = at[k] != 0;
}

#endif
