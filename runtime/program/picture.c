/* pgm_save: an array of two dimensions as a picture. */
#include "filed.h"

#include <string.h>

enum { VALUES = 1 << 16 }; /* that are converted at once */

static double number_at(dpc_type type, const char *at) {
    switch ((int)type) {
#define DPC_NUMBER(enumerator, ctype, mpi)                                                                             \
    case enumerator: {                                                                                                 \
        ctype value;                                                                                                   \
        memcpy(&value, at, sizeof value);                                                                              \
        return (double)value;                                                                                          \
    }
        DPC_ELEMENT_TYPES(DPC_NUMBER)
#undef DPC_NUMBER
    }
    return 0;
}

/* The least and greatest of all elements that are numbers. */
static void find_range(const dpc_filed *x, char *room, dpc_grays *g) {
    double extremes[2] = {-HUGE_VAL, -HUGE_VAL}; /* of the negatives, of the values */
    for (dpc_index first = 0, count; first < x->elements; first += count) {
        count = dpc_minimum(VALUES, x->elements - first);
        dpc_copy_filed(x, first, count, room, false);
        for (dpc_index k = 0; k < count; k++) {
            const double value = number_at(x->shape.type, room + k * x->shape.size);
            if (-value > extremes[0]) extremes[0] = -value;
            if (value > extremes[1]) extremes[1] = value;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_DOUBLE, MPI_MAX, dpc_communicator);
    g->black = -extremes[0];
    g->white = extremes[1];
}

static void write_grays(const dpc_filed *x, const dpc_grays *g, char *room, dpc_together *t, dpc_index header) {
    const dpc_index bytes = dpc_gray_bytes(g);
    unsigned char *grays = dpc_raw_buffer(VALUES, bytes);
    dpc_index place;
    for (dpc_index first = 0, count; first < x->elements; first += count) {
        unsigned char *at = grays;
        count = dpc_next_filed(x, first, VALUES, &place);
        dpc_copy_filed(x, first, count, room, false);
        for (dpc_index k = 0; k < count; k++)
            at = dpc_put_gray(at, g, number_at(x->shape.type, room + k * x->shape.size));
        dpc_move_together(t, header + place * bytes, grays, count * bytes);
    }
    dpc_free_buffer(grays);
}

void dpc_pgm_save(const char *file, const dpc_argument *from, double black, double white, long greatest) {
    dpc_filed x;
    char header[64];
    dpc_begin_filed(&x, from, false, false);
    const bool whole = greatest == 0 && black == 0 && white == 0;
    if (!whole && (greatest < 1 || greatest > 65535))
        dpc_fail(from->where, "the greatest gray value is %ld; a picture's is between 1 and 65535", greatest);
    if (dpc_elements_in_file(&x.shape) == 0) dpc_fail(from->where, "'%s' has no elements for a picture", x.shape.name);
    dpc_grays g = dpc_grays_of(x.shape.kind, x.shape.size, black, white, (int)greatest);
    char *room = dpc_raw_buffer(VALUES, x.shape.size);
    if (!g.known) find_range(&x, room, &g);
    const dpc_index length = dpc_picture_header(header, x.shape.extent[0], x.shape.extent[1], g.greatest);
    dpc_together *t = dpc_create_together(from->where, file, header, length);
    write_grays(&x, &g, room, t, length);
    dpc_close_together(t, length + dpc_elements_in_file(&x.shape) * dpc_gray_bytes(&g));
    dpc_free_buffer(room);
    dpc_end_filed(&x);
}
