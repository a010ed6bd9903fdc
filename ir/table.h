/* What belongs to a name or to an address, found by hashing; lists of names.  A table that is all 0 is empty; nothing
 * is taken out, but what belongs to a key can become NULL. */
#ifndef DPC_IR_TABLE_H
#define DPC_IR_TABLE_H

#include <stdbool.h>

#include "arena.h"

typedef struct {
    const void *key; /* NULL: the slot is free */
    void *value;
} table_entry;

typedef struct {
    table_entry *entry;
    size_t count, slots;
} hash_table;

/* What belongs to an address; NULL: nothing. */
void *table_at(const hash_table *t, const void *key);
void table_put(arena *a, hash_table *t, const void *key, const void *value);

/* The same of a name, which must live as long as the table. */
void *names_at(const hash_table *t, const char *name);
void names_put(arena *a, hash_table *t, const char *name, const void *value);

/* Whether a name stands in a list, with blanks around each. */
bool is_listed(const char *names, const char *name);

#endif
