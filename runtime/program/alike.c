/* What tells mappings apart: a key of words, by which arrays that are mapped alike have one number, and by which an
 * array must be the same on every process. */
#include "program.h"

#include <string.h>

#if DPC_HAS_OTHER_ARRAYS || DPC_USES(dpc_stand_alike)
/* ---- Keys */

/* Words: rank, size, corners and the grid; of a dpc_dim, 3 of a dpc_format, 3 of a dpc_width. */
enum { SIZE_WORD = 1, GRID_WORDS = 3, DIMENSION_WORDS = DPC_DIM_WORDS + 6, MOST_MAPPINGS = 64 };
enum { KEY_WORDS = 5 + DPC_MAX_RANK * (GRID_WORDS + DIMENSION_WORDS) };

typedef struct {
    int64_t number; /* 0: none */
    int words;
    dpc_index word[KEY_WORDS];
} numbered;

static void add_word(numbered *key, dpc_index word) {
    key->word[key->words++] = word;
}

/* Where the array is held, on which part of a grid. */
static void add_places(numbered *key, const dpc_array *a) {
    add_word(key, a->grid->first);
    for (int g = 0; g < a->grid->rank; g++) {
        add_word(key, a->grid->pitch[g]);
        add_word(key, a->held[g]);
    }
}

static numbered mapping_key(const dpc_array *a) {
    numbered key;
    memset(&key, 0, sizeof key);
    add_word(&key, a->rank);
    add_word(&key, a->size);
    add_word(&key, a->corners);
    add_word(&key, a->grid->rank);
    for (int g = 0; g < a->grid->rank; g++) add_word(&key, a->grid->extent[g]);
    for (int k = 0; k < a->rank; k++) {
        dpc_dim_words(&a->dim[k], key.word + key.words);
        key.words += DPC_DIM_WORDS;
        const dpc_index words[] = {a->format[k].kind, a->format[k].block, a->format[k].gap,
                                   a->halo[k].low,    a->halo[k].high,    a->halo[k].cyclic + 2 * a->beside[k]};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) add_word(&key, words[w]);
    }
    if (a->spare || !a->grid->whole) add_places(&key, a);
    return key;
}

/* Ghost cells and gaps decide about local places, too.  Every process finds the same. */
bool dpc_stand_alike(const dpc_array *a, const dpc_array *b) {
    numbered x = mapping_key(a), y = mapping_key(b);
    x.word[SIZE_WORD] = y.word[SIZE_WORD];
    return x.words == y.words && memcmp(x.word, y.word, (size_t)x.words * sizeof *x.word) == 0;
}
#endif

#if DPC_HAS_OTHER_ARRAYS
/* ---- Numbers of mappings: what was found out for one array serves others that are mapped alike */

/* The number of the array's mapping.  Of more mappings than are kept, the one numbered longest ago gets another number
 * when it comes again. */
static int64_t mapping_number(const dpc_array *a) {
    static numbered known[MOST_MAPPINGS];
    static int64_t last;
    numbered key = mapping_key(a);
    for (int k = 0; k < MOST_MAPPINGS; k++)
        if (known[k].words == key.words && memcmp(known[k].word, key.word, (size_t)key.words * sizeof *key.word) == 0)
            return known[k].number;
    key.number = ++last;
    known[last % MOST_MAPPINGS] = key;
    return key.number;
}

#else

/* A program whose arrays are made once: each has a number of its own. */
static int64_t mapping_number(const dpc_array *a) {
    static int64_t last;
    (void)a;
    return ++last;
}
#endif

void dpc_number_mapping(dpc_array *a) {
    a->mapping = mapping_number(a);
    dpc_find_origin(a);
}

#if DPC_HAS_OTHER_ARRAYS
/* ---- An array is made alike on every process */

/* The words of a dimension begin with its lower bound and its extent. */
static bool dimension_differs(const dpc_array *a, int k, const dpc_index *zero, const dpc_index *mine,
                              dpc_message_text *why) {
    static const char *const what[] = {"the lower bound", "the extent"};
    for (int w = 0; w < 2; w++) {
        if (zero[w] == mine[w]) continue;
        snprintf(why->text, sizeof why->text,
                 "%s of dimension %d of array '%s' differs between processes: %lld on process 0, %lld on process %d",
                 what[w], k + 1, a->name, (long long)zero[w], (long long)mine[w], dpc_rank());
        return true;
    }
    return false;
}

static bool mapping_differs(const dpc_array *a, const numbered *zero, const numbered *mine, dpc_message_text *why) {
    if (memcmp(zero, mine, sizeof *zero) == 0) return false;
    snprintf(why->text, sizeof why->text, "the mapping of array '%s' on process %d is another one than on process 0",
             a->name, dpc_rank());
    const dpc_index first = 4 + zero->word[3];
    for (int k = 0; zero->words == mine->words && k < a->rank; k++)
        if (dimension_differs(a, k, zero->word + first + DIMENSION_WORDS * k, mine->word + first + DIMENSION_WORDS * k,
                              why))
            break;
    return true;
}

/* Ends the program where processes have different extents or formats: their sets of elements would not fit together. */
void dpc_check_alike(const dpc_array *a, const char *where) {
    if (dpc_nprocs() == 1) return;
    const numbered mine = mapping_key(a);
    if (dpc_same_everywhere(mine.word, (size_t)mine.words * sizeof *mine.word)) return;
    numbered zero = mine;
    dpc_message_text why;
    MPI_Bcast(&zero, (int)sizeof zero, MPI_BYTE, 0, dpc_communicator);
    dpc_fail_first(where, mapping_differs(a, &zero, &mine, &why), &why);
}
#endif
