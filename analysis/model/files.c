/* Calls that write or read files together: every process its own part of an array. */
#include <string.h>

#include "model.h"

static const file_facts facts[FILE_CALLS] = {
#define FILE_CALL(name, call, least, most, position, stores, forms)                                                    \
    [FILE_CALL_##name] = {#call, FILE_CALL_##name, least, most, position, stores, forms},
#include "files.def"
#undef FILE_CALL
};

const file_facts *file_call(const node *n) {
    if (n->kind != N_CALL || n->child[0]->kind != N_NAME || n->child[0]->symbol) return NULL;
    for (int k = 0; k < FILE_CALLS; k++)
        if (!strcmp(n->child[0]->name, facts[k].name)) return &facts[k];
    return NULL;
}
