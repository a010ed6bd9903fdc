/* Arithmetic of linear expressions, and their text. */
#include "linear.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

linear linear_constant(int64_t value) {
    linear x = {.constant = value};
    return x;
}

static linear one_term(arena *a, linear_term t) {
    linear_term *kept = arena_alloc(a, sizeof *kept);
    *kept = t;
    return (linear){.terms = 1, .term = kept};
}

linear linear_atom(arena *a, const char *spelling, const node *n) {
    return one_term(a, (linear_term){1, spelling, n, NULL});
}

/* ---- Values that are being made */

typedef struct {
    int64_t constant;
    int terms, names;
    linear_term term[LINEAR_TERMS];
    linear_name name[LINEAR_NAMES];
} draft;

static draft draft_of(const linear *x) {
    draft d;
    d.constant = x->constant, d.terms = x->terms, d.names = x->names;
    if (x->terms) memcpy(d.term, x->term, (size_t)x->terms * sizeof *x->term);
    if (x->names) memcpy(d.name, x->name, (size_t)x->names * sizeof *x->name);
    return d;
}

static linear finished(arena *a, const draft *d) {
    linear made = {.constant = d->constant, .terms = d->terms, .names = d->names};
    if (d->terms) {
        linear_term *kept = arena_alloc(a, (size_t)d->terms * sizeof *kept);
        made.term = memcpy(kept, d->term, (size_t)d->terms * sizeof *kept);
    }
    if (d->names) {
        linear_name *kept = arena_alloc(a, (size_t)d->names * sizeof *kept);
        made.name = memcpy(kept, d->name, (size_t)d->names * sizeof *kept);
    }
    return made;
}

/* ---- Names of constants */

linear linear_named(arena *a, const char *spelling, int64_t value) {
    linear_name *kept = arena_alloc(a, sizeof *kept);
    *kept = (linear_name){1, value, spelling, false};
    return (linear){.constant = value, .names = 1, .name = kept};
}

linear linear_computed_from(arena *a, const char *names, int64_t value) {
    linear_name *kept = arena_alloc(a, sizeof *kept);
    *kept = (linear_name){1, value, names, true};
    return (linear){.constant = value, .names = 1, .name = kept};
}

/* "N, M" */
static const char *listed_names(arena *a, const linear_name *name, int names) {
    text out;
    text_start(&out, a);
    for (int k = 0; k < names; k++) text_format(&out, "%s%s", k ? ", " : "", name[k].text);
    return text_of(&out);
}

linear linear_without_terms(const linear *x) {
    linear constant = *x;
    constant.terms = 0;
    return constant;
}

/* Adds coefficient * name. */
static void add_name(arena *a, draft *x, linear_name n) {
    int at = 0;
    while (at < x->names && strcmp(x->name[at].text, n.text) != 0) at++;
    if (at == x->names && at == LINEAR_NAMES) {
        int64_t value = n.coefficient * n.value;
        for (int k = 0; k < x->names; k++) value += x->name[k].coefficient * x->name[k].value;
        x->name[0] = (linear_name){1, value, listed_names(a, x->name, x->names), true};
        x->names = 1;
    } else if (at == x->names) {
        x->name[x->names++] = n;
    } else if (!(x->name[at].coefficient += n.coefficient)) {
        x->names--;
        memmove(&x->name[at], &x->name[at + 1], (size_t)(x->names - at) * sizeof n);
    }
}

/* ---- Numbers beyond LINEAR_MOST: atoms without a node */

static const char least_text[] = "(-9223372036854775807 - 1)"; /* C has no literal for it */

static bool is_int(wide value) {
    return value > -INT_MAX && value < INT_MAX;
}

static bool is_small(wide value) {
    return value > -LINEAR_MOST && value < LINEAR_MOST;
}

/* To 64 bits. */
static int64_t cut(wide value) {
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* Of 64 bits; what is beyond is cut: no array has an element there but those with bounds at the very ends. */
static linear number(arena *a, wide value) {
    const int64_t kept = cut(value);
    if (is_small(kept)) return linear_constant(kept);
    return linear_atom(a, kept == INT64_MIN ? least_text : arena_format(a, "%" PRId64, kept), NULL);
}

linear linear_number(arena *a, int64_t value) {
    return number(a, value);
}

linear linear_computed(arena *a, int64_t value, const linear *from, int count) {
    draft names = {0};
    for (int x = 0; x < count; x++)
        for (int k = 0; k < from[x].names && names.names < LINEAR_NAMES; k++) {
            const linear_name n = {names.names + 1, 0, from[x].name[k].text, false}; /* no two cancel */
            add_name(a, &names, n);
        }
    if (names.names == 0 || !is_small(value)) return linear_number(a, value);
    return linear_computed_from(a, listed_names(a, names.name, names.names), value);
}

/* Whether an atom is such a number. */
static bool read_number(const char *s, wide *value) {
    char *end;
    if (!isdigit((unsigned char)*s) && *s != '-') {
        *value = INT64_MIN;
        return !strcmp(s, least_text);
    }
    errno = 0;
    *value = strtoll(s, &end, 10);
    return !errno && !*end;
}

/* The value without the terms that are numbers, which are taken out. */
static wide take_numbers(draft *x) {
    wide sum = x->constant, value;
    int kept = 0;
    for (int t = 0; t < x->terms; t++)
        if (read_number(x->term[t].text, &value))
            sum += x->term[t].coefficient * value;
        else
            x->term[kept++] = x->term[t];
    x->terms = kept;
    return sum;
}

static bool wide_value(const linear *x, wide *value) {
    draft rest = draft_of(x);
    *value = take_numbers(&rest);
    return rest.terms == 0;
}

bool linear_value(const linear *x, int64_t *value) {
    wide sum;
    if (!wide_value(x, &sum) || sum > INT64_MAX || sum < INT64_MIN) return false;
    *value = (int64_t)sum;
    return true;
}

bool linear_is_constant(const linear *x) {
    return x->terms == 0;
}

bool linear_is(const linear *x, int64_t value) {
    return x->terms == 0 && x->constant == value;
}

bool linear_equal(const linear *x, const linear *y) {
    if (x->constant != y->constant || x->terms != y->terms) return false;
    for (int t = 0; t < x->terms; t++)
        if (x->term[t].coefficient != y->term[t].coefficient || strcmp(x->term[t].text, y->term[t].text) != 0)
            return false;
    return true;
}

/* Whether C text is one operand: needs no parentheses beside any operator. */
static bool is_operand(const char *s) {
    int depth = 0;
    for (; *s; s++) {
        if (strchr("([", *s))
            depth++;
        else if (strchr(")]", *s))
            depth--;
        else if (depth == 0 && !isalnum((unsigned char)*s) && *s != '_' && *s != '.')
            return false;
    }
    return true;
}

const char *operand(arena *a, const char *s) {
    return is_operand(s) ? s : arena_format(a, "(%s)", s);
}

/* Whether an atom is a product, sum or quotient: it may stand alone without parentheses. */
static bool is_arithmetic(const node *n) {
    return n && !n->replacement && n->kind == N_BINARY && !n->op[1] && strchr("+-*/%", n->op[0]);
}

/* Everything folded into one atom, when the terms don't fit or a product overflows. */
static linear opaque(arena *a, const char *format, const linear *x, const linear *y) {
    return linear_atom(a, arena_format(a, format, linear_operand(a, x), linear_operand(a, y)), NULL);
}

/* The coefficient's text as an operand. */
static const char *coefficient_text(arena *a, const linear_term *t) {
    return t->named ? t->named : arena_format(a, t->coefficient < 0 ? "(%" PRId64 ")" : "%" PRId64, t->coefficient);
}

/* Adds coefficient * atom, keeping the order; false when there is no room or it overflows. */
static bool add_term(arena *a, draft *x, linear_term t) {
    int at = 0;
    while (at < x->terms && strcmp(x->term[at].text, t.text) < 0) at++;
    if (at < x->terms && strcmp(x->term[at].text, t.text) == 0) {
        linear_term *old = &x->term[at];
        if (old->named || t.named)
            old->named = arena_format(a, "(%s + %s)", coefficient_text(a, old), coefficient_text(a, &t));
        x->term[at].coefficient += t.coefficient;
        if (!is_small(x->term[at].coefficient)) return false;
        if (x->term[at].coefficient != 0) return true;
        x->terms--;
        memmove(&x->term[at], &x->term[at + 1], (size_t)(x->terms - at) * sizeof t);
        return true;
    }
    if (x->terms == LINEAR_TERMS) return false;
    memmove(&x->term[at + 1], &x->term[at], (size_t)(x->terms - at) * sizeof t);
    x->term[at] = t;
    x->terms++;
    return true;
}

/* Numbers added up, in one term where they are not small, and a constant where they are beyond 64 bits; false: there is
 * no room for it. */
static bool settle(arena *a, draft *x) {
    const wide sum = take_numbers(x), beyond = sum - cut(sum);
    const linear value = number(a, sum);
    x->constant = value.terms > 0 && is_small(beyond) ? (int64_t)beyond : value.constant;
    if (value.terms > 0) x->names = 0;
    return value.terms == 0 || add_term(a, x, value.term[0]);
}

bool linear_fits(const linear *x) {
    draft rest = draft_of(x);
    const wide sum = take_numbers(&rest);
    return sum == cut(sum);
}

static bool is_negated(const char *s) {
    return s[0] == '(' && s[1] == '-';
}

static const char *negative_text(arena *a, const char *s) {
    return is_negated(s) ? arena_text(a, s + 2, strlen(s) - 3) : arena_format(a, "(-%s)", s);
}

/* x + sign * y; false: it does not fit. */
static bool combine(arena *a, draft *x, const linear *y, int sign) {
    bool fits = true;
    x->constant += sign * y->constant;
    for (int t = 0; fits && t < y->terms; t++) {
        linear_term term = y->term[t];
        term.coefficient *= sign;
        if (term.named && sign < 0) term.named = negative_text(a, term.named);
        fits = add_term(a, x, term);
    }
    for (int k = 0; k < y->names; k++) {
        linear_name name = y->name[k];
        name.coefficient *= sign;
        add_name(a, x, name);
    }
    return fits && settle(a, x);
}

linear linear_add(arena *a, linear x, linear y) {
    if (y.terms == 0 && y.constant == 0 && y.names == 0) return x;
    draft sum = draft_of(&x);
    return combine(a, &sum, &y, 1) ? finished(a, &sum) : opaque(a, "%s + %s", &x, &y);
}

linear linear_subtract(arena *a, linear x, linear y) {
    if (y.terms == 0 && y.constant == 0 && y.names == 0) return x;
    draft difference = draft_of(&x);
    return combine(a, &difference, &y, -1) ? finished(a, &difference) : opaque(a, "%s - %s", &x, &y);
}

/* A constant times a factor, whose text is an operand: a name, or a number that says in a comment what it is made of.
 */
static linear_name scaled_name(arena *a, int64_t constant, int64_t factor, const char *factor_words) {
    static const char before[] = "/* computed from ";
    const char *from = strstr(factor_words, before), *end = from ? strstr(from, " */") : NULL;
    wide value = (wide)constant * factor;
    if (!end) return (linear_name){constant, factor, factor_words, false};
    from += sizeof before - 1;
    return (linear_name){1, is_small(value) ? (int64_t)value : 0, arena_text(a, from, (size_t)(end - from)), true};
}

/* x times a small factor, which is `named` where it is not NULL; false: that is beyond LINEAR_MOST. */
static bool scale(arena *a, draft *x, int64_t factor, const char *named) {
    wide product = (wide)x->constant * factor;
    bool fits = is_small(product);
    if (named && x->constant != 0)
        add_name(a, x, scaled_name(a, x->constant, factor, named));
    else
        for (int k = 0; k < x->names; k++) x->name[k].coefficient *= factor;
    x->constant = fits ? (int64_t)product : 0;
    for (int t = 0; fits && t < x->terms; t++) {
        linear_term *term = &x->term[t];
        if (named && (term->named || term->coefficient != 1))
            term->named = arena_format(a, "(%s * %s)", coefficient_text(a, term), named);
        else if (named)
            term->named = named;
        else if (term->named && factor != 1)
            term->named =
                arena_format(a, factor < 0 ? "((%" PRId64 ") * %s)" : "(%" PRId64 " * %s)", factor, term->named);
        product = (wide)term->coefficient * factor;
        fits = is_small(product);
        term->coefficient = fits ? (int64_t)product : 0;
    }
    if (factor == 0) x->terms = x->names = 0;
    return fits;
}

/* A factor's text as an operand where it has names; NULL: it is a number. */
static const char *factor_text(arena *a, const linear *x) {
    return x->names ? linear_operand(a, x) : NULL;
}

/* Whether it is a number that says in a comment what it was computed from. */
static bool is_computed(const linear *x) {
    for (int k = 0; k < x->names; k++)
        if (x->name[k].computed) return true;
    return false;
}

/* A product of constants one of which has names. */
static linear named_product(arena *a, const linear *x, const linear *y) {
    if (!x->names || !y->names) {
        draft product = draft_of(x->names ? x : y);
        if (scale(a, &product, x->names ? y->constant : x->constant, NULL)) return finished(a, &product);
    }
    const wide value = (wide)x->constant * y->constant;
    if (!is_small(value)) return number(a, value);
    if (!is_int(value) || is_computed(x) || is_computed(y))
        return linear_computed(a, (int64_t)value, (linear[]){*x, *y}, 2);
    return linear_named(a, arena_format(a, "(%s * %s)", linear_operand(a, x), linear_operand(a, y)), (int64_t)value);
}

linear linear_multiply(arena *a, linear x, linear y) {
    wide v, w;
    const bool known = wide_value(&x, &v), constant = linear_is_constant(&x);
    if (constant && linear_is_constant(&y) && (x.names || y.names)) return named_product(a, &x, &y);
    if (known && wide_value(&y, &w)) return number(a, v * w);
    if (known && v == 0) return linear_constant(0);
    draft product = draft_of(constant ? &y : &x);
    const linear *factor = constant ? &x : &y;
    if ((constant || linear_is_constant(&y)) && (product.names == 0 || factor->names == 0) &&
        scale(a, &product, factor->constant, factor_text(a, factor)) && settle(a, &product))
        return finished(a, &product);
    return opaque(a, "%s * %s", &x, &y);
}

static void add_constant(text *out, int64_t value, bool leading) {
    if (leading)
        text_format(out, "%" PRId64, value);
    else if (value > 0)
        text_format(out, " + %" PRId64, value);
    else if (value < 0)
        text_format(out, " - %" PRIu64, -(uint64_t)value);
}

/* Names and numbers multiplied: needs no parentheses in a sum. */
static bool is_product(const char *s) {
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("_ *.", *s)) return false;
    return true;
}

static void add_atom(arena *a, text *out, const linear_term *t, bool leading) {
    int64_t c = t->coefficient;
    const bool negated = t->named && is_negated(t->named), negative = t->named ? negated : c < 0;
    text_add(out, leading ? (negative ? "-" : "") : negative ? " - " : " + ");
    uint64_t magnitude = c < 0 ? -(uint64_t)c : (uint64_t)c;
    if (t->named)
        text_format(out, "%s * ", negated ? negative_text(a, t->named) : t->named);
    else if (magnitude != 1)
        text_format(out, "%" PRIu64 " * ", magnitude);
    text_add(out, magnitude == 1 && is_product(t->text) ? t->text : operand(a, t->text));
}

/* The same with the names as terms; where their sum could leave int, as a number that says what it is made of. */
static linear spelled_out(arena *a, const linear *x) {
    enum { MOST = LINEAR_TERMS + LINEAR_NAMES };
    linear_term *term = arena_alloc(a, MOST * sizeof *term);
    wide rest = x->constant, sum = 0;
    bool computed = false;
    for (int k = 0; k < x->names; k++) {
        computed = computed || x->name[k].computed;
        const wide part = (wide)x->name[k].coefficient * x->name[k].value;
        rest -= part;
        sum += part < 0 ? -part : part;
    }
    linear made = {.constant = (int64_t)rest, .terms = x->terms, .term = term};
    if (x->terms) memcpy(term, x->term, (size_t)x->terms * sizeof *term);
    if (computed || !is_int(sum + (rest < 0 ? -rest : rest))) {
        const char *number =
            arena_format(a, "%" PRId64 " /* computed from %s */", x->constant, listed_names(a, x->name, x->names));
        term[made.terms++] = (linear_term){.coefficient = 1, .text = number};
        made.constant = 0;
        return made;
    }
    for (int k = 0; k < x->names; k++)
        term[made.terms++] = (linear_term){.coefficient = x->name[k].coefficient, .text = x->name[k].text};
    return made;
}

const char *linear_text(arena *a, const linear *x) {
    const linear whole = x->names ? spelled_out(a, x) : *x;
    if (x->names) x = &whole;
    if (x->terms == 1 && x->constant == 0 && x->term[0].coefficient == 1)
        return is_arithmetic(x->term[0].node) || strstr(x->term[0].text, " /* ") ? x->term[0].text
                                                                                 : operand(a, x->term[0].text);
    text out;
    text_start(&out, a);
    bool leading = true;
    for (int pass = 0; pass < 2; pass++) /* positive terms first, so that nothing begins with a minus needlessly */
        for (int t = 0; t < x->terms; t++)
            if ((x->term[t].coefficient > 0) == (pass == 0)) {
                if (pass == 1 && leading && x->constant > 0) {
                    add_constant(&out, x->constant, true);
                    leading = false;
                }
                add_atom(a, &out, &x->term[t], leading);
                leading = false;
            }
    bool all_negative = x->terms > 0;
    for (int t = 0; t < x->terms; t++) all_negative = all_negative && x->term[t].coefficient < 0;
    if (!(all_negative && x->constant > 0)) add_constant(&out, x->constant, leading);
    return text_of(&out);
}

const char *linear_operand(arena *a, const linear *x) {
    return operand(a, linear_text(a, x));
}
