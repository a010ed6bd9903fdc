/* Scalars that iterations leave to the next: each process along home's divided dimension gets them from the one before
 * it, and everyone those of the last. */
#include "program.h"

#include <string.h>

enum { CARRIED_TAG = 32766 }; /* no transfer's: dpc_next_tag */

/* The dimension of the grid along which the processes follow one another, and their coordinates. */
typedef struct {
    const dpc_grid *grid;
    int g;
    bool down;
} course;

static course course_of(const dpc_space *s, bool down) {
    return (course){s->home->grid, s->home->dim[s->home_dim[0]].grid_dim, down};
}

static bool is_divided(const course *c) {
    return c->g >= 0 && c->grid->extent[c->g] > 1;
}

/* The process `steps` behind this one; MPI_PROC_NULL: there is none. */
static int process_behind(const course *c, int steps) {
    if (!is_divided(c) || !dpc_grid_holds(c->grid)) return MPI_PROC_NULL;
    const int at = c->grid->coord[c->g] + (c->down ? -steps : steps);
    return at < 0 || at >= c->grid->extent[c->g] ? MPI_PROC_NULL : dpc_grid_neighbour(c->grid, c->g, at);
}

/* Of those that have the same values, one. */
static int last_process(const course *c) {
    dpc_index at[DPC_MAX_RANK] = {0};
    if (is_divided(c) && !c->down) at[c->g] = c->grid->extent[c->g] - 1;
    return dpc_grid_process(c->grid, at);
}

void dpc_receive_carried(const dpc_space *s, bool down, size_t bytes, void *value) {
    const course c = course_of(s, down);
    const int before = process_behind(&c, -1);
    if (before == MPI_PROC_NULL) return;
    dpc_begin_counting(s->where, DPC_COUNT_messages);
    MPI_Recv(value, (int)bytes, MPI_BYTE, before, CARRIED_TAG, dpc_communicator, MPI_STATUS_IGNORE);
    dpc_end_counting();
}

void dpc_send_carried(const dpc_space *s, bool down, size_t bytes, const void *value) {
    const course c = course_of(s, down);
    const int behind = process_behind(&c, 1);
    if (behind == MPI_PROC_NULL) return;
    dpc_begin_counting(s->where, DPC_COUNT_messages);
    dpc_count_message_to(behind, (dpc_index)bytes);
    MPI_Send(value, (int)bytes, MPI_BYTE, behind, CARRIED_TAG, dpc_communicator);
    dpc_end_counting();
}

void dpc_share_carried(const dpc_space *s, bool down, size_t bytes, void *value) {
    const course c = course_of(s, down);
    if (!is_divided(&c) && c.grid->size == dpc_nprocs()) return;
    dpc_begin_counting(s->where, DPC_COUNT_collectives);
    dpc_count_message((dpc_index)bytes);
    MPI_Bcast(value, (int)bytes, MPI_BYTE, last_process(&c), dpc_communicator);
    dpc_end_counting();
}

/* ---- Sums */

bool dpc_is_followed(const dpc_space *s, bool down) {
    const course c = course_of(s, down);
    return process_behind(&c, 1) != MPI_PROC_NULL;
}

/* Those before this one come first in parts, the nearest last; how many they are. */
int dpc_parts_before(const dpc_space *s, bool down, size_t bytes, const void *part, void *parts) {
    const course c = course_of(s, down);
    bool along[DPC_MAX_RANK] = {false};
    if (!is_divided(&c) || !dpc_grid_holds(c.grid)) return 0;
    const int procs = c.grid->extent[c.g], before = down ? procs - 1 - c.grid->coord[c.g] : c.grid->coord[c.g];
    along[c.g] = true;
    dpc_begin_counting(s->where, DPC_COUNT_collectives);
    dpc_count_message((dpc_index)bytes);
    char *all = dpc_take_staging(procs * (dpc_index)bytes, 1);
    MPI_Allgather(part, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, dpc_grid_line((dpc_grid *)c.grid, along));
    for (int k = 0; k < before; k++)
        memcpy((char *)parts + (size_t)k * bytes, all + (size_t)(down ? procs - 1 - k : k) * bytes, bytes);
    dpc_give_staging(all);
    dpc_end_counting();
    return before;
}
