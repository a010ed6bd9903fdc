/* Functions, their distributed parameters, and the arguments of calls. */
#include <string.h>

#include "model.h"

/* The FUNCTION declarator of a function. */
static const node *function_declarator(const symbol *f) {
    const node *n = f->declarator;
    while (n && n->kind != N_FUNCTION && n->kind != N_DECLARATION && n->kind != N_FUNCTION_DEFINITION) n = n->parent;
    return n && n->kind == N_FUNCTION ? n : NULL;
}

size_t parameter_count(const symbol *f) {
    const node *function = function_declarator(f);
    return function && function->count > 0 ? function->count - 1 : 0;
}

/* The symbol of parameter number k, counted from 0; NULL: it has none. */
symbol *parameter_of(const symbol *f, size_t k) {
    const node *function = function_declarator(f);
    const node *parameter = function && k + 1 < function->count ? function->child[k + 1] : NULL;
    const node *name = parameter && parameter->kind == N_PARAMETER ? declared_name(parameter->child[1]) : NULL;
    return name ? name->symbol : NULL;
}

symbol *called_function(const node *call) {
    const node *f = call->kind == N_CALL ? inside_parentheses(call->child[0]) : NULL;
    return f && f->kind == N_NAME && f->symbol && f->symbol->kind == SYMBOL_FUNCTION ? f->symbol : NULL;
}

array *parameter_array(const node *call, size_t c) {
    const symbol *f = c > 0 ? called_function(call) : NULL;
    const symbol *x = f ? parameter_of(f, c - 1) : NULL;
    return x ? x->array : NULL;
}

bool is_distributed_argument(const node *n) {
    const node *call = n->parent;
    for (; call && call->kind == N_PAREN; call = call->parent) n = call;
    for (size_t c = 1; call && call->kind == N_CALL && c < call->count; c++)
        if (call->child[c] == n) return takes_array(call, c);
    return false;
}

array *viewed_array(const node *call, size_t c) {
    const symbol *f = c > 0 ? called_function(call) : NULL;
    const node *name = f && f->extrinsic ? inside_parentheses(call->child[c]) : NULL;
    return name && name->kind == N_NAME && name->symbol ? name->symbol->array : NULL;
}

bool is_viewed(const node *n) {
    const node *call = n->parent;
    for (; call && call->kind == N_PAREN; call = call->parent) n = call;
    for (size_t c = 1; call && call->kind == N_CALL && c < call->count; c++)
        if (call->child[c] == n) return viewed_array(call, c) != NULL;
    return false;
}

bool takes_distributed(const symbol *f) {
    for (size_t k = 0; k < parameter_count(f); k++)
        if (parameter_of(f, k) && parameter_of(f, k)->array) return true;
    return false;
}

array *argument_array(const node *call, size_t c, bool *section) {
    node *name = inside_parentheses(call->child[c]), *subscripts[MAX_RANK];
    int count = 0;
    *section = name->kind == N_INDEX;
    if (*section && !index_chain(name, &name, subscripts, &count)) return NULL;
    return name->kind == N_NAME && name->symbol ? name->symbol->array : NULL;
}

/* ---- Arrays that go to a file, or to a parameter */

array *filed_array(const node *call, size_t c) {
    bool section;
    const file_facts *f = file_call(call);
    return f && c == f->position ? argument_array(call, c, &section) : NULL;
}

bool files_all(node *argument) {
    node *n = inside_parentheses(argument), *name, *subscripts[MAX_RANK];
    int count = 0;
    if (n->kind != N_INDEX || !index_chain(n, &name, subscripts, &count)) return true;
    for (int d = 0; d < count; d++)
        for (size_t c = 0; c < 3; c++)
            if (subscripts[d]->kind != N_TRIPLET || subscripts[d]->child[c]) return false;
    return true;
}

bool takes_array(const node *call, size_t c) {
    return parameter_array(call, c) != NULL || filed_array(call, c) != NULL;
}

/* ---- What calls may change */

bool declares_const(const node *specifiers) {
    if (specifiers_have(specifiers, "const")) return true;
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        const symbol *t = s->kind == N_TYPEDEF_REFERENCE ? s->symbol : NULL;
        if (t && t->declaration && declares_const(t->declaration->child[0])) return true;
    }
    return false;
}

array *defined_parameter(const program *p, const node *call, size_t c) {
    const symbol *f = parameter_array(call, c) ? called_function(call) : NULL;
    const symbol *g = f ? defined_function(p, f->name) : NULL;
    const symbol *x = g ? parameter_of(g, c - 1) : NULL;
    return x ? x->array : NULL;
}

bool argument_may_change(const program *p, const node *call, size_t c) {
    const array *x = parameter_array(call, c);
    if (filed_array(call, c)) return file_call(call)->stores;
    if (!x) return viewed_array(call, c) != NULL;
    const array *defined = defined_parameter(p, call, c);
    return defined ? defined->assigned : !declares_const(x->symbol->declaration->child[0]);
}

/* ---- What the program calls */

/* Headers of the standards. */
static bool is_standard_header(const char *name, size_t length) {
    static const char *const header[] = {
        "assert.h",   "complex.h",  "ctype.h",     "errno.h",    "fenv.h",      "float.h",  "getopt.h",
        "inttypes.h", "iso646.h",   "limits.h",    "locale.h",   "math.h",      "omp.h",    "setjmp.h",
        "signal.h",   "stdalign.h", "stdatomic.h", "stdarg.h",   "stdbool.h",   "stddef.h", "stdint.h",
        "stdio.h",    "stdlib.h",   "string.h",    "strings.h",  "tgmath.h",    "time.h",   "uchar.h",
        "wchar.h",    "wctype.h",   "sys/stat.h",  "sys/time.h", "sys/types.h", "unistd.h", "stdnoreturn.h"};
    for (size_t k = 0; k < sizeof header / sizeof *header; k++)
        if (strlen(header[k]) == length && !strncmp(header[k], name, length)) return true;
    return false;
}

static bool has_other_header(const char *blank) {
    static const char directive[] = "#include <";
    for (const char *at = blank; (at = strstr(at, directive)) != NULL;) {
        at += sizeof directive - 1;
        if (!is_standard_header(at, strcspn(at, ">"))) return true;
    }
    return false;
}

bool knows_all_calls(const program *p) {
    if (!defined_function(p, "main")) return false;
    for (token_index t = 0; t < p->source->count; t++)
        if (has_other_header(p->source->tokens[t].before)) return false;
    for (size_t k = 0; k < p->symbol_count; k++)
        if (p->symbols[k]->kind == SYMBOL_FUNCTION && p->symbols[k]->calls_unknown) return false;
    return true;
}
