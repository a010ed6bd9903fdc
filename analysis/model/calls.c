/* Calls that the language gives a meaning: reductions and array intrinsics, and the types of reductions. */
#include <string.h>

#include "model.h"
#include "types.h"

/* ---- Reductions */

bool reduction_call(const node *n, operation *op) {
    static const char *const names[] = {"sum", "minval", "maxval",      "product", "count",
                                        "any", "all",    "dot_product", "minloc",  "maxloc"};
    if (n->kind != N_CALL || n->child[0]->kind != N_NAME || n->child[0]->symbol) return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(n->child[0]->name, names[k])) {
            *op = (operation)k;
            return true;
        }
    return false;
}

/* Values that a reduction combines in each iteration. */
size_t values_of_reduction(operation op) {
    return op == OPERATION_DOT_PRODUCT ? 2 : 1;
}

bool is_location(operation op) {
    return op == OPERATION_MINLOC || op == OPERATION_MAXLOC;
}

bool is_extreme(operation op) {
    return op == OPERATION_MINVAL || op == OPERATION_MAXVAL || is_location(op);
}

node *mask_of_reduction(const node *call, const node *value) {
    operation op;
    if (!reduction_call(call, &op) || call->count < 2 || call->child[1]->kind != N_RANGE) return NULL;
    const size_t first = call->count - values_of_reduction(op); /* of the values */
    bool found = false;
    for (size_t c = first; c < call->count; c++) found = found || call->child[c] == value;
    return found && call->child[first - 1]->kind != N_RANGE ? call->child[first - 1] : NULL;
}

/* Of what a reduction combines: a location's values, not its indices. */
type *type_of_combined(arena *memory, operation op, const node *call, const node *value) {
    if (op == OPERATION_COUNT) return type_of_element(memory, ELEMENT_LONG);
    if (op == OPERATION_ANY || op == OPERATION_ALL) return type_of_element(memory, ELEMENT_INT);
    if (!value->type || value->type->kind != TYPE_ARITHMETIC) return NULL;
    element e = value->type->element;
    if (op == OPERATION_DOT_PRODUCT) {
        const type *t = call->child[call->count - 1]->type;
        if (!t || t->kind != TYPE_ARITHMETIC) return NULL;
        e = element_common(e, t->element);
    }
    return type_of_element(memory, is_extreme(op) ? e : element_promoted(e));
}

type *type_of_reduction(arena *memory, operation op, const node *call) {
    if (is_location(op)) return type_of_element(memory, ELEMENT_LONG);
    return call->count > values_of_reduction(op) ? type_of_combined(memory, op, call, call->child[call->count - values_of_reduction(op)]) : NULL;
}

/* ---- Array intrinsics */

static const char *const intrinsic_names[] = {"cshift", "eoshift", "transpose", "spread", "matmul"};
enum { INTRINSICS = sizeof intrinsic_names / sizeof *intrinsic_names };

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
