/* Pictures in PGM (P5): J. Poskanzer, "pgm", the manual page of Netpbm.  Pure; a serial program has this text in it. */
#ifndef DPC_PICTURE_H
#define DPC_PICTURE_H

#include <stdio.h>

/* How a value becomes a gray one. */
typedef struct {
    double black, white;
    int greatest; /* of the file: 1 to 65535 */
    int known;    /* black and white are; else the least and greatest values are */
} dpc_grays;

/* Arguments of a picture whose range is that of its values, or of its type. */
#define DPC_WHOLE_RANGE 0, 0, 0

/* kind, size: of the elements, as in npy.h.  greatest 0: the whole range. */
static inline dpc_grays dpc_grays_of(char kind, int size, double black, double white, int greatest) {
    const int most = kind == 'u' && size == 2 ? 65535 : 255;
    dpc_grays g = {black, white, greatest, 1};
    if (greatest != 0) return g;
    g.black = 0;
    g.white = kind == 'b' ? 1 : kind == 'u' && size <= 2 ? most : 0;
    g.greatest = most;
    g.known = kind == 'b' || (kind == 'u' && size <= 2);
    return g;
}

/* Bytes of a value in the file. */
static inline int dpc_gray_bytes(const dpc_grays *g) {
    return g->greatest > 255 ? 2 : 1;
}

/* Linear between black and white, which may be either way round; NaN is black. */
static inline int dpc_gray(const dpc_grays *g, double value) {
    const double part = g->white == g->black ? 0 : (value - g->black) / (g->white - g->black);
    if (!(part > 0)) return 0;
    return part >= 1 ? g->greatest : (int)(part * g->greatest + 0.5);
}

/* Stores it, high byte first; returns where the next one stands. */
static inline unsigned char *dpc_put_gray(unsigned char *at, const dpc_grays *g, double value) {
    const int gray = dpc_gray(g, value);
    if (g->greatest > 255) *at++ = (unsigned char)(gray >> 8);
    *at++ = (unsigned char)(gray & 255);
    return at;
}

/* The head of the file, into 64 bytes; returns its length. */
static inline int dpc_picture_header(char *out, long long rows, long long columns, int greatest) {
    return snprintf(out, 64, "P5\n%lld %lld\n%d\n", columns, rows, greatest);
}

#endif
