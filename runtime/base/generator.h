/* What the generators of communication sets share: the problem, and the lists that they fill (generator.c).  The
 * generators stand in closed.c, rowwise.c, lattice.c and enumerate.c, the choice between them in sets.c. */
#ifndef DPC_GENERATOR_H
#define DPC_GENERATOR_H

#include "pattern.h"
#include "sets.h"

__extension__ typedef __int128 wide;

/* A set that is being made.  Iterations count from `base`; all are inside both arrays. */
typedef struct {
    dpc_sets *sets;
    const dpc_side *side;     /* mine */
    dpc_index base, count;    /* the statement's iterations base .. base+count-1 */
    dpc_pattern mine, theirs; /* both sides */
    dpc_index me;             /* my coordinate in the pattern */
    dpc_index position;       /* of the first of my iterations from `base` on */
    dpc_index sections, room; /* of sets->section */
    dpc_index partner_room;   /* of sets->partner */
    bool failed;              /* memory ran out */
} dpc_generation;

/* Sections that are found for all partners at once, in ascending iteration order. */
typedef struct {
    dpc_section section;
    dpc_index coordinate;
} dpc_found_piece;

typedef struct {
    dpc_found_piece *piece;
    dpc_index count, room;
} dpc_pieces;

/* The element of an iteration whose element is inside the array. */
static inline dpc_index dpc_accessed(const dpc_access *access, dpc_index iteration) {
    return (dpc_index)((wide)access->first + (wide)iteration * access->stride);
}

/* The local address of one of my iterations. */
dpc_index dpc_address(const dpc_generation *g, dpc_index iteration);
/* Elements from one run of mine to the next, where all uncut runs have the same length. */
dpc_index dpc_block_jump(const dpc_generation *g);
/* Sets the period of all sets, or none when it passes the iterations. */
void dpc_set_period(dpc_generation *g, dpc_index period);
/* Begins the set shared with a coordinate of the other side; iterations are below `end`.  Sections that are added
 * before dpc_begin_body, if that is called, are heads.  dpc_end_partner counts the elements; a set without any is
 * forgotten. */
void dpc_begin_partner(dpc_generation *g, dpc_index coordinate, dpc_index end);
void dpc_begin_body(dpc_generation *g);
void dpc_end_partner(dpc_generation *g);
/* Adds iterations first .. last; [[first : first+length-1] : last : step], whose addresses grow by `jump` from run to
 * run. */
void dpc_add_run(dpc_generation *g, dpc_index first, dpc_index last);
void dpc_add_section(dpc_generation *g, dpc_section section);
/* Adds what of iterations first .. last is in one block of a coordinate of `other`; they meet at most one.  offset:
 * elements from the last start of a block of the coordinate to the element of iteration `last`. */
void dpc_add_cut(dpc_generation *g, const dpc_pattern *other, dpc_index first, dpc_index last, dpc_index offset);
/* Brings the sections of the body into ascending order. */
void dpc_sort_body(dpc_generation *g);

void dpc_add_piece(dpc_generation *g, dpc_pieces *pieces, dpc_section section, dpc_index coordinate);
/* Makes the pieces the bodies of the partners' sets. */
void dpc_deal_pieces(dpc_generation *g, dpc_pieces *pieces);

/* The coordinates of the other side that share an iteration with mine below `end`, ascending, each once.  Walks from
 * one of their blocks to the next that mine meet; where that takes more than twice as many steps as there are
 * coordinates, gives all of them, shared or not. */
typedef struct {
    dpc_index count, *coordinate;
} dpc_coordinates;
dpc_coordinates dpc_find_partners(dpc_generation *g, dpc_index end);

/* The generators: the set with one coordinate of the other side (only >= 0; of the array) or with all. */
void dpc_generate_closed(dpc_generation *g, dpc_index only);
void dpc_generate_rowwise(dpc_generation *g, dpc_index only);
void dpc_generate_lattice(dpc_generation *g, dpc_index only);
void dpc_generate_enumerate(dpc_generation *g, const dpc_side *theirs, dpc_index only);

#endif
