/* Private to --check=all: values, and memory that processes compare. */
#ifndef DPC_DIVERGENCE_H
#define DPC_DIVERGENCE_H

#include "../agree.h"

/* How many bytes say the value; those behind are padding.  0: nothing is known of the type. (local) */
size_t dpc_bytes_of(dpc_type type);
/* A number as C writes it; "": of another kind. (local) */
void dpc_show(char *text, size_t room, dpc_type type, const void *value);

/* ---- differences.c */
/* The hash goes on with these objects; if there are any, nothing differs any more. (local) */
uint64_t dpc_hash_objects(uint64_t h, const char *where, int count, const dpc_object *objects);
/* Looks for the bytes that differ; the program goes on until it reads one, but for what functions read. (collective) */
void dpc_compare_objects(const char *where, int count, const dpc_object *objects);

#endif
