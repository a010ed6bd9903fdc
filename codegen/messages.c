/* Messages in the text: the MPI calls that receive and send what the library's arithmetic has found. */
#include "spmd.h"

void emit_receives(emitter *e, const char *messages) {
    emit_line(e, "DPC_RECEIVES(\1from, %s) MPI_Irecv(DPC_MESSAGE(%s, \1from));", messages, messages);
}

code *open_sends(emitter *e, const char *messages) {
    return open_head(e, "DPC_SENDS(\1to, %s)", messages);
}

void emit_send(emitter *e, const char *messages) {
    emit_line(e, "MPI_Isend(DPC_MESSAGE(%s, \1to));", messages);
}

void emit_sends(emitter *e, const char *messages) {
    emit_line(e, "DPC_SENDS(\1to, %s) MPI_Isend(DPC_MESSAGE(%s, \1to));", messages, messages);
}
