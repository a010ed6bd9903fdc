/* What the C compiler says about types that only it knows: those of names, macros and functions of system headers, of
 * enumerations, and of extensions.  The questions of a program go into one small C file behind its system includes;
 * each selects a number by _Generic, in an initialiser that is read back from the assembly text.  Operands whose types
 * are known stand there as `(*(double *)0)`, which nothing evaluates. */
#include <stdlib.h>
#include <string.h>

#include "../model/model.h"
#include "../model/types.h"
#include "resolve.h"

typedef struct {
    node *expression; /* receives the answer, or NULL */
    type *type;       /* the same */
    const char *text;
    int answer;   /* an element + 1, OTHER, or 0: none */
    bool refused; /* the C compiler finds errors in it */
} question;

typedef struct {
    program *p;
    question *question;
    size_t count, capacity;
    node **enumeration; /* the definitions in the program, in its order; NULL: one that the C compiler refuses */
    size_t enumerations, enumeration_capacity;
    bool answered; /* some type is better known than before */
} questions;

#define PROBE "dpc-probe"
#define ANSWER "dpc_answer_"

enum { OTHER = ELEMENTS + 1, ROUNDS = 8 };

/* ---- Text of types and expressions */

typedef struct {
    const program *p;
    text text;
    bool constant; /* an enumerator's value: enumerators stand in it as they are */
} writer;

static writer start_writing(const program *p) {
    writer w = {.p = p};
    text_start(&w.text, p->memory);
    return w;
}

static void add_expression(writer *w, const node *n, bool whole);

static const char *enumerator_name(const program *p, const node *n) {
    return arena_format(p->memory, "dpc_%u_%s", n->parent->first, n->name);
}

/* Behind the parenthesis that opens in s. */
static const char *skip_parenthesis(const char *s) {
    int depth = 0;
    for (s += strcspn(s, "("); *s; s++) {
        depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
        if (depth == 0) return s + 1;
    }
    return s;
}

static void add_attributes(text *out, const char *blank) {
    for (const char *s = strstr(blank, "__attribute"); s; s = strstr(s, "__attribute")) {
        const char *end = skip_parenthesis(s);
        text_add_bytes(out, s, (size_t)(end - s));
        s = end;
    }
}

static void add_attributes_before(writer *w, size_t first, size_t last) {
    for (size_t t = first; t <= last; t++) add_attributes(&w->text, w->p->source->tokens[t].before);
}

static void add_type(writer *w, const type *t);

/* The names of headers are there; those of the program are not. */
static void add_typedef(writer *w, const node *use) {
    if (use->symbol && use->symbol->type)
        add_type(w, use->symbol->type);
    else
        text_add(&w->text, use->name);
    text_add(&w->text, " ");
}

/* The words of specifiers that name a type, and the attributes of their declaration: those of all its declarators, and
 * those of `item` (or NULL) alone. */
static void add_words(writer *w, const node *specifiers, const node *item) {
    static const char others[] = " auto extern inline register static typedef _Noreturn _Thread_local ";
    const node *declaration = specifiers->parent, *first = declaration->count > 1 ? declaration->child[1] : NULL;
    for (size_t c = 0; c < specifiers->count; c++) {
        const node *s = specifiers->child[c];
        if (s->kind == N_KEYWORD && !is_listed(others, lexer_canonical(s->name))) text_format(&w->text, "%s ", s->name);
        if (s->kind == N_TYPEDEF_REFERENCE) add_typedef(w, s);
    }
    add_attributes_before(w, declaration->first, first ? first->first : specifiers->last);
    if (!item) return;
    size_t from, to;
    own_attributes(declaration, item, &from, &to);
    add_attributes_before(w, from, to);
}

/* Whether the type of this declarator is asked for, not the specifiers' of its declaration. */
static bool is_declarator(const node *asked) {
    const node *parent = asked->parent;
    if (asked->kind == N_INIT_DECLARATOR || asked->kind == N_BIT_FIELD) return true;
    return parent && parent->kind == N_PARAMETER && parent->count > 1 && parent->child[1] == asked;
}

static void add_foreign(writer *w, const node *asked) {
    if (is_declarator(asked)) {
        add_words(w, asked->parent->child[0], asked);
        return;
    }
    switch ((int)asked->kind) {
    case N_TYPEDEF_REFERENCE:
        text_add(&w->text, asked->name);
        break;
    case N_ENUM:
        text_format(&w->text, asked->has_body ? "enum dpc_enum_%u" : "enum ", asked->first);
        if (!asked->has_body) text_add(&w->text, asked->name);
        break;
    case N_ENUMERATOR:
        text_format(&w->text, "__typeof__(%s)", enumerator_name(w->p, asked));
        break;
    case N_SPECIFIERS:
        add_words(w, asked, NULL);
        break;
    default:
        text_add(&w->text, "__typeof__(");
        add_expression(w, asked, true);
        text_add(&w->text, ")");
    }
}

static void add_type(writer *w, const type *t) {
    if (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION) {
        text_add(&w->text, "__typeof__(");
        add_type(w, t->of);
        text_add(&w->text, t->kind == TYPE_FUNCTION ? ")()" : ") *");
    } else if (t->kind == TYPE_ARITHMETIC) {
        text_add(&w->text, element_spelling(t->element));
    } else if (t->kind == TYPE_FOREIGN) {
        add_foreign(w, t->asked);
    } else if (t->kind == TYPE_RECORD && !t->record->has_body && t->record->name) {
        text_format(&w->text, "%s %s", t->record->op, t->record->name);
    } else {
        text_add(&w->text, t->kind == TYPE_VOID ? "void" : "struct dpc_unknown");
    }
}

static void add_operand(writer *w, const type *t) {
    text_add(&w->text, "(*(__typeof__(");
    add_type(w, t);
    text_add(&w->text, ") *)0)");
}

static bool is_foreign_callee(const node *n) {
    return n->kind == N_NAME && !n->symbol && n->parent && n->parent->kind == N_CALL && n->parent->child[0] == n;
}

/* A function of a header must be declared there; macros stand as they are. */
static void add_callee(writer *w, const node *callee) {
    const bool may_be_macro =
        !w->p->headers || header_has_macro(w->p->headers, callee->name) || !strncmp(callee->name, "__builtin_", 10);
    text_format(&w->text, may_be_macro ? "%s" : "(*(__typeof__(&%s))0)", callee->name);
}

static const node *child_at(const node *n, size_t t) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] && n->child[c]->first == t) return n->child[c];
    return NULL;
}

static void add_tokens(writer *w, const node *n) {
    for (size_t t = n->first; t <= n->last; t++) {
        const node *child = child_at(n, t);
        text_add(&w->text, " ");
        if (!child) {
            text_add(&w->text, w->p->source->tokens[t].text);
            continue;
        }
        add_expression(w, child, false);
        t = child->last;
    }
}

static bool is_enumerator(const node *n) {
    return n->kind == N_NAME && n->symbol && n->symbol->kind == SYMBOL_ENUMERATOR;
}

/* Whether an operand of n's type can stand in its place. */
static bool is_operand(const writer *w, const node *n) {
    if (w->constant || !n->type || n->kind > N_COMMA || n->kind == N_CONSTANT || n->kind == N_STRING) return false;
    return n->type->kind != TYPE_FOREIGN || n->type->asked != n;
}

/* `whole`: n itself is asked about, not an operand of it. */
static void add_expression(writer *w, const node *n, bool whole) {
    if (is_foreign_callee(n))
        add_callee(w, n);
    else if (!whole && is_operand(w, n))
        add_operand(w, n->type);
    else if (w->constant && is_enumerator(n))
        text_add(&w->text, enumerator_name(w->p, n->symbol->declarator));
    else if (n->kind == N_TYPEDEF_REFERENCE && n->symbol && n->symbol->type)
        add_type(w, n->symbol->type);
    else if (n->kind == N_ENUM)
        add_foreign(w, tag_definition(n));
    else
        add_tokens(w, n);
}

/* ---- Questions */

static void apply(questions *q, const question *x) {
    q->answered = true;
    type *t = x->type;
    if (x->expression) t = x->expression->type = foreign_type(q->p->memory, x->expression);
    t->answered = true;
    if (x->answer == 0 || x->answer == OTHER) return;
    t->kind = TYPE_ARITHMETIC;
    t->element = (element)(x->answer - 1);
}

/* Asks nothing twice. */
static void add_question(questions *q, question x) {
    const program *p = q->p;
    for (size_t k = 0; k < p->answers; k++)
        if (!strcmp(p->answer[k].text, x.text)) {
            x.answer = p->answer[k].code;
            apply(q, &x);
            return;
        }
    vector_add(p->memory, q->question, q->count, q->capacity, x);
}

static void ask_type(questions *q, type *t) {
    if (!t || t->kind != TYPE_FOREIGN || t->answered) return;
    writer w = start_writing(q->p);
    add_operand(&w, t);
    add_question(q, (question){.type = t, .text = text_of(&w.text)});
}

static void ask_expression(questions *q, node *n) {
    writer w = start_writing(q->p);
    add_expression(&w, n, true);
    add_question(q, (question){.expression = n, .text = text_of(&w.text)});
}

static void note_enumerations(questions *q, node *n) {
    if (n->kind == N_ENUM && n->has_body)
        vector_add(q->p->memory, q->enumeration, q->enumerations, q->enumeration_capacity, n);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) note_enumerations(q, n->child[c]);
}

/* ---- The C file */

/* Behind a comment that begins at s, or s. */
static const char *skip_comment(const char *s) {
    if (s[0] != '/' || (s[1] != '*' && s[1] != '/')) return s;
    const char *end = s[1] == '*' ? strstr(s + 2, "*/") : strchr(s, '\n');
    return !end ? s + strlen(s) : s[1] == '*' ? end + 2 : end;
}

static bool is_copied(const char *directive) {
    directive += 1 + strspn(directive + 1, " \t");
    return !strncmp(directive, "include", 7) || !strncmp(directive, "define", 6) || !strncmp(directive, "undef", 5);
}

/* The preprocessor's lines in blank space: includes of system headers, and the macros that these read. */
static void add_directives(text *out, const char *blank) {
    for (const char *s = blank; *s;) {
        const char *behind = skip_comment(s);
        size_t length = behind > s ? (size_t)(behind - s) : 1;
        if (*s == '#') length = strcspn(s, "\n");
        if (*s == '#' && is_copied(s)) {
            text_add_bytes(out, s, length);
            text_add(out, "\n");
        }
        s += length;
    }
}

static void add_enumeration(const program *p, text *out, const node *n) {
    const token *tokens = p->source->tokens;
    text_add(out, "enum ");
    add_attributes(out, tokens[n->first + 1].before);
    text_format(out, " dpc_enum_%u { ", n->first);
    for (size_t c = 0; c < n->count; c++) {
        const node *e = n->child[c];
        writer w = start_writing(p);
        w.constant = true;
        if (e->count && e->child[0]) add_expression(&w, e->child[0], true);
        text_format(out, w.text.length ? "%s = %s, " : "%s, ", enumerator_name(p, e), text_of(&w.text));
    }
    text_add(out, "} ");
    add_attributes(out, tokens[n->last + 1].before);
    text_add(out, ";\n");
}

/* Each question and each enumeration has its number as the line that the C compiler complains of. */
static const char *file_text(const questions *q) {
    const program *p = q->p;
    text out;
    text_start(&out, p->memory);
    for (size_t t = 0; t < p->source->count; t++)
        if (strchr(p->source->tokens[t].before, '#')) add_directives(&out, p->source->tokens[t].before);
    for (size_t k = 0; k < q->enumerations; k++)
        if (q->enumeration[k]) {
            text_format(&out, "#line %zu \"" PROBE "\"\n", q->count + k + 1);
            add_enumeration(p, &out, q->enumeration[k]);
        }
    text_add(&out, "#line 1 \"dpc-file\"\n#define DPC_CODE(...) _Generic((__VA_ARGS__), ");
    for (int e = 0; e < ELEMENTS; e++) text_format(&out, "%s: %d, ", element_spelling((element)e), e + 1);
    text_format(&out, "default: %d)\n", OTHER);
    for (size_t k = 0; k < q->count; k++)
        if (!q->question[k].refused)
            text_format(&out,
                        "#line %zu \"" PROBE "\"\nvoid dpc_ask_%zu(void) { __attribute__((used)) static int " ANSWER
                        "%zu = DPC_CODE(%s); }\n",
                        k + 1, k, k, q->question[k].text);
    return text_of(&out);
}

/* ---- Answers */

/* What messages complain of is left out; false: nothing that was not before. */
static bool refuse(questions *q, const char *messages) {
    bool found = false;
    for (const char *s = strstr(messages, PROBE ":"); s; s = strstr(s, PROBE ":")) {
        s += sizeof PROBE;
        const size_t number = strtoul(s, NULL, 10) - 1;
        if (number < q->count && !q->question[number].refused) found = q->question[number].refused = true;
        if (number < q->count || number >= q->count + q->enumerations) continue;
        found = found || q->enumeration[number - q->count];
        q->enumeration[number - q->count] = NULL;
    }
    return found;
}

/* Answer k is the number of the data directive behind the label dpc_answer_k, or dpc_answer_k.7. */
static void read_answers(questions *q, const char *assembly) {
    for (const char *s = strstr(assembly, ANSWER); s; s = strstr(s, ANSWER)) {
        char *end;
        s += sizeof ANSWER - 1;
        const size_t k = strtoul(s, &end, 10);
        s = end + strspn(end, ".0123456789");
        if (*s != ':' || k >= q->count) continue;
        s += strcspn(s, "\n");
        s += strspn(s, "\n \t");
        const long code = *s == '.' ? strtol(s + strcspn(s, " \t"), NULL, 10) : 0;
        q->question[k].answer = code > 0 && code <= OTHER ? (int)code : 0;
    }
}

/* Asks, leaves out what the C compiler refuses, and asks again. */
static void ask(questions *q) {
    program *p = q->p;
    const char *assembly = NULL, *messages;
    if (q->count == 0) return;
    note_enumerations(q, p->unit);
    for (int round = 0; !assembly && round < ROUNDS; round++) {
        assembly = assembly_of(p->memory, file_text(q), p->source->path, p->compiler, &messages);
        if (!assembly && !refuse(q, messages)) break;
    }
    if (assembly) read_answers(q, assembly);
    for (size_t k = 0; k < q->count; k++) {
        apply(q, &q->question[k]);
        const answer x = {q->question[k].text, q->question[k].answer};
        vector_add(p->memory, p->answer, p->answers, p->answer_capacity, x);
    }
}

/* ---- What is asked */

static void collect_types(questions *q, node *n) {
    const bool names_type = n->kind == N_TYPEDEF_REFERENCE || n->kind == N_ENUM || n->kind == N_TYPEOF ||
                            n->kind == N_SPECIFIERS || is_declarator(n);
    if (names_type) ask_type(q, n->type);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) collect_types(q, n->child[c]);
}

void settle_declared_types(program *p) {
    questions q = {.p = p};
    collect_types(&q, p->unit);
    ask(&q);
}

/* Operators whose type follows from those of the operands, once these are known. */
static bool follows(const node *n) {
    return n->kind == N_PAREN || n->kind == N_UNARY || n->kind == N_BINARY || n->kind == N_CONDITIONAL ||
           n->kind == N_COMMA || n->kind == N_ASSIGN || n->kind == N_POSTFIX;
}

static bool has_unknown_operand(const node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c] &&
            (!n->child[c]->type || (n->child[c]->type->kind == TYPE_FOREIGN && !n->child[c]->type->answered)))
            return true;
    return false;
}

static bool is_expression(const node *n) {
    return n->kind <= N_COMMA && n->kind != N_RANGE && n->kind != N_TRIPLET && n->kind != N_ASSOCIATION;
}

/* The arguments of a header's macro may be anything: members, types. */
static bool is_macro_call(const program *p, const node *n) {
    const node *f = n->kind == N_CALL ? n->child[0] : NULL;
    return f && is_foreign_callee(f) && header_has_macro(p->headers, f->name) &&
           library_function_result(f->name) == ELEMENTS;
}

/* Everything in n whose type is not known. */
static void collect(questions *q, node *n) {
    if (n->kind == N_SIZEOF || n->kind == N_TYPE_NAME || n->kind == N_COMPOUND || is_foreign_callee(n)) return;
    for (size_t c = 0; c < n->count && !is_macro_call(q->p, n); c++)
        if (n->child[c]) collect(q, n->child[c]);
    if (n->type) {
        ask_type(q, n->type);
        return;
    }
    operation op;
    const bool own = n->kind == N_CALL && reduction_call(n, &op);
    if (is_expression(n) && !own && !(follows(n) && has_unknown_operand(n))) ask_expression(q, n);
}

/* tgmath.h: the type of a mathematical function follows its arguments. */
static bool is_generic_call(const program *p, const node *n) {
    const node *f = n->kind == N_CALL ? n->child[0] : NULL;
    return f && is_foreign_callee(f) && header_has_macro(p->headers, "creal") &&
           header_has_macro(p->headers, f->name) && library_function_result(f->name) != ELEMENTS;
}

static void collect_generic_calls(questions *q, node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) collect_generic_calls(q, n->child[c]);
    if (is_generic_call(q->p, n) && !(n->type && n->type->answered)) ask_expression(q, n);
}

static void need(questions *q, node *n) {
    if (!n) return;
    collect_generic_calls(q, n);
    collect(q, n);
}

/* The values that a reduction combines decide its type. */
static void need_values(questions *q, const node *call) {
    operation op;
    if (!reduction_call(call, &op)) return;
    const operation_facts *facts = facts_of_operation(op);
    if (facts->type == COMBINES_LONG || facts->type == COMBINES_INT) return;
    const size_t values = facts->values;
    for (size_t c = call->count; c > 1 && c > call->count - values; c--) need(q, call->child[c - 1]);
}

/* An assignment's buffer has the type of its value or of its left side. */
static void need_sides(questions *q, node *n, bool inside) {
    if (strcmp(n->op, "=") != 0) need(q, n->child[1]);
    if (inside) need(q, n->child[0]);
}

/* Bounds and strides: they are linear forms only if they are integers. */
static void need_bounds(questions *q, node *n) {
    for (size_t c = 0; c < n->count; c++) {
        node *bound = n->child[c];
        need(q, n->kind == N_RANGE && c == 0 && bound->kind == N_ASSIGN ? bound->child[1] : bound);
    }
}

/* Expressions in n whose type decides what is generated for them; `inside`: n is part of a parallel statement. */
static void collect_needed(questions *q, node *n, bool inside) {
    operation op;
    intrinsic kind;
    const bool is_intrinsic = n->kind == N_CALL && intrinsic_call(n, &kind);
    const bool reduces = n->kind == N_CALL && reduction_call(n, &op);
    const bool stores = n->kind == N_ASSIGN && (first_section(n->child[0]) || element_around(n->child[0]));
    if (n->kind == N_SIZEOF) return;
    inside = inside || n->kind == N_FORALL || n->kind == N_FOR || reduces || (stores && first_section(n->child[0]));
    if (reduces) need_values(q, n);
    if (is_intrinsic ||
        (inside && n->kind == N_CALL && is_foreign_callee(n->child[0]) && !strcmp(n->child[0]->name, "abs")))
        for (size_t c = 1; c < n->count; c++) need(q, n->child[c]);
    if (n->kind == N_ASSIGN && (stores || inside)) need_sides(q, n, stores);
    if (n->kind == N_INDEX && inside && distributed_reference(n)) need(q, n->child[1]);
    if (n->kind == N_TRIPLET || n->kind == N_RANGE || n->kind == N_FORALL_INDEX) need_bounds(q, n);
    if (n->kind == N_NAME && inside && n->symbol && n->type) ask_type(q, n->type);
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) collect_needed(q, n->child[c], inside);
}

/* What has no answer is not known to the passes that follow. */
static void forget(node *n) {
    for (size_t c = 0; c < n->count; c++)
        if (n->child[c]) forget(n->child[c]);
    if (!n->type || n->type->kind != TYPE_FOREIGN) return;
    n->type->kind = TYPE_UNKNOWN;
    if (is_expression(n)) n->type = NULL;
}

void settle_expressions(program *p) {
    for (int round = 0; round < ROUNDS; round++) {
        questions q = {.p = p};
        collect_needed(&q, p->unit, false);
        ask(&q);
        if (!q.answered) break;
        type_expressions(p->memory, p->unit);
    }
    forget(p->unit);
}
