/* Which programs need little of the library.  A program is plain if its arrays have one dimension, dealt in blocks over
 * a grid of one, and are made once, loops go over one index, elements are moved by loops in the program, and it takes
 * nothing else of the library: it gets runtime/line in place of the other folders. */
#include <string.h>

#include "library.h"

/* What runtime/line has. */
static const char plain_names[] =
    " dpc_index dpc_array dpc_grid dpc_space dpc_run dpc_strip dpc_move dpc_message DPC_ZERO DPC_IVDEP DPC_SOURCE "
    "DPC_LINE "
    "dpc_init dpc_finish dpc_exit dpc_rank dpc_nprocs dpc_new_grid dpc_create dpc_create_like DPC_BOUNDS DPC_SHAPE "
    "DPC_FORMATS "
    "DPC_BLOCK DPC_BLOCK_OF "
    "DPC_CYCLIC DPC_CHOSEN dpc_origin dpc_changed dpc_get dpc_set "
    "DPC_FORALL DPC_FORALL_ON DPC_CHANGE_ON DPC_CHANGE DPC_SPACE DPC_SPACE_ON DPC_TO DPC_BY "
    "DPC_FORALL_COMPARED DPC_FORALL_ON_COMPARED DPC_CHANGE_ON_COMPARED DPC_SPACE_COMPARED DPC_SPACE_ON_COMPARED "
    "DPC_FORALL_AT DPC_CHANGE_AT DPC_SPACE_AT DPC_FORALL_AT_COMPARED DPC_CHANGE_AT_COMPARED DPC_SPACE_AT_COMPARED "
    "DPC_SUBSCRIPTS DPC_LINEAR "
    "DPC_INDEX dpc_on "
    "DPC_LOCAL dpc_begin_local DPC_OWNED DPC_OWNED_IN DPC_OWNED_AT DPC_OWNED_IN_AT DPC_RUNS DPC_BLOCK_RUNS "
    "dpc_first_run dpc_strided_run "
    "dpc_open DPC_IN_PIECES DPC_TOGETHER dpc_source dpc_collect dpc_close DPC_RECEIVES DPC_SENDS DPC_PIECES "
    "DPC_MESSAGE "
    "dpc_outgoing_strip dpc_outgoing_axis dpc_piece_strip DPC_STRIP DPC_STRIPS DPC_STRIP_RUNS DPC_STRIP_VALUES "
    "DPC_MOVE "
    "DPC_IN_RUN DPC_IN_CYCLIC DPC_IN_STRIDED DPC_OWN_CYCLIC DPC_OWN_STRIDED DPC_IN_STRIP DPC_IN_STRIP_RUN "
    "dpc_combined dpc_reduce_together DPC_RESULT DPC_RESULTS dpc_reduce_place dpc_type_of dpc_larger dpc_smaller "
    "DPC_SUM DPC_PRODUCT DPC_MIN DPC_MAX DPC_AND DPC_OR DPC_XOR "
    "dpc_minimum dpc_maximum dpc_floor dpc_ceiling dpc_modulo dpc_cycled dpc_clamped dpc_step "
    "DPC_BOOL DPC_CHAR DPC_SIGNED_CHAR DPC_UNSIGNED_CHAR DPC_SHORT DPC_UNSIGNED_SHORT DPC_INT DPC_UNSIGNED DPC_LONG "
    "DPC_UNSIGNED_LONG "
    "DPC_LONG_LONG DPC_UNSIGNED_LONG_LONG DPC_FLOAT DPC_DOUBLE DPC_LONG_DOUBLE "
    "DPC_FLOAT_COMPLEX DPC_DOUBLE_COMPLEX DPC_LONG_DOUBLE_COMPLEX ";

/* What runtime/line does not do for all processes together: the C library's names that the library replaces, standard
 * input, threads. */
static const char other_names[] = " fopen freopen remove rename unlink rmdir mkdir system time clock timespec_get "
                                  "getpid getppid clock_gettime gettimeofday gethostname "
                                  "stdin scanf vscanf getchar getc omp pthread_create thrd_create __int128 ";

/* What takes lists, and how many arguments a call with one entry has. */
static const struct {
    const char *names;
    int arguments;
} lists[] = {{" DPC_BOUNDS DPC_SHAPE DPC_FORMATS DPC_SUBSCRIPTS ", 1},
             {" DPC_FORALL DPC_FORALL_COMPARED DPC_SPACE DPC_SPACE_COMPARED ", 3},
             {" DPC_FORALL_ON DPC_CHANGE_ON DPC_SPACE_ON ", 4},
             {" DPC_FORALL_ON_COMPARED DPC_CHANGE_ON_COMPARED DPC_SPACE_ON_COMPARED ", 4},
             {" DPC_FORALL_AT DPC_CHANGE_AT DPC_SPACE_AT ", 5},
             {" DPC_FORALL_AT_COMPARED DPC_CHANGE_AT_COMPARED DPC_SPACE_AT_COMPARED ", 5}};

enum { MOST_ARGUMENTS = 8 };

/* The first token of each argument of the call whose name stands at `at`; returns their number, 0 where it is none. */
static int arguments_of(const pp_list *list, size_t at, size_t *first) {
    size_t k = at + 1;
    int depth = 0, count = 0;
    if (k >= list->count || !pp_is(&list->items[k], "(")) return 0;
    for (; k < list->count; k++) {
        const pp_token *t = &list->items[k];
        const bool opens = pp_is(t, "(") || pp_is(t, "{") || pp_is(t, "[");
        depth += opens;
        depth -= pp_is(t, ")") || pp_is(t, "}") || pp_is(t, "]");
        if (depth == 0) break;
        if (depth != 1 || !(opens || pp_is(t, ","))) continue;
        if (opens && count > 0) continue;
        size_t next = k + 1;
        while (next < list->count && pp_is_blank(&list->items[next])) next++;
        if (count < MOST_ARGUMENTS) first[count] = next;
        count++;
    }
    return count;
}

/* A number, perhaps with a sign, that is not 0. */
static bool is_constant(const pp_token *t) {
    t += pp_is(t, "-");
    return t->kind == PP_NUMBER && !pp_is(t, "0");
}

static bool is_plain_call(const pp_list *list, size_t at, const char *name) {
    size_t first[MOST_ARGUMENTS];
    const pp_token *t = &list->items[at];
    const int count = arguments_of(list, at, first);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (is_listed(lists[k].names, name) && count != lists[k].arguments) return false;
    if (pp_is(t, "DPC_LINEAR") && (count != 3 || !is_constant(&list->items[first[1]]))) return false;
    if (pp_is(t, "dpc_on") && (count != 3 || pp_is(&list->items[first[1]], "NULL"))) return false;
    return !pp_is(t, "dpc_new_grid") || (count == 4 && pp_is(&list->items[first[2]], "1"));
}

static bool begins_or_ends(const pp_token *t, const char *beginning, const char *end) {
    const size_t before = strlen(beginning), behind = strlen(end);
    return (t->length > before && !memcmp(t->text, beginning, before)) ||
           (t->length > behind && !memcmp(t->text + t->length - behind, end, behind));
}

/* A_dist.origin, space->mine: members of structures that are others in runtime/line. */
static bool is_plain_member(const pp_list *list, size_t at) {
    const pp_token *t = &list->items[at];
    if (at < 2) return true;
    if (pp_is(t - 1, ".") && begins_or_ends(t - 2, "dpc_", "_dist"))
        return pp_is(t, "local") || pp_is(t, "origin") || pp_is(t, "first") || pp_is(t, "last");
    return !pp_is(t - 1, "->") || !begins_or_ends(t - 2, "space", "_dist");
}

static bool is_plain_name(arena *a, const pp_list *list, size_t at) {
    const pp_token *t = &list->items[at];
    const char *name = arena_text(a, t->text, t->length);
    if (is_listed(other_names, name) || !is_plain_member(list, at)) return false;
    if (strncmp(name, "dpc_", 4) != 0 && strncmp(name, "DPC_", 4) != 0) return true;
    return is_listed(plain_names, name) && is_plain_call(list, at, name);
}

bool is_plain_program(arena *a, const char *program) {
    const pp_list list = pp_cut(a, program, strlen(program), (position){"program", 1, 1, 0});
    for (size_t k = 0; k < list.count; k++)
        if (list.items[k].kind == PP_NAME && !is_plain_name(a, &list, k)) return false;
    return true;
}
