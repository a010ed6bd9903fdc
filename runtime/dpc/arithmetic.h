/* Small arithmetic that generated code uses. All local. */
#ifndef DPC_ARITHMETIC_H
#define DPC_ARITHMETIC_H

#include "../distribution.h"

DPC_BEGIN_INTERFACE

/* index modulo extent, from 0 to extent - 1; 0 where there are no elements. */
static inline dpc_index dpc_cycled(dpc_index index, dpc_index extent) {
    if (index >= 0 && index < extent) return index;
    return extent > 0 ? (index % extent + extent) % extent : 0;
}
/* An end-off shift, which is as good as one by the extent where it is by more. */
static inline dpc_index dpc_clamped(dpc_index shift, dpc_index extent) {
    return dpc_maximum(-extent, dpc_minimum(shift, extent));
}
/* Number of elements of the section lower:upper:stride.  Stride 0 ends the program with an error. */
dpc_index dpc_extent(const char *where, dpc_index lower, dpc_index upper, dpc_index stride);
/* Ends the program with an error that says both extents unless two sections have equal ones. */
void dpc_conform(const char *where, dpc_index lower1, dpc_index upper1, dpc_index stride1, const char *left,
                 dpc_index lower2, dpc_index upper2, dpc_index stride2, const char *right);
/* By how much loops over values of an index step, which differ by less than the greatest step. */
static inline dpc_index dpc_step(dpc_index stride) {
    return dpc_minimum(dpc_magnitude(stride), 2 * DPC_MOST_INDEX);
}
/* Least and greatest member of lower:upper:stride that is >= first, <= last; first > last when there is none. */
dpc_index dpc_align_first(dpc_index first, dpc_index lower, dpc_index upper, dpc_index stride);
dpc_index dpc_align_last(dpc_index last, dpc_index lower, dpc_index upper, dpc_index stride);
/* Widens the box low..high to hold every member of lower:upper:stride; returns how many there are. */
dpc_index dpc_widen_by(dpc_index *low, dpc_index *high, dpc_index lower, dpc_index upper, dpc_index stride);
static inline dpc_index dpc_widen(dpc_index *low, dpc_index *high, dpc_index lower, dpc_index upper, dpc_index stride) {
    if (stride != 1) return dpc_widen_by(low, high, lower, upper, stride);
    if (lower > upper) return 0;
    *low = dpc_minimum(*low, lower);
    *high = dpc_maximum(*high, upper);
    return (dpc_index)((uint64_t)upper - (uint64_t)lower + 1);
}

/* Stands before a loop whose iterations touch different elements (ignore vector dependences).  gcc would find that out
 * by comparing addresses at the start of every run, which costs a third of a run of 20 elements. */
#if defined(__GNUC__) && !defined(__clang__)
#define DPC_IVDEP _Pragma("GCC ivdep")
#else
#define DPC_IVDEP
#endif

DPC_END_INTERFACE

#endif
