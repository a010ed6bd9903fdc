/* See instructions.c.  count_end is collective. */
#ifndef BENCH_INSTRUCTIONS_H
#define BENCH_INSTRUCTIONS_H

/* Under valgrind. */
int instructions_are_counted(void);
void count_begin(void);
void count_end(void);

#endif
