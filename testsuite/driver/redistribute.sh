#!/usr/bin/env bash
# shellcheck disable=SC2154,SC2317 # part of run_driver
# --redistribute and --schedule: each name gives the same values; what cannot serve says why.
cat >moves.dpc <<'C'
#include <stdio.h>
double A[60], M[12][9];
#pragma dpc distribute A(cyclic(6))
#pragma dpc distribute M(cyclic(4), *)
int main(void) {
    double total = 0;
    forall (i = 0:59) A[i] = i * i;
    forall (i = 0:11, j = 0:8) M[i][j] = 10 * i + j;
    #pragma dpc redistribute A(cyclic(2))
    #pragma dpc redistribute M(cyclic(2), *)
    for (int i = 0; i < 60; i += 7) total += A[i] * (i + 1);
    for (int i = 0; i < 12; i++) total += M[i][i % 9] * (i + 1);
    printf("%g\n", total);
    return 0;
}
C
EXPECTED=$(dpcc_to /dev/stdout --serial --run moves.dpc)

fails_with 2 "unknown value 'ring' of --redistribute" --redistribute=ring moves.dpc
fails_with 2 "walker-otto-sendrecv, " --redistribute=ring moves.dpc
fails_with 2 "unknown value 'ring' of --schedule" --schedule=ring moves.dpc

names() { # METHOD or SCHEDULE
    local table=methods
    [ "$1" = METHOD ] || table=schedules
    echo "auto $(sed -n "s/^$1(\"\([^\"]*\)\".*/\1/p" "$ROOT/runtime/base/$table.def" | tr '\n' ' ')"
}

# The method runs, or the program ends with an error that says why it cannot.
right_or_refused() {
    [ "$STATUS" = 0 ] && prints "$EXPECTED" && return
    status_is 1 && says "moves.dpc:\(9\|10\): error: redistribution $1 '$2' cannot serve array '[AM]': ."
}
# One program by each name: the environment overrides what it was translated with.
for kind in smpi openmpi other; do
    has_mpi "$kind" || continue
    MPICC=$(mpicc_of "$kind") dpcc -O0 -o "moves.$kind" moves.dpc
    by_name() { # METHOD[,SCHEDULE]
        STATUS=0
        DPC_REDISTRIBUTE=$1 run_mpi "$kind" 4 "./moves.$kind" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    }
    for method in $(names METHOD); do
        by_name "$method"
        case $method in
        *x-to-kx*) verdict "$kind, $method" all 'status_is 1' "right_or_refused method $method" ;;
        *) verdict "$kind, $method" all 'status_is 0' "right_or_refused method $method" ;;
        esac
    done
    for schedule in $(names SCHEDULE); do
        by_name "auto,$schedule"
        verdict "$kind, schedule $schedule" right_or_refused schedule "$schedule"
    done
    break
done
MPICC=$(mpicc_of "$kind") dpcc -O0 --schedule=caterpillar -o "moves.$kind" moves.dpc
by_name alltoallw
verdict "a method in the environment takes the schedule's place too" all 'status_is 0' "right_or_refused method alltoallw"
dpcc --run -n 4 --redistribute=met moves.dpc
verdict "--redistribute=met" all 'status_is 0' "right_or_refused method met"
dpcc --run -n 4 --redistribute=alltoallw --schedule=caterpillar moves.dpc
verdict "an order of its own" all 'status_is 1' 'says "has an order of its own"'

dpcc -S -o - moves.dpc
verdict "plain call" prints_like "dpc_redistribute(&A_dist, DPC_LINE(9)"
dpcc -S -o - --redistribute=lcm --schedule=peeling moves.dpc
verdict "generated call" prints_like "dpc_remapping){.method = \"lcm\", .schedule = \"peeling\"});"
