/* multiply.c - rows times a matrix that stays. */
#include "math/multiply.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

static int64_t panels_of(const struct multiplier *m) {
    return (m->columns + MULTIPLY_WIDTH - 1) / MULTIPLY_WIDTH;
}

int multiplier_init(struct multiplier *m, int64_t rows, int64_t columns, struct error *e) {
    *m = (struct multiplier){.rows = rows, .columns = columns};
    m->panel = memory_zeroed(panels_of(m) * rows, MULTIPLY_WIDTH * sizeof(double), "a matrix", e);
    return m->panel == NULL ? -1 : 0;
}

void multiplier_free(struct multiplier *m) {
    free(m->panel);
    *m = (struct multiplier){0};
}

/* One row of A with one panel. */
static void row_by_panel(const double *restrict a, const double *restrict panel, int64_t rows,
                         double *restrict sum) {
    memset(sum, 0, sizeof *sum * MULTIPLY_WIDTH);
    for (int64_t k = 0; k < rows; k++)
        for (int j = 0; j < MULTIPLY_WIDTH; j++)
            sum[j] += a[k] * panel[k * MULTIPLY_WIDTH + j];
}

void multiplier_apply(const struct multiplier *m, const double *a, int64_t count, double *out) {
    for (int64_t panel = 0; panel < panels_of(m); panel++) {
        int64_t first = panel * MULTIPLY_WIDTH, left = m->columns - first;
        int64_t width = left < MULTIPLY_WIDTH ? left : MULTIPLY_WIDTH;
        for (int64_t i = 0; i < count; i++) {
            double sum[MULTIPLY_WIDTH];
            row_by_panel(a + i * m->rows, multiplier_entry(m, 0, first), m->rows, sum);
            memcpy(out + i * m->columns + first, sum, sizeof *sum * (size_t)width);
        }
    }
}
