/* What the processes of a program must have been started with alike: the library's environment variables and the
 * program's arguments.  A hash is compared; only where it differs does process 0 send its own to the others, which look
 * for the difference. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "settings.h"

#include <string.h>

/* Strings, each with its NUL: a line for each setting - "=" and its value, or nothing where it is not set -, then the
 * arguments.  malloc's memory; NULL: none is left. */
typedef struct {
    char *text;
    size_t length;
} start_facts;

/* The program's arguments as the system knows them, without its own name.  Simulated processes have the same. */
static void write_arguments(FILE *out) {
#ifdef DPC_SMPI
    (void)out;
#else
    FILE *line = fopen("/proc/self/cmdline", "r");
    bool own_name = true;
    for (int c; line != NULL && (c = getc(line)) != EOF;)
        if (own_name)
            own_name = c != '\0';
        else
            putc(c, out);
    if (line != NULL) fclose(line);
#endif
}

static start_facts facts_of_process(void) {
    start_facts f = {NULL, 0};
    FILE *out = open_memstream(&f.text, &f.length);
    if (out == NULL) dpc_fail(NULL, "out of memory");
    for (int k = 0; k < DPC_SETTINGS; k++) {
        const char *value = dpc_setting_text(k);
        fprintf(out, "%s%s%c", value != NULL ? "=" : "", value != NULL ? value : "", '\0');
    }
    write_arguments(out);
    if (fclose(out) != 0) dpc_fail(NULL, "out of memory");
    return f;
}

/* ---- The difference */

/* A string of the facts; NULL: past the last. */
static const char *next_fact(const start_facts *f, const char **at) {
    const char *fact = *at;
    if (fact >= f->text + f->length) return NULL;
    *at = fact + strlen(fact) + 1;
    return fact;
}

typedef struct {
    char text[160];
} shown;

static shown show(const char *value, const char *missing) {
    shown s;
    if (value == NULL)
        snprintf(s.text, sizeof s.text, "%s", missing);
    else
        snprintf(s.text, sizeof s.text, "'%.120s%s'", value, strlen(value) > 120 ? "..." : "");
    return s;
}

static bool equal(const char *x, const char *y) {
    return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

/* Setting number k, with "=" before its value. */
static bool setting_differs(int k, const char *first, const char *mine, dpc_message_text *why) {
    if (equal(first, mine) || (*mine == '\0' && !dpc_setting_everywhere(k))) return false;
    const shown zero = show(*first ? first + 1 : NULL, "not set"), here = show(*mine ? mine + 1 : NULL, "not set");
    snprintf(why->text, sizeof why->text,
             "environment variable %s differs between processes: %s on process 0, %s on process %d%s",
             dpc_setting_name(k), zero.text, here.text, dpc_rank(),
             *mine ? "" : "; mpirun passes it on with -x (Open MPI) or -genvall (MPICH)");
    return true;
}

static bool argument_differs(int k, const char *first, const char *mine, dpc_message_text *why) {
    if (equal(first, mine)) return false;
    const shown zero = show(first, "none"), here = show(mine, "none");
    snprintf(why->text, sizeof why->text,
             "argument %d of the program differs between processes: %s on process 0, %s on process %d", k, zero.text,
             here.text, dpc_rank());
    return true;
}

static bool find_difference(const start_facts *zero, const start_facts *mine, dpc_message_text *why) {
    const char *zero_at = zero->text, *mine_at = mine->text;
    for (int k = 0; k < DPC_SETTINGS; k++)
        if (setting_differs(k, next_fact(zero, &zero_at), next_fact(mine, &mine_at), why)) return true;
    for (int k = 1;; k++) {
        const char *first = next_fact(zero, &zero_at), *own = next_fact(mine, &mine_at);
        if (first == NULL && own == NULL) return false;
        if (argument_differs(k, first, own, why)) return true;
    }
}

static start_facts facts_of_first(const start_facts *mine) {
    int64_t length = (int64_t)mine->length;
    MPI_Bcast(&length, 1, MPI_INT64_T, 0, dpc_communicator);
    start_facts zero = {dpc_raw_buffer(length, 1), (size_t)length};
    if (dpc_rank() == 0) memcpy(zero.text, mine->text, mine->length);
    MPI_Bcast(zero.text, (int)length, MPI_CHAR, 0, dpc_communicator);
    return zero;
}

void dpc_check_agreement(void) {
    if (dpc_nprocs() == 1) return;
    start_facts mine = facts_of_process();
    if (!dpc_same_everywhere(mine.text, mine.length)) {
        start_facts zero = facts_of_first(&mine);
        dpc_message_text why;
        dpc_fail_first(NULL, find_difference(&zero, &mine, &why), &why);
        dpc_free_buffer(zero.text);
    }
    free(mine.text);
}

/* ---- Comparing */

static inline uint64_t mixed(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15;
    return h << 29 | h >> 35; /* the highest bits count as well */
}

/* Fewer bytes than a word has, as one: no other bytes, of the same number, give the same. */
static inline uint64_t part_of_word(const unsigned char *at, size_t count) {
    uint32_t first, last;
    if (count < 4) return (uint64_t)at[0] | (uint64_t)at[count / 2] << 8 | (uint64_t)at[count - 1] << 16;
    memcpy(&first, at, sizeof first);
    memcpy(&last, at + count - sizeof last, sizeof last);
    return (uint64_t)first | (uint64_t)last << 32;
}

/* Much is hashed in four parts that do not wait for one another. */
uint64_t dpc_hash(uint64_t h, const void *bytes, size_t count) {
    const char *at = bytes;
    size_t left = count;
    uint64_t word = 0;
    if (left >= 32) {
        uint64_t part[4] = {h, h + 1, h + 2, h + 3}, words[4];
        for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
            memcpy(words, at, sizeof words);
            for (int k = 0; k < 4; k++) part[k] = mixed(part[k], words[k]);
        }
        for (int k = 0; k < 4; k++) h = mixed(h, part[k]);
    }
    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        h = mixed(h, word);
    }
    if (left > 0) h = mixed(h, part_of_word((const unsigned char *)at, left));
    return mixed(h, count);
}

bool dpc_same_everywhere(const void *bytes, size_t count) {
    const uint64_t mine = dpc_hash(0xcbf29ce484222325, bytes, count);
    uint64_t both[] = {mine, ~mine}, most[2];
    MPI_Allreduce(both, most, 2, MPI_UINT64_T, MPI_BOR, dpc_communicator);
    return (most[0] & most[1]) == 0;
}

void dpc_fail_first(const char *where, bool fails, const dpc_message_text *why) {
    int mine = fails ? dpc_rank() : dpc_nprocs(), first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, dpc_communicator);
    if (first == dpc_nprocs()) return;
    dpc_message_text text = {""};
    if (first == dpc_rank()) text = *why;
    MPI_Bcast(text.text, (int)sizeof text.text, MPI_CHAR, first, dpc_communicator);
    dpc_fail_together(where, &text);
}
