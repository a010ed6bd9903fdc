/* Templates, alignment and redistribution.  See generate.h.
 *
 * The plain C program has none of it.  What an array may be aligned with lives at least as long: a template, or an
 * array that was declared earlier; a parameter's is a template or another parameter. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

bool alignments;

static array templates[2];
static int template_count, template_first; /* those of the functions' scope */

array_role random_role(void) {
    if (!alignments || chance(45)) return ANCHOR;
    return chance(50) ? LINK : FOLLOWER;
}

void declare_template(buffer *dpc, bool for_function) {
    static const long least[] = {60, 14, 8};
    array *t = &templates[template_count++];
    *t = (array){.name = for_function ? 'e' : 'a', .rank = (int)between(1, MAX_RANK), .distributed = true};
    add(dpc, "#pragma dpc template %c", t->name);
    for (int d = 0; d < t->rank; d++) {
        t->extent[d] = least[t->rank - 1] * between(1, 3) + below(4);
        t->lower[d] = chance(50) ? 0 : between(-5, 9);
        add(dpc, "[%ld:%ld]", t->lower[d], t->lower[d] + t->extent[d] - 1);
    }
    add(dpc, "\n#pragma dpc distribute ");
    add_mapping(dpc, t, true);
    add(dpc, "\n");
}

void hide_templates(void) {
    template_first = template_count;
}

void end_function_templates(void) {
    template_first = 0;
    if (template_count > 0 && templates[template_count - 1].name == 'e') template_count--;
}

/* ---- What stands where */

static bool may_follow(const array *a, const array *base) {
    return base->distributed && base->role != FOLLOWER && !is_empty(base) && a->parameter <= base->parameter &&
           (!is_global(a) || is_global(base));
}

/* A template that lives as long. */
static array *any_template(const array *a) {
    if (template_count == template_first) return NULL;
    array *t = &templates[between(template_first, template_count - 1)];
    return is_global(a) && t->name == 'e' ? &templates[0] : t;
}

array *base_for(const array *a) {
    for (int tries = 0; tries < 6; tries++) {
        const long n = below(array_count + 2);
        array *base = n < array_count ? &arrays[n] : any_template(a);
        if (n < array_count ? base < a && may_follow(a, base) : base != NULL) return base;
    }
    return NULL;
}

/* Elements of n on cells of a dimension of `base`, s cells apart: cell of the first one by chance, mostly near the
 * lower bound. */
static void add_cells(buffer *b, const array *a, int dimension, const array *base, int d) {
    static const long strides[] = {1, 1, 1, 1, 1, -1, 2, 2, 3, -2};
    const long n = a->extent[dimension], cells = base->extent[d];
    long s;
    do s = strides[below(10)];
    while (labs(s) * (n - 1) > cells - 1);
    const long room = n > 0 ? cells - 1 - labs(s) * (n - 1) : cells - 1;
    const long cell = base->lower[d] + below(chance(60) ? minimum(room, 3) + 1 : room + 1);
    const long first = s > 0 || n == 0 ? a->lower[dimension] : a->lower[dimension] + n - 1;
    if (s == 1)
        add(b, "[%c%+ld%s]", "ijk"[dimension], cell - first, automatic && chance(10) ? "+n-5" : "");
    else
        add(b, "[%ld*%c%+ld]", s, "ijk"[dimension], cell - s * first);
}

/* The dimension of `a` that stands along dimension d of `base`, or -1. */
static int dimension_for(const array *a, const array *base, int d, int used) {
    for (int tries = 0; tries < 4; tries++) {
        const int k = tries == 0 && d < a->rank ? d : (int)below(a->rank);
        if (!(used >> k & 1) && a->extent[k] <= base->extent[d] && chance(85)) return k;
    }
    return -1;
}

void add_alignment(buffer *b, const array *a, const array *base) {
    buffer cells = {0};
    int used = 0;
    for (int d = 0; d < base->rank; d++) {
        const int k = dimension_for(a, base, d, used);
        if (k >= 0)
            add_cells(&cells, a, k, base, d), used |= 1 << k;
        else if (chance(35))
            add(&cells, "[*]");
        else
            add(&cells, "[%ld]", base->lower[d] + below(base->extent[d]));
    }
    add(b, "%c", a->name);
    for (int d = 0; d < a->rank; d++)
        if (used >> d & 1 || chance(50))
            add(b, "[%c]", "ijk"[d]);
        else
            add(b, "[*]");
    add(b, " with %c%s", base->name, cells.text);
    free(cells.text);
}

/* ---- Redistribution */

/* What is aligned goes along: in a function nothing that the caller may have passed. */
static bool may_redistribute(const array *a) {
    if (!a->distributed || a->constant || a->role == LINK) return false;
    if (a->inherits && alignments) return false;
    return !(in_function() && a->followed && is_global(a));
}

/* Under a condition that only the program knows: then several mappings reach what comes behind. */
void redistribute(void) {
    array *t = template_count > template_first ? &templates[template_count - 1] : NULL;
    const bool moves_template = t && chance(25) && in_function() == (t->name == 'e');
    array *a = moves_template ? t : &arrays[below(array_count)], *base = NULL;
    if (!may_redistribute(a)) return;
    if (a->role == FOLLOWER && !(base = base_for(a))) return;
    if (chance(40)) add(&dpc_body, "if (x %% 2 == %ld)\n", below(2));
    add(&dpc_body, base ? "#pragma dpc realign " : "#pragma dpc redistribute ");
    if (base)
        add_alignment(&dpc_body, a, base), base->followed = true;
    else
        add_mapping(&dpc_body, a, false);
    add(&dpc_body, "\n");
}
