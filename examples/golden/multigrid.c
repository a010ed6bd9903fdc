/* Poisson's equation -u_xx - u_yy = f on the unit square by multigrid, in functions with distributed parameters.
 *
 * Every level's arrays are distributed alike, (block, block), so that a cycle hands them on in place and calls itself with the arrays of
 * the next coarser level, down to one interior point.  What is computed between two levels stands aligned with the finer one.  `largest` takes whatever mapping its argument has; `print_line` asks for
 * one of its own, and its argument, a row of the solution, is brought into it. */
#include <math.h>
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/multigrid.dpc"
#include <dpc.h>

#define N 64 /* meshes per direction; the edges are 0 */

/* Posts receives of ghost cells, and sends what others keep as theirs. */
static dpc_refreshing *exchange_halo(dpc_refreshing *halo) {
    DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
    DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
    return halo;
}

/* Damped Jacobi sweeps. */
static void smooth(long n, const dpc_argument *U_argument, const dpc_argument *F_argument, int sweeps) {
    DPC_PARAMETER dpc_parameter U_parameter = {.argument = U_argument, .changed = true};
    dpc_array *const U_dist = dpc_receive_with_halo(&U_parameter, DPC_LINE(13), "U", DPC_DOUBLE, 2,
                                                    DPC_BOUNDS({0, n}, {0, n}), DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL,
                                                    DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_NO_CORNERS);
    DPC_PARAMETER dpc_parameter F_parameter = {.argument = F_argument, .before = &U_parameter};
    dpc_array *const F_dist = dpc_receive_like(&F_parameter, DPC_LINE(13), "F", DPC_DOUBLE, U_dist);
    const double area = 1.0 / (n * n);
    for (int sweep = 0; sweep < sweeps; sweep++)
        DPC_CHANGE_ON(space, U_dist, DPC_LINE(17), DPC_TO(1, n - 1), DPC_TO(1, n - 1)) {
            /* U[i][j] += 0.2 * (area * F[i][j] + U[i-1][j] + U[i+1][j] + U[i][j-1] + U[i][j+1] - 4 * U[i][j])
             *   U[-1:1][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = exchange_halo(dpc_refresh(DPC_LINE(17), 1, (dpc_array *[]){U_dist}));
            const dpc_run i_run = dpc_first_run(space, 0);
            double (*U)[U_dist->across[1]] = U_dist->origin, (*F)[F_dist->across[1]] = F_dist->origin;
            dpc_end_refresh(halo);
            const dpc_index row_values = space->mine[1];
            double *rows = dpc_buffer(2 * row_values, sizeof(double));
            for (long row = i_run.first; row <= i_run.last + 1; row++) {
                if (row <= i_run.last) {
                    const long i = row;
                    double *restrict values = rows + (i - i_run.first) % 2 * row_values;
                    dpc_index value_at = 0;
                    DPC_OWNED_IN(j, 1, n - 1, U_dist, 1)
                        values[value_at++] = 0.2 * (area * F[i][j] + U[i - 1][j] + U[i + 1][j] + U[i][j - 1] +
                                                    U[i][j + 1] - 4 * U[i][j]);
                }
                /* no later row reads the old values of this one */
                if (row >= i_run.first + 1) {
                    const long i = row - 1;
                    double *restrict values = rows + (i - i_run.first) % 2 * row_values;
                    dpc_index value_at = 0;
                    DPC_OWNED_IN(j, 1, n - 1, U_dist, 1) U[i][j] += values[value_at++];
                }
            }
            dpc_free_buffer(rows);
        }
}

/* The loops of examples/multigrid.dpc:25. */
static void loops_25(dpc_index R_row, double (*restrict R)[R_row], dpc_index F_row, const double (*restrict F)[F_row],
    dpc_index U_row, const double (*restrict U)[U_row], long i_first, long i_last, long j_first, long j_last, long n) {
    for (long i = i_first; i <= i_last; i++)
        for (long j = j_first; j <= j_last; j++)
            R[i][j] = F[i][j] + n * n * (U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1] - 4 * U[i][j]);
}

/* R = f + u_xx + u_yy; 0 on the edges. */
static void find_residual(long n, const dpc_argument *R_argument, const dpc_argument *U_argument,
                          const dpc_argument *F_argument) {
    DPC_PARAMETER dpc_parameter R_parameter = {.argument = R_argument, .changed = true};
    dpc_array *const R_dist = dpc_receive(&R_parameter, DPC_LINE(22), "R", DPC_DOUBLE, 2, DPC_BOUNDS({0, n}, {0, n}),
                                          DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL);
    DPC_PARAMETER dpc_parameter U_parameter =
        {.argument = U_argument, .before = &R_parameter, .alias_check = DPC_PARAMETERS(&R_parameter)};
    dpc_array *const U_dist = dpc_receive_with_halo(&U_parameter, DPC_LINE(22), "U", DPC_DOUBLE, 2,
                                                    DPC_BOUNDS({0, n}, {0, n}), DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL,
                                                    DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_NO_CORNERS);
    DPC_PARAMETER dpc_parameter F_parameter =
        {.argument = F_argument, .before = &U_parameter, .alias_check = DPC_PARAMETERS(&R_parameter)};
    dpc_array *const F_dist = dpc_receive_like(&F_parameter, DPC_LINE(22), "F", DPC_DOUBLE, R_dist);
    DPC_CHANGE(R_dist, DPC_LINE(23)) { /* R[:][:] = 0 */
        double (*restrict R)[R_dist->across[1]] = R_dist->origin;
        DPC_OWNED(i, R_dist, 0) DPC_OWNED(j, R_dist, 1) R[i][j] = 0;
    }
    DPC_CHANGE_ON(space, R_dist, DPC_LINE(25), DPC_TO(1, n - 1), DPC_TO(1, n - 1)) {
        /* R[i][j] = F[i][j] + n * n * (U[i-1][j] + U[i+1][j] + U[i][j-1] + U[i][j+1] - 4 * U[i][j])
         *   U[-1:1][-1:1]: ghost cells, where it has changed */
        dpc_refreshing *halo = exchange_halo(dpc_refresh(DPC_LINE(25), 1, (dpc_array *[]){U_dist}));
        double (*restrict R)[R_dist->across[1]] = R_dist->origin;
        const double (*restrict F)[F_dist->across[1]] = F_dist->origin;
        const double (*restrict U)[U_dist->across[1]] = U_dist->origin;
        DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1))) /* interior, then boundary */
            loops_25(R_dist->across[1], R, F_dist->across[1], F, U_dist->across[1], U, box.first[0], box.last[0],
                     box.first[1], box.last[1], n);
    }
}

/* One V cycle.  Values of the next coarser level are formed beside the finer level's points that they belong to, in C, and
 * handed over between C and arrays that are distributed over the coarser mesh. */
static void cycle(long n, const dpc_argument *U_argument, const dpc_argument *F_argument) {
    DPC_PARAMETER dpc_parameter U_parameter = {.argument = U_argument, .changed = true};
    dpc_array *const U_dist = dpc_receive_with_halo(&U_parameter, DPC_LINE(31), "U", DPC_DOUBLE, 2,
                                                    DPC_BOUNDS({0, n}, {0, n}), DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL,
                                                    DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_NO_CORNERS);
    DPC_PARAMETER dpc_parameter F_parameter = {.argument = F_argument, .before = &U_parameter};
    dpc_array *const F_dist = dpc_receive_like(&F_parameter, DPC_LINE(31), "F", DPC_DOUBLE, U_dist);
    smooth(n, DPC_PASS(DPC_LINE(32), U_dist), DPC_PASS(DPC_LINE(32), F_dist), 2);
    if (n > 2) {
        const long m = n / 2;
        /* double R[0:n][0:n], C[0:m][0:m], G[0:m][0:m], E[0:m][0:m]; */
        DPC_AUTOMATIC dpc_array R_dist = {0}, G_dist = {0}, E_dist = {0};
        dpc_create_with_halo(&R_dist, DPC_LINE(36), "R", DPC_DOUBLE, 2, DPC_BOUNDS({0, n}, {0, n}),
            DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_CORNERS);
        dpc_create(&G_dist, DPC_LINE(36), "G", DPC_DOUBLE, 2, DPC_BOUNDS({0, m}, {0, m}),
                   DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL);
        dpc_create_with_halo(&E_dist, DPC_LINE(36), "E", DPC_DOUBLE, 2, DPC_BOUNDS({0, m}, {0, m}),
            DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_NO_CORNERS);
        DPC_AUTOMATIC dpc_array C_dist = {0};
        dpc_create_aligned_with_halo(&C_dist, DPC_LINE(37), "C", DPC_DOUBLE, 2, DPC_BOUNDS({0, m}, {0, m}), &R_dist,
                                     (const dpc_alignment[]){DPC_ALIGN(0, 2, 0), DPC_ALIGN(1, 2, 0)},
                                     DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_CORNERS);
        find_residual(n, DPC_PASS(DPC_LINE(38), &R_dist), DPC_PASS(DPC_LINE(38), U_dist),
                      DPC_PASS(DPC_LINE(38), F_dist));

        /* Means of the nine points around each coarser point, the nearer the heavier. */
        DPC_CHANGE(&C_dist, DPC_LINE(41)) { /* C[:][:] = 0 */
            double (*restrict C)[C_dist.across[1]] = C_dist.origin;
            DPC_OWNED(i, &C_dist, 0) DPC_OWNED(j, &C_dist, 1) C[i][j] = 0;
        }
        DPC_CHANGE_ON_COMPARED(space, &C_dist, DPC_LINE(43), DPC_TO(1, m - 1), DPC_TO(1, m - 1)) {
            /* C[i][j] = (4 * R[2*i][2*j] + 2 * (R[2*i-1][2*j] + R[2*i+1][2*j] + R[2*i][2*j-1] + R[2*i][2*j+1]) +
             *     R[2*i-1][2*j-1] + R[2*i-1][2*j+1] + R[2*i+1][2*j-1] + R[2*i+1][2*j+1]) / 16
             *   R[-1:1][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = exchange_halo(dpc_refresh(DPC_LINE(43), 1, (dpc_array *[]){&R_dist}));
            dpc_check(space, &R_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, -1), DPC_LINEAR(1, 2, -1)));
            dpc_check(space, &R_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, 1), DPC_LINEAR(1, 2, 1)));
            double (*restrict C)[C_dist.across[1]] = C_dist.origin, (*restrict R)[R_dist.across[1]] = R_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_CYCLIC_WIDTH(1, 1), DPC_CYCLIC_WIDTH(1, 1)))
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1) {
                    C[i][j] = (4 * R[2 * i][2 * j] +
                               2 * (R[2 * i - 1][2 * j] + R[2 * i + 1][2 * j] + R[2 * i][2 * j - 1] +
                                    R[2 * i][2 * j + 1]) + R[2 * i - 1][2 * j - 1] + R[2 * i - 1][2 * j + 1] +
                               R[2 * i + 1][2 * j - 1] + R[2 * i + 1][2 * j + 1]) / 16;
                }
        }
        DPC_CHANGE_ON(space, &G_dist, DPC_LINE(45), DPC_TO(0, m), DPC_TO(0, m)) {
            /* G[:][:] = C[:][:]
             *   C[:][:] aligned with R moves to the owners of G[:][:] (block, block): run-time sets along i, j */
            dpc_copy(space, &C_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_INDEX(1)));
        }
        DPC_CHANGE(&E_dist, DPC_LINE(46)) { /* E[:][:] = 0 */
            double (*restrict E)[E_dist.across[1]] = E_dist.origin;
            DPC_OWNED(i, &E_dist, 0) DPC_OWNED(j, &E_dist, 1) E[i][j] = 0;
        }
        cycle(m, DPC_PASS(DPC_LINE(47), &E_dist), DPC_PASS(DPC_LINE(47), &G_dist));
        DPC_CHANGE_ON(space, &C_dist, DPC_LINE(48), DPC_TO(0, m), DPC_TO(0, m)) {
            /* C[:][:] = E[:][:]
             *   E[:][:] (block, block) moves to the owners of C[:][:] aligned with R: run-time sets along i, j */
            dpc_copy(space, &E_dist, DPC_SUBSCRIPTS(DPC_INDEX(0), DPC_INDEX(1)));
        }

        /* The coarser level's correction, interpolated between its points. */
        /* U[2*i][2*j] += C[i][j] */
        DPC_CHANGE_AT_COMPARED(space, U_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, 0), DPC_LINEAR(1, 2, 0)), DPC_LINE(51),
                               DPC_TO(1, m - 1), DPC_TO(1, m - 1)) {
            const dpc_run i_run = dpc_first_run(space, 0), j_run = dpc_first_run(space, 1);
            double (*restrict U)[U_dist->across[1]] = U_dist->origin, (*restrict C)[C_dist.across[1]] = C_dist.origin;
            DPC_IN_RUN(i, i_run) DPC_IN_RUN(j, j_run) U[2 * i][2 * j] += C[i][j];
        }
        DPC_CHANGE_AT_COMPARED(space, U_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, 1), DPC_LINEAR(1, 2, 0)), DPC_LINE(52),
                               DPC_TO(0, m - 1), DPC_TO(1, m - 1)) {
            /* U[2*i+1][2*j] += (C[i][j] + C[i+1][j]) / 2; C[-1:1][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = exchange_halo(dpc_refresh(DPC_LINE(52), 1, (dpc_array *[]){&C_dist}));
            double (*restrict U)[U_dist->across[1]] = U_dist->origin, (*restrict C)[C_dist.across[1]] = C_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_CYCLIC_WIDTH(1, 1), DPC_CYCLIC_WIDTH(0, 0)))
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1) U[2 * i + 1][2 * j] += (C[i][j] + C[i + 1][j]) / 2;
        }
        DPC_CHANGE_AT_COMPARED(space, U_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, 0), DPC_LINEAR(1, 2, 1)), DPC_LINE(53),
                               DPC_TO(1, m - 1), DPC_TO(0, m - 1)) {
            /* U[2*i][2*j+1] += (C[i][j] + C[i][j+1]) / 2; C[-1:1][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = exchange_halo(dpc_refresh(DPC_LINE(53), 1, (dpc_array *[]){&C_dist}));
            double (*restrict U)[U_dist->across[1]] = U_dist->origin, (*restrict C)[C_dist.across[1]] = C_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_CYCLIC_WIDTH(0, 0), DPC_CYCLIC_WIDTH(1, 1)))
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1) U[2 * i][2 * j + 1] += (C[i][j] + C[i][j + 1]) / 2;
        }
        DPC_CHANGE_AT_COMPARED(space, U_dist, DPC_SUBSCRIPTS(DPC_LINEAR(0, 2, 1), DPC_LINEAR(1, 2, 1)), DPC_LINE(54),
                               DPC_TO(0, m - 1), DPC_TO(0, m - 1)) {
            /* U[2*i+1][2*j+1] += (C[i][j] + C[i+1][j] + C[i][j+1] + C[i+1][j+1]) / 4
             *   C[-1:1][-1:1]: ghost cells, where it has changed */
            dpc_refreshing *halo = exchange_halo(dpc_refresh(DPC_LINE(54), 1, (dpc_array *[]){&C_dist}));
            double (*restrict U)[U_dist->across[1]] = U_dist->origin, (*restrict C)[C_dist.across[1]] = C_dist.origin;
            DPC_BOXES(box, space, halo, DPC_WIDTHS(DPC_CYCLIC_WIDTH(1, 1), DPC_CYCLIC_WIDTH(1, 1)))
                DPC_IN_BOX(i, box, 0) DPC_IN_BOX(j, box, 1)
                    U[2 * i + 1][2 * j + 1] += (C[i][j] + C[i + 1][j] + C[i][j + 1] + C[i + 1][j + 1]) / 4;
        }
    }
    smooth(n, DPC_PASS(DPC_LINE(56), U_dist), DPC_PASS(DPC_LINE(56), F_dist), 2);
}

static double largest(long n, const dpc_argument *X_argument) {
    DPC_PARAMETER dpc_parameter X_parameter = {.argument = X_argument};
    dpc_array *const X_dist = dpc_receive(&X_parameter, DPC_LINE(60), "X", DPC_DOUBLE, 2, DPC_BOUNDS({0, n}, {0, n}),
                                          DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL);
    double maxval_61 = -HUGE_VAL;
    DPC_LOCAL(DPC_LINE(61)) { /* maxval(fabs(X[:][:])) */
        const double (*restrict X)[X_dist->across[1]] = X_dist->origin;
        DPC_OWNED(i, X_dist, 0) DPC_OWNED(j, X_dist, 1) maxval_61 = dpc_larger(fabs(X[i][j]), maxval_61);
    }
    return dpc_combined(DPC_MAX, maxval_61);
}

static void print_line(long n, const dpc_argument *V_argument) {
    DPC_PARAMETER dpc_parameter V_parameter = {.argument = V_argument};
    dpc_array *const V_dist = dpc_receive(&V_parameter, DPC_LINE(65), "V", DPC_DOUBLE, 1, DPC_BOUNDS({0, n}),
                                          DPC_FORMATS(DPC_CYCLIC(1)), NULL);
    for (long k = 0; k <= n; k += n / 8) printf(" %.6f", dpc_get(double, V_dist, DPC_LINE(66), k));
    printf("\n");
}

static dpc_array U_dist, F_dist, R_dist; /* double U[0:N][0:N], F[0:N][0:N], R[0:N][0:N]; */

int main(void) {
    dpc_init(0);
    dpc_create_with_halo(&U_dist, DPC_LINE(71), "U", DPC_DOUBLE, 2, DPC_BOUNDS({0, N}, {0, N}),
        DPC_FORMATS(DPC_BLOCK, DPC_BLOCK), NULL, DPC_WIDTHS(DPC_WIDTH(1, 1), DPC_WIDTH(1, 1)), DPC_NO_CORNERS);
    dpc_create_like(&F_dist, DPC_LINE(71), "F", DPC_DOUBLE, &U_dist);
    dpc_create_like(&R_dist, DPC_LINE(71), "R", DPC_DOUBLE, &U_dist);
    const double h = 1.0 / N;
    /* Of the solution x (1 - x) y (1 - y), which the mesh represents exactly. */
    DPC_CHANGE(&F_dist, DPC_LINE(76)) { /* F[i][j] = 2 * (i * h * (1 - i * h) + j * h * (1 - j * h)) */
        double (*restrict F)[F_dist.across[1]] = F_dist.origin;
        DPC_OWNED_IN(i, 1, N - 1, &F_dist, 0) DPC_OWNED_IN(j, 1, N - 1, &F_dist, 1)
            F[i][j] = 2 * (i * h * (1 - i * h) + j * h * (1 - j * h));
    }

    for (int count = 1; count <= 8; count++) {
        cycle(N, DPC_PASS(DPC_LINE(79), &U_dist), DPC_PASS(DPC_LINE(79), &F_dist));
        find_residual(N, DPC_PASS(DPC_LINE(80), &R_dist), DPC_PASS(DPC_LINE(80), &U_dist),
                      DPC_PASS(DPC_LINE(80), &F_dist));
        printf("cycle %d: largest residual %.2e\n", count, largest(N, DPC_PASS(DPC_LINE(81), &R_dist)));
    }
    print_line(N, DPC_PASS_SECTION(DPC_LINE(83), &U_dist, DPC_AT(N/2), {0, N, 1}));
    print_line(N, DPC_PASS_SECTION(DPC_LINE(84), &U_dist, {0, N, 1}, DPC_AT(N/4)));
    DPC_CHANGE(&R_dist, DPC_LINE(85)) { /* R[i][j] = U[i][j] - i * h * (1 - i * h) * j * h * (1 - j * h) */
        double (*restrict R)[R_dist.across[1]] = R_dist.origin, (*restrict U)[U_dist.across[1]] = U_dist.origin;
        DPC_OWNED(i, &R_dist, 0) DPC_OWNED(j, &R_dist, 1) R[i][j] = U[i][j] - i * h * (1 - i * h) * j * h * (1 - j * h);
    }
    printf("%s\n", largest(N, DPC_PASS(DPC_LINE(86), &R_dist)) < 1e-6 ? "right" : "wrong");
    return dpc_finish(0);
}
