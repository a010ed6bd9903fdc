/* The syntax tree: making, copying, checking and printing it. */
#include "ast.h"

#include <ctype.h>
#include <string.h>

#include "diagnostic.h"

/* One row per node kind: its name in dumps and the description of its children. */
static const struct {
    const char *name, *children;
} kinds[] = {
#define NODE(kind, name, children) {name, children},
#include "nodes.def"
#undef NODE
};

const char *node_kind_name(node_kind kind) {
    return (size_t)kind < N_KINDS ? kinds[kind].name : "?";
}

/* The children's array holds a power of two of them, so it is full when their count is one. */
static node **room_for(arena *a, size_t count) {
    size_t capacity = 1;
    while (capacity < count) capacity *= 2;
    return arena_alloc(a, capacity * sizeof(node *));
}

static void set_children(arena *a, node *n, uint32_t count, node *const *children) {
    n->count = count;
    n->child = count ? memcpy(room_for(a, count), children, count * sizeof *children) : NULL;
}

node *ast_new(arena *a, node_kind kind, token_index first, token_index last, uint32_t count, node *const *children) {
    node *n = arena_alloc(a, sizeof *n);
    *n = (node){.kind = kind, .first = first, .last = last};
    set_children(a, n, count, children);
    return n;
}

node *ast_add(arena *a, node *parent, node *child) {
    const size_t count = parent->count;
    if ((count & (count - 1)) == 0) {
        node **larger = room_for(a, count + 1);
        if (count) memcpy(larger, parent->child, count * sizeof *larger);
        parent->child = larger;
    }
    parent->child[parent->count++] = child;
    return parent;
}

node *ast_clone(arena *a, const node *n) {
    node *copy = arena_alloc(a, sizeof *copy);
    *copy = *n;
    set_children(a, copy, n->count, n->child);
    for (size_t c = 0; c < n->count; c++) {
        if (!n->child[c]) continue;
        copy->child[c] = ast_clone(a, n->child[c]);
        copy->child[c]->parent = copy;
    }
    return copy;
}

void ast_link(node *root) {
    for (size_t i = 0; i < root->count; i++) {
        if (!root->child[i]) continue;
        root->child[i]->parent = root;
        ast_link(root->child[i]);
    }
}

/* --- printing */

static void print_node(FILE *out, const source *s, const node *n, int depth) {
    fprintf(out, "%*s", 2 * depth, "");
    if (!n) {
        fputs("-\n", out);
        return;
    }
    fputs(node_kind_name(n->kind), out);
    if (n->op) fprintf(out, " %s", n->op);
    if (n->name) fprintf(out, " %s", n->name);
    if (n->kind == N_CONSTANT || n->kind == N_STRING) fprintf(out, " %s", ast_quote(s->memory, s, n));
    if (n->first < s->count) fprintf(out, "  %s:%d", s->tokens[n->first].file, s->tokens[n->first].line);
    fputc('\n', out);
    for (size_t i = 0; i < n->count; i++) print_node(out, s, n->child[i], depth + 1);
}

void ast_print(FILE *out, const source *s, const node *root) {
    print_node(out, s, root, 0);
}

/* --- checking */

/* What nodes.def says about a kind's children: `needed` of them must be there, at most `limit`, and bit i of `optional`
 * says that child i may be NULL. */
typedef struct {
    size_t needed, limit;
    unsigned optional;
} shape;

static shape shape_of(node_kind kind) {
    shape result = {0, 0, 0};
    for (const char *p = kinds[kind].children; *p;) {
        size_t length = strcspn(p, " ");
        bool repeated = length > 3 && strncmp(p + length - 3, "...", 3) == 0;
        if (repeated) {
            result.limit = (size_t)-1;
        } else {
            if (p[length - 1] == '?') result.optional |= 1U << result.limit;
            result.limit++;
            if (p[length - 1] != '?') result.needed = result.limit;
        }
        p += length;
        while (*p == ' ') p++;
    }
    return result;
}

static void check_failed(const source *s, const node *n, const char *why) {
    const char *quote = n->first <= n->last && n->last < s->count ? ast_quote(s->memory, s, n) : "(no tokens)";
    BUG(arena_format(s->memory, "%s node '%.200s': %s", node_kind_name(n->kind), quote, why));
}

static void check_children(const source *s, const node *n) {
    shape wanted = shape_of(n->kind);
    if (n->count < wanted.needed || n->count > wanted.limit) check_failed(s, n, "wrong number of children");
    for (size_t i = 0; i < n->count; i++) {
        const node *child = n->child[i];
        if (!child) {
            if (i >= 32 || !(wanted.optional >> i & 1U)) check_failed(s, n, "a child is missing");
        } else if (child->first < n->first || child->last > n->last) {
            check_failed(s, n, "a child's tokens are outside its own");
        }
    }
}

/* An empty UNIT is the only node with no tokens. */
void ast_check(const source *s, const node *root) {
    if (root->kind == N_UNIT && root->count == 0) return;
    if (root->first > root->last || root->last >= s->count) check_failed(s, root, "bad token range");
    if (root->name && root->name_token >= s->count) check_failed(s, root, "bad name token");
    check_children(s, root);
    for (size_t i = 0; i < root->count; i++)
        if (root->child[i]) ast_check(s, root->child[i]);
}

const char *ast_quote(arena *a, const source *s, const node *n) {
    text t;
    text_start(&t, a);
    for (size_t i = n->first; i <= n->last && i < s->count; i++) {
        const macro_use *use = s->tokens[i].from_macro ? use_at(s, i, n->last) : NULL;
        if (i > n->first && *s->tokens[i].before && *s->tokens[i].text) text_add(&t, " ");
        text_add(&t, use ? use->name : s->tokens[i].text);
        if (use) i = use->last;
    }
    return text_of(&t);
}
