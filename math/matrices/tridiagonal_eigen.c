/* tridiagonal_eigen.c - eigenvalues and eigenvectors of a tridiagonal matrix by divide and conquer, down to single
 * rows.
 *
 * A block is the rows and columns lo .. hi - 1 of T. Its eigenvectors are the rows lo .. hi - 1 of `vector`, in the
 * columns lo .. hi - 1, in any order; order[lo .. hi - 1] lists them by ascending eigenvalue. Two halves are joined
 * by find_z (the rank-1 term), deflate (eigenvectors that stay as they are), collect and find_vectors (the secular
 * equation), multiply_half (the new eigenvectors) and finish_join. "Deflated" rows are those that the join does not
 * change. */
#include "math/matrices/tridiagonal_eigen.h"

#include "io/memory.h"
#include "math/matrices/multiply.h"
#include "math/matrices/secular.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_ROWS = 48,       /* rows of a product in a thread's task */
    ADJUSTED_COLUMNS = 64, /* weights in a thread's task */
    MIN_PARALLEL_ROWS = 128
};

enum kind {
    FIRST_HALF,
    BOTH_HALVES,
    SECOND_HALF,
    KINDS,
    DEFLATED
}; /* the half in which an eigenvector has entries */

struct block {
    int64_t lo, middle, hi;
    int64_t count;        /* rows that are not deflated */
    int64_t kinds[KINDS]; /* of each kind */
    struct secular secular;
};

struct divide {
    int64_t n;
    double *d, *e, *vector;
    int64_t *order;
    double *z;                          /* n */
    double *poles, *weights, *adjusted; /* n: of the rows that are not deflated, poles ascending */
    double *root;                       /* n: their new eigenvalues */
    double *u;                /* n x n: distances of roots and poles, then eigenvectors as rows */
    double *row;              /* n for each thread */
    int64_t *kept, *deflated; /* n: rows by ascending eigenvalue */
    int64_t *position;        /* n: of kept rows, sorted by kind; and the target of deflated rows */
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
    v->deflated = v->kept + n;
    v->position = v->deflated + n;
    return 0;
}

static void divide_free(struct divide *v) {
    free(v->z);
    free(v->u);
    free(v->kept);
    free(v->kind);
    multiplier_free(&v->half);
}

/* Merges two lists of rows, each by ascending eigenvalue, into v->order from LO on. */
static void merge_order(struct divide *v, int64_t lo, const int64_t *first, int64_t firsts,
                        const int64_t *second, int64_t seconds) {
    int64_t *to = v->order + lo;
    while (firsts > 0 || seconds > 0) {
        bool from_first = seconds == 0 || (firsts > 0 && v->d[*first] <= v->d[*second]);
        *to++ = from_first ? *first++ : *second++;
        firsts -= from_first;
        seconds -= !from_first;
    }
}

/* Computes z of the rank-1 term rho z z', scaled to norm 1, and merges the orders of the halves. Returns rho. */
static double find_z(struct divide *v, const struct block *p, double beta) {
    int64_t n = v->n, firsts = p->middle - p->lo, seconds = p->hi - p->middle;
    for (int64_t i = p->lo; i < p->hi; i++) {
        bool first = i < p->middle;
        double x = v->vector[i * n + (first ? p->middle - 1 : p->middle)];
        v->z[i] = (first ? x : copysign(1, beta) * x) * M_SQRT1_2;
        v->kind[i] = first ? FIRST_HALF : SECOND_HALF;
    }
    memcpy(v->position, v->order + p->lo, sizeof *v->position * (size_t)(p->hi - p->lo));
    merge_order(v, p->lo, v->position, firsts, v->position + firsts, seconds);
    return 2 * fabs(beta);
}

/* Rotates the eigenvectors `from` and `to` so that z is 0 at `from`, which is then deflated. */
static void rotate(struct divide *v, const struct block *p, int64_t from, int64_t to, double c,
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
        v->kind[to] = BOTH_HALVES;
}

/* Deflates rows whose z is 0 up to rounding and one of each two rows with equal eigenvalues; the others are kept. */
static void deflate(struct divide *v, struct block *p, double rho) {
    double largest = 0;
    int64_t last = -1, deflations = 0;
    for (int64_t i = p->lo; i < p->hi; i++)
        largest = fmax(largest, fmax(fabs(v->d[i]), fabs(v->z[i])));
    double rounding = 4 * DBL_EPSILON * largest;
    p->count = 0;
    for (int64_t k = p->lo; k < p->hi; k++) {
        int64_t i = v->order[k];
        if (rho * fabs(v->z[i]) <= rounding) {
            v->deflated[deflations++] = i;
            continue;
        }
        if (last >= 0) {
            double length = hypot(v->z[i], v->z[last]);
            double c = v->z[i] / length, s = v->z[last] / length;
            if (fabs((v->d[i] - v->d[last]) * c * s) <= rounding) {
                v->z[i] = length;
                rotate(v, p, last, i, c, s);
                v->deflated[deflations++] = last;
            } else {
                v->kept[p->count++] = last;
            }
        }
        last = i;
    }
    if (last >= 0)
        v->kept[p->count++] = last;
    for (int64_t k = 0; k < deflations; k++)
        v->kind[v->deflated[k]] = DEFLATED;
}

/* Sorts the kept rows by kind and sets up the secular equation. */
static void collect(struct divide *v, struct block *p, double rho) {
    int64_t next[KINDS] = {0};
    memset(p->kinds, 0, sizeof p->kinds);
    for (int64_t k = 0; k < p->count; k++)
        p->kinds[v->kind[v->kept[k]]]++;
    next[BOTH_HALVES] = p->kinds[FIRST_HALF];
    next[SECOND_HALF] = p->kinds[FIRST_HALF] + p->kinds[BOTH_HALVES];
    for (int64_t k = 0; k < p->count; k++) {
        int64_t i = v->kept[k];
        v->poles[k] = v->d[i];
        v->weights[k] = v->z[i];
        v->position[k] = next[v->kind[i]]++;
    }
    p->secular = (struct secular){.n = p->count, .d = v->poles, .z = v->weights, .rho = rho};
}

/* Row j of u: the eigenvector of root j, its entries sorted by kind. */
static void compute_vector(struct divide *v, const struct block *p, int64_t j) {
    double *u = v->u + j * p->count, *x = v->row + omp_get_thread_num() * v->n, square = 0;
    for (int64_t i = 0; i < p->count; i++) {
        x[i] = v->adjusted[i] / u[i];
        square += x[i] * x[i];
    }
    double length = sqrt(square);
    for (int64_t i = 0; i < p->count; i++)
        u[v->position[i]] = x[i] / length;
}

/* Finds the roots and the eigenvectors of the rank-1 problem. -1 if interrupted. */
static int find_vectors(struct divide *v, const struct block *p) {
    int64_t count = p->count;
    bool polls = count >= MIN_PARALLEL_ROWS;
#pragma omp parallel if (count >= MIN_PARALLEL_ROWS)
    {
#pragma omp for schedule(dynamic, 8)
        for (int64_t j = 0; j < count; j++)
            if (!polls || !interruption_came(v->interrupted))
                v->root[j] = secular_root(&p->secular, j, v->u + j * count);
#pragma omp for schedule(dynamic, 1)
        for (int64_t from = 0; from < count; from += ADJUSTED_COLUMNS)
            secular_adjust(&p->secular, v->u, from,
                           from + ADJUSTED_COLUMNS < count ? from + ADJUSTED_COLUMNS : count,
                           v->adjusted);
#pragma omp for schedule(static)
        for (int64_t j = 0; j < count; j++)
            compute_vector(v, p, j);
    }
    return interruption_came(v->interrupted) ? -1 : 0;
}

/* Moves the deflated rows after the others, in the columns from <= k < to. */
static void move_deflated(struct divide *v, const struct block *p, int64_t from, int64_t to) {
    int64_t target = p->hi;
    for (int64_t i = p->hi - 1; i >= p->lo; i--)
        if (v->kind[i] == DEFLATED && --target != i)
            memcpy(v->vector + target * v->n + from, v->vector + i * v->n + from,
                   sizeof(double) * (size_t)(to - from));
}

/* The new eigenvectors in the columns of one half: u, from its column `first` on, times the old eigenvectors of
 * kind OTHER or BOTH_HALVES. -1 if interrupted. */
static int multiply_half(struct divide *v, const struct block *p, int64_t first, enum kind other,
                         int64_t from, int64_t to) {
    int64_t n = v->n, depth = p->kinds[other] + p->kinds[BOTH_HALVES], count = p->count;
    multiplier_resize(&v->half, depth, to - from);
    for (int64_t k = 0; k < count; k++) {
        int64_t row = v->kept[k];
        if (v->kind[row] == other || v->kind[row] == BOTH_HALVES)
            multiplier_set_row(&v->half, v->position[k] - first, v->vector + row * n + from);
    }
    move_deflated(v, p, from, to);
#pragma omp parallel for schedule(dynamic, 1) if (count >= MIN_PARALLEL_ROWS)
    for (int64_t top = 0; top < count; top += CHUNK_ROWS) {
        if (interruption_came(v->interrupted))
            continue;
        int64_t rows = count - top < CHUNK_ROWS ? count - top : CHUNK_ROWS;
        double *out = v->vector + (p->lo + top) * n + from;
        for (int64_t i = 0; i < rows; i++)
            memset(out + i * n, 0, sizeof *out * (size_t)(to - from));
        multiplier_add_all(&v->half, v->u + top * count + first, count, rows, out, n);
    }
    return interruption_came(v->interrupted) ? -1 : 0;
}

/* Insertion sort: rotations leave the rows nearly sorted. */
static void insertion_sort(const double *d, int64_t *row, int64_t count) {
    for (int64_t k = 1; k < count; k++) {
        int64_t moved = row[k], to = k;
        for (; to > 0 && d[row[to - 1]] > d[moved]; to--)
            row[to] = row[to - 1];
        row[to] = moved;
    }
}

/* Moves the eigenvalues to the rows of their eigenvectors and merges the orders of kept and deflated rows. */
static void finish_join(struct divide *v, const struct block *p) {
    int64_t target = p->hi;
    for (int64_t i = p->hi - 1; i >= p->lo; i--)
        if (v->kind[i] == DEFLATED) {
            v->d[--target] = v->d[i];
            v->position[i] = target;
        }
    int64_t deflations = p->hi - target;
    for (int64_t k = 0; k < deflations; k++)
        v->deflated[k] = v->position[v->deflated[k]];
    for (int64_t j = 0; j < p->count; j++) {
        v->d[p->lo + j] = v->root[j];
        v->kept[j] = p->lo + j;
    }
    insertion_sort(v->d, v->deflated, deflations);
    merge_order(v, p->lo, v->kept, p->count, v->deflated, deflations);
}

static int join(struct divide *v, struct block *p, double beta) {
    double rho = find_z(v, p, beta);
    deflate(v, p, rho);
    collect(v, p, rho);
    if (find_vectors(v, p) != 0 || multiply_half(v, p, 0, FIRST_HALF, p->lo, p->middle) != 0 ||
        multiply_half(v, p, p->kinds[FIRST_HALF], SECOND_HALF, p->middle, p->hi) != 0)
        return -1;
    finish_join(v, p);
    return 0;
}

static int solve(struct divide *v, int64_t lo, int64_t hi) {
    if (hi - lo <= 1) {
        v->order[lo] = lo;
        v->vector[lo * v->n + lo] = 1;
        return 0;
    }
    struct block block = {.lo = lo, .middle = lo + (hi - lo) / 2, .hi = hi};
    double beta = v->e[block.middle - 1];
    v->d[block.middle - 1] -= fabs(beta);
    v->d[block.middle] -= fabs(beta);
    return solve(v, lo, block.middle) != 0 || solve(v, block.middle, hi) != 0 ||
                   join(v, &block, beta) != 0
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
