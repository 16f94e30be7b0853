/* mapped_rows.c - rows of phi, of a block and of all, with the first one that is not finite. */
#include "io/memory.h"
#include "io/scratch.h"
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"

#include <stdlib.h>

enum {
    PAGE = 4096,
    ALIGNED_ROWS = PAGE / sizeof(double),
    LARGE_PAGE = 2 << 20 /* into which the system's cache puts what is written together */
};

int64_t mapped_rows(const struct map *map, const struct dataset *data, int64_t from, int64_t to,
                    double *phi, double *work) {
    if (map_rows(map, data, from, to, phi, work) == 0)
        return to;
    while (from + 1 < to && map_rows(map, data, from, from + 1, phi, work) == 0)
        from++;
    return from;
}

int64_t mapped_chunk_rows(int64_t n) {
    int64_t rows = ALIGNED_ROWS;
    while (rows > MAP_BLOCK && rows / 2 * n % ALIGNED_ROWS == 0)
        rows /= 2;
    return rows;
}

int64_t mapped_file_rows(int64_t n) {
    int64_t rows = mapped_chunk_rows(n), bytes = rows * n * (int64_t)sizeof(double);
    return rows * ((LARGE_PAGE + bytes - 1) / bytes);
}

int64_t mapped_compute(const struct map *map, const struct dataset *data, double *value, int file) {
    int64_t n = map_dimension(map), bad = data->rows, work_size = map_work_size(map, MAP_BLOCK);
    int64_t step = value == NULL ? mapped_file_rows(n) : MAP_BLOCK;
    bool complete = true, stopped = false, written = true;
#pragma omp parallel reduction(min : bad) reduction(&& : complete, written) reduction(|| : stopped)
    {
        double *work = memory_new(work_size + (value == NULL ? step * n : 0), sizeof *work,
                                  "kernel values", NULL);
        complete = work != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int64_t from = 0; from < data->rows; from += step) {
            int64_t to = from + step < data->rows ? from + step : data->rows;
            stopped = stopped || interruption_came(&map->settings.interrupted);
            if (!complete || stopped)
                continue;
            double *phi = value == NULL ? work + work_size : value + from * n;
            int64_t found = mapped_rows(map, data, from, to, phi, work);
            int64_t row_bytes = n * (int64_t)sizeof *phi;
            bad = found < to && found < bad ? found : bad;
            if (value == NULL)
                written =
                    scratch_write(file, phi, (to - from) * row_bytes, from * row_bytes) == 0 &&
                    written;
        }
        free(work);
    }
    return !complete ? MAP_NO_MEMORY : stopped ? MAP_STOPPED : !written ? MAP_UNWRITTEN : bad;
}

int mapped_check(int64_t bad, const struct dataset *data, struct error *e) {
    return bad < 0 || bad == data->rows ? map_check(bad, data->rows, e)
                                        : map_check(dataset_row_of_file(data, bad), -1, e);
}
