/* -M, -MM, -MD, -MMD, -MF, -MT, -MQ and -MP as gcc has them: a rule for make with the files that an input includes. The
 * C preprocessor writes it; a .dpc file includes as C does. */
#include <string.h>

#include "driver.h"

static const char *dependency_file(arena *a, const options *o, size_t n) {
    const char *output = o->output && strcmp(o->output, "-") != 0 ? o->output : NULL;
    if (o->dependencies.file) return o->dependencies.file;
    if (!output) return base_with_suffix(a, o->inputs[n].path, ".d");
    const char *slash = strrchr(output, '/');
    return arena_format(a, "%.*s%s", (int)(slash ? slash + 1 - output : 0), output, base_with_suffix(a, output, ".d"));
}

/* What the rule makes, where -MT and -MQ say nothing. */
static const char *target_of(arena *a, const options *o, size_t n) {
    const bool alone = o->dependencies.kind == DEPENDENCIES_ALONE; /* -o names the file of the rule */
    if (o->output && !alone && strcmp(o->output, "-") != 0) return o->output;
    return base_with_suffix(a, o->inputs[n].path, o->last == STAGE_TRANSLATE ? ".c" : ".o");
}

/* Runs the preprocessor for input n; its rule goes to `path`, standard output where that is NULL. */
static void write_dependencies(arena *a, const options *o, size_t n, const char *path) {
    words command;
    words_start(&command, a);
    words_split(&command, compiler_of(a, o->inputs[n].path));
    add_macro_options(&command, o);
    words_add_all(&command, &o->preprocess);
    words_add_all(&command, &o->include);
    add_library_headers(&command, a, o->inputs[n].path);
    words_add(&command, o->dependencies.system ? "-M" : "-MM");
    words_add_all(&command, &o->dependencies.words);
    if (!o->dependencies.targets) {
        words_add(&command, "-MQ");
        words_add(&command, target_of(a, o, n));
    }
    if (path) {
        words_add(&command, "-MF");
        words_add(&command, path);
    }
    words_add(&command, "-x");
    words_add(&command, "c");
    words_add(&command, o->inputs[n].path);
    const int status = run_command(&command);
    if (status != 0) fail_where_full(&command);
    if (status != 0)
        fail(status == 1 ? STATUS_SOURCE : STATUS_FAILED, "what the C compiler says stands above",
             "'%s' failed with exit status %d", command.item[0], status);
}

static bool has_rule(const input *in) {
    return in->kind == INPUT_DPC || in->kind == INPUT_C;
}

void print_dependencies(arena *a, const options *o) {
    const char *file = o->dependencies.file ? o->dependencies.file : o->output;
    const char *staged = file && strcmp(file, "-") != 0 ? stage_output(a, file) : NULL;
    for (size_t n = 0; n < o->input_count; n++)
        if (has_rule(&o->inputs[n])) write_dependencies(a, o, n, staged);
    if (staged) publish(staged, file);
}

const char **stage_dependencies(arena *a, const options *o) {
    const char **staged = arena_alloc(a, (o->input_count + 1) * sizeof *staged);
    if (o->dependencies.kind != DEPENDENCIES_BESIDE) return staged;
    pass("dependencies");
    for (size_t n = 0; n < o->input_count; n++) {
        if (!has_rule(&o->inputs[n])) continue;
        const char *file = dependency_file(a, o, n);
        if (strcmp(file, "-") != 0) staged[n] = stage_output(a, file);
        write_dependencies(a, o, n, staged[n]);
    }
    return staged;
}

void publish_dependencies(arena *a, const options *o, const char **staged) {
    for (size_t n = 0; n < o->input_count; n++)
        if (staged[n]) publish(staged[n], dependency_file(a, o, n));
}
