/* Elements that iterations choose and store one behind the other: `if (A[i] > 0) B[n++] = A[i];`.  Each process has
 * those of its iterations in one piece, whose place in the array is known (carried.c), and the owners get them. */
#include "program.h"

#include <string.h>

static bool is_whole_here(const dpc_array *a) {
    return dpc_nprocs() == 1 && a->elements > 0;
}

static char *element_here(const dpc_array *a, dpc_index index) {
    return (char *)a->local + dpc_element_offset(a, &index) * a->size;
}

void *dpc_kept_elements(const dpc_array *a, const char *where, dpc_index first, dpc_index count) {
    const dpc_index last = first + count - 1;
    if (count > 0) {
        dpc_check_element(a, where, 1, &first);
        dpc_check_element(a, where, 1, &last);
    }
    char *at = count == 0 ? NULL : is_whole_here(a) ? element_here(a, first) : (char *)dpc_take_staging(count, a->size);
    return (void *)((uintptr_t)at - (uintptr_t)(first * a->size));
}

/* count: so many from index `first` on; each copy's owner gets them. */
static void list_kept(dpc_owner_runs *list, const dpc_array *a, dpc_index first, dpc_index count, const char *values) {
    const dpc_index copies = a->copies ? dpc_copies(a) : 1;
    while (count > 0) {
        dpc_owner_run run = {.offset = dpc_element_offset(a, &first),
                             .count = dpc_minimum(count, dpc_elements_beside(a, first)),
                             .values = values};
        for (dpc_index copy = 0; copy < copies; copy++) {
            run.owner = a->copies ? dpc_copy_process(a, &first, copy) : dpc_element_process(a, &first);
            dpc_add_owner_run(list, run);
        }
        first += run.count;
        count -= run.count;
        values += run.count * a->size;
    }
}

static void store_values(const dpc_parts *x, dpc_index offset, const char *values, dpc_index count) {
    const dpc_array *a = x->array;
    memcpy((char *)a->local + offset * a->size, values, (size_t)(count * a->size));
}

void dpc_store_kept(dpc_array *a, dpc_index first, dpc_index count, void *elements) {
    char *values = (char *)((uintptr_t)elements + (uintptr_t)(first * a->size));
    const dpc_parts parts = {.array = a};
    dpc_owner_runs list = {0};
    if (is_whole_here(a)) {
        dpc_changed(a);
        return;
    }
    if (count > 0) list_kept(&list, a, first, count, values);
    dpc_combine_runs(a, &(dpc_run_combination){.size = a->size, .combine = store_values, .parts = &parts}, &list);
    dpc_give_staging(list.run);
    if (count > 0) dpc_give_staging(values);
}
