/* Messages in the text: the MPI calls that receive and send what the library's arithmetic has found. */
#include "spmd.h"

static code *open_messages(emitter *e, const char *messages, const char *direction) {
    for_loop l = {.ctype = "dpc_message *", .counters = 1};
    l.counter[0].name = arena_format(e->memory, "\1%s", direction);
    l.counter[0].first = arena_format(e->memory, "%s->%s", messages, direction);
    l.counter[0].step = "1";
    l.relation = "<";
    l.last = arena_format(e->memory, "%s->%s_end", messages, direction);
    return open_loop(e, &l);
}

static void emit_call(emitter *e, const char *call, const char *messages, const char *message) {
    emit_line(e, "%s(\1%s->data, \1%s->count, \1%s->type, \1%s->process, %s->tag, dpc_communicator, \1%s->request);",
              call, message, message, message, message, messages, message);
}

void emit_receives(emitter *e, const char *messages) {
    code *around = open_messages(e, messages, "from");
    emit_call(e, "MPI_Irecv", messages, "from");
    close_block(e, around);
}

code *open_sends(emitter *e, const char *messages) {
    return open_messages(e, messages, "to");
}

void emit_send(emitter *e, const char *messages) {
    emit_call(e, "MPI_Isend", messages, "to");
}

void emit_sends(emitter *e, const char *messages) {
    code *around = open_sends(e, messages);
    emit_send(e, messages);
    close_block(e, around);
}
