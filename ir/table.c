/* Hash tables by address and by name. */
#include "table.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_SLOTS = 16 };

/* A way to take keys: as addresses, or as the text there. */
typedef struct {
    size_t (*hash)(const void *key);
    bool (*equal)(const void *x, const void *y);
} key_kind;

static size_t hash_of_address(const void *key) {
    const uint64_t mixed = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 20);
}

static bool same_address(const void *x, const void *y) {
    return x == y;
}

/* FNV-1a. */
static size_t hash_of_name(const void *key) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const unsigned char *c = key; *c; c++) hash = (hash ^ *c) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ (hash >> 32));
}

static bool same_name(const void *x, const void *y) {
    return !strcmp(x, y);
}

static const key_kind addresses = {hash_of_address, same_address}, words = {hash_of_name, same_name};

/* The slot of a key, or the free one where it would stand. */
static table_entry *find(const hash_table *t, key_kind kind, const void *key) {
    size_t slot = kind.hash(key) & (t->slots - 1);
    while (t->entry[slot].key && !kind.equal(t->entry[slot].key, key)) slot = (slot + 1) & (t->slots - 1);
    return &t->entry[slot];
}

/* At most half of the slots are taken. */
static void make_room(arena *a, hash_table *t, key_kind kind) {
    if (2 * (t->count + 1) <= t->slots) return;
    const hash_table old = *t;
    t->slots = old.slots ? 2 * old.slots : FIRST_SLOTS;
    t->entry = arena_alloc(a, t->slots * sizeof *t->entry);
    for (size_t k = 0; k < old.slots; k++)
        if (old.entry[k].key) *find(t, kind, old.entry[k].key) = old.entry[k];
}

static void put(arena *a, hash_table *t, key_kind kind, const void *key, const void *value) {
    make_room(a, t, kind);
    table_entry *e = find(t, kind, key);
    t->count += !e->key;
    if (!e->key) e->key = key;
    e->value = (void *)(uintptr_t)value;
}

void *table_at(const hash_table *t, const void *key) {
    return t->slots ? find(t, addresses, key)->value : NULL;
}

void table_put(arena *a, hash_table *t, const void *key, const void *value) {
    put(a, t, addresses, key, value);
}

void *names_at(const hash_table *t, const char *name) {
    return t->slots ? find(t, words, name)->value : NULL;
}

void names_put(arena *a, hash_table *t, const char *name, const void *value) {
    put(a, t, words, name, value);
}

bool is_listed(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at++)
        if (at > names && at[-1] == ' ' && at[length] == ' ') return true;
    return false;
}
