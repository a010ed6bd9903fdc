#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# --check=all: programs that are wrong in one place each. No number comes out of any: each ends with an error that names the
# place, marked by its number in the source, and says what is wrong there.

# ---- What the processes have of their own: the number of each
cat >differ.dpc <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 12 };
double A[N], B[N], M[N][N], factor = 1, table[N], still[N];
#pragma dpc distribute A(block)
#pragma dpc distribute B(cyclic)
#pragma dpc distribute M(block, *)
struct grid { int n; double h, *w, v[N]; } g;
static int number(void) {
    int mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    return mine;
}
static double scaled(double x) { return factor * x; }
static double looked(int i) { return table[i]; }
static double high(int i) { return g.h + g.n + i; }
static double one(double x) { return x + 1; }
static double two(double x) { return x + 2; }
static void fill(int n, const double *w) {
    forall (i = 0:n-1) A[i] = w[i];                             /* 19 */
}
static void fill_from(int n, double w[]) {
    for (int i = 0; i < n; i++) A[i] = w[i];                    /* 20 */
}
static int choice(int k) { return k > 3; }
int main(int argc, char **argv) {
    const int what = atoi(argv[1]), mine = number(), at = argc + 3;
    double w[N], *p = malloc(N * sizeof *p), **r = malloc(N * sizeof *r), s = 0;
    struct grid *q = &g;
    int idx[N], k = at - 1;
    q->w = calloc(N, sizeof(double));
    for (int i = 0; i < N; i++) {
        w[i] = p[i] = i;
        idx[i] = i;
        r[i] = calloc(N, sizeof **r);
    }
    g.n = N;
    if (what == 1 || what == 10 || what == 11 || what == 13 || what == 14 || what == 15 || what == 18) w[at] += mine;
    if (what == 20 || what == 25 || what == 31 || what == 32 || what >= 38) w[at] += mine;
    if (what == 2 || what == 12 || what == 19 || what == 33) p[at] += mine;
    if (what == 3 || what == 4) idx[at] -= mine;
    if (what == 5) g.v[at] = mine;
    if (what == 6) q->w[at] = mine;
    if (what == 7) q->h = mine;
    if (what == 8) factor += mine;
    if (what == 9) table[3] = mine;
    if (what == 16) r[at][2] = mine;
    if (what == 17) *p = mine;
    if (what == 29) k += mine;
    if (what == 34) still[at] = mine;
    double (*f)(double) = what == 21 && mine ? one : two;
    A[:] = 1;
    B[:] = 1;
    M[:][:] = 1;
    forall (i = 0:N-1, j = at:0) M[i][j] = w[i] + p[i];                             /* no iteration, nothing is read */
    switch (what) {
    case 1: forall (i = 0:N-1) A[i] = w[i] * i; break;                              /* 1 */
    case 2: forall (i = 0:N-1) A[i] = p[i] * i; break;                              /* 2 */
    case 3: forall (i = 0:N-1) A[i] = B[idx[i]]; break;                             /* 3 */
    case 4: forall (i = 0:N-1) A[idx[i]] = B[i]; break;                             /* 4 */
    case 5: forall (i = 0:N-1) A[i] = g.v[i]; break;                                /* 5 */
    case 6: forall (i = 0:N-1) A[i] = q->w[i]; break;                               /* 6 */
    case 7: forall (i = 0:q->n-1) A[i] = q->h * i; break;                           /* 7 */
    case 8: forall (i = 0:N-1) A[i] = scaled(i); break;                             /* 8 */
    case 9: forall (i = 0:N-1) A[i] = looked((int)i); break;                        /* 9 */
    case 10: forall (i = 0:N-1) A[i] = w[k + 1] * i; break;                         /* 10 */
    case 11: forall (i = 0:N-1, w[i] > 4) A[i] = 2; break;                          /* 11 */
    case 12:
#pragma dpc independent
        for (int i = 0; i < N; i++) {
            double t = 0;
            for (int j = 0; j <= i; j++)
                t += p[j];                                                          /* 12 */
            A[i] = t;
        }
        break;
    case 13: s = sum(i = 0:N-1, A[i] * w[i]); break;                                /* 13 */
    case 14: forall (i = 0:N-1) A[i] = sum(j = 0:N-1, M[i][j] * w[j]); break;       /* 14 */
    case 15: A[:] = w[:]; break;                                                    /* 15 */
    case 16: forall (i = 0:N-1, j = 0:N-1) M[i][j] = r[i][j]; break;                /* 16 */
    case 17: forall (i = 0:N-1) A[i] = *p; break;                                   /* 17 */
    case 18: A[k] = w[at] + A[2]; break;                                            /* 18 */
    case 19: fill(N, p); break;
    case 20: fill_from(N, w); break;
    case 21: forall (i = 0:N-1) A[i] = f(i); break;                                 /* 21 */
    case 22: for (int t = mine; t < mine + 3; t++) A[:] += 1; break;                /* 22 */
    case 23: {
        const int b = 2 + mine;
#pragma dpc redistribute B(cyclic(b))                                               /* 23 */
        break;
    }
    case 24: srand(1 + (unsigned)mine); s = rand(); A[:] = s; break;                /* 24 */
    case 25: forall (i = 0:N-1) A[i] = i == at ? w[i] : 0; break;                   /* 25 */
    case 26: if (choice(3 + mine)) A[:] = 2; break;                                 /* 26 */
    case 27: switch (mine) { case 0: A[:] = 2; break; default: B[:] = 3; } break;   /* 27 */
    case 28: for (int t = 0; t < 2 + mine; t++) A[2] = t; break;                    /* 28 */
    case 29: A[k] = 5; break;                                                       /* 29 */
    case 30: s = maxval(i = mine:N-1, A[i]); break;                                 /* 30 */
    case 31: A[3] = k > 2 ? w[at] : 0; break;                                       /* 31 */
    case 32:
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N; j++)
                M[i][j] = M[i-1][j] * w[j] + M[i][j-1];                             /* 32 */
        break;
    case 33: forall (i = 0:N-1) if (i > 3) A[i] = p[i]; break;                      /* 33 */
    case 34: { const double *c = still; forall (i = 0:N-1, i % 2 == at % 2) A[i] = c[i]; break; } /* 34 */
    case 35: npy_save(mine ? "x.npy" : "y.npy", A[:]); break;                       /* 35 */
    case 36: if (mine) return 0; A[:] = 4; break;                                   /* 36 */
    case 38: forall (i = 0:5) A[i] = w[2 * i + 1]; break;                           /* 38 */
    case 39: for (int i = 0; i < N; i++) forall (j = 0:N-1) M[i][j] += w[i]; break; /* 39 */
    case 40: forall (i = 0:N-1) { A[i] = i; B[i] = w[N - 1 - i]; } break;           /* 40 */
    case 41: {
        long double x[N]; /* whose padding differs everywhere */
        memset(x, 3 + mine, sizeof x);
        for (int i = 0; i < N; i++) x[i] = w[i];
        forall (i = 0:N-1) A[i] = x[i];                                             /* 41 */
        break;
    }
    case 42: g.h += mine; forall (i = 0:N-1) A[i] = high((int)i); break;            /* 42 */
    case 37: w[1] = argc > mine + 1; forall (i = 0:N-1) A[i] += w[1]; break;        /* 37 */
    }
    printf("%g\n", sum(A[:]) + sum(B[:]) + sum(M[:][:]) + s);
    return 0;
}
C
own() { echo "'$1' differs between processes: "; }
differing=(
    [1]="$(own 'w\[i\]')5 on process 0" [2]="$(own 'p\[i\]')5 on process 0"
    [3]="$(own 'idx\[i\]')5 on process 0" [4]="$(own 'idx\[i\]')5 on process 0" [5]="$(own 'g.v\[i\]')0 on process 0"
    [6]="$(own 'q->w\[i\]')0 on process 0" [7]="$(own 'q->h')0 on process 0" [8]="$(own factor)1 on process 0, 2 on process 1"
    [9]="'table', which a function reads, differs" [10]="$(own 'w\[k . 1\]')5 on process 0"
    [11]="$(own 'w\[i\]')5" [12]="$(own 'p\[j\]')5" [13]="$(own 'w\[i\]')5" [14]="$(own 'w\[j\]')5" [15]="$(own 'w\[:\]')5"
    [16]="$(own 'r\[i\]\[j\]')0" [17]="$(own '[*]p')0" [18]="$(own 'w\[at\]')5 on process 0, 6 on process 1"
    [19]="$(own 'w\[i\]')5" [20]="$(own 'w\[i\]')5" [21]="$(own f)" [22]="$(own t)0 on process 0, 1 on process 1"
    [23]="the mapping of array 'B' on process 1 is another one than on process 0" [24]="differs between processes" [25]="$(own 'w\[i\]')5"
    [26]="different paths" [27]="different paths: process 0 comes to .*, process 1 to" [28]="different paths" [29]="$(own 'subscript 1 of A')4\|$(own k)4"
    [30]="$(own mine)0 on process 0, 1 on process 1" [31]="$(own 'w\[at\]')5\|$(own 'the value stored in A')5" [32]="$(own 'w\[j\]')5" [33]="$(own 'p\[i\]')5"
    [34]="$(own 'c\[i\]')0" [35]="name different files" [36]="different paths: process 0 comes to .*, process 1 to the end" [37]="$(own 'w\[1\]')1 on process 0, 0 on process 1"
    [38]="$(own 'w\[2 [*] i . 1\]')5 on process 0" [39]="$(own 'w\[i\]')5 on process 0, 6 on process 1" [40]="$(own 'w\[N - 1 - i\]')5 on process 0, 6 on process 1"
    [41]="$(own 'x\[i\]')one value on process 0" [42]="$(own g.h)0 on process 0, 1 on process 1"
)

# ---- Subscripts
cat >leave.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 12 };
struct part { double x, v[4]; } P[N], own_part[N];
struct box { int n; double w[N]; struct { double u[5]; } in[3]; } box;
double A[N], B[N], M[N][N], w[N], L[1:N], square[N][N], late[];
double late[N];
#pragma dpc distribute A(block)
#pragma dpc distribute B(cyclic)
#pragma dpc distribute M(block, *)
#pragma dpc distribute P(block)
static double total(const double *v, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];                                                                  /* 11 */
    return s;
}
static double total_of_rows(int n, int m, double v[n][m]) {
    return v[n - 1][m];                                                             /* 12 */
}
static int *counters(int from) {
    static int counter[5], *here;
    here = counter + from;
    return here;
}
static double element(int n, const double v[n], int k) {
    return v[k];                                                                    /* 40 */
}
static double fourth(const double v[static 4], int k) {
    double s = 0;
    for (int i = 0; i < k; i++)
        s += v[i];                                                                  /* 41 */
    return s;
}
static double row(int n, const double (*v)[n], int k) {
    return v[1][k];                                                                 /* 42 */
}
static void fill_from(int n, const double v[n], int by) {
    forall (i = 0:n-1) A[i] = v[i + by];                                            /* 43 */
}
static double row_of(int n, int m, const double v[n][m], int k) {
    return v[k][0];                                                                 /* 44 */
}
static double from_one(int n, const double v[1:n], int k) {
    return v[k];                                                                    /* 45 */
}
static double at_offset(const double *v, int k) {
    return *(k + (v)) + *(v - -k);                                                  /* 47 */
}
/* Right: what is declared is no longer what there is. */
static double moved(int n, const double v[n]) {
    v += n - 1;
    return v[1 - n];
}
static double forgets(int n, const double v[n]) {
    double s = 0;
    for (const int most = n; n > 1; n--) s += v[most - 1];
    return s + v[1];
}
static int behind(const char text[1]) { return text[2]; }
int main(int argc, char **argv) {
    const int what = atoi(argv[1]), one = argc - 1, over = N + one;
    double here[N] = {0}, (*rows)[3] = (double (*)[3])here, *in_here = here + 2;
    struct part alone = {1, {0}}, *at_part = &alone;
    double *p = calloc(N, sizeof *p), (*q)[5] = calloc(N, sizeof *q), **r = malloc(N * sizeof *r), s = 0, *m = p + 6;
    struct box *b = &box;
    struct { int n; double *w; } own = {N, p};
    int idx[N];
    char name[4] = "abc";
    for (int i = 0; i < N; i++) {
        r[i] = calloc(5, sizeof **r);
        idx[i] = i + one;
    }
    if (moved(4, here + 1) + forgets(5, here) + behind("abc") != 'c') return 1;
    A[:] = 1;
    B[:] = 1;
    forall (i = 0:N-1, j = one:0) M[i][j] = p[i + N] + w[i + N];                    /* no iteration, nothing is read */
    switch (what) {
    case 1: for (int i = 0; i < over; i++) box.w[i] = i; break;                     /* 1 */
    case 2: forall (i = 0:N-1) A[i] = b->w[i + one]; break;                         /* 2 */
    case 3: for (int j = 0; j < 5 + one; j++) s += box.in[2].u[j]; break;           /* 3 */
    case 4: forall (i = 0:N-1) A[i] = p[i + one]; break;                            /* 4 */
    case 5: for (int i = N - 1; i >= -one; i--) s += p[i]; break;                   /* 5 */
    case 6: for (int i = -6; i < 6 + one; i++) s += m[i]; break;                    /* 6 */
    case 7: for (int j = 0; j < 5 + one; j++) s += q[1][j]; break;                  /* 7 */
    case 8: for (int j = 0; j < 5 + one; j++) s += r[1][j]; break;                  /* 8 */
    case 9: p = realloc(p, 4 * sizeof *p); for (int i = 0; i < 4 + one; i++) p[i] = 1; break; /* 9 */
    case 10: free(p); p = calloc(3, sizeof *p); p[one + 2] = 1; break;              /* 10 */
    case 11: s = total(w, over); break;
    case 12: s = total_of_rows(4, 5, q); break;
    case 13: for (int i = 0; i < over; i++) late[i] = i; break;                     /* 13 */
    case 14: if (w[over - 1] > 0) A[0] = 2; break;                                  /* 14 */
    case 15:
#pragma dpc independent
        for (int i = 0; i < N; i++) {
            double t = 0;
            for (int k = 0; k < 4 + one; k++)
                t += P[i].v[k];                                                     /* 15 */
            P[i].x = t;
        }
        break;
    case 16: forall (i = 0:N-1) P[i].v[3 + one] = i; break;                         /* 16 */
    case 17: P[3].v[3 + one] = 5; break;                                            /* 17 */
    case 18: s = sum(i = 0:over-1, w[i]); break;                                    /* 18 */
    case 19: A[0:10] = w[one+1:N]; break;                                           /* 19 */
    case 20: for (int i = 0; i < 4 + one; i++) s += name[i]; break;                 /* 20 */
    case 21: for (int i = 0; i < over; i++) s += *(p + i); break;                   /* 21 */
    case 22: for (double *at = p; at < p + over; at++) s += *at; break;             /* 22 */
    case 23: A[over - 1] = 1; break;                                                /* 23 */
    case 24: for (int i = 0; i < own.n + one; i++) s += own.w[i]; break;            /* 24 */
    case 25: forall (i = 0:N-1, w[i + one] >= 0) A[i] = 2; break;                   /* 25 */
    case 26: forall (i = 0:N-1) A[idx[i]] = 2; break;                               /* 26 */
    case 27: forall (i = 0:N-1) A[i] = B[idx[i]]; break;                            /* 27 */
    case 28: s = L[one - 1]; break;                                                 /* 28 */
    case 29: forall (i = 0:N-1) own_part[i].v[one + 3] = A[i]; break;               /* 29 */
    case 30: forall (i = 0:N-1) p[i + one] = A[i]; break;                           /* 30 */
    case 31: forall (i = 0:N-1, j = 0:N-1) M[i][j + one] = 1; break;                /* 31 */
    case 32: while (p[over - 1] > 0) s++; break;                                    /* 32 */
    case 33: p[over - 1]++; break;                                                  /* 33 */
    case 35: forall (i = 0:N-1) A[i] = p[N - 1 - one - i]; break;                   /* 35 */
    case 36: forall (i = 0:N-1, j = 0:N-1) M[i][j] = square[i][j + one]; break;     /* 36 */
    case 37: A[:] = sum(j = 0:over-1, w[j]); break;                                 /* 37 */
    case 38: { int *c = counters(2); c[one + 2] = 1; } break;                       /* 38 */
    case 39: for (int i = -2; i < N - 2 + one; i++) in_here[i] = i; break;          /* 39 */
    case 40: s = element(7, here, 6 + one); break;
    case 41: s = fourth(here, 4 + one); break;
    case 42: s = row(3, (const double (*)[3])rows, 2 + one); break;
    case 43: fill_from(9, here, one); break;
    case 44: s = row_of(2, 3, (const double (*)[3])rows, 1 + one); break;
    case 45: s = from_one(N, here, over); break;
    case 46: s = at_part[one].x; break;                                             /* 46 */
    case 47: s = at_offset(w, 3) + at_offset(w, over - 1); break;
    case 48: s = *(m - 6) + *(m - 6 - one + 1) + *(m - (6 + one)); break;           /* 48 */
    case 34: memset(p, 0, N * sizeof *p); s = w[N - 1] + w[(int)p[0] - one]; break; /* 34 */
    }
    printf("%g\n", sum(A[:]) + s);
    return 0;
}
C
outside() { echo "subscript $1 of.* '$2' is out of bounds: index $3, .*bounds $4"; }
leaving=(
    [1]="$(outside 1 box.w 12 0:11)" [2]="$(outside 1 'b->w' 12 0:11)" [3]="$(outside 1 'box.in\[2\].u' 5 0:4)" [4]="$(outside 1 p 12 0:11)"
    [5]="$(outside 1 p -1 0:11)" [6]="$(outside 1 m 6 -6:5)" [7]="$(outside 2 q 5 0:4)" [8]="$(outside 2 r 5 0:4)" [9]="$(outside 1 p 4 0:3)"
    [10]="$(outside 1 p 3 0:2)" [11]="$(outside 1 v 12 0:11)" [12]="$(outside 2 v 5 0:4)" [13]="$(outside 1 late 12 0:11)" [14]="$(outside 1 w 12 0:11)"
    [15]="$(outside 1 'P\[i\].v' 4 0:3)" [16]="$(outside 1 'P\[i\].v' 4 0:3)" [17]="$(outside 1 'P\[3\].v' 4 0:3)" [18]="$(outside 1 w 12 0:11)"
    [19]="$(outside 1 w 12 0:11)" [20]="$(outside 1 name 4 0:3)" [21]="$(outside 1 p 12 0:11)" [22]="'[*]at' is outside of the memory"
    [23]="$(outside 1 A 12 0:11)" [24]="$(outside 1 own.w 12 0:11)" [25]="$(outside 1 w 12 0:11)" [26]="$(outside 1 A 12 0:11)" [27]="$(outside 1 B 12 0:11)"
    [28]="$(outside 1 L 0 1:12)" [29]="$(outside 1 'own_part\[i\].v' 4 0:3)" [30]="$(outside 1 p 12 0:11)" [31]="$(outside 2 M 12 0:11)"
    [32]="$(outside 1 p 12 0:11)" [33]="$(outside 1 p 12 0:11)" [34]="$(outside 1 w -1 0:11)"
    [35]="$(outside 1 p -1 0:11)" [36]="$(outside 2 square 12 0:11)" [37]="$(outside 1 w 12 0:11)"
    [38]="$(outside 1 c 3 -2:2)" [39]="$(outside 1 in_here 10 -2:9)" [40]="$(outside 1 v 7 0:6)" [41]="$(outside 1 v 4 0:3)" [42]="$(outside 2 v 3 0:2)"
    [43]="$(outside 1 v 9 0:8)" [44]="$(outside 1 v 2 0:1)" [45]="$(outside 1 v 13 1:12)" [46]="$(outside 1 at_part 1 0:0)"
    [47]="$(outside 1 v 12 0:11)" [48]="$(outside 1 m -7 -6:5)"
)

# ---- Elements that two iterations come to
cat >meet.dpc <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { N = 12 };
struct part { double x, y; } own_part[N], P[N];
double A[N], B[N], M[N][N], T[N][N];
int idx[N] = {0, 1, 2, 3, 4, 5, 4, 7, 8, 9, 10, 11};
#pragma dpc distribute A(block)
#pragma dpc distribute B(cyclic)
#pragma dpc distribute M(block, *)
#pragma dpc distribute T(block, block)
#pragma dpc distribute P(block)
int main(int argc, char **argv) {
    const int what = atoi(argv[1]), one = argc - 1;
    double w[N] = {0}, v[N][N] = {{0}}, *p = calloc(N, sizeof *p);
    A[:] = 1;
    B[:] = 1;
    M[:][:] = 1;
    T[:][:] = 1;
    switch (what) {
    case 1: forall (i = 0:N-1) w[idx[i]] = A[i] + i; break;                         /* 1 */
    case 2: forall (i = 0:N-1) p[i / 2] = A[i] + i; break;                          /* 2 */
    case 3: forall (i = 0:N-1) own_part[idx[i]].x = A[i] + i; break;                /* 3 */
    case 4: w[idx[:]] = A[:]; break;                                                /* 4 */
    case 5: forall (i = 0:N-1, j = 0:N-1) v[i][(i + j) / 2] = A[j]; break;          /* 5 */
    case 6: B[idx[:]] = A[:]; break;                                                /* 6 */
    case 7: forall (i = 0:N-1) { forall (j = 0:N-1) M[i][j / 2] = j; } break;       /* 7 */
    case 8: forall (i = 0:N-1) if (i > 2) A[i % 5] = i; else B[i] = 1; break;       /* 8 */
    case 9: forall (i = 0:N-1) A[idx[i]] += 1; break;                               /* 9 */
    case 10: forall (i = 0:N-1) P[idx[i]].x = A[i] + i; break;                      /* 10 */
    case 11:
#pragma dpc independent
        for (int i = 1; i < N; i++)                                                 /* 11 */
            A[i] = A[i-1] + i;
        break;
    case 12:
#pragma dpc independent
        for (int i = 0; i < N - 1; i++) {                                           /* 12 */
            const double t = A[i+1];
            A[i] = t + i;
        }
        break;
    case 13:
#pragma dpc independent on(T[i][j])
        for (int i = 0; i < N; i++)                                                 /* 13 */
            for (int j = 0; j < N; j++) T[i][j] = i > 0 ? T[i-1][j] + 1 : 0;
        break;
    case 14:
#pragma dpc independent
        for (int i = 0; i < N; i++)                                                 /* 14 */
            for (int j = 0; j < N; j++) M[i][j] = i < 2 ? 0 : M[i-2][j] + 1;
        break;
    case 15: forall (i = 0:N-1) A[i * one % 6] = i; break;                          /* 15 */
    case 16: forall (i = 0:N-2, j = 0:1) p[i + j] = A[i]; break;                    /* 16 */
    }
    printf("%g\n", sum(A[:]) + sum(B[:]) + sum(M[:][:]) + sum(T[:][:]) + w[4] + v[4][4] + p[3] + own_part[4].x + P[4].x);
    return 0;
}
C
twice="is assigned twice, by the iterations"
meeting=(
    [1]="'w\[idx\[i\]\]' $twice i = 4 and i = 6" [2]="'p\[i / 2\]' $twice i = 0 and i = 1" [3]="'own_part\[idx\[i\]\].x' $twice i = 4 and i = 6"
    [4]="'w\[idx\[:\]\]' $twice" [5]="'v\[i\]\[(i . j) / 2\]' $twice" [6]="B\[4\] $twice" [7]="M\[.*\]\[.*\] $twice" [8]="A\[.\] $twice"
    [9]="A\[4\] $twice i = 4 and i = 6" [10]="P\[4\] $twice i = 4 and i = 6"
    [11]="A\[.*\] is assigned by the iteration i = .*, and read by the iteration i = " [12]="A\[.*\] is assigned by the iteration i = "
    [13]="T\[.*\]\[.*\] is assigned by the iteration i = .*, j = .*, and read by the iteration i = " [14]="M\[.*\]\[.*\] is assigned by the iteration i = .*, and read by"
    [15]="A\[.\] $twice" [16]="'p\[i . j\]' $twice i = 0, j = 1 and i = 1, j = 0"
)

# ---- Each case ends with its error, and nothing is printed
says_place() { grep -e "error: .*\\($1\\)" "$SCRATCH/err" | grep -q -e "$program\\.dpc:$line:" || { echo "standard error does not say: $line: $1"; return 1; }; }
fails() { [ "$STATUS" != 0 ] && [ "$STATUS" != 124 ] || { echo "exit status $STATUS"; return 1; }; }
stops_with() { fails && says_place "$1" && prints ""; }
kind=smpi
has_mpi smpi || kind=${MPIS%% *}
# check_program PROGRAM PROCESSES
check_program() {
    local program=$1 line what
    MPICC=$(mpicc_of "$kind") dpcc -O0 -w --check=all "$program.dpc" -o "$program" || fail "translate $program"
    STATUS=0
    run_mpi "$kind" "$2" "./$program" 0 >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "$program: right" all 'status_is 0' silent
    for what in "${!expected[@]}"; do
        line=$(grep -n "/\* $what \*/" "$program.dpc" | cut -d : -f 1)
        STATUS=0
        LIMIT=60 run_mpi "$kind" "$2" "./$program" "$what" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
        verdict "$program: $what" stops_with "${expected[what]}"
    done
}
expected=() && for what in "${!differing[@]}"; do expected[what]=${differing[what]}; done
check_program differ 2
expected=() && for what in "${!leaving[@]}"; do expected[what]=${leaving[what]}; done
check_program leave 2
expected=() && for what in "${!meeting[@]}"; do expected[what]=${meeting[what]}; done
check_program meet 3
