/* Pass "nests": dependences of a loop nest, by isl.  Each statement is to be executed for all iterations at once, where
 * it reads all values before it stores any.  That is right where no dependence goes from a store of a statement to
 * itself, and where those between statements form no circle: then they are executed in the order of the dependences. */
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <stdlib.h>
#include <string.h>

#include "../model/knowledge.h"
#include "../model/types.h"
#include "nests.h"

/* PAIRS: distances may take isl so many times the operations of an order. */
enum { MOST_PARAMETERS = 32, PAIRS = 4 };

/* Two accesses as isl reads them, and whether one conflicts with the other. */
typedef struct {
    const char *words;
    bool filled;
} known_conflict;

/* An array with one subscript, which is read as several where its elements are those of a matrix. */
typedef struct {
    const symbol *array;
    flat_widths widths; /* count 0: it is none */
} flat_array;

/* What a nest's linear forms are made of beside its loop variables. */
typedef struct {
    nest *x;
    isl_ctx *isl;
    const char *parameter[MOST_PARAMETERS];
    const symbol *variable[MOST_PARAMETERS]; /* that a parameter is the name of, or NULL */
    int parameters;
    knowledge around;      /* the nest */
    int length;            /* of the longest path */
    bool in_order;         /* sums are formed in the order of their loops */
    bool failed;           /* isl gave up, or there are too many parameters */
    known_conflict *known; /* values written out where they are used have the same reads many times */
    size_t knowns, known_capacity;
    text *parts; /* where remainders are known: what is said of them, which have the names r0, r1, ... */
    int remainders;
    flat_array *flat; /* arrays with one subscript, as far as they have been looked at */
    size_t flats, flat_capacity;
} space;

/* ---- Text of sets, as isl reads it */

static int loop_number(const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (n && n->kind == N_NAME && (n->symbol == s->loop[k]->variable || n->symbol == s->loop[k]->index)) return k;
    return -1;
}

static bool mentions_loop(const nest *x, const nest_statement *s, const node *n) {
    for (int k = 0; k < s->loops; k++)
        if (mentions_symbol(n, s->loop[k]->variable) || mentions_symbol(n, s->loop[k]->index)) return true;
    (void)x;
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

/* `form % m` and `form & m - 1` with a power m of 2 become a variable: what is left of the form, less multiples of m,
 * on either side of 0. False: it is neither. */
static bool add_remainder(space *w, const nest_statement *s, const linear_term *term, text *out) {
    const node *n = inside_parentheses((node *)term->node);
    int64_t modulus;
    if (!w->parts || n->kind != N_BINARY || !mentions_loop(w->x, s, n) || n->op[1] || !strchr("%&", n->op[0]))
        return false;
    if (!constant_value(n->child[1], &modulus)) return false;
    modulus += n->op[0] == '&';
    if (modulus < 2 || modulus > 1 << 20 || (modulus & (modulus - 1)) != 0) return false;
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
        if (!n || (k < 0 && (mentions_loop(w->x, s, n) || !has_one_value(w->x, n)))) return NULL;
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

/* A subscript i + c of an unsigned variable: where it goes round it is no element of any array. */
static linear linear_of_subscript(space *w, const node *n) {
    arena *a = w->x->passing;
    int64_t value;
    n = inside_parentheses((node *)n);
    const bool sum = n->kind == N_BINARY && !n->op[1] && (n->op[0] == '+' || n->op[0] == '-');
    if (!sum || inside_parentheses(n->child[0])->kind != N_NAME || !constant_value(n->child[1], &value) ||
        value > INT32_MAX || value < 0)
        return linear_of(a, w->x->p->source, n);
    return linear_add(a, linear_of(a, w->x->p->source, n->child[0]), linear_constant(n->op[0] == '-' ? -value : value));
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

/* The iterations of a statement: conditions on its loop variables. */
static const char *domain_text(space *w, const nest_statement *s) {
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
    return mentions_loop(r->x, r->s, n);
}

static bool is_fixed_in(const void *context, const node *n) {
    const reading *r = context;
    return !mentions_loop(r->x, r->s, n) && has_one_value(r->x, n);
}

static const char *domain_text(space *w, const nest_statement *s);
static const char *iteration_text(space *w, const nest_access *x);

/* The only subscript of an element; NULL: it has several, or is a private. */
static const node *only_subscript(const nest_access *x) {
    node *name, *subscripts[MAX_RANK];
    int count;
    return x->depth < 0 && index_chain(x->chain, &name, subscripts, &count) && count == 1 ? subscripts[0] : NULL;
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

/* The widths of an array's rows, from the first access that has some, if all accesses are in such rows. */
static flat_widths widths_of(space *w, const symbol *of) {
    flat_widths found = {.count = 0};
    for (size_t k = 0; k < w->x->accesses && found.count == 0; k++) {
        const nest_access *x = &w->x->access[k];
        if (x->array != of || x->statement < 0) continue;
        const reading around = {w->x, &w->x->statement[x->statement]};
        const flat_reader r = reader_of(w, &around);
        const node *only = only_subscript(x);
        if (!only || !read_widths(&r, only, &found)) found.count = 0;
    }
    for (size_t k = 0; k < w->x->accesses && found.count > 0; k++) {
        const nest_access *x = &w->x->access[k];
        if (x->array == of && x->statement >= 0 && !is_in_rows(w, x, &found)) found.count = 0;
    }
    return found;
}

static const flat_widths *known_widths(space *w, const symbol *of) {
    for (size_t k = 0; k < w->flats; k++)
        if (w->flat[k].array == of) return &w->flat[k].widths;
    const flat_array found = {of, widths_of(w, of)};
    vector_add(w->x->passing, w->flat, w->flats, w->flat_capacity, found);
    return &w->flat[w->flats - 1].widths;
}

/* Subscripts; what is not affine may be any number. */
static void add_subscripts(space *w, const nest_statement *s, const node *const *subscripts, int count, int before,
                           text *out) {
    for (int d = 0; d < count; d++) {
        const linear form = linear_of_subscript(w, subscripts[d]);
        const char *affine = affine_text(w, s, &form);
        text_add(out, before + d ? ", " : "");
        if (affine)
            text_add(out, affine);
        else
            text_format(out, "any%d", before + d);
    }
}

/* Which element, and which of its part's elements: `parts` subscripts behind those of the array. */
static const char *text_of_subscripts(space *w, const nest_access *x, const node *const *part, int parts) {
    const nest_statement *s = &w->x->statement[x->statement];
    node *name, *subscripts[MAX_RANK];
    int count;
    text out;
    text_start(&out, w->x->passing);
    text_add(&out, "A[");
    for (int k = 0; k < x->depth; k++) text_format(&out, "%si%d", k ? ", " : "", k);
    count = x->depth >= 0 || !index_chain(x->chain, &name, subscripts, &count) ? 0 : count;
    const char *flat[MOST_WIDTHS + 1];
    const flat_widths *widths = count == 1 ? known_widths(w, x->array) : NULL;
    if (widths && widths->count > 0 && flat_texts(w, x, widths, flat)) {
        for (int k = 0; k <= widths->count; k++) text_format(&out, "%s%s", k ? ", " : "", flat[k]);
        count = widths->count + 1;
    } else {
        add_subscripts(w, s, (const node *const *)subscripts, count, 0, &out);
    }
    add_subscripts(w, s, part, parts, count, &out);
    text_add(&out, "]");
    return text_of(&out);
}

/* When it happens: loops that count down have their variables negated. */
static const char *time_text(space *w, const nest_access *x) {
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

static isl_map *map_of(space *w, const nest_access *x, const char *range) {
    text out;
    arena *a = w->x->passing;
    const char *domain = domain_text(w, &w->x->statement[x->statement]), *from = iteration_text(w, x);
    text_start(&out, a);
    text_add(&out, "[");
    for (int k = 0; k < w->parameters; k++) text_format(&out, "%sp%d", k ? ", " : "", k);
    text_format(&out, "] -> { %s -> %s : %s }", from, range, domain);
    return isl_map_read_from_str(w->isl, text_of(&out));
}

/* ---- Conflicts */

static space open_space(nest *x) {
    space w = {.x = x, .isl = isl_ctx_alloc(), .around = knowledge_at(x->p, &(parallel){0}, x->root)};
    isl_options_set_on_error(w.isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(w.isl, x->operations);
    for (size_t k = 0; k < x->accesses; k++)
        if (x->access[k].path.length > w.length) w.length = x->access[k].path.length;
    return w;
}

/* The iterations of one sum may come in any order: those where only loops differ that are added up over. */
static isl_map *without_own_sum(space *w, isl_map *found, const nest_access *x) {
    const nest_statement *s = &w->x->statement[x->statement];
    text out;
    text_start(&out, w->x->passing);
    text_format(&out, "{ S%d[", x->statement);
    for (int k = 0; k < s->loops; k++) text_format(&out, "%si%d", k ? ", " : "", k);
    text_format(&out, "] -> S%d[", x->statement);
    for (int k = 0; k < s->loops; k++) text_format(&out, "%s%s%d", k ? ", " : "", s->reduces[k] ? "o" : "i", k);
    text_add(&out, "] }");
    return isl_map_subtract(found, isl_map_read_from_str(w->isl, text_of(&out)));
}

/* The executions of access x, with those of y that touch the same element. */
static isl_map *same_elements(space *w, const nest_access *x, const nest_access *y) {
    const node *of_x[MAX_RANK], *of_y[MAX_RANK];
    const int parts = common_subscripts(x, y, of_x, of_y);
    const char *left = text_of_subscripts(w, x, of_x, parts); /* first: they add parameters */
    const char *right = text_of_subscripts(w, y, of_y, parts);
    domain_text(w, &w->x->statement[x->statement]);
    domain_text(w, &w->x->statement[y->statement]);
    return isl_map_apply_range(map_of(w, x, left), isl_map_reverse(map_of(w, y, right)));
}

/* The executions of access x that touch an element before ones of y do, with these. */
static isl_map *conflicts(space *w, const nest_access *x, const nest_access *y) {
    isl_map *same = same_elements(w, x, y);
    isl_map *before = isl_map_lex_lt_map(map_of(w, x, time_text(w, x)), map_of(w, y, time_text(w, y)));
    isl_map *found = isl_map_intersect(same, before);
    if (!w->in_order && x->accumulates && y->accumulates && x->statement == y->statement && x->chain == y->chain)
        found = without_own_sum(w, found, x);
    return found;
}

/* Whether something is in the map, or isl does not know. */
static bool is_filled(space *w, isl_map *found) {
    const isl_bool empty = found ? isl_map_is_empty(found) : isl_bool_error;
    if (empty == isl_bool_error) w->failed = true;
    return empty != isl_bool_true;
}

static bool touch_the_same(space *w, const nest_access *x, const nest_access *y) {
    isl_map *found = same_elements(w, x, y);
    const bool filled = is_filled(w, found);
    isl_map_free(found);
    return filled;
}

static const char *words_of_access(space *w, const nest_access *x, const node *const *part, int parts) {
    const nest_statement *s = &w->x->statement[x->statement];
    return arena_format(w->x->passing, "%d %s %s %s", s->loops, text_of_subscripts(w, x, part, parts), time_text(w, x),
                        domain_text(w, s));
}

static const char *words_of_pair(space *w, const nest_access *x, const nest_access *y) {
    const node *of_x[MAX_RANK], *of_y[MAX_RANK];
    const int parts = common_subscripts(x, y, of_x, of_y);
    return arena_format(w->x->passing, "%s; %s", words_of_access(w, x, of_x, parts),
                        words_of_access(w, y, of_y, parts));
}

static known_conflict *conflict_like(space *w, const char *words) {
    for (size_t k = 0; k < w->knowns; k++)
        if (!strcmp(w->known[k].words, words)) return &w->known[k];
    return NULL;
}

/* Whether some execution of x that touches an element comes before one of y that does. */
static bool is_conflict(space *w, const nest_access *x, const nest_access *y) {
    if (!w->in_order && are_of_one_iteration(w->x, x, y)) return comes_earlier(w->x, x, y);
    const bool sums = x->accumulates && y->accumulates; /* in any order, if they are one statement's */
    const char *words = sums ? NULL : words_of_pair(w, x, y);
    const known_conflict *known = sums ? NULL : conflict_like(w, words);
    if (known) return known->filled;
    isl_map *found = conflicts(w, x, y);
    const bool filled = is_filled(w, found);
    isl_map_free(found);
    if (!sums) vector_add(w->x->passing, w->known, w->knowns, w->known_capacity, ((known_conflict){words, filled}));
    return filled;
}

bool is_stored_in(nest *x, const nest_access *read) {
    space w = open_space(x);
    bool found = false;
    for (size_t k = 0; k < x->accesses && !found; k++)
        if (x->access[k].writes && may_conflict(&x->access[k], read)) found = touch_the_same(&w, &x->access[k], read);
    x->exhausted = x->exhausted || w.failed;
    isl_ctx_free(w.isl);
    return found;
}

/* ---- Words */

/* "1 iteration of 'i' earlier": how far apart the iterations are; "": not a constant. */
static const char *distance_words(space *w, const nest_access *x, const nest_access *y, isl_map *found) {
    const nest_statement *s = &w->x->statement[x->statement];
    arena *a = w->x->passing;
    text out;
    text_start(&out, a);
    if (x->statement != y->statement && w->x->statement[y->statement].loops != s->loops) return "";
    isl_map *plain = isl_map_set_tuple_name(isl_map_copy(found), isl_dim_in, "S");
    isl_set *deltas = isl_map_deltas(isl_map_set_tuple_name(plain, isl_dim_out, "S"));
    int parts = 0;
    for (int k = 0; k < s->loops && deltas; k++) {
        isl_val *v = isl_set_plain_get_val_if_fixed(deltas, isl_dim_set, (unsigned)k);
        const bool known = v && isl_val_is_int(v) == isl_bool_true;
        const long value = known ? isl_val_get_num_si(v) : 0;
        if (!known || value != 0)
            text_format(&out, "%s%s of '%s'", parts++ ? ", " : "",
                        known ? arena_format(a, "%ld", value < 0 ? -value : value) : "any number",
                        s->loop[k]->variable->name);
        isl_val_free(v);
    }
    isl_set_free(deltas);
    return parts ? arena_format(a, ", iterations apart: %s", text_of(&out)) : "";
}

/* Says what helps where the subscript is that of a matrix's element; false: it is another one. */
static bool advise_matrix(space *w, const nest_access *y) {
    const reading around = {w->x, &w->x->statement[y->statement]};
    const flat_reader r = reader_of(w, &around);
    const node *only = only_subscript(y);
    flat_widths widths;
    if (!only || !read_widths(&r, only, &widths)) return false;
    if (known_widths(w, y->array)->count > 0)
        advise_nest(w->x, y->chain,
                    "'%s' with two dimensions, one of them '*': elements that wait for one another along that cost no "
                    "messages",
                    y->array->name);
    else
        advise_nest(w->x, y->chain,
                    "'%s' with two dimensions, or bounds from which it follows that places in rows are at least 0 and "
                    "less than '%s'",
                    y->array->name, nest_quote(w->x, widths.node[0]));
    return true;
}

/* Whether elements say which element it is: A[p[i]]. */
static bool is_found_by_elements(node *chain) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(chain, &name, subscripts, &count)) return false;
    for (int d = 0; d < count; d++)
        if (holds_kind(subscripts[d], N_INDEX)) return true;
    return false;
}

static void report(space *w, const nest_access *x, const nest_access *y) {
    const program *p = w->x->p;
    isl_map *found = conflicts(w, x, y);
    const char *first = ast_quote(p->memory, p->source, read_or_stored(x));
    const char *second = ast_quote(p->memory, p->source, read_or_stored(y));
    const int line = p->source->tokens[x->chain->first].line;
    const char *verb = x->writes ? y->writes ? "is assigned again as" : "is read again as" : "is assigned later as";
    if (w->failed || !found)
        stop_nest(w->x, y->chain, "nothing could be proved of '%s' and '%s' of line %d", second, first, line);
    else
        stop_nest(w->x, y->chain, "'%s' of line %d %s '%s'%s", first, line, verb, second,
                  distance_words(w, x, y, found));
    if (x->writes && y->writes && is_found_by_elements(x->chain))
        advise_nest(w->x, y->chain,
                    "if no two iterations store into the same '%s', a forall does what all of them do at once", second);
    else if (x->writes && is_found_by_elements(y->chain))
        advise_nest(w->x, y->chain,
                    "if '%s' means the value before the loop, write a forall, which reads all of them before it stores",
                    second);
    else if (!w->failed && found && !advise_matrix(w, y))
        advise_nest(w->x, y->chain,
                    "elements that wait for one another cost no messages along a dimension that is not divided, '*'; "
                    "a forall for the other loops");
    w->x->general = true;
    isl_map_free(found);
}

/* ---- The order of the statements */

/* Dependences of a statement on itself that parallel execution would not keep. */
static void check_statement(space *w, int k) {
    nest *x = w->x;
    for (size_t m = 0; m < x->accesses && !x->reason; m++)
        for (size_t n = 0; n < x->accesses && !x->reason; n++) {
            const nest_access *first = &x->access[m], *second = &x->access[n];
            if (first->statement != k || second->statement != k || !first->writes || !may_conflict(first, second))
                continue;
            if (is_conflict(w, first, second)) report(w, first, second);
        }
}

/* Whether statement k must be executed before m. */
static bool comes_before(space *w, int k, int m, const nest_access **from, const nest_access **to) {
    nest *x = w->x;
    for (size_t i = 0; i < x->accesses; i++)
        for (size_t j = 0; j < x->accesses; j++) {
            const nest_access *first = &x->access[i], *second = &x->access[j];
            if (first->statement != k || second->statement != m || !may_conflict(first, second)) continue;
            *from = first;
            *to = second;
            if (is_conflict(w, first, second)) return true;
        }
    return false;
}

/* Of two statements: that one must come before the other, and why. */
typedef struct {
    bool before;
    const nest_access *from, *to;
} precedence;

typedef precedence precedences[MOST_STATEMENTS][MOST_STATEMENTS];

static void find_precedences(space *w, precedences must) {
    const nest *x = w->x;
    for (int k = 0; k < x->statements; k++)
        for (int m = 0; m < x->statements; m++)
            if (k != m && x->statement[k].live && x->statement[m].live)
                must[k][m].before = comes_before(w, k, m, &must[k][m].from, &must[k][m].to);
}

/* Whether statement k, which is to come before the others, may: none of them must come before it. */
static bool may_be_early(const nest *x, precedences must, int k) {
    bool late = false; /* where it stands */
    for (int m = 0; m < x->statements; m++) {
        if (must[m][k].before && !x->statement[m].early) return false;
        late = late || (must[k][m].before && x->statement[k].place >= x->statement[m].place);
    }
    return late;
}

/* `double r = f(U); U[i][j] += r; sum += r;`: the sum, which is made of r's value written out, comes first. */
static void advance_sums(nest *x, precedences must) {
    bool found = false;
    for (int k = 0; k < x->statements; k++) {
        nest_statement *s = &x->statement[k];
        s->early = s->kind == STATEMENT_SCALAR && s->apart && s->live && may_be_early(x, must, k);
        found = found || s->early;
    }
    if (found) place_statements(x);
}

/* The new order keeps all dependences, or the first that it does not keep is the reason. */
static void check_order(space *w, precedences must) {
    nest *x = w->x;
    for (int k = 0; k < x->statements; k++)
        for (int m = 0; m < x->statements && !x->reason; m++) {
            if (!must[k][m].before || x->statement[k].place < x->statement[m].place) continue;
            report(w, must[k][m].from, must[k][m].to);
        }
}

static void order_in(space *w) {
    nest *x = w->x;
    precedence(*must)[MOST_STATEMENTS] = arena_alloc(x->passing, sizeof(precedences));
    for (int k = 0; k < x->statements && !x->reason; k++)
        if (x->statement[k].live) check_statement(w, k);
    if (x->reason) return;
    find_precedences(w, must);
    if (w->failed) stop_nest(x, x->root, "its dependences take too long to find");
    place_statements(x);
    advance_sums(x, must);
    check_order(w, must);
}

void order_nest(nest *x) {
    space w = open_space(x);
    order_in(&w);
    x->exhausted = x->exhausted || w.failed;
    isl_ctx_free(w.isl);
}

/* ---- Distances */

/* How many iterations of the outermost loops lie between the executions that a map relates. */
static isl_set *distances_of(isl_map *found, const nest_statement *from, const nest_statement *to, int loops) {
    const unsigned keep = (unsigned)loops;
    found = isl_map_project_out(found, isl_dim_in, keep, (unsigned)from->loops - keep);
    found = isl_map_project_out(found, isl_dim_out, keep, (unsigned)to->loops - keep);
    found = isl_map_set_tuple_name(found, isl_dim_in, "S");
    return isl_map_deltas(isl_map_set_tuple_name(found, isl_dim_out, "S"));
}

/* Whether some distance along loop k is negative (backward), or positive, as the loop counts. */
static bool has_distance(space *w, isl_set *distances, int k, bool backward) {
    const unsigned at = (unsigned)k;
    const bool below = backward != w->x->loop[k]->down;
    isl_set *part = isl_set_copy(distances);
    part = below ? isl_set_upper_bound_si(part, isl_dim_set, at, -1) : isl_set_lower_bound_si(part, isl_dim_set, at, 1);
    const isl_bool empty = part ? isl_set_is_empty(part) : isl_bool_error;
    if (empty == isl_bool_error) w->failed = true;
    isl_set_free(part);
    return empty != isl_bool_true;
}

static void add_distances(space *w, const nest_access *from, const nest_access *to, int loops, nest_distances *d) {
    const nest *x = w->x;
    isl_map *found = conflicts(w, from, to);
    isl_set *distances = distances_of(found, &x->statement[from->statement], &x->statement[to->statement], loops);
    for (int k = 0; k < loops && !w->failed; k++) {
        d->backward[k] = d->backward[k] || has_distance(w, distances, k, true);
        d->forward[k] = d->forward[k] || has_distance(w, distances, k, false);
    }
    isl_set_free(distances);
}

bool find_distances(nest *x, int loops, nest_distances *d) {
    space w = open_space(x);
    w.in_order = true;
    isl_ctx_set_max_operations(w.isl, PAIRS * x->operations);
    *d = (nest_distances){{false}, {false}};
    for (size_t k = 0; k < x->accesses; k++)
        for (size_t m = 0; m < x->accesses && !w.failed; m++)
            if (may_conflict(&x->access[k], &x->access[m]) && x->access[k].depth < loops)
                add_distances(&w, &x->access[k], &x->access[m], loops, d);
    x->exhausted = x->exhausted || w.failed;
    isl_ctx_free(w.isl);
    return !w.failed;
}
