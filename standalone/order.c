/* The order of the output: headers as they are included, then files behind those that they use. */
#include <string.h>

#include "library.h"

typedef struct {
    library *library;
    bool top;
    int visit;
    item_list out;
} ordering;

static void visit_module(ordering *o, module *m) {
    if (m->visit == o->visit) return;
    m->visit = o->visit;
    for (size_t k = 0; k < m->count; k++) {
        item *i = m->item[k];
        if (i->kind == ITEM_INCLUDE) visit_module(o, i->included);
    }
    for (size_t k = 0; k < m->count; k++) {
        item *i = m->item[k];
        const bool wanted = i->kind == ITEM_SECTION || i->kind == ITEM_PRAGMA || (i->needed && i->top == o->top);
        if (i->kind != ITEM_INCLUDE && wanted)
            vector_add(o->library->memory, o->out.item, o->out.count, o->out.room, i);
    }
}

/* ---- Files behind those that they use */
typedef struct {
    library *library;
    module *file;
    item_list *order; /* an item of each file */
    int visit;
} sorting;

static void sort_file(sorting *s, module *m, item *one);

static void visit_user(void *context, item *i) {
    sorting *s = context;
    if (i->needed && !i->module->header && i->module != s->file) sort_file(s, i->module, i);
}

static void sort_file(sorting *s, module *m, item *one) {
    if (m->visit == s->visit) return;
    m->visit = s->visit;
    sorting inner = *s;
    inner.file = m;
    for (size_t k = 0; k < m->count; k++) {
        const item *i = m->item[k];
        for (size_t n = 0; i->needed && n < i->use_count; n++)
            for_items_of(s->library, m, i->uses[n], visit_user, &inner);
    }
    vector_add(s->library->memory, s->order->item, s->order->count, s->order->room, one);
}

static item_list sorted_files(library *l, int visit) {
    item_list order = {0};
    sorting s = {l, NULL, &order, visit};
    for (size_t m = 0; m < l->count; m++)
        for (size_t k = 0; k < l->module[m]->count; k++)
            if (!l->module[m]->header && l->module[m]->item[k]->needed)
                sort_file(&s, l->module[m], l->module[m]->item[k]);
    return order;
}

/* ---- Prototypes */
static bool uses_name(const item *i, const char *name) {
    for (size_t k = 0; k < i->use_count; k++)
        if (!strcmp(i->uses[k], name)) return true;
    return false;
}

/* A prototype goes where its function is defined before anything uses it, and says no more than its definition; the
 * function gets its comment. */
static void drop_prototype(const item_list *list, size_t at) {
    item *prototype = list->item[at];
    const char *name = prototype->defines[0];
    if (strstr(prototype->text, "oreturn")) return;
    for (size_t k = at + 1; k < list->count; k++) {
        item *i = list->item[k];
        if (i->kind == ITEM_FUNCTION && !strcmp(i->defines[0], name)) {
            prototype->dropped = true;
            if (!i->comment && !prototype->inherited) i->comment = prototype->comment;
            return;
        }
        if (i->paste_count || i->kind == ITEM_GENERATED || uses_name(i, name)) return;
    }
}

item_list items_in_order(library *l, bool top) {
    static int visits;
    ordering o = {l, top, 0, {0}};
    const item_list files = top ? (item_list){0} : sorted_files(l, ++visits);
    o.visit = ++visits;
    if (top) {
        visit_module(&o, library_module(l, l->interface));
        for (size_t m = 0; m < l->count; m++)
            if (l->module[m]->header) visit_module(&o, l->module[m]);
    }
    for (size_t k = 0; k < files.count; k++) visit_module(&o, files.item[k]->module);
    for (size_t k = 0; !top && k < o.out.count; k++)
        if (o.out.item[k]->kind == ITEM_PROTOTYPE) drop_prototype(&o.out, k);
    return o.out;
}
