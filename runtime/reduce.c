/* Reductions of one value per process.  The same bits everywhere: minima and maxima of floating-point values, where the
 * order of the operands can decide between 0.0 and -0.0, are taken on process 0 and broadcast. */
#include "internal.h"

#include <limits.h>
#include <string.h>

/* What MPI needs to know about an element type. */
typedef struct {
    MPI_Datatype mpi;
    dpc_index size; /* bytes */
    bool complex, floating;
} type_facts;

#define DPC_FACTS(enumerator, ctype, mpi)                                                                              \
    case enumerator:                                                                                                   \
        return (type_facts){mpi, sizeof(ctype), IS_COMPLEX((ctype)0), (ctype)0.5 != (ctype)0 && enumerator != DPC_BOOL};
#define IS_COMPLEX(x)                                                                                                  \
    _Generic((x), float _Complex : true, double _Complex : true, long double _Complex : true, default : false)

static type_facts facts(dpc_type type) {
    switch (type) {
        DPC_ELEMENT_TYPES(DPC_FACTS)
    case DPC_TYPES:
        break;
    }
    dpc_fail(NULL, "libdpc: reduction of an unknown type");
}

static MPI_Op operation(dpc_operation op) {
    return op == DPC_SUM ? MPI_SUM : op == DPC_PRODUCT ? MPI_PROD : op == DPC_MIN ? MPI_MIN : MPI_MAX;
}

/* MPI has no arithmetic on _Bool. */
static void reduce_bool(dpc_operation op, _Bool *value) {
    int number = *value;
    dpc_reduce(op, DPC_INT, &number);
    *value = number != 0;
}

/* char is a letter for MPI, not a number. */
static MPI_Datatype arithmetic_type(dpc_type type, MPI_Datatype mpi) {
    if (type != DPC_CHAR) return mpi;
    return CHAR_MIN < 0 ? MPI_SIGNED_CHAR : MPI_UNSIGNED_CHAR;
}

/* Combines `count` values, side by side. */
DPC_STEADY static void reduce_values(dpc_operation op, dpc_type type, int count, void *value) {
    const type_facts f = facts(type);
    const MPI_Datatype mpi = arithmetic_type(type, f.mpi);
    if (f.complex && op != DPC_SUM && op != DPC_PRODUCT) dpc_fail(NULL, "libdpc: minimum or maximum of complex values");
    dpc_begin_counting(NULL, DPC_COUNT_collectives);
    dpc_count_message(count * f.size);
    if (!f.floating || op == DPC_SUM || op == DPC_PRODUCT) {
        MPI_Allreduce(MPI_IN_PLACE, value, count, mpi, operation(op), dpc_communicator);
    } else {
        MPI_Reduce(dpc_rank() == 0 ? MPI_IN_PLACE : value, value, count, mpi, operation(op), 0, dpc_communicator);
        MPI_Bcast(value, count, mpi, 0, dpc_communicator);
    }
    dpc_end_counting();
}

DPC_STEADY void dpc_reduce(dpc_operation op, dpc_type type, void *value) {
    if (dpc_nprocs() == 1) return;
    if (type == DPC_BOOL)
        reduce_bool(op, value);
    else
        reduce_values(op, type, 1, value);
}

/* Those results from number `first` on that are combined like it. */
static void reduce_alike(int count, const dpc_result *results, int first, bool *done) {
    const dpc_result *x = &results[first];
    const size_t size = (size_t)facts(x->type).size;
    char *values = dpc_buffer(count, (dpc_index)size);
    int alike = 0;
    for (int k = first; k < count; k++)
        if (results[k].operation == x->operation && results[k].type == x->type)
            memcpy(values + size * (size_t)alike++, results[k].value, size);
    reduce_values(x->operation, x->type, alike, values);
    for (int k = count - 1; k >= first; k--) {
        if (results[k].operation != x->operation || results[k].type != x->type) continue;
        memcpy(results[k].value, values + size * (size_t)--alike, size);
        done[k] = true;
    }
    dpc_free_buffer(values);
}

void dpc_reduce_together(int count, const dpc_result *results) {
    bool done[count];
    if (dpc_nprocs() == 1) return;
    memset(done, 0, sizeof done);
    for (int k = 0; k < count; k++) {
        if (done[k]) continue;
        if (results[k].type == DPC_BOOL)
            dpc_reduce(results[k].operation, DPC_BOOL, results[k].value);
        else
            reduce_alike(count, results, k, done);
    }
}

#define DPC_EQUAL(enumerator, ctype, mpi)                                                                              \
    case enumerator:                                                                                                   \
        return *(const ctype *)x == *(const ctype *)y;

static bool equal_values(dpc_type type, const void *x, const void *y) {
    switch (type) {
        DPC_ELEMENT_TYPES(DPC_EQUAL)
    case DPC_TYPES:
        break;
    }
    return false;
}

void dpc_reduce_place(dpc_operation op, dpc_type type, void *value, long *place, bool backwards) {
    long double _Complex mine; /* large and aligned enough for every type */
    if (dpc_nprocs() == 1) return;
    memcpy(&mine, value, (size_t)facts(type).size);
    dpc_reduce(op, type, value);
    const bool has = *place != LONG_MIN && equal_values(type, &mine, value);
    long offer = !has ? LONG_MAX : backwards ? -*place : *place;
    dpc_reduce(DPC_MIN, DPC_LONG, &offer);
    *place = offer == LONG_MAX ? LONG_MIN : backwards ? -offer : offer;
}
