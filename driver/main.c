/* dpcc: from a data-parallel program to C with MPI. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../analysis/analysis.h"
#include "../codegen/codegen.h"
#include "../parser/parser.h"
#include "driver.h"

void fail(exit_status status, const char *help, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("dpcc: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    if (help) fprintf(stderr, "help: %s\n", help);
    va_end(arguments);
    exit((int)status);
}

/* What has been printed must have arrived. */
static void flush_dump(void)
{
    if (fflush(stdout) != 0) fail(STATUS_FAILED, NULL, "cannot write standard output");
}

static const char *preprocess_input(arena *a, const options *o, const char *path, const char ***typedefs)
{
    words arguments;
    words_start(&arguments, a);
    words_add_all(&arguments, &o->preprocess);
    words_add_all(&arguments, &o->include);
    preprocess_options p = {.arguments = arguments.item, .count = arguments.count, .compiler = c_compiler()};
    return preprocess(a, path, &p, typedefs);
}

/* The compiler: a .dpc file to C text. NULL when its source is wrong, or when --dump has printed what it asked for. */
static const char *translate(arena *a, const options *o, const char *path)
{
    const analysis_options analysis = {.np = (int)o->fixed_processes};
    const emit_options emission = {.np = (int)o->fixed_processes};
    source *s = arena_alloc(a, sizeof *s);
    const char **typedefs = NULL;
    int errors = error_count();
    s->path = path;
    s->memory = a;

    pass("preprocess");
    const char *preprocessed = preprocess_input(a, o, path, &typedefs);
    if (!preprocessed || o->last == STAGE_PREPROCESS) return preprocessed;

    pass("parse");
    node *unit = parse(a, s, preprocessed, typedefs);
    if (o->dump == DUMP_TOKENS) return tokens_print(stdout, s), NULL;
    if (error_count() > errors) return NULL;
    ast_check(s, unit);
    if (o->dump == DUMP_AST) return ast_print(stdout, s, unit), NULL;

    pass("resolve");
    program *p = resolve(a, s, unit, &analysis);
    if (error_count() > errors) return NULL;

    pass("lower");
    lower(p);
    if (error_count() > errors) return NULL;

    pass("classify");
    classify(p);
    if (error_count() > errors) return NULL;
    if (o->dump == DUMP_IR) return program_print(stdout, p), NULL;
    if (o->dump == DUMP_PLAN) return plan_print(stdout, p), NULL;

    pass("emit");
    return o->serial ? emit_serial(a, p, &emission) : emit_spmd(a, p, &emission);
}

/* Translates every .dpc input; texts[n] is the C text of input n. Ends with STATUS_SOURCE when one is wrong. */
static const char **translate_all(arena *a, const options *o)
{
    const char **texts = arena_alloc(a, (o->input_count + 1) * sizeof *texts);
    int before = error_count();
    bool good = true;
    for (size_t i = 0; i < o->input_count; i++) {
        if (o->inputs[i].kind != INPUT_DPC) continue;
        texts[i] = translate(a, o, o->inputs[i].path);
        good = good && (texts[i] || o->dump);
    }
    if (o->dump) flush_dump();
    if (!good || error_count() > before) exit(STATUS_SOURCE);
    return texts;
}

/* The file that input n becomes when dpcc stops before linking. */
static const char *output_of(arena *a, const options *o, size_t n)
{
    if (o->output) return o->output;
    if (o->last == STAGE_PREPROCESS) return "-";
    return base_with_suffix(a, o->inputs[n].path, o->last == STAGE_COMPILE ? ".o" : ".c");
}

static void publish_texts(arena *a, const options *o, const char **texts)
{
    const char **staged = arena_alloc(a, (o->input_count + 1) * sizeof *staged);
    pass("publish");
    for (size_t i = 0; i < o->input_count; i++)
        if (texts[i]) staged[i] = stage_text(a, output_of(a, o, i), texts[i]);
    for (size_t i = 0; i < o->input_count; i++)
        if (staged[i]) publish(staged[i], output_of(a, o, i));
}

static void compile_input(toolchain *t, size_t n, const char *c_text, const char *object)
{
    if (c_text) compile_text(t, n, c_text, object);
    else compile_file(t, t->options->inputs[n].path, object);
}

/* -c: every object is made before the first is published. */
static void publish_objects(arena *a, toolchain *t, const char **texts)
{
    const options *o = t->options;
    const char **staged = arena_alloc(a, (o->input_count + 1) * sizeof *staged);
    pass("compile");
    for (size_t i = 0; i < o->input_count; i++) {
        if (!texts[i] && o->inputs[i].kind != INPUT_C) continue;
        staged[i] = stage_output(a, output_of(a, o, i));
        compile_input(t, i, texts[i], staged[i]);
    }
    pass("publish");
    for (size_t i = 0; i < o->input_count; i++)
        if (staged[i]) publish(staged[i], output_of(a, o, i));
}

static void build_program(arena *a, toolchain *t, const char **texts, const char *program)
{
    const options *o = t->options;
    const char **objects = arena_alloc(a, (o->input_count + 1) * sizeof *objects);
    pass("compile");
    for (size_t i = 0; i < o->input_count; i++) {
        if (!texts[i] && o->inputs[i].kind != INPUT_C) continue;
        objects[i] = temporary_file(a, t->directory, arena_format(a, "%zu.o", i));
        compile_input(t, i, texts[i], objects[i]);
    }
    pass("link");
    link_program(t, objects, program);
}

static const char *program_name(const options *o)
{
    size_t i = 0;
    while (o->inputs[i].kind == INPUT_LINK_OPTION) i++;
    return base_with_suffix(o->memory, o->inputs[i].path, "");
}

static int run(arena *a, toolchain *t, const char **texts)
{
    const char *program = temporary_file(a, temporary_directory(a, NULL), program_name(t->options));
    build_program(a, t, texts, program);
    pass("run");
    return launch(t, program);
}

static void publish_program(arena *a, toolchain *t, const char **texts)
{
    const char *target = t->options->output ? t->options->output : "a.out";
    const char *staged = stage_output(a, target);
    build_program(a, t, texts, staged);
    pass("publish");
    publish(staged, target);
}

int main(int argc, char **argv)
{
    arena *a = arena_new();
    options o;
    toolchain t;
    int status = STATUS_SUCCESS;

    handle_signals();
    parse_options(&o, a, argc, argv);
    const char **texts = translate_all(a, &o);
    if (!o.dump) {
        if (o.last <= STAGE_TRANSLATE) {
            publish_texts(a, &o, texts);
        } else {
            toolchain_start(&t, a, &o);
            if (o.last == STAGE_COMPILE) publish_objects(a, &t, texts);
            else if (o.run) status = run(a, &t, texts);
            else publish_program(a, &t, texts);
        }
    }
    if (o.time) print_passes();
    arena_free(a);
    return status;
}
