/* boost.h - the risk of entropy-regularized LPBoost. With labels y_i = +1 and -1, margins z_i =
 * y_i <w, x_i>, the features the learners,
 *
 *     R(w) = max over d in K of  sum_i d_i (1 - z_i) - KL(d, q)/eta,
 *     K = { 0 <= d_i <= 1/nu, sum d = 1 },   q uniform,   KL(d, q) = sum_i d_i log(d_i/q_i),
 *
 * attained at d = cap(q exp(-eta z)) (math/simplex.h), with the gradient -sum_i d_i y_i x_i: the mean
 * of 1 - z over the nu smallest margins, softened. Features in [-1, 1] and ||w||_1 <= 1 make R >= 0,
 * as q is in K. R does not split over the examples, and is eta-smooth in the 1-norm of w.
 *
 * LPBoost minimizes over d in K its greatest edge, max_j <u_j, d> + KL(d, q)/eta, u_ji = y_i x_ij; the
 * minimum over w of R on the simplex is 1 less that minimum.
 *
 * Reference: Warmuth, Glocer & Vishwanathan 2008, "Entropy regularized LPBoost", ALT; Zhang, Saha &
 * Vishwanathan 2010, example 5. Evaluation: a pass, and O(rows) for d. */
#ifndef RRM_BOOST_H
#define RRM_BOOST_H

#include "risk/risk.h"
#include "risk/risk_table.h"

/* What is chosen where a parameter is 0: nu a tenth of the rows; eta such that the entropy takes at most
 * a hundredth, as KL(d, q) <= log(rows/nu), but at least 1. */
struct boost_parameters boost_chosen(struct boost_parameters given, int64_t rows);

/* Whether the simplex, the entropy or a ball within that of the 1-norm goes with it; no constants. */
int boost_check(const struct risk_request *request, struct error *e);

/* An error with its line when a feature is outside of [-1, 1]. */
int boost_check_data(const struct dataset *data, const char *path, bool zero_based,
                     struct error *e);

/* NULL with the error set. Examples of one weight only; nu at most their number. */
struct risk *boost_risk_new(const struct risk_settings *settings, struct error *e);

struct boost_parts {
    const struct design *design; /* the x_i */
    const double *target;        /* rows: +1 and -1 */
    double nu, eta;
};

/* NULL for another risk. */
const struct boost_parts *boost_parts(const struct risk *risk);

/* z_i = y_i <w, x_i> */
void boost_margins(const struct boost_parts *parts, const double *w, double *z);

/* The edges <u_j, d>. WORK: scratch memory of `rows` numbers. */
void boost_edges(const struct boost_parts *parts, const double *d, double *work, double *edge);

/* KL(d, q)/eta */
double boost_entropy(const struct boost_parts *parts, const double *d);

#endif
