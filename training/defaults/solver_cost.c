/* solver_cost.c - estimates the time of solvers. */
#include "training/defaults/solver_cost.h"

#include "solvers/interior_point/ipm.h"

#include <math.h>

/* Dense rows are read by vector instructions. */
static bool is_dense(const struct data_shape *shape) {
    static const double dense_share = 0.4;
    return shape->nonzeros >= dense_share * shape->rows * shape->features;
}

/* Nanoseconds of a product in dense tiles, and of an operation of a factorization. */
static const double tile_product_time = 0.04, factor_operation_time = 0.05;

/* X'DX of N columns: by dense tiles, or scattered over a matrix that leaves the caches as it grows (matrix/gram.c). */
static double cost_of_products(double rows, double n, double nonzeros) {
    static const double scattered_product_time = 1, cached_columns = 450;
    double dense = tile_product_time * rows * n * (n + 1) / 2;
    double sparse =
        scattered_product_time * (1 + n / cached_columns) * nonzeros * (nonzeros / rows + 1) / 2;
    return fmin(dense, sparse);
}

static double cost_of_factor(double n) {
    return factor_operation_time * n * n * n / 3;
}

static double cost_of_system(const struct data_shape *shape) {
    return cost_of_products(shape->rows, shape->features, shape->nonzeros) +
           cost_of_factor(shape->features);
}

static bool is_wide(const struct data_shape *shape) {
    return ipm_shape_is_wide((int64_t)shape->rows, (int64_t)shape->features);
}

/* Fewer rows than features: XX' is formed once, and its multiple factored in each iteration, of so many passes. */
static double cost_of_wide_systems(const struct data_shape *shape, double iterations,
                                   double passes) {
    return iterations * (passes * cost_gradient_pass(shape) + cost_of_factor(shape->rows)) +
           cost_of_products(shape->features, shape->rows, shape->nonzeros);
}

double cost_interior_point(const struct data_shape *shape) {
    static const double entry_time = 8, row_time = 130, /* of all products with X in an iteration */
        copied_share = 0.15,                            /* of values, from which rows are copied */
        usual_if_wide = 40, dense_if_wide = 12;
    double passes_if_wide = is_dense(shape) ? dense_if_wide : usual_if_wide;
    double all = shape->rows * shape->features, iterations = 6 + 3 * log10(shape->rows);
    double entries = shape->nonzeros >= copied_share * all ? all : shape->nonzeros;
    double systems = is_wide(shape) ? cost_of_wide_systems(shape, iterations, passes_if_wide)
                                    : iterations * cost_of_system(shape);
    return iterations * (entry_time * entries + row_time * shape->rows) + systems;
}

double cost_gradient_pass(const struct data_shape *shape) {
    return is_dense(shape) ? 1.2 * shape->nonzeros + 50 * shape->rows
                           : 2.3 * shape->nonzeros + 30 * shape->rows;
}

double cost_newton_steps(const struct data_shape *shape, double count) {
    static const double passes = 3, passes_if_wide = 12;
    return is_wide(shape) ? cost_of_wide_systems(shape, count, passes_if_wide)
                          : count * (passes * cost_gradient_pass(shape) + cost_of_system(shape));
}

double cost_coordinate_pass(const struct data_shape *shape) {
    return is_dense(shape) ? 0.9 * shape->nonzeros + 40 * shape->rows
                           : 4 * shape->nonzeros + 20 * shape->rows;
}

/* The mean square norm of rows. Few features of a large size make it too large for the others. */
static double mean_square(const struct data_shape *shape) {
    static const double usual_mean_square = 10;
    bool known = shape->mean_square > 0;
    if (!known)
        return usual_mean_square;
    return shape->uneven ? fmin(shape->mean_square, usual_mean_square) : shape->mean_square;
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

/* A score is kept, and only rows with a loss are added. */
static double cost_of_cut_pass(const struct data_shape *shape) {
    return is_dense(shape) ? 0.5 * shape->nonzeros + 30 * shape->rows
                           : 1.3 * shape->nonzeros + 20 * shape->rows;
}

/* Nanoseconds of the programs over planes, over the cube of their number. */
static const double cube_of_cuts = 0.8, cube_of_planes = 10;

static double cost_of_cuts(const struct data_shape *shape, double count) {
    return count * cost_of_cut_pass(shape) + cube_of_cuts * count * count * count;
}

double cost_cutting_planes(const struct data_shape *shape, double lambda, double gap) {
    return cost_of_cuts(shape, passes(shape, lambda, gap));
}

/* The passes, of which each costs PASS, in this time; their programs cost CUBE times the cube of their number. */
static double passes_within(double time, double pass, double cube) {
    double low = 0, high = time / pass;
    while (high - low > 1) {
        double middle = (low + high) / 2;
        *(middle * pass + cube * middle * middle * middle <= time ? &low : &high) = middle;
    }
    return floor(high);
}

double passes_of_cuts_within(const struct data_shape *shape, double time) {
    return passes_within(time, cost_of_cut_pass(shape), cube_of_cuts);
}

double passes_of_planes_within(const struct data_shape *shape, double time) {
    return passes_within(time, cost_gradient_pass(shape), cube_of_planes);
}
