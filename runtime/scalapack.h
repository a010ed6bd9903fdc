/* libdpc_scalapack: ScaLAPACK's redistribution routines on dpcc's engine, with the same arguments.  A program changes
 * to them by one of
 *   - including this header with DPC_REPLACE_PGEMR2D defined (C or C++ that declares and calls pdgemr2d_ or Cpdgemr2d);
 *   - linking with -Wl,--defsym=pdgemr2d_=dpc_pdgemr2d_ (Fortran, or objects that are compiled already).
 *
 * dpc_pXgemr2d copies sub(A) = A(ia : ia+m-1, ja : ja+n-1) to sub(B) = B(ib : ib+m-1, jb : jb+n-1).  Every process of
 * the grid ictxt calls it; A's and B's grids are within ictxt's, and a process outside one of them has -1 in that
 * descriptor's CTXT_.  Calls with the same arguments use the plan of the first: it is kept with the grid ictxt, and
 * freed by blacs_gridexit.  Errors end the program on every process.  A and B may be one array: the part read is then
 * copied first. */
#ifndef DPC_SCALAPACK_H
#define DPC_SCALAPACK_H

#include "interop.h"

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> dpc_float_complex;
typedef std::complex<double> dpc_double_complex;
#else
typedef float _Complex dpc_float_complex;
typedef double _Complex dpc_double_complex;
#endif

DPC_BEGIN_INTERFACE

/* Letter and element type of each routine; integers are C's int. */
#define DPC_PGEMR2D_TYPES(X)                                                                                           \
    X(s, float)                                                                                                        \
    X(d, double)                                                                                                       \
    X(c, dpc_float_complex)                                                                                            \
    X(z, dpc_double_complex)                                                                                           \
    X(i, int)

/* C's binding (the arguments of Cpdgemr2d) and Fortran's (of pdgemr2d). */
#define DPC_PGEMR2D(letter, type)                                                                                      \
    void dpc_p##letter##gemr2d(int m, int n, const type *a, int ia, int ja, const int *desca, type *b, int ib, int jb, \
                               const int *descb, int ictxt);                                                           \
    void dpc_p##letter##gemr2d_(const int *m, const int *n, const type *a, const int *ia, const int *ja,               \
                                const int *desca, type *b, const int *ib, const int *jb, const int *descb,             \
                                const int *ictxt);
DPC_PGEMR2D_TYPES(DPC_PGEMR2D)
#undef DPC_PGEMR2D

/* A BLACS context of the mapping's grid: for DPC_CTXT of its descriptor, to be freed by Cblacs_gridexit; -1 on a
 * process outside the grid.  Every process of comm calls it. */
int dpc_blacs_context(MPI_Comm comm, const dpc_mapping *m);

/* Plans that this process keeps for calls of dpc_pXgemr2d on the grid. (local) */
int dpc_kept_pgemr2d_plans(int ictxt);

/* The routines' names stand for libdpc's in the object file only: whatever prototypes the program has of them, before
 * or after this header, stay as they are. */
#ifdef DPC_REPLACE_PGEMR2D
#pragma redefine_extname psgemr2d_ dpc_psgemr2d_
#pragma redefine_extname pdgemr2d_ dpc_pdgemr2d_
#pragma redefine_extname pcgemr2d_ dpc_pcgemr2d_
#pragma redefine_extname pzgemr2d_ dpc_pzgemr2d_
#pragma redefine_extname pigemr2d_ dpc_pigemr2d_
#pragma redefine_extname Cpsgemr2d dpc_psgemr2d
#pragma redefine_extname Cpdgemr2d dpc_pdgemr2d
#pragma redefine_extname Cpcgemr2d dpc_pcgemr2d
#pragma redefine_extname Cpzgemr2d dpc_pzgemr2d
#pragma redefine_extname Cpigemr2d dpc_pigemr2d
#endif

DPC_END_INTERFACE

#endif
