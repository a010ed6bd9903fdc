/* Which of the user's macros stay in the output: constants, whose names mean the same wherever they stand. */
#include <ctype.h>
#include <string.h>

#include "preprocess.h"

/* Words that generated text and the library's header consist of: a macro of that name would change them. */
static const char *const reserved[] = {
#define WORD(word) #word,
#include "words.def"
#undef WORD
};

/* A macro that may stay.  `body` is without blank space. */
typedef struct {
    pp_token name;
    pp_list body;
    bool stays;
} candidate;

typedef struct {
    arena *memory;
    candidate *items;
    size_t count, capacity;
    word_set *system, *reserved;
} candidates;

static bool same_text(const pp_token *x, const pp_token *y) {
    return x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

static candidate *find(const candidates *all, const pp_token *name) {
    for (size_t k = 0; k < all->count; k++)
        if (same_text(&all->items[k].name, name)) return &all->items[k];
    return NULL;
}

static bool same_bodies(const pp_list *x, const pp_list *y) {
    bool same = x->count == y->count;
    for (size_t k = 0; same && k < x->count; k++) same = same_text(&x->items[k], &y->items[k]);
    return same;
}

/* ---- Bodies that are one operand wherever the name stands */

static bool is_word_of_types(const pp_token *t) {
    static const char *const words[] = {"char",   "short",    "int",    "long",   "float",   "double",
                                        "signed", "unsigned", "size_t", "sizeof", "int64_t", "int32_t"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (pp_is(t, words[k])) return true;
    return false;
}

static bool is_literal(const pp_token *t) {
    return t->kind == PP_NUMBER || t->kind == PP_QUOTED;
}

static bool stands_for_constant(const candidates *all, const pp_token *name) {
    const candidate *other = find(all, name);
    return other ? other->stays : pp_words_have(all->system, name->text, name->length) || is_word_of_types(name);
}

/* Whether (...) is closed by its last token, and holds constants and operators only. */
static bool is_parenthesised(const candidates *all, const pp_list *body) {
    int depth = 0;
    for (size_t k = 0; k < body->count; k++) {
        const pp_token *t = &body->items[k];
        depth += pp_is(t, "(") - pp_is(t, ")");
        if (depth == 0 && k + 1 < body->count) return false;
        if (t->kind == PP_PUNCTUATOR && (pp_is(t, "{") || pp_is(t, "}") || pp_is(t, ";") || pp_is(t, "#")))
            return false;
        if (t->kind == PP_NAME && !stands_for_constant(all, t)) return false;
        if (t->kind != PP_PUNCTUATOR && t->kind != PP_NAME && !is_literal(t)) return false;
    }
    return depth == 0;
}

static bool is_constant(const candidates *all, const pp_list *body) {
    const pp_token *t = body->items;
    if (body->count == 1 && t[0].kind == PP_NAME) return !is_word_of_types(t) && stands_for_constant(all, t);
    if (body->count == 1) return is_literal(t);
    if (body->count == 2) return (pp_is(t, "-") || pp_is(t, "+")) && t[1].kind == PP_NUMBER;
    return body->count > 2 && pp_is(t, "(") && is_parenthesised(all, body);
}

/* ---- Definitions */

static pp_list dense_body(arena *a, const pp_list *tokens, size_t from) {
    pp_list body = {0};
    for (size_t k = from; k < tokens->count; k++)
        if (!pp_is_blank(&tokens->items[k])) vector_add(a, body.items, body.count, body.capacity, tokens->items[k]);
    return body;
}

/* Whether the library, or MPI, may have the name: those in the generated text are made of several words. */
static bool begins_as_library(const pp_token *name) {
    static const char *const prefixes[] = {"dpc_", "DPC_", "MPI_"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (name->length >= strlen(prefixes[k]) && !strncmp(name->text, prefixes[k], strlen(prefixes[k]))) return true;
    return false;
}

/* A definition of the user's, where only whole declarations stand before it (`apart`). */
static void add_definition(candidates *all, const pp_token *t, bool apart) {
    const pp_list tokens = pp_cut(all->memory, t->text, t->length, t->where);
    size_t k = 0;
    while (k < tokens.count && pp_is_blank(&tokens.items[k])) k++;
    if (k == tokens.count || tokens.items[k].kind != PP_NAME) return;
    const pp_token name = tokens.items[k];
    if (t->system) {
        pp_words_add(all->system, name.text, name.length);
        return;
    }
    const bool has_parameters = k + 1 < tokens.count && pp_is(&tokens.items[k + 1], "(");
    const bool usual = !has_parameters && apart && t->where.file && t->where.file[0] != '<';
    candidate *old = find(all, &name), made = {name, dense_body(all->memory, &tokens, k + 1), usual};
    made.stays = usual && !pp_words_have(all->reserved, name.text, name.length) && !begins_as_library(&name) &&
                 !is_library_macro(arena_text(all->memory, name.text, name.length));
    if (old)
        old->stays = old->stays && made.stays && same_bodies(&old->body, &made.body);
    else
        vector_add(all->memory, all->items, all->count, all->capacity, made);
}

/* A header that stands behind the definitions so far: the library's may stand behind it, and what that includes has
 * names of its own, small ones. */
static void meet_header(candidates *all) {
    for (size_t k = 0; k < all->count; k++)
        for (size_t c = 0; c < all->items[k].name.length; c++)
            if (islower((unsigned char)all->items[k].name.text[c])) all->items[k].stays = false;
}

static void add_definitions(candidates *all, const pp_list *tokens) {
    int depth = 0;
    bool apart = true;
    for (size_t k = 0; k < tokens->count; k++) {
        const pp_token *t = &tokens->items[k];
        if (t->kind == PP_DEFINE) {
            add_definition(all, t, apart && depth == 0);
        } else if (t->kind == PP_INCLUDE) {
            meet_header(all);
        } else if (t->kind == PP_UNDEF) {
            candidate *old = find(all, t);
            if (old) old->stays = false;
            pp_words_add(all->reserved, t->text, t->length);
        } else if (t->kind < PP_PLACE && !pp_is_blank(t)) {
            depth += pp_is(t, "{") - pp_is(t, "}");
            apart = pp_is(t, ";") || pp_is(t, "}");
        }
    }
}

word_set *constant_macros(arena *a, const pp_list *tokens) {
    candidates all = {.memory = arena_new(), .system = NULL};
    all.system = pp_words_new(all.memory);
    all.reserved = pp_words_new(all.memory);
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        pp_words_add(all.reserved, reserved[k], strlen(reserved[k]));
    add_definitions(&all, tokens);
    for (bool again = true; again;) {
        again = false;
        for (size_t k = 0; k < all.count; k++) {
            candidate *x = &all.items[k];
            if (!x->stays) continue;
            x->stays = !pp_words_have(all.system, x->name.text, x->name.length) && is_constant(&all, &x->body);
            again = again || !x->stays;
        }
    }
    word_set *names = pp_words_new(a);
    for (size_t k = 0; k < all.count; k++)
        if (all.items[k].stays) pp_words_add(names, all.items[k].name.text, all.items[k].name.length);
    arena_free(all.memory);
    return names;
}
