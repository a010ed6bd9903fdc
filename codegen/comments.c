/* Comments before parallel statements: what moves, and why. */
#include <string.h>

#include "spmd.h"

/* The constants that the blocks and strides of a dimension are made of, without those in `so_far`. */
static void add_constants(emitter *e, text *so_far, const array *a, int d, const linear *stride) {
    const array *divided = d < 0 ? NULL : divided_dimension(e->p, a, &d);
    const linear *block = divided ? written_block(&divided->mapping, d) : NULL, *made[] = {block, stride};
    for (int k = 0; k < 2; k++)
        for (int n = 0; made[k] && n < made[k]->names; n++)
            if (!mentions_word(text_of(so_far), made[k]->name[n].text))
                text_format(so_far, "%s%s", so_far->length ? ", " : ", computed from ", made[k]->name[n].text);
}

/* What the numbers in a closed form's loops were computed from; "": they are the program's own. */
static const char *constants_of(emitter *e, const parallel *s, const reference *r, const pairing *x) {
    const reference *home = home_of(s);
    text out;
    text_start(&out, e->memory);
    add_constants(e, &out, r->array, x->dim, &r->subscript[x->dim].stride);
    if (home && x->home_dim >= 0)
        add_constants(e, &out, home->array, x->home_dim, &home->subscript[x->home_dim].stride);
    return text_of(&out);
}

/* How the sets of one dimension are found, in words that go before the sets; NULL: there are none. */
static const char *method_words(emitter *e, const parallel *s, const reference *r, int d) {
    pairing x = pairing_of(e->p, s, r, d);
    if (x.index < 0 || x.method == METHOD_NONE) return NULL;
    x.method = pairing_method(e->p, s, r, &x);
    const bool named = x.number > 1 || (x.number == 1 && x.method != METHOD_CLOSED); /* single blocks need no case */
    const char *number = named ? arena_format(e->memory, "case %d, ", x.number) : "";
    if (x.method == METHOD_CLOSED && x.sections.text)
        return arena_format(e->memory, "%sclosed form, at most %s section%s a pair: ", number, x.sections.text,
                            strcmp(x.sections.text, "1") ? "s" : "");
    if (x.method == METHOD_CLOSED) return arena_format(e->memory, "%sclosed form: ", number);
    return arena_format(e->memory, "%s%s%s", number,
                        x.method == METHOD_ROWWISE     ? "sets row by row"
                        : x.method == METHOD_LATTICE   ? "sets by the lattice method"
                        : x.method == METHOD_ENUMERATE ? "sets by enumeration"
                                                       : "run-time sets",
                        r->rank > 1 ? " along " : "");
}

/* The sets themselves; where they have no closed form, the index. */
static const char *iterations_words(emitter *e, const parallel *s, const reference *r, int d) {
    pairing x = pairing_of(e->p, s, r, d);
    const char *index = r->rank > 1 ? s->index[x.index].name : "";
    if (pairing_method(e->p, s, r, &x) != METHOD_CLOSED) return index;
    return arena_format(e->memory, "%s%s%s%s", *index ? index : "iterations", *index ? " in " : " ",
                        set_words(e, s, r, d), constants_of(e, s, r, &x));
}

/* Whether the words fit into the last line, with an end of the comment. */
static bool fits(text *out, const char *indent, const char *words) {
    const char *line = strrchr(text_of(out), '\n');
    const size_t length = line ? strlen(line + 1) : strlen(indent) + out->length;
    return length + strlen(": ") + strlen(words) + strlen(" */") <= LINE_WIDTH;
}

/* The case and the sets of dimension *d, and of those behind it that are found in the same way; NULL: there are none.
 */
static const char *dimensions_words(emitter *e, const parallel *s, const reference *r, int *d) {
    const char *method = method_words(e, s, r, *d), *other;
    text words;
    text_start(&words, e->memory);
    if (method) text_format(&words, "%s%s", method, iterations_words(e, s, r, *d));
    for (++*d; method && *d < r->rank; ++*d) {
        other = method_words(e, s, r, *d);
        if (other && strcmp(other, method) != 0) break;
        const char *iterations = other ? iterations_words(e, s, r, *d) : "";
        text_format(&words, "%s%s", *iterations ? ", " : "", iterations);
    }
    return method ? text_of(&words) : NULL;
}

/* The cases and the sets of all dimensions. */
static void comment_dimensions(emitter *e, text *out, const parallel *s, const reference *r, const char *indent) {
    bool first = true;
    for (int d = 0; d < r->rank;) {
        const char *words = dimensions_words(e, s, r, &d);
        if (!words) continue;
        if (first && fits(out, indent, words))
            text_format(out, ": %s", words);
        else
            text_format(out, "\n%s *     %s", indent, words);
        first = false;
    }
}

/* The number of home's subscript that divides dimension g (from 1) of the grid. */
static int subscript_along(const reference *home, int g) {
    return dimension_along(home->array, g - 1);
}

/* The dimensions of the grid that a broadcast runs along; "": none, as home has the same invariant subscripts. */
static const char *lines_words(emitter *e, const reference *home, const reference *r) {
    text out;
    int g = 0, count = 0;
    text_start(&out, e->memory);
    for (int d = 0; d < r->rank; d++) {
        if (!divides(&r->array->mapping, d)) continue;
        const int other = subscript_along(home, ++g);
        const subscript *u = &r->subscript[d], *v = other < 0 ? NULL : &home->subscript[other];
        if (u->kind != SUBSCRIPT_INVARIANT) continue;
        if (v && v->kind == SUBSCRIPT_INVARIANT && linear_equal(&u->offset, &v->offset)) continue;
        text_format(&out, "%s%d", count++ ? " and " : "", g);
    }
    return text_of(&out);
}

/* "" or that the values stay. */
static const char *staying_words(emitter *e, const reference *r) {
    const char *what = r->combined.inspected ? "what subscripts are made of" : r->array->symbol->name;
    return r->combined.reused ? arena_format(e->memory, ", only where %s or the iterations have changed", what) : "";
}

/* "moves to the owners of A[i] (block)". */
static const char *travel_words(emitter *e, const parallel *s, travel way) {
    const reference *home = home_of(s);
    const char *comment = facts_of_travel(way)->comment, *at = strstr(comment, "%s");
    if (!at) return comment;
    const char *where = home                 ? arena_format(e->memory, "to the owners of %s %s", quote(e, home->node),
                                                            mapping_words(e->memory, home->array))
                        : s->placed.in_parts ? "to who executes the iteration"
                                             : "to every process";
    return arena_format(e->memory, "%.*s%s%s", (int)(at - comment), comment, where, at + 2);
}

/* What another gather's inspector looks for, too, but for another mapping. */
static void comment_common(emitter *e, text *out, const parallel *s, const reference *r, const reference *with,
                           const char *indent) {
    text_format(out, "\n%s *   %s %s %s: looked for with %s", indent, quote(e, r->node),
                mapping_words(e->memory, r->array), travel_words(e, s, TRAVEL_MOVED), quote(e, with->node));
}

/* The reference of another mapping whose inspector looks for r, too, or NULL. */
static const reference *looked_for_with(emitter *e, const parallel *s, const reference *r, int mask) {
    const reference *with = inspected_with(s, r, mask);
    return with && !are_stored_alike(e->p, r->array, with->array) ? with : NULL;
}

static bool is_gathered(emitter *e, const parallel *s, const reference *r, int mask) {
    const travel way = travel_of(e->p, s, r);
    return (way == TRAVEL_GATHERED || way == TRAVEL_SUBMATRIX) && !looked_for_with(e, s, r, mask);
}

/* Whether the comment says the same of both, which are gathered: it does so once. */
static bool is_said_together(emitter *e, const parallel *s, const reference *r, const reference *other, int mask) {
    return is_gathered(e, s, r, mask) && is_gathered(e, s, other, mask) &&
           travel_of(e->p, s, r) == travel_of(e->p, s, other) &&
           !strcmp(staying_words(e, r), staying_words(e, other)) &&
           !strcmp(mapping_words(e->memory, r->array), mapping_words(e->memory, other->array));
}

/* Whether the comment says something of reference k, in place of which others may stand. */
static bool is_commented(const parallel *s, size_t k, int mask) {
    const reference *r = &s->reference[k];
    return needed(s, r, mask) && !is_in_place(r) && !shared_with(s, r, mask);
}

/* Whether reference k reads other elements from the box of one that is commented, r or another one that is said
 * together with r. */
static bool reads_beside(emitter *e, const parallel *s, const reference *r, size_t k, int mask) {
    const reference *q = &s->reference[k], *from = shared_with(s, q, mask);
    if (!from || !from->placed.matrix || strcmp(quote(e, from->node), quote(e, q->node)) == 0) return false;
    for (size_t j = 0; j < k; j++)
        if (shared_with(s, &s->reference[j], mask) == from &&
            strcmp(quote(e, s->reference[j].node), quote(e, q->node)) == 0)
            return false;
    return from == r || is_said_together(e, s, r, from, mask);
}

/* References that are gathered like reference k, from it on. */
static void comment_gathers(emitter *e, text *out, const parallel *s, size_t first, int mask, const char *indent) {
    const reference *r = &s->reference[first];
    bool *listed = arena_alloc(e->memory, (s->references + 1) * sizeof *listed);
    size_t last = first;
    for (size_t k = first + 1; k < s->references; k++) {
        listed[k] = (is_commented(s, k, mask) && is_said_together(e, s, r, &s->reference[k], mask)) ||
                    reads_beside(e, s, r, k, mask);
        if (listed[k]) last = k;
    }
    text_format(out, "\n%s *   %s", indent, quote(e, r->node));
    for (size_t k = first + 1; k <= last; k++)
        if (listed[k]) text_format(out, "%s %s", k == last ? " and" : ",", quote(e, s->reference[k].node));
    const char *words = travel_words(e, s, travel_of(e->p, s, r));
    text_format(out, " %s %s%s%s", mapping_words(e->memory, r->array), last > first ? "move" : "moves",
                words + strlen("moves"), staying_words(e, r));
}

static void comment_reference(emitter *e, text *out, const parallel *s, const reference *r, int mask,
                              const char *indent) {
    const travel way = travel_of(e->p, s, r);
    const reference *with = looked_for_with(e, s, r, mask);
    if (with) {
        comment_common(e, out, s, r, with, indent);
        return;
    }
    if (way == TRAVEL_PANELS) {
        comment_operand(e, out, s, r, indent);
        return;
    }
    const char *words = travel_words(e, s, way);
    text_format(out, "\n%s *   %s %s", indent, quote(e, r->node), mapping_words(e->memory, r->array));
    if (way == TRAVEL_BROADCAST) {
        const char *lines = lines_words(e, home_of(s), r);
        text_format(out, ": %s%s%s%s%s", words, *lines ? " along dimension " : "", lines, *lines ? " of the grid" : "",
                    staying_words(e, r));
        return;
    }
    text_format(out, " %s%s", words, staying_words(e, r));
    if (r->placed.relation == RELATION_SETS && r->placed.move == MOVE_COPIED)
        text_add(out, " by the redistribution engine");
    if (r->placed.relation != RELATION_SETS || r->placed.move == MOVE_COPIED || way == TRAVEL_SAME) return;
    comment_dimensions(e, out, s, r, indent);
}

/* What moves for a piece of a statement. */
static void comment_moves(emitter *e, text *out, const parallel *s, int mask, const char *indent) {
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        bool said = !is_commented(s, k, mask);
        for (size_t j = 0; j < k && !said; j++)
            said = is_commented(s, j, mask) && is_said_together(e, s, &s->reference[j], r, mask);
        if (said) continue;
        if (is_gathered(e, s, r, mask))
            comment_gathers(e, out, s, k, mask, indent);
        else
            comment_reference(e, out, s, r, mask, indent);
    }
    comment_refresh(e, out, s, mask, indent);
}

/* How the processes' parts of reduction(...) become results. */
static void comment_partials(emitter *e, text *out, const parallel *s, const char *indent) {
    for (size_t k = 0; s->loop && k < s->loop->partials; k++) {
        const partial_result *r = &s->loop->partial[k];
        text_format(out, "\n%s *   %s%s%s: %s", indent, r->symbol->name, r->symbol->array ? " " : "",
                    r->symbol->array ? mapping_words(e->memory, r->symbol->array) : "",
                    r->kind == PARTIAL_ELEMENTS             ? "its owners get the others' parts behind the loop"
                    : r->kind == PARTIAL_MEMORY && r->exact ? "collectives combine the processes' parts"
                                                            : "one collective combines the processes' parts");
    }
}

void emit_comment(emitter *e, const parallel *s, int mask) {
    const char *indent = indentation_here(e), *what = "";
    if (s->loop) what = s->loop->scans ? "running sums on " : s->loop->pipeline ? "pipeline on " : "independent on ";
    if (mask >= 0)
        what = s->mask[mask].node->kind == N_LOCAL ? arena_format(e->memory, "%s of ", s->mask[mask].node->symbol->name)
                                                   : "mask of ";
    text out;
    text_start(&out, e->memory);
    text_format(&out, "/* %s: %s%s", place_of(e->p, s->node), what, quote(e, s->loop ? s->left.node : s->node));
    comment_moves(e, &out, s, mask, indent);
    if (s->placed.scatter && mask < 0)
        text_format(&out, "\n%s *   %s %s: %s%s", indent, quote(e, s->left.node),
                    mapping_words(e->memory, s->left.array), facts_of_travel(travel_of(e->p, s, &s->left))->comment,
                    staying_words(e, &s->left));
    if (mask < 0) comment_pipeline(e, &out, s, indent);
    comment_partials(e, &out, s, indent);
    if (s->results)
        text_format(&out, "\n%s *   the owners of %s %s combine the processes' results", indent,
                    quote(e, s->results->node), mapping_words(e->memory, s->results->array));
    emit_line(e, "%s */", text_of(&out));
}

/* The place of statement k of a chain, as far as the one before does not say it. */
static const char *place_in_chain(emitter *e, const fusion *c, int k) {
    const char *place = place_of(e->p, c->statement[k]->node);
    const char *before = k ? place_of(e->p, c->statement[k - 1]->node) : "";
    if (!strcmp(place, before)) return "";
    const char *line = strrchr(place, ':');
    if (!strncmp(place, before, (size_t)(line + 1 - place))) return arena_format(e->memory, "line %s: ", line + 1);
    return arena_format(e->memory, "%s: ", place);
}

void comment_chain(emitter *e, const fusion *c) {
    const char *indent = indentation_here(e);
    text out;
    text_start(&out, e->memory);
    for (int k = 0; k < c->count; k++)
        text_format(&out, "%s%s%s", k ? arena_format(e->memory, "\n%s * ", indent) : "/* ", place_in_chain(e, c, k),
                    quote(e, c->statement[k]->node));
    comment_moves(e, &out, c->merged, -1, indent);
    emit_line(e, "%s */", text_of(&out));
}
