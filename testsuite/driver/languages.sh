#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# The C interface in C++ and in other standards of C, and shared libraries.
LIMIT=60
kind=${MPIS%% *}
[ "$kind" != smpi ] || return 0
mpicc=$(mpicc_of "$kind") library="$BUILD/lib/$kind" headers="$BUILD/include/dpc"
echo '#include <mpi.h>' >mpi.c
mpi_headers=$("$mpicc" -E mpi.c | sed -n 's,^# 1 "\(.*\)/mpi.h".*,\1,p' | head -n 1)

# ---- Every header alone, and all of them by every compiler and standard
accepted() { # COMPILER STANDARD FILE
    command -v "$1" >/dev/null || return 0
    "$1" "-std=$2" -Wall -Wextra -Wstrict-prototypes -pedantic -Werror -isystem "$mpi_headers" -I "$headers" -fsyntax-only "$3"
}
# The parts of dpc.h are C++ where dpc.h is.
accepted_alone() { accepted gcc c99 header.c && { [[ $1 == dpc/* ]] || accepted g++ c++11 header.cpp; }; }
accepted_everywhere() {
    local standard
    for standard in c99 c11 c17 gnu11; do accepted gcc $standard header.c && accepted clang $standard header.c || return 1; done
    for standard in c++11 c++20; do accepted g++ $standard header.cpp && accepted clang++ $standard header.cpp || return 1; done
}
mapfile -t names < <(cd "$headers" && find . -name '*.h' | sed 's,^\./,,' | sort)
for name in "${names[@]}"; do
    printf '#include "%s"\n' "$name" >header.cpp
    { cat header.cpp && echo 'int nothing(void);'; } >header.c
    verdict "$name in C and C++" accepted_alone "$name"
done
printf '#include "%s"\n' "${names[@]}" >header.cpp
{ cat header.cpp && echo 'int nothing(void);'; } >header.c
verdict "all headers in all standards" accepted_everywhere

# ---- A program in C++
cat >plan.cpp <<'CPP'
#include <complex>
#include <cstdio>
#include <vector>
#include "scalapack.h"
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    const dpc_index extent = 100;
    const dpc_format block = DPC_BLOCK, dealt = DPC_CYCLIC(processes + 2u);
    const dpc_mapping from = dpc_map(1, &extent, &block, &processes), to = dpc_map(1, &extent, &dealt, &processes);
    std::vector<std::complex<double>> a(dpc_mapped_elements(&from, me)), b(dpc_mapped_elements(&to, me)), c(a.size());
    for (std::size_t k = 0; k < a.size(); k++) a[k] = {1000.0 * me, double(k)};
    dpc_redistribution *there = dpc_plan_redistribution(MPI_COMM_WORLD, &from, &to, sizeof a[0], nullptr);
    dpc_redistribution *back = dpc_plan_redistribution(MPI_COMM_WORLD, &to, &from, sizeof a[0], nullptr);
    dpc_execute(there, a.data(), b.data());
    dpc_execute(back, b.data(), c.data());
    int same = a == c, all;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (me == 0) std::printf("%s\n", all ? "same" : "different");
    dpc_free_redistribution(there);
    dpc_free_redistribution(back);
    MPI_Finalize();
}
CPP
# runs FILE PROCESSES: as verdicts expect it.
runs() {
    STATUS=0
    run_mpi "$kind" "$2" "$1" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
}
for link in "$library/libdpc.a" "$library/libdpc.so -Wl,-rpath,$library"; do
    # shellcheck disable=SC2086 # words
    "$mpicc" -x c++ -std=c++11 -Wall -Wextra -Werror -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX -I "$headers" plan.cpp -x none \
        $link -lstdc++ -lm -o plan 2>"$SCRATCH/err"
    runs ./plan 2
    verdict "C++ with ${link%% *}" all 'status_is 0' 'prints same'
    rm -f plan
done

# ---- The program's own prototypes of what scalapack.h replaces
for order in before behind; do
    prototypes='int pdgemr2d_(int *, int *, double *, int *, int *, int *, double *, int *, int *, int *, int *);
void Cpdgemr2d(int, int, double *, int, int, int *, double *, int, int, int *, int);'
    {
        echo '#define DPC_REPLACE_PGEMR2D'
        [ $order = behind ] || echo "$prototypes"
        echo '#include "scalapack.h"'
        [ $order = before ] || echo "$prototypes"
        echo 'void call(int *d, double *a) { pdgemr2d_(d, d, a, d, d, d, a, d, d, d, d), Cpdgemr2d(1, 1, a, 1, 1, d, a, 1, 1, d, 0); }'
    } >replaced.c
    names_are() { [ "$(nm replaced.o | awk '$1 == "U" && /gemr2d/ { print $2 }' | sort | tr '\n' ' ')" = "$1" ]; }
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        rm -f replaced.o
        $compiler -Wall -Wextra -Werror -isystem "$mpi_headers" -I "$headers" -c replaced.c 2>"$SCRATCH/err"
        verdict "prototypes $order scalapack.h, $compiler" names_are "dpc_pdgemr2d dpc_pdgemr2d_ "
    done
done

# ---- What -S writes: clang finds nothing in it that is not the program's own
if command -v clang >/dev/null; then
    for name in element_access owners extents_by_value element_loops_extremes ragged_nests forall_locals; do
        "$DPCC" -S -Wno-element-loops "$ROOT/testsuite/programs/$name.dpc" -o text.c 2>"$SCRATCH/err" &&
            clang -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-command-line-argument -isystem "$mpi_headers" \
                -I "$headers" -fsyntax-only text.c 2>"$SCRATCH/err"
        STATUS=$?
        verdict "clang accepts the text of $name" status_is 0
    done
fi

# ---- Threads that combine values of 16 bytes: clang calls libatomic for them
echo 'int main(void) { return 0; }' >threads.c
if has_mpi openmpi && clang -fopenmp threads.c -o threads 2>/dev/null; then
    printf '#include <stdio.h>\nlong double A[100];\n#pragma dpc distribute (block) :: A\nint main(void) {\n    forall (i = 0:99) A[i] = i;\n    printf("%%Lg\\n", sum(A[:]));\n}\n' >wide.dpc
    OMPI_CC=clang MPICC=$(mpicc_of openmpi) dpcc --openmp wide.dpc -o wide
    verdict "clang links --openmp's sums of long double" status_is 0
    cat >extremes.dpc <<'C'
#include <stdio.h>
float F[10000]; double D[10000];
#pragma dpc distribute (block) :: F, D
int main(void) {
    forall (i = 0:9999) { F[i] = i; D[i] = i; }
    printf("%g %g", maxval(i = 0:9999, F[i] < 0, F[i]), minval(i = 0:9999, D[i] < 0, D[i]));
    double least = 1e300;
#pragma dpc independent reduction(min: least)
    for (int i = 0; i < 10000; i++) least = D[i] + 5 < least ? D[i] + 5 : least;
    printf(" %g %g\n", least, maxval(F[:]));
}
C
    OMPI_CC=clang MPICC=$(mpicc_of openmpi) dpcc --openmp --run -n 2 extremes.dpc
    verdict "threads' extremes of no values, with clang" all 'status_is 0' 'prints "-inf inf 5 9999"'
fi

# ---- Shared libraries
exports() { nm -D --defined-only "$library/libdpc.so" | awk '{ print $3 }'; }
exports_interface() {
    exports | grep -v '^dpc_' && return 1
    exports | grep -q '^dpc_plan_redistribution$' || return 1
    ! exports | grep -e '^dpc_raw_buffer$' -e '^dpc_find_method$'
}
verdict "libdpc.so shows the interface only" exports_interface
verdict "libdpc.so has a name" sh -c "readelf -d '$library/libdpc.so' | grep -q 'SONAME.*libdpc.so\\.[0-9]'"
verdict "no address is written into libdpc.so's code" sh -c "! readelf -d '$library/libdpc.so' | grep -q TEXTREL"

cat >sums.dpc <<'C'
#include "sums.h"
static double A[60];
#pragma dpc distribute A(cyclic(7))
double sums(int factor) {
    forall (i = 0:59) A[i] = factor * i;
    return sum(A[:]);
}
C
echo 'double sums(int factor);' >sums.h
cat >user.c <<'C'
#include "dpc.h"
#include "sums.h"
int main(void) {
    dpc_init(0);
    const double total = sums(2);
    if (dpc_rank() == 0) printf("%.0f\n", total);
    return dpc_finish(0);
}
C
cat >loader.c <<'C'
#include <dlfcn.h>
#include "dpc.h"
int main(void) {
    dpc_init(0);
    void *library = dlopen("./libsums.so", RTLD_NOW);
    if (library == NULL) return puts(dlerror()), dpc_finish(1);
    double (*sums)(int) = (double (*)(int))dlsym(library, "sums");
    const double total = sums(2);
    if (dpc_rank() == 0) printf("%.0f\n", total);
    return dpc_finish(0);
}
C
cat >user.dpc <<'C'
#include <stdio.h>
#include "sums.h"
static double B[10];
#pragma dpc distribute B(block)
int main(void) {
    forall (i = 0:9) B[i] = i;
    printf("%.0f\n", sums(2) + sum(B[:]));
    return 0;
}
C
export MPICC=$mpicc
dpcc -shared -fPIC -o libsums.so sums.dpc
verdict "-shared" all 'status_is 0' silent
for options in -pie -no-pie; do
    "$mpicc" $options -I "$headers" user.c ./libsums.so "$library/libdpc.so" "-Wl,-rpath,$library" -lm -o user 2>"$SCRATCH/err"
    runs ./user 2
    verdict "a C program $options, linked" all 'status_is 0' 'prints 3540'
done
"$mpicc" -I "$headers" loader.c "$library/libdpc.so" "-Wl,-rpath,$library" -ldl -lm -o loader 2>"$SCRATCH/err"
runs ./loader 2
verdict "a C program that loads it" all 'status_is 0' 'prints 3540'
dpcc --run -n 2 user.dpc ./libsums.so
verdict "a program of dpcc" all 'status_is 0' 'prints 3585'
dpcc -o user user.dpc -L. -lsums -Wl,-rpath,.
runs ./user 2
verdict "a program of dpcc, by -l" all 'status_is 0' 'prints 3585'
dpcc --run -n 2 -no-pie user.dpc sums.dpc
verdict "-no-pie" all 'status_is 0' 'prints 3585'
unset MPICC
