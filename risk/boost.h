/* boost.h - the risk of entropy-regularized LPBoost. With labels y_i = +1 and -1, margins z_i =
 * y_i <w, x_i>, the features the learners,
 *
 *     R(w) = max over d in K of  sum_i d_i (1 - z_i) - KL(d, q)/eta,
 *     K = { 0 <= d_i <= 1/nu, sum d = 1 },   q uniform,   KL(d, q) = sum_i d_i log(d_i/q_i),
 *
 * attained at d = cap(q exp(-eta z)) (simplex.h), with the gradient -sum_i d_i y_i x_i: a smoothed mean
 * of 1 - z over the nu smallest margins. If the features are in [-1, 1] and ||w||_1 <= 1, R >= 0, as q is in K. R is
 * no sum over examples; it is eta-smooth in the 1-norm of w.
 *
 * LPBoost minimizes the largest edge over d in K, max_j <u_j, d> + KL(d, q)/eta, u_ji = y_i x_ij; the minimum of R
 * over w in the simplex is 1 minus that minimum.
 *
 * Reference: Warmuth, Glocer & Vishwanathan 2008, "Entropy regularized LPBoost", ALT; Zhang, Saha &
 * Vishwanathan 2010, example 5. Evaluation: a pass, and O(rows) for d. */
#ifndef RRM_BOOST_H
#define RRM_BOOST_H

#include "risk/risk.h"
#include "risk/risk_table.h"

/* Replaces parameters that are 0 by their defaults: nu = rows/10; eta such that KL(d, q)/eta is at most 0.01, as
 * KL(d, q) <= log(rows/nu), but at least 1. */
struct boost_parameters boost_chosen(struct boost_parameters given, int64_t rows);

/* 0, or an error unless the regularizer is the simplex, the entropy or a ball within the unit 1-norm ball, without a
 * constant feature. */
int boost_check(const struct risk_request *request, struct error *e);

/* 0, or an error with its line if a feature is outside of [-1, 1]. */
int boost_check_data(const struct dataset *data, const char *path, bool zero_based,
                     struct error *e);

/* NULL with the error set. Examples of one weight only; nu at most their number. */
struct risk *boost_risk_new(const struct risk_settings *settings, struct error *e);

struct boost_terms {
    const struct design *design; /* the x_i */
    const double *target;        /* rows: +1 and -1 */
    double nu, eta;
};

/* NULL for another risk. */
const struct boost_terms *boost_terms(const struct risk *risk);

/* z_i = y_i <w, x_i> */
void boost_margins(const struct boost_terms *terms, const double *w, double *z);

/* The edges <u_j, d>. WORK: scratch memory of `rows` numbers. */
void boost_edges(const struct boost_terms *terms, const double *d, double *work, double *edge);

/* KL(d, q)/eta */
double boost_entropy(const struct boost_terms *terms, const double *d);

#endif
