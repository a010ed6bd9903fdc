#!/usr/bin/env bash
# shellcheck disable=SC2154,SC2317 # part of run_driver
# Wrong arguments of the redistribution engine in a program without dpc_init: an error that names the argument, an exit
# status, no waiting.  The cases are in testsuite/unit/test_misuse.c.
LIMIT=60
says_text() { grep -qF "$1" "$SCRATCH/out" "$SCRATCH/err" || { echo "nobody says: $1"; return 1; }; }
fails() { [ "$STATUS" != 0 ] && [ "$STATUS" != 124 ] || { echo "exit status $STATUS"; return 1; }; }

for kind in $MPIS; do
    run_mpi "$kind" 2 "$BUILD/$kind/test_misuse" >"$SCRATCH/cases" 2>"$SCRATCH/err"
    grep '|' "$SCRATCH/cases" >"$SCRATCH/named"
    verdict "$kind: there are cases" [ "$(wc -l <"$SCRATCH/named")" -ge 18 ]
    while IFS='|' read -r name text <&3; do
        STATUS=0
        run_mpi "$kind" 2 "$BUILD/$kind/test_misuse" "$name" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
        verdict "$kind: $name" all fails "says_text \"$text\""
    done 3<"$SCRATCH/named"
done

# The program in examples/ is right where it should be: translated as it says itself.
for kind in $MPIS; do
    $(mpicc_of "$kind") -Wall -Wextra -Werror -I "$BUILD/include/dpc" "$ROOT/examples/redistribution_plan.c" \
        "$BUILD/lib/$kind/libdpc.a" -lm -o "plan.$kind" 2>"$SCRATCH/err"
    STATUS=0
    run_mpi "$kind" 2 "./plan.$kind" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "$kind: redistribution_plan.c" all 'status_is 0' 'prints "0 elements are wrong"' 'says "process 1: sends "'
done
