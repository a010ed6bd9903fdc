/* Texts as the editor has them: edits, and places in UTF-16 code units. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

/* Without "." and "..", as RFC 3986, section 5.2.4, has it: one file, one path. */
static void remove_dots(char *path) {
    char *to = path;
    for (const char *from = path; *from;) {
        const size_t length = 1 + strcspn(from + 1, "/");
        if (length == 3 && !strncmp(from, "/..", 3)) {
            while (to > path && *--to != '/') continue;
        } else if (length != 2 || from[1] != '.') {
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    *to = '\0';
}

char *path_of_uri(const char *uri) {
    const char *from = strncmp(uri, "file://", 7) == 0 ? uri + 7 : uri;
    char *path = malloc(strlen(from) + 1), *to = path;
    if (!path) abort();
    if (from != uri) from += strcspn(from, "/"); /* an authority, which is this host */
    for (; *from; from++) {
        const char digits[] = {from[1], from[1] ? from[2] : '\0', '\0'};
        const bool coded = *from == '%' && isxdigit((unsigned char)digits[0]) && isxdigit((unsigned char)digits[1]);
        *to++ = coded ? (char)strtol(digits, NULL, 16) : *from;
        if (coded) from += 2;
    }
    *to = '\0';
    if (*path == '/') remove_dots(path);
    return path;
}

char *uri_of_path(const char *path) {
    char *uri = malloc(3 * strlen(path) + 8), *to = uri;
    if (!uri) abort();
    to = stpcpy(to, "file://");
    for (; *path; path++) {
        const unsigned char c = (unsigned char)*path;
        if (isalnum(c) || strchr("/-._~", c))
            *to++ = (char)c;
        else
            to += sprintf(to, "%%%02X", c);
    }
    *to = '\0';
    return uri;
}

document *document_new(const char *uri, const char *content, double version) {
    document *d = calloc(1, sizeof *d);
    if (!d) abort();
    *d = (document){.uri = strdup(uri), .path = path_of_uri(uri), .text = strdup(content), .version = version};
    return d;
}

void document_free(document *d) {
    free(d->uri), free(d->path), free(d->text);
    cJSON_Delete(d->explained);
    cJSON_Delete(d->published);
    free(d);
}

document *find_document(const server *s, const char *path) {
    for (document *d = s->documents; d; d = d->next)
        if (!strcmp(d->path, path)) return d;
    return NULL;
}

/* The bytes of the UTF-8 character at `text`, 1 where it is none. */
static size_t bytes_of_character(const char *content) {
    const unsigned char c = (unsigned char)*content;
    const size_t count = c >= 0xF0 && c < 0xF8 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    for (size_t k = 1; k < count; k++)
        if (((unsigned char)content[k] & 0xC0) != 0x80) return 1;
    return count;
}

/* Characters outside the Basic Multilingual Plane, of four bytes, are two units. */
static size_t units(size_t bytes) {
    return bytes == 4 ? 2 : 1;
}

static bool at_line_end(const char *content) {
    return !*content || *content == '\n' || (*content == '\r' && content[1] == '\n');
}

static const char *line_start(const char *content, double line) {
    for (double k = 0; k < line; k++) {
        const char *end = strchr(content, '\n');
        if (!end) return content + strlen(content);
        content = end + 1;
    }
    return content;
}

size_t offset_of_place(const char *content, const cJSON *place) {
    const cJSON *line = cJSON_GetObjectItem(place, "line"), *character = cJSON_GetObjectItem(place, "character");
    const char *at = line_start(content, line ? line->valuedouble : 0);
    double left = character ? character->valuedouble : 0;
    while (left > 0 && !at_line_end(at)) {
        const size_t bytes = bytes_of_character(at);
        left -= (double)units(bytes);
        if (left < 0) break;
        at += bytes;
    }
    return (size_t)(at - content);
}

cJSON *place_of_offset(const char *content, size_t offset) {
    size_t line = 0, character = 0, start = 0;
    for (size_t k = 0; k < offset && content[k]; k++)
        if (content[k] == '\n') line++, start = k + 1;
    for (size_t k = start; k < offset && content[k];) {
        const size_t bytes = bytes_of_character(content + k);
        character += units(bytes);
        k += bytes;
    }
    cJSON *place = cJSON_CreateObject();
    cJSON_AddNumberToObject(place, "line", (double)line);
    cJSON_AddNumberToObject(place, "character", (double)character);
    return place;
}

cJSON *range_of_offsets(const char *content, size_t start, size_t end) {
    cJSON *range = cJSON_CreateObject();
    cJSON_AddItemToObject(range, "start", place_of_offset(content, start));
    cJSON_AddItemToObject(range, "end", place_of_offset(content, end));
    return range;
}

size_t offset_of_line(const char *content, int line, int column) {
    const char *at = line_start(content, line - 1);
    for (int k = 1; k < column && !at_line_end(at); k++) at++;
    return (size_t)(at - content);
}

static bool is_place(const cJSON *place) {
    return cJSON_IsNumber(cJSON_GetObjectItem(place, "line")) &&
           cJSON_IsNumber(cJSON_GetObjectItem(place, "character"));
}

bool document_edit(document *d, const cJSON *change) {
    const cJSON *range = cJSON_GetObjectItem(change, "range"), *content = cJSON_GetObjectItem(change, "text");
    size_t start = 0, end = strlen(d->text);
    if (!cJSON_IsString(content)) return false;
    if (range && !cJSON_IsNull(range)) {
        const cJSON *from = cJSON_GetObjectItem(range, "start"), *to = cJSON_GetObjectItem(range, "end");
        if (!is_place(from) || !is_place(to)) return false;
        start = offset_of_place(d->text, from), end = offset_of_place(d->text, to);
        if (end < start) return false;
    }
    const size_t added = strlen(content->valuestring), rest = strlen(d->text + end);
    char *edited = malloc(start + added + rest + 1);
    if (!edited) abort();
    memcpy(edited, d->text, start);
    memcpy(edited + start, content->valuestring, added);
    memcpy(edited + start + added, d->text + end, rest + 1);
    free(d->text);
    d->text = edited;
    return true;
}
