/* metric.h - a norm learned from the features, and a point that sparse steps in this norm move.
 *
 *     ||w||_M^2 = w'Mw,   M = diag(D) + m m',   D_j = var_j / sqrt(q_j) + lambda R/s
 *
 * with m_j the mean of feature j over the examples, var_j its variance, at least 1e-6 of its mean square, and q_j the
 * share of the examples in which it is not 0. ||w||_M is about the size of the scores: it does not depend on the units
 * of the features, and a large common mean of the features has a curvature of its own. A rare feature gets longer
 * steps by a power 1/4 of its share. R is the root mean square of the targets and s that of the losses' slopes at
 * w = 0, so s/R is about the curvature of the losses, over which the last term is that of lambda (none for an offset).
 *
 * M^-1 x = D^-1 x - p <p,x>/(1 + <m,p>), p = D^-1 m, is a sparse vector and a multiple of p. So the point is kept as
 * w = v + gamma p, and a step costs O(nonzeros). The part of lambda is made by metric_fold, implicitly:
 *
 *     w <- argmin 1/2 ||u - w||_M^2 + s lambda/2 ||u||^2,   s the sum of the step sizes since the last fold,
 *
 * by the formula of Sherman and Morrison, in O(columns). Constant features and an offset are columns as others; the
 * part of lambda leaves out the offset.
 *
 * With l1 > 0 M is a diagonal: m = 0 and D has the mean squares in the place of the variances. Then
 *
 *     w_j = soft(v_j, l1/(kappa D_j)),
 *
 * which is argmin of kappa/2 ||u - v||_M^2 + l1 ||u||_1, and is computed where a score needs it. */
#ifndef RRM_METRIC_H
#define RRM_METRIC_H

#include "io/state/state.h"
#include "math/vector.h"
#include "risk/risk.h"

/* What the steps need to know of an example, the same at each w. */
struct metric_row {
    double mean_score; /* <p, x> */
    double square;     /* x'M^-1 x */
};

struct metric {
    const struct design *design;
    double *diagonal;       /* columns: D; 0 where the feature is always 0 */
    double *inverse;        /* columns: 1/D, or 0 */
    double *mean;           /* columns: m */
    double *p;              /* columns: D^-1 m */
    struct metric_row *row; /* rows */
    double outer;           /* 1/(1 + <m,p>) */
    double kappa;           /* D has the term lambda/kappa: s/R, or that of multipliers.h */
    double threshold;       /* l1/kappa; 0 but with METRIC_SPARSE */

    double *v; /* columns */
    double gamma;
    double square;    /* ||w||_M^2 */
    double euclidean; /* ||w||^2 over the regularized columns, of the last fold */
    double eta_sum;   /* step sizes since the last fold */
};

/* The root mean square of the targets, about the size of the scores; 1 if it is 0. */
double metric_target_size(const struct scalar_terms *terms);

/* The root mean square of the losses' slopes at w = 0; as above if it is 0. */
double metric_slope_size(const struct scalar_terms *terms);

/* What the metric is for: stochastic steps, or outer steps (multipliers.h), of all columns or of the offset and the
 * mean score alone. For the latter D_j = 1, kappa = lambda, and m is multiplied by sqrt(10/s), s the mean square of
 * ||x - m||. Then kappa M is the curvature of lambda, and one of the mean score. METRIC_SPARSE: outer steps with l1,
 * whose `threshold` the caller sets. */
enum metric_use { METRIC_STEPS, METRIC_OUTER, METRIC_OFFSET, METRIC_SPARSE };

/* Learns the metric, in two passes over the data, and starts at w (columns). To be freed in either case. 0, or -1 with
 * the error set. */
int metric_init(struct metric *metric, const struct scalar_terms *terms, enum metric_use use,
                double lambda, const double *w, struct error *e);
void metric_free(struct metric *metric);

/* w_j, where gamma is 0. */
static inline double metric_weight(const struct metric *metric, int64_t j) {
    bool shrinks = metric->threshold > 0 && j < metric->design->regularized;
    return shrinks ? soft(metric->v[j], metric->threshold * metric->inverse[j]) : metric->v[j];
}

/* metric_score with a threshold. */
double metric_sparse_score(const struct metric *metric, int64_t i, const double *value);

/* <w, x_i>; row i's values are VALUE. */
static inline double metric_score(const struct metric *metric, int64_t i, const double *value) {
    if (metric->threshold > 0)
        return metric_sparse_score(metric, i, value);
    return design_score_of(metric->design, metric->v, 1, i, value) +
           metric->gamma * metric->row[i].mean_score;
}

/* w -= c M^-1 x_i, without `square`. */
void metric_subtract(struct metric *metric, double c, int64_t i, const double *value);

/* The same of a dense vector g (columns), by threads: <p, g> and g'M^-1 g; w -= c M^-1 g, given <p, g>, and g <- 0. */
void metric_measure(const struct metric *metric, const double *g, double *mean_score,
                    double *square);
void metric_subtract_all(struct metric *metric, double c, double mean_score, double *g);

/* z += c x_i; returns by how much z' D^-1 z grew. */
double metric_add(const struct metric *metric, double *z, double c, int64_t i, const double *value);

/* x <- M x and x <- M^-1 x (columns). */
void metric_multiply(const struct metric *metric, double *x);
void metric_solve(const struct metric *metric, double *x);

/* Of METRIC_OUTER and METRIC_SPARSE: another kappa, in one pass over the data. `square` is that of the old one until a
 * fold. */
void metric_set_kappa(struct metric *metric, double lambda, double kappa);

/* Lists the point, and what outer steps change of the metric; the rest follows from it, in one pass. */
void metric_visit(struct metric *metric, struct state *list);

/* The part of lambda; computes `square` and `euclidean` anew. */
void metric_fold(struct metric *metric, double lambda);

/* w <- factor w, after a fold. */
void metric_scale(struct metric *metric, double factor);

/* Writes w. */
void metric_copy(const struct metric *metric, double *w);

#endif
