/* Point-to-point messages of any length, in chunks that MPI's int counts can express. */
#include "settings.h"

#include <limits.h>
#include <string.h>

/* Bytes per MPI message; DPC_CHUNK_BYTES in the environment overrides it (for tests). */
static dpc_index chunk_bytes = 1 << 30;

/* Transfers under way at the same time differ in their tags; MPI guarantees tags up to 32767. */
enum { TAGS = 32000 };

void dpc_set_chunk(void) {
    chunk_bytes = dpc_setting_number(DPC_SETTING_CHUNK_BYTES, chunk_bytes);
}

DPC_STEADY int dpc_next_tag(void) {
    static int tag;
    tag = (tag + 1) % TAGS;
    return tag;
}

DPC_STEADY dpc_mail dpc_open_mail(int tag, dpc_index count) {
    dpc_mail mail = {.comm = dpc_communicator, .tag = tag, .count = count};
    if (count > 0) {
        mail.message = dpc_take_staging(count, sizeof *mail.message);
        memset(mail.message, 0, (size_t)count * sizeof *mail.message);
    }
    return mail;
}

/* Room in the mail's store, which begins on a cache line, or NULL. */
static char *room_in_store(dpc_mail *mail, dpc_index bytes) {
    const dpc_index room = dpc_store_room(bytes);
    if (mail->aggregate != NULL || room > mail->reserve - mail->stored) return NULL;
    if (mail->store == NULL) mail->store = dpc_take_staging(mail->reserve, 1);
    char *place = mail->store + mail->stored;
    mail->stored += room;
    return place;
}

DPC_STEADY char *dpc_message_buffer(dpc_mail *mail, dpc_index k) {
    dpc_message *m = &mail->message[k];
    if (m->within > 0) return m->data;
    m->buffer = room_in_store(mail, m->bytes);
    if (m->buffer == NULL) {
        m->buffer = dpc_take_staging(m->bytes, 1);
        mail->apart++;
    }
    return m->data = m->buffer;
}

/* Room for one more request. */
DPC_STEADY static MPI_Request *new_request(dpc_mail *mail, dpc_index message) {
    if (mail->requests == mail->room) {
        const int room = mail->room > 0 ? 2 * mail->room : mail->count < INT_MAX / 2 ? (int)mail->count : INT_MAX / 2;
        MPI_Request *request = dpc_take_staging(room, sizeof *request);
        dpc_index *message_of = dpc_take_staging(room, sizeof *message_of);
        if (mail->requests > 0) {
            memcpy(request, mail->request, (size_t)mail->requests * sizeof *request);
            memcpy(message_of, mail->message_of, (size_t)mail->requests * sizeof *message_of);
        }
        dpc_give_staging(mail->request);
        dpc_give_staging(mail->message_of);
        mail->request = request;
        mail->message_of = message_of;
        mail->room = room;
    }
    mail->message_of[mail->requests] = message;
    return &mail->request[mail->requests++];
}

static int chunk_length(const dpc_message *m, dpc_index from) {
    return (int)(m->bytes - from < chunk_bytes ? m->bytes - from : chunk_bytes);
}

DPC_STEADY void dpc_post_receive(dpc_mail *mail, dpc_index k) {
    dpc_message *m = &mail->message[k];
    if (m->within > 0) return;
    for (dpc_index at = 0; at < m->bytes; at += chunk_bytes) {
        MPI_Irecv(m->data + at, chunk_length(m, at), MPI_BYTE, m->process, mail->tag, mail->comm, new_request(mail, k));
        m->left++;
    }
}

DPC_STEADY void dpc_post_send(dpc_mail *mail, dpc_index k) {
    const dpc_message *m = &mail->message[k];
    if (m->within > 0) {
        mail->aggregate->packed(mail->aggregate, m->within - 1);
        return;
    }
    dpc_count_message(m->bytes);
    for (dpc_index at = 0; at < m->bytes; at += chunk_bytes)
        MPI_Isend(m->data + at, chunk_length(m, at), MPI_BYTE, m->process, mail->tag, mail->comm, new_request(mail, k));
}

DPC_STEADY void dpc_post_stored(dpc_mail *mail, dpc_index k, char *bytes) {
    dpc_message *m = &mail->message[k];
    if (m->within > 0)
        memcpy(m->data, bytes, (size_t)m->bytes);
    else
        m->data = bytes;
    dpc_post_send(mail, k);
}

dpc_index dpc_chunk(void) {
    return chunk_bytes;
}

void dpc_post_whole(dpc_mail *mail, dpc_index k) {
    const dpc_message *m = &mail->message[k];
    MPI_Isend(m->data, (int)m->bytes, MPI_BYTE, m->process, mail->tag, mail->comm, new_request(mail, k));
}

char *dpc_receive_whole(int tag, dpc_index *bytes) {
    MPI_Status status;
    int count;
    MPI_Probe(MPI_ANY_SOURCE, tag, dpc_communicator, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    char *data = dpc_take_staging(count, 1);
    MPI_Recv(data, count, MPI_BYTE, status.MPI_SOURCE, tag, dpc_communicator, MPI_STATUS_IGNORE);
    *bytes = count;
    return data;
}

DPC_STEADY dpc_index dpc_next_arrival(dpc_mail *mail) {
    while (mail->taken < mail->parts) {
        if (mail->taken < mail->arrivals) return mail->arrived[mail->taken++];
        mail->aggregate->await(mail->aggregate);
    }
    for (int which; mail->requests > 0;) {
        MPI_Waitany(mail->requests, mail->request, &which, MPI_STATUS_IGNORE);
        if (which == MPI_UNDEFINED) break;
        const dpc_index k = mail->message_of[which];
        if (--mail->message[k].left == 0) return k;
    }
    return -1;
}

#ifndef __clang__ /* gcc takes MPICH's MPI_STATUSES_IGNORE for a place to store statuses */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

DPC_STEADY void dpc_wait_mail(dpc_mail *mail) {
    if (mail->requests > 0) MPI_Waitall(mail->requests, mail->request, MPI_STATUSES_IGNORE);
    mail->requests = 0;
}

static bool is_in_store(const dpc_mail *mail, const dpc_message *m) {
    return mail->store != NULL && m->buffer >= mail->store && m->buffer < mail->store + mail->stored;
}

DPC_STEADY void dpc_close_mail(dpc_mail *mail) {
    for (dpc_index k = 0; mail->apart > 0 && k < mail->count; k++)
        if (!is_in_store(mail, &mail->message[k])) dpc_give_staging(mail->message[k].buffer);
    dpc_give_staging(mail->store);
    dpc_give_staging(mail->message);
    dpc_give_staging(mail->request);
    dpc_give_staging(mail->message_of);
    dpc_give_staging(mail->arrived);
    if (mail->aggregate != NULL) mail->aggregate->leave(mail->aggregate);
    *mail = (dpc_mail){0};
}
