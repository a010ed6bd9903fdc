/* Calls of functions with distributed parameters: what happens to each argument. */
#include "report.h"

/* The mapping that the function gives the parameter; NULL: it inherits the argument's, or another source file decides.
 */
static const mapping *mapping_wanted(const array *x) {
    for (int d = 0; d < x->rank; d++)
        if (x->prototype && is_automatic(&x->mapping, d)) return NULL;
    return x->inherits ? NULL : &x->mapping;
}

static bool same_grid(const mapping *x, const mapping *y) {
    if (x->grid == y->grid) return true;
    if (!x->grid || !y->grid || x->grid->rank != y->grid->rank) return false;
    for (int g = 0; g < x->grid->rank; g++)
        if (x->grid->known[g] <= 0 || x->grid->known[g] != y->grid->known[g]) return false;
    return true;
}

/* Whether the mappings are the same whatever the number of processes. */
static bool same_mapping(const array *a, const mapping *x, const mapping *y) {
    return same_formats(a, x, y) && blocks_are_constant(a, x) && same_grid(x, y);
}

/* In the order of the parameters, from where the argument is to where the function wants it, and back. */
static void explain_remapping(const program *p, reference_report *x, const array *a, const mapping *to, bool back) {
    array after = *a;
    after.mapping = *to;
    x->relation = "sets";
    x->model = "conventional";
    x->formulas = redistribution_formulas(p, a);
    x->why = arena_format(p->memory, "remapped to %s%s, unless it lies so", mapping_text(p, &after),
                          back ? " and back" : "");
    x->predicted = predict_redistribution(p, a, &a->mapping, to);
    if (!blocks_are_constant(&after, to))
        x->predicted = unpredictable("the block size of the parameter is known at run time only");
    if (!back) return;
    x->formulas = both_formulas(p, x->formulas, redistribution_formulas(p, &after));
    if (x->predicted.unknown) return;
    const prediction home = predict_redistribution(p, a, to, &a->mapping);
    add_prediction(&x->predicted, &home);
}

/* Whether its formats do not say where it lies. */
static bool stands_elsewhere(const array *a) {
    return a->alignment && !a->plain;
}

static void explain_whole(const program *p, reference_report *x, const array *a, const array *wanted, bool back) {
    const mapping *to = wanted->inherits ? &a->mapping : mapping_wanted(wanted);
    x->relation = "local";
    if (wanted->redistributed || wanted->realigned) {
        x->relation = "sets";
        x->why = wanted->realigned ? "the function realigns it: a copy of its own"
                                   : "the function redistributes it: a copy of its own";
        x->predicted = unpredictable("what the function does with its copy is counted elsewhere");
    } else if (wanted->inherits) {
        x->why = "in place: the function works on any mapping";
        x->predicted = no_messages(p);
    } else if (a->dynamic || !to || stands_elsewhere(a) || stands_elsewhere(wanted)) {
        x->relation = "sets";
        x->why = arena_format(p->memory, "in place if it is mapped as '%s', else remapped%s", wanted->symbol->name,
                              back ? " and back" : "");
        x->predicted = unpredictable("both mappings are known at run time only");
    } else if (same_mapping(a, &a->mapping, to)) {
        x->why = arena_format(p->memory, "in place: mapped as parameter '%s'", wanted->symbol->name);
        x->predicted = no_messages(p);
    } else {
        explain_remapping(p, x, a, to, back);
    }
}

static void add_argument(report *r, statement_report *s, const node *call, size_t c) {
    const program *p = r->program;
    bool section;
    const array *x = parameter_array(call, c), *a = argument_array(call, c, &section);
    if (a && !section) a = array_at(p, inside_parentheses(call->child[c]));
    const bool back = argument_may_change(p, call, c);
    const array *wanted = defined_parameter(p, call, c);
    reference_report argument = {.array = a ? a : x, .written = back};
    argument.text = ast_quote(p->memory, p->source, call->child[c]);
    if (!wanted) wanted = x;
    if (a && !section) {
        explain_whole(p, &argument, a, wanted, back);
    } else {
        argument.relation = "sets";
        argument.model = "conventional";
        argument.why = a ? (back ? "a section: copied into an array of its own, and back"
                                 : "a section: copied into an array of its own")
                         : (back ? "ordinary memory: shared out, and every process gets the result"
                                 : "ordinary memory: shared out");
        argument.predicted = unpredictable("what such an argument moves is counted at run time only");
    }
    s->executions++;
    add_reference(r, s, argument);
}

/* What is written or read: in rows, each process its own. */
static void add_filed(report *r, statement_report *s, const node *call, size_t c) {
    const program *p = r->program;
    bool section;
    const bool stores = file_call(call)->stores;
    const array *a = argument_array(call, c, &section);
    if (!section) a = array_at(p, inside_parentheses(call->child[c]));
    reference_report argument = {.array = a, .written = stores, .relation = "sets", .model = "conventional"};
    argument.text = ast_quote(p->memory, p->source, call->child[c]);
    argument.why = stores ? "each process reads its part of the file, a block of rows, which goes to the owners"
                          : "the elements go to a block of rows of each process, unless they lie so; each writes its "
                            "own part of the file";
    argument.predicted = unpredictable("what a file's rows move is counted at run time only");
    s->executions++;
    add_reference(r, s, argument);
}

void add_call(report *r, const node *call) {
    statement_report *s = new_statement(r, "call", call);
    s->executions = 0;
    for (size_t c = 1; c < call->count; c++)
        if (parameter_array(call, c))
            add_argument(r, s, call, c);
        else if (filed_array(call, c))
            add_filed(r, s, call, c);
}
