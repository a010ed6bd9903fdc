/* What `auto` takes: one copy between processes of a node, else the method and the schedule with the least time by the
 * machine's costs (dpcc --calibrate), for the busiest process.  It depends on the mappings only, so that every process
 * chooses the same. Sheet, section 8 (R5 and R7). */
#include "../base/shared.h"
#include "engine.h"

/* With fewer processes a message per pair, all at once, serves: what could be gained is below the model's error. */
enum { MANY_PROCESSES = 16 };

/* Bytes. */
enum { UNPACKED_RUN = 32 << 10 };

/* Contention when every process sends at once, as a factor of the volume's time (docs/redistribution-algorithms.md,
 * section 8: 1.5 to 2). */
static const double contention = 1.5;

/* What derived datatypes take at most of the time of packed messages to be chosen: the model is no better than a fifth.
 */
static const double leading = 0.8;

/* Partners of a coordinate along a dimension, at most: residue classes with messages times coordinates per class
 * (section 7.1). */
static double most_partners(const dpc_line *mine, const dpc_line *theirs) {
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    const dpc_index s = pair.mine.block, t = pair.theirs.block, g = dpc_common_divisor(s, t);
    const double all = (double)dpc_minimum(theirs->procs, dpc_maximum(mine->extent, 1));
    dpc_index x, y;
    if (__builtin_mul_overflow(pair.mine.procs, s / g, &x) || __builtin_mul_overflow(pair.theirs.procs, t / g, &y))
        return all;
    const dpc_index D = dpc_common_divisor(x, y), divisor = dpc_common_divisor(t / g, D);
    const dpc_index classes = dpc_minimum(D, s / g + t / g - 1);
    const double partners = (double)dpc_ceiling(classes, divisor) * (double)divisor / (double)D * (double)theirs->procs;
    return partners < all ? partners : all;
}

/* Elements that follow one another in the storage of `mine` and go to one coordinate of `theirs`, on average. */
static double run_length(const dpc_line *mine, const dpc_line *theirs) {
    const double local = (double)dpc_line_elements(mine, 0);
    const dpc_line_pair pair = dpc_pair_lines(mine, theirs);
    const double s = (double)pair.mine.block, t = (double)pair.theirs.block;
    if (theirs->procs == 1) return local;
    const double g = (double)dpc_common_divisor(pair.mine.block, pair.theirs.block);
    const double cut = mine->procs == 1 ? t : 1 / (1 / s + 1 / t - g / (s * t)), whole = t / (double)mine->procs;
    const double length = cut > whole ? cut : whole; /* several of my blocks within one of theirs lie side by side */
    return length < local ? length : local;
}

typedef struct {
    double messages, bytes; /* of the busiest process */
    double runs;            /* that these consist of in its storage, on both sides */
} amounts;

/* Runs of a process that has `bytes` bytes; the dimensions inside one that stays whole are one run with it. */
static double runs_of(const dpc_problem *p, const dpc_mapping *mine, const dpc_mapping *theirs, double bytes) {
    double length = 1;
    for (int k = p->rank - 1; k >= 0; k--) {
        const dpc_line line = dpc_line_of(mine, k), other = dpc_line_of(theirs, k);
        const double run = run_length(&line, &other);
        length *= run;
        if (run < (double)dpc_line_elements(&line, 0)) break;
    }
    return length > 0 ? bytes / (double)p->size / length : 0;
}

static amounts direct_amounts(const dpc_problem *p) {
    double out = 1, in = 1, from_local = (double)p->size, to_local = (double)p->size;
    for (int k = 0; k < p->rank; k++) {
        const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
        out *= most_partners(&from, &to);
        in *= most_partners(&to, &from);
        from_local *= (double)dpc_line_elements(&from, 0);
        to_local *= (double)dpc_line_elements(&to, 0);
    }
    return (amounts){out > in ? out : in, from_local > to_local ? from_local : to_local,
                     runs_of(p, &p->from, &p->to, from_local) + runs_of(p, &p->to, &p->from, to_local)};
}

/* Two phases through gcd or lcm: the quotients of the blocks, as far as there are processes; everything twice. */
static amounts phase_amounts(const dpc_problem *p, const amounts *direct) {
    double first = 1, second = 1;
    for (int k = 0; k < p->rank; k++) {
        const dpc_index s = p->from.block[k], t = p->to.block[k], g = dpc_common_divisor(s, t);
        first *= (double)dpc_minimum(p->from.procs[k], s / g);
        second *= (double)dpc_minimum(p->to.procs[k], t / g);
    }
    return (amounts){first + second, 2 * direct->bytes, 2 * direct->runs};
}

/* Packed and unpacked, where runs are too short to travel from where they lie (traffic.c); the kernels for short runs
 * make an element of each as dear as a strided one. */
static double packed_seconds(const dpc_problem *p, const amounts *a) {
    const dpc_cost *cost = p->cost;
    const bool in_place = a->runs * UNPACKED_RUN <= 2 * a->bytes;
    const double packing = in_place ? 0 : 2 * cost->element / (double)p->size;
    return a->messages * cost->message + a->bytes * (cost->byte + packing);
}

/* By derived datatypes. */
static double typed_seconds(const dpc_problem *p, const amounts *a) {
    return a->messages * p->cost->message + a->bytes * p->cost->typed_byte + a->runs * p->cost->typed_run;
}

/* MPI_Alltoallw's arguments name every process, its datatypes are less than 2 GiB. */
static bool suits_alltoallw(const dpc_problem *p, const amounts *a) {
    return a->bytes < INT_MAX && (double)p->processes <= 4 * (a->messages + 1);
}

const dpc_redistribution_method *dpc_choose_method(const dpc_problem *p, bool scheduled) {
    const amounts direct = direct_amounts(p), phases = phase_amounts(p, &direct);
    if (!p->messages_only && direct.bytes >= DPC_LEAST_SHARED && dpc_node_of(p->comm)->largest > 1)
        return dpc_find_method("onecopy");
    const char *best = "walk";
    double seconds = packed_seconds(p, &direct);
    if (!scheduled && suits_alltoallw(p, &direct) && typed_seconds(p, &direct) < leading * seconds) {
        best = "alltoallw";
        seconds = typed_seconds(p, &direct);
    }
    if (p->processes >= MANY_PROCESSES && packed_seconds(p, &phases) < seconds &&
        dpc_method_refuses("gcd-async", &p->from, &p->to) == NULL)
        best = "gcd-async";
    return dpc_find_method(best);
}

/* Steps where the volume decides and where they cost nothing to find. */
const dpc_schedule *dpc_choose_schedule(const dpc_problem *p) {
    const dpc_cost *cost = p->cost;
    const amounts direct = direct_amounts(p);
    const bool by_volume = direct.bytes * cost->byte * (contention - 1) > direct.messages * cost->message;
    if (p->processes < MANY_PROCESSES || !by_volume || dpc_schedule_refuses("circulant", &p->from, &p->to) != NULL)
        return dpc_find_schedule("none");
    return dpc_find_schedule("circulant");
}
