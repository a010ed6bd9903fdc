/* Single elements outside parallel statements. */
#include "program.h"

#include <string.h>

DPC_STEADY void *dpc_mine(dpc_array *a, const char *where, const dpc_index *index) {
    dpc_check_element(a, where, a->rank, index);
    dpc_changed(a);
    return dpc_owns_element(a, a->rank, index) ? dpc_own_element(a, where, a->rank, index) : NULL;
}

#if DPC_USES(dpc_check_all)
/* --check=all */
static void check_alike(const dpc_array *a, const char *where, const dpc_index *index, const void *value) {
    static const char *const name[] = {"subscript 1 of ",  "subscript 2 of ",  "subscript 3 of ",  "subscript 4 of ",
                                       "subscript 5 of ",  "subscript 6 of ",  "subscript 7 of ",  "subscript 8 of ",
                                       "subscript 9 of ",  "subscript 10 of ", "subscript 11 of ", "subscript 12 of ",
                                       "subscript 13 of ", "subscript 14 of ", "subscript 15 of "};
    _Static_assert(sizeof name / sizeof *name == DPC_MAX_RANK, "a name for each subscript");
    dpc_replicated x[DPC_MAX_RANK + 1];
    for (int k = 0; k < a->rank; k++) x[k] = (dpc_replicated){name[k], dpc_type_of(*index), &index[k]};
    x[a->rank] = (dpc_replicated){"the value stored in ", a->type, value};
    dpc_agree_of(a->name, where, a->rank + (value != NULL), x);
}
#endif

/* Gives the owner's value to every process. */
static void share(void *value, dpc_index size, int owner) {
    dpc_begin_counting(NULL, DPC_COUNT_collectives);
    dpc_count_message(size);
    MPI_Bcast(value, (int)size, MPI_BYTE, owner, dpc_communicator);
    dpc_end_counting();
}

void *dpc_read(const dpc_array *a, const char *where, void *value, const dpc_index *index) {
    dpc_begin_uncompared(where);
    dpc_check_together(where, a);
#if DPC_USES(dpc_check_all)
    if (dpc_meet != NULL) check_alike(a, where, index, NULL);
#endif
    dpc_check_element(a, where, a->rank, index);
    dpc_count_execution(where);
    const int owner = dpc_element_process(a, index);
    if (owner == dpc_rank())
        memcpy(value, (const char *)a->local + dpc_element_offset(a, index) * a->size, (size_t)a->size);
    if (dpc_nprocs() > 1) share(value, a->size, owner);
    return value;
}

/* ---- Rows */

/* What a call has of a row. */
typedef struct row {
    struct row *next;
    void **kept; /* points to the values */
    dpc_index bytes;
} row;

static row *rows;

static void free_rows(void) {
    while (rows != NULL) {
        row *r = rows;
        rows = r->next;
        dpc_free_buffer(*r->kept);
        *r->kept = NULL;
        dpc_free_buffer(r);
    }
}

/* Room for so many bytes at *kept. */
static void keep_row(void **kept, dpc_index bytes) {
    row *r = rows;
    while (r != NULL && r->kept != kept) r = r->next;
    if (r != NULL && r->bytes >= bytes) return;
    if (r == NULL) {
        dpc_at_finish(free_rows);
        r = dpc_buffer(1, sizeof *r);
        *r = (row){rows, kept, 0};
        rows = r;
    }
    dpc_free_buffer(*kept);
    *kept = dpc_buffer(dpc_maximum(bytes, 1), 1);
    r->bytes = bytes;
}

void *dpc_read_row(const dpc_array *a, const char *where, void **kept, int subscripts, const dpc_index *index) {
    enum { MOST_BYTES = 1 << 30 };
    const dpc_dim *last = &a->dim[a->rank - 1];
    const dpc_index bytes = last->extent * a->size;
    dpc_index at[DPC_MAX_RANK];
    dpc_begin_uncompared(where);
    dpc_check_together(where, a);
    dpc_check_element(a, where, subscripts, index);
    memcpy(at, index, (size_t)subscripts * sizeof *at);
    at[a->rank - 1] = dpc_first_element(last);
    dpc_count_execution(where);
    keep_row(kept, bytes);
    const int owner = dpc_element_process(a, at);
    if (owner == dpc_rank() && bytes > 0)
        memcpy(*kept, (const char *)a->local + dpc_element_offset(a, at) * a->size, (size_t)bytes);
    for (dpc_index done = 0; dpc_nprocs() > 1 && done < bytes; done += MOST_BYTES)
        share((char *)*kept + done, dpc_minimum(bytes - done, MOST_BYTES), owner);
    const dpc_index place = subscripts == a->rank ? index[subscripts - 1] - at[a->rank - 1] : 0;
    return (char *)*kept + place * a->size;
}

DPC_STEADY void *dpc_write(dpc_array *a, const char *where, void *value, const dpc_index *index) {
    dpc_begin_uncompared(where);
    dpc_check_together(where, a);
#if DPC_USES(dpc_check_all)
    if (dpc_meet != NULL) check_alike(a, where, index, value);
#endif
    void *element = dpc_mine(a, where, index);
    dpc_count_execution(where);
    if (element != NULL) memcpy(element, value, (size_t)a->size);
    return value;
}

/* ---- Statements that one process executes */

int dpc_store_begins(dpc_array *a, const char *where, const dpc_index *index) {
    dpc_begin_statement(where);
    dpc_watch_statement(a, where);
    dpc_check_element(a, where, a->rank, index);
    dpc_changed(a);
    return a->copies ? -1 : dpc_element_process(a, index);
}

void *dpc_send_element(const dpc_array *a, const char *where, void *value, int process, const dpc_index *index) {
    dpc_check_element(a, where, a->rank, index);
    if (process < 0) return dpc_read(a, where, value, index);
    const int owner = dpc_element_process(a, index), tag = dpc_next_tag();
    if (owner == process) {
        if (owner == dpc_rank()) memcpy(value, dpc_own_element(a, where, a->rank, index), (size_t)a->size);
    } else if (owner == dpc_rank()) {
        dpc_begin_counting(NULL, DPC_COUNT_messages);
        dpc_count_message_to(process, a->size);
        dpc_add_count(DPC_COUNT_elements, 1);
        MPI_Send(dpc_own_element(a, where, a->rank, index), (int)a->size, MPI_BYTE, process, tag, dpc_communicator);
        dpc_end_counting();
    } else if (process == dpc_rank()) {
        dpc_begin_counting(NULL, DPC_COUNT_messages);
        MPI_Recv(value, (int)a->size, MPI_BYTE, owner, tag, dpc_communicator, MPI_STATUS_IGNORE);
        dpc_end_counting();
    }
    return value;
}
