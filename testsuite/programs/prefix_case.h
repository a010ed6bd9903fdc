/* Prefix and suffix operations on arrays with the mappings FORMAT, FORMATS and FORMAT3, included once for each case
 * NAME.
 */
static void NAME(long k) {
    enum { n = N, m = M };
    double a[N], x[N], v[N][M], u[N][M], w[N][M], t[4][N][M], r[4][N][M];
    int c[N];
    double A[n], X[n], V[n][m], U[n][m], T[4][n][m];
    int C[n];
    unsigned char D[n];
#pragma dpc distribute(FORMAT)::A, X, C, D
#pragma dpc distribute FORMATS ::V, U
#pragma dpc distribute FORMAT3 ::T
    forall(i = 0 : n - 1) A[i] = (i * 7) % 11 - 3;
    forall(i = 0 : n - 1) D[i] = 200 + i;
    forall(i = 0 : n - 1, j = 0 : m - 1) V[i][j] = (i * 5 + j * 3) % 13 - 4;
    forall(h = 0 : 3, i = 0 : n - 1, j = 0 : m - 1) T[h][i][j] = (h * 7 + i * 5 + j * 3) % 17 - 6;
    a[:] = A[:];
    v[:][:] = V[:][:];
    t[:][:][:] = T[:][:][:];
    X[:] = sum_prefix(A[:]);
    x[:] = X[:];
    double s = 0;
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " sum", i, x[i], s += a[i]);
    X[:] = sum_prefix(A[:], 1, 1) + 2 * sum_suffix(A[:] * k);
    x[:] = X[:];
    for (long i = 0; i < n; i++) {
        s = 0;
        for (long j = 0; j < i; j++) s += a[j];
        for (long j = i; j < n; j++) s += 2 * k * a[j];
        expect(TEXT(NAME) " both", i, x[i], s);
    }
    X[:] = maxval_prefix(A[:]) - minval_suffix(A[:], 1, 1);
    x[:] = X[:];
    for (long i = 0; i < n; i++) {
        double high = a[0], low = HUGE_VAL;
        for (long j = 0; j <= i; j++) high = a[j] > high ? a[j] : high;
        for (long j = i + 1; j < n; j++) low = a[j] < low ? a[j] : low;
        expect(TEXT(NAME) " extremes", i, x[i], high - low);
    }
    C[:] = count_prefix(A[:] > 2) + 100 * count_suffix(A[:] < 0, 1, 1);
    c[:] = C[:];
    for (long i = 0; i < n; i++) {
        long p = 0;
        for (long j = 0; j <= i; j++) p += a[j] > 2;
        for (long j = i + 1; j < n; j++) p += 100 * (a[j] < 0);
        expect(TEXT(NAME) " count", i, c[i], (double)p);
    }
    C[:] = sum_suffix(D[:]) - maxval_prefix(D[:]);
    c[:] = C[:];
    for (long i = 0; i < n; i++) {
        int p = 0, high = 0;
        for (long j = i; j < n; j++) p += (unsigned char)(200 + j);
        for (long j = 0; j <= i; j++) high = (unsigned char)(200 + j) > high ? (unsigned char)(200 + j) : high;
        expect(TEXT(NAME) " bytes", i, c[i], p - high);
    }
    X [9:1:-2] = sum_prefix(A [0:8:2]) + product_suffix(A [5:1:-1]);
    x[:] = X[:];
    for (long i = 0; i < 5; i++) {
        double q = 1;
        s = 0;
        for (long j = 0; j <= i; j++) s += a[2 * j];
        for (long j = i; j < 5; j++) q *= a[5 - j];
        expect(TEXT(NAME) " strides", i, x[9 - 2 * i], s + q);
    }
    X [0:n - 1:k] = sum_prefix(A [0:n - 1:k] + 0 * C [0:n - 1:k]);
    x[:] = X[:];
    s = 0;
    for (long i = 0; i < n; i += k) expect(TEXT(NAME) " by k", i, x[i], s += a[i]);
    X [1:n - 1] = sum_prefix(A [0:n - 2]) + sum_prefix(sum_suffix(A [1:n - 1], 1, 1));
    x[:] = X[:];
    for (long i = 1; i < n; i++) {
        s = 0;
        for (long j = 0; j < i; j++) s += a[j];
        for (long j = 1; j <= i; j++)
            for (long h = j + 1; h < n; h++) s += a[h];
        expect(TEXT(NAME) " nested", i, x[i], s);
    }
    X [3:2] = sum_prefix(A [3:2]);
    x[:] = X[:];
    A[:] += sum_prefix(A[:]);
    x[:] = A[:];
    s = 0;
    for (long i = 0; i < n; i++) expect(TEXT(NAME) " itself", i, x[i], a[i] + (s += a[i]));
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0) U[:][:] = sum_prefix(V[:][:], 1) + 100 * sum_suffix(V[:][:], 2, 1);
        if (kind == 1) U[:][:] = sum_prefix(V[:][:]) + 1000 * sum_suffix(V[:][:]);
        u[:][:] = U[:][:];
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++) {
                s = 0;
                for (long h = 0; kind == 0 && h <= i; h++) s += v[h][j];
                for (long h = j + 1; kind == 0 && h < m; h++) s += 100 * v[i][h];
                for (long h = 0; kind == 1 && h < n * m; h++)
                    s += (h <= i * m + j ? v[h / m][h % m] : 0) + (h >= i * m + j ? 1000 * v[h / m][h % m] : 0);
                expect(kind ? TEXT(NAME) " all" : TEXT(NAME) " dimensions", i * m + j, u[i][j], s);
            }
    }
    U [n - 1:1:-1] [0:m - 1:2] =
        maxval_suffix(V [1:n - 1] [m - 1:0:-2], 1) + count_prefix(V [1:n - 1] [m - 1:0:-2] > 0);
    u[:][:] = U[:][:];
    for (long i = 1; i < n; i++)
        for (long j = 0; 2 * j < m; j++) {
            double high = -HUGE_VAL;
            for (long h = i; h < n; h++) high = v[h][m - 1 - 2 * j] > high ? v[h][m - 1 - 2 * j] : high;
            for (long h = 1; h <= i; h++)
                for (long g = 0; 2 * g < m; g++) high += (h < i || g <= j) && v[h][m - 1 - 2 * g] > 0;
            expect(TEXT(NAME) " parts", i * m + j, u[n - i][2 * j], high);
        }
    forall(i = 0 : n - 1, i % 3 != 1) U[i][:] = sum_prefix(V[i][:] * (i + 1));
    u[:][:] = U[:][:];
    for (long i = 0; i < n; i++) {
        s = 0;
        for (long j = 0; j < m && i % 3 != 1; j++)
            expect(TEXT(NAME) " rows", i * m + j, u[i][j], s += v[i][j] * (double)(i + 1));
    }
    forall(j = 0 : m - 1) {
        U[:][j] = sum_suffix(V[:][j]);
        V[:][j] = sum_prefix(U[:][j]) + V[:][j];
    }
    u[:][:] = U[:][:];
    w[:][:] = V[:][:];
    for (long j = 0; j < m; j++) {
        double p = 0;
        for (long i = 0; i < n; i++) {
            s = 0;
            for (long h = i; h < n; h++) s += v[h][j];
            expect(TEXT(NAME) " columns", i * m + j, u[i][j], s);
            expect(TEXT(NAME) " then", i * m + j, w[i][j], (p += s) + v[i][j]);
        }
    }
    T[:][:][:] = sum_prefix(T[:][:][:], 2) + 1000 * sum_prefix(T[:][:][:], 1, 1) + 1e6 * sum_suffix(T[:][:][:]);
    r[:][:][:] = T[:][:][:];
    for (long h = 0; h < 4; h++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++) {
                s = 0;
                for (long g = 0; g <= i; g++) s += t[h][g][j];
                for (long g = 0; g < h; g++) s += 1000 * t[g][i][j];
                for (long g = (h * n + i) * m + j; g < 4 * n * m; g++) s += 1e6 * t[g / m / n][g / m % n][g % m];
                expect(TEXT(NAME) " cubes", (h * n + i) * m + j, r[h][i][j], s);
            }
}
#undef NAME
#undef FORMAT
#undef FORMATS
#undef FORMAT3
