/* Messages whose MPI calls stand in the program. */
#ifndef DPC_MESSAGES_H
#define DPC_MESSAGES_H

#include "start.h"

DPC_BEGIN_INTERFACE

/* The communicator of all messages: a duplicate of MPI_COMM_WORLD, whose ranks are its own. */
extern MPI_Comm dpc_communicator;

/* A message to or from a partner, as MPI_Isend and MPI_Irecv take it: MPI_Isend(DPC_MESSAGE(messages, m)). */
typedef struct {
    int process; /* the partner's rank */
    int count;   /* of elements of the type */
    MPI_Datatype type;
    void *data;           /* a buffer; or what lies side by side in an array */
    MPI_Request *request; /* those of one direction stand side by side, in the order of the messages */
    bool packed;          /* to be sent as it is: data lie in an array, or in the buffer of an earlier message */
    char *buffer;         /* private, as is the rest: the memory that holds data; NULL: they lie elsewhere */
#if DPC_USES(dpc_open_mail)
    dpc_index bytes;
    dpc_index within; /* number, from 1, of the aggregate's message that it is a part of; 0: it goes alone */
    bool awaited;     /* a receive is posted, and dpc_next_arrival has not returned it yet */
    bool derived;     /* the type is to be freed: of more bytes than an int can count, of which it has one */
#endif
} dpc_message;

/* Messages of both directions. */
typedef struct {
    dpc_message *from, *from_end; /* what is received */
    dpc_message *to, *to_end;     /* what is sent */
    int tag;
} dpc_messages;
/* Loops over the messages of one direction, and what MPI_Irecv and MPI_Isend take of one:
 *     DPC_RECEIVES(from, C_move) MPI_Irecv(DPC_MESSAGE(C_move, from)); */
#define DPC_RECEIVES(m, messages) for (dpc_message *m = (messages)->from; m < (messages)->from_end; m++)
#define DPC_SENDS(m, messages) for (dpc_message *m = (messages)->to; m < (messages)->to_end; m++)
#define DPC_MESSAGE(messages, m)                                                                                       \
    (m)->data, (m)->count, (m)->type, (m)->process, (messages)->tag, dpc_communicator, (m)->request

DPC_END_INTERFACE

#endif
