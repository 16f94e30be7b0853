/* cholesky_set.c - the Cholesky factor of the Gram matrix of a changing set of vectors. */
#include "math/cholesky_set.h"

#include "io/memory.h"
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

void cholesky_set_forward(const struct cholesky_set *set, double *x) {
    for (int i = 0; i < set->size; i++) {
        const double *row = row_of(set, i);
        x[i] = (x[i] - vector_dot(row, x, i)) / row[i];
    }
}

void cholesky_set_backward(const struct cholesky_set *set, double *x) {
    for (int i = set->size - 1; i >= 0; i--) {
        const double *row = row_of(set, i);
        double value = x[i] /= row[i];
        for (int c = 0; c < i; c++)
            x[c] -= value * row[c];
    }
}

double cholesky_set_pivot(const struct cholesky_set *set, double *m, double diagonal) {
    cholesky_set_forward(set, m);
    return diagonal - vector_dot(m, m, set->size);
}

void cholesky_set_append(struct cholesky_set *set, const double *m, double pivot) {
    double *row = row_of(set, set->size);
    for (int c = 0; c < set->size; c++)
        row[c] = m[c];
    row[set->size] = sqrt(pivot);
    set->size++;
}

void cholesky_set_subtract(struct cholesky_set *set, int i, int first) {
    double *row = row_of(set, i);
    const double *other = row_of(set, first);
    for (int c = 0; c <= first; c++)
        row[c] -= other[c];
}

/* Row i, which had i + 1 entries, moves up by one and has i. */
static void move_up(struct cholesky_set *set, int i, int at) {
    const double *from = row_of(set, i);
    double *to = row_of(set, i - 1), *rotation = set->rotation;
    for (int c = 0; c < at; c++)
        to[c] = from[c];
    double carry = from[at];
    for (int c = at; c < i - 1; c++) {
        double cosine = rotation[2 * c], sine = rotation[2 * c + 1], next = from[c + 1];
        to[c] = cosine * carry + sine * next;
        carry = cosine * next - sine * carry;
    }
    double last = from[i], length = sqrt(carry * carry + last * last);
    rotation[2 * (i - 1)] = carry / length;
    rotation[2 * (i - 1) + 1] = last / length;
    to[i - 1] = length;
}

void cholesky_set_remove(struct cholesky_set *set, int at) {
    for (int i = at + 1; i < set->size; i++)
        move_up(set, i, at);
    set->size--;
}
