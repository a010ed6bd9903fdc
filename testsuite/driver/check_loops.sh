#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# --check=all: subscripts of ordinary memory in C's loops, which are compared at both ends before the loops. Each program that is
# wrong ends at the iteration that is, as if each subscript were compared; what no iteration evaluates is no error.
cat >loops.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { N = 12 };
double A[N], w[N], square[N][N], L[1:N];
int limit = 3;
#pragma dpc distribute A(block)
static void grow(void) { limit++; }
static double *shorter(double *p, int n) { return realloc(p, (size_t)n * sizeof *p); }
static double first_of(const double *p) { return p[0]; }
int main(int argc, char **argv) {
    const int what = atoi(argv[1]), one = argc - 1, zero = argc - 2;
    const size_t none = (size_t)zero;
    double *p = calloc(N, sizeof *p), *small = calloc(4, sizeof *small), *start = p, V[N + one - 1], s = 0;
    int n = N, m = 65536 * one, *at = &m, i;
    long far = 4294967296 + N - one, k = 5;
    switch (what) {
    case 1: for (size_t j = 0; j < none - 1; j++) s += w[j]; break;                 /* 1 */
    case 2: for (size_t j = N - 1; j >= none; j--) s += w[j]; break;                /* 2 */
    case 3: for (size_t j = 0; j < zero - 1; j++) s += w[j]; break;                 /* 3 */
    case 4: for (int j = far; j < N + one; j++) s += w[j]; break;                   /* 4 */
    case 5: for (int j = 0; j < 65537; j++) s += w[j * m]; break;                   /* 5 */
    case 6: for (long j = zero; j < (1L << 62) + 5; j++) s += w[4 * j]; break;      /* 6 */
    case 7: for (int j = 0; j < N; j++) if (j > 3) s += w[j + one]; break;          /* 7 */
    case 8: for (int j = 0; j < N; j++) { m = 0; *at = j + one; s += w[m]; } break; /* 8 */
    case 9: for (int j = 0; j < N; j++) { if (j == 3) p = small; s += p[j]; } break; /* 9 */
    case 10:
        for (int j = 0; j < N; j++) {
            if (j == 6) p = shorter(p, 5);
            s += p[j];                                                              /* 10 */
        }
        break;
    case 11: for (int j = 0; j < limit; j++) { s += w[j]; grow(); } break;          /* 11 */
    case 12:
        n = N + 3;
        i = N;
        if (one) goto inside;
        for (i = 0; i < N; i++) {
        inside:
            s += w[i];                                                              /* 12 */
        }
        break;
    case 13: for (int j = 0; j < N; j++) { j += 4; s += w[j]; } break;              /* 13 */
    case 14: for (int j = 0; j < N; j++) for (int l = 0; l < N; l++) s += square[j][l + one]; break; /* 14 */
    case 15: for (int j = 0; j < N; j++) for (int l = 0; l <= j + one; l++) s += square[j][l]; break; /* 15 */
    case 16: for (int j = 0; j < N + 4; j += 5) s += w[j]; break;                   /* 16 */
    case 17: for (int j = N - 1; j > -2; j--) s += w[j]; break;                     /* 17 */
    case 18: for (int j = 0; j < n; j++) { s += w[j]; n = N + one; } break;         /* 18 */
    case 19:
        i = N;
        switch (one) {
            for (i = 0; i < N; i++) {
            case 1: s += w[i];                                                      /* 19 */
            }
        }
        break;
    case 20: for (unsigned u = 0; u < 2; u++) s += w[u - 2u + k]; break;            /* 20 */
    case 21: for (int j = 0; j <= N; j++) s += L[j]; break;                         /* 21 */
    case 22: for (int j = 0; j < N + one; j++) V[j] = 1; break;                     /* 22 */
    case 23: for (int j = 0; j < N; j++) s += w[j] * first_of(p), p++; break;       /* 23 */
    case 24: for (int j = 0; j < N; j++) { double *q = j < 4 ? p : small; s += q[j]; } break; /* 24 */
    case 25: for (int j = 0; j < N; j++) { s += start[j]; if (j == 7) free(start), start = calloc(5, 8); } break; /* 25 */
    case 26: for (int j = 0; j < 3; j++) for (int l = 0; l < 4; l++) s += w[j * 4 + l * one + (l / 3) * 9]; break; /* 26 */
    case 27: for (int j = 0; j < N; j++) s += j % 2 ? 0 : w[N - one - j * 2]; break; /* 27 */
    case 28: for (long j = 0; j < 3; j++) s += w[j * m + 1 - j * (m - 7)]; break;   /* 28 */
    case 29: while (one) { for (int j = 0; j < n; j++) s += w[j]; n++; } break;     /* 29 */
    case 30: for (int j = 0; j < N; j++) w[w[j] > 0 ? j : N - one + j] = 1; break;    /* 30 */
    }
    A[0] = s;
    printf("%g\n", A[0] + V[0] * 0 + small[0] + (start == NULL));
    return 0;
}
C
outside() { echo "subscript $1 of.* '$2' is out of bounds: index $3, .*bounds $4"; }
leaving=(
    [1]="$(outside 1 w 12 0:11)" [2]="$(outside 1 w -1 0:11)" [3]="$(outside 1 w 12 0:11)" [4]="$(outside 1 w 12 0:11)" [5]="$(outside 1 w 65536 0:11)"
    [6]="$(outside 1 w 12 0:11)" [7]="$(outside 1 w 12 0:11)" [8]="$(outside 1 w 12 0:11)" [9]="$(outside 1 p 4 0:3)" [10]="$(outside 1 p 6 0:4)"
    [11]="$(outside 1 w 12 0:11)" [12]="$(outside 1 w 12 0:11)" [13]="$(outside 1 w 14 0:11)" [14]="$(outside 2 square 12 0:11)" [15]="$(outside 2 square 12 0:11)"
    [16]="$(outside 1 w 15 0:11)" [17]="$(outside 1 w -1 0:11)" [18]="$(outside 1 w 12 0:11)" [19]="$(outside 1 w 12 0:11)" [20]="$(outside 1 w 4294967299 0:11)"
    [21]="$(outside 1 L 0 1:12)" [22]="$(outside 1 V 12 0:11)" [24]="$(outside 1 q 4 0:3)" [25]="$(outside 1 start 8 0:4)" [26]="$(outside 1 w 12 0:11)"
    [27]="$(outside 1 w -1 0:11)" [28]="$(outside 1 w 15 0:11)" [29]="$(outside 1 w 12 0:11)" [30]="$(outside 1 w 12 0:11)"
)

# ---- Nothing is outside: loops that are left, conditions, no iteration, pointers into nothing; directives of others before loops
cat >inside.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { N = 12 };
double A[N], M[N][N], w[N];
#pragma dpc distribute A(block)
#pragma dpc distribute M(block, *)
#define TWICE(x) for (int j = 0; j < n; j++) s += x[j]; for (int j = 0; j < n; j++) s += x[j] * 2;
static double total(int n, const double *v) {
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}
static double found(int n, const double *v, double what) {
    for (int i = 0;; i++)
        if (v[i] == what || i == n - 1) return i;
}
int main(int argc, char **argv) {
    const int one = argc, far = 5 * N, zero = argc - 1;
    int n = N, count[4] = {0};
    double *p = calloc(N, sizeof *p), *none = NULL, s = argv == NULL;
    for (int i = 0; i < N; i++) w[i] = p[i] = i + one;
    for (int i = 0; i < far; i++) {
        if (i == N) break;
        s += w[i] + p[i];
    }
    for (int i = 0; i < far; i++) if (i < N) s += w[i];
    for (int i = 0; i < far; i++) s += i < N ? w[i] + p[i] : 0;
    for (int i = 0; i < N; i++) s += (i > 0 ? w[i - 1] : 0) + (i < N - one ? w[i + 1] : 0);
    for (int i = 0; i < far && i < n; i++) s += w[i];
    for (int i = 0; i < far; i++) s += i < N && w[i] > 5;
    for (int i = 0; i < zero; i++) s += none[i] + w[i + far];
    for (int i = 0; i < zero; i++) for (int j = 0; j < far / zero; j++) s += w[j];
    for (int i = 0; i < N; i += 5) s += w[i];
    for (size_t i = N; i-- > 0;) s += w[i];
    for (size_t i = 0; i + 1 < (size_t)N; i++) s += w[i + 1];
    for (unsigned char c = 0; c < N; c++) s += w[c] + p[c];
    for (unsigned c = 2; c < 5; c++) s += w[c - 2] + w[2 - c + 5];
    for (int i = 0; i < N; i++) count[i % 4]++;
    if (one) for (int i = 0; i < n; i++) s += w[i];
    else for (int i = 0; i < n; i++) s += p[i];
    TWICE(w) TWICE(p)
again:
    for (int i = 0; i < n; i++) s += p[i];
    if (n-- > N - 2) goto again;
#pragma omp parallel for collapse(2) reduction(+ : s)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) s += w[4 * i + j];
    for (int k = 0; k < 3; k++) {
#pragma omp parallel for default(none) shared(w, k, n) reduction(+ : s)
        for (int i = 0; i < n; i++) s += w[i] * k;
    }
#pragma dpc independent
    for (int i = 0; i < N; i++) {
        double t = 0, row[N];
        for (int j = 0; j <= i; j++) row[j] = w[j];
        for (int j = 0; j <= i; j++) for (int l = 0; l < 3; l++) if (j + l < N) t += row[j] * p[j + l];
        A[i] = t;
        for (int j = 0; j < N; j++) M[i][j] = w[j] - p[j] + 1;
    }
    for (int i = 0; i < far; i++) {
        if (i == N) {
            printf("%.0f %.0f %.0f %d %.0f\n", s, sum(A[:]), sum(M[:][:]) + total(N, p) + total(N, w), count[3], found(far, p, 5));
            exit(0);
        }
        s += w[i];
    }
    return 1;
}
C

# ---- Each case ends with its error, and nothing is printed
says_place() { grep -e "error: .*\\($1\\)" "$SCRATCH/err" | grep -q -e "loops\\.dpc:$line:" || { echo "standard error does not say: $line: $1"; return 1; }; }
fails() { [ "$STATUS" != 0 ] && [ "$STATUS" != 124 ] || { echo "exit status $STATUS"; return 1; }; }
stops_with() { fails && says_place "$1" && prints ""; }
kind=smpi
has_mpi smpi || kind=${MPIS%% *}
for optimize in -O0 -O3; do
    MPICC=$(mpicc_of "$kind") dpcc $optimize -w --check=all loops.dpc -o loops || fail "translate loops.dpc"
    STATUS=0
    run_mpi "$kind" 2 ./loops 0 >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "loops: right, $optimize" all 'status_is 0' silent
    for what in "${!leaving[@]}"; do
        line=$(grep -n "/\* $what \*/" loops.dpc | cut -d : -f 1)
        STATUS=0
        LIMIT=60 run_mpi "$kind" 2 ./loops "$what" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
        verdict "loops: $what, $optimize" stops_with "${leaving[what]}"
    done
    MPICC=$(mpicc_of "$kind") dpcc $optimize -w -fopenmp --check=all inside.dpc -o inside || fail "translate inside.dpc"
    dpcc -w -fopenmp --serial inside.dpc -o serial
    ./serial >serial.txt
    STATUS=0
    OMP_NUM_THREADS=2 run_mpi "$kind" 3 ./inside >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "inside, $optimize" all 'status_is 0' 'prints "$(cat serial.txt)"' silent
done
dpcc -w --check=all -S loops.dpc -o loops.c
verdict "ends are compared before loops" eval '[ "$(grep -c "const bool inside_[0-9]* = dpc_ends_inside" loops.c)"  -gt 10 ]'
# Places in rows, whose ends are compared as the loop begins and not in each iteration.
cat >rows.dpc <<'C'
enum { N = 12 };
double M[N][2*N];
#pragma dpc distribute M(block, *)
static void fill(int m) {
#pragma dpc independent
    for (int i = 0; i < N; i++)
        for (int j = 0; j < m; j++) M[i][2*j+1] = i;
}
int main(void) {
    fill(3);
    return M[1][3] > 1;
}
C
dpcc -w -S rows.dpc -o rows.c
verdict "ends of rows" eval 'grep -q "for (int j = (dpc_check_ends(&M_dist, .*, 1, 2 \* m - 1), 0); j < m; j++)" rows.c && ! grep -q "dpc_checked" rows.c'
# What an outer loop's variable stands in is compared before the loops begin, too: the first dimension like the others.
cat >above.dpc <<'C'
double M[40][40];
#pragma dpc distribute M(block, *)
static void add(int n) {
    for (int r = 1; r < n; r++)
        for (int q = 0; q < n; q++) M[r][q] += 0.25 * M[r - 1][q];
}
int main(void) {
    M[:][:] = 1;
    add(10);
    return M[1][1] < 1;
}
C
dpcc -w -S above.dpc -o above.c
verdict "the outer subscript's range" eval 'grep -q "dpc_check(space, &M_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 1, -1)" above.c && ! grep -q "dpc_checked" above.c'
# Elements of `independent` loops are noted only where subscripts leave open whether two iterations come to one.
cat >apart.dpc <<'C'
enum { N = 12 };
double A[N], B[N], M[N][N];
#pragma dpc distribute (block) :: A, B
#pragma dpc distribute M(block, *)
int main(int argc, char **argv) {
#pragma dpc independent
    for (int i = 0; i < N; i++) A[i] = A[i] + B[i];
#pragma dpc independent
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++) M[i][j] = M[i][(j + 1) % N] * M[0][j];
    const int k = argc;
#pragma dpc independent
    for (int i = 0; i < N / 2; i++) B[i] = B[i + 5 * k] + 1; /* noted */
    return argv[0] == 0;
}
C
dpcc -w --check=all -S apart.dpc -o apart.c
verdict "iterations that subscripts tell apart" eval '[ "$(grep -c "dpc_check_assignments" apart.c)" = 1 ] && grep -q "dpc_check_assignments(&B_assigned" apart.c'
