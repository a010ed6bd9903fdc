/* --diagnostics=json: diagnostics for programs, on standard error: each is one line, a JSON object. */
#ifndef DPC_IR_DIAGNOSTIC_JSON_H
#define DPC_IR_DIAGNOSTIC_JSON_H

#include <stdarg.h>

#include "source.h"

/* From now on diagnostics are JSON. A diagnostic is written when the next one begins, and the last at exit. */
void diagnostics_as_json(void);
bool diagnostics_are_json(void);

/* Begins a diagnostic. `severity`: "error" or "warning"; `id`: its name in diagnostics.def, NULL where it has none;
 * where.file NULL or where.line 0: it has no place. */
void json_diagnostic(position where, const char *severity, const char *id, const char *format, va_list arguments);
/* What belongs to it. */
void json_note(position where, const char *format, va_list arguments);
void json_help(const char *format, va_list arguments);

/* What a C compiler wrote to standard error: passed on, in JSON as diagnostics where its lines have the form
 * FILE:LINE:COLUMN: error: TEXT. */
void pass_on_messages(const char *messages);

#endif
