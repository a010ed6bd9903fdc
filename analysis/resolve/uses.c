/* Pass "resolve", uses: a distributed array stands only where the language allows it. */
#include <string.h>
#include <strings.h>

#include "../model/model.h"
#include "resolve.h"

/* ---- References */

/* The INDEX chain that a NAME is the base of, up through parentheses between subscripts; the NAME itself if none. */
static node *top_of_chain(node *name, int *count) {
    node *top = name;
    *count = 0;
    for (node *n = name; n->parent; n = n->parent) {
        if (n->parent->kind == N_INDEX && n->parent->child[0] == n) {
            top = n->parent;
            ++*count;
        } else if (n->parent->kind != N_PAREN)
            break;
    }
    return top;
}

static node *outside_parentheses(node *n) {
    node *parent = n->parent;
    while (parent && parent->kind == N_PAREN) parent = parent->parent;
    return parent;
}

static void check_constant_subscript(program *p, const array *a, int d, const node *bracketed, const node *at) {
    int64_t x;
    if (!at || !constant_value(at, &x)) return;
    int64_t lower, upper;
    if (!linear_value(&a->lower[d], &lower) || !linear_value(&a->upper[d], &upper) || (x >= lower && x <= upper))
        return;
    diagnose_outside(p, at, bracketed, certainty_of(p, bracketed, NULL), x, d, a->symbol, lower, upper);
}

/* Constant bounds of a section that is not empty. */
static void check_section(program *p, const array *a, int d, const node *t) {
    int64_t lower, upper, stride = 1;
    if (t->child[2] && constant_value(t->child[2], &stride) && stride == 0) {
        diagnose(p->source, t->child[2], D_zero_stride);
        return;
    }
    bool both =
        t->child[0] && t->child[1] && constant_value(t->child[0], &lower) && constant_value(t->child[1], &upper);
    if (both && (stride > 0 ? lower > upper : lower < upper)) return;
    check_constant_subscript(p, a, d, t, t->child[0]);
    if (both && stride != 1 && stride != -1) return; /* the last element is what counts: checked with the statement */
    if (!t->child[2] || both) check_constant_subscript(p, a, d, t, t->child[1]);
}

/* A[i, j]: C's comma operator, which nobody means. */
static bool has_commas(const program *p, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(chain, &name, subscripts, &count)) return false;
    for (int d = 0; d < count; d++) {
        if (subscripts[d]->kind != N_COMMA) continue;
        diagnose(p->source, subscripts[d], D_comma_subscript, name->name);
        diagnose_help("every dimension has its own brackets, as in %s[i][j]; the comma operator needs parentheses",
                      name->name);
        return true;
    }
    return false;
}

static void check_subscripts(program *p, const array *a, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(chain, &name, subscripts, &count)) return;
    for (int d = 0; d < count && d < a->rank; d++)
        if (!check_overflow(p, subscripts[d]))
            continue;
        else if (subscripts[d]->kind == N_TRIPLET)
            check_section(p, a, d, subscripts[d]);
        else
            check_constant_subscript(p, a, d, subscripts[d], subscripts[d]);
}

/* A nested function (GNU) may use arrays of file scope and its own: what statements do to those around it is not looked
 * for in calls. */
static bool is_of_outer_function(const program *p, const node *name, const array *a) {
    if (a->symbol->file_scope || function_around(name) == function_around(a->symbol->declarator)) return false;
    diagnose(p->source, name, D_not_implemented,
             arena_format(p->memory, "a nested function that uses '%s' of the function around it", name->name));
    diagnose_note(p->source, a->directive, "'%s' is distributed here", name->name);
    return true;
}

/* What makes a pointer of an element, or of a member of it; NULL: nothing.  An array in a structure is one where a
 * function takes it, which must not change it: what it gets may be a copy. */
static const node *pointer_to_part(node *top, const node *context) {
    node *n = top;
    while (context && (context->kind == N_MEMBER || (context->kind == N_INDEX && context->child[0] == n)))
        n = (node *)context, context = outside_parentheses(n);
    if (!context) return NULL;
    if (context->kind == N_UNARY && !strcmp(context->op, "&")) return row_pointer((node *)context) ? NULL : context;
    return n != top && context->kind == N_CALL && n->type && n->type->kind == TYPE_ARRAY && !takes_constant(context, n)
               ? n
               : NULL;
}

/* Whether a variable gets it, in a loop. */
static bool is_kept_in_loop(const node *chain) {
    const node *context = outside_parentheses((node *)chain), *n = chain;
    while (n && n->kind != N_FOR) n = n->parent;
    return n && context && (context->kind == N_INIT_DECLARATOR || context->kind == N_ASSIGN);
}

/* A pointer to a row; false: nobody takes it for one. */
static bool help_with_row(const program *p, const array *a, const node *chain) {
    const node *context = outside_parentheses((node *)chain);
    const char *row = ast_quote(p->memory, p->source, chain);
    const node *forall = chain;
    while (forall && forall->kind != N_FORALL) forall = forall->parent;
    if (context && context->kind == N_CALL && forall && !may_be_distributed(a, a->rank - 1))
        diagnose_help("in C loops in place of the forall functions get pointers to rows");
    else if (context && context->kind == N_CALL && !forall)
        diagnose_help("a function gets a copy, which is an ordinary array: row[:] = %s[:];", row);
    else if (!may_be_distributed(a, a->rank - 1) && is_kept_in_loop(chain))
        diagnose_help("%s is a pointer to a row in loops that are declared so: '#pragma dpc independent', with "
                      "private(...) and reduction(+: ...) for what their iterations assign",
                      row);
    else
        return false;
    return true;
}

/* Only one subscript can be left out of what becomes a pointer in an independent loop. */
static void help_with_fewer(const program *p, const array *a, const node *chain, int count) {
    text first;
    if (!is_in_independent(chain) && a->rank - count == 1 && count > 0 && help_with_row(p, a, chain)) return;
    if (!is_in_independent(chain) || a->rank - count < 2) {
        diagnose_help("all of a dimension is [:], as in %s", subscripted_all(p, a, ":"));
        return;
    }
    text_start(&first, p->memory);
    for (int d = count; d < a->rank; d++) text_add(&first, "[0]");
    diagnose_help("&%s%s is a pointer to the elements of the last dimensions, if these are not divided",
                  ast_quote(p->memory, p->source, chain), text_of(&first));
}

static void check_use(program *p, node *name) {
    const array *a = name->symbol->array;
    int count;
    if (is_of_outer_function(p, name, a)) return;
    node *top = top_of_chain(name, &count);
    node *context = outside_parentheses(top);
    if (context && context->kind == N_UNARY && !strcmp(context->op, "*") && outside_parentheses((node *)context) &&
        outside_parentheses((node *)context)->kind == N_SIZEOF)
        return;
    if (context && context->kind == N_SIZEOF) return;
    if (!a->symbol->file_scope && name->first < a->directive->first) {
        diagnose(p->source, name, D_used_before_directive, name->name);
        diagnose_note(p->source, a->directive, "'%s' is distributed here", name->name);
        return;
    }
    if (count == 0 && (is_distributed_argument(top) || is_viewed(top))) return;
    if (count == 0) {
        report_bare_use(p, name, context);
        return;
    }
    if (has_commas(p, top)) return;
    if (context && row_pointer(top) == top) {
        check_subscripts(p, a, top);
        return;
    }
    if (count != a->rank) {
        diagnose(p->source, top, D_subscript_count, count, plural(count), name->name, a->rank, plural(a->rank));
        diagnose_note(p->source, a->symbol->declarator, "'%s' is declared here", name->name);
        if (count < a->rank) help_with_fewer(p, a, top, count);
        return;
    }
    const node *pointing = pointer_to_part(top, context);
    if (pointing) {
        diagnose(p->source, pointing, D_address_taken, name->name);
        diagnose_note(p->source, a->directive, "'%s' is distributed here", name->name);
        diagnose_help("a variable in its place: read into it, then %s = variable;",
                      ast_quote(p->memory, p->source, top));
        return;
    }
    check_subscripts(p, a, top);
}

/* ---- Types of subscripts, bounds, strides */

static void check_integer(const program *p, const node *n, const char *what) {
    const type *t = n ? n->type : NULL;
    if (!t || t->kind == TYPE_UNKNOWN || t->kind == TYPE_VOID) return;
    if (t->kind == TYPE_ARITHMETIC && element_is_integer(t->element)) return;
    diagnose(p->source, n, D_not_an_integer, what, ast_quote(p->memory, p->source, n));
}

static void check_subscript_types(const program *p, node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET) check_integer(p, subscripts[d], "the subscript");
}

static void check_block_vector(const program *p, const node *n) {
    const type *t = n->type;
    if (!t || t->kind == TYPE_UNKNOWN || t->kind == TYPE_FOREIGN) return;
    const bool several = t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER;
    if (several && t->of && t->of->kind == TYPE_ARITHMETIC && element_is_integer(t->of->element)) return;
    diagnose(p->source, n, D_block_vector, ast_quote(p->memory, p->source, n));
}

/* Block sizes. */
static void check_format_types(const program *p, const node *n) {
    bool sized = n->kind == N_CALL && n->count == 2 && n->child[0]->kind == N_NAME;
    if (sized && has_block_vector(n))
        check_block_vector(p, n->child[1]);
    else if (sized)
        check_integer(p, n->child[1], "the block size");
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_format_types(p, n->child[c]);
}

static void check_array_types(const program *p, const array *a) {
    for (int d = 0; d < a->rank; d++) {
        check_integer(p, a->lower_node[d], "the lower bound");
        check_integer(p, a->upper_node[d], a->lower_node[d] ? "the upper bound" : "the extent");
    }
}

static void check_grid_types(const program *p, const grid *g) {
    for (int d = 0; d < g->rank; d++) check_integer(p, g->extent[d], "the extent");
}

/* Bounds of sections of every array, ranges of indices, subscripts of distributed arrays. */
static void check_integers(const program *p, const node *n) {
    switch ((int)n->kind) {
    case N_TRIPLET:
    case N_FORALL_INDEX:
        for (size_t c = 0; c < n->count; c++)
            check_integer(p, n->child[c], c == 2 ? "the stride" : c == 1 ? "the upper bound" : "the lower bound");
        break;
    case N_RANGE:
        if (n->child[0]->kind == N_ASSIGN) check_integer(p, n->child[0]->child[1], "the lower bound");
        for (size_t c = 1; c < n->count; c++) check_integer(p, n->child[c], c == 2 ? "the stride" : "the upper bound");
        break;
    case N_INDEX:
        if (distributed_reference((node *)n)) check_subscript_types(p, (node *)n);
        break;
    default:
        break;
    }
}

/* ---- Sections stand only in array assignments, foralls and reductions */

static bool is_reduction(const node *n) {
    operation op;
    return reduction_call(n, &op);
}

static void check_section_place(program *p, node *triplet) {
    bool in_condition = false, viewed = false;
    const node *step = NULL; /* A[:]++ */
    for (node *n = triplet->parent, *below = triplet; n; below = n, n = n->parent) {
        in_condition = in_condition || ((n->kind == N_IF || n->kind == N_WHILE) && n->child[0] == below);
        const symbol *f = n->kind == N_CALL ? called_function(n) : NULL;
        viewed = viewed || (f && f->extrinsic);
        if (n->kind == N_EXPRESSION && inside_parentheses(below)->kind != N_ASSIGN &&
            is_store(inside_parentheses(below)))
            step = inside_parentheses(below);
        if (n->kind == N_EXPRESSION && inside_parentheses(below)->kind == N_ASSIGN) return;
        if (n->kind == N_FORALL_INDEX || n->kind == N_RANGE) break;
        if (n->kind == N_FORALL && n->child[0] == below) break;
        if (n->kind == N_FORALL || is_reduction(n) || (n->kind == N_INDEX && is_distributed_argument(n))) return;
        if (n->kind == N_SIZEOF || n->kind == N_IF) break;
        if (n->kind == N_COMPOUND || n->kind == N_UNIT) break;
    }
    diagnose(p->source, triplet->parent, D_section_place);
    if (viewed)
        diagnose_help("a view is of a whole array: assign the section to one of its extents before the call");
    else if (step)
        diagnose_help("as an assignment: %s %c= 1;", ast_quote(p->memory, p->source, step->child[0]), step->op[0]);
    else if (in_condition)
        diagnose_help(
            "a condition for each element stands in a forall, forall (i = lower:upper, A[i] > 0) ...; one of all "
            "elements is any(...) or all(...)");
}

/* ---- Jumps past the creation of an automatic array */

static void report_jump(const program *p, const array *a, const node *n) {
    const char *what = arena_format(p->memory, "a jump past the directive that distributes '%s'", a->symbol->name);
    diagnose(p->source, n, D_not_implemented, what);
    diagnose_note(p->source, a->directive, "'%s' is distributed here", a->symbol->name);
    diagnose_help("a block around the array's declaration and its uses ends its scope before the label");
}

static void check_gotos(const program *p, const array *a, const char *label, const node *n) {
    bool inside = node_holds(a->symbol->scope, n) && n->first > a->directive->first;
    if (n->kind == N_GOTO && n->name && !strcmp(n->name, label) && !inside) report_jump(p, a, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_gotos(p, a, label, n->child[c]);
}

/* The switch around a case, the function around a label: where jumps to it start. */
static const node *jumps_around(const node *n) {
    node_kind kind = n->kind == N_LABEL ? N_FUNCTION_DEFINITION : N_SWITCH;
    while (n && n->kind != kind) n = n->parent;
    return n;
}

/* Labels under n behind a's directive must be reached from behind it only. */
static void check_labels(const program *p, const array *a, const node *n) {
    bool is_case = n->kind == N_CASE || n->kind == N_DEFAULT;
    const node *around = n->first > a->directive->first && (is_case || n->kind == N_LABEL) ? jumps_around(n) : NULL;
    if (around && is_case && around->first < a->directive->first) report_jump(p, a, n);
    if (around && !is_case) check_gotos(p, a, n->name, around);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) check_labels(p, a, n->child[c]);
}

/* ---- Which functions touch distributed arrays */

static bool *uses_flag(symbol *f) {
    return &f->uses_distributed;
}

static bool *unknown_flag(symbol *f) {
    return &f->calls_unknown;
}

/* What holds of a callee holds of its callers, too, and of all declarations of a function. */
typedef struct {
    const program *p;
    bool *(*flag)(symbol *f);
    hash_table callers;  /* by name: lists of symbols */
    symbol_list waiting; /* of which it holds; their callers are to learn it */
} spreading;

static void note_callers(spreading *x, symbol *f) {
    for (size_t c = 0; c < f->call_count; c++) {
        if (f->calls[c]->kind != SYMBOL_FUNCTION) continue;
        symbol_list *list = names_at(&x->callers, f->calls[c]->name);
        if (!list)
            names_put(x->p->memory, &x->callers, f->calls[c]->name, list = arena_alloc(x->p->memory, sizeof *list));
        vector_add(x->p->memory, list->symbol, list->count, list->capacity, f);
    }
}

static void hold(spreading *x, symbol *f) {
    *x->flag(f) = true;
    vector_add(x->p->memory, x->waiting.symbol, x->waiting.count, x->waiting.capacity, f);
}

static void hold_all(spreading *x, const symbol_list *list) {
    for (size_t k = 0; list && k < list->count; k++)
        if (!*x->flag(list->symbol[k])) hold(x, list->symbol[k]);
}

static void spread(const program *p, bool *(*flag)(symbol *f)) {
    spreading x = {.p = p, .flag = flag};
    for (size_t k = 0; k < p->symbol_count; k++) {
        if (p->symbols[k]->kind != SYMBOL_FUNCTION) continue;
        note_callers(&x, p->symbols[k]);
        if (*flag(p->symbols[k])) hold(&x, p->symbols[k]);
    }
    while (x.waiting.count > 0) {
        const symbol *f = x.waiting.symbol[--x.waiting.count];
        hold_all(&x, declarations_of(p, f->name));
        hold_all(&x, names_at(&x.callers, f->name));
    }
}

/* Functions of other units, and what calls them or goes through pointers. */
static void spread_unknown(const program *p) {
    for (size_t k = 0; k < p->symbol_count; k++) {
        symbol *f = p->symbols[k];
        if (f->kind == SYMBOL_FUNCTION && !defined_function(p, f->name)) f->calls_unknown = true;
    }
    spread(p, unknown_flag);
}

static void note_use(node *n) {
    symbol *f = function_symbol(function_around(n));
    if (f) f->uses_distributed = true;
}

static bool is_directive(const node *n) {
    return n->kind == N_DISTRIBUTE || n->kind == N_PROCESSORS || n->kind == N_TEMPLATE || n->kind == N_ALIGN ||
           n->kind == N_REALIGN || n->kind == N_INHERIT || n->kind == N_EXTRINSIC || n->kind == N_INDEPENDENT;
}

/* What an assignment, ++ or & changes. */
static void check_changed(const program *p, node *left) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (is_reduction(left)) diagnose(p->source, left, D_not_assignable, ast_quote(p->memory, p->source, left));
    if (element_around(left)) left = element_around(left);
    if (left->kind != N_INDEX || !index_chain(left, &name, subscripts, &count)) return;
    const array *a = name->symbol ? name->symbol->array : NULL;
    if (!a || a->is_template || !a->symbol->declaration || !declares_const(a->symbol->declaration->child[0])) return;
    diagnose(p->source, left, D_const_array, name->name);
    diagnose_note(p->source, a->symbol->declarator, "'%s' is declared here", name->name);
}

/* In order of the source, which the walk leaves only for declarations of old-style parameters. */
static void add_assignment(program *p, symbol *s, node *n) {
    vector_add(p->memory, s->assignment, s->assignments, s->assignment_capacity, n);
    for (size_t k = s->assignments - 1; k > 0 && s->assignment[k - 1]->first > n->first; k--) {
        s->assignment[k] = s->assignment[k - 1];
        s->assignment[k - 1] = n;
    }
}

/* The variable that is assigned: the object, or one that it is a member of; NULL: an element, or what a pointer points
 * to. */
static node *variable_around(node *left) {
    while (left->kind == N_MEMBER && left->op[0] == '.') left = inside_parentheses(left->child[0]);
    return left->kind == N_NAME ? left : NULL;
}

static void note_assignment(program *p, node *n) {
    bool assigns = is_store(n) || (n->kind == N_UNARY && n->op[0] == '&');
    node *left = assigns ? inside_parentheses(n->child[0]) : NULL;
    if (left && (n->kind != N_UNARY || n->op[0] != '&' || is_reduction(left))) check_changed(p, left);
    if (left) left = variable_around(left);
    if (left && left->symbol) add_assignment(p, left->symbol, left);
}

static void walk(program *p, node *n) {
    if (n->kind == N_DISTRIBUTE || n->kind == N_REDISTRIBUTE) check_format_types(p, n);
    if (n->kind == N_REALIGN) note_use(n);
    if (is_directive(n)) return;
    if (n->kind == N_REDISTRIBUTE) {
        note_use(n);
        return;
    }
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_TEMPLATE) {
        diagnose(p->source, n, D_template_use, n->name);
        diagnose_note(p->source, n->symbol->declarator, "'%s' is declared here", n->name);
        return;
    }
    if (n->kind == N_CALL && (check_intrinsic(p, n) || !check_file_call(p, n))) return;
    if (n->kind == N_NAME && n->symbol && n->symbol->array) {
        note_use(n);
        check_use(p, n);
    }
    if (n->kind == N_CALL && n->child[0]->kind == N_NAME && !n->child[0]->symbol &&
        !strcmp(n->child[0]->name, "dpc_rank") && !is_in_independent(n)) {
        diagnose(p->source, n, D_rank_only_inside);
        diagnose_help("outside, a program prints and decides once: no test of a process's number is needed");
    }
    if (n->kind == N_TRIPLET) check_section_place(p, n);
    check_integers(p, n);
    note_assignment(p, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) walk(p, n->child[c]);
}

void check_uses(program *p) {
    for (size_t k = 0; k < p->symbol_count; k++)
        if (p->symbols[k]->kind == SYMBOL_FUNCTION && (takes_distributed(p->symbols[k]) || p->symbols[k]->extrinsic))
            p->symbols[k]->uses_distributed = true;
    walk(p, p->unit);
    for (size_t k = 0; k < p->grid_count; k++) check_grid_types(p, p->grids[k]);
    for (size_t k = 0; k < p->array_count; k++) check_array_types(p, p->arrays[k]);
    for (size_t k = 0; k < p->array_count; k++)
        if (!p->arrays[k]->symbol->file_scope) check_labels(p, p->arrays[k], p->arrays[k]->symbol->scope);
    spread(p, uses_flag);
    spread_unknown(p);
    check_regions(p, p->unit);
}
