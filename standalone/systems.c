/* Headers of the system that the library's part includes behind the program: whether something in them is used there,
 * and which names of the program they declare, too.  The names are those of POSIX.1-2008, with what Linux adds of them
 * in the library's sources. */
#include <string.h>

#include "library.h"

/* With blanks around each; NAME* stands for all that begin so. */
static const struct {
    const char *header, *names;
} systems[] = {
    {"<dlfcn.h>", " dladdr dlclose dlerror dlopen dlsym RTLD_* Dl_info "},
    {"<emmintrin.h>", " _mm_* __m128* "},
    {"<errno.h>", " errno E* "},
    {"<fcntl.h>", " open openat creat fcntl flock posix_fadvise posix_fallocate O_* F_* FD_CLOEXEC AT_* S_* "},
    {"<signal.h>",
     " signal raise kill killpg psignal psiginfo sigaction sigaddset sigaltstack sigdelset sigemptyset sigfillset "
     "sighold sigignore "
     "siginterrupt sigismember sigpause sigpending sigprocmask sigqueue sigrelse sigset sigsuspend sigtimedwait "
     "sigwait sigwaitinfo "
     "sigval sigevent sigset_t siginfo_t stack_t sig_atomic_t pthread_kill pthread_sigmask SIG* SA_* SI_* "},
    {"<stdarg.h>", " va_list va_start va_end va_arg va_copy "},
    {"<stdatomic.h>", " atomic_* memory_order* ATOMIC_* "},
    {"<ctype.h>", " isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit "
                  "tolower toupper "},
    {"<float.h>", " FLT_* DBL_* LDBL_* DECIMAL_DIG "},
    {"<omp.h>", " omp_* "},
    {"<stdalign.h>", " alignas alignof "},
    {"<sys/mman.h>", " mmap munmap mprotect madvise mincore mlock mlockall munlock munlockall mremap msync "
                     "posix_madvise shm_open shm_unlink "
                     "memfd_create MAP_* PROT_* MADV_* MS_* MFD_* "},
    {"<sys/stat.h>", " stat fstat lstat fstatat chmod fchmod fchmodat mkdir mkdirat mkfifo mkfifoat mknod mknodat "
                     "umask utimensat futimens S_* "},
    {"<sys/statvfs.h>", " statvfs fstatvfs ST_* "},
    {"<unistd.h>", " access alarm brk chdir chown chroot close confstr crypt daemon dup dup2 dup3 encrypt execl execle "
                   "execlp execv execve execvp "
                   "_exit faccessat fchdir fchown fdatasync fexecve fork fpathconf fsync ftruncate getcwd "
                   "getdomainname getegid getentropy "
                   "geteuid getgid getgroups gethostid gethostname getlogin getlogin_r getopt getpagesize getpass "
                   "getpgid getpgrp getpid getppid "
                   "getsid getuid getusershell isatty lchown link linkat lockf lseek nice optarg opterr optind optopt "
                   "pathconf pause pipe pipe2 "
                   "pread pwrite read readlink readlinkat rmdir sbrk setegid seteuid setgid sethostname setpgid "
                   "setpgrp setregid setreuid setsid "
                   "setuid sleep swab symlink symlinkat sync syncfs syscall sysconf tcgetpgrp tcsetpgrp truncate "
                   "ttyname ttyname_r ualarm unlink "
                   "unlinkat usleep vfork vhangup write STD*_FILENO STDIN_FILENO STDOUT_FILENO STDERR_FILENO _SC_* "
                   "SEEK_* R_OK W_OK X_OK F_OK "
                   "environ ssize_t "},
};

static const char *names_of(const char *header) {
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++)
        if (!strcmp(systems[k].header, header)) return systems[k].names;
    return NULL;
}

static bool declares(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *p = names + strspn(names, " "); *p; p += strspn(p, " ")) {
        const size_t word = strcspn(p, " ");
        if (p[word - 1] == '*' ? !strncmp(p, name, word - 1) : word == length && !strncmp(p, name, word)) return true;
        p += word;
    }
    return false;
}

bool needs_system(const module *m, const char *header) {
    const char *names = names_of(header);
    bool any = false;
    for (size_t k = 0; k < m->count; k++) {
        const item *i = m->item[k];
        if (!i->needed) continue;
        any = any || !names;
        for (size_t n = 0; names && n < i->use_count; n++)
            if (declares(names, i->uses[n])) return true;
    }
    return any;
}

/* ---- The program's names at file scope */

static size_t behind_blank(const pp_list *list, size_t at) {
    while (at < list->count && pp_is_blank(&list->items[at])) at++;
    return at;
}

static bool is_at(const pp_list *list, size_t at, const char *spelling) {
    return at < list->count && pp_is(&list->items[at], spelling);
}

static size_t behind_parentheses(const pp_list *list, size_t at) {
    int depth = 0;
    do {
        depth += is_at(list, at, "(");
        depth -= is_at(list, at, ")");
    } while (++at < list->count && depth > 0);
    return at;
}

/* Whether the name at `at`, outside of brackets, is that of what is defined there: f(..) {, x =, x[, x;, x,, struct x
 * {. */
static bool is_defined_at(const pp_list *list, size_t at) {
    const size_t next = behind_blank(list, at + 1);
    if (is_at(list, next, "(")) return is_at(list, behind_blank(list, behind_parentheses(list, next)), "{");
    static const char *const ends[] = {"=", "[", ";", ",", "{"};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (is_at(list, next, ends[k])) return true;
    return false;
}

static size_t behind_line(const pp_list *list, size_t at) {
    while (at < list->count && list->items[at].kind != PP_NEWLINE) at++;
    return at;
}

const char *system_with_name(const item_list *list, const char *name) {
    for (size_t k = 0; k < list->count; k++) {
        const module *m = list->item[k]->module;
        for (size_t n = 0; list->item[k]->needed && n < m->system_count; n++) {
            const char *names = names_of(m->systems[n]);
            if (names && declares(names, name) && needs_system(m, m->systems[n])) return m->systems[n];
        }
    }
    return NULL;
}

void for_defined_names(arena *a, const char *program, void (*act)(void *, const char *), void *context) {
    const pp_list list = pp_cut(a, program, strlen(program), (position){"program", 1, 1, 0});
    int depth = 0;
    bool line = true; /* nothing but blanks stands before on the line */
    for (size_t k = 0; k < list.count; k++) {
        const pp_token *t = &list.items[k];
        if (line && pp_is(t, "#")) k = behind_line(&list, k);
        if (k == list.count) return;
        t = &list.items[k];
        line = t->kind == PP_NEWLINE || (line && pp_is_blank(t));
        depth += pp_is(t, "(") || pp_is(t, "{") || pp_is(t, "[");
        depth -= pp_is(t, ")") || pp_is(t, "}") || pp_is(t, "]");
        if (depth == 0 && t->kind == PP_NAME && is_defined_at(&list, k))
            act(context, arena_text(a, t->text, t->length));
    }
}
