/* What a program and its headers declare: arrays, grids, templates and functions, recognised by their form. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

static char *written_name(arena *a, const word_list *f, size_t k) {
    return arena_text(a, f->text + f->word[k].offset, f->word[k].length);
}

static bool is_one_of(const word_list *f, size_t k, const char *const *words) {
    for (; *words; words++)
        if (word_is(f, k, *words)) return true;
    return false;
}

/* A word that a declared name can stand behind: a type's. */
static bool is_type_word(const word_list *f, size_t k) {
    static const char *const others[] = {"return", "else", "goto", "case", "sizeof", "do", "forall", "FORALL", NULL};
    return k < f->words && f->word[k].kind == WORD_NAME && !is_one_of(f, k, others);
}

static size_t end_of(const word_list *f, size_t k) {
    return f->word[k].offset + f->word[k].length;
}

/* The number of the bracket `open` that word k stands in; words: none. */
static size_t enclosing(const word_list *f, size_t k, const char *open) {
    while (k-- > 0)
        if (word_is(f, k, open) && f->word[k].match > k) {
            size_t inner = f->word[k].match;
            if (inner > k) return k;
        } else if (f->word[k].match < k) {
            k = f->word[k].match;
        }
    return f->words;
}

/* Where the name at k can be used: the block around it, a parameter's function, or everything. */
static void set_scope(const word_list *f, declaration *d) {
    const size_t brace = enclosing(f, d->word, "{"), bracket = enclosing(f, d->word, "(");
    d->scope = 0, d->scope_end = SIZE_MAX;
    if (brace < f->words) {
        d->scope = f->word[d->word].offset, d->scope_end = end_of(f, f->word[brace].match);
    } else if (bracket < f->words && !f->word[d->word].directive) {
        const size_t close = f->word[bracket].match;
        const size_t end = word_is(f, close + 1, "{") ? f->word[close + 1].match : close;
        d->scope = f->word[bracket].offset, d->scope_end = end_of(f, end);
    }
}

static void add_declaration(program_index *x, size_t file, size_t k, declared_kind kind) {
    const word_list *f = &x->file[file];
    declaration d = {.name = written_name(x->memory, f, k), .kind = kind, .file = file, .word = k};
    size_t end = k;
    while (f->word[end + 1].match > end + 1) end = f->word[end + 1].match;
    d.end = end_of(f, end);
    set_scope(f, &d);
    vector_add(x->memory, x->declared, x->count, x->capacity, d);
}

/* ---- Directives */

static bool begins_directive(const word_list *f, size_t k) {
    if (!f->word[k].directive) return false;
    if (k == 0 || !f->word[k - 1].directive) return true;
    for (size_t at = end_of(f, k - 1); at < f->word[k].offset; at++)
        if (f->text[at] == '#') return true;
    return false;
}

static void read_directive(program_index *x, size_t file, size_t k) {
    const word_list *f = &x->file[file];
    const bool grid = word_is(f, k, "processors") || word_is(f, k, "PROCESSORS");
    if (!grid && !word_is(f, k, "template") && !word_is(f, k, "TEMPLATE")) return;
    for (size_t n = k + 1; n < f->words && f->word[n].directive && !begins_directive(f, n); n++) {
        if (f->word[n].kind == WORD_NAME) add_declaration(x, file, n, grid ? DECLARED_GRID : DECLARED_TEMPLATE);
        if (f->word[n].match > n) n = f->word[n].match;
    }
}

/* ---- C */

/* Whether a declarator stands at k: a name behind a type's word, or behind a comma in a declaration. */
static bool declares(const word_list *f, size_t k, bool declaring) {
    if (k == 0 || f->word[k].kind != WORD_NAME) return false;
    return is_type_word(f, k - 1) ? is_type_word(f, k) : declaring && word_is(f, k - 1, ",");
}

static void read_file(program_index *x, size_t file) {
    const word_list *f = &x->file[file];
    bool declaring = false;
    for (size_t k = 0; k < f->words; k++) {
        if (f->word[k].directive) {
            if (begins_directive(f, k)) read_directive(x, file, k);
            continue;
        }
        if (word_is(f, k, ";") || word_is(f, k, "{") || word_is(f, k, "}") || word_is(f, k, ")")) declaring = false;
        if (!declares(f, k, declaring)) continue;
        const bool array = word_is(f, k + 1, "[");
        declaring = array || word_is(f, k + 1, ",") || word_is(f, k + 1, "=");
        if (array) add_declaration(x, file, k, DECLARED_ARRAY);
        if (word_is(f, k + 1, "(") && enclosing(f, k, "{") == f->words) add_declaration(x, file, k, DECLARED_FUNCTION);
        if (array) k = f->word[k + 1].match > k ? f->word[k + 1].match : k;
    }
}

/* ---- Files */

static bool is_read(const program_index *x, const char *path) {
    for (size_t k = 0; k < x->files; k++)
        if (!strcmp(x->file[k].path, path)) return true;
    return false;
}

static bool read_included(program_index *x, const server *s, const char *folder, const char *name) {
    const char *path = *name == '/' ? name : arena_format(x->memory, "%s/%s", folder, name);
    char *whole = realpath(path, NULL);
    path = whole ? arena_format(x->memory, "%s", whole) : path;
    free(whole);
    if (is_read(x, path)) return true;
    const char *content = text_of_path(x->memory, s, path);
    if (!content) return false;
    const word_list list = file_words(x->memory, path, content);
    vector_add(x->memory, x->file, x->files, x->file_capacity, list);
    return true;
}

static void read_includes(program_index *x, const server *s, const flag_list *flags, const word_list file) {
    const char *slash = strrchr(file.path, '/');
    const char *folder = slash ? arena_text(x->memory, file.path, (size_t)(slash - file.path)) : ".";
    for (size_t k = 0; k < file.includes; k++) {
        bool found = read_included(x, s, folder, file.included[k]);
        for (size_t n = 0; n < flags->count && !found; n++)
            if (!strncmp(flags->item[n], "-I", 2)) found = read_included(x, s, flags->item[n] + 2, file.included[k]);
    }
}

/* Arrays that distribute, align and the like name. */
static bool named_in_directive(const program_index *x, const char *name) {
    for (size_t file = 0; file < x->files; file++) {
        const word_list *f = &x->file[file];
        for (size_t k = 0; k < f->words; k++)
            if (f->word[k].directive && !begins_directive(f, k) && word_is(f, k, name)) return true;
    }
    return false;
}

program_index index_program(arena *a, const server *s, const document *d) {
    enum { MOST_FILES = 200 };
    program_index x = {.memory = a};
    const flag_list flags = flags_of(a, s, d);
    vector_add(a, x.file, x.files, x.file_capacity, file_words(a, d->path, d->text));
    for (size_t k = 0; k < x.files && x.files < MOST_FILES; k++) read_includes(&x, s, &flags, x.file[k]);
    for (size_t k = 0; k < x.files; k++) read_file(&x, k);
    for (size_t k = 0; k < x.count; k++)
        x.declared[k].mapped = x.declared[k].kind != DECLARED_FUNCTION && named_in_directive(&x, x.declared[k].name);
    return x;
}

/* Of two in whose scopes the name stands, the inner one; of two in one scope the first that no extern declares. */
static bool is_better(const program_index *x, const declaration *d, const declaration *best) {
    if (!best || d->scope > best->scope) return true;
    const word_list *f = &x->file[best->file];
    return d->scope == best->scope && best->word > 1 && word_is(f, best->word - 2, "extern");
}

const declaration *declaration_of(const program_index *x, size_t file, size_t k) {
    const word_list *f = &x->file[file];
    const declaration *best = NULL;
    if (k >= f->words || f->word[k].kind != WORD_NAME) return NULL;
    const size_t offset = f->word[k].offset;
    for (size_t n = 0; n < x->count; n++) {
        const declaration *d = &x->declared[n];
        if (!word_is(f, k, d->name)) continue;
        const bool everywhere = d->scope == 0 && d->scope_end == SIZE_MAX;
        if (!everywhere && (d->file != file || offset < d->scope || offset >= d->scope_end)) continue;
        if (is_better(x, d, best)) best = d;
    }
    return best;
}
