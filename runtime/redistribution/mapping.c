/* Mappings: made, and asked where elements and processes are. */
#include "arguments.h"
#include "engine.h"

static dpc_index block_of(const dpc_format *format, dpc_index extent, int procs) {
    if (format->kind == DPC_FORMAT_STAR) return extent > 0 ? extent : 1;
    if (format->block != DPC_CHOSEN) return format->block;
    return extent > 0 ? dpc_ceiling(extent, procs) : 1;
}

/* Dimension k is one that dpc_map can describe. */
static void check_format(const dpc_index *extents, const dpc_format *format, int procs, int k) {
    static const char where[] = "dpc_map";
    const long long extent = extents[k], block = format->block;
    dpc_index held;
    if (extent < 0) dpc_fail(where, "argument 'extents': extent %d is %lld, must not be negative", k + 1, extent);
    if (procs < 1) dpc_fail(where, "argument 'procs': dimension %d has %d processes, must be positive", k + 1, procs);
    if (!DPC_SAYS_ALL(format->kind))
        dpc_fail(where, "argument 'formats': dimension %d is neither DPC_STAR, DPC_BLOCK nor DPC_CYCLIC", k + 1);
    if (format->kind == DPC_FORMAT_STAR && procs != 1)
        dpc_fail(where, "argument 'procs': dimension %d is not divided, but has %d processes", k + 1, procs);
    const bool chosen = format->kind == DPC_FORMAT_BLOCK && format->block == DPC_CHOSEN;
    if (format->kind != DPC_FORMAT_STAR && !chosen && block <= 0)
        dpc_fail(where, "argument 'formats': the block of dimension %d is %lld, must be positive", k + 1, block);
    if (format->kind == DPC_FORMAT_BLOCK && !chosen && !__builtin_mul_overflow(format->block, procs, &held) &&
        held < extents[k])
        dpc_fail(where, "argument 'formats': block(%lld) over %d processes holds %lld elements, but extent %d is %lld",
                 block, procs, (long long)held, k + 1, extent);
}

dpc_mapping dpc_map(int rank, const dpc_index *extents, const dpc_format *formats, const int *procs) {
    dpc_mapping m = {.rank = rank};
    if (rank < 1 || rank > DPC_MAX_RANK)
        dpc_fail("dpc_map", "argument 'rank' is %d, must be 1 to %d", rank, DPC_MAX_RANK);
    dpc_check_given("dpc_map", "extents", extents);
    dpc_check_given("dpc_map", "formats", formats);
    dpc_check_given("dpc_map", "procs", procs);
    for (int k = 0; k < rank; k++) {
        check_format(extents, &formats[k], procs[k], k);
        m.extent[k] = extents[k];
        m.procs[k] = procs[k];
        m.block[k] = block_of(&formats[k], extents[k], procs[k]);
    }
    return m;
}

dpc_index dpc_bounded_block(const dpc_mapping *m, int k) {
    if (m->block[k] <= INT64_MAX / 4 / m->procs[k]) return m->block[k];
    return dpc_maximum(m->first[k] + m->extent[k], DPC_MOST_BLOCK);
}

dpc_line dpc_line_of(const dpc_mapping *m, int k) {
    return (dpc_line){m->extent[k], m->first[k], dpc_bounded_block(m, k), m->procs[k]};
}

dpc_index dpc_mapped_span(const dpc_mapping *m, const dpc_index *at) {
    dpc_index last = 0;
    for (int k = 0; k < m->rank; k++) {
        const dpc_line line = dpc_line_of(m, k);
        if (dpc_line_elements(&line, at[k]) == 0) return 0;
        last += (dpc_line_before(&line, at[k], line.first + line.extent) - 1) * m->stride[k];
    }
    return last + 1;
}

dpc_index dpc_mapped_places(const dpc_mapping *m) {
    dpc_index places = 1;
    for (int k = 0; k < m->rank; k++)
        if (__builtin_mul_overflow(places, m->procs[k], &places)) return INT64_MAX;
    return places;
}

void dpc_place_coordinates(const dpc_mapping *m, dpc_index place, dpc_index *coordinates) {
    for (int k = m->rank - 1; k >= 0; k--) {
        coordinates[k] = place % m->procs[k];
        place /= m->procs[k];
    }
}

int dpc_mapped_process(const dpc_mapping *m, const dpc_index *coordinates) {
    dpc_index place = 0;
    for (int k = 0; k < m->rank; k++) place = place * m->procs[k] + coordinates[k];
    return m->process == NULL ? (int)place : m->process[place];
}

int dpc_mapped_place(const dpc_mapping *m, int process) {
    const dpc_index places = dpc_mapped_places(m);
    if (m->process == NULL) return process < places ? process : -1;
    for (int place = 0; place < places; place++)
        if (m->process[place] == process) return place;
    return -1;
}

dpc_index dpc_extent_at(const dpc_mapping *m, int k, dpc_index coordinate) {
    const dpc_line line = dpc_line_of(m, k);
    return dpc_line_before(&line, coordinate, line.first + line.extent);
}

static dpc_index mapped_extent(const dpc_mapping *m, int k, int process) {
    dpc_index coordinates[DPC_MAX_RANK];
    const int place = dpc_mapped_place(m, process);
    if (place < 0) return 0;
    dpc_place_coordinates(m, place, coordinates);
    return dpc_extent_at(m, k, coordinates[k]);
}

dpc_index dpc_mapped_extent(const dpc_mapping *m, int k, int process) {
    static const char where[] = "dpc_mapped_extent";
    dpc_check_mapping(where, "m", m);
    if (k < 0 || k >= m->rank) dpc_fail(where, "argument 'k' is %d, must be 0 to %d", k, m->rank - 1);
    if (process < 0) dpc_fail(where, "argument 'process' is %d, must not be negative", process);
    return mapped_extent(m, k, process);
}

dpc_index dpc_mapped_elements(const dpc_mapping *m, int process) {
    static const char where[] = "dpc_mapped_elements";
    dpc_index elements = 1;
    dpc_check_mapping(where, "m", m);
    if (process < 0) dpc_fail(where, "argument 'process' is %d, must not be negative", process);
    for (int k = 0; k < m->rank; k++) elements *= mapped_extent(m, k, process);
    return elements;
}
