/* dcd_shared.c - rows that every process has; see dcd_shared.h. */
#include "solvers/dual/dcd_shared.h"

#include "io/memory.h"
#include "math/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_EPOCHS = 20,
    ROWS_PER_EXCHANGE = 128, /* of all processes */
    NUMBERS_OF_A_ROW = 5,    /* numbers of a row in an exchange, before its columns and values */
    ENTRIES_PER_COLUMN = 4   /* of memory for shared rows */
};

static struct communicator *processes(const struct dcd_shared *s) {
    return s->own->terms->design->data->communicator;
}

static int64_t count_columns(const struct dcd_shared *s) {
    return s->own->terms->design->columns;
}

/* ---- begin and end */

int dcd_shared_init(struct dcd_shared *s, struct dcd_rows *own, const struct run_settings *run,
                    struct error *e) {
    static const char what[] = "the rows that processes share";
    const struct design *design = own->terms->design;
    *s = (struct dcd_shared){.own = own, .entries = ENTRIES_PER_COLUMN * design->columns};
    s->taken = memory_zeroed(design->rows, sizeof *s->taken, what, e);
    s->gain = memory_new(2 * design->rows, sizeof *s->gain, what, e);
    s->index = memory_new(DCD_SHARED_MOST, sizeof *s->index, what, e);
    s->data.start = memory_zeroed(DCD_SHARED_MOST + 1, sizeof *s->data.start, what, e);
    s->data.column = memory_new(s->entries, sizeof *s->data.column, what, e);
    s->data.value = memory_new(s->entries, sizeof *s->data.value, what, e);
    s->rows.row = memory_new(DCD_SHARED_MOST, sizeof *s->rows.row, what, e);
    s->rows.losses = memory_new(DCD_SHARED_MOST, sizeof *s->rows.losses, what, e);
    s->rows.order = memory_new(DCD_SHARED_MOST, sizeof *s->rows.order, what, e);
    if (s->taken == NULL || s->gain == NULL || s->index == NULL || s->data.start == NULL ||
        s->data.column == NULL || s->data.value == NULL || s->rows.row == NULL ||
        s->rows.losses == NULL || s->rows.order == NULL)
        return -1;
    s->data.features = design->data->features;
    s->design = (struct design){.data = &s->data,
                                .bias = design->bias,
                                .regularized = design->regularized,
                                .columns = design->columns};
    s->terms.design = &s->design;
    s->rows.problem = own->problem;
    s->rows.terms = &s->terms;
    s->rows.monitor = own->monitor;
    s->rows.tube = own->tube;
    random_seed(&s->rows.random, run->seed, run->stream);
    return 0;
}

void dcd_shared_free(struct dcd_shared *s) {
    free(s->taken);
    free(s->gain);
    free(s->index);
    dataset_free(&s->data);
    dcd_rows_free(&s->rows);
}

/* ---- an exchange */

/* How many rows this process may give; where there are many processes, they take turns. */
static int64_t quota(const struct dcd_shared *s) {
    const struct communicator *c = processes(s);
    int64_t turn = (c->rank + s->exchanges * ROWS_PER_EXCHANGE) % c->size;
    return ROWS_PER_EXCHANGE / c->size + (turn < ROWS_PER_EXCHANGE % c->size);
}

/* The COUNT-th largest gain of the rows that are not shared; infinite where none has any. */
static double least_gain(struct dcd_shared *s, const double *score, int64_t count) {
    int64_t m = s->own->terms->design->rows, found = 0;
    double *largest = s->gain + m;
    for (int64_t i = 0; i < m; i++) {
        s->gain[i] = s->taken[i] ? 0 : dcd_rows_gain(s->own, i, score[i]);
        if (s->gain[i] > 0)
            largest[found++] = -s->gain[i];
    }
    if (count == 0 || found == 0)
        return INFINITY;
    return -select_smallest(largest, found, (count < found ? count : found) - 1, NULL);
}

/* Writes a row. Returns how many numbers it takes. */
static int64_t pack_row(const struct dcd_shared *s, int64_t i, double *to) {
    const struct dataset *data = s->own->terms->design->data;
    const struct dcd_row *row = &s->own->row[i];
    const double *value = dataset_values(data, i);
    int64_t count = dataset_count(data, i);
    double head[NUMBERS_OF_A_ROW] = {row->low, row->high, row->target, row->ridge, (double)count};
    memcpy(to, head, sizeof head);
    for (int64_t k = 0; k < count; k++) {
        to[NUMBERS_OF_A_ROW + 2 * k] = dataset_columns(data, i)[k];
        to[NUMBERS_OF_A_ROW + 2 * k + 1] = value == NULL ? 1 : value[k];
    }
    return NUMBERS_OF_A_ROW + 2 * count;
}

/* Writes at most COUNT rows of at least this gain, as far as they fit among CAPACITY numbers; lists them
 * behind the shared rows in `index`. Returns how many numbers they take. */
static int64_t pack(struct dcd_shared *s, double least, int64_t count, int64_t capacity,
                    double *to) {
    const struct dataset *data = s->own->terms->design->data;
    int64_t used = 0, listed = s->data.rows;
    for (int64_t i = 0; i < data->rows && count > 0; i++) {
        if (s->gain[i] < least || used + NUMBERS_OF_A_ROW + 2 * dataset_count(data, i) > capacity)
            continue;
        used += pack_row(s, i, to + used);
        s->index[listed++] = i;
        count--;
    }
    return used;
}

/* Appends a row; returns how many numbers it takes. */
static int64_t unpack_row(struct dcd_shared *s, const double *from) {
    int64_t i = s->data.rows++, count = (int64_t)from[NUMBERS_OF_A_ROW - 1],
            start = s->data.start[i];
    for (int64_t k = 0; k < count; k++) {
        s->data.column[start + k] = (int32_t)from[NUMBERS_OF_A_ROW + 2 * k];
        s->data.value[start + k] = from[NUMBERS_OF_A_ROW + 2 * k + 1];
    }
    s->data.start[i + 1] = s->data.nonzeros = start + count;
    s->rows.row[i] =
        (struct dcd_row){.low = from[0], .high = from[1], .target = from[2], .ridge = from[3]};
    s->rows.row[i].curvature = row_square(&s->data, i, s->design.bias) + from[3];
    s->rows.order[i] = i;
    return NUMBERS_OF_A_ROW + 2 * count;
}

/* Appends the rows of all processes, TOTAL numbers; those from BEFORE on, OWN numbers, are of this one. */
static void unpack(struct dcd_shared *s, const double *from, int64_t before, int64_t own,
                   int64_t total) {
    int64_t *mine = s->index + s->data.rows, given = 0;
    int64_t listed[ROWS_PER_EXCHANGE];
    memcpy(listed, mine, sizeof listed);
    for (int64_t at = 0; at < total;) {
        bool is_mine = at >= before && at < before + own;
        s->index[s->data.rows] = is_mine ? listed[given++] : -1;
        at += unpack_row(s, from + at);
    }
    for (int64_t k = 0; k < given; k++)
        s->taken[listed[k]] = true;
    s->design.rows = s->rows.count = s->data.rows;
}

void dcd_shared_add(struct dcd_shared *s, const double *score, double *work) {
    struct communicator *c = processes(s);
    int64_t n = count_columns(s), count = quota(s);
    if (s->data.rows + ROWS_PER_EXCHANGE > DCD_SHARED_MOST || s->data.nonzeros + n / 2 > s->entries)
        return;
    double least = least_gain(s, score, count);
    int64_t own = pack(s, least, count, n, work);
    if (communicator_total(c, own) > n)
        own = pack(s, least, count, n / c->size, work);
    int64_t before = communicator_before(c, own);
    unpack(s, work, before, own, communicator_join(c, work, own, 1, n));
    s->exchanges++;
}

/* ---- steps */

void dcd_shared_put(const struct dcd_shared *s, double *beta) {
    for (int64_t k = 0; k < s->data.rows; k++)
        beta[k] = s->index[k] < 0 ? 0 : s->own->row[s->index[k]].beta;
}

double dcd_shared_descend(struct dcd_shared *s, double *w, const double *beta, double tolerance,
                          double *linear) {
    if (s->data.rows == 0)
        return 0;
    for (int64_t k = 0; k < s->data.rows; k++)
        s->rows.row[k].beta = beta[k];
    s->rows.w = w;
    *linear -= dcd_rows_linear(&s->rows);
    double passes = dcd_rows_descend(&s->rows, MAX_EPOCHS, tolerance);
    *linear += dcd_rows_linear(&s->rows);
    for (int64_t k = 0; k < s->data.rows; k++)
        if (s->index[k] >= 0)
            s->own->row[s->index[k]].beta = s->rows.row[k].beta;
    return passes * (double)s->data.nonzeros;
}
