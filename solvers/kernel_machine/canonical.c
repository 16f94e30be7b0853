/* canonical.c - the dual program of a kernel machine with a parametric part. */
#include "solvers/kernel_machine/canonical.h"

#include "io/memory.h"
#include "kernel/parametric.h"
#include "kernel/points.h"
#include "math/matrices/semidefinite.h"
#include "math/rounding.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program of each loss */

/* The box of the loss for a row with y = 1. Rows of the other class are mirrored to it. */
static struct loss_box unit_box(const struct scalar_terms *terms) {
    return loss_box(terms->loss, &terms->parameters, 1);
}

/* Sets sign, p and C of row i's variables: the first one is -a of the dual of the loss (mirrored to y = 1),
 * the second one is a, if the box has positive values. */
static void set_row(struct canonical *c, int64_t i) {
    const struct scalar_terms *terms = c->terms;
    struct loss_box box = unit_box(terms);
    double y = scalar_target(terms, i), turn = terms->loss->task == TASK_CLASSIFICATION ? y : 1;
    double upper = scalar_weight(terms, i) / (c->problem->lambda * terms->weight_sum);
    if (c->learned != LEARNS_NOTHING) {
        box.tube = 0;
        y = c->learned == LEARNS_TUBE ? y : 0;
    }
    c->sign[i] = (int8_t)turn;
    c->p[i] = box.tube - turn * y;
    c->upper[i] = -box.low * upper;
    if (c->count == c->rows)
        return;
    c->sign[c->rows + i] = (int8_t)-turn;
    c->p[c->rows + i] = box.tube + turn * y;
    c->upper[c->rows + i] = box.high * upper;
}

/* Replaces the values of the basis functions by an orthonormal basis of their span; `functions` becomes its
 * dimension. */
static int set_basis(struct canonical *c, struct error *e) {
    const struct basis *basis = c->problem->kernel->basis;
    int64_t functions = c->functions;
    double *weight = c->work;
    for (int64_t i = 0; i < c->rows; i++) {
        if (functions > 0)
            parametric_row(basis, c->terms->design->data, i, c->psi + i * functions);
        weight[i] = scalar_weight(c->terms, i) / c->terms->weight_sum;
    }
    if (orthogonal_init(&c->span, c->psi, c->rows, functions, weight, e) != 0)
        return -1;
    c->functions = c->span.rank;
    c->equations = c->functions + (c->learned != LEARNS_NOTHING);
    c->scale = c->max_upper / sqrt(fmax(1, (double)c->equations));
    return 0;
}

/* The kernel's rows: a copy of the data without the columns that only the basis uses, or the data themselves
 * if there are none. */
static int set_kernel_data(struct canonical *c, struct error *e) {
    const struct dataset *data = c->terms->design->data;
    const struct basis *basis = c->problem->kernel->basis;
    c->data = *data;
    c->owns_data = basis->shared < basis->count;
    return c->owns_data ? parametric_kernel_rows(basis, data, NULL, data->rows, &c->data, e) : 0;
}

int canonical_init(struct canonical *c, const struct problem *problem, struct error *e) {
    const struct scalar_terms *terms = problem->risk->scalar;
    enum loss_learned learned = terms->margin.learned;
    int64_t rows = terms->design->rows;
    int64_t functions = learned == LEARNS_LEVEL ? 0 : problem->kernel->basis->count;
    int64_t equations = functions + 1;
    int64_t count = unit_box(terms).high > 0 ? 2 * rows : rows;
    *c = (struct canonical){.problem = problem,
                            .terms = terms,
                            .kernel = problem->kernel->kernel,
                            .rows = rows,
                            .count = count,
                            .functions = functions,
                            .learned = learned};
    if (set_kernel_data(c, e) != 0)
        return -1;
    c->psi = memory_new(rows * functions, sizeof *c->psi, "the basis functions", e);
    c->sign = memory_new(count, sizeof *c->sign, "the dual variables", e);
    c->p = memory_new(4 * count, sizeof *c->p, "the dual variables", e);
    c->small_work =
        memory_new(equations * (equations + 4), sizeof *c->small_work, "the basis functions", e);
    if (c->psi == NULL || c->sign == NULL || c->p == NULL || c->small_work == NULL)
        return -1;
    c->upper = c->p + count;
    c->work = c->upper + count;
    c->margin_sum = learned != LEARNS_NOTHING ? terms->margin.nu / problem->lambda : 0;
    if (!kernel_is_semidefinite(&c->kernel) || learned == LEARNS_MARGIN || learned == LEARNS_LEVEL)
        c->least = -INFINITY;
    for (int64_t i = 0; i < rows; i++)
        set_row(c, i);
    for (int64_t t = 0; t < count; t++)
        c->max_upper = fmax(c->max_upper, c->upper[t]);
    if (!isfinite(c->max_upper))
        return error_set(e, "lambda is too small: 1/lambda is beyond all numbers");
    return set_basis(c, e);
}

void canonical_free(struct canonical *c) {
    if (c->owns_data)
        dataset_free(&c->data);
    free(c->psi);
    free(c->sign);
    free(c->p);
    free(c->small_work);
    orthogonal_free(&c->span);
    *c = (struct canonical){0};
}

/* ---- coordinates */

void canonical_theta(const struct canonical *c, const double *z, double *theta) {
    for (int64_t i = 0; i < c->rows; i++)
        theta[i] = c->sign[i] * z[i];
    for (int64_t t = c->rows; t < c->count; t++)
        theta[t - c->rows] += c->sign[t] * z[t];
}

void canonical_variables(const struct canonical *c, const double *theta, double *z) {
    for (int64_t t = 0; t < c->count; t++)
        z[t] = clip(c->sign[t] * theta[t % c->rows], 0, c->upper[t]);
}

void canonical_scores(const struct canonical *c, const double *f, const double *beta, double *h) {
    for (int64_t i = 0; i < c->rows; i++)
        h[i] = f[i] + vector_dot(c->psi + i * c->functions, beta, c->functions);
}

void canonical_fit(const struct canonical *c, double *beta) {
    int64_t n = c->functions;
    memset(beta, 0, sizeof *beta * (size_t)n);
    for (int64_t i = 0; i < c->rows; i++) {
        double weight = scalar_weight(c->terms, i) / c->terms->weight_sum;
        for (int64_t j = 0; j < n; j++)
            beta[j] += weight * c->psi[i * n + j] * scalar_target(c->terms, i);
    }
}

void canonical_given_scores(const struct canonical *c, const double *f, const double *beta,
                            double *h) {
    const struct basis *basis = c->problem->kernel->basis;
    double *psi = c->small_work;
    for (int64_t i = 0; i < c->rows && c->learned == LEARNS_LEVEL; i++)
        h[i] = f[i];
    for (int64_t i = 0; i < c->rows && c->learned != LEARNS_LEVEL; i++) {
        parametric_row(basis, c->terms->design->data, i, psi);
        h[i] = f[i] + vector_dot(psi, beta, basis->count);
    }
}

/* ---- values */

/* The loss of row i at the score h, with the learned margin. */
static double row_loss(const struct canonical *c, int64_t i, double h, double margin) {
    const struct scalar_terms *terms = c->terms;
    struct loss_parameters parameters = terms->parameters;
    double y = scalar_target(terms, i), slope;
    if (c->learned == LEARNS_TUBE)
        parameters.tube = fmax(0, -margin);
    else if (c->learned != LEARNS_NOTHING)
        return fmax(0, margin - y * h);
    return terms->loss->value(h, y, &parameters, &slope);
}

double canonical_objective(const struct canonical *c, const double *theta, const double *f,
                           const double *h, double margin) {
    const struct scalar_terms *terms = c->terms;
    double sum = 0, square = vector_dot(theta, f, c->rows), linear = 0;
    for (int64_t i = 0; i < c->rows; i++)
        if (scalar_weight(terms, i) > 0)
            sum += scalar_weight(terms, i) * row_loss(c, i, h[i], margin);
    if (square < 0 && kernel_is_semidefinite(&c->kernel)) /* and not-a-number stays so */
        square = 0;
    if (c->learned != LEARNS_NOTHING)
        linear = -terms->margin.nu * (c->learned == LEARNS_TUBE ? fmin(0, margin) : margin);
    return c->problem->lambda / 2 * square + sum / terms->weight_sum + linear;
}

/* The column of A that belongs to variable t, times s_t: psi of its row, and s_t for a learned margin. */
static void get_column(const struct canonical *c, int64_t t, double *column) {
    const double *psi = c->psi + t % c->rows * c->functions;
    for (int64_t j = 0; j < c->functions; j++)
        column[j] = psi[j];
    if (c->equations > c->functions)
        column[c->functions] = c->sign[t];
}

void canonical_residual(const struct canonical *c, const double *z, double *sum, double *size) {
    int64_t n = c->equations;
    double *column = c->small_work + n * (n + 3);
    memset(sum, 0, sizeof *sum * (size_t)n);
    memset(size, 0, sizeof *size * (size_t)n);
    if (n > c->functions)
        sum[c->functions] = -c->margin_sum;
    for (int64_t t = 0; t < c->count; t++) {
        if (z[t] == 0)
            continue;
        get_column(c, t, column);
        for (int64_t j = 0; j < n; j++) {
            sum[j] += c->sign[t] * column[j] * z[t];
            size[j] += fabs(column[j] * z[t]);
        }
    }
}

/* ---- the bound */

/* Moves y within the box by D A' (A D A')^-1 (-A y), D_t = the distance of y_t from its nearer bound. With
 * `all` D_t is at least C_t/1000, so that variables at their bounds move, too. */
static void reduce_residual(const struct canonical *c, double *y, double *scale, const double *sum,
                            bool all) {
    int64_t n = c->equations;
    double *m = c->small_work, *step = m + n * n, *column = m + n * (n + 3);
    memset(m, 0, sizeof *m * (size_t)(n * n));
    for (int64_t t = 0; t < c->count; t++) {
        double inside = fmin(y[t], c->upper[t] - y[t]);
        scale[t] = all ? fmax(inside, c->upper[t] * 1e-3) : inside;
        if (!(scale[t] > 0))
            continue;
        get_column(c, t, column);
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k <= j; k++)
                m[j * n + k] += scale[t] * column[j] * column[k];
    }
    for (int64_t j = 0; j < n; j++)
        step[j] = -sum[j];
    semidefinite_factor(m, n);
    semidefinite_solve(m, n, step);
    for (int64_t t = 0; t < c->count; t++)
        if (scale[t] > 0) {
            get_column(c, t, column);
            y[t] = clip(y[t] + scale[t] * c->sign[t] * vector_dot(column, step, n), 0, c->upper[t]);
        }
}

/* Whether A y = 0 up to rounding. */
static bool is_feasible(const struct canonical *c, const double *sum, const double *size) {
    static const double rounding_of_equations = 1e-13; /* of the sum of their terms' sizes */
    for (int64_t j = 0; j < c->equations; j++)
        if (fabs(sum[j]) > rounding_of_equations * size[j])
            return false;
    return true;
}

/* Moves y to a point of the box with A y = 0; returns whether one was found. The first corrections move only
 * free variables. */
static bool make_feasible(const struct canonical *c, double *y, double *scale) {
    enum { MAX_CORRECTIONS = 24, FREE_ONLY_CORRECTIONS = 6 };
    double *sum = c->small_work + c->equations * (c->equations + 1), *size = sum + c->equations;
    for (int k = 0; k < MAX_CORRECTIONS; k++) {
        canonical_residual(c, y, sum, size);
        if (is_feasible(c, sum, size))
            return true;
        reduce_residual(c, y, scale, sum, k >= FREE_ONLY_CORRECTIONS);
    }
    return false;
}

bool canonical_has_two_sums(const struct canonical *c) {
    return c->learned != LEARNS_NOTHING && c->functions > 0;
}

/* The upper bounds of the variables with this sign together; of all, if they have one sum. */
static double sum_of_bounds(const struct canonical *c, int sign) {
    double sum = 0;
    for (int64_t t = 0; t < c->count; t++)
        sum += c->sign[t] == sign || !canonical_has_two_sums(c) ? c->upper[t] : 0;
    return sum;
}

int canonical_start(const struct canonical *c, double *z, struct error *e) {
    double sum = canonical_has_two_sums(c) ? c->margin_sum / 2 : c->margin_sum;
    double limit = fmin(sum_of_bounds(c, 1), sum_of_bounds(c, -1));
    double left[2] = {fmin(sum, limit), fmin(sum, limit)};
    memset(z, 0, sizeof *z * (size_t)c->count);
    if (c->learned == LEARNS_NOTHING)
        return 0;
    if (sum > limit * (1 + rounding_of_results))
        return error_usage(e,
                           "--nu %.6g is too large: at most %.6g here, twice the smaller class's "
                           "share of the examples",
                           c->terms->margin.nu, c->terms->margin.nu * limit / sum);
    for (int64_t t = 0; t < c->count; t++) {
        double *rest = &left[canonical_has_two_sums(c) && c->sign[t] < 0];
        z[t] = fmin(c->upper[t], *rest);
        *rest -= z[t];
    }
    return 0;
}

bool canonical_repair(const struct canonical *c, double *z) {
    return make_feasible(c, z, c->work);
}

/* What the two variables of row i have in common, in z and y: they lose it for nothing, and as a difference of large
 * numbers its cost would be rounding. */
static double common_part(const struct canonical *c, const double *z, const double *y, int64_t i) {
    int64_t j = i + c->rows;
    if (c->count == c->rows || c->learned != LEARNS_NOTHING)
        return 0;
    return fmin(fmin(z[i], z[j]), fmin(y[i], y[j]));
}

/* With A y = 0, beta'A y may be added: then targets with a large offset do not cancel. */
double canonical_bound(const struct canonical *c, const double *z, const double *f,
                       const double *h) {
    static const double rounding_of_sum = 0x1p-51;
    double *y = c->work, *scale = y + c->count, value = 0, length = 0, size = 0;
    if (!kernel_is_semidefinite(&c->kernel))
        return -INFINITY;
    memcpy(y, z, sizeof *y * (size_t)c->count);
    if (!make_feasible(c, y, scale))
        return -INFINITY;
    for (int64_t t = 0; t < c->count; t++) {
        int64_t i = t % c->rows;
        double slope = c->sign[t] * h[i] + c->p[t], moved = y[t] - z[t];
        double kept = z[t] - common_part(c, z, y, i);
        value += kept * (slope - c->sign[t] * f[i] / 2);
        size += fabs(kept) * (fabs(h[i]) + fabs(c->p[t]) + fabs(f[i]));
        if (moved == 0)
            continue;
        value += moved * slope;
        length += fabs(moved) * sqrt(fmax(0, points_diagonal(&c->kernel, &c->data, i)));
    }
    return -c->problem->lambda * (value + length * length / 2 + rounding_of_sum * size);
}

const char *canonical_linear_remedy(const struct canonical *c) {
    const struct basis *basis = c->problem->kernel->basis;
    bool constant = basis->count == 1 && basis->function[0].column < 0;
    if (c->kernel.kind != KERNEL_LINEAR || !(constant || basis->count == 0))
        return NULL;
    return constant ? "use -s ipm --intercept: the kernel is linear"
                    : "use -s ipm: the kernel is linear";
}
