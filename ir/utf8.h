/* Texts of sources in other encodings, for what is written in UTF-8: JSON, pages. */
#ifndef DPC_IR_UTF8_H
#define DPC_IR_UTF8_H

#include "arena.h"

/* The text in UTF-8: its bytes that are none stand for the characters that ISO 8859-1 has there. */
const char *as_utf8(arena *a, const char *other);

#endif
