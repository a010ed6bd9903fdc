/* One process's index lists among very many: the pure functions, without MPI, to be run under callgrind, which counts
 * what they execute.
 *     index METHOD EXTENT SOURCE_BLOCK SOURCES TARGET_BLOCK TARGETS PROCESS
 * Prints the partners, stretches, index operations and bytes of the lists. */
#include "../../runtime/redistribution/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    dpc_index_method *shares;
    dpc_index_refusal *refuses;
} methods[] = {{"walk", dpc_walk_shares, NULL},
               {"families", dpc_families_shares, dpc_whole_refuses},
               {"scan", dpc_scan_shares, dpc_scan_refuses},
               {"pitfalls", dpc_pitfalls_shares, dpc_whole_refuses},
               {"bbc", dpc_bbc_shares, dpc_whole_refuses},
               {"cdc", dpc_cdc_shares, dpc_whole_refuses}};

int main(int argc, char **argv) {
    if (argc != 8) return 2;
    const dpc_line from = {atoll(argv[2]), 0, atoll(argv[3]), atoll(argv[4])};
    const dpc_line to = {atoll(argv[2]), 0, atoll(argv[5]), atoll(argv[6])};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        if (strcmp(methods[k].name, argv[1]) != 0) continue;
        if (methods[k].refuses && methods[k].refuses(&from, &to)) return 1;
        dpc_shares s = methods[k].shares(&from, atoll(argv[7]), &to);
        dpc_index stretches = 0;
        for (dpc_index j = 0; j < s.count; j++) stretches += s.share[j].stretches;
        printf("%lld %lld %lld %lld\n", (long long)s.count, (long long)stretches, (long long)s.steps,
               (long long)dpc_shares_bytes(&s));
        dpc_free_shares(&s);
        return 0;
    }
    return 2;
}
