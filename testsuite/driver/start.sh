# What processes must have been started with alike: arguments, the library's environment variables, one MPI.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317
cat >told.dpc <<'C'
#include <stdio.h>
double A[40];
#pragma dpc distribute A(block)
int main(int argc, char **argv) {
    A[:] = argc;
    printf("%g %s\n", sum(A[:]), argc > 1 ? argv[1] : "-");
    return 0;
}
C
says_text() { grep -qF -e "$1" "$SCRATCH/err" || { echo "standard error does not say: $1"; return 1; }; }
said_once() { [ "$(grep -c "$1" "$SCRATCH/err")" = 1 ] || { echo "not said once: $1"; return 1; }; }
fails() { [ "$STATUS" != 0 ] && [ "$STATUS" != 124 ] || { echo "exit status $STATUS"; return 1; }; }
# start KIND PROCESSES WORDS...: leaves $STATUS and what it prints.
start() {
    STATUS=0
    run_mpi "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
}
# refused TEXT: so does the program that was started, once, and prints nothing.
refused() { fails && says_text "$1" && said_once ': error: ' && prints ""; }

for kind in openmpi mpich; do
    has_mpi $kind || continue
    MPICC=$(mpicc_of $kind) dpcc -O0 told.dpc -o "told.$kind"
    told=./told.$kind
    start $kind 2 "$told" x
    verdict "equal arguments, $kind" all 'status_is 0' 'prints "80 x"' silent
    start $kind 1 "$told" 5 : -n 1 "$told" 7
    verdict "an argument differs, $kind" refused "argument 1 of the program differs between processes: '5' on process 0, '7' on process 1"
    start $kind 1 "$told" 5 : -n 1 "$told" 5 ''
    verdict "an argument more, $kind" refused "argument 2 of the program differs between processes: none on process 0, '' on process 1"
    start $kind 1 env DPC_PLANS=3 DPC_KEEP=0 "$told" : -n 1 env DPC_PLANS=4 DPC_KEEP=0 "$told"
    verdict "a variable differs, $kind" refused "environment variable DPC_PLANS differs between processes: '3' on process 0, '4' on process 1"
    start $kind 1 env DPC_KEEP=0 "$told" : -n 1 "$told"
    verdict "a variable is not passed on, $kind" refused "DPC_KEEP differs between processes: '0' on process 0, not set on process 1; mpirun passes it on"
    start $kind 1 env DPC_STATS=told.json "$told" : -n 1 "$told"
    verdict "a variable that process 0 alone reads, $kind" all 'status_is 0' 'prints "40 -"' silent '[ -s told.json ]' 'rm told.json'
    start $kind 1 "$told" : -n 1 env DPC_STATS=1 "$told"
    verdict "that variable on another process alone, $kind" refused "environment variable DPC_STATS differs between processes: not set on process 0, '1' on process 1"
done

kinds=${MPIS%% *}
[ "$EXHAUSTIVE" ] && kinds=$MPIS
for kind in $kinds; do
    MPICC=$(mpicc_of "$kind") dpcc -O0 told.dpc -o "told.$kind"
    while IFS='|' read -r variable value text <&3; do
        export "$variable=$value"
        start "$kind" 2 "./told.$kind"
        unset "$variable"
        verdict "$variable=$value, $kind" refused "environment variable $variable is '$value'; $variable must be $text"
    done 3<<'T'
DPC_KEEP|2|0 or 1
DPC_PLANS|many|a number of plans, from 0 to 
DPC_PLANS|3x|a number of plans
DPC_CHUNK_BYTES|0|a number of bytes, from 1 to 
DPC_CHUNK_BYTES|99999999999999999999|a number of bytes
DPC_NODE_SIZE|-1|a number of processes
DPC_REDISTRIBUTE|wlk|METHOD[,SCHEDULE]
DPC_REDISTRIBUTE|walk,nothing|METHOD[,SCHEDULE]
DPC_STATS|table|1 (a table) or the name of a .json file
T
    DPC_KEEP=1 DPC_PLANS=0 DPC_CHUNK_BYTES=8 DPC_NODE_SIZE=1 DPC_REDISTRIBUTE=walk,none DPC_STATS='' DPC_PROFILE=/dev/null \
        start "$kind" 2 "./told.$kind"
    verdict "values that are right, $kind" all 'status_is 0' 'prints "40 -"' silent
    DPC_STAT=1 DPC_NODESIZE=4 DPC_ANYTHING=1 start "$kind" 2 "./told.$kind"
    verdict "names that are wrong, $kind" all 'status_is 0' 'prints "40 -"' 'said_once "DPC_STAT means nothing to libdpc; did you mean DPC_STATS?$"' \
        'said_once "DPC_NODESIZE means nothing to libdpc; did you mean DPC_NODE_SIZE?$"' 'said_once "DPC_ANYTHING means nothing to libdpc$"'
done

# The launcher of another MPI starts processes that don't know one another.
if has_mpi openmpi && has_mpi mpich; then
    start openmpi 2 ./told.mpich
    verdict "MPICH's program, Open MPI's mpirun" all fails 'said_once ": error: "' 'prints ""' 'says "linked with MPICH [^,]*, but was started by the launcher of Open MPI (OMPI_COMM_WORLD_SIZE is 2)"'
    start mpich 2 ./told.openmpi
    verdict "Open MPI's program, MPICH's mpirun" all fails 'said_once ": error: "' 'prints ""' 'says "linked with Open MPI [^,]*, but was started by the launcher of MPICH.* (PMI_SIZE is 2)"'
    start openmpi 1 ./told.mpich
    verdict "one process by another mpirun" all 'status_is 0' 'prints "40 -"' silent
    start mpich 1 mpirun.openmpi -n 2 ./told.openmpi
    verdict "an mpirun in the other" all 'status_is 0' 'prints "40 -"'
    SLURM_NTASKS=4 SLURM_PROCID=0 start openmpi 1 ./told.openmpi
    verdict "one process in a job of several" all 'status_is 0' 'prints "40 -"' silent
fi

# Extents that differ between processes, and no memory on one process.
cat >differs.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
long different(long n);
int main(int argc, char **argv) {
    const long n = different(100), which = atol(argv[1]);
    const long m = which == 1 ? n : 100, l = which == 2 ? n : 0, b = which == 3 ? n : 7, more = which == 4 ? n - 100 : 0;
    float M[40][m];
    double A[l:120];
    int B[50], C[50], sizes[2] = {25 + more, 25 - more};
    #pragma dpc distribute M(*, block)
    #pragma dpc distribute A(cyclic)
    #pragma dpc distribute B(cyclic(b))
    #pragma dpc distribute C(gen_block(sizes))
    M[:][:] = argc;
    A[:] = 2;
    B[:] = 1;
    printf("%g %d\n", sum(M[:][:]), sum(B[:] + C[:]));
    return 0;
}
C
cat >different.c <<'C'
#include <stdlib.h>
long different(long n) { return n + (getenv("DIFFERENT") != 0); }
C
cat >memory.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    for (long n = 1000000; n < atol(argv[1]); n += n / 2) {
        double A[n];
        #pragma dpc distribute A(block)
        A[0] = argc;
    }
    for (long n = 1000000; n < atol(argv[2]); n += n / 2) {
        char B[n], C[n];
        #pragma dpc distribute B(block)
        #pragma dpc distribute C(cyclic)
        forall (i = 0:n-1) B[i] = C[i] + C[n-1-i];
    }
    printf("enough\n");
    return 0;
}
C
printf '#!/bin/sh\nulimit -v 400000\nexec "$@"\n' >limited
chmod +x limited
for kind in openmpi mpich; do
    has_mpi $kind || continue
    MPICC=$(mpicc_of $kind) dpcc -O0 differs.dpc different.c -o differs
    while IFS='|' read -r number text <&3; do
        start $kind 1 ./differs "$number" : -n 1 env DIFFERENT=1 ./differs "$number"
        verdict "extents that differ ($number), $kind" refused "differs.dpc:$text"
    done 3<<'T'
1|10: error: the extent of dimension 2 of array 'M' differs between processes: 100 on process 0, 101 on process 1
2|11: error: the lower bound of dimension 1 of array 'A' differs between processes: 100 on process 0, 101 on process 1
3|12: error: the mapping of array 'B' on process 1 is another one than on process 0
4|13: error: entry 0 of the vector of gen_block for dimension 1 of array 'C' differs between processes: 25 on process 0, 26 on process 1
T
    start $kind 1 ./differs 0 : -n 1 env DIFFERENT=1 ./differs 0
    verdict "equal extents, $kind" all 'status_is 0' 'prints "8000 50"' silent
    MPICC=$(mpicc_of $kind) dpcc -O1 memory.dpc -o memory
    start $kind 1 ./memory 1000000000 0 : -n 1 ./limited ./memory 1000000000 0
    verdict "an array, no memory on one process, $kind" refused "memory.dpc:6: error: out of memory: array 'A' needs "
    start $kind 1 ./memory 0 1000000000 : -n 1 ./limited ./memory 0 1000000000
    verdict "a statement, no memory on one process, $kind" all fails 'prints ""' 'says "^memory.dpc:1[0-3]: error: out of memory: .* on process 1$"'
    start $kind 1 ./memory 2000000 2000000 : -n 1 ./limited ./memory 2000000 2000000
    verdict "enough memory, $kind" all 'status_is 0' 'prints enough' silent
done

# An MPI_Abort that waits for ever: the process ends by itself after a while, and the launcher ends the others.
cat >stuck.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
void end_on(int rank);
int main(int argc, char **argv) {
    double A[100];
    #pragma dpc distribute A(block)
    A[:] = 1;
    end_on(atoi(argv[1]));
    printf("%g\n", sum(A[:]));
    return 0;
}
C
cat >abort.c <<'C'
#include <mpi.h>
#include <unistd.h>
int MPI_Abort(MPI_Comm comm, int status) {
    (void)comm, (void)status;
    for (;;) pause();
}
void dpc_fail(const char *where, const char *format, ...);
void end_on(int rank) {
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == rank) dpc_fail(0, "the end");
}
C
for kind in openmpi mpich; do
    has_mpi $kind || continue
    MPICC=$(mpicc_of $kind) dpcc -O0 stuck.dpc abort.c -o stuck
    start $kind 2 ./stuck 1
    verdict "an MPI_Abort that waits, $kind" all fails 'says_text "dpc: error: the end"' "said_once ': error: '" # the launcher may say more
    start $kind 2 ./stuck 2
    verdict "no error, $kind" all 'status_is 0' 'prints 100' silent
done

# Processes that execute different statements: the simulator stops when nobody can go on, and ends with 0 by itself.
cat >diverge.dpc <<'C'
#include <stdio.h>
int decide(int how);
int main(int argc, char **argv) {
    double A[40], B[40];
    #pragma dpc distribute A(block)
    #pragma dpc distribute B(cyclic)
    A[:] = 1;
    printf("%d\n", argc);
    if (decide(argv[1][0] - '0')) B[:] = A[:];
    printf("%g\n", sum(B[:]));
    return argv[1][0] == '4' ? 4 : 0;
}
C
cat >decide.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int decide(int how) {
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (how == 2 || how == 3) exit(how == 2 ? 0 : 3);
    return how == 1 ? me == 1 : 1;
}
C
if has_mpi smpi; then
    MPICC=smpicc dpcc --run -O0 -n 3 diverge.dpc decide.c -- 1
    verdict "smpi, processes that wait for one another" all 'status_is 1' 'prints 2' 'says "^diverge.dpc:[0-9]*: error: the simulation ended before process [0-2] came"'
    MPICC=smpicc dpcc --run -O0 -n 3 diverge.dpc decide.c -- 2
    verdict "smpi, an end before the program's" all 'status_is 1' 'says "error: the simulation ended before process [0-2] came"'
    MPICC=smpicc dpcc --run -O0 -n 3 diverge.dpc decide.c -- 3
    verdict "smpi, the status of an end before the program's" all 'status_is 3' silent
    MPICC=smpicc dpcc --run -O0 -n 3 diverge.dpc decide.c -- 4
    verdict "smpi, the program's status" all 'status_is 4' silent
    MPICC=smpicc dpcc --run -O0 -n 3 diverge.dpc decide.c -- 5
    verdict "smpi, processes that come to the end" all 'status_is 0' silent
fi

# The profile of the machine that a program reads at its first redistribution.
cat >moved.dpc <<'C'
#include <stdio.h>
int main(void) {
    int n = 1000;
    double A[n];
    #pragma dpc distribute A(block)
    forall (i = 0:n-1) A[i] = i;
    #pragma dpc redistribute A(cyclic)
    printf("%g\n", sum(A[:]));
    return 0;
}
C
printf '# costs\n\nmessage 1e-6\nbyte fast\n' >wrong-number
printf 'message 1e-6\nmessage 2e-6\n' >twice
printf 'message 1e-6\n# of this machine\nnothing-known 3\n' >right
for kind in $MPIS; do
    MPICC=$(mpicc_of "$kind") dpcc -O0 moved.dpc -o moved
    while IFS='|' read -r file text <&3; do
        DPC_PROFILE=$file start "$kind" 2 ./moved
        verdict "DPC_PROFILE=$file, $kind" refused "$file$text"
    done 3<<'T'
wrong-number|:4: error: the profile of the machine's costs: expected a name and a number
twice|:2: error: the profile of the machine's costs: this name stands in an earlier line already
absent|: error: the profile of the machine's costs: No such file or directory
T
    DPC_PROFILE=right start "$kind" 2 ./moved
    verdict "a profile that is right, $kind" all 'status_is 0' 'prints 499500' silent
done

# Process 0 is at the program's end when another one finds an error: mpirun of Open MPI 3 hung in every other run.
cat >late.dpc <<'C'
enum { N = 12 };
double A[N], M[N][N];
#pragma dpc distribute A(block)
#pragma dpc distribute M(block, *)
int main(void) {
    forall (i = 0:N-1) A[i] = M[i][i * i];
    return 0;
}
C
for kind in openmpi mpich; do
    has_mpi $kind || continue
    MPICC=$(mpicc_of $kind) dpcc -O0 late.dpc -o late
    for run in 1 2 3 4; do
        start $kind 2 ./late
        verdict "an error behind process 0's end ($run), $kind" all '[ $STATUS = 1 ]' 'says "^late.dpc:6: error: subscript 2 of array .M. is out of bounds"'
    done
done
