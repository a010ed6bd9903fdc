/* What is taken of the library's other folders as it is. */
#include "../base/combs.c"
#include "../base/types.c"
#include "../program/reduce.c"
