/* generate [--c] SEED[-LAST]: prints a random DPC program, or with --c the plain C program of the same meaning.  Of
 * several seeds it makes one program, in which each is a function: what compilers need for headers is spent once.
 *
 * Every statement is made once and printed in both languages, so that the C program is an oracle that owes nothing to
 * the compiler.  It aborts when a subscript leaves its array: that no DPC program does is thereby checked too.
 *
 * All values are whole numbers that a double, and in arrays of float a float, holds exactly: results do not depend on
 * the order of summation.  Right sides that could grow are taken modulo MODULUS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* One program: its declarations and functions, and `main` without its type. */
static void print_program(long seed, bool c, bool alone) {
    seed_numbers(seed);
    make_arrays();
    buffer dpc_declarations = {0}, c_declarations = {0}, program = {0};
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

    const buffer *declarations = c ? &c_declarations : &dpc_declarations,
                 *functions = c ? &c_functions : &dpc_functions;
    const bool within = automatic && !c; /* declarations are main's */
    if (!within) append(&program, declarations), append(&program, &(buffer){"\n", 1, 0});
    append(&program, functions);
    add(&program, "int main(void) {\n%s", alone ? "" : "    printf(\"program\\n\");\n");
    if (within) append(&program, declarations), append(&program, &(buffer){"\n", 1, 0});
    append(&program, c ? &c_body : &dpc_body);
    add(&program, "    return 0;\n}\n");
    if (alone)
        printf("%s", program.text);
    else
        print_renamed(program.text, seed);
    free(dpc_declarations.text), free(c_declarations.text), free(dpc_body.text), free(c_body.text);
    free(dpc_functions.text), free(c_functions.text), free(program.text);
}

/* In a process of its own, as all parts begin with no arrays and no names used; false where it fails. */
static bool print_apart(long seed, bool c) {
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        print_program(seed, c, false);
        exit(fflush(stdout) == 0 ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv) {
    const bool c = argc == 3 && strcmp(argv[1], "--c") == 0;
    if (argc != 2 && !c) {
        fprintf(stderr, "usage: generate [--c] SEED[-LAST]\n");
        return 2;
    }
    char *rest;
    const char *range = argv[argc - 1];
    const long seed = strtol(range, &rest, 10), last = *rest == '-' ? atol(rest + 1) : seed;
    printf("/* generate %s%s */\n%s%s\n", c ? "--c " : "", range, head, c ? oracle : "");
    if (last == seed) {
        print_program(seed, c, true);
        return 0;
    }
    for (long k = seed; k <= last; k++)
        if (!print_apart(k, c)) return 1;
    printf("int main(void) {\n");
    for (long k = seed; k <= last; k++) printf("    main_%ld();\n", k);
    printf("    return 0;\n}\n");
    return 0;
}
