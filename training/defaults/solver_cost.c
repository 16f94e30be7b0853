/* solver_cost.c - estimates the work of solvers. */
#include "training/defaults/solver_cost.h"

#include <math.h>

static const double each_row = 15; /* of a pass that keeps a score */

/* X'DX: by dense tiles, or scattered over a matrix that leaves the caches as it grows (matrix/gram.c). */
static double products_of_columns(const struct data_shape *shape) {
    double n = shape->features, each = shape->nonzeros / shape->rows;
    return fmin(0.06 * shape->rows * n * n, 0.4 * (1 + n / 100) * shape->nonzeros * each);
}

double cost_interior_point(const struct data_shape *shape) {
    static const double products = 28, /* with X, in an iteration, and what goes with them */
        flops = 25;                    /* operations of the factorization in a nanosecond */
    double n = shape->features, iterations = 6 + 3 * log10(shape->rows);
    return iterations *
           (products * shape->nonzeros + products_of_columns(shape) + n * n * n / (3 * flops));
}

double cost_gradient_pass(const struct data_shape *shape) {
    static const double each = 1.3;
    return each * shape->nonzeros + each_row * shape->rows;
}

double cost_newton_step(const struct data_shape *shape) {
    static const double passes = 3, product = 0.5,
                        dense_speed = 12, /* products of dense rows in the time of a sparse one */
        flops = 25;
    double n = shape->features, each = shape->nonzeros / shape->rows;
    double products = fmin(shape->rows * n * n / dense_speed, shape->nonzeros * each) / 2;
    return passes * cost_gradient_pass(shape) + product * products + n * n * n / (3 * flops);
}

double cost_coordinate_pass(const struct data_shape *shape) {
    return 2 * (shape->nonzeros + each_row * shape->rows);
}

/* The mean square norm of rows. Few features of a large size make it too large for the others. */
static double mean_square(const struct data_shape *shape) {
    static const double usual = 10;
    bool known = shape->mean_square > 0;
    return !known ? usual : shape->uneven ? fmin(shape->mean_square, usual) : shape->mean_square;
}

/* The number of passes to a certified gap. */
static double passes(const struct data_shape *shape, double lambda, double gap) {
    static const double at_fair_lambda = 60, fair_lambda = 1e-4, usual_gap = 1e-3,
                        most_share = 0.2; /* where features are of one size */
    bool all = shape->uneven || !(shape->effective > 0);
    double share = (all ? shape->features : shape->effective) / shape->rows;
    double crowded = 1 + (shape->uneven ? 40 * share : 20 * fmin(share, most_share));
    double harder = fair_lambda * mean_square(shape) / lambda;
    double estimate = at_fair_lambda * crowded * pow(harder, 0.28) * pow(usual_gap / gap, 0.4);
    return fmin(estimate, fmin(7 * shape->features, 1.5 * shape->rows) + 30);
}

static double cost_of_cuts(const struct data_shape *shape, double count) {
    return count * (shape->nonzeros + each_row * shape->rows) + 0.8 * count * count * count;
}

double cost_cutting_planes(const struct data_shape *shape, double lambda, double gap) {
    return cost_of_cuts(shape, passes(shape, lambda, gap));
}

double passes_of_cuts_within(const struct data_shape *shape, double time) {
    double low = 0, high = time / (shape->nonzeros + each_row * shape->rows);
    while (high - low > 1) {
        double middle = (low + high) / 2;
        *(cost_of_cuts(shape, middle) <= time ? &low : &high) = middle;
    }
    return floor(high);
}
