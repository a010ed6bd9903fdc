/* Types of declarations and expressions, as far as analysis needs them. */
#ifndef DPC_ANALYSIS_TYPES_H
#define DPC_ANALYSIS_TYPES_H

#include "analysis.h"

type *type_of_element(arena *a, element e);
/* The type that declaration specifiers name; UNKNOWN for what the compiler doesn't know. */
type *type_of_specifiers(arena *a, const node *specifiers);
/* The type of a declarator over `base`; *name receives its DECL_NAME (NULL when abstract). */
type *type_of_declarator(arena *a, node *declarator, type *base, node **name);
/* Sets node.type of every expression under n whose type is known. */
void type_expressions(arena *a, node *n);
/* The functions of math.h and stdlib.h that analysis knows: the element type of the result, or ELEMENTS. */
element library_function_result(const char *name);

#endif
