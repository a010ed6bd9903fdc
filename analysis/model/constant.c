/* Integer constant expressions and linear forms of expressions. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

static bool constant_of_text(const char *s, int64_t *value) {
    if (s[0] == '\'') {
        *value = (unsigned char)s[1];
        return s[1] != '\\' && s[1] != 0 && s[2] == '\'';
    }
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s, &end, 0);
    if (end == s || errno || v > INT64_MAX || strspn(end, "uUlL") != strlen(end)) return false;
    *value = (int64_t)v;
    return true;
}

static bool fold_unary(const char *op, int64_t x, int64_t *value) {
    switch (op[0]) {
    case '-':
        return !__builtin_sub_overflow((int64_t)0, x, value);
    case '+':
        *value = x;
        return op[1] == 0;
    case '~':
        *value = ~x;
        return true;
    case '!':
        *value = !x;
        return true;
    default:
        return false;
    }
}

static bool fold_arithmetic(char op, int64_t x, int64_t y, int64_t *value) {
    switch (op) {
    case '+':
        return !__builtin_add_overflow(x, y, value);
    case '-':
        return !__builtin_sub_overflow(x, y, value);
    case '*':
        return !__builtin_mul_overflow(x, y, value);
    case '/':
    case '%':
        if (y == 0 || (x == INT64_MIN && y == -1)) return false;
        *value = op == '/' ? x / y : x % y;
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
    case '<':
        *value = x < y;
        return true;
    case '>':
        *value = x > y;
        return true;
    default:
        return false;
    }
}

static bool fold_binary(const char *op, int64_t x, int64_t y, int64_t *value) {
    if (!op[1]) return fold_arithmetic(op[0], x, y, value);
    if (!strcmp(op, "<<") || !strcmp(op, ">>")) {
        if (x < 0 || y < 0 || y > 62 || (op[0] == '<' && x > (INT64_MAX >> y))) return false;
        *value = op[0] == '<' ? x << y : x >> y;
    } else if (!strcmp(op, "=="))
        *value = x == y;
    else if (!strcmp(op, "!="))
        *value = x != y;
    else if (!strcmp(op, "<="))
        *value = x <= y;
    else if (!strcmp(op, ">="))
        *value = x >= y;
    else if (!strcmp(op, "&&"))
        *value = x && y;
    else if (!strcmp(op, "||"))
        *value = x || y;
    else
        return false;
    return true;
}

static bool constant_conditional(const node *n, int64_t *value) {
    int64_t condition;
    if (!n->child[1] || !constant_value(n->child[0], &condition)) return false;
    return constant_value(n->child[condition ? 1 : 2], value);
}

int64_t element_bytes(element e) {
    static const int64_t sizes[] = {
#define ELEMENT(name, spelling, rank, integer, is_signed) (int64_t)sizeof(c_##name),
#define c_BOOL _Bool
#define c_CHAR char
#define c_SIGNED_CHAR signed char
#define c_UNSIGNED_CHAR unsigned char
#define c_SHORT short
#define c_UNSIGNED_SHORT unsigned short
#define c_INT int
#define c_UNSIGNED unsigned
#define c_LONG long
#define c_UNSIGNED_LONG unsigned long
#define c_LONG_LONG long long
#define c_UNSIGNED_LONG_LONG unsigned long long
#define c_FLOAT float
#define c_DOUBLE double
#define c_LONG_DOUBLE long double
#define c_FLOAT_COMPLEX float _Complex
#define c_DOUBLE_COMPLEX double _Complex
#define c_LONG_DOUBLE_COMPLEX long double _Complex
#include "elements.def"
#undef ELEMENT
    };
    return sizes[e];
}

/* sizeof of a type that is one arithmetic specifier list. */
static bool constant_sizeof(const node *n, int64_t *value) {
    const node *t = n->child[0];
    if (t->kind != N_TYPE_NAME || t->child[0]->count != 1 || (t->count > 1 && t->child[1])) return false;
    for (int e = 0; e < ELEMENTS; e++)
        if (t->child[0]->child[0]->name && !strcmp(t->child[0]->child[0]->name, element_spelling((element)e))) {
            *value = element_bytes((element)e);
            return true;
        }
    return false;
}

/* Whether a cast leaves a value as it is, in types of at least these widths; a conversion to floating point does not
 * count. */
static bool cast_keeps(const node *specifiers, int64_t value) {
    static const struct {
        const char *word;
        int64_t limit;
    } words[] = {{"_Bool", 1},     {"bool", 1},        {"char", 127},       {"short", 32767},    {"int8_t", 127},
                 {"uint8_t", 127}, {"int16_t", 32767}, {"uint16_t", 32767}, {"long", INT64_MAX}, {"float", -1},
                 {"double", -1},   {"complex", -1},    {"_Complex", -1}};
    int64_t limit = INT32_MAX;
    bool may_be_unsigned = false;
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        if (s->kind != N_KEYWORD && s->kind != N_TYPEDEF_REFERENCE) continue;
        if (s->kind == N_TYPEDEF_REFERENCE) limit = INT64_MAX;
        may_be_unsigned |= s->kind == N_TYPEDEF_REFERENCE || !strcmp(s->name, "unsigned");
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!strcmp(s->name, words[k].word)) limit = words[k].limit;
    }
    return value <= limit && value >= (may_be_unsigned ? 0 : -limit - 1);
}

static bool constant_cast(const node *n, int64_t *value) {
    const node *type_name = n->child[0];
    return (type_name->count < 2 || !type_name->child[1]) && constant_value(n->child[1], value) &&
           cast_keeps(type_name->child[0], *value);
}

/* Whether n is computed in an unsigned type somewhere; `wide`: of 64 bits. */
static bool is_unsigned(const node *n, bool *wide) {
    if (n->kind == N_SIZEOF) return *wide = true;
    bool found = n->kind == N_CONSTANT && n->name && n->name[0] != '\'' && strpbrk(n->name, "uU");
    *wide = *wide || (n->kind == N_CONSTANT && n->name && strpbrk(n->name, "lL"));
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && n->kind != N_CAST && is_unsigned(n->child[c], wide)) found = true;
    return found || (n->kind == N_CAST && specifiers_have(n->child[0]->child[0], "unsigned"));
}

/* What is folded with 64 bits and a sign is right in an unsigned type as long as nothing is negative or too large. */
static bool fits_unsigned(const node *n, int64_t x, int64_t y, int64_t result) {
    bool wide = false;
    if (!is_unsigned(n, &wide)) return true;
    return x >= 0 && y >= 0 && result >= 0 && (wide || result <= UINT32_MAX);
}

bool constant_value(const node *n, int64_t *value) {
    int64_t x, y;
    switch ((int)n->kind) {
    case N_CONSTANT:
        return n->name && constant_of_text(n->name, value);
    case N_NAME:
        *value = n->symbol ? n->symbol->value : 0;
        return n->symbol && n->symbol->kind == SYMBOL_ENUMERATOR && n->symbol->has_value;
    case N_PAREN:
        return constant_value(n->child[0], value);
    case N_CAST:
        return constant_cast(n, value);
    case N_UNARY:
        return constant_value(n->child[0], &x) && fold_unary(n->op, x, value) && fits_unsigned(n, x, x, *value);
    case N_BINARY:
        return constant_value(n->child[0], &x) && constant_value(n->child[1], &y) && fold_binary(n->op, x, y, value) &&
               fits_unsigned(n, x, y, *value);
    case N_CONDITIONAL:
        return constant_conditional(n, value);
    case N_SIZEOF:
        return constant_sizeof(n, value);
    default:
        return false;
    }
}

static linear linear_binary(arena *a, const source *s, const node *n) {
    linear x = linear_of(a, s, n->child[0]), y = linear_of(a, s, n->child[1]);
    switch (n->op[0]) {
    case '+':
        return linear_add(a, x, y);
    case '-':
        return linear_subtract(a, x, y);
    default:
        return linear_multiply(a, x, y);
    }
}

linear linear_of(arena *a, const source *s, const node *n) {
    int64_t value;
    if (n->replacement) return linear_atom(n->replacement, n);
    if (constant_value(n, &value)) return linear_constant(value);
    if (n->kind == N_PAREN) return linear_of(a, s, n->child[0]);
    if (n->kind == N_UNARY && n->op[0] == '-' && !n->op[1])
        return linear_subtract(a, linear_constant(0), linear_of(a, s, n->child[0]));
    bool sums = n->kind == N_BINARY && !n->op[1] && strchr("+-*", n->op[0]);
    bool is_integer = n->type && n->type->kind == TYPE_ARITHMETIC && element_is_integer(n->type->element) &&
                      element_is_signed(n->type->element);
    if (sums && (is_integer || !n->type)) return linear_binary(a, s, n);
    linear atom = linear_atom(spelling(a, s, n), NULL);
    /* what wraps around is converted, so that differences of such atoms may be negative */
    bool wraps = n->type && n->type->kind == TYPE_ARITHMETIC && element_is_integer(n->type->element) &&
                 !element_is_signed(element_promoted(n->type->element));
    return linear_atom(wraps ? arena_format(a, "(long)%s", linear_operand(a, &atom)) : atom.term[0].text, n);
}
