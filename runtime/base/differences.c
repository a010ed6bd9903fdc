/* --check=all: ordinary memory that a statement reads is the same on every process.  Its hash is compared before the
 * statement; where it differs, the bytes that do are found, and the statement ends the program when it reads one. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../agree.h"
#include "base.h"
#include "divergence.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool dpc_differs;

/* ---- What differs */

/* Neighbouring bytes. */
typedef struct {
    const char *from, *to;
    int process;          /* the first one that has others than process 0; -1: process 0 has none */
    unsigned char *first; /* those of process 0 */
} difference;

static difference *found;
static size_t found_count, found_room;

static void forget_differences(void) {
    for (size_t k = 0; k < found_count; k++) free(found[k].first);
    found_count = 0;
    dpc_differs = false;
}

static void add_difference(const char *from, size_t bytes, int process, const unsigned char *first) {
    if (found_count == found_room) {
        found_room = found_room > 0 ? 2 * found_room : 64;
        found = realloc(found, found_room * sizeof *found);
        if (found == NULL) dpc_fail(NULL, "out of memory");
    }
    difference x = {from, from + bytes, process, malloc(bytes)};
    if (x.first == NULL) dpc_fail(NULL, "out of memory");
    memcpy(x.first, first, bytes);
    found[found_count++] = x;
    dpc_differs = true;
}

enum { PIECE = 1 << 14 };

/* Bytes that every process has, at most a piece. */
static void compare_piece(const char *mine, size_t bytes) {
    unsigned char first[PIECE];
    int process[PIECE];
    memcpy(first, mine, bytes);
    MPI_Bcast(first, (int)bytes, MPI_BYTE, 0, dpc_communicator);
    for (size_t k = 0; k < bytes; k++) process[k] = first[k] != (unsigned char)mine[k] ? dpc_rank() : dpc_nprocs();
    MPI_Allreduce(MPI_IN_PLACE, process, (int)bytes, MPI_INT, MPI_MIN, dpc_communicator);
    for (size_t k = 0, end; k < bytes; k = end) {
        end = k + 1;
        if (process[k] == dpc_nprocs()) continue;
        while (end < bytes && process[end] == process[k]) end++;
        add_difference(mine + k, end - k, process[k], first + k);
    }
}

static int by_address(const void *x, const void *y) {
    const difference *a = x, *b = y;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* ---- What the statement reads */

/* The number that the place has on process 0, in `first`; the process that has another one. */
static int find_first(const char *at, size_t bytes, unsigned char *first) {
    int process = 0;
    memcpy(first, at, bytes);
    for (size_t k = 0; k < found_count; k++) {
        const difference *x = &found[k];
        for (const char *c = at; c < at + bytes; c++)
            if (c >= x->from && c < x->to) {
                process = x->process;
                first[c - at] = x->first[c - x->from];
            }
    }
    return process;
}

static bool is_among_differences(const char *at, size_t bytes) {
    size_t low = 0, high = found_count; /* the first that ends behind `at` */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (found[middle].to <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < found_count && found[low].from < at + bytes;
}

void dpc_look_at(const char *where, const char *name, dpc_type type, const void *at) {
    const size_t bytes = dpc_bytes_of(type);
    unsigned char first[64] = "";
    char there[64], here[64];
    if (!is_among_differences(at, bytes)) return;
    const int process = find_first(at, bytes, first), other = dpc_rank() > 0 ? dpc_rank() : process;
    if (process < 0) dpc_fail(where, "'%.200s' is in memory that not every process has", name);
    dpc_show(there, sizeof there, type, first);
    dpc_show(here, sizeof here, type, at);
    const bool known = memcmp(first, at, bytes) != 0 && *here != '\0';
    dpc_fail(where, "'%.200s' differs between processes: %s on process 0, %s on process %d", name,
             *there != '\0' ? there : "one value", known ? here : "another one", known ? other : process);
}

/* ---- Before a statement */

/* Bytes that lie one after the other. */
typedef struct {
    const char *at;
    size_t bytes;
} stretch;

/* Where element `number` begins, as far as it is an address at all. */
static const char *element_of(const dpc_object *x, dpc_index number) {
    dpc_index bytes;
    return __builtin_mul_overflow(number, (dpc_index)x->size, &bytes) ? NULL : (const char *)x->at + bytes;
}

/* How much of its block stands before a pointer, and from there on. */
typedef struct {
    size_t before, after;
} reach;

static reach reach_of(const void *p) {
    const char *first;
    size_t bytes;
    if (p == NULL || !dpc_block_around(p, &first, &bytes)) return (reach){0, 0};
    const size_t before = (size_t)((const char *)p - first);
    return (reach){before, bytes - before};
}

/* Pointers may stand elsewhere in their blocks on every process: of these what all have was agreed on. */
typedef struct {
    const char *where;
    int number; /* of the object */
    const void *pointer;
    reach own, shared;
} agreed_reach;
enum { AGREED = 256 };
static agreed_reach agreed[AGREED];

static agreed_reach *agreed_at(const char *where, int number) {
    return &agreed[((uintptr_t)where / 8 + (uintptr_t)number * 37) % AGREED];
}

static bool is_same_reach(reach x, reach y) {
    return x.before == y.before && x.after == y.after;
}

static reach shared_reach(const char *where, int number, const void *p) {
    const reach own = reach_of(p);
    const agreed_reach *a = agreed_at(where, number);
    const bool known = a->where == where && a->number == number && a->pointer == p && is_same_reach(a->own, own);
    return known ? a->shared : own;
}

static void agree_on_reach(const char *where, int number, const void *p) {
    const reach own = reach_of(p);
    uint64_t least[] = {own.before, own.after};
    MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_UINT64_T, MPI_MIN, dpc_communicator);
    *agreed_at(where, number) = (agreed_reach){where, number, p, own, {least[0], least[1]}};
}

static bool points(const dpc_object *x) {
    return x->bytes == 0 && x->at != NULL;
}

/* What is compared of an object. */
static stretch stretch_of(const char *where, int number, const dpc_object *x) {
    stretch s = {x->at, x->bytes};
    if (x->unread) return (stretch){x->at, 0};
    if (points(x) && x->read == NULL) {
        const reach r = shared_reach(where, number, x->at);
        s = (stretch){(const char *)x->at - r.before, r.before + r.after};
    }
    if (x->size == 0 || x->at == NULL) return s;
    if (x->to < x->from) return (stretch){s.at, 0};
    const char *low = element_of(x, x->from), *high = element_of(x, x->to + 1);
    if (low == NULL || high == NULL) return s;
    if (x->read != NULL) return (stretch){low, (size_t)(high - low)};
    if (s.bytes == 0) return (stretch){low, x->always ? (size_t)(high - low) : 0};
    if (low < s.at) low = s.at;
    if (high > s.at + s.bytes) high = s.at + s.bytes;
    return (stretch){low, low < high ? (size_t)(high - low) : 0};
}

static const char *pointer_in(stretch s, size_t k) {
    const char *p;
    memcpy(&p, s.at + k * sizeof p, sizeof p);
    return p;
}

/* What pointer number k of a stretch leads to: nothing more where the one before leads into the same block. */
static stretch pointed(stretch s, size_t k) {
    const char *p = pointer_in(s, k), *before = k > 0 ? pointer_in(s, k - 1) : NULL;
    const reach r = reach_of(p);
    const bool again = before != NULL && p != NULL && p - r.before <= before && before < p + r.after;
    return (stretch){p, again ? 0 : r.after};
}

static uint64_t hash_of_stretch(uint64_t h, stretch s, int levels) {
    if (levels == 0) return dpc_hash(h, s.at, s.bytes);
    for (size_t k = 0; k < s.bytes / sizeof(void *); k++) h = hash_of_stretch(h, pointed(s, k), levels - 1);
    return h;
}

uint64_t dpc_hash_objects(uint64_t h, const char *where, int count, const dpc_object *objects) {
    if (dpc_differs && count > 0) forget_differences();
    for (int k = 0; k < count; k++) h = hash_of_stretch(h, stretch_of(where, k, &objects[k]), objects[k].levels);
    return h;
}

static void compare_stretch(stretch s, int levels) {
    uint64_t h = hash_of_stretch(0, s, levels), shared = s.bytes;
    if (dpc_same_everywhere(&h, sizeof h)) return;
    MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_UINT64_T, MPI_MIN, dpc_communicator);
    for (size_t k = 0; levels > 0 && k < shared / sizeof(void *); k++) compare_stretch(pointed(s, k), levels - 1);
    if (levels > 0) return;
    for (size_t at = 0; at < shared; at += PIECE) compare_piece(s.at + at, shared - at < PIECE ? shared - at : PIECE);
    if (s.bytes > shared) add_difference(s.at + shared, s.bytes - shared, -1, (const unsigned char *)s.at + shared);
}

/* The first byte that differs, from difference number k on, of an element's value, as padding may: that of long double.
 * NULL: none does. */
static const char *first_of_values(const dpc_object *x, size_t k) {
    const size_t bytes = dpc_bytes_of(x->type);
    for (; k < found_count; k++) {
        const size_t within = (size_t)(found[k].from - (const char *)x->at) % x->size;
        const char *next = found[k].from + (within < bytes ? 0 : x->size - within);
        if (bytes > 0 && next < found[k].to) return next;
    }
    return NULL;
}

/* Ends the program where one of the object's elements differs, all of which iterations read. */
static void fail_where_read(const dpc_object *x, stretch s) {
    const size_t before = found_count;
    compare_stretch(s, 0);
    const char *first = first_of_values(x, before);
    if (first == NULL) return;
    const size_t element = (size_t)(first - (const char *)x->at) / x->size;
    dpc_agree(x->place, 1, &(dpc_replicated){x->read, x->type, (const char *)x->at + element * x->size});
}

static void compare_object(const char *where, int number, const dpc_object *x) {
    dpc_message_text why;
    int any = points(x) && x->read == NULL;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, dpc_communicator);
    if (any) agree_on_reach(where, number, x->bytes == 0 ? x->at : NULL);
    const stretch s = stretch_of(where, number, x);
    const uint64_t h = hash_of_stretch(0, s, x->levels);
    if (x->read != NULL) {
        fail_where_read(x, s);
        return;
    }
    if (x->name == NULL) {
        compare_stretch(s, x->levels);
        return;
    }
    if (dpc_same_everywhere(&h, sizeof h)) return;
    snprintf(why.text, sizeof why.text, "'%.200s', which a function reads, differs between processes", x->name);
    dpc_fail_together(where, &why);
}

void dpc_compare_objects(const char *where, int count, const dpc_object *objects) {
    for (int k = 0; k < count; k++) compare_object(where, k, &objects[k]);
    if (found_count > 1) qsort(found, found_count, sizeof *found, by_address);
}

/* ---- Functions */

size_t dpc_function_number(void (*function)(void)) {
    Dl_info in;
    void *at;
    memcpy(&at, &function, sizeof at);
    return dladdr(at, &in) ? (size_t)((const char *)at - (const char *)in.dli_fbase) : function != NULL;
}
