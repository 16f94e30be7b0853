/* cholesky_wide.c - a Cholesky factor in double-double arithmetic. */
#include "math/matrices/cholesky_wide.h"

#include "io/memory.h"

#include <stdlib.h>

static struct wide *row_of(const struct cholesky_wide *factor, int64_t i) {
    return factor->entry + i * (i + 1) / 2;
}

void cholesky_wide_free(struct cholesky_wide *factor) {
    free(factor->entry);
    *factor = (struct cholesky_wide){0};
}

int cholesky_wide_reserve(struct cholesky_wide *factor, int64_t rows, struct error *e) {
    if (rows <= factor->capacity)
        return 0;
    int64_t capacity = rows < 16 ? 16 : rows + rows / 2;
    void *entry = factor->entry;
    int status = memory_resize(&entry, capacity * (capacity + 1) / 2, sizeof(struct wide),
                               "the factor of a quadratic program", e);
    factor->entry = entry;
    if (status == 0)
        factor->capacity = capacity;
    return status;
}

void cholesky_wide_visit(struct cholesky_wide *factor, int64_t max_rows, struct state *state) {
    int64_t size = state_integer(state, factor->size, 0, max_rows);
    if (!state_holds(state, size * (size + 1) / 2, sizeof *factor->entry))
        return;
    if (cholesky_wide_reserve(factor, size, state_cause(state)) != 0) {
        state_fail(state);
        return;
    }
    factor->size = (int)size;
    state_doubles(state, (double *)factor->entry, size * (size + 1));
}

void cholesky_wide_cut(struct cholesky_wide *factor, int size) {
    if (factor->size > size)
        factor->size = size;
}

/* start - <x, y> */
static struct wide minus_dot(struct wide start, const struct wide *x, const struct wide *y, int n) {
    for (int k = 0; k < n; k++)
        start = wide_subtract(start, wide_times(x[k], y[k]));
    return start;
}

void cholesky_wide_forward(const struct cholesky_wide *factor, struct wide *x) {
    for (int i = 0; i < factor->size; i++) {
        const struct wide *row = row_of(factor, i);
        x[i] = wide_quotient(minus_dot(x[i], row, x, i), row[i]);
    }
}

void cholesky_wide_backward(const struct cholesky_wide *factor, struct wide *x) {
    for (int i = factor->size - 1; i >= 0; i--) {
        const struct wide *row = row_of(factor, i);
        x[i] = wide_quotient(x[i], row[i]);
        for (int c = 0; c < i; c++)
            x[c] = wide_subtract(x[c], wide_times(x[i], row[c]));
    }
}

struct wide cholesky_wide_pivot(const struct cholesky_wide *factor, struct wide *m,
                                struct wide diagonal) {
    cholesky_wide_forward(factor, m);
    return minus_dot(diagonal, m, m, factor->size);
}

void cholesky_wide_append(struct cholesky_wide *factor, const struct wide *m, struct wide pivot) {
    struct wide *row = row_of(factor, factor->size);
    for (int c = 0; c < factor->size; c++)
        row[c] = m[c];
    row[factor->size] = wide_root(pivot);
    factor->size++;
}
