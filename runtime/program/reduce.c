/* Reductions of one value per process.  The same bits everywhere: minima and maxima of floating-point values, where the
 * order of the operands can decide between 0.0 and -0.0, are taken on process 0 and broadcast. */
#include "reduce.h"

#include <limits.h>
#include <string.h>

#define DPC_HAS_EXTREMES                                                                                               \
    DPC_USES(DPC_MIN) || DPC_USES(DPC_MAX) || DPC_USES(dpc_reduce_place) || DPC_USES(dpc_reduce_values)

/* What MPI needs to know about an element type. */
typedef struct {
    MPI_Datatype mpi;
    dpc_index size; /* bytes */
    bool is_complex, is_floating;
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
    const MPI_Op operations[] = {
        [DPC_SUM] = MPI_SUM,  [DPC_PRODUCT] = MPI_PROD, [DPC_MIN] = MPI_MIN, [DPC_MAX] = MPI_MAX,
        [DPC_AND] = MPI_BAND, [DPC_OR] = MPI_BOR,       [DPC_XOR] = MPI_BXOR};
    return operations[op];
}

/* MPI has no arithmetic on _Bool. */
static void reduce_bool(dpc_operation op, _Bool *value) {
    int number = *value;
    dpc_reduce(op, DPC_INT, &number);
    *value = number != 0;
}

/* char is a letter for MPI, not a number. */
static dpc_type arithmetic_type(dpc_type type) {
    return type != DPC_CHAR ? type : CHAR_MIN < 0 ? DPC_SIGNED_CHAR : DPC_UNSIGNED_CHAR;
}

#if DPC_HAS_EXTREMES
/* ---- Minima and maxima of unsigned values.  Open MPI and MPICH compare some of them as if they were signed, in vector
 * code; with the top bit turned round they are in the order of signed values. */

static bool is_unsigned(dpc_type type) {
    return type == DPC_UNSIGNED_CHAR || type == DPC_UNSIGNED_SHORT || type == DPC_UNSIGNED ||
           type == DPC_UNSIGNED_LONG || type == DPC_UNSIGNED_LONG_LONG;
}

static void turn_top_bits(int count, dpc_index size, unsigned char *values) {
    const dpc_index top = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? size - 1 : 0;
    for (int k = 0; k < count; k++) values[k * size + top] ^= 0x80;
}

/* Of floating-point values. */
static void reduce_extreme(dpc_operation op, MPI_Datatype mpi, int count, void *value) {
    MPI_Reduce(dpc_rank() == 0 ? MPI_IN_PLACE : value, value, count, mpi, operation(op), 0, dpc_communicator);
    MPI_Bcast(value, count, mpi, 0, dpc_communicator);
}

#else
#define turn_top_bits(count, size, values) DPC_LEFT_OUT
#endif

#if DPC_USES(__int128)
/* ---- Integers of 128 bits, which MPI does not know: bytes, and operations on them. */

#define COMBINE(name, ctype, expression)                                                                               \
    static void name(void *from, void *into, int *count, MPI_Datatype *type) {                                         \
        (void)type;                                                                                                    \
        for (int k = 0; k < *count; k++) {                                                                             \
            ctype x, y;                                                                                                \
            memcpy(&x, (char *)from + (size_t)k * sizeof x, sizeof x);                                                 \
            memcpy(&y, (char *)into + (size_t)k * sizeof y, sizeof y);                                                 \
            y = (expression);                                                                                          \
            memcpy((char *)into + (size_t)k * sizeof y, &y, sizeof y);                                                 \
        }                                                                                                              \
    }
COMBINE(add_wide, unsigned __int128, x + y)
COMBINE(multiply_wide, unsigned __int128, x *y)
COMBINE(least_wide, __int128, x < y ? x : y)
COMBINE(greatest_wide, __int128, x > y ? x : y)
COMBINE(least_unsigned_wide, unsigned __int128, x < y ? x : y)
COMBINE(greatest_unsigned_wide, unsigned __int128, x > y ? x : y)
COMBINE(and_wide, unsigned __int128, x &y)
COMBINE(or_wide, unsigned __int128, x | y)
COMBINE(xor_wide, unsigned __int128, x ^ y)

static void reduce_wide(dpc_operation op, dpc_type type, int count, void *value) {
    const bool sign = type == DPC_INT128;
    MPI_User_function *const functions[] = {[DPC_SUM] = add_wide,
                                            [DPC_PRODUCT] = multiply_wide,
                                            [DPC_MIN] = sign ? least_wide : least_unsigned_wide,
                                            [DPC_MAX] = sign ? greatest_wide : greatest_unsigned_wide,
                                            [DPC_AND] = and_wide,
                                            [DPC_OR] = or_wide,
                                            [DPC_XOR] = xor_wide};
    MPI_Datatype bytes;
    MPI_Op combine;
    MPI_Type_contiguous((int)sizeof(__int128), MPI_BYTE, &bytes);
    MPI_Type_commit(&bytes);
    MPI_Op_create(functions[op], 1, &combine);
    MPI_Allreduce(MPI_IN_PLACE, value, count, bytes, combine, dpc_communicator);
    MPI_Op_free(&combine);
    MPI_Type_free(&bytes);
}
#endif

/* Combines `count` values, side by side. */
DPC_STEADY static void reduce_values(dpc_operation op, dpc_type given, int count, void *value) {
    const dpc_type type = arithmetic_type(given);
#if DPC_HAS_EXTREMES
    const bool extreme = op == DPC_MIN || op == DPC_MAX;
    const bool turned = extreme && is_unsigned(type);
    const type_facts f = facts(turned ? type - 1 : type); /* the signed type stands before the unsigned one */
    if (f.is_complex && extreme) dpc_fail(NULL, "libdpc: minimum or maximum of complex values");
    const MPI_Datatype mpi = f.mpi;
#else
    const MPI_Datatype mpi = dpc_mpi_type(type);
#endif
    dpc_begin_counting(NULL, DPC_COUNT_collectives);
    dpc_count_message(count * f.size);
    if (turned) turn_top_bits(count, f.size, value);
#if DPC_USES(__int128)
    if (type == DPC_INT128 || type == DPC_UNSIGNED_INT128)
        reduce_wide(op, type, count, value);
    else
#endif
#if DPC_HAS_EXTREMES
        if (f.is_floating && extreme)
        reduce_extreme(op, mpi, count, value);
    else
#endif
        MPI_Allreduce(MPI_IN_PLACE, value, count, mpi, operation(op), dpc_communicator);
    if (turned) turn_top_bits(count, f.size, value);
    dpc_end_counting();
}

DPC_STEADY void dpc_reduce(dpc_operation op, dpc_type type, void *value) {
    if (dpc_nprocs() == 1) return;
    if (type == DPC_BOOL)
        reduce_bool(op, value);
    else
        reduce_values(op, type, 1, value);
}

/* As much as one collective takes. */
enum { MOST_VALUES = 1 << 24 };

void dpc_reduce_values(dpc_operation op, dpc_type type, dpc_index count, void *values) {
    if (dpc_nprocs() == 1) return;
    const dpc_index size = facts(type).size;
    for (dpc_index k = 0; k < count; k += MOST_VALUES) {
        char *some = (char *)values + k * size;
        const int n = (int)dpc_minimum(count - k, MOST_VALUES);
        if (type == DPC_BOOL)
            reduce_values(op == DPC_SUM ? DPC_MAX : op == DPC_PRODUCT ? DPC_MIN : op, DPC_UNSIGNED_CHAR, n, some);
        else
            reduce_values(op, type, n, some);
    }
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
