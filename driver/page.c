/* --report: the page of a program, with the counts of an earlier run, or of one that is made for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../report/report.h"
#include "driver.h"

/* Of several runs the page shows the one on the most. */
static long most_processes(const options *o) {
    long most = 0;
    for (size_t k = 0; o->simulate && k < o->count_count; k++)
        if (o->counts[k] > most) most = o->counts[k];
    return most ? most : process_count(o);
}

void prepare_page(options *o) {
    if (o->stats) o->counts_text = arena_file(o->memory, o->stats, NULL);
    if (o->stats && !o->counts_text) fail_to_read(o->stats, errno);
    const int counted = o->stats ? report_processes(o->counts_text) : 0;
    if (o->stats && counted == 0)
        fail(STATUS_FAILED, "DPC_STATS=FILE.json mpirun ... writes them", "'%s' has no counts of DPC_STATS", o->stats);
    if (counted > 0 && o->fixed_processes > 0 && o->fixed_processes != counted)
        fail(STATUS_COMMAND,
             arena_format(o->memory, "leave out --np, or count again on %ld processes", o->fixed_processes),
             "'%s' was counted on %d processes, not on --np=%ld", o->stats, counted, o->fixed_processes);
    if (counted > 0) o->fixed_processes = counted;
    if (o->run && !o->fixed_processes) o->fixed_processes = most_processes(o);
}

/* {"message": 1e-06, ...}: seconds. */
static const char *costs_text(arena *a) {
    dpc_cost cost = read_profile(a);
    text out;
    text_start(&out, a);
    for (int k = 0; k < DPC_COST_FIELDS; k++)
        text_format(&out, "%s\"%s\": %.17g", k ? ", " : "{", dpc_cost_fields[k].name, *dpc_cost_value(&cost, k));
    text_add(&out, "}");
    return text_of(&out);
}

/* `cores`: of the machine that the program has run on; 0: not known. */
static void put_page(arena *a, const options *o, const page_parts *parts, const simulation_record *counted, long cores,
                     const char *from) {
    const char *error, *path = o->inputs[0].path;
    for (size_t k = 0; k < o->input_count; k++)
        if (o->inputs[k].kind == INPUT_DPC) path = o->inputs[k].path;
    const report_input x = {.program = path,
                            .version = program_version(),
                            .explained = parts->explained,
                            .text = parts->text,
                            .stats = counted->counts,
                            .counted_now = !o->stats,
                            .trace = counted->trace,
                            .scaling = counted->table,
                            .cores = cores,
                            .costs = costs_text(a)};
    pass("report");
    const char *page = report_page(a, &x, &error);
    if (!page)
        fail(STATUS_FAILED, "count again: DPC_STATS=FILE.json, with the source as it is", "'%s' does not fit: %s", from,
             error);
    const char *staged = stage_text(a, o->report, page);
    if (staged) publish(staged, o->report);
}

void write_page(arena *a, const options *o, const page_parts *parts) {
    const simulation_record counted = {.counts = o->counts_text};
    put_page(a, o, parts, &counted, 0, o->stats);
}

static int count_run(arena *a, toolchain *t, const char *program, simulation_record *counted) {
    const char *directory = temporary_directory(a, NULL);
    const char *stats = temporary_file(a, directory, "stats.json"), *trace = temporary_file(a, directory, "trace.json");
    setenv("DPC_STATS", stats, 1);
    setenv("DPC_TRACE", trace, 1);
    const int status = launch(t, program);
    counted->counts = arena_file(a, stats, NULL);
    counted->trace = arena_file(a, trace, NULL);
    return status;
}

int run_for_page(arena *a, toolchain *t, const char **texts, const page_parts *parts) {
    simulation_record counted = {.counts = NULL};
    const char *program = build_to_run(a, t, texts);
    const int status = t->options->simulate ? simulate(t, program, &counted) : count_run(a, t, program, &counted);
    if (!counted.counts)
        fail(status ? (exit_status)status : STATUS_FAILED,
             "a program that ends with an error or a signal counts nothing",
             "'%s' was not written: the program has left no counts", t->options->report);
    const bool here = !has_other_hosts() && toolchain_kind(t) != MPI_SMPI;
    put_page(a, t->options, parts, &counted, here ? core_count() : 0, "what the run has counted");
    return status;
}
