/* The time line of DPC_TRACE: events are kept by each process, collected by process 0 at the end, and written. */
#ifndef DPC_STANDALONE
#include "trace.h"

#include <errno.h>
#include <string.h>

#include "settings.h"
#include "stats.h"

enum {
    TAG = 32002,         /* no transfer's, nor that of statistics */
    MOST_EVENTS = 100000 /* of a process; later ones are left out, and the file says how many */
};

typedef struct {
    double statement, begin, end, kind; /* seconds since the start */
} event;

static event *events;
static dpc_index count, room, left_out;
static double zero;
static bool open;

void dpc_open_trace(double start) {
    zero = start;
    open = true;
}

void dpc_trace_event(dpc_index statement, double begin, double end, dpc_trace_kind kind) {
    if (!open) return;
    if (count == MOST_EVENTS) {
        left_out++;
        return;
    }
    if (count == room) {
        event *old = events;
        room = dpc_minimum(2 * room + 256, MOST_EVENTS);
        events = dpc_raw_buffer(room, sizeof *events);
        if (count > 0) memcpy(events, old, (size_t)count * sizeof *events);
        dpc_free_buffer(old);
    }
    events[count++] = (event){(double)statement, begin - zero, end - zero, kind};
}

/* ---- Writing */

static void print_event(FILE *out, const char *name, const event *e, int process) {
    fprintf(out, ",\n{\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"cat\":\"%s\",\"ts\":%.3f,\"dur\":%.3f,\"name\":\"", process,
            e->kind == DPC_TRACE_COMMUNICATION ? "communication" : "statement", 1e6 * e->begin,
            1e6 * (e->end - e->begin));
    dpc_print_json(out, name);
    fputs("\"}", out);
}

/* The events of a process; names one behind the other. */
static void print_process(FILE *out, int process, const char *names, int name_bytes, const event *e, dpc_index number,
                          double missing) {
    const char **name = dpc_raw_buffer(name_bytes + 1, sizeof *name);
    dpc_index known = 0;
    for (const char *at = names; at < names + name_bytes; at += strlen(at) + 1) name[known++] = at;
    fprintf(out, "%s\n{\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"process %d\"}}",
            process > 0 ? "," : "", process, process);
    for (dpc_index k = 0; k < number; k++) print_event(out, name[(dpc_index)e[k].statement], &e[k], process);
    if (missing > 0)
        fprintf(out,
                ",\n{\"ph\":\"i\",\"pid\":0,\"tid\":%d,\"s\":\"t\",\"ts\":%.3f,\"name\":\"%.0f later events are left "
                "out\"}",
                process, number > 0 ? 1e6 * e[number - 1].end : 0.0, missing);
    dpc_free_buffer(name);
}

/* The names, each with its NUL. */
static char *joined(const char **names, int *bytes) {
    *bytes = 0;
    for (const char **name = names; *name != NULL; name++) *bytes += (int)strlen(*name) + 1;
    char *all = dpc_raw_buffer(*bytes + 1, 1), *at = all;
    for (const char **name = names; *name != NULL; name++) {
        strcpy(at, *name);
        at += strlen(at) + 1;
    }
    return all;
}

static void print_others(FILE *out, int process) {
    int sizes[2];
    double missing;
    MPI_Recv(sizes, 2, MPI_INT, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    char *names = dpc_raw_buffer(sizes[0] + 1, 1);
    event *e = dpc_raw_buffer(sizes[1] + 1, sizeof *e);
    MPI_Recv(names, sizes[0], MPI_CHAR, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    MPI_Recv(e, 4 * sizes[1], MPI_DOUBLE, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    MPI_Recv(&missing, 1, MPI_DOUBLE, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    if (out != NULL) print_process(out, process, names, sizes[0], e, sizes[1], missing);
    dpc_free_buffer(names);
    dpc_free_buffer(e);
}

static void send_events(const char *names, int bytes) {
    const int sizes[2] = {bytes, (int)count};
    const double missing = (double)left_out;
    MPI_Send(sizes, 2, MPI_INT, 0, TAG, dpc_communicator);
    MPI_Send(names, bytes, MPI_CHAR, 0, TAG, dpc_communicator);
    MPI_Send(events, 4 * (int)count, MPI_DOUBLE, 0, TAG, dpc_communicator);
    MPI_Send(&missing, 1, MPI_DOUBLE, 0, TAG, dpc_communicator);
}

static void complain(const char *path) {
    char text[500];
    const int length =
        snprintf(text, sizeof text, "dpc: error: DPC_TRACE: cannot write '%.300s': %s\n", path, strerror(errno));
    dpc_print_error(text, (size_t)length);
}

static void write_all(const char *names, int bytes) {
    const char *path = getenv("DPC_TRACE");
    FILE *out = fopen(path, "w");
    bool good = out != NULL;
    if (good) fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out);
    if (good) print_process(out, 0, names, bytes, events, count, (double)left_out);
    for (int process = 1; process < dpc_nprocs(); process++) print_others(out, process);
    if (good) fputs("\n]}\n", out);
    if (good) good = !ferror(out);
    if (out != NULL) good = fclose(out) == 0 && good;
    if (!good) complain(path);
}

void dpc_close_trace(const char **names) {
    int bytes;
    if (open) {
        char *all = joined(names, &bytes);
        if (dpc_rank() == 0)
            write_all(all, bytes);
        else
            send_events(all, bytes);
        dpc_free_buffer(all);
        dpc_free_buffer(events);
    }
    dpc_free_buffer(names);
    events = NULL;
    count = room = left_out = 0;
    open = false;
}
#endif
