/* --explain=json: the report as one JSON object. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/utf8.h"
#include "closed.h"
#include "explain.h"
#include "report.h"

/* A number where it is known, else the C expression; null where there is none. */
static void add_quantity(cJSON *object, const char *name, const quantity *x) {
    if (x->known)
        cJSON_AddNumberToObject(object, name, (double)x->value);
    else if (x->text)
        cJSON_AddStringToObject(object, name, x->text);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_linear(const program *p, cJSON *object, const char *name, const linear *x) {
    if (linear_is_constant(x))
        cJSON_AddNumberToObject(object, name, (double)x->constant);
    else
        cJSON_AddStringToObject(object, name, linear_text(p->memory, x));
}

static void add_text(cJSON *object, const char *name, const char *value) {
    if (value) cJSON_AddStringToObject(object, name, value);
}

/* ---- Arrays */

static cJSON *alternatives_json(const program *p, const block_trace *t) {
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k < t->group->options; k++) {
        const block_option *o = &t->group->option[k];
        if (k == t->group->chosen) continue;
        cJSON *x = cJSON_CreateObject();
        cJSON_AddStringToObject(x, "what", arena_format(p->memory, "%s, from %s", o->word[t->place], o->method));
        if (o->seconds >= 0) cJSON_AddNumberToObject(x, "seconds", o->seconds);
        cJSON_AddItemToArray(list, x);
    }
    return list;
}

static void add_choice(const program *p, cJSON *x, const block_trace *t) {
    cJSON_AddStringToObject(x, "reason", t->reason);
    cJSON_AddNumberToObject(x, "granularity", (double)t->granularity);
    cJSON_AddNumberToObject(x, "seconds", t->group->option[t->group->chosen].seconds);
    cJSON_AddItemToObject(x, "alternatives", alternatives_json(p, t));
}

/* Where element 0 stands at the end of the chain, and how far from one to the next. */
static void add_cells(const program *p, cJSON *x, const array *a, int d) {
    cells c;
    if (!a->alignment || !cells_of(p, a, d, &c)) return;
    cJSON *at = cJSON_AddObjectToObject(x, "aligned");
    cJSON_AddStringToObject(at, "with", c.end->symbol->name);
    cJSON_AddNumberToObject(at, "dimension", c.dim + 1);
    add_linear(p, at, "stride", &c.stride);
    add_linear(p, at, "offset", &c.offset);
}

static cJSON *grid_json(const program *p, const grid *g) {
    cJSON *x = cJSON_CreateObject(), *extents = cJSON_CreateArray();
    cJSON_AddStringToObject(x, "name", g->symbol->name);
    const node *named = g->directive ? g->directive : g->part; /* a part has no directive of its own */
    cJSON_AddNumberToObject(x, "line", p->source->tokens[named->first].line);
    for (int k = 0; k < g->rank; k++)
        cJSON_AddItemToArray(extents, g->known[k] > 0 ? cJSON_CreateNumber((double)g->known[k])
                                      : !g->extent[k]
                                          ? cJSON_CreateString("*")
                                          : cJSON_CreateString(ast_quote(p->memory, p->source, g->extent[k])));
    cJSON_AddItemToObject(x, "extents", extents);
    if (g->whole) cJSON_AddStringToObject(x, "part_of", g->whole->symbol->name);
    return x;
}

/* Along a divided dimension: the processes, and the ghost cells below and above that statements read. */
static void add_division(const program *p, cJSON *x, const array *a, int d) {
    const quantity processes = procs_along(p, a, d);
    const double widths[] = {(double)a->placed.halo_low[d], (double)a->placed.halo_high[d]};
    add_quantity(x, "processes", &processes);
    cJSON_AddItemToObject(x, "ghost_cells", cJSON_CreateDoubleArray(widths, 2));
}

/* The entries of a vector of gen_block, where it is a constant array of constants; else when its owners are known. */
static void add_sizes(const program *p, cJSON *x, const array *a, int d) {
    const node *list = constant_intervals(a, d);
    const char *owners = intervals_text(p, a, d);
    int64_t value;
    if (owners && !list) cJSON_AddStringToObject(x, "owners", owners);
    if (!list) return;
    cJSON *entries = cJSON_AddArrayToObject(x, "sizes");
    for (size_t k = 0; k < list->count; k++)
        if (constant_value(list->child[k], &value)) cJSON_AddItemToArray(entries, cJSON_CreateNumber((double)value));
}

static cJSON *dimension_json(const program *p, const array *a, int d, int *grid_dim) {
    const bool divided = divides(&a->mapping, d);
    const linear extent =
        linear_add(p->memory, linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]), linear_constant(1));
    cJSON *x = cJSON_CreateObject();
    add_linear(p, x, "lower", &a->written_lower[d]);
    add_linear(p, x, "extent", &extent);
    cJSON_AddStringToObject(x, "format", a->inherits ? "inherited" : format_kind_word(&a->mapping, d));
    if (a->inherits) return x;
    const quantity block = block_of(p, a, d);
    if (divided) add_quantity(x, "block", &block);
    if (divided) add_division(p, x, a, d);
    if (divided) add_sizes(p, x, a, d);
    cJSON_AddBoolToObject(x, "chosen", a->chosen[d] != NULL);
    if (!divided)
        cJSON_AddNullToObject(x, "grid_dim");
    else
        cJSON_AddNumberToObject(x, "grid_dim", (*grid_dim)++);
    if (a->chosen[d]) add_choice(p, x, a->chosen[d]);
    add_cells(p, x, a, d);
    return x;
}

static cJSON *dims_json(const program *p, const array *a) {
    cJSON *dims = cJSON_CreateArray();
    int grid_dim = 0;
    for (int d = 0; d < a->rank; d++) cJSON_AddItemToArray(dims, dimension_json(p, a, d, &grid_dim));
    return dims;
}

static cJSON *array_json(const program *p, const array *a) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddStringToObject(x, "name", a->symbol->name);
    cJSON_AddNumberToObject(x, "line", p->source->tokens[a->symbol->declarator->first].line);
    cJSON_AddStringToObject(x, "type", a->is_template ? "template" : element_spelling(a->element));
    if (!a->is_template) cJSON_AddNumberToObject(x, "size", (double)element_bytes(a->element));
    if (a->mapping.grid) cJSON_AddStringToObject(x, "grid", a->mapping.grid->symbol->name);
    if (a->alignment) cJSON_AddStringToObject(x, "aligned", ast_quote(p->memory, p->source, a->alignment->directive));
    if (a->realigned) cJSON_AddTrueToObject(x, "realigned");
    if (a->redistributed) cJSON_AddTrueToObject(x, "redistributed");
    if (a->parameter) cJSON_AddTrueToObject(x, "parameter");
    if (a->inherits) cJSON_AddTrueToObject(x, "inherits");
    cJSON_AddItemToObject(x, "dims", dims_json(p, a));
    return x;
}

/* Each mapping that a redistributed array has in the program, but the first, which `dims` describe. */
static void add_views(const program *p, cJSON *x, const array *a) {
    if (a->views < 2) return;
    cJSON *mappings = cJSON_AddArrayToObject(x, "mappings");
    for (size_t k = 1; k < a->views; k++) {
        cJSON *view = cJSON_CreateObject();
        if (a->view[k]->mapping.grid) cJSON_AddStringToObject(view, "grid", a->view[k]->mapping.grid->symbol->name);
        cJSON_AddItemToObject(view, "dims", dims_json(p, a->view[k]));
        cJSON_AddItemToArray(mappings, view);
    }
}

/* ---- Statements */

static void add_prediction_json(cJSON *object, const prediction *x) {
    static const char *const names[] = {
#define NAME(name) #name,
        FOR_AMOUNTS(NAME)
#undef NAME
    };
    if (x->unknown) {
        cJSON_AddStringToObject(object, "unpredicted", x->unknown);
        return;
    }
    for (int k = 0; k < AMOUNTS; k++) {
        if (!x->each[k]) continue;
        cJSON *each = cJSON_CreateArray();
        for (int me = 0; me < x->procs; me++) cJSON_AddItemToArray(each, cJSON_CreateNumber((double)x->each[k][me]));
        cJSON_AddItemToObject(object, names[k], each);
    }
}

static cJSON *closed_sets_json(const closed_sets *sets) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddStringToObject(x, "send", sets->send);
    cJSON_AddStringToObject(x, "receive", sets->receive);
    cJSON_AddStringToObject(x, "start", sets->start);
    cJSON_AddStringToObject(x, "offset", sets->offset);
    cJSON_AddStringToObject(x, "period", sets->period);
    cJSON_AddStringToObject(x, "end", sets->end);
    cJSON_AddNumberToObject(x, "length", (double)sets->length);
    cJSON_AddNumberToObject(x, "block", (double)sets->block);
    return x;
}

static cJSON *pairing_json(const program *p, const reference_report *r, int d) {
    const pairing pair = pairing_of(p, r->statement, r->reference, d);
    const quantity sections = sections_shown(p, r, &pair);
    cJSON *x = cJSON_CreateObject();
    if (pair.number > 0)
        cJSON_AddNumberToObject(x, "case", pair.number);
    else
        cJSON_AddNullToObject(x, "case");
    cJSON_AddStringToObject(x, "method",
                            method_word(r->model ? pairing_method(p, r->statement, r->reference, &pair) : METHOD_NONE));
    if (pair.index >= 0) {
        const loop_index *index = &r->statement->index[pair.index];
        cJSON_AddStringToObject(x, "index", index->symbol ? index->symbol->name : index->name);
    }
    if (pair.home_dim >= 0) {
        add_quantity(x, "b1", &pair.b1);
        add_quantity(x, "s1", &pair.s1);
    }
    add_quantity(x, "b2", &pair.b2);
    if (pair.index >= 0) add_quantity(x, "s2", &pair.s2);
    if (r->model) add_quantity(x, "sections", &sections);
    closed_sets sets;
    if (r->model && closed_sets_of(p, r->statement, r->reference, d, &sets))
        cJSON_AddItemToObject(x, "sets", closed_sets_json(&sets));
    return x;
}

/* Subscripts that only the run time understands. */
static cJSON *inspector_json(void) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddNullToObject(x, "case");
    cJSON_AddStringToObject(x, "method", "inspector");
    return x;
}

static cJSON *formulas_json(const formulas *f) {
    cJSON *x = cJSON_CreateObject();
    add_quantity(x, "messages", &f->messages);
    if (f->elements.text) add_quantity(x, "elements", &f->elements);
    if (f->bytes.text) add_quantity(x, "bytes", &f->bytes);
    return x;
}

static cJSON *reference_json(const program *p, const reference_report *r) {
    cJSON *x = cJSON_CreateObject(), *dims = cJSON_CreateArray();
    const bool inspected = !strcmp(r->relation, "gather") || !strcmp(r->relation, "scatter");
    cJSON_AddStringToObject(x, "array", r->array->symbol->name);
    cJSON_AddStringToObject(x, "text", r->text);
    cJSON_AddStringToObject(x, "mapping", mapping_words(p->memory, r->array));
    cJSON_AddStringToObject(x, "access", r->written ? "write" : "read");
    cJSON_AddStringToObject(x, "relation", r->relation);
    add_text(x, "model", r->model);
    add_text(x, "why", r->why);
    add_text(x, "same_as", r->same_as);
    add_text(x, "inspected_with", r->inspected_with);
    for (int d = 0; r->reference && d < r->reference->rank; d++)
        cJSON_AddItemToArray(dims, inspected ? inspector_json() : pairing_json(p, r, d));
    cJSON_AddItemToObject(x, "dims", dims);
    if (r->formulas.messages.text) cJSON_AddItemToObject(x, "formulas", formulas_json(&r->formulas));
    if (r->reused) cJSON_AddTrueToObject(x, "reused");
    if (r->halo) cJSON_AddTrueToObject(x, "ghosts");
    if (!r->same_as) add_text(x, "pair", r->pair);
    if (r->model && !r->same_as) add_prediction_json(x, &r->predicted);
    return x;
}

static cJSON *statement_json(const program *p, const statement_report *s) {
    cJSON *x = cJSON_CreateObject(), *refs = cJSON_CreateArray(), *notes = cJSON_CreateArray();
    cJSON_AddNumberToObject(x, "line", s->line);
    cJSON_AddNumberToObject(x, "column", p->source->tokens[s->node->first].column);
    cJSON_AddStringToObject(x, "where", s->where);
    cJSON_AddStringToObject(x, "kind", s->kind);
    cJSON_AddStringToObject(x, "text", s->text);
    cJSON_AddNumberToObject(x, "executions", s->executions);
    for (size_t k = 0; k < s->references; k++) cJSON_AddItemToArray(refs, reference_json(p, &s->reference[k]));
    cJSON_AddItemToObject(x, "refs", refs);
    for (size_t k = 0; k < s->notes; k++) cJSON_AddItemToArray(notes, cJSON_CreateString(s->note[k]));
    cJSON_AddItemToObject(x, "notes", notes);
    add_prediction_json(x, &s->predicted);
    if (s->refreshed) {
        cJSON *refresh = cJSON_AddObjectToObject(x, "refresh");
        add_prediction_json(refresh, &s->refresh);
    }
    return x;
}

static cJSON *hint_json(const hint *h) {
    static const char *const about[] = {[HINT_BLOCKS] = "blocks", [HINT_INSPECTOR] = "inspector", [HINT_LOOP] = "loop"};
    cJSON *x = cJSON_CreateObject();
    cJSON_AddNumberToObject(x, "line", h->line);
    cJSON_AddStringToObject(x, "text", h->text);
    cJSON_AddStringToObject(x, "about", about[h->kind]);
    if (h->kind == HINT_LOOP) cJSON_AddNumberToObject(x, "last_line", h->last_line);
    if (h->predicted) {
        cJSON *predicted = cJSON_AddObjectToObject(x, "predicted");
        cJSON_AddNumberToObject(predicted, "before", h->before);
        cJSON_AddNumberToObject(predicted, "after", h->after);
    }
    return x;
}

/* ---- All */

void explain_json(FILE *out, program *p) {
    const report r = make_report(p);
    cJSON *root = cJSON_CreateObject(), *arrays = cJSON_CreateArray(), *statements = cJSON_CreateArray(),
          *hints = cJSON_CreateArray(), *grids = cJSON_CreateArray();
    cJSON_AddStringToObject(root, "file", p->source->path);
    if (p->np > 0) cJSON_AddNumberToObject(root, "processes", p->np);
    for (size_t k = 0; k < p->grid_count; k++)
        if (p->grids[k]->symbol) cJSON_AddItemToArray(grids, grid_json(p, p->grids[k]));
    cJSON_AddItemToObject(root, "grids", grids);
    for (size_t k = 0; k < p->array_count; k++) {
        cJSON *x = array_json(p, p->arrays[k]);
        add_views(p, x, p->arrays[k]);
        cJSON_AddItemToArray(arrays, x);
    }
    cJSON_AddItemToObject(root, "arrays", arrays);
    for (size_t k = 0; k < r.statements; k++) cJSON_AddItemToArray(statements, statement_json(p, &r.statement[k]));
    if (p->chosen_count > 0) cJSON_AddItemToObject(root, "blocks", block_groups_json(p));
    cJSON_AddItemToObject(root, "statements", statements);
    for (size_t k = 0; k < r.hints; k++) cJSON_AddItemToArray(hints, hint_json(&r.hint[k]));
    cJSON_AddItemToObject(root, "hints", hints);
    char *printed = cJSON_PrintUnformatted(root);
    if (!printed) abort();
    fprintf(out, "%s\n", as_utf8(p->memory, as_declared(p, printed)));
    free(printed);
    cJSON_Delete(root);
}
