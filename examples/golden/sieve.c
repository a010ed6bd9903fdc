/* The sieve of Eratosthenes.
 *
 * Striking out the multiples of k is one array assignment with stride k; which k comes next is a single element read, whose
 * value every process gets.  Block-cyclic, so that every process has its share of the small and of the large numbers. */
#include <stdio.h>

/* Translated by dpcc; to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md */
#define DPC_SOURCE "examples/sieve.dpc"
#include <dpc.h>

#define N 20000L

static dpc_array prime_dist; /* char prime[0:N]; */

int main(void) {
    dpc_init(0);
    dpc_grid *P = dpc_new_grid(DPC_LINE(10), "P", 1, (const dpc_index[]){DPC_CHOSEN});
    dpc_create_with_halo(&prime_dist, DPC_LINE(11), "prime", DPC_CHAR, 1, DPC_BOUNDS({0, N}),
                         DPC_FORMATS(DPC_CYCLIC_APART(64, 2)), P, DPC_WIDTHS(DPC_WIDTH(0, 2)), DPC_NO_CORNERS);
    DPC_CHANGE_ON(space, &prime_dist, DPC_LINE(14), DPC_TO(0, N)) { /* prime[:] = 1 */
        char *restrict prime = prime_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) prime[i - i_run.shift] = 1;
    }
    DPC_CHANGE_ON(space, &prime_dist, DPC_LINE(15), DPC_TO(0, 1)) { /* prime[0:1] = 0 */
        char *restrict prime = prime_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run) prime[i - i_run.shift] = 0;
    }

    long k = 2;
    while (k * k <= N) {
        DPC_CHANGE_ON_COMPARED(space, &prime_dist, DPC_LINE(19), DPC_BY(k * k, N, k)) { /* prime[k*k:N:k] = 0 */
            char *restrict prime = prime_dist.local;
            DPC_RUNS(i_run, space, 0)
                for (long i = i_run.first; i <= i_run.last; i += i_run.step) prime[i - i_run.shift] = 0;
        }
        do k++; while (!dpc_get(char, &prime_dist, DPC_LINE(20), k));
    }

    long sum_23 = 0;
    DPC_FORALL_ON(space, &prime_dist, DPC_LINE(23), DPC_TO(0, N)) { /* sum(i = 0:N, prime[i], 1L) */
        const char *restrict prime = prime_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run)
            if (prime[i - i_run.shift]) sum_23 += 1L;
    }
    printf("%ld primes up to %ld\n", dpc_combined(DPC_SUM, sum_23), N);
    long sum_24 = 0;
    DPC_FORALL_ON(space, &prime_dist, DPC_LINE(24), DPC_TO(0, N)) { /* sum(i = 0:N, prime[i], i) */
        const char *restrict prime = prime_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run)
            if (prime[i - i_run.shift]) sum_24 += i;
    }
    printf("their sum is %ld\n", dpc_combined(DPC_SUM, sum_24));
    long sum_25 = 0;
    DPC_FORALL_ON(space, &prime_dist, DPC_LINE(25), DPC_TO(2, N - 2)) {
        /* sum(i = 2:N-2, prime[i] && prime[i+2], 1L)
         *   prime[0:2]: ghost cells around every block, where it has changed */
        dpc_refreshing *halo = dpc_refresh(DPC_LINE(25), 1, (dpc_array *[]){&prime_dist});
        DPC_RECEIVES(from, halo) MPI_Irecv(DPC_MESSAGE(halo, from));
        DPC_SENDS(to, halo) MPI_Isend(DPC_MESSAGE(halo, to));
        const char *restrict prime = prime_dist.local;
        dpc_end_refresh(halo);
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run)
            if (prime[i - i_run.shift] && prime[i - i_run.shift + 2]) sum_25 += 1L;
    }
    printf("%ld pairs of twins\n", dpc_combined(DPC_SUM, sum_25));
    long maxval_26 = LONG_MIN;
    DPC_FORALL_ON(space, &prime_dist, DPC_LINE(26), DPC_TO(0, N)) { /* maxval(i = 0:N, prime[i], i) */
        const char *restrict prime = prime_dist.local;
        DPC_BLOCK_RUNS(i_run, space, 0) DPC_IN_RUN(i, i_run)
            if (prime[i - i_run.shift]) maxval_26 = dpc_larger(i, maxval_26);
    }
    printf("the largest is %ld\n", dpc_combined(DPC_MAX, maxval_26));

    printf("the first ones:");
    for (k = 0; k <= 50; k++)
        if (dpc_get(char, &prime_dist, DPC_LINE(30), k)) printf(" %ld", k);
    printf("\n");
    return dpc_finish(0);
}
