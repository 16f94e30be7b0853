/* mapped_rows.c - rows of phi, and what there may be in their place. */
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"

int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *room) {
    if (map_rows(map, data, from, to, phi, room) == 0)
        return to;
    while (from + 1 < to && map_rows(map, data, from, from + 1, phi, room) == 0)
        from++;
    return from;
}

int mapped_check(int64_t bad, int64_t rows, struct error *e) {
    if (bad == MAPPED_STOPPED)
        return error_set(
            e, "the time limit (-t) came while the examples were mapped; no model is written; "
               "raise -t");
    if (bad < 0)
        return error_memory(e, "kernel values", MAP_BLOCK, sizeof(double));
    return bad == rows ? 0
                       : error_set(e, "the kernel values of example %lld are not all finite",
                                   (long long)bad + 1);
}
