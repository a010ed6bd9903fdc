/* compare EXPLAINED.json COUNTED.json: whether what `dpcc --explain=json --np=N` predicted is what the program counted
 * with DPC_STATS.  Prints each difference; then how many statements were compared, and how many could not be.  Exit
 * status 1: there is a difference. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const amounts[] = {"messages",         "bytes",          "elements",   "sections", "collectives",
                                      "collective_bytes", "value_messages", "value_bytes"};
enum { AMOUNTS = sizeof amounts / sizeof *amounts };

static int compared, skipped, different;

static cJSON *read_json(const char *path) {
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    if (in == NULL || getdelim(&text, &length, '\0', in) < 0) {
        fprintf(stderr, "compare: cannot read %s\n", path);
        exit(2);
    }
    fclose(in);
    cJSON *json = cJSON_Parse(text);
    if (json == NULL) {
        fprintf(stderr, "compare: %s is not JSON\n", path);
        exit(2);
    }
    free(text);
    return json;
}

static const char *text_in(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    return text == NULL ? "" : text;
}

static double number_in(const cJSON *object, const char *name) {
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}

static double at(const cJSON *object, const char *name, int process) {
    const cJSON *amount = cJSON_GetArrayItem(cJSON_GetObjectItem(object, name), process);
    return amount == NULL ? 0 : cJSON_GetNumberValue(amount); /* refreshes have no sections */
}

/* Whether two predictions are the same on every process. */
static bool same_prediction(const cJSON *x, const cJSON *y, int processes) {
    if (number_in(x, "executions") != number_in(y, "executions")) return false;
    for (int k = 0; k < AMOUNTS; k++)
        for (int p = 0; p < processes; p++)
            if (at(x, amounts[k], p) != at(y, amounts[k], p)) return false;
    return true;
}

/* The statements of a line: they share one count. */
typedef struct {
    const cJSON *first;
    int statements;
    bool predicted, alike, refresh;
    double executions;
    double *once; /* per amount and process: all of them together, each once */
} line;

/* Whether a statement stands at a place: of a line, or, with --check=all, of a column in it. */
static bool is_at(const cJSON *s, const char *where) {
    const char *of = text_in(s, "where");
    const size_t length = strlen(of);
    if (strncmp(of, where, length) != 0) return false;
    return where[length] == '\0' || (where[length] == ':' && atoi(where + length + 1) == (int)number_in(s, "column"));
}

static line find_line(const cJSON *explained, const char *where, int processes) {
    line found = {.predicted = true, .alike = true, .once = calloc((size_t)(AMOUNTS * processes), sizeof(double))};
    const cJSON *s;
    cJSON_ArrayForEach(s, cJSON_GetObjectItem(explained, "statements")) {
        if (!is_at(s, where)) continue;
        if (found.first == NULL) found.first = s;
        found.statements++;
        found.executions += number_in(s, "executions");
        if (cJSON_HasObjectItem(s, "unpredicted")) found.predicted = false;
        if (cJSON_HasObjectItem(s, "refresh")) found.refresh = true;
        if (cJSON_HasObjectItem(cJSON_GetObjectItem(s, "refresh"), "unpredicted")) found.predicted = false;
        if (!found.predicted) continue;
        found.alike = found.alike && (s == found.first || same_prediction(found.first, s, processes));
        for (int k = 0; k < AMOUNTS; k++)
            for (int p = 0; p < processes; p++) found.once[k * processes + p] += at(s, amounts[k], p);
    }
    return found;
}

/* How often ghost cells, or values that stay, were brought: never more often than the statement was executed, and as
 * often on every process. */
static double refreshes(const line *l, const cJSON *counted, double times, int processes) {
    const cJSON *refresh = cJSON_GetObjectItem(l->first, "refresh");
    for (int k = 0; k < AMOUNTS; k++)
        for (int p = 0; p < processes; p++) {
            const double rest = at(counted, amounts[k], p) - l->once[k * processes + p] * times;
            const double one = at(refresh, amounts[k], p);
            if (one > 0) return fmin(floor(rest / one), number_in(counted, "executions"));
        }
    return 0;
}

static void compare_line(const line *l, const cJSON *counted, const char *where, int processes) {
    const double executions = number_in(counted, "executions"), times = executions / l->executions;
    const bool several = l->statements > 1 && l->refresh;
    if (several || (!l->alike && times != 1)) {
        skipped++;
        return;
    }
    compared++;
    const cJSON *refresh = cJSON_GetObjectItem(l->first, "refresh");
    const double fresh = refresh == NULL ? 0 : refreshes(l, counted, times, processes);
    for (int k = 0; k < AMOUNTS; k++)
        for (int p = 0; p < processes && cJSON_HasObjectItem(l->first, amounts[k]); p++) {
            const double more = fresh > 0 ? fresh * at(refresh, amounts[k], p) : 0;
            const double expected = l->once[k * processes + p] * times + more, got = at(counted, amounts[k], p);
            if (fabs(expected - got) < 0.5) continue;
            printf("%s: %s on process %d: predicted %g, counted %g (%g executions)\n", where, amounts[k], p, expected,
                   got, executions);
            different++;
        }
}

/* The bounds of a reference hold on every process. */
static void check_bounds(const cJSON *reference, const char *where, int processes) {
    static const char *const bounded[] = {"messages", "elements", "bytes"};
    const cJSON *formulas = cJSON_GetObjectItem(reference, "formulas");
    for (int k = 0; k < 3; k++) {
        const cJSON *bound = cJSON_GetObjectItem(formulas, bounded[k]);
        for (int p = 0; p < processes && cJSON_IsNumber(bound) && cJSON_HasObjectItem(reference, bounded[k]); p++) {
            if (at(reference, bounded[k], p) <= cJSON_GetNumberValue(bound)) continue;
            printf("%s: %s: %g %s on process %d, at most %g by the formula\n", where, text_in(reference, "text"),
                   at(reference, bounded[k], p), bounded[k], p, cJSON_GetNumberValue(bound));
            different++;
        }
    }
}

static void check_all_bounds(const cJSON *explained, int processes) {
    const cJSON *s, *reference;
    cJSON_ArrayForEach(s, cJSON_GetObjectItem(explained, "statements"))
        cJSON_ArrayForEach(reference, cJSON_GetObjectItem(s, "refs"))
            check_bounds(reference, text_in(s, "where"), processes);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    cJSON *explained = read_json(argv[1]), *counts = read_json(argv[2]);
    const int processes = (int)number_in(counts, "processes");
    const cJSON *counted;
    if (number_in(explained, "processes") != processes) {
        printf("explained for %g processes, counted on %d\n", number_in(explained, "processes"), processes);
        return 1;
    }
    check_all_bounds(explained, processes);
    cJSON_ArrayForEach(counted, cJSON_GetObjectItem(counts, "statements")) {
        const char *where = text_in(counted, "where");
        const line l = find_line(explained, where, processes);
        if (l.statements == 0) {
            printf("%s is counted but not explained\n", where);
            different++;
        } else if (!l.predicted) {
            skipped++;
        } else {
            compare_line(&l, counted, where, processes);
        }
        free(l.once);
    }
    printf("%d compared, %d not\n", compared, skipped);
    cJSON_Delete(explained);
    cJSON_Delete(counts);
    return different > 0;
}
