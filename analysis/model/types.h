/* Types of declarations and expressions, exact as in C11 6.2.5, 6.3.1.8 and 6.4.4, or not known: then the C compiler is
 * asked (resolve/probe.c). */
#ifndef DPC_ANALYSIS_TYPES_H
#define DPC_ANALYSIS_TYPES_H

#include "analysis.h"

type *new_type(arena *a, type_kind kind, type *of);
type *type_of_element(element e);
/* A type that only the C compiler knows: `asked` is a typedef name of a header, a definition of an enumeration, an
 * enumerator, specifiers or one declarator with GNU's attributes, or an expression. */
type *foreign_type(arena *a, node *asked);
/* The tokens before which the attributes of declarator `item` of a declaration or of a parameter stand, from *first to
 * *last; those before *first are the whole declaration's. */
void own_attributes(const node *declaration, const node *item, size_t *first, size_t *last);
/* The type that declaration specifiers name; FOREIGN for what C11 does not define. */
type *type_of_specifiers(arena *a, node *specifiers);
/* The type of a declarator over `base`; *name receives its DECL_NAME (NULL when abstract). */
type *type_of_declarator(arena *a, node *declarator, type *base, node **name);
type *type_of_name(arena *a, const node *type_name); /* of a TYPE_NAME */
/* The element type of a TYPE_NAME whose names are bound, or ELEMENTS. */
element element_of_type_name(const node *type_name);
/* The definition of the tag of a STRUCT or ENUM, or the node itself where the program has none. */
node *tag_definition(const node *use);
/* Sets node.type of every expression under n whose type is known or FOREIGN. */
void type_expressions(arena *a, node *n);

/* ---- Structures as elements (records.c) */

typedef struct {
    const node *definition;
    const char *spelling, *enumerator;
    int64_t bytes, alignment; /* as C compilers lay them out that know no attributes */
} record_facts;
/* The structures that are elements of the program, or members of such; ELEMENTS: it is none. */
element known_record(const node *definition);
element add_record(arena *a, record_facts x);
void forget_records(void); /* before another program, with memory of its own */
/* The element that a RECORD is; ELEMENTS, and *why in words, where it is none: it has pointers, or no name. */
element element_of_record(arena *a, const type *t, const char **why);
/* A structure or union with members that has neither a tag nor a typedef of its own. */
bool record_is_nameless(const node *definition);
/* Of a type without padding and without addresses, which every process has of its own. */
bool equal_values_are_equal_bytes(arena *a, const type *t);
element element_real(element x);    /* of a complex type; others as they are */
element element_complex(element x); /* of a floating type; others as they are */

/* ---- Library (library.c): what C11 and POSIX define, with the types that they have on this machine. */
/* Each gives ELEMENTS for names that it does not have. */
element library_type(const char *name);
element library_constant(const char *name);
/* The functions of math.h, stdlib.h, string.h, ctype.h, complex.h: the element type of the result. */
element library_function_result(const char *name);
/* Of a number or character constant; ELEMENTS for extensions that only the C compiler knows. */
element constant_element(const char *spelling);

#endif
