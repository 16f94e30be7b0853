/* face.c - some columns of a design, copied. */
#include "matrix/face.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

int face_init(struct face *face, const struct design *whole, struct error *e) {
    *face = (struct face){.whole = whole};
    face->column = memory_new(whole->columns, sizeof *face->column, "a choice of columns", e);
    face->place = memory_new(whole->data->features, sizeof *face->place, "a choice of columns", e);
    face->data.start = memory_zeroed(whole->rows + 1, sizeof *face->data.start, "rows", e);
    if (face->column == NULL || face->place == NULL || face->data.start == NULL)
        return -1;
    for (int64_t j = 0; j < whole->data->features; j++)
        face->place[j] = -1;
    return 0;
}

void face_free(struct face *face) {
    design_free(&face->design);
    free(face->column);
    free(face->place);
    free(face->data.start);
    free(face->data.column);
    free(face->data.value);
    *face = (struct face){0};
}

/* Sets the columns and their places; returns how many are features of the data. */
static int32_t choose(struct face *face, const int64_t *column, int64_t count) {
    int32_t features = 0, most = face->whole->data->features;
    for (int64_t k = 0; k < face->count && face->column[k] < most; k++)
        face->place[face->column[k]] = -1;
    memcpy(face->column, column, sizeof *column * (size_t)count);
    face->count = count;
    for (; features < count && column[features] < most; features++)
        face->place[column[features]] = features;
    return features;
}

/* start[i + 1] = nonzeros of row i that are chosen; then the rows' starts. */
static void count_rows(struct face *face) {
    const struct dataset *from = face->whole->data;
    int64_t *start = face->data.start;
#pragma omp parallel for schedule(static) if (face->whole->threads)
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < dataset_count(from, i); k++)
            count += face->place[dataset_columns(from, i)[k]] >= 0;
        start[i + 1] = count;
    }
    for (int64_t i = 0; i < from->rows; i++)
        start[i + 1] += start[i];
    face->data.nonzeros = start[from->rows];
}

static void copy_rows(struct face *face) {
    const struct dataset *from = face->whole->data;
    struct dataset *to = &face->data;
#pragma omp parallel for schedule(static) if (face->whole->threads)
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t next = to->start[i];
        for (int64_t k = 0; k < dataset_count(from, i); k++) {
            int32_t place = face->place[dataset_columns(from, i)[k]];
            if (place < 0)
                continue;
            to->column[next] = place;
            if (to->value != NULL)
                to->value[next] = dataset_values(from, i)[k];
            next++;
        }
    }
}

static int make_room(struct face *face, struct error *e) {
    struct dataset *to = &face->data;
    if (to->column != NULL && to->nonzeros <= face->capacity)
        return 0;
    free(to->column);
    free(to->value);
    to->value = NULL;
    face->capacity = to->nonzeros + to->nonzeros / 4;
    to->column = memory_new(face->capacity, sizeof *to->column, "chosen columns", e);
    if (to->column != NULL && face->whole->data->value != NULL) {
        to->value = memory_new(face->capacity, sizeof *to->value, "chosen columns", e);
        if (to->value == NULL) {
            free(to->column);
            to->column = NULL;
        }
    }
    return to->column == NULL ? -1 : 0;
}

int face_build(struct face *face, const int64_t *column, int64_t count, struct error *e) {
    const struct design *whole = face->whole;
    if (count == face->count && face->built &&
        memcmp(column, face->column, sizeof *column * (size_t)count) == 0)
        return 0;
    int32_t features = choose(face, column, count);
    bool bias = whole->bias >= 0 && features < count && column[features] == whole->data->features;
    design_free(&face->design);
    face->data.rows = whole->rows;
    face->data.features = features;
    count_rows(face);
    face->built = false;
    if (make_room(face, e) != 0 ||
        design_init(&face->design, &face->data, bias ? whole->bias : -1, whole->intercept, e) != 0)
        return -1;
    copy_rows(face);
    face->built = true;
    return 0;
}

double face_share(const struct face *face) {
    return (double)(face->data.nonzeros + face->data.rows) /
           (double)(face->whole->data->nonzeros + face->whole->rows);
}
