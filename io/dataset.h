/* dataset.h - labelled sparse rows, read-only once loaded.
 *
 * Row i has the columns column[start[i]] .. column[start[i+1]-1], ascending, and the values at the
 * same indices; `value` is NULL when every value is 1 (text, one-hot data), which saves two thirds
 * of the memory and of the bytes that a pass moves. A dense dataset has all columns in every row, and
 * one list of them for all: dataset_columns finds it. Columns of 16 bits, and values as codes of a table, were
 * tried: less memory, but most passes over sparse data of few features took longer.
 *
 * A caller's floats are not converted until something needs doubles: they are `floats`, and `value` is NULL. Few
 * functions read such data: those below, matrix/'s, and the solvers with `reads_floats` (solvers/solver.h). For
 * all others dataset_widen (dataset_select.h) comes first. Row starts of 32 bits are not converted, and those of dense
 * rows need not be there: dataset_start knows them all. */
#ifndef RRM_DATASET_H
#define RRM_DATASET_H

#include "io/communicator.h"
#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dataset_window;

/* The range of the weight of an example that is not 0: squares of weights, and ratios of them, are numbers. */
static const double example_weight_least = 1e-100, example_weight_most = 1e100;

struct dataset {
    int64_t rows;
    int64_t nonzeros;
    int32_t features;    /* largest column + 1 */
    int64_t *start;      /* rows + 1; NULL: `narrow_start` has them, or the rows are dense */
    int32_t *column;     /* nonzeros; from 0 */
    double *value;       /* nonzeros; NULL: all are 1, if there are no floats */
    double *label;       /* rows; not-a-number where the line has "?" */
    double *weight;      /* rows, from "cost:"; NULL: all are 1 */
    const float *floats; /* the caller's: the values; NULL: `value` has them */

    const int32_t
        *narrow_start; /* the caller's: rows + 1; NULL: `start` has them, or the rows are dense */

    /* Groups (queries, sequences) are runs of consecutive rows with one "qid:". */
    int64_t groups;       /* 0 when the file has no qid */
    int64_t *group_start; /* groups + 1 row numbers; NULL without groups */
    int64_t *group_id;    /* groups; NULL without groups */

    /* the file that has all arrays but the weights, mapped (io/cache/cache.h); NULL: they are in memory */
    void *map;
    int64_t map_bytes;

    bool dense; /* `column` is one list, 0 .. features - 1, that all rows share */
    /* loads and releases values (io/dataset_window.h); NULL: all are in memory */
    struct dataset_window *window;

    /* The processes that share the rows: `rows`, `nonzeros` and `groups` are those of this one, `features` those of
     * all. NULL: all rows are here, and `whole` is not used. */
    struct communicator *communicator;
    struct {
        int64_t rows, nonzeros, groups; /* of all processes */
        int64_t rows_before;            /* of those of lower ranks */
    } whole;
};

/* The numbers of all processes. */
static inline int64_t dataset_whole_rows(const struct dataset *data) {
    return data->communicator == NULL ? data->rows : data->whole.rows;
}

static inline int64_t dataset_whole_nonzeros(const struct dataset *data) {
    return data->communicator == NULL ? data->nonzeros : data->whole.nonzeros;
}

static inline int64_t dataset_whole_groups(const struct dataset *data) {
    return data->communicator == NULL ? data->groups : data->whole.groups;
}

/* The number of a row in the file, from 0. */
static inline int64_t dataset_row_of_file(const struct dataset *data, int64_t i) {
    return data->communicator == NULL ? i : data->whole.rows_before + i;
}

/* Where the entries of row i begin; for i = rows: where those of the last one end. */
static inline int64_t dataset_start(const struct dataset *data, int64_t i) {
    return data->start != NULL          ? data->start[i]
           : data->narrow_start != NULL ? data->narrow_start[i]
                                        : i * data->features;
}

/* Whether the rows are there, and not their numbers alone. */
static inline bool dataset_is_read(const struct dataset *data) {
    return data->start != NULL || data->narrow_start != NULL || data->dense;
}

/* Fetches into the cache where the entries of row i begin. */
static inline void dataset_prefetch_start(const struct dataset *data, int64_t i) {
    if (data->start != NULL)
        __builtin_prefetch(&data->start[i]);
    else if (data->narrow_start != NULL)
        __builtin_prefetch(&data->narrow_start[i]);
}

/* The number of entries of a row, their columns, and their values (NULL: all are 1). */
static inline int64_t dataset_count(const struct dataset *data, int64_t i) {
    return dataset_start(data, i + 1) - dataset_start(data, i);
}

static inline const int32_t *dataset_columns(const struct dataset *data, int64_t i) {
    return data->dense ? data->column : data->column + dataset_start(data, i);
}

static inline const double *dataset_values(const struct dataset *data, int64_t i) {
    return data->value == NULL ? NULL : data->value + dataset_start(data, i);
}

static inline const float *dataset_floats(const struct dataset *data, int64_t i) {
    return data->floats == NULL ? NULL : data->floats + dataset_start(data, i);
}

/* Whether not all values are 1. */
static inline bool dataset_has_values(const struct dataset *data) {
    return data->value != NULL || data->floats != NULL;
}

/* The value of an entry, dataset_start(i) <= entry < dataset_start(i + 1). */
static inline double dataset_entry(const struct dataset *data, int64_t entry) {
    return data->value != NULL    ? data->value[entry]
           : data->floats != NULL ? (double)data->floats[entry]
                                  : 1;
}

/* The rows of the largest group; at least 1. */
int64_t dataset_largest_group(const struct dataset *data);

/* Frees the arrays and leaves an empty dataset. */
void dataset_free(struct dataset *data);

/* The value of a column in row i, by bisection; 0 if the row lacks it. The row is not dense, nor behind a window. */
double dataset_value(const struct dataset *data, int64_t i, int32_t column);

/* Appends rows from <= i < to of MORE to DATA, sparse ones; groups are not kept. 0, or -1 with the error set and
 * DATA as it was, perhaps with larger arrays. An empty dataset is all zero. */
int dataset_append(struct dataset *data, const struct dataset *more, int64_t from, int64_t to,
                   struct error *e);

#endif
