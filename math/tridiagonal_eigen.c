/* tridiagonal_eigen.c - divide and conquer, down to single rows.
 *
 * A part is the rows lo <= i < hi of T; its eigenvectors are in the same rows and columns of `vector`,
 * as rows, in any order, that of ascending eigenvalues in order[lo..hi). */
#include "math/tridiagonal_eigen.h"

#include "io/memory.h"
#include "math/multiply.h"
#include "math/secular.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 48,    /* rows that a thread multiplies */
    COLUMNS = 64,  /* that a thread adjusts */
    THREADED = 128 /* rows from which on threads pay */
};

enum kind { FIRST, BOTH, SECOND, KINDS, ASIDE }; /* the half where a row has entries */

struct part {
    int64_t lo, middle, hi;
    int64_t count;        /* rows that are not set aside */
    int64_t kinds[KINDS]; /* of each kind */
    struct secular secular;
};

struct divide {
    int64_t n;
    double *d, *e, *vector;
    int64_t *order;
    double *z;                          /* n */
    double *poles, *weights, *adjusted; /* n: of the rows that are not set aside, ascending */
    double *root;                       /* n: of these */
    double *u;                          /* n x n: roots' distances, then eigenvectors as rows */
    double *row;                        /* n by thread */
    int64_t *kept, *aside;              /* n: rows by ascending eigenvalue */
    int64_t *place; /* n: of kept rows in the order of kinds; where rows set aside go */
    unsigned char *kind;
    struct multiplier half;
    const struct interruption *interrupted;
};

static int divide_init(struct divide *v, struct error *e) {
    int64_t n = v->n, threads = omp_get_max_threads();
    static const char what[] = "eigenvectors";
    v->z = memory_new((5 + threads) * n, sizeof *v->z, what, e);
    v->u = memory_new(n, sizeof *v->u * (size_t)n, what, e);
    v->kept = memory_new(3 * n, sizeof *v->kept, what, e);
    v->kind = memory_new(n, sizeof *v->kind, what, e);
    if (v->z == NULL || v->u == NULL || v->kept == NULL || v->kind == NULL ||
        multiplier_init(&v->half, n, (n + 1) / 2, e) != 0)
        return -1;
    v->poles = v->z + n;
    v->weights = v->poles + n;
    v->adjusted = v->weights + n;
    v->root = v->adjusted + n;
    v->row = v->root + n;
    v->aside = v->kept + n;
    v->place = v->aside + n;
    return 0;
}

static void divide_free(struct divide *v) {
    free(v->z);
    free(v->u);
    free(v->kept);
    free(v->kind);
    multiplier_free(&v->half);
}

/* Two ascending lists of rows, one behind the other, become one in v->order. */
static void merge_order(struct divide *v, int64_t lo, const int64_t *first, int64_t firsts,
                        const int64_t *second, int64_t seconds) {
    int64_t *to = v->order + lo;
    while (firsts > 0 || seconds > 0) {
        bool one = seconds == 0 || (firsts > 0 && v->d[*first] <= v->d[*second]);
        *to++ = one ? *first++ : *second++;
        firsts -= one;
        seconds -= !one;
    }
}

/* z, its norm made 1, and rho; the order of all rows. */
static double find_z(struct divide *v, const struct part *p, double beta) {
    int64_t n = v->n, firsts = p->middle - p->lo, seconds = p->hi - p->middle;
    for (int64_t i = p->lo; i < p->hi; i++) {
        bool first = i < p->middle;
        double x = v->vector[i * n + (first ? p->middle - 1 : p->middle)];
        v->z[i] = (first ? x : copysign(1, beta) * x) * M_SQRT1_2;
        v->kind[i] = first ? FIRST : SECOND;
    }
    memcpy(v->place, v->order + p->lo, sizeof *v->place * (size_t)(p->hi - p->lo));
    merge_order(v, p->lo, v->place, firsts, v->place + firsts, seconds);
    return 2 * fabs(beta);
}

/* Turns rows `from` and `to` so that z is 0 at `from`, which is set aside. */
static void rotate(struct divide *v, const struct part *p, int64_t from, int64_t to, double c,
                   double s) {
    double *x = v->vector + from * v->n, *y = v->vector + to * v->n;
    double low = v->d[from], high = v->d[to];
    for (int64_t k = p->lo; k < p->hi; k++) {
        double old = x[k];
        x[k] = c * old - s * y[k];
        y[k] = c * y[k] + s * old;
    }
    v->d[to] = low * s * s + high * c * c;
    v->d[from] = low * c * c + high * s * s;
    if (v->kind[from] != v->kind[to])
        v->kind[to] = BOTH;
}

/* Keeps the rows that change: z is not 0 to rounding, and no two eigenvalues are equal. */
static void deflate(struct divide *v, struct part *p, double rho) {
    double largest = 0;
    int64_t last = -1, asides = 0;
    for (int64_t i = p->lo; i < p->hi; i++)
        largest = fmax(largest, fmax(fabs(v->d[i]), fabs(v->z[i])));
    double rounding = 4 * DBL_EPSILON * largest;
    p->count = 0;
    for (int64_t k = p->lo; k < p->hi; k++) {
        int64_t i = v->order[k];
        if (rho * fabs(v->z[i]) <= rounding) {
            v->aside[asides++] = i;
            continue;
        }
        if (last >= 0) {
            double length = hypot(v->z[i], v->z[last]);
            double c = v->z[i] / length, s = v->z[last] / length;
            if (fabs((v->d[i] - v->d[last]) * c * s) <= rounding) {
                v->z[i] = length;
                rotate(v, p, last, i, c, s);
                v->aside[asides++] = last;
            } else {
                v->kept[p->count++] = last;
            }
        }
        last = i;
    }
    if (last >= 0)
        v->kept[p->count++] = last;
    for (int64_t k = 0; k < asides; k++)
        v->kind[v->aside[k]] = ASIDE;
}

/* Places of the kept rows by kind, and the equation. */
static void collect(struct divide *v, struct part *p, double rho) {
    int64_t next[KINDS] = {0};
    memset(p->kinds, 0, sizeof p->kinds);
    for (int64_t k = 0; k < p->count; k++)
        p->kinds[v->kind[v->kept[k]]]++;
    next[BOTH] = p->kinds[FIRST];
    next[SECOND] = p->kinds[FIRST] + p->kinds[BOTH];
    for (int64_t k = 0; k < p->count; k++) {
        int64_t i = v->kept[k];
        v->poles[k] = v->d[i];
        v->weights[k] = v->z[i];
        v->place[k] = next[v->kind[i]]++;
    }
    p->secular = (struct secular){.n = p->count, .d = v->poles, .z = v->weights, .rho = rho};
}

/* Row j of u: the eigenvector of root j, its entries in the order of kinds. */
static void find_vector(struct divide *v, const struct part *p, int64_t j) {
    double *u = v->u + j * p->count, *x = v->row + omp_get_thread_num() * v->n, square = 0;
    for (int64_t i = 0; i < p->count; i++) {
        x[i] = v->adjusted[i] / u[i];
        square += x[i] * x[i];
    }
    double length = sqrt(square);
    for (int64_t i = 0; i < p->count; i++)
        u[v->place[i]] = x[i] / length;
}

/* -1 when interrupted. */
static int find_vectors(struct divide *v, const struct part *p) {
    int64_t count = p->count;
    bool asks = count >= THREADED;
#pragma omp parallel if (count >= THREADED)
    {
#pragma omp for schedule(dynamic, 8)
        for (int64_t j = 0; j < count; j++)
            if (!asks || !interruption_came(v->interrupted))
                v->root[j] = secular_root(&p->secular, j, v->u + j * count);
#pragma omp for schedule(dynamic, 1)
        for (int64_t from = 0; from < count; from += COLUMNS)
            secular_adjust(&p->secular, v->u, from, from + COLUMNS < count ? from + COLUMNS : count,
                           v->adjusted);
#pragma omp for schedule(static)
        for (int64_t j = 0; j < count; j++)
            find_vector(v, p, j);
    }
    return interruption_came(v->interrupted) ? -1 : 0;
}

/* Rows set aside move behind the others, the columns from <= k < to. */
static void make_way(struct divide *v, const struct part *p, int64_t from, int64_t to) {
    int64_t target = p->hi;
    for (int64_t i = p->hi - 1; i >= p->lo; i--)
        if (v->kind[i] == ASIDE && --target != i)
            memcpy(v->vector + target * v->n + from, v->vector + i * v->n + from,
                   sizeof(double) * (size_t)(to - from));
}

/* The columns of one half: u, from its column `first` on, times the rows of two kinds. -1 when interrupted. */
static int multiply_half(struct divide *v, const struct part *p, int64_t first, enum kind other,
                         int64_t from, int64_t to) {
    int64_t n = v->n, depth = p->kinds[other] + p->kinds[BOTH], count = p->count;
    multiplier_resize(&v->half, depth, to - from);
    for (int64_t k = 0; k < count; k++) {
        int64_t row = v->kept[k];
        if (v->kind[row] == other || v->kind[row] == BOTH)
            multiplier_set_row(&v->half, v->place[k] - first, v->vector + row * n + from);
    }
    make_way(v, p, from, to);
#pragma omp parallel for schedule(dynamic, 1) if (count >= THREADED)
    for (int64_t top = 0; top < count; top += CHUNK) {
        if (interruption_came(v->interrupted))
            continue;
        int64_t rows = count - top < CHUNK ? count - top : CHUNK;
        double *out = v->vector + (p->lo + top) * n + from;
        for (int64_t i = 0; i < rows; i++)
            memset(out + i * n, 0, sizeof *out * (size_t)(to - from));
        multiplier_add_all(&v->half, v->u + top * count + first, count, rows, out, n);
    }
    return interruption_came(v->interrupted) ? -1 : 0;
}

/* Insertion, of rows that rotations have hardly brought out of order. */
static void sort(const double *d, int64_t *row, int64_t count) {
    for (int64_t k = 1; k < count; k++) {
        int64_t moved = row[k], to = k;
        for (; to > 0 && d[row[to - 1]] > d[moved]; to--)
            row[to] = row[to - 1];
        row[to] = moved;
    }
}

/* The eigenvalues go where their vectors are; the order of both kinds of rows. */
static void settle(struct divide *v, const struct part *p) {
    int64_t target = p->hi;
    for (int64_t i = p->hi - 1; i >= p->lo; i--)
        if (v->kind[i] == ASIDE) {
            v->d[--target] = v->d[i];
            v->place[i] = target;
        }
    int64_t asides = p->hi - target;
    for (int64_t k = 0; k < asides; k++)
        v->aside[k] = v->place[v->aside[k]];
    for (int64_t j = 0; j < p->count; j++) {
        v->d[p->lo + j] = v->root[j];
        v->kept[j] = p->lo + j;
    }
    sort(v->d, v->aside, asides);
    merge_order(v, p->lo, v->kept, p->count, v->aside, asides);
}

static int join(struct divide *v, struct part *p, double beta) {
    double rho = find_z(v, p, beta);
    deflate(v, p, rho);
    collect(v, p, rho);
    if (find_vectors(v, p) != 0 || multiply_half(v, p, 0, FIRST, p->lo, p->middle) != 0 ||
        multiply_half(v, p, p->kinds[FIRST], SECOND, p->middle, p->hi) != 0)
        return -1;
    settle(v, p);
    return 0;
}

static int solve(struct divide *v, int64_t lo, int64_t hi) {
    if (hi - lo <= 1) {
        v->order[lo] = lo;
        v->vector[lo * v->n + lo] = 1;
        return 0;
    }
    struct part part = {.lo = lo, .middle = lo + (hi - lo) / 2, .hi = hi};
    double beta = v->e[part.middle - 1];
    v->d[part.middle - 1] -= fabs(beta);
    v->d[part.middle] -= fabs(beta);
    return solve(v, lo, part.middle) != 0 || solve(v, part.middle, hi) != 0 ||
                   join(v, &part, beta) != 0
               ? -1
               : 0;
}

int tridiagonal_eigen(double *d, double *e, int64_t n, double *vector, int64_t *order,
                      const struct interruption *interrupted, struct error *error) {
    struct divide v = {
        .n = n, .d = d, .e = e, .vector = vector, .order = order, .interrupted = interrupted};
    int status = divide_init(&v, error);
    if (status == 0) {
        memset(vector, 0, sizeof *vector * (size_t)(n * n));
        if (n > 0)
            status = solve(&v, 0, n);
    }
    divide_free(&v);
    return status;
}
