# The blocks that the compiler chooses for cyclic(auto) and auto.
# shellcheck shell=bash disable=SC2016
cat >strides.dpc <<'END'
double A[3000], C[2000];
#pragma dpc distribute (cyclic(auto)) :: A, C
int main(void) {
    forall (i = 0:999) A[3*i] = C[2*i];
    return A[0] != 0;
}
END
dpcc --np=4 -S strides.dpc -o -
verdict "quotient 1 for strides 3 and 2" all 'status_is 0' silent 'prints_like "/\* A: cyclic(auto): 750 chosen, C: cyclic(auto): 500 chosen \*/"' 'prints_like "DPC_FORMATS(DPC_CYCLIC(750))"'
dpcc --np=4 --serial -S strides.dpc -o -
verdict "the serial program does not know" all 'status_is 0' '! prints_like chosen'
dpcc --np=4 --dump=plan strides.dpc
verdict "--dump=plan says why" all 'status_is 0' 'prints_like "array A: double\[0:2999\] cyclic(750)"' 'prints_like "rejected: cyclic(3), from the printed algorithm, granularity 1"' 'prints_like "entirely local"'
dpcc --np=4 --explain strides.dpc
verdict "--explain shows the graph and what was compared" all 'status_is 0' \
    'prints_like "^    line 4     A\[3\*i\] = ... C\[2\*i\]: A b1/s1 = 750/3, C b2/s2 = 500/2, equal, all local$"' \
    'prints_like "^  \* cyclic(750) cyclic(500)     1.00         0           0 "' \
    'prints_like "^    cyclic(3)   cyclic(2)       1.00         0           0 .* granularity 1$"'

cat >shift.dpc <<'END'
double X[1000], Y[1000];
#pragma dpc distribute X(auto), Y(auto)
int main(void) {
    X[1:998] = Y[0:997] + Y[2:999];
    return X[0] != 0;
}
END
dpcc -S shift.dpc -o -
verdict "auto: a shift over a rectangular space gives block" all 'status_is 0' 'prints_like "X: auto: block chosen, Y: auto: block chosen"' 'prints_like "DPC_FORMATS(DPC_BLOCK)"'

cat >triangle.dpc <<'END'
double L[400][400];
#pragma dpc distribute L(auto, *)
int main(void) {
    for (int k = 0; k < 399; k++)
        forall (i = k+1:399, j = k+1:399) L[i][j] -= L[i][k] * L[k][j];
    return L[0][0] != 0;
}
END
dpcc --np=4 -S triangle.dpc -o -
verdict "auto: a shrinking space gives cyclic" all 'status_is 0' 'prints_like "L: auto: cyclic(1) chosen"'
