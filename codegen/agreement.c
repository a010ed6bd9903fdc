/* --check=all: what is compared among the processes before a statement is executed. */
#include <string.h>

#include "../analysis/model/model.h"
#include "../analysis/model/types.h"
#include "spmd.h"

/* ---- Variables of which every process has a copy */

typedef struct {
    emitter *e;
    const node *statement;
    bool alone;                  /* one process executes it, on single elements: it evaluates once what it evaluates */
    const char **place, **shown; /* the C text of each number; as the program has it */
    size_t count, capacity, shown_count, shown_capacity;
    const parallel *const *indexed; /* the statements whose indices subscripts may have */
    size_t indexed_count;
    const symbol **function; /* whose definitions were looked at */
    size_t functions, function_capacity;
    const char **object; /* an initialiser of dpc_object for each piece of memory */
    size_t objects, object_capacity;
} replicas;

static void add_shown(replicas *x, const char *place, const char *shown) {
    for (size_t k = 0; k < x->count; k++)
        if (!strcmp(x->place[k], place)) return;
    vector_add(x->e->memory, x->place, x->count, x->capacity, place);
    vector_add(x->e->memory, x->shown, x->shown_count, x->shown_capacity, shown);
}

static void add_place(replicas *x, const char *place) {
    add_shown(x, place, place);
}

/* ---- Parts of such: members and elements */

static bool counts_from_zero(const node *base) {
    return base->type && base->type->kind == TYPE_ARRAY && !base->type->array->child[1];
}

/* Whether nothing but the statement itself decides that n is evaluated. */
static bool is_evaluated(const replicas *x, const node *n) {
    for (bool negated; n != x->statement && n->parent; n = n->parent)
        if (condition_at(n->parent, n, &negated) || n->parent->kind == N_STATEMENT_EXPRESSION ||
            (n->parent->kind == N_IF && n != n->parent->child[0]))
            return false;
    return true;
}

/* The variable that n is a part of, by members and subscripts, or that points to it; NULL: another expression.
 * fixed: no pointer, and constants as subscripts; steady: subscripts that every process has. */
static const symbol *whole_of(const replicas *x, const node *n, bool *fixed, bool *steady) {
    *fixed = *steady = true;
    for (; n->kind != N_NAME; n = n->child[0]) {
        int64_t value;
        const bool pointer = n->kind == N_MEMBER && strcmp(n->op, ".") != 0;
        if (n->kind != N_MEMBER && n->kind != N_INDEX && n->kind != N_PAREN) return NULL;
        if (pointer || (n->kind == N_INDEX && (!constant_value(n->child[1], &value) || !counts_from_zero(n->child[0]))))
            *fixed = false;
        if (n->kind == N_INDEX && !is_steady_replica(x->e, x->statement, n->child[1])) *steady = false;
    }
    for (int d = 0; d < MAX_RANK && n->symbol; d++) /* the text of a subscript is not its C array's */
        if (lower_bound_text(x->e->memory, x->e->p->source, n, d)) *fixed = *steady = false;
    return n->symbol;
}

/* Whether n is a number that can be read before the statement: it would be read anyway, or is in a variable that every
 * process has. */
static bool is_part_of_replica(const replicas *x, const node *n) {
    bool fixed, steady;
    if ((n->kind != N_MEMBER && n->kind != N_INDEX) || !n->type || n->type->kind != TYPE_ARITHMETIC || n->made)
        return false;
    const symbol *s = whole_of(x, n, &fixed, &steady);
    return is_own_copy(x->e, x->statement, s) && (fixed || (x->alone && steady && is_evaluated(x, n)));
}

/* ---- Memory: arrays, structures, and what pointers point to */

static void add_object(replicas *x, const char *object) {
    for (size_t k = 0; k < x->objects; k++)
        if (!strcmp(x->object[k], object)) return;
    vector_add(x->e->memory, x->object, x->objects, x->object_capacity, object);
}

/* What sizeof tells of: no parameter, which is a pointer, and nothing whose extent another file knows. */
static bool has_size(const symbol *s) {
    if (s->type->kind == TYPE_RECORD) return true;
    return s->type->kind == TYPE_ARRAY && !s->is_parameter && knows_extent(s);
}

/* How often what a pointer points to is a pointer. */
static int levels_of(const type *t) {
    int levels = 0;
    while (t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER)) {
        levels += t->kind == TYPE_POINTER;
        t = t->of;
    }
    return levels;
}

static const char *levels_text(const replicas *x, const type *t, bool pointer) {
    const int levels = levels_of(t) - pointer;
    return levels > 0 ? arena_format(x->e->memory, ", .levels = %d", levels) : "";
}

/* The least and the greatest value of a subscript that is linear in the statement's indices, as C text; false: it has
 * other things in it. */
static const loop_index *index_among(const replicas *x, const linear_term *t) {
    const loop_index *found = NULL;
    for (size_t j = 0; !found && j < x->indexed_count; j++) found = index_of_term(x->indexed[j], t);
    return found;
}

static bool find_range(const replicas *x, const node *n, linear *low, linear *high) {
    arena *a = x->e->memory;
    const linear whole = linear_of(a, x->e->p->source, n);
    *low = *high = linear_without_terms(&whole);
    for (int k = 0; k < whole.terms; k++) {
        const linear_term *t = &whole.term[k];
        const linear factor = linear_constant(t->coefficient);
        linear least = linear_atom(a, t->text, t->node), most = least;
        const loop_index *index = index_among(x, t);
        if (!index && (!t->node || !is_steady_replica(x->e, x->statement, t->node))) return false;
        if (index) {
            if (index->triangular || !linear_is_constant(&index->stride) || index->stride.constant <= 0 ||
                moved_index(a, t->node) || converted_index(a, t->node))
                return false;
            least = t->coefficient > 0 ? index->lower : index->upper;
            most = t->coefficient > 0 ? index->upper : index->lower;
        }
        *low = linear_add(a, *low, linear_multiply(a, factor, least));
        *high = linear_add(a, *high, linear_multiply(a, factor, most));
    }
    return linear_fits(low) && linear_fits(high);
}

/* What iterations read as a whole. */
static const char *whole_range_text(const replicas *x, const foreseen *f) {
    emitter *e = x->e;
    const char *base = f->node->child[0]->name;
    const char *unread = !strcmp(f->any, "true") ? "" : arena_format(e->memory, ", .unread = !(%s)", f->any);
    return arena_format(
        e->memory,
        ", .size = sizeof *%s, .from = %s, .to = %s%s, .read = \"%s\", .type = dpc_type_of(*%s), .place = %s", base,
        linear_words(e, &f->low), linear_words(e, &f->high), unread,
        escaped(e, ast_quote(e->memory, e->p->source, f->node)), base, place_literal(e, f->node));
}

/* Whether n is part of what was computed before the statement, perhaps under conditions. */
static bool is_computed_before(const replicas *x, const node *n) {
    while (n && n != x->statement && !n->replacement) n = n->parent;
    return n && n != x->statement;
}

/* One element that iterations read, if there are any: a number as others are. */
static bool is_one_element(const replicas *x, const node *name) {
    const node *n = name->parent;
    if (!is_read_whole(x->e, n) || is_computed_before(x, n)) return false;
    const foreseen *f = read_whole(x->e, n);
    return linear_equal(&f->low, &f->high) && n->child[0]->kind == N_NAME;
}

static void add_element(replicas *x, const node *name) {
    const foreseen *f = read_whole(x->e, name->parent);
    const char *number = arena_format(x->e->memory, "%s[%s]", name->name, linear_words(x->e, &f->low));
    if (strcmp(f->any, "true") != 0) number = arena_format(x->e->memory, "(%s ? %s : 0)", f->any, number);
    add_shown(x, number, ast_quote(x->e->memory, x->e->p->source, f->node));
}

/* The part of the variable that is read by the subscripts around its name; "": all of it. */
static const char *range_text(const replicas *x, const node *name) {
    linear low, high;
    const node *n = name->parent;
    if (is_read_whole(x->e, n)) return whole_range_text(x, read_whole(x->e, n));
    if (n->kind != N_INDEX || n->child[0] != name || n->child[1]->kind == N_TRIPLET ||
        lower_bound_text(x->e->memory, x->e->p->source, name, 0) || !find_range(x, n->child[1], &low, &high))
        return "";
    return arena_format(x->e->memory, ", .size = sizeof *%s, .from = %s, .to = %s%s", name->name,
                        linear_words(x->e, &low), linear_words(x->e, &high),
                        is_evaluated(x, n) ? ", .always = true" : "");
}

static void add_memory_of(replicas *x, const node *name) {
    const symbol *s = name->symbol;
    arena *a = x->e->memory;
    if (!has_object(x->e, x->statement, s)) return;
    if (is_one_element(x, name)) {
        add_element(x, name);
        return;
    }
    const bool pointer = s->type->kind == TYPE_POINTER || (s->type->kind == TYPE_ARRAY && s->is_parameter);
    const char *range = s->type->kind == TYPE_RECORD ? "" : range_text(x, name);
    const char *levels = levels_text(x, s->type, s->type->kind == TYPE_POINTER);
    if (s->type->kind == TYPE_POINTER && s->type->of->kind == TYPE_FUNCTION)
        add_shown(x, arena_format(a, "(size_t){dpc_function_number((void (*)(void))%s)}", s->name), s->name);
    else if (has_size(s))
        add_object(x, arena_format(a, "{.at = (const void *)%s%s, .bytes = sizeof %s%s%s}",
                                   s->type->kind == TYPE_RECORD ? "&" : "", s->name, s->name, range, levels));
    else if (pointer)
        add_object(x, arena_format(a, "{.at = (const void *)%s%s%s}", s->name, range, levels));
}

/* What a pointer in a structure points to: s.p, or q->p where q points to something. */
static void add_memory_of_member(replicas *x, const node *n) {
    const node *base = inside_parentheses(n->child[0]);
    if (!n->type || n->type->kind != TYPE_POINTER || base->kind != N_NAME ||
        !has_object(x->e, x->statement, base->symbol))
        return;
    const char *chain = ast_quote(x->e->memory, x->e->p->source, n), *levels = levels_text(x, n->type, true);
    if (strcmp(n->op, ".") != 0) chain = arena_format(x->e->memory, "%s ? %s : NULL", base->name, chain);
    add_object(x, arena_format(x->e->memory, "{.at = (const void *)(%s)%s}", chain, levels));
}

/* ---- What functions read that the statement calls: variables of the file that they do not assign */

/* Whether a name means the file's variable where the statement stands. */
static bool is_visible(const replicas *x, const symbol *s) {
    if (!s->declarator || s->declarator->first > x->statement->first) return false;
    for (size_t k = 0; k < x->e->p->symbol_count; k++) {
        const symbol *other = x->e->p->symbols[k];
        if (other != s && !strcmp(other->name, s->name) && is_declared_around(other, x->statement)) return false;
    }
    return true;
}

/* A variable of the file, which the function does not change; n: its name in the function, or another node. */
static bool is_read_only(const replicas *x, const node *n, const node *definition) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    return s && s->kind == SYMBOL_VARIABLE && s->file_scope && !s->array && s->type && s->declaration &&
           !is_assigned_in_statement(s, definition) && !is_stored_into(definition, s) && is_visible(x, s);
}

/* Memory is compared as a whole, so nothing else may be in it than values; of a structure's numbers those that are
 * read. */
static void add_read_by_function(replicas *x, const node *n) {
    const symbol *s = n->symbol;
    const node *member = n->parent;
    if (s->type->kind == TYPE_ARITHMETIC)
        add_place(x, s->name);
    else if (has_size(s) && equal_values_are_equal_bytes(x->e->memory, s->type))
        add_object(x, arena_format(x->e->memory, "{.at = (const void *)&%s, .bytes = sizeof %s, .name = \"%s\"}",
                                   s->name, s->name, s->name));
    else if (s->type->kind == TYPE_RECORD && member->kind == N_MEMBER && member->type &&
             member->type->kind == TYPE_ARITHMETIC)
        add_place(x, ast_quote(x->e->memory, x->e->p->source, member));
}

static void find_read_by_calls(replicas *x, const node *n);
static void find_read_by_function(replicas *x, const node *n, const node *definition) {
    if (n->kind == N_SIZEOF) return;
    if (is_read_only(x, n, definition)) add_read_by_function(x, n);
    find_read_by_calls(x, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_read_by_function(x, n->child[c], definition);
}

static void find_read_by_calls(replicas *x, const node *n) {
    if (n->kind != N_CALL || n->child[0]->kind != N_NAME) return;
    const symbol *f = defined_function(x->e->p, n->child[0]->name);
    for (size_t k = 0; k < x->functions; k++)
        if (x->function[k] == f) return;
    if (!f || f->uses_distributed) return;
    vector_add(x->e->memory, x->function, x->functions, x->function_capacity, f);
    find_read_by_function(x, f->declaration->child[2], f->declaration);
}

/* ---- What a statement reads */

static void find_replicas(replicas *x, const node *n) {
    if (n->kind == N_SIZEOF) return;
    if (n->kind == N_NAME && is_replica(x->e, x->statement, n->symbol)) add_place(x, n->symbol->name);
    if (is_part_of_replica(x, n)) {
        add_place(x, ast_quote(x->e->memory, x->e->p->source, n));
        return;
    }
    if (n->kind == N_NAME && n->symbol) add_memory_of(x, n);
    find_read_by_calls(x, n);
    if (n->kind == N_MEMBER) add_memory_of_member(x, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) find_replicas(x, n->child[c]);
}

/* The variables that step the loops around the statement. */
static void find_counters(replicas *x) {
    for (const node *n = x->statement->parent; n; n = n->parent) {
        counting_loop c;
        if (n->kind == N_FOR && counting_loop_of(n, &c) && is_replica(x->e, x->statement, c.variable))
            add_place(x, c.variable->name);
    }
}

static const char *number_text(const replicas *x, size_t k) {
    const char *name = x->place[k];
    const bool part = strpbrk(name, ".[>") != NULL; /* perhaps a bit-field, which has no address */
    const char *value = part ? arena_format(x->e->memory, "(__typeof__(+%s)){%s}", name, name) : name;
    return arena_format(x->e->memory, "{\"%s\", dpc_type_of(%s%s), (const void *)&%s}", escaped(x->e, x->shown[k]),
                        part ? "+" : "", name, value);
}

static const char *comparison_text(const replicas *x, const node *n) {
    text numbers, objects;
    text_start(&numbers, x->e->memory);
    text_start(&objects, x->e->memory);
    for (size_t k = 0; k < x->count; k++) text_format(&numbers, "%s%s", k ? ", " : "", number_text(x, k));
    for (size_t k = 0; k < x->objects; k++) text_format(&objects, "%s%s", k ? ", " : "", x->object[k]);
    const char *list =
        x->count == 0 ? "NULL" : arena_format(x->e->memory, "(const dpc_replicated[]){%s}", text_of(&numbers));
    const char *memory =
        x->objects == 0 ? "NULL" : arena_format(x->e->memory, "(const dpc_object[]){%s}", text_of(&objects));
    return arena_format(x->e->memory, "dpc_agree_on(%s, %d, %s, %d, %s);", place_literal(x->e, n), (int)x->count, list,
                        (int)x->objects, memory);
}

static bool is_empty(const replicas *x) {
    return x->count == 0 && x->objects == 0;
}

static void add_statement(replicas *x, const node *n) {
    const node *outermost = outermost_forall(n);
    x->statement = outermost ? outermost : n;
    find_replicas(x, x->statement);
    find_counters(x);
}

/* The statements that are executed with one, too. */
static void add_chain(replicas *x, const parallel *s) {
    const fusion *c = s->combined.chain;
    x->indexed = c ? (const parallel *const *)c->statement : &s;
    x->indexed_count = c ? (size_t)c->count : 1;
    for (int k = 0; c && k < c->count; k++) add_statement(x, c->statement[k]->node);
    add_statement(x, s->node);
    x->indexed_count = 0;
}

static void foresee_chain(emitter *e, const parallel *s) {
    const fusion *c = s->combined.chain;
    for (int k = 0; c && k < c->count; k++) foresee(e, c->statement[k]);
    foresee(e, s);
}

/* What was evaluated once, before the statements of a group. */
static void add_hoisted(replicas *x, const hoists *h, size_t after) {
    for (size_t k = 0; h && k < h->count; k++)
        if (h->hoisted[k].after == after && !h->hoisted[k].text)
            add_shown(x, h->hoisted[k].name, ast_quote(x->e->memory, x->e->p->source, h->hoisted[k].node));
}

void emit_agreement(emitter *e, const group *g) {
    replicas x = {.e = e};
    if (!e->p->check_all) return;
    for (const group *part = g; part; part = part->next)
        for (size_t k = 0; k < part->actions; k++) foresee_chain(e, part->action[k].statement);
    for (const group *part = g; part; part = part->next)
        for (size_t k = 0; k < part->actions; k++) add_chain(&x, part->action[k].statement);
    add_hoisted(&x, &g->hoisted, 0);
    /* A forall without a body has no statement, and its bounds decide nothing. */
    if (!is_empty(&x) && x.statement) emit_line(e, "%s", comparison_text(&x, x.statement));
}

void emit_agreement_of_hoisted(emitter *e, const group *g, size_t after) {
    replicas x = {.e = e};
    if (!e->p->check_all) return;
    add_hoisted(&x, &g->hoisted, after);
    if (!is_empty(&x)) emit_line(e, "%s", comparison_text(&x, g->node));
}

void emit_agreement_of(emitter *e, const parallel *s) {
    replicas x = {.e = e};
    if (!e->p->check_all) return;
    foresee_chain(e, s);
    add_chain(&x, s);
    if (!s->combined.chain) add_hoisted(&x, s->hoisted, 0);
    if (!is_empty(&x)) emit_line(e, "%s", comparison_text(&x, s->node));
}

const char *agreement_text(emitter *e, const node *n) {
    replicas x = {.e = e, .alone = true};
    if (!e->p->check_all) return "";
    add_statement(&x, n);
    return is_empty(&x) ? "" : arena_format(e->memory, "%s\n", comparison_text(&x, n));
}
