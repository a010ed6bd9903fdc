/* The messages of a redistribution alone, on a simulated network, whose times are exact: one to each partner, of its
 * elements, everything at once, as all index methods send them; no lists, no packing, no data, so that arrays may be as
 * large as the papers'.  Reads cases as compare.c does, leaves out those for another number of processes, prints
 *     CASE messages MILLISECONDS MOST
 * MOST: messages that a process sends. */
#include "../../runtime/redistribution/engine.h"
#include "compare.h"
#include "simulated.h"

typedef struct {
    int partners;
    int process[256];
    dpc_index bytes[256];
} partners;

/* Everything that `mine` shares with each process of `theirs`; what stays is left out. */
static partners list_partners(const problem *p, const dpc_mapping *mine, const dpc_mapping *theirs) {
    partners all = {0};
    dpc_shares shares[DPC_MAX_RANK];
    dpc_index total = 1;
    for (int k = 0; k < mine->rank; k++) {
        const dpc_line a = dpc_line_of(mine, k), b = dpc_line_of(theirs, k);
        shares[k] = dpc_walk_shares(&a, coordinate_at(mine, k, p->rank), &b);
        total *= shares[k].count;
    }
    for (dpc_index n = 0; n < total; n++) {
        dpc_index at[DPC_MAX_RANK], rest = n, elements = 1;
        for (int k = mine->rank - 1; k >= 0; k--) {
            const dpc_share *share = &shares[k].share[rest % shares[k].count];
            rest /= shares[k].count;
            at[k] = share->coordinate;
            elements *= share->elements;
        }
        const int process = dpc_mapped_process(theirs, at);
        if (process == p->rank) continue;
        all.process[all.partners] = process;
        all.bytes[all.partners++] = elements * (dpc_index)sizeof(double);
    }
    for (int k = 0; k < mine->rank; k++) dpc_free_shares(&shares[k]);
    return all;
}

static char *buffer_for(const partners *all) {
    dpc_index most = 1;
    for (int k = 0; k < all->partners; k++) most = dpc_maximum(most, all->bytes[k]);
    return calloc((size_t)most, 1);
}

static double exchange(const partners *out, const partners *in) {
    MPI_Request requests[512];
    char *sent = buffer_for(out), *received = buffer_for(in);
    int count = 0;
    start_together();
    const double start = MPI_Wtime();
    for (int k = 0; k < in->partners; k++)
        MPI_Irecv(received, (int)in->bytes[k], MPI_BYTE, in->process[k], 0, MPI_COMM_WORLD, &requests[count++]);
    for (int k = 0; k < out->partners; k++)
        MPI_Isend(sent, (int)out->bytes[k], MPI_BYTE, out->process[k], 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    const double seconds = greatest(MPI_Wtime() - start);
    free(sent), free(received);
    return seconds;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (problem p; next_case(&p);) {
        if (places_of(&p.from) != p.processes) continue;
        const partners out = list_partners(&p, &p.from, &p.to), in = list_partners(&p, &p.to, &p.from);
        const double seconds = exchange(&out, &in), most = greatest((double)out.partners);
        if (p.rank == 0) printf("%s messages %.3f %.0f\n", p.name, 1e3 * seconds, most);
    }
    MPI_Finalize();
    return 0;
}
