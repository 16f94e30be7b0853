/* model_points.c - reads and writes the landmarks or support vectors of a model file, after its weights:
 *
 *     points
 *     INDEX:VALUE INDEX:VALUE ...      a line for each point; "-" alone: no entries
 *
 * Indices ascend and begin at the key index-base. */
#include "io/model/model_format.h"

#include "io/memory.h"
#include "io/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char hidden_feature[] = "a feature that the basis hides from the kernel";

/* Refuses points with a very large index and few entries: arrays over the features would be far larger than the
 * file. */
static const char *check_width(const struct dataset *points) {
    return model_may_be_sparse(points->features, points->nonzeros)
               ? NULL
               : "so large an index among so few entries";
}

static const char *check_row(const struct model *model, int64_t i) {
    const struct dataset *points = &model->points;
    const int32_t *column = dataset_columns(points, i);
    const double *value = dataset_values(points, i);
    for (int64_t n = 0; n < dataset_count(points, i); n++) {
        if (column[n] < 0 || column[n] >= model->features)
            return "a feature beyond the model's";
        if (n > 0 && column[n] <= column[n - 1])
            return "features that do not ascend";
        if (basis_hides(&model->basis, column[n]))
            return hidden_feature;
        if (value != NULL && !isfinite(value[n]))
            return "a value that is not finite";
    }
    return NULL;
}

const char *model_check_points(const struct model *model, int64_t *row) {
    const char *wrong = NULL;
    int32_t largest = -1;
    int64_t entries = 0;
    for (*row = 0; *row < model->points.rows; ++*row) {
        int64_t count = dataset_count(&model->points, *row);
        if ((wrong = check_row(model, *row)) != NULL)
            return wrong;
        entries += count;
        if (count > 0 && dataset_columns(&model->points, *row)[count - 1] > largest)
            largest = dataset_columns(&model->points, *row)[count - 1];
    }
    --*row;
    return check_width(&(struct dataset){.features = largest + 1, .nonzeros = entries});
}

static void write_row(const struct model *model, int64_t i, FILE *stream) {
    const int32_t *column = dataset_columns(&model->points, i);
    const double *value = dataset_values(&model->points, i);
    int64_t count = dataset_count(&model->points, i);
    for (int64_t n = 0; n < count; n++) {
        char text[2 * NUMBER_TEXT], *end = text;
        if (n > 0)
            *end++ = ' ';
        end = number_text((double)column[n] + !model->zero_based, end);
        *end++ = ':';
        end = number_text(value == NULL ? 1 : value[n], end);
        fwrite(text, 1, (size_t)(end - text), stream);
    }
    fputs(count == 0 ? "-\n" : "\n", stream);
}

void model_write_points(const struct model *model, FILE *stream) {
    fputs("points\n", stream);
    for (int64_t i = 0; i < model->points.rows && !ferror(stream); i++)
        write_row(model, i, stream);
}

int model_points_row(struct points_capacity *capacity, struct dataset *points, int64_t rows,
                     struct error *e) {
    if (memory_reserve((void **)&points->start, &capacity->rows, rows + 1, sizeof *points->start,
                       "points", e) != 0)
        return -1;
    points->start[rows] = points->nonzeros;
    return 0;
}

int model_points_entry(struct points_capacity *capacity, struct dataset *points, int64_t column,
                       double value, struct error *e) {
    int64_t k = points->nonzeros;
    if (memory_reserve((void **)&points->column, &capacity->columns, k + 1, sizeof *points->column,
                       "points", e) != 0 ||
        memory_reserve((void **)&points->value, &capacity->values, k + 1, sizeof *points->value,
                       "points", e) != 0)
        return -1;
    points->column[k] = (int32_t)column;
    points->value[k] = value;
    points->nonzeros++;
    points->features = column >= points->features ? (int32_t)column + 1 : points->features;
    capacity->others = capacity->others || value != 1;
    return 0;
}

int model_points_finish(const struct points_capacity *capacity, struct dataset *points,
                        struct text *text, struct error *e) {
    const char *wrong = check_width(points);
    if (wrong != NULL)
        return text_fail(text, e, "%s", wrong);
    if (!capacity->others) {
        free(points->value);
        points->value = NULL;
    } else if (memory_resize((void **)&points->value, points->nonzeros, sizeof *points->value,
                             "points", e) != 0) {
        return -1;
    }
    return memory_resize((void **)&points->column, points->nonzeros, sizeof *points->column,
                         "points", e);
}

struct reading {
    struct text *text;
    struct model *model;
    struct points_capacity capacity;
    struct error *e;
};

/* Reads an entry INDEX:VALUE. *column: the column of the previous entry; set to this entry's. */
static int read_entry(struct reading *reading, int64_t *column) {
    struct text *text = reading->text;
    struct error *e = reading->e;
    int64_t base = !reading->model->zero_based, index;
    double value;
    if (text_integer(text, *column + 1 + base, reading->model->features - 1 + base, &index,
                     "an ascending index", e) != 0)
        return -1;
    *column = index - base;
    if (basis_hides(&reading->model->basis, (int32_t)*column))
        return text_fail(text, e, "%s", hidden_feature);
    if (text_expect(text, ':', "a colon", e) != 0 || text_real(text, &value, "a value", e) != 0)
        return -1;
    return model_points_entry(&reading->capacity, &reading->model->points, *column, value, e);
}

static int read_row(struct reading *reading) {
    struct text *text = reading->text;
    struct error *e = reading->e;
    int64_t column = -1;
    if (text_peek(text, e) == '-') {
        if (text_expect(text, '-', "a point", e) != 0)
            return -1;
    } else {
        do
            if (read_entry(reading, &column) != 0)
                return -1;
        while (text_peek(text, e) == ' ' && text_expect_blank(text, e) == 0);
    }
    return text_expect_newline(text, e);
}

static int read_heading(struct text *text, struct error *e) {
    return text_expect_word(text, "points", e) != 0 ? -1 : text_expect_newline(text, e);
}

int model_read_points(struct text *text, struct model *model, struct error *e) {
    struct reading reading = {.text = text, .model = model, .e = e};
    if (read_heading(text, e) != 0 ||
        model_points_row(&reading.capacity, &model->points, 0, e) != 0)
        return -1;
    for (int64_t i = 0; i < model->points.rows; i++)
        if (read_row(&reading) != 0 ||
            model_points_row(&reading.capacity, &model->points, i + 1, e) != 0)
            return -1;
    return model_points_finish(&reading.capacity, &model->points, text, e);
}
