/* Pass "resolve", unknown names: what neither the program nor a system header declares.  Where that is in doubt
 * (arguments of a header's macro, a declaration elsewhere) the C compiler has the word. */
#include <string.h>
#include <strings.h>

#include "../model/model.h"
#include "resolve.h"

/* ---- What the language and the C library have */

static const char *const array_intrinsics[] = {
#define INTRINSIC(name, call, reader, least, most, forms) #call,
#include "../model/intrinsics.def"
#undef INTRINSIC
};

/* NULLs: operations that are not called by a name of their own. */
static const char *const builtins[] = {
#define OPERATION(name, call, values, start, type, combination, openmp, update) call,
#include "../model/operations.def"
#undef OPERATION
#define INTRINSIC(name, call, reader, least, most, forms) #call,
#include "../model/intrinsics.def"
#undef INTRINSIC
#define FILE_CALL(name, call, least, most, position, stores, forms) #call,
#include "../model/files.def"
#undef FILE_CALL
    "dpc_wtime", "dpc_nprocs", "dpc_rank", "dpc_view_global", "dpc_view_descriptor", "abs",
};

/* What gives the name its declaration; NULL: not known.  A header that is included hides what is not ISO C from
 * -std=c11. */
static const char *declaring(const program *p, const char *name) {
    const char *known, *header = header_of(p->memory, name, &known);
    if (!header) return NULL;
    if (!p->headers || !header_knows(p->headers, known))
        return arena_format(p->memory, "#include <%s> declares it", header);
    return arena_format(p->memory, "<%s> declares it with -std=gnu11, or #define _GNU_SOURCE before all headers",
                        header);
}

/* ---- Suggestions */

typedef struct {
    const char *wanted, *best;
    size_t distance; /* candidates must be closer */
} search;

static search start_search(const char *name) {
    size_t length = strlen(name);
    return (search){.wanted = name, .distance = length <= 2 ? 1 : length <= 5 ? 2 : 3};
}

static void consider(search *s, const char *candidate) {
    if (!strcmp(candidate, s->wanted) || strlen(candidate) < 2) return;
    size_t distance = spelling_distance(s->wanted, candidate);
    if (distance >= s->distance) return;
    s->best = candidate;
    s->distance = distance;
}

symbol *closest_variable(symbol *visible, const char *name) {
    search s = start_search(name);
    symbol *best = NULL;
    for (symbol *v = visible; v; v = v->shadowed) {
        if (v->kind != SYMBOL_VARIABLE) continue;
        const char *before = s.best;
        consider(&s, v->name);
        if (s.best != before) best = v;
    }
    return best;
}

static const char *closest(const unbound *u, bool called) {
    search s = start_search(u->name->name);
    for (const symbol *v = u->visible; v; v = v->shadowed) {
        if (called && v->kind != SYMBOL_FUNCTION && v->kind != SYMBOL_VARIABLE) continue;
        consider(&s, v->name);
    }
    for (size_t k = 0; called && k < sizeof builtins / sizeof *builtins; k++)
        if (builtins[k]) consider(&s, builtins[k]);
    return s.best;
}

/* ---- Names that are no uses of variables, or may be anything */

static const node *call_of(const node *name) {
    const node *n = name;
    while (n->parent && n->parent->kind == N_PAREN) n = n->parent;
    return n->parent && n->parent->kind == N_CALL && n->parent->child[0] == n ? n->parent : NULL;
}

static bool is_label_address(const node *name) {
    return name->parent && name->parent->kind == N_UNARY && !strcmp(name->parent->op, "&&");
}

/* Macros of <math.h> whose arguments are values. */
static bool takes_values(const char *macro) {
    return is_listed(" isnan isinf isfinite isnormal signbit fpclassify isgreater isless isunordered ", macro);
}

static bool in_macro_argument(const program *p, const node *name) {
    for (const node *n = name; n->parent; n = n->parent) {
        if (n->parent->kind == N_COMPOUND || n->parent->kind == N_UNIT) return false;
        if (n->parent->kind != N_CALL || n->parent->child[0] == n) continue;
        const node *callee = n->parent->child[0];
        if (callee->kind == N_NAME && !callee->symbol && !takes_values(callee->name) &&
            header_has_macro(p->headers, callee->name))
            return true;
    }
    return false;
}

static bool is_builtin(const char *name) {
    for (size_t k = 0; k < sizeof builtins / sizeof *builtins; k++)
        if (builtins[k] && !strcmp(name, builtins[k])) return true;
    return false;
}

static bool is_array_intrinsic(const char *name) {
    for (size_t k = 0; k < sizeof array_intrinsics / sizeof *array_intrinsics; k++)
        if (!strcmp(name, array_intrinsics[k])) return true;
    return false;
}

/* Declared at file scope after its use, or in another block as a function or extern: no C, but not an unknown name
 * either. */
static bool is_declared_elsewhere(const program *p, const char *name) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        const symbol *s = p->symbols[k];
        if ((s->file_scope || s->is_extern || s->kind == SYMBOL_FUNCTION) && !strcmp(s->name, name)) return true;
    }
    return false;
}

/* ---- Reporting */

static bool may_be_known(const program *p, const unbound *u) {
    const node *n = u->name;
    const char *name = n->name;
    if (!strncmp(name, "__", 2) || is_label_address(n) || (n->parent && n->parent->kind == N_FUNCTION)) return true;
    if (p->source->tokens[n->first].in_directive && !strcasecmp(name, "auto")) return true;
    if (call_of(n) && is_builtin(name)) return true;
    return in_macro_argument(p, n) || is_declared_elsewhere(p, name) || header_knows(p->headers, name);
}

/* The reduction that a name of one word means where it is called with a section; NULL: none. */
static const char *reduction_meant(const unbound *u) {
    static const char *const meant[][2] = {{"max", "maxval"},
                                           {"min", "minval"},
                                           {"argmax", "maxloc"},
                                           {"argmin", "minloc"},
                                           {"prod", "product"},
                                           {"dot", "dot_product"},
                                           {"inner_product", "dot_product"},
                                           {"prefix_sum", "sum_prefix"},
                                           {"cumsum", "sum_prefix"},
                                           {"scan", "sum_prefix"},
                                           {"suffix_sum", "sum_suffix"},
                                           {"cumprod", "product_prefix"},
                                           {"roll", "cshift"}};
    const node *call = call_of(u->name);
    if (!call || !(first_section((node *)call) || (call->count > 1 && call->child[1]->kind == N_RANGE))) return NULL;
    for (size_t k = 0; k < sizeof meant / sizeof *meant; k++)
        if (!strcmp(u->name->name, meant[k][0])) return meant[k][1];
    return NULL;
}

/* What stands in C, or here, for a name of another language; NULL: nothing. */
static const char *other_language(const char *name) {
    static const char *const words[][2] = {
        {"min", "of two numbers: fmin(x, y), or x < y ? x : y; of an array: minval(A[:])"},
        {"max", "of two numbers: fmax(x, y), or x > y ? x : y; of an array: maxval(A[:])"},
        {"MIN", "of two numbers: fmin(x, y), or x < y ? x : y; of an array: minval(A[:])"},
        {"MAX", "of two numbers: fmax(x, y), or x > y ? x : y; of an array: maxval(A[:])"},
        {"reduce", "reductions are sum, product, minval, maxval, any, all, count and the like: sum(A[:])"},
        {"size", "extents are the program's own variables and constants"},
        {"shape", "extents are the program's own variables and constants"},
        {"omp_get_wtime", "dpc_wtime() gives seconds"},
        {"MPI_Wtime", "dpc_wtime() gives seconds; #include <mpi.h> declares MPI_Wtime"},
        {"num_images", "dpc_nprocs() gives the number of processes"},
        {"upc_forall", "forall (i = lower:upper) statement"},
        {"MYTHREAD", "a program has one thread of control: dpc_rank() is for 'independent' loops"},
        {"THREADS", "dpc_nprocs() gives the number of processes"},
        {"xmp_node_num", "a program has one thread of control: dpc_rank() is for 'independent' loops"},
        {"xmp_num_nodes", "dpc_nprocs() gives the number of processes"},
        {"__sec_reduce_add", "sum(A[lower:upper]), with an inclusive upper bound"},
        {"__sec_reduce_max", "maxval(A[lower:upper]), with an inclusive upper bound"},
        {"__sec_reduce_min", "minval(A[lower:upper]), with an inclusive upper bound"},
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(name, words[k][0])) return words[k][1];
    return NULL;
}

/* Whether a name stands in a node of that kind. */
static bool is_in(const node *name, node_kind kind) {
    const node *n = name->parent;
    while (n && n->kind != kind && n->kind != N_COMPOUND) n = n->parent;
    return n && n->kind == kind;
}

/* What declares a name that is like no other. */
static const char *declaration_for(const node *name) {
    if (is_in(name, N_PARAMETER)) return "a parameter stands before those that need it: f(int n, double X[n])";
    if (is_in(name, N_INDEX))
        return "indices are declared where they get their values: forall (i = lower:upper), or for (int i = 0; ...)";
    return "a declaration stands before the use";
}

static void report_unknown(const program *p, const unbound *u) {
    const char *name = u->name->name, *declared_by = declaring(p, name);
    bool called = call_of(u->name) != NULL;
    diagnose(p->source, u->name, D_unknown_name, name);
    const char *near = closest(u, called);
    if (!near && !declared_by && called) near = closest_library_name(p->memory, name, start_search(name).distance);
    if (reduction_meant(u)) near = reduction_meant(u);
    const char *elsewhere = reduction_meant(u) ? NULL : other_language(name);
    if (elsewhere)
        diagnose_help("%s", elsewhere);
    else if (near && !declared_by)
        diagnose_help("did you mean '%s'?", near);
    else if (declared_by)
        diagnose_help("%s", declared_by);
    else if (is_builtin(name))
        diagnose_help("'%s' is a function: %s(...)", name, name);
    else
        diagnose_help("%s", declaration_for(u->name));
}

/* Whether names[k] needs no word: reported in this function before, or used as what may declare it. */
static bool needs_no_word(const program *p, const unbound *names, size_t count, size_t k) {
    for (size_t j = 0; j < count; j++) {
        if (j == k || strcmp(names[j].name->name, names[k].name->name) != 0) continue;
        const node *n = names[j].name;
        if ((n->parent && n->parent->kind == N_FUNCTION) || in_macro_argument(p, n)) return true;
        if (j < k && names[j].function == names[k].function) return true;
    }
    return false;
}

void check_unknown(const program *p, const unbound *names, size_t count) {
    size_t left = 0;
    unbound *doubtful = arena_alloc(p->memory, (count + 1) * sizeof *doubtful);
    for (size_t k = 0; k < count; k++) /* the others are known, whoever uses them */
        if (!header_knows_directly(p->headers, names[k].name->name)) doubtful[left++] = names[k];
    for (size_t k = 0; k < left; k++)
        if (!needs_no_word(p, doubtful, left, k) && !may_be_known(p, &doubtful[k])) report_unknown(p, &doubtful[k]);
}

/* ---- Intrinsics without sections */

/* An array intrinsic needs a section, unless it is a function of a header. */
static bool check_sections(const program *p, const node *call) {
    intrinsic kind;
    const char *name = call->child[0]->name;
    if (intrinsic_call(call, &kind) || header_knows(p->headers, name) || is_declared_elsewhere(p, name)) return false;
    diagnose(p->source, call, D_reduction_sections, name);
    if (call->count > 1 && call->child[1]->kind == N_NAME)
        diagnose_help("all of an array is %s[:]", call->child[1]->name);
    else
        diagnose_help("its argument is made of sections, as A[:], not of single elements");
    return true;
}

bool check_intrinsic(const program *p, const node *call) {
    const node *callee = call->child[0];
    const bool foreign = callee->kind == N_NAME && !callee->symbol;
    return foreign && is_array_intrinsic(callee->name) && check_sections(p, call);
}
