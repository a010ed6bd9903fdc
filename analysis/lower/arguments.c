/* Pass "lower": arguments of array intrinsics and reductions. */
#include "lower.h"

void report_unknown_type(const program *p, const node *value) {
    diagnose(p->source, value, D_value_type, ast_quote(p->memory, p->source, value));
    diagnose_help("a cast gives it one: (double)(...)");
}

bool check_intrinsic_arguments(lowering *l, node *call, intrinsic kind) {
    static const struct {
        size_t least, most; /* arguments */
        const char *forms;
    } facts[INTRINSICS] = {
#define INTRINSIC(name, call, reader, least, most, forms) [INTRINSIC_##name] = {least, most, forms},
#include "../model/intrinsics.def"
#undef INTRINSIC
    };
    bool good = call->count - 1 >= facts[kind].least && call->count - 1 <= facts[kind].most;
    for (size_t c = 1; c < call->count; c++)
        good = good && call->child[c]->kind != N_RANGE && call->child[c]->kind != N_TYPE_NAME;
    if (!good) {
        diagnose(l->p->source, call, D_intrinsic_arguments, call->child[0]->name);
        diagnose_help("write %s", facts[kind].forms);
    }
    return good;
}

int dimension_argument(lowering *l, node *call, size_t c, int rank) {
    int64_t d = 1;
    if (c < call->count && !constant_value(call->child[c], &d)) {
        diagnose(l->p->source, call->child[c], D_intrinsic_dimension, call->child[0]->name);
        return -1;
    }
    if (d < 1 || d > rank) {
        diagnose(l->p->source, c < call->count ? call->child[c] : call, D_intrinsic_no_dimension, (long long)d, rank);
        return -1;
    }
    return (int)d - 1;
}
