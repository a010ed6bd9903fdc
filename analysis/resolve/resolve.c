/* Pass "resolve": binds names to symbols, builds types, reads the directives. */
#include "resolve.h"

#include <string.h>
#include <strings.h>

#include "../model/types.h"
#include "visible.h"

typedef struct {
    program *p;
    visible_symbols visible;
    node *scope;
    symbol *function; /* whose body we are in */
    unbound *unknown; /* names without a visible declaration */
    size_t unknown_count, unknown_capacity;
    node **on; /* clauses of independent loops that wait for the loops inside */
    size_t ons, on_capacity;
} binder;

static void bind(binder *b, node *n);

static void bind_children(binder *b, node *n, size_t from) {
    for (size_t c = from; c < n->count; c++)
        if (n->child[c]) bind(b, n->child[c]);
}

/* ---- Scopes */

static symbol *lookup(const binder *b, const char *name) {
    return visible_symbol(&b->visible, name);
}

static void note_definition(program *p, symbol *s) {
    const bool defines = s->declaration && s->declaration->kind == N_FUNCTION_DEFINITION;
    if (s->kind == SYMBOL_FUNCTION && defines && !defined_function(p, s->name))
        names_put(p->memory, &p->functions, s->name, s);
}

static const char *kind_of_name(const symbol *s) {
    const bool is_array = s->type && s->type->kind == TYPE_ARRAY;
    return s->kind == SYMBOL_FUNCTION     ? "a function"
           : s->kind == SYMBOL_TYPEDEF    ? "a type"
           : s->kind == SYMBOL_ENUMERATOR ? "an enumerator"
           : s->kind != SYMBOL_VARIABLE   ? NULL
           : is_array                     ? "an array"
                                          : "a variable";
}

/* Whether the scope has given the name to something else: one of them stays visible, or all uses would be errors, too.
 */
static bool is_something_else(const binder *b, const symbol *s) {
    const symbol *before = lookup(b, s->name);
    if (!before || before->scope != s->scope || before->kind == s->kind) return false;
    if (!kind_of_name(s) || !kind_of_name(before)) return false;
    diagnose(b->p->source, s->declarator, D_another_kind, s->name, kind_of_name(s), kind_of_name(before));
    diagnose_note(b->p->source, before->declarator, "'%s' is declared here", s->name);
    return true;
}

static symbol *declare_symbol(binder *b, symbol_kind kind, node *declarator, type *t, node *declaration) {
    symbol *s = arena_alloc(b->p->memory, sizeof *s);
    *s = (symbol){
        .kind = kind, .name = declarator->name, .type = t, .declarator = declarator, .declaration = declaration};
    s->scope = b->scope;
    s->file_scope = b->scope->kind == N_UNIT;
    s->shadowed = b->visible.innermost;
    if (!is_something_else(b, s) || (t && t->kind == TYPE_ARRAY)) show_symbol(&b->visible, s);
    declarator->symbol = s;
    note_symbol(b->p, s);
    note_definition(b->p, s);
    return s;
}

static void bind_in_scope(binder *b, node *n, size_t from) {
    const visibility before = visible_here(&b->visible);
    node *scope = b->scope;
    b->scope = n;
    bind_children(b, n, from);
    return_to(&b->visible, before);
    b->scope = scope;
}

/* ---- Declarations */

/* Parameters of the function that is being defined belong to its body and stay visible; others end with their
 * declarator. */
static void bind_parameters(binder *b, node *function, bool defined) {
    if (defined)
        bind_children(b, function, 1);
    else
        bind_in_scope(b, function, 1);
}

/* The function that a definition's declarator declares: the one next to the name. */
static const node *own_function(const node *d) {
    const node *function = NULL;
    for (; d && d->kind != N_DECL_NAME; d = d->count ? d->child[0] : NULL)
        if (d->kind == N_FUNCTION) function = d;
    return function;
}

/* Array bounds and parameters inside a declarator; `defines` for that of a function definition. */
static void bind_declarator(binder *b, node *d, bool defines) {
    const node *own = defines ? own_function(d) : NULL;
    for (; d && d->kind != N_DECL_NAME; d = d->count ? d->child[0] : NULL) {
        if (d->kind == N_FUNCTION)
            bind_parameters(b, d, d == own);
        else if (d->kind == N_ARRAY)
            bind_children(b, d, 1);
    }
}

/* What __auto_type stands for. */
static type *type_of_initialiser(binder *b, node *init) {
    type_expressions(b->p->memory, init);
    if (!init->type) return foreign_type(b->p->memory, init);
    return init->type->kind == TYPE_ARRAY ? new_type(b->p->memory, TYPE_POINTER, init->type->of) : init->type;
}

/* Arrays of file scope are one symbol, whether a declaration says extern or defines them; false: this is the first one,
 * or none of these. */
static bool declare_again(binder *b, node *name, node *declaration, type *t, node *init) {
    symbol *s = lookup(b, name->name);
    const bool external = specifiers_have(declaration->child[0], "extern");
    if (!s || b->scope->kind != N_UNIT || s->kind != SYMBOL_VARIABLE || t->kind != TYPE_ARRAY ||
        s->type->kind != TYPE_ARRAY)
        return false;
    if (!s->type->array->child[2] || (!external && !s->is_shared)) return false;
    s->is_shared = true;
    s->is_extern = s->is_extern && external;
    name->symbol = s;
    if (init) bind(b, init);
    read_definition(b->p, s, t, name, init);
    return true;
}

static void bind_declared(binder *b, node *declaration, node *d, type *base, node *init) {
    node *name;
    bind_declarator(b, d, false);
    type *t = type_of_declarator(b->p->memory, d, base, &name);
    if (!name) return;
    node *specifiers = declaration->child[0];
    bool is_typedef = specifiers_have(specifiers, "typedef");
    if (!is_typedef && declare_again(b, name, declaration, t, init)) return;
    symbol *s = declare_symbol(b,
                               is_typedef                 ? SYMBOL_TYPEDEF
                               : t->kind == TYPE_FUNCTION ? SYMBOL_FUNCTION
                                                          : SYMBOL_VARIABLE,
                               name, t, declaration);
    s->is_static = specifiers_have(specifiers, "static");
    s->is_extern = specifiers_have(specifiers, "extern");
    s->is_shared = s->is_extern && s->file_scope;
    s->is_parameter = declaration->kind == N_PARAMETER;
    if (s->kind == SYMBOL_VARIABLE) name_lower_bounds(b->p, s);
    if (init) bind(b, init);
    if (init && specifiers_have(specifiers, "__auto_type")) s->type = type_of_initialiser(b, init);
}

/* Whether one of GNU's attributes that make another type of what its words say stands before a token of first to last.
 */
static bool has_changing_attribute(const source *s, size_t first, size_t last) {
    for (size_t t = first; t <= last; t++) {
        const char *attribute = strstr(s->tokens[t].before, "__attribute");
        if (attribute && (strstr(attribute, "mode") || strstr(attribute, "vector_size"))) return true;
    }
    return false;
}

/* The type that a declaration's specifiers name, with the attributes of all its declarators; kept for members. */
static type *declared_type(const binder *b, node *declaration) {
    node *specifiers = declaration->child[0];
    const size_t last =
        declaration->count > 1 && declaration->child[1] ? declaration->child[1]->first : specifiers->last;
    type *t = type_of_specifiers(b->p->memory, specifiers);
    if (t->kind != TYPE_ARITHMETIC || !has_changing_attribute(b->p->source, declaration->first, last)) return t;
    if (!specifiers->type) specifiers->type = foreign_type(b->p->memory, specifiers);
    return specifiers->type;
}

/* The same for one declarator, with the attributes that are its own. */
static type *type_below(const binder *b, const node *declaration, node *item, type *base) {
    size_t first, last;
    own_attributes(declaration, item, &first, &last);
    const bool changes = (base->kind == TYPE_ARITHMETIC || base->kind == TYPE_FOREIGN) &&
                         has_changing_attribute(b->p->source, first, last);
    if (!changes) return base;
    if (!item->type) item->type = foreign_type(b->p->memory, item);
    return item->type;
}

static void bind_declaration(binder *b, node *n) {
    bind(b, n->child[0]);
    type *base = declared_type(b, n);
    if (n->kind == N_PARAMETER) {
        if (n->count > 1 && n->child[1]) bind_declared(b, n, n->child[1], type_below(b, n, n->child[1], base), NULL);
        return;
    }
    for (size_t c = 1; c < n->count; c++) {
        node *item = n->child[c];
        if (item->kind == N_INIT_DECLARATOR)
            bind_declared(b, n, item->child[0], type_below(b, n, item, base), item->count > 1 ? item->child[1] : NULL);
        else
            bind(b, item);
    }
}

/* Members live in the structure's own name space: only what their types mention is bound.  Enumerators in them are the
 * surrounding scope's. */
static void bind_struct(binder *b, node *n) {
    for (size_t c = 0; c < n->count; c++) {
        node *member = n->child[c];
        bind(b, member->kind == N_DECLARATION ? member->child[0] : member);
        if (member->kind != N_DECLARATION) continue;
        type *base = declared_type(b, member);
        for (size_t d = 1; d < member->count; d++) {
            node *item = member->child[d];
            type_below(b, member, item, base);
            if (item->count && item->child[0]) bind_declarator(b, item->child[0], false);
            if (item->kind == N_BIT_FIELD) bind(b, item->child[1]);
        }
    }
}

/* int, where all enumerators fit; else the C compiler decides (gcc before 13 differs from gcc 13). */
static void type_enumerators(binder *b, const node *n) {
    bool fit = true;
    for (size_t c = 0; c < n->count; c++) {
        const symbol *s = n->child[c]->symbol;
        fit = fit && s->has_value && s->value >= INT32_MIN && s->value <= INT32_MAX;
    }
    for (size_t c = 0; c < n->count; c++) {
        node *e = n->child[c];
        e->symbol->type = fit ? type_of_element(ELEMENT_INT) : foreign_type(b->p->memory, e);
    }
}

static void bind_enum(binder *b, node *n) {
    int64_t next = 0;
    bool known = true;
    for (size_t c = 0; c < n->count; c++) {
        node *e = n->child[c];
        if (e->count && e->child[0]) {
            bind(b, e->child[0]);
            known = constant_value(e->child[0], &next);
        }
        symbol *s = declare_symbol(b, SYMBOL_ENUMERATOR, e, NULL, NULL);
        s->has_value = known;
        s->value = next;
        s->only_one = s->file_scope && is_declared_once(&b->visible, b->p->unit, e->name);
        known = known && next < INT64_MAX;
        if (known) next++;
    }
    type_enumerators(b, n);
}

static void bind_function(binder *b, node *n) {
    node *name;
    bind(b, n->child[0]);
    type *t = type_of_declarator(b->p->memory, n->child[1], type_of_specifiers(b->p->memory, n->child[0]), &name);
    if (!name) return;
    symbol *outer = b->function;
    b->function = declare_symbol(b, SYMBOL_FUNCTION, name, t, n);
    const visibility before = visible_here(&b->visible);
    node *scope = b->scope;
    b->scope = n->child[2];
    bind_declarator(b, n->child[1], true);
    size_t first = b->p->symbol_count;
    bind_children(b, n, 3);
    for (size_t k = first; k < b->p->symbol_count; k++) b->p->symbols[k]->is_parameter = true;
    bind_children(b, n->child[2], 0);
    return_to(&b->visible, before);
    b->scope = scope;
    b->function = outer;
}

/* ---- Directives */

/* What is wrong where a directive names something that is like nothing that is declared. */
static const char *help_for_name(const node *n) {
    static const char *const formats[] = {"block", "cyclic", "gen_block"};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (!strcasecmp(n->name, formats[k])) return "the array stands first: distribute A(block)";
    const node *above = n->kind == N_GRID_PART || n->kind == N_NAME ? n->parent : NULL;
    if (above && (above->kind == N_DISTRIBUTE || above->kind == N_REDISTRIBUTE) && above->child[1] == n)
        return "declare the processes before: #pragma dpc processors P(*)";
    return "a directive stands after the declarations that it names, in the same scope";
}

static symbol *named_in_directive(binder *b, node *n) {
    symbol *s = lookup(b, n->name);
    if (s) return s;
    diagnose(b->p->source, n, D_unknown_name, n->name);
    symbol *near = closest_variable(b->visible.innermost, n->name);
    if (near)
        diagnose_help("did you mean '%s'?", near->name);
    else
        diagnose_help("%s", help_for_name(n));
    return NULL;
}

/* --np: a grid at file scope is made in every run, one in a block perhaps never. */
static void refuse_fixed_processes(binder *b, const grid *g, int64_t processes) {
    if (b->p->np <= 0 || processes <= b->p->np || b->scope->kind != N_UNIT) return;
    diagnose(b->p->source, g->entity, D_grid_exceeds_np, g->entity->name, (long long)processes, b->p->np);
    diagnose_help("--np=%lld, or an arrangement of %d processes", (long long)processes, b->p->np);
}

static void bind_processors(binder *b, node *n) {
    for (size_t c = 0; c < n->count; c++) {
        node *e = n->child[c];
        grid *g = arena_alloc(b->p->memory, sizeof *g);
        g->directive = n;
        g->entity = e;
        int64_t size = 1;
        for (size_t d = 0; d < e->count && d < MAX_RANK; d++) {
            if (e->child[d]->kind == N_STAR) continue;
            bind(b, e->child[d]);
            g->extent[d] = e->child[d];
            if (!constant_value(e->child[d], &g->known[d])) continue;
            if (g->known[d] <= 0)
                diagnose(b->p->source, e->child[d], D_bad_grid_extent, (long long)g->known[d], e->name);
            else if (__builtin_mul_overflow(size, g->known[d], &size) || size >> DPC_PROCESS_BITS > 0)
                diagnose(b->p->source, e, D_grid_too_large, e->name, DPC_PROCESS_BITS);
        }
        g->rank = (int)(e->count < MAX_RANK ? e->count : MAX_RANK);
        refuse_fixed_processes(b, g, size);
        const symbol *before = lookup(b, e->name);
        if (before && before->kind == SYMBOL_GRID && before->scope == b->scope) {
            diagnose(b->p->source, e, D_grid_twice, e->name);
            diagnose_note(b->p->source, before->declaration, "the first declaration is here");
        }
        g->symbol = declare_symbol(b, SYMBOL_GRID, e, NULL, n);
        g->symbol->grid = g;
        g->variable = unique_name(b->p, e->name);
        vector_add(b->p->memory, b->p->grids, b->p->grid_count, b->p->grid_capacity, g);
    }
}

/* Formats are read later (mappings.c); here their argument expressions are bound. */
static void bind_formats(binder *b, node *list) {
    for (size_t c = 0; list && c < list->count; c++)
        if (list->child[c]->kind == N_CALL) bind_children(b, list->child[c], 1);
}

static void bind_coordinates(binder *b, node *part) {
    for (size_t c = 0; c < part->count; c++) bind(b, part->child[c]);
}

static bool is_mapping(const node *n) {
    return n->kind == N_DISTRIBUTE || n->kind == N_INHERIT || n->kind == N_ALIGN || n->kind == N_TEMPLATE;
}

/* The declaration that a directive stands behind, with other directives between them at most, or NULL. */
static const node *declaration_before(const node *directive) {
    const node *parent = directive->parent;
    size_t at = 0;
    if (parent && parent->kind == N_DECLARATION) return parent;
    while (parent && parent->child[at] != directive) at++;
    while (at > 0 && parent->child[at] && is_mapping(parent->child[at])) at--;
    return parent && parent->child[at] && parent->child[at]->kind == N_DECLARATION ? parent->child[at] : NULL;
}

/* Behind the prototype of a function, its parameters are visible, before all else. */
static void see_parameters(binder *b, const node *directive) {
    const node *declaration = is_mapping(directive) ? declaration_before(directive) : NULL;
    for (size_t c = 1; declaration && c < declaration->count; c++) {
        const node *item = declaration->child[c];
        const node *function = item->kind == N_INIT_DECLARATOR ? own_function(item->child[0]) : NULL;
        for (size_t k = 1; function && k < function->count; k++) {
            const node *name =
                function->child[k]->kind == N_PARAMETER ? declared_name(function->child[k]->child[1]) : NULL;
            if (name) show_symbol(&b->visible, name->symbol);
        }
    }
}

static void bind_distribute(binder *b, node *n) {
    const visibility before = visible_here(&b->visible);
    see_parameters(b, n);
    bind_formats(b, n->child[0]);
    if (n->child[1]) n->child[1]->symbol = named_in_directive(b, n->child[1]);
    if (n->child[1] && n->child[1]->kind == N_GRID_PART) bind_coordinates(b, n->child[1]);
    for (size_t c = 2; c < n->count; c++) {
        bind_formats(b, n->child[c]);
        n->child[c]->symbol = named_in_directive(b, n->child[c]);
    }
    return_to(&b->visible, before);
    if (n->child[1] && n->child[1]->symbol && n->child[1]->symbol->kind != SYMBOL_GRID)
        diagnose(b->p->source, n->child[1], D_not_a_grid, n->child[1]->name);
    else if (n->child[1] && n->child[1]->symbol && n->child[1]->kind == N_GRID_PART)
        read_part(b->p, n->child[1]);
    read_distribution(b->p, n, b->scope);
}

static void bind_inherit(binder *b, node *n) {
    const visibility before = visible_here(&b->visible);
    see_parameters(b, n);
    for (size_t c = 0; c < n->count; c++) n->child[c]->symbol = named_in_directive(b, n->child[c]);
    return_to(&b->visible, before);
    read_inheritance(b->p, n, b->scope);
}

static void bind_template(binder *b, node *n) {
    for (size_t c = 0; c < n->count; c++) {
        node *name;
        bind_declarator(b, n->child[c], false);
        type *t = type_of_declarator(b->p->memory, n->child[c], type_of_element(ELEMENT_CHAR), &name);
        if (!name) continue;
        symbol *s = declare_symbol(b, SYMBOL_TEMPLATE, name, t, n);
        if (t->kind == TYPE_ARRAY) name_lower_bounds(b->p, s);
        read_template(b->p, n, s);
    }
}

/* Index of the forall, reduction or directive `of`: its indices have different names. */
static void declare_index_symbol(binder *b, node *index, node *of) {
    const symbol *before = lookup(b, index->name);
    if (before && before->kind == SYMBOL_INDEX && before->declaration == of)
        diagnose(b->p->source, index, D_index_twice, index->name);
    declare_symbol(b, SYMBOL_INDEX, index, NULL, of);
}

/* The NAME that a chain of subscripts stands on. */
static node *base_of_chain(node *n) {
    while (n->kind == N_INDEX) n = n->child[0];
    return n;
}

/* The indices of what is aligned are declared by the directive, and visible in it only.  False, with an error:
 * something else stands there. */
static bool bind_align_indices(binder *b, node *chain, node *directive) {
    if (chain->kind != N_INDEX) return true;
    const bool good = bind_align_indices(b, chain->child[0], directive);
    node *n = chain->child[1];
    if (n->kind == N_STAR || (n->kind == N_TRIPLET && !n->child[0] && !n->child[1] && !n->child[2])) return good;
    if (n->kind == N_NAME) {
        declare_index_symbol(b, n, directive);
        return good;
    }
    diagnose(b->p->source, n, D_align_index, ast_quote(b->p->memory, b->p->source, n));
    diagnose_help("what is aligned has an index, ':' or '*' in each dimension: align A[i][*] with T[2*i+1]");
    return false;
}

static void bind_align(binder *b, node *n) {
    const visibility before = visible_here(&b->visible);
    node *names[] = {base_of_chain(n->child[0]), base_of_chain(n->child[1])};
    see_parameters(b, n);
    for (int k = 0; k < 2; k++) names[k]->symbol = named_in_directive(b, names[k]);
    const bool good = bind_align_indices(b, n->child[0], n);
    for (node *c = n->child[1]; good && c->kind == N_INDEX; c = c->child[0]) bind(b, c->child[1]);
    return_to(&b->visible, before);
    if (good && names[0]->symbol && names[1]->symbol) read_alignment(b->p, n, b->scope);
}

/* Directives that declare something stand between declarations. */
static void check_place(const program *p, const node *n) {
    if (n->kind == N_REDISTRIBUTE || n->kind == N_REALIGN || n->kind == N_INDEPENDENT) return;
    if (!n->parent || n->parent->kind == N_COMPOUND || n->parent->kind == N_UNIT) return;
    if (n->parent->kind == N_DECLARATION && is_mapping(n)) return;
    diagnose(p->source, n, D_syntax,
             "only executable directives can be the body of a statement or stand behind a label");
}

static void bind_directive(binder *b, node *n) {
    check_place(b->p, n);
    switch ((int)n->kind) {
    case N_PROCESSORS:
        bind_processors(b, n);
        break;
    case N_DISTRIBUTE:
    case N_REDISTRIBUTE:
        bind_distribute(b, n);
        break;
    case N_TEMPLATE:
        bind_template(b, n);
        break;
    case N_ALIGN:
    case N_REALIGN:
        bind_align(b, n);
        break;
    case N_INHERIT:
        bind_inherit(b, n);
        break;
    default: /* N_INDEPENDENT: bound with its loop, whose variable it may name */
        break;
    }
}

/* ---- Statements and expressions */

static void bind_forall(binder *b, node *n) {
    const visibility before = visible_here(&b->visible);
    node *scope = b->scope;
    b->scope = n;
    for (size_t c = 2; c < n->count; c++) {
        bind_children(b, n->child[c], 0);
        declare_index_symbol(b, n->child[c], n);
    }
    if (n->child[0]) bind(b, n->child[0]);
    bind(b, n->child[1]);
    return_to(&b->visible, before);
    b->scope = scope;
}

/* offsetof(type, member), the macro or the compiler's own: of the member `a.b[i]`, only i is a use of a name. */
static bool is_offsetof(const node *call) {
    const node *callee = call->child[0];
    return callee->kind == N_NAME && !callee->symbol && call->count == 3 && call->child[1]->kind == N_TYPE_NAME &&
           (!strcmp(callee->name, "offsetof") || !strcmp(callee->name, "__builtin_offsetof"));
}

static void bind_offset(binder *b, node *call) {
    bind(b, call->child[1]);
    for (node *n = call->child[2]; n->kind == N_MEMBER || n->kind == N_INDEX; n = n->child[0])
        if (n->kind == N_INDEX) bind(b, n->child[1]);
}

/* The function that an argument names, or NULL. */
static symbol *function_named(node *argument) {
    const node *n = inside_parentheses(argument);
    if (n->kind == N_UNARY && n->op[0] == '&') n = inside_parentheses(n->child[0]);
    return n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_FUNCTION ? n->symbol : NULL;
}

/* sum(i = l:u:s, ...): the ranges declare indices, visible to their right. */
static void bind_call(binder *b, node *n) {
    bind(b, n->child[0]);
    if (is_offsetof(n)) {
        bind_offset(b, n);
        return;
    }
    const visibility before = visible_here(&b->visible);
    node *scope = b->scope;
    for (size_t c = 1; c < n->count; c++) {
        node *argument = n->child[c];
        if (argument->kind != N_RANGE || argument->child[0]->kind != N_ASSIGN ||
            argument->child[0]->child[0]->kind != N_NAME) {
            bind(b, argument);
            continue;
        }
        node *assignment = argument->child[0];
        bind(b, assignment->child[1]);
        bind_children(b, argument, 1);
        b->scope = n;
        declare_index_symbol(b, assignment->child[0], n);
        b->scope = scope;
    }
    return_to(&b->visible, before);
    symbol *callee = n->child[0]->kind == N_NAME ? n->child[0]->symbol : NULL;
    symbol *f = b->function;
    bool foreign = n->child[0]->kind == N_NAME && !callee;
    if (f && !foreign && (!callee || callee->kind != SYMBOL_FUNCTION)) f->calls_unknown = true;
    if (f && callee) vector_add(b->p->memory, f->calls, f->call_count, f->call_capacity, callee);
    for (size_t c = 1; f && foreign && c < n->count; c++) { /* qsort(..., order) calls it */
        symbol *passed = function_named(n->child[c]);
        if (passed) vector_add(b->p->memory, f->calls, f->call_count, f->call_capacity, passed);
    }
}

static void bind_name(binder *b, node *n) {
    n->symbol = lookup(b, n->name);
    if (n->symbol || n->kind != N_NAME) return;
    vector_add(b->p->memory, b->unknown, b->unknown_count, b->unknown_capacity,
               ((unbound){n, b->visible.innermost, b->function}));
}

/* The clauses of its `independent` see the variables that the loop declares; on(...) those of the loops in it, too,
 * which stand in one another alone. */
static void bind_clauses(binder *b, const node *loop, const node *directive) {
    for (size_t k = 0; directive && k < directive->count; k++) {
        node *clause = directive->child[k];
        if (strcmp(clause->name, "on") != 0)
            bind_children(b, clause, 0);
        else
            vector_add(b->p->memory, b->on, b->ons, b->on_capacity, clause);
    }
    if (loop_in(loop)) return;
    for (size_t k = 0; k < b->ons; k++) bind_children(b, b->on[k], 0);
    b->ons = 0;
}

static void bind_for(binder *b, node *n) {
    const visibility before = visible_here(&b->visible);
    node *scope = b->scope;
    b->scope = n;
    for (size_t c = 0; c < n->count; c++) {
        if (n->child[c]) bind(b, n->child[c]);
        if (c == 0) bind_clauses(b, n, independent_directive(n));
    }
    return_to(&b->visible, before);
    b->scope = scope;
}

static void bind(binder *b, node *n) {
    switch ((int)n->kind) {
    case N_NAME:
    case N_TYPEDEF_REFERENCE:
        bind_name(b, n);
        break;
    case N_DECLARATION:
    case N_PARAMETER:
        bind_declaration(b, n);
        break;
    case N_TYPE_NAME:
        bind(b, n->child[0]);
        if (n->count > 1 && n->child[1]) bind_declarator(b, n->child[1], false);
        break;
    case N_STRUCT:
        bind_struct(b, n);
        break;
    case N_ENUM:
        bind_enum(b, n);
        break;
    case N_FUNCTION_DEFINITION:
        bind_function(b, n);
        break;
    case N_FOR:
        bind_for(b, n);
        break;
    case N_COMPOUND:
        bind_in_scope(b, n, 0);
        break;
    case N_FORALL:
        bind_forall(b, n);
        break;
    case N_CALL:
        bind_call(b, n);
        break;
    case N_PROCESSORS:
    case N_DISTRIBUTE:
    case N_REDISTRIBUTE:
    case N_TEMPLATE:
    case N_ALIGN:
    case N_REALIGN:
    case N_INHERIT:
    case N_EXTRINSIC:
    case N_INDEPENDENT:
        bind_directive(b, n);
        break;
    default:
        bind_children(b, n, 0);
        break;
    }
}

/* Spelling of constants, so that nothing later needs the tokens. */
static void name_constants(const source *s, node *n) {
    if (n->kind == N_CONSTANT || n->kind == N_STRING) n->name = s->tokens[n->first].text;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) name_constants(s, n->child[c]);
}

void resolve(program *p) {
    name_constants(p->source, p->unit);
    binder b = {.p = p, .visible.memory = p->memory, .scope = p->unit};
    bind_children(&b, p->unit, 0);
    find_extrinsics(p);
    type_expressions(p->memory, p->unit);
    settle_expressions(p);
    check_uses(p);
    finish_alignments(p, p->unit);
    settle_followers(p);
    name_parameter_bounds(p);
    rename_hiding_indices(p);
    check_parameters(p);
    check_extrinsics(p);
    warn_of_repeated_calls(p);
    find_extensible(p);
    check_unknown(p, b.unknown, b.unknown_count);
    warn_undistributed(p);
}
