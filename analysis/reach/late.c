/* Redistributions at the end of a loop's body whose next iteration begins with another one of the array: only the one
 * of the last iteration is of use, so it is executed behind the loop. (docs/mappings.md, section 4) */
#include "reach.h"

/* Whether n may use the array, or what moves along with it. */
static bool may_touch(const node *n, const array *a) {
    const array *named = (n->kind == N_NAME || n->kind == N_ENTITY) && n->symbol ? n->symbol->array : NULL;
    const symbol *f = n->kind == N_CALL ? called_function(n) : NULL;
    if (named && moves_along(named->origin, a->origin)) return true;
    if (n->kind == N_CALL && inside_parentheses(n->child[0])->kind != N_NAME) return true;
    if (f && (f->uses_distributed || f->calls_unknown)) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && may_touch(n->child[c], a)) return true;
    return false;
}

/* Whether control may leave n, or come into it, in other ways than loops have; behind setjmp nothing is known. */
static bool has_jumps(const node *n) {
    static const node_kind kinds[] = {N_RETURN, N_GOTO, N_LABEL, N_CASE, N_DEFAULT, N_ASM, N_STATEMENT_EXPRESSION};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (n->kind == kinds[k]) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && has_jumps(n->child[c])) return true;
    return false;
}

static const node *entity_of(const node *directive, const array *a) {
    for (size_t c = 2; directive->kind == N_REDISTRIBUTE && c < directive->count; c++)
        if (directive->child[c]->symbol && same_array(directive->child[c]->symbol->array, a))
            return directive->child[c];
    return NULL;
}

/* The entity of another redistribution of the array with which the loop's body begins, as far as that is concerned;
 * NULL: it begins otherwise. */
static const node *beginning(const program *p, const node *body, const node *directive, const array *a) {
    for (size_t c = 0; c < body->count; c++) {
        const node *n = body->child[c], *entity = n ? entity_of(n, a) : NULL;
        if (n == directive) return NULL;
        if (entity) {
            const remapping_kind kind = remapping_at(p, entity)->kind;
            return kind == REMAPPING_MOVES || kind == REMAPPING_DEAD ? entity : NULL;
        }
        if (n && may_touch(n, a)) return NULL;
    }
    return NULL;
}

/* Whether it means the same behind the loop. */
static bool stays_the_same(program *p, node *directive, node *entity, const array *a) {
    const mapping m = redistribution_mapping(p, directive, entity);
    const bool fixed = blocks_are_constant(a, &m) && !has_automatic(a, &m);
    return fixed && (!m.grid || (m.grid->symbol->file_scope && !m.grid->part));
}

static bool heads_touch(const node *loop, const node *body, const array *a) {
    for (size_t c = 0; c < loop->count; c++)
        if (loop->child[c] && loop->child[c] != body && may_touch(loop->child[c], a)) return true;
    return false;
}

static bool is_late(program *p, const node *loop, const node *body, node *directive, node *entity) {
    const array *a = entity->symbol ? entity->symbol->array : NULL;
    return a && !a->alignment && !a->realigned && !a->shared && !a->dynamic &&
           remapping_at(p, entity)->kind == REMAPPING_MOVES && stays_the_same(p, directive, entity, a) &&
           !heads_touch(loop, body, a) && beginning(p, body, directive, a);
}

static node *body_of_loop(const node *n) {
    if (n->kind == N_FOR || n->kind == N_WHILE) return n->child[n->count - 1];
    return n->kind == N_DO ? n->child[0] : NULL;
}

/* The directives at the end of a body. */
static void look_at_loop(program *p, node *loop) {
    node *body = body_of_loop(loop);
    if (!body || body->kind != N_COMPOUND || loop->parent->kind != N_COMPOUND || has_jumps(loop)) return;
    for (size_t c = body->count; c > 0 && body->child[c - 1] && body->child[c - 1]->kind == N_REDISTRIBUTE; c--) {
        node *directive = body->child[c - 1];
        bool late = true;
        for (size_t k = 2; k < directive->count; k++)
            late = late && is_late(p, loop, body, directive, directive->child[k]);
        for (size_t k = 2; late && k < directive->count; k++) {
            change_remapping(p, beginning(p, body, directive, directive->child[k]->symbol->array))->again = true;
            change_remapping(p, directive->child[k])->kind = REMAPPING_LATE;
        }
        if (late) add_late(p, loop, directive);
    }
}

void find_late(program *p, node *n) {
    look_at_loop(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_late(p, n->child[c]);
}
