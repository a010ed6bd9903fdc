# Which threads call the redistribution functions: one at a time, and one that MPI lets call it.
# shellcheck shell=bash disable=SC2034,SC2154,SC2317
cat >callers.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "interop.h"
enum { N = 3000, ROUNDS = 20 };
static int me, processes;
static dpc_mapping from, to;
static dpc_redistribution *plan;
static double x[N], y[N];
static void *memory;
static MPI_Comm one, other;

static void make(void) { plan = dpc_plan_redistribution(MPI_COMM_WORLD, &from, &to, 8, NULL); }
static void execute(void) { dpc_execute(plan, x, y); }
static void describe(void) { dpc_plan_describe(plan); }
static void print(void) { dpc_print_plan(plan, stdout); }
static void relabelled(void) { dpc_relabelled(plan); }
static void release_plan(void) { dpc_free_redistribution(plan); }
static void allocate(void) { memory = dpc_allocate(MPI_COMM_WORLD, 100000); }
static void release(void) { dpc_release_memory(MPI_COMM_WORLD, memory); }
static void darray(void) {
    MPI_Datatype type;
    dpc_mapping_to_darray(&from, me, MPI_DOUBLE, &type);
    MPI_Type_free(&type);
}
static void free_communicator(void) { MPI_Comm_free(&one); }
static void of_arguments_alone(void) {
    for (int k = 0; k < 100000; k++) {
        dpc_mapping m = dpc_map(1, (dpc_index[]){N + k}, (dpc_format[]){DPC_CYCLIC(3)}, &processes);
        if (dpc_mapped_elements(&m, me) != dpc_numroc(N + k, 3, me, 0, processes)) abort();
        if (dpc_method_refuses("ky-to-y", &from, &to) == NULL || dpc_schedule_refuses("circulant", &from, &m) == NULL) continue;
    }
}
static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {{"dpc_plan_redistribution", make}, {"dpc_execute", execute},  {"dpc_plan_describe", describe},
             {"dpc_print_plan", print},         {"dpc_relabelled", relabelled}, {"dpc_free_redistribution", release_plan},
             {"dpc_allocate", allocate},        {"dpc_release_memory", release}, {"dpc_mapping_to_darray", darray},
             {"MPI_Comm_free", free_communicator}, {"alone", of_arguments_alone}};
static void *call(void *name) {
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (strcmp(calls[k].name, name) == 0 || strcmp(name, "any") == 0) calls[k].call();
    return NULL;
}
static void in_thread(void *(*start)(void *), void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, start, argument);
    pthread_join(thread, NULL);
}

/* Two threads inside: process 0's call on one communicator cannot end before that on the other, for which the others wait. */
static void *call_first(void *unused) {
    dpc_allocate(one, 100000);
    return unused;
}
static void two_inside(void) {
    pthread_t thread;
    int word = 0;
    if (me == 0) {
        pthread_create(&thread, NULL, call_first, NULL);
        dpc_allocate(other, 100000);
    }
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* Two threads in turns, each with a communicator of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn, wrong;
static void round_trip(MPI_Comm comm) {
    dpc_redistribution *p = dpc_plan_redistribution(comm, &from, &to, 8, NULL);
    double *a = dpc_allocate(comm, N * 8), *b = dpc_allocate(comm, N * 8);
    const dpc_index block = (N + processes - 1) / processes;
    for (dpc_index k = 0; k < dpc_mapped_elements(&from, me); k++) a[k] = (double)(me * block + k);
    dpc_execute(p, a, b);
    for (dpc_index k = 0; k < dpc_mapped_elements(&to, me); k++)
        wrong += b[k] != (double)((k / 7 * processes + me) * 7 + k % 7);
    dpc_free_redistribution(p);
    dpc_release_memory(comm, a);
    dpc_release_memory(comm, b);
}
static void *take_turns(void *comm) {
    for (int k = 0; k < ROUNDS; k++) {
        pthread_mutex_lock(&lock);
        while (turn % 2 != (comm == (void *)&other)) pthread_cond_wait(&turned, &lock);
        round_trip(*(MPI_Comm *)comm);
        turn++;
        pthread_cond_signal(&turned);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
static void in_turns(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, take_turns, &other);
    take_turns(&one);
    pthread_join(thread, NULL);
}

int main(int count, char **words) {
    const int wanted = words[1][0] == 'f' ? MPI_THREAD_FUNNELED : words[1][0] == 's' ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
    int level;
    MPI_Init_thread(&count, &words, wanted, &level);
    if (level != wanted) return 77;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    from = dpc_map(1, (dpc_index[]){N}, (dpc_format[]){DPC_BLOCK}, &processes);
    to = dpc_map(1, (dpc_index[]){N}, (dpc_format[]){DPC_CYCLIC(7)}, &processes);
    make();
    allocate();
    round_trip(one);
    if (strcmp(words[2], "inside") == 0) two_inside();
    else if (strcmp(words[2], "turns") == 0) in_turns();
    else in_thread(call, words[2]);
    if (me == 0) printf("%d elements are wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
C
LIMIT=60
# start KIND LEVEL WORD
start() {
    STATUS=0
    run_mpi "$1" 2 ./callers "$2" "$3" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
}

for kind in openmpi mpich; do
    has_mpi $kind || continue
    $(mpicc_of $kind) -O1 -pthread -I "$BUILD/include/dpc" callers.c "$BUILD/lib/$kind/libdpc.a" -lm -o callers 2>"$SCRATCH/err" ||
        verdict "$kind: callers.c" false
    for name in dpc_plan_redistribution dpc_execute dpc_plan_describe dpc_print_plan dpc_relabelled dpc_free_redistribution \
        dpc_allocate dpc_release_memory dpc_mapping_to_darray MPI_Comm_free; do
        start $kind funneled $name
        verdict "$kind: $name by another thread" all fails "says_text \"$name: error: called by a thread that is not MPI's main thread, which alone may call it with MPI_THREAD_FUNNELED\""
    done
    start $kind serialized any
    verdict "$kind: all of them by another thread that may" all 'status_is 0' 'prints_like "^0 elements are wrong"' silent
    start $kind funneled alone
    verdict "$kind: functions of their arguments alone" all 'status_is 0' 'prints "0 elements are wrong"' silent
    start $kind serialized turns
    verdict "$kind: threads in turns" all 'status_is 0' 'prints "0 elements are wrong"' silent
    for round in 1 2; do
        start $kind multiple inside
        verdict "$kind: two threads inside, $round" all fails 'says_text "dpc_allocate: error: called while another thread is inside a function of this library"'
    done
done
