/* Arithmetic of sections whose bounds and strides are known at run time only. */
#include "program.h"

__extension__ typedef __int128 wide;

dpc_index dpc_extent(const char *where, dpc_index lower, dpc_index upper, dpc_index stride) {
    if (stride == 0) dpc_fail(where, "the stride is zero");
    return dpc_count(lower, upper, stride);
}

DPC_STEADY void dpc_conform(const char *where, dpc_index lower1, dpc_index upper1, dpc_index stride1, const char *left,
                            dpc_index lower2, dpc_index upper2, dpc_index stride2, const char *right) {
    const dpc_index x = dpc_extent(where, lower1, upper1, stride1), y = dpc_extent(where, lower2, upper2, stride2);
    if (x == y) return;
    dpc_fail(where, "sections do not conform: %lld elements in '%s', %lld in '%s'", (long long)x, left, (long long)y,
             right);
}

/* The ends of a section in ascending order; false when it is empty. */
static bool ends(dpc_index lower, dpc_index upper, dpc_index stride, dpc_index *least, dpc_index *greatest) {
    const dpc_index count = stride == 0 ? 0 : dpc_count(lower, upper, stride);
    if (count == 0) return false;
    const dpc_index last = (dpc_index)(lower + (wide)(count - 1) * stride);
    *least = dpc_minimum(lower, last);
    *greatest = dpc_maximum(lower, last);
    return true;
}

void dpc_check_section(const char *where, const dpc_array *a, int dimension, dpc_index lower, dpc_index upper,
                       dpc_index stride) {
    dpc_index least, greatest;
    if (!ends(lower, upper, stride, &least, &greatest)) return;
    if (!dpc_holds(&a->dim[dimension], least)) dpc_fail_bounds(where, a, dimension, least);
    if (!dpc_holds(&a->dim[dimension], greatest)) dpc_fail_bounds(where, a, dimension, greatest);
}

/* What stands for no member: positions are computed from it before it is compared, without overflow. */
static const dpc_index beyond = INT64_MAX / 2, before = INT64_MIN / 2;

dpc_index dpc_align_first(dpc_index first, dpc_index lower, dpc_index upper, dpc_index stride) {
    dpc_index least, greatest;
    if (!ends(lower, upper, stride, &least, &greatest)) return beyond;
    if (first <= least) return least;
    const wide step = stride < 0 ? -(wide)stride : stride, after = (first - (wide)least + step - 1) / step * step;
    return least + after > greatest ? beyond : (dpc_index)(least + after);
}

dpc_index dpc_align_last(dpc_index last, dpc_index lower, dpc_index upper, dpc_index stride) {
    dpc_index least, greatest;
    if (!ends(lower, upper, stride, &least, &greatest)) return before;
    if (last >= greatest) return greatest;
    const wide step = stride < 0 ? -(wide)stride : stride;
    return last < least ? before : (dpc_index)(least + (last - (wide)least) / step * step);
}

dpc_index dpc_widen_by(dpc_index *low, dpc_index *high, dpc_index lower, dpc_index upper, dpc_index stride) {
    dpc_index least, greatest;
    if (!ends(lower, upper, stride, &least, &greatest)) return 0;
    *low = dpc_minimum(*low, least);
    *high = dpc_maximum(*high, greatest);
    return (greatest - least) / dpc_magnitude(stride) + 1;
}
