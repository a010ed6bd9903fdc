/* The types of expressions: what C11 says where the types of the operands are known. */
#include <string.h>

#include "model.h"
#include "types.h"

static bool is_arithmetic(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC;
}

static bool is_pointer(const type *t) {
    return t && (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION);
}

static type *pointer_to(arena *a, type *t) {
    return t ? new_type(a, TYPE_POINTER, t) : NULL;
}

static type *decayed(arena *a, type *t) {
    return t && t->kind == TYPE_ARRAY ? pointer_to(a, t->of) : t && t->kind == TYPE_FUNCTION ? pointer_to(a, t) : t;
}

static type *element_or_unknown(element e) {
    return e == ELEMENTS ? NULL : type_of_element(e);
}

/* ---- Operators */

static type *common_type(const type *x, const type *y) {
    return is_arithmetic(x) && is_arithmetic(y) ? type_of_element(element_common(x->element, y->element)) : NULL;
}

static type *binary_type(arena *a, const node *n) {
    type *x = n->child[0]->type, *y = n->child[1]->type;
    if (is_listed(" < > <= >= == != && || ", n->op)) return type_of_element(ELEMENT_INT);
    const bool moves = !strcmp(n->op, "+") || !strcmp(n->op, "-");
    if (moves && is_pointer(x) && is_pointer(y)) return type_of_element(library_type("ptrdiff_t"));
    if (moves && is_pointer(x) && is_arithmetic(y)) return decayed(a, x);
    if (moves && is_pointer(y) && is_arithmetic(x)) return decayed(a, y);
    if (is_arithmetic(x) && is_listed(" << >> ", n->op)) return type_of_element(element_promoted(x->element));
    return common_type(x, y);
}

static type *unary_type(arena *a, const node *n) {
    type *x = n->child[0]->type;
    const char *word = lexer_canonical(n->op);
    if (!strcmp(n->op, "!")) return type_of_element(ELEMENT_INT);
    if (!strcmp(n->op, "&&")) return pointer_to(a, new_type(a, TYPE_VOID, NULL));
    if (!strcmp(n->op, "*")) return x && x->kind == TYPE_FUNCTION ? x : is_pointer(x) ? x->of : NULL;
    if (!strcmp(n->op, "&")) return pointer_to(a, x);
    if (is_listed(" ++ -- ", n->op)) return x;
    if (!is_arithmetic(x)) return NULL;
    if (!strcmp(word, "__real__") || !strcmp(word, "__imag__")) return type_of_element(element_real(x->element));
    return type_of_element(element_promoted(x->element));
}

static type *conditional_type(arena *a, const node *n) {
    type *x = n->child[1] ? n->child[1]->type : n->child[0]->type, *y = n->child[2]->type;
    if (is_pointer(x) && (is_pointer(y) || is_arithmetic(y))) return decayed(a, x);
    if (is_pointer(y) && is_arithmetic(x)) return decayed(a, y);
    if (x && y && x->kind == y->kind && (x->kind == TYPE_VOID || x->kind == TYPE_RECORD)) return x;
    return common_type(x, y);
}

/* ---- Calls */

/* abs() of a parallel expression is generic (docs/language.md). */
static type *absolute_type(const type *x) {
    return is_arithmetic(x) ? type_of_element(element_real(element_promoted(x->element))) : NULL;
}

static type *call_type(const node *n) {
    const node *callee = n->child[0];
    const type *f = callee->type;
    if (f && f->kind == TYPE_POINTER) f = f->of;
    if (f && f->kind == TYPE_FUNCTION) return f->of;
    if (callee->kind != N_NAME || callee->symbol) return NULL;
    intrinsic kind;
    operation op;
    if (reduction_call(n, &op)) return type_of_reduction(op, n);
    if (intrinsic_call(n, &kind) && kind == INTRINSIC_MATMUL)
        return n->count > 2 ? common_type(n->child[1]->type, n->child[2]->type) : NULL;
    if (prefix_call(n, &op, NULL)) return type_of_combined(op, n, n->child[1]);
    if (intrinsic_call(n, &kind)) return n->child[1]->type;
    if (!strcmp(callee->name, "abs") && n->count == 2)
        return has_generic_functions(n) ? absolute_type(n->child[1]->type) : type_of_element(ELEMENT_INT);
    return element_or_unknown(library_function_result(callee->name));
}

/* ---- Members */

/* What a bit-field's values are in expressions (C11 6.3.1.1): int where that has them all. */
static type *bit_field_type(type *declared, const node *width) {
    int64_t bits;
    if (!is_arithmetic(declared) || declared->element == ELEMENT_BOOL || !constant_value(width, &bits)) return declared;
    const int64_t of_int = 8 * element_bytes(ELEMENT_INT);
    const bool fits = bits < of_int || (bits == of_int && element_is_signed(declared->element));
    return fits ? type_of_element(ELEMENT_INT) : declared;
}

static type *find_member(arena *a, const node *record, const char *name);

/* The member `name` that one declaration of a structure declares, or a structure without a name in it. */
static type *declared_member(arena *a, const node *declaration, const char *name) {
    type *base = type_of_specifiers(a, declaration->child[0]);
    for (size_t d = 1; d < declaration->count; d++) {
        const node *item = declaration->child[d];
        node *declared = NULL;
        if (!item->count || !item->child[0]) continue;
        type *t = type_of_declarator(a, item->child[0], item->type ? item->type : base, &declared);
        if (declared && !strcmp(declared->name, name))
            return item->kind == N_BIT_FIELD ? bit_field_type(t, item->child[1]) : t;
    }
    return declaration->count == 1 && base->kind == TYPE_RECORD ? find_member(a, base->record, name) : NULL;
}

static type *find_member(arena *a, const node *record, const char *name) {
    type *found = NULL;
    for (size_t c = 0; !found && c < record->count; c++)
        if (record->child[c]->kind == N_DECLARATION) found = declared_member(a, record->child[c], name);
    return found;
}

static type *member_type(arena *a, const node *n) {
    const type *base = n->child[0]->type;
    if (base && !strcmp(n->op, "->")) base = is_pointer(base) ? base->of : NULL;
    if (!base || base->kind != TYPE_RECORD || !n->name) return NULL;
    return find_member(a, tag_definition(base->record), n->name);
}

/* ---- Other expressions */

static bool is_qualified(const node *type_name) {
    const node *specifiers = type_name->child[0];
    return specifiers_have(specifiers, "const") || specifiers_are_volatile(specifiers);
}

/* The association that _Generic selects; NULL where a type is not known. */
static type *generic_type(arena *a, const node *n) {
    const type *selector = n->child[0]->type;
    type *by_default = NULL;
    if (!is_arithmetic(selector)) return NULL;
    for (size_t c = 1; c < n->count; c++) {
        const node *association = n->child[c];
        const type *t = association->child[0] ? type_of_name(a, association->child[0]) : NULL;
        if (!t)
            by_default = association->child[1]->type;
        else if (t->kind == TYPE_FOREIGN || t->kind == TYPE_UNKNOWN)
            return NULL;
        else if (is_arithmetic(t) && t->element == selector->element && !is_qualified(association->child[0]))
            return association->child[1]->type;
    }
    return by_default;
}

/* A statement expression has the type of its last statement. */
static type *last_statement_type(arena *a, const node *compound) {
    const node *last = compound->count ? compound->child[compound->count - 1] : NULL;
    while (last && last->kind == N_LABEL) last = last->child[0];
    return last && last->kind == N_EXPRESSION ? decayed(a, last->child[0]->type) : new_type(a, TYPE_VOID, NULL);
}

static type *name_type(const node *n) {
    const symbol *s = n->symbol;
    if (!s) return element_or_unknown(library_constant(n->name));
    if (s->kind == SYMBOL_INDEX) return type_of_element(ELEMENT_LONG);
    return s->type;
}

static type *index_type(const node *n) {
    const type *base = n->child[0]->type, *at = n->child[1]->type;
    if (is_pointer(base)) return base->of;
    return is_arithmetic(base) && is_pointer(at) ? at->of : NULL; /* 2[p] */
}

/* The C compiler knows the characters of strings with prefixes. */
static type *string_type(arena *a, const node *n) {
    const char *quote = strchr(n->name, '"');
    return quote && quote != n->name ? NULL : pointer_to(a, type_of_element(ELEMENT_CHAR));
}

static type *expression_type(arena *a, const node *n) {
    switch ((int)n->kind) {
    case N_NAME:
        return name_type(n);
    case N_CONSTANT:
        return element_or_unknown(constant_element(n->name));
    case N_STRING:
        return string_type(a, n);
    case N_MEMBER:
        return member_type(a, n);
    case N_PAREN:
    case N_POSTFIX:
    case N_ASSIGN:
        return n->child[0]->type;
    case N_INDEX:
        return index_type(n);
    case N_CALL:
        return call_type(n);
    case N_UNARY:
        return unary_type(a, n);
    case N_BINARY:
        return binary_type(a, n);
    case N_CONDITIONAL:
        return conditional_type(a, n);
    case N_COMMA:
        return decayed(a, n->child[1]->type);
    case N_CAST:
    case N_COMPOUND_LITERAL:
        return type_of_name(a, n->child[0]);
    case N_GENERIC:
        return generic_type(a, n);
    case N_STATEMENT_EXPRESSION:
        return last_statement_type(a, n->child[0]);
    case N_SIZEOF:
        return type_of_element(library_type("size_t"));
    default:
        return NULL;
    }
}

static bool is_declaring(const node *n) {
    return n->kind == N_TYPEDEF_REFERENCE || n->kind == N_ENUM || n->kind == N_ENUMERATOR || n->kind == N_TYPEOF ||
           n->kind == N_SPECIFIERS;
}

void type_expressions(arena *a, node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) type_expressions(a, n->child[c]);
    if (is_declaring(n) || (n->type && n->type->answered)) return;
    type *t = expression_type(a, n);
    n->type = t && t->kind == TYPE_UNKNOWN ? NULL : t;
}
