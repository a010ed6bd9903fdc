/* The main function of the tests that run in one process, with Check. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>
#include <stdlib.h>

/* Check would note the place of each assertion in a file; millions of them hold here. */
#define _mark_point(file, line) ((void)0)

/* Runs each test for `seconds` at most; the exit status. */
#define RUN_SUITE(name, seconds, ...) run_suite(name, seconds, (const TTest *const[]){__VA_ARGS__, NULL})

static inline int run_suite(const char *name, double seconds, const TTest *const *tests) {
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    tcase_set_timeout(cases, seconds);
    for (; *tests != NULL; tests++) tcase_add_test(cases, *tests);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
