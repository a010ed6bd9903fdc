/* A program in one file: reads the library, finds what the program reaches, and puts both together. */
#include "standalone.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

static int by_name(const void *x, const void *y) {
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Reads the .c files of a folder, and the headers that they include. */
static void read_folder(library *l, const char *folder) {
    DIR *d = opendir(arena_format(l->memory, "%s/%s", l->folder, folder));
    const char **names = NULL;
    size_t count = 0, room = 0;
    if (!d) {
        l->failed = true;
        return;
    }
    for (const struct dirent *e; (e = readdir(d));) {
        const size_t length = strlen(e->d_name);
        if (length > 2 && !strcmp(e->d_name + length - 2, ".c"))
            vector_add(l->memory, names, count, room, arena_format(l->memory, "%s/%s", folder, e->d_name));
    }
    closedir(d);
    qsort(names, count, sizeof *names, by_name);
    for (size_t k = 0; k < count; k++) library_module(l, names[k]);
}

/* What was known of the library when it was read before. */
typedef struct {
    const char *folder;
    bool plain; /* runtime/line is enough */
    hash_table raw, reached, quoted;
} readings;

static library *read_library(arena *a, readings *r) {
    library *l = arena_alloc(a, sizeof *l);
    *l = (library){.memory = a, .folder = r->folder, .raw = &r->raw, .reached = &r->reached, .quoted = &r->quoted};
    l->interface = r->plain ? "line/line.h" : "dpc.h";
    library_module(l, l->interface);
    if (r->plain) {
        read_folder(l, "line");
    } else {
        library_module(l, "agree.h");
        read_folder(l, "base");
        read_folder(l, "redistribution");
        read_folder(l, "program");
    }
    note_names(l);
    return l;
}

/* ---- The program's words */
typedef struct {
    const char **word;
    size_t count, room;
} word_list;

static word_list words_of(arena *a, const char *program, hash_table *quoted) {
    const pp_list list = pp_cut(a, program, strlen(program), (position){"program", 1, 1, 0});
    word_list words = {0};
    hash_table seen = {0};
    for (size_t k = 0; k < list.count; k++) {
        const pp_token *t = &list.items[k];
        if (t->kind == PP_QUOTED && t->length >= 2) {
            const char *quote = arena_text(a, t->text + 1, t->length - 2);
            names_put(a, quoted, quote, quote);
        }
        if (t->kind != PP_NAME) continue;
        const char *word = arena_text(a, t->text, t->length);
        if (names_at(&seen, word)) continue;
        names_put(a, &seen, word, word);
        vector_add(a, words.word, words.count, words.room, word);
    }
    return words;
}

/* ---- What DPC_USES asks: whether a function or a macro is reached, or a constant named by the program. Answers only
 * change to yes, so that this ends. */
static void answer(void *context, item *i) {
    const bool own = i->kind == ITEM_FUNCTION || i->kind == ITEM_PROTOTYPE || !strncmp(i->text, "#define", 7);
    if (i->needed && own) *(bool *)context = true;
}

static bool answer_questions(library *l, const word_list *words) {
    bool changed = false;
    for (size_t k = 0; k < l->question_count; k++) {
        const char *name = l->questions[k];
        bool reached = false;
        if (names_at(l->reached, name)) continue;
        for_items_of(l, NULL, name, answer, &reached);
        for (size_t w = 0; w < words->count; w++) reached = reached || !strcmp(words->word[w], name);
        if (reached) names_put(l->memory, l->reached, name, name);
        changed = changed || reached;
    }
    return changed;
}

/* The program's first line that is a directive, outside of comments. */
static const char *first_directive(arena *a, const char *program) {
    const pp_list list = pp_cut(a, program, strlen(program), (position){"program", 1, 1, 0});
    for (size_t k = 0; k < list.count; k++)
        if (pp_is(&list.items[k], "#") && (k == 0 || list.items[k - 1].kind == PP_NEWLINE)) return list.items[k].text;
    return program;
}

/* ---- Both together */
static const char include_line[] = "#include <dpc.h>\n";

/* Behind `#undef NAME`: the macro of a header, which the program has no use for and the library's part has. */
static void keep_macro(arena *a, const char *line, text *kept, text *back) {
    const char *name = arena_text(a, line, strcspn(line, "\n"));
    if (!is_library_macro(name)) return;
    text_format(kept, "#pragma push_macro(\"%s\")\n", name);
    text_format(back, "#pragma pop_macro(\"%s\")\n", name);
}

static const char *joined(arena *a, const char *program, const standalone_parts *parts) {
    const char *at = strstr(program, include_line), *first = first_directive(a, program);
    text t, back;
    text_start(&t, a);
    text_start(&back, a);
    text_add_bytes(&t, program, (size_t)(first - program));
    if (parts->gnu)
        text_add(&t, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE /* for the library's part below */\n#endif\n");
    text_add_bytes(&t, first, (size_t)(at - first));
    text_add(&t, parts->top);
    const char *rest = at + strlen(include_line);
    for (const char *line = rest; !strncmp(line, "#undef ", strlen("#undef ")) && strchr(line, '\n');) {
        keep_macro(a, line + strlen("#undef "), &t, &back);
        line = strchr(line, '\n') + 1;
        text_add_bytes(&t, rest, (size_t)(line - rest));
        rest = line;
    }
    text_add(&t, parts->hidden);
    text_add(&t, rest);
    text_add(&t, text_of(&back));
    text_add(&t, parts->below);
    return text_of(&t);
}

const char *standalone_text(arena *a, const char *program, const char *folder) {
    readings r = {.folder = folder, .plain = is_plain_program(a, program)};
    const word_list words = words_of(a, program, &r.quoted);
    library *l;
    size_t strings;
    if (!strstr(program, include_line)) return program;
    do {
        strings = r.quoted.count;
        l = read_library(a, &r);
        if (l->failed) return NULL;
        reach_from(l, words.word, words.count);
    } while (answer_questions(l, &words) || r.quoted.count > strings);
    const standalone_parts parts = print_library(l, program, words.word, words.count);
    return joined(a, program, &parts);
}
