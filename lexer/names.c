/* What system headers know: asked about the names that the user's text doesn't declare. */
#include <string.h>

#include "preprocess.h"

/* `names`: what occurs in the headers as they are written; `expanded`: in their full expansion and in macros, NULL
 * until that is needed. */
struct header_names {
    arena *memory;
    const char *path;
    const preprocess_options *options;
    const macro_table *macros;
    word_set *names, *expanded;
    bool unknown; /* the full expansion could not be had */
};

header_names *header_names_new(arena *a, const char *path, const preprocess_options *options, word_set *names,
                               const macro_table *macros) {
    header_names *h = arena_alloc(a, sizeof *h);
    *h = (header_names){.memory = a, .path = path, .options = options, .macros = macros, .names = names};
    return h;
}

static bool has_macro(const header_names *h, const char *name) {
    return macros_find_ever(h->macros, name, strlen(name));
}

bool header_has_macro(const header_names *h, const char *name) {
    return h && has_macro(h, name);
}

static bool is_parameter(const macro *m, const pp_token *t) {
    for (size_t i = 0; i < m->parameter_count; i++)
        if (m->parameters[i].length == t->length && memcmp(m->parameters[i].text, t->text, t->length) == 0) return true;
    return false;
}

/* Names in the texts of system macros: some of these are expanded in the user's text. */
static void add_macro_bodies(const header_names *h) {
    for (size_t i = 0; i < macros_count(h->macros); i++) {
        macro *m = macros_at(h->macros, i);
        if (!m->system) continue;
        macro_parse(h->macros, m);
        for (size_t k = 0; k < m->body.count; k++) {
            const pp_token *t = &m->body.items[k];
            if (t->kind == PP_NAME && !is_parameter(m, t)) pp_words_add(h->expanded, t->text, t->length);
        }
    }
}

static void expand_headers(header_names *h) {
    size_t length;
    h->expanded = pp_words_new(h->memory);
    const char *bytes = run_compiler_fully(h->memory, h->path, h->options, &length);
    h->unknown = !bytes;
    if (!bytes) return;
    h->expanded = split_user_text(h->memory, h->memory, bytes, length, h->options && h->options->trigraphs).names;
    add_macro_bodies(h);
}

bool header_knows_directly(const header_names *h, const char *name) {
    return !h || pp_words_have(h->names, name, strlen(name)) || has_macro(h, name);
}

bool header_knows(header_names *h, const char *name) {
    if (header_knows_directly(h, name)) return true;
    if (!h->expanded) expand_headers(h);
    return h->unknown || pp_words_have(h->expanded, name, strlen(name));
}
