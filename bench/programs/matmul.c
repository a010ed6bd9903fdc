/* Matrix product: see matmul.dpc. */
#include "matmul_kernel.h"
#include "program.h"

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 512), wrong = 0;
    double *a = allocate(n * n, sizeof *a), *b = allocate(n * n, sizeof *b), *c = allocate(n * n, sizeof *c), total = 0;

    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) a[i * n + j] = (double)(i - j), b[i * n + j] = (double)(i + j), c[i * n + j] = -1;
    double start = seconds_now();
    for (long i = 0; i < n * n; i++) c[i] = 0;
    multiply_add(n, n, n, c, n, a, n, b, n);
    double seconds = seconds_now() - start;

    double s1 = (double)(n * (n - 1) / 2), s2 = (double)((n - 1) * n * (2 * n - 1) / 6);
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            wrong += c[i * n + j] != (double)i * s1 + (double)(i * j * n) - s2 - (double)j * s1;
            total += c[i * n + j] * (double)(i % 3);
        }
    }
    return report("matmul", seconds, total, wrong == 0);
}
