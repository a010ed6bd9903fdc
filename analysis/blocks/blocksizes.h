/* Block sizes for all arrays that meet in statements (Lee and Chen, section 5.1; docs/communication-sets.md,
 * section 6). Pure: from a graph of array dimensions and statements to a block size per dimension. */
#ifndef DPC_ANALYSIS_BLOCKSIZES_H
#define DPC_ANALYSIS_BLOCKSIZES_H

#include "../../ir/arena.h"
#include "../../runtime/base/cost.h"
#include "rational.h"

/* One distributed dimension of one array. */
typedef struct {
    int64_t fixed;  /* its block, which cannot change; 0: to be chosen */
    bool automatic; /* format `auto`: may become block */
    int64_t extent; /* elements; 0: not known */
    int64_t procs;  /* along its grid dimension; 0: not known */
} block_node;

/* Two references of one statement: left executes, right is read.  Their subscripts use one index. */
typedef struct {
    int left, right;                    /* nodes; the same in a self reference */
    int64_t left_stride, right_stride;  /* > 0, as far as block sizes are concerned */
    bool left_reversed, right_reversed; /* the true stride is negative */
    bool offsets_known;                 /* the first elements are: */
    int64_t left_offset, right_offset;  /* distances from the arrays' lower bounds */
    int64_t count;                      /* iterations; 0: not known */
    double executions;                  /* how often the statement runs */
    double inner;                       /* elements moved for one iteration: those of the other indices */
    int64_t element_size;               /* bytes */
} block_edge;

/* A statement's work on the dimension that executes it. */
typedef struct {
    int node;
    int64_t stride; /* > 0 */
    int64_t count;  /* iterations; 0: not known */
    double executions;
    double inner;          /* operations in one iteration */
    dpc_space_shape shape; /* triangular: iterations have unequal work, or fewer and fewer are executed */
} block_use;

typedef struct {
    block_node *node;
    int nodes;
    block_edge *edge;
    int edges;
    block_use *use;
    int uses;
} block_graph;

/* Where extents or numbers of processes are not known: blocks of at most 16 elements for each of 64 processes. */
enum { ASSUMED_PROCESSES = 64, ASSUMED_EXTENT = 1024 };

/* ---- The printed algorithm (steps 1 to 3), in the digest's deterministic reading.  An array that overflows is all 0.
 */
typedef struct {
    int *level;       /* nlevel of each node, from 1 */
    int *order;       /* nodes in the order of step 2 */
    int64_t *step[3]; /* block sizes after each step */
} printed_blocks;

printed_blocks choose_printed_blocks(arena *a, const block_graph *g);

/* What an edge gets from block sizes: Case 1 to 4 of Table 4, where 4 is only the quotient 1; quotient
 * (b_right / s_right) / (b_left / s_left). */
int edge_case(const block_edge *e, const int64_t *block);
rational edge_quotient(const block_edge *e, const int64_t *block);

/* Elements moved in all executions: what counts where edges compete. */
double edge_weight(const block_edge *e);

/* The least common multiple of the strides with which each node occurs; false when one overflows. */
bool stride_multiples(const block_graph *g, int64_t *multiple);

/* ---- The optimisation form: quotient 1 where it matters most.  False: no solution without overflow. `ignored` edges
 * (may be NULL) count for nothing. */
bool choose_greedy_blocks(arena *a, const block_graph *g, const bool *ignored, int64_t *block);
/* By enumeration of the edges with quotient 1; also false when there are more than EXACT_EDGES. */
enum { EXACT_EDGES = 12 };
bool choose_exact_blocks(arena *a, const block_graph *g, int64_t *block);

/* ---- Everything: the best of these, times the granularity (granularity.c).
 *
 * Dimensions that no chain of statements connects are chosen apart.  For each connected part every candidate - printed,
 * greedy, exact, greedy with some pairs left aside, whose elements then move without closed forms - gets the
 * granularity h with the least estimated time, where h * block <= ceil(extent / N); then the candidate with the least
 * time wins, the first on a tie.  A rectangular space takes the largest h of the best (towards block), a triangular one
 * the smallest (towards cyclic).  Where blocks would be larger than arrays allow, or numbers overflow, the lightest
 * statements are left aside until they fit. */
/* What blocks cost in all statements of a part.  Amounts are of the busiest process and all executions. */
typedef struct {
    double seconds;  /* < 0: blocks would be too large */
    double balance;  /* iterations of the busiest process over the average (Table 2: the ratio to the average) */
    double messages; /* that it sends */
    double elements; /* that it sends */
} block_estimate;

typedef struct {
    const char *method; /* "the printed algorithm", ... */
    int64_t *block;     /* per node of the part */
    int64_t granularity;
    bool as_block;           /* automatic nodes are block */
    bool partial;            /* some pairs were left aside: they may have no closed forms */
    int64_t largest;         /* granularity that was possible */
    block_estimate estimate; /* with its granularity */
    block_estimate at_1, at_largest;
} block_candidate;

typedef struct {
    int *member; /* its nodes, ascending */
    int members;
    block_candidate *candidate; /* what was compared */
    size_t candidates, candidate_capacity;
    size_t chosen;
    bool triangular; /* some statement has iterations of unequal work */
    bool too_large;  /* no blocks give all pairs closed forms that the arrays allow */
} block_part;

typedef struct {
    int64_t *block; /* per node */
    bool *as_block; /* per node: format block rather than cyclic(block) */
    bool *dropped; /* per edge: left aside, and without closed forms for that (because it is cheaper, or the part is too
                      large) */
    int *part;     /* per node: number of its part */
    block_part *parts;
    size_t part_count, part_capacity;
} block_choice;

block_choice choose_block_sizes(arena *a, const block_graph *g, const dpc_cost *cost);

/* Of all edges and uses; its seconds are what choose_block_sizes makes small. */
block_estimate estimate_blocks(const block_graph *g, const int64_t *block, const dpc_cost *cost);
/* Whether all right elements are known to stand where they are used: quotient 1 and D = 0 mod N*h. */
bool edge_is_local(const block_graph *g, const block_edge *e, const int64_t *block);

#endif
