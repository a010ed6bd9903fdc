/* What one process of a large grid spends on index lists and on packing, without communication: reads cases as
 * compare.c does, on one process, under `valgrind --tool=callgrind --collect-atstart=no`.  For each method of index
 * lists prints CASE METHOD, and has the instructions of the lists, and those of packing and unpacking, of sender and
 * receiver together, written into two files; CASE hsu METHOD is the choice of `hsu`. */
#include "../../runtime/redistribution/engine.h"
#include "compare.h"

#include <valgrind/callgrind.h>

static const struct {
    const char *name;
    dpc_index_method *shares;
} methods[] = {{"scan", dpc_scan_shares},
               {"pitfalls", dpc_pitfalls_shares},
               {"bbc", dpc_bbc_shares},
               {"cdc", dpc_cdc_shares},
               {"walk", dpc_walk_shares}};

enum { METHODS = sizeof methods / sizeof *methods };

/* One side of a process in the middle of the grid. */
typedef struct {
    dpc_shares shares[DPC_MAX_RANK];
    dpc_index stride[DPC_MAX_RANK], elements;
} side;

static side make_lists(const dpc_mapping *mine, const dpc_mapping *theirs, dpc_index_method *method) {
    side s = {.elements = 1};
    for (int k = mine->rank - 1; k >= 0; k--) {
        const dpc_line a = dpc_line_of(mine, k), b = dpc_line_of(theirs, k);
        s.shares[k] = method(&a, a.procs / 2, &b);
        s.stride[k] = s.elements;
        s.elements *= dpc_line_elements(&a, a.procs / 2);
    }
    return s;
}

static void free_side(int rank, side *s) {
    for (int k = 0; k < rank; k++) dpc_free_shares(&s->shares[k]);
}

/* Packs (unpacks) the messages of dimension k and those behind it; returns the buffer's end. */
static char *pack_all(int rank, const side *s, int k, const dpc_share **chosen, char *buffer, char *storage,
                      bool unpack) {
    if (k < rank) {
        for (dpc_index j = 0; j < s->shares[k].count; j++) {
            chosen[k] = &s->shares[k].share[j];
            buffer = pack_all(rank, s, k + 1, chosen, buffer, storage, unpack);
        }
        return buffer;
    }
    dpc_index elements = 1;
    for (int d = 0; d < rank; d++) elements *= chosen[d]->elements;
    if (unpack)
        dpc_unpack_shares(rank, chosen, s->stride, sizeof(double), buffer, storage);
    else
        dpc_pack_shares(rank, chosen, s->stride, sizeof(double), 0, buffer, storage);
    return buffer + elements * (dpc_index)sizeof(double);
}

static void count(const problem *p, dpc_index_method *method) {
    const dpc_share *chosen[DPC_MAX_RANK];
    CALLGRIND_TOGGLE_COLLECT;
    side from = make_lists(&p->from, &p->to, method), to = make_lists(&p->to, &p->from, method);
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS;
    const dpc_index room = dpc_maximum(from.elements, to.elements) + 1;
    char *buffer = calloc((size_t)room, sizeof(double)), *storage = calloc((size_t)room, sizeof(double));
    CALLGRIND_TOGGLE_COLLECT;
    pack_all(p->from.rank, &from, 0, chosen, buffer, storage, false);
    pack_all(p->from.rank, &to, 0, chosen, buffer, storage, true);
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS;
    free(buffer), free(storage);
    free_side(p->from.rank, &from), free_side(p->from.rank, &to);
}

static void print_choice(const problem *p) {
    dpc_line from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    for (int k = 0; k < p->from.rank; k++) {
        from[k] = dpc_line_of(&p->from, k);
        to[k] = dpc_line_of(&p->to, k);
    }
    printf("%s hsu %s\n", p->name, dpc_hsu_takes_cdc(p->from.rank, from, to) ? "cdc" : "bbc");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (problem p; next_case(&p);) {
        for (int k = 0; k < METHODS; k++) {
            printf("%s %s\n", p.name, methods[k].name);
            count(&p, methods[k].shares);
        }
        print_choice(&p);
    }
    MPI_Finalize();
    return 0;
}
