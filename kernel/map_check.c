/* map_check.c - the errors of mapping rows. */
#include "kernel/map_parts.h"

int map_check(int64_t bad, int64_t rows, struct error *e) {
    if (bad == MAP_STOPPED)
        return error_time(
            e,
            "the time limit came while the examples were mapped, so there is no model; raise -t");
    if (bad == MAP_UNWRITTEN)
        return error_set(e, "the mapped examples cannot be written to a file; raise --memory");
    if (bad < 0)
        return error_memory(e, "kernel values", MAP_BLOCK, sizeof(double));
    return bad == rows ? 0
                       : error_set(e, "the kernel values of example %lld are not all finite",
                                   (long long)bad + 1);
}
