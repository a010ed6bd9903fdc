/* Private to the folder: the parts of pass "plan". */
#ifndef DPC_ANALYSIS_PLAN_H
#define DPC_ANALYSIS_PLAN_H

#include "../model/model.h"

/* Where the values of every reference come from.  (sources.c) */
void find_sources(program *p, parallel *s, int mask, execution *x);
/* How many last subscripts are those of rows. (rows.c) */
bool may_store_rows(const parallel *s);
int rows_in(const program *p, const parallel *s, const reference *r);
/* Ghost cells, and whether the loops begin with the interior.  (interior.c) */
void plan_interior(program *p, const parallel *s, int mask, execution *x);
/* What goes from process to process while a pipeline runs.  (pipeline.c) */
void plan_pipeline(program *p, const parallel *s, execution *x);
/* What C loops in the body of an independent loop check.  (ends.c) */
void plan_checks(const program *p, parallel *s);
/* The statements of a chain as one.  (chain.c) */
parallel *merge_chain(program *p, parallel *const *chain, int count);
/* Which results of its reductions one collective combines.  (chain.c) */
void plan_collectives(const fusion *c);
/* Which moves are packed by the same loops.  (exchanges.c) */
void plan_exchanges(program *p, const statement_list *statements);
/* Names the function that exchanges ghost cells, where several statements do so. */
void plan_halo_exchange(program *p, const statement_list *statements);
/* Which results are computed in the variables that are declared with them.  (declared.c) */
void plan_declared_results(program *p);
/* Whether the loops of the statement are worth a function of their own, and can stand there.  (outline.c) */
bool can_outline(const program *p, const parallel *s);

/* Warns of references that the statement copies whole though they may stand where it uses them. (copied.c) */
void warn_of_copies(const program *p, const parallel *s);
/* Warns of references whose owners are searched for at run time though another form needs no search. (searched.c) */
void warn_of_searches(const program *p, const parallel *s);
/* Warns of written block sizes without closed forms where others have them. (searched.c) */
void warn_of_block_sizes(program *p);

#endif
