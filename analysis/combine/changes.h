/* Private to the folder: where arrays and their mappings change. */
#ifndef DPC_ANALYSIS_CHANGES_H
#define DPC_ANALYSIS_CHANGES_H

#include "combine.h"

/* An empty one: filled by what is asked of `changes`. */
struct change_index *change_index_new(arena *a);
/* The innermost loop around n, or NULL. */
node *loop_around(const node *n);
/* Like changes, of the mapping alone. */
bool mapping_changes(const program *p, const node *n, const symbol *what, size_t from, size_t to);
/* Whether a loop around a call of the function f, there or further out, leaves the array as it is. */
bool is_called_in_quiet_loop(const program *p, const symbol *what, const node *f);

#endif
