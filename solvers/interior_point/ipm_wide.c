/* ipm_wide.c - Newton systems of data with fewer rows than columns. */
#include "solvers/interior_point/ipm_wide.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the sums of X E^-1 X' an estimate from above: that of full rows. */
static double sums_bytes(const struct design *design) {
    const struct dataset *data = design->data;
    const struct dataset full = {
        .rows = data->features, .features = (int32_t)data->rows, .dense = true};
    return gram_bytes(&(struct design){.data = &full, .rows = full.rows, .columns = design->rows});
}

double ipm_wide_bytes(const struct design *design) {
    const struct dataset *data = design->data;
    double m = (double)design->rows, n = (double)design->columns;
    double entries = (double)(sizeof(double) + sizeof(int32_t)) * (double)data->nonzeros;
    return sums_bytes(design) +
           8 * (m * m + 5 * n + 6 * m + (double)cholesky_work_size(design->rows)) + entries;
}

/* The columns of the data as rows; constant columns are added to the matrix apart. */
static void turn(struct ipm_wide *wide) {
    const struct dataset *data = wide->design->data;
    wide->data = (struct dataset){.rows = data->features,
                                  .features = (int32_t)data->rows,
                                  .nonzeros = data->nonzeros,
                                  .start = wide->columns.start,
                                  .column = wide->columns.row,
                                  .value = wide->columns.value};
}

int ipm_wide_init(struct ipm_wide *wide, const struct design *design, bool even, struct error *e) {
    int64_t m = design->rows, n = design->columns;
    *wide = (struct ipm_wide){.design = design};
    if (columns_init(&wide->columns, design, e) != 0)
        return -1;
    turn(wide);
    if (design_init(&wide->transposed, &wide->data, -1, false, e) != 0 ||
        gram_init(&wide->gram, &wide->transposed, e) != 0)
        return -1;
    wide->memory =
        memory_new(4 * n + 6 * m + cholesky_work_size(m), sizeof(double), "the factor", e);
    if (even)
        wide->kernel = memory_new(m * m, sizeof(double), "the kernel matrix", e);
    if (wide->memory == NULL || (even && wide->kernel == NULL))
        return -1;
    wide->inverse = wide->memory;
    wide->residual = wide->inverse + n;
    wide->reduced = wide->residual + n;
    wide->given = wide->reduced + n;
    wide->root = wide->given + n;
    wide->u = wide->root + m;
    wide->shift = wide->u + m;
    wide->change = wide->shift + m;
    wide->unit = wide->change + m;
    wide->diagonal = wide->unit + m;
    return 0;
}

void ipm_wide_free(struct ipm_wide *wide) {
    gram_free(&wide->gram);
    design_free(&wide->transposed);
    columns_free(&wide->columns);
    free(wide->kernel);
    free(wide->memory);
}

/* It is not in a checkpoint. */
static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    (void)list;
    (void)state;
    (void)problem;
}

const struct kept_kind ipm_wide_kept = {.free = free, .visit = visit_kept};

void ipm_wide_take(struct ipm_wide *wide, struct kept *kept) {
    if (kept == NULL || kept->state == NULL || kept->kind != &ipm_wide_kept || wide->kernel == NULL)
        return;
    free(wide->kernel);
    wide->kernel = kept->state;
    wide->known = true;
    kept->state = NULL;
}

void ipm_wide_leave(struct ipm_wide *wide, struct kept *kept) {
    if (kept == NULL || !wide->known)
        return;
    kept->state = wide->kernel;
    kept->kind = &ipm_wide_kept;
    wide->kernel = NULL;
}

/* The lower triangle of X diag(scale) X'. */
static bool form(struct ipm_wide *wide, const double *scale) {
    const struct design *design = wide->design;
    int64_t m = design->rows;
    if (!gram_compute(&wide->gram, scale, NULL, NULL))
        return false;
    double constant =
        design->bias < 0 ? 0 : design->bias * design->bias * scale[design->data->features];
    for (int64_t i = 0; i < m && constant > 0; i++)
        for (int64_t j = 0; j <= i; j++)
            wide->gram.matrix[i * m + j] += constant;
    return true;
}

static void copy_triangle(double *to, const double *from, int64_t m) {
    for (int64_t i = 0; i < m; i++)
        memcpy(to + i * m, from + i * m, sizeof *to * (size_t)(i + 1));
}

/* X X' becomes the kernel. As the columns it is no pass of the run: one that goes on makes it again. */
static bool form_kernel(struct ipm_wide *wide) {
    const struct design *design = wide->design;
    double *ones = wide->reduced;
    for (int64_t j = 0; j < design->columns; j++)
        ones[j] = j < design->regularized ? 1 : 0;
    if (!form(wide, ones))
        return false;
    copy_triangle(wide->kernel, wide->gram.matrix, design->rows);
    wide->known = true;
    return true;
}

/* The lower triangle of X E^-1 X'; *scale: what it is to be multiplied with. */
static bool form_matrix(struct ipm_wide *wide, double ridge, double *scale) {
    bool even = wide->kernel != NULL;
    wide->passes = !even;
    *scale = even ? 1 / ridge : 1;
    if (!even)
        return form(wide, wide->inverse);
    if (!wide->known)
        return form_kernel(wide);
    copy_triangle(wide->gram.matrix, wide->kernel, wide->design->rows);
    return true;
}

/* u <- S^-1 u. */
static void solve_rows(const struct ipm_wide *wide, double *u) {
    int64_t m = wide->design->rows;
    for (int64_t i = 0; i < m; i++)
        u[i] *= wide->root[i];
    cholesky_solve(wide->gram.matrix, wide->diagonal, u, wide->diagonal + m, m);
    for (int64_t i = 0; i < m; i++)
        u[i] *= wide->root[i];
}

static double sum_of(const double *u, int64_t m) {
    double sum = 0;
    for (int64_t i = 0; i < m; i++)
        sum += u[i];
    return sum;
}

int ipm_wide_factor(struct ipm_wide *wide, double ridge, const double *terms, const double *d) {
    const struct design *design = wide->design;
    struct gram *gram = &wide->gram;
    int64_t m = design->rows;
    double scale;
    for (int64_t j = 0; j < design->columns; j++)
        wide->inverse[j] =
            j < design->regularized ? 1 / (ridge + (terms == NULL ? 0 : terms[j])) : 0;
    if (!form_matrix(wide, ridge, &scale))
        return -1;
    for (int64_t i = 0; i < m; i++)
        wide->root[i] = sqrt(d[i]);
    for (int64_t i = 0; i < m; i++) {
        double row = scale * wide->root[i];
        for (int64_t j = 0; j <= i; j++)
            gram->matrix[i * m + j] *= row * wide->root[j];
        gram->matrix[i * m + i] += 1;
    }
    if (cholesky_factor(gram->matrix, wide->diagonal, m, wide->diagonal + m,
                        &(struct interruption){gram->stop, gram->opaque}) != 0)
        return -1;
    for (int64_t i = 0; i < m && design->intercept; i++)
        wide->unit[i] = 1;
    if (design->intercept) {
        solve_rows(wide, wide->unit);
        wide->sum_of_unit = sum_of(wide->unit, m);
    }
    return 0;
}

/* E x + X' u = v and X x - D^-1 u = SHIFT (NULL: 0), but for rounding: v <- x, which has the offset, too. */
static void solve_once(struct ipm_wide *wide, double *v, const double *shift, double *u) {
    const struct design *design = wide->design;
    int64_t m = design->rows, n = design->columns;
    double offset = 0;
    for (int64_t j = 0; j < n; j++)
        wide->reduced[j] = v[j] * wide->inverse[j];
    design_scores(design, wide->reduced, u);
    if (shift != NULL)
        vector_add(u, -1, shift, m);
    solve_rows(wide, u);
    if (design->intercept && wide->sum_of_unit > 0) {
        offset = (v[n - 1] - sum_of(u, m)) / wide->sum_of_unit;
        vector_add(u, offset, wide->unit, m);
    }
    design_combine(design, u, wide->reduced);
    for (int64_t j = 0; j < n; j++)
        v[j] = (v[j] - wide->reduced[j]) * wide->inverse[j];
    if (design->intercept)
        v[n - 1] = offset;
    wide->passes += 2;
}

/* SHIFT = what the second equation lacks; returns its square, as a share of that of the scores. */
static double measure_scores(struct ipm_wide *wide, const double *x) {
    double sum = 0, scores = 0, *shift = wide->shift;
    design_scores(wide->design, x, shift);
    for (int64_t i = 0; i < wide->design->rows; i++) {
        double d = wide->root[i] * wide->root[i];
        scores += shift[i] * shift[i];
        shift[i] = d > 0 ? wide->u[i] / d - shift[i] : 0;
        sum += shift[i] * shift[i];
    }
    wide->passes++;
    return scores > 0 ? sum / scores : 0;
}

/* residual = v - E x - X' u */
static void measure_weights(struct ipm_wide *wide, const double *v, const double *x) {
    const struct design *design = wide->design;
    design_combine(design, wide->u, wide->residual);
    for (int64_t j = 0; j < design->columns; j++)
        wide->residual[j] =
            v[j] - wide->residual[j] - (wide->inverse[j] > 0 ? x[j] / wide->inverse[j] : 0);
    wide->passes++;
}

/* v and u += share of the last refinement */
static void refine(struct ipm_wide *wide, double *v, double share) {
    vector_add(v, share, wide->residual, wide->design->columns);
    vector_add(wide->u, share, wide->change, wide->design->rows);
}

int ipm_wide_solve(struct ipm_wide *wide, double *v, double passes) {
    enum { MOST_REFINEMENTS = 3, PASSES = 4 };           /* of each */
    static const double enough = 0.25, rounding = 1e-28; /* squares */
    int64_t n = wide->design->columns;
    double last = INFINITY;
    memcpy(wide->given, v, sizeof *v * (size_t)n);
    wide->error = 0;
    wide->passes = 0;
    solve_once(wide, v, NULL, wide->u);
    for (int k = 0; k <= MOST_REFINEMENTS && (double)wide->passes + PASSES <= passes; k++) {
        double error = measure_scores(wide, v);
        if (error > last)
            refine(wide, v, -1);
        wide->error = sqrt(fmin(error, last));
        if (!(error <= enough * last) || error <= rounding || k == MOST_REFINEMENTS)
            break;
        last = error;
        measure_weights(wide, wide->given, v);
        solve_once(wide, wide->residual, wide->shift, wide->change);
        refine(wide, v, 1);
    }
    return isfinite(sum_of(v, n)) ? 0 : -1;
}
