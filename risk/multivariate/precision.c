/* precision.c - the k rows that stand first, by a sort, and smoothed by a projection; see precision.h. */
#include "risk/multivariate/precision.h"

#include "io/memory.h"
#include "math/box_plane.h"
#include "math/long_vector.h"
#include "math/vector.h"
#include "risk/multivariate/multivariate.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct precision {
    struct multivariate all; /* first */
    int64_t k;
    double prox;        /* s */
    double *sign, *aim; /* rows: -1 for positives; the unconstrained maximizer */
    struct box_plane_work work;
};

/* k < n_+ */
static bool has_choice(const struct precision *p) {
    return p->k < p->all.side[MISSED].count;
}

/* The least and the largest number of missed positives. */
static int64_t least_missed(const struct precision *p) {
    int64_t more = p->all.side[MISSED].count - p->k;
    return more > 0 ? more : 0;
}
static int64_t most_missed(const struct precision *p) {
    int64_t positives = p->all.side[MISSED].count;
    int64_t most = p->all.side[FALSE].count + positives - p->k;
    return most < positives ? most : positives;
}

/* z of each of b missed positives: c/b for k < n_+. */
static double missed_flip(const struct precision *p, int64_t b) {
    int64_t wrong = b + p->k - p->all.side[MISSED].count;
    return has_choice(p) ? (double)wrong / (double)b : 1;
}

static void set_flips(const struct precision *p, int64_t missed, int64_t wrong, double *flip) {
    const struct multivariate_side *side = &p->all.side[MISSED];
    double each = missed_flip(p, missed);
    multivariate_flip(&p->all, missed, wrong, flip);
    for (int64_t j = 0; j < missed; j++)
        flip[side->sorted[j].row] = each;
}

static double sharp_value(struct precision *p, double *flip, double *delta) {
    struct multivariate *m = &p->all;
    const double *missed = m->side[MISSED].sum, *wrong = m->side[FALSE].sum;
    int64_t best = least_missed(p), shift = p->k - m->side[MISSED].count;
    double most = -INFINITY;
    multivariate_sort(m);
    for (int64_t b = least_missed(p); b <= most_missed(p); b++) {
        double value =
            (double)(b + shift) / (double)p->k + missed_flip(p, b) * missed[b] + wrong[b + shift];
        if (value > most) {
            most = value;
            best = b;
        }
    }
    *delta = (double)(best + shift) / (double)p->k;
    if (flip != NULL)
        set_flips(p, best, best + shift, flip);
    return most;
}

/* The unconstrained maximizer, with what a false positive adds to Delta. */
static void set_aims(struct precision *p, double curvature) {
    const struct multivariate *m = &p->all;
    double each = 1 / (double)p->k;
#pragma omp parallel for schedule(static) if (m->design.threads)
    for (int64_t i = 0; i < m->design.rows; i++)
        p->aim[i] = (m->gain[i] + (p->sign[i] > 0 ? each : 0)) / curvature;
}

/* Spreads what z misses the plane by over the coordinates off their bounds: aims have few digits behind
 * the point where the curvature is small, and a z off the plane is no mean of label vectors. Those
 * coordinates are enough, as bounds and plane are integers. False where aims had no digits at all. */
static bool meet_plane(const struct precision *p, const struct box_plane *plane, double *z) {
    enum { TURNS = 8 }; /* each but the last has found new bounds */
    for (int turn = 0; turn < TURNS; turn++) {
        double off = long_dot(NULL, p->sign, z, plane->n) - plane->z;
        int64_t inside = 0;
        if (fabs(off) <= DBL_EPSILON * (double)plane->n)
            return true;
        for (int64_t i = 0; i < plane->n; i++)
            inside += z[i] > 0 && z[i] < 1;
        for (int64_t i = 0; i < plane->n; i++)
            if (z[i] > 0 && z[i] < 1)
                z[i] = fmin(1, fmax(0, z[i] - p->sign[i] * (off / (double)inside)));
    }
    return false;
}

/* False, and nothing of use written, where the smoothing is lost in rounding. */
static bool smooth_value(struct precision *p, double mu, double *flip, double *delta,
                         double *value) {
    const struct multivariate *m = &p->all;
    int64_t rows = m->design.rows;
    double curvature = mu * p->prox, *z = flip == NULL ? m->flip : flip, wrong = 0;
    const struct box_plane plane = {.n = rows,
                                    .m = p->aim,
                                    .g = p->sign,
                                    .z = (double)(p->k - m->side[MISSED].count),
                                    .low_all = 0,
                                    .high_all = 1};
    if (!multivariate_feels(m, curvature))
        return false;
    set_aims(p, curvature);
    box_plane_point(&plane, box_plane_multiplier(&plane, NAN, &p->work), z);
    if (!meet_plane(p, &plane, z))
        return false;
    for (int64_t j = 0; j < m->side[FALSE].count; j++)
        wrong += z[m->side[FALSE].row[j]];
    *delta = wrong / (double)p->k;
    *value = *delta + long_dot(NULL, m->gain, z, rows) - curvature / 2 * long_dot(NULL, z, z, rows);
    return true;
}

/* max over 0 <= a <= 1 of a V - mu a^2/2 */
static double take_slack(double V, double mu, double *flip, int64_t rows, double *delta) {
    double a = V <= 0 ? 0 : V < mu ? V / mu : 1;
    *delta *= a;
    if (flip != NULL && a < 1)
        vector_scale(flip, a, rows);
    return a * V - mu / 2 * a * a;
}

static double value(struct multivariate *m, double mu, double *flip, double *delta) {
    struct precision *p = (struct precision *)m;
    double V;
    bool smooth = !has_choice(p) && smooth_value(p, mu, flip, delta, &V);
    if (!smooth)
        V = sharp_value(p, flip, delta);
    return p->k <= m->side[MISSED].count
               ? V
               : take_slack(V, smooth ? mu : 0, flip, m->design.rows, delta);
}

static int smooth(struct multivariate *m, struct error *e) {
    const struct precision *p = (const struct precision *)m;
    if (!has_choice(p))
        return 0;
    return error_set(e,
                     "-L precision --at %lld, less than the %lld positives, has no smoothed form; "
                     "-s proximal-bundle and bundle need none",
                     (long long)p->k, (long long)m->side[MISSED].count);
}

static void precision_free(struct multivariate *m) {
    struct precision *p = (struct precision *)m;
    box_plane_work_free(&p->work);
    free(p->sign);
}

/* Means of label vectors and their smoothing: s/2 times the most flips is 1. */
static int set_smoothing(struct precision *p, struct error *e) {
    struct multivariate *m = &p->all;
    int64_t rows = m->design.rows, shift = p->k - m->side[MISSED].count;
    p->prox = 2 / fmax(1, (double)(2 * most_missed(p) + shift));
    p->sign = memory_new(2 * rows, sizeof *p->sign, "the smoothed risk", e);
    if (p->sign == NULL || box_plane_work_init(&p->work, rows, e) != 0)
        return -1;
    p->aim = p->sign + rows;
    for (int64_t i = 0; i < rows; i++)
        p->sign[i] = m->target[i] > 0 ? -1 : 1;
    m->risk.smoothing = shift == 0 ? 1 : 1.5;
    return 0;
}

static int set_up(struct precision *p, int64_t k, struct error *e) {
    struct multivariate *m = &p->all;
    p->k = k > 0 ? k : m->side[MISSED].count;
    if (p->k > m->design.rows)
        return error_usage(e, "--at %lld: out of range: there are %lld examples", (long long)p->k,
                           (long long)m->design.rows);
    if (!has_choice(p))
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
    if (set_up(p, k, e) != 0) {
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
