/* The environment variables of libdpc: their values are checked when the program starts, and names that nobody reads
 * are pointed out. */
#include "settings.h"

#include <errno.h>
#include <string.h>

#include "names.h"

/* The text is one of the words that '|' separates. */
static bool is_among(const char *text, size_t length, const char *words) {
    for (const char *word = words;; word++) {
        const size_t of_word = strcspn(word, "|");
        if (of_word == length && strncmp(word, text, length) == 0) return true;
        word += of_word;
        if (*word == '\0') return false;
    }
}

bool dpc_is_name(const char *text, const char *words) {
    return is_among(text, strlen(text), words);
}

extern char **environ;

static const char prefix[] = "DPC_";

#ifdef DPC_STANDALONE
static void warn_ignored(const char *name, size_t length) {
    char text[400];
    const int written = snprintf(
        text, sizeof text, "dpc: warning: environment variable %.*s is ignored by a program of dpcc --standalone\n",
        (int)(length < 200 ? length : 200), name);
    dpc_print_error(text, (size_t)written);
}

void dpc_check_settings(void) {
    for (char **variable = environ; dpc_rank() == 0 && *variable != NULL; variable++)
        if (strncmp(*variable, prefix, sizeof prefix - 1) == 0 && strncmp(*variable, "DPC_PROFILE=", 12) != 0)
            warn_ignored(*variable, strcspn(*variable, "="));
}
#else

/* ---- Values */

/* METHOD[,SCHEDULE] */
static bool names_method(const char *text) {
    const size_t method = strcspn(text, ",");
    if (!is_among(text, method, dpc_redistribution_methods)) return false;
    return text[method] == '\0' || dpc_is_name(text + method + 1, dpc_redistribution_schedules);
}

static bool is_switch(const char *text) {
    return strcmp(text, "0") == 0 || strcmp(text, "1") == 0;
}

static bool names_json(const char *text) {
    const size_t length = strlen(text);
    return length > 5 && strcmp(text + length - 5, ".json") == 0;
}

static bool names_statistics(const char *text) {
    return is_switch(text) || names_json(text);
}

static bool is_path(const char *text) {
    return *text != '\0';
}

/* A variable; everywhere: every process must have it, else process 0's counts. */
typedef struct {
    const char *name;
    bool everywhere;
    bool (*accepts)(const char *text); /* NULL: numbers from `least` to `most` */
    const char *expected;
    dpc_index least, most;
} setting;

static const setting settings[DPC_SETTINGS] = {
    {"DPC_CACHE_BYTES", true, NULL, "a number of bytes", 1, INT64_MAX},
    {"DPC_CHUNK_BYTES", true, NULL, "a number of bytes", 1, INT_MAX},
    {"DPC_COPIES", true, NULL, "a number of bytes", 0, INT64_MAX},
    {"DPC_KEEP", true, is_switch, "0 or 1", 0, 1},
    {"DPC_NODE_SIZE", true, NULL, "a number of processes", 0, INT_MAX},
    {"DPC_PIPELINE", true, NULL, "a number of iterations", 1, INT_MAX},
    {"DPC_PLANS", true, NULL, "a number of plans", 0, INT_MAX},
    {"DPC_PROFILE", false, is_path, "the name of a file", 0, 0},
    {"DPC_REDISTRIBUTE", true, names_method, "METHOD[,SCHEDULE], as --redistribute and --schedule take them", 0, 0},
    {"DPC_STATS", false, names_statistics, "1 (a table) or the name of a .json file", 0, 0},
    {"DPC_TRACE", false, names_json, "the name of a .json file", 0, 0},
};

const char *dpc_setting_name(int k) {
    return settings[k].name;
}
bool dpc_setting_everywhere(int k) {
    return settings[k].everywhere;
}
const char *dpc_setting_text(int k) {
    const char *text = getenv(settings[k].name);
    return text == NULL || *text == '\0' ? NULL : text;
}

static bool is_number(const setting *s, const char *text, dpc_index *number) {
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *number >= s->least && *number <= s->most;
}

/* Process 0 says it of what is the same everywhere, which has been compared before. */
static _Noreturn void refuse(const setting *s, const char *text) {
    dpc_message_text why;
    if (s->accepts != NULL)
        snprintf(why.text, sizeof why.text, "environment variable %s is '%.200s'; %s must be %s", s->name, text,
                 s->name, s->expected);
    else
        snprintf(why.text, sizeof why.text, "environment variable %s is '%.200s'; %s must be %s, from %lld to %lld",
                 s->name, text, s->name, s->expected, (long long)s->least, (long long)s->most);
    if (s->everywhere) dpc_fail_together(NULL, &why);
    dpc_fail(NULL, "%s", why.text);
}

dpc_index dpc_setting_number(dpc_setting k, dpc_index otherwise) {
    const char *text = dpc_setting_text((int)k);
    dpc_index number;
    if (text == NULL) return otherwise;
    if (!is_number(&settings[k], text, &number)) refuse(&settings[k], text);
    return number;
}

static void check_value(const setting *s, const char *text) {
    dpc_index number;
    if (s->accepts != NULL ? !s->accepts(text) : !is_number(s, text, &number)) refuse(s, text);
}

/* ---- Names */

enum { LONGEST = 32 };

static int least_of(int x, int y, int z) {
    const int least = x < y ? x : y;
    return least < z ? least : z;
}

/* Letters to change, add and leave out to make one name the other (Levenshtein), of names up to LONGEST letters. */
static int edits(const char *from, size_t from_length, const char *to) {
    int row[LONGEST + 1];
    const size_t to_length = strlen(to);
    if (from_length > LONGEST || to_length > LONGEST) return LONGEST;
    for (size_t j = 0; j <= to_length; j++) row[j] = (int)j;
    for (size_t i = 1; i <= from_length; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= to_length; j++) {
            const int above = row[j];
            row[j] = least_of(above + 1, row[j - 1] + 1, diagonal + (from[i - 1] != to[j - 1]));
            diagonal = above;
        }
    }
    return row[to_length];
}

/* The variable that was meant; NULL: none is near. */
static const char *nearest(const char *name, size_t length) {
    const char *best = NULL;
    int least = 4;
    for (int k = 0; k < DPC_SETTINGS; k++) {
        const int distance = edits(name, length, settings[k].name);
        if (distance >= least) continue;
        least = distance;
        best = settings[k].name;
    }
    return best;
}

static void warn_unknown(const char *name, size_t length) {
    char text[400];
    const char *near = nearest(name, length);
    const int written =
        snprintf(text, sizeof text, "dpc: warning: environment variable %.*s means nothing to libdpc%s%s%s\n",
                 (int)(length < 200 ? length : 200), name, near != NULL ? "; did you mean " : "",
                 near != NULL ? near : "", near != NULL ? "?" : "");
    dpc_print_error(text, (size_t)written);
}

static bool is_known(const char *name, size_t length) {
    for (int k = 0; k < DPC_SETTINGS; k++)
        if (strlen(settings[k].name) == length && strncmp(settings[k].name, name, length) == 0) return true;
    return false;
}

void dpc_check_settings(void) {
    for (int k = 0; k < DPC_SETTINGS; k++)
        if (dpc_setting_text(k) != NULL) check_value(&settings[k], dpc_setting_text(k));
    if (dpc_rank() > 0) return;
    for (char **variable = environ; *variable != NULL; variable++) {
        const size_t length = strcspn(*variable, "=");
        if (strncmp(*variable, prefix, sizeof prefix - 1) == 0 && !is_known(*variable, length))
            warn_unknown(*variable, length);
    }
}
#endif
