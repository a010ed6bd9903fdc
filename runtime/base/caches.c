/* What the system says about caches, and how large tiles are therefore.  See caches.h. */
#include "caches.h"

#include <stdio.h>
#include <unistd.h>

static dpc_index asked(int name, dpc_index otherwise) {
    const long value = name >= 0 ? sysconf(name) : -1;
    return value > 0 ? (dpc_index)value : otherwise;
}

/* glibc's names; other systems have none. */
#ifdef _SC_LEVEL1_DCACHE_SIZE
enum { LINE = _SC_LEVEL1_DCACHE_LINESIZE, FIRST = _SC_LEVEL1_DCACHE_SIZE, WAYS = _SC_LEVEL1_DCACHE_ASSOC };
enum { SECOND = _SC_LEVEL2_CACHE_SIZE, THIRD = _SC_LEVEL3_CACHE_SIZE };
#else
enum { LINE = -1, FIRST = -1, WAYS = -1, SECOND = -1, THIRD = -1 };
#endif

/* sysconf adds up the third-level caches of a processor that has several; Linux tells one of them. */
static dpc_index third_level(dpc_index second) {
    FILE *told = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    long kilobytes = 0;
    if (told == NULL) return asked(THIRD, second);
    const bool known = fscanf(told, "%ldK", &kilobytes) == 1 && kilobytes > 0;
    fclose(told);
    return known ? (dpc_index)kilobytes << 10 : asked(THIRD, second);
}

const dpc_caches *dpc_machine_caches(void) {
    static dpc_caches found;
    if (found.line > 0) return &found;
    const dpc_index first = asked(FIRST, 32 << 10);
    found =
        (dpc_caches){.first = first, .way = dpc_maximum(first / asked(WAYS, 8), 1), .second = asked(SECOND, 512 << 10)};
    found.third = dpc_maximum(found.second, third_level(found.second));
    found.line = asked(LINE, 64);
    return &found;
}

/* No side of a tile is longer. */
enum { MOST_SIDE = 256 };

/* The largest power of two of which two squares take half of the cache. */
static dpc_index square_side(dpc_index cache, dpc_index size) {
    dpc_index side = 1;
    while (side < MOST_SIDE && 2 * (2 * side) * (2 * side) * size <= cache / 2) side *= 2;
    return side;
}

/* As many of `most` elements, each `pitch` bytes behind the one before, as have lines that do not displace one another.
 */
static dpc_index elements_apart(const dpc_caches *c, dpc_index pitch, dpc_index most) {
    const dpc_index ways = c->first / c->way, places = dpc_maximum(c->way / c->line, 1);
    const dpc_index step = pitch < c->way ? pitch : c->way + pitch % c->way; /* the same places */
    dpc_index line[MOST_SIDE], lines = 0;
    for (dpc_index n = 0; n < most; n++) {
        const dpc_index here = n * step / c->line;
        dpc_index others = 0;
        if (lines > 0 && line[lines - 1] == here) continue;
        for (dpc_index k = 0; k < lines; k++) others += line[k] % places == here % places;
        if (others == ways) return n;
        line[lines++] = here;
    }
    return most;
}

dpc_index dpc_tile_side(const dpc_caches *caches, dpc_index size, dpc_index pitch) {
    const dpc_index side = square_side(caches->first, size), line = dpc_maximum(caches->line / size, 1);
    return dpc_minimum(side, dpc_maximum(elements_apart(caches, pitch, side), line));
}
