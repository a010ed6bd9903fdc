/* --simulate=nodes=64,flops=10G,latency=1.5us,bandwidth=12.5GB/s: the machine that programs run on, simulated by
 * SimGrid. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simulate.h"

/* Of a node, unless it is said. */
static const machine_facts default_machine = {0, 0, 1e-6, 12.5e9};

typedef struct {
    const char *name;
    double factor;
} unit;

static const unit seconds[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {NULL, 0}};
static const unit bytes[] = {{"GB/s", 1e9},      {"MB/s", 1e6},      {"kB/s", 1e3},      {"B/s", 1},
                             {"GBps", 1e9},      {"MBps", 1e6},      {"kBps", 1e3},      {"Bps", 1},
                             {"Gbit/s", 1.25e8}, {"Mbit/s", 1.25e5}, {"kbit/s", 1.25e2}, {NULL, 0}};
static const unit flops[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"", 1}, {NULL, 0}};
static const unit nodes[] = {{"", 1}, {NULL, 0}};

/* With numbers beyond `least` and `most` SimGrid ends within, or never. */
static const struct {
    const char *key;
    const unit *units;
    double least, most;
    const char *help;
} keys[] = {
    {"nodes", nodes, 1, 1e6, "nodes=64: 1 to 1000000"},
    {"flops", flops, 1, 1e18, "flops=10G: k, M, G or T, floating-point operations per second, 1 to 1000000T"},
    {"latency", seconds, 1e-12, 1e3, "latency=1.5us: ns, us, ms or s, from one node to another, 0.001ns to 1000s"},
    {"bandwidth", bytes, 1, 1e15,
     "bandwidth=12.5GB/s: kB/s, MB/s, GB/s or kbit/s, Mbit/s, Gbit/s, of a node in each direction, 1B/s to "
     "1000000GB/s"},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* A positive number with one of the units. */
static double quantity(arena *a, int key, const char *value) {
    char *end;
    const double number = strtod(value, &end), slack = 1e-9;
    if (end != value && isdigit((unsigned char)*value))
        for (const unit *u = keys[key].units; u->name; u++) {
            const double x = number * u->factor;
            if (!strcmp(end, u->name) && x >= keys[key].least * (1 - slack) && x <= keys[key].most * (1 + slack))
                return x;
        }
    fail(STATUS_COMMAND, arena_format(a, "write %s", keys[key].help), "--simulate: '%s' is no value of '%s'", value,
         keys[key].key);
}

static const char *const machine_help =
    "nodes, flops, latency and bandwidth, as in --simulate=nodes=64,flops=10G,latency=1.5us,bandwidth=12.5GB/s; or the "
    "name of a platform file of SimGrid";

static int key_number(arena *a, const char *name) {
    for (int k = 0; k < KEYS; k++)
        if (!strcmp(keys[k].key, name)) return k;
    fail(STATUS_COMMAND, machine_help, "--simulate: there is no key '%s'", *name ? name : arena_format(a, "%s", ""));
}

static void set_fact(machine_facts *m, int key, double value) {
    double *const facts[KEYS] = {&m->nodes, &m->flops, &m->latency, &m->bandwidth};
    *facts[key] = value;
}

machine_facts parse_machine(arena *a, const char *description) {
    machine_facts m = default_machine;
    for (const char *at = description; at && *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        const char *item = arena_text(a, at, length), *equals = strchr(item, '=');
        if (!equals)
            fail(STATUS_COMMAND, machine_help,
                 "--simulate: '%s' is neither KEY=VALUE nor alone the name of a platform file", item);
        const int key = key_number(a, arena_text(a, item, (size_t)(equals - item)));
        set_fact(&m, key, quantity(a, key, equals + 1));
        at += length;
    }
    if (m.nodes != (double)(long)m.nodes)
        fail(STATUS_COMMAND, "write nodes=64", "--simulate: a machine has 1 to 1000000 nodes");
    return m;
}

/* Every node has a link of its own in each direction, the switch is no bottleneck: a message of b bytes takes the
 * latency plus b / bandwidth.  All factors of SimGrid's own model are 1. */
const char *platform_text(arena *a, const machine_facts *m, const host_facts *host, long processes) {
    const long count = m->nodes > 0 ? (long)m->nodes : processes, cores = (processes + count - 1) / count;
    return arena_format(
        a,
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n"
        "  <config>\n"
        "    <prop id=\"network/model\" value=\"CM02\"/>\n"
        "    <prop id=\"network/latency-factor\" value=\"1\"/>\n"
        "    <prop id=\"network/bandwidth-factor\" value=\"1\"/>\n"
        "    <prop id=\"network/weight-S\" value=\"0\"/>\n"
        "    <prop id=\"network/crosstraffic\" value=\"no\"/>\n"
        "    <prop id=\"smpi/lat-factor\" value=\"0:1\"/>\n"
        "    <prop id=\"smpi/bw-factor\" value=\"0:1\"/>\n"
        "  </config>\n"
        "  <cluster id=\"nodes\" prefix=\"node-\" suffix=\"\" radical=\"0-%ld\" speed=\"%.17gf\" core=\"%ld\" "
        "bw=\"%.17gBps\" lat=\"%.17gs\" sharing_policy=\"SPLITDUPLEX\"/>\n"
        "</platform>\n",
        count - 1, m->flops > 0 ? m->flops : host->flops, cores, m->bandwidth, m->latency / 2);
}

/* ---- Before anything is compiled */

bool is_platform_file(const char *value) {
    return value && !strchr(value, '=');
}

static void check_platform_file(const char *path) {
    struct stat s;
    const int error = access(path, R_OK) != 0 || stat(path, &s) != 0 ? errno : S_ISDIR(s.st_mode) ? EISDIR : 0;
    if (error)
        fail(STATUS_FAILED, "--simulate=nodes=64,flops=10G,latency=1.5us,bandwidth=12.5GB/s needs no file",
             "cannot read the platform '%s': %s", path, strerror(error));
}

static const char *const missing = "install SimGrid (Debian: libsimgrid-dev), or name its compiler in MPICC";

void check_simulation(const options *o) {
    const char *set = getenv("MPICC");
    if (is_platform_file(o->platform))
        check_platform_file(o->platform);
    else
        parse_machine(o->memory, o->platform);
    if (!set || !strstr(set, "smpi")) setenv("MPICC", "smpicc", 1);
    if (set && strstr(set, "smpi")) return;
    if (!find_command(o->memory, "smpicc")) fail(STATUS_FAILED, missing, "--simulate: 'smpicc' was not found");
    if (!find_command(o->memory, "smpirun")) fail(STATUS_FAILED, missing, "--simulate: 'smpirun' was not found");
}
