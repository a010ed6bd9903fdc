/* Words that were meant by others: the nearest name of a file. */
#include <dirent.h>
#include <string.h>

#include "driver.h"

size_t word_distance(const char *a, const char *b) {
    size_t row[33], width = strlen(b);
    if (width > 32 || strlen(a) > 32) return width;
    for (size_t j = 0; j <= width; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[width];
}

const char *nearest_file(arena *a, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *nearest = NULL;
    const char *folder = slash ? arena_text(a, path, (size_t)(name - path)) : "";
    size_t least = strlen(name) > 4 ? 3 : 2;
    DIR *directory = opendir(slash ? folder : ".");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const size_t distance = word_distance(name, entry->d_name);
        if (entry->d_name[0] == '.' || distance >= least) continue;
        least = distance;
        nearest = arena_format(a, "%s%s", folder, entry->d_name);
    }
    if (directory) closedir(directory);
    return nearest;
}
