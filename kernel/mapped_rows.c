/* mapped_rows.c - rows of phi, with the first one that is not finite; and as floats. */
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"

#include <math.h>

int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *work) {
    if (map_rows(map, data, from, to, phi, work) == 0)
        return to;
    while (from + 1 < to && map_rows(map, data, from, from + 1, phi, work) == 0)
        from++;
    return from;
}

bool mapped_row_to_floats(const double *phi, int64_t n, float *out) {
    static const double relative_rounding = 1e-5;
    double square = 0, kept = 0;
    for (int64_t j = 0; j < n; j++) {
        out[j] = (float)phi[j];
        square += phi[j] * phi[j];
        kept += (double)out[j] * (double)out[j];
    }
    return fabs(square - kept) <= relative_rounding * square;
}
