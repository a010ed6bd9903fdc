/* Pass "resolve": calls that write or read files of arrays (npy_save and its like). */
#include <string.h>

#include "../model/model.h"
#include "resolve.h"

static void explain_forms(const file_facts *f) {
    diagnose_help("write %s", f->forms);
}

static bool check_count(const program *p, const node *call, const file_facts *f) {
    bool good = call->count - 1 >= f->least && call->count - 1 <= f->most;
    if (f->kind == FILE_CALL_PGM_SAVE && call->count - 1 == 3) good = false;
    for (size_t c = 1; c < call->count; c++)
        good = good && call->child[c]->kind != N_RANGE && call->child[c]->kind != N_TYPE_NAME;
    if (good) return true;
    diagnose(p->source, call, D_intrinsic_arguments, f->name);
    explain_forms(f);
    return false;
}

/* How many dimensions of the array the file has; false: it is none that has any. */
static bool find_rank(const program *p, const array *a, node *n, int *rank) {
    node *name, *subscripts[MAX_RANK];
    int count = 0;
    *rank = a->rank;
    if (n->kind != N_INDEX) return true;
    *rank = 0;
    index_chain(n, &name, subscripts, &count);
    for (int d = 0; d < count; d++) {
        if (first_section(subscripts[d])) diagnose(p->source, subscripts[d], D_section_place);
        *rank += subscripts[d]->kind == N_TRIPLET;
    }
    return *rank > 0;
}

/* What the formats have no type for. */
static const char *missing_type(const file_facts *f, element e) {
    if (element_is_record(e)) return "structures";
    if (e == ELEMENT_INT128 || e == ELEMENT_UNSIGNED_INT128) return "integers of 128 bits";
    if (f->kind == FILE_CALL_PGM_SAVE && element_is_complex(e)) return "complex numbers";
    return NULL;
}

static bool check_array(const program *p, node *call, const file_facts *f) {
    node *n = inside_parentheses(call->child[f->position]);
    array *a = filed_array(call, f->position);
    int rank;
    if (!a || !find_rank(p, a, n, &rank)) {
        diagnose(p->source, n, D_file_array, ast_quote(p->memory, p->source, n), f->name);
        explain_forms(f);
        return false;
    }
    const char *missing = missing_type(f, a->element);
    if (missing) {
        diagnose(p->source, n, D_file_element, f->name, a->symbol->name, missing);
        diagnose_note(p->source, a->symbol->declarator, "'%s' is declared here", a->symbol->name);
        return false;
    }
    if (f->kind != FILE_CALL_PGM_SAVE || rank == 2) return true;
    diagnose(p->source, n, D_picture_rank, ast_quote(p->memory, p->source, n), rank);
    return false;
}

/* Names are strings, other arguments numbers. */
static bool check_type(const program *p, const node *call, size_t c, const file_facts *f) {
    const node *n = call->child[c];
    const type *t = n->type;
    if (!t || t->kind == TYPE_UNKNOWN || t->kind == TYPE_FOREIGN) return true;
    const bool is_name = c < f->position, number = t->kind == TYPE_ARITHMETIC;
    if (is_name ? !number && t->kind != TYPE_RECORD : number && !element_is_complex(t->element)) return true;
    diagnose(p->source, n, D_file_argument, (int)c, f->name,
             !is_name ? "a real number"
             : c == 1 ? "the name of a file"
                      : "the name of a dataset");
    explain_forms(f);
    return false;
}

bool check_file_call(const program *p, node *call) {
    const file_facts *f = file_call(call);
    if (!f) return true;
    if (is_value_used(call)) {
        diagnose(p->source, call, D_file_value, f->name);
        return false;
    }
    if (!check_count(p, call, f) || !check_array(p, call, f)) return false;
    for (size_t c = 1; c < call->count; c++)
        if (c != f->position && !check_type(p, call, c, f)) return false;
    return true;
}
