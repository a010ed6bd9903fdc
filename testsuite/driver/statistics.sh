# DPC_STATS: what a program's statements send, against numbers found by hand. 40 elements on 4 processes; block: 10 each.
# shellcheck shell=bash disable=SC2016,SC2034
cat >moves.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
double A[40], B[40], M[8][8], T[8][8];
int idx[40];
#pragma dpc distribute A(cyclic)
#pragma dpc distribute B(block)
#pragma dpc distribute M(block, block)
#pragma dpc distribute T(block, block)
int main(int argc, char **argv) {
    forall (i = 0:39) B[i] = i;
    for (int t = 0; t < 5; t++)
        A[:] = B[:];
    forall (i = 1:39) B[i] = B[i-1];
    for (int i = 0; i < 40; i++) idx[i] = 39 - i;
    forall (i = 0:39) A[i] = B[idx[i]];
    forall (i = 0:39) B[idx[i]] = A[i];
    forall (i = 0:7, j = 0:7) M[i][j] = T[j][i];
    printf("%g ", sum(A[:]) + minval(B[:]));
    printf("%g\n", A[3]);
    A[2] += 3;
    #pragma dpc redistribute A(block)
    if (argc > 1) exit(argc > 2 ? (int)A[0] : 7);
    return argv == NULL;
}
C
PRINTED="741 35"

# counts LINE NAME VALUE: in the file of statistics.
counts() {
    local found
    found=$(sed -n "s/.*\"where\": \"moves.dpc:$1\",.* \"$2\": \(\[[^]]*\]\|[0-9]*\).*/\1/p" stats.json)
    [ "$found" = "$3" ] || { echo "line $1, $2: $found, not $3"; return 1; }
}
# The transfers are those of elements that change their process.
transfers_are_right() {
    counts 10 messages "[0, 0, 0, 0]" && counts 10 executions 1 &&
        counts 12 executions 5 && counts 12 messages "[15, 15, 15, 15]" && counts 12 bytes "[280, 320, 320, 280]" &&
        counts 12 elements "[35, 40, 40, 35]" && counts 12 copied "[15, 10, 10, 15]" &&
        counts 12 plans_made "[1, 1, 1, 1]" && counts 12 plans_reused "[4, 4, 4, 4]" &&
        counts 13 messages "[1, 1, 1, 0]" && counts 13 bytes "[8, 8, 8, 0]" && counts 13 copied "[0, 0, 0, 0]" &&
        counts 13 sections "[0, 0, 0, 0]" && # sent from where it is
        counts 17 messages "[0, 1, 1, 0]" && counts 17 bytes "[0, 128, 128, 0]" && counts 17 copied "[16, 0, 0, 16]" &&
        counts 21 executions 1 && counts 21 messages "[3, 3, 3, 3]" && counts 21 bytes "[56, 64, 64, 56]" &&
        counts 21 copied "[3, 2, 2, 3]"
}
others_are_right() {
    counts 15 messages "[0, 0, 0, 0]" && counts 15 collectives "[1, 1, 1, 1]" &&
        counts 15 index_messages "[3, 3, 3, 3]" && counts 15 index_bytes "[64, 56, 56, 64]" &&
        counts 15 value_messages "[3, 3, 3, 3]" && counts 15 value_bytes "[64, 56, 56, 64]" &&
        counts 16 index_messages "[0, 0, 0, 0]" && counts 16 value_messages "[3, 3, 3, 3]" &&
        counts 16 value_bytes "[128, 112, 112, 128]" && counts 16 collective_bytes "[32, 32, 32, 32]" &&
        counts 18 executions 2 && counts 18 collectives "[2, 2, 2, 2]" && counts 18 collective_bytes "[16, 16, 16, 16]" &&
        counts 19 collectives "[1, 1, 1, 1]" && counts 20 executions 1 && counts 20 collectives "[0, 0, 0, 0]"
}
in_source_order() {
    local lines
    lines=$(sed -n "s/.*moves.dpc:\([0-9]*\)$1.*/\1/p" "$2" | xargs)
    [ "$lines" = "$3" ] || { echo "lines: $lines"; return 1; }
}
is_json() { ! command -v python3 >/dev/null || python3 -m json.tool stats.json /dev/null; }

ALL="10 12 13 15 16 17 18 19 20 21"
for kind in $MPIS; do
    export MPICC
    MPICC=$(mpicc_of "$kind")
    DPC_STATS=stats.json dpcc -O0 --run -n 4 moves.dpc
    verdict "the program does the same, $kind" all 'status_is 0' silent "prints '$PRINTED'" 'files_are "moves.dpc stats.json"'
    verdict "transfers, $kind" transfers_are_right
    verdict "gathers, scatters, reductions and elements, $kind" others_are_right
    verdict "JSON, $kind" all is_json "in_source_order '\"' stats.json '$ALL'" "grep -q '^{\"processes\": 4, ' stats.json"
    rm -f stats.json
    [ "$kind" = mpich ] && continue # it spins where there are more processes than cores
    DPC_CHUNK_BYTES=4 DPC_STATS=stats.json dpcc -O0 --run -n 4 moves.dpc
    verdict "messages in chunks, $kind" all transfers_are_right others_are_right
    DPC_PLANS=0 DPC_STATS=stats.json dpcc -O0 --run -n 4 moves.dpc
    verdict "plans that are not kept, $kind" all "prints '$PRINTED'" 'counts 12 plans_made "[5, 5, 5, 5]"' \
        'counts 12 plans_reused "[0, 0, 0, 0]"' 'counts 12 messages "[15, 15, 15, 15]"'
    rm -f stats.json
    DPC_STATS=1 dpcc -O0 --run -n 4 moves.dpc -- more
    verdict "the table, $kind" all 'status_is 7' "prints '$PRINTED'" 'says "number of processes: 4;"' \
        'says "^moves.dpc:12  *5  *[0-9.]* ([0-9.]*)  *[0-9.]* ([0-9.]*)  *60 (15)  *1200 (320)  *150 (40)  *50 (15)$"' \
        "sed '/^packing/,\$d' '$SCRATCH/err' >first" "in_source_order '  ' first '$ALL'" 'rm first'
    for off in 0 ''; do
        DPC_STATS=$off dpcc -O0 --run -n 2 moves.dpc
        verdict "DPC_STATS=$off, $kind" all 'status_is 0' silent "prints '$PRINTED'"
    done
done
DPC_STATS=1 dpcc -O0 --run -n 1 moves.dpc
verdict "one process" all 'status_is 0' "prints '$PRINTED'" 'says "^moves.dpc:12  *5 .* 0  *0  *0  *200 (200)$"'
DPC_STATS=absent/stats.json dpcc -O0 --run -n 2 moves.dpc
verdict "a file that cannot be written" all 'status_is 0' "prints '$PRINTED'" 'says "DPC_STATS: cannot write .absent/stats.json.: No such file"'
DPC_STATS=stats.txt dpcc -O0 --run -n 2 moves.dpc
verdict "neither 1 nor a .json file" all 'status_is 1' 'prints ""' 'says "DPC_STATS must be 1"' 'files_are moves.dpc'
DPC_STATS=1 dpcc -O0 --run --serial moves.dpc
verdict "a serial program has nothing to count" all 'status_is 0' silent "prints '$PRINTED'"

# The time line, totals and partners.
if has_mpi smpi; then
    DPC_TRACE=trace.json DPC_STATS=stats.json MPICC=$(mpicc_of smpi) dpcc -O0 --run -n 4 moves.dpc
    partners() { sed -n "s/.*moves.dpc:$1\",.*\"partners\": \(.*\)}.*/\1/p" stats.json; }
    verdict "partners" all 'status_is 0' "prints '$PRINTED'" '[ "$(partners 13)" = "[[[1, 1, 8]], [[2, 1, 8]], [[3, 1, 8]], []]" ]' '[ "$(partners 10)" = "[[], [], [], []]" ]'
    verdict "the line of the source" grep -q '"where": "moves.dpc:13", "text": "forall (i = 1:39) B\[i\] = B\[i-1\];"' stats.json
    verdict "seconds" grep -qE '^\{"processes": 4, "total_seconds": \[[0-9.]+(, [0-9.]+){3}\], "communicating_seconds": \[[^]]*\], "computing_seconds": ' stats.json
    verdict "the time line" all '[ "$(grep -c "\"tid\":3,\"cat\":\"statement\".*moves.dpc:12" trace.json)" = 5 ]' 'grep -q "\"cat\":\"communication\".*moves.dpc:12" trace.json'
    command -v python3 >/dev/null && verdict "it is JSON" python3 -m json.tool trace.json /dev/null
    rm -f trace.json stats.json
    DPC_TRACE=absent/trace.json MPICC=$(mpicc_of smpi) dpcc -O0 --run -n 2 moves.dpc
    verdict "a time line that cannot be written" all 'status_is 0' "prints '$PRINTED'" 'says "DPC_TRACE: cannot write .absent/trace.json.: No such file"'
fi

# What an inspector has found serves while the subscripts are the same: indices travel once, values each time that they
# have changed. DPC_KEEP=0: both do each time.
cat >again.dpc <<'C'
#include <stdio.h>
enum { N = 40, ROUNDS = 5 };
double x[N], y[N];
int p[N];
#pragma dpc distribute (block) :: x, y
int main(void) {
    for (int i = 0; i < N; i++) p[i] = (i * 7 + 3) % N;
    for (int round = 0; round < ROUNDS; round++) {
        x[:] += 1;
        forall (i = 0:N-1) y[i] = x[p[i]];
        forall (i = 0:N-1) x[p[i]] = y[i] + i;
    }
    printf("%g %g\n", sum(i = 0:N-1, x[i] * i), sum(i = 0:N-1, y[i] * i));
    return 0;
}
C
EXPECTED=$(dpcc_to /dev/stdout --serial --run again.dpc)
total() { grep -F "\"again.dpc:$1\"" stats.json | grep -o "\"$2\": \[[^]]*\]" | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
MPICC=$(mpicc_of smpi)
if has_mpi smpi; then
    DPC_STATS=stats.json dpcc -O0 --run -n 4 again.dpc
    once=$(total 10 index_bytes) each=$(total 10 value_bytes)
    verdict "owners are asked once" all 'status_is 0' 'prints "$EXPECTED"' '[ "$once" -gt 0 ]' '[ "$each" = $((5 * once)) ]' \
        '[ "$(total 11 index_bytes)" = "$once" ]' '[ "$(total 11 value_bytes)" = "$each" ]'
    DPC_KEEP=0 DPC_STATS=stats.json dpcc -O0 --run -n 4 again.dpc
    verdict "each time where nothing stays" all 'status_is 0' 'prints "$EXPECTED"' '[ "$(total 10 index_bytes)" = "$each" ]'
    # Arrays with the same subscripts are looked for once, if they are mapped alike, and values that have changed together
    # come together; the space stays the one of the first execution.
    cat >again.dpc <<'C'
#include <stdio.h>
enum { N = 40, M = 3 * N, ROUNDS = 5 };
double a[M], y[N];
long row[N + 1];
short c[M], b[M];
#pragma dpc distribute (block) :: a, c, row, y
#pragma dpc distribute b(cyclic(3))
int main(void) {
    forall (i = 0:N) row[i] = 2 * i + i / 3;
    forall (k = 0:M-1) { a[k] = k; c[k] = (short)(k % 5); b[k] = (short)(k % 7); }
    for (int round = 0; round < ROUNDS; round++) {
        a[:] += 1;
        forall (i = 0:N-1) y[i] = sum(k = row[i]:row[i+1]-1, a[k]);
        forall (i = 0:N-1) y[i] += sum(k = row[i]:row[i+1]-1, a[k] * c[k]);
        forall (i = 0:N-1) y[i] += sum(k = row[i]:row[i+1]-1, a[k] * b[k]);
    }
    printf("%g\n", sum(i = 0:N-1, y[i] * i));
    return 0;
}
C
    EXPECTED=$(dpcc_to /dev/stdout --serial --run again.dpc)
    DPC_STATS=stats.json dpcc -O0 --run -n 4 again.dpc
    sent=$(total 13 index_messages) asked=$(total 13 index_bytes)
    verdict "arrays with the same subscripts" all 'status_is 0' 'prints "$EXPECTED"' '[ "$sent" -gt 0 ]' '[ "$(total 13 collectives)" = 4 ]' \
        '[ "$(total 14 index_messages)" = "$sent" ]' '[ "$(total 14 index_bytes)" = "$asked" ]' '[ "$(total 14 collectives)" = 4 ]' \
        '[ "$(total 14 value_messages)" = "$(total 13 value_messages)" ]' \
        '[ "$(total 14 value_bytes)" = $(($(total 13 value_bytes) + asked / 4)) ]' '[ "$(total 15 collectives)" = 8 ]' \
        '[ "$(total 14 spaces)" = 4 ]'
    # Consecutive elements that a parameter maps in another way are redistributed, there and back: no space lists them.
    printf '%s\n' 'double A[40];' '#pragma dpc distribute A(block)' 'static void twice(long n, double X[n]) {' '#pragma dpc distribute X(cyclic)' \
        '    X[:] = 2 * X[:];' '}' 'int main(void) {' '    A[:] = 1;' '    twice(20, A[5:24]);' '    return sum(A[:]) != 60;' '}' >again.dpc
    DPC_STATS=stats.json dpcc -O0 --run -n 4 again.dpc
    verdict "a part of an array as an argument" all 'status_is 0' '[ "$(total 9 plans_made)" = 8 ]' '[ "$(total 9 spaces)" = 0 ]'
fi
