/* --time: how long each pass took. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "driver.h"

/* Passes in the order in which they were first entered; time is summed over the files of one run. */
static struct {
    const char *name;
    double seconds;
} passes[40];
static size_t pass_count;

static struct {
    size_t number; /* pass_count or more: none */
    double since;
} current = {.number = sizeof passes / sizeof *passes};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t pass_number(const char *name) {
    size_t i = 0;
    while (i < pass_count && strcmp(passes[i].name, name) != 0) i++;
    if (i == pass_count && pass_count < sizeof passes / sizeof *passes) passes[pass_count++].name = name;
    return i;
}

void pass(const char *name) {
    double time = now();
    if (current.number < pass_count) passes[current.number].seconds += time - current.since;
    current.number = name ? pass_number(name) : sizeof passes / sizeof *passes;
    current.since = time;
}

void print_passes(void) {
    double total = 0;
    pass(NULL);
    for (size_t i = 0; i < pass_count; i++) {
        fprintf(stderr, "%-16s %9.6f s\n", passes[i].name, passes[i].seconds);
        total += passes[i].seconds;
    }
    fprintf(stderr, "%-16s %9.6f s\n", "total", total);
}
