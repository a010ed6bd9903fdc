/* Names of system headers whose types the standards define, and constants. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

#include "model.h"
#include "types.h"

/* The element type that a C expression has on this machine. */
#define ELEMENT_OF(x)                                                                                                  \
    _Generic((x), _Bool                                                                                                \
             : ELEMENT_BOOL, char                                                                                      \
             : ELEMENT_CHAR, signed char                                                                               \
             : ELEMENT_SIGNED_CHAR, unsigned char                                                                      \
             : ELEMENT_UNSIGNED_CHAR, short                                                                            \
             : ELEMENT_SHORT, unsigned short                                                                           \
             : ELEMENT_UNSIGNED_SHORT, int                                                                             \
             : ELEMENT_INT, unsigned                                                                                   \
             : ELEMENT_UNSIGNED, long                                                                                  \
             : ELEMENT_LONG, unsigned long                                                                             \
             : ELEMENT_UNSIGNED_LONG, long long                                                                        \
             : ELEMENT_LONG_LONG, unsigned long long                                                                   \
             : ELEMENT_UNSIGNED_LONG_LONG, float                                                                       \
             : ELEMENT_FLOAT, double                                                                                   \
             : ELEMENT_DOUBLE, long double                                                                             \
             : ELEMENT_LONG_DOUBLE, default                                                                            \
             : ELEMENTS)
#define TYPE(name) {#name, ELEMENT_OF((name)0)},
#define CONSTANT(name) {#name, ELEMENT_OF(name)},

typedef struct {
    const char *name;
    element element;
} known_name;

static const known_name types[] = {
    TYPE(size_t) TYPE(ssize_t) TYPE(ptrdiff_t) TYPE(wchar_t) TYPE(time_t) TYPE(clock_t) TYPE(off_t) TYPE(int8_t)
        TYPE(int16_t) TYPE(int32_t) TYPE(int64_t) TYPE(uint8_t) TYPE(uint16_t) TYPE(uint32_t) TYPE(uint64_t)
            TYPE(intptr_t) TYPE(uintptr_t) TYPE(intmax_t) TYPE(uintmax_t) TYPE(int_least8_t) TYPE(int_least16_t)
                TYPE(int_least32_t) TYPE(int_least64_t) TYPE(uint_least8_t) TYPE(uint_least16_t) TYPE(uint_least32_t)
                    TYPE(uint_least64_t) TYPE(int_fast8_t) TYPE(int_fast16_t) TYPE(int_fast32_t) TYPE(int_fast64_t)
                        TYPE(uint_fast8_t) TYPE(uint_fast16_t) TYPE(uint_fast32_t)
                            TYPE(uint_fast64_t){"bool", ELEMENT_BOOL},
};

static const known_name constants[] = {
    CONSTANT(CHAR_BIT) CONSTANT(CHAR_MIN) CONSTANT(CHAR_MAX) CONSTANT(SCHAR_MIN) CONSTANT(SCHAR_MAX) CONSTANT(UCHAR_MAX)
        CONSTANT(SHRT_MIN) CONSTANT(SHRT_MAX) CONSTANT(USHRT_MAX) CONSTANT(INT_MIN) CONSTANT(INT_MAX) CONSTANT(UINT_MAX)
            CONSTANT(LONG_MIN) CONSTANT(LONG_MAX) CONSTANT(ULONG_MAX) CONSTANT(LLONG_MIN) CONSTANT(LLONG_MAX)
                CONSTANT(ULLONG_MAX) CONSTANT(INT32_MIN) CONSTANT(INT32_MAX) CONSTANT(UINT32_MAX) CONSTANT(INT64_MIN)
                    CONSTANT(INT64_MAX) CONSTANT(UINT64_MAX) CONSTANT(SIZE_MAX) CONSTANT(PTRDIFF_MAX) CONSTANT(RAND_MAX)
                        CONSTANT(EXIT_SUCCESS) CONSTANT(EXIT_FAILURE) CONSTANT(EOF) CONSTANT(BUFSIZ)
                            CONSTANT(CLOCKS_PER_SEC) CONSTANT(errno) CONSTANT(FLT_MIN) CONSTANT(FLT_MAX)
                                CONSTANT(FLT_EPSILON) CONSTANT(DBL_MIN) CONSTANT(DBL_MAX) CONSTANT(DBL_EPSILON)
                                    CONSTANT(LDBL_MIN) CONSTANT(LDBL_MAX) CONSTANT(LDBL_EPSILON) CONSTANT(DBL_DIG)
                                        CONSTANT(FLT_DIG) CONSTANT(INFINITY) CONSTANT(NAN) CONSTANT(HUGE_VAL)
                                            CONSTANT(HUGE_VALF) CONSTANT(HUGE_VALL) CONSTANT(M_E) CONSTANT(M_LOG2E)
                                                CONSTANT(M_LOG10E) CONSTANT(M_LN2) CONSTANT(M_LN10) CONSTANT(M_PI)
                                                    CONSTANT(M_PI_2) CONSTANT(M_PI_4) CONSTANT(M_1_PI) CONSTANT(M_2_PI)
                                                        CONSTANT(M_2_SQRTPI) CONSTANT(M_SQRT2)
                                                            CONSTANT(M_SQRT1_2){"I", ELEMENT_FLOAT_COMPLEX},
    {"_Complex_I", ELEMENT_FLOAT_COMPLEX},
    {"true", ELEMENT_INT},
    {"false", ELEMENT_INT},
};

static element find(const known_name *names, size_t count, const char *name) {
    for (size_t k = 0; k < count; k++)
        if (!strcmp(names[k].name, name)) return names[k].element;
    return ELEMENTS;
}

element library_type(const char *name) {
    return find(types, sizeof types / sizeof *types, name);
}

element library_constant(const char *name) {
    return find(constants, sizeof constants / sizeof *constants, name);
}

static const struct {
    const char *names;
    element result;
} library_functions[] = {
    {" sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh "
     "pow "
     "hypot fabs floor ceil round trunc rint nearbyint fmod remainder fmin fmax fdim fma copysign erf erfc tgamma "
     "lgamma "
     "ldexp scalbn logb nextafter creal cimag cabs carg atof dpc_wtime ",
     ELEMENT_DOUBLE},
    {" sqrtf cbrtf expf exp2f logf log2f log10f sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf powf hypotf "
     "fabsf "
     "floorf ceilf roundf truncf fmodf fminf fmaxf fmaf crealf cimagf cabsf ",
     ELEMENT_FLOAT},
    {" sqrtl expl logl sinl cosl tanl powl fabsl floorl ceill roundl truncl fmodl fminl fmaxl creall cimagl cabsl ",
     ELEMENT_LONG_DOUBLE},
    {" isnan isinf isfinite isnormal signbit ilogb isalnum isalpha isblank iscntrl isdigit isgraph islower isprint "
     "ispunct isspace "
     "isupper isxdigit toupper tolower strcmp strncmp memcmp atoi dpc_nprocs ",
     ELEMENT_INT},
    {" labs lround lrint atol ", ELEMENT_LONG},
    {" strlen ", ELEMENT_UNSIGNED_LONG},
    {" llabs llround llrint ", ELEMENT_LONG_LONG},
    {" __builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_parity __builtin_parityl "
     "__builtin_parityll "
     "__builtin_clz __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl __builtin_ctzll "
     "__builtin_ffs __builtin_ffsl __builtin_ffsll __builtin_clrsb __builtin_clrsbl __builtin_clrsbll "
     "__builtin_abs INT8_C INT16_C INT32_C UINT8_C UINT16_C ",
     ELEMENT_INT},
    {" __builtin_bswap32 UINT32_C ", ELEMENT_UNSIGNED},
    {" __builtin_expect INT64_C INTMAX_C ", ELEMENT_LONG},
    {" __builtin_bswap64 UINT64_C UINTMAX_C ", ELEMENT_UNSIGNED_LONG},
    {" csqrt cexp clog conj cpow csin ccos CMPLX ", ELEMENT_DOUBLE_COMPLEX},
    {" csqrtf cexpf conjf CMPLXF ", ELEMENT_FLOAT_COMPLEX},
};

element library_function_result(const char *name) {
    for (size_t k = 0; k < sizeof library_functions / sizeof *library_functions; k++)
        if (is_listed(library_functions[k].names, name)) return library_functions[k].result;
    return ELEMENTS;
}

/* ---- Constants */

static element character_element(const char *s) {
    if (s[0] == '\'') return ELEMENT_INT;
    if (s[1] != '\'') return ELEMENTS; /* u8: not in C11 */
    return s[0] == 'L' ? ELEMENT_OF((wchar_t)0) : s[0] == 'u' ? ELEMENT_OF((char16_t)0) : ELEMENT_OF((char32_t)0);
}

/* C11 6.4.4.1: the first type of the list that has the value; only octal and hexadecimal constants without `u` may be
 * either signed or unsigned. */
static element integer_element(const char *s) {
    char *end;
    errno = 0;
    const bool binary = s[0] == '0' && (s[1] == 'b' || s[1] == 'B');
    const unsigned long long value = binary ? strtoull(s + 2, &end, 2) : strtoull(s, &end, 0);
    const bool unsigned_only = strpbrk(end, "uU"), either = s[0] == '0';
    const char *first = strpbrk(end, "lL");
    const int longs = !first ? 0 : first[1] == *first ? 2 : 1;
    if (errno || strspn(end, "uUlL") != strlen(end)) return ELEMENTS;
    static const struct {
        element element;
        int longs;
        unsigned long long limit;
        bool is_unsigned;
    } candidates[] = {
        {ELEMENT_INT, 0, INT_MAX, false},         {ELEMENT_UNSIGNED, 0, UINT_MAX, true},
        {ELEMENT_LONG, 1, LONG_MAX, false},       {ELEMENT_UNSIGNED_LONG, 1, ULONG_MAX, true},
        {ELEMENT_LONG_LONG, 2, LLONG_MAX, false}, {ELEMENT_UNSIGNED_LONG_LONG, 2, ULLONG_MAX, true},
    };
    for (size_t k = 0; k < sizeof candidates / sizeof *candidates; k++) {
        if (candidates[k].longs < longs || candidates[k].limit < value) continue;
        if (candidates[k].is_unsigned ? unsigned_only || either : !unsigned_only) return candidates[k].element;
    }
    return ELEMENTS;
}

/* Of a floating constant: its suffix letters in any order, `i` and `j` for GNU's imaginary numbers. */
static element floating_element(const char *s) {
    const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    const char *c = s + (hexadecimal ? 2 : 0);
    c += strspn(c, hexadecimal ? "0123456789abcdefABCDEF." : "0123456789.");
    if (*c && strchr(hexadecimal ? "pP" : "eE", *c)) {
        c++;
        c += strspn(c, "+-");
        c += strspn(c, "0123456789");
    }
    element e = ELEMENT_DOUBLE;
    bool imaginary = false;
    for (; *c; c++) {
        if (strchr("ijIJ", *c))
            imaginary = true;
        else if (strchr("lL", *c))
            e = ELEMENT_LONG_DOUBLE;
        else if (strchr("fF", *c) && !c[1 + strspn(c + 1, "ijIJ")])
            e = ELEMENT_FLOAT;
        else
            return ELEMENTS;
    }
    return imaginary ? element_complex(e) : e;
}

element constant_element(const char *s) {
    if (strchr(s, '\'') && (s[0] == '\'' || strchr("LuU", s[0]))) return character_element(s);
    const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    const bool floating = strchr(s, '.') || strpbrk(s, hexadecimal ? "pP" : "eE");
    return floating ? floating_element(s) : integer_element(s);
}
