/* Plans of transfers: everything about a transfer that does not depend on the values and where they are stored.  A
 * plan is found once for the same mappings, accesses and grids, and kept for the next time. */
#include "../base/settings.h"
#include "program.h"

#include <string.h>

struct dpc_plan {
    dpc_party sender, receiver;
#if DPC_USES(DPC_MODEL_DEPOSIT)
    dpc_targets targets;
#endif
#if DPC_HAS_EXCHANGES
    dpc_index words, *key;
    dpc_index bytes; /* memory of the plan */
    int users;       /* transfers under way */
    dpc_plan *next, *before;
#endif
};

static dpc_plan *open_plan(int rank, const dpc_end *from, const dpc_end *to, dpc_model model) {
    dpc_plan *plan = dpc_buffer(1, sizeof *plan);
    (void)rank;
    plan->sender = dpc_open_party(rank, from, to);
#if DPC_USES(DPC_MODEL_DEPOSIT)
    if (model == DPC_MODEL_DEPOSIT) plan->targets = dpc_open_targets(rank, &plan->sender, from, to);
#endif
    if (model != DPC_MODEL_DEPOSIT) plan->receiver = dpc_open_party(rank, to, from);
    return plan;
}

static void close_plan(dpc_plan *plan) {
    dpc_close_party(&plan->sender);
    dpc_close_party(&plan->receiver);
    dpc_close_targets(&plan->targets);
    dpc_free_buffer(plan);
}

DPC_STEADY const dpc_party *dpc_plan_sender(const dpc_plan *plan) {
    return &plan->sender;
}

DPC_STEADY const dpc_party *dpc_plan_receiver(const dpc_plan *plan) {
    return &plan->receiver;
}

#if DPC_USES(DPC_MODEL_DEPOSIT)
const dpc_targets *dpc_plan_targets(const dpc_plan *plan) {
    return &plan->targets;
}
#endif

/* Returns the bytes that it takes. */
static dpc_index keep_strips(dpc_party *p) {
    if (p->strip != NULL || p->partners == 0) return 0;
    p->strip = dpc_buffer(p->partners * p->rank, sizeof *p->strip);
    return p->partners * p->rank * (dpc_index)sizeof *p->strip;
}

#if DPC_HAS_EXCHANGES
/* ---- Keys */

/* Words that describe an end with n axes and n grid dimensions: of a dpc_dim, 3 of a dpc_access, the rest below. */
enum { ACCESS_WORDS = 3 };
enum { AXIS_WORDS = DPC_DIM_WORDS + ACCESS_WORDS + 2, GRID_WORDS = 5 + DPC_DIM_WORDS + ACCESS_WORDS };
enum { KEY_WORDS = 2 + 2 * (6 + DPC_MAX_RANK * (AXIS_WORDS + GRID_WORDS)) };

/* A description of both ends; equal ones have equal plans on every process. */
typedef struct {
    dpc_index words, word[KEY_WORDS];
} plan_key;

static void add_word(plan_key *key, dpc_index word) {
    key->word[key->words++] = word;
}

static void add_dim(plan_key *key, const dpc_dim *dim, const dpc_access *access) {
    dpc_dim_words(dim, key->word + key->words);
    key->words += DPC_DIM_WORDS;
    add_word(key, access->first);
    add_word(key, access->stride);
    add_word(key, access->count);
}

static void add_grid(plan_key *key, const dpc_end *end) {
    const dpc_grid *grid = end->grid;
    add_word(key, grid == NULL ? -1 : grid->rank);
    if (grid != NULL) add_word(key, grid->first);
    for (int g = 0; grid != NULL && g < grid->rank; g++) {
        add_word(key, grid->extent[g]);
        add_word(key, grid->pitch[g]);
        add_word(key, grid->coord[g]);
        add_word(key, end->alike[g]);
        add_word(key, end->axis_of[g]);
        if (end->axis_of[g] < 0) add_dim(key, &end->other_dim[g], &end->other_access[g]);
    }
}

static void add_end(plan_key *key, int rank, const dpc_end *end) {
    add_word(key, end->possible);
    add_word(key, end->active);
    add_word(key, end->addressing);
    add_word(key, end->method);
    add_grid(key, end);
    for (int k = 0; k < rank; k++) {
        add_dim(key, &end->dim[k], &end->access[k]);
        add_word(key, end->coord[k]);
        add_word(key, end->scale[k]);
    }
}

/* ---- The plans, latest used first */

/* Plans that no transfer uses, at most. */
enum { MOST_BYTES = 16 << 20 }; /* and dpc_most_plans() */

static dpc_plan *plans;
static dpc_index plan_count, plans_bytes;
static int64_t frees; /* of plans, until now */

static dpc_plan *make_plan(const plan_key *key, int rank, const dpc_end *from, const dpc_end *to, dpc_model model) {
    dpc_plan *plan = open_plan(rank, from, to, model);
    plan->words = key->words;
    plan->key = dpc_raw_buffer(key->words, sizeof *key->word);
    memcpy(plan->key, key->word, (size_t)key->words * sizeof *key->word);
    plan->bytes = (dpc_index)sizeof *plan + key->words * (dpc_index)sizeof *key->word + dpc_party_bytes(&plan->sender) +
                  dpc_party_bytes(&plan->receiver) + dpc_targets_bytes(&plan->targets);
    plan_count++;
    plans_bytes += plan->bytes;
    return plan;
}

static void unlink_plan(dpc_plan *plan) {
    *(plan->before == NULL ? &plans : &plan->before->next) = plan->next;
    if (plan->next != NULL) plan->next->before = plan->before;
}

static void put_first(dpc_plan *plan) {
    plan->before = NULL;
    plan->next = plans;
    if (plans != NULL) plans->before = plan;
    plans = plan;
}

static void free_plan(dpc_plan *plan) {
    unlink_plan(plan);
    frees++;
    plan_count--;
    plans_bytes -= plan->bytes;
    dpc_free_buffer(plan->key);
    close_plan(plan);
}

static dpc_plan *find_plan(const plan_key *key) {
    dpc_plan *plan = plans;
    while (plan != NULL &&
           (plan->words != key->words || memcmp(plan->key, key->word, (size_t)key->words * sizeof *key->word) != 0))
        plan = plan->next;
    return plan;
}

/* Frees the plans longest not used until at most `most` with `bytes` bytes are left, not counting those in use. */
static void keep(dpc_index most, dpc_index bytes) {
    for (dpc_plan *plan = plans, *next; plan != NULL; plan = next) {
        next = plan->next;
        if (plan->users > 0) continue;
        if (most == 0 || plan->bytes > bytes) {
            free_plan(plan);
            continue;
        }
        most--;
        bytes -= plan->bytes;
    }
}

static void free_plans(void) {
    keep(0, 0);
}

dpc_plan *dpc_take_plan(int rank, const dpc_end *from, const dpc_end *to, dpc_model model) {
    plan_key key;
    key.words = 0;
    add_word(&key, rank);
    add_word(&key, model);
    add_end(&key, rank, from);
    add_end(&key, rank, to);
    dpc_plan *plan = find_plan(&key);
    if (plan != NULL) {
        dpc_take_plan_again(plan);
        return plan;
    }
    dpc_add_count(DPC_COUNT_plans_made, 1);
    plan = make_plan(&key, rank, from, to, model);
    dpc_at_finish(free_plans);
    put_first(plan);
    plan->users = 1;
    return plan;
}

DPC_STEADY void dpc_take_plan_again(dpc_plan *plan) {
    dpc_add_count(DPC_COUNT_plans_reused, 1);
    plan->users++;
    if (plan == plans) return;
    unlink_plan(plan);
    put_first(plan);
}

DPC_STEADY int64_t dpc_plan_frees(void) {
    return frees;
}

DPC_STEADY void dpc_keep_strips(dpc_plan *plan) {
    const dpc_index bytes = keep_strips(&plan->sender) + keep_strips(&plan->receiver);
    plan->bytes += bytes;
    plans_bytes += bytes;
}

DPC_STEADY void dpc_give_plan(dpc_plan *plan) {
    plan->users--;
    if (plan_count > dpc_most_plans() || plans_bytes > MOST_BYTES) keep(dpc_most_plans(), MOST_BYTES);
}
#else
/* ---- Loops in the program are all that moves elements: each route has its plan, which it drops. */

dpc_plan *dpc_take_plan(int rank, const dpc_end *from, const dpc_end *to, dpc_model model) {
    return open_plan(rank, from, to, model);
}

void dpc_drop_plan(dpc_plan *plan) {
    if (plan != NULL) close_plan(plan);
}

DPC_STEADY void dpc_keep_strips(dpc_plan *plan) {
    keep_strips(&plan->sender);
    keep_strips(&plan->receiver);
}
#endif
