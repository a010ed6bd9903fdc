/* Pass "ahead": ghost cells that the next statements read come with those of the first, in the same messages, where
 * nothing in between stores into their arrays.  Bringing them early is never wrong: the run time brings them again
 * where an array has changed after all. */
#include <stdlib.h>

#include "changes.h"

/* The next statement that reads an array's ghost cells. */
typedef struct reader reader;
struct reader {
    array *array;
    const parallel *statement; /* NULL: an end of a list */
    reader *nearer, *farther;
};

/* Statements of a block that control reaches one after the other.  They are walked backwards: what follows is known,
 * the nearest first; of arrays with corners, which are refreshed in several phases, apart. */
typedef struct {
    parallel **statement;
    size_t count, capacity;
    reader next[2];
    hash_table reader_of; /* by array */
} row;

typedef struct {
    program *p;
    hash_table seen, row_of; /* blocks; rows by statements of blocks */
    row **row;
    size_t rows, row_capacity;
} row_list;

/* ---- Rows */

static bool runs_straight_on(const node *n) {
    return n->kind == N_FORALL || n->kind == N_EXPRESSION || n->kind == N_DECLARATION || n->kind == N_EMPTY;
}

static row *add_row(row_list *l) {
    row *r = arena_alloc(l->p->memory, sizeof *r);
    for (int k = 0; k < 2; k++) r->next[k].nearer = r->next[k].farther = &r->next[k];
    vector_add(l->p->memory, l->row, l->rows, l->row_capacity, r);
    return r;
}

static void find_rows(row_list *l, const node *block) {
    row *r = NULL;
    table_put(l->p->memory, &l->seen, block, block);
    for (size_t c = 0; c < block->count; c++) {
        const bool goes_on = block->child[c] && runs_straight_on(block->child[c]);
        r = !goes_on ? NULL : r ? r : add_row(l);
        if (goes_on) table_put(l->p->memory, &l->row_of, block->child[c], r);
    }
}

static void add_to_row(row_list *l, parallel *s) {
    const node *first = s->loop || s->in_place ? NULL : statement_around(s->node);
    if (!first || !runs_straight_on(first)) return;
    if (!table_at(&l->seen, first->parent)) find_rows(l, first->parent);
    row *r = table_at(&l->row_of, first);
    vector_add(l->p->memory, r->statement, r->count, r->capacity, s);
}

static int in_source_order(const void *left, const void *right) {
    const parallel *const *x = left, *const *y = right;
    return ((*x)->node->first > (*y)->node->first) - ((*x)->node->first < (*y)->node->first);
}

/* ---- What follows */

static bool reads_halo(const reference *r) {
    return r->array && r->placed.relation == RELATION_SHIFT;
}

static bool reads_halo_of(const parallel *s, const array *a) {
    for (size_t k = 0; k < s->references; k++)
        if (reads_halo(&s->reference[k]) && s->reference[k].array == a) return true;
    return false;
}

static void take_out(reader *x) {
    if (!x->nearer) return;
    x->nearer->farther = x->farther;
    x->farther->nearer = x->nearer;
    x->nearer = x->farther = NULL;
}

static void put_nearest(reader *x, reader *list) {
    x->nearer = list;
    x->farther = list->farther;
    x->farther->nearer = list->farther = x;
}

/* From here on the statement is the next that reads the array's ghost cells. */
static void note_reader(program *p, row *w, const parallel *s, array *a) {
    reader *x = table_at(&w->reader_of, a);
    if (!x) table_put(p->memory, &w->reader_of, a, x = arena_alloc(p->memory, sizeof *x));
    take_out(x);
    x->array = a;
    x->statement = s;
    put_nearest(x, &w->next[a->placed.corners > 0]);
}

/* What is stored into before its next reader stays so for all statements further up. */
static void add_ahead(const program *p, parallel *s, reader *list) {
    const node *function = function_around(s->node);
    for (reader *x = list->farther, *farther; x->statement && s->combined.aheads < MOST_AHEAD; x = farther) {
        farther = x->farther;
        if (changes(p, function, x->array->symbol, s->node->first, x->statement->node->first - 1))
            take_out(x);
        else if (!reads_halo_of(s, x->array))
            vector_add(p->memory, s->combined.ahead, s->combined.aheads, s->combined.ahead_capacity, x->array);
    }
}

static void look_from(program *p, row *w, parallel *s) {
    bool reads = false, corners = false;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        reads = reads || reads_halo(r);
        corners = corners || (reads_halo(r) && r->array->placed.corners);
    }
    if (!reads) return;
    add_ahead(p, s, &w->next[corners]);
    for (size_t k = s->references; k-- > 0;)
        if (reads_halo(&s->reference[k])) note_reader(p, w, s, s->reference[k].array);
}

void look_ahead(program *p) {
    const statement_list all = all_statements(p);
    row_list l = {.p = p};
    for (size_t k = 0; k < all.count; k++) add_to_row(&l, all.statement[k]);
    for (size_t k = 0; k < l.rows; k++) {
        row *w = l.row[k];
        if (w->count) qsort(w->statement, w->count, sizeof *w->statement, in_source_order);
        for (size_t j = w->count; j-- > 0;) look_from(p, w, w->statement[j]);
    }
}
