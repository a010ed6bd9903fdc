/* The names of warnings (warnings.def), and which of them are on: as gcc's -W options, whatever their order. */
#ifndef DPC_IR_WARNINGS_H
#define DPC_IR_WARNINGS_H

#include <stdbool.h>

/* W_ERROR: what is no warning. */
typedef enum {
    W_ERROR = -1,
#define WARNING(id, name, group, about) W_##id,
#include "warnings.def"
#undef WARNING
    W_COUNT
} warning_id;

/* What an option that begins with -W means; -w is one, too. NOT_OWN: it is the C compiler's alone; BOTH: the C
 * compiler's, too (-w, -Wall, -Werror and their opposites). */
typedef enum { NOT_OWN, OWN, BOTH } warning_option;
warning_option set_warning_option(const char *word);

bool warning_is_on(warning_id id);
bool warning_is_error(warning_id id);
const char *warning_name(warning_id id);

/* What it is about, for --help; *with_wall: it is on with -Wall only. */
const char *warning_about(warning_id id, bool *with_wall);

#endif
