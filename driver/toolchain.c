/* Which compilers, headers and library serve: MPICC's kind of MPI, dpcc's own files. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../ir/source.h"
#include "driver.h"

/* The kinds of MPI: the folder of their libdpc, and the preprocessor's test. The first that holds is it. */
static const struct {
    const char *name, *title, *test;
} kinds[MPI_KINDS] = {
    [MPI_SMPI] = {"smpi", "SimGrid SMPI", "defined SMPI_H || defined SMPI_MPI_H"},
    [MPI_OPENMPI] = {"openmpi", "Open MPI", "defined OPEN_MPI"},
    [MPI_MPICH] = {"mpich", "MPICH", "defined MPICH_VERSION || defined I_MPI_VERSION"},
    [MPI_OTHER] = {"other", "another MPI", "1"},
};

const char *mpi_kind_name(mpi_kind kind) {
    return kinds[kind].name;
}

const char *mpi_kind_title(mpi_kind kind) {
    return kinds[kind].title;
}

/* ---- dpcc's own files: beside build/dpcc, or as `make install` puts them around PREFIX/bin/dpcc. */
const char *own_path(arena *a) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) fail(STATUS_FAILED, NULL, "cannot read /proc/self/exe: %s", strerror(errno));
    return arena_text(a, path, (size_t)length);
}

static const char *own_directory(arena *a) {
    const char *path = own_path(a);
    return arena_text(a, path, (size_t)(strrchr(path, '/') - path));
}

/* The first path that exists, or NULL. */
static const char *existing(const char *first, const char *second) {
    if (access(first, R_OK) == 0) return first;
    return access(second, R_OK) == 0 ? second : NULL;
}

static const char *header_directory(arena *a) {
    const char *own = own_directory(a);
    const char *found = existing(arena_format(a, "%s/include/dpc", own), arena_format(a, "%s/../include/dpc", own));
    if (!found)
        fail(STATUS_FAILED, "dpcc needs the files that `make install` puts beside it", "cannot find dpc.h near '%s'",
             own);
    return found;
}

const char *calibration_source(arena *a) {
    const char *own = own_directory(a);
    const char *found =
        existing(arena_format(a, "%s/lib/calibrate.c", own), arena_format(a, "%s/../lib/dpc/calibrate.c", own));
    if (!found)
        fail(STATUS_FAILED, "dpcc needs the files that `make install` puts beside it",
             "cannot find calibrate.c near '%s'", own);
    return found;
}

const char *library_sources(arena *a) {
    const char *own = own_directory(a);
    const char *found = existing(arena_format(a, "%s/lib/source", own), arena_format(a, "%s/../lib/dpc/source", own));
    if (!found)
        fail(STATUS_FAILED, "dpcc needs the files that `make install` puts beside it",
             "cannot find the library's sources near '%s'", own);
    return found;
}

const char *library_file(arena *a, const char *folder, const char *file) {
    const char *own = own_directory(a);
    return existing(arena_format(a, "%s/lib/%s/%s", own, folder, file),
                    arena_format(a, "%s/../lib/dpc/%s/%s", own, folder, file));
}

static const char *library(arena *a, mpi_kind kind, const char *file) {
    const char *found = library_file(a, kinds[kind].name, file);
    if (!found)
        fail(STATUS_FAILED, "run make again where its MPI compiler can be found", "libdpc was not built for %s",
             kinds[kind].title);
    return found;
}

/* ---- Compilers */
const char *c_compiler(void) {
    const char *set = getenv("CC");
    return set && set[strspn(set, " \t")] ? set : "cc";
}

static const char *const c_help = "CC names the C compiler: install one (Debian: gcc), or name another";
static const char *const mpi_help = "MPICC names the MPI compiler, as in MPICC=mpicc";

void check_found(arena *a, const words *command, const char *help) {
    const char *name = command->item[0];
    if (find_command(a, name)) return;
    const bool exists = strchr(name, '/') && access(name, F_OK) == 0;
    fail(STATUS_FAILED, help, exists ? "'%s' is no program that may be executed" : "'%s' was not found", name);
}

void check_c_compiler(arena *a) {
    words compiler;
    words_start(&compiler, a);
    words_split(&compiler, c_compiler());
    check_found(a, &compiler, c_help);
}

/* Whether a line of the file includes a header whose name begins so, in <> or "". */
static bool includes(const char *path, const char *name) {
    const size_t length = strlen(name);
    const char *line;
    for (int i = 1; (line = source_line(path, i)); i++) {
        line += strspn(line, " \t");
        if (*line != '#') continue;
        line += 1 + strspn(line + 1, " \t");
        if (strncmp(line, "include", 7) != 0) continue;
        line += 7 + strspn(line + 7, " \t");
        if ((*line == '<' || *line == '"') && !strncmp(line + 1, name, length)) return true;
    }
    return false;
}

/* The library's headers, <dpc/scalapack.h> and its like. */
static bool includes_library(const char *path) {
    return includes(path, "dpc/");
}

/* mpi.h, whose folder only the MPI compiler knows, or what includes it. */
static bool includes_mpi(const char *path) {
    return includes(path, "mpi.h") || includes_library(path);
}

/* Behind all others, as it may be the system's own folder. */
void add_library_headers(words *command, arena *a, const char *path) {
    if (!includes_library(path)) return;
    words_add(command, "-idirafter");
    words_add(command, arena_format(a, "%s/..", header_directory(a)));
}

static const char *mpi_compiler(arena *a) {
    static const char *const names[] = {"mpicc.openmpi", "mpicc.mpich", "mpicc"};
    const char *set = getenv("MPICC");
    if (set && set[strspn(set, " \t")]) return set;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (find_command(a, names[i])) return names[i];
    fail(STATUS_FAILED,
         "install Open MPI (Debian: libopenmpi-dev, openmpi-bin) or MPICH (libmpich-dev, mpich), name its compiler in "
         "MPICC, or use --serial",
         "no MPI compiler was found");
}

const char *compiler_of(arena *a, const char *path) {
    return includes_mpi(path) ? mpi_compiler(a) : c_compiler();
}

bool mpi_compiler_adds_names(arena *a) {
    const char *set = getenv("MPICC");
    words parts;
    words_start(&parts, a);
    words_split(&parts, set ? set : "");
    for (size_t i = 1; i < parts.count; i++)
        if (!strncmp(parts.item[i], "-D", 2) || !strncmp(parts.item[i], "-i", 2)) return true;
    return false;
}

void toolchain_start(toolchain *t, arena *a, const options *o) {
    *t = (toolchain){.options = o, .memory = a, .directory = temporary_directory(a, NULL)};
    words_start(&t->compiler, a);
    const char *serial = o->serial ? c_compiler() : NULL;
    for (size_t k = 0; o->serial && k < o->input_count; k++)
        if (o->inputs[k].kind == INPUT_DPC && includes_mpi(o->inputs[k].path)) t->serial_mpi = true;
    if (t->serial_mpi) serial = mpi_compiler(a);
    words_split(&t->compiler, o->serial ? serial : mpi_compiler(a));
    check_found(a, &t->compiler, o->serial && !t->serial_mpi ? c_help : mpi_help);
}

static void detect_kind(toolchain *t) {
    static const char marker[] = "dpcc_mpi_kind_is", gcc_marker[] = "dpcc_compiler_is_gcc";
    text snippet;
    words command;
    int status;
    text_start(&snippet, t->memory);
    text_add(&snippet, "#include <mpi.h>\n#if 0\n");
    for (mpi_kind k = 0; k < MPI_KINDS; k++) text_format(&snippet, "#elif %s\n%s %d\n", kinds[k].test, marker, (int)k);
    text_add(&snippet, "#endif\n#if defined(__GNUC__) && !defined(__clang__) && !defined(__INTEL_COMPILER) && "
                       "!defined(__NVCOMPILER)\n");
    text_format(&snippet, "%s\n#endif\n", gcc_marker);
    const char *path = temporary_file(t->memory, t->directory, "kind.c");
    write_text(path, text_of(&snippet));
    words_start(&command, t->memory);
    words_add_all(&command, &t->compiler);
    words_add(&command, "-E");
    words_add(&command, path);
    const char *output = output_of_command(t->memory, &command, false, &status), *found = strstr(output, marker);
    if (status != 0 || !found)
        fail(STATUS_FAILED, "MPICC names the MPI compiler", "'%s' cannot compile for MPI", t->compiler.item[0]);
    t->kind = (mpi_kind)atoi(found + strlen(marker));
    t->is_gcc = strstr(output, gcc_marker) != NULL;
}

mpi_kind toolchain_kind(toolchain *t) {
    if (!t->kind_known) detect_kind(t);
    t->kind_known = true;
    return t->kind;
}

/* ---- Compiling and linking */
/* A tool that a signal has ended says nothing about the source. */
static int run_tool(const words *command) {
    int status = run_command(command);
    if (status > 128) fail_by_signal(command->item[0], status - 128);
    return status;
}

static void run_linker(const words *command) {
    int status = run_tool(command);
    if (status != 0) fail_where_full(command);
    if (status != 0)
        fail(STATUS_FAILED,
             "what it says stands above; -l and -L name libraries, and other sources of the program stand on the "
             "command line",
             "'%s' failed with exit status %d", command->item[0], status);
}

/* Exit status 1 says that the C compiler has found faults in the user's source, unless it can't compile for MPI at all.
 */
static void run_c_compiler(toolchain *t, const words *command) {
    int status = run_tool(command);
    if (status == 0) return;
    fail_where_full(command);
    if (status == 1 && !t->options->serial) toolchain_kind(t);
    bool found_faults = status == 1 && !t->options->calibrate;
    fail(found_faults ? STATUS_SOURCE : STATUS_FAILED,
         "what the C compiler says stands above; -S writes the C text that it gets", "'%s' failed with exit status %d",
         command->item[0], status);
}

/* The last of the options for the compiler that begins so, or NULL. */
static const char *compile_option(const options *o, const char *start) {
    for (size_t i = o->compile.count; i-- > 0;)
        if (strncmp(o->compile.item[i], start, strlen(start)) == 0) return o->compile.item[i];
    return NULL;
}

/* -O3 and -std=gnu11 where the user says nothing else. */
static void add_default_options(words *command, const options *o) {
    if (!compile_option(o, "-std=") && !compile_option(o, "-ansi")) words_add(command, "-std=gnu11");
    if (!compile_option(o, "-O")) words_add(command, "-O3");
}

void add_macro_options(words *w, const options *o) {
    add_default_options(w, o);
    for (size_t i = 0; i < o->compile.count; i++)
        if (strncmp(o->compile.item[i], "-g", 2) != 0) words_add(w, o->compile.item[i]);
}

bool has_trigraphs(const options *o) {
    const char *standard = compile_option(o, "-std=");
    if (compile_option(o, "-trigraphs")) return true;
    if (!standard) return compile_option(o, "-ansi") != NULL;
    return strncmp(standard, "-std=gnu", 8) != 0 && strcmp(standard, "-std=c2x") != 0 &&
           strcmp(standard, "-std=c23") != 0;
}

/* The lines of the longest function of C text, of which gcc's global passes take time in its square. */
static size_t longest_function(const char *c_text) {
    size_t longest = 0, lines = 0;
    int depth = 0;
    for (const char *at = c_text; *at; at++) {
        if (at[0] == '/' && (at[1] == '*' || at[1] == '/')) {
            const char *end = strstr(at + 2, at[1] == '*' ? "*/" : "\n");
            for (; end && at < end; at++) lines += *at == '\n';
        } else if (*at == '"' || *at == '\'') {
            const char quote = *at++;
            while (*at && *at != quote) at += *at == '\\' && at[1] ? 2 : 1;
        } else if (*at == '{' && depth++ == 0) {
            lines = 0;
        } else if (*at == '}' && --depth == 0 && lines > longest) {
            longest = lines;
        }
        if (!*at) break;
        lines += *at == '\n';
    }
    return longest;
}

/* What dpcc adds for gcc where the user says nothing of optimisation. Loops that gcc leaves anywhere take up to 1.6
 * times as long where a short inner loop straddles a line of the cache, 64 bytes on all that dpcc is used on (LU's has
 * 34 bytes). The passes over whole functions that follow register transfers do little for loops, and take 40 % of the
 * time for 600 statements in one function. */
static void add_gcc_options(words *command, size_t longest) {
    enum { LONG_FUNCTION = 2000 };
    words_add(command, "-falign-loops=64");
    if (longest < LONG_FUNCTION) return;
    words_add(command, "-fno-gcse");
    words_add(command, "-fno-gcse-after-reload");
}

/* The compiler with the user's options, for text whose longest function has so many lines. */
static void compile_command(words *command, toolchain *t, size_t longest) {
    words_start(command, t->memory);
    words_add_all(command, &t->compiler);
    add_default_options(command, t->options);
    bool optimised = compile_option(t->options, "-O");
    if (!optimised && !t->options->serial && (toolchain_kind(t), t->is_gcc)) add_gcc_options(command, longest);
    words_add_all(command, &t->options->compile);
    words_add_all(command, &t->options->preprocess);
    if (t->options->serial) return;
    /* rows of local parts are shorter than the global subscripts that stand in the text */
    if (compile_option(t->options, "-fsanitize=")) words_add(command, "-fno-sanitize=bounds");
    words_add(command, "-isystem");
    words_add(command, header_directory(t->memory));
}

static void compile(toolchain *t, words *command, const char *path, const char *object) {
    words_add(command, "-c");
    words_add(command, path);
    words_add(command, "-o");
    words_add(command, object);
    run_c_compiler(t, command);
}

/* The C text gets a directory of its own, so that it can have the name of its source. */
static const char *generated_path(toolchain *t, size_t number) {
    const char *directory = temporary_file(t->memory, t->directory, arena_format(t->memory, "%zu", number));
    if (mkdir(directory, 0777) != 0) fail(STATUS_FAILED, NULL, "cannot make '%s': %s", directory, strerror(errno));
    return temporary_file(t->memory, directory,
                          tame_name(base_with_suffix(t->memory, t->options->inputs[number].path, ".c")));
}

void compile_text(toolchain *t, size_t number, const char *c_text, const char *object) {
    words command;
    const char *path = generated_path(t, number);
    write_text(path, c_text);
    compile_command(&command, t, longest_function(c_text));
    add_library_headers(&command, t->memory, t->options->inputs[number].path);
    add_hdf5_headers(&command, t, path, true);
    compile(t, &command, path, object);
}

void compile_file(toolchain *t, const char *path, const char *object) {
    words command;
    compile_command(&command, t, 0);
    add_library_headers(&command, t->memory, path);
    words_add_all(&command, &t->options->include);
    add_hdf5_headers(&command, t, path, false);
    compile(t, &command, path, object);
}

static bool ends_in(const char *path, const char *suffix) {
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

/* A file of a shared library of libdpc's users: it names libdpc. */
static bool needs_libdpc(arena *a, const char *path) {
    return file_has_bytes(a, path, "libdpc.so");
}

/* Whether -lNAME is such a library in a directory that -L names. */
static bool finds_user_of_libdpc(toolchain *t, const char *name) {
    const options *o = t->options;
    for (size_t i = 0; i < o->input_count; i++) {
        const char *path = o->inputs[i].path;
        if (o->inputs[i].kind == INPUT_LINK_OPTION && !strncmp(path, "-L", 2) &&
            needs_libdpc(t->memory, arena_format(t->memory, "%s/lib%s.so", path + 2, name)))
            return true;
    }
    return false;
}

/* A program and its shared libraries must have one libdpc among them, the shared one.  Simulated processes share no
 * library: there each has its own. */
static bool takes_shared_libdpc(toolchain *t) {
    const options *o = t->options;
    if (toolchain_kind(t) == MPI_SMPI) return false;
    for (size_t i = 0; i < o->input_count; i++) {
        const char *path = o->inputs[i].path;
        if (o->inputs[i].kind == INPUT_LINK_OPTION) {
            if (!strcmp(path, "-shared") || (!strncmp(path, "-l", 2) && finds_user_of_libdpc(t, path + 2))) return true;
        } else if (ends_in(path, ".so") && needs_libdpc(t->memory, path)) {
            return true;
        }
    }
    return false;
}

static void add_libdpc(words *command, toolchain *t) {
    const mpi_kind kind = toolchain_kind(t);
    if (!takes_shared_libdpc(t)) {
        words_add(command, library(t->memory, kind, "libdpc.a"));
        return;
    }
    char directory[PATH_MAX];
    const char *path = library(t->memory, kind, "libdpc.so");
    if (!realpath(path, directory)) fail(STATUS_FAILED, NULL, "cannot find '%s': %s", path, strerror(errno));
    *strrchr(directory, '/') = '\0';
    words_add(command, path);
    words_add(command, arena_format(t->memory, "-Wl,-rpath,%s", directory));
}

void link_program(toolchain *t, const char *const *objects, const char *program) {
    words command;
    const hdf5_parts hdf5 = find_hdf5(t, objects);
    compile_command(&command, t, 0);
    for (size_t i = 0; i < t->options->input_count; i++)
        words_add(&command, objects[i] ? objects[i] : t->options->inputs[i].path);
    if (hdf5.library) words_add(&command, hdf5.library);
    if (!t->options->serial) add_libdpc(&command, t);
    words_add_all(&command, &hdf5.options);
    words_add(&command, "-lm");
    /* clang calls it where threads combine values of 16 bytes. */
    if (t->options->openmp && !t->options->serial && !t->is_gcc) words_add(&command, "-latomic");
    words_add(&command, "-o");
    words_add(&command, program);
    run_linker(&command);
}
