/* Command lines as lists of words. */
#include <string.h>
#include <unistd.h>

#include "driver.h"

void words_start(words *w, arena *a) {
    *w = (words){.memory = a};
}

void words_add(words *w, const char *word) {
    vector_add(w->memory, w->item, w->count, w->capacity, word);
    vector_add(w->memory, w->item, w->count, w->capacity, NULL);
    w->count--;
}

void words_add_all(words *w, const words *more) {
    for (size_t i = 0; i < more->count; i++) words_add(w, more->item[i]);
}

void words_split(words *w, const char *line) {
    static const char blanks[] = " \t\n";
    if (strchr(line, '/') && access(line, X_OK) == 0) {
        words_add(w, line);
        return;
    }
    for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
        size_t length = strcspn(line, blanks);
        words_add(w, arena_text(w->memory, line, length));
        line += length;
    }
}
