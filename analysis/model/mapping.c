/* The interface to a mapping: all that anyone asks of a dimension's format.  Nobody else looks into one, but where
 * directives are read (resolve/mappings.c).  docs/mappings.md, section 1. */
#include "analysis.h"

/* ---- One dimension */

bool divides(const mapping *m, int d) {
    return m->format[d].kind != FORMAT_STAR;
}

bool in_one_block(const mapping *m, int d) {
    return m->format[d].kind == FORMAT_BLOCK || m->format[d].kind == FORMAT_GEN_BLOCK;
}

bool is_block_cyclic(const mapping *m, int d) {
    return m->format[d].kind == FORMAT_CYCLIC;
}

bool is_cyclic(const mapping *m, int d) {
    return is_block_cyclic(m, d) && linear_is(&m->format[d].block, 1);
}

const linear *written_block(const mapping *m, int d) {
    return m->format[d].sized ? &m->format[d].block : NULL;
}

node *block_expression(const mapping *m, int d) {
    const format *f = &m->format[d];
    return f->sized && !f->automatic && f->node && f->node->count > 1 && !linear_is_constant(&f->block)
               ? f->node->child[1]
               : NULL;
}

bool known_block(const mapping *m, int d, int64_t *block) {
    const linear *written = written_block(m, d);
    if (!written || !linear_is_constant(written)) return false;
    *block = written->constant;
    return true;
}

node *block_sizes(const mapping *m, int d) {
    return m->format[d].sizes;
}

bool is_automatic(const mapping *m, int d) {
    return m->format[d].automatic;
}

bool is_any_format(const mapping *m, int d) {
    return m->format[d].any_kind;
}

bool same_choice(const mapping *m, int d, const mapping *n, int e) {
    return is_automatic(m, d) && is_automatic(n, e) && m->format[d].node == n->format[e].node;
}

bool same_vector(const mapping *m, int d, const mapping *n, int e) {
    return block_sizes(m, d) && block_sizes(m, d) == block_sizes(n, e);
}

bool has_automatic(const array *a, const mapping *m) {
    for (int d = 0; d < a->rank; d++)
        if (is_automatic(m, d)) return true;
    return false;
}

bool same_kind(const mapping *m, int d, const mapping *n, int e) {
    return m->format[d].kind == n->format[e].kind && !block_sizes(m, d) && !block_sizes(n, e);
}

bool same_format(const mapping *m, int d, const mapping *n, int e) {
    const linear *x = written_block(m, d), *y = written_block(n, e);
    if (!same_kind(m, d, n, e) || !x != !y) return false;
    return !x || linear_equal(x, y);
}

/* ---- The dimensions */

bool may_be_distributed(const array *a, int d) {
    return (a->dynamic && !a->apart) || divides(&a->mapping, d);
}

int next_distributed(const array *a, int d) {
    while (d < a->rank && !divides(&a->mapping, d)) d++;
    return d;
}

int grid_dimension(const mapping *m, int dimension) {
    int g = 0;
    for (int d = 0; d < dimension; d++) g += divides(m, d);
    return g;
}

int dimension_along(const array *a, int g) {
    int d = next_distributed(a, 0);
    while (d < a->rank && g-- > 0) d = next_distributed(a, d + 1);
    return d < a->rank ? d : -1;
}

bool same_formats(const array *a, const mapping *m, const mapping *n) {
    for (int d = 0; d < a->rank; d++)
        if (!same_format(m, d, n, d)) return false;
    return true;
}

bool has_tables(const array *a) {
    for (int d = 0; d < a->rank; d++)
        if (a->mapping.format[d].kind >= FORMAT_GEN_BLOCK) return true;
    return false;
}

bool has_regular_blocks(const array *a) {
    return !a->dynamic && !has_tables(a);
}

int divided_dimensions(const array *a) {
    int divided = 0;
    for (int d = 0; d < a->rank; d++) divided += divides(&a->mapping, d);
    return divided;
}

bool has_own_blocks(const array *a) {
    if (a->dynamic || a->alignment || a->like || a->inherits || a->shared || a->origin->redistributed ||
        !has_regular_blocks(a) || may_have_copies(a))
        return false;
    for (int d = 0; d < a->rank; d++)
        if (a->lead[d] > 0 || (divides(&a->mapping, d) && !in_one_block(&a->mapping, d))) return false;
    return true;
}

bool blocks_are_constant(const array *a, const mapping *m) {
    int64_t block;
    for (int d = 0; d < a->rank; d++)
        if (block_sizes(m, d) || (written_block(m, d) && !known_block(m, d, &block))) return false;
    return true;
}

/* ---- Changes */

void set_block(mapping *m, int d) {
    m->format[d].kind = FORMAT_BLOCK;
    m->format[d].sized = false;
    m->format[d].block = linear_constant(0);
}

void set_block_cyclic(mapping *m, int d, int64_t block) {
    m->format[d].kind = FORMAT_CYCLIC;
    m->format[d].sized = true;
    m->format[d].block = linear_constant(block);
}

void set_written_block(mapping *m, int d, int64_t block) {
    m->format[d].block = linear_constant(block);
}

void take_format(mapping *m, int d, const mapping *n, int e) {
    m->format[d] = n->format[e];
}

/* ---- In words */

const char *format_kind_word(const mapping *m, int d) {
    static const char *const words[] = {
        [FORMAT_STAR] = "*", [FORMAT_BLOCK] = "block", [FORMAT_CYCLIC] = "cyclic", [FORMAT_GEN_BLOCK] = "gen_block"};
    return words[m->format[d].kind];
}

const char *format_word(arena *a, const mapping *m, int d) {
    const linear *block = written_block(m, d);
    const node *sizes = block_sizes(m, d);
    if (sizes && sizes->kind == N_NAME) return arena_format(a, "gen_block(%s)", sizes->name);
    if (!block || is_cyclic(m, d)) return format_kind_word(m, d);
    return arena_format(a, "%s(%s)", format_kind_word(m, d), linear_text(a, block));
}

const char *why_dynamic(const array *a) {
    if (!a->dynamic && has_tables(a)) return "has blocks of gen_block";
    if (a->inherits) return "inherits its mapping";
    if (a->realigned) return "is realigned";
    if (a->shared) return "is shared with other source files";
    if (a->redistributed) return "is redistributed";
    return a->alignment ? "is aligned" : "has blocks of gen_block";
}

const char *mapping_words(arena *memory, const array *a) {
    text out;
    if (a->inherits) return "mapped as its argument";
    if (a->realigned) return "realigned at run time";
    if (a->alignment && !a->plain) return arena_format(memory, "aligned with %s", a->alignment->with->symbol->name);
    if (a->dynamic && has_tables(a)) return "in blocks of gen_block";
    if (a->dynamic) return "redistributed at run time";
    text_start(&out, memory);
    for (int d = 0; d < a->rank; d++) text_format(&out, "%s%s", d ? ", " : "(", format_word(memory, &a->mapping, d));
    text_add(&out, ")");
    return text_of(&out);
}

const char *format_initialiser(arena *a, const mapping *m, int d, const char *block, int64_t gap, int64_t lead) {
    if (!divides(m, d)) return "DPC_STAR";
    if (block_sizes(m, d)) return arena_format(a, "DPC_GEN_BLOCK(%s)", block);
    if (!block) return "DPC_BLOCK";
    if (is_block_cyclic(m, d) && lead > 0)
        return arena_format(a, "DPC_CYCLIC_AFTER(%lld, %s, %lld)", (long long)lead, block, (long long)gap);
    if (is_block_cyclic(m, d) && gap > 0) return arena_format(a, "DPC_CYCLIC_APART(%s, %lld)", block, (long long)gap);
    return arena_format(a, in_one_block(m, d) ? "DPC_BLOCK_OF(%s)" : "DPC_CYCLIC(%s)", block);
}
