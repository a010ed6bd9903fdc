/* Statements that are compiled for several mappings: the number in the arrays' descriptors tells which version is
 * executed.
 *
 *     if (A_dist.version == 1) { // A is (cyclic(9))
 *         the statements, compiled for it
 *     } else { // A is (block)
 *         the same
 *     } */
#include <string.h>

#include "emitter.h"

/* The number of the mapping that an array has now: that of what it moves with, or that the function has got. */
static const char *number_text(const emitter *e, const array *a) {
    if (a->inherits) return arena_format(e->memory, "%s.version", a->parameter);
    return arena_format(e->memory, "%sversion", end_of_chain(a)->access);
}

static size_t view_number(const array *a, const array *view) {
    size_t k = 0;
    while (k < a->views && a->view[k] != view) k++;
    return k;
}

/* Whether the first `count` arrays tell version n from those behind it. */
static bool tell_apart(const versions *v, size_t n, size_t count) {
    for (size_t m = n + 1; m < v->count; m++) {
        bool same = true;
        for (size_t k = 0; k < count; k++) same = same && v->view[m][k] == v->view[n][k];
        if (same) return false;
    }
    return true;
}

/* The variables that say whether arrays are divided alike, or nearly so. */
static const char *likeness_text(const emitter *e, const versions *v, size_t n) {
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < v->likes; k++)
        text_format(&out, "%s%s", k ? " && " : "", n > 0 ? v->like[k]->near : v->like[k]->name);
    return text_of(&out);
}

static bool moves_with_former(const versions *v, size_t k) {
    for (size_t m = 0; m < k; m++)
        if (same_array(end_of_chain(v->array[m]), end_of_chain(v->array[k]))) return true;
    return false;
}

/* Where the versions before are not it: the arrays that tell it from those behind it. */
static const char *condition_of_version(emitter *e, const versions *v, size_t n) {
    text out;
    size_t count = v->general ? v->arrays : 0;
    if (v->condition) use_names_in(e, v->condition[n]);
    if (v->condition) return v->condition[n];
    if (v->likes > 0) return likeness_text(e, v, n);
    while (!tell_apart(v, n, count)) count++;
    text_start(&out, e->memory);
    for (size_t k = 0; k < count; k++)
        if (!moves_with_former(v, k))
            text_format(&out, "%s%s == %zu", k ? " && " : "", number_text(e, v->array[k]),
                        view_number(v->array[k], v->view[n][k]));
    return text_of(&out);
}

static const char *mappings_of_version(emitter *e, const versions *v, size_t n) {
    text out;
    text_start(&out, e->memory);
    if (v->condition) return v->condition[n];
    if (v->likes > 0) return likeness_words(e->memory, v, n);
    if (v->general && n + 1 == v->count) return "mapped in any other way";
    for (size_t k = 0; k < v->arrays; k++)
        text_format(&out, "%s%s is %s", k ? ", " : "", v->array[k]->symbol->name,
                    words_of_view(e->memory, v->view[n][k]));
    return text_of(&out);
}

void forget_rewriting(emitter *e, const node *n) {
    for (size_t t = n->first; t <= n->last; t++)
        if (e->edit[t]) *e->edit[t] = (edit){.functions = e->edit[t]->functions};
}

void add_deeper(text *out, const char *s) {
    for (size_t length; *s; s += length) {
        const size_t blank = strspn(s, " \t");
        length = strcspn(s, "\n");
        length += s[length] == '\n';
        if (s[blank] == '\n') continue;
        if (*s != '#') text_add(out, "    ");
        text_add_bytes(out, s, length);
    }
}

/* The statement that a version consists of, if it is a parallel one by itself; else NULL. */
static const node *only_statement(const emitter *e, const node *version) {
    const bool directed = version->count == 2 && version->child[0]->kind == N_INDEPENDENT;
    const node *n = directed || version->count == 1 ? version->child[version->count - 1] : NULL;
    return n && group_at(e->p, n) ? n : NULL;
}

/* The text of a version: what stands in its braces. */
static const char *version_text(emitter *e, node *n, const char *indent) {
    text out;
    forget_rewriting(e, n);
    e->in_braces = only_statement(e, n);
    e->has_braces = false;
    rewrite(e, n);
    const bool has_braces = e->has_braces;
    const char *lead = edit_at(e, n->first)->lead, *lines = emit_node(e, n);
    e->in_braces = NULL;
    e->has_braces = false;
    if (has_braces) return lines;
    text_start(&out, e->memory);
    add_deeper(&out, arena_format(e->memory, "%s%s%s\n", indent, lead ? lead : "", lines));
    return text_of(&out);
}

static bool all_the_same(const char *const *lines, size_t count) {
    for (size_t k = 1; k < count; k++)
        if (strcmp(lines[k], lines[0]) != 0) return false;
    return true;
}

/* In braces where they stand below an `if` or a loop. */
static const char *chosen_version(emitter *e, const node *n, const char *const *lines, const char *indent) {
    const versions *v = table_at(&e->p->versions_at, n);
    text out, block;
    text_start(&out, e->memory);
    text_start(&block, e->memory);
    for (size_t k = 0; k < v->count; k++) {
        text_add(&out, k == 0 ? indent : " else ");
        if (k + 1 < v->count) text_format(&out, "if (%s) ", condition_of_version(e, v, k));
        if (v->condition && k + 1 < v->count)
            text_add(&out, "{\n"); /* the condition says it */
        else
            text_format(&out, "{ /* %s */\n", mappings_of_version(e, v, k));
        text_add(&out, lines[k]);
        text_format(&out, "%s}", indent);
    }
    text_add(&out, "\n");
    if (n->parent->kind == N_COMPOUND) return trimmed(e, text_of(&out), indent);
    text_format(&block, "%s{\n", indent);
    add_deeper(&block, text_of(&out));
    text_format(&block, "%s}\n", indent);
    return trimmed(e, text_of(&block), indent);
}

/* Reductions that are computed before a statement below an `if` or a loop need a block. */
static void serial_version(emitter *e, node *n) {
    rewrite(e, n->child[0]);
    if (n->child[0]->kind != N_COMPOUND || n->parent->kind == N_COMPOUND || !edit_at(e, n->first)->lead) return;
    replace(e, n, arena_format(e->memory, "{ %s%s }", edit_at(e, n->first)->lead, emit_node(e, n)));
    edit_of(e, n->first)->lead = NULL;
}

/* A reduction in an expression. */
static const char *chosen_value(emitter *e, const node *n) {
    const versions *v = table_at(&e->p->versions_at, n);
    text out;
    text_start(&out, e->memory);
    for (size_t k = 0; k < v->count; k++) {
        forget_replacements(e, n->first, n->first);
        rewrite(e, n->child[k]);
        if (k + 1 < v->count) text_format(&out, "%s ? ", condition_of_version(e, v, k));
        text_format(&out, "/* %s */ %s%s", mappings_of_version(e, v, k), emit_node(e, n->child[k]),
                    k + 1 < v->count ? " : " : "");
    }
    return arena_format(e->memory, "(%s)", text_of(&out));
}

void rewrite_versions(emitter *e, node *n) {
    const char *lines[MOST_COMPILED];
    if (e->serial) {
        serial_version(e, n);
        return;
    }
    if (n->child[0]->kind != N_COMPOUND) {
        replace(e, n, chosen_value(e, n));
        return;
    }
    const char *indent = indentation(e, n->child[0]->child[0]);
    for (size_t k = 0; k < n->count; k++) lines[k] = version_text(e, n->child[k], indent);
    forget_rewriting(e, n);
    if (all_the_same(lines,
                     n->count)) { /* what every process executes alike needs no choice, and keeps its own braces */
        const versions *v = table_at(&e->p->versions_at, n);
        for (int k = 0; k < v->only_heres; k++)
            if (v->only_here[k]->declarator)
                replace(e, (node *)v->only_here[k]->declarator,
                        arena_format(e->memory, "%s __attribute__((unused))", v->only_here[k]->name));
        rewrite(e, n->child[0]);
        return;
    }
    replace(e, n,
            arena_format(e->memory, "%s%s", missing_indentation(e, n->child[0]->child[0], indent),
                         chosen_version(e, n, lines, indent)));
}
