/* Loops over elements, with and without `independent`; blocks with arrays of their own; jumps.  See generate.h. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* A loop over an index in one of the forms that C's programmers write; `loop` has room for 200 characters. */
static void loop_head(char *loop, const context *x, int n) {
    const char i = x->name[n];
    const long low = x->low[n], high = x->high[n], step = between(1, 2);
    switch (below(4)) {
    case 0:
        sprintf(loop, "for (long %c = %ld; %c >= %ld; %c -= %ld)", i, high, i, low, i, step);
        break;
    case 1:
        sprintf(loop, "for (long %c = %ld; %c < %ld; %c = %c + %ld)", i, low, i, high + 1, i, i, step);
        break;
    case 2:
        sprintf(loop, "for (long %c = %ld; %c <= %ld; %c++)", i, low, i, high, i);
        break;
    default:
        sprintf(loop, "for (long %c = %ld; %c <= %ld; %c += %ld)", i, low, i, high, i, step);
    }
}

/* What the body does with the value t besides assigning it. */
static const struct {
    const char *clause, *line;
} additions[] = {{" private(t)", ""},
                 {" private(t) reduction(+: s)", "s += t % 7;"},
                 {" private(t) reduction(max: s)", "s = t > s ? t : s;"}};

/* A nest of loops that assigns A[..i..j..]: `independent` where the right side reads other arrays only. */
void element_loop(void) {
    const array *a = any_variable(), *from[2] = {any_array(), any_array()};
    const bool is_independent = chance(60) && a->distributed && from[0] != a && from[1] != a;
    const long kind = below(4) - 1, remainder = between(2, 4);
    context x = {0};
    int dimension[MAX_RANK];
    text left, right[2], whole;
    char loop[200];
    if (!forall_indices(&x, a, (int)between(1, minimum(2, a->rank)), dimension)) return;
    left_side(&left, &x, a, dimension);
    for (int k = 0; k < 2; k++) reference(&right[k], &x, from[k], NULL);
    expression(&whole, &x, &right[0], &right[1], kind < 0 ? a->type : NULL, true);
    if (kind >= 0) BOTH("{ long t, s = 3;\n");
    if (is_independent) DPC("#pragma dpc independent%s\n", kind < 0 ? "" : additions[kind].clause);
    for (int n = 0; n < x.rank; n++) {
        loop_head(loop, &x, n);
        BOTH("%s {\n", loop);
        if (chance(20)) BOTH("if (%c %% %ld == 0) continue;\n", x.name[n], remainder);
    }
    if (kind < 0) {
        DPC("%s = %s;\n", left.dpc, whole.dpc);
        C("%s = %s;\n", left.c, whole.c);
    } else {
        DPC("t = labs(%s); %s\n", whole.dpc, additions[kind].line);
        C("t = labs(%s); %s\n", whole.c, additions[kind].line);
        const char *test = chance(50) ? "if (t % 2) " : "";
        DPC("%s%s = t;\n", test, left.dpc);
        C("%s%s = t;\n", test, left.c);
    }
    BOTH("%.*s\n", x.rank, "}}");
    if (kind >= 0) BOTH("(void)t; printf(\"s %%ld\\n\", s); }\n");
    print_checksum(a);
}

/* An element of an array that is not empty, anywhere, by an index that is not. */
static void element_anywhere(text *t, const context *x, const array *a) {
    memset(t, 0, sizeof *t);
    sprintf(t->dpc, "%c", a->name);
    sprintf(t->c, "(*%c(", a->name);
    for (int d = 0; d < a->rank; d++) {
        char s[120];
        const long e = a->extent[d], base = x->low[0] < 0 ? e * 50 : 0;
        sprintf(s, "(%c*%ld+%ld) %% %ld%+ld", x->name[0], between(1, 3), base + below(4), e, a->lower[d]);
        subscript(t, s, s, d == 0);
    }
    strcat(t->c, "))");
}

/* A loop that combines values into elements of an array: reduction(op: A). */
void array_reduction(void) {
    const array *a = any_variable(), *home = any_array(), *from = any_array();
    static const char *const clauses[] = {"+", "-", "max"};
    const long op = !strcmp(a->type->name, "_Bool") ? 0 : a->type->kind & COMPLEX ? below(2) : below(3);
    context x = {0};
    int dimension[MAX_RANK];
    text left, on, right, value;
    char loop[200];
    if (from == a || home == a || !home->distributed || is_empty(a)) return;
    if (is_far(home->lower[0]) || !forall_indices(&x, home, 1, dimension)) return;
    left_side(&on, &x, home, dimension);
    element_anywhere(&left, &x, a);
    reference(&right, &x, from, NULL);
    combine(&value, "labs((long)$) % 3", &right, &right);
    loop_head(loop, &x, 0);
    if (chance(60)) DPC("#pragma dpc independent on(%s) reduction(%s: %c)\n", on.dpc, clauses[op], a->name);
    BOTH("%s\n", loop);
    if (op == 2) {
        DPC("if (%s > %s) %s = %s;\n", value.dpc, left.dpc, left.dpc, value.dpc);
        C("if (%s > %s) %s = %s;\n", value.c, left.c, left.c, value.c);
    } else {
        DPC("%s %s= %s;\n", left.dpc, clauses[op], value.dpc);
        C("%s %s= %s;\n", left.c, clauses[op], value.c);
    }
    print_checksum(a);
}

/* A block with a distributed array of its own, which is used with the others and may be left by a jump. */
void block_with_array(void) {
    static int labels;
    array *local = &arrays[array_count];
    const array *like = any_array();
    const char name = array_count < MAX_ARRAYS + MAX_LOCALS ? new_name(false) : '\0';
    if (name == '\0') return;
    *local = *like;
    local->name = name, local->distributed = true, local->constant = false;
    local->role = random_role(), local->followed = local->inherits = local->parameter = false, *local->mapping = '\0';
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
