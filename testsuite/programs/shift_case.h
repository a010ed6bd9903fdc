/* Shifts of arrays with the mappings FORMAT and FORMATS, included once for each case NAME. */
static void NAME(long n, long m, long k) {
    double a[N], v[N][M];
    double A[n], X[n], V[n][m], U[n][m];
#pragma dpc distribute(FORMAT)::A, X
#pragma dpc distribute FORMATS ::V, U
    forall(i = 0 : n - 1) A[i] = i * i + 1;
    forall(i = 0 : n - 1, j = 0 : m - 1) V[i][j] = 100 * i + j;
    a[:] = A[:];
    v[:][:] = V[:][:];
    X[:] = cshift(A[:], 1);
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " up", i, X[i], a[(i + 1) % n]);
    X[:] = cshift(A[:], -2) + 10 * cshift(A[:], 2);
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " both", i, X[i], a[(i + n - 2) % n] + 10 * a[(i + 2) % n]);
    X[:] = cshift(A[:], k);
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " by k", i, X[i], a[((i + k) % n + n) % n]);
    X[:] = cshift(cshift(A[:], 3), k) - cshift(A[:], 25);
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " twice", i, X[i], a[((i + k + 3) % n + n) % n] - a[(i + 25) % n]);
    X[:] = eoshift(A[:], 2, -1) + eoshift(A[:], -3);
    for (long i = 0; i < n; i++)
        expect(TEXT(NAME) " off", i, X[i], (i + 2 < n ? a[i + 2] : -1) + (i >= 3 ? a[i - 3] : 0));
    X[:] = eoshift(A[:], k, k);
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " off by k", i, X[i], i + k >= 0 && i + k < n ? a[i + k] : k);
    X[:] = cshift(eoshift(A[:], 1, 5), 2) + eoshift(cshift(A[:], 2), -1, 7);
    for (long i = 0; i < n; i++)
        expect(TEXT(NAME) " mixed", i, X[i],
               ((i + 2) % n + 1 < n ? a[(i + 2) % n + 1] : 5) + (i >= 1 ? a[(i + 1) % n] : 7));
    X [1:7] = cshift(A [2:8], 3);
    for (long i = 1; i <= 7; i++) expect(TEXT(NAME) " part", i, X[i], a[2 + (i + 2) % 7]);
    X [0:9:3] = cshift(A [8:2:-2], -1);
    for (long i = 0; i < 4; i++) expect(TEXT(NAME) " strided", i, X[3 * i], a[8 - 2 * ((i + 3) % 4)]);
    A[:] = cshift(A[:], -1);
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " itself", i, A[i], a[(i + n - 1) % n]);
    U[:][:] = cshift(V[:][:], 1, 1) + 3 * cshift(V[:][:], -1, 2) + 7 * cshift(cshift(V[:][:], 1, 1), 1, 2);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            expect(TEXT(NAME) " 2-D", i * m + j, U[i][j],
                   v[(i + 1) % n][j] + 3 * v[i][(j + m - 1) % m] + 7 * v[(i + 1) % n][(j + 1) % m]);
    U[:][:] = cshift(V[:][:], k, 2) - eoshift(V[:][:], -1, 2.5, 1) + cshift(V[:][:] * 2, k);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            expect(TEXT(NAME) " 2-D by k", i * m + j, U[i][j],
                   v[i][((j + k) % m + m) % m] - (i ? v[i - 1][j] : 2.5) + 2 * v[((i + k) % n + n) % n][j]);
    forall(i = 0 : n - 1) U[i][:] = cshift(V[i][:], i) + eoshift(V[i][:], i - 3, -9);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            expect(TEXT(NAME) " skewed", i * m + j, U[i][j],
                   v[i][(j + i) % m] + (j + i - 3 >= 0 && j + i - 3 < m ? v[i][j + i - 3] : -9));
    V[2][3] = -4;
    U[:][:] = cshift(cshift(V[:][:], -1, 1), -1, 2) * 1;
    expect(TEXT(NAME) " changed", 0, U[3][4], -4);
    double d = sum(fabs(V[:][:] - cshift(V[:][:], 1))), w = 0;
    v[2][3] = -4;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) w += fabs(v[i][j] - v[(i + 1) % n][j]);
    expect(TEXT(NAME) " sum", 0, d, w);
}
#undef NAME
#undef FORMAT
#undef FORMATS
