/* --explain: the block sizes that were compared, with their balance and communication (Lee and Chen, section 5.1 and
 * Table 2), and the graph of what statements relate. */
#include <cjson/cJSON.h>
#include <string.h>

#include "report.h"

/* ---- Names */

/* "A", or "A dimension 2" where several of them could be meant. */
static const char *member_name(const program *p, const block_group *g, int k) {
    const char *name = g->array[k]->symbol->name;
    return g->array[k]->rank == 1 ? name : arena_format(p->memory, "%s dimension %d", name, g->dimension[k] + 1);
}

static const char *quotient_text(const program *p, int64_t block, int64_t stride) {
    return arena_format(p->memory, stride == 1 ? "%lld" : "%lld/%lld", (long long)block, (long long)stride);
}

/* What the blocks are to one another: Table 4. */
static const char *relation_words(const block_pair *x) {
    if (x->local) return "equal, all local";
    return x->number == 4   ? "equal, not beginning together"
           : x->number == 1 ? "neither divides the other: no closed forms"
                            : "one divides the other";
}

static int line_of(const program *p, const node *n) {
    return p->source->tokens[n->first].line;
}

/* ---- Text */

static void print_pair(FILE *out, const program *p, const block_group *g, const block_pair *x) {
    fprintf(out, "    line %-5d %s = ... %s: %s b1/s1 = %s, %s b2/s2 = %s, %s\n", line_of(p, x->home),
            ast_quote(p->memory, p->source, x->home), ast_quote(p->memory, p->source, x->read),
            member_name(p, g, x->left), quotient_text(p, x->left_block, x->left_stride), member_name(p, g, x->right),
            quotient_text(p, x->right_block, x->right_stride), relation_words(x));
}

static int column_width(const program *p, const block_group *g, int k) {
    size_t width = strlen(member_name(p, g, k));
    for (size_t n = 0; n < g->options; n++)
        if (strlen(g->option[n].word[k]) > width) width = strlen(g->option[n].word[k]);
    return (int)width;
}

/* JSON has all columns. */
enum { MOST_COLUMNS = 8 };

static int columns_of(const block_group *g) {
    return g->members < MOST_COLUMNS ? g->members : MOST_COLUMNS;
}

static void print_option(FILE *out, const program *p, const block_group *g, size_t n) {
    const block_option *o = &g->option[n];
    fprintf(out, "  %c", n == g->chosen ? '*' : ' ');
    for (int k = 0; k < columns_of(g); k++) fprintf(out, " %-*s", column_width(p, g, k), o->word[k]);
    if (g->members > MOST_COLUMNS) fprintf(out, " ...");
    if (o->seconds < 0)
        fprintf(out, "  %43s", "");
    else
        fprintf(out, "  %7.2f  %8.4g  %10.6g  %9.3g  ", o->balance, o->messages, o->elements, o->seconds);
    fprintf(out, "%s\n", o->method);
}

static void print_group(FILE *out, const program *p, const block_group *g) {
    for (size_t n = 0; n < g->pairs; n++) print_pair(out, p, g, &g->pair[n]);
    fprintf(out, "   ");
    for (int k = 0; k < columns_of(g); k++) fprintf(out, " %-*s", column_width(p, g, k), member_name(p, g, k));
    if (g->members > MOST_COLUMNS) fprintf(out, " +%-2d", g->members - MOST_COLUMNS);
    fprintf(out, "  balance  messages    elements    seconds\n");
    for (size_t n = 0; n < g->options; n++) print_option(out, p, g, n);
}

void print_block_groups(FILE *out, const program *p) {
    if (p->chosen_count == 0) return;
    fprintf(out, "\nblock sizes compared (*: chosen; of the busiest process, in all executions)\n");
    for (size_t k = 0; k < p->chosen_count; k++) {
        if (k > 0) fprintf(out, "\n");
        print_group(out, p, p->chosen[k]);
    }
}

/* ---- JSON */

static cJSON *pair_json(const program *p, const block_pair *x) {
    cJSON *made = cJSON_CreateObject();
    cJSON_AddNumberToObject(made, "line", line_of(p, x->home));
    cJSON_AddStringToObject(made, "home", ast_quote(p->memory, p->source, x->home));
    cJSON_AddStringToObject(made, "read", ast_quote(p->memory, p->source, x->read));
    cJSON_AddNumberToObject(made, "left", x->left);
    cJSON_AddNumberToObject(made, "right", x->right);
    cJSON_AddNumberToObject(made, "b1", (double)x->left_block);
    cJSON_AddNumberToObject(made, "s1", (double)x->left_stride);
    cJSON_AddNumberToObject(made, "b2", (double)x->right_block);
    cJSON_AddNumberToObject(made, "s2", (double)x->right_stride);
    cJSON_AddNumberToObject(made, "case", x->number);
    cJSON_AddBoolToObject(made, "local", x->local);
    return made;
}

static cJSON *option_json(const block_group *g, size_t n) {
    const block_option *o = &g->option[n];
    cJSON *made = cJSON_CreateObject();
    cJSON_AddItemToObject(made, "formats", cJSON_CreateStringArray(o->word, g->members));
    cJSON_AddStringToObject(made, "method", o->method);
    cJSON_AddBoolToObject(made, "chosen", n == g->chosen);
    if (o->seconds < 0) return made;
    cJSON_AddNumberToObject(made, "balance", o->balance);
    cJSON_AddNumberToObject(made, "messages", o->messages);
    cJSON_AddNumberToObject(made, "elements", o->elements);
    cJSON_AddNumberToObject(made, "seconds", o->seconds);
    return made;
}

static cJSON *group_json(const program *p, const block_group *g) {
    cJSON *made = cJSON_CreateObject(), *members = cJSON_AddArrayToObject(made, "members"),
          *pairs = cJSON_AddArrayToObject(made, "pairs"), *options = cJSON_AddArrayToObject(made, "candidates");
    for (int k = 0; k < g->members; k++) {
        cJSON *x = cJSON_CreateObject();
        cJSON_AddStringToObject(x, "array", g->array[k]->symbol->name);
        cJSON_AddNumberToObject(x, "dimension", g->dimension[k] + 1);
        cJSON_AddItemToArray(members, x);
    }
    for (size_t n = 0; n < g->pairs; n++) cJSON_AddItemToArray(pairs, pair_json(p, &g->pair[n]));
    for (size_t n = 0; n < g->options; n++) cJSON_AddItemToArray(options, option_json(g, n));
    return made;
}

cJSON *block_groups_json(const program *p) {
    cJSON *groups = cJSON_CreateArray();
    for (size_t k = 0; k < p->chosen_count; k++) cJSON_AddItemToArray(groups, group_json(p, p->chosen[k]));
    return groups;
}
