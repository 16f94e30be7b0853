/* loss.c - the scalar losses and their constants, one section for each loss.
 *
 * Notation: z = y u, v = 1 - z for classification; r = u - y for regression. Conjugates follow from
 * writing the loss as a maximum over a of a u - l*(a, y). */
#include "risk/loss.h"

#include "math/rounding.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

static double square(double x) {
    return x * x;
}

static double sign(double x) {
    return (x > 0) - (x < 0);
}

/* Constants that several losses share. */
static double one(double y, const struct loss_parameters *p) {
    (void)y, (void)p;
    return 1;
}

static double magnitude(double y, const struct loss_parameters *p) {
    (void)p;
    return fabs(y);
}

/* a = -y alpha, alpha in [0, 1] */
static void unit_domain(double y, const struct loss_parameters *p, double *low, double *high) {
    (void)p;
    *low = y > 0 ? -1 : 0;
    *high = y > 0 ? 0 : 1;
}

static void symmetric_unit_domain(double y, const struct loss_parameters *p, double *low,
                                  double *high) {
    (void)y, (void)p;
    *low = -1;
    *high = 1;
}

/* ---- hinge: max(0, v); a = -y alpha, alpha in [0, 1] */

static double hinge(double u, double y, const struct loss_parameters *p, double *a) {
    (void)p;
    double v = 1 - y * u;
    *a = v > 0 ? -y : 0;
    return v > 0 ? v : 0;
}

static double hinge_conjugate(double a, double y, const struct loss_parameters *p) {
    (void)p;
    double alpha = -y * a;
    return alpha >= 0 && alpha <= 1 ? -alpha : INFINITY;
}

static double hinge_smooth(double u, double y, double mu, const struct loss_parameters *p,
                           double *a) {
    (void)p;
    double v = 1 - y * u, alpha = clip(v / mu, 0, 1);
    *a = -y * alpha;
    return alpha * v - mu / 2 * square(alpha);
}

/* ---- squared hinge: max(0, v)^2; a = -y alpha, alpha >= 0 */

static double squared_hinge(double u, double y, const struct loss_parameters *p, double *a) {
    (void)p;
    double v = fmax(1 - y * u, 0);
    *a = -y * 2 * v;
    return v * v;
}

static double squared_hinge_conjugate(double a, double y, const struct loss_parameters *p) {
    (void)p;
    double alpha = -y * a;
    return alpha >= 0 ? square(alpha) / 4 - alpha : INFINITY;
}

static void squared_hinge_domain(double y, const struct loss_parameters *p, double *low,
                                 double *high) {
    (void)p;
    *low = y > 0 ? -INFINITY : 0;
    *high = y > 0 ? 0 : INFINITY;
}

static double squared_hinge_smooth(double u, double y, double mu, const struct loss_parameters *p,
                                   double *a) {
    (void)p;
    double v = fmax(1 - y * u, 0);
    *a = -y * 2 * v / (1 + 2 * mu);
    return v * v / (1 + 2 * mu);
}

static double squared_hinge_lipschitz(double y, const struct loss_parameters *p) {
    (void)y, (void)p;
    return 2;
}

static double squared_hinge_second(double u, double y, const struct loss_parameters *p) {
    (void)p;
    return y * u < 1 ? 2 : 0;
}

static double squared_hinge_norm_bound(double y, const struct loss_parameters *p) {
    (void)y, (void)p;
    return 0.5;
}

/* ---- logistic: log(1 + exp(-z)); a = -y alpha, alpha in [0, 1] */

/* log(1 + exp(s)), and in *sigma its derivative. */
static double log_one_plus_exp(double s, double *sigma) {
    double e = exp(-fabs(s));
    *sigma = (s > 0 ? 1 : e) / (1 + e);
    return fmax(s, 0) + log1p(e);
}

static double logistic(double u, double y, const struct loss_parameters *p, double *a) {
    (void)p;
    double alpha, value = log_one_plus_exp(-y * u, &alpha);
    *a = -y * alpha;
    return value;
}

static double logistic_conjugate(double a, double y, const struct loss_parameters *p) {
    (void)p;
    double alpha = -y * a;
    if (!(alpha >= 0 && alpha <= 1))
        return INFINITY;
    return (alpha > 0 ? alpha * log(alpha) : 0) + (alpha < 1 ? (1 - alpha) * log1p(-alpha) : 0);
}

/* An error d in s becomes at most d^2/2 in Newton's next step. */
static const double newton_end = 1e-8;

/* The s <= 0 with s + mu sigma(s) = c, for c <= mu/2. Where sigma(s) >= 1/2 exp(s) is put for it, the root is
 * c - W(mu/2 exp(c)) >= s, W the Lambert function, and W(exp(x)) >= x - log(x) for x >= 1. sigma is convex for s <= 0,
 * so Newton's steps from above stay above the root. */
static double logistic_root(double mu, double c) {
    double x = c + log(mu / 2), s = x > 1 ? c - x + log(x) : c, change = INFINITY;
    if (s > 0)
        s = 0;
    for (int i = 0; i < 100 && change > newton_end; i++) {
        double e = exp(s), sigma = e / (1 + e);
        change = (s + mu * sigma - c) / (1 + mu * sigma * (1 - sigma));
        if (change > 0)
            s -= change;
    }
    return s;
}

/* The maximizer is alpha = sigma(s), where s solves s + mu sigma(s) = -z. -s solves the same for mu + z, as
 * sigma(-s) = 1 - sigma(s); one of them is not above 0. The value is log(1 + exp(s)) + mu/2 alpha^2. */
static double logistic_smooth(double u, double y, double mu, const struct loss_parameters *p,
                              double *a) {
    (void)p;
    double z = y * u, alpha;
    double s = mu + 2 * z >= 0 ? logistic_root(mu, -z) : -logistic_root(mu, mu + z);
    double value = log_one_plus_exp(s, &alpha);
    *a = -y * alpha;
    return value + mu / 2 * square(alpha);
}

/* sigma(z) sigma(-z); in this form it underflows only if exp(-|z|) does. */
static double logistic_second(double u, double y, const struct loss_parameters *p) {
    (void)y, (void)p;
    double e = exp(-fabs(u));
    return e / square(1 + e);
}

/* sup over u of u sigma(-u) = W(1/e), W the Lambert function. */
static double logistic_norm_bound(double y, const struct loss_parameters *p) {
    (void)y, (void)p;
    return 0.27846454276107379;
}

/* ---- squared: r^2/2 */

static double squared(double u, double y, const struct loss_parameters *p, double *a) {
    (void)p;
    *a = u - y;
    return square(u - y) / 2;
}

static double squared_conjugate(double a, double y, const struct loss_parameters *p) {
    (void)p;
    return a * y + square(a) / 2;
}

static void real_domain(double y, const struct loss_parameters *p, double *low, double *high) {
    (void)y, (void)p;
    *low = -INFINITY;
    *high = INFINITY;
}

static double squared_smooth(double u, double y, double mu, const struct loss_parameters *p,
                             double *a) {
    (void)p;
    *a = (u - y) / (1 + mu);
    return square(u - y) / (2 * (1 + mu));
}

static double squared_second(double u, double y, const struct loss_parameters *p) {
    (void)u, (void)y, (void)p;
    return 1;
}

static double squared_norm_bound(double y, const struct loss_parameters *p) {
    (void)p;
    return square(y) / 4;
}

/* ---- epsilon-insensitive: max(|r| - tube, 0); absolute is the same with tube = 0 */

static double tube_loss(double r, double tube, double *a) {
    *a = fabs(r) > tube ? sign(r) : 0;
    return fmax(fabs(r) - tube, 0);
}

static double tube_conjugate(double a, double y, double tube) {
    return fabs(a) <= 1 ? a * y + tube * fabs(a) : INFINITY;
}

static double tube_smooth(double r, double tube, double mu, double *a) {
    double q = sign(r) * fmax(fabs(r) - tube, 0);
    *a = clip(q / mu, -1, 1);
    return *a * q - mu / 2 * square(*a);
}

static double absolute(double u, double y, const struct loss_parameters *p, double *a) {
    (void)p;
    return tube_loss(u - y, 0, a);
}

static double absolute_conjugate(double a, double y, const struct loss_parameters *p) {
    (void)p;
    return tube_conjugate(a, y, 0);
}

static double absolute_smooth(double u, double y, double mu, const struct loss_parameters *p,
                              double *a) {
    (void)p;
    return tube_smooth(u - y, 0, mu, a);
}

static double insensitive(double u, double y, const struct loss_parameters *p, double *a) {
    return tube_loss(u - y, p->tube, a);
}

static double insensitive_conjugate(double a, double y, const struct loss_parameters *p) {
    return tube_conjugate(a, y, p->tube);
}

static double insensitive_smooth(double u, double y, double mu, const struct loss_parameters *p,
                                 double *a) {
    return tube_smooth(u - y, p->tube, mu, a);
}

static double insensitive_tube(const struct loss_parameters *p) {
    return p->tube;
}

static double insensitive_norm_bound(double y, const struct loss_parameters *p) {
    return fmax(fabs(y) - p->tube, 0);
}

/* ---- squared epsilon-insensitive: max(|r| - tube, 0)^2 */

static double squared_insensitive(double u, double y, const struct loss_parameters *p, double *a) {
    double q = soft(u - y, p->tube);
    *a = 2 * q;
    return q * q;
}

static double squared_insensitive_conjugate(double a, double y, const struct loss_parameters *p) {
    return a * y + p->tube * fabs(a) + square(a) / 4;
}

static double squared_insensitive_smooth(double u, double y, double mu,
                                         const struct loss_parameters *p, double *a) {
    double q = soft(u - y, p->tube);
    *a = 2 * q / (1 + 2 * mu);
    return q * q / (1 + 2 * mu);
}

static double squared_insensitive_second(double u, double y, const struct loss_parameters *p) {
    return fabs(u - y) > p->tube ? 2 : 0;
}

static double squared_insensitive_lipschitz(double y, const struct loss_parameters *p) {
    (void)p;
    return 2 * fabs(y);
}

static double squared_insensitive_norm_bound(double y, const struct loss_parameters *p) {
    return square(fmax(fabs(y) - p->tube, 0)) / 2;
}

/* ---- Huber: r^2/2 within |r| <= d, d |r| - d^2/2 outside */

static double huber(double u, double y, const struct loss_parameters *p, double *a) {
    double r = u - y;
    *a = clip(r, -p->huber, p->huber);
    return *a * r - square(*a) / 2;
}

static double huber_conjugate(double a, double y, const struct loss_parameters *p) {
    return fabs(a) <= p->huber ? a * y + square(a) / 2 : INFINITY;
}

static void huber_domain(double y, const struct loss_parameters *p, double *low, double *high) {
    (void)y;
    *low = -p->huber;
    *high = p->huber;
}

static double huber_smooth(double u, double y, double mu, const struct loss_parameters *p,
                           double *a) {
    double r = u - y;
    *a = clip(r / (1 + mu), -p->huber, p->huber);
    return *a * r - (1 + mu) / 2 * square(*a);
}

static double huber_second(double u, double y, const struct loss_parameters *p) {
    return fabs(u - y) < p->huber;
}

static double huber_lipschitz(double y, const struct loss_parameters *p) {
    (void)y;
    return p->huber;
}

static double huber_norm_bound(double y, const struct loss_parameters *p) {
    double d = p->huber;
    return fabs(y) <= 2 * d ? square(y) / 4 : d * (fabs(y) - d);
}

/* ---- quantile (pinball): max(-q r, (1 - q) r) */

static double quantile(double u, double y, const struct loss_parameters *p, double *a) {
    double r = u - y;
    *a = r > 0 ? 1 - p->quantile : r < 0 ? -p->quantile : 0;
    return *a * r;
}

static double quantile_conjugate(double a, double y, const struct loss_parameters *p) {
    return a >= -p->quantile && a <= 1 - p->quantile ? a * y : INFINITY;
}

static void quantile_domain(double y, const struct loss_parameters *p, double *low, double *high) {
    (void)y;
    *low = -p->quantile;
    *high = 1 - p->quantile;
}

static double quantile_smooth(double u, double y, double mu, const struct loss_parameters *p,
                              double *a) {
    double r = u - y;
    *a = clip(r / mu, -p->quantile, 1 - p->quantile);
    return *a * r - mu / 2 * square(*a);
}

static double quantile_lipschitz(double y, const struct loss_parameters *p) {
    (void)y;
    return fmax(p->quantile, 1 - p->quantile);
}

static double quantile_norm_bound(double y, const struct loss_parameters *p) {
    return y > 0 ? p->quantile * y : (1 - p->quantile) * -y;
}

/* ---- the table */

static const struct loss losses[] = {
    {"hinge", "max(0, 1 - y u): linear SVM", TASK_CLASSIFICATION, false, hinge, hinge_conjugate,
     unit_domain, hinge_smooth, one, 0, INFINITY, true, NULL, one, NULL},
    {"squared-hinge", "max(0, 1 - y u)^2: L2-loss SVM", TASK_CLASSIFICATION, false, squared_hinge,
     squared_hinge_conjugate, squared_hinge_domain, squared_hinge_smooth, squared_hinge_lipschitz,
     2, 2, true, squared_hinge_second, squared_hinge_norm_bound, NULL},
    {"logistic", "log(1 + exp(-y u)): logistic regression, with probabilities", TASK_CLASSIFICATION,
     true, logistic, logistic_conjugate, unit_domain, logistic_smooth, one, 0, 0.25, false,
     logistic_second, logistic_norm_bound, NULL},
    {"squared", "(u - y)^2 / 2: ridge regression", TASK_REGRESSION, false, squared,
     squared_conjugate, real_domain, squared_smooth, magnitude, 1, 1, true, squared_second,
     squared_norm_bound, NULL},
    {"absolute", "|u - y|: the median", TASK_REGRESSION, false, absolute, absolute_conjugate,
     symmetric_unit_domain, absolute_smooth, one, 0, INFINITY, true, NULL, magnitude, NULL},
    {"epsilon", "max(0, |u - y| - tube): support vector regression (--tube)", TASK_REGRESSION,
     false, insensitive, insensitive_conjugate, symmetric_unit_domain, insensitive_smooth, one, 0,
     INFINITY, false, NULL, insensitive_norm_bound, insensitive_tube},
    {"squared-epsilon", "max(0, |u - y| - tube)^2: support vector regression (--tube)",
     TASK_REGRESSION, false, squared_insensitive, squared_insensitive_conjugate, real_domain,
     squared_insensitive_smooth, squared_insensitive_lipschitz, 2, 2, false,
     squared_insensitive_second, squared_insensitive_norm_bound, insensitive_tube},
    {"huber", "squared near 0, linear beyond the threshold (--huber): robust regression",
     TASK_REGRESSION, false, huber, huber_conjugate, huber_domain, huber_smooth, huber_lipschitz, 0,
     1, true, huber_second, huber_norm_bound, NULL},
    {"quantile", "max(q (y - u), (1 - q) (u - y)): the q-quantile (--quantile)", TASK_REGRESSION,
     false, quantile, quantile_conjugate, quantile_domain, quantile_smooth, quantile_lipschitz, 0,
     INFINITY, true, NULL, quantile_norm_bound, NULL},
};

const struct loss *loss_table(int *count) {
    *count = sizeof losses / sizeof *losses;
    return losses;
}

struct loss_box loss_box(const struct loss *loss, const struct loss_parameters *p, double side) {
    struct loss_box box = {.tube = loss->tube == NULL ? 0 : loss->tube(p)};
    loss->domain(side, p, &box.low, &box.high);
    return box;
}

bool loss_has_box(const struct loss *loss) {
    static const struct loss_parameters typical = {.tube = 0.1, .quantile = 0.5, .huber = 1};
    struct loss_box box = loss_box(loss, &typical, 1);
    return (loss->quadratic || loss->tube != NULL) && isfinite(box.low) && isfinite(box.high);
}

bool loss_second_jumps(const struct loss *loss) {
    static const struct loss_parameters typical = {.tube = 0.1};
    struct loss_box box = loss_box(loss, &typical, 1);
    bool one_end = isfinite(box.low) != isfinite(box.high);
    return isfinite(loss->curvature) && !loss_has_box(loss) &&
           (loss->tube != NULL || (loss->quadratic && one_end));
}

bool loss_is_piecewise_linear(const struct loss *loss) {
    return isinf(loss->curvature) && loss_has_box(loss);
}

const struct loss *loss_by_name(const char *name) {
    int count;
    const struct loss *table = loss_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
