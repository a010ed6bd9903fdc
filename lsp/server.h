/* Private to the folder: what the parts of the language server share. */
#ifndef DPC_LSP_SERVER_H
#define DPC_LSP_SERVER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../ir/arena.h"

/* ---- rpc.c: JSON-RPC 2.0 in messages with a Content-Length. */
enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002
};

typedef struct {
    char *bytes; /* read, and not yet taken */
    size_t count, capacity;
    bool ended; /* the client has closed its end */
} input_stream;

/* Waits for input, at most so many milliseconds (-1: for ever), and reads what is there. */
void receive(input_stream *in, int wait);
/* Takes the next whole message: its text, to be freed. NULL: there is none yet, or (*broken) what is there has no
 * length, and has been thrown away. */
char *take_message(input_stream *in, bool *broken);
/* Whether a whole number as a double is what the client wrote. */
bool is_exact(double x);
void send_result(const cJSON *id, cJSON *result); /* takes the result; NULL: null */
void send_error(const cJSON *id, int code, const char *message);
void send_notification(const char *method, cJSON *parameters); /* takes the parameters */

/* ---- documents.c: texts as the editor has them. */
typedef struct document document;
struct document {
    char *uri, *path, *text;
    double version;
    long long due;    /* when it is to be checked, milliseconds of milliseconds(); 0: it has been */
    cJSON *explained; /* what --explain=json said of it last; NULL: nothing yet */
    bool changed;     /* since then */
    cJSON *published; /* its check's diagnostics: URI of a file, array */
    document *next;
};

document *document_new(const char *uri, const char *content, double version);
void document_free(document *d);
/* A file's path for a file: URI, percent signs and dots resolved; others as they are.  And back.  To be freed. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);
/* One of didChange's contentChanges; false: it has no text, or a range that is none. */
bool document_edit(document *d, const cJSON *change);

/* Places: lines from 0, characters are UTF-16 code units.  A place behind a line's end is the end. */
size_t offset_of_place(const char *content, const cJSON *place);
cJSON *place_of_offset(const char *content, size_t offset);
cJSON *range_of_offsets(const char *content, size_t start, size_t end);
/* The byte `column` (from 1) of line `line` (from 1). */
size_t offset_of_line(const char *content, int line, int column);

/* ---- words.c: a file's words, and what it declares. */
typedef enum { WORD_NAME, WORD_NUMBER, WORD_SIGN, WORD_END } word_kind;
typedef struct {
    size_t offset, length;
    word_kind kind;
    bool directive; /* in a line of #pragma dpc */
    size_t match;   /* of a bracket: the other one's number, or its own */
} file_word;

typedef struct {
    const char *path, *text;
    file_word *word; /* word[words] is a WORD_END at the end of the text */
    size_t words, capacity;
    const char **included; /* names in quotes of #include */
    size_t includes, include_capacity;
} word_list;

word_list file_words(arena *a, const char *path, const char *content);
bool word_is(const word_list *f, size_t k, const char *content);
/* The word that the byte at `offset` is in or just behind; words: none. */
size_t word_at_offset(const word_list *f, size_t offset);

/* ---- declarations.c: arrays, grids, templates and functions, by their form: it works on programs with errors, too. */
typedef enum { DECLARED_ARRAY, DECLARED_GRID, DECLARED_TEMPLATE, DECLARED_FUNCTION } declared_kind;
typedef struct {
    const char *name;
    declared_kind kind;
    bool mapped;             /* named in a directive */
    size_t file, word;       /* where it stands */
    size_t scope, scope_end; /* bytes of the file; 0 and SIZE_MAX: the whole program */
    size_t end;              /* byte behind its declarator */
} declaration;

typedef struct {
    arena *memory;
    word_list *file; /* file[0]: the document; behind it what it includes */
    size_t files, file_capacity;
    declaration *declared;
    size_t count, capacity;
} program_index;

typedef struct server server;
/* The document and the files that it includes, as the editor has them where they are open. */
program_index index_program(arena *a, const server *s, const document *d);
/* Whom the name at that word of that file means; NULL: nobody known. */
const declaration *declaration_of(const program_index *x, size_t file, size_t word);

/* ---- check.c: a process that checks a document. */
typedef struct {
    pid_t pid; /* 0: none runs */
    document *of;
    long long started;
} check;

long long milliseconds(void); /* milliseconds */
void check_start(server *s, document *d);
/* True where one has ended: its diagnostics have been published. */
bool check_poll(server *s);
void check_stop(server *s);
/* Takes back what its check said. */
void clear_diagnostics(const server *s, document *d);
/* A file's text: the editor's, else the disk's; NULL: none.  In a's memory. */
const char *text_of_path(arena *a, const server *s, const char *path);
/* compile_flags.txt and what the client has set, with paths that are absolute. */
typedef struct {
    const char **item;
    size_t count, capacity;
} flag_list;
flag_list flags_of(arena *a, const server *s, const document *d);

/* ---- hover.c, completion.c, navigate.c: answers to requests; NULL is null. */
cJSON *hover(arena *a, const server *s, const document *d, size_t offset);
cJSON *completion(arena *a, const server *s, const document *d, size_t offset);
cJSON *definition(arena *a, const server *s, const document *d, size_t offset);
cJSON *references(arena *a, const server *s, const document *d, size_t offset, bool declared_too);
cJSON *document_symbols(arena *a, const server *s, const document *d);
cJSON *code_actions(const document *d, const cJSON *diagnostics);

/* What all of it knows. */
struct server {
    const char *dpcc, *folder;
    document *documents;
    check running;
    cJSON *flags;  /* array of strings from the client */
    int processes; /* --np for checks; 0: any number */
    int delay;     /* milliseconds from the last key to a check */
    int limit;     /* milliseconds that a check may take */
    bool initialized, shut, left;
    input_stream in;
};
/* In documents.c: the open document; NULL: none. */
document *find_document(const server *s, const char *path);

#endif
