/* Included by include_local.dpc: constants, a distributed array with its directives, functions. */
#ifndef LOCAL_H
#define LOCAL_H

#include "nested/deeper.h"

#define EXTENT 20
static double shared_array[EXTENT];
#pragma dpc processors GRID(*)
#pragma dpc distribute shared_array(cyclic(2)) onto GRID

static inline void fill(double value) {
    shared_array[:] = value;
}
static inline double total(void) {
    return sum(shared_array[:]) + deeper(1);
}

#endif
