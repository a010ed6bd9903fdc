/* The library's sources, cut into what stands at file scope.
 *
 * Conditionals that are decided for a file that stands alone are resolved when a source is read: DPC_STANDALONE is
 * defined; DPC_SMPI, DPC_DEBUG, DPC_NO_STDIO and __cplusplus are not; DPC_USES(name) holds where the program reaches
 * the function or type, and where a name stands for that (DPC_HAS_THREADS).  Other conditionals are text.  Statements
 * that call what is defined as DPC_LEFT_OUT go, with an `if` on the same line; so does `if (name(..)) statement;` where
 * name is defined as DPC_IMPOSSIBLE. */
#ifndef DPC_STANDALONE_LIBRARY_H
#define DPC_STANDALONE_LIBRARY_H

#include "../ir/table.h"
#include "../lexer/pptoken.h"

typedef enum {
    ITEM_DECLARATION, /* types, macros, variables, directives */
    ITEM_PROTOTYPE,
    ITEM_FUNCTION,  /* its definition */
    ITEM_GENERATED, /* definitions that a macro makes: COMBINE(add, x + y) */
    ITEM_INCLUDE,   /* of another file of the library */
    ITEM_PRAGMA,
    ITEM_SECTION /* a comment that stands apart */
} item_kind;

typedef struct module module;

/* What a name stands for, with the tokens around the comma that a macro pastes: prefix ## parameter ## suffix. */
typedef struct {
    const char *prefix, *suffix;
} pasted;

typedef struct {
    item_kind kind;
    module *module;
    const char *text;    /* without its comment */
    const char *comment; /* above it, or NULL; that of several declarations belongs to each of them */
    bool inherited;      /* ... and this is not the first one */
    bool apart;          /* a blank line stands before it */
    bool is_type;        /* structures: their members are nobody's names */
    bool is_local;       /* static in a .c file, or a macro there */
    const char **defines, **uses, **quotes; /* names; strings without their quotation marks */
    size_t define_count, define_room, use_count, use_room, quote_count, quote_room;
    pasted *pastes;
    size_t paste_count, paste_room;
    module *included; /* ITEM_INCLUDE */
    bool needed;      /* the program reaches it */
    bool top;         /* ... and it stands before the program */
    bool dropped;     /* a prototype whose function is defined before it is used */
} item;

struct module {
    const char *path;  /* in the library's folder: base/pool.c */
    const char *title; /* its first comment */
    bool header, gnu;  /* gnu: it needs _GNU_SOURCE */
    item **item;
    size_t count, room;
    const char **systems; /* <string.h> */
    size_t system_count, system_room;
    hash_table names;   /* of a .c file's local names: item_list */
    hash_table renamed; /* local names that are called otherwise in the file: text */
    int visit;          /* the last walk that came here */
};

/* The items that define a name. */
typedef struct {
    item **item;
    size_t count, room;
} item_list;

typedef struct {
    arena *memory;
    const char *folder;
    const char *interface; /* the header that the program includes: dpc.h, or that of runtime/line */
    hash_table *raw;       /* texts of files by path, kept between readings */
    hash_table *reached;   /* names that DPC_USES holds for */
    hash_table *quoted;    /* strings in what is reached: rows of .def files stay where theirs is among them */
    module **module;       /* in the order in which they stand in the output: headers as they are included */
    size_t count, room;
    hash_table modules;  /* by path */
    hash_table names;    /* global ones: item_list */
    hash_table left_out; /* functions whose calls go */
    hash_table never;    /* conditions that never hold */
    hash_table asked;    /* names that stand in DPC_USES */
    hash_table facts;    /* names of conditions, and what they stand for */
    const char **questions;
    size_t question_count, question_room;
    bool failed; /* a file could not be read */
} library;

/* sources.c: the text of a file, with its conditionals resolved; NULL where it cannot be read. */
const char *library_source(library *l, module *m);
/* The path `name` in the folder of file `from`, without `..`. */
const char *library_path(arena *a, const char *from, const char *name);

/* items.c: cuts a file's text. */
void cut_items(library *l, module *m, const char *text);
/* The file of this path, read where it is new. */
module *library_module(library *l, const char *path);

/* names.c */
void note_names(library *l);
/* For each item that defines a name for those who use it in m (NULL: in the program). */
void for_items_of(const library *l, const module *m, const char *name, void (*act)(void *, item *), void *context);
/* For each name that macros may paste together of an item's words. */
void for_pasted_names(library *l, const item *i, void (*act)(void *, const char *), void *context);

/* reach.c: marks what the program's words reach. */
void reach_from(library *l, const char *const *words, size_t count);
/* Whether it gives another meaning to a name of the C library, in the program only: #define time(result) ... */
bool replaces_standard(const item *i);

/* order.c: the items in the order of the output, before the program or behind it; prototypes that nobody needs there
 * are dropped. */
item_list items_in_order(library *l, bool top);

/* systems.c: whether what is needed of a file uses something of a header of the system that the file includes; headers
 * whose names are not known are used. */
bool needs_system(const module *m, const char *header);
/* The header that the items' files include, and need, and that declares a name; NULL: none. */
const char *system_with_name(const item_list *list, const char *name);
/* For each name that a program defines at file scope. */
void for_defined_names(arena *a, const char *program, void (*act)(void *, const char *), void *context);

/* plain.c: whether runtime/line has all that the program names of the library. */
bool is_plain_program(arena *a, const char *program);

/* print.c */
typedef struct {
    const char *top, *below; /* before the program, behind it */
    const char *hidden;      /* other names for what both have, behind the program's own #undef */
    bool gnu;                /* _GNU_SOURCE is wanted */
} standalone_parts;
standalone_parts print_library(library *l, const char *program, const char *const *words, size_t count);

#endif
