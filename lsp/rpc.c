/* JSON-RPC 2.0: messages with a Content-Length on standard input and output. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../ir/utf8.h"
#include "server.h"

enum { PORTION = 1 << 16, LONGEST = 1 << 27 };

void receive(input_stream *in, int wait) {
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    if (in->ended || poll(&ready, 1, wait) <= 0) return;
    if (in->capacity - in->count < PORTION) {
        char *larger = realloc(in->bytes, in->capacity = 2 * in->capacity + 2 * PORTION);
        if (!larger) abort();
        in->bytes = larger;
    }
    const ssize_t got = read(STDIN_FILENO, in->bytes + in->count, PORTION);
    if (got > 0)
        in->count += (size_t)got;
    else if (got == 0 || errno != EINTR)
        in->ended = true;
}

static void drop(input_stream *in, size_t count) {
    memmove(in->bytes, in->bytes + count, in->count - count);
    in->count -= count;
}

/* The value of Content-Length in the header; -1: there is none.  It may stand behind the rest of a broken message. */
static long content_length(const char *head, size_t length) {
    static const char name[] = "content-length:";
    const size_t letters = sizeof name - 1;
    for (const char *at = head + length; at-- > head;) {
        if ((size_t)(head + length - at) < letters || strncasecmp(at, name, letters) != 0) continue;
        char *end;
        const long value = strtol(at + letters, &end, 10);
        return end > at + letters && (*end == '\r' || *end == ' ') && value <= LONGEST ? value : -1;
    }
    return -1;
}

char *take_message(input_stream *in, bool *broken) {
    *broken = false;
    const char *end = in->count ? memmem(in->bytes, in->count, "\r\n\r\n", 4) : NULL;
    if (!end) {
        *broken = in->count > PORTION || (in->ended && in->count);
        if (*broken) in->count = 0;
        return NULL;
    }
    const size_t head = (size_t)(end - in->bytes) + 4;
    const long length = content_length(in->bytes, head);
    if (length < 0) return *broken = true, drop(in, head), NULL;
    if (in->count - head < (size_t)length) return NULL;
    char *message = strndup(in->bytes + head, (size_t)length);
    drop(in, head + (size_t)length);
    return message;
}

static void send_message(cJSON *message) {
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    char *printed = cJSON_PrintUnformatted(message);
    if (!printed) abort();
    arena *a = arena_new();
    const char *content = as_utf8(a, printed);
    printf("Content-Length: %zu\r\n\r\n%s", strlen(content), content);
    fflush(stdout);
    arena_free(a);
    free(printed);
    cJSON_Delete(message);
}

bool is_exact(double x) {
    const double most = 9007199254740992.0;
    return x > -most && x < most;
}

/* As the client wrote it: cJSON makes 16 digits 15, and an exponent. */
static cJSON *id_of(const cJSON *id) {
    char digits[32];
    if (!id) return cJSON_CreateNull();
    if (!cJSON_IsNumber(id) || !is_exact(id->valuedouble) || id->valuedouble != (double)(long long)id->valuedouble)
        return cJSON_Duplicate(id, true);
    snprintf(digits, sizeof digits, "%lld", (long long)id->valuedouble);
    return cJSON_CreateRaw(digits);
}

static cJSON *answer_to(const cJSON *id) {
    cJSON *message = cJSON_CreateObject();
    cJSON_AddItemToObject(message, "id", id_of(id));
    return message;
}

void send_result(const cJSON *id, cJSON *result) {
    cJSON *message = answer_to(id);
    cJSON_AddItemToObject(message, "result", result ? result : cJSON_CreateNull());
    send_message(message);
}

void send_error(const cJSON *id, int code, const char *content) {
    cJSON *message = answer_to(id), *error = cJSON_AddObjectToObject(message, "error");
    cJSON_AddNumberToObject(error, "code", code);
    cJSON_AddStringToObject(error, "message", content);
    send_message(message);
}

void send_notification(const char *method, cJSON *parameters) {
    cJSON *message = cJSON_CreateObject();
    cJSON_AddStringToObject(message, "method", method);
    cJSON_AddItemToObject(message, "params", parameters);
    send_message(message);
}
