/* What DPC_STATS asks for: counts of what each statement ("file:line") executes and sends, collected by process 0 at
 * the end of the program and printed as a table, or written as JSON. */
#ifndef DPC_STANDALONE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "settings.h"

#include <errno.h>
#include <string.h>

enum { TAG = 32001 }; /* no transfer's */

typedef enum { WANT_NOTHING, WANT_TABLE, WANT_JSON } wanted;

bool dpc_statistics, dpc_watched;

/* The counts of a statement on this process. */
typedef struct record {
    struct record *next;
    double count[DPC_COUNTERS];
    char where[];
} record;

static wanted want;
static record *records, *current; /* in no order; of the statement that was begun last */
static dpc_index record_count;
static dpc_counter message_counter; /* of what is under way */
static double since;

/* ---- Counting */

static record *new_record(const char *where) {
    const size_t length = strlen(where);
    record *r = dpc_buffer((dpc_index)(sizeof *r + length + 1), 1);
    memcpy(r->where, where, length);
    r->next = records;
    record_count++;
    return records = r;
}

/* Makes the record of that statement the current one; NULL: it stays the one it is. */
static void go_to(const char *where) {
    if (where == NULL) where = current == NULL ? "-" : current->where;
    if (current != NULL && strcmp(current->where, where) == 0) return;
    for (current = records; current != NULL && strcmp(current->where, where) != 0;) current = current->next;
    if (current == NULL) current = new_record(where);
}

void dpc_note_end(void) {
    if (since > 0) current->count[DPC_COUNT_seconds] += MPI_Wtime() - since;
    since = 0;
}

void dpc_note_execution(const char *where) {
    dpc_note_end();
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

void dpc_note_message(dpc_index bytes) {
    dpc_note(message_counter, 1);
    dpc_note(message_counter + 1, bytes);
}

/* ---- Start */

static wanted parse_wish(const char *text) {
    if (text == NULL || strcmp(text, "0") == 0) return WANT_NOTHING;
    return strcmp(text, "1") == 0 ? WANT_TABLE : WANT_JSON;
}

/* Process 0's environment holds for all: launchers may keep it from the others. */
void dpc_open_statistics(void) {
    int wish = (int)parse_wish(dpc_setting_text(DPC_SETTING_STATS));
    if (dpc_nprocs() > 1) MPI_Bcast(&wish, 1, MPI_INT, 0, dpc_communicator);
    want = (wanted)wish;
    dpc_statistics = want != WANT_NOTHING;
    dpc_watched = dpc_statistics || dpc_meet != NULL;
}

/* ---- Collecting: process 0 gets the records of all. */

/* A statement's counts on every process: count[process * DPC_COUNTERS + counter]. */
typedef struct {
    const char *where;
    double *count;
} statement;

typedef struct {
    dpc_index count, room;
    statement *statement;
} report;

/* The statement's number; a new one has zeroes. */
static dpc_index statement_number(report *r, const char *where) {
    for (dpc_index k = 0; k < r->count; k++)
        if (strcmp(r->statement[k].where, where) == 0) return k;
    if (r->count == r->room) {
        statement *old = r->statement;
        r->room = 2 * r->room + 16;
        r->statement = dpc_raw_buffer(r->room, sizeof *old);
        if (r->count > 0) memcpy(r->statement, old, (size_t)r->count * sizeof *old);
        dpc_free_buffer(old);
    }
    char *copy = dpc_raw_buffer((dpc_index)strlen(where) + 1, 1);
    strcpy(copy, where);
    r->statement[r->count] = (statement){copy, dpc_buffer((dpc_index)dpc_nprocs() * DPC_COUNTERS, sizeof(double))};
    return r->count++;
}

/* What one process sends: the names, each with its NUL, and the counts in the same order. */
typedef struct {
    int name_bytes, counts;
    char *names;
    double *count;
} parcel;

static parcel own_parcel(void) {
    parcel p = {0, (int)record_count * DPC_COUNTERS, NULL, NULL};
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
    return p;
}

static void send_parcel(const parcel *p) {
    MPI_Send(p->names, p->name_bytes, MPI_CHAR, 0, TAG, dpc_communicator);
    MPI_Send(p->count, p->counts, MPI_DOUBLE, 0, TAG, dpc_communicator);
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
    return p;
}

static void free_parcel(parcel *p) {
    dpc_free_buffer(p->names);
    dpc_free_buffer(p->count);
}

static void enter(report *r, int process, const parcel *p) {
    const double *count = p->count;
    for (const char *name = p->names; name < p->names + p->name_bytes; name += strlen(name) + 1) {
        const dpc_index k = statement_number(r, name);
        memcpy(r->statement[k].count + process * DPC_COUNTERS, count, DPC_COUNTERS * sizeof *count);
        count += DPC_COUNTERS;
    }
}

/* By file, then by line. */
static int in_source_order(const void *left, const void *right) {
    const char *x = ((const statement *)left)->where, *y = ((const statement *)right)->where;
    const char *x_line = strrchr(x, ':'), *y_line = strrchr(y, ':');
    if (x_line == NULL || y_line == NULL || x_line - x != y_line - y || strncmp(x, y, (size_t)(x_line - x)) != 0)
        return strcmp(x, y);
    const long a = atol(x_line + 1), b = atol(y_line + 1);
    return (a > b) - (a < b);
}

/* Empty on processes other than 0. */
static report collect(void) {
    report r = {0};
    parcel own = own_parcel();
    if (dpc_rank() > 0)
        send_parcel(&own);
    else
        enter(&r, 0, &own);
    free_parcel(&own);
    for (int process = 1; dpc_rank() == 0 && process < dpc_nprocs(); process++) {
        parcel p = receive_parcel(process);
        enter(&r, process, &p);
        free_parcel(&p);
    }
    if (r.count > 0) qsort(r.statement, (size_t)r.count, sizeof *r.statement, in_source_order);
    return r;
}

static void free_report(report *r) {
    for (dpc_index k = 0; k < r->count; k++) {
        dpc_free_buffer((void *)(uintptr_t)r->statement[k].where);
        dpc_free_buffer(r->statement[k].count);
    }
    dpc_free_buffer(r->statement);
}

static double sum(const statement *s, int counter) {
    double total = 0;
    for (int p = 0; p < dpc_nprocs(); p++) total += s->count[p * DPC_COUNTERS + counter];
    return total;
}

static double greatest(const statement *s, int counter) {
    double most = 0;
    for (int p = 0; p < dpc_nprocs(); p++)
        if (s->count[p * DPC_COUNTERS + counter] > most) most = s->count[p * DPC_COUNTERS + counter];
    return most;
}

/* ---- The table */

static const char *const counter_names[DPC_COUNTERS] = {
#define DPC_NAME(name) #name,
    DPC_FOR_COUNTERS(DPC_NAME)};

/* What stands side by side: counters first .. last.  The first part has a line for every statement, the others for
 * those that have something in it. */
typedef struct {
    const char *title;
    int first, last;
} part;

static const part parts[] = {
    {"statement", DPC_COUNT_executions, DPC_COUNT_copied},
    {"packing and plans", DPC_COUNT_sections, DPC_COUNT_plans_reused},
    {"gathers, scatters and collectives", DPC_COUNT_index_messages, DPC_COUNT_collective_bytes},
    {"set up", DPC_COUNT_spaces, DPC_COUNT_allocations},
};

typedef struct {
    char text[64];
} cell;

static cell cell_of(const statement *s, int counter) {
    cell c;
    const int digits = counter == DPC_COUNT_seconds ? 6 : 0;
    const double all = sum(s, counter), most = greatest(s, counter);
    if (counter == DPC_COUNT_executions || most == 0)
        snprintf(c.text, sizeof c.text, "%.0f", most);
    else
        snprintf(c.text, sizeof c.text, "%.*f (%.*f)", digits, all, digits, most);
    return c;
}

static bool has_line(const part *p, const statement *s) {
    bool any = p == parts;
    for (int c = p->first; c <= p->last; c++) any = any || greatest(s, c) > 0;
    return any;
}

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static int column_width(const report *r, int counter) {
    int width = (int)strlen(counter_names[counter]);
    for (dpc_index k = 0; k < r->count; k++) width = wider(width, cell_of(&r->statement[k], counter).text);
    return width;
}

static void print_part(FILE *out, const report *r, const part *p) {
    int name_width = (int)strlen(p->title);
    bool any = false;
    for (dpc_index k = 0; k < r->count; k++) {
        name_width = wider(name_width, r->statement[k].where);
        any = any || has_line(p, &r->statement[k]);
    }
    if (!any) return;
    fprintf(out, "%-*s", name_width, p->title);
    for (int c = p->first; c <= p->last; c++) fprintf(out, "  %*s", column_width(r, c), counter_names[c]);
    fputc('\n', out);
    for (dpc_index k = 0; k < r->count; k++) {
        if (!has_line(p, &r->statement[k])) continue;
        fprintf(out, "%-*s", name_width, r->statement[k].where);
        for (int c = p->first; c <= p->last; c++)
            fprintf(out, "  %*s", column_width(r, c), cell_of(&r->statement[k], c).text);
        fputc('\n', out);
    }
}

static void print_table(FILE *out, const report *r) {
    fprintf(out, "DPC_STATS: number of processes: %d; sums over all, in brackets the most of one\n", dpc_nprocs());
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) print_part(out, r, &parts[k]);
}

/* ---- JSON */

static void print_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ')
            fprintf(out, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void print_counts(FILE *out, const statement *s, int counter) {
    fprintf(out, ", \"%s\": [", counter_names[counter]);
    for (int p = 0; p < dpc_nprocs(); p++)
        fprintf(out, "%s%.*f", p > 0 ? ", " : "", counter == DPC_COUNT_seconds ? 9 : 0,
                s->count[p * DPC_COUNTERS + counter]);
    fputc(']', out);
}

static void print_json(FILE *out, const report *r) {
    fprintf(out, "{\"processes\": %d, \"statements\": [", dpc_nprocs());
    for (dpc_index k = 0; k < r->count; k++) {
        const statement *s = &r->statement[k];
        fprintf(out, "%s\n  {\"where\": ", k > 0 ? "," : "");
        print_string(out, s->where);
        fprintf(out, ", \"executions\": %.0f", greatest(s, DPC_COUNT_executions));
        for (int c = 0; c < DPC_COUNTERS; c++)
            if (c != DPC_COUNT_executions) print_counts(out, s, c);
        fputc('}', out);
    }
    fputs("\n]}\n", out);
}

/* ---- End */

static void complain(const char *path) {
    char text[500];
    const int length =
        snprintf(text, sizeof text, "dpc: error: DPC_STATS: cannot write '%.300s': %s\n", path, strerror(errno));
    dpc_print_error(text, (size_t)length);
}

static void write_json(const report *r) {
    const char *path = getenv("DPC_STATS");
    FILE *out = fopen(path, "w");
    bool good = out != NULL;
    if (good) print_json(out, r);
    if (good) good = !ferror(out);
    if (out != NULL) good = fclose(out) == 0 && good;
    if (!good) complain(path);
}

static void write_table(const report *r) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return;
    print_table(out, r);
    fclose(out);
    dpc_print_error(text, length);
    free(text);
}

void dpc_close_statistics(void) {
    if (!dpc_statistics) return;
    dpc_statistics = false;
    report r = collect();
    if (dpc_rank() == 0 && want == WANT_JSON) write_json(&r);
    if (dpc_rank() == 0 && want == WANT_TABLE) write_table(&r);
    free_report(&r);
    while (records != NULL) {
        record *next = records->next;
        dpc_free_buffer(records);
        records = next;
    }
    current = NULL;
    record_count = 0;
}
#endif
