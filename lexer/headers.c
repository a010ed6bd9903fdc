/* Names of C's library that are often used without their header. */
#include <string.h>

#include "lexer.h"

/* Of each header the first name stands in it whatever standard is asked for; its types and the words of declarations
 * have a list of their own. */
static const struct {
    const char *header, *names, *types;
} headers[] = {
    {"stdio.h",
     " printf fprintf sprintf snprintf scanf fscanf sscanf puts fputs fgets putchar getchar fopen fclose fread "
     "fwrite fflush perror getline getc putc remove rename fseek ftell rewind feof ferror stdin stdout stderr "
     "EOF BUFSIZ SEEK_SET SEEK_END ",
     " FILE fpos_t "},
    {"mpi.h",
     " MPI_Init MPI_Finalize MPI_Comm_rank MPI_Comm_size MPI_Send MPI_Recv MPI_Bcast MPI_Reduce MPI_Allreduce "
     "MPI_Barrier MPI_Wtime MPI_COMM_WORLD MPI_COMM_NULL MPI_DOUBLE MPI_INT MPI_SUM MPI_IN_PLACE ",
     " MPI_Comm MPI_Status MPI_Request MPI_Datatype MPI_Op MPI_Win MPI_File "},
    {"omp.h", " omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime omp_set_num_threads ",
     " omp_lock_t "},
    {"stdlib.h",
     " malloc calloc realloc free exit abort atexit atoi atol atof atoll strtol strtoul strtoll strtod "
     "rand srand random srandom drand48 srand48 qsort bsearch getenv system labs llabs "
     "EXIT_SUCCESS EXIT_FAILURE RAND_MAX ",
     " div_t ldiv_t "},
    {"string.h",
     " memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strncpy strcat strncat strchr "
     "strrchr strstr strdup strndup strtok strerror strspn strcspn strpbrk ",
     " "},
    {"strings.h", " strcasecmp strncasecmp ", " "},
    {"math.h",
     " sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt "
     "hypot fabs floor ceil round lround rint trunc fmod fmin fmax isnan isinf isfinite signbit copysign fma "
     "nextafter sqrtf fabsf sinf cosf expf M_PI M_E M_LN2 M_LN10 M_LOG2E M_LOG10E M_PI_2 M_PI_4 M_1_PI M_2_PI "
     "M_2_SQRTPI M_SQRT2 M_SQRT1_2 INFINITY NAN HUGE_VAL HUGE_VALF FP_NAN FP_INFINITE FP_ZERO FP_NORMAL DOMAIN SING "
     "OVERFLOW UNDERFLOW ",
     " "},
    {"limits.h",
     " INT_MAX INT_MIN LONG_MAX LONG_MIN UINT_MAX CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX SHRT_MAX "
     "SHRT_MIN USHRT_MAX MB_LEN_MAX PATH_MAX NAME_MAX ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX ",
     " "},
    {"float.h",
     " DBL_MAX DBL_MIN DBL_EPSILON DBL_DIG DBL_MANT_DIG DBL_MAX_EXP DBL_MIN_EXP FLT_MAX FLT_MIN FLT_EPSILON FLT_DIG "
     "FLT_MANT_DIG FLT_RADIX LDBL_MAX LDBL_MIN LDBL_EPSILON LDBL_DIG LDBL_MANT_DIG LDBL_MAX_EXP LDBL_MIN_EXP "
     "DECIMAL_DIG ",
     " "},
    {"stddef.h", " offsetof NULL ", " max_align_t ptrdiff_t size_t wchar_t "},
    {"stdint.h",
     " INT32_MAX INT8_MAX INT8_MIN INT16_MAX INT16_MIN INT32_MIN INT64_MAX INT64_MIN UINT8_MAX UINT16_MAX UINT32_MAX "
     "UINT64_MAX SIZE_MAX PTRDIFF_MAX INTPTR_MAX UINTPTR_MAX INT64_C UINT64_C ",
     " uint16_t int8_t int16_t int32_t int64_t uint8_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t "},
    {"inttypes.h", " PRId64 PRIu64 PRIx64 PRId32 PRIu32 SCNd64 SCNu64 ", " "},
    {"stdbool.h", " true false ", " bool "},
    {"time.h", " time clock CLOCKS_PER_SEC ", " time_t clock_t "},
    {"assert.h", " assert ", " static_assert "},
    {"errno.h", " errno EINTR ENOENT ", " "},
    {"ctype.h", " isdigit isalpha isalnum isspace isupper islower toupper tolower ", " "},
    {"complex.h", " creal cimag cabs carg conj cexp csqrt I ", " complex "},
    {"stdarg.h", " va_start va_arg va_end ", " va_list "},
    {"stdalign.h", " alignof ", " alignas "},
    {"stdnoreturn.h", " ", " noreturn "},
    {"threads.h", " ", " thread_local "},
    {"signal.h", " raise SIGINT SIGTERM ", " sig_atomic_t "},
    {"unistd.h", " sleep usleep getpid ", " "},
    {"sys/types.h", " ", " ssize_t off_t "},
};

static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list + 1; *at; at += strcspn(at, " ") + 1)
        if (strcspn(at, " ") == length && !strncmp(at, word, length)) return true;
    return false;
}

const char *header_of(arena *a, const char *name, const char **known) {
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        const bool is_type = has_word(headers[k].types, name);
        if (!is_type && !has_word(headers[k].names, name)) continue;
        const char *first = is_type ? headers[k].types + 1 : headers[k].names + 1;
        *known = arena_text(a, first, strcspn(first, " "));
        return headers[k].header;
    }
    return NULL;
}

const char *header_of_type(const char *name) {
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        if (has_word(headers[k].types, name)) return headers[k].header;
    return NULL;
}

/* The headers that dpc.h includes. */
static bool is_included(const char *header) {
    return has_word(" stdio.h stdlib.h string.h math.h limits.h float.h stddef.h stdint.h stdbool.h time.h ", header);
}

bool is_library_macro(const char *name) {
    if (has_word(" bool true false ", name)) return true;
    const bool capitals = name[0] >= 'A' && name[0] <= 'Z' && name[1] && !strpbrk(name, "abcdefghijklmnopqrstuvwxyz");
    for (size_t k = 0; capitals && k < sizeof headers / sizeof *headers; k++)
        if (is_included(headers[k].header) && has_word(headers[k].names, name)) return true;
    return false;
}

const char *closest_library_name(arena *a, const char *name, size_t distance) {
    const char *best = NULL;
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        for (const char *at = headers[k].names + 1; *at; at += strcspn(at, " ") + 1) {
            const char *word = arena_text(a, at, strcspn(at, " "));
            const size_t apart = spelling_distance(name, word);
            if (apart == 0 || apart >= distance) continue;
            best = word;
            distance = apart;
        }
    return best;
}
