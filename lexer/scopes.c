/* Scopes of typedef names (C11 6.2.1).  Only names that are or hide a typedef name are kept. */
#include <string.h>

#include "scan.h"

/* What a name means in the innermost scope that declares it; `outer` is its meaning outside. */
struct binding {
    bool is_typedef, of_header;
    size_t depth;
    binding *outer;
};

typedef struct {
    const char *name;
    binding *top;
} name_entry;

/* Open addressing; `capacity` is a power of two. */
struct names {
    name_entry *slots;
    size_t count, capacity;
};

/* One open scope: the names that it binds. */
struct scope {
    scope *outer;
    const char **bound;
    size_t count, capacity;
};

static name_entry *find(const struct names *n, const char *name) {
    size_t hash = 14695981039346656037U;
    for (const char *p = name; *p; p++) hash = (hash ^ (unsigned char)*p) * 1099511628211U;
    for (size_t i = hash & (n->capacity - 1);; i = (i + 1) & (n->capacity - 1))
        if (!n->slots[i].name || strcmp(n->slots[i].name, name) == 0) return &n->slots[i];
}

static void grow(lexer *l) {
    struct names old = *l->names;
    l->names->capacity *= 2;
    l->names->slots = arena_alloc(l->memory, l->names->capacity * sizeof *l->names->slots);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].name) *find(l->names, old.slots[i].name) = old.slots[i];
}

void lexer_push_scope(lexer *l) {
    scope *inner = arena_alloc(l->memory, sizeof *inner);
    inner->outer = l->scopes;
    l->scopes = inner;
    l->depth++;
}

void lexer_pop_scope(lexer *l) {
    if (l->depth <= 1) return;
    for (size_t i = l->scopes->count; i-- > 0;) {
        name_entry *e = find(l->names, l->scopes->bound[i]);
        if (e->top) e->top = e->top->outer;
    }
    l->scopes = l->scopes->outer;
    l->depth--;
}

static void declare_name(lexer *l, const char *name, bool is_typedef, bool of_header) {
    name_entry *e = find(l->names, name);
    if (!is_typedef && (!e->name || !e->top)) return;
    if (!e->name) {
        e->name = name;
        if (2 * ++l->names->count > l->names->capacity) grow(l);
        e = find(l->names, name);
    }
    if (e->top && e->top->depth == l->depth) {
        e->top->is_typedef = is_typedef;
        e->top->of_header = of_header;
        return;
    }
    binding *b = arena_alloc(l->memory, sizeof *b);
    *b = (binding){is_typedef, of_header, l->depth, e->top};
    e->top = b;
    scope *s = l->scopes;
    vector_add(l->memory, s->bound, s->count, s->capacity, name);
}

void lexer_declare(lexer *l, const char *name, bool is_typedef) {
    if (name) declare_name(l, name, is_typedef, false);
}

bool lexer_is_typedef(const lexer *l, const char *name) {
    const name_entry *e = find(l->names, name);
    return e->name && e->top && e->top->is_typedef;
}

bool lexer_is_of_header(const lexer *l, const char *name) {
    const name_entry *e = find(l->names, name);
    return e->name && e->top && e->top->is_typedef && e->top->of_header;
}

size_t lexer_depth(const lexer *l) {
    return l->depth;
}

void lexer_pop_to(lexer *l, size_t depth) {
    while (l->depth > depth && l->depth > 1) lexer_pop_scope(l);
}

void scopes_open(lexer *l, const char **typedefs) {
    l->names = arena_alloc(l->memory, sizeof *l->names);
    l->names->capacity = 1024;
    l->names->slots = arena_alloc(l->memory, l->names->capacity * sizeof *l->names->slots);
    lexer_push_scope(l);
    for (; typedefs && *typedefs; typedefs++) declare_name(l, *typedefs, true, true);
}
