/* The command: what dpcc was asked to do, files that appear whole or not at all, and the tools that it runs. */
#ifndef DPC_DRIVER_DRIVER_H
#define DPC_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "../analysis/model/methods.h"
#include "../ir/arena.h"
#include "../runtime/base/profile.h"

typedef enum {
    STATUS_SUCCESS = 0,
    STATUS_SOURCE = 1,  /* the source is wrong */
    STATUS_COMMAND = 2, /* the command line is wrong */
    STATUS_FAILED = 3,  /* files, memory or a tool failed */
    STATUS_BUG = 70     /* a bug in dpcc */
} exit_status;

/* ---- fail.c
 * `dpcc: error: ...` on standard error, then `help: ...` unless help is NULL; ends with that exit status. */
_Noreturn void fail(exit_status status, const char *help, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- nearest.c */
/* Levenshtein's distance between short words; more than 32 letters are far from everything. */
size_t word_distance(const char *a, const char *b);
/* The file in the directory of `path` whose name is nearest to it; NULL: none is near. */
const char *nearest_file(arena *a, const char *path);

/* ---- refusals.c: all end with STATUS_FAILED, and a hint where there is one; error: of errno. */
_Noreturn void fail_to_read(const char *path, int error);
/* path NULL: standard output. */
_Noreturn void fail_to_write(const char *path, int error);
/* A tool was ended by a signal of that number. */
_Noreturn void fail_by_signal(const char *tool, int number);

/* ---- words.c: argument vectors. item[count] is always NULL once a word was added. */
typedef struct {
    arena *memory;
    const char **item;
    size_t count, capacity;
} words;

void words_start(words *w, arena *a);
void words_add(words *w, const char *word);
void words_add_all(words *w, const words *more);
/* Adds the blank-separated words of a command, the value of an environment variable; one where it is the path of a
 * file. */
void words_split(words *w, const char *line);

/* ---- options.c */
typedef enum { STAGE_PREPROCESS, STAGE_TRANSLATE, STAGE_COMPILE, STAGE_LINK } stage;
typedef enum { DUMP_NOTHING, DUMP_TOKENS, DUMP_AST, DUMP_IR, DUMP_PLAN, DUMP_AFTER } dump_kind;
typedef enum { EXPLAIN_NOTHING, EXPLAIN_TEXT, EXPLAIN_JSON } explain_kind;
typedef enum { CHECK_NONE, CHECK_BOUNDS, CHECK_ALL } check_kind;

/* An input file, or an option for the linker that keeps its place among them (-lm). */
typedef enum { INPUT_DPC, INPUT_C, INPUT_OBJECT, INPUT_LINK_OPTION } input_kind;
typedef struct {
    input_kind kind;
    const char *path;
} input;

typedef enum { DEPENDENCIES_NONE, DEPENDENCIES_BESIDE, DEPENDENCIES_ALONE } dependency_kind;
typedef struct {
    dependency_kind kind; /* -MD and -MMD: beside what is made; -M and -MM: instead of it */
    bool system;          /* headers of the system, too */
    bool targets;         /* -MT or -MQ was given */
    const char *file;     /* -MF, or NULL */
    words words;          /* -MT -MQ -MP -MG: for the preprocessor */
} dependency_options;

typedef struct {
    bool test;    /* --test */
    bool update;  /* --update */
    bool strict;  /* --strict */
    long jobs;    /* -j, or 0: as many as there are cores */
    long seconds; /* --timeout */
    words paths;  /* directories, or single programs */
    words given;  /* the other options: for each translation */
} suite_options;

typedef struct {
    arena *memory;
    stage last;         /* the stage after which dpcc stops */
    const char *output; /* -o, or NULL */
    bool serial;        /* --serial */
    bool openmp;        /* --openmp */
    bool reproducible;  /* --reproducible */
    int time_tiling;    /* --time-tiling: iterations at once; 0: as many as pay, -1: none */
    bool run;           /* --run */
    bool calibrate;     /* --calibrate */
    bool standalone;    /* --standalone */
    bool lsp;           /* --lsp */
    long processes;     /* -n, or 0: as many as there are cores (or --np says) */
    long *counts;       /* all numbers of processes of -n, several with --simulate */
    size_t count_count, count_capacity;
    bool simulate;        /* --simulate */
    const char *platform; /* its value, or NULL */
    long fixed_processes; /* --np, or 0: any number */
    bool has_pair;
    long pair[2]; /* --pair: who sends, who receives */
    dump_kind dump;
    const char *dump_after; /* DUMP_AFTER: name of a pass of the analysis */
    explain_kind explain;
    const char *report;      /* --report: the page, or NULL */
    const char *stats;       /* --stats: the counts that it shows, or NULL */
    const char *counts_text; /* what that file holds */
    dependency_options dependencies;
    suite_options suite;
    check_kind check;
    set_method sets;                     /* --sets; METHOD_NONE: auto */
    comm_model model;                    /* --model */
    const char *redistribute, *schedule; /* NULL: auto */
    bool time;
    words preprocess; /* -D -U -I -isystem ...: for preprocessing and for the C compiler */
    words include;    /* -include FILE: for preprocessing, and for the C compiler with .c files only */
    words compile;    /* -O -g -f -m -W -std: for the C compiler */
    words spellings;  /* of the options that are given, in order, and those as they are written */
    words written;
    words arguments; /* after `--`: the program's own */
    input *inputs;
    size_t input_count, input_capacity;
} options;

/* option_help.c: "0.2.0". */
const char *program_version(void);

/* Parses the command line and checks it; ends with STATUS_COMMAND and a hint when it is wrong, with STATUS_SUCCESS
 * after
 * --help and --version, with STATUS_FAILED when an input cannot be read. */
void parse_options(options *o, arena *a, int argc, char **argv);

/* The compiler's options that decide which macros it defines (-std -O -f -m ...), with those that it gets anyway. */
void add_macro_options(words *w, const options *o);
/* Whether they ask for the trigraphs of ISO C. */
bool has_trigraphs(const options *o);

/* "dir/x.dpc", ".c" -> "x.c". */
const char *base_with_suffix(arena *a, const char *path, const char *suffix);

/* ---- leftovers.c: a process of its own that removes what dpcc leaves, however dpcc ends. */
/* Removes a directory and all that is in it at the end. */
void remove_later(const char *directory);
/* Does so now.  May be called by a signal handler. */
void remove_temporaries(void);
/* In a process that was forked: those of its parent are not its own. */
void forget_temporaries(void);

/* ---- files.c: temporary directories are removed when dpcc ends; outputs are published whole. */
void handle_signals(void);
/* The process that a signal is passed on to while it runs; 0: none. */
void set_child(int pid);
/* Groups of processes that a signal ends, too, each by its leader; 0: none. */
enum { MOST_GROUPS = 256 };
void set_group(size_t slot, int pid);
/* In a process that was forked: neither the child nor the groups are its own. */
void leave_groups(void);

/* A new directory under $TMPDIR, or beside `target` when that is not NULL. */
const char *temporary_directory(arena *a, const char *target);
/* A new directory in `parent`; NULL where there can be none. */
const char *directory_in(arena *a, const char *parent);
/* DIRECTORY/NAME. */
const char *temporary_file(arena *a, const char *directory, const char *name);

/* A file's name without the @ before it, which gcc's parts take for the name of a file of options. */
const char *tame_name(const char *name);

/* Where to write what shall appear as `target` (a path on the same file system); publish renames it into place.  A
 * target that exists and is not a regular file (/dev/null) is written to. */
const char *stage_output(arena *a, const char *target);
void publish(const char *staged, const char *target);
/* Copies the bytes.  Ends with STATUS_FAILED where that fails. */
void copy_file(const char *from, const char *to);
/* Whether they stand in the file; false where it cannot be read. */
bool file_has_bytes(arena *a, const char *path, const char *wanted);

/* Writes all of `content`; "-" is standard output.  Ends with STATUS_FAILED where that fails. */
void write_text(const char *path, const char *content);
/* Writes text where `target` will be published from, or to standard output ("-") at once: then NULL. */
const char *stage_text(arena *a, const char *target, const char *content);

/* ---- process.c */
/* -v: commands are shown on standard error before they run. */
void show_commands(void);
/* The full path of a command, searched in PATH unless it has a slash; NULL where there is none. */
const char *find_command(arena *a, const char *name);
/* Runs a command and returns its exit status, 128 + the signal that ended it.  Ends with STATUS_FAILED when it cannot
 * be started. */
int run_command(const words *command);
/* The same with its standard output as text; *status is set.  Standard error is thrown away when `quiet`. */
const char *output_of_command(arena *a, const words *command, bool quiet, int *status);
/* run_command for the user's program, or for its launcher: says which signal has ended it, as a shell does. */
int run_program(const words *command, const char *launcher);

/* ---- refusals.c again */
/* Behind a command that has failed: ends dpcc where the disk is full that it writes to, so that no source is blamed. */
void fail_where_full(const words *command);

/* ---- toolchain.c: the C compilers, and libdpc */
typedef enum { MPI_OPENMPI, MPI_MPICH, MPI_SMPI, MPI_OTHER, MPI_KINDS } mpi_kind;
/* "openmpi", the folder of its libdpc; "Open MPI". */
const char *mpi_kind_name(mpi_kind kind);
const char *mpi_kind_title(mpi_kind kind);

typedef struct {
    const options *options;
    arena *memory;
    const char *directory; /* for what is only needed now */
    words compiler;        /* MPICC, or CC with --serial */
    bool serial_mpi;       /* a serial program that calls MPI itself */
    bool kind_known;
    bool is_gcc; /* known with the kind */
    mpi_kind kind;
} toolchain;

/* The compiler of $CC that preprocesses and, with --serial, compiles: "cc" when not set. */
const char *c_compiler(void);
/* The one that preprocesses a file: the MPI compiler where it includes mpi.h. */
const char *compiler_of(arena *a, const char *path);
/* The option with which a file finds the library's own headers, <dpc/scalapack.h> and its like, where it includes one.
 */
void add_library_headers(words *command, arena *a, const char *path);
/* Ends with STATUS_FAILED when it cannot be found. */
void check_c_compiler(arena *a);
/* Whether a command can be run; else dpcc ends with that help. */
void check_found(arena *a, const words *command, const char *help);

/* Whether options in MPICC define macros or include files: preprocessing does not see these. */
bool mpi_compiler_adds_names(arena *a);

void toolchain_start(toolchain *t, arena *a, const options *o);
/* The kind of MPI that MPICC compiles for. */
mpi_kind toolchain_kind(toolchain *t);
/* The source of the program that measures, for --calibrate. */
/* The file that dpcc runs from. */
const char *own_path(arena *a);
const char *calibration_source(arena *a);
/* A file of the library in the folder of that name, or NULL. */
const char *library_file(arena *a, const char *folder, const char *file);
/* The folder of the library's sources, for --standalone. */
const char *library_sources(arena *a);
/* Compiles C text that was translated from o->inputs[number], or a .c file, to the object file `object`. */
void compile_text(toolchain *t, size_t number, const char *text, const char *object);
void compile_file(toolchain *t, const char *path, const char *object);
/* Links the inputs into `program`; objects[n] stands for input n where it is not NULL. */
void link_program(toolchain *t, const char *const *objects, const char *program);

/* ---- hdf5.c: programs with files of HDF5; where it is not there for their MPI, these end with STATUS_FAILED. */
/* The options that a C text needs which includes its header; not required: if there are any. */
void add_hdf5_headers(words *command, toolchain *t, const char *path, bool required);
/* What a program needs, if one of its parts calls HDF5 through dpcc: a library before libdpc, options behind it. */
typedef struct {
    const char *library; /* NULL: none */
    words options;
} hdf5_parts;
hdf5_parts find_hdf5(toolchain *t, const char *const *objects);

/* ---- launch.c */
/* Of this machine, those that this process may use. */
long core_count(void);
/* Whether processes may be started on other hosts, where dpcc's directories are not. */
bool has_other_hosts(void);
/* How many processes --run starts. */
long process_count(const options *o);
/* Runs a linked program on the asked number of processes and returns its exit status. */
int launch(toolchain *t, const char *program);
/* A simulated machine: a platform file of SimGrid, whose hosts the processes share out in turn.  host_speed: the flop/s
 * that this machine counts as.  silent: what the program prints on standard output is dropped. */
typedef struct {
    const char *platform;
    double host_speed;
    bool silent;
} simulated_machine;
int launch_on_machine(toolchain *t, const char *program, long processes, const simulated_machine *m);
/* The same, with what the program prints as text; not for simulated processes. */
const char *output_of_launch(toolchain *t, const char *program, int *status);

/* ---- simulate.c: --simulate */
/* What it leaves for a page: counts and the time line of the run on the most processes, the table of all. */
typedef struct {
    const char *counts, *trace, *table;
} simulation_record;
/* Runs a linked program on the simulated machine, once for each number of processes, and says on standard error what it
 * takes; returns the program's exit status.  record: NULL, or filled in where that is 0. */
int simulate(toolchain *t, const char *program, simulation_record *record);

/* ---- build.c: texts[n] is the C text of input n, NULL where it has none. */
void publish_texts(arena *a, const options *o, const char **texts);
void publish_objects(arena *a, toolchain *t, const char **texts);
void publish_program(arena *a, toolchain *t, const char **texts);
/* The path of the linked program, which lasts as long as dpcc. */
const char *build_to_run(arena *a, toolchain *t, const char **texts);
/* Returns the exit status of the program. */
int build_and_run(arena *a, toolchain *t, const char **texts);
/* The same for inputs that are not translated; returns what the program prints. */
const char *build_and_read(arena *a, toolchain *t, int *status);

/* ---- page.c: --report */
/* What the page of a translated file is made of; the text has #line directives. */
typedef struct {
    const char *explained, *text;
    bool unread; /* the preprocessor found errors, which it said itself */
} page_parts;

/* Before anything is translated: the number of processes that was counted, or that --run starts, is the one that is
 * explained.  Ends with STATUS_FAILED where --stats cannot be read. */
void prepare_page(options *o);
/* Runs the program so that it counts; returns its exit status, and writes the page. */
int run_for_page(arena *a, toolchain *t, const char **texts, const page_parts *parts);
/* Writes the page, with the counts of --stats. */
void write_page(arena *a, const options *o, const page_parts *parts);

/* ---- dependencies.c: rules for make */
/* -M, -MM: to standard output, or to the file of -o or -MF. */
void print_dependencies(arena *a, const options *o);
/* -MD, -MMD: where the rule of each input was written, NULL where it has none; publish_dependencies renames them into
 * place when all that was asked for is there. */
const char **stage_dependencies(arena *a, const options *o);
void publish_dependencies(arena *a, const options *o, const char **staged);

/* ---- profile.c: what things cost on this machine. */
/* The profile in $DPC_PROFILE, else in the user's configuration; defaults for what is in neither.  Warns of unknown
 * names; ends with STATUS_FAILED where the file is malformed or cannot be read. */
dpc_cost read_profile(arena *a);
/* Seconds of an operation on an element, if the profile has it; else 0. */
double profiled_operation(arena *a);
/* The path of the profile to write; its directory exists. */
const char *new_profile(arena *a);

/* ---- calibrate.c: --calibrate */
void calibrate(arena *a, options *o);

/* ---- suite.c: --test.  Returns STATUS_SUCCESS, or STATUS_SOURCE where a test has failed. */
int run_suites(arena *a, const options *o);

/* ---- timer.c: --time */
/* The pass `name` begins, and the one before it ends. NULL: none begins. */
void pass(const char *name);
/* One line per pass in seconds, to standard error. */
void print_passes(void);

#endif
