/* sdm_cg.c - conjugate gradients of `sdm` on the face of the positive dual variables.
 *
 * Where many of them are free, steps of single rows are slow. For the entries (i,k) with beta_ik > 0 in rows with two
 * of them or more the dual is a quadratic, with the matrix Q, (Qp)_ik = <x_i, sum_j p_jk x_j>, and the gradient
 * r = e + s; conjugate gradients maximize it, in the affine scaling z_ik = beta_ik (r_ik - mean of r_i by beta_i),
 * which keeps the rows' sums. A step that leaves the simplex is noted where it does, and two more are made; then the
 * point is clipped to the simplex, and the better one of it and the noted one is where the next run begins.
 *
 * A product is made class by class, so that the sum of the rows stays in the cache, and by a thread for each class. On
 * a small face of sparse rows with few classes it is made row by row, all classes of a row in one vector. */
#include "solvers/dual/sdm.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4 }; /* classes of a row in a vector */
enum { STEPS_OUTSIDE = 3, LEAST_PRODUCTS = 20, MOST_PRODUCTS = 300 };

static const double least_free = 1e-12;   /* of C_i: dual variables above are free */
static const double small_face = 50000;   /* nonzeros of its entries: threads would not pay */
static const double residual_left = 1e-6; /* of the first r'z: the face's optimum is reached */

struct face {
    struct sdm *sdm;
    int64_t rows, entries;
    int64_t *first;    /* rows + 1: their first entries */
    int64_t *variable; /* entries: of the dual variable */
    int64_t *owner;    /* entries: the number of the row */
    int64_t *start;    /* classes + 1: of their entries in `listed` */
    int64_t *listed;   /* entries, class by class */
    double *beta;      /* where the run began */
    double *begun;     /* r there */
    double *d, *r;     /* the step from there, and r behind it */
    double *z;         /* r scaled */
    double *p, *q;     /* the direction, and Q p */
    double *cut;       /* d where the simplex was left, then the clipped d */
    double *cut_r;     /* r there */
    double *sum;       /* threads x stride; by rows: stride x LANES */
    bool by_rows;      /* how products are made */
    double gap;        /* sum over its rows of sum beta (max r - mean of r by beta) */
    double tolerance;  /* the run ends at this gap: the rest of the gap is in other rows */
    double touched;    /* the entries' nonzeros: half of a product's cost */
    int64_t products, max_products;
};

/* ---- the entries */

static bool is_free(const struct sdm *s, int64_t i, int64_t variable) {
    return s->duals.beta[variable] > least_free * s->rows.cost[i];
}

static int64_t count_free(const struct sdm *s, int64_t i) {
    int64_t count = 0, first = s->duals.first[i];
    for (int64_t a = first; a < first + s->duals.count[i]; a++)
        count += is_free(s, i, a);
    return count;
}

/* The face's rows and entries; it has no memory yet. */
static void measure(struct face *face) {
    const struct sdm *s = face->sdm;
    for (int64_t i = 0; i < s->rows.count; i++) {
        int64_t free = count_free(s, i);
        face->rows += free > 1;
        face->entries += free > 1 ? free : 0;
    }
}

static int allocate(struct face *face, struct error *e) {
    enum { ARRAYS_OF_NUMBERS = 9, ARRAYS_OF_INDICES = 3 };
    struct sdm *s = face->sdm;
    int64_t n = face->entries, threads = omp_get_max_threads();
    int64_t sums = threads > LANES ? threads : LANES;
    double **numbers[ARRAYS_OF_NUMBERS] = {&face->beta, &face->begun, &face->d,
                                           &face->r,    &face->z,     &face->p,
                                           &face->q,    &face->cut,   &face->cut_r};
    if (memory_reserve((void **)&s->face_numbers, &s->face_capacity,
                       ARRAYS_OF_NUMBERS * n + sums * s->rows.stride, sizeof(double), "a face",
                       e) != 0 ||
        memory_reserve((void **)&s->face_indices, &s->face_indices_capacity,
                       ARRAYS_OF_INDICES * n + face->rows + s->rows.classes + 2, sizeof(int64_t),
                       "a face", e) != 0)
        return -1;
    for (int a = 0; a < ARRAYS_OF_NUMBERS; a++)
        *numbers[a] = s->face_numbers + a * n;
    face->sum = s->face_numbers + ARRAYS_OF_NUMBERS * n;
    face->variable = s->face_indices;
    face->owner = face->variable + n;
    face->listed = face->owner + n;
    face->first = face->listed + n;
    face->start = face->first + face->rows + 1;
    return 0;
}

static void list_entries(struct face *face) {
    const struct sdm *s = face->sdm;
    int64_t row = 0, entry = 0;
    for (int64_t i = 0; i < s->rows.count; i++) {
        if (count_free(s, i) < 2)
            continue;
        face->first[row++] = entry;
        for (int64_t a = s->duals.first[i]; a < s->duals.first[i] + s->duals.count[i]; a++)
            if (is_free(s, i, a)) {
                face->variable[entry] = a;
                face->owner[entry++] = i;
            }
    }
    face->first[row] = entry;
}

static int32_t class_of(const struct face *face, int64_t entry) {
    return face->sdm->duals.class[face->variable[entry]];
}

static void sort_by_class(struct face *face) {
    int64_t classes = face->sdm->rows.classes;
    memset(face->start, 0, sizeof *face->start * (size_t)(classes + 1));
    for (int64_t a = 0; a < face->entries; a++)
        face->start[class_of(face, a) + 1]++;
    for (int64_t k = 0; k < classes; k++)
        face->start[k + 1] += face->start[k];
    for (int64_t a = 0; a < face->entries; a++)
        face->listed[face->start[class_of(face, a)]++] = a;
    for (int64_t k = classes; k > 0; k--)
        face->start[k] = face->start[k - 1];
    face->start[0] = 0;
}

/* beta and r = e + s at the present W, for the entries of a row. */
static void fill_row(struct face *face, int64_t row) {
    const struct sdm *s = face->sdm;
    const struct sdm_rows *rows = &s->rows;
    int64_t first = face->first[row], count = face->first[row + 1] - first, i = face->owner[first];
    for (int64_t a = 0; a < count; a++)
        s->selected[a] = class_of(face, first + a);
    sdm_scores_of(rows, i, s->w, s->selected, count, face->r + first);
    for (int64_t a = first; a < first + count; a++) {
        face->beta[a] = s->duals.beta[face->variable[a]];
        face->r[a] += class_of(face, a) == sdm_class(rows, i) ? 0 : rows->terms->margin;
    }
    sdm_touch(face->sdm, sdm_nonzeros(rows, i) * (double)count);
}

/* ---- products */

/* u = sum_a p_a x_(owner of a) over COUNT entries. */
static void sum_rows(const struct face *face, const int64_t *entry, int64_t count, const double *p,
                     double *u) {
    const struct sdm_rows *rows = &face->sdm->rows;
    int64_t owner[SDM_TOGETHER];
    double c[SDM_TOGETHER];
    int filled = 0;
    memset(u, 0, sizeof *u * (size_t)rows->stride);
    for (int64_t a = 0; a < count; a++) {
        if (p[entry[a]] == 0)
            continue;
        owner[filled] = face->owner[entry[a]];
        c[filled++] = p[entry[a]];
        if (filled == SDM_TOGETHER) {
            sdm_add_together(rows, owner, c, u);
            filled = 0;
        }
    }
    for (int a = 0; a < filled; a++)
        sdm_add(rows, owner[a], c[a], u);
}

/* q_a = <x_(owner of a), u> for COUNT entries. */
static void score_rows(const struct face *face, const int64_t *entry, int64_t count,
                       const double *u, double *q) {
    const struct sdm_rows *rows = &face->sdm->rows;
    int64_t owner[SDM_TOGETHER], a = 0;
    double score[SDM_TOGETHER];
    for (; a + SDM_TOGETHER <= count; a += SDM_TOGETHER) {
        for (int b = 0; b < SDM_TOGETHER; b++)
            owner[b] = face->owner[entry[a + b]];
        sdm_dot_together(rows, owner, u, score);
        for (int b = 0; b < SDM_TOGETHER; b++)
            q[entry[a + b]] = score[b];
    }
    for (; a < count; a++)
        q[entry[a]] = sdm_dot(rows, face->owner[entry[a]], u);
}

/* q = Q p for the entries of a class. */
static void multiply_class(const struct face *face, const double *p, int64_t k, double *q) {
    const int64_t *entry = face->listed + face->start[k];
    int64_t count = face->start[k + 1] - face->start[k];
    double *u = face->sum + omp_get_thread_num() * face->sdm->rows.stride;
    if (count == 0)
        return;
    sum_rows(face, entry, count, p, u);
    score_rows(face, entry, count, u, q);
}

/* q = Q p row by row: u holds the sums of all classes, feature by feature. */
static void multiply_by_rows(const struct face *face, const double *p, double *q) {
    const struct sdm_rows *rows = &face->sdm->rows;
    double *u = face->sum;
    memset(u, 0, sizeof *u * (size_t)(LANES * rows->stride));
    for (int64_t row = 0; row < face->rows; row++) {
        double c[LANES] = {0};
        for (int64_t a = face->first[row]; a < face->first[row + 1]; a++)
            c[class_of(face, a)] = p[a];
        sdm_add_outputs(rows, face->owner[face->first[row]], u, LANES, c);
    }
    for (int64_t row = 0; row < face->rows; row++) {
        double score[LANES];
        sdm_score_outputs(rows, face->owner[face->first[row]], u, LANES, score);
        for (int64_t a = face->first[row]; a < face->first[row + 1]; a++)
            q[a] = score[class_of(face, a)];
    }
}

static double entry_products(const struct face *face) {
    double sum = 0;
    for (int64_t a = 0; a < face->entries; a++)
        sum += sdm_nonzeros(&face->sdm->rows, face->owner[a]);
    return sum;
}

/* q = Q p; returns <p, q>. */
static double multiply(struct face *face, const double *p, double *q) {
    bool threads = face->touched > small_face;
    if (face->by_rows)
        multiply_by_rows(face, p, q);
    else
#pragma omp parallel for schedule(dynamic, 1) if (threads)
        for (int64_t k = 0; k < face->sdm->rows.classes; k++)
            multiply_class(face, p, k, q);
    face->products++;
    sdm_touch(face->sdm, 2 * face->touched);
    return vector_dot(p, q, face->entries);
}

/* z = r in the scaling of `beta`; returns <r, z>, and notes the face's gap. */
static double scale(struct face *face, const double *r, double *z) {
    double square = 0;
    face->gap = 0;
    for (int64_t row = 0; row < face->rows; row++) {
        double sum = 0, mean = 0, top = -INFINITY;
        for (int64_t a = face->first[row]; a < face->first[row + 1]; a++) {
            sum += face->beta[a];
            mean += face->beta[a] * r[a];
            top = r[a] > top ? r[a] : top;
        }
        mean /= sum;
        face->gap += sum * (top - mean);
        for (int64_t a = face->first[row]; a < face->first[row + 1]; a++) {
            z[a] = face->beta[a] * (r[a] - mean);
            square += z[a] * (r[a] - mean);
        }
    }
    return square;
}

/* ---- runs */

/* Whether the limit of passes leaves MORE products with the entries besides what a step and the end of a run need. */
static bool affords_step(const struct face *face, int more) {
    enum { STEP = 2, RETURN = 2, WRITE_BACK = 1 };
    return sdm_affords(face->sdm, (more + STEP + RETURN + WRITE_BACK) * face->touched, true);
}

/* The largest step along p that keeps beta + d >= 0. */
static double longest_step(const struct face *face) {
    double step = INFINITY;
    for (int64_t a = 0; a < face->entries; a++)
        if (face->p[a] < 0)
            step = fmin(step, (face->beta[a] + face->d[a]) / -face->p[a]);
    return fmax(step, 0);
}

static void move(const struct face *face, double step, const double *d, const double *r,
                 double *d_out, double *r_out) {
    for (int64_t a = 0; a < face->entries; a++) {
        d_out[a] = d[a] + step * face->p[a];
        r_out[a] = r[a] - step * face->q[a];
    }
}

/* cut = beta + d clipped to the simplex, less beta. */
static void clip_to_simplex(struct face *face) {
    for (int64_t row = 0; row < face->rows; row++) {
        double before = 0, after = 0;
        for (int64_t a = face->first[row]; a < face->first[row + 1]; a++) {
            face->d[a] = fmax(face->beta[a] + face->d[a], 0);
            before += face->beta[a];
            after += face->d[a];
        }
        for (int64_t a = face->first[row]; a < face->first[row + 1]; a++)
            face->d[a] = face->d[a] * (before / after) - face->beta[a];
    }
}

/* beta += t d, r = r_out; what is below 0 by rounding becomes 0. */
static void take(struct face *face, const double *d, double t) {
    for (int64_t a = 0; a < face->entries; a++)
        face->beta[a] = fmax(face->beta[a] + t * d[a], 0);
}

/* Goes on from the better one of the point where the simplex was left, by CUT_GAIN above the beginning, and the point
 * beyond, clipped. */
static void return_to_simplex(struct face *face, double cut_gain) {
    clip_to_simplex(face);
    double curvature = multiply(face, face->d, face->q);
    double slope = vector_dot(face->begun, face->d, face->entries);
    double t = curvature > slope ? slope / curvature : 1;
    if (slope > 0 && t * slope - t * t / 2 * curvature > cut_gain) {
        take(face, face->d, t);
        for (int64_t a = 0; a < face->entries; a++)
            face->r[a] = face->begun[a] - t * face->q[a];
    } else {
        take(face, face->cut, 1);
        memcpy(face->r, face->cut_r, sizeof *face->r * (size_t)face->entries);
    }
}

/* A run of conjugate gradients from beta; *first_square is r'z at the first one's beginning (0: this is it). True if it
 * left the simplex, and another one is worth its products. */
static bool run(struct face *face, double *first_square) {
    size_t size = sizeof(double) * (size_t)face->entries;
    double square = scale(face, face->r, face->z), gain = 0, cut_gain = 0;
    int outside = 0;
    *first_square = *first_square > 0 ? *first_square : square;
    memcpy(face->begun, face->r, size);
    memcpy(face->p, face->z, size);
    memset(face->d, 0, size);
    while (face->products < face->max_products && square > residual_left * *first_square &&
           face->gap > face->tolerance && outside < STEPS_OUTSIDE && !sdm_is_stopped(face->sdm) &&
           affords_step(face, 0)) {
        double curvature = multiply(face, face->p, face->q);
        if (!(curvature > 0))
            break;
        double step = square / curvature, longest = outside > 0 ? 0 : longest_step(face);
        if (outside == 0 && step >= longest) {
            move(face, longest, face->d, face->r, face->cut, face->cut_r);
            cut_gain = gain + longest * square - longest * longest / 2 * curvature;
            outside = 1;
        } else if (outside > 0) {
            outside++;
        }
        move(face, step, face->d, face->r, face->d, face->r);
        gain += step * square / 2;
        double before = square;
        square = scale(face, face->r, face->z);
        for (int64_t a = 0; a < face->entries; a++)
            face->p[a] = face->z[a] + square / before * face->p[a];
    }
    if (outside == 0) {
        take(face, face->d, 1);
        return false;
    }
    return_to_simplex(face, cut_gain);
    return face->products < face->max_products && face->gap > face->tolerance;
}

/* The dual variables become beta, and W moves with them. */
static void write_back(struct face *face) {
    struct sdm *s = face->sdm;
    for (int64_t a = 0; a < face->entries; a++) {
        double *beta = &s->duals.beta[face->variable[a]], change = *beta - face->beta[a];
        int32_t class = class_of(face, a);
        if (change == 0)
            continue;
        sdm_add_to(&s->rows, face->owner[a], &class, 1, &change, s->w);
        sdm_touch(s, sdm_nonzeros(&s->rows, face->owner[a]));
        *beta = face->beta[a];
        s->changed = true;
    }
}

/* More products where no run was cut short, fewer where many were. */
static int64_t next_products(int64_t products, int restarts) {
    enum { FEW_RESTARTS = 1, MANY_RESTARTS = 3 };
    if (restarts <= FEW_RESTARTS)
        products = products * 3 / 2;
    if (restarts > MANY_RESTARTS)
        products = products * 2 / 3;
    return products < LEAST_PRODUCTS  ? LEAST_PRODUCTS
           : products > MOST_PRODUCTS ? MOST_PRODUCTS
                                      : products;
}

int sdm_cg(struct sdm *s, double tolerance, int64_t *products, struct error *e) {
    struct face face = {.sdm = s, .tolerance = tolerance, .max_products = *products};
    double first_square = 0;
    int restarts = 0;
    measure(&face);
    if (face.entries == 0)
        return 0;
    if (allocate(&face, e) != 0)
        return -1;
    list_entries(&face);
    sort_by_class(&face);
    face.touched = entry_products(&face);
    face.by_rows = !s->rows.by_class && s->rows.classes <= LANES && face.touched <= small_face;
    if (!affords_step(&face, 1))
        return 0;
    for (int64_t row = 0; row < face.rows; row++)
        fill_row(&face, row);
    while (run(&face, &first_square))
        restarts++;
    write_back(&face);
    *products = next_products(*products, restarts);
    return 0;
}
