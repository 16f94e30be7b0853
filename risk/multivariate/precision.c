/* precision.c - the risk by a sort of the gains, smoothed by a projection; see precision.h. */
#include "risk/multivariate/precision.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/projections/box_plane.h"
#include "math/vector.h"
#include "risk/multivariate/multivariate.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct precision {
    struct multivariate all; /* first */
    int64_t k;
    double prox_scale;            /* s */
    double *sign, *unconstrained; /* rows: -1 for positives; the unconstrained maximizer */
    struct box_plane_work work;
};

/* k < n_+ */
static bool k_below_positives(const struct precision *p) {
    return p->k < p->all.class[POSITIVES].count;
}

/* The smallest and the largest possible number of missed positives. */
static int64_t min_missed(const struct precision *p) {
    int64_t more = p->all.class[POSITIVES].count - p->k;
    return more > 0 ? more : 0;
}
static int64_t max_missed(const struct precision *p) {
    int64_t positives = p->all.class[POSITIVES].count;
    int64_t largest = p->all.class[NEGATIVES].count + positives - p->k;
    return largest < positives ? largest : positives;
}

/* The value z_i of each of b missed positives: c/b for k < n_+, else 1. */
static double missed_flip(const struct precision *p, int64_t b) {
    int64_t false_positives = b + p->k - p->all.class[POSITIVES].count;
    return k_below_positives(p) ? (double)false_positives / (double)b : 1;
}

static void set_flips(const struct precision *p, int64_t missed, int64_t false_positives,
                      double *flip) {
    const struct multivariate_class *class = &p->all.class[POSITIVES];
    double value = missed_flip(p, missed);
    multivariate_flip(&p->all, missed, false_positives, flip);
    for (int64_t j = 0; j < missed; j++)
        flip[class->sorted[j].row] = value;
}

static double exact_value(struct precision *p, double *flip, double *delta) {
    struct multivariate *m = &p->all;
    const double *missed = m->class[POSITIVES].sum, *false_positives = m->class[NEGATIVES].sum;
    int64_t best = min_missed(p), difference = p->k - m->class[POSITIVES].count;
    double largest = -INFINITY;
    multivariate_sort(m);
    for (int64_t b = min_missed(p); b <= max_missed(p); b++) {
        double value = (double)(b + difference) / (double)p->k + missed_flip(p, b) * missed[b] +
                       false_positives[b + difference];
        if (value > largest) {
            largest = value;
            best = b;
        }
    }
    *delta = (double)(best + difference) / (double)p->k;
    if (flip != NULL)
        set_flips(p, best, best + difference, flip);
    return largest;
}

/* The unconstrained maximizer. A false positive adds 1/k to Delta. */
static void set_unconstrained(struct precision *p, double curvature) {
    const struct multivariate *m = &p->all;
    double gain_each = 1 / (double)p->k;
#pragma omp parallel for schedule(static) if (m->design.threads)
    for (int64_t i = 0; i < m->design.rows; i++)
        p->unconstrained[i] = (m->gain[i] + (p->sign[i] > 0 ? gain_each : 0)) / curvature;
}

/* Removes the rounding error of z in the plane's equation, which is large if the curvature is small: otherwise z
 * would be no mean of label vectors. The error is spread over the coordinates strictly between their bounds; these
 * suffice, as bounds and plane are integers. Returns false if the rounding errors were too large. */
static bool restore_plane(const struct precision *p, const struct box_plane *plane, double *z) {
    enum { MAX_PASSES = 8 }; /* in each but the last, coordinates reach their bounds */
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double violation = long_dot(NULL, p->sign, z, plane->n) - plane->z;
        int64_t interior = 0;
        if (fabs(violation) <= DBL_EPSILON * (double)plane->n)
            return true;
        for (int64_t i = 0; i < plane->n; i++)
            interior += z[i] > 0 && z[i] < 1;
        for (int64_t i = 0; i < plane->n; i++)
            if (z[i] > 0 && z[i] < 1)
                z[i] = fmin(1, fmax(0, z[i] - p->sign[i] * (violation / (double)interior)));
    }
    return false;
}

/* Returns false, with no valid results, if the smoothing is below rounding. */
static bool smooth_value(struct precision *p, double mu, double *flip, double *delta,
                         double *value) {
    const struct multivariate *m = &p->all;
    int64_t rows = m->design.rows;
    double curvature = mu * p->prox_scale, *z = flip == NULL ? m->flip : flip, false_positives = 0;
    const struct box_plane plane = {.n = rows,
                                    .m = p->unconstrained,
                                    .g = p->sign,
                                    .z = (double)(p->k - m->class[POSITIVES].count),
                                    .low_all = 0,
                                    .high_all = 1};
    if (!multivariate_can_smooth(m, curvature))
        return false;
    set_unconstrained(p, curvature);
    box_plane_point(&plane, box_plane_multiplier(&plane, NAN, &p->work), z);
    if (!restore_plane(p, &plane, z))
        return false;
    for (int64_t j = 0; j < m->class[NEGATIVES].count; j++)
        false_positives += z[m->class[NEGATIVES].row[j]];
    *delta = false_positives / (double)p->k;
    *value = *delta + long_dot(NULL, m->gain, z, rows) - curvature / 2 * long_dot(NULL, z, z, rows);
    return true;
}

/* max over 0 <= a <= 1 of a V - mu a^2/2 */
static double apply_slack(double V, double mu, double *flip, int64_t rows, double *delta) {
    double a = V <= 0 ? 0 : V < mu ? V / mu : 1;
    *delta *= a;
    if (flip != NULL && a < 1)
        vector_scale(flip, a, rows);
    return a * V - mu / 2 * a * a;
}

static double value(struct multivariate *m, double mu, double *flip, double *delta) {
    struct precision *p = (struct precision *)m;
    double V;
    bool smooth = !k_below_positives(p) && smooth_value(p, mu, flip, delta, &V);
    if (!smooth)
        V = exact_value(p, flip, delta);
    return p->k <= m->class[POSITIVES].count
               ? V
               : apply_slack(V, smooth ? mu : 0, flip, m->design.rows, delta);
}

static int smooth(struct multivariate *m, struct error *e) {
    const struct precision *p = (const struct precision *)m;
    if (!k_below_positives(p))
        return 0;
    return error_set(e,
                     "-L precision --at %lld, less than the %lld positives, has no smoothed form; "
                     "-s bundle needs none, with -r l2, elastic-net or entropy",
                     (long long)p->k, (long long)m->class[POSITIVES].count);
}

static void precision_free(struct multivariate *m) {
    struct precision *p = (struct precision *)m;
    box_plane_work_free(&p->work);
    free(p->sign);
}

/* The scale s of the prox function: s/2 times the largest number of flips is 1. */
static int set_smoothing(struct precision *p, struct error *e) {
    struct multivariate *m = &p->all;
    int64_t rows = m->design.rows, difference = p->k - m->class[POSITIVES].count;
    p->prox_scale = 2 / fmax(1, (double)(2 * max_missed(p) + difference));
    p->sign = memory_new(2 * rows, sizeof *p->sign, "the smoothed risk", e);
    if (p->sign == NULL || box_plane_work_init(&p->work, rows, e) != 0)
        return -1;
    p->unconstrained = p->sign + rows;
    for (int64_t i = 0; i < rows; i++)
        p->sign[i] = m->target[i] > 0 ? -1 : 1;
    m->risk.smoothing = difference == 0 ? 1 : 1.5;
    return 0;
}

static int init(struct precision *p, int64_t k, struct error *e) {
    struct multivariate *m = &p->all;
    p->k = k > 0 ? k : m->class[POSITIVES].count;
    if (p->k > m->design.rows)
        return error_usage(e, "--at %lld: out of range: there are %lld examples", (long long)p->k,
                           (long long)m->design.rows);
    if (!k_below_positives(p))
        return set_smoothing(p, e);
    m->scale = 1 / (double)p->k;
    m->risk.smoothing = INFINITY;
    return 0;
}

static struct risk *risk_new(const struct multivariate_measure *measure,
                             const struct risk_settings *settings, int64_t k, struct error *e) {
    struct precision *p = multivariate_new(sizeof *p, measure, settings, e);
    if (p == NULL)
        return NULL;
    if (init(p, k, e) != 0) {
        risk_free(&p->all.risk);
        return NULL;
    }
    return &p->all.risk;
}

struct risk *precision_risk_new(const struct risk_settings *settings, struct error *e) {
    static const struct multivariate_measure measure = {
        .name = "precision", .value = value, .smooth = smooth, .free = precision_free};
    return risk_new(&measure, settings, settings->at, e);
}

struct risk *prbep_risk_new(const struct risk_settings *settings, struct error *e) {
    static const struct multivariate_measure measure = {
        .name = "prbep", .value = value, .free = precision_free};
    return risk_new(&measure, settings, 0, e);
}
