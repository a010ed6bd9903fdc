/* Pass "resolve", uses of a distributed array's name alone: what is meant, and how it is written. */
#include <string.h>

#include "../model/model.h"
#include "resolve.h"

const char *subscripted_all(const program *p, const array *a, const char *inside) {
    text out;
    text_start(&out, p->memory);
    text_add(&out, a->symbol->name);
    for (int d = 0; d < a->rank; d++) text_format(&out, "[%s]", inside);
    return text_of(&out);
}

/* Of a function that the program declares: the name of parameter k; NULL: it has none. */
static const char *parameter_name(const symbol *f, size_t k) {
    const node *declares = f && f->declarator ? f->declarator->parent : NULL;
    if (!declares || declares->kind != N_FUNCTION || declares->count <= k + 1) return NULL;
    const node *d = declares->child[k + 1]->kind == N_PARAMETER ? declares->child[k + 1]->child[1] : NULL;
    while (d && d->kind != N_DECL_NAME) d = d->count ? d->child[0] : NULL;
    return d ? d->name : NULL;
}

/* What stands in place of a call that gets the array as an argument. */
static void help_argument(const program *p, const node *name, const node *call) {
    const array *a = name->symbol->array;
    const char *called = call->child[0]->kind == N_NAME ? call->child[0]->name : "",
               *whole = subscripted_all(p, a, ":");
    const symbol *f = called_function(call);
    size_t k = 1;
    while (k < call->count && call->child[k] != name) k++;
    if (f) {
        const char *parameter = parameter_name(f, k - 1);
        if (!parameter) parameter = "X";
        diagnose_help("give its parameter all extents, as in double %s[n], and let it take the argument's mapping: the "
                      "function's "
                      "body begins with #pragma dpc inherit %s",
                      parameter, parameter);
    } else if (!strcmp(called, "memset"))
        diagnose_help("all elements at once: %s = 0;", whole);
    else if (!strcmp(called, "memcpy") || !strcmp(called, "memmove"))
        diagnose_help("all elements at once: an array assignment, as in %s = ...;", whole);
    else if (!strncmp(called, "MPI_", 4))
        diagnose_help("dpcc makes the messages; what needs MPI stands in a function with '#pragma dpc extrinsic', "
                      "which gets a view of each "
                      "process's part");
    else
        diagnose_help("a C function takes elements, as in %s; one with '#pragma dpc extrinsic' gets a view of each "
                      "process's part",
                      subscripted_all(p, a, "i"));
}

/* What is meant by the array's name alone. */
static void help_bare(const program *p, const node *name, const node *context) {
    const array *a = name->symbol->array;
    const char *whole = subscripted_all(p, a, ":"), *one = subscripted_all(p, a, "i");
    const bool called = context && context->kind == N_CALL && context->child[0] == name;
    const bool stored = context && context->kind == N_ASSIGN && !first_section(context->child[0]);
    if (called)
        diagnose_help("an element stands in brackets, as in %s, and a section as in %s", one,
                      subscripted_all(p, a, "lower:upper"));
    else if ((context && context->kind == N_INIT_DECLARATOR) ||
             (stored && context->child[0] != name && !(context->child[0]->symbol && context->child[0]->symbol->array)))
        diagnose_help("no pointer leads to the elements, which other processes have: they are named, %s, or the array "
                      "is an argument for a "
                      "distributed parameter",
                      one);
    else if (stored)
        diagnose_help("the whole array is %s, and an assignment of it copies all elements; in place of exchanging "
                      "pointers, iterations come "
                      "in pairs",
                      whole);
    else
        diagnose_help("the whole array is %s", whole);
}

/* An argument of a function whose declarations differ in that parameter, which is an error there. */
static bool is_settled_elsewhere(const program *p, const node *name, const node *call) {
    const symbol *f = call->child[0]->symbol;
    for (size_t c = 1; f && f->kind == SYMBOL_FUNCTION && c < call->count; c++)
        if (inside_parentheses(call->child[c]) == name) return declarations_disagree(p, f, c - 1);
    return false;
}

void report_bare_use(const program *p, node *name, const node *context) {
    const array *a = name->symbol->array;
    operation op;
    const bool argument =
        context && context->kind == N_CALL && context->child[0] != name && !reduction_call(context, &op);
    if (argument && is_settled_elsewhere(p, name, context)) return;
    diagnose(p->source, name, argument ? D_passed_array : D_bare_use, name->name);
    diagnose_note(p->source, a->directive, "'%s' is distributed here", name->name);
    if (argument)
        help_argument(p, name, context);
    else
        help_bare(p, name, context);
}
