/* The redistribution engine on several processes, without dpc_init: random mappings with real data, every method and
 * schedule.  Every element holds a function of its global index, so that every process knows what it must get.  Prints
 * "N passed, N failed"; an argument is the number of pairs of mappings, else 30. */
#include "../../runtime/redistribution.h"
#include "../../runtime/base/names.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

static long passed, failed;
static int me, processes;

static void describe(const char *name, const dpc_mapping *m) {
    printf("  %s:", name);
    for (int k = 0; k < m->rank; k++)
        printf(" %lld+%lld cyclic(%lld)/%d", (long long)m->first[k], (long long)m->extent[k], (long long)m->block[k],
               m->procs[k]);
    printf("%s\n", m->process == NULL ? "" : " table");
}

static void expect(bool right, const char *what, const char *method, const char *schedule, const dpc_mapping *from,
                   const dpc_mapping *to) {
    if (right) {
        passed++;
    } else if (failed++ < 3) {
        printf("process %d of %d: %s, %s, %s\n", me, processes, what, method, schedule);
        describe("from", from);
        describe("to", to);
    }
}

/* ---- Arrays, by definition */

typedef struct {
    dpc_mapping map;                                                      /* with this process's strides */
    dpc_index extent[DPC_MAX_RANK], at[DPC_MAX_RANK], room[DPC_MAX_RANK]; /* local; room: with padding */
    dpc_index elements, size;                                             /* bytes per element */
    dpc_index *global[DPC_MAX_RANK]; /* of each local index: in the section; negative: before it */
    bool turned;                     /* the first dimension is the fastest */
    unsigned char *data, *shared;    /* NULL without elements */
} array;

/* Bytes: memory is shared from so many on. */
enum { SHARED = 40000 };

static int place_of(const dpc_mapping *m, int process) {
    int places = 1;
    for (int k = 0; k < m->rank; k++) places *= m->procs[k];
    for (int place = 0; place < places; place++)
        if ((m->process == NULL ? place : m->process[place]) == process) return place;
    return -1;
}

/* Dense, or with something behind each row, another length on each process; the first or the last dimension the
 * fastest, mostly as in the array before. */
static void choose_storage(array *a) {
    static bool turned;
    const dpc_index padding = random_below(3) == 0 ? 1 + random_below(3) : 0;
    if (random_below(3) == 0) turned = random_below(2) == 0;
    for (int j = 0; j < a->map.rank; j++) {
        const int k = turned ? j : a->map.rank - 1 - j;
        a->room[k] = a->extent[k] > 0 && padding > 0 ? a->extent[k] + (me + k) % padding : a->extent[k];
        a->map.stride[k] = a->elements;
        a->elements *= a->room[k];
    }
    a->turned = turned;
}

static void list_indices(array *a) {
    const dpc_mapping *m = &a->map;
    for (int k = 0; k < m->rank; k++) {
        a->global[k] = malloc((size_t)(a->room[k] + 1) * sizeof *a->global[k]);
        for (dpc_index local = 0; local < a->room[k]; local++)
            a->global[k][local] =
                (local / m->block[k] * m->procs[k] + a->at[k]) * m->block[k] + local % m->block[k] - m->first[k];
    }
}

static array make_array(const dpc_mapping *m, dpc_index size) {
    array a = {.map = *m, .elements = 1, .size = size};
    int place = place_of(m, me);
    const bool inside = place >= 0;
    for (int k = m->rank - 1; k >= 0; k--) {
        a.at[k] = inside ? place % m->procs[k] : 0;
        place /= m->procs[k];
        for (dpc_index x = 0; inside && x < m->first[k] + m->extent[k]; x++)
            a.extent[k] += x / m->block[k] % m->procs[k] == a.at[k];
    }
    choose_storage(&a);
    list_indices(&a);
    a.shared = dpc_allocate(MPI_COMM_WORLD, a.elements * size + SHARED);
    /* Some processes have theirs in ordinary memory. */
    const dpc_index kind = random_below(3), mask = random_below(8);
    const bool own = kind == 0 || (kind == 1 && (me & mask) == 0);
    if (a.elements > 0) a.data = own ? malloc((size_t)(a.elements * size)) : a.shared;
    return a;
}

static void free_array(array *a) {
    for (int k = 0; k < a->map.rank; k++) free(a->global[k]);
    if (a->data != a->shared) free(a->data);
    dpc_release_memory(MPI_COMM_WORLD, a->shared);
}

/* From one element to the next as they lie in memory: local indices. */
static void step(const array *a, dpc_index *local) {
    for (int j = 0; j < a->map.rank; j++) {
        const int k = a->turned ? j : a->map.rank - 1 - j;
        if (++local[k] < a->room[k]) return;
        local[k] = 0;
    }
}

/* False when it is outside the section. */
static bool global_index(const array *a, const dpc_index *local, dpc_index *index) {
    bool inside = true;
    for (int k = 0; k < a->map.rank; k++) {
        index[k] = a->global[k][local[k]];
        inside = inside && index[k] >= 0 && local[k] < a->extent[k];
    }
    return inside;
}

/* What the bytes of an element are, repeated where there are more than 8; none is 0. */
static uint64_t content(const dpc_mapping *m, const dpc_index *index) {
    uint64_t number = 1469598103934665603u;
    for (int k = 0; k < m->rank; k++) number = (number ^ (uint64_t)index[k]) * 1099511628211u;
    return (number >> 11 | number << 53) | 0x0101010101010101u;
}

static void fill(array *a) {
    dpc_index index[DPC_MAX_RANK], local[DPC_MAX_RANK] = {0};
    for (dpc_index n = 0; n < a->elements; n++, step(a, local)) {
        global_index(a, local, index);
        const uint64_t whole = content(&a->map, index);
        for (dpc_index b = 0; b < a->size; b += 8)
            memcpy(a->data + n * a->size + b, &whole, (size_t)dpc_minimum(8, a->size - b));
    }
}

static void clear(array *a) {
    if (a->elements > 0) memset(a->data, 0, (size_t)(a->elements * a->size));
}

/* Elements of the section hold their content, the others 0. */
static bool is_right(const array *a) {
    dpc_index index[DPC_MAX_RANK], local[DPC_MAX_RANK] = {0};
    for (dpc_index n = 0; n < a->elements; n++, step(a, local)) {
        const bool inside = global_index(a, local, index);
        const uint64_t whole = inside ? content(&a->map, index) : 0;
        for (dpc_index b = 0; b < a->size; b += 8)
            if (memcmp(a->data + n * a->size + b, &whole, (size_t)dpc_minimum(8, a->size - b)) != 0) return false;
    }
    return true;
}

static int owner(const dpc_mapping *m, const dpc_index *index) {
    dpc_index place = 0;
    for (int k = 0; k < m->rank; k++)
        place = place * m->procs[k] + (m->first[k] + index[k]) / m->block[k] % m->procs[k];
    return m->process == NULL ? (int)place : m->process[place];
}

/* Elements of the array that belong to another process in `other`. */
static dpc_index elements_that_leave(const array *a, const dpc_mapping *other) {
    dpc_index index[DPC_MAX_RANK], local[DPC_MAX_RANK] = {0}, count = 0;
    for (dpc_index n = 0; n < a->elements; n++, step(a, local))
        if (global_index(a, local, index)) count += owner(other, index) != me;
    return count;
}

/* ---- Mappings */

static void choose_grid(dpc_mapping *m) {
    int left = processes;
    for (int k = 0; k < m->rank; k++) {
        m->procs[k] = (int)between(1, left);
        left /= m->procs[k];
    }
}

/* The first places of a random permutation. */
static void choose_table(dpc_mapping *m, int *table) {
    m->process = NULL;
    if (random_below(2) == 0) return;
    for (int k = 0; k < processes; k++) {
        const int other = (int)between(0, k);
        table[k] = table[other];
        table[other] = k;
    }
    m->process = table;
}

static void choose_blocks(dpc_mapping *m) {
    for (int k = 0; k < m->rank; k++) {
        const dpc_index even = dpc_ceiling(m->first[k] + m->extent[k] + 1, m->procs[k]);
        m->block[k] = random_below(3) == 0 ? even : between(1, 9);
    }
}

typedef enum { ANY, MULTIPLE, DIVISOR, SHAPES } shape;

/* Two mappings of one section: any two; or on equal grids with target blocks that are multiples (divisors) of the
 * source's, as some methods require. */
static void choose(dpc_mapping *from, dpc_mapping *to, int *from_table, int *to_table) {
    static const dpc_index most[] = {0, 300, 24, 9, 5};
    const shape kind = (shape)random_below(SHAPES);
    const int rank = (int)between(1, 4);
    *from = *to = (dpc_mapping){.rank = rank};
    const bool sections = kind == ANY && random_below(3) == 0;
    for (int k = 0; k < rank; k++) {
        from->extent[k] = to->extent[k] = random_below(12) == 0 ? 0 : between(1, most[rank]);
        from->first[k] = sections ? between(0, 12) : 0;
        to->first[k] = sections ? between(0, 12) : 0;
    }
    choose_grid(from);
    choose_grid(to);
    if (kind != ANY) memcpy(to->procs, from->procs, sizeof to->procs);
    choose_blocks(from);
    choose_blocks(to);
    for (int k = 0; k < rank && kind != ANY; k++) {
        const dpc_index factor = between(1, 5), block = between(1, 4);
        from->block[k] = kind == DIVISOR ? factor * block : block;
        to->block[k] = kind == MULTIPLE ? factor * block : block;
    }
    choose_table(from, from_table);
    choose_table(to, to_table);
}

/* ---- One case with one method and schedule: there and back */

static void try(const dpc_mapping *from, const dpc_mapping *to, dpc_index size, const char *method,
                const char *schedule) {
    const dpc_redistribution_options options = {.method = method, .schedule = schedule};
    array a = make_array(from, size), b = make_array(to, size);
    dpc_redistribution *there = dpc_plan_redistribution(MPI_COMM_WORLD, &a.map, &b.map, size, &options);
    fill(&a);
    for (int turn = 0; turn < 2; turn++) {
        clear(&b);
        dpc_execute(there, a.data, b.data);
        expect(is_right(&b), "elements", method, schedule, from, to);
    }
    dpc_free_redistribution(there);
    if (dpc_method_refuses(method, to, from) == NULL && dpc_schedule_refuses(schedule, to, from) == NULL) {
        dpc_redistribution *back = dpc_plan_redistribution(MPI_COMM_WORLD, &b.map, &a.map, size, &options);
        clear(&a);
        dpc_execute(back, b.data, a.data);
        expect(is_right(&a), "elements on the way back", method, schedule, from, to);
        dpc_free_redistribution(back);
    }
    free_array(&a);
    free_array(&b);
}

/* What leaves by the plan is what has another owner afterwards. */
static void try_bytes(const dpc_mapping *from, const dpc_mapping *to) {
    array a = make_array(from, 8), b = make_array(to, 8);
    const dpc_redistribution_options options = {.method = "walk"};
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &a.map, &b.map, 8, &options);
    const dpc_plan_facts facts = dpc_plan_describe(plan);
    expect(facts.bytes_sent == 8 * elements_that_leave(&a, to), "bytes sent", "walk", "auto", from, to);
    expect(facts.bytes_received == 8 * elements_that_leave(&b, from), "bytes received", "walk", "auto", from, to);
    dpc_free_redistribution(plan);
    free_array(&a);
    free_array(&b);
}

#ifndef DPC_SMPI
/* Arrays so large that processes share the work: one dimension of a random case stretched to 1.1 MB of doubles. */
static void try_teams(int cases, int *tables) {
    for (int k = 0; k < cases; k++) {
        dpc_mapping from, to;
        dpc_index elements = 1;
        choose(&from, &to, tables, tables + processes);
        const int stretched = random_below(2) == 0 ? 0 : from.rank - 1;
        for (int d = 0; d < from.rank; d++) elements *= from.extent[d];
        if (elements == 0) continue;
        from.extent[stretched] = to.extent[stretched] = from.extent[stretched] * dpc_ceiling(140000, elements);
        try(&from, &to, 8, "auto", "auto");
    }
}
#endif

/* The names that the compiler knows are those of the engine. */
static void try_names(const char *known, const char *(*name)(int)) {
    char all[1000] = "";
    for (int k = 0; name(k) != NULL; k++) {
        strcat(all, k == 0 ? "" : "|");
        strcat(all, name(k));
    }
    if (strcmp(all, known) == 0)
        passed++;
    else if (failed++ == 0)
        printf("names: %s\n   not: %s\n", all, known);
}

/* Methods that send so many messages that nobody would wait for them say so. */
static void try_limits(void) {
    dpc_mapping from = {.rank = 1, .extent = {1 << 20}, .block = {1 << 19}, .procs = {2}}, to = from;
    to.block[0] = 1;
    expect(dpc_method_refuses("walker-otto-async", &from, &to) != NULL, "2^19 messages", "walker-otto-async", "auto",
           &from, &to);
    to.block[0] = 1 << 7;
    expect(dpc_method_refuses("walker-otto-async", &from, &to) == NULL, "2^12 messages", "walker-otto-async", "auto",
           &from, &to);
    from = (dpc_mapping){.rank = 2, .extent = {1 << 9, 1 << 9}, .block = {1 << 8, 1 << 8}, .procs = {2, 2}}, to = from;
    to.block[0] = to.block[1] = 1;
    expect(dpc_method_refuses("walker-otto-async", &from, &to) != NULL, "2^16 messages", "walker-otto-async", "auto",
           &from, &to);
}

int main(int count, char **words) {
    static const dpc_index sizes[] = {1, 2, 4, 8, 8, 16, 3, 24};
    const int rounds = count > 1 ? atoi(words[1]) : 30;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    try_names(dpc_redistribution_methods, dpc_method_name);
    try_names(dpc_redistribution_schedules, dpc_schedule_name);
    try_limits();
    int *tables = malloc(2 * (size_t)processes * sizeof *tables);
    for (int round = 0; round < rounds; round++) {
        dpc_mapping from, to;
        choose(&from, &to, tables, tables + processes);
        const dpc_index size = sizes[random_below(sizeof sizes / sizeof *sizes)];
        try_bytes(&from, &to);
        for (int m = 0; dpc_method_name(m) != NULL; m++) {
            if (dpc_method_refuses(dpc_method_name(m), &from, &to) != NULL) continue;
            const bool any = dpc_method_takes_schedules(dpc_method_name(m));
            for (int s = 0; dpc_schedule_name(s) != NULL && (s == 0 || any); s++)
                if (dpc_schedule_refuses(dpc_schedule_name(s), &from, &to) == NULL)
                    try(&from, &to, size, dpc_method_name(m), dpc_schedule_name(s));
        }
    }
#ifndef DPC_SMPI
    try_teams(8 * rounds, tables);
#endif
    free(tables);
    long sums[2] = {passed, failed}, all[2];
    MPI_Allreduce(sums, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("test_redistribution: %ld passed, %ld failed\n", all[0], all[1]);
    MPI_Finalize();
    return all[1] > 0;
}
