/* multivariate.c - gains of flipped labels, sorted; what a measure makes of them becomes the risk. */
#include "risk/multivariate/multivariate.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* out_i = -scale y_i x_i; out may be x. */
static void turn(const struct multivariate *m, const double *x, double *out) {
    int64_t rows = m->design.rows;
#pragma omp parallel for schedule(static) if (m->design.threads)
    for (int64_t i = 0; i < rows; i++)
        out[i] = -m->scale * m->target[i] * x[i];
}

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    struct multivariate *m = (struct multivariate *)risk;
    double delta;
    design_scores(&m->design, w, m->gain);
    turn(m, m->gain, m->gain);
    double value = m->measure->value(m, mu, gradient == NULL ? NULL : m->flip, &delta);
    if (gradient != NULL) {
        turn(m, m->flip, m->flip);
        design_combine(&m->design, m->flip, gradient);
    }
    if (constant != NULL)
        *constant = delta;
    return value;
}

/* The offset b takes scale b from the gains of positives. */
static double profile(const struct risk *risk, double *w, bool again, double slack,
                      double *gradient, double *constant) {
    struct multivariate *m = (struct multivariate *)risk;
    double shift;
    (void)again;
    (void)slack; /* none is needed */
    w[risk->regularized] = 0;
    design_scores(&m->design, w, m->gain);
    turn(m, m->gain, m->gain);
    double value = m->measure->level(m, &shift, m->flip, constant);
    w[risk->regularized] = shift / m->scale;
    turn(m, m->flip, m->flip);
    design_combine(&m->design, m->flip, gradient);
    gradient[risk->regularized] = 0; /* it is, but for rounding */
    return value;
}

static int smooth(const struct risk *risk, struct error *e) {
    struct multivariate *m = (struct multivariate *)risk;
    return m->measure->smooth == NULL ? 0 : m->measure->smooth(m, e);
}

static void multivariate_free(struct risk *risk) {
    struct multivariate *m = (struct multivariate *)risk;
    if (m->measure->free != NULL)
        m->measure->free(m);
    design_free(&m->design);
    free(m->gain);
    free(m->spare);
    free(m->side[MISSED].row);
    free(m->side[MISSED].sum);
    free(m);
}

static const struct risk_kind kind = {.name = "multivariate",
                                      .evaluate = evaluate,
                                      .smooth = smooth,
                                      .profile = profile,
                                      .free = multivariate_free};

void multivariate_sort(struct multivariate *m) {
    for (int s = 0; s < SIDES; s++) {
        struct multivariate_side *side = &m->side[s];
        for (int64_t k = 0; k < side->count; k++)
            side->sorted[k] = (struct scored){-m->gain[side->row[k]], side->row[k]};
        sort_scored(side->sorted, m->spare, side->count);
        for (int64_t k = 0; k < side->count; k++)
            side->sum[k + 1] = side->sum[k] - side->sorted[k].score;
    }
}

void multivariate_flip(const struct multivariate *m, int64_t missed, int64_t false_ones,
                       double *flip) {
    const int64_t count[SIDES] = {[MISSED] = missed, [FALSE] = false_ones};
    for (int s = 0; s < SIDES; s++)
        for (int64_t k = 0; k < m->side[s].count; k++)
            flip[m->side[s].sorted[k].row] = k < count[s];
}

void multivariate_mix(const struct multivariate *m, int64_t missed, int64_t false_ones,
                      double share, double *flip) {
    const int64_t count[SIDES] = {[MISSED] = missed, [FALSE] = false_ones};
    for (int s = 0; s < SIDES; s++)
        for (int64_t k = 0; k < m->side[s].count; k++) {
            double *at = &flip[m->side[s].sorted[k].row];
            *at += share * ((k < count[s]) - *at);
        }
}

bool multivariate_feels(const struct multivariate *m, double mu) {
    static const double rounding = 1e-12;
    double size = 1;
    for (int64_t i = 0; i < m->design.rows; i++)
        size += fabs(m->gain[i]);
    return mu > rounding * size;
}

/* ---- memory */

static int check_rows(const struct multivariate *m, const double *weight, struct error *e) {
    if (m->side[MISSED].count == 0)
        return error_set(e, "-L %s needs positive examples, and there are none", m->measure->name);
    return risk_equal_weights(m->measure->name, weight, m->design.rows, e);
}

static int set_rows(struct multivariate *m, int64_t rows, struct error *e) {
    struct multivariate_side *missed = &m->side[MISSED], *wrong = &m->side[FALSE];
    m->gain = memory_new(2 * rows, sizeof *m->gain, "the gains", e);
    m->spare = memory_new(2 * rows, sizeof *m->spare, "sorting", e);
    missed->row = memory_new(rows, sizeof *missed->row, "sorting", e);
    missed->sum = memory_zeroed(rows + SIDES, sizeof *missed->sum, "the gains", e);
    if (m->gain == NULL || m->spare == NULL || missed->row == NULL || missed->sum == NULL)
        return -1;
    m->flip = m->gain + rows;
    for (int64_t i = 0; i < rows; i++)
        if (m->target[i] > 0)
            missed->row[missed->count++] = i;
    wrong->row = missed->row + missed->count;
    missed->sorted = m->spare + rows;
    wrong->sorted = missed->sorted + missed->count;
    wrong->sum = missed->sum + missed->count + 1;
    for (int64_t i = 0; i < rows; i++)
        if (!(m->target[i] > 0))
            wrong->row[wrong->count++] = i;
    return 0;
}

void *multivariate_new(size_t size, const struct multivariate_measure *measure,
                       const struct risk_settings *settings, struct error *e) {
    const struct scalar_settings *examples = &settings->scalar;
    struct multivariate *m = memory_zeroed(1, size, "the risk", e);
    if (m == NULL)
        return NULL;
    m->measure = measure;
    m->target = examples->target;
    m->scale = 2 / (double)examples->data->rows;
    m->risk.kind = &kind;
    if (design_init(&m->design, examples->data, examples->bias, examples->intercept, e) != 0 ||
        set_rows(m, examples->data->rows, e) != 0 || check_rows(m, examples->weight, e) != 0) {
        risk_free(&m->risk);
        return NULL;
    }
    m->risk.dimension = m->design.columns;
    m->risk.regularized = m->design.regularized;
    return m;
}
