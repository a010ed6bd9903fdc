/* --check=all: the processes execute the same statements in the same order, with equal variables.  What a process is
 * about to do is compared before it waits for others that do something else. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base.h"
#include "divergence.h"

#include <float.h>
#include <string.h>
#include <sys/stat.h>

/* What process 0 has, in `first`. */
static void from_first(void *first, const void *mine, size_t bytes) {
    memcpy(first, mine, bytes);
    MPI_Bcast(first, (int)bytes, MPI_BYTE, 0, dpc_communicator);
}

/* ---- Places */

/* How many variables are compared there tells two comparisons of one statement apart. */
typedef struct {
    char text[300];
    int variables;
} comparison;

static void fail_at(const char *place, int variables) {
    comparison mine = {"", variables}, first;
    dpc_message_text why;
    snprintf(mine.text, sizeof mine.text, "%s", place);
    from_first(&first, &mine, sizeof first);
    const bool elsewhere = strcmp(first.text, mine.text) != 0;
    if (elsewhere)
        snprintf(why.text, sizeof why.text,
                 "the processes take different paths: process 0 comes to %s, process %d to %s", first.text, dpc_rank(),
                 mine.text);
    else
        snprintf(why.text, sizeof why.text,
                 "the processes take different paths: process %d evaluates other parts of this statement than process "
                 "0",
                 dpc_rank());
    dpc_fail_first(place == dpc_program_end ? NULL : place, elsewhere || first.variables != variables, &why);
}

static void compare_places(const char *place, int variables) {
    const uint64_t both = dpc_hash((uint64_t)variables, place, strlen(place));
    if (!dpc_same_everywhere(&both, sizeof both)) fail_at(place, variables);
}

/* ---- Values */

enum { MOST_BYTES = 32 };

size_t dpc_bytes_of(dpc_type type) {
#define BYTES(enumerator, ctype, mpi) sizeof(ctype),
    static const unsigned char size[] = {DPC_ELEMENT_TYPES(BYTES)};
    if (type >= DPC_TYPES || type == DPC_LONG_DOUBLE_COMPLEX) return 0;
    return type == DPC_LONG_DOUBLE && LDBL_MANT_DIG == 64 ? 10 : size[type];
}

void dpc_show(char *text, size_t room, dpc_type type, const void *value) {
#define SHOW(enumerator, ctype, format, shown)                                                                         \
    case enumerator: {                                                                                                 \
        ctype x;                                                                                                       \
        memcpy(&x, value, sizeof x);                                                                                   \
        snprintf(text, room, format, (shown)x);                                                                        \
        return;                                                                                                        \
    }
    switch ((int)type) {
        SHOW(DPC_BOOL, _Bool, "%d", int)
        SHOW(DPC_CHAR, char, "%d", int)
        SHOW(DPC_SIGNED_CHAR, signed char, "%d", int)
        SHOW(DPC_UNSIGNED_CHAR, unsigned char, "%d", int)
        SHOW(DPC_SHORT, short, "%d", int)
        SHOW(DPC_UNSIGNED_SHORT, unsigned short, "%d", int)
        SHOW(DPC_INT, int, "%d", int)
        SHOW(DPC_UNSIGNED, unsigned, "%u", unsigned)
        SHOW(DPC_LONG, long, "%ld", long)
        SHOW(DPC_UNSIGNED_LONG, unsigned long, "%lu", unsigned long)
        SHOW(DPC_LONG_LONG, long long, "%lld", long long)
        SHOW(DPC_UNSIGNED_LONG_LONG, unsigned long long, "%llu", unsigned long long)
        SHOW(DPC_FLOAT, float, "%.9g", double)
        SHOW(DPC_DOUBLE, double, "%.17g", double)
    default:
        snprintf(text, room, "%s", "");
    }
}

static void fail_by(const char *where, const char *of, const dpc_replicated *x, size_t bytes) {
    char first[MOST_BYTES] = "", there[64], here[64], name[300];
    dpc_message_text why;
    from_first(first, x->value, bytes);
    dpc_show(there, sizeof there, x->type, first);
    dpc_show(here, sizeof here, x->type, x->value);
    snprintf(name, sizeof name, "%s%s", x->name, of);
    snprintf(why.text, sizeof why.text, "'%.200s' differs between processes: %s%son process 0, %s%son process %d", name,
             there, *there ? " " : "one value ", here, *here ? " " : "another one ", dpc_rank());
    dpc_fail_first(where, memcmp(first, x->value, bytes) != 0, &why);
}

/* ---- Comparisons */

typedef struct {
    const char *where; /* NULL: none */
    const char *of;    /* what the variables are part of, or "" */
    int count, objects;
    const dpc_replicated *variables;
    const dpc_object *object;
} comparands;

/* What a statement's own text compares waits for what the library compares as the statement begins: one collective
 * call for both. */
static comparands waiting;
static uint64_t waiting_hash;

/* Comparisons before statements in which no process waits for another wait for one behind them. */
enum { MOST_LATER = 64, MOST_NUMBERS = 4 * MOST_LATER };
typedef struct {
    char bytes[MOST_BYTES];
} number;
static struct {
    bool next; /* the one that comes next waits */
    int count, numbers;
    uint64_t hash;
    comparands comparison[MOST_LATER];
    dpc_replicated variable[MOST_NUMBERS];
    number value[MOST_NUMBERS];
} later;

void dpc_compare_later(void) {
    later.next = true;
}

static uint64_t hash_of_numbers(const comparands *x) {
    uint64_t h = dpc_hash((uint64_t)x->count, x->where, strlen(x->where));
    for (int k = 0; k < x->count; k++) h = dpc_hash(h, x->variables[k].value, dpc_bytes_of(x->variables[k].type));
    return h;
}

/* What tells comparisons of one place apart, beside how many variables they have. */
enum { MEETS = 0, WAITS = 1 << 20, IS_LATER = 1 << 21 };

/* Something differs: ends the program, unless it is memory that nobody may read. */
static void find_difference(const comparands *x, int kind) {
    compare_places(x->where, x->count + kind);
    for (int k = 0; k < x->count; k++) fail_by(x->where, x->of, &x->variables[k], dpc_bytes_of(x->variables[k].type));
    dpc_compare_objects(x->where, x->objects, x->object);
}

static bool has_room(int comparisons, int numbers) {
    return later.count + comparisons <= MOST_LATER && later.numbers + numbers <= MOST_NUMBERS;
}

/* With the values that its variables have now. */
static void keep(const comparands *x) {
    comparands *kept = &later.comparison[later.count++];
    *kept = *x;
    kept->variables = &later.variable[later.numbers];
    for (int k = 0; k < x->count; k++, later.numbers++) {
        const size_t bytes = dpc_bytes_of(x->variables[k].type);
        if (bytes > 0) memcpy(later.value[later.numbers].bytes, x->variables[k].value, bytes);
        later.variable[later.numbers] = x->variables[k];
        later.variable[later.numbers].value = later.value[later.numbers].bytes;
    }
}

/* Processes whose comparisons are the same so far come here at the same time. */
static void compare_kept(void) {
    for (int k = 0; k < later.count; k++) find_difference(&later.comparison[k], IS_LATER);
}

static void forget_kept(void) {
    later.count = later.numbers = 0;
    later.hash = 0;
}

/* The comparison waits, with the one that waits for it, unless too many do. */
static void put_off(const comparands *before, const comparands *own, uint64_t hash) {
    if (before->where != NULL) keep(before);
    keep(own);
    later.hash = dpc_hash(later.hash, &hash, sizeof hash);
    if (has_room(2, MOST_NUMBERS / 4)) return;
    if (!dpc_same_everywhere(&later.hash, sizeof later.hash)) compare_kept();
    forget_kept();
}

void dpc_agree_of(const char *of, const char *where, int count, const dpc_replicated *variables) {
    if (dpc_nprocs() == 1 || !dpc_running()) return;
    const comparands own = {where, of, count, 0, variables, NULL}, before = waiting;
    const uint64_t hash = hash_of_numbers(&own) + waiting_hash, all[] = {later.hash, hash};
    const bool waits = later.next && before.objects == 0 && before.count + count <= MOST_NUMBERS / 4;
    waiting = (comparands){.where = NULL};
    waiting_hash = 0;
    later.next = false;
    if (waits) {
        put_off(&before, &own, hash);
        return;
    }
    if (!dpc_same_everywhere(all, sizeof all)) {
        compare_kept();
        if (before.where != NULL) find_difference(&before, WAITS);
        find_difference(&own, MEETS);
    }
    forget_kept();
}

void dpc_agree(const char *where, int count, const dpc_replicated *variables) {
    dpc_agree_of("", where, count, variables);
}

void dpc_agree_on(const char *where, int count, const dpc_replicated *variables, int objects,
                  const dpc_object *object) {
    if (dpc_nprocs() == 1 || !dpc_running()) return;
    if (waiting.where != NULL) dpc_agree(where, 0, NULL);
    waiting = (comparands){where, "", count, objects, variables, object};
    waiting_hash = dpc_hash_objects(hash_of_numbers(&waiting), where, objects, object);
}

/* As a comparison of no variable: the others may be about to compare some. */
static void meet(const char *place) {
    if (place != NULL) dpc_agree(place, 0, NULL);
}

/* ---- Files */

/* What a process would read, by its hash; of pipes and devices nothing is read. */
static uint64_t hash_of_file(FILE *file) {
    char part[4096];
    struct stat status;
    uint64_t h = 0;
    if (file == NULL || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) return file != NULL;
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;) h = dpc_hash(h, part, count);
    rewind(file);
    return h;
}

/* Every process reads the same. */
static void compare_files(const char *path, FILE *file) {
    const uint64_t h = hash_of_file(file);
    dpc_message_text why;
    if (dpc_same_everywhere(&h, sizeof h)) return;
    snprintf(why.text, sizeof why.text, "the processes read different files as '%.400s'", path);
    dpc_fail_together(NULL, &why);
}

void dpc_check_all(void) {
    dpc_meet = meet;
    dpc_compare_file = compare_files;
    dpc_watched = true;
}
