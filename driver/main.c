/* dpcc: from a data-parallel program to C with MPI. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analysis/model/analysis.h"
#include "../codegen/codegen.h"
#include "../explain/explain.h"
#include "../ir/stack.h"
#include "../lsp/lsp.h"
#include "../parser/parser.h"
#include "../standalone/standalone.h"
#include "driver.h"

/* What has been printed must have arrived. */
static void flush_dump(void) {
    if (fflush(stdout) != 0) fail_to_write(NULL, errno);
}

static const char *preprocess_input(arena *a, const options *o, const char *path, const char ***typedefs,
                                    header_names **names) {
    words arguments;
    check_c_compiler(a);
    words_start(&arguments, a);
    add_macro_options(&arguments, o);
    words_add_all(&arguments, &o->preprocess);
    words_add_all(&arguments, &o->include);
    add_library_headers(&arguments, a, path);
    preprocess_options *p = arena_alloc(a, sizeof *p);
    *p = (preprocess_options){.arguments = arguments.item,
                              .count = arguments.count,
                              .compiler = compiler_of(a, path),
                              .trigraphs = has_trigraphs(o)};
    return preprocess(a, path, p, typedefs, names);
}

/* The passes of the analysis.  False: after an error, or when --dump=after:NAME has printed what it asked for. */
static bool analyse(program *p, const options *o, int errors) {
    const bool checked = getenv("DPCC_CHECK") != NULL;
    size_t count;
    const pass_row *row = analysis_passes(&count);
    for (size_t k = 0; k < count; k++) {
        pass(row[k].name);
        row[k].run(p);
        if (error_count() > errors) return false;
        if (checked) row[k].check(p);
        if (o->dump == DUMP_AFTER && !strcmp(o->dump_after, row[k].name)) return program_print(stdout, p), false;
    }
    return true;
}

/* Whom the analysis asks about types: the C compiler with what changes them, or MPICC if that has a say in it. */
static const preprocess_options *type_compiler(arena *a, const options *o, const char *path) {
    words arguments;
    words_start(&arguments, a);
    words_add_all(&arguments, &o->preprocess);
    add_library_headers(&arguments, a, path);
    for (size_t i = 0; i < o->compile.count; i++)
        if (strchr("fms", o->compile.item[i][1])) words_add(&arguments, o->compile.item[i]);
    preprocess_options *p = arena_alloc(a, sizeof *p);
    const bool asks_mpi = !o->serial && mpi_compiler_adds_names(a);
    *p = (preprocess_options){.arguments = arguments.item,
                              .count = arguments.count,
                              .compiler = asks_mpi ? getenv("MPICC") : compiler_of(a, path)};
    return p;
}

/* --standalone: the text with what it uses of the library. */
static const char *with_library(arena *a, const char *written) {
    pass("standalone");
    const char *folder = library_sources(a), *whole = standalone_text(a, written, folder);
    if (!whole)
        fail(STATUS_FAILED, "dpcc needs the files that `make install` puts beside it",
             "cannot read the library's sources in '%s'", folder);
    return whole;
}

/* What --explain=json prints. */
static const char *explained_text(arena *a, program *p) {
    char *json = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&json, &length);
    if (!out) fail(STATUS_FAILED, NULL, "cannot explain '%s': %s", p->source->path, strerror(errno));
    explain_json(out, p);
    fclose(out);
    const char *copy = arena_text(a, json, length);
    free(json);
    return copy;
}

/* The compiler: a .dpc file to C text. NULL when its source is wrong, or when --dump or --explain has printed what it
 * asked for. */
static const char *translate(arena *a, const options *o, const dpc_cost *cost, const char *path, page_parts *parts) {
    analysis_options analysis = {.np = (int)o->fixed_processes,
                                 .has_pair = o->has_pair,
                                 .pair = {(int)o->pair[0], (int)o->pair[1]},
                                 .cost = cost,
                                 .compiler = type_compiler(a, o, path),
                                 .sets = o->sets,
                                 .model = o->model,
                                 .redistribute = o->redistribute,
                                 .schedule = o->schedule,
                                 .openmp = o->openmp,
                                 .no_checks = o->check == CHECK_NONE,
                                 .check_all = o->check == CHECK_ALL,
                                 .serial = o->serial,
                                 .reproducible = o->reproducible,
                                 .time_tiling = o->time_tiling};
    const emit_options emission = {.np = (int)o->fixed_processes,
                                   .no_checks = o->check == CHECK_NONE,
                                   .openmp = o->openmp,
                                   .lines = o->last > STAGE_TRANSLATE || o->report};
    source *s = arena_alloc(a, sizeof *s);
    const char **typedefs = NULL;
    int errors = error_count();
    s->path = path;
    s->memory = a;

    pass("preprocess");
    const char *preprocessed = preprocess_input(a, o, path, &typedefs, &analysis.headers);
    parts->unread = parts->unread || !preprocessed;
    if (!preprocessed || error_count() > errors) return NULL; /* of these, errors of syntax would be consequences */
    if (o->last == STAGE_PREPROCESS) return preprocess_plain(a, preprocessed);

    pass("parse");
    node *unit = parse(a, s, preprocessed, typedefs);
    if (o->dump == DUMP_TOKENS) return tokens_print(stdout, s), NULL;
    if (error_count() > errors) return NULL;
    ast_check(s, unit);
    if (o->dump == DUMP_AST) return ast_print(stdout, s, unit), NULL;

    if (!o->serial && mpi_compiler_adds_names(a)) analysis.headers = NULL;
    program *p = program_new(a, s, unit, &analysis);
    if (!analyse(p, o, errors)) return NULL;
    if (o->dump == DUMP_IR) return program_print(stdout, p), NULL;
    if (o->dump == DUMP_PLAN) return plan_print(stdout, p), NULL;

    if (o->explain) pass("explain");
    if (o->explain == EXPLAIN_TEXT) return explain_text(stdout, p), NULL;
    if (o->explain == EXPLAIN_JSON) return explain_json(stdout, p), NULL;

    pass("emit");
    if (o->serial) return emit_serial(a, p, &emission);
    if (o->report) parts->explained = explained_text(a, p);
    const char *written = emit_spmd(a, p, &emission);
    parts->text = written;
    return o->standalone ? with_library(a, written) : written;
}

/* Translates every .dpc input; texts[n] is the C text of input n. Ends with STATUS_SOURCE when one is wrong. */
static const char **translate_all(arena *a, const options *o, page_parts *parts) {
    const char **texts = arena_alloc(a, (o->input_count + 1) * sizeof *texts);
    const dpc_cost cost = read_profile(a);
    int before = error_count();
    bool good = true;
    for (size_t i = 0; i < o->input_count; i++) {
        if (o->inputs[i].kind != INPUT_DPC) continue;
        texts[i] = translate(a, o, &cost, o->inputs[i].path, parts);
        good = good && !parts->unread && (texts[i] || o->dump || o->explain);
        finish_diagnostic();
    }
    if (o->dump || o->explain) flush_dump();
    if (!good || error_count() > before) exit(STATUS_SOURCE);
    return texts;
}

/* Several numbers of processes are for one program, which knows none of them; the page is explained for the last. */
static const char **translate_for_any(arena *a, const options *o) {
    options any = *o;
    page_parts unused = {0};
    any.fixed_processes = 0;
    return translate_all(a, &any, &unused);
}

/* Makes what was asked for of the inputs; returns the exit status. */
static int make_program(arena *a, const options *o) {
    toolchain t;
    if (o->dependencies.kind == DEPENDENCIES_ALONE) return print_dependencies(a, o), STATUS_SUCCESS;
    page_parts parts = {0};
    const char **texts = translate_all(a, o, &parts);
    if (o->report && o->simulate && o->count_count > 1) texts = translate_for_any(a, o);
    if (o->report && !o->run) return write_page(a, o, &parts), STATUS_SUCCESS;
    if (o->dump || o->explain) return STATUS_SUCCESS;
    const char **dependencies = stage_dependencies(a, o);
    if (o->last > STAGE_TRANSLATE) toolchain_start(&t, a, o);
    if (o->report) return run_for_page(a, &t, texts, &parts);
    if (o->run) return build_and_run(a, &t, texts);
    if (o->last <= STAGE_TRANSLATE)
        publish_texts(a, o, texts);
    else if (o->last == STAGE_COMPILE)
        publish_objects(a, &t, texts);
    else
        publish_program(a, &t, texts);
    publish_dependencies(a, o, dependencies);
    return STATUS_SUCCESS;
}

/* What the command line asks for; returns the exit status. */
static int serve(void *x) {
    options *o = x;
    if (o->suite.test) return run_suites(o->memory, o);
    if (o->lsp) return serve_editor(own_path(o->memory), temporary_directory(o->memory, NULL));
    if (o->report) prepare_page(o);
    if (!o->calibrate) return make_program(o->memory, o);
    calibrate(o->memory, o);
    return STATUS_SUCCESS;
}

/* No file that is opened may become a closed standard stream, which messages are written to: one that cannot be read or
 * written stands for it. */
static void open_standard_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) != i)
            exit(STATUS_FAILED);
}

int main(int argc, char **argv) {
    arena *a = arena_new();
    options o;

    open_standard_streams();
    handle_signals();
    parse_options(&o, a, argc, argv);
    int status = on_large_stack(serve, &o);
    if (o.time) print_passes();
    arena_free(a);
    return status;
}
