/* Redistribution of the compiler's arrays by the redistribution engine; the plans are kept. */
#include "internal.h"
#include "redistribution.h"

#include <string.h>

/* ---- Mappings of arrays */

/* A grid's places are numbered by the coordinates along the divided dimensions, in the order of these: as a mapping's.
 */
static dpc_mapping mapping_of(const dpc_array *a) {
    dpc_mapping m = {.rank = a->rank};
    for (int k = 0; k < a->rank; k++) {
        m.extent[k] = a->dim[k].extent;
        m.block[k] = a->dim[k].block;
        m.procs[k] = (int)a->dim[k].procs;
    }
    return m;
}

static bool is_empty(const dpc_array *a) {
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k].extent == 0) return true;
    return false;
}

/* ---- Plans, latest used first.  Their number is bounded, not their bytes: these differ between processes, and all
 * must keep the same ones, because making a plan may be collective. */

enum { MOST_PLANS = 32, NAME = 32 };

/* What a plan is found by; compared byte by byte, so it is zeroed first. */
typedef struct {
    dpc_mapping from, to;
    dpc_index size;
    char method[NAME], schedule[NAME];
} plan_key;

typedef struct kept_plan {
    struct kept_plan *next;
    plan_key key;
    dpc_redistribution *plan;
} kept_plan;

static kept_plan *plans;

static void free_after(kept_plan **link) {
    while (*link != NULL) {
        kept_plan *k = *link;
        *link = k->next;
        dpc_free_redistribution(k->plan);
        dpc_free_buffer(k);
    }
}

void dpc_free_redistribution_plans(void) {
    free_after(&plans);
}

static kept_plan *make_plan(const plan_key *key) {
    const dpc_redistribution_options options = {.method = key->method, .schedule = key->schedule};
    kept_plan *k = dpc_buffer(1, sizeof *k);
    k->key = *key;
    k->plan = dpc_plan_redistribution(dpc_communicator, &key->from, &key->to, key->size, &options);
    return k;
}

static dpc_redistribution *find_plan(const plan_key *key) {
    kept_plan **link = &plans;
    int number = 0;
    for (; *link != NULL && memcmp(&(*link)->key, key, sizeof *key) != 0; link = &(*link)->next)
        if (++number == MOST_PLANS - 1) free_after(&(*link)->next);
    kept_plan *k = *link;
    dpc_add_count(k == NULL ? DPC_COUNT_plans_made : DPC_COUNT_plans_reused, 1);
    if (k == NULL)
        k = make_plan(key);
    else
        *link = k->next;
    k->next = plans;
    plans = k;
    return k->plan;
}

/* ---- Choices */

/* DPC_REDISTRIBUTE=METHOD[,SCHEDULE] in the environment takes the place of what the program says, for experiments. */
static void override_choice(char *method, char *schedule) {
    const char *wish = getenv("DPC_REDISTRIBUTE");
    if (wish == NULL || *wish == '\0') return;
    const size_t length = strcspn(wish, ",");
    snprintf(method, NAME, "%.*s", (int)(length < NAME ? length : NAME), wish);
    if (wish[length] == ',') snprintf(schedule, NAME, "%s", wish + length + 1);
}

static void check_choice(const dpc_array *a, const char *where, const plan_key *key) {
    const char *why = dpc_method_refuses(key->method, &key->from, &key->to);
    if (why != NULL)
        dpc_fail(where, "redistribution method '%s' cannot serve array '%s': %s", key->method, a->name, why);
    why = dpc_schedule_refuses(key->schedule, &key->from, &key->to);
    if (why != NULL)
        dpc_fail(where, "redistribution schedule '%s' cannot serve array '%s': %s", key->schedule, a->name, why);
    if (strcmp(key->schedule, "auto") != 0 && !dpc_method_takes_schedules(key->method))
        dpc_fail(where, "redistribution method '%s' has an order of its own: schedule '%s' cannot be chosen",
                 key->method, key->schedule);
}

static void move(const dpc_array *a, const dpc_array *changed, const char *where, const char *method,
                 const char *schedule) {
    plan_key key;
    memset(&key, 0, sizeof key);
    key.from = mapping_of(a);
    key.to = mapping_of(changed);
    key.size = a->size;
    snprintf(key.method, NAME, "%s", method);
    snprintf(key.schedule, NAME, "%s", schedule);
    override_choice(key.method, key.schedule);
    check_choice(a, where, &key);
    dpc_begin_counting(where, DPC_COUNT_messages);
    dpc_execute(find_plan(&key), a->local, changed->local);
    dpc_end_counting();
}

void dpc_redistribute_by(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid, const char *method,
                         const char *schedule) {
    dpc_array changed = dpc_remapped(a, where, formats, grid);
    dpc_count_execution(where);
    if (dpc_same_mapping(a, &changed)) {
        dpc_free(&changed);
        return;
    }
    if (!is_empty(a)) move(a, &changed, where, method, schedule);
    dpc_free(a);
    *a = changed;
}

void dpc_redistribute(dpc_array *a, const char *where, const dpc_format *formats, dpc_grid *grid) {
    dpc_redistribute_by(a, where, formats, grid, "auto", "auto");
}
