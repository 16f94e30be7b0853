/* dcd_balance.c - some rows take up what the sum of beta is away from 0; see dcd_offset.h. */
#include "solvers/dual/dcd_rows.h"

#include <math.h>
#include <string.h>

/* The first `rows` of the order have so much room. */
struct balance {
    double sum, room;
    int64_t rows;
    bool any; /* rows at the ends of their intervals move, too */
};

double dcd_rows_sum(const struct dcd_rows *rows) {
    double sum = 0;
    for (int64_t i = 0; i < rows->terms->design->rows; i++)
        sum += rows->row[i].beta;
    return sum;
}

/* How far the variable may move towards the balance. */
static double room_of(const struct dcd_rows *rows, const struct dcd_row *row,
                      const struct balance *by) {
    double low, high;
    bool free = dcd_row_is_free(rows, row, &low, &high), down = by->sum > 0;
    if (!free && !by->any)
        return 0;
    double end = down ? (by->any ? row->low : low) : (by->any ? row->high : high);
    double room = fabs(end - row->beta);
    return isfinite(room) ? room : fabs(row->beta);
}

/* Several times the room that is needed, if there is as much. */
static void find_room(const struct dcd_rows *rows, struct balance *by) {
    static const double enough = 8;
    by->room = 0;
    for (by->rows = 0; by->rows < rows->count && by->room < enough * fabs(by->sum); by->rows++)
        by->room += room_of(rows, &rows->row[rows->order[by->rows]], by);
}

/* Free rows, or if they have not the room any: they have, since all beta may be 0. */
static struct balance choose(const struct dcd_rows *rows) {
    struct balance by = {.sum = dcd_rows_sum(rows)};
    find_room(rows, &by);
    if (by.room < fabs(by.sum)) {
        by.any = true;
        find_room(rows, &by);
    }
    return by;
}

static double balanced(const struct dcd_rows *rows, const struct dcd_row *row,
                       const struct balance *by) {
    double beta = row->beta;
    if (by->room > 0)
        beta -= by->sum * fmin(1, room_of(rows, row, by) / by->room);
    return clip(beta, row->low, row->high);
}

void dcd_rows_balance(struct dcd_rows *rows) {
    struct balance by = choose(rows);
    double *b = &rows->w[rows->problem->risk->regularized], kept = *b;
    for (int64_t k = 0; k < by.rows; k++) {
        int64_t i = rows->order[k];
        struct dcd_row *row = &rows->row[i];
        double beta = balanced(rows, row, &by);
        design_add(rows->terms->design, rows->w, beta - row->beta, i);
        row->beta = beta;
    }
    *b = kept;
}

double dcd_rows_balanced_bound(const struct dcd_rows *rows, double *work) {
    int64_t n = rows->problem->risk->regularized;
    struct balance by = choose(rows);
    double linear = dcd_rows_linear(rows);
    memcpy(work, rows->w, sizeof *work * (size_t)n);
    for (int64_t k = 0; k < by.rows; k++) {
        int64_t i = rows->order[k];
        const struct dcd_row *row = &rows->row[i];
        double beta = balanced(rows, row, &by), step = beta - row->beta;
        if (step == 0)
            continue;
        linear += step * (row->target - row->ridge * (beta + row->beta) / 2) -
                  rows->tube * (fabs(beta) - fabs(row->beta));
        held_add(work, step, rows->terms->design->data, i);
    }
    return rows->problem->lambda * (linear - vector_dot(work, work, n) / 2);
}
