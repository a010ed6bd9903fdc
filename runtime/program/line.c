/* Moves along one dimension: where the elements come from and go to, as fetch.c finds it for any number of dimensions.
 */
#include "program.h"

/* The array along the subscript's index. */
static dpc_end end_of(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscript,
                      dpc_addressing addressing) {
    dpc_end end = {.grid = a->grid, .possible = true, .active = a->member, .addressing = addressing, .method = s->sets};
    const dpc_access access = dpc_subscript_access(s, subscript);
    dpc_add_axis(&end, 0, &a->dim[0], &access, a->coord[0], 1);
    dpc_set_format(&end, 0, a, 0);
    return end;
}

bool dpc_is_line(const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    const dpc_array *home = s->home;
    return s->rank == 1 && a->rank == 1 && home != NULL && home->rank == 1 && !a->spare && !home->spare &&
           a->dim[0].grid_dim == 0 && home->dim[0].grid_dim == 0 && subscripts[0].index == 0 &&
           s->home_subscript[0].index == 0;
}

void dpc_find_line(dpc_route *r, const dpc_space *s, const dpc_array *a, const dpc_subscript *subscripts) {
    r->axes = (dpc_fetch_axes){.rank = 1};
    r->from = end_of(s, a, subscripts, DPC_LOCAL_INDEX);
    r->to = end_of(s, s->home, s->home_subscript, r->kind == DPC_MOVED_HOME ? DPC_LOCAL_INDEX : DPC_POSITION);
    r->from.possible = s->count[0] > 0;
    r->elements = s->mine[0];
    r->offset = a->member ? 0 : -1;
}
