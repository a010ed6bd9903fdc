/* What the programs of this folder time: pieces of a distributed program and of plain C, in turns. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 99 };

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median; with STATISTIC=least in the environment the least, for a machine that others use too. */
static double statistic(double *t, int n) {
    const char *asked = getenv("STATISTIC");
    qsort(t, (size_t)n, sizeof *t, by_size);
    return t[asked && !strcmp(asked, "least") ? 0 : n / 2];
}

static int rounds_of(int argc, char **argv) {
    return argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) <= MOST_ROUNDS ? atoi(argv[1]) : 9;
}

static long size_of(int argc, char **argv, long otherwise) {
    return argc > 2 && atol(argv[2]) >= 8 ? atol(argv[2]) : otherwise;
}

/* Whether a pattern is asked for: its name holds the text, if there is one. */
static int is_asked(int argc, char **argv, const char *name) {
    return argc < 4 || strstr(name, argv[3]);
}

static void print_heads(void) {
    printf("%-34s %9s %9s %6s\n", "pattern", "dpc ms", "C ms", "ratio");
}

/* TIMED(name, { distributed }, { plain }, distributed result, plain result) */
#define TIMED(name, distributed, plain, got, wanted)                                                                   \
    do {                                                                                                               \
        if (!is_asked(argc, argv, name)) break;                                                                        \
        double ours[MOST_ROUNDS], theirs[MOST_ROUNDS];                                                                 \
        for (int round = 0; round < rounds; round++) {                                                                 \
            double start = dpc_wtime();                                                                                \
            distributed ours[round] = dpc_wtime() - start;                                                             \
            start = dpc_wtime();                                                                                       \
            plain theirs[round] = dpc_wtime() - start;                                                                 \
        }                                                                                                              \
        const double its = got, due = wanted, mine = statistic(ours, rounds), c = statistic(theirs, rounds);           \
        const int same = fabs(its - due) <= 1e-9 * fabs(due);                                                          \
        printf("%-34s %9.3f %9.3f %6.2f%s\n", name, 1e3 * mine, 1e3 * c, mine / c, same ? "" : "  WRONG");             \
        wrong = wrong || !same;                                                                                        \
    } while (0)

static double total(long n, const double *x) {
    double s = 0;
    for (long i = 0; i < n; i++) s += x[i];
    return s;
}
