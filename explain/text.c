/* --explain: the report as text for a terminal. */
#include <stdlib.h>
#include <string.h>

#include "closed.h"
#include "explain.h"
#include "report.h"

/* ---- Arrays */

static const char *declaration_text(const program *p, const array *a) {
    text out;
    text_start(&out, p->memory);
    text_format(&out, "%s %s", a->is_template ? "template" : element_spelling(a->element), a->symbol->name);
    for (int d = 0; d < a->rank; d++) {
        const linear extent = linear_add(
            p->memory, linear_subtract(p->memory, a->written_upper[d], a->written_lower[d]), linear_constant(1));
        if (linear_is(&a->written_lower[d], 0))
            text_format(&out, "[%s]", linear_text(p->memory, &extent));
        else
            text_format(&out, "[%s:%s]", linear_text(p->memory, &a->written_lower[d]),
                        linear_text(p->memory, &a->written_upper[d]));
    }
    return text_of(&out);
}

/* "aligned: A[i] with T[2*i+1]". */
static const char *alignment_words(const program *p, const array *a) {
    const node *directive = a->alignment->directive;
    return arena_format(p->memory, "aligned: %s with %s%s", ast_quote(p->memory, p->source, directive->child[0]),
                        ast_quote(p->memory, p->source, directive->child[1]),
                        a->realigned ? ", realigned at run time" : "");
}

static const char *formats_text(const program *p, const array *a) {
    if (a->alignment) return alignment_words(p, a);
    if (a->inherits) return a->redistributed ? "(inherited), redistributed at run time" : "(inherited)";
    const char *formats = mapping_text(p, a) + strlen(a->symbol->name);
    const grid *g = a->mapping.grid;
    return arena_format(p->memory, "%s%s%s%s", formats, g ? " onto " : "", g ? g->symbol->name : "",
                        a->realigned       ? ", realigned at run time"
                        : a->redistributed ? ", redistributed at run time"
                                           : "");
}

static void print_choice(FILE *out, const program *p, const array *a, int d) {
    const block_trace *t = a->chosen[d];
    fprintf(out, "             %s%s chosen, estimated %.3g s: %s\n",
            a->rank > 1 ? arena_format(p->memory, "dimension %d: ", d + 1) : "", format_word(p->memory, &a->mapping, d),
            t->group->option[t->group->chosen].seconds, t->reason);
}

/* Of a dimension in intervals: who has which elements. */
static void print_owners(FILE *out, const program *p, const array *a, int d) {
    const char *owners = a->inherits || a->alignment ? NULL : intervals_text(p, a, d);
    if (!owners) return;
    fprintf(out, "             %sowners: %s\n", a->rank > 1 ? arena_format(p->memory, "dimension %d: ", d + 1) : "",
            owners);
}

static void print_arrays(FILE *out, const program *p) {
    int width = 0;
    for (size_t k = 0; k < p->array_count; k++) {
        const int length = (int)strlen(declaration_text(p, p->arrays[k]));
        if (length > width) width = length;
    }
    if (p->array_count > 0) fprintf(out, "\narrays\n");
    for (size_t k = 0; k < p->array_count; k++) {
        const array *a = p->arrays[k];
        fprintf(out, "  line %-5d %-*s  %s\n", p->source->tokens[a->symbol->declarator->first].line, width,
                declaration_text(p, a), formats_text(p, a));
        for (int d = 0; d < a->rank; d++) {
            if (a->chosen[d]) print_choice(out, p, a, d);
            print_owners(out, p, a, d);
        }
    }
}

/* ---- Statements */

static const char *range_of(const program *p, const prediction *x, amount which) {
    const int64_t least = least_of(x, which), most = most_of(x, which);
    if (least == most) return arena_format(p->memory, "%lld", (long long)least);
    return arena_format(p->memory, "%lld to %lld", (long long)least, (long long)most);
}

/* The bound that the comments in the generated text say, and what was counted where the processes are known. */
static void print_sections(FILE *out, const reference_report *x, const quantity *bound, const quantity *shown) {
    const quantity *first = bound->text ? bound : shown;
    if (!first->text) return;
    fprintf(out, "  at most %s section%s a pair", first->text, !strcmp(first->text, "1") ? "" : "s");
    if (strcmp(first->text, shown->text) != 0)
        fprintf(out, ", %s on %d process%s", shown->text, x->predicted.procs, x->predicted.procs == 1 ? "" : "es");
}

static void print_dimension(FILE *out, const program *p, const reference_report *x, int d) {
    const pairing pair = pairing_of(p, x->statement, x->reference, d);
    const set_method method = pairing_method(p, x->statement, x->reference, &pair);
    const quantity sections = sections_shown(p, x, &pair);
    if (pair.index < 0 || method == METHOD_NONE) return;
    fprintf(out, "               %s", x->statement->index[pair.index].name);
    if (pair.number > 0) fprintf(out, "  case %d", pair.number);
    fprintf(out, "  %s", method_word(method));
    if (pair.home_dim >= 0) fprintf(out, "  b1 %s s1 %s", pair.b1.text, pair.s1.text);
    fprintf(out, "  b2 %s s2 %s", pair.b2.text, pair.s2.text);
    print_sections(out, x, &pair.sections, &sections);
    fprintf(out, "\n");
    closed_sets sets;
    if (closed_sets_of(p, x->statement, x->reference, d, &sets)) print_closed_sets(out, p, &sets);
}

/* Messages whose receivers the run time finds, of results. */
static void print_values(FILE *out, const program *p, const reference_report *x) {
    fprintf(out, "               each of %d processes sends: messages %s, bytes %s\n", x->predicted.procs,
            range_of(p, &x->predicted, AMOUNT_value_messages), range_of(p, &x->predicted, AMOUNT_value_bytes));
}

static void print_amounts(FILE *out, const program *p, const reference_report *x) {
    if (!x->predicted.unknown) {
        if (most_of(&x->predicted, AMOUNT_value_messages) > 0) print_values(out, p, x);
        if (most_of(&x->predicted, AMOUNT_collectives) > 0)
            fprintf(out, "               each of %d processes is in: collectives %s, bytes %s\n", x->predicted.procs,
                    range_of(p, &x->predicted, AMOUNT_collectives),
                    range_of(p, &x->predicted, AMOUNT_collective_bytes));
        else if (most_of(&x->predicted, AMOUNT_messages) == 0)
            fprintf(out, "               sends nothing on %d process%s\n", x->predicted.procs,
                    x->predicted.procs == 1 ? "" : "es");
        else
            fprintf(out, "               each of %d processes sends: messages %s, bytes %s\n", x->predicted.procs,
                    range_of(p, &x->predicted, AMOUNT_messages), range_of(p, &x->predicted, AMOUNT_bytes));
        return;
    }
    if (x->formulas.messages.text)
        fprintf(out, "               a process sends at most: messages %s", x->formulas.messages.text);
    if (x->formulas.bytes.text) fprintf(out, ", bytes %s", x->formulas.bytes.text);
    if (x->formulas.messages.text) fprintf(out, "\n");
    if (p->np > 0) fprintf(out, "               no numbers: %s\n", x->predicted.unknown);
}

static void print_reference(FILE *out, const program *p, const reference_report *x) {
    fprintf(out, "    %-10s %s%s%s\n", x->relation, x->text,
            x->same_as
                ? arena_format(p->memory, x->halo ? ": ghost cells, with those for %s" : ": as %s before", x->same_as)
            : x->why ? ": "
                     : "",
            x->same_as || !x->why ? "" : x->why);
    if (x->same_as || !x->model) {
        const bool searched = strcmp(x->relation, "gather") == 0 || strcmp(x->relation, "scatter") == 0;
        if (!x->same_as && (x->model || searched)) print_amounts(out, p, x);
        return;
    }
    if (p->model == COMM_DEPOSIT) fprintf(out, "               deposit: messages hold addresses and values\n");
    const bool sets =
        x->reference && x->reference->placed.move != MOVE_BROADCAST && x->reference->placed.operand != OPERAND_PANELS;
    for (int d = 0; sets && d < x->reference->rank; d++) print_dimension(out, p, x, d);
    if (x->reused && !x->statement)
        fprintf(out, "               reused: %s\n", x->again ? words_of_again : words_of_copy);
    else if (x->reused)
        fprintf(out, "               reused: brought again only where %s or the iterations have changed\n",
                x->array->symbol->name);
    print_amounts(out, p, x);
    if (x->pair) fprintf(out, "               %s\n", x->pair);
}

static void print_statement(FILE *out, const program *p, const statement_report *s) {
    fprintf(out, "  line %-5d %s  %s\n", s->line, s->kind, s->text);
    for (size_t k = 0; k < s->references; k++) print_reference(out, p, &s->reference[k]);
    for (size_t k = 0; k < s->notes; k++) fprintf(out, "    %s\n", s->note[k]);
}

/* Single elements that the same line reads, one after the other. */
static bool is_same_read(const statement_report *a, const statement_report *b) {
    return !strcmp(a->kind, "element-read") && !strcmp(b->kind, a->kind) && a->line == b->line && !b->is_row;
}

static size_t print_reads(FILE *out, const program *p, const statement_report *s, size_t count) {
    size_t reads = 1;
    while (reads < count && is_same_read(s, s + reads)) reads++;
    fprintf(out, "  line %-5d element-read  %s", s->line, s->text);
    for (size_t k = 1; k < reads; k++) fprintf(out, ", %s", s[k].text);
    const long long bytes = (long long)element_bytes(s->reference[0].array->element);
    fprintf(out, "\n    broadcast  %s\n",
            p->np == 1 ? "nothing, on one process"
                       : arena_format(p->memory, "%sone collective of %lld bytes", reads > 1 ? "each " : "", bytes));
    return reads;
}

/* ---- All */

static void print_report(FILE *out, program *p) {
    const report r = make_report(p);
    if (p->np > 0)
        fprintf(out, "%s, for %d process%s\n", p->source->path, p->np, p->np == 1 ? "" : "es");
    else
        fprintf(out, "%s, for any number N of processes (--np=N gives numbers)\n", p->source->path);
    print_arrays(out, p);
    print_block_groups(out, p);
    if (r.statements > 0) fprintf(out, "\nstatements\n");
    for (size_t k = 0; k < r.statements;) {
        const statement_report *s = &r.statement[k];
        if (!strcmp(s->kind, "element-read") && !s->is_row)
            k += print_reads(out, p, s, r.statements - k);
        else
            print_statement(out, p, s), k++;
    }
    if (r.hints > 0) fprintf(out, "\nhints\n");
    for (size_t k = 0; k < r.hints; k++) fprintf(out, "  line %-5d %s\n", r.hint[k].line, r.hint[k].text);
}

void explain_text(FILE *out, program *p) {
    char *printed = NULL;
    size_t length = 0;
    FILE *whole = open_memstream(&printed, &length);
    if (!whole) abort();
    print_report(whole, p);
    if (fclose(whole) != 0) abort();
    fputs(as_declared(p, printed), out);
    free(printed);
}
