/* What a statement will send, process by process, where everything that decides it is a constant: the numbers that
 * DPC_STATS counts.  The sets are those of the run time, made by the same functions (runtime/base/sets.h). */
#ifndef DPC_EXPLAIN_PREDICT_H
#define DPC_EXPLAIN_PREDICT_H

#include "../analysis/model/analysis.h"

/* As in runtime/base/base.h; per process and execution. */
#define FOR_AMOUNTS(X)                                                                                                 \
    X(messages)                                                                                                        \
    X(bytes)                                                                                                           \
    X(elements)                                                                                                        \
    X(sections)                                                                                                        \
    X(collectives)                                                                                                     \
    X(collective_bytes)                                                                                                \
    X(value_messages)                                                                                                  \
    X(value_bytes)

typedef enum {
#define AMOUNT(name) AMOUNT_##name,
    FOR_AMOUNTS(AMOUNT)
#undef AMOUNT
        AMOUNTS
} amount;

/* A message of one execution. */
typedef struct {
    int from, to;
    int64_t bytes;
} sent_message;

typedef struct {
    const char *unknown; /* why there are no numbers, or NULL */
    int procs;
    int64_t *each[AMOUNTS]; /* per process; NULL: not predicted */
    /* Of a reference, per dimension: regular sections of a pair of processes, at most (-1: not known), and who makes
     * them. */
    int64_t sections[MAX_RANK];
    set_method method[MAX_RANK];
    sent_message *message; /* of a fetch */
    size_t sent, capacity;
} prediction;

/* More processes than these are not counted one by one. */
enum { MOST_PREDICTED = 1024 };

/* Nothing is sent; the program's number of processes must be known. */
prediction no_messages(const program *p);
prediction unpredictable(const char *why);
/* The fewer messages that the process sends where these fetches go together (runtime/program/aggregate.c): to add. */
prediction predict_aggregate(const program *p, const prediction *fetch, size_t fetches);
/* Adds b to a; what is not known makes the sum unknown. */
void add_prediction(prediction *a, const prediction *b);
/* A reference that sets move. */
prediction predict_fetch(const program *p, const parallel *s, const reference *r);
/* Bringing all ghost cells of an array up to date. */
prediction predict_refresh(const program *p, const array *a, int planes);
/* A reference that one collective along the grid brings. */
prediction predict_broadcast(const program *p, const parallel *s, const reference *r);
/* A product's operand that comes in panels. */
prediction predict_panels(const program *p, const parallel *s, const reference *r);
/* The results of a reduction for each element. (results.c) */
prediction predict_results(const program *p, const parallel *s);
/* A redistribution from one mapping to another. */
prediction predict_redistribution(const program *p, const array *a, const mapping *from, const mapping *to);
/* A prefix operation on values of `bytes` bytes, before the statement. */
prediction predict_prefix(const program *p, const parallel *s, const prefix_operation *along, int64_t bytes);
/* Scalars that iterations of a pipeline leave to the next.  (carried.c) */
prediction predict_carried(const program *p, const parallel *s);
/* `count` collectives of `bytes` bytes. */
prediction predict_collectives(const program *p, int64_t count, int64_t bytes);

#endif
