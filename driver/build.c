/* From C text to what was asked for: files of text, object files, a program, or its run. */
#include "driver.h"

/* The file that input n becomes when dpcc stops before linking. */
static const char *output_of(arena *a, const options *o, size_t n) {
    if (o->output) return o->output;
    if (o->last == STAGE_PREPROCESS) return "-";
    return base_with_suffix(a, o->inputs[n].path, o->last == STAGE_COMPILE ? ".o" : ".c");
}

void publish_texts(arena *a, const options *o, const char **texts) {
    const char **staged = arena_alloc(a, (o->input_count + 1) * sizeof *staged);
    pass("publish");
    for (size_t i = 0; i < o->input_count; i++)
        if (texts[i]) staged[i] = stage_text(a, output_of(a, o, i), texts[i]);
    for (size_t i = 0; i < o->input_count; i++)
        if (staged[i]) publish(staged[i], output_of(a, o, i));
}

static void compile_input(toolchain *t, size_t n, const char *c_text, const char *object) {
    if (c_text)
        compile_text(t, n, c_text, object);
    else
        compile_file(t, t->options->inputs[n].path, object);
}

/* -c: every object is made before the first is published. */
void publish_objects(arena *a, toolchain *t, const char **texts) {
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

static void build_program(arena *a, toolchain *t, const char **texts, const char *program) {
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

static const char *program_name(const options *o) {
    size_t i = 0;
    while (o->inputs[i].kind == INPUT_LINK_OPTION) i++;
    return base_with_suffix(o->memory, o->inputs[i].path, "");
}

const char *build_to_run(arena *a, toolchain *t, const char **texts) {
    const char *program = temporary_file(a, temporary_directory(a, NULL), program_name(t->options));
    build_program(a, t, texts, program);
    pass("run");
    return program;
}

int build_and_run(arena *a, toolchain *t, const char **texts) {
    const char *program = build_to_run(a, t, texts);
    return t->options->simulate ? simulate(t, program, NULL) : launch(t, program);
}

const char *build_and_read(arena *a, toolchain *t, int *status) {
    const char **texts = arena_alloc(a, (t->options->input_count + 1) * sizeof *texts);
    const char *program = build_to_run(a, t, texts);
    return output_of_launch(t, program, status);
}

void publish_program(arena *a, toolchain *t, const char **texts) {
    const char *target = t->options->output ? t->options->output : "a.out";
    const char *staged = stage_output(a, target);
    build_program(a, t, texts, staged);
    pass("publish");
    publish(staged, target);
}
