/* The page of --report: a template, a style, scripts, and the data as JSON. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/utf8.h"
#include "../ir/source.h"
#include "page_text.h"
#include "report.h"

/* ---- The source, and the C text by its lines */

static cJSON *source_lines(const char *path) {
    cJSON *list = cJSON_CreateArray();
    const char *line;
    for (int k = 1; (line = source_line(path, k)); k++)
        if (*line || source_line(path, k + 1)) cJSON_AddItemToArray(list, cJSON_CreateString(line));
    return list;
}

/* Adds a piece of text to what line `number` becomes. */
static void add_piece(arena *a, cJSON *lines, long number, const char *content, size_t length) {
    const char *key = arena_format(a, "%ld", number);
    const cJSON *old = cJSON_GetObjectItemCaseSensitive(lines, key);
    const char *all = arena_format(a, "%s%.*s", old ? old->valuestring : "", (int)length, content);
    cJSON_DeleteItemFromObjectCaseSensitive(lines, key);
    cJSON_AddStringToObject(lines, key, all);
}

/* Pieces behind `#line N "path"`. */
static cJSON *generated_lines(arena *a, const char *content, const char *path) {
    cJSON *lines = cJSON_CreateObject();
    const char *quoted = arena_format(a, "\"%s\"", path);
    long number = 0;
    bool own = false;
    while (*content) {
        const size_t length = strcspn(content, "\n") + (content[strcspn(content, "\n")] == '\n');
        if (!strncmp(content, "#line ", 6)) {
            char *end;
            number = strtol(content + 6, &end, 10);
            if (*end == ' ') own = !strncmp(end + 1, quoted, strlen(quoted));
        } else if (own && length > 1) {
            add_piece(a, lines, number, content, length);
        }
        content += length;
    }
    return lines;
}

/* ---- Counts */

static bool is_numbers(const cJSON *x, int count) {
    const cJSON *item;
    bool numbers = cJSON_IsArray(x) && cJSON_GetArraySize(x) == count;
    cJSON_ArrayForEach(item, x) numbers = numbers && cJSON_IsNumber(item);
    return numbers;
}

/* For each process a list of [process, messages, bytes]. */
static bool is_partners(const cJSON *x, int processes) {
    enum { FIELDS = 3 };
    const cJSON *list, *partner;
    bool right = cJSON_IsArray(x) && cJSON_GetArraySize(x) == processes;
    cJSON_ArrayForEach(list, x) {
        right = right && cJSON_IsArray(list);
        cJSON_ArrayForEach(partner, list) {
            right = right && is_numbers(partner, FIELDS) && partner->child->valueint >= 0 &&
                    partner->child->valueint < processes;
        }
    }
    return right;
}

/* The line that a statement's place names; 0: in another file. */
static int line_in(const char *where, const char *path) {
    const char *colon = strrchr(where, ':'), *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (!colon) return 0;
    const size_t length = (size_t)(colon - where), own = strlen(base);
    const bool same =
        length >= own && !strncmp(colon - own, base, own) && (length == own || colon[-(long)own - 1] == '/');
    return same ? atoi(colon + 1) : 0;
}

/* The run time keeps so many bytes of a line. */
enum { COUNTED_BYTES = 1023 };

static bool same_but_blanks(arena *a, const char *line, const char *content) {
    line = as_utf8(a, arena_text(a, line, strnlen(line, COUNTED_BYTES)));
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1])) length--;
    return strlen(content) == length && !strncmp(line, content, length);
}

/* Why a statement's counts cannot be shown beside the source; NULL: they can. */
static const char *check_statement(arena *a, const cJSON *s, const report_input *x, int processes) {
    static const char *const arrays[] = {
        "elapsed",     "seconds",     "messages",         "bytes",    "index_messages", "index_bytes", "value_messages",
        "value_bytes", "collectives", "collective_bytes", "elements", "sections",       "plans_made",  "plans_reused"};
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(s, "where"),
                *counted = cJSON_GetObjectItemCaseSensitive(s, "text");
    if (!cJSON_IsString(where) || !cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(s, "executions")))
        return "a statement has no place";
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!is_numbers(cJSON_GetObjectItemCaseSensitive(s, arrays[k]), processes))
            return arena_format(a, "'%s' of %s is not there for each process", arrays[k], where->valuestring);
    if (!is_partners(cJSON_GetObjectItemCaseSensitive(s, "partners"), processes))
        return arena_format(a, "'partners' of %s is no list of [process, messages, bytes] for each process",
                            where->valuestring);
    const int number = line_in(where->valuestring, as_utf8(a, x->program));
    if (number == 0 || !cJSON_IsString(counted) || x->counted_now) return NULL;
    const char *line = source_line(x->program, number);
    if (!line) return arena_format(a, "line %d was counted, and the source ends before it", number);
    if (!same_but_blanks(a, line, counted->valuestring))
        return arena_format(a, "line %d was another one when it was counted: '%s'", number, counted->valuestring);
    return NULL;
}

/* Whether statements were counted, and none of them is among those that are explained: of this file, its headers, or
 * what #line calls them. */
static bool is_of_another(arena *a, const cJSON *stats, const report_input *x) {
    cJSON *root = cJSON_Parse(x->explained), *known = cJSON_CreateObject();
    const char *path = as_utf8(a, x->program);
    const cJSON *s, *counted = cJSON_GetObjectItemCaseSensitive(stats, "statements");
    bool found = cJSON_GetArraySize(counted) == 0;
    cJSON_ArrayForEach(s, cJSON_GetObjectItemCaseSensitive(root, "statements")) {
        const char *where = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "where"));
        if (where) cJSON_AddTrueToObject(known, where);
    }
    cJSON_ArrayForEach(s, counted) {
        const char *where = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "where"));
        found = found || line_in(where, path) > 0 || cJSON_GetObjectItemCaseSensitive(known, where);
    }
    cJSON_Delete(known);
    cJSON_Delete(root);
    return !found;
}

static const char *check_counts(arena *a, const cJSON *stats, const report_input *x) {
    const cJSON *processes = cJSON_GetObjectItemCaseSensitive(stats, "processes");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(stats, "statements"), *s;
    if (!cJSON_IsNumber(processes) || !cJSON_IsArray(list) || processes->valueint < 1)
        return "they are no counts of DPC_STATS";
    if (!is_numbers(cJSON_GetObjectItemCaseSensitive(stats, "total_seconds"), processes->valueint) ||
        !is_numbers(cJSON_GetObjectItemCaseSensitive(stats, "computing_seconds"), processes->valueint) ||
        !is_numbers(cJSON_GetObjectItemCaseSensitive(stats, "communicating_seconds"), processes->valueint))
        return "there are no seconds of each process";
    cJSON_ArrayForEach(s, list) {
        const char *error = check_statement(a, s, x, processes->valueint);
        if (error) return error;
    }
    if (x->counted_now || !is_of_another(a, stats, x)) return NULL;
    return arena_format(a, "they are of another program than '%s'", x->program);
}

int report_processes(const char *stats) {
    cJSON *root = cJSON_Parse(stats);
    const cJSON *processes = cJSON_GetObjectItemCaseSensitive(root, "processes");
    const int count = cJSON_IsNumber(processes) && processes->valueint > 0 ? processes->valueint : 0;
    cJSON_Delete(root);
    return count;
}

/* ---- The time line: [process, statement, begin, seconds, 1: communication], the longest ones */

enum { MOST_SHOWN = 30000 };

static int longer_first(const void *left, const void *right) {
    const cJSON *const *x = left, *const *y = right;
    const double a = cJSON_GetArrayItem(*x, 3)->valuedouble, b = cJSON_GetArrayItem(*y, 3)->valuedouble;
    return (a < b) - (a > b);
}

static int number_of_name(cJSON *numbers, cJSON *names, const char *name) {
    const cJSON *known = cJSON_GetObjectItemCaseSensitive(numbers, name);
    if (known) return known->valueint;
    const int number = cJSON_GetArraySize(names);
    cJSON_AddNumberToObject(numbers, name, number);
    cJSON_AddItemToArray(names, cJSON_CreateString(name));
    return number;
}

static cJSON *event_json(const cJSON *e, cJSON *numbers, cJSON *names) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(e, "name"), *kind = cJSON_GetObjectItemCaseSensitive(e, "cat");
    const cJSON *process = cJSON_GetObjectItemCaseSensitive(e, "tid"),
                *begin = cJSON_GetObjectItemCaseSensitive(e, "ts");
    const cJSON *length = cJSON_GetObjectItemCaseSensitive(e, "dur");
    if (!cJSON_IsString(name) || !cJSON_IsString(kind) || !cJSON_IsNumber(process) || !cJSON_IsNumber(begin) ||
        !cJSON_IsNumber(length))
        return NULL;
    cJSON *x = cJSON_CreateArray();
    const double part[] = {process->valuedouble, number_of_name(numbers, names, name->valuestring),
                           begin->valuedouble * 1e-6, length->valuedouble * 1e-6,
                           !strcmp(kind->valuestring, "communication")};
    for (int k = 0; k < 5; k++) cJSON_AddItemToArray(x, cJSON_CreateNumber(part[k]));
    return x;
}

/* NULL: there is none. */
static cJSON *timeline_json(arena *a, const char *content) {
    cJSON *trace = content ? cJSON_Parse(content) : NULL;
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(trace, "traceEvents"), *e;
    if (!cJSON_IsArray(events)) return cJSON_Delete(trace), NULL;
    cJSON *x = cJSON_CreateObject(), *numbers = cJSON_CreateObject(), *names = cJSON_CreateArray(),
          *list = cJSON_CreateArray();
    cJSON **kept = arena_alloc(a, ((size_t)cJSON_GetArraySize(events) + 1) * sizeof *kept);
    size_t count = 0;
    cJSON_ArrayForEach(e, events) {
        cJSON *shown = event_json(e, numbers, names);
        if (shown) kept[count++] = shown;
    }
    if (count > MOST_SHOWN) qsort(kept, count, sizeof *kept, longer_first);
    for (size_t k = 0; k < count; k++) {
        if (k < MOST_SHOWN)
            cJSON_AddItemToArray(list, kept[k]);
        else
            cJSON_Delete(kept[k]);
    }
    cJSON_AddItemToObject(x, "list", list);
    cJSON_AddItemToObject(x, "names", names);
    cJSON_AddNumberToObject(x, "missing", count > MOST_SHOWN ? (double)(count - MOST_SHOWN) : 0);
    cJSON_Delete(numbers);
    cJSON_Delete(trace);
    return x;
}

/* ---- The page */

/* JSON in a script element: nothing in it ends the element. */
static void add_escaped(text *out, const char *json) {
    for (; *json; json++) {
        if (*json == '<')
            text_add(out, "\\u003c");
        else if (!strncmp(json, "\xe2\x80\xa8", 3) || !strncmp(json, "\xe2\x80\xa9", 3))
            text_add(out, json[2] == '\xa8' ? "\\u2028" : "\\u2029"), json += 2;
        else
            text_add_bytes(out, json, 1);
    }
}

static const char *filled(arena *a, const char *json) {
    text out;
    text_start(&out, a);
    for (const char *at = page_html; *at;) {
        const char *mark = strchr(at, '@');
        text_add_bytes(&out, at, mark ? (size_t)(mark - at) : strlen(at));
        if (!mark) break;
        if (!strncmp(mark, "@STYLE@", 7))
            text_add(&out, page_css), at = mark + 7;
        else if (!strncmp(mark, "@DATA@", 6))
            add_escaped(&out, json), at = mark + 6;
        else if (!strncmp(mark, "@SCRIPT@", 8))
            text_add(&out, pictures_js), text_add(&out, page_js), at = mark + 8;
        else
            text_add(&out, "@"), at = mark + 1;
    }
    return text_of(&out);
}

const char *report_page(arena *a, const report_input *x, const char **error) {
    cJSON *stats = x->stats ? cJSON_Parse(x->stats) : NULL;
    *error = x->stats && !stats ? "they are no JSON" : stats ? check_counts(a, stats, x) : NULL;
    if (*error) return cJSON_Delete(stats), NULL;
    cJSON *root = cJSON_CreateObject(), *trace = timeline_json(a, x->trace);
    cJSON_AddStringToObject(root, "program", x->program);
    cJSON_AddStringToObject(root, "version", x->version);
    cJSON_AddItemToObject(root, "source", source_lines(x->program));
    cJSON_AddItemToObject(root, "explain", cJSON_Parse(x->explained));
    cJSON_AddItemToObject(root, "generated", generated_lines(a, x->text, x->program));
    cJSON_AddItemToObject(root, "stats", stats ? stats : cJSON_CreateNull());
    cJSON_AddItemToObject(root, "trace", trace ? trace : cJSON_CreateNull());
    cJSON_AddNumberToObject(root, "cores", (double)x->cores);
    cJSON_AddItemToObject(root, "costs", cJSON_Parse(x->costs));
    cJSON_AddItemToObject(root, "scaling", x->scaling ? cJSON_Parse(x->scaling) : cJSON_CreateNull());
    char *json = cJSON_PrintUnformatted(root);
    if (!json) abort();
    const char *page = filled(a, as_utf8(a, json));
    free(json);
    cJSON_Delete(root);
    return page;
}
