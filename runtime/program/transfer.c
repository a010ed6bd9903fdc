/* Values on their way to this process, or here: what is common to all that brings them. */
#include "../base/settings.h"
#include "program.h"

enum { MOST_PLANS = 64 }; /* where DPC_PLANS says nothing */

DPC_STEADY dpc_index dpc_most_plans(void) {
    static dpc_index most = -1; /* not read yet */
    if (most < 0) most = dpc_setting_number(DPC_SETTING_PLANS, MOST_PLANS);
    return most;
}

DPC_STEADY void dpc_finish_transfer(dpc_transfer *t) {
    if (t->finish == NULL) return;
    t->finish(t);
    t->finish = NULL;
    t->here = true;
}

void dpc_cut_to_own(const dpc_transfer *t, dpc_index *low, dpc_index *high) {
    if (!t->here) t->cut_to_own(t, low, high);
}

dpc_transfer *dpc_arrived(void *buffer) {
    dpc_transfer *t = dpc_take_staging(1, sizeof *t);
    *t = (dpc_transfer){.buffer = buffer, .here = true};
    return t;
}

dpc_transfer *dpc_reused_transfer(dpc_transfer *t, void **values) {
    if (values != NULL) *values = t->buffer;
    t->stays = true;
    return t;
}

void *dpc_arriving(const dpc_transfer *t) {
    return t->buffer;
}

DPC_STEADY void *dpc_arrive(dpc_transfer *t) {
    dpc_finish_transfer(t);
    return t->buffer;
}

DPC_STEADY void dpc_release(dpc_transfer *t) {
    if (t == NULL) return;
    dpc_finish_transfer(t);
    if (!t->stays) dpc_give_staging(t->buffer);
    if (t->in_use != NULL)
        *t->in_use = false;
    else
        dpc_give_staging(t);
}
