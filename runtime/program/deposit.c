/* The deposit model (Lee and Chen, section 6): a message holds the addresses of its elements in the receiver's storage,
 * then their values.  The sender generates the sets of both sides; the receiver generates none, it stores what comes
 * until it has all that its iterations read, and need not know from whom. */
#include "program.h"

#include <string.h>

#if DPC_USES(DPC_MODEL_DEPOSIT)

/* ---- Where elements go: the sender's part of the plan */

/* The set of coordinate p of the receiver's side against this process, along axis k. */
static dpc_sets receiver_set(const dpc_end *from, const dpc_end *to, int k, dpc_index p) {
    const dpc_side mine = {to->dim[k], to->access[k], to->addressing};
    const dpc_side theirs = {from->dim[k], from->access[k], from->addressing};
    dpc_sets sets;
    if (!dpc_sets_make(&sets, to->method, &mine, p, &theirs, from->coord[k]))
        dpc_fail(NULL, "out of memory for communication sets");
    return sets;
}

/* Whether an iteration of the access is inside the dimension. */
static bool touches(const dpc_dim *dim, const dpc_access *access) {
    dpc_index low, high;
    dpc_inside(dim, access, &low, &high);
    return low <= high;
}

/* Iterations along axis k that this process executes and whose element is inside the sender's array. */
static dpc_index iterations_inside(const dpc_end *from, const dpc_end *to, int k) {
    dpc_index low, high;
    dpc_inside(&from->dim[k], &from->access[k], &low, &high);
    if (high < low) return 0;
    return dpc_owned_before(&to->dim[k], &to->access[k], to->coord[k], high + 1) -
           dpc_owned_before(&to->dim[k], &to->access[k], to->coord[k], low);
}

/* Elements that come to this process. */
static dpc_index count_expected(int rank, const dpc_end *from, const dpc_end *to) {
    dpc_index elements = 1;
    if (!to->active || !to->possible || !from->possible) return 0;
    for (int g = 0; g < from->grid->rank; g++)
        if (from->axis_of[g] < 0 && !touches(&from->other_dim[g], &from->other_access[g])) return 0;
    for (int k = 0; k < rank; k++) elements *= iterations_inside(from, to, k);
    return elements;
}

dpc_targets dpc_open_targets(int rank, const dpc_party *sender, const dpc_end *from, const dpc_end *to) {
    dpc_targets t = {.expected = count_expected(rank, from, to)};
    if (sender->partners == 0) return t;
    t.rank = rank;
    for (int k = 0; k < rank; k++) {
        const dpc_sets *sets = &sender->sets[k];
        t.partners[k] = sets->partners;
        t.sets[k] = dpc_buffer(sets->partners, sizeof *t.sets[k]);
        t.extent[k] = dpc_buffer(sets->partners, sizeof *t.extent[k]);
        for (dpc_index q = 0; q < sets->partners; q++) {
            t.sets[k][q] = receiver_set(from, to, k, sets->partner[q].coordinate);
            t.extent[k][q] = dpc_owned_count(&to->dim[k], &to->access[k], sets->partner[q].coordinate);
        }
    }
    return t;
}

void dpc_close_targets(dpc_targets *t) {
    for (int k = 0; k < t->rank; k++) {
        for (dpc_index q = 0; q < t->partners[k]; q++) dpc_sets_free(&t->sets[k][q]);
        dpc_free_buffer(t->sets[k]);
        dpc_free_buffer(t->extent[k]);
    }
}

dpc_index dpc_targets_bytes(const dpc_targets *t) {
    dpc_index bytes = 0;
    for (int k = 0; k < t->rank; k++)
        for (dpc_index q = 0; q < t->partners[k]; q++)
            bytes += (dpc_index)sizeof *t->sets[k] + dpc_sets_bytes(&t->sets[k][q]);
    return bytes;
}

void dpc_target_axes(const dpc_plan *plan, dpc_index partner, dpc_axis *axes) {
    const dpc_targets *t = dpc_plan_targets(plan);
    const dpc_index *number = &dpc_plan_sender(plan)->number[partner * t->rank];
    dpc_index scale = 1;
    for (int k = t->rank - 1; k >= 0; k--) {
        const dpc_sets *sets = &t->sets[k][number[k]];
        axes[k] = (dpc_axis){sets, sets->partner, 0, scale};
        scale *= t->extent[k][number[k]];
    }
}

/* ---- Messages */

static dpc_index pair_bytes(dpc_index size) {
    return (dpc_index)sizeof(dpc_index) + size;
}

/* Pairs in one message, at most. */
static dpc_index most_pairs(dpc_index size) {
    return dpc_maximum(1, dpc_chunk() / pair_bytes(size));
}

static dpc_index messages_for(dpc_index elements, dpc_index size) {
    return dpc_ceiling(elements, most_pairs(size));
}

/* Everything for one partner: all addresses, then all values. */
static char *pack_pairs(const dpc_plan *plan, const char *storage, dpc_index partner, dpc_index size) {
    const dpc_party *p = dpc_plan_sender(plan);
    dpc_axis from[DPC_MAX_RANK], to[DPC_MAX_RANK];
    const dpc_index elements = dpc_dense_axes(p, partner, to);
    char *pairs = dpc_take_staging(elements, pair_bytes(size));
    dpc_storage_axes(p, partner, from);
    dpc_copy_product(p->rank, to, pairs + elements * (dpc_index)sizeof(dpc_index), from, storage, size);
    dpc_target_axes(plan, partner, to);
    dpc_list_addresses(p->rank, to, (dpc_index *)(void *)pairs);
    return pairs;
}

/* Pairs first .. first+count-1 of `total`, as a message of their own. */
static char *cut_pairs(const char *pairs, dpc_index total, dpc_index first, dpc_index count, dpc_index size) {
    const dpc_index address = sizeof(dpc_index);
    char *part = dpc_take_staging(count, pair_bytes(size));
    memcpy(part, pairs + first * address, (size_t)(count * address));
    memcpy(part + count * address, pairs + total * address + first * size, (size_t)(count * size));
    return part;
}

/* Fills the messages for one partner, from number `m` on. */
static void fill_messages(dpc_mail *mail, dpc_index m, char *pairs, dpc_index elements, dpc_index size) {
    const dpc_index most = most_pairs(size);
    if (elements <= most) {
        mail->message[m].data = mail->message[m].buffer = pairs;
        return;
    }
    for (dpc_index first = 0; first < elements; first += most, m++) {
        const dpc_index count = dpc_minimum(most, elements - first);
        mail->message[m].data = mail->message[m].buffer = cut_pairs(pairs, elements, first, count, size);
    }
    dpc_give_staging(pairs);
}

/* What several partners get is packed once: messages from `original` on hold it. */
static void post_messages(dpc_mail *mail, dpc_index m, dpc_index original, const dpc_partner *partner, dpc_index size) {
    dpc_count_message_to(partner->process, partner->elements * pair_bytes(size));
    for (dpc_index first = 0; first < partner->elements; first += most_pairs(size), m++, original++) {
        mail->message[m].process = partner->process;
        mail->message[m].bytes = dpc_minimum(most_pairs(size), partner->elements - first) * pair_bytes(size);
        mail->message[m].data = mail->message[original].data;
        dpc_post_whole(mail, m);
    }
}

dpc_mail dpc_send_deposits(const dpc_plan *plan, const char *storage, dpc_index size, int tag) {
    const dpc_party *p = dpc_plan_sender(plan);
    dpc_index *start = dpc_buffer(p->messages + 1, sizeof *start);
    for (dpc_index n = 0; n < p->messages; n++) start[n + 1] = start[n] + messages_for(p->partner[n].elements, size);
    dpc_mail mail = dpc_open_mail(tag, start[p->messages]);
    for (dpc_index n = 0; n < p->messages; n++) {
        const dpc_partner *partner = &p->partner[n];
        if (partner->same == n)
            fill_messages(&mail, start[n], pack_pairs(plan, storage, n, size), partner->elements, size);
        post_messages(&mail, start[n], start[partner->same], partner, size);
    }
    dpc_free_buffer(start);
    return mail;
}

/* For one element size: stores values at addresses. */
#define DEFINE_STORE(bytes)                                                                                            \
    static void store_##bytes(char *storage, const dpc_index *address, const char *values, dpc_index count) {          \
        for (dpc_index k = 0; k < count; k++) memcpy(storage + address[k] * bytes, values + k * bytes, bytes);         \
    }

DEFINE_STORE(1)
DEFINE_STORE(2)
DEFINE_STORE(4)
DEFINE_STORE(8)
DEFINE_STORE(16)

static void store_pairs(char *storage, const char *pairs, dpc_index count, dpc_index size) {
    const dpc_index *address = (const dpc_index *)(const void *)pairs;
    const char *values = pairs + count * (dpc_index)sizeof *address;
    switch (size) {
    case 1:
        store_1(storage, address, values, count);
        break;
    case 2:
        store_2(storage, address, values, count);
        break;
    case 4:
        store_4(storage, address, values, count);
        break;
    case 8:
        store_8(storage, address, values, count);
        break;
    case 16:
        store_16(storage, address, values, count);
        break;
    default:
        for (dpc_index k = 0; k < count; k++) memcpy(storage + address[k] * size, values + k * size, (size_t)size);
    }
}

void dpc_receive_deposits(const dpc_plan *plan, char *storage, dpc_index size, int tag) {
    const dpc_party *p = dpc_plan_sender(plan);
    dpc_index left = dpc_plan_targets(plan)->expected, bytes;
    if (p->messages < p->partners) left -= p->partner[p->messages].elements;
    while (left > 0) {
        char *pairs = dpc_receive_whole(tag, &bytes);
        store_pairs(storage, pairs, bytes / pair_bytes(size), size);
        left -= bytes / pair_bytes(size);
        dpc_give_staging(pairs);
    }
}
#endif
