/* The names of the redistribution engine's methods and schedules, in the order of its tables, as --redistribute= and
 * --schedule= take them. */
#ifndef DPC_REDISTRIBUTION_NAMES_H
#define DPC_REDISTRIBUTION_NAMES_H

#define DPC_REDISTRIBUTION_METHODS                                                                                     \
    "auto|onecopy|walk|families|scan|pitfalls|bbc|cdc|ky-to-y|ky-to-y-async|x-to-kx|x-to-kx-async|gcd|gcd-async|lcm|"  \
    "lcm-async|met|walker-otto-sync|walker-otto-async|walker-otto-random|walker-otto-optimal|walker-otto-sendrecv|"    \
    "walker-otto-derived|walker-otto-packed|alltoallw"

#define DPC_REDISTRIBUTION_SCHEDULES "auto|none|caterpillar|walker-otto|circulant|colouring|peeling"

#endif
