/* The passes walk trees by recursion.  They do so on a stack that is large enough whatever the user's limit is, and
 * what is nested more deeply than it holds is refused. */
#ifndef DPC_IR_STACK_H
#define DPC_IR_STACK_H

/* Calls f(x) on a large stack, and returns what it does.  Signals are handled there. */
int on_large_stack(int (*f)(void *), void *x);

/* How many levels of a tree the stack of the caller holds for any pass. */
int stack_levels(void);

#endif
