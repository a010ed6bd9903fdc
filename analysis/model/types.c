#include "types.h"

#include <string.h>

#include "model.h"

typedef struct {
    const char *spelling, *enumerator;
    int rank;
    bool integer, is_signed;
} element_facts;

static const element_facts facts[] = {
#define ELEMENT(name, spelling, rank, integer, is_signed) {spelling, "DPC_" #name, rank, integer, is_signed},
#include "elements.def"
#undef ELEMENT
};

const char *element_spelling(element e) {
    return facts[e].spelling;
}
const char *element_enumerator(element e) {
    return facts[e].enumerator;
}
bool element_is_integer(element e) {
    return facts[e].integer;
}
bool element_is_signed(element e) {
    return facts[e].is_signed;
}
bool element_is_complex(element e) {
    return e >= ELEMENT_FLOAT_COMPLEX;
}

element element_promoted(element x) {
    return element_is_integer(x) && facts[x].rank < facts[ELEMENT_INT].rank ? ELEMENT_INT : x;
}

static element make_complex(element x) {
    if (x == ELEMENT_FLOAT) return ELEMENT_FLOAT_COMPLEX;
    return x == ELEMENT_LONG_DOUBLE ? ELEMENT_LONG_DOUBLE_COMPLEX : x == ELEMENT_DOUBLE ? ELEMENT_DOUBLE_COMPLEX : x;
}

element element_common(element x, element y) {
    x = element_promoted(x);
    y = element_promoted(y);
    element higher = facts[x].rank > facts[y].rank || (facts[x].rank == facts[y].rank && !facts[x].is_signed) ? x : y;
    return element_is_complex(x) || element_is_complex(y) ? make_complex(higher) : higher;
}

static type *new_type(arena *a, type_kind kind, type *of) {
    type *t = arena_alloc(a, sizeof *t);
    t->kind = kind;
    t->of = of;
    return t;
}

type *type_of_element(arena *a, element e) {
    type *t = new_type(a, TYPE_ARITHMETIC, NULL);
    t->element = e;
    return t;
}

/* ---- Declarations */

static const struct {
    const char *name;
    element element;
} library_types[] = {
    {"size_t", ELEMENT_UNSIGNED_LONG},
    {"ssize_t", ELEMENT_LONG},
    {"ptrdiff_t", ELEMENT_LONG},
    {"int8_t", ELEMENT_SIGNED_CHAR},
    {"uint8_t", ELEMENT_UNSIGNED_CHAR},
    {"int16_t", ELEMENT_SHORT},
    {"uint16_t", ELEMENT_UNSIGNED_SHORT},
    {"int32_t", ELEMENT_INT},
    {"uint32_t", ELEMENT_UNSIGNED},
    {"int64_t", ELEMENT_LONG},
    {"uint64_t", ELEMENT_UNSIGNED_LONG},
    {"intptr_t", ELEMENT_LONG},
    {"uintptr_t", ELEMENT_UNSIGNED_LONG},
    {"intmax_t", ELEMENT_LONG},
    {"uintmax_t", ELEMENT_UNSIGNED_LONG},
    {"time_t", ELEMENT_LONG},
    {"clock_t", ELEMENT_LONG},
    {"wchar_t", ELEMENT_INT},
    {"bool", ELEMENT_BOOL},
    {"off_t", ELEMENT_LONG},
    {"int_fast32_t", ELEMENT_LONG},
};

typedef struct {
    int longs;
    bool is_unsigned, is_signed, is_short, is_char, is_int, is_float, is_double, is_bool, is_complex, is_void;
} keywords;

static void note_keyword(keywords *k, const char *s) {
    if (!strcmp(s, "long")) k->longs++;
    k->is_unsigned |= !strcmp(s, "unsigned");
    k->is_signed |= !strcmp(s, "signed") || !strcmp(s, "__signed__");
    k->is_short |= !strcmp(s, "short");
    k->is_char |= !strcmp(s, "char");
    k->is_int |= !strcmp(s, "int");
    k->is_float |= !strcmp(s, "float");
    k->is_double |= !strcmp(s, "double");
    k->is_bool |= !strcmp(s, "_Bool") || !strcmp(s, "bool");
    k->is_complex |= !strcmp(s, "_Complex") || !strcmp(s, "complex") || !strcmp(s, "__complex__");
    k->is_void |= !strcmp(s, "void");
}

static type *type_of_keywords(arena *a, const keywords *k) {
    if (k->is_void) return new_type(a, TYPE_VOID, NULL);
    element e = ELEMENTS;
    if (k->is_bool)
        e = ELEMENT_BOOL;
    else if (k->is_float)
        e = ELEMENT_FLOAT;
    else if (k->is_double)
        e = k->longs ? ELEMENT_LONG_DOUBLE : ELEMENT_DOUBLE;
    else if (k->is_char)
        e = k->is_unsigned ? ELEMENT_UNSIGNED_CHAR : k->is_signed ? ELEMENT_SIGNED_CHAR : ELEMENT_CHAR;
    else if (k->is_short)
        e = k->is_unsigned ? ELEMENT_UNSIGNED_SHORT : ELEMENT_SHORT;
    else if (k->longs == 2)
        e = k->is_unsigned ? ELEMENT_UNSIGNED_LONG_LONG : ELEMENT_LONG_LONG;
    else if (k->longs == 1)
        e = k->is_unsigned ? ELEMENT_UNSIGNED_LONG : ELEMENT_LONG;
    else if (k->is_unsigned)
        e = ELEMENT_UNSIGNED;
    else if (k->is_int || k->is_signed)
        e = ELEMENT_INT;
    if (e == ELEMENTS && k->is_complex) e = ELEMENT_DOUBLE;
    if (e == ELEMENTS) return new_type(a, TYPE_UNKNOWN, NULL);
    return type_of_element(a, k->is_complex ? make_complex(e) : e);
}

static type *type_of_typedef(arena *a, const node *use) {
    if (use->symbol && use->symbol->type) return use->symbol->type;
    for (size_t k = 0; k < sizeof library_types / sizeof *library_types; k++)
        if (!strcmp(library_types[k].name, use->name)) return type_of_element(a, library_types[k].element);
    return new_type(a, TYPE_UNKNOWN, NULL);
}

static type *record_type(arena *a, const node *s) {
    type *t = new_type(a, TYPE_RECORD, NULL);
    t->record = s;
    return t;
}

static type *type_of_name(arena *a, const node *type_name) {
    node *name;
    return type_of_declarator(a, type_name->count > 1 ? type_name->child[1] : NULL,
                              type_of_specifiers(a, type_name->child[0]), &name);
}

/* typeof(operand), _Atomic(type) */
static type *type_of_operand(arena *a, node *operand) {
    if (operand->kind == N_TYPE_NAME) return type_of_name(a, operand);
    type_expressions(a, operand);
    return operand->type ? operand->type : new_type(a, TYPE_UNKNOWN, NULL);
}

type *type_of_specifiers(arena *a, const node *specifiers) {
    keywords k = {0};
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        if (s->kind == N_TYPEDEF_REFERENCE && strcmp(s->name, "complex") != 0) return type_of_typedef(a, s);
        if (s->kind == N_STRUCT) return record_type(a, s);
        if (s->kind == N_ENUM) return type_of_element(a, ELEMENT_INT);
        if (s->kind == N_TYPEOF) return type_of_operand(a, s->child[0]);
        if (s->name) note_keyword(&k, s->name);
    }
    return type_of_keywords(a, &k);
}

bool specifiers_have(const node *specifiers, const char *keyword) {
    for (size_t c = 0; c < specifiers->count; c++)
        if (specifiers->child[c]->kind == N_KEYWORD && !strcmp(specifiers->child[c]->name, keyword)) return true;
    return false;
}

type *type_of_declarator(arena *a, node *d, type *base, node **name) {
    *name = NULL;
    for (; d; d = d->count ? d->child[0] : NULL) {
        if (d->kind == N_DECL_NAME) {
            *name = d;
            return base;
        }
        if (d->kind == N_DECL_PAREN) continue;
        base = new_type(a,
                        d->kind == N_ARRAY      ? TYPE_ARRAY
                        : d->kind == N_FUNCTION ? TYPE_FUNCTION
                                                : TYPE_POINTER,
                        base);
        base->array = d->kind == N_ARRAY ? d : NULL;
    }
    return base;
}

node *declared_name(node *d) {
    while (d && d->kind != N_DECL_NAME) d = d->count ? d->child[0] : NULL;
    return d;
}

/* ---- Expressions */

static const struct {
    const char *names;
    element result;
} library_functions[] = {
    {" sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh "
     "pow "
     "hypot fabs floor ceil round trunc rint nearbyint fmod remainder fmin fmax fdim fma copysign erf erfc tgamma "
     "lgamma "
     "ldexp scalbn logb nextafter creal cimag cabs carg atof dpc_wtime ",
     ELEMENT_DOUBLE},
    {" sqrtf cbrtf expf exp2f logf log2f log10f sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf powf hypotf "
     "fabsf "
     "floorf ceilf roundf truncf fmodf fminf fmaxf fmaf crealf cimagf cabsf ",
     ELEMENT_FLOAT},
    {" sqrtl expl logl sinl cosl tanl powl fabsl floorl ceill roundl truncl fmodl fminl fmaxl creall cimagl cabsl ",
     ELEMENT_LONG_DOUBLE},
    {" isnan isinf isfinite isnormal signbit ilogb isalnum isalpha isblank iscntrl isdigit isgraph islower isprint "
     "ispunct isspace "
     "isupper isxdigit toupper tolower strcmp strncmp memcmp atoi dpc_nprocs ",
     ELEMENT_INT},
    {" labs lround lrint atol ", ELEMENT_LONG},
    {" strlen ", ELEMENT_UNSIGNED_LONG},
    {" llabs llround llrint ", ELEMENT_LONG_LONG},
    {" csqrt cexp clog conj cpow csin ccos ", ELEMENT_DOUBLE_COMPLEX},
    {" csqrtf cexpf conjf ", ELEMENT_FLOAT_COMPLEX},
};

element library_function_result(const char *name) {
    char padded[40];
    size_t length = strlen(name);
    if (length + 3 > sizeof padded) return ELEMENTS;
    padded[0] = ' ';
    memcpy(padded + 1, name, length);
    memcpy(padded + 1 + length, " ", 2);
    for (size_t k = 0; k < sizeof library_functions / sizeof *library_functions; k++)
        if (strstr(library_functions[k].names, padded)) return library_functions[k].result;
    return ELEMENTS;
}

static element integer_constant(const char *s) {
    int longs = 0;
    bool is_unsigned = false;
    for (const char *c = s; *c; c++) {
        longs += *c == 'l' || *c == 'L';
        is_unsigned |= *c == 'u' || *c == 'U';
    }
    int64_t value = 0;
    node n = {.kind = N_CONSTANT, .name = s};
    bool wide = !constant_value(&n, &value) || value > INT32_MAX;
    if (longs == 0 && !wide) return is_unsigned ? ELEMENT_UNSIGNED : ELEMENT_INT;
    if (longs == 2) return is_unsigned ? ELEMENT_UNSIGNED_LONG_LONG : ELEMENT_LONG_LONG;
    return is_unsigned ? ELEMENT_UNSIGNED_LONG : ELEMENT_LONG;
}

static element constant_element(const char *s) {
    if (strchr(s, '\'')) return ELEMENT_INT;
    bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    bool is_floating = strchr(s, '.') || (hexadecimal ? strpbrk(s, "pP") : strpbrk(s, "eE"));
    if (!is_floating) return integer_constant(s);
    element e = ELEMENT_DOUBLE;
    char last = s[strlen(s) - 1];
    if (strchr("lL", last)) e = ELEMENT_LONG_DOUBLE;
    if (strchr("fF", last)) e = ELEMENT_FLOAT;
    return strpbrk(s, "ij") ? make_complex(e) : e;
}

static bool is_arithmetic(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC;
}

static bool is_one_of(const char *op, const char *padded_list) {
    char padded[8];
    size_t length = strlen(op);
    if (length > 4) return false;
    padded[0] = ' ';
    memcpy(padded + 1, op, length);
    memcpy(padded + 1 + length, " ", 2);
    return strstr(padded_list, padded) != NULL;
}

static type *binary_type(arena *a, const node *n) {
    type *x = n->child[0]->type, *y = n->child[1]->type;
    if (is_one_of(n->op, " < > <= >= == != && || ")) return type_of_element(a, ELEMENT_INT);
    if (!is_arithmetic(x) || !is_arithmetic(y)) return x && x->kind != TYPE_ARITHMETIC ? x : NULL;
    if (is_one_of(n->op, " << >> ")) return type_of_element(a, element_promoted(x->element));
    return type_of_element(a, element_common(x->element, y->element));
}

static type *unary_type(arena *a, const node *n) {
    type *x = n->child[0]->type;
    if (!strcmp(n->op, "!")) return type_of_element(a, ELEMENT_INT);
    if (!strcmp(n->op, "*")) return x && (x->kind == TYPE_POINTER || x->kind == TYPE_ARRAY) ? x->of : NULL;
    if (!strcmp(n->op, "&")) return x ? new_type(a, TYPE_POINTER, x) : NULL;
    if (!is_arithmetic(x)) return x;
    return is_one_of(n->op, " ++ -- ") ? x : type_of_element(a, element_promoted(x->element));
}

/* abs() of a parallel expression is generic (docs/language.md). */
static type *absolute_type(arena *a, const type *x) {
    if (!is_arithmetic(x)) return type_of_element(a, ELEMENT_INT);
    element e = element_promoted(x->element);
    if (!element_is_complex(e)) return type_of_element(a, e);
    return type_of_element(a, e == ELEMENT_FLOAT_COMPLEX    ? ELEMENT_FLOAT
                              : e == ELEMENT_DOUBLE_COMPLEX ? ELEMENT_DOUBLE
                                                            : ELEMENT_LONG_DOUBLE);
}

/* Of matmul: that of x * y. */
static type *product_type(arena *a, const node *n) {
    const type *x = n->count > 2 ? n->child[1]->type : NULL, *y = x ? n->child[2]->type : NULL;
    return is_arithmetic(x) && is_arithmetic(y) ? type_of_element(a, element_common(x->element, y->element)) : NULL;
}

static type *call_type(arena *a, const node *n) {
    const node *callee = n->child[0];
    if (callee->type && callee->type->kind == TYPE_FUNCTION) return callee->type->of;
    if (callee->type && callee->type->kind == TYPE_POINTER && callee->type->of &&
        callee->type->of->kind == TYPE_FUNCTION)
        return callee->type->of->of;
    if (callee->kind != N_NAME || callee->symbol) return NULL;
    intrinsic kind;
    operation op;
    if (reduction_call(n, &op)) return type_of_reduction(a, op, n);
    if (intrinsic_call(n, &kind)) return kind == INTRINSIC_MATMUL ? product_type(a, n) : n->child[1]->type;
    if (!strcmp(callee->name, "abs") && n->count == 2) return absolute_type(a, n->child[1]->type);
    element e = library_function_result(callee->name);
    return e == ELEMENTS ? NULL : type_of_element(a, e);
}

static type *conditional_type(arena *a, const node *n) {
    type *x = n->child[1] ? n->child[1]->type : n->child[0]->type, *y = n->child[2]->type;
    if (is_arithmetic(x) && is_arithmetic(y)) return type_of_element(a, element_common(x->element, y->element));
    return x;
}

/* The declaration of a structure's members: its own, or that of the same tag elsewhere in the unit. */
static const node *body_of(const node *record, const node *n) {
    if (record->has_body || !record->name) return record;
    if (n->kind == N_STRUCT && n->has_body && n->name && !strcmp(n->name, record->name)) return n;
    for (size_t c = 0; c < n->count; c++) {
        const node *found = n->child[c] ? body_of(record, n->child[c]) : NULL;
        if (found) return found;
    }
    return NULL;
}

static const node *unit_of(const node *n) {
    while (n->parent) n = n->parent;
    return n;
}

static type *member_type(arena *a, const node *n) {
    const type *base = n->child[0]->type;
    if (base && !strcmp(n->op, "->")) base = base->of;
    const node *record = base && base->kind == TYPE_RECORD && base->record ? body_of(base->record, unit_of(n)) : NULL;
    for (size_t c = 0; record && c < record->count; c++) {
        const node *declaration = record->child[c];
        for (size_t d = 1; declaration->kind == N_DECLARATION && d < declaration->count; d++) {
            node *name = NULL, *item = declaration->child[d];
            if (!item->count || !item->child[0]) continue;
            type *t = type_of_declarator(a, item->child[0], type_of_specifiers(a, declaration->child[0]), &name);
            if (name && n->name && !strcmp(name->name, n->name)) return t;
        }
    }
    return NULL;
}

/* The association that _Generic selects among arithmetic types. */
static type *generic_type(arena *a, const node *n) {
    const type *selector = n->child[0]->type;
    type *by_default = NULL;
    if (!is_arithmetic(selector)) return NULL;
    for (size_t c = 1; c < n->count; c++) {
        const node *association = n->child[c];
        const type *t = association->child[0] ? type_of_name(a, association->child[0]) : NULL;
        if (!t)
            by_default = association->child[1]->type;
        else if (is_arithmetic(t) && t->element == selector->element)
            return association->child[1]->type;
    }
    return by_default;
}

/* A statement expression has the type of its last statement. */
static type *last_statement_type(const node *compound) {
    const node *last = compound->count ? compound->child[compound->count - 1] : NULL;
    return last && last->kind == N_EXPRESSION ? last->child[0]->type : NULL;
}

static type *expression_type(arena *a, const node *n) {
    switch ((int)n->kind) {
    case N_NAME:
        if (!n->symbol) return NULL;
        if (n->symbol->kind == SYMBOL_INDEX) return type_of_element(a, ELEMENT_LONG);
        return n->symbol->kind == SYMBOL_ENUMERATOR ? type_of_element(a, ELEMENT_INT) : n->symbol->type;
    case N_CONSTANT:
        return type_of_element(a, constant_element(n->name));
    case N_STRING:
        return new_type(a, TYPE_POINTER, type_of_element(a, ELEMENT_CHAR));
    case N_MEMBER:
        return member_type(a, n);
    case N_PAREN:
        return n->child[0]->type;
    case N_POSTFIX:
        return n->child[0]->type;
    case N_INDEX: {
        type *base = n->child[0]->type;
        return base && (base->kind == TYPE_ARRAY || base->kind == TYPE_POINTER) ? base->of : NULL;
    }
    case N_CALL:
        return call_type(a, n);
    case N_UNARY:
        return unary_type(a, n);
    case N_BINARY:
        return binary_type(a, n);
    case N_CONDITIONAL:
        return conditional_type(a, n);
    case N_ASSIGN:
        return n->child[0]->type;
    case N_COMMA:
        return n->child[1]->type;
    case N_CAST:
    case N_COMPOUND_LITERAL:
        return type_of_name(a, n->child[0]);
    case N_GENERIC:
        return generic_type(a, n);
    case N_STATEMENT_EXPRESSION:
        return last_statement_type(n->child[0]);
    case N_SIZEOF:
        return type_of_element(a, ELEMENT_UNSIGNED_LONG);
    default:
        return NULL;
    }
}

void type_expressions(arena *a, node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) type_expressions(a, n->child[c]);
    type *t = expression_type(a, n);
    n->type = t && t->kind == TYPE_UNKNOWN ? NULL : t;
}
