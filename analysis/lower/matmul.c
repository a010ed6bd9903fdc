/* Pass "lower": matmul, an inner reduction over an index that the program does not name. */
#include <string.h>

#include "lower.h"
#include "../model/types.h"

/* Dimensions of an array expression; 0: it is a scalar. */
static int rank_of(node *n) {
    intrinsic kind;
    int rank = section_count(n);
    operation op;
    if (rank > 0 || reduction_call(n, &op)) return rank;
    if (intrinsic_call(n, &kind)) {
        if (kind == INTRINSIC_MATMUL && n->count > 2) return rank_of(n->child[1]) + rank_of(n->child[2]) - 2;
        return rank_of(n->child[1]) + (kind == INTRINSIC_SPREAD);
    }
    for (size_t c = 0; c < n->count && rank == 0; c++)
        if (n->child[c]) rank = rank_of(n->child[c]);
    return rank;
}

node *leading_section(node *n, int d, int *section) {
    intrinsic kind;
    operation op;
    *section = d;
    if (section_count(n) > 0) return n;
    if (reduction_call(n, &op)) return NULL;
    if (intrinsic_call(n, &kind)) {
        if (kind == INTRINSIC_MATMUL || kind == INTRINSIC_SPREAD) return NULL;
        return leading_section(n->child[1], kind == INTRINSIC_TRANSPOSE ? 1 - d : d, section);
    }
    for (size_t c = 0; c < n->count; c++) {
        node *found = n->child[c] ? leading_section(n->child[c], d, section) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* The ranks that HPF allows: 2 and 2, 2 and 1, 1 and 2; the product has the rank that stands here. */
static bool check_ranks(lowering *l, node *call, int left, int right) {
    if (left < 1 || left > 2 || right < 1 || right > 2 || left + right < 3) {
        diagnose(l->p->source, call, D_intrinsic_arguments, "matmul");
        diagnose_help("one is a matrix, the other a matrix or a vector; dot_product multiplies vectors");
        return false;
    }
    if (left + right - 2 == l->rank) return true;
    diagnose(l->p->source, call, D_section_rank, left + right - 2, plural(left + right - 2),
             ast_quote(l->p->memory, l->p->source, call), l->rank);
    return false;
}

static type *result_type(const node *call) {
    const type *t = call->type;
    return t && t->kind == TYPE_ARITHMETIC ? type_of_element(element_promoted(t->element)) : NULL;
}

/* An argument's dimensions go with sections of the statement; the one that is summed up, the last to be added, is the
 * only dimension of a vector. */
static void collect_argument(lowering *l, node *n, int rank, int first, int second) {
    lowering inner = *l;
    inner.rank = rank;
    inner.order[0] = rank == 2 ? first : l->sections - 1;
    inner.order[1] = second;
    collect_references(&inner, n);
}

void collect_matmul(lowering *l, node *call) {
    node *left = call->child[1], *right = call->child[2];
    const int left_rank = rank_of(left), right_rank = rank_of(right);
    int section;
    if (!check_ranks(l, call, left_rank, right_rank)) return;
    node *leading = leading_section(left, left_rank - 1, &section);
    if (l->reduction >= 0 || !leading) {
        diagnose(l->p->source, call, D_not_implemented,
                 l->reduction >= 0 ? "matmul inside a reduction or another matmul" : "matmul of spread or of matmul");
        return;
    }
    parallel *s = l->s;
    reduction r = {.operation = OPERATION_MATMUL, .call = call, .value = left, .factor = right};
    r.type = result_type(call);
    if (!r.type) report_unknown_type(l->p, call);
    r.in_place = l->guarded || l->mask >= 0 || l->in_place;
    r.statement_mask = l->mask;
    r.name = unique_name(l->p, arena_format(l->p->memory, "product_%d", l->p->source->tokens[call->first].line));
    lowering inner = *l;
    inner.reduction = (int)s->reductions;
    if (!add_section(&inner, leading, section)) return;
    vector_add(l->p->memory, s->reduction, s->reductions, s->reduction_capacity, r);
    const int reduced = inner.sections - 1;
    collect_argument(&inner, left, left_rank, l->order[0], reduced);
    collect_argument(&inner, right, right_rank, reduced, l->order[l->rank - 1]);
}
