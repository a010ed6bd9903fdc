/* Moves along one dimension: where the elements come from and go to, and who shares how many of them, where loops in
 * the program find the elements themselves.  The same as fetch.c and partners.c find for any number of dimensions. */
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

static dpc_place place_at(const dpc_end *end, dpc_index coordinate) {
    return (dpc_place){&end->dim[0], &end->access[0], end->single[0], coordinate};
}

/* Where it lies side by side what is shared, or -1. */
static dpc_index place_of(const dpc_end *mine, const dpc_place *here, const dpc_comb_extent *x) {
    const dpc_index first = dpc_address_at(here, mine->addressing, x->first);
    return dpc_address_at(here, mine->addressing, x->last) - first + 1 == x->elements ? first : -1;
}

dpc_party dpc_line_party(const dpc_end *mine, const dpc_end *other) {
    const dpc_place here = place_at(mine, mine->coord[0]);
    const dpc_index procs = other->dim[0].procs, own = other->grid->coord[0];
    dpc_party p = {.rank = 1};
    if (!mine->active || !mine->possible || !other->possible) return p;
    p.partner = dpc_buffer(procs, sizeof *p.partner);
    for (dpc_index n = 1; n <= procs; n++) {
        const dpc_index coordinate = (own + n) % procs;
        const dpc_place there = place_at(other, coordinate);
        const dpc_comb_extent x = dpc_extent_of_combs(&here, &there);
        if (x.elements == 0) continue;
        p.partner[p.partners] = (dpc_partner){.process = dpc_grid_process(other->grid, &coordinate),
                                              .elements = x.elements,
                                              .place = place_of(mine, &here, &x),
                                              .same = p.partners,
                                              .coordinate = coordinate};
        p.partners++;
        p.messages += coordinate != own;
    }
    return p;
}
