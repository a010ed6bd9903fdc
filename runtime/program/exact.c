/* Sums and products that are rounded once: the integers of all processes' accumulators are added. */
#include "program.h"

/* The bins of one sum, after carries: all fit in 64 bits, also those of many processes added. */
static void pack_exact(int bins, dpc_wide *bin, const int64_t *special, int64_t *numbers) {
    dpc_exact_carry(bins, bin);
    for (int b = 0; b < bins; b++) numbers[b] = (int64_t)bin[b];
    for (int k = 0; k < 3; k++) numbers[bins + k] = special[k];
}

static void unpack_exact(int bins, dpc_wide *bin, int64_t *special, const int64_t *numbers) {
    for (int b = 0; b < bins; b++) bin[b] = numbers[b];
    for (int k = 0; k < 3; k++) special[k] = numbers[bins + k];
}

static void add_numbers(int64_t *numbers, int count) {
    dpc_begin_counting(NULL, DPC_COUNT_collectives);
    dpc_count_message(count * (dpc_index)sizeof *numbers);
    MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_SUM, dpc_communicator);
    dpc_end_counting();
}

/* Sums that travel together: a message of 4 MiB and less. */
enum { TOGETHER = 4096 };

DPC_STEADY void dpc_combine_exact(dpc_exact *sums, dpc_index count) {
    enum { NUMBERS = DPC_EXACT_BINS + 3 };
    if (dpc_nprocs() == 1) return;
    int64_t *numbers = dpc_raw_buffer(dpc_minimum(count, TOGETHER), NUMBERS * (dpc_index)sizeof *numbers);
    for (; count > 0; sums += TOGETHER, count -= TOGETHER) {
        const int n = (int)dpc_minimum(count, TOGETHER);
        for (int k = 0; k < n; k++) pack_exact(DPC_EXACT_BINS, sums[k].bin, sums[k].special, numbers + k * NUMBERS);
        add_numbers(numbers, n * NUMBERS);
        for (int k = 0; k < n; k++) unpack_exact(DPC_EXACT_BINS, sums[k].bin, sums[k].special, numbers + k * NUMBERS);
    }
    dpc_free_buffer(numbers);
}

DPC_STEADY void dpc_combine_exact_long(dpc_exact_long *sums, dpc_index count) {
    enum { NUMBERS = DPC_EXACT_LONG_BINS + 3, SOME = TOGETHER / 16 };
    if (dpc_nprocs() == 1) return;
    int64_t *numbers = dpc_raw_buffer(dpc_minimum(count, SOME), NUMBERS * (dpc_index)sizeof *numbers);
    for (; count > 0; sums += SOME, count -= SOME) {
        const int n = (int)dpc_minimum(count, SOME);
        for (int k = 0; k < n; k++)
            pack_exact(DPC_EXACT_LONG_BINS, sums[k].bin, sums[k].special, numbers + k * NUMBERS);
        add_numbers(numbers, n * NUMBERS);
        for (int k = 0; k < n; k++)
            unpack_exact(DPC_EXACT_LONG_BINS, sums[k].bin, sums[k].special, numbers + k * NUMBERS);
    }
    dpc_free_buffer(numbers);
}

/* Logarithms travel in pieces, of which many processes' fit in 64 bits together. */
enum { PIECES = 3, PIECE = 43 };

/* The exponential of these together. */
static void multiply_pieces(dpc_exact_product *product, const int64_t *piece) {
    dpc_exact_product all = dpc_exact_one();
    for (int k = PIECES - 1; k >= 0; k--) {
        for (int bit = 0; bit < PIECE; bit++) dpc_exact_scale(&all, all.logarithm, all.exponent);
        dpc_exact_scale(&all, piece[k], 0);
    }
    dpc_exact_scale(product, all.logarithm, all.exponent);
}

void dpc_combine_exact_product(dpc_exact_product *product) {
    const int64_t low = ((int64_t)1 << PIECE) - 1;
    if (dpc_nprocs() == 1) return;
    int64_t numbers[PIECES + 5] = {
        [PIECES] = product->exponent, product->negative, product->zeros, product->infinities, product->nans};
    for (int k = 0; k < PIECES; k++) numbers[k] = (int64_t)(product->logarithm >> k * PIECE) & low;
    add_numbers(numbers, PIECES + 5);
    *product = (dpc_exact_product){.exponent = numbers[PIECES],
                                   .negative = numbers[PIECES + 1],
                                   .zeros = numbers[PIECES + 2],
                                   .infinities = numbers[PIECES + 3],
                                   .nans = numbers[PIECES + 4]};
    multiply_pieces(product, numbers);
}
