/* Warnings of values that a statement copies, with all that a process has of them, though they would be read in place
 * if the arrays were known to be divided alike. */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

/* Whether two dimensions have home's subscript but for a constant that ghost cells serve. */
static bool are_near(const program *p, const reference *r, int e, const reference *home, int d) {
    const subscript *u = &r->subscript[e], *v = &home->subscript[d];
    const linear at = linear_subtract(p->memory, u->offset, origin_of(p, r->array, e));
    const linear other = linear_subtract(p->memory, v->offset, origin_of(p, home->array, d));
    const linear between = linear_subtract(p->memory, at, other);
    const int64_t most = r->array->dynamic || in_one_block(&r->array->mapping, e) ? MOST_DISTANCE : 0;
    if (u->kind != SUBSCRIPT_AFFINE || v->kind != SUBSCRIPT_AFFINE) return false;
    return u->index == v->index && linear_equal(&u->stride, &v->stride) && linear_is_constant(&between) &&
           llabs(between.constant) <= most;
}

/* Whether each dimension of r that is divided would be home's, in the order of the grid. */
static bool would_stand(const program *p, const reference *home, const reference *r) {
    const array *a = home->array, *b = r->array;
    const bool all = a->dynamic || b->dynamic; /* any dimension may be divided */
    int d = all ? 0 : next_distributed(a, 0), e = all ? 0 : next_distributed(b, 0);
    if (d == a->rank || e == b->rank || (all && a->rank != b->rank)) return false;
    while (d < a->rank && e < b->rank) {
        if (!are_near(p, r, e, home, d)) return false;
        d = all ? d + 1 : next_distributed(a, d + 1);
        e = all ? e + 1 : next_distributed(b, e + 1);
    }
    return d == a->rank && e == b->rank;
}

/* Whether all divided dimensions have one block for each process. */
static bool is_in_blocks(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (divides(&a->mapping, d) && (!in_one_block(&a->mapping, d) || written_block(&a->mapping, d))) return false;
    return !has_tables(a) && !a->alignment;
}

/* Whether copying is what the statement is for. */
static bool is_copy(const parallel *s, const reference *r) {
    return s->kind == PARALLEL_ASSIGNMENT && !s->member && !strcmp(s->op, "=") &&
           inside_parentheses(s->value) == r->node;
}

/* Whether other versions of the statement are for arrays that are divided alike. */
static bool has_better_version(const program *p, const parallel *s) {
    size_t number;
    const versions *v = versions_around(p, s->node, &number);
    return v && (v->likes > 0 || v->general) && number + 1 == v->count;
}

/* Why r is not read in place, in words, and what would change it. */
typedef struct {
    const char *why, *remedy; /* NULL: it stands elsewhere, as far as that is known */
} reason;

static reason unknown_mapping(const program *p, const array *a) {
    const char *why =
        arena_format(p->memory, "'%s' %s, so its mapping is known at run time only", a->symbol->name, why_dynamic(a));
    if (a->inherits) return (reason){why, "'distribute' in place of 'inherit' says which mapping it has"};
    if (a->redistributed && !a->shared)
        return (reason){why, "with constant block sizes it is compiled for each of up to four mappings"};
    return (reason){why, "an array of one source file, or a parameter with 'distribute', has a known mapping"};
}

static reason reason_of_copy(const program *p, const reference *home, const reference *r) {
    const array *a = home->array, *b = r->array;
    const array *unknown = b->dynamic && !b->apart ? b : a->dynamic && !a->apart ? a : NULL;
    const char *first = a->symbol->name, *second = b->symbol->name;
    likeness x;
    if (unknown) return unknown_mapping(p, unknown);
    if (a->dynamic || b->dynamic || a->mapping.grid != b->mapping.grid) return (reason){NULL, NULL};
    if (are_divided_alike(p, a, b, &x) == ALIKE_SOMETIMES)
        return (reason){
            arena_format(p->memory, "only the program knows whether '%s' is divided as '%s'", second, first),
            "the same constants or variables in both mappings are known to be equal"};
    if (is_in_blocks(a) && is_in_blocks(b))
        return (reason){
            arena_format(p->memory, "blocks of '%s' and '%s', which have other extents, end elsewhere", second, first),
            "'align' one with the other, or give both the same block size"};
    return (reason){NULL, NULL};
}

/* Why r is copied, though it would be read in place if more were known; no reason: it is not. */
static reason reason_to_warn(const program *p, const parallel *s, const reference *r) {
    const reference *home = home_of(s);
    if (!r->array || r->placed.relation != RELATION_SETS || r->cycles > 0 || r->placed.move == MOVE_BROADCAST ||
        r->placed.operand != OPERAND_NONE || is_copy(s, r) || !would_stand(p, home, r))
        return (reason){NULL, NULL};
    return reason_of_copy(p, home, r);
}

/* Each array is named once: values of a loop's own variables stand in the statement as often as these do. */
void warn_of_copies(const program *p, const parallel *s) {
    const reference *home = home_of(s);
    if (p->serial || p->sets != METHOD_NONE || p->model != COMM_AUTO || !home || !home->array) return;
    if (has_better_version(p, s)) return;
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        const reason x = reason_to_warn(p, s, r);
        bool said = !x.why;
        for (size_t j = 0; j < k && !said; j++)
            said = s->reference[j].array == r->array && reason_to_warn(p, s, &s->reference[j]).why;
        if (said) continue;
        diagnose(p->source, r->node, D_whole_copy, r->symbol->name, x.why);
        diagnose_help("%s", x.remedy);
    }
}
