/* Names that system headers declare as types, from text that the output leaves out. */
#include <string.h>

#include "preprocess.h"

/* Words that stand in declarations of types and are no names. */
static const char *const type_words[] = {"void",           "char",         "short",         "int",         "long",
                                         "float",          "double",       "signed",        "unsigned",    "_Bool",
                                         "_Complex",       "const",        "volatile",      "restrict",    "__restrict",
                                         "__const",        "__volatile__", "__signed__",    "__complex__", "__int128",
                                         "_Atomic",        "_Noreturn",    "_Thread_local", "_Alignas",    "_Alignof",
                                         "_Static_assert", "_Imaginary",   "__extension__", "__thread"};

static bool is_type_word(const pp_token *t) {
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (pp_is(t, type_words[i])) return true;
    return false;
}

/* Words followed by a parenthesis that belongs to them and declares nothing. */
static bool takes_parenthesis(const pp_token *t) {
    return pp_is(t, "__attribute__") || pp_is(t, "__attribute") || pp_is(t, "__asm__") || pp_is(t, "__typeof__") ||
           pp_is(t, "_Alignas") || pp_is(t, "__declspec") || pp_is(t, "__aligned__") || pp_is(t, "typeof");
}

static bool starts_with(const pp_token *t, const char *prefix) {
    size_t length = strlen(prefix);
    return t->length >= length && memcmp(t->text, prefix, length) == 0;
}

/* The index after the parenthesis that opens at tokens[i]. */
static size_t skip_parenthesis(const pp_list *tokens, size_t i) {
    int depth = 0;
    for (; i < tokens->count; i++) {
        if (pp_is(&tokens->items[i], "(") || pp_is(&tokens->items[i], "[")) depth++;
        if ((pp_is(&tokens->items[i], ")") || pp_is(&tokens->items[i], "]")) && --depth == 0) return i + 1;
    }
    return i;
}

/* In `( * name`, with any number of parentheses and stars: the name's index, 0 if there is none. */
static size_t pointer_name(const pp_list *tokens, size_t i) {
    bool star = false;
    for (; i < tokens->count; i++) {
        const pp_token *t = &tokens->items[i];
        if (pp_is(t, "*"))
            star = true;
        else if (t->kind == PP_NAME && star && !is_type_word(t))
            return i;
        else if (!pp_is(t, "(") && t->kind != PP_NAME)
            return 0;
    }
    return 0;
}

/* Attributes in the guise of names: __attribute_deprecated__, __THROW, __SI_ALIGNMENT. */
static bool is_attribute_name(const pp_token *t) {
    if (starts_with(t, "__attribute")) return true;
    for (size_t i = 0; i < t->length; i++)
        if (t->text[i] >= 'a' && t->text[i] <= 'z') return false;
    return starts_with(t, "__") && !(t->length > 2 && t->text[t->length - 1] == '_');
}

/* Reads one declarator from tokens[i] to the comma or the end; adds its name. */
static size_t harvest_declarator(harvester *h, size_t i) {
    const pp_list *tokens = &h->declaration;
    size_t name = 0;
    for (; i < tokens->count && !pp_is(&tokens->items[i], ","); i++) {
        const pp_token *t = &tokens->items[i];
        bool opens = pp_is(t, "(") || pp_is(t, "[");
        bool named = name && !is_type_word(&tokens->items[name]);
        if (takes_parenthesis(t) && i + 1 < tokens->count) {
            i = skip_parenthesis(tokens, i + 1) - 1;
        } else if (opens) {
            size_t inner = pp_is(t, "(") ? pointer_name(tokens, i) : 0;
            if (inner)
                name = inner;
            else if (!named && pp_is(t, "(") && i + 1 < tokens->count)
                name = i + 1;
            i = skip_parenthesis(tokens, i) - 1;
            if (name) break;
        } else if (pp_is(t, "}")) {
            name = 0;
        } else if (t->kind == PP_NAME && !(named && is_attribute_name(t))) {
            name = i;
        }
    }
    if (name && !is_type_word(&tokens->items[name]))
        pp_words_add(h->names, tokens->items[name].text, tokens->items[name].length);
    while (i < tokens->count && !pp_is(&tokens->items[i], ","))
        i = pp_is(&tokens->items[i], "(") || pp_is(&tokens->items[i], "[") ? skip_parenthesis(tokens, i) : i + 1;
    return i;
}

static void harvest_declaration(harvester *h) {
    for (size_t i = 1; i < h->declaration.count; i++) i = harvest_declarator(h, i);
}

/* Words that begin a typedef: the keyword, and glibc's macro for it. */
static bool is_typedef_word(const pp_token *t) {
    return t->kind == PP_NAME && (pp_is(t, "typedef") || pp_is(t, "__STD_TYPE"));
}

void harvest_token(harvester *h, const pp_token *t) {
    if (pp_is_blank(t)) return;
    if (!h->reading) {
        if (!is_typedef_word(t)) return;
        h->reading = true;
        h->braces = 0;
        h->declaration.count = 0;
    }
    if (pp_is(t, "{")) h->braces++;
    if (h->braces == 0 && pp_is(t, ";")) {
        harvest_declaration(h);
        h->reading = false;
    } else if (h->braces == 0) {
        vector_add(h->memory, h->declaration.items, h->declaration.count, h->declaration.capacity, *t);
    }
    if (h->braces > 0 && pp_is(t, "}") && --h->braces == 0)
        vector_add(h->memory, h->declaration.items, h->declaration.count, h->declaration.capacity, *t);
}

static bool stands_for_type(const word_set *names, const macro *m) {
    for (size_t i = 0; i < m->body.count; i++) {
        const pp_token *t = &m->body.items[i];
        if (t->kind != PP_NAME || !(is_type_word(t) || pp_words_have(names, t->text, t->length))) return false;
    }
    return m->body.count > 0;
}

void harvest_macros(word_set *names, const macro_table *macros) {
    for (size_t i = 0; i < macros_count(macros); i++) {
        macro *m = macros_at(macros, i);
        if (!m->defined || !m->system || m->definition_length > 200) continue;
        macro_parse(macros, m);
        if (!m->function_like && stands_for_type(names, m)) pp_words_add(names, m->name, m->name_length);
    }
}
