# --standalone: one C file with what the program uses of the library.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317
cat >names.dpc <<'C'
#include <stdio.h>
/* Names that the library has, too, in files that this program reaches. */
#define count 7
#define keep(x) (2 * (x))
enum { N = 100, MOST = 3 };
typedef struct { int held; } record;
typedef long bytes_8;
double A[N], B[N];
#pragma dpc distribute A(cyclic(5))
#pragma dpc distribute B(block)
static int running;
static double place(double x, bytes_8 by) { return x + by; }
static double share(const record *hold) { return hold->held; }
int main(void) {
    record process = {MOST};
    forall (i = 0:N-1) B[i] = place(i, count);
    A[0:N-2] = B[1:N-1] * keep(3);
    running = 1;
    printf("%g %g %g\n", sum(A[:]), share(&process), A[5] + running);
    return 0;
}
C
dpcc --serial names.dpc -o serial && ./serial >expected
dpcc --standalone names.dpc
verdict "writes names.c" all 'status_is 0' silent 'prints ""' '[ -s names.c ]'
verdict "needs no header of dpcc" all '! grep -q "include <dpc\|include \"" names.c' '! grep -q getenv names.c'
for kind in openmpi mpich; do
    has_mpi "$kind" || continue
    compiles() { "$(mpicc_of "$kind")" -std=gnu11 -Wall -Wextra -Werror names.c -lm -o program; }
    runs() { run_mpi "$kind" 3 ./program | diff expected -; }
    verdict "any compiler of $kind takes it, without warnings" compiles
    verdict "names that the library has, too, are the program's ($kind)" runs
done

# Where it is installed.
mkdir -p installed/bin installed/lib/dpc alone
cp "$DPCC" installed/bin && cp -r "$BUILD/lib/source" installed/lib/dpc && cp "$DPCC" alone
installed/bin/dpcc --standalone names.dpc -o installed.c
verdict "an installed dpcc writes the same" same names.c installed.c
alone/dpcc --standalone names.dpc -o none.c 2>"$SCRATCH/err"
STATUS=$?
verdict "without the library's sources" all 'status_is 3' 'says "sources"' '[ ! -e none.c ]'

# Only what is reached: statistics, checks, redistributions and environment variables stay away; a bound, so that it does not grow unseen.
cp "$ROOT/examples/saxpy.dpc" . # by a short name: that of a directory may break lines
dpcc --standalone saxpy.dpc
verdict "saxpy has at most 900 lines" all 'status_is 0' '[ "$(wc -l <saxpy.c)" -le 900 ]'
verdict "saxpy has runtime/line in the place of the library's other folders" all 'grep -q "^/\* ==== line/line.h" saxpy.c' \
    '! grep -q "dpc_plan_redistribution\|dpc_statistics\|dpc_meet\b\|dpc_sets_make\|dpc_take_route\|dpc_placement" saxpy.c'
sed '/forall (i = 0:ITERATIONS-1)/d; /alpha/d' "$ROOT/examples/saxpy.dpc" >local.dpc
dpcc --standalone local.dpc
verdict "without its move: no moves" all 'status_is 0' '! grep -q "dpc_move\|MPI_Waitany" local.c' '[ "$(wc -l <local.c)" -le 700 ]'
sed '/alpha \* C/a\    forall (i = 0:ITERATIONS-1) A[1997 + 3*i] += 0;' "$ROOT/examples/saxpy.dpc" >walks.dpc
dpcc --standalone walks.dpc
verdict "where a loop goes over the runs of a stride, they are found" all 'grep -q "run_from(" walks.c' '! grep -q "run_from(" saxpy.c'
# Programs that need more than runtime/line has: one line each that makes it so.
while IFS='|' read -r what line; do
    { echo '#include <time.h>' && sed "s/^    return 0;/    $line\n&/" "$ROOT/examples/saxpy.dpc"; } >more.dpc
    dpcc --standalone more.dpc </dev/null
    verdict "the whole library where there is $what" all 'status_is 0' '! grep -q "==== line/line.h" more.c' 'grep -q "==== program/array.c" more.c'
done <<'LINES'
a function of the C library that all processes call together|printf("%d\\n", time(NULL) > 0);
standard input|printf("%d\\n", getchar());
a reference that has no closed form|forall (i = 0:99) A[i] = C[7*i];
a statement that one process executes|A[0] = C[5];
LINES
cat >square.dpc <<'C'
#include <stdio.h>
int A[20][20], B[20][20];
#pragma dpc distribute A(cyclic(2), cyclic(3))
#pragma dpc distribute B(cyclic(4), cyclic(3))
int main(void) {
    forall (i = 0:19, j = 0:19) A[i][j] = 20 * i + j;
    forall (i = 0:19, j = 0:19) B[i][j] = A[i][j] + 1;
    printf("%d\n", sum(B[:][:]));
    return 0;
}
C
dpcc --standalone square.dpc
verdict "two dimensions need products of sets of combs" all 'grep -q "dpc_sets_of_combs" square.c' '! grep -q "dpc_line_party(\|dpc_sets_make" square.c'
sed 's/2 \* (i % 509)/2 * (i % 509) + A[i]/' "$ROOT/examples/saxpy.dpc" >both.dpc
dpcc --standalone both.dpc
verdict "where another statement's elements are moved by the library, both are" all 'grep -q "dpc_sets_make" both.c' '! grep -q "dpc_sets_of_combs" both.c'
cat >system.dpc <<'C'
#include <stdio.h>
/* Names of <unistd.h>, which only the library's part includes: a function that it uses, one that it does not, a variable. */
double A[10];
#pragma dpc distribute A(block)
static double link = 2;
static double write(double x) { return x * link; }
double pause(double x);
double pause(double x) { return x + 1; }
int main(void) {
    forall (i = 0:9) A[i] = write(pause(i));
    printf("%g\n", sum(A[:]));
    return 0;
}
C
dpcc --standalone system.dpc
verdict "<unistd.h> stands behind the program, and no header that is not used" all 'status_is 0' 'grep -q "#include <unistd.h>" system.c' '! grep -q "<signal.h>\|<sys/mman.h>\|<errno.h>" system.c'
echo 110 >both
for kind in openmpi mpich; do
    has_mpi "$kind" || continue
    has_names() { "$(mpicc_of "$kind")" -std=gnu11 -Wall -Wextra -Werror system.c -lm -o program && run_mpi "$kind" 2 ./program | diff both -; }
    verdict "names of the system's headers are the program's ($kind)" has_names
done
cat >reads.dpc <<'C'
#include <stdio.h>
double A[10];
#pragma dpc distribute A(block)
int main(void) {
    int x = 0;
    if (scanf("%d", &x) != 1) return 1;
    forall (i = 0:9) A[i] = x;
    printf("%g\n", sum(A[:]));
    return 0;
}
C
dpcc --standalone reads.dpc
verdict "standard input is shared where it is read" all 'status_is 0' 'grep -q fopencookie reads.c'
cat >twice_assigned.dpc <<'C'
double A[10];
#pragma dpc distribute A(cyclic)
int main(void) {
    int half = 2;
    forall (i = 0:9) A[i / half] = i;
    return 0;
}
C
cat >outside.dpc <<'C'
double A[10];
#pragma dpc distribute A(cyclic)
int main(void) {
    double table[9];
    for (int k = 0; k < 9; k++) table[k] = k;
    forall (i = 0:9) A[i] = table[i];
    return 0;
}
C
cat >differing.dpc <<'C'
#include <mpi.h>
double A[10];
#pragma dpc distribute A(cyclic)
int main(void) {
    int started, rank = 0;
    MPI_Initialized(&started);
    if (!started) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    forall (i = 0:9) A[i] = rank;
    return 0;
}
C
for program in twice_assigned outside differing; do dpcc --standalone --check=all $program.dpc; done
dpcc --standalone --check=all names.dpc -o checked.c
verdict "--check=all brings its checks" all 'status_is 0' 'grep -q dpc_meet checked.c'
cat >calls.dpc <<'C'
#include <stdio.h>
int A[10];
#pragma dpc distribute A(block)
int twice(int x);
int main(void) {
    forall (i = 0:9) A[i] = twice(i);
    printf("%d\n", sum(A[:]));
    return 0;
}
C
echo 'int twice(int x) { return 2 * x; }' >twice.c
echo 90 >sum
dpcc --standalone calls.dpc
verdict "functions of other files may not use distributed arrays" all 'status_is 0' 'grep -q "dpc_each_element(true)" calls.c'
for kind in openmpi mpich; do
    has_mpi "$kind" || continue
    answers() { "$(mpicc_of "$kind")" -std=gnu11 -Wall -Wextra -Werror "${@:2}" -lm -o program && run_mpi "$kind" 3 ./program | diff "$1" -; }
    verdict "--check=all checks ($kind)" answers expected checked.c
    finds() { "$(mpicc_of "$kind")" -std=gnu11 -Wall -Wextra -Werror "$1.c" -lm -o program && ! run_mpi "$kind" 2 ./program >/dev/null 2>messages && grep -q "$2" messages; }
    verdict "--check=all finds an element that is assigned twice ($kind)" finds twice_assigned "twice_assigned.dpc:5:22: error: A.0. is assigned twice"
    verdict "--check=all finds a subscript outside of an ordinary array ($kind)" finds outside "outside.dpc:6:29: error: subscript 1 of ordinary array"
    verdict "--check=all finds variables that differ ($kind)" finds differing "differing.dpc:9:5: error: .rank. differs"
    says_ignored() {
        "$(mpicc_of "$kind")" -std=gnu11 -Wall -Wextra -Werror "$1" -lm -o program && DPC_STATS=1 DPC_TRACE=x.json run_mpi "$kind" 2 ./program >out 2>messages &&
            [ "$(grep -c "environment variable DPC_STATS is ignored" messages)" = 1 ] && [ "$(grep -c "environment variable DPC_TRACE is ignored" messages)" = 1 ] && [ ! -e x.json ]
    }
    verdict "a program says what of DPC_* it ignores, once ($kind)" says_ignored names.c
    verdict "so does one with runtime/line ($kind)" says_ignored saxpy.c
    verdict "functions of other files are watched ($kind)" answers sum calls.c twice.c
    break
done

fails_with 2 "libdpc" --standalone --serial names.dpc
fails_with 2 "C text" --standalone --run names.dpc
fails_with 2 "C text" --standalone -c names.dpc
cp names.dpc other.dpc
fails_with 2 "one .dpc file" --standalone names.dpc other.dpc
fails_with 3 "cannot write" --standalone names.dpc -o missing/names.c
