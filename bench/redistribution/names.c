/* The names of the engine's methods, one a line. */
#include "../../runtime/redistribution.h"

int main(void) {
    for (int k = 1; dpc_method_name(k); k++) printf("%s\n", dpc_method_name(k));
    return 0;
}
