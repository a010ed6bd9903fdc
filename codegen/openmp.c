/* --openmp: the threads of a process share the outermost loop over its own iterations.  Everything else, messages too,
 * is left to the thread that called MPI_Init_thread. */
#include <string.h>

#include "spmd.h"

/* Iterations below which starting threads costs more than they save, roughly. */
enum { LEAST_ITERATIONS = 4096 };

static bool is_canonical(const parallel *s, int k) {
    for (int j = 0; j < k; j++)
        if (s->index[j].reduction < 0) return false;
    return !s->index[k].triangular && !is_strided(s, k) && !in_pieces(s, k) && !position_used(s, k);
}

/* Gathered values are counted from one iteration to the next. */
static bool counts_values(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].array && s->reference[k].placed.relation == RELATION_GATHER &&
            !s->reference[k].placed.matrix)
            return true;
    return false;
}

/* Of extremes OpenMP lets each thread begin with the least finite value, or the greatest: greater than the -infinity
 * that no values have.  These begin with what the variable is. */
static const char *thread_operation(emitter *e, const char *op, element of) {
    if (element_is_integer(of) || (strcmp(op, "max") && strcmp(op, "min"))) return op[0] == '-' ? "+" : op;
    e->uses_extremes = true;
    return arena_format(e->memory, "dpc_%s", op);
}

const char *extreme_declarations(const emitter *e) {
    return e->uses_extremes && e->options->openmp
               ? "#pragma omp declare reduction(dpc_max : float, double, long double : \\\n"
                 "    omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)\n"
                 "#pragma omp declare reduction(dpc_min : float, double, long double : \\\n"
                 "    omp_out = omp_in < omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)\n"
               : "";
}

/* The clause that combines the threads' parts of a result; NULL: OpenMP cannot. */
static const char *result_clause(emitter *e, const reduction *r) {
    const char *op = facts_of_operation(r->operation)->openmp;
    if (r->exact) return exact_clause(e, r->exact);
    if (r->type && combines_in_order(e->p, r->operation, r->type)) return NULL;
    if (!op || !r->type || r->type->kind != TYPE_ARITHMETIC || element_is_complex(r->type->element)) return NULL;
    return arena_format(e->memory, " reduction(%s: %s)", thread_operation(e, op, r->type->element), r->name);
}

/* The clauses of everything that the loops combine; NULL: OpenMP cannot. */
static const char *clauses_of(const body *b) {
    emitter *e = b->e;
    const parallel *s = b->s;
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; s->loop && k < s->loop->partials; k++) {
        if (s->loop->partial[k].kind != PARTIAL_VARIABLE) return NULL;
        if (s->loop->partial[k].exact)
            text_add(&out, exact_clause(e, s->loop->partial[k].name));
        else
            text_format(&out, " reduction(%s: %s)",
                        thread_operation(e, s->loop->partial[k].op, s->loop->partial[k].element),
                        s->loop->partial[k].name);
    }
    for (int k = 0; k < (b->chain ? b->chained : 1); k++) {
        const parallel *one = b->chain ? b->chain[k] : s;
        if (one->kind != PARALLEL_REDUCTION) continue;
        const char *clause = result_clause(e, &one->reduction[0]);
        if (!clause) return NULL;
        text_add(&out, clause);
    }
    return text_of(&out);
}

void emit_team(const body *b, int k) {
    emitter *e = b->e;
    const parallel *s = b->s;
    if (!e->options->openmp || !b->threads || b->gathered || e->in_expression || s->placed.ordered ||
        !is_canonical(s, k) || counts_values(s) || s->calls_unknown)
        return;
    const char *clause = clauses_of(b);
    if (!clause) return;
    const char *worth = s->loop ? "" /* else with an inner reduction's */
                                : arena_format(e->memory, " if (%s > %d)", mine_count(e, s, 0), LEAST_ITERATIONS);
    emit_line(e, "#pragma omp parallel for%s%s", clause, worth);
}

void emit_rows_team(emitter *e, const parallel *s) {
    if (!e->options->openmp || e->in_expression) return;
    emit_line(e, "#pragma omp parallel for if (%s > %d)", mine_count(e, s, -1), LEAST_ITERATIONS);
}
