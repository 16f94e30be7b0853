/* solver_cost.h - estimates the time of four kinds of solvers on given data. The unit is
 * a nanosecond of one thread; the constants are fitted to measured iterations and passes on dense and sparse rows of 10
 * to 2000 features. */
#ifndef RRM_SOLVER_COST_H
#define RRM_SOLVER_COST_H

#include <stdbool.h>

struct data_shape {
    double rows, features, nonzeros;
    bool uneven;        /* the features differ much in size */
    double mean_square; /* of the rows' norms; 0: not known */
    double effective; /* number of features, less where some are hardly ever not 0; 0: not known */
};

/* An interior point: 13 to 24 iterations, each of which forms X'DX, factorizes it, and makes about 12 products with X,
 * by a dense copy of the rows where they have many values. */
double cost_interior_point(const struct data_shape *shape);

/* So many steps of Newton's method for smooth losses: some products with X, X'DX and its factorization. */
double cost_newton_steps(const struct data_shape *shape, double count);

/* Values and gradients of a loss: a pass of a quasi-Newton method. */
double cost_gradient_pass(const struct data_shape *shape);

/* Cutting planes on the hinge. The number of passes grows as the gap decreases, and lambda over the rows' mean square
 * norm, and if there are few rows for each effective feature; few features or few rows bound it. The time of the
 * program over the planes grows with the cube of their number. */
double cost_cutting_planes(const struct data_shape *shape, double lambda, double gap);

/* The number of passes that cutting planes make in this time. */
double passes_of_cuts_within(const struct data_shape *shape, double time);

/* The number of passes that bundle methods with proximal terms make in this time, for any risk. */
double passes_of_planes_within(const struct data_shape *shape, double time);

/* A pass of coordinate steps on the dual. */
double cost_coordinate_pass(const struct data_shape *shape);

#endif
