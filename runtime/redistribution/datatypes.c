/* MPI datatypes of shares: a dimension is a vector of periods, a period is indexed blocks of what lies inside. */
#include "engine.h"

#include <limits.h>

static int as_int(dpc_index number) {
    if (number > INT_MAX) dpc_fail(NULL, "a redistribution's datatype has more than 2^31 - 1 parts");
    return (int)number;
}

/* The stretches of `turns` elements' worth: all of them, or those that `left` elements take. */
static MPI_Datatype period_type(const dpc_share *share, dpc_index left, MPI_Datatype inner, MPI_Aint step) {
    MPI_Datatype type;
    const int room = as_int(share->stretches);
    int *length = dpc_raw_buffer(room, sizeof *length), count = 0;
    MPI_Aint *place = dpc_raw_buffer(room, sizeof *place);
    for (; count < room && left > 0; count++) {
        length[count] = as_int(dpc_minimum(share->stretch[count].length, left));
        place[count] = (MPI_Aint)share->stretch[count].offset * step;
        left -= length[count];
    }
    MPI_Type_create_hindexed(count, length, place, inner, &type);
    dpc_free_buffer(length);
    dpc_free_buffer(place);
    return type;
}

static dpc_index elements_of_period(const dpc_share *share) {
    dpc_index elements = 0;
    for (dpc_index k = 0; k < share->stretches; k++) elements += share->stretch[k].length;
    return elements;
}

/* One dimension: elements of type `inner`, `step` bytes per local index. */
static MPI_Datatype dimension_type(const dpc_share *share, MPI_Datatype inner, MPI_Aint step) {
    const dpc_index in_period = elements_of_period(share);
    const dpc_index turns = share->step == 0 ? 0 : share->elements / in_period;
    const dpc_index rest = share->elements - turns * in_period;
    MPI_Datatype sized, period, parts[2], type;
    MPI_Aint places[2] = {0, (MPI_Aint)(turns * share->step) * step};
    const int ones[2] = {1, 1};
    int count = 0;
    MPI_Type_create_resized(inner, 0, step, &sized);
    if (turns > 0) {
        period = period_type(share, in_period, sized, step);
        MPI_Type_create_hvector(as_int(turns), 1, (MPI_Aint)share->step * step, period, &parts[count++]);
        MPI_Type_free(&period);
    } else {
        places[0] = places[1];
    }
    if (rest > 0) parts[count++] = period_type(share, rest, sized, step);
    MPI_Type_create_struct(count, ones, places, parts, &type);
    while (count > 0) MPI_Type_free(&parts[--count]);
    MPI_Type_free(&sized);
    return type;
}

MPI_Datatype dpc_shares_type(int rank, const dpc_share *const *shares, const dpc_index *stride, dpc_index size) {
    MPI_Datatype type;
    MPI_Type_contiguous(as_int(size), MPI_BYTE, &type);
    for (int k = rank - 1; k >= 0; k--) {
        MPI_Datatype outer = dimension_type(shares[k], type, (MPI_Aint)(stride[k] * size));
        MPI_Type_free(&type);
        type = outer;
    }
    MPI_Type_commit(&type);
    return type;
}
