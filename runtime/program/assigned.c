/* --check=all: no statement assigns an element twice.  Every iteration's element goes to the process that is
 * responsible for its number; there equal ones meet. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "program.h"

#include "../dpc/checks.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

/* ---- Collecting */

static void make_room(dpc_assignments *x, int words) {
    const dpc_index room = x->room > 0 ? 2 * x->room : 64;
    dpc_index *entry = dpc_buffer(room * words, sizeof *entry);
    if (x->count > 0) memcpy(entry, x->entry, (size_t)(x->count * words) * sizeof *entry);
    dpc_free_buffer(x->entry);
    x->entry = entry;
    x->room = room;
}

void dpc_assigns(dpc_assignments *x, const dpc_array *a, const dpc_index *subscript, int indices,
                 const dpc_index *value) {
    for (int d = 0; d < a->rank; d++)
        if (!dpc_holds(&a->dim[d], subscript[d])) return; /* the statement says so */
    if (x->count == x->room) make_room(x, 1 + indices);
    dpc_index *entry = x->entry + x->count++ * (1 + indices);
    entry[0] = 0;
    for (int d = 0; d < a->rank; d++) entry[0] = entry[0] * a->dim[d].extent + (subscript[d] - a->dim[d].lower);
    for (int k = 0; k < indices; k++) entry[1 + k] = value[k];
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

static int compare_entries(const void *x, const void *y, void *words) {
    const dpc_index *a = x, *b = y;
    for (int k = 0; k < *(int *)words; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* The first of two entries with one element, of different iterations; NULL: there are none.  Where elements have
 * copies, several processes execute an iteration. */
static const dpc_index *find_twice(portions *p) {
    const size_t bytes = (size_t)p->words * sizeof *p->entry;
    if (p->count > 1) qsort_r(p->entry, (size_t)p->count, bytes, compare_entries, &p->words);
    for (dpc_index k = 1; k < p->count; k++) {
        const dpc_index *entry = p->entry + k * p->words;
        if (entry[0] == entry[-p->words] && memcmp(entry - p->words, entry, bytes) != 0) return entry - p->words;
    }
    return NULL;
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

static void add_iteration(dpc_message_text *m, const dpc_index *entry, int indices, const char *const *names) {
    for (int k = 0; k < indices; k++) add(m, "%s%.60s = %lld", k > 0 ? ", " : "", names[k], (long long)entry[1 + k]);
}

void dpc_check_assignments(dpc_assignments *x, const char *where, const dpc_array *a, int indices,
                           const char *const *names) {
    if (x->count > INT_MAX) dpc_fail(where, "--check=all: more iterations of one process than 2^31 - 1");
    portions mine = by_process(x, 1 + indices), met = exchanged(&mine);
    const dpc_index *twice = find_twice(&met);
    dpc_message_text why = {""};
    if (twice != NULL) {
        add_element(&why, a, twice[0]);
        add(&why, " is assigned twice, by the iterations ");
        add_iteration(&why, twice, indices, names);
        add(&why, " and ");
        add_iteration(&why, twice + met.words, indices, names);
    }
    dpc_fail_first(where, twice != NULL, &why);
    close_portions(&mine);
    close_portions(&met);
    dpc_free_buffer(x->entry);
}

/* ---- Subscripts of ordinary arrays */

void dpc_fail_within(const char *where, const char *name, int dimension, dpc_index index, dpc_index lower,
                     dpc_index extent) {
    dpc_fail(where, "subscript %d of ordinary array '%s' is out of bounds: index %lld, bounds %lld:%lld (inclusive)",
             dimension + 1, name, (long long)index, (long long)lower, (long long)(lower + (extent - 1)));
}
