/* Pass "resolve": extrinsic functions, C that each process runs on its own part of the arrays that it gets views of. */
#include <string.h>

#include "../model/model.h"
#include "resolve.h"

/* ---- Which functions they are */

static void note_extrinsic(program *p, const char *name) {
    const symbol_list *declarations = declarations_of(p, name);
    for (size_t k = 0; declarations && k < declarations->count; k++) declarations->symbol[k]->extrinsic = true;
}

/* The functions that a declaration declares; returns how many. */
static int note_declared(program *p, const node *n) {
    int functions = 0;
    const size_t end = n->kind == N_DECLARATION ? n->count : 2;
    for (size_t c = 1; c < end; c++) {
        const node *name = declared_name(n->child[c]->kind == N_INIT_DECLARATOR ? n->child[c]->child[0] : n->child[c]);
        if (!name || !name->symbol || name->symbol->kind != SYMBOL_FUNCTION) continue;
        note_extrinsic(p, name->symbol->name);
        functions++;
    }
    return functions;
}

static void find_in(program *p, const node *block) {
    for (size_t c = 0; c < block->count; c++) {
        const node *n = block->child[c], *next = c + 1 < block->count ? block->child[c + 1] : NULL;
        if (!n) continue;
        if (n->kind != N_EXTRINSIC) {
            find_in(p, n);
            continue;
        }
        const bool declares = next && (next->kind == N_DECLARATION || next->kind == N_FUNCTION_DEFINITION);
        if (!declares || note_declared(p, next) == 0) diagnose(p->source, n, D_extrinsic_place);
    }
}

void find_extrinsics(program *p) {
    find_in(p, p->unit);
}

/* ---- Their calls and bodies */

/* Whether parameter number k, counted from 0, is a pointer to a view. */
static bool takes_view(const symbol *f, size_t k) {
    const node *n = f->declarator;
    while (n && n->kind != N_FUNCTION) n = n->parent;
    if (!n || k + 1 >= n->count || n->child[k + 1]->kind != N_PARAMETER) return false;
    const node *specifiers = n->child[k + 1]->child[0];
    for (size_t c = 0; c < specifiers->count; c++)
        if (specifiers->child[c]->name && !strcmp(specifiers->child[c]->name, "dpc_view")) return true;
    return false;
}

static void check_call(const program *p, const node *call) {
    const symbol *f = called_function(call);
    for (size_t c = 1; f && f->extrinsic && c < call->count; c++) {
        array *a = viewed_array(call, c);
        if (!a) continue;
        a->origin->watched = true;
        if (takes_view(f, c - 1)) continue;
        diagnose(p->source, call->child[c], D_extrinsic_parameter, (int)c, f->name, a->symbol->name);
        diagnose_note(p->source, f->declarator, "'%s' is declared here", f->name);
    }
}

static void check_in(const program *p, const node *n, const symbol *extrinsic) {
    if (n->kind == N_FUNCTION_DEFINITION) {
        const symbol *f = function_symbol(n);
        extrinsic = f && f->extrinsic ? f : NULL;
    }
    if (n->kind == N_CALL) check_call(p, n);
    if (extrinsic && n->kind == N_NAME && n->symbol && n->symbol->array)
        diagnose(p->source, n, D_extrinsic_uses, extrinsic->name, n->name);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_in(p, n->child[c], extrinsic);
}

void check_extrinsics(const program *p) {
    check_in(p, p->unit, NULL);
}
