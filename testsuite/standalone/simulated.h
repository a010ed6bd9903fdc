/* For programs of dpcc --standalone that SimGrid runs, whose processes share one C library: the streams are process
 * 0's, environment variables are not looked at. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((format(printf, 1, 2))) static int program_prints(const char *format, ...) {
    int rank, length = 0;
    va_list arguments;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    va_start(arguments, format);
    if (rank == 0) length = vprintf(format, arguments);
    va_end(arguments);
    return length;
}
static char **program_variables(void) {
    static char *none[1];
    return none;
}
#define environ program_variables()
#define printf(...) program_prints(__VA_ARGS__)
#define freopen(path, mode, stream) (stdout)
