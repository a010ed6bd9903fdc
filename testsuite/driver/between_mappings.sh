# Loops that carry values, on arrays that are redistributed elsewhere, are shared out where one mapping reaches them: no warning, and no message but the redistributions'.
# shellcheck shell=bash disable=SC2016
cat >sweeps.dpc <<'END'
#include <stdio.h>
#define N 40
double T[N][N];
#pragma dpc distribute T(block, *)
int main(void) {
    T[:][0] = 100;
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < N; i++) {
            for (int j = 1; j < N; j++) T[i][j] = (T[i][j] + T[i][j-1]) / 2;
            for (int j = N - 2; j > 0; j--) T[i][j] += 0.25 * T[i][j+1];
        }
        #pragma dpc redistribute T(*, block)
        for (int j = 1; j < N; j++) {
            for (int i = 1; i < N; i++) T[i][j] = (T[i][j] + T[i-1][j]) / 2;
            for (int i = N - 2; i >= 0; i--) T[i][j] += 0.25 * T[i+1][j];
        }
        #pragma dpc redistribute T(block, *)
    }
    printf("%.9f\n", sum(T[:][:]));
    return 0;
}
END
dpcc --explain --np=4 sweeps.dpc
verdict "sweeps between redistributions" all 'status_is 0' 'silent' 'prints_like "line 8 *independent  for i"' 'prints_like "line 13 *independent  for j"'
sed 's/if (0)//; s/#pragma dpc redistribute T(\*, block)/if (step > 2)\n&/' sweeps.dpc >several.dpc
dpcc --explain --np=4 several.dpc
verdict "two mappings reach the second" all 'status_is 0' 'says "if one mapping of .T. reached it"'

# Without the redistributions the columns' loops are distributed: two pipelines in blocks, not one message a column.
grep -v redistribute sweeps.dpc >columns.dpc
dpcc --explain --np=4 columns.dpc
verdict "sweeps of columns" all 'status_is 0' 'silent' 'prints_like "line 12 *pipeline  for i, j"' \
    'prints_like "line 14 *pipeline  for i, j"' 'prints_like "iterations of j are independent: distributed over the 2 statements"'
# In the next column's loop the second would find what the first has stored by then: they stay together.
sed 's/0.25 \* T\[i+1\]\[j\]/0.25 * T[i+1][j] + T[i][j+1]/; s/j < N; j++) {/j < N - 1; j++) {/' columns.dpc >carried.dpc
dpcc --explain --np=4 carried.dpc
verdict "columns that need one another" all 'status_is 0' '! prints_like "distributed over"'
