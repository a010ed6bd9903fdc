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
m = max(i = 0:7, A[i]);|did you mean 'maxval'?
m = dot(A[:], A[:]);|did you mean 'dot_product'?
A[:] = cumsum(A[:]);|did you mean 'sum_prefix'?
A[:] = cshift(A, 1);|all of an array is A[:]
m = A[1:3];|one value of a section is a reduction's: sum(...)
m = A[:] * A[:];|one value of a section is a reduction's: sum(...)
if (A[:] > 0) A[:] = 1;|a condition for each element stands in a forall, forall (i = lower:upper, A[i] > 0)
if (m > 0) A[:] = M[:][:];|-
A[:] = sum(M[:][:], 2);|a result for each row: forall (i = lower:upper) x[i] = sum(A[i][:]);
m = sum(A[:], A[:] > 0);|a mask stands behind indices, before the value: sum(i = lower:upper, A[i] > 0, A[i])
forall (i = 0:7) m += A[i];|a sum: m += sum(i = lower:upper, ...)
forall (i = 0:7) { m = A[i]; A[i] = m; }|each iteration's own is declared in the forall's block: forall (...) { double m = ...; ... }
forall (i = 0:7) for (int j = 0; j < 3; j++) A[i] += 1;|a sum over an inner index is sum(j = lower:upper, ...)
forall i = 0:7 A[i] = 1;|forall (i = lower:upper) statement
for (i = 0:7) A[i] = 1;|forall (i = lower:upper) statement
T
