/* batch_step.c - steps of many items, by threads. */
#include "solvers/online/batch_step.h"

#include "io/ascending.h"
#include "io/memory.h"
#include "math/vector.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORTHWHILE_ENTRIES = 1 << 15, /* of a step */
    SAMPLED_ROWS = 1000,          /* that say in which columns the entries are */
    CHUNK = 2048,                 /* coordinates that one thread takes at a time */
    PREFETCHED_ITEMS = 4,         /* items ahead of whose rows are prefetched, */
    PREFETCHED_ADDRESSES = 12     /* and of whose addresses */
};

struct batch_step {
    const struct risk *risk;
    int64_t size;
    int64_t *item;        /* numbers of the items of the step */
    bool dense;           /* the step is made by g */
    double *g;            /* 0 between steps */
    int64_t chunks;       /* of the coordinates */
    double *dot, *square; /* of each chunk: <v, g> and ||g||^2 */

    /* The columns are cut into a section for each thread, with about as many entries each. */
    int sections;
    int64_t *first; /* sections + 1: the first column of each */
    int64_t *place; /* size x (sections + 1): the entries of each row that begin a section */
};

/* ---- sections */

static const struct dataset *data_of(const struct risk *risk) {
    return risk->scalar->design->data;
}

static bool pays(const struct risk *risk, int64_t size) {
    if (size < 2 || risk->scalar == NULL || data_of(risk)->window != NULL)
        return false;
    double entries = (double)size * ((double)data_of(risk)->nonzeros / (double)data_of(risk)->rows);
    return entries >= WORTHWHILE_ENTRIES;
}

/* Adds the entries of each column in some rows, evenly spaced, to ENTRIES; returns how many they are. */
static int64_t count_entries(const struct dataset *data, int64_t *entries) {
    int64_t stride = data->rows / SAMPLED_ROWS + 1, total = 0;
    for (int64_t i = 0; i < data->rows; i += stride) {
        const int32_t *column = dataset_columns(data, i);
        int64_t count = dataset_count(data, i);
        for (int64_t k = 0; k < count; k++)
            entries[column[k]]++;
        total += count;
    }
    return total;
}

static int find_sections(struct batch_step *batch, struct error *e) {
    const struct dataset *data = data_of(batch->risk);
    int64_t *entries = memory_zeroed(data->features, sizeof *entries, "the counts of entries", e);
    if (entries == NULL)
        return -1;
    int64_t total = count_entries(data, entries), seen = 0, section = 1;
    for (int64_t j = 0; j < data->features; j++) {
        seen += entries[j];
        while (section < batch->sections && seen * batch->sections >= section * total)
            batch->first[section++] = j + 1;
    }
    batch->first[batch->sections] = data->features;
    free(entries);
    return 0;
}

/* The first entry from FROM on whose column is not below COLUMN. */
static int64_t find_entry(const struct scaled_row *row, int64_t from, int64_t column) {
    return row->column == NULL ? column : first_not_below(row->column, from, row->count, column);
}

static void find_places(const struct batch_step *batch, const struct scaled_row *row,
                        int64_t *place) {
    place[0] = 0;
    for (int s = 1; s < batch->sections; s++)
        place[s] = find_entry(row, place[s - 1], batch->first[s]);
    place[batch->sections] = row->count;
}

/* ---- memory */

static int allocate(struct batch_step *batch, struct error *e) {
    const int64_t n = batch->risk->dimension, places = batch->sections + 1;
    batch->item = memory_new(batch->size, sizeof *batch->item, "the items of a step", e);
    batch->g = memory_zeroed(n, sizeof *batch->g, "a gradient", e);
    batch->dot = memory_new(batch->chunks, sizeof *batch->dot, "sums", e);
    batch->square = memory_new(batch->chunks, sizeof *batch->square, "sums", e);
    batch->first = memory_zeroed(places, sizeof *batch->first, "the sections of columns", e);
    batch->place = memory_new(batch->size * places, sizeof *batch->place, "the items of a step", e);
    return batch->item != NULL && batch->g != NULL && batch->dot != NULL && batch->square != NULL &&
                   batch->first != NULL && batch->place != NULL
               ? find_sections(batch, e)
               : -1;
}

int batch_step_new(const struct risk *risk, int64_t size, struct batch_step **batch,
                   struct error *e) {
    *batch = NULL;
    if (!pays(risk, size))
        return 0;
    *batch = memory_zeroed(1, sizeof **batch, "a step", e);
    if (*batch == NULL)
        return -1;
    **batch = (struct batch_step){.risk = risk,
                                  .size = size,
                                  .chunks = (risk->dimension + CHUNK - 1) / CHUNK,
                                  .sections = omp_get_max_threads()};
    return allocate(*batch, e); /* batch_step_free frees what there is */
}

void batch_step_free(struct batch_step *batch) {
    if (batch == NULL)
        return;
    free(batch->item);
    free(batch->g);
    free(batch->dot);
    free(batch->square);
    free(batch->first);
    free(batch->place);
    free(batch);
}

bool batch_step_is_dense(const struct batch_step *batch) {
    return batch->dense;
}

int64_t *batch_step_items(struct batch_step *batch) {
    return batch->item;
}

/* ---- g */

/* Adds the entries of section S of all rows to g. */
static void add_section(const struct batch_step *batch, const struct risk_item *item, int s) {
    for (int64_t i = 0; i < batch->size; i++) {
        const int64_t *place = batch->place + i * (batch->sections + 1) + s;
        const struct scaled_row *row = &item[i].row[0];
        if (item[i].rows == 0)
            continue;
        int64_t from = place[0], count = place[1] - from;
        const double *value = row->value == NULL ? NULL : row->value + from;
        if (row->column != NULL)
            sparse_add(batch->g, row->coefficient, row->column + from, value, count);
        else
            vector_add(batch->g + from, row->coefficient, value, count);
    }
}

/* Adds the constants, whose coordinates follow those of the rows. */
static void add_constants(const struct batch_step *batch, const struct risk_item *item) {
    for (int64_t i = 0; i < batch->size; i++)
        for (int p = 1; p < item[i].rows; p++)
            batch->g[item[i].row[p].offset] += item[i].row[p].coefficient * *item[i].row[p].value;
}

/* Computes g. */
static void add_rows(const struct batch_step *batch, const struct risk_item *item) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < batch->size; i++)
            if (item[i].rows > 0)
                find_places(batch, &item[i].row[0], batch->place + i * (batch->sections + 1));
#pragma omp for schedule(static)
        for (int s = 0; s < batch->sections; s++)
            add_section(batch, item, s);
    }
    add_constants(batch, item);
}

void batch_step_sum(struct batch_step *batch, const struct risk_item *item, int64_t least) {
    int64_t entries = 0; /* of the subgradients that are not 0 */
    for (int64_t i = 0; i < batch->size; i++)
        entries += item[i].rows > 0 ? item[i].row[0].count : 0;
    batch->dense = entries >= least;
    if (batch->dense)
        add_rows(batch, item);
}

void batch_step_prefetch(const struct batch_step *batch, int64_t i) {
    const struct risk *risk = batch->risk;
    if (i + PREFETCHED_ADDRESSES < batch->size)
        risk->kind->prefetch(risk, batch->item[i + PREFETCHED_ADDRESSES], true);
    if (i + PREFETCHED_ITEMS < batch->size)
        risk->kind->prefetch(risk, batch->item[i + PREFETCHED_ITEMS], false);
}

double batch_step_losses(struct batch_step *batch, const struct iterate *x,
                         struct risk_item *item) {
    const struct risk *risk = batch->risk;
    double loss = 0;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < batch->size; i++) {
        batch_step_prefetch(batch, i);
        risk->kind->item(risk, batch->item[i], x->v, x->scale, &item[i]);
    }
    for (int64_t i = 0; i < batch->size; i++)
        loss += item[i].loss;
    batch_step_sum(batch, item, risk->dimension);
    return loss;
}

double *batch_step_gradient(struct batch_step *batch) {
    return batch->g;
}

/* ---- the step */

/* The coordinates of chunk c below END: FROM and how many; 0 or less: none. */
static int64_t chunk_of(int64_t c, int64_t end, int64_t *from) {
    *from = c * CHUNK;
    return end - *from < CHUNK ? end - *from : CHUNK;
}

static double sum(const double *partial, int64_t count) {
    double total = 0;
    for (int64_t c = 0; c < count; c++)
        total += partial[c];
    return total;
}

double batch_step_square(struct batch_step *batch) {
    const int64_t n = batch->risk->dimension;
#pragma omp parallel for schedule(static) if (batch->chunks > 1)
    for (int64_t c = 0; c < batch->chunks; c++) {
        int64_t from, count = chunk_of(c, n, &from);
        batch->square[c] = vector_dot(batch->g + from, batch->g + from, count);
    }
    return sum(batch->square, batch->chunks);
}

void batch_step_add(struct batch_step *batch, struct iterate *x, double step, double offset_step) {
    double factor = step / x->scale;
#pragma omp parallel for schedule(static) if (batch->chunks > 1)
    for (int64_t c = 0; c < batch->chunks; c++) {
        int64_t from, count = chunk_of(c, x->regularized, &from);
        count = count > 0 ? count : 0;
        double *v = x->v + from, *g = batch->g + from;
        batch->dot[c] = vector_dot(v, g, count);
        batch->square[c] = vector_dot(g, g, count);
        vector_add(v, factor, g, count);
        if (x->correction != NULL)
            vector_add(x->correction + from, factor * x->scaled_weight_sum, g, count);
    }
    double dot = sum(batch->dot, batch->chunks), square = sum(batch->square, batch->chunks);
    x->square += factor * (2 * dot + factor * square);
    for (int64_t j = x->regularized; j < x->n; j++) {
        x->v[j] += offset_step * batch->g[j];
        if (x->correction != NULL)
            x->correction[j] += offset_step * x->weight_sum * batch->g[j];
    }
    memset(batch->g, 0, sizeof *batch->g * (size_t)x->n);
}
