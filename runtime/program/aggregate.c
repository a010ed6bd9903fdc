/* Transfers that go together: between dpc_begin_aggregate and dpc_end_aggregate they are only prepared; then what
 * several of them send to one process is laid out as one message, in the same order on both sides.  The program posts
 * these, and those of its moves that go alone. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* A transfer's message that is a part of one. */
typedef struct {
    dpc_mail *mail;
    dpc_index number; /* of the message in the mail */
    int process;
    dpc_index size; /* bytes of an element: greater ones stand first, so that all are aligned */
    int member;     /* number of the transfer */
} part;

/* One direction. */
typedef struct {
    part *part; /* those of a message stand side by side */
    dpc_index parts, room;
    dpc_index *first; /* per message: its first part; one more at the end */
    dpc_mail mail;    /* the messages */
    dpc_message *listed;
} traffic;

typedef struct {
    dpc_mail *incoming, *outgoing;
    dpc_index size;
    bool listed;
    void (*post)(void *transfer);
    void *transfer;
} member;

typedef struct {
    dpc_aggregate calls; /* first, so that a mail's aggregate is this */
    const char *where;
    int members, room;
    member *member;
    int users; /* mails of transfers that are not closed */
    int tag;
    traffic in, out;
    dpc_messages all; /* what the program posts */
} aggregate;

/* ---- What its mails tell it */

static void close_traffic(traffic *t) {
    dpc_close_mail(&t->mail);
    dpc_give_staging(t->part);
    dpc_give_staging(t->first);
    dpc_give_staging(t->listed);
}

static void free_aggregate(aggregate *b) {
    dpc_wait_mail(&b->out.mail);
    close_traffic(&b->in);
    close_traffic(&b->out);
    dpc_give_staging(b->member);
    dpc_give_staging(b);
}

static void await_parts(dpc_aggregate *mails) {
    aggregate *b = (aggregate *)mails;
    const dpc_index m = dpc_next_arrival(&b->in.mail);
    for (dpc_index k = b->in.first[m]; k < b->in.first[m + 1]; k++) {
        dpc_mail *mail = b->in.part[k].mail;
        mail->arrived[mail->arrivals++] = b->in.part[k].number;
    }
}

DPC_STEADY static void leave(dpc_aggregate *mails) {
    aggregate *b = (aggregate *)mails;
    if (--b->users == 0) free_aggregate(b);
}

/* ---- Joining */

/* The aggregate that transfers join, or NULL. */
static aggregate *open_aggregate;

DPC_STEADY void dpc_begin_aggregate(const char *where) {
    open_aggregate = dpc_take_staging(1, sizeof *open_aggregate);
    open_aggregate->calls = (dpc_aggregate){await_parts, leave};
    open_aggregate->where = where;
    open_aggregate->members = open_aggregate->room = open_aggregate->users = 0;
    open_aggregate->member = NULL;
    open_aggregate->tag = dpc_next_tag();
    open_aggregate->in = open_aggregate->out = (traffic){0};
}

#if DPC_USES(dpc_begin_aggregate)
DPC_STEADY const char *dpc_counted_at(const char *where) {
    return open_aggregate == NULL ? where : open_aggregate->where;
}

static void join_mail(dpc_mail *mail) {
    mail->aggregate = &open_aggregate->calls;
    open_aggregate->users++;
}

static void add_member(aggregate *b, member added) {
    if (b->members == b->room) {
        const int room = 2 * b->room + 8;
        member *more = dpc_take_staging(room, sizeof *more);
        if (b->members > 0) memcpy(more, b->member, (size_t)b->members * sizeof *more);
        dpc_give_staging(b->member);
        b->member = more;
        b->room = room;
    }
    b->member[b->members++] = added;
}

DPC_STEADY bool dpc_join(dpc_mail *incoming, dpc_mail *outgoing, dpc_index size, bool listed, void (*post)(void *),
                         void *transfer) {
    if (open_aggregate == NULL) return false;
    add_member(open_aggregate, (member){incoming, outgoing, size, listed, post, transfer});
    join_mail(incoming);
    join_mail(outgoing);
    return true;
}

#endif

/* ---- The layout */

static int in_order(const void *left, const void *right) {
    const part *x = left, *y = right;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

static void add_parts(traffic *t, int number, dpc_mail *mail, dpc_index size) {
    for (dpc_index m = 0; m < mail->count; m++)
        if (mail->message[m].bytes <= DPC_MOST_AGGREGATED)
            t->part[t->parts++] = (part){mail, m, mail->message[m].process, size, number};
}

/* Parts first .. end-1 go to or come from one process. */
static dpc_index end_of_process(const traffic *t, dpc_index first) {
    dpc_index end = first + 1;
    while (end < t->parts && t->part[end].process == t->part[first].process) end++;
    return end;
}

/* Forms messages of the parts that are not alone to their process. */
static dpc_index form_messages(traffic *t) {
    dpc_index kept = 0, messages = 0;
    for (dpc_index first = 0, end; first < t->parts; first = end) {
        end = end_of_process(t, first);
        if (end - first == 1) continue;
        t->first[messages++] = kept;
        for (dpc_index k = first; k < end; k++) t->part[kept++] = t->part[k];
    }
    t->first[messages] = t->parts = kept;
    return messages;
}

/* Room for message m; the places of its parts in it. */
static void place_parts(traffic *t, dpc_index m) {
    dpc_message *whole = &t->mail.message[m];
    whole->process = t->part[t->first[m]].process;
    for (dpc_index k = t->first[m]; k < t->first[m + 1]; k++)
        whole->bytes += t->part[k].mail->message[t->part[k].number].bytes;
    char *place = dpc_message_buffer(&t->mail, m);
    for (dpc_index k = t->first[m]; k < t->first[m + 1]; k++) {
        dpc_mail *mail = t->part[k].mail;
        dpc_message *own = &mail->message[t->part[k].number];
        own->within = m + 1;
        own->data = place;
        place += own->bytes;
        if (mail->arrived == NULL) mail->arrived = dpc_take_staging(mail->count, sizeof *mail->arrived);
        mail->parts++;
    }
}

DPC_STEADY static void form_parts(const aggregate *b, traffic *t, bool incoming) {
    for (int k = 0; k < b->members; k++)
        t->room += incoming ? b->member[k].incoming->count : b->member[k].outgoing->count;
    if (t->room == 0) return;
    t->part = dpc_take_staging(t->room, sizeof *t->part);
    t->first = dpc_take_staging(t->room + 1, sizeof *t->first);
    for (int k = 0; k < b->members; k++)
        add_parts(t, k, incoming ? b->member[k].incoming : b->member[k].outgoing, b->member[k].size);
    qsort(t->part, (size_t)t->parts, sizeof *t->part, in_order);
    t->mail = dpc_open_mail(b->tag, form_messages(t));
    for (dpc_index m = 0; m < t->mail.count; m++) place_parts(t, m);
}

/* ---- The end */

static const dpc_mail *mail_of(const member *x, bool incoming) {
    return incoming ? x->incoming : x->outgoing;
}

/* The messages of one direction for the program to post: both sides list those of a pair of processes in one order. */
DPC_STEADY static dpc_message *list_messages(const aggregate *b, traffic *t, bool incoming) {
    dpc_index room = t->mail.count, count = 0;
    for (int k = 0; k < b->members; k++) room += b->member[k].listed ? mail_of(&b->member[k], incoming)->count : 0;
    t->listed = dpc_take_staging(room, sizeof *t->listed);
    for (dpc_index m = 0; m < t->mail.count; m++) {
        dpc_describe_message(&t->mail, m, MPI_BYTE, 1);
        if (!incoming) dpc_count_message_to(t->mail.message[m].process, t->mail.message[m].bytes);
        t->listed[count++] = t->mail.message[m];
    }
    for (int k = 0; k < b->members; k++) {
        const dpc_mail *mail = mail_of(&b->member[k], incoming);
        for (dpc_index m = 0; b->member[k].listed && m < mail->count; m++)
            if (mail->message[m].within == 0) t->listed[count++] = mail->message[m];
    }
    return t->listed + count;
}

DPC_STEADY const dpc_messages *dpc_end_aggregate(void) {
    static const dpc_messages none;
    aggregate *b = open_aggregate;
    open_aggregate = NULL;
    if (b->members > 1) {
        form_parts(b, &b->in, true);
        form_parts(b, &b->out, false);
    }
    for (int k = 0; k < b->members; k++) {
        dpc_begin_counting(b->where, DPC_COUNT_messages);
        b->member[k].post(b->member[k].transfer);
    }
    dpc_begin_counting(b->where, DPC_COUNT_messages);
    b->all.from_end = list_messages(b, &b->in, true);
    b->all.to_end = list_messages(b, &b->out, false);
    b->all.from = b->in.listed;
    b->all.to = b->out.listed;
    b->all.tag = b->tag;
    dpc_end_counting();
    if (b->users > 0) return &b->all;
    free_aggregate(b);
    return &none;
}
