/* Saxpy with strides: the benchmark of Lee and Chen, section 6.2.
 *
 *     A(1997 + 3*i) = A(1997 + 3*i) + alpha * C(5 + 2*i),   i = 0 .. 80639
 *
 * The block sizes 63 and 42 are in the ratio of the strides 3 and 2: then almost every element of C that an iteration reads
 * lies on the process that owns the element of A, and what does not is described by closed forms. */
#include <stdio.h>



/* Translated by dpcc from examples/saxpy.dpc. */
#include <dpc.h>

static dpc_array A_dist; /* double A[(1997 + 3 * (80640L - 1) + 1)]; */
static dpc_array C_dist; /* double C[(5 + 2 * (80640L - 1) + 1)]; */
static dpc_grid *P; /* #pragma dpc processors P(*) */
/* #pragma dpc distribute A(cyclic(63)) onto P */
/* #pragma dpc distribute C(cyclic(42)) onto P */

static void create_arrays(void) {
    P = dpc_new_grid("examples/saxpy.dpc:15", "P", 1, (const dpc_index[]){0});
    dpc_create(&A_dist, "examples/saxpy.dpc:16", "A", DPC_DOUBLE, 1, (const dpc_bounds[]){{0, 243914}}, (const dpc_format[]){DPC_CYCLIC(63)}, P);
    dpc_create(&C_dist, "examples/saxpy.dpc:17", "C", DPC_DOUBLE, 1, (const dpc_bounds[]){{0, 161283}}, (const dpc_format[]){DPC_CYCLIC(42)}, P);
}


int main(void) {
    dpc_init(0);
    create_arrays();
    const double alpha = 0.5;

    /* Whole numbers, and even ones in C, so that every sum below is exact. */
    {
        /* examples/saxpy.dpc:23: A[i] = i % 1000 */
        dpc_space space;
        dpc_forall(&space, "examples/saxpy.dpc:23", false, 1, (const dpc_range[]){{0, 243914, 1}});
        dpc_on(&space, &A_dist, (const dpc_subscript[]){{0, 1, 0}});
        double *restrict A = A_dist.local;
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
            const dpc_index i_last = i_run.last;
            const dpc_index i_shift = i_run.shift;
            for (long i = i_run.first; i <= i_last; i++) {
                A[i - i_shift] = i % 1000;
            }
        }
    }
    {
        /* examples/saxpy.dpc:24: C[i] = 2 * (i % 509) */
        dpc_space space;
        dpc_forall(&space, "examples/saxpy.dpc:24", false, 1, (const dpc_range[]){{0, 161283, 1}});
        dpc_on(&space, &C_dist, (const dpc_subscript[]){{0, 1, 0}});
        double *restrict C = C_dist.local;
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
            const dpc_index i_last = i_run.last;
            const dpc_index i_shift = i_run.shift;
            for (long i = i_run.first; i <= i_last; i++) {
                C[i - i_shift] = 2 * (i % 509);
            }
        }
    }

    {
        /* examples/saxpy.dpc:26: A[1997 + 3*i] = A[1997 + 3*i] + alpha * C[5 + 2*i]
         *   C[5 + 2*i] (cyclic(42)) moves to the owners of A[1997 + 3*i] (cyclic(63)) */
        dpc_space space;
        dpc_forall(&space, "examples/saxpy.dpc:26", false, 1, (const dpc_range[]){{0, 80639, 1}});
        dpc_on(&space, &A_dist, (const dpc_subscript[]){{0, 3, 1997}});
        dpc_transfer *C_move = dpc_fetch(&space, &C_dist, (const dpc_subscript[]){{0, 2, 5}});
        double *restrict A = A_dist.local;
        const double *restrict C_in = dpc_arrive(C_move);
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
            const dpc_index i_last = i_run.last;
            const dpc_index i_shift = i_run.shift;
            for (long i = i_run.first, i_at = i_run.position; i <= i_last; i++, i_at++) {
                A[3 * i - i_shift + 1997] = A[3 * i - i_shift + 1997] + alpha * C_in[i_at];
            }
        }
        dpc_release(C_move);
    }

    printf("first    A[%d] = %.1f, its neighbours %.1f %.1f\n", 1997, dpc_get(double, &A_dist, "examples/saxpy.dpc:28", 1997), dpc_get(double, &A_dist, "examples/saxpy.dpc:28", 1996), dpc_get(double, &A_dist, "examples/saxpy.dpc:28", 1998));
    printf("last     A[%ld] = %.1f, before it %.1f\n", (1997 + 3 * (80640L - 1) + 1) - 1, dpc_get(double, &A_dist, "examples/saxpy.dpc:29", (1997 + 3 * (80640L - 1) + 1) - 1), dpc_get(double, &A_dist, "examples/saxpy.dpc:29", (1997 + 3 * (80640L - 1) + 1) - 2));
    /* examples/saxpy.dpc:30: sum(i = 0:(1997 + 3 * (80640L - 1) + 1)-1, (i % 11 + 1) * A[i]) */
    double sum_30 = 0;
    {
        dpc_space space;
        dpc_forall(&space, "examples/saxpy.dpc:30", false, 1, (const dpc_range[]){{0, 243914, 1}});
        dpc_on(&space, &A_dist, (const dpc_subscript[]){{0, 1, 0}});
        const double *restrict A = A_dist.local;
        for (dpc_run i_run = dpc_first_run(&space, 0); dpc_more(&i_run); dpc_next_run(&space, 0, &i_run)) {
            const dpc_index i_last = i_run.last;
            const dpc_index i_shift = i_run.shift;
            for (long i = i_run.first; i <= i_last; i++) {
                sum_30 += (i % 11 + 1) * A[i - i_shift];
            }
        }
        dpc_reduce(DPC_SUM, dpc_type_of(sum_30), &sum_30);
    }
    printf("weighted %.1f\n", sum_30);
    return dpc_finish(0);
}
