/* Pass "resolve": calls of the system that every process makes by itself, and that show outside: a warning. */
#include <string.h>

#include "../../ir/table.h"

#include "resolve.h"

#define THROUGH_STREAMS "files that fopen opens for writing are written by process 0 alone"

/* What the call does once for each process, and what does it once. */
static const struct {
    const char *name, *effect, *help;
    bool by_flags; /* only where its second or third argument says so */
} repeated[] = {
    {"open", "each opens the file to write it", THROUGH_STREAMS, true},
    {"open64", "each opens the file to write it", THROUGH_STREAMS, true},
    {"openat", "each opens the file to write it", THROUGH_STREAMS, true},
    {"creat", "each empties the file and writes it", THROUGH_STREAMS, false},
    {"mkstemp", "each makes a file of its own", "tmpfile() is a file of each process, too, and leaves nothing", false},
    {"mkdtemp", "each makes a directory of its own", "mkdir makes one for all processes", false},
    {"popen", "each starts the command", "system starts one, whose exit status all processes get", false},
    {"fork", "each makes a process", "system starts one, whose exit status all processes get", false},
    {"link", "the first makes the name, and the others fail", "system(\"ln ...\") makes it once", false},
    {"symlink", "the first makes the name, and the others fail", "system(\"ln -s ...\") makes it once", false},
    {"renameat", "the first moves the file, and the others fail", "rename moves it once", false},
    {"unlinkat", "the first removes the file, and the others fail", "unlink removes it once", false},
};
enum { REPEATED = sizeof repeated / sizeof *repeated };

/* Whether flags of open may say anything but O_RDONLY, and what goes with reading. */
static bool may_write(node *n) {
    static const char reading[] = " O_RDONLY O_CLOEXEC O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_LARGEFILE O_NOCTTY O_PATH ";
    n = inside_parentheses(n);
    if (n->kind == N_BINARY && !strcmp(n->op, "|")) return may_write(n->child[0]) || may_write(n->child[1]);
    if (n->kind == N_NAME) return !is_listed(reading, n->name);
    int64_t value;
    return !constant_value(n, &value) || value != 0;
}

static void check_call(const program *p, const node *call) {
    const node *f = inside_parentheses(call->child[0]);
    if (f->kind != N_NAME || f->symbol) return;
    for (size_t k = 0; k < REPEATED; k++) {
        if (strcmp(f->name, repeated[k].name) != 0) continue;
        const size_t flags = !strcmp(f->name, "openat") ? 3 : 2;
        if (repeated[k].by_flags && (flags >= call->count || !may_write(call->child[flags]))) return;
        diagnose(p->source, call, D_repeated_call, f->name, repeated[k].effect);
        diagnose_help("%s", repeated[k].help);
        return;
    }
}

/* Not in extrinsic functions, which are there for that. */
static void check_under(const program *p, const node *n) {
    const symbol *f = n->kind == N_FUNCTION_DEFINITION ? function_symbol(n) : NULL;
    if (f && f->extrinsic) return;
    if (n->kind == N_CALL) check_call(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_under(p, n->child[c]);
}

void warn_of_repeated_calls(const program *p) {
    if (!p->serial) check_under(p, p->unit);
}
