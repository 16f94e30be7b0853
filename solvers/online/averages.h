/* averages.h - running averages of a method's points, and the best combination of these with the last point.
 *
 *     f_k <- f_k + r_k (w - f_k)   every so often,   r = 0.4, 0.15, 0.06, 0.025
 *     w <- c_0 w + sum_k c_k f_k,   c = argmin J
 *
 * Steps on one example after the other leave w swinging to and fro across the optimum where few examples have a loss
 * and lambda is small; averages of it are nearer, and a length of its own for each counts most. J is a function of
 * five numbers then: with the scores of the five points, a step of Newton's method costs a few operations an example.
 * Losses with kinks are smoothed, less and less. Of many examples a random part decides, drawn
 * by their weights. The averages begin at 0: c sets their lengths.
 *
 * References: Polyak & Juditsky 1992, *Acceleration of stochastic approximation by averaging*; Scieur, d'Aspremont &
 * Bach 2016, *Regularized nonlinear acceleration*, for the combination. */
#ifndef RRM_AVERAGES_H
#define RRM_AVERAGES_H

#include "io/state/state.h"
#include "math/random/random.h"
#include "solvers/solver.h"

enum { AVERAGES_POINTS = 5 };

struct averages {
    const struct problem *problem;
    double *point[AVERAGES_POINTS];                 /* columns: w, and the averages */
    int64_t count;                                  /* examples that decide */
    int64_t *row;                                   /* count: which */
    double *score;                                  /* count x AVERAGES_POINTS */
    double *work;                                   /* of a Newton step */
    double size, slope;                             /* of the scores, and of the losses' slopes */
    double gram[AVERAGES_POINTS * AVERAGES_POINTS]; /* lambda times the products of the points */
};

/* COUNT examples decide, or all. 0, or -1 with the error set; to be freed in either case. */
int averages_init(struct averages *averages, const struct problem *problem, int64_t count,
                  struct random *random, struct error *e);
void averages_free(struct averages *averages);

/* Lists the averages. */
void averages_visit(struct averages *averages, struct state *list);

/* Adds the point W (columns) to all. */
void averages_add(struct averages *averages, const double *w);

/* w <- the best combination; by which part J fell on the examples that decide: 0, and w as it is, if by less than
 * 0.001. Each of them is read once. */
double averages_combine(struct averages *averages, double *w);

#endif
