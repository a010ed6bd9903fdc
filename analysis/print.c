/* --dump=ir and --dump=plan. */
#include "model/analysis.h"

static void print_choice(FILE *out, const array *a, int d) {
    const block_trace *t = a->chosen[d];
    const block_group *g = t->group;
    fprintf(out, "  dimension %d, %s: %s %lld chosen: %s; estimated %.3g s\n", d + 1,
            is_any_format(&a->mapping, d) ? "auto" : "cyclic(auto)",
            in_one_block(&a->mapping, d) ? "block of" : "cyclic", (long long)t->block, t->reason,
            g->option[g->chosen].seconds);
    for (size_t k = 0; k < g->options; k++) {
        if (k == g->chosen) continue;
        fprintf(out, "    rejected: %s, from %s", g->option[k].word[t->place], g->option[k].method);
        if (g->option[k].seconds >= 0) fprintf(out, ", estimated %.3g s", g->option[k].seconds);
        fprintf(out, "\n");
    }
}

static void print_array(FILE *out, const program *p, const array *a) {
    fprintf(out, "array %s: %s", a->symbol->name, element_spelling(a->element));
    for (int d = 0; d < a->rank; d++) {
        fprintf(out, "[%s:%s] ", linear_text(p->memory, &a->lower[d]), linear_text(p->memory, &a->upper[d]));
        fprintf(out, "%s", format_word(p->memory, &a->mapping, d));
    }
    fprintf(out, "%s%s%s\n", a->mapping.grid ? " onto " : "", a->mapping.grid ? a->mapping.grid->symbol->name : "",
            a->inherits        ? ", inherited"
            : a->redistributed ? ", redistributed at run time"
                               : "");
    for (int d = 0; d < a->rank; d++)
        if (a->chosen[d]) print_choice(out, a, d);
}

static void print_subscript(FILE *out, const program *p, const parallel *s, const subscript *u) {
    if (u->kind == SUBSCRIPT_GENERAL)
        fprintf(out, "[?]");
    else if (u->kind == SUBSCRIPT_INVARIANT)
        fprintf(out, "[%s]", linear_text(p->memory, &u->offset));
    else {
        linear moving = linear_multiply(p->memory, u->stride, linear_atom(p->memory, s->index[u->index].name, NULL));
        linear x = linear_add(p->memory, u->offset, moving);
        fprintf(out, "[%s]", linear_text(p->memory, &x));
    }
}

/* How the sets of a dimension are found. */
static void print_pairing(FILE *out, const program *p, const parallel *s, const reference *r, int d) {
    const pairing x = pairing_of(p, s, r, d);
    if (x.index < 0) return;
    fprintf(out, "      dimension %d: ", d + 1);
    if (x.number > 0) fprintf(out, "case %d, ", x.number);
    fprintf(out, "%s, b1 %s s1 %s, b2 %s s2 %s", method_word(x.method), x.b1.text, x.s1.text, x.b2.text, x.s2.text);
    if (x.sections.text) fprintf(out, ", at most %s sections a pair", x.sections.text);
    fprintf(out, "\n");
}

static void print_reference(FILE *out, const program *p, const parallel *s, const reference *r, bool plan) {
    static const char *const relations[] = {"local", "shift", "step", "sets", "gather"};
    fprintf(out, "    %s", r->symbol ? r->symbol->name : "?");
    for (int d = 0; d < r->rank; d++) print_subscript(out, p, s, &r->subscript[d]);
    if (plan && r->array) fprintf(out, ": %s", relations[r->placed.relation]);
    fprintf(out, "%s\n", r->guarded ? " (guarded)" : "");
    for (int d = 0; plan && r->array && r->placed.relation == RELATION_SETS && d < r->rank; d++)
        print_pairing(out, p, s, r, d);
}

static void print_statement(FILE *out, const program *p, const parallel *s, bool plan) {
    fprintf(out, "  %s: %s\n", place_of(p, s->node), ast_quote(p->memory, p->source, s->node));
    for (int k = 0; k < s->indices; k++) {
        const loop_index *x = &s->index[k];
        fprintf(out, "    index %s = %s : %s : %s%s\n", x->name, linear_text(p->memory, &x->lower),
                linear_text(p->memory, &x->upper), linear_text(p->memory, &x->stride),
                x->triangular ? " (uses earlier indices)" : "");
    }
    if (s->kind != PARALLEL_REDUCTION) {
        fprintf(out, s->loop ? "    on:\n  " : "    left:\n  ");
        print_reference(out, p, s, &s->left, false);
    }
    for (size_t k = 0; k < s->references; k++) print_reference(out, p, s, &s->reference[k], plan);
    if (!plan) return;
    if (s->placed.home == HOME_REPLICATED)
        fprintf(out, s->placed.in_parts ? "    dealt out to the processes\n" : "    executed by every process\n");
    else if (s->placed.home >= 0)
        fprintf(out, "    executed by the owners of reference %d\n", s->placed.home + 1);
    if (s->placed.values_first) fprintf(out, "    values first, then stores: %s\n", s->placed.overlap);
    for (int k = 0; k < s->indices; k++)
        if (s->index[k].descending) fprintf(out, "    %s descends\n", s->index[k].name);
    if (s->placed.scatter) fprintf(out, "    scatter\n");
}

/* Which mappings an array has where it is named. */
static void print_reached(FILE *out, const program *p, const reached *r) {
    fprintf(out, "%s: %s%s:", place_of(p, r->name), r->name->kind == N_ENTITY ? "before redistribute " : "",
            r->name->name);
    for (size_t k = 0; k < r->views; k++)
        fprintf(out, "%s %s%s%s", k ? " or" : "", mapping_words(p->memory, r->view[k]),
                r->view[k]->mapping.grid ? " onto " : "",
                r->view[k]->mapping.grid ? r->view[k]->mapping.grid->symbol->name : "");
    fprintf(out, "%s\n", r->known ? "" : r->views ? " or any" : " any");
}

static void print_all(FILE *out, const program *p, bool plan) {
    for (size_t k = 0; k < p->array_count; k++) print_array(out, p, p->arrays[k]);
    for (size_t k = 0; k < p->reached_count; k++) print_reached(out, p, p->reached[k]);
    for (size_t g = 0; g < p->group_count; g++)
        for (size_t k = 0; k < p->groups[g]->actions; k++)
            if (p->groups[g]->action[k].mask < 0)
                print_statement(out, p, p->groups[g]->action[k].statement, plan);
            else
                fprintf(out, "  save a mask\n");
    for (size_t k = 0; k < p->reduction_count; k++) print_statement(out, p, p->reductions[k], plan);
}

void program_print(FILE *out, const program *p) {
    print_all(out, p, false);
}
void plan_print(FILE *out, const program *p) {
    print_all(out, p, true);
}
