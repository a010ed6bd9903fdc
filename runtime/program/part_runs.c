/* Parts of a distributed array's elements on their way to the owners: runs of neighbours, of which a message has the
 * places first, then the values.  Owners combine them in order of the processes. */
#include "program.h"

#include <string.h>

enum { FEW = 4 }; /* neutral values that a run passes over: what a run's place costs */

/* ---- Runs */

/* size: of an element, a constant where the function is expanded. */
__attribute__((always_inline)) static inline dpc_index skip_neutral(const char *parts, dpc_index from, dpc_index count,
                                                                    const char *neutral, size_t size) {
    while (from < count && memcmp(parts + (size_t)from * size, neutral, size) == 0) from++;
    return from;
}

/* The number of the next part that is not neutral; count: none is. */
static dpc_index next_part(const char *parts, dpc_index from, dpc_index count, const char *neutral, dpc_index size) {
    if (size == 8) return skip_neutral(parts, from, count, neutral, 8);
    if (size == 4) return skip_neutral(parts, from, count, neutral, 4);
    return skip_neutral(parts, from, count, neutral, (size_t)size);
}

/* Where the run that begins at `from` ends: before more than a few neutral values. */
static dpc_index end_of_run(const char *parts, dpc_index from, dpc_index count, const char *neutral, dpc_index size) {
    dpc_index end = from;
    while (from < count && from - end <= FEW) {
        end = from + 1;
        from = next_part(parts, end, count, neutral, size);
    }
    return end;
}

/* run.offset: from the element `tuple`, which every copy's owner gets. */
static void add_to_owners(dpc_owner_runs *list, const dpc_array *a, const dpc_index *tuple, dpc_owner_run run) {
    const dpc_index copies = a->copies ? dpc_copies(a) : 1;
    run.offset += dpc_element_offset(a, tuple);
    for (dpc_index copy = 0; copy < copies; copy++) {
        run.owner = a->copies ? dpc_copy_process(a, tuple, copy) : dpc_element_process(a, tuple);
        dpc_add_owner_run(list, run);
    }
}

void dpc_list_runs(dpc_owner_runs *list, const dpc_array *a, dpc_index number, dpc_index count, const char *parts,
                   dpc_index size, const char *neutral) {
    dpc_index at = next_part(parts, 0, count, neutral, size);
    while (at < count) {
        dpc_index tuple[DPC_MAX_RANK], rest = number + at;
        for (int d = a->rank - 1; d >= 0; d--) {
            tuple[d] = a->dim[d].lower + rest % a->dim[d].extent;
            rest /= a->dim[d].extent;
        }
        const dpc_index first = at, end = dpc_minimum(count, at + dpc_elements_beside(a, tuple[a->rank - 1]));
        while (at < end) {
            const dpc_index stop = end_of_run(parts, at, end, neutral, size);
            add_to_owners(list, a, tuple,
                          (dpc_owner_run){.offset = at - first, .count = stop - at, .values = parts + at * size});
            at = next_part(parts, stop, end, neutral, size);
        }
    }
}

/* ---- Messages */

/* In front of a message's values are the places of its runs. */
static dpc_mail open_mail(const dpc_run_amount *of, dpc_index size, int tag) {
    dpc_mail mail = dpc_open_run_mail(of, (dpc_index)sizeof(dpc_run_place), size, tag);
    for (dpc_index m = 0; m < mail.count; m++) dpc_message_buffer(&mail, m);
    return mail;
}

static dpc_mail post_receives(const dpc_run_amount *theirs, dpc_index size, int tag) {
    dpc_mail mail = open_mail(theirs, size, tag);
    for (dpc_index m = 0; m < mail.count; m++) dpc_post_receive(&mail, m);
    return mail;
}

/* Where the next place and the next value of a message go. */
typedef struct {
    dpc_run_place *place;
    char *value;
} message_end;

static dpc_mail send_runs(const dpc_owner_runs *list, const dpc_run_amount *mine, dpc_index size, int tag) {
    dpc_mail mail = open_mail(mine, size, tag);
    message_end *end = dpc_raw_buffer(dpc_nprocs(), sizeof *end);
    for (dpc_index m = 0; m < mail.count; m++) {
        dpc_run_place *place = (dpc_run_place *)(void *)mail.message[m].data;
        const int p = mail.message[m].process;
        end[p] = (message_end){place, (char *)(place + mine[p].runs)};
    }
    for (dpc_index k = 0; k < list->count; k++) {
        const dpc_owner_run *run = &list->run[k];
        if (run->owner == dpc_rank()) continue;
        message_end *to = &end[run->owner];
        *to->place++ = (dpc_run_place){run->offset, run->count};
        memcpy(to->value, run->values, (size_t)(run->count * size));
        to->value += run->count * size;
    }
    for (dpc_index m = 0; m < mail.count; m++) dpc_post_send(&mail, m);
    dpc_free_buffer(end);
    return mail;
}

/* ---- Combination */

static void combine_own(const dpc_run_combination *c, const dpc_owner_runs *list) {
    for (dpc_index k = 0; k < list->count; k++) {
        const dpc_owner_run *run = &list->run[k];
        if (run->owner == dpc_rank()) c->combine(c->parts, run->offset, run->values, run->count);
    }
}

static void combine_message(const dpc_run_combination *c, const dpc_message *message, dpc_index runs) {
    const dpc_run_place *place = (const dpc_run_place *)(const void *)message->data;
    const char *values = (const char *)(place + runs);
    for (dpc_index k = 0; k < runs; k++) {
        c->combine(c->parts, place[k].offset, values, place[k].count);
        values += place[k].count * c->size;
    }
}

void dpc_combine_runs(dpc_array *a, const dpc_run_combination *c, const dpc_owner_runs *list) {
    dpc_subject = a->name;
    dpc_changed(a);
    const int tag = dpc_next_tag();
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    dpc_run_amount *mine = dpc_amounts_of(list), *theirs = dpc_exchange_amounts(mine);
    dpc_mail incoming = post_receives(theirs, c->size, tag), outgoing = send_runs(list, mine, c->size, tag);
    dpc_wait_mail(&incoming);
    dpc_index m = 0;
    for (; m < incoming.count && incoming.message[m].process < dpc_rank(); m++)
        combine_message(c, &incoming.message[m], theirs[incoming.message[m].process].runs);
    combine_own(c, list);
    for (; m < incoming.count; m++) combine_message(c, &incoming.message[m], theirs[incoming.message[m].process].runs);
    dpc_wait_mail(&outgoing);
    dpc_close_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_give_staging(mine);
    dpc_give_staging(theirs);
    dpc_end_counting();
}
