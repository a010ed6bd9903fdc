#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# Wrong arguments of dpc_pXgemr2d.  The cases are in testsuite/unit/test_scalapack_misuse.c.
LIMIT=60
for kind in $MPIS; do
    [ ! -x "$BUILD/$kind/test_scalapack_misuse" ] || try_cases "$kind" test_scalapack_misuse 33
done
# The library's own headers in a program of dpcc's, which has dpc.h, too, and in a C file beside it.
cat >headers.dpc <<'E'
#include <dpc/scalapack.h>
#include <stdio.h>
int parts(void);
double A[8][8];
#pragma dpc distribute A(cyclic(2), cyclic(2))
#pragma dpc extrinsic
static void copy(const dpc_view *a) {
    int desc[9];
    if (dpc_view_descriptor(a, -1, desc)) dpc_pdgemr2d(0, 0, a->data, 1, 1, desc, a->data, 1, 1, desc, -1);
}
int main(int argc, char **argv) {
    (void)argv;
    A[:][:] = 1;
    if (argc > 1) copy(A);
    printf("%g %d\n", sum(A[:][:]), parts());
    return 0;
}
E
cat >parts.c <<'E'
#include <dpc/interop.h>
int parts(void) { return dpc_map(1, (long[]){8}, (dpc_format[]){DPC_CYCLIC(2)}, (int[]){2}).rank; }
E
for kind in $MPIS; do
    MPICC=$(mpicc_of "$kind") dpcc -Wall -Wextra -Werror -c headers.dpc parts.c
    verdict "$kind: <dpc/scalapack.h> in a program" all 'status_is 0' silent
    [ -e "$BUILD/lib/$kind/libdpc_scalapack.a" ] || continue
    MPICC=$(mpicc_of "$kind") dpcc headers.o parts.o "$BUILD/lib/$kind/libdpc_scalapack.a" "-lscalapack-$kind" -o headers
    verdict "$kind: it is linked" all 'status_is 0' silent
    run_mpi "$kind" 2 ./headers >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "$kind: it runs" all silent 'prints "64 1"'
done
dpcc -MM headers.dpc
verdict "rules for make know the headers" all 'status_is 0' 'prints "headers.o: headers.dpc"'
