/* HDF5's files of arrays: what one process does of them.  A serial program has this text in it, behind npy.h.
 * Source: The HDF Group, "HDF5 Reference Manual", release 1.10; _Bool and complex numbers are as h5py has them. */
#ifndef DPC_HDF5_FILES_H
#define DPC_HDF5_FILES_H

#include <errno.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DPC_HDF5_WHY = 400, DPC_HDF5_RANK = 15 };

/* An array and its dataset; kind: NumPy's letter. */
typedef struct {
    const char *file, *dataset, *name;
    char kind;
    int size, rank;
    const long long *extent;
} dpc_hdf5;

/* ---- Errors: HDF5 prints none; the one where it began is said. */

typedef struct {
    H5E_auto2_t print;
    void *data;
} dpc_hdf5_silence;

static inline dpc_hdf5_silence dpc_hdf5_quiet(void) {
    dpc_hdf5_silence s = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &s.print, &s.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return s;
}

static inline void dpc_hdf5_loud(dpc_hdf5_silence s) {
    H5Eset_auto2(H5E_DEFAULT, s.print, s.data);
}

static inline herr_t dpc_hdf5_first(unsigned number, const H5E_error2_t *error, void *text) {
    if (number == 0) snprintf((char *)text, 200, "%s", error->desc);
    return 0;
}

/* "cannot be read: truncated file: ...", into `why`; returns false. */
static inline bool dpc_hdf5_failed(char *why, const char *what) {
    char text[200] = "HDF5 does not say why";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, dpc_hdf5_first, text);
    snprintf(why, DPC_HDF5_WHY, "%s: %s", what, text);
    return false;
}

/* Closes properties; what an error before it has said stays. */
static inline void dpc_hdf5_end_properties(hid_t properties, bool failed) {
    const hid_t errors = failed ? H5Eget_current_stack() : -1;
    H5Pclose(properties);
    if (failed) H5Eset_current_stack(errors);
}

static inline bool dpc_hdf5_name_given(const dpc_hdf5 *x, char *why) {
    if (x->dataset != NULL && x->dataset[strspn(x->dataset, "/")] != '\0') return true;
    snprintf(why, DPC_HDF5_WHY, "cannot have a dataset without a name");
    return false;
}

/* ---- Types */

static inline hid_t dpc_hdf5_bool(void) {
    const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    const signed char no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
}

static inline hid_t dpc_hdf5_number(char kind, int size) {
    if (kind == 'f')
        return H5Tcopy(size == sizeof(float)    ? H5T_NATIVE_FLOAT
                       : size == sizeof(double) ? H5T_NATIVE_DOUBLE
                                                : H5T_NATIVE_LDOUBLE);
    if (kind == 'u')
        return H5Tcopy(size == 1   ? H5T_NATIVE_UINT8
                       : size == 2 ? H5T_NATIVE_UINT16
                       : size == 4 ? H5T_NATIVE_UINT32
                                   : H5T_NATIVE_UINT64);
    return H5Tcopy(size == 1   ? H5T_NATIVE_INT8
                   : size == 2 ? H5T_NATIVE_INT16
                   : size == 4 ? H5T_NATIVE_INT32
                               : H5T_NATIVE_INT64);
}

/* The type of the elements, in memory and in a file that is written. */
static inline hid_t dpc_hdf5_type(const dpc_hdf5 *x) {
    if (x->kind == 'b') return dpc_hdf5_bool();
    if (x->kind != 'c') return dpc_hdf5_number(x->kind, x->size);
    const hid_t part = dpc_hdf5_number('f', x->size / 2), type = H5Tcreate(H5T_COMPOUND, (size_t)x->size);
    H5Tinsert(type, "r", 0, part);
    H5Tinsert(type, "i", (size_t)x->size / 2, part);
    H5Tclose(part);
    return type;
}

/* "f8" as NumPy says it, or a word for what no array has. */
static inline void dpc_hdf5_describe(hid_t type, char *out, size_t room) {
    static const char *const words[] = {"times",      "strings",      "bit fields",        "opaque bytes", "structures",
                                        "references", "enumerations", "lists of elements", "arrays"};
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER || class == H5T_FLOAT)
        snprintf(out, room, "'%c%d'",
                 class == H5T_FLOAT                  ? 'f'
                 : H5Tget_sign(type) == H5T_SGN_NONE ? 'u'
                                                     : 'i',
                 (int)H5Tget_size(type));
    else
        snprintf(out, room, "%s",
                 class >= H5T_TIME && class <= H5T_ARRAY ? words[class - H5T_TIME] : "an unknown type");
}

/* Whether a file's elements are the array's but for the order of their bytes. */
static inline bool dpc_hdf5_type_fits(const dpc_hdf5 *x, hid_t type, char *why) {
    const hid_t own = dpc_hdf5_type(x), native = H5Tget_native_type(type, H5T_DIR_DEFAULT);
    const bool good = native >= 0 && H5Tequal(native, own) > 0 && H5Tget_size(type) == (size_t)x->size;
    char text[40];
    dpc_hdf5_describe(type, text, sizeof text);
    if (!good)
        snprintf(why, DPC_HDF5_WHY, "has elements of type %s in '%.100s', those of '%.60s' are '%c%d'", text,
                 x->dataset, x->name, x->kind, x->size);
    if (native >= 0) H5Tclose(native);
    H5Tclose(own);
    return good;
}

/* ---- Shapes */

static inline bool dpc_hdf5_shape_fits(const dpc_hdf5 *x, hid_t space, char *why) {
    hsize_t found[H5S_MAX_RANK] = {0};
    long long extent[H5S_MAX_RANK];
    char own[512], other[512];
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || H5Sget_simple_extent_type(space) == H5S_NULL) {
        snprintf(why, DPC_HDF5_WHY, "has no elements in '%.100s', not even their shape", x->dataset);
        return false;
    }
    H5Sget_simple_extent_dims(space, found, NULL);
    bool good = rank == x->rank;
    for (int d = 0; d < rank; d++) extent[d] = (long long)found[d];
    for (int d = 0; d < rank && good; d++) good = extent[d] == x->extent[d];
    if (good) return true;
    dpc_npy_shape(own, sizeof own, x->rank, x->extent);
    dpc_npy_shape(other, sizeof other, rank, extent);
    snprintf(why, DPC_HDF5_WHY, "has shape %.100s in '%.100s', '%.60s' has %.100s", other, x->dataset, x->name, own);
    return false;
}

/* ---- Files */

/* Of one process alone; `mode`: H5F_ACC_RDONLY or H5F_ACC_RDWR. */
static inline hid_t dpc_hdf5_open(const char *path, unsigned mode) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0) || H5_VERSION_GE(1, 12, 1)
    H5Pset_file_locking(access, false, true); /* some file systems have no locks */
#endif
    const hid_t file = H5Fopen(path, mode, access);
    dpc_hdf5_end_properties(access, file < 0);
    return file;
}

/* What is at a path.  Unreadable: errno says why. */
typedef enum { DPC_HDF5_ABSENT, DPC_HDF5_UNREADABLE, DPC_HDF5_OTHER, DPC_HDF5_FILE } dpc_hdf5_state;

static inline dpc_hdf5_state dpc_hdf5_look(const char *file) {
    errno = 0;
    FILE *in = fopen(file, "rb");
    if (in == NULL) return errno == ENOENT ? DPC_HDF5_ABSENT : DPC_HDF5_UNREADABLE;
    const bool bad = fgetc(in) == EOF && ferror(in); /* a directory */
    const int kept = errno;
    fclose(in);
    errno = kept;
    return bad ? DPC_HDF5_UNREADABLE : H5Fis_hdf5(file) > 0 ? DPC_HDF5_FILE : DPC_HDF5_OTHER;
}

/* The link of that name, through groups; a group is none that an array may replace. */
static inline bool dpc_hdf5_has(hid_t file, const char *dataset, H5O_type_t *kind) {
    H5O_info_t info;
    if (H5Lexists(file, dataset, H5P_DEFAULT) <= 0 || H5Oget_info_by_name(file, dataset, &info, H5P_DEFAULT) < 0)
        return false;
    *kind = info.type;
    return true;
}

/* Whether the filters are here through which its elements went, if it is compressed. */
static inline bool dpc_hdf5_has_filters(const dpc_hdf5 *x, hid_t set, char *why) {
    const hid_t made = H5Dget_create_plist(set);
    bool good = true;
    for (int k = 0; good && k < H5Pget_nfilters(made); k++) {
        char name[60] = "";
        unsigned flags, config;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(made, (unsigned)k, &flags, &values, NULL, sizeof name, name, &config);
        good = H5Zfilter_avail(filter) > 0;
        if (!good)
            snprintf(why, DPC_HDF5_WHY, "has '%.100s' compressed by a filter that HDF5 lacks here, number %d %s",
                     x->dataset, (int)filter, name);
    }
    H5Pclose(made);
    return good;
}

/* Whether the dataset is in the file as `x` says. */
static inline bool dpc_hdf5_fits(const dpc_hdf5 *x, char *why) {
    H5O_type_t kind = H5O_TYPE_DATASET;
    if (!dpc_hdf5_name_given(x, why)) return false;
    const dpc_hdf5_state state = dpc_hdf5_look(x->file);
    if (state != DPC_HDF5_FILE) {
        snprintf(why, DPC_HDF5_WHY, "%s%s", state == DPC_HDF5_OTHER ? "is no HDF5 file" : "cannot be read: ",
                 state == DPC_HDF5_OTHER ? "" : strerror(errno));
        return false;
    }
    const hid_t file = dpc_hdf5_open(x->file, H5F_ACC_RDONLY);
    if (file < 0) return dpc_hdf5_failed(why, "cannot be read");
    bool good = dpc_hdf5_has(file, x->dataset, &kind);
    if (!good) snprintf(why, DPC_HDF5_WHY, "has no dataset '%.200s'", x->dataset);
    if (good && kind != H5O_TYPE_DATASET) {
        snprintf(why, DPC_HDF5_WHY, "has a group or a type of the name '%.200s', no dataset", x->dataset);
        good = false;
    }
    const hid_t set = good ? H5Dopen2(file, x->dataset, H5P_DEFAULT) : -1;
    if (good && set < 0) good = dpc_hdf5_failed(why, "cannot be read");
    if (set >= 0) {
        const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
        good =
            dpc_hdf5_type_fits(x, type, why) && dpc_hdf5_shape_fits(x, space, why) && dpc_hdf5_has_filters(x, set, why);
        H5Tclose(type);
        H5Sclose(space);
        H5Dclose(set);
    }
    H5Fclose(file);
    return good;
}

/* ---- Writing: a new file at `path`, with what else is in x->file, and the dataset without its elements */

/* Whether there is more in the file than the dataset. */
static inline bool dpc_hdf5_has_others(const dpc_hdf5 *x, hid_t file) {
    H5G_info_t root;
    H5O_info_t info;
    return H5Gget_info(file, &root) < 0 || root.nlinks > 1 || H5Oget_info(file, &info) < 0 || info.num_attrs > 0 ||
           strchr(x->dataset + strspn(x->dataset, "/"), '/') != NULL ||
           (root.nlinks == 1 && H5Lexists(file, x->dataset, H5P_DEFAULT) <= 0);
}

static inline bool dpc_hdf5_copy(const char *from, const char *to, char *why) {
    enum { BYTES = 1 << 20 };
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    char *room = (char *)malloc(BYTES);
    size_t got = 1;
    if (room == NULL) abort();
    while (in != NULL && out != NULL && got > 0) {
        got = fread(room, 1, BYTES, in);
        if (fwrite(room, 1, got, out) != got) break;
    }
    bool good = in != NULL && out != NULL && got == 0 && !ferror(in);
    if (!good) snprintf(why, DPC_HDF5_WHY, "%s", errno != 0 ? strerror(errno) : "no more bytes fit");
    if (out != NULL && fclose(out) != 0 && good) {
        snprintf(why, DPC_HDF5_WHY, "%s", strerror(errno));
        good = false;
    }
    if (in != NULL) fclose(in);
    free(room);
    return good;
}

/* The new file, open; -1: `why` says it. */
static inline hid_t dpc_hdf5_new_file(const dpc_hdf5 *x, const char *path, char *why) {
    const dpc_hdf5_state state = dpc_hdf5_look(x->file);
    bool others = false;
    if (state == DPC_HDF5_UNREADABLE || state == DPC_HDF5_OTHER) {
        snprintf(why, DPC_HDF5_WHY, "%s", state == DPC_HDF5_OTHER ? "what is there is no HDF5 file" : strerror(errno));
        return -1;
    }
    if (state == DPC_HDF5_FILE) {
        const hid_t old = dpc_hdf5_open(x->file, H5F_ACC_RDONLY);
        if (old < 0) return dpc_hdf5_failed(why, "what is there cannot be read"), -1;
        others = dpc_hdf5_has_others(x, old);
        H5Fclose(old);
    }
    errno = 0;
    if (others && !dpc_hdf5_copy(x->file, path, why)) return -1;
    const hid_t file =
        others ? dpc_hdf5_open(path, H5F_ACC_RDWR) : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) {
        if (errno != 0)
            snprintf(why, DPC_HDF5_WHY, "%s", strerror(errno));
        else
            dpc_hdf5_failed(why, "HDF5 makes no file");
    }
    return file;
}

/* Copies the value of an attribute whose type and elements are the same in both files. */
static inline bool dpc_hdf5_copy_value(hid_t from, hid_t to, hid_t type, hid_t space) {
    const hssize_t elements = H5Sget_simple_extent_npoints(space);
    if (elements <= 0) return elements == 0;
    void *value = malloc((size_t)elements * H5Tget_size(type));
    if (value == NULL) abort();
    const bool read = H5Aread(from, type, value) >= 0, good = read && H5Awrite(to, type, value) >= 0;
    if (read && (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0))
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
    free(value);
    return good;
}

/* Gives dataset *target the attribute of that name of `set`, but for references, which lead to places in the old file.
 */
static inline herr_t dpc_hdf5_copy_attribute(hid_t set, const char *name, const H5A_info_t *unused, void *target) {
    const hid_t from = H5Aopen(set, name, H5P_DEFAULT), kept = H5Aget_type(from), space = H5Aget_space(from);
    const hid_t type = H5Tcopy(kept); /* not one that the old file has a name for */
    (void)unused;
    bool good = type >= 0 && space >= 0;
    if (good && H5Tdetect_class(type, H5T_REFERENCE) <= 0) {
        const hid_t to = H5Acreate2(*(hid_t *)target, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        good = to >= 0 && dpc_hdf5_copy_value(from, to, type, space);
        if (to >= 0) H5Aclose(to);
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (kept >= 0) H5Tclose(kept);
    if (from >= 0) H5Aclose(from);
    return good ? 0 : -1;
}

/* The new dataset gets the attributes of the one of its name in x->file, if there is one. */
static inline bool dpc_hdf5_keep_attributes(const dpc_hdf5 *x, hid_t set, char *why) {
    H5O_type_t kind = H5O_TYPE_GROUP;
    bool good = true;
    if (dpc_hdf5_look(x->file) != DPC_HDF5_FILE) return true;
    const hid_t file = dpc_hdf5_open(x->file, H5F_ACC_RDONLY);
    if (file >= 0 && dpc_hdf5_has(file, x->dataset, &kind) && kind == H5O_TYPE_DATASET) {
        const hid_t old = H5Dopen2(file, x->dataset, H5P_DEFAULT);
        good = old >= 0 && H5Aiterate2(old, H5_INDEX_NAME, H5_ITER_INC, NULL, dpc_hdf5_copy_attribute, &set) >= 0;
        if (!good) dpc_hdf5_failed(why, "the attributes of the old dataset cannot be kept");
        if (old >= 0) H5Dclose(old);
    }
    if (file >= 0) H5Fclose(file);
    return good;
}

static inline bool dpc_hdf5_new_dataset(const dpc_hdf5 *x, hid_t file, char *why) {
    hsize_t extent[DPC_HDF5_RANK];
    H5O_type_t kind = H5O_TYPE_DATASET;
    if (dpc_hdf5_has(file, x->dataset, &kind)) {
        if (kind != H5O_TYPE_DATASET) {
            snprintf(why, DPC_HDF5_WHY, "it has a group or a type of the name '%.200s'", x->dataset);
            return false;
        }
        if (H5Ldelete(file, x->dataset, H5P_DEFAULT) < 0) return dpc_hdf5_failed(why, "the old dataset stays");
    }
    for (int d = 0; d < x->rank; d++) extent[d] = (hsize_t)x->extent[d];
    const hid_t type = dpc_hdf5_type(x), space = H5Screate_simple(x->rank, extent, NULL);
    const hid_t link = H5Pcreate(H5P_LINK_CREATE), way = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(link, 1);
    H5Pset_char_encoding(link, H5T_CSET_UTF8);
    H5Pset_alloc_time(way, H5D_ALLOC_TIME_EARLY); /* all its room is in the file before any process writes */
    H5Pset_fill_time(way, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(way, false); /* equal arrays make equal files */
    const hid_t set = H5Dcreate2(file, x->dataset, type, space, link, way, H5P_DEFAULT);
    bool good = set >= 0 || dpc_hdf5_failed(why, "HDF5 makes no dataset");
    good = good && dpc_hdf5_keep_attributes(x, set, why);
    H5Pclose(way);
    H5Pclose(link);
    H5Sclose(space);
    H5Tclose(type);
    if (set >= 0) H5Dclose(set);
    return good;
}

/* False: `why` says it, and what is at `path` is worth nothing. */
static inline bool dpc_hdf5_make(const dpc_hdf5 *x, const char *path, char *why) {
    if (!dpc_hdf5_name_given(x, why)) return false;
    remove(path);
    const hid_t file = dpc_hdf5_new_file(x, path, why);
    if (file < 0) return false;
    const bool good = dpc_hdf5_new_dataset(x, file, why);
    if (H5Fclose(file) < 0 && good) return dpc_hdf5_failed(why, "HDF5 cannot finish the file");
    return good;
}

#endif
