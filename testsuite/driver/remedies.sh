#!/usr/bin/env bash
# shellcheck disable=SC2016,SC2154 # part of run_driver
# What is said of loops that step through elements one after the other, and that what the help says makes them parallel.
# about WHAT HELP LOOP REMEDY: the loop has a warning with this help; with the remedy in its place there is none.
about() {
    local k=0 body
    for body in "$3" "$4"; do
        cat >remedy$k.dpc <<END
#include <stdio.h>
enum { N = 40, M = 30 };
typedef struct { double x, y; } pair;
double A[N], B[N], U[N][M], P[N][2];
pair W[N];
int K[N], h[N], total[N], kind[N];
#pragma dpc distribute (block) :: A, B, K, W
#pragma dpc distribute (block, *) :: U, P
double norm(double *p) { return p[0] * p[0] + p[1] * p[1]; }
int main(void) {
    int i, n = h[3];
    double t = 0;
    $body
    printf("%g %g %d %g\n", A[3], B[4], h[5], t);
    return n > N;
}
END
        k=$((k + 1))
    done
    dpcc -S -o - remedy0.dpc
    verdict "$1" all "status_is ${5-0}" "says \"$2\""
    dpcc -S -o - remedy1.dpc
    verdict "$1: what the help says" all 'status_is 0' 'silent' 'prints_like "remedy1.dpc:13\|DPC_[A-Z_]*LINE(1[2-9])"'
}
about "the first index of a greatest value" 'keep the value that stands at .n., too, in a variable that the condition compares with' \
    'n = 0; for (i = 1; i < N; i++) if (A[i] < A[n]) n = i;' 'n = 0; t = A[0]; for (i = 1; i < N; i++) if (A[i] < t) { t = A[i]; n = i; }'
about "the place of a greatest value in a matrix" 'loops that find .t. alone, then loops that find where it is, by one number: if (U.i..j. == t) if (place < least) least = place;' \
    'for (i = 0; i < N; i++) for (int j = 0; j < M; j++) if (U[i][j] > t) { t = U[i][j]; n = i; }' \
    'n = N * M; for (i = 0; i < N; i++) for (int j = 0; j < M; j++) if (U[i][j] > t) t = U[i][j];
     for (i = 0; i < N; i++) for (int j = 0; j < M; j++) if (U[i][j] == t) if (i * M + j < n) n = i * M + j;'
about "a greatest value that is converted" '.n. of the type of .A.i..: what it keeps is a converted value' \
    'for (i = 0; i < N; i++) if (A[i] > n) n = A[i];' 't = n; for (i = 0; i < N; i++) if (A[i] > t) t = A[i]; n = t;'
about "a sum that is rounded each time" '.n. is rounded to a whole number in every iteration: one of type double adds up' \
    'n = 0; for (i = 0; i < N; i++) n += A[i];' 't = 0; for (i = 0; i < N; i++) t += A[i]; n = t;'
about "the last place" 'the last place is the greatest: if (i > n) n = i;' \
    'n = -1; for (i = 0; i < N; i++) if (A[i] < 0) n = i;' 'n = -1; for (i = 0; i < N; i++) if (A[i] < 0) if (i > n) n = i;'
about "a structure of each iteration" 'where each iteration has its own .d., declare it in the body of the loop' \
    'pair d; for (i = 0; i < N; i++) { d.x = A[i]; d.y = B[i]; A[i] = d.x * d.y; }' 'for (i = 0; i < N; i++) { pair d; d.x = A[i]; d.y = B[i]; A[i] = d.x * d.y; }'
about "goto" 'if and else, or .continue., in place of goto' \
    'for (int j = 0; j < N; j++) { if (A[j] > 0) goto next; B[j] = A[j]; next: ; }' 'for (int j = 0; j < N; j++) { if (A[j] > 0) continue; B[j] = A[j]; }'
about "a counter with a limit" 'iterations that only add to .h. are parallel: add up in another array, which the loop does not read, and use that behind it' \
    'for (i = 0; i < N; i++) { const int k = K[i]; if (h[k] < 5) h[k]++; }' \
    'for (i = 0; i < N; i++) { const int k = K[i]; total[k]++; } for (int k = 0; k < N; k++) h[k] = total[k] < 5 ? total[k] : 5;'
about "a head that does not count" 'heads that count are for (i = first; i < limit; i += step), with a constant step' \
    'for (i = 0; i != n; i += 2) A[i] = 2 * B[i];' 'for (i = 0; i < n; i += 2) A[i] = 2 * B[i];'
about "a head with two variables" 'heads that count are for' \
    'for (i = 0, n = 0; i < N; i++, n++) A[i] = 2 * B[n];' 'for (i = 0; i < N; i++) A[i] = 2 * B[i];'
about "while" 'for (i = first; i < limit; i++), if it counts' 'i = 0; while (i < n) { A[i] = 2 * B[i]; i++; }' 'for (i = 0; i < n; i++) A[i] = 2 * B[i];'
about "values that go where elements say" 'the values in an array of their own, r.i. = s; then, where no two go to one place, forall (i = lower:upper) B.K.i.. = r.i.;' \
    'for (i = 0; i < N; i++) { double s = 0; const int b = K[i]; for (int k = 0; k < b; k++) s += U[i][k]; B[K[i]] = s; }' \
    'for (i = 0; i < N; i++) { double s = 0; const int b = K[i]; for (int k = 0; k < b; k++) s += U[i][k]; A[i] = s; } forall (j = 0:N-1) B[K[j]] = A[j];'
about "elements that others give values, too" "where any of the values may stay, the greatest one: '#pragma dpc independent reduction(max: most)', with an array 'most' that the loop does not read, if (value > most.id.) most.id. = value;" \
    'for (i = 0; i < N; i++) if (A[i] > 0) for (int k = 0; k < M; k++) { int id = K[k]; if (A[id] < 1) B[id] = A[i] + 1; }' '
#pragma dpc independent on(A[i]) reduction(max: B)
    for (i = 0; i < N; i++) if (A[i] > 0) for (int k = 0; k < M; k++) { int id = K[k]; if (A[id] < 1) if (A[i] + 1 > B[id]) B[id] = A[i] + 1; }'
about "elements of each box" "if each 'l' has elements of its own there, 'first' computed from it, as in l . (their number)" \
    'for (int l = 0; l < 8; l++) { int first = K[l]; for (i = 0; i < 5; i++) for (int j = 0; j < M; j++) W[first + i].y += U[l][j]; }' \
    'for (int l = 0; l < 8; l++) { int first = l * 5; for (i = 0; i < 5; i++) for (int j = 0; j < M; j++) W[first + i].y += U[l][j]; }'
about "one of two values" "in one expression: .from = k > 3 ? l : K.l.'" \
    'for (int l = 0; l < 8; l++) for (int k = 0; k < M; k++) { int from; if (k > 3) from = l; else from = K[l]; for (i = 0; i < 5; i++) B[l*5 + i] += U[from][k]; }' \
    'for (int l = 0; l < 8; l++) for (int k = 0; k < M; k++) { int from = k > 3 ? l : K[l]; for (i = 0; i < 5; i++) B[l*5 + i] += U[from][k]; }'
about "a row that another process may have" 'first the results for all rows, in an array of their own, R.i. = norm(P.i.); then what reads them elsewhere' \
    'for (i = 1; i < N; i++) A[i] = norm(P[i-1]);' 'for (i = 0; i < N; i++) B[i] = norm(P[i]); for (i = 1; i < N; i++) A[i] = B[i-1];'
about "a row for a function in a loop" 'P.i. is a pointer to a row in loops that are declared so: .#pragma dpc independent.' \
    'for (i = 0; i < N; i++) { double *p = P[i]; A[i] = norm(p); }' '
#pragma dpc independent
    for (i = 0; i < N; i++) { double *p = P[i]; A[i] = norm(p); }' 1
# parallel WHAT LOOP: nothing is said.
parallel() {
    sed "s|^    for (i = 0; i < N; i++) { double \*p = P\[i\]; A\[i\] = norm(p); }|    BODY|; /^#pragma dpc independent/d" remedy1.dpc | awk -v body="$2" '{ sub(/    BODY/, body); print }' >parallel.dpc
    dpcc -S -o - parallel.dpc
    verdict "$1" all 'status_is 0' 'silent' 'prints_like "DPC_[A-Z_]*LINE(1[2-9])"'
}
parallel "a subscript that a variable gets" 'int c; for (i = 0; i < M; i++) { c = i + 1; B[i] = A[c] - A[i]; if (B[i] < 0) B[i] = 0; }'
parallel "points of clusters" 'for (i = 0; i < N; i++) { int k = 0; while (k < M) k++; A[i] = k; h[k]++; total[k] += K[i]; t += B[i]; }'
parallel "a histogram by unsigned numbers" 'for (unsigned u = 0; u < N; u++) ++h[K[u]];'
parallel "a step with a constant value" 'const int s = 2; for (i = 0; i < N; i += s) A[i] = B[i];'
