/* The table and the JSON of DPC_STATS. */
#ifndef DPC_STANDALONE
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "stats.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "utf8.h"

static double sum(const dpc_counted_statement *s, int counter) {
    double total = 0;
    for (int p = 0; p < dpc_nprocs(); p++) total += s->count[p * DPC_COUNTERS + counter];
    return total;
}

static double greatest(const dpc_counted_statement *s, int counter) {
    double most = 0;
    for (int p = 0; p < dpc_nprocs(); p++)
        if (s->count[p * DPC_COUNTERS + counter] > most) most = s->count[p * DPC_COUNTERS + counter];
    return most;
}

/* ---- The table */

static const char *const counter_names[DPC_COUNTERS] = {
#define DPC_NAME(name) #name,
    DPC_FOR_COUNTERS(DPC_NAME)};

/* What stands side by side: counters first .. last.  The first part has a line for every statement, the others for
 * those that have something in it. */
typedef struct {
    const char *title;
    int first, last;
} part;

static const part parts[] = {
    {"statement", DPC_COUNT_executions, DPC_COUNT_copied},
    {"packing and plans", DPC_COUNT_sections, DPC_COUNT_plans_reused},
    {"gathers, scatters and collectives", DPC_COUNT_index_messages, DPC_COUNT_collective_bytes},
    {"set up", DPC_COUNT_spaces, DPC_COUNT_allocations},
};

typedef struct {
    char text[64];
} cell;

static bool is_time(int counter) {
    return counter == DPC_COUNT_seconds || counter == DPC_COUNT_elapsed;
}

/* Seconds that process p communicates in all statements. */
static double communicating(const dpc_counts *r, int p) {
    double seconds = 0;
    for (dpc_index k = 0; k < r->count; k++) seconds += r->statement[k].count[p * DPC_COUNTERS + DPC_COUNT_seconds];
    return seconds;
}

static cell cell_of(const dpc_counted_statement *s, int counter) {
    cell c;
    const int digits = is_time(counter) ? 6 : 0;
    const double all = sum(s, counter), most = greatest(s, counter);
    if (counter == DPC_COUNT_executions || most == 0)
        snprintf(c.text, sizeof c.text, "%.0f", most);
    else
        snprintf(c.text, sizeof c.text, "%.*f (%.*f)", digits, all, digits, most);
    return c;
}

static bool has_line(const part *p, const dpc_counted_statement *s) {
    bool any = p == parts;
    for (int c = p->first; c <= p->last; c++) any = any || greatest(s, c) > 0;
    return any;
}

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static int column_width(const dpc_counts *r, int counter) {
    int width = (int)strlen(counter_names[counter]);
    for (dpc_index k = 0; k < r->count; k++) width = wider(width, cell_of(&r->statement[k], counter).text);
    return width;
}

static void print_part(FILE *out, const dpc_counts *r, const part *p) {
    int name_width = (int)strlen(p->title);
    bool any = false;
    for (dpc_index k = 0; k < r->count; k++) {
        name_width = wider(name_width, r->statement[k].where);
        any = any || has_line(p, &r->statement[k]);
    }
    if (!any) return;
    fprintf(out, "%-*s", name_width, p->title);
    for (int c = p->first; c <= p->last; c++) fprintf(out, "  %*s", column_width(r, c), counter_names[c]);
    fputc('\n', out);
    for (dpc_index k = 0; k < r->count; k++) {
        if (!has_line(p, &r->statement[k])) continue;
        fprintf(out, "%-*s", name_width, r->statement[k].where);
        for (int c = p->first; c <= p->last; c++)
            fprintf(out, "  %*s", column_width(r, c), cell_of(&r->statement[k], c).text);
        fputc('\n', out);
    }
}

static void print_table(FILE *out, const dpc_counts *r) {
    fprintf(out, "DPC_STATS: number of processes: %d; sums over all, in brackets the most of one\n", dpc_nprocs());
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) print_part(out, r, &parts[k]);
    double total = 0, most = 0, least = -1;
    for (int p = 0; p < dpc_nprocs(); p++) {
        const double waits = communicating(r, p);
        if (r->total[p] > total) total = r->total[p];
        if (waits > most) most = waits;
        if (least < 0 || waits < least) least = waits;
    }
    fprintf(out, "in all %.6f s, of which processes communicate %.6f to %.6f s\n", total, least, most);
}

/* ---- JSON */

void dpc_print_json(FILE *out, const char *text) {
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const size_t length = dpc_utf8_length(text);
        if (length > 1) {
            fwrite(text, 1, length, out);
            text += length - 1;
        } else if (c < ' ' || length == 0) {
            fprintf(out, "\\u%04x", c);
        } else if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else {
            fputc(c, out);
        }
    }
}

static void print_string(FILE *out, const char *text) {
    fputc('"', out);
    dpc_print_json(out, text);
    fputc('"', out);
}

static void print_counts(FILE *out, const dpc_counted_statement *s, int counter) {
    fprintf(out, ", \"%s\": [", counter_names[counter]);
    for (int p = 0; p < dpc_nprocs(); p++)
        fprintf(out, "%s%.*f", p > 0 ? ", " : "", is_time(counter) ? 9 : 0, s->count[p * DPC_COUNTERS + counter]);
    fputc(']', out);
}

/* The line of the source, without blanks around it; nothing where it cannot be read. */
static void print_line(FILE *out, const char *where) {
    const char *colon = strrchr(where, ':');
    const long number = colon == NULL ? 0 : atol(colon + 1);
    char path[1024], line[1024] = "";
    if (number < 1 || colon - where >= (long)sizeof path) return;
    memcpy(path, where, (size_t)(colon - where));
    path[colon - where] = '\0';
    FILE *source = fopen(path, "r");
    long at = 0;
    for (int c; source != NULL && at < number && fgets(line, sizeof line, source) != NULL; at++)
        if (strchr(line, '\n') == NULL)
            while ((c = fgetc(source)) != EOF && c != '\n') continue;
    if (source != NULL) fclose(source);
    if (at < number) return;
    char *first = line + strspn(line, " \t"), *end = first + strlen(first);
    while (end > first && isspace((unsigned char)end[-1])) *--end = '\0';
    fputs(", \"text\": ", out);
    print_string(out, first);
}

/* [[partner, messages, bytes], ...] per process. */
static void print_partners(FILE *out, const dpc_counts *r, dpc_index k) {
    fputs(", \"partners\": [", out);
    for (int p = 0; p < dpc_nprocs(); p++) {
        const char *between = "";
        fputs(p > 0 ? ", [" : "[", out);
        for (dpc_index m = 0; m < r->paired[p]; m++) {
            const dpc_counted_pair *x = &r->pairs[p][m];
            if (x->number != (double)k) continue;
            fprintf(out, "%s[%.0f, %.0f, %.0f]", between, x->to, x->messages, x->bytes);
            between = ", ";
        }
        fputc(']', out);
    }
    fputc(']', out);
}

static void print_seconds(FILE *out, const char *name, const dpc_counts *r, double (*of)(const dpc_counts *, int)) {
    fprintf(out, "\"%s\": [", name);
    for (int p = 0; p < dpc_nprocs(); p++) fprintf(out, "%s%.9f", p > 0 ? ", " : "", of(r, p));
    fputs("], ", out);
}

static double total_of(const dpc_counts *r, int p) {
    return r->total[p];
}

static double computing(const dpc_counts *r, int p) {
    return r->total[p] - communicating(r, p);
}

static void print_json(FILE *out, const dpc_counts *r) {
    fprintf(out, "{\"processes\": %d, ", dpc_nprocs());
    print_seconds(out, "total_seconds", r, total_of);
    print_seconds(out, "communicating_seconds", r, communicating);
    print_seconds(out, "computing_seconds", r, computing);
    fputs("\"statements\": [", out);
    for (dpc_index k = 0; k < r->count; k++) {
        const dpc_counted_statement *s = &r->statement[k];
        fprintf(out, "%s\n  {\"where\": ", k > 0 ? "," : "");
        print_string(out, s->where);
        print_line(out, s->where);
        fprintf(out, ", \"executions\": %.0f", greatest(s, DPC_COUNT_executions));
        for (int c = 0; c < DPC_COUNTERS; c++)
            if (c != DPC_COUNT_executions) print_counts(out, s, c);
        print_partners(out, r, k);
        fputc('}', out);
    }
    fputs("\n]}\n", out);
}

static void complain(const char *path) {
    char text[500];
    const int length =
        snprintf(text, sizeof text, "dpc: error: DPC_STATS: cannot write '%.300s': %s\n", path, strerror(errno));
    dpc_print_error(text, (size_t)length);
}

void dpc_write_counts(const dpc_counts *r) {
    const char *path = getenv("DPC_STATS");
    FILE *out = fopen(path, "w");
    bool good = out != NULL;
    if (good) print_json(out, r);
    if (good) good = !ferror(out);
    if (out != NULL) good = fclose(out) == 0 && good;
    if (!good) complain(path);
}

void dpc_print_counts(const dpc_counts *r) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return;
    print_table(out, r);
    fclose(out);
    dpc_print_error(text, length);
    free(text);
}
#endif
