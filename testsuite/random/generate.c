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

/* What both programs begin with. */
static const char head[] = "#include <limits.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n"
                           "#define TWICE(v) (2 * (v))\nlong helper(long v) { return v % 97 * 3 + 1; }\n";

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
    for (int n = 0; n < array_count; n++) fill(&arrays[n]);
    statements((int)between(10, 20));
    for (int n = 0; n < array_count; n++) print_elements(&arrays[n]);

    if (c) {
        printf("/* generate --c %ld */\n%s", seed, head);
        printf("static long temporary[100000], at, done, reduced;\nstatic char mask[100000];\n%s\n%s", c_declarations.text, c_functions.text ? c_functions.text : "");
        printf("int main(void) {\n    (void)done, (void)reduced, (void)mask;\n%s    return 0;\n}\n", c_body.text);
    } else {
        printf("/* generate %ld */\n%s", seed, head);
        const char *functions = dpc_functions.text ? dpc_functions.text : "";
        if (automatic) printf("%sint main(void) {\n%s\n%s    return 0;\n}\n", functions, dpc_declarations.text, dpc_body.text);
        else printf("%s\n%sint main(void) {\n%s    return 0;\n}\n", dpc_declarations.text, functions, dpc_body.text);
    }
    free(dpc_declarations.text), free(c_declarations.text), free(dpc_body.text), free(c_body.text);
    free(dpc_functions.text), free(c_functions.text);
    return 0;
}
