/* npy_save and npy_load: NumPy's files of one array. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "filed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a call of MPI: what is copied first, what goes straight from memory. */
enum { COPIED_BYTES = 16 << 20, STRAIGHT_BYTES = 1 << 30 };

/* ---- The elements */

static dpc_index most_elements(const dpc_filed *x, bool straight) {
    return dpc_maximum((straight ? STRAIGHT_BYTES : COPIED_BYTES) / x->shape.size, 1);
}

/* Room for pieces; NULL: they go straight. */
static char *room_for(const dpc_filed *x, bool straight) {
    if (straight || x->elements == 0) return NULL;
    return dpc_raw_buffer(dpc_minimum(most_elements(x, false), x->run), x->shape.size);
}

static char *straight_place(const dpc_filed *x, dpc_index first) {
    return (char *)x->array->local + first * x->shape.size;
}

static void write_elements(const dpc_filed *x, dpc_together *t, dpc_index header) {
    char *room = room_for(x, x->dense);
    dpc_index place;
    for (dpc_index first = 0, count; first < x->elements; first += count) {
        count = dpc_next_filed(x, first, most_elements(x, x->dense), &place);
        if (room != NULL) dpc_copy_filed(x, first, count, room, false);
        dpc_move_together(t, header + place * x->shape.size, room != NULL ? room : straight_place(x, first),
                          count * x->shape.size);
    }
    if (room != NULL) dpc_free_buffer(room);
}

static void read_elements(const dpc_filed *x, dpc_together *t, const dpc_npy *n) {
    char *room = room_for(x, x->dense);
    dpc_index place;
    for (dpc_index first = 0, count; first < x->elements; first += count) {
        count = dpc_next_filed(x, first, most_elements(x, x->dense), &place);
        char *to = room != NULL ? room : straight_place(x, first);
        dpc_move_together(t, n->offset + place * n->size, to, count * n->size);
        if (n->swapped) dpc_npy_swap(to, count, n->kind, n->size);
        if (n->kind == 'b') dpc_npy_normalise(to, count);
        if (room != NULL) dpc_copy_filed(x, first, count, room, true);
    }
    if (room != NULL) dpc_free_buffer(room);
}

void dpc_npy_save(const char *file, const dpc_argument *from) {
    dpc_filed x;
    char header[DPC_NPY_ROOM];
    dpc_begin_filed(&x, from, false, false);
    const dpc_index length = dpc_npy_header(header, x.shape.kind, x.shape.size, x.shape.rank, x.shape.extent);
    dpc_together *t = dpc_create_together(from->where, file, header, length);
    write_elements(&x, t, length);
    dpc_close_together(t, length + dpc_elements_in_file(&x.shape) * x.shape.size);
    dpc_end_filed(&x);
}

/* ---- The header */

/* Up to `bytes` of them; fewer: the file ends there.  -1: an error. */
static ssize_t read_all(int handle, char *to, size_t bytes) {
    size_t got = 0;
    while (got < bytes) {
        const ssize_t more = read(handle, to + got, bytes - got);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return -1;
        if (more == 0) break;
        got += (size_t)more;
    }
    return (ssize_t)got;
}

static bool read_text(int handle, dpc_npy *n, char *why) {
    char start[12], *text;
    long long bytes = 0;
    struct stat s;
    const ssize_t got = read_all(handle, start, sizeof start);
    if (got < 0 || fstat(handle, &s) != 0) {
        snprintf(why, DPC_NPY_WHY, "cannot be read: %s", strerror(errno));
        return false;
    }
    const int before = dpc_npy_start(start, (size_t)got, &bytes, why);
    if (before == 0) return false;
    text = dpc_raw_buffer(bytes + 1, 1);
    bool good = lseek(handle, before, SEEK_SET) == before && read_all(handle, text, (size_t)bytes) == bytes;
    if (!good) snprintf(why, DPC_NPY_WHY, "ends within its header");
    good = good && dpc_npy_read(n, text, bytes, before, s.st_size, why);
    dpc_free_buffer(text);
    return good;
}

/* Process 0 reads it for all. */
static dpc_npy read_header(const char *file, const dpc_shape_in_file *x) {
    dpc_npy n = {0};
    dpc_message_text text = {""};
    char why[DPC_NPY_WHY] = "";
    bool good = true;
    if (file == NULL) dpc_fail(x->where, "the name of the file is NULL");
    if (dpc_rank() == 0) {
        const int handle = open(file, O_RDONLY | O_CLOEXEC);
        good = handle >= 0 && read_text(handle, &n, why) &&
               dpc_npy_fits(&n, x->kind, x->size, x->rank, x->extent, x->name, why);
        if (handle < 0) snprintf(why, sizeof why, "cannot be read: %s", strerror(errno));
        if (handle >= 0) close(handle);
        if (!good) snprintf(text.text, sizeof text.text, "'%.300s' %s", file, why);
    }
    dpc_fail_first(x->where, !good, &text);
    MPI_Bcast(&n, (int)sizeof n, MPI_BYTE, 0, dpc_communicator);
    return n;
}

void dpc_npy_load(const char *file, const dpc_argument *to) {
    dpc_filed x;
    const dpc_shape_in_file shape = dpc_shape_of(to);
    const dpc_npy n = read_header(file, &shape);
    dpc_begin_filed(&x, to, n.columns && n.rank > 1, true);
    dpc_together *t = dpc_open_together(to->where, file);
    read_elements(&x, t, &n);
    dpc_close_together(t, 0);
    dpc_end_filed(&x);
}
