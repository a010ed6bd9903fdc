/* Which items define a name: those of the whole library, and of one file. */
#include <ctype.h>
#include <string.h>

#include "library.h"

static void add_name(library *l, hash_table *t, const char *name, item *i) {
    item_list *list = names_at(t, name);
    if (!list) {
        list = arena_alloc(l->memory, sizeof *list);
        names_put(l->memory, t, name, list);
    }
    for (size_t k = 0; k < list->count; k++)
        if (list->item[k] == i) return;
    vector_add(l->memory, list->item, list->count, list->room, i);
}

static void register_name(library *l, item *i, const char *name) {
    add_name(l, i->is_local ? &i->module->names : &l->names, name, i);
}

/* The lists of a file and of the library, one after the other. */
static size_t lists_of(const library *l, const module *m, const char *name, item_list *list[2]) {
    size_t count = 0;
    item_list *local = m ? names_at(&m->names, name) : NULL, *global = names_at(&l->names, name);
    if (local) list[count++] = local;
    if (global) list[count++] = global;
    return count;
}

void for_items_of(const library *l, const module *m, const char *name, void (*act)(void *, item *), void *context) {
    item_list *list[2];
    const size_t count = lists_of(l, m, name, list);
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; k < list[n]->count; k++) act(context, list[n]->item[k]);
}

/* ---- Names that macros make: prefix ## word ## suffix, for the words of an item and of the macros that it names. */
typedef struct {
    library *library;
    const item *user;
    const item *macro; /* whose pastes are tried */
    void (*act)(void *, const char *);
    void *context;
} paster;

enum { LONGEST = 200 }; /* of a name */

static void note_plain(void *plain, item *i) {
    if (i->kind != ITEM_GENERATED) *(bool *)plain = true;
}

/* What a list gives to a macro (DPC_ELEMENT_TYPES(COMBINE)) stands for what macros have made. */
static bool is_plain(const paster *p, const char *name) {
    bool plain = false;
    for_items_of(p->library, p->user->module, name, note_plain, &plain);
    return plain;
}

static void paste_words(const paster *p, const item *words) {
    char name[LONGEST];
    for (size_t n = 0; n < p->macro->paste_count; n++)
        for (size_t k = 0; k < words->use_count; k++) {
            const pasted *around = &p->macro->pastes[n];
            const size_t before = strlen(around->prefix), within = strlen(words->uses[k]);
            if (before + within + strlen(around->suffix) >= LONGEST) continue;
            memcpy(name, around->prefix, before);
            memcpy(name + before, words->uses[k], within);
            strcpy(name + before + within, around->suffix);
            if (words == p->user || !is_plain(p, name)) p->act(p->context, name);
        }
}

static void paste_words_of(void *context, item *words) {
    const paster *p = context;
    if (words != p->macro && !strncmp(words->text, "#define", 7)) paste_words(p, words);
}

static void paste_by(void *context, item *macro) {
    paster p = *(paster *)context;
    if (!macro->paste_count) return;
    p.macro = macro;
    paste_words(&p, p.user);
    for (size_t k = 0; k < p.user->use_count; k++)
        for_items_of(p.library, p.user->module, p.user->uses[k], paste_words_of, &p);
}

void for_pasted_names(library *l, const item *i, void (*act)(void *, const char *), void *context) {
    paster p = {l, i, i, act, context};
    /* A macro's own words are not its arguments. */
    if (i->kind == ITEM_GENERATED || strncmp(i->text, "#define", 7) != 0) paste_by(&p, (item *)(uintptr_t)i);
    for (size_t k = 0; k < i->use_count; k++) for_items_of(l, i->module, i->uses[k], paste_by, &p);
}

/* ---- Registering */
typedef struct {
    library *library;
    item *item;
} registering;

static void register_pasted(void *context, const char *name) {
    const registering *r = context;
    item_list *list[2];
    if (!lists_of(r->library, r->item->module, name, list))
        register_name(r->library, r->item, arena_text(r->library->memory, name, strlen(name)));
}

/* The constants of an enumeration that a macro lists. */
static void register_listed(void *context, item *macro) {
    const registering *r = context;
    if (strncmp(macro->text, "#define", 7) != 0) return;
    for (size_t k = 0; k < macro->use_count; k++)
        if (!strncmp(macro->uses[k], "DPC_", 4)) register_pasted(context, macro->uses[k]);
    for_pasted_names(r->library, r->item, register_pasted, context);
}

void note_names(library *l) {
    for (size_t m = 0; m < l->count; m++)
        for (size_t k = 0; k < l->module[m]->count; k++) {
            item *i = l->module[m]->item[k];
            for (size_t n = 0; n < i->define_count; n++) register_name(l, i, i->defines[n]);
        }
    for (size_t m = 0; m < l->count; m++)
        for (size_t k = 0; k < l->module[m]->count; k++) {
            item *i = l->module[m]->item[k];
            registering r = {l, i};
            if (i->kind == ITEM_GENERATED) for_pasted_names(l, i, register_pasted, &r);
            if (i->kind == ITEM_GENERATED && *i->text != '#' && i->use_count > 1 &&
                !isdigit((unsigned char)*i->uses[1]))
                register_pasted(&r, i->uses[1]);
            if (i->kind == ITEM_DECLARATION && strstr(i->text, "enum"))
                for (size_t n = 0; n < i->define_count; n++)
                    for_items_of(l, i->module, i->defines[n], register_listed, &r);
        }
}
