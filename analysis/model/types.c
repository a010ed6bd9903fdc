/* Element types, and the types of declarations. */
#include "types.h"

#include <string.h>

#include "model.h"

typedef struct {
    const char *spelling, *enumerator;
    int rank;
    bool integer, is_signed;
    int64_t bytes, alignment;
} element_facts;

static const element_facts facts[] = {
#define ELEMENT(name, ctype, rank, integer, is_signed)                                                                 \
    {#ctype, "DPC_" #name, rank, integer, is_signed, (int64_t)sizeof(ctype), (int64_t) _Alignof(ctype)},
#include "elements.def"
#undef ELEMENT
};

/* ---- Structures: known by numbers behind ELEMENTS */

static record_facts *records;
static size_t record_count, record_capacity;

bool element_is_record(element e) {
    return e > ELEMENTS;
}

static const record_facts *record_of_element(element e) {
    return &records[(size_t)e - ELEMENTS - 1];
}

void forget_records(void) {
    records = NULL;
    record_count = record_capacity = 0;
}

element known_record(const node *definition) {
    for (size_t k = 0; k < record_count; k++)
        if (records[k].definition == definition) return (element)(ELEMENTS + 1 + (int)k);
    return ELEMENTS;
}

element add_record(arena *a, record_facts x) {
    vector_add(a, records, record_count, record_capacity, x);
    return (element)(ELEMENTS + (int)record_count);
}

const char *record_name(const type *t) {
    const element e = known_record(t->record);
    return e == ELEMENTS ? NULL : element_spelling(e);
}

/* ---- Elements */

const char *element_spelling(element e) {
    return element_is_record(e) ? record_of_element(e)->spelling : facts[e].spelling;
}
const char *element_enumerator(element e) {
    return element_is_record(e) ? record_of_element(e)->enumerator : facts[e].enumerator;
}
int64_t element_bytes(element e) {
    return element_is_record(e) ? record_of_element(e)->bytes : facts[e].bytes;
}
int64_t element_alignment(element e) {
    return element_is_record(e) ? record_of_element(e)->alignment : facts[e].alignment;
}
bool element_is_integer(element e) {
    return facts[e].integer;
}
bool element_is_signed(element e) {
    return facts[e].is_signed;
}
bool type_is_signed_integer(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC && element_is_integer(t->element) && element_is_signed(t->element);
}
bool type_is_unsigned(const type *t) {
    return t && t->kind == TYPE_ARITHMETIC && element_is_integer(t->element) &&
           !element_is_signed(element_promoted(t->element));
}
bool type_is_long_unsigned(const type *t) {
    return type_is_unsigned(t) && element_bytes(t->element) == 8;
}
bool type_counts_as_long(const type *t) {
    return type_is_signed_integer(t) || type_is_long_unsigned(t);
}
bool element_is_complex(element e) {
    return e >= ELEMENT_FLOAT_COMPLEX;
}

element element_promoted(element x) {
    return element_is_integer(x) && facts[x].rank < facts[ELEMENT_INT].rank ? ELEMENT_INT : x;
}

element element_real(element x) {
    return !element_is_complex(x) ? x : (element)(ELEMENT_FLOAT + (x - ELEMENT_FLOAT_COMPLEX));
}

element element_complex(element x) {
    return element_is_complex(x) || element_is_integer(x) ? x : (element)(ELEMENT_FLOAT_COMPLEX + (x - ELEMENT_FLOAT));
}

/* C11 6.2.5: the enumerator after that of a signed integer type. */
static element make_unsigned(element x) {
    return element_is_signed(x) ? (element)(x + 1) : x;
}

/* C11 6.3.1.8, of promoted integer types: the higher rank; a signed type that has not all values of an unsigned one of
 * lower rank becomes unsigned. */
static element common_integer(element x, element y) {
    const element higher = facts[x].rank >= facts[y].rank ? x : y, lower = higher == x ? y : x;
    if (facts[x].rank == facts[y].rank) return element_is_signed(x) ? y : x;
    const bool holds = element_is_signed(lower) || facts[higher].bytes > facts[lower].bytes;
    return holds ? higher : make_unsigned(higher);
}

element element_common(element x, element y) {
    x = element_promoted(x);
    y = element_promoted(y);
    if (element_is_integer(x) && element_is_integer(y)) return common_integer(x, y);
    const element higher = facts[x].rank >= facts[y].rank ? x : y;
    return element_is_complex(x) || element_is_complex(y) ? element_complex(higher) : higher;
}

type *new_type(arena *a, type_kind kind, type *of) {
    type *t = arena_alloc(a, sizeof *t);
    t->kind = kind;
    t->of = of;
    return t;
}

type *type_of_element(element e) {
    static type arithmetic[] = {
#define ELEMENT(name, ctype, rank, integer, is_signed) {.kind = TYPE_ARITHMETIC, .element = ELEMENT_##name},
#include "elements.def"
#undef ELEMENT
    };
    return &arithmetic[e];
}

void own_attributes(const node *declaration, const node *item, size_t *first, size_t *last) {
    const bool is_first = declaration->count > 1 && item == declaration->child[1];
    const node *declarator = item->kind == N_INIT_DECLARATOR ? item->child[0] : item;
    *first = is_first ? item->first + 1 : item->first;
    *last = declarator->last + 1;
}

type *foreign_type(arena *a, node *asked) {
    type *t = new_type(a, TYPE_FOREIGN, NULL);
    t->asked = asked;
    return t;
}

/* ---- Declarations */

typedef struct {
    int longs;
    bool is_unsigned, is_signed, is_short, is_char, is_int, is_float, is_double, is_bool, is_complex, is_void, is_wide;
    bool other; /* a type of the C compiler's that is no element type */
} keywords;

static void note_keyword(keywords *k, const char *s) {
    static const char words[] =
        " long unsigned signed short char int float double _Bool _Complex void __int128 __int128_t "
        "__uint128_t auto const extern inline register restrict static typedef volatile _Atomic "
        "_Noreturn _Thread_local ";
    const bool wide_unsigned = !strcmp(s, "__uint128_t"), wide = !strcmp(s, "__int128") || !strcmp(s, "__int128_t");
    if (!strcmp(s, "long")) k->longs++;
    k->is_unsigned |= !strcmp(s, "unsigned") || wide_unsigned;
    k->is_signed |= !strcmp(s, "signed");
    k->is_short |= !strcmp(s, "short");
    k->is_char |= !strcmp(s, "char");
    k->is_int |= !strcmp(s, "int");
    k->is_float |= !strcmp(s, "float");
    k->is_double |= !strcmp(s, "double");
    k->is_bool |= !strcmp(s, "_Bool");
    k->is_complex |= !strcmp(s, "_Complex");
    k->is_void |= !strcmp(s, "void");
    k->is_wide |= wide || wide_unsigned;
    k->other |= !is_listed(words, s);
}

/* ELEMENTS: none of them. */
static element element_of_keywords(const keywords *k) {
    if (k->other || k->is_void) return ELEMENTS;
    if (k->is_bool) return ELEMENT_BOOL;
    if (k->is_wide) return k->is_unsigned ? ELEMENT_UNSIGNED_INT128 : ELEMENT_INT128;
    if (k->is_float) return ELEMENT_FLOAT;
    if (k->is_double) return k->longs ? ELEMENT_LONG_DOUBLE : ELEMENT_DOUBLE;
    if (k->is_char) return k->is_unsigned ? ELEMENT_UNSIGNED_CHAR : k->is_signed ? ELEMENT_SIGNED_CHAR : ELEMENT_CHAR;
    if (k->is_short) return k->is_unsigned ? ELEMENT_UNSIGNED_SHORT : ELEMENT_SHORT;
    if (k->longs == 2) return k->is_unsigned ? ELEMENT_UNSIGNED_LONG_LONG : ELEMENT_LONG_LONG;
    if (k->longs == 1) return k->is_unsigned ? ELEMENT_UNSIGNED_LONG : ELEMENT_LONG;
    if (k->is_unsigned) return ELEMENT_UNSIGNED;
    return k->is_int || k->is_signed ? ELEMENT_INT : k->is_complex ? ELEMENT_DOUBLE : ELEMENTS;
}

static element element_of_words(const keywords *k) {
    const element e = element_of_keywords(k);
    if (e == ELEMENTS || !k->is_complex) return e;
    return element_is_integer(e) ? ELEMENTS : element_complex(e); /* GNU's complex integers are no elements */
}

static type *type_of_keywords(arena *a, node *specifiers, const keywords *k) {
    if (specifiers->type) return specifiers->type;
    if (k->is_void) return new_type(a, TYPE_VOID, NULL);
    const element e = element_of_words(k);
    if (e != ELEMENTS) return type_of_element(e);
    if (specifiers_have(specifiers, "__auto_type")) return new_type(a, TYPE_UNKNOWN, NULL);
    if (!specifiers->type) specifiers->type = foreign_type(a, specifiers);
    return specifiers->type;
}

static type *type_of_typedef(arena *a, node *use) {
    if (use->symbol && use->symbol->type) return use->symbol->type;
    if (use->type) return use->type;
    const element e = library_type(use->name);
    use->type = e == ELEMENTS ? foreign_type(a, use) : type_of_element(e);
    return use->type;
}

/* ---- Tags */

static bool opens_scope(const node *n) {
    return n->kind == N_COMPOUND || n->kind == N_UNIT || n->kind == N_FOR || n->kind == N_FUNCTION_DEFINITION;
}

/* The last definition of `use`'s tag under n, but not in other blocks than those around `use`. */
static node *definition_under(node *n, const node *use) {
    node *found = NULL;
    if (n->kind == use->kind && n->has_body && n->name && !strcmp(n->name, use->name)) found = n;
    for (size_t c = 0; c < n->count; c++) {
        node *child = n->child[c];
        const bool around = child && child->first <= use->first && use->last <= child->last;
        if (!child || (opens_scope(child) && !around)) continue;
        node *inner = around && opens_scope(child) ? NULL : definition_under(child, use);
        if (inner && (!found || inner->first <= use->first)) found = inner;
    }
    return found;
}

node *tag_definition(const node *use) {
    if (use->has_body || !use->name) return (node *)use;
    for (node *block = use->parent; block; block = block->parent) {
        node *found = opens_scope(block) ? definition_under(block, use) : NULL;
        if (found) return found;
    }
    return (node *)use;
}

static type *record_type(arena *a, const node *use) {
    type *t = new_type(a, TYPE_RECORD, NULL);
    t->record = tag_definition(use);
    return t;
}

/* One type for every use of an enumeration: its definition's. */
static type *enumeration_type(arena *a, const node *use) {
    node *definition = tag_definition(use);
    if (!definition->type) definition->type = foreign_type(a, definition);
    return definition->type;
}

type *type_of_name(arena *a, const node *type_name) {
    node *name;
    return type_of_declarator(a, type_name->count > 1 ? type_name->child[1] : NULL,
                              type_of_specifiers(a, type_name->child[0]), &name);
}

/* typeof(operand), _Atomic(type) */
static type *type_of_operand(arena *a, node *n) {
    node *operand = n->child[0];
    if (operand->kind == N_TYPE_NAME) return type_of_name(a, operand);
    type_expressions(a, operand);
    if (operand->type) return operand->type;
    if (!n->type) n->type = foreign_type(a, operand);
    return n->type;
}

type *type_of_specifiers(arena *a, node *specifiers) {
    keywords k = {0};
    for (size_t c = 0; c < specifiers->count; c++) {
        node *s = specifiers->child[c];
        const char *word = s->name ? lexer_canonical(s->name) : NULL;
        if (s->kind == N_TYPEDEF_REFERENCE && (s->symbol || strcmp(word, "_Complex") != 0))
            return type_of_typedef(a, s);
        if (s->kind == N_STRUCT) return record_type(a, s);
        if (s->kind == N_ENUM) return enumeration_type(a, s);
        if (s->kind == N_TYPEOF) return type_of_operand(a, s);
        if (word) note_keyword(&k, word);
    }
    return type_of_keywords(a, specifiers, &k);
}

element element_of_type_name(const node *type_name) {
    keywords k = {0};
    const node *specifiers = type_name->child[0];
    if (type_name->count > 1 && type_name->child[1]) return ELEMENTS;
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        const type *t = s->kind != N_TYPEDEF_REFERENCE ? NULL : s->symbol ? s->symbol->type : s->type;
        if (t) return t->kind == TYPE_ARITHMETIC ? t->element : ELEMENTS;
        if (s->kind == N_TYPEDEF_REFERENCE) return library_type(s->name);
        if (s->kind != N_KEYWORD) return ELEMENTS;
        note_keyword(&k, lexer_canonical(s->name));
    }
    return element_of_words(&k);
}

bool specifiers_have(const node *specifiers, const char *keyword) {
    for (size_t c = 0; c < specifiers->count; c++)
        if (specifiers->child[c]->kind == N_KEYWORD && !strcmp(specifiers->child[c]->name, keyword)) return true;
    return false;
}

bool specifiers_are_volatile(const node *specifiers) {
    return specifiers_have(specifiers, "volatile") || specifiers_have(specifiers, "_Atomic");
}

bool is_volatile(const symbol *s) {
    const node *n = s->declaration;
    return n && n->count > 0 && n->child[0] && n->child[0]->kind == N_SPECIFIERS &&
           specifiers_are_volatile(n->child[0]);
}

bool is_hidden_in(const node *n, const symbol *s) {
    if (n->name && n->symbol != s && (n->kind == N_DECL_NAME || n->kind == N_NAME || n->kind == N_FORALL_INDEX) &&
        !strcmp(n->name, s->name))
        return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && is_hidden_in(n->child[c], s)) return true;
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
