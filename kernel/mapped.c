/* mapped.c - a dataset of mapped rows. */
#include "kernel/mapped.h"

#include "io/memory.h"
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"

#include <stdlib.h>
#include <string.h>

/* *out = a copy of COUNT items, or NULL if `items` is NULL. -1 with the error set. */
static int copy(void *out, const void *items, int64_t count, size_t size, const char *what,
                struct error *e) {
    void *memory = NULL;
    if (items != NULL) {
        memory = memory_new(count, size, what, e);
        if (memory == NULL)
            return -1;
        memcpy(memory, items, (size_t)count * size);
    }
    memcpy(out, &memory, sizeof memory);
    return 0;
}

static int copy_labels(const struct dataset *data, struct dataset *out, struct error *e) {
    out->groups = data->groups;
    if (copy(&out->label, data->label, data->rows, sizeof(double), "labels", e) != 0 ||
        copy(&out->weight, data->weight, data->rows, sizeof(double), "weights", e) != 0 ||
        copy(&out->group_start, data->group_start, data->groups + 1, sizeof(int64_t), "groups",
             e) != 0 ||
        copy(&out->group_id, data->group_id, data->groups, sizeof(int64_t), "group names", e) != 0)
        return -1;
    return 0;
}

static int set_columns(struct dataset *out, struct error *e) {
    out->start = memory_new(out->rows + 1, sizeof *out->start, "row starts", e);
    out->column = memory_new(out->features, sizeof *out->column, "columns", e);
    if (out->start == NULL || out->column == NULL)
        return -1;
    for (int64_t i = 0; i <= out->rows; i++)
        out->start[i] = i * out->features;
    for (int32_t j = 0; j < out->features; j++)
        out->column[j] = j;
    return 0;
}

/* Computes all rows by blocks. Returns the first row that is not finite, or `rows`; or why it ended early. */
static int64_t compute(const struct map *map, const struct dataset *data, double *value) {
    int64_t n = map_dimension(map), bad = data->rows;
    bool complete = true, stopped = false;
#pragma omp parallel reduction(min : bad) reduction(&& : complete) reduction(|| : stopped)
    {
        double *work =
            memory_new(map_work_size(map, MAP_BLOCK), sizeof *work, "kernel values", NULL);
        complete = work != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int64_t from = 0; from < data->rows; from += MAP_BLOCK) {
            int64_t to = from + MAP_BLOCK < data->rows ? from + MAP_BLOCK : data->rows;
            int64_t found = to;
            stopped = stopped || interruption_came(&map->settings.interrupted);
            if (complete && !stopped)
                found = mapped_rows(map, data, from, to, value + from * n, work);
            if (found < to && found < bad)
                bad = found;
        }
        free(work);
    }
    return !complete ? MAP_NO_MEMORY : stopped ? MAP_STOPPED : bad;
}

static int compute_all(const struct map *map, const struct dataset *data, struct dataset *out,
                       struct error *e) {
    out->value = memory_new(out->nonzeros, sizeof *out->value, "mapped examples", e);
    if (out->value == NULL)
        return -1;
    int64_t bad = compute(map, data, out->value);
    return bad < 0 || bad == data->rows ? map_check(bad, data->rows, e)
                                        : map_check(dataset_row_of_file(data, bad), -1, e);
}

int mapped_init(struct dataset *out, const struct map *map, const struct dataset *data,
                double memory, struct error *e) {
    int64_t n = map_dimension(map);
    *out = (struct dataset){.rows = data->rows, .features = (int32_t)n, .dense = true};
    out->nonzeros = data->rows * n;
    out->communicator = data->communicator;
    out->whole = data->whole;
    out->whole.nonzeros = out->whole.rows * n;
    bool fits = (double)out->nonzeros * sizeof(double) <= memory;
    if (!fits && data->communicator != NULL)
        return error_set(e,
                         "mapped examples take %.3g MB in process %d, more than --memory leaves; "
                         "raise it, or start more processes",
                         8e-6 * (double)out->nonzeros, data->communicator->rank);
    if (set_columns(out, e) != 0 || copy_labels(data, out, e) != 0 ||
        (fits ? compute_all(map, data, out, e) : mapped_window(out, map, data, memory, e)) != 0) {
        dataset_free(out);
        return -1;
    }
    return 0;
}
