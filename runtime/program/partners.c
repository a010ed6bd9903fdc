/* Plans of transfers: everything about a transfer that does not depend on the values and where they are stored.  A
 * plan is found once for the same mappings, accesses and grids, and kept for the next time. */
#include "../base/settings.h"
#include "program.h"

#include <string.h>

/* ---- Keys */

/* Words that describe an end with n axes and n grid dimensions: of a dpc_dim, 3 of a dpc_access, the rest below. */
enum { ACCESS_WORDS = 3 };
enum { AXIS_WORDS = DPC_DIM_WORDS + ACCESS_WORDS + 2, GRID_WORDS = 5 + DPC_DIM_WORDS + ACCESS_WORDS };
enum { KEY_WORDS = 2 + 2 * (6 + DPC_MAX_RANK * (AXIS_WORDS + GRID_WORDS)) };

/* A description of both ends; equal ones have equal plans on every process. */
typedef struct {
    dpc_index words, word[KEY_WORDS];
} plan_key;

struct dpc_plan {
    dpc_party sender, receiver;
    dpc_targets targets;
    dpc_index words, *key;
    dpc_index bytes; /* memory of the plan */
    int users;       /* transfers under way */
    dpc_plan *next, *before;
};

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

/* ---- Partners */

/* The coordinates of one grid dimension of the other end that take part: those of a set's partners. */
typedef struct {
    const dpc_sets *sets;
    dpc_sets restricted;    /* of a grid dimension without axis: it is opened for the choice alone */
    dpc_index first, count; /* of the set's partners */
} choice;

static dpc_side side_of(const dpc_end *end, int axis) {
    return (dpc_side){end->dim[axis], end->access[axis], end->addressing};
}

static void make_sets(dpc_sets *sets, dpc_method method, const dpc_side *mine, dpc_index p, const dpc_side *theirs) {
    if (!dpc_sets_make(sets, method, mine, p, theirs, -1)) dpc_fail(NULL, "out of memory for communication sets");
}

/* This process's own coordinate alone, where each deals with its own copy. */
static void choose_own(choice *c, dpc_index coordinate) {
    const dpc_shared *own = dpc_sets_partner(c->sets, coordinate);
    c->first = own == NULL ? 0 : own - c->sets->partner;
    c->count = own != NULL;
}

/* The coordinates along grid dimension g of `other` that share elements with this process; where no axis runs along
 * it, those that own an element. */
static void choose_sets(choice *c, const dpc_party *mine, const dpc_end *other, int g) {
    const int axis = other->axis_of[g];
    if (axis >= 0) {
        c->sets = &mine->sets[axis];
        return;
    }
    const dpc_index count = other->other_access[g].count;
    const dpc_side all = {dpc_whole_dim(count), {0, 1, count}, DPC_POSITION};
    const dpc_side theirs = {other->other_dim[g], other->other_access[g], DPC_LOCAL_INDEX};
    make_sets(&c->restricted, DPC_SETS_AUTO, &all, 0, &theirs);
    c->sets = &c->restricted;
}

static void choose(choice *c, const dpc_party *mine, const dpc_end *other, int g) {
    choose_sets(c, mine, other, g);
    c->count = c->sets->partners;
    if (other->alike[g]) choose_own(c, other->grid->coord[g]);
}

/* The other end does not divide this axis: everything of mine is shared. */
static bool undivided(const dpc_end *other, int axis) {
    return other->grid == NULL || other->dim[axis].grid_dim < 0;
}

static void make_room(dpc_party *mine, dpc_index partners) {
    mine->partners = partners;
    mine->partner = dpc_buffer(partners, sizeof *mine->partner);
    mine->number = dpc_buffer(partners * mine->rank, sizeof *mine->number);
}

/* Partner number `number` in row-major order of the choices.  Partners that differ only along grid dimensions without
 * an axis share the same elements with this process: `same` is the first of them. */
static void set_partner(dpc_party *mine, const dpc_end *other, const choice *choices, dpc_index number) {
    dpc_index at[DPC_MAX_RANK], coordinates[DPC_MAX_RANK] = {0}, rest = number, same = 0;
    for (int g = other->grid->rank - 1; g >= 0; g--) {
        at[g] = choices[g].first + rest % choices[g].count;
        rest /= choices[g].count;
        coordinates[g] = choices[g].sets->partner[at[g]].coordinate;
    }
    for (int g = 0; g < other->grid->rank; g++)
        same = same * choices[g].count + (other->axis_of[g] < 0 ? 0 : at[g] - choices[g].first);
    mine->partner[number] = (dpc_partner){.process = dpc_grid_process(other->grid, coordinates), .same = same};
    for (int k = 0; k < mine->rank; k++)
        mine->number[number * mine->rank + k] = undivided(other, k) ? 0 : at[other->dim[k].grid_dim];
}

/* Every combination of the chosen coordinates is a partner. */
static void combine(dpc_party *mine, const dpc_end *other, const choice *choices) {
    dpc_index total = 1;
    for (int g = 0; g < other->grid->rank; g++) total *= choices[g].count;
    make_room(mine, total);
    for (dpc_index number = 0; number < total; number++) set_partner(mine, other, choices, number);
}

static void find_partners(dpc_party *mine, const dpc_end *other) {
    choice choices[DPC_MAX_RANK] = {0};
    for (int k = 0; k < mine->rank; k++)
        if (mine->sets[k].partners == 0) return;
    if (other->grid == NULL) {
        make_room(mine, dpc_nprocs());
        for (int p = 0; p < dpc_nprocs(); p++) mine->partner[p].process = p;
        return;
    }
    for (int g = 0; g < other->grid->rank; g++) choose(&choices[g], mine, other, g);
    combine(mine, other, choices);
    for (int g = 0; g < other->grid->rank; g++) dpc_sets_free(&choices[g].restricted);
}

/* The number of the partner that is this process, or -1. */
static dpc_index own_partner(const dpc_party *p) {
    for (dpc_index k = 0; k < p->partners; k++)
        if (p->partner[k].process == dpc_rank()) return k;
    return -1;
}

/* Puts the partners into the order of messages: each process begins with those after itself, and comes last. */
static void order_partners(dpc_party *p) {
    const dpc_index own = own_partner(p), total = p->partners;
    p->messages = total - (own >= 0);
    if (total == 0) return;
    const dpc_party old = *p;
    dpc_index *first = dpc_raw_buffer(total, sizeof *first);
    make_room(p, total);
    for (dpc_index k = 0; k < total; k++) first[k] = -1;
    for (dpc_index n = 0; n < total; n++) {
        const dpc_index k = (own + 1 + n) % total, same = old.partner[k].same;
        if (first[same] < 0) first[same] = n;
        p->partner[n] = (dpc_partner){.process = old.partner[k].process, .same = first[same]};
        for (int axis = 0; axis < p->rank; axis++) p->number[n * p->rank + axis] = old.number[k * p->rank + axis];
    }
    dpc_free_buffer(first);
    dpc_free_buffer(old.partner);
    dpc_free_buffer(old.number);
}

/* Counts what is shared with each partner and finds out whether it lies side by side. */
static void measure_partners(dpc_party *p) {
    dpc_axis dense[DPC_MAX_RANK], axes[DPC_MAX_RANK];
    for (dpc_index n = 0; n < p->partners; n++) {
        dpc_partner *partner = &p->partner[n];
        if (partner->same < n) {
            partner->elements = p->partner[partner->same].elements;
            partner->place = p->partner[partner->same].place;
            continue;
        }
        partner->elements = dpc_dense_axes(p, n, dense);
        dpc_storage_axes(p, n, axes);
        partner->place = dpc_contiguous_product(p->rank, dense, axes);
    }
}

/* The sets of this process, which is on the end `mine`, against the end `other`, and its partners there. */
static dpc_party open_party(int rank, const dpc_end *mine, const dpc_end *other) {
    dpc_party p = {.rank = rank};
    if (!mine->active || !mine->possible || !other->possible) return p;
    for (int k = 0; k < rank; k++) {
        p.scale[k] = mine->scale[k];
        const dpc_side my_side = side_of(mine, k), their_side = side_of(other, k);
        make_sets(&p.sets[k], mine->method, &my_side, mine->coord[k], &their_side);
    }
    find_partners(&p, other);
    order_partners(&p);
    measure_partners(&p);
    return p;
}

static void close_party(dpc_party *p) {
    for (int k = 0; k < p->rank; k++) dpc_sets_free(&p->sets[k]);
    dpc_free_buffer(p->partner);
    dpc_free_buffer(p->number);
    dpc_free_buffer(p->strip);
}

static dpc_index party_bytes(const dpc_party *p) {
    dpc_index bytes = p->partners * (dpc_index)(sizeof *p->partner + (size_t)p->rank * sizeof *p->number);
    for (int k = 0; k < p->rank; k++) bytes += dpc_sets_bytes(&p->sets[k]);
    return bytes;
}

/* What axis k shares with a partner. */
static const dpc_shared *shared_with(const dpc_party *p, dpc_index partner, int k) {
    return &p->sets[k].partner[p->number[partner * p->rank + k]];
}

dpc_index dpc_shared_interval(const dpc_party *p, dpc_index partner, int axis, dpc_index *first) {
    const dpc_shared *shared = shared_with(p, partner, axis);
    const dpc_section *run = &p->sets[axis].section[shared->head];
    *first = run->local;
    return shared->elements <= run->length ? shared->elements : 0;
}

DPC_STEADY void dpc_storage_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes) {
    for (int k = 0; k < p->rank; k++) axes[k] = (dpc_axis){&p->sets[k], shared_with(p, partner, k), 0, p->scale[k]};
}

DPC_STEADY dpc_index dpc_dense_axes(const dpc_party *p, dpc_index partner, dpc_axis *axes) {
    dpc_index elements = 1;
    for (int k = p->rank - 1; k >= 0; k--) {
        const dpc_index length = shared_with(p, partner, k)->elements;
        axes[k] = (dpc_axis){NULL, NULL, length, elements};
        elements *= length;
    }
    return elements;
}

#ifndef DPC_STANDALONE
/* ---- Counting */

static dpc_index party_sections(const dpc_party *p, dpc_index partner) {
    dpc_index sections = 1;
    for (int k = 0; k < p->rank; k++) {
        const dpc_shared *w = shared_with(p, partner, k);
        sections *= w->tail - w->head;
    }
    return sections;
}

/* The runs of one axis: each section's, as often as the section repeats. */
static dpc_index runs_of(const dpc_sets *sets, const dpc_shared *w) {
    dpc_index runs = 0;
    for (dpc_index k = w->head; k < w->tail; k++) {
        const dpc_section *s = &sets->section[k];
        const dpc_index room = w->end - 1 - s->first;
        if (room < 0) continue;
        const dpc_index turns = k < w->body ? 1 : room / sets->period + 1;
        const dpc_index left = room - (turns - 1) * sets->period; /* iterations of the last, cut turn */
        runs += (turns - 1) * (s->span / s->step + 1) + (left < s->span ? left : s->span) / s->step + 1;
    }
    return runs;
}

static dpc_index party_runs(const dpc_party *p, dpc_index partner) {
    dpc_index runs = 1;
    for (int k = 0; k < p->rank; k++) runs *= runs_of(&p->sets[k], shared_with(p, partner, k));
    return runs;
}

void dpc_note_transfer(const dpc_party *sender) {
    for (dpc_index m = 0; m < sender->messages; m++) {
        const dpc_partner *partner = &sender->partner[m];
        dpc_note(DPC_COUNT_elements, partner->elements);
        if (partner->place >= 0 || partner->same < m) continue; /* not packed */
        dpc_note(DPC_COUNT_sections, party_sections(sender, m));
        dpc_note(DPC_COUNT_runs, party_runs(sender, m));
    }
    if (sender->messages < sender->partners) dpc_note(DPC_COUNT_copied, sender->partner[sender->messages].elements);
}

#endif

/* ---- The plans, latest used first */

/* Plans that no transfer uses, at most. */
enum { MOST_BYTES = 16 << 20 }; /* and dpc_most_plans() */

static dpc_plan *plans;
static dpc_index plan_count, plans_bytes;
static int64_t frees; /* of plans, until now */

static dpc_plan *make_plan(const plan_key *key, int rank, const dpc_end *from, const dpc_end *to, dpc_model model) {
    dpc_plan *plan = dpc_buffer(1, sizeof *plan);
    plan->sender = open_party(rank, from, to);
#if DPC_USES(DPC_MODEL_DEPOSIT)
    if (model == DPC_MODEL_DEPOSIT) plan->targets = dpc_open_targets(rank, &plan->sender, from, to);
#endif
    if (model != DPC_MODEL_DEPOSIT) plan->receiver = open_party(rank, to, from);
    plan->words = key->words;
    plan->key = dpc_raw_buffer(key->words, sizeof *key->word);
    memcpy(plan->key, key->word, (size_t)key->words * sizeof *key->word);
    plan->bytes = (dpc_index)sizeof *plan + key->words * (dpc_index)sizeof *key->word + party_bytes(&plan->sender) +
                  party_bytes(&plan->receiver) + dpc_targets_bytes(&plan->targets);
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
    close_party(&plan->sender);
    close_party(&plan->receiver);
    dpc_close_targets(&plan->targets);
    dpc_free_buffer(plan->key);
    dpc_free_buffer(plan);
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

DPC_STEADY const dpc_party *dpc_plan_sender(const dpc_plan *plan) {
    return &plan->sender;
}

DPC_STEADY const dpc_party *dpc_plan_receiver(const dpc_plan *plan) {
    return &plan->receiver;
}

const dpc_targets *dpc_plan_targets(const dpc_plan *plan) {
    return &plan->targets;
}

/* Returns the bytes that it takes. */
static dpc_index keep_strips(dpc_party *p) {
    if (p->strip != NULL || p->partners == 0) return 0;
    p->strip = dpc_buffer(p->partners * p->rank, sizeof *p->strip);
    return p->partners * p->rank * (dpc_index)sizeof *p->strip;
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
