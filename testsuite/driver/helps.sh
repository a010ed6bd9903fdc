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
printf '#include <math.h>\ndouble A[8];\n#pragma dpc distribute A(block)\nint main(void) { A[:] = M_PI; return 0; }\n' >other.dpc
dpcc -std=c11 -S -o - other.dpc
verdict "what a header hides from ISO C" all 'status_is 1' 'says_help "<math.h> declares it with -std=gnu11"'
cp "$ROOT/testsuite/errors/definition_without.dpc" other.dpc
dpcc -S -o - other.dpc
verdict "a definition without its prototype's directive" all 'status_is 1' 'says_help "the directive stands in the definition, too, at the beginning of its body: #pragma dpc inherit X"'
sed -e 's/^#pragma dpc inherit X/ /; s/^\(.*for (int\)/#pragma dpc distribute X(block)\n\1/' "$ROOT/testsuite/errors/definition_without.dpc" >other.dpc
dpcc -S -o - other.dpc
verdict "a prototype without its definition's directive" all 'status_is 1' 'says_help "the directive stands behind the prototype, too: #pragma dpc distribute X(block)"'
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
m = max(3.0, m);|of two numbers: fmax(x, y)
A(3) = 1;|an element stands in brackets, as in A[i], and a section as in A[lower:upper]
double *p = A;|no pointer leads to the elements, which other processes have
A = A;|the whole array is A[:], and an assignment of it copies all elements
A[:] += A;|the whole array is A[:]
M[1][:] = A;|the whole array is A[:]
m = *(&A[2]);|a variable in its place
forall (i = 0; i < 8; i++) A[i] = 1;|ranges stand in place of a loop's conditions
forall (i = 0:7) m *= A[i];|a product: m *= product(i = 0:7, A[i]);
forall (i = 0:7) if (A[i] > m) m = A[i];|the greatest or least value: m = maxval(i = 0:7, A[i]);
forall (i = 0:7) A[i]++;|as an assignment: A[i] += 1;
forall (i = 0:7) { if (i == 3) break; A[i] = 1; }|which indices are executed, a mask says
forall (i = 0:7) dpc_wtime();|elements are printed one by one, in a for loop
m = sum(i = 0; i < 8; A[i]);|index ranges: sum(i = lower:upper, value)
DO i = 1, 8|loops and statements are C's
CALL f(A);|functions are called as in C
A[*] = 1;|all of a dimension is [:]
A[:]++;|as an assignment: A[:] += 1;
--A[2:];|as an assignment: A[2:] -= 1;
#pragma dpc redistribute A(gen_block(3, 5))|the sizes stand in an array of integers
#pragma dpc redistribute A(gen_block)|the sizes stand in an array of integers
A[:] = {1, 2};|elements are assigned from an ordinary array
A[i] = 1;|indices are declared where they get their values
double C[8]; C = A[:];|all of an array is C[:]
#pragma dpc redistribute A(block) onto Z(2)|declare the processes before
#pragma dpc redistribute block(A)|the array stands first
#pragma dpc redistribute A(block) A(cyclic)|one list of formats for all
#pragma dpc redistribute M.x(block)|arrays with a declaration of their own
char *s = strdup("a");|#include <string.h> declares it
memset(A, 0, sizeof A);|all elements at once: A[:] = 0;
m = dpc_rank();|outside, a program prints and decides once
where (A[:] > 0) A[:] = 1;|a mask stands in a forall: forall (i = 0:n-1, A[i] > 0) A[i] = 1;
WHERE (A[:] > 0) A[:] = 1;|a mask stands in a forall
FORALL (i = 0:7) A[i] = 1;|forall (i = lower:upper) statement
forall (int i = 0; i < 8; i++) A[i] = 1;|forall (i = lower:upper) statement
forall (i = 0, 7) A[i] = 1;|forall (i = lower:upper) statement
forall (i = 0:7) A[i] = ;|-
m = max(i = 0:7, A[i]);|did you mean 'maxval'?
m = dot(A[:], A[:]);|did you mean 'dot_product'?
A[:] = cumsum(A[:]);|did you mean 'sum_prefix'?
M[:][:] = cshift(M[:][:], A[:]);|one for each row or column: forall (i = lower:upper) M[i][:] = cshift(M[i][:], k[i]);
M[:][:] = eoshift(M[:][:], 1, A[:]);|one for each row or column
forall (i = 0:7) M[i][:] = cshift(M[i][:], (int)A[i]);|an ordinary array takes them first: long k[n]; k[:] = A[:];
forall (i = 0:7) A[i] = cshift(A[i], 1);|its argument is made of sections
A[:] = cshift(A, 1);|all of an array is A[:]
A[:] = cshift();|its argument is made of sections
m = A[1:3];|one value of a section is a reduction's: sum(...)
m = A[:] * A[:];|one value of a section is a reduction's: sum(...)
if (A[:] > 0) A[:] = 1;|a condition for each element stands in a forall, forall (i = lower:upper, A[i] > 0)
if (m > 0) A[:] = M[:][:];|a subscript takes away a dimension
A[:] = sum(M[:][:], 2);|a result for each row: forall (i = lower:upper) x[i] = sum(A[i][:]);
m = sum(A[:], A[:] > 0);|a mask stands behind indices, before the value: sum(i = lower:upper, A[i] > 0, A[i])
forall (i = 0:7) m += A[i];|a sum: m += sum(i = 0:7, A[i]);
forall (i = 0:7) { m = A[i]; A[i] = m; }|each iteration's own is declared in the forall's block: forall (...) { double m = ...; ... }
forall (i = 0:7) for (int j = 0; j < 3; j++) A[i] += 1;|a sum over an inner index is sum(j = lower:upper, ...)
forall i = 0:7 A[i] = 1;|forall (i = lower:upper) statement
for (i = 0:7) A[i] = 1;|forall (i = lower:upper) statement
T
# Each line: a line of directives behind the declarations | the help.
while IFS='|' read -r directive help; do
    printf 'double A[8], B[8], *P, s;\n%s\nint main(void) { return 0; }\n' "$directive" >other.dpc
    dpcc -S -o - other.dpc
    verdict "$directive" all 'status_is 1' 'says_help "$help"'
done <<'T'
#pragma dpc distribute P(block)|declare the array itself, as in double P[n]
#pragma dpc distribute s(block)|only arrays are distributed; every process has the value of 's'
#pragma dpc distribute A[block]|formats stand in parentheses
#pragma dpc distribute A block|formats stand in parentheses
#pragma dpc distribute A(block);|a directive ends with its line, without ';'
#pragma dpc distribute A(cyclic 2)|the size of the blocks stands in parentheses: cyclic(2)
#pragma dpc distribute A(block) on P|the grid stands behind 'onto'
#pragma dpc align B(i) with A(i)|subscripts stand in brackets: #pragma dpc align B[i] with A[i]
#pragma dpc align (i) with A(i) :: B|each array has a directive of its own: #pragma dpc align B[i] with A[i]
#pragma dpc align [i] with A[i] :: B|each array has a directive of its own: #pragma dpc align B[i] with A[i]
#pragma dpc ALIGN (i, *) WITH T(i, 2*i) :: M, N|each array has a directive of its own: #pragma dpc ALIGN M[i][*] with T[i][2*i]
#pragma dpc align U(i, j) with T(j, i)|subscripts stand in brackets: #pragma dpc align U[i][j] with T[j][i]
#pragma dpc align U[i] with T(i)|subscripts stand in brackets: #pragma dpc align U[i] with T[i]
#pragma dpc processors P = 4|the extents of a grid stand in parentheses
#pragma dpc parallel for|a loop is shared out without a directive
#pragma dpc partition A(block)|directives are processors, distribute, redistribute, template, align, realign, inherit, extrinsic, independent
#pragma dpc|a directive is, for instance, #pragma dpc distribute A(block)
T
printf 'void f(int n, double x[n]) { x[0] = n; }\ndouble A[8];\n#pragma dpc distribute A(block)\nint main(void) {\n    f(8, A);\n}\n' >other.dpc
dpcc -S -o - other.dpc
verdict "an array for an ordinary parameter" all 'status_is 1' 'says_help "give its parameter all extents, as in double x[n]"' 'says_help "" && grep -q "#pragma dpc inherit x" "$SCRATCH/err"'
