/* The language server: what the client asks, one message after the other; checks run meanwhile. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp.h"
#include "server.h"

static document *document_of(const server *s, const cJSON *parameters) {
    const char *uri = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(parameters, "textDocument"), "uri"));
    char *path = uri ? path_of_uri(uri) : NULL;
    document *d = path ? find_document(s, path) : NULL;
    free(path);
    return d;
}

/* A change in one document, a header perhaps, may matter to every other one. */
static void check_later(server *s, int delay) {
    for (document *d = s->documents; d; d = d->next) d->due = milliseconds() + delay;
    check_stop(s);
}

/* ---- Notifications about documents */

static void did_open(server *s, const cJSON *parameters) {
    const cJSON *x = cJSON_GetObjectItem(parameters, "textDocument"), *version = cJSON_GetObjectItem(x, "version");
    const char *uri = cJSON_GetStringValue(cJSON_GetObjectItem(x, "uri")),
               *content = cJSON_GetStringValue(cJSON_GetObjectItem(x, "text"));
    if (!uri || !content) return;
    document *old = document_of(s, parameters);
    if (old) {
        free(old->text);
        old->text = strdup(content);
        old->version = version ? version->valuedouble : 0;
    } else {
        document *d = document_new(uri, content, version ? version->valuedouble : 0);
        d->next = s->documents;
        s->documents = d;
    }
    check_later(s, 0);
}

static void did_change(server *s, const cJSON *parameters) {
    document *d = document_of(s, parameters);
    const cJSON *change, *version = cJSON_GetObjectItem(cJSON_GetObjectItem(parameters, "textDocument"), "version");
    if (!d) return;
    cJSON_ArrayForEach(change, cJSON_GetObjectItem(parameters, "contentChanges")) document_edit(d, change);
    if (version) d->version = version->valuedouble;
    d->changed = true;
    check_later(s, s->delay);
}

static void did_save(server *s, const cJSON *parameters) {
    const char *content = cJSON_GetStringValue(cJSON_GetObjectItem(parameters, "text"));
    document *d = document_of(s, parameters);
    if (!d) return;
    if (content) {
        free(d->text);
        d->text = strdup(content);
    }
    check_later(s, 0);
}

static void did_close(server *s, const cJSON *parameters) {
    document *d = document_of(s, parameters);
    if (!d) return;
    check_stop(s);
    clear_diagnostics(s, d);
    for (document **at = &s->documents; *at; at = &(*at)->next)
        if (*at == d) {
            *at = d->next;
            break;
        }
    char path[4200];
    if (snprintf(path, sizeof path, "%s/text%s", s->folder, d->path) < (int)sizeof path) remove(path);
    document_free(d);
    check_later(s, 0);
}

/* ---- Settings: {"flags": [...], "np": N, "delay": milliseconds, "limit": milliseconds} */

static void set_number(int *number, const cJSON *settings, const char *name, int least) {
    const cJSON *x = cJSON_GetObjectItem(settings, name);
    if (cJSON_IsNumber(x) && x->valueint >= least) *number = x->valueint;
}

static void take_settings(server *s, const cJSON *settings) {
    const cJSON *flags = cJSON_GetObjectItem(settings, "flags");
    if (cJSON_IsArray(flags)) {
        cJSON_Delete(s->flags);
        s->flags = cJSON_Duplicate(flags, true);
    }
    set_number(&s->processes, settings, "np", 0);
    set_number(&s->delay, settings, "delay", 0);
    set_number(&s->limit, settings, "limit", 1);
}

static void did_change_configuration(server *s, const cJSON *parameters) {
    const cJSON *settings = cJSON_GetObjectItem(parameters, "settings"), *own = cJSON_GetObjectItem(settings, "dpcc");
    take_settings(s, own ? own : settings);
    check_later(s, 0);
}

/* ---- Requests */

static cJSON *capabilities(void) {
    return cJSON_Parse("{\"capabilities\":{\"positionEncoding\":\"utf-16\","
                       "\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":{\"includeText\":true}},"
                       "\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
                       "\"documentSymbolProvider\":true,\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},"
                       "\"completionProvider\":{\"triggerCharacters\":[\" \",\"(\"]}},"
                       "\"serverInfo\":{\"name\":\"dpcc\"}}");
}

static void answer_initialize(server *s, const cJSON *id, const cJSON *parameters) {
    if (s->initialized) {
        send_error(id, INVALID_REQUEST, "the server is initialized already");
        return;
    }
    take_settings(s, cJSON_GetObjectItem(parameters, "initializationOptions"));
    s->initialized = true;
    send_result(id, capabilities());
}

typedef enum { AT_PLACE, AT_DOCUMENT } request_form;
typedef enum { HOVER, COMPLETION, DEFINITION, REFERENCES, SYMBOLS, ACTIONS } request_kind;

static const struct {
    const char *method;
    request_kind kind;
    request_form form;
} requests[] = {
    {"textDocument/hover", HOVER, AT_PLACE},
    {"textDocument/completion", COMPLETION, AT_PLACE},
    {"textDocument/definition", DEFINITION, AT_PLACE},
    {"textDocument/references", REFERENCES, AT_PLACE},
    {"textDocument/documentSymbol", SYMBOLS, AT_DOCUMENT},
    {"textDocument/codeAction", ACTIONS, AT_DOCUMENT},
};

static cJSON *result_of(server *s, request_kind kind, const document *d, size_t offset, const cJSON *parameters) {
    arena *a = arena_new();
    const cJSON *context = cJSON_GetObjectItem(parameters, "context");
    cJSON *result = NULL;
    switch (kind) {
    case HOVER:
        result = hover(a, s, d, offset);
        break;
    case COMPLETION:
        result = completion(a, s, d, offset);
        break;
    case DEFINITION:
        result = definition(a, s, d, offset);
        break;
    case REFERENCES:
        result = references(a, s, d, offset, cJSON_IsTrue(cJSON_GetObjectItem(context, "includeDeclaration")));
        break;
    case SYMBOLS:
        result = document_symbols(a, s, d);
        break;
    case ACTIONS:
        result = code_actions(d, cJSON_GetObjectItem(context, "diagnostics"));
        break;
    }
    arena_free(a);
    return result;
}

static void answer(server *s, const cJSON *id, const char *method, const cJSON *parameters) {
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) {
        if (strcmp(requests[k].method, method) != 0) continue;
        const document *d = document_of(s, parameters);
        const cJSON *place = cJSON_GetObjectItem(parameters, "position");
        const bool placed = cJSON_IsNumber(cJSON_GetObjectItem(place, "line")) &&
                            cJSON_IsNumber(cJSON_GetObjectItem(place, "character"));
        if (!d)
            send_error(id, INVALID_PARAMS, "no such document is open");
        else if (requests[k].form == AT_PLACE && !placed)
            send_error(id, INVALID_PARAMS, "there is no position");
        else
            send_result(id,
                        result_of(s, requests[k].kind, d, placed ? offset_of_place(d->text, place) : 0, parameters));
        return;
    }
    send_error(id, METHOD_NOT_FOUND, method);
}

static void handle_request(server *s, const cJSON *id, const char *method, const cJSON *parameters) {
    if (cJSON_IsNumber(id) && !is_exact(id->valuedouble))
        send_error(NULL, INVALID_REQUEST, "the number 'id' is beyond 2^53");
    else if (!strcmp(method, "initialize"))
        answer_initialize(s, id, parameters);
    else if (!s->initialized)
        send_error(id, NOT_INITIALIZED, "the first request is initialize");
    else if (s->shut)
        send_error(id, INVALID_REQUEST, "the server is shut down");
    else if (!strcmp(method, "shutdown"))
        s->shut = true, check_stop(s), send_result(id, NULL);
    else
        answer(s, id, method, parameters);
}

static void handle_notification(server *s, const char *method, const cJSON *parameters) {
    static const struct {
        const char *method;
        void (*take)(server *s, const cJSON *parameters);
    } notifications[] = {
        {"textDocument/didOpen", did_open},
        {"textDocument/didChange", did_change},
        {"textDocument/didSave", did_save},
        {"textDocument/didClose", did_close},
        {"workspace/didChangeConfiguration", did_change_configuration},
    };
    if (!strcmp(method, "exit")) s->left = true;
    if (!s->initialized || s->shut) return;
    for (size_t k = 0; k < sizeof notifications / sizeof *notifications; k++)
        if (!strcmp(notifications[k].method, method)) notifications[k].take(s, parameters);
}

static void handle(server *s, const char *content) {
    cJSON *message = cJSON_Parse(content);
    const cJSON *id = cJSON_GetObjectItem(message, "id"), *parameters = cJSON_GetObjectItem(message, "params");
    const char *method = cJSON_GetStringValue(cJSON_GetObjectItem(message, "method"));
    const bool answered = cJSON_GetObjectItem(message, "result") || cJSON_GetObjectItem(message, "error");
    if (!message)
        send_error(NULL, PARSE_ERROR, "this is not JSON");
    else if (!method && !(id && answered))
        send_error(id, INVALID_REQUEST, "this is not a request");
    else if (method && id)
        handle_request(s, id, method, parameters);
    else if (method)
        handle_notification(s, method, parameters);
    cJSON_Delete(message);
}

/* ---- The loop */

/* Starts the check that is due first; the milliseconds until there is something to do, -1: when a message comes. */
static int next_check(server *s) {
    enum { LOOK = 10 };
    document *first = NULL;
    if (s->running.pid) return LOOK;
    for (document *d = s->documents; d; d = d->next)
        if (d->due && (!first || d->due < first->due)) first = d;
    if (!first) return -1;
    const long long left = first->due - milliseconds();
    if (left > 0) return (int)left;
    check_start(s, first);
    return s->running.pid ? LOOK : 0;
}

static void handle_all(server *s) {
    bool broken = true;
    for (char *content = NULL; !s->left && (broken || content);) {
        content = take_message(&s->in, &broken);
        if (broken) send_error(NULL, PARSE_ERROR, "a message has no Content-Length");
        if (content) handle(s, content);
        free(content);
    }
}

int serve_editor(const char *dpcc, const char *folder) {
    server s = {.dpcc = dpcc, .folder = folder, .delay = 200, .limit = 20000};
    signal(SIGPIPE, SIG_IGN);
    while (!s.left && !s.in.ended) {
        receive(&s.in, next_check(&s));
        handle_all(&s);
        check_poll(&s);
    }
    check_stop(&s);
    while (s.documents) {
        document *next = s.documents->next;
        document_free(s.documents);
        s.documents = next;
    }
    cJSON_Delete(s.flags);
    free(s.in.bytes);
    return s.shut ? 0 : 1;
}
