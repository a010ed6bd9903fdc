/* Pass "share": loops under `independent` when their references are classified: whole dimensions are brought where
 * subscripts are not affine, and what cannot be shared out is found. */
#include <string.h>

#include "place.h"

/* ---- Whole dimensions */

/* An index of all elements of a dimension, which this reference does not use yet; -1: too many. */
static int whole_index(program *p, parallel *s, const reference *r, int d) {
    const array *a = r->array;
    for (int k = s->loop->loops; k < s->indices; k++) {
        bool used = !linear_equal(&s->index[k].lower, &a->lower[d]) || !linear_equal(&s->index[k].upper, &a->upper[d]);
        for (int e = 0; e < r->rank; e++)
            used = used || (r->subscript[e].kind == SUBSCRIPT_AFFINE && r->subscript[e].index == k);
        if (!used) return k;
    }
    if (s->indices == MAX_RANK) return -1;
    append_index(
        p->memory, s,
        (loop_index){
            .name = unique_name(p, "all"), .lower = a->lower[d], .upper = a->upper[d], .stride = linear_constant(1)});
    return s->indices - 1;
}

static bool take_dimension(program *p, parallel *s, reference *r, int d) {
    const int k = whole_index(p, s, r, d);
    if (k < 0) return false;
    const subscript *u = &r->subscript[d];
    r->subscript[d] = (subscript){.kind = SUBSCRIPT_AFFINE,
                                  .index = k,
                                  .stride = linear_constant(1),
                                  .offset = linear_constant(0),
                                  .node = u->node,
                                  .whole = true};
    return true;
}

static bool is_repeated(const reference *r, int d) {
    for (int e = 0; e < d; e++)
        if (r->subscript[e].kind == SUBSCRIPT_AFFINE && r->subscript[e].index == r->subscript[d].index) return true;
    return false;
}

bool take_whole_dimensions(program *p, parallel *s, reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &r->subscript[d];
        const bool general = u->kind == SUBSCRIPT_GENERAL || (u->kind == SUBSCRIPT_AFFINE && is_repeated(r, d));
        if (general && !take_dimension(p, s, r, d)) return false;
    }
    return true;
}

/* ---- What the loop may do */

/* Whether no value of the loop variable makes the subscript `moving` equal to the invariant one. */
static bool is_beyond(const program *p, const parallel *s, const subscript *moving, const subscript *fixed) {
    arena *a = p->memory;
    const loop_index *x = &s->index[moving->index];
    if (moving->index >= s->loop->loops || !linear_is_constant(&x->stride)) return false;
    const bool down = (x->stride.constant < 0) != linear_is(&moving->stride, -1);
    if (!linear_is(&moving->stride, 1) && !linear_is(&moving->stride, -1)) return false;
    linear first = linear_add(a, moving->offset, linear_multiply(a, moving->stride, x->lower));
    linear last = linear_add(a, moving->offset, linear_multiply(a, moving->stride, x->upper));
    linear before = linear_subtract(a, down ? last : first, fixed->offset);
    linear behind = linear_subtract(a, fixed->offset, down ? first : last);
    return (linear_is_constant(&before) && before.constant > 0) || (linear_is_constant(&behind) && behind.constant > 0);
}

/* Whether an iteration cannot have stored what it reads. */
static bool are_apart(const program *p, const parallel *s, const reference *stored, const reference *r) {
    for (int d = 0; d < r->rank; d++) {
        const subscript *u = &stored->subscript[d], *v = &r->subscript[d];
        if (u->kind == SUBSCRIPT_GENERAL || v->kind == SUBSCRIPT_GENERAL || u->whole || v->whole) continue;
        if (u->kind == SUBSCRIPT_AFFINE && v->kind == SUBSCRIPT_INVARIANT && is_beyond(p, s, u, v)) return true;
        if (v->kind == SUBSCRIPT_AFFINE && u->kind == SUBSCRIPT_INVARIANT && is_beyond(p, s, v, u)) return true;
        const bool same = u->kind == v->kind && u->index == v->index;
        if (!same || (u->kind == SUBSCRIPT_AFFINE && !linear_equal(&u->stride, &v->stride))) continue;
        linear distance = linear_subtract(p->memory, u->offset, v->offset);
        if (linear_is_constant(&distance) && distance.constant != 0) return true;
    }
    return false;
}

static bool names_owner(const parallel *s) {
    const reference *home = &s->left;
    bool used[MAX_RANK] = {false}, any = false;
    for (int d = 0; d < home->rank; d++) {
        const subscript *u = &home->subscript[d];
        if (!may_be_distributed(home->array, d)) continue;
        if (u->kind == SUBSCRIPT_GENERAL || (u->kind == SUBSCRIPT_AFFINE && used[u->index])) return false;
        if (u->kind == SUBSCRIPT_AFFINE) any = used[u->index] = true;
    }
    return any;
}

/* Whether the iterations assign elements that are not among a reduction's. */
static bool assigns_elements(const parallel *s) {
    for (size_t k = 0; k < s->references; k++)
        if (s->reference[k].stored) return true;
    return false;
}

/* What nests have found, as it is known by now. */
static const char *pipeline_obstacle(const program *p, const parallel *s) {
    const reference *home = &s->left;
    for (int d = next_distributed(home->array, 0); d < home->rank; d = next_distributed(home->array, d + 1))
        if (home->subscript[d].kind != SUBSCRIPT_AFFINE)
            return arena_format(p->memory, "the owner of %s is not known from its loops",
                                ast_quote(p->memory, p->source, home->node));
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        const relation found = r->placed.relation;
        if (found == RELATION_LOCAL || (found == RELATION_SHIFT && !r->placed.beside && !r->stored)) continue;
        return arena_format(p->memory, "%s does not stand beside %s", ast_quote(p->memory, p->source, r->node),
                            ast_quote(p->memory, p->source, home->node));
    }
    return NULL;
}

static const char *independent_obstacle(const program *p, const parallel *s) {
    arena *a = p->memory;
    const char *home = ast_quote(a, p->source, s->left.node);
    if (s->loop->pipeline) return pipeline_obstacle(p, s);
    if (executes_once(s) && assigns_elements(s))
        return arena_format(a, "%s may have copies, which all are stored, but only one of which adds to a reduction",
                            home);
    if (!names_owner(s))
        return arena_format(a, "the owner of %s is not known from '%s'%s", home, s->loop->variable->name,
                            s->left.array->dynamic ? arena_format(a, ": the array %s", why_dynamic(s->left.array))
                                                   : "");
    for (size_t k = 0; k < s->references; k++) {
        const reference *r = &s->reference[k];
        const char *element_text = ast_quote(a, p->source, r->node);
        if (r->placed.relation == RELATION_GATHER)
            return arena_format(a, "too many dimensions move for %s", element_text);
        if (r->stored && r->placed.relation != RELATION_LOCAL)
            return arena_format(a, "%s is assigned, and does not live where %s does", element_text, home);
        if (r->stored && may_have_copies(r->array) && !reference_is_local(p, r, &s->left))
            return arena_format(a, "%s is assigned, of which other processes than the owner of %s may have copies",
                                element_text, home);
        for (size_t j = 0; j < s->references && r->placed.relation != RELATION_LOCAL; j++)
            if (s->reference[j].stored && s->reference[j].array == r->array && !are_apart(p, s, &s->reference[j], r) &&
                !is_read_before_stored(p, s, &s->reference[j], r))
                return arena_format(a, "%s, which lives elsewhere, may be the element that the same iteration assigns",
                                    element_text);
    }
    return NULL;
}

/* Independent loops that cannot be shared out are plain loops after all. */
void share_out(program *p) {
    size_t kept = 0;
    for (size_t g = 0; g < p->group_count; g++) {
        const parallel *s = p->groups[g]->actions ? p->groups[g]->action[0].statement : NULL;
        const char *why = s && s->loop ? independent_obstacle(p, s) : NULL;
        if (why) {
            run_everywhere(p, s->loop, why);
            table_put(p->memory, &p->group_of, p->groups[g]->node, NULL);
        } else
            p->groups[kept++] = p->groups[g];
    }
    p->group_count = kept;
}
