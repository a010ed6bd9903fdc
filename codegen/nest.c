/* What parallel statements print alike in SPMD and serial programs. */
#include <string.h>

#include "emitter.h"

const char *made_text(const emitter *e, const char *s) {
    use_names_in(e, s);
    return s;
}

/* The reference that a turn of a circular shift reads; the serial program has all of them. */
static const reference *turn_at(const parallel *s, const node *n, int turn) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].node == n && s->reference[k].turn == turn) return &s->reference[k];
    for (size_t k = 0; k < s->placed.drops; k++)
        if (s->placed.dropped[k].node == n && s->placed.dropped[k].turn == turn) return &s->placed.dropped[k];
    return NULL;
}

/* The turns from cycle k on, those before it decided. */
static const char *turns_text(emitter *e, const reference *r, int k, int turn) {
    const wrapping *c = &r->cycle[k];
    if (k == r->cycles) return reference_text(e, turn_at(e->current, r->node, turn));
    const char *at = linear_words(e, &c->position), *extent = linear_words(e, &c->extent);
    return arena_format(e->memory, "(%s < %s ? %s : %s)", at, extent, turns_text(e, r, k + 1, turn),
                        turns_text(e, r, k + 1, turn | 1 << k));
}

const char *read_text(emitter *e, const reference *r) {
    if (r->cycles == 0 || (r->turn == ALL_TURNS && !e->serial)) return reference_text(e, r);
    if (r->varies_round) return reference_text(e, turn_at(e->current, r->node, NO_TURNS));
    return turns_text(e, r, 0, 0);
}

const char *end_off_condition(emitter *e, const node *call) {
    const parallel *s = e->current;
    for (size_t k = 0; s && k < s->ends; k++)
        if (s->end_off[k].call == call) return made_text(e, s->end_off[k].condition);
    return NULL;
}

/* An array intrinsic: the subscripts of its argument hold what it does. */
const char *intrinsic_text(emitter *e, const node *call) {
    const char *value = parenthesise(e, expression(e, call->child[1])), *condition = end_off_condition(e, call);
    if (!condition) return value;
    const char *boundary = call->count > 3 ? parenthesise(e, expression(e, call->child[3])) : "0";
    const type *t = call->type;
    const char *cast =
        t && t->kind == TYPE_ARITHMETIC ? arena_format(e->memory, "(%s)", element_spelling(t->element)) : "";
    return arena_format(e->memory, "(%s ? %s : %s%s)", condition, value, cast, boundary);
}

/* Whether the loops around say that a condition holds: that of a place in a row. */
static bool holds_in_rows(const emitter *e, const node *mask) {
    return e->in_rows && mask->made && mask->name == ROW_LIMITS;
}

const char *mask_words(emitter *e, node *mask) {
    if (holds_in_rows(e, mask)) return "";
    const bool both = mask->made && mask->kind == N_BINARY && !strcmp(mask->op, "&&");
    if (both && holds_in_rows(e, mask->child[0])) return mask_words(e, mask->child[1]);
    return made_operand(e, mask);
}

static const char *mask_text(emitter *e, const parallel *s, int m) {
    node *mask = s->mask[m].node;
    if (mask->kind == N_LOCAL) return made_operand(e, mask->child[0]);
    if (!is_made_negation(mask)) return mask_words(e, mask);
    return arena_format(e->memory, "!%s", parenthesise(e, made_operand(e, mask->child[0])));
}

static int count_conditions(const parallel *s) {
    int count = 0;
    for (int m = 0; m < s->masks; m++) count += s->mask[m].node->kind != N_LOCAL;
    return count;
}

const char *first_masks(emitter *e, const parallel *s, int count, const char *at) {
    const bool several = count_conditions(s) > 1;
    text out;
    text_start(&out, e->memory);
    for (int m = 0; m < count; m++) {
        if (s->mask[m].node->kind == N_LOCAL) continue;
        const char *condition = s->mask[m].kept    ? s->mask[m].buffer
                                : s->mask[m].saved ? arena_format(e->memory, "%s[%s]", s->mask[m].buffer, at)
                                                   : mask_text(e, s, m);
        if (!*condition) continue;
        text_format(&out, "%s%s", out.length ? " && " : "", several ? parenthesise(e, condition) : condition);
    }
    return text_of(&out);
}

const char *saved_ctype(const parallel *s, int m) {
    return s->mask[m].node->kind == N_LOCAL ? value_ctype(s->mask[m].node->type) : "char";
}

const char *mask_value(emitter *e, const parallel *s, int m, const char *at) {
    const char *before = first_masks(e, s, m, at), *value = mask_text(e, s, m);
    if (s->mask[m].node->kind == N_LOCAL)
        return *before ? arena_format(e->memory, "%s ? %s : 0", parenthesise(e, before), parenthesise(e, value))
                       : value;
    value = *value ? parenthesise(e, value) : "1";
    return *before ? arena_format(e->memory, "%s && %s", before, value) : arena_format(e->memory, "%s != 0", value);
}

void emit_locals(emitter *e, const parallel *s) {
    if (!s->value || s->value->kind != N_LET) return;
    for (size_t c = 0; c + 1 < s->value->count; c++) {
        const node *x = s->value->child[c];
        emit_line(e, "const %s %s = %s;", value_ctype(x->type), x->name, made_operand(e, x->child[0]));
    }
}

/* ---- Bounds that are saved */

/* The text of a made value: without the parentheses around it, unless it becomes an operand. */
static const char *whole_operand(emitter *e, node *n, bool operand) {
    while (!operand && n->kind == N_PAREN && n->made) n = n->child[0];
    return operand ? parenthesise(e, made_operand(e, n)) : made_operand(e, n);
}

/* The mask that a bound is the name of; NULL: it is none that is saved. */
static const statement_mask *saved_as(const parallel *s, const linear *bound) {
    const node *n = bound->terms == 1 ? bound->term[0].node : NULL;
    for (int m = 0; n && m < s->masks; m++)
        if (s->mask[m].bound && s->mask[m].node->symbol == n->symbol) return &s->mask[m];
    return NULL;
}

bool is_ragged(const parallel *s, int which) {
    for (int k = 0; which >= 0 && k < s->indices; k++)
        if (s->index[k].ragged && s->index[k].reduction == which) return true;
    return false;
}

bool has_bounds_in_place(const parallel *s) {
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].in_place) return true;
    return false;
}

const char *ragged_bound(emitter *e, const parallel *s, const linear *bound, const char *at) {
    const statement_mask *m = saved_as(s, bound);
    if (!m) return linear_words(e, bound);
    const char *value = m->in_place ? whole_operand(e, m->node->child[0], bound->constant != 0)
                                    : arena_format(e->memory, "%s[%s]", m->buffer, at);
    const long long more = bound->constant;
    if (more == 0) return value;
    return arena_format(e->memory, "%s %c %lld", value, more < 0 ? '-' : '+', more < 0 ? -more : more);
}

static void declare_bound(emitter *e, const parallel *s, const linear *bound, const char *at) {
    const statement_mask *m = saved_as(s, bound);
    if (m) emit_line(e, "const long %s = %s[%s];", bound->term[0].text, m->buffer, at);
}

void declare_bounds(emitter *e, const parallel *s, int which, const char *at) {
    for (int k = 0; k < s->indices; k++) {
        if (s->index[k].reduction != which || !s->index[k].ragged) continue;
        declare_bound(e, s, &s->index[k].lower, at);
        declare_bound(e, s, &s->index[k].upper, at);
    }
}

/* ---- Reductions */

static const char *largest(emitter *e, element x) {
    static const char *const limits[ELEMENTS] = {
        [ELEMENT_BOOL] = "1",
        [ELEMENT_CHAR] = "CHAR_MAX",
        [ELEMENT_SIGNED_CHAR] = "SCHAR_MAX",
        [ELEMENT_UNSIGNED_CHAR] = "UCHAR_MAX",
        [ELEMENT_SHORT] = "SHRT_MAX",
        [ELEMENT_UNSIGNED_SHORT] = "USHRT_MAX",
        [ELEMENT_INT] = "INT_MAX",
        [ELEMENT_UNSIGNED] = "UINT_MAX",
        [ELEMENT_LONG] = "LONG_MAX",
        [ELEMENT_UNSIGNED_LONG] = "ULONG_MAX",
        [ELEMENT_LONG_LONG] = "LLONG_MAX",
        [ELEMENT_UNSIGNED_LONG_LONG] = "ULLONG_MAX",
        [ELEMENT_INT128] = "(__int128)(~(unsigned __int128)0 >> 1)",
        [ELEMENT_UNSIGNED_INT128] = "~(unsigned __int128)0",
        [ELEMENT_FLOAT] = "HUGE_VALF",
        [ELEMENT_DOUBLE] = "HUGE_VAL",
        [ELEMENT_LONG_DOUBLE] = "HUGE_VALL",
    };
    e->uses_limits = true;
    return limits[x] ? limits[x] : "0";
}

static const char *smallest(emitter *e, element x) {
    static const char *const limits[ELEMENTS] = {
        [ELEMENT_CHAR] = "CHAR_MIN",
        [ELEMENT_SIGNED_CHAR] = "SCHAR_MIN",
        [ELEMENT_SHORT] = "SHRT_MIN",
        [ELEMENT_INT] = "INT_MIN",
        [ELEMENT_LONG] = "LONG_MIN",
        [ELEMENT_LONG_LONG] = "LLONG_MIN",
        [ELEMENT_INT128] = "-(__int128)(~(unsigned __int128)0 >> 1) - 1",
    };
    e->uses_limits = true;
    if (limits[x]) return limits[x];
    return element_is_integer(x) ? "0" : arena_format(e->memory, "-%s", largest(e, x));
}

/* A complex vector is conjugated where it stands first. */
static const char *conjugate(emitter *e, const node *n, const char *value) {
    const bool is_complex = n->type && n->type->kind == TYPE_ARITHMETIC && element_is_complex(n->type->element);
    return is_complex ? arena_format(e->memory, "~(%s)", value) : parenthesise(e, value);
}

const char *start_value_of(emitter *e, operation op, const type *t) {
    const start_value start = facts_of_operation(op)->start;
    if (start == START_LARGEST) return largest(e, t->element);
    if (start == START_SMALLEST) return smallest(e, t->element);
    return start == START_ONE ? "1" : "0";
}

const char *start_text(emitter *e, const reduction *r) {
    return start_value_of(e, r->operation, r->type);
}

const char *reduction_ctype(const reduction *r) {
    return r->best ? "long" : value_ctype(r->type);
}

void emit_start(emitter *e, const reduction *r) {
    if (r->best) emit_line(e, "long %s = LONG_MIN;", r->name);
    emit_line(e, "%s %s = %s;", value_ctype(r->type), r->best ? r->best : r->name, start_text(e, r));
    if (r->exact) start_exact(e, r->type->element, r->exact);
}

void emit_finish(emitter *e, const reduction *r) {
    if (r->best) emit_line(e, "if (%s == LONG_MIN) %s = -1;", r->name, r->name);
    if (r->exact) emit_line(e, "%s = %s;", r->name, exact_result(e, r->type->element, r->exact));
    if (r->canonical) emit_line(e, "%s += 0;", r->name);
}

/* C text: whether the element comes before the best one so far. */
static const char *comes_before(emitter *e, const reduction *r, const char *place) {
    return !strcmp(r->backwards, "0") ? arena_format(e->memory, "%s < %s", place, r->name)
           : !strcmp(r->backwards, "1")
               ? arena_format(e->memory, "%s > %s", place, r->name)
               : arena_format(e->memory, "(%s ? %s > %s : %s < %s)", r->backwards, place, r->name, place, r->name);
}

const char *result_text(const emitter *e, const reduction *r) {
    return r->in_tile && !e->serial ? r->in_tile : r->name;
}

/* What the words of an update stand for. */
typedef struct {
    const char *word, *text;
} meaning;

static const char *meaning_of(const meaning *words, size_t count, const char *at, size_t length) {
    for (size_t k = 0; k < count; k++)
        if (strlen(words[k].word) == length && !strncmp(words[k].word, at, length)) return words[k].text;
    return "";
}

/* A line of an update with its words replaced; returns where the next one begins. */
static const char *emit_template_line(emitter *e, const char *at, const meaning *words, size_t count) {
    text out;
    text_start(&out, e->memory);
    while (*at && *at != '\n') {
        const size_t plain = strcspn(at, "$\n"),
                     word = at[plain] == '$' ? strspn(at + plain + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
        text_add_bytes(&out, at, plain);
        if (word > 0) text_add(&out, meaning_of(words, count, at + plain + 1, word));
        at += plain + (at[plain] == '$') + word;
    }
    emit_line(e, "%s", text_of(&out));
    return at + (*at == '\n');
}

static bool update_declares(const reduction *r) {
    return !r->best && strstr(facts_of_operation(r->operation)->update, "$candidate");
}

void emit_update_beside(emitter *e, const reduction *r) {
    code *around = update_declares(r) ? open_block(e) : e->at;
    emit_update(e, r);
    close_block(e, around);
}

/* The one of value and result so far that compares so with the other. */
static const char *better_text(emitter *e, const char *ctype, const char *compares, const char *value,
                               const char *result) {
    const char *x = fresh_name(e->p, "candidate");
    if (!e->serial)
        return arena_format(e->memory, "dpc_%s(%s, %s)", *compares == '<' ? "smaller" : "larger", value, result);
    return arena_format(e->memory, "({ const %s %s = %s; %s %s %s ? %s : %s; })", ctype, x, value, x, compares, result,
                        x, result);
}

void emit_update_of(emitter *e, operation op, const char *ctype, const char *result, const char *value) {
    const char *lines = facts_of_operation(op)->update;
    const meaning words[] = {{"result", result},
                             {"value", value},
                             {"type", ctype},
                             {"smaller", better_text(e, ctype, "<", value, result)},
                             {"larger", better_text(e, ctype, ">", value, result)},
                             {"candidate", strstr(lines, "$candidate") ? fresh_name(e->p, "candidate") : NULL}};
    while (*lines) lines = emit_template_line(e, lines, words, sizeof words / sizeof *words);
}

static void emit_exact_update(emitter *e, const reduction *r) {
    const char *value = expression(e, r->value);
    if (r->factor)
        value = arena_format(e->memory, "%s * %s", conjugate(e, r->value, value),
                             parenthesise(e, expression(e, r->factor)));
    emit_line(e, "%s;", exact_addition(e, r->type->element, r->exact, value));
}

void emit_update(emitter *e, const reduction *r) {
    if (r->exact) {
        emit_exact_update(e, r);
        return;
    }
    const char *lines = facts_of_operation(r->operation)->update, *value = expression(e, r->value);
    const char *place = r->best ? linear_words(e, &r->place) : NULL, *result = result_text(e, r);
    const meaning words[] = {
        {"result", result},
        {"smaller", better_text(e, value_ctype(r->type), "<", value, result)},
        {"larger", better_text(e, value_ctype(r->type), ">", value, result)},
        {"value", value},
        {"operand", parenthesise(e, value)},
        {"conjugate", conjugate(e, r->value, value)},
        {"factor", r->factor ? parenthesise(e, expression(e, r->factor)) : NULL},
        {"type", value_ctype(r->type)},
        {"candidate", strstr(lines, "$candidate") ? fresh_name(e->p, "candidate") : NULL},
        {"best", r->best},
        {"place", place},
        {"before", place ? comes_before(e, r, place) : NULL},
    };
    while (*lines) lines = emit_template_line(e, lines, words, sizeof words / sizeof *words);
}

const char *value_ctype(const type *t) {
    if (t && t->kind == TYPE_RECORD) return record_name(t);
    return t && t->kind == TYPE_ARITHMETIC ? element_spelling(t->element) : NULL;
}

/* ---- Hoisted values, checks */

static const char *and_also(emitter *e, const char *condition, const char *more) {
    return *condition && *more ? arena_format(e->memory, "%s && %s", condition, more) : *condition ? condition : more;
}

/* The condition under which a subscript of an array or pointer can be evaluated. */
static const char *subscript_condition(emitter *e, const node *name, int d, node *n) {
    const symbol *s = name->symbol;
    const char *at = parenthesise(e, expression(e, n));
    if (subscript_is_safe(s, d, n)) return "";
    if (s && s->array)
        return arena_format(e->memory, "%s >= %s && %s <= %s", at, linear_words(e, &s->array->lower[d]), at,
                            linear_words(e, &s->array->upper[d]));
    const type *t = name->type;
    for (int k = 0; t && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && k < d; k++) t = t->of;
    const char *row = parenthesise(e, emit_node(e, name)), *lower = lower_bound(e, name, d);
    for (int k = 0; k < d; k++) row = arena_format(e->memory, "%s[0]", row);
    if (!t || t->kind != TYPE_ARRAY || (s && s->is_parameter && d == 0))
        return d == 0 ? arena_format(e->memory, "%s != 0", row) : "";
    if (!t->array->child[2]) return "";
    if (lower) at = arena_format(e->memory, "(%s - %s)", at, lower);
    return arena_format(e->memory, "(size_t)%s < sizeof %s / sizeof %s[0]", at, row, row);
}

static const char *element_condition(emitter *e, node *n, const char *condition) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(n, &name, subscripts, &count)) return condition;
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind != N_TRIPLET)
            condition = and_also(e, condition, subscript_condition(e, name, d, subscripts[d]));
    return condition;
}

/* The condition under which n can be evaluated: divisors and pointers are not 0, subscripts inside. */
static const char *safety_condition(emitter *e, node *n, const char *condition) {
    int64_t divisor;
    node *needed = NULL;
    if (n->kind == N_SIZEOF) return condition;
    if (n->kind == N_BINARY && !n->op[1] && (n->op[0] == '/' || n->op[0] == '%') &&
        !constant_value(n->child[1], &divisor))
        needed = n->child[1];
    if ((n->kind == N_MEMBER && !strcmp(n->op, "->")) || (n->kind == N_UNARY && n->op[0] == '*' && !n->op[1]))
        needed = n->child[0];
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) condition = safety_condition(e, n->child[c], condition);
    bool top = n->kind == N_INDEX && !(n->parent->kind == N_INDEX && n->parent->child[0] == n);
    if (top) condition = element_condition(e, n, condition);
    if (!needed) return condition;
    return and_also(e, condition, arena_format(e->memory, "%s != 0", parenthesise(e, expression(e, needed))));
}

const char *guards_text(emitter *e, const guards *g) {
    const char *condition = "";
    for (size_t k = 0; g && k < g->count; k++) {
        const char *one = parenthesise(e, expression(e, g->guard[k].node));
        condition = and_also(e, condition, g->guard[k].negated ? arena_format(e->memory, "!%s", one) : one);
    }
    return condition;
}

/* No step is taken beyond the last value: it may be the greatest number that there is. */
const char *counted_step(emitter *e, const loop_index *x, const char *left) {
    const char *stride = linear_words(e, &x->stride);
    if (!linear_is_constant(&x->stride)) stride = arena_format(e->memory, "%s > 0 ? %s : 0", left, stride);
    return arena_format(e->memory, "%s--, %s += %s", left, x->name, stride);
}

/* The condition that a range has elements; "": it is known to. C compilers warn of comparing a value with itself. */
static const char *filled_condition(emitter *e, const loop_index *x, const node *n) {
    const char *lower = linear_words(e, &x->lower), *upper = linear_words(e, &x->upper);
    const linear reach = linear_subtract(e->memory, x->upper, x->lower);
    const bool unit = linear_is(&x->stride, 1) || linear_is(&x->stride, -1);
    if (unit && linear_is_constant(&reach) && reach.constant * x->stride.constant >= 0) return "";
    if (linear_is(&x->stride, 1)) return arena_format(e->memory, "%s <= %s", lower, upper);
    if (linear_is(&x->stride, -1)) return arena_format(e->memory, "%s >= %s", lower, upper);
    e->uses_extent = true;
    return arena_format(e->memory, "dpc_extent(%s, %s, %s, %s) > 0", place_literal(e, n), lower, upper,
                        linear_words(e, &x->stride));
}

/* The condition under which the program evaluates what is evaluated beforehand; "": always. */
static const char *hoist_condition(emitter *e, const hoisted *x) {
    const char *condition = "";
    for (int k = 0; k < x->indices; k++) condition = and_also(e, condition, filled_condition(e, &x->index[k], x->node));
    condition = and_also(e, condition, guards_text(e, &x->guards));
    return x->guarded ? safety_condition(e, x->node, condition) : condition;
}

static void emit_hoisted_reduction(emitter *e, const hoisted *x, const parallel *s) {
    const char *condition = hoist_condition(e, x), *ctype = reduction_ctype(&s->reduction[0]);
    if (!strcmp(s->reduction[0].name, x->name)) {
        emit_reduction(e, s);
        return;
    }
    emit_line(e, "%s %s%s;", ctype, x->name, *condition ? " = 0" : "");
    code *around = *condition ? open_guard(e, condition) : open_block(e);
    emit_reduction(e, s);
    emit_line(e, "%s = %s;", x->name, s->reduction[0].name);
    close_block(e, around);
}

static void emit_hoisted(emitter *e, const hoisted *x) {
    if (x->text) {
        emit_declaration(e, x->name, "const %s %s = %s;", x->ctype, x->name, made_text(e, x->text));
        return;
    }
    const char *condition = hoist_condition(e, x), *value = expression(e, x->node);
    if (*condition) value = arena_format(e->memory, "%s ? %s : 0", condition, parenthesise(e, value));
    const char *ctype = x->ctype ? x->ctype : arena_format(e->memory, "__typeof__(%s)", value);
    emit_line(e, "const %s %s = %s;", ctype, x->name, value);
}

void emit_hoists(emitter *e, const hoists *h, size_t after) {
    for (size_t k = 0; k < h->count; k++) {
        if (h->hoisted[k].after != after) continue;
        const parallel *s = reduction_at(e->p, h->hoisted[k].node);
        if (s)
            emit_hoisted_reduction(e, &h->hoisted[k], s);
        else
            emit_hoisted(e, &h->hoisted[k]);
    }
}

static void emit_section_check(emitter *e, const conformity *c) {
    if (e->serial || e->options->no_checks) return;
    emit_line(e, "dpc_check_section(%s, %s, %d, %s, %s, %s);", place_literal(e, c->node), c->inside->address, c->dim,
              linear_words(e, &c->left[0]), linear_words(e, &c->left[1]), linear_words(e, &c->left[2]));
}

void emit_conformity(emitter *e, const parallel *s) {
    for (size_t k = 0; k < s->conformities; k++) {
        const conformity *c = &s->conformity[k];
        if (c->inside) {
            emit_section_check(e, c);
            continue;
        }
        e->uses_conform = true;
        emit_line(e, "dpc_conform(%s, %s, %s, %s, \"%s\", %s, %s, %s, \"%s\");", place_literal(e, s->node),
                  linear_words(e, &c->left[0]), linear_words(e, &c->left[1]), linear_words(e, &c->left[2]),
                  escaped(e, c->left_text), linear_words(e, &c->right[0]), linear_words(e, &c->right[1]),
                  linear_words(e, &c->right[2]), escaped(e, c->right_text));
    }
}

const char *stored_text(emitter *e, const parallel *s) {
    return s->member ? expression(e, s->member) : reference_text(e, &s->left);
}

const char *left_ctype(emitter *e, const parallel *s) {
    if (s->member) return value_ctype(s->member->type);
    if (s->left.array) return element_spelling(s->left.array->element);
    const char *known = value_ctype(s->left.node->type);
    if (known) return known;
    const char *element_text = s->left.symbol ? s->left.symbol->name : parenthesise(e, emit_node(e, s->left.base));
    for (int d = 0; d < s->left.rank; d++) element_text = arena_format(e->memory, "%s[0]", element_text);
    return arena_format(e->memory, "__typeof__(%s)", element_text);
}

bool stores_by_pointer(const parallel *s) {
    if (s->left.rank == 0) return true;
    for (int d = 0; d < s->left.rank; d++)
        if (s->left.subscript[d].kind == SUBSCRIPT_GENERAL) return true;
    return false;
}

const char *buffer_ctype(emitter *e, const parallel *s) {
    return strcmp(s->op, "=") != 0 ? value_ctype(s->value->type) : left_ctype(e, s);
}
