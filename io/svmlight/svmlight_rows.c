/* svmlight_rows.c - fills arrays that were not stored, as all their numbers were 1. */
#include "io/svmlight/svmlight_rows.h"

static void fill(double *array, int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++)
        array[i] = 1;
}

void svmlight_fill_values(struct svmlight_rows *rows) {
    fill(rows->value, rows->first_nonzero, rows->nonzero);
    rows->has_values = true;
}

void svmlight_fill_weights(struct svmlight_rows *rows) {
    fill(rows->weight, rows->first_row, rows->row);
    rows->has_weights = true;
}
