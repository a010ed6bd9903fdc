/* --calibrate: measures what things cost on this machine and writes the profile. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "driver.h"

/* The value of each field is in the last line that names it; other lines are what the launcher prints. */
static dpc_cost read_measurement(arena *a, const char *output) {
    dpc_cost cost = {0};
    while (*output) {
        int field;
        double seconds;
        size_t length = strcspn(output, "\n");
        if (!dpc_parse_cost(arena_text(a, output, length), &field, &seconds) && field >= 0)
            *dpc_cost_value(&cost, field) = seconds;
        output += length + (output[length] == '\n');
    }
    for (int i = 0; i < DPC_COST_FIELDS; i++) {
        if (*dpc_cost_value(&cost, i) > 0) continue;
        fail(STATUS_FAILED, "try again; DPC_PROFILE can name a profile that was written by hand",
             "the measurement gave no positive value of '%s'", dpc_cost_fields[i].name);
    }
    return cost;
}

/* Compiles and runs the program that measures. */
static dpc_cost measure(arena *a, const options *o) {
    toolchain t;
    int status;
    toolchain_start(&t, a, o);
    if (toolchain_kind(&t) == MPI_SMPI)
        fail(STATUS_FAILED, "name Open MPI's or MPICH's compiler in MPICC",
             "SimGrid's processes are simulated: there is "
             "nothing to measure");
    const char *output = build_and_read(a, &t, &status);
    if (status != 0)
        fail(STATUS_FAILED, "what the program that measures says stands above",
             "the measurement failed with exit status %d", status);
    return read_measurement(a, output);
}

static void describe_machine(text *out) {
    struct utsname machine;
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    if (uname(&machine) != 0) strcpy(machine.nodename, "unknown"), strcpy(machine.machine, "unknown");
    text_format(out, "# dpcc --calibrate, %s, %s (%s); seconds\n", date, machine.nodename, machine.machine);
}

static const char *profile_text(arena *a, dpc_cost *cost) {
    text out;
    text_start(&out, a);
    describe_machine(&out);
    for (int i = 0; i < DPC_COST_FIELDS; i++)
        text_format(&out, "%-10s %.4g\n", dpc_cost_fields[i].name, *dpc_cost_value(cost, i));
    return text_of(&out);
}

static void print_costs(dpc_cost *cost, const char *path) {
    for (int i = 0; i < DPC_COST_FIELDS; i++)
        printf("%-10s %10.4g s  %s\n", dpc_cost_fields[i].name, *dpc_cost_value(cost, i), dpc_cost_fields[i].what);
    printf("written to %s\n", path);
    if (fflush(stdout) != 0) fail_to_write(NULL, errno);
}

void calibrate(arena *a, options *o) {
    const char *path = new_profile(a), *staged = stage_output(a, path);
    input source = {INPUT_C, calibration_source(a)};
    vector_add(a, o->inputs, o->input_count, o->input_capacity, source);
    o->processes = 2;
    dpc_cost cost = measure(a, o);
    write_text(staged, profile_text(a, &cost));
    publish(staged, path);
    print_costs(&cost, path);
}
