/* --standalone: a program and the parts of libdpc that it uses in one C file. */
#ifndef DPC_STANDALONE_STANDALONE_H
#define DPC_STANDALONE_STANDALONE_H

#include "../ir/arena.h"

/* The C text of a program, with the parts of the library that it reaches: declarations at the place of its
 * #include <dpc.h>, the rest behind it.  `folder` has the library's sources.  NULL where they cannot be read. */
const char *standalone_text(arena *a, const char *program, const char *folder);

#endif
