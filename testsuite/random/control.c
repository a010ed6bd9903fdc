/* Loops over elements, with and without `independent`; blocks with arrays of their own; jumps.  See generate.h. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* for (i) A[..i..] = ...: `independent` where the right side reads other arrays only. */
void element_loop(void) {
    const array *a = any_variable(), *from[2] = {any_array(), any_array()};
    const bool is_independent = chance(60) && a->distributed && from[0] != a && from[1] != a;
    context x = {0};
    int dimension[MAX_RANK];
    text left, right[2], whole;
    if (!forall_indices(&x, a, 1, dimension)) return;
    left_side(&left, &x, a, dimension);
    for (int k = 0; k < 2; k++) reference(&right[k], &x, from[k], NULL);
    expression(&whole, &x, &right[0], &right[1], true);
    if (is_independent) add(&dpc_body, "#pragma dpc independent\n");
    char loop[200];
    sprintf(loop, "for (long i = %ld; i <= %ld; i += %ld)", x.low[0], x.high[0], between(1, 2));
    if (chance(40)) sprintf(loop + strlen(loop), " if (i %% %ld != 0)", between(2, 4));
    DPC("%s %s = %s;\n", loop, left.dpc, whole.dpc);
    C("%s %s = (long)(%s);\n", loop, left.c, whole.c);
    print_checksum(a);
}

/* A block with a distributed array of its own, which is used with the others and may be left by a jump. */
void block_with_array(void) {
    static int labels;
    array *local = &arrays[array_count];
    const array *like = any_array();
    const char name = array_count < MAX_ARRAYS + MAX_LOCALS ? new_name() : '\0';
    if (name == '\0') return;
    *local = *like;
    local->name = name, local->distributed = true, local->constant = false;
    const int label = labels++;
    const bool jumps = chance(60);
    BOTH("{\n");
    depth++;
    declare(&dpc_body, &c_functions, local);
    array_count++;
    fill(local);
    statements((int)between(1, 2));
    const long remainder = below(3);
    if (jumps) BOTH("if (x %% 3 == %ld) goto behind_%d;\n", remainder, label);
    statements((int)between(1, 2));
    array_count--;
    depth--;
    BOTH("}\n");
    if (jumps) add(&dpc_body, "behind_%d:;\n", label), add(&c_body, "behind_%d:;\n", label);
}
