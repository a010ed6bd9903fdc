/* Declarations of distributed arrays, and directives. */
#include <string.h>

#include "emitter.h"

bool is_in_file_scope(const node *n) {
    return n->parent && n->parent->kind == N_UNIT;
}

static const array *array_of(node *declarator) {
    const node *name = declared_name(declarator);
    return name && name->symbol ? name->symbol->array : NULL;
}

static bool is_static_local(const array *a) {
    return a->symbol->is_static && !a->symbol->file_scope;
}

/* ---- C arrays with bounds */

/* l:u becomes the extent, as the walk has left it where it reads distributed elements. What stands before it is
 * replaced as well, so that the bounds themselves can still be emitted. */
void rewrite_bounds(emitter *e, node *d) {
    if (!d->child[1] || !d->child[2]) return;
    linear upper = linear_of(e->memory, e->p->source, d->child[2]),
           lower = linear_of(e->memory, e->p->source, d->child[1]);
    linear extent = linear_add(e->memory, linear_subtract(e->memory, upper, lower), linear_constant(1));
    const char *size = linear_words(e, &extent);
    if (reads_distributed(d->child[1]) || reads_distributed(d->child[2]))
        size = arena_format(e->memory, "%s - %s + 1", parenthesise(e, emit_node(e, d->child[2])),
                            parenthesise(e, emit_node(e, d->child[1])));
    const size_t bracket = d->child[1]->first - 1;
    const char *opening = e->p->source->tokens[bracket].text;
    replace_tokens(e, bracket, d->child[2]->last,
                   arena_format(e->memory, "%s%s%s", opening, *opening == '[' ? "" : " ", size));
}

/* ---- Arrays of the serial program */

static const char *fill_loop(emitter *e, const array *a, const char *indent) {
    const char *value = expression(e, a->init);
    const char *flat = a->symbol->name;
    const char *count = "1";
    for (int d = 0; d < a->rank; d++) {
        count = d ? arena_format(e->memory, "%s * %s", count, parenthesise(e, extent_text(e, a, d)))
                  : parenthesise(e, extent_text(e, a, d));
        if (d < a->rank - 1) flat = arena_format(e->memory, "%s[0]", flat);
    }
    return arena_format(e->memory,
                        "%sfor (long \1element = 0; \1element < (long)%s; \1element++) (&%s[0])[\1element] = %s;\n",
                        indent, count, flat, value);
}

/* An automatic array of the serial program lies on the heap: run-time extents may pass the stack's limit. */
static const char *serial_automatic(emitter *e, const array *a, const char *indent) {
    text out;
    text_start(&out, e->memory);
    const char *ctype = element_spelling(a->element), *name = a->symbol->name;
    text_format(&out, "%s (*%s)", ctype, name);
    if (a->rank == 1) {
        text_start(&out, e->memory);
        text_format(&out, "%s *%s", ctype, name);
    }
    for (int d = 1; d < a->rank; d++) text_format(&out, "[%s]", extent_text(e, a, d));
    const char *row = arena_format(e->memory, "sizeof(%s)", ctype);
    for (int d = 1; d < a->rank; d++)
        row = arena_format(e->memory, "(size_t)%s * %s", parenthesise(e, extent_text(e, a, d)), row);
    text_format(&out, " DPC_AUTOMATIC = dpc_heap(%s, %s);", extent_text(e, a, 0), row);
    if (a->init) text_format(&out, "\n%s", fill_loop(e, a, indent));
    e->uses_heap = true;
    return text_of(&out);
}

static const char *serial_static(emitter *e, const array *a, const char *indent) {
    if (!a->init) return "";
    text out;
    text_start(&out, e->memory);
    const char *name = fresh_name(e->p, arena_format(e->memory, "fill_%s", a->symbol->name));
    if (a->symbol->file_scope)
        text_format(&out, "__attribute__((constructor)) static void %s(void) {\n%s}\n", name, fill_loop(e, a, "    "));
    else
        text_format(&out, "static int %s = 1;\n%sif (%s) {\n%s%s    %s = 0;\n%s}", name, indent, name,
                    fill_loop(e, a, deeper(e, indent)), indent, name, indent);
    return text_of(&out);
}

/* ---- Declarations */

/* Arrays that leave the declaration: in SPMD programs all distributed ones, in serial ones those that go to the heap.
 */
static bool leaves(const emitter *e, const node *item) {
    const array *a = item->kind == N_INIT_DECLARATOR ? array_of(item->child[0]) : NULL;
    return a && (!e->serial || (!a->symbol->file_scope && !a->symbol->is_static));
}

/* Before the name of a descriptor of file scope. */
static const char *descriptor_type(const node *declaration, const array *a) {
    if (!a->shared) return "static dpc_array ";
    return specifiers_have(declaration->child[0], "extern") ? "extern dpc_array " : "dpc_array ";
}

/* What stands between declarators: attributes are the blanks before tokens. */
static void add_attributes(const emitter *e, size_t t, text *out) {
    const char *blank = e->p->source->tokens[t].before;
    const size_t start = strspn(blank, " \t\n");
    size_t end = strlen(blank);
    while (end > start && strchr(" \t\n", blank[end - 1])) end--;
    if (strstr(blank, "__attribute")) text_format(out, " %.*s", (int)(end - start), blank + start);
}

static void remaining(emitter *e, node *n, text *out) {
    const char *separator = "";
    text_add(out, emit_node(e, n->child[0]));
    add_attributes(e, n->child[1]->first, out);
    for (size_t c = 1; c < n->count; c++) {
        const node *item = n->child[c];
        if (leaves(e, item)) continue;
        text_add(out, separator);
        if (c > 1) add_attributes(e, item->first, out);
        text_format(out, " %s", emit_node(e, item));
        add_attributes(e, item->last + 1, out);
        separator = ",";
    }
    text_add(out, ";");
}

static bool is_const_typedef(const node *n) {
    const symbol *s = n->kind == N_TYPEDEF_REFERENCE ? n->symbol : NULL;
    return s && s->declaration && s->type->kind == TYPE_ARITHMETIC &&
           specifiers_have(s->declaration->child[0], "const");
}

static void drop_const(emitter *e, const node *specifiers) {
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        if (s->kind == N_KEYWORD && !strcmp(s->name, "const")) replace(e, s, "");
        if (is_const_typedef(s)) replace(e, s, element_spelling(s->symbol->type->element));
    }
}

/* What the specifiers define besides the type of the variables: structure and enumeration.  One that is only named
 * would be declared anew by its name alone, and hide the one that is meant. */
static const node *tag_in(const node *specifiers) {
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        if ((s->kind == N_STRUCT || s->kind == N_ENUM) && s->count > 0) return s;
    }
    return NULL;
}

/* A structure that has no name in the source, and got one. */
static void print_given_tag(emitter *e, const node *specifiers) {
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        if (s->kind == N_STRUCT && s->has_body && s->name && !s->name_token)
            edit_of(e, s->first)->after = arena_format(e->memory, " %s", s->name);
    }
}

static void rewrite_items(emitter *e, node *n) {
    rewrite(e, n->child[0]);
    print_given_tag(e, n->child[0]);
    for (size_t c = 1; c < n->count; c++) {
        node *item = n->child[c];
        if (item->kind == N_INIT_DECLARATOR) {
            const array *a = array_of(item->child[0]);
            rewrite(e, item->child[0]);
            if (item->count > 1 && item->child[1]) rewrite(e, item->child[1]);
            if (a && a->init && e->serial) {
                replace(e, item, emit_node(e, item->child[0])); /* filled later */
                drop_const(e, n->child[0]);
            }
        } else
            rewrite(e, item);
    }
}

static bool has_file_scope_array(const node *n) {
    for (size_t c = 1; c < n->count; c++) {
        const array *a = n->child[c]->kind == N_INIT_DECLARATOR ? array_of(n->child[c]->child[0]) : NULL;
        if (a && a->symbol->file_scope) return true;
    }
    return false;
}

/* Whether an expression mentions what an earlier declarator of the same declaration declares. */
static bool needs_earlier(const node *declaration, const node *n) {
    if (n->kind == N_NAME && n->symbol && n->symbol->declaration == declaration) return true;
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && needs_earlier(declaration, n->child[c])) return true;
    return false;
}

/* Run-time lower bounds of an ordinary array, evaluated once, with these texts around each. */
static void ordinary_bounds(emitter *e, text *out, const symbol *s, const char *before, const char *after) {
    const type *t = s->type;
    for (int k = 0; !s->array && t && t->kind == TYPE_ARRAY && k < MAX_RANK; k++, t = t->of)
        if (s->lower_name && s->lower_name[k])
            text_format(out, "%sconst long %s = %s;%s", before, s->lower_name[k], expression(e, t->array->child[1]),
                        after);
}

static bool bounds_need_earlier(const node *declaration, const symbol *s) {
    for (const type *t = s->type; t && t->kind == TYPE_ARRAY; t = t->of)
        if (t->array->child[1] && needs_earlier(declaration, t->array->child[1])) return true;
    return false;
}

/* These stand before the declaration, or split it where they need what it declares. */
static void save_ordinary_bounds(emitter *e, node *n) {
    text out;
    text_start(&out, e->memory);
    const char *line = arena_format(e->memory, "\n%s", indentation(e, n));
    for (size_t c = 1; c < n->count; c++) {
        const node *name = n->child[c]->kind == N_INIT_DECLARATOR ? declared_name(n->child[c]->child[0]) : NULL;
        if (!name || !name->symbol) continue;
        if (!bounds_need_earlier(n, name->symbol)) {
            ordinary_bounds(e, &out, name->symbol, "", line);
            continue;
        }
        const size_t comma = n->child[c]->first - 1;
        text split;
        text_start(&split, e->memory);
        text_format(&split, ";%s", line);
        ordinary_bounds(e, &split, name->symbol, "", line);
        text_add(&split, emit_node(e, n->child[0]));
        replace_tokens(e, comma, comma, text_of(&split));
    }
    if (out.length) edit_of(e, n->first)->lead = text_of(&out);
}

void keep_parameter_bounds(emitter *e, const node *definition) {
    const node *body = definition->child[2];
    const char *line = arena_format(e->memory, "\n%s", deeper(e, indentation(e, definition)));
    text out;
    text_start(&out, e->memory);
    const symbol_list *symbols = symbols_of(e->p, body);
    for (size_t k = 0; k < symbols->count; k++) {
        const symbol *s = symbols->symbol[k];
        if (s->is_parameter) ordinary_bounds(e, &out, s, line, "");
    }
    if (edit_at(e, body->first)->after) text_add(&out, edit_at(e, body->first)->after);
    if (out.length) edit_of(e, body->first)->after = text_of(&out);
}

void rewrite_declaration(emitter *e, node *n) {
    size_t leaving = 0;
    save_ordinary_bounds(e, n);
    text out;
    text_start(&out, e->memory);
    const char *indent = indentation(e, n);
    for (size_t c = 1; c < n->count; c++)
        if (leaves(e, n->child[c])) save_bounds(e, &out, array_of(n->child[c]->child[0]), indent);
    rewrite_items(e, n);
    for (size_t c = 1; c < n->count; c++) leaving += leaves(e, n->child[c]);
    if (leaving == 0) return;
    bool all_leave = leaving + 1 == n->count;
    const node *tag = tag_in(n->child[0]);
    if (out.length && (!all_leave || tag)) text_format(&out, "\n%s", indent);
    if (!all_leave)
        remaining(e, n, &out);
    else if (tag)
        text_format(&out, "%s;", emit_node(e, tag));
    const array *before = NULL;
    for (size_t c = 1; c < n->count; c++) {
        if (!leaves(e, n->child[c])) continue;
        const array *a = array_of(n->child[c]->child[0]);
        if (!a->symbol->file_scope) continue;
        if (before && before->shared == a->shared) {
            text_format(&out, ", %s", a->descriptor);
        } else {
            if (before) text_format(&out, "; /* %s */", quote(e, n));
            if (out.length) text_format(&out, "\n%s", indent);
            text_format(&out, "%s%s", descriptor_type(n, a), a->descriptor);
        }
        before = a;
    }
    if (before) text_format(&out, "; /* %s */", quote(e, n));
    if (!has_file_scope_array(n)) text_format(&out, "%s/* %s */", out.length ? " " : "", quote(e, n));
    replace(e, n, text_of(&out));
}

/* ---- Directives */

static const char *as_comment(emitter *e, const node *n) {
    return arena_format(e->memory, "/* #pragma dpc %s */",
                        n->last > n->first + 1 ? emit_range(e, n->first + 1, n->last - 1) : "");
}

/* What the compiler chose for automatic formats: "A: cyclic(auto): 63 chosen"; several are separated by commas. */
static void add_chosen(text *out, const array *a) {
    for (int d = 0; d < a->rank; d++) {
        const bool any = is_any_format(&a->mapping, d);
        if (!a->chosen[d]) continue;
        text_format(out, "%s%s: %s: ", out->length ? ", " : "", a->symbol->name, any ? "auto" : "cyclic(auto)");
        if (in_one_block(&a->mapping, d))
            text_add(out, "block chosen");
        else
            text_format(out, any ? "cyclic(%lld) chosen" : "%lld chosen", (long long)a->chosen[d]->block);
    }
}

static const char *chosen_words(emitter *e, const array *a) {
    text out;
    text_start(&out, e->memory);
    add_chosen(&out, a);
    return text_of(&out);
}

/* A comment with the choices for a directive's arrays, or "". */
static const char *chosen_comment(emitter *e, const node *directive) {
    text out;
    text_start(&out, e->memory);
    const array_list *arrays = arrays_of(e->p, directive);
    for (size_t k = 0; k < arrays->count; k++) add_chosen(&out, arrays->array[k]);
    return out.length ? arena_format(e->memory, "/* %s */", text_of(&out)) : "";
}

static const char *extent_words(emitter *e, const array *a, int d) {
    const linear extent = linear_subtract(e->memory, a->upper[d], a->lower[d]);
    return linear_words(e, &extent);
}

static const char *comparison_text(emitter *e, const likeness *x, const division *c) {
    const array *a = x->second, *b = x->first;
    if (c->value == COMPARE_BLOCKS)
        return arena_format(e->memory, "dpc_have_same_blocks(%s, %d, %s, %d)", a->address, c->e, b->address, c->d);
    if (c->value == COMPARE_LOWERS)
        return arena_format(e->memory, "%s == %s", linear_words(e, &a->lower[c->e]), linear_words(e, &b->lower[c->d]));
    return arena_format(e->memory, "%s == %s", extent_words(e, a, c->e), extent_words(e, b, c->d));
}

/* What is left to compare of arrays whose extents may differ a little. */
static const char *near_text(emitter *e, const likeness *x) {
    text out;
    text_start(&out, e->memory);
    text_format(&out, "dpc_stand_near(%s, %s, %s, %s, %s)", place_literal(e, x->second->directive), x->second->address,
                width_arguments(e, x->second), x->first->address, width_arguments(e, x->first));
    for (int c = 0; c < x->comparisons; c++)
        if (x->compared[c].value == COMPARE_LOWERS) text_format(&out, " && %s", comparison_text(e, x, &x->compared[c]));
    return text_of(&out);
}

/* Compares the arrays of a directive with those before them, where statements ask whether these are divided alike. */
static void compare_arrays(emitter *e, text *out, const node *directive, const char *indent) {
    for (size_t k = 0; k < e->p->likeness_count; k++) {
        const likeness *x = e->p->likenesses[k];
        text compared;
        text_start(&compared, e->memory);
        if (!x->used || x->second->directive != directive) continue;
        for (int c = 0; c < x->comparisons; c++) {
            const char *s = comparison_text(e, x, &x->compared[c]);
            if (compared.length && strstr(text_of(&compared), s)) continue;
            text_format(&compared, "%s%s", compared.length ? " && " : "", s);
        }
        text_format(out, "%sconst bool %s = %s;\n", indent, x->name, text_of(&compared));
        if (x->near_used) text_format(out, "%sconst bool %s = %s;\n", indent, x->near, near_text(e, x));
    }
}

/* The descriptors of those that are made each time: one declaration. */
static void declare_automatic(text *out, const array_list *arrays, const char *indent) {
    int count = 0;
    for (size_t k = 0; k < arrays->count; k++) {
        const array *a = arrays->array[k];
        if (a->parameter || is_static_local(a)) continue;
        text_format(out, "%s%s%s = {0}", count ? "" : indent, count ? ", " : "DPC_AUTOMATIC dpc_array ", a->descriptor);
        count++;
    }
    if (count) text_add(out, ";\n");
}

static void local_arrays(emitter *e, text *out, node *n, const char *indent) {
    const array_list *arrays = arrays_of(e->p, n);
    declare_automatic(out, arrays, indent);
    for (size_t k = 0; k < arrays->count; k++) {
        const array *a = arrays->array[k];
        if (a->parameter) {
            receive_parameter(e, out, a, indent);
        } else if (is_static_local(a)) {
            text_format(out, "%sstatic dpc_array %s;\n%sif (!%s.local) {\n", indent, a->descriptor, indent,
                        a->descriptor);
            create_array(e, out, arrays, k, deeper(e, indent));
            text_format(out, "%s}\n", indent);
            use_static(e, out, a, indent);
        } else {
            create_array(e, out, arrays, k, indent);
        }
    }
}

const char *missing_indentation(const emitter *e, const node *n, const char *indent) {
    const char *before = e->p->source->tokens[n->first].before, *line = strrchr(before, '\n');
    const size_t there = line ? strlen(line + 1) : 0, wanted = strlen(indent);
    return indent + (line && there < wanted ? there : wanted);
}

/* What arrays that move along need: ghost cells, or no values. */
static void add_followers(emitter *e, text *out, const remapping *how, const array *a, size_t number) {
    size_t count = 0;
    for (size_t k = 0; k < e->p->array_count; k++) {
        const array *f = e->p->arrays[k];
        if (!f->alignment || !f->unknown || end_of_chain(f) != a->origin) continue;
        const array *view = number < f->views ? f->view[number] : NULL;
        const bool dead = moves_no_values(how, f), halo = view && has_halo(view);
        if (!dead && !halo) continue;
        text_format(out, "%s{.array = %s", count++ ? ", " : ", .followers = (const dpc_follower[]){", f->address);
        if (halo) text_format(out, ", .halo = %s", width_arguments(e, view));
        if (halo && view->placed.corners) text_format(out, ", .corners = %s", corners_text(e, view));
        text_add(out, dead ? ", .dead = true}" : "}");
    }
    if (count > 0) text_add(out, ", {.array = NULL}}");
}

static size_t number_of_view(const array *a, const array *view) {
    size_t k = 0;
    while (k < a->views && a->view[k] != view) k++;
    return k;
}

/* What a redistribution is told beside the mapping: the fields of a dpc_remapping; "": nothing. */
static const char *remapping_text(emitter *e, const remapping *how, const array *a, const array *view) {
    text out;
    text_start(&out, e->memory);
    if (how->kind == REMAPPING_UNUSED) return ".unused = true";
    if (how->kind == REMAPPING_DEAD) text_add(&out, ", .dead = true");
    if (how->leaves_copy) text_add(&out, ", .keep = true");
    if (view && has_halo(view)) text_format(&out, ", .halo = %s", width_arguments(e, view));
    if (view && view->placed.corners) text_format(&out, ", .corners = %s", corners_text(e, view));
    add_followers(e, &out, how, a, number_of_view(a, view));
    if (a->versioned && !view) text_add(&out, ", .version = -1");
    for (size_t k = 1; a->versioned && view && k < a->views; k++)
        if (a->view[k] == view) text_format(&out, ", .version = %zu", k);
    if (e->p->redistribute) text_format(&out, ", .method = \"%s\"", e->p->redistribute);
    if (e->p->schedule) text_format(&out, ", .schedule = \"%s\"", e->p->schedule);
    return out.length ? text_of(&out) + 2 : "";
}

/* behind: of a loop at whose end it stands. */
static void redistribute_array(emitter *e, text *out, node *n, node *entity, bool behind) {
    const array *a = entity->symbol->array;
    const remapping *does = remapping_at(e->p, entity);
    const char *why = words_of_remapping(does);
    mapping m = redistribution_mapping(e->p, n, entity);
    const array *view = find_view(a, &m);
    const char *how = remapping_text(e, does, a, view);
    const bool executed = is_executed(e->p, n, entity), late = does->kind == REMAPPING_LATE;
    if (late && !behind) {
        text_format(out, "%slate = true;", a->access);
    } else if (executed) {
        if (late) text_format(out, "if (%slate) ", a->access);
        text_format(out, "dpc_redistribute%s(%s, %s, DPC_FORMATS(%s), %s", *how ? "_as" : "", a->address,
                    place_literal(e, n), format_arguments(e, &m, a->rank, view ? view->placed.gap : NULL, NULL),
                    grid_argument(e, &m, n));
        if (*how) text_format(out, ", (dpc_remapping){%s}", how);
        text_add(out, ");");
    } else if (n->parent->kind != N_COMPOUND) {
        text_add(out, ";");
    }
    if (executed && view && has_automatic(a, &m)) text_format(out, " /* %s */", chosen_words(e, view));
    if (why && !behind) text_format(out, "%s/* %s %s */", executed ? " " : "", a->symbol->name, why);
    if (does->again && !behind) text_format(out, " /* %s %s */", a->symbol->name, words_of_again);
    if (does->finds_copy) text_format(out, " /* %s %s */", a->symbol->name, words_of_copy);
    for (size_t k = 0; executed && k < does->dead_count; k++)
        text_format(out, " /* %s %s */", does->dead[k]->symbol->name, words_of_follower(does, does->dead[k]));
    text_add(out, "\n");
}

static void rewrite_redistribute(emitter *e, node *n) {
    text out;
    text_start(&out, e->memory);
    const char *indent = indentation(e, n);
    size_t calls = 0;
    for (size_t c = 2; c < n->count; c++) calls += is_executed(e->p, n, n->child[c]);
    const bool braces = calls > 1 || (n->count > 3 && n->parent->kind != N_COMPOUND);
    if (braces) text_format(&out, "%s{\n", indent);
    for (size_t c = 2; c < n->count; c++) {
        text_format(&out, "%s%s", indent, braces ? "    " : "");
        redistribute_array(e, &out, n, n->child[c], false);
    }
    if (braces) text_format(&out, "%s}\n", indent);
    replace(e, n,
            arena_format(e->memory, "%s%s", missing_indentation(e, n, indent), trimmed(e, text_of(&out), indent)));
}

void redistribute_behind(emitter *e, const node *loop) {
    const node_list *late = late_behind(e->p, loop);
    const char *indent = indentation(e, loop);
    text out;
    if (late->count == 0) return;
    text_start(&out, e->memory);
    for (size_t k = late->count; k-- > 0;)
        for (size_t c = 2; c < late->node[k]->count; c++) {
            text_add(&out, indent);
            redistribute_array(e, &out, late->node[k], late->node[k]->child[c], true);
        }
    edit_of(e, loop->last)->after = arena_format(e->memory, "\n%s", trimmed(e, text_of(&out), ""));
}

static void rewrite_realign(emitter *e, node *n) {
    const array *a = realigned_symbol(n)->array;
    const alignment to = realignment(e->p, n);
    replace(e, n,
            arena_format(e->memory, "%sdpc_realign(%s, %s, %s);", missing_indentation(e, n, indentation(e, n)),
                         a->address, place_literal(e, n), alignment_argument(e, &to, NULL)));
}

/* Run-time bounds of a local template; the descriptors of one of file scope. */
static void rewrite_template(emitter *e, node *n, text *out, const char *indent) {
    for (size_t c = 0; c < n->count; c++) {
        const array *t = array_of(n->child[c]);
        if (!t) continue;
        if (is_in_file_scope(n)) {
            text_format(out, "%s dpc_array %s;\n", t->shared ? "__attribute__((weak))" : "static", t->descriptor);
            continue;
        }
        text bounds;
        text_start(&bounds, e->memory);
        save_bounds(e, &bounds, t, indent);
        if (bounds.length) text_format(out, "%s%s\n", indent, text_of(&bounds));
    }
}

/* Variables that only directives mention are used in the serial program as well. */
static void use_names(text *out, const node *n, const char *indent) {
    const symbol *s = n->kind == N_NAME ? n->symbol : NULL;
    const bool variable = s && s->kind == SYMBOL_VARIABLE && (!s->file_scope || s->is_static) &&
                          (s->file_scope || s->scope->kind != N_FUNCTION);
    if (variable) text_format(out, "%s(void)%s;\n", indent, n->name);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) use_names(out, n->child[c], indent);
}

static void serial_directive(emitter *e, node *n) {
    text out;
    text_start(&out, e->memory);
    const char *indent = indentation(e, n);
    const array_list *arrays = arrays_of(e->p, n);
    for (size_t k = 0; k < arrays->count; k++) {
        const array *a = arrays->array[k];
        if (a->is_template) continue;
        if (a->parameter) {
            serial_parameter(e, &out, a, indent);
            continue;
        }
        bool automatic = !a->symbol->file_scope && !a->symbol->is_static;
        const char *lines = automatic ? serial_automatic(e, a, indent) : serial_static(e, a, indent);
        if (*lines) text_format(&out, "%s%s\n", indent, lines);
    }
    if (!is_in_file_scope(n) && n->kind != N_INDEPENDENT && n->kind != N_INHERIT) use_names(&out, n, indent);
    const char *lines = trimmed(e, text_of(&out), indent);
    const bool executable = n->kind == N_REDISTRIBUTE || n->kind == N_REALIGN;
    if (executable && !*lines)
        lines = n->parent->kind == N_COMPOUND ? ";" : "{ }";
    else if (executable && n->parent->kind != N_COMPOUND)
        lines = arena_format(e->memory, "{ %s }", lines);
    replace(e, n, lines);
}

void rewrite_directive(emitter *e, node *n) {
    const char *indent = indentation(e, n);
    text out;
    text_start(&out, e->memory);
    if (e->serial) {
        serial_directive(e, n);
        return;
    }
    if (n->kind == N_REDISTRIBUTE) {
        rewrite_redistribute(e, n);
        return;
    }
    if (n->kind == N_REALIGN) {
        rewrite_realign(e, n);
        return;
    }
    if (n->kind == N_TEMPLATE) rewrite_template(e, n, &out, indent);
    if ((n->kind == N_DISTRIBUTE || n->kind == N_ALIGN || n->kind == N_INHERIT) && !is_in_file_scope(n)) {
        const char *chosen = chosen_comment(e, n);
        if (*chosen) text_format(&out, "%s%s\n", indent, chosen);
        local_arrays(e, &out, n, indent);
        compare_arrays(e, &out, n, indent);
    }
    if (n->kind == N_PROCESSORS && !is_in_file_scope(n)) creation_lines(e, &out, n, indent);
    const char *lines = trimmed(e, text_of(&out), indent);
    if (*lines) lines = arena_format(e->memory, "%s%s", missing_indentation(e, n, indent), lines);
    const bool shown = n->kind == N_DISTRIBUTE || n->kind == N_ALIGN; /* what makes the arrays says it */
    const char *comment = is_in_file_scope(n) && !shown ? as_comment(e, n) : "";
    if (is_in_file_scope(n) && *chosen_comment(e, n))
        comment = arena_format(e->memory, "%s%s%s", comment, *comment ? " " : "", chosen_comment(e, n));
    replace(e, n, *lines && *comment ? arena_format(e->memory, "%s %s", lines, comment) : *lines ? lines : comment);
}
