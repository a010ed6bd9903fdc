/* generate [--c] SEED: prints a random DPC program, or with --c the plain C program of the same meaning.
 *
 * Every statement is made once and printed in both languages, so that the C program is an oracle that owes nothing to
 * the compiler.  It aborts when a subscript leaves its array: that no DPC program does is thereby checked too.
 *
 * All values are whole numbers that a double, and in arrays of float a float, holds exactly: results do not depend on
 * the order of summation.  Right sides that could grow are taken modulo MODULUS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

/* What both programs begin with. */
static const char head[] =
    "#include <complex.h>\n#include <float.h>\n#include <limits.h>\n#include <math.h>\n#include <stddef.h>\n#include "
    "<stdint.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    "enum colour { RED, GREEN = 5 };\nenum level { LOW = -3, HIGH = 7 };\nenum wide { NARROW, WIDE = 0x100000000 };\n"
    "struct cell { double v; int n[2]; struct { short s; } in; };\n"
    "#define TWICE(v) (2 * (v))\nlong helper(long v) { return v % 97 * 3 + 1; }\n"
    "double complex small(double complex v) { return (long)creal(v) % 97 + (long)cimag(v) % 89 * I; }\n";

/* What the plain C program has besides: room for values that are taken before they are assigned; the indices, for
 * __typeof__ only; what minval and maxval begin with. */
static const char oracle[] =
    "static _Alignas(32) char scratch[3200000];\nstatic long at, done, reduced;\nstatic double taken[100000];\nstatic "
    "char mask[100000];\nstatic "
    "long i, j, k, k0, k1, k2;\n"
    "#define EXTREME(v, whole, floating) _Generic((v), float: floating, double: floating, long double: floating, "
    "_Bool: whole(0, 1), \\\n"
    "    char: whole(CHAR_MIN, CHAR_MAX), signed char: whole(SCHAR_MIN, SCHAR_MAX), unsigned char: whole(0, "
    "UCHAR_MAX), \\\n"
    "    short: whole(SHRT_MIN, SHRT_MAX), unsigned short: whole(0, USHRT_MAX), int: whole(INT_MIN, INT_MAX), "
    "unsigned: whole(0, UINT_MAX), \\\n"
    "    long: whole(LONG_MIN, LONG_MAX), unsigned long: whole(0, ULONG_MAX), long long: whole(LLONG_MIN, LLONG_MAX), "
    "\\\n"
    "    unsigned long long: whole(0, ULLONG_MAX), __int128: whole(-((__int128)1 << 126) * 2, ((__int128)1 << 126) - 1 "
    "+ ((__int128)1 << 126)), \\\n"
    "    unsigned __int128: whole(0, ~(unsigned __int128)0))\n#define FIRST(a, b) a\n#define SECOND(a, b) b\n"
    "#define GREATEST(v) EXTREME(v, SECOND, HUGE_VAL)\n#define LEAST(v) EXTREME(v, FIRST, -HUGE_VAL)\n";

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
    if (alignments) declare_template(&dpc_declarations, false);
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
        printf("%s%s\n%s", oracle, c_declarations.text, c_functions.text ? c_functions.text : "");
        printf("int main(void) {\n%s    return 0;\n}\n", c_body.text);
    } else {
        printf("/* generate %ld */\n%s", seed, head);
        const char *functions = dpc_functions.text ? dpc_functions.text : "";
        if (automatic)
            printf("%sint main(void) {\n%s\n%s    return 0;\n}\n", functions, dpc_declarations.text, dpc_body.text);
        else
            printf("%s\n%sint main(void) {\n%s    return 0;\n}\n", dpc_declarations.text, functions, dpc_body.text);
    }
    free(dpc_declarations.text), free(c_declarations.text), free(dpc_body.text), free(c_body.text);
    free(dpc_functions.text), free(c_functions.text);
    return 0;
}
