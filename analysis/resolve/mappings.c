/* Pass "resolve", directives: distributed arrays and their mappings. */
#include <string.h>
#include <strings.h>

#include "../../runtime/distribution.h"
#include "../model/model.h"
#include "../model/types.h"
#include "resolve.h"

/* ---- Formats */

static bool is_call_of(const node *f, const char *word) {
    return f->kind == N_CALL && f->child[0]->kind == N_NAME && !strcasecmp(f->child[0]->name, word);
}

static bool is_word(const node *f, const char *word) {
    return f->kind == N_NAME && !strcasecmp(f->name, word);
}

static bool asks_to_choose(const node *f) {
    return is_word(f, "auto") || (is_call_of(f, "cyclic") && f->count == 2 && is_word(f->child[1], "auto"));
}

/* False, with an error, for what is no format. */
static bool check_format(const program *p, node *f) {
    if (f->kind == N_STAR || is_word(f, "block") || is_word(f, "cyclic")) return true;
    if (asks_to_choose(f)) return true;
    if ((is_call_of(f, "block") || is_call_of(f, "cyclic") || is_call_of(f, "gen_block")) && f->count == 2) return true;
    diagnose(p->source, f, D_unknown_format, ast_quote(p->memory, p->source, f));
    if (is_word(f, "gen_block") || is_call_of(f, "gen_block"))
        diagnose_help(
            "the sizes stand in an array of integers: int sizes[] = {3, 5}; ... distribute A(gen_block(sizes))");
    else
        diagnose_help("formats are *, block, block(m), cyclic, cyclic(b), cyclic(auto), auto and gen_block(v)");
    return false;
}

bool has_block_vector(const node *f) {
    return is_call_of(f, "gen_block");
}

static format format_of(program *p, node *f) {
    format result = {.node = f};
    if (f->kind == N_STAR) return result;
    if (has_block_vector(f)) {
        result.kind = FORMAT_GEN_BLOCK;
        result.sizes = f->child[1];
        return result;
    }
    result.kind = is_word(f, "block") || is_call_of(f, "block") ? FORMAT_BLOCK : FORMAT_CYCLIC;
    result.sized = f->kind == N_CALL || result.kind == FORMAT_CYCLIC;
    result.automatic = asks_to_choose(f);
    result.any_kind = is_word(f, "auto");
    result.block = f->kind == N_CALL && f->count > 1 && !result.automatic ? linear_of(p->memory, p->source, f->child[1])
                                                                          : linear_constant(1);
    return result;
}

static node *formats_node(node *directive, node *e) {
    return directive->child[0] ? directive->child[0] : e;
}

mapping redistribution_mapping(program *p, node *directive, node *e) {
    mapping m = {0};
    node *list = formats_node(directive, e);
    for (size_t d = 0; d < list->count && d < MAX_RANK; d++) m.format[d] = format_of(p, list->child[d]);
    m.grid = grid_of(p, directive->child[1]);
    const array *a = directive->kind == N_REDISTRIBUTE && e->symbol ? e->symbol->array : NULL;
    const array *view = a && has_automatic(a, &m) ? find_view(a, &m) : NULL;
    return view ? view->mapping : m;
}

/* ---- Checks of a mapping against its array */

static void check_block(program *p, const array *a, const mapping *m, int d) {
    const format *f = &m->format[d];
    int64_t block;
    if (f->sized && f->node) check_overflow(p, f->node->count > 1 ? f->node->child[1] : NULL);
    if (!f->sized || !linear_value(&f->block, &block)) return;
    if (block <= 0) {
        diagnose(p->source, f->node, D_bad_block_size, (long long)block, d + 1);
        return;
    }
    int64_t procs = m->grid ? m->grid->known[grid_dimension(m, d)] : grid_dimension(m, a->rank) == 1 ? p->np : 0;
    linear extent = linear_add(p->memory, linear_subtract(p->memory, a->upper[d], a->lower[d]), linear_constant(1));
    if (f->kind != FORMAT_BLOCK || procs <= 0 || !linear_is_constant(&extent)) return;
    int64_t room;
    if (__builtin_mul_overflow(block, procs, &room) || room >= extent.constant) return;
    diagnose(p->source, f->node, D_block_too_small, (long long)block, (long long)procs, (long long)room, d + 1,
             a->symbol->name, (long long)extent.constant);
    diagnose_help("use block without a size, or at least block(%lld)",
                  (long long)((extent.constant + procs - 1) / procs));
}

static bool check_mapping(program *p, node *directive, node *e, const array *a) {
    node *list = formats_node(directive, e);
    bool good = true;
    for (size_t d = 0; d < list->count; d++) good = check_format(p, list->child[d]) && good;
    if (!good) return false;
    if ((int)list->count != a->rank) {
        diagnose(p->source, e, D_rank_mismatch, (int)list->count, plural((int)list->count), a->symbol->name, a->rank,
                 plural(a->rank));
        diagnose_note(p->source, a->symbol->declarator, "'%s' is declared here", a->symbol->name);
        if (list->count == 0) diagnose_help("formats for several arrays stand first: distribute (block) :: A, B");
        return false;
    }
    mapping m = redistribution_mapping(p, directive, e);
    int distributed = grid_dimension(&m, a->rank);
    /* those of redistributions that are executed: pass "redistributions" */
    if (m.grid && directive->kind != N_REDISTRIBUTE) m.grid->used = true;
    if (m.grid && m.grid->rank != distributed) {
        diagnose(p->source, directive->child[1], D_grid_rank_mismatch, distributed, plural(distributed),
                 m.grid->symbol->name, m.grid->rank, plural(m.grid->rank));
        diagnose_help("the number of formats that are not '*' equals the rank of the processor arrangement");
        return false;
    }
    for (int d = 0; d < a->rank; d++) check_block(p, a, &m, d);
    return true;
}

/* ---- Directives */

/* Its arrays have what it says of their dimensions. */
static void distribute_template(program *p, node *directive, node *e, const node *scope) {
    array *t = e->symbol->array;
    if (!t) return;
    if (t->directive) {
        diagnose(p->source, e, D_already_distributed, e->name);
        diagnose_note(p->source, t->directive, "the first directive is here");
    } else if (e->symbol->scope != scope) {
        diagnose(p->source, e, D_unknown_name, e->name);
        diagnose_help("the directive stands in the scope of the declaration");
    } else if (check_mapping(p, directive, e, t)) {
        t->mapping = redistribution_mapping(p, directive, e);
        t->directive = directive;
        note_array(p, t);
        begin_views(p, t);
    }
}

/* The header and the file that defines an array may both have its directive. */
static void check_again(program *p, node *directive, node *e) {
    const array *a = e->symbol->array;
    if (!check_mapping(p, directive, e, a)) return;
    const mapping m = redistribution_mapping(p, directive, e);
    if (!a->alignment && m.grid == a->mapping.grid && same_formats(a, &m, &a->mapping)) return;
    diagnose(p->source, e, D_declarations_differ, e->name);
    diagnose_note(p->source, a->directive, "the first directive is here");
}

static void distribute(program *p, node *directive, node *e, const node *scope) {
    if (e->symbol->kind == SYMBOL_TEMPLATE) {
        distribute_template(p, directive, e, scope);
        return;
    }
    if (e->symbol->is_shared && e->symbol->array) {
        check_again(p, directive, e);
        return;
    }
    array *a = new_array(p, directive, e, scope);
    if (!a || !check_mapping(p, directive, e, a) || !check_initializer(p, a)) return;
    a->mapping = redistribution_mapping(p, directive, e);
    add_array(p, a);
}

/* Any mapping may reach the function: what is said of formats here is not used for anything. */
static void note_inherited(program *p, node *directive, node *e, const node *scope) {
    if (!e->symbol->is_parameter) {
        diagnose(p->source, e, D_inherits_nothing, e->name);
        diagnose_help("#pragma dpc distribute %s(...) gives it a mapping", e->name);
        return;
    }
    array *a = new_array(p, directive, e, scope);
    if (!a) return;
    for (int d = 0; d < a->rank; d++) a->mapping.format[d].kind = FORMAT_BLOCK;
    a->inherits = a->dynamic = true;
    add_array(p, a);
}

static void redistribute(program *p, node *directive, node *e) {
    symbol *s = e->symbol;
    if (s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_TEMPLATE) {
        diagnose(p->source, e, D_not_an_array, s->name);
    } else if (!s->array || !s->array->directive) {
        diagnose(p->source, e, s->type && s->type->kind == TYPE_ARRAY ? D_not_distributed : D_not_an_array, s->name);
        diagnose_help("distribute it first: #pragma dpc distribute %s(...)", s->name);
    } else if (s->array->alignment) {
        const array *end = end_of_chain(s->array);
        diagnose(p->source, e, D_aligned_redistributed, s->name, end->symbol->name);
        diagnose_note(p->source, s->array->directive, "'%s' is aligned here", s->name);
        diagnose_help("redistribute '%s', and '%s' moves along", end->symbol->name, s->name);
    } else if (check_mapping(p, directive, e, s->array)) {
        s->array->redistributed = true;
    }
}

void read_distribution(program *p, node *directive, node *scope) {
    bool executable = directive->kind == N_REDISTRIBUTE;
    if (executable && scope->kind == N_UNIT) {
        diagnose(p->source, directive, D_executable_directive, "redistribute");
        diagnose_help("use distribute for the first mapping of an array");
        return;
    }
    for (size_t c = 2; c < directive->count; c++) {
        node *e = directive->child[c];
        if (!e->symbol) continue;
        if (executable)
            redistribute(p, directive, e);
        else
            distribute(p, directive, e, scope);
    }
}

void read_inheritance(program *p, node *directive, node *scope) {
    for (size_t c = 0; c < directive->count; c++)
        if (directive->child[c]->symbol) note_inherited(p, directive, directive->child[c], scope);
}
