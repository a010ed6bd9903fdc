/* Integer constant expressions and linear forms of expressions. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

/* ---- Constants, folded in the types that C gives them */

/* A value of an integer type, exact. */
typedef struct {
    element type;
    __int128 value;
} typed;

/* Whether a value of its type is within it; wraps what is unsigned. False for what C does not define. */
static bool fits_type(typed *x) {
    const int bits = (int)(8 * element_bytes(x->type));
    if (bits > 64) return x->type == ELEMENT_INT128 || x->value >= 0;
    const __int128 limit = (__int128)1 << (bits - element_is_signed(x->type));
    if (element_is_signed(x->type)) return x->value < limit && x->value >= -limit;
    x->value &= limit - 1;
    return true;
}

/* A conversion to an integer type: to a signed one, modulo its range (gcc and clang define that). */
static bool convert(typed *x, element to) {
    const int bits = to == ELEMENTS ? 0 : (int)(8 * element_bytes(to));
    if (to == ELEMENTS || !element_is_integer(to)) return false;
    x->type = to;
    if (to == ELEMENT_BOOL) x->value = x->value != 0;
    if (fits_type(x)) return true;
    if (bits > 64) return false;
    const __int128 range = (__int128)1 << bits, low = x->value & (range - 1);
    x->value = low >= range / 2 ? low - range : low;
    return true;
}

/* The character behind a backslash; *s is moved past it. */
static bool escape_value(const char **s, long *value) {
    static const char letters[] = "abfnrtv'\"\\?e", values[] = "\a\b\f\n\r\t\v'\"\\?\033";
    const char *letter = strchr(letters, **s);
    char *end;
    if (letter) {
        *value = values[letter - letters];
        ++*s;
        return true;
    }
    const bool hexadecimal = **s == 'x';
    if (!hexadecimal && (**s < '0' || **s > '7')) return false;
    *value = strtol(*s + hexadecimal, &end, hexadecimal ? 16 : 8);
    *s = end;
    return true;
}

/* A constant of one character of ASCII. */
static bool character_value(const char *s, typed *x) {
    long value = 0;
    s = strchr(s, '\'') + 1;
    if (*s == '\\') {
        s++;
        if (!escape_value(&s, &value)) return false;
    } else {
        value = (unsigned char)*s++;
    }
    x->value = value;
    return value >= 0 && value < 128 && *s == '\'';
}

static bool constant_of_text(const char *s, typed *x) {
    char *end;
    x->type = constant_element(s);
    if (x->type == ELEMENTS || !element_is_integer(x->type)) return false;
    if (strchr(s, '\'')) return character_value(s, x);
    const bool binary = s[0] == '0' && (s[1] == 'b' || s[1] == 'B');
    x->value = (__int128)(binary ? strtoull(s + 2, &end, 2) : strtoull(s, &end, 0));
    return true;
}

static bool typed_value(const node *n, typed *x);

static bool fold_unary(const char *op, typed *x) {
    if (op[1] || !strchr("-+~!", op[0])) return false;
    if (op[0] == '!') {
        *x = (typed){ELEMENT_INT, !x->value};
        return true;
    }
    if (!convert(x, element_promoted(x->type))) return false;
    if (op[0] == '-') {
        if (__builtin_sub_overflow((__int128)0, x->value, &x->value)) return false;
    } else if (op[0] == '~') {
        x->value = ~x->value;
    }
    return fits_type(x);
}

static bool fold_arithmetic(char op, __int128 x, __int128 y, __int128 *value) {
    switch (op) {
    case '+':
        return !__builtin_add_overflow(x, y, value);
    case '-':
        return !__builtin_sub_overflow(x, y, value);
    case '*':
        return !__builtin_mul_overflow(x, y, value);
    case '/':
    case '%':
        if (y == 0) return false;
        if (y == -1 && op == '/') return !__builtin_sub_overflow((__int128)0, x, value);
        *value = op == '/' ? x / y : y == -1 ? 0 : x % y;
        return true;
    case '&':
        *value = x & y;
        return true;
    case '|':
        *value = x | y;
        return true;
    case '^':
        *value = x ^ y;
        return true;
    default:
        return false;
    }
}

/* False: not a comparison. */
static bool fold_comparison(const char *op, __int128 x, __int128 y, typed *result) {
    static const char *const names[] = {"<", ">", "<=", ">=", "==", "!="};
    const bool values[] = {x<y, x> y, x <= y, x >= y, x == y, x != y};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(op, names[k])) {
            *result = (typed){ELEMENT_INT, values[k]};
            return true;
        }
    return false;
}

/* The type is the left operand's. A left shift of a signed number must not leave its type. */
static bool fold_shift(const char *op, typed x, __int128 by, typed *result) {
    if (!convert(&x, element_promoted(x.type)) || by < 0 || by >= 8 * element_bytes(x.type)) return false;
    const bool left = op[0] == '<';
    if (left && (x.value < 0 || element_bytes(x.type) > 8)) return false;
    *result = (typed){x.type, left ? (__int128)((unsigned __int128)x.value << by) : x.value >> by};
    return fits_type(result);
}

static bool fold_binary(const char *op, typed x, typed y, typed *result) {
    if (!strcmp(op, "<<") || !strcmp(op, ">>")) return fold_shift(op, x, y.value, result);
    const element common = element_common(x.type, y.type);
    if (!convert(&x, common) || !convert(&y, common)) return false;
    if (fold_comparison(op, x.value, y.value, result)) return true;
    result->type = common;
    return !op[1] && fold_arithmetic(op[0], x.value, y.value, &result->value) && fits_type(result);
}

/* && and ||: what decides need not have a constant beside it. */
static bool fold_circuit(const node *n, typed *x) {
    const bool is_and = n->op[0] == '&';
    if (!typed_value(n->child[0], x)) return false;
    if ((x->value != 0) == is_and && !typed_value(n->child[1], x)) return false;
    *x = (typed){ELEMENT_INT, x->value != 0};
    return true;
}

static bool binary_value(const node *n, typed *x) {
    typed y;
    if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) return fold_circuit(n, x);
    return typed_value(n->child[0], x) && typed_value(n->child[1], &y) && fold_binary(n->op, *x, y, x);
}

/* The side that is taken, in the type of both. */
static bool conditional_value(const node *n, typed *x) {
    typed condition, other;
    if (!n->child[1] || !typed_value(n->child[0], &condition)) return false;
    if (!typed_value(n->child[condition.value ? 1 : 2], x)) return false;
    if (typed_value(n->child[condition.value ? 2 : 1], &other)) return convert(x, element_common(x->type, other.type));
    return x->value >= 0 && convert(x, element_promoted(x->type));
}

/* sizeof and _Alignof of an arithmetic type. */
static bool sizeof_value(const node *n, typed *x) {
    const element e = n->child[0]->kind == N_TYPE_NAME ? element_of_type_name(n->child[0]) : ELEMENTS;
    if (e == ELEMENTS) return false;
    const bool size = !strcmp(lexer_canonical(n->op), "sizeof");
    *x = (typed){library_type("size_t"), size ? element_bytes(e) : element_alignment(e)};
    return true;
}

/* An enumerator: int, as long as it fits. */
static bool enumerator_value(const symbol *s, typed *x) {
    if (!s || s->kind != SYMBOL_ENUMERATOR || !s->has_value) return false;
    const bool typed_here = s->type && s->type->kind == TYPE_ARITHMETIC;
    *x = (typed){typed_here ? s->type->element : ELEMENT_INT, s->value};
    return fits_type(x);
}

/* Names of limits.h, stdint.h and stdbool.h; headers' macros stay names. */
static bool limit_value(const char *name, typed *x) {
    static const struct {
        const char *name;
        element type;
        int64_t value;
    } limits[] = {
#define LIMIT(type, name) {#name, ELEMENT_##type, name}
        LIMIT(INT, INT_MAX),         LIMIT(INT, INT_MIN),
        LIMIT(LONG, LONG_MAX),       LIMIT(LONG, LONG_MIN),
        LIMIT(LONG_LONG, LLONG_MAX), LIMIT(LONG_LONG, LLONG_MIN),
        LIMIT(INT, INT32_MAX),       LIMIT(INT, INT32_MIN),
        LIMIT(LONG, INT64_MAX),      LIMIT(LONG, INT64_MIN),
        LIMIT(INT, SHRT_MAX),        LIMIT(INT, SHRT_MIN),
        LIMIT(INT, CHAR_BIT),        LIMIT(INT, true),
        LIMIT(INT, false),
#undef LIMIT
    };
    for (size_t k = 0; name && k < sizeof limits / sizeof *limits; k++)
        if (!strcmp(name, limits[k].name)) {
            *x = (typed){limits[k].type, limits[k].value};
            return true;
        }
    return false;
}

static bool typed_value(const node *n, typed *x) {
    switch ((int)n->kind) {
    case N_CONSTANT:
        return n->name && constant_of_text(n->name, x);
    case N_NAME:
        return n->symbol ? enumerator_value(n->symbol, x) : limit_value(n->name, x);
    case N_PAREN:
        return typed_value(n->child[0], x);
    case N_CAST:
        return typed_value(n->child[1], x) &&
               convert(x, n->made ? n->type->element : element_of_type_name(n->child[0]));
    case N_UNARY:
        return typed_value(n->child[0], x) && fold_unary(n->op, x);
    case N_BINARY:
        return binary_value(n, x);
    case N_CONDITIONAL:
        return conditional_value(n, x);
    case N_SIZEOF:
        return sizeof_value(n, x);
    default:
        return false;
    }
}

bool constant_value(const node *n, int64_t *value) {
    typed x;
    if (!typed_value(n, &x) || x.value > INT64_MAX || x.value < INT64_MIN) return false;
    *value = (int64_t)x.value;
    return true;
}

static bool is_counted_from_zero(const node *n) {
    return n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_INDEX && n->symbol->has_value;
}

static linear moved_value(arena *a, const node *n) {
    return linear_add(a, linear_number(a, n->symbol->value),
                      linear_atom(a, n->symbol->spelling ? n->symbol->spelling : n->name, n));
}

const char *moved_index(arena *a, const node *n) {
    if (!is_counted_from_zero(n)) return NULL;
    const linear value = moved_value(a, n);
    return linear_operand(a, &value);
}

/* Whether an operator converts both of its operands, one of which is this, to numbers that hold all values of a long.
 */
static bool widens(const node *above, const node *other) {
    const bool compares = is_comparison(above);
    const type *t = other->type;
    if (t && t->kind == TYPE_ARITHMETIC && !element_is_integer(t->element) && !element_is_record(t->element))
        return compares || (!above->op[1] && strchr("+-*/", above->op[0]));
    return compares && type_is_signed_integer(other->type);
}

/* Whether an index of a signed type may stand as a long in an expression: sums with constants, which do not overflow,
 * and comparisons have the same values. */
static bool is_same_as_long(const node *n) {
    int64_t constant;
    if (!type_is_signed_integer(n->symbol->type) || n->symbol->type->element == ELEMENT_LONG_LONG) return false;
    for (const node *above = n->parent; above; n = above, above = n->parent) {
        if (above->kind == N_PAREN) continue;
        if (above->kind != N_BINARY) return false;
        const node *other = above->child[above->child[0] == n];
        if (!strcmp(above->op, "&&") || !strcmp(above->op, "||") || widens(above, other)) return true;
        if (above->op[1] || !strchr("+-", above->op[0]) || !type_is_signed_integer(other->type)) return false;
        if (!constant_value(other, &constant) || constant < -INT16_MAX || constant > INT16_MAX) return false;
    }
    return false;
}

const char *converted_index(arena *a, const node *n) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    if (!s || s->kind != SYMBOL_INDEX || !s->type || s->type->kind != TYPE_ARITHMETIC ||
        s->type->element == ELEMENT_LONG)
        return NULL;
    if (n->parent && n->parent->kind == N_INDEX && n->parent->child[1] == n) return NULL;
    if (is_same_as_long(n)) return NULL;
    const char *moved = moved_index(a, n);
    return arena_format(a, "(%s)%s", element_spelling(s->type->element),
                        moved         ? moved
                        : s->spelling ? s->spelling
                                      : n->name);
}

/* A product of what is no constant is an atom, which stands in the source. */
static linear product_of(arena *a, const linear x, const linear y, const node *n) {
    const linear product = linear_multiply(a, x, y);
    const bool opaque = product.terms == 1 && !product.term[0].node && product.constant == 0 && product.names == 0;
    return opaque && product.term[0].coefficient == 1 ? linear_atom(a, product.term[0].text, n) : product;
}

static linear linear_binary(arena *a, const source *s, const node *n) {
    linear x = linear_of(a, s, n->child[0]), y = linear_of(a, s, n->child[1]);
    switch (n->op[0]) {
    case '+':
        return linear_add(a, x, y);
    case '-':
        return linear_subtract(a, x, y);
    default:
        return product_of(a, x, y, n);
    }
}

/* ---- The names that constants were made of */

/* Whether its text may stand among signed numbers: an operand of type int, long or long long. */
static bool is_signed_operand(const typed *x) {
    return x->type == ELEMENT_INT || x->type == ELEMENT_LONG || x->type == ELEMENT_LONG_LONG;
}

/* Whether it names an enumerator; one whose name may mean something else where the text stands. */
static bool mentions_enumerator(const node *n, bool hidden) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_ENUMERATOR) return !hidden || !n->symbol->only_one;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && mentions_enumerator(n->child[c], hidden)) return true;
    return false;
}

static bool mentions_constant(const source *s, const node *n) {
    for (size_t t = n->first; t <= n->last; t++)
        if (s->tokens[t].from_macro && use_at(s, t, n->last)) return true;
    return mentions_enumerator(n, false);
}

static void add_name(text *out, const char *name) {
    if (!mentions_word(text_of(out), name)) text_format(out, "%s%s", out->length ? ", " : "", name);
}

static void add_enumerators(text *out, const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_ENUMERATOR) add_name(out, n->name);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) add_enumerators(out, n->child[c]);
}

/* A constant whose text cannot stand in place of its value: the number, and what it was computed from. */
static linear computed_constant(arena *a, const source *s, const node *n, int64_t value) {
    text names;
    text_start(&names, a);
    for (size_t t = n->first; t <= n->last; t++) {
        const macro_use *use = s->tokens[t].from_macro ? use_at(s, t, n->last) : NULL;
        if (use) add_name(&names, use->name), t = use->last;
    }
    add_enumerators(&names, n);
    return linear_computed_from(a, text_of(&names), value);
}

static linear constant_of(arena *a, const source *s, const node *n, const typed *x);

/* A sum, difference or product, if that is what its operands' names give. */
static bool composed(arena *a, const source *s, const node *n, linear *result) {
    typed x, y;
    const bool unary = n->kind == N_UNARY && n->op[0] == '-' && !n->op[1];
    if (unary && !typed_value(n->child[0], &x)) return false;
    if (unary) {
        *result = linear_subtract(a, linear_constant(0), constant_of(a, s, n->child[0], &x));
        return true;
    }
    if (n->kind != N_BINARY || n->op[1] || !strchr("+-*", n->op[0])) return false;
    if (!typed_value(n->child[0], &x) || !typed_value(n->child[1], &y)) return false;
    const linear left = constant_of(a, s, n->child[0], &x), right = constant_of(a, s, n->child[1], &y);
    *result = n->op[0] == '+'   ? linear_add(a, left, right)
              : n->op[0] == '-' ? linear_subtract(a, left, right)
                                : linear_multiply(a, left, right);
    return true;
}

/* A constant with its names: those of macros that stay in the output, and of enumerators. */
static linear constant_of(arena *a, const source *s, const node *n, const typed *x) {
    const linear plain = linear_number(a, (int64_t)x->value);
    linear made;
    if (n->made && n->kind == N_PAREN) return constant_of(a, s, n->child[0], x);
    if (n->made && is_signed_operand(x) && composed(a, s, n, &made)) return linear_equal(&made, &plain) ? made : plain;
    if (plain.terms || n->made || !mentions_constant(s, n)) return plain;
    if (!is_signed_operand(x)) return computed_constant(a, s, n, plain.constant);
    const macro_use *use = use_at(s, n->first, n->last);
    if (use && use->last == n->last) return linear_named(a, use->name, plain.constant);
    if (n->kind == N_PAREN) return constant_of(a, s, n->child[0], x);
    if (composed(a, s, n, &made))
        return linear_equal(&made, &plain) ? made : computed_constant(a, s, n, plain.constant);
    if (mentions_enumerator(n, true)) return computed_constant(a, s, n, plain.constant);
    return linear_named(a, operand(a, spelling(a, s, n)), plain.constant);
}

/* (long) of what the analysis takes as a long: atoms are converted anyway; or of a sum or product of signed numbers,
 * which is no factor of a product, that would be computed in the narrower type then. */
static bool is_long_view(const node *n) {
    const node *above = n->parent, *of = n->kind == N_CAST ? inside_parentheses(n->child[1]) : n;
    if (n->kind != N_CAST || !n->made || !n->type || n->type->element != ELEMENT_LONG) return false;
    while (above && above->kind == N_PAREN) above = above->parent;
    const bool factor = above && above->kind == N_BINARY && above->op[0] != '+' && above->op[0] != '-';
    return type_is_long_unsigned(of->type) || (!factor && of->kind == N_BINARY && type_counts_as_long(of->type));
}

linear linear_of(arena *a, const source *s, const node *n) {
    int64_t value;
    if (n->replacement) return linear_atom(a, n->replacement, n);
    if (is_counted_from_zero(n)) return moved_value(a, n);
    typed x;
    if (constant_value(n, &value) && typed_value(n, &x)) return constant_of(a, s, n, &x);
    if (n->kind == N_PAREN || is_long_view(n)) return linear_of(a, s, n->child[n->kind == N_CAST]);
    if (n->kind == N_UNARY && n->op[0] == '-' && !n->op[1])
        return linear_subtract(a, linear_constant(0), linear_of(a, s, n->child[0]));
    bool sums = n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]);
    if (sums && (!n->type || type_counts_as_long(n->type))) return linear_binary(a, s, n);
    linear atom = linear_atom(a, spelling(a, s, n), NULL);
    /* what wraps around is converted, so that differences of such atoms may be negative */
    const type *t = n->type ? n->type : n->kind == N_NAME && n->symbol ? n->symbol->type : NULL;
    return linear_atom(
        a, type_is_unsigned(t) ? arena_format(a, "(long)%s", linear_operand(a, &atom)) : atom.term[0].text, n);
}
