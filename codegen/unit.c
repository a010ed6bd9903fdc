/* A whole translation unit: start and end of the program, what goes before it, and everything in between. */
#include <string.h>

#include "../analysis/model/model.h"
#include "emitter.h"

static node *main_function(const emitter *e) {
    for (size_t c = 0; c < e->p->unit->count; c++) {
        node *n = e->p->unit->child[c];
        if (n->kind != N_FUNCTION_DEFINITION) continue;
        const node *name = declared_name(n->child[1]);
        if (name && !strcmp(name->name, "main")) return n;
    }
    return NULL;
}

static const char *joined(const emitter *e, const char *x, const char *y) {
    return x ? arena_format(e->memory, "%s%s", x, y) : y;
}

/* ---- main */

static void rewrite_returns(emitter *e, node *n) {
    if (n->kind == N_STATEMENT_EXPRESSION || n->kind == N_FUNCTION_DEFINITION) return;
    if (n->kind == N_RETURN) {
        const node *value = n->count ? n->child[0] : NULL;
        const char *pattern = value && value->kind == N_COMMA ? "return dpc_finish((%s));" : "return dpc_finish(%s);";
        replace(e, n, arena_format(e->memory, pattern, value ? emit_node(e, value) : "0"));
        return;
    }
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) rewrite_returns(e, n->child[c]);
}

/* creation: the lines that make the arrays of file scope. */
static void rewrite_main(emitter *e, node *n, const char *creation) {
    node *body = n->child[2];
    rewrite_returns(e, body);
    const size_t length = strlen(creation);
    const char *start =
        arena_format(e->memory, "%s\n    dpc_init(%d);%s%s%.*s", e->p->check_all ? "\n    dpc_check_all();" : "",
                     e->options->np, e->options->openmp ? "\n    dpc_use_threads();" : "", length ? "\n" : "",
                     length ? (int)length - 1 : 0, creation);
    const size_t at = start_of_block(e, body);
    edit *opening = edit_of(e, at), *closing = edit_of(e, body->last);
    opening->after = joined(e, start, opening->after ? opening->after : "");
    node *last = body->count ? body->child[body->count - 1] : NULL;
    if (!last || last->kind != N_RETURN) closing->before = joined(e, closing->before, "\n    return dpc_finish(0);");
}

/* ---- Extrinsic functions, in which this process acts by itself */

static void mark_extrinsics(emitter *e) {
    for (size_t c = 0; c < e->p->unit->count; c++) {
        node *n = e->p->unit->child[c];
        const symbol *f = n->kind == N_FUNCTION_DEFINITION ? function_symbol(n) : NULL;
        if (!f || !f->extrinsic) continue;
        edit *opening = edit_of(e, start_of_block(e, n->child[2]));
        opening->after = joined(e, "\n    DPC_EXTRINSIC;", opening->after ? opening->after : "");
    }
}

/* ---- Creation of file-scope arrays */

static bool makes_arrays(const node *n) {
    return n->kind == N_DISTRIBUTE || n->kind == N_PROCESSORS || n->kind == N_ALIGN;
}

static node *last_creation(const emitter *e) {
    node *last = NULL;
    for (size_t c = 0; c < e->p->unit->count; c++)
        if (makes_arrays(e->p->unit->child[c])) last = e->p->unit->child[c];
    return last;
}

/* More calls than these stand in a function of their own, and are not what main begins with. */
enum { MOST_CALLS_IN_MAIN = 8 };

/* Whether a parameter of main has a name that the lines mean something else by. */
static bool hides_names(const emitter *e, const node *program_main, const char *lines) {
    const symbol_list *symbols = symbols_of(e->p, program_main->child[2]);
    for (size_t k = 0; k < symbols->count; k++)
        if (symbols->symbol[k]->is_parameter && mentions_word(lines, symbols->symbol[k]->name)) return true;
    return false;
}

/* Whether main begins with the lines that make the arrays. */
static bool stands_in_main(const emitter *e, const node *program_main, const node *last, const char *lines) {
    size_t calls = 0;
    for (const char *line = lines; (line = strchr(line, '\n')); line++) calls++;
    return program_main && program_main->first > last->first && calls <= MOST_CALLS_IN_MAIN &&
           !hides_names(e, program_main, lines);
}

/* A function that makes the arrays, behind the last file-scope directive; a unit without main has it called by
 * dpc_init. */
static void place_creation(emitter *e, const node *program_main, const node *last, const char *lines) {
    const char *registered =
        program_main
            ? ""
            : "\n__attribute__((constructor)) static void \1register_arrays(void) { dpc_at_start(\1create_arrays); }\n";
    const char *function =
        arena_format(e->memory, "\n\nstatic void \1create_arrays(void) {\n%s}\n%s", lines, registered);
    edit *behind = edit_of(e, last->last);
    behind->after = joined(e, behind->after, function);
    if (program_main && program_main->first < last->first) {
        edit *before = edit_of(e, program_main->first);
        before->before = joined(e, before->before, "\nstatic void \1create_arrays(void);\n");
    }
}

/* Makes the arrays of file scope; what main does for that, each in a line of its own. */
static const char *create_arrays(emitter *e, const node *program_main) {
    const node *last = last_creation(e);
    const char *lines = last ? create_arrays_text(e, NULL) : "";
    const bool in_main = *lines && stands_in_main(e, program_main, last, lines);
    for (size_t c = 0; c < e->p->unit->count; c++)
        if (e->p->unit->child[c]->kind == N_PROCESSORS)
            declare_grids(e, e->p->unit->child[c], in_main ? program_main : NULL);
    if (in_main) return create_arrays_text(e, program_main);
    if (*lines) place_creation(e, program_main, last, lines);
    return *lines ? "    \1create_arrays();\n" : "";
}

/* ---- Places for values that stay */

static const char *stay_words(const emitter *e, const reused_values *k) {
    const reference *r = k->reference;
    const char *where = place_of(e->p, k->statement->node);
    if (r->combined.inspected) return arena_format(e->memory, "as %s looks for it, until its subscripts change", where);
    return arena_format(e->memory, "as %s brings it, until %s changes", where, r->array->symbol->name);
}

/* Whether own elements are copied, as the statement assigns the array. */
static bool copies_own(const reused_values *k) {
    const parallel *s = k->statement;
    return k->reference->combined.localised && s->kind == PARALLEL_ASSIGNMENT && s->left.array &&
           may_be_same(k->reference->array, s->left.array);
}

/* Those of the function that the first one belongs to stand before it.  How many these are. */
static size_t place_reused(emitter *e, const reused_values *first, size_t count) {
    const size_t at = first->function->first;
    text lines;
    size_t n = 0;
    text_start(&lines, e->memory);
    for (const reused_values *k = first; n < count && k->function == first->function; n++, k++)
        text_format(&lines, "%sstatic dpc_reused %s%s; /* %s, %s */%s", at == 0 ? "" : "\n", k->name,
                    copies_own(k) ? " = {.stored = true}" : "", quote(e, k->reference->node), stay_words(e, k),
                    at == 0 ? "\n" : "");
    const char **place = at == 0 ? &edit_of(e, at)->lead : &edit_of(e, at)->before;
    *place = joined(e, *place, text_of(&lines));
    return n;
}

/* ---- The top of the output */

static bool has_chosen_blocks(const program *p) {
    for (size_t k = 0; k < p->array_count; k++)
        for (int d = 0; d < p->arrays[k]->rank; d++)
            if (p->arrays[k]->chosen[d]) return true;
    return false;
}

/* What was computed from constants that keep their names, and cannot say so where it stands; "": nothing was. */
static const char *computed_words(emitter *e) {
    const source *s = e->p->source;
    const bool tables = e->p->np > 0, blocks = has_chosen_blocks(e->p);
    text names;
    text_start(&names, e->memory);
    for (size_t k = 0; k < s->uses; k++)
        if (!mentions_word(text_of(&names), s->use[k].name))
            text_format(&names, "%s%s", names.length ? ", " : "", s->use[k].name);
    if (e->serial || names.length == 0 || !(tables || blocks)) return "";
    return arena_format(e->memory, " %s computed from %s.",
                        tables && blocks ? "Tables, ghost cells, ways to move and the blocks that were chosen are"
                        : tables         ? "Tables, ghost cells and ways to move are"
                                         : "The blocks that were chosen are",
                        text_of(&names));
}

/* What someone needs to know who changes the text by hand; what was translated stands in DPC_SOURCE. */
static const char *head_words(emitter *e) {
    static const char rules[] =
        "to compile it: dpcc FILE.c. All processes execute it together, on their parts: docs/by-hand.md";
    const char *computed = computed_words(e);
    if (e->serial) return arena_format(e->memory, " from %s, serial meaning.", e->p->source->path);
    return arena_format(e->memory, *computed ? ".%s\n * %s%s" : ";%s %s%s", computed, *computed ? "To" : "to",
                        rules + strlen("to"));
}

static const char *with_head(emitter *e, const char *includes) {
    const char *path = e->p->source->path;
    const char *defined = e->serial ? "" : arena_format(e->memory, "#define DPC_SOURCE \"%s\"\n", escaped(e, path));
    e->head = arena_format(e->memory, "\n\n/* Translated by dpcc%s */\n%s%s", head_words(e), defined, includes);
    edit_of(e, 0)->before = NULL;
    return emit_all(e);
}

/* A file-scope name of the program's own. */
static bool is_own(const program *p, const char *name) {
    for (size_t k = 0; k < p->symbol_count; k++)
        if (p->symbols[k]->file_scope && !strcmp(p->symbols[k]->name, name)) return true;
    return false;
}

/* Names that dpc.h, or a header that it includes, gives a meaning, and the translated text does not use. Those of
 * functions that have vector versions cannot be hidden: their declarations take names apart. */
static const char library_names[] =
    "fopen freopen remove rename unlink rmdir mkdir system time clock timespec_get getpid getppid clock_gettime "
    "gettimeofday gethostname y0 y1 yn y0f "
    "y1f ynf y0l y1l ynl j0 j1 jn j0f j1f jnf j0l j1l jnl gamma gammaf gammal lgamma tgamma signgam "
    "scalb scalbn logb ilogb significand drem remainder nearbyint rint "
    "fdim fma nan pow10 trunc round lround random srandom initstate setstate rand_r "
    "drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48 a64l l64a ecvt fcvt gcvt "
    "qecvt qfcvt qgcvt mktemp mkstemp mkdtemp getsubopt rpmatch clearenv putenv setenv unsetenv "
    "realpath grantpt unlockpt ptsname getloadavg reallocarray valloc div ldiv lldiv bsearch mblen "
    "wctomb getw putw popen pclose tempnam tmpnam tmpfile ctermid cuserid flockfile funlockfile fileno "
    "fdopen perror dprintf vdprintf getline getdelim renameat ungetc rewind dysize stime "
    "timezone daylight tzname tzset timegm timelocal difftime mktime gmtime localtime asctime ctime "
    "strftime index rindex bcopy bzero bcmp ffs strsep strdup strndup select pselect isnan isinf finite "
    "uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t ptrdiff_t "
    "stpcpy stpncpy fmemopen open_memstream asprintf vasprintf memccpy mempcpy memmem memrchr strcasestr strsignal "
    "strverscmp basename rawmemchr strchrnul strtok_r strcasecmp strncasecmp caddr_t clockid_t dev_t timer_t u_char "
    "u_short u_int u_long uint ulong ushort quad_t uid_t gid_t ino_t mode_t nlink_t loff_t key_t id_t daddr_t fsid_t "
    "suseconds_t blksize_t blkcnt_t register_t div_t ldiv_t lldiv_t imaxabs imaxdiv ";

/* Names of C's library that a program may use for what is its own where it does not include their header (C11, 7.1.3).
 */
static const char standard_names[] =
    "ceil floor fmod fmin fmax sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 "
    "log log10 log1p log2 pow sqrt cbrt hypot erf erfc sincos modf frexp ldexp copysign nextafter nexttoward lrint "
    "llrint llround atoi atol atoll atof strtol strtod strtoul strtoll rand srand qsort getenv strcpy strcat strncpy "
    "strncat strtok strpbrk strcoll strxfrm strerror memset memmove memcmp sprintf snprintf sscanf fgets fread fwrite "
    "ferror feof putc abort atexit calloc exit free malloc realloc ";

/* Functions of the system that libdpc calls, or that headers declare where processes are simulated: the program's own
 * have other names, as linkers would give libdpc these. */
static const char called_names[] =
    " access alarm asprintf bind clock clock_gettime close dup2 fcntl fdopen fileno fopen freopen fstat fsync "
    "gethostname "
    "getpid getppid gettimeofday lseek madvise mkdir mmap munmap open open_memstream pause pread pwrite read readlink "
    "realpath remove rename rewind rmdir signal sleep socket stat stpcpy strtok_r sysconf system time timespec_get "
    "tmpfile unlink usleep vasprintf write ";

/* Others, which an MPI's libraries call: these must not find the program's own of such a name. */
static const char system_names[] =
    "accept chdir chmod closedir connect creat daemon dlclose dlerror dlopen dlsym dup "
    "epoll_ctl epoll_wait error execve execvp fork ftruncate getopt getopt_long getuid hcreate "
    "hsearch insque ioctl kill lfind link listen lsearch lstat mprotect msync nanosleep "
    "opendir pipe poll raise readdir readv recv recvfrom recvmsg regcomp regexec "
    "remque sbrk sched_yield send sendmsg sendto setsid shutdown sigaction sigprocmask "
    "symlink sync syscall tfind tdelete tsearch twalk umask uname utime wait wait3 waitpid "
    "writev ";

/* Names of the program's own, wherever they are declared, that are macros behind dpc.h. */
static void end_macros(const emitter *e, text *out) {
    const source *s = e->p->source;
    hash_table met = {0};
    for (size_t k = 0; k < s->count; k++) {
        const char *name = s->tokens[k].text;
        if (!is_library_macro(name) || header_has_macro(e->p->headers, name) || names_at(&met, name)) continue;
        names_put(e->memory, &met, name, name);
        text_format(out, "#undef %s\n", name);
    }
}

/* The next name in a list that is the program's own; NULL: none. */
static const char *next_own(const emitter *e, const char **at) {
    while (**at) {
        const char *name = arena_text(e->memory, *at, strcspn(*at, " "));
        *at += strlen(name) + 1;
        if (is_own(e->p, name)) return name;
    }
    return NULL;
}

/* What stands in front of headers, and behind them: names of the program's own are not what C's library declares where
 * the program does not include that itself. */
static const char *hidden_names(const emitter *e) {
    text out;
    text_start(&out, e->memory);
    for (const char *at = library_names, *name; (name = next_own(e, &at));)
        if (!header_knows_directly(e->p->headers, name))
            text_format(&out, "#undef %s\n#define %s dpc_hidden_%s\n", name, name, name);
    return text_of(&out);
}

static const char *shown_names(const emitter *e) {
    text out;
    text_start(&out, e->memory);
    for (const char *at = library_names, *name; (name = next_own(e, &at));) text_format(&out, "#undef %s\n", name);
    return text_of(&out);
}

/* Whether the program only says that there is such a function: it is the library's. */
static bool is_only_declared(const program *p, const char *name) {
    for (size_t k = 0; k < p->symbol_count; k++)
        if (p->symbols[k]->file_scope && p->symbols[k]->kind == SYMBOL_FUNCTION && !strcmp(p->symbols[k]->name, name))
            return !defined_function(p, name);
    return false;
}

/* Behind all that uses the library's functions of these names: the program's have others. */
static const char *own_names(const emitter *e) {
    text out;
    text_start(&out, e->memory);
    const char *const lists[] = {standard_names, called_names};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const char *at = lists[k], *name; (name = next_own(e, &at));) {
            if (header_knows_directly(e->p->headers, name) || is_only_declared(e->p, name)) continue;
            text_format(&out, "#undef %s\n#define %s %s /* C's library has another one */\n", name, name,
                        unique_name(e->p, arena_format(e->memory, "own_%s", name)));
        }
    return text_of(&out);
}

/* At the end of the text: the program's functions that other libraries must not find. */
static const char *unseen_functions(const emitter *e) {
    const char *const lists[] = {library_names, system_names};
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const char *at = lists[k], *name; (name = next_own(e, &at));) {
            const symbol *s = defined_function(e->p, name);
            if (s && !s->is_static && !is_listed(called_names, name))
                text_format(&out,
                            "\n__attribute__((visibility(\"hidden\"))) extern __typeof__(%s) %s; /* the system has "
                            "another one */",
                            name, name);
        }
    return text_of(&out);
}

static const char *library_include(const emitter *e) {
    text out;
    text_start(&out, e->memory);
    text_format(&out, "%s#include <dpc.h>\n%s%s", hidden_names(e), shown_names(e), own_names(e));
    end_macros(e, &out);
    text_format(&out, "%s%s", exact_declarations(e), extreme_declarations(e));
    return text_of(&out);
}

const char *emit_spmd(arena *a, program *p, const emit_options *options) {
    emitter e;
    emitter_start(&e, a, p, options, false);
    e.compares_later = p->check_all && knows_all_calls(p);
    e.walk = walk_of_program();
    rewrite(&e, p->unit);
    node *program_main = main_function(&e);
    const char *creation = create_arrays(&e, program_main);
    if (program_main) rewrite_main(&e, program_main, creation);
    mark_extrinsics(&e);
    for (size_t k = 0; k < p->reused_count;) k += place_reused(&e, &p->reused[k], p->reused_count - k);
    if (p->check_all && p->unit->count > 0) {
        edit *last = edit_of(&e, p->unit->child[p->unit->count - 1]->last);
        last->after = joined(&e, last->after, register_memory_text(&e));
    }
    if (p->unit->count > 0) {
        edit *last = edit_of(&e, p->unit->child[p->unit->count - 1]->last);
        last->after = joined(&e, last->after, unseen_functions(&e));
    }
    return with_head(&e, library_include(&e));
}

/* ---- The serial program's helpers */

static const char heap_helper[] = "\n"
                                  "#include <stdlib.h>\n"
                                  "#define DPC_AUTOMATIC __attribute__((cleanup(dpc_release_heap)))\n"
                                  "static inline void dpc_release_heap(void *pointer) { free(*(void **)pointer); }\n"
                                  "static inline void *dpc_heap(long count, size_t size) {\n"
                                  "    void *memory = calloc(count > 0 ? (size_t)count : 1, size ? size : 1);\n"
                                  "    if (!memory) abort();\n"
                                  "    return memory;\n"
                                  "}\n";

static const char extent_helper[] =
    "\n"
    "#include <limits.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "static inline long dpc_extent(const char *where, long lower, long upper, long stride) {\n"
    "    if (stride == 0) {\n"
    "        fprintf(stderr, \"%s: error: the stride is zero\\n\", where);\n"
    "        exit(1);\n"
    "    }\n"
    "    if (stride > 0 ? lower > upper : lower < upper) return 0;\n"
    "    unsigned long span = stride > 0 ? (unsigned long)upper - lower : (unsigned long)lower - upper;\n"
    "    unsigned long last = span / (stride > 0 ? (unsigned long)stride : -(unsigned long)stride);\n"
    "    return last < LONG_MAX ? (long)last + 1 : LONG_MAX;\n"
    "}\n";

/* Sections as arguments: dim has lower bound and extent of the array, lower, upper and stride of the section. */
static const char section_helper[] =
    "#include <string.h>\n"
    "#define DPC_SECTION __attribute__((cleanup(dpc_end_section)))\n"
    "typedef struct {\n"
    "    char *array, *memory;\n"
    "    size_t size;\n"
    "    int rank;\n"
    "    long dim[15][5], count[15];\n"
    "} dpc_section;\n"
    "static inline char *dpc_move_section(const dpc_section *s, int k, char *array, char *memory, int back) {\n"
    "    if (k == s->rank) {\n"
    "        memcpy(back ? array : memory, back ? memory : array, s->size);\n"
    "        return memory + s->size;\n"
    "    }\n"
    "    long row = (long)s->size;\n"
    "    for (int d = k + 1; d < s->rank; d++) row *= s->dim[d][1];\n"
    "    for (long n = 0; n < s->count[k]; n++)\n"
    "        memory = dpc_move_section(s, k + 1, array + (s->dim[k][2] + n * s->dim[k][4] - s->dim[k][0]) * row, "
    "memory, back);\n"
    "    return memory;\n"
    "}\n"
    "static inline void dpc_end_section(dpc_section *s) {\n"
    "    dpc_move_section(s, 0, s->array, s->memory, 1);\n"
    "    free(s->memory);\n"
    "}\n"
    "static inline dpc_section dpc_copy_section(const char *where, char *array, size_t size, int rank, const long "
    "dim[][5]) {\n"
    "    dpc_section s = {.array = array, .size = size, .rank = rank};\n"
    "    size_t elements = 1;\n"
    "    memcpy(s.dim, dim, (size_t)rank * sizeof *dim);\n"
    "    for (int k = 0; k < rank; k++) {\n"
    "        s.count[k] = dpc_extent(where, dim[k][2], dim[k][3], dim[k][4]);\n"
    "        elements *= (size_t)s.count[k];\n"
    "    }\n"
    "    s.memory = calloc(elements + 1, size);\n"
    "    if (!s.memory) abort();\n"
    "    dpc_move_section(&s, 0, array, s.memory, 0);\n"
    "    return s;\n"
    "}\n";

static const char conform_helper[] = "static inline void dpc_conform(const char *where, long l1, long u1, long s1, "
                                     "const char *left, long l2, long u2, long s2, "
                                     "const char *right) {\n"
                                     "    long x = dpc_extent(where, l1, u1, s1), y = dpc_extent(where, l2, u2, s2);\n"
                                     "    if (x == y) return;\n"
                                     "    fprintf(stderr, \"%s: error: sections do not conform: %ld elements in '%s', "
                                     "%ld in '%s'\\n\", where, x, left, y, right);\n"
                                     "    exit(1);\n"
                                     "}\n";

static const char cycled_helper[] = "static inline long dpc_cycled(long index, long extent) {\n"
                                    "    if (index >= 0 && index < extent) return index;\n"
                                    "    return extent > 0 ? (index % extent + extent) % extent : 0;\n"
                                    "}\n"
                                    "static inline long dpc_clamped(long shift, long extent) {\n"
                                    "    return shift > extent ? extent : shift < -extent ? -extent : shift;\n"
                                    "}\n";

static const char view_helper[] =
    "#include <stddef.h>\n"
    "#ifdef SMPI_H /* a simulated process begins with main */\n"
    "static inline MPI_Comm dpc_view_comm(void) {\n"
    "    int started = 0;\n"
    "    MPI_Initialized(&started);\n"
    "    if (!started) MPI_Init(NULL, NULL);\n"
    "    return MPI_COMM_SELF;\n"
    "}\n"
    "#define DPC_VIEW_COMM dpc_view_comm()\n"
    "#elif defined MPI_VERSION\n"
    "#define DPC_VIEW_COMM MPI_COMM_SELF\n"
    "static void dpc_end_mpi(void) {\n"
    "    MPI_Finalize();\n"
    "}\n"
    "__attribute__((constructor)) static void dpc_start_mpi(void) {\n"
    "    int atexit(void (*)(void));\n"
    "    MPI_Init(NULL, NULL);\n"
    "    atexit(dpc_end_mpi);\n"
    "}\n"
    "#else\n"
    "#define DPC_VIEW_COMM 0\n"
    "#endif\n"
    "typedef struct {\n"
    "    void *data;\n"
    "    int rank;\n"
    "    size_t size;\n"
    "    long extent[15], stride[15];\n"
    "#ifdef MPI_VERSION\n"
    "    MPI_Comm comm;\n"
    "#else\n"
    "    int comm;\n"
    "#endif\n"
    "    long lower[15];\n"
    "} dpc_view;\n"
    "static inline long dpc_view_global(const dpc_view *view, int dim, long k) {\n"
    "    return view->lower[dim] + k;\n"
    "}\n"
    "static inline int dpc_view_descriptor(const dpc_view *view, int context, int *descriptor) {\n"
    "    return (void)view, (void)context, (void)descriptor, 0;\n"
    "}\n";

static const char builtin_helpers[] = "#define dpc_wtime() (clock() / (double)CLOCKS_PER_SEC)\n"
                                      "#define dpc_nprocs() 1\n"
                                      "#define dpc_rank() 0\n";

static bool mentions(const program *p, const char *name) {
    for (size_t t = 0; t < p->source->count; t++)
        if (!strcmp(p->source->tokens[t].text, name)) return true;
    return false;
}

/* Headers of what the text computes with: limits of types, and the arithmetic of --reproducible. */
static const char limits_headers[] = "#include <limits.h>\n#include <math.h>\n";
static const char exact_headers[] = "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n"
                                    "#include <stdlib.h>\n#include <string.h>\n";

static const char *serial_helpers(emitter *e) {
    text out;
    text_start(&out, e->memory);
    if (e->p->array_count > 0 && !main_function(e))
        text_add(&out,
                 "__attribute__((weak)) int dpc_serial_object = 1; /* programs of several processes refuse it */\n");
    const char *hidden = hidden_names(e);
    if (*hidden && (e->uses_limits || e->uses_exact))
        text_format(&out, "%s%s%s%s", hidden, e->uses_limits ? limits_headers : "", e->uses_exact ? exact_headers : "",
                    shown_names(e));
    if (e->uses_limits) text_add(&out, limits_headers);
    if (e->uses_exact) text_add(&out, exact_header(e));
    if (e->p->shifts) text_add(&out, cycled_helper);
    if (e->uses_heap) text_add(&out, heap_helper);
    if (e->uses_extent || e->uses_conform) text_add(&out, extent_helper);
    if (e->uses_conform) text_add(&out, conform_helper);
    if (e->uses_sections) text_add(&out, section_helper);
    if (e->uses_files) text_add(&out, file_helpers(e));
    if (mentions(e->p, "dpc_view")) text_add(&out, view_helper);
    if (mentions(e->p, "dpc_wtime")) text_add(&out, "#include <time.h>\n");
    if (mentions(e->p, "dpc_wtime") || mentions(e->p, "dpc_nprocs") || mentions(e->p, "dpc_rank"))
        text_add(&out, builtin_helpers);
    text_add(&out, own_names(e));
    return text_of(&out);
}

const char *emit_serial(arena *a, program *p, const emit_options *options) {
    emitter e;
    emitter_start(&e, a, p, options, true);
    e.walk = walk_of_program();
    rewrite(&e, p->unit);
    return with_head(&e, serial_helpers(&e));
}
