/* What a program reaches of the library: from the names in its text over those in what they stand for. */
#include <string.h>
#include <strings.h>

#include "library.h"

typedef struct {
    library *library;
    const module *module; /* of the one who uses the names; NULL: the program */
    bool top;             /* definitions behind the program are not followed */
} walk;

static void reach_item(void *context, item *i);

static void reach_name(void *context, const char *name) {
    const walk *w = context;
    for_items_of(w->library, w->module, name, reach_item, context);
}

bool replaces_standard(const item *i) {
    return !strcmp(i->module->path, "standard.h") && i->define_count && strncmp(i->defines[0], "dpc_", 4) != 0;
}

static void reach_item(void *context, item *i) {
    walk w = *(const walk *)context;
    if (w.top ? i->top : i->needed) return;
    if (w.top && !i->module->header) return;
    const bool own = i->define_count && !strncasecmp(i->defines[0], "dpc_", 4);
    /* What standard.h does with the C library's names is for programs, and nothing else of theirs is the library's. */
    if (w.module ? replaces_standard(i) : !own && !replaces_standard(i)) return;
    i->needed = true;
    if (w.top) i->top = true;
    w.module = i->module;
    for (size_t k = 0; k < i->use_count; k++) reach_name(&w, i->uses[k]);
    for_pasted_names(w.library, i, reach_name, &w);
    if (w.top) return;
    for (size_t k = 0; k < i->quote_count; k++)
        names_put(w.library->memory, w.library->quoted, i->quotes[k], i->quotes[k]);
}

void reach_from(library *l, const char *const *words, size_t count) {
    walk top = {l, NULL, true}, all = {l, NULL, false};
    for (size_t k = 0; k < count; k++) reach_name(&all, words[k]);
    for (size_t k = 0; k < count; k++) reach_name(&top, words[k]);
}
