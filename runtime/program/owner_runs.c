/* Runs of elements that lie side by side with one owner, and how many of them go between processes. */
#include "program.h"

#include <string.h>

void dpc_add_owner_run(dpc_owner_runs *list, dpc_owner_run run) {
    if (list->count == list->capacity) {
        const dpc_index capacity = dpc_maximum(64, 2 * list->capacity);
        dpc_owner_run *larger = dpc_take_staging(capacity, sizeof *larger);
        if (list->count > 0) memcpy(larger, list->run, (size_t)list->count * sizeof *larger);
        dpc_give_staging(list->run);
        list->run = larger;
        list->capacity = capacity;
    }
    list->run[list->count++] = run;
}

dpc_index dpc_elements_beside(const dpc_array *a, dpc_index index) {
    const dpc_dim *x = &a->dim[a->rank - 1];
    const dpc_index at = index - x->lower;
    if (x->procs == 1) return x->extent - at;
    return dpc_is_dealt(x) ? dpc_minimum(x->extent - at, dpc_block(x) - at % dpc_block(x)) : 1;
}

dpc_run_amount *dpc_amounts_of(const dpc_owner_runs *list) {
    dpc_run_amount *mine = dpc_take_staging(dpc_nprocs(), sizeof *mine);
    memset(mine, 0, (size_t)dpc_nprocs() * sizeof *mine);
    for (dpc_index k = 0; k < list->count; k++) {
        const dpc_owner_run *run = &list->run[k];
        if (run->owner == dpc_rank()) continue;
        mine[run->owner].runs++;
        mine[run->owner].elements += run->count;
    }
    return mine;
}

dpc_run_amount *dpc_exchange_amounts(const dpc_run_amount *mine) {
    dpc_run_amount *theirs = dpc_take_staging(dpc_nprocs(), sizeof *theirs);
    dpc_add_count(DPC_COUNT_collectives, 1);
    dpc_add_count(DPC_COUNT_collective_bytes, dpc_nprocs() * (dpc_index)sizeof *mine);
    MPI_Alltoall(mine, 2, MPI_INT64_T, theirs, 2, MPI_INT64_T, dpc_communicator);
    return theirs;
}

dpc_mail dpc_open_run_mail(const dpc_run_amount *of, dpc_index per_run, dpc_index per_element, int tag) {
    dpc_index partners = 0;
    for (int p = 0; p < dpc_nprocs(); p++) partners += of[p].runs > 0;
    dpc_mail mail = dpc_open_mail(tag, partners);
    for (int p = 0, m = 0; p < dpc_nprocs(); p++) {
        if (of[p].runs == 0) continue;
        mail.message[m].process = p;
        mail.message[m++].bytes = of[p].runs * per_run + of[p].elements * per_element;
    }
    return mail;
}
