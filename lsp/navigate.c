/* Where a name is declared and used, what a document declares, and replacements that diagnostics name. */
#include <stdlib.h>
#include <string.h>

#include "server.h"

static cJSON *location(const server *s, const word_list *f, size_t k) {
    const document *open = find_document(s, f->path);
    char *uri = open ? strdup(open->uri) : uri_of_path(f->path);
    cJSON *x = cJSON_CreateObject();
    cJSON_AddStringToObject(x, "uri", uri);
    cJSON_AddItemToObject(x, "range",
                          range_of_offsets(f->text, f->word[k].offset, f->word[k].offset + f->word[k].length));
    free(uri);
    return x;
}

cJSON *definition(arena *a, const server *s, const document *d, size_t offset) {
    const program_index x = index_program(a, s, d);
    const declaration *found = declaration_of(&x, 0, word_at_offset(&x.file[0], offset));
    return found ? location(s, &x.file[found->file], found->word) : NULL;
}

cJSON *references(arena *a, const server *s, const document *d, size_t offset, bool declared_too) {
    const program_index x = index_program(a, s, d);
    const declaration *found = declaration_of(&x, 0, word_at_offset(&x.file[0], offset));
    if (!found) return NULL;
    cJSON *list = cJSON_CreateArray();
    for (size_t file = 0; file < x.files; file++)
        for (size_t k = 0; k < x.file[file].words; k++) {
            const bool itself = file == found->file && k == found->word;
            if (!word_is(&x.file[file], k, found->name) || (itself && !declared_too)) continue;
            if (declaration_of(&x, file, k) == found) cJSON_AddItemToArray(list, location(s, &x.file[file], k));
        }
    return list;
}

cJSON *document_symbols(arena *a, const server *s, const document *d) {
    static const struct {
        int kind; /* SymbolKind */
        const char *detail;
    } of[] = {[DECLARED_ARRAY] = {18, "distributed array"},
              [DECLARED_GRID] = {19, "grid of processes"},
              [DECLARED_TEMPLATE] = {23, "template"},
              [DECLARED_FUNCTION] = {12, "function"}};
    const program_index x = index_program(a, s, d);
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k < x.count; k++) {
        const declaration *n = &x.declared[k];
        const file_word *w = &x.file[n->file].word[n->word];
        if (n->file != 0 || (n->kind == DECLARED_ARRAY && !n->mapped)) continue;
        cJSON *symbol = cJSON_CreateObject();
        cJSON_AddStringToObject(symbol, "name", n->name);
        cJSON_AddStringToObject(symbol, "detail", of[n->kind].detail);
        cJSON_AddNumberToObject(symbol, "kind", of[n->kind].kind);
        cJSON_AddItemToObject(symbol, "range", range_of_offsets(d->text, w->offset, n->end));
        cJSON_AddItemToObject(symbol, "selectionRange", range_of_offsets(d->text, w->offset, w->offset + w->length));
        cJSON_AddItemToArray(list, symbol);
    }
    return list;
}

static cJSON *replacement_action(const document *d, const cJSON *diagnostic, const char *replacement) {
    cJSON *action = cJSON_CreateObject(), *edit = cJSON_CreateObject(), *list = cJSON_CreateArray();
    char title[160] = "write '";
    strncat(title, replacement, 120);
    strcat(title, "'");
    cJSON_AddStringToObject(action, "title", title);
    cJSON_AddStringToObject(action, "kind", "quickfix");
    cJSON *diagnostics = cJSON_AddArrayToObject(action, "diagnostics");
    cJSON_AddItemToArray(diagnostics, cJSON_Duplicate(diagnostic, true));
    cJSON_AddItemToObject(edit, "range", cJSON_Duplicate(cJSON_GetObjectItem(diagnostic, "range"), true));
    cJSON_AddStringToObject(edit, "newText", replacement);
    cJSON_AddItemToArray(list, edit);
    cJSON *changes = cJSON_AddObjectToObject(cJSON_AddObjectToObject(action, "edit"), "changes");
    cJSON_AddItemToObject(changes, d->uri, list);
    return action;
}

/* Only where a single name stands there: what is wrong is that name. */
static bool is_name(const document *d, const cJSON *range) {
    const size_t start = offset_of_place(d->text, cJSON_GetObjectItem(range, "start")),
                 end = offset_of_place(d->text, cJSON_GetObjectItem(range, "end"));
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return end > start && strspn(d->text + start, letters) == end - start;
}

cJSON *code_actions(const document *d, const cJSON *diagnostics) {
    cJSON *list = cJSON_CreateArray();
    const cJSON *x;
    cJSON_ArrayForEach(x, diagnostics) {
        const char *replacement =
            cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(x, "data"), "replacement"));
        if (replacement && is_name(d, cJSON_GetObjectItem(x, "range")))
            cJSON_AddItemToArray(list, replacement_action(d, x, replacement));
    }
    return list;
}
