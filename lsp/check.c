/* A document is checked by dpcc in a process of its own, on the text that the editor has. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../ir/child.h"
#include "server.h"

long long milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static char *read_file(const char *path) {
    const int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe has no end to wait for */
    FILE *file = handle < 0 ? NULL : fdopen(handle, "r");
    char *content = NULL;
    size_t capacity = 0;
    struct stat status;
    if (!file) return NULL;
    const bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    const ssize_t length = regular ? getdelim(&content, &capacity, '\0', file) : -1;
    fclose(file);
    if (length < 0 && regular) return free(content), strdup("");
    return content;
}

const char *text_of_path(arena *a, const server *s, const char *path) {
    const document *d = find_document(s, path);
    if (d) return arena_format(a, "%s", d->text);
    char *content = read_file(path);
    const char *kept = content ? arena_format(a, "%s", content) : NULL;
    free(content);
    return kept;
}

/* ---- Flags */

static bool begins_with(const char *flag, const char *start) {
    return strncmp(flag, start, strlen(start)) == 0;
}

/* Flags that change what a program means; what is made of it nobody asks here. compile_flags.txt is read when a file of
 * its folder is looked at: not those with which the C compiler executes something or writes files. */
static bool is_accepted(const char *flag) {
    static const char *const refused[] = {
        "-fplugin",         "-fpass-plugin", "-fmodule",       "-fdump-", "-fsave-", "-fopt-info",
        "-fcallgraph-info", "-fprofile",     "-fdiagnostics-", "-Wp,",    "-Wa,",    "-Wl,"};
    static const char *const accepted[] = {"-D",
                                           "-U",
                                           "-I",
                                           "-std=",
                                           "-f",
                                           "-m",
                                           "-W",
                                           "-w",
                                           "-O",
                                           "--np=",
                                           "--sets=",
                                           "--model=",
                                           "--schedule=",
                                           "--redistribute=",
                                           "--openmp",
                                           "--check=",
                                           "--reproducible",
                                           "--time-tiling="};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (begins_with(flag, refused[k])) return false;
    for (size_t k = 0; k < sizeof accepted / sizeof *accepted; k++)
        if (begins_with(flag, accepted[k])) return true;
    return false;
}

static bool takes_word(const char *flag) {
    return !strcmp(flag, "-D") || !strcmp(flag, "-U") || !strcmp(flag, "-I");
}

static void add_flag(arena *a, flag_list *list, const char *folder, const char *flag) {
    if (!is_accepted(flag)) return;
    if (begins_with(flag, "-I") && flag[2] && flag[2] != '/') flag = arena_format(a, "-I%s/%s", folder, flag + 2);
    vector_add(a, list->item, list->count, list->capacity, flag);
}

/* A flag a line; -I FOLDER may stand in two. */
static void read_flags(arena *a, flag_list *list, const char *folder, char *content) {
    const char *pending = NULL;
    char *rest = content;
    for (char *line = strtok_r(content, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        line += strspn(line, " \t");
        for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]);) line[--n] = '\0';
        if (!pending && takes_word(line)) {
            pending = arena_format(a, "%s", line);
            continue;
        }
        add_flag(a, list, folder, arena_format(a, "%s%s", pending ? pending : "", line));
        pending = NULL;
    }
}

/* compile_flags.txt in the document's folder, or in the next above it that has one. */
static void read_flag_file(arena *a, flag_list *list, const char *path) {
    char *folder = arena_format(a, "%s", path);
    for (char *slash = strrchr(folder, '/'); slash; slash = strrchr(folder, '/')) {
        *slash = '\0';
        char *content = read_file(arena_format(a, "%s/compile_flags.txt", folder));
        if (content) read_flags(a, list, folder, content);
        free(content);
        if (content) return;
    }
}

static const char *folder_of(arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_text(a, path, (size_t)(slash - path)) : ".";
}

flag_list flags_of(arena *a, const server *s, const document *d) {
    flag_list list = {NULL, 0, 0};
    const cJSON *item;
    read_flag_file(a, &list, d->path);
    cJSON_ArrayForEach(item, s->flags) {
        if (cJSON_IsString(item)) add_flag(a, &list, folder_of(a, d->path), arena_format(a, "%s", item->valuestring));
    }
    return list;
}

/* ---- The texts that are not saved, in the server's folder under their whole paths */

static const char *mirrored(arena *a, const server *s, const char *path) {
    return arena_format(a, "%s/text%s%s", s->folder, *path == '/' ? "" : "/", path);
}

static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

static void mirror(arena *a, const server *s, const document *d) {
    char *path = arena_format(a, "%s", mirrored(a, s, d->path));
    if (strstr(path, "/../")) return;
    make_folders(path);
    FILE *file = fopen(path, "w");
    if (!file) return;
    fputs(d->text, file);
    fclose(file);
}

static bool is_program(const document *d) {
    const size_t length = strlen(d->path);
    return length > 4 && !strcmp(d->path + length - 4, ".dpc");
}

static void add_word(arena *a, flag_list *list, const char *flag) {
    vector_add(a, list->item, list->count, list->capacity, flag);
}

/* Folders are searched as the editor has them before they are as the disk has them. */
static flag_list command_of(arena *a, const server *s, const document *d) {
    flag_list list = {NULL, 0, 0};
    const flag_list flags = flags_of(a, s, d);
    const char *folder = folder_of(a, d->path);
    add_word(a, &list, s->dpcc);
    add_word(a, &list, "--explain=json");
    add_word(a, &list, "--diagnostics=json");
    for (size_t k = 0; k < flags.count; k++) {
        if (begins_with(flags.item[k], "-I"))
            add_word(a, &list, arena_format(a, "-I%s", mirrored(a, s, flags.item[k] + 2)));
        add_word(a, &list, flags.item[k]);
    }
    if (s->processes > 0) add_word(a, &list, arena_format(a, "--np=%d", s->processes));
    add_word(a, &list, "-iquote");
    add_word(a, &list, folder);
    add_word(a, &list, mirrored(a, s, d->path));
    add_word(a, &list, NULL);
    return list;
}

void check_start(server *s, document *d) {
    arena *a = arena_new();
    d->due = 0;
    if (!is_program(d)) return arena_free(a);
    for (const document *x = s->documents; x; x = x->next) mirror(a, s, x);
    const flag_list command = command_of(a, s, d);
    const int flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC),
              output = open(arena_format(a, "%s/output", s->folder), flags, 0600),
              errors = open(arena_format(a, "%s/errors", s->folder), flags, 0600);
    const pid_t pid = start_child(command.item, input, output, errors);
    close(input), close(output), close(errors);
    s->running = (check){.pid = pid > 0 ? pid : 0, .of = d, .started = milliseconds()};
    d->changed = false;
    arena_free(a);
}

void check_stop(server *s) {
    if (!s->running.pid) return;
    kill(s->running.pid, SIGTERM);
    for (int k = 0; waitpid(s->running.pid, NULL, WNOHANG) == 0; k++) {
        if (k == 100) kill(s->running.pid, SIGKILL);
        usleep(2000);
    }
    s->running.pid = 0;
}

/* ---- Its answer */

/* The path that the user knows a file by. */
static const char *user_path(arena *a, const server *s, const document *d, const char *path) {
    const char *start = arena_format(a, "%s/text", s->folder);
    if (begins_with(path, start))
        path += strlen(start);
    else if (*path != '/')
        path = arena_format(a, "%s/%s", folder_of(a, d->path), path);
    char *whole = realpath(path, NULL);
    const char *kept = whole && !find_document(s, path) ? arena_format(a, "%s", whole) : path;
    free(whole);
    return kept;
}

static int integer_in(const cJSON *x, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(x, name);
    return item ? item->valueint : 0;
}

static const char *string_of(const cJSON *x, const char *name) {
    return cJSON_GetStringValue(cJSON_GetObjectItem(x, name));
}

/* {uri, range} of a diagnostic or a note; where it has no place, the document's beginning. */
static cJSON *location_of(arena *a, const server *s, const document *d, const cJSON *x) {
    const char *file = string_of(x, "file"), *path = file ? user_path(a, s, d, file) : d->path;
    const char *content = text_of_path(a, s, path);
    const int line = file ? integer_in(x, "line") : 1;
    const size_t start = content ? offset_of_line(content, line, integer_in(x, "column")) : 0,
                 end = content ? offset_of_line(content, line, integer_in(x, "end_column")) : 0;
    cJSON *location = cJSON_CreateObject();
    const document *known = find_document(s, path);
    char *uri = known ? strdup(known->uri) : uri_of_path(path);
    cJSON_AddStringToObject(location, "uri", uri);
    cJSON_AddItemToObject(location, "range",
                          range_of_offsets(content ? content : "", start, end > start ? end : start));
    free(uri);
    return location;
}

/* "did you mean 'X'?": X, what to write instead; NULL: the help is none of these. */
static const char *replacement_of(arena *a, const cJSON *x) {
    const cJSON *help;
    cJSON_ArrayForEach(help, cJSON_GetObjectItem(x, "help")) {
        const char *content = help->valuestring, *start = content ? strstr(content, "did you mean '") : NULL;
        if (start) return start += 14, arena_text(a, start, strcspn(start, "'"));
    }
    return NULL;
}

static const char *message_of(arena *a, const cJSON *x) {
    const char *message = string_of(x, "message");
    const cJSON *help;
    char *all = arena_format(a, "%s", message ? message : "");
    cJSON_ArrayForEach(help, cJSON_GetObjectItem(x, "help")) {
        if (help->valuestring) all = arena_format(a, "%s\nhelp: %s", all, help->valuestring);
    }
    return all;
}

static cJSON *diagnostic_of(arena *a, const server *s, const document *d, const cJSON *x, cJSON *location) {
    cJSON *out = cJSON_CreateObject(), *related = cJSON_CreateArray();
    const char *severity = string_of(x, "severity"), *id = string_of(x, "id"), *replacement = replacement_of(a, x);
    const cJSON *note;
    cJSON_AddItemToObject(out, "range", cJSON_DetachItemFromObject(location, "range"));
    cJSON_AddNumberToObject(out, "severity", severity && !strcmp(severity, "warning") ? 2 : 1);
    cJSON_AddStringToObject(out, "source", "dpcc");
    if (id) cJSON_AddStringToObject(out, "code", id);
    cJSON_AddStringToObject(out, "message", message_of(a, x));
    if (replacement) cJSON_AddStringToObject(cJSON_AddObjectToObject(out, "data"), "replacement", replacement);
    cJSON_ArrayForEach(note, cJSON_GetObjectItem(x, "notes")) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToObject(item, "location", location_of(a, s, d, note));
        cJSON_AddStringToObject(item, "message", message_of(a, note));
        cJSON_AddItemToArray(related, item);
    }
    cJSON_AddItemToObject(out, "relatedInformation", related);
    return out;
}

/* What all documents' checks said of a file, a header perhaps that several include, once each. */
static cJSON *diagnostics_of(const server *s, const char *uri) {
    cJSON *all = cJSON_CreateArray();
    for (const document *d = s->documents; d; d = d->next) {
        const int others = cJSON_GetArraySize(all);
        const cJSON *x;
        cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(d->published, uri)) {
            int k = 0;
            while (k < others && !cJSON_Compare(cJSON_GetArrayItem(all, k), x, true)) k++;
            if (k == others) cJSON_AddItemToArray(all, cJSON_Duplicate(x, true));
        }
    }
    return all;
}

static void publish_file(const server *s, const char *uri, const document *of) {
    cJSON *parameters = cJSON_CreateObject();
    cJSON_AddStringToObject(parameters, "uri", uri);
    if (of && !strcmp(of->uri, uri)) cJSON_AddNumberToObject(parameters, "version", of->version);
    cJSON_AddItemToObject(parameters, "diagnostics", diagnostics_of(s, uri));
    send_notification("textDocument/publishDiagnostics", parameters);
}

void clear_diagnostics(const server *s, document *d) {
    cJSON *files = d->published, *list;
    d->published = NULL;
    cJSON_ArrayForEach(list, files) publish_file(s, list->string, NULL);
    cJSON_Delete(files);
}

/* All that the check said, by files; a file that had diagnostics and has none gets an empty list. */
static void publish_all(const server *s, document *d, cJSON *files) {
    cJSON *before = d->published, *list;
    d->published = files;
    if (!cJSON_GetObjectItemCaseSensitive(files, d->uri)) cJSON_AddArrayToObject(files, d->uri);
    cJSON_ArrayForEach(list, before) {
        if (!cJSON_GetObjectItemCaseSensitive(files, list->string)) publish_file(s, list->string, NULL);
    }
    cJSON_ArrayForEach(list, files) publish_file(s, list->string, d);
    cJSON_Delete(before);
}

static void add_diagnostic(arena *a, const server *s, const document *d, cJSON *files, const cJSON *x) {
    cJSON *location = location_of(a, s, d, x);
    const char *uri = string_of(location, "uri");
    cJSON *list = cJSON_GetObjectItemCaseSensitive(files, uri);
    if (!list) list = cJSON_AddArrayToObject(files, uri);
    cJSON_AddItemToArray(list, diagnostic_of(a, s, d, x, location));
    cJSON_Delete(location);
}

static void add_failure(arena *a, const server *s, const document *d, cJSON *files, const char *message) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddStringToObject(x, "message", message);
    add_diagnostic(a, s, d, files, x);
    cJSON_Delete(x);
}

/* What it wrote: diagnostics to `errors`, the explanation to `output`. `failure`: how it ended, if not as it should. */
static void take_answer(server *s, document *d, const char *failure) {
    arena *a = arena_new();
    char *errors = read_file(arena_format(a, "%s/errors", s->folder)), *rest = errors,
         *output = read_file(arena_format(a, "%s/output", s->folder));
    cJSON *files = cJSON_CreateObject(), *explained = output ? cJSON_Parse(output) : NULL;
    for (char *line = errors ? strtok_r(errors, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        cJSON *x = cJSON_Parse(line);
        if (cJSON_IsObject(x)) add_diagnostic(a, s, d, files, x);
        cJSON_Delete(x);
    }
    if (failure) add_failure(a, s, d, files, failure);
    if (explained) {
        cJSON_Delete(d->explained);
        d->explained = explained;
    }
    publish_all(s, d, files);
    free(errors), free(output);
    arena_free(a);
}

bool check_poll(server *s) {
    int status = 0;
    char failure[120] = "";
    if (!s->running.pid) return false;
    const pid_t ended = waitpid(s->running.pid, &status, WNOHANG);
    if (ended == 0 && milliseconds() - s->running.started < s->limit) return false;
    if (ended == 0) {
        check_stop(s);
        snprintf(failure, sizeof failure, "dpcc was stopped after %d seconds", s->limit / 1000);
    } else if (WIFSIGNALED(status)) {
        snprintf(failure, sizeof failure, "dpcc was ended by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) == 70) {
        snprintf(failure, sizeof failure, "dpcc has a bug: translate the program to see its message");
    }
    s->running.pid = 0;
    take_answer(s, s->running.of, *failure ? failure : NULL);
    return true;
}
