/* Runs a program under its MPI's launcher, or simulated by SMPI. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

/* The names of each kind's launcher, the most specific first. */
static const char *const launchers[MPI_KINDS][4] = {
    [MPI_OPENMPI] = {"mpirun.openmpi", "mpirun", "mpiexec"},
    [MPI_MPICH] = {"mpirun.mpich", "mpiexec.hydra", "mpirun", "mpiexec"},
    [MPI_SMPI] = {"smpirun"},
    [MPI_OTHER] = {"mpirun", "mpiexec"},
};

/* MPIRUN, or the kind's launcher: beside the MPI compiler, else in PATH. */
static void add_launcher(words *command, toolchain *t, mpi_kind kind) {
    const char *set = getenv("MPIRUN"), *compiler = find_command(t->memory, t->compiler.item[0]);
    const char *slash = compiler ? strrchr(compiler, '/') : NULL;
    if (set && set[strspn(set, " \t")]) {
        words_split(command, set);
        check_found(t->memory, command, "MPIRUN names the command that starts MPI programs, as in MPIRUN=mpirun");
        return;
    }
    for (int beside = slash != NULL; beside >= 0; beside--) {
        for (int i = 0; i < 4 && launchers[kind][i]; i++) {
            const char *name = launchers[kind][i];
            if (beside) name = arena_format(t->memory, "%.*s/%s", (int)(slash - compiler), compiler, name);
            if (!find_command(t->memory, name)) continue;
            words_add(command, name);
            return;
        }
    }
    fail(STATUS_FAILED,
         kind == MPI_SMPI ? "install SimGrid (Debian: libsimgrid-dev), or name its smpirun in MPIRUN"
                          : "MPIRUN names the command that starts MPI programs (Debian: in openmpi-bin, and in mpich)",
         "no mpirun was found for %s", mpi_kind_name(kind));
}

bool has_other_hosts(void) {
    static const char *const variables[] = {"MPIRUN",    "SLURM_JOB_ID", "PBS_NODEFILE",
                                            "LSB_JOBID", "PE_HOSTFILE",  "OMPI_MCA_orte_default_hostfile"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i])) return true;
    return false;
}

/* Open MPI's mpirun and processes leave files where they are killed: they go where dpcc removes them. */
static void set_openmpi_directories(arena *a) {
    if (has_other_hosts()) return;
    const char *memory = directory_in(a, "/dev/shm");
    setenv("OMPI_MCA_orte_tmpdir_base", temporary_directory(a, NULL), 0);
    if (!memory) return;
    setenv("OMPI_MCA_btl_vader_backing_directory", memory, 0);
    setenv("OMPI_MCA_osc_sm_backing_directory", memory, 0);
}

/* Open MPI: more processes than cores are welcome, root too, and the program's own exit status says enough. What the
 * user has set stays. */
static void set_openmpi_environment(void) {
    static const char *const settings[][2] = {
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"}, {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
        {"OMPI_MCA_orte_execute_quiet", "1"},       {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    };
    size_t count = sizeof settings / sizeof *settings;
    if (geteuid() != 0) count -= 2;
    for (size_t i = 0; i < count; i++) setenv(settings[i][0], settings[i][1], 0);
}

long core_count(void) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? online : 1;
}

long process_count(const options *o) {
    if (o->processes) return o->processes;
    return o->fixed_processes ? o->fixed_processes : core_count();
}

/* ---- SimGrid: a platform, without one a cluster with one process per host, and a script between smpirun and the
 * program. smpirun prints on standard output when a program fails, splits the program's arguments at blanks, and passes
 * signals on to the script alone: the script knows the arguments, keeps the exit status in a file, ends with 0, and
 * ends the program first. */
static const char *write_platform(toolchain *t, const char *directory, long processes) {
    const char *path = temporary_file(t->memory, directory, "platform.xml");
    write_text(path,
               arena_format(t->memory,
                            "<?xml version='1.0'?>\n"
                            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                            "<platform version=\"4.1\">\n"
                            "  <cluster id=\"nodes\" prefix=\"node-\" suffix=\"\" radical=\"0-%ld\" speed=\"10Gf\""
                            " bw=\"10GBps\" lat=\"1us\"/>\n"
                            "</platform>\n",
                            processes - 1));
    return path;
}

static const char *write_hosts(toolchain *t, const char *directory, long processes) {
    const char *path = temporary_file(t->memory, directory, "hosts");
    text hosts;
    text_start(&hosts, t->memory);
    for (long i = 0; i < processes; i++) text_format(&hosts, "node-%ld\n", i);
    write_text(path, text_of(&hosts));
    return path;
}

static void add_quoted(text *script, const char *word) {
    text_add(script, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add(script, "'\\''");
        else
            text_add_bytes(script, word, 1);
    }
    text_add(script, "'");
}

/* The program's TMPDIR is the user's, smpirun's is not. */
static void add_environment(text *script) {
    const char *parent = getenv("TMPDIR");
    text_add(script, parent ? "export TMPDIR=" : "unset TMPDIR");
    if (parent) add_quoted(script, parent);
    text_add(script, "\n");
}

static const char *write_script(toolchain *t, const char *directory, const char *status_path, bool silent) {
    const char *path = temporary_file(t->memory, directory, "start");
    text script;
    text_start(&script, t->memory);
    add_environment(&script);
    text_add(&script, "exec 3<&0\n\"$@\"");
    for (size_t i = 0; i < t->options->arguments.count; i++) {
        text_add(&script, " ");
        add_quoted(&script, t->options->arguments.item[i]);
    }
    text_add(&script, silent ? " >/dev/null" : "");
    text_add(&script, " <&3 3<&- &\nprogram=$!\ntrap 'kill $program' HUP INT QUIT TERM\nwait $program\necho $? >");
    add_quoted(&script, status_path);
    text_add(&script, "\n");
    write_text(path, text_of(&script));
    return path;
}

static int read_status(const char *path, int otherwise) {
    FILE *file = fopen(path, "r");
    int status;
    if (!file) return otherwise;
    if (fscanf(file, "%d", &status) != 1) status = otherwise;
    fclose(file);
    return status;
}

/* smpirun splits names of directories at blanks, and worse. */
static const char *plain_directory(toolchain *t) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-";
    if (t->directory[strspn(t->directory, plain)] == '\0') return t->directory;
    const char *directory = directory_in(t->memory, "/tmp");
    if (!directory) fail(STATUS_FAILED, NULL, "cannot make a directory in '/tmp': %s", strerror(errno));
    return directory;
}

/* Bytes of messages that travel before they are received, as those of MPI libraries do (SimGrid's own default is that
 * none does, and 64 KiB the most that is sent without waiting for the receiver). */
#define EAGER "65536"

static int launch_simulated(toolchain *t, words *command, const char *program, long processes,
                            const simulated_machine *m) {
    const char *directory = plain_directory(t), *status_path = temporary_file(t->memory, directory, "status");
    const char *const more[] = {
        "-np",
        arena_format(t->memory, "%ld", processes),
        "-platform",
        m ? m->platform : write_platform(t, directory, processes),
        "-wrapper",
        arena_format(t->memory, "sh %s", write_script(t, directory, status_path, m && m->silent)),
        m ? "--log=root.thres:error" : "--log=root.thres:critical",
        m ? "--cfg=smpi/simulate-computation:yes" : "--cfg=smpi/simulate-computation:no",
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) words_add(command, more[i]);
    if (!m) words_add(command, "-hostfile");
    if (!m) words_add(command, write_hosts(t, directory, processes));
    if (m) words_add(command, arena_format(t->memory, "--cfg=smpi/host-speed:%.17gf", m->host_speed));
    if (m) words_add(command, "--cfg=smpi/async-small-thresh:" EAGER);
    words_add(command, program);
    setenv("TMPDIR", directory, 1);
    unlink(status_path);
    int status = run_command(command);
    return read_status(status_path, status ? status : STATUS_FAILED);
}

int launch_on_machine(toolchain *t, const char *program, long processes, const simulated_machine *m) {
    words command;
    words_start(&command, t->memory);
    add_launcher(&command, t, MPI_SMPI);
    return launch_simulated(t, &command, program, processes, m);
}

/* The command that starts a program with real processes. */
static void add_real_launch(words *command, toolchain *t, const char *program) {
    if (!t->options->serial) {
        mpi_kind kind = toolchain_kind(t);
        add_launcher(command, t, kind);
        if (kind == MPI_OPENMPI) {
            set_openmpi_environment();
            set_openmpi_directories(t->memory);
        }
        words_add(command, "-n");
        words_add(command, arena_format(t->memory, "%ld", process_count(t->options)));
    }
    words_add(command, program);
    words_add_all(command, &t->options->arguments);
}

int launch(toolchain *t, const char *program) {
    words command;
    words_start(&command, t->memory);
    if ((!t->options->serial || t->serial_mpi) && toolchain_kind(t) == MPI_SMPI) {
        const long processes = t->options->serial ? 1 : process_count(t->options);
        add_launcher(&command, t, MPI_SMPI);
        return launch_simulated(t, &command, program, processes, NULL);
    }
    add_real_launch(&command, t, program);
    return run_program(&command, t->options->serial ? NULL : command.item[0]);
}

const char *output_of_launch(toolchain *t, const char *program, int *status) {
    words command;
    words_start(&command, t->memory);
    add_real_launch(&command, t, program);
    return output_of_command(t->memory, &command, false, status);
}
