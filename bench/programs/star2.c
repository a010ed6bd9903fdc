/* Star stencil of radius 2: see star2.dpc. */
#include "program.h"

static void step(long n, double (*restrict out)[n], double (*restrict in)[n]) {
    for (long i = 2; i <= n - 3; i++)
        for (long j = 2; j <= n - 3; j++)
            out[i][j] += 0.25 * (in[i][j + 1] - in[i][j - 1] + in[i + 1][j] - in[i - 1][j]) +
                         0.125 * (in[i][j + 2] - in[i][j - 2] + in[i + 2][j] - in[i - 2][j]);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) in[i][j] += 1;
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 20), wrong = 0;
    double(*in)[n] = allocate(n, sizeof *in), (*out)[n] = allocate(n, sizeof *out), start = 0, total = 0;

    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) in[i][j] = (double)(i + 3 * j);
    for (long s = -1; s < steps; s++) {
        if (s == 0) start = seconds_now();
        step(n, out, in);
    }
    double seconds = seconds_now() - start;

    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            int inner = i >= 2 && i <= n - 3 && j >= 2 && j <= n - 3;
            wrong += out[i][j] != (inner ? 4.0 * (double)(steps + 1) : 0);
            total += out[i][j];
        }
    }
    return report("star2", seconds, total, wrong == 0);
}
