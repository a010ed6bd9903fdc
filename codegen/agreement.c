/* --check=all: what is compared before a statement is executed. */
#include <string.h>

#include "spmd.h"

/* ---- Variables of which every process has a copy */

typedef struct {
    emitter *e;
    const node *statement;
    const char **place; /* the C text of each */
    size_t count, capacity;
} replicas;

static bool is_register(const emitter *e, const symbol *s) {
    const token *t = e->p->source->tokens;
    for (size_t k = s->declaration->first; k < s->declarator->first; k++)
        if (!strcmp(t[k].text, "register")) return true;
    return false;
}

/* What the statement itself assigns may be each process's own: private(...), reduction(...). */
static bool is_assigned_in_statement(const symbol *s, const node *n) {
    for (size_t k = 0; k < s->assignments; k++)
        if (s->assignment[k]->first >= n->first && s->assignment[k]->first <= n->last) return true;
    return counts_loop_in(n, s);
}

/* Whether the variable is visible where the statement begins: not one of a loop's body that has become the statement.
 */
static bool is_declared_around(const symbol *s, const node *statement) {
    const node *n = statement->parent;
    while (n && n != s->scope) n = n->parent;
    return n != NULL;
}

static bool is_replica(const replicas *x, const symbol *s) {
    return s && s->kind == SYMBOL_VARIABLE && !s->array && s->declaration && s->type &&
           s->type->kind == TYPE_ARITHMETIC && is_declared_around(s, x->statement) &&
           !is_assigned_in_statement(s, x->statement) && !is_register(x->e, s);
}

static bool counts_from_zero(const node *base) {
    return base->type && base->type->kind == TYPE_ARRAY && !base->type->array->child[1];
}

/* Whether n.member, or the element that constants name, is a number of a variable that every process has. */
static bool is_part_of_replica(const replicas *x, const node *n) {
    if (!n->type || n->type->kind != TYPE_ARITHMETIC || n->made) return false;
    while (n->kind != N_NAME) {
        int64_t value;
        if (n->kind == N_MEMBER && strcmp(n->op, ".") != 0) return false;
        if (n->kind == N_INDEX && (!constant_value(n->child[1], &value) || !counts_from_zero(n->child[0])))
            return false;
        if (n->kind != N_MEMBER && n->kind != N_INDEX && n->kind != N_PAREN) return false;
        n = n->child[0];
    }
    const symbol *s = n->symbol;
    return s && s->kind == SYMBOL_VARIABLE && !s->array && s->declaration && s->type &&
           (s->type->kind == TYPE_RECORD || s->type->kind == TYPE_ARRAY) && is_declared_around(s, x->statement) &&
           !is_assigned_in_statement(s, x->statement) && !is_register(x->e, s);
}

static void add_place(replicas *x, const char *place) {
    for (size_t k = 0; k < x->count; k++)
        if (!strcmp(x->place[k], place)) return;
    vector_add(x->e->memory, x->place, x->count, x->capacity, place);
}

static void find_replicas(replicas *x, const node *n) {
    if (n->kind == N_SIZEOF) return;
    if (n->kind == N_NAME && is_replica(x, n->symbol)) add_place(x, n->symbol->name);
    const bool part = (n->kind == N_MEMBER || n->kind == N_INDEX) && is_part_of_replica(x, n);
    if (part) add_place(x, ast_quote(x->e->memory, x->e->p->source, n));
    for (size_t c = 0; c < n->count && !part; c++)
        if (n->child[c]) find_replicas(x, n->child[c]);
}

static const char *comparison_text(const replicas *x, const node *n) {
    text out;
    text_start(&out, x->e->memory);
    for (size_t k = 0; k < x->count; k++) {
        const char *name = x->place[k];
        const bool part = strpbrk(name, ".[") != NULL; /* perhaps a bit-field, which has no address */
        const char *value = part ? arena_format(x->e->memory, "(__typeof__(+%s)){%s}", name, name) : name;
        text_format(&out, "%s{\"%s\", dpc_type_of(%s%s), (const void *)&%s}", k ? ", " : "", name, part ? "+" : "",
                    name, value);
    }
    return arena_format(x->e->memory, "dpc_agree(%s, %d, (const dpc_replicated[]){%s});", place_literal(x->e, n),
                        (int)x->count, text_of(&out));
}

static void add_statement(replicas *x, const node *n) {
    const node *outermost = outermost_forall(n);
    x->statement = outermost ? outermost : n;
    find_replicas(x, x->statement);
}

void emit_agreement(emitter *e, const group *g) {
    replicas x = {.e = e};
    for (const group *part = g; e->p->check_all && part; part = part->next)
        for (size_t k = 0; k < part->actions; k++) add_statement(&x, part->action[k].statement->node);
    if (x.count > 0) emit_line(e, "%s", comparison_text(&x, x.statement));
}

void emit_agreement_of(emitter *e, const node *n) {
    replicas x = {.e = e};
    if (!e->p->check_all) return;
    add_statement(&x, n);
    if (x.count > 0) emit_line(e, "%s", comparison_text(&x, n));
}

const char *agreement_text(emitter *e, const node *n) {
    replicas x = {.e = e};
    if (!e->p->check_all) return "";
    add_statement(&x, n);
    return x.count > 0 ? arena_format(e->memory, "%s\n", comparison_text(&x, n)) : "";
}

/* ---- Elements that are assigned */

static const char *recorded_name(emitter *e, const parallel *s) {
    return arena_format(e->memory, "\1%s_assigned", s->left.symbol->name);
}

static int own_indices(const parallel *s) {
    int count = 0;
    while (count < s->indices && s->index[count].reduction < 0) count++;
    return count;
}

code *open_recording(emitter *e, const parallel *s) {
    code *around = open_block_with(e, "no element of %s is to be assigned twice", s->left.symbol->name);
    emit_line(e, "dpc_assignments %s = {0};", recorded_name(e, s));
    return around;
}

void emit_recorded(emitter *e, const parallel *s) {
    text subscripts, values;
    text_start(&subscripts, e->memory);
    text_start(&values, e->memory);
    for (int d = 0; d < s->left.rank; d++)
        text_format(&subscripts, "%s%s", d ? ", " : "", subscript_text(e, s, &s->left.subscript[d]));
    for (int k = 0; k < own_indices(s); k++) text_format(&values, "%s%s", k ? ", " : "", s->index[k].name);
    emit_line(e, "dpc_assigns(&%s, %s, (const dpc_index[]){%s}, %d, (const dpc_index[]){%s});", recorded_name(e, s),
              s->left.array->address, text_of(&subscripts), own_indices(s), text_of(&values));
}

void close_recording(emitter *e, const parallel *s, code *around) {
    text names;
    text_start(&names, e->memory);
    for (int k = 0; k < own_indices(s); k++) text_format(&names, "%s\"%s\"", k ? ", " : "", s->index[k].name);
    emit_line(e, "dpc_check_assignments(&%s, %s, %s, %d, (const char *const[]){%s});", recorded_name(e, s),
              place_literal(e, s->node), s->left.array->address, own_indices(s), text_of(&names));
    close_block(e, around);
}
