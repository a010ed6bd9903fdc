/* The front end: preprocessing, tokens and their places, the tree, typedef names, syntax errors. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../parser/parser.h"

/* What one test looks at. */
static arena *memory;
static source unit;
static node *tree;

static void setup(void) {
    memory = arena_new();
}
static void teardown(void) {
    arena_free(memory);
}

/* Parses text that needs no preprocessing; returns the number of errors. */
static int parse_text(const char *code) {
    const char *types[] = {"size_t", "bool", NULL};
    int before = error_count();
    unit = (source){.path = "test.dpc", .memory = memory};
    tree = parse(memory, &unit, code, types);
    if (error_count() == before) ast_check(&unit, tree);
    return error_count() - before;
}

/* Writes `code` to a file, preprocesses and parses it. */
static int parse_file(const char *code) {
    char path[] = "/tmp/test_front_XXXXXX";
    int handle = mkstemp(path);
    FILE *out = handle >= 0 ? fdopen(handle, "w") : NULL;
    ck_assert_ptr_nonnull(out);
    fputs(code, out);
    fclose(out);
    const char **types = NULL;
    const char *arguments[] = {"-DFROM_COMMAND=4"};
    preprocess_options options = {arguments, 1, NULL, false};
    header_names *names;
    const char *text_there = preprocess(memory, arena_text(memory, path, strlen(path)), &options, &types, &names);
    int before = error_count();
    unit = (source){.path = path, .memory = memory};
    if (text_there) tree = parse(memory, &unit, text_there, types);
    unlink(path);
    return text_there ? error_count() - before : -1;
}

/* All tokens with the blank space before them. */
static const char *emitted(void) {
    text out;
    text_start(&out, memory);
    for (size_t i = 0; i < unit.count; i++) {
        text_add(&out, unit.tokens[i].before);
        text_add(&out, unit.tokens[i].text);
    }
    return text_of(&out);
}

/* The first node of a kind, in order. */
static node *find(node *n, node_kind kind) {
    if (!n || n->kind == kind) return n;
    for (size_t i = 0; i < n->count; i++) {
        node *found = find(n->child[i], kind);
        if (found) return found;
    }
    return NULL;
}

static const char *quoted(node_kind kind) {
    node *n = find(tree, kind);
    return n ? ast_quote(memory, &unit, n) : "(none)";
}

START_TEST(text_is_kept) {
    const char *code = "/* a */ int  x ; // b\n\n#pragma omp foo\nint f(void)\n{\n\treturn x ;\n}\n /* end */\n";
    ck_assert_int_eq(parse_text(code), 0);
    ck_assert_str_eq(emitted(), code);
}
END_TEST

START_TEST(places) {
    ck_assert_int_eq(parse_file("#define N 10\n#define TWICE(x) ((x) + (x))\n\tint a[N],\n  b = TWICE(q);\n"), 0);
    const node *ten = find(tree, N_CONSTANT), *q = find(tree, N_BINARY);
    const token *where = &unit.tokens[ten->first];
    ck_assert_int_eq(where->line, 3);
    ck_assert_int_eq(where->column, 8);
    ck_assert_int_eq(where->width, 1);
    where = &unit.tokens[find(q->child[0], N_NAME)->first];
    ck_assert_int_eq(where->line, 4);
    ck_assert_int_eq(where->column, 13);
    where = &unit.tokens[q->first];
    ck_assert_int_eq(where->column, 7);
    ck_assert_int_eq(where->width, 5);
}
END_TEST

START_TEST(headers_stay_out) {
    ck_assert_int_eq(
        parse_file("#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdbool.h>\n#define N FROM_COMMAND\n"
                   "#if N > 3 && defined(EOF)\nbool b; size_t n = N; FILE *f;\n#endif\n"),
        0);
    const char *text_there = emitted();
    ck_assert_ptr_nonnull(strstr(text_there, "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdbool.h>\n"));
    ck_assert_ptr_nonnull(strstr(text_there, "bool b; size_t n = 4; FILE *f;"));
    ck_assert_ptr_null(strstr(text_there, "typedef"));
}
END_TEST

START_TEST(macros) {
    ck_assert_int_eq(parse_file("#include <limits.h>\n#define S(x) #x\n#define X(x) S(x)\n#define G(a, b) a ## b\n"
                                "#define L(f, ...) p(f, ## __VA_ARGS__)\n#define R R + 1\n"
                                "const char *s = S(INT_MAX) X(G(1, 2)); int i = G(x, 1) + R, j = L(1), k = L(1, 2);\n"),
                     0);
    ck_assert_ptr_nonnull(strstr(emitted(), "\"INT_MAX\" \"12\"; int i = x1 + R + 1, j = p(1), k = p(1, 2);"));
}
END_TEST

START_TEST(directives) {
    ck_assert_int_eq(
        parse_file("#define N 8\ndouble A[N], B[0:N+1];\n#pragma dpc processors P(4, *)\n"
                   "#  pragma  dpc DISTRIBUTE A(cyclic(N)) \\\n  onto P\n"
                   "#pragma dpc distribute (block, *) onto P :: A, B\n#pragma dpc align B[i] with A[2*i+1]\n"),
        0);
    ast_check(&unit, tree);
    ck_assert_str_eq(quoted(N_PROCESSORS), "#pragma dpc processors P(4, *)");
    node *n = find(tree, N_DISTRIBUTE);
    ck_assert_ptr_null(n->child[0]);
    ck_assert_str_eq(n->child[1]->name, "P");
    ck_assert_str_eq(ast_quote(memory, &unit, n->child[2]), "A(cyclic(N))");
    ck_assert_str_eq(quoted(N_FORMAT_LIST), "(block, *)");
    ck_assert_str_eq(quoted(N_ALIGN), "#pragma dpc align B[i] with A[2*i+1]");
}
END_TEST

START_TEST(sections_and_forall) {
    ck_assert_int_eq(
        parse_text("void f(void) { A[:] = A[::-1] + A[l:u:s] + A[a ? b : c]; s = sum(i = 0:n-1:2, i > 3, A[i]);\n"
                   "forall (i = 0:n-1, j = 0:i:2, A[i] > 0) { A[i] = 1; forall (k = 0:1) B[k] = 2; } }"),
        0);
    node *n = find(tree, N_FORALL);
    ck_assert_uint_eq(n->count, 4);
    ck_assert_str_eq(ast_quote(memory, &unit, n->child[0]), "A[i] > 0");
    ck_assert_str_eq(ast_quote(memory, &unit, n->child[3]), "j = 0:i:2");
    ck_assert_str_eq(quoted(N_RANGE), "i = 0:n-1:2");
    n = find(tree, N_TRIPLET);
    ck_assert(!n->child[0] && !n->child[1] && !n->child[2]);
}
END_TEST

START_TEST(typedef_names) {
    ck_assert_int_eq(
        parse_text(
            "typedef int T; T f(T); void g(void) { T x; T T = 1; T = 2; (void)(T)+1; { struct T { int T; } s; s.T = T; "
            "}\n"
            "goto T; T: for (int T = 0; T < 3; T++) if (T) x = 1; T * 2; }\n"
            "T v; int h(int T, int a[sizeof T]) { return T * T; } T w; enum { U }; void k(void) { T *p; (T)*p; }"),
        0);
    ck_assert_str_eq(quoted(N_CAST), "(void)(T)");
    ck_assert_int_eq(parse_text("typedef int T; int f(int (T)); int g(int(T), int (*T)); size_t n = sizeof(T[3]);"), 0);
    ck_assert_int_eq(parse_text("void f(void) { for (int size_t = 0;;) if (1) break; size_t x; }"), 0);
}
END_TEST

START_TEST(c11) {
    ck_assert_int_eq(
        parse_text(
            "int (*f(int a, int (*)(void), ...))[3]; int k(a, b) int a; char *b; { return a; }\n"
            "struct { unsigned a : 3, : 0; union { int i; float d; }; int tail[]; } s = { .a = 1, .i = 3 };\n"
            "int x[3][2] = { [1] = { [0] = 2, }, [2][1] = 3, [0 ... 1] = { 1 } }; _Static_assert(1, \"\"); "
            "_Atomic(int) at; int _Atomic au;\n"
            "void g(int n, double a[static const n], int b[*], int c[restrict]) { switch (n) case 1 ... 3: default:;\n"
            "do n--; while (n); p = &(struct q){ 1 }; n = _Generic(n, int: 1, default: 2); n = n ?: 3; va_arg(ap, int "
            "*); \"a\" PRId64 \"b\";\n"
            "__asm__ volatile (\"nop\" : : \"r\"(n)); n = ({ int y = 1; y; }); goto *t; } int z "
            "__attribute__((aligned(8))) = 1;\n"),
        0);
}
END_TEST

START_TEST(errors_are_found) {
    ck_assert_int_eq(parse_text("int x"), 1);
    ck_assert_int_eq(parse_text("int f(void) { x = ; y = 3 z; return 1 }\nfoo y; int a[3;\nint ok;"), 5);
    ck_assert_int_eq(parse_text("\003 frobnicate A(b)\004\nint x;"), 1);
    ck_assert_int_eq(parse_text("\003 distribute A(block\004\nint x; int y = 3 +;"), 2);
    ck_assert_int_eq(parse_text("int x = @ 3; /* open"), 2);
    ck_assert_int_eq(parse_file("char *s = \"abc;\nint x;\n#if 0\ndon't\n#endif\nint y = 1 +;\n"), -1);
    ck_assert_int_eq(parse_file("#if 0\ndon't\n#endif\nint y = 1;\n"), 0);
    ck_assert_int_eq(parse_file("#include \"missing.h\"\n"), -1);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {text_is_kept,  places, headers_stay_out, macros, directives, sections_and_forall,
                                  typedef_names, c11,    errors_are_found};
    Suite *suite = suite_create("front");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
