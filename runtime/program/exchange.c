/* The transfer engine: moves the elements of an n-dimensional product of communication sets from where they lie to
 * where they are wanted.  Lee and Chen, figure 1: receives are posted, messages packed and sent, the own part copied;
 * then messages are unpacked as they come.  Only processes that share elements exchange messages. */
#include "program.h"

typedef struct {
    dpc_transfer transfer; /* the first member: one is the other */
    const char *where;     /* the statement */
    dpc_route *route;
    dpc_plan *plan; /* the route's */
    dpc_index size; /* bytes per element */
    char *storage;  /* of the receiver */
    char *source;   /* of the sender */
    dpc_mail incoming, outgoing;
    int tag;
    bool deposit; /* messages hold addresses and values */
} exchange;

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

#if DPC_HAS_COPIES
void dpc_hold_end(dpc_end *end, const dpc_array *a, bool all_copies) {
    if (!a->spare) return;
    for (int g = 0; g < a->grid->rank; g++) {
        if (a->held[g] == DPC_DIVIDED) continue;
        const dpc_dim coordinates = dpc_dealt_dim(0, a->grid->extent[g], 1, a->grid->extent[g], g, 0);
        const dpc_access all = {0, 1, a->grid->extent[g]}, one = {dpc_maximum(a->held[g], 0), 0, 1};
        dpc_restrict_end(end, &coordinates, a->held[g] == DPC_EVERY && all_copies ? &all : &one);
    }
}
#endif

void dpc_add_axis(dpc_end *end, int axis, const dpc_dim *dim, const dpc_access *access, dpc_index coord,
                  dpc_index scale) {
    end->dim[axis] = *dim;
    end->access[axis] = *access;
    end->coord[axis] = coord;
    end->scale[axis] = scale;
    if (dim->grid_dim >= 0) end->axis_of[dim->grid_dim] = axis;
}

/* Closed forms are made for blocks as they are written, not as an array shorter than a block has them. */
void dpc_set_format(dpc_end *end, int axis, const dpc_array *a, int k) {
    const dpc_format *f = &a->format[k];
    end->single[axis] = f->kind == DPC_FORMAT_ALIGNED ? dpc_in_intervals(&a->dim[k]) : f->kind != DPC_FORMAT_CYCLIC;
    if (f->kind == DPC_FORMAT_CYCLIC && a->dim[k].procs > 1 && f->block <= DPC_MOST_BLOCK)
        dpc_lengthen_blocks(&end->dim[axis], f->block);
}

DPC_STEADY dpc_mail dpc_open_messages(const dpc_party *p, dpc_index size, int tag, bool all_buffered) {
    dpc_mail mail = dpc_open_mail(tag, p->messages);
    for (dpc_index m = 0; m < p->messages; m++) {
        const dpc_partner *partner = &p->partner[m];
        mail.message[m].process = partner->process;
        mail.message[m].bytes = partner->elements * size;
        if (all_buffered || (partner->place < 0 && partner->same == m))
            mail.reserve += dpc_store_room(mail.message[m].bytes);
    }
    return mail;
}

DPC_STEADY static void post_receives(exchange *t) {
    const dpc_party *p = dpc_plan_receiver(t->plan);
    for (dpc_index m = 0; m < p->messages; m++) {
        if (p->partner[m].place >= 0 && t->incoming.message[m].within == 0)
            t->incoming.message[m].data = t->storage + p->partner[m].place * t->size;
        else
            dpc_message_buffer(&t->incoming, m);
        dpc_post_receive(&t->incoming, m);
    }
}

DPC_STEADY static void pack(const exchange *t, const dpc_party *p, const char *storage, dpc_index partner, char *data) {
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    dpc_dense_axes(p, partner, to);
    dpc_storage_axes(p, partner, from);
    dpc_copy_product(p->rank, to, data, from, storage, t->size);
}

/* Elements that lie side by side are sent from where they are; what several partners get is packed once. */
DPC_STEADY static void send_all(exchange *t) {
    const dpc_party *p = dpc_plan_sender(t->plan);
    for (dpc_index m = 0; m < p->messages; m++) {
        const dpc_partner *partner = &p->partner[m];
        if (partner->place >= 0)
            dpc_post_stored(&t->outgoing, m, t->source + partner->place * t->size);
        else if (partner->same < m)
            dpc_post_stored(&t->outgoing, m, t->outgoing.message[partner->same].data);
        else {
            pack(t, p, t->source, m, dpc_message_buffer(&t->outgoing, m));
            dpc_post_send(&t->outgoing, m);
        }
    }
}

/* A process that is its own partner has itself as the last one. */
DPC_STEADY static void copy_own_part(const exchange *t, const char *storage) {
    const dpc_party *sender = dpc_plan_sender(t->plan), *receiver = dpc_plan_receiver(t->plan);
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    if (sender->messages == sender->partners) return;
    if (t->deposit) {
#if DPC_USES(DPC_MODEL_DEPOSIT)
        dpc_target_axes(t->plan, sender->messages, to);
#endif
    } else {
        if (receiver->messages == receiver->partners) return;
        dpc_storage_axes(receiver, receiver->messages, to);
    }
    dpc_storage_axes(sender, sender->messages, from);
    dpc_copy_product(sender->rank, to, t->storage, from, storage, t->size);
}

/* Addresses double the bytes of an element of 8, in every execution; what they save, the receiver's sets, is generated
 * once, as plans are kept, and costs a process as much when it is a sender.  Conventional was better in every row of
 * Lee and Chen's Table 6, in first executions too, and deposit no better in Table 7 (bench/RESULTS.md). */
dpc_model dpc_choose_model(int rank, const dpc_end *from, const dpc_end *to) {
    (void)rank, (void)from, (void)to;
    return DPC_MODEL_CONVENTIONAL;
}

/* Posts all messages. */
DPC_STEADY static void post(void *transfer) {
    exchange *t = transfer;
    dpc_begin_counting(t->where, DPC_COUNT_messages);
    post_receives(t);
    send_all(t);
    dpc_end_counting();
}

static void start(exchange *t) {
#if DPC_USES(DPC_MODEL_DEPOSIT)
    if (t->deposit) {
        t->outgoing = dpc_send_deposits(t->plan, t->source, t->size, t->tag);
        return;
    }
#endif
    t->incoming = dpc_open_messages(dpc_plan_receiver(t->plan), t->size, t->tag, false);
    t->outgoing = dpc_open_messages(dpc_plan_sender(t->plan), t->size, t->tag, false);
    if (!dpc_join(&t->incoming, &t->outgoing, t->size, false, post, t)) post(t);
}

DPC_STEADY static void unpack(const exchange *t, dpc_index m) {
    const dpc_party *p = dpc_plan_receiver(t->plan);
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    dpc_dense_axes(p, m, from);
    dpc_storage_axes(p, m, to);
    dpc_copy_product(p->rank, to, t->storage, from, t->incoming.message[m].data, t->size);
}

DPC_STEADY static void finish(dpc_transfer *transfer) {
    exchange *t = (exchange *)transfer;
    dpc_begin_counting(t->where, DPC_COUNT_messages);
    for (dpc_index m; (m = dpc_next_arrival(&t->incoming)) >= 0;)
        if (t->incoming.message[m].buffer != NULL || t->incoming.message[m].within > 0) unpack(t, m);
    if (t->deposit) dpc_receive_deposits(t->plan, t->storage, t->size, t->tag);
    dpc_wait_mail(&t->outgoing);
    dpc_close_mail(&t->incoming);
    dpc_close_mail(&t->outgoing);
    dpc_give_route(t->route);
    dpc_end_counting();
}

/* The own part is the last partner's. */
static void cut_to_own(const dpc_transfer *transfer, dpc_index *low, dpc_index *high) {
    const exchange *t = (const exchange *)transfer;
    const dpc_party *p = dpc_plan_receiver(t->plan);
    if (t->deposit || p->partners == p->messages) { /* nothing is its own, or that is not known */
        high[0] = low[0] - 1;
        return;
    }
    for (int axis = 0; axis < p->rank; axis++) {
        const int k = t->route->axes.index[axis];
        dpc_index first;
        const dpc_index count = dpc_shared_interval(p, p->messages, axis, &first);
        low[k] = dpc_maximum(low[k], first);
        high[k] = dpc_minimum(high[k], first + count - 1);
    }
}

DPC_STEADY dpc_transfer *dpc_start_exchange(const char *where, dpc_route *route, char *source, char *target,
                                            dpc_index size) {
    exchange *t = dpc_take_staging(1, sizeof *t);
    *t = (exchange){0};
    t->transfer.finish = finish;
    t->transfer.cut_to_own = cut_to_own;
    t->where = where;
    t->tag = dpc_next_tag();
    t->route = route;
    t->plan = route->plan;
    t->deposit = dpc_route_model(route) == DPC_MODEL_DEPOSIT;
    t->size = size;
    t->storage = target;
    t->source = source;
    start(t);
    t->transfer.here = !t->deposit && t->incoming.count == 0;
    copy_own_part(t, source);
    dpc_count_transfer(dpc_plan_sender(t->plan));
    dpc_end_counting();
    return &t->transfer;
}
