/* Index lists of a redistribution: which local elements of one process's line belong to which coordinate of the other
 * side.  Pure: no MPI, no program end; everything is 64-bit.  Source: docs/redistribution-algorithms.md, sections
 * 0 and 3. */
#ifndef DPC_REDISTRIBUTION_INDEX_H
#define DPC_REDISTRIBUTION_INDEX_H

#include "../distribution.h"

/* ---- One dimension of one side (units: elements of the section). */
typedef struct {
    dpc_index extent, first, block, procs;
} dpc_line;

/* A stretch of local elements. */
typedef struct {
    dpc_index offset, length;
} dpc_stretch;

/* What a coordinate p along a line shares with one coordinate of the other side, ascending: the stretches of one
 * period, which repeat every `step` local elements until `elements` are used up (facts F2 to F4 of
 * docs/redistribution-algorithms.md). */
typedef struct {
    dpc_index coordinate; /* of the other side */
    dpc_index elements;   /* > 0 */
    dpc_index step;       /* local elements; 0: the stretches do not repeat */
    dpc_index stretches;
    dpc_stretch *stretch;
} dpc_share;

typedef struct {
    dpc_index count; /* coordinates of the other side that share something, ascending */
    dpc_share *share;
    dpc_stretch *stretch; /* of all shares */
    dpc_index steps;      /* index operations that it took */
    bool failed;          /* out of memory: there are no shares */
} dpc_shares;

/* An index method: the shares of coordinate p of `mine` against every coordinate of `theirs`, for either direction. */
typedef dpc_shares dpc_index_method(const dpc_line *mine, dpc_index p, const dpc_line *theirs);
void dpc_free_shares(dpc_shares *shares);
/* Memory of the lists. */
dpc_index dpc_shares_bytes(const dpc_shares *shares);

/* ---- Lines */

/* Local elements of coordinate p whose index in the array is below `end` (numroc). */
dpc_index dpc_line_before(const dpc_line *l, dpc_index p, dpc_index end);
/* Elements of the section that coordinate p has, and the local index of the first of them. */
dpc_index dpc_line_elements(const dpc_line *l, dpc_index p);
dpc_index dpc_line_start(const dpc_line *l, dpc_index p);

/* The number of coordinate p's first block that reaches beyond the section's begin. */
dpc_index dpc_line_first_block(const dpc_line *l, dpc_index p);

/* Two lines of one section as the methods take them: the block of a line that is not divided is chosen so that the
 * common period is short, no block is longer than the array up to the section's end. */
typedef struct {
    dpc_line mine, theirs;
    dpc_index period;        /* elements of the section: lcm(P*s, Q*t), or the extent where that is less */
    dpc_index repeats, rest; /* extent = repeats * period + rest */
    dpc_index step;          /* local elements of mine in a period; 0: there is only one */
} dpc_line_pair;

dpc_line_pair dpc_pair_lines(const dpc_line *mine, const dpc_line *theirs);
/* lcm; 0 when it exceeds `most`. */
dpc_index dpc_common_multiple(dpc_index a, dpc_index b, dpc_index most);

/* ---- Building shares */

typedef struct {
    dpc_index coordinate, offset, length;
    dpc_index elements; /* of all its repetitions */
} dpc_shared_run;

typedef struct {
    dpc_index count, room;
    dpc_shared_run *run;
    dpc_index steps; /* index operations */
    bool apart;      /* runs that touch stay two: tables of units or elements */
    bool failed;
} dpc_run_list;

/* Adds a run.  Runs without elements are left out. */
void dpc_list_run(dpc_run_list *list, dpc_index coordinate, dpc_index offset, dpc_index length, dpc_index elements);
/* How many elements of a stretch at `position` there are in `extent` when it repeats every `period`. */
dpc_index dpc_repeated(dpc_index position, dpc_index length, dpc_index period, dpc_index extent);
/* The shares that the runs make up, those that touch merged; frees the list. */
dpc_shares dpc_gather_runs(dpc_run_list *list, const dpc_line *theirs, dpc_index step);

/* ---- The methods; why each cannot serve two lines (NULL: it can; mine is the source's line). */

typedef const char *dpc_index_refusal(const dpc_line *from, const dpc_line *to);

#define LISTS(index) dpc_index_method dpc_##index##_shares;
#define LISTS_AT_ONCE(index) LISTS(index)
#define OWN(method)
#define PHASES(method, when)
#define WALKER_OTTO(order, execution)
#define ENCODED(when)
#define CHOICE(of)
#define METHOD(name, source, serves, dimension, all, order, sends, execution) execution
#include "../base/methods.def"
#undef METHOD
#undef CHOICE
#undef ENCODED
#undef WALKER_OTTO
#undef PHASES
#undef OWN
#undef LISTS_AT_ONCE
#undef LISTS
dpc_index_refusal dpc_scan_refuses;    /* blocks times processes stay within 64 bits */
dpc_index_refusal dpc_whole_refuses;   /* the same, and both sections begin where their arrays do */
dpc_index_refusal dpc_ky_to_y_refuses; /* the same number of processes, target blocks divide source blocks */
dpc_index_refusal dpc_x_to_kx_refuses; /* ... source blocks divide target blocks */

/* hsu.c: Hsu, Chung and Dow's model: whether tables of all elements cost less than those of a basic cycle, on the two
 * sides together. */
bool dpc_hsu_takes_cdc(int rank, const dpc_line *from, const dpc_line *to);

/* families.c: the share of p with coordinate `only` alone. */
dpc_shares dpc_family_of(const dpc_line *mine, dpc_index p, const dpc_line *theirs, dpc_index only);

#endif
