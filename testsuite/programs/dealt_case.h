/* Arrays with the mappings FORMAT and FORMATS, whose blocks are dealt round-robin; included once for each case NAME. */
static void NAME(long n, long m) {
    long A[n], B[n], C [2:n + 1];
    long U[n][m], V[n][m], W[n][m];
    float X[n], Y[m];
#pragma dpc distribute(FORMAT)::A, B, C, X
#pragma dpc distribute FORMATS ::U, V, W
#pragma dpc distribute Y(block)
    long sums = 0;
#define LINE(what)                                                                                                     \
    printf("%s %ld %ld %s: %ld %ld %ld\n", TEXT(NAME), n, m, what, sums,                                               \
           sum(i = 0                                                                                                   \
               : n - 1, (A[i] * 3 + B[i] * 5 + C[i + 2] + (long)X[i]) * (i + 1)),                                      \
           sum(i = 0                                                                                                   \
               : n - 1, j = 0                                                                                          \
               : m - 1, (U[i][j] + 3 * V[i][j] + W[i][j] % 7) * (i + 5 * j + 1)))
    forall(i = 0 : n - 1) A[i] = i * i % 31 + 1;
    forall(i = 2 : n + 1) C[i] = i;
    B[:] = 0;
    X[:] = 2;
    forall(j = 0 : m - 1) Y[j] = j;
    forall(i = 0 : n - 1, j = 0 : m - 1) {
        U[i][j] = i * 31 % 17 + j * j % 13;
        V[i][j] = 0;
        W[i][j] = i - j;
    }
    forall(i = 1 : n - 2) B[i] = A[i - 1] + 10 * A[i + 1];
    LINE("one dimension");
    if (n > 3) A[3] = 1000;
    forall(i = 1 : n - 1) B[i] -= A[i - 1];
    forall(i = 0 : n - 1) A[(i * 11) % n] += i;
    forall(i = 0 : n - 2) B[i] += A[i + 1] + C[i + 3];
    LINE("after an element and a scatter");
    A [1:n - 1] = A [0:n - 2];
    A [0:n - 2] = A [1:n - 1] * 2;
    forall(i = 1 : n - 2) A[i] = A[i - 1] + A[i + 1];
    forall(i = 1 : n - 2, A[i - 1] % 2 == 0) A[i] = A[i + 1] * 2 + 1;
    forall(i = 0 : n - 1) B[i] = (i > 0 ? A[i - 1] : 5) + (i < n - 1 ? A[i + 1] : 7);
    LINE("itself, a mask, a condition");
    forall(i = 1 : (n - 2) / 2) {
        A[2 * i] = B[2 * i + 1];
        B[2 * i - 1] = A[2 * i] + A[2 * i - 2];
    }
    forall(i = n - 2 : 1 : -3) A[i] += B[i - 1];
    forall(i = 0 : n - 2) A[n - 1 - i] = B[n - 2 - i];
    LINE("strides");
    B[:] = cshift(A[:], 1) + 7 * cshift(A[:], -1);
    A[:] = eoshift(B[:], 1, 9) - C[:];
    LINE("round");
    A [2:n - 1] = B [0:n - 3];
    forall(i = 0 : n - 1) X[i] = A[n - 1 - i] % 100;
    if (n == m) Y[:] = X[:];
    if (n == m) X[:] = Y[:] + 1;
    sums = sum(i = 1 : n - 1, (A[i] - A[i - 1]) * (B[i] - B[i - 1]));
    LINE("moves and a reduction");
#pragma dpc independent on(B[i])
    for (long i = 1; i < n - 1; i++) {
        B[i] = A[i - 1];
        if (A[i + 1] > 5) B[i] += A[i + 1];
    }
    LINE("an independent loop");
    for (int t = 0; t < 2; t++) {
        forall(i = 1
               : n - 2, j = 1
               : m - 2) V[i][j] = U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1] - 4 * U[i][j];
        forall(i = 1 : n - 2, j = 1 : m - 2) U[i][j] = (V[i][j] + W[i][j - 1]) % 1000;
    }
    LINE("five points");
    forall(i = 1
           : n - 2, j = 1
           : m - 2) V[i][j] = U[i - 1][j - 1] + 2 * U[i - 1][j + 1] + 3 * U[i + 1][j - 1] + 4 * U[i + 1][j + 1] +
                              sum(k = -1 : 1, W[i + 1][j] * k);
    W [1:n - 1] [0:m - 2] = V [0:n - 2] [1:m - 1];
    LINE("corners");
    forall(i = 0 : n - 1, j = 1 : (i < m ? i : m - 1)) V[i][j] = U[i][j - 1] + (i > 0 ? U[i - 1][j] : 0);
    forall(i = 0 : n - 1) U[i][0] = n > 2 ? V[2][0] + A[i] : 1;
    forall(i = 0 : n - 1, j = 0 : m - 1) W[i][j] = U[n / 2][j] + V[i][m / 2];
    sums = sum(i = 1 : n - 1, j = 1 : m - 1, (U[i][j] - U[i - 1][j]) * (U[i][j] - U[i][j - 1])) + maxval(W[:][:]);
    LINE("triangle, broadcasts, a reduction");
    U[:][:] = cshift(V[:][:], 1, 1) + 3 * cshift(V[:][:], -1, 2);
    if (n == m) V[:][:] = transpose(U[:][:]);
    if (n == m) W[:][:] = matmul(U[:][:], V[:][:]);
    LINE("shifts, a transpose, a product");
#undef LINE
}
#undef NAME
#undef FORMAT
#undef FORMATS
