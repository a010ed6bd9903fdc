/* Statements as data. */
#include "code_tree.h"

#include <stdarg.h>
#include <string.h>

#include "emitter.h"

/* ---- Making */

static code *new_code(emitter *e, code_kind kind, code *around) {
    code *x = arena_alloc(e->memory, sizeof *x);
    *x = (code){.kind = kind, .around = around};
    return x;
}

static code *add(emitter *e, code_kind kind) {
    code *at = e->at, *x = new_code(e, kind, at);
    *(at->last ? &at->last->next : &at->first) = x;
    at->last = x;
    return x;
}

code *begin_code(emitter *e, const char *indent) {
    code *around = e->at;
    e->at = new_code(e, CODE_BLOCK, around);
    e->at->indent = indent;
    return around;
}

void stand_behind(emitter *e, bool behind) {
    e->at->behind = behind;
}

code *begin_function(emitter *e) {
    code *around = begin_code(e, "    ");
    e->at->function = true;
    return around;
}

void emit_line(emitter *e, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    add(e, CODE_LINE)->text = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
}

/* How many blocks stand around what is added. */
static int depth_here(const emitter *e, const code **outermost) {
    int depth = 0;
    const code *x = e->at;
    for (; !x->indent; x = x->around) depth++;
    *outermost = x;
    return depth;
}

void emit_source(emitter *e, const char *s) {
    code *x = add(e, CODE_LINE);
    const code *outermost;
    x->text = s;
    x->source = true;
    x->depth = depth_here(e, &outermost);
}

static code *add_declaration(emitter *e, code_kind kind, const char *name) {
    code *x = add(e, kind);
    x->name = name;
    x->before = e->at->declared;
    e->at->declared = x;
    return x;
}

void emit_declaration(emitter *e, const char *name, const char *pattern, ...) {
    va_list arguments;
    code *x = add_declaration(e, CODE_DECLARATION, name);
    va_start(arguments, pattern);
    x->text = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
}

void keep_type(const emitter *e) {
    e->at->declared->whole = true;
}

void emit_otherwise(emitter *e, const char *place, const char *pattern, ...) {
    va_list arguments;
    code *declaration = e->at->declared, *x = add(e, CODE_OTHERWISE);
    x->declared = declaration;
    x->name = place;
    va_start(arguments, pattern);
    x->text = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
}

code *emit_parameter(emitter *e, const char *name) {
    return add_declaration(e, CODE_PARAMETER, name);
}

/* The block becomes the open one. */
static code *enter(emitter *e, code *x) {
    e->at = x;
    return x->around;
}

code *open_block(emitter *e) {
    return enter(e, add(e, CODE_BLOCK));
}

code *open_block_with(emitter *e, const char *pattern, ...) {
    va_list arguments;
    code *x = add(e, CODE_BLOCK);
    va_start(arguments, pattern);
    x->comment = arena_vformat(e->memory, pattern, arguments);
    va_end(arguments);
    return enter(e, x);
}

static code *open_text(emitter *e, bool list, const char *pattern, va_list arguments) {
    code *x = add(e, CODE_BLOCK);
    x->text = arena_vformat(e->memory, pattern, arguments);
    x->list = list;
    return enter(e, x);
}

code *open_head(emitter *e, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    code *around = open_text(e, false, pattern, arguments);
    va_end(arguments);
    return around;
}

void set_comment(emitter *e, const char *comment) {
    e->at->comment = comment;
}

void set_bare(emitter *e, bool bare) {
    e->at->bare = bare;
}

code *open_list(emitter *e, const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    code *around = open_text(e, true, pattern, arguments);
    va_end(arguments);
    return around;
}

/* The closing parenthesis of the one that the text begins with, or NULL. */
static const char *closing(const char *condition) {
    int deep = 0;
    for (const char *c = condition; *c; c++) {
        if (*c == '"' || *c == '\'') return NULL;
        deep += (*c == '(') - (*c == ')');
        if (deep == 0) return c;
    }
    return NULL;
}

/* The condition without parentheses around all of it, which compilers warn of; an assignment keeps them. */
static const char *bare_condition(emitter *e, const char *condition) {
    const char *last = *condition == '(' && condition[1] != '{' ? closing(condition) : NULL;
    if (!last || last[1] != '\0') return condition;
    for (const char *c = condition + 1; c < last; c++)
        if (*c == '=' && c[1] != '=' && !strchr("=!<>", c[-1])) return condition;
    return arena_format(e->memory, "%.*s", (int)(last - condition) - 1, condition + 1);
}

code *open_guard(emitter *e, const char *condition) {
    return *condition ? open_head(e, "if (%s)", bare_condition(e, condition)) : e->at;
}

void open_else(emitter *e, bool bare) {
    e->at = e->at->around;
    enter(e, add(e, CODE_ELSE));
    e->at->bare = bare;
}

code *open_loop(emitter *e, const for_loop *loop) {
    code *x = add(e, CODE_LOOP);
    for_loop *copy = arena_alloc(e->memory, sizeof *copy);
    *copy = *loop;
    x->loop = copy;
    return enter(e, x);
}

void close_block(emitter *e, code *around) {
    e->at = around;
}

const char *indentation_here(const emitter *e) {
    const code *outermost;
    const int depth = depth_here(e, &outermost);
    return arena_format(e->memory, "%s%*s", outermost->indent, 4 * depth, "");
}

bool may_get_head(const emitter *e) {
    const code *x = e->at, *around = x->around;
    return !x->indent && !(around->behind && around->first == x);
}

/* ---- Names */

/* The block around that sees the same names, or NULL. */
static const code *scope_around(const code *at) {
    return at->function ? NULL : at->around;
}

/* What the declaration mentions is used as well. */
static void use_declaration(const emitter *e, code *x) {
    x->used = true;
    if (x->text) use_names_in(e, x->text);
}

/* The declaration of a name that the open block sees, or NULL. */
static code *declared_around(const emitter *e, const char *name) {
    for (const code *at = e->at; at; at = scope_around(at))
        for (code *x = at->declared; x; x = x->before)
            if (!strcmp(x->name, name)) return x;
    return NULL;
}

void use_name(const emitter *e, const char *name) {
    code *x = declared_around(e, name);
    if (!x)
        use_constants(e, name);
    else if (!x->used)
        use_declaration(e, x);
}

void use_names_in(const emitter *e, const char *atom) {
    for (const code *at = e->at; at; at = scope_around(at))
        for (code *x = at->declared; x; x = x->before)
            if (!x->used && mentions_word(atom, x->name)) use_name(e, x->name);
    use_constants(e, atom);
}

void emit_step(emitter *e, const char *counter) {
    code *declaration = declared_around(e, counter), *x = add(e, declaration ? CODE_STEP : CODE_LINE);
    x->declared = declaration;
    x->text = arena_format(e->memory, "%s++;", counter);
}

bool is_declaration_used(const code *declaration) {
    return declaration->used;
}
