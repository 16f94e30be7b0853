/* solver_cost.c - estimates the work of solvers. */
#include "training/defaults/solver_cost.h"

#include <math.h>

/* X'DX: by dense tiles, or scattered over a matrix that leaves the caches as it grows. */
static double products_of_columns(const struct data_shape *shape) {
    static const double dense_share = 0.4; /* as in solvers/interior_point/ipm_dense.c */
    double n = shape->features, each = shape->nonzeros / shape->rows;
    return each >= dense_share * n ? 0.03 * shape->rows * n * n
                                   : 0.4 * (1 + n / 100) * shape->nonzeros * each;
}

double cost_interior_point(const struct data_shape *shape) {
    static const double products = 14, /* with X, in an iteration */
        flops = 25;                    /* operations of the factorization in a nanosecond */
    double n = shape->features, iterations = 6 + 3 * log10(shape->rows);
    return iterations *
           (products * shape->nonzeros + products_of_columns(shape) + n * n * n / (3 * flops));
}

double cost_gradient_pass(const struct data_shape *shape) {
    static const double each = 1.3, row = 15;
    return each * shape->nonzeros + row * shape->rows;
}

double cost_newton(const struct data_shape *shape) {
    static const double
        iterations = 5,
        passes = 3, product = 0.5,
        dense_speed =
            12, /* products of dense rows in the time of a sparse one, as in matrix/gram.c */
        flops = 25;
    double n = shape->features, each = shape->nonzeros / shape->rows;
    double products = fmin(shape->rows * n * n / dense_speed, shape->nonzeros * each) / 2;
    return iterations *
           (passes * cost_gradient_pass(shape) + product * products + n * n * n / (3 * flops));
}

double cost_coordinate_pass(const struct data_shape *shape) {
    static const double row = 15;
    return shape->nonzeros + row * shape->rows;
}

/* The number of passes to a certified gap. */
static double passes(const struct data_shape *shape, double lambda, double gap) {
    static const double at_large_lambda = 35, large_lambda = 0.01, usual_gap = 1e-3,
                        most_share = 0.2; /* where features are of one size */
    double share = shape->features / shape->rows;
    double crowded = 1 + 20 * (shape->uneven ? share : fmin(share, most_share));
    double estimate =
        at_large_lambda * crowded * pow(large_lambda / lambda, 0.35) * pow(usual_gap / gap, 0.4);
    return fmin(estimate, fmin(7 * shape->features, 1.5 * shape->rows) + 30);
}

double cost_cutting_planes(const struct data_shape *shape, double lambda, double gap) {
    double count = passes(shape, lambda, gap);
    return count * shape->nonzeros + 0.8 * count * count * count;
}
