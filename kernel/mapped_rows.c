/* mapped_rows.c - rows of phi, with the first one that is not finite. */
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"

int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *work) {
    if (map_rows(map, data, from, to, phi, work) == 0)
        return to;
    while (from + 1 < to && map_rows(map, data, from, from + 1, phi, work) == 0)
        from++;
    return from;
}
