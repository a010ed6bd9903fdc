/* What the parts of libdpc share: memory, the start, errors, messages, counts. */
#ifndef DPC_BASE_H
#define DPC_BASE_H

#ifndef DPC_NO_STDIO
#define DPC_NO_STDIO
#endif
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "../standard.h"
#include "../element_types.h"
#include "../messages.h"
#include "../start.h"

/* ---- buffer.c */

/* dpc_buffer without the zeroes. */
void *dpc_raw_buffer(dpc_index count, dpc_index size);
#ifdef DPC_STANDALONE
/* Memory that one transfer leaves to the next: malloc's, in a program in one file. */
#define dpc_take_staging(count, size) dpc_raw_buffer(count, size)
#define dpc_give_staging(buffer) dpc_free_buffer(buffer)
#define dpc_free_staging() DPC_LEFT_OUT
#define dpc_check_buffers() DPC_LEFT_OUT
#else
/* malloc that ends the program when memory runs out, and free; for the pool, which all other memory comes from. */
void *dpc_new_memory(dpc_index count, dpc_index size);
void dpc_free_memory(void *memory);
/* Debug builds: complains on standard error when buffers are still alive. */
void dpc_check_buffers(void);

/* ---- pool.c: memory, not zeroed, that one transfer leaves to the next. */

void *dpc_take_staging(dpc_index count, dpc_index size);
void dpc_give_staging(void *buffer);
/* Frees what is kept. */
void dpc_free_staging(void);
#endif

/* ---- start.c, process.c, streams.c */

#ifdef DPC_STANDALONE
/* A program in one file (dpcc --standalone) asks for no memory in advance. */
#define dpc_keep_reserve() DPC_LEFT_OUT
#else
/* Keeps addresses for the end of a program that runs out of them. (local) */
void dpc_keep_reserve(void);
#endif
/* Sends the standard streams of every process but 0 to nowhere; standard input is read by process 0. */
void dpc_open_streams(void);
/* Writes a finished message to the real standard error of this process, after what it has printed before. */
void dpc_print_error(const char *text, size_t length);
void dpc_flush_streams(void);
/* What a function of the C library returned on process 0, and errno: given to all. (collective) */
typedef struct {
    int64_t result, error;
} dpc_outcome;
dpc_outcome dpc_share_outcome(dpc_outcome mine);
/* Between dpc_init, which begins by the first of these functions, and dpc_finish, which ends by the second. */
bool dpc_running(void);
/* Whether there are others, who call what this process calls: not within an extrinsic function. */
bool dpc_acts_together(void);
void dpc_open_process(void);
void dpc_close_process(void);
/* dpc_finish calls the function once, while MPI still runs: those registered last first, so that what uses another
 * one's things registers behind it.  What it does with other processes' help is registered by all of them in the same
 * order. (local) */
#ifdef DPC_STANDALONE
/* A program in one file leaves its memory to the system. */
#define dpc_at_finish(end) DPC_LEFT_OUT
#define dpc_run_enders() DPC_LEFT_OUT
#else
void dpc_at_finish(void (*end)(void));
void dpc_run_enders(void);
#endif
/* The statement that was begun last: "file:line"; NULL: none. */
extern const char *dpc_statement;
/* The array whose elements it is moving, for errors; NULL: none yet. */
extern const char *dpc_subject;
#if DPC_HAS_THREADS
/* omp_in_parallel, where the program has OpenMP: every thread of a region would execute the statement. */
extern int omp_in_parallel(void) __attribute__((weak));
_Noreturn void dpc_fail_region(const char *where);
/* Ends the program where another thread calls the function. (local) */
void dpc_check_main_thread(const char *function);
#else
#define dpc_fail_region(where) DPC_LEFT_OUT
#define dpc_check_main_thread(function) DPC_LEFT_OUT
#endif
/* The same of a function of the C library that all processes call together. */
void dpc_check_caller(const char *function);
/* --check=all (divergence.c); NULL: without.  The first ends the program where the processes come to different places,
 * the second where they read different files. */
extern void (*dpc_meet)(const char *place);
extern void (*dpc_compare_file)(const char *path, FILE *file);
extern const char dpc_program_end[]; /* a place */
#if DPC_USES(dpc_check_all)
static inline void dpc_meet_at(const char *place) {
    if (dpc_meet != NULL) dpc_meet(place);
}
#else
#define dpc_meet_at(place) DPC_LEFT_OUT
#endif
/* dpc_watch looks at statements before they are executed. */
extern bool dpc_watched;
/* A statement on distributed arrays, or the creation of one, begins; with --check=all its place is yet to be compared.
 */
static inline void dpc_begin_uncompared(const char *where) {
    if (!dpc_main_thread) dpc_fail_thread(where);
    if (omp_in_parallel != NULL && omp_in_parallel()) dpc_fail_region(where);
    dpc_statement = where;
    dpc_subject = NULL;
}
static inline void dpc_begin_statement(const char *where) {
    dpc_begin_uncompared(where);
    dpc_meet_at(where);
}

/* ---- agreement.c: what must be the same on every process. */

/* A line that says what differs. */
typedef struct {
    char text[800];
} dpc_message_text;

/* The hash goes on with these bytes. (local) */
uint64_t dpc_hash(uint64_t h, const void *bytes, size_t count);
/* Every process has these bytes, by their hash.  (collective) */
bool dpc_same_everywhere(const void *bytes, size_t count);
/* Where one process or more fails, the program ends with what the first of these says.  (collective) */
void dpc_fail_first(const char *where, bool fails, const dpc_message_text *why);
/* process.c: ends the program where every process knows why; process 0 says it.  (collective) */
_Noreturn void dpc_fail_together(const char *where, const dpc_message_text *why);

/* ---- message.c: point-to-point messages of any length. */

/* What messages of several transfers that go together belong to, which is told when */
typedef struct dpc_aggregate dpc_aggregate;
struct dpc_aggregate {
    void (*await)(dpc_aggregate *b); /* parts are wanted: it waits for a message and tells the mails of its parts */
    void (*leave)(dpc_aggregate *b); /* a mail is closed */
};

/* Messages under way in one direction. */
typedef struct {
    MPI_Comm comm;
    int tag;
    dpc_index count; /* messages */
    dpc_message *message;
    MPI_Request *request; /* of each message */
    bool types;           /* messages have types of their own */
    char *store; /* buffers of several messages: `stored` of `reserve` bytes are given out, the rest is to come */
    dpc_index reserve, stored;
    dpc_index apart;           /* messages whose buffers are not in the store */
    dpc_aggregate *aggregate;  /* that the transfer has joined, or NULL; the rest with it only */
    dpc_index parts;           /* messages that are parts of the aggregate's */
    dpc_index *arrived;        /* those that have arrived, in this order */
    dpc_index arrivals, taken; /* how many; and how many dpc_next_arrival has returned */
} dpc_mail;

#ifdef DPC_STANDALONE
#define dpc_set_chunk() DPC_LEFT_OUT
#else
/* Reads DPC_CHUNK_BYTES. */
void dpc_set_chunk(void);
#endif
/* A tag that no transfer under way uses; the same on every process. */
int dpc_next_tag(void);
/* `count` messages, to be filled in by the caller (process, bytes), on the library's own communicator. */
dpc_mail dpc_open_mail(int tag, dpc_index count);
/* Allocates the buffer of message k, which becomes its data. */
char *dpc_message_buffer(dpc_mail *mail, dpc_index k);
/* The type of elements, as MPI knows it; MPI_DATATYPE_NULL: it does not. */
MPI_Datatype dpc_mpi_type(dpc_type type);
/* Bytes of an element of the type, which may be a structure. */
dpc_index dpc_type_size(dpc_type type);
/* Count, type and request of message k, for MPI calls that the caller makes, until dpc_wait_mail or dpc_close_mail;
 * type: of its elements, `size` bytes each; MPI_DATATYPE_NULL: MPI has none. */
void dpc_describe_message(dpc_mail *mail, dpc_index k, MPI_Datatype type, dpc_index size);
void dpc_post_receive(dpc_mail *mail, dpc_index k);
/* Message k is packed in its data. */
void dpc_post_send(dpc_mail *mail, dpc_index k);
/* Sends message k from where its bytes lie side by side. */
void dpc_post_stored(dpc_mail *mail, dpc_index k, char *bytes);
/* Bytes that MPI is told of as such, at most. */
dpc_index dpc_chunk(void);
/* Sends message k as bytes, whatever its length; less than 2 GiB. */
void dpc_post_whole(dpc_mail *mail, dpc_index k);
/* Waits for a message that anyone has sent in one piece; in staging memory, *bytes long. */
char *dpc_receive_whole(int tag, dpc_index *bytes);
/* The next message that has arrived completely, -1 when all have.  Empty messages are never returned. */
dpc_index dpc_next_arrival(dpc_mail *mail);
void dpc_wait_mail(dpc_mail *mail);
void dpc_close_mail(dpc_mail *mail);
/* What a message of so many bytes takes of a mail's store: cache lines. */
static inline dpc_index dpc_store_room(dpc_index bytes) {
    return dpc_ceiling(bytes, 64) * 64;
}

#ifdef DPC_STANDALONE
#define dpc_statistics false
#define dpc_open_statistics() DPC_LEFT_OUT
#define dpc_close_statistics() DPC_LEFT_OUT
#define dpc_count_execution(where) DPC_LEFT_OUT
#define dpc_begin_counting(where, messages) DPC_LEFT_OUT
#define dpc_switch_counting(messages) DPC_LEFT_OUT
#define dpc_end_counting() DPC_LEFT_OUT
#define dpc_add_count(counter, amount) DPC_LEFT_OUT
#define dpc_count_message(bytes) DPC_LEFT_OUT
#define dpc_count_message_to(process, bytes) DPC_LEFT_OUT
#else

/* ---- stats.c: what DPC_STATS asks to have counted, per statement ("file:line").  When it is not set, each function
 * costs one test. */

/* executions: of the statement (a saved mask counts as one).  seconds: from the first preparation of messages to the
 * last unpacking, without what is computed in between, and without the posting of ghost cells' messages.  Transfers:
 * messages sent, however many chunks they have, bytes and elements in them; elements copied within the process;
 * sections that describe what was packed, runs that it was packed in; plans.  Gathers and scatters: messages with
 * subscripts, and with values (a scatter's subscripts are among these).  Collectives: reductions, broadcasts of single
 * elements, and inspectors' all-to-alls.  The bytes of a kind of message come after it.  Set up: spaces and refreshes
 * of ghost cells that were not found before with the same bounds and mappings; allocations of memory. */
#define DPC_FOR_COUNTERS(X)                                                                                            \
    X(executions)                                                                                                      \
    X(elapsed)                                                                                                         \
    X(seconds)                                                                                                         \
    X(messages)                                                                                                        \
    X(bytes)                                                                                                           \
    X(elements)                                                                                                        \
    X(copied)                                                                                                          \
    X(sections)                                                                                                        \
    X(runs)                                                                                                            \
    X(plans_made)                                                                                                      \
    X(plans_reused)                                                                                                    \
    X(index_messages)                                                                                                  \
    X(index_bytes)                                                                                                     \
    X(value_messages)                                                                                                  \
    X(value_bytes)                                                                                                     \
    X(collectives)                                                                                                     \
    X(collective_bytes)                                                                                                \
    X(spaces)                                                                                                          \
    X(allocations)

typedef enum {
#define DPC_COUNTER(name) DPC_COUNT_##name,
    DPC_FOR_COUNTERS(DPC_COUNTER)
#undef DPC_COUNTER
        DPC_COUNTERS
} dpc_counter;

/* DPC_STATS or DPC_TRACE is set. */
extern bool dpc_statistics;
/* Reads DPC_STATS and DPC_TRACE; prints and frees what was counted.  (collective) */
void dpc_open_statistics(void);
void dpc_close_statistics(void);

/* Called by the functions below. */
void dpc_note_execution(const char *where);
void dpc_note_begin(const char *where, dpc_counter messages);
void dpc_note_kind(dpc_counter messages);
void dpc_note_end(void);
void dpc_note(dpc_counter counter, dpc_index amount);
void dpc_note_message(int process, dpc_index bytes);

/* The statement is executed; what has no `where` of its own until the next belongs to it. */
static inline void dpc_count_execution(const char *where) {
    if (dpc_statistics) dpc_note_execution(where);
}
/* Communication of the statement (NULL: of the one executed) begins, with messages of this kind, goes on with
 * another kind, and ends. */
static inline void dpc_begin_counting(const char *where, dpc_counter messages) {
    if (dpc_statistics) dpc_note_begin(where, messages);
}
static inline void dpc_switch_counting(dpc_counter messages) {
    if (dpc_statistics) dpc_note_kind(messages);
}
static inline void dpc_end_counting(void) {
    if (dpc_statistics) dpc_note_end();
}
static inline void dpc_add_count(dpc_counter counter, dpc_index amount) {
    if (dpc_statistics) dpc_note(counter, amount);
}
/* A collective of the kind that is under way, or a message to that process of dpc_communicator. */
static inline void dpc_count_message(dpc_index bytes) {
    if (dpc_statistics) dpc_note_message(-1, bytes);
}
static inline void dpc_count_message_to(int process, dpc_index bytes) {
    if (dpc_statistics) dpc_note_message(process, bytes);
}

#endif

#endif
