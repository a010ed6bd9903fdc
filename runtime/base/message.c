/* Point-to-point messages of any length: what is longer than MPI's int counts can express is one element of a derived
 * datatype. */
#include "settings.h"

#include <limits.h>
#include <string.h>

/* Bytes of a message that MPI is told of as such, at most; DPC_CHUNK_BYTES in the environment overrides it (for
 * tests). */
static dpc_index chunk_bytes = 1 << 30;

/* Transfers under way at the same time differ in their tags; MPI guarantees tags up to 32767. */
enum { TAGS = 32000 };

#ifndef DPC_STANDALONE
void dpc_set_chunk(void) {
    chunk_bytes = dpc_setting_number(DPC_SETTING_CHUNK_BYTES, chunk_bytes);
}
#endif

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
        mail.request = dpc_take_staging(count, sizeof *mail.request);
        for (dpc_index k = 0; k < count; k++) mail.request[k] = MPI_REQUEST_NULL;
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

/* A contiguous type of so many bytes, which an int cannot count. */
static MPI_Datatype long_type(dpc_index bytes) {
    MPI_Datatype chunk, type;
    const dpc_index chunks = bytes / chunk_bytes;
    MPI_Type_contiguous((int)chunk_bytes, MPI_BYTE, &chunk);
    MPI_Type_create_struct(2, (int[]){(int)chunks, (int)(bytes % chunk_bytes)},
                           (MPI_Aint[]){0, (MPI_Aint)(chunks * chunk_bytes)}, (MPI_Datatype[]){chunk, MPI_BYTE}, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&chunk);
    return type;
}

DPC_STEADY void dpc_describe_message(dpc_mail *mail, dpc_index k, MPI_Datatype type, dpc_index size) {
    dpc_message *m = &mail->message[k];
    const bool is_long = m->bytes > chunk_bytes;
    m->type = is_long ? long_type(m->bytes) : type == MPI_DATATYPE_NULL ? MPI_BYTE : type;
    m->count = is_long ? 1 : (int)(type == MPI_DATATYPE_NULL ? m->bytes : m->bytes / size);
    m->request = &mail->request[k];
    m->derived = is_long;
    if (is_long) mail->types = true;
}

/* MPI keeps the type until the message is complete. */
static void free_type(dpc_message *m) {
    if (m->derived) MPI_Type_free(&m->type);
    m->derived = false;
}

DPC_STEADY void dpc_post_receive(dpc_mail *mail, dpc_index k) {
    dpc_message *m = &mail->message[k];
    if (m->within > 0) return;
    dpc_describe_message(mail, k, MPI_BYTE, 1);
    MPI_Irecv(m->data, m->count, m->type, m->process, mail->tag, mail->comm, m->request);
    free_type(m);
    m->awaited = true;
}

DPC_STEADY void dpc_post_send(dpc_mail *mail, dpc_index k) {
    dpc_message *m = &mail->message[k];
    if (m->within > 0) return;
    dpc_count_message_to(m->process, m->bytes);
    dpc_describe_message(mail, k, MPI_BYTE, 1);
    MPI_Isend(m->data, m->count, m->type, m->process, mail->tag, mail->comm, m->request);
    free_type(m);
}

DPC_STEADY void dpc_post_stored(dpc_mail *mail, dpc_index k, char *bytes) {
    dpc_message *m = &mail->message[k];
    if (m->within > 0)
        memcpy(m->data, bytes, (size_t)m->bytes);
    else
        m->data = bytes;
    dpc_post_send(mail, k);
}

DPC_STEADY dpc_index dpc_chunk(void) {
    return chunk_bytes;
}

void dpc_post_whole(dpc_mail *mail, dpc_index k) {
    const dpc_message *m = &mail->message[k];
    MPI_Isend(m->data, (int)m->bytes, MPI_BYTE, m->process, mail->tag, mail->comm, &mail->request[k]);
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
    int which = MPI_UNDEFINED;
    if (mail->count > 0) MPI_Waitany((int)mail->count, mail->request, &which, MPI_STATUS_IGNORE);
    if (which == MPI_UNDEFINED) return -1;
    mail->message[which].awaited = false;
    return which;
}

#ifndef __clang__ /* gcc takes MPICH's MPI_STATUSES_IGNORE for a place to store statuses */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

static void free_types(dpc_mail *mail) {
    for (dpc_index k = 0; mail->types && k < mail->count; k++) free_type(&mail->message[k]);
    mail->types = false;
}

DPC_STEADY void dpc_wait_mail(dpc_mail *mail) {
    if (mail->count > 0) MPI_Waitall((int)mail->count, mail->request, MPI_STATUSES_IGNORE);
    free_types(mail);
}

static bool is_in_store(const dpc_mail *mail, const dpc_message *m) {
    return mail->store != NULL && m->buffer >= mail->store && m->buffer < mail->store + mail->stored;
}

DPC_STEADY void dpc_close_mail(dpc_mail *mail) {
    for (dpc_index k = 0; mail->apart > 0 && k < mail->count; k++)
        if (!is_in_store(mail, &mail->message[k])) dpc_give_staging(mail->message[k].buffer);
    dpc_give_staging(mail->store);
    free_types(mail);
    dpc_give_staging(mail->message);
    dpc_give_staging(mail->request);
    dpc_give_staging(mail->arrived);
    if (mail->aggregate != NULL) mail->aggregate->leave(mail->aggregate);
    *mail = (dpc_mail){0};
}
