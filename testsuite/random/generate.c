/* generate [--c] SEED: prints a random DPC program, or with --c the plain C program of the same meaning.
 *
 * Every statement is made once and printed in both languages, so that the C program is an oracle that owes nothing to the
 * compiler.  It aborts when a subscript leaves its array: that no DPC program does is thereby checked too.
 *
 * All values are whole numbers that a double, and in arrays of float a float, holds exactly: results do not depend on the
 * order of summation.  Right sides that could grow are taken modulo MODULUS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

static void fill_arrays(void) {
    for (int n = 0; n < array_count; n++) {
        const array *a = &arrays[n];
        static const char *const value[] = {"", "x0 * %ld %% 83 - 40", "(x0 * %ld + x1 * 5) %% 83 - 40",
                                            "(x0 * %ld + x1 * 5 + x2 * 17) %% 83 - 40"};
        long factor = between(1, 60);
        const char *margin = a->type->name[0] == 'u' ? " + 100" : "";
        DPC("forall (");
        for (int d = 0; d < a->rank; d++)
            add(&dpc_body, "%sx%d = %ld:%ld", d ? ", " : "", d, a->lower[d], a->lower[d] + a->extent[d] - 1);
        add(&dpc_body, ") %s = ", element(a, true));
        add(&dpc_body, value[a->rank], factor);
        add(&dpc_body, "%s;\n", margin);
        C("");
        add_loops(&c_body, a);
        add(&c_body, "%s = ", element(a, false));
        add(&c_body, value[a->rank], factor);
        add(&c_body, "%s;\n", margin);
    }
}

static const char processors[] = "#pragma dpc processors P1(*), Q1(*), S1(1)\n"
                                 "#pragma dpc processors P2(*, *), Q2(1, *), R2(*, 1)\n"
                                 "#pragma dpc processors P3(*, *, *), Q3(*, 1, *), S3(1, 1, 1)\n";

/* Grids of so many processes as the program computes. */
static const char computed[] = "    long b1 = 3, b2 = 4, few = dpc_nprocs() < 2 ? 1 : 2;\n"
                               "#pragma dpc processors T1(few), T2(few, 1), U2(*, few)\n"
                               "    few = dpc_nprocs() / 2 + 1;\n"
                               "#pragma dpc processors U1(few)\n"
                               "    (void)b1, (void)b2;\n";

int main(int argc, char **argv) {
    bool c = argc == 3 && strcmp(argv[1], "--c") == 0;
    if (argc != 2 && !c) {
        fprintf(stderr, "usage: generate [--c] SEED\n");
        return 2;
    }
    long seed = atol(argv[argc - 1]);
    seed_numbers(seed);
    make_arrays();
    buffer dpc_declarations = {0}, c_declarations = {0};
    add(&dpc_declarations, automatic ? "    const long n = 5;\n    (void)n;\n%s" : "%s", processors);
    if (automatic) add(&dpc_declarations, "%s", computed);
    for (int n = 0; n < array_count; n++) declare(&dpc_declarations, &c_declarations, &arrays[n]);
    long x = below(50);
    BOTH("long x = %ld;\n", x);
    BOTH("%s", variables);
    BOTH("(void)x, (void)v1, (void)v2, (void)v3, (void)v4;\n");
    fill_arrays();
    statements((int)between(10, 20));
    for (int n = 0; n < array_count; n++) print_elements(&arrays[n]);

    if (c) {
        printf("/* generate --c %ld */\n#include <limits.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n", seed);
        printf("static long temporary[100000], at, done, reduced;\nstatic char mask[100000];\n%s\n", c_declarations.text);
        printf("int main(void) {\n    (void)done, (void)reduced, (void)mask;\n%s    return 0;\n}\n", c_body.text);
    } else {
        printf("/* generate %ld */\n#include <stdio.h>\n\n", seed);
        if (automatic) printf("int main(void) {\n%s\n%s    return 0;\n}\n", dpc_declarations.text, dpc_body.text);
        else printf("%s\nint main(void) {\n%s    return 0;\n}\n", dpc_declarations.text, dpc_body.text);
    }
    free(dpc_declarations.text), free(c_declarations.text), free(dpc_body.text), free(c_body.text);
    return 0;
}
