/* multivariate.c - the gains of flipped labels, and the risk from a measure's value; see multivariate.h. */
#include "risk/multivariate/multivariate.h"

#include "io/memory.h"
#include "math/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* out_i = -scale y_i x_i; out may be x. */
static void scale_by_labels(const struct multivariate *m, const double *x, double *out) {
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
    scale_by_labels(m, m->gain, m->gain);
    double value = m->measure->value(m, mu, gradient == NULL ? NULL : m->flip, &delta);
    if (gradient != NULL) {
        scale_by_labels(m, m->flip, m->flip);
        design_combine(&m->design, m->flip, gradient);
    }
    if (constant != NULL)
        *constant = delta;
    return value;
}

/* The offset b subtracts scale * b from the gains of the positives and adds it to those of the negatives. */
static double profile(const struct risk *risk, double *w, bool again, double slack,
                      double *gradient, double *constant) {
    struct multivariate *m = (struct multivariate *)risk;
    double shift;
    (void)again;
    (void)slack; /* the minimum is exact */
    w[risk->regularized] = 0;
    design_scores(&m->design, w, m->gain);
    scale_by_labels(m, m->gain, m->gain);
    double value = m->measure->minimum(m, &shift, m->flip, constant);
    w[risk->regularized] = shift / m->scale;
    scale_by_labels(m, m->flip, m->flip);
    design_combine(&m->design, m->flip, gradient);
    gradient[risk->regularized] = 0; /* removes rounding errors */
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
    free(m->sort_work);
    free(m->class[POSITIVES].row);
    free(m->class[POSITIVES].sum);
    free(m);
}

static const struct risk_kind kind = {.name = "multivariate",
                                      .evaluate = evaluate,
                                      .smooth = smooth,
                                      .profile = profile,
                                      .free = multivariate_free};

void multivariate_sort(struct multivariate *m) {
    for (int s = 0; s < CLASSES; s++) {
        struct multivariate_class *class = &m->class[s];
        for (int64_t k = 0; k < class->count; k++)
            class->sorted[k] = (struct scored){-m->gain[class->row[k]], class->row[k]};
        sort_scored(class->sorted, m->sort_work, class->count);
        for (int64_t k = 0; k < class->count; k++)
            class->sum[k + 1] = class->sum[k] - class->sorted[k].score;
    }
}

void multivariate_flip(const struct multivariate *m, int64_t missed, int64_t false_positives,
                       double *flip) {
    const int64_t count[CLASSES] = {[POSITIVES] = missed, [NEGATIVES] = false_positives};
    for (int s = 0; s < CLASSES; s++)
        for (int64_t k = 0; k < m->class[s].count; k++)
            flip[m->class[s].sorted[k].row] = k < count[s];
}

void multivariate_mix(const struct multivariate *m, int64_t missed, int64_t false_positives,
                      double share, double *flip) {
    const int64_t count[CLASSES] = {[POSITIVES] = missed, [NEGATIVES] = false_positives};
    for (int s = 0; s < CLASSES; s++)
        for (int64_t k = 0; k < m->class[s].count; k++) {
            double *at = &flip[m->class[s].sorted[k].row];
            *at += share * ((k < count[s]) - *at);
        }
}

bool multivariate_can_smooth(const struct multivariate *m, double mu) {
    double size = 1;
    for (int64_t i = 0; i < m->design.rows; i++)
        size += fabs(m->gain[i]);
    return mu > rounding_of_results * size;
}

/* ---- memory */

static int check_rows(const struct multivariate *m, const double *weight, struct error *e) {
    if (m->class[POSITIVES].count == 0)
        return error_set(e, "-L %s needs positive examples, and there are none", m->measure->name);
    return risk_equal_weights(m->measure->name, weight, m->design.rows, e);
}

static int split_rows(struct multivariate *m, int64_t rows, struct error *e) {
    struct multivariate_class *missed = &m->class[POSITIVES],
                              *false_positive = &m->class[NEGATIVES];
    m->gain = memory_new(2 * rows, sizeof *m->gain, "the gains", e);
    m->sort_work = memory_new(2 * rows, sizeof *m->sort_work, "sorting", e);
    missed->row = memory_new(rows, sizeof *missed->row, "sorting", e);
    missed->sum = memory_zeroed(rows + CLASSES, sizeof *missed->sum, "the gains", e);
    if (m->gain == NULL || m->sort_work == NULL || missed->row == NULL || missed->sum == NULL)
        return -1;
    m->flip = m->gain + rows;
    for (int64_t i = 0; i < rows; i++)
        if (m->target[i] > 0)
            missed->row[missed->count++] = i;
    false_positive->row = missed->row + missed->count;
    missed->sorted = m->sort_work + rows;
    false_positive->sorted = missed->sorted + missed->count;
    false_positive->sum = missed->sum + missed->count + 1;
    for (int64_t i = 0; i < rows; i++)
        if (!(m->target[i] > 0))
            false_positive->row[false_positive->count++] = i;
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
        split_rows(m, examples->data->rows, e) != 0 || check_rows(m, examples->weight, e) != 0) {
        risk_free(&m->risk);
        return NULL;
    }
    m->risk.dimension = m->design.columns;
    m->risk.regularized = m->design.regularized;
    return m;
}
