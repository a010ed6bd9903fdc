# -M and its relatives, -h, -v, -pg, and mpi.h.
# shellcheck shell=bash disable=SC2016,SC2034
cat >prog.dpc <<'END'
#include <mpi.h>
#include <stdio.h>
#include "size.h"
double A[N];
#pragma dpc distribute A(block)
int main(void) {
    A[:] = MPI_VERSION > 0;
    printf("%g\n", sum(A[:]));
    return 0;
}
END
mkdir include
echo '#define N 21' >include/size.h
sed '1d; s/MPI_VERSION > 0/1/' prog.dpc >plain.dpc
rule() { tr -d '\\\n' <"$1" | sed 's/  */ /g; s/ $//'; }
dpcc -Iinclude -O0 -MMD -c plain.dpc
verdict "-MMD -c" all 'status_is 0' '[ -e plain.o ]' '[ "$(rule plain.d)" = "plain.o: plain.dpc include/size.h" ]'
dpcc -Iinclude -O0 -MMD -MF rules -MT 'a b' -MT c -MP -S prog.dpc -o text.c
verdict "-MF -MT -MP -S" all 'status_is 0' '[ -e text.c ]' 'grep -q "^a b c: prog.dpc" rules' 'grep -q "^include/size.h:" rules'
mkdir made
dpcc -Iinclude -O0 -MD prog.dpc -o made/prog
verdict "-MD of a program" all 'status_is 0' 'grep -q "stdio.h" made/prog.d' 'grep -q "^made/prog:" made/prog.d'
dpcc -Iinclude -MM plain.dpc
verdict "-MM" all 'status_is 0' '[ "$(rule "$SCRATCH/out")" = "plain.o: plain.dpc include/size.h" ]'
dpcc -Iinclude -M prog.dpc -o all.d
verdict "-M -o" all 'status_is 0' 'prints ""' 'grep -q "^prog.o:.*prog.dpc" all.d' 'grep -q mpi.h all.d'
rm -f ./*.o ./*.d
dpcc -O0 -MMD -c prog.dpc
verdict "a header that is missing" all 'status_is 1' 'says "size.h: No such file"' '[ ! -e prog.d ]' '[ ! -e prog.o ]'
dpcc -Iinclude -O0 -c -MMD -MF - prog.dpc -o text.o
verdict "-MF -" all 'status_is 0' 'prints_like "^text.o: prog.dpc"' '[ ! -e ./- ]'
rm -f text.o
fails_with 2 "the output './prog.dpc' is an input" -Iinclude -c -MMD -MF ./prog.dpc prog.dpc
fails_with 2 "-o and -MF both name 'x'" -Iinclude -c -MMD -MF x prog.dpc -o x
fails_with 2 "which nothing asks for" -Iinclude -MF x prog.dpc
fails_with 2 "which nothing asks for" -Iinclude -MP prog.dpc
cp prog.dpc other.dpc
fails_with 2 "cannot have the rules of 2 sources" -Iinclude -c -MMD -MF x prog.dpc other.dpc
fails_with 2 "needs a value" prog.dpc -MF
dpcc -Iinclude --run -n 2 prog.dpc
verdict "mpi.h" all 'status_is 0' 'prints 21'
dpcc -h
cp "$SCRATCH/out" short
dpcc --help
verdict "-h" same short "$SCRATCH/out"
dpcc -Iinclude -O0 -v -pg -c prog.dpc
verdict "-v, -pg" all 'status_is 0' 'says "mpicc.* -pg .*-c .*prog.c -o"' '[ -e prog.o ]'
