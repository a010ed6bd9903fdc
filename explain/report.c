/* What --explain says, statement by statement, read off the plan. */
#include "pairs.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../runtime/distribution.h"
#include "../runtime/exact.h"

/* ---- Tools */

statement_report *new_statement(report *r, const char *kind, const node *n) {
    program *p = r->program;
    statement_report s = {.kind = kind, .node = n, .executions = 1};
    s.line = p->source->tokens[n->first].line;
    s.where = place_of(p, n);
    s.text = ast_quote(p->memory, p->source, n);
    s.predicted = no_messages(p);
    vector_add(p->memory, r->statement, r->statements, r->statement_capacity, s);
    return &r->statement[r->statements - 1];
}

/* Ghost cells and values that stay are brought where their arrays have changed; whether those of several have is not
 * predicted. */
static void add_refresh(statement_report *s, const reference_report *x) {
    const bool again = x->halo && s->refreshed == x->array;
    const prediction several =
        unpredictable(x->halo ? "ghost cells of several arrays go together: those of the arrays that have changed"
                              : "which of several values stay, or ghost cells, depends on what has changed");
    if (s->refreshed && !again) add_prediction(&s->predicted, &several);
    if (!s->refreshed) s->refresh = x->predicted;
    /* how many sections a redistribution packs depends on the method that is chosen when it is executed */
    if (!x->halo && !x->predicted.each[AMOUNT_sections]) s->predicted.each[AMOUNT_sections] = NULL;
    s->refreshed = x->array;
}

/* `counts`: the statement whose execution brings it. */
static void add_counted(report *r, statement_report *s, statement_report *counts, reference_report x) {
    if (x.halo || (x.reused && !x.same_as))
        add_refresh(counts, &x);
    else if (!x.same_as)
        add_prediction(&counts->predicted, &x.predicted);
    vector_add(r->program->memory, s->reference, s->references, s->reference_capacity, x);
}

void add_reference(report *r, statement_report *s, reference_report x) {
    add_counted(r, s, s, x);
}

static const char *formatted(arena *a, const char *words, va_list arguments) {
    return arena_vformat(a, words, arguments);
}

void add_note(report *r, statement_report *s, const char *words, ...) {
    va_list arguments;
    va_start(arguments, words);
    vector_add(r->program->memory, s->note, s->notes, s->note_capacity,
               formatted(r->program->memory, words, arguments));
    va_end(arguments);
}

hint *add_hint(report *r, hint_kind kind, const node *n, const char *words, ...) {
    const token *tokens = r->program->source->tokens;
    va_list arguments;
    va_start(arguments, words);
    const hint h = {.kind = kind,
                    .line = tokens[n->first].line,
                    .last_line = tokens[n->last].line,
                    .text = formatted(r->program->memory, words, arguments)};
    va_end(arguments);
    for (size_t k = 0; k < r->hints; k++)
        if (r->hint[k].line == h.line && !strcmp(r->hint[k].text, h.text)) return NULL;
    vector_add(r->program->memory, r->hint, r->hints, r->hint_capacity, h);
    return &r->hint[r->hints - 1];
}

const char *mapping_text(const program *p, const array *a) {
    text out;
    text_start(&out, p->memory);
    text_format(&out, "%s(", a->symbol->name);
    for (int d = 0; d < a->rank; d++) text_format(&out, "%s%s", d ? ", " : "", format_word(p->memory, &a->mapping, d));
    text_add(&out, ")");
    return text_of(&out);
}

/* One section for each block of the side with fewer, at most. */
static quantity rows_text(const program *p, const pairing *x) {
    const bool reference_rows = x->b1.known && x->b2.known && x->s1.known && x->s2.known &&
                                x->b2.value * llabs(x->s1.value) > x->b1.value * llabs(x->s2.value);
    const quantity *b = reference_rows ? &x->b2 : &x->b1, *s = reference_rows ? &x->s2 : &x->s1;
    const quantity *n = reference_rows ? &x->procs2 : &x->procs1;
    if (!x->count.text || !b->text || !s->text) return (quantity){false, 0, NULL};
    const char *span = s->known && llabs(s->value) == 1
                           ? operand(p->memory, x->count.text)
                           : arena_format(p->memory, "%s * %s", operand(p->memory, x->count.text),
                                          s->known ? arena_format(p->memory, "%lld", llabs(s->value)) : s->text);
    return (quantity){false, 0,
                      arena_format(p->memory, "ceil(%s / (%s * %s)) + 1", span, operand(p->memory, b->text), n->text)};
}

quantity sections_shown(const program *p, const reference_report *x, const pairing *pair) {
    const prediction *counted = &x->predicted;
    if (!counted->unknown && counted->sections[pair->dim] >= 0) {
        const int64_t value = counted->sections[pair->dim];
        return (quantity){true, value, arena_format(p->memory, "%lld", (long long)value)};
    }
    if (pair->sections.text) return pair->sections;
    return pair->method == METHOD_ROWWISE ? rows_text(p, pair) : pair->sections;
}

int64_t least_of(const prediction *x, amount which) {
    int64_t least = x->each[which][0];
    for (int me = 1; me < x->procs; me++)
        if (x->each[which][me] < least) least = x->each[which][me];
    return least;
}

int64_t most_of(const prediction *x, amount which) {
    int64_t most = x->each[which][0];
    for (int me = 1; me < x->procs; me++)
        if (x->each[which][me] > most) most = x->each[which][me];
    return most;
}

/* ---- Relations */

/* As --sets says them. */
static const char *option_word(set_method m) {
    static const char *const words[] = {"auto", "auto", "closed", "rowwise", "lattice", "enumerate"};
    return words[m];
}

static const char *reason_of_sets(const program *p, const reference_report *x) {
    const reference *home = home_of(x->statement), *r = x->reference;
    const array *dynamic = !has_regular_blocks(r->array)              ? r->array
                           : home && !has_regular_blocks(home->array) ? home->array
                                                                      : NULL;
    if (dynamic && dynamic->apart)
        return arena_format(p->memory, "%s is aligned with %s at other cells: the run time chooses the method",
                            dynamic->symbol->name, end_of_chain(dynamic)->symbol->name);
    if (dynamic)
        return arena_format(p->memory, "%s %s: what its mapping is then decides at run time", dynamic->symbol->name,
                            why_dynamic(dynamic));
    for (int d = 0; d < r->rank; d++) {
        const pairing pair = pairing_of(p, x->statement, r, d);
        const set_method method = pairing_method(p, x->statement, x->reference, &pair);
        if (pair.index < 0 || method == METHOD_NONE) continue;
        if (p->sets > METHOD_RUN_TIME && method > METHOD_RUN_TIME && method != p->sets)
            return arena_format(p->memory, "--sets=%s does not serve it: %s instead", option_word(p->sets),
                                method_word(method));
        if (method == METHOD_RUN_TIME)
            return "block sizes, strides or processes are known at run time only, and decide the method";
    }
    return NULL;
}

/* With the words of its way. */
static reference_report reference_of(report *r, const parallel *s, const reference *x, travel way) {
    reference_report out = {
        .relation = facts_of_travel(way)->relation, .why = facts_of_travel(way)->why, .reference = x, .statement = s};
    out.array = x->array;
    out.text = ast_quote(r->program->memory, r->program->source, x->node);
    return out;
}

static reference_report moved_reference(report *r, const parallel *s, const reference *x) {
    const program *p = r->program;
    reference_report out = reference_of(r, s, x, travel_of(p, s, x));
    out.reused = x->combined.reused != NULL;
    out.predicted = predict_fetch(p, s, x);
    if (travel_of(p, s, x) != TRAVEL_BROADCAST) out.pair = fetch_pair(p, s, x);
    out.formulas = fetch_formulas(p, s, x);
    out.model = p->model == COMM_DEPOSIT ? "deposit" : "conventional";
    if (travel_of(p, s, x) == TRAVEL_BROADCAST)
        out.predicted = predict_broadcast(p, s, x);
    else if (reason_of_sets(p, &out))
        out.why = reason_of_sets(p, &out);
    return out;
}

/* A product's operand that comes in panels. */
static reference_report panels_reference(report *r, const parallel *s, const reference *x) {
    const program *p = r->program;
    reference_report out = reference_of(r, s, x, TRAVEL_PANELS);
    out.why = arena_format(p->memory, "panels of %d values of %s, collectives along the grid one panel ahead",
                           PANEL_DEPTH, s->index[s->placed.product->reduced].name);
    out.predicted = predict_panels(p, s, x);
    out.model = "conventional";
    return out;
}

static reference_report local_reference(report *r, const parallel *s, const reference *x) {
    reference_report out = reference_of(r, s, x, travel_of(r->program, s, x));
    out.predicted = no_messages(r->program);
    return out;
}

static reference_report halo_reference(report *r, const parallel *s, const reference *x) {
    const program *p = r->program;
    reference_report out = reference_of(r, s, x, TRAVEL_GHOSTS);
    out.halo = true;
    out.predicted = predict_refresh(p, x->array, planes_read(s, x));
    for (int d = 0; d < x->rank; d++) out.predicted.sections[d] = 1;
    if (!x->array->placed.widens) out.formulas = refresh_formulas(p, x->array, planes_read(s, x));
    out.model = "conventional";
    if (x->placed.wide) out.why = "ghost cells, as wide as it reads when it starts, brought up to date";
    out.why = arena_format(p->memory, "%s where %s has changed", out.why, x->array->symbol->name);
    return out;
}

static reference_report pipeline_reference(report *r, const parallel *s, const reference *x) {
    reference_report out = reference_of(r, s, x, TRAVEL_PIPELINE);
    out.predicted = unpredictable("how many blocks a pipeline has is decided at run time");
    return out;
}

/* with: the gather whose inspector looks for what x reads, too, or NULL. */
static reference_report found_at_run_time(report *r, const parallel *s, const reference *x, const reference *with,
                                          bool written) {
    const program *p = r->program;
    reference_report out = reference_of(r, s, x, travel_of(p, s, x));
    const bool alike = with && are_stored_alike(p, x->array, with->array), once = written || alike;
    out.written = written;
    out.reused = x->combined.reused != NULL;
    if (with) {
        out.inspected_with = ast_quote(p->memory, p->source, with->node);
        out.why = arena_format(p->memory,
                               alike ? "the owners are those that the inspector finds for %s"
                                     : "its subscripts are those of %s, whose inspector finds its owners, too",
                               out.inspected_with);
    } else {
        out.why =
            arena_format(p->memory, out.reused ? "%s where these may have changed" : "%s in every execution", out.why);
    }
    out.predicted = unpredictable("the inspector finds at run time what is sent");
    const quantity all = all_processes(p);
    out.formulas.messages = all.known ? formula_times(p, (quantity){true, all.value - 1, ""}, once ? 1 : 2)
                                      : (quantity){false, 0, once ? "N - 1" : "2 * (N - 1)"};
    return out;
}

static reference_report report_reference(report *r, const parallel *s, const reference *x, const reference *with) {
    switch (travel_of(r->program, s, x)) {
    case TRAVEL_GATHERED:
    case TRAVEL_SCATTERED:
    case TRAVEL_SUBMATRIX:
        return found_at_run_time(r, s, x, with, false);
    case TRAVEL_PLACE:
    case TRAVEL_REDUCED:
    case TRAVEL_STEP:
        return local_reference(r, s, x);
    case TRAVEL_PANELS:
        return panels_reference(r, s, x);
    case TRAVEL_PIPELINE:
        return pipeline_reference(r, s, x);
    case TRAVEL_GHOSTS:
        return halo_reference(r, s, x);
    default:
        return moved_reference(r, s, x);
    }
}

/* ---- Parallel statements */

/* The report of the statement whose loops execute s; its own if that is s itself. */
static statement_report *counted_in(report *r, statement_report *own, const parallel *s) {
    for (size_t k = 0; is_joined(s) && k < r->statements; k++)
        if (r->statement[k].node == s->combined.chain->statement[0]->node) return &r->statement[k];
    return own;
}

/* The same of the statement that brings what x reads: that may be the first of an aggregate. */
static statement_report *brought_in(report *r, statement_report *own, const parallel *s, const reference *x) {
    if (!s->combined.aggregate || !sends_messages(x)) return counted_in(r, own, s);
    for (size_t k = 0; k < r->statements; k++)
        if (r->statement[k].node == s->combined.aggregate->statement[0]->node) return &r->statement[k];
    return own;
}

static void report_references(report *r, statement_report *out, const parallel *s, int mask) {
    const program *p = r->program;
    for (size_t k = 0; k < s->references; k++) {
        const reference *x = &s->reference[k];
        if (!x->array || !needed(s, x, mask)) continue;
        reference_report shown = report_reference(r, s, x, inspected_with(s, x, mask));
        const reference *same = read_before(s, x, mask);
        if (same) shown.same_as = ast_quote(p->memory, p->source, same->node);
        statement_report *counts = brought_in(r, out, s, x);
        add_counted(r, out, counts, shown);
        note_fetch(r, counts, s, mask, &shown);
    }
}

/* The left array is read elsewhere, in place. */
static void note_order(report *r, statement_report *out, const parallel *s) {
    text descending;
    int count = 0;
    text_start(&descending, r->program->memory);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].descending) text_format(&descending, "%s%s", count++ ? ", " : "", s->index[k].name);
    if (s->placed.ordered)
        add_note(r, out, "no temporary copy: every element is read before it is stored%s%s",
                 count ? ", descending in " : "", text_of(&descending));
}

static void note_statement(report *r, statement_report *out, const parallel *s) {
    if (execution_of(s, -1)->way == BY_ROWS)
        add_note(r, out,
                 "a temporary copy of %d row%s: each row of %s is computed before it is stored, when no other one "
                 "reads its old values: %s",
                 (int)s->placed.behind + 1, s->placed.behind ? "s" : "", s->index[0].name, s->placed.overlap);
    else if (execution_of(s, -1)->way == BY_KEPT)
        add_note(
            r, out,
            "no temporary copy: what a row of %s reads of elements that it stores is the same for all of it, and is "
            "read before",
            s->index[0].name);
    else if (s->placed.values_first)
        add_note(r, out, "a temporary copy: the right side is computed into a buffer before the first store: %s",
                 s->placed.overlap);
    note_order(r, out, s);
    if (s->placed.product)
        add_note(r, out, "a product: %s for all elements together, in panels of %d values of %s%s",
                 s->reduction[0].call->child[0]->name, PANEL_DEPTH, s->index[s->placed.product->reduced].name,
                 s->placed.product->in_left ? "" : "; results in a buffer");
    if (execution_of(s, -1)->way == BY_ENGINE)
        add_note(r, out, "a copy by the redistribution engine: processes that share memory read large parts in place");
    if (s->placed.in_parts)
        add_note(r, out, "no element says who executes: each process takes an equal part of the iterations");
    else if (s->placed.home == HOME_REPLICATED)
        add_note(r, out, "every process executes all iterations");
    if (s->placed.waits_for >= 0 && !reference_in_place(r->program, s, &s->reference[s->placed.waits_for]))
        add_note(r, out, "each piece is computed with as its message arrives");
}

void note_mappings(report *r, statement_report *out, const array *a, const node *name) {
    const program *p = r->program;
    const reached *found = a ? reached_at(p, name) : NULL;
    text words;
    if (!found || !(a->origin->redistributed || a->origin->inherits)) return;
    text_start(&words, p->memory);
    for (size_t k = 0; k < found->views; k++)
        text_format(&words, "%s%s", k ? " or " : "", words_of_view(p->memory, found->view[k]));
    if (found->known && found->views == 1)
        add_note(r, out, "%s is %s here", a->symbol->name, text_of(&words));
    else
        add_note(r, out, "%s is %s%s here, known at run time only", a->symbol->name, text_of(&words),
                 found->known && !found->others ? ""
                 : found->views                 ? " or another mapping"
                                                : "of any mapping");
}

/* A statement that is compiled for several mappings is reported for each. */
static void note_version(report *r, statement_report *out, const parallel *s) {
    static const char *const times[] = {"once", "once", "twice", "three times", "four times"};
    const versions *v = versions_around(r->program, s->node, &out->version);
    const prediction which = unpredictable("which of its versions is executed is known at run time only");
    if (!v) return;
    if (v->condition)
        add_note(r, out, "compiled for directions and short distances; this is number %zu: %s", out->version + 1,
                 v->condition[out->version]);
    else if (v->likes > 0)
        add_note(r, out, "compiled %s, as extents and block sizes may come out; this is number %zu: %s",
                 times[v->count], out->version + 1, likeness_words(r->program->memory, v, out->version));
    else
        add_note(r, out, "compiled %s, for several mappings; this is number %zu%s", times[v->count], out->version + 1,
                 v->general && out->version + 1 == v->count ? ", for any others" : "");
    add_prediction(&out->predicted, &which);
}

static bool names_array(const parallel *s, size_t references, const array *a) {
    bool named = s->left.array && same_array(s->left.array, a);
    for (size_t k = 0; k < references; k++) named = named || same_array(s->reference[k].array, a);
    return named;
}

static void note_all_mappings(report *r, statement_report *out, const parallel *s) {
    note_mappings(r, out, s->left.array, s->left.base);
    for (size_t k = 0; k < s->references; k++)
        if (!names_array(s, k, s->reference[k].array))
            note_mappings(r, out, s->reference[k].array, s->reference[k].base);
}

/* Ghost cells that statements further down read. */
static void note_ahead(report *r, statement_report *out, const parallel *s) {
    const prediction several =
        unpredictable("ghost cells of several arrays go together: those of the arrays that have changed");
    text names;
    text_start(&names, r->program->memory);
    for (size_t k = 0; k < s->combined.aheads; k++)
        text_format(&names, "%s%s", k ? ", " : "", s->combined.ahead[k]->symbol->name);
    if (s->combined.aheads == 0 || is_joined(s)) return;
    add_note(r, out, "in the same messages ghost cells of %s, for statements below", text_of(&names));
    add_prediction(&out->predicted, &several);
}

/* Of the integers by which a sum that is rounded once is combined (runtime/program/exact.c). */
static int64_t exact_bytes(element x) {
    const bool is_long = x == ELEMENT_LONG_DOUBLE || x == ELEMENT_LONG_DOUBLE_COMPLEX;
    const bool is_complex =
        x == ELEMENT_FLOAT_COMPLEX || x == ELEMENT_DOUBLE_COMPLEX || x == ELEMENT_LONG_DOUBLE_COMPLEX;
    return (is_complex ? 2 : 1) * ((is_long ? DPC_EXACT_LONG_BINS : DPC_EXACT_BINS) + 3) * (int64_t)sizeof(int64_t);
}

static int64_t reduced_bytes(const reduction *x) {
    if (!x->type || x->type->kind != TYPE_ARITHMETIC) return 0;
    if (x->exact) return exact_bytes(x->type->element);
    return x->type->element == ELEMENT_BOOL ? (int64_t)sizeof(int) : element_bytes(x->type->element);
}

/* The results of a reduction for each element. */
static void combine_elements(report *r, statement_report *out, const parallel *s) {
    const program *p = r->program;
    const quantity all = all_processes(p);
    reference_report results = {
        .text = ast_quote(p->memory, p->source, s->results->node),
        .array = s->results->array,
        .relation = "scatter",
        .written = true,
        .why = "its owners get a result from each process that has something of the operand, and combine them",
        .predicted = predict_results(p, s)};
    const quantity others = {true, all.value - 1, arena_format(p->memory, "%lld", (long long)all.value - 1)};
    results.formulas.messages = all.known ? others : (quantity){false, 0, "N - 1"};
    add_reference(r, out, results);
}

static void combine(report *r, statement_report *out, const parallel *s) {
    const program *p = r->program;
    statement_report *counts = counted_in(r, out, s);
    const int64_t bytes = reduced_bytes(&s->reduction[0]);
    if (!home_of(s)) return;
    const bool shared = bytes > 0 && !s->reduction[0].exact && execution_of(s, -1)->joins_collective;
    if (shared)
        add_note(r, out, "the collective of a reduction before it combines the processes' results too");
    else
        add_note(r, out, "one collective combines the processes' results%s",
                 bytes ? "" : " (of a type that only C knows)");
    const prediction x = bytes == 0 ? unpredictable("the type of the result is known to the C compiler only")
                                    : predict_collectives(p, p->np > 1, bytes);
    for (int me = 0; shared && me < x.procs; me++) x.each[AMOUNT_collectives][me] = 0;
    add_prediction(&counts->predicted, &x);
    if (!s->reduction[0].best) return;
    const prediction place = predict_collectives(r->program, r->program->np > 1, (int64_t)sizeof(long));
    add_note(r, out, "a second one finds the place");
    add_prediction(&out->predicted, &place);
}

/* The parts of a variable, or of an ordinary array's elements: one collective. */
static void combine_everywhere(report *r, statement_report *out, const partial_result *x) {
    const int64_t bytes = x->exact                     ? exact_bytes(x->element)
                          : x->element == ELEMENT_BOOL ? (int64_t)sizeof(int)
                                                       : element_bytes(x->element);
    const prediction one = x->kind == PARTIAL_VARIABLE
                               ? predict_collectives(r->program, r->program->np > 1, bytes)
                               : unpredictable("the size of an ordinary array is the C compiler's");
    const bool several = x->exact && x->kind == PARTIAL_MEMORY;
    add_note(r, out, "%s the processes' parts of %s%s", several ? "collectives combine" : "one collective combines",
             x->kind == PARTIAL_VARIABLE ? "" : "all elements of ", x->symbol->name);
    add_prediction(&out->predicted, &one);
}

/* Those of a distributed array's elements: they go to the owners behind the loop. */
static void combine_at_owners(report *r, statement_report *out, const partial_result *x) {
    const quantity all = all_processes(r->program);
    reference_report parts = {
        .text = x->symbol->name,
        .array = x->symbol->array,
        .relation = "scatter",
        .written = true,
        .why = "each process sends its parts of others' elements once, behind the loop; their owners combine them",
        .predicted = unpredictable("the loop finds at run time what is sent")};
    const quantity others = {true, all.value - 1, arena_format(r->program->memory, "%lld", (long long)all.value - 1)};
    parts.formulas.messages = all.known ? others : (quantity){false, 0, "N - 1"};
    add_reference(r, out, parts);
}

/* What stands in reduction(...). */
static void report_partials(report *r, statement_report *out, const independent_loop *x) {
    for (size_t k = 0; k < x->partials; k++)
        (x->partial[k].kind == PARTIAL_ELEMENTS ? combine_at_owners : combine_everywhere)(r, out, &x->partial[k]);
}

/* ": 1 to 2 collectives, 8 to 40 bytes"; "": not known, or none. */
static const char *collective_words(const program *p, const prediction *x) {
    int64_t least[2] = {INT64_MAX, INT64_MAX}, most[2] = {0, 0};
    for (int me = 0; !x->unknown && me < x->procs; me++)
        for (int k = 0; k < 2; k++) {
            const int64_t each = x->each[k ? AMOUNT_collective_bytes : AMOUNT_collectives][me];
            least[k] = each < least[k] ? each : least[k];
            most[k] = each > most[k] ? each : most[k];
        }
    if (most[0] == 0) return "";
    return arena_format(p->memory, ": each of %d processes joins %lld to %lld, with %lld to %lld bytes", x->procs,
                        (long long)least[0], (long long)most[0], (long long)least[1], (long long)most[1]);
}

/* A prefix operation: how its processes' parts meet. */
static void note_prefix(report *r, statement_report *out, const parallel *s, int m) {
    const element e = s->mask[m].node->type->element;
    const prediction x = combines_in_order(r->program, s->mask[m].prefix->operation, s->mask[m].node->type)
                             ? unpredictable("what is combined in order is gathered along its line")
                             : predict_prefix(r->program, s, s->mask[m].prefix, element_bytes(e));
    bool divided = false;
    for (int k = s->mask[m].prefix->first; k <= s->mask[m].prefix->last; k++) {
        const int d = home_of(s) ? home_dimension(home_of(s), k) : -1;
        divided = divided || (d >= 0 && may_be_distributed(home_of(s)->array, d));
    }
    add_note(r, out, "%s: two passes over each process's values%s%s", s->mask[m].node->symbol->name,
             divided ? ", and between them a collective along the grid, of a value for each row and block"
                     : ", without messages",
             collective_words(r->program, &x));
    add_prediction(&out->predicted, &x);
}

/* That a statement was a C loop. */
static void note_proof(report *r, statement_report *out, const parallel *s) {
    const char *words = NULL;
    for (const node *n = s->node; n && !words && n->kind != N_COMPOUND; n = n->parent)
        words = table_at(&r->program->proved, n);
    if (words) add_note(r, out, "%s", words);
}

/* "i, j": the variables of the loops, or of some; NULL: of none. */
static const char *counters_words(arena *a, const independent_loop *x, const bool *which) {
    text out;
    text_start(&out, a);
    for (int k = 0; k < x->loops; k++)
        if (!which || which[k])
            text_format(&out, "%s%s", out.length == 0 ? "" : which ? " or " : ", ", x->counter[k]->name);
    return out.length ? text_of(&out) : NULL;
}

static void note_pipeline(report *r, statement_report *out, const parallel *s) {
    if (!s->loop || !s->loop->pipeline || execution_of(s, -1)->swepts == 0) return;
    const char *blocks = counters_words(r->program->memory, s->loop, execution_of(s, -1)->blocks);
    add_note(r, out, "each process waits for the one before, and sends its boundary on: %s%s",
             blocks ? "block by block, of " : "once, all of its iterations", blocks ? blocks : "");
    if (goes_in_tiles(execution_of(s, -1)))
        add_note(r, out,
                 "and for each block that is dealt to it: a message behind each, to the process that has the next");
}

/* Scalars that iterations leave to the next, and whether `break` has left them. */
static void note_carried(report *r, statement_report *out, const parallel *s) {
    const independent_loop *x = s->loop;
    arena *a = r->program->memory;
    if (!x || (x->carrieds == 0 && !x->left)) return;
    text names;
    text_start(&names, a);
    for (size_t k = 0; k < x->carrieds; k++) text_format(&names, "%s%s", k ? ", " : "", x->carried[k].symbol->name);
    if (x->left) text_format(&names, "%swhether 'break' has left it", names.length ? ", " : "");
    add_note(r, out,
             x->scans ? "%s: each process adds up its part first, and begins with what those before it add"
                      : "%s: from the process before, on to the next, one after the other",
             text_of(&names));
    const prediction sent = predict_carried(r->program, s);
    add_prediction(&out->predicted, &sent);
    for (size_t k = 0; k < x->keep_count; k++) {
        const prediction kept = unpredictable("how many elements are kept is known at run time");
        add_note(r, out, "%s: the owners get what each process keeps, one element behind the other",
                 x->keeps[k].symbol->name);
        add_prediction(&out->predicted, &kept);
    }
}

/* Whether a statement stands in a loop whose iterations may be executed together: in one pass. */
static bool is_time_tiled(const program *p, const parallel *s) {
    for (size_t k = 0; k < p->tiling_count; k++)
        for (const node *n = p->tiling[k]->why ? NULL : s->node; n; n = n->parent)
            if (n == p->tiling[k]->loop) return true;
    return false;
}

/* The loop around stencils whose iterations may be executed together; said at the first of its stencils. */
static void note_tiling(report *r, statement_report *out, const parallel *s) {
    const program *p = r->program;
    for (size_t k = 0; k < p->tiling_count; k++) {
        const time_tiling *t = p->tiling[k];
        const int line = p->source->tokens[t->loop->first].line;
        if (group_at(p, t->stencil)->action[0].statement != s) continue;
        if (t->why)
            add_note(r, out, "no time tiling of the loop of line %d: %s", line, t->why);
        else if (p->time_tiling > 0)
            add_note(r, out, "time tiling of the loop of line %d: %d iterations in one pass over memory%s", line,
                     p->time_tiling, ", fewer where blocks are shorter than what they read of others");
        else
            add_note(r, out,
                     "time tiling of the loop of line %d: several iterations in one pass over memory, as many as pay "
                     "at run time; none where the arrays fit a cache",
                     line);
    }
}

static void report_parallel(report *r, const char *kind, const parallel *s) {
    int saved = 0;
    statement_report *out = new_statement(r, kind, s->node);
    if (s->loop)
        out->text = arena_format(r->program->memory, "for %s, on %s", counters_words(r->program->memory, s->loop, NULL),
                                 ast_quote(r->program->memory, r->program->source, s->left.node));
    for (int m = 0; m < s->masks; m++) {
        if (s->mask[m].kept && s->mask[m].prefix)
            add_note(r, out, "%s is combined in the statement's loops", s->mask[m].node->symbol->name);
        if (!s->mask[m].saved) continue;
        saved++;
        report_references(r, out, s, m);
        if (s->mask[m].prefix) {
            note_prefix(r, out, s, m);
            continue;
        }
        if (s->mask[m].node->kind == N_LOCAL) {
            add_note(r, out,
                     s->mask[m].bound ? "%s, a bound that reads elements, is computed before the loops"
                                      : "%s is computed and saved before the statements that change what it is made of",
                     s->mask[m].node->symbol->name);
            continue;
        }
        add_note(r, out, "its mask %s%s is evaluated before the forall's first statement",
                 is_made_negation(s->mask[m].node) ? "not " : "",
                 ast_quote(r->program->memory, r->program->source, s->mask[m].node));
    }
    out->executions += saved - (execution_of(s, -1)->way == BY_PREFIX);
    if (is_joined(s)) {
        out->executions = 0; /* counted with the first */
        add_note(r, out, "executed in the loops of line %d", counted_in(r, out, s)->line);
    }
    report_references(r, out, s, -1);
    if (s->placed.scatter) add_reference(r, out, found_at_run_time(r, s, &s->left, NULL, true));
    if (s->kind == PARALLEL_REDUCTION) (s->results ? combine_elements : combine)(r, out, s);
    if (s->loop) report_partials(r, out, s->loop);
    note_pipeline(r, out, s);
    note_carried(r, out, s);
    note_proof(r, out, s);
    note_version(r, out, s);
    if (s->reduced)
        add_note(r, out, "the owners of %s form the results of its %s, before",
                 ast_quote(r->program->memory, r->program->source, home_of(s->reduced)->node),
                 facts_of_operation(s->reduced->reduction[0].operation)->name
                     ? facts_of_operation(s->reduced->reduction[0].operation)->name
                     : "matmul");
    note_all_mappings(r, out, s);
    note_statement(r, out, s);
    note_tiling(r, out, s);
    const prediction deep = unpredictable("how deep the ghost cells of a tiled loop are is decided at run time");
    if (is_time_tiled(r->program, s)) add_prediction(&out->predicted, &deep);
    note_ahead(r, out, s);
}

static int in_source_order(const void *left, const void *right) {
    const size_t x = ((const statement_report *)left)->node->first, y = ((const statement_report *)right)->node->first;
    const size_t v = ((const statement_report *)left)->version, w = ((const statement_report *)right)->version;
    return x != y ? (x > y) - (x < y) : (v > w) - (v < w);
}

static int by_line(const void *left, const void *right) {
    const int x = ((const hint *)left)->line, y = ((const hint *)right)->line;
    return (x > y) - (x < y);
}

static const char *kind_of_loop(const parallel *s) {
    return s->loop->scans ? "prefix" : s->loop->pipeline ? "pipeline" : "independent";
}

report make_report(program *p) {
    report r = {.program = p};
    for (size_t g = 0; g < p->group_count; g++) {
        const group *x = p->groups[g];
        for (size_t k = 0; k < x->actions; k++)
            if (x->action[k].mask < 0)
                report_parallel(&r,
                                x->action[k].statement->results ? "reduction"
                                : x->node->kind == N_FORALL     ? "forall"
                                : x->node->kind == N_FOR        ? kind_of_loop(x->action[k].statement)
                                                                : "array-assignment",
                                x->action[k].statement);
    }
    for (size_t k = 0; k < p->reduction_count; k++)
        if (!p->reductions[k]->in_place) report_parallel(&r, "reduction", p->reductions[k]);
    join_messages(&r);
    add_plain_statements(&r);
    if (r.statements > 1) qsort(r.statement, r.statements, sizeof *r.statement, in_source_order);
    add_hints(&r);
    if (r.hints > 1) qsort(r.hint, r.hints, sizeof *r.hint, by_line);
    return r;
}
