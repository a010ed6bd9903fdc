/* What the library asks of a program besides names.  DPC_DIMENSIONS: it is not plain.  A program is plain if its arrays have one dimension, dealt in
 * blocks over a grid of one, and are made once, loops go over one index, and elements are moved by loops in the program.  DPC_STRIDED_RUNS: it takes
 * runs of iterations by other strides than 1. */
#include <string.h>

#include "library.h"

/* What such programs name of the library; one that names something else is not plain. */
static const char plain_names[] =
    " dpc_index dpc_array dpc_grid dpc_space dpc_run dpc_strip dpc_move dpc_message dpc_messages DPC_ZERO DPC_IVDEP "
    "dpc_init dpc_finish dpc_new_grid dpc_create DPC_BOUNDS DPC_FORMATS DPC_BLOCK DPC_BLOCK_OF DPC_CYCLIC DPC_CYCLIC_APART DPC_CHOSEN "
    "DPC_FORALL DPC_FORALL_ON DPC_RANGES DPC_TO DPC_BY DPC_INSIDE DPC_COMPARED DPC_SUBSCRIPTS DPC_LINEAR DPC_INDEX "
    "dpc_on dpc_first_run dpc_more dpc_next_run dpc_next_block_run dpc_strided_run dpc_origin dpc_check dpc_changed "
    "DPC_SOURCE DPC_LINE DPC_RUNS DPC_BLOCK_RUNS DPC_STRIPS DPC_STRIP_RUNS DPC_STRIP_VALUES "
    "DPC_IN_RUN DPC_IN_CYCLIC DPC_IN_STRIDED DPC_VALUES_OF_RUN DPC_IN_STRIP DPC_IN_STRIP_RUN dpc_outgoing_axis DPC_STRIP DPC_MOVE dpc_close_behind "
    "dpc_minimum dpc_maximum dpc_floor dpc_ceiling dpc_modulo dpc_rank dpc_nprocs DPC_LOCAL dpc_begin_local "
    "dpc_open DPC_IN_PIECES DPC_TOGETHER dpc_values dpc_source dpc_close DPC_RECEIVES DPC_SENDS DPC_PIECES DPC_MESSAGE "
    "dpc_outgoing_strip dpc_piece_strip dpc_next_strip dpc_first_piece dpc_next_piece "
    "dpc_get dpc_set dpc_combined DPC_SUM DPC_PRODUCT DPC_MIN DPC_MAX DPC_AND DPC_OR DPC_XOR "
    "DPC_BOOL DPC_CHAR DPC_SIGNED_CHAR DPC_UNSIGNED_CHAR DPC_SHORT DPC_UNSIGNED_SHORT DPC_INT DPC_UNSIGNED DPC_LONG DPC_UNSIGNED_LONG "
    "DPC_LONG_LONG DPC_UNSIGNED_LONG_LONG DPC_FLOAT DPC_DOUBLE DPC_LONG_DOUBLE "
    "DPC_FLOAT_COMPLEX DPC_DOUBLE_COMPLEX DPC_LONG_DOUBLE_COMPLEX ";

/* What takes lists, and how many arguments a call with one entry has. */
static const struct {
    const char *name;
    int arguments;
} lists[] = {{"DPC_BOUNDS", 1}, {"DPC_FORMATS", 1}, {"DPC_SUBSCRIPTS", 1}, {"DPC_RANGES", 1}, {"DPC_FORALL", 4}, {"DPC_FORALL_ON", 5}};

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

static bool is_plain_call(const pp_list *list, size_t at) {
    size_t first[MOST_ARGUMENTS];
    const pp_token *t = &list->items[at];
    const int count = arguments_of(list, at, first);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (pp_is(t, lists[k].name) && count != lists[k].arguments) return false;
    if (pp_is(t, "dpc_on") && (count != 3 || pp_is(&list->items[first[1]], "NULL"))) return false;
    return !pp_is(t, "dpc_new_grid") || (count == 4 && pp_is(&list->items[first[2]], "1"));
}

static bool is_plain_program(arena *a, const pp_list *list) {
    for (size_t k = 0; k < list->count; k++) {
        const pp_token *t = &list->items[k];
        if (t->kind != PP_NAME || t->length < 4 || (memcmp(t->text, "dpc_", 4) != 0 && memcmp(t->text, "DPC_", 4) != 0)) continue;
        if (!is_listed(plain_names, arena_text(a, t->text, t->length)) || !is_plain_call(list, k)) return false;
    }
    return true;
}

static bool names(const pp_list *list, const char *word) {
    for (size_t k = 0; k < list->count; k++)
        if (list->items[k].kind == PP_NAME && pp_is(&list->items[k], word)) return true;
    return false;
}

static bool takes_runs(const pp_token *t) {
    return pp_is(t, "DPC_RUNS") || pp_is(t, "DPC_BLOCK_RUNS");
}

/* The name of the space that a call takes: f(&space, ..), DPC_FORALL(space, ..), DPC_RUNS(run, space, ..). */
static const char *space_of_call(arena *a, const pp_list *list, size_t at) {
    size_t first[MOST_ARGUMENTS];
    const int k = takes_runs(&list->items[at]);
    if (arguments_of(list, at, first) <= k) return NULL;
    const pp_token *name = &list->items[first[k]];
    name += pp_is(name, "&");
    return arena_text(a, name->text, name->length);
}

/* dpc_on(&space, &A, DPC_SUBSCRIPTS(DPC_LINEAR(0, 3, 7))): another stride than 1. */
static bool is_strided(const pp_list *list, size_t at) {
    size_t first[MOST_ARGUMENTS], entry[MOST_ARGUMENTS], part[MOST_ARGUMENTS];
    if (arguments_of(list, at, first) != 3 || arguments_of(list, first[2], entry) != 1) return false;
    return pp_is(&list->items[entry[0]], "DPC_LINEAR") &&
           (arguments_of(list, entry[0], part) != 3 || !pp_is(&list->items[part[1]], "1"));
}

/* Whether a loop goes over the runs of a space whose home's subscript has another stride than 1. */
static bool walks_strided_runs(arena *a, const pp_list *list) {
    hash_table strided = {0};
    for (size_t k = 0; k < list->count; k++) {
        const pp_token *t = &list->items[k];
        const bool walks = pp_is(t, "dpc_first_run") || pp_is(t, "dpc_strided_run") || takes_runs(t), on = pp_is(t, "dpc_on");
        if (!walks && !on && !pp_is(t, "DPC_FORALL") && !pp_is(t, "DPC_FORALL_ON")) continue;
        const char *space = space_of_call(a, list, k);
        if (!space || (walks && names_at(&strided, space))) return true;
        if (!walks) names_put(a, &strided, space, on && is_strided(list, k) ? space : NULL);
    }
    return false;
}

size_t program_facts(arena *a, const char *program, const char *fact[MOST_FACTS]) {
    const pp_list list = pp_cut(a, program, strlen(program), (position){"program", 1, 1, 0});
    const bool plain = is_plain_program(a, &list);
    size_t count = 0;
    if (!plain) fact[count++] = "DPC_DIMENSIONS";
    if (!names(&list, "DPC_LINEAR")) return count;
    /* Blocks of one coordinate, numbers of iterations and positions are found by runs, too. */
    static const char *const others[] = {"DPC_BLOCK", "DPC_BLOCK_OF", "DPC_TOGETHER", "mine"};
    bool strided = !plain || walks_strided_runs(a, &list);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) strided = strided || names(&list, others[k]);
    if (strided) fact[count++] = "DPC_STRIDED_RUNS";
    return count;
}
