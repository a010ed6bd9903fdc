/* Statements as data (codegen/code.h): what is printed where, and which declarations are left out. */
#include <check.h>

#include "../../codegen/emitter.h"
#include "suite.h"

static emitter *fresh(void) {
    static emitter e;
    e = (emitter){.memory = arena_new()};
    return &e;
}

/* for (long i = 0; i < n; i += 2) */
static code *open_example(emitter *e) {
    const for_loop l = {.ctype = "long", .counter = {{"i", "0", "2"}}, .counters = 1, .relation = "<", .last = "n"};
    return open_loop(e, &l);
}

START_TEST(nests) {
    emitter *e = fresh();
    code *outside = begin_code(e, "  "), *around = open_example(e), *guarded = open_guard(e, "a[i]");
    emit_line(e, "b[%s] = %d;", "i", 1);
    open_else(e, true);
    emit_line(e, "b[i] = 0;");
    close_block(e, guarded);
    ck_assert_ptr_eq(open_guard(e, ""), e->at);
    emit_line(e, "c++;");
    close_block(e, around);
    open_block_with(e, "end");
    emit_line(e, "done();");
    ck_assert_str_eq(end_code(e, outside), "  for (long i = 0; i < n; i += 2) {\n"
                                           "      if (a[i]) {\n"
                                           "          b[i] = 1;\n"
                                           "      } else\n"
                                           "          b[i] = 0;\n"
                                           "      c++;\n"
                                           "  }\n"
                                           "  { /* end */\n"
                                           "      done();\n"
                                           "  }\n");
    ck_assert_ptr_null(e->at);
    arena_free(e->memory);
}
END_TEST

START_TEST(loops) {
    emitter *e = fresh();
    code *outside = begin_code(e, "");
    const for_loop down = {.ctype = "long",
                           .counter = {{"i", "n", "-1"}, {"end", "0", NULL}, {"at", "p", "-2 * q"}},
                           .counters = 3,
                           .relation = ">=",
                           .last = "end"};
    const for_loop pieces = {.condition = "more()", .comment = "all"};
    const for_loop runs = {.ctype = "run",
                           .counter = {{"r", "first()", NULL}},
                           .counters = 1,
                           .condition = "r.more",
                           .advance = "next(&r)",
                           .bare = true};
    code *around = open_loop(e, &down);
    close_block(e, around);
    open_loop(e, &pieces);
    open_loop(e, &runs);
    emit_line(e, "x();");
    ck_assert_str_eq(end_code(e, outside), "for (long i = n, end = 0, at = p; i >= end; i--, at -= 2 * q) {\n"
                                           "}\n"
                                           "while (more()) { /* all */\n"
                                           "    for (run r = first(); r.more; next(&r)) x();\n"
                                           "}\n");
    arena_free(e->memory);
}
END_TEST

/* Heads that are macros share a line with what they hold, where it fits. */
START_TEST(macros) {
    emitter *e = fresh();
    code *outside = begin_code(e, "");
    code *around = open_loop(e, &(for_loop){.macro = "OUTER(i)"});
    open_loop(e, &(for_loop){.macro = "INNER(j)", .independent = true});
    emit_line(e, "x();");
    close_block(e, around);
    open_loop(e, &(for_loop){.macro = "OUTER(i)"});
    open_loop(e, &(for_loop){.macro = "INNER(j)"});
    emit_line(e, "x();");
    emit_line(e, "y();");
    close_block(e, around);
    open_loop(e, &(for_loop){.macro = "OUTER(i)"});
    emit_line(e, "%0*d;", LINE_WIDTH, 1);
    ck_assert_str_eq(end_code(e, outside), arena_format(e->memory,
                                                        "OUTER(i) DPC_IVDEP INNER(j) x();\n"
                                                        "OUTER(i) INNER(j) {\n"
                                                        "    x();\n"
                                                        "    y();\n"
                                                        "}\n"
                                                        "OUTER(i)\n"
                                                        "    %0*d;\n",
                                                        LINE_WIDTH, 1));
    arena_free(e->memory);
}
END_TEST

/* The innermost declaration that is open is the one that is used. */
START_TEST(names) {
    emitter *e = fresh();
    code *outside = begin_code(e, "");
    emit_declaration(e, "n", "int n;");
    emit_declaration(e, "m", "int m;");
    emit_declaration(e, "k", "int k;");
    code *around = open_block(e);
    emit_declaration(e, "m", "long m;");
    use_name(e, "m");
    use_names_in(e, "2 * n + nk");
    close_block(e, around);
    ck_assert_str_eq(end_code(e, outside), "int n;\n"
                                           "{\n"
                                           "    long m;\n"
                                           "}\n");
    arena_free(e->memory);
}
END_TEST

/* A function sees its parameters only; code within an expression sees what is open around it. */
START_TEST(functions) {
    emitter *e = fresh();
    code *outside = begin_code(e, "");
    emit_declaration(e, "n", "int n;");
    emit_declaration(e, "m", "int m;");
    code *around = begin_function(e), *n = emit_parameter(e, "n"), *k = emit_parameter(e, "k");
    use_name(e, "n");
    use_name(e, "m");
    emit_line(e, "f(n);");
    ck_assert_str_eq(end_code(e, around), "    f(n);\n");
    ck_assert(is_declaration_used(n));
    ck_assert(!is_declaration_used(k));
    around = begin_code(e, "");
    use_name(e, "m");
    ck_assert_str_eq(end_code(e, around), "");
    ck_assert_str_eq(end_code(e, outside), "int m;\n");
    arena_free(e->memory);
}
END_TEST

int main(void) {
    return RUN_SUITE("code", 10, nests, loops, macros, names, functions);
}
