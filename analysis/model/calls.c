/* Calls that the language gives a meaning: reductions and array intrinsics, and the types of reductions. */
#include <string.h>

#include "model.h"
#include "types.h"

/* ---- Reductions */

static const operation_facts operations[OPERATIONS] = {
#define OPERATION(name, call, values, start, type, combination, openmp, update)                                        \
    [OPERATION_##name] = {call, values, START_##start, COMBINES_##type, "DPC_" #combination, openmp, update},
#include "operations.def"
#undef OPERATION
};

const operation_facts *facts_of_operation(operation op) {
    return &operations[op];
}

static bool operation_named(const char *name, size_t length, operation *op) {
    for (int k = 0; k < OPERATIONS; k++)
        if (operations[k].name && strlen(operations[k].name) == length && !strncmp(operations[k].name, name, length)) {
            *op = (operation)k;
            return true;
        }
    return false;
}

bool reduction_call(const node *n, operation *op) {
    if (n->kind != N_CALL || n->child[0]->kind != N_NAME || n->child[0]->symbol) return false;
    return operation_named(n->child[0]->name, strlen(n->child[0]->name), op);
}

bool is_location(operation op) {
    return operations[op].type == COMBINES_PLACE;
}

bool is_extreme(operation op) {
    return operations[op].type == COMBINES_SAME || is_location(op);
}

bool is_floating(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC && !element_is_integer(t->element);
}

bool combines_in_order(const program *p, operation op, const type *t) {
    const bool rounds =
        op == OPERATION_SUM || op == OPERATION_PRODUCT || op == OPERATION_DOT_PRODUCT || op == OPERATION_MATMUL;
    return p->reproducible && rounds && is_floating(t);
}

node *mask_of_reduction(const node *call, const node *value) {
    operation op;
    if (!reduction_call(call, &op) || call->count < 2 || call->child[1]->kind != N_RANGE) return NULL;
    const size_t first = call->count - operations[op].values; /* of the values */
    bool found = false;
    for (size_t c = first; c < call->count; c++) found = found || call->child[c] == value;
    return found && call->child[first - 1]->kind != N_RANGE ? call->child[first - 1] : NULL;
}

/* Of what a reduction combines: a location's values, not its indices. */
type *type_of_combined(operation op, const node *call, const node *value) {
    if (operations[op].type == COMBINES_LONG) return type_of_element(ELEMENT_LONG);
    if (operations[op].type == COMBINES_INT) return type_of_element(ELEMENT_INT);
    if (!value->type || value->type->kind != TYPE_ARITHMETIC) return NULL;
    element e = value->type->element;
    if (operations[op].values > 1) {
        const type *t = call->child[call->count - 1]->type;
        if (!t || t->kind != TYPE_ARITHMETIC) return NULL;
        e = element_common(e, t->element);
    }
    return type_of_element(is_extreme(op) ? e : element_promoted(e));
}

type *type_of_reduction(operation op, const node *call) {
    const size_t values = operations[op].values;
    if (is_location(op)) return type_of_element(ELEMENT_LONG);
    return call->count > values ? type_of_combined(op, call, call->child[call->count - values]) : NULL;
}

/* ---- Array intrinsics */

static const char *const intrinsic_names[INTRINSICS] = {
#define INTRINSIC(name, call, reader, least, most, forms) [INTRINSIC_##name] = #call,
#include "intrinsics.def"
#undef INTRINSIC
};

static bool has_section(const node *n) {
    if (n->kind == N_TRIPLET) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_section(n->child[c])) return true;
    return false;
}

bool intrinsic_call(const node *n, intrinsic *kind) {
    if (n->kind != N_CALL || n->child[0]->kind != N_NAME || n->child[0]->symbol) return false;
    for (int k = 0; k < INTRINSICS; k++)
        if (!strcmp(n->child[0]->name, intrinsic_names[k])) {
            *kind = (intrinsic)k;
            return has_section(n);
        }
    return false;
}

bool parameter_is_constant(const symbol *f, size_t k) {
    const node *n = f->declarator;
    while (n && n->kind != N_FUNCTION) n = n->parent;
    if (!n || k + 1 >= n->count || n->child[k + 1]->kind != N_PARAMETER) return false;
    return specifiers_have(n->child[k + 1]->child[0], "const");
}

bool takes_constant(const node *call, const node *argument) {
    const node *f = inside_parentheses(call->child[0]);
    size_t k = 1;
    while (k < call->count && inside_parentheses(call->child[k]) != argument) k++;
    if (f->kind != N_NAME) return false;
    return f->symbol ? f->symbol->kind == SYMBOL_FUNCTION && parameter_is_constant(f->symbol, k - 1)
                     : k > 1 || library_function_result(f->name) != ELEMENTS;
}

bool prefix_call(const node *n, operation *op, bool *suffix) {
    intrinsic kind;
    operation found;
    if (!intrinsic_call(n, &kind) || kind < INTRINSIC_SUM_PREFIX) return false;
    const char *name = n->child[0]->name, *end = strrchr(name, '_');
    if (!operation_named(name, (size_t)(end - name), &found)) return false;
    if (op) *op = found;
    if (suffix) *suffix = !strcmp(end, "_suffix");
    return true;
}
