/* MPI_Alltoallw with derived types: one period of runs, repeated; a vector where runs are alike. */
#include "compare.h"

typedef struct {
    int processes;
    int *send_count, *receive_count, *zero;
    MPI_Datatype *send, *receive;
} types_plan;

static bool alike(const run_list *l, long count) {
    for (long k = 2; k < count; k++)
        if (l->run[k].offset - l->run[k - 1].offset != l->run[1].offset - l->run[0].offset) return false;
    for (long k = 1; k < count; k++)
        if (l->run[k].length != l->run[0].length) return false;
    return true;
}

/* The first `elements` of one period, in units of `unit`. */
static MPI_Datatype runs_type(const run_list *l, long elements, MPI_Datatype unit) {
    MPI_Datatype type;
    long count = 0, rest = elements;
    for (; rest > 0; count++) rest -= l->run[count].length;
    if (rest == 0 && alike(l, count)) {
        const long stride = count > 1 ? l->run[1].offset - l->run[0].offset : 0;
        MPI_Datatype vector;
        MPI_Aint low, extent;
        MPI_Type_get_extent(unit, &low, &extent);
        MPI_Type_vector((int)count, (int)l->run[0].length, (int)stride, unit, &vector);
        MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){l->run[0].offset * extent}, vector, &type);
        MPI_Type_free(&vector);
        return type;
    }
    int *length = malloc((size_t)count * sizeof *length), *displacement = malloc((size_t)count * sizeof *displacement);
    for (long k = 0; k < count; k++) length[k] = (int)l->run[k].length, displacement[k] = (int)l->run[k].offset;
    length[count - 1] += (int)rest;
    MPI_Type_indexed((int)count, length, displacement, unit, &type);
    free(length), free(displacement);
    return type;
}

static MPI_Datatype dimension_type(const run_list *l, MPI_Datatype unit, MPI_Aint unit_bytes) {
    long once = 0;
    for (long k = 0; k < l->count; k++) once += l->run[k].length;
    const long periods = l->elements / once, rest = l->elements % once;
    MPI_Datatype parts[2], one, whole;
    if (periods == 0 || l->step == 0) return runs_type(l, l->elements, unit);
    one = runs_type(l, once, unit);
    MPI_Type_create_resized(one, 0, l->step * unit_bytes, &parts[0]);
    MPI_Type_free(&one);
    if (rest == 0) {
        MPI_Type_contiguous((int)periods, parts[0], &whole);
        MPI_Type_free(&parts[0]);
        return whole;
    }
    parts[1] = runs_type(l, rest, unit);
    MPI_Type_create_struct(2, (int[]){(int)periods, 1}, (MPI_Aint[]){0, periods * l->step * unit_bytes}, parts, &whole);
    MPI_Type_free(&parts[0]), MPI_Type_free(&parts[1]);
    return whole;
}

static MPI_Datatype message_type(const problem *p, const run_list *lists, const long *strides) {
    MPI_Datatype type, resized;
    MPI_Type_dup(MPI_DOUBLE, &type);
    for (int k = p->from.rank - 1; k >= 0; k--) {
        const MPI_Aint bytes = strides[k] * (MPI_Aint)sizeof(double);
        MPI_Type_create_resized(type, 0, bytes, &resized);
        MPI_Type_free(&type);
        type = dimension_type(&lists[k], resized, bytes);
        MPI_Type_free(&resized);
    }
    MPI_Type_commit(&type);
    return type;
}

static void make_types(const problem *p, bool sender, int *count, MPI_Datatype *types) {
    const dpc_mapping *mine = sender ? &p->from : &p->to, *theirs = sender ? &p->to : &p->from;
    long strides[DPC_MAX_RANK];
    local_strides(mine, p->rank, strides);
    for (int r = 0; r < p->processes; r++) types[r] = MPI_BYTE;
    for (int place = 0; place < places_of(theirs); place++) {
        run_list lists[DPC_MAX_RANK];
        const int process = process_at(theirs, place);
        if (shared_lists(p, sender, place, lists) > 0) {
            count[process] = 1;
            types[process] = message_type(p, lists, strides);
        }
        free_lists(mine->rank, lists);
    }
}

void *prepare_alltoallw(const contestant *c, const problem *p) {
    (void)c;
    types_plan *plan = calloc(1, sizeof *plan);
    const size_t n = (size_t)p->processes;
    plan->processes = p->processes;
    plan->send_count = calloc(n, sizeof(int)), plan->receive_count = calloc(n, sizeof(int)),
    plan->zero = calloc(n, sizeof(int));
    plan->send = malloc(n * sizeof(MPI_Datatype)), plan->receive = malloc(n * sizeof(MPI_Datatype));
    make_types(p, true, plan->send_count, plan->send);
    make_types(p, false, plan->receive_count, plan->receive);
    return plan;
}

void run_alltoallw(void *memory, const problem *p) {
    types_plan *plan = memory;
    MPI_Alltoallw(p->a, plan->send_count, plan->zero, plan->send, p->b, plan->receive_count, plan->zero, plan->receive,
                  MPI_COMM_WORLD);
}

void release_alltoallw(void *memory) {
    types_plan *plan = memory;
    for (int r = 0; r < plan->processes; r++) {
        if (plan->send_count[r]) MPI_Type_free(&plan->send[r]);
        if (plan->receive_count[r]) MPI_Type_free(&plan->receive[r]);
    }
    free(plan->send_count), free(plan->receive_count), free(plan->zero);
    free(plan->send), free(plan->receive);
    free(plan);
}
