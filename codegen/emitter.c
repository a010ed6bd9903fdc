/* Tokens and their replacements. */
#include "emitter.h"

#include <ctype.h>
#include <string.h>

void emitter_start(emitter *e, arena *a, program *p, const emit_options *options, bool serial) {
    size_t count = p->source->count + 1;
    *e = (emitter){.memory = a, .p = p, .options = options, .serial = serial};
    e->replacement = arena_alloc(a, count * sizeof *e->replacement);
    e->last = arena_alloc(a, count * sizeof *e->last);
    e->before = arena_alloc(a, count * sizeof *e->before);
    e->lead = arena_alloc(a, count * sizeof *e->lead);
    e->after = arena_alloc(a, count * sizeof *e->after);
}

void replace(emitter *e, const node *n, const char *with) {
    e->replacement[n->first] = with;
    e->last[n->first] = n->last;
}

static size_t emit_token(const emitter *e, text *out, size_t t) {
    const char *with = e->replacement[t];
    size_t last = with ? e->last[t] : t;
    text_add(out, with ? with : e->p->source->tokens[t].text);
    if (e->after[last]) text_add(out, e->after[last]);
    return last + 1;
}

const char *emit_range(const emitter *e, size_t first, size_t last) {
    text out;
    text_start(&out, e->memory);
    for (size_t t = first; t <= last;) {
        if (t != first) {
            if (e->before[t]) text_add(&out, e->before[t]);
            text_add(&out, e->p->source->tokens[t].before);
            if (e->lead[t]) text_add(&out, e->lead[t]);
        }
        t = emit_token(e, &out, t);
    }
    return text_of(&out);
}

const char *emit_node(const emitter *e, const node *n) { return emit_range(e, n->first, n->last); }

static const char *with_fresh_names(const emitter *e, const char *s) {
    text out;
    text_start(&out, e->memory);
    for (const char *mark; (mark = strchr(s, '\1')); ) {
        size_t length = 1;
        while (isalnum((unsigned char)mark[length]) || mark[length] == '_') length++;
        text_add_bytes(&out, s, (size_t)(mark - s));
        text_add(&out, fresh_name(e->p, arena_text(e->memory, mark + 1, length - 1)));
        s = mark + length;
    }
    text_add(&out, s);
    return text_of(&out);
}

const char *emit_all(const emitter *e) {
    text out;
    text_start(&out, e->memory);
    for (size_t t = 0; t < e->p->source->count;) {
        if (e->before[t]) text_add(&out, e->before[t]);
        text_add(&out, e->p->source->tokens[t].before);
        if (e->lead[t]) text_add(&out, e->lead[t]);
        t = emit_token(e, &out, t);
    }
    return with_fresh_names(e, text_of(&out));
}

static bool is_directive(const emitter *e, const node *n) { return e->p->source->tokens[n->first].in_directive; }

/* Directives stand at the margin: what they become is indented like their neighbours. */
static const char *directive_indentation(const emitter *e, const node *n) {
    const node *block = n->parent;
    for (size_t c = 0; block->kind == N_COMPOUND && c < block->count; c++)
        if (!is_directive(e, block->child[c])) return indentation(e, block->child[c]);
    return block->kind == N_UNIT ? "" : deeper(e, indentation(e, block));
}

const char *indentation(const emitter *e, const node *n) {
    if (is_directive(e, n) && n->parent) return directive_indentation(e, n);
    for (size_t t = n->first;; t--) {
        const char *before = e->p->source->tokens[t].before;
        const char *line = strrchr(before, '\n');
        if (!line && t > 0) continue;
        line = line ? line + 1 : before;
        size_t width = strspn(line, " \t");
        return arena_text(e->memory, line, width);
    }
}

const char *place_literal(const emitter *e, const node *n) {
    text out;
    text_start(&out, e->memory);
    text_add(&out, "\"");
    for (const char *c = place_of(e->p, n); *c; c++) {
        if (*c == '"' || *c == '\\') text_add(&out, "\\");
        text_add_bytes(&out, c, 1);
    }
    text_add(&out, "\"");
    return text_of(&out);
}

const char *parenthesise(const emitter *e, const char *s) {
    int depth = 0;
    bool operand = true;
    for (const char *c = s; *c && operand; c++) {
        if (strchr("([", *c)) depth++;
        else if (strchr(")]", *c)) depth--;
        else if (depth == 0 && !isalnum((unsigned char)*c) && *c != '_' && *c != '.') operand = false;
    }
    return operand ? s : arena_format(e->memory, "(%s)", s);
}

const char *deeper(const emitter *e, const char *indent) { return arena_format(e->memory, "%s    ", indent); }

const char *trimmed(emitter *e, text *out, const char *indent) {
    const char *s = text_of(out);
    size_t skip = strlen(indent), length = strlen(s);
    if (strncmp(s, indent, skip) == 0) {
        s += skip;
        length -= skip;
    }
    while (length > 0 && s[length - 1] == '\n') length--;
    return arena_text(e->memory, s, length);
}
