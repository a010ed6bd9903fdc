/* Private to the folder: who owns an element, from what --explain=json says of its array. */
#ifndef DPC_LSP_OWNERS_H
#define DPC_LSP_OWNERS_H

#include "server.h"

enum { MOST_DIMENSIONS = 15 };

/* The coordinate along its grid dimension of the process that owns index `k` of the dimension; -1: that is not known
 * while translating. */
long owner_along(const cJSON *explained, const cJSON *dimension, long k);
/* How many of the dimension's elements the process with that coordinate owns; -1: not known. */
long owned_along(const cJSON *explained, const cJSON *dimension, long coordinate);

/* When the owners along a dimension will be known, in words, where they are not; NULL: nothing is said of it. */
const char *late_owners(const cJSON *explained, const cJSON *dimension);

#endif
