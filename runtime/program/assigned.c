/* --check=all: no statement assigns an element twice, and no iteration of an independent loop one that another one
 * reads.  Every iteration's element goes to the process that is
 * responsible for its number; there equal ones meet. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "program.h"

#include "../agree.h"
#include "../dpc/checks.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

/* ---- Entries: the element's number, the values of the indices, whether it is assigned */

static int words_of(int indices) {
    return indices + 2;
}

static bool is_stored(const dpc_index *entry, int words) {
    return entry[words - 1] != 0;
}

static int compare_entries(const void *x, const void *y, void *words) {
    const dpc_index *a = x, *b = y;
    for (int k = 0; k < *(int *)words; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static bool same_iteration(const dpc_index *x, const dpc_index *y, int words) {
    return memcmp(x + 1, y + 1, (size_t)(words - 2) * sizeof *x) == 0;
}

static void sort_entries(dpc_index *entry, dpc_index count, int words) {
    if (count > 1) qsort_r(entry, (size_t)count, (size_t)words * sizeof *entry, compare_entries, &words);
}

/* ---- Collecting */

/* Of each element the first access, the first assignment, and the first ones of other iterations: as good as all. */
static void keep_few(dpc_assignments *x, int words) {
    dpc_index *first = NULL, *stored = NULL;
    bool other = false, other_stored = false;
    dpc_index kept = 0;
    sort_entries(x->entry, x->count, words);
    for (dpc_index k = 0; k < x->count; k++) {
        dpc_index *entry = x->entry + k * words;
        bool keeps = false;
        if (first == NULL || entry[0] != first[0]) {
            first = stored = NULL;
            other = other_stored = false;
        }
        dpc_index *to = x->entry + kept * words;
        if (first == NULL)
            keeps = true, first = to;
        else if (!other && !same_iteration(entry, first, words))
            keeps = other = true;
        if (is_stored(entry, words) && stored == NULL)
            keeps = true, stored = to;
        else if (is_stored(entry, words) && !other_stored && !same_iteration(entry, stored, words))
            keeps = other_stored = true;
        if (!keeps) continue;
        memmove(to, entry, (size_t)words * sizeof *entry);
        kept++;
    }
    x->count = x->kept = kept;
}

enum { MANY = 1 << 20 };

static void make_room(dpc_assignments *x, int words) {
    if (x->count > MANY && x->count > 2 * x->kept) keep_few(x, words);
    if (x->count < x->room) return;
    const dpc_index room = x->room > 0 ? 2 * x->room : 64;
    dpc_index *entry = dpc_buffer(room * words, sizeof *entry);
    if (x->count > 0) memcpy(entry, x->entry, (size_t)(x->count * words) * sizeof *entry);
    dpc_free_buffer(x->entry);
    x->entry = entry;
    x->room = room;
}

void dpc_begin_iteration(dpc_assignments *x, int indices, const dpc_index *value) {
    memcpy(x->value, value, (size_t)indices * sizeof *value);
}

static void add_entry(dpc_assignments *x, dpc_index element, int indices, bool stored) {
    const int words = words_of(indices);
    if (x->count == x->room) make_room(x, words);
    dpc_index *entry = x->entry + x->count * words;
    entry[0] = element;
    memcpy(entry + 1, x->value, (size_t)indices * sizeof *entry);
    entry[words - 1] = stored;
    if (x->count == x->kept || memcmp(entry, entry - words, (size_t)words * sizeof *entry) != 0) x->count++;
}

void dpc_accesses(dpc_assignments *x, const dpc_array *a, int indices, bool stored, const dpc_index *subscript) {
    dpc_index element = 0;
    for (int d = 0; d < a->rank; d++)
        if (!dpc_holds(&a->dim[d], subscript[d])) return; /* the statement says so */
    for (int d = 0; d < a->rank; d++) element = element * a->dim[d].extent + (subscript[d] - a->dim[d].lower);
    add_entry(x, element, indices, stored);
}

void dpc_assigns_memory(dpc_assignments *x, int indices, const void *at) {
    add_entry(x, (dpc_index)(uintptr_t)at, indices, true);
}

/* ---- Equal elements meet */

typedef struct {
    int words; /* of an entry */
    dpc_index count;
    dpc_index *entry;
    int *many, *from; /* per process: entries, and where they begin */
} portions;

static portions open_portions(int words) {
    const dpc_index procs = dpc_nprocs();
    return (portions){.words = words, .many = dpc_buffer(procs, sizeof(int)), .from = dpc_buffer(procs, sizeof(int))};
}

static void close_portions(portions *p) {
    dpc_free_buffer(p->entry);
    dpc_free_buffer(p->many);
    dpc_free_buffer(p->from);
}

static int responsible(const dpc_index *entry) {
    return (int)(entry[0] % dpc_nprocs());
}

/* The entries lie one process after the other. */
static void line_up(portions *p) {
    for (int q = 1; q < dpc_nprocs(); q++) p->from[q] = p->from[q - 1] + p->many[q - 1];
    p->count = p->from[dpc_nprocs() - 1] + p->many[dpc_nprocs() - 1];
    p->entry = dpc_buffer(p->count * p->words, sizeof *p->entry);
}

static portions by_process(const dpc_assignments *x, int words) {
    portions p = open_portions(words);
    for (dpc_index k = 0; k < x->count; k++) p.many[responsible(x->entry + k * words)]++;
    line_up(&p);
    int *next = dpc_buffer(dpc_nprocs(), sizeof *next);
    memcpy(next, p.from, (size_t)dpc_nprocs() * sizeof *next);
    for (dpc_index k = 0; k < x->count; k++) {
        const dpc_index *entry = x->entry + k * words;
        memcpy(p.entry + (dpc_index)next[responsible(entry)]++ * words, entry, (size_t)words * sizeof *entry);
    }
    dpc_free_buffer(next);
    return p;
}

static portions exchanged(const portions *mine) {
    portions theirs = open_portions(mine->words);
    MPI_Datatype entry;
    MPI_Type_contiguous(mine->words, MPI_INT64_T, &entry);
    MPI_Type_commit(&entry);
    MPI_Alltoall(mine->many, 1, MPI_INT, theirs.many, 1, MPI_INT, dpc_communicator);
    line_up(&theirs);
    MPI_Alltoallv(mine->entry, mine->many, mine->from, entry, theirs.entry, theirs.many, theirs.from, entry,
                  dpc_communicator);
    MPI_Type_free(&entry);
    return theirs;
}

/* Two entries of different iterations for one element, of which the first is an assignment; false: there are none.
 * Where elements have copies, several processes execute an iteration. */
static bool find_conflict(dpc_index *entry, dpc_index count, int words, const dpc_index *pair[2]) {
    sort_entries(entry, count, words);
    for (dpc_index begin = 0, end; begin < count; begin = end) {
        const dpc_index *first = entry + begin * words;
        for (end = begin; end < count && entry[end * words] == first[0]; end++) {
            pair[0] = entry + end * words;
            pair[1] = first;
            if (is_stored(pair[0], words) && !same_iteration(pair[0], first, words)) return true;
            pair[0] = first;
            pair[1] = entry + end * words;
            if (is_stored(first, words) && !same_iteration(first, pair[1], words)) return true;
        }
    }
    pair[0] = pair[1] = NULL;
    return false;
}

/* ---- What is said */

static void add(dpc_message_text *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(dpc_message_text *m, const char *format, ...) {
    const size_t length = strlen(m->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->text + length, sizeof m->text - length, format, arguments);
    va_end(arguments);
}

static void add_element(dpc_message_text *m, const dpc_array *a, dpc_index number) {
    dpc_index subscript[DPC_MAX_RANK];
    for (int d = a->rank - 1; d >= 0; d--) {
        subscript[d] = a->dim[d].lower + number % a->dim[d].extent;
        number /= a->dim[d].extent;
    }
    add(m, "%.100s", a->name);
    for (int d = 0; d < a->rank; d++) add(m, "[%lld]", (long long)subscript[d]);
}

static void add_iteration(dpc_message_text *m, const char *before, const dpc_index *entry, int indices,
                          const char *const *names) {
    add(m, "%s", before);
    for (int k = 0; k < indices; k++) add(m, "%s%.60s = %lld", k > 0 ? ", " : "", names[k], (long long)entry[1 + k]);
}

/* what: the element; the first of the pair is an assignment. */
static void fail_on_conflict(const char *where, const char *what, const dpc_index *const pair[2], int indices,
                             const char *const *names) {
    const bool fails = pair[0] != NULL, twice = fails && is_stored(pair[1], words_of(indices));
    int words = words_of(indices);
    dpc_message_text why = {""};
    if (fails) {
        const int later = twice && compare_entries(pair[0], pair[1], &words) > 0; /* the least values come first */
        add(&why, "%s", what);
        if (twice)
            add(&why, " is assigned twice, by the iterations ");
        else
            add(&why, " is assigned by the iteration ");
        add_iteration(&why, "", pair[later], indices, names);
        add_iteration(&why, twice ? " and " : ", and read by the iteration ", pair[!later], indices, names);
    }
    dpc_fail_first(where, fails, &why);
}

void dpc_check_assignments(dpc_assignments *x, const char *where, const dpc_array *a, int indices,
                           const char *const *names) {
    const int words = words_of(indices);
    const dpc_index *pair[2];
    dpc_message_text element = {""};
    if (x->count > INT_MAX) dpc_fail(where, "--check=all: more iterations of one process than 2^31 - 1");
    portions mine = by_process(x, words), met = exchanged(&mine);
    if (find_conflict(met.entry, met.count, words, pair)) add_element(&element, a, pair[0][0]);
    fail_on_conflict(where, element.text, pair, indices, names);
    close_portions(&mine);
    close_portions(&met);
    dpc_free_buffer(x->entry);
}

void dpc_check_memory(dpc_assignments *x, const char *where, const char *what, int indices, const char *const *names) {
    const dpc_index *pair[2];
    dpc_message_text element = {""};
    find_conflict(x->entry, x->count, words_of(indices), pair);
    add(&element, "an element '%.200s'", what);
    fail_on_conflict(where, element.text, pair, indices, names);
    dpc_free_buffer(x->entry);
}

/* ---- Subscripts of ordinary arrays */

void dpc_fail_within(const char *where, const char *name, int dimension, dpc_index index, dpc_index lower,
                     dpc_index extent) {
    dpc_fail(where, "subscript %d of ordinary array '%s' is out of bounds: index %lld, bounds %lld:%lld (inclusive)",
             dimension + 1, name, (long long)index, (long long)lower, (long long)(lower + (extent - 1)));
}

/* A pointer that stands just behind a block may be one to before the next, as in p = q - 1, p[1]. */
static bool is_before_another(dpc_index index, const dpc_seen_pointer *seen, size_t size) {
    const char *first;
    size_t bytes;
    return seen->high == 0 && index > 0 && index < INT_MAX &&
           dpc_block_around((const char *)seen->pointer + (size_t)index * size, &first, &bytes);
}

void dpc_leaves_block(const char *where, const char *name, int dimension, dpc_index index, const dpc_seen_pointer *seen,
                      size_t size) {
    const dpc_index width = (dpc_index)size, first = -(-seen->low / width), last = seen->high / width - 1;
    if (is_before_another(index, seen, size)) return;
    if (dimension < 0) dpc_fail(where, "'%s' is outside of the memory that its pointer points into", name);
    dpc_fail(where, "subscript %d of '%s' is out of bounds: index %lld, bounds %lld:%lld (inclusive) of its memory",
             dimension + 1, name, (long long)index, (long long)first, (long long)last);
}
