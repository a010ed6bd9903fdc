/* The transfer engine: moves the elements of an n-dimensional product of communication sets from where they lie to
 * where they are wanted.  Lee and Chen, figure 1: receives are posted, messages packed and sent, the own part copied;
 * then messages are unpacked as they come.  Only processes that share elements exchange messages. */
#include "internal.h"

#include <string.h>

/* What this process shares with the processes of the other end. */
typedef struct {
    int rank;                      /* axes */
    dpc_sets sets[DPC_MAX_RANK];   /* per axis, against the other end's coordinates */
    dpc_index scale[DPC_MAX_RANK]; /* per axis */
    dpc_index count;               /* partners; 0 when this process does not take part */
    int *process;                  /* per partner */
    dpc_index *coordinate;         /* per partner and axis: the partner's coordinate */
    char *storage;
} party;

struct dpc_transfer {
    dpc_index size; /* bytes per element */
    party receiver;
    dpc_mail incoming, outgoing;
    dpc_index *source; /* partner of each incoming message */
    void *buffer;
    bool arrived;
};

/* The coordinates of one grid dimension of the other end that take part. */
typedef struct {
    dpc_index count, *coordinate;
} choice;

void dpc_restrict_end(dpc_end *end, const dpc_dim *dim, const dpc_access *access) {
    if (dim->grid_dim < 0) {
        if (dpc_owned_count(dim, access, 0) == 0) end->possible = false;
        return;
    }
    end->axis_of[dim->grid_dim] = -1;
    end->other_dim[dim->grid_dim] = *dim;
    end->other_access[dim->grid_dim] = *access;
    if (end->active && dpc_owned_count(dim, access, end->grid->coord[dim->grid_dim]) == 0) end->active = false;
}

void dpc_add_axis(dpc_end *end, int axis, const dpc_dim *dim, const dpc_access *access, dpc_index coord,
                  dpc_index scale) {
    end->dim[axis] = *dim;
    end->access[axis] = *access;
    end->coord[axis] = coord;
    end->scale[axis] = scale;
    if (dim->grid_dim >= 0) end->axis_of[dim->grid_dim] = axis;
}

/* The coordinates along grid dimension g of `other` that share elements with this process. */
static choice choose(const party *mine, const dpc_end *other, int g) {
    const int axis = other->axis_of[g];
    choice c = {0, dpc_buffer(other->grid->extent[g], sizeof *c.coordinate)};
    for (dpc_index q = 0; q < other->grid->extent[g]; q++) {
        const bool shared = axis >= 0 ? dpc_sets_size(&mine->sets[axis], q) > 0
                                      : dpc_owned_count(&other->other_dim[g], &other->other_access[g], q) > 0;
        if (shared) c.coordinate[c.count++] = q;
    }
    return c;
}

/* The other end does not divide this axis: everything of mine is shared. */
static bool undivided(const dpc_end *other, int axis) {
    return other->grid == NULL || other->dim[axis].grid_dim < 0;
}

static void add_partner(party *mine, const dpc_end *other, const dpc_index *coordinates) {
    dpc_index *coordinate = &mine->coordinate[mine->count * mine->rank];
    for (int k = 0; k < mine->rank; k++) coordinate[k] = undivided(other, k) ? 0 : coordinates[other->dim[k].grid_dim];
    mine->process[mine->count++] = dpc_grid_process(other->grid, coordinates);
}

/* Every combination of the chosen coordinates is a partner. */
static void combine(party *mine, const dpc_end *other, const choice *choices) {
    const int rank = other->grid->rank;
    dpc_index total = 1, coordinates[DPC_MAX_RANK] = {0};
    for (int g = 0; g < rank; g++) total *= choices[g].count;
    mine->process = dpc_buffer(total, sizeof *mine->process);
    mine->coordinate = dpc_buffer(total * mine->rank, sizeof *mine->coordinate);
    for (dpc_index number = 0; number < total; number++) {
        dpc_index rest = number;
        for (int g = rank - 1; g >= 0; g--) {
            coordinates[g] = choices[g].coordinate[rest % choices[g].count];
            rest /= choices[g].count;
        }
        add_partner(mine, other, coordinates);
    }
}

static void find_partners(party *mine, const dpc_end *other) {
    choice choices[DPC_MAX_RANK];
    for (int k = 0; k < mine->rank; k++)
        if (undivided(other, k) && dpc_sets_size(&mine->sets[k], 0) == 0) return;
    if (other->grid == NULL) {
        mine->count = dpc_nprocs();
        mine->process = dpc_buffer(mine->count, sizeof *mine->process);
        mine->coordinate = dpc_buffer(mine->count * mine->rank, sizeof *mine->coordinate);
        for (int p = 0; p < dpc_nprocs(); p++) mine->process[p] = p;
        return;
    }
    for (int g = 0; g < other->grid->rank; g++) choices[g] = choose(mine, other, g);
    combine(mine, other, choices);
    for (int g = 0; g < other->grid->rank; g++) dpc_free_buffer(choices[g].coordinate);
}

/* The sets of this process, which is on the end `mine`, against the end `other`, and its partners there. */
static party open_party(int rank, const dpc_end *mine, const dpc_end *other) {
    party p = {.rank = rank, .storage = mine->storage};
    if (!mine->active || !mine->possible || !other->possible) return p;
    for (int k = 0; k < rank; k++) {
        p.scale[k] = mine->scale[k];
        if (!dpc_sets_rowwise(&p.sets[k], &mine->dim[k], &mine->access[k], mine->coord[k], &other->dim[k],
                              &other->access[k], mine->addressing))
            dpc_fail(NULL, "out of memory for communication sets");
    }
    find_partners(&p, other);
    return p;
}

static void close_party(party *p) {
    for (int k = 0; k < p->rank; k++) dpc_sets_free(&p->sets[k]);
    dpc_free_buffer(p->process);
    dpc_free_buffer(p->coordinate);
    *p = (party){0};
}

/* The axes of what this process shares with a partner, as it lies in this process's storage. */
static void storage_axes(const party *p, dpc_index partner, dpc_axis *axes) {
    for (int k = 0; k < p->rank; k++)
        axes[k] = (dpc_axis){&p->sets[k], p->coordinate[partner * p->rank + k], 0, p->scale[k]};
}

/* The same elements side by side, as in a message.  Returns their number. */
static dpc_index dense_axes(const party *p, dpc_index partner, dpc_axis *axes) {
    dpc_index elements = 1;
    for (int k = p->rank - 1; k >= 0; k--) {
        const dpc_index length = dpc_sets_size(&p->sets[k], p->coordinate[partner * p->rank + k]);
        axes[k] = (dpc_axis){NULL, 0, length, elements};
        elements *= length;
    }
    return elements;
}

/* The partner that is this process, or -1. */
static dpc_index own_partner(const party *p) {
    for (dpc_index k = 0; k < p->count; k++)
        if (p->process[k] == dpc_rank()) return k;
    return -1;
}

/* Opens the messages between this process and its partners; the partner of each is in partner_of. */
static dpc_mail open_messages(const party *p, dpc_index *partner_of, int tag) {
    const dpc_index own = own_partner(p);
    dpc_mail mail = dpc_open_mail(tag, p->count - (own >= 0));
    for (dpc_index n = 0, m = 0; n < p->count; n++) {
        const dpc_index k = (own + 1 + n) % p->count;
        if (k == own) continue;
        partner_of[m] = k;
        mail.message[m++].process = p->process[k];
    }
    return mail;
}

/* Finds where message m is packed or unpacked: in the array itself when its elements lie there side by side. */
static void place_message(dpc_transfer *t, dpc_mail *mail, dpc_index m, const party *p, dpc_index partner) {
    dpc_axis dense[DPC_MAX_RANK], axes[DPC_MAX_RANK];
    mail->message[m].bytes = dense_axes(p, partner, dense) * t->size;
    storage_axes(p, partner, axes);
    const dpc_index offset = dpc_contiguous_product(p->rank, dense, axes);
    if (offset >= 0)
        mail->message[m].data = p->storage + offset * t->size;
    else
        dpc_message_buffer(mail, m);
}

static void post_receives(dpc_transfer *t, int tag) {
    t->source = dpc_buffer(t->receiver.count, sizeof *t->source);
    t->incoming = open_messages(&t->receiver, t->source, tag);
    for (dpc_index m = 0; m < t->incoming.count; m++) {
        place_message(t, &t->incoming, m, &t->receiver, t->source[m]);
        dpc_post_receive(&t->incoming, m);
    }
}

static void pack(dpc_transfer *t, const party *p, dpc_index partner, char *data) {
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    dense_axes(p, partner, to);
    storage_axes(p, partner, from);
    dpc_copy_product(p->rank, to, data, from, p->storage, t->size);
}

static void send_all(dpc_transfer *t, const party *p, int tag) {
    dpc_index *target = dpc_buffer(p->count, sizeof *target);
    t->outgoing = open_messages(p, target, tag);
    for (dpc_index m = 0; m < t->outgoing.count; m++) {
        place_message(t, &t->outgoing, m, p, target[m]);
        if (t->outgoing.message[m].buffer != NULL) pack(t, p, target[m], t->outgoing.message[m].data);
        dpc_post_send(&t->outgoing, m);
    }
    dpc_free_buffer(target);
}

static void copy_own_part(const dpc_transfer *t, const party *sender) {
    const dpc_index from = own_partner(sender), to = own_partner(&t->receiver);
    dpc_axis from_axes[DPC_MAX_RANK], to_axes[DPC_MAX_RANK];
    if (from < 0 || to < 0) return;
    storage_axes(sender, from, from_axes);
    storage_axes(&t->receiver, to, to_axes);
    dpc_copy_product(sender->rank, to_axes, t->receiver.storage, from_axes, sender->storage, t->size);
}

dpc_transfer *dpc_start_exchange(int rank, const dpc_end *from, const dpc_end *to, dpc_index size) {
    dpc_transfer *t = dpc_buffer(1, sizeof *t);
    const int tag = dpc_next_tag();
    party sender = open_party(rank, from, to);
    t->size = size;
    t->receiver = open_party(rank, to, from);
    post_receives(t, tag);
    send_all(t, &sender, tag);
    copy_own_part(t, &sender);
    close_party(&sender);
    return t;
}

void dpc_finish_exchange(dpc_transfer *t) {
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    if (t->arrived) return;
    t->arrived = true;
    for (dpc_index m; (m = dpc_next_arrival(&t->incoming)) >= 0;) {
        if (t->incoming.message[m].buffer == NULL) continue;
        dense_axes(&t->receiver, t->source[m], from);
        storage_axes(&t->receiver, t->source[m], to);
        dpc_copy_product(t->receiver.rank, to, t->receiver.storage, from, t->incoming.message[m].data, t->size);
    }
    dpc_wait_mail(&t->outgoing);
    dpc_close_mail(&t->incoming);
    dpc_close_mail(&t->outgoing);
    dpc_free_buffer(t->source);
    close_party(&t->receiver);
}

void dpc_set_transfer_buffer(dpc_transfer *t, void *buffer) {
    t->buffer = buffer;
}

void *dpc_arrive(dpc_transfer *t) {
    dpc_finish_exchange(t);
    return t->buffer;
}

void dpc_release(dpc_transfer *t) {
    if (t == NULL) return;
    dpc_finish_exchange(t);
    dpc_free_buffer(t->buffer);
    dpc_free_buffer(t);
}
