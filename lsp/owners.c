/* Who owns an element, from what --explain=json says of its array. */
#include "owners.h"

#include <string.h>

static const cJSON *array_named(const cJSON *explained, const char *name) {
    const cJSON *x;
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(explained, "arrays")) {
        const char *found = cJSON_GetStringValue(cJSON_GetObjectItem(x, "name"));
        if (found && name && !strcmp(found, name)) return x;
    }
    return NULL;
}

static bool number(const cJSON *x, const char *name, long *value) {
    const cJSON *item = cJSON_GetObjectItem(x, name);
    if (!cJSON_IsNumber(item)) return false;
    *value = (long)item->valuedouble;
    return true;
}

/* Where element k stands, counted from the first element of what is divided. */
static bool position_of(const cJSON *explained, const cJSON *dimension, long k, long *position) {
    const cJSON *aligned = cJSON_GetObjectItem(dimension, "aligned");
    long lower, stride, offset, target;
    if (!aligned) {
        if (!number(dimension, "lower", &lower)) return false;
        *position = k - lower;
        return true;
    }
    const cJSON *end = array_named(explained, cJSON_GetStringValue(cJSON_GetObjectItem(aligned, "with")));
    if (!end || !number(aligned, "stride", &stride) || !number(aligned, "offset", &offset) ||
        !number(aligned, "dimension", &target))
        return false;
    if (!number(cJSON_GetArrayItem(cJSON_GetObjectItem(end, "dims"), (int)target - 1), "lower", &lower)) return false;
    *position = stride * k + offset - lower;
    return true;
}

/* The interval that has it, of a gen_block's: one for each process. */
static long interval_of(const cJSON *sizes, long position) {
    const cJSON *x;
    long process = 0;
    cJSON_ArrayForEach(x, sizes) {
        position -= (long)x->valuedouble;
        if (position < 0) return process;
        process++;
    }
    return -1;
}

/* What is divided: the dimension, or the one that it is aligned with. */
static const cJSON *what_is_divided(const cJSON *explained, const cJSON *dimension) {
    const cJSON *aligned = cJSON_GetObjectItem(dimension, "aligned");
    long target;
    if (!aligned || !number(aligned, "dimension", &target)) return dimension;
    const cJSON *end = array_named(explained, cJSON_GetStringValue(cJSON_GetObjectItem(aligned, "with")));
    return cJSON_GetArrayItem(cJSON_GetObjectItem(end, "dims"), (int)target - 1);
}

static const cJSON *sizes_of(const cJSON *explained, const cJSON *dimension) {
    return cJSON_GetObjectItem(what_is_divided(explained, dimension), "sizes");
}

const char *late_owners(const cJSON *explained, const cJSON *dimension) {
    return cJSON_GetStringValue(cJSON_GetObjectItem(what_is_divided(explained, dimension), "owners"));
}

long owner_along(const cJSON *explained, const cJSON *dimension, long k) {
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItem(dimension, "format"));
    const cJSON *sizes = sizes_of(explained, dimension);
    long position, block, processes;
    if (sizes)
        return position_of(explained, dimension, k, &position) && position >= 0 ? interval_of(sizes, position) : -1;
    if (!format || !number(dimension, "block", &block) || block < 1) return -1;
    if (!position_of(explained, dimension, k, &position) || position < 0) return -1;
    if (!strcmp(format, "block")) return position / block;
    if (strcmp(format, "cyclic") != 0 || !number(dimension, "processes", &processes) || processes < 1) return -1;
    return position / block % processes;
}

long owned_along(const cJSON *explained, const cJSON *dimension, long coordinate) {
    enum { MOST_COUNTED = 1 << 20 };
    long lower, extent, owned = 0;
    if (!number(dimension, "lower", &lower) || !number(dimension, "extent", &extent) || extent > MOST_COUNTED)
        return -1;
    for (long k = lower; k < lower + extent; k++) {
        const long owner = owner_along(explained, dimension, k);
        if (owner < 0) return -1;
        owned += owner == coordinate;
    }
    return owned;
}
