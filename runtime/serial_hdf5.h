/* hdf5_save and hdf5_load in a serial program, which has this text in it behind serial_files.h and hdf5_files.h. */
#ifndef DPC_SERIAL_HDF5_H
#define DPC_SERIAL_HDF5_H

static inline dpc_hdf5 dpc_dataset_of(const dpc_filed *x, const char *file, const char *dataset) {
    const dpc_hdf5 h = {file, dataset, x->name, x->kind, x->size, x->rank, x->extent};
    return h;
}

/* All elements, into the dataset or out of it.  By this name dpcc knows an object that needs HDF5. */
__attribute__((noinline)) static bool dpc_hdf5_move(const dpc_filed *x, const dpc_hdf5 *h, const char *path,
                                                    bool writing, char *why) {
    const hid_t type = dpc_hdf5_type(h), file = dpc_hdf5_open(path, writing ? H5F_ACC_RDWR : H5F_ACC_RDONLY);
    const hid_t set = file < 0 ? -1 : H5Dopen2(file, h->dataset, H5P_DEFAULT);
    const herr_t error = set < 0   ? -1
                         : writing ? H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x->memory)
                                   : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x->memory);
    bool good = error >= 0 || dpc_hdf5_failed(why, "HDF5");
    H5Tclose(type);
    if (set >= 0 && H5Dclose(set) < 0 && good) good = dpc_hdf5_failed(why, "HDF5");
    if (file >= 0 && H5Fclose(file) < 0 && good) good = dpc_hdf5_failed(why, "HDF5");
    return good;
}

static inline void dpc_serial_hdf5_save(const char *file, const char *dataset, const dpc_filed *x) {
    const dpc_hdf5 h = dpc_dataset_of(x, file, dataset);
    char why[DPC_HDF5_WHY], text[DPC_HDF5_WHY + 2], *path = dpc_part_of(x, file);
    const dpc_hdf5_silence silence = dpc_hdf5_quiet();
    if (!dpc_hdf5_make(&h, path, why) || !dpc_hdf5_move(x, &h, path, true, why)) {
        remove(path);
        snprintf(text, sizeof text, ": %s", why);
        dpc_fail_file(x, "cannot write ", file, text);
    }
    dpc_hdf5_loud(silence);
    FILE *out = fopen(path, "rb+");
    if (!out) dpc_fail_part(x, file, path);
    dpc_close_part(x, file, path, out);
}

static inline void dpc_serial_hdf5_load(const char *file, const char *dataset, const dpc_filed *x) {
    const dpc_hdf5 h = dpc_dataset_of(x, file, dataset);
    char why[DPC_HDF5_WHY], text[DPC_HDF5_WHY + 2];
    const dpc_hdf5_silence silence = dpc_hdf5_quiet();
    if (!dpc_hdf5_fits(&h, why)) dpc_refuse_file(x, file, why);
    if (!dpc_hdf5_move(x, &h, file, false, why)) {
        snprintf(text, sizeof text, ": %s", why);
        dpc_fail_file(x, "cannot read ", file, text);
    }
    dpc_hdf5_loud(silence);
    if (x->kind == 'b') dpc_npy_normalise(x->memory, dpc_filed_elements(x));
}

#endif
