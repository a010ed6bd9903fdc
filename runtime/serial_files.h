/* npy_save and its like in a serial program, which has this text in it behind replaced.h, npy.h and picture.h. */
#ifndef DPC_SERIAL_FILES_H
#define DPC_SERIAL_FILES_H

int fileno(FILE *);
int fsync(int);

/* An array, or a section's copy. */
typedef struct {
    const char *where, *name;
    char kind;
    int size, rank;
    long long extent[15];
    char *memory;
} dpc_filed;

__attribute__((noreturn)) static inline void dpc_fail_file(const dpc_filed *x, const char *before, const char *file,
                                                           const char *why) {
    fflush(stdout);
    fprintf(stderr, "%s: error: %s'%s'%s\n", x->where, before, file, why);
    exit(1);
}

static inline long long dpc_filed_elements(const dpc_filed *x) {
    long long elements = 1;
    for (int d = 0; d < x->rank; d++) elements *= x->extent[d];
    return elements;
}

/* ---- Writing: FILE.part gets the file's name when it is complete. */

static inline void dpc_fail_part(const dpc_filed *x, const char *file, char *path) {
    const char *why = errno ? strerror(errno) : "no more bytes fit";
    char text[300];
    snprintf(text, sizeof text, ": %s", why);
    remove(path);
    dpc_fail_file(x, "cannot write ", file, text);
}

static inline char *dpc_part_of(const dpc_filed *x, const char *file) {
    const char *why = dpc_irreplaceable(file);
    char text[300], *target = dpc_file_behind(file);
    if (why) {
        snprintf(text, sizeof text, ": %s", why);
        dpc_fail_file(x, "cannot write ", file, text);
    }
    const char *name = target ? target : file;
    char *path = (char *)malloc(strlen(name) + 6);
    if (!path) abort();
    sprintf(path, "%s.part", name);
    free(target);
    return path;
}

static inline FILE *dpc_open_part(const dpc_filed *x, const char *file, char **path) {
    *path = dpc_part_of(x, file);
    remove(*path);
    errno = 0;
    FILE *out = fopen(*path, "wb");
    if (!out) dpc_fail_part(x, file, *path);
    return out;
}

static inline void dpc_close_part(const dpc_filed *x, const char *file, char *path, FILE *out) {
    const int bad = ferror(out) || fflush(out) != 0 || fsync(fileno(out)) != 0;
    const int kept = errno;
    if (fclose(out) != 0 || bad) {
        if (bad) errno = kept;
        dpc_fail_part(x, file, path);
    }
    const size_t length = strlen(path) - strlen(".part");
    char *target = (char *)malloc(length + 1);
    if (!target) abort();
    memcpy(target, path, length);
    target[length] = '\0';
    const mode_t usual = dpc_permissions(path, 0666);
    if (chmod(path, dpc_permissions(target, usual)) != 0 || rename(path, target) != 0) dpc_fail_part(x, file, path);
    free(target);
    free(path);
}

static inline void dpc_serial_npy_save(const char *file, const dpc_filed *x) {
    char header[DPC_NPY_ROOM], *path;
    FILE *out = dpc_open_part(x, file, &path);
    fwrite(header, 1, (size_t)dpc_npy_header(header, x->kind, x->size, x->rank, x->extent), out);
    fwrite(x->memory, (size_t)x->size, (size_t)dpc_filed_elements(x), out);
    dpc_close_part(x, file, path, out);
}

static inline double dpc_number_at(const dpc_filed *x, long long k) {
    const char *at = x->memory + k * x->size;
    union {
        signed char i1;
        unsigned char u1;
        short i2;
        unsigned short u2;
        int i4;
        unsigned u4;
        long long i8;
        unsigned long long u8;
        float f4;
        double f8;
        long double f16;
    } v;
    memcpy(&v, at, (size_t)x->size);
    if (x->kind == 'f') return x->size == 4 ? (double)v.f4 : x->size == 8 ? v.f8 : (double)v.f16;
    if (x->kind == 'i') return x->size == 1 ? v.i1 : x->size == 2 ? v.i2 : x->size == 4 ? v.i4 : (double)v.i8;
    return x->size == 1 ? v.u1 : x->size == 2 ? v.u2 : x->size == 4 ? v.u4 : (double)v.u8;
}

static inline void dpc_serial_pgm_save(const char *file, const dpc_filed *x, double black, double white,
                                       long greatest) {
    const long long elements = dpc_filed_elements(x);
    char header[64], *path;
    if (!(greatest == 0 && black == 0 && white == 0) && (greatest < 1 || greatest > 65535)) {
        fprintf(stderr, "%s: error: the greatest gray value is %ld; a picture's is between 1 and 65535\n", x->where,
                greatest);
        exit(1);
    }
    if (elements == 0) dpc_fail_file(x, "", x->name, " has no elements for a picture");
    dpc_grays g = dpc_grays_of(x->kind, x->size, black, white, (int)greatest);
    if (!g.known) {
        double low = 0, high = 0;
        int any = 0;
        for (long long k = 0; k < elements; k++) {
            const double value = dpc_number_at(x, k);
            if (value != value) continue;
            if (!any || value < low) low = value;
            if (!any || value > high) high = value;
            any = 1;
        }
        g.black = low;
        g.white = high;
    }
    FILE *out = dpc_open_part(x, file, &path);
    fwrite(header, 1, (size_t)dpc_picture_header(header, x->extent[0], x->extent[1], g.greatest), out);
    for (long long k = 0; k < elements; k++) {
        unsigned char gray[2], *end = dpc_put_gray(gray, &g, dpc_number_at(x, k));
        fwrite(gray, 1, (size_t)(end - gray), out);
    }
    dpc_close_part(x, file, path, out);
}

/* ---- Reading */

static inline void dpc_refuse_file(const dpc_filed *x, const char *file, const char *why) {
    char text[DPC_NPY_WHY + 2];
    snprintf(text, sizeof text, " %s", why);
    dpc_fail_file(x, "", file, text);
}

/* Elements with the first index fastest, one by one. */
static inline void dpc_read_columns(const dpc_filed *x, FILE *in) {
    long long index[15] = {0};
    const long long elements = dpc_filed_elements(x);
    for (long long k = 0; k < elements; k++) {
        long long at = 0;
        for (int d = 0; d < x->rank; d++) at = at * x->extent[d] + index[d];
        if (fread(x->memory + at * x->size, (size_t)x->size, 1, in) != 1) return;
        for (int d = 0; d < x->rank && ++index[d] == x->extent[d]; d++) index[d] = 0;
    }
}

static inline void dpc_serial_npy_load(const char *file, const dpc_filed *x) {
    char start[12], why[DPC_NPY_WHY];
    long long bytes = 0, size;
    dpc_npy n;
    FILE *in = fopen(file, "rb");
    const size_t got = in ? fread(start, 1, sizeof start, in) : 0;
    if (!in || ferror(in) || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0) {
        snprintf(why, sizeof why, "cannot be read: %s", strerror(errno));
        dpc_refuse_file(x, file, why);
    }
    const int before = dpc_npy_start(start, got, &bytes, why);
    if (before == 0) dpc_refuse_file(x, file, why);
    char *text = (char *)malloc((size_t)bytes + 1);
    if (!text) abort();
    if (fseek(in, before, SEEK_SET) != 0 || fread(text, 1, (size_t)bytes, in) != (size_t)bytes)
        dpc_refuse_file(x, file, "ends within its header");
    if (!dpc_npy_read(&n, text, bytes, before, size, why) ||
        !dpc_npy_fits(&n, x->kind, x->size, x->rank, x->extent, x->name, why))
        dpc_refuse_file(x, file, why);
    free(text);
    if (n.columns && n.rank > 1)
        dpc_read_columns(x, in);
    else if (fread(x->memory, (size_t)x->size, (size_t)dpc_filed_elements(x), in) != (size_t)dpc_filed_elements(x))
        dpc_refuse_file(x, file, "has become shorter");
    if (ferror(in)) dpc_refuse_file(x, file, "cannot be read");
    fclose(in);
    if (n.swapped) dpc_npy_swap(x->memory, dpc_filed_elements(x), x->kind, x->size);
    if (x->kind == 'b') dpc_npy_normalise(x->memory, dpc_filed_elements(x));
}

#endif
