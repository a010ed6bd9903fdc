/* --check=all: numbers in ordinary memory that a statement on distributed arrays reads, which are looked up among those
 * that differ where there are any:
 *
 *     A[i] = DPC_ALIKE("file.dpc:7:12", "w[k[i]]", w[k[i]]); */
#include <string.h>

#include "../analysis/model/model.h"
#include "../analysis/model/types.h"
#include "spmd.h"

/* Whether n is only a place: what is stored into, or whose address is taken. */
static bool is_no_value(const node *n) {
    const node *up = n->parent;
    while (up->kind == N_PAREN) n = up, up = up->parent;
    return (is_store(up) && up->child[0] == n) || up->kind == N_SIZEOF || up->kind == N_TYPEOF ||
           (up->kind == N_UNARY && !strcmp(up->op, "&"));
}

static bool is_number_in(const type *t) {
    return (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && t->of && t->of->kind == TYPE_ARITHMETIC;
}

/* Whether iterations read all of what stands between two elements, by a value of theirs: it is compared as a whole. */
bool is_read_whole(emitter *e, const node *n) {
    const foreseen *f = read_whole(e, n);
    return f && n->kind == N_INDEX && n->child[0]->kind == N_NAME && !is_no_value(n) &&
           !lower_bound(e, n->child[0], 0) && is_number_in(n->child[0]->symbol->type);
}

static bool is_bit_field(const node *n, const char *name) {
    if (n->kind == N_BIT_FIELD && n->count && n->child[0] && declared_name(n->child[0]) &&
        !strcmp(declared_name(n->child[0])->name, name))
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_bit_field(n->child[c], name)) return true;
    return false;
}

/* Whether a part of `base` is memory that the statement compares before. */
static bool is_compared(emitter *e, const node *base) {
    const node *statement = e->owned ? e->owned->node : outermost_forall(e->current->node);
    bool pointer = false;
    return has_object(e, statement ? statement : e->current->node, base_symbol(base, &pointer));
}

static bool is_in_bit_field(const node *n) {
    const type *t = n->kind == N_MEMBER ? n->child[0]->type : NULL;
    if (t && t->kind == TYPE_POINTER) t = t->of;
    return n->kind == N_MEMBER &&
           (!t || t->kind != TYPE_RECORD || is_bit_field(tag_definition((node *)t->record), n->name));
}

const char *alike_text(emitter *e, const node *n, const node *base, const char *value) {
    if (!e->p->check_all || e->serial || (!e->current && !e->owned) || n->made || is_read_whole(e, n) ||
        !is_compared(e, base))
        return value;
    return arena_format(e->memory, "DPC_ALIKE(%s, \"%s\", %s)", place_literal(e, n), escaped(e, quote(e, n)), value);
}

void rewrite_alike(emitter *e, node *n) {
    if (!e->p->check_all || !n->type || n->type->kind != TYPE_ARITHMETIC || is_no_value(n) || is_in_bit_field(n))
        return;
    const char *value = emit_node(e, n), *looked_at = alike_text(e, n, n, value);
    if (looked_at != value) replace(e, n, looked_at);
}
