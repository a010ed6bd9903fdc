/* What calls do to the state that every process holds. */
#include <string.h>

#include "model.h"
#include "types.h"

bool is_store(const node *n) {
    return n->kind == N_ASSIGN || n->kind == N_POSTFIX ||
           (n->kind == N_UNARY && (!strcmp(n->op, "++") || !strcmp(n->op, "--")));
}

const symbol *base_symbol(const node *n, bool *pointer) {
    for (;;) switch ((int)n->kind) {
        case N_NAME:
            return n->symbol;
        case N_PAREN:
            n = n->child[0];
            break;
        case N_CAST:
            n = n->child[1];
            break;
        case N_INDEX:
            *pointer = *pointer || !n->child[0]->type || n->child[0]->type->kind != TYPE_ARRAY;
            n = n->child[0];
            break;
        case N_MEMBER:
            *pointer = *pointer || !strcmp(n->op, "->");
            n = n->child[0];
            break;
        case N_UNARY:
            if (strcmp(n->op, "*") != 0) return NULL;
            *pointer = true;
            n = n->child[0];
            break;
        case N_BINARY: /* p + k */
            n = n->child[1]->type && n->child[1]->type->kind == TYPE_POINTER ? n->child[1] : n->child[0];
            break;
        default:
            return NULL;
        }
}

/* The functions that were looked through, and what is known of the library's. */
typedef struct {
    const program *p;
    bool (*acts_alone)(const char *name);
    const symbol **seen;
    size_t count, capacity;
} search;

static const char *effect_within(search *x, const symbol *f);

static const char *effect_under(search *x, const node *n) {
    arena *a = x->p->memory;
    if (is_store(n)) {
        bool pointer = false;
        const symbol *s = base_symbol(inside_parentheses(n->child[0]), &pointer);
        if (s && s->kind == SYMBOL_VARIABLE && (s->file_scope || s->is_static))
            return arena_format(a, "assigns '%s', which every process holds", s->name);
    }
    if (n->kind == N_CALL && n->child[0]->kind == N_NAME) {
        const node *f = n->child[0];
        if (!f->symbol && !x->acts_alone(f->name))
            return arena_format(a, "calls '%s', which acts for the whole program", f->name);
        const char *effect = f->symbol && f->symbol->kind == SYMBOL_FUNCTION ? effect_within(x, f->symbol) : NULL;
        if (effect) return effect;
    }
    for (size_t k = 0; k < n->count; k++) {
        const char *effect = n->child[k] ? effect_under(x, n->child[k]) : NULL;
        if (effect) return effect;
    }
    return NULL;
}

static const char *effect_within(search *x, const symbol *f) {
    const symbol *defined = defined_function(x->p, f->name);
    if (!defined) return NULL;
    for (size_t k = 0; k < x->count; k++)
        if (x->seen[k] == defined) return NULL;
    vector_add(x->p->memory, x->seen, x->count, x->capacity, defined);
    return effect_under(x, defined->declaration->child[2]);
}

const char *effect_of(const program *p, const symbol *f, bool (*acts_alone)(const char *name)) {
    search x = {.p = p, .acts_alone = acts_alone};
    return effect_within(&x, f);
}

bool is_mathematics(const node *callee) {
    return callee->kind == N_NAME && !callee->symbol && strncmp(callee->name, "str", 3) != 0 &&
           strncmp(callee->name, "mem", 3) != 0 && strncmp(callee->name, "ato", 3) != 0 &&
           (library_function_result(callee->name) != ELEMENTS || !strcmp(callee->name, "abs"));
}

bool reads_anything(const node *n) {
    operation op;
    if (n->kind == N_CALL && !reduction_call(n, &op) && !is_mathematics(n->child[0])) return true;
    if (n->kind == N_MEMBER || (n->kind == N_UNARY && !strcmp(n->op, "*"))) return true;
    if (n->kind == N_NAME && n->symbol && !n->symbol->array && n->symbol->type && n->symbol->type->kind == TYPE_POINTER)
        return true;
    for (size_t c = n->kind == N_CALL ? 1 : 0; c < n->count; c++)
        if (n->child[c] && reads_anything(n->child[c])) return true;
    return false;
}

/* Whether a statement may change what an expression reads. */
bool may_change(const parallel *s, const node *n) {
    const symbol *left = s->left.symbol;
    if (!left || (!s->left.array && (!left->type || left->type->kind != TYPE_ARRAY))) return true;
    return mentions_symbol(n, left) || reads_anything(n);
}
