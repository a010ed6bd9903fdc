/* Hover: an array's mapping, the owner of a constant subscript, what moves in a statement; as --explain knows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owners.h"

static const char *string_of(const cJSON *x, const char *name) {
    return cJSON_GetStringValue(cJSON_GetObjectItem(x, name));
}

/* A number or an expression, as text. */
static void print_quantity(FILE *out, const cJSON *x) {
    if (cJSON_IsNumber(x))
        fprintf(out, "%.0f", x->valuedouble);
    else
        fputs(cJSON_IsString(x) ? x->valuestring : "?", out);
}

/* ---- An array */

/* `double U[0:15][0:15]` as one line of C. */
static void print_declaration(FILE *out, const cJSON *array) {
    const cJSON *d;
    fprintf(out, "```c\n%s %s", string_of(array, "type"), string_of(array, "name"));
    cJSON_ArrayForEach(d, cJSON_GetObjectItem(array, "dims")) {
        const cJSON *lower = cJSON_GetObjectItem(d, "lower"), *extent = cJSON_GetObjectItem(d, "extent");
        fputc('[', out);
        if (cJSON_IsNumber(lower) && cJSON_IsNumber(extent) && lower->valuedouble != 0)
            fprintf(out, "%.0f:%.0f", lower->valuedouble, lower->valuedouble + extent->valuedouble - 1);
        else
            print_quantity(out, extent);
        fputc(']', out);
    }
    fputs("\n```\n", out);
}

static void print_sizes(FILE *out, const cJSON *sizes) {
    const cJSON *x;
    fputs(", intervals of", out);
    cJSON_ArrayForEach(x, sizes) fprintf(out, "%s %.0f", x == sizes->child ? "" : ",", x->valuedouble);
}

static void print_dimension(FILE *out, const cJSON *d, int number) {
    const cJSON *ghosts = cJSON_GetObjectItem(d, "ghost_cells"), *aligned = cJSON_GetObjectItem(d, "aligned"),
                *block = cJSON_GetObjectItem(d, "block");
    const char *reason = string_of(d, "reason");
    fprintf(out, "* dimension %d: `%s`", number, string_of(d, "format"));
    if (cJSON_GetObjectItem(d, "sizes")) {
        print_sizes(out, cJSON_GetObjectItem(d, "sizes"));
    } else if (block) {
        fputs(", blocks of ", out);
        print_quantity(out, block);
        fputs(" over ", out);
        print_quantity(out, cJSON_GetObjectItem(d, "processes"));
        fputs(" processes", out);
    }
    if (string_of(d, "owners")) fprintf(out, ", owners: %s", string_of(d, "owners"));
    if (cJSON_IsTrue(cJSON_GetObjectItem(d, "chosen"))) fprintf(out, ", chosen: %s", reason ? reason : "");
    if (cJSON_GetArraySize(ghosts) == 2 && ghosts->child->valuedouble + ghosts->child->next->valuedouble > 0)
        fprintf(out, ", ghost cells: %.0f below, %.0f above", ghosts->child->valuedouble,
                ghosts->child->next->valuedouble);
    if (aligned) {
        fprintf(out, ", aligned with dimension %.0f of `%s`: index ",
                cJSON_GetNumberValue(cJSON_GetObjectItem(aligned, "dimension")), string_of(aligned, "with"));
        print_quantity(out, cJSON_GetObjectItem(aligned, "stride"));
        fputs(" * i + ", out);
        print_quantity(out, cJSON_GetObjectItem(aligned, "offset"));
    }
    fputc('\n', out);
}

/* The elements of each process, in row-major order of the grid, where all is known. */
static void print_elements(FILE *out, const cJSON *explained, const cJSON *array) {
    enum { MOST_SHOWN = 64 };
    double elements[MOST_SHOWN] = {1};
    const cJSON *d;
    int count = 1;
    cJSON_ArrayForEach(d, cJSON_GetObjectItem(array, "dims")) {
        const cJSON *processes = cJSON_GetObjectItem(d, "processes"), *extent = cJSON_GetObjectItem(d, "extent");
        const bool divided = cJSON_IsNumber(cJSON_GetObjectItem(d, "grid_dim"));
        const int along = divided && cJSON_IsNumber(processes) ? processes->valueint : divided ? 0 : 1;
        if (along < 1 || along > MOST_SHOWN / count || !cJSON_IsNumber(extent)) return;
        for (int k = count * along - 1; k >= 0; k--) {
            const long owned = divided ? owned_along(explained, d, k % along) : (long)extent->valuedouble;
            if (owned < 0) return;
            elements[k] = elements[k / along] * (double)owned;
        }
        count *= along;
    }
    fprintf(out, "* elements per process:");
    for (int k = 0; k < count; k++) fprintf(out, "%s %.0f", k ? "," : "", elements[k]);
    fputc('\n', out);
}

/* The mappings that redistributions give it, each as the first is shown. */
static void print_remappings(FILE *out, const cJSON *explained, const cJSON *array) {
    const cJSON *mappings = cJSON_GetObjectItem(array, "mappings"), *m, *d;
    if (!cJSON_IsTrue(cJSON_GetObjectItem(array, "redistributed"))) return;
    if (!mappings) fputs("* redistributed elsewhere: this is the mapping of its declaration\n", out);
    cJSON_ArrayForEach(m, mappings) {
        const char *grid = string_of(m, "grid");
        int number = 0;
        fprintf(out, "\nredistributed%s%s%s:\n\n", grid ? " onto `" : "", grid ? grid : "", grid ? "`" : "");
        cJSON_ArrayForEach(d, cJSON_GetObjectItem(m, "dims")) print_dimension(out, d, ++number);
        print_elements(out, explained, m);
    }
}

static void print_array(FILE *out, const cJSON *explained, const cJSON *array) {
    const char *grid = string_of(array, "grid"), *aligned = string_of(array, "aligned");
    const cJSON *d;
    int number = 0;
    print_declaration(out, array);
    if (grid) fprintf(out, "onto the grid `%s`\n", grid);
    if (aligned) fprintf(out, "`%s`\n", aligned);
    fputc('\n', out);
    cJSON_ArrayForEach(d, cJSON_GetObjectItem(array, "dims")) print_dimension(out, d, ++number);
    print_elements(out, explained, array);
    print_remappings(out, explained, array);
    fputc('\n', out);
}

/* ---- Constant subscripts: [17] or [-3] behind the name. False: it has others. */
static bool constant_subscripts(const word_list *f, size_t k, int rank, long *subscript) {
    for (int d = 0; d < rank; d++) {
        const bool minus = word_is(f, k + 2, "-");
        const size_t at = k + 2 + minus;
        if (!word_is(f, k + 1, "[") || at + 1 > f->words || f->word[at].kind != WORD_NUMBER) return false;
        if (!word_is(f, at + 1, "]")) return false;
        char *end;
        subscript[d] = strtol(f->text + f->word[at].offset, &end, 0) * (minus ? -1 : 1);
        if (end != f->text + f->word[at].offset + f->word[at].length) return false;
        k = at + 1;
    }
    return true;
}

/* Its owner is not known yet. */
static void print_late_owner(FILE *out, const cJSON *explained, const cJSON *array, const cJSON *dimension) {
    const char *why = late_owners(explained, dimension);
    if (why) fprintf(out, "the owner of `%s`'s element is %s\n\n", string_of(array, "name"), why);
}

/* The process that owns it: coordinates in its grid. */
static void print_owner(FILE *out, const cJSON *explained, const cJSON *array, const word_list *f, size_t k) {
    const cJSON *dims = cJSON_GetObjectItem(array, "dims"), *d;
    const int rank = cJSON_GetArraySize(dims);
    long subscript[MOST_DIMENSIONS] = {0}, owner[MOST_DIMENSIONS];
    int divided = 0, at = 0;
    if (rank > MOST_DIMENSIONS || !constant_subscripts(f, k, rank, subscript)) return;
    cJSON_ArrayForEach(d, dims) {
        const cJSON *lower = cJSON_GetObjectItem(d, "lower"), *extent = cJSON_GetObjectItem(d, "extent");
        const double first = cJSON_GetNumberValue(lower), from = (double)subscript[at] - first;
        if (cJSON_IsNumber(lower) && cJSON_IsNumber(extent) && (from < 0 || from >= extent->valuedouble)) return;
        if (cJSON_IsNumber(cJSON_GetObjectItem(d, "grid_dim")) &&
            (owner[divided++] = owner_along(explained, d, subscript[at])) < 0) {
            print_late_owner(out, explained, array, d);
            return;
        }
        at++;
    }
    const char *grid = string_of(array, "grid");
    fprintf(out, "`%s", string_of(array, "name"));
    for (int n = 0; n < rank; n++) fprintf(out, "[%ld]", subscript[n]);
    fputs("` is on process (", out);
    for (int n = 0; n < divided; n++) fprintf(out, "%s%ld", n ? ", " : "", owner[n]);
    fprintf(out, ")%s%s%s\n\n", grid ? " of `" : "", grid ? grid : "", grid ? "`" : "");
}

/* ---- A statement */

/* What the processes send together, and the greatest of one. */
static void print_amount(FILE *out, const cJSON *statement, const char *name) {
    const cJSON *each = cJSON_GetObjectItem(statement, name), *x;
    double total = 0, most = 0;
    cJSON_ArrayForEach(x, each) {
        total += x->valuedouble;
        if (x->valuedouble > most) most = x->valuedouble;
    }
    if (each) fprintf(out, "* %s: %.0f in all, at most %.0f of a process\n", name, total, most);
}

static void print_formulas(FILE *out, const cJSON *reference) {
    static const char *const names[] = {"messages", "bytes"};
    const cJSON *formulas = cJSON_GetObjectItem(reference, "formulas");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const cJSON *x = cJSON_GetObjectItem(formulas, names[k]);
        if (!x || cJSON_IsNull(x)) continue;
        fprintf(out, ", %s ", names[k]);
        print_quantity(out, x);
    }
}

static void print_statement(FILE *out, const cJSON *statement) {
    static const char *const amounts[] = {"messages", "bytes", "collectives"};
    const cJSON *x;
    fprintf(out, "%s `%s`\n\n", string_of(statement, "kind"), string_of(statement, "text"));
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(statement, "refs")) {
        const char *why = string_of(x, "why");
        fprintf(out, "* `%s`: **%s**", string_of(x, "text"), string_of(x, "relation"));
        if (why) fprintf(out, ", %s", why);
        print_formulas(out, x);
        fputc('\n', out);
    }
    for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++) print_amount(out, statement, amounts[k]);
    const char *unknown = string_of(statement, "unpredicted");
    if (unknown) fprintf(out, "* not counted: %s\n", unknown);
    cJSON_ArrayForEach(x, cJSON_GetObjectItem(statement, "notes")) if (x->valuestring)
        fprintf(out, "* %s\n", x->valuestring);
    fputc('\n', out);
}

/* "FOLDER/heat.dpc:12" is in the document; statements of headers are not. */
static bool stands_in(const document *d, const cJSON *statement) {
    const char *where = string_of(statement, "where"), *end = where ? strrchr(where, ':') : NULL;
    const size_t length = strlen(d->path);
    return end && (size_t)(end - where) >= length && !strncmp(end - length, d->path, length);
}

static int line_of(const char *content, size_t offset) {
    int line = 1;
    for (size_t k = 0; k < offset; k++) line += content[k] == '\n';
    return line;
}

/* ---- All */

static const cJSON *array_declared(const document *d, const program_index *x, size_t k) {
    const declaration *declared = declaration_of(x, 0, k);
    const cJSON *array, *found = NULL;
    if (!declared || (declared->kind != DECLARED_ARRAY && declared->kind != DECLARED_TEMPLATE)) return NULL;
    const word_list *f = &x->file[declared->file];
    const int line = line_of(f->text, f->word[declared->word].offset);
    cJSON_ArrayForEach(array, cJSON_GetObjectItem(d->explained, "arrays")) {
        const char *name = string_of(array, "name");
        if (!name || strcmp(name, declared->name) != 0) continue;
        if (!found || cJSON_GetNumberValue(cJSON_GetObjectItem(array, "line")) == line) found = array;
    }
    return found;
}

cJSON *hover(arena *a, const server *s, const document *d, size_t offset) {
    const program_index x = index_program(a, s, d);
    const size_t k = word_at_offset(&x.file[0], offset);
    const cJSON *array = array_declared(d, &x, k), *statement;
    char *content = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&content, &length);
    if (!out || !d->explained) return out ? fclose(out), free(content), NULL : NULL;
    if (array) print_owner(out, d->explained, array, &x.file[0], k);
    if (array) print_array(out, d->explained, array);
    cJSON_ArrayForEach(statement, cJSON_GetObjectItem(d->explained, "statements")) {
        const double line = cJSON_GetNumberValue(cJSON_GetObjectItem(statement, "line"));
        if (line == line_of(d->text, offset) && stands_in(d, statement)) print_statement(out, statement);
    }
    if (ftell(out) > 0 && d->changed) fputs("(before the last change)\n", out);
    fclose(out);
    cJSON *result = length ? cJSON_CreateObject() : NULL, *contents = cJSON_AddObjectToObject(result, "contents");
    cJSON_AddStringToObject(contents, "kind", "markdown");
    cJSON_AddStringToObject(contents, "value", content);
    free(content);
    return result;
}
