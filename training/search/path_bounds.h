/* path_bounds.h - what two models of a certified path prove at the lambdas between them. */
#ifndef RRM_PATH_BOUNDS_H
#define RRM_PATH_BOUNDS_H

#include "solvers/solver.h"

/* A model of the path at its lambda. */
struct path_point {
    double lambda;
    struct outcome *at;
    const struct linearization *linearization; /* of each vector; NULL: none is kept */
};

/* What is known between two models. */
struct path_pair {
    struct path_point above, below; /* above: at the larger lambda */
    double gap;                     /* that is wanted */

    /* Sums over the vectors, with Omega = ||w||^2/2: the constants of both linearizations, the squares of their slopes
     * and their product; not-a-number otherwise. */
    double constant[2], square[2], product;
};

/* VECTORS: how many; SQUARES: whether Omega is ||w||^2/2. */
void path_pair_init(struct path_pair *pair, const struct path_point *above,
                    const struct path_point *below, double gap, int64_t vectors, bool squares);

/* Extends the intervals of both by the chord and by mixtures. Whether these hold at all lambdas between. */
bool path_pair_join(const struct path_pair *pair);

/* The lambda where both models have the same J. */
double path_pair_crossing(const struct path_pair *pair);

/* The step, in log(lambda), for which the better bound would be just enough: where both models have the same J, the gap
 * beyond that of the ends grows as the square of the step. 0: the ends alone are too much. */
double path_pair_step(const struct path_pair *pair);

#endif
