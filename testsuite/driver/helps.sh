#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# What dpcc says about statements of other languages: the form that is meant.
says_help() { grep -qF -e "help: $1" "$SCRATCH/err" || { echo "no help: $1"; return 1; }; }
printf '#pragma dpc template T(8)\nint main(void) { return 0; }\n' >other.dpc
dpcc -S -o - other.dpc
verdict "a template in parentheses" all 'status_is 1' 'says_help "the extents of a template stand in brackets"'
printf '#pragma dpc processors P[4]\nint main(void) { return 0; }\n' >other.dpc
dpcc -S -o - other.dpc
verdict "a grid in brackets" all 'status_is 1' 'says_help "the extents of a grid stand in parentheses"'
# Each line: a statement | the help; "-": there is none.
while IFS='|' read -r statement help; do
    printf 'double A[8], M[8][8];\n#pragma dpc distribute A(block)\nint main(void) {\n    double m = 0;\n    %s\n    return m > 0;\n}\n' "$statement" >other.dpc
    dpcc -S -o - other.dpc
    if [ "$help" = - ]; then verdict "no help for $statement" all 'status_is 1' '! grep -q "^help" "$SCRATCH/err"'
    else verdict "$statement" all 'status_is 1' 'says_help "$help"'; fi
done <<'T'
A[:] = sum(j = 0:7, M[:][j]);|a result for each element: forall (i = ...) A[i] = sum(j = 0:7, M[i][...]);
m = max(A[:]);|did you mean 'maxval'?
m = argmin(A[:]);|did you mean 'minloc'?
m = max(3.0, m);|did you mean 'fmax'?
where (A[:] > 0) A[:] = 1;|a mask stands in a forall: forall (i = 0:n-1, A[i] > 0) A[i] = 1;
WHERE (A[:] > 0) A[:] = 1;|a mask stands in a forall
FORALL (i = 0:7) A[i] = 1;|forall (i = lower:upper) statement
forall (int i = 0; i < 8; i++) A[i] = 1;|forall (i = lower:upper) statement
forall (i = 0, 7) A[i] = 1;|forall (i = lower:upper) statement
forall (i = 0:7) A[i] = ;|-
T
