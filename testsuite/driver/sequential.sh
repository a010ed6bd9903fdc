#!/usr/bin/env bash
# shellcheck disable=SC2016,SC2154 # part of run_driver
# What is said of loops in which later iterations need earlier ones: a word that helps, or none where nothing is slow.
cat >paths.dpc <<'END'
#define N 40
double D[N][N];
#pragma dpc distribute D(block, *)
int main(void) {
    for (int k = 0; k < N; k++)
        for (unsigned i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (D[i][k] + D[k][j] < D[i][j]) D[i][j] = D[i][k] + D[k][j];
    return D[3][3] != 0;
}
END
dpcc -S -o - paths.dpc
verdict "the row of a pivot" all 'status_is 0' 'says "before that loop shares it out"' 'says "the loop over .i. changes the .D.k..j.. that the others read, .#pragma dpc independent."'
sed 's/^        for (unsigned i/#pragma dpc independent\n&/' paths.dpc >shared.dpc
dpcc -S -o - shared.dpc
verdict "what the help says shares it out" all 'status_is 0' 'silent' 'prints_like "independent on D"'
sed 's/unsigned/int/' paths.dpc >split.dpc
dpcc -S -o - split.dpc
verdict "a loop that is split at its pivot" all 'status_is 0' 'silent' 'prints_like "DPC_TO(0, k - 1)"' 'prints_like "DPC_TO(k, k)"' 'prints_like "DPC_TO(k + 1, N - 1)"'
cat >line.dpc <<'END'
#define N 40
double A[N], B[N];
#pragma dpc distribute (block) :: A, B
int main(void) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            A[i] = A[i] + A[k] * B[i];
    return A[3] != 0;
}
END
dpcc -S -o - line.dpc
verdict "a loop over one dimension that is split" all 'status_is 0' 'silent' 'prints_like "DPC_TO(0, k - 1)"' 'prints_like "DPC_TO(k + 1, N - 1)"'
cat >factor.dpc <<'END'
#include <math.h>
#define N 40
double A[N][N];
#pragma dpc distribute A(cyclic, *)
int main(void) {
    for (int k = 0; k < N; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < N; i++) A[i][k] /= A[k][k];
        for (int j = k + 1; j < N; j++)
            for (int i = j; i < N; i++) A[i][j] -= A[i][k] * A[j][k];
    }
    return 0;
}
END
dpcc -S -o - factor.dpc
verdict "Cholesky: elements of the diagonal beside foralls" all 'status_is 0' 'silent'
cat >levels.dpc <<'END'
#define N 32
double F[0:2*N][0:2*N], C[0:N][0:N];
#pragma dpc distribute (block, *) :: F, C
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            F[2*i][2*j] += C[i][j];
            F[2*i+1][2*j] += 0.5 * (C[i][j] + C[i+1][j]);
            F[2*i][2*j+1] += 0.5 * (C[i][j] + C[i][j+1]);
            F[2*i+1][2*j+1] += 0.25 * (C[i][j] + C[i+1][j] + C[i][j+1] + C[i+1][j+1]);
        }
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) C[i][j] = 0.5 * F[2*i][2*j] + 0.125 * (F[2*i-1][2*j] + F[2*i+1][2*j] + F[2*i][2*j-1] + F[2*i][2*j+1]);
    return 0;
}
END
dpcc -S -o - levels.dpc
verdict "interpolation and restriction between grids" all 'status_is 0' 'silent'
cat >rows.dpc <<'END'
#define N 12
double A[N][N][N], C[N][N], row[N];
#pragma dpc distribute A(block, *, *)
int main(void) {
    for (int r = 0; r < N; r++)
        for (int q = 0; q < N; q++) {
            for (int p = 0; p < N; p++) {
                row[p] = 0;
                for (int s = 0; s < N; s++) row[p] += A[r][q][s] * C[s][p];
            }
            for (int p = 0; p < N; p++) A[r][q][p] = row[p];
        }
    return A[3][3][3] != 0;
}
END
dpcc -S -o - rows.dpc
verdict "an array that each iteration fills" all 'status_is 0' 'says "where each iteration has its own .row., declare it in the body of the loop"'
sed 's/, row\[N\]//; s/^            for (int p = 0; p < N; p++) {/double row[N];\n&/' rows.dpc >own.dpc
dpcc -S -o - own.dpc
verdict "what the help says makes it parallel" all 'status_is 0' 'silent'
cat >symmetric.dpc <<'END'
#define N 30
double A[N][N], B[N][N], C[N][N], t;
#pragma dpc distribute (block, *) :: A, B, C
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            t = 0;
            for (int k = 0; k < i; k++) {
                C[k][j] += A[i][k] * B[i][j];
                t += B[k][j] * A[i][k];
            }
            C[i][j] = C[i][j] + t;
        }
    return C[3][3] != 0;
}
END
dpcc -S -o - symmetric.dpc
verdict "a scalar of the file that each iteration sets" all 'status_is 0' 'says "the value of .t. may be used behind the loop"' 'says "where each iteration has its own .t., declare it in the body of the loop"'
cat >inner.dpc <<'END'
#define N 40
double A[N][N], B[N][N];
#pragma dpc distribute (block, block) :: A, B
int main(void) {
    double t, s = 0, least = 1;
#pragma dpc independent on(A[i][j])
    for (int i = 0; i < N; i++)
#pragma dpc independent private(t) reduction(+: s) reduction(min: least)
        for (int j = 0; j < N; j++) {
            t = B[i][j] / 2;
            A[i][j] = t * t;
            s += t;
            if (t < least) least = t;
        }
    return s + least > 1e9;
}
END
dpcc -S -o - inner.dpc
verdict "two loops, all clauses of the second one" all 'status_is 0' 'silent' 'prints_like "independent on A"' 'prints_like "dpc_combined(DPC_MIN"'
cat >taken.dpc <<'END'
#define N 40
double A[N], B[N], local[N];
#pragma dpc distribute (block) :: A, B
int main(void) {
    for (int i = 0; i < N; i++) local[i] = 2 * A[i] + B[N-1-i];
    return local[3] > 1e9;
}
END
dpcc -S -o - taken.dpc
verdict "elements that an ordinary array takes" all 'status_is 0' 'silent' 'prints_like "dpc_fetch(space, &B_dist"'
# A loop behind a pragma stays, which is for the C compiler; in comments there is none.
printf '%s\n' 'double A[40];' '#pragma dpc distribute A(block)' 'int main(void) {' '    /* one *//* #pragma GCC ivdep */ // #pragma' \
    '    for (int i = 0; i < 40; i++) A[i] = 2 * A[i];' '#pragma GCC ivdep' '    for (int i = 0; i < 40; i++) A[i] = 3 * A[i];' \
    '    return A[3] != 0;' '}' >comments.dpc
dpcc -S -o - comments.dpc
verdict "pragmas in comments" all 'status_is 0' 'prints_like "^ *DPC_OWNED(i, &A_dist, 0) A\[i\] = 2 \* A\[i\];"' 'prints_like "^    for (int i = 0; i < 40; i++) .*A\[i\] = 3 \* A\[i\]"'
# A step whose sign is known when the program runs: the loop stands there once for each, both parallel.
cat >signs.dpc <<'END'
#define N 40
double A[N], B[N];
#pragma dpc distribute (block) :: A, B
static void shift(long s, long o) {
    for (long i = 1; i < N; i++) A[o+s*i] = 0.5 * B[o+s*i-s];
}
int main(int argc, char **argv) {
    shift(argc > 5 ? -1 : 1, argc > 5 ? N - 1 : 0);
    return A[3] != 0;
}
END
dpcc -S -o - signs.dpc
verdict "steps of either sign" all 'status_is 0' silent '[ "$(grep -c "dpc_refresh(DPC_LINE(5)" "$SCRATCH/out")" = 2 ]'
says_help() { grep '^help: ' "$SCRATCH/err" | grep -qF -e "$1" || { echo "no help: $1"; return 1; }; }
# Each line: a loop over A and B | the help.
while IFS='|' read -r loop help; do
    printf '#define N 24\ndouble A[N], B[N], r, s;\n#pragma dpc distribute (block) :: A, B\nint main(void) {\n    int n = 0, found = -1;\n    %s\n    return n + found;\n}\n' "$loop" >idiom.dpc
    dpcc -S -o - idiom.dpc
    verdict "$loop" all 'status_is 0' 'says_help "$help"'
done <<'T'
for (int i = 0; i < N; i++) if (A[i] > 2) A[n++] = A[i];|where chosen elements go is count_prefix(condition): place[:] = count_prefix(...); then forall (i = lower:upper, condition) A[place[i]-1] = ...;
for (int i = 0; i < N; i++) { B[i] = A[i] - r; r = A[i]; }|what an earlier iteration has left in 'r' is an element beside 'A[i]', which can be read there
for (int i = 0; i < N; i++) if (A[i] == 3) { found = i; break; }|the first place is minval(i = lower:upper, condition, i)
for (int i = 0; i < N; i++) if (A[i] == 3) { found = 1; break; }|results of all iterations are parallel without 'break'
for (int i = 0; i < N; i++) B[(int)A[i]] = A[i];|if no two iterations store into the same 'B[(int)A[i]]', a forall does what all of them do at once
for (int i = 0; i < N; i++) A[i] = A[(int)B[i]] + 1;|if 'A[(int)B[i]]' means the value before the loop, write a forall, which reads all of them before it stores
T
# Scalars that iterations leave to the next: running sums begin everywhere at once, other recurrences one process after
# the other, but not where blocks are dealt.
cat >carried.dpc <<'C'
#define N 24
double A[N], B[N], r, s;
#pragma dpc distribute (block) :: A, B
int main(void) {
    for (int i = 0; i < N; i++) { r += A[i]; B[i] = r; }
    for (int i = N - 1; i >= 0; i--) { s = 0.5 * s + A[i]; B[i] = s; }
    int n = 0;
    while (n < N && A[n] > 0) n++;
    for (int i = 0; i < N; i++) { if (A[i] < 0) break; B[i] = 0; }
    return n + (int)r;
}
C
dpcc --np=3 --explain carried.dpc
verdict "scalars that go from iteration to iteration" all 'status_is 0' 'prints_like "line 5 *prefix  for i"' \
    'prints_like "r: each process adds up its part first, and begins with what those before it add"' \
    'prints_like "line 6 *pipeline  for i"' 'prints_like "s: from the process before, on to the next"' \
    "prints_like \"whether 'break' has left it: from the process before\""
dpcc --np=3 --reproducible --explain carried.dpc
verdict "running sums are not rounded otherwise" all 'status_is 0' 'prints_like "line 5 *pipeline  for i"'
sed 's/(block)/(cyclic)/' carried.dpc >dealt.dpc
dpcc -S -o - dealt.dpc
verdict "nor where blocks are dealt" all 'status_is 0' 'says_help "a running sum is sum_prefix, of sections"'

# Rows of a matrix in an array of one dimension have no owner: blocks cut them.
cat >rows.dpc <<'C'
#include <math.h>
enum { R = 30, C = 16 };
float in[R * C], out[R * C], losses[R];
#pragma dpc distribute (block) :: in, out, losses
int main(void) {
    for (int i = 0; i < R; i++) {
        float most = -1e9f, s = 0;
        for (int c = 0; c < C; c++)
            if (in[i * C + c] > most) most = in[i * C + c];
        for (int c = 0; c < C; c++) {
            out[i * C + c] = expf(in[i * C + c] - most);
            s += out[i * C + c];
        }
        for (int c = 0; c < C; c++) out[i * C + c] /= s;
        losses[i] = -logf(s);
    }
    return out[3] > 4;
}
C
dpcc -S -o /dev/null rows.dpc
verdict "rows without an owner" all 'status_is 0' 'says "help: with two dimensions for .out., distributed (block, \*), each row has an owner"'
sed -e 's/\[R \* C\]/[R][C]/g' -e 's/\[i \* C + c\]/[i][c]/g' -e 's/distribute (block) :: in, out, losses/distribute (block, *) :: in, out\n#pragma dpc distribute losses(block)/' -e 's/out\[3\]/out[0][3]/' rows.dpc >two.dpc
dpcc -Werror -S -o - two.dpc
verdict "rows with an owner" all 'status_is 0' 'prints_like "independent on out"'
