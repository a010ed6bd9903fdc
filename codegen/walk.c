/* The walk over the program: everything that touches distributed arrays, lower bounds or reductions is found here and
 * rewritten by those who know how. What lies below prints, and comes back through emitter.walk where an expression
 * holds a statement. */
#include <string.h>

#include "spmd.h"

static bool rewrite_sizeof(emitter *e, node *n) {
    const char *size = distributed_size(e->memory, n);
    if (size) {
        use_names_in(e, size);
        replace(e, n, size);
    }
    return size != NULL;
}

/* ---- Parallel statements, SPMD or serial */

static void emit_any_reduction(emitter *e, const parallel *s) {
    const parallel *outer = e->current;
    e->current = NULL;
    if (e->serial || s->in_place)
        serial_reduction(e, s);
    else
        spmd_reduction(e, s);
    e->current = outer;
}

static const char *inner_reduction_text(emitter *e, const parallel *s, int k) {
    const reduction *r = &s->reduction[k];
    if (s->placed.product && !e->serial) return product_result(e, s);
    if (!r->in_place && e->formed) e->formed[k] = true;
    if (!r->in_place) return result_text(e, r);
    const char *indent = deeper(e, deeper(e, indentation(e, s->node)));
    code *around = begin_code(e, deeper(e, indent));
    (e->serial ? serial_inner_reduction : spmd_inner_reduction)(e, s, k);
    emit_line(e, "%s;", r->name);
    return arena_format(e->memory, "({\n%s%s})", end_code(e, around), indent);
}

/* The first statement of a tiled loop's row stands for all. */
static void emit_tiled_group(emitter *e, const group *g) {
    const time_tiling *t = tiling_at(e->p, g->node);
    if (t->group[0] == g) emit_time_tiling(e, t);
}

static void rewrite_group(emitter *e, const group *g) {
    const bool passing = begin_passing(e);
    const char *indent = indentation(e, g->node);
    code *around = begin_code(e, indent);
    stand_behind(e, !begins_line(e, g->node));
    if (e->serial)
        serial_group(e, g);
    else if (tiling_at(e->p, g->node))
        emit_tiled_group(e, g);
    else if (!g->joins && !g->continues)
        spmd_group(e, g);
    const bool in_braces = e->in_braces == g->node;
    const char *lines = in_braces ? end_code_in_braces(e, around, &e->has_braces) : end_code(e, around);
    if (!in_braces || !e->has_braces) lines = trimmed(e, lines, indent);
    if (passing)
        end_passing(e, g->node, lines);
    else
        replace(e, g->node, lines);
}

/* ---- The walk */

static void rewrite_c_chain(emitter *e, node *n, node *name, node **subscripts, int count) {
    bool changed = false;
    text out;
    text_start(&out, e->memory);
    text_add(&out, base_text(e, name));
    for (int d = 0; d < count; d++) {
        const char *at = emit_node(e, subscripts[d]), *row = arena_text(e->memory, text_of(&out), out.length);
        const char *lower = lower_bound(e, name, d), *index = compared_subscript(e, n, name, d, count, row, at);
        changed = changed || index != at || lower;
        if (lower)
            text_format(&out, "[%s - %s]", parenthesise(e, index), lower);
        else
            text_format(&out, "[%s]", index);
    }
    if (changed) replace(e, n, text_of(&out));
    rewrite_alike(e, n);
}

static void rewrite_index(emitter *e, node *n) {
    node *name, *subscripts[MAX_RANK];
    int count;
    if (!index_chain(n, &name, subscripts, &count)) {
        for (size_t c = 0; c < n->count; c++) rewrite(e, n->child[c]);
        return;
    }
    const reference *r = e->current ? reference_at(e->current, n) : NULL;
    if (r) {
        const bool row = r->array && count < r->array->rank && !e->serial;
        replace(e, n, row ? arena_format(e->memory, "(&%s)", read_text(e, r)) : read_text(e, r));
        return;
    }
    if (name->kind != N_NAME) base_text(e, name);
    for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
    const char *part = part_of_element(e, name, subscripts, count);
    if (part)
        replace(e, n, part);
    else if (e->owned && owner_operand_at(e->owned, n))
        replace(e, n, owned_text(e, owner_operand_at(e->owned, n)));
    else if (name->symbol && name->symbol->array && !e->serial && row_pointer(n))
        replace(e, n, row_get(e, n, name->symbol->array, subscripts, count));
    else if (name->symbol && name->symbol->array && !e->serial)
        replace(e, n, element_get(e, n, name->symbol->array, subscripts));
    else
        rewrite_c_chain(e, n, name, subscripts, count);
}

/* &P[i][0] where every process gets a copy of the row. */
static bool rewrite_row(emitter *e, node *n) {
    node *chain = n->kind == N_UNARY && !e->serial ? row_pointer(n) : NULL, *name, *subscripts[MAX_RANK];
    int count;
    if (!chain || (e->current && reference_at(e->current, chain))) return false;
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++) rewrite(e, subscripts[d]);
    replace(e, n, row_get(e, n, name->symbol->array, subscripts, count));
    return true;
}

static bool stores_element(const emitter *e, const node *n) {
    return is_store(n) && !e->serial && !(e->current && e->current->loop) && element_around(n->child[0]);
}

/* setjmp and longjmp: the distributed parameters of the calls that are left are given back. */
static void rewrite_jump(emitter *e, node *n) {
    static const char *const marks[] = {"setjmp", "_setjmp", "sigsetjmp"}, *const jumps[] = {"longjmp", "_longjmp",
                                                                                             "siglongjmp"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        if (!strcmp(n->child[0]->name, marks[k]) && n->count >= 2)
            replace(e, n->child[1], arena_format(e->memory, "dpc_mark_jump(%s)", emit_node(e, n->child[1])));
        if (!strcmp(n->child[0]->name, jumps[k]) && n->count == 3)
            replace(e, n->child[2],
                    arena_format(e->memory, "dpc_leave_calls(%s, %s)", emit_node(e, n->child[1]),
                                 emit_node(e, n->child[2])));
    }
}

/* --check=all: blocks of memory have bounds.  SimGrid has macros for the functions, which take a place, too. */
static void rewrite_allocation(emitter *e, node *n) {
    static const struct {
        const char *name, *simulated, *with;
        size_t arguments;
    } functions[] = {{"malloc", "smpi_shared_malloc_intercept", "dpc_new_block(%s%s)", 1},
                     {"calloc", "smpi_shared_calloc_intercept", "dpc_block_of_zeroes(%s, %s)", 2},
                     {"realloc", "smpi_shared_realloc_intercept", "dpc_block_again(%s, %s)", 2},
                     {"free", "smpi_shared_free", "dpc_free_block(%s%s)", 1}};
    const char *name = n->child[0]->name;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        if ((strcmp(name, functions[k].name) != 0 && strcmp(name, functions[k].simulated) != 0) ||
            n->count <= functions[k].arguments)
            continue;
        const char *second = functions[k].arguments == 2 ? emit_node(e, n->child[2]) : "";
        replace(e, n, arena_format(e->memory, functions[k].with, emit_node(e, n->child[1]), second));
    }
}

static bool same_but_for_blanks(const char *x, const char *y) {
    while (*x || *y) {
        if (*x == ' ' || *x == '\n')
            x++;
        else if (*y == ' ' || *y == '\n')
            y++;
        else if (*x++ != *y++)
            return false;
    }
    return true;
}

/* An assertion that fails is shown as the text has it: where that is not the source's any more, this stands behind it.
 */
static void rewrite_assertion(emitter *e, node *n) {
    const node *f = n->child[0];
    if (n->count != 2 || strcmp(f->name, "assert") != 0 || !header_has_macro(e->p->headers, f->name)) return;
    const char *written = ast_quote(e->memory, e->p->source, n->child[1]), *emitted = emit_node(e, n->child[1]);
    if (same_but_for_blanks(written, emitted)) return;
    const bool simple = !emitted[strcspn(emitted, " ")];
    replace(e, n->child[1],
            arena_format(e->memory, simple ? "%s && \"%s\"" : "(%s) && \"%s\"", emitted, escaped(e, written)));
}

static void rewrite_call(emitter *e, node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (viewed_array(n, c))
            continue;
        else if (!takes_array(n, c) || (e->serial && inside_parentheses(n->child[c])->kind != N_INDEX))
            rewrite(e, n->child[c]);
        else if (!e->serial)
            rewrite_argument(e, n, c);
    if (file_call(n)) rewrite_file_call(e, n);
    if (e->serial) serial_call(e, n);
    give_views(e, n);
    const node *f = n->child[0];
    if (e->current && has_generic_functions(n)) rewrite_absolute(e, n);
    if (f->kind != N_NAME || f->symbol) return;
    rewrite_assertion(e, n);
    if (e->serial) return;
    rewrite_jump(e, n);
    if (!strcmp(f->name, "exit")) replace(e, f, "dpc_exit");
    if (e->p->check_all) rewrite_allocation(e, n);
    if (!strcmp(f->name, "dpc_nprocs") && e->options->np > 0)
        replace(e, n, arena_format(e->memory, "%d", e->options->np));
}

/* Statement expressions hold what must be computed by statements where an expression stands. */
static void rewrite_reduction(emitter *e, node *n, const parallel *s) {
    const reduction *r = &s->reduction[0];
    code *around = begin_code(e, deeper(e, indentation(e, n)));
    const bool in_expression = e->in_expression;
    e->in_expression = true; /* perhaps a macro's argument, where no directive can stand */
    emit_reduction(e, s);
    e->in_expression = in_expression;
    emit_line(e, "%s;", r->name);
    replace(e, n, arena_format(e->memory, "({\n%s%s})", end_code(e, around), indentation(e, n)));
}

static const char *placed(emitter *e, const char *name, size_t length) {
    for (size_t k = 0; k < e->p->reduction_count; k++) {
        const parallel *s = e->p->reductions[k];
        if (strncmp(s->reduction[0].name, name, length) != 0 || s->reduction[0].name[length]) continue;
        rewrite_reduction(e, s->node, s);
        const char *lines = emit_node(e, s->node);
        text out;
        text_start(&out, e->memory);
        for (; *lines; lines += *lines == '\n' ? 1 + strspn(lines + 1, " ") : 1)
            text_add_bytes(&out, *lines == '\n' ? " " : lines, 1);
        return text_of(&out);
    }
    return "0";
}

static bool has_value_of(const reduction *r, const node *call) {
    bool found = r->call == call;
    for (size_t k = 0; k < r->agains && !found; k++) found = r->again[k] == call;
    return found;
}

/* False when the call is no reduction. */
static bool replace_reduction(emitter *e, node *call) {
    const parallel *s = reduction_at(e->p, call);
    if (s && (e->current || s->combined.before))
        replace(e, call, reduction_result(e, s));
    else if (s)
        rewrite_reduction(e, call, s);
    if (s || !e->current) return s != NULL;
    if (e->current->reduced && e->current->reduced->reduction[0].call == call) {
        replace(e, call, element_result(e, e->current));
        return true;
    }
    for (size_t k = 0; k < e->current->reductions; k++) {
        if (!has_value_of(&e->current->reduction[k], call)) continue;
        replace(e, call, inner_reduction_text(e, e->current, (int)k));
        return true;
    }
    return false;
}

/* Variables that only loops used which are parallel statements now. */
static void mark_unused(emitter *e, const node *declaration) {
    for (size_t c = 1; c < declaration->count; c++) {
        node *item = declaration->child[c];
        node *name = item->kind == N_INIT_DECLARATOR ? declared_name(item->child[0]) : NULL;
        if (name && !e->serial && table_at(&e->p->unused, name))
            replace(e, name, arena_format(e->memory, "%s __attribute__((unused))", name->name));
    }
}

/* The statement before n in its block, or NULL. */
static const node *statement_before(const node *n) {
    const node *block = n->parent;
    for (size_t c = 1; block->kind == N_COMPOUND && c < block->count; c++)
        if (block->child[c] == n) return block->child[c - 1];
    return NULL;
}

/* Statements that were one loop begin on lines of their own, and what stands behind lines that were made of one. */
static void begin_line(emitter *e, const node *n) {
    if (strchr(e->p->source->tokens[n->first].before, '\n')) return;
    const node *before = statement_before(n);
    if (before && (table_at(&e->p->proved, n) || (!e->serial && owner_statement_at(e->p, before))))
        edit_of(e, n->first)->before = arena_format(e->memory, "\n%s", indentation(e, n));
}

/* Whether an extreme replaces the variable; fmax and fmin have it replace NaN. */
static const char *condition_of_extreme(emitter *e, const char *op, const char *extreme, const char *m) {
    const bool greatest = op[0] == '>';
    if (op[1] != '|') return arena_format(e->memory, "%s %s %s", extreme, op, m);
    return arena_format(e->memory, "!(%s %s %s) && %s %c %sHUGE_VAL", extreme, greatest ? "<=" : ">=", m, extreme,
                        op[0], greatest ? "-" : "");
}

/* What replaces a greatest or least value, and its place: `m > extreme at place`. */
static void rewrite_extreme(emitter *e, node *n) {
    node *assign = n->child[0];
    const char *m = expression(e, assign->child[0]), *extreme = expression(e, assign->child[1]);
    const char *place = assign->count > 2 ? expression(e, assign->child[2]) : NULL;
    const char *also = place ? arena_format(e->memory, " %s = %s;", assign->child[3]->name, place) : "";
    const bool block = strchr(extreme, '{') != NULL;
    const char *name = block ? "\1best" : extreme, *condition = condition_of_extreme(e, assign->op, name, m);
    if (place) use_name(e, assign->child[3]->name);
    const char *stored = arena_format(e->memory, place ? "{ %s = %s;%s }" : "%s = %s;%s", m, name, also);
    const char *chosen = arena_format(e->memory, "if (%s) %s", condition, stored);
    if (block)
        chosen = arena_format(e->memory, "{ const %s \1best = %s; %s }", value_ctype(assign->child[1]->type), extreme,
                              chosen);
    replace(e, n, chosen);
}

static void rewrite_made_statement(emitter *e, node *n) {
    node *assign = n->child[0], *left = assign->child[0];
    if (assign->op[0] == '<' || assign->op[0] == '>') {
        rewrite_extreme(e, n);
        return;
    }
    if (stores_element(e, assign)) {
        rewrite_assignment(e, assign);
        replace(e, n, arena_format(e->memory, "%s;", emit_node(e, assign)));
        return;
    }
    rewrite(e, left);
    const char *stored = emit_node(e, left);
    if (assign->op[0] == '?') { /* where there is one, the same value each time */
        replace(e, n,
                arena_format(e->memory, "if (%s > 0) %s = %s;", expression(e, assign->child[1]), stored,
                             expression(e, assign->child[2])));
        return;
    }
    replace(e, n, arena_format(e->memory, "%s %s %s;", stored, assign->op, expression(e, assign->child[1])));
}

/* Lines indented as `from`, but for the first, indented as `to`. */
static const char *moved_lines(emitter *e, const char *lines, const char *from, const char *to) {
    const size_t skip = strlen(from);
    text out;
    text_start(&out, e->memory);
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1) {
        text_format(&out, "%.*s\n", (int)(end - lines), lines);
        if (strncmp(end + 1, from, skip) != 0) continue;
        text_add(&out, to);
        end += skip;
    }
    text_add(&out, lines);
    return text_of(&out);
}

/* A block of statements that take the place of one, or of a loop alone; their directives have no text. */
static void rewrite_made_block(emitter *e, node *n) {
    if (n->count == 2 && n->child[0]->kind == N_INDEPENDENT) {
        rewrite(e, n->child[1]);
        return;
    }
    const char *indent = indentation(e, n);
    text out;
    text_start(&out, e->memory);
    text_add(&out, "{\n");
    bool any = false;
    token_index last = 0; /* of those before: copies of one loop have the same tokens */
    for (size_t c = 0; c < n->count; c++) {
        if (n->child[c]->kind == N_INDEPENDENT) continue;
        if (any && n->child[c]->first <= last) forget_rewriting(e, n->child[c]);
        any = true;
        last = n->child[c]->last > last ? n->child[c]->last : last;
        rewrite(e, n->child[c]);
        const char *lead = edit_at(e, n->child[c]->first)->lead;
        const char *lines = arena_format(e->memory, "%s%s", lead ? lead : "", emit_node(e, n->child[c]));
        lines = moved_lines(e, lines, indentation(e, n->child[c]), indent);
        add_deeper(&out, arena_format(e->memory, "%s%s\n", indent, lines));
        if (lead) edit_of(e, n->child[c]->first)->lead = NULL;
    }
    text_format(&out, "%s}", indent);
    replace(e, n, text_of(&out));
}

/* Where values of the iteration are saved. */
static const char *iteration_position(emitter *e, const parallel *s) {
    bool uses[MAX_RANK];
    for (int k = 0; k < s->indices; k++) uses[k] = s->index[k].reduction < 0;
    return e->serial ? "\1element" : position_text(e, s, uses);
}

/* A value of a forall's local that is saved. */
static const char *saved_value(emitter *e, const node *n) {
    const parallel *s = e->current;
    for (int m = 0; m < s->masks; m++)
        if (s->mask[m].node->kind == N_LOCAL && s->mask[m].node->symbol == n->symbol)
            return s->mask[m].kept ? s->mask[m].buffer
                                   : arena_format(e->memory, "%s[%s]", s->mask[m].buffer, iteration_position(e, s));
    BUG("a value that nothing saves");
}

/* A part of the index of a matrix whose rows have loops around; NULL: n is none. */
static const char *part_in_rows(emitter *e, const node *n) {
    if (!e->in_rows || n->kind != N_BINARY || (n->name != ROW_NUMBER && n->name != ROW_PLACE)) return NULL;
    const flat_rows *r = e->in_rows->rows;
    if (n->name == ROW_NUMBER) return r->row;
    return arena_format(e->memory, "(%s - %s * %s)", n->symbol->name, r->row, linear_operand(e->memory, &r->width));
}

static const char *made_text_of(emitter *e, const node *n) {
    if (n->kind == N_CONSTANT) return n->name;
    if (part_in_rows(e, n)) return part_in_rows(e, n);
    const char *first = parenthesise(e, made_operand(e, n->child[n->kind == N_CAST]));
    if (n->kind == N_PAREN) return first;
    if (n->kind == N_CAST) return arena_format(e->memory, "(%s)%s", value_ctype(n->type), first);
    const char *second = parenthesise(e, made_operand(e, n->child[1]));
    if (n->kind == N_BINARY) return arena_format(e->memory, "(%s %s %s)", first, n->op, second);
    return arena_format(e->memory, "(%s ? %s : %s)", first, second, parenthesise(e, made_operand(e, n->child[2])));
}

/* A loop that was put around others' tokens, and is no parallel statement: it gets its head. */
static void rewrite_made_loop(emitter *e, node *n) {
    const char *head[3];
    for (int c = 0; c < 3; c++) head[c] = n->child[c] ? expression(e, n->child[c]) : "";
    const char *end = n->child[0] && n->child[0]->kind == N_DECLARATION ? "" : ";";
    rewrite(e, n->child[3]);
    replace(e, n,
            arena_format(e->memory, "for (%s%s %s; %s) %s", head[0], end, head[1], head[2], emit_node(e, n->child[3])));
}

static void rewrite_node(emitter *e, node *n) {
    intrinsic kind;
    if (n->made && n->kind == N_INDEPENDENT) return; /* it has no text */
    if (n->made && n->kind == N_COMPOUND) {
        rewrite_made_block(e, n);
        return;
    }
    if (n->made && n->kind == N_FOR && !group_at(e->p, n)) {
        rewrite_made_loop(e, n);
        return;
    }
    if (n->made && n->kind != N_EXPRESSION && n->kind != N_FOR) {
        replace(e, n, made_text_of(e, n));
        return;
    }
    if (n->replacement && e->current) {
        replace(e, n, n->replacement);
        return;
    }
    switch ((int)n->kind) {
    case N_NAME:
        use_name(e, n->name);
        if (e->current && moved_index(e->memory, n))
            replace(e, n, moved_index(e->memory, n));
        else if (n->symbol && n->symbol->spelling)
            replace(e, n, n->symbol->spelling);
        else if (n->symbol && n->symbol->kind == SYMBOL_LOCAL)
            replace(e, n, saved_value(e, n));
        if (converted_index(e->memory, n)) replace(e, n, converted_index(e->memory, n));
        return;
    case N_INDEX:
        rewrite_index(e, n);
        return;
    case N_SIZEOF:
        if (rewrite_sizeof(e, n)) return;
        break;
    case N_CALL:
        if (e->current && intrinsic_call(n, &kind) && kind != INTRINSIC_MATMUL)
            replace(e, n, intrinsic_text(e, n));
        else if (!replace_reduction(e, n))
            rewrite_call(e, n);
        return;
    case N_ASSIGN:
        if (replace_exact_update(e, n)) return;
        if (stores_element(e, n)) {
            rewrite_assignment(e, n);
            return;
        }
        break;
    case N_POSTFIX:
    case N_UNARY:
        if ((is_step(n) && replace_exact_update(e, n)) || rewrite_row(e, n)) return;
        if (stores_element(e, n)) {
            rewrite_step(e, n);
            return;
        }
        break;
    case N_FOR:
    case N_FORALL:
    case N_EXPRESSION: {
        begin_line(e, n);
        const group *g = group_at(e->p, n);
        const owner_statement *s = e->serial ? NULL : owner_statement_at(e->p, n);
        if (s) {
            rewrite_owner_statement(e, s);
            return;
        }
        if (g && !(e->serial && n->kind == N_FOR)) {
            rewrite_group(e, g);
            return;
        }
        if (g && g->actions > 0 && has_own_rounding(g->action[0].statement->loop)) {
            rewrite_summing_loop(e, n, g->action[0].statement->loop);
            return;
        }
        if (declare_by_reduction(e, n)) return;
        compute_reductions_before(e, n);
        if (!n->made || n->kind == N_FOR) break;
        rewrite_made_statement(e, n);
        return;
    }
    case N_VERSIONS:
        rewrite_versions(e, n);
        return;
    case N_LET:
        rewrite(e, n->child[n->count - 1]);
        return;
    case N_IF:
    case N_SWITCH:
    case N_RETURN:
        compute_reductions_before(e, n);
        break;
    case N_PARAMETER:
        if (!e->serial && n->count > 1 && n->child[1] && declared_name(n->child[1]) &&
            declared_name(n->child[1])->symbol->array) {
            rewrite_parameter(e, n);
            return;
        }
        break;
    case N_DECLARATION:
        if (declare_by_reduction(e, n)) return;
        compute_reductions_before(e, n);
        mark_unused(e, n);
        rewrite_declaration(e, n);
        note_objects(e, n);
        return;
    case N_PROCESSORS:
    case N_DISTRIBUTE:
    case N_REDISTRIBUTE:
    case N_TEMPLATE:
    case N_ALIGN:
    case N_REALIGN:
    case N_INHERIT:
    case N_EXTRINSIC:
    case N_INDEPENDENT:
        rewrite_directive(e, n);
        return;
    case N_FUNCTION_DEFINITION:
        keep_parameter_bounds(e, n);
        break;
    default:
        break;
    }
    const bool counts = begin_counted(e, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) rewrite(e, n->child[c]);
    if (counts) end_counted(e, n);
    const bool pointed = n->kind == N_UNARY && !strcmp(n->op, "*");
    if (pointed) rewrite_pointed(e, n);
    if (n->kind == N_MEMBER || pointed) rewrite_alike(e, n);
    if (n->kind == N_FUNCTION_DEFINITION && !e->serial) rewrite_function(e, n);
    if (n->kind == N_ARRAY) rewrite_bounds(e, n);
    if (!e->serial) redistribute_behind(e, n);
}

const walk_functions *walk_of_program(void) {
    static const walk_functions functions = {rewrite_node, emit_any_reduction, placed};
    return &functions;
}
