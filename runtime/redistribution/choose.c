/* What `auto` takes: one copy between processes of a node, else the method and the schedule with the least time by the
 * cost model, for the busiest process.  It depends on the mappings only, so that every process chooses the same. Sheet,
 * section 8 (R5 and R7). */
#include "../shared.h"
#include "engine.h"

/* With fewer processes a message per pair, all at once, serves: what could be gained is below the model's error. */
enum { MANY_PROCESSES = 16 };

/* Contention when every process sends at once, as a factor of the volume's time (sheet, section 8: 1.5 to 2). */
static const double contention = 1.5;

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

typedef struct {
    double messages, bytes; /* of the busiest process */
} amounts;

static amounts direct_amounts(const dpc_problem *p) {
    double out = 1, in = 1, from_local = (double)p->size, to_local = (double)p->size;
    for (int k = 0; k < p->rank; k++) {
        const dpc_line from = dpc_line_of(&p->from, k), to = dpc_line_of(&p->to, k);
        out *= most_partners(&from, &to);
        in *= most_partners(&to, &from);
        from_local *= (double)dpc_line_elements(&from, 0);
        to_local *= (double)dpc_line_elements(&to, 0);
    }
    return (amounts){out > in ? out : in, from_local > to_local ? from_local : to_local};
}

/* Two phases through gcd or lcm: the quotients of the blocks, as far as there are processes; everything twice. */
static amounts phase_amounts(const dpc_problem *p, const amounts *direct) {
    double first = 1, second = 1;
    for (int k = 0; k < p->rank; k++) {
        const dpc_index s = p->from.block[k], t = p->to.block[k], g = dpc_common_divisor(s, t);
        first *= (double)dpc_minimum(p->from.procs[k], s / g);
        second *= (double)dpc_minimum(p->to.procs[k], t / g);
    }
    return (amounts){first + second, 2 * direct->bytes};
}

/* Packed and unpacked element by element. */
static double seconds_of(const amounts *a, dpc_index size) {
    const dpc_cost *cost = &dpc_default_cost;
    return a->messages * cost->message + a->bytes * (cost->byte + 2 * cost->element / (double)size);
}

const dpc_redistribution_method *dpc_choose_method(const dpc_problem *p) {
    const amounts direct = direct_amounts(p), phases = phase_amounts(p, &direct);
    if (!p->messages_only && direct.bytes >= DPC_LEAST_SHARED && dpc_node_of(p->comm)->largest > 1)
        return dpc_find_method("onecopy");
    const bool slower = seconds_of(&phases, p->size) >= seconds_of(&direct, p->size);
    if (p->processes < MANY_PROCESSES || slower || dpc_method_refuses("gcd-async", &p->from, &p->to) != NULL)
        return dpc_find_method("walk");
    return dpc_find_method("gcd-async");
}

/* Steps where the volume decides and where they cost nothing to find. */
const dpc_schedule *dpc_choose_schedule(const dpc_problem *p) {
    const dpc_cost *cost = &dpc_default_cost;
    const amounts direct = direct_amounts(p);
    const bool by_volume = direct.bytes * cost->byte * (contention - 1) > direct.messages * cost->message;
    if (p->processes < MANY_PROCESSES || !by_volume || dpc_schedule_refuses("circulant", &p->from, &p->to) != NULL)
        return dpc_find_schedule("none");
    return dpc_find_schedule("circulant");
}
