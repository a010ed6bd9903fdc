/* libdpc: what programs translated by dpcc call, usable from hand-written C + MPI as well.  Every function is
 * collective unless it says "local". */
#ifndef DPC_H
#define DPC_H

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "standard.h"
#include "start.h"
#include "team.h"
#include "dpc/arithmetic.h"
#include "dpc/arrays.h"
#include "dpc/alignment.h"
#include "dpc/remapping.h"
#include "dpc/parameters.h"
#include "dpc/spaces.h"
#include "dpc/transfers.h"
#include "dpc/submatrices.h"
#include "dpc/panels.h"
#include "dpc/moves.h"
#include "dpc/halos.h"
#include "dpc/tilings.h"
#include "dpc/sweeps.h"
#include "dpc/elements.h"
#include "dpc/checks.h"
#include "dpc/reductions.h"
#include "dpc/parts.h"
#include "dpc/prefixes.h"
#include "dpc/views.h"
#include "dpc/files.h"

#endif
