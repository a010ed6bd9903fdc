/* What DPC_STATS asks for: counts of what each statement ("file:line") executes and sends, collected by process 0 at
 * the end of the program and printed as a table, or written as JSON. */
#ifndef DPC_STANDALONE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "settings.h"
#include "stats.h"
#include "trace.h"

#include <string.h>

enum { TAG = 32001 }; /* no transfer's */

typedef enum { WANT_NOTHING, WANT_TABLE, WANT_JSON } wanted;

bool dpc_statistics;

/* What a statement has sent to another process. */
typedef struct {
    double messages, bytes;
} traffic;

/* The counts of a statement on this process. */
typedef struct record {
    struct record *next;
    dpc_index number;
    traffic *to; /* per process; NULL: nothing yet */
    double count[DPC_COUNTERS];
    char where[];
} record;

static wanted want;
static record *records, *current; /* in no order; of the statement that was begun last */
static dpc_index record_count;
static dpc_counter message_counter; /* of what is under way */
static double since;                /* when the communication that is under way began; 0: none is */
static double start, entered;       /* of the program; of the current dpc_counted_statement */

/* ---- Counting */

static record *new_record(const char *where) {
    const size_t length = strlen(where);
    record *r = dpc_buffer((dpc_index)(sizeof *r + length + 1), 1);
    memcpy(r->where, where, length);
    r->next = records;
    r->number = record_count++;
    return records = r;
}

/* The current statement ends: another one begins, or the program is over. */
static void leave(void) {
    const double now = MPI_Wtime();
    if (current != NULL) {
        current->count[DPC_COUNT_elapsed] += now - entered;
        dpc_trace_event(current->number, entered, now, DPC_TRACE_STATEMENT);
    }
    entered = now;
}

/* Makes the record of that statement the current one; NULL: it stays the one it is. */
static void go_to(const char *where) {
    if (where == NULL) where = current == NULL ? "-" : current->where;
    if (current != NULL && strcmp(current->where, where) == 0) return;
    leave();
    for (current = records; current != NULL && strcmp(current->where, where) != 0;) current = current->next;
    if (current == NULL) current = new_record(where);
}

void dpc_note_end(void) {
    if (since > 0) {
        const double now = MPI_Wtime();
        current->count[DPC_COUNT_seconds] += now - since;
        dpc_trace_event(current->number, since, now, DPC_TRACE_COMMUNICATION);
    }
    since = 0;
}

void dpc_note_execution(const char *where) {
    dpc_note_end();
    if (current != NULL && strcmp(current->where, where) == 0) leave();
    go_to(where);
    current->count[DPC_COUNT_executions]++;
}

void dpc_note_begin(const char *where, dpc_counter messages) {
    dpc_note_end();
    go_to(where);
    message_counter = messages;
    since = MPI_Wtime();
}

void dpc_note_kind(dpc_counter messages) {
    message_counter = messages;
}

void dpc_note(dpc_counter counter, dpc_index amount) {
    if (current != NULL) current->count[counter] += (double)amount;
}

void dpc_note_message(int process, dpc_index bytes) {
    dpc_note(message_counter, 1);
    dpc_note(message_counter + 1, bytes);
    if (current == NULL || process < 0 || process >= dpc_nprocs()) return;
    if (current->to == NULL) current->to = dpc_buffer(dpc_nprocs(), sizeof *current->to);
    current->to[process].messages++;
    current->to[process].bytes += (double)bytes;
}

/* ---- Start */

static wanted parse_wish(const char *text) {
    if (text == NULL || strcmp(text, "0") == 0) return WANT_NOTHING;
    return strcmp(text, "1") == 0 ? WANT_TABLE : WANT_JSON;
}

/* Process 0's environment holds for all: launchers may keep it from the others. */
void dpc_open_statistics(void) {
    int wish[2] = {(int)parse_wish(dpc_setting_text(DPC_SETTING_STATS)), dpc_setting_text(DPC_SETTING_TRACE) != NULL};
    if (dpc_nprocs() > 1) MPI_Bcast(wish, 2, MPI_INT, 0, dpc_communicator);
    want = (wanted)wish[0];
    dpc_statistics = want != WANT_NOTHING || wish[1];
    if (wish[1] && dpc_nprocs() > 1) MPI_Barrier(dpc_communicator); /* the processes' clocks begin together */
    start = entered = MPI_Wtime();
    if (wish[1]) dpc_open_trace(start);
    dpc_watched = dpc_statistics || dpc_meet != NULL;
}

/* ---- Collecting: process 0 gets the records of all. */

/* The statement's number; a new one has zeroes. */
static dpc_index statement_number(dpc_counts *r, const char *where) {
    for (dpc_index k = 0; k < r->count; k++)
        if (strcmp(r->statement[k].where, where) == 0) return k;
    if (r->count == r->room) {
        dpc_counted_statement *old = r->statement;
        r->room = 2 * r->room + 16;
        r->statement = dpc_raw_buffer(r->room, sizeof *old);
        if (r->count > 0) memcpy(r->statement, old, (size_t)r->count * sizeof *old);
        dpc_free_buffer(old);
    }
    char *copy = dpc_raw_buffer((dpc_index)strlen(where) + 1, 1);
    strcpy(copy, where);
    r->statement[r->count] =
        (dpc_counted_statement){copy, dpc_buffer((dpc_index)dpc_nprocs() * DPC_COUNTERS, sizeof(double))};
    return r->count++;
}

/* What one process sends: the names, each with its NUL, the counts in the same order and the seconds of all; pairs. */
typedef struct {
    int name_bytes, counts, pairs;
    char *names;
    double *count;
    dpc_counted_pair *pair;
} parcel;

static dpc_index count_pairs(void) {
    dpc_index count = 0;
    for (const record *r = records; r != NULL; r = r->next)
        for (int q = 0; r->to != NULL && q < dpc_nprocs(); q++) count += r->to[q].messages > 0;
    return count;
}

/* Statements are numbered in the order of the list, as names and counts are. */
static void fill_pairs(dpc_counted_pair *out) {
    double number = 0;
    for (const record *r = records; r != NULL; r = r->next, number++)
        for (int q = 0; r->to != NULL && q < dpc_nprocs(); q++)
            if (r->to[q].messages > 0) *out++ = (dpc_counted_pair){number, q, r->to[q].messages, r->to[q].bytes};
}

static parcel own_parcel(void) {
    parcel p = {.counts = (int)record_count * DPC_COUNTERS + 1, .pairs = (int)count_pairs()};
    for (const record *r = records; r != NULL; r = r->next) p.name_bytes += (int)strlen(r->where) + 1;
    p.names = dpc_raw_buffer(p.name_bytes, 1);
    p.count = dpc_raw_buffer(p.counts, sizeof *p.count);
    char *name = p.names;
    double *count = p.count;
    for (const record *r = records; r != NULL; r = r->next) {
        name = stpcpy(name, r->where) + 1;
        memcpy(count, r->count, sizeof r->count);
        count += DPC_COUNTERS;
    }
    *count = entered - start;
    p.pair = dpc_raw_buffer(p.pairs, sizeof *p.pair);
    fill_pairs(p.pair);
    return p;
}

static void send_parcel(const parcel *p) {
    MPI_Send(p->names, p->name_bytes, MPI_CHAR, 0, TAG, dpc_communicator);
    MPI_Send(p->count, p->counts, MPI_DOUBLE, 0, TAG, dpc_communicator);
    MPI_Send(p->pair, 4 * p->pairs, MPI_DOUBLE, 0, TAG, dpc_communicator);
}

static int coming(int process, MPI_Datatype type) {
    MPI_Status status;
    int count;
    MPI_Probe(process, TAG, dpc_communicator, &status);
    MPI_Get_count(&status, type, &count);
    return count;
}

static parcel receive_parcel(int process) {
    parcel p = {.name_bytes = coming(process, MPI_CHAR)};
    p.names = dpc_raw_buffer(p.name_bytes, 1);
    MPI_Recv(p.names, p.name_bytes, MPI_CHAR, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    p.counts = coming(process, MPI_DOUBLE);
    p.count = dpc_raw_buffer(p.counts, sizeof *p.count);
    MPI_Recv(p.count, p.counts, MPI_DOUBLE, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    p.pairs = coming(process, MPI_DOUBLE) / 4;
    p.pair = dpc_raw_buffer(p.pairs, sizeof *p.pair);
    MPI_Recv(p.pair, 4 * p.pairs, MPI_DOUBLE, process, TAG, dpc_communicator, MPI_STATUS_IGNORE);
    return p;
}

static void free_parcel(parcel *p) {
    dpc_free_buffer(p->names);
    dpc_free_buffer(p->count);
}

/* The pairs become the report's. */
static void enter(dpc_counts *r, int process, const parcel *p) {
    const double *count = p->count;
    dpc_index at = 0;
    double number = 0;
    for (const char *name = p->names; name < p->names + p->name_bytes; name += strlen(name) + 1, number++) {
        const dpc_index k = statement_number(r, name);
        memcpy(r->statement[k].count + process * DPC_COUNTERS, count, DPC_COUNTERS * sizeof *count);
        count += DPC_COUNTERS;
        for (; at < p->pairs && p->pair[at].number == number; at++) p->pair[at].number = (double)k;
    }
    r->total[process] = *count;
    r->pairs[process] = p->pair;
    r->paired[process] = p->pairs;
}

/* By file, then by line. */
static int in_source_order(const void *left, const void *right) {
    const char *x = ((const dpc_counted_statement *)left)->where, *y = ((const dpc_counted_statement *)right)->where;
    const char *x_line = strrchr(x, ':'), *y_line = strrchr(y, ':');
    if (x_line == NULL || y_line == NULL || x_line - x != y_line - y || strncmp(x, y, (size_t)(x_line - x)) != 0)
        return strcmp(x, y);
    const long a = atol(x_line + 1), b = atol(y_line + 1);
    return (a > b) - (a < b);
}

/* Statements in the order of the source; pairs have their new numbers. */
static void sort_statements(dpc_counts *r) {
    const char **where = dpc_raw_buffer(r->count, sizeof *where);
    double *number = dpc_buffer(r->count, sizeof *number);
    for (dpc_index k = 0; k < r->count; k++) where[k] = r->statement[k].where;
    if (r->count > 0) qsort(r->statement, (size_t)r->count, sizeof *r->statement, in_source_order);
    for (dpc_index k = 0; k < r->count; k++)
        for (dpc_index before = 0; before < r->count; before++)
            if (where[before] == r->statement[k].where) number[before] = (double)k;
    for (int p = 0; r->count > 0 && p < dpc_nprocs(); p++)
        for (dpc_index m = 0; m < r->paired[p]; m++) r->pairs[p][m].number = number[(dpc_index)r->pairs[p][m].number];
    dpc_free_buffer(where);
    dpc_free_buffer(number);
}

/* Empty on processes other than 0. */
static dpc_counts collect(void) {
    dpc_counts r = {0};
    parcel own = own_parcel();
    if (dpc_rank() > 0) {
        send_parcel(&own);
        dpc_free_buffer(own.pair);
    } else {
        r.pairs = dpc_buffer(dpc_nprocs(), sizeof *r.pairs);
        r.paired = dpc_buffer(dpc_nprocs(), sizeof *r.paired);
        r.total = dpc_buffer(dpc_nprocs(), sizeof *r.total);
        enter(&r, 0, &own);
    }
    free_parcel(&own);
    for (int process = 1; dpc_rank() == 0 && process < dpc_nprocs(); process++) {
        parcel p = receive_parcel(process);
        enter(&r, process, &p);
        free_parcel(&p);
    }
    sort_statements(&r);
    return r;
}

static void free_report(dpc_counts *r) {
    for (dpc_index k = 0; k < r->count; k++) {
        dpc_free_buffer((void *)(uintptr_t)r->statement[k].where);
        dpc_free_buffer(r->statement[k].count);
    }
    dpc_free_buffer(r->statement);
    for (int p = 0; r->pairs != NULL && p < dpc_nprocs(); p++) dpc_free_buffer(r->pairs[p]);
    dpc_free_buffer(r->pairs);
    dpc_free_buffer(r->paired);
    dpc_free_buffer(r->total);
}

/* ---- End */

static void forget_records(void) {
    while (records != NULL) {
        record *next = records->next;
        dpc_free_buffer(records->to);
        dpc_free_buffer(records);
        records = next;
    }
    current = NULL;
    record_count = 0;
}

/* By the numbers that events have. */
static const char **names_of_records(void) {
    const char **name = dpc_raw_buffer(record_count + 1, sizeof *name);
    for (const record *r = records; r != NULL; r = r->next) name[r->number] = r->where;
    name[record_count] = NULL;
    return name;
}

void dpc_close_statistics(void) {
    if (!dpc_statistics) return;
    dpc_note_end();
    leave();
    dpc_statistics = false;
    dpc_close_trace(names_of_records());
    if (want == WANT_NOTHING) {
        forget_records();
        return;
    }
    dpc_counts r = collect();
    if (dpc_rank() == 0 && want == WANT_JSON) dpc_write_counts(&r);
    if (dpc_rank() == 0 && want == WANT_TABLE) dpc_print_counts(&r);
    free_report(&r);
    forget_records();
}
#endif
