/* The cost model: one set of parameters and formulas for choosing block sizes, methods and models, and for reports.
 * Pure; shared by the compiler and the runtime.  Times in seconds.
 * Sources: Lee and Chen section 2 (Table 2), docs/communication-sets.md, sections 5 to 8. */
#ifndef DPC_COST_H
#define DPC_COST_H

#include "../distribution.h"
#include "../methods.h"

/* What things cost on a machine: measured by `dpcc --calibrate`, or defaults. */
typedef struct {
    double message;    /* sending and receiving one message, whatever its length */
    double byte;       /* each byte of a message, both ends */
    double typed_byte; /* the same in a message of a derived datatype, which MPI packs and unpacks; */
    double typed_run;  /*   each of its runs, at each end */
    double element;    /* packing or unpacking one element of a run */
    double run;        /* beginning one run: the overhead of a loop */
    double section;    /* generating one section of a set */
    double owner;      /* finding one element's owner and local index by division */
    double operation;  /* one operation of a statement on one element */
} dpc_cost;

/* A current x86 node. */
extern const dpc_cost dpc_default_cost;

/* One dimension of a statement A(l1 + i*s1) = g(C(l2 + i*s2)), i = 0 .. count-1: left is A, right is C. */
typedef struct {
    dpc_index procs;                     /* N, processes along the grid dimension */
    dpc_index left_block, right_block;   /* elements, >= 1; block distribution: ceil(extent / N) */
    dpc_index left_stride, right_stride; /* any sign, not 0 */
    dpc_index left_offset, right_offset; /* l1, l2 minus the array's lower bound; used if offsets_known */
    bool offsets_known;                  /* else: a distance of one iteration (the common A[i] = C[i + k]) */
    dpc_index count;                     /* iterations */
    dpc_index element_size;              /* bytes */
} dpc_motion;

/* One execution, at the busiest process; sets generated anew.  Steps to generate them: closed forms, a constant number
 * of sections per pair of processes; row-wise, one per block of the sparser side and pair; lattice, one per lattice
 * point and pair; enumeration, one per iteration: its owner by division.  AUTO: closed forms or row-wise. */
typedef struct {
    double messages;   /* sent or received, whichever are more */
    double elements;   /* values sent or received, whichever are more */
    double bytes;      /* in these messages */
    double sections;   /* that describe its sets */
    double runs;       /* contiguous iterations in its sets: beginnings of copying loops */
    double steps;      /* of set generation: sections, blocks, lattice points or owners */
    double generation; /* seconds: the part of `seconds` that keeping the sets saves */
    double seconds;
} dpc_estimate;

dpc_estimate dpc_estimate_motion(const dpc_cost *cost, const dpc_motion *m, dpc_method method, dpc_model model);

/* The closed-form conditions (Table 4 with the digest's corrections): 2: b1/s1 divides b2/s2; 3: is a multiple; 4: all
 * sets closed, where the quotient is 1, divides N or is a multiple of N; 1: none.  The quotient (>= 1) in *ratio,
 * unless 1. */
int dpc_closed_case(const dpc_motion *m, dpc_index *ratio);

/* ---- Granularity (Table 2): m x m iterations, each row's work proportional to its length, whose rows are dealt by
 * cyclic(b) over N processes and which read the rows above and below.  Exact when b*N divides m.  Units: points of two
 * operations, boundary points of two values. */
typedef enum { DPC_RECTANGULAR, DPC_TRIANGULAR } dpc_space_shape;

/* diff: points of the first process beyond those of the last. */
double dpc_imbalance(dpc_space_shape shape, double m, double procs, double block);
/* ratio: points of the first process over those of the last. */
double dpc_load_ratio(dpc_space_shape shape, double m, double procs, double block);
/* comm: boundary points that the first process sends. */
double dpc_boundary(dpc_space_shape shape, double m, double procs, double block);
/* The block of the least imbalance * computation + boundary * communication, not rounded: rectangular m / N, triangular
 * sqrt(communication / computation * (m + 1) / (N - 1)). */
double dpc_best_block(dpc_space_shape shape, double m, double procs, double computation, double communication);

#endif
