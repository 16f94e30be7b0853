/* regularizer.c - the regularizers. With v = -s/lambda:
 *
 *                Omega(w)                       Omega*(v)                             argmin
 *   l2           1/2 ||w||^2                    1/2 ||v||^2                           v
 *   elastic net  rho/2 ||w||^2                  1/(2 rho) sum (|v_j| - (1 - rho))_+^2 soft(v)/rho
 *                  + (1 - rho) ||w||_1
 *   l1           ||w||_1                       0 if ||v||_inf <= 1, else infinite   0, if finite
 *   entropy      sum w_j log(n w_j), w on the   log( (1/n) sum exp v_j )              softmax(v)
 *                  simplex sum w = 1, w >= 0
 *
 * The simplex and balls are in constraint.h. Reference: Smola, Vishwanathan & Le 2008, section 3.3. */
#include "risk/regularizer.h"

#include "math/entropy.h"
#include "math/vector.h"
#include "risk/constraint.h"

#include <math.h>
#include <string.h>

/* ---- l2 */

static double l2_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    (void)p;
    return vector_dot(w, w, n) / 2;
}

static double l2_conjugate(const double *s, int64_t n, double lambda,
                           const struct regularizer_parameters *p) {
    (void)p;
    return vector_dot(s, s, n) / (2 * lambda);
}

static void l2_minimizer(const double *s, int64_t n, double lambda,
                         const struct regularizer_parameters *p, double *w) {
    (void)p;
    for (int64_t j = 0; j < n; j++)
        w[j] = -s[j] / lambda;
}

/* max over theta in [0, 1] of theta t - theta^2 conjugate; without the bounds theta = t/(2 conjugate). */
static double l2_bound(const double *s, double t, int64_t n, double lambda,
                       const struct regularizer_parameters *p) {
    double conjugate = l2_conjugate(s, n, lambda, p);
    if (t <= 0)
        return 0;
    return t >= 2 * conjugate ? t - conjugate : t * (t / (4 * conjugate));
}

static struct penalty l2_penalty(double lambda, const struct regularizer_parameters *p) {
    (void)p;
    return (struct penalty){.l2 = lambda};
}

/* ---- l1 */

static double l1_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    double sum = 0;
    (void)p;
    for (int64_t j = 0; j < n; j++)
        sum += fabs(w[j]);
    return sum;
}

static double l1_reach(const double *s, int64_t n, double lambda) {
    double largest = vector_largest(s, n);
    return largest > lambda ? lambda / largest : 1;
}

static double l1_conjugate(const double *s, int64_t n, double lambda,
                           const struct regularizer_parameters *p) {
    (void)p;
    return vector_largest(s, n) <= lambda ? 0 : INFINITY;
}

/* 0 is a minimizer if there is one. */
static void l1_minimizer(const double *s, int64_t n, double lambda,
                         const struct regularizer_parameters *p, double *w) {
    (void)s, (void)lambda, (void)p;
    memset(w, 0, sizeof *w * (size_t)n);
}

static double l1_bound(const double *s, double t, int64_t n, double lambda,
                       const struct regularizer_parameters *p) {
    (void)p;
    return fmax(0, t * l1_reach(s, n, lambda));
}

static struct penalty l1_penalty(double lambda, const struct regularizer_parameters *p) {
    (void)p;
    return (struct penalty){.l1 = lambda};
}

/* ---- elastic net */

static double elastic_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    return p->elastic / 2 * vector_dot(w, w, n) + (1 - p->elastic) * l1_value(w, n, p);
}

/* lambda Omega*(-theta s/lambda) = sum of (theta |s_j| - lambda (1 - rho))_+^2 / (2 lambda rho), and its first and
 * second derivative with respect to theta. */
struct elastic_conjugate_values {
    double conjugate, slope, curvature;
};

static struct elastic_conjugate_values
elastic_conjugate_at(const double *s, double theta, int64_t n, double lambda,
                     const struct regularizer_parameters *p) {
    double excess_squares = 0, slopes = 0, lengths = 0, threshold = lambda * (1 - p->elastic);
    for (int64_t j = 0; j < n; j++) {
        double length = fabs(s[j]), excess = theta * length - threshold;
        length = excess > 0 ? length : 0;
        excess = excess > 0 ? excess : 0;
        excess_squares += excess * excess;
        slopes += excess * length;
        lengths += length * length;
    }
    double unit = lambda * p->elastic;
    return (struct elastic_conjugate_values){excess_squares / (2 * unit), slopes / unit,
                                             lengths / unit};
}

static double elastic_conjugate(const double *s, int64_t n, double lambda,
                                const struct regularizer_parameters *p) {
    return elastic_conjugate_at(s, 1, n, lambda, p).conjugate;
}

/* The derivative of theta t - conjugate(theta) is concave, decreasing and piecewise linear in theta. So Newton's
 * method from theta = 1 decreases to its zero, and is exact once both are on one linear piece. */
static double elastic_bound(const double *s, double t, int64_t n, double lambda,
                            const struct regularizer_parameters *p) {
    enum { MAX_NEWTON_STEPS = 100 };
    double theta = 1, best = 0;
    for (int i = 0; t > 0 && i < MAX_NEWTON_STEPS; i++) {
        struct elastic_conjugate_values at = elastic_conjugate_at(s, theta, n, lambda, p);
        double next = theta - (at.slope - t) / at.curvature;
        best = fmax(best, theta * t - at.conjugate);
        if (!(at.slope > t && next < theta))
            break;
        theta = next;
    }
    return best;
}

static void elastic_minimizer(const double *s, int64_t n, double lambda,
                              const struct regularizer_parameters *p, double *w) {
    double threshold = lambda * (1 - p->elastic);
    for (int64_t j = 0; j < n; j++)
        w[j] = -soft(s[j], threshold) / (lambda * p->elastic);
}

static struct penalty elastic_penalty(double lambda, const struct regularizer_parameters *p) {
    return (struct penalty){.l1 = lambda * (1 - p->elastic), .l2 = lambda * p->elastic};
}

static void elastic_conjugate_curvature(const double *w, int64_t n,
                                        const struct regularizer_parameters *p, double *d) {
    for (int64_t j = 0; j < n; j++)
        d[j] = w[j] != 0 ? 1 / p->elastic : 0;
}

/* ---- entropy, relative to the uniform distribution */

static double entropy_value(const double *w, int64_t n, const struct regularizer_parameters *p) {
    static const double sum_tolerance = 1e-9;
    double sum = 0, mass = 0;
    (void)p;
    for (int64_t j = 0; j < n; j++) {
        if (w[j] < 0)
            return INFINITY;
        mass += w[j];
        sum += entropy_term((double)n * w[j] - 1);
    }
    return fabs(mass - 1) <= sum_tolerance ? sum / (double)n : INFINITY;
}

/* lambda log( (1/n) sum exp(-theta s_j/lambda) ) */
static double entropy_conjugate_at(const double *s, double theta, int64_t n, double lambda,
                                   const struct regularizer_parameters *p) {
    double smallest = INFINITY, sum = 0, sum_minus_n = 0;
    (void)p;
    for (int64_t j = 0; j < n; j++)
        smallest = fmin(smallest, theta * s[j]);
    for (int64_t j = 0; j < n; j++) {
        double power = (smallest - theta * s[j]) / lambda;
        sum += exp(power);
        sum_minus_n += expm1(power);
    }
    return lambda * entropy_log_mean(sum / (double)n, sum_minus_n / (double)n) - smallest;
}

static double entropy_conjugate(const double *s, int64_t n, double lambda,
                                const struct regularizer_parameters *p) {
    return entropy_conjugate_at(s, 1, n, lambda, p);
}

static void entropy_minimizer(const double *s, int64_t n, double lambda,
                              const struct regularizer_parameters *p, double *w) {
    double smallest = INFINITY, sum = 0;
    (void)p;
    for (int64_t j = 0; j < n; j++)
        smallest = fmin(smallest, s[j]);
    for (int64_t j = 0; j < n; j++) {
        w[j] = exp((smallest - s[j]) / lambda);
        sum += w[j];
    }
    vector_scale(w, 1 / sum, n);
}

/* ---- bounds without a closed form: ternary search, since theta t - conjugate(theta s) is concave in theta */

typedef double conjugate_function(const double *s, double theta, int64_t n, double lambda,
                                  const struct regularizer_parameters *p);

static double search_bound(conjugate_function *conjugate, const double *s, double t, int64_t n,
                           double lambda, const struct regularizer_parameters *p) {
    enum { SEARCH_STEPS = 40 };
    double low = 0, high = 1, best = fmax(t - conjugate(s, 1, n, lambda, p), 0);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        double at_left = left * t - conjugate(s, left, n, lambda, p);
        double at_right = right * t - conjugate(s, right, n, lambda, p);
        best = fmax(best, fmax(at_left, at_right));
        if (at_left < at_right)
            low = left;
        else
            high = right;
    }
    return best;
}

static void entropy_conjugate_curvature(const double *w, int64_t n,
                                        const struct regularizer_parameters *p, double *d) {
    (void)p;
    memcpy(d, w, sizeof *d * (size_t)n);
}

static double entropy_bound(const double *s, double t, int64_t n, double lambda,
                            const struct regularizer_parameters *p) {
    return search_bound(entropy_conjugate_at, s, t, n, lambda, p);
}

/* ---- the table */

static const struct regularizer regularizers[] = {
    {"l2", "1/2 ||w||^2", l2_value, l2_conjugate, l2_minimizer, l2_bound, .penalty = l2_penalty},
    {"l1", "||w||_1: many weights are exactly 0", l1_value, l1_conjugate, l1_minimizer, l1_bound,
     .reach = l1_reach, .penalty = l1_penalty},
    {"elastic-net", "rho/2 ||w||^2 + (1 - rho) ||w||_1, where rho is --elastic", elastic_value,
     elastic_conjugate, elastic_minimizer, elastic_bound, .penalty = elastic_penalty,
     .conjugate_curvature = elastic_conjugate_curvature},
    {"entropy", "sum w_j log(n w_j), for weights >= 0 that sum to 1", entropy_value,
     entropy_conjugate, entropy_minimizer, entropy_bound,
     .conjugate_curvature = entropy_conjugate_curvature, .sum_one = true},
    {"simplex", "no Omega and no lambda: weights >= 0 that sum to 1", simplex_value,
     simplex_conjugate, simplex_minimizer, simplex_bound, .constraint = true},
    {"l1-ball", "--ball l1=Z, without lambda: ||w||_1 <= Z", l1_ball_value, l1_ball_conjugate,
     l1_ball_minimizer, l1_ball_bound, .constraint = true, .ball = l1_ball},
    {"elastic-net-ball",
     "--ball elastic-net=Z, without lambda: rho/2 ||w||^2 + (1 - rho) ||w||_1 <= Z",
     elastic_ball_value, elastic_ball_conjugate, elastic_ball_minimizer, elastic_ball_bound,
     .constraint = true, .ball = elastic_ball},
};

const struct regularizer *regularizer_table(int *count) {
    *count = sizeof regularizers / sizeof *regularizers;
    return regularizers;
}

const struct regularizer *regularizer_by_name(const char *name) {
    int count;
    const struct regularizer *table = regularizer_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
