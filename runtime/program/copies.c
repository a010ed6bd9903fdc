/* Local parts that stay when an array takes another mapping.  They serve again when the old mapping comes back, if
 * nothing has been assigned meanwhile: every process finds the same, because all number an array's contents alike
 * (dpc_changed).  Where memory is short they go. */
#include "../base/settings.h"
#include "../base/shared.h"
#include "../placement.h"
#include "program.h"

typedef struct copy {
    struct copy *next;
    const dpc_array *owner;
    dpc_array part;   /* the owner as it was */
    int64_t contents; /* of the owner while the values are the same */
    dpc_index bytes;  /* of any process, at most */
} copy;

static copy *copies;
static dpc_index held; /* bytes of all */

/* Bytes that copies may take on a process: DPC_COPIES; none where nothing stays, or experiments ask for a method. */
static dpc_index most_held(void) {
    static dpc_index most = -1;
    if (most >= 0) return most;
    most = dpc_setting_number(DPC_SETTING_COPIES, INT64_MAX);
    if (dpc_setting_number(DPC_SETTING_KEEP, 1) == 0 || dpc_setting_text(DPC_SETTING_REDISTRIBUTE) != NULL) most = 0;
    return most;
}

static void unlink_copy(copy **link) {
    copy *c = *link;
    *link = c->next;
    held -= c->bytes;
    dpc_free_buffer(c);
}

static void free_copy(copy **link) {
    dpc_release_mapping(&(*link)->part);
    dpc_give_shared((*link)->part.storage);
    unlink_copy(link);
}

static void free_copies(void) {
    while (copies != NULL) free_copy(&copies);
}

/* Copies of an array with other contents go. */
static void drop_others(const dpc_array *a, int64_t contents) {
    for (copy **link = &copies; *link != NULL;)
        if ((*link)->owner == a && (*link)->contents != contents)
            free_copy(link);
        else
            link = &(*link)->next;
}

void dpc_carry_copies(const dpc_array *a, int64_t before) {
    drop_others(a, before);
    for (copy *c = copies; c != NULL; c = c->next)
        if (c->owner == a) c->contents = a->contents;
}

void dpc_drop_copies(const dpc_array *a) {
    drop_others(a, 0);
}

void dpc_leave_copy(dpc_array *a) {
    const dpc_index bytes = dpc_most_bytes(a);
    drop_others(a, a->contents);
    if (bytes > most_held() - held) return;
    copy *c = dpc_buffer(1, sizeof *c);
    dpc_at_finish(free_copies);
    *c = (copy){copies, a, *a, a->contents, bytes};
    for (int k = 0; k < a->rank; k++) dpc_hold_dim(&c->part.dim[k]);
    copies = c;
    held += bytes;
    a->storage = NULL;
}

void dpc_take_formats(dpc_array *a, const dpc_array *from) {
    for (int k = 0; k < a->rank; k++)
        a->format[k] = (dpc_format){from->format[k].kind, from->format[k].block, a->format[k].gap, NULL, 0, 0};
}

bool dpc_has_room(const dpc_array *a, const dpc_array *wanted) {
    bool fits = a->corners >= wanted->corners;
    for (int k = 0; k < a->rank; k++) {
        const dpc_width *x = &a->halo[k], *y = &wanted->halo[k];
        fits = fits && dpc_gap(&a->dim[k]) == dpc_gap(&wanted->dim[k]) && x->low >= y->low && x->high >= y->high &&
               x->cyclic >= y->cyclic;
    }
    return fits;
}

bool dpc_take_copy(const dpc_array *a, dpc_array *changed) {
    for (copy **link = &copies; *link != NULL; link = &(*link)->next) {
        const copy *c = *link;
        if (c->owner != a || c->contents != a->contents || !dpc_same_mapping(&c->part, changed) ||
            !dpc_has_room(&c->part, changed))
            continue;
        dpc_array part = c->part;
        dpc_take_formats(&part, changed);
        dpc_release_mapping(changed);
        *changed = part;
        dpc_number_mapping(changed);
        dpc_changed(changed);
        unlink_copy(link);
        return true;
    }
    return false;
}

bool dpc_spare_copies(bool needed) {
    int here = needed, anywhere = 0;
    if (copies == NULL) return false;
    MPI_Allreduce(&here, &anywhere, 1, MPI_INT, MPI_LOR, dpc_communicator);
    if (anywhere) free_copies();
    return anywhere != 0;
}
