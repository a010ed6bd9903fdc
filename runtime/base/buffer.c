/* Memory that ends the program when there is none left. */
#include "base.h"

#include <string.h>

/* Bytes of the buffer, at least one; -1 when the product overflows. */
static dpc_index buffer_bytes(dpc_index count, dpc_index size) {
    dpc_index bytes;
    if (count < 0 || __builtin_mul_overflow(count, size, &bytes)) return -1;
    return bytes > 0 ? bytes : 1;
}

static _Noreturn void fail_memory(dpc_index bytes) {
    if (dpc_subject != NULL)
        dpc_fail(dpc_statement, "out of memory: values of array '%s' need %lld bytes on process %d", dpc_subject,
                 (long long)bytes, dpc_running() ? dpc_rank() : 0);
    dpc_fail(dpc_statement, "out of memory: %lld bytes are needed on process %d", (long long)bytes,
             dpc_running() ? dpc_rank() : 0);
}

#ifdef DPC_STANDALONE
DPC_STEADY void *dpc_raw_buffer(dpc_index count, dpc_index size) {
    const dpc_index bytes = buffer_bytes(count, size);
    void *buffer = bytes < 0 ? NULL : malloc((size_t)bytes);
    if (buffer == NULL) fail_memory(bytes < 0 ? INT64_MAX : bytes);
    return buffer;
}

void *dpc_buffer(dpc_index count, dpc_index size) {
    void *buffer = dpc_raw_buffer(count, size);
    return memset(buffer, 0, (size_t)(count * size));
}

DPC_STEADY void dpc_free_buffer(void *buffer) {
    free(buffer);
}
#else

/* Buffers not yet freed. */
static dpc_index live_buffers;

static void *counted(void *memory, dpc_index count, dpc_index size) {
    dpc_index bytes;
    if (memory == NULL) fail_memory(__builtin_mul_overflow(count, size, &bytes) ? INT64_MAX : bytes);
    live_buffers++;
    dpc_add_count(DPC_COUNT_allocations, 1);
    return memory;
}

void *dpc_new_memory(dpc_index count, dpc_index size) {
    const dpc_index bytes = buffer_bytes(count, size);
    return counted(bytes < 0 ? NULL : malloc((size_t)bytes), count, size);
}

void dpc_free_memory(void *memory) {
    if (memory == NULL) return;
    live_buffers--;
    free(memory);
}

DPC_STEADY void *dpc_raw_buffer(dpc_index count, dpc_index size) {
    return dpc_take_staging(count, size);
}

void *dpc_buffer(dpc_index count, dpc_index size) {
    void *buffer = dpc_take_staging(count, size);
    return memset(buffer, 0, (size_t)(count * size));
}

DPC_STEADY void dpc_free_buffer(void *buffer) {
    dpc_give_staging(buffer);
}

void dpc_check_buffers(void) {
#ifdef DPC_DEBUG
    char text[100];
    if (live_buffers == 0) return;
    const int length = snprintf(text, sizeof text, "libdpc: %lld buffers of process %d are still alive\n",
                                (long long)live_buffers, dpc_rank());
    dpc_print_error(text, (size_t)length);
#endif
}
#endif
