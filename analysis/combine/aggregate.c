/* Pass "aggregate": what neighbouring statements fetch from other processes travels together, one message to each,
 * where no statement in between stores into what is fetched.  It is all sent before the first of them. */
#include <string.h>

#include "combine.h"

bool sends_messages(const reference *r) {
    return r->array && r->placed.relation == RELATION_SETS && r->rank > 0 && r->placed.operand != OPERAND_PANELS &&
           r->placed.move != MOVE_BROADCAST && r->placed.move != MOVE_COPIED;
}

static bool is_mover(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (sends_messages(&s->reference[k])) return true;
    return false;
}

/* ---- Copies of what they read as it is, by the runtime, straight into the left side */

/* Whether every index subscripts exactly one dimension of r, and there are no other subscripts but invariant ones. */
static bool subscribes_all(const parallel *s, const reference *r) {
    int used[MAX_RANK] = {0};
    for (int d = 0; d < r->rank; d++) {
        if (r->subscript[d].kind == SUBSCRIPT_GENERAL) return false;
        if (r->subscript[d].kind == SUBSCRIPT_AFFINE) used[r->subscript[d].index]++;
    }
    for (int k = 0; k < s->indices; k++)
        if (used[k] != 1) return false;
    return true;
}

const reference *copied_reference(const program *p, const parallel *s) {
    const reference *r = s->references == 1 ? &s->reference[0] : NULL;
    if (!r || !r->array || r->placed.relation != RELATION_SETS || r->placed.move != MOVE_FETCHED ||
        r->combined.reused || r->guarded)
        return NULL;
    if (s->placed.home != HOME_LEFT || s->placed.scatter || s->placed.values_first || s->placed.clip ||
        s->reductions > 0 || strcmp(s->op, "=") != 0)
        return NULL;
    if (inside_parentheses(s->value) != r->node || same_array(r->array, s->left.array) ||
        r->array->element != s->left.array->element)
        return NULL;
    if (p->model != COMM_AUTO) return NULL;
    return subscribes_all(s, r) && subscribes_all(s, &s->left) ? r : NULL;
}

/* ---- Rows of neighbours */

/* Statements that stand one after the other, and the aggregate of those among them that fetch something. */
typedef struct {
    program *p;
    parallel **statement;
    size_t count, capacity;
    aggregate *aggregate; /* NULL: none fetches anything yet */
    size_t from;          /* number of the group that its first statement is in */
} row;

/* Whether the statement is executed in loops of its own, and what it fetches is known before them. */
static bool is_simple(const program *p, const parallel *s) {
    if (s->kind != PARALLEL_ASSIGNMENT || s->loop || s->combined.chain || s->calls_unknown || s->placed.product)
        return false;
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].saved) return false;
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].triangular) return false;
    return s->conformities == 0 && !copied_reference(p, s);
}

/* Whether no statement of the row stores into what s fetches. */
static bool may_come_early(const row *r, const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        for (size_t j = 0; j < r->count; j++) {
            const array *fetched = s->reference[k].array, *stored = r->statement[j]->left.array;
            if (!fetched || !stored || s->reference[k].placed.relation != RELATION_SETS) continue;
            if (same_array(fetched, stored) || may_be_same(fetched, stored)) return false;
        }
    return true;
}

static void end_row(row *r) {
    r->count = 0;
    r->aggregate = NULL;
}

/* An aggregate's statements are emitted with the first of them, and what stands between. */
static void join(row *r, size_t number, parallel *s) {
    if (!r->aggregate) {
        r->aggregate = arena_alloc(r->p->memory, sizeof *r->aggregate);
        r->from = number;
    }
    aggregate *b = r->aggregate;
    b->statement[b->count++] = s;
    for (int k = 0; b->count > 1 && k < b->count; k++) b->statement[k]->combined.aggregate = b;
    for (size_t g = r->from; b->count > 1 && g < number; g++) {
        r->p->groups[g]->next = r->p->groups[g + 1];
        r->p->groups[g + 1]->continues = true;
    }
}

static void add_statement(row *r, size_t number, parallel *s) {
    const bool moves = is_mover(s);
    if (moves && r->aggregate && (r->aggregate->count == MAX_AGGREGATED || !may_come_early(r, s))) end_row(r);
    if (moves) join(r, number, s);
    if (r->aggregate) vector_add(r->p->memory, r->statement, r->count, r->capacity, s);
}

static void add_group(row *r, size_t number) {
    const group *g = r->p->groups[number];
    if (number == 0 || !stands_behind(r->p, r->p->groups[number - 1]->node, g->node) || g->hoisted.count > 0)
        end_row(r);
    for (size_t k = 0, executed = 0; k < g->actions; k++) {
        const action *x = &g->action[k];
        if (evaluates_between(g, executed) || x->mask >= 0 || !is_simple(r->p, x->statement))
            end_row(r);
        else
            add_statement(r, number, x->statement);
        executed += x->mask < 0;
    }
}

/* Buffers that are alive together have different names. */
static void name_buffers(program *p, const aggregate *b) {
    for (int n = 1; n < b->count; n++)
        for (size_t k = 0; k < b->statement[n]->references; k++) {
            reference *r = &b->statement[n]->reference[k];
            int before = 0;
            for (int m = 0; m <= n; m++)
                for (size_t j = 0; j < (m < n ? b->statement[m]->references : k); j++)
                    before += b->statement[m]->reference[j].placed.buffer &&
                              b->statement[m]->reference[j].symbol == r->symbol;
            if (r->placed.buffer && before) r->placed.buffer = moved_name(p, r->symbol, before);
        }
}

void aggregate_messages(program *p) {
    row r = {.p = p};
    if (p->model == COMM_DEPOSIT) return; /* receivers do not know what they get */
    for (size_t g = 0; g < p->group_count; g++) add_group(&r, g);
    for (size_t g = 0; g < p->group_count; g++)
        for (size_t k = 0; k < p->groups[g]->actions; k++) {
            const parallel *s = p->groups[g]->action[k].statement;
            if (s->combined.aggregate && s->combined.aggregate->statement[0] == s && p->groups[g]->action[k].mask < 0)
                name_buffers(p, s->combined.aggregate);
        }
}
