/* subproblem.c - the state of a quadratic program with a box and a few equations. */
#include "solvers/kernel_machine/subproblem.h"

#include "io/memory.h"
#include "math/float_rows.h"

#include <math.h>
#include <stdlib.h>

int subproblem_init(struct subproblem *s, int64_t count, int64_t functions, struct error *e) {
    *s = (struct subproblem){.count = count, .functions = functions};
    s->z = memory_zeroed(count, (size_t)(5 + functions) * sizeof *s->z, "the subproblem", e);
    s->eta = memory_zeroed(4 * functions, sizeof *s->eta, "the subproblem", e);
    if (s->z == NULL || s->eta == NULL)
        return -1;
    s->gradient = s->z + count;
    s->sign = s->gradient + count;
    s->upper = s->sign + count;
    s->diagonal = s->upper + count;
    s->a = s->diagonal + count;
    s->residual = s->eta + functions;
    s->scale = s->residual + functions;
    s->shift = s->scale + functions;
    return 0;
}

void subproblem_free(struct subproblem *s) {
    free(s->z);
    free(s->eta);
    *s = (struct subproblem){0};
}

double subproblem_mean_diagonal(const struct subproblem *s) {
    double sum = 0;
    for (int64_t t = 0; t < s->count; t++)
        sum += s->diagonal[t];
    return sum > 0 ? sum / (double)s->count : 1;
}

double subproblem_max_violation(const struct subproblem *s) {
    double worst = 0;
    for (int64_t t = 0; t < s->count; t++)
        worst = fmax(worst, subproblem_violation(s, t));
    return worst;
}

double subproblem_imbalance(const struct subproblem *s) {
    double largest = 0;
    for (int64_t j = 0; j < s->functions; j++)
        largest = fmax(largest, fabs(s->residual[j]) / s->scale[j]);
    return largest;
}

void subproblem_update_gradient(struct subproblem *s, int64_t t, double step, const float *row) {
    for (int64_t from = 0; from < s->count; from += s->rows)
        float_add_signed(s->gradient + from, step * s->sign[t], s->sign + from, row, s->rows);
}

void subproblem_move_variable(struct subproblem *s, int64_t t, double step) {
    const double *a = s->a + t * s->functions;
    s->z[t] = clip(s->z[t] + step, 0, s->upper[t]);
    for (int64_t j = 0; j < s->functions; j++)
        s->residual[j] += step * a[j];
}

void subproblem_move(struct subproblem *s, int64_t t, double step, const float *row) {
    subproblem_move_variable(s, t, step);
    subproblem_update_gradient(s, t, step, row);
}

void subproblem_shift_multipliers(struct subproblem *s, const double *shift) {
    int64_t n = s->functions;
    for (int64_t j = 0; j < n; j++)
        s->eta[j] += shift[j];
    for (int64_t t = 0; t < s->count; t++) {
        const double *a = s->a + t * n;
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += a[j] * shift[j];
        s->gradient[t] += sum;
    }
}
