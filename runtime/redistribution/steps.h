/* Contention-free schedules: in which step two processes exchange their message.  Pure.  Source:
 * docs/redistribution-algorithms.md redistribution-algorithms.md, sections 6.1 and 7. */
#ifndef DPC_REDISTRIBUTION_STEPS_H
#define DPC_REDISTRIBUTION_STEPS_H

#include "index.h"

/* ---- One dimension with a closed form: coordinate p of the source, q of the target. */

/* How many messages a step of this residue class has room for. */
typedef struct {
    dpc_index d, weight; /* (p*s' - q*t') mod D; units of gcd(s, t) per period */
} dpc_step_class;

/* Section 7.2: classes of equal messages, the largest first; each takes `turns` steps. */
typedef struct {
    dpc_index s, t, D, turns;   /* reduced blocks; gcd of the cycles */
    dpc_index sources, targets; /* P / D, Q / D */
    dpc_index classes;
    dpc_step_class *class; /* sorted by d */
    dpc_index *number;     /* per class: its place in the order of weights */
} dpc_circulant;

/* Why the class of section 7.2 does not hold: gcd(s', D) or gcd(t', D) is not 1. */
dpc_index_refusal dpc_circulant_refuses;
/* False: out of memory. */
bool dpc_open_circulant(dpc_circulant *c, const dpc_line *from, const dpc_line *to);
void dpc_close_circulant(dpc_circulant *c);
dpc_index dpc_circulant_steps(const dpc_circulant *c);
dpc_index dpc_circulant_step(const dpc_circulant *c, dpc_index p, dpc_index q);

/* Walker and Otto: P = Q, blocks r and K*r.  In step k process p of the side with small blocks has its turn with block
 * B(k, p) of the K*P blocks of a superblock. */
dpc_index_refusal dpc_walker_otto_refuses; /* equal process numbers, one block divides the other */
dpc_index_refusal dpc_walker_steps_refuse; /* and K <= P, so that a pair meets once */
dpc_index dpc_walker_ratio(const dpc_line *from, const dpc_line *to); /* K */
/* Block of process p's in step k; the block that process q of the other side gets. */
dpc_index dpc_walker_send(dpc_index P, dpc_index K, dpc_index k, dpc_index p);
dpc_index dpc_walker_receive(dpc_index P, dpc_index K, dpc_index k, dpc_index q);
/* The step in which p (source) and q (target) meet, K <= P. */
dpc_index dpc_walker_step(const dpc_line *from, const dpc_line *to, dpc_index p, dpc_index q);

/* ---- Any set of messages: colouring of a bipartite graph. */

typedef struct {
    int source, target;
    dpc_index weight; /* elements */
    int step;         /* result */
} dpc_edge;

/* Koenig's construction, heavy messages first; exactly as many steps as the most messages of a process.  Returns the
 * number of steps, -1: out of memory. */
int dpc_colour_edges(int sources, int targets, int edges, dpc_edge *edge);
/* A matching at a time, messages of a step of similar length: the same number of steps, their lengths' sum near the
 * lower bound.  Cost: steps * places^3. */
int dpc_peel_edges(int sources, int targets, int edges, dpc_edge *edge);

#endif
