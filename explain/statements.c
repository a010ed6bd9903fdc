/* What the tree has outside parallel statements: single elements, redistributions, loops. */
#include <string.h>

#include "pairs.h"
#include "report.h"

/* ---- What belongs to parallel statements */

static const hoists *hoists_at(const program *p, const node *n, bool *found) {
    const group *g = group_at(p, n);
    const parallel *s = reduction_at(p, n);
    *found = g || s;
    return g ? &g->hoisted : s ? s->hoisted : NULL;
}

/* ---- Single elements */

static const node *base_of_element(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    return index_chain(chain, &name, subscripts, &count) ? name : NULL;
}

static void add_element(report *r, const node *n, node *at, bool read, bool written) {
    const program *p = r->program;
    const node *name = base_of_element(at);
    const reached *found = reached_at(p, name);
    const array *a = found && found->known && found->views == 1 ? found->view[0] : distributed_reference(at);
    statement_report *s = new_statement(r, written ? "element-write" : "element-read", n);
    reference_report x = {.relation = read ? "broadcast" : "local", .array = a, .written = written};
    const node *chain = n->kind == N_INDEX ? n : n->child[0];
    x.text = ast_quote(p->memory, p->source, chain);
    x.predicted = read ? predict_collectives(p, p->np > 1, element_bytes(a->element)) : no_messages(p);
    x.why = !read     ? "its owner stores"
            : written ? "its owner's value goes to every process, then its owner stores"
                      : "its owner's value goes to every process";
    s->executions = 1 + (read && written);
    add_reference(r, s, x);
    if (read) add_note(r, s, "one broadcast of %lld bytes", (long long)element_bytes(a->element));
    note_mappings(r, s, a, name);
}

/* A row that a function gets a copy of, on every process. */
static void add_row(report *r, const node *n, node *chain) {
    const program *p = r->program;
    const node *name = base_of_element(chain);
    const array *a = name->symbol->array;
    int64_t lower, upper;
    statement_report *s = new_statement(r, "element-read", n);
    reference_report x = {.relation = "broadcast", .array = a, .text = ast_quote(p->memory, p->source, n)};
    const bool known =
        linear_value(&a->lower[a->rank - 1], &lower) && linear_value(&a->upper[a->rank - 1], &upper) && upper >= lower;
    x.predicted = known ? predict_collectives(p, p->np > 1, (upper - lower + 1) * element_bytes(a->element))
                        : unpredictable("how long rows are is known at run time only");
    x.why = "its owner's row goes to every process, for a function that only reads it";
    s->is_row = true;
    s->executions = 1;
    add_reference(r, s, x);
    note_mappings(r, s, a, name);
}

/* A statement that the owner of its left side executes alone. */
static void add_owned(report *r, const owner_statement *x) {
    const program *p = r->program;
    statement_report *s = new_statement(r, "element-write", x->store);
    const prediction at_run_time = unpredictable("where elements with these subscripts are is known at run time only");
    reference_report left = {.relation = "local", .array = x->left.array, .written = true};
    left.text = ast_quote(p->memory, p->source, x->left.node);
    left.predicted = no_messages(p);
    left.why = "its owner computes and stores";
    add_reference(r, s, left);
    note_mappings(r, s, x->left.array, x->left.base);
    for (size_t k = 0; k < x->operands; k++) {
        const reference *operand = &x->operand[k];
        const bool local = operand->placed.relation == RELATION_LOCAL;
        reference_report read = {.relation = local ? "local" : "sets", .array = operand->array};
        read.text = ast_quote(p->memory, p->source, operand->node);
        read.predicted = local || p->np == 1 ? no_messages(p) : at_run_time;
        read.why = local ? "has the same owner" : "goes from its owner to that of the left side, if these differ";
        if (!local) read.formulas.messages = (quantity){true, 1, "1"};
        for (size_t j = 0; j < k && !local && !read.same_as; j++)
            if (x->operand[j].array == operand->array && same_subscripts(p, &x->operand[j], operand))
                read.same_as = ast_quote(p->memory, p->source, x->operand[j].node);
        add_reference(r, s, read);
    }
}

/* ---- Redistributions */

static reference_report moved_along(const program *p, const array *a, const array *moved) {
    reference_report x = {
        .relation = "sets", .array = a, .text = a->symbol->name, .written = true, .model = "conventional"};
    x.why = arena_format(p->memory, "moves along with %s", moved->symbol->name);
    x.formulas.messages = redistribution_formulas(p, moved).messages;
    x.predicted = unpredictable(arena_format(p->memory, "where %s is aligned is not predicted", a->symbol->name));
    return x;
}

static reference_report stays_empty(const program *p, const array *a, const char *why) {
    return (reference_report){.relation = "local",
                              .array = a,
                              .text = a->symbol->name,
                              .written = true,
                              .model = "conventional",
                              .why = why,
                              .predicted = no_messages(p)};
}

/* What is aligned with it, at whatever distance, moves along. */
static void add_followers(report *r, statement_report *s, const node *entity) {
    const array *moved = entity->symbol->array;
    for (size_t k = 0; moved->followed && k < r->program->array_count; k++) {
        const array *a = r->program->arrays[k];
        if (a == moved || a->is_template || !moves_along(a, moved)) continue;
        const char *nothing = words_of_follower(remapping_at(r->program, entity), a);
        add_reference(r, s, nothing ? stays_empty(r->program, a, nothing) : moved_along(r->program, a, moved));
    }
}

static void add_realignment(report *r, node *n) {
    const array *a = realigned_symbol(n)->array;
    statement_report *s = new_statement(r, "realign", n);
    reference_report x = {
        .relation = "sets", .array = a, .text = a->symbol->name, .written = true, .model = "conventional"};
    x.why = arena_format(r->program->memory, "elements that change their owner move: aligned with %s",
                         ast_quote(r->program->memory, r->program->source, n->child[1]));
    x.predicted = unpredictable(
        arena_format(r->program->memory, "the mapping that %s has before is known at run time only", a->symbol->name));
    add_reference(r, s, x);
}

static reference_report explain_move(report *r, node *entity, const mapping *to) {
    program *p = r->program;
    const array *a = entity->symbol->array;
    const mapping *from = mapping_before(p, entity);
    array after = *a;
    after.mapping = *to;
    const reached *found = reached_at(p, entity);
    reference_report x = {.relation = "sets", .array = a, .text = mapping_text(p, &after), .written = true};
    if (found && found->known && found->views == 1) x.array = found->view[0];
    const remapping *does = remapping_at(p, entity);
    const char *words = words_of_remapping(does);
    if (words && does->kind != REMAPPING_LATE) {
        x.relation = "local";
        x.why = words;
        x.predicted = no_messages(p);
        return x;
    }
    x.model = "conventional";
    x.reused = does->finds_copy || does->again;
    x.again = does->again;
    x.formulas.messages = redistribution_formulas(p, a).messages;
    if (from) {
        array before = *a;
        before.mapping = *from;
        x.formulas = redistribution_formulas(p, &before);
        x.why = arena_format(p->memory, "from %s: elements that change their owner move", mapping_text(p, &before));
        x.predicted = predict_redistribution(p, a, from, to);
        x.pair = redistribution_pair(p, a, from, to);
    } else {
        x.why = "elements that change their owner move; the mapping before decides at run time";
        x.predicted = unpredictable(
            arena_format(p->memory, "the mapping that %s has before is known at run time only", a->symbol->name));
    }
    if (words) x.why = arena_format(p->memory, "%s; %s", words, x.why);
    return x;
}

static void add_redistribution(report *r, node *n) {
    program *p = r->program;
    statement_report *s = new_statement(r, "redistribute", n);
    bool moves = false;
    s->executions = 0;
    for (size_t c = 2; c < n->count; c++) {
        const array *a = n->child[c]->symbol ? n->child[c]->symbol->array : NULL;
        if (!a) continue;
        const mapping to = redistribution_mapping(p, n, n->child[c]);
        s->executions += is_executed(p, n, n->child[c]);
        const remapping *does = remapping_at(p, n->child[c]);
        moves = moves || !words_of_remapping(does) || does->kind == REMAPPING_LATE;
        if (!a->is_template) add_reference(r, s, explain_move(r, n->child[c], &to));
        if (is_executed(p, n, n->child[c])) add_followers(r, s, n->child[c]);
    }
    if (moves && !p->redistribute)
        add_note(r, s, "processes that share memory copy large parts instead of sending them");
}

/* ---- The walk */

static void walk(report *r, node *n);

static void walk_children(report *r, node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) walk(r, n->child[c]);
}

static void walk_subscripts(report *r, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++) walk(r, subscripts[d]);
}

static bool has_distributed_arguments(const node *call) {
    for (size_t c = 1; c < call->count; c++)
        if (takes_array(call, c)) return true;
    return false;
}

/* Other arguments, and subscripts and bounds of sections, may read elements. */
static void walk_call(report *r, node *n) {
    add_call(r, n);
    for (size_t c = 1; c < n->count; c++) {
        node *argument = inside_parentheses(n->child[c]);
        if (!takes_array(n, c))
            walk(r, argument);
        else if (argument->kind == N_INDEX)
            walk_subscripts(r, argument);
    }
}

/* Those of the element, and of what stands behind it. */
static void walk_member_subscripts(report *r, node *left) {
    node *chain = element_around(left);
    for (node *n = left; n != chain; n = n->child[0])
        if (n->kind == N_INDEX) walk(r, n->child[1]);
    walk_subscripts(r, chain);
}

static void walk_store(report *r, node *n) {
    node *left = inside_parentheses(n->child[0]);
    if (owner_statement_at(r->program, n)) {
        add_owned(r, owner_statement_at(r->program, n));
        return;
    }
    const bool member = element_around(left) != left; /* its owner updates it in place */
    const bool read = member ? is_value_used(n) : n->kind != N_ASSIGN || strcmp(n->op, "=") != 0;
    add_element(r, n, element_around(left), read, true);
    if (member)
        walk_member_subscripts(r, left);
    else
        walk_subscripts(r, left);
    if (n->kind == N_ASSIGN) walk(r, n->child[1]);
}

static void walk_formats(report *r, node *directive) {
    for (size_t c = 0; c < directive->count; c++)
        if (directive->child[c]) walk_children(r, directive->child[c]);
}

/* Whether the loop behind an `independent` is a parallel statement. */
static bool is_shared_out(const report *r, const node *directive) {
    const node *above = directive->parent;
    for (size_t c = 0; c + 1 < above->count; c++)
        if (above->child[c] == directive) return group_at(r->program, above->child[c + 1]) != NULL;
    return false;
}

static void walk(report *r, node *n) {
    bool whole;
    const hoists *before = hoists_at(r->program, n, &whole);
    if (whole) {
        for (size_t k = 0; before && k < before->count; k++)
            if (!before->hoisted[k].text) walk(r, before->hoisted[k].node);
        return;
    }
    if (row_pointer(n)) {
        add_row(r, n, row_pointer(n));
        walk_subscripts(r, row_pointer(n));
        return;
    }
    switch ((int)n->kind) {
    case N_DISTRIBUTE:
    case N_PROCESSORS: /* block sizes and extents may read elements */
        walk_formats(r, n);
        return;
    case N_SIZEOF:
    case N_TEMPLATE:
    case N_ALIGN:
    case N_INHERIT:
    case N_EXTRINSIC:
        return;
    case N_REALIGN:
        add_realignment(r, n);
        return;
    case N_REDISTRIBUTE:
        walk_formats(r, n);
        add_redistribution(r, n);
        return;
    case N_CALL:
        if (has_distributed_arguments(n)) {
            walk_call(r, n);
            return;
        }
        break;
    case N_INDEPENDENT: {
        if (n->made || is_shared_out(r, n)) return;
        statement_report *s = new_statement(r, "independent", n);
        s->executions = 0;
        add_note(r, s, "has no effect: every process runs the whole loop");
        return;
    }
    case N_INDEX:
        if (distributed_reference(n)) {
            add_element(r, n, n, true, false);
            walk_subscripts(r, n);
            return;
        }
        break;
    default:
        if (is_store(n) && element_around(n->child[0])) {
            walk_store(r, n);
            return;
        }
        break;
    }
    walk_children(r, n);
}

void add_plain_statements(report *r) {
    walk(r, r->program->unit);
}
