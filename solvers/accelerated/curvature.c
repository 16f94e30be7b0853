/* curvature.c - the curvature of the smoothed risk, and the weights of the prox-function that lower it. */
#include "solvers/accelerated/curvature.h"

#include "io/memory.h"
#include "solvers/accelerated/spectrum.h"

#include <math.h>
#include <stdlib.h>

enum { TOP_ITERATIONS = 6 }; /* power iterations for the top eigenvector */

static const int64_t worth_threads = 32768; /* entries from which on threads pay */

double curvature_at(const struct curvature *curvature, double mu) {
    return curvature->kinks ? curvature->unit / mu : curvature->unit;
}

/* q_i = 1/each_i, or NULL */
static int invert(const double *each, int64_t rows, double **q, struct error *e) {
    *q = NULL;
    if (each == NULL)
        return 0;
    *q = memory_new(rows, sizeof **q, "curvatures", e);
    if (*q == NULL)
        return -1;
#pragma omp parallel for schedule(static) if (rows > worth_threads)
    for (int64_t i = 0; i < rows; i++)
        (*q)[i] = 1 / each[i];
    return 0;
}

/* *out = the trace of H in the metric; for the entropy its largest diagonal entry. */
static int sum_diagonal(const struct scalar_terms *terms, const struct prox *prox, const double *q,
                        double *out, struct error *e) {
    const struct design *design = terms->design;
    double *diagonal =
        memory_new(design->columns + design->rows, sizeof *diagonal, "curvatures", e);
    double sum = 0, largest = 0;
    if (diagonal == NULL)
        return -1;
    spectrum_diagonal(terms, q, diagonal + design->columns, diagonal);
    for (int64_t j = 0; j < design->regularized; j++) {
        sum += diagonal[j] / (prox->metric == NULL ? 1 : prox->metric[j]);
        largest = fmax(largest, diagonal[j]);
    }
    *out = prox->function == PROX_ENTROPY ? largest : sum;
    free(diagonal);
    return 0;
}

/* The bound by power iteration is never above the trace. */
static int find_unit(const struct scalar_terms *terms, const struct prox *prox, const double *q,
                     int iterations, struct curvature *out, struct error *e) {
    struct spectrum spectrum;
    if (iterations == 0 || prox->function == PROX_ENTROPY || prox->metric != NULL) {
        out->passes = 0.5;
        return sum_diagonal(terms, prox, q, &out->unit, e);
    }
    if (spectrum_find(terms, q, iterations, NULL, &spectrum, e) != 0)
        return -1;
    out->passes = spectrum.passes;
    out->unit = spectrum.bound;
    return 0;
}

int curvature_find(const struct scalar_terms *terms, const struct prox *prox, const double *each,
                   int iterations, struct curvature *out, struct error *e) {
    double *q;
    *out = (struct curvature){.kinks = isinf(terms->loss->curvature)};
    if (invert(each, terms->design->rows, &q, e) != 0)
        return -1;
    int status = find_unit(terms, prox, q, iterations, out, e);
    free(q);
    if (!out->kinks)
        out->unit *= terms->loss->curvature;
    if (!(out->unit > 0)) /* no data: any L will do */
        out->unit = 1;
    return status;
}

/* each = |v_i| scaled to a mean of 1 by p, raised to at least 0.5, and scaled to a mean of 1 again. */
static void weigh(const struct scalar_terms *terms, const double *top, double *each) {
    int64_t rows = terms->design->rows;
    double mean = 0, floored = 0;
    for (int64_t i = 0; i < rows; i++)
        mean += scalar_weight(terms, i) * fabs(top[i]) / terms->weight_sum;
    for (int64_t i = 0; i < rows; i++) {
        each[i] = mean > 0 ? fmax(fabs(top[i]) / mean, 0.5) : 1;
        floored += scalar_weight(terms, i) * each[i] / terms->weight_sum;
    }
    for (int64_t i = 0; i < rows; i++)
        each[i] /= floored;
}

int curvature_optimize(const struct scalar_terms *terms, const struct prox *prox, double *each,
                       int iterations, double *passes, struct error *e) {
    int64_t rows = terms->design->rows;
    struct spectrum spectrum;
    struct curvature plain, optimized;
    if (spectrum_find(terms, NULL, TOP_ITERATIONS, each, &spectrum, e) != 0)
        return -1;
    weigh(terms, each, each);
    if (curvature_find(terms, prox, NULL, iterations, &plain, e) != 0 ||
        curvature_find(terms, prox, each, iterations, &optimized, e) != 0)
        return -1;
    for (int64_t i = 0; i < rows && optimized.unit >= plain.unit; i++)
        each[i] = 1;
    *passes += spectrum.passes + plain.passes + optimized.passes;
    return 0;
}
