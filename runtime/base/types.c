/* Types of elements: what MPI calls them, and their sizes. */
#include "base.h"

MPI_Datatype dpc_mpi_type(dpc_type type) {
#define DPC_MPI_TYPE(enumerator, ctype, mpi) mpi,
    const MPI_Datatype types[] = {DPC_ELEMENT_TYPES(DPC_MPI_TYPE)};
    return type < DPC_TYPES ? types[type] : MPI_DATATYPE_NULL;
}

dpc_index dpc_type_size(dpc_type type) {
    static const dpc_index sizes[] = {
#define DPC_SIZE(enumerator, ctype, mpi) sizeof(ctype),
        DPC_ELEMENT_TYPES(DPC_SIZE)};
    return type < DPC_TYPES ? sizes[type] : (dpc_index)type - (dpc_index)DPC_TYPES;
}
