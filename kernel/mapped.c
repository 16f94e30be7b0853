/* mapped.c - a dataset of mapped rows. */
#include "kernel/mapped.h"

#include "io/dataset_window.h"
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

static int compute_all(const struct map *map, const struct dataset *data, struct dataset *out,
                       struct error *e) {
    out->value = memory_new(out->nonzeros, sizeof *out->value, "mapped examples", e);
    return out->value == NULL ? -1
                              : mapped_check(mapped_compute(map, data, out->value, -1), data, e);
}

/* Those that do not fit in memory. */
static int open_window(const struct map *map, const struct dataset *data, struct dataset *out,
                       double memory, const char *folder, struct error *e) {
    int status = folder == NULL ? 0 : mapped_file(out, map, data, folder, memory, e);
    return status == 1 ? 0 : status < 0 ? -1 : mapped_window(out, map, data, memory, e);
}

bool mapped_is_recomputed(const struct dataset *mapped) {
    return mapped->window != NULL && mapped->window->base != NULL;
}

int mapped_init(struct dataset *out, const struct map *map, const struct dataset *data,
                double memory, const char *folder, struct error *e) {
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
        (fits ? compute_all(map, data, out, e) : open_window(map, data, out, memory, folder, e)) !=
            0) {
        dataset_free(out);
        return -1;
    }
    return 0;
}
