/* Constant arithmetic that overflows in subscripts, bounds, strides, extents and formats: C gives it no meaning. */
#include <string.h>

#include "model.h"
#include "types.h"

__extension__ typedef __int128 wide;

/* The value of an operation on constants, computed without end; false: it is none. */
static bool exact_value(const node *n, wide *value) {
    int64_t x, y;
    if (n->kind == N_UNARY && !strcmp(n->op, "-") && constant_value(n->child[0], &x)) {
        *value = -(wide)x;
        return true;
    }
    if (n->kind != N_BINARY || !constant_value(n->child[0], &x) || !constant_value(n->child[1], &y)) return false;
    if (!strcmp(n->op, "<<")) {
        *value = y < 0 || y > 63 ? (wide)INT64_MAX + 1 : (wide)x * ((wide)1 << y);
        return true;
    }
    if (n->op[1] || !strchr("+-*/", n->op[0]) || (n->op[0] == '/' && y == 0)) return false;
    *value = n->op[0] == '+'   ? (wide)x + y
             : n->op[0] == '-' ? (wide)x - y
             : n->op[0] == '*' ? (wide)x * y
                               : (wide)x / y;
    return true;
}

/* The type that n is computed in; unsigned types wrap around: ELEMENTS. */
static element signed_type_of(const node *n) {
    if (!n->type || n->type->kind != TYPE_ARITHMETIC) return ELEMENT_LONG;
    const element e = n->type->element;
    return element_is_integer(e) && element_is_signed(e) && element_bytes(e) <= 8 ? e : ELEMENTS;
}

static bool overflows(const node *n, element *e) {
    wide value;
    *e = signed_type_of(n);
    if (*e == ELEMENTS || !exact_value(n, &value)) return false;
    const wide most = ((wide)1 << (8 * element_bytes(*e) - 1)) - 1;
    return value > most || value < -most - 1;
}

bool check_overflow(const program *p, const node *n) {
    element e;
    bool good = true;
    if (!n || n->kind == N_INDEX || n->kind == N_CALL || n->kind == N_SIZEOF) return true;
    if (overflows(n, &e)) {
        diagnose(p->source, n, D_overflow, ast_quote(p->memory, p->source, n), element_spelling(e));
        return false;
    }
    for (size_t c = 0; c < n->count; c++) good = check_overflow(p, n->child[c]) && good;
    return good;
}
