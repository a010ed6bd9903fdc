/* Who owns which elements of a dimension in intervals (gen_block): their lengths, or when they are known. */
#include "report.h"

const node *constant_intervals(const array *a, int d) {
    const node *sizes = block_sizes(&a->mapping, d);
    const symbol *s = sizes && sizes->kind == N_NAME ? sizes->symbol : NULL;
    const node *init = s && s->declarator ? s->declarator->parent : NULL;
    int64_t value;
    while (init && init->kind == N_ARRAY) init = init->parent;
    if (!init || init->kind != N_INIT_DECLARATOR || init->count < 2 || !init->child[1] || s->is_parameter) return NULL;
    const node *list = init->child[1];
    if (list->kind != N_INITIALIZER_LIST || !s->declaration || !specifiers_have(s->declaration->child[0], "const"))
        return NULL;
    for (size_t k = 0; k < list->count; k++)
        if (!constant_value(list->child[k], &value)) return NULL;
    return list;
}

const char *intervals_text(const program *p, const array *a, int d) {
    const node *sizes = block_sizes(&a->mapping, d), *list = constant_intervals(a, d);
    int64_t value;
    text out;
    if (!sizes) return NULL;
    if (!list)
        return arena_format(p->memory, "computed at run time, from '%s' when the directive is executed",
                            ast_quote(p->memory, p->source, sizes));
    text_start(&out, p->memory);
    text_add(&out, "intervals of");
    for (size_t k = 0; k < list->count; k++)
        if (constant_value(list->child[k], &value)) text_format(&out, "%s %lld", k ? "," : "", (long long)value);
    text_add(&out, " elements");
    return text_of(&out);
}
