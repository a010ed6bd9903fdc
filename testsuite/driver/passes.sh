# Every pass is timed, and the program can be printed after each; a pass that is none is named with those that are.
# shellcheck shell=bash disable=SC2016
cat >pair.dpc <<'END'
double A[100], B[100];
#pragma dpc distribute A(block), B(cyclic(auto))
int main(void) {
    forall (i = 1:98) A[i] = A[i-1] + B[i];
    return A[0] != 0;
}
END
mapfile -t passes < <(sed -n 's/^PASS("\([^"]*\)".*/\1/p' "$ROOT/analysis/model/passes.def")
dpcc --time -S pair.dpc -o out.c
timed=$(awk '/ s$/ { print $1 }' "$SCRATCH/err" | grep -Fx -f <(printf '%s\n' "${passes[@]}") | tr '\n' ' ')
verdict "--time names every pass in its order" all 'status_is 0' '[ "$timed" = "${passes[*]} " ]'
for pass in "${passes[@]}"; do
    dpcc "--dump=after:$pass" pair.dpc
    verdict "--dump=after:$pass" all 'status_is 0' 'prints_like "array A: double"'
done
dpcc --np=4 --dump=after:home pair.dpc
cp "$SCRATCH/out" before
dpcc --np=4 --dump=after:blocks pair.dpc
verdict "after blocks, an automatic format has its block" all 'status_is 0' '! grep -q chosen before' 'prints_like chosen'
fails_with 2 "one of resolve, nests, reaching, remapped, versions" --dump=after:classify pair.dpc

# Which mappings reach a name.
cat >reach.dpc <<'END'
#include <setjmp.h>
static double A[64];
#pragma dpc distribute A(block)
jmp_buf b;
static void dealt(void) {
#pragma dpc redistribute A(cyclic(4))
}
static double first(void) { return A[1]; }
double outside(void);
int main(int n, char **v) {
    A[1] = 1;
    dealt();
    A[2] = 1;
    if (n > 1)
#pragma dpc redistribute A(block)
    A[3] = 1;
    for (int k = 0; k < 3; k++) {
        A[4] = 1;
#pragma dpc redistribute A(cyclic(5))
        if (n > k) break;
#pragma dpc redistribute A(cyclic(6))
    }
    A[5] = 1;
    switch (n) {
    case 2:
#pragma dpc redistribute A(block)
        A[6] = 1;
    default:
        A[7] = 1;
        goto end;
    }
    A[8] = 1;
end:
    A[9] = n > 3 && (dealt(), 1);
    A[10] = 1;
#pragma dpc redistribute A(cyclic(n))
    A[11] = 1;
#pragma dpc redistribute A(block)
    outside();
    A[12] = first();
    if (setjmp(b)) A[13] = 1;
    return 0;
}
END
dpcc --dump=after:reaching reach.dpc
# line of reach.dpc, mappings
reaches() {
    verdict "mappings that reach line $1" all 'status_is 0' "prints_like 'reach.dpc:$1: A: $2\$'"
}
cyclic='(cyclic(4))' five='(cyclic(5))' six='(cyclic(6))' block='(block)'
reaches 8 "$block"
reaches 11 "$block"
reaches 13 "$cyclic"
reaches 16 "$block or $cyclic"
reaches 18 "$block or $cyclic or $six"
reaches 23 "$five or $six"
reaches 27 "$block"
reaches 29 "$block or $five or $six"
reaches 32 any
reaches 34 "$block or $cyclic or $five or $six"
reaches 35 "$block or $cyclic or $five or $six"
reaches 37 any
reaches 40 "$block"
reaches 41 "$block or $cyclic or $five or $six or any"
