/* What the self-checking programs share.  expect() compares an element with what ordinary loops over ordinary arrays
 * gave; verdict() prints "ok" and is main's exit status. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failures;

static inline void expect(const char *what, long index, double got, double want) {
    if (got == want) return;
    if (check_failures++ < 10) printf("%s %ld is %.17g, should be %.17g\n", what, index, got, want);
}

static inline int verdict(void) {
    if (check_failures > 0)
        printf("%d wrong\n", check_failures);
    else
        printf("ok\n");
    return check_failures > 0;
}

#endif
