/* Writes what a program reaches of the library. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "library.h"

typedef struct {
    library *library;
    text out;
    hash_table words;   /* of the program */
    hash_table owner;   /* of local names: the file that has them first */
    hash_table printed; /* comments and includes */
    hash_table renamed; /* names of headers that the program has, too */
    const module *module;
    bool any; /* of the module, something was printed */
    const item *section;
    const item *pragma;
} printer;

/* ---- Names that two files have, or a file and the program, are called otherwise in the library's. */
static const char *stem_of(arena *a, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    return arena_text(a, base, strcspn(base, "."));
}

static bool is_library_name(const printer *p, const char *name) {
    for (size_t m = 0; m < p->library->count; m++)
        if (names_at(&p->library->module[m]->names, name)) return true;
    return names_at(&p->library->names, name) != NULL;
}

static void rename_where_taken(printer *p, item *i, const char *name) {
    arena *a = p->library->memory;
    if (!strncasecmp(name, "dpc_", 4)) return;
    hash_table *renamed = i->is_local ? &i->module->renamed : &p->renamed;
    const module *owner = names_at(&p->owner, name);
    const bool taken = names_at(&p->words, name) || (owner && owner != i->module);
    if (!owner) names_put(a, &p->owner, name, i->module);
    if (!taken || names_at(renamed, name)) return;
    const char *other = arena_format(a, "%s_%s", stem_of(a, i->module->path), name);
    while (names_at(&p->words, other) || is_library_name(p, other)) other = arena_format(a, "dpc_%s", other);
    names_put(a, renamed, name, other);
}

static void rename_names(printer *p, const item_list *list) {
    for (size_t k = 0; k < list->count; k++)
        for (size_t n = 0; n < list->item[k]->define_count; n++)
            rename_where_taken(p, list->item[k], list->item[k]->defines[n]);
}

static const char *name_now(const printer *p, const item *i, const char *name) {
    const char *other = names_at(&i->module->renamed, name);
    return other ? other : names_at(&p->renamed, name);
}

static bool is_member(const pp_list *list, size_t at) {
    if (at == 0) return false;
    const pp_token *before = &list->items[at - 1];
    return pp_is(before, ".") || pp_is(before, "->");
}

/* In a structure: a type's place, in front of a name or of a star. */
static bool stands_for_type(const pp_list *list, size_t at) {
    size_t next = at + 1;
    while (next < list->count && pp_is_blank(&list->items[next])) next++;
    if (next == list->count) return false;
    const bool last = pp_is(&list->items[next], ";") && next + 1 == list->count; /* typedef struct {...} NAME; */
    return last || list->items[next].kind == PP_NAME || pp_is(&list->items[next], "*") ||
           pp_is(&list->items[next], "{");
}

/* The item's text with the names that are its now; members of a structure keep theirs. */
static void print_text(printer *p, const item *i, const char *code) {
    arena *a = p->library->memory;
    const pp_list list = pp_cut(a, code, strlen(code), (position){i->module->path, 1, 1, 0});
    for (size_t k = 0; k < list.count; k++) {
        const pp_token *t = &list.items[k];
        const char *other = NULL;
        if (t->kind == PP_NAME && !is_member(&list, k) && (!i->is_type || stands_for_type(&list, k)))
            other = name_now(p, i, arena_text(a, t->text, t->length));
        if (other)
            text_add(&p->out, other);
        else
            text_add_bytes(&p->out, t->text, t->length);
    }
}

/* ---- Items */

/* Each file's part begins with its first comment. */
static void print_title(printer *p, const module *m) {
    const char *title = m->title ? m->title + 2 : " */";
    text_format(&p->out, "\n/* ==== %s\n *%s\n", m->path, title);
}

static void print_item(printer *p, item *i) {
    arena *a = p->library->memory;
    if (i->module != p->module) p->module = i->module, p->any = false, p->section = NULL, p->pragma = NULL;
    if (i->kind == ITEM_SECTION) {
        p->section = i;
        return;
    }
    if (i->kind == ITEM_PRAGMA) {
        if (p->any) text_format(&p->out, "\n%s\n", i->text);
        if (!p->any) p->pragma = i;
        return;
    }
    if (i->dropped) return;
    if (!p->any) {
        if (!names_at(&p->printed, i->module->path)) print_title(p, i->module);
        names_put(a, &p->printed, i->module->path, i->module);
        if (p->pragma) text_format(&p->out, "%s\n", p->pragma->text);
    }
    const bool commented = i->comment && !names_at(&p->printed, i->comment);
    if (p->section && !i->module->header && !strstr(p->section->text, ".c"))
        text_format(&p->out, "\n%s\n", p->section->text);
    if (!p->any || i->apart || i->kind == ITEM_FUNCTION || p->section) text_add(&p->out, "\n");
    p->section = NULL;
    p->any = true;
    if (commented) {
        text_format(&p->out, "%s\n", i->comment);
        names_put(a, &p->printed, i->comment, i);
    }
    print_text(p, i, i->text);
    text_add(&p->out, "\n");
}

/* ---- Headers of the system, in the order of their names */
static void print_systems(printer *p, const item_list *list, const char *const *first) {
    arena *a = p->library->memory;
    const char **names = NULL;
    size_t count = 0, room = 0;
    for (; *first; first++) vector_add(a, names, count, room, *first);
    for (size_t k = 0; k < list->count; k++) {
        const module *m = list->item[k]->module;
        if (!list->item[k]->needed) continue;
        for (size_t n = 0; n < m->system_count; n++)
            if (needs_system(m, m->systems[n])) vector_add(a, names, count, room, m->systems[n]);
    }
    for (size_t k = 1; k < count; k++)
        for (size_t n = k; n > 0 && strcmp(names[n - 1], names[n]) > 0; n--) {
            const char *swap = names[n];
            names[n] = names[n - 1], names[n - 1] = swap;
        }
    for (size_t k = 0; k < count; k++) {
        if (names_at(&p->printed, names[k])) continue;
        names_put(a, &p->printed, names[k], names[k]);
        text_format(&p->out, "#include %s\n", names[k]);
    }
}

/* ---- What the program has defined ends before the library's parts. */
static void print_undefined(printer *p, const char *program, const item_list *top) {
    arena *a = p->library->memory;
    hash_table done = {0};
    for (size_t k = 0; k < top->count; k++) {
        const item *i = top->item[k];
        if (!replaces_standard(i) || names_at(&done, i->defines[0]) || !i->needed) continue;
        names_put(a, &done, i->defines[0], i);
        text_format(&p->out, "#undef %s\n", i->defines[0]);
    }
    for (const char *line = program; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line + strspn(line, " \t");
        if (*at != '#') continue;
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, "define", 6) != 0) continue;
        at += 6 + strspn(at + 6, " \t");
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const char *name = arena_text(a, at, length);
        if (!length || names_at(&done, name) || *name == '_') continue;
        names_put(a, &done, name, name);
        text_format(&p->out, "#undef %s\n", name);
    }
}

/* ---- Functions, variables and types of the program that a header of the library's part declares, too, are called
 * otherwise. */
typedef struct {
    printer *printer;
    const item_list *below;
    hash_table done;
    text defined, undefined;
    const char *program;
} hiding;

/* Whether the program's text defines a macro of the name itself. */
static bool defines_macro(const char *program, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = program; (at = strstr(at, "#define ")); at++) {
        const char *word = at + strlen("#define ");
        if ((at == program || at[-1] == '\n') && !strncmp(word, name, length) && word[length] == ' ') return true;
    }
    return false;
}

static void hide_name(void *context, const char *name) {
    hiding *h = context;
    printer *p = h->printer;
    const char *header = system_with_name(h->below, name);
    if (!header || names_at(&h->done, name) || defines_macro(h->program, name)) return;
    names_put(p->library->memory, &h->done, name, header);
    text_format(&h->defined, "#define %s program_%s /* as %s, for the library's part, declares another one */\n", name,
                name, header);
    text_format(&h->undefined, "#undef %s\n", name);
}

static void start_part(printer *p) {
    text_start(&p->out, p->library->memory);
    p->module = NULL;
}

/* Functions are taken by their names, which may be those of something else in the function that seems to call them;
 * files that the program includes have some that it does not call. */
static const char quiet[] = "#pragma GCC diagnostic ignored \"-Wunused-function\"\n";

standalone_parts print_library(library *l, const char *program, const char *const *words, size_t count) {
    static const char *const always[] = {"<limits.h>", "<math.h>",   "<mpi.h>",  "<stdio.h>",
                                         "<stdlib.h>", "<string.h>", "<time.h>", NULL};
    printer p = {.library = l};
    standalone_parts parts = {0};
    const item_list top = items_in_order(l, true), below = items_in_order(l, false);
    for (size_t k = 0; k < count; k++) names_put(l->memory, &p.words, words[k], words[k]);
    rename_names(&p, &below);
    for (size_t k = 0; k < below.count; k++) parts.gnu = parts.gnu || below.item[k]->module->gnu;

    start_part(&p);
    text_add(&p.out,
             "/* ==== What the program uses of libdpc: types, small functions, and the declarations of what stands "
             "behind it. */\n\n");
    print_systems(&p, &top, always);
    text_format(&p.out, "\n%s", quiet);
    for (size_t k = 0; k < top.count; k++) print_item(&p, top.item[k]);
    text_add(&p.out, "\n/* ==== The program */\n");
    hiding names = {.printer = &p, .below = &below, .program = program};
    text_start(&names.defined, l->memory);
    text_start(&names.undefined, l->memory);
    for_defined_names(l->memory, program, hide_name, &names);
    parts.top = text_of(&p.out);
    parts.hidden = text_of(&names.defined);

    start_part(&p);
    text_add(&p.out,
             "\n/* ==== What the program reaches of libdpc, file by file; a file stands behind those that it uses "
             "where that is possible. */\n\n");
    print_undefined(&p, program, &top);
    text_add(&p.out, text_of(&names.undefined));
    print_systems(&p, &below, always);
    for (size_t k = 0; k < below.count; k++) print_item(&p, below.item[k]);
    parts.below = text_of(&p.out);
    return parts;
}
