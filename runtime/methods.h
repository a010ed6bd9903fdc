/* How communication sets are generated and what messages carry.  Lee and Chen, sections 3 to 6. */
#ifndef DPC_METHODS_H
#define DPC_METHODS_H

typedef enum {
    DPC_SETS_AUTO, /* closed forms where they exist, else row-wise or lattice, whichever needs fewer steps */
    DPC_SETS_CLOSED,
    DPC_SETS_ROWWISE,
    DPC_SETS_LATTICE,
    DPC_SETS_ENUMERATE
} dpc_method;

typedef enum {
    DPC_MODEL_AUTO,
    DPC_MODEL_CONVENTIONAL, /* values only: sender and receiver both generate the sets */
    DPC_MODEL_DEPOSIT       /* pairs of address and value: the sender generates the receiver's addresses too */
} dpc_model;

#endif
