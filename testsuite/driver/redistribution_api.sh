#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# Wrong arguments of the redistribution engine in a program without dpc_init: an error that names the argument, an exit
# status, no waiting.  The cases are in testsuite/unit/test_misuse.c.
LIMIT=60
for kind in $MPIS; do
    try_cases "$kind" test_misuse 70
done

# The program in examples/ is right where it should be: translated as it says itself.
for kind in $MPIS; do
    $(mpicc_of "$kind") -Wall -Wextra -Werror -I "$BUILD/include/dpc" "$ROOT/examples/redistribution_plan.c" \
        "$BUILD/lib/$kind/libdpc.a" -lm -o "plan.$kind" 2>"$SCRATCH/err"
    STATUS=0
    run_mpi "$kind" 2 "./plan.$kind" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "$kind: redistribution_plan.c" all 'status_is 0' 'prints "0 elements are wrong"' 'says "process 1: sends "'
done
