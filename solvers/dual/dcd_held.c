/* dcd_held.c - steps on rows that a reading left in memory; see dcd_held.h. */
#include "solvers/dual/dcd_held.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EPOCHS = 8 }; /* between conjugate gradients */

/* Between two readings: how often steps visit as many entries as all rows have, at most; and the part of the slopes at
 * first that is small enough. */
static const double passes_most = 8, slope_left = 0.02, products_of_step = 2;

/* Bytes of a copy beside its entries: those of struct dcd_rows, of struct dcd_free, and of the arrays here. */
static const double row_bytes = 220;

/* Of the memory, what is meant to be used where not all free rows fit: their number may rise. */
static const double room_left = 0.9;

/* ---- copies */

/* Of a column among those that copies have. */
static int32_t number_of(struct dcd_held *h, int32_t column) {
    if (h->number[column] < 0) {
        h->number[column] = (int32_t)h->data.features;
        h->column[h->data.features++] = column;
    }
    return h->number[column];
}

static void copy_row(struct dcd_held *h, int64_t i, const struct dcd_row *row) {
    const struct dataset *from = h->all->terms->design->data;
    struct dataset *to = &h->data;
    int64_t count = dataset_count(from, i), k = to->rows++, start = to->start[k];
    const double *value = dataset_values(from, i);
    for (int64_t at = 0; at < count; at++)
        to->column[start + at] = number_of(h, dataset_columns(from, i)[at]);
    if (value != NULL)
        memcpy(to->value + start, value, sizeof *value * (size_t)count);
    to->start[k + 1] = to->nonzeros = start + count;
    h->index[k] = i;
    h->rows.row[k] = *row;
    h->rows.order[k] = k;
    h->rows.losses[k] = 0;
}

/* The free rows of a block. */
static void copy_block(void *context, int64_t from, int64_t to) {
    struct dcd_held *h = context;
    const struct dataset *data = h->all->terms->design->data;
    for (int64_t i = from; i < to; i++) {
        const struct dcd_row *row = &h->all->row[i - from];
        int64_t count = dataset_count(data, i);
        double low, high;
        if (!dcd_row_is_free(h->all, row, &low, &high))
            continue;
        h->wanted += (double)count;
        bool fits = h->data.rows < h->most_rows && h->data.nonzeros + count <= h->most_entries;
        if (fits && (h->share >= 1 || random_unit(&h->random) < h->share))
            copy_row(h, i, row);
    }
}

void dcd_held_begin(struct dcd_held *h) {
    for (int64_t c = 0; c < h->data.features; c++)
        h->number[h->column[c]] = -1;
    h->wanted = 0;
    h->data.rows = h->data.nonzeros = h->data.features = 0;
}

/* ---- steps */

/* The weights of the columns that copies have. */
static void take_weights(struct dcd_held *h) {
    const double *w = h->all->w;
    int64_t n = h->data.features;
    for (int64_t c = 0; c < n; c++)
        h->w[c] = w[h->column[c]];
    h->design.columns = h->design.regularized = n;
    if (h->design.bias >= 0)
        h->w[h->design.columns++] = w[h->all->terms->design->data->features];
}

/* FROM: of the columns that copies have; TO: of all. */
static void put_weights(const struct dcd_held *h, const double *from, double *to) {
    int64_t n = h->data.features;
    for (int64_t c = 0; c < n; c++)
        to[h->column[c]] = from[c];
    if (h->design.bias >= 0)
        to[h->all->terms->design->data->features] = from[n];
}

static void begin_steps(struct dcd_held *h) {
    h->share = fmin(1, room_left * (double)h->most_entries / h->wanted);
    h->rows.block = h->rows.count = h->design.rows = h->data.rows;
    take_weights(h);
    dcd_rows_activate(&h->rows);
}

static double largest_slope(const struct dcd_held *h) {
    return fmax(h->rows.top, -h->rows.bottom);
}

/* Epochs and conjugate gradients, until the slopes are a small part of those at first. */
static void descend(struct dcd_held *h, struct batch *batch) {
    double left = passes_most * (double)h->all->terms->design->data->nonzeros, first = 0;
    double entries = (double)h->data.nonzeros;
    while (left > 0 && monitor_poll(batch->monitor) == VERDICT_GO_ON) {
        double slope = 0;
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            left -= entries * dcd_rows_epoch(&h->rows);
            slope = largest_slope(h);
            first = fmax(first, slope);
        }
        (void)dcd_free_collect(&h->free);
        dcd_free_improve(&h->free, batch);
        left -= products_of_step * (double)h->free.steps * h->free.x.nonzeros;
        dcd_rows_reopen(&h->rows);
        if (slope <= slope_left * first)
            break;
    }
}

bool dcd_held_descend(struct dcd_held *h, struct batch *batch, double *asked) {
    if (h->data.rows == 0)
        return false;
    begin_steps(h);
    descend(h, batch);
    for (int64_t k = 0; k < h->data.rows; k++)
        h->all->beta[h->index[k]] = h->rows.row[k].beta;
    put_weights(h, h->w, h->all->w);
    memcpy(asked, h->all->w, sizeof *asked * (size_t)h->all->terms->design->columns);
    (void)dcd_free_smooth(&h->free, h->w);
    put_weights(h, h->w, asked);
    return h->wanted <= (double)h->data.nonzeros;
}

/* ---- begin and end */

/* As many rows of a usual length as fit. */
static void set_sizes(struct dcd_held *h) {
    const struct dataset *data = h->all->terms->design->data;
    double rows = (double)data->rows, entries = fmax(1, (double)data->nonzeros);
    double entry = sizeof *data->column + (dataset_has_values(data) ? sizeof *data->value : 0);
    double most = data->window->spare / (row_bytes + entry * entries / rows);
    h->most_rows = (int64_t)fmin(rows, most);
    h->most_entries = (int64_t)fmin(entries, most * entries / rows);
}

int dcd_held_init(struct dcd_held *h, struct dcd_rows *all, const struct run_settings *run,
                  struct error *e) {
    static const char what[] = "copies of rows";
    const struct design *design = all->terms->design;
    *h = (struct dcd_held){.all = all, .share = 1};
    set_sizes(h);
    int64_t columns = design->columns < h->most_entries + 1 ? design->columns : h->most_entries + 1;
    h->index = memory_new(h->most_rows, sizeof *h->index, what, e);
    h->number = memory_new(design->columns, sizeof *h->number, what, e);
    h->column = memory_new(columns, sizeof *h->column, what, e);
    h->w = memory_new(columns, sizeof *h->w, what, e);
    h->data.start = memory_zeroed(h->most_rows + 1, sizeof *h->data.start, what, e);
    h->data.column = memory_new(h->most_entries, sizeof *h->data.column, what, e);
    if (dataset_has_values(design->data))
        h->data.value = memory_new(h->most_entries, sizeof *h->data.value, what, e);
    h->rows.row = memory_new(h->most_rows, sizeof *h->rows.row, what, e);
    h->rows.losses = memory_new(h->most_rows, sizeof *h->rows.losses, what, e);
    h->rows.order = memory_new(h->most_rows, sizeof *h->rows.order, what, e);
    h->rows.state = memory_new(h->most_rows, sizeof *h->rows.state, what, e);
    if (h->index == NULL || h->number == NULL || h->column == NULL || h->w == NULL ||
        h->data.start == NULL || h->data.column == NULL ||
        (h->data.value == NULL && dataset_has_values(design->data)) || h->rows.row == NULL ||
        h->rows.losses == NULL || h->rows.order == NULL || h->rows.state == NULL)
        return -1;
    for (int64_t j = 0; j < design->columns; j++)
        h->number[j] = -1;
    h->rows.w = h->w;
    h->design = (struct design){
        .data = &h->data, .rows = h->most_rows, .bias = design->bias, .columns = columns};
    h->terms.design = &h->design;
    h->rows.problem = all->problem;
    h->rows.terms = &h->terms;
    h->rows.monitor = all->monitor;
    h->rows.tube = all->tube;
    h->rows.copies = true;
    random_seed(&h->rows.random, run->seed, run->stream);
    random_seed(&h->random, run->seed, run->stream);
    all->after_block = copy_block;
    all->context = h;
    return dcd_free_init(&h->free, &h->rows, e);
}

void dcd_held_free(struct dcd_held *h) {
    dcd_free_free(&h->free);
    dcd_rows_free(&h->rows);
    dataset_free(&h->data);
    free(h->index);
    free(h->number);
    free(h->column);
    free(h->w);
}

void dcd_held_visit(struct dcd_held *h, struct state *state) {
    random_visit(&h->rows.random, state);
    random_visit(&h->random, state);
    h->free.steps_most = state_integer(state, h->free.steps_most, 0, INT64_MAX);
    STATE_REALS(state, &h->share);
}
