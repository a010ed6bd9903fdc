/* --simulate: runs a program on the processes of a simulated machine, and says how long it takes there. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"

/* ---- A run and what it counted */

typedef struct {
    long processes;
    double seconds;      /* simulated, of the whole program */
    const char *written; /* what DPC_STATS has written */
    cJSON *counts;       /* the same */
} simulated_run;

static double number(const cJSON *object, const char *name) {
    const cJSON *x = cJSON_GetObjectItem(object, name);
    return cJSON_IsNumber(x) ? x->valuedouble : 0;
}

/* Of the values of all processes. */
static double sum_of(const cJSON *object, const char *name) {
    const cJSON *x;
    double sum = 0;
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(object, name)) sum += x->valuedouble;
    return sum;
}

static double greatest_of(const cJSON *object, const char *name) {
    const cJSON *x;
    double most = 0;
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(object, name)) if (x->valuedouble > most) most = x->valuedouble;
    return most;
}

static const char *machine_file(toolchain *t, const host_facts *host, long processes) {
    const options *o = t->options;
    char *path;
    if (is_platform_file(o->platform)) {
        path = realpath(o->platform, NULL);
        if (!path) fail_to_read(o->platform, errno);
        const char *copy = arena_format(t->memory, "%s", path);
        free(path);
        return copy;
    }
    const machine_facts m = parse_machine(t->memory, o->platform);
    const char *file = temporary_file(t->memory, temporary_directory(t->memory, NULL), "machine.xml");
    write_text(file, platform_text(t->memory, &m, host, processes));
    return file;
}

/* The exit status of the program; *run has what was counted, of a program that ends by return or exit. */
static int run_on(toolchain *t, const char *program, const host_facts *host, bool silent, simulated_run *run) {
    const char *counts = temporary_file(t->memory, temporary_directory(t->memory, NULL), "counts.json");
    const simulated_machine m = {machine_file(t, host, run->processes), host->flops, silent};
    setenv("DPC_STATS", counts, 1);
    const int status = launch_on_machine(t, program, run->processes, &m);
    run->written = arena_file(t->memory, counts, NULL);
    run->counts = run->written ? cJSON_Parse(run->written) : NULL;
    run->seconds = greatest_of(run->counts, "total_seconds");
    if (run->counts) return status;
    if (is_platform_file(t->options->platform) && status >= 128)
        fail(STATUS_FAILED, "what SimGrid says of it stands above; its manual describes platform files",
             "the simulation on '%s' was ended by signal %d", t->options->platform, status - 128);
    if (status == 0)
        fail(STATUS_FAILED, "a program that ends by return or exit is timed", "the program has left no simulated time");
    return status;
}

/* ---- What is said */

/* The share of all processes' time that is no communication. */
static double computing_share(const simulated_run *r) {
    const double all = sum_of(r->counts, "total_seconds");
    return all > 0 ? sum_of(r->counts, "computing_seconds") / all : 1;
}

static void print_statements(const simulated_run *r) {
    const cJSON *s;
    int width = 9;
    cJSON_ArrayForEach(s, cJSON_GetObjectItem(r->counts, "statements")) {
        const int length = (int)strlen(cJSON_GetStringValue(cJSON_GetObjectItem(s, "where")));
        if (length > width) width = length;
    }
    fprintf(stderr, "%-*s  %10s  %12s  %6s  %10s  %14s\n", width, "statement", "executions", "seconds", "share",
            "messages", "bytes");
    cJSON_ArrayForEach(s, cJSON_GetObjectItem(r->counts, "statements")) {
        const double most = greatest_of(s, "seconds");
        const double messages = sum_of(s, "messages") + sum_of(s, "index_messages") + sum_of(s, "value_messages"),
                     moved = sum_of(s, "bytes") + sum_of(s, "index_bytes") + sum_of(s, "value_bytes");
        fprintf(stderr, "%-*s  %10.0f  %12.9f  %5.1f%%  %10.0f  %14.0f\n", width,
                cJSON_GetStringValue(cJSON_GetObjectItem(s, "where")), number(s, "executions"), most,
                r->seconds > 0 ? 100 * most / r->seconds : 0, messages, moved);
    }
}

static void print_run(const simulated_run *r) {
    fprintf(stderr,
            "simulated: %ld processes, %.9f s; of the processes' time %.1f%% is computing\n"
            "communication of each statement, of the process that spends most on it:\n",
            r->processes, r->seconds, 100 * computing_share(r));
    print_statements(r);
}

static double speedup(const simulated_run *first, const simulated_run *r) {
    return r->seconds > 0 ? first->seconds / r->seconds : 0;
}

static double efficiency(const simulated_run *first, const simulated_run *r) {
    return speedup(first, r) * (double)first->processes / (double)r->processes;
}

static void print_scaling(const simulated_run *run, size_t count) {
    fprintf(stderr, "%9s  %14s  %8s  %10s  %9s\n", "processes", "simulated s", "speedup", "efficiency", "computing");
    for (size_t k = 0; k < count; k++)
        fprintf(stderr, "%9ld  %14.9f  %8.2f  %9.1f%%  %8.1f%%\n", run[k].processes, run[k].seconds,
                speedup(run, &run[k]), 100 * efficiency(run, &run[k]), 100 * computing_share(&run[k]));
}

/* {"machine": "", "runs": [{"processes": 4, "seconds": ..., "speedup": ..., "efficiency": ..., "computing": ...,
 * "statements": [...]}]} */
static const char *json_of(arena *a, const options *o, const simulated_run *run, size_t count, bool statements) {
    cJSON *all = cJSON_CreateObject(), *runs = cJSON_AddArrayToObject(all, "runs");
    cJSON_AddStringToObject(all, "machine", o->platform ? o->platform : "");
    for (size_t k = 0; k < count; k++) {
        cJSON *r = cJSON_CreateObject();
        cJSON_AddNumberToObject(r, "processes", (double)run[k].processes);
        cJSON_AddNumberToObject(r, "seconds", run[k].seconds);
        cJSON_AddNumberToObject(r, "speedup", speedup(run, &run[k]));
        cJSON_AddNumberToObject(r, "efficiency", efficiency(run, &run[k]));
        cJSON_AddNumberToObject(r, "computing", computing_share(&run[k]));
        if (statements)
            cJSON_AddItemToObject(r, "statements",
                                  cJSON_Duplicate(cJSON_GetObjectItem(run[k].counts, "statements"), true));
        cJSON_AddItemToArray(runs, r);
    }
    char *printed = cJSON_Print(all);
    const char *copy = arena_format(a, "%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(all);
    return copy;
}

/* ---- All runs */

static bool has_most(const simulated_run *run, size_t k) {
    for (size_t before = 0; before < k; before++)
        if (run[before].processes >= run[k].processes) return false;
    return true;
}

/* The time line is of the last run that had the most processes so far. */
static void keep_record(simulation_record *record, toolchain *t, const simulated_run *run, size_t k,
                        const char *trace) {
    if (!record || !has_most(run, k)) return;
    record->counts = run[k].written;
    record->trace = arena_file(t->memory, trace, NULL);
}

/* DPC_STATS=FILE.json. */
static void write_table(toolchain *t, const char *file, const simulated_run *run, size_t count) {
    const size_t length = strlen(file);
    if (length <= 5 || strcmp(file + length - 5, ".json") != 0) return;
    const char *staged = stage_text(t->memory, file, json_of(t->memory, t->options, run, count, true));
    if (staged) publish(staged, file);
}

/* What the machine's flop/s are compared with. */
static void print_host(const options *o, const host_facts *host) {
    if (!is_platform_file(o->platform) && !(parse_machine(o->memory, o->platform).flops > 0)) return;
    fprintf(stderr, "simulated: a processor here counts as %.3g flop/s, %s\n", host->flops,
            host->profiled ? "as --calibrate has measured" : "measured now");
}

static void print_runs(const options *o, const host_facts *host, const simulated_run *run, size_t count) {
    fflush(stdout);
    print_host(o, host);
    if (count == 1)
        print_run(run);
    else
        print_scaling(run, count);
}

int simulate(toolchain *t, const char *program, simulation_record *record) {
    const options *o = t->options;
    const char *set = getenv("DPC_STATS"), *wanted = set ? arena_format(t->memory, "%s", set) : "";
    const size_t count = o->count_count ? o->count_count : 1;
    simulated_run *run = arena_alloc(t->memory, count * sizeof *run);
    const char *trace = record ? temporary_file(t->memory, temporary_directory(t->memory, NULL), "trace.json") : NULL;
    const host_facts host = find_host(t->memory);
    int failed = STATUS_SUCCESS;
    if (record) setenv("DPC_TRACE", trace, 1);
    for (size_t k = 0; k < count; k++) {
        run[k].processes = o->count_count ? o->counts[k] : process_count(o);
        const int status = run_on(t, program, &host, k > 0, &run[k]);
        if (!run[k].counts) return status;
        if (!failed) failed = status;
        keep_record(record, t, run, k, trace);
    }
    print_runs(o, &host, run, count);
    write_table(t, wanted, run, count);
    if (record) record->table = json_of(t->memory, o, run, count, false);
    for (size_t k = 0; k < count; k++) cJSON_Delete(run[k].counts);
    return failed;
}
