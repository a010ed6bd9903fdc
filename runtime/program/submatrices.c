/* Boxes: what iterations read of matrices that are arrays of one dimension.  A process lists its box as runs of
 * elements that lie side by side with their owners, tells these which, and gets the values. */
#include "program.h"

#include <string.h>

typedef struct {
    const dpc_array *a;
    dpc_owner_runs all;
    dpc_index own_first, own_extent; /* the own elements, where they are one interval; else none */
    bool asked;                      /* by another process: own elements alone, one after the other */
    dpc_index elements;              /* of these */
} matrix_runs;

/* ---- Parts */

/* A part of the box: its values first .. last, and how far apart their elements are.  around: 0, or what is left of the
 * values by it counts. */
typedef struct {
    dpc_index weight, first, last, around;
} box_part;

static void take_parts(int parts, const dpc_submatrix_part *part, const dpc_index *around, box_part *box) {
    for (int k = 0; k < parts; k++)
        box[k] = (box_part){part[k].weight, part[k].first, part[k].last,
                            around == NULL || around[k] == DPC_NO_MODULUS ? 0 : dpc_magnitude(around[k])};
}

/* Where the last values of one part are followed by the first of the next value of the part before, both are one. */
static int join_parts(int parts, const box_part *part, box_part *joined) {
    int count = 0;
    for (int k = 0; k < parts; k++) {
        box_part x = part[k];
        const dpc_index values = x.last - x.first + 1;
        box_part *before = count > 0 ? &joined[count - 1] : NULL;
        if (before != NULL && before->around == 0 && x.around == 0 && before->weight == values * x.weight) {
            x.last = before->last * values + x.last;
            x.first = before->first * values + x.first;
            count--;
        }
        joined[count++] = x;
    }
    return count;
}

/* Where most values of a small group are read, or the rest are few bytes, all of them: what lies side by side is one
 * run. size: bytes of an element. */
static void fill_groups(dpc_index size, int parts, box_part *part) {
    enum { MOST_IN_GROUP = 16, MOST_REST = 64 };
    for (int k = 1; k < parts; k++) {
        box_part *x = &part[k];
        const dpc_index apart = part[k - 1].weight, values = x->last - x->first + 1;
        if (x->around != 0 || x->weight < 1 || apart < 1 || apart % x->weight != 0) continue;
        const dpc_index all = apart / x->weight;
        if (all > MOST_IN_GROUP || values < 1 || x->first < 0 || x->last >= all) continue;
        if (2 * values < all && (all - values) * size > MOST_REST) continue;
        x->first = 0;
        x->last = all - 1;
    }
}

static bool is_empty(int parts, const box_part *part) {
    for (int k = 0; k < parts; k++)
        if (part[k].last < part[k].first) return true;
    return false;
}

/* The least and the greatest number that is multiplied by the weight. */
static dpc_bounds values_of(const box_part *x) {
    dpc_bounds found = {x->first, x->last};
    if (x->around == 0) return found;
    found.lower = dpc_modulo(x->first, x->around);
    found.upper = found.lower + x->last - x->first;
    if (found.upper >= x->around) {
        found.lower = 0;
        found.upper = x->around - 1;
    }
    return found;
}

/* The least and the greatest subscript. */
static dpc_bounds ends_of(int parts, const box_part *part) {
    dpc_bounds ends = {0, 0};
    for (int k = 0; k < parts; k++) {
        const bool down = part[k].weight < 0;
        const dpc_bounds values = values_of(&part[k]);
        ends.lower += part[k].weight * (down ? values.upper : values.lower);
        ends.upper += part[k].weight * (down ? values.lower : values.upper);
    }
    return ends;
}

bool dpc_submatrix_leaves(const dpc_array *a, int parts, const dpc_submatrix_part *part, const dpc_index *around) {
    box_part box[DPC_MOST_PARTS];
    take_parts(parts, part, around, box);
    if (is_empty(parts, box)) return false;
    for (int k = 0; k < parts; k++)
        if (around != NULL && around[k] == 0) return true; /* the iterations find out whether they divide by it */
    const dpc_bounds ends = ends_of(parts, box);
    return !dpc_holds(&a->dim[0], ends.lower) || !dpc_holds(&a->dim[0], ends.upper);
}

/* ---- Runs */

/* What follows the last run there and here belongs to it. */
static void add_run(dpc_owner_runs *list, dpc_owner_run run) {
    dpc_owner_run *last = list->count > 0 ? &list->run[list->count - 1] : NULL;
    if (last != NULL && last->owner == run.owner && last->offset + last->count == run.offset &&
        last->place + last->count == run.place)
        last->count += run.count;
    else
        dpc_add_owner_run(list, run);
}

/* Those of elements first .. last that are own. */
static void list_own(matrix_runs *list, dpc_index first, dpc_index last) {
    const dpc_index from = dpc_maximum(first, list->own_first);
    const dpc_index count = dpc_minimum(last, list->own_first + list->own_extent - 1) - from + 1;
    if (count < 1) return;
    add_run(&list->all,
            (dpc_owner_run){
                .owner = dpc_rank(), .offset = from - list->own_first, .count = count, .place = list->elements});
    list->elements += count;
}

/* Elements first .. last, in the box from `place` on; those outside the array are left out. */
static void list_interval(matrix_runs *list, dpc_index first, dpc_index last, dpc_index place) {
    const dpc_array *a = list->a;
    if (list->asked) {
        list_own(list, first, last);
        return;
    }
    const dpc_dim *x = &a->dim[0];
    const dpc_index lower = dpc_maximum(first, x->lower), upper = dpc_minimum(last, x->lower + x->extent - 1);
    for (dpc_index index = lower, count; index <= upper; index += count) {
        dpc_owner_run run = {.owner = dpc_rank(), .offset = index - list->own_first, .place = place + index - first};
        if (run.offset >= 0 && run.offset < list->own_extent) {
            count = dpc_minimum(upper - index + 1, list->own_extent - run.offset);
        } else {
            count = dpc_minimum(upper - index + 1, dpc_elements_beside(a, index));
            run.owner = a->copies ? dpc_copy_process(a, &index, dpc_own_copy(a)) : dpc_element_process(a, &index);
            run.offset = dpc_element_offset(a, &index);
        }
        run.count = count;
        add_run(&list->all, run);
    }
}

/* The values of a part that lie side by side, in the box from `place` on, beside `index`. */
static void list_row(matrix_runs *list, const box_part *part, dpc_index index, dpc_index place) {
    for (dpc_index value = part->first, count; value <= part->last; value += count) {
        const dpc_index from = part->around == 0 ? value : dpc_modulo(value, part->around);
        count = part->last - value + 1;
        if (part->around != 0) count = dpc_minimum(count, part->around - from);
        list_interval(list, index + from, index + from + count - 1, place + value - part->first);
    }
}

/* The sums of parts 0 .. parts-1, of which the last one's values lie `weight` apart. */
static void list_parts(matrix_runs *list, int parts, const box_part *part, dpc_index index, dpc_index place) {
    if (parts == 1 && part->weight == 1) {
        list_row(list, part, index, place);
        return;
    }
    dpc_index across = 1;
    for (int k = 1; k < parts; k++) across *= part[k].last - part[k].first + 1;
    for (dpc_index value = part->first; value <= part->last; value++) {
        const dpc_index from = part->around == 0 ? value : dpc_modulo(value, part->around);
        const dpc_index at = index + from * part->weight, to = place + (value - part->first) * across;
        if (parts == 1)
            list_interval(list, at, at, to);
        else
            list_parts(list, parts - 1, part + 1, at, to);
    }
}

static matrix_runs list_runs(const dpc_array *a, int parts, const box_part *part, bool asked) {
    matrix_runs list = {.a = a, .asked = asked};
    box_part joined[DPC_MOST_PARTS];
    dpc_index stride;
    dpc_find_intervals(a, &list.own_first, &list.own_extent, &stride);
    if (is_empty(parts, part)) return list;
    if (asked) {
        const dpc_bounds ends = ends_of(parts, part);
        if (ends.upper < list.own_first || ends.lower >= list.own_first + list.own_extent) return list;
    }
    list_parts(&list, join_parts(parts, part, joined), joined, 0, 0);
    return list;
}

/* ---- Messages */

static void end_mail(dpc_mail *mail) {
    dpc_wait_mail(mail);
    dpc_close_mail(mail);
}

/* Where process p's message stands in the mail; every process that has an amount has one. */
static dpc_index *numbers_of(const dpc_mail *mail) {
    dpc_index *number = dpc_take_staging(dpc_nprocs(), sizeof *number);
    for (dpc_index m = 0; m < mail->count; m++) number[mail->message[m].process] = m;
    return number;
}

/* Tells the owners what is wanted; takes what is wanted of this process. */
static dpc_mail exchange_requests(const matrix_runs *list, const dpc_run_amount *mine, const dpc_run_amount *theirs) {
    const int tag = dpc_next_tag();
    dpc_mail incoming = dpc_open_run_mail(theirs, (dpc_index)sizeof(dpc_run_place), 0, tag);
    dpc_mail outgoing = dpc_open_run_mail(mine, (dpc_index)sizeof(dpc_run_place), 0, tag);
    for (dpc_index m = 0; m < incoming.count; m++) {
        dpc_message_buffer(&incoming, m);
        dpc_post_receive(&incoming, m);
    }
    dpc_index *number = numbers_of(&outgoing), *next = dpc_take_staging(dpc_nprocs(), sizeof *next);
    for (dpc_index m = 0; m < outgoing.count; m++) dpc_message_buffer(&outgoing, m);
    memset(next, 0, (size_t)dpc_nprocs() * sizeof *next);
    for (dpc_index k = 0; k < list->all.count; k++) {
        const dpc_owner_run *run = &list->all.run[k];
        if (run->owner == dpc_rank()) continue;
        dpc_run_place *to = (dpc_run_place *)(void *)outgoing.message[number[run->owner]].data;
        to[next[run->owner]++] = (dpc_run_place){run->offset, run->count};
    }
    for (dpc_index m = 0; m < outgoing.count; m++) dpc_post_send(&outgoing, m);
    dpc_wait_mail(&incoming);
    end_mail(&outgoing);
    dpc_give_staging(number);
    dpc_give_staging(next);
    return incoming;
}

/* ---- Where each process has one interval: all tell all their boxes, and each finds what it has of them */

typedef struct {
    dpc_index parts;
    box_part part[DPC_MOST_PARTS];
} asked_box;

/* Whether the elements of each process are one interval, on all processes. */
static bool has_intervals(const dpc_array *a) {
    const dpc_dim *d = &a->dim[0];
    if (dpc_is_placed(d)) return false;
    return !a->copies && (d->procs == 1 || d->extent <= dpc_block(d) * d->procs);
}

static asked_box *exchange_boxes(int parts, const box_part *part) {
    asked_box mine = {.parts = parts}, *all = dpc_take_staging(dpc_nprocs(), sizeof *all);
    memcpy(mine.part, part, (size_t)parts * sizeof *part);
    dpc_add_count(DPC_COUNT_collectives, 1);
    dpc_add_count(DPC_COUNT_collective_bytes, (dpc_index)sizeof mine);
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, dpc_communicator);
    return all;
}

/* What other processes want of this one, as if they had asked for it; *theirs: how much. */
static dpc_mail find_requests(const dpc_array *a, int parts, const box_part *part, dpc_run_amount **theirs) {
    const int procs = dpc_nprocs(), tag = dpc_next_tag();
    asked_box *box = exchange_boxes(parts, part);
    matrix_runs *list = dpc_take_staging(procs, sizeof *list);
    *theirs = dpc_take_staging(procs, sizeof **theirs);
    for (int p = 0; p < procs; p++) {
        const bool other = p != dpc_rank();
        list[p] = other ? list_runs(a, (int)box[p].parts, box[p].part, true) : (matrix_runs){0};
        (*theirs)[p] = (dpc_run_amount){.runs = list[p].all.count, .elements = list[p].elements};
    }
    dpc_mail requests = dpc_open_run_mail(*theirs, (dpc_index)sizeof(dpc_run_place), 0, tag);
    for (dpc_index m = 0; m < requests.count; m++) {
        const dpc_owner_runs *all = &list[requests.message[m].process].all;
        dpc_run_place *to = (dpc_run_place *)(void *)dpc_message_buffer(&requests, m);
        for (dpc_index k = 0; k < all->count; k++) to[k] = (dpc_run_place){all->run[k].offset, all->run[k].count};
    }
    for (int p = 0; p < procs; p++) dpc_give_staging(list[p].all.run);
    dpc_give_staging(list);
    dpc_give_staging(box);
    return requests;
}

/* ---- Values */

/* size: of an element, a constant where the function is expanded. */
__attribute__((always_inline)) static inline void copy_elements(char *to, const char *from, dpc_index count,
                                                                size_t size) {
    if (count == 1)
        memcpy(to, from, size);
    else
        memcpy(to, from, (size_t)count * size);
}

static void copy_run(char *to, const char *from, dpc_index count, dpc_index size) {
    if (size == 8)
        copy_elements(to, from, count, 8);
    else if (size == 4)
        copy_elements(to, from, count, 4);
    else
        copy_elements(to, from, count, (size_t)size);
}

/* Sends what the requests ask for: a single run from where it lies. */
static dpc_mail send_values(const dpc_array *a, const dpc_mail *requests, const dpc_run_amount *theirs, int tag) {
    dpc_mail mail = dpc_open_run_mail(theirs, 0, a->size, tag);
    for (dpc_index m = 0; m < mail.count; m++) {
        const dpc_run_place *run = (const dpc_run_place *)(const void *)requests->message[m].data;
        const dpc_index runs = theirs[mail.message[m].process].runs;
        char *local = a->local;
        if (runs == 1) {
            dpc_post_stored(&mail, m, local + run->offset * a->size);
            continue;
        }
        char *to = dpc_message_buffer(&mail, m);
        for (dpc_index k = 0; k < runs; to += run[k++].count * a->size)
            copy_run(to, local + run[k].offset * a->size, run[k].count, a->size);
        dpc_post_send(&mail, m);
    }
    return mail;
}

/* A single run goes where it belongs at once. */
static dpc_mail receive_values(const matrix_runs *list, const dpc_run_amount *mine, char *values, int tag) {
    const dpc_index size = list->a->size;
    dpc_mail mail = dpc_open_run_mail(mine, 0, size, tag);
    dpc_index *number = numbers_of(&mail);
    for (dpc_index k = 0; k < list->all.count; k++) {
        const dpc_owner_run *run = &list->all.run[k];
        if (run->owner != dpc_rank() && mine[run->owner].runs == 1)
            mail.message[number[run->owner]].data = values + run->place * size;
    }
    for (dpc_index m = 0; m < mail.count; m++) {
        if (mine[mail.message[m].process].runs > 1) dpc_message_buffer(&mail, m);
        dpc_post_receive(&mail, m);
    }
    dpc_give_staging(number);
    return mail;
}

/* What is in the messages, and the own elements. */
static void place_values(const matrix_runs *list, const dpc_run_amount *mine, const dpc_mail *mail, char *values) {
    const dpc_index size = list->a->size;
    const char **next = dpc_take_staging(dpc_nprocs(), sizeof *next);
    for (dpc_index m = 0; m < mail->count; m++) next[mail->message[m].process] = mail->message[m].data;
    for (dpc_index k = 0; k < list->all.count; k++) {
        const dpc_owner_run *run = &list->all.run[k];
        if (run->owner == dpc_rank() || mine[run->owner].runs == 1) continue;
        copy_run(values + run->place * size, next[run->owner], run->count, size);
        next[run->owner] += run->count * size;
    }
    dpc_give_staging(next);
}

static void place_own(const matrix_runs *list, char *values) {
    const dpc_index size = list->a->size;
    for (dpc_index k = 0; k < list->all.count; k++) {
        const dpc_owner_run *run = &list->all.run[k];
        if (run->owner == dpc_rank())
            copy_run(values + run->place * size, (const char *)list->a->local + run->offset * size, run->count, size);
    }
}

/* ---- What is found once, and the values that come by it */

struct dpc_kept_submatrix {
    matrix_runs list;
    dpc_run_amount *mine, *theirs;
    dpc_mail requests;
    dpc_submatrix found;
    dpc_index elements, before; /* all of the box; those before the first one, from where all parts are 0 */
    void *values;               /* where they come to; NULL: they are read where they lie */
};
typedef struct dpc_kept_submatrix kept;

/* The own elements lie in the local part as they would in the box. */
static bool lies_in_place(const kept *x) {
    const dpc_owner_run *run = x->list.all.run;
    return x->list.all.count == 1 && run->owner == dpc_rank() && run->count == x->elements;
}

static kept find(const char *where, const dpc_array *a, int parts, const dpc_submatrix_part *asked,
                 const dpc_index *around) {
    kept x = {.elements = 1};
    box_part part[DPC_MOST_PARTS];
    take_parts(parts, asked, around, part);
    fill_groups(a->size, parts, part);
    dpc_subject = a->name;
    for (int k = 0; k < parts; k++) {
        x.found.across[k] = dpc_maximum(0, part[k].last - part[k].first + 1);
        if (x.elements > 0 && __builtin_mul_overflow(x.elements, x.found.across[k], &x.elements))
            dpc_fail(where, "more elements of '%s' than 64 bits count are read on one process", a->name);
        x.before = x.before * x.found.across[k] + part[k].first;
    }
    x.list = list_runs(a, parts, part, false);
    dpc_begin_counting(NULL, DPC_COUNT_index_messages);
    x.mine = dpc_amounts_of(&x.list.all);
    if (has_intervals(a)) {
        x.requests = find_requests(a, parts, part, &x.theirs);
    } else {
        x.theirs = dpc_exchange_amounts(x.mine);
        x.requests = exchange_requests(&x.list, x.mine, x.theirs);
    }
    dpc_end_counting();
    return x;
}

static void release(kept *x) {
    dpc_close_mail(&x->requests);
    dpc_give_staging(x->mine);
    dpc_give_staging(x->theirs);
    dpc_give_staging(x->list.all.run);
}

static void bring(const kept *x) {
    char *values = x->values;
    const int tag = dpc_next_tag();
    dpc_begin_counting(NULL, DPC_COUNT_value_messages);
    dpc_mail incoming = receive_values(&x->list, x->mine, values, tag);
    dpc_mail outgoing = send_values(x->list.a, &x->requests, x->theirs, tag);
    if (values != NULL) place_own(&x->list, values);
    dpc_wait_mail(&incoming);
    place_values(&x->list, x->mine, &incoming, values);
    end_mail(&outgoing);
    dpc_close_mail(&incoming);
    dpc_end_counting();
}

static dpc_submatrix submatrix_at(const kept *x) {
    const dpc_array *a = x->list.a;
    dpc_submatrix found = x->found;
    const char *at = x->values;
    if (at == NULL && x->list.all.count > 0) at = (char *)a->local + x->list.all.run[0].offset * a->size;
    found.origin = (void *)((uintptr_t)at - (uintptr_t)x->before * (uintptr_t)a->size);
    return found;
}

dpc_submatrix dpc_fetch_submatrix(const char *where, const dpc_array *a, bool stored, int parts,
                                  const dpc_submatrix_part *part, const dpc_index *around) {
    kept x = find(where, a, parts, part, around);
    if (stored || !lies_in_place(&x)) x.values = dpc_raw_buffer(x.elements, a->size);
    bring(&x);
    dpc_submatrix found = submatrix_at(&x);
    found.values = x.values;
    release(&x);
    return found;
}

void dpc_free_submatrix(dpc_submatrix *x) {
    dpc_free_buffer(x->values);
}

/* ---- Kept */

void dpc_free_kept_submatrix(dpc_reused *reused) {
    kept *x = reused->matrix;
    if (x == NULL) return;
    dpc_give_staging(x->values);
    release(x);
    dpc_give_staging(x);
    reused->matrix = NULL;
}

static void keep(dpc_reused *reused, const char *where, const dpc_array *a, bool stored, int parts,
                 const dpc_submatrix_part *part, const dpc_index *around) {
    dpc_free_kept_submatrix(reused);
    kept *x = dpc_take_staging(1, sizeof *x);
    *x = find(where, a, parts, part, around);
    if (stored || !lies_in_place(x)) x->values = dpc_take_staging(x->elements, a->size);
    reused->matrix = x;
    reused->contents = -1;
    dpc_free_kept = dpc_free_kept_submatrix;
    dpc_list_reused(reused);
}

dpc_submatrix dpc_keep_submatrix(dpc_reused *reused, const dpc_space *s, const char *where, const dpc_array *a,
                                 bool stored, int inputs, const dpc_input *input, int parts,
                                 const dpc_submatrix_part *part, const dpc_index *around) {
    if (!dpc_is_known(reused, s, a, inputs, input)) keep(reused, where, a, stored, parts, part, around);
    kept *x = reused->matrix;
    x->list.a = a; /* perhaps another one that is mapped alike */
    if (reused->contents != a->contents) bring(x);
    reused->contents = a->contents;
    return submatrix_at(x);
}
