/* Which warnings are on, and which are errors. */
#include "warnings.h"

#include <stddef.h>
#include <string.h>

typedef enum { ALWAYS, WALL } group;
typedef enum { UNSAID, YES, NO } answer;

static const struct {
    const char *name;
    group group;
    const char *about;
} warnings[] = {
#define WARNING(id, name, group, about) {name, group, about},
#include "warnings.def"
#undef WARNING
};

/* What the options said: of each name, and of all. */
static struct { answer on, error; } said[W_COUNT];
static bool silent, all, all_errors;

bool warning_is_on(warning_id id) {
    if (silent || said[id].on == NO) return false;
    return said[id].on == YES || warnings[id].group == ALWAYS || all;
}

bool warning_is_error(warning_id id) {
    return said[id].error == YES || (said[id].error == UNSAID && all_errors);
}

const char *warning_name(warning_id id) {
    return warnings[id].name;
}

const char *warning_about(warning_id id, bool *with_wall) {
    *with_wall = warnings[id].group == WALL;
    return warnings[id].about;
}

static warning_id named(const char *name) {
    for (int k = 0; k < W_COUNT; k++)
        if (strcmp(warnings[k].name, name) == 0) return (warning_id)k;
    return W_ERROR;
}

/* What follows `prefix` in *word becomes *word; false: it does not begin so. */
static bool take(const char **word, const char *prefix) {
    const size_t length = strlen(prefix);
    if (strncmp(*word, prefix, length) != 0) return false;
    *word += length;
    return true;
}

/* error=NAME, no-error=NAME. */
static warning_option set_error(const char *name, bool wanted) {
    const warning_id id = named(name);
    if (id == W_ERROR) return NOT_OWN;
    said[id].error = wanted ? YES : NO;
    if (wanted) said[id].on = YES;
    return OWN;
}

warning_option set_warning_option(const char *word) {
    if (strcmp(word, "-w") == 0) return silent = true, BOTH;
    if (!take(&word, "-W")) return NOT_OWN;
    const bool wanted = !take(&word, "no-");
    if (strcmp(word, "all") == 0) return all = wanted, BOTH;
    if (strcmp(word, "error") == 0) return all_errors = wanted, BOTH;
    if (take(&word, "error=")) return set_error(word, wanted);
    const warning_id id = named(word);
    if (id == W_ERROR) return NOT_OWN;
    said[id].on = wanted ? YES : NO;
    return OWN;
}
