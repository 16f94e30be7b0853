/* cholesky_set.c - the Cholesky factor of the Gram matrix of a changing set of vectors. */
#include "math/matrices/cholesky_set.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

static double *row_of(const struct cholesky_set *set, int64_t i) {
    return set->entry + i * (i + 1) / 2;
}

void cholesky_set_free(struct cholesky_set *set) {
    free(set->entry);
    free(set->rotation);
    *set = (struct cholesky_set){0};
}

int cholesky_set_reserve(struct cholesky_set *set, int64_t rows, struct error *e) {
    if (rows <= set->capacity)
        return 0;
    int64_t capacity = rows < 16 ? 16 : rows + rows / 2;
    void *entry = set->entry, *rotation = set->rotation;
    int status = memory_resize(&entry, capacity * (capacity + 1) / 2, sizeof(double),
                               "the factor of a quadratic program", e);
    set->entry = entry;
    if (status == 0)
        status = memory_resize(&rotation, 2 * capacity, sizeof(double),
                               "the factor of a quadratic program", e);
    set->rotation = rotation;
    if (status == 0)
        set->capacity = capacity;
    return status;
}

void cholesky_set_visit(struct cholesky_set *set, int64_t max_rows, struct state *state) {
    int64_t size = state_integer(state, set->size, 0, max_rows);
    if (!state_holds(state, size * (size + 1) / 2, sizeof *set->entry))
        return;
    if (cholesky_set_reserve(set, size, state_cause(state)) != 0) {
        state_fail(state);
        return;
    }
    set->size = (int)size;
    state_doubles(state, set->entry, size * (size + 1) / 2);
}

enum {
    MIN_WIDE_LENGTH = 64, /* numbers for which the widest vectors are faster */
    TOGETHER = CHOLESKY_SET_TOGETHER
};

static double dot(const double *x, const double *y, int64_t n) {
    return n < MIN_WIDE_LENGTH ? vector_dot(x, y, n) : vector_dot_wide(x, y, n);
}

void cholesky_set_forward(const struct cholesky_set *set, double *x) {
    for (int i = 0; i < set->size; i++) {
        const double *row = row_of(set, i);
        x[i] = (x[i] - dot(row, x, i)) / row[i];
    }
}

void cholesky_set_forward_together(const struct cholesky_set *set, double *const *x) {
    for (int i = 0; i < set->size; i++) {
        const double *row = row_of(set, i);
        double sum[TOGETHER];
        vector_dots_wide(row, x, i, sum);
        for (int j = 0; j < TOGETHER; j++)
            x[j][i] = (x[j][i] - sum[j]) / row[i];
    }
}

void cholesky_set_backward(const struct cholesky_set *set, double *x) {
    for (int i = set->size - 1; i >= 0; i--) {
        const double *row = row_of(set, i);
        double value = x[i] /= row[i];
        if (i < MIN_WIDE_LENGTH)
            for (int c = 0; c < i; c++)
                x[c] -= value * row[c];
        else
            vector_add_wide(x, -value, row, i);
    }
}

double cholesky_set_pivot(const struct cholesky_set *set, double *m, double diagonal) {
    cholesky_set_forward(set, m);
    return diagonal - dot(m, m, set->size);
}

void cholesky_set_append(struct cholesky_set *set, const double *m, double pivot) {
    double *row = row_of(set, set->size);
    for (int c = 0; c < set->size; c++)
        row[c] = m[c];
    row[set->size] = sqrt(pivot);
    set->size++;
}

double cholesky_set_extend(const struct cholesky_set *set, const double *x, double value) {
    int last = set->size - 1;
    const double *row = row_of(set, last);
    return (value - dot(row, x, last)) / row[last];
}

void cholesky_set_subtract(struct cholesky_set *set, int i, int first) {
    double *row = row_of(set, i);
    const double *other = row_of(set, first);
    for (int c = 0; c <= first; c++)
        row[c] -= other[c];
}

/* Copies the entries of row i before column AT, which do not change, to row i - 1. */
static void copy_up(struct cholesky_set *set, int i, int at) {
    const double *from = row_of(set, i);
    double *to = row_of(set, i - 1);
    for (int c = 0; c < at; c++)
        to[c] = from[c];
}

/* Applies the rotations from <= c < to to row i and writes row i - 1. CARRY: the entry that rotation FROM starts with;
 * returns the one of rotation TO. */
static double rotate_up(struct cholesky_set *set, int i, int from, int to, double carry) {
    const double *x = row_of(set, i), *rotation = set->rotation;
    double *y = row_of(set, i - 1);
    for (int c = from; c < to; c++) {
        double cosine = rotation[2 * c], sine = rotation[2 * c + 1], next = x[c + 1];
        y[c] = cosine * carry + sine * next;
        carry = cosine * next - sine * carry;
    }
    return carry;
}

/* Computes the rotation that makes the last entry of row i zero, and the diagonal entry of row i - 1. */
static void finish_row(struct cholesky_set *set, int i, double carry) {
    double last = row_of(set, i)[i], length = sqrt(carry * carry + last * last);
    set->rotation[2 * (i - 1)] = carry / length;
    set->rotation[2 * (i - 1) + 1] = last / length;
    row_of(set, i - 1)[i - 1] = length;
}

/* Makes row i of the factor row i - 1 after row AT was removed; the rows between are already done. */
static void move_up(struct cholesky_set *set, int i, int at) {
    double carry = row_of(set, i)[at];
    copy_up(set, i, at);
    finish_row(set, i, rotate_up(set, i, at, i - 1, carry));
}

/* The same for rows i to i + 3 together: the steps of one row depend on each other, those of different rows do not. */
static void move_four_up(struct cholesky_set *set, int i, int at) {
    const double *rotation = set->rotation;
    const double *x0 = row_of(set, i), *x1 = x0 + i + 1, *x2 = x1 + i + 2, *x3 = x2 + i + 3;
    double *y0 = row_of(set, i - 1), *y1 = y0 + i, *y2 = y1 + i + 1, *y3 = y2 + i + 2;
    double carry[4] = {x0[at], x1[at], x2[at], x3[at]};
    for (int k = 0; k < 4; k++)
        copy_up(set, i + k, at);
    for (int c = at; c < i - 1; c++) {
        double cosine = rotation[2 * c], sine = rotation[2 * c + 1];
        double n0 = x0[c + 1], n1 = x1[c + 1], n2 = x2[c + 1], n3 = x3[c + 1];
        y0[c] = cosine * carry[0] + sine * n0;
        y1[c] = cosine * carry[1] + sine * n1;
        y2[c] = cosine * carry[2] + sine * n2;
        y3[c] = cosine * carry[3] + sine * n3;
        carry[0] = cosine * n0 - sine * carry[0];
        carry[1] = cosine * n1 - sine * carry[1];
        carry[2] = cosine * n2 - sine * carry[2];
        carry[3] = cosine * n3 - sine * carry[3];
    }
    for (int k = 0; k < 4; k++)
        finish_row(set, i + k, rotate_up(set, i + k, i - 1, i + k - 1, carry[k]));
}

void cholesky_set_remove(struct cholesky_set *set, int at) {
    int i = at + 1;
    for (; i + 3 < set->size; i += 4)
        move_four_up(set, i, at);
    for (; i < set->size; i++)
        move_up(set, i, at);
    set->size--;
}

double cholesky_set_rotate(const struct cholesky_set *set, int at, double *x) {
    double carry = x[at];
    for (int c = at; c < set->size; c++) {
        double cosine = set->rotation[2 * c], sine = set->rotation[2 * c + 1], next = x[c + 1];
        x[c] = cosine * carry + sine * next;
        carry = cosine * next - sine * carry;
    }
    return carry;
}
