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
fails_with 2 "one of resolve, lower" --dump=after:classify pair.dpc
