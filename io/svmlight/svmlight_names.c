/* svmlight_names.c - rows whose features have names.
 *
 *     feature = name [ ":" value ]
 *
 * A name is any bytes but blanks, ":" and control characters, and does not begin with "#" or "|"; without a value it
 * has the value 1. Names become columns by feature_hash.h. The columns of a row are then sorted, and the values of
 * equal ones are summed: they are one name that comes twice, or two names with the same hash. */
#include "io/svmlight/svmlight_names.h"

#include "io/feature_hash.h"
#include "io/number.h"
#include "io/svmlight/svmlight_refuse.h"

#include <math.h>
#include <string.h>

static const char *name_end(const char *p) {
    while ((unsigned char)*p > ' ' && *p != 0x7f && *p != ':')
        p++;
    return p;
}

/* "qid:" and "cost:" are no names: they come before the features. */
static bool is_name(const char *p, const char *end) {
    return end > p && *p != '|' && strncmp(p, "qid:", 4) != 0 && strncmp(p, "cost:", 5) != 0;
}

/* Reads a feature. Returns its end, or NULL if it is malformed. */
static const char *parse_name(const struct svmlight_options *options, const char *p,
                              int32_t *column, double *value) {
    const char *end = name_end(p);
    *value = 1;
    if (!is_name(p, end))
        return NULL;
    *column = feature_hash(p, (size_t)(end - p), options->hash_bits, options->zero_based);
    if (*end == ':')
        end = number_scan(end + 1, value);
    return end != NULL && isfinite(*value) && svmlight_ends_token(end) ? end : NULL;
}

static void add(struct svmlight_rows *rows, int32_t column, double value) {
    if (value != 1 && !rows->has_values)
        svmlight_fill_values(rows);
    if (rows->has_values)
        rows->value[rows->nonzero] = value;
    rows->column[rows->nonzero++] = column;
}

static bool ascend(const int32_t *column, int64_t count) {
    for (int64_t k = 1; k < count; k++)
        if (column[k] <= column[k - 1])
            return false;
    return true;
}

/* Sorts the columns with their values (NULL: all are 1) by Shell's method, in place. */
static void sort(int32_t *column, double *value, int64_t count) {
    int64_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int64_t i = gap; i < count; i++) {
            int32_t moved = column[i];
            double its_value = value == NULL ? 1 : value[i];
            int64_t k = i;
            for (; k >= gap && column[k - gap] > moved; k -= gap) {
                column[k] = column[k - gap];
                if (value != NULL)
                    value[k] = value[k - gap];
            }
            column[k] = moved;
            if (value != NULL)
                value[k] = its_value;
        }
}

/* Sums the values of equal columns, which stand together, from entry FROM on. False: a sum is not finite. */
static bool sum_equal(struct svmlight_rows *rows, int64_t from) {
    int64_t last = from;
    for (int64_t k = from + 1; k < rows->nonzero; k++) {
        if (rows->column[k] == rows->column[last]) {
            rows->value[last] += rows->value[k];
        } else {
            rows->column[++last] = rows->column[k];
            rows->value[last] = rows->value[k];
        }
        if (!isfinite(rows->value[last]))
            return false;
    }
    rows->nonzero = last + 1;
    return true;
}

/* Makes the columns of the row ascend. False: a sum of values is not finite. */
static bool finish(struct svmlight_rows *rows, int64_t from) {
    int64_t count = rows->nonzero - from;
    int32_t *column = rows->column + from;
    if (ascend(column, count))
        return true;
    sort(column, rows->has_values ? rows->value + from : NULL, count);
    if (ascend(column, count))
        return true;
    if (!rows->has_values)
        svmlight_fill_values(rows);
    return sum_equal(rows, from);
}

const char *svmlight_parse_names(struct svmlight_rows *rows, const char *line, const char *p) {
    const int64_t from = rows->nonzero;
    struct svmlight_token where = {
        .file = rows->file, .number = rows->line, .line = line, .token = p, .named = true};
    while (!svmlight_ends_token(p)) {
        int32_t column;
        double value;
        const char *end = parse_name(rows->options, p, &column, &value);
        if (end == NULL) {
            where.token = p;
            svmlight_refuse_name(&where, rows->e);
            return NULL;
        }
        add(rows, column, value);
        for (p = end; *p == ' ' || *p == '\t';)
            p++;
    }
    rows->features = feature_hash_columns(rows->options->hash_bits);
    if (finish(rows, from))
        return p;
    svmlight_refuse_sum(&where, rows->e);
    return NULL;
}
