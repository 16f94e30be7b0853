/* scaling.c - learns the sizes of features from data, and scales values; see scaling.h. */
#include "io/scaling/scaling.h"

#include "io/memory.h"
#include "io/svmlight/svmlight.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const scaling_names[SCALING_METHODS + 1] = {
    [SCALING_NONE] = "none",         [SCALING_RANGE] = "range",         [SCALING_MAX] = "max",
    [SCALING_STANDARD] = "standard", [SCALING_DEVIATION] = "deviation", [SCALING_NORM] = "norm",
};

/* Of the entries of one column. The squares are those of the differences to the mean, which of values near 1e-200 or
 * 1e200 are no doubles. */
struct column_statistics {
    int64_t count;
    double least, largest;
    long double mean, squares;
};

struct statistics {
    int64_t rows, capacity;
    int32_t features;
    struct column_statistics *column;
    struct interval label;
};

/* A value more: Welford's update. */
static void add_value(struct column_statistics *s, double x) {
    s->count++;
    s->least = s->count == 1 ? x : fmin(s->least, x);
    s->largest = s->count == 1 ? x : fmax(s->largest, x);
    long double change = x - s->mean;
    s->mean += change / (long double)s->count;
    s->squares += change * (x - s->mean);
}

int scaling_reserve(void **pointer, int64_t *capacity, int64_t features, size_t size,
                    struct error *e) {
    double bytes = 1.5 * (double)features * (double)size; /* it grows by half */
    if (bytes > 0.8 * memory_of_machine())
        return error_too_large(e, "out of memory: %.0f MB for the ranges of %" PRId64 " features",
                               bytes / 1e6, features);
    return memory_reserve(pointer, capacity, features, size, "ranges of features", e);
}

static int add_block(struct statistics *all, const struct dataset *block, struct error *e) {
    if (block->features > all->features) {
        if (scaling_reserve((void **)&all->column, &all->capacity, block->features,
                            sizeof *all->column, e) != 0)
            return -1;
        for (; all->features < block->features; all->features++)
            all->column[all->features] = (struct column_statistics){0};
    }
    for (int64_t i = 0; i < block->rows; i++) {
        all->label.low = fmin(all->label.low, block->label[i]);
        all->label.high = fmax(all->label.high, block->label[i]);
        const int32_t *column = dataset_columns(block, i);
        const double *value = dataset_values(block, i);
        for (int64_t k = 0; k < dataset_count(block, i); k++)
            add_value(&all->column[column[k]], value == NULL ? 1 : value[k]);
    }
    all->rows += block->rows;
    return 0;
}

static int read_statistics(struct statistics *all, const char *path,
                           const struct svmlight_options *options, struct error *e) {
    struct svmlight_reader *reader = svmlight_open(path, options, e);
    struct dataset block = {0};
    int more = reader == NULL ? -1 : svmlight_read(reader, &block, e);
    while (more == 1)
        more = add_block(all, &block, e) != 0 ? -1 : svmlight_read(reader, &block, e);
    dataset_free(&block);
    svmlight_close(reader);
    return more;
}

/* The same statistics, with a 0 for each row that has no entry. */
static void add_zeros(struct column_statistics *s, int64_t rows) {
    int64_t zeros = rows - s->count;
    if (zeros == 0)
        return;
    s->least = fmin(s->least, 0);
    s->largest = fmax(s->largest, 0);
    long double present = (long double)s->count / (long double)rows;
    s->squares += s->mean * s->mean * present * (long double)zeros;
    s->mean *= present;
    s->count = rows;
}

static struct scaling_feature feature_of(enum scaling_method method,
                                         const struct column_statistics *s) {
    double deviation = (double)sqrtl(s->squares / (long double)s->count);
    bool constant = s->least == s->largest;
    switch (method) {
    case SCALING_MAX:
        return (struct scaling_feature){0, fmax(-s->least, s->largest)};
    case SCALING_STANDARD:
        return (struct scaling_feature){(double)s->mean, constant ? 0 : deviation};
    case SCALING_DEVIATION:
        return (struct scaling_feature){0, constant ? s->largest != 0 : deviation};
    default:
        return (struct scaling_feature){s->least, s->largest};
    }
}

/* The scaling by these statistics. */
static int finish(struct scaling *scaling, struct statistics *all, const char *name,
                  bool zero_based, struct error *e) {
    int status = 0;
    scaling->feature = memory_new(all->features, sizeof *scaling->feature, "ranges of features", e);
    if (scaling->feature == NULL)
        return -1;
    scaling->features = all->features;
    scaling->label_data = all->label;
    for (int32_t j = 0; j < scaling->features; j++) {
        add_zeros(&all->column[j], all->rows);
        scaling->feature[j] = feature_of(scaling->method, &all->column[j]);
        if (!isfinite(scaling->feature[j].first) || !isfinite(scaling->feature[j].second))
            status =
                error_file(e, name, "the values of feature %d are too large to scale them by %s",
                           j + !zero_based, scaling_names[scaling->method]);
    }
    return status;
}

int scaling_learn(struct scaling *scaling, const char *path, const struct svmlight_options *options,
                  struct error *e) {
    struct statistics all = {.label = {INFINITY, -INFINITY}};
    int status = read_statistics(&all, path, options, e);
    if (status == 0)
        status = finish(scaling, &all, path, options->zero_based, e);
    free(all.column);
    if (status == 0 && scaling->has_labels && !(all.label.low <= all.label.high))
        status = error_file(e, path, "no line has a label to be scaled");
    return status;
}

int scaling_learn_data(struct scaling *scaling, const struct dataset *data, const char *name,
                       bool zero_based, struct error *e) {
    struct statistics all = {.label = {INFINITY, -INFINITY}};
    int status = add_block(&all, data, e);
    if (status == 0)
        status = finish(scaling, &all, name, zero_based, e);
    free(all.column);
    return status;
}

int scaling_continue(struct scaling *scaling, const struct scaling *from, struct error *e) {
    size_t bytes = sizeof *from->feature * (size_t)from->features;
    if (from->features > scaling->features) {
        if (memory_resize((void **)&scaling->feature, from->features, sizeof *scaling->feature,
                          "ranges of features", e) != 0)
            return -1;
        scaling->features = from->features;
    }
    if (bytes > 0)
        memcpy(scaling->feature, from->feature, bytes);
    scaling->target = from->target;
    return 0;
}

int scaling_copy(const struct scaling *from, struct scaling *to, struct error *e) {
    *to = *from;
    to->feature = NULL;
    to->features = 0;
    return from->feature == NULL ? 0 : scaling_continue(to, from, e);
}

/* From the interval DATA to TARGET: in the order of svm-scale's operations, so that the digits are the same. The ends
 * are exact. */
static double move(double x, struct interval data, struct interval target) {
    if (x == data.low)
        return target.low;
    if (x == data.high)
        return target.high;
    double moved =
        target.low + (target.high - target.low) * (x - data.low) / (data.high - data.low);
    if (isfinite(moved) && isfinite(data.high - data.low))
        return moved;
    double fraction =
        (x / 2 - data.low / 2) / (data.high / 2 - data.low / 2); /* halves do not overflow */
    return target.low + (target.high - target.low) * fraction;
}

bool scaling_leaves_out(const struct scaling *scaling, int32_t column) {
    if (column >= scaling->features)
        return true;
    struct scaling_feature f = scaling->feature[column];
    return scaling->method == SCALING_RANGE ? f.first == f.second : f.second == 0;
}

double scaling_value(const struct scaling *scaling, int32_t column, double x) {
    if (scaling_leaves_out(scaling, column))
        return 0;
    struct scaling_feature f = scaling->feature[column];
    return scaling->method == SCALING_RANGE
               ? move(x, (struct interval){f.first, f.second}, scaling->target)
               : (x - f.first) / f.second;
}

const char *scaling_check_feature(enum scaling_method method, struct scaling_feature f) {
    if (method == SCALING_RANGE)
        return f.first > f.second ? "the least value is above the largest" : NULL;
    return f.second > 0 ? NULL : "the divisor must be above 0";
}

double scaling_length(const double *value, int64_t count) {
    double largest = 0, sum = 0;
    for (int64_t k = 0; k < count; k++)
        largest = fmax(largest, value == NULL ? 1 : fabs(value[k]));
    if (largest == 0)
        return 1;
    for (int64_t k = 0; k < count; k++) {
        double x = (value == NULL ? 1 : value[k]) / largest;
        sum += x * x;
    }
    return largest * sqrt(sum);
}

double scaling_label(const struct scaling *scaling, double y) {
    return scaling->has_labels ? move(y, scaling->label_data, scaling->label_target) : y;
}

void scaling_free(struct scaling *scaling) {
    free(scaling->feature);
    scaling->feature = NULL;
    scaling->features = 0;
}
