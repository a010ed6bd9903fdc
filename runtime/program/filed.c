/* An array as it lies in a file.  The argument is remapped, as that of a function is, so that one dimension of the file
 * is divided in blocks: then each process has few long parts of the file, whatever the array's mapping is. */
#include "filed.h"

#include <string.h>

/* ---- Shapes */

static char kind_of(dpc_type type) {
    switch (type) {
    case DPC_BOOL:
        return 'b';
    case DPC_CHAR:
        return (char)-1 < 0 ? 'i' : 'u';
    case DPC_UNSIGNED_CHAR:
    case DPC_UNSIGNED_SHORT:
    case DPC_UNSIGNED:
    case DPC_UNSIGNED_LONG:
    case DPC_UNSIGNED_LONG_LONG:
    case DPC_UNSIGNED_INT128:
        return 'u';
    case DPC_FLOAT:
    case DPC_DOUBLE:
    case DPC_LONG_DOUBLE:
        return 'f';
    case DPC_FLOAT_COMPLEX:
    case DPC_DOUBLE_COMPLEX:
    case DPC_LONG_DOUBLE_COMPLEX:
        return 'c';
    default:
        return 'i';
    }
}

dpc_shape_in_file dpc_shape_of(const dpc_argument *g) {
    const dpc_array *a = g->array;
    dpc_shape_in_file x = {g->where, a->name, a->type, kind_of(a->type), (int)a->size, 0, {0}};
    dpc_begin_uncompared(g->where);
    if ((int)a->type >= (int)DPC_TYPES || a->type == DPC_INT128 || a->type == DPC_UNSIGNED_INT128)
        dpc_fail(g->where, "no file has elements of the type of '%s'", a->name);
    for (int k = 0; k < a->rank; k++) {
        const dpc_triplet *t = g->section == NULL ? NULL : &g->section[k];
        if (t != NULL && t->stride == INT64_MIN) continue; /* DPC_AT */
        x.extent[x.rank++] = t == NULL ? a->dim[k].extent : dpc_extent(g->where, t->lower, t->upper, t->stride);
    }
    return x;
}

dpc_index dpc_elements_in_file(const dpc_shape_in_file *x) {
    dpc_index elements = 1;
    for (int k = 0; k < x->rank; k++) elements *= x->extent[k];
    return elements;
}

/* ---- The mapping */

/* The first dimension of the file with as many elements as there are processes; else the longest. */
static int dimension_to_divide(const dpc_filed *x) {
    int longest = 0;
    for (int k = 0; k < x->shape.rank; k++) {
        const long long extent = x->shape.extent[x->order[k]];
        if (extent >= dpc_nprocs()) return k;
        if (extent > x->shape.extent[x->order[longest]]) longest = k;
    }
    return longest;
}

/* A whole array keeps its lower bounds. */
static void set_bounds(const dpc_filed *x, const dpc_argument *g, dpc_bounds *bounds) {
    if (g->section == NULL) {
        dpc_bounds_of(g->array, bounds);
        return;
    }
    for (int k = 0; k < x->shape.rank; k++) bounds[k] = (dpc_bounds){0, x->shape.extent[k] - 1};
}

/* Of this process, which owns nothing where one extent is 0. */
static void find_part(dpc_filed *x) {
    const dpc_array *a = x->array;
    x->elements = x->run = 1;
    x->dense = true;
    for (int k = x->shape.rank - 1; k >= 0; k--) {
        const int d = x->order[k];
        x->local[k] = a->extent[d];
        x->dense = x->dense && a->stride[d] == x->elements;
        x->elements *= x->local[k];
        if (k >= x->divided) x->run *= x->local[k];
    }
}

void dpc_begin_filed(dpc_filed *x, const dpc_argument *g, bool columns, bool stores) {
    dpc_format formats[DPC_MAX_RANK];
    dpc_bounds bounds[DPC_MAX_RANK];
    *x = (dpc_filed){.shape = dpc_shape_of(g), .parameter = {.argument = g, .changed = stores}};
    const int rank = x->shape.rank;
    for (int k = 0; k < rank; k++) x->order[k] = columns ? rank - 1 - k : k;
    x->divided = dimension_to_divide(x);
    for (int k = 0; k < rank; k++) formats[x->order[k]] = k == x->divided ? DPC_BLOCK : DPC_STAR;
    set_bounds(x, g, bounds);
    x->array = dpc_receive(&x->parameter, g->where, x->shape.name, x->shape.type, rank, bounds, formats, NULL);
    find_part(x);
}

void dpc_end_filed(dpc_filed *x) {
    if (x->parameter.changed) dpc_changed(x->array);
    dpc_give_back(&x->parameter);
}

/* ---- Its pieces */

dpc_index dpc_next_filed(const dpc_filed *x, dpc_index first, dpc_index most, dpc_index *place) {
    const int d = x->order[x->divided];
    const dpc_index before = first / x->run, within = first % x->run, inner = x->run / x->local[x->divided];
    const dpc_index begin = x->array->first[d] - x->array->dim[d].lower;
    *place = (before * x->array->dim[d].extent + begin) * inner + within;
    return dpc_minimum(most, x->run - within);
}

/* Elements from number `first` on that stand in one row; count: at most so many.  Returns how many were copied. */
static dpc_index copy_row(const dpc_filed *x, dpc_index first, dpc_index count, char *memory, bool out) {
    const dpc_array *a = x->array;
    const int last = x->shape.rank - 1;
    const dpc_index size = a->size, stride = a->stride[x->order[last]];
    dpc_index offset = 0, rest = first;
    count = dpc_minimum(count, x->local[last] - first % x->local[last]);
    for (int k = last; k >= 0; rest /= x->local[k], k--) offset += rest % x->local[k] * a->stride[x->order[k]];
    char *element = (char *)a->local + offset * size;
    if (stride == 1) {
        memcpy(out ? element : memory, out ? memory : element, (size_t)(count * size));
        return count;
    }
    for (dpc_index k = 0; k < count; k++, element += stride * size, memory += size)
        memcpy(out ? element : memory, out ? memory : element, (size_t)size);
    return count;
}

void dpc_copy_filed(const dpc_filed *x, dpc_index first, dpc_index count, char *memory, bool out) {
    while (count > 0) {
        const dpc_index copied = copy_row(x, first, count, memory, out);
        first += copied;
        count -= copied;
        memory += copied * x->array->size;
    }
}
