/* dual_bound.c - a dual vector made feasible, and the bound that it certifies. */
#include "solvers/dual_bound.h"

#include "math/vector.h"
#include "solvers/linearization.h"

#include <math.h>

/* Sums over the rows of one block. */
struct sums {
    double positive, negative; /* of c a over a > 0, and over a < 0 */
    double free;               /* of c over the a within their domains */
};

/* a_i + delta in the domain of row i; what is not a number becomes 0. */
static double shifted(const struct scalar_terms *terms, double a, double delta, int64_t i,
                      bool *free) {
    double low, high, at = isnan(a + delta) ? 0 : a + delta;
    terms->loss->domain(scalar_target(terms, i), &terms->parameters, &low, &high);
    *free = at > low && at < high;
    return clip(at, low, high);
}

static double scaled(double a, double positive, double negative) {
    return a * (a > 0 ? positive : negative);
}

/* The sums at a + delta. With `a_out` that is stored as well. */
static struct sums sum_block(const struct scalar_terms *terms, const double *a, double delta,
                             double *a_out, int block) {
    struct sums sums = {0};
    int64_t end = design_block_start(terms->design, block + 1);
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        bool free;
        double c = scalar_weight(terms, i), at = shifted(terms, a[i], delta, i, &free);
        if (c > 0 && at > 0)
            sums.positive += c * at;
        else if (c > 0)
            sums.negative += c * at;
        sums.free += free ? c : 0;
        if (a_out != NULL)
            a_out[i] = at;
    }
    return sums;
}

static struct sums sum_rows(const struct scalar_terms *terms, const double *a, double delta,
                            double *a_out) {
    const struct design *design = terms->design;
    struct sums block_sum[DESIGN_BLOCKS_MOST], sums = {0};
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = sum_block(terms, a, delta, a_out, block);
    for (int block = 0; block < design->blocks; block++) {
        sums.positive += block_sum[block].positive;
        sums.negative += block_sum[block].negative;
        sums.free += block_sum[block].free;
    }
    double all[] = {sums.positive, sums.negative, sums.free};
    communicator_sum_few(design->data->communicator, all, 3);
    return (struct sums){all[0], all[1], all[2]};
}

static double excess(const struct sums *sums) {
    return sums->positive + sums->negative;
}

/* delta with sum c clip(a + delta) = 0, nearly: a sum that grows with delta and is linear between
 * kinks, so Newton's method, kept within the bracket that the signs seen so far make. */
static double find_shift(const struct scalar_terms *terms, const double *a) {
    enum { MAX_STEPS = 60 };
    static const double converged_change = 1e-15;
    double low = -INFINITY, high = INFINITY, delta = 0, stride = 1;
    for (int i = 0; i < MAX_STEPS; i++) {
        struct sums sums = sum_rows(terms, a, delta, NULL);
        double now = excess(&sums), size = sums.positive - sums.negative;
        if (!(fabs(now) > converged_change * size))
            break;
        if (now > 0)
            high = delta;
        else
            low = delta;
        double next = sums.free > 0 ? delta - now / sums.free : NAN;
        if (!(next > low && next < high)) {
            next = isinf(low) ? high - stride : isinf(high) ? low + stride : low + (high - low) / 2;
            stride *= 2;
        }
        if (next == delta)
            break;
        delta = next;
    }
    return delta;
}

/* The factors of the sides, so that they cancel. */
static void balance(const struct sums *sums, double *positive, double *negative) {
    *positive = *negative = 1;
    if (sums->positive > -sums->negative)
        *positive = -sums->negative / sums->positive;
    else if (sums->negative < 0)
        *negative = sums->positive / -sums->negative;
}

/* How the dual variables are made feasible: two factors, and a number that targets are taken from. */
struct feasible {
    double positive, negative, centre;
};

/* a <- c times a in its domain with its sides scaled; returns the sum of c l*(a, y - centre). */
static double weigh_block(const struct scalar_terms *terms, const struct feasible *by, double *a,
                          int block) {
    double sum = 0;
    bool free;
    int64_t end = design_block_start(terms->design, block + 1);
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double c = scalar_weight(terms, i);
        double at = scaled(shifted(terms, a[i], 0, i, &free), by->positive, by->negative);
        if (c > 0)
            sum += c * terms->loss->conjugate(at, scalar_target(terms, i) - by->centre,
                                              &terms->parameters);
        a[i] = c > 0 ? c * at : 0;
    }
    return sum;
}

/* The sum of c l*(a, y - centre) of the balanced a of this process's rows; leaves c a in a, and X' c a in the design's
 * partial sums. */
static double weigh(const struct scalar_terms *terms, const struct feasible *by, double *a) {
    const struct design *design = terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        block_sum[block] = weigh_block(terms, by, a, block);
        design_combine_rows(design, design_block_start(design, block),
                            design_block_start(design, block + 1), a,
                            design_partial(design, block));
    }
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    return sum;
}

/* The mean target. With an offset the sum of c a is 0 and l*(a, y) = a y + (something of a alone), so
 * that targets may be taken from any number; from one amid them no digits are lost where they are
 * far from 0. */
static double mean_target(const struct scalar_terms *terms) {
    double sum = 0;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double c = scalar_weight(terms, i);
        sum += c > 0 ? c * scalar_target(terms, i) : 0;
    }
    sum = communicator_sum_one(terms->design->data->communicator, sum) / terms->weight_sum;
    return isfinite(sum) ? sum : 0;
}

/* The sum over a block of c l*(theta a, y - centre), where a holds c a. */
static double conjugates_block(const struct scalar_terms *terms, const double *a, double theta,
                               double centre, int block) {
    int64_t end = design_block_start(terms->design, block + 1);
    double sum = 0;
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double c = scalar_weight(terms, i);
        if (c > 0)
            sum += c * terms->loss->conjugate(theta * (a[i] / c), scalar_target(terms, i) - centre,
                                              &terms->parameters);
    }
    return sum;
}

static double conjugates(const struct scalar_terms *terms, const double *a, double theta,
                         double centre) {
    const struct design *design = terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = conjugates_block(terms, a, theta, centre, block);
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    return communicator_sum_one(design->data->communicator, sum);
}

/* The bound of the slope and constant t that a gives (a holds c a); where the regularizer cannot take
 * the slope as it is, the dual variables are shrunk: theta a stays in the domains, which hold 0, and
 * its constant is at least theta t. */
static double bound_of(const struct problem *problem, const double *a, const double *slope,
                       double t, double centre) {
    const struct regularizer *regularizer = problem->regularizer;
    const struct scalar_terms *terms = problem->risk->scalar;
    int64_t n = problem->risk->regularized;
    double theta = regularizer->reach == NULL ? 1 : regularizer->reach(slope, n, problem->lambda);
    double bound;
    if (theta < 1) {
        double constant = -conjugates(terms, a, theta, centre) / terms->weight_sum;
        linearization_offer(problem, theta, slope, constant / theta, constant);
        return fmax(0, constant);
    }
    bound = regularizer->bound(slope, t, n, problem->lambda, &problem->parameters);
    linearization_offer(problem, 1, slope, t, bound);
    return bound;
}

double dual_linearize_own(const struct risk *risk, double *a, double *slope, double *centre) {
    const struct scalar_terms *terms = risk->scalar;
    bool offset = risk->dimension > risk->regularized;
    bool regression = terms->loss->task == TASK_REGRESSION;
    struct feasible by = {.positive = 1, .negative = 1};
    double delta = offset && regression ? find_shift(terms, a) : 0;
    if (offset) {
        struct sums sums = sum_rows(terms, a, delta, a);
        balance(&sums, &by.positive, &by.negative);
        by.centre = regression ? mean_target(terms) : 0;
    }
    double sum = weigh(terms, &by, a);
    design_add_partials(terms->design, 1 / terms->weight_sum, slope);
    if (offset)
        slope[risk->regularized] = 0; /* the sum of all processes is, but for rounding */
    *centre = by.centre;
    return sum;
}

double dual_linearize(const struct risk *risk, double *a, double *slope, double *centre) {
    const struct scalar_terms *terms = risk->scalar;
    struct communicator *c = terms->design->data->communicator;
    double sum = communicator_sum_one(c, dual_linearize_own(risk, a, slope, centre));
    communicator_sum(c, slope, terms->design->columns);
    return -sum / terms->weight_sum;
}

double dual_bound(const struct problem *problem, double *a, double *slope) {
    double centre, t = dual_linearize(problem->risk, a, slope, &centre);
    return dual_bound_known(problem, a, slope, t, centre);
}

double dual_bound_known(const struct problem *problem, const double *a, const double *slope,
                        double t, double centre) {
    if (!isfinite(t) || !isfinite(vector_dot(slope, slope, problem->risk->regularized)))
        return 0;
    return bound_of(problem, a, slope, t, centre);
}

/* The sums of c l*(a, y) and c each a^2 over a block. */
static void constants_block(const struct scalar_terms *terms, const double *a, const double *each,
                            int block, double *constant, double *square) {
    int64_t end = design_block_start(terms->design, block + 1);
    double sum = 0, squares = 0; /* not by the pointers: blocks' results are neighbours in memory */
    bool free;
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double c = scalar_weight(terms, i);
        double at = c > 0 ? shifted(terms, a[i] / c, 0, i, &free) : 0;
        if (c > 0)
            sum += c * terms->loss->conjugate(at, scalar_target(terms, i), &terms->parameters);
        squares += c * (each == NULL ? 1 : each[i]) * at * at;
    }
    *constant = sum;
    *square = squares;
}

double dual_constant(const struct scalar_terms *terms, const double *a, const double *each,
                     double *squares) {
    const struct design *design = terms->design;
    double constant[DESIGN_BLOCKS_MOST], square[DESIGN_BLOCKS_MOST];
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        constants_block(terms, a, each, block, &constant[block], &square[block]);
    double sums[] = {0, 0};
    for (int block = 0; block < design->blocks; block++) {
        sums[0] += constant[block];
        sums[1] += square[block] / terms->weight_sum;
    }
    communicator_sum_few(design->data->communicator, sums, 2);
    *squares = sums[1];
    return -sums[0] / terms->weight_sum;
}

void dual_from_scores(const struct scalar_terms *terms, const double *u, double *a) {
    const struct design *design = terms->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        for (int64_t i = design_block_start(design, block);
             i < design_block_start(design, block + 1); i++)
            terms->loss->value(u[i], scalar_target(terms, i), &terms->parameters, &a[i]);
}
