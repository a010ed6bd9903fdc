/* --test: finds the programs of suites, runs several at once, and prints what came of them in the order of names. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

typedef struct {
    suite_case *item;
    size_t count, capacity;
} cases;

static int is_program(const struct dirent *entry) {
    const size_t length = strlen(entry->d_name);
    return *entry->d_name != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".dpc") == 0;
}

static void add_case(cases *all, const suite *s, const char *path) {
    vector_add(s->memory, all->item, all->count, all->capacity, case_of(s, path));
}

static const char *without_slashes(arena *a, const char *directory) {
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/') length--;
    return arena_text(a, directory, length);
}

static void add_directory(cases *all, const suite *s, const char *path) {
    const char *directory = without_slashes(s->memory, path);
    struct dirent **entry;
    const int count = scandir(directory, &entry, is_program, alphasort);
    if (count < 0) fail_to_read(path, errno);
    if (count == 0)
        fail(STATUS_COMMAND, "a suite is a directory with programs, NAME.dpc", "there is no test in '%s'", path);
    for (int i = 0; i < count; i++) {
        add_case(all, s, arena_format(s->memory, "%s/%s", directory, entry[i]->d_name));
        free(entry[i]);
    }
    free(entry);
}

/* A directory, or one program. */
static void add_path(cases *all, const suite *s, const char *path) {
    struct stat info;
    const size_t length = strlen(path);
    if (stat(path, &info) != 0) fail_to_read(path, errno);
    if (S_ISDIR(info.st_mode))
        add_directory(all, s, path);
    else if (length > 4 && strcmp(path + length - 4, ".dpc") == 0)
        add_case(all, s, path);
    else
        fail(STATUS_COMMAND, "dpcc --test takes directories with programs, NAME.dpc, and single programs",
             "'%s' is neither a directory nor a .dpc file", path);
}

static size_t job_count(const options *o) {
    cpu_set_t cores;
    if (o->suite.jobs) return (size_t)o->suite.jobs;
    const int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
    return count < MOST_GROUPS ? (size_t)count : MOST_GROUPS;
}

/* Prints the results that nothing before is missing of; returns how many have been. */
static size_t print_results(const cases *all, const bool *ended, size_t printed) {
    while (printed < all->count && ended[printed]) {
        report_case(&all->item[printed], printed + 1);
        printed++;
    }
    fflush(stdout);
    return printed;
}

/* The next case that is not skipped, in a free slot. */
static suite_case *start_next(const cases *all, bool *ended, size_t *next, size_t slot) {
    while (*next < all->count) {
        suite_case *c = &all->item[(*next)++];
        if (!c->skipped) return case_start(c, slot), c;
        ended[c - all->item] = true;
    }
    return NULL;
}

static void run_cases(arena *a, const options *o, const cases *all) {
    const size_t slots = job_count(o);
    suite_case **running = arena_alloc(a, slots * sizeof *running);
    bool *ended = arena_alloc(a, (all->count + 1) * sizeof *ended);
    size_t next = 0, printed = 0;
    while (printed < all->count) {
        for (size_t k = 0; k < slots; k++) {
            if (!running[k]) running[k] = start_next(all, ended, &next, k);
            if (!running[k] || !case_has_ended(running[k])) continue;
            ended[running[k] - all->item] = true;
            running[k] = NULL;
        }
        printed = print_results(all, ended, printed);
        if (printed < all->count) usleep(5000);
    }
}

static int print_summary(const cases *all) {
    size_t failed = 0, skipped = 0;
    for (size_t i = 0; i < all->count; i++) {
        failed += all->item[i].faults > 0;
        skipped += all->item[i].skipped != NULL;
    }
    printf("# %zu passed, %zu failed, %zu skipped\n", all->count - failed - skipped, failed, skipped);
    if (fflush(stdout) != 0) fail_to_write(NULL, errno);
    return failed ? STATUS_SOURCE : STATUS_SUCCESS;
}

/* Programs run in other directories. */
static void fix_temporary_parent(void) {
    const char *parent = getenv("TMPDIR");
    char *real = parent && *parent ? realpath(parent, NULL) : NULL;
    if (real) setenv("TMPDIR", real, 1);
    free(real);
}

int run_suites(arena *a, const options *o) {
    suite *s = arena_alloc(a, sizeof *s);
    cases all = {0};
    *s = (suite){.memory = a, .options = o};
    fix_temporary_parent();
    check_c_compiler(a);
    if (!o->serial) {
        toolchain t;
        toolchain_start(&t, a, o);
        s->kind = toolchain_kind(&t);
    }
    for (size_t i = 0; i < o->suite.paths.count; i++) add_path(&all, s, o->suite.paths.item[i]);
    printf("TAP version 13\n1..%zu\n", all.count);
    run_cases(a, o, &all);
    return print_summary(&all);
}
