/* Calls that write or read files of arrays: dpc_npy_save(file, array) and its like. */
#include <string.h>

#include "emitter.h"

/* ---- The serial program: its arrays are C's */

/* NumPy's letter for the kind of element. */
static const char *kind_text(element e) {
    if (e == ELEMENT_BOOL) return "'b'";
    if (e == ELEMENT_CHAR) return "(char)-1 < 0 ? 'i' : 'u'";
    if (element_is_complex(e)) return "'c'";
    return !element_is_integer(e) ? "'f'" : element_is_signed(e) ? "'i'" : "'u'";
}

static const char *section_extents(emitter *e, node *chain, const char *section) {
    node *name, *subscripts[MAX_RANK];
    int count, rank = 0;
    text out;
    text_start(&out, e->memory);
    index_chain(chain, &name, subscripts, &count);
    for (int d = 0; d < count; d++)
        if (subscripts[d]->kind == N_TRIPLET) text_format(&out, "%s%s.count[%d]", rank++ ? ", " : "", section, d);
    return arena_format(e->memory, ".rank = %d, .extent = {%s}", rank, text_of(&out));
}

static const char *whole_extents(emitter *e, const array *a) {
    text out;
    text_start(&out, e->memory);
    for (int d = 0; d < a->rank; d++) text_format(&out, "%s%s", d ? ", " : "", extent_text(e, a, d));
    return arena_format(e->memory, ".rank = %d, .extent = {%s}", a->rank, text_of(&out));
}

static const char *serial_argument(emitter *e, node *call, size_t c, const char *section) {
    const array *a = filed_array(call, c);
    node *n = inside_parentheses(call->child[c]);
    const bool part = !files_all(n);
    return arena_format(
        e->memory, "&(dpc_filed){.where = %s, .name = \"%s\", .kind = %s, .size = sizeof(%s), %s, .memory = %s}",
        place_literal(e, call), a->symbol->name, kind_text(a->element), element_spelling(a->element),
        part ? section_extents(e, n, section) : whole_extents(e, a),
        part ? arena_format(e->memory, "%s.memory", section) : arena_format(e->memory, "(void *)%s", a->symbol->name));
}

/* ---- Both */

/* The arguments in the order of the call; a picture's range and greatest value, where they are left out. */
static const char *arguments_text(emitter *e, node *call, const char *filed) {
    const file_facts *f = file_call(call);
    text out;
    text_start(&out, e->memory);
    for (size_t c = 1; c < call->count; c++)
        text_format(&out, "%s%s", c > 1 ? ", " : "", c == f->position ? filed : emit_node(e, call->child[c]));
    if (f->kind == FILE_CALL_PGM_SAVE && call->count == 3) text_add(&out, ", DPC_WHOLE_RANGE");
    if (f->kind == FILE_CALL_PGM_SAVE && call->count == 5) text_add(&out, ", 255");
    return text_of(&out);
}

void rewrite_file_call(emitter *e, node *call) {
    const file_facts *f = file_call(call);
    const size_t c = f->position;
    if (!e->serial) {
        replace(e, call,
                arena_format(e->memory, "dpc_%s(%s)", f->name, arguments_text(e, call, emit_node(e, call->child[c]))));
        return;
    }
    e->uses_files = true;
    e->uses_hdf5 = e->uses_hdf5 || f->kind == FILE_CALL_HDF5_SAVE || f->kind == FILE_CALL_HDF5_LOAD;
    const bool section = !files_all(call->child[c]);
    const char *name = arena_format(e->memory, "\1section_%zu", c);
    const char *called = arena_format(e->memory, "dpc_serial_%s(%s)", f->name,
                                      arguments_text(e, call, serial_argument(e, call, c, name)));
    replace(e, call,
            section ? arena_format(e->memory, "({ %s%s; })", serial_section(e, call, c, filed_array(call, c)), called)
                    : called);
}

/* ---- The top of the serial text */

static const char replaced[] =
#include "replaced_text.h"
    ;
static const char npy[] =
#include "npy_text.h"
    ;
static const char picture[] =
#include "picture_text.h"
    ;
static const char serial_files[] =
#include "serial_files_text.h"
    ;
static const char hdf5_files[] =
#include "hdf5_files_text.h"
    ;
static const char serial_hdf5[] =
#include "serial_hdf5_text.h"
    ;

const char *file_helpers(const emitter *e) {
    return arena_format(e->memory, "%s%s%s%s%s%s", replaced, npy, picture, serial_files, e->uses_hdf5 ? hdf5_files : "",
                        e->uses_hdf5 ? serial_hdf5 : "");
}
