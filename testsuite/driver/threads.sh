# Statements on distributed arrays that other threads execute, from places where the compiler cannot see it: an error with the
# line instead of waiting for one another.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317
cat >uses.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "others.h"
enum { N = 4000 };
double A[N], B[N];
double seen;
#pragma dpc distribute A(cyclic)
#pragma dpc distribute B(block)
void store(void) {
    A[3] = 1;
}
void load(void) {
    seen = B[5];
}
void both(void) {
    A[7] = B[9] * 2;
}
void all(void) {
    forall (i = 0:N-1) A[i] = B[i];
}
void reduce(void) {
    seen = sum(B[:]);
}
void move(void) {
    #pragma dpc redistribute A(block)
}
void make(void) {
    double C[N];
    #pragma dpc distribute C(block)
    C[:] = 1;
}
void assign(double X[N]) {
    #pragma dpc distribute X(block)
    X[2] = 1;
}
void call(void) {
    assign(B);
}
void clocks(void) {
    seen = (double)time(NULL);
}
void nothing(void) {
    seen = 1;
}
void (*const use[])(void) = {store, load, both, all, reduce, move, make, call, clocks, nothing};
int main(int argc, char **argv) {
    const int k = atoi(argv[1]);
    forall (i = 0:N-1) B[i] = i;
    if (argc > 3) use[k]();
    if (argv[2][0] == 'r') in_region(use[k]);
    if (argv[2][0] == 'm') in_master(use[k]);
    if (argv[2][0] == 't') in_thread(use[k]);
    printf("%g %g\n", seen, sum(B[:]));
    return 0;
}
C
cat >others.h <<'C'
void in_region(void (*f)(void));
void in_master(void (*f)(void));
void in_thread(void (*f)(void));
C
cat >others.c <<'C'
#include "others.h"
#include <pthread.h>
void in_region(void (*f)(void)) {
#pragma omp parallel num_threads(3)
    f();
}
void in_master(void (*f)(void)) {
#pragma omp parallel num_threads(2)
#pragma omp master
    f();
}
static void *start(void *f) {
    (*(void (**)(void))f)();
    return f;
}
void in_thread(void (*f)(void)) {
    pthread_t thread;
    pthread_create(&thread, 0, start, &f);
    pthread_join(thread, 0);
}
C
LIMIT=60
says_text() { grep -qF -e "$1" "$SCRATCH/err" || { echo "standard error does not say: $1"; return 1; }; }
fails() { [ "$STATUS" != 0 ] && [ "$STATUS" != 124 ] || { echo "exit status $STATUS"; return 1; }; }
# start KIND PROCESSES WORDS...
start() {
    STATUS=0
    run_mpi "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
}

for kind in openmpi mpich; do
    has_mpi $kind || continue
    MPICC=$(mpicc_of $kind) dpcc -O1 -fopenmp -pthread uses.dpc others.c -o uses
    while read -r number line name <&3; do
        start $kind 2 ./uses "$number" thread
        verdict "$name in a thread, $kind" all fails 'prints ""' "says_text 'uses.dpc:$line: error: distributed arrays are used by a thread that is not'"
        start $kind 2 ./uses "$number" region
        verdict "$name in a region, $kind" all fails 'prints ""' "says_text 'uses.dpc:$line: error: distributed arrays are used '"
    done 3<<'T'
0 11 store
1 14 load
2 17 both
3 20 forall
4 23 reduction
5 26 redistribution
6 30 creation
7 38 call
T
    start $kind 2 ./uses 3 master
    verdict "the main thread in a region, $kind" all fails 'prints ""' "says_text 'uses.dpc:20: error: distributed arrays are used inside an OpenMP parallel region'"
    start $kind 2 ./uses 8 thread
    verdict "time() in a thread, $kind" all fails 'prints ""' "says_text \"'time' is called by a thread that is not the program's main thread\""
    for how in thread region; do
        start $kind 2 ./uses 9 $how
        verdict "a $how without distributed arrays, $kind" all 'status_is 0' 'prints "1 7.998e+06"' silent
    done
    for number in 0 1 2 3 4 5 6 7; do
        start $kind 2 ./uses $number none main
        verdict "use $number in the main thread, $kind" all 'status_is 0' silent
    done
done
