/* Pass "nests": the iterations of a nest's statements, and the elements that its accesses touch, as isl reads sets.
 * What is not linear in loop variables and what is fixed may be any number. */
#include "sets.h"

#include <isl/options.h>
#include <isl/set.h>
#include <string.h>

#include "../model/types.h"

space open_space(nest *x) {
    space w = {.x = x, .isl = isl_ctx_alloc(), .around = knowledge_at(x->p, &(parallel){0}, x->root)};
    isl_options_set_on_error(w.isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(w.isl, x->operations);
    for (size_t k = 0; k < x->accesses; k++)
        if (x->access[k].path.length > w.length) w.length = x->access[k].path.length;
    return w;
}

void close_space(space *w) {
    w->x->exhausted = w->x->exhausted || w->failed;
    isl_ctx_free(w->isl);
}

/* ---- Text of sets, as isl reads it */

static int loop_number(const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (n && n->kind == N_NAME && (n->symbol == s->loop[k]->variable || n->symbol == s->loop[k]->index)) return k;
    return -1;
}

static bool mentions_loop(const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (mentions_symbol(n, s->loop[k]->variable) || mentions_symbol(n, s->loop[k]->index)) return true;
    return false;
}

bool has_one_value(const nest *x, const node *n) {
    if (n->kind == N_CALL || n->kind == N_INDEX || n->kind == N_MEMBER || (n->kind == N_UNARY && n->op[0] == '*'))
        return false;
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_VARIABLE &&
        (is_assigned_within(x, n->symbol) || private_of(x, n->symbol) || is_of_own(x, n)))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !has_one_value(x, n->child[c])) return false;
    return true;
}

static int parameter_number(space *w, const char *atom, const node *n) {
    int k = 0;
    while (k < w->parameters && strcmp(w->parameter[k], atom) != 0) k++;
    if (k == MOST_PARAMETERS) {
        w->failed = true;
        return 0;
    }
    if (k == w->parameters) {
        w->variable[w->parameters] = n->kind == N_NAME ? n->symbol : NULL;
        w->parameter[w->parameters++] = atom;
    }
    return k;
}

static const char *affine_text(space *w, const nest_statement *s, const linear *x);

/* `form % m`, of signed numbers or with a power m of 2, and `form & m - 1` with such a power become a variable: what is
 * left of the form, less multiples of m, on either side of 0. False: it is neither. */
static bool add_remainder(space *w, const nest_statement *s, const linear_term *term, text *out) {
    const node *n = inside_parentheses((node *)term->node);
    int64_t modulus;
    if (!w->parts || n->kind != N_BINARY || !mentions_loop(s, n) || n->op[1] || !strchr("%&", n->op[0])) return false;
    if (!constant_value(n->child[1], &modulus)) return false;
    modulus += n->op[0] == '&';
    const bool power = (modulus & (modulus - 1)) == 0, any = n->op[0] == '%' && type_is_signed_integer(n->type);
    if (modulus < 2 || modulus > 1 << 20 || (!power && !any)) return false;
    const linear inner = linear_of(w->x->passing, w->x->p->source, n->child[0]);
    const char *form = affine_text(w, s, &inner);
    if (!form) return false;
    const int k = w->remainders++;
    text_format(w->parts, " and r%d = %s + %lld q%d and r%d > -%lld and r%d < %lld", k, form, (long long)modulus, k, k,
                (long long)modulus, k, (long long)modulus);
    text_format(out, " + %lld r%d", (long long)term->coefficient, k);
    return true;
}

/* The text of a linear form; NULL: it is none of loop variables and what is fixed. */
static const char *affine_text(space *w, const nest_statement *s, const linear *x) {
    arena *a = w->x->passing;
    text out;
    text_start(&out, a);
    text_format(&out, "%lld", (long long)x->constant);
    for (int t = 0; t < x->terms; t++) {
        const node *n = x->term[t].node;
        const int k = loop_number(s, n);
        if (n && add_remainder(w, s, &x->term[t], &out)) continue;
        if (!n || (k < 0 && (mentions_loop(s, n) || !has_one_value(w->x, n)))) return NULL;
        const long long factor = x->term[t].coefficient;
        linear value;
        const char *kept = k < 0 && n->kind == N_NAME && fixed_value(a, w->x->p->source, n->symbol, &value)
                               ? affine_text(w, s, &value)
                               : NULL;
        if (k >= 0)
            text_format(&out, " + %lld i%d", factor, k);
        else if (kept)
            text_format(&out, " + %lld * (%s)", factor, kept);
        else
            text_format(&out, " + %lld p%d", factor, parameter_number(w, x->term[t].text, n));
    }
    return text_of(&out);
}

static const char *affine_of(space *w, const nest_statement *s, const node *n, int64_t more) {
    arena *a = w->x->passing;
    const linear x = linear_add(a, linear_of(a, w->x->p->source, n), linear_constant(more));
    return affine_text(w, s, &x);
}

static const char *with_remainders(space *w, const char *domain) {
    text out;
    if (w->remainders == 0) return domain;
    text_start(&out, w->x->passing);
    for (int k = 0; k < w->remainders; k++) text_format(&out, "%s r%d, q%d", k ? "," : "exists", k, k);
    text_format(&out, " : (%s%s)", domain, text_of(w->parts));
    return text_of(&out);
}

/* What a condition of `if`, or its negation, says of loop variables and what is fixed; nothing else is added. */
static void add_condition(space *w, const nest_statement *s, const node *n, bool negated, text *out) {
    static const char *const word[][3] = {{"<", "<", ">="},  {"<=", "<=", ">"}, {">", ">", "<="},
                                          {">=", ">=", "<"}, {"==", "=", "!="}, {"!=", "!=", "="}};
    n = inside_parentheses((node *)n);
    if (n->kind == N_UNARY && !strcmp(n->op, "!")) add_condition(w, s, n->child[0], !negated, out);
    if (n->kind != N_BINARY) return;
    if (!strcmp(n->op, negated ? "||" : "&&"))
        for (int k = 0; k < 2; k++) add_condition(w, s, n->child[k], negated, out);
    for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
        if (strcmp(n->op, word[k][0]) != 0 || !type_is_signed_integer(n->child[0]->type) ||
            !type_is_signed_integer(n->child[1]->type))
            continue;
        const char *left = affine_of(w, s, n->child[0], 0), *right = affine_of(w, s, n->child[1], 0);
        if (left && right) text_format(out, " and %s %s %s", left, word[k][1 + negated], right);
    }
}

/* What loops around the nest say of their variables. */
static void add_parameters(space *w, const nest_statement *s, text *out) {
    for (int k = 0; k < w->parameters; k++)
        for (int l = 0; l < w->around.loops; l++) {
            if (!w->variable[k] || w->variable[k] != w->around.loop[l].variable) continue;
            const char *low = w->around.loop[l].has_low ? affine_text(w, s, &w->around.loop[l].low) : NULL;
            const char *high = w->around.loop[l].has_high ? affine_text(w, s, &w->around.loop[l].high) : NULL;
            if (low) text_format(out, " and p%d >= %s", k, low);
            if (high) text_format(out, " and p%d <= %s", k, high);
        }
}

/* Whether a variable may get another value in n, as far as its text says. */
static bool may_get_value_in(const symbol *s, const node *n) {
    if ((s->file_scope || s->is_static) && holds_kind(n, N_CALL)) return true;
    for (size_t k = 0; k < s->assignments; k++)
        if (node_holds(n, s->assignment[k])) return true;
    return false;
}

/* Whether all that n, a part of a condition, names has the same values wherever the branch behind it is executed. */
static bool stays_in_branch(const node *n, const node *condition, const node *branch) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (n->kind == N_NAME && (!s || is_hidden_in(branch, s))) return false;
    if (s && s->kind == SYMBOL_VARIABLE &&
        (s->array || is_volatile(s) || is_address_taken(s) || may_get_value_in(s, condition) ||
         may_get_value_in(s, branch)))
        return false;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && !stays_in_branch(n->child[c], condition, branch)) return false;
    return true;
}

/* Whether jumps may lead into a branch, past its condition. */
static bool may_be_entered(const node *branch) {
    return holds_kind(branch, N_LABEL) || holds_kind(branch, N_CASE) || holds_kind(branch, N_DEFAULT);
}

/* What each `if` around the nest says of what is fixed. */
static void add_branches(space *w, const nest_statement *s, text *out) {
    for (const node *n = w->x->root; n->parent && n->kind != N_FUNCTION_DEFINITION; n = n->parent) {
        const node *above = n->parent;
        const node *condition = above->kind == N_IF && n != above->child[0] ? above->child[0] : NULL;
        if (!condition || !stays_in_branch(condition, condition, n) || may_be_entered(n)) continue;
        add_condition(w, s, condition, n != above->child[1], out);
    }
}

const char *domain_text(space *w, const nest_statement *s) {
    text out, parts;
    text_start(&out, w->x->passing);
    text_start(&parts, w->x->passing);
    w->parts = &parts;
    w->remainders = 0;
    text_add(&out, "true");
    for (int k = 0; k < s->loops; k++) {
        const nest_loop *l = s->loop[k];
        const char *lower = affine_of(w, s, l->lower, l->lower_more), *upper = affine_of(w, s, l->upper, l->upper_more);
        if (lower) text_format(&out, " and i%d >= %s", k, lower);
        if (upper) text_format(&out, " and i%d <= %s", k, upper);
        if (lower && l->step > 1)
            text_format(&out, " and exists e%d : i%d = %s + %lld e%d", k, k, lower, (long long)l->step, k);
    }
    for (int k = 0; k < s->conditions; k++) add_condition(w, s, s->condition[k].node, s->condition[k].negated, &out);
    add_branches(w, s, &out);
    add_parameters(w, s, &out);
    const char *domain = with_remainders(w, text_of(&out));
    w->parts = NULL;
    return domain;
}

static const char *iteration_text(space *w, const nest_access *x) {
    const nest_statement *s = &w->x->statement[x->statement];
    text out;
    text_start(&out, w->x->passing);
    text_format(&out, "S%d[", x->statement);
    for (int k = 0; k < s->loops; k++) text_format(&out, "%si%d", k ? ", " : "", k);
    text_add(&out, "]");
    return text_of(&out);
}

/* ---- Matrices in arrays with one subscript: A[i*n + j], n a variable, are elements of their own for each i and j
 * where 0 <= j < n */

typedef struct {
    const nest *x;
    const nest_statement *s;
} reading;

static bool varies_in(const void *context, const node *n) {
    const reading *r = context;
    return mentions_loop(r->s, n);
}

static bool is_fixed_in(const void *context, const node *n) {
    const reading *r = context;
    return !mentions_loop(r->s, n) && has_one_value(r->x, n);
}

/* The only subscript of an element; NULL: it has several, or is a private. */
static const node *only_subscript(const nest_access *x) {
    node *name, *subscripts[MAX_RANK];
    int count;
    return x->depth < 0 && !x->row && index_chain(x->chain, &name, subscripts, &count) && count == 1 ? subscripts[0]
                                                                                                     : NULL;
}

static flat_reader reader_of(const space *w, const reading *r) {
    return (flat_reader){
        .memory = w->x->passing, .source = w->x->p->source, .varies = varies_in, .is_fixed = is_fixed_in, .context = r};
}

/* Whether no iteration has a place outside its row. */
static bool stays_in_row(space *w, const nest_access *x, const char *place, const char *width) {
    text out;
    text_start(&out, w->x->passing);
    const char *domain = domain_text(w, &w->x->statement[x->statement]);
    text_add(&out, "[");
    for (int k = 0; k < w->parameters; k++) text_format(&out, "%sp%d", k ? ", " : "", k);
    text_format(&out, "] -> { %s : %s and (%s < 0 or %s >= %s) }", iteration_text(w, x), domain, place, place, width);
    isl_set *outside = isl_set_read_from_str(w->isl, text_of(&out));
    const isl_bool empty = outside ? isl_set_is_empty(outside) : isl_bool_error;
    isl_set_free(outside);
    return empty == isl_bool_true;
}

/* The texts of the parts of an access, the outermost first; false: some is not affine. */
static bool flat_texts(space *w, const nest_access *x, const flat_widths *widths, const char **part) {
    const nest_statement *s = &w->x->statement[x->statement];
    const reading around = {w->x, s};
    const flat_reader r = reader_of(w, &around);
    linear form[MOST_WIDTHS + 1];
    const node *only = only_subscript(x);
    if (!only || !split_by_widths(&r, only, widths, form)) return false;
    for (int k = 0; k <= widths->count; k++) {
        part[k] = affine_text(w, s, &form[widths->count - k]);
        if (!part[k]) return false;
    }
    return true;
}

/* Whether each part of an access but the first is a place in a row. */
static bool is_in_rows(space *w, const nest_access *x, const flat_widths *widths) {
    const char *part[MOST_WIDTHS + 1];
    if (!flat_texts(w, x, widths, part)) return false;
    for (int k = 0; k < widths->count; k++) {
        const char *width = affine_text(w, &w->x->statement[x->statement], &widths->width[k]);
        if (!width || !stays_in_row(w, x, part[widths->count - k], width)) return false;
    }
    return true;
}

bool widths_of_access(space *w, const nest_access *x, flat_widths *widths) {
    const reading around = {w->x, &w->x->statement[x->statement]};
    flat_reader r = reader_of(w, &around);
    const node *only = only_subscript(x);
    if (!only || read_widths(&r, only, widths)) return only;
    r.constants = true; /* elements of several values in rows of a variable width, (i*n + j)*3 + k */
    if (!read_widths(&r, only, widths)) return false;
    for (int k = 0; k < widths->count; k++)
        if (!linear_is_constant(&widths->width[k])) return true;
    return false; /* it is affine */
}

/* The widths of an array's rows, from the first access that has some, if all accesses are in such rows. */
static flat_widths widths_of(space *w, const symbol *of) {
    flat_widths found = {.count = 0};
    for (size_t k = 0; k < w->x->accesses && found.count == 0; k++) {
        const nest_access *x = &w->x->access[k];
        if (x->array != of || x->statement < 0) continue;
        if (!widths_of_access(w, x, &found)) found.count = 0;
    }
    for (size_t k = 0; k < w->x->accesses && found.count > 0; k++) {
        const nest_access *x = &w->x->access[k];
        if (x->array == of && x->statement >= 0 && !is_in_rows(w, x, &found)) found.count = 0;
    }
    return found;
}

const flat_widths *known_widths(space *w, const symbol *of) {
    for (size_t k = 0; k < w->flats; k++)
        if (w->flat[k].array == of) return &w->flat[k].widths;
    const flat_array found = {of, widths_of(w, of)};
    vector_add(w->x->passing, w->flat, w->flats, w->flat_capacity, found);
    return &w->flat[w->flats - 1].widths;
}

/* What goes round, `(i + 1) % m`, of signed numbers, where a negative one is no subscript; NULL: it is no such. */
static const char *remainder_text(space *w, const nest_statement *s, const node *n, bool negative) {
    arena *a = w->x->passing;
    linear modulus, kept;
    n = inside_parentheses((node *)n);
    if (negative || n->kind != N_BINARY || strcmp(n->op, "%") != 0 || n->replacement ||
        !type_is_signed_integer(n->type))
        return NULL;
    modulus = linear_of(a, w->x->p->source, n->child[1]);
    if (modulus.terms == 1 && modulus.constant == 0 && modulus.term[0].coefficient == 1 && modulus.term[0].node &&
        fixed_value(a, w->x->p->source, modulus.term[0].node->symbol, &kept))
        modulus = kept;
    if (!linear_is_constant(&modulus) || modulus.constant < 1 || modulus.constant > INT32_MAX) return NULL;
    const linear inner = linear_of(a, w->x->p->source, n->child[0]);
    const char *form = affine_text(w, s, &inner);
    return form ? arena_format(a, "((%s) mod %lld)", form, (long long)modulus.constant) : NULL;
}

/* Whether dimension d of an array may have elements below 0. */
static bool may_be_below_zero(const symbol *s, int d) {
    const array *a = s ? s->array : NULL;
    return a && (d >= a->rank || !linear_is_constant(&a->written_lower[d]) || a->written_lower[d].constant < 0);
}

/* Subscripts of an array; what is not affine may be any number. */
static void add_subscripts(space *w, const nest_statement *s, const symbol *of, const node *const *subscripts,
                           int count, int before, text *out) {
    for (int d = 0; d < count; d++) {
        const linear form = linear_of_subscript(w->x->p, w->x->passing, subscripts[d]);
        const char *affine = affine_text(w, s, &form);
        if (!affine) affine = remainder_text(w, s, subscripts[d], may_be_below_zero(of, before + d));
        text_add(out, before + d ? ", " : "");
        if (affine)
            text_add(out, affine);
        else
            text_format(out, "any%d", before + d);
    }
}

const char *text_of_subscripts(space *w, const nest_access *x, const node *const *part, int parts) {
    const nest_statement *s = &w->x->statement[x->statement];
    node *name, *subscripts[MAX_RANK];
    int count;
    text out;
    text_start(&out, w->x->passing);
    text_add(&out, "A[");
    for (int k = 0; k < x->depth; k++) text_format(&out, "%si%d", k ? ", " : "", k);
    count = x->depth >= 0 || !index_chain(x->chain, &name, subscripts, &count) ? 0 : count;
    const char *flat[MOST_WIDTHS + 1];
    const flat_widths *widths = count == 1 && !x->row ? known_widths(w, x->array) : NULL;
    if (widths && widths->count > 0 && flat_texts(w, x, widths, flat)) {
        for (int k = 0; k <= widths->count; k++) text_format(&out, "%s%s", k ? ", " : "", flat[k]);
        count = widths->count + 1;
    } else {
        add_subscripts(w, s, x->array, (const node *const *)subscripts, count, 0, &out);
    }
    if (x->row) text_format(&out, ", any%d", count);
    add_subscripts(w, s, NULL, part, parts, count + x->row, &out);
    text_add(&out, "]");
    return text_of(&out);
}

const char *time_text(space *w, const nest_access *x) {
    const nest_statement *s = &w->x->statement[x->statement];
    text out;
    text_start(&out, w->x->passing);
    text_add(&out, "T[");
    for (int k = 0; k < w->length; k++) {
        const int loop = k < x->path.length ? x->path.loop[k] : -1;
        if (loop >= 0)
            text_format(&out, "%s%si%d", k ? ", " : "", s->loop[loop]->down ? "-" : "", loop);
        else
            text_format(&out, "%s%d", k ? ", " : "", k < x->path.length ? x->path.constant[k] : 0);
    }
    text_add(&out, "]");
    return text_of(&out);
}

isl_map *map_of(space *w, const nest_access *x, const char *range) {
    text out;
    arena *a = w->x->passing;
    const char *domain = domain_text(w, &w->x->statement[x->statement]), *from = iteration_text(w, x);
    text_start(&out, a);
    text_add(&out, "[");
    for (int k = 0; k < w->parameters; k++) text_format(&out, "%sp%d", k ? ", " : "", k);
    text_format(&out, "] -> { %s -> %s : %s }", from, range, domain);
    return isl_map_read_from_str(w->isl, text_of(&out));
}
