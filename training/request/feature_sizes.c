/* feature_sizes.c - the sizes of a data set's features. */
#include "training/request/feature_sizes.h"

#include "io/memory.h"
#include "io/window.h"

#include <math.h>
#include <stdlib.h>

/* Text of unit length and standardized columns stay below both. */
static const double largest_ratio = 100, largest_size = 100;

/* Of a row whose entries are all there. */
static void add_whole_row(const double *restrict x, double *restrict square, double *restrict count,
                          int64_t n) {
    for (int64_t j = 0; j < n; j++) {
        square[j] += x[j] * x[j];
        count[j] += x[j] != 0;
    }
}

static void add_row(const struct dataset *data, int64_t i, double *square, double *count) {
    const int32_t *column = dataset_columns(data, i);
    const double *value = dataset_values(data, i);
    const int64_t entries = dataset_count(data, i), start = dataset_start(data, i);
    if (value != NULL && entries == data->features) {
        add_whole_row(value, square, count, entries);
        return;
    }
    for (int64_t k = 0; k < entries; k++) {
        double x = value != NULL ? value[k] : dataset_entry(data, start + k);
        square[column[k]] += x * x;
        count[column[k]] += x != 0;
    }
}

/* Fewer than this share of the mean number of values make a feature rare. */
static const double rare_share = 0.01;

static double least_common(const double *count, int64_t n) {
    double sum = 0, features = 0;
    for (int64_t j = 0; j < n; j++) {
        sum += count[j];
        features += count[j] > 0;
    }
    return features > 0 ? rare_share * sum / features : 0;
}

static struct feature_sizes summarize(const double *square, const double *count, int64_t n) {
    struct feature_sizes sizes = {0};
    double sum_of_squares = 0;
    double least = least_common(count, n);
    for (int64_t j = 0; j < n; j++) {
        double size = count[j] > 0 ? sqrt(square[j] / count[j]) : 0;
        if (size > 0 && count[j] >= least)
            sizes.smallest = sizes.smallest > 0 ? fmin(sizes.smallest, size) : size;
        sizes.largest = fmax(sizes.largest, size);
        sizes.mean_square += square[j];
        sum_of_squares += square[j] * square[j];
    }
    if (sum_of_squares > 0)
        sizes.effective = sizes.mean_square * sizes.mean_square / sum_of_squares;
    return sizes;
}

struct feature_sizes feature_sizes_find(const struct dataset *data) {
    struct feature_sizes sizes = {0};
    double *square = memory_zeroed(data->features, sizeof *square, "the features' sizes", NULL);
    double *count = memory_zeroed(data->features, sizeof *count, "the features' sizes", NULL);
    bool there = data->window == NULL || data->map != NULL;
    bool known = square != NULL && count != NULL && there && dataset_is_read(data);
    if (!communicator_any(data->communicator, !known)) {
        struct window_rows at = window_rows(data, NULL, 0, data->rows);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                add_row(data, i, square, count);
        communicator_sum(data->communicator, square, data->features);
        communicator_sum(data->communicator, count, data->features);
        sizes = summarize(square, count, data->features);
        sizes.mean_square /= fmax(1, (double)dataset_whole_rows(data));
    }
    free(square);
    free(count);
    return sizes;
}

bool feature_sizes_differ(const struct feature_sizes *sizes) {
    return sizes->largest > largest_size || sizes->largest > largest_ratio * sizes->smallest;
}

bool feature_sizes_matter(const struct feature_sizes *sizes, double lambda) {
    static const double without_influence = 1e5;
    return feature_sizes_differ(sizes) && sizes->mean_square > without_influence * lambda;
}
