# A program of several source files, each translated on its own.
# shellcheck shell=bash disable=SC2016,SC2034
cat >main.dpc <<'C'
#include <stdio.h>
#include "other.h"
static double A[100];
#pragma dpc distribute A(cyclic(3))
int main(void) {
    forall (i = 0:99) A[i] = i;
    fill(2);
    printf("%.0f %.0f %d\n", sum(A[:]), total(), plain(4));
    return 0;
}
C
cat >other.h <<'C'
void fill(int factor);
double total(void);
int plain(int);
C
cat >other.dpc <<'C'
#include "other.h"
static double A[60];
#pragma dpc distribute A(block)
void fill(int factor) { forall (i = 0:59) A[i] = factor * i; }
double total(void) { return sum(A[:]); }
C
echo 'int plain(int x) { return x + 1; }' >plain.c
RESULT="4950 3540 5"

for options in --serial "-n 1" "-n 3"; do
    # shellcheck disable=SC2086 # words
    dpcc --run $options main.dpc other.dpc plain.c
    verdict "--run $options" all 'status_is 0' silent "prints '$RESULT'"
done
dpcc -c main.dpc other.dpc plain.c
verdict "-c" all 'status_is 0' silent 'files_are "main.dpc main.o other.dpc other.h other.o plain.c plain.o"'
dpcc --run -n 2 main.o other.o plain.o
verdict "objects" all 'status_is 0' silent "prints '$RESULT'"
rm -f ./*.o
dpcc -S main.dpc other.dpc
verdict "-S" all 'status_is 0' 'files_are "main.c main.dpc other.c other.dpc other.h plain.c"'
dpcc --run -n 2 main.c other.c plain.c
verdict "translated files" all 'status_is 0' silent "prints '$RESULT'"
