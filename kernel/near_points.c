/* near_points.c - Gaussian kernel values of points near a row. */
#include "kernel/near_points.h"

#include <math.h>
#include <stdbool.h>

/* Of ||x||^2: squared distances below it are computed from differences. Others have lost 10 bits at most. */
static const double near_share = 0x1p-9;
/* gamma ||x||^2 up to which the rounding of ||x||^2 does not matter. */
static const double small_exponent = 1;

/* gamma ||x||^2 from which rounding alone may make a value 0: all values are computed from differences. */
static const double lost_exponent = 0x1p56;
/* Beyond this exponent a value is 0. */
static const double zero_exponent = 746;

/* A row's entries in their order, without those that the kernel does not see. */
struct entries {
    const int32_t *column, *hidden;
    const double *value;
    int64_t count, hidden_count;
    int32_t known;
};

static struct entries entries_of(const struct near_points *points, const struct dataset *rows,
                                 int64_t i) {
    return (struct entries){.column = dataset_columns(rows, i),
                            .value = dataset_values(rows, i),
                            .count = dataset_count(rows, i),
                            .hidden = points->hidden,
                            .hidden_count = points->hidden_count,
                            .known = points->known};
}

static bool is_hidden(struct entries *e, int32_t column) {
    while (e->hidden_count > 0 && *e->hidden < column) {
        e->hidden++;
        e->hidden_count--;
    }
    return column >= e->known || (e->hidden_count > 0 && *e->hidden == column);
}

/* The column of the first entry; INT32_MAX: there is none left. */
static int32_t first_column(struct entries *e) {
    while (e->count > 0 && is_hidden(e, *e->column)) {
        e->column++;
        e->value += e->value != NULL;
        e->count--;
    }
    return e->count > 0 ? *e->column : INT32_MAX;
}

static double take_value(struct entries *e) {
    double x = e->value == NULL ? 1 : *e->value;
    e->column++;
    e->value += e->value != NULL;
    e->count--;
    return x;
}

/* ||s - x||^2, or if that is above LIMIT some number above it. */
static double square_distance(struct entries s, struct entries x, double limit) {
    double sum = 0;
    while (!(sum > limit)) {
        int32_t a = first_column(&s), b = first_column(&x), column = a < b ? a : b;
        if (column == INT32_MAX)
            return sum;
        double difference = a == column ? take_value(&s) : 0;
        difference -= b == column ? take_value(&x) : 0;
        sum += difference * difference;
    }
    return sum;
}

void near_points_correct(const struct near_points *points, int64_t count,
                         const struct kernel *kernel, const struct dataset *rows, int64_t i,
                         double square, double *out) {
    double exponent = kernel->gamma * square, least = exp(-near_share * exponent);
    if (!(exponent > small_exponent))
        return;
    struct entries x = entries_of(points, rows, i);
    for (int64_t k = 0; k < count; k++) {
        bool near = exponent > lost_exponent ? !isnan(out[k]) : out[k] >= least && out[k] > 0;
        if (!near)
            continue;
        int64_t row = points->row == NULL ? k : points->row[k];
        double distance = square_distance(entries_of(points, points->data, row), x,
                                          zero_exponent / kernel->gamma);
        out[k] = exp(-kernel->gamma * distance);
    }
}
