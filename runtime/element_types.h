/* Types of the elements of distributed arrays. */
#ifndef DPC_ELEMENT_TYPES_H
#define DPC_ELEMENT_TYPES_H

#include <mpi.h>

#include "distribution.h"

DPC_BEGIN_INTERFACE

/* DPC_ELEMENT_TYPES(X) calls X(enumerator, C type, MPI datatype); MPI has none of 128 bits. */
#define DPC_ELEMENT_TYPES(X)                                                                                           \
    X(DPC_BOOL, _Bool, MPI_C_BOOL)                                                                                     \
    X(DPC_CHAR, char, MPI_CHAR)                                                                                        \
    X(DPC_SIGNED_CHAR, signed char, MPI_SIGNED_CHAR)                                                                   \
    X(DPC_UNSIGNED_CHAR, unsigned char, MPI_UNSIGNED_CHAR)                                                             \
    X(DPC_SHORT, short, MPI_SHORT)                                                                                     \
    X(DPC_UNSIGNED_SHORT, unsigned short, MPI_UNSIGNED_SHORT)                                                          \
    X(DPC_INT, int, MPI_INT)                                                                                           \
    X(DPC_UNSIGNED, unsigned, MPI_UNSIGNED)                                                                            \
    X(DPC_LONG, long, MPI_LONG)                                                                                        \
    X(DPC_UNSIGNED_LONG, unsigned long, MPI_UNSIGNED_LONG)                                                             \
    X(DPC_LONG_LONG, long long, MPI_LONG_LONG)                                                                         \
    X(DPC_UNSIGNED_LONG_LONG, unsigned long long, MPI_UNSIGNED_LONG_LONG)                                              \
    X(DPC_INT128, __int128, MPI_DATATYPE_NULL)                                                                         \
    X(DPC_UNSIGNED_INT128, unsigned __int128, MPI_DATATYPE_NULL)                                                       \
    X(DPC_FLOAT, float, MPI_FLOAT)                                                                                     \
    X(DPC_DOUBLE, double, MPI_DOUBLE)                                                                                  \
    X(DPC_LONG_DOUBLE, long double, MPI_LONG_DOUBLE)                                                                   \
    X(DPC_FLOAT_COMPLEX, float _Complex, MPI_C_FLOAT_COMPLEX)                                                          \
    X(DPC_DOUBLE_COMPLEX, double _Complex, MPI_C_DOUBLE_COMPLEX)                                                       \
    X(DPC_LONG_DOUBLE_COMPLEX, long double _Complex, MPI_C_LONG_DOUBLE_COMPLEX)

typedef enum {
#define DPC_ENUMERATOR(enumerator, ctype, mpi) enumerator,
    DPC_ELEMENT_TYPES(DPC_ENUMERATOR)
#undef DPC_ENUMERATOR
        DPC_TYPES
} dpc_type;

/* Structures: numbers behind the enumerators, which hold how many bytes an element has.  Nothing but their size is
 * known of them: they move, and are not computed with. */
#define DPC_STRUCTURE(ctype) ((dpc_type)((unsigned)DPC_TYPES + (unsigned)sizeof(ctype)))

/* The element type of a C expression. */
#define DPC_GENERIC_ENTRY(enumerator, ctype, mpi)                                                                      \
    ctype:                                                                                                             \
    enumerator,
#define dpc_type_of(expression) _Generic((expression), DPC_ELEMENT_TYPES(DPC_GENERIC_ENTRY) default : DPC_TYPES)

DPC_END_INTERFACE

#endif
